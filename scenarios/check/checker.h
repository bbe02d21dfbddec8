/* What makes a scenario bad although it loads.
 *
 * In: a pack that was read, with the recordings beside it. Out: findings, each of a rule, at a
 * place, with the line shown (findings.h); the table of rules is rules.c. check_story runs every
 * rule that needs neither compiler nor GPU; the others are in checker_compile.h and checker_live.h,
 * those of packs taken together in library_report.h.
 * Callers: `warpdrill check` and `seal` (tui/commands). First to open: checker.c, whose
 * check_story is the list of checks, then the checker_*.c of the rule in question. */
#ifndef WD_SCENARIOS_CHECKER_H
#define WD_SCENARIOS_CHECKER_H

#include "scenarios/check/checks.h"

/* All of them, on the variants that are wanted (wanted NULL: on all) and, when one is, on the story
 * itself. */
typedef bool check_wanted(void *ctx, const struct variant *v);
void check_story(struct findings *f, const struct story *s, check_wanted *wanted, void *ctx);

#endif
