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

#include "kernels/wire/os.h"
#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "scenarios/library/clone.h"
#include "scenarios/library/shelf_tree.h"
#include "scenarios/library/trust.h"

/* Three lines: from, tag, commit. */
#define FROM_FILE ".from"
/* Begins the name of the hidden folder in which a pack is brought. */
#define ADDING ".adding-"
/* Before its id: the name of a copy that waits while another is put in its place. */
#define KEPT ".kept-"

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

/* Messages name the hidden folder, which nobody else sees: `from` stands in its place. */
static void name_source(struct err *err, const char *folder, const char *from)
{
    char *at = strstr(err->text, folder);
    if (!at)
        return;
    char *text = text_format("%.*s%s%s", (int)(at - err->text), err->text, from,
                             at + strlen(folder));
    snprintf(err->text, sizeof err->text, "%s", text);
    free(text);
}

/* What was brought must be a pack; its id is the caller's. */
static int read_id(char **id, const char *folder, const char *from, struct err *err)
{
    struct pack *p = NULL;
    int rc = pack_open_whole(&p, folder, err);
    if (rc && err)
        name_source(err, folder, from);
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
                     "%s is there already; `warpdrill pack update %s` brings what its source has "
                     "now, `warpdrill pack remove %s` takes it away",
                     place, id, id);
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

/* Whoever was killed while a copy waited left no other in its place, or one and the old beside it.
 */
static void put_back(const char *shelf)
{
    DIR *d = opendir(shelf);
    for (struct dirent *e; d && (e = readdir(d));) {
        const char *id = e->d_name + strlen(KEPT);
        char *place = NULL;
        struct stat st;
        if (strncmp(e->d_name, KEPT, strlen(KEPT)) ||
            path_below(&place, shelf, PATH_NAMES(id), NULL))
            continue;
        char *kept = text_format("%s/" KEPT "%s", shelf, id);
        if (lstat(place, &st) == 0)
            tree_remove(kept);
        else
            rename(kept, place);
        free(kept);
        free(place);
    }
    if (d)
        closedir(d);
}

/* A pack that was brought into a hidden folder on the shelf. Begun with {0}; ended in any case. */
struct brought {
    char *shelf, *hidden, *folder, *id, commit[65];
    bool made;
};

static int brought_begin(struct brought *b, const struct shelf_source *source, struct err *err)
{
    b->shelf = shelf_folder();
    b->hidden = text_format("%s/" ADDING "XXXXXX", b->shelf);
    int rc = tree_make(b->shelf, err);
    if (!rc) {
        put_back(b->shelf);
        clear_broken(b->shelf);
    }
    b->made = !rc && mkdtemp(b->hidden);
    if (!rc && !b->made)
        rc = err_set(err, ERR_IO, "%s cannot be written: %s", b->shelf, strerror(errno));
    b->folder = text_format("%s/pack", b->hidden);
    if (!rc)
        rc = bring(source, b->folder, b->commit, err);
    if (!rc)
        rc = read_id(&b->id, b->folder, source->from, err);
    return rc ? rc : write_from(source, b->folder, b->commit, err);
}

static void brought_end(struct brought *b)
{
    if (b->made)
        tree_remove(b->hidden);
    free(b->shelf);
    free(b->hidden);
    free(b->folder);
    free(b->id);
}

static int open_place(struct pack **out, const char *shelf, const char *id, struct err *err)
{
    char *place = NULL;
    int rc = path_below(&place, shelf, PATH_NAMES(id), err);
    if (!rc)
        rc = pack_open_whole(out, place, err);
    free(place);
    return rc;
}

int shelf_add(struct pack **out, const struct shelf_source *source, struct err *err)
{
    struct brought b = {0};
    *out = NULL;
    int rc = brought_begin(&b, source, err);
    if (!rc)
        rc = put(b.shelf, b.folder, b.id, err);
    if (!rc)
        rc = open_place(out, b.shelf, b.id, err);
    brought_end(&b);
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
    put_back(shelf);
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

/* ---- taking away, and bringing anew ---- */

/* The entry of a pack that shelf_add put there, and its place; both the caller's in any case. */
static int find_entry(struct shelf_entry *e, char **place, const char *shelf, const char *id,
                      struct err *err)
{
    struct stat st;
    put_back(shelf);
    int rc = path_below(place, shelf, PATH_NAMES(id), err);
    if (rc || lstat(*place, &st) || !S_ISDIR(st.st_mode))
        rc = err_set(err, ERR_MISSING,
                     "there is no pack %s in %s; `warpdrill pack list` names those that are there",
                     id, shelf);
    else if (!read_entry(e, shelf, id))
        rc = err_set(err, ERR_BAD_REQUEST,
                     "%s was not put there by `warpdrill pack add`, and may be somebody's work; "
                     "delete the folder yourself if it is not",
                     *place);
    return rc;
}

int shelf_remove(const char *id, struct err *err)
{
    char *shelf = shelf_folder(), *place = NULL;
    struct shelf_entry e = {0};
    int rc = find_entry(&e, &place, shelf, id, err);
    if (!rc)
        rc = trust_drop(id, place, err);
    if (!rc)
        tree_remove(place);
    entry_free(&e);
    free(shelf);
    free(place);
    return rc;
}

/* Where it is from, with that tag in the place of its own if one is given. */
static int source_of(struct shelf_source *out, const struct shelf_entry *e, const char *tag,
                     struct err *err)
{
    const char *at = tag ? tag : e->tag;
    char *text = text_format("%s%s%s", e->from, *at ? "@" : "", at);
    struct stat st;
    int rc = *e->from == '/' && stat(e->from, &st)
                 ? err_set(err, ERR_MISSING,
                           "%s, where %s is from, is not there any more; `warpdrill pack remove "
                           "%s` and `warpdrill pack add` bring it from another place",
                           e->from, e->id, e->id)
                 : shelf_source_read(out, text, err);
    free(text);
    return rc;
}

/* The two change places, and the old one goes with the hidden folder. Where a file system cannot do
 * that the old one waits beside its place, from where put_back has it. */
static int swap(const struct brought *b, const char *place, struct err *err)
{
    if (os_exchange(b->folder, place) == 0)
        return 0;
    char *old = text_format("%s/" KEPT "%s", b->shelf, b->id);
    bool away = rename(place, old) == 0, good = away && rename(b->folder, place) == 0;
    int rc = good ? 0
                  : err_set(err, ERR_IO, "%s cannot be put in its place: %s", place,
                            strerror(errno));
    if (good)
        tree_remove(old);
    else if (away)
        rename(old, place);
    free(old);
    return rc;
}

static int take_new(struct brought *b, bool *changed, const struct shelf_entry *e,
                    const char *place, struct err *err)
{
    if (strcmp(b->id, e->id))
        return err_set(err, ERR_BAD_REQUEST,
                       "%s has the pack %s now, and %s was expected; `warpdrill pack add` takes it",
                       e->from, b->id, e->id);
    *changed = !*b->commit || strcmp(b->commit, e->commit) != 0;
    if (!*changed)
        return 0;
    int rc = trust_drop(e->id, place, err);
    return rc ? rc : swap(b, place, err);
}

int shelf_update(struct pack **out, bool *changed, const char *id, const char *tag,
                 struct err *err)
{
    char *shelf = shelf_folder(), *place = NULL;
    struct shelf_entry e = {0};
    struct shelf_source source = {0};
    struct brought b = {0};
    *out = NULL;
    *changed = false;
    int rc = find_entry(&e, &place, shelf, id, err);
    if (!rc)
        rc = source_of(&source, &e, tag, err);
    if (!rc)
        rc = brought_begin(&b, &source, err);
    if (!rc)
        rc = take_new(&b, changed, &e, place, err);
    if (!rc)
        rc = open_place(out, shelf, id, err);
    brought_end(&b);
    shelf_source_free(&source);
    entry_free(&e);
    free(shelf);
    free(place);
    return rc;
}
