/* Questions to a console_view and its log: pure, for the console and for replay. */
#include "tui/interview/console_view.h"

#include <string.h>

const struct session_part *view_part(const struct console_view *v)
{
    const struct session *s = v->session;
    return s->part >= 0 && s->part < s->plan.n_parts ? &s->plan.parts[s->part] : NULL;
}

const struct session_state *view_part_state(const struct console_view *v)
{
    return view_part(v) ? &v->session->parts[v->session->part] : NULL;
}

bool view_is_scenario(const struct console_view *v)
{
    const struct session_part *p = view_part(v);
    return p && p->kind == PART_SCENARIO && v->variant && v->session->phase != SESSION_BETWEEN &&
           v->session->phase != SESSION_OVER;
}

bool console_candidate_here(const struct session *s)
{
    for (int k = 0; k < s->n_parties; k++)
        if (s->parties[k].here && !strcmp(s->parties[k].role, "candidate"))
            return true;
    return false;
}

/* ---- the log ---- */

bool console_entry_shown(const struct interview_entry *e)
{
    if (e->move)
        return e->move->kind != MOVE_STARTED && e->move->kind != MOVE_PAUSED &&
               e->move->kind != MOVE_REVEALED /* the session says it */ &&
               !(e->move->kind == MOVE_RESPONDED &&
                 (e->of->pushback < 0 || e->move->left == LEFT_CUT)) /* nobody answered */ &&
               !(e->move->kind == MOVE_ESTIMATED && e->move->left == LEFT_UNASKED);
    switch (e->event->kind) {
    case SESSION_PLANNED:
    case SESSION_INVITED:
    case SESSION_ATTEMPTED:
    case SESSION_TICKED:
    case SESSION_HANDED:         /* the attempt's own move says it */
    case SESSION_RATED:
    case SESSION_NOTED:
    case SESSION_SPOKE:
        return false;
    default:
        return !e->event->undone;
    }
}

int console_quiet_from(const struct console_view *v)
{
    if (v->session->quiet_until_ms <= v->now_ms)
        return v->n_entries;
    for (int k = v->n_entries - 1; k >= 0; k--)
        if (v->entries[k].event && v->entries[k].event->kind == SESSION_QUIET &&
            v->entries[k].event->number > 0)
            return k;
    return v->n_entries;
}

int console_answered_before(const struct console_view *v)
{
    int until = console_quiet_from(v), n = 0;
    for (int k = 0; k < until; k++)
        n += v->entries[k].event && v->entries[k].event->kind == SESSION_ANSWERED &&
             v->entries[k].event->in_part == v->session->part;
    return n;
}

const char *console_written_before(const struct console_view *v)
{
    int until = console_quiet_from(v);
    for (int k = until - 1; k >= 0; k--) {
        const struct session_event *e = v->entries[k].event;
        if (e && e->kind == SESSION_SPOKE && e->in_part == v->session->part)
            return e->text ? e->text : "";
    }
    return "";
}
