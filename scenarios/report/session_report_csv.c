/* The report as one list in CSV. */
#include "scenarios/report/session_report_forms.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/report/session_report_read.h"

/* What a spreadsheet would run gets a ' in front, as exports of the progress have it. */
static void cell(FILE *f, const char *text)
{
    bool runs = text_is_formula(text), quoted = runs || strpbrk(text, ",\"\r\n\t") ||
                                                *text == ' ' || *text == '#' ||
                                                (*text && text[strlen(text) - 1] == ' ');
    fputs(quoted ? runs ? "\"'" : "\"" : "", f);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', f);
        fputc(*text, f);
    }
    fputs(quoted ? "\"" : "", f);
    fputs(",", f);
}

/* One row; every table has the same columns, so that a spreadsheet filters by the first. `value`
 * NULL: none; of 0: of nothing. */
struct csv_row {
    const char *table;
    long long part;
    const json_t *at_ms;
    const char *utc, *who, *what, *text;
    const json_t *value;
    double of;
};

static void csv_number(FILE *f, const json_t *value, const char *end)
{
    if (value)
        fprintf(f, "%.6g", json_number_value(value));
    fputs(end, f);
}

static void csv_row(FILE *f, const json_t *report, const struct csv_row *r)
{
    char clock[24] = "";
    cell(f, r->table);
    cell(f, report_text(report, "id"));
    cell(f, report_text(report, "candidate"));
    if (r->at_ms)
        report_clock(clock, (long long)json_integer_value(r->at_ms));
    fprintf(f, "%lld,%s,", r->part, clock);
    csv_number(f, r->at_ms, ",");
    cell(f, r->utc ? r->utc : "");
    cell(f, r->who ? r->who : "");
    cell(f, r->what ? r->what : "");
    cell(f, r->text ? r->text : "");
    csv_number(f, r->value, ",");
    if (r->of > 0)
        fprintf(f, "%.4g", r->of);
    fputs("\r\n", f);
}

static void csv_beliefs(FILE *f, const json_t *report, long long n, const json_t *scenario)
{
    static const char *const whose[] = {"theirs", "ideal"}, *const at[] = {"at_ms", "from_ms"};
    size_t k, h;
    json_t *step, *points;
    json_array_foreach(json_object_get(scenario, "steps"), k, step) for (int w = 0; w < 2; w++)
        json_array_foreach(json_object_get(step, whose[w]), h, points)
            csv_row(f, report,
                    &(struct csv_row){.table = "belief",
                                      .part = n,
                                      .at_ms = json_object_get(step, at[w]),
                                      .who = w ? "ideal reader" : report_text(scenario, "whose"),
                                      .what = json_string_value(
                                          json_array_get(json_object_get(scenario, "hypotheses"),
                                                         h)),
                                      .text = report_text(step, "after"),
                                      .value = points,
                                      .of = 100});
}

/* A try's value is the share of the gap that it closed. */
static void csv_fix(FILE *f, const json_t *report, long long n, const json_t *tries)
{
    size_t k;
    json_t *row;
    char name[24];
    json_array_foreach(tries, k, row) {
        const json_t *share = json_object_get(json_object_get(row, "verdict"), "gap_closed");
        snprintf(name, sizeof name, "try %lld", report_whole(row, "n"));
        csv_row(f, report,
                &(struct csv_row){.table = "fix",
                                  .part = n,
                                  .at_ms = json_object_get(row, "at_ms"),
                                  .what = name,
                                  .text = report_text(row, "headline"),
                                  .value = json_is_number(share) ? share : NULL,
                                  .of = json_is_number(share) ? 1 : 0});
    }
}

static void csv_part(FILE *f, const json_t *report, const json_t *part)
{
    const json_t *scenario = json_object_get(part, "scenario");
    long long n = report_whole(part, "n");
    size_t k;
    json_t *row;
    json_array_foreach(json_object_get(json_object_get(scenario, "score"), "lines"), k, row) {
        long long of = report_whole(row, "possible");
        bool reached = of || !json_is_true(json_object_get(row, "cut"));
        csv_row(f, report,
                &(struct csv_row){.table = "score",
                                  .part = n,
                                  .what = report_text(row, "line"),
                                  .text = report_text(row, "why"),
                                  .value = reached ? json_object_get(row, "points") : NULL,
                                  .of = (double)of});
    }
    if (*report_text(scenario, "no_score"))
        csv_row(f, report,
                &(struct csv_row){.table = "score",
                                  .part = n,
                                  .what = "none",
                                  .text = report_text(scenario, "no_score")});
    json_array_foreach(json_object_get(scenario, "estimates"), k, row)
        csv_row(f, report,
                &(struct csv_row){.table = "estimate",
                                  .part = n,
                                  .what = report_text(row, "ask"),
                                  .text = report_text(row, "given"),
                                  .value = json_object_get(row, "points"),
                                  .of = json_number_value(json_object_get(row, "possible"))});
    csv_beliefs(f, report, n, scenario);
    csv_fix(f, report, n, json_object_get(part, "fix"));
    json_array_foreach(json_object_get(part, "drills"), k, row)
        csv_row(f, report,
                &(struct csv_row){.table = "drill",
                                  .part = n,
                                  .at_ms = json_object_get(row, "asked_ms"),
                                  .what = report_text(row, "title"),
                                  .text = report_text(row, "answer"),
                                  .value = json_object_get(row, "points"),
                                  .of = json_object_get(row, "points") ? 1 : 0});
}

void report_csv(FILE *f, const json_t *report)
{
    size_t k;
    json_t *row;
    fputs("table,session,candidate,part,at,at_ms,utc,who,what,text,value,of\r\n", f);
    json_array_foreach(json_object_get(report, "summary"), k, row)
        csv_row(f, report,
                &(struct csv_row){.table = "summary",
                                  .what = report_text(row, "name"),
                                  .text = report_text(row, "text")});
    json_array_foreach(json_object_get(report, "parts"), k, row)
        csv_part(f, report, row);
    json_array_foreach(json_object_get(report, "rubric"), k, row)
        csv_row(f, report,
                &(struct csv_row){.table = "grade",
                                  .what = report_text(row, "title"),
                                  .text = report_text(row, "anchor"),
                                  .value = report_whole(row, "grade")
                                               ? json_object_get(row, "grade")
                                               : NULL,
                                  .of = 4});
    json_array_foreach(json_object_get(report, "timeline"), k, row)
        csv_row(f, report,
                &(struct csv_row){.table = "timeline",
                                  .part = report_whole(row, "part"),
                                  .at_ms = json_object_get(row, "at_ms"),
                                  .utc = report_text(row, "utc"),
                                  .who = report_text(row, "who"),
                                  .what = report_text(row, "what"),
                                  .text = report_text(row, "text")});
}
