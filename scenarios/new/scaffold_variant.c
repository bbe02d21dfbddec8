/* A further variant of a story that is there: it shares all that may be seen, so its kernel has the
 * name that the story launches, and its cause is one that the story offers. */
#include "scenarios/new/scaffold_draft.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

/* ---- the story ---- */

static int open_story(struct pack **p, const struct story **out, const struct scaffold *s,
                      struct err *err)
{
    int rc = pack_open_whole(p, s->pack, err);
    if (rc)
        return rc;
    *out = pack_story(*p, s->id);
    if (!*out)
        rc = err_set(err, ERR_MISSING,
                     "%s has no scenario %s in its list; its id was expected there", s->pack,
                     s->id);
    else if (story_is_case(*out) || (*p)->seal == SEAL_SHUT)
        rc = err_set(err, ERR_UNSUPPORTED, "%s/%s is %s; a story of kernels in clear was expected",
                     s->pack, s->id, story_is_case(*out) ? "a case" : "sealed");
    else if (story_is_harness(*out))
        rc = err_set(err, ERR_UNSUPPORTED,
                     "%s/%s is a harness; a further variant of it is made by a copy of its folder "
                     "%s, with another benchmark.yaml",
                     s->pack, s->id, (*out)->variants[0]->id);
    if (rc)
        pack_free(*p);
    return rc;
}

int scaffold_check_story(const struct scaffold *s, struct err *err)
{
    struct pack *p = NULL;
    const struct story *story;
    int rc = open_story(&p, &story, s, err);
    if (!rc)
        pack_free(p);
    return rc;
}

static bool offers(const struct story *story, const char *id)
{
    for (int i = 0; i < story->n_hypotheses; i++)
        if (!strcmp(story->hypotheses[i]->id, id))
            return true;
    return false;
}

static bool is_cause_of_another(const struct story *story, int hypothesis)
{
    for (int i = 0; i < story->n_variants; i++)
        if (story->variants[i]->cause == hypothesis)
            return true;
    return false;
}

/* The first on offer that one kernel can have and no variant has. */
static const struct cause *free_cause(const struct story *story)
{
    for (int i = 0; i < story->n_hypotheses; i++) {
        const struct cause *d = cause_find(story->hypotheses[i]->id);
        if (d && !is_cause_of_another(story, i))
            return d;
    }
    return NULL;
}

static int refuse_cause(const struct scaffold *s, const struct story *story, struct err *err)
{
    char list[500] = "";
    size_t n = 0;
    for (int i = 0; i < story->n_hypotheses && n < sizeof list; i++)
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", i ? ", " : "",
                              story->hypotheses[i]->id);
    return err_set(err, ERR_BAD_REQUEST,
                   "%s is not on offer in %s/%s; one of these was expected, or that hypothesis in "
                   "its scenario.yaml first: %s",
                   s->cause ? s->cause->id : "what was guessed", s->pack, s->id, list);
}

static bool launches(const struct story *story, const char *kernel)
{
    for (int i = 0; i < story->n_launches; i++)
        if (!strcmp(story->launches[i].kernel, kernel))
            return true;
    return false;
}

static int check_kernel(const struct scaffold *s, const struct story *story, struct err *err)
{
    if (!story->launches)
        return err_set(err, ERR_UNSUPPORTED,
                       "%s/%s says of each variant how it is launched; a variant of it can be "
                       "drafted by a copy of a folder",
                       s->pack, s->id);
    if (!launches(story, s->kernel->name))
        return err_set(err, ERR_BAD_REQUEST,
                       "%s/%s launches %s, and the kernel here is %s; a kernel of that name was "
                       "expected, since variants must look alike",
                       s->pack, s->id, story->launches[0].kernel, s->kernel->name);
    for (int i = 0; i < story->n_launches; i++)
        if (strcmp(story->launches[i].kernel, s->kernel->name))
            return err_set(err, ERR_UNSUPPORTED,
                           "%s/%s launches %s and %s; a variant of a story with one kernel can be "
                           "drafted, this one by a copy of the folder",
                           s->pack, s->id, s->kernel->name, story->launches[i].kernel);
    return 0;
}

int scaffold_join(struct scaffold *s, struct err *err)
{
    struct pack *p = NULL;
    const struct story *story;
    int rc = open_story(&p, &story, s, err);
    if (rc)
        return rc;
    rc = check_kernel(s, story, err);
    const struct cause *left = *s->guessed ? free_cause(story) : NULL;
    if (!rc && left) {
        s->cause = left;
        snprintf(s->guessed, sizeof s->guessed, "as the first on offer that no variant has");
    }
    if (!rc && (!s->cause || !offers(story, s->cause->id)))
        rc = refuse_cause(s, story, err);
    free(s->title);
    s->title = text_dup(story->title);
    pack_free(p);
    return rc;
}

/* ---- its files ---- */

static void add(struct files *f, const struct scaffold *s, const char *name, char *text)
{
    char *path = text_format("%s/%s/%s", s->id, s->variant, name);
    files_add(f, path, text, strlen(text));
    free(path);
    free(text);
}

static bool is_shared(const struct files *f, const struct scaffold *s, const char *name)
{
    char *path = text_format("%s/sealed/%s", s->id, name);
    bool found = files_find(f, path) != NULL;
    free(path);
    return found;
}

/* The truth is the same for all variants. */
static void add_reference(struct files *f, const struct scaffold *s, const struct variant *other)
{
    const char *name = strrchr(other->reference_file->path, '/') + 1;
    char *in = text_format("sealed/%s", name);
    if (!is_shared(f, s, name))
        add(f, s, in, text_ndup(other->reference_file->text, other->reference_file->len));
    free(in);
}

int variant_make(struct files *f, int *first, const struct draft *p, const struct files *old,
                 struct err *err)
{
    const struct scaffold *s = p->of;
    struct pack *pack = NULL;
    const struct story *story;
    int rc = open_story(&pack, &story, s, err);
    if (rc)
        return rc;
    const struct variant *other = story->variants[0];
    char *path = text_format("%s/%s/sealed/answer.yaml", s->id, other->id);
    const struct file *answer = files_find(pack->files, path);
    for (int i = 0; i < old->n; i++)
        files_add(f, old->file[i].path, old->file[i].text, old->file[i].len);
    *first = f->n;
    add(f, s, "suspect.cu", text_dup(p->suspect));
    add(f, s, "sealed/answer.yaml",
        draft_joined(p, &(struct draft_story){story, answer ? answer->text : ""}));
    add(f, s, "sealed/fix.cu", draft_fix(p));
    add(f, s, "sealed/debrief.md", draft_debrief(p));
    add_reference(f, s, other);
    free(path);
    pack_free(pack);
    return 0;
}
