/* The language of text cases about packs: NAME.case is an edit of a good pack and what must be said
 * of it.
 *
 *   # comment
 *   base PATH      the pack that is edited, instead of tests/packs/good
 *   edit PATH      then lines "- old" (which must occur exactly once) and "+ new";
 *                  "x new" knows \xNN
 *   swap PATH      the same wherever old occurs, at least once
 *   add PATH       then lines "+ text"
 *   copy PATH TO   another file with the same text
 *   remove PATH
 *   pad PATH N     N more bytes of comment
 *   anything else  belongs to the test that reads it, such as `expect TEXT` */
#ifndef WD_TESTS_PACK_CASE_H
#define WD_TESTS_PACK_CASE_H

#include <dirent.h>

#include "kernels/wire/text.h"
#include "scenarios/text/files.h"
#include "tests/unit.h"

#define MOST_SAID 32
struct pack_case {
    const char *root;
    char *base;
    struct files *files;
    char *said[MOST_SAID];
    int n_said;
};

struct edit { char path[160]; char *old, *new; bool adds, everywhere; };

static void case_append(char **to, const char *line)
{
    char *joined = *to ? text_format("%s\n%s", *to, line) : text_dup(line);
    free(*to);
    *to = joined;
}

static void case_append_escaped(char **to, const char *s)
{
    char *raw = text_dup(s), *o = raw;
    for (; *s; s++) {
        unsigned byte;
        if (s[0] == '\\' && s[1] == 'x' && sscanf(s + 2, "%2x", &byte) == 1) {
            *o++ = (char)byte;
            s += 3;
        } else {
            *o++ = *s;
        }
    }
    *o = '\0';
    case_append(to, raw);
    free(raw);
}

static struct file *case_find(struct pack_case *c, const char *path)
{
    for (int i = 0; i < c->files->n; i++)
        if (!strcmp(c->files->file[i].path, path))
            return &c->files->file[i];
    fail_msg("%s has no %s", c->base, path);
    return NULL;
}

static void case_set_text(struct file *f, char *text)
{
    free(f->text);
    f->text = text;
    f->len = strlen(text);
}

static void case_replace(struct pack_case *c, const struct edit *e)
{
    struct file *file = case_find(c, e->path);
    char *at = strstr(file->text, e->old);
    const char *new = e->new ? e->new : "";
    if (!at || (!e->everywhere && strstr(at + 1, e->old)))
        fail_msg("'%s' does not occur %s in %s", e->old, e->everywhere ? "at all" : "exactly once",
                 e->path);
    for (size_t from; at; at = strstr(file->text + from, e->old)) {
        from = (size_t)(at - file->text) + strlen(new);
        case_set_text(file, text_format("%.*s%s%s", (int)(at - file->text), file->text, new,
                                        at + strlen(e->old)));
    }
}

static void case_apply(struct pack_case *c, struct edit *e)
{
    if (e->adds) {
        char *text = text_format("%s\n", e->new ? e->new : "");
        files_add(c->files, e->path, text, strlen(text));
        free(text);
    } else if (e->old) {
        case_replace(c, e);
    }
    free(e->old);
    free(e->new);
    *e = (struct edit){0};
}

static void case_pad(struct pack_case *c, const char *path, size_t n)
{
    struct file *file = case_find(c, path);
    char *more = mem_new(n + 1, 1);
    memset(more, '#', n);
    case_set_text(file, text_format("%s%s", file->text, more));
    free(more);
}

static void case_drop(struct pack_case *c, const char *path)
{
    struct file *file = case_find(c, path);
    free(file->path);
    free(file->text);
    *file = c->files->file[--c->files->n];
}

static void case_copy(struct pack_case *c, const char *path, const char *to)
{
    const struct file *file = case_find(c, path);
    char *text = text_ndup(file->text, file->len);
    files_add(c->files, to, text, strlen(text));
    free(text);
}

static void case_open(struct pack_case *c, const char *base)
{
    struct files *read;
    struct err err = {0};
    if (files_read(&read, base, &err))
        fail_msg("%s", err.text);
    files_free(c->files);
    free(c->base);
    c->base = text_dup(base);
    c->files = files_new(c->root);
    for (int i = 0; i < read->n; i++)
        files_add(c->files, read->file[i].path, read->file[i].text, read->file[i].len);
    files_free(read);
}

static void case_line(struct pack_case *c, struct edit *e, const char *line)
{
    char path[160], to[160];
    size_t n;
    case_apply(c, e);
    if (sscanf(line, "base %159s", path) == 1)
        case_open(c, path);
    else if (sscanf(line, "pad %159s %zu", path, &n) == 2)
        case_pad(c, path, n);
    else if (sscanf(line, "copy %159s %159s", path, to) == 2)
        case_copy(c, path, to);
    else if (sscanf(line, "remove %159s", path) == 1)
        case_drop(c, path);
    else if (sscanf(line, "edit %159s", e->path) == 1 || sscanf(line, "swap %159s", e->path) == 1)
        e->everywhere = *line == 's';
    else if (sscanf(line, "add %159s", e->path) == 1)
        e->adds = true;
    else if (c->n_said < MOST_SAID)
        c->said[c->n_said++] = text_dup(line);
}

/* root: what messages call the folder. */
static struct pack_case case_read(const char *path, const char *root)
{
    struct pack_case c = {.root = root};
    struct edit e = {0};
    char line[2048];
    FILE *in = fopen(path, "r");
    assert_non_null(in);
    case_open(&c, "tests/packs/good");
    while (fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = '\0';
        if (!strncmp(line, "- ", 2))
            case_append(&e.old, line + 2);
        else if (!strncmp(line, "+ ", 2))
            case_append(&e.new, line + 2);
        else if (!strncmp(line, "x ", 2))
            case_append_escaped(&e.new, line + 2);
        else if (*line && *line != '#')
            case_line(&c, &e, line);
    }
    case_apply(&c, &e);
    fclose(in);
    return c;
}

static void case_free(struct pack_case *c)
{
    for (int i = 0; i < c->n_said; i++)
        free(c->said[i]);
    files_free(c->files);
    free(c->base);
}

/* The line of a place as it was shown, and the caret below its column. shown NULL: nothing was. */
static void case_check_place(const struct files *f, const char *path, int line, int col,
                             const char *shown)
{
    const struct file *file = files_find(f, path);
    size_t n;
    assert_non_null(file);
    const char *text = file_line(file, line, &n);
    assert_non_null(text);
    if (!n)
        return;
    assert_non_null(shown);
    const char *caret = strchr(shown, '\n');
    assert_non_null(caret);
    if (n >= 80)
        return;    /* cut around the caret */
    if ((size_t)(caret - shown) == n && text_first_bad(text, n) == n)
        assert_memory_equal(shown, text, n);
    assert_int_equal(strspn(caret + 1, " ") + 1, col);
    assert_string_equal(caret + col, "^");
}

/* ---- a folder of cases as a group of tests ---- */

static int case_is_case(const struct dirent *d)
{
    const char *end = strrchr(d->d_name, '.');
    return end && !strcmp(end, ".case");
}

/* The state of each test is the case's path; `more` are further tests. */
static int case_run_folder(const char *folder, const char *name, CMUnitTestFunction run, int least,
                           const struct CMUnitTest *more, int n_more)
{
    struct dirent **entries;
    int n = scandir(folder, &entries, case_is_case, alphasort);
    if (n < least)
        return 1;
    struct CMUnitTest *tests = mem_new((size_t)(n + n_more), sizeof *tests);
    for (int i = 0; i < n; i++) {
        tests[i].name = text_dup(entries[i]->d_name);
        tests[i].test_func = run;
        tests[i].initial_state = text_format("%s/%s", folder, entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    for (int i = 0; i < n_more; i++)
        tests[n + i] = more[i];
    int rc = _cmocka_run_group_tests(name, tests, (size_t)(n + n_more), NULL, NULL);
    for (int i = 0; i < n; i++) {
        free((char *)tests[i].name);
        free(tests[i].initial_state);
    }
    free(tests);
    return rc;
}

#endif
