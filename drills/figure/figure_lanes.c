/* Lanes: a span begins when all that it waits for has ended, and when the one before it in its
 * group has. */
#include "drills/figure/figure_read.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drills/question/fill.h"

static const char *const figure_kinds[] = {"work", "send", "load", "wait"};

enum { LANES_UNIT, LANES_LANES, LANES_SPANS, LANES_COUNT };
SHAPE(lanes, "lanes", LANES_COUNT, {"unit", false}, {"lanes", true}, {"spans", true});
enum { LANE_NAME, LANE_PANEL, LANE_IDLE, LANE_SAYS, LANE_ASK, LANE_COUNT };
SHAPE(lane, "a lane", LANE_COUNT, {"name", true}, {"panel", false}, {"idle", false},
      {"says", false}, {"ask", false});
enum {
    SPAN_NAME,
    SPAN_LANE,
    SPAN_TAKES,
    SPAN_TIMES,
    SPAN_AFTER,
    SPAN_AT,
    SPAN_KIND,
    SPAN_SAYS,
    SPAN_ASK,
    SPAN_COUNT
};
SHAPE(span, "a span", SPAN_COUNT, {"name", true}, {"lane", true}, {"takes", true},
      {"times", false}, {"after", false}, {"at", false}, {"kind", false}, {"says", false},
      {"ask", false});

enum { GROUPS = 64, EDGES = 8 };
struct group {
    const struct yaml *y, *k[SPAN_COUNT];
    int first, n;
};
struct edge { int from, to; };
struct lanes_reader {
    struct figure_reader *r;
    struct figure_lanes *l;
    const struct yaml *lanes;
    struct group group[GROUPS]; int n_groups;
    struct edge *edge; int n_edges;
    double takes[FIGURE_SPANS], least[FIGURE_SPANS];
};

static void read_lane(struct lanes_reader *x, const struct yaml *y)
{
    struct figure_reader *r = x->r;
    struct figure_lane *lane = &x->l->lane[x->l->n_lanes++];
    const struct yaml *k[LANE_COUNT];
    if (!figure_keys(r, y, &figure_lane_shape, k))
        return;
    const char *name = figure_text(r, k[LANE_NAME], 24, "a name");
    lane->panel = k[LANE_PANEL] ? figure_text(r, k[LANE_PANEL], 100, "a title") : NULL;
    lane->idle = k[LANE_IDLE] ? figure_text(r, k[LANE_IDLE], 24, "a word") : NULL;
    lane->part = figure_part(r, name, k[LANE_SAYS]);
    lane->slot = figure_word(r, name, "lane", lane->part, figure_flag(r, k[LANE_ASK], true));
}

static int lane_named(struct lanes_reader *x, const struct yaml *y)
{
    int i = 0;
    for (const struct yaml *e = x->lanes->first; e; e = e->next, i++)
        if (y->kind == YAML_SCALAR && !strcmp(e->key->text, y->text))
            return i;
    figure_fail(x->r, y, "no such lane; the id of one was expected");
    return 0;
}

/* A list of lanes is taken in turn. */
static int lane_of(struct lanes_reader *x, const struct yaml *y, int i)
{
    if (y->kind != YAML_LIST || y->n == 0)
        return lane_named(x, y);
    const struct yaml *e = y->first;
    for (int k = i % y->n; k > 0; k--)
        e = e->next;
    return lane_named(x, e);
}

static double time_of(struct lanes_reader *x, const struct yaml *y)
{
    struct figure_reader *r = x->r;
    struct dim dim = DIM_NONE;
    double factor;
    struct quantity q = figure_formula(r, y);
    unit_parse(x->l->unit, strlen(x->l->unit), &dim, &factor);
    if (y && !r->rc && !dim_equal(q.dim, dim))
        figure_fail(r, y, "not of the lanes' unit; a value in %s was expected", x->l->unit);
    if (!r->rc && q.value < 0)
        figure_fail(r, y, "a time below 0; one of at least 0 was expected");
    return q.value;
}

static void read_group(struct lanes_reader *x, const struct yaml *y)
{
    struct figure_reader *r = x->r;
    struct group *g = &x->group[x->n_groups++];
    g->y = y;
    if (!figure_keys(r, y, &figure_span_shape, g->k))
        return;
    g->n = g->k[SPAN_TIMES] ? figure_whole(r, g->k[SPAN_TIMES], 1, 64) : 1;
    g->first = x->l->n_spans;
    if (!r->rc && g->first + g->n > FIGURE_SPANS)
        figure_fail(r, y, "more than %d spans; fewer were expected", FIGURE_SPANS);
    if (r->rc)
        return;
    const char *name = figure_text(r, g->k[SPAN_NAME], 24, "a name");
    int part = figure_part(r, name, g->k[SPAN_SAYS]);
    int slot = figure_word(r, name, "span", part, figure_flag(r, g->k[SPAN_ASK], true));
    int kind = figure_choice(r, g->k[SPAN_KIND], figure_kinds, SPAN_KINDS,
                             "work, send, load or wait");
    for (int i = 0; i < g->n && !r->rc; i++) {
        struct figure_span *s = &x->l->span[x->l->n_spans];
        *s = (struct figure_span){.slot = slot, .part = part, .kind = (enum figure_kind)kind,
                                  .index = g->n > 1 ? i : -1};
        s->lane = lane_of(x, g->k[SPAN_LANE], i);
        figure_bind_plain(r, y, "i", i);
        x->takes[x->l->n_spans] = time_of(x, g->k[SPAN_TAKES]);
        x->least[x->l->n_spans] = time_of(x, g->k[SPAN_AT]);
        r->n_names--;
        x->l->n_spans++;
    }
}

/* ---- what waits for what ---- */

static struct group *group_named(struct lanes_reader *x, const char *id, size_t n)
{
    for (int i = 0; i < x->n_groups; i++)
        if (strlen(x->group[i].y->key->text) == n &&
            !strncmp(x->group[i].y->key->text, id, n))
            return &x->group[i];
    return NULL;
}

static void add_edge(struct lanes_reader *x, int from, int to)
{
    x->edge[x->n_edges++] = (struct edge){from, to};
}

/* "load": the span of the same number; "load i-3": of that number, where there is one; "load
 * last": the last. */
static void read_wait(struct lanes_reader *x, const struct group *g, const struct yaml *y)
{
    size_t n = y->kind == YAML_SCALAR ? strcspn(y->text, " ") : 0;
    const struct group *other = n ? group_named(x, y->text, n) : NULL;
    const char *rest = other ? y->text + n : "";
    int by = 0, end = 0;
    bool last = !strcmp(rest, " last");
    if (!other || (*rest && !last && (sscanf(rest, " i%d%n", &by, &end) != 1 || rest[end] ||
                                      abs(by) > 64))) {
        figure_fail(x->r, y, "ID, \"ID i-1\" or \"ID last\" of a span was expected");
        return;
    }
    for (int i = 0; i < g->n; i++) {
        int k = last ? other->n - 1 : other->n == 1 ? 0 : i + by;
        if (k >= 0 && k < other->n)
            add_edge(x, other->first + k, g->first + i);
    }
}

static void read_waits(struct lanes_reader *x, const struct group *g)
{
    const struct yaml *y = g->k[SPAN_AFTER];
    for (int i = 1; i < g->n; i++)
        add_edge(x, g->first + i - 1, g->first + i);
    if (!y || !figure_list(x->r, y, 1, EDGES, "a list of spans"))
        return;
    for (const struct yaml *e = y->first; e && !x->r->rc; e = e->next)
        read_wait(x, g, e);
}

/* Starts move later until none does; one that would move for ever waits for itself. */
static void schedule(struct lanes_reader *x)
{
    struct figure_span *s = x->l->span;
    bool moved = true;
    for (int i = 0; i < x->l->n_spans; i++) {
        s[i].start = x->least[i];
        s[i].end = s[i].start + x->takes[i];
    }
    for (int round = 0; moved && round <= x->l->n_spans; round++) {
        moved = false;
        for (int e = 0; e < x->n_edges; e++) {
            const struct figure_span *from = &s[x->edge[e].from];
            struct figure_span *to = &s[x->edge[e].to];
            if (from->end <= to->start)
                continue;
            to->end += from->end - to->start;
            to->start = from->end;
            moved = true;
        }
    }
    if (moved)
        figure_fail(x->r, x->lanes, "spans wait for each other in a circle");
    for (int i = 0; i < x->l->n_spans; i++)
        x->l->total = fmax(x->l->total, s[i].end);
    if (!x->r->rc && !(x->l->total > 0))
        figure_fail(x->r, x->lanes, "nothing takes any time; a span that does was expected");
}

static const char *span_name(struct lanes_reader *x, const struct figure_span *s, char out[64])
{
    const char *name = x->r->figure->slot[s->slot].text;
    if (s->index < 0)
        snprintf(out, 64, "%s", name);
    else
        snprintf(out, 64, "%s %d", name, s->index);
    return out;
}

static void check_overlaps(struct lanes_reader *x)
{
    double grain = x->l->total * 1e-9;
    for (int i = 0; i < x->l->n_spans; i++)
        for (int j = 0; j < i; j++) {
            const struct figure_span *a = &x->l->span[j], *b = &x->l->span[i];
            char one[64], other[64];
            if (a->lane == b->lane && a->start < b->end - grain && b->start < a->end - grain)
                figure_fail(x->r, x->lanes,
                            "%s and %s lie over each other; another lane, or an `after`, was "
                            "expected",
                            span_name(x, a, one), span_name(x, b, other));
        }
}

/* ---- names for values ---- */

static void bind_times(struct lanes_reader *x)
{
    struct figure_reader *r = x->r;
    struct dim dim = DIM_NONE;
    double factor;
    unit_parse(x->l->unit, strlen(x->l->unit), &dim, &factor);
    figure_bind(r, x->lanes, "total", (struct quantity){x->l->total, dim});
    for (int i = 0; i < x->n_groups; i++) {
        const struct group *g = &x->group[i];
        const char *id = g->y->key->text;
        struct quantity start = {x->l->span[g->first].start, dim},
                        end = {x->l->span[g->first + g->n - 1].end, dim};
        figure_bind(r, g->y, arena_format(r->arena, "%s.start", id), start);
        figure_bind(r, g->y, arena_format(r->arena, "%s.end", id), end);
    }
    int lane = 0;
    for (const struct yaml *e = x->lanes->first; e; e = e->next, lane++) {
        double busy = 0;
        for (int i = 0; i < x->l->n_spans; i++)
            if (x->l->span[i].lane == lane)
                busy += x->l->span[i].end - x->l->span[i].start;
        figure_bind(r, e, arena_format(r->arena, "%s.busy", e->key->text),
                    (struct quantity){busy, dim});
    }
}

static void read_all(struct lanes_reader *x, const struct yaml *spans)
{
    for (const struct yaml *e = x->lanes->first; e && !x->r->rc; e = e->next)
        read_lane(x, e);
    for (const struct yaml *e = spans->first; e && !x->r->rc; e = e->next)
        read_group(x, e);
    x->edge = arena_new(x->r->arena, (size_t)FIGURE_SPANS * (EDGES + 1), sizeof *x->edge);
    for (int i = 0; i < x->n_groups && !x->r->rc; i++)
        read_waits(x, &x->group[i]);
    if (x->r->rc)
        return;
    schedule(x);
    check_overlaps(x);
    bind_times(x);
}

void figure_read_lanes(struct figure_reader *r, const struct yaml *y)
{
    const struct yaml *k[LANES_COUNT];
    struct lanes_reader *x = arena_new(r->arena, 1, sizeof *x);
    x->r = r;
    x->l = &r->figure->lanes;
    if (!figure_keys(r, y, &figure_lanes_shape, k))
        return;
    x->l->unit = figure_unit(r, k[LANES_UNIT]);
    x->lanes = k[LANES_LANES];
    if (!figure_map(r, x->lanes, 1, 32, "a map of lanes") ||
        !figure_map(r, k[LANES_SPANS], 1, GROUPS, "a map of spans"))
        return;
    x->l->lane = arena_new(r->arena, (size_t)x->lanes->n, sizeof *x->l->lane);
    x->l->span = arena_new(r->arena, FIGURE_SPANS, sizeof *x->l->span);
    read_all(x, k[LANES_SPANS]);
}
