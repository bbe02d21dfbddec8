/* What a kernel works on. */
#ifndef WD_SCENARIOS_PACK_BUFFERS_H
#define WD_SCENARIOS_PACK_BUFFERS_H

#include "scenarios/pack/pack_read.h"

/* Of a buffer of this type. */
int read_fill(struct reader *r, const struct yaml *y, enum elem_type type, struct msg_fill *out);
int read_buffers(struct reader *r, struct story *s, const struct yaml *y);
/* Workspaces that only some runs have, beside those launches; another variant may have the same.
 * y NULL: none. */
int read_workspaces(struct reader *r, struct story *s, const struct yaml *y);
/* y NULL: no bytes and no flops. */
int read_work(struct reader *r, struct story *s, const struct yaml *y);

#endif
