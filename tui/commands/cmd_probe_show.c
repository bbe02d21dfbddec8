/* All parts of evidence as text or as an object, and what the symptom keeps to itself. */
#include "tui/commands/cmd_probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/finding.h"
#include "scenarios/evidence/program.h"
#include "scenarios/evidence/request.h"
#include "scenarios/pack/harness.h"
#include "tui/play/exhibit_pane.h"

const char *probe_shown_id(const struct cmd *c, const struct variant *v)
{
    const char *typed = c->args[0];
    bool named = strcmp(typed, v->story->id) != 0 && strcmp(typed, v->story->full_id) != 0;
    return named ? v->full_id : v->story->full_id;
}

/* ---- what the symptom leaves out ---- */

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

/* The symptom is what a user would report: the time, or how many times as fast, without how and how
 * often it was taken. */
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

static bool is_unchanged(const struct variant *v, const struct evidence *e)
{
    const struct experiment *x = story_experiment(v->story, e->probe);
    return x && variant_has_setting(v, x);
}

/* Of what is free in a harness, or a look alone, the number that it prints is told, and no more. */
static bool is_claim(const struct variant *v, const struct evidence *e)
{
    return is_unchanged(v, e) || (!strcmp(e->probe, "symptom") && story_is_harness(v->story));
}

/* ---- text ---- */

static void print_step(const struct variant *v, const struct msg_device *device,
                       const struct experiment *x, int step)
{
    char label[96];
    if (!x || step < 0 || step >= x->n_steps)
        return;
    request_step_label(label, sizeof label, v->story, device, x, step);
    printf("%s%s\n", label, request_step_unchanged(v, x, step));
}

/* How many of the rate's unit a run yields, at the size of this step. */
static double yield_of(const struct variant *v, const struct msg_device *device,
                       const struct experiment *x, int step)
{
    return request_step_size(v->story, device, x && step >= 0 && step < x->n_steps ? x : NULL, step)
        .yield;
}

/* What the story of a case shows for nothing. */
static void print_symptoms(const struct story *s)
{
    for (int i = 0; i < s->n_symptoms; i++) {
        struct quantity q = {0};
        char text[32];
        size_constant(s, &s->symptoms[i].value, &q, NULL);
        quantity_show(text, sizeof text, q.value, s->symptoms[i].unit);
        printf("  %-30s ", s->symptoms[i].label);
        probe_print_right(text, 14);
        putchar('\n');
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
        printf("plain copy\n  %-30s ", "time");
        probe_print_right(time, 14);
        printf("   worked out: %s at %s\n", bytes, rate);
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

static void print_unchanged(const struct variant *v, const struct experiment *x)
{
    char why[160] = "";
    if (x)
        program_unchanged(why, sizeof why, v, x);
    if (*why)
        printf("%s\n", why);
}

/* supply NULL: of no GPU, as the source is. */
static void print_evidence(const struct cmd *c, const struct variant *v,
                           const struct supply *supply, const struct evidence *e)
{
    const char *date = supply ? supply_recorded_on(supply) : "";
    const struct msg_device *device = supply ? supply_device(supply) : NULL;
    const struct experiment *x = story_experiment(v->story, e->probe);
    char printed[64];
    printf("%s  %s  %s  %s%s%s  price %d min\n", probe_shown_id(c, v), e->probe, e->tier, e->gpu,
           *date ? "  " : "", date, variant_price(v, e->probe));
    print_unchanged(v, x);
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
        else if (!probe_print_timeline(e, &e->parts[i], v, device, yield_of(v, device, NULL, -1)))
            probe_print_part(&e->parts[i], v, yield_of(v, device, x, e->parts[i].variant));
    }
    print_controls(v, device, x, e);
    bool yardstick = !strcmp(e->probe, "timing") ||
                     (!strcmp(e->probe, "symptom") && v->story->level == 0);
    if (yardstick)
        print_yardstick(v, device);
}

/* ---- an object ---- */

/* {"unit": "tokens/s", "value": 4246, "low": 4239, "high": 4268} in each part that has the time of
 * a run. */
static void add_rates(json_t *parts, const struct variant *v, const struct msg_device *device,
                      const struct evidence *e)
{
    const struct experiment *x = story_experiment(v->story, e->probe);
    for (int i = 0; i < e->n_parts; i++) {
        const struct msg_value *time = probe_run_time(&e->parts[i]);
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
    json_object_set_new(obj, "scenario", json_string(probe_shown_id(c, v)));
    json_object_set_new(obj, "price", json_integer(variant_price(v, e->probe)));
    if (is_unchanged(v, e))
        json_object_set_new(obj, "unchanged", json_true());
    if (is_claim(v, e)) {
        say_printed(printed, sizeof printed, v, supply, e);
        json_object_set_new(obj, "prints", *printed ? json_string(printed) : json_null());
        json_object_set_new(obj, "parts", json_array()); /* the time would tell a rate's making */
    }
    if (supply && *supply_recorded_on(supply))
        json_object_set_new(obj, "recorded", json_string(supply_recorded_on(supply)));
    return obj;
}

void probe_show(const struct cmd *c, const struct variant *v, const struct supply *s,
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
