/* Who comes in: join is read, its version compared, its code asked for (in no hurry where codes
 * were wrong), its wall looked at, its seat found. */
#include "scenarios/link/session_inside.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kernels/wire/confine.h"
#include "kernels/wire/fields.h"
#include "kernels/wire/text.h"
#include "scenarios/supply/client.h"

static void refuse(struct session_server *s, struct door *d, const char *reason, const char *say)
{
    int noted = 0;
    for (int i = 0; i < s->n_events; i++)
        noted += s->events[(s->first + i) % s->cap].kind == SERVER_REFUSED;
    if (noted < 8) { /* nobody floods the console from outside */
        struct server_event *e = server_push(s, NULL, SERVER_REFUSED);
        snprintf(e->name, sizeof e->name, "%s", d->hello.name);
        snprintf(e->reason, sizeof e->reason, "%s", reason);
        snprintf(e->say, sizeof e->say, "%s", say);
        line_clean(e->say);
    }
    door_dismiss(s, d,
                 json_pack("{s:s, s:s, s:s}", "type", "refused", "reason", reason, "say", say));
}

/* ---- reading join ---- */

static bool version_fits(struct session_server *s, struct door *d, const json_t *msg)
{
    const json_t *protocol = json_object_get(msg, "protocol"),
                 *program = json_object_get(msg, "program");
    json_int_t theirs = json_is_integer(protocol) ? json_integer_value(protocol) : 0;
    char version[32], say[300];
    if (theirs == SESSION_PROTOCOL)
        return true;
    snprintf(version, sizeof version, "%s",
             json_is_string(program) ? json_string_value(program) : "of no version");
    line_clean(version);
    snprintf(say, sizeof say,
             "The host is warpdrill %s (protocol %d), and this is %s (protocol %lld), which is %s. "
             "Use one version on both sides.",
             WARPDRILL_VERSION, SESSION_PROTOCOL, version, (long long)theirs,
             theirs < SESSION_PROTOCOL ? "older" : "newer");
    refuse(s, d, "version", say);
    return false;
}

static int hello_decode(struct hello *h, const json_t *msg, struct err *err)
{
    struct fields_state state = {.err = err};
    struct fields f = fields_open(&state, msg);
    fields_only(&f, "type protocol program code name client rows columns utf8 confined");
    fields_text(&f, "program", h->program, sizeof h->program);
    fields_text(&f, "code", h->code, sizeof h->code);
    fields_text(&f, "name", h->name, sizeof h->name);
    fields_text(&f, "client", h->client, sizeof h->client);
    h->rows = (int)fields_whole(&f, "rows", 1, 1000);
    h->columns = (int)fields_whole(&f, "columns", 1, 1000);
    h->utf8 = fields_bool(&f, "utf8");
    unsigned confined = (unsigned)fields_whole(&f, "confined", 0, 3);
    h->confined = (confined & CONFINED_FILES) && (confined & CONFINED_CALLS);
    line_clean(h->name);
    if (!state.code && strlen(h->client) != 32)
        return err_set(err, ERR_BAD_REQUEST, "that is no party");
    return state.code;
}

/* ---- patience ---- */

static struct knocker *knocker_of(struct session_server *s, uid_t uid)
{
    struct knocker *k = s->knockers;
    while (k < s->knockers + KNOCKERS - 1 && k->used && k->uid != uid)
        k++;
    if (!k->used || k->uid != uid)
        *k = (struct knocker){.used = true, .uid = uid};
    return k;
}

/* The place that is free first. A wrong code keeps one until its time has passed, whether its
 * process waits for the answer or not. */
static int64_t *place_for_wrong(struct session_server *s, uid_t uid)
{
    struct knocker *k = knocker_of(s, uid);
    int64_t *first = &k->taken_until[0];
    for (int i = 1; i < WRONG_MOST; i++)
        if (k->taken_until[i] < *first)
            first = &k->taken_until[i];
    return first;
}

/* While all places of a user are taken nobody of that user is judged, and then in turn. */
static bool is_first_of_user(const struct session_server *s, const struct door *d)
{
    for (int i = 0; i < DOORS; i++) {
        const struct door *other = &s->doors[i];
        if (other->fd >= 0 && other->waits && !other->wrong && other->uid == d->uid &&
            other->turn < d->turn)
            return false;
    }
    return true;
}

int door_unknown(const struct session_server *s, const uid_t *uid)
{
    int n = 0;
    for (int i = 0; i < DOORS; i++)
        n += door_is_open(&s->doors[i]) && !s->doors[i].seat && !s->doors[i].wrong &&
             (!uid || s->doors[i].uid == *uid);
    return n;
}

void door_hear(struct session_server *s, struct door *d, const json_t *msg)
{
    struct err err = {0};
    const char *type = json_string_value(json_object_get(msg, "type"));
    if (d->waits && type && !strcmp(type, "pong"))
        return;
    if (d->waits || !type || strcmp(type, "join")) {
        refuse(s, d, "bad", "That is not how one joins.");
        return;
    }
    if (!version_fits(s, d, msg))
        return;
    if (hello_decode(&d->hello, msg, &err)) {
        refuse(s, d, "bad", err.text);
        return;
    }
    d->waits = true;
    d->turn = ++s->turns;
    d->answer_at = *place_for_wrong(s, d->uid);
}

/* ---- seats ---- */

static struct seat *seat_here(struct session_server *s, bool observer, const char *name, int *n)
{
    struct seat *found = NULL;
    *n = 0;
    for (int i = 0; i < SEATS; i++) {
        struct seat *seat = &s->seats[i];
        if (!seat->used || seat->observer != observer)
            continue;
        *n += seat->door != NULL;
        if (!strcmp(seat->name, name))
            found = seat;
    }
    return found;
}

static struct seat *seat_free(struct session_server *s)
{
    struct seat *oldest = NULL;
    for (int i = 0; i < SEATS; i++) {
        struct seat *seat = &s->seats[i];
        if (!seat->used)
            return seat;
        if (!seat->door && (!oldest || seat->gone < oldest->gone))
            oldest = seat;
    }
    return oldest; /* fewer parties than seats can be here at once */
}

static struct seat *seat_make(struct session_server *s, const struct hello *h, bool observer)
{
    struct seat *seat = seat_free(s);
    json_decref(seat->shown);
    *seat = (struct seat){.used = true, .observer = observer};
    random_hex(seat->uid);
    snprintf(seat->name, sizeof seat->name, "%s", h->name);
    return seat;
}

static void welcome(struct session_server *s, struct door *d)
{
    struct seat *seat = d->seat;
    door_send(d,
              json_pack("{s:s, s:i, s:s, s:s, s:s, s:I, s:I}", "type", "welcome", "protocol",
                        SESSION_PROTOCOL, "program", WARPDRILL_VERSION, "role",
                        seat->observer ? "observer" : "candidate", "boot", s->boot, "got",
                        (json_int_t)seat->got, "heard", (json_int_t)seat->heard));
    json_decref(seat->shown);
    seat->shown = NULL;
    seat->told = seat->heard;
    seat->picture = seat->seen = 0;
    seat_show(s, seat);
}

/* The same process again: the seat was kept for it, and what it was told by its old link need not
 * be said again. */
static void come_back(struct session_server *s, struct door *d, struct seat *seat)
{
    bool was_here = seat->door != NULL;
    if (was_here) {
        struct door *old = seat->door;
        old->seat = NULL;
        seat->door = NULL;
        door_close(s, old, "");
    }
    d->seat = seat;
    seat->door = d;
    server_push(s, seat, was_here ? SERVER_SIZE : SERVER_JOINED);
    welcome(s, d);
}

static void sit_down(struct session_server *s, struct door *d, struct seat *seat, enum wall wall)
{
    if (seat->door)
        door_dismiss(s, seat->door,
                     json_pack("{s:s, s:s}", "type", "bye", "say",
                               "You have come back elsewhere: this terminal is no longer part of "
                               "the interview."));
    memcpy(seat->client, d->hello.client, sizeof seat->client);
    seat->got = seat->heard = 0;
    seat->wall = wall;
    d->seat = seat;
    seat->door = d;
    server_push(s, seat, SERVER_JOINED);
    welcome(s, d);
}

static enum wall wall_of(const struct door *d)
{
    if (d->uid != geteuid())
        return WALL_USER;
    return d->hello.confined && confine_seen(d->pid) ? WALL_CONFINED : WALL_NONE;
}

static void let_in(struct session_server *s, struct door *d, bool observer)
{
    char say[300];
    int here;
    enum wall wall = wall_of(d);
    struct seat *seat = seat_here(s, observer, d->hello.name, &here);
    if (wall == WALL_NONE && !s->allow_unconfined) {
        refuse(s, d, "wall",
               "This system cannot take files and programs away from who joins as the "
               "interviewer's own user; the host must allow that (--no-wall) or invite another "
               "user (--for USER).");
        return;
    }
    if (!*d->hello.name) {
        door_dismiss(s, d, json_pack("{s:s}", "type", "name")); /* the party comes again with one */
        return;
    }
    if (!observer && here > 0 && !(seat && seat->door)) {
        refuse(s, d, "taken",
               "The candidate is here already, and there is one. If that is you, join with the "
               "name that you gave before.");
        return;
    }
    if (observer && here >= PARTIES_MOST - 1 && !(seat && seat->door)) {
        snprintf(say, sizeof say, "There are %d observers already.", here);
        refuse(s, d, "full", say);
        return;
    }
    if (seat && !strcmp(seat->client, d->hello.client))
        come_back(s, d, seat);
    else
        sit_down(s, d, seat ? seat : seat_make(s, &d->hello, observer), wall);
}

/* The answer to a wrong code comes late and on its own connection, so that guesses are few and
 * nobody else waits for them. */
static void wait_with_wrong(struct session_server *s, struct door *d, const struct err *err)
{
    snprintf(d->reason, sizeof d->reason, "%.159s",
             *err->text ? err->text : "That code lets nobody in.");
    d->wrong = true;
    d->answer_at = s->now() + WRONG_MS;
    *place_for_wrong(s, d->uid) = d->answer_at;
}

static void judge(struct session_server *s, struct door *d)
{
    struct err err = {0};
    bool observer = false;
    d->answer_at = *place_for_wrong(s, d->uid);
    if (s->now() < d->answer_at)
        return;
    if (s->admit(s->self, d->hello.code, &observer, &err) != 0) {
        wait_with_wrong(s, d, &err);
        return;
    }
    d->waits = false;
    let_in(s, d, observer);
}

void door_answer(struct session_server *s, struct door *d)
{
    if (!d->waits || d->close_by || s->now() < d->answer_at)
        return;
    if (!d->wrong && is_first_of_user(s, d))
        judge(s, d);
    else if (d->wrong)
        refuse(s, d, "code", d->reason);
}
