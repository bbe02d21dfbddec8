#include "scenarios/report/session_report_put.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "kernels/wire/text.h"

void report_put(json_t *to, const char *key, const char *text)
{
    char *copy = text_dup(text ? text : "");
    text_clean(copy, strlen(copy));
    json_object_set_new(to, key, json_string(copy));
    free(copy);
}

json_t *report_moment(int64_t at_ms)
{
    char text[32];
    time_t at = (time_t)(at_ms / 1000);
    struct tm tm;
    if (at_ms <= 0 || !gmtime_r(&at, &tm))
        return json_null();
    strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm);
    return json_string(text);
}

bool report_truth(const struct reporting *r, int part)
{
    return !r->candidate || r->session->parts[part].revealed;
}

const char *report_scores_say(const struct reporting *r)
{
    return r->scores       ? "shown"
           : r->candidate  ? "withheld until the interviewer releases them"
                           : "withheld until every signal of the rubric is graded";
}

const char *report_line(const struct reporting *r, const struct session_event *e)
{
    bool unsaid = r->candidate && e->undone && e->kind == SESSION_INJECTED;
    return unsaid || !e->text ? "" : e->text;
}
