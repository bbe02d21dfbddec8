/* A figure on the screen: studied part by part, recalled from its bare frame, filled where a seed
 * left blanks. A figure that is filled is a review, as a card is. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "tui/app/app_data.h"
#include "tui/kit/textfield.h"
#include "tui/practice/figure_draw.h"
#include "tui/practice/practice.h"
#include "tui/practice/practice_sitting.h"
#include "tui/practice/review_page.h"

enum { SECONDS = 120 };
enum stage { STUDIED, BARE, FILLING, GRADED };

struct figure_screen {
    const struct figure_data *figure;
    struct sitting own, *sitting;        /* own: opened by itself */
    struct figure_fill fill;
    struct textfield field;
    enum stage stage;
    int part, blank, top;
    bool paged;                          /* `top` was set by hand, whatever part is chosen */
    uint64_t seed;
    int64_t began_ms;
};

/* ---- keys ---- */

static const char *const how[] = {
    "Study: the arrows go through the parts, and below stands what each is. Enter hides "
    "what can be hidden; draw it in your mind, then Enter again asks for some of it.",
    "A word is typed, or picked by its number; a number is typed with its unit or in the one named. "
    "All right counts as known, two of three as known with trouble; it comes back as a card does.",
    "A schedule can also be placed block by block, a collective made send by send, and workloads "
    "be put on a roofline: p, where it is studied or bare.",
    NULL,
};
static const struct binding studied_rows[] = {
    {ACT_UP, "Up k", "part", "the part before"},
    {ACT_DOWN, "Down j", NULL, "the next part"},
    {ACT_PAGE_UP, "PgUp", NULL, "a page up"},
    {ACT_PAGE_DOWN, "PgDn", NULL, "a page down"},
    {ACT_ENTER, "Enter", "hide", "hide it, to be recalled"},
    KEYS_BACK,
};
static const struct key_list studied_keys = {KEY_ROWS(studied_rows), .how = how};
static const struct binding bare_rows[] = {
    {ACT_ENTER, "Enter", "fill", "fill some of it"},
    {ACT_PAGE_UP, "PgUp", NULL, "a page up"},
    {ACT_PAGE_DOWN, "PgDn", NULL, "a page down"},
    KEYS_BACK,
};
static const struct key_list bare_keys = {KEY_ROWS(bare_rows), .how = how};
static const struct binding filling_rows[] = {
    {ACT_ENTER, "Enter", "answer", "the next blank; empty: you did not know"},
    {ACT_BACK, "Esc", "back", "back; nothing is counted"},
};
static const struct key_list filling_keys = {KEY_ROWS(filling_rows), .how = how, .words = true};
static const struct binding graded_rows[] = {
    {ACT_ENTER, "Enter", "go on", "go on"},
    {ACT_PAGE_UP, "PgUp", NULL, "a page up"},
    {ACT_PAGE_DOWN, "PgDn", NULL, "a page down"},
    KEYS_BACK,
};
static const struct key_list graded_keys = {KEY_ROWS(graded_rows), .how = how};

static const struct binding place_rows[] = {
    {ACT_PLACE, "p", "place", "place its blocks, sends or workloads yourself"},
};
static const struct key_list studied_place_keys = {KEY_ROWS(place_rows), .more = &studied_keys,
                                                   .how = how};
static const struct key_list bare_place_keys = {KEY_ROWS(place_rows), .more = &bare_keys,
                                                .how = how};

static const struct key_list *keys(struct app *app, const void *self)
{
    static const struct key_list *const lists[][2] = {{&studied_keys, &studied_place_keys},
                                                      {&bare_keys, &bare_place_keys},
                                                      {&filling_keys, &filling_keys},
                                                      {&graded_keys, &graded_keys}};
    const struct figure_screen *s = self;
    (void)app;
    return lists[s->stage][figure_is_placed(s->figure->form)];
}

/* ---- drawing ---- */

static void make_picture(struct app *app, const struct figure_screen *s, struct figure_picture *p)
{
    bool filled = s->stage == FILLING || s->stage == GRADED;
    struct figure_view view = {.width = app_columns(app),
                               .fill = filled ? &s->fill : NULL,
                               .bare = s->stage == BARE,
                               .part = s->stage == STUDIED ? s->part : -1,
                               .blank = s->stage == FILLING ? s->blank : -1};
    figure_picture_make(p, s->figure, &view);
}

/* What the figure says and where it is from, below it; not while it is asked: NULL. */
static char *note_of(const struct figure_screen *s)
{
    if (s->stage != STUDIED && s->stage != GRADED)
        return NULL;
    return text_format("%s\nSource: %s", s->figure->note, s->figure->source);
}

/* The part or the blank that is pointed at stays in sight, unless one pages away from it. */
static int top_of(const struct figure_screen *s, const struct figure_picture *p, int lines, int h)
{
    int at = s->stage == FILLING                ? p->blank_line
             : s->stage == STUDIED && !s->paged ? p->part_line
                                                : -1;
    return practice_scroll_to(at, s->top, lines, h);
}

static void draw_choices(const struct figure_screen *s, int y, int w)
{
    const struct figure_blank *b = &s->fill.blank[s->blank];
    const struct figure_slot *slot = &s->figure->slot[b->slot];
    int x = 1;
    if (slot->number) {
        bool unit = strcmp(slot->unit, "1") != 0;
        draw_textf(y, 1, w - 2, STYLE_DIM, "a number%s%s", unit ? " in " : "",
                   unit ? slot->unit : "");
        return;
    }
    for (int i = 0; i < b->n_choices; i++)
        x += draw_textf(y, x, w - x - 1, STYLE_DIM, "%d %s  ", i + 1, b->choice[i]);
}

static void draw_below(const struct figure_screen *s, const struct practice_frame *f, int w)
{
    struct rect r = {f->status, 1, 2, w - 2};
    const struct figure_part *part = &s->figure->part[s->part];
    if (s->stage == FILLING) {
        char label[32];
        draw_choices(s, f->status, w);
        snprintf(label, sizeof label, "%d of %d:", s->blank + 1, s->fill.n);
        int x = 2 + draw_text(f->todo, 1, w - 2, STYLE_PLAIN, label);
        textfield_draw(&s->field, f->todo, x, w - x - 1, STYLE_ACCENT);
    } else if (s->stage == STUDIED) {
        char *text = text_format("%s: %s", part->name, *part->says ? part->says : s->figure->note);
        draw_wrapped(r, 0, STYLE_PLAIN, text);
        free(text);
    } else if (s->stage == BARE) {
        draw_wrapped(r, 0, STYLE_PLAIN, "Recall what belongs there; Enter asks for some of it.");
    } else {
        draw_textf(f->status, 1, w - 2, STYLE_BOLD, "%d of %d right", figure_fill_right(&s->fill),
                   s->fill.n);
    }
}

static void draw(struct app *app, const void *self)
{
    const struct figure_screen *s = self;
    struct practice_frame f;
    struct figure_picture p;
    practice_frame(&f, app);
    practice_frame_draw(app, &f, s->figure->title, keys(app, self), 9, NULL);
    make_picture(app, s, &p);
    char *note = note_of(s);
    int lines = p.lines + (note ? practice_note_lines(f.frame.body, note) : 0);
    int top = top_of(s, &p, lines, f.frame.body.h);
    figure_picture_show(&p, f.frame.body, top);
    if (note)
        practice_note(f.frame.body, p.lines, top, note);
    practice_more(&f, lines, top, app_said(app) != NULL);
    draw_below(s, &f, f.frame.body.w);
    figure_picture_free(&p);
    free(note);
}

/* From what is shown on, no further than to the end. */
static void turn_page(struct app *app, struct figure_screen *s, enum action action)
{
    struct practice_frame f;
    struct figure_picture p;
    practice_frame(&f, app);
    make_picture(app, s, &p);
    char *note = note_of(s);
    int lines = p.lines + (note ? practice_note_lines(f.frame.body, note) : 0), h = f.frame.body.h;
    s->top = practice_scroll(top_of(s, &p, lines, h) + practice_step(action, h), lines, h);
    s->paged = true;
    figure_picture_free(&p);
    free(note);
}

/* ---- answers ---- */

static void keep(struct app *app, struct figure_screen *s)
{
    char given[32];
    int right = figure_fill_right(&s->fill);
    double seconds = (double)(app_now(app) - s->began_ms) / 1000;
    enum drill_how how_well = right == s->fill.n          ? DRILL_RIGHT
                              : right * 3 >= s->fill.n * 2 ? DRILL_CLOSE
                                                           : DRILL_WRONG;
    snprintf(given, sizeof given, "%d of %d", right, s->fill.n);
    practice_answer_figure(app, s->sitting, s->figure, how_well, given, seconds, SECONDS, s->seed);
    s->stage = GRADED;
    s->top = 0;
    app_text_input(app, false);
}

static int put(struct app *app, struct figure_screen *s)
{
    char say[200];
    textfield_trim(&s->field);
    if (!figure_fill_put(&s->fill, s->blank, textfield_text(&s->field), say, sizeof say)) {
        practice_say_again(app, say);
        return DO_REDRAW;
    }
    textfield_init(&s->field, "");
    if (++s->blank == s->fill.n)
        keep(app, s);
    return DO_REDRAW;
}

static int begin_filling(struct app *app, struct figure_screen *s)
{
    figure_fill_make(&s->fill, s->figure, s->seed);
    textfield_init(&s->field, "");
    s->stage = FILLING;
    s->blank = s->top = 0;
    s->began_ms = app_now(app);
    app_text_input(app, true);
    return DO_REDRAW;
}

static int typed(struct app *app, void *self, int key)
{
    struct figure_screen *s = self;
    switch (textfield_key(&s->field, key)) {
    case TEXTFIELD_DONE: return put(app, s);
    case TEXTFIELD_CANCELLED: return DO_POP;
    default: return DO_REDRAW;
    }
}

static int act(struct app *app, void *self, enum action action, int arg)
{
    struct figure_screen *s = self;
    int n = s->figure->n_parts;
    (void)arg;
    if (action == ACT_BACK || (action == ACT_ENTER && s->stage == GRADED))
        return DO_POP;
    if (action == ACT_ENTER && s->stage == BARE)
        return begin_filling(app, s);
    struct sitting *sitting = s->sitting == &s->own ? NULL : s->sitting;
    if (action == ACT_PLACE && s->figure->form == FIGURE_COLLECTIVE)
        collective_begin(app, s->figure, sitting, s->seed);
    else if (action == ACT_PLACE && s->figure->form == FIGURE_PLOT)
        roofline_begin(app, s->figure, sitting, s->seed);
    else if (action == ACT_PLACE)
        schedule_begin(app, s->figure, sitting, s->seed);
    else if (action == ACT_ENTER)
        s->stage = BARE;
    else if (s->stage == STUDIED && (action == ACT_UP || action == ACT_DOWN)) {
        s->part = (s->part + (action == ACT_UP ? n - 1 : 1)) % n;
        s->paged = false;
    } else if (action == ACT_PAGE_UP || action == ACT_PAGE_DOWN) {
        turn_page(app, s, action);
    }
    return DO_REDRAW;
}

/* ---- coming and going ---- */

static void leave(struct app *app, void *self)
{
    struct figure_screen *s = self;
    if (s->sitting == &s->own)
        practice_close(app, &s->own);
    app_text_input(app, false);
    free(s);
}

static const struct screen_ops figure_screen = {
    .name = "figure",
    .keys = keys,
    .draw = draw,
    .act = act,
    .text = typed,
    .leave = leave,
};

bool figure_begin(struct app *app, const char *id, struct sitting *sitting, uint64_t seed,
                  bool bare)
{
    const struct figure_data *f = library_figure(app_library(app), id);
    if (!f) {
        app_say(app, "There is no figure '%s'.", id);
        return false;
    }
    struct figure_screen *s = mem_new(1, sizeof *s);
    s->figure = f;
    s->seed = seed;
    s->stage = bare ? BARE : STUDIED;
    s->paged = true; /* a picture is met from its top */
    s->sitting = sitting ? sitting : &s->own;
    if (!sitting)
        practice_open(app, &s->own, 1u << QUEUE_CARD, "");
    app_push(app, &figure_screen, s);
    return true;
}
