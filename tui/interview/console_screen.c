/* The console's life: coming and going, its clock, drawing. */
#include "tui/interview/console_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/interview/interview_life.h"
#include "scenarios/interview/interview_verbs.h"
#include "scenarios/pack/recordings.h"
#include "tui/app/app_data.h"
#include "tui/app/guest.h"
#include "tui/interview/console.h"
#include "tui/interview/console_act.h"
#include "tui/interview/console_after.h"
#include "tui/interview/console_clock.h"
#include "tui/interview/console_draw.h"
#include "tui/interview/console_keys.h"
#include "tui/interview/console_link.h"
#include "tui/interview/console_lists.h"
#include "tui/interview/console_share.h"
#include "tui/kit/layout.h"

enum { TICK_MS = 10000 };

static const struct screen_ops console_screen;

/* ---- coming ---- */

/* The evidence of every part is read before anybody joins: the disk may change in the hour. */
static void read_evidence(struct app *app, const struct console *c)
{
    const struct session_plan *plan = &interview_session(c->live)->plan;
    const struct story *story;
    const struct variant *v;
    struct err err;
    for (int k = 0; app_catalog(app) && k < plan->n_parts; k++)
        if (plan->parts[k].kind == PART_SCENARIO &&
            catalog_find(app_catalog(app), plan->parts[k].id, &story, &v, NULL) == 0 && v &&
            recordings_load(v, &err) != 0)
            app_say(app, "%s", err.text);
}

static int console_enter(struct app *app, void *self, struct err *err)
{
    struct console *c = self;
    struct err own = { 0 };
    c->app = app;
    c->seen_part = -2;
    c->ticked_ms = interview_now(c->live);
    c->guest = app_guest_new(app, interview_store(c->live), c->live, GUEST_ROWS, GUEST_COLUMNS);
    c->sent = canvas_new(GUEST_ROWS, GUEST_COLUMNS);
    (void)err;
    if (c->late) {                           /* nobody joins, nothing goes on */
        console_after(c, 0, &own);
        console_grade_next(c);
        app_say(app, "It is over. Grades given now are kept with their time.");
        return 0;
    }
    read_evidence(app, c);
    if (link_open(c, &own) != 0)
        snprintf(c->trouble, sizeof c->trouble, "Nobody can join: %.290s", own.text);
    int rc = interview_opened(c->live,
                              wall_name(c->server ? session_server_wall(c->server) : WALL_NONE),
                              console_guest(c), &own);
    console_after(c, rc, &own);
    if (c->options.share && c->has_codes)
        link_share(c);
    else if (c->options.share && console_after(c, console_new_codes(c, &own), &own) == 0)
        app_say(app, "New codes for the shared window: those told before have ended, c shows the "
                     "new ones.");
    return 0;
}

void console_open(struct app *app, struct interview *live, const struct session_codes *codes,
                  const struct host_options *options)
{
    struct console *c = mem_new(1, sizeof *c);
    c->live = live;
    c->late = interview_session(live)->phase == SESSION_OVER;
    c->has_codes = codes != NULL;
    if (codes)
        c->codes = *codes;
    if (options)
        c->options = *options;
    app_replace(app, &console_screen, c);
}

static void console_leave(struct app *app, void *self)
{
    struct console *c = self;
    struct err err;
    (void)app;
    fix_judge_end(&c->fix, c->live);
    interview_settle(c->live, &err);
    link_share_end(c);
    if (interview_session(c->live)->phase == SESSION_OVER)
        link_close(c, CONSOLE_BYE);
    else
        link_leave(c);
    app_guest_free(c->guest);
    canvas_free(c->sent);
    live_numbers_free(&c->numbers);
    console_forget(c);
    interview_free(c->live);
    free(c);
}

/* ---- time ---- */

static bool clock_runs(const struct console *c)
{
    const struct session *s = interview_session(c->live);
    return s->phase == SESSION_RUNNING || s->quiet_until_ms > interview_now(c->live);
}

static int console_due(const struct app *app, const void *self, int64_t now_ms)
{
    const struct console *c = self;
    int due = c->server ? session_server_timeout_ms(c->server) : -1;
    (void)app, (void)now_ms;
    if (app_guest_moved(c->guest) || interview_changes(c->live) != c->seen)
        return 0;
    int second = (int)(1000 - interview_now(c->live) % 1000);
    bool again = c->refused || fix_judge_owes(&c->fix, c->live);
    if ((clock_runs(c) || again) && (due < 0 || second < due))
        due = second;
    return due;
}

/* True once a second: the clock is drawn anew. */
static bool second_passed(struct console *c)
{
    int64_t s = interview_now(c->live) / 1000;
    bool passed = s != c->drawn_s;
    c->drawn_s = s;
    return passed && (clock_runs(c) || fix_judge_owes(&c->fix, c->live));
}

static int console_tick(struct app *app, void *self, int64_t now_ms)
{
    struct console *c = self;
    struct err err = { 0 };
    int64_t now = interview_now(c->live);
    bool changed =
        link_take(c) || interview_changes(c->live) != c->seen || app_guest_moved(c->guest);
    int rc = 0;
    (void)app, (void)now_ms;
    c->runs = true;
    if (interview_session(c->live)->phase == SESSION_RUNNING && now - c->ticked_ms >= TICK_MS) {
        c->ticked_ms = now;
        rc = interview_tick(c->live, &err);
        changed = true;
    }
    if (c->refused || rc)
        link_settle(c);
    if (second_passed(c))
        changed = true;
    if (!changed)
        return DO_NOTHING;
    console_after(c, 0, &err);
    return DO_REDRAW;
}

/* Of the runner, about what was handed in. */
static int console_event(struct app *app, void *self, const struct client_event *e)
{
    struct console *c = self;
    struct err err = { 0 };
    (void)app;
    if (!fix_judge_event(&c->fix, e))
        return DO_NOTHING;
    console_after(c, 0, &err);
    return DO_REDRAW;
}

static int console_fds(const void *self, struct pollfd *fds, int most)
{
    const struct console *c = self;
    return c->server ? session_server_fds(c->server, fds, most) : 0;
}

static int console_ready(struct app *app, void *self)
{
    struct console *c = self;
    struct err err = { 0 };
    (void)app;
    if (!link_take(c))
        return DO_NOTHING;
    console_after(c, 0, &err);
    return DO_REDRAW;
}

static void console_shown(struct app *app, void *self)
{
    struct console *c = self;
    struct err err = { 0 };
    (void)app;
    console_after(c, 0, &err);
}

/* ---- drawing ---- */

/* Row 2: what does not work, else what to type for the candidate's window. */
static void draw_trouble(const struct console *c, int columns)
{
    const char *text = c->trouble[0] ? c->trouble : c->notice;
    if (!text[0])
        return;
    draw_textf(1, 0, columns, STYLE_PLAIN, "%*s", columns, "");
    draw_text(1, 1, columns - 2, c->trouble[0] ? STYLE_BAD : STYLE_BOLD, text);
}

static const char *field_name(enum console_field f)
{
    return f == FIELD_NOTE ? "note" : f == FIELD_SHARED_NOTE ? "note to share" : "to their screen";
}

/* The row above the keys: what is typed, else what was said. */
static void draw_now(struct app *app, const struct console *c, int y, int columns)
{
    const char *said = app_said(app), *name = field_name(c->field);
    bool types = c->field != FIELD_NONE && !app_asks_to_quit(app);
    if (!types && !(said && said[0]))
        return;
    draw_textf(y, 0, columns, STYLE_PLAIN, "%*s", columns, "");
    if (!types) {
        draw_text(y, 1, columns - 2, STYLE_BOLD, said);
        return;
    }
    int x = 1 + draw_textf(y, 1, 20, STYLE_BOLD, "%s:", name) + 1;
    textfield_draw(&c->text, y, x, columns - x - 1, STYLE_PLAIN);
}

/* Of a list, of a row that is graded, of an interview that is over: what its own keys are; NULL:
 * those of the table. */
static const char *own_keys(const struct console *c, int columns)
{
    if (c->mode == CONSOLE_LIST)
        return c->list == LIST_EVIDENCE ? NULL
               : c->list == LIST_CODE   ? "Enter twice: new codes  Esc back  ? help"
               : c->list == LIST_NOTES  ? "Up Down earlier, later  Esc back  ? help"
               : c->list == LIST_PARTS  ? "Enter begin  + - minutes  Esc back  ? help"
                                        : "Enter choose  Esc back  ? help";
    if (c->grading && c->mode == CONSOLE_PANES)
        return c->late && columns < 80 ? "1-4 grade  0 none  Enter next row  u undo  Esc back"
               : c->late ? "1-4 grade  0 none  Enter next without one  letter, Up Down another  u "
                           "undo  Esc back"
               : columns < 80
                   ? "1-4 grade  0 none  Up Down another row  u undo  Esc back"
                   : "1-4 grade  0 none  letter, Up Down another  n note  u undo  Esc back  ? help";
    return c->late ? "letter grades  u undo  R release  Tab view  q leave  ?" : NULL;
}

static void draw_keys(struct app *app, const struct console *c, int y, int columns)
{
    char line[256];
    const char *own = c->field == FIELD_INJECT ? "Enter send to the candidate  Esc throw away"
                      : c->field != FIELD_NONE ? "Enter store  Esc throw away"
                                               : own_keys(c, columns);
    if (!own)
        key_line(line, sizeof line, console_keys(app, c), columns - 1);
    draw_text(y, 1, columns - 1, STYLE_DIM, own ? own : line);
}

/* The candidate's screen on all rows but the last. */
static void draw_theirs(struct app *app, const struct console *c, int rows, int columns)
{
    bool scribe = c->mode == CONSOLE_SCRIBE;
    const struct canvas *picture = c->sent;
    bool hidden = console_hides_theirs(c);
    char text[240], quiet[48];
    if (hidden)
        console_quiet_draw(c, (struct rect){ 0, 0, rows - 1, columns }, false);
    else
        draw_canvas((struct rect){ 0, 0, rows - 1, columns }, picture);
    if (!scribe || hidden)
        draw_cursor(rows - 1, 0);
    console_quiet_clock(quiet, sizeof quiet, c);
    snprintf(text, sizeof text,
             scribe && hidden ? "SCRIBE rests in quiet time   Ctrl-] back to the console"
             : scribe ? "SCRIBE: %syour keys act on their screen: n writes, Tab keeps it   Ctrl-] "
                        "back to the console"
                      : "%sTHEIR VIEW, %d x %d%s   Tab back   keys act as on the console",
             quiet, canvas_columns(picture), canvas_rows(picture),
             canvas_columns(picture) > columns || canvas_rows(picture) > rows ? ", cut" : "");
    draw_text(rows - 1, 1, columns - 2, c->trouble[0] ? STYLE_BAD : STYLE_ACCENT,
              c->trouble[0]                                         ? c->trouble
              : app_said(app) && (!scribe || app_asks_to_quit(app)) ? app_said(app)
                                                                    : text);
}

static void console_draw(struct app *app, const void *self)
{
    const struct console *c = self;
    struct console_view v;
    int rows = app_rows(app), columns = app_columns(app);
    if (c->field == FIELD_NONE && (c->mode == CONSOLE_THEIRS || c->mode == CONSOLE_SCRIBE)) {
        draw_theirs(app, c, rows, columns);
        return;
    }
    console_view(c, &v);
    console_draw_panes(app, &v);
    if (c->mode == CONSOLE_LIST)
        lists_draw(app, c);
    draw_trouble(c, columns);
    draw_now(app, c, rows - 2, columns);
    draw_keys(app, c, rows - 1, columns);
}

static const struct screen_ops console_screen = {
    .name = "console",
    .keys = console_keys,
    .enter = console_enter,
    .draw = console_draw,
    .act = console_act,
    .text = console_typed,
    .event = console_event,
    .tick = console_tick,
    .due_ms = console_due,
    .leave = console_leave,
    .shown = console_shown,
    .fds = console_fds,
    .ready = console_ready,
};
