/* The report's pieces as one HTML file: its style and its charts are in it, and nothing in it runs
 * or is fetched. */
#include "scenarios/report/session_report_forms.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/report/session_report_chart.h"

static const char style[] =
    ":root{color-scheme:light "
    "dark;--ink:#1b1f24;--dim:#5b6470;--line:#d5d9de;--back:#fff;--you:#0b62c4;--ideal:#b3541e;--"
    "good:#1a7f37;--bad:#b42318;--soft:#f4f6f8}@media(prefers-color-scheme:dark){:root{--ink:#"
    "e6e9ec;--dim:#9aa4af;--line:#3a424b;--back:#14181c;--you:#6cb0ff;--ideal:#f0a06a;--good:#"
    "56d364;--bad:#ff8b80;--soft:#1d2329}}body{font:15px/1.5 "
    "system-ui,sans-serif;color:var(--ink);background:var(--back);max-width:70rem;margin:2rem "
    "auto;padding:0 1rem}h1{font-size:1.6rem}h2{font-size:1.25rem;border-bottom:1px solid "
    "var(--line);margin-top:2.2rem}h3{font-size:1.05rem;margin-bottom:.3rem}h4{margin-bottom:.2rem}"
    ".wide{overflow-x:auto}table{border-collapse:collapse;width:100%;margin:.4rem 0 "
    "1rem;font-variant-numeric:tabular-nums}th,td{text-align:left;vertical-align:top;padding:.2rem "
    ".6rem .2rem 0;border-bottom:1px solid "
    "var(--line);overflow-wrap:break-word}th{color:var(--dim);font-weight:600}td.t{min-width:16ch;"
    "overflow-wrap:anywhere}.n{text-align:right;white-space:nowrap}th.n{white-space:normal}td.t,dd{"
    "white-space:pre-wrap}dl{display:grid;grid-template-columns:fit-content(14rem) "
    "minmax(0,1fr);gap:.1rem 1rem;margin:.4rem "
    "0}dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}blockquote{margin:.4rem "
    "0;padding:.4rem "
    ".8rem;background:var(--soft);white-space:pre-wrap;overflow-wrap:anywhere}pre{margin:.4rem "
    "0;padding:.4rem .8rem;background:var(--soft);overflow-x:auto}svg{width:100%;"
    "height:auto;max-width:46rem}svg text{fill:var(--dim);font-size:11px}svg "
    ".axis{stroke:var(--line);fill:none}svg .you{stroke:var(--you);stroke-width:2.2;fill:none}svg "
    ".ideal{stroke:var(--ideal);stroke-width:2;stroke-dasharray:6 4;fill:none}svg "
    ".other{stroke:var(--dim);stroke-width:1;opacity:.55;fill:none}svg "
    ".mark{stroke:var(--line);stroke-dasharray:2 3}svg text.ty{fill:var(--you)}svg "
    "text.ti{fill:var(--ideal)}.good{color:var(--good)}.bad{color:var(--bad)}.dim{color:var(--dim)}"
    "@media "
    "print{:root{color-scheme:light;--ink:#000;--dim:#444;--line:#bbb;--back:#fff;--you:#0b62c4;--"
    "ideal:#b3541e;--soft:#f4f4f4}body{max-width:none;margin:0;font-size:11px}.wide{overflow:"
    "visible}th,td{padding-right:.4rem}td.t{min-width:10ch}tr,svg,dl{break-inside:avoid}h2,h3,h4{"
    "break-after:avoid}thead{display:table-header-group}}@media(max-width:40rem){dl{display:block}"
    "dd{margin:0 0 .4rem}}";

/* ---- pieces ---- */

static void element(FILE *f, const char *name, const char *class, const char *text)
{
    fprintf(f, "<%s%s%s%s>", name, class ? " class=\"" : "", class ? class : "", class ? "\"" : "");
    report_html_text(f, text);
    fprintf(f, "</%s>", name);
}

static void heading(FILE *f, int level, const char *text)
{
    const char name[] = {'h', (char)('0' + level), '\0'};
    element(f, name, NULL, text);
    fputc('\n', f);
}

static void open_page(FILE *f, const char *title)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta "
          "name=\"viewport\" content=\"width=device-width,initial-scale=1\"><meta "
          "http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
          "'unsafe-inline'\">",
          f);
    element(f, "title", NULL, title);
    fprintf(f, "<style>%s</style></head><body>\n", style);
    heading(f, 1, title);
}

static void close_page(FILE *f)
{
    fputs("</body></html>\n", f);
}

static void paragraph(FILE *f, const char *text)
{
    element(f, "p", "dim", text);
    fputc('\n', f);
}

static void quotation(FILE *f, const char *text)
{
    element(f, "blockquote", NULL, text);
    fputc('\n', f);
}

static void code(FILE *f, const char *text)
{
    element(f, "pre", NULL, text);
    fputc('\n', f);
}

static void facts(FILE *f, bool begin)
{
    fputs(begin ? "<dl>\n" : "</dl>\n", f);
}

static void fact(FILE *f, const char *name, const char *text, enum page_verdict verdict)
{
    element(f, "dt", NULL, name);
    fputs("<dd>", f);
    report_html_text(f, text);
    if (verdict != VERDICT_NONE) {
        fputs(", ", f);
        element(f, "span", verdict == VERDICT_RIGHT ? "good" : "bad",
                verdict == VERDICT_RIGHT ? "right" : "not right");
    }
    fputs("</dd>\n", f);
}

/* ---- tables ---- */

static const char *class_of(enum page_kind kind)
{
    return kind == COLUMN_NUMBER ? "n" : kind == COLUMN_LINES ? "t" : NULL;
}

static void table(FILE *f, const struct page_column *columns, int n)
{
    fputs("<div class=\"wide\"><table><thead><tr>", f);
    for (int c = 0; c < n; c++)
        element(f, "th", class_of(columns[c].kind), columns[c].name);
    fputs("</tr></thead><tbody>\n", f);
}

static void row(FILE *f, bool begin)
{
    fputs(begin ? "<tr>" : "</tr>\n", f);
}

static void cell(FILE *f, enum page_kind kind, const char *text)
{
    element(f, "td", class_of(kind), text);
}

static void table_end(FILE *f)
{
    fputs("</tbody></table></div>\n", f);
}

const struct page_form report_html = {
    .open = open_page,
    .close = close_page,
    .heading = heading,
    .paragraph = paragraph,
    .quotation = quotation,
    .code = code,
    .facts = facts,
    .fact = fact,
    .table = table,
    .row = row,
    .cell = cell,
    .table_end = table_end,
    .beliefs = report_chart,
};
