#include "tui/home/scenarios_screen.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drills/progress/next.h"
#include "kernels/wire/text.h"
#include "scenarios/library/origin.h"
#include "scenarios/play/scoring.h"
#include "tui/app/app_data.h"
#include "tui/app/find.h"
#include "tui/app/frame.h"
#include "tui/app/help.h"
#include "tui/home/home_data.h"
#include "tui/kit/layout.h"
#include "tui/mend/mend.h"
#include "tui/play/play.h"

enum {
    LEVELS = 6 /* 0: the warm-up */,
    SORT_FROM = 94 /* columns */
};

/* What the person did with one story, for the list's last column; open: the uid of the attempt that
 * goes on, or "". */
/* best: of first looks, and of a warm-up, which has no other; -INFINITY: of none. */
struct entry { const struct story *story; int finished; char open[33]; double best; };
struct scenarios {
    struct entry *entry;
    char **from; /* of each pack of the catalog: "shipped", ... */
    int n_from, n, at, top;
};

/* ---- opening ---- */

static void count_entry(struct entry *e, const struct store_attempt *a, int n)
{
    const struct store_attempt *open = home_open_attempt(a, n, e->story->full_id);
    snprintf(e->open, sizeof e->open, "%s", open ? open->uid : "");
    e->best = -INFINITY;
    for (int i = 0; i < n; i++) {
        if (!next_is_of_story(a[i].scenario, e->story->full_id) || !a[i].scored)
            continue;
        e->finished++;
        if (a[i].counted || !e->story->counted)
            e->best = fmax(e->best, a[i].score);
    }
}

static void count_attempts(struct scenarios *s, struct store *store)
{
    struct store_attempt *a;
    int n;
    if (!store || store_attempts(store, NULL, 0, &a, &n) != STORE_OK)
        return;
    for (int k = 0; k < s->n; k++)
        count_entry(&s->entry[k], a, n);
    free(a);
}

static char *from_where(const struct pack *p)
{
    struct origin o;
    char words[500];
    origin_find(&o, p->files->root);
    origin_words(words, sizeof words, &o);
    origin_free(&o);
    return text_dup(words);
}

static void learn_origins(struct scenarios *s, const struct catalog *c)
{
    s->n_from = c ? c->n_packs : 0;
    s->from = mem_new((size_t)s->n_from + 1, sizeof *s->from);
    for (int i = 0; i < s->n_from; i++)
        s->from[i] = from_where(c->packs[i]);
}

static int level_of(const struct story *story)
{
    return !story->counted ? 0 : story->level;
}

/* The warm-up, then level by level; within one as the packs have them. */
static void list_stories(struct scenarios *s, const struct catalog *c)
{
    for (int level = 0; level < LEVELS; level++)
        for (int i = 0; c && i < c->n_packs; i++)
            for (int k = 0; k < c->packs[i]->n_stories; k++) {
                if (level_of(&c->packs[i]->stories[k]) != level)
                    continue;
                s->entry = mem_grow(s->entry, (size_t)s->n + 1, sizeof *s->entry);
                s->entry[s->n++] = (struct entry){ .story = &c->packs[i]->stories[k] };
            }
}

void scenarios_open(struct app *app)
{
    const struct catalog *c = app_catalog(app);
    struct scenarios *s = mem_new(1, sizeof *s);
    learn_origins(s, c);
    list_stories(s, c);
    count_attempts(s, app_store_seen(app));
    app_push(app, &scenarios_screen, s);
}

static void scenarios_leave(struct app *app, void *self)
{
    struct scenarios *s = self;
    (void)app;
    for (int i = 0; i < s->n_from; i++)
        free(s->from[i]);
    free(s->from);
    free(s->entry);
    free(s);
}

/* ---- drawing ---- */

static void entry_done(char *out, size_t size, const struct entry *e)
{
    if (e->finished == 0)
        snprintf(out, size, *e->open ? "begun" : "not seen yet");
    else if (!isfinite(e->best))
        snprintf(out, size, *e->open ? "begun" : "%d done", e->finished);
    else if (*e->open)
        snprintf(out, size, "begun, best %.0f", score_shown(e->best));
    else
        snprintf(out, size, "%d done, best %.0f", e->finished, score_shown(e->best));
}

static void entry_draw(const struct entry *e, int y, int w, bool chosen)
{
    char done[64], level[32];
    enum style s = chosen ? STYLE_SELECTED : STYLE_PLAIN;
    entry_done(done, sizeof done, e);
    snprintf(level, sizeof level, e->story->counted ? "level %d" : "warm-up", e->story->level);
    if (chosen)
        for (int x = 1; x < w - 1; x++)
            draw_text(y, x, 1, s, " ");
    draw_text(y, 1, 1, s, chosen ? glyph("▸", ">") : " ");
    bool sealed = e->story->pack->seal == SEAL_SHUT;
    int level_x = w < 80 ? w - 26 : w - 31, sort_x = w < SORT_FROM ? level_x : level_x - 12;
    int n = draw_text(y, 3, sort_x - (sealed ? 14 : 5), s, e->story->title);
    if (sealed)
        draw_text(y, 3 + n, 9, chosen ? s : STYLE_DIM, " (sealed)");
    if (sort_x < level_x)
        draw_text(y, sort_x, 10, s, story_sort(e->story));
    draw_text(y, level_x, 7, s, level);
    draw_right(y, w - 2, w - level_x - 10, s, done);
}

/* Rows for scenarios; below them, where there is room, stands where the chosen one's pack comes
 * from. */
static bool origin_shown(int rows) { return rows >= 24; }
static int inner_rows(int rows) { return rows - 4 - origin_shown(rows); }

/* Rows for what was left out, so that it is seen however long the list is: at most a third. */
static int left_out_rows(const struct app *app)
{
    enum { RULE = 1, OF_ONE = 3, LEAST = 3 };
    const struct catalog *c = app_catalog(app);
    int most = inner_rows(app_rows(app)) / 3, n = c ? c->n_problems : 0;
    int wanted = RULE + OF_ONE * n;
    return n == 0 || most < LEAST ? 0 : wanted < most ? wanted : most;
}

static int list_rows(const struct app *app)
{
    return inner_rows(app_rows(app)) - left_out_rows(app);
}

/* Of a case exhibits are there or drawn; what a sealed pack has nobody sees. */
static bool lacks_recordings(const struct story *s)
{
    const struct files *f = s->pack->files;
    bool any = story_is_case(s) || s->pack->seal == SEAL_SHUT;
    char *folder = text_format("%s/", s->id);
    for (int i = 0; i < f->n && !any; i++)
        any = !strncmp(f->file[i].path, folder, strlen(folder)) &&
              strstr(f->file[i].path, "/sealed/evidence/");
    free(folder);
    return !any;
}

static void origin_draw(const struct scenarios *s, const struct catalog *c, int y, int w)
{
    const struct story *story = s->entry[s->at].story;
    for (int i = 0; i < s->n_from; i++)
        if (c->packs[i] == story->pack)
            draw_textf(y, 3, w - 5, STYLE_DIM, "%s, variants: %d%s; %s; %s, %s%s", story->full_id,
                       story->n_variants, lacks_recordings(story) ? ", nothing recorded" : "",
                       story_sort(story), story->pack->title,
                       strcmp(s->from[i], "shipped") ? "from " : "", s->from[i]);
}

/* "1 to 14 of 20", where not all of them fit. */
static void place_text(char *out, size_t size, const struct scenarios *s, int rows)
{
    out[0] = '\0';
    if (s->n > rows)
        snprintf(out, size, "%d to %d of %d", s->top + 1,
                 s->top + rows < s->n ? s->top + rows : s->n, s->n);
}

static int problems_draw(const struct catalog *c, struct rect r)
{
    int y = r.y;
    for (int i = 0; c && i < c->n_problems && y < r.y + r.h; i++) {
        struct rect line = { y, r.x + 3, r.y + r.h - y, r.w - 5 };
        draw_text(y++, r.x + 1, r.w - 2, STYLE_BAD, c->problems[i].where);
        line.y = y;
        line.h--;
        y += draw_wrapped(line, 0, STYLE_PLAIN, c->problems[i].text);
    }
    return y - r.y;
}

static const struct binding scenarios_rows[] = {
    {ACT_ENTER, "Enter", "start", "start the marked scenario; one that was begun goes on"},
    {ACT_MEND, "m", "write", "kernels to write from nothing, and diagnosed ones to mend"},
    KEYS_UP_DOWN,
    KEYS_PAGES,
    KEYS_ENDS,
    {ACT_FIND, "/", "search",
     "search titles, kinds, levels and ids, such as triton; then n next, N the one before"},
    KEYS_BACK,
};

static const char *const scenarios_how[] = {
    help_how_kernel,
    help_how_numbers,
    NULL,
};

static const struct key_list scenarios_keys = {KEY_ROWS(scenarios_rows), .how = scenarios_how};

static const struct key_list *keys_here(struct app *app, const void *self)
{
    (void)app, (void)self;
    return &scenarios_keys;
}

static void scenarios_draw(struct app *app, const void *self)
{
    const struct scenarios *s = self;
    const struct catalog *c = app_catalog(app);
    struct frame f;
    layout_frame(&f, app_rows(app), app_columns(app));
    char place[48];
    int rows = list_rows(app), y = f.body.y + 1;
    place_text(place, sizeof place, s, rows);
    frame_draw(app, &f, "scenarios", &scenarios_keys);
    draw_rule(f.body.y, 0, f.body.w, "SCENARIOS", *place ? place : NULL);
    for (int i = 0; i < rows && s->top + i < s->n; i++)
        entry_draw(&s->entry[s->top + i], y + i, f.body.w, s->top + i == s->at);
    if (s->n == 0)
        draw_text(y, 3, f.body.w - 4, STYLE_PLAIN,
                  "No pack was found. They lie in content/packs, or where --pack or config.yaml "
                  "says.");
    int left = left_out_rows(app);
    if (left > 0) {
        draw_rule(y + rows, 0, f.body.w, "LEFT OUT", NULL);
        problems_draw(c, (struct rect){y + rows + 1, 0, left - 1, f.body.w});
    }
    if (s->n > 0 && origin_shown(app_rows(app)))
        origin_draw(s, c, f.rule - 1, f.body.w);
}

/* ---- keys ---- */

static void list_move(int *at, int *top, int n, int rows, int by)
{
    *at += by;
    if (*at >= n)
        *at = n - 1;
    if (*at < 0)
        *at = 0;
    if (*at < *top)
        *top = *at;
    if (*at >= *top + rows)
        *top = *at - rows + 1;
}

static int start(struct app *app, const struct entry *e)
{
    if (*e->open)
        investigation_open_resumed(app, e->open);
    else
        investigation_open_new(app, e->story, NULL);
    return DO_POP;
}

static int scenarios_act(struct app *app, void *self, enum action action, int arg)
{
    struct scenarios *s = self;
    int rows = list_rows(app);
    (void)arg;
    switch (action) {
    case ACT_BACK: return DO_POP;
    case ACT_MEND: write_open(app); return DO_REDRAW;
    case ACT_UP: list_move(&s->at, &s->top, s->n, rows, -1); return DO_REDRAW;
    case ACT_DOWN: list_move(&s->at, &s->top, s->n, rows, 1); return DO_REDRAW;
    case ACT_PAGE_UP: list_move(&s->at, &s->top, s->n, rows, -rows); return DO_REDRAW;
    case ACT_PAGE_DOWN: list_move(&s->at, &s->top, s->n, rows, rows); return DO_REDRAW;
    case ACT_FIRST: list_move(&s->at, &s->top, s->n, rows, -KEYS_FAR); return DO_REDRAW;
    case ACT_LAST: list_move(&s->at, &s->top, s->n, rows, KEYS_FAR); return DO_REDRAW;
    case ACT_ENTER:
        if (s->n == 0)
            return DO_NOTHING;
        return start(app, &s->entry[s->at]);
    default: return DO_NOTHING;
    }
}

/* The title, what stands beside it, and what stands below the list once it is marked. */
static void find_rows(struct app *app, const void *self, struct find_rows *out)
{
    const struct scenarios *s = self;
    for (int i = 0; i < s->n; i++) {
        const struct story *story = s->entry[i].story;
        char done[64], level[32] = "warm-up";
        entry_done(done, sizeof done, &s->entry[i]);
        if (story->counted)
            snprintf(level, sizeof level, "level %d", story->level);
        char *text = text_format("%s %s %s %s %s; %s", story->title, story_sort(story), level, done,
                                 story->full_id, story->pack->title);
        find_add(out, text);
        free(text);
    }
    out->at = s->at;
    out->where = (struct rect){2, 3, list_rows(app), app_columns(app) - 3};
}

static void find_go(struct app *app, void *self, int row, int column, int columns)
{
    struct scenarios *s = self;
    (void)column, (void)columns;
    list_move(&s->at, &s->top, s->n, list_rows(app), row - s->at);
}

static const struct find_ops scenarios_find = {find_rows, find_go};

const struct screen_ops scenarios_screen = {
    .name = "scenarios",
    .find = &scenarios_find,
    .keys = keys_here,
    .draw = scenarios_draw,
    .act = scenarios_act,
    .leave = scenarios_leave,
};
