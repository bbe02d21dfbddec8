/* What the fake runner answers by line and by launch: samples, machine code, timelines. */
#include "tests/fakes/runner_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Samples and instructions of every statement, a line with a semicolon or, where a text has none,
 * an assignment: n of them on line n, most of them waiting for memory. */
void send_lines(const struct msg_measure *m, int item, const char *run)
{
    enum { MOST = 64 };
    const struct msg_item *it = &m->items[item];
    const struct msg_run *r = msg_run_find(msg_shape_of(m, it->variant), run);
    double line[MOST], waiting[MOST], all = 0;
    char *listing[MOST], *note = (char *)"listing: SASS";
    const char *text = msg_source_find(m, msg_run_first(r)->source)->text;
    char statement = strchr(text, ';') ? ';' : '=';
    int n = 0, number = 1;
    for (const char *at = text; *at && n < MOST; number++) {
        size_t len = strcspn(at, "\n");
        if (memchr(at, statement, len)) {
            listing[n] = text_format("%04x       IADD3 R%d, R%d, 0x1, RZ", 16 * n, n, n);
            waiting[n] = number / 2;
            line[n++] = number;
            all += number;
        }
        at += len + (at[len] == '\n');
    }
    bool sass = it->probe == PROBE_SASS;
    struct msg_value values[] = {statistic(sass ? "machine_instructions" : "samples",
                                           sass ? n : all, false),
                                 statistic("top_line", line[n - 1], false),
                                 statistic("top_line_share", line[n - 1] / all, false)};
    struct msg_series series[] = {{"line", line, n},
                                  {"samples", line, n},
                                  {"stall_long_scoreboard", waiting, n}};
    struct msg_part p = part_of(m, item, run);
    p.metrics = values;
    p.n_metrics = sass ? 1 : 3;
    p.series = series;
    p.n_series = sass ? 1 : 3;
    p.lines = listing;
    p.n_lines = sass ? n : 0;
    p.notes = &note;
    p.n_notes = sass;
    send_message(msg_part_encode(&p));
    for (int i = 0; i < n; i++)
        free(listing[i]);
}

/* ---- timelines ---- */

/* Each step of the host takes 2 us, the wait behind them 5; the names follow those of the kernels.
 * How many rows there are; 0: the host only launches. */
static int add_host_rows(const struct msg_run *r, double rows[3][CAP_STEPS + 1], char **names)
{
    int n = r->n_steps ? r->n_steps + 1 : 0;
    for (int i = 0; i < n; i++) {
        rows[0][i] = i;
        rows[1][i] = i * 2e-6;
        rows[2][i] = rows[1][i] + (i + 1 < n ? 2e-6 : 5e-6);
        names[i] = (char *)step_name(i + 1 < n ? r->steps[i].kind : HOST_SYNC);
    }
    return n;
}

/* Of each rank the launches that it does; launch i takes i + 1 us, one after the other, and the
 * second rank begins a microsecond later. */
static void send_timeline_of_ranks(const struct msg_measure *m, int item, const char *run)
{
    enum { ROWS = 2 * CAP_LAUNCHES };
    const struct msg_item *it = &m->items[item];
    const struct msg_run *r = msg_run_find(msg_shape_of(m, it->variant), run);
    double rows[5][ROWS];
    char *names[ROWS], *note = (char *)"by CUPTI";
    int n = 0;
    for (int rank = 0; rank < 2; rank++) {
        double at = rank * 1e-6;
        for (int i = 0; i < r->n_launches; i++) {
            const struct msg_launch *l = &r->launches[i];
            if (l->only && l->only - 1 != rank)
                continue;
            double row[5] = {i, l->stream, at, at + (i + 1) * 1e-6, rank};
            for (int k = 0; k < 5; k++)
                rows[k][n] = row[k];
            names[n++] = r->launches[i].kernel;
            at = row[3];
        }
    }
    struct msg_value values[] = {
        statistic("step_time", rows[3][n - 1], false),
        statistic("busy_time", rows[3][n - 1], false),
        statistic("gap_time", 0, false),               statistic("longest_kernel", 1, false),
        statistic("longest_share", 0.5, false),        statistic("api_time", 1e-6, false),
        statistic("longest_gap", 1e-6, false),         statistic("comm_time", 3e-6, false),
        statistic("exposed_time", 2e-6, false),        statistic("comm_skew", 1e-6, false)};
    struct msg_series series[] = {{"kernel", rows[0], n}, {"stream", rows[1], n},
                                  {"start", rows[2], n},  {"end", rows[3], n},
                                  {"rank", rows[4], n}};
    struct msg_part p = part_of(m, item, run);
    p.metrics = values;
    p.n_metrics = sizeof values / sizeof *values;
    p.series = series;
    p.n_series = 5;
    p.lines = names;
    p.n_lines = n;
    p.notes = &note;
    send_message(msg_part_encode(&p));
}

/* Kernel i takes i + 1 us, one after the other. */
void send_timeline(const struct msg_measure *m, int item, const char *run)
{
    if (m->ranks > 1) {
        send_timeline_of_ranks(m, item, run);
        return;
    }
    const struct msg_item *it = &m->items[item];
    const struct msg_run *r = msg_run_find(msg_shape_of(m, it->variant), run);
    double kernel[CAP_LAUNCHES], stream[CAP_LAUNCHES], start[CAP_LAUNCHES], end[CAP_LAUNCHES],
        at = 0;
    char *names[CAP_LAUNCHES + CAP_STEPS + 1], *note = (char *)"by CUPTI";
    double host[3][CAP_STEPS + 1];
    int n = r->n_launches;
    for (int i = 0; i < n; i++) {
        kernel[i] = i;
        stream[i] = r->launches[i].stream;
        start[i] = at;
        end[i] = at += (i + 1) * 1e-6;
        names[i] = r->launches[i].kernel;
    }
    int n_host = add_host_rows(r, host, &names[n]);
    struct msg_value values[] = {statistic("step_time", at, false),
                                 statistic("busy_time", at, false), statistic("gap_time", 0, false),
                                 statistic("longest_kernel", n, false),
                                 statistic("longest_share", n * 1e-6 / at, false),
                                 statistic("api_time", n_host * 2e-6, false),
                                 statistic("longest_gap", 1e-6, false)};
    struct msg_series series[] = {{"kernel", kernel, n},         {"stream", stream, n},
                                  {"start", start, n},           {"end", end, n},
                                  {"host", host[0], n_host},     {"host_start", host[1], n_host},
                                  {"host_end", host[2], n_host}};
    struct msg_part p = part_of(m, item, run);
    p.metrics = values;
    p.n_metrics = n_host ? 7 : 5;
    p.series = series;
    p.n_series = n_host ? 7 : 4;
    p.lines = names;
    p.n_lines = n + n_host;
    p.notes = &note;
    send_message(msg_part_encode(&p));
}
