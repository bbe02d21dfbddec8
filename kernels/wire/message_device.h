/* A GPU as its runner describes it. */
#ifndef WD_WIRE_MESSAGE_DEVICE_H
#define WD_WIRE_MESSAGE_DEVICE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernels/wire/err.h"
#include "kernels/wire/links.h"
#include "kernels/wire/metric.h"

struct msg_number { char name[48], unit[12]; double value; };
struct msg_tier { enum wire_probe probe; bool ok; char *missing, *say, *remedy; };
struct msg_software { char name[24], text[48]; }; /* "nvdisasm", "13.0"; "" when it is not there */
struct msg_device {
    int64_t id;
    char name[96], slug[64], uuid[48];
    char origin[17]; /* 16 hex digits: which card of which machine, naming neither; "" from older
                        runners */
    struct msg_number *attributes;
    int n_attributes; /* compute, sm_count, l2_bytes, smem_block_optin, ... */
    struct msg_number *ceilings; int n_ceilings;     /* measured: copy (B/s), launch (s), ... */
    char driver[32], nvrtc[32], cupti[32];           /* versions; "" when absent */
    struct msg_tier *tiers; int n_tiers;
    char **throttle; int n_throttle;
    struct msg_software *software;
    int n_software; /* what else is installed there; empty from older runners */
    struct msg_walls {
        bool known;
        char compiler[64], worker[64];
    } walls; /* "files calls memory"; not known from older runners */
    struct msg_links links; /* of two GPUs of its host; gpus 0: nobody measured them */
};
int msg_device_decode(struct msg_device *out, const json_t *msg, struct err *err);
json_t *msg_device_encode(const struct msg_device *d);
void msg_device_free(struct msg_device *d);
bool msg_device_number(const struct msg_device *d, const char *name, double *out); /* attribute */
/* Also one of the links, "peer_copy". */
bool msg_device_ceiling(const struct msg_device *d, const char *name, double *out);

#endif
