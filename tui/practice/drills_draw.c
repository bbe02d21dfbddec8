#include "tui/app/app_data.h"
#include "tui/practice/drills_screen.h"
#include "tui/app/frame.h"
#include "tui/practice/sitting_draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { LABEL_X = 16 };

/* ---- the question ---- */

static void choices(struct page *p, const struct drills *d)
{
    const struct drill_instance *i = d->instance;
    bool solved = d->stage == DRILLS_SOLVED;
    char label[16];
    for (int k = 0; k < i->drill->n_choices; k++) {
        bool right = solved && drill_is_right(i, k + 1),
             given = solved && d->graded.how != DRILL_SKIPPED && d->graded.value == k + 1;
        enum style s = right ? STYLE_GOOD : given ? STYLE_BAD : solved ? STYLE_DIM : STYLE_PLAIN;
        if (k == 0)
            page_gap(p);
        snprintf(label, sizeof label, "%s%d",
                 !solved ? ""
                 : right ? glyph("✓ ", "x ")
                 : given ? "- "
                         : "  ",
                 k + 1);
        page_labelled(p, solved ? 7 : 5, solved ? s : STYLE_ACCENT, label, s, i->choices[k]);
    }
}

/* Whose attributes the question speaks of, and where the truth comes from. */
static void place(struct page *p, const struct drills *d)
{
    const struct msg_device *g = d->instance->device;
    char text[160];
    if (!g)
        return;
    bool links = d->instance->drill->needs_links;
    snprintf(text, sizeof text, "%s%s, %s%s", links ? "two of one host, " : "", g->name,
             d->recording ? "recorded " : "here",
             !d->recording ? ""
             : links       ? g->links.measured
                           : d->recording->recorded);
    page_gap(p);
    page_labelled(p, LABEL_X, STYLE_DIM, "GPU", STYLE_PLAIN, text);
}

static void question(struct page *p, const struct drills *d)
{
    const struct drill_instance *i = d->instance;
    char right[32], given[512];
    snprintf(right, sizeof right, "%s, level %d", i->drill->topic, i->drill->level);
    page_rule(p, i->drill->title, right);
    if (p->r.h == 0 || p->r.h > 18)
        page_gap(p);
    page_text(p, 2, STYLE_PLAIN, i->ask);
    choices(p, d);
    place(p, d);
    drills_given(given, sizeof given, i, false);
    if (*given) {
        page_gap(p);
        page_labelled(p, LABEL_X, STYLE_DIM, "given", STYLE_PLAIN, given);
    }
}

static void hint(struct page *p, const struct drills *d)
{
    char known[512];
    if (!d->hint)
        return;
    page_gap(p);
    page_labelled(p, LABEL_X, STYLE_SECOND, "hint", STYLE_PLAIN, d->instance->hint);
    drills_given(known, sizeof known, d->instance, true);
    if (*known)
        page_labelled(p, LABEL_X, STYLE_SECOND, "by heart", STYLE_PLAIN, known);
}

/* ---- one axis for what was said, what is right, and where mistakes lead ---- */

/* Never wider than this factor around the truth; what lies outside is an arrow at the end. */
#define AXIS_FACTOR 30

struct axis { double low, high, least, most; int y, x, w; };

static void axis_add(struct axis *a, double value)
{
    if (value < a->least || value > a->most)
        return;
    a->low = value < a->low ? value : a->low;
    a->high = value > a->high ? value : a->high;
}

/* A share does not run above 100 %, unless the truth does. */
static void axis_span(struct axis *a, const struct drills *d)
{
    const struct drill_instance *i = d->instance;
    double top = !strcmp(i->drill->unit, "%") && i->answer <= 1 ? 1 : INFINITY;
    a->low = a->high = i->answer;
    a->least = i->answer / AXIS_FACTOR;
    a->most = fmin(i->answer * AXIS_FACTOR, top);
    axis_add(a, d->graded.interval ? d->graded.low : d->graded.value);
    axis_add(a, d->graded.interval ? d->graded.high : d->graded.value);
    for (int k = 0; k < i->n_wrongs; k++)
        axis_add(a, i->wrongs[k].value);
    a->low /= 1.3;
    a->high = fmin(a->high * 1.3, top);
}

/* 0 and less lie to the left of every scale of factors. */
static int axis_x(const struct axis *a, double value)
{
    double share = value > 0 ? log(value / a->low) / log(a->high / a->low) : 0;
    return a->x + (int)((share < 0 ? 0 : share > 1 ? 1 : share) * (a->w - 1) + 0.5);
}

static void axis_mark(const struct axis *a, double value, enum style s, const char *mark)
{
    draw_text(a->y, axis_x(a, value), 1, s, mark);
    if (value < a->low)
        draw_text(a->y, a->x - 1, 1, s, glyph("←", "<"));
    else if (value > a->high)
        draw_text(a->y, a->x + a->w, 1, s, glyph("→", ">"));
}

static void axis_interval(const struct axis *a, const struct drill_graded *g)
{
    for (int x = axis_x(a, g->low); x <= axis_x(a, g->high); x++)
        draw_text(a->y, x, 1, STYLE_ACCENT, glyph("─", "-"));
    axis_mark(a, g->low, STYLE_ACCENT, glyph("├", "|"));
    axis_mark(a, g->high, STYLE_ACCENT, glyph("┤", "|"));
}

static void axis_draw(const struct axis *a, const struct drills *d)
{
    const struct drill_instance *i = d->instance;
    const struct drill_graded *g = &d->graded;
    for (int x = 0; x < a->w; x++)
        draw_text(a->y, a->x + x, 1, STYLE_DIM, glyph("·", "."));
    if (g->interval)
        axis_interval(a, g);
    for (int k = 0; k < i->n_wrongs; k++) {
        char letter[2] = {(char)('a' + k), '\0'};
        axis_mark(a, i->wrongs[k].value, STYLE_BAD, letter);
    }
    if (!g->interval && g->how != DRILL_SKIPPED)
        axis_mark(a, g->value, STYLE_ACCENT, glyph("▸", "^"));
    axis_mark(a, i->answer, STYLE_GOOD, glyph("●", "*"));
}

static bool axis_is_beyond(const struct axis *a, double value)
{
    return value < a->low || value > a->high;
}

/* What the marks mean, of those that are there. */
static void axis_legend(struct page *p, const struct axis *a, const struct drills *d)
{
    const struct drill_instance *i = d->instance;
    const struct drill_graded *g = &d->graded;
    bool given = g->how != DRILL_SKIPPED,
         same = given && !g->interval && axis_x(a, g->value) == axis_x(a, i->answer);
    bool beyond = given && (g->interval ? axis_is_beyond(a, g->low) || axis_is_beyond(a, g->high)
                                        : axis_is_beyond(a, g->value));
    char text[160], letters[24] = "";
    for (int k = 0; k < i->n_wrongs; k++)
        beyond = beyond || axis_is_beyond(a, i->wrongs[k].value);
    if (i->n_wrongs > 0)
        snprintf(letters, sizeof letters, i->n_wrongs > 1 ? "   a-%c mistakes" : "   a a mistake",
                 'a' + i->n_wrongs - 1);
    snprintf(text, sizeof text, "%s right%s%s%s%s%s%s", glyph("●", "*"), same ? ", and you" : "",
             same || !given ? "" : "   ",
             same || !given ? ""
             : g->interval  ? glyph("├─┤ you", "|-| you")
                            : glyph("▸ you", "^ you"),
             letters, beyond ? "   " : "", beyond ? glyph("←→ beyond", "<> beyond") : "");
    page_text(p, LABEL_X, STYLE_DIM, text);
}

static void axis(struct page *p, const struct drills *d)
{
    const struct drill_instance *i = d->instance;
    struct axis a = {.x = p->r.x + LABEL_X};
    char low[48], high[48];
    if (i->drill->n_choices || i->answer <= 0)
        return;
    axis_span(&a, d);
    drill_show_value(low, sizeof low, i->drill, a.low);
    drill_show_value(high, sizeof high, i->drill, a.high);
    page_gap(p);
    a.y = page_row(p);
    a.w = p->r.w - LABEL_X - draw_columns(high) - 5;
    if (a.y >= 0 && a.w >= 10) {
        draw_right(a.y, p->r.x + LABEL_X - 1, LABEL_X - 2, STYLE_DIM, low);
        draw_text(a.y, a.x + a.w + 2, draw_columns(high), STYLE_DIM, high);
        axis_draw(&a, d);
    }
    axis_legend(p, &a, d);
}

/* ---- the answer ---- */

static const char *heading(const struct drill_graded *g)
{
    switch (g->how) {
    case DRILL_RIGHT: return "RIGHT";
    case DRILL_CLOSE: return "CLOSE";
    case DRILL_SLIP: return "A SLIP";
    case DRILL_SKIPPED: return "SKIPPED";
    default: return "NOT RIGHT";
    }
}

static void wrongs(struct page *p, const struct drill_instance *i)
{
    if (i->n_wrongs == 0)
        return;
    page_gap(p);
    page_rule(p, "WHERE MISTAKES LEAD", NULL);
    for (int k = 0; k < i->n_wrongs; k++) {
        char label[64], value[48];
        drill_show_value(value, sizeof value, i->drill, i->wrongs[k].value);
        if (i->drill->n_choices)
            snprintf(label, sizeof label, "%.0f", i->wrongs[k].value);
        else
            snprintf(label, sizeof label, "%c %s", 'a' + k, value);
        page_labelled(p, i->drill->n_choices ? 5 : LABEL_X, STYLE_BAD, label, STYLE_PLAIN,
                      i->wrongs[k].says);
    }
}

static void solved(struct page *p, const struct drills *d)
{
    const struct drill_graded *g = &d->graded;
    char right[64], points[32];
    bool bad = g->how == DRILL_SLIP || g->how == DRILL_WRONG;
    drill_show_value(right, sizeof right, d->instance->drill, d->instance->answer);
    snprintf(points, sizeof points, "%.2f of 1", g->points);
    page_gap(p);
    page_rule(p, heading(g), points);
    page_text(p, 2, g->how == DRILL_RIGHT ? STYLE_GOOD : bad ? STYLE_BAD : STYLE_BOLD, g->say);
    if (d->instance->measured) {
        char truth[320];
        drill_show_truth(truth, sizeof truth, d->instance);
        page_text(p, 2, STYLE_PLAIN, truth);
    }
    axis(p, d);
    page_gap(p);
    page_labelled(p, LABEL_X, STYLE_DIM, d->instance->measured ? "on paper" : "worked", STYLE_PLAIN,
                  d->instance->solution);
    wrongs(p, d->instance);
    page_gap(p);
    page_source(p, LABEL_X, d->instance->drill->source ? d->instance->drill->source : "");
}

static int page_draw(const struct drills *d, struct rect r, int top)
{
    struct page p = {.r = r, .top = top};
    question(&p, d);
    hint(&p, d);
    if (d->stage == DRILLS_SOLVED)
        solved(&p, d);
    return p.line;
}

static int end_draw(struct app *app, const struct drills *d, struct rect r, int top)
{
    struct page p = {.r = r, .top = top};
    char text[256];
    int head = p.line - p.top;
    page_rule(&p, d->sitting.n_answers ? "THIS SITTING" : "DRILLS", NULL);
    if (d->sitting.n_answers && head >= 0 && r.h > 0)
        sitting_draw_head(&d->sitting, r.y + head, r);
    if (d->sitting.n_answers > 0) {
        int hidden = p.line < top ? top - p.line : 0, y = p.line - top + hidden;
        p.line += sitting_draw(&d->sitting, (struct rect){r.y + y, r.x, r.h - y, r.w}, hidden);
    } else if (library_drills(app_library(app)) == 0) {
        page_text(&p, 2, STYLE_PLAIN, "No drill was found; warpdrill drill says why.");
    } else {
        page_text(&p, 2, STYLE_PLAIN,
                  *d->sitting.topic ? "No drill of this topic can be asked here."
                                    : "Nothing is due now.");
    }
    page_gap(&p);
    sitting_later(&d->sitting, text, sizeof text);
    page_text(&p, 2, STYLE_DIM, text);
    return p.line;
}

static int body_draw(struct app *app, const struct drills *d, struct rect r, int top)
{
    return d->stage == DRILLS_END ? end_draw(app, d, r, top) : page_draw(d, r, top);
}

int drills_lines(struct app *app, const struct drills *d)
{
    return body_draw(app, d, (struct rect){1, 0, 0, app_columns(app)}, 0);
}

/* ---- searching ---- */

static void draw_all(struct app *app, const void *self, struct rect r)
{
    body_draw(app, self, r, 0);
}

static void find_rows(struct app *app, const void *self, struct find_rows *out)
{
    const struct drills *d = self;
    struct practice_frame f;
    practice_frame(&f, app);
    out->where = f.frame.body;
    out->at = practice_scroll(d->top, drills_lines(app, d), out->where.h);
    find_add_drawn(out, app, d, drills_lines(app, d), draw_all);
}

static void find_go(struct app *app, void *self, int row, int column, int columns)
{
    struct drills *d = self;
    struct practice_frame f;
    (void)column, (void)columns;
    practice_frame(&f, app);
    d->top = find_top(d->top, row, drills_lines(app, d), f.frame.body.h);
}

const struct find_ops drills_find = {find_rows, find_go};

/* ---- the rows below ---- */

static void clock_draw(struct app *app, const struct drills *d, int y, int w)
{
    int given = d->instance->drill->seconds, x = 1, cells = w >= 80 ? 30 : 15;
    double took = drills_seconds(d, app_now(app));
    char text[64], over[32] = "";
    x += draw_text(y, x, 6, STYLE_DIM, "clock") + 1;
    draw_bar(y, x, cells, took / given, true, took > given ? STYLE_BOLD : STYLE_ACCENT);
    if (took > given)
        snprintf(over, sizeof over, ", %d s over: noted", (int)took - given);
    snprintf(text, sizeof text, "%d:%02d of %d:%02d%s", (int)took / 60, (int)took % 60, given / 60,
             given % 60, over);
    x += cells + 1;
    x += draw_text(y, x, w - x - 1, STYLE_PLAIN, text) + 3;
    const char *why = d->stage == DRILLS_ASKED ? d->why : "";
    if (draw_columns(why) < w - x - 1)
        draw_right(y, w - 1, w - x - 1, STYLE_DIM, why);
}

/* By the unit asked for, else by its base unit. */
static const char *example(const struct drill *d, bool wide)
{
    static const struct { const char *unit, *such, *brief; } table[] = {
        {"s", "such as 5.2 ms, or 4 to 6 ms, 80 %", "5.2 ms; 4 to 6 ms, 80 %"},
        {"min", "such as 35 min, or 30 to 40 min, 80 %", "35 min; 30 to 40 min, 80 %"},
        {"B", "such as 85.9 GB, or 70 to 90 GB, 80 %", "86 GB; 70 to 90 GB, 80 %"},
        {"KiB", "such as 96 KiB, or 80 to 100 KiB, 80 %", "96 KiB; 80 to 100 KiB, 80 %"},
        {"B/s", "such as 3.35 TB/s, or 3 to 4 TB/s, 80 %", "3 TB/s; 3 to 4 TB/s, 80 %"},
        {"flop/s", "such as 120 Tflop/s, or 100 to 140 Tflop/s, 80 %", "120 Tflop/s"},
        {"flop", "such as 140 Gflop, or 100 to 200 Gflop, 80 %", "140 Gflop"},
        {"flop/B", "such as 60 flop/B, or 50 to 70 flop/B, 80 %", "60 flop/B"},
        {"tok/s", "such as 700 tok/s, or 600 to 800 tok/s, 80 %", "700 tok/s"},
        {"%", "such as 15 %, or 10 % to 20 %, 80 %", "15 %; 10 % to 20 %, 80 %"},
        {"million", "such as 25 million, or 20 to 30 million, 80 %", "25 million"},
        {"1", "such as 48 or 3e9, or 40 to 60, 80 %", "48; 40 to 60, 80 %"},
    };
    char base[64];
    dim_unit(base, sizeof base, d->dim);
    for (int turn = 0; turn < 2; turn++)
        for (size_t i = 0; i < sizeof table / sizeof *table; i++)
            if (!strcmp(table[i].unit, turn ? base : d->unit))
                return wide ? table[i].such : table[i].brief;
    return wide ? "a number with its unit" : "its unit too";
}

/* "the time asked for, in ms without a unit:", "a plain number:" */
static void asked_for(char *out, size_t size, const struct drill *d, bool wide)
{
    char what[48];
    dim_describe(what, sizeof what, d->dim);
    bool plain = !strcmp(d->unit, "1");
    if (!strcmp(what, d->unit)) /* a dimension without a word */
        snprintf(what, sizeof what, "a number");
    const char *name = strcmp(d->unit, "%") ? what : "a share";
    if (plain)
        snprintf(out, size, "%s:", name);
    else if (wide && strncmp(name, "a ", 2) == 0)
        snprintf(out, size, "the %s asked for, in %s without a unit:", name + 2, d->unit);
    else
        snprintf(out, size, "%s, in %s without a unit:", name, d->unit);
}

static void field_draw(const struct drills *d, int y, int w)
{
    const struct drill *drill = d->instance->drill;
    char label[96];
    if (drill->n_choices) {
        draw_textf(y, 1, w - 2, STYLE_PLAIN, "Choose with a digit, 1 to %d.", drill->n_choices);
        return;
    }
    asked_for(label, sizeof label, drill, w >= 100);
    const char *such = example(drill, w >= 100);
    int x = 1 + draw_text(y, 1, w / 2, STYLE_PLAIN, label) + 1,
        n = w >= 80 ? draw_columns(such) + 3 : 0;
    textfield_draw(&d->field, y, x, w - x - n - 1, STYLE_ACCENT);
    if (n)
        draw_right(y, w - 1, n, STYLE_DIM, such);
}

static const char *grade_words(int grade)
{
    static const char *const words[] = {"", "again", "hard", "good", "easy"};
    return grade >= 1 && grade <= 4 ? words[grade] : "";
}

static void solved_rows(struct app *app, const struct drills *d, const struct practice_frame *f)
{
    int w = f->frame.body.w;
    const struct sitting_answer *a = &d->sitting.answers[d->sitting.n_answers - 1];
    clock_draw(app, d, f->status, w);
    char text[128];
    if (!a->counted)
        snprintf(text, sizeof text, "not counted");
    else
        snprintf(text, sizeof text, "%s: %s", grade_words(a->grade),
                 *a->next ? a->next : "not kept yet");
    draw_right(f->status, w - 1, w / 2, STYLE_BOLD, text);
    draw_text(f->todo, 1, w - 2, STYLE_PLAIN,
              w >= 90 ? "Enter for the next. u takes this answer back, r asks the same with other "
                        "numbers."
              : w >= 80 ? "Enter for the next. u takes this answer back, r asks with other numbers."
                        : "Enter for the next; u takes it back.");
}

static void measuring_rows(const struct drills *d, const struct practice_frame *f)
{
    int at = 0, of = 0, w = f->frame.body.w;
    const char *say = d->supply ? supply_say(d->supply, &at, &of) : NULL;
    draw_textf(f->status, 1, w - 2, STYLE_PLAIN, "you said %s; measuring   %s",
               *d->predicted ? d->predicted : "nothing", say ? say : "");
    draw_text(f->todo, 1, w - 2, STYLE_PLAIN,
              "Wait for the GPU, or Esc cancels: nothing is counted then.");
}

static void end_rows(const struct drills *d, const struct practice_frame *f)
{
    char text[160];
    sitting_sum(&d->sitting, text, sizeof text);
    if (d->sitting.n_answers)
        draw_text(f->status, 1, f->frame.body.w - 2, STYLE_BOLD, text);
    draw_text(f->todo, 1, f->frame.body.w - 2, STYLE_PLAIN,
              sitting_more(&d->sitting) ? "Enter goes back; n asks one more." : "Enter goes back.");
}

static void where(const struct drills *d, char *out, size_t size)
{
    char at[48];
    sitting_place(&d->sitting, d->item, d->stage == DRILLS_ASKED || d->stage == DRILLS_MEASURING,
                  at, sizeof at);
    if (d->stage == DRILLS_END)
        snprintf(out, size, "drills   done");
    else if (!d->counted)
        snprintf(out, size, "drills   not counted");
    else
        snprintf(out, size, "%.14s   %s", *d->sitting.topic ? d->sitting.topic : "drills",
                 *d->only ? "1 of 1" : at);
}

void drills_draw(struct app *app, const void *self)
{
    const struct drills *d = self;
    struct practice_frame f;
    char what[80];
    bool typing = d->stage == DRILLS_ASKED && textfield_text(&d->field)[0];
    practice_frame(&f, app);
    where(d, what, sizeof what);
    const char *keys =
        d->stage == DRILLS_MEASURING ? "Esc cancel"
        : !typing                    ? NULL
        : f.frame.body.w >= 78
            ? "Enter answer   Tab hint, a quarter of the points   Esc back   Ctrl-U clears"
            : "Enter answer   Tab hint (-25 %)   Esc back   Ctrl-U clears";
    int digits = d->instance ? d->instance->drill->n_choices : 0;
    practice_frame_draw(app, &f, what, drills_keys(app, d), digits, keys);
    int top = practice_scroll(d->top, drills_lines(app, d),
                              f.frame.body.h); /* the screen may have grown */
    int lines = body_draw(app, d, f.frame.body, top);
    practice_more(&f, lines, top, app_said(app) != NULL);
    if (d->stage == DRILLS_ASKED) {
        clock_draw(app, d, f.status, f.frame.body.w);
        field_draw(d, f.todo, f.frame.body.w);
    } else if (d->stage == DRILLS_MEASURING) {
        measuring_rows(d, &f);
    } else if (d->stage == DRILLS_SOLVED) {
        solved_rows(app, d, &f);
    } else {
        end_rows(d, &f);
    }
}
