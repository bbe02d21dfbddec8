/* Workloads are placed on a roofline, each by its intensity: what that makes of it is told as it
 * moves, whether it belongs there when all is handed in. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drills/question/fill.h"
#include "kernels/wire/text.h"
#include "tui/practice/making.h"
#include "tui/practice/practice.h"

enum { SECONDS = 60, SECONDS_POINT = 15, STEPS = 16 /* of a decade */ };

struct roofline_screen {
    struct making m;
    struct roofline put, known;
    int letter;
};

/* ---- keys ---- */

static const char *const how[] = {
    "A workload is placed by its intensity: operations over the bytes that it must move. A letter "
    "chooses one, a digit puts it at that power of ten, the arrows move it. The roof says how fast "
    "it can be there, and what sets its pace.",
    "Within a factor of 1.5, and on the right side of its ridge, is right. All right counts as "
    "known, two of three as known with trouble.",
    NULL,
};
static const struct binding placing_rows[] = {
    {ACT_LEFT, "Left h", "move", "less intensity, a sixteenth of a decade"},
    {ACT_RIGHT, "Right l", NULL, "more intensity"},
    {ACT_DIGIT, "0-9", "decade", "at 1, 10, 100, ... operations a byte"},
    {ACT_PLACE, "a b c d e f", "choose", "the workload of this letter"},
    {ACT_UP, "Up k", NULL, "the workload before"},
    {ACT_DOWN, "Down j", NULL, "the next workload"},
    {ACT_ENTER, "Enter", "hand in", "hand it in, to be graded"},
    {ACT_BACK, "Esc", "back", "back; nothing is counted"},
};
static const struct key_list placing_keys = {KEY_ROWS(placing_rows), .how = how,
                                             .must = {ACT_DIGIT, ACT_ENTER}};
static const struct binding graded_rows[] = {
    {ACT_ENTER, "Enter", "go on", "go on"},
    {ACT_UP, "Up k", "why", "what is said of the workload before"},
    {ACT_DOWN, "Down j", NULL, "of the next workload"},
    {ACT_TAB, "Tab", "yours, right", "where all belongs, or yours again"},
    KEYS_PAGES,
    KEYS_BACK,
};
static const struct key_list graded_keys = {KEY_ROWS(graded_rows), .how = how,
                                            .must = {ACT_UP}};

static const struct key_list *keys(struct app *app, const void *self)
{
    (void)app;
    return ((const struct roofline_screen *)self)->m.graded ? &graded_keys : &placing_keys;
}

/* ---- drawing ---- */

static const struct figure_point *chosen(const struct roofline_screen *s)
{
    return &s->m.figure->plot.point[s->put.point[s->letter]];
}

static void draw_placing(const struct roofline_screen *s, const struct practice_frame *f, int w)
{
    double at = s->put.at[s->letter];
    bool memory;
    char is[64], rate[64];
    draw_textf(f->status, 1, w - 2, STYLE_BOLD, "%c: %s", 'a' + s->letter,
               s->m.figure->slot[chosen(s)->slot].text);
    if (s->m.asked) {
        draw_text(f->todo, 1, w - 2, STYLE_BAD, "Not all are placed; Enter again hands it in.");
        return;
    }
    if (at <= 0) {
        draw_text(f->todo, 1, w - 2, STYLE_DIM,
                  "How many operations a byte? A digit, or the arrows.");
        return;
    }
    double most = roofline_rate(&s->put, s->letter, at, &memory);
    fill_value(is, sizeof is, (struct quantity){at, DIM_NONE}, "flop/B");
    fill_value(rate, sizeof rate, (struct quantity){most, DIM_RATE}, "Tflop/s");
    draw_textf(f->todo, 1, w - 2, STYLE_DIM, "at %s: %s at most, bound by %s", is, rate,
               memory ? "memory" : "compute");
}

static void draw_graded(const struct roofline_screen *s, const struct practice_frame *f, int w)
{
    char why[160];
    int right = roofline_right(&s->put);
    bool is_right = roofline_judge(&s->put, s->letter, why, sizeof why) == PLACED_RIGHT;
    draw_textf(f->status, 1, w - 2, right == s->put.n ? STYLE_GOOD : STYLE_BAD,
               "%d of %d right. %s", right, s->put.n, s->m.figure->part[chosen(s)->part].says);
    draw_text(f->todo, 1, w - 2, is_right ? STYLE_GOOD : STYLE_BAD, why);
}

static void draw(struct app *app, const void *self)
{
    const struct roofline_screen *s = self;
    struct practice_frame f;
    struct figure_picture p;
    struct figure_view view = {.width = app_columns(app), .part = -1, .blank = -1,
                               .put = s->m.shown ? &s->known : &s->put, .letter = s->letter};
    practice_frame(&f, app);
    practice_frame_draw(app, &f, s->m.figure->title, keys(app, self), 9, NULL);
    figure_picture_make(&p, s->m.figure, &view);
    struct rect body = f.frame.body;
    int lines = p.lines + (s->m.graded ? practice_note_lines(body, s->m.figure->note) : 0);
    int top = practice_scroll_to(s->m.graded ? -1 : p.blank_line, s->m.top, lines, body.h);
    figure_picture_show(&p, body, top);
    practice_more(&f, lines, top, app_said(app) != NULL);
    if (s->m.graded) {
        practice_note(body, p.lines, top, s->m.figure->note);
        draw_graded(s, &f, body.w);
    } else {
        draw_placing(s, &f, body.w);
    }
    figure_picture_free(&p);
}

/* ---- placing ---- */

static void move(struct roofline_screen *s, int by)
{
    double *at = &s->put.at[s->letter];
    double step = round(log10(*at > 0 ? *at : 10) * STEPS) + (*at > 0 ? by : 0);
    step = fmax(0, fmin(step, 6 * STEPS));
    *at = pow(10, step / STEPS);
}

static void choose(struct roofline_screen *s, int letter)
{
    if (letter >= 0 && letter < s->put.n)
        s->letter = letter;
}

static void hand_in(struct app *app, struct roofline_screen *s)
{
    bool lacking = false;
    char given[48];
    for (int i = 0; i < s->put.n; i++)
        lacking |= s->put.at[i] <= 0;
    if (lacking && !s->m.asked) {
        s->m.asked = true;
        return;
    }
    int right = roofline_right(&s->put);
    enum drill_how how_well = right == s->put.n          ? DRILL_RIGHT
                              : right * 3 >= s->put.n * 2 ? DRILL_CLOSE
                                                          : DRILL_WRONG;
    snprintf(given, sizeof given, "placed, %d of %d", right, s->put.n);
    making_keep(app, &s->m, how_well, given, SECONDS + SECONDS_POINT * s->put.n);
}

static int act(struct app *app, void *self, enum action action, int arg)
{
    struct roofline_screen *s = self;
    struct practice_frame f;
    practice_frame(&f, app);
    if (action == ACT_BACK || (s->m.graded && action == ACT_ENTER))
        return DO_POP;
    s->m.asked = s->m.asked && action == ACT_ENTER;
    switch (action) {
    case ACT_UP: choose(s, (s->letter + s->put.n - 1) % s->put.n); break;
    case ACT_DOWN: choose(s, (s->letter + 1) % s->put.n); break;
    case ACT_PLACE: choose(s, arg - 'a'); break;
    case ACT_DIGIT: s->put.at[s->letter] = pow(10, arg < 6 ? arg : 6); break;
    case ACT_LEFT: move(s, -1); break;
    case ACT_RIGHT: move(s, 1); break;
    case ACT_TAB: s->m.shown ^= s->m.graded; break;
    case ACT_ENTER: hand_in(app, s); break;
    default: s->m.top += practice_step(action, f.frame.body.h); break;
    }
    s->m.top = s->m.top < 0 ? 0 : s->m.top;
    return DO_REDRAW;
}

/* ---- coming and going ---- */

static void leave(struct app *app, void *self)
{
    struct roofline_screen *s = self;
    making_end(app, &s->m);
    free(s);
}

static const struct screen_ops roofline_screen = {
    .name = "roofline",
    .keys = keys,
    .draw = draw,
    .act = act,
    .leave = leave,
};

void roofline_begin(struct app *app, const struct figure_data *f, struct sitting *sitting,
                    uint64_t seed)
{
    struct roofline_screen *s = mem_new(1, sizeof *s);
    making_begin(app, &s->m, f, sitting, seed);
    roofline_make(&s->put, f, &seed);
    roofline_known(&s->known, &s->put);
    app_replace(app, &roofline_screen, s);
}
