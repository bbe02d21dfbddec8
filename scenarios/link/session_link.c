#include "scenarios/link/session_link.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/wire/frame.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"
#include "scenarios/supply/client.h"
#include "scenarios/link/session_inside.h"

enum { RETRY_FIRST_MS = 50, RETRY_MOST_MS = 1000, SAY = 400, KEYS_A_MESSAGE = 1024 };

struct session_link {
    char code[32], code_id[8], name[64], client[33], boot[33], say[SAY];
    enum link_state state;
    bool observer, utf8;
    unsigned confined;
    int rows, columns, told_rows, told_columns;
    uid_t owner;                         /* of the place where the host was last; -1: never found */
    bool absent;                         /* nothing is at any place now */
    int fd;                              /* -1: no connection */
    struct frame_reader *in;
    struct frame_writer *out;
    bool welcomed;                       /* on this connection */
    int64_t heard, retry_at, away_since;
    int backoff;
    int keys[LINK_KEYS_MOST];            /* first .. first + n - 1, by their numbers */
    long first, sent; /* the number of keys[0]; of the last one sent on this connection */
    int n, dropped, lost[LINK_KEYS_MOST];/* lost: the keys that were dropped */
    json_t *picture, *last;              /* that came and was not taken; that stays after the end */
    long picture_n;
};

int session_name_read(char out[64], const char *typed, struct err *err)
{
    size_t n = text_cut(typed, strlen(typed), 63);
    memcpy(out, typed, n);
    out[n] = '\0';
    line_clean(out);
    return *out ? 0
                : err_set(err, ERR_BAD_REQUEST,
                          "a name to show is needed: a first name or initials will do");
}

struct session_link *session_link_new(const struct link_terms *terms)
{
    struct session_link *l = mem_new(1, sizeof *l);
    snprintf(l->code, sizeof l->code, "%s", terms->code);
    snprintf(l->code_id, sizeof l->code_id, "%.*s", (int)strcspn(l->code, "-"), l->code);
    snprintf(l->name, sizeof l->name, "%s", terms->name);
    random_hex(l->client);
    l->rows = terms->rows;
    l->columns = terms->columns;
    l->utf8 = terms->utf8;
    l->confined = terms->confined;
    l->fd = -1;
    l->owner = (uid_t)-1;
    l->first = 1;
    l->backoff = RETRY_FIRST_MS;
    l->away_since = os_monotonic_ms();
    return l;
}

static bool is_over(const struct session_link *l)
{
    return l->state == LINK_REFUSED || l->state == LINK_ENDED;
}

/* ---- the connection ---- */

/* Nobody is to be reached: for good, or until there is a name. */
static bool rests(const struct session_link *l)
{
    return is_over(l) || l->state == LINK_NAMELESS;
}

static void cut(struct session_link *l)
{
    if (l->fd < 0)
        return;
    close(l->fd);
    frame_reader_free(l->in);
    frame_writer_free(l->out);
    l->fd = -1;
    l->in = NULL;
    l->out = NULL;
    json_decref(l->picture);
    l->picture = NULL;
    l->picture_n = 0;
}

static void lose(struct session_link *l)
{
    cut(l);
    if (rests(l))
        return;
    if (l->state == LINK_HERE) {
        l->state = LINK_AWAY;
        l->away_since = os_monotonic_ms();
        snprintf(l->say, sizeof l->say, "The host does not answer. Your keys are kept.");
    }
    l->retry_at = os_monotonic_ms() + l->backoff;
    l->backoff = l->backoff * 2 < RETRY_MOST_MS ? l->backoff * 2 : RETRY_MOST_MS;
    l->welcomed = false;
}

static void send_message(struct session_link *l, json_t *msg)
{
    if (l->fd >= 0)
        frame_writer_put(l->out, msg, NULL);
    json_decref(msg);
}

/* The socket belongs to who owns its folder, else somebody else sits there. */
static bool is_owner(int fd, const struct session_place *place)
{
    uid_t uid;
    pid_t pid;
    return os_peer(fd, &uid, &pid) == 0 && uid == place->owner;
}

static void try_connect(struct session_link *l)
{
    struct session_place place;
    struct err err = {0};
    int rc = session_place_find(&place, l->code_id, &err);
    if (rc == 0)
        l->owner = place.owner;
    l->absent = rc == ERR_MISSING;
    l->fd = rc ? -1 : session_place_connect(&place, &err);
    if (l->fd >= 0 && !is_owner(l->fd, &place)) {
        close(l->fd);
        l->fd = -1;
    }
    if (l->fd < 0) {
        l->fd = -1;
        lose(l);
        return;
    }
    l->in = frame_reader_new();
    l->out = frame_writer_new();
    l->heard = os_monotonic_ms();
    l->told_rows = l->rows;
    l->told_columns = l->columns;
    send_message(l,
                 json_pack("{s:s, s:i, s:s, s:s, s:s, s:s, s:i, s:i, s:b, s:i}", "type", "join",
                           "protocol", SESSION_PROTOCOL, "program", WARPDRILL_VERSION, "code",
                           l->code, "name", l->name, "client", l->client, "rows", l->rows,
                           "columns", l->columns, "utf8", l->utf8, "confined", (int)l->confined));
}

/* ---- keys ---- */

static void forget_until(struct session_link *l, long number)
{
    long gone = number - l->first + 1;
    if (gone <= 0)
        return;
    if (gone > l->n)
        gone = l->n;
    memmove(l->keys, l->keys + gone, (size_t)(l->n - gone) * sizeof l->keys[0]);
    l->n -= (int)gone;
    l->first += gone;
}

static void send_keys(struct session_link *l)
{
    while (l->welcomed && l->fd >= 0 && l->sent < l->first + l->n - 1) {
        json_t *keys = json_array();
        long from = l->sent + 1;
        while (l->sent < l->first + l->n - 1 && json_array_size(keys) < KEYS_A_MESSAGE) {
            l->sent++;
            json_array_append_new(keys, json_integer(l->keys[l->sent - l->first]));
        }
        send_message(l, json_pack("{s:s, s:I, s:o}", "type", "key", "n", (json_int_t)from, "keys",
                                  keys));
    }
}

/* The same process of the host has `got` so many; another one, or one that forgot, has none that it
 * could go on from. */
static void agree(struct session_link *l, const char *boot, long got)
{
    bool same = !strcmp(boot, l->boot) && got >= l->first - 1 && got <= l->first + l->n - 1;
    if (!same) {
        for (int k = 0; k < l->n && l->dropped < LINK_KEYS_MOST; k++)
            l->lost[l->dropped++] = l->keys[k];
        l->n = 0;
        l->first = got + 1;
    }
    l->sent = got;
    snprintf(l->boot, sizeof l->boot, "%s", boot);
}

bool session_link_key(struct session_link *l, int key)
{
    int most = key == LINK_PASTE_END ? LINK_KEYS_MOST : LINK_KEYS_MOST - 1;
    if ((l->state != LINK_HERE && l->state != LINK_AWAY) || l->observer || l->n >= most)
        return false;
    l->keys[l->n++] = key;
    send_keys(l);
    if (l->fd >= 0)
        frame_writer_flush(l->out, l->fd, NULL);
    return true;
}

/* ---- what the host says ---- */

static const char *text_of(const json_t *msg, const char *key, char *out, size_t size)
{
    const char *text = json_string_value(json_object_get(msg, key));
    snprintf(out, size, "%s", text ? text : "");
    line_clean(out);
    return out;
}

static long whole_of(const json_t *msg, const char *key)
{
    json_int_t n = json_integer_value(json_object_get(msg, key));
    return n < 0 || n > 1L << 40 ? 0 : (long)n;
}

static void tell_size(struct session_link *l)
{
    if (!l->welcomed || (l->rows == l->told_rows && l->columns == l->told_columns))
        return;
    send_message(l, json_pack("{s:s, s:i, s:i}", "type", "size", "rows", l->rows, "columns",
                              l->columns));
    l->told_rows = l->rows;
    l->told_columns = l->columns;
}

static void hear_welcome(struct session_link *l, const json_t *msg)
{
    char boot[33], role[16];
    l->welcomed = true;
    l->state = LINK_HERE;
    l->backoff = RETRY_FIRST_MS;
    l->say[0] = '\0';
    l->observer = !strcmp(text_of(msg, "role", role, sizeof role), "observer");
    agree(l, text_of(msg, "boot", boot, sizeof boot), whole_of(msg, "got"));
    forget_until(l, whole_of(msg, "heard"));
    tell_size(l);
    send_keys(l);
}

static void hear_end(struct session_link *l, const json_t *msg, enum link_state state)
{
    text_of(msg, "say", l->say, sizeof l->say);
    if (!l->say[0])
        snprintf(l->say, sizeof l->say, "The host has ended the link.");
    json_t *last = json_object_get(msg, "last");
    if (state == LINK_ENDED && json_is_object(last))
        l->last = json_incref(last);
    l->state = state;
}

/* Host and party never have more than one picture under way, so a second one replaces nothing that
 * matters. */
static void hear_picture(struct session_link *l, json_t *msg)
{
    if (l->picture || !l->welcomed) {
        session_link_break(l);
        return;
    }
    l->picture = json_incref(msg);
    l->picture_n = whole_of(msg, "n");
    forget_until(l, whole_of(msg, "heard"));
}

static void hear(struct session_link *l, json_t *msg)
{
    const char *type = json_string_value(json_object_get(msg, "type"));
    if (!type)
        return;
    if (!strcmp(type, "ping"))
        send_message(l,
                     json_pack("{s:s, s:I}", "type", "pong", "n", (json_int_t)whole_of(msg, "n")));
    else if (!strcmp(type, "welcome"))
        hear_welcome(l, msg);
    else if (!strcmp(type, "picture"))
        hear_picture(l, msg);
    else if (!strcmp(type, "heard"))
        forget_until(l, whole_of(msg, "n"));
    else if (!strcmp(type, "name") && !l->name[0])
        l->state = LINK_NAMELESS;
    else if (!strcmp(type, "refused"))
        hear_end(l, msg, LINK_REFUSED);
    else if (!strcmp(type, "bye"))
        hear_end(l, msg, LINK_ENDED);
}

static void read_all(struct session_link *l)
{
    char *line;
    size_t len;
    int rc = 1;
    while (l->fd >= 0 && rc > 0) {
        int more;
        rc = frame_reader_fill(l->in, l->fd, NULL);
        while (l->fd >= 0 && !rests(l) &&
               (more = frame_reader_next(l->in, &line, &len, NULL)) != 0) {
            json_t *msg = NULL;
            l->heard = os_monotonic_ms();
            if (more < 0 || frame_parse(&msg, line, len, NULL) != 0) {
                lose(l);
                return;
            }
            hear(l, msg);
            json_decref(msg);
        }
    }
    if (l->fd >= 0 && rc < 0)
        lose(l);
}

/* ---- the loop's part ---- */

int session_link_fds(const struct session_link *l, struct pollfd *fds, int most)
{
    if (l->fd < 0 || most < 1)
        return 0;
    fds[0] =
        (struct pollfd){.fd = l->fd,
                        .events = (short)(POLLIN | (frame_writer_pending(l->out) ? POLLOUT : 0))};
    return 1;
}

int session_link_timeout_ms(const struct session_link *l)
{
    int64_t due = l->fd >= 0 ? l->heard + SILENT_MS : l->retry_at, now = os_monotonic_ms();
    if (rests(l))
        return -1;
    return due > now ? (int)(due - now) : 0;
}

void session_link_step(struct session_link *l)
{
    if (!rests(l) && l->fd < 0 && os_monotonic_ms() >= l->retry_at)
        try_connect(l);
    read_all(l);
    if (rests(l))
        cut(l);
    if (l->fd >= 0 && os_monotonic_ms() - l->heard >= SILENT_MS)
        lose(l);
    if (l->fd >= 0 && frame_writer_flush(l->out, l->fd, NULL) < 0) {
        read_all(l); /* why it closed may stand there still */
        if (rests(l))
            cut(l);
        else if (l->fd >= 0)
            lose(l);
    }
}

enum link_state session_link_state(const struct session_link *l)
{
    return l->state;
}

const char *session_link_say(const struct session_link *l)
{
    return l->say;
}

void session_link_name(struct session_link *l, const char *name)
{
    snprintf(l->name, sizeof l->name, "%s", name);
    l->state = LINK_CONNECTING;
    l->retry_at = l->away_since = os_monotonic_ms();
    l->backoff = RETRY_FIRST_MS;
}

bool session_link_observes(const struct session_link *l)
{
    return l->observer;
}

int64_t session_link_silent_ms(const struct session_link *l)
{
    return l->state == LINK_CONNECTING || l->state == LINK_AWAY ? os_monotonic_ms() - l->away_since
                                                                : 0;
}

enum link_absence session_link_absent(const struct session_link *l)
{
    if (!session_link_silent_ms(l) || !l->absent)
        return ABSENT_NOT;
    return l->owner == geteuid() ? ABSENT_OWN : ABSENT_OTHER;
}

int session_link_kept(const struct session_link *l)
{
    return l->n;
}

int session_link_dropped(struct session_link *l, const int **keys)
{
    int n = l->dropped;
    l->dropped = 0;
    *keys = l->lost;
    return n;
}

const json_t *session_link_last(const struct session_link *l)
{
    return l->last;
}

bool session_link_picture(struct session_link *l, json_t **out)
{
    *out = l->picture;
    l->picture = NULL;
    return *out != NULL;
}

void session_link_seen(struct session_link *l)
{
    if (l->fd < 0 || l->picture_n < 1)
        return;
    send_message(l, json_pack("{s:s, s:I}", "type", "seen", "n", (json_int_t)l->picture_n));
    l->picture_n = 0;
    frame_writer_flush(l->out, l->fd, NULL);
}

void session_link_break(struct session_link *l)
{
    lose(l);
}

void session_link_size(struct session_link *l, int rows, int columns)
{
    l->rows = rows;
    l->columns = columns;
    tell_size(l);
    if (l->fd >= 0)
        frame_writer_flush(l->out, l->fd, NULL);
}

void session_link_free(struct session_link *l)
{
    if (!l)
        return;
    if (l->fd >= 0 && l->welcomed) {
        send_message(l, json_pack("{s:s}", "type", "leave"));
        frame_writer_flush(l->out, l->fd, NULL);
    }
    cut(l);
    json_decref(l->last);
    free(l);
}
