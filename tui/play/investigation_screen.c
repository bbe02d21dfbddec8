#include "tui/play/investigation_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/listing.h"
#include "tui/play/investigation_act.h"
#include "tui/play/investigation_buy.h"
#include "tui/play/investigation_draw.h"
#include "tui/play/investigation_find.h"
#include "tui/play/investigation_modes.h"
#include "tui/play/investigation_phase.h"
#include "tui/play/investigation_place.h"

/* ---- what the story tells ---- */

/* The story as paragraphs: its line ends are the author's, the screen has its own. */
static char *tell(const struct story *story, const char *sizes)
{
    const char *faults =
        story_asks_left(story) ? "There may be more than one fault, or none.\n" : "";
    char *told = text_format("%s%s%s%s", story->text, *sizes || *faults ? "\n" : "", faults, sizes);
    size_t n = strlen(told);
    while (n && told[n - 1] == '\n')
        told[--n] = '\0';
    for (size_t k = 1; k + 1 < n; k++)
        if (told[k] == '\n' && told[k - 1] != '\n' && told[k + 1] != '\n')
            told[k] = ' ';
    return told;
}

static void learn_sizes(struct investigation_screen *s, const struct msg_device *d)
{
    char sizes[200];
    request_sizes(sizes, sizeof sizes, s->story, d);
    if (sizes[0])
        snprintf(s->sizes, sizeof s->sizes, "Sizes: %s.", sizes);
}

/* What moves, and nothing of the launches: those may be what is wrong, so evidence tells them. */
static void learn_shape(struct investigation_screen *s)
{
    const struct msg_device *d = investigation_device(s);
    struct msg_measure m = { 0 };
    if (!d || request_build(&m, s->variant, d, "symptom", 1, NULL) != 0)
        return;
    s->bytes = m.base.work.bytes;
    s->flops = m.base.work.flops;
    s->yield = request_step_size(s->story, d, NULL, 0).yield;
    msg_device_ceiling(d, "copy", &s->copy);
    learn_sizes(s, d);
    msg_measure_free(&m);
}

/* ---- opening ---- */

void investigation_push(struct app *app, struct attempt *a, struct supply *supply,
                        const char *no_supply, const struct play_hooks *hooks, play_begin *begin)
{
    struct investigation_screen *s = mem_new(1, sizeof *s);
    const struct investigation *i = attempt_state(a);
    s->modes = investigation_modes;
    s->begin = begin;
    s->attempt = a;
    s->in = hook_open(hooks, app);
    s->told_moves = i->n_moves;
    s->supply = supply;
    s->variant = attempt_variant(a);
    s->story = s->variant->story;
    s->opened_ms = app_now(app);
    s->before_ms = i->elapsed_ms;
    s->note = s->row = -1;
    s->remedy = -1;
    s->then = -1;
    s->buy.called = -1;
    bool wide = app_rows(app) >= 30 && app_columns(app) >= 100; /* there the story stands above */
    s->view = i->n_bought || i->questions_asked || wide ? VIEW_NOTES : VIEW_STORY;
    snprintf(s->no_supply, sizeof s->no_supply, "%s", no_supply);
    learn_shape(s);
    s->code = listing_text(s->variant, "a", investigation_device(s));
    s->told = tell(s->story, s->sizes);
    buy_learn(s);
    investigation_book(s);
    investigation_select_newest(s);
    app_push(app, &investigation_screen, s);
}

static int enter(struct app *app, void *self, struct err *err)
{
    struct investigation_screen *s = self;
    (void)err;
    if (!s->supply)
        app_say(app, "%s", s->no_supply);
    else if (state_of(s)->phase == PHASE_OPEN || strcmp(supply_tier(s->supply), "live") != 0)
        wanted_ask(app, s, WANTED_SYMPTOM);
    investigation_enter_phase(app, s);
    hook_look(&s->in, app, s);
    return 0;
}

static void shown(struct app *app, void *self)
{
    struct investigation_screen *s = self;
    hook_look(&s->in, app, s);
}

/* ---- living and leaving ---- */

static int event(struct app *app, void *self, const struct client_event *e)
{
    struct investigation_screen *s = self;
    if (!s->supply || strcmp(supply_tier(s->supply), "live") != 0)
        return DO_NOTHING;
    supply_event(s->supply, e);
    wanted_step(app, s);
    return DO_REDRAW;
}

/* Texts of the notebook fill their pane, whatever its width has become. */
static void fit_book(struct app *app, struct investigation_screen *s)
{
    enum { BEFORE_TEXT = 7, TEXT_MOST = 150 };
    struct layout l;
    investigation_layout(app, s, &l);
    int columns = l.known.w - BEFORE_TEXT < TEXT_MOST ? l.known.w - BEFORE_TEXT : TEXT_MOST;
    if (columns == s->text_columns || investigation_whole(s))
        return;
    s->text_columns = columns;
    investigation_book(s);
    if (s->note >= 0 && s->row >= s->book.note[s->note].n)
        s->row = -1;
}

static int tick(struct app *app, void *self, int64_t now_ms)
{
    struct investigation_screen *s = self;
    struct err err = { 0 };
    s->ticked_s = investigation_clock(s, now_ms) / 1000;
    int rc = attempt_tick(s->attempt, now_ms, &err);
    investigation_told(s);
    s->unsaved = rc > 0 ? rc : 0;
    err.text[strcspn(err.text, "\n")] = '\0';
    snprintf(s->trouble, sizeof s->trouble, "%.255s",
             rc >= 0       ? ""
             : s->in.hooks ? "it is tried again"
                           : err.text);
    if (s->reveal_due) {
        s->reveal_due = false;
        wanted_ask(app, s, WANTED_DEBRIEF);   /* s may be gone now */
        return DO_REDRAW;
    }
    fit_book(app, s);
    wanted_step(app, s);
    return DO_REDRAW;
}

/* The clock moves once a second; moves that wait for the store come sooner. */
static int due_ms(const struct app *app, const void *self, int64_t now_ms)
{
    const struct investigation_screen *s = self;
    int64_t clock = investigation_clock(s, now_ms);
    int second = (int)(1000 - clock % 1000), moves = attempt_deadline_ms(s->attempt, now_ms);
    (void)app;
    if (s->reveal_due || clock / 1000 != s->ticked_s)
        return 0;
    return moves >= 0 && moves < second ? moves : second;
}

static void leave(struct app *app, void *self)
{
    struct investigation_screen *s = self;
    app_text_input(app, false);
    editor_free(&s->notes);
    if (s->attempt && !s->in.hooks) {
        attempt_pause(s->attempt, app_now(app));
        investigation_flush(app, s->attempt);
        attempt_free(s->attempt);
    }
    hook_close(&s->in);
    evidence_free(s->buy.arrived);
    evidence_free(s->symptom);
    supply_free(s->supply);
    notebook_free(&s->book);
    free(s->code);
    free(s->told);
    free(s);
}

static bool unsaved(const void *self)
{
    const struct investigation_screen *s = self;
    return s->trouble[0] && !s->in.hooks;
}

const struct screen_ops investigation_screen = {
    .name = "investigation",
    .find = &investigation_find,
    .keys = investigation_keys,
    .enter = enter,
    .draw = investigation_draw,
    .act = investigation_act,
    .text = investigation_typed,
    .event = event,
    .tick = tick,
    .due_ms = due_ms,
    .unsaved = unsaved,
    .leave = leave,
    .shown = shown,
};
