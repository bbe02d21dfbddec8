/* Packs from elsewhere: put into the user's own folder, listed, taken away. */
#include "scenarios/library/shelf.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "scenarios/library/clone.h"
#include "scenarios/library/shelf_tree.h"
#include "scenarios/library/trust.h"

/* Three lines: from, tag, commit. */
#define FROM_FILE ".from"
/* Begins the name of the hidden folder in which a pack is brought. */
#define ADDING ".adding-"

char *shelf_folder(void)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    if (data && *data == '/')
        return text_format("%s/warpdrill/packs", data);
    return text_format("%s/.local/share/warpdrill/packs", home && *home ? home : ".");
}

/* ---- adding ---- */

static int bring(const struct shelf_source *source, const char *folder, char commit[65],
                 struct err *err)
{
    *commit = '\0';
    if (!source->scheme)
        return tree_copy(source->from, folder, err);
    int rc = clone_from(source, folder, commit, err);
    char *git = text_format("%s/.git", folder);
    tree_remove(git);
    free(git);
    return rc;
}

static int write_from(const struct shelf_source *source, const char *folder, const char *commit,
                      struct err *err)
{
    char *path = text_format("%s/" FROM_FILE, folder);
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");
    bool good = f && fprintf(f, "%s\n%s\n%s\n", source->from, source->tag ? source->tag : "",
                             commit) > 0;
    if (f && fclose(f))
        good = false;
    int rc = good ? 0
                  : err_set(err, ERR_IO, "%s cannot be written: %s", path, strerror(errno));
    free(path);
    return rc;
}

/* What was brought must be a pack; its id is the caller's. */
static int read_id(char **id, const char *folder, struct err *err)
{
    struct pack *p = NULL;
    int rc = pack_open_whole(&p, folder, err);
    if (!rc)
        *id = text_dup(p->id);
    pack_free(p);
    return rc;
}

/* An id that is taken stays whose it is, here and among what came with warpdrill. */
static int put(const char *shelf, const char *folder, const char *id, struct err *err)
{
    char *place = NULL;
    int rc = path_below(&place, shelf, PATH_NAMES(id), err);
    struct stat st;
    if (!rc && lstat(place, &st) == 0)
        rc = err_set(err, ERR_BAD_REQUEST,
                     "%s is there already; `warpdrill pack remove %s` takes it away first", place,
                     id);
    if (!rc && rename(folder, place))
        rc = err_set(err, ERR_IO, "%s cannot be made: %s", place, strerror(errno));
    if (!rc && (rc = trust_drop(id, place, err)))
        tree_remove(place);
    free(place);
    return rc;
}

/* What an add left that was broken off; of two at a time the second ends the first. */
static void clear_broken(const char *shelf)
{
    DIR *d = opendir(shelf);
    for (struct dirent *e; d && (e = readdir(d));) {
        char *path = strncmp(e->d_name, ADDING, strlen(ADDING))
                         ? NULL
                         : text_format("%s/" ADDING "%s", shelf, e->d_name + strlen(ADDING));
        if (path)
            tree_remove(path);
        free(path);
    }
    if (d)
        closedir(d);
}

int shelf_add(struct pack **out, const struct shelf_source *source, struct err *err)
{
    char *shelf = shelf_folder(), *hidden = text_format("%s/" ADDING "XXXXXX", shelf),
         *folder = NULL, *id = NULL, *place = NULL, commit[65];
    *out = NULL;
    int rc = tree_make(shelf, err);
    if (!rc)
        clear_broken(shelf);
    bool made = !rc && mkdtemp(hidden);
    if (!rc && !made)
        rc = err_set(err, ERR_IO, "%s cannot be written: %s", shelf, strerror(errno));
    folder = text_format("%s/pack", hidden);
    if (!rc)
        rc = bring(source, folder, commit, err);
    if (!rc)
        rc = read_id(&id, folder, err);
    if (!rc)
        rc = write_from(source, folder, commit, err);
    if (!rc)
        rc = put(shelf, folder, id, err);
    if (!rc && !(rc = path_below(&place, shelf, PATH_NAMES(id), err)))
        rc = pack_open_whole(out, place, err);
    if (made)
        tree_remove(hidden);
    free(shelf);
    free(hidden);
    free(folder);
    free(id);
    free(place);
    return rc;
}

/* ---- what is there ---- */

/* A line of a text, cleaned; *text goes behind it. malloc'd. */
static char *take_line(const char **text)
{
    size_t n = strcspn(*text, "\n");
    char *line = text_ndup(*text, n);
    *text += n + ((*text)[n] == '\n');
    text_clean(line, strlen(line));
    return line;
}

static bool read_entry(struct shelf_entry *e, const char *shelf, const char *id)
{
    size_t len;
    char *folder;
    if (path_below(&folder, shelf, PATH_NAMES(id), NULL))
        return false;
    char *path = text_format("%s/" FROM_FILE, folder);
    char *text = file_read_plain(path, 65536, &len);
    free(path);
    free(folder);
    if (!text)
        return false;
    const char *at = text;
    e->id = text_dup(id);
    e->from = take_line(&at);
    e->tag = take_line(&at);
    e->commit = take_line(&at);
    free(text);
    return true;
}

static void entry_free(struct shelf_entry *e)
{
    free(e->id);
    free(e->from);
    free(e->tag);
    free(e->commit);
}

static int by_id(const void *a, const void *b)
{
    return strcmp(((const struct shelf_entry *)a)->id, ((const struct shelf_entry *)b)->id);
}

struct shelf_entry *shelf_list(int *n)
{
    char *shelf = shelf_folder();
    DIR *d = opendir(shelf);
    struct shelf_entry *all = NULL, one;
    *n = 0;
    for (struct dirent *e; d && (e = readdir(d));) {
        if (e->d_name[0] == '.' || !read_entry(&one, shelf, e->d_name))
            continue;
        all = mem_grow(all, (size_t)*n + 1, sizeof *all);
        all[(*n)++] = one;
    }
    if (d)
        closedir(d);
    if (*n)
        qsort(all, (size_t)*n, sizeof *all, by_id);
    free(shelf);
    return all;
}

void shelf_list_free(struct shelf_entry *all, int n)
{
    for (int i = 0; i < n; i++)
        entry_free(&all[i]);
    free(all);
}

/* ---- taking away ---- */

int shelf_remove(const char *id, struct err *err)
{
    char *shelf = shelf_folder(), *place = NULL;
    struct shelf_entry e = {0};
    struct stat st;
    int rc = path_below(&place, shelf, PATH_NAMES(id), err);
    if (!rc && (lstat(place, &st) || !S_ISDIR(st.st_mode)))
        rc = err_set(err, ERR_MISSING,
                     "there is no pack %s in %s; `warpdrill pack list` names those that are there",
                     id, shelf);
    else if (!rc && !read_entry(&e, shelf, id))
        rc = err_set(err, ERR_BAD_REQUEST,
                     "%s was not put there by `warpdrill pack add`, and may be somebody's work; "
                     "delete the folder yourself if it is not",
                     place);
    if (!rc)
        rc = trust_drop(id, place, err);
    if (!rc)
        tree_remove(place);
    entry_free(&e);
    free(shelf);
    free(place);
    return rc;
}
