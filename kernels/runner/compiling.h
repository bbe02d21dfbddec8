/* What a request to compile alone is answered, as messages. */
#ifndef WD_RUNNER_COMPILING_H
#define WD_RUNNER_COMPILING_H

#include <jansson.h>

#include "kernels/runner/build.h"

/* Which compiler there is, and what for. */
json_t *compiling_compiler(int64_t id, const char *nvrtc, const json_t *archs);

/* What became of one use of the plan: `b` is ready or refused, NULL where NVRTC knows no such
 * architecture. `listing`: with its PTX. */
json_t *compiling_answer(int64_t id, const json_t *use, const struct build *b, const char *nvrtc,
                         bool listing);

#endif
