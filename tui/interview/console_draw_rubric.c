/* RUBRIC: the rows with their letters and grades. GRADE: one of them with what each grade means, to
 * be read before it is given. */
#include "tui/interview/console_draw.h"

#include <stdio.h>

#include "tui/home/history.h"
#include "tui/app/defaults.h"

static const char letters[] = CONSOLE_LETTERS;

/* ---- RUBRIC ---- */

static void marks_draw(int y, int x, int grade)
{
    for (int k = 0; k < SESSION_MAX_ANCHORS; k++)
        draw_text(y, x + k, 1, k < grade ? STYLE_ACCENT : STYLE_DIM,
                  k < grade ? glyph("●", "*") : glyph("○", "o"));
}

/* In few columns the grade is a digit before the title, so that titles stand whole. */
static void row_draw(const struct console_view *v, int k, int y, int x, int w)
{
    const struct session_signal *s = &v->session->plan.signals[k];
    int grade = session_grade(v->session, s->id), in = w < 42 ? 5 : 4,
        title = w < 42 ? w - in : w - in - 6;
    bool chosen = v->grading == k + 1;
    draw_text(y, x, 1, STYLE_ACCENT, chosen ? glyph("▸", ">") : " ");
    draw_textf(y, x + 1, 1, STYLE_BOLD, "%c", letters[k]);
    draw_text(y, x + in, title, chosen ? STYLE_BOLD : STYLE_PLAIN, s->title);
    if (w >= 42)
        marks_draw(y, x + in + title + 1, grade);
    else
        draw_textf(y, x + 3, 1, grade ? STYLE_ACCENT : STYLE_DIM, "%c", grade ? '0' + grade : '-');
}

/* Beside a title of few rows: the anchor of the grade given; before that the one of a good answer.
 */
static void anchor_draw(const struct console_view *v, int k, int y, int x, int w)
{
    const struct session_signal *s = &v->session->plan.signals[k];
    int grade = session_grade(v->session, s->id), of = grade ? grade : 3;
    if (w > 8 && s->anchors[of - 1][0])
        draw_textf(y, x, w, STYLE_DIM, "%d: %s", of, s->anchors[of - 1]);
}

static int columns_of(const struct console_view *v, int w)
{
    return w >= 100 && v->session->plan.n_signals > 4 ? 2 : 1;
}

int pane_rubric_rows(const struct console_view *v, int w)
{
    int columns = columns_of(v, w), n = (v->session->plan.n_signals + columns - 1) / columns;
    return n ? n : 1;
}

void pane_rubric(const struct console_view *v, struct rect r)
{
    int columns = columns_of(v, r.w), rows = pane_rubric_rows(v, r.w), w = r.w / columns,
        n = v->session->plan.n_signals;
    bool anchors = columns == 1 && r.w >= 100;
    if (n == 0)
        draw_text(r.y, r.x + 2, r.w - 4, STYLE_DIM, "This plan has no rubric.");
    for (int k = 0; k < n; k++) {
        int y = r.y + k % rows, x = r.x + k / rows * w;
        if (y >= r.y + r.h)
            continue;
        row_draw(v, k, y, x, anchors ? 46 : w);
        if (anchors)
            anchor_draw(v, k, y, x + 48, r.w - 49);
    }
    if (n > 0 && r.h > rows + 1)
        draw_text(r.y + rows + 1, r.x + 1, r.w - 2, STYLE_DIM,
                  v->replay ? "1 weak to 4 strong" : "A letter shows what 1 to 4 mean.");
}

/* ---- GRADE ---- */

static int anchor_rows(const char *anchor, int w)
{
    int n = draw_wrapped((struct rect){ 0, 0, 0, w - 8 }, 0, STYLE_PLAIN, anchor);
    return n ? n : 1;
}

int pane_grade_rows(const struct console_view *v, int w)
{
    const struct session_signal *s = &v->session->plan.signals[v->grading - 1];
    int n = 1;
    for (int k = 0; k < SESSION_MAX_ANCHORS; k++)
        n += anchor_rows(s->anchors[k], w);
    return n;
}

/* The row itself, its grade, and of a late one when it was given. */
static void grade_title(const struct console_view *v, const struct session_signal *s, int grade,
                        struct rect r)
{
    int64_t late = grade ? session_graded_late(v->session, s->id) : 0;
    char when[32], right[64] = "";
    int x = r.x + 5;
    draw_textf(r.y, r.x + 2, 1, STYLE_BOLD, "%c", letters[v->grading - 1]);
    x += draw_text(r.y, x, r.w - 12, STYLE_BOLD, s->title) + 2;
    if (x + SESSION_MAX_ANCHORS < r.x + r.w)
        marks_draw(r.y, x, grade);
    if (!late)
        return;
    history_when(when, sizeof when, late, wall_now());
    snprintf(right, sizeof right, "given after the end: %s", when);
    if (draw_columns(right) < r.x + r.w - x - 8)
        draw_right(r.y, r.x + r.w - 1, draw_columns(right), STYLE_DIM, right);
}

void pane_grade(const struct console_view *v, struct rect r)
{
    const struct session_signal *s = &v->session->plan.signals[v->grading - 1];
    int grade = session_grade(v->session, s->id), y = r.y + 1,
        spare = r.h - 1 - SESSION_MAX_ANCHORS;
    grade_title(v, s, grade, r);
    for (int k = 0; k < SESSION_MAX_ANCHORS && y < r.y + r.h; k++) {
        int more = anchor_rows(s->anchors[k], r.w) - 1;
        more = more < spare ? more : spare > 0 ? spare : 0;
        spare -= more;
        draw_text(y, r.x + 2, 1, STYLE_ACCENT, k + 1 == grade ? glyph("●", "*") : " ");
        draw_textf(y, r.x + 5, 1, STYLE_BOLD, "%d", k + 1);
        draw_opening((struct rect){y, r.x + 8, 1 + more, r.w - 9},
                     k + 1 == grade ? STYLE_BOLD : STYLE_PLAIN,
                     s->anchors[k][0] ? s->anchors[k] : "(nothing is written for it)",
                     glyph(" …", " ..."));
        y += 1 + more;
    }
}
