/* The one table of what can be measured: our name, its unit, its label, the probe that brings it,
 * and the hardware counter expression per chip family. Pack reader, screens and runner read it. */
#ifndef WD_WIRE_METRIC_H
#define WD_WIRE_METRIC_H

#include <stdbool.h>
#include <stddef.h>

/* Probes that the runner can be asked for, in the order of the shop. `source`, and questions, are
 * answered by the client itself. */
enum wire_probe {
    PROBE_TIMING,
    PROBE_RESOURCES,
    PROBE_BUILD,
    PROBE_DRAM,
    PROBE_OCCUPANCY,
    PROBE_MEMORY,
    PROBE_SHARED,
    PROBE_STALLS,
    PROBE_PIPES,
    PROBE_CHECK,
    PROBE_POISON,
    PROBE_REPEAT,
    PROBE_SANITIZE,
    PROBE_LINES,
    PROBE_SASS,
    PROBE_TIMELINE,
    PROBE_BENCHMARK,
    PROBE_OUTCOME,
    PROBE_COUNT
};
const char *wire_probe_name(enum wire_probe p); /* "timing", ... as in the protocol's `can` */
int wire_probe_find(const char *name);                   /* enum value, or -1 */

enum metric_good { GOOD_NONE, GOOD_LOW, GOOD_HIGH };     /* which way is healthy, for colour only */

struct metric {
    const char *name;      /* "store_sectors_per_request" */
    enum wire_probe probe;
    const char *unit; /* "1" "s" "B" "Hz" "B/s" "flop/s" "cycle"; shares are 0..1 with unit "1" */
    const char
        *label; /* "sectors per store request": for a line on the screen, at most 28 columns */
    const char *explain; /* what it counts, what is healthy, which causes share it: two or three
                            sentences */
    const char *num, *den; /* CUPTI counters: value = scale * num / den; NULL num: not from
                              counters; NULL den: 1 */
    const char *chips, *num_there; /* another spelling of num on chips whose name begins so, or
                                      NULL */
    double scale;
    enum metric_good good;
    bool share;            /* shown as a percentage and as a bar with full scale 1 */
    bool everywhere; /* false: not on every chip (stall_gmma, tma_loads): missing is normal */
};

/* NULL if unknown. */
const struct metric *metric_find(const char *name);

/* What a value is of, to be said behind it: "per instruction", ""; never NULL. m may be NULL. */
const char *metric_per(const struct metric *m);

/* All metrics of a probe, in table order; *n receives the count. The pointer is into the table. */
const struct metric *metric_of_probe(enum wire_probe p, size_t *n);
const struct metric *metric_table(size_t *n);

#endif
