/* A compilation: the request, which compiler answers, and one answer for each source and
 * architecture. */
#ifndef WD_WIRE_MESSAGE_COMPILE_H
#define WD_WIRE_MESSAGE_COMPILE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernels/wire/err.h"
#include "kernels/wire/message.h"

/* Compiles every source for every architecture, touching no GPU. */
struct msg_compile {
    int64_t id, deadline_ms;
    struct msg_source *sources; int n_sources;
    struct msg_define *define; int n_define;
    int arch[CAP_ARCHS]; int n_arch; /* 90 for "sm_90" */
    bool listing; /* with the PTX and the machine code of each */
};
int msg_compile_decode(struct msg_compile *out, const json_t *msg, struct err *err);
json_t *msg_compile_encode(const struct msg_compile *m); /* new reference */
void msg_compile_free(struct msg_compile *m);            /* frees what it holds, not m */

/* What compiles there: comes before the first msg_compiled. */
struct msg_compiler { int64_t id; char nvrtc[32]; int arch[CAP_ARCHS]; int n_arch; };
int msg_compiler_decode(struct msg_compiler *out, const json_t *msg, struct err *err);
json_t *msg_compiler_encode(const struct msg_compiler *c);

enum compiled { COMPILED_OK, COMPILED_NOT, COMPILED_SKIPPED };
struct msg_compiled {          /* one source for one architecture */
    int64_t id;
    char source[16];
    int arch;
    enum compiled is;
    char **kernels; int n_kernels; /* ok: the kernels' names in the image */
    char *ptx; /* ok, where a listing was asked for and it is no longer than an image; else NULL */
    char *cubin; /* likewise: the machine code in base64 */
    char *figures; /* ok: what the assembler said, "Used 21 registers, ..."; NULL: nothing */
    char *log; /* not: what the compiler said, lines as "suspect.cu(12): error: ..." where it named
                  one */
    char *say;                 /* skipped: why it was not tried */
};
int msg_compiled_decode(struct msg_compiled *out, const json_t *msg, struct err *err);
json_t *msg_compiled_encode(const struct msg_compiled *c);
void msg_compiled_free(struct msg_compiled *c);

#endif
