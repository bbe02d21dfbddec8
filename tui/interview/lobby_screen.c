/* What the candidate sees while nothing of the interview is on the screen: before the start,
 * between parts, until the next drill, on pause, at the end. */
#include "tui/app/guest.h"
#include "tui/interview/candidate_screens.h"

#include <stdio.h>
#include <string.h>

/* ---- the parts ---- */

enum { TITLE_LEAST = 24 /* columns of a part's title that what came of it leaves */ };

static const char *progress(const struct session *s, int part)
{
    bool now = part == s->part && (s->phase == SESSION_RUNNING || s->phase == SESSION_ON_PAUSE);
    return now                        ? "now"
           : s->parts[part].begun     ? "done"
           : s->phase == SESSION_OVER ? "left out"
                                      : "to come";
}

/* A score exists where the truth was shown, and is theirs to see when it need not wait for the
 * interviewer. */
static void scenario_outcome(char *out, size_t size, struct app *app, int part)
{
    const struct session *s = candidate_session(app);
    const struct attempt *a =
        s->parts[part].begun ? interview_attempt_of(app_live(app), part, NULL) : NULL;
    const struct debrief *d = a ? attempt_debrief(a) : NULL;
    bool now = strcmp(progress(s, part), "now") == 0;
    if (!a || !session_scores_open(s, true))
        return;
    if (d)
        score_says(out, size, &d->score);
    else if (!now)
        snprintf(out, size, "no score: its truth was not shown");
}

/* What there is to say of a part that is over: of drills how many were answered; their worth, and a
 * scenario's, once that may be seen. */
static void outcome(char *out, size_t size, struct app *app, int part)
{
    const struct session *s = candidate_session(app);
    const struct session_state *p = &s->parts[part];
    int answered = 0;
    double points = 0;
    for (int k = 0; k < p->n_drills; k++)
        if (p->drills[k].answered)
            answered++, points += p->drills[k].points;
    out[0] = '\0';
    if (s->plan.parts[part].kind == PART_SCENARIO)
        scenario_outcome(out, size, app, part);
    else if (answered && session_scores_open(s, true))
        snprintf(out, size, "%d answered, %.2f of %d points", answered, points, answered);
    else if (answered)
        snprintf(out, size, "%d answered, noted", answered);
}

static void part_draw(struct app *app, int part, int y, struct rect r)
{
    const struct session *s = candidate_session(app);
    const struct session_part *p = &s->plan.parts[part];
    const char *where = progress(s, part);
    bool now = strcmp(where, "now") == 0;
    enum style style = now ? STYLE_BOLD : s->parts[part].begun ? STYLE_DIM : STYLE_PLAIN;
    char text[64];
    draw_text(y, r.x + 1, 1, STYLE_ACCENT, now ? glyph("▸", ">") : " ");
    draw_textf(y, r.x + 3, 3, style, "%2d", part + 1);
    outcome(text, sizeof text, app, part);
    if (p->kind == PART_SCENARIO && draw_columns(text) > r.w - 7 - 19 - TITLE_LEAST)
        text[strcspn(text, ",")] = '\0';    /* of what was reached: the debrief says it */
    int beside = text[0] ? draw_columns(text) + 3 : 0;
    draw_text(y, r.x + 7, r.w - 7 - 19 - beside, style, p->title);
    draw_right(y, r.x + r.w - 20, beside, STYLE_DIM, text);
    draw_text(y, r.x + r.w - 18, 8, style, where);
    draw_textf(y, r.x + r.w - 9, 8, style, "%3d min", p->minutes);
}

/* ---- the words ---- */

static const char *word(const struct session *s)
{
    switch (s->phase) {
    case SESSION_WAITING: return "The interviewer begins. Nothing is to be done until then.";
    case SESSION_ON_PAUSE: return "On pause: the clock stands still. The interviewer goes on.";
    case SESSION_BETWEEN: return "This part is over. The interviewer begins the next.";
    case SESSION_OVER: return "The interview is over. Thank you. q leaves.";
    default:
        return s->plan.parts[s->part].kind == PART_DRILLS
                   ? "The interviewer asks the next question."
                   : "The interviewer has the word.";
    }
}

static void draw(struct app *app, const void *self)
{
    const struct session *s = candidate_session(app);
    struct rect r = candidate_frame(app, s->plan.title, "? help   q leave");
    char whose[160];
    int y = r.y + 1;
    (void)self;
    snprintf(whose, sizeof whose, "%s%s%slevel %d   %d minutes",
             s->plan.candidate[0] ? "interview of " : "", s->plan.candidate,
             s->plan.candidate[0] ? "   " : "", s->plan.level, session_plan_minutes(&s->plan));
    draw_text(y, r.x + 2, r.w - 4, STYLE_PLAIN, whose);
    y += 2;
    draw_rule(y++, 0, r.w, "PARTS", NULL);
    for (int k = 0; k < s->plan.n_parts && y < r.y + r.h - 2; k++)
        part_draw(app, k, y++, r);
    y++;
    y += draw_wrapped((struct rect){ y, r.x + 2, 2, r.w - 4 }, 0, STYLE_BOLD, word(s)) + 1;
    if (s->released && s->part >= 0)
        y += draw_wrapped((struct rect){y, r.x + 2, 2, r.w - 4}, 0, STYLE_GOOD,
                          "Your scores are released: they stand beside the parts.") +
             1;
    else if (s->phase == SESSION_OVER && s->plan.withhold)
        y += draw_wrapped((struct rect){y, r.x + 2, 1, r.w - 4}, 0, STYLE_DIM,
                          "The interviewer will release the score.") +
             1;
    if (y < r.y + r.h && (s->phase == SESSION_RUNNING || s->phase == SESSION_ON_PAUSE))
        candidate_lines_draw(app, (struct rect){ y, 0, r.y + r.h - y, r.w });
}

/* ---- living ---- */

static int act(struct app *app, void *self, enum action action, int arg)
{
    (void)self, (void)arg;
    if (candidate_session(app)->phase == SESSION_ON_PAUSE) {
        app_say(app, "On pause: no key does anything until the interviewer goes on.");
        return DO_REDRAW;
    }
    if (action != ACT_BACK && action != ACT_ENTER)
        return DO_NOTHING;
    app_say(app, "%s",
            candidate_session(app)->phase == SESSION_OVER ? "q leaves."
                                                          : "The interviewer goes on; q leaves.");
    return DO_REDRAW;
}

static void leave(struct app *app, void *self)
{
    (void)app, (void)self;
}

void lobby_open(struct app *guest)
{
    app_push(guest, &lobby_screen, guest);      /* all that it shows is the session's */
}

const struct screen_ops lobby_screen = {
    .name = "lobby",
    .keys = candidate_keys,
    .draw = draw,
    .act = act,
    .every_key = true,
    .tick = candidate_tick,
    .due_ms = candidate_due_ms,
    .leave = leave,
};
