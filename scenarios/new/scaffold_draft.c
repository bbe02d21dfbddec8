/* Names, roles, sizes and the launch of a new scenario, from what the kernel shows. */
#include "scenarios/new/scaffold_draft.h"

#include <ctype.h>
#include <math.h>
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
        p->roles[i] = out && q->read && q->written ? ROLE_INOUT : out ? ROLE_OUTPUT : q->written ? ROLE_WORKSPACE : ROLE_INPUT;
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

/* ---- sizes ---- */

static void add_size(struct draft *p, const char *name, char *formula, const char *why)
{
    p->sizes[p->n_sizes++] = (struct draft_size){text_dup(name), formula, text_dup(why)};
}

/* Whole numbers that are no extent, by what they are called. */
static const struct { const char *word; int value; } fixed[] = {
    {"iter", 4}, {"step", 4}, {"repeat", 4}, {"seed", 1}, {"offset", 0}, {"begin", 0}, {"start", 0}, {"first", 0}, {"causal", 0}, {"flag", 0}, {"mode", 0},
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

static int extents(const struct draft *p, int out[CAP_ARGS])
{
    int n = 0;
    for (int i = 0; i < p->k->n_params; i++) {
        const struct kernel_param *q = &p->k->params[i];
        if ((q->kind == KP_WHOLE || q->kind == KP_WHOLE64) && !fixed_value(q) && !is_pitch(q->name))
            out[n++] = i;
    }
    return n;
}

static bool is_matrix_product(const struct draft *p, const int e[], int n)
{
    static const char letters[] = "mnk";
    unsigned seen = 0;
    for (int i = 0; i < n && n == 3; i++) {
        const char *name = p->names[e[i]], *at = name[0] && (!name[1] || name[1] == '_') ? strchr(letters, tolower((unsigned char)name[0])) : NULL;
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

static const char OF_CASE[] = "what your case had";

/* What the host passes as an extent, where that can be one. */
static const char *extent_given(const struct kernel_param *q)
{
    return q->given && atoll(q->given) > 0 ? q->given : NULL;
}

/* Two extents: rows of 1024, so many that a buffer of 4-byte elements is four times the L2 cache. */
static char *two_sizes(struct draft *p, const char *rows, const char *cols, const char *given)
{
    add_size(p, cols, text_dup(given ? given : "1024"), given ? OF_CASE : DRAFT_GUESSED "the number that your case had");
    add_size(p, rows, text_format("roundup(ceildiv(gpu.l2_bytes, %s), 64)", cols), "so that a buffer of 4-byte elements is four times the L2 cache");
    return text_format("%s * %s", rows, cols);
}

static char *one_size(struct draft *p, const char *n, const char *given)
{
    if (p->k->dims > 1) {
        add_size(p, n, text_dup("roundup(sqrt(gpu.l2_bytes), 64)"), "so that a matrix of 4-byte elements is four times the L2 cache");
        return text_format("%s * %s", n, n);
    }
    if (p->k->block_each) {
        char *rows = free_name(p, "rows"), *all = two_sizes(p, rows, n, given);
        p->grid[0] = rows;
        return all;
    }
    add_size(p, n, text_dup("roundup(gpu.l2_bytes, 1024)"), "so that a buffer of 4-byte elements is four times the L2 cache");
    return text_dup(n);
}

/* Do the host's numbers make buffers that a GPU can hold? */
static bool all_given(const struct draft *p, const int e[], int n)
{
    double product = 1;
    for (int i = 0; i < n; i++)
        product *= extent_given(&p->k->params[e[i]]) ? atof(p->k->params[e[i]].given) : INFINITY;
    return product <= 1 << 28;
}

/* Formula of the number of elements that is safe for each buffer. */
static char *many_sizes(struct draft *p, const int e[], int n)
{
    bool gemm = is_matrix_product(p, e, n), known = all_given(p, e, n);
    int each = gemm ? 2048 : n == 3 ? 256 : n == 4 ? 64 : n == 5 ? 32 : n == 6 ? 16 : 8;
    for (int i = 0; i < n; i++) {
        const char *given = extent_given(&p->k->params[e[i]]);
        char *why = known ? text_format("%s%s", OF_CASE, i ? "" : "; better, a formula over gpu.l2_bytes or gpu.sm_count")
                          : text_format(DRAFT_GUESSED "%s%s", given ? "your case had " : "the number that your case had", given ? given : "");
        add_size(p, p->names[e[i]], known ? text_dup(given) : text_format("%d", each), why);
        free(why);
    }
    return product(p, e, gemm ? 2 : n);
}

/* The distance of rows: that of rows without gaps where the host's numbers say so. */
static void pitch(struct draft *p, int i, const int e[], int n)
{
    const struct kernel_param *q = &p->k->params[i], *row = n ? &p->k->params[e[n - 1]] : NULL;
    for (int k = 0; k < n && q->given; k++)
        if (p->k->params[e[k]].given && !strcmp(p->k->params[e[k]].given, q->given))
            row = &p->k->params[e[k]];
    bool whole = row && q->given && row->given && !strcmp(q->given, row->given);
    char *why = whole ? text_dup("rows without gaps, as in your case")
                      : text_format(DRAFT_GUESSED "%s%s", q->given ? "rows without gaps; your case had " : "rows without gaps, or what your case had", q->given ? q->given : "");
    add_size(p, p->names[i], row ? text_dup(p->names[row - p->k->params]) : text_dup("1024"), why);
    free(why);
}

static void fixed_sizes(struct draft *p, const int e[], int n)
{
    for (int i = 0; i < p->k->n_params; i++) {
        const struct kernel_param *q = &p->k->params[i];
        bool is_whole = q->kind == KP_WHOLE || q->kind == KP_WHOLE64;
        const int *value = is_whole ? fixed_value(q) : NULL;
        if (value && q->given && *q->given == '-')
            continue;                              /* sizes are not negative; it stands in the launch as it is */
        if (value && q->given)
            add_size(p, p->names[i], text_dup(q->given), OF_CASE);
        else if (value)
            add_size(p, p->names[i], text_format("%d", *value), DRAFT_GUESSED "the number that your case had");
        else if (is_whole && is_pitch(q->name))
            pitch(p, i, e, n);
    }
}

static void sizes(struct draft *p)
{
    int e[CAP_ARGS], n = extents(p, e);
    char *all;
    if (n == 0) {
        char *count = free_name(p, "count");
        all = one_size(p, count, NULL);
        free(count);
    } else if (n == 1) {
        all = one_size(p, p->names[e[0]], extent_given(&p->k->params[e[0]]));
    } else {
        all = n == 2 ? two_sizes(p, p->names[e[0]], p->names[e[1]], extent_given(&p->k->params[e[1]])) : many_sizes(p, e, n);
    }
    fixed_sizes(p, e, n);
    p->elements = free_name(p, "elements");
    add_size(p, p->elements, all, "of each buffer; rather too many than too few");
}

/* ---- the launch ---- */

static void block(struct draft *p)
{
    static const int usual[3][3] = {{256, 1, 1}, {32, 8, 1}, {32, 4, 2}};
    bool known = p->k->block[0] > 0;
    p->threads = 1;
    for (int d = 0; d < 3; d++) {
        p->block[d] = known ? p->k->block[d] : usual[p->k->block_dims - 1][d];
        p->threads *= p->block[d];
        p->n_block = p->block[d] > 1 || d < p->k->block_dims ? d + 1 : p->n_block;
    }
}

/* Which extent the x side of a grid of two dimensions walks along. */
static bool is_across(const char *name)
{
    return strcasestr(name, "col") || strcasestr(name, "width") || !strcasecmp(name, "w") || !strcasecmp(name, "nx") || !strcasecmp(name, "n");
}

/* What a side comes to with the host's numbers; NAN where they are not known. */
static double given_side(const struct draft *p, const char *side)
{
    int e[CAP_ARGS], n = extents(p, e);
    double all = n ? 1 : NAN;
    for (int i = 0; i < n; i++) {
        const char *given = extent_given(&p->k->params[e[i]]);
        double v = given ? atof(given) : NAN;
        if (!strcmp(p->names[e[i]], side))
            return v;
        all *= v;
    }
    return strcmp(side, p->elements) ? NAN : all;
}

/* A block that owns a row takes any number of rows. */
static bool is_hosts_grid(const struct draft *p, const char *const side[3])
{
    bool same = p->k->has_grid && p->k->has_block;
    for (int d = 0; d < 3; d++) {
        double v = d < p->k->dims ? given_side(p, side[d]) : 1;
        double blocks = d < p->k->dims && p->block[d] > 1 ? ceil(v / p->block[d]) : v;
        same = same && (blocks == p->k->grid[d] || (p->k->block_each && p->k->dims == 1 && d == 0));
    }
    return same;
}

static void grid(struct draft *p)
{
    int e[CAP_ARGS], n = extents(p, e);
    const char *side[3] = {p->elements, "1", "1"};
    const char *guard = p->k->guard ? p->k->guard : "";
    if (p->k->dims == 1) {
        for (int i = 0; i < n; i++)
            if (!strcmp(p->k->params[e[i]].name, guard))
                side[0] = p->names[e[i]];
        if (p->k->block_each && !p->grid[0])
            p->grid[0] = text_dup(n ? p->names[e[0]] : p->elements);
    } else if (n) {
        bool inner_first = p->k->dims == 3 || (n > 1 && is_across(p->k->params[e[0]].name));
        bool gemm = is_matrix_product(p, e, n);
        side[0] = gemm ? "n" : p->names[e[inner_first ? 0 : n - 1]];
        side[1] = gemm ? "m" : p->names[e[n == 1 ? 0 : inner_first ? 1 : n - 2]];
        side[2] = p->names[e[n - 1]];
        for (int i = 0; gemm && i < n; i++)
            for (int d = 0; d < 2; d++)
                side[d] = tolower((unsigned char)p->names[e[i]][0]) == (d ? 'm' : 'n') ? p->names[e[i]] : side[d];
    } else {
        side[1] = p->sizes[0].name;
        side[0] = side[2] = p->sizes[0].name;
    }
    p->grid_is_known = is_hosts_grid(p, side);
    for (int d = 0; d < p->k->dims; d++)
        if (!p->grid[d])
            p->grid[d] = p->block[d] > 1 ? text_format("ceildiv(%s, %d)", side[d], p->block[d]) : text_dup(side[d]);
}

/* ---- the line at fault ---- */

static int occurrences(const char *text, const char *part, size_t n)
{
    int count = 0;
    for (const char *at = text; count < 2 && (at = memmem(at, strlen(at), part, n)); at++)
        count++;
    return count;
}

static int liking(const char *line, size_t n, const char *marks)
{
    int score = 0, worth = 8;
    for (const char *m = marks; *m; worth /= 2) {
        size_t k = strcspn(m, " ");
        score += memmem(line, n, m, k) ? worth : 0;
        m += k + (m[k] == ' ');
    }
    return score + (memchr(line, '[', n) != NULL) + (memchr(line, ';', n) != NULL);
}

/* The line of the kernel's body that occurs once in the file and has most of what such a fault is made of; of equal ones the last. */
static void locate(struct draft *p)
{
    const char *text = p->suspect, *kernel = strstr(text, "extern \"C\" ");
    const char *body = strchr(kernel, '{'), *line = body ? body + 1 : kernel;
    int best = -1;
    for (size_t n; *line; line += n + (line[n] == '\n')) {
        n = strcspn(line, "\n");
        size_t from = strspn(line, " \t"), len = n > from ? n - from : 0;
        while (len && isspace((unsigned char)line[from + len - 1]))
            len--;
        bool fits = len >= 4 && len <= 200 && strncmp(line + from, "//", 2) && line[from] != '#' && occurrences(text, line + from, len) == 1;
        int score = fits ? liking(line + from, len, p->of->cause->marks) : -1;
        if (score >= best && fits) {
            best = score;
            p->location = (size_t)(line + from - text);
            p->location_len = len;
        }
    }
    if (best >= 0)
        return;
    p->location = (size_t)(kernel - text);       /* a body in the kernel's first line */
    p->location_len = strcspn(kernel, "\n");
}

/* ---- all of it ---- */

int draft_open(struct draft *p, const struct scaffold *s, struct err *err)
{
    *p = (struct draft){.of = s, .k = s->kernel};
    int rc = source_take(&p->suspect, &p->prelude, s->source, s->kernel, err);
    if (rc)
        return rc;
    for (int i = 0; i < p->k->n_params; i++)
        p->names[i] = free_name(p, p->k->params[i].name);
    roles(p);
    if (p->out_bytes <= 0)
        return err_set(err, ERR_UNSUPPORTED, "kernel '%s' has no output: a pointer that is not const was expected among its parameters", p->k->name);
    sizes(p);
    block(p);
    grid(p);
    locate(p);
    return 0;
}

void draft_close(struct draft *p)
{
    for (int i = 0; p->k && i < p->k->n_params; i++)
        free(p->names[i]);
    for (int i = 0; i < p->n_sizes; i++) {
        free(p->sizes[i].name);
        free(p->sizes[i].formula);
        free(p->sizes[i].why);
    }
    for (int d = 0; d < 3; d++)
        free(p->grid[d]);
    free(p->elements);
    free(p->suspect);
    free(p->prelude);
}
