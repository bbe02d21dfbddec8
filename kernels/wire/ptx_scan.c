/* A lexer and, above it, the few statements of PTX that matter here: the head, `.extern`, `.entry`
 * and `.func`. The rest is passed over word by word. tests/fuzz has a fuzzer of it, and
 * tests/images.sh holds it against ptxas. */
#include "kernels/wire/ptx_scan.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

enum { KERNELS_MOST = 256, SHARED_MOST = 48 * 1024 };

/* kind: 'w' a word, such as `.entry` or `%r1`; 's' a string; 0 the end; else the sign itself. An
 * opcode with dots is several words: `ld`, `.global`, `.f32`. */
struct word {
    char kind;
    const char *at;
    size_t len;
};

/* A function by its name, where it is declared, defined or called; `body`: it is defined there. */
struct named {
    const char *at;
    size_t len;
    bool body;
};

struct scan {
    const char *text, *at, *end;
    int depth;                  /* of braces */
    struct word now;
    bool opcode;                /* `now` is one, or follows it with its dot: `st` `.shared` */
    int shared;                 /* bytes that this kernel has declared so far */
    struct named *functions;
    int n_functions;
    bool sized;                 /* .address_size was met */
    struct ptx_text *out;
    struct err *err;
};

static int refuse(const struct scan *s, const char *at, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static int refuse(const struct scan *s, const char *at, const char *fmt, ...)
{
    int line = 1, column = 1;
    char what[400];
    va_list list;
    for (const char *p = s->text; p < at; p++) {
        column = *p == '\n' ? 1 : column + !text_is_tail(*p);
        line += *p == '\n';
    }
    va_start(list, fmt);
    vsnprintf(what, sizeof what, fmt, list);
    va_end(list);
    return err_set(s->err, ERR_BAD_REQUEST, "line %d, column %d: %s", line, column, what);
}

static int refuse_cut(const struct scan *s)
{
    return refuse(s, s->end, "the PTX ends too early, so it is cut; take the whole file");
}

/* ---- words ---- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static bool is(const struct scan *s, const char *word)
{
    return s->now.kind == 'w' && s->now.len == strlen(word) &&
           !memcmp(s->now.at, word, s->now.len);
}

/* 0, also at a sign that may not stand there: then `now` is that sign. */
static int skip_quiet(struct scan *s)
{
    for (;;) {
        while (s->at < s->end && isspace((unsigned char)*s->at))
            s->at++;
        if (s->end - s->at < 2 || s->at[0] != '/')
            return 0;
        if (s->at[1] == '*')
            return refuse(s, s->at, "a block comment; write // before each of its lines");
        if (s->at[1] != '/')
            return 0;
        const char *stop = memchr(s->at, '\n', (size_t)(s->end - s->at));
        s->at = stop ? stop : s->end;
    }
}

static int take_string(struct scan *s)
{
    const char *close = memchr(s->at + 1, '"', (size_t)(s->end - s->at - 1));
    if (!close)
        return refuse_cut(s);
    s->now = (struct word){'s', s->at, (size_t)(close + 1 - s->at)};
    s->at = close + 1;
    return 0;
}

/* The next word becomes `now`. */
static int next(struct scan *s)
{
    int rc = skip_quiet(s);
    if (rc)
        return rc;
    const char *from = s->at;
    s->now = (struct word){0, from, 0};
    if (from == s->end)
        return 0;
    s->opcode = *from == '.' ? s->opcode : isalpha((unsigned char)*from) != 0;
    if (*from == '#')
        return refuse(s, from, "a line of a preprocessor; take the PTX behind it");
    if ((unsigned char)*from >= 0x80)
        return refuse(s, from, "a character outside ASCII; it may stand in comments alone");
    if (*from == '"')
        return take_string(s);
    s->at++;
    if (is_word(*from) || *from == '.') {
        while (s->at < s->end && is_word(*s->at))
            s->at++;
        s->now = (struct word){'w', from, (size_t)(s->at - from)};
        return 0;
    }
    s->depth += (*from == '{') - (*from == '}');
    s->now = (struct word){*from, from, 1};
    return s->depth < 0 ? refuse(s, from, "a } that closes nothing") : 0;
}

/* Behind the bracket that is `now` and all within it. */
static int skip_group(struct scan *s)
{
    int open = 0, rc = 0;
    do {
        open += (s->now.kind == '(') - (s->now.kind == ')');
        if ((rc = next(s)))
            return rc;
        if (!s->now.kind)
            return refuse_cut(s);
    } while (open);
    return 0;
}

static long number(const struct word *w)
{
    long n = 0;
    for (size_t i = 0; i < w->len && i < 9 && isdigit((unsigned char)w->at[i]); i++)
        n = 10 * n + w->at[i] - '0';
    return n;
}

/* ---- the head ---- */

static int read_version(struct scan *s)
{
    int rc = next(s);
    s->out->major = (int)number(&s->now);
    if (!rc && !(rc = next(s)))
        s->out->minor = s->now.len > 1 ? s->now.at[1] - '0' : 0;
    return rc ? rc : next(s);
}

static int read_target(struct scan *s)
{
    int rc = next(s);
    if (rc)
        return rc;
    struct word w = {'w', s->now.at + 3, s->now.len > 3 ? s->now.len - 3 : 0};
    size_t digits = 0;
    while (digits < w.len && isdigit((unsigned char)w.at[digits]))
        digits++;
    bool plain = s->now.kind == 'w' && w.len && !memcmp(s->now.at, "sm_", 3) && digits >= 2 &&
                 digits <= 3 && w.at[0] != '0';
    char only = plain && w.len == digits + 1 ? w.at[digits] : '\0';
    if (!plain || w.len > digits + 1 || (only && only != 'a' && only != 'f') || s->out->arch)
        return refuse(s, s->now.at, "a .target that is no single sm_NN; compile for one GPU");
    s->out->arch = (int)number(&w);
    s->out->only = only;
    return next(s);
}

static int read_address_size(struct scan *s)
{
    int rc = next(s);
    if (!rc && !is(s, "64"))
        return refuse(s, s->now.at, "addresses of other than 64 bits; compile with -m64");
    s->sized = true;
    return rc ? rc : next(s);
}

/* ---- kernels and functions ---- */

static int read_extern(struct scan *s)
{
    int rc = next(s);
    if (rc || is(s, ".shared"))
        return rc;
    while (!rc && s->now.kind && s->now.kind != ';' &&
           (s->now.kind != 'w' || *s->now.at == '.' || isdigit((unsigned char)*s->now.at)))
        rc = s->now.kind == '(' ? skip_group(s) : next(s);
    if (rc)
        return rc;
    return refuse(s, s->now.at, "the external symbol %.*s; an image holds all that it calls and "
                                "reads, so leave printf, malloc and assert out",
                  (int)(s->now.len < 80 ? s->now.len : 80), s->now.at);
}

static int bytes_of(const struct word *type)
{
    static const struct { const char *name; int bytes; } types[] = {
        {".b8", 1},  {".u8", 1},  {".s8", 1},  {".b16", 2}, {".u16", 2},   {".s16", 2},
        {".f16", 2}, {".b32", 4}, {".u32", 4}, {".s32", 4}, {".f32", 4},   {".f16x2", 4},
        {".b64", 8}, {".u64", 8}, {".s64", 8}, {".f64", 8}, {".b128", 16},
    };
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == type->len && !memcmp(types[i].name, type->at, type->len))
            return types[i].bytes;
    return 0;
}

/* At the `[` of an array: its elements count. */
static int read_elements(struct scan *s, int *bytes)
{
    enum { MOST = 1 << 16 }; /* more than any kernel's parameters have */
    int rc = next(s);
    long n = rc ? 0 : number(&s->now);
    *bytes = *bytes * n > MOST ? MOST : (int)(*bytes * n);
    return rc;
}

/* `.shared .align 16 .b8 tile[4096], flags[4];`, as far as the sizes go. What a launch gives has
 * none, `.b8 all[]`. */
static int read_shared(struct scan *s)
{
    const char *at = s->now.at;
    int type = 0, one = 0, rc = next(s);
    for (; !rc && s->now.kind && !strchr(";={}", s->now.kind); rc = rc ? rc : next(s)) {
        bool name = s->now.kind == 'w' && *s->now.at != '.' && !isdigit((unsigned char)*s->now.at);
        if (is(s, ".align")) {
            rc = next(s);
        } else if (s->now.kind == '[') {
            rc = read_elements(s, &one);
        } else if (name) {
            s->shared += s->shared > SHARED_MOST ? 0 : one;
            one = type;
        } else if (bytes_of(&s->now)) {
            type = bytes_of(&s->now);
        }
    }
    s->shared += s->shared > SHARED_MOST ? 0 : one;
    if (!rc && s->shared > SHARED_MOST)
        return refuse(s, at, "more shared memory than a kernel can declare, which is %d bytes; "
                             "declare it .extern and let the launch ask for it",
                      SHARED_MOST);
    return rc;
}

/* From `(` to behind its `)`. */
static int read_params(struct scan *s, struct ptx_kernel *k)
{
    int rc = next(s);
    bool typed = false;
    for (; !rc && s->now.kind && s->now.kind != ')'; rc = rc ? rc : next(s)) {
        int i = k->n_params - 1;
        if (is(s, ".param")) {
            k->n_params++;
            typed = false;
        } else if (is(s, ".align")) {
            rc = next(s);
        } else if (i >= 0 && i < PTX_PARAMS && s->now.kind == '[') {
            rc = read_elements(s, &k->bytes[i]);
        } else if (i >= 0 && i < PTX_PARAMS && !typed && bytes_of(&s->now)) {
            k->bytes[i] = bytes_of(&s->now);
            typed = true;
        }
    }
    if (rc)
        return rc;
    return s->now.kind ? next(s) : refuse_cut(s);
}

static int read_block(struct scan *s, struct ptx_kernel *k)
{
    int rc = next(s);
    for (int i = 0; !rc && i < 3; i++) {
        k->block[i] = (unsigned)number(&s->now);
        rc = next(s);
        if (rc || s->now.kind != ',')
            break;
        rc = next(s);
    }
    for (int i = 0; i < 3 && *k->block; i++)
        k->block[i] = k->block[i] ? k->block[i] : 1;
    return rc;
}

static void add_kernel(struct scan *s, const struct ptx_kernel *k)
{
    struct ptx_text *o = s->out;
    if (!*k->name)
        return;
    o->kernels = mem_grow(o->kernels, (size_t)o->n_kernels + 1, sizeof *o->kernels);
    o->kernels[o->n_kernels++] = *k;
}

static int read_entry(struct scan *s)
{
    struct ptx_kernel k = {.n_params = 0};
    int rc = next(s);
    s->shared = 0;
    if (rc)
        return rc;
    if (s->now.kind != 'w' || *s->now.at == '.')
        return refuse(s, s->now.at, "an .entry without a name");
    if (s->out->n_kernels == KERNELS_MOST)
        return refuse(s, s->now.at, "more than %d kernels; split the image", KERNELS_MOST);
    if (s->now.len < PTX_NAME)
        memcpy(k.name, s->now.at, s->now.len);
    rc = next(s);
    if (!rc && s->now.kind == '(')
        rc = read_params(s, &k);
    while (!rc && s->now.kind && s->now.kind != '{' && s->now.kind != ';')
        rc = is(s, ".reqntid") ? read_block(s, &k) : next(s);
    if (rc)
        return rc;
    if (!s->now.kind)
        return refuse_cut(s);
    if (s->now.kind == '{')
        add_kernel(s, &k);
    return next(s);
}

static void add_function(struct scan *s, struct named f)
{
    s->functions = mem_grow(s->functions, (size_t)s->n_functions + 1, sizeof *s->functions);
    s->functions[s->n_functions++] = f;
}

/* `call.uni (results), name, ...`; a register in the place of the name begins with %. */
static int read_call(struct scan *s)
{
    int rc = next(s);
    while (!rc && s->now.kind == 'w' && *s->now.at == '.')
        rc = next(s);
    if (!rc && s->now.kind == '(')
        rc = skip_group(s);
    if (!rc && s->now.kind == ',')
        rc = next(s);
    if (!rc && s->now.kind == 'w' && *s->now.at != '%')
        add_function(s, (struct named){s->now.at, s->now.len, false});
    return rc;
}

static int read_function(struct scan *s)
{
    struct named f = {.len = 0};
    int rc = next(s);
    s->shared = 0;
    while (!rc && s->now.kind && s->now.kind != '{' && s->now.kind != ';') {
        bool name = !f.len && s->now.kind == 'w' && *s->now.at != '.';
        if (name)
            f = (struct named){s->now.at, s->now.len, false};
        rc = s->now.kind == '(' ? skip_group(s) : next(s);
    }
    if (rc)
        return rc;
    if (!s->now.kind)
        return refuse_cut(s);
    if (!f.len)
        return refuse(s, s->now.at, "a .func without a name");
    f.body = s->now.kind == '{';
    add_function(s, f);
    return next(s);
}

/* By name, those with a body first. */
static int by_name(const void *a, const void *b)
{
    const struct named *x = a, *y = b;
    size_t n = x->len < y->len ? x->len : y->len;
    int d = n ? memcmp(x->at, y->at, n) : 0;
    if (d || x->len != y->len)
        return d ? d : x->len < y->len ? -1 : 1;
    return y->body - x->body;
}

static int check_functions(struct scan *s)
{
    if (s->n_functions)
        qsort(s->functions, (size_t)s->n_functions, sizeof *s->functions, by_name);
    for (int i = 0; i < s->n_functions; i++) {
        const struct named *f = &s->functions[i], *before = i ? f - 1 : NULL;
        bool same = before && before->len == f->len && !memcmp(before->at, f->at, f->len);
        if (!same && !f->body)
            return refuse(s, f->at, "the external function %.*s; an image holds all that it "
                                    "calls, so leave printf, malloc and assert out",
                          (int)(f->len < 80 ? f->len : 80), f->at);
    }
    return 0;
}

/* ---- the whole ---- */

static int read_statement(struct scan *s)
{
    static const struct { const char *word; int (*read)(struct scan *s);
    } outside[] = {{".version", read_version}, {".target", read_target},
                   {".address_size", read_address_size}, {".extern", read_extern},
                   {".entry", read_entry}, {".func", read_function}};
    if (is(s, "trap") || is(s, "brkpt"))
        return refuse(s, s->now.at, "%.*s, which ends all kernels of the context; compile without "
                                    "assertions",
                      (int)s->now.len, s->now.at);
    if (s->depth && is(s, "call"))
        return read_call(s);
    if (!s->opcode && is(s, ".shared"))
        return read_shared(s);
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++)
        if (s->depth ? i == 3 && is(s, outside[i].word) : is(s, outside[i].word))
            return outside[i].read(s);
    return next(s);
}

static int read_all(struct scan *s)
{
    size_t bad = text_first_bad(s->text, (size_t)(s->end - s->text));
    const char *backslash = memchr(s->text, '\\', (size_t)(s->end - s->text));
    if (s->text + bad < s->end)
        return refuse(s, s->text + bad, "a control character, or text that is not UTF-8; plain "
                                        "text was expected");
    if (backslash)
        return refuse(s, backslash, "a backslash; PTX needs none");
    int rc = next(s);
    while (!rc && s->now.kind)
        rc = read_statement(s);
    if (rc)
        return rc;
    if (s->depth)
        return refuse_cut(s);
    if (!s->out->major || !s->out->arch || !s->sized)
        return refuse(s, s->text, "no .version, .target or .address_size; PTX as a compiler "
                                  "writes it was expected");
    if (!s->out->n_kernels)
        return refuse(s, s->end, "no kernel; one that begins by .entry was expected");
    return check_functions(s);
}

int ptx_scan(struct ptx_text *out, const char *text, size_t len, struct err *err)
{
    *out = (struct ptx_text){0};
    struct scan s = {.text = text, .at = text, .end = text + len, .out = out, .err = err};
    int rc = read_all(&s);
    free(s.functions);
    if (rc)
        ptx_text_free(out);
    return rc;
}

void ptx_text_free(struct ptx_text *t)
{
    free(t->kernels);
    *t = (struct ptx_text){0};
}

const struct ptx_kernel *ptx_text_kernel(const struct ptx_text *t, const char *name)
{
    for (int i = 0; i < t->n_kernels; i++)
        if (!strcmp(t->kernels[i].name, name))
            return &t->kernels[i];
    return NULL;
}

bool ptx_takes(const struct ptx_kernel *k, int i, int bytes)
{
    return k->bytes[i] == bytes || (bytes == 4 && k->bytes[i] > 0 && k->bytes[i] < 4);
}

void ptx_wants(char *out, size_t size, const struct ptx_kernel *k, int i)
{
    int bytes = k->bytes[i];
    if (ptx_takes(k, i, 8))
        snprintf(out, size, "a buffer, an i64 or f64 (8 bytes)");
    else if (ptx_takes(k, i, 4))
        snprintf(out, size, "an i32 or f32 (%d byte%s)", bytes, bytes == 1 ? "" : "s");
    else
        snprintf(out, size, "another kernel, since no launch can pass a parameter of %s",
                 bytes ? "this size" : "this type");
}

bool ptx_text_reaches(const struct ptx_text *t, int arch)
{
    if (t->only == 'a')
        return arch == t->arch;
    return arch >= t->arch && (t->only != 'f' || arch / 10 == t->arch / 10);
}
