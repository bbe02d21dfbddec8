/* A text made for a GPU that need not be here, beside those of its variant: what a compiler alone
 * can say of it. Right or fast is nothing that it can tell. */
#ifndef WD_SCENARIOS_MEND_COMPILE_H
#define WD_SCENARIOS_MEND_COMPILE_H

#include "scenarios/evidence/gpus.h"
#include "scenarios/mend/mend_figures.h"
#include "scenarios/supply/client.h"

enum mend_made { MEND_MADE_MINE, MEND_MADE_SUSPECT, MEND_MADE_FIX, MEND_MADE_BEST, MEND_MADE };
const char *mend_made_word(enum mend_made side); /* "yours", "suspect" */

/* One launch of a side. */
struct mend_kernel {
    const struct msg_launch *launch;
    struct mend_figures figures;
    int shared;        /* bytes, the launch's own among them */
    double occupancy;  /* at most; below 0: unknown */
    const char *limit; /* what is full first */
};

struct mend_compile;

/* Asks for `text`, whose launches are read out of it, as made for architecture `arch` (90), with
 * sizes as on the GPU `g`. Borrowed but the text, which is copied. Never NULL: whatever goes wrong
 * is in mend_compile_why. */
struct mend_compile *mend_compile_new(const struct variant *v, const struct gpu *g, int arch,
                                      struct client *client, const char *name, const char *text);
/* Calls off what is under way; accepts NULL. */
void mend_compile_free(struct mend_compile *k);

int64_t mend_compile_id(const struct mend_compile *k); /* of the request; 0: over */
/* Feeds an event of the client; true when it was of this and something changed. */
bool mend_compile_event(struct mend_compile *k, const struct client_event *e);

/* Why the compiler, or what leads to it, said no; "" while nothing did. */
const char *mend_compile_why(const struct mend_compile *k);
bool mend_compile_done(const struct mend_compile *k); /* the person's text compiles */
const char *mend_compile_nvrtc(const struct mend_compile *k);  /* "13.0"; "" before it answered */
const char *mend_compile_gpu(const struct mend_compile *k);    /* whose sizes they are */
/* What came back of a side; NULL: nothing. */
const struct msg_compiled *mend_compile_answer(const struct mend_compile *k, enum mend_made side);
/* The side's launch number `at`, false where the assembler says nothing of it. */
bool mend_compile_kernel(struct mend_kernel *out, const struct mend_compile *k,
                         enum mend_made side, int at);
int mend_compile_launches(const struct mend_compile *k, enum mend_made side);
/* A step may launch a kernel many times: did an earlier launch of the side say the same? */
bool mend_compile_told(const struct mend_compile *k, enum mend_made side, int at);

#endif
