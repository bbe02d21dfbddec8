/* Text from outside that is kept for a person to read: cleaned, up to a limit, the oldest goes
 * first. */
#ifndef WD_SCENARIOS_GATHER_H
#define WD_SCENARIOS_GATHER_H

#include <stddef.h>

struct gather {
    char *text;
    size_t len, cap, limit;
}; /* zeroed but for limit; text is freed by the owner */

void gather_add(struct gather *g, const char *bytes, size_t n);
const char *gather_text(const struct gather *g);        /* "" when empty */
/* The last line that says something: the best explanation there is of why a command ended. */
void gather_last_line(const struct gather *g, char *out, size_t size);

#endif
