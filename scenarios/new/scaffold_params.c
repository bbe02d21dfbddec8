/* The parameters of a kernel: what a scenario can pass for each. */
#include "scenarios/new/scaffold_source_inside.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

static int fail_at(const struct source *s, size_t at, struct err *err, const char *fmt,
                   const char *a, const char *b)
{
    char text[600];
    snprintf(text, sizeof text, fmt, a, b);
    return source_fail(s, at, ERR_UNSUPPORTED, err, text);
}

/* ---- types ---- */

static const struct {
    const char *name;
    enum elem_type elem;
    int width;
    enum kernel_param_kind by_value;
    bool is_short;
} types[] = {
    {"float", T_F32, 1, KP_F32, false},
    {"double", T_F64, 1, KP_F64, false},
    {"int", T_I32, 1, KP_WHOLE, false},
    {"signed", T_I32, 1, KP_WHOLE, false},
    {"signed int", T_I32, 1, KP_WHOLE, false},
    {"int32_t", T_I32, 1, KP_WHOLE, false},
    {"unsigned", T_U32, 1, KP_WHOLE, false},
    {"unsigned int", T_U32, 1, KP_WHOLE, false},
    {"uint32_t", T_U32, 1, KP_WHOLE, false},
    {"uint", T_U32, 1, KP_WHOLE, false},
    {"bool", T_U8, 1, KP_WHOLE, false},
    {"long long", T_I64, 1, KP_WHOLE64, false},
    {"long long int", T_I64, 1, KP_WHOLE64, false},
    {"int64_t", T_I64, 1, KP_WHOLE64, false},
    {"long", T_I64, 1, KP_WHOLE64, false},
    {"unsigned long long", T_I64, 1, KP_WHOLE64, false},
    {"unsigned long", T_I64, 1, KP_WHOLE64, false},
    {"uint64_t", T_I64, 1, KP_WHOLE64, false},
    {"size_t", T_I64, 1, KP_WHOLE64, false},
    {"ptrdiff_t", T_I64, 1, KP_WHOLE64, false},
    {"char", T_I8, 1, KP_WHOLE, false},
    {"signed char", T_I8, 1, KP_WHOLE, false},
    {"int8_t", T_I8, 1, KP_WHOLE, false},
    {"unsigned char", T_U8, 1, KP_WHOLE, false},
    {"uint8_t", T_U8, 1, KP_WHOLE, false},
    {"uchar", T_U8, 1, KP_WHOLE, false},
    {"short", T_F16, 1, KP_WHOLE, true},
    {"unsigned short", T_F16, 1, KP_WHOLE, true},
    {"uint16_t", T_F16, 1, KP_WHOLE, true},
    {"half", T_F16, 1, KP_BUFFER, false},
    {"__half", T_F16, 1, KP_BUFFER, false},
    {"__nv_bfloat16", T_BF16, 1, KP_BUFFER, false},
    {"nv_bfloat16", T_BF16, 1, KP_BUFFER, false},
    {"float2", T_F32, 2, KP_BUFFER, false},
    {"float3", T_F32, 3, KP_BUFFER, false},
    {"float4", T_F32, 4, KP_BUFFER, false},
    {"double2", T_F64, 2, KP_BUFFER, false},
    {"int2", T_I32, 2, KP_BUFFER, false},
    {"int4", T_I32, 4, KP_BUFFER, false},
    {"uint2", T_U32, 2, KP_BUFFER, false},
    {"uint4", T_U32, 4, KP_BUFFER, false},
    {"uchar4", T_U8, 4, KP_BUFFER, false},
    {"char4", T_I8, 4, KP_BUFFER, false},
};
enum { TYPES = sizeof types / sizeof *types };

static int find_type(const char *name)
{
    for (int i = 0; i < TYPES; i++)
        if (!strcmp(types[i].name, name))
            return i;
    return -1;
}

static const char *alias_of(const struct source *s, const char *name)
{
    const char *is = NULL;
    for (int i = 0; i < s->n_aliases; i++)
        is = strcmp(s->aliases[i].name, name) ? is : s->aliases[i].is;
    return is;
}

/* Through typedefs and macros of the file, whose names come first, and without std::. */
static int resolve(const struct source *s, const char *name)
{
    for (int steps = 0; steps < 4; steps++) {
        const char *is = alias_of(s, name);
        if (!is)
            return find_type(!strncmp(name, "std::", 5) ? name + 5 : name);
        name = is;
    }
    return -1;
}

/* ---- one parameter ---- */

static bool is_qualifier(const char *w, size_t n)
{
    static const char *const words[] = {"const",      "volatile", "__restrict__",
                                        "__restrict", "restrict", "__grid_constant__",
                                        "register",   "struct"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strlen(words[i]) == n && !strncmp(words[i], w, n))
            return true;
    return false;
}

/* The words of [at, end) that are no qualifiers, and how many stars and other signs stand among
 * them. */
struct words { char text[8][64]; int n, stars; bool is_const, odd; };

static void split_words(struct words *w, const struct source *s, size_t at, size_t end)
{
    *w = (struct words){.n = 0};
    for (size_t i = at; i < end; i++) {
        char c = s->code[i];
        if (c == '*') {
            w->stars++;
        } else if (c == '[') {
            w->stars++;
            i = code_behind(s->code, i, end) - 1;
        } else if (code_is_word(c)) {
            size_t stop = code_word(s->code, i, end);
            while (stop + 2 < end && s->code[stop] == ':' && s->code[stop + 1] == ':')
                stop = code_word(s->code, stop + 2, end);
            if (stop - i == 5 && !strncmp(s->code + i, "const", 5) && !w->stars)
                w->is_const = true;
            if (!is_qualifier(s->code + i, stop - i) && w->n < 8)
                snprintf(w->text[w->n++], sizeof w->text[0], "%.*s", (int)(stop - i), s->code + i);
            i = stop - 1;
        } else if (!isspace((unsigned char)c)) {
            w->odd = true;
        }
    }
}

static void join(char *out, size_t size, const struct words *w, int n)
{
    size_t len = 0;
    *out = '\0';
    for (int i = 0; i < n && len < size; i++)
        len += (size_t)snprintf(out + len, size - len, "%s%s", i ? " " : "", w->text[i]);
}

static const char unsupported[] =
    "a parameter of type `%s%s`; a pointer to numbers or a number by value was expected. Pass a "
    "structure's pointer as `float *` or `int *` and cast it in the kernel, its fields one by one, "
    "a template's type as the type that you measured";

static void read_param(const struct source *s, struct kernel *k, size_t at, size_t end)
{
    struct words w;
    char type[256], whole[256];
    at = code_skip(s->code, at, end);
    split_words(&w, s, at, end);
    join(whole, sizeof whole, &w, w.n);
    bool named = w.n > 1 && resolve(s, whole) < 0;
    join(type, sizeof type, &w, named ? w.n - 1 : w.n);
    int t = resolve(s, type);
    struct kernel_param *p = &k->params[k->n_params++];
    *p = (struct kernel_param){.name = named ? text_dup(w.text[w.n - 1])
                                             : text_format("arg%d", k->n_params),
                               .type = text_dup(type),
                               .stars = w.stars,
                               .is_odd = w.odd,
                               .is_const = w.is_const,
                               .begin = at,
                               .end = end};
    source_place(s, at, &p->line, &p->col);
    p->is_known = !w.odd && t >= 0 && w.stars <= 1 && (w.stars || types[t].by_value != KP_BUFFER);
    p->kind = w.stars || t < 0 ? KP_BUFFER : types[t].by_value;
    if (t < 0)
        return;
    p->elem = types[t].elem;
    p->width = types[t].width;
    p->is_short = types[t].is_short;
}

static int refuse_param(const struct source *s, const struct kernel_param *p, struct err *err)
{
    return fail_at(s, p->begin, err, unsupported, p->type,
                   p->is_odd      ? " with & or <>"
                   : p->stars > 1 ? " **"
                   : p->stars     ? " *"
                                  : "");
}

static int read_list(const struct source *s, struct kernel *k, size_t open, size_t close,
                     struct err *err)
{
    size_t from = open + 1;
    int depth = 0;
    k->params = mem_new(CAP_ARGS + 1, sizeof *k->params);
    for (size_t i = from; i < close; i++) {
        char c = s->code[i];
        depth += (c == '(' || c == '[' || c == '<') -
                 (c == ']' || c == '>' || (c == ')' && i + 1 < close));
        bool ends = (c == ',' && depth == 0) || i + 1 == close;
        if (ends && (code_skip(s->code, from, i) < i || c == ',')) {
            if (k->n_params == CAP_ARGS)
                return fail_at(s, i, err,
                               "more than %s parameters; at most so many were expected%s", "24",
                               "");
            read_param(s, k, from, i);
        }
        from = ends ? i + 1 : from;
    }
    return 0;
}

static bool is_void(const struct kernel *k)
{
    return k->n_params == 1 && !strcmp(k->params[0].type, "void") && !k->params[0].stars;
}

static int refuse_params(const struct source *s, struct kernel *k, struct err *err)
{
    if (is_void(k))
        k->n_params = 0;
    for (int i = 0; i < k->n_params; i++)
        if (!k->params[i].is_known)
            return refuse_param(s, &k->params[i], err);
    return 0;
}

/* ---- the list by itself ---- */

static size_t list_begin(const struct source *s, const struct kernel *k)
{
    return code_skip(s->code, code_word(s->code, k->name_at, k->body), k->body);
}

size_t source_list_end(const struct source *s, const struct kernel *k)
{
    return code_behind(s->code, list_begin(s, k), k->body);
}

static bool has_directive(const struct source *s, size_t at, size_t end)
{
    for (; at < end; at++)
        if (s->file.text[at] == '#')
            return true;
    return false;
}

/* May a macro stand there, so that it is more than one parameter, or none? */
static bool may_be_macro(const struct source *s, const struct kernel_param *p)
{
    struct words w;
    split_words(&w, s, p->begin, p->end);
    bool macro = memchr(s->code + p->begin, '(', p->end - p->begin) ||
                 (!p->is_known && !p->stars && w.n < 2);
    for (int i = 0; i < w.n; i++)
        macro = macro || (alias_of(s, w.text[i]) && strchr(alias_of(s, w.text[i]), ','));
    return macro;
}

bool source_signature(struct source *s, struct kernel *k)
{
    size_t open = list_begin(s, k), close = source_list_end(s, k);
    int of_name = 0;
    for (int i = 0; i < s->n_kernels; i++)
        of_name += !strcmp(s->kernels[i].name, k->name);
    bool sure = of_name == 1 && !k->is_template && !k->params && !has_directive(s, open, close) &&
                read_list(s, k, open, close, NULL) == 0;
    if (sure && is_void(k))
        k->n_params = 0;
    for (int i = 0; sure && i < k->n_params; i++)
        sure = !may_be_macro(s, &k->params[i]);
    return sure;
}

int source_params(struct source *s, struct kernel *k, struct err *err)
{
    size_t open = code_skip(s->code, code_word(s->code, k->name_at, k->body), k->body);
    size_t close = code_close(s->code, open, k->body);
    if (k->params)
        return 0;
    if (k->is_template)
        return fail_at(s, k->name_at, err,
                       "kernel '%s' is a template, and the file names no instance of it; a launch "
                       "such as %s<float, 256><<<...>>>, or --kernel 'NAME<float, 256>' with what "
                       "you measured, was expected",
                       k->name, k->name);
    if (strlen(k->name) > 63)
        return fail_at(s, k->name_at, err,
                       "kernel '%.40s...' has a name of more than %s characters; at most so many "
                       "were expected",
                       k->name, "63");
    source_instance_aliases(s, k);
    int rc = read_list(s, k, open, close, err);
    if (rc || (rc = refuse_params(s, k, err)))
        return rc;
    source_body(s, k);
    source_launch(s, k);
    return 0;
}
