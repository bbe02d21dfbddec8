/* What a request needs compiled, for which GPU, and the cache of what was compiled before.
 *
 * A build is one text with one set of defines; a use says as which module of the request the worker
 * will find it. Sources whose defines agree across variants share a build. */
#ifndef WD_RUNNER_BUILD_H
#define WD_RUNNER_BUILD_H

#include <jansson.h>
#include <stdbool.h>

#include "kernels/runner/ipc.h"
#include "kernels/wire/err.h"
#include "kernels/wire/hash.h"
#include "kernels/wire/message_compile.h"
#include "kernels/wire/message_measure.h"

/* Text files that the Makefile puts into the program, ended by {NULL, NULL}. */
struct embedded {
    const char *name, *text;
};
extern const struct embedded device_text[];

#define BUILD_FIGURES \
    "--ptxas-options=-v" /* the option that makes ptxas tell registers and shared memory in the \
                            log */

struct build_target {
    int arch; /* what to compile for: the GPU's own, or the highest below it that NVRTC knows */
    bool cubin;     /* false: PTX, which the driver finishes */
    char nvrtc[32];
    char exact[64]; /* what tells builds of one version apart: sizes of the library and its
                       built-ins */
};

struct build {
    char key[HASH_HEX];
    const char *name, *text; /* borrowed from the request or device_text */
    json_t *options;
    bool ready, device;
    bool refused;  /* it does not compile: the log says why */
    bool cubin;
    bool given;    /* an image of the request: nobody compiles it here */
    int registers; /* of an image: the most per thread that the driver may use; 0: its own choice */
    char *log, *ptx, *image;
    size_t ptx_len, image_len;
};

struct build_plan {
    struct build *builds;
    int n_builds;
    json_t *uses; /* [{"source":"a","variant":-1,"build":0}, {"device":"timing.cu","build":1}]; to
                     compile alone:
                     [{"source":"a","arch":90,"build":0}], build -1 where NVRTC knows no such
                     architecture */
};

/* Chooses sm_`arch`, or the highest architecture below it. ERR_UNSUPPORTED when there is none. */
int build_target_choose(struct build_target *out, int arch, const json_t *archs, const char *nvrtc,
                        struct err *err);

/* Lists what `m` needs (NULL: the runner's own device code alone). Nothing is ready yet. */
void build_plan_make(struct build_plan *out, const struct msg_measure *m,
                     const struct build_target *t);
/* Lists every source of `m` for every architecture, in this order. `any` tells the compiler's
 * version; its arch is not looked at. */
void build_plan_compile(struct build_plan *out, const struct msg_compile *m,
                        const struct build_target *any, const json_t *archs);
void build_plan_free(struct build_plan *p);

/* The header that every source may include. */
const char *build_header(void);

/* Fills a build from the cache (cache.h); false when it is not there. */
bool build_cache_load(struct build *b);

/* Stores a finished build. */
void build_cache_store(const struct build *b);

/* What `from` holds, into a build of the same key. */
void build_copy(struct build *to, const struct build *from);
/* Frees what a build holds of its own. */
void build_clear(struct build *b);

/* Takes what the compiler answered: the image, or why there is none. */
void build_finish(struct build *b, const struct ipc_message *m);
void build_refuse(struct build *b, const struct ipc_message *m);

/* Queues `head` for the worker with "modules" and all images. Every build must be ready. */
int build_plan_send(const struct build_plan *p, struct ipc *worker, json_t *head, struct err *err);

#endif
