/* What a host does between the launches of a run: declared steps, each with its limits. They change
 * no byte of any buffer, so that only times are about them. */
#include "kernels/wire/message_runs.h"

#include <math.h>
#include <string.h>

#include "kernels/wire/message_names.h"

enum { ALLOCS_MOST = 8 };                  /* held at once */

static const char *const sides[] = {"host", "device"};
static const char *const kinds_of_memory[] = {"pageable", "pinned"};
static const char *const forms[] = {"cubin", "ptx"};

/* The name of each kind, and the keys that it has. */
static const struct { const char *name, *keys;
} kinds[HOST_COUNT] = {
    [HOST_LAUNCH] = {"launch", ""},
    [HOST_SYNC] = {"sync", "step stream rank"},
    [HOST_COPY] = {"copy", "step buffer to memory stream rank"},
    [HOST_ALLOC] = {"alloc", "step bytes"},
    [HOST_FREE] = {"free", "step"},
    [HOST_WAIT] = {"wait", "step seconds rank"},
    [HOST_READ] = {"read", "step buffer stream rank"},
    [HOST_CAPTURE] = {"capture", "step anew"},
    [HOST_REPLAY] = {"replay", "step"},
    [HOST_LOAD] = {"load", "step from"},
};

const char *step_name(enum host_step kind)
{
    return kinds[kind].name;
}

static enum host_step take_kind(const struct fields *f)
{
    const char *name = fields_string(f, "step");
    for (int k = HOST_SYNC; k < HOST_COUNT; k++)
        if (!strcmp(name, kinds[k].name))
            return (enum host_step)k;
    fields_fail(f, "step", ERR_BAD_REQUEST,
                "is no step: \"%.32s\"; there are sync, copy, alloc, free, wait, read, capture, "
                "replay, load, collective and peer_copy",
                name);
    return HOST_LAUNCH;
}

static int take_stream(const struct fields *f, int absent)
{
    return fields_has(f, "stream") ? (int)fields_whole(f, "stream", 0, CAP_STREAMS - 1) : absent;
}

static void take_wait(struct msg_step *to, const struct fields *f)
{
    to->seconds = fields_number(f, "seconds");
    if (!(to->seconds > 0 && to->seconds <= WAIT_MOST_S))
        fields_fail(f, "seconds", ERR_BAD_REQUEST, "must be above 0 and at most %g", WAIT_MOST_S);
}

void step_decode(struct msg_step *out, const struct fields *f, const struct msg_shape *s,
                 int ranks)
{
    *out = (struct msg_step){.kind = take_kind(f)};
    if (f->state->code)
        return;
    fields_only(f, kinds[out->kind].keys);
    out->only = rank_decode(f, ranks);
    switch (out->kind) {
    case HOST_SYNC: out->stream = take_stream(f, WHOLE_DEVICE); break;
    case HOST_COPY:
        out->buffer = buffer_take(f, "buffer", s);
        out->to_device = fields_choice(f, "to", sides, 2) == 1;
        out->pinned = fields_choice(f, "memory", kinds_of_memory, 2) == 1;
        out->stream = take_stream(f, 0);
        break;
    case HOST_ALLOC: out->bytes = (uint64_t)fields_whole(f, "bytes", 1, ALLOC_MOST); break;
    case HOST_WAIT: take_wait(out, f); break;
    case HOST_READ:
        out->buffer = buffer_take(f, "buffer", s);
        out->stream = take_stream(f, 0);
        break;
    case HOST_LOAD: out->ptx = fields_choice(f, "from", forms, 2) == 1; break;
    case HOST_CAPTURE: out->anew = fields_has(f, "anew") && fields_bool(f, "anew"); break;
    case HOST_FREE: case HOST_REPLAY: case HOST_LAUNCH: case HOST_COUNT: break;
    }
}

/* ---- the order of steps ---- */

/* What the steps before one have left open. */
struct open_ends { bool captures; int captured, held, launches; };

static const char *fault_of(const struct msg_step *s, struct open_ends *o)
{
    if (s->kind == HOST_CAPTURE && o->captures)
        return "begins a capture inside another";
    if (s->kind == HOST_REPLAY && !o->captures)
        return "replays what no step captured";
    if (s->kind == HOST_REPLAY && o->captured == 0)
        return "replays a graph without launches";
    if (o->captures && s->kind != HOST_REPLAY && s->kind != HOST_LAUNCH)
        return "stands between capture and replay, where only launches may";
    if (s->kind == HOST_FREE && o->held == 0)
        return "frees what no step allocated";
    if (s->kind == HOST_ALLOC && o->held == ALLOCS_MOST)
        return "is one allocation too many: 8 may be held at once";
    return NULL;
}

static void follow(struct open_ends *o, const struct msg_step *s)
{
    if (s->kind == HOST_CAPTURE || s->kind == HOST_REPLAY) {
        o->captures = s->kind == HOST_CAPTURE;
        o->captured = 0;
    }
    o->launches += s->kind == HOST_LAUNCH;
    o->captured += s->kind == HOST_LAUNCH;
    o->held += (s->kind == HOST_ALLOC) - (s->kind == HOST_FREE);
}

const char *steps_fault(const struct msg_step *steps, int n, int *at)
{
    struct open_ends o = {0};
    for (*at = 0; *at < n; ++*at) {
        const char *fault = fault_of(&steps[*at], &o);
        if (fault)
            return fault;
        follow(&o, &steps[*at]);
    }
    *at = n - 1;
    if (o.captures)
        return "is the last, and what was captured is never replayed";
    if (o.held)
        return "is the last, and what was allocated is never freed";
    return o.launches ? NULL : "is the last, and nothing was launched";
}

/* ---- the way out ---- */

json_t *step_encode(const struct msg_step *s, const struct msg_shape *shape)
{
    json_t *o = json_object();
    set(o, "step", json_string(kinds[s->kind].name));
    if (s->kind == HOST_COPY || s->kind == HOST_READ)
        set(o, "buffer", json_string(shape->buffers[s->buffer].name));
    if (s->kind == HOST_COPY) {
        set(o, "to", json_string(sides[s->to_device]));
        set(o, "memory", json_string(kinds_of_memory[s->pinned]));
    }
    if (s->kind == HOST_ALLOC)
        set(o, "bytes", json_integer((json_int_t)s->bytes));
    if (s->kind == HOST_WAIT)
        set(o, "seconds", json_real(s->seconds));
    if (s->kind == HOST_SYNC ? s->stream != WHOLE_DEVICE : s->stream > 0)
        set(o, "stream", json_integer(s->stream));
    if (s->kind == HOST_LOAD)
        set(o, "from", json_string(forms[s->ptx]));
    if (s->anew)
        set(o, "anew", json_true());
    if (s->only)
        set(o, "rank", json_integer(s->only - 1));
    return o;
}
