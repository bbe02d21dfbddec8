/* The report as Markdown: headings, lists and tables; what Markdown would read in a text is escaped. */
#include "scenarios/session_report.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/session_report_inside.h"

enum { BAR = 20 };

/* ---- texts ---- */

/* One line: newlines become blanks. A text may stand at the beginning of a line, so what begins a block is escaped there too. */
static void md(FILE *f, const char *text)
{
    const char *start = text += strspn(text, " \t\n");
    for (bool first = true; *text; text++, first = false) {
        bool link = *text == ':' && text[1] == '/', mail = *text == '.' && text >= start + 3 && !strncmp(text - 3, "www", 3);
        bool number = !first && (*text == '.' || *text == ')') && (text[1] == ' ' || !text[1]) && strspn(start, "0123456789") == (size_t)(text - start);
        if (strchr("\\`*_[]<>|~#&$@!{}^", *text) || link || mail || number || (first && strchr("-+=:", *text)))
            fputc('\\', f);
        fputc(strchr("\n\t", *text) ? ' ' : *text, f);
    }
}

/* Several lines, as a quotation. */
static void quotation(FILE *f, const char *text)
{
    for (const char *at = text; *at;) {
        size_t n = strcspn(at, "\n");
        char *line = strndup(at, n);
        fputs("> ", f);
        md(f, line ? line : "");
        fputs(at[n] ? "  \n" : "\n", f);
        free(line);
        at += n + (at[n] == '\n');
    }
    fputc('\n', f);
}

static void item(FILE *f, const char *name, const char *text)
{
    if (!*text)
        return;
    fprintf(f, "- **%s** ", name);
    md(f, text);
    fputc('\n', f);
}

static void head_row(FILE *f, const char *names, const char *rule)
{
    fprintf(f, "| %s |\n| %s |\n", names, rule);
}

static void cell(FILE *f, const char *text)
{
    fputs(" ", f);
    md(f, text);
    fputs(" |", f);
}

static void clock_cell(FILE *f, const json_t *of)
{
    char clock[24];
    report_clock(clock, report_whole(of, "at_ms"));
    fprintf(f, "| %s |", clock);
}

/* ---- the head ---- */

static void write_people(FILE *f, const json_t *report)
{
    size_t k;
    json_t *p;
    json_array_foreach(json_object_get(report, "people"), k, p) {
        fputs("- **joined** ", f);
        md(f, report_text(p, "name"));
        fputs(", ", f);
        md(f, report_text(p, "role"));
        if (*report_text(p, "wall")) {
            fputs(", wall: ", f);
            md(f, report_text(p, "wall"));
        }
        fputc('\n', f);
    }
}

static void write_head(FILE *f, const json_t *report)
{
    char clock[24], pause[24];
    report_clock(clock, report_whole(report, "running_ms"));
    report_clock(pause, report_whole(report, "paused_ms"));
    fputs("# ", f);
    md(f, *report_text(report, "title") ? report_text(report, "title") : "Interview");
    fputs("\n\n", f);
    item(f, "session", report_text(report, "id"));
    item(f, "candidate", report_text(report, "candidate"));
    item(f, "began", report_text(report, "began"));
    item(f, "state", report_text(report, "state"));
    fprintf(f, "- **running time** %s of %lld min planned; pauses %s\n", clock, report_whole(report, "minutes_planned"), pause);
    item(f, "wall", report_text(report, "wall"));
    write_people(f, report);
    item(f, "scores", report_text(report, "scores"));
    item(f, "grades", report_text(report, "grades"));
    fputc('\n', f);
}

/* ---- a scenario ---- */

static void write_evidence(FILE *f, const json_t *s)
{
    size_t k;
    json_t *e;
    if (json_array_size(json_object_get(s, "evidence")) == 0)
        return;
    fputs("#### Evidence\n\n", f);
    head_row(f, "at | | evidence | how | min | tier | what it said", "---: | --- | --- | --- | ---: | --- | ---");
    json_array_foreach(json_object_get(s, "evidence"), k, e) {
        clock_cell(f, e);
        cell(f, report_text(e, "letter"));
        cell(f, report_text(e, "title"));
        cell(f, report_text(e, "how"));
        fprintf(f, " %lld |", report_whole(e, "price"));
        cell(f, report_text(e, "tier"));
        cell(f, report_text(e, "said"));
        fputc('\n', f);
    }
    fprintf(f, "\nPaid %lld min of patience; par %lld, patience %lld.\n\n", report_whole(s, "price"), report_whole(s, "par"), report_whole(s, "patience"));
}

static long long point(const json_t *step, const char *whose, size_t h)
{
    return (long long)json_integer_value(json_array_get(json_object_get(step, whose), h));
}

/* The hypothesis that a table tells most about: the truth where it may be told, else the strongest at the end. */
static size_t told(const json_t *s)
{
    const json_t *steps = json_object_get(s, "steps"), *last = json_array_get(steps, json_array_size(steps) - 1);
    size_t most = 0, n = json_array_size(json_object_get(s, "hypotheses"));
    if (report_has(s, "cause"))
        return (size_t)report_whole(s, "cause");
    for (size_t h = 1; h < n; h++)
        most = point(last, "theirs", h) > point(last, "theirs", most) ? h : most;
    return most;
}

static void bar(FILE *f, long long percent)
{
    long long n = (percent * BAR + 50) / 100;
    fprintf(f, " %lld | `", percent);
    for (long long k = 0; k < BAR; k++)
        fputs(k < n ? "#" : ".", f);
    fputs("` |", f);
}

static size_t strongest(const json_t *step, const char *whose, size_t n)
{
    size_t most = 0;
    for (size_t h = 1; h < n; h++)
        most = point(step, whose, h) > point(step, whose, most) ? h : most;
    return most;
}

static void write_beliefs(FILE *f, const json_t *s)
{
    const json_t *steps = json_object_get(s, "steps"), *labels = json_object_get(s, "hypotheses");
    bool ideal = report_has(json_array_get(steps, 0), "ideal");
    size_t k, of = told(s), n = json_array_size(labels);
    json_t *step;
    if (json_array_size(steps) == 0)
        return;
    fputs("#### Beliefs\n\nIn % on ", f);
    md(f, json_string_value(json_array_get(labels, of)));
    fputs(report_has(s, "cause") ? ", the cause.\n\n" : ".\n\n", f);
    if (ideal)
        head_row(f, "at | after | theirs | | ideal | | their strongest", "---: | --- | ---: | --- | ---: | --- | ---");
    else
        head_row(f, "at | after | theirs | | their strongest", "---: | --- | ---: | --- | ---");
    json_array_foreach(steps, k, step) {
        char text[160];
        size_t most = strongest(step, "theirs", n);
        clock_cell(f, step);
        cell(f, report_text(step, "after"));
        bar(f, point(step, "theirs", of));
        if (ideal)
            bar(f, point(step, "ideal", of));
        snprintf(text, sizeof text, "%s %lld", json_string_value(json_array_get(labels, most)), point(step, "theirs", most));
        cell(f, text);
        fputc('\n', f);
    }
    fputc('\n', f);
}

static void write_estimates(FILE *f, const json_t *s)
{
    size_t k;
    json_t *e;
    if (json_array_size(json_object_get(s, "estimates")) == 0)
        return;
    fputs("#### Estimates\n\n", f);
    head_row(f, "asked | said | truth | factor | points", "--- | --- | ---: | ---: | ---:");
    json_array_foreach(json_object_get(s, "estimates"), k, e) {
        char truth[48] = "";
        if (report_has(e, "truth"))
            report_quantity(truth, json_object_get(e, "truth"), report_text(e, "unit"));
        fputs("|", f);
        cell(f, report_text(e, "ask"));
        cell(f, report_text(e, "given"));
        cell(f, truth);
        if (report_has(e, "factor"))
            fprintf(f, " %.2f x |", json_number_value(json_object_get(e, "factor")));
        else
            fputs(" |", f);
        if (report_has(e, "points"))
            fprintf(f, " %.1f of %.0f |\n", json_number_value(json_object_get(e, "points")), json_number_value(json_object_get(e, "possible")));
        else
            fputs(" |\n", f);
    }
    fputc('\n', f);
}

static const char *verdict(const json_t *c, const char *key)
{
    return !report_has(c, key) ? "" : json_is_true(json_object_get(c, key)) ? ", right" : ", not right";
}

static void write_end(FILE *f, const json_t *s)
{
    const json_t *c = json_object_get(s, "commitment"), *p = json_object_get(s, "pushback"), *a = json_object_get(s, "answer");
    char clock[24];
    if (c) {
        report_clock(clock, report_whole(c, "at_ms"));
        fprintf(f, "- **committed** at %s: ", clock);
        md(f, *report_text(c, "place") ? report_text(c, "place") : "beliefs alone");
        fprintf(f, "%s; ", verdict(c, "right_place"));
        md(f, *report_text(c, "fix") ? report_text(c, "fix") : "no fix");
        fprintf(f, "%s\n", verdict(c, "right_fix"));
    }
    if (p) {
        report_clock(clock, report_whole(p, "at_ms"));
        fprintf(f, "- **pushback** at %s%s%s: ", clock, *report_text(p, "kind") ? ", " : "", report_text(p, "kind"));
        md(f, report_text(p, "says"));
        fputc('\n', f);
        item(f, "what it teaches", report_text(p, "teaches"));
    }
    if (a)
        item(f, "answer", report_text(a, "moved"));
    item(f, "causes named", report_text(s, "named"));
    item(f, "of those on offer", report_text(s, "named_says"));
    item(f, "their note", report_text(s, "note"));
    fputc('\n', f);
}

static void write_score(FILE *f, const json_t *s)
{
    const json_t *score = json_object_get(s, "score"), *lessons = json_object_get(s, "lessons");
    double total = json_number_value(json_object_get(score, "total"));
    size_t k;
    json_t *l;
    if (!score)
        return;
    fputs("#### Score\n\n", f);
    head_row(f, "line | points | of | why", "--- | ---: | ---: | ---");
    json_array_foreach(json_object_get(score, "lines"), k, l) {
        fputs("|", f);
        cell(f, report_text(l, "line"));
        fprintf(f, " %.0f | %lld |", json_number_value(json_object_get(l, "points")), report_whole(l, "possible"));
        cell(f, report_text(l, "why"));
        fputc('\n', f);
    }
    fprintf(f, "| **total** | **%.0f** | 100 | |\n\n", total > 0 ? total : 0);
    item(f, "cheaper", report_text(lessons, "cheaper"));
    item(f, "the trap", report_text(lessons, "trap"));
    item(f, "the slip", report_text(lessons, "slip"));
    item(f, "pushback", report_text(lessons, "pushback"));
    item(f, "the wrong way", report_text(lessons, "wrong_way"));
    fputc('\n', f);
}

static void write_scenario(FILE *f, const json_t *s)
{
    const json_t *truth = json_object_get(s, "truth");
    item(f, "id", report_text(s, "id"));
    item(f, "evidence", report_text(s, "tier"));
    item(f, "GPU", report_text(s, "gpu"));
    if (truth) {
        item(f, "cause", report_text(truth, "cause"));
        item(f, "place", report_text(truth, "location"));
        item(f, "fix", report_text(truth, "fix"));
        item(f, "in short", report_text(truth, "headline"));
    } else {
        item(f, "cause", "not revealed");
    }
    fputc('\n', f);
    write_evidence(f, s);
    write_beliefs(f, s);
    write_estimates(f, s);
    write_end(f, s);
    write_score(f, s);
}

/* ---- parts ---- */

static void write_drills(FILE *f, const json_t *part)
{
    const json_t *drills = json_object_get(part, "drills");
    size_t k;
    json_t *d;
    if (json_array_size(drills) == 0)
        return;
    head_row(f, "drill | answer | s | grading | points", "--- | --- | ---: | --- | ---:");
    json_array_foreach(drills, k, d) {
        bool answered = report_has(d, "answer");
        fputs("|", f);
        cell(f, report_text(d, "drill"));
        cell(f, !answered ? "not answered" : *report_text(d, "answer") ? report_text(d, "answer") : "skipped");
        if (answered)
            fprintf(f, " %lld |", report_whole(d, "seconds"));
        else
            fputs(" |", f);
        cell(f, *report_text(d, "say") ? report_text(d, "say") : report_text(d, "how"));
        if (report_has(d, "points"))
            fprintf(f, " %.2f of 1 |\n", json_number_value(json_object_get(d, "points")));
        else
            fputs(" |\n", f);
    }
    fputc('\n', f);
}

static void write_parts(FILE *f, const json_t *report)
{
    size_t k;
    json_t *p;
    fputs("## Parts\n\n", f);
    json_array_foreach(json_object_get(report, "parts"), k, p) {
        char clock[24];
        report_clock(clock, report_whole(p, "spent_ms"));
        fprintf(f, "### %lld. ", report_whole(p, "n"));
        md(f, report_text(p, "title"));
        fprintf(f, "\n\n- **%s** %s, %s of %lld min\n", report_text(p, "kind"), report_text(p, "state"), clock, report_whole(p, "minutes"));
        item(f, "asked", report_text(p, "ask"));
        if (!report_has(p, "scenario"))
            fputc('\n', f);
        if (*report_text(p, "talk"))
            quotation(f, report_text(p, "talk"));
        if (report_has(p, "scenario"))
            write_scenario(f, json_object_get(p, "scenario"));
        write_drills(f, p);
    }
}

/* ---- the rest ---- */

static void write_rubric(FILE *f, const json_t *report)
{
    size_t k;
    json_t *r;
    if (json_array_size(json_object_get(report, "rubric")) == 0)
        return;
    fputs("## Rubric\n\n", f);
    head_row(f, "signal | grade | anchor", "--- | ---: | ---");
    json_array_foreach(json_object_get(report, "rubric"), k, r) {
        fputs("|", f);
        cell(f, report_text(r, "title"));
        if (report_whole(r, "grade"))
            fprintf(f, " %lld of 4 |", report_whole(r, "grade"));
        else
            fputs(" none |", f);
        cell(f, report_text(r, "anchor"));
        fputc('\n', f);
    }
    fputc('\n', f);
}

static void write_notes(FILE *f, const json_t *report)
{
    const json_t *list = json_object_get(report, "notes");
    size_t k;
    json_t *n;
    if (json_array_size(list) == 0)
        return;
    fputs("## Notes\n\n", f);
    json_array_foreach(list, k, n) {
        char clock[24];
        report_clock(clock, report_whole(n, "at_ms"));
        fprintf(f, "- %s %s", clock, json_is_true(json_object_get(n, "shared")) ? "(shared) " : "");
        md(f, report_text(n, "text"));
        fputc('\n', f);
    }
    fputc('\n', f);
}

static void write_lines(FILE *f, const json_t *report)
{
    const json_t *list = json_object_get(report, "lines"), *pauses = json_object_get(report, "pauses");
    size_t k;
    json_t *l;
    if (json_array_size(list) + json_array_size(pauses) == 0)
        return;
    fputs("## Hints, curveballs, pauses\n\n", f);
    head_row(f, "at | what | text", "---: | --- | ---");
    json_array_foreach(list, k, l) {
        clock_cell(f, l);
        cell(f, report_text(l, "kind"));
        cell(f, report_text(l, "text"));
        fputc('\n', f);
    }
    json_array_foreach(pauses, k, l) {
        char lasted[24];
        report_clock(lasted, report_whole(l, "lasted_ms"));
        clock_cell(f, l);
        fprintf(f, " pause | %s |\n", lasted);
    }
    fputc('\n', f);
}

void report_markdown(FILE *f, const json_t *report)
{
    size_t k;
    json_t *e;
    write_head(f, report);
    write_parts(f, report);
    write_rubric(f, report);
    write_notes(f, report);
    write_lines(f, report);
    fputs("## Timeline\n\n", f);
    head_row(f, "at | part | who | what | text", "---: | ---: | --- | --- | ---");
    json_array_foreach(json_object_get(report, "timeline"), k, e) {
        clock_cell(f, e);
        fprintf(f, " %lld |", report_whole(e, "part"));
        cell(f, report_text(e, "who"));
        cell(f, report_text(e, "what"));
        cell(f, report_text(e, "text"));
        fputc('\n', f);
    }
}
