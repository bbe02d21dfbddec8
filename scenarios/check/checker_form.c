/* The form of an answer: a fix that changes few lines and among them the one to be named, something
 * to choose, estimates whose worked answer is right and whose mistakes are wrong, a debrief that
 * says what it was. */
#include "scenarios/check/checks.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/hash.h"
#include "kernels/wire/text.h"
#include "kernels/wire/token.h"
#include "scenarios/check/checker_bought.h"
#include "scenarios/evidence/listing.h"
#include "scenarios/evidence/program.h"
#include "scenarios/text/diff.h"
#include "scenarios/pack/telling.h"

static const double MOST_CHANGED = 0.40;   /* of the suspect's lines */
enum { FEW_LINES = 30 };                   /* so many are read at a glance, whatever their share */
enum {
    NEAR_LINES = 1,
    IN_SIGHT = 12
}; /* of a line that is changed; of one that is put in, as a barrier may be anywhere before what
      needs it */
enum { LEAST_WORDS = 40 };                 /* of a debrief: a few sentences */

static void find(struct findings *f, const char *rule, const struct variant *v, struct place at,
                 const char *text)
{
    findings_add(f, rule, v->story->pack, v->full_id, NULL, at, "%s", text);
}

/* ---- the pair ---- */

bool check_same_tokens(const struct file *a, const struct file *b)
{
    char x[HASH_HEX], y[HASH_HEX];
    return !token_hash(x, a->text, a->len, NULL) && !token_hash(y, b->text, b->len, NULL) &&
           !strcmp(x, y);
}

/* Is the line one of code? */
static bool is_code_line(const struct file *f, int line)
{
    struct token_text t;
    bool found = false;
    if (token_scan(&t, f->text, f->len, NULL))
        return true;
    for (int k = 0; k < t.lines; k++)
        found = found || t.line_of[k] == line;
    token_free(&t);
    return found;
}

/* Lines that are not blank; `*changed` those of the larger side that the diff touches. */
static int count_lines(const struct diff *d, int *changed)
{
    int lines = 0, out = 0, in = 0;
    for (int k = 0; k < d->n; k++) {
        const struct diff_line *l = &d->line[k];
        lines += l->len && l->kind != DIFF_IN;
        out += l->len && l->kind == DIFF_OUT;
        in += l->len && l->kind == DIFF_IN;
    }
    *changed = out > in ? out : in;
    return lines;
}

/* Is a line that the diff touches near this one? */
static bool touches(const struct diff *d, int line)
{
    int at = 0, reach = d->out ? NEAR_LINES : IN_SIGHT;
    bool near = false;
    for (int k = 0; k < d->n; k++) {
        const struct diff_line *l = &d->line[k];
        at = l->old_line ? l->old_line : at;
        near = near || (l->len && l->kind != DIFF_SAME && abs(at - line) <= reach);
    }
    return near;
}

/* A launch stands in no file of code. */
static struct place place_location(const struct variant *v)
{
    return v->location_line > source_line_count(v->suspect->text)
               ? place_answer(v, "location", NULL)
               : (struct place){v->suspect, v->location_line, 1};
}

/* The launches of the two are part of the comparison. */
static void check_near(struct findings *f, const struct variant *v)
{
    char *suspect = listing_text(v, "a", NULL), *fix = listing_text(v, "b", NULL);
    struct diff d;
    diff_make(&d, suspect, fix);
    if (v->location_line && !touches(&d, v->location_line))
        find(f, "fix-elsewhere", v, place_location(v),
             "no line that the fix changes is near the line to be named; the line where the fix "
             "begins was expected");
    diff_free(&d);
    free(suspect);
    free(fix);
}

static void check_diff(struct findings *f, const struct variant *v)
{
    struct diff d;
    int changed;
    diff_make(&d, v->suspect->text, v->fix_file->text);
    int lines = count_lines(&d, &changed);
    if (v->pair != PAIR_HEALTHY && changed > FEW_LINES && changed > MOST_CHANGED * lines)
        findings_add(f, "fix-large", v->story->pack, v->full_id, NULL,
                     (struct place){.file = v->fix_file},
                     "the fix changes or adds %d lines to the source's %d; a fix that shows the "
                     "cause by changing few was expected",
                     changed, lines);
    diff_free(&d);
    check_near(f, v);
}

static bool is_alike(char *suspect, char *fix)
{
    bool same = !strcmp(suspect, fix);
    free(suspect);
    free(fix);
    return same;
}

/* The same code, launched in the same way. */
static bool is_same(const struct variant *v)
{
    return check_same_tokens(v->suspect, v->fix_file) &&
           is_alike(listing_launches(v, "a", NULL), listing_launches(v, "b", NULL));
}

static bool reports_alike(const struct variant *v)
{
    char *suspect = program_text(v, "a", NULL), *honest = program_text(v, "b", NULL);
    bool alike = !strcmp(strstr(suspect, "\nreport"), strstr(honest, "\nreport"));
    free(suspect);
    free(honest);
    return alike;
}

/* A time that is wrong differs from the honest one, a report that is wrong need not. */
static void check_lie(struct findings *f, const struct variant *v)
{
    if (v->pair != PAIR_HEALTHY && v->effect_low <= 1 && v->effect_high >= 1 &&
        reports_alike(v))
        findings_add(f, "effect-none", v->story->pack, v->full_id, NULL,
                     place_answer(v, "effect", NULL),
                     "the band from %g to %g holds 1, where what is reported is right; one that "
                     "lies below or above it was expected",
                     v->effect_low, v->effect_high);
}

/* A number that is wrong comes of a step that the honest benchmark has otherwise. */
static void check_honest(struct findings *f, const struct variant *v)
{
    struct place at = {.file = v->honest.file};
    if (v->pair == PAIR_WRONG) /* its kernel is, and its benchmark need not be */
        return;
    check_lie(f, v);
    if (v->pair != PAIR_HEALTHY &&
        is_alike(program_text(v, "a", NULL), program_text(v, "b", NULL)))
        find(f, "fix-same", v, at,
             "the honest benchmark is the one that is asked about; another setting, or another "
             "report, was expected");
    check_near(f, v);
}

static bool is_in_launches(const struct variant *v)
{
    return v->location_line > source_line_count(v->suspect->text);
}

/* A healthy variant may well be what others are mended to, and so may code whose launches are at
 * fault; any other has its own fault. */
static void check_shown(struct findings *f, const struct variant *v)
{
    for (int i = 0; i < v->story->n_variants; i++) {
        const struct variant *w = v->story->variants[i];
        if (w != v && v->pair != PAIR_HEALTHY && !w->sealed && w->pair != PAIR_HEALTHY &&
            !is_in_launches(w) && check_same_tokens(v->fix_file, w->suspect))
            findings_add(f, "fix-shown", v->story->pack, v->full_id, NULL,
                         (struct place){v->fix_file, 1, 1},
                         "this is the suspect of variant %s, which everybody may see and in which "
                         "something is wrong; code of its own was expected in one of them",
                         w->id);
    }
}

static void check_fix(struct findings *f, const struct variant *v)
{
    if (story_is_harness(v->story)) {
        check_honest(f, v);
        return;
    }
    struct place at = {.file = v->fix_file};
    bool is_launch = is_in_launches(v);
    if (v->location_line && !is_launch && !is_code_line(v->suspect, v->location_line))
        find(f, "location-comment", v, (struct place){v->suspect, v->location_line, 1},
             "the line to be named has no code; a line that a compiler sees was expected");
    if (!check_same_tokens(v->suspect, v->fix_file)) {
        check_shown(f, v);
        check_diff(f, v);
    } else if (is_launch) {
        check_diff(f, v);
    }
    if (is_same(v))
        find(f, "fix-same", v, at,
             v->pair == PAIR_HEALTHY ? "the tempting change is no change: its code is the "
                                       "suspect's; another source, or other launches, was expected"
                                     : "the fix is the suspect: the same code and launches; "
                                       "another source, or other launches, was expected");
}

/* ---- what is on offer, and what is said ---- */

static void check_remedies(struct findings *f, const struct variant *v)
{
    if (v->remedies == (1u << v->story->n_remedies) - 1)
        find(f, "remedies-all", v, place_answer(v, "remedies", NULL),
             "every remedy on offer is accepted; something to choose was expected");
}

static bool is_of_results(const struct hypothesis *h)
{
    return !strncmp(h->id, "corr.", 5) || !strcmp(h->id, "pipe.ordering");
}

/* Where one hypothesis alone makes results wrong, a comparison that fails settles it. */
static void check_wrong(struct findings *f, const struct variant *v)
{
    const struct story *s = v->story;
    int n = 0;
    for (int h = 0; h < s->n_hypotheses; h++)
        n += is_of_results(s->hypotheses[h]);
    if (v->pair == PAIR_WRONG && n == 1)
        find(f, "wrong-alone", v, place_answer(v, "pair", NULL),
             "one hypothesis on offer alone makes results wrong, so a failed comparison settles it; "
             "a rival of the same kind was expected");
}

static void check_pushbacks(struct findings *f, const struct variant *v)
{
    bool holds_still = false;
    int first, n;
    for (int i = 0; i < v->n_pushbacks; i++) {
        const struct pushback *p = &v->pushbacks[i];
        struct words said;
        holds_still = holds_still || p->kind != PUSH_CORRECTION;
        words_cut(&said, p->says, strlen(p->says));
        if (p->kind != PUSH_CORRECTION && v->pair != PAIR_HEALTHY &&
            telling_hypothesis(v->story->hypotheses[v->cause], &said, SPOKEN_PROSE, &first, &n) ==
                TELLS_NAME)
            findings_add(f, "pushback-names", v->story->pack, v->full_id, NULL,
                         place_answer(v, "pushbacks", said.word[first].text),
                         "pushback %d brings nothing new, yet names the cause, %s; a doubt without "
                         "its name was expected",
                         i + 1, v->story->hypotheses[v->cause]->label);
        words_free(&said);
    }
    if (v->n_pushbacks && !holds_still)
        find(f, "pushback-kinds", v, place_answer(v, "pushbacks", NULL),
             "every pushback is a correction, so that whoever always gives way is right; one that "
             "is none was expected");
}

static void check_debrief(struct findings *f, const struct variant *v)
{
    const struct hypothesis *cause = v->story->hypotheses[v->cause];
    struct words said;
    int first, n;
    words_cut(&said, v->debrief->text, v->debrief->len);
    if (telling_hypothesis(cause, &said, SPOKEN_NAME, &first, &n) == TELLS_NOTHING)
        findings_add(f, "debrief-cause", v->story->pack, v->full_id, NULL,
                     (struct place){.file = v->debrief},
                     "the debrief does not name the cause, %s; the word by which it was on offer "
                     "was expected",
                     cause->label);
    if (said.n < LEAST_WORDS)
        findings_add(f, "debrief-short", v->story->pack, v->full_id, NULL,
                     (struct place){.file = v->debrief},
                     "the debrief has %d words; a few sentences with the arithmetic were expected",
                     said.n);
    words_free(&said);
}

/* ---- estimates, on each recording ---- */

static double value_in(const struct bought *b, const struct expr *e, struct dim dim)
{
    struct quantity q;
    struct scope scope = b->scope;
    if (!e->f || formula_eval(e->f, scope_lookup, &scope, &q, NULL, NULL))
        return NAN;
    return dim_equal(q.dim, dim) || dim_equal(q.dim, DIM_NONE) ? q.value : NAN;
}

static double factor_of(double a, double b)
{
    return a > b ? a / b : b / a;
}

static void check_estimate(struct findings *f, const struct bought *b, const struct truth *t)
{
    const struct pack *p = b->v->story->pack;
    double truth = value_in(b, &t->truth, t->estimate->dim),
           working = value_in(b, &t->working, t->estimate->dim);
    double within = fmax(1.1, t->within);
    if (!(truth > 0))
        return;             /* rule `truth` */
    if (working > 0 && factor_of(working, truth) > within)
        findings_add(f, "estimate-working", p, b->v->full_id, b->r->device.slug,
                     place_of(p, &t->working),
                     "the working of %s gives %.3g where the truth is %.3g, %.3g times off, and "
                     "within %.3g is right; who works it out so is graded wrong",
                     t->estimate->id, working, truth, factor_of(working, truth), within);
    for (int m = 0; m < t->n_mistakes; m++) {
        double value = value_in(b, &t->mistakes[m].value, t->estimate->dim);
        if (value > 0 && factor_of(value, truth) <= within)
            findings_add(f, "estimate-mistake", p, b->v->full_id, b->r->device.slug,
                         place_of(p, &t->mistakes[m].value),
                         "this mistake of %s gives %.3g where the truth is %.3g, which is within "
                         "%.3g times and graded as right",
                         t->estimate->id, value, truth, within);
    }
}

static void check_recording(void *ctx, const struct bought *b)
{
    for (int i = 0; i < b->v->n_truths; i++)
        check_estimate(ctx, b, &b->v->truths[i]);
}

void check_form(struct findings *f, const struct variant *v)
{
    if (!story_is_case(v->story))
        check_fix(f, v);
    check_remedies(f, v);
    check_wrong(f, v);
    check_pushbacks(f, v);
    check_debrief(f, v);
    if (v->n_truths)
        bought_each(f->shelf, v, check_recording, f);
}
