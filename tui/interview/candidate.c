#include "tui/interview/candidate.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/interview/interview_moves.h"
#include "scenarios/interview/interview_says.h"
#include "scenarios/interview/session_mend.h"
#include "tui/app/guest.h"
#include "tui/interview/candidate_play.h"
#include "tui/interview/candidate_screens.h"
#include "tui/interview/fix_screen.h"
#include "tui/play/debrief_screen.h"
#include "tui/play/investigation_screen.h"

enum { TOLD_RELEASED = 1 };

/* ---- the screen at the bottom: the part itself, one before it whose truth is shown, or the lobby
 * where there is none to show ---- */

static const struct screen_ops *wanted(const struct session *s)
{
    if (candidate_truth(s) >= 0)
        return &investigation_screen;
    bool runs = s->part >= 0 && (s->phase == SESSION_RUNNING || s->phase == SESSION_ON_PAUSE);
    if (!runs || s->plan.parts[s->part].kind == PART_DRILLS)
        return &lobby_screen;
    return s->plan.parts[s->part].kind == PART_TALK ? &talk_screen : &investigation_screen;
}

/* The debrief takes the investigation's place by itself. */
static bool stands(const struct app *guest, const struct screen_ops *ops, int part)
{
    const struct investigation_screen *i = app_guest_find(guest, &investigation_screen);
    const struct debrief_screen *d = app_guest_find(guest, &debrief_screen);
    const void *talk = app_guest_find(guest, &talk_screen);
    if (ops == &investigation_screen)
        return (i && candidate_play_part(&i->in) == part) ||
               (d && candidate_play_part(&d->in) == part);
    if (ops == &talk_screen)
        return talk && talk_part(talk) == part;
    return !i && !d && !talk && app_guest_find(guest, ops);
}

static int put(struct app *guest, const struct screen_ops *ops, int part, struct err *err)
{
    int rc = 0;
    app_guest_clear(guest);
    if (ops == &investigation_screen)
        rc = candidate_play_open(guest, part, err);
    else if (ops == &talk_screen)
        talk_open(guest, part);
    if (rc != 0 || ops == &lobby_screen)
        lobby_open(guest);
    return rc;
}

/* ---- what lies above it: the lobby on pause, a drill ---- */

static int follow_drill(struct app *guest, const struct session *s, struct err *err)
{
    const struct session_drill *open =
        s->phase == SESSION_RUNNING || s->phase == SESSION_ON_PAUSE ? session_drill_open(s) : NULL;
    const void *asked = app_guest_find(guest, &candidate_drill_screen);
    if (asked && (!open || !candidate_drill_is(asked, open))) {
        app_guest_drop(guest, &candidate_drill_screen);
        asked = NULL;
    }
    int rc = open && !asked ? candidate_drill_open(guest, open, err) : 0;
    if (rc != 0)            /* it cannot be asked here, and must not stand in the next one's way */
        interview_answer(app_live(guest), "", 0, "skipped", 0, err->text, NULL);
    return rc;
}

/* What is typed stays while it is asked for, on pause too. */
static int follow_fix(struct app *guest, const struct session *s, struct err *err)
{
    const void *there = app_guest_find(guest, &fix_screen);
    int part = session_mending(s);
    if (there && fix_part(there) != part) {
        app_guest_drop(guest, &fix_screen);
        there = NULL;
    }
    if (part < 0 || there || s->phase == SESSION_ON_PAUSE)
        return 0;
    struct attempt *a = interview_attempt_of(app_live(guest), part, err);
    if (!a)
        return err->code;
    app_guest_drop(guest, &candidate_drill_screen); /* it comes back above it */
    app_unsay(guest);       /* it was said of keys that are others now */
    fix_open(guest, part, attempt_variant(a));
    return 0;
}

static void follow_pause(struct app *guest, const struct session *s,
                         const struct screen_ops *bottom)
{
    bool paused = s->phase == SESSION_ON_PAUSE,
         there = app_guest_find(guest, &lobby_screen) != NULL;
    if (bottom == &lobby_screen)
        return;
    if (there && !paused) {
        app_guest_drop(guest, &lobby_screen);
        app_unsay(guest);
    } else if (!there && paused)
        lobby_open(guest);
}

int candidate_follow(struct app *guest, struct err *err)
{
    const struct session *s = candidate_session(guest);
    const struct screen_ops *bottom = wanted(s);
    int rc = 0;
    interview_deliver(app_live(guest));
    if (!stands(guest, bottom, candidate_shown(s)))
        rc = put(guest, bottom, candidate_shown(s), err);
    if (rc == 0) {
        rc = follow_fix(guest, s, err);
        rc = rc ? rc : follow_drill(guest, s, err);
        follow_pause(guest, s, bottom);
    }
    if (s->released && s->part >= 0 && app_guest_once(guest, TOLD_RELEASED) &&
        (bottom != &lobby_screen ||
         app_guest_find(guest, &candidate_drill_screen))) /* there they stand */
        app_say(guest, "Your scores are released; the list of parts shows them.");
    app_guest_refresh(guest);
    return rc;
}

/* ---- for the console ---- */

int candidate_hand(struct app *guest, const char *probe, struct err *err)
{
    struct investigation_screen *s = app_guest_find(guest, &investigation_screen);
    int rc = s && s->attempt
                 ? candidate_play_hand(guest, s, probe, err)
                 : err_set(err, ERR_BAD_REQUEST, "no investigation is on the candidate's screen");
    app_guest_refresh(guest);
    return rc;
}

const char *candidate_doing(const struct app *guest)
{
    const struct investigation_screen *i = app_guest_find(guest, &investigation_screen);
    const struct session *s = candidate_session(guest);
    const void *talk = app_guest_find(guest, &talk_screen);
    const void *fix = app_guest_find(guest, &fix_screen);
    if (s->phase == SESSION_ON_PAUSE)
        return "on pause";
    if (app_guest_find(guest, &candidate_drill_screen))
        return "answering a drill";
    if (fix)
        return fix_types(fix) ? "writing the fix" : "reading a verdict";
    if (i)
        return candidate_play_doing(i);
    if (app_guest_find(guest, &debrief_screen))
        return "reading the debrief";
    return talk ? talk_writes(talk) ? "writing" : "talking" : "waiting";
}

const char *candidate_asked(const struct app *guest)
{
    const struct investigation_screen *i = app_guest_find(guest, &investigation_screen);
    return i ? candidate_play_asked(i) : NULL;
}

void candidate_judging(struct app *guest, const char *say)
{
    void *fix = app_guest_find(guest, &fix_screen);
    if (fix && fix_progress(fix, say))
        app_guest_refresh(guest);
}

const char *candidate_trouble(struct app *guest)
{
    struct investigation_screen *s = app_guest_find(guest, &investigation_screen);
    return s ? candidate_play_trouble(s) : "";
}
