/* What scaffold.c works out before anything is written: names, roles, sizes, the launch. Shared by the parts of scaffold alone. */
#ifndef WD_SCENARIOS_SCAFFOLD_PLAN_H
#define WD_SCENARIOS_SCAFFOLD_PLAN_H

#include <stdio.h>

#include "scenarios/new/scaffold.h"

#define PLAN_GUESSED "guessed; " SCAFFOLD_MARK ": "      /* begins the comment on what the host's code did not tell */

struct plan_size { char *name, *formula, *why; };
struct plan {
    const struct scaffold *of;
    const struct kernel *k;
    char *names[CAP_ARGS];                     /* in formulas; the kernel's where they can be */
    enum buffer_role roles[CAP_ARGS];
    struct plan_size sizes[CAP_ARGS + 3]; int n_sizes;    /* parameters of the scenario, in the order of evaluation */
    char *elements;                            /* the one that counts the elements of each buffer */
    char *grid[3]; int block[3], n_block;
    bool grid_is_known;                        /* for the numbers that the host passes it is the host's */
    int threads;
    double in_bytes, out_bytes;                /* for each element: of inputs and outputs, and what the truth of the outputs takes */
    bool whole_outputs, short_outputs;         /* all outputs hold whole numbers; one has 16-bit floats */
    char *suspect, *prelude;                   /* texts */
    size_t location, location_len;             /* the line of suspect that is a guess at the fault */
};

int plan_open(struct plan *p, const struct scaffold *s, struct err *err);
void plan_close(struct plan *p);

/* One of the kernel's arguments, as a list of `args` has it. */
void plan_argument(FILE *f, const struct plan *p, int i);
/* "    # guessed; ...: scale, shift": the numbers among the arguments that nobody told, or nothing. */
void plan_guessed_arguments(FILE *f, const struct plan *p);

/* 'quoted' where YAML would read it otherwise. */
void plan_quote(FILE *f, const char *text);

/* Each malloc'd. */
char *plan_scenario(const struct plan *p);     /* scenario.yaml */
char *plan_answer(const struct plan *p);       /* answer.yaml */
char *plan_fix(const struct plan *p);
char *plan_reference(const struct plan *p);
char *plan_debrief(const struct plan *p);

#endif
