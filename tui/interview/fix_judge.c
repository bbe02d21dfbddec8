#include "tui/interview/fix_judge.h"

#include <stdio.h>

#include "scenarios/evidence/request.h"
#include "scenarios/interview/interview_fix.h"
#include "scenarios/interview/session_mend.h"
#include "tui/app/app_runner.h"
#include "tui/app/gpu.h"
#include "tui/app/trust_screen.h"

const char *fix_no_gpu(struct app *app)
{
    if (app_client(app) && client_alive(app_client(app)) && app_device(app))
        return NULL;
    return "The host has no GPU: whether it compiles, whether it is right, how fast it is and what "
           "the hardware does was not judged. The text is kept.";
}

/* What stands in the way of judging this variant; false: nothing does. */
static bool hinders(char *out, size_t size, struct app *app, const struct variant *v)
{
    struct err err = {0};
    if (!v)
        snprintf(out, size, "The scenario cannot be read, so nothing was judged.");
    else if (fix_no_gpu(app))
        snprintf(out, size, "%s", fix_no_gpu(app));
    else if (trust_state(app, v) != MAY_RUN)
        snprintf(out, size, "GPU code of this pack may not run here, so nothing was judged.");
    else if (request_needs(v->story, app_device(app), &err))
        snprintf(out, size, "Not judged: %.1000s", err.text);
    else
        return false;
    return true;
}

static int begin(struct fix_judge *f, struct app *app, struct interview *l, struct err *err)
{
    int part, number;
    const struct session_try *t = session_try_open(interview_session(l), &part, &number);
    if (!t || gpu_state(app_gpu(app)) == GPU_LOOKING)
        return 0;
    struct attempt *a = interview_attempt_of(l, part, NULL);
    const struct variant *v = a ? attempt_variant(a) : NULL;
    struct mend_verdict none = {.is = MEND_NOT_JUDGED};
    if (hinders(none.why, sizeof none.why, app, v))
        return interview_judged(l, &none, err);
    f->judge = mend_judge_new(v, app_device(app), app_client(app), SESSION_TRY_NAME, t->text,
                              app_seed(app) >> 11);
    return 0;
}

int fix_judge_follow(struct fix_judge *f, struct app *app, struct interview *l, struct err *err)
{
    int rc = 0;
    if (!f->judge)
        rc = begin(f, app, l, err);
    if (!f->judge || !mend_judge_over(f->judge))
        return rc;
    rc = interview_judged(l, mend_judge_verdict(f->judge), err);
    if (rc)
        return rc;
    mend_judge_free(f->judge);
    f->judge = NULL;
    return 0;
}

bool fix_judge_event(struct fix_judge *f, const struct client_event *e)
{
    return f->judge && mend_judge_event(f->judge, e);
}

bool fix_judge_owes(const struct fix_judge *f, const struct interview *l)
{
    int part, number;
    return f->judge ? mend_judge_over(f->judge)
                    : session_try_open(interview_session(l), &part, &number) != NULL;
}

void fix_judge_say(const struct fix_judge *f, char *out, size_t size)
{
    int at, of;
    *out = '\0';
    if (!f->judge)
        return;
    const char *say = mend_judge_say(f->judge, &at, &of);
    snprintf(out, size, "%d of %d: %.160s", at + 1, of, say);
}

void fix_judge_end(struct fix_judge *f, struct interview *l)
{
    if (f->judge && mend_judge_known(f->judge))
        interview_judged(l, mend_judge_verdict(f->judge), NULL);
    mend_judge_free(f->judge);
    f->judge = NULL;
}
