/* A report read again, by its summary and its forms: values of its JSON, and how times, numbers and
 * walls read. */
#ifndef WD_SCENARIOS_SESSION_REPORT_READ_H
#define WD_SCENARIOS_SESSION_REPORT_READ_H

#include <jansson.h>
#include <stdbool.h>

const char *report_text(const json_t *of, const char *key);   /* "" where there is none */
long long report_whole(const json_t *of, const char *key);
bool report_has(const json_t *of, const char *key);
/* "12:04", from an hour on "1:02:04". */
void report_clock(char out[24], long long ms);
/* "0.129 ms" of a number in its unit's base. */
void report_quantity(char out[48], const json_t *value, const char *unit);
/* The hypothesis that a chart is about: the cause where it may be told, else what was strongest at
 * the end. */
size_t report_told(const json_t *scenario);
/* What the wall around the candidate's terminal ("confined", "user", "none") is. */
const char *report_wall(const char *wall);

#endif
