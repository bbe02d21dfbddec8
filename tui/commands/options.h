/* The options of the command line: one row each in options.c says its name, its place in struct
 * cmd, and what it does. */
#ifndef WD_TUI_OPTIONS_H
#define WD_TUI_OPTIONS_H

#include <stdio.h>

#include "tui/commands/cmd.h"

/* Which rows were named. */
enum { OPTIONS_MOST = 96 };
struct options_given { bool row[OPTIONS_MOST]; };

/* Reads all options into c; c->args are what is left. CMD_OK to go on, CMD_USAGE (said), or -1 when
 * an option said it all. */
int options_read(struct cmd *c, int argc, char **argv, struct options_given *given);
/* CMD_USAGE where an option was given that neither `usage` names nor all commands take: somebody
 * relies on it. who: the command, for the message. */
int options_check(const char *who, const char *usage, const struct options_given *given);

/* Those of all commands, for --help. */
void options_print_common(FILE *f);
/* Those that a usage names. */
void options_print_of(FILE *f, const char *usage);

#endif
