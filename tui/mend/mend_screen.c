#include "tui/mend/mend_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/request.h"
#include "scenarios/library/trust.h"
#include "scenarios/mend/mend_hint.h"
#include "tui/app/app_data.h"
#include "tui/app/app_runner.h"
#include "tui/app/gpu.h"
#include "tui/app/trust_screen.h"

enum { LOOK_MS = 25 };
#define OWN_CODE "mend" /* in the list of what may run */

/* ---- judging ---- */

static bool has_gpu(struct app *app)
{
    return app_client(app) && client_alive(app_client(app)) && app_device(app);
}

static void say_no_gpu(struct mend_screen *s)
{
    const struct variant *v = s->v;
    snprintf(s->trouble, sizeof s->trouble,
             "There is no GPU here: whether it is right, and how fast it is, cannot be judged. g "
             "on the home screen connects one. What a compiler can tell: warpdrill %s %s --arch sm_90",
             v->task ? "write" : "mend", v->task ? v->story->full_id : v->full_id);
}

/* A runner without a GPU may have a compiler. */
static void compile(struct app *app, struct mend_screen *s, const char *text)
{
    struct err err = {0};
    char slug[64];
    app_recorded_gpu(app, slug);
    s->build = mend_build_new(s->v, slug, app_compiler(app), s->place.name, text, &s->tries,
                              &err);
    if (!s->build)
        snprintf(s->trouble, sizeof s->trouble, "%s", err.text);
}

static bool own_code_may_run(struct app *app, const struct mend_screen *s)
{
    return s->may_run || app_trust(app)->always || trust_has(OWN_CODE, s->place.trusted);
}

static void drop_judge(struct mend_screen *s)
{
    mend_judge_free(s->judge);
    mend_build_free(s->build);
    s->judge = NULL;
    s->build = NULL;
    s->unkept = false;
}

static void begin(struct app *app, struct mend_screen *s)
{
    struct err err = {0};
    char *text = NULL;
    *s->trouble = '\0';
    if (!has_gpu(app) && !app_compiler(app))
        say_no_gpu(s);
    else if (has_gpu(app) && request_needs(s->v->story, app_device(app), &err))
        snprintf(s->trouble, sizeof s->trouble, "%s", err.text);
    else if (mend_read(&text, &s->place, &err))
        snprintf(s->trouble, sizeof s->trouble, "%s%s", err.text,
                 s->tries.n ? ". Tab, then u, puts a try's text back." : "");
    else if (!has_gpu(app))
        compile(app, s, text);
    else
        s->judge = mend_judge_new(s->v, app_device(app), app_client(app), s->place.name, text,
                                  app_seed(app) >> 11);
    s->unkept = s->judge != NULL;
    mend_uid(s->uid);
    free(text);
}

static void pack_answered(struct app *app, void *ctx, bool yes)
{
    struct mend_screen *const *screen = ctx;
    struct mend_screen *s = *screen;
    (void)app;
    s->told = !yes;
    if (!yes)
        snprintf(s->trouble, sizeof s->trouble, "Nothing of this pack is run, so nothing is "
                                                "judged.");
}

static void drop_sanitizer(struct mend_screen *s)
{
    mend_sanitizer_free(s->sanitizer);
    s->sanitizer = NULL;
}

/* Of what was judged, so that it was trusted. */
static void sanitize(struct app *app, struct mend_screen *s)
{
    if (!s->judge || !has_gpu(app)) {
        app_say(app, "Nothing is judged here, so nothing can be run under compute-sanitizer.");
        return;
    }
    drop_sanitizer(s);
    s->sanitizer = mend_sanitizer_new(s->v, app_device(app), app_client(app), s->place.name,
                                      mend_judge_text(s->judge));
}

/* Trust first: of the pack, whose code runs beside it, then of one's own. */
static bool ask_trust(struct app *app, struct mend_screen *s)
{
    if (!has_gpu(app))
        return false;
    if (trust_state(app, s->v) != MAY_RUN) {
        struct mend_screen **ctx = mem_new(1, sizeof *ctx);
        *ctx = s;
        trust_open(app, s->v, pack_answered, ctx);
        return true;
    }
    s->asking = !own_code_may_run(app, s);
    return s->asking;
}

/* Is it over, and not in the store yet? */
static bool waits_for_store(const struct mend_screen *s)
{
    return s->judge && mend_judge_over(s->judge) && s->unkept;
}

/* A save takes a moment: it is judged once two looks see the same. */
static bool look(struct app *app, struct mend_screen *s)
{
    struct mend_stamp now = mend_stamp_of(&s->place);
    bool settled = s->looked && mend_stamp_same(now, s->seen);
    s->seen = now;
    s->looked = true;
    if (!settled || s->asking || s->view == MEND_TYPING || waits_for_store(s) ||
        gpu_state(app_gpu(app)) == GPU_LOOKING ||
        (s->told && mend_stamp_same(now, s->judged)))
        return false;
    if (s->judge && s->unkept && !mend_screen_keep(app, s)) /* called off by a new save */
        return false;
    s->judged = now;
    s->told = true;
    drop_judge(s);
    drop_sanitizer(s);
    s->n_moved = 0;
    if (!ask_trust(app, s))
        begin(app, s);
    return true;
}

static void answer(struct app *app, struct mend_screen *s, bool yes)
{
    struct err err = {0};
    s->asking = false;
    if (yes) {
        s->may_run = true;
        if (trust_keep(OWN_CODE, s->place.trusted, &err))
            mend_say_error(app, &err); /* a yes all the same */
        begin(app, s);
    } else {
        snprintf(s->trouble, sizeof s->trouble, "Nothing of yours is run, so nothing is judged. "
                                                "The next save asks again.");
    }
}

/* ---- hints ---- */

static void hint(struct app *app, struct mend_screen *s)
{
    struct err err = {0};
    int step = s->hint || !s->tries.hints ? s->tries.hints + 1 : s->tries.hints;
    int most = mend_hints(s->v);
    char *text = mend_hint(s->v, step > most ? most : step);
    if (!text) {
        app_say(app, "There are no more hints.");
        return;
    }
    free(s->hint);
    s->hint = text;
    if (step > s->tries.hints && step <= most) {
        if (app_store(app) && mend_keep_hint(app_store(app), s->v->full_id, step, &err))
            mend_say_error(app, &err);
        s->tries.hints = step;
    }
}

/* ---- keys ---- */

static void move(struct mend_screen *s, int by)
{
    int *at = s->view == MEND_DIFF ? &s->scroll : &s->row;
    int most = s->view == MEND_DIFF    ? s->diff.n - 1
               : s->view == MEND_TRIES ? s->tries.n - 1
                                       : s->n_moved - 1;
    *at += by;
    *at = *at > most ? most : *at;
    *at = *at < 0 ? 0 : *at;
}

static void turn(struct mend_screen *s)
{
    s->view = s->view == MEND_VERDICT ? MEND_TRIES : MEND_VERDICT;
    s->row = s->view == MEND_TRIES && s->tries.n ? s->tries.n - 1 : 0;
    s->explaining = false;
}

static int back(struct app *app, struct mend_screen *s)
{
    if (s->asking)
        answer(app, s, false);
    else if (s->view == MEND_DIFF)
        s->view = MEND_TRIES;
    else if (s->view == MEND_TRIES)
        turn(s);
    else
        return DO_POP;
    return DO_REDRAW;
}

static void explain(struct app *app, struct mend_screen *s)
{
    s->explaining = s->n_moved && !s->explaining;
    if (!s->n_moved)
        app_say(app, "No figure has moved yet: a GPU tells them, from the second try on.");
}

static int act(struct app *app, void *self, enum action action, int arg)
{
    struct mend_screen *s = self;
    enum { PAGE = 10 };
    (void)arg;
    switch (action) {
    case ACT_BACK: return back(app, s);
    case ACT_YES: case ACT_NO: answer(app, s, action == ACT_YES); break;
    case ACT_ENTER: mend_edit_outside(app, s); break;
    case ACT_WHOLE: mend_type_here(app, s); break;
    case ACT_HINT: hint(app, s); break;
    case ACT_SANITIZE: sanitize(app, s); break;
    case ACT_EXPLAIN: explain(app, s); break;
    case ACT_TAB: turn(s); break;
    case ACT_UNDO: mend_go_back_to(app, s); break;
    case ACT_LINES: mend_show_diff(app, s); break;
    case ACT_ADD: mend_mark(s); break;
    case ACT_UP: move(s, -1); break;
    case ACT_DOWN: move(s, 1); break;
    case ACT_PAGE_UP: move(s, -PAGE); break;
    case ACT_PAGE_DOWN: move(s, PAGE); break;
    default: return DO_NOTHING;
    }
    return DO_REDRAW;
}

/* ---- living and leaving ---- */

static int event(struct app *app, void *self, const struct client_event *e)
{
    struct mend_screen *s = self;
    if (mend_sanitizer_event(s->sanitizer, e) || mend_build_event(s->build, e))
        return DO_REDRAW;
    if (!s->judge || !mend_judge_event(s->judge, e))
        return DO_NOTHING;
    if (waits_for_store(s))
        mend_screen_keep(app, s);
    return DO_REDRAW;
}

static int tick(struct app *app, void *self, int64_t now_ms)
{
    struct mend_screen *s = self;
    if (now_ms < s->look_ms)
        return DO_NOTHING;
    if (s->draft_ms && now_ms >= s->draft_ms)
        mend_write_draft(app, s);
    s->look_ms = now_ms + LOOK_MS;
    if (waits_for_store(s) && now_ms >= s->keep_ms)
        mend_screen_keep(app, s);
    return look(app, s) ? DO_REDRAW : DO_NOTHING;
}

static int due_ms(const struct app *app, const void *self, int64_t now_ms)
{
    const struct mend_screen *s = self;
    (void)app;
    return s->look_ms > now_ms ? (int)(s->look_ms - now_ms) : 0;
}

static int enter(struct app *app, void *self, struct err *err)
{
    struct mend_screen *s = self;
    bool made = false;
    char *text = mend_contract(s->v, app_device(app), s->place.name);
    int rc = mend_lay(&s->place, text, &made, err);
    free(text);
    mend_tries_load(app, s);
    return rc;
}

static void leave(struct app *app, void *self)
{
    struct mend_screen *s = self;
    (void)app;
    if (s->view == MEND_TYPING) { /* the program ends: what was typed waits */
        mend_write_draft(app, s);
        app_text_input(app, false);
        editor_free(&s->editor);
    }
    mend_keep_known(app, s);
    drop_judge(s);
    drop_sanitizer(s);
    mend_drop_diff(s);
    mend_tries_free(&s->tries);
    mend_place_free(&s->place);
    mend_place_free(&s->draft);
    free(s->hint);
    free(s);
}

static const struct screen_ops mend_screen = {
    .name = "mend",
    .enter = enter,
    .keys = mend_keys,
    .draw = mend_draw,
    .act = act,
    .text = mend_typed,
    .event = event,
    .tick = tick,
    .due_ms = due_ms,
    .leave = leave,
};

const char *mend_useless(const struct variant *v)
{
    if (mend_cannot(v))
        return mend_cannot(v);
    return v->fix_file || v->best_file
               ? NULL
               : "Nothing was wrong with it, and it has no best to race against.";
}

void mend_open(struct app *app, const struct variant *v)
{
    struct mend_screen *s = mem_new(1, sizeof *s);
    struct err err = {0};
    *s = (struct mend_screen){.v = v};
    if (mend_place_find(&s->place, v, NULL, &err)) {
        mend_say_error(app, &err);
        mend_place_free(&s->place);
        free(s);
        return;
    }
    s->draft.folder = text_dup(s->place.folder);
    s->draft.name = text_format("%s.draft", s->place.name);
    s->draft.file = text_format("%s.draft", s->place.file);
    app_push(app, &mend_screen, s);
}
