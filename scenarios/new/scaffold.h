/* warpdrill new: a scenario that loads, made of a kernel, with comments that teach the format.
 *
 * Nothing is overwritten: the scenario's folder must not exist, or that of the variant; of a pack
 * that exists pack.yaml alone changes, by one id in its list.
 *
 * In: a .cu file as its author has it, and what they answer. Out: a draft in memory, the pack that
 * it would be, and its files. Callers: `warpdrill new` (tui/commands), and scenarios/check, which
 * finds what its author left open. First to open: scaffold.c; scaffold_source.h reads the .cu,
 * scaffold_draft.c guesses names, sizes and the launch, scaffold_answers.c takes corrections,
 * scaffold_public.c and scaffold_sealed.c write the two halves, scaffold_variant.c adds to a story
 * that is there, scaffold_causes.c has a row for each cause; scaffold_place.c, scaffold_manifest.c,
 * scaffold_make.c and scaffold_write.c are the pack around them. A step of several launches is
 * scaffold_pipeline.h, a draft without a .cu scaffold_whole.h. */
#ifndef WD_SCENARIOS_SCAFFOLD_H
#define WD_SCENARIOS_SCAFFOLD_H

#include "scenarios/new/scaffold_causes.h"
#include "scenarios/new/scaffold_source.h"

/* What its author decides. */
struct scaffold {
    char *pack, *id;                       /* the pack's folder, the scenario's id */
    char *variant; /* of a story that is there already; NULL: the story is new too */
    char *title;
    const struct cause *cause;
    char guessed[80]; /* why this cause was guessed, "because of atomicAdd"; "": its author named it
                       */
    bool title_guessed, level_guessed, output_guessed;   /* what nobody said either */
    int level;
    struct source *source;
    const struct kernel *kernel;           /* its parameters were read */
    char *fix; /* the device part with this kernel mended, as its author has it; NULL: nobody has */
    bool output[CAP_ARGS];                 /* of each parameter: the kernel writes it */
    int block[3];                          /* 0: nobody said it */
    char *grid;                            /* formulas between commas; NULL: nobody said it */
    char *passed[CAP_ARGS]; /* the number that the author's case had; NULL: nobody said it */
};

/* The launch as it stands now: what was said, what was found, else what is usual. */
struct proposal {
    char block[40], grid[200];
    char cover[200]; /* the grid that goes with the sizes, whatever they are */
    bool lacks[CAP_ARGS]; int n_lacks;     /* numbers that nobody said, by parameter */
};

/* "packs/mine/image-rows" is the scenario image-rows in the pack packs/mine, and
 * "packs/mine/image-rows/b" another variant of it, once it is there. Fails when one of them is no
 * id, the folder is there, or that of the pack holds other things and no pack.yaml. */
int scaffold_place(struct scaffold *s, const char *place, struct err *err);
/* Does the id or title say that something is wrong, or name a cause? The word and what it tells in
 * out, false: none. */
bool scaffold_tells(char *out, size_t size, const char *text);
/* Title, cause and outputs as far as the kernel shows them; level 2. Those that are set stay; what
 * was guessed is noted. */
void scaffold_guess(struct scaffold *s);
/* Where a variant is added: is the story of a kind of which one can be drafted? */
int scaffold_check_story(const struct scaffold *s, struct err *err);
/* Can it take this kernel and cause? Without a cause one is chosen
 * that is on offer and that no other variant has. Fails with what the story offers. */
int scaffold_join(struct scaffold *s, struct err *err);
/* Once the kernel is chosen. */
void scaffold_propose(struct proposal *out, const struct scaffold *s);
/* "256" or "32, 8", at most 1024 threads. */
int scaffold_set_block(struct scaffold *s, const char *text, struct err *err);
/* "4096", "ceildiv(n, 32), rows": up to three formulas of the scenario's sizes and gpu.* */
int scaffold_set_grid(struct scaffold *s, const char *text, struct err *err);
/* A number for parameter i: whole where the kernel takes whole ones, an extent at least 1. */
int scaffold_set_number(struct scaffold *s, int i, const char *text, struct err *err);
/* The fix, from the same file as it was, or is, when nothing was wrong with it: the kernel of this
 * name with the same parameters. Once the kernel is chosen. */
int scaffold_set_fix(struct scaffold *s, struct source *good, struct err *err);
void scaffold_free(struct scaffold *s);    /* what it points to, and the source */

/* All files of the pack with the new ones among them, read back by the pack reader. `made` (n)
 * receives the paths that are new or changed, pointing into *out. The caller frees both. */
int scaffold_make(struct files **out, const char ***made, int *n, const struct scaffold *s,
                  struct err *err);
/* Writes those: new files where nothing is, pack.yaml in one step. A failure takes away what was
 * made, folders too. */
int scaffold_write(const struct scaffold *s, const struct files *files, const char *const *made,
                   int n, struct err *err);

/* The list `scenarios` of a pack.yaml with one id more; comments and layout stay. malloc'd; NULL
 * where there is no such list. */
char *scaffold_add_id(const struct files *files, const struct file *manifest, const char *id,
                      struct err *err);

/* Findings of the rule `unfinished`: places of the story that still say what is to be filled in. In
 * checker.h's words: */
#define SCAFFOLD_MARK "FILL IN"

#endif
