/* A party's end of a live interview: finds the host's socket, joins, keeps keys until they are
 * stored there, and connects again for ever.
 *
 * Nothing here opens a file, so a confined process can do all of it. What the host says is cleaned;
 * pictures are handed on as they came. */
#ifndef WD_SCENARIOS_SESSION_LINK_H
#define WD_SCENARIOS_SESSION_LINK_H

#include <jansson.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernels/wire/err.h"

enum link_state {
    LINK_CONNECTING,   /* never was in yet */
    LINK_HERE,
    LINK_AWAY,         /* was in; the host does not answer, and is tried again */
    LINK_NAMELESS,     /* the code lets in; it waits for session_link_name */
    LINK_REFUSED,      /* for good; session_link_say has why */
    LINK_ENDED,        /* the host said bye; session_link_say has why */
};
enum {
    LINK_KEYS_MOST = 18432, /* kept while nobody hears them: more than a field takes of a paste */
    LINK_PASTE_END = 0x2000001 /* the key that ends a paste, for which the last place is kept */
};

struct session_link;
struct link_terms {
    const char *code /* in form */,
        *name /* "": the host is asked first whether the code lets in */;
    int rows, columns;
    bool utf8;
    unsigned confined /* CONFINED_* */;
};

/* What a person typed as the name to be shown: one clean line of at most 63 bytes. ERR_BAD_REQUEST
 * when nothing is left. */
int session_name_read(char out[64], const char *typed, struct err *err);

struct session_link *session_link_new(const struct link_terms *terms);
void session_link_free(struct session_link *l);              /* says that it leaves */

int session_link_fds(const struct session_link *l, struct pollfd *fds, int most);
int session_link_timeout_ms(const struct session_link *l);   /* -1: nothing waits for time */
void session_link_step(struct session_link *l);

enum link_state session_link_state(const struct session_link *l);
/* One sentence for the state, "" when all is well and nothing is to be said. */
const char *session_link_say(const struct session_link *l);
/* Nameless: the name to join with. */
void session_link_name(struct session_link *l, const char *name);
bool session_link_observes(const struct session_link *l);
int64_t session_link_silent_ms(
    const struct session_link *l); /* how long the host has been away; 0 while here */
/* While silent: is there no host at any place where it could be found, and was the last one of this
 * user? Another user's may have come back for somebody else. */
enum link_absence { ABSENT_NOT, ABSENT_OWN, ABSENT_OTHER };
enum link_absence session_link_absent(const struct session_link *l);
int session_link_kept(const struct session_link *l); /* keys that are not known to be stored */
/* How many keys a new host's process was not known to have stored, once; 0: none. They are thrown
 * away, since what they were meant for may be gone from the screen; *keys, borrowed until the next
 * step, says which. */
int session_link_dropped(struct session_link *l, const int **keys);
/* The page that stays on the screen after the end, whole, borrowed; NULL: none. */
const json_t *session_link_last(const struct session_link *l);

/* The newest picture, once; the caller's. session_link_seen when it was drawn: only then comes the
 * next. A picture that cannot be drawn: session_link_break, and a whole one comes over a new link.
 */
bool session_link_picture(struct session_link *l, json_t **out);
void session_link_seen(struct session_link *l);
void session_link_break(struct session_link *l);

/* False when it is not kept: nobody was ever in, it is over, an observer's, or too many wait
 * already. */
bool session_link_key(struct session_link *l, int key);
void session_link_size(struct session_link *l, int rows, int columns);

#endif
