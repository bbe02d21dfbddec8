#include "scenarios/pack/recordings.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/pack/exhibits.h"

static bool ends_with(const char *s, const char *end)
{
    size_t n = strlen(s), k = strlen(end);
    return n >= k && !strcmp(s + n - k, end);
}

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

int recordings_of(const struct variant *v, struct recording ***out, int *n, struct err *err)
{
    if (story_is_case(v->story))
        return recording_of_case(v, out, n, err);
    struct files *files = v->story->pack->files;
    char *prefix = text_format("%s/%s/sealed/evidence/", v->story->id, v->id);
    struct recording **list = NULL;
    int rc = variant_needs_answer(v, err), count = 0;
    for (int i = 0; rc == 0 && i < files->n; i++) {
        const struct file *f = &files->file[i];
        if (strncmp(f->path, prefix, strlen(prefix)) || !ends_with(f->path, ".json"))
            continue;
        list = mem_grow(list, (size_t)count + 1, sizeof *list);
        rc = recording_of_file(&list[count], files, f, err);
        count += rc == 0;
    }
    free(prefix);
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
