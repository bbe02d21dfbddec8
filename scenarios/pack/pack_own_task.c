/* A task that is no story's: what scenario.yaml, answer.yaml and write.yaml say of others stands in
 * its write.yaml alone. */
#include "scenarios/pack/pack_parts.h"

#include "kernels/wire/text.h"
#include "scenarios/pack/pack_case.h"
#include "scenarios/pack/pack_task.h"

static int read_format_of(struct reader *r, const struct yaml *root, struct story *s)
{
    int rc = read_format(r, root, &s->format);
    return !rc && s->format < FORMAT_TASK
               ? yaml_fail(root, ERR_BAD_REQUEST, r->err,
                           "format %d; format: %d was expected of a task", s->format, FORMAT_TASK)
               : rc;
}

/* What a variant would have: launches, best, reference, sizes at which it must be right too. */
static int read_own_variant(struct reader *r, const struct yaml *const *k, struct story *s,
                            struct task *t)
{
    const struct yaml *launches = k[OWN_TASK_K_LAUNCHES];
    struct variant *v = arena_new(&r->memory->arena, 1, sizeof *v);
    *v = (struct variant){.story = s, .task = t, .id = "write", .suspect = t->start,
                          .kind = &source_kinds[SOURCE_CUDA]};
    v->full_id = arena_format(&r->memory->arena, "%s/write", s->full_id);
    t->variant = v;
    int rc = read_side(r, v, k[OWN_TASK_K_BEST], launches, &v->best, &v->best_file);
    if (!rc)
        rc = read_side(r, v, k[OWN_TASK_K_REFERENCE], launches, &v->reference,
                       &v->reference_file);
    return rc ? rc : read_shapes(r, v, k[OWN_TASK_K_SHAPES]);
}

static int read_own_code(struct reader *r, const struct yaml *const *own, struct story *s)
{
    const struct yaml *k[STORY_KEYS];
    spread_keys(own, &own_task_shape, k, &story_shape);
    int rc = read_params(r, s, k[STORY_K_PARAMS]);
    if (!rc)
        rc = read_sizes(r, s, k[STORY_K_SIZES]);
    return rc ? rc : read_code(r, s, k);
}

static int read_own_root(struct reader *r, const struct yaml *root, struct story *s,
                         struct task *t)
{
    const struct yaml *k[OWN_TASK_KEYS];
    int rc = read_format_of(r, root, s);
    if (!rc)
        rc = yaml_keys(root, &own_task_shape, k, r->err);
    if (!rc)
        rc = read_task_words(r, k[OWN_TASK_K_TITLE], k[OWN_TASK_K_LESSON], t);
    if (!rc)
        rc = read_own_code(r, k, s);
    if (!rc)
        rc = read_task_start(r, k[OWN_TASK_K_START], s, k[OWN_TASK_K_LAUNCHES], t);
    if (!rc)
        rc = read_own_variant(r, k, s, t);
    return rc ? rc : read_task_steps(r, k[OWN_TASK_K_STEPS], s, t);
}

int read_own_task(struct reader *r, struct story *s, const struct yaml *at)
{
    const char *path = arena_format(&r->memory->arena, "%s/sealed/write.yaml", s->id);
    const struct file *f = files_find(r->pack->files, path);
    struct yaml_doc *doc = NULL;
    s->full_id = arena_format(&r->memory->arena, "%s/%s", r->pack->id, s->id);
    s->kind = arena_format(&r->memory->arena, "kernel");
    if (r->pack->seal == SEAL_SHUT)
        return 0;
    if (!f)
        return yaml_fail(at, ERR_MISSING, r->err,
                         "there is no %s; the folder of a task was expected to have it", path);
    struct task *t = arena_new(&r->memory->arena, 1, sizeof *t);
    t->file = f;
    int rc = yaml_doc_read(&doc, r->pack->files, f, r->err);
    if (!rc)
        rc = read_own_root(r, yaml_doc_root(doc), s, t);
    yaml_doc_free(doc);
    s->title = t->title;
    if (!rc)
        s->task = t;
    return rc;
}
