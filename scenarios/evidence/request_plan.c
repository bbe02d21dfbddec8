/* Which items a probe consists of: what is measured of which build, under which conditions. */
#include <stdio.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/request_inside.h"
#include "scenarios/pack/failing.h"
#include "scenarios/pack/harness.h"

const char run_letters[] = "abcderop";

unsigned plan_side(const char *run)
{
    return 1u << (strchr(run_letters, *run) - run_letters);
}

static struct msg_item *plan_item(struct plan *p, enum wire_probe probe, const char *run,
                                  const char *other)
{
    p->items = mem_grow(p->items, (size_t)p->n + 1, sizeof *p->items);
    struct msg_item *it = &p->items[p->n++];
    *it = (struct msg_item){.probe = probe, .n_runs = other ? 2 : 1, .variant = -1};
    snprintf(it->runs[0], sizeof it->runs[0], "%s", run);
    p->sides |= plan_side(run);
    if (other) {
        snprintf(it->runs[1], sizeof it->runs[1], "%s", other);
        p->sides |= plan_side(other);
    }
    if (probe == PROBE_CHECK || probe == PROBE_POISON || probe == PROBE_BENCHMARK) {
        snprintf(it->against, sizeof it->against, "r");
        p->sides |= plan_side("r");
    }
    if (probe == PROBE_OUTCOME)
        it->limit_ms = FAILING_LIMIT_MS;
    return it;
}

/* A step of several launches is told as a timeline too. */
static void plan_timeline(struct plan *p, const struct variant *v, const char *run)
{
    int n;
    variant_launches(v, run, &n);
    if (n > 1 || variant_steps(v, run)->n)
        plan_item(p, PROBE_TIMELINE, run, NULL);
}

/* By the program of run "a" or "b", beside its baseline where it has one. */
static void set_program(struct plan *p, struct msg_item *it, const struct variant *v,
                        const char *run)
{
    const struct benchmark *b = variant_benchmark(v, run);
    it->benchmark = b->program;
    if (!b->baseline_file)
        return;
    snprintf(it->baseline.run, sizeof it->baseline.run, "%s", *run == 'a' ? "o" : "p");
    it->baseline.care = b->care;
    p->sides |= plan_side(it->baseline.run);
}

/* The number that a harness tells, by its own program. */
static void plan_benchmark(struct plan *p, const struct variant *v, const char *run)
{
    set_program(p, plan_item(p, PROBE_BENCHMARK, run, NULL), v, run);
}

static void plan_timing(struct plan *p, const struct variant *v)
{
    if (story_is_harness(v->story)) {
        plan_benchmark(p, v, "a");
        return;
    }
    if (variant_fails(v)) {
        plan_item(p, PROBE_OUTCOME, "a", NULL);
        return;
    }
    plan_item(p, PROBE_TIMING, "a", NULL);
    plan_item(p, PROBE_TIMING, "a", NULL)->cache = CACHE_WARM;
    plan_timeline(p, v, "a");
}

/* The conditions of a standard experiment's step that belong to the item; the others belong to the
 * shape. */
static void set_conditions(struct msg_item *it, const struct standard_step *s, double shared_sm)
{
    enum { WORD = 16 };
    switch (s->kind) {
    case STEP_WARM: it->cache = CACHE_WARM; break;
    case STEP_OFFSET: it->offset = s->amount; break;
    case STEP_FENCE: it->fence = true; break;
    case STEP_BALLAST: it->ballast = (uint32_t)(s->amount * shared_sm / 4) / WORD * WORD; break;
    case STEP_REPEAT: it->repeat = s->amount; break;
    case STEP_TOOL: snprintf(it->tool, sizeof it->tool, "%s", s->tool); break;
    case STEP_PLAIN: case STEP_ZEROS: case STEP_REGISTERS: break;
    }
}

/* The changed step is the baseline's too. */
static void set_benchmark(struct plan *p, struct msg_item *it, const struct variant *v,
                          const struct experiment *x, int step)
{
    set_program(p, it, v, "a");
    if (step == 0)
        return;
    msg_benchmark_set(&it->benchmark, x->field, x->setting);
    if (*it->baseline.run)
        msg_benchmark_set(&it->baseline.care, x->field, x->setting);
}

static void plan_step(struct plan *p, const struct variant *v, const struct experiment *x, int k)
{
    struct msg_item *it = plan_item(p, variant_measures(v, x), "a", NULL);
    it->variant = p->n_variants;
    if (x->standard)
        set_conditions(it, &x->standard->step[k], p->shared_sm);
    if (x->kind == EXPERIMENT_BENCHMARK)
        set_benchmark(p, it, v, x, k);
}

/* Steps without an answer have their number too, so that it means one step in every variant. Of an
 * experiment that changes nothing there is the first. */
static void plan_experiment(struct plan *p, const struct variant *v, const struct experiment *x)
{
    for (int k = 0; k < x->n_steps; k++) {
        if (p->n_variants == CAP_VARIANTS) {
            p->too_many = true;
            return;
        }
        if (variant_answers(v, x->id) && (k == 0 || !variant_has_setting(v, x)))
            plan_step(p, v, x, k);
        p->experiments[p->n_variants] = x;
        p->step[p->n_variants++] = k;
    }
}

static bool has_best(const struct variant *v)
{
    return v->best_file != NULL;
}

/* What is asked about, beside what it should be. */
static void plan_pair(struct plan *p, const struct variant *v)
{
    if (variant_fails(v)) {
        plan_item(p, PROBE_OUTCOME, "a", NULL);
        plan_item(p, PROBE_TIMING, "b", NULL);
        return;
    }
    if (!story_is_harness(v->story)) {
        plan_item(p, PROBE_TIMING, "a", "b");
        return;
    }
    plan_benchmark(p, v, "a");
    plan_benchmark(p, v, "b");
}

static void plan_best(struct plan *p, const struct variant *v)
{
    if (variant_fails(v))
        plan_item(p, PROBE_TIMING, "c", NULL);
    else
        plan_item(p, PROBE_TIMING, "a", "c");
}

static void plan_pairs(struct plan *p, const struct variant *v)
{
    plan_pair(p, v);
    if (has_best(v))
        plan_best(p, v);
    if (v->then) {
        plan_item(p, PROBE_TIMING, "a", "d");
        plan_item(p, PROBE_TIMING, "a", "e");
    }
}

/* What looks at the buffers of one GPU is not to be had of several. */
static bool is_offered(const struct variant *v, enum wire_probe probe)
{
    return probe != PROBE_POISON || v->story->gpus < 2;
}

/* The builds between suspect and fix must be right as these are. */
static void plan_between(struct plan *p, const struct variant *v)
{
    static const enum wire_probe right[] = {PROBE_CHECK, PROBE_POISON};
    for (size_t i = 0; i < sizeof right / sizeof *right; i++) {
        if (!is_offered(v, right[i]))
            continue;
        plan_item(p, right[i], "d", NULL);
        plan_item(p, right[i], "e", NULL);
    }
}

/* Of a suspect that fails what takes no run; its outcome came with the pair. */
static void plan_suspect(struct plan *p, const struct variant *v)
{
    static const enum wire_probe all[] = {PROBE_RESOURCES, PROBE_BUILD,  PROBE_SASS,
                                          PROBE_DRAM,      PROBE_OCCUPANCY, PROBE_MEMORY,
                                          PROBE_SHARED,    PROBE_STALLS, PROBE_PIPES,
                                          PROBE_CHECK,     PROBE_LINES};
    enum { WITHOUT_A_RUN = 3 };
    size_t n = variant_fails(v) ? WITHOUT_A_RUN : sizeof all / sizeof *all;
    if (!variant_fails(v) && !story_is_harness(v->story))
        plan_timing(p, v);
    for (size_t i = 0; i < n; i++)
        plan_item(p, all[i], "a", NULL);
}

static void plan_all(struct plan *p, const struct variant *v)
{
    static const enum wire_probe of_fix[] = {PROBE_CHECK,  PROBE_POISON,    PROBE_RESOURCES,
                                             PROBE_DRAM,   PROBE_OCCUPANCY, PROBE_MEMORY,
                                             PROBE_SHARED, PROBE_STALLS,    PROBE_PIPES};
    plan_pairs(p, v);
    plan_suspect(p, v);
    plan_timeline(p, v, "b");
    for (size_t i = 0; i < sizeof of_fix / sizeof *of_fix && !story_is_harness(v->story); i++) {
        if (!is_offered(v, of_fix[i]))
            continue;
        plan_item(p, of_fix[i], "b", NULL);
        if (has_best(v))
            plan_item(p, of_fix[i], "c", NULL);
    }
    if (v->then)
        plan_between(p, v);
    for (int x = 0; x < v->story->n_experiments; x++)
        plan_experiment(p, v, &v->story->experiments[x]);
}

/* A name such as fix.dram_bytes in a truth asks for that probe of that run. */
struct wish { struct plan *plan; const struct variant *v; };

static int plan_name(void *ctx, const char *name)
{
    struct wish *w = ctx;
    const char *rest, *run = name_run(name, &rest);
    const struct metric *m = run ? metric_find(rest) : NULL;
    if (!m || m->probe == PROBE_TIMING || !variant_source(w->v, run))
        return 0;
    bool there = false;
    for (int n = 0; n < w->plan->n; n++)
        there = there || (w->plan->items[n].probe == m->probe &&
                          !strcmp(w->plan->items[n].runs[0], run));
    if (!there)
        plan_item(w->plan, m->probe, run, NULL);
    return 0;
}

static void plan_formula(struct wish *w, const struct expr *e)
{
    if (e->f)
        formula_names(e->f, plan_name, w, NULL);
}

/* The reveal needs more than the purchases: the pairs, and the metrics that truths, proofs and the
 * prose name. */
static void plan_debrief(struct plan *p, const struct variant *v)
{
    struct wish w = {p, v};
    plan_pairs(p, v);
    plan_timeline(p, v, "b");
    for (int i = 0; i < v->n_proves; i++)
        plan_formula(&w, &v->proves[i]);
    for (int i = 0; i < v->n_told; i++)
        plan_formula(&w, &v->told[i].value);
    for (int i = 0; i < v->n_truths; i++) {
        plan_formula(&w, &v->truths[i].truth);
        plan_formula(&w, &v->truths[i].working);
        for (int k = 0; k < v->truths[i].n_mistakes; k++)
            plan_formula(&w, &v->truths[i].mistakes[k].value);
    }
}

static int plan_bought(struct plan *p, const struct variant *v, const char *name, struct err *err)
{
    const struct probe *shop = probe_by_name(name);
    const struct experiment *x = story_experiment(v->story, name);
    bool known = x || (shop && shop->wire >= 0 && shop->id != SHOP_TIMING);
    if (known && !variant_answers(v, name))
        return err_set(err, ERR_MISSING, "the suspect of %s brings no result, so %s has nothing to "
                       "measure", v->full_id, name);
    if (x)
        plan_experiment(p, v, x);
    else if (!shop)
        return err_set(err, ERR_MISSING, "there is no probe or experiment '%s' in %s", name,
                       v->story->full_id);
    else if (shop->wire < 0)
        return err_set(err, ERR_BAD_REQUEST, "'%s' is answered without a runner", name);
    else if (shop->id == SHOP_TIMING)
        plan_timing(p, v);
    else
        plan_item(p, (enum wire_probe)shop->wire, "a", NULL);
    return 0;
}

int plan_probe(struct plan *p, const struct variant *v, const char *probe, struct err *err)
{
    if (!strcmp(probe, "symptom") && story_is_harness(v->story))
        plan_benchmark(p, v, "a");
    else if (!strcmp(probe, "symptom"))
        plan_item(p, variant_fails(v) ? PROBE_OUTCOME : PROBE_TIMING, "a", NULL);
    else if (!strcmp(probe, "pair"))
        plan_pair(p, v);
    else if (!strcmp(probe, "best") && has_best(v))
        plan_best(p, v);
    else if (!strcmp(probe, "best"))
        return err_set(err, ERR_MISSING, "%s has no %s", v->full_id, v->kind->best);
    else if (!strcmp(probe, "debrief"))
        plan_debrief(p, v);
    else if (!strcmp(probe, "all"))
        plan_all(p, v);
    else if (plan_bought(p, v, probe, err))
        return err->code;
    if (p->too_many || p->n > CAP_ITEMS)
        return err_set(err, ERR_TOO_LARGE, "%s asks for more than %d measurements",
                       v->story->full_id, CAP_ITEMS);
    return 0;
}
