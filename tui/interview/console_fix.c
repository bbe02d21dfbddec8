#include "tui/interview/console_fix.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/interview/interview_fix.h"
#include "scenarios/interview/session_mend.h"
#include "scenarios/mend/mend.h"
#include "tui/app/app_runner.h"
#include "tui/app/trust_screen.h"
#include "tui/interview/candidate.h"
#include "tui/mend/mend.h"

/* The part whose truth was shown last; -1: none. */
static int revealed_last(const struct session *s)
{
    for (int k = s->events - 1; k >= 0; k--)
        if (s->log[k]->kind == SESSION_REVEALED)
            return s->log[k]->part;
    return -1;
}

/* Why nobody can write this fix in an interview; NULL: they can. */
static const char *useless(struct app *app, const struct variant *v)
{
    if (mend_useless(v))
        return mend_useless(v);
    char *text = mend_contract(v, app_device(app), SESSION_TRY_NAME);
    bool fits = strlen(text) < SESSION_TRY;
    free(text);
    return fits ? NULL : "The suspect is too long for the field in which the fix is typed.";
}

static void trust_answered(struct app *app, void *ctx, bool yes)
{
    (void)ctx;
    app_say(app, yes ? "M asks for the fix now."
                     : "Nothing of this pack is run: what they hand in will not be judged.");
}

/* Said once before; the second M means it. */
static bool meant(struct console *c, enum action before, const char *say)
{
    if (before == ACT_MEND)
        return true;
    c->sure = ACT_MEND;
    app_say(c->app, "%s", say);
    return false;
}

static int ask(struct console *c, int part, enum action before, struct err *err)
{
    struct attempt *a = interview_attempt_of(c->live, part, err);
    if (!a)
        return err->code;
    const struct variant *v = attempt_variant(a);
    const char *why = useless(c->app, v);
    enum may_run may = fix_no_gpu(c->app) ? MAY_NOT : trust_state(c->app, v);
    char say[200];
    if (why) {
        app_say(c->app, "%s", why);
        return 0;
    }
    if (may == MAY_NOT_ASKED) {
        trust_open(c->app, v, trust_answered, NULL);
        return 0;
    }
    snprintf(say, sizeof say, "M once more asks for the fix of part %d: %s", part + 1,
             may == MAY_RUN       ? "what they hand in is run on this GPU as you."
             : fix_no_gpu(c->app) ? "no GPU here, so it is kept and not judged."
                                  : "this pack may not run here, so it is kept and not judged.");
    return meant(c, before, say) ? interview_mending(c->live, part, false, err) : 0;
}

int console_fix(struct console *c, enum action before, struct err *err)
{
    const struct session *s = interview_session(c->live);
    int part = session_mending(s);
    if (part >= 0)
        return meant(c, before, "M once more: the fix is no longer asked for.")
                   ? interview_mending(c->live, part, true, err)
                   : 0;
    part = revealed_last(s);
    if (part >= 0)
        return ask(c, part, before, err);
    app_say(c->app, "The fix can be asked for once the truth is on their screen: x.");
    return 0;
}

int console_fix_follow(struct console *c, struct err *err)
{
    char say[200];
    int rc = fix_judge_follow(&c->fix, c->app, c->live, err);
    fix_judge_say(&c->fix, say, sizeof say);
    if (c->guest)
        candidate_judging(c->guest, say);
    return rc;
}
