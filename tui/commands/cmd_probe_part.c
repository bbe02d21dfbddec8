/* One part of evidence as text: verdict, figures, what stands by line, notes; and a timeline as a
 * table. */
#include "tui/commands/cmd_probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/evidence/finding.h"
#include "scenarios/evidence/request.h"
#include "scenarios/evidence/timeline.h"
#include "scenarios/formula/time_column.h"
#include "tui/kit/draw.h"

void probe_print_right(const char *text, int columns)
{
    int blank = columns - draw_columns(text);
    printf("%*s%s", blank > 0 ? blank : 0, "", text);
}

/* ---- figures ---- */

static void show(char *out, size_t size, const struct metric *m, double value)
{
    if (m && m->share)
        quantity_percent(out, size, value);
    else
        quantity_show(out, size, value, m ? m->unit : "1");
}

static void print_value(const struct msg_value *v)
{
    const struct metric *m = metric_find(v->name);
    char value[32], low[32], high[32];
    printf("  %-30s ", m ? m->label : v->name);
    if (!v->present) {
        const char *why = v->missing ? v->missing : "no reason given";
        printf("missing: %s\n", strncmp(why, "nothing: ", 9) == 0 ? why + 9 : why);
        return;
    }
    show(value, sizeof value, m, v->value);
    probe_print_right(value, 14);
    printf("%s%s", *metric_per(m) ? " " : "", metric_per(m));
    if (v->n > 0) {
        show(low, sizeof low, m, v->low);
        show(high, sizeof high, m, v->high);
        printf("   %s .. %s   n %d", low, high, v->n);
    }
    putchar('\n');
}

/* The time of a whole run of the suspect, which is what a story's rate is of; NULL: the part has
 * none. */
const struct msg_value *probe_run_time(const struct msg_part *p)
{
    const struct msg_value *v =
        p->probe == PROBE_TIMELINE ? msg_part_value(p, "step_time") : msg_part_time(p);
    return v && v->present && v->value > 0 && !strcmp(p->run, "a") ? v : NULL;
}

/* "tokens/s   4246", with the time's interval turned round. */
static void print_rate(const struct story *s, const struct msg_value *time, double yield)
{
    char rate[32], low[32], high[32], label[32];
    if (!s->rate.unit || yield <= 0)
        return;
    snprintf(label, sizeof label, "%s/s", s->rate.unit);
    quantity_show(rate, sizeof rate, yield / time->value, "1");
    printf("  %-30s %14s", label, rate);
    if (time->n > 0 && time->low > 0) {
        quantity_show(low, sizeof low, yield / time->high, "1");
        quantity_show(high, sizeof high, yield / time->low, "1");
        printf("   %s .. %s   n %d", low, high, time->n);
    }
    putchar('\n');
}

/* In the order of the metric table, whatever order they came in; behind the time what users see of
 * it. */
static void print_values(const struct msg_part *p, const struct story *s, double yield)
{
    size_t n;
    const struct metric *m = metric_of_probe(p->probe, &n);
    for (size_t i = 0; i < n; i++) {
        const struct msg_value *v = msg_part_value(p, m[i].name);
        if (v)
            print_value(v);
        if (v && v == probe_run_time(p))
            print_rate(s, v, yield);
    }
    for (int i = 0; i < p->n_metrics; i++)
        if (!metric_find(p->metrics[i].name)) /* of a newer runner */
            print_value(&p->metrics[i]);
}

/* ---- rows ---- */

/* Series that stand beside source lines, a row for each. */
static void print_by_line(const struct msg_part *p)
{
    for (int i = 0; i < p->n_series; i++)
        printf("%s%*s", i ? "  " : "", i ? 8 : 6, p->series[i].name);
    for (int k = 0; k < p->series[0].n; k++) {
        printf("\n%6.0f", p->series[0].values[k]);
        for (int i = 1; i < p->n_series; i++) {
            int w = (int)strlen(p->series[i].name);
            printf("  %*.0f", w < 8 ? 8 : w, k < p->series[i].n ? p->series[i].values[k] : 0);
        }
    }
    putchar('\n');
}

/* A listing, each line after the number of its source line. */
static void print_listing(const struct msg_part *p)
{
    for (int k = 0; k < p->n_lines; k++) {
        double line = p->n_series > 0 && k < p->series[0].n ? p->series[0].values[k] : 0;
        if (line > 0)
            printf("%5.0f  %s\n", line, p->lines[k]);
        else
            printf("%5s  %s\n", "", p->lines[k]);
    }
}

/* Of a benchmark, in the order in which they were taken, eight in a row. */
static void print_samples(const struct msg_series *s)
{
    enum { A_ROW = 8 };
    char time[32];
    struct time_column column = {0};
    for (int k = 0; k < s->n; k++)
        time_column_add(&column, s->values[k]);
    for (int k = 0; k < s->n; k++) {
        time_column_show(time, sizeof time, &column, s->values[k]);
        if (k % A_ROW == 0)
            printf("  %-10s", k ? "" : "samples");
        probe_print_right(time, 9);
        if (k % A_ROW == A_ROW - 1 || k == s->n - 1)
            putchar('\n');
    }
}

static void print_series(const struct msg_part *p)
{
    if (p->probe == PROBE_BENCHMARK && p->n_series) {
        print_samples(&p->series[0]);
        return;
    }
    for (int i = 0; i < p->n_series; i++) {
        printf("  %-30s", p->series[i].name);
        for (int k = 0; k < p->series[i].n; k++)
            printf(" %.6g", p->series[i].values[k]);
        putchar('\n');
    }
}

/* A finding a line; values beside the tolerance, so that rounding is not taken for one. */
static void print_lines(const struct msg_part *p, const struct msg_tolerance *tolerance)
{
    char text[80];
    if (msg_part_value(p, "max_error") && msg_part_value(p, "max_error")->present) {
        tolerance_text(text, sizeof text, tolerance);
        printf("  (%s)\n", text);
    }
    for (int i = 0; i < p->n_lines; i++) {
        char *line = finding_line(p, i, tolerance);
        printf("%5d  %s\n", i + 1, line);
        free(line);
    }
}

/* ---- words ---- */

static void print_notes(const struct msg_part *p, const struct variant *v)
{
    int shown = 0;
    const char *caveat = finding_caveat(p, v);
    if (caveat)
        printf("  (%s)\n", caveat);
    for (int i = 0; i < p->n_notes; i++) {
        if (finding_is_verdict(p->notes[i]))
            continue;
        char *note = finding_note(p, i, v);
        printf("%s%s", shown++ ? ", " : "  (", note);
        free(note);
    }
    if (shown)
        printf(")\n");
}

/* Whether the result is right, before the counts that say why. */
static void print_verdict(const struct msg_part *p, const struct variant *v)
{
    for (int i = 0; i < p->n_notes; i++) {
        char *note = finding_is_verdict(p->notes[i]) ? finding_note(p, i, v) : NULL;
        if (note)
            printf("  %s\n", note);
        free(note);
    }
}

/* ---- timelines ---- */

/* Of a step whose story says nothing of bytes two columns would be empty. */
static bool has_bytes(const struct timeline *s)
{
    for (int i = 0; i < s->n; i++)
        if (s->row[i].bytes > 0)
            return true;
    return false;
}

static void print_head(bool bytes)
{
    printf("      %-24s %6s %11s %11s %11s", "kernel", "stream", "start", "duration", "gap before");
    if (bytes)
        printf(" %11s %11s", "bytes", "rate");
    printf(" %6s\n", "share");
}

/* Kernels and what the host does stand below one another. */
struct columns { struct time_column start, took, gap; };

static struct columns columns_of(const struct timeline *s)
{
    struct columns c = {0};
    for (int i = 0; i < s->n; i++) {
        time_column_add(&c.start, s->row[i].start);
        time_column_add(&c.took, s->row[i].end - s->row[i].start);
        time_column_add(&c.gap, s->row[i].gap);
    }
    for (int i = 0; i < s->n_calls; i++) {
        time_column_add(&c.start, s->call[i].start);
        time_column_add(&c.took, s->call[i].end - s->call[i].start);
    }
    return c;
}

static void print_kernel(const struct timeline *s, const struct columns *c, int i, bool with_bytes)
{
    const struct timeline_row *r = &s->row[i];
    char start[24], took[24], gap[24] = "", bytes[24] = "", rate[24] = "", share[24];
    double time = r->end - r->start;
    time_column_show(start, sizeof start, &c->start, r->start);
    time_column_show(took, sizeof took, &c->took, time);
    if (r->gap > 0)
        time_column_show(gap, sizeof gap, &c->gap, r->gap);
    if (r->bytes > 0)
        quantity_show(bytes, sizeof bytes, r->bytes, "B");
    if (r->bytes > 0 && time > 0)
        quantity_show(rate, sizeof rate, r->bytes / time, "B/s");
    quantity_percent(share, sizeof share, s->length > 0 ? time / s->length : 0);
    if (s->n_ranks > 1 && (i == 0 || r[-1].rank != r->rank))
        printf("  GPU %d\n", r->rank);
    printf("  %2d  %-24.24s %6d", r->launch + 1, r->label, r->stream);
    probe_print_right(start, 12);
    probe_print_right(took, 12);
    probe_print_right(gap, 12);
    if (with_bytes)
        printf(" %11s %11s", bytes, rate);
    printf(" %6s\n", share);
}

/* What the host does, where it does more than launch. */
static void print_calls(const struct timeline *s, const struct columns *c)
{
    if (s->n_calls)
        printf("      %-31s %11s %11s\n", "host", "start", "duration");
    for (int i = 0; i < s->n_calls; i++) {
        char start[24], took[24];
        time_column_show(start, sizeof start, &c->start, s->call[i].start);
        time_column_show(took, sizeof took, &c->took, s->call[i].end - s->call[i].start);
        if (s->n_ranks > 1 && (i == 0 || s->call[i - 1].rank != s->call[i].rank))
            printf("  GPU %d\n", s->call[i].rank);
        printf("  %2d  %-31.39s", i % (s->n_calls / s->n_ranks) + 1, s->call[i].label);
        probe_print_right(start, 12);
        probe_print_right(took, 12);
        putchar('\n');
    }
}

/* The series as a table; a part that is no whole timeline is printed as any other. */
bool probe_print_timeline(const struct evidence *e, const struct msg_part *p,
                          const struct variant *v, const struct msg_device *device, double yield)
{
    struct timeline s;
    if (!timeline_make(&s, p, v, device))
        return false;
    char *traced = finding_traced(e, p);
    printf("timeline\n");
    print_values(p, v->story, yield);
    bool bytes = has_bytes(&s);
    struct columns columns = columns_of(&s);
    print_head(bytes);
    for (int i = 0; i < s.n; i++)
        print_kernel(&s, &columns, i, bytes);
    print_calls(&s, &columns);
    if (traced)
        printf("  (%s)\n", traced);
    free(traced);
    print_notes(p, v);
    return true;
}

void probe_print_part(const struct msg_part *p, const struct variant *v, double yield)
{
    print_verdict(p, v);
    print_values(p, v->story, yield);
    if (p->probe == PROBE_LINES && p->n_series > 0)
        print_by_line(p);
    else if (p->probe != PROBE_SASS)
        print_series(p);
    if (p->probe == PROBE_SASS)
        print_listing(p);
    else
        print_lines(p, &v->story->tolerance);
    print_notes(p, v);
}
