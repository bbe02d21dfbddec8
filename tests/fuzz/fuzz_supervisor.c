/* The runner's own end: a conversation that is open, any bytes behind it, then the end of the
 * input. Every line of the answer is a message, and each request that has an id that can be used
 * gets one done at the most. Children are started and fail at once. */
#include <assert.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernels/runner/supervisor.h"
#include "kernels/wire/frame.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char opening[] = "{\"type\":\"open\",\"protocol\":1,\"client\":\"fuzz\",\"nonce\":"
                              "\"0\"}\n";

static int file_of(const void *bytes, size_t n)
{
    int fd = memfd_create("fuzz", MFD_CLOEXEC);
    ssize_t put = write(fd, opening, sizeof opening - 1);
    assert(put == (ssize_t)sizeof opening - 1);
    put = n ? write(fd, bytes, n) : 0;
    assert(put == (ssize_t)n);
    lseek(fd, 0, SEEK_SET);
    return fd;
}

static void check_answers(int fd)
{
    struct frame_reader *r = frame_reader_new();
    struct err err = {0};
    char *line;
    size_t len;
    int lines = 0;
    lseek(fd, 0, SEEK_SET);
    while (frame_reader_fill(r, fd, &err) > 0)
        while (frame_reader_next(r, &line, &len, &err) > 0) {
            json_t *msg = NULL;
            int rc = frame_parse(&msg, line, len, &err);
            assert(rc == 0 && json_is_string(json_object_get(msg, "type")));
            assert(lines++ > 0 || !strcmp(json_string_value(json_object_get(msg, "type")), "hell"
                                                                                           "o"));
            json_decref(msg);
        }
    frame_reader_free(r);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    int in = file_of(data, size), out = memfd_create("answers", MFD_CLOEXEC);
    int status = supervisor_run("/bin/false", in, out);
    assert(status == EXIT_SUCCESS);
    check_answers(out);
    close(in);
    close(out);
    return 0;
}
