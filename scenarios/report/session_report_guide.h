/* What a reader needs who knows nothing of warpdrill: the words of a report, each in a sentence. */
#ifndef WD_SCENARIOS_SESSION_REPORT_GUIDE_H
#define WD_SCENARIOS_SESSION_REPORT_GUIDE_H

#include <jansson.h>
#include <stddef.h>

struct guide_line { const char *name, *text; };
/* The k-th of those that this report has any use for; NULL: there are no more. */
const struct guide_line *report_guide(const json_t *report, size_t k);

#endif
