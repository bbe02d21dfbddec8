#include "kernels/runner/sanitized.h"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kernels/runner/buffers.h"
#include "kernels/runner/plan.h"
#include "kernels/runner/walls.h"

/* Between us and the worker stand the tool and perhaps a shell, so that no signal of theirs is sure
 * to come. */
static void *hold_leash(void *arg)
{
    struct pollfd p = {.fd = (int)(intptr_t)arg};
    while (poll(&p, 1, -1) != 1)
        continue;
    _exit(1);
}

static int take_leash(const char *path, struct err *err)
{
    pthread_t thread;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0 || pthread_create(&thread, NULL, hold_leash, (void *)(intptr_t)fd) != 0)
        return err_set(err, ERR_INTERNAL, "the worker cannot be watched");
    return 0;
}

static int launch(struct task *t, int variant, const char *run, struct err *err)
{
    const struct placement where = {.bare = true};
    struct buffers *b = NULL;
    struct plan plan = {.n = 0};
    int rc = buffers_new_at(&b, t->gpu, msg_shape_of(t->measure, variant), t->measure->seed, &where,
                            err);
    if (!rc)
        rc = plan_new(&plan, t, variant, run, b, err);
    walls_sanitized();
    if (!rc && !(rc = plan_enqueue(&plan, t->gpu, 0, plan.n, err)))
        rc = GPU(t->gpu, err, cuCtxSynchronize);
    plan_free(&plan);
    buffers_free(b);
    return rc == ERR_FAULT ? 0 : rc; /* the tool says more about it */
}

static int serve(const struct ipc_message *m, struct err *err)
{
    static struct gpu gpu;
    struct msg_measure measure = {.id = 0};
    struct task t = {.gpu = &gpu, .measure = &measure};
    const char *run = json_string_value(json_object_get(m->head, "run"));
    const char *leash = json_string_value(json_object_get(m->head, "leash"));
    int variant = (int)json_integer_value(json_object_get(m->head, "variant"));
    int rc;
    alarm((unsigned)json_integer_value(
        json_object_get(m->head, "seconds"))); /* in case the worker hangs, too */
    if (!(rc = take_leash(leash ? leash : "", err)) &&
        !(rc = msg_measure_decode(&measure, json_object_get(m->head, "request"), err)) &&
        !(rc = gpu_open(&gpu, 0, err)) && !(rc = images_new(&t.images, &gpu, m, err)))
        rc = launch(&t, variant, run ? run : "", err);
    images_free(t.images);
    msg_measure_free(&measure);
    return rc;
}

int sanitized_main(const char *file)
{
    struct ipc_message m = {.head = NULL};
    struct err err = {.code = 0};
    int fd = open(file, O_RDONLY | O_CLOEXEC), rc;
    if (fd < 0) {
        printf(SANITIZED_SAYS "the request cannot be read\n");
        return 1;
    }
    struct ipc *ipc = ipc_new(fd);
    if ((rc = ipc_recv(ipc, &m, &err)) == 1) {
        rc = serve(&m, &err);
        ipc_message_free(&m);
    }
    ipc_free(ipc);
    if (rc)
        printf(SANITIZED_SAYS "%s\n", err.text);
    return rc ? 1 : 0;
}
