/* The session as a report: who, when, which parts, and what the interviewer made of it. */
#include "scenarios/report/session_report.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/report/session_report_inside.h"

/* ---- the head ---- */

static const char *state_name(const struct session *s)
{
    static const char *const names[] = {[SESSION_WAITING] = "not begun",
                                        [SESSION_RUNNING] = "running",
                                        [SESSION_ON_PAUSE] = "on pause",
                                        [SESSION_BETWEEN] = "between parts",
                                        [SESSION_OVER] = "over"};
    return names[s->phase];
}

/* The wall as the host's process found it last. */
static const char *wall_of(const struct session *s)
{
    const char *wall = "";
    for (int i = 0; i < s->events; i++)
        if (s->log[i]->kind == SESSION_OPENED)
            wall = s->log[i]->wall;
    return wall;
}

/* When somebody who came left again: NULL, not before they came back, or at all. */
static const struct session_event *left_of(const struct session *s, int joined)
{
    for (int i = joined + 1; i < s->events; i++) {
        const struct session_event *e = s->log[i];
        bool same = !strcmp(e->name, s->log[joined]->name);
        if (same && e->kind == SESSION_JOINED)
            return NULL;
        if (same && e->kind == SESSION_LEFT)
            return e;
    }
    return NULL;
}

/* Everybody, each time they came. */
static json_t *people(const struct session *s)
{
    json_t *list = json_array();
    for (int i = 0; i < s->events; i++) {
        const struct session_event *e = s->log[i],
                                   *left = e->kind == SESSION_JOINED ? left_of(s, i) : NULL;
        if (e->kind != SESSION_JOINED)
            continue;
        json_t *one = json_pack("{s:I, s:o}", "at_ms", (json_int_t)e->elapsed_ms, "utc",
                                report_moment(e->at_ms));
        report_put(one, "role", e->role);
        report_put(one, "name", e->who);
        report_put(one, "wall", e->wall);
        if (left)
            json_object_set_new(one, "left_ms", json_integer(left->elapsed_ms));
        json_array_append_new(list, one);
    }
    return list;
}

/* Pauses with how long they lasted; one that still lasts reaches to the last event. */
static json_t *pauses(const struct session *s, int64_t *sum)
{
    json_t *list = json_array();
    const struct session_event *from = NULL;
    *sum = 0;
    for (int i = 0; i < s->events; i++) {
        const struct session_event *e = s->log[i];
        bool last = i + 1 == s->events,
             ends = e->kind == SESSION_RESUMED || e->kind == SESSION_BEGAN ||
                    e->kind == SESSION_FINISHED || e->kind == SESSION_CLOSED;
        if (from && (ends || last)) {
            int64_t lasted = e->at_ms > from->at_ms ? e->at_ms - from->at_ms : 0;
            json_array_append_new(list,
                                  json_pack("{s:I, s:I}", "at_ms", (json_int_t)from->elapsed_ms,
                                            "lasted_ms", (json_int_t)lasted));
            *sum += lasted;
            from = NULL;
        }
        if (e->kind == SESSION_PAUSED && !last)
            from = e;
    }
    return list;
}

static void put_head(json_t *root, const struct reporting *r)
{
    const struct session *s = r->session;
    int64_t paused;
    json_object_set_new(root, "format", json_string("warpdrill-report"));
    json_object_set_new(root, "version", json_integer(1));
    report_put(root, "for", r->candidate ? "candidate" : "interviewer");
    report_put(root, "id", interview_id(r->live));
    report_put(root, "title", s->plan.title);
    report_put(root, "candidate", s->plan.candidate);
    json_object_set_new(root, "level", json_integer(s->plan.level));
    report_put(root, "state", state_name(s));
    json_object_set_new(root, "began", report_moment(s->began_ms));
    json_object_set_new(root, "last", report_moment(s->last_ms));
    json_object_set_new(root, "minutes_planned", json_integer(session_plan_minutes(&s->plan)));
    json_object_set_new(root, "running_ms", json_integer(s->elapsed_ms));
    report_put(root, "wall", wall_of(s));
    json_object_set_new(root, "people", people(s));
    report_put(root, "scores", report_scores_say(r));
    report_put(root, "grades",
               r->grades ? "shown" : "withheld until the interviewer releases them");
    json_object_set_new(root, "pauses", pauses(s, &paused));
    json_object_set_new(root, "paused_ms", json_integer(paused));
}

/* ---- parts ---- */

static json_t *drill_json(const struct reporting *r, const struct session_drill *d,
                          int64_t asked_ms)
{
    json_t *one = json_object();
    report_put(one, "drill", d->drill);
    report_put(one, "title", session_drill_title(r->session, d->drill));
    json_object_set_new(one, "asked_ms", json_integer(asked_ms));
    if (!d->answered)
        return one;
    report_put(one, "answer", d->answer);
    json_object_set_new(one, "seconds", json_integer(d->seconds));
    if (r->scores) {
        report_put(one, "how", d->how);
        json_object_set_new(one, "points", json_real(d->points));
        report_put(one, "say", d->say);
    }
    return one;
}

static json_t *drills(const struct reporting *r, int part)
{
    const struct session_state *p = &r->session->parts[part];
    json_t *list = json_array();
    int asked = 0;
    for (int i = 0; i < r->session->events && asked < p->n_drills; i++)
        if (r->session->log[i]->kind == SESSION_DRILLED && r->session->log[i]->in_part == part)
            json_array_append_new(list, drill_json(r, &p->drills[asked++],
                                                   r->session->log[i]->elapsed_ms));
    return list;
}

static json_t *part_json(const struct reporting *r, int part)
{
    const struct session_part *p = &r->session->plan.parts[part];
    const struct session_state *state = &r->session->parts[part];
    json_t *one = json_pack("{s:i, s:i, s:I, s:o}", "n", part + 1, "minutes", p->minutes,
                            "spent_ms", (json_int_t)state->spent_ms, "drills", drills(r, part));
    report_put(one, "kind", session_part_name(p->kind));
    report_put(one, "title", p->title);
    if (p->kind == PART_SCENARIO)
        json_object_set_new(one, "revealed", json_boolean(state->revealed));
    report_put(one, "state",
               state->finished ? "done"
               : state->begun  ? "not finished"
                               : "not begun");
    if (p->kind == PART_TALK && p->ask[0])
        report_put(one, "ask", p->ask);
    if (state->talk && state->talk[0])
        report_put(one, "talk", state->talk);
    json_t *scenario = p->kind == PART_SCENARIO ? report_scenario(r, part) : NULL;
    if (scenario)
        json_object_set_new(one, "scenario", scenario);
    json_t *fix = report_fix(r, part);
    if (fix)
        json_object_set_new(one, "fix", fix);
    if (fix && json_array_size(fix))
        json_object_set_new(one, "fix_score", report_fix_score(state));
    return one;
}

static json_t *parts(const struct reporting *r)
{
    json_t *list = json_array();
    for (int p = 0; p < r->session->plan.n_parts; p++)
        json_array_append_new(list, part_json(r, p));
    return list;
}

/* ---- what the interviewer made of it ---- */

static json_t *rubric(const struct reporting *r)
{
    json_t *list = json_array();
    for (int i = 0; r->grades && i < r->session->plan.n_signals; i++) {
        const struct session_signal *s = &r->session->plan.signals[i];
        int grade = session_grade(r->session, s->id);
        int64_t late = session_graded_late(r->session, s->id);
        int knowing = session_graded_knowing(r->session, s->id);
        json_t *one = json_pack("{s:i, s:b}", "grade", grade, "knowing", knowing);
        report_put(one, "id", s->id);
        report_put(one, "title", s->title);
        report_put(one, "anchor", grade > 0 ? s->anchors[grade - 1] : "");
        if (late)
            json_object_set_new(one, "late", report_moment(late));
        json_array_append_new(list, one);
    }
    return list;
}

static json_t *notes(const struct reporting *r)
{
    json_t *list = json_array();
    for (int i = 0; i < r->session->n_notes; i++) {
        const struct session_note *n = &r->session->notes[i];
        if (r->candidate && !n->share)
            continue;
        json_t *one =
            json_pack("{s:I, s:b}", "at_ms", (json_int_t)n->elapsed_ms, "shared", (int)n->share);
        report_put(one, "text", n->text);
        json_array_append_new(list, one);
    }
    return list;
}

static int64_t taken_back(const struct session *s, const struct session_event *e)
{
    for (int i = 0; e->undone && i < s->events; i++)
        if (s->log[i]->kind == SESSION_UNDONE && !strcmp(s->log[i]->name, e->uid))
            return s->log[i]->elapsed_ms;
    return -1;
}

/* What was taken back and had been on the candidate's screen is told to both all the same: it may
 * have been read. */
static bool line_shown(const struct reporting *r, const struct session_event *e)
{
    bool sent = e->kind == SESSION_HINTED || e->kind == SESSION_INJECTED;
    return sent || (e->kind == SESSION_SAID && !r->candidate && !e->undone);
}

static json_t *lines(const struct reporting *r)
{
    json_t *list = json_array();
    for (int i = 0; i < r->session->events; i++) {
        const struct session_event *e = r->session->log[i];
        if (!line_shown(r, e))
            continue;
        json_t *one =
            json_pack("{s:I, s:i}", "at_ms", (json_int_t)e->elapsed_ms, "part", e->in_part + 1);
        report_put(one, "kind",
                   e->kind == SESSION_HINTED     ? "hint"
                   : e->kind == SESSION_INJECTED ? "curveball"
                                                 : "said");
        report_put(one, "text", report_line(r, e));
        if (e->undone)
            json_object_set_new(one, "taken_back_ms", json_integer(taken_back(r->session, e)));
        json_array_append_new(list, one);
    }
    return list;
}

json_t *report_make(struct interview *l, bool for_candidate)
{
    const struct session *s = interview_session(l);
    struct reporting r = {.live = l, .session = s, .candidate = for_candidate};
    json_t *root = json_object();
    r.n = interview_entries(l, &r.entries);
    r.grades = !for_candidate || s->released;
    r.scores = session_scores_open(s, for_candidate);
    put_head(root, &r);
    json_object_set_new(root, "parts", parts(&r));
    json_object_set_new(root, "rubric", rubric(&r));
    json_object_set_new(root, "notes", notes(&r));
    json_object_set_new(root, "lines", lines(&r));
    json_object_set_new(root, "timeline", report_timeline(&r));
    json_object_set_new(root, "summary", report_summary(root));
    return root;
}
