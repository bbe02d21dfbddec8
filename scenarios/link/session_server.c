#include "scenarios/link/session_inside.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kernels/wire/confine.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

/* ---- small things ---- */

const char *wall_name(enum wall w)
{
    return w == WALL_USER ? "user" : w == WALL_CONFINED ? "confined" : "none";
}

const char *wall_sentence(enum wall w)
{
    static const char *const say[] = {
        "The candidate is another user of this system: file permissions keep answers and log away "
        "from them.",
        "The candidate's terminal runs as your own user, and has given up files, programs and the "
        "network: what is typed there reaches nothing but this session. Leave them no shell of "
        "this account: it reads all that you can read.",
        "The candidate's terminal runs as your own user and could not be confined: a fault in it "
        "could read what you can read.",
    };
    return say[w];
}

/* ---- what came in ---- */

bool session_server_event(struct session_server *s, struct server_event *out)
{
    if (s->n_events == 0)
        return false;
    *out = s->events[s->first];
    s->first = (s->first + 1) % s->cap;
    s->n_events--;
    return true;
}

/* ---- doors ---- */

/* A user who may not come is cut off without a word, and so is one connection too many, which
 * tries again. */
static void door_open(struct session_server *s, int fd)
{
    uid_t uid;
    pid_t pid;
    struct door *d = NULL;
    for (int i = 0; i < DOORS && !d; i++)
        d = door_is_open(&s->doors[i]) ? NULL : &s->doors[i];
    bool may =
        os_peer(fd, &uid, &pid) == 0 && (uid == geteuid() || (s->has_guest && uid == s->guest));
    if (!may || !d || door_unknown(s, NULL) >= UNKNOWN_MOST ||
        door_unknown(s, &uid) >= UNKNOWN_OF_USER) {
        close(fd);
        return;
    }
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    *d = (struct door){.fd = fd,
                       .uid = uid,
                       .pid = pid,
                       .in = frame_reader_new(),
                       .out = frame_writer_new(),
                       .since = s->now(),
                       .heard = s->now(),
                       .pinged = s->now()};
    frame_reader_limit(d->in, LINE_MOST);
}

static void accept_all(struct session_server *s)
{
    for (int i = 0; i < UNKNOWN_MOST; i++) {
        int fd = accept(s->listening, NULL, NULL);
        if (fd >= 0)
            door_open(s, fd);
        else if (errno != EINTR && errno != ECONNABORTED)
            return;
    }
}

/* ---- what parties say ---- */

/* Numbered keys: those that came by an earlier link are passed over; a gap means that the two sides
 * do not mean the same, and the link is made anew. */
static bool hear_keys(struct session_server *s, struct seat *seat, const json_t *msg)
{
    const json_t *n = json_object_get(msg, "n"), *keys = json_object_get(msg, "keys");
    size_t count = json_array_size(keys);
    if (!json_is_integer(n) || json_integer_value(n) < 1 || json_integer_value(n) > 1L << 40 ||
        count < 1 || count > KEYS_MOST)
        return false;
    for (size_t i = 0; i < count; i++) {
        const json_t *key = json_array_get(keys, i);
        if (!json_is_integer(key) || json_integer_value(key) < 0 ||
            json_integer_value(key) > 0x2FFFFFF)
            return false;
    }
    for (size_t i = 0; i < count; i++) {
        long number = (long)json_integer_value(n) + (long)i;
        if (number > seat->got + 1)
            return false;
        if (number <= seat->got)
            continue;
        seat->got = number;
        if (seat->observer)
            continue;
        struct server_event *e = server_push(s, seat, SERVER_KEY);
        e->key = (int)json_integer_value(json_array_get(keys, i));
        e->n = number;
    }
    return true;
}

static bool hear_size(struct session_server *s, struct seat *seat, const json_t *msg)
{
    json_int_t rows = json_integer_value(json_object_get(msg, "rows")),
               columns = json_integer_value(json_object_get(msg, "columns"));
    if (rows < 1 || rows > 1000 || columns < 1 || columns > 1000)
        return false;
    seat->door->hello.rows = (int)rows;
    seat->door->hello.columns = (int)columns;
    struct server_event *last =
        s->n_events ? &s->events[(s->first + s->n_events - 1) % s->cap] : NULL;
    if (last && last->kind == SERVER_SIZE && !strcmp(last->party, seat->uid)) {
        last->rows = (int)rows;
        last->columns = (int)columns;
    } else {
        server_push(s, seat, SERVER_SIZE);
    }
    return true;
}

static bool hear_seen(struct seat *seat, const json_t *msg)
{
    json_int_t n = json_integer_value(json_object_get(msg, "n"));
    if (n < 1 || n > seat->picture)
        return false;
    seat->seen = (long)n;
    return true;
}

static void hear(struct session_server *s, struct door *d, const json_t *msg)
{
    const char *type = json_string_value(json_object_get(msg, "type"));
    bool good = false;
    if (!type)
        type = "";
    if (!strcmp(type, "key"))
        good = hear_keys(s, d->seat, msg);
    else if (!strcmp(type, "size"))
        good = hear_size(s, d->seat, msg);
    else if (!strcmp(type, "seen"))
        good = hear_seen(d->seat, msg);
    else if (!strcmp(type, "pong"))
        good = true;
    else if (!strcmp(type, "leave")) {
        door_close(s, d, "has left");
        return;
    }
    if (!good)
        door_close(s, d, "the link was cut: it said what nobody understands");
    else if (!strcmp(type, "seen"))
        seat_show(s, d->seat);
}

/* One read a turn, so that nobody who talks much keeps the others waiting. */
static void door_read(struct session_server *s, struct door *d)
{
    char *line;
    size_t len;
    int rc = frame_reader_fill(d->in, d->fd, NULL), more;
    if (d->close_by) { /* it may still talk; nobody listens */
        if (rc < 0)
            door_close(s, d, "");
        return;
    }
    while (door_is_open(d) && !d->close_by &&
           (more = frame_reader_next(d->in, &line, &len, NULL)) != 0) {
        json_t *msg = NULL;
        if (more < 0 || frame_parse(&msg, line, len, NULL) != 0) {
            door_close(s, d, "the link was cut: it said what nobody understands");
            return;
        }
        d->heard = s->now();
        if (d->seat)
            hear(s, d, msg);
        else
            door_hear(s, d, msg);
        json_decref(msg);
    }
    if (door_is_open(d) && rc < 0)
        door_close(s, d, "the link was cut");
}

static void door_time(struct session_server *s, struct door *d)
{
    int64_t now = s->now();
    if (d->close_by && now >= d->close_by)
        door_close(s, d, "");
    else if (d->seat && now - d->heard >= SILENT_MS)
        door_close(s, d, "nothing was heard of it for 10 seconds");
    else if (!d->seat && !d->waits && !d->close_by && now - d->since >= HELLO_MS)
        door_close(s, d, "");
    else if (!d->close_by && (d->seat || d->waits) && now - d->pinged >= PING_MS) {
        d->pinged = now;
        door_send(d, json_pack("{s:s, s:I}", "type", "ping", "n", (json_int_t)now));
    }
}

/* ---- what the host does ---- */

static struct seat *seat_of(struct session_server *s, const char *party)
{
    for (int i = 0; i < SEATS; i++)
        if (s->seats[i].used && !strcmp(s->seats[i].uid, party))
            return &s->seats[i];
    return NULL;
}

static void show_and_flush(struct session_server *s, struct seat *seat)
{
    seat_show(s, seat);
    if (seat->door)
        door_flush(s, seat->door);
}

static void show_to(struct session_server *s, bool observers_alone)
{
    for (int i = 0; i < SEATS; i++)
        if (s->seats[i].door && (s->seats[i].observer || !observers_alone))
            show_and_flush(s, &s->seats[i]);
}

void session_server_show(struct session_server *s, const json_t *whole)
{
    json_decref(s->whole);
    s->whole = json_incref((json_t *)whole);
    show_to(s, false);
}

void session_server_veil(struct session_server *s, const json_t *instead)
{
    json_decref(s->veil);
    s->veil = json_incref((json_t *)instead);
    show_to(s, true);
}

void session_server_heard(struct session_server *s, const char *party, long n)
{
    struct seat *seat = seat_of(s, party);
    if (!seat || n <= seat->heard || n > seat->got)
        return;
    seat->heard = n;
    show_and_flush(s, seat);
}

void session_server_dismiss(struct session_server *s, const char *party, const char *say,
                            const json_t *last)
{
    struct seat *seat = seat_of(s, party);
    if (!seat || !seat->door)
        return;
    struct door *d = seat->door;
    json_t *bye = json_pack("{s:s, s:s}", "type", "bye", "say", say);
    if (last)
        json_object_set(bye, "last", (json_t *)last);
    door_dismiss(s, d, bye);
    door_flush(s, d);
}

int session_server_parties(const struct session_server *s, bool observers)
{
    int n = 0;
    for (int i = 0; i < SEATS; i++)
        n += s->seats[i].door && s->seats[i].observer == observers;
    return n;
}

enum wall session_server_wall(const struct session_server *s)
{
    if (s->has_guest && s->guest != geteuid())
        return WALL_USER;
    return (confine_possible() & CONFINED_CALLS) ? WALL_CONFINED : WALL_NONE;
}

const char *session_server_path(const struct session_server *s)
{
    return s->place.socket;
}

/* ---- the loop's part ---- */

static bool may_read(const struct session_server *s, const struct door *d)
{
    return d->close_by || s->n_events < EVENTS_MOST;
}

int session_server_fds(const struct session_server *s, struct pollfd *fds, int most)
{
    int n = 0;
    if (n < most)
        fds[n++] = (struct pollfd){.fd = s->listening, .events = POLLIN};
    for (int i = 0; i < DOORS && n < most; i++) {
        const struct door *d = &s->doors[i];
        if (door_is_open(d))
            fds[n++] =
                (struct pollfd){.fd = d->fd,
                                .events = (short)((may_read(s, d) ? POLLIN : 0) |
                                                  (frame_writer_pending(d->out) ? POLLOUT : 0))};
    }
    return n;
}

static int64_t door_due(const struct door *d)
{
    if (d->close_by)
        return d->close_by;
    if (d->waits)
        return d->answer_at < d->pinged + PING_MS ? d->answer_at : d->pinged + PING_MS;
    if (!d->seat)
        return d->since + HELLO_MS;
    return d->pinged + PING_MS < d->heard + SILENT_MS ? d->pinged + PING_MS : d->heard + SILENT_MS;
}

int session_server_timeout_ms(const struct session_server *s)
{
    int64_t first = INT64_MAX, now = s->now();
    for (int i = 0; i < DOORS; i++)
        if (door_is_open(&s->doors[i]) && door_due(&s->doors[i]) < first)
            first = door_due(&s->doors[i]);
    if (first == INT64_MAX)
        return -1;
    return first > now ? (int)(first - now) : 0;
}

void session_server_step(struct session_server *s)
{
    accept_all(s);
    for (int i = 0; i < DOORS; i++) {
        struct door *d = &s->doors[i];
        if (door_is_open(d) && may_read(s, d))
            door_read(s, d);
        if (door_is_open(d))
            door_answer(s, d);
        if (door_is_open(d))
            door_time(s, d);
    }
    for (int i = 0; i < DOORS; i++)
        if (door_is_open(&s->doors[i]))
            door_flush(s, &s->doors[i]);
}

/* ---- life ---- */

int session_server_open(struct session_server **out, const struct server_rules *rules,
                        session_admit admit, void *self, struct err *err)
{
    struct session_server *s = mem_new(1, sizeof *s);
    bool shared = rules->has_guest && rules->guest != geteuid();
    *out = NULL;
    s->admit = admit;
    s->self = self;
    s->now = os_monotonic_ms;
    s->guest = rules->guest;
    s->has_guest = rules->has_guest;
    s->allow_unconfined = rules->allow_unconfined;
    random_hex(s->boot);
    for (int i = 0; i < DOORS; i++)
        s->doors[i].fd = -1;
    int rc = session_place_make(&s->place, rules->code_id, shared, err);
    if (rc == 0)
        rc = s->listening = session_place_listen(&s->place, err);
    if (rc < 0) {
        free(s);
        return rc;
    }
    *out = s;
    return 0;
}

static void server_end(struct session_server *s, bool bye)
{
    if (!s)
        return;
    session_place_leave(&s->place);
    close(s->listening);
    for (int i = 0; i < DOORS; i++) {
        struct door *d = &s->doors[i];
        if (bye && door_is_open(d) && !d->close_by)
            door_send(d, json_pack("{s:s, s:s}", "type", "bye", "say",
                                   "The interviewer has closed the session."));
        if (door_is_open(d))
            frame_writer_flush(d->out, d->fd, NULL);
        door_free(d);
    }
    for (int i = 0; i < SEATS; i++)
        json_decref(s->seats[i].shown);
    json_decref(s->veil);
    json_decref(s->whole);
    free(s->events);
    free(s);
}

void session_server_free(struct session_server *s)
{
    server_end(s, true);
}

void session_server_vanish(struct session_server *s)
{
    server_end(s, false);
}
