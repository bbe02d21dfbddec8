#include "scenarios/library/recorded_gpus.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/pack/recordings.h"

/* "nvidia-h200" of "row-means/a/sealed/evidence/nvidia-h200.json", whose name may have dots; false:
 * it is longer than a GPU's can be. */
static bool slug_of(char *out, size_t size, const char *path)
{
    const char *name = strrchr(path, '/') + 1;
    size_t n = strlen(name), ending = strlen(".json");
    if (n <= ending || n - ending >= size)
        return false;
    snprintf(out, size, "%.*s", (int)(n - ending), name);
    return true;
}

static struct recorded_gpu *find(struct recorded_gpus *g, const char *slug)
{
    for (int i = 0; i < g->n; i++)
        if (!strcmp(g->gpu[i].slug, slug))
            return &g->gpu[i];
    return NULL;
}

static void read_name(struct recorded_gpu *gpu, struct files *files, const struct file *f)
{
    struct recording *r = NULL;
    if (recording_of_file(&r, files, f, NULL) == 0)
        snprintf(gpu->name, sizeof gpu->name, "%s", r->device.name);
    recording_free(r);
}

static void add_file(struct recorded_gpus *g, struct files *files, const struct file *f)
{
    char slug[64];
    if (!slug_of(slug, sizeof slug, f->path))
        return;
    struct recorded_gpu *gpu = find(g, slug);
    if (!gpu && g->n < RECORDED_GPUS) {
        gpu = &g->gpu[g->n++];
        snprintf(gpu->slug, sizeof gpu->slug, "%s", slug);
    }
    if (gpu && !gpu->name[0])
        read_name(gpu, files, f);
}

static int by_slug(const void *a, const void *b)
{
    return strcmp(((const struct recorded_gpu *)a)->slug, ((const struct recorded_gpu *)b)->slug);
}

void recorded_gpus_find(struct recorded_gpus *out, const struct catalog *c)
{
    *out = (struct recorded_gpus){0};
    for (int p = 0; c && p < c->n_packs; p++) {
        struct files *files = c->packs[p]->files;
        for (int f = 0; f < files->n; f++)
            if (path_is_evidence(files->file[f].path))
                add_file(out, files, &files->file[f]);
    }
    for (int i = 0; i < out->n; i++)
        if (!out->gpu[i].name[0])
            memcpy(out->gpu[i].name, out->gpu[i].slug, sizeof out->gpu[i].slug);
    qsort(out->gpu, (size_t)out->n, sizeof *out->gpu, by_slug);
}

const char *recorded_gpus_name(const struct recorded_gpus *g, const char *slug)
{
    for (int i = 0; i < g->n; i++)
        if (!strcmp(g->gpu[i].slug, slug))
            return g->gpu[i].name;
    return slug;
}
