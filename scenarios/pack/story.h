/* A pack in memory: plain structs that the reader fills and nobody changes, and what can be asked
 * of them.
 *
 * struct story is what may be shown to the person being tested, struct variant what is sealed. All
 * memory hangs on the pack. */
#ifndef WD_SCENARIOS_STORY_H
#define WD_SCENARIOS_STORY_H

#include <stdbool.h>
#include <stdint.h>

#include "kernels/wire/benchmark.h"
#include "kernels/wire/element.h"
#include "kernels/wire/err.h"
#include "kernels/wire/message.h"
#include "kernels/wire/message_measure.h"
#include "kernels/wire/message_runs.h"
#include "kernels/wire/transfer.h"
#include "scenarios/text/files.h"
#include "scenarios/text/source_kind.h"
#include "scenarios/formula/formula.h"
#include "scenarios/pack/probe.h"
#include "scenarios/pack/taxonomy.h"

#define MAX_HYPOTHESES 10
#define MAX_SPANS 6
#define PACK_FORMAT_FIRST 1
#define PACK_FORMAT 2 /* the newest that is read; each file says which one it is written in */

/* A formula and where it stands, so that a failure at evaluation still shows file:line:col. */
struct expr { struct formula *f; const char *file; int line, col; };

struct param { char *name, *label; struct expr value; }; /* label: of one that is shown, or NULL */
struct buffer {
    char *name;
    enum elem_type type;
    enum buffer_role role;
    struct expr count;
    struct msg_fill fill;
};
/* A tensor map before its sizes are known; innermost first. */
struct arg_map {
    int rank;
    struct expr size[CAP_MAP_RANK], pitch[CAP_MAP_RANK - 1], box[CAP_MAP_RANK];
    int swizzle;
};
/* What several GPUs do in the place of a kernel (struct msg_transfer); f NULL: absent. */
struct transfer {
    enum transfer_kind kind;
    int from, to; /* buffers */
    struct expr first, count;
    bool through_host;
};
struct arg {
    enum arg_kind kind;
    int index; /* buffer or parameter */
    struct expr value; /* for {i64:..} {f32:..} */
    struct arg_map *map; /* of ARG_MAP, else NULL */
    int line, col; /* in the launch's file */
};
struct launch {
    char *kernel; /* of a transfer its name, "all_reduce" */
    const struct transfer *transfer; /* NULL: a kernel */
    const char *file;
    int line, col; /* where it is named */
    char *source; /* NULL: the run's own file */
    struct expr grid[3], block[3], shared;
    int n_grid, n_block;
    struct arg *args;
    int n_args;
    int stream;
    int only;       /* the rank that does it, from 1; 0: every */
    uint64_t after; /* bits of the launches it waits for */
    struct expr cluster[3]; int n_cluster; /* 0: no clusters */
    bool cooperative, programmatic;
    char *label;
    struct expr bytes, flops; /* of a pipeline's launches; f NULL when absent */
};
/* What the host of a pipeline does in a run, in order; a launch among it is HOST_LAUNCH. */
struct host_item {
    enum host_step kind;
    int launch, buffer, stream; /* indices; stream may be WHOLE_DEVICE */
    int only; /* as of a launch */
    bool to_device, pinned, anew, ptx; /* as of a msg_step */
    struct expr amount; /* of alloc in bytes, of wait in seconds; else f NULL */
    char *label;        /* of a step that is no launch; NULL: none */
};
struct host_list { struct host_item *item; int n; }; /* n 0: launches alone, in order */
struct question { char *ask, *answer; };
struct remedy { char *id, *text; };
struct define {
    char *name;
    int param;        /* -DNAME=value of this parameter */
    const char *file; /* where it stands */
    int line, col;
};
enum experiment_kind {
    EXPERIMENT_SWEEP,
    EXPERIMENT_FILL,
    EXPERIMENT_BENCHMARK,
    EXPERIMENT_STANDARD,
    EXPERIMENT_EXHIBIT
};
/* What an exhibit of a case shows, in the unit in which its file has it; one that formulas do not
 * know counts as a plain number. */
struct figure {
    char *name, *label, *unit; struct dim dim; double factor;
    char *of; /* of a timeline: busy, gap, or the label of the blocks whose time it is; else NULL */
};
struct exhibit {
    char *row, *column; /* what a row and a column is, "rank", "step"; column NULL: a column for
                           each figure, row NULL too: text */
    char *time;         /* of a timeline the unit of its axis, with its factor; else NULL */
    double time_factor;
    struct figure *figures;
    int n_figures;
};
struct experiment { /* one item of the runner for each step; step k of its own purchase is variant k
                     */
    char *id, *title;
    enum experiment_kind kind;
    enum shop shop;             /* the list it stands in: SHOP_EXPERIMENT or SHOP_VERIFY */
    int price;
    enum wire_probe measure;
    int n_steps;
    int vary; struct expr *over;      /* sweep: the parameter, and its value at each step */
    struct msg_fill *fills;           /* fill: of each buffer, in the second step */
    int field, setting;               /* benchmark: the step of it that the second step changes */
    const struct standard *standard;  /* else NULL */
    const struct exhibit *exhibit;    /* of a case, then it has one step; else NULL */
};
struct rate {
    char *unit;
    struct expr per_run;
}; /* "tokens", and how many of them one run yields; unit NULL: none */
struct estimate {
    char *id, *ask, *unit;
    struct dim dim;
    const char *before; /* probe name or experiment id it must precede; "" where it is across */
    bool across; /* its truth is of another GPU's recording: asked last, after the commitment */
};

struct symptom {
    char *label, *unit;
    struct expr value;
}; /* of a case: a figure that is shown for nothing */

/* A wall between an empty kernel and the best: whoever is within so many times the best's time has
 * it behind them. */
struct task_step {
    char *wall, *hint;
    double within;
    const struct variant *as; /* whose suspect is; NULL: the best itself */
    const struct file *file;
    int line, col;
};
/* sealed/write.yaml: the story's kernel to be written from nothing. */
struct task {
    char *title, *lesson;       /* lesson: of the best, once it is reached */
    const struct file *file, *start; /* write.yaml; the empty kernel */
    struct task_step *steps; int n_steps;
    const struct variant *variant; /* "STORY/write": the one that is raced against, without a fix */
};

struct story {                  /* scenario.yaml: may be shown to the person being tested */
    const struct pack *pack;
    int format;
    char *id, *title, *text;    /* text: the story */
    char *full_id;              /* "first-principles/transposed-copy" */
    char *kind;                 /* "kernel", "pipeline", "harness" or "case" */
    int level;
    int faults; /* how many a variant may hold, at most: 1, or 2 (level 4), which is told */
    bool counted;               /* false: warm-up (level 0) */
    struct expr needs_compute, needs_memory; /* f NULL when absent */
    bool needs_exact; /* that compute capability and no later one */
    int gpus;         /* equal ones of one host that it runs on, each a rank; 1 */
    struct param *params; int n_params;
    struct define *defines; int n_defines;
    struct buffer *buffers; int n_buffers;
    struct launch *launches; int n_launches; /* of whoever has none of its own; NULL: all have */
    struct host_list steps; /* beside `launches`, as below */
    struct expr work_bytes, work_flops;
    struct rate rate;           /* what users count of a run */
    struct msg_tolerance tolerance;
    struct question *questions; int n_questions;
    int copy_question; /* the one that brings the yardstick, from 1; the reader adds it behind the
                          story's own; 0: none */
    const struct hypothesis *hypotheses[MAX_HYPOTHESES];
    int n_hypotheses; /* in the taxonomy's order */
    struct remedy *remedies; int n_remedies;
    struct experiment *experiments;
    int n_experiments; /* its own, then the standard ones of probe.h */
    struct estimate *estimates; int n_estimates;
    struct variant **variants; int n_variants;
    const struct task *task;    /* NULL: nothing of it is to be written, or it is sealed */
    /* ---- of a case, which has no buffers, launches and sources; its exhibits are its experiments
     * ---- */
    char *system;               /* what the evidence is of, where others have a GPU */
    struct symptom *symptoms; int n_symptoms;
    const struct model *model;          /* what its exhibits are drawn from; NULL: files */
    char **places; int n_places;        /* where the fault may be */
    struct file
        *place_list; /* the places as lines: what is pointed at where others have a source */
};

enum word { WORD_SETTLES, WORD_FOR, WORD_AGAINST, WORD_RULES_OUT, WORD_COUNT };
double word_weight(enum word w);                  /* 50, 4, 1/4, 1/50 */
struct reading {
    const char *probe;          /* probe name or experiment id under which it stands */
    struct expr expect;         /* f NULL: always holds once bought */
    char *fact, *because;
    unsigned says[WORD_COUNT];  /* bit k: hypothesis k of the story */
};
enum push_kind { PUSH_CONVICTION, PUSH_CORRECTION, PUSH_RED_HERRING };
struct pushback {
    enum push_kind kind;
    char *says, *teaches, *fact;
    unsigned bears[WORD_COUNT];
    struct expr expect;
};
struct mistake { struct expr value; char *says; };
/* {{FORMULA}} or {{FORMULA as %}} in a debrief: bytes `at` to `at + len` of its text. */
struct told_value { size_t at, len; struct expr value; bool share; };
struct truth {
    const struct estimate *estimate;
    struct expr truth, working;
    double within;
    struct mistake *mistakes;
    int n_mistakes;
    char *because; /* across GPUs: what the other time follows; else NULL */
};
/* Other sizes: these parameters have these values, later ones follow them. Values are formulas over
 * the story's own. */
struct shape_size { int param; struct expr value; };
struct shape { struct shape_size *sizes; int n_sizes; };
struct side {
    char *source;
    struct launch *launches;
    int n_launches;
    struct host_list steps;
}; /* launches NULL: the story's */

/* The program that times a run of a harness, and what it prints: a time, or `per_run` in a unit. */
struct benchmark {
    const struct file *file;
    struct msg_benchmark program;
    char *unit;          /* "GB/s", "tokens/s"; NULL: the time */
    struct expr per_run; /* f NULL with the time */
    const struct file *baseline_file; /* of what it compares with, to print how many times as fast
                                         the kernel is; NULL: with nothing */
    struct side baseline;
    struct msg_benchmark care; /* the program that times the baseline */
};

/* Of a build with two faults the one that is left when the first is mended, and the two builds
 * between suspect and fix. The first is the one that costs most as the build is. */
struct then {
    int cause;                            /* index over the story's hypotheses */
    unsigned remedies;                    /* accepted: bits over the story's remedies */
    int location_line;                    /* as the variant's own */
    struct side half, rest;               /* the first alone mended; this one alone mended */
    const struct file *half_file, *rest_file;
};

struct variant {
    const struct story *story;
    const struct task *task;    /* of a task's own variant, else NULL */
    char *id, *full_id;         /* "a", "first-principles/transposed-copy/a" */
    const struct source_kind *kind; /* of its sources; of a case NULL */
    const struct file *suspect; /* of a case the story's list of places */
    const struct file *launches_file; /* launches.yaml; NULL: the story's launches */
    struct launch *launches;
    int n_launches;
    struct host_list steps;
    struct benchmark benchmark; /* of a harness */
    bool sealed; /* what stands below is not here: nobody reads it before variant_needs_answer */
    /* ---- sealed ---- */
    enum {
        PAIR_REGRESSION,
        PAIR_WRONG,
        PAIR_HEALTHY,
        PAIR_REFUSED,
        PAIR_FAULTED,
        PAIR_UNFINISHED /* the last three: failing.h */
    } pair;
    char *models;
    int cause; unsigned contributing;     /* index / bits over the story's hypotheses */
    int location_line; /* 1-based line of the suspect's listing, the one that is shown; 0 when the
                          answer is "nowhere" (healthy) */
    struct {
        int first, last;
    } spans[MAX_SPANS];
    int n_spans; /* lines of the listing that may be named, that one among them */
    const struct experiment *tells;       /* of a case: the exhibit that the debrief draws */
    unsigned remedies;                    /* accepted: bits over the story's remedies */
    const struct then *then; /* NULL: one fault, or none */
    struct side fix, best, reference;     /* source NULL when absent (best) */
    const struct file *fix_file, *best_file, *reference_file, *debrief;
    struct benchmark honest; /* of a harness, where others have a fix; its source is the suspect's */
    double effect_low, effect_high;
    struct expr *proves; int n_proves;
    struct shape *shapes; int n_shapes;   /* at which fix and best must be right too */
    struct reading *readings; int n_readings;
    struct pushback *pushbacks; int n_pushbacks;
    struct truth *truths; int n_truths;   /* one for each estimate of the story */
    struct told_value *told; int n_told;        /* in the order of the debrief */
    char *measured_on; /* the GPU whose figures the debrief tells, as "NVIDIA H200"; NULL: any */
    char **unrecorded; int n_unrecorded;  /* figures of the prose that no recording has: "650 ns" */
    char **incidents; int n_incidents;    /* "ggml-org/llama.cpp#16841" */
};

struct pack {
    char *id, *title, *licence, *version; /* version: its author's; NULL: none */
    struct story *stories; int n_stories;
    struct story *tasks; int n_tasks; /* no stories: nothing of them is diagnosed, only written */
    struct files *files;
    enum {
        SEAL_NONE,
        SEAL_SHUT /* variants are sealed */,
        SEAL_OPEN /* opened into memory; the folder holds no answers */
    } seal;
    void *memory;               /* the reader's own */
};

const struct story *pack_story(const struct pack *p, const char *id);
/* Number i of all that have a kernel to be written, stories and tasks; NULL behind the last. */
const struct story *pack_written(const struct pack *p, int i);
bool story_is_pipeline(const struct story *s);
bool story_is_case(const struct story *s);
/* Is it the number that is asked about? Run "b" is the suspect under an honest benchmark then. */
bool story_is_harness(const struct story *s);
/* What is looked at, in a word or two: "kernel", "pipeline", "benchmark", "Triton", "two GPUs",
 * "system"; never what is wrong with it. */
const char *story_sort(const struct story *s);
/* Does it ask what the machine allows at most? Its id begins with "floor-". The answer brings the
 * yardstick, and progress counts such answers by their ids. */
bool estimate_is_floor(const char *id);
/* Has it estimates across GPUs? They stand behind all others. */
bool story_asks_across(const struct story *s);
/* What people are shown of it: its words, and without any its name. */
const char *param_words(const struct param *p);
/* "line 6", of a case the place; "nowhere" for 0. */
void story_spot(char *out, size_t size, const struct story *s, int line);
/* Is the file (its path in the pack) of the story's task alone? No variant is what it is by it. */
bool story_task_has(const struct story *s, const char *path);
/* Index of the hypothesis of this id; -1: it is not on offer. */
int story_hypothesis(const struct story *s, const char *id);
/* May a variant hold two faults? Then everybody is asked what is left, whatever is there. */
bool story_asks_left(const struct story *s);
/* What is left once the cause is mended: a hypothesis, none.at-limit for nothing more. */
int variant_left(const struct variant *v);
/* Is the fault on this line, or, where nothing is wrong, line 0? Of a case its place. */
bool variant_is_at(const struct variant *v, int line);
/* The launches of run "a" (suspect), "b" (fix), "c" (best), "d" (half), "e" (rest) or "r"
 * (reference), of a harness with a baseline "o" (its own) or "p" (the honest one); *n receives how
 * many. */
const struct launch *variant_launches(const struct variant *v, const char *run, int *n);
/* The source of such a run; NULL: the variant has none. */
const struct file *variant_source(const struct variant *v, const char *run);
/* The runs that must be right and are not the suspect: "b", and c, d and e where they are; of a
 * harness whose kernel is wrong none, since "b" is that kernel. */
const char *variant_mended(const struct variant *v);
/* All of the variant's runs: those, the suspect and the reference. */
const char *variant_runs(const struct variant *v);
/* What the host does in that run. */
const struct host_list *variant_steps(const struct variant *v, const char *run);
/* The lines of a source, and the one on which launch or step k of a run stands in a listing of it:
 * they follow the code behind a blank line, one each, so no line of the code is moved by them. */
int source_line_count(const char *text);
int source_launch_line(const char *text, int k);
/* ERR_PERMISSION, with what to do, when the variant's answer is sealed. */
int variant_needs_answer(const struct variant *v, struct err *err);
/* NULL if the story has none of that id. */
const struct experiment *story_experiment(const struct story *s, const char *id);
const struct variant *story_variant(const struct story *s, const char *id);
/* Minutes of patience that a purchase costs: a probe by its name, or an experiment of the story by
 * its id. Questions and what is not sold cost nothing here; investigation_price knows what has been
 * asked before. */
int story_price(const struct story *s, const char *probe);

/* Reports a failure of a formula at its place in the content. column: inside the formula. Returns
 * err->code. */
int expr_fail(const struct expr *e, int column, const struct pack *p, struct err *err);

#endif
