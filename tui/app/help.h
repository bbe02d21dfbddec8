/* The help screen: what keys mean where the person is, and how this works. */
#ifndef WD_TUI_HELP_H
#define WD_TUI_HELP_H

#include "tui/app/app.h"

/* keys: NULL, the general ones alone. */
void help_open(struct app *app, const struct key_list *keys);

/* Paragraphs that many places show: what a scenario is, where numbers come from. */
extern const char help_how_kernel[], help_how_numbers[];

#endif
