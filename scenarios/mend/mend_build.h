/* What a compiler alone can say of a text: whether it compiles, and what its kernels need beside
 * those of suspect, fix and best. Sizes are those of a GPU that need not be there. */
#ifndef WD_SCENARIOS_MEND_BUILD_H
#define WD_SCENARIOS_MEND_BUILD_H

#include "scenarios/mend/mend_figures.h"
#include "scenarios/mend/mend_kept.h"
#include "scenarios/pack/story.h"
#include "scenarios/supply/client.h"

enum mend_built { BUILT_MINE, BUILT_SUSPECT, BUILT_FIX, BUILT_BEST, BUILT_SIDES };

struct mend_build;

/* Asks the runner of `client`, which needs no GPU. `gpu`: "sm_90" takes the least GPU of that
 * architecture; else a slug, and where none of that name is known, the GPU of the shipped
 * recordings. The best of a kernel to be written is left out until `tries` have all walls behind
 * them. NULL with the reason in err: no GPU of the architecture, launches of the text that cannot be
 * read, a link that is dead. */
struct mend_build *mend_build_new(const struct variant *v, const char *gpu, struct client *client,
                                  const char *name, const char *text,
                                  const struct mend_tries *tries, struct err *err);
void mend_build_free(struct mend_build *b); /* calls it off; NULL is fine */

/* False: the event is not of this. */
bool mend_build_event(struct mend_build *b, const struct client_event *e);
int64_t mend_build_id(const struct mend_build *b); /* of the request */
bool mend_build_over(const struct mend_build *b);
bool mend_build_compiles(const struct mend_build *b);
/* Why it does not, in the words of the compiler or the runner; "" while nothing is known, or when
 * it does. */
const char *mend_build_why(const struct mend_build *b);
/* "mine.cu compiles for sm_90 by NVRTC 13.0; sizes as on an NVIDIA H200", or what is under way. */
void mend_build_words(char *out, size_t size, const struct mend_build *b);

int mend_build_arch(const struct mend_build *b);          /* 90 */
const char *mend_build_gpu(const struct mend_build *b);   /* whose sizes */
const char *mend_build_nvrtc(const struct mend_build *b); /* "13.0"; "" before it is known */
/* What came of one side; NULL: nothing yet, or the story has none. */
const struct msg_compiled *mend_build_side(const struct mend_build *b, enum mend_built side);
/* The side whose instructions are held against the text's: the fix, where there is none the best;
 * BUILT_MINE: neither. */
enum mend_built mend_build_other(const struct mend_build *b);

/* One kernel of a side's launches. Dynamic shared memory is part of figures.shared. */
struct mend_kernel {
    const char *name;
    struct mend_figures figures;
    double occupancy;  /* share of an SM's warps; below 0: the GPU's limits are not known */
    const char *limit; /* what is full first */
};
/* Those that differ in kernel, block or shared memory, in the order of the launches, `most` of them
 * at most; returns how many. */
int mend_build_kernels(const struct mend_build *b, enum mend_built side, struct mend_kernel *out,
                       int most);

const char *mend_built_word(enum mend_built side); /* "yours" */

#endif
