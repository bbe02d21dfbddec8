#include "kernels/runner/activity.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "kernels/runner/faults.h"
#include "kernels/wire/text.h"

enum { BUFFER_BYTES = 1 << 20, MOST_KERNELS = 1 << 16, ALIGNED = 8 };

struct activity {
    struct cupti_api cupti;
    struct activity_kernel *kernels;
    int n;
    bool copies;                  /* are recorded too */
    pthread_mutex_t lock;         /* CUPTI may deliver from a thread of its own */
};

static struct activity *receiver; /* callbacks carry no context */

static void want(uint8_t **buffer, size_t *size, size_t *records)
{
    *buffer = aligned_alloc(ALIGNED, BUFFER_BYTES);
    *size = *buffer ? BUFFER_BYTES : 0;
    *records = 0; /* as many as fit */
}

static void keep_kernel(struct activity_kernel *to, const struct cupti_kernel *k)
{
    *to = (struct activity_kernel){
        .device = k->device, .start = k->start, .end = k->end, .order = k->correlation};
    snprintf(to->name, sizeof to->name, "%s", k->name ? k->name : "");
}

static void keep_copy(struct activity_kernel *to, const struct cupti_copy *c)
{
    bool peer = c->kind == CUPTI_KIND_MEMCPY_PEER;
    *to = (struct activity_kernel){.copy = true,
                                   .device = c->device,
                                   .start = c->start,
                                   .end = c->end,
                                   .order = peer ? c->peer_correlation : c->correlation};
}

static void keep(struct activity *a, const uint32_t *record)
{
    bool kernel = *record == CUPTI_KIND_CONCURRENT_KERNEL;
    bool copy = *record == CUPTI_KIND_MEMCPY || *record == CUPTI_KIND_MEMCPY_PEER;
    if (!(kernel || copy) || a->n == MOST_KERNELS)
        return;
    a->kernels = mem_grow(a->kernels, (size_t)a->n + 1, sizeof *a->kernels);
    struct activity_kernel *to = &a->kernels[a->n++];
    if (kernel)
        keep_kernel(to, (const void *)record);
    else
        keep_copy(to, (const void *)record);
}

static void receive(cu_context ctx, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
    void *record = NULL;
    struct activity *a = receiver;
    (void)ctx, (void)stream, (void)size;
    if (a) {
        pthread_mutex_lock(&a->lock);
        while (a->cupti.cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_OK)
            keep(a, record);
        pthread_mutex_unlock(&a->lock);
    }
    free(buffer);
}

static int check(struct activity *a, cupti_result r, const char *call, struct err *err)
{
    return fault_cupti(&a->cupti, r, call, err);
}
#define CUPTI(a, err, fn, ...) check((a), (a)->cupti.fn(__VA_ARGS__), #fn, (err))

int activity_new(struct activity **out, struct err *err)
{
    struct activity *a = mem_new(1, sizeof *a);
    int rc = api_load_cupti(&a->cupti, err);
    pthread_mutex_init(&a->lock, NULL);
    receiver = a;
    if (!rc)
        rc = CUPTI(a, err, cuptiActivityRegisterCallbacks, want, receive);
    if (rc) {
        activity_free(a);
        a = NULL;
    }
    *out = a;
    return rc;
}

void activity_free(struct activity *a)
{
    if (!a)
        return;
    receiver = NULL;
    pthread_mutex_destroy(&a->lock);
    free(a->kernels);
    free(a);
}

int activity_start(struct activity *a, bool copies, struct err *err)
{
    int rc = CUPTI(a, err, cuptiActivityEnable, CUPTI_KIND_CONCURRENT_KERNEL);
    a->n = 0;
    a->copies = copies;
    if (rc || !copies || (rc = CUPTI(a, err, cuptiActivityEnable, CUPTI_KIND_MEMCPY)))
        return rc;
    return CUPTI(a, err, cuptiActivityEnable, CUPTI_KIND_MEMCPY_PEER);
}

void activity_stop(struct activity *a)
{
    a->cupti.cuptiActivityFlushAll(CUPTI_FLUSH_FORCED); /* buffers that are still out come back */
    a->cupti.cuptiActivityDisable(CUPTI_KIND_CONCURRENT_KERNEL);
    if (a->copies) {
        a->cupti.cuptiActivityDisable(CUPTI_KIND_MEMCPY);
        a->cupti.cuptiActivityDisable(CUPTI_KIND_MEMCPY_PEER);
    }
    a->n = 0;
}

int activity_now(struct activity *a, uint64_t *ns, struct err *err)
{
    return CUPTI(a, err, cuptiGetTimestamp, ns);
}

/* The kernels of one graph are one launch. */
static int by_order(const void *x, const void *y)
{
    const struct activity_kernel *a = x, *b = y;
    int order = (a->order > b->order) - (a->order < b->order);
    return order ? order : (a->start > b->start) - (a->start < b->start);
}

int activity_take(struct activity *a, const struct activity_kernel **out, int *n, struct err *err)
{
    int rc = CUPTI(a, err, cuptiActivityFlushAll, CUPTI_FLUSH_FORCED);
    pthread_mutex_lock(&a->lock);
    if (a->n)
        qsort(a->kernels, (size_t)a->n, sizeof *a->kernels, by_order);
    *out = a->kernels;
    *n = a->n;
    a->n = 0; /* the next delivery writes over them */
    pthread_mutex_unlock(&a->lock);
    return rc;
}
