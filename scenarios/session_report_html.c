/* The report as one HTML file: its style and its charts are in it, and nothing in it runs or is fetched. */
#include "scenarios/session_report.h"

#include <stdlib.h>
#include <string.h>

#include "scenarios/session_report_inside.h"

static const char style[] =
    ":root{color-scheme:light dark;--ink:#1b1f24;--dim:#5b6470;--line:#d5d9de;--back:#fff;--you:#0b62c4;--ideal:#b3541e;--good:#1a7f37;--bad:#b42318;--soft:#f4f6f8}"
    "@media(prefers-color-scheme:dark){:root{--ink:#e6e9ec;--dim:#9aa4af;--line:#3a424b;--back:#14181c;--you:#6cb0ff;--ideal:#f0a06a;--good:#56d364;--bad:#ff8b80;--soft:#1d2329}}"
    "body{font:15px/1.5 system-ui,sans-serif;color:var(--ink);background:var(--back);max-width:60rem;margin:2rem auto;padding:0 1rem}"
    "h1{font-size:1.6rem}h2{font-size:1.25rem;border-bottom:1px solid var(--line);margin-top:2.2rem}h3{font-size:1.05rem;margin-bottom:.3rem}h4{margin-bottom:.2rem}"
    "table{border-collapse:collapse;width:100%;margin:.4rem 0 1rem;font-variant-numeric:tabular-nums}"
    "th,td{text-align:left;vertical-align:top;padding:.2rem .6rem .2rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}th{color:var(--dim);font-weight:600}"
    ".n{text-align:right;white-space:nowrap}td.t{white-space:pre-wrap}dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.4rem 0}dt{color:var(--dim)}dd{margin:0;overflow-wrap:anywhere}"
    "blockquote{margin:.4rem 0;padding:.4rem .8rem;background:var(--soft);white-space:pre-wrap;overflow-wrap:anywhere}"
    "svg{width:100%;height:auto;max-width:46rem}svg text{fill:var(--dim);font-size:11px}svg .axis{stroke:var(--line);fill:none}"
    "svg .you{stroke:var(--you);stroke-width:2.2;fill:none}svg .ideal{stroke:var(--ideal);stroke-width:2;stroke-dasharray:6 4;fill:none}svg .other{stroke:var(--dim);stroke-width:1;opacity:.55;fill:none}"
    "svg .mark{stroke:var(--line);stroke-dasharray:2 3}svg text.ty{fill:var(--you)}svg text.ti{fill:var(--ideal)}.good{color:var(--good)}.bad{color:var(--bad)}.dim{color:var(--dim)}"
    "@media print{:root{color-scheme:light;--ink:#000;--dim:#444;--line:#bbb;--back:#fff;--you:#0b62c4;--ideal:#b3541e;--soft:#f4f4f4}body{max-width:none;margin:0;font-size:11px}"
    "tr,svg,dl{break-inside:avoid}h2,h3,h4{break-after:avoid}thead{display:table-header-group}}";

void report_html_text(FILE *f, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&': fputs("&amp;", f); break;
        case '<': fputs("&lt;", f); break;
        case '>': fputs("&gt;", f); break;
        case '"': fputs("&quot;", f); break;
        case '\'': fputs("&#39;", f); break;
        default: fputc(*text, f);
        }
}

/* ---- pieces ---- */

static void element(FILE *f, const char *name, const char *class, const char *text)
{
    fprintf(f, "<%s%s%s%s>", name, class ? " class=\"" : "", class ? class : "", class ? "\"" : "");
    report_html_text(f, text);
    fprintf(f, "</%s>", name);
}

static void pair(FILE *f, const char *name, const char *text)
{
    if (!*text)
        return;
    element(f, "dt", NULL, name);
    element(f, "dd", NULL, text);
    fputc('\n', f);
}

/* Names of columns separated by |; one that begins with > stands right. */
static void table_begin(FILE *f, const char *columns)
{
    fputs("<table><thead><tr>", f);
    for (const char *at = columns; *at;) {
        bool right = *at == '>';
        size_t n = strcspn(at += right, "|");
        fprintf(f, "<th%s>%.*s</th>", right ? " class=\"n\"" : "", (int)n, at);
        at += n + (at[n] == '|');
    }
    fputs("</tr></thead><tbody>\n", f);
}

static void table_end(FILE *f)
{
    fputs("</tbody></table>\n", f);
}

static void cell(FILE *f, const char *text)
{
    element(f, "td", NULL, text);
}

static void clock_cell(FILE *f, const json_t *of, const char *key)
{
    char clock[24];
    report_clock(clock, report_whole(of, key));
    element(f, "td", "n", clock);
}

static void whole_cell(FILE *f, const json_t *of, const char *key)
{
    fprintf(f, "<td class=\"n\">%lld</td>", report_whole(of, key));
}

/* "%.*f", and what stands behind it; empty where there is no such number. */
static void real_cell(FILE *f, const json_t *of, const char *key, int digits, const char *behind)
{
    fputs("<td class=\"n\">", f);
    if (report_has(of, key))
        fprintf(f, "%.*f%s", digits, json_number_value(json_object_get(of, key)), behind);
    fputs("</td>", f);
}

/* ---- the head ---- */

static void write_head(FILE *f, const json_t *report)
{
    char clock[24], pause[24], text[128];
    const char *title = *report_text(report, "title") ? report_text(report, "title") : "Interview";
    size_t k;
    json_t *p;
    fputs("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">"
          "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">", f);
    element(f, "title", NULL, title);
    fprintf(f, "<style>%s</style></head><body>\n", style);
    element(f, "h1", NULL, title);
    fputs("<dl>\n", f);
    pair(f, "session", report_text(report, "id"));
    pair(f, "candidate", report_text(report, "candidate"));
    pair(f, "began", report_text(report, "began"));
    pair(f, "state", report_text(report, "state"));
    report_clock(clock, report_whole(report, "running_ms"));
    report_clock(pause, report_whole(report, "paused_ms"));
    snprintf(text, sizeof text, "%s of %lld min planned; pauses %s", clock, report_whole(report, "minutes_planned"), pause);
    pair(f, "running time", text);
    pair(f, "wall", report_text(report, "wall"));
    json_array_foreach(json_object_get(report, "people"), k, p) {
        char who[256];
        const char *wall = report_text(p, "wall");
        snprintf(who, sizeof who, "%.80s, %.20s%s%.20s", report_text(p, "name"), report_text(p, "role"), *wall ? ", wall: " : "", wall);
        pair(f, "joined", who);
    }
    pair(f, "scores", report_text(report, "scores"));
    pair(f, "grades", report_text(report, "grades"));
    fputs("</dl>\n", f);
}

/* ---- a scenario ---- */

static void write_evidence(FILE *f, const json_t *s)
{
    size_t k;
    json_t *e;
    if (json_array_size(json_object_get(s, "evidence")) == 0)
        return;
    fputs("<h4>Evidence</h4>\n", f);
    table_begin(f, ">at||evidence|how|>min|tier|what it said");
    json_array_foreach(json_object_get(s, "evidence"), k, e) {
        const char *how = report_text(e, "how");
        fputs("<tr>", f);
        clock_cell(f, e, "at_ms");
        cell(f, report_text(e, "letter"));
        cell(f, report_text(e, "title"));
        element(f, "td", strcmp(how, "bought") ? "dim" : NULL, how);
        whole_cell(f, e, "price");
        cell(f, report_text(e, "tier"));
        cell(f, report_text(e, "said"));
        fputs("</tr>\n", f);
    }
    table_end(f);
    fprintf(f, "<p class=\"dim\">Paid %lld min of patience; par %lld, patience %lld.</p>\n", report_whole(s, "price"), report_whole(s, "par"), report_whole(s, "patience"));
}

static void points_row(FILE *f, const json_t *step, const char *whose, const char *name, const char *class)
{
    size_t k;
    json_t *p;
    fputs("<tr>", f);
    clock_cell(f, step, "at_ms");
    cell(f, report_text(step, "after"));
    element(f, "td", class, name);
    json_array_foreach(json_object_get(step, whose), k, p)
        fprintf(f, "<td class=\"n\">%lld</td>", (long long)json_integer_value(p));
    fputs("</tr>\n", f);
}

static void write_beliefs(FILE *f, const json_t *s)
{
    const json_t *labels = json_object_get(s, "hypotheses");
    long long cause = report_has(s, "cause") ? report_whole(s, "cause") : -1;
    size_t k;
    json_t *step, *label;
    fputs("<h4>Beliefs, %</h4>\n", f);
    report_chart(f, s);
    fputs("<table><thead><tr><th class=\"n\">at</th><th>after</th><th></th>", f);
    json_array_foreach(labels, k, label) {
        fputs("<th class=\"n\" style=\"white-space:normal\">", f);
        report_html_text(f, json_string_value(label));
        fputs((long long)k == cause ? " (the cause)</th>" : "</th>", f);
    }
    fputs("</tr></thead><tbody>\n", f);
    json_array_foreach(json_object_get(s, "steps"), k, step) {
        points_row(f, step, "theirs", "theirs", NULL);
        if (report_has(step, "ideal"))
            points_row(f, step, "ideal", "ideal reader", "dim");
    }
    table_end(f);
}

static void write_estimates(FILE *f, const json_t *s)
{
    size_t k;
    json_t *e;
    if (json_array_size(json_object_get(s, "estimates")) == 0)
        return;
    fputs("<h4>Estimates</h4>\n", f);
    table_begin(f, "asked|said|>truth|>factor|>points|>of|");
    json_array_foreach(json_object_get(s, "estimates"), k, e) {
        char truth[48] = "";
        if (report_has(e, "truth"))
            report_quantity(truth, json_object_get(e, "truth"), report_text(e, "unit"));
        fputs("<tr>", f);
        cell(f, report_text(e, "ask"));
        cell(f, report_text(e, "given"));
        element(f, "td", "n", truth);
        real_cell(f, e, "factor", 2, " x");
        real_cell(f, e, "points", 1, "");
        real_cell(f, e, "possible", 0, "");
        fputs("</tr>\n", f);
    }
    table_end(f);
}

static void verdict(FILE *f, const json_t *c, const char *key)
{
    if (report_has(c, key)) {
        bool right = json_is_true(json_object_get(c, key));
        fprintf(f, ", <span class=\"%s\">%s</span>", right ? "good" : "bad", right ? "right" : "not right");
    }
}

static void write_end(FILE *f, const json_t *s)
{
    const json_t *c = json_object_get(s, "commitment"), *p = json_object_get(s, "pushback"), *a = json_object_get(s, "answer");
    char clock[24];
    fputs("<dl>\n", f);
    if (c) {
        report_clock(clock, report_whole(c, "at_ms"));
        fprintf(f, "<dt>committed</dt><dd>at %s: ", clock);
        report_html_text(f, *report_text(c, "place") ? report_text(c, "place") : "beliefs alone");
        verdict(f, c, "right_place");
        fputs("; ", f);
        report_html_text(f, *report_text(c, "fix") ? report_text(c, "fix") : "no fix");
        verdict(f, c, "right_fix");
        fputs("</dd>\n", f);
    }
    if (p) {
        report_clock(clock, report_whole(p, "at_ms"));
        fprintf(f, "<dt>pushback</dt><dd>at %s%s%s: ", clock, *report_text(p, "kind") ? ", " : "", report_text(p, "kind"));
        report_html_text(f, report_text(p, "says"));
        fputs("</dd>\n", f);
        pair(f, "what it teaches", report_text(p, "teaches"));
    }
    if (a)
        pair(f, "answer", report_text(a, "moved"));
    pair(f, "causes named", report_text(s, "named"));
    pair(f, "of those on offer", report_text(s, "named_says"));
    pair(f, "their note", report_text(s, "note"));
    fputs("</dl>\n", f);
}

static void write_score(FILE *f, const json_t *s)
{
    const json_t *score = json_object_get(s, "score"), *lessons = json_object_get(s, "lessons");
    double total = json_number_value(json_object_get(score, "total"));
    size_t k;
    json_t *l;
    if (!score)
        return;
    fputs("<h4>Score</h4>\n", f);
    table_begin(f, "line|>points|>of|why");
    json_array_foreach(json_object_get(score, "lines"), k, l) {
        fputs("<tr>", f);
        cell(f, report_text(l, "line"));
        real_cell(f, l, "points", 0, "");
        whole_cell(f, l, "possible");
        cell(f, report_text(l, "why"));
        fputs("</tr>\n", f);
    }
    fprintf(f, "<tr><th>total</th><th class=\"n\">%.0f</th><th class=\"n\">100</th><th></th></tr>\n", total > 0 ? total : 0);
    table_end(f);
    fputs("<dl>\n", f);
    pair(f, "cheaper", report_text(lessons, "cheaper"));
    pair(f, "the trap", report_text(lessons, "trap"));
    pair(f, "the slip", report_text(lessons, "slip"));
    pair(f, "pushback", report_text(lessons, "pushback"));
    pair(f, "the wrong way", report_text(lessons, "wrong_way"));
    fputs("</dl>\n", f);
}

static void write_scenario(FILE *f, const json_t *s)
{
    const json_t *truth = json_object_get(s, "truth");
    fputs("<dl>\n", f);
    pair(f, "id", report_text(s, "id"));
    pair(f, "evidence", report_text(s, "tier"));
    pair(f, "GPU", report_text(s, "gpu"));
    pair(f, "cause", truth ? report_text(truth, "cause") : "not revealed");
    if (truth) {
        pair(f, "place", report_text(truth, "location"));
        pair(f, "fix", report_text(truth, "fix"));
        pair(f, "in short", report_text(truth, "headline"));
    }
    fputs("</dl>\n", f);
    write_evidence(f, s);
    write_beliefs(f, s);
    write_estimates(f, s);
    write_end(f, s);
    write_score(f, s);
}

/* ---- parts ---- */

static void write_drills(FILE *f, const json_t *part)
{
    size_t k;
    json_t *d;
    if (json_array_size(json_object_get(part, "drills")) == 0)
        return;
    table_begin(f, ">at|drill|answer|>s|grading|>points");
    json_array_foreach(json_object_get(part, "drills"), k, d) {
        bool answered = report_has(d, "answer");
        fputs("<tr>", f);
        clock_cell(f, d, "asked_ms");
        cell(f, report_text(d, "drill"));
        cell(f, !answered ? "not answered" : *report_text(d, "answer") ? report_text(d, "answer") : "skipped");
        real_cell(f, d, "seconds", 0, "");
        cell(f, *report_text(d, "say") ? report_text(d, "say") : report_text(d, "how"));
        real_cell(f, d, "points", 2, " of 1");
        fputs("</tr>\n", f);
    }
    table_end(f);
}

static void write_part(FILE *f, const json_t *p)
{
    char clock[24];
    report_clock(clock, report_whole(p, "spent_ms"));
    fprintf(f, "<section><h3>%lld. ", report_whole(p, "n"));
    report_html_text(f, report_text(p, "title"));
    fputs("</h3>\n", f);
    fprintf(f, "<p class=\"dim\">%s, %s, %s of %lld min</p>\n", report_text(p, "kind"), report_text(p, "state"), clock, report_whole(p, "minutes"));
    if (*report_text(p, "ask"))
        element(f, "p", NULL, report_text(p, "ask"));
    if (*report_text(p, "talk"))
        element(f, "blockquote", NULL, report_text(p, "talk"));
    if (report_has(p, "scenario"))
        write_scenario(f, json_object_get(p, "scenario"));
    write_drills(f, p);
    fputs("</section>\n", f);
}

/* ---- the rest ---- */

static void write_rubric(FILE *f, const json_t *report)
{
    size_t k;
    json_t *r;
    if (json_array_size(json_object_get(report, "rubric")) == 0)
        return;
    fputs("<h2>Rubric</h2>\n", f);
    table_begin(f, "signal|>grade|anchor");
    json_array_foreach(json_object_get(report, "rubric"), k, r) {
        fputs("<tr>", f);
        cell(f, report_text(r, "title"));
        if (report_whole(r, "grade"))
            fprintf(f, "<td class=\"n\">%lld of 4</td>", report_whole(r, "grade"));
        else
            fputs("<td class=\"n\">none</td>", f);
        cell(f, report_text(r, "anchor"));
        fputs("</tr>\n", f);
    }
    table_end(f);
}

static void write_notes(FILE *f, const json_t *report)
{
    size_t k;
    json_t *n;
    if (json_array_size(json_object_get(report, "notes")) == 0)
        return;
    fputs("<h2>Notes</h2>\n", f);
    table_begin(f, ">at||note");
    json_array_foreach(json_object_get(report, "notes"), k, n) {
        fputs("<tr>", f);
        clock_cell(f, n, "at_ms");
        cell(f, json_is_true(json_object_get(n, "shared")) ? "shared" : "");
        element(f, "td", "t", report_text(n, "text"));
        fputs("</tr>\n", f);
    }
    table_end(f);
}

static void write_lines(FILE *f, const json_t *report)
{
    const json_t *list = json_object_get(report, "lines"), *pauses = json_object_get(report, "pauses");
    size_t k;
    json_t *l;
    if (json_array_size(list) + json_array_size(pauses) == 0)
        return;
    fputs("<h2>Hints, curveballs, pauses</h2>\n", f);
    table_begin(f, ">at|what|text");
    json_array_foreach(list, k, l) {
        fputs("<tr>", f);
        clock_cell(f, l, "at_ms");
        cell(f, report_text(l, "kind"));
        element(f, "td", "t", report_text(l, "text"));
        fputs("</tr>\n", f);
    }
    json_array_foreach(pauses, k, l) {
        char lasted[24];
        report_clock(lasted, report_whole(l, "lasted_ms"));
        fputs("<tr>", f);
        clock_cell(f, l, "at_ms");
        cell(f, "pause");
        cell(f, lasted);
        fputs("</tr>\n", f);
    }
    table_end(f);
}

void report_html(FILE *f, const json_t *report)
{
    size_t k;
    json_t *e;
    write_head(f, report);
    fputs("<h2>Parts</h2>\n", f);
    json_array_foreach(json_object_get(report, "parts"), k, e)
        write_part(f, e);
    write_rubric(f, report);
    write_notes(f, report);
    write_lines(f, report);
    fputs("<h2>Timeline</h2>\n", f);
    table_begin(f, ">at|>part|who|what|text");
    json_array_foreach(json_object_get(report, "timeline"), k, e) {
        fputs("<tr>", f);
        clock_cell(f, e, "at_ms");
        whole_cell(f, e, "part");
        cell(f, report_text(e, "who"));
        cell(f, report_text(e, "what"));
        element(f, "td", "t", report_text(e, "text"));
        fputs("</tr>\n", f);
    }
    table_end(f);
    fputs("</body></html>\n", f);
}
