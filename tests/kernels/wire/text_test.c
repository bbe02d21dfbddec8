/* Errors, text from outside, hashes, and what the system gives. */
#include "kernels/wire/text.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/wire/err.h"
#include "kernels/wire/hash.h"
#include "kernels/wire/os.h"
#include "tests/unit.h"

static void finds_the_first_bad_byte(void **state)
{
    static const struct { const char *text; size_t bad; } cases[] = {
        {"", 0},           {"a\tb\n", 4},      {"gr\xC3\xBC\xC3\x9F", 6},  {"\xF0\x9F\x98\x80", 4},
        {"a\x1b[31m", 1},  {"a\rb", 1},        {"ab\x7f", 2},              {"a\xC2\x85", 1},
        {"\xC0\xAF", 0},   {"\xE0\x80\x80", 0}, {"\xED\xA0\x80", 0},       {"\xF4\x90\x80\x80", 0},
        {"ab\xE2\x82", 2}, {"a\x80", 1},       {"x\xE2\x80\xAEy", 1},      {"x\xE2\x81\xA6y", 1},
        {"x\xE2\x80\x93y", 5}, {"\xFF", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(text_first_bad(cases[i].text, strlen(cases[i].text)), cases[i].bad);
}

/* One character between two letters. */
static size_t bad_in_between(uint32_t c)
{
    char text[8] = "a";
    size_t n = 1 + text_encode(text + 1, c);
    text[n++] = 'b';
    return text_first_bad(text, n) == n ? 0 : text_first_bad(text, n);
}

static void what_hides_or_turns_text_is_bad(void **state)
{
    static const uint32_t bad[] = {
        0x00AD, 0x034F,  0x061C,  0x115F,  0x1160,  0x180E,  0x200B,  0x200E,
        0x200F, 0x2028,  0x2029,  0x202A,  0x202E,  0x2060,  0x2064,  0x2066,
        0x2069, 0x206F,  0x3164,  0xFE00,  0xFE0D,  0xFEFF,  0xFFA0,  0xFFF9,
        0xFFFB, 0x1D173, 0xE0000, 0xE0001, 0xE0041, 0xE007F, 0xE0100, 0xE01EF,
    };
    static const uint32_t good[] = {
        0x00A0, 0x00AC, 0x00AE, 0x0301, 0x05D0,  0x0627,  0x200C,   0x200D,
        0x2010, 0x2027, 0x202F, 0x2030, 0x2070,  0x3000,  0x4E00,   0xFE0E,
        0xFE0F, 0xFF1D, 0xFFFC, 0xFFFD, 0x1F600, 0xE1000, 0x10FFFF,
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (bad_in_between(bad[i]) != 1)
            fail_msg("U+%04X passes", (unsigned)bad[i]);
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        if (bad_in_between(good[i]) != 0)
            fail_msg("U+%04X is refused", (unsigned)good[i]);
}

static void a_spreadsheet_would_run_it(void **state)
{
    static const char *const runs[] = {"=1",
                                       "+1",
                                       "-1",
                                       "@x",
                                       "\t=1",
                                       "\r=1",
                                       "\n=1",
                                       "\n",
                                       "'=1",
                                       "''=1",
                                       "\xEF\xBC\x9D"
                                       "1",
                                       "\xEF\xBC\x8B"
                                       "1",
                                       "\xEF\xBC\x8D"
                                       "1",
                                       "\xEF\xBC\xA0"
                                       "x",
                                       "'\xEF\xBC\x9D"
                                       "1"};
    static const char *const rests[] = {"",
                                        "'",
                                        "a=1",
                                        "1",
                                        "\xEF\xBC\x91",
                                        "\xEF\xBC",
                                        "'a",
                                        "\xE2\x88\x92"
                                        "1",
                                        "(=1)"};
    for (size_t i = 0; i < sizeof runs / sizeof *runs; i++)
        assert_true(text_is_formula(runs[i]));
    for (size_t i = 0; i < sizeof rests / sizeof *rests; i++)
        assert_false(text_is_formula(rests[i]));
}

static void cleaning_leaves_only_welcome_text(void **state)
{
    char text[] = "\x1b]0;x\x07 ok \xC2\x85 \xE2\x80\xAE \xFF";
    size_t n = strlen(text);
    text_clean(text, n);
    assert_int_equal(text_first_bad(text, n), n);
    assert_string_equal(text, "?]0;x? ok ?? ??? ?");
}

static void a_character_comes_apart_and_together(void **state)
{
    static const struct { uint32_t c; const char *bytes;
    } cases[] = {
        {0x01, "\x01"},
        {'A', "A"},
        {0x7F, "\x7F"},
        {0x80, "\xC2\x80"},
        {0x7FF, "\xDF\xBF"},
        {0x800, "\xE0\xA0\x80"},
        {0xD7FF, "\xED\x9F\xBF"},
        {0xE000, "\xEE\x80\x80"},
        {0xFFFD, "\xEF\xBF\xBD"},
        {0xFFFF, "\xEF\xBF\xBF"},
        {0x10000, "\xF0\x90\x80\x80"},
        {0x1F600, "\xF0\x9F\x98\x80"},
        {0x10FFFF, "\xF4\x8F\xBF\xBF"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t c = 7;
        char out[TEXT_CHARACTER_MOST];
        size_t n = strlen(cases[i].bytes);
        assert_int_equal(text_decode(&c, cases[i].bytes, n), n);
        assert_int_equal(c, cases[i].c);
        assert_int_equal(text_encode(out, c), n);
        assert_memory_equal(out, cases[i].bytes, n);
        for (size_t cut = 0; cut < n; cut++) { /* an end too early: memory of exactly these bytes */
            char *some = text_ndup(cases[i].bytes, cut),
                 *exact = memcpy(mem_new(cut, 1), some, cut);
            c = 7;
            assert_int_equal(text_decode(&c, exact, cut), 0);
            assert_int_equal(text_decode(&c, cases[i].bytes, cut), 0);
            assert_int_equal(text_decode(&c, some, TEXT_CHARACTER_MOST),
                             cut > 0 ? 0 : 1); /* NUL ends it */
            assert_int_equal(c, cut > 0 ? 7 : 0);
            free(exact);
            free(some);
        }
    }
}

static void what_is_no_character_is_refused(void **state)
{
    static const char *const cases[] = {
        "\x80",
        "\xBF",
        "\xC0\xAF",
        "\xC1\xBF",
        "\xE0\x80\x80",
        "\xE0\x9F\xBF",
        "\xF0\x80\x80\x80",
        "\xF0\x8F\xBF\xBF", /* overlong */
        "\xED\xA0\x80",
        "\xED\xAF\xBF",
        "\xED\xB0\x80",
        "\xED\xBF\xBF", /* surrogates */
        "\xF4\x90\x80\x80",
        "\xF7\xBF\xBF\xBF",
        "\xF8\x88\x80\x80\x80",
        "\xFC\x84\x80\x80\x80\x80",
        "\xFE",
        "\xFF", /* too high */
        "\xC3(",
        "\xE2\x82(",
        "\xE2(\xAC",
        "\xF0\x9F\x98(",
        "\xF0\x9F(\x80",
        "\xF0(\x98\x80",
        "\xC3\xC3",
        "\xE2\xE2\x82\xAC", /* no tail */
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t c = 7;
        const char *at = cases[i];
        assert_int_equal(text_decode(&c, cases[i], strlen(cases[i])), 0);
        assert_int_equal(c, 7);
        assert_int_equal(text_next(&at), TEXT_REPLACEMENT);
        assert_ptr_equal(at, cases[i] + 1);
    }
    char out[TEXT_CHARACTER_MOST];
    static const uint32_t none[] = {0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0x110000, 0xFFFFFF, 0xFFFFFFFF};
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        assert_int_equal(text_encode(out, none[i]), 0);
}

static void text_is_taken_character_by_character(void **state)
{
    const char *s = "a\xC2\xB5\xF0\x9F\x98\x80\xFFz\xE2\x82", *end = s + strlen(s);
    static const uint32_t expected[] =
        {'a', 0xB5, 0x1F600, TEXT_REPLACEMENT, 'z', TEXT_REPLACEMENT, TEXT_REPLACEMENT};
    for (size_t i = 0; i < sizeof expected / sizeof *expected; i++)
        assert_int_equal(text_next(&s), expected[i]);
    assert_ptr_equal(s, end);
}

static void a_cut_is_between_characters(void **state)
{
    static const char text[] = "a\xC2\xB5\xF0\x9F\x98\x80z";
    static const size_t expected[] = {0, 1, 1, 3, 3, 3, 3, 7, 8, 8, 8};
    for (size_t most = 0; most < sizeof expected / sizeof *expected; most++)
        assert_int_equal(text_cut(text, strlen(text), most), expected[most]);
    assert_int_equal(text_cut("\x80\x80\x80", 3, 2), 0);
    assert_false(text_is_tail('a') || text_is_tail('\0') || text_is_tail((char)0xC2) ||
                 text_is_tail((char)0xF0));
    assert_true(text_is_tail((char)0x80) && text_is_tail((char)0xBF));
}

static void errors_are_cut_and_cleaned(void **state)
{
    struct err err = {0};
    assert_int_equal(err_set(&err, ERR_COMPILE, "a \x1b[1m%d", 7), ERR_COMPILE);
    assert_string_equal(err.text, "a ?[1m7");
    assert_int_equal(err_set(&err, ERR_IO, "again: %s", err.text), ERR_IO);
    assert_string_equal(err.text, "again: a ?[1m7");
    err_set(&err, ERR_IO, "%5000s", "x");
    assert_int_equal(strlen(err.text), sizeof err.text - 1);
    assert_int_equal(err_set(NULL, ERR_BUSY, "nobody listens"), ERR_BUSY);
}

static void every_code_has_a_name(void **state)
{
    for (int code = ERR_MISSING; code <= ERR_OK; code++)
        assert_int_equal(err_from_name(err_name(code)), code);
    assert_string_equal(err_name(ERR_BAD_REQUEST), "bad-request");
    assert_string_equal(err_name(ERR_NO_GPU), "no-gpu");
    assert_int_equal(err_from_name("what"), ERR_INTERNAL);
}

static void hashes_are_canonical(void **state)
{
    char a[HASH_HEX], b[HASH_HEX];
    hash_bytes(a, "abc", 3);
    assert_string_equal(a, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    json_t *one = json_loads("{\"b\":[1,2.5],\"a\":\"x\"}", 0, NULL);
    json_t *two = json_loads("{ \"a\" : \"x\", \"b\" : [1, 2.5] }", 0, NULL);
    hash_json(a, one);
    hash_json(b, two);
    assert_string_equal(a, b);
    hash_bytes(b, "{\"a\":\"x\",\"b\":[1,2.5]}", 21);
    assert_string_equal(a, b);
    json_object_set_new(two, "b", json_null());
    hash_json(b, two);
    assert_string_not_equal(a, b);
    json_decref(one);
    json_decref(two);
}

static void copies_are_exact(void **state)
{
    char *a = text_ndup("abcdef", 3), *b = text_format("%s-%d", a, 5), *c = text_dup("");
    assert_string_equal(a, "abc");
    assert_string_equal(b, "abc-5");
    assert_string_equal(c, "");
    free(a);
    free(b);
    free(c);
}

static void a_signal_is_read_once(void **state)
{
    struct err err = {0};
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGUSR1);
    int fd = os_signal_open(&set, &err);
    assert_true(fd >= 0);
    assert_int_equal(os_signal_read(fd), 0);
    raise(SIGUSR1);
    assert_int_equal(os_signal_read(fd), SIGUSR1);
    assert_int_equal(os_signal_read(fd), 0);
    os_signal_close(fd);
}

/* In a process of its own: it is for good. Where the system cannot confine, it must say so. */
static void a_confined_process_opens_no_file(void **state)
{
    int status;
    pid_t pid = fork();
    if (pid == 0) {
        int confined = os_confine_no_files();
        int opens =
            access("/etc/passwd", R_OK) == 0 && system("cat /etc/passwd > /dev/null 2>&1") == 0;
        _exit(confined ? opens : 0);
    }
    assert_int_equal(waitpid(pid, &status, 0), pid);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), 0);
}

static void a_child_dies_with_its_parent(void **state)
{
    int alive[2];
    char byte;
    assert_int_equal(pipe(alive), 0);
    pid_t middle = fork();
    if (middle == 0) {
        int told[2];
        pid_t parent = getpid();
        if (pipe(told) != 0)
            _exit(1);
        if (fork() == 0) {
            os_die_with_parent(parent);
            (void)!write(told[1], "x", 1);
            for (;;)
                pause();
        }
        _exit(read(told[0], &byte, 1) == 1 ? 0 : 1);
    }
    close(alive[1]);
    assert_int_equal(waitpid(middle, NULL, 0), middle);
    alarm(20);                                         /* the bound */
    assert_int_equal(read(alive[0], &byte, 1), 0);     /* the last writer is gone */
    alarm(0);
    close(alive[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_the_first_bad_byte),
        cmocka_unit_test(what_hides_or_turns_text_is_bad),
        cmocka_unit_test(a_spreadsheet_would_run_it),
        cmocka_unit_test(cleaning_leaves_only_welcome_text),
        cmocka_unit_test(a_character_comes_apart_and_together),
        cmocka_unit_test(what_is_no_character_is_refused),
        cmocka_unit_test(text_is_taken_character_by_character),
        cmocka_unit_test(a_cut_is_between_characters),
        cmocka_unit_test(errors_are_cut_and_cleaned),
        cmocka_unit_test(every_code_has_a_name),
        cmocka_unit_test(hashes_are_canonical),
        cmocka_unit_test(copies_are_exact),
        cmocka_unit_test(a_signal_is_read_once),
        cmocka_unit_test(a_confined_process_opens_no_file),
        cmocka_unit_test(a_child_dies_with_its_parent),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
