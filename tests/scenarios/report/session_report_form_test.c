/* Forms of a report: each is parsed back, and hostile texts stay texts. */
#include "scenarios/report/session_report.h"

#include <csv.h>

#include "scenarios/interview/interview_life.h"
#include "tests/scenarios/report/reported_interview.h"

enum { COLUMNS = 12 };

static const char *const always[] = {"html",       "head", "body", "title", "style",
                                     "h1",         "h2",   "h3",   "h4",    "p",
                                     "dl",         "dt",   "dd",   "table", "thead",
                                     "tbody",      "tr",   "th",   "td",    "section",
                                     "blockquote", "svg",  "text", "span",  "div"};
static const char *const alone[] = {"!DOCTYPE", "meta", "path", "polyline"};

static bool among(const char *const *list, size_t n, const char *name)
{
    for (size_t k = 0; k < n; k++)
        if (!strcmp(list[k], name))
            return true;
    return false;
}

/* Every tag is one of ours, closed in order; a < that is none fails. */
static void tags_balance(const char *html)
{
    char open[64][16], name[16];
    int depth = 0;
    for (const char *at = strchr(html, '<'); at; at = strchr(at + 1, '<')) {
        bool closing = at[1] == '/';
        size_t n = strcspn(at + 1 + closing, " >/\n");
        assert_true(n < sizeof name);
        snprintf(name, sizeof name, "%.*s", (int)n, at + 1 + closing);
        const char *stop = strchr(at, '>');
        assert_non_null(stop);
        if (among(alone, sizeof alone / sizeof *alone, name))
            continue;
        if (!among(always, sizeof always / sizeof *always, name))
            fail_msg("a tag from elsewhere: <%s", name);
        if (!closing) {
            assert_true(depth < 64);
            strcpy(open[depth++], name);
        } else if (depth == 0 || strcmp(open[--depth], name)) {
            fail_msg("</%s> closes nothing at %.60s", name, at);
        }
    }
    assert_int_equal(depth, 0);
}

static void html_is_whole_and_escaped(void **state)
{
    struct interview *l = held(true);
    finish(l);
    for (int candidate = 0; candidate < 2; candidate++) {
        char *html = written(l, candidate, REPORT_HTML);
        static const char *const never[] = {"<script", "src=",    "href",       "url(",
                                            "@import", " onload", "javascript:"};
        tags_balance(html);
        for (size_t k = 0; k < sizeof never / sizeof *never; k++)
            if (strstr(html, never[k]))
                fail_msg("%s in the HTML", never[k]);
        assert_non_null(strstr(html, "&lt;script&gt;alert(1)&lt;/script&gt; | `x`"));
        assert_non_null(strstr(html, "<svg viewBox"));
        assert_non_null(strstr(html, "prefers-color-scheme:dark"));
        const char *cells = strstr(html, "th,td{"),
                   *words = cells ? strstr(cells, "overflow-wrap:") : NULL;
        assert_true(words && !strncmp(words, "overflow-wrap:break-word}", 25));    /* no "ho/w" */
        assert_non_null(strstr(html, "<div class=\"wide\"><table>"));     /* a wide one moves */
        free(html);
    }
    made_interview_end(l);
}

static int pipes(const char *line, size_t n)
{
    int count = 0;
    for (size_t k = 0; k < n; k++)
        if (line[k] == '\\')
            k++;
        else
            count += line[k] == '|';
    return count;
}

static void markdown_tables_have_equal_columns(void **state)
{
    struct interview *l = held(true);
    finish(l);
    char *text = written(l, false, REPORT_MARKDOWN);
    int columns = 0, tables = 0;
    for (const char *at = text; *at;) {
        size_t n = strcspn(at, "\n");
        bool row = *at == '|';
        if (row && columns == 0)
            tables++;
        if (row && columns && pipes(at, n) != columns)
            fail_msg("%d columns where %d were: %.*s", pipes(at, n), columns, (int)n, at);
        columns = row ? pipes(at, n) : 0;
        if (!row && memmem(at, n, " | ", 3) && pipes(at, n))
            fail_msg("a bar that is not escaped: %.*s", (int)n, at);
        at += n + (at[n] == '\n');
    }
    assert_true(tables >= 7);
    static const char *const never[] = {"<", "](", "`x`", "*b*", "\n# then"};
    for (size_t k = 0; k < sizeof never / sizeof *never; k++)
        for (const char *at = strstr(text, never[k]); at; at = strstr(at + 1, never[k]))
            if (at == text || at[-1] != '\\')
                fail_msg("%s as it is: %.60s", never[k], at);
    free(text);
    made_interview_end(l);
}

struct table { int rows, timeline, cells; bool runs, is_timeline; char third[64]; };

static void on_cell(void *cell, size_t n, void *ctx)
{
    struct table *t = ctx;
    t->cells++;
    t->is_timeline = t->cells == 1 ? n == 8 && !memcmp(cell, "timeline", n) : t->is_timeline;
    t->runs |= n && strchr("=+-@\t\r", *(const char *)cell) != NULL;
    if (t->rows == 1 && t->cells == 3)
        snprintf(t->third, sizeof t->third, "%.*s", (int)n, (const char *)cell);
}

static void on_row(int c, void *ctx)
{
    struct table *t = ctx;
    (void)c;
    assert_int_equal(t->cells, COLUMNS);
    t->cells = 0;
    t->timeline += t->is_timeline;
    t->rows++;
}

static void csv_can_be_opened_safely(void **state)
{
    struct interview *l = held(true);
    finish(l);
    json_t *report = report_make(l, false);
    char *text = report_write(report, REPORT_CSV);
    struct csv_parser p;
    struct table t = {0};
    assert_int_equal(csv_init(&p, CSV_STRICT | CSV_STRICT_FINI), 0);
    assert_int_equal(csv_parse(&p, text, strlen(text), on_cell, on_row, &t), strlen(text));
    assert_int_equal(csv_fini(&p, on_cell, on_row, &t), 0);
    csv_free(&p);
    assert_int_equal(t.timeline, json_array_size(json_object_get(report, "timeline")));
    assert_string_equal(t.third, "'" FORMULA);
    assert_false(t.runs);
    static const char *const tables[] = {"summary", "score", "estimate",
                                         "belief",  "drill", "timeline"};
    for (size_t k = 0; k < sizeof tables / sizeof *tables; k++) {
        char *begins = text_format("\r\n%s,", tables[k]);
        if (!strstr(text, begins))
            fail_msg("no table %s", tables[k]);
        free(begins);
    }
    free(text);
    json_decref(report);
    made_interview_end(l);
}

static void json_has_the_documented_shape(void **state)
{
    struct interview *l = held(true);
    finish(l);
    char *text = written(l, false, REPORT_JSON);
    json_t *report = json_loads(text, 0, NULL), *part, *scenario, *evidence;
    assert_non_null(report);
    assert_string_equal(json_string_value(json_object_get(report, "format")), "warpdrill-report");
    assert_string_equal(json_string_value(json_object_get(report, "candidate")), FORMULA);
    assert_int_equal(json_integer_value(json_object_get(report, "paused_ms")), 67000);
    part = json_array_get(json_object_get(report, "parts"), 1);
    scenario = json_object_get(part, "scenario");
    assert_string_equal(json_string_value(json_object_get(scenario, "id")), "small/sums/a");
    assert_int_equal(json_integer_value(json_object_get(scenario, "cause")), 0);
    evidence = json_object_get(scenario, "evidence");
    assert_int_equal(json_array_size(evidence), 3);
    static const char *const how[] = {"bought", "withheld", "handed out"};
    for (size_t k = 0; k < 3; k++)
        assert_string_equal(json_string_value(json_object_get(json_array_get(evidence, k), "how")),
                            how[k]);
    assert_int_equal(json_array_size(json_object_get(scenario, "steps")), 5);
    assert_true(json_array_size(json_object_get(scenario, "track")) >= 4);
    json_t *estimate = json_array_get(json_object_get(scenario, "estimates"), 0),
           *score = json_object_get(scenario, "score");
    assert_true(json_number_value(json_object_get(estimate, "factor")) >= 1);
    assert_int_equal(json_array_size(json_object_get(score, "lines")), 6);
    assert_int_equal(json_array_size(json_object_get(report, "notes")), 2);
    assert_int_equal(json_array_size(json_object_get(report, "lines")), 3);
    json_decref(report);
    free(text);
    made_interview_end(l);
}

/* ---- odd ones ---- */

static void an_empty_interview_has_a_report(void **state)
{
    struct interview *l = create(true);
    for (int f = 0; f < 4; f++)
        for (int candidate = 0; candidate < 2; candidate++) {
            char *text = written(l, candidate, (enum report_format)f);
            assert_true(strlen(text) > 40);
            if (f == REPORT_HTML)
                tags_balance(text);
            free(text);
        }
    assert_true(holds(l, false, "\"state\": \"not begun\""));
    made_interview_end(l);
}

/* The host died in the middle of the investigation; somebody else reads what it left. */
static void one_that_was_killed_has_a_report(void **state)
{
    struct interview *l = create(true), *again = NULL;
    char id[64];
    DO(interview_begin(l, 1, &err));
    DO(interview_attempt_begin(l, attempt_new(l), &err));
    investigate(l);
    snprintf(id, sizeof id, "%s", interview_id(l));
    interview_free(l);
    DO(interview_open(&again, id, true, &err));
    assert_true(holds(again, false, "\"state\": \"running\"") &&
                holds(again, false, "handed out") && !holds(again, false, "\"commitment\""));
    char *html = written(again, false, REPORT_HTML);
    tags_balance(html);
    free(html);
    made_interview_end(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(html_is_whole_and_escaped),
        cmocka_unit_test(markdown_tables_have_equal_columns),
        cmocka_unit_test(csv_can_be_opened_safely),
        cmocka_unit_test(json_has_the_documented_shape),
        cmocka_unit_test(an_empty_interview_has_a_report),
        cmocka_unit_test(one_that_was_killed_has_a_report),
    };
    return cmocka_run_group_tests_name("session_report_form", tests, begin_all, interviews_end);
}
