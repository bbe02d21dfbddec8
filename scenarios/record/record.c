/* Measuring what a plan asks for. */
#include "scenarios/record/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/library/version.h"
#include "scenarios/record/record_head.h"
#include "scenarios/record/record_inside.h"
#include "scenarios/evidence/source_lines.h"

/* What one item does not bring alone in that time, no purchase of a player brings either. */
enum { CHUNK = 4, CHUNK_DEADLINE_MS = 300000, ALONE_DEADLINE_MS = 60000 };

static void add_part(struct record *r, int item, const struct msg_part *part)
{
    request_keep(&r->out, r->keys[item], part, &r->request, item);
    if (r->todo[item] != TODO_DONE)
        r->done++;
    r->todo[item] = TODO_DONE;
}

/* ---- what this GPU cannot measure ---- */

static void add_missing(struct record *r, int item, const struct msg_tier *tier)
{
    size_t n;
    const struct msg_item *it = &r->request.items[item];
    const struct metric *m = metric_of_probe(it->probe, &n);
    struct msg_value *values = mem_new(n, sizeof *values);
    char *reason = text_format("%s: %s", tier->missing ? tier->missing : "unsupported",
                               tier->say ? tier->say : "not available on this GPU");
    for (size_t i = 0; i < n; i++) {
        snprintf(values[i].name, sizeof values[i].name, "%s", m[i].name);
        values[i].missing = reason;
    }
    struct msg_part part = {.probe = it->probe,
                            .variant = -1,
                            .metrics = values,
                            .n_metrics = (int)n};
    snprintf(part.run, sizeof part.run, "%s", it->runs[0]);
    add_part(r, item, &part);
    free(values);
    free(reason);
}

/* ---- the link ---- */

static void say(const struct record *r, const char *text)
{
    if (r->options->say)
        r->options->say(r->options->ctx, text);
}

struct answered { struct record *r; char origin[17]; };

static void on_device(void *ctx, const struct client_event *e)
{
    struct answered *a = ctx;
    if (e->kind == CLIENT_DEVICE)
        memcpy(a->origin, e->device->origin, sizeof a->origin);
}

static int describe(struct record *r, struct answered *a, struct err *err)
{
    int64_t id = client_describe(r->client, "none", err);
    return id < 0 ? (int)id
                  : client_wait_unless(r->client, id, on_device, r->options->stop, a,
                                       r->options->ctx, err);
}

/* The runner refuses everything while a GPU is stuck in an old measurement, until it could be
 * described. What was refused meanwhile is measured by the next pass. */
static int rouse(struct record *r, struct err *err)
{
    struct answered a = {.r = r};
    say(r, "the GPU was stuck in an old measurement; asking whether it has come to rest");
    int rc = describe(r, &a, err);
    return rc == 0 || rc == ERR_CANCELLED ? rc : err_set(err, ERR_LOST, "%s", err->text);
}

/* Once for each variant. The client sees to the model of the GPU; here it must be the same card,
 * for this is one file. */
static int connect_again(struct record *r, const struct err *why, struct err *err)
{
    struct answered a = {.r = r};
    char *text = text_format("the link was lost (%s); connecting again", why->text);
    say(r, text);
    free(text);
    r->again = true;
    int rc = client_again(r->client, NULL, &r->out.device, err);
    if (rc == 0)
        rc = describe(r, &a, err);
    if (rc == 0 && strcmp(a.origin, r->out.device.origin) != 0)
        rc = err_set(err, ERR_LOST,
                     "another machine or card answers now, and one file holds evidence of one; "
                     "start again to measure there");
    return rc == 0 || rc == ERR_CANCELLED ? rc : err_set(err, ERR_LOST, "%s", err->text);
}

/* ---- measuring ---- */

static void on_event(void *ctx, const struct client_event *e)
{
    struct record *r = ctx;
    if (e->kind == CLIENT_PART && e->part->item >= 0 &&
        r->first + e->part->item < r->request.n_items)
        add_part(r, r->first + e->part->item, e->part);
}

static void remember_why(struct record *r, int first, int n, const char *text)
{
    for (int i = first; i < first + n; i++)
        if (r->todo[i] == TODO_MEASURE) {
            free(r->why[i]);
            r->why[i] = text_dup(text);
        }
}

/* Items [first, first + n) in one request. Returns a code only when the runner is gone, or stop
 * said so. */
static int measure(struct record *r, int first, int n, struct err *err)
{
    struct err why = {0};
    struct msg_measure m = r->request;
    m.items += first;
    m.n_items = n;
    m.deadline_ms = n > 1 ? CHUNK_DEADLINE_MS : ALONE_DEADLINE_MS;
    if (m.items[0].variant < 0)
        m.n_variants = 0;
    r->first = first;
    int64_t id = client_measure(r->client, &m, &why);
    int rc = id < 0 ? (int)id
                    : client_wait_unless(r->client, id, on_event, r->options->stop, r,
                                         r->options->ctx, &why);
    if (rc == ERR_CANCELLED && r->options->stop && r->options->stop(r->options->ctx))
        return err_copy(err, &why);
    if (rc && !client_alive(r->client)) /* a worker that died costs its request alone */
        return r->again ? err_set(err, ERR_LOST, "%s", why.text) : connect_again(r, &why, err);
    remember_why(r, first, n, rc ? why.text : "the runner gave no reason");
    return rc == ERR_WEDGED ? rouse(r, err) : 0;
}

/* How many of the items from `first` on go into one request: neighbours of one kind, at most CHUNK.
 */
static int chunk(const struct record *r, int first)
{
    int n = 0;
    while (n < CHUNK && first + n < r->request.n_items && r->todo[first + n] == TODO_MEASURE &&
           (r->request.items[first + n].variant < 0) == (r->request.items[first].variant < 0))
        n++;
    return n;
}

static void tell(const struct record *r, int item)
{
    char what[160];
    request_describe_item(what, sizeof what, r->v, &r->request, item);
    if (r->options->step)
        r->options->step(r->options->ctx, r->done, r->items, what);
}

/* `most` items a request. What a lost link left over is measured by the next pass. */
static int measure_pass(struct record *r, int most, struct err *err)
{
    int rc = 0;
    for (int i = 0, n; rc == 0 && i < r->request.n_items; i += n > 0 ? n : 1) {
        n = chunk(r, i);
        n = n > most ? most : n;
        if (n > 0) {
            tell(r, i);
            rc = measure(r, i, n, err);
        }
    }
    return rc;
}

static int measure_all(struct record *r, struct err *err)
{
    for (int i = 0; i < r->request.n_items; i++)
        if (r->todo[i] == TODO_NOTE)
            add_missing(r, i, record_tier_missing(&r->out.device, r->request.items[i].probe));
    int rc = measure_pass(r, CHUNK, err);
    return rc ? rc : measure_pass(r, 1, err); /* what did not come once more, each alone */
}

static char *failures(const struct record *r)
{
    char *all = NULL;
    for (int i = 0; i < r->request.n_items; i++) {
        if (r->todo[i] != TODO_MEASURE)
            continue;
        char what[160];
        request_describe_item(what, sizeof what, r->v, &r->request, i);
        char *longer = text_format("%s%s%s: %s", all ? all : "", all ? "\n" : "", what,
                                   r->why[i] ? r->why[i] : "no answer");
        free(all);
        all = longer;
    }
    return all;
}

static bool has_pair(const struct record *r)
{
    for (int i = 0; i < r->out.n_items; i++)
        if (!strcmp(r->out.items[i].part.run, "b"))
            return true;
    return false;
}

/* The description with ceilings takes the place of the plan's; what was kept stays. */
static int take_device(struct record *r, const struct msg_device *device, struct err *err)
{
    struct recording described;
    if (strcmp(device->origin, r->out.device.origin) != 0)
        return err_set(err, ERR_LOST,
                       "another machine or card answers now; start again to measure there");
    int rc = recording_begin(&described, device, "", err);
    msg_device_free(&r->out.device);
    r->out.device = described.device;
    return rc;
}

int record_measure(struct record *r, const struct msg_device *device, char **failed,
                   struct err *err)
{
    *failed = NULL;
    int rc = take_device(r, device, err);
    if (rc == 0)
        rc = measure_all(r, err);
    if (rc)
        return rc;
    *failed = failures(r);
    return has_pair(r) ? 0
                       : err_set(err, ERR_MISSING, "nothing of the pair was measured: %s",
                                 *failed ? *failed : "no part came");
}

/* Items that failed now and that the file has. */
static int would_lose(const struct record *r)
{
    int n = 0;
    for (int i = 0; r->file.was && i < r->request.n_items; i++) {
        bool has = false;
        for (int k = 0; k < r->file.was->n_items && r->todo[i] == TODO_MEASURE; k++)
            has = has || !strcmp(r->file.was->items[k].key, r->keys[i]);
        n += has;
    }
    return n;
}

int record_keep(struct record *r, struct err *err)
{
    int lost = r->options->replace ? 0 : would_lose(r);
    if (lost)
        return err_set(err, ERR_MISSING,
                       "%s stays as it was: %d items failed now that it has; --replace replaces it "
                       "all the same",
                       r->file.path, lost);
    recording_now(r->out.at);
    snprintf(r->out.recorded, sizeof r->out.recorded, "%.10s", r->out.at);
    version_of(r->out.version, r->v);
    return evidence_file_write(&r->file, &r->out, r->options->replace, err);
}
