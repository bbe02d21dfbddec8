#include "tui/play/investigation_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/play/naming.h"
#include "scenarios/library/version.h"
#include "scenarios/text/diff.h"
#include "tui/play/debrief_screen.h"
#include "tui/play/sealed_screen.h"
#include "tui/app/trust_screen.h"
#include "tui/play/play.h"
#include "tui/play/investigation_act.h"
#include "tui/play/investigation_buy.h"
#include "tui/play/investigation_draw.h"
#include "tui/play/investigation_estimate.h"
#include "tui/play/investigation_known.h"
#include "tui/play/investigation_list.h"
#include "tui/play/investigation_modes.h"
#include "tui/play/investigation_naming.h"

/* ---- small questions ---- */

int investigation_digit(const struct story *s, int hypothesis)
{
    return strcmp(s->hypotheses[hypothesis]->id, "none.at-limit") == 0 ? 0 : hypothesis + 1;
}

int investigation_of_digit(const struct story *s, int digit)
{
    for (int k = 0; k < s->n_hypotheses; k++)
        if (investigation_digit(s, k) == digit)
            return k;
    return -1;
}

int64_t investigation_clock(const struct investigation_screen *s, int64_t now_ms)
{
    return s->before_ms + now_ms - s->opened_ms;
}

const char *investigation_subject(const struct investigation_screen *s)
{
    return story_is_case(s->story)       ? "this job"
           : story_is_pipeline(s->story) ? "this step"
                                         : "this kernel";
}

const char *investigation_tier(const struct investigation_screen *s)
{
    return s->supply ? supply_tier(s->supply) : state_of(s)->tier;
}

const struct msg_device *investigation_device(const struct investigation_screen *s)
{
    if (s->supply)
        return supply_device(s->supply);
    const struct recording *r = attempt_recording(s->attempt);
    return r ? &r->device : NULL;
}

static enum layout_pane pane_of(const struct investigation_screen *s)
{
    switch (s->view) {
    case VIEW_STORY: return PANE_STORY;
    case VIEW_BELIEFS: return PANE_BELIEFS;
    case VIEW_SHOP: return PANE_SHOP;
    default: return PANE_KNOWN;
    }
}

bool investigation_whole(const struct investigation_screen *s)
{
    return s->whole && shows_code(s) && mode_of(s)->turns && !s->explaining;
}

void investigation_layout(struct app *app, const struct investigation_screen *s, struct layout *out)
{
    int rows = app_rows(app), columns = app_columns(app);
    int lines = draw_wrapped((struct rect){ 0, 0, 0, columns - 2 }, 0, STYLE_PLAIN, s->told) + 1;
    const struct mode *m = mode_of(s);
    layout_investigation(out, rows, columns, lines, s->story->n_hypotheses,
                         m->has_pane ? m->pane : pane_of(s));
    layout_raise_status(out, estimate_more_rows(s, columns));
    if (investigation_whole(s) ||
        (m->lists && out->shape != LAYOUT_PANE && list_rows(s, out->known.w) > out->known.h))
        layout_widen_known(out);
}

void investigation_show_beliefs(struct app *app, struct investigation_screen *s)
{
    struct layout l;
    investigation_layout(app, s, &l);
    if (l.shape == LAYOUT_PANE)
        s->view = VIEW_BELIEFS;
}

/* ---- moves ---- */

void investigation_book(struct investigation_screen *s)
{
    struct note_frame frame = {s->story, investigation_device(s),
                               s->bytes, investigation_tier(s),
                               NULL,     0,
                               s->text_columns};
    frame.n_spoken = hook_spoken(&s->in, &frame.spoken);
    notebook_free(&s->book);
    notebook_make(&s->book, state_of(s), &frame);
    if (s->note >= s->book.n)
        s->note = s->book.n - 1, s->row = -1;
}

void investigation_select_newest(struct investigation_screen *s)
{
    s->note = s->book.n - 1;
    s->row = -1;
    s->row_last = s->book.n > 0;
    s->explaining = false;
}

/* First line of an error, as one line of a screen. */
static void say_error(struct app *app, const struct err *err)
{
    app_say(app, "%.*s", (int)strcspn(err->text, "\n"), err->text);
}

void investigation_told(struct investigation_screen *s)
{
    if (state_of(s)->n_moves == s->told_moves)
        return;
    s->told_moves = state_of(s)->n_moves;
    hook_moved(&s->in);
}

bool investigation_refuses(struct app *app, const struct investigation_screen *s, const char *say)
{
    if (s->in.hooks)
        app_say(app, "%s", say);
    return s->in.hooks != NULL;
}

int investigation_do(struct app *app, struct investigation_screen *s, struct move *m)
{
    struct err err = { 0 };
    int rc = attempt_move(s->attempt, m, app_now(app), &err);
    if (rc)
        say_error(app, &err);
    else
        investigation_book(s);
    investigation_told(s);
    return rc;
}

void investigation_text(struct app *app, struct investigation_screen *s, const char *start)
{
    textfield_init(&s->field, start);
    s->skipping = s->guessing = false;
    app_text_input(app, true);
}

/* ---- where evidence comes from ---- */

static bool times_are_missing(const struct msg_device *d)
{
    for (int i = 0; i < d->n_tiers; i++)
        if (d->tiers[i].probe == PROBE_TIMING && !d->tiers[i].ok)
            return true;
    return false;
}

bool investigation_can_be_live(struct app *app, const struct variant *v)
{
    struct client *client = app_client(app);
    const struct msg_device *d = app_device(app);
    if (!client || !client_alive(client) || !d || times_are_missing(d))
        return false;
    return request_needs(v->story, d, NULL) == 0;
}

static int choose_supply(struct app *app, const struct variant *v, uint64_t seed, bool live,
                         struct supply **out, struct err *err)
{
    if (live)
        return supply_live(out, v, app_client(app), app_device(app), seed, err);
    char gpu[64];
    app_recorded_gpu(app, gpu);
    return supply_preferred(out, v, gpu, err);
}

static bool same_gpu(const struct app *app, const struct attempt *a)
{
    const struct msg_device *d = app_device(app);
    return d && strcmp(d->name, attempt_state(a)->gpu) == 0;
}

/* The tier an attempt began with is kept: tiers never mix. */
int investigation_same_supply(struct app *app, const struct attempt *a, struct supply **out,
                              struct err *err)
{
    const struct investigation *i = attempt_state(a);
    if (strcmp(i->tier, "live") != 0)
        return supply_recorded(out, attempt_variant(a), NULL,
                               err); /* the attempt's own copy holds one */
    const struct msg_device *d = app_device(app);
    if (!same_gpu(app, a))
        return err_set(err, ERR_NO_GPU,
                       "this was begun live on %s, which is not here now (g on the home screen)",
                       i->gpu);
    if (trust_state(app, attempt_variant(a)) != MAY_RUN)
        return err_set(err, ERR_PERMISSION,
                       "this was begun live, and goes on live alone; its GPU code may not run "
                       "here");
    return supply_live(out, attempt_variant(a), app_client(app), d, i->seed, err);
}

/* "128 x 128" for { 128, 128, 1 }. */
static void extent_text(char *out, size_t size, const uint32_t *n)
{
    int used = snprintf(out, size, "%u", n[0]);
    for (int k = 1; k < 3 && used > 0 && (size_t)used < size; k++)
        if (n[1] > 1 || n[2] > 1)
            if (n[k] > 1 || k == 1)
                used += snprintf(out + used, size - (size_t)used, " x %u", n[k]);
}

/* The story as paragraphs: its line ends are the author's, the screen has its own. */
static char *tell(const char *text, const char *sizes)
{
    char *told = text_format(*sizes ? "%s\n%s" : "%s%s", text, sizes);
    size_t n = strlen(told);
    while (n && told[n - 1] == '\n')
        told[--n] = '\0';
    for (size_t k = 1; k + 1 < n; k++)
        if (told[k] == '\n' && told[k - 1] != '\n' && told[k + 1] != '\n')
            told[k] = ' ';
    return told;
}

static void learn_sizes(struct investigation_screen *s, const struct msg_device *d,
                        const char *moved)
{
    char sizes[200];
    request_sizes(sizes, sizeof sizes, s->story, d);
    if (sizes[0])
        snprintf(s->sizes, sizeof s->sizes, "Sizes: %s. At least %s to move.", sizes, moved);
}

static void learn_shape(struct investigation_screen *s)
{
    const struct msg_device *d = investigation_device(s);
    struct msg_measure m = { 0 };
    char moved[32] = "";
    if (story_is_case(s->story))
        snprintf(s->facts, sizeof s->facts, "%s.", s->story->system);
    if (!d || request_build(&m, s->variant, d, "symptom", 1, NULL) != 0)
        return;
    s->bytes = m.base.work.bytes;
    s->flops = m.base.work.flops;
    s->yield = request_step_size(s->story, d, NULL, 0).yield;
    msg_device_ceiling(d, "copy", &s->copy);
    const struct msg_run *run = msg_run_find(&m.base, "a");
    if (s->bytes > 0)
        quantity_show(moved, sizeof moved, s->bytes, "B");
    learn_sizes(s, d, moved);
    if (run && run->n_launches > 1) {
        snprintf(s->facts, sizeof s->facts, "A step of %d launches%s%s%s.", run->n_launches,
                 moved[0] ? ", " : "", moved, moved[0] ? " to move" : "");
    } else if (run && run->n_launches) {
        char grid[40], block[40];
        extent_text(grid, sizeof grid, run->launches[0].grid);
        extent_text(block, sizeof block, run->launches[0].block);
        snprintf(s->facts, sizeof s->facts, "%s blocks of %s threads%s%s%s.", grid, block,
                 moved[0] ? ", " : "", moved, moved[0] ? " to move" : "");
    }
    msg_measure_free(&m);
}

/* ---- opening ---- */

void investigation_push(struct app *app, struct attempt *a, struct supply *supply,
                        const char *no_supply,
                        const struct play_hooks *hooks)
{
    struct investigation_screen *s = mem_new(1, sizeof *s);
    const struct investigation *i = attempt_state(a);
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
    s->buy.called = -1;
    bool wide = app_rows(app) >= 30 && app_columns(app) >= 100; /* there the story stands above */
    s->view = i->n_bought || i->questions_asked || wide ? VIEW_NOTES : VIEW_STORY;
    snprintf(s->no_supply, sizeof s->no_supply, "%s", no_supply);
    learn_shape(s);
    s->told = tell(s->story->text, s->sizes);
    buy_learn(s);
    investigation_book(s);
    investigation_select_newest(s);
    app_push(app, &investigation_screen, s);
}

/* Short enough for one line of a narrow screen. */
static void say_no_supply(struct app *app, bool live, const struct err *err)
{
    if (!live && err->code == ERR_MISSING)
        app_say(app, "nothing recorded, no GPU: `warpdrill record PACK`, or --runner COMMAND");
    else
        say_error(app, err);
}

static bool begin(struct app *app, const struct variant *v, uint64_t seed, bool live)
{
    struct supply *supply = NULL;
    struct attempt *a = NULL;
    struct err err = { 0 };
    if (choose_supply(app, v, seed, live, &supply, &err) != 0) {
        say_no_supply(app, live, &err);
        return false;
    }
    if (attempt_start(&a, app_store(app), v, supply, seed, app_now(app), &err) != 0) {
        say_error(app, &err);
        supply_free(supply);
        return false;
    }
    attempt_leave_floor(a, app_now(app));
    investigation_push(app, a, supply, "", NULL);
    return true;
}

struct beginning { const struct variant *variant; uint64_t seed; };

static void begin_answered(struct app *app, void *ctx, bool yes)
{
    const struct beginning *b = ctx;
    begin(app, b->variant, b->seed, yes && investigation_can_be_live(app, b->variant));
}

void investigation_open_new(struct app *app, const struct story *story,
                            const struct variant *variant)
{
    investigation_begin(app, story, variant);
}

bool investigation_begin(struct app *app, const struct story *story, const struct variant *variant)
{
    if (story->pack->seal == SEAL_SHUT) {
        sealed_open(app, story, variant, investigation_open_new);
        return true;
    }
    uint64_t seed = app_seed(app);
    const struct variant *v =
        variant ? variant : attempt_pick(story, app_seeded(app) ? NULL : app_store(app), seed);
    bool live = investigation_can_be_live(app, v);
    enum may_run may = live ? trust_state(app, v) : MAY_NOT;
    if (may != MAY_NOT_ASKED)
        return begin(app, v, seed, may == MAY_RUN);
    struct beginning *b = mem_new(1, sizeof *b);
    *b = (struct beginning){ v, seed };
    trust_open(app, v, begin_answered, b);
    return true;
}

static void resume(struct app *app, const char *attempt_uid, bool asked);

static void resume_answered(struct app *app, void *ctx, bool yes)
{
    (void)yes; /* trust_state knows it now */
    resume(app, ctx, true);
}

/* Where code would run that nobody allowed yet. */
static bool must_ask(struct app *app, const struct attempt *a)
{
    return strcmp(attempt_state(a)->tier, "live") == 0 && same_gpu(app, a) &&
           trust_state(app, attempt_variant(a)) != MAY_RUN;
}

void investigation_open_resumed(struct app *app, const char *attempt_uid)
{
    resume(app, attempt_uid, false);
}

/* It goes on as it was begun, whatever became of the scenario. */
static void tell_version(struct app *app, const struct variant *begun)
{
    char version[VERSION_TEXT], words[80];
    version_of(version, begun);
    version_words(words, sizeof words, "begun", version,
                  version_now(app_catalog(app), begun->full_id));
    if (*words)
        app_say(app, "%s", words);
}

static void resume(struct app *app, const char *attempt_uid, bool asked)
{
    struct supply *supply = NULL;
    struct attempt *a = NULL;
    struct err err = { 0 };
    if (attempt_resume(&a, app_store(app), attempt_uid, app_now(app), &err) != 0) {
        say_error(app, &err);
        return;
    }
    if (attempt_state(a)->phase == PHASE_REVEALED) {
        debrief_open(app, a);
        return;
    }
    if (!asked && must_ask(app, a)) {
        trust_open(app, attempt_variant(a), resume_answered, text_dup(attempt_uid));
        attempt_free(a);
        return;
    }
    tell_version(app, attempt_variant(a));
    err.text[0] = '\0';
    investigation_same_supply(app, a, &supply, &err);
    err.text[strcspn(err.text, "\n")] = '\0';
    investigation_push(app, a, supply, supply ? "" : err.text, NULL);
}

static void be_pushed(struct app *app, struct investigation_screen *s)
{
    attempt_unpress(s->attempt);
    s->ui = UI_PUSHBACK;
    s->pushed_now = s->in.hooks != NULL;
    investigation_show_beliefs(app, s);
}

static void be_waiting(struct app *app, struct investigation_screen *s)
{
    s->ui = UI_WAIT;
    investigation_show_beliefs(app, s);
}

/* The beliefs are locked by a commitment without line and remedy; the second one completes it. */
static void enter_committed(struct app *app, struct investigation_screen *s)
{
    const struct investigation *i = state_of(s);
    s->buy.asking = NULL;
    if (i->remedy < 0) {
        s->ui = UI_LINE;
        s->shift = 0;
        s->line = 1;
        if (!story_is_case(s->story))
            diff_body(s->variant->suspect->text, &s->line);
        return;
    }
    s->buy.asking = investigation_left(i);
    if (s->buy.asking) {
        s->ui = UI_NUMBERS;
        investigation_text(app, s, "");
        return;
    }
    if (s->in.hooks) {                       /* the interviewer pushes back, or does not */
        be_waiting(app, s);
        return;
    }
    struct move m = { .kind = MOVE_PUSHED, .pushback = investigation_pushback(i) };
    if (m.pushback >= 0 && investigation_do(app, s, &m) != 0)
        return;
    be_pushed(app, s);
}

void investigation_enter_phase(struct app *app, struct investigation_screen *s)
{
    const struct investigation *i = state_of(s);
    if (i->phase == PHASE_COMMITTED) {
        enter_committed(app, s);
    } else if (i->phase == PHASE_PUSHED) {
        be_pushed(app, s);
    } else if (i->phase == PHASE_RESPONDED && !hook_revealed(&s->in)) {
        be_waiting(app, s);
    } else if (i->phase == PHASE_RESPONDED) {
        s->ui = UI_REVEAL;
        s->reveal_due = true;
    } else if (naming_due(i)) {
        begin_naming(app, s);
    }
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

/* Each try waits for a lock as long as the store was told to; another process rarely holds it
 * longer than a few of them. */
void investigation_flush(struct app *app, struct attempt *a)
{
    enum {
        TRIES = 25,
        LATER_MS = 1000
    }; /* later: beliefs that are still in the keys are settled, a pause is over */
    for (int k = 1; k <= TRIES; k++)
        if (attempt_tick(a, app_now(app) + k * LATER_MS, NULL) <= 0)
            return;
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
    free(s->told);
    free(s);
}

const struct screen_ops investigation_screen = {
    .name = "investigation",
    .keys = investigation_keys,
    .enter = enter,
    .draw = investigation_draw,
    .act = investigation_act,
    .text = investigation_typed,
    .event = event,
    .tick = tick,
    .due_ms = due_ms,
    .leave = leave,
    .shown = shown,
};
