/* The timeline: what everybody did, in the order in which it was written down. */
#include "scenarios/report/session_report.h"

#include "scenarios/play/ranking.h"
#include <stdlib.h>
#include <string.h>

#include "scenarios/report/session_briefing_inside.h"
#include "scenarios/report/session_report_inside.h"
#include "scenarios/report/session_report_read.h"

enum { TEXT_MOST = 1024 };

/* ---- moves of the candidate ---- */

/* The most moved first, at most four; what moved by rounding or made room alone is left to the
 * table. */
static void believed_text(char *out, size_t size, const struct story *s, const int *before,
                          const int *points)
{
    enum { MOST_NAMED = 4, WORTH_NAMING = 3 };
    bool named[MAX_HYPOTHESES] = {false};
    *out = '\0';
    for (int n = 0; n < MOST_NAMED; n++) {
        int most = -1;
        for (int h = 0; h < s->n_hypotheses; h++)
            if (!named[h] &&
                (most < 0 || abs(points[h] - before[h]) > abs(points[most] - before[most])))
                most = h;
        if (most < 0 || abs(points[most] - before[most]) < (n ? WORTH_NAMING : 1))
            break;
        named[most] = true;
        brief_add(out, size, "%s%s %d %% to %d %%", n ? ", " : "", s->hypotheses[most]->label,
                  before[most], points[most]);
    }
    if (!*out)
        snprintf(out, size, "nothing moved");
}

static void committed_text(char *out, size_t size, const struct move *m, const struct story *s)
{
    char spot[160];
    snprintf(out, size, "the beliefs are locked");
    story_spot(spot, sizeof spot, s, m->line);
    for (int r = 0; m->remedy[0] && r < s->n_remedies; r++)
        if (!strcmp(s->remedies[r].id, m->remedy))
            snprintf(out, size, "%s; %s", spot, s->remedies[r].text);
    int left = story_hypothesis(s, m->then);
    if (left >= 0)
        brief_add(out, size, "; left then: %s", ranking_label(s, left));
}

/* NULL: not known. */
static const struct msg_device *device_of(const struct reporting *r,
                                          const struct interview_entry *e)
{
    const struct attempt *a = interview_attempt_of(r->live, e->part, NULL);
    const struct recording *recording = a ? attempt_recording(a) : NULL;
    return recording ? &recording->device : NULL;
}

static const char *estimate_ask(const struct story *s, const char *id)
{
    for (int e = 0; e < s->n_estimates; e++)
        if (!strcmp(s->estimates[e].id, id))
            return s->estimates[e].ask;
    return id;
}

/* A commitment or a last word that lacked when the truth was shown: the reveal made it. */
static bool by_the_reveal(const struct reporting *r, const struct interview_entry *e)
{
    if (e->move->kind != MOVE_COMMITTED && e->move->kind != MOVE_RESPONDED)
        return false;
    for (const struct interview_entry *before = r->entries; before < e; before++)
        if (before->event && before->event->kind == SESSION_REVEALED &&
            before->event->part == e->part)
            return true;
    return false;
}

/* Only the note's time stands here: what it says stands with the scenario, whole. */
static bool move_text(char *out, size_t size, const struct reporting *r,
                      const struct interview_entry *e)
{
    const struct move *m = e->move;
    const struct story *s = e->of->story;
    const struct variant *v = e->of->variant;
    char said[512];
    *out = '\0';
    switch (m->kind) {
    case MOVE_ASKED:
        if (m->question >= 0 && m->question < s->n_questions)
            snprintf(out, size, "%s %s", s->questions[m->question].ask,
                     s->questions[m->question].answer);
        return true;
    case MOVE_CALLED:
        snprintf(out, size, "%s: %s", brief_title(s, m->probe), m->answer);
        return true;
    case MOVE_BELIEVED:
    case MOVE_RESPONDED:
    case MOVE_UNDONE: return false; /* takes_belief has told it */
    case MOVE_ESTIMATED:
        snprintf(out, size, "%s %s", estimate_ask(s, m->item), report_answer(m->answer, m->left));
        return m->left != LEFT_UNASKED;              /* nobody did anything */
    case MOVE_BOUGHT: case MOVE_HANDED:
        report_said(said, sizeof said, v, m->probe, m->evidence, device_of(r, e));
        snprintf(out, size, "%s%s%s", brief_title(s, m->probe), *said ? ": " : "", said);
        return true;
    case MOVE_COMMITTED:
        committed_text(out, size, m, s);
        if (by_the_reveal(r, e))
            snprintf(out, size, "the beliefs as they stood: nothing was committed");
        return true;
    case MOVE_PUSHED:
        if (v && m->pushback >= 0 && m->pushback < v->n_pushbacks)
            snprintf(out, size, "%s", v->pushbacks[m->pushback].says);
        return true;
    case MOVE_NAMED:
        snprintf(out, size, "%s", m->text ? m->text : m->answer[0] ? m->answer : "left out");
        return true;
    case MOVE_REVEALED: return !r->session->parts[e->part].revealed; /* else the session says it */
    case MOVE_ABANDONED: case MOVE_NOTED: return true;
    default: return false;                           /* the start, and time alone */
    }
}

/* ---- what was done in the session ---- */

static const char *title_of(const struct session *s, int part)
{
    return part >= 0 && part < s->plan.n_parts ? s->plan.parts[part].title : "";
}

static const char *probe_title(const struct reporting *r, const struct interview_entry *e)
{
    struct attempt *a = interview_attempt_of(r->live, e->part, NULL);
    return a ? brief_title(attempt_state(a)->story, e->event->name) : e->event->name;
}

static const char *party_name(const struct session *s, const char *uid)
{
    for (int k = s->events - 1; k >= 0; k--)
        if (s->log[k]->kind == SESSION_JOINED && !strcmp(s->log[k]->name, uid))
            return s->log[k]->who;
    return "";
}

/* What an undoing took back: of a hint and a curveball the text, which the candidate may have read;
 * what a note or a line said does not come back here. */
static void undone_text(char *out, size_t size, const struct reporting *r, const char *uid)
{
    for (int k = 0; k < r->session->events; k++) {
        const struct session_event *e = r->session->log[k];
        if (strcmp(e->uid, uid))
            continue;
        switch (e->kind) {
        case SESSION_RATED:
            snprintf(out, size, "the grade of: %s", session_signal_title(r->session, e->name));
            break;
        case SESSION_HINTED: snprintf(out, size, "the hint: %s", e->text ? e->text : ""); break;
        case SESSION_INJECTED:
            snprintf(out, size, "the curveball: %s", e->text ? e->text : "");
            break;
        case SESSION_NOTED: snprintf(out, size, "a note"); break;
        case SESSION_SAID: snprintf(out, size, "a line that was marked as said"); break;
        case SESSION_WITHHELD:
            snprintf(out, size, "%s",
                     e->flag ? "the giving back of evidence" : "the withholding of evidence");
            break;
        default: snprintf(out, size, "%s", session_kind_name(e->kind)); break;
        }
    }
}

static void queued_text(char *out, size_t size, const struct reporting *r,
                        const struct interview_entry *e)
{
    struct attempt *a = interview_attempt_of(r->live, e->part, NULL);
    const struct variant *v = a ? attempt_variant(a) : NULL;
    int at = e->event->number;
    if (at < 0)
        snprintf(out, size, "taken back before they read it");
    else
        snprintf(out, size, "until they have answered: %s",
                 v && at < v->n_pushbacks ? v->pushbacks[at].says : "");
}

/* "try 2: right, 3.2 times as fast as the suspect": why stands with the try. */
static void judged_text(char *out, size_t size, const struct session_event *e)
{
    struct mend_verdict v;
    char line[240];
    mend_decode(&v, e->verdict);
    mend_headline(line, sizeof line, &v);
    snprintf(out, size, "try %d: %s", e->number, line);
}

/* May the entry of a session's event stand in this report? */
static bool event_shown(const struct reporting *r, const struct session_event *e)
{
    bool sent = e->kind == SESSION_HINTED || e->kind == SESSION_INJECTED;
    switch (e->kind) {
    case SESSION_PLANNED:
    case SESSION_INVITED:
    case SESSION_ATTEMPTED:
    case SESSION_TICKED:
    case SESSION_HANDED:
    case SESSION_SPOKE:
    case SESSION_NOTED: return false; /* notes have a list of their own */
    default:
        return (!e->undone || sent) &&
               (!r->candidate || !strcmp(session_audience(e->kind), "all"));
    }
}

static void event_text(char *out, size_t size, const struct reporting *r,
                       const struct interview_entry *entry)
{
    const struct session_event *e = entry->event;
    const char *text = e->text ? e->text : "";
    switch (e->kind) {
    case SESSION_OPENED:
        snprintf(out, size, "the interview; the wall: %s", report_wall(e->wall));
        break;
    case SESSION_JOINED: snprintf(out, size, "%s, %s", e->who, e->role); break;
    case SESSION_LEFT:
        snprintf(out, size, "%s%s%s", party_name(r->session, e->name), *text ? ": " : "", text);
        break;
    case SESSION_BEGAN:
    case SESSION_FINISHED:
        snprintf(out, size, "part %d: %s", e->part + 1, title_of(r->session, e->part));
        break;
    case SESSION_REVEALED:
        snprintf(out, size, "the truth of part %d: %s", e->part + 1, title_of(r->session, e->part));
        break;
    case SESSION_EXTENDED:
        snprintf(out, size, "part %d now lasts %d min: %s",
                 (e->part < 0 ? e->in_part : e->part) + 1, e->number,
                 title_of(r->session, e->part < 0 ? e->in_part : e->part));
        break;
    case SESSION_QUIET:
        snprintf(out, size, e->number ? "begins, %d s at most" : "ends", e->number);
        break;
    case SESSION_WITHHELD:
        snprintf(out, size, "%s%s", probe_title(r, entry), e->flag ? ", to be had again" : "");
        break;
    case SESSION_QUEUED: queued_text(out, size, r, entry); break;
    case SESSION_DRILLED:
        snprintf(out, size, "%s", session_drill_title(r->session, e->name));
        break;
    case SESSION_ANSWERED:
        snprintf(out, size, "%s: %s", session_drill_title(r->session, e->name),
                 e->answer && *e->answer ? e->answer : "skipped");
        break;
    case SESSION_RATED:
        snprintf(out, size, e->number ? "%.80s: %d of 4" : "%.80s: no grade",
                 session_signal_title(r->session, e->name), e->number);
        break;
    case SESSION_MENDING:
        snprintf(out, size, "the fix of part %d%s", e->part + 1, e->flag ? ", no longer" : "");
        break;
    case SESSION_TRIED: snprintf(out, size, "a text for part %d", e->part + 1); break;
    case SESSION_JUDGED: judged_text(out, size, e); break;
    case SESSION_HELPED:
        snprintf(out, size, "step %d of help with the fix", e->number);
        break;
    case SESSION_RELEASED: snprintf(out, size, "the scores, to be seen by the candidate"); break;
    case SESSION_CLOSED: snprintf(out, size, "the interview"); break;
    case SESSION_UNDONE: undone_text(out, size, r, e->name); break;
    default: snprintf(out, size, "%s", report_line(r, e)); break;
    }
    if (e->undone)
        brief_add(out, size, *out ? " (taken back)" : "(taken back)");
}

static const char *who_did(const struct reporting *r, const struct interview_entry *e)
{
    const char *candidate = r->candidate ? "you" : "candidate";
    if (e->move ? e->move->scribe : e->event->scribe)
        return "scribe";
    if (e->move)
        return e->move->kind == MOVE_HANDED || e->move->kind == MOVE_PUSHED ||
                       by_the_reveal(r, e)
                   ? "interviewer"
                   : candidate;
    switch (e->event->kind) {
    case SESSION_JOINED: case SESSION_LEFT: return "link";
    case SESSION_ANSWERED: case SESSION_SPOKE: case SESSION_TRIED: case SESSION_HELPED:
        return candidate;
    case SESSION_JUDGED: return "judge";
    default: return "interviewer";
    }
}

static const char *what_was_done(const struct reporting *r, const struct interview_entry *e)
{
    static const char *const moves[MOVE_COUNT] =
        {[MOVE_CALLED] = "predicted",   [MOVE_BELIEVED] = "moved beliefs",
         [MOVE_PUSHED] = "pushed back", [MOVE_RESPONDED] = "answered it",
         [MOVE_UNDONE] = "took back",   [MOVE_NOTED] = "wrote a note",
         [MOVE_NAMED] = "named causes", [MOVE_HANDED] = "handed out",
         [MOVE_ABANDONED] = "gave up"};
    static const char *const events[SESSION_KINDS] = {[SESSION_FINISHED] = "ended",
                                                      [SESSION_RESUMED] = "went on",
                                                      [SESSION_EXTENDED] = "changed the time",
                                                      [SESSION_QUIET] = "quiet time",
                                                      [SESSION_HINTED] = "gave a hint",
                                                      [SESSION_SAID] = "said aloud",
                                                      [SESSION_INJECTED] = "sent a curveball",
                                                      [SESSION_DRILLED] = "asked a drill",
                                                      [SESSION_QUEUED] = "let a pushback wait",
                                                      [SESSION_RATED] = "graded",
                                                      [SESSION_MENDING] = "asked for",
                                                      [SESSION_TRIED] = "handed in",
                                                      [SESSION_JUDGED] = "judged",
                                                      [SESSION_HELPED] = "asked for",
                                                      [SESSION_UNDONE] = "took back"};
    if (e->move && by_the_reveal(r, e))
        return "took as final";
    if (e->move)
        return moves[e->move->kind] ? moves[e->move->kind] : move_name(e->move->kind);
    return events[e->event->kind] ? events[e->event->kind] : session_kind_name(e->event->kind);
}

/* ---- all of it ---- */

static json_t *line_json(const struct reporting *r, const struct interview_entry *e,
                         const char *text)
{
    json_t *one = json_pack("{s:I, s:i, s:o}", "at_ms", (json_int_t)e->elapsed_ms, "part",
                            e->part + 1, "utc", report_moment(e->at_ms));
    report_put(one, "who", who_did(r, e));
    report_put(one, "what", what_was_done(r, e));
    report_put(one, "text", text);
    return one;
}

static bool entry_shown(char *out, size_t size, const struct reporting *r,
                        const struct interview_entry *e)
{
    *out = '\0';
    if (e->move)
        return move_text(out, size, r, e);
    if (event_shown(r, e->event))
        event_text(out, size, r, e);
    return event_shown(r, e->event);
}

/* What is believed while entries are read: keys that follow each other are one row, at the time of
 * the last. */
struct believing {
    const struct investigation *of;
    int before[MAX_HYPOTHESES], now[MAX_HYPOTHESES];
    const struct interview_entry *open;
};

static void close_beliefs(json_t *list, struct believing *b, const struct reporting *r)
{
    char text[TEXT_MOST];
    if (!b->open)
        return;
    believed_text(text, sizeof text, b->of->story, b->before, b->now);
    if (b->open->move->kind == MOVE_UNDONE && !memcmp(b->before, b->now, sizeof b->before))
        snprintf(text, sizeof text, "an estimate");
    json_array_append_new(list, line_json(r, b->open, text));
    memcpy(b->before, b->now, sizeof b->before);
    b->open = NULL;
}

/* The reveal made it: nothing was answered. */
static bool is_no_answer(const struct interview_entry *e)
{
    return e->move->kind == MOVE_RESPONDED &&
           (e->of->pushback < 0 || e->move->left == LEFT_CUT);
}

static bool takes_belief(struct believing *b, json_t *list, const struct reporting *r,
                         const struct interview_entry *e)
{
    if (e->of != b->of) {
        close_beliefs(list, b, r);
        b->of = e->of;
        belief_even(b->before, e->of->story->n_hypotheses);
    }
    if (e->move->kind == MOVE_STARTED || is_no_answer(e) || !report_beliefs(b->now, e->of, e->move))
        return false;
    if (b->open &&
        (b->open->move->kind != e->move->kind || b->open->move->scribe != e->move->scribe)) {
        int now[MAX_HYPOTHESES];
        memcpy(now, b->now, sizeof now);
        report_beliefs(b->now, b->of, b->open->move);
        close_beliefs(list, b, r);
        memcpy(b->now, now, sizeof now);
    }
    b->open = e;
    return true;
}

json_t *report_timeline(const struct reporting *r)
{
    json_t *list = json_array();
    struct believing b = {0};
    for (int k = 0; k < r->n; k++) {
        const struct interview_entry *e = &r->entries[k];
        char text[TEXT_MOST * 3];
        if ((e->move && takes_belief(&b, list, r, e)) || !entry_shown(text, sizeof text, r, e))
            continue;
        close_beliefs(list, &b, r);
        json_array_append_new(list, line_json(r, e, text));
    }
    close_beliefs(list, &b, r);
    return list;
}
