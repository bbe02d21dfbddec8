#include "tui/home/stand_screen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drills/progress/advice.h"
#include "drills/progress/queue_load.h"
#include "kernels/wire/text.h"
#include "scenarios/pack/taxonomy.h"
#include "tui/app/app_data.h"
#include "tui/app/app_runner.h"
#include "tui/app/defaults.h"
#include "tui/app/find.h"
#include "tui/app/frame.h"
#include "tui/home/history.h"
#include "tui/kit/charts.h"
#include "tui/kit/layout.h"
#include "tui/practice/practice.h"

enum page { PAGE_YEAR, PAGE_TOPICS, PAGE_CAUSES, PAGE_SAID, PAGES };

/* One row of the causes: a group, then those of its causes that were met. */
struct line { const char *name; bool group; struct standing_share share; };

struct stand {
    struct standing s;
    struct advice advice[ADVICE_MOST]; int n_advice;
    struct line *line; int n_lines;
    enum page page;
    int top, topic;                     /* first line of the causes; the topic marked */
};

/* ---- opening ---- */

static void line_add(struct stand *p, const char *name, bool group, struct standing_share share)
{
    p->line = mem_grow(p->line, (size_t)p->n_lines + 1, sizeof *p->line);
    p->line[p->n_lines++] = (struct line){ name, group, share };
}

static void share_add(struct standing_share *sum, const struct standing_share *one)
{
    sum->n += one->n;
    sum->right += one->right;
    sum->share = (double)sum->right / sum->n;
    sum->ranged = sum->n >= 3;
    standing_wilson(&sum->low, &sum->high, sum->right, sum->n);
}

/* Causes come in the order of the taxonomy, so those of a group stand together. */
static void lines_make(struct stand *p)
{
    int group = -1;
    for (int i = 0; i < p->s.n_causes; i++) {
        const struct hypothesis *h = taxonomy_find(p->s.causes[i].group);
        if (group < 0 || strcmp(p->line[group].name, h->group) != 0) {
            group = p->n_lines;
            line_add(p, h->group, true, (struct standing_share){ 0 });
        }
        share_add(&p->line[group].share, &p->s.causes[i]);
        line_add(p, h->label, false, p->s.causes[i]);
    }
}

static void stand_load(struct app *app, struct stand *p)
{
    struct store *store = app_store_seen(app);
    struct queue_settings settings;
    struct queue_item *items = NULL;
    struct queue q;
    struct err err = { 0 };
    int n = 0;
    queue_settings_load(&settings, store, wall_now());
    int rc = queue_load(&items, &n, app_library(app), store, app_device(app) != NULL, &err);
    if (rc == 0 && store)
        rc = standing_load(&p->s, store, items, n, settings.today, &err);
    if (rc != 0)
        app_say(app, "%s", err.text);
    queue_settings_begin(&settings, items, n);
    queue_build(&q, items, n, &settings);
    p->n_advice = advice_make(p->advice, &p->s, &q);
    lines_make(p);
    queue_free(&q);
    free(items);
}

static void stand_clear(struct stand *p)
{
    standing_free(&p->s);
    free(p->line);
    p->line = NULL;
    p->n_lines = p->n_advice = p->top = 0;
}

void stand_open(struct app *app)
{
    struct stand *p = mem_new(1, sizeof *p);
    stand_load(app, p);
    app_push(app, &stand_screen, p);
}

static void stand_shown(struct app *app, void *self)
{
    struct stand *p = self;
    stand_clear(p);
    stand_load(app, p);
}

static void stand_leave(struct app *app, void *self)
{
    struct stand *p = self;
    (void)app;
    stand_clear(p);
    free(p);
}

/* ---- shares, one row each ---- */

struct columns { int name_w, bar_x, bar_w, n_end, range_end, factor_end; /* 0: no such column */ };

static void columns_make(struct columns *c, int w, int name_w, bool factor)
{
    c->name_w = name_w;
    c->bar_x = 2 + name_w + 1;
    c->factor_end = factor ? w - 2 : 0;
    c->range_end = factor ? w - 11 : w - 2;
    c->n_end = c->range_end - 13;
    c->bar_w = c->n_end - 6 - c->bar_x;
}

static void heads_draw(int y, const struct columns *c, const char *share)
{
    draw_right(y, c->n_end - 4, c->bar_w, STYLE_DIM, share);
    draw_right(y, c->n_end + 1, 3, STYLE_DIM, " n ");
    draw_right(y, c->range_end + 1, 11, STYLE_DIM, " range, % ");
    if (c->factor_end)
        draw_right(y, c->factor_end + 1, 9, STYLE_DIM, " off by ");
}

static void factor_draw(int y, int end, const struct standing_share *s)
{
    char text[24];
    snprintf(text, sizeof text,
             s->factor < 9.95   ? "%.1f x"
             : s->factor < 1000 ? "%.0f x"
                                : "far off",
             s->factor);
    draw_right(y, end, 9, s->estimates ? STYLE_PLAIN : STYLE_DIM, s->estimates ? text : "n/a");
}

static void share_draw(int y, const struct columns *c, const char *name, int indent,
                       enum style style, const struct standing_share *s)
{
    char text[32];
    draw_text(y, 2 + indent, c->name_w - indent, style, name);
    if (s->ranged)
        draw_range(y, c->bar_x, c->bar_w, 100 * s->low, 100 * s->share, 100 * s->high);
    else
        draw_bar(y, c->bar_x, c->bar_w, 0, true, STYLE_DIM);
    snprintf(text, sizeof text, "%d", s->n);
    draw_right(y, c->n_end, 5, STYLE_PLAIN, text);
    snprintf(text, sizeof text, "%.0f to %.0f", 100 * s->low, 100 * s->high);
    if (!s->ranged)
        snprintf(text, sizeof text, "%s", s->n > 0 ? "too few" : "none yet");
    draw_right(y, c->range_end, 11, s->ranged ? STYLE_PLAIN : STYLE_DIM, text);
    if (c->factor_end)
        factor_draw(y, c->factor_end, s);
}

/* ---- the pages; each fills the rectangle ---- */

static int advice_draw(const struct stand *p, struct rect r)
{
    int y = r.y;
    for (int i = 0; i < p->n_advice && y < r.y + r.h; i++) {
        draw_text(y, r.x, 18, STYLE_ACCENT, p->advice[i].what);
        int lines = draw_wrapped((struct rect){y, r.x + 19, r.y + r.h - y < 2 ? 1 : 2, r.w - 20}, 0,
                                 STYLE_PLAIN, p->advice[i].why);
        y += lines > 2 ? 2 : lines;
    }
    if (p->n_advice == 0)
        draw_text(y++, r.x, r.w, STYLE_PLAIN,
                  "Nothing is due. A scenario would tell more than anything here.");
    return y;
}

static void year_draw(const struct stand *p, struct rect r)
{
    const struct standing_heat *h = &p->s.heat;
    bool roomy = r.h >= 22;
    int y = r.y;
    draw_rule(y++, r.x, r.w, "A YEAR", NULL);
    draw_heat((struct rect){y, r.x + 1, 10, r.w - 2}, h->count, STANDING_WEEKS, h->first_day,
              "a day");
    y += 10;
    if (roomy)
        draw_textf(y + 1, r.x + 6, r.w - 7, STYLE_PLAIN,
                   "%d answer%s and scenarios on %d day%s; the busiest had %d", h->total,
                   h->total == 1 ? "" : "s", h->days, h->days == 1 ? "" : "s", h->most);
    y += roomy ? 3 : 0;
    draw_rule(y++, r.x, r.w, "WHAT NEXT, AND WHY", NULL);
    advice_draw(p, (struct rect){ y, r.x + 2, r.y + r.h - y, r.w - 3 });
}

static int slips_draw(const struct stand *p, int y, struct rect r)
{
    draw_rule(y++, r.x, r.w, "MOST FREQUENT SLIPS", "times");
    for (int i = 0; i < p->s.n_slips && y < r.y + r.h; i++, y++) {
        char text[16];
        snprintf(text, sizeof text, "%d", p->s.slips[i].n);
        draw_text(y, 2, r.w - 12, STYLE_PLAIN, p->s.slips[i].slip);
        draw_right(y, r.w - 2, 6, STYLE_PLAIN, text);
    }
    if (p->s.n_slips == 0)
        draw_text(y++, 2, r.w - 4, STYLE_DIM, "no named slip yet");
    return y;
}

static void topics_draw(const struct stand *p, struct rect r)
{
    struct columns c;
    int y = r.y;
    columns_make(&c, r.w, 13, true);
    draw_rule(y, r.x, r.w, "DRILLS AND CARDS", NULL);
    heads_draw(y++, &c, r.w < 80 ? " right, % " : " share right, % ");
    for (int i = 0; i < p->s.n_topics && y < r.y + r.h; i++) {
        bool chosen = i == p->topic;
        if (chosen)
            draw_text(y, 0, 1, STYLE_ACCENT, glyph("▸", ">"));
        share_draw(y++, &c, p->s.topics[i].group, 0, chosen ? STYLE_ACCENT : STYLE_PLAIN,
                   &p->s.topics[i]);
    }
    if (p->s.n_topics == 0)
        draw_text(y++, 2, r.w - 4, STYLE_PLAIN, "No drills and cards were found.");
    if (y < r.y + r.h)
        share_draw(y++, &c, "estimates", 0, STYLE_BOLD, &p->s.estimates);
    if (r.y + r.h - y >= 2)
        slips_draw(p, y + (r.y + r.h - y > 6), r);
}

static void causes_draw(const struct stand *p, struct rect r)
{
    struct columns c;
    columns_make(&c, r.w, 26, false);
    draw_rule(r.y, r.x, r.w, r.w < 80 ? "CAUSES" : "CAUSES, FIRST LOOKS", NULL);
    heads_draw(r.y, &c, r.w < 80 ? " found, % " : " cause found, % ");
    for (int i = 0; i < r.h - 1 && p->top + i < p->n_lines; i++) {
        const struct line *l = &p->line[p->top + i];
        share_draw(r.y + 1 + i, &c, l->name, l->group ? 0 : 2, l->group ? STYLE_BOLD : STYLE_PLAIN,
                   &l->share);
    }
    if (p->n_lines == 0)
        draw_text(r.y + 1, 2, r.w - 4, STYLE_PLAIN,
                  "None was met yet. A cause stands here once its debrief was read.");
}

/* Said, right and how many, a column for each bin, under the plot. */
static void bins_draw(struct rect r, const struct standing_bin *bin, int n)
{
    static const char *const heads[] = { "said", "right", "times" };
    for (int row = 0; row < 3; row++)
        draw_text(r.y + row, r.x, 6, STYLE_DIM, heads[row]);
    for (int i = 0, x = r.x + 10; i < n && x <= r.x + r.w; i++) {
        char text[16];
        if (bin[i].n == 0)
            continue;
        snprintf(text, sizeof text, "%.0f", 100 * bin[i].said);
        draw_right(r.y, x, 4, STYLE_PLAIN, text);
        snprintf(text, sizeof text, "%.0f", 100 * bin[i].right);
        draw_right(r.y + 1, x, 4, STYLE_PLAIN, text);
        snprintf(text, sizeof text, "%d", bin[i].n);
        draw_right(r.y + 2, x, 5, STYLE_PLAIN, text);
        x += r.w >= 40 ? 6 : 4;
    }
}

static void said_half(struct rect r, const char *title, const struct standing_bin *bin, int n)
{
    struct calibration_point p[STANDING_BINS];
    int count = 0;
    for (int i = 0; i < n; i++)
        if (bin[i].n > 0)
            p[count++] =
                (struct calibration_point){100 * bin[i].said, 100 * bin[i].right, bin[i].ranged,
                                           100 * bin[i].low, 100 * bin[i].high};
    draw_rule(r.y, r.x, r.w, title, NULL);
    draw_calibration((struct rect){ r.y + 1, r.x, r.h - 5, r.w }, p, count);
    if (count > 0)
        bins_draw((struct rect){ r.y + r.h - 3, r.x + 2, 3, r.w - 3 }, bin, n);
}

static void said_draw(const struct stand *p, struct rect r)
{
    int half = r.w / 2, h = r.h - 2 < 20 ? r.h - 2 : 20;
    bool wide = r.w >= 80;
    said_half((struct rect){r.y, r.x, h, half}, wide ? "BELIEFS IN CAUSES, %" : "BELIEFS, %",
              p->s.beliefs, STANDING_BINS);
    said_half((struct rect){r.y, r.x + half, h, r.w - half},
              wide ? "INTERVALS OF NUMBERS, %" : "INTERVALS, %", p->s.stated, STANDING_STATED);
    draw_wrapped((struct rect){r.y + h + (r.h - h > 2), r.x + 2, 2, r.w - 4}, 0, STYLE_DIM,
                 wide ? "Across: what you said. Up: how often it was so, with its 95 % interval. "
                        "Below the diagonal you were too sure, above it not sure enough."
                      : "Across: what you said; up: how often it was so. Below the diagonal: too "
                        "sure.");
}

/* Which pages there are; and on the causes, that there are more rows than shown. */
static void tabs_draw(const struct stand *p, int y, int w, int rows)
{
    static const char *const names[PAGES] = { "year", "topics", "causes", "how sure" };
    int x = 1;
    for (int i = 0; i < PAGES; i++) {
        bool here = i == (int)p->page;
        x += draw_textf(y, x, w - x, here ? STYLE_ACCENT : STYLE_DIM, here ? "[%d %s]" : " %d %s ",
                        i + 1, names[i]) +
             1;
    }
    if (p->page == PAGE_TOPICS && p->s.n_topics > 0 && w >= 80)
        draw_right(y, w - 2, 34, STYLE_DIM, "Enter: drills of the marked topic");
    if (p->page == PAGE_CAUSES && p->n_lines > rows) {
        char text[48];
        int end = p->top + rows < p->n_lines ? p->top + rows : p->n_lines;
        snprintf(text, sizeof text, "%d to %d of %d, Up and Down", p->top + 1, end, p->n_lines);
        draw_right(y, w - 2, 30, STYLE_DIM, text);
    }
}

static const struct binding stand_rows[] = {
    {ACT_ENTER, "Enter", NULL, "on the topics: drills of the marked one"},
    {ACT_TAB, "Tab", "turn", "the next page: a year, topics, causes, what you said"},
    {ACT_DIGIT, "1-4", "page", "that page"},
    {ACT_DRILLS, "d", "drills", "numbers against the clock: what is due, then what is new"},
    {ACT_CARDS, "c", "cards", "what you want to know by heart: what is due, then what is new"},
    KEYS_UP_DOWN,
    {ACT_LEFT, "Left", NULL, "the page before"},
    {ACT_RIGHT, "Right", NULL, "the next page"},
    KEYS_PAGES,
    KEYS_ENDS,
    KEYS_FIND,
    KEYS_BACK,
};

static const char *const stand_how[] = {
    "A range holds the true value 19 times in 20; from three tries on there is one. \"off by\" is "
    "the factor by which your estimates miss, at the median. The shades of the year stand for the "
    "same counts at all times.",
    "Said: of all the times you were 70 % sure, how many were right? 70 in 100 is what it should "
    "be.",
    NULL,
};

static const struct key_list stand_keys = {
    KEY_ROWS(stand_rows),
    .how = stand_how,
    .must = {ACT_TAB},
};

static const struct key_list *keys_here(struct app *app, const void *self)
{
    (void)app, (void)self;
    return &stand_keys;
}

static void stand_draw(struct app *app, const void *self)
{
    static void (*const pages[PAGES])(const struct stand *p,
                                      struct rect r) = {year_draw, topics_draw, causes_draw,
                                                        said_draw};
    const struct stand *p = self;
    struct frame f;
    layout_frame(&f, app_rows(app), app_columns(app));
    frame_draw(app, &f, f.body.w < 80 ? "standing" : "where you stand", &stand_keys);
    struct rect r = f.body;
    r.h--;
    pages[p->page](p, r);
    tabs_draw(p, r.y + r.h, r.w, r.h - 1);
}

/* ---- keys ---- */

static int scroll(struct app *app, struct stand *p, int by)
{
    int rows = app_rows(app) - 5, most = p->n_lines > rows ? p->n_lines - rows : 0;
    p->top += by;
    p->top = p->top > most ? most : p->top;
    p->top = p->top < 0 ? 0 : p->top;
    return DO_REDRAW;
}

static int choose(struct stand *p, int by)
{
    int to = p->topic + by;
    p->topic = to >= p->s.n_topics ? p->s.n_topics - 1 : to;
    p->topic = p->topic < 0 ? 0 : p->topic;
    return DO_REDRAW;
}

/* Up and Down mark a topic, or scroll the causes. */
static int move(struct app *app, struct stand *p, int by)
{
    return p->page == PAGE_TOPICS ? choose(p, by) : scroll(app, p, by);
}

static int practise(struct app *app, const struct stand *p)
{
    char id[80];
    if (p->page != PAGE_TOPICS || p->topic >= p->s.n_topics)
        return DO_NOTHING;
    snprintf(id, sizeof id, "topic:%.64s", p->s.topics[p->topic].group);
    drills_begin(app, id);
    return DO_REDRAW;
}

static int turn_to(struct stand *p, int page)
{
    p->page = (enum page)((page + PAGES) % PAGES);
    return DO_REDRAW;
}

static int stand_act(struct app *app, void *self, enum action action, int arg)
{
    struct stand *p = self;
    int rows = app_rows(app) - 5;
    switch (action) {
    case ACT_BACK: return DO_POP;
    case ACT_TAB:
    case ACT_RIGHT: return turn_to(p, (int)p->page + 1);
    case ACT_LEFT: return turn_to(p, (int)p->page - 1);
    case ACT_DIGIT: return arg >= 1 && arg <= PAGES ? turn_to(p, arg - 1) : DO_NOTHING;
    case ACT_UP: return move(app, p, -1);
    case ACT_DOWN: return move(app, p, 1);
    case ACT_PAGE_UP: return move(app, p, -rows);
    case ACT_PAGE_DOWN: return move(app, p, rows);
    case ACT_FIRST: return move(app, p, -KEYS_FAR);
    case ACT_LAST: return move(app, p, KEYS_FAR);
    case ACT_ENTER: return practise(app, p);
    case ACT_DRILLS: drills_begin(app, NULL); return DO_REDRAW;
    case ACT_CARDS: cards_begin(app); return DO_REDRAW;
    default: return DO_NOTHING;
    }
}

/* Topics and causes are lists; of the other pages what stands there. */
static void draw_page(struct app *app, const void *self, struct rect r)
{
    (void)r;
    stand_draw(app, self);
}

static void find_rows(struct app *app, const void *self, struct find_rows *out)
{
    const struct stand *p = self;
    struct frame f;
    layout_frame(&f, app_rows(app), app_columns(app));
    out->where = f.body;
    out->at = p->page == PAGE_TOPICS ? p->topic : p->page == PAGE_CAUSES ? p->top : 0;
    for (int i = 0; p->page == PAGE_TOPICS && i < p->s.n_topics; i++)
        find_add(out, p->s.topics[i].group);
    for (int i = 0; p->page == PAGE_CAUSES && i < p->n_lines; i++)
        find_add(out, p->line[i].name);
    if (p->page != PAGE_TOPICS && p->page != PAGE_CAUSES)
        find_add_drawn(out, app, p, f.rule, draw_page);
}

static void find_go(struct app *app, void *self, int row, int column, int columns)
{
    struct stand *p = self;
    int rows = app_rows(app) - 5;
    (void)column, (void)columns;
    if (p->page == PAGE_TOPICS)
        choose(p, row - p->topic);
    else if (p->page == PAGE_CAUSES)
        p->top = find_top(p->top, row, p->n_lines, rows);
}

static const struct find_ops stand_find = {find_rows, find_go};

const struct screen_ops stand_screen = {
    .name = "standing",
    .find = &stand_find,
    .keys = keys_here,
    .draw = stand_draw,
    .act = stand_act,
    .leave = stand_leave,
    .shown = stand_shown,
};
