/* Framing of every conversation: one JSON object a line, UTF-8, no NUL, at most FRAME_MAX bytes. */
#ifndef WD_WIRE_FRAME_H
#define WD_WIRE_FRAME_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "kernels/wire/err.h"

#define FRAME_MAX (4u << 20)

/* ---- reading: bytes in, lines out ---- */
struct frame_reader;
struct frame_reader *frame_reader_new(void);
void frame_reader_free(struct frame_reader *r);
/* Another cap for lines, below FRAME_MAX: of somebody who has little to say. */
void frame_reader_limit(struct frame_reader *r, size_t most);

/* One read(2) from a non-blocking fd. Returns 1 if bytes came, 0 if none are there now,
 * ERR_LOST at end of file, ERR_IO on failure. */
int frame_reader_fill(struct frame_reader *r, int fd, struct err *err);

/* Appends bytes that came by another way (tests, fuzzers). */
void frame_reader_push(struct frame_reader *r, const char *bytes, size_t n);

/* The next whole line, without its newline, NUL-terminated, borrowed until the next call of any
 * function here. Returns 1, or 0 if none is complete, or ERR_TOO_LARGE once for a line over
 * FRAME_MAX (the line is skipped and reading goes on after it). */
int frame_reader_next(struct frame_reader *r, char **line, size_t *len, struct err *err);

/* Parses one line: an object, duplicate keys and NUL refused. The caller owns *out. */
int frame_parse(json_t **out, const char *line, size_t len, struct err *err);

/* ---- writing: never blocks, keeps what the pipe does not take ---- */
struct frame_writer;
struct frame_writer *frame_writer_new(void);
void frame_writer_free(struct frame_writer *w);

/* Queues one message (compact JSON and a newline). The reference to `msg` stays the caller's.
 * ERR_TOO_LARGE if the line would pass FRAME_MAX. */
int frame_writer_put(struct frame_writer *w, const json_t *msg, struct err *err);

/* Writes what the non-blocking fd takes. Returns bytes still queued (0: all gone), or
 * ERR_IO/ERR_LOST. */
long frame_writer_flush(struct frame_writer *w, int fd, struct err *err);
size_t frame_writer_pending(const struct frame_writer *w);

#endif
