#include "tui/practice/drills_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "tui/app/app_data.h"
#include "tui/app/help.h"
#include "tui/practice/practice.h"
#include "tui/practice/practice_sitting.h"

#define PREFIX "drill:"
#define TOPIC "topic:"

/* ---- asking ---- */

static void end(struct app *app, struct drills *d)
{
    drill_instance_free(d->instance);
    d->instance = NULL;
    d->stage = DRILLS_END;
    d->top = 0;
    app_text_input(app, false);
}

/* Opens the question; `typed` stands in its field, `before` seconds are on the clock. */
static bool ask(struct app *app, struct drills *d, const char *id, uint64_t seed, const char *typed,
                double before)
{
    const struct drill *drill = library_drill(app_library(app), id);
    struct drill_instance *made = NULL;
    struct err err = {0};
    const struct msg_device *device = NULL;
    int rc = drill ? drills_place(app, d, drill, &device, &seed, &err)
                   : err_set(&err, ERR_MISSING, "there is no drill '%s'", id);
    if (rc == 0)
        rc = drill_instance_make(&made, drill, seed, device, &err);
    if (rc != 0) {
        app_say(app, "%s", err.text);
        return false;
    }
    drill_instance_free(d->instance);
    d->instance = made;
    snprintf(d->item, sizeof d->item, PREFIX "%.121s", drill->full_id);
    d->stage = DRILLS_ASKED;
    d->hint = d->empty = d->guessing = false;
    d->top = 0;
    d->began_ms = app_now(app) - (int64_t)(before * 1000);
    textfield_init(&d->field, drill->n_choices == 0
                                  ? typed
                                  : ""); /* several answers: the digit alone is one */
    app_text_input(app, drill->n_choices == 0);
    return true;
}

/* False: it cannot be asked here, which is said. */
static bool ask_item(struct app *app, struct drills *d, const struct queue_item *item,
                     const struct queue_entry *e)
{
    char id[128];
    snprintf(id, sizeof id, "%s", item->id + strlen(PREFIX));
    sitting_why(&d->sitting, e, d->why, sizeof d->why);
    d->counted = true;
    return ask(app, d, id, app_seed(app), "", 0);
}

static void next(struct app *app, struct drills *d)
{
    const struct queue_entry *e = NULL;
    app_find_end(app);
    practice_look(app, &d->sitting);
    const struct queue_item *item;
    while (!*d->only && (item = sitting_next(&d->sitting, &e))) {
        if (ask_item(app, d, item, e))
            return;
        sitting_skip(&d->sitting, item->id);
    }
    end(app, d);
}

/* ---- answering ---- */

static void keep(struct app *app, struct drills *d, const char *typed)
{
    const struct drill *drill = d->instance->drill;
    struct sitting_answer a = {.typed = (char *)(uintptr_t)typed,
                               .how = d->graded.how,
                               .points = d->graded.points,
                               .log_error = d->graded.log_error,
                               .factor = drill->n_choices == 0 && d->instance->answer > 0 &&
                                         d->graded.value > 0,
                               .seconds = d->seconds,
                               .allowed = drill->seconds,
                               .hint = d->hint,
                               .seed = d->instance->seed};
    struct review r;
    snprintf(a.item, sizeof a.item, "%s", d->item);
    snprintf(a.title, sizeof a.title, "%s", drill->title);
    snprintf(a.slip, sizeof a.slip, "%s", d->graded.slip);
    review_of_drill(&r, d->instance, &d->graded, typed, d->hint, d->seconds);
    if (d->counted)
        practice_answer(app, &d->sitting, &a, &r);
    else
        sitting_answer_uncounted(&d->sitting, &a);
}

static void solve(struct app *app, struct drills *d)
{
    drill_grade(&d->graded, d->instance, d->predicted, d->hint, d->seconds);
    d->stage = DRILLS_SOLVED;
    d->top = 0;
    keep(app, d, d->predicted);
}

/* Back to the question: nothing is counted that could not be measured. */
static void ask_again(struct app *app, struct drills *d, const char *why)
{
    d->stage = DRILLS_ASKED;
    d->began_ms = app_now(app) - (int64_t)(d->seconds * 1000);
    app_text_input(app, true);
    app_say(app, "Not counted. %s", why);
}

/* What cannot be read, or has another unit, goes back into the field and costs nothing. */
static int grade(struct app *app, struct drills *d, const char *typed)
{
    struct err err = {0};
    d->seconds = drills_seconds(d, app_now(app));
    drill_grade(&d->graded, d->instance, typed, d->hint, d->seconds);
    if (d->graded.how == DRILL_UNREADABLE || d->graded.how == DRILL_WRONG_UNIT) {
        practice_say_again(app, d->graded.say);
        return DO_REDRAW;
    }
    if (*d->graded.taken && !d->guessing) {
        d->guessing = true;
        app_say(app, "Enter again takes it as %s; or write its unit.", d->graded.taken);
        return DO_REDRAW;
    }
    snprintf(d->predicted, sizeof d->predicted, "%s", typed);
    app_text_input(app, false);
    d->stage = DRILLS_MEASURING;
    int rc = d->instance->drill->trial ? drills_measure(app, d, &err) : 1;
    if (rc > 0)
        solve(app, d);
    else if (rc < 0)
        ask_again(app, d, err.text);
    return DO_REDRAW;
}

static int heard(struct app *app, void *self, const struct client_event *e)
{
    struct drills *d = self;
    struct err err = {0};
    if (!d->supply)
        return DO_NOTHING;
    int rc = drills_hear(d, e, &err);
    if (rc > 0)
        solve(app, d);
    else if (rc < 0)
        ask_again(app, d, err.text);
    return DO_REDRAW;
}

static int enter(struct app *app, struct drills *d)
{
    char typed[TEXTFIELD_BYTES];
    snprintf(typed, sizeof typed, "%s", textfield_text(&d->field));
    bool blank = typed[strspn(typed, " ")] == '\0';
    if (blank && !d->empty) {
        d->empty = true;
        app_say(app, "Enter again skips it: skipping is not lying.");
        return DO_REDRAW;
    }
    return grade(app, d, blank ? "" : typed);
}

static int choose(struct app *app, struct drills *d, int digit)
{
    char typed[16];
    if (digit < 1 || digit > d->instance->drill->n_choices)
        return DO_NOTHING;
    snprintf(typed, sizeof typed, "%d", digit);
    return grade(app, d, typed);
}

/* ---- other keys ---- */

/* Of several answers the one given before is in no field. */
static void say_taken_back(struct app *app, const struct drills *d, const struct sitting_answer *a)
{
    bool chosen = d->instance->drill->n_choices && *a->typed;
    const char *was = chosen ? a->typed : "", *which = chosen ? ", which was " : "";
    if (a->counted)
        app_say(app, "Taken back%s%s. The solution was seen, so the grade gets no better.",
                which, was);
    else
        app_say(app, "Asked again%s%s.", which, was);
}

/* A question beside the count has nothing to take back yet: it is left, and the next one comes. */
static int undo(struct app *app, struct drills *d)
{
    struct sitting_answer a;
    if (d->stage == DRILLS_ASKED && !d->counted) {
        next(app, d);
        app_say(app, "Left the extra question; memory is as it was.");
        return DO_REDRAW;
    }
    if (!practice_undo(app, &d->sitting, &a))
        return DO_REDRAW;
    practice_look(app, &d->sitting);
    d->why[0] = '\0';
    d->counted = a.counted;
    if (ask(app, d, a.item + strlen(PREFIX), a.seed, a.typed, a.seconds)) {
        d->hint = a.hint;
        say_taken_back(app, d, &a);
    }
    free(a.typed);
    return DO_REDRAW;
}

static int again(struct app *app, struct drills *d)
{
    char id[128];
    snprintf(id, sizeof id, "%s", d->item + strlen(PREFIX));
    snprintf(d->why, sizeof d->why, "the same with other numbers: not counted");
    d->counted = false;
    ask(app, d, id, app_seed(app), "", 0);
    return DO_REDRAW;
}

static int more(struct app *app, struct drills *d)
{
    d->only[0] = '\0';
    practice_look(app, &d->sitting);
    const struct queue_item *item = sitting_more(&d->sitting);
    if (!item)
        app_say(app, "There is nothing more to ask.");
    else if (!ask_item(app, d, item, NULL))
        end(app, d);
    return DO_REDRAW;
}

static int scroll(struct app *app, struct drills *d, enum action action)
{
    struct practice_frame f;
    practice_frame(&f, app);
    d->top = practice_scroll(d->top + practice_step(action, f.frame.body.h), drills_lines(app, d),
                             f.frame.body.h);
    return DO_REDRAW;
}

static int act_asked(struct app *app, struct drills *d, enum action action, int arg)
{
    switch (action) {
    case ACT_ENTER: return enter(app, d);
    case ACT_DIGIT: return choose(app, d, arg);
    case ACT_HINT: d->hint = true; return DO_REDRAW;
    default: return DO_NOTHING;
    }
}

static int act(struct app *app, void *self, enum action action, int arg)
{
    struct drills *d = self;
    d->empty = d->empty && action == ACT_ENTER;
    if (d->stage == DRILLS_MEASURING) {
        if (action != ACT_BACK)
            return DO_NOTHING;
        supply_cancel(d->supply);
        drills_measure_end(d);
        ask_again(app, d, "The measurement was cancelled.");
        return DO_REDRAW;
    }
    if (action == ACT_BACK)
        return DO_POP;
    if (action == ACT_UNDO)
        return undo(app, d);
    if (action >= ACT_UP && action <= ACT_PAGE_DOWN)
        return scroll(app, d, action);
    if (d->stage == DRILLS_ASKED)
        return act_asked(app, d, action, arg);
    if (d->stage == DRILLS_END)
        return action == ACT_ENTER ? DO_POP : action == ACT_NEXT ? more(app, d) : DO_NOTHING;
    if (action == ACT_ENTER)
        next(app, d);
    else if (action == ACT_AGAIN)
        return again(app, d);
    return DO_REDRAW;
}

/* Answers begin with a digit, so that on an empty line letters act as everywhere else. */
static int typed(struct app *app, void *self, int key)
{
    struct drills *d = self;
    bool empty = textfield_text(&d->field)[0] == '\0' && !d->field.pasting;
    enum action action = action_of_key(drills_keys(app, d), key, NULL);
    if (action == ACT_UP || action == ACT_DOWN || action == ACT_PAGE_UP ||
        action == ACT_PAGE_DOWN ||
        (action == ACT_HINT && (empty || (key == KEY_TABULATOR && !d->field.pasting))))
        return act(app, d, action, 0);
    if (empty && action == ACT_QUIT)
        return DO_QUIT;
    if (empty && action == ACT_HELP)
        help_open(app, drills_keys(app, d));
    else if (empty && action == ACT_UNDO)
        return undo(app, d);
    else
        switch (textfield_key(&d->field, key)) {
        case TEXTFIELD_DONE: return enter(app, d);
        case TEXTFIELD_CANCELLED: return DO_POP;
        case TEXTFIELD_CHANGED: d->empty = d->guessing = false; break;
        case TEXTFIELD_IGNORED: break;
        }
    return DO_REDRAW;
}

/* ---- time ---- */

static int due_ms(const struct app *app, const void *self, int64_t now_ms)
{
    const struct drills *d = self;
    (void)app;
    int wait = sitting_due_ms(&d->sitting);
    if (d->stage != DRILLS_ASKED || !d->instance)
        return wait;
    int second = 1000 - (int)((now_ms - d->began_ms) % 1000);
    return wait >= 0 && wait < second ? wait : second;
}

static int tick(struct app *app, void *self, int64_t now_ms)
{
    struct drills *d = self;
    practice_retry(app, &d->sitting);
    int64_t second = (int64_t)drills_seconds(d, now_ms);
    bool moved = d->stage == DRILLS_ASKED && second != d->drawn_s;
    d->drawn_s = second;
    return moved ? DO_REDRAW : DO_NOTHING;
}

/* ---- coming and going ---- */

void drills_begin(struct app *app, const char *id)
{
    struct drills *d = mem_new(1, sizeof *d);
    bool topic = id && !strncmp(id, TOPIC, strlen(TOPIC));
    snprintf(d->only, sizeof d->only, "%s", id && !topic ? id : "");
    snprintf(d->topic, sizeof d->topic, "%s", topic ? id + strlen(TOPIC) : "");
    app_push(app, &drills_screen, d);
}

static int opened(struct app *app, void *self, struct err *err)
{
    struct drills *d = self;
    (void)err;
    practice_open(app, &d->sitting, 1u << QUEUE_DRILL, d->topic);
    d->counted = true;
    if (!*d->only)
        next(app, d);
    else if (!ask(app, d, d->only, app_seed(app), "", 0))
        end(app, d);
    if (!app_store(app))
        app_say(app, "Progress cannot be kept: this is practice alone.");
    return 0;
}

static void leave(struct app *app, void *self)
{
    struct drills *d = self;
    practice_close(app, &d->sitting);
    drills_measure_end(d);
    recording_free(d->recording);
    drill_instance_free(d->instance);
    free(d);
}

const struct screen_ops drills_screen = {
    .name = "drills",
    .find = &drills_find,
    .keys = drills_keys,
    .enter = opened,
    .draw = drills_draw,
    .act = act,
    .text = typed,
    .event = heard,
    .tick = tick,
    .due_ms = due_ms,
    .leave = leave,
};
