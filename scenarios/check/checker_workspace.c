/* Workspaces that are smaller than what a launch takes of them, where the text shows an index that
 * every block or thread has one of, by itself or under a name that has no other value and is
 * compared with parameters alone. What is computed otherwise is not followed: the fence of
 * `check --live` tells it. */
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

/* The value of the parameter at `at`, where nothing else is in what the name is compared with. */
static double param_value(const struct source *s, const struct kernel *k,
                          const struct msg_launch *l, size_t at)
{
    size_t from = code_skip(s->code, at, k->end), to = from;
    while (to < k->end && code_is_word(s->code[to]))
        to++;
    size_t behind = code_skip(s->code, to, k->end);
    if (behind >= k->end || !strchr(");|&", s->code[behind]))
        return 0;
    for (int p = 0; p < k->n_params; p++)
        if (strlen(k->params[p].name) == to - from &&
            !memcmp(k->params[p].name, s->code + from, to - from))
            return l->args[p].kind == ARG_I32 || l->args[p].kind == ARG_I64 ? (double)l->args[p].i
                                                                            : 0;
    return 0;
}

/* What the uses of a name say: its reach is what it is given, at most what it is compared with. */
struct followed {
    int given;
    double reach, limit;
    bool lost;
};

static void compare(struct followed *n, double limit)
{
    n->lost |= limit <= 0;
    n->limit = n->limit > 0 && n->limit < limit ? n->limit : limit;
}

/* The last sign before `at`. */
static char sign_before(const struct source *s, const struct kernel *k, size_t at)
{
    while (at > k->body && isspace((unsigned char)s->code[at - 1]))
        at--;
    return s->code[at - 1];
}

static void follow(struct followed *n, const struct source *s, const struct kernel *k,
                   const struct msg_launch *l, size_t at, size_t behind)
{
    const char *code = s->code + behind;
    char index[INDEX];
    if (*code == '=' && code[1] != '=') {
        read_index(index, s, behind + 1, behind + strcspn(code, ";,"));
        n->given++;
        n->reach = reach(index, l);
    } else if ((*code == '>' && code[1] == '=') || (*code == '<' && !strchr("<=", code[1])))
        compare(n, param_value(s, k, l, behind + 1 + (*code == '>')));
    else
        n->lost |= strchr("<>!=+-*/%&|^", *code) && (code[1] == '=' || code[0] == code[1]);
    n->lost |= strchr("<>&+-", sign_before(s, k, at)) != NULL;
}

/* What a name reaches that every thread has a value of; 0: it does not say. */
static double named_reach(const struct source *s, const struct kernel *k, const char *name,
                          const struct msg_launch *l)
{
    struct followed n = {0};
    size_t len = strlen(name);
    for (size_t i = 0; i < len; i++)
        if (!code_is_word(name[i]))
            return 0;
    for (size_t at = k->body; (at = code_find(s->code, at, k->end, name)) < k->end; at += len)
        follow(&n, s, k, l, at, code_skip(s->code, at + len, k->end));
    if (n.given != 1 || n.lost)
        return 0;
    return n.limit > 0 && n.limit < n.reach ? n.limit : n.reach;
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
        if (!here)
            here = named_reach(s, k, index, l);
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
