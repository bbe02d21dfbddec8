#include "scenarios/pack/exhibits.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/hash.h"
#include "kernels/wire/text.h"
#include "scenarios/pack/exhibit_blocks.h"
#include "scenarios/pack/model.h"

enum {
    EXHIBIT_FORMAT = 1,
    MOST_NOTES = 8,
    ROW_BYTES = 40,
    LINE_BYTES = 200
};

/* ---- a file ---- */

struct opened {
    const struct files *files;
    const struct file *file;
    const struct experiment *x;
    json_t *root;
    struct msg_part *part;
    struct err *err;
};

static int refuse(const struct opened *o, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static int refuse(const struct opened *o, const char *fmt, ...)
{
    char text[400];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return files_fail(o->files, o->file, 1, 1, ERR_BAD_REQUEST, o->err, "%s", text);
}

static int check_keys(const struct opened *o)
{
    static const char *const known[] = {"format",  "tier",    "made",  "by",   "rows",
                                        "columns", "figures", "blocks", "lines", "notes"};
    const char *key;
    json_t *value;
    json_object_foreach(o->root, key, value) {
        bool found = false;
        for (size_t i = 0; i < sizeof known / sizeof *known; i++)
            found = found || !strcmp(known[i], key);
        if (!found)
            return refuse(o,
                          "unknown key '%.40s'; format, tier, made, by, rows, columns, figures, "
                          "blocks, lines or notes was expected",
                          key);
    }
    return 0;
}

/* A row may be named by a number: most are ranks. */
static char *line_text(const json_t *v)
{
    return json_is_integer(v)  ? text_format("%lld", (long long)json_integer_value(v))
           : json_is_string(v) ? text_dup(json_string_value(v))
                               : NULL;
}

static int take_lines(const struct opened *o, const char *key, size_t least, size_t most,
                      size_t bytes, char ***list, int *n)
{
    const json_t *all = json_object_get(o->root, key), *v;
    size_t i;
    if (all && !json_is_array(all))
        return refuse(o, "'%s' is no list; one was expected", key);
    if (json_array_size(all) < least || json_array_size(all) > most)
        return refuse(o, "'%s' has %zu entries; %zu to %zu were expected", key,
                      json_array_size(all), least, most);
    *list = mem_grow(*list, (size_t)*n + json_array_size(all) + 1, sizeof **list);
    json_array_foreach(all, i, v) {
        char *text = line_text(v);
        if (!text || strlen(text) > bytes || text_first_bad(text, strlen(text)) < strlen(text) ||
            strchr(text, '\n')) {
            free(text);
            return refuse(o, "entry %zu of '%s' is no line of at most %zu bytes; one was expected",
                          i + 1, key, bytes);
        }
        (*list)[(*n)++] = text;
    }
    return 0;
}

/* Appends the numbers of a list of exactly n. */
static int take_numbers(const struct opened *o, const char *what, const json_t *list, int n,
                        struct msg_series *to)
{
    if (json_array_size(list) != (size_t)n)
        return refuse(o, "%s has %zu numbers; %d were expected", what, json_array_size(list), n);
    for (int i = 0; i < n; i++) {
        const json_t *v = json_array_get(list, (size_t)i);
        if (!json_is_number(v))
            return refuse(o, "entry %d of %s is no number; one was expected", i + 1, what);
        to->values[to->n++] = json_number_value(v);
    }
    return 0;
}

static int take_columns(const struct opened *o, int *n)
{
    const json_t *list = json_object_get(o->root, "columns");
    *n = o->x->exhibit->column ? (int)json_array_size(list) : 1;
    if (!o->x->exhibit->column)
        return list ? refuse(o, "'columns' in a table without them; none were expected") : 0;
    if (*n < 1 || *n > EXHIBIT_ROWS)
        return refuse(o, "%d columns; 1 to %d were expected", *n, EXHIBIT_ROWS);
    return take_numbers(o, "'columns'", list, *n, exhibit_series(o->part, EXHIBIT_COLUMNS, *n));
}

static int take_figure(const struct opened *o, const struct figure *f, const json_t *list, int rows,
                       int columns)
{
    char what[80];
    struct msg_series *s = exhibit_series(o->part, f->name, rows * columns);
    snprintf(what, sizeof what, "figure '%s'", f->name);
    if (!o->x->exhibit->column)
        return take_numbers(o, what, list, rows, s);
    if (json_array_size(list) != (size_t)rows)
        return refuse(o, "%s has %zu rows; %d were expected", what, json_array_size(list), rows);
    int rc = 0;
    for (int r = 0; !rc && r < rows; r++) {
        snprintf(what, sizeof what, "row %d of figure '%s'", r + 1, f->name);
        rc = take_numbers(o, what, json_array_get(list, (size_t)r), columns, s);
    }
    return rc;
}

/* ---- a timeline ---- */

static int take_block(const struct opened *o, struct block_list *all, int k, const json_t *v)
{
    const json_t *row = json_object_get(v, "row"), *begin = json_object_get(v, "begin"),
                 *end = json_object_get(v, "end");
    const char *label = json_string_value(json_object_get(v, "label"));
    struct err why = {0};
    if (json_object_size(v) != 4 || !json_is_integer(row) || !json_is_number(begin) ||
        !json_is_number(end) || !label)
        return refuse(o, "entry %d of 'blocks' is no object of row, begin, end (numbers) and label "
                         "(a line); one was expected", k + 1);
    json_int_t at = json_integer_value(row);
    if (at < 0 || at >= o->part->n_lines)
        return refuse(o, "entry %d of 'blocks' is in row %lld; 0 to %d, the places of 'rows', were "
                         "expected", k + 1, (long long)at, o->part->n_lines - 1);
    struct block b = {(int)at, 0, json_number_value(begin), json_number_value(end), k};
    int rc = blocks_add(all, &b, label, &why);
    return rc ? refuse(o, "entry %d of 'blocks': %s", k + 1, why.text) : 0;
}

static int take_blocks(const struct opened *o)
{
    const json_t *list = json_object_get(o->root, "blocks");
    struct block_list all = {.n = 0};
    struct err why = {0};
    int rc = 0, n = (int)json_array_size(list);
    for (int k = 0; !rc && k < n; k++)
        rc = take_block(o, &all, k, json_array_get(list, (size_t)k));
    if (!rc && blocks_keep(&all, o->x->exhibit, o->part, &why))
        rc = refuse(o, "entry %d of 'blocks': %s", all.wrong + 1, why.text);
    blocks_clear(&all);
    return rc;
}

static int take_table(const struct opened *o)
{
    const struct exhibit *form = o->x->exhibit;
    const json_t *figures = json_object_get(o->root, "figures");
    int columns,
        rc = take_lines(o, "rows", 1, EXHIBIT_ROWS, ROW_BYTES, &o->part->lines, &o->part->n_lines);
    if (!rc)
        rc = take_columns(o, &columns);
    if (!rc && form->time)
        return take_blocks(o);
    if (!rc && json_object_size(figures) != (size_t)form->n_figures)
        rc = refuse(o, "%zu figures; %d, those of scenario.yaml, were expected",
                    json_object_size(figures), form->n_figures);
    for (int i = 0; !rc && i < form->n_figures; i++)
        rc = take_figure(o, &form->figures[i], json_object_get(figures, form->figures[i].name),
                         o->part->n_lines, columns);
    return rc;
}

/* What stands beside every number: where it comes from. */
static int take_origin(const struct opened *o, struct recording *to)
{
    const char *tier = json_string_value(json_object_get(o->root, "tier")),
               *by = json_string_value(json_object_get(o->root, "by"));
    const char *made = json_string_value(json_object_get(o->root, "made"));
    if (!tier || (strcmp(tier, "generated") && strcmp(tier, "recorded")))
        return refuse(o, "no 'tier' that a case may have; generated or recorded was expected");
    if (*to->tier && strcmp(to->tier, tier))
        return refuse(o, "this is %s, other exhibits are %s; one tier was expected", tier,
                      to->tier);
    if (!by || !*by || strlen(by) > LINE_BYTES || text_first_bad(by, strlen(by)) < strlen(by))
        return refuse(o, "no 'by'; a line that says who or what made this was expected");
    if (!made || strlen(made) != 10 || !recording_when_ok(made))
        return refuse(o, "no 'made'; a date, YYYY-MM-DD, was expected");
    snprintf(to->tier, sizeof to->tier, "%s", tier);
    if (strcmp(made, to->recorded) > 0)
        snprintf(to->recorded, sizeof to->recorded, "%s", made);
    snprintf(o->part->tier, sizeof o->part->tier, "%s", tier);
    o->part->notes = mem_new(1, sizeof *o->part->notes);
    o->part->notes[o->part->n_notes++] = text_format("%s by %s", tier, by);
    return 0;
}

static int take_text(const struct opened *o)
{
    size_t bytes = 0;
    int rc = take_lines(o, "lines", 1, EXHIBIT_LINES, LINE_BYTES, &o->part->lines,
                        &o->part->n_lines);
    for (int i = 0; i < o->part->n_lines; i++)
        bytes += strlen(o->part->lines[i]);
    return rc || bytes <= EXHIBIT_TEXT
               ? rc
               : refuse(o, "'lines' have %zu bytes; at most %d were expected", bytes, EXHIBIT_TEXT);
}

static int take_file(const struct opened *o, struct recording *to)
{
    char words[160];
    json_int_t format = json_integer_value(json_object_get(o->root, "format"));
    bool table = o->x->exhibit->n_figures > 0;
    files_format(words, sizeof words, format, EXHIBIT_FORMAT, EXHIBIT_FORMAT);
    if (format != EXHIBIT_FORMAT)
        return refuse(o, "an exhibit of %s", words);
    int rc = check_keys(o);
    if (!rc)
        rc = take_origin(o, to);
    if (!rc && json_object_get(o->root, table ? "lines" : "figures"))
        rc = refuse(o, "'%s' of an exhibit that is a %s; what scenario.yaml says was expected",
                    table ? "lines" : "figures", table ? "table" : "text");
    if (!rc && json_object_get(o->root, o->x->exhibit->time ? "figures" : "blocks"))
        rc = refuse(o,
                    "'%s' of an exhibit that is %s timeline; what scenario.yaml says was expected",
                    o->x->exhibit->time ? "figures" : "blocks", o->x->exhibit->time ? "a" : "no");
    if (!rc)
        rc = table ? take_table(o) : take_text(o);
    return rc ? rc
              : take_lines(o, "notes", 0, MOST_NOTES, LINE_BYTES, &o->part->notes,
                           &o->part->n_notes);
}

/* ---- all of them ---- */

static char *path_of(const struct variant *v, const struct experiment *x)
{
    return text_format("%s/%s/sealed/exhibits/%s.json", v->story->id, v->id, x->id);
}

void exhibit_key(char key[HASH_HEX], const struct experiment *x)
{
    char *text = text_format("exhibit %s", x->id);
    hash_bytes(key, text, strlen(text));
    free(text);
}

static int read_exhibit(struct recording *r, const struct variant *v, const struct experiment *x,
                       struct err *err)
{
    const struct files *files = v->story->pack->files;
    char *path = path_of(v, x);
    const struct file *f = files_find(files, path);
    json_error_t where;
    struct msg_part *part = &r->items[r->n_items - 1].part;
    int rc = f ? 0
               : err_set(err, ERR_MISSING,
                         "there is no %s; every variant of a case was expected to have all of its "
                         "exhibits",
                         path);
    free(path);
    if (rc)
        return rc;
    struct opened o = {.files = files,
                       .file = f,
                       .x = x,
                       .root = json_loadb(f->text, f->len, JSON_REJECT_DUPLICATES, &where),
                       .part = part,
                       .err = err};
    if (!json_is_object(o.root))
        rc = files_fail(files, f, o.root ? 1 : where.line, o.root ? 1 : where.column,
                        ERR_BAD_REQUEST, err, "%s; an object was expected",
                        o.root ? "another value" : where.text);
    else
        rc = take_file(&o, r);
    json_decref(o.root);
    return rc;
}

static int draw_exhibit(struct recording *r, struct drawing *d, const struct experiment *x,
                        struct err *err)
{
    struct msg_part *part = &r->items[r->n_items - 1].part;
    snprintf(r->tier, sizeof r->tier, "generated");
    snprintf(r->recorded, sizeof r->recorded, "%s", drawing_made(d));
    snprintf(part->tier, sizeof part->tier, "generated");
    part->notes = mem_new(1, sizeof *part->notes);
    part->notes[part->n_notes++] = text_format("generated by %s", drawing_by(d));
    return drawing_exhibit(d, x, part, err);
}

int exhibits_recording(struct recording **out, const struct variant *v, struct err *err)
{
    const struct story *s = v->story;
    struct err unseen = {0};
    struct recording *r = mem_new(1, sizeof *r);
    int rc = 0;
    r->method = METHOD_VERSION;
    snprintf(r->device.name, sizeof r->device.name, "%s", s->system);
    snprintf(r->device.slug, sizeof r->device.slug, "case");
    r->items = mem_new((size_t)s->n_experiments, sizeof *r->items);
    struct drawing *d = s->model ? drawing_new(v) : NULL;
    for (int i = 0; !rc && i < s->n_experiments; i++) {
        const struct experiment *x = &s->experiments[i];
        r->items[r->n_items].part =
            (struct msg_part){.probe = x->measure, .run = "a", .variant = -1};
        exhibit_key(r->items[r->n_items++].key, x);
        rc = d ? draw_exhibit(r, d, x, err ? err : &unseen)
               : read_exhibit(r, v, x, err ? err : &unseen);
    }
    drawing_free(d);
    snprintf(r->at, sizeof r->at, "%s", r->recorded);
    if (rc)
        recording_free(r);
    else
        *out = r;
    return rc;
}

int exhibits_check(const struct variant *v, struct err *err)
{
    struct recording *r = NULL;
    int rc = v->story->model ? 0 : exhibits_recording(&r, v, err);
    recording_free(r);
    return rc;
}
