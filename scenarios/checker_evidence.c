/* Rules about recorded evidence: is it there, does it belong to what the pack says now, and does it show what the answer claims. */
#include "scenarios/checker.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/ideal.h"
#include "scenarios/request.h"

enum { MOST_BOUGHT = 64 };
static const double ENOUGH = 0.90;

/* One variant on one recording: everything bought. */
struct checking {
    struct findings *f;
    const struct variant *v;
    const struct pack *pack;
    const struct recording *r;
    bool live;
    struct evidence *all, *bought[MOST_BOUGHT];
    struct scope scope;
};

static const struct place nowhere = {0};

static void buy(struct checking *k, const char *probe)
{
    struct evidence *e = NULL;
    if (!strcmp(probe, "source"))
        e = request_source(k->v, k->r->device.name);
    else if (request_recall(&e, k->v, k->r, probe, NULL))
        return;
    if (k->scope.n_bought < MOST_BOUGHT)
        k->bought[k->scope.n_bought++] = e;
    else
        evidence_free(e);
}

static void buy_everything(struct checking *k)
{
    size_t n;
    const struct probe *table = probe_table(&n);
    k->scope = (struct scope){.story = k->v->story, .device = &k->r->device, .bought = k->bought, .all = k->all};
    for (size_t i = 0; i < n; i++)
        if (table[i].wire >= 0 || table[i].id == SHOP_SOURCE)
            if (table[i].id != SHOP_EXPERIMENT)
                buy(k, table[i].name);
    for (int x = 0; x < k->v->story->n_experiments; x++)
        buy(k, k->v->story->experiments[x].id);
}

static void find(struct checking *k, const char *rule, struct place at, const char *fmt, ...) __attribute__((format(printf, 4, 5)));

static void find(struct checking *k, const char *rule, struct place at, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char text[2048];
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    findings_add(k->f, rule, k->pack, k->v->full_id, k->r->device.slug, at, "%s", text);
}

/* ---- what must hold ---- */

static void check_effect(struct checking *k)
{
    struct quantity ratio;
    struct err err = {0};
    if (scope_lookup(&k->scope, "ratio", &ratio, &err))
        find(k, "effect", nowhere, "%s", err.text);
    else if (ratio.value < k->v->effect_low || ratio.value > k->v->effect_high)
        find(k, "effect", nowhere, "the effect is %.3g, outside its band [%.3g, %.3g]", ratio.value, k->v->effect_low, k->v->effect_high);
    for (int i = 0; i < k->v->n_proves; i++) {
        const struct formula *f = k->v->proves[i].f;
        int holds = formula_holds(f, scope_lookup, &k->scope, NULL, &err);
        if (holds <= 0)
            find(k, "proves", place_of(k->pack, &k->v->proves[i]), "does not hold: %s%s%s", formula_text(f), holds < 0 ? ": " : "",
                 holds < 0 ? err.text : "");
    }
}

static void check_truths(struct checking *k)
{
    for (int i = 0; i < k->v->n_truths; i++) {
        const struct truth *t = &k->v->truths[i];
        struct quantity q;
        struct err err = {0};
        if (formula_eval(t->truth.f, scope_lookup, &k->scope, &q, NULL, &err))
            find(k, "truth", place_of(k->pack, &t->truth), "the truth of estimate %s: %s", t->estimate->id, err.text);
        else if (q.value <= 0)
            find(k, "truth", place_of(k->pack, &t->truth), "the truth of estimate %s is %g; graded answers are above zero", t->estimate->id, q.value);
    }
}

/* Compared with the reference, plainly and after poison. Steps of other experiments change what is computed. */
static bool is_verdict(const struct msg_part *p)
{
    return (p->probe == PROBE_CHECK && p->variant < 0) || p->probe == PROBE_POISON;
}

static bool shows(const struct msg_part *p, const char *metric, double above)
{
    const struct msg_value *v = msg_part_value(p, metric);
    return v && v->present && v->value > above;
}

/* A race may compute the right result most of the time. */
static bool is_race(const struct msg_part *p)
{
    const struct msg_value *n = msg_part_value(p, "repeats"), *same = msg_part_value(p, "identical_repeats");
    return shows(p, "race_hazards", 0) || (n && same && n->present && same->present && same->value < n->value);
}

/* Of the pair only the suspect may compute a wrong result, and something must show it where that is the story. */
static void check_verdicts(struct checking *k)
{
    static const char *const names[] = {"suspect.cu", "fix.cu", "best.cu"};
    bool shown = false;
    for (int i = 0; i < k->all->n_parts; i++) {
        const struct msg_part *p = &k->all->parts[i];
        int run = p->run[0] - 'a';
        if (run < 0 || run > 2)
            continue;
        bool wanted = run == 0 && k->v->pair == PAIR_WRONG, is_wrong = is_verdict(p) && msg_part_note(p, "verdict: wrong");
        if (is_wrong && !wanted)
            find(k, "verdict", nowhere, "%s computes a wrong result%s", names[run], p->probe == PROBE_POISON ? " when memory is poisoned" : "");
        shown = shown || (run == 0 && (is_wrong || is_race(p)));
    }
    if (k->v->pair == PAIR_WRONG && !shown)
        find(k, "verdict", nowhere, "the pair is a wrong one, but neither comparison, poison, repetition nor racecheck shows that suspect.cu is");
}

static void check_path(struct checking *k)
{
    struct path path;
    struct quantity ratio = {0};
    bool reached = ideal_cheapest(k->v, &k->scope, ENOUGH, &path) == 0;
    scope_lookup(&k->scope, "ratio", &ratio, NULL);
    if (!k->live)
        findings_measured(k->f, k->v, k->r->device.slug, ratio.value, &path, reached);
    if (!reached)
        find(k, "ideal", nowhere, "no purchases take an even reader to 90 %% on the truth; the best reach %.0f %%", path.belief * 100);
}

/* ---- a variant ---- */

static int hold_claims(struct checking *k, bool *flags, check_also *also, void *ctx, struct err *err)
{
    int rc = request_recall_all(&k->all, k->v, k->r, err);
    if (rc == 0) {
        buy_everything(k);
        check_effect(k);
        check_truths(k);
        check_verdicts(k);
        check_path(k);
        ideal_flags(k->v, &k->scope, flags);
        if (also)
            also(ctx, &k->scope);
    }
    for (int i = 0; i < k->scope.n_bought; i++)
        evidence_free(k->bought[i]);
    evidence_free(k->all);
    return rc;
}

int check_claims(struct findings *f, const struct variant *v, const struct recording *live, bool *flags, check_also *also, void *ctx, struct err *err)
{
    struct checking k = {.f = f, .v = v, .pack = v->story->pack, .r = live, .live = true};
    return hold_claims(&k, flags, also, ctx, err);
}

/* held[i]: reading i held on a recording. */
static void check_recording(struct findings *f, const struct variant *v, const struct recording *r, bool *held)
{
    struct checking k = {.f = f, .v = v, .pack = v->story->pack, .r = r};
    struct err err = {0};
    bool *flags = mem_new((size_t)v->n_readings, sizeof *flags);
    if (request_fresh(v, r, &err) || hold_claims(&k, flags, NULL, NULL, &err))
        find(&k, "evidence-stale", nowhere, "%s", err.text);
    for (int i = 0; i < v->n_readings; i++)
        held[i] = held[i] || flags[i];
    free(flags);
}

static void check_readings(struct findings *f, const struct variant *v, const bool *held)
{
    for (int i = 0; i < v->n_readings; i++) {
        const struct reading *r = &v->readings[i];
        if (!held[i])
            findings_add(f, "reading-idle", v->story->pack, v->full_id, NULL, place_of(v->story->pack, &r->expect),
                         "this reading of %s holds on no recorded GPU: %s", r->probe, r->expect.f ? formula_text(r->expect.f) : r->fact);
    }
}

void check_evidence(struct findings *f, const struct variant *v)
{
    struct err err = {0};
    struct recording **recordings = NULL;
    int n = 0, before = f->n;
    if (recordings_of(v, &recordings, &n, &err)) {
        findings_add(f, "evidence-stale", v->story->pack, v->full_id, NULL, nowhere, "%s", err.text);
        return;
    }
    bool *held = mem_new((size_t)v->n_readings, sizeof *held);
    for (int i = 0; i < n; i++)
        check_recording(f, v, recordings[i], held);
    if (n == 0)
        findings_add(f, "evidence-missing", v->story->pack, v->full_id, NULL, nowhere, "there is no recorded evidence (warpdrill record brings it)");
    if (f->n == before)
        check_readings(f, v, held);
    free(held);
    recordings_free(recordings, n);
}
