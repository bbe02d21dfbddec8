/* warpdrill check: reads a pack, and holds what it says against its recorded evidence. */
#include "tui/cmd.h"

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
    const struct variant *v;
    const struct recording *r;
    struct evidence *all, *bought[MOST_BOUGHT];
    struct scope scope;
    int wrong;
};

static void wrong(struct checking *k, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void wrong(struct checking *k, const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char text[1024];
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    text_clean(text, strlen(text));
    fprintf(stderr, "warpdrill: %s on %s: %s\n", k->v->full_id, k->r->device.slug, text);
    k->wrong++;
}

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

/* ---- what must hold ---- */

static void check_effect(struct checking *k)
{
    struct quantity ratio;
    struct err err = {0};
    if (scope_lookup(&k->scope, "ratio", &ratio, &err))
        wrong(k, "%s", err.text);
    else if (ratio.value < k->v->effect_low || ratio.value > k->v->effect_high)
        wrong(k, "the effect is %.3g, outside its band [%.3g, %.3g]", ratio.value, k->v->effect_low, k->v->effect_high);
    for (int i = 0; i < k->v->n_proves; i++) {
        const struct formula *f = k->v->proves[i].f;
        int holds = formula_holds(f, scope_lookup, &k->scope, NULL, &err);
        if (holds <= 0)
            wrong(k, "does not hold: %s%s%s", formula_text(f), holds < 0 ? ": " : "", holds < 0 ? err.text : "");
    }
}

static void check_truths(struct checking *k)
{
    for (int i = 0; i < k->v->n_truths; i++) {
        struct quantity q;
        struct err err = {0};
        if (formula_eval(k->v->truths[i].truth.f, scope_lookup, &k->scope, &q, NULL, &err))
            wrong(k, "the truth of estimate %s: %s", k->v->truths[i].estimate->id, err.text);
        else if (q.value <= 0)
            wrong(k, "the truth of estimate %s is %g; graded answers are above zero", k->v->truths[i].estimate->id, q.value);
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
            wrong(k, "%s computes a wrong result%s", names[run], p->probe == PROBE_POISON ? " when memory is poisoned" : "");
        shown = shown || (run == 0 && (is_wrong || is_race(p)));
    }
    if (k->v->pair == PAIR_WRONG && !shown)
        wrong(k, "the pair is a wrong one, but neither comparison, poison, repetition nor racecheck shows that suspect.cu is");
}

static void print_summary(const struct checking *k)
{
    struct path path;
    struct quantity ratio = {0};
    int reached = ideal_cheapest(k->v, &k->scope, ENOUGH, &path);
    scope_lookup((void *)&k->scope, "ratio", &ratio, NULL);
    printf("%s  %s  effect %.3g  cheapest", k->v->full_id, k->r->device.slug, ratio.value);
    for (int i = 0; i < path.n; i++)
        printf("%s %s", i ? "," : "", path.probe[i]);
    printf(": %d min (par %d), %.0f %%%s\n", path.price, level_par(k->v->story->level), path.belief * 100, reached == 0 ? "" : ", not enough");
}

static void check_path(struct checking *k)
{
    struct path path;
    if (ideal_cheapest(k->v, &k->scope, ENOUGH, &path))
        wrong(k, "no purchases take an even reader to 90 %% on the truth; the best reach %.0f %%", path.belief * 100);
}

/* ---- a variant ---- */

/* held[i]: reading i held on a recording. */
static int check_recording(const struct variant *v, const struct recording *r, bool *held)
{
    struct checking k = {.v = v, .r = r};
    struct err err = {0};
    bool *flags = mem_new((size_t)v->n_readings, sizeof *flags);
    if (request_fresh(v, r, &err) || request_recall_all(&k.all, v, r, &err)) {
        wrong(&k, "%s", err.text);
    } else {
        buy_everything(&k);
        check_effect(&k);
        check_truths(&k);
        check_verdicts(&k);
        check_path(&k);
        ideal_flags(v, &k.scope, flags);
        for (int i = 0; i < v->n_readings; i++)
            held[i] = held[i] || flags[i];
        print_summary(&k);
    }
    for (int i = 0; i < k.scope.n_bought; i++)
        evidence_free(k.bought[i]);
    evidence_free(k.all);
    free(flags);
    return k.wrong;
}

static int check_readings(const struct variant *v, const bool *held)
{
    int idle = 0;
    for (int i = 0; i < v->n_readings; i++) {
        const struct reading *r = &v->readings[i];
        if (held[i])
            continue;
        fprintf(stderr, "warpdrill: %s: this reading of %s holds on no recorded GPU: %s\n", v->full_id, r->probe,
                r->expect.f ? formula_text(r->expect.f) : r->fact);
        idle++;
    }
    return idle;
}

static int check_one(void *ctx, const struct variant *v)
{
    struct err err = {0};
    struct recording **recordings = NULL;
    int n = 0, wrongs = 0, *checked = ctx;
    if (recordings_of(v, &recordings, &n, &err))
        return cmd_fail(&err);
    bool *held = mem_new((size_t)v->n_readings, sizeof *held);
    for (int i = 0; i < n; i++)
        wrongs += check_recording(v, recordings[i], held);
    if (n == 0) {
        fprintf(stderr, "warpdrill: %s has no recorded evidence (warpdrill record brings it)\n", v->full_id);
        wrongs++;
    }
    if (wrongs == 0)
        wrongs += check_readings(v, held);
    *checked += n;
    free(held);
    recordings_free(recordings, n);
    return wrongs ? CMD_FAILED : CMD_OK;
}

int cmd_check(const struct cmd *c)
{
    struct pack *pack = NULL;
    int checked = 0, status = cmd_pack(&pack, c, c->args[0]);
    if (status != CMD_OK)
        return status;
    status = cmd_each_variant(c, pack, check_one, &checked);
    if (status == CMD_OK)
        printf("%s: %d stories, %d recordings, all fresh\n", pack->id, pack->n_stories, checked);
    pack_free(pack);
    return status;
}
