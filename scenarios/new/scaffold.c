/* A new scenario: what is guessed, the pack around it, the proof that it loads, and the way to the
 * disk. */
#include "scenarios/new/scaffold.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "scenarios/pack/pack_read.h"
#include "scenarios/new/scaffold_draft.h"
#include "scenarios/pack/telling.h"

/* ---- where ---- */

static char *last_part(const char *path)
{
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    size_t from = n;
    while (from > 0 && path[from - 1] != '/')
        from--;
    return text_ndup(path + from, n - from);
}

static bool exists(const char *path)
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
    bool found = *story && exists(file);
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
    if (exists(folder))
        rc = err_set(err, ERR_BAD_REQUEST,
                     "%s exists already, and nothing is overwritten; %s was expected", folder,
                     s->variant
                         ? "the letter of a new variant"
                         : "a new scenario, or PACK/SCENARIO/b for a further variant of it,");
    free(folder);
    return rc;
}

int scaffold_place(struct scaffold *s, const char *place, struct err *err)
{
    static const char expected[] =
        "PACK/SCENARIO was expected, such as mine/image-rows: a folder, and an id of 1 to 40 "
        "characters a-z 0-9 - that says nothing about the cause";
    char *last = last_part(place), *story = story_of(place, last);
    s->variant = story ? text_dup(last) : NULL;
    s->id = last_part(story ? story : place);
    s->pack = without_last(story ? story : place, s->id);
    free(last);
    free(story);
    if (!*s->pack || !id_ok(s->id) || !strcmp(s->id, "sealed") ||
        (s->variant && (!id_ok(s->variant) || !strcmp(s->variant, "sealed"))))
        return err_set(err, ERR_BAD_REQUEST, "'%s': %s", place, expected);
    char *manifest = text_format("%s/pack.yaml", s->pack), *id = last_part(s->pack);
    int rc = check_free(s, err);
    if (!rc && !exists(manifest) && !id_ok(id))
        rc = err_set(err, ERR_BAD_REQUEST,
                     "'%s' cannot be a pack's id; a folder named with 1 to 40 characters a-z 0-9 - "
                     "was expected",
                     id);
    if (!rc && !exists(manifest) && holds_files(s->pack))
        rc = err_set(err, ERR_BAD_REQUEST,
                     "%s holds other things and no pack.yaml; a folder of its own was expected, "
                     "such as %s/mine/%s",
                     s->pack, s->pack, s->id);
    free(manifest);
    free(id);
    return rc;
}

/* ---- what a name gives away ---- */

bool scaffold_tells(char *out, size_t size, const char *text)
{
    struct words w;
    size_t n_all;
    const struct hypothesis *t = taxonomy(&n_all), *names = NULL;
    int first = 0, n = 0;
    words_cut(&w, text, strlen(text));
    bool wrong = telling_verdict(&w, SPOKEN_NAME, &first, &n) != TELLS_NOTHING;
    for (size_t i = 0; !wrong && !names && i < n_all; i++)
        names = telling_hypothesis(&t[i], &w, SPOKEN_NAME, &first, &n) == TELLS_NAME ? &t[i] : NULL;
    if (wrong || names) {
        size_t from = w.word[first].at,
               len = w.word[first + n - 1].at + w.word[first + n - 1].len - from;
        snprintf(out, size, "'%.*s' %s%s", (int)len, text + from,
                 wrong ? "says how it stands" : "names a cause: ", wrong ? "" : names->label);
    }
    words_free(&w);
    return wrong || names;
}

/* ---- what is guessed ---- */

static char *title_of(const char *id)
{
    char *title = text_dup(id);
    title[0] = (char)toupper((unsigned char)title[0]);
    for (char *c = title; *c; c++)
        *c = *c == '-' ? ' ' : *c;
    return title;
}

/* Called like a place for what comes between. */
static bool is_between(const char *name)
{
    return strcasestr(name, "scratch") || strcasestr(name, "tmp") || strcasestr(name, "temp") ||
           strcasestr(name, "work") || strcasestr(name, "partial");
}

/* What the launch in the file passes; what does not go with the sizes is left out. */
static void guess_launch(struct scaffold *s)
{
    const struct kernel *k = s->kernel;
    struct err unused;
    for (int i = 0; i < k->n_params; i++)
        if (k->params[i].passed && !s->passed[i])
            scaffold_set_number(s, i, k->params[i].passed, &unused);
    bool is_number =
        k->grid_formula && strspn(k->grid_formula, "0123456789, ") == strlen(k->grid_formula);
    if (!s->grid && k->grid_formula && !is_number)
        scaffold_set_grid(s, k->grid_formula, &unused);
}

void scaffold_guess(struct scaffold *s)
{
    const struct kernel *k = s->kernel;
    bool any = false, written = false, kept = false;
    s->title_guessed = !s->title;
    s->title = s->title ? s->title : title_of(s->id);
    if (!s->cause) {
        s->cause = cause_find(*k->uses_atomic  ? "inst.atomic-contention"
                              : k->uses_shared ? "smem.bank-conflict"
                                               : "mem.uncoalesced");
        snprintf(s->guessed, sizeof s->guessed,
                 *k->uses_atomic  ? "because of %s"
                 : k->uses_shared ? "because of __shared__%.0s"
                                  : "as the commonest%.0s",
                 k->uses_atomic);
    }
    for (int i = 0; i < k->n_params; i++) {
        any = any || s->output[i];
        written = written || k->params[i].written;
        kept = kept || (k->params[i].written && !is_between(k->params[i].name));
    }
    s->output_guessed = !any;
    for (int i = 0; !any && i < k->n_params;
         i++) /* through an alias or a helper nobody sees who writes */
        s->output[i] = k->params[i].kind == KP_BUFFER && !k->params[i].is_const &&
                       (k->params[i].written || !written) &&
                       !(kept && is_between(k->params[i].name));
    guess_launch(s);
}

void scaffold_free(struct scaffold *s)
{
    free(s->pack);
    free(s->id);
    free(s->variant);
    free(s->title);
    free(s->grid);
    for (int i = 0; i < CAP_ARGS; i++)
        free(s->passed[i]);
    source_free(s->source);
    *s = (struct scaffold){0};
}

/* ---- pack.yaml ---- */

static size_t byte_at(const struct file *f, int line, int col)
{
    size_t n, at;
    const char *start = file_line(f, line, &n);
    at = (size_t)(start - f->text);
    for (int c = 1; c < col && f->text[at] && f->text[at] != '\n'; c++)
        do
            at++;
        while (text_is_tail(f->text[at]));
    return at;
}

static const struct yaml *last_entry(const struct yaml *root)
{
    const struct yaml *list = root->kind == YAML_MAP ? root->first : NULL, *last;
    while (list && strcmp(list->key->text, "scenarios"))
        list = list->next;
    if (!list || list->kind != YAML_LIST || !list->first)
        return NULL;
    for (last = list->first; last->next; last = last->next)
        ;
    return last;
}

char *scaffold_add_id(const struct files *files, const struct file *manifest, const char *id,
                      struct err *err)
{
    struct yaml_doc *doc = NULL;
    char *out = NULL;
    if (yaml_doc_read(&doc, files, manifest, err))
        return NULL;
    const struct yaml *last = last_entry(yaml_doc_root(doc));
    if (!last || last->kind != YAML_SCALAR) {
        err_set(err, ERR_BAD_REQUEST,
                "%s/%s has no list `scenarios` to add %s to; a list of ids was expected",
                files->root, manifest->path, id);
    } else if (last->flow) {
        size_t at = byte_at(manifest, last->line, last->col) + last->len +
                    (last->style == YAML_QUOTED ? 2 : 0);
        out = text_format("%.*s, %s%s", (int)at, manifest->text, id, manifest->text + at);
    } else {
        size_t line, at = byte_at(manifest, last->line, 1), end;
        line = strcspn(manifest->text + at, "-");       /* as deep as the entry above */
        end = at + strcspn(manifest->text + at, "\n");
        out =
            text_format("%.*s\n%.*s- %s%s", (int)end, manifest->text, (int)line,
                        manifest->text + at, id, manifest->text[end] ? manifest->text + end : "\n");
    }
    yaml_doc_free(doc);
    return out;
}

static char *new_manifest(const struct scaffold *s)
{
    char *id = last_part(s->pack), *title = title_of(id);
    char *text = text_format("format: 1\nid: %s    # names the pack in %s/STORY/VARIANT; it stays, "
                             "since progress is kept under it\ntitle: %s\nlicence: MIT    # of the "
                             "content; MIT was taken, change it to yours\nscenarios:      # in the "
                             "order of the list of scenarios\n  - %s\n",
                             id, id, title, s->id);
    free(id);
    free(title);
    return text;
}

/* ---- making ---- */

static void add(struct files *f, const struct scaffold *s, const char *name, char *text)
{
    char *path = text_format("%s/%s", s->id, name);
    files_add(f, path, text, strlen(text));
    free(path);
    free(text);
}

/* All of `old` but pack.yaml, then pack.yaml with the new id. */
static int add_old(struct files *f, const struct files *old, const struct scaffold *s,
                   struct err *err)
{
    const struct file *manifest = old ? files_find(old, "pack.yaml") : NULL;
    char *text = manifest ? scaffold_add_id(old, manifest, s->id, err) : new_manifest(s);
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
    int rc = add_old(f, old, s, err);
    if (rc)
        return rc;
    *first = f->n - 1;
    add(f, s, "scenario.yaml", draft_scenario(p));
    add(f, s, "a/suspect.cu", text_dup(p->suspect));
    add(f, s, "a/sealed/answer.yaml", draft_answer(p));
    add(f, s, "a/sealed/fix.cu", draft_fix(p));
    add(f, s, "a/sealed/reference.cu", draft_reference(p));
    add(f, s, "a/sealed/debrief.md", draft_debrief(p));
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
    if (!rc && exists(s->pack))
        rc = files_read(&old, s->pack, err);
    if (!rc)
        rc = s->variant ? variant_make(f, &first, &p, old, err)
                        : story_make(f, &first, &p, old, err);
    if (!rc)
        rc = loads(f, err);
    draft_close(&p);
    files_free(old);
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

/* ---- writing ---- */

static int make_folders(const char *path, struct err *err)
{
    char *copy = text_dup(path);
    int rc = 0;
    for (char *c = copy + 1; !rc && (c = strchr(c, '/')); c++) {
        *c = '\0';
        if (mkdir(copy, 0777) && errno != EEXIST)
            rc = err_set(err, ERR_IO, "the folder %s cannot be made: %s", copy, strerror(errno));
        *c = '/';
    }
    free(copy);
    return rc;
}

/* What was begun here is not left half. */
static int write_text(int fd, const char *path, const struct file *f, struct err *err)
{
    bool bad = fd < 0;
    for (size_t at = 0; !bad && at < f->len;) {
        ssize_t n = write(fd, f->text + at, f->len - at);
        bad = n <= 0;
        at += bad ? 0 : (size_t)n;
    }
    int why = errno;
    if (fd >= 0 && close(fd) && !bad) {
        bad = true;
        why = errno;
    }
    if (bad && fd >= 0)
        unlink(path);
    return bad ? err_set(err, ERR_IO, "%s cannot be written: %s", path, strerror(why)) : 0;
}

/* A new file; pack.yaml alone may be there already, and is replaced in one step. */
static int write_one(const char *path, const struct file *f, struct err *err)
{
    int rc = make_folders(path, err);
    if (rc)
        return rc;
    bool replaces = !strcmp(f->path, "pack.yaml") && exists(path);
    if (!replaces)
        return write_text(open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), path, f, err);
    char *beside = text_format("%s.new", path);
    rc = write_text(open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666), beside, f, err);
    if (!rc && rename(beside, path)) {
        rc = err_set(err, ERR_IO, "%s cannot be replaced: %s", path, strerror(errno));
        unlink(beside);
    }
    free(beside);
    return rc;
}

/* How much of the path of a file is folders that stand already. */
static size_t standing_length(const char *path)
{
    char *copy = text_dup(path);
    size_t standing = 0;
    for (char *c = copy + 1; (c = strchr(c, '/')); c++) {
        *c = '\0';
        if (exists(copy))
            standing = (size_t)(c - copy);
        *c = '/';
    }
    free(copy);
    return standing;
}

/* The folders above `path` that are longer than `standing`, from the deepest. */
static void remove_folders(char *path, size_t standing)
{
    for (char *slash; (slash = strrchr(path, '/')) && (size_t)(slash - path) > standing;) {
        *slash = '\0';
        rmdir(path);
    }
}

/* Takes away those files and the folders above them. */
static void remove_made(const char *pack, const char *const *made, int n, size_t standing)
{
    for (int i = 0; i < n; i++) {
        char *path;
        if (path_inside(&path, pack, made[i], NULL))
            continue;
        unlink(path);
        remove_folders(path, standing);
        free(path);
    }
}

/* pack.yaml last: until then the pack does not know the scenario. */
int scaffold_write(const struct scaffold *s, const struct files *files, const char *const *made,
                   int n, struct err *err)
{
    char *last, *path;
    int at = n - 1, rc = path_inside(&last, s->pack, made[at], err);
    if (rc)
        return rc;
    size_t standing =
        standing_length(last); /* the same for all of them: their folder is new */
    for (; !rc && at >= 0; at--) {
        rc = path_inside(&path, s->pack, made[at], err);
        if (rc)
            break;
        rc = write_one(path, files_find(files, made[at]), err);
        if (rc)
            remove_folders(path, standing);
        free(path);
    }
    if (rc)
        remove_made(s->pack, made + at + 2, n - at - 2, standing);
    free(last);
    return rc;
}
