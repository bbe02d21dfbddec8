/* The report's pieces as Markdown: headings, lists and tables; what Markdown would read in a text
 * is escaped. */
#include "scenarios/report/session_report_forms.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/report/session_report_read.h"

enum { BAR = 20 };

/* One line: newlines become blanks. Where it begins a line, what begins a block is escaped there
 * too. */
static void md(FILE *f, const char *text, bool begins)
{
    const char *start = text += strspn(text, " \t\n");
    for (bool first = begins; *text; text++, first = false) {
        bool link = *text == ':' && text[1] == '/',
             mail = *text == '.' && text >= start + 3 && !strncmp(text - 3, "www", 3);
        bool number = begins && !first && (*text == '.' || *text == ')') &&
                      (text[1] == ' ' || !text[1]) &&
                      strspn(start, "0123456789") == (size_t)(text - start);
        if (strchr("\\`*_[]<>|~#&$@!{}^", *text) || link || mail || number ||
            (first && strchr("-+=:", *text)))
            fputc('\\', f);
        fputc(strchr("\n\t", *text) ? ' ' : *text, f);
    }
}

static void heading(FILE *f, int level, const char *text)
{
    fprintf(f, "%.*s ", level, "######");
    md(f, text, false);
    fputs("\n\n", f);
}

static void open_page(FILE *f, const char *title)
{
    heading(f, 1, title);
}

static void close_page(FILE *f)
{
    (void)f;
}

static void paragraph(FILE *f, const char *text)
{
    md(f, text, true);
    fputs("\n\n", f);
}

static void quotation(FILE *f, const char *text)
{
    for (const char *at = text; *at;) {
        size_t n = strcspn(at, "\n");
        char *line = strndup(at, n);
        fputs("> ", f);
        md(f, line ? line : "", true);
        fputs(at[n] ? "  \n" : "\n", f);
        free(line);
        at += n + (at[n] == '\n');
    }
    fputc('\n', f);
}

/* An indented block, which no character of the text can end. */
static void code(FILE *f, const char *text)
{
    for (const char *at = text; *at;) {
        size_t n = strcspn(at, "\n");
        fprintf(f, "    %.*s\n", (int)n, at);
        at += n + (at[n] == '\n');
    }
    fputc('\n', f);
}

static void facts(FILE *f, bool begin)
{
    if (!begin)
        fputc('\n', f);
}

static void fact(FILE *f, const char *name, const char *text, enum page_verdict verdict)
{
    static const char *const words[] =
        {[VERDICT_NONE] = "", [VERDICT_RIGHT] = ", right", [VERDICT_NOT_RIGHT] = ", not right"};
    fputs("- **", f);
    md(f, name, false);
    fputs("** ", f);
    md(f, text, false);
    fprintf(f, "%s\n", words[verdict]);
}

/* ---- tables ---- */

static void cell(FILE *f, enum page_kind kind, const char *text)
{
    (void)kind;
    fputc(' ', f);
    md(f, text, false);
    fputs(" |", f);
}

static void row(FILE *f, bool begin)
{
    fputc(begin ? '|' : '\n', f);
}

static void table(FILE *f, const struct page_column *columns, int n)
{
    row(f, true);
    for (int c = 0; c < n; c++)
        cell(f, columns[c].kind, columns[c].name);
    fputs("\n|", f);
    for (int c = 0; c < n; c++)
        fputs(columns[c].kind == COLUMN_NUMBER ? " ---: |" : " --- |", f);
    fputc('\n', f);
}

static void table_end(FILE *f)
{
    fputc('\n', f);
}

/* ---- beliefs ---- */

static void bar(FILE *f, const json_t *step, const char *whose, size_t h)
{
    long long percent =
                  (long long)json_integer_value(json_array_get(json_object_get(step, whose), h)),
              n = (percent * BAR + 50) / 100;
    fprintf(f, " %lld | `", percent);
    for (long long k = 0; k < BAR; k++)
        fputc(k < n ? '#' : '.', f);
    fputs("` |", f);
}

/* Bars of one hypothesis, a row after each purchase. */
static void beliefs(FILE *f, const json_t *scenario)
{
    const struct page_column columns[] = {{"at", COLUMN_NUMBER},
                                          {"after", COLUMN_TEXT},
                                          {report_text(scenario, "whose"), COLUMN_NUMBER},
                                          {"", COLUMN_TEXT},
                                          {"ideal reader", COLUMN_NUMBER},
                                          {"", COLUMN_TEXT}};
    const json_t *steps = json_object_get(scenario, "steps"),
                 *labels = json_object_get(scenario, "hypotheses");
    bool ideal = report_has(json_array_get(steps, 0), "ideal");
    size_t k, of = report_told(scenario);
    json_t *step;
    if (json_array_size(steps) == 0 || json_array_size(labels) == 0)
        return;
    fputs("On ", f);
    md(f, json_string_value(json_array_get(labels, of)), false);
    fputs(report_has(scenario, "cause") ? ", the cause:\n\n" : ":\n\n", f);
    table(f, columns, ideal ? 6 : 4);
    json_array_foreach(steps, k, step) {
        char clock[24];
        report_clock(clock, report_whole(step, "at_ms"));
        row(f, true);
        cell(f, COLUMN_NUMBER, clock);
        cell(f, COLUMN_TEXT, report_text(step, "after"));
        bar(f, step, "theirs", of);
        if (ideal)
            bar(f, step, "ideal", of);
        row(f, false);
    }
    table_end(f);
}

const struct page_form report_markdown = {
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
    .beliefs = beliefs,
};
