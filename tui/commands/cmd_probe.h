/* What the parts of `probe` share: cmd_probe.c gets the evidence, cmd_probe_show.c prints all of it
 * or makes an object of it, cmd_probe_part.c prints one part. */
#ifndef WD_TUI_CMD_PROBE_H
#define WD_TUI_CMD_PROBE_H

#include "scenarios/supply/supply.h"
#include "tui/commands/cmd.h"

/* Which of a story's variants a seed drew is not told: the letter would be a clue. */
const char *probe_shown_id(const struct cmd *c, const struct variant *v);

/* What may be had before a debrief: no pair, no best, no "all". A case has nothing but its
 * exhibits, and questions. */
bool probe_is_sold(const struct story *s, const struct probe *p);

/* As the command was asked to; takes the evidence. supply NULL: of no GPU, as the source is. */
void probe_show(const struct cmd *c, const struct variant *v, const struct supply *supply,
                struct evidence *e);

/* A part whose run yields so many of the rate's unit. A timeline is a table; false: the part is no
 * whole one, and nothing was printed. */
bool probe_print_timeline(const struct evidence *e, const struct msg_part *p,
                          const struct variant *v, const struct msg_device *device, double yield);
/* In so many columns, at the right: µ has one column and two bytes. */
void probe_print_right(const char *text, int columns);
void probe_print_part(const struct msg_part *p, const struct variant *v, double yield);
/* The time of a whole run of the suspect, which is what a story's rate is of; NULL: the part has
 * none. */
const struct msg_value *probe_run_time(const struct msg_part *p);

#endif
