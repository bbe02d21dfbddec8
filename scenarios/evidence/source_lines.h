/* Source lines in evidence. On the screen and from the runner a line is one of the file, counted
 * from 1. A recording counts lines of tokens instead (kernels/wire/token.h): comments and blank
 * lines may come and go without making it stale, and its lines find their place in today's file.
 *
 * Translated are the series `line` (0 stays: no line) and the metric top_line of a part; `m` is the
 * request that the part answers, which has the source. A part without lines is left alone. */
#ifndef WD_SCENARIOS_SOURCE_LINES_H
#define WD_SCENARIOS_SOURCE_LINES_H

#include "kernels/wire/message_measure.h"
#include "kernels/wire/message_part.h"

/* From lines of the file to lines of tokens, before a part goes into a recording. Samples of lines
 * that are one line of tokens (a splice) are added up. */
void source_lines_keep(struct msg_part *part, const struct msg_measure *m);

/* Back, for the file as it is today. A line of tokens that is not there becomes 0. */
void source_lines_find(struct msg_part *part, const struct msg_measure *m);

#endif
