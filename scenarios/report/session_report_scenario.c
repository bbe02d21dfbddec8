/* One scenario of an interview as a report: what was bought and said, what was believed, what it
 * was worth. */
#include "scenarios/report/session_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/request.h"
#include "scenarios/play/debrief_walk.h"
#include "scenarios/play/headline.h"
#include "scenarios/play/naming.h"
#include "scenarios/play/ranking.h"
#include "scenarios/report/session_briefing_inside.h"
#include "scenarios/interview/session_found.h"
#include "scenarios/report/session_report_inside.h"
#include "scenarios/report/session_report_read.h"

enum { HEADLINES = 6 };

struct telling_of {                      /* a scenario's part, being told */
    const struct reporting *r;
    int part;
    struct attempt *attempt;
    const struct investigation *i;
    const struct variant *v;
    const struct msg_device *device;     /* NULL: unknown */
    struct evidence *recalled;
    const struct evidence *all;          /* NULL: nothing */
    const struct debrief *d;             /* NULL: none, or not to be told */
    struct debrief own;
    unsigned cut;                        /* CUT_...: by the reveal, or by the part's end */
    bool truth,
        deep; /* may be told: the answer; ideal reader, score and what estimates were worth */
};

/* ---- evidence in words ---- */

static void add_lines(char *out, size_t size, const struct evidence *e)
{
    int lines = 0;
    for (int k = 0; k < e->n_parts; k++)
        lines += e->parts[k].n_lines;
    if (lines)
        brief_add(out, size, "%d line%s", lines, lines == 1 ? "" : "s");
}

void report_said(char *out, size_t size, const struct variant *v, const char *probe,
                 const struct evidence *e, const struct msg_device *device)
{
    struct headline list[HEADLINES];
    int n = headlines_of(list, HEADLINES, v, probe, e, device);
    *out = '\0';
    for (int k = 0; k < n; k++)
        brief_add(out, size, "%s%s %s", k ? "; " : "", list[k].label, list[k].value);
    if (n == 0 && e)
        add_lines(out, size, e);
}

/* ---- what a list of moves says ---- */

static json_t *points_json(const int *points, int k)
{
    json_t *list = json_array();
    for (int h = 0; h < k; h++)
        json_array_append_new(list, json_integer(points[h]));
    return list;
}

/* The session's time of the newest move of a kind, for a probe where one is named; -1: there is
 * none. */
static int64_t when(const struct telling_of *t, enum move_kind kind, const char *probe)
{
    int64_t at = -1;
    for (int k = 0; k < t->r->n; k++) {
        const struct interview_entry *e = &t->r->entries[k];
        if (e->move && e->of == t->i && e->move->kind == kind &&
            (!probe || !strcmp(e->move->probe, probe)))
            at = e->elapsed_ms;
    }
    return at;
}

static json_t *purchase_json(const struct telling_of *t, const struct purchase *p)
{
    char said[512], letter[2] = {brief_letter(t->v->story, p->probe)};
    json_t *one = json_pack("{s:i, s:I}", "price", p->price, "at_ms",
                            (json_int_t)when(t, p->handed ? MOVE_HANDED : MOVE_BOUGHT, p->probe));
    report_put(one, "probe", p->probe);
    report_put(one, "letter", letter);
    report_put(one, "title", brief_title(t->v->story, p->probe));
    report_put(one, "how", p->handed ? "handed out" : "bought");
    report_put(one, "tier", p->evidence ? p->evidence->tier : t->i->tier);
    report_said(said, sizeof said, t->v, p->probe, p->evidence, t->device);
    report_put(one, "said", said);
    if (p->call[0])
        report_put(one, "call", p->call);
    return one;
}

/* Evidence that was kept back stands among the purchases, at the time when that began. */
static void add_withheld(json_t *list, const struct telling_of *t)
{
    const struct session_state *state = &t->r->session->parts[t->part];
    for (int w = 0; w < state->n_withheld; w++) {
        char letter[2] = {brief_letter(t->v->story, state->withheld[w])};
        int64_t at = 0;
        for (int k = 0; k < t->r->n; k++) {
            const struct session_event *e = t->r->entries[k].event;
            if (e && e->kind == SESSION_WITHHELD && e->in_part == t->part && !e->flag &&
                !strcmp(e->name, state->withheld[w]))
                at = e->elapsed_ms;
        }
        json_t *one = json_pack("{s:i, s:I}", "price", 0, "at_ms", (json_int_t)at);
        report_put(one, "probe", state->withheld[w]);
        report_put(one, "letter", letter);
        report_put(one, "title", brief_title(t->v->story, state->withheld[w]));
        report_put(one, "how", "withheld");
        report_put(one, "tier", "");
        report_put(one, "said", "");
        size_t before = 0;
        while (before < json_array_size(list) &&
               report_whole(json_array_get(list, before), "at_ms") <= at)
            before++;
        json_array_insert_new(list, before, one);
    }
}

static json_t *evidence_json(const struct telling_of *t)
{
    json_t *list = json_array();
    for (int b = 0; b < t->i->n_bought; b++)
        json_array_append_new(list, purchase_json(t, &t->i->bought[b]));
    add_withheld(list, t);
    return list;
}

/* ---- beliefs ---- */

static const char *after_title(const struct telling_of *t, int step)
{
    const char *after = t->i->steps[step].after;
    if (!strcmp(after, "pushback"))
        return "the answer to the pushback";
    return !after[0] ? "the story alone" : brief_title(t->v->story, after);
}

/* The entry with which a step began; -1: none. */
static int step_entry(const struct telling_of *t, int step)
{
    const char *after = t->i->steps[step].after;
    bool push = !strcmp(after, "pushback");
    int found = -1;
    for (int k = 0; k < t->r->n; k++) {
        const struct move *m = t->r->entries[k].of == t->i ? t->r->entries[k].move : NULL;
        bool bought =
            m && (m->kind == MOVE_BOUGHT || m->kind == MOVE_HANDED) && !strcmp(m->probe, after);
        if (m && (push ? m->kind == MOVE_RESPONDED : !*after ? m->kind == MOVE_STARTED : bought))
            found = k;
    }
    return found;
}

/* Of a step: when its beliefs were reached; when it began, which is when the ideal reader moved. */
struct moments { int64_t at, from; };

/* The beliefs of a step were reached the last time that they moved in it, else at its beginning.
 * *moved: whether they did. */
static struct moments step_moments(const struct telling_of *t, int step, bool *moved)
{
    int from = step_entry(t, step),
        to = step + 1 < t->i->n_steps ? step_entry(t, step + 1) : t->r->n;
    struct moments when = {0};
    *moved = false;
    if (from >= 0)
        when.at = when.from = t->r->entries[from].elapsed_ms;
    for (int k = from + 1; from >= 0 && k < to; k++) {
        const struct interview_entry *e = &t->r->entries[k];
        if (!e->move || e->of != t->i ||
            (e->move->kind != MOVE_BELIEVED && e->move->kind != MOVE_UNDONE))
            continue;
        when.at = e->elapsed_ms;
        *moved = true;
    }
    return when;
}

static void add_step(json_t *list, const struct telling_of *t, struct moments when,
                     const char *after, const int *points, const double *ideal)
{
    int k = t->v->story->n_hypotheses, rounded[MAX_HYPOTHESES];
    json_t *one = json_pack("{s:I, s:I, s:o}", "at_ms", (json_int_t)when.at, "from_ms",
                            (json_int_t)when.from, "theirs", points_json(points, k));
    report_put(one, "after", after);
    if (ideal) {
        belief_round(rounded, ideal, k, 0);
        json_object_set_new(one, "ideal", points_json(rounded, k));
    }
    json_array_append_new(list, one);
}

/* The even beliefs of the beginning, then those at the end of each step, with their moments on the
 * timeline. */
static json_t *steps_json(const struct telling_of *t)
{
    json_t *list = json_array();
    struct walk w;
    int even[MAX_HYPOTHESES];
    bool moved;
    if (t->deep)
        walk_make(&w, t->i, t->device, t->all);
    belief_even(even, t->v->story->n_hypotheses);
    int64_t started = when(t, MOVE_STARTED, NULL);
    started = started < 0 ? 0 : started;
    add_step(list, t, (struct moments){started, started}, "start", even,
             t->deep ? w.ideal[0] : NULL);
    for (int s = 0; s < t->i->n_steps; s++) {
        struct moments reached = step_moments(t, s, &moved);
        if (s > 0 || moved)
            add_step(list, t, reached, after_title(t, s), t->i->steps[s].points,
                     t->deep ? w.ideal[s] : NULL);
    }
    if (t->deep)
        walk_free(&w);
    return list;
}

static bool believes(const struct move *m)
{
    return m->kind == MOVE_BELIEVED || m->kind == MOVE_RESPONDED;
}

bool report_beliefs(int *points, const struct investigation *i, const struct move *m)
{
    int at = (int)(m - i->moves);
    bool moves = believes(m) || m->kind == MOVE_UNDONE || m->kind == MOVE_STARTED;
    bool *gone = moves ? mem_new((size_t)at + 1, sizeof *gone) : NULL;
    if (!moves)
        return false;
    for (int u = at; u >= 0; u--)
        for (int k = u - 1; i->moves[u].kind == MOVE_UNDONE && !gone[u] && k >= 0; k--)
            gone[k] |= !strcmp(i->moves[k].uid, i->moves[u].undone);
    belief_even(points, i->story->n_hypotheses);
    while (at > 0 && (gone[at] || !believes(&i->moves[at])))
        at--;
    if (believes(&i->moves[at]))
        memcpy(points, i->moves[at].points, sizeof i->moves[at].points);
    free(gone);
    return true;
}

/* Every belief with its time. */
static json_t *track_json(const struct telling_of *t)
{
    json_t *list = json_array();
    int points[MAX_HYPOTHESES];
    for (int k = 0; k < t->r->n; k++) {
        const struct interview_entry *e = &t->r->entries[k];
        if (e->move && e->of == t->i && report_beliefs(points, t->i, e->move))
            json_array_append_new(list, json_pack("{s:I, s:o}", "at_ms", (json_int_t)e->elapsed_ms,
                                                  "theirs",
                                                  points_json(points, t->v->story->n_hypotheses)));
    }
    return list;
}

/* ---- estimates ---- */

static void put_grade(json_t *one, const struct graded *g)
{
    if (isfinite(g->truth) && g->how != GRADED_NO_TRUTH)
        json_object_set_new(one, "truth", json_real(g->truth));
    if (g->factor > 0 && isfinite(g->factor))
        json_object_set_new(one, "factor", json_real(g->factor));
    json_object_set_new(one, "points", json_real(g->points));
    json_object_set_new(one, "possible", json_real(g->possible));
    report_put(one, "say", g->say);
    if (g->why[0])
        report_put(one, "why", g->why);
}

const char *report_answer(const char *typed, enum left left)
{
    static const char *const words[] = {[LEFT_NOT] = "asked, skipped",
                                        [LEFT_UNASKED] = "not asked",
                                        [LEFT_CUT] = "cut off by the reveal",
                                        [LEFT_KNOWN] = "not asked again"};
    return typed[0] ? typed : words[left];
}

/* Across GPUs the name of the other one stands behind the question. */
static void put_asked(json_t *one, const struct telling_of *t, const struct estimate *e)
{
    char *named = e->across ? text_format("%s (%s)", e->ask, t->i->other->device.name) : NULL;
    report_put(one, "ask", named ? named : e->ask);
    report_put(one, "unit", e->unit);
    free(named);
}

static json_t *estimates_json(const struct telling_of *t)
{
    json_t *list = json_array();
    for (int e = 0; e < investigation_estimates(t->i); e++) {
        const struct estimate *est = &t->v->story->estimates[e];
        const char *given = investigation_handed(t->i, est->before) ? "not asked" : "left out";
        for (int k = 0; k < t->i->n_estimates; k++)
            if (!strcmp(t->i->estimates[k].id, est->id))
                given = report_answer(t->i->estimates[k].answer, t->i->estimates[k].left);
        json_t *one = json_object();
        put_asked(one, t, est);
        report_put(one, "given", given);
        for (int g = 0; t->d && t->deep && g < t->d->n_graded; g++)
            if (!strcmp(t->d->graded[g].estimate->id, est->id))
                put_grade(one, &t->d->graded[g]);
        json_array_append_new(list, one);
    }
    return list;
}

/* ---- the end ---- */

static void put_commitment(json_t *out, const struct telling_of *t)
{
    const struct investigation *i = t->i;
    char spot[160];
    int64_t at = when(t, MOVE_COMMITTED, NULL);
    if (at < 0)
        return;
    json_t *one = json_pack("{s:I, s:i}", "at_ms", (json_int_t)at, "line", i->line);
    story_spot(spot, sizeof spot, t->v->story, i->line);
    if (t->cut & CUT_PLACE)
        json_object_set_new(one, "cut", json_true());
    if (t->cut & CUT_LOCK)
        json_object_set_new(one, "locked", json_false());
    report_put(one, "place", i->remedy >= 0 || i->line ? spot : "");
    report_put(one, "fix", i->remedy >= 0 ? t->v->story->remedies[i->remedy].text : "");
    if (t->deep && i->remedy >= 0 && !t->v->sealed) {
        json_object_set_new(one, "right_place", json_boolean(variant_is_at(t->v, i->line)));
        json_object_set_new(one, "right_fix", json_boolean(t->v->remedies >> i->remedy & 1));
        if (i->then >= 0)
            json_object_set_new(one, "right_left", json_boolean(i->then == variant_left(t->v)));
    }
    if (i->then >= 0)
        report_put(one, "left", ranking_label(t->v->story, i->then));
    json_object_set_new(out, "commitment", one);
}

static void put_pushback(json_t *out, const struct telling_of *t)
{
    static const char *const kinds[] = {[PUSH_CONVICTION] = "conviction",
                                        [PUSH_CORRECTION] = "correction",
                                        [PUSH_RED_HERRING] = "red herring"};
    int at = t->i->pushback, k = t->v->story->n_hypotheses, most = 0;
    if (at < 0 || at >= t->v->n_pushbacks)
        return;
    const struct pushback *p = &t->v->pushbacks[at];
    json_t *one = json_pack("{s:I}", "at_ms", (json_int_t)when(t, MOVE_PUSHED, NULL));
    report_put(one, "says", p->says);
    if (t->truth) {
        report_put(one, "kind", kinds[p->kind]);
        report_put(one, "teaches", p->teaches);
    }
    json_object_set_new(out, "pushback", one);
    int64_t answered = when(t, MOVE_RESPONDED, NULL);
    if (answered < 0 || t->i->n_steps < 2 || t->cut & CUT_ANSWER)
        return;
    const int *before = t->i->steps[t->i->n_steps - 2].points, *after = t->i->points;
    for (int h = 1; h < k; h++)
        if (abs(after[h] - before[h]) > abs(after[most] - before[most]))
            most = h;
    char moved[160];
    snprintf(moved, sizeof moved, "%s %d %% to %d %%", t->v->story->hypotheses[most]->label,
             before[most], after[most]);
    json_t *answer =
        json_pack("{s:I, s:o}", "at_ms", (json_int_t)answered, "theirs", points_json(after, k));
    report_put(answer, "moved", after[most] == before[most] ? "stood by it" : moved);
    json_object_set_new(out, "answer", answer);
}

static void put_truth(json_t *out, const struct telling_of *t)
{
    const struct variant *v = t->v;
    char spot[160], fixes[512] = "";
    if (!t->truth || v->sealed)
        return;
    json_t *one = json_object();
    story_spot(spot, sizeof spot, v->story, v->location_line);
    for (int r = 0; r < v->story->n_remedies; r++)
        if (v->remedies >> r & 1)
            brief_add(fixes, sizeof fixes, "%s%s", *fixes ? "; or: " : "",
                      v->story->remedies[r].text);
    report_put(one, "cause", v->story->hypotheses[v->cause]->label);
    report_put(one, "location", spot);
    report_put(one, "fix", fixes);
    if (t->d && t->deep)
        report_put(one, "headline", t->r->candidate ? t->d->headline : t->d->of_them.headline);
    json_object_set_new(out, "truth", one);
    json_object_set_new(out, "cause", json_integer(v->cause));
}

static void estimates_text(char *out, size_t size, const struct debrief *d)
{
    int asked = 0, right = 0, skipped = 0;
    for (int g = 0; g < d->n_graded; g++) {
        asked += d->graded[g].how != GRADED_NOT_ASKED && d->graded[g].how != GRADED_CUT;
        right += d->graded[g].how == GRADED_RIGHT;
        skipped += d->graded[g].how == GRADED_SKIPPED || d->graded[g].how == GRADED_LEFT_OUT;
    }
    if (asked)
        brief_add(out, size, ", %d of %d estimate%s right", right, asked, asked == 1 ? "" : "s");
    if (skipped)
        brief_add(out, size, ", %d skipped", skipped);
}

/* "line wrong, no fix, 0 of 2 estimates right, 2 skipped" */
static void beside_text(char *out, size_t size, const struct telling_of *t)
{
    const struct investigation *i = t->i;
    const char *place = story_is_case(t->v->story) ? "place" : "line";
    bool fixes = i->remedy >= 0 && t->v->remedies >> i->remedy & 1;
    const char *fix = i->remedy < 0 ? "no fix" : fixes ? "fix right" : "fix wrong";
    if (t->cut & CUT_PLACE)
        snprintf(out, size, "%s and fix not reached", place);
    else if (i->remedy < 0 && !i->line)
        snprintf(out, size, "no %s and no fix", place);
    else
        snprintf(out, size, "%s %s, %s", place, variant_is_at(t->v, i->line) ? "right" : "wrong",
                 fix);
    if (story_asks_left(t->v->story) && !(t->cut & CUT_PLACE))
        brief_add(out, size, ", what is left %s",
                  i->then < 0                    ? "not said"
                  : i->then == variant_left(t->v) ? "right"
                                                  : "wrong");
    estimates_text(out, size, t->d);
}

static void put_found(json_t *out, const struct telling_of *t)
{
    struct found f;
    char says[160], beside[160];
    if (!t->truth || t->v->sealed)
        return;
    session_found(&f, t->r->entries, t->r->n, t->i, t->part);
    found_says(says, sizeof says, &f);
    json_t *one = json_pack("{s:b, s:b, s:i, s:i}", "is", (int)f.is, "cut", (int)f.cut, "held",
                            f.held, "last", f.last);
    report_put(one, "says", says);
    if (t->d && t->deep) {
        beside_text(beside, sizeof beside, t);
        report_put(one, "beside", beside);
    }
    json_object_set_new(out, "found", one);
}

/* Why there is none; NULL: there is one. */
static const char *no_score(const struct telling_of *t)
{
    bool locked = when(t, MOVE_COMMITTED, NULL) >= 0;
    if (t->d && t->deep)
        return NULL;
    return !t->truth        ? "the truth was not revealed"
           : t->v->sealed   ? "the answer is sealed"
           : !locked        ? "there was no last word: the beliefs were never locked"
           : !t->r->scores  ? report_scores_say(t->r)
           : !t->all        ? "nothing is recorded here to score it against"
                            : "the pushback was not answered, and the truth not revealed";
}

/* The space of causes in their own words, and how much of it was there. */
static void put_named(json_t *out, const struct telling_of *t)
{
    char says[512];
    report_put(out, "named", naming_text(t->i));
    if (!t->truth || t->v->sealed)
        return;
    naming_says(says, sizeof says, t->i, t->v->cause, t->r->candidate ? "you" : "they");
    report_put(out, "named_says", says);
}

static void put_score(json_t *out, const struct telling_of *t)
{
    const char *none = no_score(t);
    char says[96];
    if (none) {
        report_put(out, "no_score", none);
        return;
    }
    json_t *lines = json_array(), *lessons = json_object();
    for (int l = 0; l < LINE_COUNT; l++) {
        json_t *one = json_pack("{s:f, s:i}", "points", t->d->score.line[l], "possible",
                                t->d->score.possible[l]);
        report_put(one, "line", score_line_name((enum score_line_id)l));
        report_put(one, "why", t->r->candidate ? t->d->why[l] : t->d->of_them.why[l]);
        if (t->d->score.cut[l])
            json_object_set_new(one, "cut", json_true());
        json_array_append_new(lines, one);
    }
    score_says(says, sizeof says, &t->d->score);
    json_object_set_new(out, "score",
                        json_pack("{s:f, s:f, s:i, s:s, s:o}", "total", t->d->score.total, "sum",
                                  t->d->score.sum, "of", t->d->score.of, "says", says, "lines",
                                  lines));
    bool you = t->r->candidate;
    report_put(lessons, t->d->saves ? "cheaper" : "cheapest",
               you ? t->d->cheaper : t->d->of_them.cheaper);
    report_put(lessons, "trap", you ? t->d->trap : t->d->of_them.trap);
    report_put(lessons, "slip", t->d->slip);
    report_put(lessons, "pushback", you ? t->d->pushback : t->d->of_them.pushback);
    report_put(lessons, "astray", you ? t->d->astray : t->d->of_them.astray);
    json_object_set_new(out, "lessons", lessons);
}

/* ---- one scenario ---- */

/* Of a part that was ended and not revealed: what they had not come to. */
static unsigned cut_by_end(const struct telling_of *t)
{
    const struct session_state *state = &t->r->session->parts[t->part];
    bool over = state->finished || t->r->session->phase == SESSION_OVER;
    enum phase phase = over && !state->revealed ? t->i->phase : PHASE_REVEALED;
    return phase == PHASE_OPEN                            ? CUT_LOCK | CUT_PLACE
           : phase == PHASE_COMMITTED && t->i->remedy < 0 ? CUT_PLACE
           : phase == PHASE_PUSHED                        ? CUT_ANSWER
                                                          : 0;
}

/* Where the interviewer cut it short. */
static void put_cut(json_t *out, const struct telling_of *t)
{
    if (t->cut)
        report_put(out, "cut",
                   t->cut & CUT_LOCK    ? "before the beliefs were locked"
                   : t->cut & CUT_PLACE ? "before place and fix were said"
                                        : "before the pushback was answered");
}

/* Device and everything measured, from the reveal, else from the recording that the attempt kept.
 */
static void learn(struct telling_of *t)
{
    const struct recording *recording = attempt_recording(t->attempt);
    t->device = recording ? &recording->device : NULL;
    t->all = attempt_all(t->attempt);
    if (!t->all && recording && !t->v->sealed &&
        request_recall_all(&t->recalled, t->v, recording, NULL) == 0)
        t->all = t->recalled;
    t->d = attempt_debrief(t->attempt);
    if (!t->d && t->deep && t->all && debrief_make(&t->own, t->i, t->device, t->all, NULL) == 0)
        t->d = &t->own;
}

json_t *report_scenario(const struct reporting *r, int part)
{
    struct telling_of t = {.r = r,
                           .part = part,
                           .attempt = interview_attempt_of(r->live, part, NULL)};
    if (!t.attempt)
        return NULL;
    t.i = attempt_state(t.attempt);
    t.v = attempt_variant(t.attempt);
    t.cut = t.i->cut | cut_by_end(&t);
    t.truth = report_truth(r, part);
    t.deep = t.truth && r->scores && !t.v->sealed;
    learn(&t);
    json_t *out = json_pack("{s:i, s:i, s:i}", "price", t.i->price, "par", t.i->par, "patience",
                            t.i->patience),
           *labels = json_array();
    report_put(out, "id", t.truth ? t.v->full_id : t.v->story->full_id);
    report_put(out, "title", t.v->story->title);
    report_put(out, "whose", r->candidate ? "yours" : "theirs");
    report_put(out, "tier", t.i->tier);
    report_put(out, "gpu", t.i->gpu);
    for (int h = 0; h < t.v->story->n_hypotheses; h++)
        json_array_append_new(labels, json_string(t.v->story->hypotheses[h]->label));
    json_object_set_new(out, "hypotheses", labels);
    put_truth(out, &t);
    put_found(out, &t);
    json_object_set_new(out, "evidence", evidence_json(&t));
    json_object_set_new(out, "steps", steps_json(&t));
    json_object_set_new(out, "track", track_json(&t));
    json_object_set_new(out, "estimates", estimates_json(&t));
    put_cut(out, &t);
    put_commitment(out, &t);
    put_pushback(out, &t);
    put_score(out, &t);
    if (naming_text(t.i))
        put_named(out, &t);
    if (t.i->note && t.i->note[0])
        report_put(out, "note", t.i->note);
    evidence_free(t.recalled);
    return out;
}
