/* The links of a host as JSON, and the one figure that formulas know each of their properties by.
 * */
#include "kernels/wire/links.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "kernels/wire/codec.h"
#include "kernels/wire/fields.h"
#include "kernels/wire/message.h"
#include "kernels/wire/text.h"

_Static_assert(LINK_GPUS == (int)CAP_RANKS, "as many as a request may have");

/* ---- one figure of each ---- */

enum figure_of { OF_PAIRS, OF_HOSTS, OF_SUM };
static const struct figure {
    const char *name, *unit;
    enum figure_of of;
    size_t at;
    bool least; /* the worst is the least */
} figures[] = {
    {"peer_copy", "B/s", OF_PAIRS, offsetof(struct link_pair, direct.one_way), true},
    {"peer_copy_both", "B/s", OF_PAIRS, offsetof(struct link_pair, direct.both_ways), true},
    {"peer_latency", "s", OF_PAIRS, offsetof(struct link_pair, direct.latency), false},
    {"staged_copy", "B/s", OF_PAIRS, offsetof(struct link_pair, staged.one_way), true},
    {"staged_copy_both", "B/s", OF_PAIRS, offsetof(struct link_pair, staged.both_ways), true},
    {"staged_latency", "s", OF_PAIRS, offsetof(struct link_pair, staged.latency), false},
    {"to_device", "B/s", OF_HOSTS, offsetof(struct link_host, to_device), true},
    {"to_host", "B/s", OF_HOSTS, offsetof(struct link_host, to_host), true},
    {"all_reduce_alpha", "s", OF_SUM, offsetof(struct link_sum, alpha), false},
    {"all_reduce_beta", "B/s", OF_SUM, offsetof(struct link_sum, beta), true},
};
enum { FIGURES = sizeof figures / sizeof *figures };

const char *links_name(int i, const char **unit)
{
    if (i >= FIGURES)
        return NULL;
    *unit = figures[i].unit;
    return figures[i].name;
}

static double number_at(const void *base, size_t at)
{
    double value;
    memcpy(&value, (const char *)base + at, sizeof value);
    return value;
}

static const void *element(const struct msg_links *l, enum figure_of of, int i)
{
    return of == OF_PAIRS   ? (const void *)&l->pairs[i]
           : of == OF_HOSTS ? (const void *)&l->hosts[i]
                            : (const void *)&l->all_reduce;
}

/* 0: one of them was not measured. */
static double worst(const struct msg_links *l, const struct figure *f)
{
    int n = f->of == OF_PAIRS ? l->n_pairs : f->of == OF_HOSTS ? l->gpus : 1;
    double found = 0;
    for (int i = 0; i < n; i++) {
        double value = number_at(element(l, f->of, i), f->at);
        if (!(value > 0))
            return 0;
        if (i == 0 || (f->least ? value < found : value > found))
            found = value;
    }
    return found;
}

bool links_number(const struct msg_links *l, const char *name, double *out)
{
    for (int i = 0; i < FIGURES && l->gpus; i++)
        if (!strcmp(figures[i].name, name)) {
            double value = worst(l, &figures[i]);
            *out = value > 0 ? value : *out;
            return value > 0;
        }
    return false;
}

double links_bus(int gpus, const struct link_point *p)
{
    return 2.0 * (gpus - 1) / gpus * p->bytes / p->seconds;
}

/* ---- reading ---- */

static double positive(const struct fields *f, const char *key)
{
    double value = fields_number(f, key);
    if (f->object && !(value > 0))
        fields_fail(f, key, ERR_BAD_REQUEST, "is %g, and only what is above 0 was measured", value);
    return value;
}

static struct link_way way_decode(const struct fields *pair, const char *key)
{
    struct link_way w = {0};
    if (!fields_has(pair, key))
        return w;
    struct fields f = fields_enter(pair, json_object_get(pair->object, key), "%s", key);
    w.one_way = positive(&f, "one_way");
    w.both_ways = positive(&f, "both_ways");
    w.latency = positive(&f, "latency");
    return w;
}

static void pairs_decode(struct msg_links *out, const struct fields *f)
{
    const json_t *list = fields_array(f, "pairs", LINK_PAIRS);
    size_t i;
    json_t *value;
    json_array_foreach(list, i, value) {
        struct fields one = fields_enter(f, value, "pairs[%zu]", i);
        struct link_pair *p = &out->pairs[i];
        p->from = (int)fields_whole(&one, "from", 0, out->gpus - 1);
        p->to = (int)fields_whole(&one, "to", 0, out->gpus - 1);
        p->direct = way_decode(&one, "direct");
        p->staged = way_decode(&one, "staged");
        out->n_pairs = (int)i + 1;
    }
}

static void hosts_decode(struct msg_links *out, const struct fields *f)
{
    const json_t *list = fields_array(f, "host", LINK_GPUS);
    size_t i;
    json_t *value;
    if (list && json_array_size(list) != (size_t)out->gpus)
        fields_fail(f, "host", ERR_BAD_REQUEST, "has %zu elements, one of each GPU was expected",
                    json_array_size(list));
    json_array_foreach(list, i, value) {
        struct fields one = fields_enter(f, value, "host[%zu]", i);
        if (f->state->code)
            return;
        out->hosts[i] = (struct link_host){positive(&one, "to_device"), positive(&one, "to_host"),
                                           positive(&one, "both_ways"), positive(&one, "latency")};
    }
}

static void sum_decode(struct msg_links *out, const struct fields *f)
{
    struct link_sum *s = &out->all_reduce;
    size_t i;
    json_t *value;
    if (!fields_has(f, "all_reduce"))
        return;
    struct fields sum = fields_enter(f, json_object_get(f->object, "all_reduce"), "all_reduce");
    const json_t *list = fields_array(&sum, "points", LINK_POINTS);
    json_array_foreach(list, i, value) {
        struct fields one = fields_enter(&sum, value, "points[%zu]", i);
        s->points[i] = (struct link_point){positive(&one, "bytes"), positive(&one, "seconds")};
        s->n_points = (int)i + 1;
    }
    if (!fields_has(&sum, "alpha"))
        return;
    s->alpha = positive(&sum, "alpha");
    s->beta = positive(&sum, "beta");
    s->residual = fields_number(&sum, "residual");
}

static void take_text(char *out, size_t size, const struct fields *f, const char *key)
{
    text_copy_clean(out, size, codec_text_of(f->object, key));
}

static int decode(struct msg_links *out, struct fields *f)
{
    out->gpus = (int)fields_whole(f, "gpus", 2, LINK_GPUS);
    out->method = (int)fields_whole(f, "method", 0, INT32_MAX);
    take_text(out->gpu, sizeof out->gpu, f, "gpu");
    take_text(out->driver, sizeof out->driver, f, "driver");
    take_text(out->nccl, sizeof out->nccl, f, "nccl");
    take_text(out->origin, sizeof out->origin, f, "origin");
    take_text(out->measured, sizeof out->measured, f, "measured");
    take_text(out->no_peer, sizeof out->no_peer, f, "no_peer");
    take_text(out->no_nccl, sizeof out->no_nccl, f, "no_nccl");
    pairs_decode(out, f);
    hosts_decode(out, f);
    sum_decode(out, f);
    if (f->state->code)
        *out = (struct msg_links){0};
    return f->state->code;
}

int links_decode(struct msg_links *out, const json_t *object, struct err *err)
{
    struct fields_state state = {.err = err};
    struct fields f = fields_open(&state, object);
    *out = (struct msg_links){0};
    return decode(out, &f);
}

int msg_links_decode(struct msg_links *out, const json_t *msg, struct err *err)
{
    struct fields_state state = {.err = err};
    struct fields f = fields_open(&state, msg);
    int64_t id = fields_whole(&f, "id", 1, FIELDS_WHOLE_MAX - 1);
    *out = (struct msg_links){0};
    int rc = decode(out, &f);
    out->id = rc ? 0 : id;
    return rc;
}

/* ---- writing ---- */

static json_t *way_encode(const struct link_way *w)
{
    return json_pack("{s:f, s:f, s:f}", "one_way", w->one_way, "both_ways", w->both_ways, "latency",
                     w->latency);
}

static json_t *pairs_encode(const struct msg_links *l)
{
    json_t *list = json_array();
    for (int i = 0; i < l->n_pairs; i++) {
        const struct link_pair *p = &l->pairs[i];
        json_t *o = json_pack("{s:i, s:i}", "from", p->from, "to", p->to);
        if (p->direct.one_way > 0)
            json_object_set_new(o, "direct", way_encode(&p->direct));
        if (p->staged.one_way > 0)
            json_object_set_new(o, "staged", way_encode(&p->staged));
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *hosts_encode(const struct msg_links *l)
{
    json_t *list = json_array();
    for (int i = 0; i < l->gpus; i++) {
        const struct link_host *h = &l->hosts[i];
        json_array_append_new(list, json_pack("{s:f, s:f, s:f, s:f}", "to_device", h->to_device,
                                              "to_host", h->to_host, "both_ways", h->both_ways,
                                              "latency", h->latency));
    }
    return list;
}

static json_t *sum_encode(const struct link_sum *s)
{
    json_t *list = json_array(), *o = json_pack("{s:o}", "points", list);
    for (int i = 0; i < s->n_points; i++)
        json_array_append_new(list, json_pack("{s:f, s:f}", "bytes", s->points[i].bytes, "seconds",
                                              s->points[i].seconds));
    if (s->alpha > 0) {
        json_object_set_new(o, "alpha", json_real(s->alpha));
        json_object_set_new(o, "beta", json_real(s->beta));
        json_object_set_new(o, "residual", json_real(s->residual));
    }
    return o;
}

static void set_text(json_t *o, const char *key, const char *text)
{
    if (*text)
        json_object_set_new(o, key, json_string(text));
}

json_t *links_encode(const struct msg_links *l)
{
    if (!l->gpus)
        return NULL;
    json_t *o = json_pack("{s:i, s:i, s:o, s:o}", "gpus", l->gpus, "method", l->method, "pairs",
                          pairs_encode(l), "host", hosts_encode(l));
    set_text(o, "gpu", l->gpu);
    set_text(o, "driver", l->driver);
    set_text(o, "nccl", l->nccl);
    set_text(o, "origin", l->origin);
    set_text(o, "measured", l->measured);
    set_text(o, "no_peer", l->no_peer);
    set_text(o, "no_nccl", l->no_nccl);
    if (l->all_reduce.n_points)
        json_object_set_new(o, "all_reduce", sum_encode(&l->all_reduce));
    return o;
}

json_t *msg_links_encode(const struct msg_links *l)
{
    json_t *o = links_encode(l);
    if (o) {
        json_object_set_new(o, "type", json_string("links"));
        json_object_set_new(o, "id", json_integer((json_int_t)l->id));
    }
    return o;
}

/* ---- the request ---- */

static const char *const ways_to_know[] = {"cached", "measure"};

int msg_ask_links_decode(struct msg_ask_links *out, const json_t *msg, struct err *err)
{
    struct fields_state state = {.err = err};
    struct fields f = fields_open(&state, msg);
    fields_only(&f, "type id deadline_ms gpus links");
    out->id = fields_whole(&f, "id", 1, FIELDS_WHOLE_MAX - 1);
    out->deadline_ms =
        fields_whole(&f, "deadline_ms", CAP_DEADLINE_MIN_MS, CAP_DEADLINE_MAX_MS);
    out->gpus = (int)fields_whole(&f, "gpus", 2, LINK_GPUS);
    out->measure = fields_has(&f, "links") && fields_choice(&f, "links", ways_to_know, 2) == 1;
    return state.code;
}

json_t *msg_ask_links_encode(const struct msg_ask_links *a)
{
    return json_pack("{s:s, s:I, s:I, s:i, s:s}", "type", "links", "id", (json_int_t)a->id,
                     "deadline_ms", (json_int_t)a->deadline_ms, "gpus", a->gpus, "links",
                     ways_to_know[a->measure]);
}
