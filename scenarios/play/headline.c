#include "scenarios/play/headline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/evidence/exhibit_table.h"
#include "scenarios/evidence/finding.h"
#include "scenarios/formula/quantity.h"
#include "scenarios/evidence/request.h"

enum { RANKED_MOST = 4, FOUND_MOST = 64 };

/* How a metric gets its place: as the table has it; the same, but not at 0; before those, the
 * largest first. */
enum rank { STANDS, IF_ANY, BY_SIZE, WRONG };

/* Where nothing is wrong, a purchase is told by the first of its rows that count wrong results:
 * what is apart by memory, threads or repetition comes before the comparison that goes with each.
 */
static const struct decisive { const char *metric, *brief; enum rank rank;
} table[] = {
    {"time", "time", STANDS},
    {"reported_time", "reported", STANDS},
    {"sample_first", "first", STANDS},
    {"sample_median", "median", STANDS},
    {"sample_max", "greatest", STANDS},
    {"longest_share", "longest", STANDS},
    {"gap_time", "gaps", STANDS},
    {"occupancy_limit", "occupancy", STANDS},
    {"registers", "registers", STANDS},
    {"local_bytes", "local", IF_ANY},
    {"shared_bytes", "shared", IF_ANY},
    {"waves", "waves", STANDS},
    {"dram_fraction", "busy", STANDS},
    {"dram_bytes", "bytes", STANDS},
    {"l2_hit", "L2 hits", STANDS},
    {"occupancy", "achieved", STANDS},
    {"sm_balance", "balance", STANDS},
    {"warps_eligible", "eligible", STANDS},
    {"store_sectors_per_request", "stores", BY_SIZE},
    {"load_sectors_per_request", "loads", BY_SIZE},
    {"local_instructions", "local", IF_ANY},
    {"atomic_sectors", "atomics", IF_ANY},
    {"load_efficiency", "used of loads", STANDS},
    {"l1_hit", "L1 hits", STANDS},
    {"shared_load_wavefronts", "loads", BY_SIZE},
    {"shared_store_wavefronts", "stores", BY_SIZE},
    {"bank_conflicts", "conflicts", IF_ANY},
    {"shared_instructions", "instructions", STANDS},
    {"issue_active", "issues", BY_SIZE},
    {"alu_busy", "integer", BY_SIZE},
    {"fma_busy", "FMA", BY_SIZE},
    {"fp64_busy", "double", BY_SIZE},
    {"tensor_busy", "tensor", BY_SIZE},
    {"xu_busy", "special fns", BY_SIZE},
    {"lsu_busy", "load-store", BY_SIZE},
    {"lanes_per_instruction", "lanes", STANDS},
    {"fp64_flops", "double flops", IF_ANY},
    {"poisoned_wrong", "wrong", WRONG},
    {"buffer_differences", "old buffers", WRONG},
    {"shared_differences", "old shared", WRONG},
    {"race_hazards", "hazards", WRONG},
    {"memory_errors", "memory errors", WRONG},
    {"uninitialised_reads", "uninitialised", WRONG},
    {"barrier_errors", "barriers", WRONG},
    {"wrong_elements", "wrong", WRONG},
    {"not_finite", "not finite", WRONG},
    {"faults", "faults", WRONG},
    {"canaries_broken", "outside", WRONG},
    {"inputs_changed", "inputs changed", WRONG},
    {"max_error", "off by", IF_ANY},
    {"identical_repeats", "identical", STANDS},
    {"ulp_spread", "ULP", IF_ANY},
    {"top_line", "line", STANDS},
    {"machine_instructions", "instructions", STANDS},
};
enum { ROWS = sizeof table / sizeof *table };

struct found {
    const struct metric *metric;
    const char *brief;
    double value;
    enum rank rank;
    int place;
};
struct looking {
    struct headline *out;
    int n, most;
    const struct variant *variant;
    const struct story *story;
    const struct evidence *e;
    struct scope scope;
};

bool headline_is_wrong(const char *metric)
{
    for (int k = 0; k < ROWS; k++)
        if (table[k].rank == WRONG && !strcmp(table[k].metric, metric))
            return true;
    return false;
}

/* ---- values ---- */

/* The suspect's; of several parts the first with a cold cache, of what is wrong the worst. */
static bool value_of(const struct evidence *e, const char *metric, bool worst, double *out)
{
    bool known = false;
    for (int k = 0; k < e->n_parts && (worst || !known); k++) {
        const struct msg_value *v =
            finding_is_control(&e->parts[k]) || msg_part_note(&e->parts[k], "warm")
                ? NULL
                : msg_part_value(&e->parts[k], metric);
        if (!v || !v->present || (known && v->value <= *out))
            continue;
        *out = v->value;
        known = true;
    }
    return known;
}

static void show_plain(char *out, size_t size, const struct metric *m, double value)
{
    if (m->share)
        quantity_percent(out, size, value);
    else
        quantity_show(out, size, value, m->unit);
}

static struct headline *add(struct looking *l, const char *label, const char *brief)
{
    struct headline *h = &l->out[l->n++];
    *h = (struct headline){0};
    snprintf(h->label, sizeof h->label, "%s", label);
    snprintf(h->brief, sizeof h->brief, "%s", brief);
    return h;
}

static double number(struct looking *l, const char *name)
{
    struct quantity q;
    return scope_lookup(&l->scope, name, &q, NULL) == 0 ? q.value : 0;
}

/* NULL: the suspect has no launch of that number, counted from 1, or it has no label. */
static const char *label_of(const struct looking *l, double number)
{
    int n;
    const struct launch *all = variant_launches(l->variant, "a", &n);
    return number >= 1 && number <= n ? all[(int)number - 1].label : NULL;
}

/* What a number is told beside (of a step of several launches counters are of one of them, and what
 * is compelled of all): "14 of 29.9 cycles", "537 MB (1.02 x the compelled)", "18 of 20", and of
 * shares whose they are. */
static void relate(struct looking *l, struct headline *h, const struct found *f, bool first)
{
    const char *name = f->metric->name;
    double other = 0;
    char plain[40];
    snprintf(plain, sizeof plain, "%.39s", h->value);
    if (first && !strncmp(name, "stall_", 6) && value_of(l->e, "stall_total", false, &other)) {
        char all[40];
        quantity_show(all, sizeof all, other, "cycle");
        snprintf(h->value, sizeof h->value, "%.*s of %s", (int)strcspn(plain, " "), plain, all);
    } else if (!strcmp(name, "dram_bytes") && !story_is_pipeline(l->story) &&
               (other = number(l, "work.bytes")) > 0)
        snprintf(h->value, sizeof h->value,
                 f->value < 9.95 * other ? "%s (%.2f x the compelled)"
                                         : "%s (%.0f x the compelled)",
                 plain, f->value / other);
    else if (!strcmp(name, "identical_repeats") && value_of(l->e, "repeats", false, &other))
        snprintf(h->value, sizeof h->value, "%.0f of %.0f", f->value, other);
    else if (!strcmp(name, "top_line") && value_of(l->e, "top_line_share", false, &other)) {
        snprintf(h->label, sizeof h->label, "line %.0f", f->value);
        snprintf(h->brief, sizeof h->brief, "line %.0f", f->value);
        quantity_percent(plain, sizeof plain, other);
        snprintf(h->value, sizeof h->value, "%s of the samples", plain);
    } else if (!strcmp(name, "longest_share") && value_of(l->e, "longest_kernel", false, &other) &&
               label_of(l, other))
        snprintf(h->label, sizeof h->label, "longest kernel %.40s", label_of(l, other));
}

static void add_found(struct looking *l, const struct found *f, bool first)
{
    if (l->n >= l->most)
        return;
    struct headline *h = add(l, f->metric->label, f->brief);
    show_plain(h->value, sizeof h->value, f->metric, f->value);
    relate(l, h, f, first);
}

/* ---- roofs ---- */

static void add_share(struct looking *l, const char *label, const char *brief, double share)
{
    if (l->n < l->most && share > 0)
        quantity_percent(add(l, label, brief)->value, sizeof l->out->value, share);
}

/* Below a time: how much of what the memory and the arithmetic of this GPU reach. More than
 * multiply-adds reach is of the tensor cores. */
static void add_roofs(struct looking *l)
{
    enum { WORTH_SAYING = 10 /* per cent */ };
    double time = 0, flops = number(l, "work.flops"), copy, fma = number(l, "ceiling.fma"),
           tensor = number(l, "ceiling.tensor");
    if (!value_of(l->e, "time", false, &time) || time <= 0)
        return;
    copy = number(l, "copy_fraction");
    double share = fma > 0 ? flops / time / fma : 0;
    bool beyond = share > 1 && tensor > 0;
    share = beyond ? flops / time / tensor : share;
    const char *label = beyond ? "share of the tensor roof" : "share of the FMA roof",
               *brief = beyond ? "of tensor roof" : "of FMA roof";
    if (share > copy)
        add_share(l, label, brief, share);
    add_share(l, "share of the copy rate", "of copy rate", copy);
    if (share <= copy && 100 * share >= WORTH_SAYING)
        add_share(l, label, brief, share);
}

/* ---- the order ---- */

static int by_rank(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    bool ranked = x->rank >= BY_SIZE, other = y->rank >= BY_SIZE;
    if (ranked != other)
        return other - ranked;
    if (ranked && x->value != y->value)
        return x->value < y->value ? 1 : -1;
    return x->place - y->place;
}

static void find(struct found *found, int *n, const struct evidence *e, const char *metric,
                 const char *brief, enum rank rank)
{
    double value = 0;
    if (*n < FOUND_MOST && value_of(e, metric, rank == WRONG, &value) &&
        (rank != IF_ANY || value > 0)) {
        found[*n] = (struct found){metric_find(metric), brief, value, rank, *n};
        (*n)++;
    }
}

/* Every reason to wait but issuing, which is 1 by definition. */
static void find_stalls(struct found *found, int *n, const struct evidence *e)
{
    size_t all;
    const struct metric *m = metric_of_probe(PROBE_STALLS, &all);
    for (size_t k = 0; k < all; k++)
        if (strcmp(m[k].name, "stall_total") && strcmp(m[k].name, "stall_selected"))
            find(found, n, e, m[k].name, m[k].name + strlen("stall_"), BY_SIZE);
}

static void add_metrics(struct looking *l, bool roofs)
{
    struct found found[FOUND_MOST];
    int n = 0, ranked = 0;
    find_stalls(found, &n, l->e);
    for (int k = 0; k < ROWS; k++)
        find(found, &n, l->e, table[k].metric, table[k].brief, table[k].rank);
    qsort(found, (size_t)n, sizeof *found, by_rank);
    for (int k = 0; k < n; k++) {
        bool sized = found[k].rank >= BY_SIZE;
        if (sized && (ranked >= RANKED_MOST || (ranked > 0 && found[k].value <= 0)))
            continue;
        add_found(l, &found[k], k == 0);
        ranked += sized;
        if (roofs && !strcmp(found[k].metric->name, "time"))
            add_roofs(l);
    }
}

/* ---- sweeps ---- */

static const struct msg_part *part_of_step(const struct evidence *e, int step)
{
    for (int k = 0; k < e->n_parts; k++)
        if (e->parts[k].variant == step && !finding_is_control(&e->parts[k]))
            return &e->parts[k];
    return NULL;
}

/* What a step is told by: the first of the table that its probe has, a time without its name; "0.4
 * ms", "wrong 3". */
static void step_value(char *out, size_t size, const struct msg_part *p)
{
    for (int k = 0; k < ROWS; k++) {
        const struct metric *m = metric_find(table[k].metric);
        const struct msg_value *v = m->probe == p->probe ? msg_part_value(p, m->name) : NULL;
        char plain[40];
        if (!v || !v->present)
            continue;
        show_plain(plain, sizeof plain, m, v->value);
        snprintf(out, size, "%s%s%s", k ? table[k].brief : "", k ? " " : "", plain);
        return;
    }
}

static void add_step(struct looking *l, const struct experiment *x, int step)
{
    const struct msg_part *p = part_of_step(l->e, step);
    const struct msg_value *fault = p ? msg_part_value(p, "faults") : NULL;
    char label[64] = "";
    request_step_label(label, sizeof label - 1, l->story, l->scope.device, x, step);
    strcat(label, ":");
    struct headline *h = add(l, label, label);
    snprintf(h->value, sizeof h->value,
             fault && fault->present && fault->value > 0 ? "fault" : "n/a");
    if (p && !strcmp(h->value, "n/a"))
        step_value(h->value, sizeof h->value, p);
}

static void add_steps(struct looking *l, const struct experiment *x)
{
    int n = x->n_steps < l->most ? x->n_steps : l->most;
    for (int k = 0; k < n; k++)
        add_step(l, x, n > 1 ? k * (x->n_steps - 1) / (n - 1) : 0);
}

/* ---- exhibits ---- */

/* "0.4 to 38 ms (rank 11)": between which values the rows lie, and where the most is. */
static void add_figure(struct looking *l, const struct exhibit_table *t, const struct msg_part *p,
                       int figure)
{
    const struct figure *f = &t->form->figures[figure];
    int least = 0, most = 0;
    for (int r = 1; r < t->n_rows; r++) {
        least = exhibit_row(t, p, figure, r) < exhibit_row(t, p, figure, least) ? r : least;
        most = exhibit_row(t, p, figure, r) > exhibit_row(t, p, figure, most) ? r : most;
    }
    double low = exhibit_row(t, p, figure, least), high = exhibit_row(t, p, figure, most);
    const char *unit = strcmp(f->unit, "1") ? f->unit : "", *row = t->row[most];
    bool numbered = row[0] >= '0' && row[0] <= '9' && t->form->row;
    struct headline *h = add(l, f->label, f->label);
    if (high > low)
        snprintf(h->value, sizeof h->value, "%.4g to %.4g%s%.12s (%.16s%s%.20s)", low, high,
                 *unit ? " " : "", unit, numbered ? t->form->row : "", numbered ? " " : "", row);
    else
        snprintf(h->value, sizeof h->value, "%.4g%s%.12s", high, *unit ? " " : "", unit);
}

static void add_exhibit(struct looking *l, const struct experiment *x)
{
    struct exhibit_table t;
    if (l->e->n_parts == 0 || !exhibit_table(&t, x, &l->e->parts[0]))
        return;
    for (int f = 0; f < t.form->n_figures && l->n < l->most; f++)
        add_figure(l, &t, &l->e->parts[0], f);
}

int headlines_of(struct headline *out, int most, const struct variant *v, const char *probe,
                 const struct evidence *e, const struct msg_device *device)
{
    const struct story *story = v->story;
    const struct experiment *x = story_experiment(story, probe);
    if (!e)
        return 0;
    struct evidence own = *e, *const list[] = {&own};
    struct looking l = {.out = out,
                        .most = most,
                        .variant = v,
                        .story = story,
                        .e = e,
                        .scope = {.story = story, .device = device, .bought = list, .n_bought = 1}};
    snprintf(own.probe, sizeof own.probe, "%s", probe);
    if (x && x->exhibit)
        add_exhibit(&l, x);
    else if (x && x->n_steps > 1 && x->measure != PROBE_SANITIZE)
        add_steps(&l, x);
    else
        add_metrics(&l, !x);
    return l.n;
}
