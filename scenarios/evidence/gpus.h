/* GPUs that are known without one being there: what their sizes and limits are made of. */
#ifndef WD_SCENARIOS_GPUS_H
#define WD_SCENARIOS_GPUS_H

#include "kernels/wire/err.h"
#include "kernels/wire/message_device.h"

struct gpu { const char *slug, *name, *source; double compute; };

/* The table's row, in the order of compute capability; NULL behind the last. */
const struct gpu *gpu_row(int i);
/* By its slug (nvidia-h200), or by parts of it that only one GPU has (h200, a100-40). NULL, with
 * the slugs of several that have it, or of all where none has. */
const struct gpu *gpu_find(const char *name, struct err *err);
/* The least of a slug that gpu_find takes, with its number and without its maker: "rtx-4090". The
 * whole slug of a GPU that is not in the table. */
enum { GPU_NAME_MOST = 96 };
void gpu_short(char out[GPU_NAME_MOST], const char *slug);
/* The least GPU of the table that has this compute capability or more; NULL: none has. */
const struct gpu *gpu_least(double compute);
/* Its attributes as a runner would describe them; the caller frees with msg_device_free. Ceilings
 * are measured, so there are none. */
void gpu_attributes(struct msg_device *out, const struct gpu *g);

#endif
