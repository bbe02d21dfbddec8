#include "scenarios/text/source_kind.h"

#include <string.h>

const struct source_kind source_kinds[SOURCE_KINDS] = {
    [SOURCE_CUDA] = {".cu", "suspect.cu", "fix.cu", "best.cu", "half.cu", "rest.cu",
                     "reference.cu", "//", false},
    [SOURCE_PYTHON] = {".py", "suspect.py", "fix.py", "best.py", "half.py", "rest.py",
                       "reference.cu", "#", true},
};

const struct source_kind *source_kind_of(const char *path)
{
    size_t n = strlen(path);
    for (int i = 0; i < SOURCE_KINDS; i++) {
        size_t k = strlen(source_kinds[i].ending);
        if (n > k && !strcmp(path + n - k, source_kinds[i].ending))
            return &source_kinds[i];
    }
    return NULL;
}

bool source_is_image(const char *path)
{
    size_t n = strlen(path);
    return n > 4 && !strcmp(path + n - 4, ".ptx");
}

const struct source_kind *source_kind_of_suspect(const char *name)
{
    for (int i = 0; i < SOURCE_KINDS; i++)
        if (!strcmp(name, source_kinds[i].suspect))
            return &source_kinds[i];
    return NULL;
}

const char *source_name(const struct source_kind *kind, const char *run)
{
    switch (run[0]) {
    case 'a': return kind->suspect;
    case 'b': return kind->fix;
    case 'c': return kind->best;
    case 'd': return kind->half;
    case 'e': return kind->rest;
    default: return kind->reference;
    }
}
