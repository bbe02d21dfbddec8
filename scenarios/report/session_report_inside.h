/* What the files of the report share:
 *
 *   session_report.c           the session: head, parts, drills, rubric, notes
 *   session_report_summary.c   the hour in a few lines, from what the report says already
 *   session_report_scenario.c  one scenario: evidence, beliefs, estimates, what was committed, the score
 *   session_report_line.c      the timeline, an entry in words
 *   session_report_page.c      what a page says and in which order, for every form
 *   session_report_md.c, session_report_html.c, session_report_chart.c   the pieces of a page in each form
 *   session_report_text.c      CSV, and what the forms share
 */
#ifndef WD_SCENARIOS_SESSION_REPORT_INSIDE_H
#define WD_SCENARIOS_SESSION_REPORT_INSIDE_H

#include <stdio.h>

#include "scenarios/report/session_report.h"

struct reporting {
    struct interview *live;
    const struct session *session;
    const struct interview_entry *entries; int n;
    bool candidate;                      /* for whom */
    bool scores, grades;                 /* may be shown */
};

/* ---- making ---- */
/* Cleaned of control characters, and always a string. */
void report_put(json_t *to, const char *key, const char *text);
/* "2026-11-21T12:00:00Z"; null for 0. New reference. */
json_t *report_moment(int64_t at_ms);
/* May the truth of this part be told? */
bool report_truth(const struct reporting *r, int part);
/* "shown", or until when scores are withheld. */
const char *report_scores_say(const struct reporting *r);
/* What the wall around the candidate's terminal ("confined", "user", "none") is. */
const char *report_wall(const char *wall);
/* When what the event did was taken back, on the session's clock; -1: it was not. */
int64_t report_taken_back(const struct session *s, const struct session_event *e);
/* Beliefs as they stand after a move of `i`; false: it moves none. */
bool report_beliefs(int *points, const struct investigation *i, const struct move *m);
/* The list "summary" of a report that has everything else. New reference. */
json_t *report_summary(const json_t *report);
/* New reference; NULL: it has no attempt that could be read. */
json_t *report_scenario(const struct reporting *r, int part);
/* "DRAM busy 13 %; DRAM bytes 645 MB": what decides of a purchase (headline.h); device may be NULL. */
/* An estimate's answer in words: as typed, "asked, skipped", "not asked", "cut off by the reveal". */
const char *report_answer(const char *typed, enum left left);
void report_said(char *out, size_t size, const struct story *story, const char *probe, const struct evidence *e, const struct msg_device *device);
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

/* The hypothesis that a chart is about: the cause where it may be told, else what was strongest at the end. */
size_t report_told(const json_t *scenario);

/* ---- pages ---- */

enum page_kind { COLUMN_TEXT, COLUMN_LINES /* newlines are kept where the form can */, COLUMN_NUMBER };
struct page_column { const char *name; enum page_kind kind; };
enum page_verdict { VERDICT_NONE, VERDICT_RIGHT, VERDICT_NOT_RIGHT };

/* The pieces that a page is made of. Texts come plain, from anybody, and leave escaped. */
struct page_form {
    void (*open)(FILE *f, const char *title);
    void (*close)(FILE *f);
    void (*heading)(FILE *f, int level, const char *text);               /* 2 to 4 */
    void (*paragraph)(FILE *f, const char *text);
    void (*quotation)(FILE *f, const char *text);                        /* several lines */
    void (*facts)(FILE *f, bool begin);                                  /* around a list of facts, which may be empty */
    void (*fact)(FILE *f, const char *name, const char *text, enum page_verdict verdict);
    void (*table)(FILE *f, const struct page_column *columns, int n);
    void (*row)(FILE *f, bool begin);
    void (*cell)(FILE *f, enum page_kind kind, const char *text);        /* n of them in each row */
    void (*table_end)(FILE *f);
    void (*beliefs)(FILE *f, const json_t *scenario);                    /* a chart over time */
};
extern const struct page_form report_markdown, report_html;
void report_page(FILE *f, const json_t *report, const struct page_form *form);

/* Escaped for text and for attributes. */
void report_html_text(FILE *f, const char *text);
/* Beliefs of a scenario over time as inline SVG; nothing where there is nothing to draw. */
void report_chart(FILE *f, const json_t *scenario);

#endif
