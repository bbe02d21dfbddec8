/* Workspaces that are smaller than what a launch takes of them, where the text shows an index that
 * every block or thread has one of. Indices that are computed elsewhere, and conditions, are not
 * followed: the fence of `check --live` tells those. */
#include "scenarios/check/checks.h"

#include <ctype.h>
#include <string.h>

#include "scenarios/new/scaffold_source.h"

enum { INDEX = 64 };

/* "blockIdx.x*blockDim.x+threadIdx.x": the masked code of an index, without blanks. */
static void read_index(char *out, const struct source *s, size_t from, size_t to)
{
    size_t n = 0;
    for (size_t i = from; i < to && n + 1 < INDEX; i++)
        if (!isspace((unsigned char)s->code[i]))
            out[n++] = s->code[i];
    out[n] = '\0';
}

/* How many elements an index reaches over a launch; 0: it does not say. */
static double reach(const char *index, const struct msg_launch *l)
{
    static const char *const all[] = {"blockIdx.x*blockDim.x+threadIdx.x",
                                      "threadIdx.x+blockIdx.x*blockDim.x",
                                      "blockDim.x*blockIdx.x+threadIdx.x"};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (!strcmp(index, all[i]))
            return (double)l->grid[0] * l->block[0];
    return !strcmp(index, "blockIdx.x")    ? l->grid[0]
           : !strcmp(index, "threadIdx.x") ? l->block[0]
                                           : 0;
}

/* The most that `name[...]` reaches in the kernel. */
static double most_reach(const struct source *s, const struct kernel *k, const char *name,
                         const struct msg_launch *l)
{
    char index[INDEX];
    double most = 0;
    for (size_t at = k->body, len = strlen(name);
         (at = code_find(s->code, at, k->end, name)) < k->end; at += len) {
        size_t open = code_skip(s->code, at + len, k->end);
        bool indexed = open < k->end && s->code[open] == '[';
        size_t close = indexed ? code_close(s->code, open, k->end) : 0;
        if (!close)
            continue;
        read_index(index, s, open + 1, close - 1);
        double here = reach(index, l);
        most = here > most ? here : most;
    }
    return most;
}

static void check_arg(struct findings *f, const struct variant *v, const char *gpu,
                      const struct msg_shape *shape, const struct msg_launch *l, int arg,
                      const struct source *s, const struct kernel *k, const char *file)
{
    const struct kernel_param *p = &k->params[arg];
    int b = l->args[arg].buffer;
    if (l->args[arg].kind != ARG_BUFFER || shape->buffers[b].role != ROLE_WORKSPACE ||
        !p->is_known || p->stars != 1)
        return;
    double has = (double)shape->buffers[b].count * elem_size(shape->buffers[b].type),
           takes = most_reach(s, k, p->name, l) * elem_size(p->elem) * p->width;
    if (takes > has)
        findings_add(f, "workspace", v->story->pack, v->full_id, gpu,
                     place_of(v->story->pack, &v->story->buffers[b].count),
                     "%s has %.0f bytes, and %s in %s takes %.0f: %s[...] for each %s; as many "
                     "were expected",
                     shape->buffers[b].name, has, k->name, file, takes, p->name,
                     l->grid[0] > 1 ? "block or thread of its launch" : "thread");
}

static void check_run(struct findings *f, const struct variant *v, const char *gpu,
                      const struct msg_shape *shape, const struct msg_run *run)
{
    const struct file *file = variant_source(v, run->id);
    struct source *s = NULL;
    if (!file || source_read(&s, file->path, file->text, file->len, NULL))
        return;
    for (int i = 0; i < run->n_launches; i++) {
        const struct msg_launch *l = &run->launches[i];
        struct kernel *k = source_kernel(s, l->kernel);
        if (!k || (!k->params && !source_signature(s, k)) || k->n_params != l->n_args)
            continue;
        for (int a = 0; a < l->n_args; a++)
            check_arg(f, v, gpu, shape, l, a, s, k, source_name(v->kind, run->id));
    }
    source_free(s);
}

void check_workspaces(struct findings *f, const struct variant *v, const char *gpu,
                      const struct msg_shape *shape)
{
    for (int i = 0; i < shape->n_runs; i++)
        check_run(f, v, gpu, shape, &shape->runs[i]);
}
