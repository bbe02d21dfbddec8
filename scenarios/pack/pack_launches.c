/* Launches of a story, a variant or a run: one kernel, or the steps of a pipeline with labels,
 * streams and dependencies. */
#include "scenarios/pack/pack_launches.h"

#include "scenarios/pack/pack_args.h"
#include "scenarios/pack/pack_buffers.h"
#include "scenarios/pack/pack_transfers.h"
#include "scenarios/pack/pack_place.h"
#include "scenarios/pack/pack_steps.h"

static int read_extent(struct reader *r, const struct yaml *y, const struct story *s,
                       const char *what, double high, struct expr out[3], int *n)
{
    int rc = yaml_is_list(y, 1, 3, what, r->err);
    for (const struct yaml *v = y->first; !rc && v; v = v->next)
        rc = read_size(r, v, s, 1, high, &out[(*n)++]);
    return rc;
}

static int read_kernel(struct reader *r, const struct yaml *y, struct launch *l)
{
    int rc = yaml_is_scalar(y, "the name of a kernel", r->err);
    if (!rc && !name_ok(y->text, 63))
        rc = yaml_fail(y, ERR_BAD_REQUEST, r->err,
                       "'%.80s'; the name of a kernel, a C identifier of at most 63, was expected",
                       y->text);
    if (!rc)
        l->kernel = arena_text(&r->memory->arena, y->text, y->len);
    l->file = yaml_doc_file(y->doc)->path;
    l->line = y->line;
    l->col = y->col;
    return rc;
}

/* ---- what CUDA calls attributes of a launch ---- */

static int read_attributes(struct reader *r, const struct yaml *const *k, const struct story *s,
                           struct launch *l)
{
    static const int keys[] = {LAUNCH_K_CLUSTER, LAUNCH_K_COOPERATIVE, LAUNCH_K_PROGRAMMATIC};
    for (size_t i = 0; s->format < FORMAT_OWN_LAUNCHES && i < sizeof keys / sizeof *keys; i++)
        if (k[keys[i]])
            return yaml_fail(k[keys[i]], ERR_BAD_REQUEST, r->err,
                             "'%s' in a story of format %d; format: %d was expected",
                             k[keys[i]]->key->text, s->format, FORMAT_OWN_LAUNCHES);
    int rc = 0;
    if (k[LAUNCH_K_CLUSTER])
        rc = read_extent(r, k[LAUNCH_K_CLUSTER], s, "a list of blocks per dimension", CAP_CLUSTER,
                         l->cluster, &l->n_cluster);
    if (!rc && k[LAUNCH_K_COOPERATIVE])
        rc = yaml_bool(k[LAUNCH_K_COOPERATIVE], "true or false", &l->cooperative, r->err);
    if (!rc && k[LAUNCH_K_PROGRAMMATIC])
        rc = yaml_bool(k[LAUNCH_K_PROGRAMMATIC], "true or false", &l->programmatic, r->err);
    return rc;
}

/* ---- what only a pipeline has ---- */

static int refuse_step_keys(struct reader *r, const struct yaml *const *k)
{
    static const int keys[] = {LAUNCH_K_LABEL, LAUNCH_K_STREAM, LAUNCH_K_AFTER, LAUNCH_K_RANK,
                               LAUNCH_K_BYTES, LAUNCH_K_FLOPS};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (k[keys[i]])
            return yaml_fail(k[keys[i]], ERR_BAD_REQUEST, r->err,
                             "'%s' in a story of kind kernel; kind: pipeline was expected",
                             k[keys[i]]->key->text);
    return 0;
}

static int read_step(struct reader *r, const struct yaml *launch, const struct yaml *const *k,
                     const struct story *s, struct launch *all, int at)
{
    const struct place place = {k[LAUNCH_K_LABEL], k[LAUNCH_K_STREAM], k[LAUNCH_K_AFTER],
                                k[LAUNCH_K_RANK],  k[LAUNCH_K_BYTES],  k[LAUNCH_K_FLOPS]};
    return read_place(r, launch, &place, s, all, at);
}

/* ---- all of them ---- */

static int read_launch(struct reader *r, const struct yaml *y, const struct story *s,
                       struct launch *all, int at)
{
    const struct yaml *k[LAUNCH_KEYS];
    struct launch *l = &all[at];
    int rc = yaml_keys(y, &launch_shape, k, r->err);
    if (!rc)
        rc = read_kernel(r, k[LAUNCH_K_KERNEL], l);
    if (!rc)
        rc = read_extent(r, k[LAUNCH_K_GRID], s, "a list of blocks per dimension", 2147483647.0,
                         l->grid, &l->n_grid);
    if (!rc)
        rc = read_extent(r, k[LAUNCH_K_BLOCK], s, "a list of threads per dimension", 1024, l->block,
                         &l->n_block);
    if (!rc && k[LAUNCH_K_SHARED])
        rc = read_size(r, k[LAUNCH_K_SHARED], s, 0, 1 << 20, &l->shared);
    if (!rc)
        rc = read_args(r, k[LAUNCH_K_ARGS], s, l);
    if (!rc)
        rc = read_attributes(r, k, s, l);
    if (rc)
        return rc;
    return story_is_pipeline(s) ? read_step(r, y, k, s, all, at) : refuse_step_keys(r, k);
}

/* One item: a step of the host, or the launch *n. */
static int read_item(struct reader *r, const struct yaml *y, const struct story *s,
                     struct launch *all, int *n, struct host_item *item)
{
    if (is_host_step(y))
        return read_host_step(r, y, s, item);
    *item = (struct host_item){.kind = HOST_LAUNCH, .launch = *n};
    if (*n == CAP_LAUNCHES)
        return yaml_fail(y, ERR_TOO_LARGE, r->err, "more than %d launches", CAP_LAUNCHES);
    if (is_transfer(y))
        return read_transfer(r, y, s, all, (*n)++);
    return read_launch(r, y, s, all, (*n)++);
}

int read_launches(struct reader *r, const struct yaml *y, const struct story *s,
                  struct launch **out, int *n, struct host_list *steps)
{
    bool hosted = false;
    for (const struct yaml *v = y->first; v; v = v->next)
        hosted = hosted || is_host_step(v);
    int rc = yaml_is_list(y, 1, hosted ? CAP_STEPS : CAP_LAUNCHES, "a list of launches", r->err);
    if (rc)
        return rc;
    struct launch *l = *out = arena_new(&r->memory->arena, (size_t)y->n, sizeof *l);
    struct host_list all = {arena_new(&r->memory->arena, (size_t)y->n, sizeof *all.item), 0};
    for (const struct yaml *v = y->first; !rc && v; v = v->next)
        rc = read_item(r, v, s, l, n, &all.item[all.n++]);
    if (rc || !hosted)
        return rc;
    *steps = all;
    return check_host_steps(r, y, steps);
}

int check_steps(struct reader *r, const struct yaml *launches, const struct story *s)
{
    return story_is_pipeline(s) && launches->n < 2
               ? yaml_fail(launches, ERR_BAD_REQUEST, r->err,
                           "one launch; a pipeline was expected to have several")
               : 0;
}

/* ---- those of one variant ---- */

static int refuse_own(struct reader *r, const struct yaml *root, const struct story *s)
{
    if (s->format < FORMAT_OWN_LAUNCHES)
        return yaml_fail(root, ERR_BAD_REQUEST, r->err,
                         "a variant's own launches in a story of format %d; format: %d was "
                         "expected in %s/scenario.yaml",
                         s->format, FORMAT_OWN_LAUNCHES, s->id);
    return 0;
}

static int read_own(struct reader *r, struct story *s, struct variant *v, const struct yaml *root,
                    const struct yaml **list)
{
    const struct yaml *k[LAUNCHES_KEYS];
    int format;
    int rc = read_format(r, root, &format);
    if (!rc)
        rc = refuse_own(r, root, s);
    if (!rc)
        rc = yaml_keys(root, &launches_shape, k, r->err);
    if (!rc && format < FORMAT_OWN_LAUNCHES)
        rc = yaml_fail(k[LAUNCHES_K_FORMAT], ERR_BAD_REQUEST, r->err,
                       "format %d; format: %d, which knows a variant's own launches, was expected",
                       format, FORMAT_OWN_LAUNCHES);
    if (!rc)
        rc = read_workspaces(r, s, k[LAUNCHES_K_WORKSPACES]);
    if (!rc)
        rc = read_launches(r, k[LAUNCHES_K_LAUNCHES], s, &v->launches, &v->n_launches, &v->steps);
    if (!rc)
        rc = check_steps(r, k[LAUNCHES_K_LAUNCHES], s);
    *list = rc ? *list : k[LAUNCHES_K_LAUNCHES];
    return rc;
}

int read_own_launches(struct reader *r, struct story *s, struct variant *v, struct yaml_doc **doc,
                      const struct yaml **list)
{
    *doc = NULL;
    v->launches_file =
        files_find(r->pack->files,
                   arena_format(&r->memory->arena, "%s/%s/launches.yaml", s->id, v->id));
    if (!v->launches_file)
        return 0;
    int rc = yaml_doc_read(doc, r->pack->files, v->launches_file, r->err);
    return rc ? rc : read_own(r, s, v, yaml_doc_root(*doc), list);
}
