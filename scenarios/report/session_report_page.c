/* What a report says and in which order, once for every form that has pages: headings, facts,
 * tables. Texts leave here plain; the form escapes them. */
#include "scenarios/report/session_report_page.h"

#include <math.h>
#include <string.h>

#include "scenarios/mend/mend_verdict.h"
#include "scenarios/pack/pack.h"
#include "scenarios/report/session_report_guide.h"
#include "scenarios/report/session_report_read.h"

enum { CELL = 160, COLUMNS_MOST = 16 };

struct sheet {
    FILE *f;
    const struct page_form *form;
    bool own /* the reader is the candidate */, keyless /* report_without_answers */;
};

/* A column of a list: its entry's member, or what `say` makes of the entry: in the buffer, or a
 * text of the entry. A number that is not there is "". */
enum as { AS_TEXT, AS_LINES, AS_CLOCK, AS_WHOLE, AS_ROUND, AS_REAL };
struct field {
    const char *name, *key;
    enum as as;
    const char *(*say)(char out[CELL], const json_t *row);
};

/* ---- pieces ---- */

static void heading(const struct sheet *s, int level, const char *text)
{
    s->form->heading(s->f, level, text);
}

static void fact(const struct sheet *s, const char *name, const char *text)
{
    if (*text)
        s->form->fact(s->f, name, text, VERDICT_NONE);
}

static void facts(const struct sheet *s, bool begin)
{
    s->form->facts(s->f, begin);
}

static const char *show(char out[CELL], const struct field *field, const json_t *row)
{
    const json_t *value = json_object_get(row, field->key);
    *out = '\0';
    if (field->say)
        return field->say(out, row);
    if (field->as <= AS_LINES)
        return report_text(row, field->key);
    if (value && field->as == AS_CLOCK)
        report_clock(out, report_whole(row, field->key));
    else if (value && field->as == AS_REAL)
        snprintf(out, CELL, "%.2f", json_number_value(value));
    else if (value)
        snprintf(out, CELL, "%.0f", round(json_number_value(value)) + 0.0);    /* never -0 */
    return out;
}

/* A table of a list under a heading (level 0: none); nothing where the list is empty. */
static void list(const struct sheet *s, int level, const char *title, const json_t *rows,
                 const struct field *fields, int n)
{
    struct page_column columns[COLUMNS_MOST];
    char text[CELL];
    size_t k;
    json_t *row;
    if (json_array_size(rows) == 0)
        return;
    if (level)
        heading(s, level, title);
    for (int c = 0; c < n; c++)
        columns[c] =
            (struct page_column){fields[c].name, fields[c].as == AS_TEXT    ? COLUMN_TEXT
                                                 : fields[c].as == AS_LINES ? COLUMN_LINES
                                                                            : COLUMN_NUMBER};
    s->form->table(s->f, columns, n);
    json_array_foreach(rows, k, row) {
        s->form->row(s->f, true);
        for (int c = 0; c < n; c++)
            s->form->cell(s->f, columns[c].kind, show(text, &fields[c], row));
        s->form->row(s->f, false);
    }
    s->form->table_end(s->f);
}
#define LIST(s, level, title, rows, fields) \
    list(s, level, title, rows, fields, (int)(sizeof(fields) / sizeof *(fields)))

/* ---- the head ---- */

static void write_summary(const struct sheet *s, const json_t *report)
{
    size_t k;
    json_t *line;
    facts(s, true);
    json_array_foreach(json_object_get(report, "summary"), k, line)
        fact(s, report_text(line, "name"), report_text(line, "text"));
    facts(s, false);
}

/* For those who decide and were not there; the candidate was. */
static void write_guide(const struct sheet *s, const json_t *report)
{
    const struct guide_line *line;
    if (s->own || !report_guide(report, 0))
        return;
    heading(s, 2, "How to read this");
    facts(s, true);
    for (size_t k = 0; (line = report_guide(report, k)); k++)
        fact(s, line->name, line->text);
    facts(s, false);
}

static void write_head(const struct sheet *s, const json_t *report)
{
    char pause[24];
    report_clock(pause, report_whole(report, "paused_ms"));
    heading(s, 2, "The interview");
    facts(s, true);
    fact(s, "session", report_text(report, "id"));
    fact(s, "began", report_text(report, "began"));
    fact(s, "state", report_text(report, "state"));
    fact(s, "pauses", pause);
    fact(s, s->own ? "wall around your terminal" : "wall around the candidate's terminal",
         report_wall(report_text(report, "wall")));
    facts(s, false);
}

static void write_people(const struct sheet *s, const json_t *report)
{
    static const struct field fields[] = {{"at", "at_ms", AS_CLOCK, NULL},
                                          {"UTC", "utc", AS_TEXT, NULL},
                                          {"name", "name", AS_TEXT, NULL},
                                          {"as", "role", AS_TEXT, NULL},
                                          {"wall", "wall", AS_TEXT, NULL},
                                          {"left at", "left_ms", AS_CLOCK, NULL}};
    LIST(s, 2, "Who joined", json_object_get(report, "people"), fields);
}

/* ---- a scenario ---- */

static void write_truth(const struct sheet *s, const json_t *scenario)
{
    const json_t *truth = json_object_get(scenario, "truth");
    facts(s, true);
    fact(s, "id", report_text(scenario, "id"));
    fact(s, "evidence", report_text(scenario, "tier"));
    fact(s, "GPU", report_text(scenario, "gpu"));
    fact(s, "cause",
         truth        ? report_text(truth, "cause")
         : s->keyless ? "left out of this copy"
                      : "not revealed");
    fact(s, "place", report_text(truth, "location"));
    fact(s, "fix", report_text(truth, "fix"));
    fact(s, "diagnosis", report_text(json_object_get(scenario, "found"), "says"));
    fact(s, "beside it", report_text(json_object_get(scenario, "found"), "beside"));
    fact(s, "in short", report_text(truth, "headline"));
    facts(s, false);
}

static void write_evidence(const struct sheet *s, const json_t *scenario)
{
    static const struct field fields[] = {{"at", "at_ms", AS_CLOCK, NULL},
                                          {"", "letter", AS_TEXT, NULL},
                                          {"evidence", "title", AS_TEXT, NULL},
                                          {"how", "how", AS_TEXT, NULL},
                                          {"min", "price", AS_WHOLE, NULL},
                                          {"tier", "tier", AS_TEXT, NULL},
                                          {"what it said", "said", AS_TEXT, NULL}};
    const json_t *rows = json_object_get(scenario, "evidence");
    char text[128];
    LIST(s, 4, "Evidence", rows, fields);
    snprintf(text, sizeof text, "Paid %lld min of patience; par %lld, patience %lld.",
             report_whole(scenario, "price"), report_whole(scenario, "par"),
             report_whole(scenario, "patience"));
    if (json_array_size(rows) > 0)
        s->form->paragraph(s->f, text);
}

static void belief_row(const struct sheet *s, const json_t *step, const char *whose,
                       const char *name)
{
    char text[24];
    size_t k;
    json_t *p;
    report_clock(text, report_whole(step, strcmp(whose, "ideal") ? "at_ms" : "from_ms"));
    s->form->row(s->f, true);
    s->form->cell(s->f, COLUMN_NUMBER, text);
    s->form->cell(s->f, COLUMN_TEXT, report_text(step, "after"));
    s->form->cell(s->f, COLUMN_TEXT, name);
    json_array_foreach(json_object_get(step, whose), k, p) {
        snprintf(text, sizeof text, "%lld", (long long)json_integer_value(p));
        s->form->cell(s->f, COLUMN_NUMBER, text);
    }
    s->form->row(s->f, false);
}

static void belief_head(const struct sheet *s, const json_t *scenario)
{
    struct page_column columns[3 + MAX_HYPOTHESES] = {{"at", COLUMN_NUMBER},
                                                      {"after", COLUMN_TEXT},
                                                      {"", COLUMN_TEXT}};
    char cause[160];
    size_t k;
    json_t *label;
    int n = 3;
    json_array_foreach(json_object_get(scenario, "hypotheses"), k, label) {
        bool is = report_has(scenario, "cause") && k == report_told(scenario);
        if (is)
            snprintf(cause, sizeof cause, "%s (the cause)", json_string_value(label));
        columns[n++] = (struct page_column){is ? cause : json_string_value(label), COLUMN_NUMBER};
    }
    s->form->table(s->f, columns, n);
}

/* The chart of the one that is told most about, then all of them. */
static void write_beliefs(const struct sheet *s, const json_t *scenario)
{
    size_t k;
    json_t *step;
    heading(s, 4, "Beliefs, %");
    s->form->beliefs(s->f, scenario);
    belief_head(s, scenario);
    json_array_foreach(json_object_get(scenario, "steps"), k, step) {
        belief_row(s, step, "theirs", report_text(scenario, "whose"));
        if (report_has(step, "ideal"))
            belief_row(s, step, "ideal", "ideal reader");
    }
    s->form->table_end(s->f);
}

static const char *true_value(char out[CELL], const json_t *row)
{
    if (report_has(row, "truth"))
        report_quantity(out, json_object_get(row, "truth"), report_text(row, "unit"));
    return out;
}

static const char *points_of(char out[CELL], const json_t *row)
{
    if (report_has(row, "points") && json_number_value(json_object_get(row, "possible")) > 0)
        snprintf(out, CELL, "%.1f of %.1f", json_number_value(json_object_get(row, "points")),
                 json_number_value(json_object_get(row, "possible")));
    return out;
}

static void write_estimates(const struct sheet *s, const json_t *scenario)
{
    static const struct field fields[] = {{"asked", "ask", AS_TEXT, NULL},
                                          {"said", "given", AS_TEXT, NULL},
                                          {"truth", NULL, AS_REAL, true_value},
                                          {"factor", "factor", AS_REAL, NULL},
                                          {"points", NULL, AS_REAL, points_of}};
    const json_t *rows = json_object_get(scenario, "estimates");
    size_t k;
    json_t *row;
    LIST(s, 4, "Estimates", rows, fields);
    json_array_foreach(rows, k, row) {
        if (!*report_text(row, "why"))
            continue;
        facts(s, true);
        fact(s, "the other GPU", report_text(row, "why"));
        facts(s, false);
    }
}

static void verdict_fact(const struct sheet *s, const json_t *of, const char *name,
                         const char *text, const char *key)
{
    enum page_verdict v = !report_has(of, key)                     ? VERDICT_NONE
                          : json_is_true(json_object_get(of, key)) ? VERDICT_RIGHT
                                                                   : VERDICT_NOT_RIGHT;
    s->form->fact(s->f, name, text, v);
}

static void write_commitment(const struct sheet *s, const json_t *c)
{
    const char *place = report_text(c, "place"), *fix = report_text(c, "fix");
    bool cut = json_is_true(json_object_get(c, "cut"));
    char clock[24];
    if (!c)
        return;
    report_clock(clock, report_whole(c, "at_ms"));
    fact(s,
         report_has(c, "locked") ? "beliefs taken as final at"
         : *place || *fix        ? "committed at"
                                 : "beliefs locked at",
         clock);
    if (cut) {
        fact(s, "to place and fix", "not reached (cut by the interviewer)");
        return;
    }
    verdict_fact(s, c, "to the place", *place ? place : "none: beliefs alone", "right_place");
    verdict_fact(s, c, "to the fix", *fix ? fix : "none", "right_fix");
    if (report_has(c, "left"))
        verdict_fact(s, c, "to what is left then", report_text(c, "left"), "right_left");
}

static void write_pushback(const struct sheet *s, const json_t *p)
{
    char name[64], clock[24];
    if (!p)
        return;
    report_clock(clock, report_whole(p, "at_ms"));
    snprintf(name, sizeof name, "pushback at %s%s%.24s", clock, *report_text(p, "kind") ? ", " : "",
             report_text(p, "kind"));
    fact(s, name, report_text(p, "says"));
    fact(s, "what it teaches", report_text(p, "teaches"));
}

static void write_end(const struct sheet *s, const json_t *scenario)
{
    facts(s, true);
    fact(s, "cut by the interviewer", report_text(scenario, "cut"));
    write_commitment(s, json_object_get(scenario, "commitment"));
    write_pushback(s, json_object_get(scenario, "pushback"));
    fact(s, "answer", report_text(json_object_get(scenario, "answer"), "moved"));
    fact(s, "causes named", report_text(scenario, "named"));
    fact(s, "of those on offer", report_text(scenario, "named_says"));
    fact(s, s->own ? "your note" : "their note", report_text(scenario, "note"));
    facts(s, false);
}

static void write_score(const struct sheet *s, const json_t *scenario)
{
    static const struct field fields[] = {{"line", "line", AS_TEXT, NULL},
                                          {"points", "points", AS_ROUND, NULL},
                                          {"of", "possible", AS_WHOLE, NULL},
                                          {"why", "why", AS_TEXT, NULL}};
    static const char *const lessons[][2] = {{"cheaper", "cheaper"},
                                             {"cheapest way", "cheapest"},
                                             {"the trap", "trap"},
                                             {"the slip", "slip"},
                                             {"pushback", "pushback"},
                                             {"astray", "astray"}};
    const json_t *score = json_object_get(scenario, "score");
    char title[128];
    if (!score) {
        facts(s, true);
        fact(s, "no score", report_text(scenario, "no_score"));
        facts(s, false);
        return;
    }
    snprintf(title, sizeof title, "Score: %s", report_text(score, "says"));
    LIST(s, 4, title, json_object_get(score, "lines"), fields);
    facts(s, true);
    for (size_t k = 0; k < sizeof lessons / sizeof *lessons; k++)
        fact(s, lessons[k][0], report_text(json_object_get(scenario, "lessons"), lessons[k][1]));
    facts(s, false);
}

/* ---- parts ---- */

static const char *drill_answer(char out[CELL], const json_t *row)
{
    (void)out;
    return !report_has(row, "answer")    ? "not answered"
           : *report_text(row, "answer") ? report_text(row, "answer")
                                         : "skipped";
}

static const char *drill_grading(char out[CELL], const json_t *row)
{
    (void)out;
    return *report_text(row, "say") ? report_text(row, "say") : report_text(row, "how");
}

/* ---- the fix ---- */

static const char *side_time(char out[CELL], const json_t *row, enum mend_side side)
{
    const json_t *times = json_object_get(json_object_get(row, "verdict"), "times");
    const json_t *value = json_object_get(json_object_get(times, mend_side_word(side)), "value");
    if (value)
        report_quantity(out, value, "s");
    return out;
}

static const char *time_mine(char out[CELL], const json_t *row)
{
    return side_time(out, row, MEND_MINE);
}

static const char *time_suspect(char out[CELL], const json_t *row)
{
    return side_time(out, row, MEND_SUSPECT);
}

static const char *time_fix(char out[CELL], const json_t *row)
{
    return side_time(out, row, MEND_FIX);
}

static const char *time_best(char out[CELL], const json_t *row)
{
    return side_time(out, row, MEND_BEST);
}

static const char *try_gpu(char out[CELL], const json_t *row)
{
    (void)out;
    return report_text(json_object_get(row, "verdict"), "gpu");
}

/* What is more than a row of the table: why, what moved, the text. */
static void write_try(const struct sheet *s, const json_t *row)
{
    const char *why = report_text(json_object_get(row, "verdict"), "why");
    json_t *moved = json_object_get(row, "moved"), *m;
    char title[48], since[48];
    size_t k;
    snprintf(title, sizeof title, "Try %lld", report_whole(row, "n"));
    if (*why || json_array_size(moved) || report_has(row, "text"))
        heading(s, 4, title);
    if (*why)
        s->form->quotation(s->f, why);
    if (json_array_size(moved))
        facts(s, true);
    json_array_foreach(moved, k, m) {
        snprintf(since, sizeof since, "since try %lld", report_whole(m, "since"));
        fact(s, since, report_text(m, "text"));
    }
    if (json_array_size(moved))
        facts(s, false);
    if (report_has(row, "text"))
        s->form->code(s->f, report_text(row, "text"));
}

static void write_fix(const struct sheet *s, const json_t *tries, const json_t *score)
{
    static const struct field fields[] = {{"at", "at_ms", AS_CLOCK, NULL},
                                          {"try", "n", AS_WHOLE, NULL},
                                          {"verdict", "headline", AS_TEXT, NULL},
                                          {"GPU, live", NULL, AS_TEXT, try_gpu},
                                          {"the text", NULL, AS_REAL, time_mine},
                                          {"suspect", NULL, AS_REAL, time_suspect},
                                          {"fix", NULL, AS_REAL, time_fix},
                                          {"best", NULL, AS_REAL, time_best}};
    size_t k;
    json_t *row;
    if (!tries)
        return;
    if (json_array_size(tries) == 0) {
        heading(s, 4, "The fix");
        s->form->paragraph(s->f, "It was asked for, and nothing was handed in.");
    }
    LIST(s, 4, "The fix", tries, fields);
    if (score)
        s->form->paragraph(s->f, report_text(score, "say"));
    json_array_foreach(tries, k, row)
        write_try(s, row);
}

static void write_part(const struct sheet *s, const json_t *p)
{
    static const struct field drills[] = {{"at", "asked_ms", AS_CLOCK, NULL},
                                          {"drill", "title", AS_TEXT, NULL},
                                          {"answer", NULL, AS_TEXT, drill_answer},
                                          {"s", "seconds", AS_WHOLE, NULL},
                                          {"grading", NULL, AS_TEXT, drill_grading},
                                          {"points of 1", "points", AS_REAL, NULL}};
    const json_t *scenario = json_object_get(p, "scenario");
    char title[512], clock[24], text[128];
    snprintf(title, sizeof title, "%lld. %s", report_whole(p, "n"), report_text(p, "title"));
    heading(s, 3, title);
    report_clock(clock, report_whole(p, "spent_ms"));
    snprintf(text, sizeof text, "%.24s, %.24s, %s of %lld min", report_text(p, "kind"),
             report_text(p, "state"), clock, report_whole(p, "minutes"));
    s->form->paragraph(s->f, text);
    if (*report_text(p, "ask")) {
        facts(s, true);
        fact(s, "asked", report_text(p, "ask"));
        facts(s, false);
    }
    if (*report_text(p, "talk"))
        s->form->quotation(s->f, report_text(p, "talk"));
    if (scenario) {
        write_truth(s, scenario);
        write_evidence(s, scenario);
        write_beliefs(s, scenario);
        write_estimates(s, scenario);
        write_end(s, scenario);
        write_score(s, scenario);
    }
    write_fix(s, json_object_get(p, "fix"), json_object_get(p, "fix_score"));
    LIST(s, 0, "", json_object_get(p, "drills"), drills);
}

/* ---- the rest ---- */

static const char *grade(char out[CELL], const json_t *row)
{
    const char *late = report_text(row, "late");         /* given when the interview was over */
    snprintf(out, CELL, *late ? "%lld of 4, later: %.40s" : "%lld of 4", report_whole(row, "grade"),
             late);
    return report_whole(row, "grade") ? out : "none";
}

static const char *shared(char out[CELL], const json_t *row)
{
    (void)out;
    return json_is_true(json_object_get(row, "shared")) ? "shared" : "";
}

/* A pause is the one entry of the list that has no kind. */
static const char *line_kind(char out[CELL], const json_t *row)
{
    char clock[24];
    if (!report_has(row, "taken_back_ms"))
        return report_has(row, "kind") ? report_text(row, "kind") : "pause";
    report_clock(clock, report_whole(row, "taken_back_ms"));
    snprintf(out, CELL, "%.32s, taken back at %s", report_text(row, "kind"), clock);
    return out;
}

static const char *line_says(char out[CELL], const json_t *row)
{
    if (report_has(row, "text"))
        return report_text(row, "text");
    report_clock(out, report_whole(row, "lasted_ms"));
    return out;
}

static void insert_by_time(json_t *into, json_t *row)
{
    size_t at = json_array_size(into);
    while (at > 0 &&
           report_whole(json_array_get(into, at - 1), "at_ms") > report_whole(row, "at_ms"))
        at--;
    json_array_insert(into, at, row);
}

static void write_lines(const struct sheet *s, const json_t *report)
{
    static const struct field fields[] = {{"at", "at_ms", AS_CLOCK, NULL},
                                          {"what", NULL, AS_TEXT, line_kind},
                                          {"text", NULL, AS_LINES, line_says}};
    json_t *both = json_array(), *row;
    size_t k;
    json_array_foreach(json_object_get(report, "lines"), k, row)
        insert_by_time(both, row);
    json_array_foreach(json_object_get(report, "pauses"), k, row)
        insert_by_time(both, row);
    LIST(s, 2, "Hints, curveballs, pauses", both, fields);
    json_decref(both);
}

/* Nothing before the first part. */
static const char *part_number(char out[CELL], const json_t *row)
{
    snprintf(out, CELL, "%lld", report_whole(row, "part"));
    return report_whole(row, "part") > 0 ? out : "";
}

static void write_rest(const struct sheet *s, const json_t *report)
{
    static const struct field rubric[] = {{"signal", "title", AS_TEXT, NULL},
                                          {"grade", NULL, AS_WHOLE, grade},
                                          {"anchor", "anchor", AS_TEXT, NULL}};
    static const struct field notes[] = {{"at", "at_ms", AS_CLOCK, NULL},
                                         {"", NULL, AS_TEXT, shared},
                                         {"note", "text", AS_LINES, NULL}};
    static const struct field timeline[] = {{"at", "at_ms", AS_CLOCK, NULL},
                                            {"part", NULL, AS_WHOLE, part_number},
                                            {"who", "who", AS_TEXT, NULL},
                                            {"what", "what", AS_TEXT, NULL},
                                            {"text", "text", AS_LINES, NULL}};
    LIST(s, 2, "Rubric", json_object_get(report, "rubric"), rubric);
    LIST(s, 2, "Notes", json_object_get(report, "notes"), notes);
    write_lines(s, report);
    write_people(s, report);
    LIST(s, 2, "Timeline", json_object_get(report, "timeline"), timeline);
}

void report_page(FILE *f, const json_t *report, const struct page_form *form)
{
    const struct sheet s = {f, form, !strcmp(report_text(report, "for"), "candidate"),
                            report_has(report, "key")};
    size_t k;
    json_t *p;
    form->open(f, *report_text(report, "title") ? report_text(report, "title") : "Interview");
    write_summary(&s, report);
    write_guide(&s, report);
    write_head(&s, report);
    heading(&s, 2, "Parts");
    json_array_foreach(json_object_get(report, "parts"), k, p)
        write_part(&s, p);
    write_rest(&s, report);
    form->close(f);
}
