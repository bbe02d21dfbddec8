/* The forms in which session_report_write.c writes a report. */
#ifndef WD_SCENARIOS_SESSION_REPORT_FORMS_H
#define WD_SCENARIOS_SESSION_REPORT_FORMS_H

#include "scenarios/report/session_report_page.h"

extern const struct page_form report_markdown, report_html;

/* One table of all rows. */
void report_csv(FILE *f, const json_t *report);

#endif
