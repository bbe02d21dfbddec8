/* A guesser plays on each story with that story hidden. How far it is to be trusted is what the
 * other stories say, each played with itself and that story hidden: its beliefs are drawn towards
 * even ones by the share that would have earned most there. So a rule that means nothing earns
 * about nothing, and one that means something what a shrewd player would make of it. */
#include "scenarios/check/library_report.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/play/scoring.h"

static const double LIMIT = 3;        /* points of 60 */
enum { LEAST_STORIES = 8, OFTEN = 4 /* stories */ };

struct playing {
    const struct openings *o;
    const struct lore *lore;
    const struct vocabulary *words;
    const struct guesser *who;
    int always;
};

/* ---- one story ---- */

/* What is told of each guess: beliefs, and how many guesses are made on this opening. */
typedef void told(void *ctx, const struct opening *one, const double *p, int looks);

static struct game game_of(const struct playing *y, const struct opening *one)
{
    return (struct game){.o = y->o,
                         .lore = y->lore,
                         .words = y->words,
                         .who = y->who,
                         .at = one,
                         .always = y->always,
                         .hidden = {.story = {one->story}, .n = 1}};
}

/* The guesses on one opening: one, or one after each other variant that may have been seen. */
static void play_opening(const struct playing *y, struct game g, told *tell, void *ctx)
{
    const struct opening_story *s = &y->o->stories[g.at->story];
    double p[MAX_HYPOTHESES];
    if (!y->who->looked) {
        y->who->guess(p, &g);
        tell(ctx, g.at, p, 1);
    }
    for (int k = s->first; y->who->looked && k < s->first + s->n; k++) {
        g.seen = &y->o->all[k];
        if (g.seen == g.at)
            continue;
        y->who->guess(p, &g);
        tell(ctx, g.at, p, s->n - 1);
    }
}

/* away: another story that is hidden; -1: none. */
static void play(const struct playing *y, int story, int away, told *tell, void *ctx)
{
    const struct opening_story *s = &y->o->stories[story];
    for (int i = s->first; i < s->first + s->n; i++) {
        struct game g = game_of(y, &y->o->all[i]);
        if (away >= 0)
            g.hidden.story[g.hidden.n++] = away;
        play_opening(y, g, tell, ctx);
    }
}

/* ---- how far to trust it ---- */

struct trust { double gain, length; };

static void weigh(void *ctx, const struct opening *one, const double *p, int looks)
{
    struct trust *t = ctx;
    double even = 1.0 / one->n, scale = 1 / (1 - even) / looks;
    for (int h = 0; h < one->n; h++) {
        t->gain += (p[h] - even) * ((h == one->truth) - even) * scale;
        t->length += (p[h] - even) * (p[h] - even) * scale;
    }
}

/* From 0 to 1: the share of the beliefs that would have earned most on the other stories. The score
 * is a square in it, so that its best is a quotient. */
static double trust_in(const struct playing *y, int story)
{
    struct trust t = {0};
    if (y->who->sure)
        return 1;
    for (int s = 0; s < y->o->n_stories; s++)
        if (s != story)
            play(y, s, story, weigh, &t);
    return t.length > 0 ? fmin(1, fmax(0, t.gain / t.length)) : 0;
}

/* ---- what it earns ---- */

struct earning {
    const struct openings *o;
    struct guessed *out;
    double trust, last;
    const struct opening *at;
};

/* What a guesser says is left: what is left most often in other stories that ask, nothing more
 * where there are none. An index of cause[]. */
static int guess_left(const struct openings *o, const struct opening *one)
{
    int times[MAX_HYPOTHESES] = {0}, most = one->none;
    for (int i = 0; i < o->n; i++) {
        const struct opening *other = &o->all[i];
        if (other->story == one->story || !other->asks_left)
            continue;
        for (int h = 0; h < one->n; h++)
            times[h] += one->cause[h] == other->cause[other->left];
    }
    for (int h = 0; h < one->n; h++)
        most = times[h] > times[most] ? h : most;
    return most;
}

static void finish_opening(struct earning *e)
{
    struct guessed *g = e->out;
    if (e->at && (!g->best || e->last > g->most)) {
        g->best = e->at->id;
        g->most = e->last;
    }
    e->last = 0;
}

static void earn(void *ctx, const struct opening *one, const double *p, int looks)
{
    struct earning *e = ctx;
    double q[MAX_HYPOTHESES], cause = score_line_possible(LINE_CAUSE);
    int first = 0;
    for (int h = 0; h < one->n; h++) {
        q[h] = 1.0 / one->n + e->trust * (p[h] - 1.0 / one->n);
        first = q[h] > q[first] ? h : first;
    }
    if (one != e->at) {
        finish_opening(e);
        e->at = one;
        e->out->n++;
    }
    double quality = score_quality(q, one->n, one->truth),
           evidence = score_line_possible(LINE_EVIDENCE) * quality;
    bool left = one->asks_left && guess_left(e->o, one) == one->left;
    double points = (cause * score_cause(quality, one->asks_left, left) + evidence) / looks;
    e->last += points;
    e->out->points += points;
    e->out->bare += cause * score_cause(quality, one->asks_left, false) / looks;
    e->out->decides += q[first] > 0.5 ? 1.0 / looks : 0;
    e->out->right += q[first] > 0.5 && first == one->truth ? 1.0 / looks : 0;
}

static struct guessed play_all(const struct playing *y)
{
    struct guessed out = {.who = y->who, .always = y->always};
    struct earning e = {.o = y->o, .out = &out};
    for (int s = 0; s < y->o->n_stories; s++) {
        e.trust = trust_in(y, s);
        play(y, s, -1, earn, &e);
    }
    finish_opening(&e);
    out.points /= out.n ? out.n : 1;
    out.bare /= out.n ? out.n : 1;
    return out;
}

/* The cause that brings most to who says nothing else. */
static struct guessed play_each(struct playing y, const struct library_report *r)
{
    struct guessed best = {.who = y.who, .always = -1};
    for (int i = 0; i < r->n_offered; i++) {
        y.always = r->offered[i].cause;
        struct guessed one = play_all(&y);
        if (best.always < 0 || one.points > best.points)
            best = one;
    }
    return best;
}

/* ---- what is on offer ---- */

static struct offered count_offered(const struct openings *o, int cause)
{
    struct offered c = {.cause = cause};
    int last = -1;
    for (int i = 0; i < o->n; i++)
        for (int h = 0; h < o->all[i].n; h++)
            if (o->all[i].cause[h] == cause) {
                c.variants++;
                c.stories += o->all[i].story != last;
                c.true_ += h == o->all[i].truth;
                last = o->all[i].story;
            }
    return c;
}

static void count_all_offered(struct library_report *r, const struct openings *o)
{
    size_t n;
    taxonomy(&n);
    r->offered = mem_new(n, sizeof *r->offered);
    for (int c = 0; c < (int)n; c++) {
        struct offered one = count_offered(o, c);
        if (one.variants)
            r->offered[r->n_offered++] = one;
    }
}

void library_report_make(struct library_report *out, const struct openings *o)
{
    int n;
    const struct guesser *table = guesser_table(&n);
    struct lore *lore = lore_new(o);
    struct vocabulary *words = vocabulary_new(o);
    *out = (struct library_report){.n_stories = o->n_stories,
                                   .n_openings = o->n,
                                   .judged = o->n_stories >= LEAST_STORIES};
    count_all_offered(out, o);
    out->guessed = mem_new((size_t)n, sizeof *out->guessed);
    for (out->n = 0; out->n < n; out->n++) {
        struct playing y = {o, lore, words, &table[out->n], -1};
        out->guessed[out->n] = y.who->each_cause ? play_each(y, out) : play_all(&y);
    }
    vocabulary_free(words);
    lore_free(lore);
}

void library_report_free(struct library_report *r)
{
    free(r->guessed);
    free(r->offered);
    *r = (struct library_report){0};
}

/* ---- the limits ---- */

static const char *cause_id(int rank)
{
    size_t n;
    return taxonomy(&n)[rank].id;
}

static void judge_guess(struct findings *f, const struct guessed *g)
{
    if (g->points > LIMIT)
        findings_add(f, "library-guess", NULL, "library", NULL, (struct place){0},
                     "who plays '%s' and reads no evidence earns %.1f of the 60 points of cause "
                     "and evidence on average; at most %.0f were expected",
                     g->who->name, g->points, LIMIT);
}

static char *stories_with(const struct openings *o, int cause)
{
    char *list = text_dup("");
    int last = -1;
    for (int i = 0; i < o->n; i++)
        for (int h = 0; h < o->all[i].n; h++)
            if (o->all[i].cause[h] == cause && o->all[i].story != last) {
                last = o->all[i].story;
                char *longer = text_format("%s%s%s", list, *list ? ", " : "", o->stories[last].id);
                free(list);
                list = longer;
            }
    return list;
}

static void judge_offered(struct findings *f, const struct offered *c, const struct openings *o)
{
    if (c->stories < OFTEN || c->true_)
        return;
    char *list = stories_with(o, c->cause);
    findings_add(f, "library-never", NULL, "library", NULL, (struct place){0},
                 "%s is on offer in %d stories and true in none of them (%s); a variant of which "
                 "it is the cause was expected",
                 cause_id(c->cause), c->stories, list);
    free(list);
}

void library_report_judge(struct findings *f, const struct library_report *r,
                          const struct openings *o)
{
    for (int i = 0; r->judged && i < r->n; i++)
        judge_guess(f, &r->guessed[i]);
    for (int i = 0; r->judged && i < r->n_offered; i++)
        judge_offered(f, &r->offered[i], o);
}

/* ---- for people, and as data ---- */

/* To one digit, and never -0.0. */
static double shown_points(double points)
{
    return points > -0.05 && points < 0 ? 0 : points;
}

static void print_guessed(FILE *out, const struct guessed *g)
{
    fprintf(out, "%-42s %6.1f %8.1f %5.0f %6.0f  ", g->who->name,
            shown_points(g->points), shown_points(g->bare), g->decides, g->right);
    if (g->best)
        fprintf(out, "%.1f %s", g->most, g->best);
    if (g->always >= 0)
        fprintf(out, " (%s)", cause_id(g->always));
    putc('\n', out);
}

char *library_report_text(const struct library_report *r)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    if (!out)
        abort();
    fprintf(out, "%-42s %6s %8s %5s %6s  %s\n", "who reads no evidence", "of 60", "of 40", "sure",
            "right", "most, where");
    for (int i = 0; i < r->n; i++)
        print_guessed(out, &r->guessed[i]);
    fprintf(out, "\n%-28s %7s %8s %5s\n", "on offer", "stories", "variants", "true");
    for (int i = 0; i < r->n_offered; i++) {
        const struct offered *c = &r->offered[i];
        fprintf(out, "%-28s %7d %8d %5d\n", cause_id(c->cause), c->stories, c->variants, c->true_);
    }
    if (!r->judged)
        fprintf(out, "\n%d %s too few to hold against the limits; %d are needed\n", r->n_stories,
                r->n_stories == 1 ? "story is" : "stories are", LEAST_STORIES);
    fclose(out);
    return text;
}

static json_t *encode_guessed(const struct guessed *g)
{
    json_t *out = json_pack("{s:s, s:s, s:i, s:f, s:f, s:f, s:f}", "guesser", g->who->id, "name",
                            g->who->name, "variants", g->n, "points", g->points, "bare", g->bare,
                            "sure", g->decides, "right", g->right);
    if (g->best) {
        json_object_set_new(out, "best", json_string(g->best));
        json_object_set_new(out, "most", json_real(g->most));
    }
    if (g->always >= 0)
        json_object_set_new(out, "always", json_string(cause_id(g->always)));
    return out;
}

json_t *library_report_encode(const struct library_report *r)
{
    json_t *guessed = json_array(), *offered = json_array();
    for (int i = 0; i < r->n; i++)
        json_array_append_new(guessed, encode_guessed(&r->guessed[i]));
    for (int i = 0; i < r->n_offered; i++) {
        const struct offered *c = &r->offered[i];
        json_array_append_new(offered,
                              json_pack("{s:s, s:i, s:i, s:i}", "hypothesis", cause_id(c->cause),
                                        "stories", c->stories, "variants", c->variants, "true",
                                        c->true_));
    }
    return json_pack("{s:i, s:i, s:b, s:o, s:o}", "stories", r->n_stories, "variants",
                     r->n_openings, "judged", (int)r->judged, "guessers", guessed, "offered",
                     offered);
}
