/* Work of several ranks between the launches of a run: collectives, and copies to the next rank. */
#include "kernels/wire/message_names.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const transfer_names[TRANSFER_COUNT] = {
    [TRANSFER_NONE] = "launch",           [TRANSFER_ALL_REDUCE] = "all_reduce",
    [TRANSFER_ALL_GATHER] = "all_gather", [TRANSFER_REDUCE_SCATTER] = "reduce_scatter",
    [TRANSFER_ALL_TO_ALL] = "all_to_all", [TRANSFER_SEND_RECEIVE] = "send_receive",
    [TRANSFER_PEER_COPY] = "peer_copy",
};
enum { COLLECTIVES = TRANSFER_PEER_COPY - TRANSFER_ALL_REDUCE };
static const char *const ways[] = {"peer", "host"};

const char *transfer_name(enum transfer_kind kind) { return transfer_names[kind]; }

struct transfer_place transfer_place(const struct msg_transfer *m, int ranks)
{
    uint64_t n = (uint64_t)ranks;
    if (m->kind == TRANSFER_ALL_GATHER)
        return (struct transfer_place){m->first * n, m->count * n};
    if (m->kind == TRANSFER_REDUCE_SCATTER)
        return (struct transfer_place){m->first / n, m->count / n};
    return (struct transfer_place){m->first, m->count};
}

/* ---- what cannot be ---- */

static bool __attribute__((format(printf, 3, 4)))
wrong(char *why, size_t size, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(why, size, fmt, args);
    va_end(args);
    return false;
}

/* The truth of an output is f64, so in the reference one of that type may stand on its other side.
 */
static bool types_fit(const struct msg_buffer *from, const struct msg_buffer *to)
{
    return from->type == to->type || (from->type == T_F64 && to->role == ROLE_OUTPUT) ||
           (to->type == T_F64 && from->role == ROLE_OUTPUT);
}

static bool is_in_parts(enum transfer_kind kind)
{
    return kind == TRANSFER_REDUCE_SCATTER || kind == TRANSFER_ALL_TO_ALL;
}

bool transfer_holds(const struct msg_transfer *m, const struct msg_buffer *from,
                    const struct msg_buffer *to, int ranks, char *why, size_t size)
{
    struct transfer_place place = transfer_place(m, ranks);
    if (m->count < 1 || m->first > from->count || m->count > from->count - m->first)
        return wrong(why, size, "elements %llu to %llu were asked for, and %s has %llu",
                     (unsigned long long)m->first, (unsigned long long)(m->first + m->count),
                     from->name, (unsigned long long)from->count);
    if (is_in_parts(m->kind) && (m->count % (uint64_t)ranks || m->first % (uint64_t)ranks))
        return wrong(why, size, "first is %llu and count %llu, which %d ranks do not divide",
                     (unsigned long long)m->first, (unsigned long long)m->count, ranks);
    if (m->from == m->to && m->kind != TRANSFER_ALL_REDUCE)
        return wrong(why, size, "it goes from %s to %s; another buffer was expected", from->name,
                     to->name);
    if (place.first > to->count || place.count > to->count - place.first)
        return wrong(why, size, "it ends at element %llu of %s, which has %llu",
                     (unsigned long long)(place.first + place.count), to->name,
                     (unsigned long long)to->count);
    return types_fit(from, to) ||
           wrong(why, size, "it goes from %s, of %s, to %s, of %s; one type was expected",
                 from->name, elem_name(from->type), to->name, elem_name(to->type));
}

/* ---- the way in ---- */

static bool is_copy(const struct fields *f)
{
    const char *step = json_string_value(json_object_get(f->object, "step"));
    return step && !strcmp(step, "peer_copy");
}

bool transfer_is(const struct fields *f)
{
    const char *step = json_string_value(json_object_get(f->object, "step"));
    return step && (!strcmp(step, "collective") || !strcmp(step, "peer_copy"));
}

int rank_decode(const struct fields *f, int ranks)
{
    return fields_has(f, "rank") ? 1 + (int)fields_whole(f, "rank", 0, ranks - 1) : 0;
}

static uint64_t take_count(const struct fields *f, const char *key, int64_t low, uint64_t absent)
{
    return fields_has(f, key) ? (uint64_t)fields_whole(f, key, low, FIELDS_WHOLE_MAX - 1) : absent;
}

static void take_collective(struct msg_launch *l, const struct fields *f)
{
    struct msg_transfer *m = &l->transfer;
    fields_only(f, "step kind from to first count stream after");
    m->kind = (enum transfer_kind)(
        TRANSFER_ALL_REDUCE +
        fields_choice(f, "kind", transfer_names + TRANSFER_ALL_REDUCE, COLLECTIVES));
    m->first = take_count(f, "first", 0, 0);
}

static void take_copy(struct msg_launch *l, const struct fields *f, int ranks)
{
    fields_only(f, "step from to through stream after rank");
    l->transfer.kind = TRANSFER_PEER_COPY;
    l->transfer.through_host =
        fields_has(f, "through") && fields_choice(f, "through", ways, 2) == 1;
    l->only = rank_decode(f, ranks);
}

void transfer_decode(struct msg_launch *l, const struct fields *f, const struct msg_shape *s,
                     int ranks)
{
    struct msg_transfer *m = &l->transfer;
    char why[160];
    if (ranks < 2)
        fields_fail(f, "step", ERR_BAD_REQUEST,
                    "is of a request with several ranks; this one has one");
    m->kind = TRANSFER_PEER_COPY;
    if (is_copy(f))
        take_copy(l, f, ranks);
    else
        take_collective(l, f);
    m->from = buffer_take(f, "from", s);
    m->to = buffer_take(f, "to", s);
    if (fields_has(f, "stream"))
        l->stream = (int)fields_whole(f, "stream", 0, CAP_STREAMS - 1);
    if (f->state->code)
        return;
    const struct msg_buffer *from = &s->buffers[m->from], *to = &s->buffers[m->to];
    m->count = take_count(f, "count", 1, from->count - (m->first < from->count ? m->first : 0));
    if (!f->state->code && !transfer_holds(m, from, to, ranks, why, sizeof why))
        fields_fail(f, NULL, ERR_BAD_REQUEST, "cannot be: %s", why);
    snprintf(l->kernel, sizeof l->kernel, "%s", transfer_names[m->kind]);
    for (int i = 0; i < 3; i++)
        l->grid[i] = l->block[i] = 1;
}

/* ---- the way out ---- */

json_t *transfer_encode(const struct msg_launch *l, const struct msg_shape *s)
{
    const struct msg_transfer *m = &l->transfer;
    json_t *o = json_object();
    bool copy = m->kind == TRANSFER_PEER_COPY;
    set(o, "step", json_string(copy ? "peer_copy" : "collective"));
    set(o, "from", json_string(s->buffers[m->from].name));
    set(o, "to", json_string(s->buffers[m->to].name));
    if (copy) {
        set(o, "through", json_string(ways[m->through_host]));
        return o;
    }
    set(o, "kind", json_string(transfer_names[m->kind]));
    set(o, "first", json_integer((json_int_t)m->first));
    set(o, "count", json_integer((json_int_t)m->count));
    return o;
}
