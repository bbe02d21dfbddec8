/* Evidence as it comes back: metrics, series, lines and notes of one item. */
#ifndef WD_WIRE_MESSAGE_PART_H
#define WD_WIRE_MESSAGE_PART_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernels/wire/err.h"
#include "kernels/wire/metric.h"

/* Why compute-sanitizer brought no figure: it was ended. Stands in the sentence of the missing
 * metric, so that a client need not try it again. */
#define SANITIZE_CUT "did not end in its share of the time"

struct msg_value { /* one metric: value, or missing with a reason; never both, never zero for absent
                    */
    char name[48];
    bool present;
    double value, low, high;   /* SI base units; low == high == value when it is not a statistic */
    int n;                     /* samples behind it; 0 when it is not a statistic */
    char *missing;             /* reason code and sentence: "permission: ..."; NULL when present */
};
struct msg_series { char name[48]; double *values; int n; };

struct msg_part {              /* one piece of evidence */
    int64_t id;
    int item;
    enum wire_probe probe;
    char run[16];              /* "a"; for a pair's ratio "a/b" */
    int variant;               /* -1: the request's own shape */
    char tier[12];             /* "live", "recorded", "computed" */
    struct msg_value *metrics; int n_metrics;
    struct msg_series *series; int n_series;
    char **lines; int n_lines; /* text evidence: PTX, build options, wrong elements */
    char **notes; int n_notes; /* "cold", "throttled", "verdict: slower", "limiter: registers" */
};
int msg_part_decode(struct msg_part *out, const json_t *msg, struct err *err);
json_t *msg_part_encode(const struct msg_part *p);
/* A copy that owns all of its own; `to` is overwritten. */
void msg_part_copy(struct msg_part *to, const struct msg_part *from);
void msg_part_free(struct msg_part *p);
const struct msg_value *msg_part_value(const struct msg_part *p,
                                       const char *metric); /* NULL if not there */
/* What a clock said of the run: the time, of a benchmark what it reports. NULL: a part of another
 * probe, or without it. */
const struct msg_value *msg_part_time(const struct msg_part *p);
bool msg_part_note(const struct msg_part *p, const char *note);

#endif
