#include "drills/library/card_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/path.h"
#include "kernels/wire/text.h"

enum { COLUMNS = 11, SET_BYTES = 40 };
static const char *const columns[COLUMNS] = {"id",     "topic",   "kind",      "front",
                                             "back",   "unit",    "tolerance", "choices",
                                             "source", "teaches", "note"};

/* ---- reading ---- */

static int read_rows(struct rows **out, const char *path, struct err *err)
{
    struct stat st;
    FILE *f;
    int rc = path_open_stream(&f, path, err);
    *out = NULL;
    if (rc)
        return rc;
    if (fstat(fileno(f), &st) != 0)
        rc = err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
    else if (st.st_size > ROWS_BYTES)
        rc = err_set(err, ERR_TOO_LARGE, "%s:1: more than %d MiB; a smaller file was expected",
                     path, ROWS_BYTES >> 20);
    else {
        char *text = mem_new((size_t)st.st_size + 1, 1);
        size_t n = fread(text, 1, (size_t)st.st_size, f);
        rc = rows_read(out, path, text, n, err);
        free(text);
    }
    fclose(f);
    return rc;
}

/* The names of the columns alone. */
static int check_head(const struct rows *rows, struct err *err)
{
    struct rows head = *rows;
    struct card_set none;
    head.n = 0;
    int rc = card_set_make(&none, "none", &head, err);
    if (rc == 0)
        card_set_free(&none);
    return rc;
}

static const char *cell_of(const struct rows *rows, const struct row *row, int column)
{
    return row_cell(row, rows_column(rows, columns[column]));
}

static void index_ids(struct rows_index *x, const struct rows *rows)
{
    rows_index_make(x, rows, rows_column(rows, columns[0]));
}

static const struct row *find_row(const struct rows *rows, const struct rows_index *ids,
                                  const char *id, const bool *good)
{
    int at = rows_find(ids, id, good);
    return at < 0 ? NULL : &rows->row[at];
}

/* ---- checking ---- */

static void note(struct card_import *out, const char *text)
{
    out->bad++;
    if (out->n_notes < CARD_NOTES)
        out->notes[out->n_notes++] = text_dup(text);
}

static void check_rows(struct card_import *out, const struct rows *rows, bool *good)
{
    struct rows_index ids;
    index_ids(&ids, rows);
    for (int i = 0; i < rows->n; i++) {
        struct card c;
        struct err err = {0};
        const struct row *row = &rows->row[i],
                         *first = find_row(rows, &ids, cell_of(rows, row, 0), good);
        if (first)
            rows_fail(rows, row, rows_column(rows, "id"), ERR_BAD_REQUEST, &err,
                      "the same id stands in line %d; each id once was expected", first->line);
        else if (card_make(&c, out->set, rows, row, &err) == 0)
            card_free(&c);
        good[i] = err.code == 0;
        if (good[i])
            out->good++;
        else
            note(out, err.text);
    }
    rows_index_free(&ids);
}

/* ---- writing ---- */

static void write_cells(FILE *f, const char *const cells[COLUMNS])
{
    for (int c = 0; c < COLUMNS; c++) {
        if (c)
            fputc(',', f);
        rows_write_cell(f, cells[c]);
    }
    fputc('\n', f);
}

static void write_row(FILE *f, const struct rows *rows, const struct row *row)
{
    const char *cells[COLUMNS];
    for (int c = 0; c < COLUMNS; c++)
        cells[c] = cell_of(rows, row, c);
    write_cells(f, cells);
}

static bool same_row(const struct rows *a, const struct row *x, const struct rows *b,
                     const struct row *y)
{
    for (int c = 0; c < COLUMNS; c++)
        if (strcmp(cell_of(a, x, c), cell_of(b, y, c)))
            return false;
    return true;
}

/* Those that were there, as the new file has them. */
static void write_old(FILE *f, const struct rows *old, const struct rows *new, const bool *good,
                      struct card_import *out)
{
    struct rows_index ids;
    index_ids(&ids, new);
    for (int i = 0; i < old->n; i++) {
        const struct row *row = &old->row[i],
                         *better = find_row(new, &ids, cell_of(old, row, 0), good);
        write_row(f, better ? new : old, better ? better : row);
        out->same += better && same_row(old, row, new, better);
        out->changed += better && !same_row(old, row, new, better);
    }
    rows_index_free(&ids);
}

/* Those that were there, in their order, then the new ones. `old` may be NULL. */
static void write_merged(FILE *f, const struct rows *old, const struct rows *new, const bool *good,
                         struct card_import *out)
{
    struct rows_index ids = {NULL, 0};
    write_cells(f, columns);
    if (old) {
        write_old(f, old, new, good, out);
        index_ids(&ids, old);
    }
    for (int i = 0; i < new->n; i++)
        if (good[i] && !find_row(old, &ids, cell_of(new, &new->row[i], 0), NULL)) {
            write_row(f, new, &new->row[i]);
            out->added++;
        }
    rows_index_free(&ids);
}

static int make_folders(const char *path, struct err *err)
{
    char *copy = text_dup(path);
    int rc = 0;
    for (char *slash = strchr(copy + 1, '/'); slash && rc == 0; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        if (mkdir(copy, 0700) != 0 && errno != EEXIST)
            rc = err_set(err, ERR_IO, "%s: %s", copy, strerror(errno));
        *slash = '/';
    }
    free(copy);
    return rc;
}

/* The text is one that the library will read: no carriage return, not too long, every card good. */
static int check_text(const struct card_import *out, char *text, size_t *n, struct err *err)
{
    struct rows *rows = NULL;
    struct card_set set;
    size_t kept = 0;
    for (size_t i = 0; i < *n; i++)
        if (text[i] != '\r')
            text[kept++] = text[i];
    *n = kept;
    if (kept > FILE_BYTES_MAX)
        return err_set(err, ERR_TOO_LARGE,
                       "the set '%s' would have %zu bytes; up to %zu were expected. Split it into "
                       "several sets",
                       out->set, kept, FILE_BYTES_MAX);
    int rc = rows_read(&rows, out->path, text, kept, err);
    if (rc == 0)
        rc = card_set_make(&set, out->set, rows, err);
    if (rc == 0)
        card_set_free(&set);
    rows_free(rows);
    return rc;
}

static int replace_file(const char *path, const char *text, size_t n, struct err *err)
{
    char *part = text_format("%s.part-%ld", path, (long)getpid());
    enum { FRESH = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW };
    int fd = open(part, FRESH, 0600); /* remarks of one's own stand in it */
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    bool good = f && fwrite(text, 1, n, f) == n && fflush(f) == 0 && fsync(fileno(f)) == 0;
    int why = errno;
    good = f && fclose(f) == 0 && good && rename(part, path) == 0;
    if (!good) {
        err_set(err, ERR_IO, "%s: %s. Nothing was changed", path, strerror(why));
        remove(part);
    }
    free(part);
    return good ? 0 : ERR_IO;
}

static int write_set(const struct rows *old, const struct rows *new, const bool *good,
                     struct card_import *out, struct err *err)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    if (!f)
        return err_set(err, ERR_MEMORY, "out of memory");
    write_merged(f, old, new, good, out);
    fclose(f);
    int rc = check_text(out, text, &n, err);
    if (rc == 0)
        rc = make_folders(out->path, err);
    if (rc == 0)
        rc = replace_file(out->path, text, n, err);
    free(text);
    return rc;
}

/* ---- all together ---- */

static bool set_ok(const char *name)
{
    size_t n = strlen(name);
    return n >= 1 && n <= SET_BYTES && strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == n;
}

/* A set of that name in another place than the person's own hides theirs. */
static bool is_shipped(const struct library *l, const char *set)
{
    char *home = library_home(), *own = text_format("%s/cards", home),
         *name = text_format("%s.csv", set);
    size_t n = strlen("/cards");
    bool found = false;
    for (int i = 0; i < l->n_files && !found; i++) {
        const struct files *fs = l->files[i];
        size_t len = strlen(fs->root);
        if (len < n || strcmp(fs->root + len - n, "/cards") || !strcmp(fs->root, own))
            continue;
        for (int k = 0; k < fs->n; k++)
            found = found || !strcmp(fs->file[k].path, name);
    }
    free(home);
    free(own);
    free(name);
    return found;
}

static char *set_of(const char *file)
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    size_t n = strlen(name);
    return text_ndup(name, n > 4 && !strcmp(name + n - 4, ".csv") ? n - 4 : n);
}

static int check_set(const struct card_import *out, const struct library *library, struct err *err)
{
    if (!set_ok(out->set))
        return err_set(err, ERR_BAD_REQUEST,
                       "'%s' is no name of a set; 1 to %d characters a-z 0-9 - were expected. Name "
                       "it with --set NAME",
                       out->set, SET_BYTES);
    if (is_shipped(library, out->set))
        return err_set(err, ERR_BAD_REQUEST,
                       "the set '%s' comes with warpdrill; name another with --set NAME", out->set);
    return 0;
}

static int own_path(char **path, const char *home, const char *set, struct err *err)
{
    char *folder = text_format("%s/cards", home), *name = text_format("%s.csv", set);
    int rc = path_below(path, folder, PATH_NAMES(name), err);
    free(folder);
    free(name);
    return rc;
}

/* The set as it is; none is fine. */
static int read_old(struct rows **old, const char *path, struct err *err)
{
    *old = NULL;
    return access(path, F_OK) == 0 ? read_rows(old, path, err) : 0;
}

int cards_import(const char *file, const char *set, const struct library *library, bool keep_good,
                 struct card_import *out, struct err *err)
{
    struct rows *new = NULL, *old = NULL;
    bool *good = NULL;
    char *home = library_home();
    *out = (struct card_import){.set = set ? text_dup(set) : set_of(file)};
    int rc = check_set(out, library, err);
    if (rc == 0)
        rc = own_path(&out->path, home, out->set, err);
    free(home);
    if (rc == 0)
        rc = read_rows(&new, file, err);
    if (rc == 0)
        rc = check_head(new, err);
    if (rc == 0)
        rc = read_old(&old, out->path, err);
    if (rc == 0) {
        good = mem_new((size_t)new->n + 1, sizeof *good);
        check_rows(out, new, good);
        if (out->good == 0 || (out->bad && !keep_good))
            rc = err_set(err, ERR_BAD_REQUEST,
                         "%s: %d of %d rows are no cards. Nothing was stored%s", file, out->bad,
                         new->n, out->good ? "; --keep-good takes the others" : "");
    }
    if (rc == 0)
        rc = write_set(old, new, good, out, err);
    free(good);
    rows_free(new);
    rows_free(old);
    return rc;
}

void card_import_free(struct card_import *i)
{
    for (int k = 0; k < i->n_notes; k++)
        free(i->notes[k]);
    free(i->set);
    free(i->path);
    *i = (struct card_import){.set = NULL};
}

/* ---- out ---- */

static char *choices_text(const struct card *c)
{
    char *out = text_dup("");
    for (int i = 0; i < c->n_choices; i++) {
        char *more = text_format("%s%s%s", out, i ? " | " : "", c->choices[i]);
        free(out);
        out = more;
    }
    return out;
}

static void tolerance_text(char *out, size_t size, const struct tolerance *t)
{
    static const char *const shapes[] = {[TOLERANCE_RELATIVE] = "%.10g%%",
                                         [TOLERANCE_EXACT] = "exact",
                                         [TOLERANCE_ABSOLUTE] = "+-%.10g",
                                         [TOLERANCE_FACTOR] = "x%.10g",
                                         [TOLERANCE_POINTS] = "%.10g points"};
    snprintf(out, size, shapes[t->kind],
             t->kind == TOLERANCE_RELATIVE || t->kind == TOLERANCE_POINTS ? t->within * 100
                                                                          : t->within);
}

void cards_export(FILE *f, const struct card_set *set)
{
    write_cells(f, columns);
    for (int i = 0; i < set->n; i++) {
        const struct card *c = &set->cards[i];
        char tolerance[40] = "", *choices = choices_text(c);
        if (c->kind == CARD_NUMBER)
            tolerance_text(tolerance, sizeof tolerance, &c->tolerance);
        write_cells(f,
                    (const char *const[COLUMNS]){c->id, c->topic, card_kind_name(c->kind), c->front,
                                                 c->back, c->unit ? c->unit : "", tolerance,
                                                 choices, c->source, c->teaches, c->note});
        free(choices);
    }
}
