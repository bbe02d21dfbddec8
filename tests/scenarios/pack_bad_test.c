/* Text cases: tests/packs/bad/NAME.case is an edit of tests/packs/good and what the reader must say of it.
 *
 *   # comment
 *   edit PATH      then lines "- old" (which must occur exactly once) and "+ new"; "x new" knows \xNN
 *   add PATH       then lines "+ text"
 *   remove PATH
 *   pad PATH N     N more bytes of comment
 *   expect TEXT    stands in the message; may be said several times
 *
 * Beside that, every message with a place must show the line of that place, and the caret below its column. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/pack.h"

struct edit { char path[128]; char *old, *new; bool adds; };

static void append(char **to, const char *line)
{
    char *joined = *to ? text_format("%s\n%s", *to, line) : text_dup(line);
    free(*to);
    *to = joined;
}

static void append_escaped(char **to, const char *s)
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
    append(to, raw);
    free(raw);
}

static struct file *find(struct files *f, const char *path)
{
    for (int i = 0; i < f->n; i++)
        if (!strcmp(f->file[i].path, path))
            return &f->file[i];
    fail_msg("the good pack has no %s", path);
    return NULL;
}

static void set_text(struct file *f, char *text)
{
    free(f->text);
    f->text = text;
    f->len = strlen(text);
}

static void apply(struct files *f, struct edit *e)
{
    if (e->adds) {
        char *text = text_format("%s\n", e->new ? e->new : "");
        files_add(f, e->path, text, strlen(text));
        free(text);
    } else if (e->old) {
        struct file *file = find(f, e->path);
        char *at = strstr(file->text, e->old);
        if (!at || strstr(at + 1, e->old))
            fail_msg("'%s' does not occur exactly once in %s", e->old, e->path);
        set_text(file, text_format("%.*s%s%s", (int)(at - file->text), file->text, e->new ? e->new : "", at + strlen(e->old)));
    }
    free(e->old);
    free(e->new);
    *e = (struct edit){0};
}

static void pad(struct files *f, const char *path, size_t n)
{
    struct file *file = find(f, path);
    char *more = mem_new(n + 1, 1);
    memset(more, '#', n);
    set_text(file, text_format("%s%s", file->text, more));
    free(more);
}

static void drop(struct files *f, const char *path)
{
    struct file *file = find(f, path);
    free(file->path);
    free(file->text);
    *file = f->file[--f->n];
}

/* The second and third line of a message against the file that it names. */
static void check_place(const struct files *f, const char *message)
{
    char path[256];
    int line, col;
    size_t n;
    if (sscanf(message, "good/%255[^:]:%d:%d:", path, &line, &col) != 3)
        return;
    const struct file *file = files_find(f, path);
    assert_non_null(file);
    const char *shown = strchr(message, '\n'), *text = file_line(file, line, &n);
    assert_non_null(text);
    if (!n)
        return;
    assert_non_null(shown);
    const char *caret = strchr(shown + 1, '\n');
    assert_non_null(caret);
    if (n < 80 && (size_t)(caret - shown - 1) == n && text_first_bad(text, n) == n)
        assert_memory_equal(shown + 1, text, n);
    assert_int_equal(strspn(caret + 1, " ") + 1, col);
    assert_string_equal(caret + col, "^");
}

static int load(struct files *f, struct err *err)
{
    struct pack *p = NULL;
    struct files *copy = files_new(f->root);
    for (int i = 0; i < f->n; i++)
        files_add(copy, f->file[i].path, f->file[i].text, f->file[i].len);
    int rc = pack_load(&p, copy, err);
    pack_free(p);
    return rc;
}

static void run_case(void **state)
{
    struct files *f, *good;
    struct err err = {0};
    struct edit e = {0};
    char line[2048], *expect[8];
    int n_expect = 0;
    size_t n;
    FILE *in = fopen(*state, "r");
    assert_non_null(in);
    assert_int_equal(files_read(&good, "tests/packs/good", &err), 0);
    f = files_new("good");
    for (int i = 0; i < good->n; i++)
        files_add(f, good->file[i].path, good->file[i].text, good->file[i].len);
    files_free(good);
    while (fgets(line, sizeof line, in)) {
        line[strcspn(line, "\n")] = '\0';
        char path[128];
        if (!strncmp(line, "- ", 2))
            append(&e.old, line + 2);
        else if (!strncmp(line, "+ ", 2))
            append(&e.new, line + 2);
        else if (!strncmp(line, "x ", 2))
            append_escaped(&e.new, line + 2);
        else if (*line && *line != '#') {
            apply(f, &e);
            if (!strncmp(line, "expect ", 7) && n_expect < 8)
                expect[n_expect++] = text_dup(line + 7);
            else if (sscanf(line, "pad %127s %zu", path, &n) == 2)
                pad(f, path, n);
            else if (sscanf(line, "remove %127s", path) == 1)
                drop(f, path);
            else if (sscanf(line, "edit %127s", e.path) != 1) {
                assert_int_equal(sscanf(line, "add %127s", e.path), 1);
                e.adds = true;
            }
        }
    }
    apply(f, &e);
    fclose(in);
    assert_true(n_expect > 0);
    if (!load(f, &err))
        fail_msg("the reader took it; expected: %s", expect[0]);
    for (int i = 0; i < n_expect; i++) {
        if (!strstr(err.text, expect[i]))
            fail_msg("expected: %s\nthe reader said: %s", expect[i], err.text);
        free(expect[i]);
    }
    check_place(f, err.text);
    files_free(f);
}

static int is_case(const struct dirent *d)
{
    const char *end = strrchr(d->d_name, '.');
    return end && !strcmp(end, ".case");
}

int main(void)
{
    struct dirent **entries;
    int n = scandir("tests/packs/bad", &entries, is_case, alphasort);
    if (n < 45)
        return 1;
    struct CMUnitTest *tests = mem_new((size_t)n, sizeof *tests);
    for (int i = 0; i < n; i++) {
        tests[i].name = text_dup(entries[i]->d_name);
        tests[i].test_func = run_case;
        tests[i].initial_state = text_format("tests/packs/bad/%s", entries[i]->d_name);
        free(entries[i]);
    }
    free(entries);
    int rc = _cmocka_run_group_tests("bad packs", tests, (size_t)n, NULL, NULL);
    for (int i = 0; i < n; i++) {
        free((char *)tests[i].name);
        free(tests[i].initial_state);
    }
    free(tests);
    return rc;
}
