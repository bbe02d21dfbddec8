#include "kernels/runner/instrument.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

/* A register declaration that reaches to the end of its scope: "%rd<42>" declares all that begin
 * so. */
struct declared {
    const char *name;
    size_t len;
    bool many, wide;    /* wide: 64 bits */
    int depth;
};

struct rewriter {
    struct instrumented *out;
    size_t room;
    struct declared *regs;
    size_t n_regs;
    int depth;          /* of scopes; 0 outside functions */
    const char *end;    /* of the text */
    const char *kernel; /* the name of the one that is being read; NULL: another function */
};

struct span {
    const char *at;
    size_t len;
};

static void put(struct rewriter *r, const char *text, size_t len)
{
    struct instrumented *o = r->out;
    if (o->len + len + 1 > r->room) {
        r->room = 2 * (o->len + len + 1);
        o->ptx = mem_grow(o->ptx, r->room, 1);
    }
    memcpy(o->ptx + o->len, text, len);
    o->len += len;
    o->ptx[o->len] = '\0';
}

static void put_format(struct rewriter *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static void put_format(struct rewriter *r, const char *fmt, ...)
{
    char line[1024];
    va_list list;
    va_start(list, fmt);
    int n = vsnprintf(line, sizeof line, fmt, list);
    va_end(list);
    put(r, line, (size_t)n < sizeof line ? (size_t)n : sizeof line - 1);
}

/* ---- words ---- */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '%';
}

static const char *skip_blank(const char *at, const char *end)
{
    while (at < end && isspace((unsigned char)*at))
        at++;
    return at;
}

static struct span word_at(const char *at, const char *end)
{
    const char *from = skip_blank(at, end), *to = from;
    while (to < end && is_word(*to))
        to++;
    return (struct span){from, (size_t)(to - from)};
}

/* After a comment or a string that begins here; `at` when none does. */
static const char *skip_quiet(const char *at)
{
    const char *end = at;
    if (at[0] == '/' && at[1] == '/')
        end = at + strcspn(at, "\n");
    else if (at[0] == '/' && at[1] == '*')
        end = strstr(at + 2, "*/") ? strstr(at + 2, "*/") + 2 : at + strlen(at);
    else if (at[0] == '"')
        for (end = at + 1; *end && *end++ != '"';)
            end += end[-1] == '\\' && *end;
    return end;
}

/* Whether ".name" stands in a dotted opcode as a whole part. */
static bool has_part(struct span opcode, const char *name)
{
    size_t n = strlen(name);
    for (const char *at = opcode.at; at < opcode.at + opcode.len; at++)
        if (*at == '.' && (size_t)(opcode.at + opcode.len - at - 1) >= n &&
            !memcmp(at + 1, name, n) && (at + 1 + n == opcode.at + opcode.len || at[1 + n] == '.'))
            return true;
    return false;
}

static bool begins(struct span s, const char *with)
{
    return s.len >= strlen(with) && !memcmp(s.at, with, strlen(with));
}

/* ---- declarations ---- */

static void declare(struct rewriter *r, struct span name, bool many, bool wide)
{
    r->regs = mem_grow(r->regs, r->n_regs + 1, sizeof *r->regs);
    r->regs[r->n_regs++] = (struct declared){name.at, name.len, many, wide, r->depth};
}

/* ".reg .b64 %rd<42>, base;" */
static void read_declaration(struct rewriter *r, struct span s)
{
    const char *at = s.at + strlen(".reg"), *end = s.at + s.len;
    bool wide = false;
    while ((at = skip_blank(at, end)) < end) {
        if (*at == '.') {
            struct span type = word_at(at + 1, end);
            wide = wide || (type.len == 3 && !memcmp(type.at + 1, "64", 2));
            at = type.at + type.len;
        } else if (is_word(*at)) {
            struct span name = word_at(at, end);
            at = name.at + name.len;
            declare(r, name, at < end && *at == '<', wide);
            while (at < end && *at != ',')
                at++;
        } else {
            at++;
        }
    }
}

static const struct declared *find_register(const struct rewriter *r, struct span name)
{
    for (size_t i = r->n_regs; i-- > 0;) {
        const struct declared *d = &r->regs[i];
        if (name.len < d->len || memcmp(name.at, d->name, d->len) != 0 ||
            (!d->many && name.len != d->len))
            continue;
        if (!d->many ||
            (name.len > d->len && strspn(name.at + d->len, "0123456789") >= name.len - d->len))
            return d;
    }
    return NULL;
}

static void close_scope(struct rewriter *r)
{
    while (r->n_regs > 0 && r->regs[r->n_regs - 1].depth >= r->depth)
        r->n_regs--;
    r->depth--;
}

/* ---- one instruction ---- */

struct instruction {
    struct span guard;   /* "%p1" of "@!%p1", else empty */
    bool negated;
    struct span opcode, operands;
};

static struct instruction parse(struct span s)
{
    struct instruction i = {.negated = false};
    const char *at = s.at, *end = s.at + s.len;
    if (at < end && *at == '@') {
        at = skip_blank(at + 1, end);
        i.negated = at < end && *at == '!';
        i.guard = word_at(at + i.negated, end);
        at = skip_blank(i.guard.at + i.guard.len, end);
    }
    i.opcode.at = at;
    while (at < end && (is_word(*at) || *at == '.' || *at == ':'))
        at++;
    i.opcode.len = (size_t)(at - i.opcode.at);
    i.operands = (struct span){at, (size_t)(end - at)};
    return i;
}

/* The inside of the n-th bracket, counted from 0; empty when there is none. */
static struct span bracket(struct span operands, int n)
{
    const char *end = operands.at + operands.len;
    for (const char *at = operands.at; at < end; at++)
        if (*at == '[' && n-- == 0) {
            const char *close = memchr(at, ']', (size_t)(end - at));
            at = skip_blank(at + 1, end);
            while (close && close > at && isspace((unsigned char)close[-1]))
                close--;
            return (struct span){at, close && close > at ? (size_t)(close - at) : 0};
        }
    return (struct span){operands.at, 0};
}

/* Bytes of one element times the elements of a vector; 0 when the opcode does not tell. */
static int width_of(struct span opcode)
{
    static const struct { const char *part; int bytes;
    } types[] = {
        {"b8", 1},   {"u8", 1},  {"s8", 1},  {"b16", 2}, {"u16", 2},   {"s16", 2},   {"f16", 2},
        {"bf16", 2}, {"b32", 4}, {"u32", 4}, {"s32", 4}, {"f32", 4},   {"f16x2", 4}, {"bf16x2", 4},
        {"b64", 8},  {"u64", 8}, {"s64", 8}, {"f64", 8}, {"b128", 16},
    };
    int vector = has_part(opcode, "v2")   ? 2
                 : has_part(opcode, "v4") ? 4
                 : has_part(opcode, "v8") ? 8
                                          : 1;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (has_part(opcode, types[i].part))
            return vector * types[i].bytes;
    return 0;
}

static void add_site(struct rewriter *r, enum site_op op, enum site_space space, int width,
                     bool anywhere)
{
    struct instrumented *o = r->out;
    o->sites = mem_grow(o->sites, (size_t)o->n_sites + 1, sizeof *o->sites);
    o->sites[o->n_sites++] = (struct site){op, space, width, anywhere, r->kernel};
}

static void note_unseen(struct rewriter *r, struct span opcode)
{
    if (r->out->unseen++ == 0)
        snprintf(r->out->unseen_name, sizeof r->out->unseen_name, "%.*s", (int)opcode.len,
                 opcode.at);
}

/* Lines that leave the 64-bit address in %wd_a; false when the operand is of a form that we do not
 * know. */
static bool put_address(struct rewriter *r, struct span operand)
{
    struct span base = word_at(operand.at, operand.at + operand.len);
    const char *rest = skip_blank(base.at + base.len, operand.at + operand.len);
    int len = (int)(operand.at + operand.len - rest);
    const struct declared *d = find_register(r, base);
    if (base.len == 0 || base.len > 200 || len > 60 || (len > 0 && *rest != '+' && *rest != '-'))
        return false;
    if (!d && *base.at == '%' && strncmp(base.at, "%SP", 3) != 0)
        return false;
    if (len > 0 && *rest == '+') /* "+-16" is an offset too */
        rest = skip_blank(rest + 1, operand.at + operand.len);
    len = (int)(operand.at + operand.len - rest);
    put_format(r, "{ .reg .b64 %%wd_a; .reg .b32 %%wd_b, %%wd_p; ");
    if (d && !d->wide)
        put_format(r, "add.u32 %%wd_b, %.*s, %.*s; cvt.u64.u32 %%wd_a, %%wd_b; ", (int)base.len,
                   base.at, len ? len : 1, len ? rest : "0");
    else if (d)
        put_format(r, "add.s64 %%wd_a, %.*s, %.*s; ", (int)base.len, base.at, len ? len : 1,
                   len ? rest : "0");
    else
        put_format(r, "mov.u64 %%wd_a, %.*s; add.s64 %%wd_a, %%wd_a, %.*s; ", (int)base.len,
                   base.at, len ? len : 1, len ? rest : "0");
    return true;
}

/* The call before an instruction. Its place is the next; the caller adds it. */
static void put_call(struct rewriter *r, const struct instruction *i, const char *function,
                     struct span address, int width)
{
    if (!put_address(r, address)) {
        note_unseen(r, i->opcode);
        return;
    }
    if (i->guard.len)
        put_format(r, "selp.u32 %%wd_p, %d, %d, %.*s; ", !i->negated, i->negated, (int)i->guard.len,
                   i->guard.at);
    else
        put_format(r, "mov.u32 %%wd_p, 1; ");
    put_format(r,
               ".param .b64 wd_0; .param .b32 wd_1; .param .b32 wd_2; .param .b32 wd_3; "
               "st.param.b64 [wd_0], %%wd_a; st.param.b32 [wd_1], %d; st.param.b32 [wd_2], %d; "
               "st.param.b32 [wd_3], %%wd_p; call.uni wd_count_%s, (wd_0, wd_1, wd_2, wd_3); }\n\t",
               r->out->n_sites, width, function);
}

static void count_at(struct rewriter *r, const struct instruction *i, enum site_op op,
                     struct span address, int width)
{
    static const char *const functions[] = {"global", "shared", "local"};
    bool matrix = op == SITE_MATRIX_LOAD || op == SITE_MATRIX_STORE;
    enum site_space space = has_part(i->opcode, "local") ? SITE_LOCAL : SITE_SHARED;
    if (has_part(i->opcode, "shared") || has_part(i->opcode, "shared::cta") ||
        space == SITE_LOCAL) {
        put_call(r, i, matrix ? "matrix" : functions[space], address, matrix ? width / 16 : width);
        add_site(r, op, space, width, false);
    } else if (has_part(i->opcode, "global")) {
        put_call(r, i, "global", address, width);
        add_site(r, op, SITE_GLOBAL, width, false);
    } else {
        put_call(r, i, "generic", address, width);
        for (int s = SITE_GLOBAL; s <= SITE_LOCAL; s++)
            add_site(r, op, (enum site_space)s, width, true);
    }
}

static void rewrite_access(struct rewriter *r, const struct instruction *i, enum site_op op)
{
    struct span address = bracket(i->operands, 0);
    int width = width_of(i->opcode);
    if (has_part(i->opcode, "param") || has_part(i->opcode, "param::entry") ||
        has_part(i->opcode, "param::func") || has_part(i->opcode, "const") ||
        has_part(i->opcode, "async"))
        return;
    if (width == 0 || has_part(i->opcode, "shared::cluster")) {
        note_unseen(r, i->opcode);
        return;
    }
    if (op == SITE_ATOMIC && has_part(i->opcode, "shared") && has_part(i->opcode, "add") &&
        !has_part(i->opcode, "u32") && !has_part(i->opcode, "s32"))
        r->out->shared_float_atomics++;
    count_at(r, i, op, address, width);
}

/* "cp.async.ca.shared.global [to], [from], 16;": read as global and written as shared memory. */
static void rewrite_copy(struct rewriter *r, const struct instruction *i)
{
    struct span to = bracket(i->operands, 0), from = bracket(i->operands, 1);
    const char *after = from.at + from.len, *end = i->operands.at + i->operands.len;
    int width = 0;
    while (after < end && !isdigit((unsigned char)*after))
        after++;
    for (; after < end && isdigit((unsigned char)*after); after++)
        width = 10 * width + (*after - '0');
    if (has_part(i->opcode, "bulk") || !has_part(i->opcode, "global") || from.len == 0 ||
        (width != 4 && width != 8 && width != 16)) {
        note_unseen(r, i->opcode);
        return;
    }
    put_call(r, i, "global", from, width);
    add_site(r, SITE_COPY_FROM, SITE_GLOBAL, width, false);
    put_call(r, i, "shared", to, width);
    add_site(r, SITE_COPY_TO, SITE_SHARED, width, false);
}

/* "ldmatrix.sync.aligned.m8n8.x4.shared.b16": a lane's share is 4 bytes a matrix; a row has 16. */
static void rewrite_matrix(struct rewriter *r, const struct instruction *i, enum site_op op)
{
    int n = has_part(i->opcode, "x4")   ? 4
            : has_part(i->opcode, "x2") ? 2
            : has_part(i->opcode, "x1") ? 1
                                        : 0;
    bool shared = has_part(i->opcode, "shared") || has_part(i->opcode, "shared::cta");
    if (n == 0 || !shared || !has_part(i->opcode, "m8n8"))
        note_unseen(r, i->opcode);
    else
        count_at(r, i, op, bracket(i->operands, 0), 16 * n);
}

static void rewrite_instruction(struct rewriter *r, struct span statement)
{
    static const struct { const char *begins; enum site_op op;
    } simple[] = {
        {"ld.", SITE_LOAD},     {"ldu.", SITE_LOAD},   {"st.", SITE_STORE},
        {"atom.", SITE_ATOMIC}, {"red.", SITE_ATOMIC},
    };
    static const char *const strange[] = {"wmma.load",  "wmma.store", "multimem.",
                                          "cp.reduce.", "st.async",   "red.async"};
    struct instruction i = parse(statement);
    for (size_t k = 0; k < sizeof strange / sizeof *strange; k++)
        if (begins(i.opcode, strange[k]))
            note_unseen(r, i.opcode);
    for (size_t k = 0; k < sizeof simple / sizeof *simple; k++)
        if (begins(i.opcode, simple[k].begins))
            rewrite_access(r, &i, simple[k].op);
    if (begins(i.opcode, "ldmatrix.") || begins(i.opcode, "stmatrix."))
        rewrite_matrix(r, &i, *i.opcode.at == 'l' ? SITE_MATRIX_LOAD : SITE_MATRIX_STORE);
    if (begins(i.opcode, "cp.async.") && i.operands.len &&
        memchr(i.operands.at, '[', i.operands.len) && !has_part(i.opcode, "mbarrier"))
        rewrite_copy(r, &i);
    if (begins(i.opcode, "call") && memmem(statement.at, statement.len, "vprintf", 7))
        note_unseen(r, (struct span){"printf", 6});
}

/* ---- the text ---- */

/* Directives that end with their line. */
static bool is_line_directive(struct span s)
{
    static const char *const names[] = {".version", ".target", ".address_size", ".loc", ".file"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (begins(s, names[i]))
            return true;
    return false;
}

/* A statement's end: the ';', the ':' of a label, a scope's brace, or the line's end; NULL at the
 * text's end. Braces after other words are operands or initial values, except a function's. */
static const char *statement_end(const char *from, int depth)
{
    struct span start = {from, strnlen(from, 16)};
    bool line = is_line_directive(start), plain = depth > 0 || !begins(start, ".section");
    bool body = false, alone = true;
    int inner = 0;
    for (const char *at = from; *at;) {
        const char *after = skip_quiet(at);
        if (after > at) {
            at = after;
            continue;
        }
        if (line && *at == '\n')
            return at;
        if (depth == 0 && (!strncmp(at, ".entry", 6) || !strncmp(at, ".func", 5)))
            body = true;
        if (!line && inner == 0 &&
            (*at == ';' || (*at == '}' && alone) || (*at == '{' && (alone || body))))
            return at;
        if (!line && alone && depth > 0 && *at == ':' && at[1] != ':' && at[-1] != ':' &&
            memchr(from, '.', (size_t)(at - from)) == NULL)
            return at;
        inner += *at == '{' ? 1 : *at == '}' ? -1 : 0;
        if (!plain && inner == 0 && *at == '}')
            return at;
        alone = alone && (isspace((unsigned char)*at) || (depth > 0 && is_word(*at)));
        at++;
    }
    return NULL;
}

static void rewrite_statement(struct rewriter *r, struct span s)
{
    if (r->depth == 0 || s.len == 0)
        return;
    if (begins(s, ".reg"))
        read_declaration(r, s);
    else if (*s.at != '.')
        rewrite_instruction(r, s);
}

/* From one statement to the next; comments and blanks between them are copied. */
static const char *step(struct rewriter *r, const char *at)
{
    const char *from = skip_blank(at, r->end);
    while (skip_quiet(from) > from)
        from = skip_blank(skip_quiet(from), r->end);
    put(r, at, (size_t)(from - at));
    const char *end = *from ? statement_end(from, r->depth) : NULL;
    if (!end) {
        put(r, from, (size_t)(r->end - from));
        return r->end;
    }
    struct span s = {from, (size_t)(end - from)};
    if (*end == ';')
        rewrite_statement(r, s);
    put(r, from, s.len + 1);
    if (*end == '{' && r->depth == 0) {
        const char *entry = memmem(s.at, s.len, ".entry", 6);
        r->kernel = entry ? skip_blank(entry + 6, r->end) : NULL;
    }
    if (*end == '{')
        r->depth++;
    else if (*end == '}' && r->depth > 0)
        close_scope(r);
    return end + 1;
}

/* Where the header ends: behind the line of .address_size. */
static const char *after_header(const char *ptx)
{
    const char *at = strstr(ptx, ".address_size 64");
    return at ? at + strcspn(at, "\n") : NULL;
}

/* Our functions, without header and without the tables for debuggers, which only one text may
 * bring. */
static void put_library(struct rewriter *r, const char *library)
{
    const char *at = after_header(library) ? after_header(library) : library,
               *end = strstr(library, "\n\t.file");
    const char *section = strstr(library, "\n\t.section");
    end = end && section ? (end < section ? end : section)
          : end          ? end
          : section      ? section
                         : library + strlen(library);
    while (at < end) {
        size_t n = strcspn(at, "\n");
        n += at[n] == '\n';
        if (strncmp(at + strspn(at, " \t"), ".loc", 4) != 0 || at[strspn(at, " \t") + 4] == 'a')
            put(r, at, n);
        at += n;
    }
}

int instrument_rewrite(struct instrumented *out, const char *ptx, const char *library,
                       struct err *err)
{
    struct rewriter r = {.out = out, .end = ptx + strlen(ptx)};
    const char *at = after_header(ptx);
    *out = (struct instrumented){.n_sites = 0};
    if (!at)
        return err_set(err, ERR_UNSUPPORTED, "the kernel's PTX has no header that we know");
    if (strstr(ptx, "wd_count_") || strstr(ptx, "%wd_"))
        return err_set(err, ERR_UNSUPPORTED,
                       "the kernel uses names that the instrumented copy needs for itself");
    put(&r, ptx, (size_t)(at - ptx));
    put_library(&r, library);
    while (*at)
        at = step(&r, at);
    free(r.regs);
    if (r.depth == 0)
        return 0;
    instrument_free(out);
    return err_set(err, ERR_UNSUPPORTED, "the kernel's PTX ends within a function");
}

void instrument_free(struct instrumented *i)
{
    free(i->ptx);
    free(i->sites);
    *i = (struct instrumented){.n_sites = 0};
}
