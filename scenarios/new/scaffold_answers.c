/* Launch and numbers, as the author says them: held against the draft before they are kept. */
#include "scenarios/new/scaffold_draft.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/formula/formula.h"
#include "scenarios/pack/names.h"

static void parts_free(char *parts[3])
{
    for (int d = 0; d < 3; d++)
        free(parts[d]);
}

/* ---- what is proposed ---- */

void scaffold_propose(struct proposal *out, const struct scaffold *s)
{
    static const char *const formats[] = {"%d", "%d, %d", "%d, %d, %d"};
    struct draft p;
    draft_begin(&p, s);
    *out = (struct proposal){.n_lacks = 0};
    snprintf(out->block, sizeof out->block, formats[p.n_block - 1], p.block[0], p.block[1],
             p.block[2]);
    draft_join(out->grid, sizeof out->grid, p.grid, p.n_grid);
    draft_join(out->cover, sizeof out->cover, p.cover, p.k->dims);
    for (int i = 0; i < p.k->n_params; i++) {
        out->lacks[i] = draft_lacks_number(&p, i);
        out->n_lacks += out->lacks[i];
    }
    draft_close(&p);
}

/* ---- the block ---- */

/* Whole, plain, from `least` to `most`; false for anything else. */
static bool whole(const char *text, long long least, long long most, long long *out)
{
    char *end;
    *out = strtoll(text, &end, 10);
    bool digits = isdigit((unsigned char)text[*text == '-']);
    return digits && !*end && *out >= least && *out <= most;
}

int scaffold_set_block(struct scaffold *s, const char *text, struct err *err)
{
    char *parts[3] = {NULL};
    int n = draft_split(parts, text);
    long long threads = 1, is[3] = {1, 1, 1};
    bool good = n <= 3;
    for (int d = 0; good && d < n; d++) {
        good = whole(parts[d], 1, 1024, &is[d]);
        threads *= is[d];
    }
    parts_free(parts);
    if (!good || threads > 1024)
        return err_set(err, ERR_BAD_REQUEST,
                       "'%s' is no block; one to three numbers of together at most 1024 threads "
                       "were expected, such as 256 or 32,8",
                       text);
    for (int d = 0; d < 3; d++)
        s->block[d] = (int)is[d];
    return 0;
}

/* ---- the grid ---- */

struct naming {
    const struct draft *p;
    const char *unknown;
};

static int check_name(void *ctx, const char *name)
{
    struct naming *n = ctx;
    struct msg_device none = {0};
    struct quantity unused;
    for (int i = 0; i < n->p->n_sizes; i++)
        if (!strcmp(n->p->sizes[i].name, name))
            return 0;
    const char *gpu = name_after(name, "gpu.");
    if (gpu && name_gpu(&none, gpu, &unused, NULL) != ERR_BAD_REQUEST)
        return 0;
    n->unknown = name;
    return ERR_BAD_REQUEST;
}

static int fail_name(const struct draft *p, const char *name, struct err *err)
{
    char sizes[300] = "";
    for (int i = 0; i < p->n_sizes; i++) {
        size_t n = strlen(sizes);
        snprintf(sizes + n, sizeof sizes - n, "%s, ", p->sizes[i].name);
    }
    return err_set(err, ERR_BAD_REQUEST,
                   "'%.40s' is no size of this scenario; %sgpu.sm_count or another gpu.* was "
                   "expected",
                   name, sizes);
}

static int check_side(const struct draft *p, const char *text, struct err *err)
{
    struct naming naming = {.p = p};
    struct formula *f = NULL;
    struct err why = {0};
    if (formula_parse(&f, text, NULL, &why))
        return err_set(err, ERR_BAD_REQUEST, "'%s' is no formula: %s", text, why.text);
    int rc = formula_names(f, check_name, &naming, NULL);
    if (rc)
        rc = fail_name(p, naming.unknown, err);
    formula_free(f);
    return rc;
}

int scaffold_set_grid(struct scaffold *s, const char *text, struct err *err)
{
    char *parts[3] = {NULL};
    int n = draft_split(parts, text), rc = 0;
    struct draft p;
    draft_begin(&p, s);
    if (n > 3)
        rc = err_set(err, ERR_BAD_REQUEST,
                     "'%s' has %d parts; one to three formulas were expected, such as %s", text, n,
                     p.cover[0]);
    for (int d = 0; !rc && d < n; d++)
        rc = check_side(&p, parts[d], err);
    draft_close(&p);
    parts_free(parts);
    if (rc)
        return rc;
    free(s->grid);
    s->grid = text_dup(text);
    return 0;
}

/* ---- numbers ---- */

/* What C and formulas both read as one: no unit, no suffix. */
static bool is_number(const char *text)
{
    char *end;
    struct formula *f = NULL;
    bool finite = isfinite(strtod(text, &end)) && !*end;
    if (!finite || formula_parse(&f, text, NULL, NULL))
        return false;
    bool named = isalpha((unsigned char)text[*text == '-']); /* infinity */
    formula_free(f);
    return !named;
}

int scaffold_set_number(struct scaffold *s, int i, const char *text, struct err *err)
{
    const struct kernel_param *q = &s->kernel->params[i];
    bool is_whole = q->kind == KP_WHOLE || q->kind == KP_WHOLE64;
    long long least = draft_is_extent(q) ? 1 : -(1LL << 53), unused;
    if (!is_whole && !is_number(text))
        return err_set(err, ERR_BAD_REQUEST,
                       "'%s' is no number; one such as 0.5 or 1e-5 was expected", text);
    if (is_whole && !whole(text, least, 1LL << 53, &unused))
        return err_set(err, ERR_BAD_REQUEST, "'%s' is no whole number; %s was expected", text,
                       least == 1 ? "1 or more" : "one such as 64");
    free(s->passed[i]);
    s->passed[i] = text_dup(text);
    return 0;
}
