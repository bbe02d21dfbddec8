/* One function per kind of evidence that is not simply a list of metrics: stalls, sweeps, texts. */
#include "tui/play/notebook.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/finding.h"
#include "scenarios/evidence/program.h"
#include "scenarios/pack/harness.h"
#include "scenarios/play/headline.h"
#include "scenarios/pack/probe.h"
#include "scenarios/formula/quantity.h"
#include "scenarios/evidence/request.h"
#include "scenarios/evidence/timeline.h"
#include "tui/kit/code_pane.h"
#include "tui/play/exhibit_pane.h"
#include "tui/play/notebook_rows.h"

enum { STALLS_SHOWN = 5, LINES_SHOWN = 5 };

/* Of a step of several launches: its length, its gaps, its longest kernel by name. The chart stands
 * in a view of its own. */
static void add_timeline(struct note *n, const struct evidence *e, const struct msg_part *p,
                         const struct note_frame *f)
{
    static const char *const of_kernels[] = {"step_time", "gap_time", "longest_share"};
    static const char *const of_hosts[] = {"step_time", "api_time", "longest_gap",
                                           "longest_share"};
    static const char *const of_ranks[] = {"step_time", "comm_time", "exposed_time", "comm_skew",
                                           "api_time", "longest_share"};
    struct timeline t;
    bool drawn = f->variant && timeline_make(&t, p, f->variant, NULL);
    bool hosted = drawn && t.n_calls > 0;
    bool ranked = f->variant && f->variant->story->gpus > 1;
    const char *const *shown = ranked ? of_ranks : hosted ? of_hosts : of_kernels;
    size_t n_shown = ranked   ? sizeof of_ranks / sizeof *of_ranks
                     : hosted ? sizeof of_hosts / sizeof *of_hosts
                              : sizeof of_kernels / sizeof *of_kernels;
    for (size_t k = 0; k < n_shown; k++)
        if (msg_part_value(p, shown[k]))
            note_add_number(n, p, msg_part_value(p, shown[k]), f);
    if (drawn && n->n > 0 && n->row[n->n - 1].metric == metric_find("longest_share"))
        snprintf(n->row[n->n - 1].label, sizeof n->row[0].label, "longest: %s",
                 t.row[t.longest].label);
    note_add_reasons(n, p);
    char *traced = finding_traced(e, p);
    if (traced)
        note_add_text(n, traced);
    free(traced);
    if (drawn)
        note_add_text(n, "Tab turns to the timeline");
    for (int i = 0; i < p->n_notes; i++)
        if (strncmp(p->notes[i], "by ", 3) == 0)
            note_add_text(n, p->notes[i]);
}

/* What users see of the time in row `at`, below it. */
static void insert_rate(struct note *n, int at, const struct msg_value *time,
                        const struct note_frame *f)
{
    char label[48];
    double yield = f->variant && f->variant->story->rate.unit && time->present
                       ? request_step_size(f->variant->story, f->device, NULL, 0).yield
                       : 0;
    if (yield <= 0 || time->value <= 0)
        return;
    snprintf(label, sizeof label, "%s/s", f->variant->story->rate.unit);
    struct note_row *r = note_add_row(n, NOTE_NUMBER, label);
    r->amount = yield / time->value;
    quantity_show(r->value, sizeof r->value, r->amount, "1");
    struct note_row rate = *r;
    memmove(&n->row[at + 2], &n->row[at + 1], (size_t)(n->n - 2 - at) * sizeof *n->row);
    n->row[at + 1] = rate;
}

/* Timing comes twice, with a cold and a warm cache: the second time tells its time alone. */
static void add_part(struct note *n, const struct evidence *e, const struct msg_part *p, int k,
                     const struct note_frame *f)
{
    if (p->probe == PROBE_TIMELINE) {
        add_timeline(n, e, p, f);
        return;
    }
    const struct msg_value *time = msg_part_time(p);
    bool warm = msg_part_note(p, "warm");
    int first = n->n;
    if (k == 0)
        note_add_metrics(n, p, f);
    else if (time && warm)
        note_add_number(n, p, time, f);
    if (time && n->n > first && (warm || msg_part_note(p, "cold")))
        snprintf(n->row[first].label, sizeof n->row[first].label, "time, %s",
                 warm ? "warm L2" : "cold L2");
    if (time && k == 0)
        insert_rate(n, first, time, f);
    if (k == 0)
        note_add_texts(n, p, f);
    if (k == 0 && p->probe == PROBE_BENCHMARK)
        note_add_text(n, "Tab turns to the samples");
}

static int by_size(const void *a, const void *b)
{
    double x = (*(const struct msg_value *const *)a)->value,
           y = (*(const struct msg_value *const *)b)->value;
    return (x < y) - (x > y);
}

static void add_stalls(struct note *n, const struct msg_part *p)
{
    const struct msg_value **sorted = mem_new((size_t)p->n_metrics + 1, sizeof *sorted);
    int count = 0;
    for (int i = 0; i < p->n_metrics; i++)
        if (p->metrics[i].present && strncmp(p->metrics[i].name, "stall_", 6) == 0 &&
            strcmp(p->metrics[i].name, "stall_total") != 0)
            sorted[count++] = &p->metrics[i];
    qsort(sorted, (size_t)count, sizeof *sorted, by_size);
    for (int i = 0; i < count && i < STALLS_SHOWN; i++) {
        struct note_row *r = note_add_row(n, NOTE_NUMBER, sorted[i]->name + 6);
        note_show_value(r, sorted[i]);
        r->share = sorted[0]->value > 0 ? sorted[i]->value / sorted[0]->value : 0;
    }
    const struct msg_value *total = msg_part_value(p, "stall_total");
    if (total && total->present) {
        struct note_row *r = note_add_row(n, NOTE_NUMBER, "all reasons");
        note_show_value(r, total);
    }
    if (count)
        note_add_text(n, "cycles of a warp per instruction");
    free(sorted);
    note_add_reasons(n, p);
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
        note_add_text(n, text);
        free(text);
    }
}

/* The lines with most samples, by number: who has the source sees the rest there. */
static void add_lines(struct note *n, const struct msg_part *p, const struct note_frame *f)
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
        struct note_row *r = note_add_row(n, NOTE_NUMBER, label);
        quantity_percent(r->value, sizeof r->value, l->share);
        snprintf(r->beside, sizeof r->beside, "%s",
                 stall_brief(l->reason)); /* as the source page names it */
        r->share = l->share;
        r->metric = metric_find(i == 0 ? "top_line" : "top_line_share");
    }
    const struct msg_value *all = msg_part_value(p, "samples");
    if (all && all->present)
        note_show_value(note_add_row(n, NOTE_NUMBER, "samples"), all);
    const struct msg_value *waits = msg_part_value(p, "mbarrier_share");
    if (waits && waits->present && waits->value > 0)
        note_add_number(n, p, waits, f);
    add_reason_names(n, &t, top, count);
    line_table_free(&t);
    if (count)
        note_add_text(n,
                      "the source (c) shows the lines; a wait is charged where the value is used");
    note_add_reasons(n, p);
    note_add_texts(n, p, f);
}

/* The source has a pane of its own. */
static void add_source(struct note *n, const struct msg_part *p)
{
    char text[64];
    snprintf(text, sizeof text, "%d lines: c, or Tab", p->n_lines);
    note_add_text(n, text);
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
static void add_check_of_check(struct note *n, const struct msg_part *p)
{
    char text[160];
    for (int caught = 1; caught >= 0; caught--)
        if (finding_control(text, sizeof text, p, caught))
            note_add_text(n, text);
}

static void add_checks_of_check(struct note *n, const struct evidence *e)
{
    for (int k = 0; k < e->n_parts; k++)
        if (finding_is_control(&e->parts[k]))
            add_check_of_check(n, &e->parts[k]);
}

/* What was measured of the kernel that is asked about: the first part that is none of the
 * reference's. */
static const struct msg_part *suspect_part(const struct evidence *e)
{
    for (int k = 0; k < e->n_parts; k++)
        if (!finding_is_control(&e->parts[k]))
            return &e->parts[k];
    return e->n_parts > 0 ? &e->parts[0] : NULL;
}

/* What a step of an experiment is drawn by: of a benchmark what it prints. p may be NULL. */
static const char *step_metric(const struct experiment *x, const struct msg_part *p)
{
    if (x->measure == PROBE_TIMING)
        return "time";
    if (x->measure == PROBE_BENCHMARK)
        return p && msg_part_value(p, "speed_up") ? "speed_up" : "reported_time";
    size_t n;
    const struct probe *table = probe_table(&n);
    for (size_t k = 0; k < n; k++)
        if (table[k].wire == (int)x->measure && table[k].headline)
            return table[k].headline;
    return "time";
}

static bool is_timed(const struct experiment *x)
{
    return x->measure == PROBE_TIMING || x->measure == PROBE_BENCHMARK;
}

static bool has_faulted(const struct msg_part *p)
{
    const struct msg_value *v = msg_part_value(p, "faults");
    return v && v->present && v->value > 0;
}

/* What came of a run that might have failed, in a word; NULL: another probe. */
static const char *outcome_of(const struct msg_part *p)
{
    static const char *const words[][2] = {
        {"refused", "refused"}, {"faulted", "fault"}, {"unfinished", "no end"}};
    if (!p || p->probe != PROBE_OUTCOME)
        return NULL;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        const struct msg_value *v = msg_part_value(p, words[i][0]);
        if (v && v->present && v->value > 0)
            return words[i][1];
    }
    return "ends";
}

static void add_step(struct note *n, const struct experiment *x, int step, const struct msg_part *p,
                     double most, const struct note_frame *f)
{
    char label[96];
    const struct msg_value *v = p ? msg_part_value(p, step_metric(x, p)) : NULL;
    request_step_label(label, sizeof label, f->variant->story, f->device, x, step);
    struct step_size size = request_step_size(f->variant->story, f->device, x, step);
    if (size.own)
        snprintf(label + strlen(label), sizeof label - strlen(label), " (reported)");
    snprintf(label + strlen(label), sizeof label - strlen(label), "%s",
             request_step_unchanged(f->variant, x, step));
    struct note_row *r = note_add_row(n, NOTE_NUMBER, label);
    if (p && has_faulted(p)) {
        r->metric = metric_find("faults");
        r->amount = INFINITY;
        snprintf(r->value, sizeof r->value, "fault");
    } else if (outcome_of(p)) {
        r->metric = metric_find("refused");
        snprintf(r->value, sizeof r->value, "%s", outcome_of(p));
    } else if (v) {
        note_show_value(r, v);
    } else {
        r->missing = true;
        snprintf(r->value, sizeof r->value, "n/a");
    }
    if (v && v->present && most > 0 && x->measure != PROBE_CHECK)
        r->share = v->value / most;
    r->spare = true;
    bool timed = v && v->present && v->value > 0 && is_timed(x) && v == msg_part_time(p);
    const struct story *story = f->variant->story;
    if (timed && !finding_rate(r->beside, sizeof r->beside, story, size.yield, v->value) &&
        size.bytes > 0)
        quantity_show(r->beside, sizeof r->beside, size.bytes / v->value, "B/s");
}

/* What the step's own label says already, or every timing says. */
static bool is_routine(const char *note)
{
    static const char *const begins[] = {"cold",   "warm",          "verdict",
                                         "board power", "power:",
                                         "buffers moved", "ballast:", "outcome:"};
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++)
        if (strncmp(note, begins[i], strlen(begins[i])) == 0)
            return true;
    return false;
}

/* "4 bytes on: fault: misaligned address" for what the runner noted of a step, and why a number is
 * missing. */
static void add_step_remarks(struct note *n, const struct experiment *x, int step,
                             const struct msg_part *p, const struct note_frame *f)
{
    char label[96];
    request_step_label(label, sizeof label, f->variant->story, f->device, x, step);
    for (int i = 0; i < p->n_notes; i++)
        if (!is_routine(p->notes[i])) {
            char *note = finding_note(p, i, f->variant),
                 *text = text_format("%s: %s", label, note);
            note_add_text(n, text);
            free(note);
            free(text);
        }
    note_add_reasons(n, p);
}

/* It was a look and no run, so it shows what was free already: the number that is printed. */
static void add_unchanged(struct note *n, const struct evidence *e, const struct experiment *x,
                          const struct note_frame *f)
{
    char why[160], printed[64] = "";
    program_unchanged(why, sizeof why, f->variant, x);
    note_add_text(n, why);
    if (note_step(e, 0))
        program_printed(printed, sizeof printed, f->variant, "a", f->device, note_step(e, 0));
    struct note_row *r = note_add_row(n, NOTE_NUMBER, "it prints");
    snprintf(r->value, sizeof r->value, "%s", *printed ? printed : "nothing");
}

static void add_sweep(struct note *n, const struct evidence *e, const struct experiment *x,
                      const struct note_frame *f)
{
    double most = 0;
    for (int i = 0; i < e->n_parts; i++) {
        const struct msg_value *v = msg_part_value(&e->parts[i], step_metric(x, &e->parts[i]));
        if (v && v->present && v->value > most)
            most = v->value;
    }
    const struct metric *m = metric_find(step_metric(x, NULL));
    if (m && !is_timed(x))
        note_add_text(n, m->label);
    for (int i = 0; i < x->n_steps; i++)
        add_step(n, x, i, note_step(e, i), most, f);
    for (int i = 0; i < x->n_steps; i++)
        if (note_step(e, i))
            add_step_remarks(n, x, i, note_step(e, i), f);
    for (int k = 0; k < e->n_parts; k++)
        if (finding_is_control(&e->parts[k])) { /* every step is held against the same reference */
            add_check_of_check(n, &e->parts[k]);
            return;
        }
}

/* Does the interval of the warm times lie above that of the cold ones? */
static bool slower_warm(const struct evidence *e)
{
    double cold = 0, warm = 0;
    for (int k = 0; k < e->n_parts; k++) {
        const struct msg_value *v =
            strcmp(e->parts[k].run, "a") == 0 ? msg_part_time(&e->parts[k]) : NULL;
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
        if (!finding_is_control(&e->parts[k]))
            add_part(n, e, &e->parts[k], shown++, f);
    if (slower_warm(e))
        note_add_text(n, "no faster with a warm L2: L2 does not help here");
    add_checks_of_check(n, e);
}

/* One part tells it all, or each part tells something else: their metrics one after the other. */
static void add_findings(struct note *n, const struct evidence *e, const struct note_frame *f)
{
    for (int k = 0; k < e->n_parts; k++) {
        if (finding_is_control(&e->parts[k]))
            continue;
        note_add_metrics(n, &e->parts[k], f);
        note_add_texts(n, &e->parts[k], f);
    }
    add_checks_of_check(n, e);
}

static bool is_series(const struct experiment *x)
{
    return x->n_steps > 1 && x->measure != PROBE_SANITIZE;
}

/* Of an experiment's numbers that should be 0 the largest, so that a half which is healthy hides no
 * half which is not. */
static const struct note_row *worst_row(const struct note *n)
{
    const struct note_row *worst = NULL;
    for (int i = 0; i < n->n; i++) {
        const struct note_row *r = &n->row[i];
        bool bad = r->kind == NOTE_NUMBER && r->metric && headline_is_wrong(r->metric->name) &&
                   r->amount > 0;
        if (bad && (!worst || r->amount > worst->amount))
            worst = r;
    }
    return worst;
}

/* "memory: sectors per store request 32": the headline, of an experiment the worst, else the first
 * number. */
static void fold(struct note *n, const struct probe *probe)
{
    const struct note_row *first = probe ? NULL : worst_row(n);
    for (int i = 0; i < n->n; i++) {
        const struct note_row *r = &n->row[i];
        bool headline =
            r->metric && probe && probe->headline && strcmp(r->metric->name, probe->headline) == 0;
        if (r->kind == NOTE_NUMBER && (!first || headline))
            first = r;
    }
    const char *title = probe ? probe->brief : n->title;
    if (!first) {
        snprintf(n->fold, sizeof n->fold, "%s", n->title);
        return;
    }
    n->fold_value = snprintf(n->fold, sizeof n->fold, "%s: %.60s ", title, first->label);
    snprintf(n->fold + n->fold_value, sizeof n->fold - (size_t)n->fold_value, "%s", first->value);
}

/* The number that was called; a share of the copy rate is worked out where the runner did not. */
static bool called_value(const struct purchase *p, const char *name, const struct note_frame *f,
                         double *out)
{
    const struct msg_part *part = p->evidence ? suspect_part(p->evidence) : NULL;
    const struct msg_value *v = part ? msg_part_value(part, name) : NULL,
                           *time = part ? msg_part_time(part) : NULL;
    double copy = 0;
    if (v && v->present) {
        *out = v->value;
        return true;
    }
    if (strcmp(name, "copy_fraction") != 0 || !time || !time->present || time->value <= 0 ||
        f->work_bytes <= 0 || !f->device)
        return false;
    msg_device_ceiling(f->device, "copy", &copy);
    *out = copy > 0 ? f->work_bytes / time->value / copy : 0;
    return copy > 0;
}

/* Who called a number sees the call below it, and whether it was right. */
static void add_call(struct note *n, const struct purchase *p, const struct probe *probe,
                     const struct note_frame *f)
{
    double value;
    const struct metric *m = probe && probe->headline ? metric_find(probe->headline) : NULL;
    if (!p->call[0] || !m)
        return;
    const char *verdict = "";
    for (int k = 0; k < 4 && probe->option[k].label; k++)
        if (strcmp(probe->option[k].label, p->call) == 0 &&
            called_value(p, probe->headline, f, &value))
            verdict = value >= probe->option[k].low && value < probe->option[k].high ? ", right"
                                                                                     : ", wrong";
    char text[96];
    int at = 0;
    while (at < n->n && n->row[at].metric != m)
        at++;
    if (at == n->n) {           /* the number is not among those shown */
        snprintf(text, sizeof text, "your call for %s: %s%s", m->label, p->call, verdict);
        note_add_text(n, text);
        return;
    }
    snprintf(text, sizeof text, "your call: %s%s", p->call, verdict);
    note_add_row(n, NOTE_TEXT, text);
    struct note_row call = n->row[n->n - 1];
    memmove(&n->row[at + 2], &n->row[at + 1], (size_t)(n->n - 2 - at) * sizeof *n->row);
    n->row[at + 1] = call;
}

void note_make(struct note *out, const struct purchase *p, const struct note_frame *frame)
{
    const struct probe *probe = probe_by_name(p->probe);
    const struct experiment *x =
        probe || !frame->variant ? NULL : story_experiment(frame->variant->story, p->probe);
    const struct evidence *e = p->evidence;
    *out = (struct note){.letter = probe                         ? probe->letter
                                   : x && x->shop == SHOP_VERIFY ? 'v'
                                                                 : 'x',
                         .columns = frame->columns,
                         .price = p->price};
    snprintf(out->probe, sizeof out->probe, "%s", p->probe);
    snprintf(out->title, sizeof out->title, "%s", probe ? probe->title : x ? x->title : p->probe);
    if (e && frame->tier && e->tier[0] && strcmp(e->tier, frame->tier) != 0)
        snprintf(out->tag, sizeof out->tag, "%s", e->tier);
    if (p->handed) {
        snprintf(out->tag + strlen(out->tag), sizeof out->tag - strlen(out->tag), "%shanded",
                 out->tag[0] ? ", " : "");
        note_add_row(out, NOTE_TEXT, "handed to you by the interviewer");
    }
    if (!e || !e->n_parts)
        note_add_row(out, NOTE_TEXT, "nothing came back");
    else if (x && x->exhibit)
        exhibit_add_rows(out, x, &e->parts[0]);
    else if (x && variant_has_setting(frame->variant, x))
        add_unchanged(out, e, x, frame);
    else if (x && is_series(x))
        add_sweep(out, e, x, frame);
    else if (x)
        add_findings(out, e, frame);
    else if (probe && probe->id == SHOP_STALLS)
        add_stalls(out, &e->parts[0]);
    else if (probe && probe->id == SHOP_LINES)
        add_lines(out, &e->parts[0], frame);
    else if (probe && probe->id == SHOP_SOURCE)
        add_source(out, &e->parts[0]);
    else
        add_parts(out, e, frame);
    add_call(out, p, probe, frame);
    fold(out, probe);
}

void note_make_answer(struct note *out, const struct question *q, int number, int columns)
{
    *out =
        (struct note){.letter = 'a', .columns = columns, .price = number > FREE_QUESTIONS ? 1 : 0};
    snprintf(out->title, sizeof out->title, "%s", q->ask);
    note_add_text(out, q->answer);
    snprintf(out->fold, sizeof out->fold, "%s %s", q->ask, q->answer);
}

static void note_make_spoken(struct note *out, const struct spoken *said, int columns)
{
    *out = (struct note){ .letter = '"', .columns = columns };
    snprintf(out->title, sizeof out->title, "%s", said->who);
    note_add_text(out, said->text);
    snprintf(out->fold, sizeof out->fold, "%s: %s", said->who, said->text);
}

void note_free(struct note *n)
{
    free(n->row);
    *n = (struct note){ 0 };
}

/* Those that came before `at_ms`, from line `k` on; returns the first that did not. */
static int add_spoken_until(struct notebook *out, const struct note_frame *f, int k, int64_t at_ms)
{
    for (; k < f->n_spoken && f->spoken[k].at_ms < at_ms; k++)
        note_make_spoken(&out->note[out->n++], &f->spoken[k], f->columns);
    return k;
}

void notebook_make(struct notebook *out, const struct investigation *i,
                   const struct note_frame *frame)
{
    int asked = 0, bought = 0, said = 0, most = i->n_moves + frame->n_spoken;
    *out = (struct notebook){ .note = mem_new((size_t)most + 1, sizeof *out->note) };
    for (int k = 0; k < i->n_moves; k++) {
        const struct move *m = &i->moves[k];
        said = add_spoken_until(out, frame, said, m->at_ms);
        if (m->kind == MOVE_ASKED && m->question >= 0 && m->question < i->story->n_questions)
            note_make_answer(&out->note[out->n++], &i->story->questions[m->question], ++asked,
                             frame->columns);
        else if ((m->kind == MOVE_BOUGHT || m->kind == MOVE_HANDED) && bought < i->n_bought)
            note_make(&out->note[out->n++], &i->bought[bought++], frame);
    }
    add_spoken_until(out, frame, said, INT64_MAX);
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
