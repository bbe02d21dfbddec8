/* Where the socket of a live interview lies: made by the host, found by the code's first group,
 * trusted by neither without a look. */
#ifndef WD_SCENARIOS_SESSION_PLACE_H
#define WD_SCENARIOS_SESSION_PLACE_H

#include <stdbool.h>
#include <sys/types.h>

#include "kernels/wire/err.h"

struct session_place {
    char folder[80], socket[108];        /* the longest that an address of a Unix socket takes */
    uid_t owner;                         /* of both */
    bool shared;                         /* another user comes too */
};

/* The folder, made if it is not there. Own: $XDG_RUNTIME_DIR/warpdrill, else /tmp/warpdrill-UID,
 * 0700. Shared: /tmp/warpdrill-CODEID, 0711. ERR_PERMISSION when what is there is a link, is not
 * ours, or others may write to it. */
int session_place_make(struct session_place *out, const char *code_id, bool shared,
                       struct err *err);
/* A socket that is there now, in a folder that its owner alone may write to; an own one before a
 * shared one. ERR_MISSING: none, ERR_PERMISSION: one in a folder that cannot be trusted. Opens
 * nothing, so a confined process may ask. */
int session_place_find(struct session_place *out, const char *code_id, struct err *err);

/* A socket at the place, to be listened at; takes away one that nobody listens to. ERR_BUSY when
 * somebody does. The descriptor, or a code. */
int session_place_listen(const struct session_place *p, struct err *err);
/* A connection under way, not blocking. The descriptor, or a code. */
int session_place_connect(const struct session_place *p, struct err *err);
/* Takes away the socket, and the folder if it is empty. */
void session_place_leave(const struct session_place *p);

#endif
