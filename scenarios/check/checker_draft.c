/* What a draft of `warpdrill new` left to its author and is still there. */
#include "scenarios/check/checks.h"

#include <string.h>

#include "scenarios/new/scaffold.h"

static void check_file(struct findings *f, const struct story *s, const struct file *file)
{
    const char *at = file->text;
    for (int n = 0; n < MOST_TOLD && (at = strstr(at, SCAFFOLD_MARK));
         n++, at += strlen(SCAFFOLD_MARK))
        findings_add(f, "unfinished", s->pack, s->full_id, NULL,
                     place_in(file, (size_t)(at - file->text)),
                     "this was left to you by warpdrill new; what it says was expected, and that "
                     "the mark is gone");
}

void check_draft(struct findings *f, const struct story *s)
{
    const struct files *all = s->pack->files;
    size_t n = strlen(s->id);
    for (int i = 0; i < all->n; i++) {
        const char *path = all->file[i].path, *end = strrchr(path, '.');
        if (!strncmp(path, s->id, n) && path[n] == '/' && end && strcmp(end, ".json"))
            check_file(f, s, &all->file[i]);
    }
}
