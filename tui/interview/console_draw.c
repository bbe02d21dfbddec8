/* Where the panes of the console stand at each size, with their rules. */
#include "tui/interview/console_draw.h"

#include <stdio.h>

#include "scenarios/interview/interview_moves.h"
#include "tui/kit/layout.h"

enum { TURN_TRUTH, TURN_BELIEFS, TURN_MOVES, TURN_SAY, TURN_RUBRIC, TURN_NOTES, TURN_COUNT };
enum form { FORM_PANE, FORM_MIDDLE, FORM_WIDE };
enum { NOW_MOST = 6 };
enum { RUBRIC_COLUMNS = 38 /* beside the beliefs, where it has no rows of its own */ };

static enum form form_of(int rows, int columns)
{
    return rows >= 30 && columns >= 100  ? FORM_WIDE
           : rows >= 24 && columns >= 80 ? FORM_MIDDLE
                                         : FORM_PANE;
}

int console_pane_count(int rows, int columns)
{
    static const int count[] = { TURN_COUNT, 2, 1 };
    return count[form_of(rows, columns)];
}

/* ---- places ---- */

/* Rectangles below the rules. `beside` stands right of the beliefs: the moves, or in the middle
 * form the rubric. */
struct places { struct rect truth, main, beside, say, rubric, notes; };

static void shares_make(struct places *p, const struct console_view *v, int rows, int columns,
                        bool wide)
{
    int rubric = wide ? pane_rubric_rows(v, columns) : 0,
        beside = wide ? 0 : pane_rubric_rows(v, RUBRIC_COLUMNS);
    int main = v->state && v->state->story->n_hypotheses < 10 && !wide
                   ? v->state->story->n_hypotheses
                   : 10;
    *p = (struct places){.truth.h = 3,
                         .main.h = main > beside ? main : beside,
                         .say.h = 5,
                         .rubric.h = rubric,
                         .notes.h = 1};
    int asked = pane_now_rows(v, columns), least = asked > 2 ? asked : 2;
    least = least < NOW_MOST ? least : NOW_MOST;
    p->truth.h = asked > p->truth.h ? least : p->truth.h;
    int rules = wide ? 5 : 4,
        spare = rows - 1 - 1 - rules - p->truth.h - p->main.h - p->say.h - p->rubric.h - p->notes.h;
    for (; spare < 0 && !wide && p->truth.h > least;
         spare++) /* what misleads stands in the brief too */
        p->truth.h--;
    for (; spare < 0 && p->say.h > 1; spare++)
        p->say.h--;
    for (; spare < 0; spare++)
        p->main.h--;
    for (int turn = 0; spare > 0; turn++, spare--)
        *(turn % 4 == (wide ? 0 : 3) && p->notes.h < 6 ? &p->notes.h
          : turn % 4 == 2 && p->say.h < 14             ? &p->say.h
                                                       : &p->main.h) += 1;
}

/* What is left over goes to notes, moves and lines to say in turn. */
static void places_make(struct places *p, const struct console_view *v, int rows, int columns,
                        bool wide)
{
    shares_make(p, v, rows, columns, wide);
    int divide = wide ? 58 + (columns - 100) / 2 : columns - RUBRIC_COLUMNS - 1;
    struct rect *const across[] = { &p->truth, &p->say, &p->rubric, &p->notes };
    for (size_t k = 0; k < sizeof across / sizeof *across; k++)
        across[k]->w = columns;
    p->truth.y = 2;
    p->main.y = p->truth.y + p->truth.h + 1;
    p->main.w = divide;
    p->beside = (struct rect){ p->main.y, divide + 1, p->main.h, columns - divide - 1 };
    p->say.y = p->main.y + p->main.h + 1;
    p->rubric.y = p->say.y + p->say.h + wide;
    p->notes.y = p->rubric.y + p->rubric.h + 1;
}

/* ---- drawing ---- */

static void rule(struct rect r, const char *title, const char *right)
{
    draw_rule(r.y - 1, r.x, r.w, title, right);
}

static void draw_left(const struct console_view *v, struct rect r, bool moves)
{
    char right[48];
    const char *title = pane_beliefs_title(v, right);
    rule(r, moves ? "MOVES" : title, moves ? pane_moves_right(v) : right);
    if (moves)
        pane_moves(v, r);
    else
        pane_beliefs(v, r);
}

static const char *rubric_right(const struct console_view *v, int w)
{
    return v->replay ? w >= 60 ? "1 weak to 4 strong" : "1 to 4"
           : w >= 60 ? "letter: what 1 weak to 4 strong mean"
                     : "letter: the grades";
}

static void draw_main(const struct console_view *v, const struct places *p, bool wide)
{
    draw_left(v, p->main, !wide && v->pane == 1);
    if (wide) {
        rule(p->beside, "MOVES", pane_moves_right(v));
        pane_moves(v, p->beside);
    } else {
        rule(p->beside, "RUBRIC", rubric_right(v, p->beside.w));
        pane_rubric(v, p->beside);
    }
    draw_vline(p->main.y, p->main.w, p->main.h);
    draw_join(p->main.y - 1, p->main.w, 1);
}

static void draw_grade(const struct console_view *v, struct rect r)
{
    rule(r, "GRADE", "1-4 grades, 0 none, Esc back");
    pane_grade(v, r);
}

/* Beside the title; NULL: nothing. */
static const char *says_hint(const struct console_view *v, int columns)
{
    if (v->replay || v->session->phase == SESSION_OVER)
        return NULL;
    if (interview_waiting(v->live) >= 0)
        return "a pushback waits; u takes it back";
    return columns >= 100 ? "digit marks, Enter sends" : "digit, Enter sends";
}

/* The lines to say make room for a row of the rubric that is being graded; where its words are
 * long, what stands below does too. True: all of it does. */
static bool draw_lower(const struct console_view *v, const struct places *p, int columns)
{
    bool tall = v->grading && pane_grade_rows(v, columns) > p->say.h;
    if (v->grading) {
        draw_grade(v, (struct rect){p->say.y, 0,
                                    tall ? p->notes.y + p->notes.h - p->say.y : p->say.h, columns});
        return tall;
    }
    rule(p->say, "SAY NEXT", says_hint(v, columns));
    pane_says(v, p->say);
    return false;
}

static void draw_whole(const struct console_view *v, int rows, int columns, bool wide)
{
    struct places p;
    char right[64];
    places_make(&p, v, rows, columns, wide);
    pane_truth_rule(v, p.truth.y - 1, columns);
    pane_truth(v, p.truth, false);
    draw_main(v, &p, wide);
    bool covered = draw_lower(v, &p, columns);
    draw_join(p.say.y - 1, p.main.w, 0);
    if (covered)
        return;
    if (wide) {
        rule(p.rubric, "RUBRIC", rubric_right(v, columns));
        pane_rubric(v, p.rubric);
    }
    pane_notes_right(right, sizeof right, v);
    rule(p.notes, "NOTES", right);
    pane_notes(v, p.notes);
}

static void draw_one(const struct console_view *v, int rows, int columns)
{
    static const char *const titles[TURN_COUNT] = {"TRUTH",    NULL,     "MOVES",
                                                   "SAY NEXT", "RUBRIC", "NOTES"};
    struct rect r = { 2, 0, rows - 5, columns };
    char right[48] = "";
    const char *title = v->pane == TURN_BELIEFS ? pane_beliefs_title(v, right) : titles[v->pane];
    if (v->grading) {
        draw_grade(v, r);
        return;
    }
    if (v->pane == TURN_TRUTH && (v->score || !view_is_scenario(v)))
        pane_truth_rule(v, 1, columns);
    else
        draw_rule(1, 0, columns, title, right[0] ? right : "Tab turns");
    switch (v->pane) {
    case TURN_TRUTH: pane_truth(v, r, true); break;
    case TURN_BELIEFS: pane_beliefs(v, r); break;
    case TURN_MOVES: pane_moves(v, r); break;
    case TURN_SAY: pane_says(v, r); break;
    case TURN_RUBRIC: pane_rubric(v, r); break;
    default: pane_notes(v, r); break;
    }
    draw_rule(rows - 3, 0, columns, NULL,
              v->session->quiet_until_ms > v->now_ms ? "quiet time" : pane_moves_right(v));
}

void console_draw_panes(struct app *app, const struct console_view *v)
{
    int rows = app_rows(app), columns = app_columns(app);
    enum form form = form_of(rows, columns);
    pane_head(v, columns);
    if (form == FORM_PANE)
        draw_one(v, rows - v->replay, columns);
    else
        draw_whole(v, rows - v->replay, columns, form == FORM_WIDE);
}
