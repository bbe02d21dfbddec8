/* The host's end: a Unix socket, and the parties that came through it. Never blocks; no process and
 * no file beyond the socket and its folder.
 *
 * In: connections, and pictures from the console. Out: events (who came, keys, sizes) for the
 * console. session_link.h is the other end, session_place.h the socket's folder. Callers:
 * tui/interview alone. First to open: session_server.c, the host's verbs; session_door.c lets
 * parties in, session_party.c serves those that came.
 *
 * Messages are lines of JSON (frame.h), of a party at most 64 KiB. From a party: join {protocol,
 * program, code, name, client, rows, columns, utf8, confined}; key {n, keys[]}, n being the number
 * of the first; size {rows, columns}; seen {n}: that picture is drawn; pong {n}; leave. To a party:
 * welcome {protocol, program, role, boot, got, heard}; refused {reason, say}; name {}, to a
 * join that lets in but has none; picture {n, heard, ...canvas_encode...} with the rows that
 * changed; heard {n}; ping {n}, every 2 s; bye {say, last?}, last being a whole picture that is
 * kept on the screen. What nobody understands ends the link, and the party makes a new one.
 *
 * `client` is random per joined process, `boot` per host's process: keys that were received (`got`)
 * are never taken twice, those that a former process had not stored are thrown away by the party,
 * and said. The next picture leaves when the last one was seen, so a slow party holds up nobody and
 * has one picture on its way at most. The same name with the code takes a seat over; another name
 * finds it taken. */
#ifndef WD_SCENARIOS_SESSION_SERVER_H
#define WD_SCENARIOS_SESSION_SERVER_H

#include <jansson.h>
#include <poll.h>
#include <stdbool.h>
#include <sys/types.h>

#include "kernels/wire/err.h"

enum { SESSION_PROTOCOL = 1, PARTIES_MOST = 9 /* a candidate and eight observers */ };
enum wall {
    WALL_USER /* another Unix user */,
    WALL_CONFINED /* the same user, without files and exec */,
    WALL_NONE
};
const char *wall_name(enum wall w); /* "user", "confined", "none" */
const char *wall_sentence(enum wall w);                                 /* for people */

struct session_server;
struct server_rules {
    const char *code_id;
    uid_t guest;
    bool has_guest; /* `--for USER`: that user may come too, and the socket lies where both reach it
                     */
    bool allow_unconfined;               /* WALL_NONE is let in */
};
/* Whether a code lets somebody in: 0 with the role, or a code with the sentence to be shown (wrong,
 * expired). */
typedef int (*session_admit)(void *self, const char *code, bool *observer, struct err *err);

int session_server_open(struct session_server **out, const struct server_rules *rules,
                        session_admit admit, void *self, struct err *err);
void session_server_free(struct session_server *s); /* says bye, removes the socket */
/* The same without a word, as a killed host goes: parties wait for the next one, and come back by
 * themselves. */
void session_server_vanish(struct session_server *s);
const char *session_server_path(const struct session_server *s);
/* The wall that would stand for a party of this user. */
enum wall session_server_wall(const struct session_server *s);

int session_server_fds(const struct session_server *s, struct pollfd *fds, int most);
int session_server_timeout_ms(const struct session_server *s);
void session_server_step(struct session_server *s); /* reads and writes what it can */

/* What came in, one at a time, in order. key: one of keys.h's numbers, as the party's terminal gave
 * it. `n` counts a party's keys. */
struct server_event {
    enum { SERVER_JOINED, SERVER_LEFT, SERVER_KEY, SERVER_SIZE, SERVER_REFUSED } kind;
    char party[33], name[64]; bool observer; enum wall wall;
    int key; long n; int rows, columns; bool utf8;
    char say[160], reason[12]; /* of a refusal: as they read it; "code", "taken" and others */
};
bool session_server_event(struct session_server *s, struct server_event *out);
/* The picture for all, or for one that has just come. Pictures that a slow party has not taken yet
 * are replaced by newer ones. `heard`: everything that the last keys did is stored. The reference
 * stays the caller's. */
void session_server_show(struct session_server *s, const json_t *whole);
/* What observers see instead of the picture, until NULL. The reference stays the caller's. */
void session_server_veil(struct session_server *s, const json_t *instead);
void session_server_heard(struct session_server *s, const char *party, long n);
/* Sends a party away. `last`, a whole picture, NULL for none: it stays there until the person
 * leaves. The reference stays the caller's. */
void session_server_dismiss(struct session_server *s, const char *party, const char *say,
                            const json_t *last);
int session_server_parties(const struct session_server *s, bool observers);

#endif
