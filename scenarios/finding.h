/* Lines in which the runner names elements that differ, held against the story's tolerance, so that rounding is not taken for a finding. */
#ifndef WD_SCENARIOS_FINDING_H
#define WD_SCENARIOS_FINDING_H

#include <stddef.h>

#include "kernels/wire/message.h"

/* "out[8] is 0.5 with NaN in the buffers, 0.25 from zeros" and its like, with " (differ by 0.25, tolerance 0.0001)" behind it; where the
 * difference is within the tolerance that is said. Any other line, values that are no numbers and an exact tolerance leave it as it is. */
char *finding_text(const char *line, const struct msg_tolerance *t);

/* Line i of a part: as finding_text where the part compares results, else as it came. Both are the caller's to free. */
char *finding_line(const struct msg_part *p, int i, const struct msg_tolerance *t);

/* "tolerance 0.001 + 0.0001 x value", or "tolerance: exact". */
void tolerance_text(char *out, size_t size, const struct msg_tolerance *t);

#endif
