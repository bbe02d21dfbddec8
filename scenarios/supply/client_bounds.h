/* How much a runner may say to one request, and for how long: no runner, hostile or broken, makes
 * an answer without end. Pure; the time is the caller's. */
#ifndef WD_SCENARIOS_CLIENT_BOUNDS_H
#define WD_SCENARIOS_CLIENT_BOUNDS_H

#include <jansson.h>
#include <stddef.h>
#include <stdint.h>

#include "kernels/wire/err.h"

enum {
    BOUNDS_ANSWERS = 8,      /* parts of one item: each run, and their ratio */
    BOUNDS_MESSAGES = 65536, /* of a request, progress too */
    BOUNDS_BYTES = 64 << 20,
    BOUNDS_DESCRIBE_MS = 60000,  /* what a request without a deadline of its own may take */
    BOUNDS_SLACK_MS = 30000,     /* for the link, and for a worker that has to be ended */
    BOUNDS_GREETING_MS = 600000, /* until the runner's greeting, a queue apart */
};

struct client_bounds {
    int64_t until_ms; /* 0: no request is under way */
    int64_t allowed_ms;
    size_t answers, messages, bytes, most; /* most: answers to this request */
};

/* A request is sent now. */
void bounds_begin(struct client_bounds *b, const json_t *request, int64_t now_ms);
/* It has ended; until the next one is sent, messages and bytes count on. */
void bounds_end(struct client_bounds *b);

/* Another line came; another answer was in it (a part, a device, what was compiled). ERR_TOO_LARGE
 * with a sentence. */
int bounds_line(struct client_bounds *b, size_t len, struct err *err);
int bounds_answer(struct client_bounds *b, struct err *err);
/* ERR_TIMEOUT with a sentence once the request is overdue. */
int bounds_time(const struct client_bounds *b, int64_t now_ms, struct err *err);

#endif
