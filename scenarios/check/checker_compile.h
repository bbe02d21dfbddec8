/* Kernels held against compilers: does every source of a variant compile for the architectures
 * that its story claims, and does it then have the kernels that launches name? NVRTC does it behind
 * a runner; no GPU is needed. */
#ifndef WD_SCENARIOS_CHECKER_COMPILE_H
#define WD_SCENARIOS_CHECKER_COMPILE_H

#include "scenarios/check/findings.h"
#include "scenarios/supply/client.h"

/* What was done so far. */
struct compile_told {
    char nvrtc[32];                            /* "13.0"; "" before the first answer */
    int n_images; /* sources times architectures, each distinct one once */
    int arch[CAP_ARCHS], n_arch;               /* that were tried, ascending: 75, 80, ... */
    int skipped[CAP_ARCHS], n_skipped;         /* that this NVRTC does not know */
};

struct compile_check;
typedef void compile_progress(void *ctx, const struct variant *v,
                              const char *say); /* "compiling fix.cu for sm_90" */

/* Borrows the client, which may still be starting. `progress` may be NULL. */
struct compile_check *compile_check_new(struct client *client, compile_progress *progress,
                                        void *ctx);
void compile_check_free(struct compile_check *k);
const struct compile_told *compile_check_told(const struct compile_check *k);

/* Compiles suspect, fix, best and reference with the macros of each recorded GPU (of a large one
 * where none is recorded), and of each step that changes a macro, for the oldest architecture, the
 * newest and the GPU's own; for all others too where one of these has a fault, or where a source
 * asks for __CUDA_ARCH__. What another variant or another file had compiled already, the same text,
 * is not compiled again. Of a task its empty kernel stands for the suspect. Adds findings of the
 * rules `compiles` and `kernel-name`, one for a fault however many architectures share it. Of a
 * sealed variant the suspect alone. Fails only when nothing can be compiled: no runner, an old one,
 * no NVRTC. */
int compile_check_variant(struct compile_check *k, struct findings *f, const struct variant *v,
                          struct err *err);

#endif
