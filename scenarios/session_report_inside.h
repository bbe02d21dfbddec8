/* What the files of the report share:
 *
 *   session_report.c           the session: head, parts, drills, rubric, notes
 *   session_report_scenario.c  one scenario: evidence, beliefs, estimates, what was committed, the score
 *   session_report_line.c      the timeline, an entry in words
 *   session_report_md.c, session_report_html.c, session_report_chart.c   forms
 *   session_report_text.c      CSV, and what the forms share
 */
#ifndef WD_SCENARIOS_SESSION_REPORT_INSIDE_H
#define WD_SCENARIOS_SESSION_REPORT_INSIDE_H

#include <stdio.h>

#include "scenarios/session_report.h"

struct reporting {
    struct live *live;
    const struct session *session;
    const struct live_entry *entries; int n;
    bool candidate;                      /* for whom */
    bool scores, grades;                 /* may be shown */
};

/* ---- making ---- */
/* Cleaned of control characters, and always a string. */
void report_put(json_t *to, const char *key, const char *text);
/* May the truth of this part be told? */
bool report_truth(const struct reporting *r, int part);
/* New reference; NULL: it has no attempt that could be read. */
json_t *report_scenario(const struct reporting *r, int part);
/* "busy 13 %, bytes 645 MB": what a purchase showed; device may be NULL. */
void report_said(char *out, size_t size, const struct story *story, const struct evidence *e, const struct msg_device *device);
/* New reference. */
json_t *report_timeline(const struct reporting *r);

/* ---- reading it again, in the forms ---- */
const char *report_text(const json_t *of, const char *key);   /* "" where there is none */
long long report_whole(const json_t *of, const char *key);
bool report_has(const json_t *of, const char *key);
/* "12:04", from an hour on "1:02:04". */
void report_clock(char out[24], long long ms);
/* "0.129 ms" of a number in its unit's base. */
void report_quantity(char out[48], const json_t *value, const char *unit);

void report_markdown(FILE *f, const json_t *report);
void report_html(FILE *f, const json_t *report);
/* Escaped for text and for attributes. */
void report_html_text(FILE *f, const char *text);
/* Beliefs of a scenario over time as inline SVG; nothing where there is nothing to draw. */
void report_chart(FILE *f, const json_t *scenario);

#endif
