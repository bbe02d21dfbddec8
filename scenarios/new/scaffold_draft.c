/* Names, roles, sizes and the launch of a new scenario, from what the kernel shows. */
#include "scenarios/new/scaffold_draft.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "kernels/wire/text.h"

/* ---- names ---- */

static bool taken(const struct draft *p, const char *name)
{
    for (int i = 0; i < p->k->n_params; i++)
        if (p->names[i] && !strcmp(p->names[i], name))
            return true;
    for (int i = 0; i < p->n_sizes; i++)
        if (!strcmp(p->sizes[i].name, name))
            return true;
    return false;
}

/* A name that formulas do not use themselves and nobody here has; at most 31 characters. */
static char *free_name(const struct draft *p, const char *wish)
{
    char *name = text_format("%.28s", wish);
    for (int n = 1; pack_name_reserved(name) || taken(p, name); n++) {
        free(name);
        name = n == 1 ? text_format("%.28s_", wish) : text_format("%.28s_%d", wish, n);
    }
    return name;
}

/* ---- roles ---- */

static void roles(struct draft *p)
{
    p->whole_outputs = true;
    for (int i = 0; i < p->k->n_params; i++) {
        const struct kernel_param *q = &p->k->params[i];
        if (q->kind != KP_BUFFER)
            continue;
        bool out = p->of->output[i];
        p->roles[i] = out && q->read && q->written ? ROLE_INOUT
                      : out                        ? ROLE_OUTPUT
                      : q->written                 ? ROLE_WORKSPACE
                                                   : ROLE_INPUT;
        double bytes = (double)elem_size(q->elem) * q->width;
        if (p->roles[i] == ROLE_INPUT || p->roles[i] == ROLE_INOUT)
            p->in_bytes += bytes;
        if (!out)
            continue;
        p->out_bytes += bytes;
        p->whole_outputs = p->whole_outputs && q->elem >= T_I64;
        p->short_outputs = p->short_outputs || q->elem == T_F16 || q->elem == T_BF16;
    }
}

void draft_bytes(FILE *f, const int *each, int n)
{
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += each[i];
    if (sum <= 16) {
        fprintf(f, "%d", sum);
        return;
    }
    const char *before = "(";
    for (int i = 0; i < n; i++)
        if (each[i]) {
            fprintf(f, "%s%d", before, each[i]);
            before = " + ";
        }
    putc(')', f);
}

/* ---- sizes ---- */

static const char OF_CASE[] = "what your case had";
static const char NUMBER_OF_CASE[] = "the number that your case had";
static const char OF_CACHE[] = "so that a buffer of 4-byte elements is four times the L2 cache";

static void add_size(struct draft *p, const char *name, char *formula, const char *why)
{
    p->sizes[p->n_sizes++] = (struct draft_size){.name = text_dup(name),
                                                 .formula = formula,
                                                 .why = why,
                                                 .number_of = -1};
}

/* What the author's case passed as parameter i (-1: of none), else a number in its place. */
static void add_number(struct draft *p, const char *name, int i, int value)
{
    const char *passed = i >= 0 ? p->of->passed[i] : NULL;
    add_size(p, name, passed ? text_dup(passed) : text_format("%d", value),
             passed ? OF_CASE : NUMBER_OF_CASE);
    p->sizes[p->n_sizes - 1].guessed = !passed;
    p->sizes[p->n_sizes - 1].number_of = i;
}

/* Whole numbers that are no extent, by what they are called. */
static const struct { const char *word; int value;
} fixed[] = {
    {"iter", 4},  {"step", 4},  {"repeat", 4}, {"seed", 1}, {"offset", 0}, {"begin", 0},
    {"start", 0}, {"first", 0}, {"causal", 0}, {"flag", 0}, {"mode", 0},
};

static const int *fixed_value(const struct kernel_param *q)
{
    static const int yes = 1;
    for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++)
        if (strcasestr(q->name, fixed[i].word))
            return &fixed[i].value;
    return strcmp(q->type, "bool") ? NULL : &yes;
}

static bool is_pitch(const char *name)
{
    return strcasestr(name, "stride") || strcasestr(name, "pitch") || !strncasecmp(name, "ld", 2);
}

bool draft_is_extent(const struct kernel_param *q)
{
    bool is_whole = q->kind == KP_WHOLE || q->kind == KP_WHOLE64;
    return is_whole && !fixed_value(q) && !is_pitch(q->name);
}

static int extents(const struct draft *p, int out[CAP_ARGS])
{
    int n = 0;
    for (int i = 0; i < p->k->n_params; i++)
        if (draft_is_extent(&p->k->params[i]))
            out[n++] = i;
    return n;
}

static bool is_matrix_product(const struct draft *p, const int e[], int n)
{
    static const char letters[] = "mnk";
    unsigned seen = 0;
    for (int i = 0; i < n && n == 3; i++) {
        const char *name = p->names[e[i]],
                   *at = name[0] && (!name[1] || name[1] == '_')
                             ? strchr(letters, tolower((unsigned char)name[0]))
                             : NULL;
        seen |= at && *at ? 1u << (at - letters) : 0;
    }
    return seen == 7;
}

static char *product(const struct draft *p, const int e[], int n)
{
    char *text = text_dup(p->names[e[0]]);
    for (int i = 1; i < n; i++) {
        char *longer = text_format("%s * %s", text, p->names[e[i]]);
        free(text);
        text = longer;
    }
    return text;
}

/* How many elements stand behind each block, which may be the columns of its rows. */
static void add_each(struct draft *p, const char *name, int threads)
{
    add_number(p, name, -1, threads);
    p->sizes[p->n_sizes - 1].why = "the elements of a block; as many as it has threads";
}

/* Rows, so many that a buffer of 4-byte elements is four times the L2 cache. */
static char *rows_of(struct draft *p, const char *rows, const char *cols)
{
    add_size(p, rows, text_format("roundup(ceildiv(gpu.l2_bytes, %s), 64)", cols), OF_CACHE);
    return text_format("%s * %s", rows, cols);
}

/* Two extents: rows of 1024. `i`: the parameter that the columns are, -1: none. */
static char *two_sizes(struct draft *p, const char *rows, const char *cols, int i)
{
    add_number(p, cols, i, 1024);
    return rows_of(p, rows, cols);
}

/* The same where each of them has a block to itself, and so several elements. */
static char *two_of_blocks(struct draft *p, const char *rows, const char *cols, int i, int threads)
{
    char *each = free_name(p, "each");
    add_number(p, cols, i, 1024);
    add_each(p, each, threads);
    add_size(p, rows, text_format("roundup(ceildiv(gpu.l2_bytes, %s * %s), 64)", cols, each),
             OF_CACHE);
    char *all = text_format("%s * %s * %s", rows, cols, each);
    free(each);
    return all;
}

/* The threads of a block where the launch has one for each of these extents, so that one element
 * for each would be too few; 0: it has not. */
static int block_for_each(const struct draft *p, const int e[], int n)
{
    const char *grid = p->of->grid ? p->of->grid : p->k->grid_formula;
    const int *block = p->of->block[0] ? p->of->block : p->k->block;
    if (!grid || n < 1 || n > 2 || block[0] < 2)
        return 0;
    int turned[2] = {e[n - 1], e[0]};
    char *all = product(p, e, n), *other = product(p, turned, n);
    bool each = !strcmp(grid, all) || !strcmp(grid, other);
    free(all);
    free(other);
    return each ? block[0] * (block[1] > 0 ? block[1] : 1) * (block[2] > 0 ? block[2] : 1) : 0;
}

static char *one_size(struct draft *p, const char *n, int i)
{
    if (p->k->dims > 1) {
        add_size(p, n, text_dup("roundup(sqrt(gpu.l2_bytes), 64)"),
                 "so that a matrix of 4-byte elements is four times the L2 cache");
        return text_format("%s * %s", n, n);
    }
    if (p->k->block_each) {
        char *rows = free_name(p, "rows"), *all = two_sizes(p, rows, n, i);
        p->cover[0] = rows;
        return all;
    }
    add_size(p, n, text_dup("roundup(gpu.l2_bytes, 1024)"), OF_CACHE);
    return text_dup(n);
}

/* Formula of the number of elements that is safe for each buffer. */
static char *many_sizes(struct draft *p, const int e[], int n)
{
    bool gemm = is_matrix_product(p, e, n);
    int each = gemm ? 2048 : n == 3 ? 256 : n == 4 ? 64 : n == 5 ? 32 : n == 6 ? 16 : 8;
    for (int i = 0; i < n; i++)
        add_number(p, p->names[e[i]], e[i], each);
    return product(p, e, gemm ? 2 : n);
}

/* The distance of rows: that of rows without gaps. */
static void pitch(struct draft *p, int i, const int e[], int n)
{
    add_size(p, p->names[i], text_dup(n ? p->names[e[n - 1]] : "1024"),
             "rows without gaps, or what your case had");
    p->sizes[p->n_sizes - 1].guessed = true;
}

static void fixed_sizes(struct draft *p, const int e[], int n)
{
    for (int i = 0; i < p->k->n_params; i++) {
        const struct kernel_param *q = &p->k->params[i];
        const char *passed = p->of->passed[i];
        if (q->kind != KP_WHOLE && q->kind != KP_WHOLE64)
            continue;
        const int *value = fixed_value(q);
        if (value && passed && *passed == '-')
            continue; /* sizes are not negative; it stands in the launch as it is */
        if (value)
            add_number(p, p->names[i], i, *value);
        else if (is_pitch(q->name))
            pitch(p, i, e, n);
    }
}

static void sizes(struct draft *p)
{
    int e[CAP_ARGS], n = extents(p, e), threads = block_for_each(p, e, n);
    char *all;
    if (threads && n == 1) {
        char *each = free_name(p, "each");
        add_each(p, each, threads);
        all = rows_of(p, p->names[e[0]], each);
        free(each);
    } else if (threads) {
        all = two_of_blocks(p, p->names[e[0]], p->names[e[1]], e[1], threads);
    } else if (n == 0) {
        char *count = free_name(p, "count");
        all = one_size(p, count, -1);
        free(count);
    } else if (n == 1) {
        all = one_size(p, p->names[e[0]], e[0]);
    } else if (n == 2) {
        all = two_sizes(p, p->names[e[0]], p->names[e[1]], e[1]);
    } else {
        all = many_sizes(p, e, n);
    }
    fixed_sizes(p, e, n);
    p->elements = free_name(p, "elements");
    add_size(p, p->elements, all, "of each buffer; rather too many than too few");
}

/* ---- the launch ---- */

static void block(struct draft *p)
{
    static const int usual[3][3] = {{256, 1, 1}, {32, 8, 1}, {32, 4, 2}};
    const struct kernel *k = p->k;
    bool found = k->block[0] > 0, said = p->of->block[0] > 0;
    const int *is = said ? p->of->block : found ? k->block : usual[k->block_dims - 1];
    if (!said && !k->has_block)
        p->block_why = found ? "from __launch_bounds__; the threads of your launch"
                             : "the threads of your launch";
    p->threads = 1;
    for (int d = 0; d < 3; d++) {
        p->block[d] = is[d];
        p->threads *= is[d];
        p->n_block = is[d] > 1 || d < k->block_dims ? d + 1 : p->n_block;
    }
}

/* Which extent the x side of a grid of two dimensions walks along. */
static bool is_across(const char *name)
{
    return strcasestr(name, "col") || strcasestr(name, "width") || !strcasecmp(name, "w") ||
           !strcasecmp(name, "nx") || !strcasecmp(name, "n");
}

/* The grid that reaches every element, whatever the sizes. */
static void cover(struct draft *p)
{
    int e[CAP_ARGS], n = extents(p, e);
    const char *side[3] = {p->elements, "1", "1"};
    const char *guard = p->k->guard ? p->k->guard : "";
    if (p->k->dims == 1) {
        for (int i = 0; i < n; i++)
            if (!strcmp(p->k->params[e[i]].name, guard))
                side[0] = p->names[e[i]];
        if (p->k->block_each && !p->cover[0])
            p->cover[0] = text_dup(n ? p->names[e[0]] : p->elements);
    } else if (n) {
        bool inner_first = p->k->dims == 3 || (n > 1 && is_across(p->k->params[e[0]].name));
        bool gemm = is_matrix_product(p, e, n);
        side[0] = gemm ? "n" : p->names[e[inner_first ? 0 : n - 1]];
        side[1] = gemm ? "m" : p->names[e[n == 1 ? 0 : inner_first ? 1 : n - 2]];
        side[2] = p->names[e[n - 1]];
        for (int i = 0; gemm && i < n; i++)
            for (int d = 0; d < 2; d++)
                side[d] = tolower((unsigned char)p->names[e[i]][0]) == (d ? 'm' : 'n')
                              ? p->names[e[i]]
                              : side[d];
    } else {
        side[1] = p->sizes[0].name;
        side[0] = side[2] = p->sizes[0].name;
    }
    for (int d = 0; d < p->k->dims; d++)
        if (!p->cover[d])
            p->cover[d] = p->block[d] > 1 ? text_format("ceildiv(%s, %d)", side[d], p->block[d])
                                          : text_dup(side[d]);
}

static void grid(struct draft *p)
{
    const struct kernel *k = p->k;
    if (p->of->grid) {
        p->n_grid = draft_split(p->grid, p->of->grid);
        return;
    }
    bool found = k->grid[0] > 0;
    for (int d = 0; d < 3; d++) {
        if (found && (k->grid[d] > 1 || d < k->dims))
            p->n_grid = d + 1;
        if (found)
            p->grid[d] = text_format("%d", k->grid[d]);
        else if (d < k->dims)
            p->grid[p->n_grid++] = text_dup(p->cover[d]);
    }
    char all[200];
    draft_join(all, sizeof all, p->cover, k->dims);
    p->grid_why = found ? text_format("as your launch has it; for these sizes %s", all)
                        : text_dup("the blocks of your launch, as a formula of the sizes");
}

/* ---- all of it ---- */

void draft_begin(struct draft *p, const struct scaffold *s)
{
    *p = (struct draft){.of = s, .k = s->kernel};
    for (int i = 0; i < p->k->n_params; i++)
        p->names[i] = free_name(p, p->k->params[i].name);
    roles(p);
    sizes(p);
    block(p);
    cover(p);
    grid(p);
}

int draft_open(struct draft *p, const struct scaffold *s, struct err *err)
{
    draft_begin(p, s);
    int rc = source_take(&p->suspect, &p->prelude, s->source, &s->kernel, 1, err);
    if (rc)
        return rc;
    if (p->out_bytes <= 0)
        return err_set(err, ERR_UNSUPPORTED,
                       "kernel '%s' has no output: a pointer that is not const was expected among "
                       "its parameters",
                       p->k->name);
    draft_locate(p);
    return 0;
}

void draft_close(struct draft *p)
{
    for (int i = 0; p->k && i < p->k->n_params; i++)
        free(p->names[i]);
    for (int i = 0; i < p->n_sizes; i++) {
        free(p->sizes[i].name);
        free(p->sizes[i].formula);
    }
    for (int d = 0; d < 3; d++) {
        free(p->grid[d]);
        free(p->cover[d]);
    }
    free(p->grid_why);
    free(p->elements);
    free(p->suspect);
    free(p->prelude);
}
