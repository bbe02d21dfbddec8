#include "scenarios/supply/batch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/os.h"
#include "kernels/wire/text.h"
#include "scenarios/evidence/request.h"

enum {
    PORTION = 4,
    PORTION_DEADLINE_MS = 150000,
    ALONE_DEADLINE_MS = 60000,
    LOST_MOST = 3,
    GUESS_AFTER_MS = 4000
};

struct failure { char key[65]; int code; char *text; };

struct batch {
    struct client *client;
    const struct msg_device *device;
    batch_say *say; void *ctx;
    struct recording known;      /* its device is borrowed */
    struct failure *failures; int n_failures;
    int lost;                    /* times in a row that the runner left without an answer */
};

/* The items of one call, and those that are asked for together. */
struct asking {
    struct batch *b;
    const struct msg_measure *m;
    char (*keys)[65];
    bool *answered, *tried;
    int first, n;
    int64_t begun_ms;
};

struct batch *batch_new(struct client *c, const struct msg_device *device, batch_say *say,
                        void *ctx)
{
    struct batch *b = mem_new(1, sizeof *b);
    *b = (struct batch){.client = c,
                        .device = device,
                        .say = say,
                        .ctx = ctx,
                        .known = {.device = *device, .method = client_method(c)}};
    return b;
}

void batch_free(struct batch *b)
{
    if (!b)
        return;
    for (int i = 0; i < b->known.n_items; i++)
        msg_part_free(&b->known.items[i].part);
    for (int i = 0; i < b->n_failures; i++)
        free(b->failures[i].text);
    free(b->known.items);
    free(b->failures);
    free(b);
}

const struct recording *batch_known(const struct batch *b)
{
    return &b->known;
}

/* ---- what is known ---- */

static bool is_known(const struct batch *b, const char *key)
{
    for (int i = 0; i < b->known.n_items; i++)
        if (!strcmp(b->known.items[i].key, key))
            return true;
    return false;
}

static struct failure *find_failure(const struct batch *b, const char *key)
{
    for (int i = 0; i < b->n_failures; i++)
        if (!strcmp(b->failures[i].key, key))
            return &b->failures[i];
    return NULL;
}

static void remember_failure(struct batch *b, const char *key, const struct err *why)
{
    struct failure *f = find_failure(b, key);
    if (!f) {
        b->failures = mem_grow(b->failures, (size_t)b->n_failures + 1, sizeof *b->failures);
        f = &b->failures[b->n_failures++];
        *f = (struct failure){0};
        snprintf(f->key, sizeof f->key, "%s", key);
    }
    free(f->text);
    f->text = text_dup(*why->text ? why->text : "the runner gave no reason");
    f->code = why->code ? why->code : ERR_INTERNAL;
}

void batch_adopt(struct batch *b, const char *key, const struct msg_part *part)
{
    recording_append(&b->known, key, part);
}

const struct msg_part *batch_part(const struct batch *b, const struct msg_measure *m, int item,
                                  const char *run)
{
    char key[65];
    return msg_item_key(key, m, item, NULL) ? NULL : recording_find(&b->known, key, run);
}

int batch_why(const struct batch *b, const struct msg_measure *m, int item, const char **why)
{
    char key[65];
    const struct failure *f = msg_item_key(key, m, item, NULL) ? NULL : find_failure(b, key);
    *why = f ? f->text : "it was not measured";
    return f ? f->code : ERR_INTERNAL;
}

/* ---- asking ---- */

static void on_event(void *ctx, const struct client_event *e)
{
    struct asking *a = ctx;
    if (e->kind != CLIENT_PART || e->part->item < 0 || e->part->item >= a->n)
        return;
    int item = a->first + e->part->item;
    request_keep(&a->b->known, a->keys[item], e->part, a->m, item);
    a->answered[item] = true;
}

static int ask(struct asking *a, int64_t deadline_ms, struct err *err)
{
    struct batch *b = a->b;
    struct msg_measure m = *a->m;
    int rc = client_alive(b->client) ? 0 : client_again(b->client, NULL, b->device, err);
    if (rc)
        return rc;
    m.items += a->first;
    m.n_items = a->n;
    m.deadline_ms = deadline_ms;
    if (m.items[0].variant < 0)
        m.n_variants = 0;
    int64_t id = client_measure(b->client, &m, err);
    return id < 0 ? (int)id : client_wait(b->client, id, on_event, a, err);
}

/* Items [first, first + n) in one request. */
static int ask_for(struct asking *a, int first, int n, int64_t deadline_ms, struct err *err)
{
    struct err why = {0};
    int before = a->b->known.n_items;
    a->first = first;
    a->n = n;
    int rc = ask(a, deadline_ms, &why);
    for (int i = first; rc && i < first + n; i++)
        if (!a->answered[i] || n == 1)
            remember_failure(a->b, a->keys[i], &why);
    for (int i = first; i < first + n; i++)
        a->tried[i] = true;
    a->b->lost = !client_alive(a->b->client) && a->b->known.n_items == before ? a->b->lost + 1 : 0;
    return a->b->lost >= LOST_MOST ? err_set(err, ERR_LOST, "%s", why.text) : 0;
}

/* How many of the items from `first` on go into one request: neighbours of one kind that are still
 * to be measured. */
static int portion(const struct asking *a, int first)
{
    const struct msg_item *items = a->m->items;
    int n = 0;
    while (n < PORTION && first + n < a->m->n_items && !a->answered[first + n] &&
           (items[first + n].variant < 0) == (items[first].variant < 0))
        n++;
    return n;
}

/* How long the rest will take if its items are like those that were measured; 0 while nobody can
 * tell. */
static int64_t left_ms(const struct asking *a, int item, int64_t so_far_ms)
{
    int done = 0, left = 0;
    for (int i = 0; i < a->m->n_items; i++) {
        done += i < item && a->tried[i];
        left += i >= item && !a->answered[i];
    }
    return done > 0 && so_far_ms >= GUESS_AFTER_MS ? so_far_ms * left / done : 0;
}

static void tell(const struct asking *a, const char *what, int item)
{
    char text[240];
    int64_t so_far = os_monotonic_ms() - a->begun_ms, left = left_ms(a, item, so_far);
    int len = snprintf(text, sizeof text, "%s: %d of %d, %d s", what, item + 1, a->m->n_items,
                       (int)(so_far / 1000));
    if (left > 0 && len < (int)sizeof text)
        snprintf(text + len, sizeof text - (size_t)len, ", about %d s more",
                 (int)((left + 999) / 1000));
    if (a->b->say)
        a->b->say(a->b->ctx, text);
}

static int ask_all(struct asking *a, const char *what, struct err *err)
{
    int rc = 0;
    for (int i = 0, n; rc == 0 && i < a->m->n_items; i += n > 0 ? n : 1) {
        n = portion(a, i);
        if (n > 0) {
            tell(a, what, i);
            rc = ask_for(a, i, n, PORTION_DEADLINE_MS, err);
        }
    }
    for (int i = 0; rc == 0 && i < a->m->n_items; i++) /* once more, each alone */
        if (!a->answered[i] && a->tried[i])
            rc = ask_for(a, i, 1, ALONE_DEADLINE_MS, err);
    return rc;
}

/* A key that an earlier item has too is measured once. */
static bool is_repeated(const struct asking *a, int item)
{
    for (int i = 0; i < item; i++)
        if (!strcmp(a->keys[i], a->keys[item]))
            return true;
    return false;
}

int batch_measure(struct batch *b, const struct msg_measure *m, const char *what, struct err *err)
{
    size_t n = (size_t)m->n_items;
    struct asking a = {.b = b,
                       .m = m,
                       .keys = mem_new(n, sizeof *a.keys),
                       .answered = mem_new(n, sizeof(bool)),
                       .tried = mem_new(n, sizeof(bool)),
                       .begun_ms = os_monotonic_ms()};
    int rc = 0;
    for (int i = 0; rc == 0 && i < m->n_items; i++) {
        rc = msg_item_key(a.keys[i], m, i, err);
        a.answered[i] =
            rc == 0 && (is_repeated(&a, i) || is_known(b, a.keys[i]) || find_failure(b, a.keys[i]));
    }
    if (rc == 0)
        rc = ask_all(&a, what, err);
    free(a.keys);
    free(a.answered);
    free(a.tried);
    return rc;
}
