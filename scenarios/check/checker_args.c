/* What launches pass, held against what kernels take. Nothing is compiled: parameters are read as
 * text, and what cannot be told so is left to the compiler. */
#include "scenarios/check/checks.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/new/scaffold_source.h"
#include "scenarios/pack/image.h"

/* One run of a variant: its source, and how it is launched. */
struct passing {
    struct findings *f;
    const struct variant *v;
    const struct file *file;
    const struct launch *launches; int n;
    bool is_reference;                     /* whose outputs are f64 */
    struct source *source;
    bool given[CAP_BUFFERS], written[CAP_BUFFERS]; /* to any launch; where something may write it */
    bool open[CAP_BUFFERS]; /* to a kernel that does not take it as const */
};

static struct place place_at(const struct passing *p, const struct launch *l, int line, int col)
{
    return (struct place){files_find(p->v->story->pack->files, l->file), line, col};
}

/* "fix.cu": the same for all variants that share the launch. */
static const char *name_of(const struct passing *p)
{
    const char *slash = strrchr(p->file->path, '/');
    return slash ? slash + 1 : p->file->path;
}

static void find(const struct passing *p, struct place at, const char *what, const char *expected,
                 const struct kernel *k)
{
    char signature[240];
    source_line(signature, sizeof signature, p->source, k->name_at, source_list_end(p->source, k));
    findings_add(p->f, "arguments", p->v->story->pack, p->v->full_id, NULL, at,
                 "%s; %s expected by %s in %s", what, expected, signature, name_of(p));
}

/* ---- one argument ---- */

static enum elem_type type_of(const struct passing *p, const struct buffer *b)
{
    return p->is_reference && b->role == ROLE_OUTPUT ? T_F64 : b->type;
}

/* Does a kernel that declares these elements read the buffer's as they are meant? Vectors, bytes,
 * and words that hold several smaller elements are how code looks at anything, a workspace is what
 * its user makes of it; signs do not matter. */
static bool goes_with(const struct passing *p, const struct kernel_param *k, const struct buffer *b)
{
    enum elem_type of = type_of(p, b);
    if (b->role == ROLE_WORKSPACE || k->width != 1 || elem_size(k->elem) == 1 || k->elem == of)
        return true;
    if (k->is_short)
        return elem_size(of) == 2;
    if (elem_is_real(k->elem))
        return false;
    return elem_size(k->elem) == elem_size(of) ? !elem_is_real(of) : elem_size(of) < 4;
}

static bool fits_number(const struct kernel_param *k, enum arg_kind kind)
{
    static const enum arg_kind kinds[] =
        {[KP_WHOLE] = ARG_I32, [KP_WHOLE64] = ARG_I64, [KP_F32] = ARG_F32, [KP_F64] = ARG_F64};
    return kinds[k->kind] == (kind == ARG_RANK ? ARG_I32 : kind);
}

/* Of this rank or the next. */
static bool is_pointer(const struct arg *a)
{
    return a->kind == ARG_BUFFER || a->kind == ARG_PEER;
}

static char *describe(const struct passing *p, const struct arg *a, int number)
{
    static const char *const kinds[] =
        {[ARG_I32] = "an i32", [ARG_I64] = "an i64", [ARG_F32] = "an f32", [ARG_F64] = "an f64"};
    const struct story *s = p->v->story;
    if (a->kind == ARG_MAP)
        return text_format("argument %d is a map of %s", number, s->buffers[a->index].name);
    if (a->kind == ARG_RANK)
        return text_format("argument %d is the rank, an i32", number);
    if (!is_pointer(a))
        return text_format("argument %d is %s", number, kinds[a->kind]);
    const struct buffer *b = &s->buffers[a->index];
    return text_format("argument %d is %s, a buffer of %s%s", number, b->name,
                       elem_name(type_of(p, b)),
                       type_of(p, b) != b->type ? ", as outputs of a reference are" : "");
}

/* `const __grid_constant__ tensor_map`, of warpdrill.h. */
static bool takes_map(const struct passing *p, const struct kernel_param *k)
{
    return k->stars == 0 &&
           code_find(p->source->code, k->begin, k->end, "tensor_map") < k->end;
}

static void check_arg(struct passing *p, const struct launch *l, const struct kernel *k, int i)
{
    const struct arg *a = &l->args[i];
    const struct kernel_param *param = &k->params[i];
    bool buffer = is_pointer(a), pointer = param->stars > 0, fits, map = takes_map(p, param);
    if (param->is_odd || (!pointer && !param->is_known && !map && a->kind != ARG_MAP))
        return;
    if (map || a->kind == ARG_MAP)
        fits = map && a->kind == ARG_MAP;
    else if (buffer != pointer)
        fits = false;
    else if (!param->is_known)
        fits = true;
    else
        fits = buffer ? goes_with(p, param, &p->v->story->buffers[a->index])
                      : fits_number(param, a->kind);
    if (fits)
        return;
    char expected[100], *what = describe(p, a, i + 1), quoted[112];
    source_line(expected, sizeof expected, p->source, param->begin, param->end);
    snprintf(quoted, sizeof quoted, "`%s` was", expected);
    find(p, place_at(p, l, a->line, a->col), what, quoted, k);
    free(what);
}

/* Between signed and unsigned words nothing faults, so this is no more than a doubt. */
static void check_sign(const struct passing *p, const struct launch *l, const struct kernel *k,
                       int i)
{
    const struct arg *a = &l->args[i];
    const struct kernel_param *param = &k->params[i];
    if (!is_pointer(a) || !param->is_known || param->is_odd || param->stars != 1 ||
        param->width != 1)
        return;
    enum elem_type is = type_of(p, &p->v->story->buffers[a->index]), takes = param->elem;
    if (!(is == T_I32 && takes == T_U32) && !(is == T_U32 && takes == T_I32))
        return;
    findings_add(p->f, "argument-sign", p->v->story->pack, p->v->full_id, NULL,
                 place_at(p, l, a->line, a->col),
                 "argument %d is %s, a buffer of %s, and %s in %s reads %s; one sign was expected",
                 i + 1, p->v->story->buffers[a->index].name, elem_name(is), k->name, name_of(p),
                 elem_name(takes));
}

/* ---- a launch ---- */

/* Does a directive hold the word? What a macro does with it is not followed. */
static bool is_in_directive(const struct source *s, const char *word)
{
    for (const char *at = s->file.text, *end; at && *at; at = end ? end + 1 : NULL) {
        const char *first = at + strspn(at, " \t");
        end = strchr(at, '\n');
        while (*first == '#' && end && end > at && end[-1] == '\\')
            end = strchr(end + 1, '\n');
        size_t n = end ? (size_t)(end - at) : strlen(at);
        if (*first == '#' && code_find(at, 0, n, word) < n)
            return true;
    }
    return false;
}

/* Behind an element's place: is it assigned to? */
static bool is_assigned(const char *at)
{
    size_t n = strspn(at, "+-*/%&|^<>");
    return (*at == '=' && at[1] != '=') || !strncmp(at, "++", 2) || !strncmp(at, "--", 2) ||
           (n == 1 && !strchr("<>", *at) && at[1] == '=') ||
           (n == 2 && (!strncmp(at, "<<=", 3) || !strncmp(at, ">>=", 3)));
}

/* May this place of a pointer's name write what it points to? All but `name[...]` that is read. */
static bool may_write_at(const struct source *s, size_t from, size_t at, size_t len, size_t end)
{
    const char *code = s->code;
    size_t next = code_skip(code, at + len, end), before = at;
    while (before > from && (code[before - 1] == ' ' || code[before - 1] == '\n'))
        before--;
    if (code[next] != '[')
        return before < 6 || strncmp(code + before - 6, "(void)", 6) != 0;
    char sign = before > from ? code[before - 1] : ' ';
    char twin = before > from + 1 ? code[before - 2] : ' ';
    if ((sign == '&' && twin != '&') || ((sign == '+' || sign == '-') && twin == sign))
        return true;
    while (next < end && code[next] == '[')
        next = code_skip(code, code_behind(code, next, end), end);
    if (next < end && code[next] == '.')
        next = code_skip(code, code_word(code, next + 1, end), end);
    return next >= end || is_assigned(code + next);
}

static bool may_write(const struct source *s, const struct kernel *k, const char *name)
{
    size_t len = strlen(name);
    if (is_in_directive(s, name))
        return true;
    for (size_t at = k->body; (at = code_find(s->code, at, k->end, name)) < k->end; at += len)
        if (may_write_at(s, k->body, at, len, k->end))
            return true;
    return false;
}

static void note_buffers(struct passing *p, const struct launch *l, const struct kernel *k)
{
    for (int i = 0; i < l->n_args; i++) {
        const struct arg *a = &l->args[i];
        if (!arg_of_buffer(a->kind))
            continue;
        bool shut = k && is_pointer(a) && i < k->n_params && k->params[i].is_const &&
                    k->params[i].stars == 1 && !k->params[i].is_odd;
        bool unknown = !k || i >= k->n_params || a->kind == ARG_MAP;
        bool writes = !shut && (unknown || may_write(p->source, k, k->params[i].name));
        p->given[a->index] = true;
        p->open[a->index] = p->open[a->index] || !shut;
        p->written[a->index] = p->written[a->index] || writes;
    }
}

static void check_count(const struct passing *p, const struct launch *l, const struct kernel *k)
{
    char what[80], expected[40];
    bool more = l->n_args > k->n_params;
    snprintf(what, sizeof what, "%d argument%s", l->n_args, l->n_args == 1 ? "" : "s");
    snprintf(expected, sizeof expected, "%d %s", k->n_params, k->n_params == 1 ? "was" : "were");
    find(p,
         more ? place_at(p, l, l->args[k->n_params].line, l->args[k->n_params].col)
              : place_at(p, l, l->line, l->col),
         what, expected, k);
}

static void note_transfer(struct passing *p, const struct transfer *t)
{
    p->given[t->from] = p->given[t->to] = true;
    p->open[t->to] = p->written[t->to] = true;
}

static void check_launch(struct passing *p, const struct launch *l)
{
    if (l->transfer) {
        note_transfer(p, l->transfer);
        return;
    }
    struct kernel *k = source_kernel(p->source, l->kernel);
    bool known = k && (k->params || source_signature(p->source, k));
    note_buffers(p, l, known ? k : NULL);
    if (!known)
        return;
    if (l->n_args != k->n_params)
        check_count(p, l, k);
    for (int i = 0; i < l->n_args && l->n_args == k->n_params; i++) {
        check_arg(p, l, k, i);
        check_sign(p, l, k, i);
    }
}

/* ---- outputs that stay as the runner poisoned them ---- */

static const struct launch *first_with(const struct passing *p, int buffer, int *arg)
{
    for (int l = 0; l < p->n; l++)
        for (*arg = 0; *arg < p->launches[l].n_args; ++*arg)
            if (arg_of_buffer(p->launches[l].args[*arg].kind) &&
                p->launches[l].args[*arg].index == buffer)
                return &p->launches[l];
    return NULL;
}

static void check_outputs(const struct passing *p)
{
    const struct story *s = p->v->story;
    int arg = 0;
    for (int b = 0; b < s->n_buffers; b++) {
        const struct launch *l = first_with(p, b, &arg);
        bool output = s->buffers[b].role == ROLE_OUTPUT,
             out = output || s->buffers[b].role == ROLE_INOUT;
        if (output && !p->given[b])
            findings_add(p->f, "arguments", s->pack, p->v->full_id, NULL,
                         place_at(p, p->launches, p->launches->line, p->launches->col),
                         "no launch of %s passes %s, which is an output; an argument that is "
                         "written was expected",
                         name_of(p), s->buffers[b].name);
        if (!out || !l || p->written[b])
            continue;
        char what[120];
        snprintf(what, sizeof what, "argument %d is %s, an output that %s", arg + 1,
                 s->buffers[b].name,
                 p->open[b] ? "nothing is written to" : "is passed as const alone");
        find(p, place_at(p, l, l->args[arg].line, l->args[arg].col), what,
             p->open[b] ? "an assignment to its elements was" : "a pointer without const was",
             source_kernel(p->source, l->kernel));
    }
}

/* Of an image the pack's reader has counted them. */
static bool has_image(const struct variant *v, const struct file *file)
{
    struct image_files i;
    image_find(&i, v->story->pack->files, file);
    return i.ptx != NULL;
}

static void check_run(struct findings *f, const struct variant *v, const struct file *file,
                      const char *run)
{
    struct passing p = {.f = f,
                        .v = v,
                        .file = file,
                        .is_reference = *run == 'r'};
    p.launches = variant_launches(v, run, &p.n);
    if (!file || has_image(v, file) ||
        source_read(&p.source, file->path, file->text, file->len, NULL))
        return;
    for (int i = 0; i < p.n; i++)
        check_launch(&p, &p.launches[i]);
    check_outputs(&p);
    source_free(p.source);
}

void check_args(struct findings *f, const struct variant *v)
{
    if (story_is_case(v->story))
        return;
    check_run(f, v, v->suspect, "a");
    for (const char *run = v->sealed ? "" : variant_mended(v); *run; run++)
        check_run(f, v, variant_source(v, run), run);
    check_run(f, v, v->reference_file, "r");
}
