/* What compute-sanitizer prints, line by line as it comes: how much it found, and the first
 * findings in short. */
#ifndef WD_RUNNER_REPORT_H
#define WD_RUNNER_REPORT_H

#include <stdbool.h>
#include <stdint.h>

enum { REPORT_FINDINGS = 3, REPORT_TEXT = 320 };

struct report {
    bool begun;      /* the tool has said its name */
    bool summed;     /* and its sum */
    uint64_t sum;    /* what the sum says */
    uint64_t blocks; /* findings that were printed */
    uint64_t hazards; /* as counted in brackets behind races */
    uint64_t
        calls; /* failed driver calls, which are in the sum but are no finding about the kernel */
    char findings[REPORT_FINDINGS][REPORT_TEXT]; /* different ones: "Invalid __global__ read of size
                                                    4 bytes at move in a.cu:7" */
    int n_findings;
    char open[REPORT_TEXT]; /* the finding whose lines are still coming */
    char complaint[REPORT_TEXT]; /* why the tool or the program could not do its work, "" */
};

/* One line without its newline; NULL at the end of the output. */
void report_line(struct report *r, const char *line);

/* Hazards or errors found. */
uint64_t report_count(const struct report *r);

#endif
