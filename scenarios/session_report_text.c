/* The forms of a report: which there are, CSV, and how times and numbers read. */
#include "scenarios/session_report.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/quantity.h"
#include "scenarios/session_report_inside.h"

/* ---- reading the report ---- */

const char *report_text(const json_t *of, const char *key)
{
    const char *text = json_string_value(json_object_get(of, key));
    return text ? text : "";
}

long long report_whole(const json_t *of, const char *key)
{
    return (long long)json_integer_value(json_object_get(of, key));
}

bool report_has(const json_t *of, const char *key)
{
    return json_object_get(of, key) != NULL;
}

void report_clock(char out[24], long long ms)
{
    long long s = ms > 0 ? ms / 1000 : 0;
    if (s < 3600)
        snprintf(out, 24, "%lld:%02lld", s / 60, s % 60);
    else
        snprintf(out, 24, "%lld:%02lld:%02lld", s / 3600, s / 60 % 60, s % 60);
}

void report_quantity(char out[48], const json_t *value, const char *unit)
{
    struct dim dim;
    double factor = 1;
    char base[24] = "1";
    if (unit_parse(unit, strlen(unit), &dim, &factor))
        dim_unit(base, sizeof base, dim);
    quantity_show(out, 48, json_number_value(value), base);
}

size_t report_told(const json_t *scenario)
{
    const json_t *track = json_object_get(scenario, "track"), *last = json_object_get(json_array_get(track, json_array_size(track) - 1), "theirs");
    size_t most = 0;
    if (report_has(scenario, "cause"))
        return (size_t)report_whole(scenario, "cause");
    for (size_t h = 1; h < json_array_size(last); h++)
        most = json_integer_value(json_array_get(last, h)) > json_integer_value(json_array_get(last, most)) ? h : most;
    return most;
}

/* ---- CSV ---- */

/* What a spreadsheet would run gets a ' in front, as exports of the progress have it. */
static void cell(FILE *f, const char *text, bool last)
{
    const char *first = text + strspn(text, "'");
    bool runs = *first && strchr("=+-@\t\r", *first), quoted = runs || strpbrk(text, ",\"\r\n\t") || *text == ' ' || *text == '#' ||
                                                          (*text && text[strlen(text) - 1] == ' ');
    fputs(quoted ? runs ? "\"'" : "\"" : "", f);
    for (; *text; text++) {
        if (*text == '"')
            fputc('"', f);
        fputc(*text, f);
    }
    fputs(quoted ? "\"" : "", f);
    fputs(last ? "\r\n" : ",", f);
}

static void write_csv(FILE *f, const json_t *report)
{
    size_t k;
    json_t *e;
    fputs("session,candidate,part,at,at_ms,utc,who,what,text\r\n", f);
    json_array_foreach(json_object_get(report, "timeline"), k, e) {
        char clock[24];
        report_clock(clock, report_whole(e, "at_ms"));
        cell(f, report_text(report, "id"), false);
        cell(f, report_text(report, "candidate"), false);
        fprintf(f, "%lld,%s,%lld,", report_whole(e, "part"), clock, report_whole(e, "at_ms"));
        cell(f, report_text(e, "utc"), false);
        cell(f, report_text(e, "who"), false);
        cell(f, report_text(e, "what"), false);
        cell(f, report_text(e, "text"), true);
    }
}

/* ---- all of them ---- */

int report_format_find(const char *name)
{
    static const char *const names[] = {[REPORT_MARKDOWN] = "md", [REPORT_HTML] = "html", [REPORT_CSV] = "csv", [REPORT_JSON] = "json"};
    for (int k = 0; k < 4; k++)
        if (!strcmp(names[k], name))
            return k;
    return -1;
}

char *report_write(const json_t *report, enum report_format format)
{
    char *text = NULL;
    size_t size = 0;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        abort();
    switch (format) {
    case REPORT_MARKDOWN: report_page(f, report, &report_markdown); break;
    case REPORT_HTML: report_page(f, report, &report_html); break;
    case REPORT_CSV: write_csv(f, report); break;
    default:
        json_dumpf(report, f, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
        fputc('\n', f);
    }
    fclose(f);
    return text;
}
