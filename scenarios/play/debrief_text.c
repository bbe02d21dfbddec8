/* The debrief in words, with this person's numbers: two paths through one scenario read
 * differently. */
#include "scenarios/play/debrief_text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/pack/harness.h"
#include "scenarios/play/naming.h"
#include "scenarios/play/ranking.h"
#include "scenarios/evidence/timeline.h"

/* Appends, cut to size. */
static void add(char *out, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
static void add(char *out, size_t size, const char *fmt, ...)
{
    size_t used = strlen(out);
    va_list ap;
    va_start(ap, fmt);
    if (used < size)
        vsnprintf(out + used, size - used, fmt, ap);
    va_end(ap);
}

enum { WALK_NAME = 64 };

#define CUT_OFF "not reached (cut by the interviewer)"
#define NOTHING_TESTED "nothing was tested"

static int percent(double share)
{
    return (int)lround(100 * share);
}

static const char *label(const struct walk *w, int h)
{
    return w->v->story->hypotheses[h]->label;
}

static char letter_of(const struct story *s, const char *probe)
{
    const struct probe *p = probe_by_name(probe);
    const struct experiment *x = story_experiment(s, probe);
    size_t n;
    return p ? p->letter : x ? probe_table(&n)[x->shop].letter : '?';
}

/* How many purchases stand under the letter of this one: experiments of its list, and under v the
 * comparison itself. */
static int under_letter(const struct story *s, enum shop list)
{
    int n = list == SHOP_VERIFY;
    for (int k = 0; k < s->n_experiments; k++)
        n += s->experiments[k].shop == list;
    return n;
}

/* A letter; after it, in brackets, an experiment's title where the letter alone could mean another.
 */
static const char *name_of(const struct story *s, const char *probe, char name[WALK_NAME])
{
    enum { MOST = 48, MOST_OF_EXHIBIT = 30 };
    const struct experiment *x = story_experiment(s, probe);
    bool compared = strcmp(probe, "verify") == 0;
    const char *title = x ? x->title : "one run compared";
    size_t n = strlen(title), most = x && x->exhibit ? MOST_OF_EXHIBIT : MOST;
    bool cut = n > most;
    if (cut)
        for (n = most; n > 0 && title[n] != ' ';)
            n--;
    if (x && x->exhibit) { /* all stand under one letter, which says nothing */
        snprintf(name, WALK_NAME, "%.*s%s", (int)(n ? n : most), title,
                 cut ? " \xE2\x80\xA6" : "");
        return name;
    }
    snprintf(name, WALK_NAME, "%c", letter_of(s, probe));
    if ((!x && !compared) || under_letter(s, x ? x->shop : SHOP_VERIFY) < 2)
        return name;
    snprintf(name, WALK_NAME, "%c (%.*s%s)", letter_of(s, probe), (int)(n ? n : most), title,
             cut ? " \xE2\x80\xA6" : "");
    return name;
}

/* "d" for the purchase of step s, "v (Poison buffers and shared)" where several stand under one
 * letter, "the pushback" for the last. */
static const char *walk_name(const struct walk *w, int s, char name[WALK_NAME])
{
    return w->pushed && s == w->n ? "the pushback"
                                  : name_of(w->v->story, w->i->steps[s].after, name);
}

/* ---- to whom it is said ---- */

static const char *you(const struct walk *w)
{
    return w->they ? "they" : "you";
}

static const char *you_first(const struct walk *w)
{
    return w->they ? "They" : "You";
}

static const char *you_object(const struct walk *w)
{
    return w->they ? "them" : "you";
}

/* ---- beside the lines of the score ---- */

/* One distance, or that of the commitment and that of the answer to the pushback where they differ
 * as they are shown. */
static void why_updating(char *out, size_t size, const struct walk *w)
{
    double held = walk_gap(w, AT_COMMITMENT, w->you[w->open], NULL),
           last = walk_gap(w, AT_ANSWER, w->you[w->n], NULL);
    if (!investigation_tested(w->i))
        snprintf(out, size, NOTHING_TESTED);
    else if (lround(100 * held) == lround(100 * last))
        snprintf(out, size, "%.2f from where the evidence leads; full to %.2f", held,
                 UPDATING_FULL);
    else
        snprintf(out, size, "%.2f from where evidence leads, %.2f after pushback", held, last);
}

static void why_estimates(struct debrief *out, const struct walk *w)
{
    char *why = out->why[LINE_ESTIMATES];
    size_t size = sizeof out->why[LINE_ESTIMATES];
    const char *whole = out->score.of == 80 ? "; 80 points are the whole" : "";
    int uncounted = 0;
    for (int g = 0; g < out->n_graded; g++)
        uncounted += out->graded[g].how == GRADED_NOT_ASKED || out->graded[g].how == GRADED_CUT;
    if (out->n_graded == 0)
        snprintf(why, size, "none in this scenario%s", whole);
    else if (uncounted == out->n_graded)
        snprintf(why, size, "none asked to its end%s", whole);
    else if (w->v->pair == PAIR_WRONG && !walk_checked(w))
        snprintf(why, size, "none without a check of the result (v)");
    else
        for (int g = 0; g < out->n_graded; g++) {
            const struct graded *at = &out->graded[g];
            static const char *const words[] = {[GRADED_RIGHT] = "right",
                                                [GRADED_SLIP] = "a slip (half)",
                                                [GRADED_UNREADABLE] = "not read",
                                                [GRADED_WRONG_DIM] = "wrong unit",
                                                [GRADED_SKIPPED] = "skipped",
                                                [GRADED_LEFT_OUT] = "left out",
                                                [GRADED_NOT_ASKED] = "not asked",
                                                [GRADED_CUT] = "cut off",
                                                [GRADED_NO_TRUTH] = "not known here"};
            add(why, size, "%s%d: ", g ? ", " : "", g + 1);
            if (at->how == GRADED_OFF && at->factor > 0)
                add(why, size, at->factor < 10 ? "%.1f x off" : "%.0f x off", at->factor);
            else
                add(why, size, "%s", at->how == GRADED_OFF ? "not above zero" : words[at->how]);
        }
    if (uncounted && uncounted < out->n_graded && (w->v->pair != PAIR_WRONG || walk_checked(w)))
        add(why, size, "; only what was asked counts");
}

static void why_location(char *out, size_t size, const struct walk *w)
{
    int right = w->v->location_line, said = w->i->line;
    char right_text[64], said_text[64];
    story_spot(right_text, sizeof right_text, w->v->story, right);
    story_spot(said_text, sizeof said_text, w->v->story, said);
    if (variant_is_at(w->v, said))
        snprintf(out, size, "%s", said_text);
    else if (w->i->remedy < 0 && !said)
        snprintf(out, size, "%s; none was said", right_text);
    else
        snprintf(out, size, "%s; %s said %s", right_text, you(w), said_text);
}

/* The first clause of a remedy's text, at most 44 bytes. */
static int clause(const char *text)
{
    int n = (int)strcspn(text, ",;:");
    if (n <= 44)
        return n;
    for (n = 44; n > 0 && text[n] != ' ';)
        n--;
    return n;
}

static void why_remedy(char *out, size_t size, const struct walk *w)
{
    const struct remedy *remedies = w->v->story->remedies;
    const char *right = NULL;
    for (int r = 0; r < w->v->story->n_remedies; r++)
        if (!right && (w->v->remedies & 1u << r))
            right = remedies[r].text;
    if (w->i->remedy >= 0 && (w->v->remedies & 1u << w->i->remedy))
        right = remedies[w->i->remedy].text;
    else if (w->i->remedy >= 0)
        add(out, size, "better: ");
    else
        add(out, size, "none chosen: ");
    if (right)
        add(out, size, "%.*s%s", clause(right), right,
            right[clause(right)] == ' ' ? " \xE2\x80\xA6" : "");
}

static void why_cause(char *out, size_t size, const struct found *f, double q)
{
    const char *pushed = f->pushed == GIVEN_CORRECTION ? "correction" : "pushback";
    snprintf(out, size, "%d %% on the truth", f->last);
    if (f->last != f->held)
        add(out, size, ", %d %% before the %s", f->held, pushed);
    else if (q < -0.01)
        add(out, size, ": worse than an even spread, worth 0");
}

static void why_evidence(char *out, size_t size, const struct walk *w, double q)
{
    const struct investigation *i = w->i;
    if (!investigation_tested(i))
        snprintf(out, size, NOTHING_TESTED);
    else
        snprintf(out, size, "%d min, par %d%s", i->price, i->par,
                 i->price >= i->patience ? ": patience was spent"
                 : q < 0                 ? ", times cause's share, below 0"
                 : q < 0.95              ? ", times cause's share"
                                         : "");
}

/* Of what was judged in part the answer to the pushback lacks. */
static void why_cut(char *out, size_t size, const struct score *s, enum score_line_id l)
{
    if (s->cut[l] && s->possible[l] == 0)
        snprintf(out, size, CUT_OFF);
    else if (s->cut[l])
        add(out, size, "; the answer to the pushback: " CUT_OFF);
}

static void why_all(struct debrief *out, const struct walk *w)
{
    size_t size = sizeof out->why[0];
    double q = score_quality(w->you[w->n], w->k, w->truth);
    why_cause(out->why[LINE_CAUSE], size, &out->found, q);
    ranking_why(out->why[LINE_CAUSE], size, w);
    why_evidence(out->why[LINE_EVIDENCE], size, w, q);
    why_estimates(out, w);
    why_updating(out->why[LINE_UPDATING], size, w);
    why_location(out->why[LINE_LOCATION], size, w);
    why_remedy(out->why[LINE_REMEDY], size, w);
    for (int l = 0; l < LINE_COUNT; l++)
        why_cut(out->why[l], size, &out->score, (enum score_line_id)l);
}

/* ---- the answer and what to do next time ---- */

static void headline(char *out, size_t size, const struct found *f, const struct walk *w)
{
    char after[64], left[160];
    const char *name = label(w, w->truth);
    if (w->v->pair == PAIR_HEALTHY)
        snprintf(out, size, "Nothing was wrong with it.");
    else
        snprintf(out, size, "It was %s.", name);
    if (w->v->location_line > 0) {
        out[strlen(out) - 1] = '\0';
        char spot[64];
        story_spot(spot, sizeof spot, w->v->story, w->v->location_line);
        add(out, size, story_is_case(w->v->story) ? ", at %s." : ", on %s.", spot);
    }
    ranking_left(left, sizeof left, w->v);
    if (*left) {
        out[strlen(out) - 1] = '\0';
        add(out, size, "; then %s.", left);
    }
    found_after(after, sizeof after, f);
    add(out, size, "  %s had it at %d %%%s.", you_first(w), f->held, after);
}

static void cheaper(char *out, size_t size, const struct debrief *d, const struct walk *w)
{
    const struct path *p = &d->cheapest;
    char path[480] = "", yours[480] = "", handed[160] = "", name[WALK_NAME];
    for (int s = 0; s < p->n; s++)
        add(path, sizeof path, "%s%s %d", s ? " + " : "", name_of(w->v->story, p->probe[s], name),
            variant_price(w->v, p->probe[s]));
    for (int b = 0; b < w->i->n_bought; b++)
        if (w->i->bought[b].price > 0)
            add(yours, sizeof yours, "%s%s %d", yours[0] ? " + " : "",
                name_of(w->v->story, w->i->bought[b].probe, name), w->i->bought[b].price);
    for (int b = 0; b < w->i->n_bought; b++)
        if (w->i->bought[b].handed)
            add(handed, sizeof handed, "%s%s", handed[0] ? ", " : "",
                name_of(w->v->story, w->i->bought[b].probe, name));
    int asked = w->i->questions_asked - FREE_QUESTIONS;
    if (asked > 0)
        add(yours, sizeof yours, "%sa %d", yours[0] ? " + " : "", asked);
    if (p->belief < 0.9)
        snprintf(out, size, "%s: %s = %d min reach %d %%.  ",
                 strcmp(w->i->tier, "live") == 0 ? "of what was measured live"
                                                 : "no purchase settles it here",
                 path[0] ? path : "none", p->price, percent(p->belief));
    else if (!handed[0] && w->i->price <= p->price && w->ideal[w->n][w->truth] >= 0.9)
        snprintf(out, size, "%s took the cheapest way: an ideal reader of it is at %d %%.  ",
                 you(w), percent(w->ideal[w->n][w->truth]));
    else
        snprintf(out, size, "%s = %d min put an ideal reader at %d %%.  ", path, p->price,
                 percent(p->belief));
    add(out, size, yours[0] ? "%s: %s = %d min." : "%s bought nothing.", you_first(w), yours,
        w->i->price);
    if (handed[0])
        add(out, size, "  Handed by the interviewer: %s.", handed);
}

/* Where nothing put another cause above the truth: what was bought and speaks for one all the same,
 * that which does not fit the truth first. */
static void lure(char *out, size_t size, const struct debrief *d, const struct walk *w)
{
    unsigned truth = 1u << w->truth, rivals = ~(truth | w->v->contributing), best = 0;
    const struct reading *at = NULL;
    bool apart = false;
    for (int k = 0; k < d->n_held; k++) {
        const struct reading *r = d->held[k];
        unsigned says = r->says[WORD_SETTLES] | r->says[WORD_FOR];
        if (!(says & rivals) || (at && (apart || says & truth)))
            continue;
        at = r;
        best = says & rivals;
        apart = !(says & truth);
    }
    char name[WALK_NAME];
    if (!at) {
        snprintf(out, size, "by the readings, nothing that %s bought spoke for another cause",
                 you(w));
        return;
    }
    snprintf(out, size, apart ? "%s speaks for" : "%s fits", name_of(w->v->story, at->probe, name));
    for (int h = 0, n = 0; h < w->k; h++)
        if (best >> h & 1)
            add(out, size, "%s%s", n++ ? ", " : " ", label(w, h));
    add(out, size,
        apart ? ", but nothing that %s bought put another cause above the truth"
              : " as well; nothing that %s bought put another cause above the truth",
        you(w));
}

/* The purchase after which the ideal reader leaned most to something wrong. */
static void trap(char *out, size_t size, const struct debrief *d, const struct walk *w)
{
    int step = 0, wrong = -1;
    double most = 0;
    for (int s = 1; s <= w->n; s++)
        for (int h = 0; h < w->k; h++)
            if (h != w->truth && w->ideal[s][h] > w->ideal[s][w->truth] + 0.005 &&
                w->ideal[s][h] > most + 1e-9) {
                most = w->ideal[s][h];
                step = s;
                wrong = h;
            }
    char name[WALK_NAME];
    if (wrong >= 0)
        snprintf(out, size, "after %s an ideal reader had %s at %d %%, %s %d %%",
                 walk_name(w, step, name), label(w, wrong), percent(most), you(w),
                 percent(w->you[step][wrong]));
    else
        lure(out, size, d, w);
}

/* The moment that lost points of updating, the last where both did: how far it is from where the
 * evidence leads, and the belief that is furthest from there. */
static void astray(char *out, size_t size, const struct walk *w)
{
    const double *leads, *said = w->you[w->n];
    double gap = walk_gap(w, AT_ANSWER, said, &leads);
    bool last = score_updating(gap) < 1;
    int most = 0;
    if (!last) {
        said = w->you[w->open];
        gap = walk_gap(w, AT_COMMITMENT, said, &leads);
    }
    if (!investigation_tested(w->i) || score_updating(gap) >= 1 || w->i->cut & CUT_LOCK)
        return;
    for (int h = 1; h < w->k; h++)
        if (fabs(said[h] - leads[h]) > fabs(said[most] - leads[most]))
            most = h;
    snprintf(out, size,
             "%s had %s at %d %%%s; from where %s began the evidence leads to %d %%. "
             "%d %% of the belief would have to move: up to %.0f costs nothing, %.0f all",
             you(w), label(w, most), percent(said[most]),
             last ? "" : " when it was locked", you(w), percent(leads[most]), percent(gap),
             100 * UPDATING_FULL, 100 * UPDATING_NONE);
}

static void points_text(char *out, size_t size, double points)
{
    double p = fabs(points);
    snprintf(out, size, p < 0.95 ? "%.1f point%s" : "%.0f point%s", p,
             p >= 0.95 && p < 1.5 ? "" : "s");
}

static void pushback(char *out, size_t size, const struct walk *w)
{
    static const char *const kinds[] = {[PUSH_CONVICTION] =
                                            "a test of conviction, with nothing new in it",
                                        [PUSH_CORRECTION] = "a genuine correction",
                                        [PUSH_RED_HERRING] = "a red herring, beside the point"};
    if (w->i->pushback < 0)
        return;
    const struct pushback *p = &w->v->pushbacks[w->i->pushback];
    enum push_kind kind = p->kind;
    if (w->i->cut & CUT_ANSWER)
        snprintf(out, size, "%s. The answer: " CUT_OFF ".", kinds[kind]);
    if (!w->pushed)
        return;
    const double *before = w->you[w->n - 1], *after = w->you[w->n];
    double gain = walk_worth(w, after) - walk_worth(w, before);
    const double *leads;
    walk_gap(w, AT_ANSWER, after, &leads);
    double missed = walk_worth(w, leads) - walk_worth(w, after);
    bool held = score_distance(before, after, w->k) < 0.005;
    char points[32];
    snprintf(out, size, "%s. ", kinds[kind]);
    if (!held) {
        points_text(points, sizeof points, gain);
        add(out, size, "%d to %d: it %s %s %s.", percent(before[w->truth]),
            percent(after[w->truth]), gain < 0 ? "cost" : "won", you_object(w), points);
    } else if (kind == PUSH_CORRECTION && missed >= 0.05) {
        points_text(points, sizeof points, missed);
        add(out, size, "%s stayed at %d; following it was worth %s.", you_first(w),
            percent(after[w->truth]), points);
    } else {
        add(out, size, "%s stayed at %d", you_first(w), percent(after[w->truth]));
        add(out, size,
            kind == PUSH_CORRECTION ? ": %s knew it already."
                                    : " on the truth; nothing new asked %s to move.",
            kind == PUSH_CORRECTION ? you(w) : you_object(w));
    }
    if (p->teaches && !w->they)
        add(out, size, " %s", p->teaches);
}

void debrief_reading_says(char *out, size_t size, const struct story *story,
                          const struct reading *r)
{
    static const char *const words[WORD_COUNT] = {[WORD_SETTLES] = "settles",
                                                  [WORD_FOR] = "for",
                                                  [WORD_AGAINST] = "against",
                                                  [WORD_RULES_OUT] = "rules out"};
    bool first = true;
    out[0] = '\0';
    for (int k = 0; k < WORD_COUNT; k++) {
        if (r->says[k])
            add(out, size, "%s%s", first ? "" : "; ", words[k]);
        first = first && !r->says[k];
        const char *before = " ";
        for (int h = 0; h < story->n_hypotheses; h++)
            if (r->says[k] & 1u << h) {
                add(out, size, "%s%s", before, story->hypotheses[h]->label);
                before = ", ";
            }
    }
}

static void slip(char *out, size_t size, const struct debrief *d)
{
    for (int g = 0; g < d->n_graded; g++)
        if (d->graded[g].how == GRADED_SLIP) {
            snprintf(out, size, "estimate %d, %s", g + 1, d->graded[g].say);
            return;
        }
}

/* "attention, 50.0 us of 180 us" (of the whole step) for one run; false when its timeline is not
 * known. */
static bool longest_of(char *out, size_t size, const struct walk *w, const char *run)
{
    struct timeline t;
    const struct msg_part *p = timeline_part(w->scope.all, run);
    for (int b = 0; !p && b < w->scope.n_bought; b++)
        p = timeline_part(w->scope.bought[b], run);
    if (!p || !timeline_make(&t, p, w->v, NULL))
        return false;
    char took[24], step[24];
    const struct timeline_row *r = &t.row[t.longest];
    quantity_show(took, sizeof took, r->end - r->start, "s");
    quantity_show(step, sizeof step, t.length, "s");
    snprintf(out, size, "%s, %s of %s", r->label, took, step);
    return true;
}

static void longest(char *out, size_t size, const struct walk *w)
{
    char suspect[96], fix[96];
    if (longest_of(suspect, sizeof suspect, w, "a") && longest_of(fix, sizeof fix, w, "b"))
        snprintf(out, size, "before: %s; after: %s", suspect, fix);
}

static void tell(struct debrief *out, const struct walk *w)
{
    why_all(out, w);
    headline(out->headline, sizeof out->headline, &out->found, w);
    out->saves = out->cheapest.belief >= 0.9 && out->cheapest.price < w->i->price;
    cheaper(out->cheaper, sizeof out->cheaper, out, w);
    longest(out->longest, sizeof out->longest, w);
    trap(out->trap, sizeof out->trap, out, w);
    ranking_says(out->ranking, sizeof out->ranking, w);
    naming_says(out->named, sizeof out->named, w->i, w->v->cause, you(w));
    astray(out->astray, sizeof out->astray, w);
    pushback(out->pushback, sizeof out->pushback, w);
    slip(out->slip, sizeof out->slip, out);
}

void debrief_words(struct debrief *out, const struct walk *w)
{
    struct debrief them = *out;
    struct debrief_told *told = &out->of_them;
    struct walk other = *w;
    other.they = true;
    tell(&them, &other);
    tell(out, w);
    memcpy(told->why, them.why, sizeof told->why);
    memcpy(told->headline, them.headline, sizeof told->headline);
    memcpy(told->astray, them.astray, sizeof told->astray);
    memcpy(told->trap, them.trap, sizeof told->trap);
    memcpy(told->pushback, them.pushback, sizeof told->pushback);
    memcpy(told->ranking, them.ranking, sizeof told->ranking);
    memcpy(told->cheaper, them.cheaper, sizeof told->cheaper);
}
