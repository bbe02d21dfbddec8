/* What a source becomes, what it may not contain, and which edits its hash does not see. */
#include "kernels/wire/token.h"

#include "tests/unit.h"

static void normalises(void **state)
{
    static const struct { const char *source, *text; } cases[] = {
        {"", ""},
        {"\n\n  \n", ""},
        {"int  a;\t\n", "int a;\n"},
        {"int a; // why\nint b;", "int a;\nint b;\n"},
        {"int/* x */a;", "int a;\n"},
        {"/* one\n two */ int a;\n", "int a;\n"},
        {"#define A \\\n  1\n", "#define A 1\n"},
        {"int \\\na;", "int a;\n"},
        {"#define A(x)\\\n    x\n", "#define A(x) x\n"},
        {"// all \\\n of this\nint a;\n", "int a;\n"},
        {"char *s = \"a  // b /* \\\" \";\n", "char *s = \"a  // b /* \\\" \";\n"},
        {"char c = '\"'; // x\n", "char c = '\"';\n"},
        {"char c = 1.5e+3-'a', *s = \"a\"\"b\";\n", "char c = 1.5e+3-'a', *s = \"a\"\"b\";\n"},
        {"char c = u8'a', d = L'b';\n", "char c = u8'a', d = L'b';\n"},
        {"#include \"warpdrill.h\"\n", "#include \"warpdrill.h\"\n"},
        {" #  include\t\"warpdrill.h\" // ok\n", "# include \"warpdrill.h\"\n"},
        {"#define S(x) #x\n", "#define S(x) #x\n"},
        {"#pragma unroll 4\n", "#pragma unroll 4\n"},
        {"// gr\xC3\xBC\xC3\x9F\nint a;\n", "int a;\n"},
        {"//* not a block\nint a;\n", "int a;\n"},
        {"a/b", "a/b\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct token_text t;
        struct err err = {0};
        int rc = token_scan(&t, cases[i].source, strlen(cases[i].source), &err);
        if (rc)
            print_message("# %s: %s\n", cases[i].source, err.text);
        assert_int_equal(rc, 0);
        assert_string_equal(t.text, cases[i].text);
        assert_int_equal(t.len, strlen(cases[i].text));
        token_free(&t);
    }
}

/* Whether the scan of the source fails at that place. */
static bool refused_at(const char *source, int line, int column)
{
    struct token_text t;
    struct err err = {0};
    int rc = token_scan(&t, source, strlen(source), &err), at_line, at_column;
    token_error_place(&err, &at_line, &at_column);
    if (rc != ERR_BAD_REQUEST || at_line != line || at_column != column)
        print_message("# %s: %d %s\n", source, rc, err.text);
    token_free(&t);
    return rc == ERR_BAD_REQUEST && at_line == line && at_column == column;
}

static void refuses(void **state)
{
    static const struct { const char *source; int line, column; } cases[] = {
        {"#include </etc/passwd>\n", 1, 1},
        {"\n\n#include \"x.h\"\n", 3, 1},
        {"  #  include <a>\n", 1, 3},
        {"/* x */ #include <a>\n", 1, 9},
        {"%:include <a>\n", 1, 1},
        {"\?\?=include <a>\n", 1, 1},
        {"int a;\n?\?\\\n=include <a>\n", 2, 3},
        {"?\\\n?/\n", 1, 2},
        {"#inc\\\nlude <a>\n", 1, 5},
        {"#\\\ninclude <a>\n", 1, 1},
        {"// \?\?/\n#include <a>\n", 1, 4},
        {"#define H \"warpdrill.h\"\n#include H\n", 2, 1},
        {"#include \"warpdrill.h\" <a>\n", 1, 1},
        {"#include \"./warpdrill.h\"\n", 1, 1},
        {"#include_next \"warpdrill.h\"\n", 1, 1},
        {"#import \"warpdrill.h\"\n", 1, 1},
        {"#embed \"x\"\n", 1, 1},
        {"#line 7\n", 1, 1},
        {"# 7 \"x\"\n", 1, 1},
        {"#pragma once\n", 1, 1},
        {"#pragma unrolled\n", 1, 1},
        {"int a;\nint b = __LINE__;\n", 2, 9},
        {"const char *f = __FILE__;\n", 1, 17},
        {"#if __has_include(<a>)\n#endif\n", 1, 5},
        {"#if 1'0 && __has_include(<a>) && 1'0\n#endif\n", 1, 12},
        {"#if __has_\\\ninclude(<a>)\n#endif\n", 1, 11},
        {"_Pragma(\"x\")\n", 1, 1},
        {"const char *s = R\"(\n#define a\n)\";\n", 1, 18},
        {"const char *s = u8R\"x()x\";\n", 1, 20},
        {"char *s = \"abc\n;\n", 1, 11},
        {"char c = 'a\n", 1, 10},
        {"int a; /* never ends\n", 1, 8},
        {"int a;\x1b\n", 1, 7},
        {"int a;\r\n", 1, 7},
        {"int a;\n// \xFF\n", 2, 4},
        {"\xEF\xBB\xBF#include <a>\n", 1, 1},
        {"int gr\xC3\xBC\xC3\x9F;\n", 1, 7},
        {"// x \\ \n#include <a>\n", 1, 6},
        {"int x = 1.x'0'/*'\n#define a\n/**/;\n", 1, 12},
        {"int a; \\", 1, 8},
        {"/*\n #include <a>\n*/\n", 2, 2},
        {"// __has_include(<a>)\n", 1, 4},
        {"char *s = \"__has_embed\";\n", 1, 12},
        {"int a; /*\n*/ #include <a>\n", 2, 4},
        {"int a; /*\n*/ \\\n #pragma once\n", 3, 2},
        {"/**/ #include \"warpdrill.h\"\n", 1, 6},
        {"# /* x */ include <a>\n", 1, 3},
        {"#define C(a, b) a##b\n", 1, 18},
        {"#define C(a, b) a #  # b\n", 1, 19},
        {"#define X x'1'2'3 \"' /* \"\n", 1, 12},
        {"#define X L'1'2\n", 1, 15},
        {"#define X 1.'2 \"' /* \"\n", 1, 13},
        {"#define X 1e+'2'\n", 1, 14},
        {"#define X .1'2'\n", 1, 13},
        {"#if 0\n1'0/*\n#endif\n", 2, 2},
        {"int n = 1'000;\n", 1, 10},
        {"int n = \"a\"_s;\n", 1, 12},
        {"int n = x\"a\";\n", 1, 10},
        {"a %: b\n", 1, 3},
        {"int a$;\n", 1, 6},
        {"int a = \\u0041;\n", 1, 9},
        {"int \f a;\n", 1, 5},
        {"in\\\nt a;\n", 1, 3},
        {"#if X(\"\\u00e4\") && __FILE__\n", 1, 20},
    };
    int wrong = 0;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        wrong += !refused_at(cases[i].source, cases[i].line, cases[i].column);
    assert_int_equal(wrong, 0);
}

/* An error names what to write; its text comes back without the place. */
static void says_what_to_write(void **state)
{
    struct token_text t;
    struct err err = {0};
    int line, column;
    assert_int_equal(token_scan(&t, "\nint n = 1'000;\n", 16, &err), ERR_BAD_REQUEST);
    assert_string_equal(err.text, "line 2, column 10: a quote right behind a number; write digits "
                                  "without separators, as 1000000");
    assert_true(strstr(token_error_place(&err, &line, &column), "a quote") != NULL);
    assert_int_equal(line, 2);
    assert_int_equal(column, 10);
}

static void knows_forbidden_words(void **state)
{
    assert_string_equal(token_forbidden("a __FILE__ b"), "__FILE__ b");
    assert_string_equal(token_forbidden("__has_include_next"), "__has_include_next");
    assert_null(token_forbidden("1 + x__FILE__ - __FILE__x"));
}

/* In a comment or a literal these are only text; what asks for files is not to be there either. */
static void allows_in_prose(void **state)
{
    static const char source[] =
        "// #include <a> __LINE__ don't\n/* R\"( */ const char *s = \"#include <a> __FILE__\";\n"
        "/*\n# Title, 1'000 ##\n#include \"warpdrill.h\"\n */\n";
    struct token_text t;
    assert_int_equal(token_scan(&t, source, strlen(source), NULL), 0);
    token_free(&t);
}

static void knows_the_source_line(void **state)
{
    static const char source[] = "// head\n\nint a;\n#define B \\\n  2\n/* x\n */ int c;\nint d;";
    static const int lines[] = {3, 4, 7, 8};
    struct token_text t;
    assert_int_equal(token_scan(&t, source, strlen(source), NULL), 0);
    assert_int_equal(t.lines, 4);
    for (int i = 0; i < 4; i++)
        assert_int_equal(t.line_of[i], lines[i]);
    token_free(&t);
}

static void hash_sees_tokens_only(void **state)
{
    static const char a[] = "int a = 1;\n", same[] = "// new\n\n  int  a = 1; /* why */\n",
                      other[] = "int a = 2;\n";
    char h[HASH_HEX], k[HASH_HEX];
    assert_int_equal(token_hash(h, a, strlen(a), NULL), 0);
    assert_int_equal(token_hash(k, same, strlen(same), NULL), 0);
    assert_string_equal(h, k);
    assert_int_equal(token_hash(k, other, strlen(other), NULL), 0);
    assert_string_not_equal(h, k);
    assert_int_equal(token_hash(k, "/*", 2, NULL), ERR_BAD_REQUEST);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(normalises),
        cmocka_unit_test(refuses),
        cmocka_unit_test(says_what_to_write),
        cmocka_unit_test(knows_forbidden_words),
        cmocka_unit_test(allows_in_prose),
        cmocka_unit_test(knows_the_source_line),
        cmocka_unit_test(hash_sees_tokens_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
