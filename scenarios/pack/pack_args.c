/* Arguments of a launch: buffers, parameters, typed formulas, and tensor maps of buffers. */
#include "scenarios/pack/pack_args.h"

#include <float.h>
#include <string.h>

#include "scenarios/pack/pack_place.h"
#include "scenarios/text/near.h"

static int find_buffer(const struct story *s, const char *name)
{
    for (int i = 0; i < s->n_buffers; i++)
        if (!strcmp(s->buffers[i].name, name))
            return i;
    return -1;
}

/* ---- tensor maps ---- */

static bool is_map(const struct yaml *y)
{
    for (const struct yaml *v = y->first; v; v = v->next)
        if (!strcmp(v->key->text, "map"))
            return true;
    return false;
}

/* One size for each dimension of it, from `least` of them on. */
static int read_extents(struct reader *r, const struct yaml *y, const struct story *s, int n,
                        double high, const char *what, struct expr *out)
{
    int rc = yaml_is_list(y, 0, CAP_MAP_RANK, what, r->err), i = 0;
    if (!rc && y->n != n)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err, "%d entries; %s of %d was expected", y->n, what,
                         n);
    for (const struct yaml *v = y->first; !rc && v; v = v->next)
        rc = read_size(r, v, s, 1, high, &out[i++]);
    return rc;
}

static int read_map(struct reader *r, const struct yaml *y, const struct story *s, struct arg *a)
{
    const struct yaml *k[MAP_KEYS];
    int rc = yaml_keys(y, &map_shape, k, r->err);
    if (rc)
        return rc;
    if (s->format < FORMAT_OWN_LAUNCHES)
        return yaml_fail(k[MAP_K_MAP], ERR_BAD_REQUEST, r->err,
                         "'map' in a story of format %d; format: %d was expected", s->format,
                         FORMAT_OWN_LAUNCHES);
    if ((rc = yaml_is_scalar(k[MAP_K_MAP], "a buffer", r->err)))
        return rc;
    struct arg_map *m = arena_new(&r->memory->arena, 1, sizeof *m);
    *a = (struct arg){.kind = ARG_MAP, .index = find_buffer(s, k[MAP_K_MAP]->text), .map = m};
    if (a->index < 0)
        return yaml_fail(k[MAP_K_MAP], ERR_BAD_REQUEST, r->err,
                         "no buffer '%.60s'; one of those above was expected", k[MAP_K_MAP]->text);
    if ((rc = yaml_is_list(k[MAP_K_SIZE], 1, CAP_MAP_RANK, "a list of elements per dimension",
                           r->err)))
        return rc;
    m->rank = k[MAP_K_SIZE]->n;
    rc = read_extents(r, k[MAP_K_SIZE], s, m->rank, DBL_MAX, "a list of elements", m->size);
    if (!rc && !k[MAP_K_PITCH] && m->rank > 1)
        rc = yaml_fail(y, ERR_BAD_REQUEST, r->err, "no 'pitch'; %d was expected, in bytes",
                       m->rank - 1);
    if (!rc && k[MAP_K_PITCH])
        rc = read_extents(r, k[MAP_K_PITCH], s, m->rank - 1, DBL_MAX, "a list of bytes", m->pitch);
    if (!rc)
        rc = read_extents(r, k[MAP_K_BOX], s, m->rank, 256, "a list of elements", m->box);
    if (!rc && k[MAP_K_SWIZZLE])
        rc = yaml_whole(k[MAP_K_SWIZZLE], 0, 128, "0, 32, 64 or 128 bytes", &m->swizzle, r->err);
    return rc;
}

/* ---- all of them ---- */

static int read_peer(struct reader *r, const struct yaml *y, const struct story *s, struct arg *a)
{
    *a = (struct arg){.kind = ARG_PEER, .index = -1};
    if (s->gpus < 2)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "a peer in a story on one GPU; `needs: {gpus: 2}` was expected");
    return read_buffer_name(r, y, s, &a->index);
}

static int read_typed_arg(struct reader *r, const struct yaml *y, const struct story *s,
                          struct arg *a)
{
    static const enum arg_kind kinds[ARG_K_PEER] = {ARG_I32, ARG_I64, ARG_F32, ARG_F64};
    const struct yaml *k[ARG_KEYS];
    int rc = yaml_keys(y, &arg_shape, k, r->err);
    if (!rc && y->n != 1)
        rc = yaml_fail(y, ERR_BAD_REQUEST, r->err, "%d types; one was expected, such as {i64: n}",
                       y->n);
    if (!rc && k[ARG_K_PEER])
        return read_peer(r, k[ARG_K_PEER], s, a);
    for (int i = 0; !rc && i < ARG_K_PEER; i++)
        if (k[i]) {
            *a = (struct arg){.kind = kinds[i], .index = -1};
            rc = read_formula(r, k[i], s, USE_SIZE, &a->value);
        }
    return rc;
}

static int read_arg(struct reader *r, const struct yaml *y, const struct story *s, struct arg *a)
{
    if (y->kind == YAML_MAP)
        return is_map(y) ? read_map(r, y, s, a) : read_typed_arg(r, y, s, a);
    int rc =
        yaml_is_scalar(y, "a buffer, a parameter or a typed argument such as {i64: n}", r->err);
    if (rc)
        return rc;
    int buffer = find_buffer(s, y->text);
    if (buffer >= 0) {
        *a = (struct arg){.kind = ARG_BUFFER, .index = buffer};
        return 0;
    }
    for (int i = 0; i < s->n_params; i++)
        if (!strcmp(s->params[i].name, y->text)) {
            *a = (struct arg){.kind = ARG_I32, .index = i};
            return 0;
        }
    if (s->gpus > 1 && !strcmp(y->text, "rank")) {
        *a = (struct arg){.kind = ARG_RANK, .index = -1};
        return 0;
    }
    struct near near = {.word = y->text};
    char hint[96];
    for (int i = 0; i < s->n_buffers; i++)
        near_try(&near, s->buffers[i].name);
    for (int i = 0; i < s->n_params; i++)
        near_try(&near, s->params[i].name);
    return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                     "no buffer or parameter '%.60s'%s; one of those above, or a typed argument "
                     "such as {i64: 4 * n}, was expected",
                     y->text, near_hint(&near, hint, sizeof hint));
}

int read_args(struct reader *r, const struct yaml *y, const struct story *s,
                     struct launch *l)
{
    int rc = yaml_is_list(y, 1, CAP_ARGS, "a list of arguments", r->err);
    if (rc)
        return rc;
    l->args = arena_new(&r->memory->arena, (size_t)y->n, sizeof *l->args);
    for (const struct yaml *v = y->first; !rc && v; v = v->next) {
        struct arg *a = &l->args[l->n_args++];
        rc = read_arg(r, v, s, a);
        a->line = v->line;
        a->col = v->col;
    }
    return rc;
}
