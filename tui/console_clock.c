/* The console's time: minutes of parts. */
#include "tui/console_screen.h"

#include "tui/plan_parts.h"

int console_minutes(struct console *c, int part, int minutes, struct err *err)
{
    const struct session *s = live_session(c->live);
    if (minutes < 1)
        return err_set(err, ERR_BAD_REQUEST, "Part %d lasts %d min: that is too little to take so much away.", part + 1, s->plan.parts[part].minutes);
    int rc = live_minutes(c->live, part, minutes, err);
    if (rc == 0)
        app_say(c->app, "Part %d lasts %d min now; all of it %d.", part + 1, minutes, session_plan_minutes(&s->plan));
    return rc;
}

int console_minutes_step(struct console *c, int part, int by, struct err *err)
{
    struct session_plan plan = live_session(c->live)->plan;
    if (!plan_minutes_step(&plan, part, by))
        return err_set(err, ERR_BAD_REQUEST, "A part lasts 1 to 180 min.");
    return console_minutes(c, part, plan.parts[part].minutes, err);
}
