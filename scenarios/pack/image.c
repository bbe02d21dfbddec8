#include "scenarios/pack/image.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/text/source_kind.h"

/* The file whose path is the first `stem` characters of another's and an ending. */
static const struct file *find(const struct files *files, const struct file *of, size_t stem,
                               const char *ending)
{
    char *path = text_format("%.*s%s", (int)stem, of->path, ending);
    const struct file *found = files_find(files, path);
    free(path);
    return found;
}

static size_t stem_of(const char *path, const char *ending)
{
    size_t n = strlen(path), k = strlen(ending);
    return n > k && !strcmp(path + n - k, ending) ? n - k : 0;
}

void image_find(struct image_files *out, const struct files *files, const struct file *source)
{
    const struct source_kind *kind = source_kind_of(source->path);
    *out = (struct image_files){0};
    if (!kind)
        return;
    size_t stem = stem_of(source->path, kind->ending);
    *out = (struct image_files){.about = find(files, source, stem, ".image.yaml"),
                                .ptx = find(files, source, stem, ".ptx")};
}

const struct file *image_text(const struct files *files, const struct file *part)
{
    size_t stem = stem_of(part->path, ".image.yaml");
    stem = stem ? stem : stem_of(part->path, ".ptx");
    for (int i = 0; i < SOURCE_KINDS; i++) {
        const struct file *text = find(files, part, stem, source_kinds[i].ending);
        if (text)
            return text;
    }
    return NULL;
}
