#include "tui/home/home.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/wire/text.h"
#include "tui/app/app_data.h"
#include "tui/app/app_runner.h"
#include "tui/home/history.h"
#include "tui/home/home_data.h"
#include "tui/kit/charts.h"
#include "tui/kit/layout.h"
#include "tui/app/find.h"
#include "tui/app/frame.h"
#include "tui/app/help.h"
#include "tui/app/defaults.h"
#include "tui/home/stand_screen.h"
#include "tui/home/options_screen.h"
#include "tui/home/scenarios_screen.h"
#include "tui/home/gpu_screen.h"
#include "tui/play/play.h"
#include "tui/mend/mend.h"
#include "tui/practice/practice.h"

enum pane { PANE_STANDING, PANE_LATELY }; /* which one is shown where only one fits */
struct home { struct home_data data; int at; enum pane pane; bool gpu; /* when it was read */ };

void home_open(struct app *app)
{
    app_push(app, &home_screen, mem_new(1, sizeof(struct home)));
}

static void home_shown(struct app *app, void *self)
{
    struct home *h = self;
    struct home_sources from = {app_catalog(app), app_library(app), app_store_seen(app),
                                app_device(app) != NULL, wall_now()};
    home_data_load(&h->data, &from);
    h->gpu = from.gpu;
    h->at = 0;
    if (h->data.trouble[0])
        app_say(app, "%s", h->data.trouble);
}

/* A GPU that has answered meanwhile has more to suggest. */
static int home_due_ms(const struct app *app, const void *self, int64_t now_ms)
{
    (void)now_ms;
    return ((const struct home *)self)->gpu == (app_device(app) != NULL) ? -1 : 0;
}

static int home_tick(struct app *app, void *self, int64_t now_ms)
{
    struct home *h = self;
    int at = h->at;
    (void)now_ms;
    home_shown(app, self);
    h->at = at < h->data.n_next ? at : 0;
    return DO_REDRAW;
}

static int home_enter(struct app *app, void *self, struct err *err)
{
    (void)err;
    home_shown(app, self);
    return 0;
}

static void home_leave(struct app *app, void *self)
{
    struct home *h = self;
    (void)app;
    home_data_free(&h->data);
    free(h);
}

/* ---- NEXT ---- */

static const char *entry_label(const struct home *h, const struct next *n)
{
    bool first = !h->data.finished_any && n->kind == NEXT_SCENARIO;
    return first ? "straight in" : next_label(n->kind);
}

/* What does not fit loses its last clauses rather than half a word. */
static void reason_draw(int y, int x, int w, const char *reason)
{
    char text[sizeof ((struct next *)0)->reason];
    char *comma;
    snprintf(text, sizeof text, "%s", reason);
    while (draw_columns(text) > w && (comma = strrchr(text, ',')))
        *comma = '\0';
    draw_text(y, x, w, STYLE_DIM, text);
}

/* Without room for a column of their own the reasons stand for the titles of the warm-up alone. */
static void entry_draw(const struct home *h, const struct layout_home *l, int i, int w)
{
    const struct next *n = &h->data.next[i];
    int y = l->next + i, end = l->note_x ? l->note_x - 2 : w - 2;
    bool chosen = i == h->at;
    enum style s = chosen ? STYLE_ACCENT : STYLE_PLAIN;
    draw_text(y, 0, 1, s, chosen ? glyph("▸", ">") : " ");
    draw_textf(y, 2, 1, s, "%d", i + 1);
    draw_text(y, 5, l->title_x - 6, s, entry_label(h, n));
    draw_text(y, l->title_x, end - l->title_x, s, n->title);
    if (l->note_x)
        reason_draw(y, l->note_x, w - l->note_x - 1, n->reason);
}

static void next_draw(const struct home *h, const struct layout_home *l, int w)
{
    for (int i = 0; i < h->data.n_next; i++)
        entry_draw(h, l, i, w);
    if (h->data.n_next == 0)
        draw_text(l->next, 2, w - 4, STYLE_PLAIN, "No scenario was found: s says why.");
}

enum { BAR_MOST = 10, BARS = 3 };

/* "1 of 2", and what was done beyond the day's: "2 of 2 +8". */
static int done_text(char *out, size_t size, const struct home_bar *b)
{
    int more = b->done - b->of;
    return more > 0 ? snprintf(out, size, "%d of %d +%d", b->of, b->of, more)
                    : snprintf(out, size, "%d of %d", b->done, b->of);
}

/* How wide bars may be for all of them to fit, at most BAR_MOST; below 3 they tell nothing: 0. */
static int bars_width(int room, int gap, const char *const names[BARS],
                      const struct home_bar *const bars[BARS])
{
    int drawn = 0;
    room -= gap * (BARS - 1);
    for (int i = 0; i < BARS; i++) {
        room -= bars[i]->of
                    ? snprintf(NULL, 0, "%s ", names[i]) +
                          done_text(NULL, 0, bars[i]) + 1
                    : snprintf(NULL, 0, "%s none", names[i]);
        drawn += bars[i]->of != 0;
    }
    int w = drawn && room > 0 ? room / drawn : 0;
    return w < 3 ? 0 : w < BAR_MOST ? w : BAR_MOST;
}

/* "drills ██░░░░ 2 of 10"; without room for bars the numbers alone. Returns the columns used. */
static int bar_draw(int y, int x, int room, int bar_w, const char *name, const struct home_bar *b)
{
    int n = draw_textf(y, x, room, STYLE_PLAIN, "%s ", name);
    if (b->of == 0)
        return n + draw_text(y, x + n, room - n, STYLE_DIM, "none");
    double share = b->done < b->of ? (double)b->done / b->of : 1;
    if (bar_w > 0) {
        draw_bar(y, x + n, bar_w, share, true, share < 1 ? STYLE_ACCENT : STYLE_GOOD);
        n += bar_w + 1;
    }
    char text[48];
    done_text(text, sizeof text, b);
    return n + draw_text(y, x + n, room - n, STYLE_PLAIN, text);
}

static void today_draw(const struct home *h, const struct layout_home *l, int w)
{
    static const char *const names[BARS] = { "scenarios", "drills", "cards" };
    const struct home_bar *const bars[BARS] = {&h->data.scenarios, &h->data.drills, &h->data.cards};
    int x = w >= 100 ? 14 : 10, gap = w >= 100 ? 4 : 2,
        bar_w = bars_width(w - 1 - x, gap, names, bars);
    draw_text(l->today, 2, 6, STYLE_DIM, "today");
    for (int i = 0; i < BARS; i++)
        x += bar_draw(l->today, x, w - 1 - x, bar_w, names[i], bars[i]) + gap;
}

/* ---- WHERE YOU STAND ---- */

static void group_draw(const struct standing_group *g, const struct layout_home *l, int y)
{
    char text[32];
    draw_text(y, 2, l->bar_x - 3, STYLE_PLAIN, g->group);
    if (g->ranged)
        draw_range(y, l->bar_x, l->bar_w, g->low, g->mean, g->high);
    else
        draw_bar(y, l->bar_x, l->bar_w, 0, true, STYLE_DIM);
    snprintf(text, sizeof text, "%d", g->n);
    draw_right(y, l->n_end, 4, STYLE_PLAIN, text);
    snprintf(text, sizeof text, "%.0f to %.0f", g->low, g->high);
    if (!g->ranged)
        snprintf(text, sizeof text, "%s", g->n > 0 ? "too few" : "none yet");
    draw_right(y, l->range_end, 10, g->ranged ? STYLE_PLAIN : STYLE_DIM, text);
}

static void standing_draw(const struct home *h, const struct layout_home *l)
{
    draw_rule(l->stand_rule, 0, l->stand_w, "WHERE YOU STAND", NULL);
    draw_right(l->stand_rule, l->n_end - 2, l->n_end - 22, STYLE_DIM,
               l->stand_w < 62 ? " mean score " : " mean score of first looks ");
    draw_right(l->stand_rule, l->n_end + 1, 3, STYLE_DIM, " n ");
    draw_right(l->stand_rule, l->range_end + 1, 7, STYLE_DIM, " range ");
    for (int i = 0; i < l->stand_rows; i++)
        group_draw(&h->data.group[i], l, l->stand + i);
}

/* ---- HOW SURE, HOW OFTEN RIGHT ---- */

static void said_draw(const struct home *h, const struct layout_home *l, int w)
{
    struct calibration_point p[STANDING_BINS];
    int n = 0;
    if (l->divide < 0)
        return;
    draw_rule(l->stand_rule, l->divide, w - l->divide, "HOW SURE, HOW OFTEN RIGHT, %", NULL);
    draw_join(l->stand_rule, l->divide, 1);
    draw_vline(l->stand, l->divide, l->lately_rule - l->stand);
    for (int i = 0; i < STANDING_BINS; i++)
        if (h->data.bin[i].n > 0)
            p[n++] = (struct calibration_point){.said = 100 * h->data.bin[i].said,
                                                .right = 100 * h->data.bin[i].right};
    struct rect r = { l->stand, l->divide + 2, l->lately_rule - l->stand, w - l->divide - 3 };
    draw_calibration(r, p, n);
}

/* ---- LATELY ---- */

static void lately_draw(const struct home *h, const struct layout_home *l, int w)
{
    struct history_columns c = { w, l->score_end, l->min_end, l->truth_end };
    int64_t now = wall_now();
    if (l->lately_rows < 1)
        return;
    draw_rule(l->lately_rule, 0, w, "LATELY", NULL);
    if (l->divide >= 0)
        draw_join(l->lately_rule, l->divide, 0);
    draw_right(l->lately_rule, l->score_end + 1, 7, STYLE_DIM, " score ");
    draw_right(l->lately_rule, l->min_end + 1, 5, STYLE_DIM, " min ");
    if (l->truth_end)
        draw_right(l->lately_rule, l->truth_end + 1, 16, STYLE_DIM, "belief in truth ");
    for (int i = 0; i < l->lately_rows && i < h->data.n_lately; i++)
        history_row(l->lately + i, &h->data.lately[i], &c, now, false);
    if (h->data.n_lately == 0)
        draw_text(l->lately, 2, w - 4, STYLE_DIM, "nothing yet");
}

static void estimates_draw(const struct home *h, const struct layout_home *l, int w)
{
    const struct home_data *d = &h->data;
    int x = 13;
    if (!l->estimates || d->estimates == 0)
        return;
    draw_text(l->estimates, 2, 10, STYLE_DIM, "estimates");
    char off[24] = "far off";
    if (d->factor < 1000)
        snprintf(off, sizeof off, "off by %.*f x", d->factor < 9.95 ? 1 : 0, d->factor);
    x += draw_textf(l->estimates, x, w - x - 1, STYLE_PLAIN, "%s at the median of %d", off,
                    d->estimates) +
         3;
    if (d->slips > 0) {
        char often[16];
        int n = snprintf(often, sizeof often, " (%d)", d->slips);
        x += draw_text(l->estimates, x, w - x, STYLE_DIM, "most frequent slip: ");
        x += draw_text(l->estimates, x, w - x - n - 1, STYLE_PLAIN, d->slip);
        draw_text(l->estimates, x, n, STYLE_PLAIN, often);
    }
}

/* ---- the whole ---- */

static void days_left_text(char *out, size_t size, int days, bool brief)
{
    if (days < 0)
        out[0] = '\0';
    else if (days < 2)
        snprintf(out, size, days ? "interview tomorrow" : "interview today");
    else
        snprintf(out, size, brief ? "%d days to go" : "interview in %d days", days);
}

/* Row 1: the day, where there is room, and how long it is until the interview. */
static void today_text(char *out, size_t size, int interview_in, int w)
{
    char date[32], interview[32];
    time_t now = time(NULL);
    struct tm t;
    localtime_r(&now, &t);
    if (strftime(date, sizeof date, "%a %e %b", &t) == 0)
        date[0] = '\0';
    days_left_text(interview, sizeof interview, interview_in, w < 80);
    if (w < 80 && *interview)
        snprintf(out, size, "%s", interview);
    else
        snprintf(out, size, "%s%s%s", date, *interview ? w < 100 ? "  " : "      " : "", interview);
}

static const char hello[] = "A kernel is slow, or fast and wrong. Find out why before the "
                            "interviewer runs out of patience.";

/* The row of the first entry on the first start, where it stands below hello. */
static int first_next(const struct frame *f)
{
    return f->body.y + 2 +
           draw_wrapped((struct rect){0, 0, 0, f->body.w - 4}, 0, STYLE_BOLD, hello);
}

static void first_draw(struct app *app, const struct home *h, const struct frame *f)
{
    static const char *const truth =
        "Numbers were measured on a real GPU, are worked out before your eyes or, of systems, come "
        "from a stated model; which it is stands beside them.\nA GPU here, or behind ssh or Slurm? "
        " Press g.  There is nothing else to set up; all is saved.\nSchedules to place and "
        "diagrams to fill: press f. Kernels to write: m.";
    struct layout_home l;
    int w = f->body.w, y = first_next(f);
    layout_home(&l, app_rows(app), app_columns(app), h->data.n_next, 0);
    draw_rule(f->body.y, 0, w, NULL, NULL);
    draw_wrapped((struct rect){ f->body.y + 1, 2, 3, w - 4 }, 0, STYLE_BOLD, hello);
    l.next = y;
    next_draw(h, &l, w);
    y += (h->data.n_next > 0 ? h->data.n_next : 1) + 1;
    draw_wrapped((struct rect){ y, 2, f->rule - y, w - 4 }, 0, STYLE_PLAIN, truth);
}

static const struct binding home_rows[] = {
    {ACT_ENTER, "Enter", NULL, "start the marked entry, which is the right next thing"},
    {ACT_DIGIT, "1-5", "start", "start that entry, of as many as there are"},
    {ACT_SCENARIOS, "s", "scen|arios", "every scenario that is here"},
    {ACT_DRILLS, "d", "drills", "numbers against the clock: what is due, then what is new"},
    {ACT_CARDS, "c", "cards", "what you want to know by heart: what is due, then what is new"},
    {ACT_HISTORY, "h", "hist|ory", "what you did; Enter opens a debrief again"},
    {ACT_STAND, "w", "where",
     "where you stand: a year, topics, causes, beliefs; what next, and why"},
    {ACT_GPU, "g", "GPU", "measure on a GPU here, behind ssh or behind Slurm"},
    {ACT_OPTIONS, "o", "opt|ions", "the interview's date, how much a day, backups"},
    {ACT_MEND, "m", NULL, "kernels to write from nothing, and diagnosed ones to mend"},
    {ACT_FIGURES, "f", NULL, "schedules to place, collectives to make, diagrams to fill"},
    KEYS_UP_DOWN,
    KEYS_FIND,
};

static const char *const home_how[] = {
    help_how_kernel,
    "Drills are numbers to work out, cards what to know by heart; both come back when you are "
    "about to forget them. The first entry is the right next thing. Once something was done, bars "
    "show the day's part.",
    help_how_numbers,
    NULL,
};

static const struct key_list home_keys = {KEY_ROWS(home_rows), .how = home_how};

static const struct key_list *keys_here(struct app *app, const void *self)
{
    (void)app, (void)self;
    return &home_keys;
}

static bool is_small(struct app *app)
{
    return layout_size(app_rows(app), app_columns(app)) == SIZE_SMALL;
}

static void home_layout(struct app *app, const struct home *h, struct layout_home *out)
{
    bool lately = is_small(app) && h->pane == PANE_LATELY;
    layout_home(out, app_rows(app), app_columns(app), h->data.n_next > 0 ? h->data.n_next : 1,
                lately ? 0 : HOME_GROUPS);
}

static void home_draw(struct app *app, const void *self)
{
    const struct home *h = self;
    int rows = app_rows(app), w = app_columns(app);
    bool one = is_small(app);
    char what[80];
    struct frame f;
    struct layout_home l;
    layout_frame(&f, rows, w);
    today_text(what, sizeof what, h->data.interview_in, w);
    frame_draw_digits(app, &f, h->data.first_start ? "first start" : what, &home_keys,
                      h->data.n_next);
    if (h->data.first_start) {
        first_draw(app, h, &f);
        return;
    }
    home_layout(app, h, &l);
    draw_rule(l.next_rule, 0, w, "NEXT",
              one ? h->pane == PANE_STANDING ? "Tab: lately" : "Tab: where you stand" : NULL);
    next_draw(h, &l, w);
    today_draw(h, &l, w);
    if (l.stand_rows > 0) {
        standing_draw(h, &l);
        said_draw(h, &l, w);
    }
    lately_draw(h, &l, w);
    estimates_draw(h, &l, w);
}

/* ---- keys ---- */

static void start_story(struct app *app, const struct home *h, const char *id)
{
    const struct store_attempt *begun = home_open_attempt(h->data.attempt, h->data.n_attempts, id);
    const struct story *story;
    const struct variant *variant;
    struct err err;
    if (begun)
        investigation_open_resumed(app, begun->uid);
    else if (catalog_find(app_catalog(app), id, &story, &variant, &err) != 0)
        app_say(app, "%s", err.text);
    else
        investigation_open_new(app, story, variant);
}

void home_play(struct app *app, const struct story *story, const struct variant *variant)
{
    struct store *store = app_store_seen(app);
    struct store_attempt *all = NULL;
    int n = 0;
    if (store && !app_seeded(app) && store_attempts(store, NULL, 0, &all, &n) != STORE_OK)
        app_say(app, "%s", store_message(store));
    const struct store_attempt *begun =
        home_open_attempt(all, n, variant ? variant->full_id : story->full_id);
    if (begun)
        investigation_open_resumed(app, begun->uid);
    else
        investigation_open_new(app, story, variant);
    free(all);
}

static int start(struct app *app, struct home *h, int i)
{
    if (i < 0 || i >= h->data.n_next)
        return DO_NOTHING;
    const struct next *n = &h->data.next[i];
    if (n->kind == NEXT_CONTINUE || n->kind == NEXT_MEND)
        investigation_open_resumed(app, n->id);
    else if (n->kind == NEXT_DRILLS)
        drills_begin(app, NULL);
    else if (n->kind == NEXT_CARDS)
        cards_begin(app);
    else
        start_story(app, h, n->id);
    return DO_REDRAW;
}

static int choose(struct home *h, int by)
{
    int at = h->at + by;
    if (at >= 0 && at < h->data.n_next)
        h->at = at;
    return DO_REDRAW;
}

static int home_act(struct app *app, void *self, enum action action, int arg)
{
    struct home *h = self;
    switch (action) {
    case ACT_ENTER: return start(app, h, h->at);
    case ACT_DIGIT: return start(app, h, arg - 1);
    case ACT_UP: return choose(h, -1);
    case ACT_DOWN: return choose(h, 1);
    case ACT_TAB:
        h->pane = h->pane == PANE_STANDING ? PANE_LATELY : PANE_STANDING;
        return DO_REDRAW;
    case ACT_SCENARIOS: scenarios_open(app); return DO_REDRAW;
    case ACT_DRILLS: drills_begin(app, NULL); return DO_REDRAW;
    case ACT_CARDS: cards_begin(app); return DO_REDRAW;
    case ACT_HISTORY: history_open(app); return DO_REDRAW;
    case ACT_STAND: stand_open(app); return DO_REDRAW;
    case ACT_MEND: write_open(app); return DO_REDRAW;
    case ACT_FIGURES: figures_open(app); return DO_REDRAW;
    case ACT_GPU: gpu_open(app); return DO_REDRAW;
    case ACT_OPTIONS: options_open(app); return DO_REDRAW;
    default: return DO_NOTHING;
    }
}

/* ---- searching ---- */

static void draw_all(struct app *app, const void *self, struct rect r)
{
    (void)r;
    home_draw(app, self);
}

/* Where the first entry stands. */
static int next_y(struct app *app, const struct home *h)
{
    struct layout_home l;
    struct frame f;
    layout_frame(&f, app_rows(app), app_columns(app));
    home_layout(app, h, &l);
    return h->data.first_start ? first_next(&f) : l.next;
}

static void find_rows(struct app *app, const void *self, struct find_rows *out)
{
    const struct home *h = self;
    struct frame f;
    layout_frame(&f, app_rows(app), app_columns(app));
    find_add_drawn(out, app, h, f.rule, draw_all);
    out->at = next_y(app, h) + h->at;
    out->where = f.body;
}

/* An entry is marked; the rest stands on the screen. */
static void find_go(struct app *app, void *self, int row, int column, int columns)
{
    struct home *h = self;
    (void)column, (void)columns;
    choose(h, row - next_y(app, h) - h->at);
}

static const struct find_ops home_find = {find_rows, find_go};

const struct screen_ops home_screen = {
    .name = "home",
    .find = &home_find,
    .keys = keys_here,
    .enter = home_enter,
    .draw = home_draw,
    .act = home_act,
    .tick = home_tick,
    .due_ms = home_due_ms,
    .leave = home_leave,
    .shown = home_shown,
};
