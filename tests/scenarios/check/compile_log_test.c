/* What is read out of a compiler's log: real ones of NVRTC 13.0, shortened. */
#include "scenarios/check/compile_log.h"

#include "tests/unit.h"

static const char source[] =
    "extern \"C\" __global__ void sums(float *o)\n{\n\to[0] = foo + 1;\n    o[1] = bar;\n    // "
    "\303\244\303\266 o[2] = baz;\n\n#error \"needs sm_80\"\n}\n";

static struct compile_errors read_log(const char *log)
{
    static struct file file = {.path = "a/suspect.cu",
                               .text = (char *)(uintptr_t)source,
                               .len = sizeof source - 1};
    return compile_log_read(log, "suspect.cu", &file);
}

struct expected { int line, col; const char *text; };

static void expect(const char *log, int n, const struct expected *errors)
{
    struct compile_errors e = read_log(log);
    for (int i = 0; i < e.n; i++)
        print_message("# %d:%d %s\n", e.all[i].line, e.all[i].col, e.all[i].text);
    assert_int_equal(e.n, n);
    for (int i = 0; i < n; i++) {
        assert_string_equal(e.all[i].text, errors[i].text);
        assert_int_equal(e.all[i].line, errors[i].line);
        assert_int_equal(e.all[i].col, errors[i].col);
    }
    compile_errors_free(&e);
}

static void errors_stand_below_their_caret(void **state)
{
    expect("suspect.cu(3): error: identifier \"foo\" is undefined\n  \to[0] = foo + 1;\n  \t       "
           "^\n\nsuspect.cu(4): error: identifier \"bar\" is undefined\n      o[1] = bar;\n        "
           "     ^\n\n2 errors detected in the compilation of \"suspect.cu\".\n",
           2,
           (struct expected[]){{3, 9, "identifier \"foo\" is undefined"},
                               {4, 12, "identifier \"bar\" is undefined"}});
    expect("suspect.cu(7): catastrophic error: #error directive: \"needs sm_80\"\n  #error \"needs "
           "sm_80\"\n   ^\n\n1 catastrophic error detected\nCompilation terminated.\n",
           1, (struct expected[]){{7, 2, "#error directive: \"needs sm_80\""}});
}

static void columns_count_characters(void **state)
{
    expect("suspect.cu(5): error: no\n      // \303\244\303\266 o[2] = baz;\n              ^\n", 1,
           (struct expected[]){{5, 11, "no"}});
}

static void without_a_caret_the_line_begins_at_its_first_letter(void **state)
{
    expect("suspect.cu(4): error: Feature 'cp.async' requires .target sm_80 or higher\nptxas fatal "
           "  : Ptx assembly aborted due to errors\n",
           1, (struct expected[]){{4, 5, "Feature 'cp.async' requires .target sm_80 or higher"}});
    expect("suspect.cu(4): error: no\n      other text\n       ^\n", 1,
           (struct expected[]){{4, 5, "no"}});
    expect("suspect.cu(6): error #20-D: an empty line\n", 1,
           (struct expected[]){{6, 1, "an empty line"}});
    expect("suspect.cu(99): error: beyond the end\n", 1,
           (struct expected[]){{0, 0, "suspect.cu, line 99: beyond the end"}});
}

static void warnings_are_left_out(void **state)
{
    expect("suspect.cu(3): warning #177-D: variable \"x\" was declared but never referenced\n  "
           "\to[0]\n  \t^\n\nRemark: The warnings can be suppressed\nsuspect.cu(4): error: no\n",
           1, (struct expected[]){{4, 5, "no"}});
}

static void an_error_without_a_line_stands_at_what_it_quotes(void **state)
{
    expect("ptxas error   : Entry function 'sums' uses too much shared data (0x13880 bytes, 0xc000 "
           "max)\n",
           1,
           (struct expected[]){
               {1, 28,
                "Entry function 'sums' uses too much shared data (0x13880 bytes, 0xc000 max)"}});
    expect("ptxas fatal   : Unresolved extern function '_Z1ff'\n", 1,
           (struct expected[]){{0, 0, "Unresolved extern function '_Z1ff'"}});
    expect("ptxas error   : not of 'sum' alone\n", 1,
           (struct expected[]){{0, 0, "not of 'sum' alone"}});
    expect("suspect.cu(1): Error: Formal parameter space overflowed\n", 1,
           (struct expected[]){{1, 1, "Formal parameter space overflowed"}});
    expect("warpdrill.h(12): error: no\n", 1,
           (struct expected[]){{0, 0, "warpdrill.h, line 12: no"}});
}

static void an_error_is_told_once(void **state)
{
    expect("suspect.cu(4): error: no\nsuspect.cu(4): error: no\nsuspect.cu(3): error: no\n", 2,
           (struct expected[]){{4, 5, "no"}, {3, 2, "no"}});
}

static void a_log_of_no_error_still_failed(void **state)
{
    expect("", 1, (struct expected[]){{0, 0, "the compiler gives no reason"}});
    expect("\n  \nsomething else\nmore\n", 1, (struct expected[]){{0, 0, "something else"}});
    expect("suspect.cu(", 1, (struct expected[]){{0, 0, "suspect.cu("}});
    expect("suspect.cu(3): error", 1, (struct expected[]){{0, 0, "suspect.cu(3): error"}});
    expect("ptxas error", 1, (struct expected[]){{0, 0, "ptxas error"}});
    expect("ptxas error '", 1, (struct expected[]){{0, 0, "ptxas error '"}});
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(errors_stand_below_their_caret),
        cmocka_unit_test(columns_count_characters),
        cmocka_unit_test(without_a_caret_the_line_begins_at_its_first_letter),
        cmocka_unit_test(warnings_are_left_out),
        cmocka_unit_test(an_error_without_a_line_stands_at_what_it_quotes),
        cmocka_unit_test(an_error_is_told_once),
        cmocka_unit_test(a_log_of_no_error_still_failed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
