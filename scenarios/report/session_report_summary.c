/* The hour in a few lines: read from the report itself, so that no line tells what the rest does
 * not. */
#include "scenarios/report/session_report.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/report/session_report_inside.h"
#include "scenarios/report/session_report_read.h"

static void add_line(json_t *list, const char *name, char *text)
{
    json_t *one = *text ? json_object() : NULL;
    if (one) {
        report_put(one, "name", name);
        report_put(one, "text", text);
        json_array_append_new(list, one);
    }
    free(text);
}

/* A text to be written, and what stands between its entries. */
struct writing { FILE *f; char *text; size_t size; int n; };

static void begin(struct writing *w)
{
    *w = (struct writing){0};
    w->f = open_memstream(&w->text, &w->size);
    if (!w->f)
        abort();
}

static FILE *next(struct writing *w, const char *between)
{
    fputs(w->n++ ? between : "", w->f);
    return w->f;
}

static void end(struct writing *w, json_t *list, const char *name)
{
    fclose(w->f);
    add_line(list, name, w->text);
}

/* Where the plan has no name, the one under which the candidate joined last. */
static const char *candidate_of(const json_t *report)
{
    const char *name = report_text(report, "candidate");
    size_t k;
    json_t *one;
    if (*name)
        return name;
    json_array_foreach(json_object_get(report, "people"), k, one)
        if (!strcmp(report_text(one, "role"), "candidate"))
            name = report_text(one, "name");
    return *name ? name : "no name";
}

static void who(json_t *list, const json_t *report)
{
    struct writing w;
    char clock[24];
    begin(&w);
    report_clock(clock, report_whole(report, "running_ms"));
    fprintf(next(&w, ""), "%s, level %lld, %s of %lld min",
            candidate_of(report), report_whole(report, "level"), clock,
            report_whole(report, "minutes_planned"));
    end(&w, list, "candidate");
}

/* ---- scenarios ---- */

/* Of one scenario: found or not, and what else the commitment held. */
static void cause_of(FILE *f, const json_t *scenario, const json_t *found)
{
    const char *beside = report_text(found, "beside");
    const json_t *truth = json_object_get(scenario, "truth");
    fprintf(f, "%s %s", report_text(truth, "cause"), report_text(found, "says"));
    if (*beside)
        fprintf(f, " (%s)", beside);
}

static void causes(json_t *list, const json_t *report)
{
    struct writing w, each;
    size_t k;
    json_t *part;
    int n = 0, hit = 0, hidden = 0, cut = 0;
    begin(&w);
    begin(&each);
    json_array_foreach(json_object_get(report, "parts"), k, part) {
        const json_t *scenario = json_object_get(part, "scenario");
        const json_t *found = json_object_get(scenario, "found");
        if (!scenario)
            continue;
        bool is = json_is_true(json_object_get(found, "is"));
        bool unreached = !is && json_is_true(json_object_get(found, "cut"));
        n += found && !unreached;
        cut += unreached;
        hidden += found == NULL;
        hit += is;
        if (found)
            cause_of(next(&each, "; "), scenario, found);
        else
            fprintf(next(&each, "; "), "%s not revealed", report_text(part, "title"));
    }
    fclose(each.f);
    if (n)
        fprintf(next(&w, ""), "%d of %d: %s", hit, n, each.text);
    else if (cut)
        fprintf(next(&w, ""), "none was reached: %s", each.text);
    else if (hidden)
        fprintf(next(&w, ""), "none was revealed: %s", each.text);
    free(each.text);
    end(&w, list, "causes found");
}

/* `held`: why no score may be seen, which is said once. */
static void score_of(struct writing *w, const json_t *part, const json_t *scenario,
                     const char *held)
{
    const json_t *score = json_object_get(scenario, "score"), *line;
    size_t k;
    const char *lacks = report_text(scenario, "no_score");
    if (!score) {
        if (strcmp(lacks, held))
            fprintf(next(w, "; "), "%s none: %s", report_text(part, "title"), lacks);
        return;
    }
    FILE *f = next(w, "; ");
    fprintf(f, "%s %s", report_text(part, "title"), report_text(score, "says"));
    json_array_foreach(json_object_get(score, "lines"), k, line) {
        fprintf(f, "%s%s", k ? ", " : " (", report_text(line, "line"));
        if (json_is_true(json_object_get(line, "cut")) && report_whole(line, "possible") == 0)
            fputs(" not reached", f);
        else
            fprintf(f, " %.0f", round(json_number_value(json_object_get(line, "points"))) + 0.0);
    }
    fputs(")", f);
}

static void scores(json_t *list, const json_t *report)
{
    struct writing w;
    size_t k, d;
    json_t *part, *drill;
    const char *held = report_text(report, "scores");
    double points = 0;
    int answered = 0;
    begin(&w);
    json_array_foreach(json_object_get(report, "parts"), k, part) {
        if (json_object_get(part, "scenario"))
            score_of(&w, part, json_object_get(part, "scenario"), held);
        json_array_foreach(json_object_get(part, "drills"), d, drill)
            if (report_has(drill, "points")) {
                points += json_number_value(json_object_get(drill, "points"));
                answered++;
            }
    }
    if (answered)
        fprintf(next(&w, "; "), "drills %.2f of %d", points, answered);
    if (strcmp(held, "shown"))
        fprintf(next(&w, "; "), "%s", held);
    end(&w, list, "scores");
}

/* ---- the interviewer's part ---- */

static void grades(json_t *list, const json_t *report)
{
    struct writing w;
    size_t k;
    json_t *row;
    long long sum = 0, graded = 0, all = 0, knowing = 0;
    begin(&w);
    json_array_foreach(json_object_get(report, "rubric"), k, row) {
        sum += report_whole(row, "grade");
        graded += report_whole(row, "grade") > 0;
        knowing += json_is_true(json_object_get(row, "knowing"));
        all++;
    }
    if (graded)
        fprintf(next(&w, ""), "%lld of %lld, %lld of %lld signals graded:", sum, 4 * graded, graded,
                all);
    else if (all)
        fputs("none given", next(&w, ""));
    json_array_foreach(json_object_get(report, "rubric"), k,
                       row) if (report_whole(row, "grade") > 0)
        fprintf(w.f, "%s %s %lld", w.n++ > 1 ? ";" : "", report_text(row, "title"),
                report_whole(row, "grade"));
    if (knowing)
        fprintf(next(&w, "; "), "%lld of them given when scores could be seen", knowing);
    if (strcmp(report_text(report, "grades"), "shown"))
        fputs(report_text(report, "grades"), next(&w, "; "));
    end(&w, list, "grades");
}

static int count(const json_t *rows, const char *key, const char *value, int *taken_back)
{
    size_t k;
    json_t *row;
    int n = 0;
    json_array_foreach(rows, k, row) {
        bool is = !strcmp(report_text(row, key), value);
        n += is;
        *taken_back += is && report_has(row, "taken_back_ms");
    }
    return n;
}

static void help(json_t *list, const json_t *report)
{
    static const struct {
        const char *kind, *name;
    } sent[] = {{"hint", "hint"}, {"curveball", "curveball"}};
    struct writing w;
    size_t k;
    json_t *part;
    int handed = 0, withheld = 0, unused = 0;
    begin(&w);
    for (size_t s = 0; s < sizeof sent / sizeof *sent; s++) {
        int back = 0, n = count(json_object_get(report, "lines"), "kind", sent[s].kind, &back);
        fprintf(next(&w, ", "), "%d %s%s", n, sent[s].name, n == 1 ? "" : "s");
        if (back)
            fprintf(w.f, " (%d taken back)", back);
    }
    json_array_foreach(json_object_get(report, "parts"), k, part) {
        const json_t *evidence = json_object_get(json_object_get(part, "scenario"), "evidence");
        handed += count(evidence, "how", "handed out", &unused);
        withheld += count(evidence, "how", "withheld", &unused);
    }
    if (handed)
        fprintf(next(&w, ", "), "%d result%s handed out", handed, handed == 1 ? "" : "s");
    if (withheld)
        fprintf(next(&w, ", "), "%d result%s withheld", withheld, withheld == 1 ? "" : "s");
    end(&w, list, "help");
}

static void not_shown(json_t *list, const json_t *report)
{
    struct writing w;
    size_t k;
    json_t *part;
    begin(&w);
    json_array_foreach(json_object_get(report, "parts"), k, part) {
        bool begun = strcmp(report_text(part, "state"), "not begun") != 0;
        if (!begun)
            fprintf(next(&w, "; "), "part %lld, %s: not begun", report_whole(part, "n"),
                    report_text(part, "title"));
        else if (report_has(part, "revealed") && !json_is_true(json_object_get(part, "revealed")))
            fprintf(next(&w, "; "), "the truth of part %lld, %s", report_whole(part, "n"),
                    report_text(part, "title"));
    }
    end(&w, list, "not shown");
}

json_t *report_summary(const json_t *report)
{
    json_t *list = json_array();
    who(list, report);
    causes(list, report);
    scores(list, report);
    grades(list, report);
    help(list, report);
    not_shown(list, report);
    return list;
}
