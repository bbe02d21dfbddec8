#include "scenarios/pack/pack_transfers.h"

#include <string.h>

#include "scenarios/pack/pack_place.h"

static bool has_key(const struct yaml *y, const char *key)
{
    for (const struct yaml *v = y->kind == YAML_MAP ? y->first : NULL; v; v = v->next)
        if (!strcmp(v->key->text, key))
            return true;
    return false;
}

bool is_transfer(const struct yaml *y)
{
    return has_key(y, "collective") || has_key(y, "peer_copy");
}

static int refuse(struct reader *r, const struct yaml *y, const struct story *s)
{
    return s->gpus > 1 ? 0
                       : yaml_fail(y, ERR_BAD_REQUEST, r->err,
                                   "work of several GPUs in a story on one; `needs: {gpus: 2}` was "
                                   "expected");
}

/* What is known of the types before anything has a size. Outputs of the reference are f64, so that
 * one of that type may stand on their other side. */
static int check_sides(struct reader *r, const struct yaml *y, const struct story *s,
                       const struct transfer *m)
{
    const struct buffer *from = &s->buffers[m->from], *to = &s->buffers[m->to];
    bool truth = (from->type == T_F64 && to->role == ROLE_OUTPUT) ||
                 (to->type == T_F64 && from->role == ROLE_OUTPUT);
    if (m->from == m->to && m->kind != TRANSFER_ALL_REDUCE)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "from '%.60s' to itself; another buffer was expected", from->name);
    if (from->type != to->type && !truth)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "from '%.40s', of %s, to '%.40s', of %s; one type was expected",
                         from->name, elem_name(from->type), to->name, elem_name(to->type));
    return 0;
}

static int read_kind(struct reader *r, const struct yaml *y, struct transfer *m)
{
    static const char *const kinds[] = {"all_reduce", "all_gather", "reduce_scatter", "all_to_all",
                                        "send_receive"};
    int kind = 0;
    int rc = yaml_choice(y, kinds, sizeof kinds / sizeof *kinds,
                         "all_reduce, all_gather, reduce_scatter, all_to_all or send_receive",
                         &kind, r->err);
    m->kind = (enum transfer_kind)(TRANSFER_ALL_REDUCE + (rc ? 0 : kind));
    return rc;
}

static int read_collective(struct reader *r, const struct yaml *y, const struct story *s,
                           struct transfer *m, struct place *place)
{
    const struct yaml *k[COLLECTIVE_KEYS];
    int rc = yaml_keys(y, &collective_shape, k, r->err);
    if (!rc)
        rc = read_kind(r, k[COLLECTIVE_K_COLLECTIVE], m);
    if (!rc)
        rc = read_buffer_name(r, k[COLLECTIVE_K_FROM], s, &m->from);
    if (!rc)
        rc = read_buffer_name(r, k[COLLECTIVE_K_TO], s, &m->to);
    if (!rc && k[COLLECTIVE_K_FIRST])
        rc = read_size(r, k[COLLECTIVE_K_FIRST], s, 0, SIZE_MAX_WHOLE, &m->first);
    if (!rc && k[COLLECTIVE_K_COUNT])
        rc = read_size(r, k[COLLECTIVE_K_COUNT], s, 1, SIZE_MAX_WHOLE, &m->count);
    if (!rc)
        *place = (struct place){k[COLLECTIVE_K_LABEL], k[COLLECTIVE_K_STREAM],
                                k[COLLECTIVE_K_AFTER], NULL,
                                k[COLLECTIVE_K_BYTES], NULL};
    return rc;
}

static int read_peer_copy(struct reader *r, const struct yaml *y, const struct story *s,
                          struct transfer *m, struct place *place)
{
    static const char *const ways[] = {"peer", "host"};
    const struct yaml *k[PEER_KEYS];
    int way = 0, rc = yaml_keys(y, &peer_shape, k, r->err);
    m->kind = TRANSFER_PEER_COPY;
    if (!rc)
        rc = read_buffer_name(r, k[PEER_K_PEER_COPY], s, &m->from);
    if (!rc)
        rc = read_buffer_name(r, k[PEER_K_TO], s, &m->to);
    if (!rc && k[PEER_K_THROUGH])
        rc = yaml_choice(k[PEER_K_THROUGH], ways, 2, "peer or host", &way, r->err);
    m->through_host = way == 1;
    if (!rc)
        *place = (struct place){k[PEER_K_LABEL], k[PEER_K_STREAM], k[PEER_K_AFTER],
                                k[PEER_K_RANK],  k[PEER_K_BYTES],  NULL};
    return rc;
}

int read_transfer(struct reader *r, const struct yaml *y, const struct story *s, struct launch *all,
                  int at)
{
    struct transfer *m = arena_new(&r->memory->arena, 1, sizeof *m);
    struct place place = {NULL, NULL, NULL, NULL, NULL, NULL};
    int rc = refuse(r, y, s);
    if (!rc)
        rc = has_key(y, "collective") ? read_collective(r, y, s, m, &place)
                                      : read_peer_copy(r, y, s, m, &place);
    if (!rc)
        rc = check_sides(r, y, s, m);
    if (rc)
        return rc;
    const char *name = transfer_name(m->kind);
    all[at] = (struct launch){.kernel = arena_text(&r->memory->arena, name, strlen(name)),
                              .transfer = m,
                              .file = yaml_doc_file(y->doc)->path,
                              .line = y->line,
                              .col = y->col};
    return read_place(r, y, &place, s, all, at);
}
