/* The chart of a report that is written as HTML, and the escaping that both need. */
#ifndef WD_SCENARIOS_SESSION_REPORT_SVG_H
#define WD_SCENARIOS_SESSION_REPORT_SVG_H

#include <jansson.h>
#include <stdio.h>

/* Escaped for text and for attributes. */
void report_html_text(FILE *f, const char *text);
/* Beliefs of a scenario over time as inline SVG; nothing where there is nothing to draw. */
void report_chart(FILE *f, const json_t *scenario);

#endif
