/* One drill of an interview: the question, a clock that counts up, a field. What the answer was
 * worth goes to the interviewer; here it is noted. */
#include "scenarios/interview/interview_says.h"
#include "tui/app/guest.h"
#include "tui/interview/candidate_screens.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drills/question/answer.h"
#include "kernels/wire/text.h"
#include "tui/interview/candidate_drill.h"
#include "tui/kit/textfield.h"
#include "tui/practice/drills_screen.h"
#include "tui/practice/practice_keys.h"

struct interview_drill {
    char drill[96];
    uint64_t seed;
    int64_t asked_ms;
    struct live_numbers numbers;
    struct textfield field;
    bool empty;                          /* Enter was pressed once on an empty line */
    bool guessing; /* and once on a number without its unit: it was said what it is taken for */
    int64_t spent_ms,
        since_ms; /* of its clock, without pauses, up to a moment of the loop's clock */
};

/* ---- drawing ---- */

static int seconds_of(const struct interview_drill *d) { return (int)(d->spent_ms / 1000); }

static void keys_of(char *out, size_t size, const struct interview_drill *d)
{
    int choices = d->numbers.instance->drill->n_choices;
    if (choices)
        snprintf(out, size, "1-%d choose   Enter twice: skip", choices);
    else
        snprintf(out, size, "Enter answers; on an empty line, twice, it skips   Ctrl-U clears");
}

static int choices_draw(const struct drill_instance *i, int y, struct rect r)
{
    for (int k = 0; k < i->drill->n_choices && y < r.y + r.h; k++) {
        draw_textf(y, r.x + 3, 2, STYLE_BOLD, "%d", k + 1);
        y += draw_wrapped((struct rect){y, r.x + 6, r.y + r.h - y, r.w - 8}, 0, STYLE_PLAIN,
                          i->choices[k]);
    }
    return y;
}

static void draw(struct app *app, const void *self)
{
    const struct interview_drill *d = self;
    const struct drill_instance *i = d->numbers.instance;
    char given[512], keys[96];
    keys_of(keys, sizeof keys, d);
    struct rect r = candidate_frame(app, i->drill->title, keys);
    int y = r.y + 1;
    drills_given(given, sizeof given, i, false);
    y += draw_wrapped((struct rect){ y, r.x + 2, r.h - 1, r.w - 4 }, 0, STYLE_BOLD, i->ask) + 1;
    if (given[0])
        y += draw_wrapped((struct rect){y, r.x + 2, r.y + r.h - y, r.w - 4}, 0, STYLE_DIM, given) +
             1;
    y = choices_draw(i, y, r);
    if (i->drill->n_choices == 0) {
        const char *unit = i->drill->unit;
        int x = r.x + 2 + draw_text(y, r.x + 2, 12, STYLE_DIM, "your answer:") + 1;
        draw_right(y, r.w - 1, 16, STYLE_DIM,
                   strcmp(unit, "1") == 0 || !unit[0] ? "a plain number" : unit);
        textfield_draw(&d->field, y, x, r.w - x - 18, STYLE_ACCENT);
    }
    y += 2;
    if (y < r.y + r.h)
        draw_textf(y++, r.x + 2, r.w - 4, seconds_of(d) > i->drill->seconds ? STYLE_BAD : STYLE_DIM,
                   "%d s of %d s", seconds_of(d), i->drill->seconds);
    if (y + 1 < r.y + r.h)
        candidate_lines_draw(app, (struct rect){ y + 1, 0, r.y + r.h - y - 1, r.w });
}

/* ---- answering ---- */

static const char *how_name(enum drill_how how)
{
    static const char *const names[] = {[DRILL_SKIPPED] = "skipped",
                                        [DRILL_UNREADABLE] = "unreadable",
                                        [DRILL_WRONG_UNIT] = "wrong unit",
                                        [DRILL_RIGHT] = "right",
                                        [DRILL_CLOSE] = "close",
                                        [DRILL_SLIP] = "slip",
                                        [DRILL_WRONG] = "wrong"};
    return names[how];
}

static void keep_time(struct interview_drill *d, const struct app *app, int64_t now_ms)
{
    if (candidate_session(app)->phase == SESSION_RUNNING)
        d->spent_ms += now_ms - d->since_ms;
    d->since_ms = now_ms;
}

/* A choice by its words too, for whoever reads it without the choices: "2, bank conflicts". */
static void said_words(char *out, size_t size, const struct drill_instance *i, const char *text)
{
    int choice = atoi(text);
    bool known = choice >= 1 && choice <= i->drill->n_choices;
    snprintf(out, size, known ? "%s, %s" : "%s", text, known ? i->choices[choice - 1] : "");
}

/* What cannot be read, or has another unit, goes back into the field: that says nothing about
 * whether it is right. */
static int answer(struct app *app, struct interview_drill *d, const char *text)
{
    struct drill_graded g;
    struct err err = { 0 };
    char said[SESSION_TEXT];
    keep_time(d, app, app_now(app));
    int rc = live_numbers_reveal(&d->numbers, &err);
    if (rc == 0) {
        drill_grade(&g, d->numbers.instance, text, false, (double)d->spent_ms / 1000);
        if (g.how == DRILL_UNREADABLE || g.how == DRILL_WRONG_UNIT) {
            practice_say_again(app, g.say);
            return DO_REDRAW;
        }
        if (*g.taken && !d->guessing) {
            d->guessing = true;
            app_say(app, "Enter again takes it as %s; or write its unit.", g.taken);
            return DO_REDRAW;
        }
        said_words(said, sizeof said, d->numbers.instance, text);
        rc = interview_answer(app_live(app), said, seconds_of(d), how_name(g.how), g.points, g.say,
                              &err);
    }
    if (rc != 0) {
        app_say(app, "Not kept: %.*s", (int)strcspn(err.text, "\n"), err.text);
        return DO_REDRAW;
    }
    app_say(app, "Noted.");
    return DO_POP | DO_REDRAW;
}

/* Skips at the second time. */
static int skip(struct app *app, struct interview_drill *d)
{
    if (d->empty)
        return answer(app, d, "");
    d->empty = true;
    app_say(app, "Enter again skips it: skipping is not lying.");
    return DO_REDRAW;
}

static int stay(struct app *app)
{
    app_say(app, "The question stays until it is answered or skipped.");
    return DO_REDRAW;
}

static int typed(struct app *app, void *self, int key)
{
    struct interview_drill *d = self;
    enum textfield_result r = textfield_key(&d->field, key);
    d->empty = d->empty && r != TEXTFIELD_CHANGED;
    d->guessing = d->guessing && r != TEXTFIELD_CHANGED;
    if (r == TEXTFIELD_CANCELLED)
        return stay(app);
    if (r != TEXTFIELD_DONE)
        return DO_REDRAW;
    textfield_trim(&d->field);
    const char *text = textfield_text(&d->field);
    return text[0] ? answer(app, d, text) : skip(app, d);
}

static int act(struct app *app, void *self, enum action action, int arg)
{
    struct interview_drill *d = self;
    char text[16];
    if (action == ACT_ENTER)
        return skip(app, d);
    if (action == ACT_BACK)
        return stay(app);
    if (action != ACT_DIGIT || arg < 1 || arg > d->numbers.instance->drill->n_choices)
        return DO_NOTHING;
    snprintf(text, sizeof text, "%d", arg);
    return answer(app, d, text);
}

/* ---- living ---- */

static int enter(struct app *app, void *self, struct err *err)
{
    struct interview_drill *d = self;
    (void)err;
    app_text_input(app, d->numbers.instance->drill->n_choices == 0);
    return 0;
}

static int tick(struct app *app, void *self, int64_t now_ms)
{
    keep_time(self, app, now_ms);
    return DO_REDRAW;
}

static int due_ms(const struct app *app, const void *self, int64_t now_ms)
{
    const struct interview_drill *d = self;
    int64_t spent = d->spent_ms + now_ms - d->since_ms;
    return candidate_session(app)->phase == SESSION_RUNNING
               ? (int)(1000 - (spent > 0 ? spent : 0) % 1000)
               : -1;
}

static void drill_free(struct interview_drill *d)
{
    live_numbers_free(&d->numbers);
    free(d);
}

static void leave(struct app *app, void *self)
{
    app_text_input(app, false);
    drill_free(self);
}

int candidate_drill_open(struct app *guest, const struct session_drill *drill, struct err *err)
{
    struct interview_drill *d = mem_new(1, sizeof *d);
    int64_t since = interview_now(app_live(guest)) - drill->asked_ms;
    d->seed = drill->seed;
    d->asked_ms = drill->asked_ms;
    d->spent_ms = since > 0 ? since : 0;
    d->since_ms = app_now(guest);
    snprintf(d->drill, sizeof d->drill, "%s", drill->drill);
    textfield_init(&d->field, "");
    int rc = live_numbers_make(&d->numbers, guest, drill, err);
    if (rc == 0)
        app_push(guest, &candidate_drill_screen, d);
    else
        drill_free(d);
    return rc;
}

bool candidate_drill_is(const void *self, const struct session_drill *drill)
{
    const struct interview_drill *d = self;
    return d->seed == drill->seed && d->asked_ms == drill->asked_ms &&
           strcmp(d->drill, drill->drill) == 0;
}

static const struct key_list *keys_here(struct app *app, const void *self)
{
    (void)app, (void)self;
    return &practice_choice_keys;
}

const struct screen_ops candidate_drill_screen = {
    .name = "drill of an interview",
    .keys = keys_here,
    .enter = enter,
    .draw = draw,
    .act = act,
    .text = typed,
    .tick = tick,
    .due_ms = due_ms,
    .leave = leave,
};
