/* TRUTH of the scenario that runs; without one NOW: the question, what comes next, how it ended. */
#include "tui/interview/console_draw.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/interview/session_found.h"
#include "tui/interview/candidate_drill.h"
#include "tui/interview/console_answer.h"

enum { FIX_LEAST = 30 /* columns in which a fix says something */ };

/* "m  stores 32, loads 4"; in full what it says too. */
static void line_text(char *out, size_t size, const struct briefing_line *l, bool whole)
{
    int n = whole || l->fact <= 0 ? (int)strlen(l->text) : l->fact;
    if (l->name[0])
        snprintf(out, size, "%s  %.*s", l->name, n, l->text);
    else
        snprintf(out, size, "%c  %.*s", l->probe, n, l->text);
}

static void truth_plain(const struct console_view *v, struct rect r)
{
    char spot[128], text[256];
    const struct variant *x = v->variant;
    story_spot(spot, sizeof spot, x->story, x->location_line);
    if (x->sealed)
        snprintf(text, sizeof text, "sealed: its passphrase was not given");
    else
        snprintf(text, sizeof text, "%s, %s", x->story->hypotheses[x->cause]->label, spot);
    draw_text(r.y, r.x + 2, r.w - 4, STYLE_BOLD, text);
}

/* One row: what it is, the fix, cut where it must be and left out where nothing of it would be
 * read, what it brings. */
static void truth_row(const struct console_view *v, struct rect r)
{
    const struct briefing *b = v->briefing;
    int x = r.x + 2, end = r.x + r.w - 1, effect = draw_columns(b->effect);
    x += draw_textf(r.y, x, end - x, STYLE_BOLD, "%s.", b->truth) + 3;
    if (end - x > effect) {
        draw_right(r.y, end, effect, STYLE_PLAIN, b->effect);
        end -= effect + 3;
    }
    if (end - x >= FIX_LEAST)
        draw_textf(r.y, x, end - x, STYLE_PLAIN, "Fix: %s", b->fix);
}

/* Two facts in a row, the right one in a column of its own where the left one ends before `half`,
 * else at the row's end with a short name, else not at all. */
static void truth_pair(int y, struct rect r, int half, const char *const names[3], const char *left,
                       const char *right)
{
    int x = r.x + 13, n = draw_columns(left), room = r.w - 14,
        tail = draw_columns(names[2]) + 1 + draw_columns(right);
    draw_text(y, r.x + 2, 10, STYLE_DIM, names[0]);
    draw_text(y, x, room, STYLE_PLAIN, left);
    if (!right[0])
        return;
    if (n + 14 <= half && draw_columns(right) <= r.w - half - 21) {
        draw_text(y, r.x + half + 1, 18, STYLE_DIM, names[1]);
        draw_text(y, r.x + half + 20, r.w - half - 21, STYLE_PLAIN, right);
    } else if (n + 3 + tail <= room) {
        draw_text(y, r.x + r.w - 1 - tail, tail, STYLE_DIM, names[2]);
        draw_right(y, r.x + r.w - 1, draw_columns(right), STYLE_PLAIN, right);
    }
}

static const char *wrong_turn(const struct console_view *v, int k)
{
    const struct briefing *b = v->briefing;
    return k < b->n_turns ? v->variant->story->hypotheses[b->turns[k].hypothesis]->label : "";
}

/* Everything, for where TRUTH has a screen of its own. */
static void truth_whole(const struct console_view *v, struct rect r)
{
    const struct briefing *b = v->briefing;
    int y = r.y, end = r.y + r.h, w = r.w - 14;
    char text[320];
    y += draw_wrapped((struct rect){ y, r.x + 2, end - y, r.w - 4 }, 0, STYLE_BOLD, b->truth);
    y += draw_wrapped((struct rect){ y, r.x + 2, end - y, r.w - 4 }, 0, STYLE_PLAIN, b->fix);
    y += draw_wrapped((struct rect){ y, r.x + 2, end - y, r.w - 4 }, 0, STYLE_PLAIN, b->effect);
    draw_text(y, r.x + 2, 10, STYLE_DIM, y < end ? "cheapest" : "");
    y += y < end ? draw_wrapped((struct rect){y, r.x + 13, end - y, w}, 0, STYLE_PLAIN, b->cheapest)
                 : 0;
    for (int k = 0; k < b->n_settles && y < end; k++) {
        line_text(text, sizeof text, &b->settles[k], true);
        draw_text(y, r.x + 2, 10, STYLE_DIM, "settles");
        y += draw_wrapped((struct rect){ y, r.x + 13, end - y, w }, 0, STYLE_PLAIN, text);
    }
    for (int k = 0; k < b->n_misleads && y < end; k++) {
        line_text(text, sizeof text, &b->misleads[k], true);
        draw_text(y, r.x + 2, 10, STYLE_DIM, "misleads");
        y += draw_wrapped((struct rect){ y, r.x + 13, end - y, w }, 0, STYLE_PLAIN, text);
    }
    for (int k = 0; k < b->n_turns && y < end; k++) {
        draw_text(y, r.x + 2, 10, STYLE_DIM, "wrong turn");
        draw_text(y++, r.x + 13, w, STYLE_PLAIN, wrong_turn(v, k));
    }
}

/* The automatic score, which waited for the rubric. */
static void score_text(char *out, size_t size, const struct debrief *d)
{
    char says[96];
    score_says(says, sizeof says, &d->score);
    size_t n = (size_t)snprintf(out, size, "%s:", says);
    for (int l = 0; l < LINE_COUNT && n < size; l++) {
        const char *name = score_line_name((enum score_line_id)l), *comma = l ? "," : "";
        bool reached = d->score.possible[l] || !d->score.cut[l];
        n += reached ? (size_t)snprintf(out + n, size - n, "%s %s %.0f", comma, name,
                                        d->score.line[l])
                     : (size_t)snprintf(out + n, size - n, "%s %s cut", comma, name);
    }
}

static void draw_truth_brief(const struct console_view *v, struct rect r)
{
    const struct briefing *b = v->briefing;
    char settles[320] = "", misleads[320] = "";
    if (b->n_settles)
        line_text(settles, sizeof settles, &b->settles[0], false);
    if (b->n_misleads)
        line_text(misleads, sizeof misleads, &b->misleads[0], false);
    truth_row(v, r);
    int path = draw_columns(b->cheapest), turn = draw_columns(wrong_turn(v, 0)),
        half = r.w - 21 - (path > turn ? path : turn);
    half = half > r.w / 2 - 1 ? half : r.w / 2 - 1;
    truth_pair(r.y + 1, r, half, (const char *const[]){"settles", "cheapest path", "path"}, settles,
               b->cheapest);
    if (r.h >= 3)
        truth_pair(r.y + 2, r, half,
                   (const char *const[]){"misleads", "likely wrong turn", "wrong turn"}, misleads,
                   wrong_turn(v, 0));
}

/* What was asked, and beside its title what is right. */
static void draw_drill(const struct drill_instance *i, struct rect r)
{
    char right[160], value[144];
    drill_right_words(value, sizeof value, i);
    snprintf(right, sizeof right, "right: %s", value);
    int n = draw_columns(right);
    draw_right(r.y, r.x + r.w - 1, n, STYLE_BOLD, right);
    draw_text(r.y, r.x + 2, r.w - n - 6, STYLE_BOLD, i->drill->title);
    draw_wrapped((struct rect){ r.y + 1, r.x + 2, r.h - 1, r.w - 4 }, 0, STYLE_PLAIN, i->ask);
}

static void draw_over(const struct console_view *v, struct rect r)
{
    const struct session *s = v->session;
    int graded = 0;
    for (int k = 0; k < s->plan.n_signals; k++)
        graded += session_grade(s, s->plan.signals[k].id) > 0;
    if (v->replay || graded == s->plan.n_signals)
        draw_text(r.y, r.x + 2, r.w - 4, STYLE_BOLD, "The interview is over.");
    else
        draw_textf(r.y, r.x + 2, r.w - 4, STYLE_BOLD,
                   "The interview is over. %d of %d rows are graded.", graded, s->plan.n_signals);
    if (r.h > 2 || v->replay || graded == s->plan.n_signals)
        draw_textf(r.y + 1, r.x + 2, r.w - 4, STYLE_PLAIN, "warpdrill report %s",
                   interview_id(v->live));
    if (r.h > 2 || graded < s->plan.n_signals)
        draw_textf(r.y + (r.h > 2 ? 2 : 1), r.x + 2, r.w - 4, STYLE_PLAIN,
                   "warpdrill host --resume %s   grades it later", interview_id(v->live));
}

/* Where no scenario runs: what comes next. */
static void draw_next_part(const struct console_view *v, struct rect r)
{
    const struct session *s = v->session;
    const struct session_part *now = view_part(v);
    if (s->phase == SESSION_OVER) {
        draw_text(r.y, r.x + 2, r.w - 4, STYLE_BOLD, "The interview is over.");
        draw_over(v, r);
        return;
    }
    if (now && s->phase != SESSION_BETWEEN && v->drill) {
        draw_drill(v->drill, r);
        return;
    }
    if (now && s->phase != SESSION_BETWEEN) {
        draw_text(r.y, r.x + 2, r.w - 4, STYLE_BOLD, now->title);
        draw_wrapped((struct rect){r.y + 1, r.x + 2, r.h - 1, r.w - 4}, 0, STYLE_PLAIN,
                     now->kind == PART_TALK ? now->ask
                     : v->replay            ? ""
                                            : "Enter asks the next drill; d lists them.");
        return;
    }
    if (v->replay || s->part + 1 >= s->plan.n_parts) {
        draw_text(r.y, r.x + 2, r.w - 4, STYLE_BOLD,
                  v->replay ? "Between parts." : "All parts are done. C closes the interview.");
        return;
    }
    const struct session_part *next = &s->plan.parts[s->part + 1];
    draw_textf(r.y, r.x + 2, r.w - 4, STYLE_BOLD, "Enter begins part %d: %s, %d min.%s",
               s->part + 2, next->title, next->minutes,
               console_candidate_here(s) ? "" : "  The candidate is not here.");
    draw_text(r.y + 1, r.x + 2, r.w - 4, STYLE_PLAIN,
              "c  how the candidate joins    b  the page about the next scenario    p  all parts");
}

int pane_now_rows(const struct console_view *v, int w)
{
    const struct session_part *now = view_part(v);
    enum session_phase phase = v->session->phase;
    if (!now || now->kind != PART_TALK || phase == SESSION_BETWEEN || phase == SESSION_OVER)
        return 0;
    return 1 + draw_wrapped((struct rect){ 0, 0, 0, w - 4 }, 0, STYLE_PLAIN, now->ask);
}

/* Found or not, in words or by the mark that answers have, and the score: as much of it as fits. */
static void verdict_text(char *out, size_t size, const struct console_view *v, int room)
{
    char score[320], says[160];
    struct found f;
    session_found(&f, v->entries, v->n_entries, v->state, v->session->part);
    found_says(says, sizeof says, &f);
    score_text(score, sizeof score, v->score);
    const char *mark = f.cut && !f.is ? "" : console_answer_mark(f.is ? "right" : "wrong");
    bool whole = draw_columns(says) + 2 + draw_columns(score) <= room;
    if (draw_columns(score) + 2 > room)
        *strchr(score, ':') = '\0';
    snprintf(out, size, whole ? "%s, %s" : *mark ? "%s %s" : "%s%s", whole ? says : mark, score);
}

/* Beside the title, where the score covers no line. */
void pane_truth_rule(const struct console_view *v, int y, int columns)
{
    char text[512];
    bool scenario = view_is_scenario(v);
    if (v->score)
        verdict_text(text, sizeof text, v, columns - 14);
    draw_rule(y, 0, columns, scenario ? "TRUTH" : "NOW",
              v->score   ? text
              : scenario ? "only on this screen"
                         : "");
}

void pane_truth(const struct console_view *v, struct rect r, bool whole)
{
    if (!view_is_scenario(v))
        draw_next_part(v, r);
    else if (!v->briefing)
        truth_plain(v, r);
    else if (whole)
        truth_whole(v, r);
    else
        draw_truth_brief(v, r);
}
