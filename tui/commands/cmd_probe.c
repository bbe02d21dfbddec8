/* warpdrill probe: one piece of evidence, of the suspect alone. */
#include "tui/commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/program.h"
#include "scenarios/evidence/finding.h"
#include "scenarios/evidence/request.h"
#include "scenarios/evidence/timeline.h"
#include "scenarios/supply/supply.h"
#include "tui/play/exhibit_pane.h"

/* What may be had before a debrief: no pair, no best, no "all". A case has nothing but its
 * exhibits, and questions. */
static bool is_sold(const struct story *s, const struct probe *p)
{
    return p->id != SHOP_EXPERIMENT && (!story_is_case(s) || p->id == SHOP_ASK);
}

static int check_name(const struct story *s, const char *probe)
{
    size_t n;
    const struct probe *table = probe_table(&n), *found = probe_by_name(probe);
    if (!strcmp(probe, "symptom") || story_experiment(s, probe) || (found && is_sold(s, found)))
        return CMD_OK;
    fprintf(stderr,
            "warpdrill: there is no probe '%s'; there are, with their prices in minutes: symptom 0",
            probe);
    for (size_t i = 0; i < n; i++)
        if (is_sold(s, &table[i]))
            fprintf(stderr, ", %s %d", table[i].name, story_price(s, table[i].name));
    for (int i = 0; i < s->n_experiments; i++)
        fprintf(stderr, ", %s %d", s->experiments[i].id, s->experiments[i].price);
    fputc('\n', stderr);
    return CMD_USAGE;
}

static void offer(json_t *list, const char *name, const char *title, int price)
{
    json_array_append_new(list, json_pack("{s:s, s:s, s:i}", "probe", name, "title", title, "price",
                                          price));
}

/* Everything that has a price, the free first. */
static json_t *offers(const struct story *s)
{
    json_t *list = json_array();
    size_t n;
    const struct probe *table = probe_table(&n);
    offer(list, "symptom", "what was reported", 0);
    for (size_t i = 0; i < n; i++)
        if (is_sold(s, &table[i]))
            offer(list, table[i].name, table[i].title, story_price(s, table[i].name));
    for (int i = 0; i < s->n_experiments; i++)
        offer(list, s->experiments[i].id, s->experiments[i].title, s->experiments[i].price);
    return list;
}

/* Which of a story's variants a seed drew is not told: the letter would be a clue. */
static const char *shown_id(const struct cmd *c, const struct variant *v)
{
    const char *typed = c->args[0];
    bool named = strcmp(typed, v->story->id) != 0 && strcmp(typed, v->story->full_id) != 0;
    return named ? v->full_id : v->story->full_id;
}

static int print_offers(const struct cmd *c, const struct variant *v)
{
    json_t *list = offers(v->story), *o;
    size_t i;
    if (!c->json)
        printf("%s  probes and experiments, with their prices in minutes; par %d\n",
               shown_id(c, v), level_par(v->story->level));
    json_array_foreach(list, i, o) if (!c->json)
        printf("  %-20s %2d  %s\n", json_string_value(json_object_get(o, "probe")),
               (int)json_integer_value(json_object_get(o, "price")),
               json_string_value(json_object_get(o, "title")));
    if (c->json)
        cmd_print_json(json_pack("{s:s, s:i, s:O}", "scenario", shown_id(c, v), "par",
                                 level_par(v->story->level), "probes", list));
    json_decref(list);
    return CMD_OK;
}

/* ---- printing ---- */

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
    printf("%14s%s%s", value, *metric_per(m) ? " " : "", metric_per(m));
    if (v->n > 0) {
        show(low, sizeof low, m, v->low);
        show(high, sizeof high, m, v->high);
        printf("   %s .. %s   n %d", low, high, v->n);
    }
    putchar('\n');
}

static void print_step(const struct variant *v, const struct msg_device *device,
                       const struct experiment *x, int step)
{
    char label[96];
    if (!x || step < 0 || step >= x->n_steps)
        return;
    request_step_label(label, sizeof label, v->story, device, x, step);
    printf("%s%s\n", label, request_step_unchanged(v, x, step));
}

/* The time of a whole run of the suspect, which is what a story's rate is of; NULL: the part has
 * none. */
static const struct msg_value *run_time(const struct msg_part *p)
{
    const struct msg_value *v =
        p->probe == PROBE_TIMELINE ? msg_part_value(p, "step_time") : msg_part_time(p);
    return v && v->present && v->value > 0 && !strcmp(p->run, "a") ? v : NULL;
}

/* How many of the rate's unit a run yields, at the size of this step. */
static double yield_of(const struct variant *v, const struct msg_device *device,
                       const struct experiment *x, int step)
{
    return request_step_size(v->story, device, x && step >= 0 && step < x->n_steps ? x : NULL, step)
        .yield;
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
        if (v && v == run_time(p))
            print_rate(s, v, yield);
    }
    for (int i = 0; i < p->n_metrics; i++)
        if (!metric_find(p->metrics[i].name)) /* of a newer runner */
            print_value(&p->metrics[i]);
}

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
    for (int k = 0; k < s->n; k++) {
        quantity_show(time, sizeof time, s->values[k], "s");
        if (k % A_ROW == 0)
            printf("  %-10s", k ? "" : "samples");
        printf(" %8s%s", time, k % A_ROW == A_ROW - 1 || k == s->n - 1 ? "\n" : "");
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

/* Whether the result is right, before the counts that say why. */
static void print_verdict(const struct msg_part *p)
{
    for (int i = 0; i < p->n_notes; i++)
        if (finding_is_verdict(p->notes[i]))
            printf("  %s\n", p->notes[i]);
}

static void print_part(const struct msg_part *p, const struct variant *v, double yield)
{
    print_verdict(p);
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

static void print_kernel(const struct timeline *s, int i)
{
    const struct timeline_row *r = &s->row[i];
    char start[24], took[24], gap[24] = "", bytes[24] = "", rate[24] = "", share[24];
    double time = r->end - r->start;
    quantity_show(start, sizeof start, r->start, "s");
    quantity_show(took, sizeof took, time, "s");
    if (r->gap > 0)
        quantity_show(gap, sizeof gap, r->gap, "s");
    if (r->bytes > 0)
        quantity_show(bytes, sizeof bytes, r->bytes, "B");
    if (r->bytes > 0 && time > 0)
        quantity_show(rate, sizeof rate, r->bytes / time, "B/s");
    quantity_percent(share, sizeof share, s->length > 0 ? time / s->length : 0);
    if (s->n_ranks > 1 && (i == 0 || r[-1].rank != r->rank))
        printf("  GPU %d\n", r->rank);
    printf("  %2d  %-24.24s %6d %11s %11s %11s %11s %11s %6s\n", r->launch + 1, r->label, r->stream,
           start, took, gap, bytes, rate, share);
}

/* What the host does, where it does more than launch. */
static void print_calls(const struct timeline *s)
{
    if (s->n_calls)
        printf("      %-31s %11s %11s\n", "host", "start", "duration");
    for (int i = 0; i < s->n_calls; i++) {
        char start[24], took[24];
        quantity_show(start, sizeof start, s->call[i].start, "s");
        quantity_show(took, sizeof took, s->call[i].end - s->call[i].start, "s");
        if (s->n_ranks > 1 && (i == 0 || s->call[i - 1].rank != s->call[i].rank))
            printf("  GPU %d\n", s->call[i].rank);
        printf("  %2d  %-31.39s %11s %11s\n", i % (s->n_calls / s->n_ranks) + 1, s->call[i].label,
               start, took);
    }
}

/* The series as a table; a part that is no whole timeline is printed as any other. */
static bool print_timeline(const struct variant *v, const struct msg_device *device,
                           const struct evidence *e, const struct msg_part *p)
{
    struct timeline s;
    if (!timeline_make(&s, p, v, device))
        return false;
    char *traced = finding_traced(e, p);
    printf("timeline\n");
    print_values(p, v->story, yield_of(v, device, NULL, -1));
    printf("      %-24s %6s %11s %11s %11s %11s %11s %6s\n", "kernel", "stream", "start",
           "duration", "gap before", "bytes", "rate", "share");
    for (int i = 0; i < s.n; i++)
        print_kernel(&s, i);
    print_calls(&s);
    if (traced)
        printf("  (%s)\n", traced);
    free(traced);
    print_notes(p, v);
    return true;
}

/* What the story of a case shows for nothing. */
static void print_symptoms(const struct story *s)
{
    for (int i = 0; i < s->n_symptoms; i++) {
        struct quantity q = {0};
        char text[32];
        size_constant(s, &s->symptoms[i].value, &q, NULL);
        quantity_show(text, sizeof text, q.value, s->symptoms[i].unit);
        printf("  %-30s %14s\n", s->symptoms[i].label, text);
    }
}

/* A plain copy of as many bytes, as it stands beside the time on the screen. */
static void print_yardstick(const struct variant *v, const struct msg_device *device)
{
    struct msg_measure m = {0};
    double copy = 0;
    char time[32], rate[32], bytes[32];
    if (!device || !msg_device_ceiling(device, "copy", &copy) || copy <= 0 ||
        request_build(&m, v, device, "symptom", 1, NULL) != 0)
        return;
    if (m.base.work.bytes > 0) {
        quantity_show(time, sizeof time, m.base.work.bytes / copy, "s");
        quantity_show(rate, sizeof rate, copy, "B/s");
        quantity_show(bytes, sizeof bytes, m.base.work.bytes, "B");
        printf("plain copy\n  %-30s %14s   worked out: %s at %s\n", "time", time, bytes, rate);
    }
    msg_measure_free(&m);
}

/* In lines of their own; "" when the part says nothing of the comparison. */
static void control_text(char *out, size_t size, const struct msg_part *p)
{
    size_t len = 0;
    out[0] = '\0';
    for (int caught = 1; caught >= 0; caught--) {
        char line[160];
        if (finding_control(line, sizeof line, p, caught) && len < size)
            len += (size_t)snprintf(out + len, size - len, "  (%s)\n", line);
    }
}

static bool controls_agree(const struct evidence *e)
{
    char first[400] = "", text[400];
    for (int i = 0; i < e->n_parts; i++) {
        if (!finding_is_control(&e->parts[i]))
            continue;
        control_text(text, sizeof text, &e->parts[i]);
        if (first[0] && strcmp(first, text) != 0)
            return false;
        memcpy(first, text, sizeof first);
    }
    return true;
}

/* Behind all that was measured of the suspect: would the comparison have found wrong results? Once,
 * where it is the same at each step. */
static void print_controls(const struct variant *v, const struct msg_device *device,
                           const struct experiment *x, const struct evidence *e)
{
    bool agree = controls_agree(e);
    char text[400] = "";
    for (int i = 0; i < e->n_parts; i++) {
        if (!finding_is_control(&e->parts[i]) || (agree && text[0]))
            continue;
        if (!agree)
            print_step(v, device, x, e->parts[i].variant);
        control_text(text, sizeof text, &e->parts[i]);
        printf("%s", text);
    }
}

/* Of a suspect that fails everybody is told that it does; how is for sale. */
static void leave_failure(struct msg_part *p)
{
    for (int m = 0; m < p->n_metrics; m++)
        free(p->metrics[m].missing);
    for (int n = 0; n < p->n_notes; n++)
        free(p->notes[n]);
    for (int n = 0; n < p->n_lines; n++)
        free(p->lines[n]);
    p->n_metrics = p->n_notes = p->n_lines = 0;
}

/* The symptom is what a user would report: the time, or how many times as fast, without how and how often it was taken. */
static void leave_report(struct evidence *e)
{
    for (int i = 0; i < e->n_parts; i++) {
        struct msg_part *p = &e->parts[i];
        if (p->probe == PROBE_OUTCOME)
            leave_failure(p);
        const struct msg_value *times = msg_part_value(p, "speed_up"),
                               *told = times ? times : msg_part_time(p);
        if (!told || !told->present)
            continue;
        struct msg_value kept = *told;
        for (int m = 0; m < p->n_metrics; m++)
            free(p->metrics[m].missing);
        kept.n = 0;
        kept.low = kept.high = kept.value;
        p->metrics[0] = kept;
        p->n_metrics = 1;
        for (int n = 0; n < p->n_notes; n++)
            free(p->notes[n]);
        for (int n = 0; n < p->n_series; n++)
            free(p->series[n].values);
        p->n_notes = p->n_series = 0;
    }
}

/* "launch 3, all_reduce: ncclDevKernel_AllReduce_Sum_f32_RING_LL" tells of which type the numbers
 * are. Rows have labels in the place of names, and what is launched is told with the source. */
static void leave_names(struct evidence *e)
{
    for (int i = 0; i < e->n_parts; i++) {
        struct msg_part *p = &e->parts[i];
        int kept = 0;
        for (int n = 0; n < p->n_notes; n++)
            if (p->probe == PROBE_TIMELINE && strstr(p->notes[n], ": nccl"))
                free(p->notes[n]);
            else
                p->notes[kept++] = p->notes[n];
        p->n_notes = kept;
    }
}

/* What the benchmark of a harness printed. Its steps are of the source. */
static void say_printed(char *out, size_t size, const struct variant *v,
                        const struct supply *supply, const struct evidence *e)
{
    *out = '\0';
    if (e->n_parts)
        program_printed(out, size, v, "a", supply ? supply_device(supply) : NULL, &e->parts[0]);
}

static bool is_claim(const struct variant *v, const struct evidence *e)
{
    return !strcmp(e->probe, "symptom") && story_is_harness(v->story);
}

/* supply NULL: of no GPU, as the source is. */
static void print_evidence(const struct cmd *c, const struct variant *v,
                           const struct supply *supply, const struct evidence *e)
{
    const char *date = supply ? supply_recorded_on(supply) : "";
    const struct msg_device *device = supply ? supply_device(supply) : NULL;
    const struct experiment *x = story_experiment(v->story, e->probe);
    char printed[64];
    printf("%s  %s  %s  %s%s%s  price %d min\n", shown_id(c, v), e->probe, e->tier, e->gpu,
           *date ? "  " : "", date, story_price(v->story, e->probe));
    if (!strcmp(e->probe, "symptom"))
        print_symptoms(v->story);
    if (is_claim(v, e)) {
        say_printed(printed, sizeof printed, v, supply, e);
        printf("it prints %s\n", *printed ? printed : "nothing");
        return;
    }
    for (int i = 0; i < e->n_parts; i++) {
        if (finding_is_control(&e->parts[i]))
            continue;
        print_step(v, device, x, e->parts[i].variant);
        if (e->parts[i].probe == PROBE_OUTCOME && !e->parts[i].n_metrics)
            printf("  no result\n");
        if (x && x->exhibit)
            exhibit_print(x, &e->parts[i]);
        else if (!print_timeline(v, device, e, &e->parts[i]))
            print_part(&e->parts[i], v, yield_of(v, device, x, e->parts[i].variant));
    }
    print_controls(v, device, x, e);
    bool yardstick = !strcmp(e->probe, "timing") ||
                     (!strcmp(e->probe, "symptom") && v->story->level == 0);
    if (yardstick)
        print_yardstick(v, device);
}

/* {"unit": "tokens/s", "value": 4246, "low": 4239, "high": 4268} in each part that has the time of
 * a run. */
static void add_rates(json_t *parts, const struct variant *v, const struct msg_device *device,
                      const struct evidence *e)
{
    const struct experiment *x = story_experiment(v->story, e->probe);
    for (int i = 0; i < e->n_parts; i++) {
        const struct msg_value *time = run_time(&e->parts[i]);
        double yield = yield_of(v, device, x, e->parts[i].variant);
        if (!time || !v->story->rate.unit || yield <= 0)
            continue;
        char *unit = text_format("%s/s", v->story->rate.unit);
        json_t *rate = json_pack("{s:s, s:f}", "unit", unit, "value", yield / time->value);
        if (time->n > 0 && time->low > 0)
            json_object_update_new(rate, json_pack("{s:f, s:f}", "low", yield / time->high, "high",
                                                   yield / time->low));
        json_object_set_new(json_array_get(parts, (size_t)i), "rate", rate);
        free(unit);
    }
}

/* In the words of the screen: a recording names a launch by its kernel, rows by its label. */
static void add_notes(json_t *parts, const struct variant *v, const struct evidence *e)
{
    for (int i = 0; i < e->n_parts; i++) {
        json_t *notes = json_object_get(json_array_get(parts, (size_t)i), "notes");
        for (size_t n = 0; n < json_array_size(notes); n++) {
            char *note = finding_note(&e->parts[i], (int)n, v);
            json_array_set_new(notes, n, json_string(note));
            free(note);
        }
    }
}

static json_t *evidence_json(const struct cmd *c, const struct variant *v,
                             const struct supply *supply, const struct evidence *e)
{
    json_t *obj = evidence_encode(e);
    char printed[64];
    add_rates(json_object_get(obj, "parts"), v, supply ? supply_device(supply) : NULL, e);
    add_notes(json_object_get(obj, "parts"), v, e);
    json_object_set_new(obj, "scenario", json_string(shown_id(c, v)));
    json_object_set_new(obj, "price", json_integer(story_price(v->story, e->probe)));
    if (is_claim(v, e)) {
        say_printed(printed, sizeof printed, v, supply, e);
        json_object_set_new(obj, "prints", *printed ? json_string(printed) : json_null());
        json_object_set_new(obj, "parts", json_array()); /* the time would tell a rate's making */
    }
    if (supply && *supply_recorded_on(supply))
        json_object_set_new(obj, "recorded", json_string(supply_recorded_on(supply)));
    return obj;
}

static int print_questions(const struct cmd *c, const struct story *s)
{
    json_t *list = json_array();
    for (int i = 0; i < s->n_questions; i++)
        json_array_append_new(list, json_pack("{s:s, s:s}", "ask", s->questions[i].ask, "answer",
                                              s->questions[i].answer));
    for (int i = 0; !c->json && i < s->n_questions; i++)
        printf("%s\n    %s\n", s->questions[i].ask, s->questions[i].answer);
    if (c->json)
        cmd_print_json(json_pack("{s:s, s:s, s:O}", "scenario", s->full_id, "probe", "ask",
                                 "questions", list));
    json_decref(list);
    return CMD_OK;
}

/* ---- getting it ---- */

struct listening { struct supply *supply; char last[400]; };

static void on_event(void *ctx, const struct client_event *e)
{
    struct listening *l = ctx;
    supply_event(l->supply, e);
    if ((e->kind == CLIENT_PROGRESS || e->kind == CLIENT_STATE) && *e->say &&
        e->queued_s % 60 == 0 && strcmp(l->last, e->say)) {
        fprintf(stderr, "%s\n", e->say);
        snprintf(l->last, sizeof l->last, "%s", e->say);
    }
}

static int ask(struct evidence **out, struct supply *s, struct client *client, const char *probe,
               struct err *err)
{
    struct listening l = {.supply = s};
    const char *missing = strcmp(probe, "symptom") ? supply_missing(s, probe) : NULL;
    if (missing && client)
        return err_set(err, ERR_UNSUPPORTED, "%s: %s", probe, missing);
    int rc = supply_ask(s, probe, err);
    while (rc == 0 && supply_poll(s) == SUPPLY_WORKING)
        rc = client_wait_any(client, on_event, &l, err);
    if (rc == 0 && supply_poll(s) == SUPPLY_FAILED)
        rc = err_set(err, ERR_INTERNAL, "%s", supply_say(s, NULL, NULL));
    if (rc == 0)
        *out = supply_take(s);
    return rc;
}

static void print_it(const struct cmd *c, const struct variant *v, const struct supply *s,
                     struct evidence *e)
{
    if (!strcmp(e->probe, "symptom"))
        leave_report(e);
    leave_names(e);
    if (c->json)
        cmd_print_json(evidence_json(c, v, s, e));
    else
        print_evidence(c, v, s, e);
    evidence_free(e);
}

static int probe_with(const struct cmd *c, const struct variant *v, struct supply *s,
                      struct client *client)
{
    struct err err = {0};
    struct evidence *e = NULL;
    if (ask(&e, s, client, c->args[1], &err))
        return cmd_fail(&err);
    print_it(c, v, s, e);
    return CMD_OK;
}

static int probe_recorded(const struct cmd *c, const struct variant *v)
{
    struct err err = {0};
    struct supply *s = NULL;
    int rc = supply_recorded(&s, v, c->gpu, &err);
    if (rc == ERR_MISSING && !c->gpu && !strcmp(c->args[1], "source")) {
        print_it(c, v, NULL,
                 request_source(v, NULL)); /* it lies in the pack, whatever was recorded */
        return CMD_OK;
    }
    if (rc)
        return cmd_fail(&err);
    int status = probe_with(c, v, s, NULL);
    supply_free(s);
    return status;
}

static int probe_live(const struct cmd *c, const struct variant *v)
{
    struct err err = {0};
    struct client *client = NULL;
    struct msg_device device;
    struct supply *s = NULL;
    if (cmd_connect(&client, &device, c, "cached", &err))
        return cmd_fail(&err);
    int status = supply_live(&s, v, client, &device, c->seed, &err) ? cmd_fail(&err)
                                                                    : probe_with(c, v, s, client);
    supply_free(s);
    client_free(client);
    msg_device_free(&device);
    return status;
}

int cmd_probe(const struct cmd *c)
{
    struct catalog *catalog = NULL;
    const struct variant *v = NULL;
    struct pack *opened = NULL;
    bool live = c->tier && !strcmp(c->tier, "live");
    if (c->tier && !live && strcmp(c->tier, "recorded"))
        return cmd_misuse("--tier is recorded or live, not '%s'", c->tier);
    if (live && c->gpu)
        return cmd_misuse("--gpu names a recording; live evidence comes from the runner's GPU");
    int status = cmd_catalog(&catalog, c);
    if (status == CMD_OK)
        status = cmd_variant(&v, catalog, c, c->args[0]);
    if (status == CMD_OK && c->n_args < 2) {
        status = print_offers(c, v);
        catalog_free(catalog);
        return status;
    }
    if (status == CMD_OK)
        status = check_name(v->story, c->args[1]);
    if (status == CMD_OK && live && story_is_case(v->story))
        status = cmd_misuse("%s is a case: its evidence lies in the pack, and nothing of it runs",
                            v->full_id);
    if (status == CMD_OK && live && strcmp(c->args[1], "ask"))
        status = cmd_trust(c, v->story->pack);
    if (status == CMD_OK)
        status = cmd_open_variant(&v, &opened, c, false);
    if (status == CMD_OK && !strcmp(c->args[1], "ask"))
        status = print_questions(c, v->story);
    else if (status == CMD_OK)
        status = live ? probe_live(c, v) : probe_recorded(c, v);
    pack_free(opened);
    catalog_free(catalog);
    return status;
}
