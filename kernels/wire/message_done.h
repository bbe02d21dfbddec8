/* How a request ended. */
#ifndef WD_WIRE_MESSAGE_DONE_H
#define WD_WIRE_MESSAGE_DONE_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernels/wire/err.h"

enum done_status { DONE_OK, DONE_PARTIAL, DONE_CANCELLED, DONE_FAILED };
struct msg_done {
    int64_t id; bool has_id;
    enum done_status status;
    int code;                             /* ERR_* when failed, partial or cancelled for a reason */
    char call[64], where[128];            /* "cuLaunchKernel", "timing of a" */
    char *text, *remedy, *log;            /* NULL when absent */
};
int msg_done_decode(struct msg_done *out, const json_t *msg, struct err *err);
json_t *msg_done_encode(const struct msg_done *d);
void msg_done_free(struct msg_done *d);

#endif
