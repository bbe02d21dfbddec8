/* Lines out of any pieces of a stream, and back into a pipe that takes little at a time. */
#include "kernels/wire/frame.h"

#include <fcntl.h>
#include <unistd.h>

#include "kernels/wire/text.h"
#include "tests/unit.h"

static void lines_do_not_depend_on_pieces(void **state)
{
    static const char stream[] = "one\n\nthree 3\nrest";
    static const char *const want[] = {"one", "", "three 3"};
    for (size_t piece = 1; piece < sizeof stream; piece++) {
        struct frame_reader *r = frame_reader_new();
        int got = 0;
        for (size_t at = 0; at < sizeof stream - 1; at += piece) {
            size_t left = sizeof stream - 1 - at;
            char *line;
            size_t len;
            frame_reader_push(r, stream + at, left < piece ? left : piece);
            while (frame_reader_next(r, &line, &len, NULL) == 1) {
                assert_true(got < 3);
                assert_string_equal(line, want[got]);
                assert_int_equal(len, strlen(want[got++]));
            }
        }
        assert_int_equal(got, 3);
        frame_reader_free(r);
    }
}

static void a_line_too_long_is_skipped(void **state)
{
    struct frame_reader *r = frame_reader_new();
    struct err err = {0};
    char *block = mem_new(FRAME_MAX, 1), *line;
    size_t len;
    memset(block, 'x', FRAME_MAX);
    frame_reader_push(r, block, FRAME_MAX);
    assert_int_equal(frame_reader_next(r, &line, &len, &err), 0);
    frame_reader_push(r, "\n", 1); /* exactly the cap: still a line */
    assert_int_equal(frame_reader_next(r, &line, &len, &err), 1);
    assert_int_equal(len, FRAME_MAX);
    for (int i = 0; i < 3; i++) {
        frame_reader_push(r, block, FRAME_MAX);
        assert_int_equal(frame_reader_next(r, &line, &len, &err), i == 1 ? ERR_TOO_LARGE : 0);
    }
    frame_reader_push(r, "end\nnext\n", 9);
    assert_int_equal(frame_reader_next(r, &line, &len, &err), 1);
    assert_string_equal(line, "next");
    frame_reader_push(r, block, FRAME_MAX);
    frame_reader_push(r, "x\nafter\n", 8); /* one byte too many, and whole */
    assert_int_equal(frame_reader_next(r, &line, &len, &err), ERR_TOO_LARGE);
    assert_int_equal(frame_reader_next(r, &line, &len, &err), 1);
    assert_string_equal(line, "after");
    free(block);
    frame_reader_free(r);
}

static void only_one_plain_object_is_a_message(void **state)
{
    static const char *const bad[] = {"",
                                      "x",
                                      "[1]",
                                      "1",
                                      "{\"a\":1",
                                      "{\"a\":1}{}",
                                      "{\"a\":1,\"a\":2}",
                                      "{\"a\":\"\\u0000\"}",
                                      "{\"a\":1e999}",
                                      "{\"a\":NaN}",
                                      "{\"a\":\"\xFF\"}",
                                      "{\"a\":99999999999999999999}",
                                      "{'a':1}"};
    struct err err = {0};
    json_t *msg = NULL;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        err.text[0] = '\0';
        assert_int_equal(frame_parse(&msg, bad[i], strlen(bad[i]), &err), ERR_BAD_REQUEST);
        assert_string_not_equal(err.text, "");
    }
    assert_int_equal(frame_parse(&msg, "{\"a\":1\0}", 8, &err), ERR_BAD_REQUEST);
    assert_int_equal(frame_parse(&msg, "{\"a\":1}\r", 8, &err), 0);
    assert_int_equal(json_integer_value(json_object_get(msg, "a")), 1);
    json_decref(msg);
}

static void deep_nesting_is_an_error(void **state)
{
    enum { DEPTH = 200000 };
    char *text = mem_new(DEPTH + 8, 1);
    json_t *msg = NULL;
    strcpy(text, "{\"a\":");
    memset(text + 5, '[', DEPTH);
    assert_int_equal(frame_parse(&msg, text, DEPTH + 5, NULL), ERR_BAD_REQUEST);
    free(text);
}

static void open_pipe(int fd[2])
{
    assert_int_equal(pipe(fd), 0);
    fcntl(fd[0], F_SETFL, O_NONBLOCK);
    fcntl(fd[1], F_SETFL, O_NONBLOCK);
}

static void a_full_pipe_keeps_what_it_does_not_take(void **state)
{
    int fd[2], got = 0, sent = 100;
    struct frame_writer *w = frame_writer_new();
    struct frame_reader *r = frame_reader_new();
    char *text = mem_new(10001, 1), *line;
    size_t len;
    open_pipe(fd);
    memset(text, 'y', 10000);
    for (int i = 0; i < sent; i++) {
        json_t *msg = json_pack("{s:i, s:s}", "n", i, "text", text);
        assert_int_equal(frame_writer_put(w, msg, NULL), 0);
        json_decref(msg);
    }
    assert_true(frame_writer_flush(w, fd[1], NULL) > 0);
    while (got < sent) {
        json_t *msg = NULL;
        assert_true(frame_writer_flush(w, fd[1], NULL) >= 0);
        assert_true(frame_reader_fill(r, fd[0], NULL) >= 0);
        while (frame_reader_next(r, &line, &len, NULL) == 1) {
            assert_int_equal(frame_parse(&msg, line, len, NULL), 0);
            assert_int_equal(json_integer_value(json_object_get(msg, "n")), got++);
            json_decref(msg);
        }
    }
    assert_int_equal(frame_writer_pending(w), 0);
    assert_int_equal(frame_reader_fill(r, fd[0], NULL), 0);
    close(fd[1]);
    assert_int_equal(frame_reader_fill(r, fd[0], NULL), ERR_LOST);
    close(fd[0]);
    free(text);
    frame_writer_free(w);
    frame_reader_free(r);
}

static void a_message_too_long_leaves_no_trace(void **state)
{
    struct frame_writer *w = frame_writer_new();
    struct err err = {0};
    char *text = mem_new(FRAME_MAX + 1, 1);
    memset(text, 'z', FRAME_MAX);
    json_t *big = json_pack("{s:s}", "a", text), *small = json_pack("{s:i}", "a", 1);
    assert_int_equal(frame_writer_put(w, big, &err), ERR_TOO_LARGE);
    assert_int_equal(frame_writer_pending(w), 0);
    assert_int_equal(frame_writer_put(w, small, &err), 0);
    assert_int_equal(frame_writer_pending(w), strlen("{\"a\":1}\n"));
    json_decref(big);
    json_decref(small);
    free(text);
    frame_writer_free(w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_do_not_depend_on_pieces),
        cmocka_unit_test(a_line_too_long_is_skipped),
        cmocka_unit_test(only_one_plain_object_is_a_message),
        cmocka_unit_test(deep_nesting_is_an_error),
        cmocka_unit_test(a_full_pipe_keeps_what_it_does_not_take),
        cmocka_unit_test(a_message_too_long_leaves_no_trace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
