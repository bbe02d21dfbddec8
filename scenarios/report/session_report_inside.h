/* The parts of a report, in the order of their files, lower ones first:
 *
 *   session_report_put.c       what parts are made from; session_report_read.c reads a report again
 *   session_report_scenario.c  one scenario: evidence, beliefs, estimates, what was committed, the
 * score session_report_fix.c       the fix, where it was asked for
 *   session_report_line.c      the timeline, an entry in words session_report_summary.c   the
 * hour in a few lines, from what the report says already session_report.c           the session:
 * head, parts, drills, rubric, notes session_report_page.c      what a page says and in which
 * order, for every form session_report_md.c, session_report_html.c, session_report_chart.c,
 * session_report_csv.c   the forms session_report_write.c     a report in one of them
 */
#ifndef WD_SCENARIOS_SESSION_REPORT_INSIDE_H
#define WD_SCENARIOS_SESSION_REPORT_INSIDE_H

#include "scenarios/mend/mend_moved.h"
#include "scenarios/report/session_report_put.h"

/* New reference; NULL: it has no attempt that could be read. */
json_t *report_scenario(const struct reporting *r, int part);
/* The tries of a part whose fix was asked for, new reference; NULL: it was not. */
json_t *report_fix(const struct reporting *r, int part);
/* How it went, and in words; of a part with a try. New reference. */
json_t *report_fix_score(const struct session_state *p);
/* Beliefs as they stand after a move of `i`; false: it moves none. */
bool report_beliefs(int *points, const struct investigation *i, const struct move *m);
/* An estimate's answer in words: as typed, "asked, skipped", "not asked", "cut off by the reveal".
 */
const char *report_answer(const char *typed, enum left left);
/* "DRAM busy 13 %; DRAM bytes 645 MB": what decides of a purchase (headline.h); device may be NULL.
 */
void report_said(char *out, size_t size, const struct variant *v, const char *probe,
                 const struct evidence *e, const struct msg_device *device);
/* New reference. */
json_t *report_timeline(const struct reporting *r);
/* The list "summary" of a report that has everything else. New reference. */
json_t *report_summary(const json_t *report);

#endif
