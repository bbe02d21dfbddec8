/* Where a new scenario goes: what its path names, and what must not be there yet. */
#include "scenarios/new/scaffold_files.h"

#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "scenarios/pack/pack_read.h"

char *place_last(const char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    size_t from = n;
    while (from > 0 && path[from - 1] != '/')
        from--;
    return text_ndup(path + from, n - from);
}

bool place_exists(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0;
}

/* Anything but hidden files, such as .git. */
static bool holds_files(const char *path)
{
    DIR *d = opendir(path);
    bool any = false;
    for (struct dirent *e; d && !any && (e = readdir(d));)
        any = e->d_name[0] != '.';
    if (d)
        closedir(d);
    return any;
}

static char *without_last(const char *place, const char *last)
{
    size_t n = strlen(place);
    while (n > 0 && place[n - 1] == '/')
        n--;
    n -= strlen(last) < n ? strlen(last) : n;
    while (n > 1 && place[n - 1] == '/')
        n--;
    return text_ndup(place, n);
}

/* The story's part of a path that ends in a variant's id, where that story is there; malloc'd.
 * NULL: the path names a story. */
static char *story_of(const char *place, const char *last)
{
    char *story = without_last(place, last), *file = text_format("%s/scenario.yaml", story);
    bool found = *story && place_exists(file);
    free(file);
    if (found)
        return story;
    free(story);
    return NULL;
}

/* The folder that is going to be made must not be there. */
static int check_free(const struct scaffold *s, struct err *err)
{
    char *folder;
    int rc = s->variant ? path_below(&folder, s->pack, PATH_NAMES(s->id, s->variant), err)
                        : path_below(&folder, s->pack, PATH_NAMES(s->id), err);
    if (rc)
        return rc;
    if (place_exists(folder))
        rc = err_set(err, ERR_BAD_REQUEST,
                     "%s exists already, and nothing is overwritten; %s was expected", folder,
                     s->variant
                         ? "the letter of a new variant"
                         : "a new scenario, or PACK/SCENARIO/b for a further variant of it,");
    free(folder);
    return rc;
}

/* A pack inside a pack: what was meant is a variant of a scenario that is not there. */
static int check_above(const struct scaffold *s, struct err *err)
{
    char *last = place_last(s->pack), *above = without_last(s->pack, last);
    char *own = text_format("%s/pack.yaml", s->pack), *outer = text_format("%s/pack.yaml", above);
    int rc = 0;
    if (*above && place_exists(outer) && !place_exists(own))
        rc = err_set(err, ERR_BAD_REQUEST,
                     "%s is a pack, and %s no scenario of it, so there can be no variant %s; "
                     "`warpdrill new %s` begins that scenario",
                     above, last, s->id, s->pack);
    free(last);
    free(above);
    free(own);
    free(outer);
    return rc;
}

int scaffold_place(struct scaffold *s, const char *place, struct err *err)
{
    static const char expected[] =
        "PACK/SCENARIO was expected, such as mine/image-rows: a folder, and an id of 1 to 40 "
        "characters a-z 0-9 - that says nothing about the cause";
    char *last = place_last(place), *story = story_of(place, last);
    s->variant = story ? text_dup(last) : NULL;
    s->id = place_last(story ? story : place);
    s->pack = without_last(story ? story : place, s->id);
    free(last);
    free(story);
    if (!*s->pack || !id_ok(s->id) || !strcmp(s->id, "sealed") ||
        (s->variant && (!id_ok(s->variant) || !strcmp(s->variant, "sealed"))))
        return err_set(err, ERR_BAD_REQUEST, "'%s': %s", place, expected);
    char *manifest = text_format("%s/pack.yaml", s->pack), *id = place_last(s->pack);
    int rc = check_free(s, err);
    rc = rc ? rc : check_above(s, err);
    if (!rc && !place_exists(manifest) && !id_ok(id))
        rc = err_set(err, ERR_BAD_REQUEST,
                     "'%s' cannot be a pack's id; a folder named with 1 to 40 characters a-z 0-9 - "
                     "was expected",
                     id);
    if (!rc && !place_exists(manifest) && holds_files(s->pack))
        rc = err_set(err, ERR_BAD_REQUEST,
                     "%s holds other things and no pack.yaml; a folder of its own was expected, "
                     "such as %s/mine/%s",
                     s->pack, s->pack, s->id);
    free(manifest);
    free(id);
    return rc;
}

char *place_title(const char *id)
{
    char *title = text_dup(id);
    title[0] = (char)toupper((unsigned char)title[0]);
    for (char *c = title; *c; c++)
        *c = *c == '-' ? ' ' : *c;
    return title;
}
