#include "scenarios/pack/pack_task.h"

#include "scenarios/pack/pack_sources.h"

enum { STEPS_MOST = 8, HINT = 400, LESSON = 4000 };
#define WITHIN_MOST 1000.0

static int find_of(struct reader *r, const struct yaml *y, const struct story *s,
                   const struct variant **out)
{
    int rc = yaml_is_scalar(y, "the id of a variant", r->err);
    if (rc)
        return rc;
    *out = story_variant(s, y->text);
    return *out ? 0
                : yaml_fail(y, ERR_MISSING, r->err,
                            "'%.40s' is no variant of %s; one of them was expected", y->text,
                            s->id);
}

/* ---- steps ---- */

static int check_within(struct reader *r, const struct yaml *y, const struct task_step *step,
                        const struct task_step *before)
{
    if (!(step->within >= 1 && step->within <= WITHIN_MOST))
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "within %g times the best's time; 1 to %g was expected", step->within,
                         WITHIN_MOST);
    if (before && step->within >= before->within)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "within %g, and the step before has %g; steps that become harder were "
                         "expected",
                         step->within, before->within);
    return 0;
}

static int read_step(struct reader *r, const struct yaml *y, const struct story *s, int at,
                     struct task *t)
{
    const struct yaml *k[TASK_STEP_KEYS];
    struct task_step *step = &t->steps[at];
    *step = (struct task_step){.file = yaml_doc_file(y->doc), .line = y->line, .col = y->col};
    int rc = yaml_keys(y, &task_step_shape, k, r->err);
    if (!rc)
        rc = read_text(r, k[TASK_STEP_K_WALL], TITLE, false, "the wall of a step", &step->wall);
    if (!rc)
        rc = yaml_number(k[TASK_STEP_K_WITHIN], "how many times the best's time", &step->within,
                         r->err);
    if (!rc)
        rc = check_within(r, k[TASK_STEP_K_WITHIN], step, at ? step - 1 : NULL);
    if (!rc && k[TASK_STEP_K_AS])
        rc = find_of(r, k[TASK_STEP_K_AS], s, &step->as);
    if (!rc)
        rc = read_text(r, k[TASK_STEP_K_HINT], HINT, true, "the hint of a step", &step->hint);
    return rc;
}

int read_task_steps(struct reader *r, const struct yaml *y, const struct story *s, struct task *t)
{
    int rc = yaml_is_list(y, 1, STEPS_MOST, "a list of 1 to 8 steps", r->err), n = 0;
    if (rc)
        return rc;
    t->steps = arena_new(&r->memory->arena, STEPS_MOST, sizeof *t->steps);
    for (const struct yaml *one = y->first; !rc && one; one = one->next)
        rc = read_step(r, one, s, n++, t);
    t->n_steps = n;
    return rc;
}

/* ---- the whole ---- */

/* The variant that is raced against, without its fix, so that the best is the target; its suspect
 * is the empty kernel. */
static int make_variant(struct reader *r, const struct yaml *y, const struct story *s,
                        struct task *t)
{
    const struct variant *race = NULL;
    int rc = find_of(r, y, s, &race);
    if (rc)
        return rc;
    if (!race->best_file)
        return yaml_fail(y, ERR_BAD_REQUEST, r->err,
                         "%s has no best; a variant with one was expected", race->full_id);
    struct variant *v = arena_new(&r->memory->arena, 1, sizeof *v);
    *v = *race;
    v->id = "write";
    v->full_id = arena_format(&r->memory->arena, "%s/write", s->full_id);
    v->suspect = t->start;
    v->fix_file = NULL;
    v->fix = (struct side){0};
    v->task = t;
    t->variant = v;
    return 0;
}

int read_task_words(struct reader *r, const struct yaml *title, const struct yaml *lesson,
                    struct task *t)
{
    int rc = read_text(r, title, TITLE, false, "the title of a task", &t->title);
    return rc ? rc : read_text(r, lesson, LESSON, true, "the lesson of the best", &t->lesson);
}

int read_task_start(struct reader *r, const struct yaml *y, const struct story *s,
                    const struct yaml *launches, struct task *t)
{
    const char *folder = arena_format(&r->memory->arena, "%s/sealed", s->id);
    int rc = read_path(r, y, folder, ".cu", &t->start);
    return rc ? rc : check_source(r, t->start, launches);
}

static int read_root(struct reader *r, const struct yaml *root, struct story *s,
                     const struct yaml *launches, struct task *t)
{
    const struct yaml *k[TASK_KEYS];
    int format, rc = read_format(r, root, &format);
    if (!rc)
        rc = yaml_keys(root, &task_shape, k, r->err);
    if (!rc && format < FORMAT_TASK)
        rc = yaml_fail(k[TASK_K_FORMAT], ERR_BAD_REQUEST, r->err,
                       "write.yaml in format %d; format: %d was expected", format, FORMAT_TASK);
    if (!rc && (!launches || story_is_harness(s)))
        rc = yaml_fail(root, ERR_BAD_REQUEST, r->err,
                       "a kernel is to be written, and the story has no launches of its own or is "
                       "a harness; another story was expected");
    if (!rc)
        rc = read_task_words(r, k[TASK_K_TITLE], k[TASK_K_LESSON], t);
    if (!rc)
        rc = read_task_start(r, k[TASK_K_START], s, launches, t);
    if (!rc)
        rc = make_variant(r, k[TASK_K_RACE], s, t);
    return rc ? rc : read_task_steps(r, k[TASK_K_STEPS], s, t);
}

int read_task(struct reader *r, struct story *s, const struct yaml *launches)
{
    const struct file *f = files_find(
        r->pack->files, arena_format(&r->memory->arena, "%s/sealed/write.yaml", s->id));
    struct yaml_doc *doc = NULL;
    if (!f || s->variants[0]->sealed)
        return 0;
    struct task *t = arena_new(&r->memory->arena, 1, sizeof *t);
    t->file = f;
    int rc = yaml_doc_read(&doc, r->pack->files, f, r->err);
    if (!rc)
        rc = read_root(r, yaml_doc_root(doc), s, launches, t);
    yaml_doc_free(doc);
    if (!rc)
        s->task = t;
    return rc;
}
