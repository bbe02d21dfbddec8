/* The same variant on another GPU: what estimates across GPUs are asked of. Formulas name it by
 * `other.` (scope.c); an investigation gets it with its first move and keeps it. */
#ifndef WD_SCENARIOS_OTHER_GPU_H
#define WD_SCENARIOS_OTHER_GPU_H

#include "scenarios/evidence/evidence.h"

/* From a recording: the GPU, and of everything measured the times at the story's own size. */
struct other_gpu { struct msg_device device; struct evidence *times; };

/* Which recording answers the estimates across GPUs when `played` is played: that of the most
 * capable GPU of another name which has every time that they name, of today's code and sizes. The
 * caller frees it. NULL: there is none, or the story asks nothing across GPUs. */
struct other_gpu *other_gpu_find(const struct variant *v, const char *played);
void other_gpu_free(struct other_gpu *o);
/* NULL of NULL. */
struct other_gpu *other_gpu_copy(const struct other_gpu *o);

json_t *other_gpu_encode(const struct other_gpu *o);
int other_gpu_decode(struct other_gpu **out, const json_t *obj, struct err *err);

/* Is this an attribute of the other GPU, without "other.gpu.", that other_gpu_says tells? */
bool other_gpu_tells(const char *attribute);
/* What there is to reckon with, a sentence each line: both GPUs' attributes, `time` here (seconds;
 * 0: unknown) and, where the story has other sizes there, which. */
enum { OTHER_GPU_SAYS = 800 };
void other_gpu_says(char *out, size_t size, const struct story *story,
                    const struct msg_device *here, double time, const struct other_gpu *o);

#endif
