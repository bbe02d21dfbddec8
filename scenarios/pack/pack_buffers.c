/* What a kernel works on: buffers and their contents, and the bytes and operations that the work
 * is. Stories and runs have them. */
#include "scenarios/pack/pack_buffers.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- contents ---- */

/* How many elements there will be is not known yet. */
static int judge_fill(struct reader *r, const struct yaml *y, enum elem_type type,
                      const struct msg_fill *f)
{
    const char *fault = fill_fault(f);
    double value;
    if (fault)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err, "'%.60s' cannot be: %s", y->text, fault);
    if (!fill_fits(f, type, 1, &value))
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "'%.60s' makes %g, which %s cannot hold; values in its range were "
                         "expected",
                         y->text, value, elem_name(type));
    return 0;
}

/* "uniform(-1, 1)" */
int read_fill(struct reader *r, const struct yaml *y, enum elem_type type, struct msg_fill *out)
{
    static const struct { const char *name; enum fill_kind kind; int n;
    } fills[] = {{"zeros", FILL_ZEROS, 0},   {"constant", FILL_CONSTANT, 1},
                 {"ramp", FILL_RAMP, 2},     {"uniform", FILL_UNIFORM, 2},
                 {"normal", FILL_NORMAL, 2}, {"permutation", FILL_PERMUTATION, 0},
                 {"hot", FILL_HOT, 2},       {"zipf", FILL_ZIPF, 2}};
    static const char what[] = "zeros, constant(a), ramp(a, b), uniform(a, b), normal(a, b), "
                               "permutation, hot(a, b) or zipf(a, b)";
    int rc = yaml_string(y, 80, false, what, r->err);
    if (rc)
        return rc;
    size_t n = strcspn(y->text, "(");
    for (size_t i = 0; i < sizeof fills / sizeof *fills; i++) {
        if (n != strlen(fills[i].name) || strncmp(fills[i].name, y->text, n))
            continue;
        double v[2] = {0, 0};
        char *at = (char *)y->text + n;
        int got = 0;
        while (got < fills[i].n && *at == (got ? ',' : '(')) {
            char *end;
            v[got] = strtod(at + 1, &end);
            if (end == at + 1 || !isfinite(v[got]))
                break;
            got++;
            at = end;
        }
        if (got != fills[i].n || strcmp(at, got ? ")" : ""))
            break;
        *out = (struct msg_fill){fills[i].kind, v[0], v[1]};
        return judge_fill(r, y, type, out);
    }
    return yaml_fail(y, ERR_BAD_REQUEST, r->err, "'%.60s'; %s was expected%s", y->text, what,
                     y->flow && y->style == YAML_PLAIN
                         ? " (inside { } a comma separates, so quote it)"
                         : "");
}

/* ---- buffers ---- */

static int choose_type(struct reader *r, const struct story *s, const struct yaml *y,
                       enum elem_type *out)
{
    const char *names[T_COUNT];
    int k;
    for (int t = 0; t < T_COUNT; t++)
        names[t] = elem_name((enum elem_type)t);
    int rc = yaml_choice(y, names, T_COUNT, "a type of element", &k, r->err);
    *out = rc ? T_F32 : (enum elem_type)k;
    if ((*out == T_E4M3 || *out == T_E5M2) && s->format < FORMAT_FP8)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "'%s' in a story of format %d; format: %d was expected", elem_name(*out),
                         s->format, FORMAT_FP8);
    return rc;
}

static int read_buffer_name(struct reader *r, const struct story *s, const struct yaml *y,
                            char **out)
{
    int rc = read_name(r, y->key, "buffer", out);
    for (int i = 0; !rc && i < s->n_params; i++)
        if (!strcmp(s->params[i].name, *out))
            rc = yaml_fail(y->key, ERR_BAD_REQUEST, r->err,
                           "'%s' is a parameter already; another name was expected", *out);
    return rc;
}

static int read_buffer(struct reader *r, struct story *s, const struct yaml *y, struct buffer *b)
{
    static const char *const roles[] = {"input", "output", "inout", "workspace"};
    const struct yaml *k[BUFFER_KEYS];
    int role = ROLE_INPUT;
    int rc = read_buffer_name(r, s, y, &b->name);
    if (!rc)
        rc = yaml_keys(y, &buffer_shape, k, r->err);
    if (!rc)
        rc = choose_type(r, s, k[BUFFER_K_TYPE], &b->type);
    if (!rc)
        rc = read_size(r, k[BUFFER_K_COUNT], s, 1, SIZE_MAX_WHOLE, &b->count);
    if (!rc && k[BUFFER_K_ROLE])
        rc = yaml_choice(k[BUFFER_K_ROLE], roles, 4, "a role", &role, r->err);
    if (rc)
        return rc;
    b->role = (enum buffer_role)role;
    bool filled = role == ROLE_INPUT || role == ROLE_INOUT;
    if (filled && !k[BUFFER_K_FILL])
        return yaml_fail(y->key, ERR_BAD_REQUEST, r->err,
                         "'%s' has no fill; an %s buffer was expected to have one", b->name,
                         roles[role]);
    if (!filled && k[BUFFER_K_FILL])
        return yaml_fail(k[BUFFER_K_FILL], ERR_BAD_REQUEST, r->err,
                         "a fill; none was expected, since the runner poisons %s buffers",
                         roles[role]);
    return filled ? read_fill(r, k[BUFFER_K_FILL], b->type, &b->fill) : 0;
}

int read_buffers(struct reader *r, struct story *s, const struct yaml *y)
{
    bool output = false;
    int rc = yaml_is_map(y, 1, CAP_BUFFERS, "a map of buffers", r->err);
    if (rc)
        return rc;
    s->buffers = arena_new(&r->memory->arena, CAP_BUFFERS, sizeof *s->buffers);
    for (const struct yaml *v = y->first; v; v = v->next) {
        struct buffer *b = &s->buffers[s->n_buffers];
        if ((rc = read_buffer(r, s, v, b)))
            return rc;
        output = output || b->role == ROLE_OUTPUT || b->role == ROLE_INOUT;
        s->n_buffers++;
    }
    return output
               ? 0
               : yaml_fail(y, ERR_BAD_REQUEST, r->err,
                           "no buffer is an output; one with role: output or inout was expected");
}

static int read_workspace(struct reader *r, const struct story *s, const struct yaml *y,
                          struct buffer *b)
{
    const struct yaml *k[WORKSPACE_KEYS];
    int rc = read_buffer_name(r, s, y, &b->name);
    if (!rc)
        rc = yaml_keys(y, &workspace_shape, k, r->err);
    if (!rc)
        rc = choose_type(r, s, k[WORKSPACE_K_TYPE], &b->type);
    return rc ? rc : read_size(r, k[WORKSPACE_K_COUNT], s, 1, SIZE_MAX_WHOLE, &b->count);
}

static bool is_alike(const struct buffer *a, const struct buffer *b)
{
    return a->role == b->role && a->type == b->type &&
           !strcmp(formula_text(a->count.f), formula_text(b->count.f));
}

/* One that is there already was declared for another run. */
static int add_workspace(struct reader *r, struct story *s, const struct yaml *y,
                         const struct buffer *b)
{
    for (int i = 0; i < s->n_buffers; i++)
        if (!strcmp(s->buffers[i].name, b->name))
            return is_alike(&s->buffers[i], b)
                       ? 0
                       : yaml_fail(y->key, ERR_BAD_REQUEST, r->err,
                                   "'%s' is another buffer of this story already; its type and "
                                   "count, or another name, was expected",
                                   b->name);
    if (s->n_buffers == CAP_BUFFERS)
        return yaml_fail(y->key, ERR_TOO_LARGE, r->err,
                         "more than %d buffers with those of scenario.yaml and of other runs; at "
                         "most %d were expected",
                         CAP_BUFFERS, CAP_BUFFERS);
    s->buffers[s->n_buffers++] = *b;
    return 0;
}

int read_workspaces(struct reader *r, struct story *s, const struct yaml *y)
{
    int rc = y ? yaml_is_map(y, 1, CAP_BUFFERS, "a map of workspaces", r->err) : 0;
    for (const struct yaml *v = rc || !y ? NULL : y->first; !rc && v; v = v->next) {
        struct buffer b = {.role = ROLE_WORKSPACE};
        rc = read_workspace(r, s, v, &b);
        if (!rc)
            rc = add_workspace(r, s, v, &b);
    }
    return rc;
}

/* ---- work ---- */

static int no_work(struct reader *r, struct expr *out)
{
    struct formula *none;
    if (formula_parse(&none, "0", NULL, r->err))
        return r->err->code;
    keep_formula(r->memory, none);
    *out = (struct expr){none, NULL, 0, 0};
    return 0;
}

int read_work(struct reader *r, struct story *s, const struct yaml *y)
{
    const struct yaml *k[WORK_KEYS] = {NULL};
    int rc = y ? yaml_keys(y, &work_shape, k, r->err) : 0;
    if (!rc)
        rc = k[WORK_K_BYTES] ? read_size(r, k[WORK_K_BYTES], s, 0, DBL_MAX, &s->work_bytes)
                             : no_work(r, &s->work_bytes);
    if (!rc)
        rc = k[WORK_K_FLOPS] ? read_size(r, k[WORK_K_FLOPS], s, 0, DBL_MAX, &s->work_flops)
                             : no_work(r, &s->work_flops);
    return rc;
}
