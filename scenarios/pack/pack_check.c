#include "scenarios/pack/pack_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/pack/names.h"
#include "scenarios/text/near.h"

/* ---- ids, names, texts ---- */

bool id_ok(const char *id)
{
    size_t n = strlen(id);
    return n >= 1 && n <= 40 && strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789-") == n;
}

bool name_ok(const char *name, size_t max)
{
    size_t n = strlen(name);
    return n >= 1 && n <= max && !(name[0] >= '0' && name[0] <= '9') &&
           strspn(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == n;
}

int read_key_id(struct reader *r, const struct yaml *key, const char *what, char **out)
{
    if (!id_ok(key->text))
        return yaml_fail(key, ERR_BAD_REQUEST, r->err,
                         "'%.60s'; %s of 1 to 40 characters a-z 0-9 - was expected", key->text,
                         what);
    *out = arena_text(&r->memory->arena, key->text, key->len);
    return 0;
}

int read_id(struct reader *r, const struct yaml *y, const char *what, char **out)
{
    int rc = yaml_is_scalar(y, what, r->err);
    return rc ? rc : read_key_id(r, y, what, out);
}

bool pack_name_reserved(const char *name)
{
    static const char *const words[] = {"and",          "or",      "not",     "if",    "min",
                                        "max",          "ceil",    "floor",   "round", "sqrt",
                                        "log2",         "abs",     "ceildiv", "ln",    "exp",
                                        "gcd",          "comb",    "roundup", "gpu",   "work",
                                        "ceiling",      "suspect", "fix",     "best",  "ratio",
                                        "copy_fraction"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i], name))
            return true;
    return metric_find(name) != NULL;
}

int read_name(struct reader *r, const struct yaml *key, const char *what, char **out)
{
    if (!name_ok(key->text, 31))
        return yaml_fail(key, ERR_BAD_REQUEST, r->err,
                         "'%.60s'; the name of a %s, letters, digits and _ (at most 31), was "
                         "expected",
                         key->text, what);
    if (pack_name_reserved(key->text))
        return yaml_fail(key, ERR_BAD_REQUEST, r->err,
                         "'%s' means something in formulas already; another name was expected",
                         key->text);
    *out = arena_text(&r->memory->arena, key->text, key->len);
    return 0;
}

int read_text(struct reader *r, const struct yaml *y, size_t max, bool lines, const char *what,
              char **out)
{
    int rc = yaml_string(y, max, lines, what, r->err);
    if (rc)
        return rc;
    size_t len = y->len;
    while (strchr(" \n\t", y->text[len - 1]))
        len--;
    *out = arena_text(&r->memory->arena, y->text, len);
    return 0;
}

int read_format(struct reader *r, const struct yaml *root, int *format)
{
    const struct yaml *y = root->kind == YAML_MAP ? root->first : NULL;
    char words[160];
    *format = PACK_FORMAT_FIRST;
    while (y && strcmp(y->key->text, "format"))
        y = y->next;
    int rc = y ? yaml_whole(y, 0, 1000000, "the number of the format", format, r->err) : 0;
    if (!y || rc || (*format >= PACK_FORMAT_FIRST && *format <= PACK_FORMAT))
        return rc;
    files_format(words, sizeof words, *format, PACK_FORMAT_FIRST, PACK_FORMAT);
    return yaml_fail(y, ERR_VERSION, r->err, "%s", words);
}

/* ---- formulas ---- */

static const char *trap(const struct yaml *y)
{
    return yaml_cut_by_comment(y)
               ? " (a blank and # begin a comment: quote the formula if # belongs to it)"
               : "";
}

struct naming { const struct story *story; enum formula_use use; char why[400]; };

static bool has_param(const struct story *s, const char *name)
{
    for (int i = 0; i < s->n_params; i++)
        if (!strcmp(s->params[i].name, name))
            return true;
    return false;
}

static bool needs_reveal(const char *name)
{
    const char *rest;
    return name_run(name, &rest) || !strcmp(name, "ratio");
}

static int check_name(void *ctx, const char *name)
{
    struct naming *n = ctx;
    bool known = name_known(n->story, name);
    const char *why = NULL;
    char hint[128] = "";
    const char *rest, *run = known ? NULL : name_run(name, &rest);
    if (!known)
        name_near(n->story, name, hint, sizeof hint);
    if (n->use == USE_SIZE && !has_param(n->story, name) && !(known && !strncmp(name, "gpu.", 4)))
        why = known ? "is measured or comes later; parameters that stand above and gpu.* were "
                      "expected in a size"
                    : "is unknown%s; a parameter that stands above or gpu.* was expected";
    else if (!known && story_is_case(n->story))
        why = "is unknown%s; a parameter, or a figure of an exhibit such as wait.max, was expected";
    else if (!known && name_other(name))
        why = "is unknown; other.suspect.time, other.fix.time, other.gpu.*, other.work.* or "
              "other.* with a parameter was expected";
    else if (run && strchr("de", *run) && n->story->faults < 2)
        why = "is of a build between two faults; `faults: 2` was expected in scenario.yaml";
    else if (!known)
        why = "is unknown%s; a metric (content/FORMAT.md lists them), a parameter, gpu.*, "
              "work.*, ceiling.*, suspect.*, fix.* or best.* was expected";
    else if (n->use != USE_ACROSS && name_other(name))
        why = "is of another GPU; it was expected in the answer to an estimate that has "
              "`gpu: other`";
    else if (n->use == USE_READING && needs_reveal(name))
        why = "is only known after the reveal; evidence that can be bought was expected";
    if (!why)
        return 0;
    int len = snprintf(n->why, sizeof n->why, "'%.40s' ", name);
    snprintf(n->why + len, sizeof n->why - (size_t)len, why, hint);
    return ERR_BAD_REQUEST;
}

void keep_formula(struct pack_memory *m, struct formula *f)
{
    m->formulas = mem_grow(m->formulas, (size_t)m->n_formulas + 1, sizeof *m->formulas);
    m->formulas[m->n_formulas++] = f;
}

int read_formula(struct reader *r, const struct yaml *y, const struct story *s,
                 enum formula_use use, struct expr *out)
{
    if (y->kind == YAML_MAP && y->flow)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "{ begins a map; a formula was expected, quoted if it has braces");
    int rc = yaml_is_scalar(y, "a formula", r->err);
    if (rc)
        return rc;
    if (y->style == YAML_BLOCK)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "| and > begin a block of text; a formula in one line was expected, "
                         "quoted if it begins so");
    int column = 1;
    struct err why;
    struct formula *f;
    rc = formula_parse(&f, y->text, &column, &why);
    if (rc)
        return yaml_fail_at(y, column, rc, r->err, "%s%s", why.text, trap(y));
    keep_formula(r->memory, f);
    struct naming names = {.story = s, .use = use};
    rc = formula_names(f, check_name, &names, &column);
    if (rc)
        return yaml_fail_at(y, column, rc, r->err, "%s", names.why);
    *out = (struct expr){f, yaml_doc_file(y->doc)->path, y->line, y->col};
    return 0;
}

int read_told(struct reader *r, const struct file *f, size_t at, const char *text,
              const struct story *s, struct expr *out)
{
    int column = 1, line, col;
    struct err why;
    struct formula *made;
    struct naming names = {.story = s, .use = USE_TRUTH};
    int rc = formula_parse(&made, text, &column, &why);
    if (!rc) {
        keep_formula(r->memory, made);
        rc = formula_names(made, check_name, &names, &column);
    }
    file_place(f, at + (rc ? (size_t)column - 1 : 0), &line, &col);
    if (rc)
        return files_fail(r->pack->files, f, line, col, rc, r->err, "%s",
                          *names.why ? names.why : why.text);
    *out = (struct expr){made, f->path, line, col};
    return 0;
}

static int no_value(void *ctx, const char *name, struct quantity *out, struct err *err)
{
    (void)ctx, (void)out;
    return err_set(err, ERR_MISSING, "%s has no value yet", name);
}

/* Parameters and attributes of the GPU are plain numbers, and so must a size be. */
static int check_plain(struct reader *r, const struct yaml *y, const struct story *s,
                       const struct formula *f)
{
    int column = 1;
    struct err why;
    struct dim dim;
    int rc = name_dim(s, f, &dim, &column, &why);
    if (rc && rc != ERR_MISSING)
        return yaml_fail_at(y, column, rc, r->err, "%s", why.text);
    if (!rc && !dim_equal(dim, DIM_NONE))
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "a value with a unit; a plain whole number was expected");
    return 0;
}

int read_size(struct reader *r, const struct yaml *y, const struct story *s, double low,
              double high, struct expr *out)
{
    int column = 1;
    struct err why;
    struct quantity q;
    int rc = read_formula(r, y, s, USE_SIZE, out);
    if (rc || (rc = check_plain(r, y, s, out->f)))
        return rc;
    rc = formula_eval(out->f, no_value, NULL, &q, &column, &why);
    if (rc == ERR_MISSING)
        return 0;
    if (rc)
        return yaml_fail_at(y, column, rc, r->err, "%s", why.text);
    if (q.value != floor(q.value) || q.value < low || q.value > high)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "%.15g; a whole number from %.0f to %.0f was expected", q.value, low,
                         high);
    return 0;
}

/* ---- names of other things ---- */

static void add_id(char *list, size_t size, const char *id)
{
    size_t n = strlen(list);
    snprintf(list + n, size - n, "%s%s", n ? ", " : "", id);
}

/* Those of its group are told where it has one, as lat.slow has. */
int fail_hypothesis(struct reader *r, const struct yaml *y)
{
    struct near near = {.word = y->text};
    char hint[96], group[200] = "";
    size_t n, prefix = strcspn(y->text, ".") + 1;
    const struct hypothesis *all = taxonomy(&n);
    for (size_t i = 0; i < n; i++) {
        near_try(&near, all[i].id);
        if (!strncmp(all[i].id, y->text, prefix))
            add_id(group, sizeof group, all[i].id);
    }
    return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                     "'%.60s' is not in the taxonomy%s; an id such as %s was expected "
                     "(content/FORMAT.md lists them)",
                     y->text, near_hint(&near, hint, sizeof hint),
                     *group ? group : "mem.uncoalesced");
}

int find_hypothesis(struct reader *r, const struct yaml *y, const struct story *s)
{
    int rc = yaml_is_scalar(y, "the id of a hypothesis", r->err);
    if (rc)
        return rc;
    for (int k = 0; k < s->n_hypotheses; k++)
        if (!strcmp(s->hypotheses[k]->id, y->text))
            return k;
    if (!taxonomy_find(y->text))
        return fail_hypothesis(r, y);
    struct near near = {.word = y->text};
    char hint[96], offered[300] = "";
    for (int k = 0; k < s->n_hypotheses; k++) {
        near_try(&near, s->hypotheses[k]->id);
        add_id(offered, sizeof offered, s->hypotheses[k]->id);
    }
    return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                     "'%.60s' is not on offer in scenario.yaml%s; one of its hypotheses was "
                     "expected: %s",
                     y->text, near_hint(&near, hint, sizeof hint), offered);
}

static int find_remedy(struct reader *r, const struct yaml *y, const struct story *s)
{
    int rc = yaml_is_scalar(y, "the id of a remedy", r->err);
    if (rc)
        return rc;
    for (int k = 0; k < s->n_remedies; k++)
        if (!strcmp(s->remedies[k].id, y->text))
            return k;
    struct near near = {.word = y->text};
    char hint[96];
    for (int k = 0; k < s->n_remedies; k++)
        near_try(&near, s->remedies[k].id);
    return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                     "unknown remedy '%.60s'%s; one of those in scenario.yaml was expected",
                     y->text, near_hint(&near, hint, sizeof hint));
}

int read_remedy_bits(struct reader *r, const struct yaml *y, const struct story *s, unsigned *out)
{
    int rc = yaml_is_list(y, 1, 9, "a list of remedies", r->err);
    for (const struct yaml *m = rc ? NULL : y->first; m; m = m->next) {
        int k = find_remedy(r, m, s);
        if (k < 0)
            return k;
        *out |= 1u << k;
    }
    return rc;
}

const char *find_probe(struct reader *r, const struct yaml *at, const struct story *s)
{
    if (yaml_is_scalar(at, "the name of a probe or experiment", r->err))
        return NULL;
    const struct probe *p = probe_by_name(at->text);
    if (p && p->id != SHOP_ASK && p->id != SHOP_EXPERIMENT && !story_is_case(s))
        return p->name;
    const struct experiment *x = story_experiment(s, at->text);
    if (x)
        return x->id;
    char known[300] = "", hint[96];
    size_t n, len = 0;
    const struct probe *table = probe_table(&n);
    struct near near = {.word = at->text};
    for (int i = 0; i < s->n_experiments; i++)
        near_try(&near, s->experiments[i].id);
    for (size_t k = 0; k < n && !story_is_case(s); k++)
        if (table[k].id != SHOP_ASK && table[k].id != SHOP_EXPERIMENT)
            near_try(&near, table[k].name);
    near_hint(&near, hint, sizeof hint);
    if (story_is_case(s))
        return yaml_fail(at, ERR_BAD_REQUEST, r->err,
                         "no exhibit '%.60s'%s; one of scenario.yaml was expected", at->text, hint),
               NULL;
    for (size_t k = 0; k < n && len < sizeof known; k++)
        if (table[k].id != SHOP_ASK && table[k].id != SHOP_EXPERIMENT)
            len += (size_t)snprintf(known + len, sizeof known - len, "%s%s", len ? ", " : "",
                                    table[k].name);
    yaml_fail(at, ERR_BAD_REQUEST, r->err,
              "no probe or experiment '%.60s'%s; %s or an experiment of scenario.yaml was expected",
              at->text, hint, known);
    return NULL;
}
