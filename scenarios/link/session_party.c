/* Those who came: what the host hears of them, what they are told and shown, and how they go. */
#include "scenarios/link/session_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

void random_hex(char out[33])
{
    unsigned char bytes[16];
    os_random(bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i++)
        snprintf(out + 2 * i, 3, "%02x", bytes[i]);
}

void line_clean(char *text)
{
    size_t n = strlen(text);
    text_clean(text, n);
    for (char *at = text; *at; at++)
        if (*at == '\n' || *at == '\t')
            *at = ' ';
    while (n > 0 && text[n - 1] == ' ')
        text[--n] = '\0';
    size_t blanks = strspn(text, " ");
    memmove(text, text + blanks, n - blanks + 1);
}

/* ---- what came in ---- */

struct server_event *server_push(struct session_server *s, const struct seat *of, int kind)
{
    if (s->n_events == s->cap) {
        int cap = s->cap ? s->cap * 2 : 64;
        struct server_event *wider = mem_new((size_t)cap, sizeof *wider);
        for (int i = 0; i < s->n_events; i++)
            wider[i] = s->events[(s->first + i) % s->cap];
        free(s->events);
        s->events = wider;
        s->cap = cap;
        s->first = 0;
    }
    struct server_event *e = &s->events[(s->first + s->n_events++) % s->cap];
    memset(e, 0, sizeof *e);
    e->kind = kind;
    if (!of)
        return e;
    memcpy(e->party, of->uid, sizeof e->party);
    memcpy(e->name, of->name, sizeof e->name);
    e->observer = of->observer;
    e->wall = of->wall;
    if (of->door) {
        e->rows = of->door->hello.rows;
        e->columns = of->door->hello.columns;
        e->utf8 = of->door->hello.utf8;
    }
    return e;
}

/* ---- doors ---- */

bool door_is_open(const struct door *d)
{
    return d->fd >= 0;
}

void door_free(struct door *d)
{
    if (!door_is_open(d))
        return;
    close(d->fd);
    frame_reader_free(d->in);
    frame_writer_free(d->out);
    *d = (struct door){.fd = -1};
}

static void seat_leave(struct session_server *s, struct door *d, const char *why)
{
    struct seat *seat = d->seat;
    if (!seat)
        return;
    struct server_event *e = server_push(s, seat, SERVER_LEFT);
    snprintf(e->say, sizeof e->say, "%s", why);
    seat->door = NULL;
    seat->gone = s->now();
    d->seat = NULL;
}

void door_close(struct session_server *s, struct door *d, const char *why)
{
    seat_leave(s, d, why);
    door_free(d);
}

void door_flush(struct session_server *s, struct door *d)
{
    long left = frame_writer_flush(d->out, d->fd, NULL);
    if (left < 0 || (left == 0 && d->close_by))
        door_close(s, d, "the link was cut");
}

void door_send(struct door *d, json_t *msg)
{
    frame_writer_put(d->out, msg, NULL);
    json_decref(msg);
}

void door_dismiss(struct session_server *s, struct door *d, json_t *last)
{
    door_send(d, last);
    d->close_by = s->now() + GOODBYE_MS;
    d->waits = false;
    seat_leave(s, d, "came back elsewhere, or was sent away");
}

/* ---- pictures ---- */

static bool same_size(const json_t *a, const json_t *b)
{
    return a && json_equal(json_object_get(a, "rows"), json_object_get(b, "rows")) &&
           json_equal(json_object_get(a, "columns"), json_object_get(b, "columns"));
}

static bool same_cursor(const json_t *a, const json_t *b)
{
    const json_t *one = json_object_get(a, "cursor"), *other = json_object_get(b, "cursor");
    return (!one && !other) || json_equal(one, other);
}

/* The rows that differ. Both pictures are whole, so their rows stand at the same places. */
static json_t *rows_changed(const json_t *before, const json_t *now)
{
    json_t *out = json_array();
    const json_t *old = before ? json_object_get(before, "lines") : NULL,
                 *lines = json_object_get(now, "lines");
    for (size_t i = 0; i < json_array_size(lines); i++)
        if (!old || !json_equal(json_array_get(old, i), json_array_get(lines, i)))
            json_array_append(out, json_array_get(lines, i));
    return out;
}

/* What this seat is to see; NULL: nothing yet. */
static json_t *view_of(const struct session_server *s, const struct seat *seat)
{
    return seat->observer && s->veil ? s->veil : s->whole;
}

static json_t *picture_make(json_t *whole, struct seat *seat)
{
    const json_t *before = same_size(seat->shown, whole) ? seat->shown : NULL;
    json_t *picture = json_copy(whole);
    json_t *rows = rows_changed(before, whole);
    bool news = !before || json_array_size(rows) > 0 || !same_cursor(before, whole);
    json_object_set_new(picture, "lines", rows);
    if (news)
        return picture;
    json_decref(picture);
    return NULL;
}

/* One picture is on its way at most: the next is made when it was drawn, of what is newest then. */
void seat_show(struct session_server *s, struct seat *seat)
{
    if (!seat->door || seat->door->close_by)
        return;
    json_t *whole = view_of(s, seat),
           *picture = whole && seat->seen == seat->picture ? picture_make(whole, seat) : NULL;
    if (picture) {
        json_object_set_new(picture, "type", json_string("picture"));
        json_object_set_new(picture, "n", json_integer(++seat->picture));
        json_object_set_new(picture, "heard", json_integer(seat->heard));
        door_send(seat->door, picture);
        json_decref(seat->shown);
        seat->shown = json_incref(whole);
        seat->told = seat->heard;
    } else if (seat->heard > seat->told) {
        door_send(seat->door,
                  json_pack("{s:s, s:I}", "type", "heard", "n", (json_int_t)seat->heard));
        seat->told = seat->heard;
    }
}
