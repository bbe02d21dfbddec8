/* One function per kind of evidence that is not simply a list of metrics: stalls, sweeps, texts. */
#include "tui/notebook.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/probe.h"
#include "scenarios/quantity.h"
#include "scenarios/request.h"
#include "scenarios/timeline.h"
#include "tui/code_pane.h"

enum { STALLS_SHOWN = 5, LINES_SHOWN = 5, TEXT_COLUMNS = 37 };

static struct note_row *add_row(struct note *n, enum note_kind kind, const char *label)
{
    n->row = mem_grow(n->row, (size_t)n->n + 1, sizeof *n->row);
    struct note_row *r = &n->row[n->n++];
    *r = (struct note_row){ .kind = kind, .share = -1 };
    snprintf(r->label, sizeof r->label, "%s", label);
    return r;
}

/* Bytes of `text` for one row of `columns`: to the last blank, if there is one in its second half. */
static size_t row_bytes(const char *text, size_t columns)
{
    size_t len = strlen(text), cut = columns;
    if (len <= columns)
        return len;
    while (cut > columns / 2 && text[cut] != ' ')
        cut--;
    if (text[cut] != ' ')
        cut = columns;
    while (cut < len && ((unsigned char)text[cut] & 0xC0) == 0x80)
        cut++;
    return cut;
}

/* Text in rows of TEXT_COLUMNS, cut at words, so that it reads in the narrowest pane; rows after the first begin with `indent`. */
static void add_wrapped(struct note *n, const char *text, const char *indent)
{
    const char *before = "";
    while (*(text += strspn(text, " ")) ) {
        size_t bytes = row_bytes(text, TEXT_COLUMNS - strlen(before));
        char *line = text_format("%s%.*s", before, (int)bytes, text);
        add_row(n, NOTE_TEXT, line);
        free(line);
        text += bytes;
        before = indent;
    }
}

static void add_text(struct note *n, const char *text)
{
    add_wrapped(n, text, "");
}

static bool ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), m = strlen(end);
    return n >= m && strcmp(s + n - m, end) == 0;
}

/* Sectors that the same bytes would need: how many there are, times the share of them that was used. Said only where that is what lanes of
 * one width need, 1, 2, 4, 8 or 16: asynchronous copies count among the requests and not among the bytes used. */
static void healthy_sectors(char *out, size_t size, const struct msg_value *v, const struct msg_part *p)
{
    const char *name = strncmp(v->name, "load", 4) == 0 ? "load_efficiency" : "store_efficiency";
    const struct msg_value *used = msg_part_value(p, name);
    if (!used || !used->present || !v->present || used->value > 1.001)
        return;
    double need = v->value * used->value;
    for (int width = 1; width <= 16; width *= 2)
        if (need > 0.9 * width && need < 1.1 * width)
            snprintf(out, size, "%d", width);
}

/* Counts of what is wrong with a result: anything above 0 is. */
static bool is_finding(const char *name)
{
    static const char *const names[] = { "wrong_elements", "not_finite", "faults", "canaries_broken", "inputs_changed", "poisoned_wrong", "buffer_differences",
                                         "shared_differences", "race_hazards", "memory_errors", "uninitialised_reads", "barrier_errors" };
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (strcmp(names[k], name) == 0)
            return true;
    return false;
}

void note_healthy(char *out, size_t size, const struct msg_value *v, const struct msg_part *p)
{
    out[0] = '\0';
    if (ends_with(v->name, "_sectors_per_request"))
        healthy_sectors(out, size, v, p);
    else if (v->present && v->value > 0 &&
             (strcmp(v->name, "bank_conflicts") == 0 || strcmp(v->name, "local_bytes") == 0 || strcmp(v->name, "local_instructions") == 0 ||
              is_finding(v->name)))
        snprintf(out, size, "healthy 0");
}

/* "1.2 x" of the compulsory bytes, "of 4.8 TB/s" of the peak; the interval of a statistic. */
static void put_in_relation(struct note_row *r, const struct msg_value *v, const struct note_frame *f)
{
    double peak = 0;
    if (strcmp(v->name, "dram_bytes") == 0 && f->work_bytes > 0) {
        char work[24];
        quantity_show(work, sizeof work, f->work_bytes, "B");
        snprintf(r->value, sizeof r->value, "%.1f x", v->value / f->work_bytes);
        snprintf(r->beside, sizeof r->beside, "the %s", work);
    } else if (strcmp(v->name, "dram_fraction") == 0 && f->device && msg_device_number(f->device, "dram_peak", &peak)) {
        char text[24];
        quantity_show(text, sizeof text, peak, "B/s");
        snprintf(r->beside, sizeof r->beside, "of %s", text);
    } else if (v->n > 1 && v->high > v->low && v->value > 0) {
        snprintf(r->beside, sizeof r->beside, "%s%.1f %%", glyph("±", "+-"), 50 * (v->high - v->low) / v->value);
    }
}

static void show_value(struct note_row *r, const struct msg_value *v)
{
    const struct metric *m = metric_find(v->name);
    r->metric = m;
    r->missing = !v->present;
    r->amount = v->present ? v->value : 0;
    if (!v->present)
        snprintf(r->value, sizeof r->value, "n/a");
    else if (m && m->share)
        quantity_percent(r->value, sizeof r->value, v->value);
    else
        quantity_show(r->value, sizeof r->value, v->value, m ? m->unit : "1");
}

static void add_number(struct note *n, const struct msg_part *p, const struct msg_value *v, const struct note_frame *f)
{
    const struct metric *m = metric_find(v->name);
    struct note_row *r = add_row(n, NOTE_NUMBER, m ? m->label : v->name);
    show_value(r, v);
    note_healthy(r->beside, sizeof r->beside, v, p);
    r->spare = strncmp(r->beside, "healthy", 7) == 0;
    if (!v->present)
        return;
    if (m && m->share)
        r->share = v->value;
    else if (ends_with(v->name, "_sectors_per_request"))
        r->share = v->value / 32;
    put_in_relation(r, v, f);
}

static bool worth_showing(const struct msg_value *v)
{
    const struct metric *m = metric_find(v->name);
    return v->present || !m || m->everywhere;
}

/* Each reason once, however many metrics share it. */
static void add_reasons(struct note *n, const struct msg_part *p)
{
    for (int i = 0; i < p->n_metrics; i++) {
        const char *why = p->metrics[i].missing;
        bool said = p->metrics[i].present || !why || !worth_showing(&p->metrics[i]);
        for (int k = 0; k < i && !said; k++)
            said = !p->metrics[k].present && p->metrics[k].missing && strcmp(p->metrics[k].missing, why) == 0;
        if (!said) {
            char *text = text_format("n/a: %s", why);
            add_text(n, text);
            free(text);
        }
    }
}

static void add_heads(struct note *n, const struct msg_part *p)
{
    char healthy[24];
    bool known = false;
    for (int i = 0; i < p->n_metrics && !known; i++)
        if (ends_with(p->metrics[i].name, "_sectors_per_request")) {
            note_healthy(healthy, sizeof healthy, &p->metrics[i], p);
            known = healthy[0] != '\0';
        }
    if (!known)
        return;
    struct note_row *r = add_row(n, NOTE_HEAD, "");
    snprintf(r->value, sizeof r->value, "here");
    snprintf(r->beside, sizeof r->beside, "healthy");
}

static void add_metrics(struct note *n, const struct msg_part *p, const struct note_frame *f)
{
    add_heads(n, p);
    size_t known;
    const struct metric *table = metric_of_probe(p->probe, &known); /* the order of the table: what decides comes first */
    for (size_t k = 0; k < known; k++) {
        const struct msg_value *v = msg_part_value(p, table[k].name);
        if (v && worth_showing(v))
            add_number(n, p, v, f);
    }
    add_reasons(n, p);
}

static void add_texts(struct note *n, const struct msg_part *p)
{
    for (int i = 0; i < p->n_notes; i++) {
        int first = n->n;
        if (strcmp(p->notes[i], "cold") != 0 && strcmp(p->notes[i], "warm") != 0)
            add_text(n, p->notes[i]);
        for (int k = first; k < n->n && strncmp(p->notes[i], "differing", 9) == 0; k++)
            n->row[k].metric = metric_find("identical_repeats");
    }
    if (p->probe == PROBE_SASS && p->n_lines > 0)
        add_text(n, "the listing: i, or Tab");
    for (int i = 0; i < p->n_lines && p->probe != PROBE_SASS; i++)
        add_wrapped(n, p->lines[i], "  ");      /* a finding per line: none is cut */
}

/* Of a step of several launches: its length, its gaps, its longest kernel by name. The chart stands in a view of its own. */
static void add_timeline(struct note *n, const struct msg_part *p, const struct note_frame *f)
{
    static const char *const shown[] = { "step_time", "gap_time", "longest_share" };
    struct timeline t;
    bool drawn = f->story && timeline_make(&t, p, f->story, f->story->launches, f->story->n_launches, NULL);
    for (size_t k = 0; k < sizeof shown / sizeof *shown; k++)
        if (msg_part_value(p, shown[k]))
            add_number(n, p, msg_part_value(p, shown[k]), f);
    if (drawn && n->n > 0 && n->row[n->n - 1].metric == metric_find("longest_share"))
        snprintf(n->row[n->n - 1].label, sizeof n->row[0].label, "longest: %s", t.row[t.longest].label);
    add_reasons(n, p);
    if (drawn)
        add_text(n, "Tab turns to the timeline");
    for (int i = 0; i < p->n_notes; i++)
        if (strncmp(p->notes[i], "by ", 3) == 0)
            add_text(n, p->notes[i]);
}

/* Timing comes twice, with a cold and a warm cache: the second time tells its time alone. */
static void add_part(struct note *n, const struct msg_part *p, int k, const struct note_frame *f)
{
    if (p->probe == PROBE_TIMELINE) {
        add_timeline(n, p, f);
        return;
    }
    const struct msg_value *time = msg_part_value(p, "time");
    bool warm = msg_part_note(p, "warm");
    int first = n->n;
    if (k == 0)
        add_metrics(n, p, f);
    else if (time && warm)
        add_number(n, p, time, f);
    if (time && n->n > first && (warm || msg_part_note(p, "cold")))
        snprintf(n->row[first].label, sizeof n->row[first].label, "time, %s", warm ? "warm L2" : "cold L2");
    if (k == 0)
        add_texts(n, p);
}

static int by_size(const void *a, const void *b)
{
    double x = (*(const struct msg_value *const *)a)->value, y = (*(const struct msg_value *const *)b)->value;
    return (x < y) - (x > y);
}

static void add_stalls(struct note *n, const struct msg_part *p)
{
    const struct msg_value **sorted = mem_new((size_t)p->n_metrics + 1, sizeof *sorted);
    int count = 0;
    for (int i = 0; i < p->n_metrics; i++)
        if (p->metrics[i].present && strncmp(p->metrics[i].name, "stall_", 6) == 0 && strcmp(p->metrics[i].name, "stall_total") != 0)
            sorted[count++] = &p->metrics[i];
    qsort(sorted, (size_t)count, sizeof *sorted, by_size);
    for (int i = 0; i < count && i < STALLS_SHOWN; i++) {
        struct note_row *r = add_row(n, NOTE_NUMBER, sorted[i]->name + 6);
        show_value(r, sorted[i]);
        r->share = sorted[0]->value > 0 ? sorted[i]->value / sorted[0]->value : 0;
    }
    const struct msg_value *total = msg_part_value(p, "stall_total");
    if (total && total->present) {
        struct note_row *r = add_row(n, NOTE_NUMBER, "all reasons");
        show_value(r, total);
    }
    if (count)
        add_text(n, "warp-cycles waited per instruction");
    free(sorted);
    add_reasons(n, p);
}

/* "memory: long_scoreboard" for each word of ours, so that the list under s is found again. */
static void add_reason_names(struct note *n, const struct line_table *t, const int *top, int count)
{
    for (int i = 0; i < count; i++) {
        const char *reason = t->line[top[i] - 1].reason;
        bool said = strcmp(stall_brief(reason), reason) == 0;
        for (int k = 0; k < i && !said; k++)
            said = strcmp(t->line[top[k] - 1].reason, reason) == 0;
        if (said)
            continue;
        char *text = text_format("%s: %s", stall_brief(reason), reason);
        add_text(n, text);
        free(text);
    }
}

/* The lines with most samples, by number: who has the source sees the rest there. */
static void add_lines(struct note *n, const struct msg_part *p)
{
    struct line_table t;
    int top[LINES_SHOWN];
    line_table_make(&t, p);
    int count = line_table_top(&t, top, LINES_SHOWN), widest = 0;
    for (int i = 0; i < count; i++)
        widest = top[i] > widest ? top[i] : widest;
    for (int i = 0, digits = snprintf(NULL, 0, "%d", widest); i < count; i++) {
        const struct line_samples *l = &t.line[top[i] - 1];
        char label[32];
        snprintf(label, sizeof label, "line %*d", digits, top[i]);
        struct note_row *r = add_row(n, NOTE_NUMBER, label);
        quantity_percent(r->value, sizeof r->value, l->share);
        snprintf(r->beside, sizeof r->beside, "%s", stall_brief(l->reason));    /* as the source page names it */
        r->share = l->share;
        r->metric = metric_find(i == 0 ? "top_line" : "top_line_share");
    }
    const struct msg_value *all = msg_part_value(p, "samples");
    if (all && all->present)
        show_value(add_row(n, NOTE_NUMBER, "samples"), all);
    add_reason_names(n, &t, top, count);
    line_table_free(&t);
    if (count)
        add_text(n, "the source (c) shows the lines; a wait is charged where the value is used");
    add_reasons(n, p);
    add_texts(n, p);
}

/* The source has a pane of its own. */
static void add_source(struct note *n, const struct msg_part *p)
{
    char text[64];
    snprintf(text, sizeof text, "%d lines: c, or Tab", p->n_lines);
    add_text(n, text);
}

const struct msg_part *note_step(const struct evidence *e, int step)
{
    for (int k = 0; k < e->n_parts; k++)
        if (e->parts[k].variant == step && strcmp(e->parts[k].run, "a") == 0)
            return &e->parts[k];
    return NULL;
}

/* ---- comparisons with the reference ---- */

/* The part of the reference itself: would the check have found wrong results? */
static bool is_check_of_check(const struct msg_part *p)
{
    return strcmp(p->run, "r") == 0;
}

/* "the check itself: zeros and garbage would fail". */
static void add_check_of_check(struct note *n, const struct msg_part *p)
{
    static const char *const wrong[][2] = { { "zeros_wrong", "zeros" }, { "poison_wrong", "garbage" }, { "input_wrong", "a copied input" } };
    const char *fails[3], *passes[3];
    int n_fails = 0, n_passes = 0;
    for (int k = 0; k < 3; k++) {
        const struct msg_value *v = msg_part_value(p, wrong[k][0]);
        if (v && v->present && v->value > 0)
            fails[n_fails++] = wrong[k][1];
        else if (v && v->present)
            passes[n_passes++] = wrong[k][1];
    }
    const struct { const char **what; int n; const char *would; } said[] = { { fails, n_fails, "fail" }, { passes, n_passes, "pass too" } };
    for (int s = 0; s < 2; s++) {
        char text[96] = "the check itself: ";
        for (int k = 0; k < said[s].n; k++)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", k == 0 ? "" : k == said[s].n - 1 ? " and " : ", ", said[s].what[k]);
        snprintf(text + strlen(text), sizeof text - strlen(text), " would %s", said[s].would);
        if (said[s].n)
            add_text(n, text);
    }
}

static void add_checks_of_check(struct note *n, const struct evidence *e)
{
    for (int k = 0; k < e->n_parts; k++)
        if (is_check_of_check(&e->parts[k]))
            add_check_of_check(n, &e->parts[k]);
}

/* What was measured of the kernel that is asked about: the first part that is none of the reference's. */
static const struct msg_part *suspect_part(const struct evidence *e)
{
    for (int k = 0; k < e->n_parts; k++)
        if (!is_check_of_check(&e->parts[k]))
            return &e->parts[k];
    return e->n_parts > 0 ? &e->parts[0] : NULL;
}

/* What each step of an experiment is drawn by. */
static const char *step_metric(const struct experiment *x)
{
    if (x->measure == PROBE_TIMING)
        return "time";
    size_t n;
    const struct probe *table = probe_table(&n);
    for (size_t k = 0; k < n; k++)
        if (table[k].wire == (int)x->measure && table[k].headline)
            return table[k].headline;
    return "time";
}

static bool has_faulted(const struct msg_part *p)
{
    const struct msg_value *v = msg_part_value(p, "faults");
    return v && v->present && v->value > 0;
}

static void add_step(struct note *n, const struct experiment *x, int step, const struct msg_part *p, double most, const struct note_frame *f)
{
    char label[96];
    const struct msg_value *v = p ? msg_part_value(p, step_metric(x)) : NULL;
    request_step_label(label, sizeof label, f->story, f->device, x, step);
    struct step_size size = request_step_size(f->story, f->device, x, step);
    if (size.own)
        snprintf(label + strlen(label), sizeof label - strlen(label), " (this)");
    struct note_row *r = add_row(n, NOTE_NUMBER, label);
    if (p && has_faulted(p)) {
        r->metric = metric_find("faults");
        r->amount = INFINITY;
        snprintf(r->value, sizeof r->value, "fault");
    } else if (v) {
        show_value(r, v);
    } else {
        r->missing = true;
        snprintf(r->value, sizeof r->value, "n/a");
    }
    if (v && v->present && most > 0 && x->measure != PROBE_CHECK)
        r->share = v->value / most;
    r->spare = true;
    if (v && v->present && v->value > 0 && x->measure == PROBE_TIMING && size.bytes > 0)
        quantity_show(r->beside, sizeof r->beside, size.bytes / v->value, "B/s");
}

/* What the step's own label says already, or every timing says. */
static bool is_routine(const char *note)
{
    static const char *const begins[] = { "cold", "warm", "verdict", "power:", "buffers moved", "ballast:" };
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(note, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

/* "4 bytes on: fault: misaligned address" for what the runner noted of a step, and why a number is missing. */
static void add_step_remarks(struct note *n, const struct experiment *x, int step, const struct msg_part *p, const struct note_frame *f)
{
    char label[96];
    request_step_label(label, sizeof label, f->story, f->device, x, step);
    for (int i = 0; i < p->n_notes; i++)
        if (!is_routine(p->notes[i])) {
            char *text = text_format("%s: %s", label, p->notes[i]);
            add_text(n, text);
            free(text);
        }
    add_reasons(n, p);
}

static void add_sweep(struct note *n, const struct evidence *e, const struct experiment *x, const struct note_frame *f)
{
    double most = 0;
    for (int i = 0; i < e->n_parts; i++) {
        const struct msg_value *v = msg_part_value(&e->parts[i], step_metric(x));
        if (v && v->present && v->value > most)
            most = v->value;
    }
    const struct metric *m = metric_find(step_metric(x));
    if (m && x->measure != PROBE_TIMING)
        add_text(n, m->label);
    for (int i = 0; i < x->n_steps; i++)
        add_step(n, x, i, note_step(e, i), most, f);
    for (int i = 0; i < x->n_steps; i++)
        if (note_step(e, i))
            add_step_remarks(n, x, i, note_step(e, i), f);
    for (int k = 0; k < e->n_parts; k++)
        if (is_check_of_check(&e->parts[k])) {     /* every step is held against the same reference */
            add_check_of_check(n, &e->parts[k]);
            return;
        }
}

/* Does the interval of the warm times lie above that of the cold ones? */
static bool slower_warm(const struct evidence *e)
{
    double cold = 0, warm = 0;
    for (int k = 0; k < e->n_parts; k++) {
        const struct msg_value *v = strcmp(e->parts[k].run, "a") == 0 ? msg_part_value(&e->parts[k], "time") : NULL;
        if (v && v->present && msg_part_note(&e->parts[k], "cold"))
            cold = v->high;
        else if (v && v->present && msg_part_note(&e->parts[k], "warm"))
            warm = v->low;
    }
    return cold > 0 && warm > cold;
}

static void add_parts(struct note *n, const struct evidence *e, const struct note_frame *f)
{
    int shown = 0;
    for (int k = 0; k < e->n_parts; k++)
        if (!is_check_of_check(&e->parts[k]))
            add_part(n, &e->parts[k], shown++, f);
    if (slower_warm(e))
        add_text(n, "no faster with a warm L2: L2 does not help here");
    add_checks_of_check(n, e);
}

/* One part tells it all, or each part tells something else: their metrics one after the other. */
static void add_findings(struct note *n, const struct evidence *e, const struct note_frame *f)
{
    for (int k = 0; k < e->n_parts; k++) {
        if (is_check_of_check(&e->parts[k]))
            continue;
        add_metrics(n, &e->parts[k], f);
        add_texts(n, &e->parts[k]);
    }
    add_checks_of_check(n, e);
}

static bool is_series(const struct experiment *x)
{
    return x->n_steps > 1 && x->measure != PROBE_SANITIZE;
}

/* Of an experiment's numbers that should be 0 the largest, so that a half which is healthy hides no half which is not. */
static const struct note_row *worst_row(const struct note *n)
{
    const struct note_row *worst = NULL;
    for (int i = 0; i < n->n; i++) {
        const struct note_row *r = &n->row[i];
        bool bad = r->kind == NOTE_NUMBER && r->metric && is_finding(r->metric->name) && r->amount > 0;
        if (bad && (!worst || r->amount > worst->amount))
            worst = r;
    }
    return worst;
}

/* "memory: sectors per store request 32": the headline, of an experiment the worst, else the first number. */
static void fold(struct note *n, const struct probe *probe)
{
    const struct note_row *first = probe ? NULL : worst_row(n);
    for (int i = 0; i < n->n; i++) {
        const struct note_row *r = &n->row[i];
        bool headline = r->metric && probe && probe->headline && strcmp(r->metric->name, probe->headline) == 0;
        if (r->kind == NOTE_NUMBER && (!first || headline))     /* an experiment has no headline */
            first = r;
    }
    const char *title = probe ? probe->brief : n->title;
    if (first)
        snprintf(n->fold, sizeof n->fold, "%s: %.60s %s", title, first->label, first->value);
    else
        snprintf(n->fold, sizeof n->fold, "%s", n->title);
}

/* The number that was called; a share of the copy rate is worked out where the runner did not. */
static bool called_value(const struct purchase *p, const char *name, const struct note_frame *f, double *out)
{
    const struct msg_part *part = p->evidence ? suspect_part(p->evidence) : NULL;
    const struct msg_value *v = part ? msg_part_value(part, name) : NULL, *time = part ? msg_part_value(part, "time") : NULL;
    double copy = 0;
    if (v && v->present) {
        *out = v->value;
        return true;
    }
    if (strcmp(name, "copy_fraction") != 0 || !time || !time->present || time->value <= 0 || f->work_bytes <= 0 || !f->device)
        return false;
    msg_device_ceiling(f->device, "copy", &copy);
    *out = copy > 0 ? f->work_bytes / time->value / copy : 0;
    return copy > 0;
}

/* Who called a number sees the call below it, and whether it was right. */
static void add_call(struct note *n, const struct purchase *p, const struct probe *probe, const struct note_frame *f)
{
    double value;
    const struct metric *m = probe && probe->headline ? metric_find(probe->headline) : NULL;
    if (!p->call[0] || !m)
        return;
    const char *verdict = "";
    for (int k = 0; k < 4 && probe->option[k].label; k++)
        if (strcmp(probe->option[k].label, p->call) == 0 && called_value(p, probe->headline, f, &value))
            verdict = value >= probe->option[k].low && value < probe->option[k].high ? ", right" : ", wrong";
    char text[96];
    int at = 0;
    while (at < n->n && n->row[at].metric != m)
        at++;
    if (at == n->n) {           /* the number is not among those shown */
        snprintf(text, sizeof text, "your call for %s: %s%s", m->label, p->call, verdict);
        add_text(n, text);
        return;
    }
    snprintf(text, sizeof text, "your call: %s%s", p->call, verdict);
    add_row(n, NOTE_TEXT, text);
    struct note_row call = n->row[n->n - 1];
    memmove(&n->row[at + 2], &n->row[at + 1], (size_t)(n->n - 2 - at) * sizeof *n->row);
    n->row[at + 1] = call;
}

void note_make(struct note *out, const struct purchase *p, const struct note_frame *frame)
{
    const struct probe *probe = probe_by_name(p->probe);
    const struct experiment *x = probe || !frame->story ? NULL : story_experiment(frame->story, p->probe);
    const struct evidence *e = p->evidence;
    *out = (struct note){ .letter = probe ? probe->letter : x && x->shop == SHOP_VERIFY ? 'v' : 'x', .price = p->price };
    snprintf(out->probe, sizeof out->probe, "%s", p->probe);
    snprintf(out->title, sizeof out->title, "%s", probe ? probe->title : x ? x->title : p->probe);
    if (e && frame->tier && e->tier[0] && strcmp(e->tier, frame->tier) != 0)
        snprintf(out->tag, sizeof out->tag, "%s", e->tier);
    if (!e || !e->n_parts)
        add_row(out, NOTE_TEXT, "nothing came back");
    else if (x && is_series(x))
        add_sweep(out, e, x, frame);
    else if (x)
        add_findings(out, e, frame);
    else if (probe && probe->id == SHOP_STALLS)
        add_stalls(out, &e->parts[0]);
    else if (probe && probe->id == SHOP_LINES)
        add_lines(out, &e->parts[0]);
    else if (probe && probe->id == SHOP_SOURCE)
        add_source(out, &e->parts[0]);
    else
        add_parts(out, e, frame);
    add_call(out, p, probe, frame);
    fold(out, probe);
}

void note_make_answer(struct note *out, const struct question *q, int number)
{
    *out = (struct note){ .letter = 'a', .price = number > FREE_QUESTIONS ? 1 : 0 };
    snprintf(out->title, sizeof out->title, "%s", q->ask);
    add_text(out, q->answer);
    snprintf(out->fold, sizeof out->fold, "%.60s %.60s", q->ask, q->answer);
}

void note_free(struct note *n)
{
    free(n->row);
    *n = (struct note){ 0 };
}

void notebook_make(struct notebook *out, const struct investigation *i, const struct note_frame *frame)
{
    int asked = 0, bought = 0;
    *out = (struct notebook){ .note = mem_new((size_t)i->n_moves + 1, sizeof *out->note) };
    for (int k = 0; k < i->n_moves; k++) {
        const struct move *m = &i->moves[k];
        if (m->kind == MOVE_ASKED && m->question >= 0 && m->question < i->story->n_questions)
            note_make_answer(&out->note[out->n++], &i->story->questions[m->question], ++asked);
        else if (m->kind == MOVE_BOUGHT && bought < i->n_bought)
            note_make(&out->note[out->n++], &i->bought[bought++], frame);
    }
}

int notebook_find(const struct notebook *b, const char *probe)
{
    for (int k = 0; k < b->n; k++)
        if (strcmp(b->note[k].probe, probe) == 0)
            return k;
    return -1;
}

void notebook_free(struct notebook *b)
{
    for (int i = 0; i < b->n; i++)
        note_free(&b->note[i]);
    free(b->note);
    *b = (struct notebook){ 0 };
}
