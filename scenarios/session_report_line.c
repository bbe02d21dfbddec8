/* The timeline: what everybody did, in the order in which it was written down. */
#include "scenarios/session_report.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/session_briefing_inside.h"
#include "scenarios/session_report_inside.h"

enum { TEXT_MOST = 1024 };

/* ---- moves of the candidate ---- */

static void believed_text(char *out, size_t size, const struct move *m, const struct story *s, const int *before)
{
    int most = 0;
    for (int h = 1; h < s->n_hypotheses; h++)
        if (abs(m->points[h] - before[h]) > abs(m->points[most] - before[most]))
            most = h;
    if (m->points[most] == before[most])
        snprintf(out, size, "nothing moved");
    else
        snprintf(out, size, "%s %d %% to %d %%", s->hypotheses[most]->label, before[most], m->points[most]);
}

static void committed_text(char *out, size_t size, const struct move *m, const struct story *s)
{
    char spot[160];
    snprintf(out, size, "the beliefs are locked");
    story_spot(spot, sizeof spot, s, m->line);
    for (int r = 0; m->remedy[0] && r < s->n_remedies; r++)
        if (!strcmp(s->remedies[r].id, m->remedy))
            snprintf(out, size, "%s; %s", spot, s->remedies[r].text);
}

/* NULL: not known. */
static const struct msg_device *device_of(const struct reporting *r, const struct live_entry *e)
{
    const struct attempt *a = live_attempt_of(r->live, e->part, NULL);
    const struct recording *recording = a ? attempt_recording(a) : NULL;
    return recording ? &recording->device : NULL;
}

/* Only the note's time stands here: what it says stands with the scenario, whole. */
static bool move_text(char *out, size_t size, const struct reporting *r, const struct live_entry *e, const int *before)
{
    const struct move *m = e->move;
    const struct story *s = e->of->story;
    const struct variant *v = e->of->variant;
    char said[512];
    *out = '\0';
    switch (m->kind) {
    case MOVE_ASKED:
        if (m->question >= 0 && m->question < s->n_questions)
            snprintf(out, size, "%s %s", s->questions[m->question].ask, s->questions[m->question].answer);
        return true;
    case MOVE_CALLED: snprintf(out, size, "%s: %s", brief_title(s, m->probe), m->answer); return true;
    case MOVE_BELIEVED: case MOVE_RESPONDED: believed_text(out, size, m, s, before); return true;
    case MOVE_ESTIMATED: snprintf(out, size, "%s", report_answer(m->answer, m->left)); return true;
    case MOVE_BOUGHT: case MOVE_HANDED:
        report_said(said, sizeof said, s, m->probe, m->evidence, device_of(r, e));
        snprintf(out, size, "%s%s%s", brief_title(s, m->probe), *said ? ": " : "", said);
        return true;
    case MOVE_COMMITTED: committed_text(out, size, m, s); return true;
    case MOVE_PUSHED:
        if (v && m->pushback >= 0 && m->pushback < v->n_pushbacks)
            snprintf(out, size, "%s", v->pushbacks[m->pushback].says);
        return true;
    case MOVE_UNDONE: snprintf(out, size, "a belief or an estimate"); return true;
    case MOVE_NAMED: snprintf(out, size, "%s", m->text ? m->text : m->answer[0] ? m->answer : "left out"); return true;
    case MOVE_REVEALED: case MOVE_ABANDONED: case MOVE_NOTED: return true;
    default: return false;                           /* the start, and time alone */
    }
}

/* ---- what was done in the session ---- */

static const char *title_of(const struct session *s, int part)
{
    return part >= 0 && part < s->plan.n_parts ? s->plan.parts[part].title : "";
}

static const char *probe_title(const struct reporting *r, const struct live_entry *e)
{
    struct attempt *a = live_attempt_of(r->live, e->part, NULL);
    return a ? brief_title(attempt_state(a)->story, e->event->name) : e->event->name;
}

/* "rated: aloud": what an undoing took back; what a note or a line said does not come back here. */
static void undone_text(char *out, size_t size, const struct session *s, const char *uid)
{
    for (int k = 0; k < s->events; k++) {
        const struct session_event *e = s->log[k];
        if (!strcmp(e->uid, uid))
            snprintf(out, size, "%s%s%s", session_kind_name(e->kind), *e->name ? ": " : "", e->name);
    }
}

static bool event_text(char *out, size_t size, const struct reporting *r, const struct live_entry *entry)
{
    const struct session_event *e = entry->event;
    const char *text = e->text ? e->text : "";
    *out = '\0';
    if (e->undone || (r->candidate && strcmp(session_audience(e->kind), "all") != 0))
        return false;
    switch (e->kind) {
    case SESSION_PLANNED: case SESSION_INVITED: case SESSION_ATTEMPTED: case SESSION_TICKED: case SESSION_HANDED: case SESSION_SPOKE:
        return false;
    case SESSION_NOTED: case SESSION_RATED: return false;      /* they have lists of their own */
    case SESSION_OPENED: snprintf(out, size, "wall: %s", e->wall); break;
    case SESSION_JOINED: snprintf(out, size, "%s, %s", e->who, e->role); break;
    case SESSION_BEGAN: case SESSION_FINISHED: case SESSION_REVEALED: snprintf(out, size, "part %d: %s", e->part + 1, title_of(r->session, e->part)); break;
    case SESSION_EXTENDED:
        if (e->part < 0)
            snprintf(out, size, "this part lasts %d min", e->number);
        else
            snprintf(out, size, "part %d lasts %d min: %s", e->part + 1, e->number, title_of(r->session, e->part));
        break;
    case SESSION_QUIET: snprintf(out, size, e->number ? "%d s" : "over", e->number); break;
    case SESSION_WITHHELD: snprintf(out, size, "%s%s", probe_title(r, entry), e->flag ? ", to be had again" : ""); break;
    case SESSION_DRILLED: snprintf(out, size, "%s", e->name); break;
    case SESSION_ANSWERED: snprintf(out, size, "%s: %s", e->name, e->answer && *e->answer ? e->answer : "skipped"); break;
    case SESSION_UNDONE: undone_text(out, size, r->session, e->name); break;
    default: snprintf(out, size, "%s", text); break;
    }
    return true;
}

static const char *who_did(const struct live_entry *e)
{
    if (e->move)
        return e->move->kind == MOVE_HANDED || e->move->kind == MOVE_PUSHED ? "interviewer" : "candidate";
    switch (e->event->kind) {
    case SESSION_JOINED: case SESSION_LEFT: return "link";
    case SESSION_ANSWERED: case SESSION_SPOKE: return "candidate";
    default: return "interviewer";
    }
}

/* ---- all of it ---- */

static json_t *line_json(const struct live_entry *e, const char *text)
{
    json_t *one = json_pack("{s:I, s:i, s:o}", "at_ms", (json_int_t)e->elapsed_ms, "part", e->part + 1, "utc", report_moment(e->at_ms));
    report_put(one, "who", who_did(e));
    report_put(one, "what", e->move ? e->move->kind == MOVE_HANDED ? "handed out" : e->move->kind == MOVE_PUSHED ? "pushed back" : move_name(e->move->kind)
                                    : session_kind_name(e->event->kind));
    report_put(one, "text", text);
    return one;
}

json_t *report_timeline(const struct reporting *r)
{
    json_t *list = json_array();
    const struct investigation *of = NULL;
    int before[MAX_HYPOTHESES];
    for (int k = 0; k < r->n; k++) {
        const struct live_entry *e = &r->entries[k];
        char text[TEXT_MOST * 3];
        if (e->move && e->of != of) {
            of = e->of;
            belief_even(before, of->story->n_hypotheses);
        }
        if (e->move ? move_text(text, sizeof text, r, e, before) : event_text(text, sizeof text, r, e))
            json_array_append_new(list, line_json(e, text));
        if (e->move && (e->move->kind == MOVE_BELIEVED || e->move->kind == MOVE_RESPONDED))
            memcpy(before, e->move->points, sizeof before);
    }
    return list;
}
