/* What the runner says of a part in words, made ready to be shown: lines that name elements which
 * differ stand beside the story's tolerance, so that rounding is not taken for a finding; notes
 * name the kernel that they are of. */
#ifndef WD_SCENARIOS_FINDING_H
#define WD_SCENARIOS_FINDING_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/wire/message_measure.h"
#include "scenarios/evidence/evidence.h"
#include "scenarios/pack/pack.h"

/* "out[8] is 0.5 with NaN in the buffers, 0.25 from zeros" and its like, with " (differ by 0.25,
 * tolerance 0.0001)" behind it; where the difference is within the tolerance that is said. Any
 * other line, values that are no numbers and an exact tolerance leave it as it is. */
char *finding_text(const char *line, const struct msg_tolerance *t);

/* Line i of a part: as finding_text where the part compares results, else as it came. Both are the
 * caller's to free. */
char *finding_line(const struct msg_part *p, int i, const struct msg_tolerance *t);

/* Note i of a part of the suspect. Of a step of several launches counters are those of its longest:
 * its label (v NULL: not known) is named, and that no other was counted. What limits the
 * resident blocks is said to be out of reach where the grid does not fill one wave. The caller's to
 * free. */
char *finding_note(const struct msg_part *p, int i, const struct variant *v);

/* Of a timeline that begins with the host's first step, beside its time in `e`: "traced, which
 * slows the host: untraced the step takes 49.0 us". NULL: another part, or the time is not there,
 * or not shorter. The caller's to free. */
char *finding_traced(const struct evidence *e, const struct msg_part *p);

/* The part of the reference itself, held against zeros and garbage: it says whether the comparison
 * can fail, and nothing of the suspect. */
bool finding_is_control(const struct msg_part *p);

/* Of a control part "control of the comparison, nothing of this kernel: zeros and garbage would be
 * found wrong" (caught), or "... a copied input would pass for right" (not caught). False, and "",
 * where there is none of that. */
bool finding_control(char *out, size_t size, const struct msg_part *p, bool caught);

/* "verdict: right", ": wrong" or of a fault: what the runner makes of a comparison. */
bool finding_is_verdict(const char *note);

/* A caution to be read with a probe: the whole that its shares refer to, or a limit of the probe in
 * the story of this variant (NULL: in any). NULL: none. */
const char *finding_caveat(const struct msg_part *p, const struct variant *v);

/* What users see of a time in which `yield` of the story's rate were made: "4246 tokens/s". False,
 * and "", where the story has no rate, or one of the two is not known (0). Worked out, so it is of
 * the time's tier. */
bool finding_rate(char *out, size_t size, const struct story *story, double yield, double time);

/* How the suspect fails, in the driver's words: "error 1: invalid argument", or "no result after
 * 5 s". NULL: it does not, or evidence is NULL or does not tell. Borrowed. */
const char *finding_failure(const struct evidence *e);

/* "tolerance 0.001 + 0.0001 x value", or "tolerance: exact". */
void tolerance_text(char *out, size_t size, const struct msg_tolerance *t);

#endif
