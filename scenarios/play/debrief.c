#include "scenarios/play/debrief.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/play/debrief_text.h"
#include "scenarios/play/debrief_walk.h"
#include "scenarios/evidence/finding.h"
#include "scenarios/evidence/request.h"
#include "scenarios/pack/failing.h"
#include "scenarios/pack/harness.h"

#define ENOUGH 0.90   /* belief from which the ideal reader knows */

/* ---- estimates ---- */

static double value_in(const struct walk *w, const struct expr *e, struct dim dim)
{
    struct quantity q;
    struct scope s = w->scope;
    if (!e->f || formula_eval(e->f, scope_lookup, &s, &q, NULL, NULL) != 0)
        return NAN;
    return dim_equal(q.dim, dim) || dim_equal(q.dim, DIM_NONE) ? q.value : NAN;
}

static int given_at(const struct investigation *i, const char *id)
{
    for (int e = 0; e < i->n_estimates; e++)
        if (strcmp(i->estimates[e].id, id) == 0)
            return e;
    return -1;
}

static void leave_one(struct graded *out, const struct estimate *e, enum left left, double truth)
{
    *out = (struct graded){.estimate = e,
                           .how = left == LEFT_CUT ? GRADED_CUT : GRADED_NOT_ASKED,
                           .truth = truth};
    snprintf(out->say, sizeof out->say, "%s, so it costs nothing",
             left == LEFT_CUT     ? "cut off by the reveal"
             : left == LEFT_KNOWN ? "shown twice before"
                                  : "not asked");
}

/* "1.29 ms on the NVIDIA H100 80GB HBM3, 1.40 x the 0.923 ms on the NVIDIA H200: ..." The value
 * here is the truth's formula with this GPU in the place of the other. */
static void say_across(struct graded *out, const struct walk *w, const struct truth *t)
{
    char there[40], here[40], beside[160] = "";
    struct other_gpu own = {.device = *w->scope.device,
                            .times = (struct evidence *)(uintptr_t)w->scope.all};
    struct walk home = *w;
    home.scope.other = &own;
    double value = value_in(&home, &t->truth, t->estimate->dim);
    quantity_show(there, sizeof there, out->truth, t->estimate->unit);
    quantity_show(here, sizeof here, value, t->estimate->unit);
    if (value > 0)
        snprintf(beside, sizeof beside, ", %.2f x the %s on the %s", out->truth / value, here,
                 own.device.name);
    snprintf(out->why, sizeof out->why, "%s on the %s%s. %s", there,
             w->scope.other->device.name, beside, t->because);
}

/* How one gets there without measuring. */
static void say_worked(struct graded *out, const struct walk *w, const struct truth *t)
{
    const char *unit = t->estimate->unit;
    char truth[40], paper[40], first[64] = "";
    bool told = out->how <= GRADED_SLIP;
    double value = value_in(w, &t->working, t->estimate->dim);
    if (!(value > 0))
        return;
    quantity_show(truth, sizeof truth, out->truth, unit);
    quantity_show(paper, sizeof paper, value, unit);
    if (!told)
        snprintf(first, sizeof first, "it is %s; ", truth);
    bool again = !told && !strcmp(truth, paper);
    snprintf(out->worked, sizeof out->worked, "%son paper: %.200s%s%s", first,
             formula_text(t->working.f), again ? "" : " = ", again ? "" : paper);
}

static void grade_one(struct graded *out, const struct walk *w, const struct estimate *estimate,
                      double possible)
{
    const struct truth *t = NULL;
    for (int k = 0; k < w->v->n_truths; k++)
        if (w->v->truths[k].estimate == estimate)
            t = &w->v->truths[k];
    int n = t ? t->n_mistakes : 0;
    struct slip_value *slips = mem_new((size_t)n, sizeof *slips);
    for (int m = 0; m < n; m++)
        slips[m] = (struct slip_value){value_in(w, &t->mistakes[m].value, estimate->dim),
                                       t->mistakes[m].says};
    int at = given_at(w->i, estimate->id);
    enum left left = investigation_left_out(w->i, estimate);
    double truth = t ? value_in(w, &t->truth, estimate->dim) : NAN;
    out->estimate = estimate;
    if (left != LEFT_NOT)
        leave_one(out, estimate, left, truth);
    else
        estimate_grade(out, at >= 0 ? w->i->estimates[at].answer : NULL, estimate->unit, truth,
                       t ? t->within : 1.1, slips, n, possible);
    if (estimate->across && t && w->scope.device && truth > 0)
        say_across(out, w, t);
    else if (!estimate->across && t && left == LEFT_NOT && out->how != GRADED_NO_TRUTH)
        say_worked(out, w, t);
    free(slips);
}

/* "Faster" earns nothing until the result was checked: in a wrong pair the estimates count only
 * when an experiment on the result was bought. */
static bool estimates_count(const struct walk *w)
{
    return w->v->pair != PAIR_WRONG || walk_checked(w);
}

static void grade_all(struct debrief *out, const struct walk *w)
{
    int n = investigation_estimates(w->i), asked = 0;
    int possible = score_line_possible(LINE_ESTIMATES);
    double sum = 0;
    for (int e = 0; e < n; e++)
        asked += investigation_left_out(w->i, &w->i->story->estimates[e]) == LEFT_NOT;
    for (int e = 0; e < n && e < (int)(sizeof out->graded / sizeof *out->graded); e++) {
        double each = asked ? (double)possible / asked : 0;
        grade_one(&out->graded[e], w, &w->i->story->estimates[e], each);
        sum += out->graded[e].points;
        out->n_graded++;
    }
    out->score.line[LINE_ESTIMATES] = asked && estimates_count(w) ? sum : 0;
    out->score.possible[LINE_ESTIMATES] = asked ? possible : 0;
}

/* ---- everything ---- */

/* What the interviewer cut off is not judged, and not among what could be had. Beliefs that stood
 * then are judged if anything had been bought. */
static void leave_out_cut(struct score *s, unsigned cut)
{
    const bool gone[LINE_COUNT] = {
        [LINE_CAUSE] = cut & CUT_TESTS,      [LINE_EVIDENCE] = cut & CUT_TESTS,
        [LINE_UPDATING] = cut & CUT_LOCK,    [LINE_LOCATION] = cut & CUT_PLACE,
        [LINE_REMEDY] = cut & CUT_PLACE,
    };
    for (int l = 0; l < LINE_COUNT; l++) {
        s->cut[l] = gone[l] || (l == LINE_UPDATING && cut & CUT_ANSWER);
        if (s->cut[l])
            s->possible[l] = gone[l] ? 0 : UPDATING_COMMITTED;
    }
}

static void score_all(struct debrief *out, const struct walk *w)
{
    const struct investigation *i = w->i;
    const double *last = w->you[w->n];
    bool asks_left = story_asks_left(i->story) && !(i->cut & CUT_PLACE);
    double q = score_quality(last, w->k, w->truth);
    double share[LINE_COUNT] = {
        [LINE_CAUSE] = score_cause(q, asks_left, walk_said_left(w)),
        [LINE_EVIDENCE] = walk_thrift(w) * q,
        [LINE_UPDATING] = walk_updating(w, last),
        [LINE_LOCATION] = variant_is_at(w->v, i->line),
        [LINE_REMEDY] = i->remedy >= 0 && (w->v->remedies & 1u << i->remedy),
    };
    for (int l = 0; l < LINE_COUNT; l++)
        out->score.possible[l] = score_line_possible((enum score_line_id)l);
    leave_out_cut(&out->score, i->cut);
    for (int l = 0; l < LINE_COUNT; l++)
        out->score.line[l] = share[l] * out->score.possible[l];
    grade_all(out, w);
    score_add_up(&out->score);
}

static double number(const struct walk *w, const char *name)
{
    struct quantity q;
    struct scope s = w->scope;
    return scope_lookup(&s, name, &q, NULL) == 0 && isfinite(q.value) ? q.value : 0;
}

static double clocked(const struct walk *w, const char *run)
{
    char name[48];
    story_clock_of(name, sizeof name, w->v->story, run);
    return number(w, name);
}

static void side_by_side(struct debrief *out, const struct walk *w)
{
    double copy = number(w, "ceiling.copy");
    out->time_suspect = clocked(w, "suspect");
    out->in_turns = w->scope.all && !evidence_alone(w->scope.all, "a");
    out->time_fix = clocked(w, "fix");
    out->time_best = number(w, "best.time");
    out->time_half = w->v->then ? number(w, "half.time") : 0;
    out->time_rest = w->v->then ? number(w, "rest.time") : 0;
    out->time_copy = copy > 0 ? number(w, "work.bytes") / copy : 0;
    out->ratio = number(w, "ratio");
    for (int k = 0; story_claims_speed_up(w->v->story) && k < 2; k++)
        snprintf(out->right[k], sizeof out->right[k], "%.3g x faster",
                 number(w, k ? "fix.speed_up" : "suspect.speed_up"));
    const char *failure = variant_fails(w->v) ? finding_failure(w->scope.all) : NULL;
    if (failure)
        snprintf(out->right[0], sizeof out->right[0], "%s", failure);
    out->in_band =
        failure || (out->ratio > 0 && out->ratio >= w->v->effect_low &&
                    out->ratio <= w->v->effect_high);
}

/* The most of a metric, and at which step of the story's own sweep; "": at its own size. */
struct worst { double value; char where[48]; };

static void worse(struct worst *most, const struct scope *scope, const struct msg_part *p,
                  const char *metric, const char *experiment)
{
    const struct msg_value *v = msg_part_value(p, metric);
    int step = p->variant;
    if (!v || !v->present || v->value <= most->value)
        return;
    const struct experiment *x = experiment ? story_experiment(scope->story, experiment)
                                            : request_step_of(scope->story, p->variant, &step);
    *most = (struct worst){.value = v->value};
    if (x && step >= 0 && x->kind == EXPERIMENT_SWEEP && !x->standard && x->measure == p->probe)
        request_step_label(most->where, sizeof most->where, scope->story, scope->device, x, step);
}

/* The largest of one metric over everything that was measured of a run, its experiments included;
 * -1: nothing was. */
static struct worst worst(const struct scope *scope, const char *run, const char *metric)
{
    struct worst most = {.value = -1};
    int own = strcmp(run, "a") == 0 ? scope->n_bought : 0;
    for (int k = -1; k < own; k++) {
        const struct evidence *e = k < 0 ? scope->all : scope->bought[k];
        for (int i = 0; e && i < e->n_parts; i++)
            if (strcmp(e->parts[i].run, run) == 0)
                worse(&most, scope, &e->parts[i], metric, k < 0 ? NULL : e->probe);
    }
    return most;
}

void debrief_right(char (*right)[64], const struct scope *scope)
{
    static const char *const runs[] = {"a", "b", "c"};
    static const char *const found[][2] = {{"wrong_elements", "wrong"},
                                           {"poisoned_wrong", "wrong if poisoned"},
                                           {"race_hazards", "hazards"},
                                           {"memory_errors", "memory errors"},
                                           {"uninitialised_reads", "uninitialised global reads"},
                                           {"barrier_errors", "barrier errors"},
                                           {"canaries_broken", "bytes outside"},
                                           {"inputs_changed", "inputs changed"}};
    for (int k = 0; k < 3; k++) {
        if (worst(scope, runs[k], found[0][0]).value >= 0)
            snprintf(right[k], sizeof right[k], "0 wrong");
        for (size_t f = sizeof found / sizeof *found; f-- > 0;) {
            struct worst most = worst(scope, runs[k], found[f][0]);
            if (most.value > 0)
                snprintf(right[k], sizeof right[k], "%.0f %s%s%s", most.value, found[f][1],
                         *most.where ? ", " : "", most.where);
        }
    }
}

static void belief_rows(struct debrief *out, const struct walk *w)
{
    int room = (int)(sizeof out->belief / sizeof *out->belief);
    out->knew_after = -1;
    for (int s = 0; s <= w->n && s < room; s++) {
        snprintf(out->belief[s].after, sizeof out->belief[s].after, "%s", w->i->steps[s].after);
        out->belief[s].you = (int)lround(100 * w->you[s][w->truth]);
        out->belief[s].ideal = (int)lround(100 * w->ideal[s][w->truth]);
        if (out->knew_after < 0 && w->ideal[s][w->truth] >= ENOUGH)
            out->knew_after = s;
        out->n_belief++;
    }
}

static void held_readings(struct debrief *out, const struct walk *w)
{
    int room = (int)(sizeof out->held / sizeof *out->held);
    bool *flags = mem_new((size_t)w->v->n_readings, sizeof *flags);
    walk_readings(w, w->i->n_bought, flags);
    for (int r = 0; r < w->v->n_readings && out->n_held < room; r++)
        if (flags[r] && investigation_has(w->i, w->v->readings[r].probe))
            out->held[out->n_held++] = &w->v->readings[r];
    free(flags);
}

static bool was_answered(const struct investigation *i)
{
    return i->phase == PHASE_RESPONDED || i->phase == PHASE_REVEALED ||
           (i->phase == PHASE_COMMITTED && i->variant->n_pushbacks == 0);
}

int debrief_score(struct score *out, const struct investigation *i, const struct msg_device *device,
                  const struct evidence *all, struct err *err)
{
    struct walk w;
    struct debrief d = {0};
    if (!was_answered(i))
        return err_set(err, ERR_BAD_REQUEST,
                       "a score follows the commitment and the answer to the pushback");
    walk_make(&w, i, device, all);
    score_all(&d, &w);
    walk_free(&w);
    *out = d.score;
    return 0;
}

int debrief_make(struct debrief *out, const struct investigation *i,
                 const struct msg_device *device, const struct evidence *all, struct err *err)
{
    struct walk w;
    *out = (struct debrief){.knew_after = -1};
    if (!was_answered(i))
        return err_set(err, ERR_BAD_REQUEST,
                       "a debrief follows the commitment and the answer to the pushback");
    walk_make(&w, i, device, all);
    found_make(&out->found, i, NULL, 0);
    score_all(out, &w);
    side_by_side(out, &w);
    if (w.v->pair == PAIR_WRONG)
        debrief_right(out->right, &w.scope);
    belief_rows(out, &w);
    held_readings(out, &w);
    struct scope scope = w.scope;
    ideal_cheapest(w.v, &scope, ENOUGH, &out->cheapest);
    debrief_words(out, &w);
    walk_free(&w);
    return 0;
}
