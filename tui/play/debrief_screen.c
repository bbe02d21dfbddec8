#include "tui/play/debrief_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/listing.h"
#include "scenarios/evidence/told.h"
#include "scenarios/library/version.h"
#include "tui/app/app_data.h"
#include "tui/app/app_runner.h"
#include "tui/play/investigation_state.h"
#include "tui/app/trust_screen.h"
#include "tui/mend/mend.h"

/* ---- opening ---- */

static void learn_code(struct debrief_screen *s, const struct msg_device *device)
{
    static const char *const runs[DEBRIEF_SOURCES] = {"a", "d", "e", "b", "c"};
    for (int k = 0; k < DEBRIEF_SOURCES; k++)
        s->text[k] = listing_text(s->variant, runs[k], device);
}

static void learn_work(struct debrief_screen *s, const struct msg_device *d)
{
    struct msg_measure m = { 0 };
    if (!d || request_build(&m, s->variant, d, "symptom", 1, NULL) != 0)
        return;
    s->bytes = m.base.work.bytes;
    s->yield = request_step_size(s->variant->story, d, NULL, 0).yield;
    msg_measure_free(&m);
}

static void learn_version(struct app *app, struct debrief_screen *s)
{
    char version[VERSION_TEXT];
    version_of(version, s->variant);
    version_words(s->version, sizeof s->version, "played", version,
                  version_now(app_catalog(app), s->variant->full_id));
    if (*s->version &&
        !debrief_wide(app_rows(app),
                      app_columns(app))) /* where it is wide it stands under the title */
        app_say(app, "%s", s->version);
}

/* ---- the notebook ---- */

static int columns_wanted(const struct app *app)
{
    enum { BEFORE_TEXT = 7, TEXT_MOST = 150 };
    int columns = app_columns(app) - BEFORE_TEXT;
    return columns < TEXT_MOST ? columns : TEXT_MOST;
}

static const struct msg_device *device_of(struct app *app, const struct debrief_screen *s)
{
    const struct recording *rec = attempt_recording(s->attempt);
    return rec ? &rec->device : app_device(app);
}

/* Its texts fill the screen, whatever its width has become. */
static void fit_book(struct app *app, struct debrief_screen *s)
{
    struct note_frame frame = {s->variant, device_of(app, s), s->bytes, s->tier, NULL, 0,
                               columns_wanted(app)};
    frame.n_spoken = hook_spoken(&s->in, &frame.spoken);
    notebook_free(&s->book);
    notebook_make(&s->book, attempt_state(s->attempt), &frame);
    s->text_columns = frame.columns;
    if (s->note >= 0 && s->note < s->book.n && s->row >= s->book.note[s->note].n)
        s->row = -1;
}

static struct debrief_screen *screen_new(struct app *app, struct attempt *attempt,
                                         const struct play_hooks *hooks, play_begin *begin)
{
    struct debrief_screen *s = mem_new(1, sizeof *s);
    const struct investigation *i = attempt_state(attempt);
    s->begin = begin;
    s->attempt = attempt;
    s->in = hook_open(hooks, app);
    s->variant = attempt_variant(attempt);
    s->d = attempt_debrief(attempt);
    s->why = mem_new(1, sizeof *s->why);
    struct scope scope = {
        .story = s->variant->story, .device = device_of(app, s), .all = attempt_all(attempt)
    };
    s->told = told_debrief(s->variant, &scope);
    snprintf(s->gpu, sizeof s->gpu, "%s", i->gpu);
    snprintf(s->tier, sizeof s->tier, "%s", i->tier);
    learn_work(s, device_of(app, s));
    learn_code(s, device_of(app, s));
    if (s->text[DEBRIEF_FIX])
        diff_make(&s->diff, s->text[0], s->text[DEBRIEF_FIX]);
    fit_book(app, s);
    s->note = s->book.n - 1;
    s->row = -1;
    learn_version(app, s);
    return s;
}

void debrief_push(struct app *app, struct attempt *attempt, const struct play_hooks *hooks,
                  play_begin *begin)
{
    if (!attempt_debrief(attempt)) {
        app_say(app, "This one has not been revealed.");
        if (!hooks)
            attempt_free(attempt);
        return;
    }
    app_push(app, &debrief_screen, screen_new(app, attempt, hooks, begin));
}

void debrief_replace(struct app *app, struct attempt *attempt, const struct play_hooks *hooks,
                     play_begin *begin)
{
    app_replace(app, &debrief_screen, screen_new(app, attempt, hooks, begin));
}

/* ---- the fix, live ---- */

static void live_end(struct debrief_screen *s)
{
    supply_free(s->live);
    s->live = NULL;
}

static void start_live(struct app *app, struct debrief_screen *s)
{
    struct err err = { 0 };
    if (supply_live(&s->live, s->variant, app_client(app), app_device(app), app_seed(app), &err) !=
            0 ||
        supply_ask(s->live, "debrief", &err) != 0) {
        app_say(app, "%.*s", (int)strcspn(err.text, "\n"), err.text);
        live_end(s);
    }
}

/* The debrief stands below the question, so it is still there. */
struct live_wish { struct debrief_screen *screen; };

static void live_answered(struct app *app, void *ctx, bool yes)
{
    struct live_wish *wish = ctx;
    if (yes)
        start_live(app, wish->screen);
}

static void ask_live(struct app *app, struct debrief_screen *s)
{
    struct live_wish *wish = mem_new(1, sizeof *wish);
    wish->screen = s;
    trust_open(app, s->variant, live_answered, wish);
}

static void run_live(struct app *app, struct debrief_screen *s)
{
    const char *why = debrief_no_live(app, s);
    if (why)
        app_say(app, "%s", why);
    else if (s->live)
        app_say(app, "It is running; Esc stops it.");
    else if (trust_state(app, s->variant) != MAY_RUN)
        ask_live(app, s);
    else
        start_live(app, s);
    s->view = DEBRIEF_PAGES;
    s->page = 0;
}

static double time_of(const struct evidence *e, const char *run)
{
    for (int k = 0; k < e->n_parts; k++) {
        const struct msg_value *v = msg_part_time(&e->parts[k]);
        if (strcmp(e->parts[k].run, run) == 0 && v && v->present)
            return v->value;
    }
    return 0;
}

static void take_live(struct app *app, struct debrief_screen *s)
{
    enum supply_state state = s->live ? supply_poll(s->live) : SUPPLY_IDLE;
    int at, of;
    if (state == SUPPLY_READY) {
        struct evidence *e = supply_take(s->live);
        s->live_suspect = time_of(e, "a");
        s->live_fix = time_of(e, "b");
        s->live_best = time_of(e, "c");
        s->live_half = time_of(e, "d");
        s->live_rest = time_of(e, "e");
        snprintf(s->live_gpu, sizeof s->live_gpu, "%s", e->gpu);
        evidence_free(e);
        live_end(s);
    } else if (state == SUPPLY_FAILED) {
        const char *say = supply_say(s->live, &at, &of);
        app_say(app, "%.*s", (int)strcspn(say, "\n"), say);
        live_end(s);
    }
}

/* ---- mending ---- */

static void mend(struct app *app, const struct debrief_screen *s)
{
    const char *why = mend_useless(s->variant);
    if (why)
        app_say(app, "%s", why);
    else
        mend_open(app, s->variant);
}

/* ---- the same story again ---- */

/* DO_POP once the new investigation stands above: then this screen has done its work. */
static int other_cause(struct app *app, struct debrief_screen *s)
{
    const char *why = debrief_no_other(app, s);
    if (why) {
        app_say(app, "%s", why);
        return DO_REDRAW;
    }
    const struct story *story = debrief_story_now(app, s);
    const struct variant *now = story_variant(story, s->variant->id),
                         *v = attempt_pick_other(now ? now : story->variants[0], app_store(app),
                                                 app_seed(app));
    if (!v) {
        app_say(app, "What is left of this story comes back in some days; take another one.");
        return DO_REDRAW;
    }
    return s->begin && s->begin(app, story, v) ? DO_POP : DO_REDRAW;
}

/* ---- keys ---- */

static void scroll(const struct app *app, struct debrief_screen *s, enum action action)
{
    struct debrief_extent e = debrief_extent(s, app_rows(app), app_columns(app));
    int page = e.rows > 2 ? e.rows - 1 : 1, most = e.hidden;
    int step = action == ACT_PAGE_UP     ? -page
               : action == ACT_PAGE_DOWN ? page
               : action == ACT_FIRST     ? -KEYS_FAR
               : action == ACT_LAST      ? KEYS_FAR
               : action == ACT_UP        ? -1
                                         : 1;
    if (s->view == DEBRIEF_EVIDENCE && most == 0) {
        s->explaining = false;
        bool far = action == ACT_FIRST || action == ACT_LAST;
        while (notebook_move(&s->book, &s->note, &s->row, step < 0 ? -1 : 1) && far)
            ;
        return;
    }
    s->scroll += step;
    if (s->scroll > most)
        s->scroll = most;
    if (s->scroll < 0)
        s->scroll = 0;
}

static void show(struct debrief_screen *s, enum debrief_view view)
{
    s->view = view;
    s->scroll = 0;
    s->explaining = false;
}

static void show_page(struct debrief_screen *s, int page)
{
    show(s, DEBRIEF_PAGES);
    s->page = page;
}

static void turn(struct debrief_screen *s)
{
    const char *name;
    if (s->view == DEBRIEF_CODE) {
        do
            s->code = (s->code + 1) % DEBRIEF_SOURCES;
        while (!debrief_code(s, s->code, &name));
        s->scroll = 0;
    } else {
        show_page(s, s->view == DEBRIEF_PAGES ? (s->page + 1) % DEBRIEF_PAGE_COUNT : 0);
    }
}

/* In an interview it is the interviewer who goes on. */
static int next(struct app *app, const struct debrief_screen *s)
{
    if (!s->in.hooks)
        return DO_POP;
    app_say(app, "The interviewer goes on; q leaves.");
    return DO_REDRAW;
}

static int back(struct app *app, struct debrief_screen *s)
{
    if (s->live)
        live_end(s);
    else if (s->explaining)
        s->explaining = false;
    else if (s->view != DEBRIEF_PAGES || s->page != 0)
        show_page(s, 0);
    else
        return next(app, s);
    return DO_REDRAW;
}

static void evidence(struct debrief_screen *s)
{
    if (s->view == DEBRIEF_EVIDENCE) {
        s->explaining = !s->explaining;
        s->scroll = 0;
    } else
        show(s, DEBRIEF_EVIDENCE);
}

static int act(struct app *app, void *self, enum action action, int arg)
{
    struct debrief_screen *s = self;
    switch (action) {
    case ACT_BACK: return back(app, s);
    case ACT_ENTER: return next(app, s);
    case ACT_TAB: turn(s); break;
    case ACT_BELIEFS: show(s, s->view == DEBRIEF_BELIEFS ? DEBRIEF_PAGES : DEBRIEF_BELIEFS); break;
    case ACT_CODE:
        if (story_is_case(s->variant->story)) {
            app_say(app, "A case has no code; e shows its exhibits.");
            break;
        }
        show(s, s->view == DEBRIEF_CODE ? DEBRIEF_PAGES : DEBRIEF_CODE); break;
    case ACT_EVIDENCE: case ACT_EXPLAIN: evidence(s); break;
    case ACT_RUN_FIX: case ACT_OTHER_CAUSE: case ACT_MEND:
        if (s->in.hooks)
            return next(app, s);
        if (action == ACT_MEND) {
            mend(app, s);
            break;
        }
        if (action == ACT_OTHER_CAUSE)
            return other_cause(app, s);
        run_live(app, s);
        break;
    case ACT_UP: case ACT_DOWN: case ACT_PAGE_UP: case ACT_PAGE_DOWN:
    case ACT_FIRST: case ACT_LAST: scroll(app, s, action); break;
    case ACT_DIGIT:
        if (arg < 1 || arg > DEBRIEF_PAGE_COUNT)
            return DO_NOTHING;
        show_page(s, arg - 1);
        break;
    default: return DO_NOTHING;
    }
    return DO_REDRAW;
}

/* ---- living and leaving ---- */

static int event(struct app *app, void *self, const struct client_event *e)
{
    struct debrief_screen *s = self;
    if (!s->live)
        return DO_NOTHING;
    supply_event(s->live, e);
    take_live(app, s);
    return DO_REDRAW;
}

static int tick(struct app *app, void *self, int64_t now_ms)
{
    struct debrief_screen *s = self;
    struct err err = { 0 };
    if (attempt_tick(s->attempt, now_ms, &err) < 0)
        app_say(app, "not saved yet: %.*s", (int)strcspn(err.text, "\n"), err.text);
    if (s->text_columns != columns_wanted(app))
        fit_book(app, s);
    take_live(app, s);
    return DO_REDRAW;
}

static int due_ms(const struct app *app, const void *self, int64_t now_ms)
{
    const struct debrief_screen *s = self;
    if (s->text_columns != columns_wanted(app))
        return 0;
    return attempt_deadline_ms(s->attempt, now_ms);
}

static void shown(struct app *app, void *self)
{
    struct debrief_screen *s = self;
    (void)app;
    hook_say_news(&s->in);
}

static void leave(struct app *app, void *self)
{
    struct debrief_screen *s = self;
    live_end(s);
    if (!s->in.hooks) {
        investigation_flush(app, s->attempt);
        attempt_free(s->attempt);
    }
    hook_close(&s->in);
    diff_free(&s->diff);
    notebook_free(&s->book);
    prose_free(s->why);
    free(s->why);
    for (int k = 0; k < DEBRIEF_SOURCES; k++)
        free(s->text[k]);
    free(s->told);
    free(s);
}

const struct screen_ops debrief_screen = {
    .name = "debrief",
    .find = &debrief_find,
    .keys = debrief_keys,
    .draw = debrief_draw,
    .act = act,
    .event = event,
    .tick = tick,
    .due_ms = due_ms,
    .leave = leave,
    .shown = shown,
};
