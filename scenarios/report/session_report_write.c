/* The forms of a report: which there are, and a report in one of them. */
#include "scenarios/report/session_report.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/report/session_report_forms.h"

int report_format_find(const char *name)
{
    static const char *const names[] = {[REPORT_MARKDOWN] = "md",
                                        [REPORT_HTML] = "html",
                                        [REPORT_CSV] = "csv",
                                        [REPORT_JSON] = "json"};
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
    case REPORT_CSV: report_csv(f, report); break;
    default:
        json_dumpf(report, f, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
        fputc('\n', f);
    }
    fclose(f);
    return text;
}
