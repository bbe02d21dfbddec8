/* The GPUs of which a catalog has recorded evidence, as people choose among them. */
#ifndef WD_SCENARIOS_RECORDED_GPUS_H
#define WD_SCENARIOS_RECORDED_GPUS_H

#include "kernels/wire/message_device.h"
#include "scenarios/library/catalog.h"

enum { RECORDED_GPUS = 8 };               /* at most; more are not listed */
struct recorded_gpus {
    struct recorded_gpu {
        char slug[64];                    /* of its files: "nvidia-h200" */
        char name[sizeof((struct msg_device *)0)->name];   /* "NVIDIA H200" */
    } gpu[RECORDED_GPUS];
    int n;
};

/* Sorted by slug. One recording of each is read for its name; a GPU of which none can be read has
 * its slug for a name. c may be NULL: none. */
void recorded_gpus_find(struct recorded_gpus *out, const struct catalog *c);
/* The name that goes with a slug; the slug itself where nothing of that GPU is recorded. */
const char *recorded_gpus_name(const struct recorded_gpus *g, const char *slug);

#endif
