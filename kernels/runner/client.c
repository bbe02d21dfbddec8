#include "kernels/runner/client.h"

#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/runner/faults.h"
#include "kernels/wire/frame.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

enum {
    PROGRESS_LEAST_MS = 100,     /* at most ten a second */
    PROGRESS_MOST_MS = 900,      /* at least one a second */
    DROP_PROGRESS = 64 * 1024,   /* waiting bytes beyond which progress is not worth queueing */
    FULL = 8 << 20,
};

struct client {
    int in, out, out_flags;
    struct frame_reader *reader;
    struct frame_writer *writer;
    char *state;         /* the last one sent, as "is\nsay" */
    int64_t watched;     /* id of the open request, -1 none */
    json_t *progress;    /* the last thing noted */
    bool fresh;          /* it was not sent yet */
    int64_t progress_at; /* when one was last sent */
};

struct client *client_new(int in, int out)
{
    struct client *c = mem_new(1, sizeof *c);
    c->in = in;
    c->out = out;
    c->reader = frame_reader_new();
    c->writer = frame_writer_new();
    c->watched = -1;
    c->out_flags = fcntl(out, F_GETFL);
    fcntl(out, F_SETFL, c->out_flags | O_NONBLOCK);
    return c;
}

void client_free(struct client *c)
{
    if (!c)
        return;
    fcntl(c->out, F_SETFL, c->out_flags); /* the terminal or pipe may be shared with others */
    frame_reader_free(c->reader);
    frame_writer_free(c->writer);
    json_decref(c->progress);
    free(c->state);
    free(c);
}

int client_fill(struct client *c, struct err *err)
{
    return frame_reader_fill(c->reader, c->in, err);
}

int client_next(struct client *c, char **line, size_t *len, struct err *err)
{
    return frame_reader_next(c->reader, line, len, err);
}

int client_flush(struct client *c)
{
    long left = frame_writer_flush(c->writer, c->out, NULL);
    return left < 0 ? (int)left : 0;
}

size_t client_pending(const struct client *c)
{
    return frame_writer_pending(c->writer);
}

bool client_is_full(const struct client *c)
{
    return client_pending(c) > FULL;
}

bool client_send(struct client *c, json_t *msg)
{
    int rc = frame_writer_put(c->writer, msg, NULL);
    json_decref(msg);
    return rc == 0;
}

void client_done(struct client *c, const struct msg_done *d)
{
    struct msg_done whole = *d; /* texts stay the caller's */
    if (d->code && !d->remedy)
        whole.remedy = (char *)(uintptr_t)fault_remedy(d->code);
    client_send(c, msg_done_encode(&whole));
}

void client_refuse(struct client *c, int64_t id, int code, const char *fmt, ...)
{
    char text[2048];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    struct msg_done d = {.id = id,
                         .has_id = id >= 0,
                         .status = DONE_FAILED,
                         .code = code,
                         .text = text};
    client_done(c, &d);
}

void client_state(struct client *c, const char *is, const char *say)
{
    char *now = text_format("%s\n%s", is, say);
    if (c->state && !strcmp(c->state, now)) {
        free(now);
        return;
    }
    free(c->state);
    c->state = now;
    client_send(c, json_pack("{s:s, s:s, s:s}", "type", "state", "is", is, "say", say));
}

/* ---- progress ---- */

void client_watch(struct client *c, int64_t id)
{
    c->watched = id;
    c->progress_at = os_monotonic_ms();
    c->fresh = false;
}

void client_unwatch(struct client *c)
{
    c->watched = -1;
    json_decref(c->progress);
    c->progress = NULL;
}

void client_note_message(struct client *c, json_t *progress)
{
    json_decref(c->progress);
    c->progress = json_incref(progress);
    c->fresh = true;
}

void client_note(struct client *c, const char *phase, const char *say)
{
    json_t *p = json_pack("{s:s, s:I, s:s, s:i, s:i, s:s}", "type", "progress", "id",
                          (json_int_t)c->watched, "phase", phase, "at", 0, "of", 0, "say", say);
    client_note_message(c, p);
    json_decref(p);
}

const char *client_phase(const struct client *c)
{
    const char *say = json_string_value(json_object_get(c->progress, "say"));
    const char *phase = json_string_value(json_object_get(c->progress, "phase"));
    return say && *say ? say : phase ? phase : "";
}

int64_t client_tick(struct client *c, int64_t now)
{
    if (c->watched < 0 || !c->progress)
        return INT64_MAX;
    int64_t due = c->progress_at + (c->fresh ? PROGRESS_LEAST_MS : PROGRESS_MOST_MS);
    if (now < due)
        return due;
    if (client_pending(c) < DROP_PROGRESS)
        client_send(c, json_incref(c->progress));
    c->fresh = false;
    c->progress_at = now;
    return now + PROGRESS_MOST_MS;
}
