#include "scenarios/report/session_briefing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/play/debrief.h"
#include "scenarios/play/ranking.h"
#include "scenarios/report/session_briefing_inside.h"
#include "scenarios/evidence/finding.h"
#include "scenarios/evidence/timeline.h"
#include "scenarios/pack/failing.h"
#include "scenarios/pack/harness.h"

#define ENOUGH 0.90   /* belief from which the ideal reader knows, as in the debrief */

/* ---- everything bought ---- */

static void buy(struct brief_work *w, const char *probe, const struct evidence *all)
{
    struct evidence *e = &w->bought[w->scope.n_bought];
    ideal_purchase(e, w->story, all, probe);
    w->list[w->scope.n_bought] = e;
    if (e->n_parts > 0 || !strcmp(probe, "source"))
        w->scope.n_bought++;
    else
        free(e->parts);
}

static void buy_all(struct brief_work *w, const struct evidence *all)
{
    size_t n;
    const struct probe *shop = probe_table(&n);
    size_t room = n + (size_t)w->story->n_experiments;
    w->bought = mem_new(room, sizeof *w->bought);
    w->list = mem_new(room, sizeof *w->list);
    w->scope.bought = w->list;
    for (size_t p = 0; p < n && !story_is_case(w->story); p++)
        if (shop[p].id != SHOP_ASK && shop[p].id != SHOP_EXPERIMENT)
            buy(w, shop[p].name, all);
    for (int x = 0; x < w->story->n_experiments; x++)
        buy(w, w->story->experiments[x].id, all);
}

static void work_make(struct brief_work *w, const struct variant *v,
                      const struct msg_device *device, const struct evidence *all)
{
    *w = (struct brief_work){.v = v, .story = v->story, .k = v->story->n_hypotheses};
    w->rivals = ((1u << w->k) - 1) & ~(1u << v->cause) & ~v->contributing;
    w->scope = (struct scope){.story = v->story, .device = device, .all = all};
    buy_all(w, all);
    w->holds = mem_new((size_t)v->n_readings + 1, sizeof *w->holds);
    ideal_flags(v, &w->scope, w->holds);
    w->reached = ideal_cheapest(v, &w->scope, ENOUGH, &w->path) == 0;
    brief_order(w);
}

static void work_free(struct brief_work *w)
{
    for (int b = 0; b < w->scope.n_bought; b++)
        free(w->bought[b].parts);
    free(w->bought);
    free(w->list);
    free(w->holds);
    free(w->order);
}

/* ---- the answer ---- */

static double number(const struct brief_work *w, const char *name)
{
    struct quantity q;
    struct scope s = w->scope;
    return scope_lookup(&s, name, &q, NULL) == 0 && isfinite(q.value) ? q.value : 0;
}

static void truth(struct briefing *out, const struct brief_work *w)
{
    char spot[64], with[160];
    snprintf(out->truth, sizeof out->truth, "%s", w->story->hypotheses[w->v->cause]->label);
    if (w->v->location_line > 0) {
        story_spot(spot, sizeof spot, w->story, w->v->location_line);
        brief_add(out->truth, sizeof out->truth, ", %s", spot);
    }
    brief_labels(with, sizeof with, w->story, w->v->contributing, 3);
    if (w->v->then) {
        ranking_left(with, sizeof with, w->v);
        brief_add(out->truth, sizeof out->truth, "; then %s", with);
    } else if (*with)
        brief_add(out->truth, sizeof out->truth, ", with %s", with);
}

static void fix(struct briefing *out, const struct brief_work *w)
{
    for (int r = 0; r < w->story->n_remedies; r++)
        if (w->v->remedies >> r & 1)
            brief_add(out->fix, sizeof out->fix, "%s%s", *out->fix ? "; or: " : "",
                      w->story->remedies[r].text);
    if (!*out->fix)
        snprintf(out->fix, sizeof out->fix, "Leave it as it is");
}

static double clocked(const struct brief_work *w, const char *run)
{
    char name[48];
    story_clock_of(name, sizeof name, w->story, run);
    return number(w, name);
}

/* "1.051 ms to 0.150 ms, 7.0 x" */
static void effect_times(char *out, size_t size, const struct brief_work *w)
{
    double suspect = clocked(w, "suspect"), after = clocked(w, "fix"),
           ratio = number(w, "ratio"), copy = number(w, "suspect.copy_fraction");
    char a[32], b[32], share[32];
    quantity_show(a, sizeof a, suspect, "s");
    quantity_show(b, sizeof b, after, "s");
    quantity_percent(share, sizeof share, copy);
    double times = number(w, "suspect.speed_up"), honest = number(w, "fix.speed_up");
    if (story_claims_speed_up(w->story) && times > 0 && honest > 0)
        snprintf(out, size, "%.3g x faster reported, %.3g x by an honest comparison", times,
                 honest);
    else if (story_is_harness(w->story) && suspect > 0 && after > 0)
        snprintf(out, size, "%s reported, %s by an honest benchmark", a, b);
    else if (w->v->pair == PAIR_HEALTHY && suspect > 0)
        snprintf(out, size, copy > 0 ? "%s, %s of the rate of a copy" : "%s", a, share);
    else if (suspect > 0 && after > 0)
        snprintf(out, size, "%s to %s, %.*f x", a, b, ratio < 9.95 ? (ratio < 1.95 ? 2 : 1) : 0,
                 ratio > 0 ? ratio : suspect / after);
    else if (suspect > 0)
        snprintf(out, size, "%s now; the fix was not measured here", a);
}

/* "error 1: invalid argument; with the fix 0.150 ms" */
static void effect_failure(char *out, size_t size, const struct brief_work *w)
{
    const char *failure = finding_failure(w->scope.all);
    double after = clocked(w, "fix");
    char b[32];
    quantity_show(b, sizeof b, after, "s");
    if (failure && after > 0)
        snprintf(out, size, "%s; with the fix %s", failure, b);
}

/* "; the first mended alone 0.410 ms, the second 1.040 ms" */
static void between_times(char *out, size_t size, const struct brief_work *w)
{
    double half = number(w, "half.time"), rest = number(w, "rest.time");
    char a[32], b[32];
    quantity_show(a, sizeof a, half, "s");
    quantity_show(b, sizeof b, rest, "s");
    if (w->v->then && half > 0 && rest > 0)
        brief_add(out, size, "; the first mended alone %s, the second %s", a, b);
}

static void effect(struct briefing *out, const struct brief_work *w)
{
    char right[3][64] = {"", "", ""};
    const struct story *s = w->story;
    char value[40];
    if (w->v->pair == PAIR_WRONG)
        debrief_right(right, &w->scope);
    if (variant_fails(w->v))
        effect_failure(out->effect, sizeof out->effect, w);
    else if (*right[0] && *right[1])
        snprintf(out->effect, sizeof out->effect, "%s; with the fix %s", right[0], right[1]);
    else if (!story_is_case(s))
        effect_times(out->effect, sizeof out->effect, w);
    between_times(out->effect, sizeof out->effect, w);
    for (int k = 0; story_is_case(s) && k < s->n_symptoms; k++) {
        struct quantity q;
        if (size_constant(s, &s->symptoms[k].value, &q, NULL))
            continue;
        quantity_show(value, sizeof value, q.value, s->symptoms[k].unit);
        brief_add(out->effect, sizeof out->effect, "%s%s %s", *out->effect ? ", " : "",
                  s->symptoms[k].label, value);
    }
    if (!*out->effect)
        snprintf(out->effect, sizeof out->effect, "not measured here");
}

static void cheapest(struct briefing *out, const struct brief_work *w)
{
    const struct path *p = &w->path;
    char name[64];
    out->path = *p;
    for (int s = 0; s < p->n; s++) {
        brief_short(name, sizeof name, w->story, p->probe[s]);
        brief_add(out->cheapest, sizeof out->cheapest - 24, "%s%s", s ? " + " : "", name);
    }
    if (p->n == 0)
        snprintf(out->cheapest, sizeof out->cheapest, "no purchase settles it");
    else
        brief_add(out->cheapest, sizeof out->cheapest,
                  w->reached ? ", %d min" : ", %d min, to %.0f %%", p->price, 100 * p->belief);
}

/* ---- five numbers ---- */

static struct briefing_number *add_number(struct briefing *out, const char *label)
{
    if (out->n_numbers == (int)(sizeof out->numbers / sizeof *out->numbers))
        return NULL;
    struct briefing_number *n = &out->numbers[out->n_numbers++];
    snprintf(n->label, sizeof n->label, "%s", label);
    n->value[0] = '\0';
    return n;
}

/* What a time is divided into: bytes, or of work that arithmetic bounds operations. */
struct work_done { double amount; const char *unit; };

static struct work_done work_done(const struct brief_work *w)
{
    double bytes = number(w, "work.bytes"), flops = number(w, "work.flops"),
           copy = number(w, "ceiling.copy"), fma = number(w, "ceiling.fma");
    bool arithmetic = bytes > 0 && copy > 0 && fma > 0 && flops / fma > bytes / copy;
    return arithmetic ? (struct work_done){flops, "flop/s"} : (struct work_done){bytes, "B/s"};
}

static void add_time(struct briefing *out, const char *label, double time, struct work_done done,
                     const char *right)
{
    char text[40];
    struct briefing_number *n = time > 0 ? add_number(out, label) : NULL;
    if (!n)
        return;
    quantity_show(n->value, sizeof n->value, time, "s");
    quantity_show(text, sizeof text, done.amount / time, done.unit);
    if (done.amount > 0)
        brief_add(n->value, sizeof n->value, ", %s", text);
    if (*right)
        brief_add(n->value, sizeof n->value, ", %s", right);
}

/* The same figure with the fix: "; with the fix 4". */
static void with_fix(char *value, size_t size, const struct brief_work *w, const char *name)
{
    bool series;
    char fixed[80];
    struct quantity q;
    struct scope s = w->scope;
    const struct metric *m = story_is_case(w->story) ? NULL : name_metric(name, &series);
    snprintf(fixed, sizeof fixed, "fix.%s", name);
    if (!m || series || !strcmp(name, "longest_kernel") || w->v->pair == PAIR_HEALTHY ||
        scope_lookup(&s, fixed, &q, NULL))
        return;
    if (m->share)
        quantity_percent(fixed, sizeof fixed, q.value);
    else
        quantity_show(fixed, sizeof fixed, q.value, m->unit);
    brief_add(value, size, "; with the fix %s", fixed);
}

/* Is it said by the times above already? */
static bool is_timing(const struct brief_work *w, const char *name)
{
    return !story_is_case(w->story) &&
           (!strncmp(name, "time", 4) || !strcmp(name, "copy_fraction") ||
            !strcmp(name, "bandwidth"));
}

/* The figures that tell most, up to `until` numbers in all. */
static void decisive(struct briefing *out, const struct brief_work *w, int until)
{
    for (int i = 0; i < w->n_order && out->n_numbers < until; i++) {
        const struct reading *r = &w->v->readings[w->order[i]];
        char name[64], label[64], value[96];
        brief_first_figure(name, sizeof name, w, r);
        if (!*name || is_timing(w, name) ||
            !brief_figure(label, sizeof label, value, sizeof value, w, r, name))
            continue;
        struct briefing_number *n = add_number(out, label);
        snprintf(n->value, sizeof n->value, "%s", value);
        if (!strstr(value, "compelled"))
            with_fix(n->value, sizeof n->value, w, name);
    }
}

static void case_numbers(struct briefing *out, const struct brief_work *w)
{
    const struct story *s = w->story;
    struct quantity q;
    for (int k = 0; k < s->n_symptoms && k < 2; k++) {
        struct briefing_number *n = size_constant(s, &s->symptoms[k].value, &q, NULL)
                                        ? NULL
                                        : add_number(out, s->symptoms[k].label);
        if (n)
            quantity_show(n->value, sizeof n->value, q.value, s->symptoms[k].unit);
    }
    decisive(out, w, 4);
    for (int t = 0; t < w->v->n_truths && out->n_numbers < 5; t++) {
        char value[40];
        struct briefing_number *n = brief_number(value, sizeof value, w, &w->v->truths[t])
                                        ? add_number(out, w->v->truths[t].estimate->id)
                                        : NULL;
        if (n)
            snprintf(n->value, sizeof n->value, "%s", value);
    }
}

static void run_numbers(struct briefing *out, const struct brief_work *w)
{
    char right[3][64] = {"", "", ""};
    double bytes = number(w, "work.bytes"), copy = number(w, "ceiling.copy"),
           ratio = number(w, "ratio");
    struct work_done done = work_done(w);
    if (w->v->pair == PAIR_WRONG)
        debrief_right(right, &w->scope);
    bool harness = story_is_harness(w->story);
    add_time(out, harness ? "reported" : "suspect", clocked(w, "suspect"), done, right[0]);
    add_time(out,
             harness                      ? "by an honest benchmark"
             : w->v->pair == PAIR_HEALTHY ? "tempting fix"
                                          : "fix",
             clocked(w, "fix"), done, right[1]);
    add_time(out, "plain copy", copy > 0 ? bytes / copy : 0, (struct work_done){bytes, "B/s"}, "");
    if (ratio > 0 && !harness) {
        struct briefing_number *n =
            add_number(out, w->v->pair == PAIR_WRONG     ? "the fix costs"
                            : w->v->pair == PAIR_HEALTHY ? "what it would bring"
                                                         : "effect");
        if (w->v->pair == PAIR_WRONG)
            snprintf(n->value, sizeof n->value, "%.2f x the time", 1 / ratio);
        else
            snprintf(n->value, sizeof n->value, "%.2f x", ratio);
    }
    decisive(out, w, 5);
    add_time(out, "best known", number(w, "best.time"), done, right[2]);
}

int briefing_make(struct briefing *out, const struct variant *v, const struct msg_device *device,
                  const struct evidence *all, const struct other_gpu *other, struct err *err)
{
    struct brief_work w;
    *out = (struct briefing){0};
    int rc = variant_needs_answer(v, err);
    if (rc)
        return rc;
    if (!all)
        return err_set(err, ERR_MISSING, "%s has no recording to be briefed from", v->full_id);
    work_make(&w, v, device, all);
    w.scope.other = other;
    truth(out, &w);
    fix(out, &w);
    effect(out, &w);
    cheapest(out, &w);
    if (story_is_case(v->story))
        case_numbers(out, &w);
    else
        run_numbers(out, &w);
    brief_settles(out, &w);
    brief_misleads(out, &w);
    brief_turns(out, &w);
    brief_says(out, &w);
    work_free(&w);
    return 0;
}
