/* The supervisor's side of the conversation with the client: lines in, messages out, never waiting
 * for a pipe. It knows the rules of talking (progress between once and ten times a second, a state
 * only when it changes, exactly one done), not what the talk is about. */
#ifndef WD_RUNNER_CLIENT_H
#define WD_RUNNER_CLIENT_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernels/wire/err.h"
#include "kernels/wire/message_done.h"

struct client;

/* Sets `out` non-blocking until client_free. */
struct client *client_new(int in, int out);
void client_free(struct client *c);

/* Reading, as in frame.h. */
int client_fill(struct client *c, struct err *err);
int client_next(struct client *c, char **line, size_t *len, struct err *err);

/* Writes what fits now. Negative when the client is gone. */
int client_flush(struct client *c);
size_t client_pending(const struct client *c);

/* Whether so much waits to be written that nothing more should be taken in. */
bool client_is_full(const struct client *c);

/* Queues a message; takes the reference. False when it is too long for a line. */
bool client_send(struct client *c, json_t *msg);

/* An error without a remedy gets that of its code, where there is one. */
void client_done(struct client *c, const struct msg_done *d);

/* A done without more than a code and a sentence. id < 0: null. */
void client_refuse(struct client *c, int64_t id, int code, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));

/* Sent when `is` or the sentence differs from what was sent last. */
void client_state(struct client *c, const char *is, const char *say);

/* While a request is open, progress is sent: what was last noted, at the right rate. */
void client_watch(struct client *c, int64_t id);
void client_unwatch(struct client *c);
void client_note(struct client *c, const char *phase, const char *say);
void client_note_message(struct client *c, json_t *progress);
const char *client_phase(const struct client *c);

/* Sends what is due, and returns when it wants to be called next (INT64_MAX: not by itself). */
int64_t client_tick(struct client *c, int64_t now);

#endif
