#include "tui/home/history.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/items.h"
#include "kernels/wire/text.h"
#include "scenarios/play/attempt_log.h"
#include "scenarios/play/scoring.h"
#include "tui/app/app_data.h"
#include "tui/kit/layout.h"
#include "tui/app/find.h"
#include "tui/app/frame.h"
#include "tui/app/defaults.h"
#include "tui/play/play.h"

enum { TITLE_X = 13, REVIEWS_READ = 3000 };

struct history { struct store_attempt *a; int n_a; struct lately *row; int n, at, top; };

/* ---- one row, shared with home ---- */

void history_when(char *out, size_t size, int64_t at_ms, int64_t now_ms)
{
    time_t at = (time_t)(at_ms / 1000), now = (time_t)(now_ms / 1000);
    struct tm t, today;
    localtime_r(&at, &t);
    localtime_r(&now, &today);
    const char *format = now - at < 6 * 86400         ? "%a %H:%M"
                         : t.tm_year == today.tm_year ? "%e %b"
                                                      : "%b %Y";
    if (strftime(out, size, format, &t) == 0)
        out[0] = '\0';
}

static const char *state_words(const struct store_attempt *a)
{
    if (!strcmp(a->state, "abandoned"))
        return "given up";
    return strcmp(a->state, "revealed") ? "not finished" : "not scored";
}

/* A score that is not counted stands in brackets. */
static void score_draw(int y, int end, const struct store_attempt *a, enum style s)
{
    char text[32];
    snprintf(text, sizeof text, a->counted ? "%.0f" : "(%.0f)", score_shown(a->score));
    draw_right(y, a->counted ? end : end + 1, 6, s, text);
}

static void row_figures(int y, const struct store_attempt *a, const struct history_columns *c,
                        enum style s)
{
    char text[32];
    if (a->scored) {
        score_draw(y, c->score_end, a, s);
    } else {
        draw_right(y, c->score_end, 13, s == STYLE_SELECTED ? s : STYLE_DIM, state_words(a));
    }
    snprintf(text, sizeof text, "%d", a->price);
    draw_right(y, c->min_end, 4, s, text);
    if (c->truth_end > 0 && a->scored) {
        snprintf(text, sizeof text, "%.0f %%", 100 * a->on_truth);
        draw_right(y, c->truth_end, 6, s, text);
    }
}

static void session_figures(int y, const struct lately *row, const struct history_columns *c,
                            enum style s)
{
    char text[32];
    snprintf(text, sizeof text, "%d of %d", row->right, row->n);
    draw_right(y, c->score_end, 11, s, text);
    snprintf(text, sizeof text, "%d", row->minutes);
    draw_right(y, c->min_end, 4, s, text);
}

/* Of what stands before score_end, and a blank. */
static int figures_columns(const struct lately *row)
{
    const struct store_attempt *a = row->attempt;
    if (!a)
        return 1 + snprintf(NULL, 0, "%d of %d", row->right, row->n);
    return a->scored ? 7 : 1 + draw_columns(state_words(a));
}

void history_row(int y, const struct lately *row, const struct history_columns *c, int64_t now_ms,
                 bool chosen)
{
    const struct store_attempt *a = row->attempt;
    char when[32];
    enum style s = chosen ? STYLE_SELECTED : STYLE_PLAIN;
    if (chosen)
        for (int x = 1; x < c->w - 1; x++)
            draw_text(y, x, 1, s, " ");
    draw_text(y, 0, 1, STYLE_ACCENT, chosen ? glyph("▸", ">") : " ");
    history_when(when, sizeof when, row->at_ms, now_ms);
    draw_text(y, 2, 10, s, when);
    int room = c->score_end - figures_columns(row) - TITLE_X;
    int n = draw_text(y, TITLE_X, room, s, a ? a->title : row->title);
    if (a && !a->counted && a->scored)
        draw_text(y, TITLE_X + n, room - n, s == STYLE_SELECTED ? s : STYLE_DIM, " (not counted)");
    if (a)
        row_figures(y, a, c, s);
    else
        session_figures(y, row, c, s);
}

/* ---- the screen ---- */

/* Of drills and cards the latest alone: years of them would make a long list, and a slow one. */
static void history_load(struct history *h, struct app *app)
{
    struct store *store = app_store_seen(app);
    struct store_review *r = NULL;
    int n = 0;
    if (store && (store_attempts(store, NULL, 0, &h->a, &h->n_a) != STORE_OK ||
                  store_reviews(store, NULL, 0, REVIEWS_READ, &r, &n) != STORE_OK))
        app_say(app, "%s", store_message(store));
    h->n = lately_make(&h->row, h->a, h->n_a, r, n, n == REVIEWS_READ, app_library(app), INT_MAX);
    free(r);
}

/* Of the chosen row: its scenario may have been edited since. */
static void tell_version(struct app *app, const struct history *h)
{
    const struct store_attempt *a = h->n > 0 ? h->row[h->at].attempt : NULL;
    const struct variant *now = a ? version_now(app_catalog(app), a->scenario) : NULL;
    char version[VERSION_TEXT], words[80];
    if (!now || !content_version(version, app_store_seen(app), a->content))
        return;
    version_words(words, sizeof words, "played", version, now);
    if (*words)
        app_say(app, "%s", words);
}

void history_open(struct app *app)
{
    struct history *h = mem_new(1, sizeof *h);
    history_load(h, app);
    tell_version(app, h);
    app_push(app, &history_screen, h);
}

static void history_leave(struct app *app, void *self)
{
    struct history *h = self;
    (void)app;
    free(h->row);
    free(h->a);
    free(h);
}

static const struct binding history_rows[] = {
    {ACT_ENTER, "Enter", "open", "open the debrief again; an unfinished one goes on"},
    KEYS_UP_DOWN,
    KEYS_PAGES,
    KEYS_ENDS,
    KEYS_FIND,
    KEYS_BACK,
};

static const char *const history_how[] = {
    "Each scenario with its score, in brackets where it is not counted, the minutes of patience "
    "it took, and your last belief in the true cause. A sitting of drills or cards shows how many "
    "were right.",
    NULL,
};

static const struct key_list history_keys = {KEY_ROWS(history_rows), .how = history_how};

/* Of no rows there is none to open. */
static const struct binding nothing_rows[] = {
    KEYS_UP_DOWN,
    KEYS_PAGES,
    KEYS_ENDS,
    KEYS_FIND,
    KEYS_BACK,
};
static const struct key_list nothing_keys = {KEY_ROWS(nothing_rows), .how = history_how};

static const struct key_list *keys_here(struct app *app, const void *self)
{
    const struct history *h = self;
    (void)app;
    return h->n ? &history_keys : &nothing_keys;
}

static void history_draw(struct app *app, const void *self)
{
    const struct history *h = self;
    struct frame f;
    layout_frame(&f, app_rows(app), app_columns(app));
    int w = f.body.w;
    struct history_columns c = { w, w < 80 ? w - 16 : w - 27, w < 80 ? w - 10 : w - 18, w - 2 };
    frame_draw(app, &f, "history", keys_here(app, h));
    draw_rule(f.body.y, 0, w, "WHAT YOU DID", NULL);
    draw_right(f.body.y, c.score_end + 1, 7, STYLE_DIM, " score ");
    draw_right(f.body.y, c.min_end + 1, 5, STYLE_DIM, " min ");
    draw_right(f.body.y, c.truth_end + 1, w < 80 ? 8 : 16, STYLE_DIM,
               w < 80 ? " truth " : "belief in truth ");
    int rows = f.body.h - 1;
    for (int i = 0; i < rows && h->top + i < h->n; i++)
        history_row(f.body.y + 1 + i, &h->row[h->top + i], &c, wall_now(), h->top + i == h->at);
    if (h->n == 0)
        draw_text(f.body.y + 1, 2, w - 4, STYLE_PLAIN,
                  app_store_seen(app) ? "Nothing yet."
                                      : "Progress cannot be kept here, so there is no history.");
}

static int enter(struct app *app, const struct history *h)
{
    const struct store_attempt *a = h->n > 0 ? h->row[h->at].attempt : NULL;
    struct attempt *attempt;
    struct err err;
    if (h->n == 0)
        return DO_NOTHING;
    if (!a) {
        app_say(app, "%s have no debrief; w on the home screen sums them up.",
                h->row[h->at].cards ? "Cards" : "Drills");
        return DO_REDRAW;
    }
    if (!strcmp(a->state, "abandoned")) {
        app_say(app, "That one was given up; there is no debrief.");
        return DO_REDRAW;
    }
    if (strcmp(a->state, "revealed")) {
        investigation_open_resumed(app, a->uid);
        return DO_POP;
    }
    if (attempt_resume(&attempt, app_store_seen(app), a->uid, app_now(app), &err) != 0)
        app_say(app, "%s", err.text);
    else
        debrief_open(app, attempt);
    return DO_REDRAW;
}

static int move(struct app *app, struct history *h, int by)
{
    int rows = app_rows(app) - 4;
    h->at += by;
    if (h->at >= h->n)
        h->at = h->n - 1;
    if (h->at < 0)
        h->at = 0;
    if (h->at < h->top)
        h->top = h->at;
    if (h->at >= h->top + rows)
        h->top = h->at - rows + 1;
    tell_version(app, h);
    return DO_REDRAW;
}

static int history_act(struct app *app, void *self, enum action action, int arg)
{
    struct history *h = self;
    int page = app_rows(app) - 4;
    (void)arg;
    switch (action) {
    case ACT_BACK: return DO_POP;
    case ACT_UP: return move(app, h, -1);
    case ACT_DOWN: return move(app, h, 1);
    case ACT_PAGE_UP: return move(app, h, -page);
    case ACT_PAGE_DOWN: return move(app, h, page);
    case ACT_FIRST: return move(app, h, -KEYS_FAR);
    case ACT_LAST: return move(app, h, KEYS_FAR);
    case ACT_ENTER: return enter(app, h);
    default: return DO_NOTHING;
    }
}

static void find_rows(struct app *app, const void *self, struct find_rows *out)
{
    const struct history *h = self;
    struct frame f;
    layout_frame(&f, app_rows(app), app_columns(app));
    for (int i = 0; i < h->n; i++)
        find_add(out, h->row[i].attempt ? h->row[i].attempt->title : h->row[i].title);
    out->at = h->at;
    out->where = f.body;
}

static void find_go(struct app *app, void *self, int row, int column, int columns)
{
    struct history *h = self;
    (void)column, (void)columns;
    move(app, h, row - h->at);
}

static const struct find_ops history_find = {find_rows, find_go};

const struct screen_ops history_screen = {
    .name = "history",
    .find = &history_find,
    .keys = keys_here,
    .draw = history_draw,
    .act = history_act,
    .leave = history_leave,
};
