/* The device part of a file as a pack can hold it: without the host's code and other kernels, with
 * what headers would have given. */
#include "scenarios/new/scaffold_source.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "kernels/wire/token.h"

/* ---- what headers would have given ---- */

static const char half_text[] =
    "// Half precision without cuda_fp16.h: stored in 16 bits, computed in float.\nstruct __half "
    "{\n    unsigned short bits;\n    __half() = default;\n    __device__ __half(float f) { "
    "asm(\"cvt.rn.f16.f32 %0, %1;\" : \"=h\"(bits) : \"f\"(f)); }\n    __device__ operator float() "
    "const\n    {\n        float f;\n        asm(\"cvt.f32.f16 %0, %1;\" : \"=f\"(f) : "
    "\"h\"(bits));\n        return f;\n    }\n};\ntypedef __half half;\nstatic __device__ "
    "__forceinline__ float __half2float(__half h) { return h; }\nstatic __device__ __forceinline__ "
    "__half __float2half(float f) { return f; }\nstatic __device__ __forceinline__ __half "
    "__float2half_rn(float f) { return f; }\n";

static const char bf16_text[] =
    "// bfloat16 without cuda_bf16.h: stored in 16 bits, computed in float.\n"
    "struct __nv_bfloat16 {\n"
    "    unsigned short bits;\n"
    "    __nv_bfloat16() = default;\n"
    "    __device__ __nv_bfloat16(float f)\n"
    "    {\n"
    "        unsigned u = __float_as_uint(f);\n"
    "        bits = f != f ? 0x7fff : (u + 0x7fff + (u >> 16 & 1)) >> 16;\n"
    "    }\n"
    "    __device__ operator float() const { return __uint_as_float((unsigned)bits << 16); }\n"
    "};\n"
    "typedef __nv_bfloat16 nv_bfloat16;\n"
    "static __device__ __forceinline__ float __bfloat162float(__nv_bfloat16 b) { return b; }\n"
    "static __device__ __forceinline__ __nv_bfloat16 __float2bfloat16(float f) { return f; }\n"
    "static __device__ __forceinline__ __nv_bfloat16 __float2bfloat16_rn(float f) { return f; }\n";

/* A word that stands in the source brings a text; `is_type`: it may be the type of a parameter. */
static const struct { const char *word, *text; bool is_type;
} given[] = {
    {"int8_t", "#include \"warpdrill.h\"\n", true},
    {"uint8_t", "#include \"warpdrill.h\"\n", true},
    {"int16_t", "#include \"warpdrill.h\"\n", true},
    {"uint16_t", "#include \"warpdrill.h\"\n", true},
    {"int32_t", "#include \"warpdrill.h\"\n", true},
    {"uint32_t", "#include \"warpdrill.h\"\n", true},
    {"int64_t", "#include \"warpdrill.h\"\n", true},
    {"uint64_t", "#include \"warpdrill.h\"\n", true},
    {"wd_ceildiv", "#include \"warpdrill.h\"\n", false},
    {"uint", "typedef unsigned int uint;\n", true},
    {"uchar", "typedef unsigned char uchar;\n", true},
    {"half", half_text, true},
    {"__half", half_text, true},
    {"__nv_bfloat16", bf16_text, true},
    {"nv_bfloat16", bf16_text, true},
    {"FLT_MAX", "#define FLT_MAX 3.402823466e+38f\n", false},
    {"FLT_MIN", "#define FLT_MIN 1.175494351e-38f\n", false},
    {"FLT_EPSILON", "#define FLT_EPSILON 1.192092896e-07f\n", false},
    {"DBL_MAX", "#define DBL_MAX 1.7976931348623158e+308\n", false},
    {"INFINITY", "#define INFINITY __int_as_float(0x7f800000)\n", false},
    {"NAN", "#define NAN __int_as_float(0x7fffffff)\n", false},
    {"INT_MAX", "#define INT_MAX 2147483647\n", false},
    {"INT_MIN", "#define INT_MIN (-2147483647 - 1)\n", false},
    {"UINT_MAX", "#define UINT_MAX 4294967295u\n", false},
    {"M_PI", "#define M_PI 3.14159265358979323846\n", false},
};

/* Words that need a header which a pack cannot have. */
static const char *const lost[] = {"std",
                                   "cooperative_groups",
                                   "cg",
                                   "cub",
                                   "thrust",
                                   "nvcuda",
                                   "wmma",
                                   "curandState",
                                   "curand_uniform",
                                   "cuda",
                                   "half2",
                                   "__half2",
                                   "__nv_bfloat162",
                                   "cudaTextureObject_t",
                                   "__pipeline_memcpy_async",
                                   "__pipeline_commit",
                                   "__pipeline_wait_prior"};

static bool defines(const struct source *s, const char *word)
{
    for (int i = 0; i < s->n_aliases; i++)
        if (!strcmp(s->aliases[i].name, word))
            return true;
    return false;
}

/* Each text once, in the order of the table. */
static char *prelude_of(const struct source *s, const char *code, bool types_only)
{
    char *out = text_dup("");
    size_t n = strlen(code);
    for (size_t i = 0; i < sizeof given / sizeof *given; i++) {
        bool wanted = code_find(code, 0, n, given[i].word) < n && !defines(s, given[i].word) &&
                      (given[i].is_type || !types_only);
        if (!wanted || strstr(out, given[i].text))
            continue;
        char *longer = text_format("%s%s", out, given[i].text);
        free(out);
        out = longer;
    }
    return out;
}

/* ---- cutting ---- */

static void blank(char *text, size_t begin, size_t end)
{
    for (size_t i = begin; i < end; i++)
        if (text[i] != '\n')
            text[i] = ' ';
}

/* The comment right above an item goes with it. */
static size_t with_comment(const struct source *s, size_t begin)
{
    size_t at = begin;
    while (at > 0) {
        size_t line = at - 1;
        while (line > 0 && s->file.text[line - 1] != '\n')
            line--;
        size_t first = line;
        while (first < at && isspace((unsigned char)s->file.text[first]))
            first++;
        bool comment =
            first < at - 1 && code_skip(s->code, line, at) >= at && s->file.text[first] != '#';
        if (!comment)
            break;
        at = line;
    }
    return at;
}

static char *cut(const struct source *s, const struct kernel *k)
{
    char *text = text_ndup(s->file.text, s->file.len);
    for (int i = 0; i < s->n_dropped; i++)
        blank(text,
              s->file.text[s->dropped[i].begin] == '#' ? s->dropped[i].begin
                                                       : with_comment(s, s->dropped[i].begin),
              s->dropped[i].end);
    for (int i = 0; i < s->n_kernels; i++)
        if (&s->kernels[i] != k)
            blank(text, with_comment(s, s->kernels[i].begin), s->kernels[i].end);
    return text;
}

/* "static" and "inline" before a kernel do not go with extern "C", and a second extern "C" is one
 * too many. */
static void clean_head(const struct source *s, const struct kernel *k, char *text)
{
    static const char *const words[] = {"static", "inline", "__inline__", "__forceinline__",
                                        "extern"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t at = code_find(s->code, k->begin, k->name_at, words[i]);
        if (at == k->name_at)
            continue;
        size_t stop = at + strlen(words[i]), next = code_skip(s->code, stop, k->name_at);
        if (s->code[next] == '"')
            stop = next + strcspn(s->code + next + 1, "\"") + 2;
        blank(text, at, code_skip(s->code, stop, k->name_at));
    }
}

static size_t rest_of_line(const char *text, size_t at)
{
    return strcspn(text + at, "\n");
}

static bool is_empty(const char *line, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!isspace((unsigned char)line[i]))
            return false;
    return true;
}

/* Without blanks at line ends, with one empty line where there were several, with `extern "C"`
 * before the kernel. */
static char *tidy(const char *prelude, const char *text, size_t kernel)
{
    char *out = mem_new(strlen(prelude) + strlen(text) + 64, 1), *at = out;
    bool empty = true;
    at += sprintf(at, "%s%s", prelude, *prelude ? "\n" : "");
    for (size_t i = 0, n; text[i]; i += n + 1) {
        n = rest_of_line(text, i);
        size_t used = n, from = 0;
        if (!is_empty(text + i, n) || !empty) {
            empty = is_empty(text + i, n);
            while (used && isspace((unsigned char)text[i + used - 1]))
                used--;
            if (kernel >= i && kernel <= i + n) {
                while (from < used && isspace((unsigned char)text[i + from]))
                    from++;
                at += sprintf(at, "extern \"C\" ");
            }
            at += sprintf(at, "%.*s\n", (int)(used - from), text + i + from);
        }
        if (!text[i + n])
            break;
    }
    while (at - out >= 2 && at[-1] == '\n' && at[-2] == '\n')
        *--at = '\0';
    return out;
}

static int scan(const struct source *s, const char *text, struct err *err)
{
    struct err why;
    struct token_text tokens;
    int rc = token_scan(&tokens, text, strlen(text), &why), line, col;
    if (!rc) {
        token_free(&tokens);
        return 0;
    }
    const char *what = token_error_place(&why, &line, &col);
    return files_fail(NULL, &s->file, line, col, rc, err, "%s", what);
}

/* ---- 1'000 ---- */

/* What a quote between digits is while the text is scanned, and then until it goes, so that places
 * stay where the author has them. No source holds the second. */
enum { QUOTE_SCANNED = '0', QUOTE_GOING = '\x01' };

static void turn_quotes(const struct source *s, char *text, char from, char to)
{
    for (int i = 0; i < s->n_quotes; i++)
        if (text[s->quotes[i]] == from)
            text[s->quotes[i]] = to;
}

static void drop_quotes(char *text)
{
    char *to = text;
    for (const char *from = text; *from; from++)
        if (*from != QUOTE_GOING)
            *to++ = *from;
    *to = '\0';
}

/* Each number that stays in the text once. */
static void note_numbers(struct source *s, const char *text)
{
    const char *as = s->file.text;
    for (int i = 0; i < s->n_quotes; i++) {
        size_t from = s->quotes[i], to = from;
        if (text[from] != QUOTE_GOING)
            continue;
        while (from > 0 && (code_is_word(as[from - 1]) || as[from - 1] == '.'))
            from--;
        if (from > 0 && as[from - 1] == '\'')
            continue;
        while (code_is_word(as[to]) || as[to] == '.' || as[to] == '\'')
            to++;
        int line, col;
        source_place(s, from, &line, &col);
        char *plain = text_ndup(text + from, to - from);
        drop_quotes(plain);
        source_note(s, line, "%.*s became %s: numbers of a pack have no quotes", (int)(to - from),
                    as + from, plain);
        free(plain);
    }
}

static void warn_lost(struct source *s, const char *code)
{
    size_t n = strlen(code);
    for (size_t i = 0; i < sizeof lost / sizeof *lost; i++) {
        size_t at = code_find(code, 0, n, lost[i]);
        int line, col;
        if (at == n || defines(s, lost[i]))
            continue;
        source_place(s, at, &line, &col);
        source_note(s, line,
                    "`%s` needs a header that a pack cannot have, and will not compile: write out "
                    "what it does",
                    lost[i]);
    }
}

/* ---- what nothing uses ---- */

static bool stands_elsewhere(const char *text, const char *word, size_t begin, size_t end)
{
    size_t n = strlen(text);
    return word && (code_find(text, 0, begin, word) < begin || code_find(text, end, n, word) < n);
}

/* Structures whose name stands nowhere else, not in a comment either; those that only such ones use
 * go too. */
static void drop_types(struct source *s, char *text)
{
    bool *gone = mem_new((size_t)s->n_types + 1, sizeof *gone), again = true;
    while (again) {
        again = false;
        for (int i = 0; i < s->n_types; i++) {
            struct type_item *t = &s->types[i];
            size_t begin = with_comment(s, t->begin);
            if (gone[i] || stands_elsewhere(text, t->name, begin, t->end) ||
                stands_elsewhere(text, t->other, begin, t->end))
                continue;
            int line, col;
            source_place(s, t->begin, &line, &col);
            source_note(s, line, "%s was left out: nothing that stays uses it",
                        t->other  ? t->other
                        : t->name ? t->name
                                  : "a structure");
            blank(text, begin, t->end);
            gone[i] = again = true;
        }
    }
    free(gone);
}

/* ---- what the host copies into it ---- */

/* cudaMemcpyToSymbol(taps, ...): the values stay behind with the host's code. */
static void warn_symbols(struct source *s, const char *code)
{
    static const struct {
        const char *call;
        int argument;
    } calls[] = {{"cudaMemcpyToSymbol", 0},
                 {"cudaMemcpyToSymbolAsync", 0},
                 {"cudaGetSymbolAddress", 1}};
    size_t end = s->file.len;
    for (size_t c = 0; c < sizeof calls / sizeof *calls; c++)
        for (size_t at = 0; (at = code_find(s->code, at, end, calls[c].call)) < end; at++) {
            size_t name = code_skip(s->code, at + strlen(calls[c].call), end),
                   close = name < end && s->code[name] == '(' ? code_close(s->code, name, end) : 0;
            if (!close)
                continue;
            name++;
            for (int skip = calls[c].argument; skip; skip--)
                name += strcspn(s->code + name, ",)") + 1;
            while (name < close && !code_is_word(s->code[name]))
                name++;
            char *word = text_ndup(s->code + name, code_word(s->code, name, close) - name);
            int line, col;
            source_place(s, at, &line, &col);
            if (*word && stands_elsewhere(code, word, 0, 0))
                source_note(s, line,
                            "%s() to `%s` was left out, and so `%s` holds zeros: give it its "
                            "values where it is declared (`__constant__ float %s[] = {0.25f, "
                            "...};`, in each source that reads it), or let a buffer with a `fill` "
                            "bring them",
                            calls[c].call, word, word, word);
            free(word);
        }
}

/* What became blank in the text becomes so in the mask. */
static void blank_too(char *code, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (text[i] == ' ' && code[i] != '\n')
            code[i] = ' ';
}

int source_take(char **out, char **prelude, struct source *s, const struct kernel *k,
                struct err *err)
{
    char *text = cut(s, k), *code = text_ndup(s->code, s->file.len);
    turn_quotes(s, text, '\'', QUOTE_SCANNED);
    int rc = scan(s, text, err);
    if (!rc) {
        turn_quotes(s, text, QUOTE_SCANNED, QUOTE_GOING);
        clean_head(s, k, text);
        for (int i = 0; i < s->n_kernels; i++)
            if (&s->kernels[i] != k)
                source_note(s, s->kernels[i].line, "kernel %s was left out: a draft launches one",
                            s->kernels[i].name);
        drop_types(s, text);
        blank_too(code, text, s->file.len);
        note_numbers(s, text);
        warn_lost(s, code);
        warn_symbols(s, code);
        char *all = prelude_of(s, code, false);
        size_t first = k->begin;
        while (text[first] == ' ' || text[first] == '\n')
            first++;
        *out = tidy(all, text, first);
        drop_quotes(*out);
        if (prelude)
            *prelude = prelude_of(s, code, true);
        free(all);
    }
    free(text);
    free(code);
    return rc;
}
