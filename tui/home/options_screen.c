#include "tui/home/options_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "db/backup.h"
#include "db/items.h"
#include "db/place.h"
#include "drills/memory/forecast.h"
#include "drills/progress/queue_load.h"
#include "kernels/wire/text.h"
#include "scenarios/formula/quantity.h"
#include "tui/app/app_data.h"
#include "tui/app/app_runner.h"
#include "tui/app/defaults.h"
#include "tui/app/frame.h"
#include "tui/home/history.h"
#include "tui/home/options_data.h"
#include "tui/kit/layout.h"
#include "tui/kit/textfield.h"

enum mode { CHOOSING, TYPING, CONFIRMING };
enum { ROW_BACK_UP = OPTION_COUNT, ROW_BACKUPS, UNDO_MOST = 64, VALUE_X = 27, FILES_ROWS = 3 };

/* What u takes back: a setting's former value, or, where `file` is set, the progress that a restore
 * put aside. */
struct undo { enum option_id id; char kept[48]; char *file; };

struct options {
    char shown[OPTION_COUNT][48];
    struct forecast forecast;
    int need_cards,
        need_drills; /* new ones a day that would show everything; 0: they suffice, or none would */
    int today, interview;               /* study days; 0: none */
    struct backup_entry *backup; int n_backups;
    long long size; /* of the progress, bytes */
    int n_attempts, n_answers;          /* that it holds, when a restore is asked about */
    int since_attempts, since_answers;  /* of them newer than that backup */
    struct undo undo[UNDO_MOST]; int n_undo;
    bool undid;                         /* something was taken back */
    enum mode mode;
    int at, top;                        /* row chosen; first backup shown */
    struct textfield field;
};

/* ---- reading ---- */

/* Which numbers are too small for everything to be seen. */
static void need_load(struct options *o, const struct queue_item *items, int n,
                      const struct queue_settings *s)
{
    int cards = 0, drills = 0;
    bool enough = o->forecast.unseen > 0 && forecast_needed(&cards, &drills, items, n, s);
    o->need_cards = enough && cards > s->new_cards ? cards : 0;
    o->need_drills = enough && drills > s->new_drills ? drills : 0;
}

static void forecast_load(struct options *o, struct app *app)
{
    struct queue_settings s;
    struct queue_item *items = NULL;
    struct err err = { 0 };
    int n = 0;
    queue_settings_load(&s, app_store_seen(app), wall_now());
    o->today = s.today;
    o->interview = s.interview;
    if (queue_load(&items, &n, app_library(app), app_store_seen(app), app_device(app) != NULL,
                   &err) != 0)
        app_say(app, "%s", err.text);
    forecast_make(&o->forecast, items, n, &s);
    need_load(o, items, n, &s);
    free(items);
}

static void settings_load(struct options *o, struct app *app)
{
    for (int i = 0; i < OPTION_COUNT; i++)
        option_show(o->shown[i], sizeof o->shown[i], (enum option_id)i, app_store_seen(app));
    forecast_load(o, app);
}

/* Answers given, and scenarios begun or gone on with, after a moment. */
static void contents_count(int *n_attempts, int *n_answers, struct store *store, int64_t after_ms)
{
    struct store_attempt *attempts = NULL;
    struct store_review *reviews = NULL;
    int n_a = 0, n_r = 0;
    *n_attempts = *n_answers = 0;
    if (store_attempts(store, NULL, 0, &attempts, &n_a) != STORE_OK ||
        store_reviews(store, NULL, 0, 0, &reviews, &n_r) != STORE_OK)
        n_a = n_r = 0;
    for (int i = 0; i < n_a; i++)
        *n_attempts += attempts[i].started_ms + attempts[i].elapsed_ms > after_ms;
    for (int i = 0; i < n_r; i++)
        *n_answers += reviews[i].at_ms > after_ms;
    free(attempts);
    free(reviews);
}

static void backups_load(struct options *o, struct app *app)
{
    struct store *store = app_store(app);
    backup_list_free(o->backup, o->n_backups);
    o->backup = NULL;
    o->n_backups = 0;
    o->size = 0;
    if (!store)
        return;
    if (backup_list(store_path(store), &o->backup, &o->n_backups) != STORE_OK)
        app_say(app, "The backups cannot be listed.");
    o->size = place_size(store_path(store));
    if (o->at >= ROW_BACKUPS + o->n_backups)
        o->at = ROW_BACKUPS + o->n_backups - 1;
}

void options_open(struct app *app)
{
    struct options *o = mem_new(1, sizeof *o);
    settings_load(o, app);
    backups_load(o, app);
    app_push(app, &options_screen, o);
}

static void options_leave(struct app *app, void *self)
{
    struct options *o = self;
    (void)app;
    for (int i = 0; i < o->n_undo; i++)
        free(o->undo[i].file);
    backup_list_free(o->backup, o->n_backups);
    free(o);
}

/* ---- drawing, from top to bottom; each part returns the next free row ---- */

static const char *file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void marked(int y, bool chosen, const char *label)
{
    draw_text(y, 0, 1, STYLE_ACCENT, chosen ? glyph("▸", ">") : " ");
    draw_text(y, 2, VALUE_X - 3, chosen ? STYLE_ACCENT : STYLE_PLAIN, label);
}

static void setting_draw(const struct options *o, int i, int y, int w)
{
    const struct option_row *r = option_row((enum option_id)i);
    char date[64];
    marked(y, o->at == i, r->label);
    if (o->mode == TYPING && o->at == i) {
        textfield_draw(&o->field, y, VALUE_X, w - VALUE_X - 2, STYLE_ACCENT);
        return;
    }
    const char *value = *o->shown[i] ? o->shown[i] : "no date";
    if (i != OPTION_INTERVIEW) {
        draw_right(y, VALUE_X + 6, 6, STYLE_PLAIN, value);
        draw_text(y, VALUE_X + 7, 4, STYLE_PLAIN, r->unit);
        return;
    }
    int n = draw_text(y, VALUE_X, 12, *o->shown[i] ? STYLE_PLAIN : STYLE_DIM, value);
    if (o->interview > 0) {
        option_date_text(date, sizeof date, o->interview, o->today);
        const char *comma = strchr(date, ',');
        draw_text(y, VALUE_X + n + 3, w - VALUE_X - n - 4, STYLE_DIM,
                  w < 80 && comma ? comma + 2 : date);
    }
}

/* What the settings come to, in one sentence. */
static void effect_text(char *out, size_t size, const struct options *o)
{
    const struct forecast *f = &o->forecast;
    char until[48] = "in the next 30 days";
    if (f->days == 0) {
        snprintf(out, size, "The interview is today: look at what you like.");
        return;
    }
    if (o->interview > o->today && f->days == o->interview - o->today)
        snprintf(until, sizeof until, "until then");
    else if (o->interview > o->today)
        snprintf(until, sizeof until, "in the next %d days", f->days);
    size_t n = (size_t)snprintf(out, size, "About %.0f drills and cards a day %s, %.0f min.",
                                f->items, until, f->seconds / 60);
    if (f->unseen == 0)
        snprintf(out + n, size - n, " Everything here will have been seen.");
    else if (!o->need_cards && !o->need_drills)
        snprintf(out + n, size - n, " %d would not be seen by then.", f->unseen);
    else if (!o->need_cards || !o->need_drills)
        snprintf(out + n, size - n,
                 " %d would not be seen by then: with %d new %s a day all would.", f->unseen,
                 o->need_cards + o->need_drills, o->need_cards ? "cards" : "drills");
    else
        snprintf(out + n, size - n,
                 " %d would not be seen by then: with %d new drills and %d new cards a day all "
                 "would.",
                 f->unseen, o->need_drills, o->need_cards);
}

static int effect_rows(int w)
{
    return w < 80 ? 3 : 2;
}

static int settings_draw(const struct options *o, int y, int w)
{
    char effect[240];
    draw_rule(y++, 0, w, "OPTIONS", NULL);
    for (int i = 0; i < OPTION_COUNT; i++)
        setting_draw(o, i, y++, w);
    effect_text(effect, sizeof effect, o);
    draw_wrapped((struct rect){ y, 2, effect_rows(w), w - 4 }, 0, STYLE_SECOND, effect);
    return y + effect_rows(w);
}

static void backup_when(char *out, size_t size, int64_t at_ms)
{
    time_t at = (time_t)(at_ms / 1000);
    struct tm t;
    localtime_r(&at, &t);
    if (strftime(out, size, "%a %e %b %Y %H:%M", &t) == 0)
        out[0] = '\0';
}

static void backup_draw(const struct options *o, int i, int y, int w)
{
    const struct backup_entry *b = &o->backup[i];
    char when[48], bytes[24];
    bool chosen = o->at == ROW_BACKUPS + i;
    enum style s = chosen ? STYLE_ACCENT : STYLE_PLAIN;
    backup_when(when, sizeof when, b->at_ms);
    quantity_show(bytes, sizeof bytes, (double)b->size, "B");
    marked(y, chosen, when);
    draw_right(y, VALUE_X + 9, 9, s, bytes);
    if (b->good)
        draw_text(y, VALUE_X + 12, w - VALUE_X - 13, STYLE_DIM, b->reason);
    else
        draw_textf(y, VALUE_X + 12, w - VALUE_X - 13, STYLE_BAD, "not to be used: %s", b->why);
}

static int backups_draw(const struct options *o, int y, int end, int w)
{
    char count[32];
    snprintf(count, sizeof count, "%d kept", o->n_backups);
    draw_rule(y++, 0, w, "BACKUPS", count);
    marked(y, o->at == ROW_BACK_UP, "back up now");
    draw_text(y++, VALUE_X, w - VALUE_X - 1, STYLE_DIM,
              w < 80 ? "leaving makes one a day" : "leaving makes one too, a day after the newest");
    for (int i = o->top; i < o->n_backups && y < end; i++)
        backup_draw(o, i, y++, w);
    return y;
}

static void path_draw(int y, int w, const char *label, const char *path, const char *note)
{
    int n = draw_columns(note);
    draw_text(y, 2, 10, STYLE_DIM, label);
    draw_text(y, 13, w - 16 - n, STYLE_PLAIN, path);
    draw_right(y, w - 2, n, STYLE_DIM, note);
}

static void files_draw(struct app *app, const struct options *o, int y, int w)
{
    char bytes[24], note[48], *home = library_home();
    quantity_show(bytes, sizeof bytes, (double)o->size, "B");
    draw_rule(y++, 0, w, "FILES", NULL);
    snprintf(note, sizeof note, "%s with its WAL", bytes);
    path_draw(y++, w, "progress",
              app_store(app) ? store_path(app_store(app)) : "cannot be kept here",
              app_store(app) ? note : "");
    path_draw(y, w, "your own", home, "tables, drills, cards");
    free(home);
}

/* What a restore replaces, before it does. */
static void confirm_draw(struct app *app, const struct options *o, struct rect r)
{
    const struct backup_entry *b = &o->backup[o->at - ROW_BACKUPS];
    char when[48], now[24], then[24], text[512];
    const char *name = file_name(store_path(app_store(app)));
    backup_when(when, sizeof when, b->at_ms);
    quantity_show(then, sizeof then, (double)b->size, "B");
    quantity_show(now, sizeof now, (double)o->size, "B");
    snprintf(text, sizeof text,
             "Restore the backup of %s (%s, %s)?\n\nIt takes the place of your progress as it is "
             "now (%d answer%s, %d scenario%s, %s): what you did since then is no longer there "
             "(answers: %d, scenarios: %d).\nThe present file is kept beside it, as "
             "%.80s.before-restore- and the date; u puts it back at once.",
             when, b->reason, then, o->n_answers, o->n_answers == 1 ? "" : "s", o->n_attempts,
             o->n_attempts == 1 ? "" : "s", now, o->since_answers, o->since_attempts, name);
    draw_rule(r.y, 0, r.w, "RESTORE", NULL);
    draw_wrapped((struct rect){ r.y + 2, 2, r.h - 2, r.w - 4 }, 0, STYLE_PLAIN, text);
}

static void help_draw(const struct options *o, int y, int h, int w)
{
    const char *text =
        o->at < OPTION_COUNT ? option_row((enum option_id)o->at)->help
        : o->at == ROW_BACK_UP || !o->n_backups
            ? "Makes a copy beside your progress, and reads it back before it counts. Leaving "
              "makes one by itself when the newest one, by hand or not, is more than a day old."
            : "Enter puts this backup in the place of your progress, after asking; the present "
              "file is kept.";
    draw_wrapped((struct rect){ y, 2, h, w - 4 }, 0, STYLE_DIM, text);
}

static int help_rows(int w)
{
    return w < 80 ? 3 : 2;
}

/* 0: no room for it. */
static int files_row(struct app *app)
{
    struct frame f;
    layout_frame(&f, app_rows(app), app_columns(app));
    return app_rows(app) < 24 ? 0 : f.rule - help_rows(f.body.w) - FILES_ROWS;
}

/* Backups that fit at this size. */
static int backups_shown(struct app *app)
{
    struct frame f;
    layout_frame(&f, app_rows(app), app_columns(app));
    int end = files_row(app) > 0 ? files_row(app) : f.rule - help_rows(f.body.w);
    return end - (f.body.y + 1 + OPTION_COUNT + effect_rows(f.body.w) + 2);
}

static const struct binding choosing_rows[] = {
    {ACT_ENTER, "Enter", "type", "type another value; make a backup, or put one back"},
    {ACT_MORE, "+ = Right", "- step", "a step up; a date moves by a day"},
    {ACT_LESS, "- _ Left", NULL, "a step down"},
    {ACT_UNDO, "u", "undo", "take the last change back, a restore too"},
    KEYS_UP_DOWN,
    KEYS_BACK,
};

static const struct binding typing_rows[] = {
    {ACT_NONE, "Enter", "keep", NULL},
    {ACT_NONE, "Esc", "leave as it was", NULL},
};

static const struct binding confirming_rows[] = {
    {ACT_ENTER, "Enter", "restore", "put this backup in the place of all progress"},
    {ACT_BACK, "Esc", "back, nothing changes", "back; nothing changes"},
};

static const char *const options_how[] = {
    "A setting holds at once. Below them stands what they come to: played forward day by day, one "
    "answer in ten wrong; an estimate, not a promise.",
    "A backup is a copy of all progress, read back before it counts. A restore keeps the present "
    "file beside it, and u puts that back. Days that are long ago keep fewer backups.",
    NULL,
};

static const struct key_list mode_keys[] = {
    [CHOOSING] = {KEY_ROWS(choosing_rows), .how = options_how},
    [TYPING] = {KEY_ROWS(typing_rows), .words = true, .only_listed = true},
    [CONFIRMING] = {KEY_ROWS(confirming_rows), .how = options_how, .only_listed = true},
};

static const struct key_list *keys_here(struct app *app, const void *self)
{
    const struct options *o = self;
    (void)app;
    return &mode_keys[o->mode];
}

static void options_draw(struct app *app, const void *self)
{
    const struct options *o = self;
    struct frame f;
    layout_frame(&f, app_rows(app), app_columns(app));
    frame_draw(app, &f, "options", keys_here(app, o));
    int w = f.body.w, help = f.rule - help_rows(w), files = files_row(app);
    if (o->mode == CONFIRMING) {
        confirm_draw(app, o, f.body);
        return;
    }
    int y = settings_draw(o, f.body.y, w);
    backups_draw(o, y, files > 0 ? files : help, w);
    if (files > 0)
        files_draw(app, o, files, w);
    help_draw(o, help, help_rows(w), w);
}

/* ---- what keys do ---- */

static void undo_push(struct options *o, enum option_id id, const char *kept, char *file)
{
    if (o->n_undo == UNDO_MOST) {
        free(o->undo[0].file);
        memmove(&o->undo[0], &o->undo[1], (UNDO_MOST - 1) * sizeof o->undo[0]);
        o->n_undo--;
    }
    struct undo *u = &o->undo[o->n_undo++];
    *u = (struct undo){ .id = id, .file = file };
    snprintf(u->kept, sizeof u->kept, "%s", kept);
}

static bool setting_keep(struct app *app, struct options *o, enum option_id id, const char *kept)
{
    struct store *store = app_store(app);
    if (!store)
        app_say(app, "Progress cannot be kept here, so options cannot either.");
    else if (store_setting_put(store, option_row(id)->name, kept) != STORE_OK)
        app_say(app, "%s", store_message(store));
    else {
        settings_load(o, app);
        return true;
    }
    return false;
}

/* False: what was typed is no value, and the message says why. */
static bool setting_change(struct app *app, struct options *o, enum option_id id, const char *typed)
{
    char kept[48], *before = NULL;
    struct err err = { 0 };
    if (option_read(kept, sizeof kept, id, typed, o->today, &err) != 0) {
        app_say(app, "%s", err.text);
        return false;
    }
    if (app_store(app) && store_setting_get(app_store(app), option_row(id)->name, &before) != 1)
        before = NULL;
    if (strcmp(kept, before ? before : "") != 0 && setting_keep(app, o, id, kept))
        undo_push(o, id, before ? before : "", NULL);
    free(before);
    return true;
}

static int setting_step(struct app *app, struct options *o, int by)
{
    char next[48];
    if (o->at >= OPTION_COUNT)
        return DO_NOTHING;
    option_step(next, sizeof next, (enum option_id)o->at, o->shown[o->at], by, o->today);
    if (strcmp(next, o->shown[o->at]) != 0)
        setting_change(app, o, (enum option_id)o->at, next);
    return DO_REDRAW;
}

static int back_up(struct app *app, struct options *o)
{
    struct store *store = app_store(app);
    char *path = NULL;
    if (!store)
        app_say(app, "Progress cannot be kept here; there is nothing to back up.");
    else if (backup_make(store, "by-hand", &path) != STORE_OK)
        app_say(app, "%s", store_message(store));
    else
        app_say(app, "Backed up as %s", file_name(path));
    free(path);
    backups_load(o, app);
    return DO_REDRAW;
}

/* *kept: where the former file is now, NULL when there was none. */
static bool put_back(struct app *app, struct options *o, const char *file, char **kept)
{
    int rc = app_restore(app, file, kept);
    settings_load(o, app);
    backups_load(o, app);
    return rc == 0;
}

static void restore(struct app *app, struct options *o, const char *file)
{
    char *kept;
    if (!put_back(app, o, file, &kept)) {
        free(kept);
        return;
    }
    if (kept)
        app_say(app, "Restored; u puts back %s", file_name(kept));
    else
        app_say(app, "Restored; there was no file before.");
    if (kept)
        undo_push(o, OPTION_COUNT, "", kept);
}

/* What was restored is put aside in its turn; taking that back is a restore again, and asks. */
static void restore_undo(struct app *app, struct options *o, const char *file)
{
    char *kept;
    if (put_back(app, o, file, &kept))
        app_say(app, "Restore taken back. Put aside: %s", kept ? file_name(kept) : "nothing");
    free(kept);
}

static void setting_undo(struct app *app, struct options *o, enum option_id id, const char *kept)
{
    o->at = (int)id;
    if (setting_keep(app, o, id, kept))
        app_say(app, "Taken back: %s is %s%s%s again.", option_row(id)->label,
                *o->shown[id] ? o->shown[id] : "no date", *option_row(id)->unit ? " " : "",
                option_row(id)->unit);
}

static int undo(struct app *app, struct options *o)
{
    if (o->n_undo == 0) {
        app_say(app, o->undid ? "Nothing more to take back." : "Nothing to take back.");
        return DO_REDRAW;
    }
    struct undo u = o->undo[--o->n_undo];
    o->undid = true;
    if (u.file)
        restore_undo(app, o, u.file);
    else
        setting_undo(app, o, u.id, u.kept);
    free(u.file);
    return DO_REDRAW;
}

static int enter(struct app *app, struct options *o)
{
    if (o->mode == CONFIRMING) {
        o->mode = CHOOSING;
        restore(app, o, o->backup[o->at - ROW_BACKUPS].path);
    } else if (o->at < OPTION_COUNT) {
        textfield_init(&o->field, o->shown[o->at]);
        o->mode = TYPING;
        app_text_input(app, true);
    } else if (o->at == ROW_BACK_UP) {
        return back_up(app, o);
    } else if (!o->backup[o->at - ROW_BACKUPS].good) {
        app_say(app, "This one cannot be used: %s", o->backup[o->at - ROW_BACKUPS].why);
    } else {
        contents_count(&o->n_attempts, &o->n_answers, app_store(app), 0);
        contents_count(&o->since_attempts, &o->since_answers, app_store(app),
                       o->backup[o->at - ROW_BACKUPS].at_ms);
        o->mode = CONFIRMING;
    }
    return DO_REDRAW;
}

static int move(struct app *app, struct options *o, int by)
{
    int most = ROW_BACKUPS + o->n_backups - 1, shown = backups_shown(app);
    o->at += by;
    o->at = o->at > most ? most : o->at < 0 ? 0 : o->at;
    int k = o->at - ROW_BACKUPS;
    if (k < o->top)
        o->top = k > 0 ? k : 0;
    else if (k >= o->top + shown)
        o->top = k - shown + 1;
    return DO_REDRAW;
}

static int options_text(struct app *app, void *self, int key)
{
    struct options *o = self;
    enum textfield_result result = textfield_key(&o->field, key);
    if (result != TEXTFIELD_DONE && result != TEXTFIELD_CANCELLED)
        return DO_REDRAW;
    textfield_trim(&o->field);
    if (result == TEXTFIELD_DONE &&
        !setting_change(app, o, (enum option_id)o->at, textfield_text(&o->field)))
        return DO_REDRAW;
    o->mode = CHOOSING;
    app_text_input(app, false);
    return DO_REDRAW;
}

static int options_act(struct app *app, void *self, enum action action, int arg)
{
    struct options *o = self;
    (void)arg;
    if (action == ACT_ENTER)
        return enter(app, o);
    if (o->mode == CONFIRMING) {
        o->mode = action == ACT_BACK ? CHOOSING : CONFIRMING;
        return DO_REDRAW;
    }
    switch (action) {
    case ACT_BACK: return DO_POP;
    case ACT_UP: return move(app, o, -1);
    case ACT_DOWN: return move(app, o, 1);
    case ACT_LEFT:
    case ACT_LESS: return setting_step(app, o, -1);
    case ACT_RIGHT:
    case ACT_MORE: return setting_step(app, o, 1);
    case ACT_UNDO: return undo(app, o);
    default: return DO_NOTHING;
    }
}

const struct screen_ops options_screen = {
    .name = "options",
    .keys = keys_here,
    .draw = options_draw,
    .act = options_act,
    .text = options_text,
    .leave = options_leave,
};
