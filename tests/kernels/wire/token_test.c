/* What a source becomes, what it may not contain, and which edits its hash does not see. */
#include "kernels/wire/token.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void normalises(void **state)
{
    (void)state;
    static const struct { const char *source, *text; } cases[] = {
        {"", ""},
        {"\n\n  \n", ""},
        {"int  a;\t\n", "int a;\n"},
        {"int a; // why\nint b;", "int a;\nint b;\n"},
        {"int/* x */a;", "int a;\n"},
        {"/* one\n two */ int a;\n", "int a;\n"},
        {"#define A \\\n  1\n", "#define A 1\n"},
        {"in\\\nt a;", "int a;\n"},
        {"// all \\\n of this\nint a;\n", "int a;\n"},
        {"char *s = \"a  // b /* \\\" \";\n", "char *s = \"a  // b /* \\\" \";\n"},
        {"char c = '\"'; // x\n", "char c = '\"';\n"},
        {"int n = 1'000'000; // x\n", "int n = 1'000'000;\n"},
        {"int n = 0x1'ff'f;\n", "int n = 0x1'ff'f;\n"},
        {"char c = u8'a', d = L'b';\n", "char c = u8'a', d = L'b';\n"},
        {"#include \"warpdrill.h\"\n", "#include \"warpdrill.h\"\n"},
        {" # /**/ include/**/\"warpdrill.h\" // ok\n", "# include \"warpdrill.h\"\n"},
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

static void refuses(void **state)
{
    (void)state;
    static const struct { const char *source; int line; } cases[] = {
        {"#include </etc/passwd>\n", 1},
        {"\n\n#include \"x.h\"\n", 3},
        {"  #  include <a>\n", 1},
        {"/* x */ #include <a>\n", 1},
        {"%:include <a>\n", 1},
        {"\?\?=include <a>\n", 1},
        {"int a;\n?\?\\\n=include <a>\n", 2},
        {"?\\\n?/\n", 1},
        {"#inc\\\nlude <a>\n", 1},
        {"#\\\ninclude <a>\n", 1},
        {"// \?\?/\n#include <a>\n", 1},
        {"#define H \"warpdrill.h\"\n#include H\n", 2},
        {"#include \"warpdrill.h\" <a>\n", 1},
        {"#include \"./warpdrill.h\"\n", 1},
        {"#include_next \"warpdrill.h\"\n", 1},
        {"#import \"warpdrill.h\"\n", 1},
        {"#embed \"x\"\n", 1},
        {"#line 7\n", 1},
        {"# 7 \"x\"\n", 1},
        {"#pragma once\n", 1},
        {"#pragma unrolled\n", 1},
        {"int a;\nint b = __LINE__;\n", 2},
        {"const char *f = __FILE__;\n", 1},
        {"#if __has_include(<a>)\n#endif\n", 1},
        {"#if 1'0 && __has_include(<a>) && 1'0\n#endif\n", 1},
        {"#if __has_\\\ninclude(<a>)\n#endif\n", 1},
        {"_Pragma(\"x\")\n", 1},
        {"const char *s = R\"(\n#include <a>\n)\";\n", 1},
        {"const char *s = u8R\"x()x\";\n", 1},
        {"char *s = \"abc\n;\n", 1},
        {"char c = 'a\n", 1},
        {"int a; /* never ends\n", 1},
        {"int a;\x1b\n", 1},
        {"int a;\r\n", 1},
        {"int a;\n// \xFF\n", 2},
        {"\xEF\xBB\xBF#include <a>\n", 1},
        {"int gr\xC3\xBC\xC3\x9F;\n", 1},
        {"// x \\ \n#include <a>\n", 1},
        {"int x = 1.x'0'/*'\n#include <a>\n/**/;\n", 1},
        {"int a; \\", 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct token_text t;
        struct err err = {0};
        char where[16];
        snprintf(where, sizeof where, "line %d: ", cases[i].line);
        int rc = token_scan(&t, cases[i].source, strlen(cases[i].source), &err);
        if (rc != ERR_BAD_REQUEST || strncmp(err.text, where, strlen(where)))
            print_message("# case %zu, %s: %d %s\n", i, cases[i].source, rc, err.text);
        assert_int_equal(rc, ERR_BAD_REQUEST);
        assert_int_equal(strncmp(err.text, where, strlen(where)), 0);
        assert_null(t.text);
    }
}

/* In a comment or a literal these are only text. */
static void allows_in_prose(void **state)
{
    (void)state;
    static const char source[] = "// #include <a> __LINE__ don't\n/* R\"( */ const char *s = \"#include <a> __FILE__\";\n";
    struct token_text t;
    assert_int_equal(token_scan(&t, source, strlen(source), NULL), 0);
    token_free(&t);
}

static void knows_the_source_line(void **state)
{
    (void)state;
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
    (void)state;
    static const char a[] = "int a = 1;\n", same[] = "// new\n\n  int  a = 1; /* why */\n", other[] = "int a = 2;\n";
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
        cmocka_unit_test(allows_in_prose),
        cmocka_unit_test(knows_the_source_line),
        cmocka_unit_test(hash_sees_tokens_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
