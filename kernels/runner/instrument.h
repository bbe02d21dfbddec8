/* Rewrites a kernel's PTX so that it counts its own memory instructions: before each load, store
 * and atomic goes a call into device/instrument.cu, whose PTX is put into the same module. Text in,
 * text out; no GPU. */
#ifndef WD_RUNNER_INSTRUMENT_H
#define WD_RUNNER_INSTRUMENT_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/wire/err.h"

enum site_op {
    SITE_LOAD,
    SITE_STORE,
    SITE_ATOMIC,
    SITE_COPY_FROM,
    SITE_COPY_TO,
    SITE_MATRIX_LOAD,
    SITE_MATRIX_STORE
};
enum site_space {
    SITE_GLOBAL,
    SITE_SHARED,
    SITE_LOCAL
}; /* in the order of wd_count_generic's places */

/* One place where a count is kept. An instruction whose address may lie anywhere has three in a
 * row. */
struct site {
    enum site_op op;
    enum site_space space;
    int width;              /* bytes that a lane asks for */
    bool anywhere;          /* one of three in a row */
    const char
        *kernel; /* where its kernel's name begins in the text given; NULL: in another function */
};

struct instrumented {
    char *ptx;
    size_t len;
    struct site *sites;
    int n_sites;
    int unseen;             /* memory instructions of kinds that are not counted */
    char unseen_name[48];   /* the first of them: "wmma.load.a.sync" */
    int shared_float_atomics; /* the machine code makes loops of loads and stores of them */
};

/* What device/instrument.cu keeps a place: WD_COPIES x places x WD_FIELDS numbers of 64 bits, then
 * one that is not 0 when its time was up. Fields: requests, lanes, sectors or wavefronts,
 * wavefronts beyond the least. */
enum { COUNT_COPIES = 16, COUNT_FIELDS = 4 };

/* `library` is the PTX of device/instrument.cu for the same target. ERR_UNSUPPORTED when the text
 * is not PTX as we know it, or uses our names. Nothing is to be freed after a failure. */
int instrument_rewrite(struct instrumented *out, const char *ptx, const char *library,
                       struct err *err);
void instrument_free(struct instrumented *i);

#endif
