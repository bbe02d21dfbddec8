/* The console's time: minutes of parts, and quiet time. */
#ifndef WD_TUI_CONSOLE_CLOCK_H
#define WD_TUI_CONSOLE_CLOCK_H

#include "tui/interview/console.h"
#include "tui/kit/draw.h"

/* A part's whole length, of one that is not done; five minutes more or less of it. What comes of it
 * is said. 0 or a code. */
int console_minutes(struct console *c, int part, int minutes, struct err *err);
int console_minutes_step(struct console *c, int part, int by, struct err *err);

/* Quiet time: nobody looks at the candidate's screen, neither here nor as an observer, and what
 * they do meanwhile stands nowhere. The scribe's view alone stays where no terminal of the
 * candidate's is there: then it is the screen that they read, and what they say has to be written
 * down. */
bool console_hides_theirs(const struct console *c);
void console_quiet_draw(const struct console *c, struct rect r,
                        bool observer); /* in the place of that screen */
void console_quiet_clock(char *out, size_t size,
                         const struct console *c); /* "quiet time, 2:41 left   "; "" */
int64_t console_quiet_second(const struct console *c); /* that are left; 0: it is not quiet */
bool console_bought_before(const struct console *c,
                           const char *probe); /* before quiet time began, or at all */

#endif
