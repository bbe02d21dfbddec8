/* A debrief with the figures that it takes from evidence. */
#ifndef WD_SCENARIOS_TOLD_H
#define WD_SCENARIOS_TOLD_H

#include "scenarios/evidence/evidence.h"

/* The Markdown of the variant's debrief, malloc'd; "" where it is sealed. Each {{FORMULA}} is
 * replaced by its value in `scope`, as quantity_show shows it, "as %" as quantity_percent does, and
 * by "(not measured here)" where evidence has none. Where the author's other figures are of another
 * GPU than the scope's device, these stand in [ ], and a paragraph before all says so. */
char *told_debrief(const struct variant *v, const struct scope *scope);

/* One figure alone. False, and "(not measured here)", where evidence has none. */
bool told_figure(char *out, size_t size, const struct told_value *t, const struct scope *scope);

#endif
