/* The pack that a draft would be: what is there already, the new files, the proof that it loads. */
#include "scenarios/new/scaffold_files.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/new/scaffold_draft.h"
#include "scenarios/pack/pack.h"

void files_with_text(struct files *f, const struct scaffold *s, const char *name, char *text)
{
    char *path = text_format("%s/%s", s->id, name);
    files_add(f, path, text, strlen(text));
    free(path);
    free(text);
}

int files_with_pack(struct files *f, const struct files *old, const struct scaffold *s,
                    struct err *err)
{
    const struct file *manifest = old ? files_find(old, "pack.yaml") : NULL;
    char *text = manifest ? scaffold_add_id(old, manifest, s->id, err) : manifest_new(s);
    if (!text)
        return err ? err->code : ERR_BAD_REQUEST;
    for (int i = 0; old && i < old->n; i++)
        if (&old->file[i] != manifest)
            files_add(f, old->file[i].path, old->file[i].text, old->file[i].len);
    files_add(f, "pack.yaml", text, strlen(text));
    free(text);
    return 0;
}

/* The files are copied into another set, since the reader keeps the one that it gets. */
static int loads(const struct files *f, struct err *err)
{
    struct files *copy = files_new(f->root);
    struct pack *pack = NULL;
    for (int i = 0; i < f->n; i++)
        files_add(copy, f->file[i].path, f->file[i].text, f->file[i].len);
    int rc = pack_load(&pack, copy, err);
    pack_free(pack);
    return rc;
}

static int story_make(struct files *f, int *first, const struct draft *p, const struct files *old,
                      struct err *err)
{
    const struct scaffold *s = p->of;
    int rc = files_with_pack(f, old, s, err);
    if (rc)
        return rc;
    *first = f->n - 1;
    files_with_text(f, s, "scenario.yaml", draft_scenario(p));
    files_with_text(f, s, "a/suspect.cu", text_dup(p->suspect));
    files_with_text(f, s, "a/sealed/answer.yaml", draft_answer(p));
    files_with_text(f, s, "a/sealed/fix.cu", draft_fix(p));
    files_with_text(f, s, "a/sealed/reference.cu", draft_reference(p));
    files_with_text(f, s, "a/sealed/debrief.md", draft_debrief(p));
    return 0;
}

int files_made(struct files **out, const char ***made, int *n, struct files *f, int first,
               struct err *err)
{
    int rc = loads(f, err);
    if (rc) {
        files_free(f);
        return rc;
    }
    *made = mem_new((size_t)(f->n - first), sizeof **made);
    for (int i = first; i < f->n; i++)
        (*made)[(*n)++] = f->file[i].path;
    *out = f;
    return 0;
}

int scaffold_make(struct files **out, const char ***made, int *n, const struct scaffold *s,
                  struct err *err)
{
    struct draft p;
    struct files *old = NULL, *f = files_new(s->pack);
    *out = NULL;
    *n = 0;
    int rc = draft_open(&p, s, err), first = 0;
    if (!rc && place_exists(s->pack))
        rc = files_read(&old, s->pack, err);
    if (!rc)
        rc = s->variant ? variant_make(f, &first, &p, old, err)
                        : story_make(f, &first, &p, old, err);
    draft_close(&p);
    files_free(old);
    if (!rc)
        return files_made(out, made, n, f, first, err);
    files_free(f);
    return rc;
}
