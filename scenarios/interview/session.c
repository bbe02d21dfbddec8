/* The fold. An event is checked by the function of its kind and then booked; the checks come before
 * any change, so that what is refused changes nothing. What was taken back is folded again without
 * it, its time included. */
#include "scenarios/interview/session.h"

#include <stdio.h>
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

static int64_t since(const struct session *s, int64_t now_ms)
{
    return s->phase == SESSION_RUNNING && now_ms > s->last_ms ? now_ms - s->last_ms : 0;
}

int64_t session_part_ms(const struct session *s, int64_t now_ms)
{
    return s->part < 0 ? 0 : s->parts[s->part].spent_ms + since(s, now_ms);
}

int64_t session_total_ms(const struct session *s, int64_t now_ms)
{
    return s->elapsed_ms + since(s, now_ms);
}

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

/* ---- what is known ---- */

static struct session_state *now_part(const struct session *s)
{
    return s->part < 0 ? NULL : &s->parts[s->part];
}

static int find_name(const char list[][48], int n, const char *name)
{
    for (int i = 0; i < n; i++)
        if (!strcmp(list[i], name))
            return i;
    return -1;
}

static void add_name(char list[][48], int *n, const char *name)
{
    if (find_name((const char(*)[48])list, *n, name) < 0)
        snprintf(list[(*n)++], 48, "%.47s", name);
}

bool session_is_withheld(const struct session *s, const char *probe)
{
    const struct session_state *p = now_part(s);
    return p && find_name((const char(*)[48])p->withheld, p->n_withheld, probe) >= 0;
}

const struct session_drill *session_drill_open(const struct session *s)
{
    const struct session_state *p = now_part(s);
    const struct session_drill *last = p && p->n_drills > 0 ? &p->drills[p->n_drills - 1] : NULL;
    return last && !last->answered ? last : NULL;
}

static bool can_undo(enum session_kind k)
{
    return k == SESSION_RATED || k == SESSION_NOTED || k == SESSION_SAID || k == SESSION_HINTED ||
           k == SESSION_INJECTED || k == SESSION_WITHHELD;
}

const char *session_undoable(const struct session *s)
{
    for (int i = s->events - 1; i >= 0; i--)
        if (can_undo(s->log[i]->kind) && !s->log[i]->undone && s->log[i]->uid[0])
            return s->log[i]->uid;
    return "";
}

/* FNV-1a: uids are random in interviews, and numbers in tests. */
static uint64_t key_of(const char *uid)
{
    uint64_t key = 0xCBF29CE484222325u;
    for (; *uid; uid++)
        key = (key ^ (unsigned char)*uid) * 0x100000001B3u;
    return key;
}

static const struct session_event *last_drilled(const struct session *s, const char *id)
{
    for (int i = s->events - 1; i >= 0; i--)
        if (s->log[i]->kind == SESSION_DRILLED && !strcmp(s->log[i]->name, id))
            return s->log[i];
    return NULL;
}

const char *session_drill_title(const struct session *s, const char *id)
{
    const struct session_event *e = last_drilled(s, id);
    return e && e->text && *e->text ? e->text : id;
}

uint64_t session_drill_seed(const struct session *s, const char *id)
{
    const struct session_event *e = last_drilled(s, id);
    return e ? e->seed : (s->plan.seed ^ key_of(id)) & INT64_MAX;
}

static struct session_event *find_event(const struct session *s, const char *uid)
{
    uint64_t key = key_of(uid);
    for (int i = s->events - 1; uid[0] && i >= 0; i--)
        if (s->keys[i] == key && !strcmp(s->log[i]->uid, uid))
            return s->log[i];
    return NULL;
}

static struct session_party *find_party(const struct session *s, const char *uid)
{
    for (int i = 0; i < s->n_parties; i++)
        if (!strcmp(s->parties[i].uid, uid))
            return &s->parties[i];
    return NULL;
}

static bool is_running(const struct session *s)
{
    return s->phase == SESSION_RUNNING || s->phase == SESSION_ON_PAUSE;
}

/* ---- checks ---- */

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
    if (e->kind == SESSION_BEGAN && is_running(s) && e->part == s->part)
        return REFUSE("part %d runs already", e->part + 1);
    if (e->kind == SESSION_BEGAN)
        return 0;
    if (e->kind == SESSION_FINISHED || e->kind == SESSION_ATTEMPTED) {
        if (!is_running(s) || e->part != s->part)
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
    const struct session_state *p = now_part(s);
    if (!p || !is_running(s))
        return REFUSE("no part runs");
    if (strlen(e->name) >= sizeof p->withheld[0])
        return REFUSE("a probe's name has at most %zu bytes", sizeof p->withheld[0] - 1);
    bool held = session_is_withheld(s, e->name);
    if (e->kind == SESSION_HANDED)
        return find_name((const char(*)[48])p->handed, p->n_handed, e->name) >= 0
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
    const struct session_state *p = now_part(s);
    if (!p || !is_running(s))
        return REFUSE("no part runs");
    if (e->kind != SESSION_SPOKE && (!e->text || !*e->text))
        return REFUSE("there is no text");
    return p->n_lines < LINES_MOST ? 0 : REFUSE("%d lines in one part: no more", LINES_MOST);
}

static int check_drill(const struct session *s, const struct session_event *e, struct err *err)
{
    const struct session_drill *open = session_drill_open(s);
    if (!is_running(s))
        return REFUSE("no part runs");
    if (e->kind == SESSION_ANSWERED)
        return open && !strcmp(open->drill, e->name) ? 0
                                                     : REFUSE("%s waits for no answer", e->name);
    if (open)
        return REFUSE("%s waits for its answer", open->drill);
    return now_part(s)->n_drills < DRILLS_MOST
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
    return is_running(s) ? 0 : REFUSE("no part runs");
}

static int check_queued(const struct session *s, const struct session_event *e, struct err *err)
{
    const struct session_state *p = now_part(s);
    if (!p || !is_running(s) || !p->attempt[0])
        return REFUSE("no scenario runs");
    return e->number >= 0 || p->queued ? 0 : REFUSE("no pushback waits");
}

static int check_extended(const struct session *s, const struct session_event *e, struct err *err)
{
    if (e->number < 1 || e->number > PART_MINUTES_MOST)
        return REFUSE("a part lasts 1 to %d minutes", PART_MINUTES_MOST);
    if (e->part < 0)
        return is_running(s) ? 0 : REFUSE("no part runs");
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
    const struct session_event *at = find_event(s, e->name);
    if (!at || !can_undo(at->kind))
        return REFUSE("that cannot be taken back");
    return at->undone ? REFUSE("that was taken back already") : 0;
}

static int check_joined(const struct session *s, const struct session_event *e, struct err *err)
{
    if (!e->name[0] || strlen(e->name) >= sizeof s->parties->uid)
        return REFUSE("a party needs a name of at most %zu bytes", sizeof s->parties->uid - 1);
    return find_party(s, e->name) || s->n_parties < PARTIES_MOST_EVER
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

static int check_kind(const struct session *s, const struct session_event *e, struct err *err)
{
    switch (e->kind) {
    case SESSION_PLANNED: return check_planned(s, e, err);
    case SESSION_INVITED: return e->invitation ? 0 : REFUSE("an invitation needs its codes");
    case SESSION_JOINED: return check_joined(s, e, err);
    case SESSION_LEFT: return find_party(s, e->name) ? 0 : REFUSE("nobody of that name came");
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
    if (find_event(s, e->uid))
        return REFUSE("this was done already");
    int rc = check_kind(s, e, err);
    return rc ? rc : check_readable(e, err);
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
    struct session_party *p = find_party(s, e->name);
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
    struct session_party *p = find_party(s, e->name);
    p->here = false;
    p->seen_ms = e->at_ms;
}

static void leave_part(struct session *s)
{
    if (is_running(s)) {
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
    int at = find_name((const char(*)[48])p->withheld, p->n_withheld, e->name);
    if (!e->flag)
        add_name(p->withheld, &p->n_withheld, e->name);
    else if (at >= 0)
        memmove(p->withheld[at], p->withheld[at + 1],
                (size_t)(--p->n_withheld - at) * sizeof p->withheld[0]);
}

static void book_line(struct session *s, const struct session_event *e)
{
    struct session_state *p = now_part(s);
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
    int at = find_name((const char(*)[48])s->signal, s->n_grades, e->name);
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
    struct session_state *p = now_part(s);
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
        enter(s, e, !e->undone && (!can_undo(e->kind) || check_kind(s, e, NULL) == 0));
    }
}

static struct session_event *keep(struct session *s, const struct session_event *e)
{
    s->log = mem_grow(s->log, (size_t)s->events + 1, sizeof *s->log);
    s->keys = mem_grow(s->keys, (size_t)s->events + 1, sizeof *s->keys);
    s->keys[s->events] = key_of(e->uid);
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
        find_event(s, e->name)->undone = true;
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
            find_event(out, out->log[i]->name)->undone = true;
    refold(out);    /* unchecked: each was checked when it came */
    return out;
}
