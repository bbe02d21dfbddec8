#include "scenarios/evidence/program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/formula/quantity.h"
#include "scenarios/pack/names.h"
#include "scenarios/pack/harness.h"

/* ---- a step in words ---- */

enum field { /* as in struct msg_benchmark */
    FIELD_INPUTS,
    FIELD_LOAD,
    FIELD_WARM_UP,
    FIELD_IDLE,
    FIELD_REPEAT,
    FIELD_FLUSH,
    FIELD_CLOCK,
    FIELD_STREAM,
    FIELD_LAUNCHES,
    FIELD_SYNCHRONISE,
    FIELD_REDUCE,
};

/* Of a step with choices, in their order. */
static const char *const said[BENCHMARK_FIELDS][4] = {
    [FIELD_INPUTS] = {"as declared", "zeros", "one value everywhere"},
    [FIELD_LOAD] = {"the module, before anything runs", "the module, in the first run"},
    [FIELD_FLUSH] = {"L2, before each sample", "nothing", "L2, in each sample"},
    [FIELD_CLOCK] = {"events around each sample", "the host's clock around each sample"},
    [FIELD_STREAM] = {"the default one", "one of its own; the clock is on the default one"},
    [FIELD_SYNCHRONISE] = {"before the clock stops", "after all samples"},
    [FIELD_REDUCE] = {"the median", "the mean", "the least", "the greatest"},
};

static const char *plural(int n)
{
    return n == 1 ? "" : "s";
}

static void say_number(char *out, size_t size, int field, int n)
{
    switch (field) {
    case FIELD_WARM_UP: snprintf(out, size, "%d run%s", n, plural(n)); break;
    case FIELD_REPEAT: snprintf(out, size, "%d sample%s", n, plural(n)); break;
    case FIELD_LAUNCHES: snprintf(out, size, "%d run%s in a sample", n, plural(n)); break;
    case FIELD_IDLE:
        if (n)
            snprintf(out, size, "%g ms before each sample", n / 1000.0);
        else
            snprintf(out, size, "not at all");
        break;
    default: snprintf(out, size, "%d", n);
    }
}

static void say_setting(char *out, size_t size, int field, int setting)
{
    const char *words = msg_benchmark_field(field).choices ? said[field][setting] : NULL;
    if (words)
        snprintf(out, size, "%s", words);
    else
        say_number(out, size, field, setting);
}

/* "warm up", of the name warm_up. */
static void say_name(char *out, size_t size, int field)
{
    snprintf(out, size, "%s", msg_benchmark_field(field).name);
    for (char *at = out; (at = strchr(at, '_')); at++)
        *at = ' ';
}

void program_step(char *out, size_t size, int field, int setting)
{
    char name[24], words[64];
    say_name(name, sizeof name, field);
    say_setting(words, sizeof words, field, setting);
    snprintf(out, size, "%s: %s", name, words);
}

void program_unchanged(char *out, size_t size, const struct variant *v,
                       const struct experiment *x)
{
    char step[96];
    *out = '\0';
    if (!variant_has_setting(v, x))
        return;
    program_step(step, sizeof step, x->field, x->setting);
    snprintf(out, size, "changes nothing: it is so already (%s); the minute is for the look", step);
}

/* ---- what is printed ---- */

static bool per_run_of(const struct variant *v, const struct benchmark *b,
                       const struct msg_device *device, double *out)
{
    int64_t *values = mem_new((size_t)v->story->n_params, sizeof *values);
    struct quantity q;
    bool known = device && size_params(v->story, device, -1, 0, values, NULL) == 0 &&
                 size_value(v->story, device, values, &b->per_run, &q, NULL) == 0;
    free(values);
    *out = known ? q.value : 0;
    return known;
}

void program_printed(char *out, size_t size, const struct variant *v, const char *run,
                     const struct msg_device *device, const struct msg_part *part)
{
    const struct benchmark *b = variant_benchmark(v, run);
    const struct msg_value *time = msg_part_time(part), *times = msg_part_value(part, "speed_up");
    double seconds = time && time->present ? time->value : 0;
    struct dim dim;
    double per_run, factor;
    char number[32];
    *out = '\0';
    if (b->baseline_file) {
        if (times && times->present)
            snprintf(out, size, "%.3g x faster", times->value);
        return;
    }
    if (!b->unit) {
        quantity_show(out, size, seconds, "s");
        return;
    }
    if (seconds <= 0 || !per_run_of(v, b, device, &per_run))
        return;
    if (!unit_parse(b->unit, strlen(b->unit), &dim, &factor))
        factor = 1;
    quantity_show(number, sizeof number, per_run / seconds / factor, "1");
    snprintf(out, size, "%s %s", number, b->unit);
}

/* Its kernels, and what it has otherwise than the one that is compared with it. */
static void put_baseline(FILE *f, const struct benchmark *b)
{
    char step[96];
    fprintf(f, "%-12s ", "baseline");
    for (int i = 0; i < b->baseline.n_launches; i++)
        fprintf(f, "%s%s", i ? ", " : "", b->baseline.launches[i].kernel);
    for (int i = 0; i < BENCHMARK_FIELDS; i++) {
        int setting = msg_benchmark_get(&b->care, i);
        if (setting == msg_benchmark_get(&b->program, i))
            continue;
        program_step(step, sizeof step, i, setting);
        fprintf(f, "; %s", step);
    }
    fprintf(f, "\n");
}

static void put_report(FILE *f, const struct variant *v, const struct benchmark *b,
                       const struct msg_device *device)
{
    double per_run;
    if (b->baseline_file)
        fprintf(f, "%-12s the baseline's time over that of a run\n", "report");
    else if (!b->unit)
        fprintf(f, "%-12s the time of a run\n", "report");
    else if (per_run_of(v, b, device, &per_run))
        fprintf(f, "%-12s %s, with %s = %.0f a run\n", "report", b->unit,
                formula_text(b->per_run.f), per_run);
    else
        fprintf(f, "%-12s %s, with %s a run\n", "report", b->unit, formula_text(b->per_run.f));
}

char *program_text(const struct variant *v, const char *run, const struct msg_device *device)
{
    const struct benchmark *b = variant_benchmark(v, run);
    char *text = NULL, name[24], words[64];
    size_t size;
    if (!b)
        return NULL;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        abort();
    for (int i = 0; i < BENCHMARK_FIELDS; i++) {
        say_name(name, sizeof name, i);
        say_setting(words, sizeof words, i, msg_benchmark_get(&b->program, i));
        fprintf(f, "%-12s %s\n", name, words);
    }
    put_report(f, v, b, device);
    if (b->baseline_file)
        put_baseline(f, b);
    fclose(f);
    return text;
}
