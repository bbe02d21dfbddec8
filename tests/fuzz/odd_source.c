#include "tests/fuzz/odd_source.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

struct text {
    char *to;
    size_t len;
    uint64_t *seed;
    int canary, canaries;
    unsigned wild; /* one piece in so many is not tame */
};

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define ANY(t, list) (list)[below((t), COUNT(list))]

static unsigned below(struct text *t, unsigned n)
{
    uint64_t x = *t->seed;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    *t->seed = x;
    return (unsigned)((x >> 33) % n);
}

static void add(struct text *t, const char *s)
{
    size_t n = strlen(s);
    if (t->len + n >= ODD_SOURCE_MOST)
        return;
    memcpy(t->to + t->len, s, n + 1);
    t->len += n;
}

/* What begins or ends a literal, a comment or a number, or nearly does. */
static const char *const edges[] = {
    "'", "'", "'", "\"", "\"", "/*", "/*", "*/", "*/", "//", "/**/", "/*/", "//*", "/ *",
    "* /", "\\'", "\\\"", "\\\\", "\\",
    "'a'", "'\"'", "\"'\"", "\"/*\"", "'/*'", "\"*/\"", "\"//\"", "''", "\"\"", "'\\''",
    "\"\\\"\"", "'\\\\'", "'1'2'3", "1'0", "0x1'f",
    "L'", "u'", "U'", "u8'", "L\"", "u8\"", "x'", "x\"", "R\"(", ")\"", "u8R\"x(", ")x\"",
    "_'", "L'a'", "\"a\"_s", "'a'_s", "\"a\"\"b\"",
    "1.'", "1.", ".1'", "1e+'", "1e-", "0x1p+'", "1.e", "..", "1..'", "1_", "\?\?/", "\?\?'",
    "\?\?=", "R\"", "'\"", "\"'",
};
/* What the scanner takes, so that more is read than refused. */
static const char *const tame[] = {
    "'a'", "'\"'", "\"'\"", "\"/*\"", "'/*'", "\"*/\"", "\"//\"", "''", "\"\"", "'\\''",
    "\"\\\"\"", "'\\\\'", "'//'", "\"\\\\\"", "L'a'", "u8\"'\"", "U'\"'",
    "/**/", "/*'*/", "/*\"*/", "/*//*/", "/* /* */", "/*\n*/", "/*\n'\n*/", "/*\n#\n*/",
    "/***/", "/* \\\n*/", "/* \\\n */", "/*\n\"*/", "/* '\\\n */",
    "//\n", "// '\n", "// /*\n", "// \"\n", "// \\\n '\n", "// */\n", "1.", "1e+", ".5", "x",
    "L", "u8", "0x1p-", "1e", "..", "1..", "/ *", "* /",
    "#", "X", "F(1)", "(", ")", ",", "+", "e", "0", "<", ">", "<:", "=", ";", "int a;", "{",
    "}", "\\\n ", " \\\n", "defined", "\"a\"\"b\"", "\"a\"'b'", "'a'\"b\"",
};
/* Quotes in rows with numbers and words, and what is a comment only for who counted them as we do
 * not. */
static const char *const rows[] = {
    "x", "L", "u8", "_", "1", "1.", ".5", "1e+", "0x1p-", "1_", "'", "'", "'", "1'", "'1'",
    "'a'", "1'0", "\"a\"", "'\\''", "''", "\\", "$", "<", "#", "/**/", " ",
};
static const char *const hinges[] = {
    " \"' /* \"", " '\" /* '", "/*'", "/*", " \"' // \\\n\"", "'/*'", " \"' */ \"", "/*'*/",
    "/*\"*/", " '/*\"'", "\"'/*\"", " /* \\\n",
};
static const char *const words[] = {
    "x", "L", "u", "U", "u8", "R", "e", "1", "0", ".", "+", "-", "(", ")", ",", "#", "##",
    "%:", "%:%:", "<:", ":>", "<", ">", "X", "F(", "C(a,b)",
    "defined", "__VA_ARGS__", "\\u0041", "$", "@", "`", "asm(", "int a;", "{", "}", ";", "=",
    "/", "*", "0", "&&", "?", ":", "_Pra", "__has_", "include",
};
static const char *const heads[] = {
    "#define X ", "#define X ", "#define F(a) ", "#define C(a,b) a##b ", "#define S(a) #a ",
    "#define V(...) ", "#undef X ", "#if 0 ", "#if 0\n", "#if 0\n", "#if 1 ",
    "#if X ", "#else ", "#elif 1 ", "#elif 0 ", "#endif\n", "#endif ", "#ifdef X ",
    "#ifndef X ", "#pragma unroll ", "#warning ", "# ", "%:define X ", "#\n",
    "#if 0\n#error ", "#define defined ", "X ", "F(", "/**/#define Y ", "#de\\\nfine Z ",
    "#define\\\n Z ", "// ", "/* ", "",
};
static const char *const blanks[] = {" ", " ", "", "", "", "\t", "\\\n", " \\\n", "\\\n ", "/**/"};
static const char *const opens[] = {
    "#include \"" ODD_CANARY "/a\"", "#include <" ODD_CANARY "/b>",
    "# include \"" ODD_CANARY "/c\"", "#/**/include \"" ODD_CANARY "/d\"",
    "%:include \"" ODD_CANARY "/e\"", "#include_next \"" ODD_CANARY "/f\"",
    "#import \"" ODD_CANARY "/g\"", "#inc\\\nlude \"" ODD_CANARY "/h\"",
    "#embed \"" ODD_CANARY "/i\"", "#if __has_include(\"" ODD_CANARY "/j\")\n#endif",
    "#if C(__has_,include)(\"" ODD_CANARY "/k\")\n#endif",
    "#if __has_\\\ninclude(\"" ODD_CANARY "/l\")\n#endif",
    "#define I \"" ODD_CANARY "/m\"\n#include I", "#\\\ninclude \"" ODD_CANARY "/n\"",
    "#line 1 \"" ODD_CANARY "/o\"", "#pragma include_alias(\"a\", \"" ODD_CANARY "/p\")",
    "_Pragma(\"include_alias\")", "import <" ODD_CANARY "/q>;",
    "#include \"warpdrill.h\" \"" ODD_CANARY "/r\"",
    "#if __has_inclu\\u0064e(\"" ODD_CANARY "/s\")\n#endif",
    "asm(\".include \\\"" ODD_CANARY "/t\\\";\");",
};

static void add_canary(struct text *t)
{
    char line[64];
    if (t->canaries == ODD_CANARIES)
        return;
    snprintf(line, sizeof line, "#warning canary-%d", t->canary + t->canaries++);
    add(t, line);
}

/* A line that tells, alone or where it counts only for who reads the ones before it wrongly. */
static void add_telling(struct text *t)
{
    static const char *const before[] = {"", "", "", " ", "/**/", "*/", "*/ ", "*/\n", "\"", "'",
                                         "\\\n"};
    static const char *const calm[] = {"", "", "", " ", "\t", "*/\n", "/*\n*/\n", "/**/\n"};
    add(t, below(t, t->wild) ? ANY(t, calm) : ANY(t, before));
    if (below(t, t->wild))
        add_canary(t);
    else
        add(t, ANY(t, opens));
    add(t, "\n");
}

static void add_line(struct text *t)
{
    static const char *const ends[] = {"\n", "\n", "\n", "\n", "'\n", "\"\n", "*/\n", " */\n",
                                       "\"'\n", "'\"\n", "//\n", "\\\n", " \\\n", "\\ \n"};
    add(t, ANY(t, heads));
    for (unsigned n = below(t, 7); n > 0; n--) {
        add(t, below(t, t->wild) ? ANY(t, tame) : below(t, 3) ? ANY(t, edges) : ANY(t, words));
        add(t, below(t, t->wild) ? " " : ANY(t, blanks));
    }
    add(t, below(t, t->wild) ? "\n" : ANY(t, ends));
}

static void add_hinge(struct text *t)
{
    static const char *const groups[] = {"#if 0\n", "#define X ", "", "#error ", "#pragma unroll "};
    bool skipped = below(t, 3) == 0;
    add(t, skipped ? groups[0] : ANY(t, groups));
    for (unsigned n = below(t, 6); n > 0; n--)
        add(t, ANY(t, rows));
    add(t, ANY(t, hinges));
    add(t, skipped ? "\n#endif\n" : "\n");
}

/* One byte goes, comes twice, or changes places with the next. */
static void mutate(struct text *t)
{
    if (t->len < 2 || t->len + 2 >= ODD_SOURCE_MOST)
        return;
    size_t at = below(t, (unsigned)t->len - 1);
    char c = t->to[at];
    switch (below(t, 3)) {
    case 0:
        memmove(t->to + at, t->to + at + 1, t->len-- - at);
        break;
    case 1:
        memmove(t->to + at + 1, t->to + at, ++t->len - at);
        break;
    default:
        t->to[at] = t->to[at + 1];
        t->to[at + 1] = c;
    }
}

size_t odd_source(char out[ODD_SOURCE_MOST], uint64_t *seed, int first)
{
    struct text t = {.to = out, .seed = seed, .canary = first};
    out[0] = '\0';
    t.wild = below(&t, 4) ? 16 + below(&t, 32) : 1 + below(&t, 8);
    for (unsigned n = 1 + below(&t, 4); n > 0; n--) {
        for (unsigned k = below(&t, 3); k > 0; k--)
            add_line(&t);
        if (below(&t, 3) == 0)
            add_hinge(&t);
        add_telling(&t);
    }
    static const char *const tails[] = {"", "*/\n", "// */\n", "/**/\n", "#endif\n", "'\n", "\"\n",
                                        "// */\n", "// */\n", "*/\n#endif\n"};
    add(&t, below(&t, 2) ? "" : ANY(&t, tails));
    for (unsigned n = below(&t, t.wild) ? 0 : 1 + below(&t, 3); n > 0; n--)
        mutate(&t);
    return t.len;
}
