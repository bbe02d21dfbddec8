#include "kernels/runner/ipc.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "kernels/wire/text.h"

/* Bytes [start, len) are waiting: to be taken apart (in) or to be written (out). */
struct bytes {
    char *at;
    size_t start, len, cap;
};

struct ipc {
    int fd;
    struct bytes in, out;
    struct ipc_bounds most;
    size_t want; /* bytes of the message whose head has come; 0 when unknown */
};

struct ipc *ipc_new(int fd)
{
    struct ipc *c = mem_new(1, sizeof *c);
    c->fd = fd;
    c->most = (struct ipc_bounds){IPC_BLOBS, IPC_BLOB_MAX, IPC_HEAD_MAX};
    return c;
}

void ipc_bound(struct ipc *c, struct ipc_bounds most)
{
    c->most = most;
}

void ipc_free(struct ipc *c)
{
    if (!c)
        return;
    close(c->fd);
    free(c->in.at);
    free(c->out.at);
    free(c);
}

int ipc_fd(const struct ipc *c)
{
    return c->fd;
}

static char *reserve(struct bytes *b, size_t n)
{
    if (b->start > 0) {
        memmove(b->at, b->at + b->start, b->len - b->start);
        b->len -= b->start;
        b->start = 0;
    }
    if (b->cap - b->len < n) {
        b->cap = (b->len + n) * 2;
        b->at = mem_grow(b->at, b->cap, 1);
    }
    return b->at + b->len;
}

static void append(struct bytes *b, const void *bytes, size_t n)
{
    if (n)
        memcpy(reserve(b, n), bytes, n);
    b->len += n;
}

int ipc_queue(struct ipc *c, const json_t *head, const struct ipc_blob *blobs, int n,
              struct err *err)
{
    json_t *line = json_copy((json_t *)(uintptr_t)head), *lens = json_array();
    for (int i = 0; i < n; i++)
        json_array_append_new(lens, json_integer((json_int_t)blobs[i].len));
    if (n > 0)
        json_object_set(line, "blobs", lens);
    char *text = json_dumps(line, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(lens);
    json_decref(line);
    if (!text)
        return err_set(err, ERR_INTERNAL, "an internal message cannot be written as JSON");
    append(&c->out, text, strlen(text));
    append(&c->out, "\n", 1);
    free(text);
    for (int i = 0; i < n; i++)
        append(&c->out, blobs[i].bytes, blobs[i].len);
    return 0;
}

/* Sockets mostly; a file where a message waits for a process that is started later. */
static ssize_t send_or_write(int fd, const void *bytes, size_t n)
{
    ssize_t sent = send(fd, bytes, n, MSG_DONTWAIT | MSG_NOSIGNAL);
    return sent < 0 && errno == ENOTSOCK ? write(fd, bytes, n) : sent;
}

static ssize_t receive_or_read(int fd, void *bytes, size_t n)
{
    ssize_t got = recv(fd, bytes, n, MSG_DONTWAIT);
    return got < 0 && errno == ENOTSOCK ? read(fd, bytes, n) : got;
}

long ipc_flush(struct ipc *c, struct err *err)
{
    while (c->out.start < c->out.len) {
        ssize_t n = send_or_write(c->fd, c->out.at + c->out.start, c->out.len - c->out.start);
        if (n >= 0)
            c->out.start += (size_t)n;
        else if (errno == EAGAIN || errno == EWOULDBLOCK)
            break;
        else if (errno != EINTR)
            return err_set(err, ERR_LOST, "the other process is gone: %s", strerror(errno));
    }
    return (long)ipc_pending(c);
}

size_t ipc_pending(const struct ipc *c)
{
    return c->out.len - c->out.start;
}

int ipc_send(struct ipc *c, const json_t *head, const struct ipc_blob *blobs, int n,
             struct err *err)
{
    int rc = ipc_queue(c, head, blobs, n, err);
    long left = rc;
    while (rc == 0 && (left = ipc_flush(c, err)) > 0) {
        struct pollfd p = {.fd = c->fd, .events = POLLOUT};
        poll(&p, 1, -1);
    }
    return left < 0 ? (int)left : rc;
}

/* ---- receiving ---- */

static int nonsense(struct err *err)
{
    return err_set(err, ERR_BAD_REQUEST, "an internal message cannot be read");
}

/* How many blob bytes `head` announces, or -1. */
static long blob_bytes(const struct ipc *c, const json_t *head)
{
    const json_t *lens = json_object_get(head, "blobs");
    long sum = 0, most = (long)c->most.blob_bytes;
    if (json_array_size(lens) > (size_t)c->most.blobs)
        return -1;
    for (size_t i = 0; i < json_array_size(lens); i++) {
        json_int_t n = json_integer_value(json_array_get(lens, i));
        if (n < 0 || n > most || (sum += n) > most)
            return -1;
    }
    return sum;
}

static void cut_blobs(struct ipc_message *out, const char *from)
{
    const json_t *lens = json_object_get(out->head, "blobs");
    size_t n = json_array_size(lens);
    out->blobs = mem_new(n, sizeof *out->blobs);
    out->lens = mem_new(n, sizeof *out->lens);
    for (; (size_t)out->n_blobs < n; out->n_blobs++) {
        size_t len = (size_t)json_integer_value(json_array_get(lens, (size_t)out->n_blobs));
        out->blobs[out->n_blobs] = text_ndup(from, len);
        out->lens[out->n_blobs] = len;
        from += len;
    }
}

/* Takes one whole message out of what has come. */
static int take(struct ipc *c, struct ipc_message *out, struct err *err)
{
    size_t have = c->in.len - c->in.start;
    if (have < c->want)
        return 0;
    char *line = have ? c->in.at + c->in.start : NULL;
    char *newline = line ? memchr(line, '\n', have) : NULL;
    if (!newline)
        return have > c->most.head_bytes ? nonsense(err) : 0;
    if ((size_t)(newline - line) > c->most.head_bytes)
        return nonsense(err);
    json_t *head = json_loadb(line, (size_t)(newline - line), 0, NULL);
    long blobs = json_is_object(head) ? blob_bytes(c, head) : -1;
    size_t whole = (size_t)(newline - line) + 1 + (blobs > 0 ? (size_t)blobs : 0);
    if (blobs < 0 || have < whole) {
        json_decref(head);
        c->want = whole;
        return blobs < 0 ? nonsense(err) : 0;
    }
    c->want = 0;
    out->head = head;
    out->head_len = (size_t)(newline - line);
    cut_blobs(out, newline + 1);
    c->in.start += whole;
    return 1;
}

/* One read. 1: bytes came; 0: none now; ERR_LOST at the end. */
static int fill(struct ipc *c, struct err *err)
{
    enum { BLOCK = 1 << 18 };
    ssize_t n = receive_or_read(c->fd, reserve(&c->in, BLOCK), BLOCK);
    if (n > 0) {
        c->in.len += (size_t)n;
        return 1;
    }
    if (n < 0 && (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR))
        return 0;
    return err_set(err, ERR_LOST, "the other process is gone");
}

int ipc_try(struct ipc *c, struct ipc_message *out, struct err *err)
{
    *out = (struct ipc_message){0};
    int rc = take(c, out, err);
    while (rc == 0) {
        rc = fill(c, err);
        if (rc <= 0)
            return rc;
        rc = take(c, out, err);
    }
    return rc;
}

int ipc_recv(struct ipc *c, struct ipc_message *out, struct err *err)
{
    int rc;
    while ((rc = ipc_try(c, out, err)) == 0) {
        struct pollfd p = {.fd = c->fd, .events = POLLIN};
        poll(&p, 1, -1);
    }
    return rc;
}

void ipc_message_free(struct ipc_message *m)
{
    for (int i = 0; i < m->n_blobs; i++)
        free(m->blobs[i]);
    free(m->blobs);
    free(m->lens);
    json_decref(m->head);
    *m = (struct ipc_message){0};
}
