/* What scaffold.c works out before anything is written: names, roles, sizes, the launch. Shared by
 * the parts of scaffold alone. */
#ifndef WD_SCENARIOS_SCAFFOLD_DRAFT_H
#define WD_SCENARIOS_SCAFFOLD_DRAFT_H

#include <stdio.h>

#include "scenarios/new/scaffold.h"

/* Begins the comment on what nobody said. */
#define DRAFT_GUESSED "guessed; " SCAFFOLD_MARK ": "

/* number_of: the parameter whose number its author can say; -1: it is a formula. */
struct draft_size { char *name, *formula; const char *why; bool guessed; int number_of; };
struct draft {
    const struct scaffold *of;
    const struct kernel *k;
    char *names[CAP_ARGS];                     /* in formulas; the kernel's where they can be */
    enum buffer_role roles[CAP_ARGS];
    struct draft_size sizes[CAP_ARGS + 3];
    int n_sizes; /* parameters of the scenario, in the order of evaluation */
    char *elements;                            /* the one that counts the elements of each buffer */
    char *cover[3];                            /* the grid that goes with the sizes */
    char *grid[3]; int n_grid;
    int block[3], n_block, threads;
    char *grid_why; const char *block_why;     /* what is to be filled in; NULL: it was said */
    double in_bytes, out_bytes; /* for each element: of inputs and outputs, and what the truth of
                                   the outputs takes */
    bool whole_outputs, short_outputs; /* all outputs hold whole numbers; one has 16-bit floats */
    char *suspect, *prelude;                   /* texts */
    size_t location, location_len; /* the line of suspect that is a guess at the fault */
};

/* Without texts, and an output may be missing. */
void draft_begin(struct draft *p, const struct scaffold *s);
int draft_open(struct draft *p, const struct scaffold *s, struct err *err);
void draft_close(struct draft *p);

/* Sets `location`: of a text that is there, and where a fix is, of a line that it has not. */
void draft_locate(struct draft *p);

/* Bytes of an element of each buffer, in one number while that is small enough to be counted on
 * fingers: "8", or "(16 + 8 + 4)", so that whoever is asked can work it out. Zeros are left out. */
void draft_bytes(FILE *f, const int *each, int n);

/* The parts of a list between commas that stand in no brackets, without blanks around them. Returns
 * how many there are; the first three are in `parts`, malloc'd. */
int draft_split(char *parts[3], const char *list);
void draft_join(char *out, size_t size, char *const parts[3], int n);

/* A whole number that says how far something goes, by its name. */
bool draft_is_extent(const struct kernel_param *q);
/* Nobody said the number that this parameter is passed. */
bool draft_lacks_number(const struct draft *p, int i);

/* One of the kernel's arguments, as a list of `args` has it. */
void draft_argument(FILE *f, const struct draft *p, int i);
/* "    # guessed; ...: scale, shift": the numbers among the arguments that nobody told, or nothing.
 */
void draft_guessed_arguments(FILE *f, const struct draft *p);

/* 'quoted' where YAML would read it otherwise. */
void draft_quote(FILE *f, const char *text);

/* ---- by the cause alone ---- */

const char *cause_pair(const struct cause *d);     /* "regression", "wrong", "healthy" */
bool cause_is_healthy(const struct cause *d);

enum { CAUSE_ROWS = MAX_HYPOTHESES + CAUSE_RIVALS + 2 };
struct cause_row { const struct cause *d; const struct cause_reading *r; bool denies_limit; };
/* The cause's own reading, then what speaks against each rival; of a story that is there, against
 * each other hypothesis on offer. Returns how many. */
int cause_rows(const struct cause *cause, struct cause_row rows[CAUSE_ROWS]);
int cause_rows_joined(const struct cause *cause, const struct story *story,
                      struct cause_row rows[CAUSE_ROWS]);
void draft_readings(FILE *f, const struct cause_row *rows, int n);
void draft_pushbacks(FILE *f, const struct cause *d);
void draft_estimates(FILE *f, const struct cause *d);
/* `hypotheses` and `remedies` of scenario.yaml, and `estimates` behind them. */
void draft_choices(FILE *f, const struct cause *d);
void draft_asked(FILE *f, const struct cause *d);

/* The story that a variant is added to: what it offers, and another variant's answer.yaml. */
struct draft_story { const struct story *story; const char *answer; };
/* answer.yaml of a further variant: the cause's own readings, and what the variants share as the
 * other one has it. malloc'd. */
char *draft_joined(const struct draft *p, const struct draft_story *with);
/* scaffold_make of a variant: `f` receives the pack's files, then the new ones from *first on. */
int variant_make(struct files *f, int *first, const struct draft *p, const struct files *old,
                 struct err *err);

/* Each malloc'd. */
char *draft_scenario(const struct draft *p);     /* scenario.yaml */
char *draft_answer(const struct draft *p);       /* answer.yaml */
char *draft_fix(const struct draft *p);
char *draft_reference(const struct draft *p);
char *draft_debrief(const struct draft *p);

#endif
