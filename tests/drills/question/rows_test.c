/* CSV from friends and from strangers. */
#include "drills/question/rows.h"

#include "tests/unit.h"

static struct rows *read_text(const char *text)
{
    struct rows *r = NULL;
    struct err err = {0};
    if (rows_read(&r, "f.csv", text, strlen(text), &err))
        fail_msg("%s", err.text);
    return r;
}

static void refused(const char *text, size_t len, const char *says)
{
    struct rows *r = NULL;
    struct err err = {0};
    if (!rows_read(&r, "f.csv", text, len, &err))
        fail_msg("taken: %.60s", text);
    if (!strstr(err.text, says))
        fail_msg("expected \"%s\", was told \"%s\"", says, err.text);
    assert_null(r);
}

static void rows_know_their_lines(void **state)
{
    struct rows *r = read_text("\xEF\xBB\xBFid,name [B],note\r\n# a remark, "
                               "1\r\n\r\na,1,\"two\r\nlines\"\r\nb,\"say \"\"x\"\"\",\r\nc\r\n");
    assert_int_equal(r->n, 3);
    assert_int_equal(r->row[0].line, 4);
    assert_int_equal(r->row[1].line, 6);
    assert_string_equal(row_cell(&r->row[1], 1), "say \"x\"");
    assert_string_equal(row_cell(&r->row[2], 2), "");
    assert_int_equal(rows_column(r, "name"), 1);
    assert_int_equal(rows_column(r, "nam"), -1);
    rows_free(r);
}

static void hostile_text_is_refused_with_its_line(void **state)
{
    refused("", 0, "f.csv:1: no row");
    refused("id,name\na,\"never closed\nb,2\n", 26, "f.csv:2: a quote that is never closed");
    refused("id,name\na,b\"c\"\n", 15, "f.csv:2: a stray quote");
    refused("id,name\na,\0b\n", 12, "f.csv:2: bytes that are not plain UTF-8");
    refused("id,name\na,\xff\n", 11, "f.csv:2: bytes that are not plain UTF-8");
    refused("id,name\na,\x1b[2J\n", 14, "f.csv:2: bytes that are not plain UTF-8");
    refused("id,name\na\rb\n", 12, "f.csv:2: bytes that are not plain UTF-8");
    refused("id,id\na,b\n", 10, "f.csv:1: id: stands here twice");
}

static void too_much_is_refused(void **state)
{
    size_t n = 1000001 * 4 + 3, used = 3;
    char *many = malloc(n + 1);
    memcpy(many, "id\n", 3);
    for (int i = 0; i < 1000000; i++, used += 4)
        memcpy(many + used, "abc\n", 4);
    refused(many, used, "f.csv:20002: more than 20000 rows");
    memset(many, 'x', 6000);
    refused(many, 6000, ": a cell of more than 4096 bytes");
    memset(many, ',', 100);
    refused(many, 100, "f.csv:1: more than 64 cells");
    free(many);
}

static void what_is_written_is_read_again(void **state)
{
    static const char *const cells[] = {"plain",
                                        "a,b",
                                        "say \"x\"",
                                        "\n\xEF\xBC\x9D"
                                        "1",
                                        "-3.5e6",
                                        " blank",
                                        "# no remark",
                                        "\xEF\xBC\x9D"
                                        "1"};
    enum { N = sizeof cells / sizeof *cells };
    char text[512] = {0};
    FILE *f = fmemopen(text, sizeof text, "w");
    fputs("a,b,c,d,e,f,g,h\n", f);
    for (int i = 0; i < N; i++) {
        if (i)
            fputc(',', f);
        rows_write_cell(f, cells[i]);
    }
    fputc('\n', f);
    fclose(f);
    struct rows *r = read_text(text);
    for (int i = 0; i < N; i++)
        assert_string_equal(row_cell(&r->row[0], i), cells[i]);
    rows_free(r);
}

static void a_spreadsheet_runs_nothing(void **state)
{
    static const char *const bad[] = {"=1+1",
                                      "+cmd",
                                      "-a",
                                      "@sum",
                                      "\tx",
                                      "\n=1",
                                      "\xEF\xBC\x9D"
                                      "1",
                                      "\xEF\xBC\xA0"
                                      "sum"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[64] = {0};
        FILE *f = fmemopen(text, sizeof text, "w");
        rows_write_cell(f, bad[i]);
        fclose(f);
        assert_int_equal(text[0], '"');
        assert_int_equal(text[1], '\'');
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_know_their_lines),
        cmocka_unit_test(hostile_text_is_refused_with_its_line),
        cmocka_unit_test(too_much_is_refused),
        cmocka_unit_test(what_is_written_is_read_again),
        cmocka_unit_test(a_spreadsheet_runs_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
