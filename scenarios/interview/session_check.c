/* What refuses an event, by its kind and before anything changes, so that what is refused changes
 * nothing. */
#include "scenarios/interview/session_own.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/interview/session_mend.h"

enum {
    QUIET_MOST = 3600,
    PART_MINUTES_MOST = 240,
    LINES_MOST = 4096,
    DRILLS_MOST = 256,
    NOTES_MOST = 4096,
    PARTIES_MOST_EVER = 512
};

#define REFUSE(...) err_set(err, ERR_BAD_REQUEST, __VA_ARGS__)

static int check_planned(const struct session *s, const struct session_event *e, struct err *err)
{
    struct session_plan *plan = mem_new(1, sizeof *plan);
    int rc = s->began_ms ? REFUSE("the interview has begun: its plan stands")
                         : session_plan_decode(plan, e->plan, err);
    if (rc == 0 && plan->n_parts == 0)
        rc = REFUSE("a plan without parts is no interview");
    free(plan);
    return rc;
}

static int check_part(const struct session *s, const struct session_event *e, struct err *err)
{
    if (e->part < 0 || e->part >= s->plan.n_parts)
        return REFUSE("there is no part %d; the plan has %d", e->part + 1, s->plan.n_parts);
    if (e->kind == SESSION_BEGAN && session_is_running(s) && e->part == s->part)
        return REFUSE("part %d runs already", e->part + 1);
    if (e->kind == SESSION_BEGAN)
        return 0;
    if (e->kind == SESSION_FINISHED || e->kind == SESSION_ATTEMPTED) {
        if (!session_is_running(s) || e->part != s->part)
            return REFUSE("part %d does not run", e->part + 1);
    }
    if (e->kind != SESSION_FINISHED && s->plan.parts[e->part].kind != PART_SCENARIO)
        return REFUSE("part %d is no scenario", e->part + 1);
    if (e->kind == SESSION_ATTEMPTED && s->parts[e->part].attempt[0])
        return REFUSE("part %d has its attempt already", e->part + 1);
    if (e->kind == SESSION_REVEALED && !s->parts[e->part].attempt[0])
        return REFUSE("part %d has nothing to reveal yet", e->part + 1);
    return e->kind == SESSION_REVEALED && s->parts[e->part].revealed
               ? REFUSE("part %d was revealed already", e->part + 1)
               : 0;
}

static int check_evidence(const struct session *s, const struct session_event *e, struct err *err)
{
    const struct session_state *p = session_now(s);
    if (!p || !session_is_running(s))
        return REFUSE("no part runs");
    if (strlen(e->name) >= sizeof p->withheld[0])
        return REFUSE("a probe's name has at most %zu bytes", sizeof p->withheld[0] - 1);
    bool held = session_is_withheld(s, e->name);
    if (e->kind == SESSION_HANDED)
        return session_name_find((const char(*)[48])p->handed, p->n_handed, e->name) >= 0
                   ? REFUSE("%s was handed out already", e->name)
               : p->n_handed == 32 ? REFUSE("32 pieces of evidence were handed out: no more")
                                   : 0;
    if (e->flag)
        return held ? 0 : REFUSE("%s is not withheld", e->name);
    return held                  ? REFUSE("%s is withheld already", e->name)
           : p->n_withheld == 32 ? REFUSE("32 probes are withheld: no more")
                                 : 0;
}

static int check_line(const struct session *s, const struct session_event *e, struct err *err)
{
    const struct session_state *p = session_now(s);
    if (!p || !session_is_running(s))
        return REFUSE("no part runs");
    if (e->kind != SESSION_SPOKE && (!e->text || !*e->text))
        return REFUSE("there is no text");
    return p->n_lines < LINES_MOST ? 0 : REFUSE("%d lines in one part: no more", LINES_MOST);
}

static int check_drill(const struct session *s, const struct session_event *e, struct err *err)
{
    const struct session_drill *open = session_drill_open(s);
    if (!session_is_running(s))
        return REFUSE("no part runs");
    if (e->kind == SESSION_ANSWERED)
        return open && !strcmp(open->drill, e->name) ? 0
                                                     : REFUSE("%s waits for no answer", e->name);
    if (open)
        return REFUSE("%s: that drill is not answered yet", session_drill_title(s, open->drill));
    return session_now(s)->n_drills < DRILLS_MOST
               ? 0
               : REFUSE("%d drills in one part: no more", DRILLS_MOST);
}

static int check_rated(const struct session *s, const struct session_event *e, struct err *err)
{
    if (e->number < 0 || e->number > SESSION_MAX_ANCHORS)
        return REFUSE("a grade is 1 to %d, or 0 for none", SESSION_MAX_ANCHORS);
    for (int i = 0; i < s->plan.n_signals; i++)
        if (!strcmp(s->plan.signals[i].id, e->name))
            return 0;
    return REFUSE("the rubric has no signal '%s'", e->name);
}

static int check_quiet(const struct session *s, const struct session_event *e, struct err *err)
{
    if (e->number < 0 || e->number > QUIET_MOST)
        return REFUSE("quiet time is 0 to %d seconds", QUIET_MOST);
    return session_is_running(s) ? 0 : REFUSE("no part runs");
}

static int check_queued(const struct session *s, const struct session_event *e, struct err *err)
{
    const struct session_state *p = session_now(s);
    if (!p || !session_is_running(s) || !p->attempt[0])
        return REFUSE("no scenario runs");
    return e->number >= 0 || p->queued ? 0 : REFUSE("no pushback waits");
}

static int check_extended(const struct session *s, const struct session_event *e, struct err *err)
{
    if (e->number < 1 || e->number > PART_MINUTES_MOST)
        return REFUSE("a part lasts 1 to %d minutes", PART_MINUTES_MOST);
    if (e->part < 0)
        return session_is_running(s) ? 0 : REFUSE("no part runs");
    if (e->part >= s->plan.n_parts)
        return REFUSE("there is no part %d; the plan has %d", e->part + 1, s->plan.n_parts);
    return s->parts[e->part].finished ? REFUSE("part %d is done", e->part + 1) : 0;
}

static int check_clock(const struct session *s, const struct session_event *e, struct err *err)
{
    if (e->kind == SESSION_PAUSED && s->phase != SESSION_RUNNING)
        return REFUSE("the clock does not run");
    if (e->kind == SESSION_RESUMED && s->phase != SESSION_ON_PAUSE)
        return REFUSE("there is no pause to end");
    return 0;
}

static int check_undone(const struct session *s, const struct session_event *e, struct err *err)
{
    const struct session_event *at = session_event_find(s, e->name);
    if (!at || !session_can_undo(at->kind))
        return REFUSE("that cannot be taken back");
    return at->undone ? REFUSE("that was taken back already") : 0;
}

static int check_joined(const struct session *s, const struct session_event *e, struct err *err)
{
    if (!e->name[0] || strlen(e->name) >= sizeof s->parties->uid)
        return REFUSE("a party needs a name of at most %zu bytes", sizeof s->parties->uid - 1);
    return session_party_find(s, e->name) || s->n_parties < PARTIES_MOST_EVER
               ? 0
               : REFUSE("%d parties came: no more", PARTIES_MOST_EVER);
}

/* When the interview is over, what still may come. */
static bool comes_after(enum session_kind k)
{
    switch (k) {
    case SESSION_OPENED:
    case SESSION_JOINED:
    case SESSION_LEFT:
    case SESSION_RATED:
    case SESSION_NOTED:
    case SESSION_REVEALED:
    case SESSION_JUDGED: /* of what was handed in before */
    case SESSION_RELEASED: case SESSION_UNDONE: case SESSION_INVITED: return true;
    default: return false;
    }
}

int session_check_kind(const struct session *s, const struct session_event *e, struct err *err)
{
    switch (e->kind) {
    case SESSION_PLANNED: return check_planned(s, e, err);
    case SESSION_INVITED: return e->invitation ? 0 : REFUSE("an invitation needs its codes");
    case SESSION_JOINED: return check_joined(s, e, err);
    case SESSION_LEFT:
        return session_party_find(s, e->name) ? 0 : REFUSE("nobody of that name came");
    case SESSION_BEGAN:
    case SESSION_ATTEMPTED:
    case SESSION_FINISHED:
    case SESSION_REVEALED: return check_part(s, e, err);
    case SESSION_PAUSED: case SESSION_RESUMED: return check_clock(s, e, err);
    case SESSION_EXTENDED: return check_extended(s, e, err);
    case SESSION_QUIET: return check_quiet(s, e, err);
    case SESSION_WITHHELD: case SESSION_HANDED: return check_evidence(s, e, err);
    case SESSION_HINTED:
    case SESSION_SAID:
    case SESSION_INJECTED:
    case SESSION_SPOKE: return check_line(s, e, err);
    case SESSION_QUEUED: return check_queued(s, e, err);
    case SESSION_DRILLED: case SESSION_ANSWERED: return check_drill(s, e, err);
    case SESSION_RATED: return check_rated(s, e, err);
    case SESSION_NOTED:
        return !e->text || !*e->text     ? REFUSE("there is no text")
               : s->n_notes < NOTES_MOST ? 0
                                         : REFUSE("%d notes: no more", NOTES_MOST);
    case SESSION_MENDING:
    case SESSION_TRIED:
    case SESSION_JUDGED:
    case SESSION_HELPED: return session_mend_check(s, e, err);
    case SESSION_RELEASED: return s->released ? REFUSE("the scores were released already") : 0;
    case SESSION_UNDONE: return check_undone(s, e, err);
    default: return 0;
    }
}

/* What could not be read back from the log must not come into it. */
static int check_readable(const struct session_event *e, struct err *err)
{
    struct session_event back;
    json_t *body = session_event_encode(e);
    int rc = session_event_decode(&back, session_kind_name(e->kind), body, err);
    if (rc == 0)
        session_event_free(&back);
    json_decref(body);
    return rc;
}

int session_check(const struct session *s, const struct session_event *e, struct err *err)
{
    if ((int)e->kind < 0 || e->kind >= SESSION_KINDS)
        return REFUSE("there is no such event");
    if (s->plan.n_parts == 0 && e->kind != SESSION_PLANNED)
        return REFUSE("an interview begins with its plan");
    if (s->phase == SESSION_OVER && !comes_after(e->kind))
        return REFUSE("the interview is over");
    if (session_event_find(s, e->uid))
        return REFUSE("this was done already");
    int rc = session_check_kind(s, e, err);
    return rc ? rc : check_readable(e, err);
}
