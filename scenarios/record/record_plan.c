/* What has to be measured: the file of evidence held against what is asked today. */
#include "scenarios/record/record.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "scenarios/record/record_head.h"
#include "scenarios/record/record_inside.h"

enum { RECORD_SEED = 7 };

/* A tier that this GPU only computes is not recorded as if the hardware had counted it. */
const struct msg_tier *record_tier_missing(const struct msg_device *d, enum wire_probe probe)
{
    for (int i = 0; i < d->n_tiers; i++)
        if (d->tiers[i].probe == probe &&
            (!d->tiers[i].ok || (d->tiers[i].say && strstr(d->tiers[i].say, "computed"))))
            return &d->tiers[i];
    return NULL;
}

/* ---- what the file has ---- */

/* A reason that another day may not have: counters were reserved, or in use. */
static bool is_passing(const struct msg_value *v)
{
    return !v->present && v->missing &&
           (!strncmp(v->missing, "permission:", 11) || !strncmp(v->missing, "busy:", 5));
}

static bool all_passing(const struct msg_part *p)
{
    for (int i = 0; i < p->n_metrics; i++)
        if (!is_passing(&p->metrics[i]))
            return false;
    return p->n_metrics > 0;
}

/* Has the file an answer to this key that is no reason to try again? */
static bool has(const struct recording *was, const char *key, bool can_now)
{
    bool found = false;
    for (int i = 0; i < was->n_items; i++) {
        if (strcmp(was->items[i].key, key) != 0)
            continue;
        if (can_now && all_passing(&was->items[i].part))
            return false;
        found = true;
    }
    return found;
}

/* A key that an earlier item has too (a sweep's own size) is measured once. */
static bool is_repeated(const struct record *r, int item)
{
    for (int i = 0; i < item; i++)
        if (!strcmp(r->keys[i], r->keys[item]))
            return true;
    return false;
}

/* was NULL: everything. */
static void count(struct record *r, const struct msg_device *device, const struct recording *was)
{
    r->items = r->measured = 0;
    for (int i = 0; i < r->request.n_items; i++) {
        bool can = !record_tier_missing(device, r->request.items[i].probe);
        r->todo[i] = is_repeated(r, i) || (was && has(was, r->keys[i], can)) ? TODO_NOTHING
                     : can                                                   ? TODO_MEASURE
                                                                             : TODO_NOTE;
        r->items += r->todo[i] != TODO_NOTHING;
        r->measured += r->todo[i] == TODO_MEASURE;
    }
}

static void keep(struct record *r, const struct recording *was)
{
    for (int i = 0; i < r->request.n_items; i++)
        for (int k = 0; k < was->n_items && r->todo[i] == TODO_NOTHING && !is_repeated(r, i); k++)
            if (!strcmp(was->items[k].key, r->keys[i]))
                recording_append(&r->out, r->keys[i], &was->items[k].part);
    snprintf(r->out.since, sizeof r->out.since, "%s", *was->since ? was->since : was->at);
}

/* ---- the decision ---- */

static void decide(struct record *r, const struct msg_device *device)
{
    char why[160];
    const struct recording *was = r->file.was;
    if (!was || r->options->again) {
        count(r, device, NULL);
        snprintf(r->reason, sizeof r->reason, "%s",
                 r->options->again && was ? "all of it, as asked"
                 : r->file.text ? "all of it, since the file there cannot be read as evidence"
                                : "all of it, since there is nothing yet");
        return;
    }
    count(r, device, was->method < METHOD_OLDEST ? NULL : was);
    if (r->items == 0) {
        snprintf(r->reason, sizeof r->reason, "up to date, %s", *was->at ? was->at : was->recorded);
    } else if (recording_apart(was, &r->out, why, sizeof why)) {
        int some = r->items;
        count(r, device, NULL);
        snprintf(r->reason, sizeof r->reason,
                 "all of it, since %d are missing or stale and the others were recorded %s", some,
                 why);
    } else {
        snprintf(r->reason, sizeof r->reason, "%d of %d are missing or stale", r->items,
                 r->request.n_items);
        keep(r, was);
    }
}

/* A newer method or file format knows better than this program. */
static int refuse_newer(const struct record *r, int rc, struct err *err)
{
    const struct recording *was = r->file.was;
    if (r->options->replace)
        return rc == ERR_VERSION ? 0 : rc;
    if (rc == 0 && was && was->method > r->out.method)
        return err_set(err, ERR_VERSION,
                       "%s was recorded by measuring method %d, newer than the runner's %d: use a "
                       "newer runner, or --replace with --again",
                       r->file.path, was->method, r->out.method);
    return rc;
}

static int prepare(struct record *r, const struct msg_device *device, struct err *err)
{
    int rc = request_build(&r->request, r->v, device, "all", RECORD_SEED, err);
    size_t n = (size_t)r->request.n_items;
    r->keys = mem_new(n, sizeof *r->keys);
    r->todo = mem_new(n, sizeof *r->todo);
    r->why = mem_new(n, sizeof *r->why);
    for (int i = 0; rc == 0 && i < r->request.n_items; i++)
        rc = msg_item_key(r->keys[i], &r->request, i, err);
    return rc ? rc : recording_begin(&r->out, device, "", err);
}

/* The runner named the GPU, and the file is called so. */
static int open_file(struct record *r, const struct msg_device *device, struct err *err)
{
    const struct variant *v = r->v;
    char *path, *name = text_format("%s.json", device->slug);
    int rc = path_below(&path, v->story->pack->files->root,
                        PATH_NAMES(v->story->id, v->id, "sealed", "evidence", name), err);
    recording_sign(&r->out, r->client);
    if (rc == 0)
        rc = refuse_newer(r, evidence_file_open(&r->file, path, err), err);
    free(path);
    free(name);
    return rc;
}

int record_plan(struct record **out, const struct variant *v, const struct msg_device *device,
                struct client *client, const struct record_options *options, struct err *err)
{
    struct record *r = mem_new(1, sizeof *r);
    *r = (struct record){.client = client, .v = v, .options = options};
    *out = NULL;
    int rc = request_needs(v->story, device, err);
    if (rc == 0)
        rc = prepare(r, device, err);
    if (rc == 0)
        rc = open_file(r, device, err);
    if (rc) {
        record_free(r);
        return rc;
    }
    decide(r, device);
    *out = r;
    return 0;
}

void record_free(struct record *r)
{
    if (!r)
        return;
    for (int i = 0; i < r->request.n_items; i++)
        free(r->why[i]);
    for (int i = 0; i < r->out.n_items; i++)
        msg_part_free(&r->out.items[i].part);
    free(r->out.items);
    free(r->keys);
    free(r->todo);
    free(r->why);
    msg_device_free(&r->out.device);
    msg_measure_free(&r->request);
    evidence_file_close(&r->file);
    free(r);
}

const struct variant *record_variant(const struct record *r)
{
    return r->v;
}

int record_items(const struct record *r)
{
    return r->items;
}

int record_measured(const struct record *r)
{
    return r->measured;
}

const char *record_why(const struct record *r)
{
    return r->reason;
}

const char *record_path(const struct record *r)
{
    return r->file.path;
}

const char *record_said(const struct record *r)
{
    return r->file.said;
}
