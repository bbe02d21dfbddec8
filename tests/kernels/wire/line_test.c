/* Lines of a file: as they stand there, and no more of one than the bound. */
#include "kernels/wire/line.h"

#include "kernels/wire/err.h"
#include "tests/unit.h"

static void test_lines_as_they_stand(void **state)
{
    static char text[] = "one\n\na\0b\r\n12345678\nrest";
    static const struct {
        const char *text;
        size_t len;
    } want[] = {{"one", 3}, {"", 0}, {"a\0b\r", 4}, {"12345678", 8}, {"rest", 4}};
    FILE *f = fmemopen(text, sizeof text - 1, "r");
    struct file_line l = {0};
    for (size_t i = 0; i < sizeof want / sizeof *want; i++) {
        assert_int_equal(line_read(&l, f, 8), 1);
        assert_int_equal(l.len, want[i].len);
        assert_memory_equal(l.text, want[i].text, l.len + 1);
    }
    assert_int_equal(line_read(&l, f, 8), 0);
    fclose(f);
    free(l.text);
}

static void test_long_lines(void **state)
{
    enum { N = 100000 };
    char *text = malloc(N);
    memset(text, 'x', N);
    text[N - 1] = '\n';
    FILE *f = fmemopen(text, N, "r");
    struct file_line l = {0};
    assert_int_equal(line_read(&l, f, N - 1), 1);
    assert_int_equal(l.len, N - 1);
    assert_int_equal(line_read(&l, f, N), 0);
    fclose(f);
    free(l.text);
    free(text);
}

static void test_no_newline_ever(void **state)
{
    FILE *f = fopen("/dev/zero", "r");
    struct file_line l = {0};
    assert_int_equal(line_read(&l, f, 1 << 16), ERR_TOO_LARGE);
    assert_true(l.room <= 1 << 17);
    fclose(f);
    f = fopen("/tmp", "r"); /* a folder opens and cannot be read */
    assert_int_equal(line_read(&l, f, 1 << 16), ERR_IO);
    fclose(f);
    free(l.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines_as_they_stand),
        cmocka_unit_test(test_long_lines),
        cmocka_unit_test(test_no_newline_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
