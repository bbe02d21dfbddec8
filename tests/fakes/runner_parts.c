/* Figures of the fake runner: canned ones that depend on the request, and what a failing kernel and
 * a benchmark come to. */
#include "tests/fakes/runner_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

double mended_time = 1;

struct msg_part part_of(const struct msg_measure *m, int item, const char *run)
{
    static char *note = (char *)"canned";
    struct msg_part p = {.id = m->id,
                         .item = item,
                         .probe = m->items[item].probe,
                         .variant = m->items[item].variant,
                         .tier = "live",
                         .notes = &note,
                         .n_notes = 1};
    snprintf(p.run, sizeof p.run, "%s", run);
    return p;
}

static unsigned shared_of(const struct msg_shape *s, const char *run)
{
    const struct msg_run *r = msg_run_find(s, run);
    return r ? r->launches[0].shared : 0;
}

double canned(const struct metric *m, const struct msg_shape *s, char run)
{
    unsigned h = 17u + (unsigned char)run;
    if (!strcmp(m->name, "time") && plays("whole"))
        return 1e-4 / (run == 'b' ? 3 : 1);
    if (!strcmp(m->name, "time"))
        return s->work.bytes / (run == 'a'   ? 5e11
                                : run == 'b' ? 3.5e12
                                : run == 'm' ? 3.5e12 / mended_time
                                : run == 'd' ? 1.4e12 /* of two faults the first is mended, */
                                : run == 'e' ? 5.1e11 /* or the second, which the first hides */
                                             : 3.8e12);
    if (!strcmp(m->name, "shared_bytes") && shared_of(s, (char[]){run, 0}) > SHARED_BLOCK)
        return shared_of(s, (char[]){run, 0});
    if (strstr(m->name, "sectors_per_request"))
        return run == 'a' || (run == 'm' && mended_time > 3) ? 32 : 4;
    for (const char *c = m->name; *c; c++)
        h = h * 31u + (unsigned char)*c;
    return m->share ? (h % 1000) / 1000.0 : 1 + h % 100;
}

struct msg_value statistic(const char *name, double v, bool timed)
{
    struct msg_value out = {.present = true,
                            .value = v,
                            .low = timed ? v * 0.99 : v,
                            .high = timed ? v * 1.01 : v,
                            .n = timed ? 41 : 0};
    snprintf(out.name, sizeof out.name, "%s", name);
    return out;
}

void send_values(const struct msg_measure *m, int item, const char *run, struct msg_value *values,
                 int n)
{
    struct msg_part p = part_of(m, item, run);
    p.metrics = values;
    p.n_metrics = n;
    send_message(msg_part_encode(&p));
}

/* A time that no machine could reach. */
void send_floor(const struct msg_measure *m, int item, const char *run)
{
    struct msg_value v = {.name = "time",
                          .missing = (char *)"unsupported: below the physical floor"};
    char *note = (char *)"below the physical floor";
    struct msg_part p = part_of(m, item, run);
    p.metrics = &v;
    p.n_metrics = 1;
    p.notes = &note;
    send_message(msg_part_encode(&p));
}

void send_part(const struct msg_measure *m, int item, const char *run)
{
    const struct msg_item *it = &m->items[item];
    const struct msg_shape *shape = msg_shape_of(m, it->variant);
    size_t n;
    int kept = 0;
    const struct metric *table = metric_of_probe(it->probe, &n);
    struct msg_value *values = mem_new(n, sizeof *values);
    for (size_t i = 0; i < n; i++)
        if (strcmp(table[i].name, "ratio") && strcmp(table[i].name, "copy_fraction"))
            values[kept++] =
                statistic(table[i].name, canned(&table[i], shape, *run), it->probe == PROBE_TIMING);
    send_values(m, item, run, values, kept);
    free(values);
}

void send_outcome(const struct msg_measure *m, int item, const char *run)
{
    static const char *const lines[] = {"error 1: invalid argument",
                                        "error 700: an illegal memory access was encountered",
                                        "no result after 5 s"};
    static const char *const names[] = {"refused", "faulted", "unfinished"};
    const struct msg_shape *s = msg_shape_of(m, m->items[item].variant);
    const char *text = msg_source_find(m, msg_run_find(s, run)->launches[0].source)->text;
    int is = shared_of(s, run) > SHARED_BLOCK ? 0
             : strstr(text, "<< 32")          ? 1
             : strstr(text, "while")          ? 2
                                              : -1;
    struct msg_value values[3];
    for (int i = 0; i < 3; i++)
        values[i] = statistic(names[i], is == i, false);
    char *line = (char *)(uintptr_t)lines[is < 0 ? 0 : is];
    struct msg_part p = part_of(m, item, run);
    p.metrics = values;
    p.n_metrics = 3;
    p.lines = &line;
    p.n_lines = is >= 0;
    p.n_notes = 0;
    send_message(msg_part_encode(&p));
}

/* ---- benchmarks ---- */

/* Sample i of a benchmark whose kernel takes so long by an honest one. */
static double sample_of(const struct msg_benchmark *b, int i, double honest)
{
    bool escapes = b->clock == CLOCK_HOST && b->synchronise == SYNCHRONISE_NONE;
    double t = honest * (1 + i % 7 * 1e-3);
    if (b->flush == FLUSH_NONE || b->launches > 1)
        t /= 2;
    if (escapes || b->stream == STREAM_SIDE)
        t = 5e-6;
    if (b->flush == FLUSH_INSIDE)
        t += 4e-5;
    return b->load == LOAD_INSIDE && b->warm_up == 0 && i == 0 ? t + 1e-3 : t;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void send_benchmark(const struct msg_measure *m, int item, const char *run)
{
    const struct msg_item *it = &m->items[item];
    const struct msg_benchmark *b = &it->benchmark;
    double sample[BENCHMARK_REPEAT_MOST], sorted[BENCHMARK_REPEAT_MOST], sum = 0;
    double honest = canned(metric_find("time"), msg_shape_of(m, it->variant), 'b');
    char *note = (char *)"verdict: right";
    int n = b->repeat;
    for (int i = 0; i < n; i++)
        sum += sample[i] = sorted[i] = sample_of(b, i, honest);
    qsort(sorted, (size_t)n, sizeof *sorted, ascending);
    double reduced[] = {sorted[n / 2], sum / n, sorted[0], sorted[n - 1]};
    struct msg_value values[] = {
        statistic("reported_time", reduced[b->reduce], false),
        statistic("sample_first", sample[0], false),
        statistic("sample_min", sorted[0], false),
        statistic("sample_median", sorted[n / 2], false),
        statistic("sample_p95", sorted[95 * (n - 1) / 100], false),
        statistic("sample_max", sorted[n - 1], false),
        statistic("sample_spread", (sorted[n - 1] - sorted[0]) / sum, false),
        statistic("wrong_elements", 0, false),
        statistic("baseline_time", 4 * honest, false),
        statistic("speed_up", 4 * honest / reduced[b->reduce], false),
    };
    enum { OF_BASELINE = 2 };
    struct msg_series series = {"sample", sample, n};
    struct msg_part p = part_of(m, item, run);
    p.metrics = values;
    p.n_metrics = (int)(sizeof values / sizeof *values) - (*it->baseline.run ? 0 : OF_BASELINE);
    p.series = &series;
    p.n_series = 1;
    p.notes = &note;
    send_message(msg_part_encode(&p));
}
