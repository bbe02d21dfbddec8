/* The console's time: minutes of parts, and quiet time, in which nobody looks at the candidate's
 * screen. */
#include "tui/interview/console_clock.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/interview/interview_verbs.h"
#include "tui/interview/console_text.h"
#include "tui/interview/plan_parts.h"

int console_minutes(struct console *c, int part, int minutes, struct err *err)
{
    const struct session *s = interview_session(c->live);
    if (minutes < 1)
        return err_set(err, ERR_BAD_REQUEST,
                       "Part %d lasts %d min: that is too little to take so much away.", part + 1,
                       s->plan.parts[part].minutes);
    int rc = interview_minutes(c->live, part, minutes, err);
    if (rc == 0)
        app_say(c->app, "Part %d lasts %d min now; all of it %d.", part + 1, minutes,
                session_plan_minutes(&s->plan));
    return rc;
}

int console_minutes_step(struct console *c, int part, int by, struct err *err)
{
    struct session_plan plan = interview_session(c->live)->plan;
    if (!plan_minutes_step(&plan, part, by))
        return err_set(err, ERR_BAD_REQUEST, "A part lasts 1 to 180 min.");
    return console_minutes(c, part, plan.parts[part].minutes, err);
}

/* ---- quiet time ---- */

static int64_t quiet_left_ms(const struct console *c)
{
    int64_t left = interview_session(c->live)->quiet_until_ms - interview_now(c->live);
    return left > 0 ? left : 0;
}

bool console_hides_theirs(const struct console *c)
{
    return quiet_left_ms(c) > 0 && (c->mode != CONSOLE_SCRIBE || c->scribe_of[0]);
}

void console_quiet_draw(const struct console *c, struct rect r, bool observer)
{
    char left[16];
    int y = r.y + r.h / 2 - 2;
    console_clock(left, sizeof left, quiet_left_ms(c) + 999);
    for (int k = 0; k < r.h; k++)
        draw_textf(r.y + k, r.x, r.w, STYLE_PLAIN, "%*s", r.w, "");
    draw_textf(y, r.x + 2, r.w - 4, STYLE_BOLD, "Quiet time, %s left of %d:%02d", left,
               SESSION_QUIET_S / 60, SESSION_QUIET_S % 60);
    draw_wrapped((struct rect){y + 2, r.x + 2, r.y + r.h - y - 2, r.w - 4}, 0, STYLE_PLAIN,
                 observer ? "The candidate thinks, and nobody looks at that screen. It comes back "
                            "by itself."
                          : "The candidate was told that nobody looks: their screen is shown again "
                            "when it is over. f on the console ends it.");
}

void console_quiet_clock(char *out, size_t size, const struct console *c)
{
    char left[16];
    out[0] = '\0';
    if (quiet_left_ms(c) == 0)
        return;
    console_clock(left, sizeof left, quiet_left_ms(c) + 999);
    snprintf(out, size, "quiet time, %s left   ", left);
}

int64_t console_quiet_second(const struct console *c)
{
    return (quiet_left_ms(c) + 999) / 1000;
}

/* ---- what had happened when it began ---- */

bool console_bought_before(const struct console *c, const char *probe)
{
    struct console_view v;
    console_view(c, &v);
    int until = console_quiet_from(&v);
    for (int k = 0; k < until; k++)
        if (v.entries[k].move && v.entries[k].of == v.state && v.entries[k].move->evidence &&
            !strcmp(v.entries[k].move->probe, probe))
            return true;
    return false;
}
