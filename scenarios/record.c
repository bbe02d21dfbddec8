#include "scenarios/record.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/text.h"
#include "scenarios/source_lines.h"

enum { CHUNK = 4, CHUNK_DEADLINE_MS = 300000, RECORD_SEED = 7 };

struct session {
    struct client *client;
    const struct variant *v;
    const struct msg_device *device;
    const struct record_options *options;
    struct msg_measure request;
    char (*keys)[65];
    bool *answered;
    char **why;                  /* of an item that failed */
    struct recording out;
    int first;                   /* item that item 0 of the open request stands for */
};

static void say(const struct session *s, const char *text)
{
    if (s->options->say)
        s->options->say(s->options->ctx, text);
}

void recording_add(struct recording *r, const char *key, const struct msg_part *part, const struct msg_measure *m, int item)
{
    struct evidence *one = evidence_new("", "recorded", "");
    struct msg_part *copy = evidence_add(one, part);
    request_mark(copy, &m->items[item], 0);
    source_lines_keep(copy, m);
    copy->id = 0;
    copy->variant = -1; /* the key says which sizes; the place in one request says nothing */
    snprintf(copy->tier, sizeof copy->tier, "recorded");
    r->items = mem_grow(r->items, (size_t)r->n_items + 1, sizeof *r->items);
    memcpy(r->items[r->n_items].key, key, 65);
    r->items[r->n_items++].part = *copy;
    free(one->parts); /* its one part moved into the recording */
    free(one);
}

static void add_part(struct session *s, int item, const struct msg_part *part)
{
    recording_add(&s->out, s->keys[item], part, &s->request, item);
    s->answered[item] = true;
}

/* ---- what this GPU cannot measure ---- */

/* What is only computed here is not recorded as if the hardware had counted it. */
static const struct msg_tier *tier_missing(const struct msg_device *d, enum wire_probe probe)
{
    for (int i = 0; i < d->n_tiers; i++)
        if (d->tiers[i].probe == probe && (!d->tiers[i].ok || (d->tiers[i].say && strstr(d->tiers[i].say, "computed"))))
            return &d->tiers[i];
    return NULL;
}

static void add_missing(struct session *s, int item, const struct msg_tier *tier)
{
    size_t n;
    const struct msg_item *it = &s->request.items[item];
    const struct metric *m = metric_of_probe(it->probe, &n);
    struct msg_value *values = mem_new(n, sizeof *values);
    char *reason = text_format("%s: %s", tier->missing ? tier->missing : "unsupported", tier->say ? tier->say : "not available on this GPU");
    for (size_t i = 0; i < n; i++) {
        snprintf(values[i].name, sizeof values[i].name, "%s", m[i].name);
        values[i].missing = reason;
    }
    struct msg_part part = {.probe = it->probe, .variant = -1, .metrics = values, .n_metrics = (int)n};
    snprintf(part.run, sizeof part.run, "%s", it->runs[0]);
    add_part(s, item, &part);
    free(values);
    free(reason);
}

/* ---- measuring ---- */

static void on_event(void *ctx, const struct client_event *e)
{
    struct session *s = ctx;
    if (e->kind == CLIENT_PART && e->part->item >= 0 && s->first + e->part->item < s->request.n_items)
        add_part(s, s->first + e->part->item, e->part);
}

static void remember_why(struct session *s, int first, int n, const char *text)
{
    for (int i = first; i < first + n; i++)
        if (!s->answered[i]) {
            free(s->why[i]);
            s->why[i] = text_dup(text);
        }
}

/* Items [first, first + n) in one request. Returns a code only when the runner is gone. */
static int measure(struct session *s, int first, int n, struct err *err)
{
    struct err why = {0};
    struct msg_measure m = s->request;
    m.items += first;
    m.n_items = n;
    m.deadline_ms = CHUNK_DEADLINE_MS;
    if (m.items[0].variant < 0)
        m.n_variants = 0;
    s->first = first;
    int64_t id = client_measure(s->client, &m, &why);
    int rc = id < 0 ? (int)id : client_wait(s->client, id, on_event, s, &why);
    if (rc == ERR_LOST)
        return err_set(err, rc, "%s", why.text);
    remember_why(s, first, n, rc ? why.text : "the runner gave no reason");
    return 0;
}

/* How many of the items from `first` on go into one request: neighbours of one kind, at most CHUNK. */
static int chunk(const struct session *s, int first)
{
    int n = 0;
    while (n < CHUNK && first + n < s->request.n_items && !s->answered[first + n] &&
           (s->request.items[first + n].variant < 0) == (s->request.items[first].variant < 0))
        n++;
    return n;
}

static void tell(const struct session *s, int item)
{
    char what[160], text[224];
    request_describe_item(what, sizeof what, s->v, &s->request, item);
    snprintf(text, sizeof text, "%d of %d: %s", item + 1, s->request.n_items, what);
    say(s, text);
}

/* A key that an earlier item has too (a sweep's own size) is measured once. */
static bool is_repeated(const struct session *s, int item)
{
    for (int i = 0; i < item; i++)
        if (!strcmp(s->keys[i], s->keys[item]))
            return true;
    return false;
}

static int measure_all(struct session *s, struct err *err)
{
    int rc = 0;
    for (int i = 0; i < s->request.n_items; i++) {
        const struct msg_tier *missing = tier_missing(s->device, s->request.items[i].probe);
        if (is_repeated(s, i))
            s->answered[i] = true;
        else if (missing)
            add_missing(s, i, missing);
    }
    for (int i = 0, n; rc == 0 && i < s->request.n_items; i += n > 0 ? n : 1) {
        n = chunk(s, i);
        if (n > 0) {
            tell(s, i);
            rc = measure(s, i, n, err);
        }
    }
    for (int i = 0; rc == 0 && i < s->request.n_items; i++) /* once more, each alone */
        if (!s->answered[i])
            rc = measure(s, i, 1, err);
    return rc;
}

static char *failures(const struct session *s)
{
    char *all = NULL;
    for (int i = 0; i < s->request.n_items; i++) {
        if (s->answered[i])
            continue;
        char what[160];
        request_describe_item(what, sizeof what, s->v, &s->request, i);
        char *longer = text_format("%s%s%s: %s", all ? all : "", all ? "\n" : "", what, s->why[i] ? s->why[i] : "no answer");
        free(all);
        all = longer;
    }
    return all;
}

/* ---- the file ---- */

static int make_folders(const char *path, struct err *err)
{
    char *part = text_dup(path);
    for (char *slash = strchr(part + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(part, 0755) != 0 && errno != EEXIST) {
            int rc = err_set(err, ERR_IO, "cannot make the folder %s: %s", part, strerror(errno));
            free(part);
            return rc;
        }
        *slash = '/';
    }
    free(part);
    return 0;
}

static int write_atomically(const char *path, const char *text, struct err *err)
{
    char *temporary = text_format("%s.new", path);
    FILE *f = fopen(temporary, "w");
    bool ok = f && fputs(text, f) >= 0 && fputc('\n', f) != EOF && fflush(f) == 0 && fsync(fileno(f)) == 0;
    if (f && fclose(f) != 0)
        ok = false;
    if (ok && rename(temporary, path) != 0)
        ok = false;
    int rc = ok ? 0 : err_set(err, ERR_IO, "cannot write %s: %s", path, strerror(errno));
    if (rc)
        unlink(temporary);
    free(temporary);
    return rc;
}

int recording_write(struct recording *r, const struct client *c, const char *path, struct err *err)
{
    r->method = client_method(c);
    json_t *root = recording_encode(r);
    json_object_set_new(root, "made_by", json_sprintf("warpdrill %s, runner %s", WARPDRILL_VERSION, client_runner(c)));
    char *text = json_dumps(root, JSON_INDENT(1) | JSON_SORT_KEYS | JSON_REAL_PRECISION(12));
    int rc = make_folders(path, err);
    if (rc == 0)
        rc = write_atomically(path, text, err);
    json_decref(root);
    free(text);
    return rc;
}

static int save(struct session *s, char **path, struct err *err)
{
    const struct variant *v = s->v;
    *path = text_format("%s/%s/%s/sealed/evidence/%s.json", v->story->pack->files->root, v->story->id, v->id, s->device->slug);
    return recording_write(&s->out, s->client, *path, err);
}

static bool has_pair(const struct session *s)
{
    for (int i = 0; i < s->out.n_items; i++)
        if (!strcmp(s->out.items[i].part.run, "b"))
            return true;
    return false;
}

int recording_begin(struct recording *out, const struct msg_device *device, const char *today, struct err *err)
{
    json_t *obj = msg_device_encode(device);
    *out = (struct recording){.method = METHOD_VERSION};
    int rc = msg_device_decode(&out->device, obj, err);
    json_decref(obj);
    out->device.uuid[0] = '\0'; /* which card of its kind it was is nobody's business */
    snprintf(out->recorded, sizeof out->recorded, "%s", today);
    return rc;
}

static int prepare(struct session *s, struct err *err)
{
    int rc = request_build(&s->request, s->v, s->device, "all", RECORD_SEED, err);
    size_t n = (size_t)s->request.n_items;
    s->keys = mem_new(n, sizeof *s->keys);
    s->answered = mem_new(n, sizeof *s->answered);
    s->why = mem_new(n, sizeof *s->why);
    for (int i = 0; rc == 0 && i < s->request.n_items; i++)
        rc = msg_item_key(s->keys[i], &s->request, i, err);
    return rc ? rc : recording_begin(&s->out, s->device, s->options->today, err);
}

static void forget(struct session *s)
{
    for (int i = 0; i < s->request.n_items; i++)
        free(s->why[i]);
    for (int i = 0; i < s->out.n_items; i++)
        msg_part_free(&s->out.items[i].part);
    free(s->out.items);
    free(s->keys);
    free(s->answered);
    free(s->why);
    msg_device_free(&s->out.device);
    msg_measure_free(&s->request);
}

int record_variant(struct client *c, const struct variant *v, const struct msg_device *device, const struct record_options *options, char **path,
                   char **failed, struct err *err)
{
    struct session s = {.client = c, .v = v, .device = device, .options = options};
    *path = *failed = NULL;
    int rc = request_needs(v->story, device, err);
    if (rc == 0)
        rc = prepare(&s, err);
    if (rc == 0)
        rc = measure_all(&s, err);
    if (rc == 0)
        *failed = failures(&s);
    if (rc == 0 && !has_pair(&s))
        rc = err_set(err, ERR_MISSING, "nothing of the pair was measured: %s", *failed ? *failed : "no part came");
    if (rc == 0)
        rc = save(&s, path, err);
    forget(&s);
    return rc;
}
