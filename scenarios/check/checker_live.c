#include "scenarios/check/checker_live.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/os.h"
#include "kernels/wire/text.h"
#include "scenarios/check/checker_sabotage.h"
#include "scenarios/check/checker_sizes.h"
#include "scenarios/check/checks.h"
#include "scenarios/check/live.h"
#include "scenarios/evidence/request.h"
#include "scenarios/pack/failing.h"
#include "scenarios/pack/recordings.h"

static const struct place nowhere = {0};
static const double NARROW = 0.02;      /* of a reading: what a second measurement may differ by */

json_t *lived_encode(const struct lived *l)
{
    json_t *o = json_pack("{s:s, s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:{s:f, s:f, s:f}}",
                          "scenario", l->scenario, "gpu", l->gpu, "sizes", l->sizes, "sizes_right",
                          l->sizes_right, "spoilt", l->spoilt, "refused", l->refused, "readings",
                          l->readings, "held", l->held, "not_again", l->not_again, "seconds",
                          "bought", l->bought_s, "sizes", l->sizes_s, "spoilt", l->spoilt_s);
    if (l->timed)
        json_object_set_new(o, "effect",
                            json_pack("{s:f, s:f, s:f}", "value", l->ratio, "low", l->low, "high",
                                      l->high));
    return o;
}

/* ---- the pair ---- */

/* Two benchmarks are no pair that is timed in turns: each reports one time. */
static void compare_reports(const struct live *l, const struct msg_measure *m)
{
    const struct msg_part *a = batch_part(l->batch, m, 0, "a"),
                          *b = batch_part(l->batch, m, 1, "b");
    const struct msg_value *reported = a ? msg_part_time(a) : NULL,
                           *honest = b ? msg_part_time(b) : NULL;
    const char *why;
    if (reported && reported->present && honest && honest->present && honest->value > 0) {
        l->out->timed = true;
        l->out->ratio = l->out->low = l->out->high = reported->value / honest->value;
        return;
    }
    batch_why(l->batch, m, a ? 1 : 0, &why);
    live_find(l, "live-effect", live_in_answer(l, "effect"), "the benchmarks were not run: %s",
              why);
}

static void check_pair(const struct live *l)
{
    struct msg_measure m;
    struct err err = {0};
    if (request_build(&m, l->v, l->device, "pair", LIVE_SEED, &err)) {
        live_find(l, "live-effect", live_in_answer(l, "effect"), "%s", err.text);
        return;
    }
    if (variant_fails(l->v)) { /* nothing to be compared: check_claims looks at its outcome */
        l->out->fails = true;
        msg_measure_free(&m);
        return;
    }
    if (story_is_harness(l->v->story)) {
        compare_reports(l, &m);
        msg_measure_free(&m);
        return;
    }
    const struct msg_part *p = batch_part(l->batch, &m, 0, "a/b");
    const struct msg_value *ratio = p ? msg_part_value(p, "ratio") : NULL;
    const char *why;
    if (!ratio || !ratio->present) {
        batch_why(l->batch, &m, 0, &why);
        live_find(l, "live-effect", live_in_answer(l, "effect"), "the pair was not timed: %s",
                  ratio && ratio->missing ? ratio->missing : why);
    } else {
        l->out->timed = true;
        l->out->ratio = ratio->value;
        l->out->low = ratio->low;
        l->out->high = ratio->high;
    }
    msg_measure_free(&m);
    if (l->out->timed && l->v->pair == PAIR_REGRESSION && l->out->low <= 1)
        live_find(l, "live-effect", live_in_answer(l, "effect"),
                  "the effect is %.3g, between %.3g and %.3g: noise alone may make it",
                  l->out->ratio, l->out->low, l->out->high);
}

static bool is_correctness(const struct story *s, const char *probe)
{
    const struct experiment *x = story_experiment(s, probe);
    const struct probe *p = probe_by_name(probe);
    if (x)
        return x->shop == SHOP_VERIFY || x->measure == PROBE_CHECK;
    return p && p->id == SHOP_VERIFY;
}

static void check_shown(const struct live *l, const bool *flags)
{
    const struct variant *v = l->v;
    unsigned cause = 1u << v->cause;
    for (int i = 0; i < v->n_readings; i++) {
        const struct reading *r = &v->readings[i];
        if (flags[i] && r->expect.f && (r->says[WORD_SETTLES] | r->says[WORD_FOR]) & cause &&
            is_correctness(v->story, r->probe))
            return;
    }
    live_find(l, "live-blind", live_in_answer(l, "readings"),
              "no reading of an experiment of correctness that holds here settles, or is for, %s",
              v->story->hypotheses[v->cause]->id);
}

/* ---- readings ---- */

/* What the readings show on a recorded GPU, for those that do not hold here. */
struct elsewhere {
    const struct live *l;
    const struct recording *r;
    bool *held;
    char **shown;
    const bool *here;
};

/* In which a reading of an experiment sees that experiment's series. */
static struct scope scope_of(const struct scope *all, const struct reading *r)
{
    struct scope own = *all;
    if (story_experiment(own.story, r->probe))
        own.experiment = r->probe;
    return own;
}

static char *show(const struct scope *all, const struct reading *r)
{
    char text[400];
    struct err err = {0};
    struct scope own = scope_of(all, r);
    if (r->expect.f && formula_holds(r->expect.f, scope_lookup, &own, NULL, &err) < 0)
        return text_format("cannot be known: %s", err.text);
    formula_show(r->expect.f, scope_lookup, &own, text, sizeof text);
    return text_dup(text);
}

static void look_elsewhere(void *ctx, const struct scope *scope)
{
    struct elsewhere *e = ctx;
    const struct variant *v = e->l->v;
    bool *flags = mem_new((size_t)v->n_readings, sizeof *flags);
    ideal_flags(v, scope, flags);
    for (int i = 0; i < v->n_readings; i++) {
        if (!flags[i] || e->here[i] || e->held[i] || !v->readings[i].expect.f)
            continue;
        e->held[i] = true;
        char *values = show(scope, &v->readings[i]);
        e->shown[i] = text_format("on %s: %s", e->r->device.slug, values);
        free(values);
    }
    free(flags);
}

static void look_at_recordings(struct elsewhere *e)
{
    struct recording **recordings = NULL;
    int n = 0;
    if (recordings_of(e->l->v, &recordings, &n, NULL))
        return;
    bool *flags = mem_new((size_t)e->l->v->n_readings, sizeof *flags);
    for (int i = 0; i < n; i++) {
        struct findings not_asked = {0};
        e->r = recordings[i];
        check_claims(&not_asked, e->l->v, recordings[i], flags, look_elsewhere, e, NULL);
        findings_free(&not_asked);
    }
    free(flags);
    recordings_free(recordings, n);
}

/* A scope in which one name has another value. */
struct nudge { struct scope scope; const char *name; double factor; };

static int nudged_lookup(void *ctx, const char *name, struct quantity *out, struct err *err)
{
    struct nudge *n = ctx;
    int rc = scope_lookup(&n->scope, name, out, err);
    if (rc == 0 && !strcmp(name, n->name))
        out->value *= n->factor;
    return rc;
}

/* Times and counters of the hardware differ from run to run; counts of wrong elements, registers
 * and sectors do not. */
static bool is_noisy(const char *name)
{
    char metric[64];
    static const char *const series[] = {".first", ".last", ".min", ".max"};
    size_t n = strlen(name);
    for (size_t i = 0; i < sizeof series / sizeof *series; i++)
        if (n > strlen(series[i]) && !strcmp(name + n - strlen(series[i]), series[i])) {
            n -= strlen(series[i]);
            break;
        }
    snprintf(metric, sizeof metric, "%.*s", (int)n, name);
    const struct metric *m = metric_find(metric);
    if (!strcmp(metric, "copy_fraction"))
        return true;
    return m &&
           (m->probe == PROBE_TIMING || m->probe == PROBE_BENCHMARK || m->probe == PROBE_DRAM ||
            m->probe == PROBE_OCCUPANCY || m->probe == PROBE_STALLS || m->probe == PROBE_PIPES);
}

struct margin { struct scope scope; const struct formula *f; bool narrow; };

static int try_name(void *ctx, const char *name)
{
    struct margin *m = ctx;
    for (int sign = -1; sign <= 1 && is_noisy(name); sign += 2) {
        struct nudge n = {m->scope, name, 1 + sign * NARROW};
        m->narrow = m->narrow || formula_holds(m->f, nudged_lookup, &n, NULL, NULL) == 0;
    }
    return 0;
}

static bool is_narrow(const struct scope *all, const struct reading *r)
{
    struct margin m = {.scope = scope_of(all, r), .f = r->expect.f};
    formula_names(m.f, try_name, &m, NULL);
    return m.narrow;
}

/* Those that hold here: is it more than luck? The others: what they would need. */
static void check_margins(const struct live *l, const struct scope *scope, const bool *flags,
                          char **shown)
{
    for (int i = 0; i < l->v->n_readings; i++) {
        const struct reading *r = &l->v->readings[i];
        if (!r->expect.f)
            continue;
        shown[i] = show(scope, r);
        if (flags[i] && is_narrow(scope, r))
            live_find(l, "live-margin", place_of(l->v->story->pack, &r->expect),
                      "a reading of %s holds by %.0f %% or less: %s", r->probe, NARROW * 100,
                      shown[i]);
    }
}

static void check_readings(const struct live *l, const bool *flags, char *const *shown)
{
    const struct variant *v = l->v;
    size_t n = (size_t)v->n_readings;
    struct elsewhere e = {.l = l,
                          .held = mem_new(n, sizeof(bool)),
                          .shown = mem_new(n, sizeof(char *)),
                          .here = flags};
    look_at_recordings(&e);
    for (int i = 0; i < v->n_readings; i++) {
        const struct reading *r = &v->readings[i];
        struct place at = place_of(v->story->pack, &r->expect);
        l->out->readings++;
        l->out->held += flags[i];
        if (!flags[i] && e.held[i])
            live_find(l, "live-reading", at, "a reading of %s does not hold here: %s; %s", r->probe,
                      shown[i] ? shown[i] : "it was not bought", e.shown[i]);
        else if (!flags[i])
            live_find(l, "live-idle", at,
                      "a reading of %s holds neither here nor on a recorded GPU: %s", r->probe,
                      shown[i] ? shown[i] : r->fact);
        free(e.shown[i]);
    }
    free(e.held);
    free(e.shown);
}

/* ---- estimates ---- */

static void check_estimates(const struct live *l, const struct scope *scope)
{
    for (int i = 0; i < l->v->n_truths; i++) {
        const struct truth *t = &l->v->truths[i];
        struct quantity truth, working;
        struct scope own = *scope;
        struct err err = {0};
        if (formula_eval(t->truth.f, scope_lookup, &own, &truth, NULL, NULL) || truth.value <= 0)
            continue;       /* the rule `truth` says it */
        struct place at = place_of(l->v->story->pack, &t->working);
        if (formula_eval(t->working.f, scope_lookup, &own, &working, NULL, &err))
            live_find(l, "live-estimate", at, "the working of %s cannot be computed: %s",
                      t->estimate->id, err.text);
        else if (working.value <= 0 ||
                 fabs(log(working.value / truth.value)) > log(t->within) + 1e-9)
            live_find(l, "live-estimate", at,
                      "the working of %s gives %.4g, its truth here is %.4g; within a factor of %g "
                      "was expected",
                      t->estimate->id, working.value, truth.value, t->within);
    }
}

/* ---- a variant ---- */

struct seen { const struct live *l; bool *flags; char **shown; };

static void look_here(void *ctx, const struct scope *scope)
{
    struct seen *s = ctx;
    check_estimates(s->l, scope);
    check_margins(s->l, scope, s->flags, s->shown);
}

/* What nothing came of, though it was asked. */
static void check_gaps(const struct live *l, const struct msg_measure *m)
{
    for (int i = 0; i < m->n_items; i++) {
        char what[160];
        const char *why;
        const struct msg_item *it = &m->items[i];
        if (batch_part(l->batch, m, i, it->n_runs == 2 ? "a/b" : it->runs[0]) ||
            batch_part(l->batch, m, i, it->runs[0]))
            continue;
        request_describe_item(what, sizeof what, l->v, m, i);
        batch_why(l->batch, m, i, &why);
        live_find(l, "live-gap", nowhere, "%s: %s", what, why);
    }
}

/* Of all that is known the parts that answer `m`. Borrowed from the batch but for the array of
 * items. */
static struct recording view_of(const struct batch *b, const struct msg_measure *m)
{
    const struct recording *known = batch_known(b);
    struct recording view = *known;
    char (*keys)[65] = mem_new((size_t)m->n_items, sizeof *keys);
    view.n_items = 0;
    view.items = mem_new((size_t)known->n_items, sizeof *view.items);
    for (int i = 0; i < m->n_items; i++)
        msg_item_key(keys[i], m, i, NULL);
    for (int k = 0; k < known->n_items; k++)
        for (int i = 0; i < m->n_items; i++)
            if (!strcmp(known->items[k].key, keys[i])) {
                view.items[view.n_items++] = known->items[k];
                break;
            }
    free(keys);
    return view;
}

static void check_answer(const struct live *l, const struct recording *all)
{
    size_t n = (size_t)l->v->n_readings;
    struct seen s = {l, mem_new(n, sizeof(bool)), mem_new(n, sizeof(char *))};
    struct err err = {0};
    check_pair(l);
    if (check_claims(l->f, l->v, all, s.flags, look_here, &s, &err)) {
        live_find(l, "live-gap", nowhere, "the answer was not held against this GPU: %s", err.text);
    } else {
        if (l->v->pair == PAIR_WRONG)
            check_shown(l, s.flags);
        check_readings(l, s.flags, s.shown);
    }
    for (size_t i = 0; i < n; i++)
        free(s.shown[i]);
    free(s.shown);
    free(s.flags);
}

/* Takes over what a recording of such a GPU has of tools that did not end: half a minute each, that
 * would bring nothing again. */
static void adopt_cut(const struct live *l, const struct msg_measure *m, const struct recording *r)
{
    for (int i = 0; i < m->n_items; i++) {
        char key[65];
        const struct msg_item *it = &m->items[i];
        if (it->probe != PROBE_SANITIZE || batch_part(l->batch, m, i, it->runs[0]) ||
            msg_item_key(key, m, i, NULL))
            continue;
        const struct msg_part *p = recording_find(r, key, it->runs[0]);
        if (p && live_was_cut(p)) {
            batch_adopt(l->batch, key, p);
            l->out->not_again++;
        }
    }
}

static void look_for_cuts(const struct live *l, const struct msg_measure *m)
{
    struct recording **recordings = NULL;
    int n = 0;
    if (recordings_of(l->v, &recordings, &n, NULL))
        return;
    for (int i = 0; i < n; i++)
        if (!strcmp(recordings[i]->device.slug, l->device->slug) &&
            recordings[i]->method == batch_known(l->batch)->method)
            adopt_cut(l, m, recordings[i]);
    recordings_free(recordings, n);
}

static int measure_all(const struct live *l, struct err *err)
{
    struct msg_measure m;
    char what[200];
    int rc = request_build(&m, l->v, l->device, "all", LIVE_SEED, err);
    if (rc)
        return rc;
    look_for_cuts(l, &m);
    snprintf(what, sizeof what, "%s: everything bought", l->v->full_id);
    rc = batch_measure(l->batch, &m, what, err);
    if (rc == 0) {
        struct recording all = view_of(l->batch, &m);
        check_gaps(l, &m);
        check_answer(l, &all);
        free(all.items);
    }
    msg_measure_free(&m);
    return rc;
}

/* One of the parts, with its time. */
static int timed(int (*part)(const struct live *l, struct err *err), const struct live *l,
                 double *seconds, struct err *err)
{
    int64_t from = os_monotonic_ms();
    int rc = part(l, err);
    *seconds = (double)(os_monotonic_ms() - from) / 1000;
    return rc;
}

int check_live(struct findings *f, struct batch *b, const struct msg_device *device,
               const struct variant *v, struct lived *out, struct err *err)
{
    struct live l = {f, b, device, v, out};
    *out = (struct lived){0};
    snprintf(out->scenario, sizeof out->scenario, "%s", v->full_id);
    snprintf(out->gpu, sizeof out->gpu, "%s", device->slug);
    int rc = request_needs(v->story, device, err);
    if (rc == 0)
        rc = timed(measure_all, &l, &out->bought_s, err);
    bool alone = v->story->gpus < 2; /* several GPUs take what is bought alone */
    if (rc == 0 && alone)
        rc = timed(live_check_sizes, &l, &out->sizes_s, err);
    if (rc == 0 && alone)
        rc = timed(live_check_sabotage, &l, &out->spoilt_s, err);
    if (rc == 0 || rc == ERR_LOST)
        return rc;
    live_find(&l, "live-gap", nowhere, "not checked on this GPU: %s", err->text);
    return 0;
}
