/* A step of several launches, as the author's host code has it: which kernels in which order, what
 * is passed to them, what the host does between. Shared by scaffold_step*.c alone. */
#ifndef WD_SCENARIOS_SCAFFOLD_STEP_H
#define WD_SCENARIOS_SCAFFOLD_STEP_H

#include "scenarios/new/scaffold_draft.h"

enum { STEP_ITEMS = 48, STEP_LAUNCHES = 32, STEP_BUFFERS = 32, STEP_SIZES = 16, STEP_NAME = 32 };

/* A buffer is called as the host calls it, without `d_`. */
struct step_buffer {
    char name[STEP_NAME];
    const struct kernel_param *as;      /* of the first kernel that takes it */
    bool read_first, written, read_last; /* before anything wrote it; behind the last who did */
    bool atomic; /* added to: it begins as zeros */
    enum buffer_role role;
    char *count; /* a formula of the sizes, where the host's cudaMalloc says it; NULL: elements */
};
struct step_size {
    char name[STEP_NAME];
    char *formula; const char *why;
    bool guessed, of_others; /* nobody said it; the host works it out of other sizes */
};
struct step_item {
    const struct kernel *kernel; /* NULL: the host's */
    struct launch_found launch;  /* of a kernel */
    char *host;                  /* "sync: device"; NULL: a launch */
    char label[25];
    size_t at; int line;
    char *grid, *args, *unsaid;  /* as YAML has them; the numbers that nobody said, "" for none */
    bool grid_guessed;
};
struct step {
    struct source *source;
    struct step_item items[STEP_ITEMS]; int n;
    const struct kernel *kernels[STEP_LAUNCHES]; int n_kernels;   /* each once */
    struct step_buffer buffers[STEP_BUFFERS]; int n_buffers;
    struct step_size sizes[STEP_SIZES]; int n_sizes;
    bool many_structures; /* whose members are passed */
    char *elements; /* a formula of the sizes: of each buffer; rather too many than too few */
};

/* Reads it. Fails where fewer than two launches stand in the file, or more than a step can have,
 * and on a kernel whose parameters a scenario cannot pass. */
int step_read(struct step *out, struct source *s, struct err *err);
void step_free(struct step *p);

/* ---- scaffold_step_args.c ---- */

/* Fills buffers, sizes and what each launch passes, from the launches. Fails where there are too
 * many of them. */
int step_args(struct step *p, struct err *err);
/* A name of the host's as a scenario can have it, at most 31 bytes: "phi" for `d_phi` and for
 * `fields.phi`, "fields_phi" in a step that is passed members of several structures. */
void step_pack_name(char out[STEP_NAME], const struct step *p, const char *text);

/* ---- scaffold_step_text.c ---- */

/* Each malloc'd. */
char *step_scenario(const struct step *p, const struct scaffold *s);
char *step_answer(const struct step *p, const struct scaffold *s);
char *step_reference(const struct step *p, const char *prelude);
/* The cause of a step that has not been named: what its host does speaks for it. */
const char *step_cause(const struct step *p, const char **because);

#endif
