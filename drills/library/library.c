#include "drills/library/library.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

static void add_problem(struct library *l, const char *where, const char *text)
{
    l->problems = mem_grow(l->problems, (size_t)l->n_problems + 1, sizeof *l->problems);
    l->problems[l->n_problems].where = text_dup(where);
    l->problems[l->n_problems++].text = text_dup(text);
}

static bool is_folder(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The file's name without its ending: "chips.csv" is "chips". NULL unless it ends so and lies in
 * the folder itself. */
static char *stem_of(const char *path, const char *end)
{
    size_t n = strlen(path), k = strlen(end);
    return strchr(path, '/') || n <= k || strcmp(path + n - k, end) ? NULL : text_ndup(path, n - k);
}

static struct rows *read_rows(struct library *l, const struct files *fs, const struct file *f)
{
    struct rows *rows = NULL;
    struct err err = {0};
    char *name = text_format("%s/%s", fs->root, f->path);
    if (rows_read(&rows, name, f->text, f->len, &err))
        add_problem(l, name, err.text);
    free(name);
    return rows;
}

static void add_table(struct library *l, const struct files *fs, const struct file *f)
{
    char *id = stem_of(f->path, ".csv");
    struct rows *rows = id && !library_table(l, id) ? read_rows(l, fs, f) : NULL;
    struct table t;
    struct err err = {0};
    if (rows && table_make(&t, id, rows, &err))
        add_problem(l, f->path, err.text);
    else if (rows) {
        l->tables = mem_grow(l->tables, (size_t)l->n_tables + 1, sizeof *l->tables);
        l->tables[l->n_tables++] = t;
    }
    free(id);
}

static void add_cards(struct library *l, const struct files *fs, const struct file *f)
{
    char *id = stem_of(f->path, ".csv");
    bool known = false;
    for (int i = 0; id && i < l->n_cards; i++)
        known = known || !strcmp(l->cards[i].id, id);
    struct rows *rows = id && !known ? read_rows(l, fs, f) : NULL;
    struct card_set s;
    struct err err = {0};
    if (rows && card_set_make(&s, id, rows, &err))
        add_problem(l, f->path, err.text);
    else if (rows) {
        l->cards = mem_grow(l->cards, (size_t)l->n_cards + 1, sizeof *l->cards);
        l->cards[l->n_cards++] = s;
    }
    rows_free(rows);
    free(id);
}

static void add_drills(struct library *l, const struct files *fs, const struct file *f)
{
    char *id = stem_of(f->path, ".yaml");
    struct drill_set *s = NULL;
    struct err err = {0};
    if (id && drill_set_read(&s, fs, f, l->tables, l->n_tables, &err))
        add_problem(l, f->path, err.text);
    for (int i = 0; s && i < l->n_sets; i++)
        if (!strcmp(l->sets[i]->id, s->id)) {
            drill_set_free(s);
            s = NULL;
        }
    if (s) {
        l->sets = mem_grow(l->sets, (size_t)l->n_sets + 1, sizeof *l->sets);
        l->sets[l->n_sets++] = s;
    }
    free(id);
}

static bool has_figures(const struct library *l, const char *id)
{
    for (int i = 0; i < l->n_figures; i++)
        if (!strcmp(l->figures[i]->id, id))
            return true;
    return false;
}

static void add_figures(struct library *l, const struct files *fs, const struct file *f)
{
    char *id = stem_of(f->path, ".yaml");
    struct figure_set *s = NULL;
    struct err err = {0};
    if (id && !has_figures(l, id) && figure_set_read(&s, fs, f, l->tables, l->n_tables, &err))
        add_problem(l, f->path, err.text);
    if (s) {
        l->figures = mem_grow(l->figures, (size_t)l->n_figures + 1, sizeof *l->figures);
        l->figures[l->n_figures++] = s;
    }
    free(id);
}

typedef void add_file(struct library *l, const struct files *fs, const struct file *f);

static void add_folder(struct library *l, const char *root, const char *folder, add_file *add)
{
    char *path = text_format("%s/%s", root, folder);
    struct files *fs = NULL;
    struct err err = {0};
    if (is_folder(path) && files_read(&fs, path, &err))
        add_problem(l, path, err.text);
    if (fs) {
        l->files = mem_grow(l->files, (size_t)l->n_files + 1, sizeof *l->files);
        l->files[l->n_files++] = fs;
    }
    for (int i = 0; fs && i < fs->n; i++)
        add(l, fs, &fs->file[i]);
    free(path);
}

/* Roots in the order of precedence. Tables of every root come first, since drills of any root may
 * draw from them, and the array that drills point into must not move any more. */
static void open_roots(struct library *l, char **roots, int n)
{
    *l = (struct library){.n_tables = 0};
    for (int i = 0; i < n; i++)
        add_folder(l, roots[i], "tables", add_table);
    for (int i = 0; i < n; i++) {
        add_folder(l, roots[i], "drills", add_drills);
        add_folder(l, roots[i], "cards", add_cards);
        add_folder(l, roots[i], "figures", add_figures);
    }
}

void library_open_at(struct library *out, const char *root)
{
    char *only = text_dup(root);
    open_roots(out, &only, 1);
    free(only);
}

/* ---- where content lies ---- */

struct roots { char **path; int n; };

static void add_root(struct roots *r, char *path)
{
    r->path = mem_grow(r->path, (size_t)r->n + 1, sizeof *r->path);
    r->path[r->n++] = path;
}

static void add_beside_program(struct roots *r)
{
    const char *packs = getenv("WARPDRILL_CONTENT");
    char *program = packs && *packs ? NULL : os_program_path();
    char *slash = program ? strrchr(program, '/') : NULL;
    if (packs && *packs)
        add_root(r,
                 text_format("%.*s", (int)(strrchr(packs, '/') ? strrchr(packs, '/') - packs : 0),
                             packs));
    if (slash) {
        add_root(r, text_format("%.*s/../content", (int)(slash - program), program));
        add_root(r, text_format("%.*s/../share/warpdrill", (int)(slash - program), program));
    }
    free(program);
}

char *library_home(void)
{
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    return data && *data == '/' ? text_format("%s/warpdrill", data)
                                : text_format("%s/.local/share/warpdrill", home ? home : "");
}

void library_open(struct library *out)
{
    struct roots r = {NULL, 0};
    const char *dirs = getenv("XDG_DATA_DIRS");
    add_beside_program(&r);
    add_root(&r, library_home());
    for (const char *at = dirs && *dirs ? dirs : "/usr/local/share:/usr/share"; *at;) {
        size_t n = strcspn(at, ":");
        if (*at == '/')
            add_root(&r, text_format("%.*s/warpdrill", (int)n, at));
        at += n + (at[n] == ':');
    }
    open_roots(out, r.path, r.n);
    for (int i = 0; i < r.n; i++)
        free(r.path[i]);
    free(r.path);
}

void library_free(struct library *l)
{
    for (int i = 0; i < l->n_sets; i++)
        drill_set_free(l->sets[i]);
    for (int i = 0; i < l->n_cards; i++)
        card_set_free(&l->cards[i]);
    for (int i = 0; i < l->n_figures; i++)
        figure_set_free(l->figures[i]);
    for (int i = 0; i < l->n_tables; i++)
        table_free(&l->tables[i]);
    for (int i = 0; i < l->n_files; i++)
        files_free(l->files[i]);
    for (int i = 0; i < l->n_problems; i++) {
        free(l->problems[i].where);
        free(l->problems[i].text);
    }
    free(l->sets);
    free(l->cards);
    free(l->figures);
    free(l->tables);
    free(l->files);
    free(l->problems);
    *l = (struct library){.n_tables = 0};
}

/* ---- looking things up ---- */

int library_drills(const struct library *l)
{
    int n = 0;
    for (int i = 0; i < l->n_sets; i++)
        n += l->sets[i]->n;
    return n;
}

const struct drill *library_drill_at(const struct library *l, int k)
{
    for (int i = 0; i < l->n_sets; k -= l->sets[i++]->n)
        if (k < l->sets[i]->n)
            return &l->sets[i]->drills[k];
    return NULL;
}

const struct drill *library_drill(const struct library *l, const char *id)
{
    const struct drill *found = NULL;
    int n = library_drills(l);
    for (int k = 0; k < n; k++) {
        const struct drill *d = library_drill_at(l, k);
        if (!strcmp(d->full_id, id))
            return d;
        if (!strcmp(d->id, id)) {
            if (found)
                return NULL; /* two sets have one of that name */
            found = d;
        }
    }
    return found;
}

const struct card *library_card(const struct library *l, const char *id)
{
    for (int i = 0; i < l->n_cards; i++)
        for (int k = 0; k < l->cards[i].n; k++)
            if (!strcmp(l->cards[i].cards[k].full_id, id))
                return &l->cards[i].cards[k];
    return NULL;
}

const struct table *library_table(const struct library *l, const char *id)
{
    for (int i = 0; i < l->n_tables; i++)
        if (!strcmp(l->tables[i].id, id))
            return &l->tables[i];
    return NULL;
}

int library_figures(const struct library *l)
{
    int n = 0;
    for (int i = 0; i < l->n_figures; i++)
        n += l->figures[i]->n;
    return n;
}

const struct figure_data *library_figure_at(const struct library *l, int k)
{
    for (int i = 0; i < l->n_figures; k -= l->figures[i++]->n)
        if (k < l->figures[i]->n)
            return &l->figures[i]->figures[k];
    return NULL;
}

const struct figure_data *library_figure(const struct library *l, const char *id)
{
    const struct figure_data *found = NULL;
    int n = library_figures(l);
    for (int k = 0; k < n; k++) {
        const struct figure_data *f = library_figure_at(l, k);
        if (!strcmp(f->full_id, id))
            return f;
        if (!strcmp(f->id, id) && found)
            return NULL; /* two sets have one of that name */
        if (!strcmp(f->id, id))
            found = f;
    }
    return found;
}
