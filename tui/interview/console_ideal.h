/* The ideal reader beside the candidate. */
#ifndef WD_TUI_CONSOLE_IDEAL_H
#define WD_TUI_CONSOLE_IDEAL_H

#include "scenarios/play/investigation.h"

/* Beliefs as whole points of a reader who began even and knows the first `n_bought` purchases (and
 * the pushback, where it was made). */
void console_ideal(int *points, const struct variant *v, const struct investigation *i,
                   int n_bought, const struct msg_device *device, const struct evidence *all);

#endif
