/* Compiled sources as the supervisor sends them, loaded into the context on first use. */
#ifndef WD_RUNNER_IMAGES_H
#define WD_RUNNER_IMAGES_H

#include <stdbool.h>

#include "kernels/runner/gpu.h"
#include "kernels/runner/ipc.h"

struct image {
    char source[16];
    int variant;              /* -1: the request's own defines */
    int registers;            /* of PTX: the most per thread; 0: the driver's choice */
    bool given;               /* an image of the request, which the driver assembles */
    void *assembled;          /* owned: its machine code, `bytes` from then on; else NULL */
    bool cubin;               /* else PTX, which the driver compiles */
    const char *log, *ptx;    /* borrowed from the message */
    const void *bytes;
    size_t len;
    cu_module module;         /* NULL until image_function */
};
struct images;

/* Reads the "modules" of a message, which must outlive the result; our own kernels go straight to
 * the gpu. */
int images_new(struct images **out, struct gpu *g, const struct ipc_message *message,
               struct err *err);
void images_free(struct images *images); /* unloads, unless the device is lost */

/* Unloads what was loaded; image_function loads it anew. Kernels found before are gone. */
void images_unload(struct images *images);

/* The image of a source under a variant's defines; falls back to the request's own. NULL if none
 * was sent. */
struct image *images_find(struct images *images, const char *source, int variant);

/* The PTX of device/instrument.cu, borrowed; NULL if none was sent. */
const char *images_instrument(const struct images *images);

/* Loads the image if need be and finds a kernel in it. */
int image_function(cu_function *out, struct images *images, struct image *image, const char *kernel,
                   struct err *err);

/* Loads the image once more, beside what is loaded, and unloads that again: what it costs is what is
 * wanted. ptx: the driver compiles it, as it does for a program that has none for this GPU. */
int image_load_again(struct gpu *g, const struct image *image, bool ptx, struct err *err);

/* Size of a kernel's machine code: section .text.KERNEL of the ELF image; 0 if it is not to be had.
 */
size_t image_code_bytes(const struct image *image, const char *kernel);

/* Loads and stores of global and shared memory in it, as they stand in the machine code. */
struct image_accesses {
    int global_loads, global_stores, shared_loads, shared_stores;
};

/* False when the machine code is not to be had. */
bool image_count_accesses(struct image_accesses *out, const struct image *image,
                          const char *kernel);

/* For each instruction of it whether a warp that stands there waits for an mbarrier: it needs what
 * an earlier one asked of it, whether a phase has ended. malloc'd, *n of them; NULL when the
 * machine code is not to be had. */
bool *image_barrier_waits(size_t *n, const struct image *image, const char *kernel);

/* How many instructions that is, without the empty ones that fill it up at the end; 0 if it is not
 * to be had. */
size_t image_instructions(const struct image *image, const char *kernel);

#endif
