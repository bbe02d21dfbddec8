/* What the files of the host's end share, lower ones first: session_party.c (those who came, and
 * what they see), session_door.c (who comes in), session_server.c (life, socket, the host's verbs).
 */
#ifndef WD_SCENARIOS_SESSION_INSIDE_H
#define WD_SCENARIOS_SESSION_INSIDE_H

#include <stdint.h>

#include "kernels/wire/frame.h"
#include "scenarios/link/session_place.h"
#include "scenarios/link/session_server.h"

enum {
    DOORS = 56, UNKNOWN_MOST = 16, UNKNOWN_OF_USER = 10, SEATS = 32,
    KNOCKERS = 2 /* users that may come */,
    WRONG_MOST = 12 /* wrong codes of a user that wait at once */,
    LINE_MOST = 64 * 1024, KEYS_MOST = 4096, EVENTS_MOST = 16384,
    HELLO_MS = 10000, PING_MS = 2000, SILENT_MS = 10000, GOODBYE_MS = 2000,
    WRONG_MS = 1000 /* until a wrong code is answered */,
};

struct hello {
    char code[32], name[64], client[33], program[32];
    int rows, columns;
    bool utf8, confined;
};

struct seat;
struct door {                            /* a connection */
    int fd;                              /* -1: free */
    uid_t uid;
    pid_t pid;
    struct frame_reader *in;
    struct frame_writer *out;
    int64_t since, heard, pinged;
    bool waits;                          /* it said join, and is judged or answered at... */
    int64_t answer_at;
    long turn;                           /* in which order they said join */
    bool wrong; char reason[160];        /* its code is: what it will be told */
    struct hello hello;
    struct seat *seat;                   /* NULL: nobody yet */
    int64_t close_by;                    /* > 0: goes when its last words are written, or then */
};
struct seat { /* somebody who was let in, kept when gone so that it may come back */
    bool used, observer;
    char uid[33], name[64], client[33];
    enum wall wall;
    struct door *door;                   /* NULL: not here */
    int64_t gone;
    long got, heard, told;               /* keys: received, stored, said to be */
    long picture, seen;                  /* the number of the last picture sent, and drawn there */
    json_t *shown;                       /* what the party sees */
};
struct knocker { bool used; uid_t uid; int64_t taken_until[WRONG_MOST]; };

struct session_server {
    struct session_place place;
    char boot[33];
    uid_t guest;
    bool has_guest, allow_unconfined;
    session_admit admit;
    void *self;
    int listening;
    struct door doors[DOORS];
    struct seat seats[SEATS];
    struct knocker knockers[KNOCKERS];
    long turns;
    json_t *whole;                       /* the newest picture; NULL: none yet */
    json_t *veil;                        /* what observers see instead; NULL: the picture */
    struct server_event *events;         /* a ring */
    int first, n_events, cap;
    int64_t (*now)(void);                /* of tests; else os_monotonic_ms */
};

/* ---- session_party.c ---- */
struct server_event *server_push(struct session_server *s, const struct seat *of, int kind);
bool door_is_open(const struct door *d);
void door_free(struct door *d); /* of a party that has left already, or of nobody */
void door_flush(struct session_server *s, struct door *d);
void door_send(struct door *d, json_t *msg);                 /* takes the reference */
void door_close(struct session_server *s, struct door *d,
                const char *why); /* at once; its party has left */
void door_dismiss(struct session_server *s, struct door *d,
                  json_t *last); /* after these words; takes the reference */
void seat_show(struct session_server *s, struct seat *seat);
void random_hex(char out[33]);
void line_clean(char *text); /* no control character at all, blanks at the ends cut */

/* ---- session_door.c ---- */
/* Connections without a seat whose code was not judged; of one user, or of all (NULL). */
int door_unknown(const struct session_server *s, const uid_t *uid);
/* One line of somebody who has no seat. */
void door_hear(struct session_server *s, struct door *d, const json_t *msg);
/* Answers those whose time has come. */
void door_answer(struct session_server *s, struct door *d);

#endif
