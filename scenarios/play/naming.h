/* The space of causes in a person's own words: from level 3 on it is asked for before the
 * hypotheses on offer are seen. Pure; nothing is scored. */
#ifndef WD_SCENARIOS_NAMING_H
#define WD_SCENARIOS_NAMING_H

#include "scenarios/play/investigation.h"

enum { NAMING_LEVEL = 3 };

/* Is it to be asked now? Until something was named, believed or bought. */
bool naming_due(const struct investigation *i);
/* What was named, as typed; NULL: not asked, "": skipped. */
const char *naming_text(const struct investigation *i);
/* named[n_hypotheses]: which of those on offer the text means, as far as words tell; returns how
 * many. "Nothing: at the limit" counts too. */
int naming_read(bool *named, const struct story *s, const char *text);
/* "you named 4 of the 9 on offer, the cause among them; not: bank conflicts, grid too small"; ""
 * where it was not asked, or left out. `who`: "you". */
void naming_says(char *out, size_t size, const struct investigation *i, int cause, const char *who);

#endif
