#include "kernels/wire/frame.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/wire/text.h"

enum { READ_BLOCK = 64 * 1024 };

/* bytes[start..len) is unread; up to `scanned` it is known to hold no newline. */
struct frame_reader {
    char *bytes;
    size_t start, scanned, len, cap;
    size_t most;   /* bytes of a line */
    bool skipping; /* inside a line that is too long, already reported */
};

struct frame_reader *frame_reader_new(void)
{
    struct frame_reader *r = mem_new(1, sizeof *r);
    r->most = FRAME_MAX;
    return r;
}

void frame_reader_limit(struct frame_reader *r, size_t most)
{
    r->most = most < FRAME_MAX ? most : FRAME_MAX;
}

void frame_reader_free(struct frame_reader *r)
{
    if (!r)
        return;
    free(r->bytes);
    free(r);
}

static void make_room(struct frame_reader *r, size_t n)
{
    if (r->start == r->len)
        r->start = r->scanned = r->len = 0;
    if (r->cap - r->len >= n)
        return;
    if (r->start > 0) {
        memmove(r->bytes, r->bytes + r->start, r->len - r->start);
        r->len -= r->start;
        r->scanned -= r->start;
        r->start = 0;
    }
    if (r->cap - r->len < n) {
        r->cap = (r->len + n) * 2;
        r->bytes = mem_grow(r->bytes, r->cap, 1);
    }
}

int frame_reader_fill(struct frame_reader *r, int fd, struct err *err)
{
    make_room(r, READ_BLOCK);
    ssize_t n = read(fd, r->bytes + r->len, READ_BLOCK);
    if (n > 0) {
        r->len += (size_t)n;
        return 1;
    }
    if (n == 0)
        return err_set(err, ERR_LOST, "the other end closed the connection");
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR)
        return 0;
    return err_set(err, ERR_IO, "cannot read: %s", strerror(errno));
}

void frame_reader_push(struct frame_reader *r, const char *bytes, size_t n)
{
    if (n == 0)
        return;
    make_room(r, n);
    memcpy(r->bytes + r->len, bytes, n);
    r->len += n;
}

static int too_long(size_t most, struct err *err)
{
    return err_set(err, ERR_TOO_LARGE, "a line is longer than %zu bytes", most);
}

static void consume(struct frame_reader *r, size_t upto)
{
    r->start = r->scanned = upto;
}

int frame_reader_next(struct frame_reader *r, char **line, size_t *len, struct err *err)
{
    while (r->start < r->len) {
        char *newline = memchr(r->bytes + r->scanned, '\n', r->len - r->scanned);
        size_t end = newline ? (size_t)(newline - r->bytes) : r->len;
        bool over = end - r->start > r->most;
        char *from = r->bytes + r->start;
        if (!newline && !over && !r->skipping) {
            r->scanned = r->len;
            return 0;
        }
        *len = end - r->start;
        consume(r, newline ? end + 1 : r->len);
        if (r->skipping) {
            r->skipping = !newline;
            continue;
        }
        if (over) {
            r->skipping = !newline;
            return too_long(r->most, err);
        }
        *newline = '\0';
        *line = from;
        return 1;
    }
    return 0;
}

int frame_parse(json_t **out, const char *line, size_t len, struct err *err)
{
    json_error_t why;
    if (len > FRAME_MAX)
        return too_long(FRAME_MAX, err);
    if (memchr(line, '\0', len))
        return err_set(err, ERR_BAD_REQUEST, "a line holds a NUL byte");
    json_t *msg = json_loadb(line, len, JSON_REJECT_DUPLICATES, &why);
    if (!msg)
        return err_set(err, ERR_BAD_REQUEST, "a line is not JSON: %s (byte %d)", why.text,
                       why.position);
    if (!json_is_object(msg)) {
        json_decref(msg);
        return err_set(err, ERR_BAD_REQUEST, "a line is not a JSON object");
    }
    *out = msg;
    return 0;
}

/* bytes[start..len) is not yet written. */
struct frame_writer {
    char *bytes;
    size_t start, len, cap;
};

struct frame_writer *frame_writer_new(void)
{
    return mem_new(1, sizeof(struct frame_writer));
}

void frame_writer_free(struct frame_writer *w)
{
    if (!w)
        return;
    free(w->bytes);
    free(w);
}

static int append(const char *bytes, size_t n, void *arg)
{
    struct frame_writer *w = arg;
    if (w->cap - w->len < n) {
        w->cap = (w->len + n) * 2;
        w->bytes = mem_grow(w->bytes, w->cap, 1);
    }
    memcpy(w->bytes + w->len, bytes, n);
    w->len += n;
    return 0;
}

int frame_writer_put(struct frame_writer *w, const json_t *msg, struct err *err)
{
    if (w->start > 0) {
        memmove(w->bytes, w->bytes + w->start, w->len - w->start);
        w->len -= w->start;
        w->start = 0;
    }
    size_t before = w->len;
    if (json_dump_callback(msg, append, w, JSON_COMPACT | JSON_REAL_PRECISION(17))) {
        w->len = before;
        return err_set(err, ERR_INTERNAL, "a message cannot be written as JSON");
    }
    if (w->len - before > FRAME_MAX) {
        w->len = before;
        return err_set(err, ERR_TOO_LARGE, "a message is longer than %u bytes", FRAME_MAX);
    }
    return append("\n", 1, w);
}

long frame_writer_flush(struct frame_writer *w, int fd, struct err *err)
{
    while (w->start < w->len) {
        ssize_t n = write(fd, w->bytes + w->start, w->len - w->start);
        if (n > 0)
            w->start += (size_t)n;
        else if (n < 0 && errno == EINTR)
            continue;
        else if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK))
            break;
        else if (n < 0 && errno == EPIPE)
            return err_set(err, ERR_LOST, "the other end closed the connection");
        else
            return err_set(err, ERR_IO, "cannot write: %s", strerror(errno));
    }
    if (w->start == w->len)
        w->start = w->len = 0;
    return (long)(w->len - w->start);
}

size_t frame_writer_pending(const struct frame_writer *w)
{
    return w->len - w->start;
}
