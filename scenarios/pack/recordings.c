#include "scenarios/pack/recordings.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/pack/exhibits.h"

static int recording_of_case(const struct variant *v, struct recording ***out, int *n,
                             struct err *err)
{
    struct recording *r = NULL;
    int rc = variant_needs_answer(v, err);
    if (!rc)
        rc = exhibits_recording(&r, v, err);
    *n = rc == 0;
    *out = rc ? NULL : mem_new(1, sizeof **out);
    if (!rc)
        (*out)[0] = r;
    return rc;
}

/* Compute capability first (9.0 before 8.6), then memory; names only make the order whole. */
static int by_power(const void *a, const void *b)
{
    static const char *const attributes[] = {"compute", "mem_bytes"};
    const struct msg_device *x = &(*(struct recording *const *)a)->device;
    const struct msg_device *y = &(*(struct recording *const *)b)->device;
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        double mine = 0, other = 0;
        msg_device_number(x, attributes[i], &mine);
        msg_device_number(y, attributes[i], &other);
        if (mine != other)
            return mine > other ? -1 : 1;
    }
    return strcmp(x->slug, y->slug);
}

int recording_of_file(struct recording **out, struct files *files, const struct file *f,
                      struct err *err)
{
    int rc = files_load(files, f, err);
    return rc ? rc : recording_decode(out, f->text, f->len, f->path, err);
}

/* The next file of recorded evidence of v behind *at; NULL: there is none any more. */
static const struct file *next_file(const struct variant *v, int *at)
{
    const struct files *files = v->story->pack->files;
    const struct file *found = NULL;
    char *prefix = text_format("%s/%s/", v->story->id, v->id);
    for (; *at < files->n && !found; ++*at)
        if (!strncmp(files->file[*at].path, prefix, strlen(prefix)) &&
            path_is_evidence(files->file[*at].path))
            found = &files->file[*at];
    free(prefix);
    return found;
}

int recordings_load(const struct variant *v, struct err *err)
{
    const struct file *f;
    int at = 0, rc = 0;
    while (!rc && (f = next_file(v, &at)))
        rc = files_load(v->story->pack->files, f, err);
    return rc;
}

int recordings_of(const struct variant *v, struct recording ***out, int *n, struct err *err)
{
    if (story_is_case(v->story))
        return recording_of_case(v, out, n, err);
    const struct file *f;
    struct recording **list = NULL;
    int rc = variant_needs_answer(v, err), count = 0, at = 0;
    while (!rc && (f = next_file(v, &at))) {
        list = mem_grow(list, (size_t)count + 1, sizeof *list);
        rc = recording_of_file(&list[count], v->story->pack->files, f, err);
        count += rc == 0;
    }
    if (rc) {
        recordings_free(list, count);
        list = NULL;
        count = 0;
    }
    if (count)
        qsort(list, (size_t)count, sizeof *list, by_power);
    *out = list;
    *n = count;
    return rc;
}

void recordings_free(struct recording **list, int n)
{
    for (int i = 0; i < n; i++)
        recording_free(list[i]);
    free(list);
}
