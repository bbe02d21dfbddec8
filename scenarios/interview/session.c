/* The fold: an event that session_check.c lets through is booked. What was taken back is folded
 * again without it, its time included. */
#include "scenarios/interview/session_own.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/interview/session_mend.h"

/* ---- life ---- */

static void part_clear(struct session_state *p)
{
    for (int i = 0; i < p->n_lines; i++)
        free(p->lines[i].text);
    for (int i = 0; i < p->n_drills; i++) {
        free(p->drills[i].answer);
        free(p->drills[i].say);
    }
    free(p->lines);
    free(p->drills);
    free(p->talk);
    session_tries_free(p);
    *p = (struct session_state){0};
}

static void parts_free(struct session *s)
{
    for (int i = 0; s->parts && i < s->plan.n_parts; i++)
        part_clear(&s->parts[i]);
    free(s->parts);
    s->parts = NULL;
}

/* Everything but the log. */
static void clear(struct session *s)
{
    parts_free(s);
    for (int i = 0; i < s->n_notes; i++)
        free(s->notes[i].text);
    free(s->notes);
    free(s->parties);
    *s = (struct session){.part = -1, .log = s->log, .keys = s->keys, .events = s->events};
}

struct session *session_new(void)
{
    struct session *s = mem_new(1, sizeof *s);
    s->part = -1;
    return s;
}

void session_free(struct session *s)
{
    if (!s)
        return;
    clear(s);
    for (int i = 0; i < s->events; i++) {
        session_event_free(s->log[i]);
        free(s->log[i]);
    }
    free(s->log);
    free(s->keys);
    free(s);
}

/* ---- the clock ---- */

/* Time that does not count moves the end of quiet time. */
static void pass(struct session *s, const struct session_event *e)
{
    bool away = e->kind == SESSION_OPENED || (e->kind == SESSION_TICKED && e->flag);
    int64_t gap = s->last_ms && e->at_ms > s->last_ms ? e->at_ms - s->last_ms : 0;
    if (s->phase == SESSION_RUNNING && !away) {
        s->elapsed_ms += gap;
        s->parts[s->part].spent_ms += gap;
    } else if (s->quiet_until_ms > s->last_ms) {
        s->quiet_until_ms += gap;
    }
    if (s->quiet_until_ms && s->quiet_until_ms <= e->at_ms)
        s->quiet_until_ms = 0;
    s->last_ms = e->at_ms;
}

static void add_name(char list[][48], int *n, const char *name)
{
    if (session_name_find((const char(*)[48])list, *n, name) < 0)
        snprintf(list[(*n)++], 48, "%.47s", name);
}

/* ---- entries ---- */

static void book_planned(struct session *s, const struct session_event *e)
{
    parts_free(s);
    session_plan_decode(&s->plan, e->plan, NULL);
    s->parts = mem_new((size_t)s->plan.n_parts, sizeof *s->parts);
    int kept = 0;
    for (int g = 0; g < s->n_grades; g++)   /* of signals that are still asked for */
        for (int i = 0; i < s->plan.n_signals; i++)
            if (!strcmp(s->plan.signals[i].id, s->signal[g])) {
                memmove(s->signal[kept], s->signal[g], sizeof s->signal[g]);
                s->late_ms[kept] = s->late_ms[g];
                s->knowing[kept] = s->knowing[g];
                s->grade[kept++] = s->grade[g];
                break;
            }
    s->n_grades = kept;
}

static void book_invited(struct session *s, const struct session_event *e)
{
    const char *id = json_string_value(json_object_get(e->invitation, "id"));
    const char *candidate = json_string_value(json_object_get(e->invitation, "candidate"));
    const char *observer = json_string_value(json_object_get(e->invitation, "observer"));
    snprintf(s->code_id, sizeof s->code_id, "%s", id ? id : "");
    snprintf(s->secret_sha256, sizeof s->secret_sha256, "%s", candidate ? candidate : "");
    snprintf(s->observer_sha256, sizeof s->observer_sha256, "%s", observer ? observer : "");
    s->expires_ms = json_integer_value(json_object_get(e->invitation, "expires_ms"));
}

static void book_joined(struct session *s, const struct session_event *e)
{
    struct session_party *p = session_party_find(s, e->name);
    if (!p) {
        s->parties = mem_grow(s->parties, (size_t)s->n_parties + 1, sizeof *s->parties);
        p = &s->parties[s->n_parties++];
        *p = (struct session_party){0};
        snprintf(p->uid, sizeof p->uid, "%.32s", e->name);
    }
    snprintf(p->role, sizeof p->role, "%.11s", e->role);
    snprintf(p->name, sizeof p->name, "%s", e->who);
    snprintf(p->wall, sizeof p->wall, "%s", e->wall);
    p->here = true;
    p->seen_ms = e->at_ms;
}

static void book_left(struct session *s, const struct session_event *e)
{
    struct session_party *p = session_party_find(s, e->name);
    p->here = false;
    p->seen_ms = e->at_ms;
}

static void leave_part(struct session *s)
{
    if (session_is_running(s)) {
        s->parts[s->part].finished = true;
        s->parts[s->part].queued = 0;
    }
    s->quiet_until_ms = 0;
}

static void book_began(struct session *s, const struct session_event *e)
{
    leave_part(s);
    session_mend_end(s);
    s->part = e->part;
    s->parts[s->part].begun = true;
    s->parts[s->part].finished = false;
    s->phase = SESSION_RUNNING;
    if (!s->began_ms)
        s->began_ms = e->at_ms ? e->at_ms : 1;
}

static void book_withheld(struct session_state *p, const struct session_event *e)
{
    int at = session_name_find((const char(*)[48])p->withheld, p->n_withheld, e->name);
    if (!e->flag)
        add_name(p->withheld, &p->n_withheld, e->name);
    else if (at >= 0)
        memmove(p->withheld[at], p->withheld[at + 1],
                (size_t)(--p->n_withheld - at) * sizeof p->withheld[0]);
}

static void book_line(struct session *s, const struct session_event *e)
{
    struct session_state *p = session_now(s);
    p->lines = mem_grow(p->lines, (size_t)p->n_lines + 1, sizeof *p->lines);
    struct session_line *line = &p->lines[p->n_lines++];
    *line = (struct session_line){.kind = e->kind,
                                  .at_ms = e->at_ms,
                                  .elapsed_ms = s->elapsed_ms,
                                  .number = e->number,
                                  .text = text_dup(e->text)};
    snprintf(line->uid, sizeof line->uid, "%s", e->uid);
}

static void book_note(struct session *s, const struct session_event *e)
{
    s->notes = mem_grow(s->notes, (size_t)s->n_notes + 1, sizeof *s->notes);
    struct session_note *n = &s->notes[s->n_notes++];
    *n = (struct session_note){.at_ms = e->at_ms,
                               .elapsed_ms = s->elapsed_ms,
                               .share = e->flag,
                               .text = text_dup(e->text)};
    snprintf(n->uid, sizeof n->uid, "%s", e->uid);
}

static void book_drilled(struct session_state *p, const struct session_event *e)
{
    p->drills = mem_grow(p->drills, (size_t)p->n_drills + 1, sizeof *p->drills);
    struct session_drill *d = &p->drills[p->n_drills++];
    *d = (struct session_drill){.seed = e->seed, .asked_ms = e->at_ms};
    snprintf(d->drill, sizeof d->drill, "%s", e->name);
}

static void book_answered(struct session_state *p, const struct session_event *e)
{
    struct session_drill *d = &p->drills[p->n_drills - 1];
    d->answered = true;
    d->answer = text_dup(e->answer ? e->answer : "");
    d->say = text_dup(e->text ? e->text : "");
    snprintf(d->how, sizeof d->how, "%s", e->role);
    d->points = e->points;
    d->seconds = e->number;
}

static void book_rated(struct session *s, const struct session_event *e)
{
    int at = session_name_find((const char(*)[48])s->signal, s->n_grades, e->name);
    bool knowing = session_scores_open(s, false);
    if (at < 0) {
        at = s->n_grades++;
        snprintf(s->signal[at], sizeof s->signal[at], "%.47s", e->name);
    }
    s->grade[at] = e->number;
    s->knowing[at] = knowing;
    s->late_ms[at] = s->phase == SESSION_OVER ? e->at_ms : 0;
}

static void book_talk(struct session_state *p, const struct session_event *e)
{
    free(p->talk);
    p->talk = text_dup(e->text ? e->text : "");
}

/* The time has passed already. */
static void book(struct session *s, const struct session_event *e)
{
    struct session_state *p = session_now(s);
    switch (e->kind) {
    case SESSION_PLANNED: book_planned(s, e); break;
    case SESSION_INVITED: book_invited(s, e); break;
    case SESSION_OPENED:
        for (int i = 0; i < s->n_parties; i++)
            s->parties[i].here = false;
        snprintf(s->guest, sizeof s->guest, "%s", e->who);
        break;
    case SESSION_JOINED: book_joined(s, e); break;
    case SESSION_LEFT: book_left(s, e); break;
    case SESSION_BEGAN: book_began(s, e); break;
    case SESSION_ATTEMPTED: snprintf(p->attempt, sizeof p->attempt, "%.32s", e->name); break;
    case SESSION_FINISHED: leave_part(s); s->phase = SESSION_BETWEEN; break;
    case SESSION_PAUSED: s->phase = SESSION_ON_PAUSE; break;
    case SESSION_RESUMED: s->phase = SESSION_RUNNING; break;
    case SESSION_EXTENDED:
        s->plan.parts[e->part < 0 ? s->part : e->part].minutes = e->number;
        break;
    case SESSION_QUIET:
        s->quiet_until_ms = e->number ? e->at_ms + (int64_t)e->number * 1000 : 0;
        break;
    case SESSION_WITHHELD: book_withheld(p, e); break;
    case SESSION_HANDED: add_name(p->handed, &p->n_handed, e->name); break;
    case SESSION_HINTED: case SESSION_SAID: case SESSION_INJECTED: book_line(s, e); break;
    case SESSION_QUEUED: p->queued = e->number + 1; break;
    case SESSION_DRILLED: book_drilled(p, e); break;
    case SESSION_ANSWERED: book_answered(p, e); break;
    case SESSION_RATED: book_rated(s, e); break;
    case SESSION_NOTED: book_note(s, e); break;
    case SESSION_SPOKE: book_talk(p, e); break;
    case SESSION_REVEALED:
        s->parts[e->part].revealed = true;
        s->parts[e->part].queued = 0;
        break;
    case SESSION_MENDING:
    case SESSION_TRIED:
    case SESSION_JUDGED:
    case SESSION_HELPED: session_mend_book(s, e); break;
    case SESSION_RELEASED: s->released = true; break;
    case SESSION_CLOSED:
        leave_part(s);
        session_mend_end(s);
        s->phase = SESSION_OVER;
        break;
    default: break;
    }
}

static void enter(struct session *s, struct session_event *e, bool effect)
{
    pass(s, e);
    if (effect)
        book(s, e);
    if (e->seq > s->seq)
        s->seq = e->seq;
    e->elapsed_ms = s->elapsed_ms;
    e->in_part = s->part;
    e->runs = s->phase == SESSION_RUNNING;
}

/* Everything again without what was taken back. What rested on it alone (a probe given back that
 * was never withheld) goes with it. */
static void refold(struct session *s)
{
    clear(s);
    for (int i = 0; i < s->events; i++) {
        struct session_event *e = s->log[i];
        bool holds = !session_can_undo(e->kind) || session_check_kind(s, e, NULL) == 0;
        enter(s, e, !e->undone && holds);
    }
}

static struct session_event *keep(struct session *s, const struct session_event *e)
{
    s->log = mem_grow(s->log, (size_t)s->events + 1, sizeof *s->log);
    s->keys = mem_grow(s->keys, (size_t)s->events + 1, sizeof *s->keys);
    s->keys[s->events] = session_uid_key(e->uid);
    return s->log[s->events++] = session_event_copy(e);
}

int session_apply(struct session *s, const struct session_event *e, struct err *err)
{
    if (e->seq > 0 && e->seq <= s->seq)
        return 1;
    int rc = session_check(s, e, err);
    if (rc)
        return rc;
    struct session_event *kept = keep(s, e);
    if (e->kind == SESSION_UNDONE) {
        session_event_find(s, e->name)->undone = true;
        refold(s);
    } else {
        enter(s, kept, true);
    }
    return 0;
}

struct session *session_until(const struct session *s, int events)
{
    struct session *out = session_new();
    for (int i = 0; i < events && i < s->events; i++)
        keep(out, s->log[i]);
    for (int i = 0; i < out->events; i++)
        if (out->log[i]->kind == SESSION_UNDONE)
            session_event_find(out, out->log[i]->name)->undone = true;
    refold(out);    /* unchecked: each was checked when it came */
    return out;
}
