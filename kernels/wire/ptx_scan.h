/* What a PTX text that somebody else compiled holds, and what it may not hold.
 *
 * The driver assembles such a text as it stands, so it is read here first, as ptxas reads it: once,
 * from front to back, in time and memory that grow with its length alone. Refused:
 * - names that it does not define: `.extern` of anything but shared memory, a function without a
 *   body (vprintf, malloc and the device runtime are such), a call of a function that is nowhere;
 * - `trap` and `brkpt`, which end the context of every kernel;
 * - more shared memory than a kernel can declare, 48 KiB;
 * - a preprocessor's line (#), a block comment and a backslash, about which readers could differ;
 * - a text that is cut, that has no kernel, or whose head is not .version, .target sm_NN and
 *   .address_size 64;
 * - control characters other than tab and newline, text that is not UTF-8.
 * The error's text is "line 3, column 7: what; what to do", as token_scan's. */
#ifndef WD_WIRE_PTX_SCAN_H
#define WD_WIRE_PTX_SCAN_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/wire/err.h"

enum { PTX_NAME = 64, PTX_PARAMS = 24 }; /* as a launch may have them */

struct ptx_kernel {
    char name[PTX_NAME];
    int n_params;          /* may be more than PTX_PARAMS */
    int bytes[PTX_PARAMS]; /* of each parameter; 0: none that a launch could give */
    unsigned block[3];     /* by .reqntid; 0: any */
};

struct ptx_text {
    int major, minor;    /* of the PTX version */
    int arch;            /* 80 for sm_80 */
    char only;           /* 'a': that architecture alone, 'f': its family, 0: it and all later */
    struct ptx_kernel *kernels; /* owned; those whose names a launch may have */
    int n_kernels;
};

int ptx_scan(struct ptx_text *out, const char *text, size_t len, struct err *err);
void ptx_text_free(struct ptx_text *t);

const struct ptx_kernel *ptx_text_kernel(const struct ptx_text *t, const char *name);

/* May an argument of so many bytes (4: i32, f32; 8: i64, f64, a buffer) be passed for parameter i,
 * counted from 0? One of 4 bytes may be cut to 1 or 2, for which a launch has no type. */
bool ptx_takes(const struct ptx_kernel *k, int i, int bytes);
/* What parameter i takes, as a message says it: "an i32 or f32 (4 bytes)". */
void ptx_wants(char *out, size_t size, const struct ptx_kernel *k, int i);

/* Does the text reach a GPU of this compute capability (90 for 9.0)? */
bool ptx_text_reaches(const struct ptx_text *t, int arch);

#endif
