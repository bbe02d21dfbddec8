/* The candidate's side of the console: who may come, keys in, pictures out. */
#ifndef WD_TUI_CONSOLE_LINK_H
#define WD_TUI_CONSOLE_LINK_H

#include "tui/interview/console.h"

#define CONSOLE_BYE "The interview is over. Thank you."

enum { GUEST_ROWS = 30, GUEST_COLUMNS = 100 }; /* of a guest without a terminal */

/* The candidate's Unix user: as the command line says, else as the interview was hosted before;
 * NULL: the host's own. */
const char *console_guest(const struct console *c);
int link_open(struct console *c, struct err *err);
void link_close(struct console *c, const char *say);
void link_leave(struct console *c); /* the parties wait for the next host */
void link_reopen(struct console *c);                                   /* after new codes */
bool link_take(struct console *c); /* what came in; true: something */
void link_settle(struct console *c);                                   /* stores, acknowledges */
void link_show(struct console *c); /* the picture, where it changed */
void link_size(struct console *c); /* of the guest, where nobody's terminal says it */
void link_key(struct console *c, int key);                             /* of the scribe */
void link_join_line(const struct console *c, char *out, size_t size); /* "warpdrill join k7q-..." */
char *link_authorized(
    const struct console *c); /* line for authorized_keys, or why there is none; malloc'd */

#endif
