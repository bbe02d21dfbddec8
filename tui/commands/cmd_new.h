/* The parts of `warpdrill new`, for its own files alone: what it asks and what it says. */
#ifndef WARPDRILL_CMD_NEW_H
#define WARPDRILL_CMD_NEW_H

#include <stdbool.h>

#include "scenarios/new/scaffold.h"
#include "tui/commands/cmd.h"

/* over: no more input, defaults from here on; number: the parameter that is asked for. */
struct asking { const struct cmd *c; struct scaffold s; bool ask, over; int number; };

/* Takes an answer, or says in err what was expected instead. */
typedef int answer(struct asking *a, const char *text, struct err *err);
struct prompt { const char *option, *given, *text; answer *take; };

/* One line of input without blanks around it; empty at the end of input. */
void new_read_line(struct asking *a, char out[200]);

/* An option counts instead; Enter leaves what is there. CMD_OK, or CMD_USAGE for an option that
 * is not taken, which was said. */
int new_ask(struct asking *a, const struct prompt *q);

/* The cause, by option or question. CMD_OK, or CMD_USAGE after saying where it belongs. */
int new_ask_cause(struct asking *a);

/* Everything else that a draft needs. CMD_OK, or an exit status whose reason was said. */
int new_ask_all(struct asking *a, struct err *err);

/* Is a small whole scenario asked for, of a kind that needs no kernel to begin with? */
bool new_is_whole(const struct cmd *c);
/* Makes it (cmd_new_whole.c). An exit status. */
int new_whole(const struct cmd *c);
/* Makes a step of the launches in --from, whose source is open (cmd_new_step.c). An exit status. */
int new_step(struct asking *a);
/* --level, as a number; false: it was said that it is none. */
bool new_take_level(struct scaffold *s, const char *text);
bool new_take_title(struct scaffold *s, const char *text);

/* What was left out or changed of the author's file. */
void new_say_notes(const struct scaffold *s);
/* What of it is new, and how to undo it. */
void new_say_files(const struct scaffold *s, const char *const *made, int n, bool had_pack);
/* The commands that follow, as far as there is something for them. */
enum new_then { NEW_CHECKS, NEW_RECORDS, NEW_PROVES };
void new_say_then(const struct scaffold *s, enum new_then then);
void new_say_undo(const struct scaffold *s, bool had_pack);
/* Whether the variant that was made compiles, where NVRTC is there; what does not, at its place. */
void new_say_images(const struct cmd *c, const struct scaffold *s);

/* What was written (n paths below the pack), what of it is the author's, and how to undo it. */
void new_say_made(const struct scaffold *s, const char *const *made, int n, bool had_pack);

#endif
