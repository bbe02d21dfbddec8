/* Rules about recorded evidence: is it there, does it belong to what the pack says now, and does it show what the answer claims. */
#include "scenarios/checker.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/checker_bought.h"
#include "scenarios/request.h"

static const double ENOUGH = 0.90;

/* One variant on one recording. */
struct checking {
    struct findings *f;
    const struct variant *v;
    const struct pack *pack;
    const struct recording *r;
    bool live;
    struct scope *scope;       /* everything bought */
    const struct evidence *all;
};

static const struct place nowhere = {0};

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
    if (scope_lookup(k->scope, "ratio", &ratio, &err))
        find(k, "effect", nowhere, "%s", err.text);
    else if (ratio.value < k->v->effect_low || ratio.value > k->v->effect_high)
        find(k, "effect", nowhere, "the effect is %.3g, outside its band [%.3g, %.3g]", ratio.value, k->v->effect_low, k->v->effect_high);
    for (int i = 0; i < k->v->n_proves; i++) {
        const struct formula *f = k->v->proves[i].f;
        int holds = formula_holds(f, scope_lookup, k->scope, NULL, &err);
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
        if (formula_eval(t->truth.f, scope_lookup, k->scope, &q, NULL, &err))
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
    bool reached = ideal_cheapest(k->v, k->scope, ENOUGH, &path) == 0;
    scope_lookup(k->scope, "ratio", &ratio, NULL);
    if (!k->live)
        findings_measured(k->f, k->v, k->r->device.slug, ratio.value, &path, reached);
    if (!reached)
        find(k, "ideal", nowhere, "no purchases take an even reader to 90 %% on the truth; the best reach %.0f %%", path.belief * 100);
}

/* ---- a variant ---- */

static void hold_claims(struct checking *k, struct bought *b)
{
    k->scope = &b->scope;
    k->all = b->all;
    check_effect(k);
    check_truths(k);
    check_verdicts(k);
    check_path(k);
}

int check_claims(struct findings *f, const struct variant *v, const struct recording *live, bool *flags, check_also *also, void *ctx, struct err *err)
{
    struct checking k = {.f = f, .v = v, .pack = v->story->pack, .r = live, .live = true};
    struct bought b;
    int rc = bought_open(&b, v, live, false, err);
    if (rc)
        return rc;
    hold_claims(&k, &b);
    memcpy(flags, b.holds, (size_t)v->n_readings * sizeof *flags);
    if (also)
        also(ctx, &b.scope);
    bought_close(&b);
    return 0;
}

/* held[i]: on how many recordings reading i held. Returns whether the recording is fresh. */
static bool check_recording(struct findings *f, const struct variant *v, const struct recording *r, int *held)
{
    struct bought b;
    struct checking k = {.f = f, .v = v, .pack = v->story->pack, .r = r};
    struct err err = {0};
    if (bought_open(&b, v, r, true, &err)) {
        find(&k, "evidence-stale", nowhere, "%s", err.text);
        return false;
    }
    hold_claims(&k, &b);
    for (int i = 0; i < v->n_readings; i++)
        held[i] += b.holds[i];
    bought_close(&b);
    return true;
}

static void check_readings(struct findings *f, const struct variant *v, const int *held, int n)
{
    for (int i = 0; i < v->n_readings; i++) {
        const struct reading *r = &v->readings[i];
        const char *what = r->expect.f ? formula_text(r->expect.f) : r->fact;
        struct place at = place_of(v->story->pack, &r->expect);
        if (!held[i])
            findings_add(f, "reading-idle", v->story->pack, v->full_id, NULL, at, "this reading of %s holds on no recorded GPU: %s", r->probe, what);
        else if (held[i] < n)
            findings_add(f, "reading-some", v->story->pack, v->full_id, NULL, at, "this reading of %s holds on %d of %d recorded GPUs: %s", r->probe,
                         held[i], n, what);
    }
}

void check_evidence(struct findings *f, const struct variant *v)
{
    struct err err = {0};
    struct recording **recordings = NULL;
    int n = 0, fresh = 0;
    if (recordings_of(v, &recordings, &n, &err)) {
        findings_add(f, "evidence-unreadable", v->story->pack, v->full_id, NULL, nowhere, "%s", err.text);
        return;
    }
    int *held = mem_new((size_t)v->n_readings, sizeof *held);
    for (int i = 0; i < n; i++)
        fresh += check_recording(f, v, recordings[i], held);
    if (n == 0)
        findings_add(f, "evidence-missing", v->story->pack, v->full_id, NULL, nowhere, "there is no recorded evidence (warpdrill record brings it)");
    if (fresh)
        check_readings(f, v, held, fresh);
    free(held);
    recordings_free(recordings, n);
}
