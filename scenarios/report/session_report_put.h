/* The sources of every part of a report, and how texts, moments and withheld things are written
 * into it. */
#ifndef WD_SCENARIOS_SESSION_REPORT_PUT_H
#define WD_SCENARIOS_SESSION_REPORT_PUT_H

#include <jansson.h>

#include "scenarios/interview/interview.h"

struct reporting {
    struct interview *live;
    const struct session *session;
    const struct interview_entry *entries; int n;
    bool candidate;                      /* for whom */
    bool scores, grades;                 /* may be shown */
};

/* Cleaned of control characters, and always a string. */
void report_put(json_t *to, const char *key, const char *text);
/* "2026-11-21T12:00:00Z"; null for 0. New reference. */
json_t *report_moment(int64_t at_ms);
/* May the truth of this part be told? */
bool report_truth(const struct reporting *r, int part);
/* "shown", or until when scores are withheld. */
const char *report_scores_say(const struct reporting *r);

/* What a hint, a curveball or a line said. A curveball that was taken back is told to the candidate
 * without its words, which were typed in haste; a hint's were prepared. */
const char *report_line(const struct reporting *r, const struct session_event *e);

#endif
