/* What the launches of a step pass: buffers by the names that the host has for them, sizes, plain
 * numbers. */
#include "scenarios/new/scaffold_step.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/new/scaffold_values.h"
#include "scenarios/pack/pack.h"

/* ---- names ---- */

static size_t prefix(const char *text)
{
    static const char *const words[] = {"d_", "dev_", "gpu_", "g_"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strncmp(text, words[i], strlen(words[i])) &&
            isalpha((unsigned char)text[strlen(words[i])]))
            return strlen(words[i]);
    return 0;
}

/* The name that begins the text, without a method's that is called: "p->out", of "x.data()" "x".
 */
static struct extent name_in(const char *text)
{
    size_t n = strlen(text);
    struct extent x = values_members(text, 0, n);
    size_t last = values_last_member(text, x);
    if (text[code_skip(text, x.end, n)] == '(' && last > x.at)
        x.end = last - (text[last - 1] == '.' ? 1 : 2);
    return x;
}

/* Of a member its last word, and before it those of the structure where the step has several. */
void step_pack_name(char out[STEP_NAME], const struct step *p, const char *text)
{
    while (*text && !isalpha((unsigned char)*text) && *text != '_')
        text++;
    struct extent x = name_in(text);
    if (!p->many_structures)
        x.at = values_last_member(text, x);
    text += x.at;
    size_t n = x.end - x.at, len = 0;
    for (size_t i = prefix(text); i < n && len < STEP_NAME - 4; i++)
        if (code_is_word(text[i]))
            out[len++] = text[i];
        else if (len && out[len - 1] != '_')
            out[len++] = '_';
    out[len] = '\0';
    for (char *c = out; *c; c++)
        *c = (char)tolower((unsigned char)*c);
    if (!*out || *out == '_' || pack_name_reserved(out)) {
        char plain[STEP_NAME];
        snprintf(plain, sizeof plain, "%s", out + strspn(out, "_"));
        snprintf(out, STEP_NAME, "%.24s_", *plain ? plain : "x");
    }
}

/* A name, or a member by its name. */
static bool is_word(const char *text)
{
    return *text && !isdigit((unsigned char)*text) &&
           values_members(text, 0, strlen(text)).end == strlen(text);
}

static bool is_whole(const struct kernel_param *q)
{
    return q->kind == KP_WHOLE || q->kind == KP_WHOLE64;
}

/* What argument i is called: the host's name where it is one, else the parameter's. */
static void name_of(char out[STEP_NAME], const struct step *p, const struct launch_found *l, int i)
{
    bool named = i < l->n_args && (is_word(l->args[i]) || l->k->params[i].kind == KP_BUFFER);
    step_pack_name(out, p, named ? l->args[i] : l->k->params[i].name);
}

/* ---- buffers ---- */

static int add_buffer(struct step *p, const struct launch_found *l, int i, struct err *err)
{
    const struct kernel_param *q = &l->k->params[i];
    char name[STEP_NAME];
    struct step_buffer *b = NULL;
    name_of(name, p, l, i);
    for (int k = 0; k < p->n_buffers && !b; k++)
        b = strcmp(p->buffers[k].name, name) ? NULL : &p->buffers[k];
    if (!b && p->n_buffers == STEP_BUFFERS)
        return err_set(err, ERR_TOO_LARGE, "%s: more than %d buffers; at most %d were expected",
                       p->source->file.path, STEP_BUFFERS, STEP_BUFFERS);
    if (!b) {
        b = &p->buffers[p->n_buffers++];
        *b = (struct step_buffer){.as = q};
        memcpy(b->name, name, sizeof name);
    }
    b->atomic = b->atomic || q->atomic;
    bool writes = q->written || (!q->is_const && !q->read), reads = q->read || !writes;
    b->read_first = b->read_first || (reads && !b->written);
    b->written = b->written || writes;
    b->read_last = writes ? false : reads ? true : b->read_last;
    return 0;
}

/* What only passes from kernel to kernel is a workspace; where that leaves no output, the buffer
 * that was written last is one. */
static void set_roles(struct step *p)
{
    bool any = false;
    int last = -1;
    for (int i = 0; i < p->n_buffers; i++) {
        struct step_buffer *b = &p->buffers[i];
        b->role = !b->written      ? ROLE_INPUT
                  : b->read_first  ? ROLE_INOUT
                  : b->read_last   ? ROLE_WORKSPACE
                                   : ROLE_OUTPUT;
        any = any || b->role == ROLE_OUTPUT || b->role == ROLE_INOUT;
        last = b->written ? i : last;
    }
    if (!any && last >= 0)
        p->buffers[last].role = ROLE_OUTPUT;
}

/* ---- sizes ---- */

static bool has_size(const struct step *p, const char *name)
{
    for (int i = 0; i < p->n_sizes; i++)
        if (!strcmp(p->sizes[i].name, name))
            return true;
    return false;
}

static bool has_buffer(const struct step *p, const char *name)
{
    for (int i = 0; i < p->n_buffers; i++)
        if (!strcmp(p->buffers[i].name, name))
            return true;
    return false;
}

/* The words of an expression of sizes that are there, without blanks lost; NULL for any other.
 * malloc'd. */
static char *of_sizes(const struct step *p, const char *code, struct extent x)
{
    char *out = NULL;
    size_t size;
    bool good = x.end > x.at, any = false;
    FILE *f = open_memstream(&out, &size);
    for (size_t at = x.at; good && at < x.end;) {
        size_t stop = values_members(code, at, x.end).end;
        if (stop == at) {
            good = isspace((unsigned char)code[at]) || strchr("+-*/()", code[at]);
            putc(code[at++], f);
            continue;
        }
        char *word = text_ndup(code + at, stop - at), name[STEP_NAME];
        step_pack_name(name, p, word);
        bool number = strspn(word, "0123456789") == strlen(word);
        good = number || has_size(p, name);
        any = any || !number;
        fputs(number ? word : name, f);
        free(word);
        at = stop;
    }
    fclose(f);
    if (good && any)
        return out;
    free(out);
    return NULL;
}

/* A size is what is passed by a name; numbers and expressions stay in the launch. */
static int add_size(struct step *p, const struct launch_found *l, int i, struct err *err)
{
    char name[STEP_NAME];
    name_of(name, p, l, i);
    if (i >= l->n_args || !is_word(l->args[i]) || has_size(p, name))
        return 0;
    if (p->n_sizes == STEP_SIZES)
        return err_set(err, ERR_TOO_LARGE, "%s: more than %d sizes; at most %d were expected",
                       p->source->file.path, STEP_SIZES, STEP_SIZES);
    size_t at = l->arg_at[i];
    struct extent x = values_resolved(p->source, at, at + strlen(l->args[i]));
    char *formula = x.at != at ? of_sizes(p, p->source->code, x) : NULL;
    struct step_size *size = &p->sizes[p->n_sizes++];
    *size = (struct step_size){
        .formula = formula, .why = "as your host has it", .of_others = formula != NULL};
    memcpy(size->name, name, sizeof name);
    if (!formula && l->numbers[i]) {
        size->formula = text_dup(l->numbers[i]);
        size->why = "what your case had";
    }
    return 0;
}

/* "n * sizeof(float)" and "sizeof(float) * n" without the size of an element, "1" where that is
 * all; NULL for anything else. malloc'd. */
static char *without_element(const char *code, struct extent x)
{
    size_t word = code_find(code, x.at, x.end, "sizeof"), open = code_skip(code, word + 6, x.end);
    bool called = word < x.end && open < x.end && code[open] == '(';
    size_t close = called ? code_close(code, open, x.end) : 0;
    if (!close)
        return NULL;
    struct extent before = values_trimmed(code, x.at, word);
    struct extent behind = values_trimmed(code, close, x.end);
    if (before.at == before.end && behind.at == behind.end)
        return text_dup("1");
    bool last = behind.at == behind.end && code[before.end - 1] == '*';
    bool first = before.at == before.end && code[behind.at] == '*';
    if (last)
        before.end--;
    if (first)
        behind.at++;
    struct extent rest = values_trimmed(code, last ? before.at : behind.at,
                                        last ? before.end : behind.end);
    return last || first ? text_ndup(code + rest.at, rest.end - rest.at) : NULL;
}

/* The count in cudaMalloc(&x, n * sizeof(float)), if it is a formula of the sizes. malloc'd. */
static char *count_in(const struct step *p, const struct step_buffer *b, size_t open)
{
    const char *code = p->source->code;
    size_t close = code_close(code, open, p->source->file.len);
    if (code[open] != '(' || !close)
        return NULL;
    size_t comma = values_part_end(code, open + 1, close - 1);
    char *host = text_ndup(code + open + 1, comma - open - 1), name[STEP_NAME];
    const char *star = strrchr(host, '&');
    step_pack_name(name, p, star ? star + 1 : host);
    free(host);
    if (comma + 1 >= close || strcmp(name, b->name))
        return NULL;
    size_t stop = values_part_end(code, comma + 1, close - 1);
    char *plain = without_element(code, values_resolved(p->source, comma + 1, stop));
    char *count = !plain              ? NULL
                  : !strcmp(plain, "1") ? text_dup(plain)
                                        : of_sizes(p, plain, (struct extent){0, strlen(plain)});
    free(plain);
    if (count && !strcmp(count, p->elements)) {
        free(count);
        count = NULL;
    }
    return count;
}

/* From the first allocation that says it. Of vectors the host counts what it likes. */
static void set_count(const struct step *p, struct step_buffer *b)
{
    static const char *const calls[] = {"cudaMalloc", "cudaMallocAsync", "cudaMallocManaged"};
    size_t end = p->source->file.len;
    for (size_t c = 0; c < sizeof calls / sizeof *calls && b->as->width == 1; c++)
        for (size_t at = 0; !b->count && (at = code_find(p->source->code, at, end, calls[c])) < end;
             at++)
            b->count = count_in(p, b, code_skip(p->source->code, at + strlen(calls[c]), end));
}

/* Could it be that this one is an expression of the others? Then it waits for them. */
static bool is_expression(const struct step *p, const struct launch_found *l, int i)
{
    if (i >= l->n_args)
        return false;
    size_t at = l->arg_at[i];
    struct extent x = values_resolved(p->source, at, at + strlen(l->args[i]));
    return x.at != at && memchr(p->source->code + x.at, '*', x.end - x.at);
}

/* One size alone is such that a buffer is four times the L2 cache; several are plain numbers. */
static void guess_sizes(struct step *p)
{
    int plain = 0;
    for (int i = 0; i < p->n_sizes; i++)
        plain += !p->sizes[i].formula;
    for (int i = 0; i < p->n_sizes; i++) {
        if (p->sizes[i].formula)
            continue;
        p->sizes[i].guessed = plain > 1;
        p->sizes[i].why = plain > 1 ? "the number that your case had"
                                    : "so that a buffer of 4-byte elements is four times the L2 "
                                      "cache";
        p->sizes[i].formula = plain == 1   ? text_dup("roundup(gpu.l2_bytes, 1024)")
                              : plain == 2 ? text_dup("4096")
                                           : text_dup("256");
    }
}

/* An expression of sizes counts elements, if the host has one; else their product does. */
static char *elements_of(const struct step *p)
{
    char *all = NULL;
    for (int i = 0; i < p->n_sizes; i++)
        if (p->sizes[i].of_others)
            return text_dup(p->sizes[i].name);
    for (int i = 0; i < p->n_sizes && i < 3; i++) {
        char *longer = all ? text_format("%s * %s", all, p->sizes[i].name)
                           : text_dup(p->sizes[i].name);
        free(all);
        all = longer;
    }
    if (!all) /* without a comma, which would end it in a list */
        return text_dup("gpu.l2_bytes");
    char *whole = strchr(all, '*') ? text_format("(%s)", all) : text_dup(all);
    free(all);
    return whole;
}

/* ---- what a launch has ---- */

/* What is passed for whole parameter i: a size, a number, an expression of sizes; NULL where it is
 * none of them. malloc'd. */
static char *passed_whole(const struct step *p, const struct launch_found *l, int i)
{
    char name[STEP_NAME];
    if (i >= l->n_args)
        return NULL;
    name_of(name, p, l, i);
    if (is_word(l->args[i]) && has_size(p, name))
        return text_dup(name);
    if (l->numbers[i])
        return text_dup(l->numbers[i]);
    size_t n = strlen(l->args[i]);
    return of_sizes(p, p->source->code, (struct extent){l->arg_at[i], l->arg_at[i] + n});
}

/* A formula over the kernel's parameters with what is passed in their places; NULL where one of
 * them is not known. malloc'd. */
static char *with_passed(const struct step *p, const struct launch_found *l, const char *formula)
{
    char *out = NULL;
    size_t size;
    bool known = true;
    FILE *f = open_memstream(&out, &size);
    for (size_t at = 0, n = strlen(formula); at < n;) {
        size_t stop = code_word(formula, at, n);
        int param = -1;
        for (int i = 0; stop > at && i < l->k->n_params; i++)
            if (strlen(l->k->params[i].name) == stop - at &&
                !strncmp(l->k->params[i].name, formula + at, stop - at))
                param = i;
        char *passed = param >= 0 ? passed_whole(p, l, param) : NULL;
        known = known && (param < 0 || passed);
        if (passed)
            fprintf(f, strpbrk(passed, "+-/* ") ? "(%s)" : "%s", passed);
        else
            fprintf(f, "%.*s", (int)(stop > at ? stop - at : 1), formula + at);
        free(passed);
        at = stop > at ? stop : at + 1;
    }
    fclose(f);
    if (known)
        return out;
    free(out);
    return NULL;
}

/* With quotes around sides that have a comma. */
static char *quoted_list(const char *list)
{
    char *parts[3] = {NULL}, *out = text_dup("");
    int n = draft_split(parts, list);
    for (int i = 0; i < n && i < 3; i++) {
        bool comma = strchr(parts[i], ',') != NULL;
        char *longer = text_format("%s%s%s%s%s", out, i ? ", " : "", comma ? "\"" : "", parts[i],
                                   comma ? "\"" : "");
        free(out);
        free(parts[i]);
        out = longer;
    }
    return out;
}

/* Has the formula a size that the list of the grid has as a number? */
static bool loses_size(const struct step *p, const char *list, const char *formula)
{
    size_t n = strlen(list), m = strlen(formula);
    for (int i = 0; i < p->n_sizes; i++)
        if (code_find(formula, 0, m, p->sizes[i].name) < m &&
            code_find(list, 0, n, p->sizes[i].name) == n)
            return true;
    return false;
}

/* The host's own words of a grid of one side, where the kernel is not passed all sizes in them.
 * Takes the list. malloc'd. */
static char *with_all_sizes(const struct step *p, const struct launch_found *l, char *list)
{
    static const char begin[] = "<<<";
    size_t at = sizeof begin - 1, end = values_part_end(l->text, at, strlen(l->text));
    char *formula = list ? of_sizes(p, l->text, (struct extent){at, end}) : NULL;
    if (!formula || !loses_size(p, list, formula)) {
        free(formula);
        return list;
    }
    free(list);
    return formula;
}

static void set_grid(const struct step *p, struct step_item *item)
{
    const struct launch_found *l = &item->launch;
    const int *g = l->grid;
    char *list = l->grid_formula ? with_passed(p, l, l->grid_formula) : NULL;
    list = with_all_sizes(p, l, list);
    item->grid_guessed = !list;
    if (!list && g[0])
        list = g[2] > 1   ? text_format("%d, %d, %d", g[0], g[1], g[2])
               : g[1] > 1 ? text_format("%d, %d", g[0], g[1])
                          : text_format("%d", g[0]);
    else if (!list)
        list = text_format("ceildiv(%s, %d)", p->elements, l->block[0] ? l->block[0] : 256);
    item->grid = quoted_list(list);
    free(list);
}

static void put_argument(FILE *f, const struct step *p, const struct launch_found *l, int i,
                         FILE *unsaid)
{
    static const char *const kinds[] = {
        [KP_WHOLE] = "i32", [KP_WHOLE64] = "i64", [KP_F32] = "f32", [KP_F64] = "f64"};
    const struct kernel_param *q = &l->k->params[i];
    char name[STEP_NAME], *number;
    name_of(name, p, l, i);
    if (q->kind == KP_BUFFER) {
        fputs(name, f);
        return;
    }
    if (is_whole(q))
        number = passed_whole(p, l, i);
    else
        number = i < l->n_args && l->numbers[i] ? text_dup(l->numbers[i]) : NULL;
    if (q->kind == KP_WHOLE && number && has_size(p, number))
        fputs(number, f);
    else
        fprintf(f, "{%s: %s}", kinds[q->kind], number ? number : "1");
    if (!number)
        fprintf(unsaid, "%s%s", ftell(unsaid) > 0 ? ", " : "", q->name);
    free(number);
}

static void set_passed(const struct step *p, struct step_item *item)
{
    size_t size, size_too;
    FILE *f = open_memstream(&item->args, &size),
         *unsaid = open_memstream(&item->unsaid, &size_too);
    for (int i = 0; i < item->kernel->n_params; i++) {
        fputs(i ? ", " : "", f);
        put_argument(f, p, &item->launch, i, unsaid);
    }
    fclose(f);
    fclose(unsaid);
}

/* ---- all of it ---- */

/* Buffers, or the sizes that are plain names, or those that are expressions of them. */
enum pass { PASS_BUFFERS, PASS_NAMES, PASS_FORMULAS, PASSES };

static int pass_over(struct step *p, enum pass pass, struct err *err)
{
    int rc = 0;
    for (int n = 0; !rc && n < p->n; n++) {
        const struct launch_found *l = &p->items[n].launch;
        for (int i = 0; !rc && i < l->k->n_params; i++) {
            bool buffer = l->k->params[i].kind == KP_BUFFER;
            bool later = !buffer && is_expression(p, l, i);
            if (pass == PASS_BUFFERS && buffer)
                rc = add_buffer(p, l, i, err);
            else if (pass == PASS_NAMES && is_whole(&l->k->params[i]) && !later)
                rc = add_size(p, l, i, err);
            else if (pass == PASS_FORMULAS && is_whole(&l->k->params[i]) && later)
                rc = add_size(p, l, i, err);
        }
    }
    return rc;
}

/* Are members of more than one structure passed? Then a member's name alone may be of two. */
static bool passes_several(const struct step *p)
{
    const char *first = NULL;
    size_t n = 0;
    for (int k = 0; k < p->n; k++)
        for (int i = 0; i < p->items[k].launch.n_args; i++) {
            const char *arg = p->items[k].launch.args[i];
            struct extent x = name_in(arg);
            size_t head = values_last_member(arg, x);
            if (head == x.at || isdigit((unsigned char)*arg))
                continue;
            if (first && (head != n || strncmp(first, arg, n)))
                return true;
            first = arg;
            n = head;
        }
    return false;
}

int step_args(struct step *p, struct err *err)
{
    int rc = 0;
    p->many_structures = passes_several(p);
    for (enum pass pass = PASS_BUFFERS; !rc && pass < PASSES; pass++)
        rc = pass_over(p, pass, err);
    if (rc)
        return rc;
    for (int i = 0; i < p->n_sizes; i++)
        if (has_buffer(p, p->sizes[i].name))
            return err_set(
                err, ERR_UNSUPPORTED,
                "%s: '%s' is passed as a buffer and as a number; two names were expected",
                p->source->file.path, p->sizes[i].name);
    set_roles(p);
    guess_sizes(p);
    p->elements = elements_of(p);
    for (int i = 0; i < p->n_buffers; i++)
        set_count(p, &p->buffers[i]);
    for (int i = 0; i < p->n; i++) {
        set_grid(p, &p->items[i]);
        set_passed(p, &p->items[i]);
    }
    return 0;
}
