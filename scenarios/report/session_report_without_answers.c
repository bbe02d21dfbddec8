/* What of a report would be an answer key in other hands, so that packs and rubrics may be used
 * again. */
#include "scenarios/report/session_report.h"

#include <string.h>

static void drop(json_t *of, const char *const *keys)
{
    for (; of && *keys; keys++)
        json_object_del(of, *keys);
}

static void drop_each(json_t *list, const char *const *keys)
{
    size_t k;
    json_t *one;
    json_array_foreach(list, k, one)
        drop(one, keys);
}

static void scenario_without_key(json_t *s)
{
    static const char *const own[] = {"id", "truth", "cause", "lessons", "named_says", NULL};
    static const char *const values[] = {"truth", "factor", "say", "why", NULL};
    static const char *const pushback[] = {"kind", "teaches", NULL};
    static const char *const ideal[] = {"ideal", NULL}, *const why[] = {"why", NULL};
    drop(s, own);
    drop_each(json_object_get(s, "steps"), ideal);
    drop_each(json_object_get(s, "estimates"), values);
    drop(json_object_get(s, "pushback"), pushback);
    drop_each(json_object_get(json_object_get(s, "score"), "lines"), why);
}

/* "1 of 2: strided stores found": the number stays. */
static void count_alone(json_t *line)
{
    const char *text = json_string_value(json_object_get(line, "text"));
    if (text)
        json_object_set_new(line, "text", json_stringn(text, strcspn(text, ":;,(")));
}

void report_without_answers(json_t *report)
{
    static const char *const anchor[] = {"anchor", NULL}, *const drill[] = {"drill", "say", NULL};
    static const char *const text[] = {"text", NULL}, *const why[] = {"why", NULL};
    size_t k, i;
    json_t *one, *tried;
    json_array_foreach(json_object_get(report, "parts"), k, one) {
        scenario_without_key(json_object_get(one, "scenario"));
        drop_each(json_object_get(one, "fix"), text);
        json_array_foreach(json_object_get(one, "fix"), i, tried)
            drop(json_object_get(tried, "verdict"), why);
        drop_each(json_object_get(one, "drills"), drill);
    }
    drop_each(json_object_get(report, "rubric"), anchor);
    json_array_foreach(json_object_get(report, "summary"), k, one)
        if (!strncmp(json_string_value(json_object_get(one, "name")), "cause", strlen("cause")))
            count_alone(one);
    json_object_set_new(report, "key", json_false());
}
