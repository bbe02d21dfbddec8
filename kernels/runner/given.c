#include "kernels/runner/given.h"

#include <string.h>

#include "kernels/wire/ptx_scan.h"

static int scan(struct ptx_text *out, const struct msg_source *s, struct err *err)
{
    struct err why = {0};
    int rc = ptx_scan(out, s->image.ptx, strlen(s->image.ptx), &why);
    return rc ? err_set(err, rc, "PTX of %s: %s", s->name, why.text) : 0;
}

/* ---- launches ---- */

static const char *type_of(const struct msg_arg *a, int *bytes)
{
    static const struct { const char *name; int bytes; } types[] = {
        [ARG_BUFFER] = {"buffer", 8}, [ARG_I32] = {"i32", 4}, [ARG_I64] = {"i64", 8},
        [ARG_F32] = {"f32", 4},       [ARG_F64] = {"f64", 8}, [ARG_MAP] = {"map", 128},
    };
    *bytes = types[a->kind].bytes;
    return types[a->kind].name;
}

static int check_args(const struct msg_launch *l, const struct ptx_kernel *k, const char *name,
                      struct err *err)
{
    if (l->n_args != k->n_params)
        return err_set(err, ERR_BAD_REQUEST,
                       "a launch of %s with %d arguments; %d were expected by the PTX of %s",
                       k->name, l->n_args, k->n_params, name);
    for (int i = 0; i < l->n_args; i++) {
        char wants[96];
        int bytes;
        const char *type = type_of(&l->args[i], &bytes);
        ptx_wants(wants, sizeof wants, k, i);
        if (!ptx_takes(k, i, bytes))
            return err_set(err, ERR_BAD_REQUEST,
                           "argument %d of a launch of %s, of type %s, has %d bytes; %s was "
                           "expected by the PTX of %s",
                           i + 1, k->name, type, bytes, wants, name);
    }
    return 0;
}

static int check_launch(const struct msg_launch *l, const struct ptx_text *t, const char *name,
                        struct err *err)
{
    const struct ptx_kernel *k = ptx_text_kernel(t, l->kernel);
    if (!k)
        return err_set(err, ERR_BAD_REQUEST, "the PTX of %s has no kernel %s; %s%s was expected",
                       name, l->kernel,
                       t->n_kernels > 1 ? "one of its kernels, such as " : "", t->kernels[0].name);
    for (int i = 0; i < 3 && *k->block; i++)
        if (l->block[i] != k->block[i])
            return err_set(err, ERR_BAD_REQUEST,
                           "blocks of %u x %u x %u threads; %s in the PTX of %s was compiled for "
                           "%u x %u x %u",
                           l->block[0], l->block[1], l->block[2], k->name, name, k->block[0],
                           k->block[1], k->block[2]);
    return check_args(l, k, name, err);
}

static int check_run(const struct msg_run *r, const struct msg_source *s, const struct ptx_text *t,
                     struct err *err)
{
    int rc = 0;
    for (int i = 0; i < r->n_launches && !rc; i++)
        if (!strcmp(r->launches[i].source, s->id))
            rc = check_launch(&r->launches[i], t, s->name, err);
    return rc;
}

static int check_shape(const struct msg_shape *shape, const struct msg_source *s,
                       const struct ptx_text *t, struct err *err)
{
    int rc = 0;
    if (shape->n_define)
        return err_set(err, ERR_BAD_REQUEST,
                       "the macro %s cannot reach the image of %s, which is never compiled; an "
                       "argument, or no define, was expected",
                       shape->define[0].name, s->name);
    for (int i = 0; i < shape->n_runs && !rc; i++)
        rc = check_run(&shape->runs[i], s, t, err);
    return rc;
}

/* ---- the whole ---- */

static int check_image(const struct msg_measure *m, const struct msg_source *s, struct err *err)
{
    struct ptx_text t;
    int rc = scan(&t, s, err);
    if (rc)
        return rc;
    for (int v = -1; v < m->n_variants && !rc; v++)
        rc = check_shape(msg_shape_of(m, v), s, &t, err);
    ptx_text_free(&t);
    return rc;
}

int given_check(const struct msg_measure *m, struct err *err)
{
    int rc = 0;
    for (int i = 0; i < m->n_sources && !rc; i++)
        if (m->sources[i].image.ptx)
            rc = check_image(m, &m->sources[i], err);
    return rc;
}

static int reaches(const struct msg_source *s, int arch, struct err *err)
{
    struct ptx_text t;
    int rc = scan(&t, s, err);
    if (rc)
        return rc;
    if (!ptx_text_reaches(&t, arch))
        rc = err_set(err, ERR_UNSUPPORTED,
                     "the image of %s is for sm_%d%.1s%s, and this GPU is sm_%d; recorded "
                     "evidence shows what it does there",
                     s->name, t.arch, &t.only, t.only ? " alone" : " and later", arch);
    ptx_text_free(&t);
    return rc;
}

int given_reaches(const struct msg_measure *m, int arch, struct err *err)
{
    int rc = 0;
    for (int i = 0; i < m->n_sources && !rc; i++)
        if (m->sources[i].image.ptx)
            rc = reaches(&m->sources[i], arch, err);
    return rc;
}
