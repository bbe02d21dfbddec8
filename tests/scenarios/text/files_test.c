/* Folders as people leave them: links, pipes, depth, size; and how a place in a text is shown. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/text.h"
#include "scenarios/text/files.h"
#include "tests/folder.h"
#include "tests/unit.h"

static void put(const char *name, const char *text, size_t len)
{
    char *path = text_format("%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, len, f), len);
    fclose(f);
    free(path);
}

static void make_folder(const char *name)
{
    char *path = text_format("%s/%s", folder, name);
    assert_int_equal(mkdir(path, 0700), 0);
    free(path);
}

static int setup(void **state)
{
    return folder_make("files");
}

static void refuses(int code, const char *what)
{
    struct files *f;
    struct err err = {0};
    assert_int_equal(files_read(&f, folder, &err), code);
    assert_null(f);
    if (!strstr(err.text, what))
        fail_msg("expected: %s\nsaid: %s", what, err.text);
}

static void reads_what_is_ours_in_order(void **state)
{
    struct files *f;
    struct err err = {0};
    make_folder("b");
    put("b/x.cu", "kernel\n", 7);
    put("pack.yaml", "a: 1\n", 5);
    put("b/notes.txt", "\x1b[31m", 5);
    put(".hidden.yaml", "\xff", 1);
    assert_int_equal(files_read(&f, folder, &err), 0);
    assert_int_equal(f->n, 2);
    assert_string_equal(f->file[0].path, "b/x.cu");
    assert_string_equal(f->file[1].path, "pack.yaml");
    assert_string_equal(files_find(f, "b/x.cu")->text, "kernel\n");
    assert_null(files_find(f, "x.cu"));
    files_free(f);
}

static void passes_over_what_is_for_people(void **state)
{
    struct files *f;
    struct err err = {0};
    make_folder("b");
    make_folder("b/originals");
    put("README.md", "\xff", 1);
    put("b/LICENCE.md", "\x1b[31m", 5);
    put("b/originals/my kernel.cu", "#include <cstdio>\r\n", 19);
    put("b/fix.cu", "kernel\n", 7);
    assert_int_equal(files_read(&f, folder, &err), 0);
    assert_int_equal(f->n, 1);
    assert_int_equal(f->n_passed, 3);
    assert_string_equal(f->file[0].path, "b/fix.cu");
    files_free(f);
}

static void refuses_links_and_pipes(void **state)
{
    char *path = text_format("%s/link.cu", folder);
    assert_int_equal(symlink("/etc/passwd", path), 0);
    refuses(ERR_BAD_REQUEST, "/link.cu: a symbolic link; plain files and folders were expected");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink("/etc", path), 0);
    refuses(ERR_BAD_REQUEST, "/link.cu: a symbolic link");
    assert_int_equal(unlink(path), 0);
    assert_int_equal(mkfifo(path, 0600), 0);
    refuses(ERR_BAD_REQUEST, "/link.cu: not a plain file");
    free(path);
}

static void refuses_names_that_are_not_plain(void **state)
{
    put("a\x1b[31m.cu", "x", 1);
    refuses(ERR_BAD_REQUEST, "has a character outside A-Z a-z 0-9");
}

static void refuses_size_number_and_depth(void **state)
{
    char *big = mem_new(FILE_BYTES_MAX + 1, 1), name[64] = "";
    memset(big, ' ', FILE_BYTES_MAX + 1);
    put("big.json", big, FILE_BYTES_MAX + 1);
    put("big.yaml", big, FILE_BYTES_MAX + 1);
    refuses(ERR_TOO_LARGE, "/big.yaml: 1048577 bytes; at most 1048576 were expected");
    put("big.yaml", "a: 1", 4);
    put("big.cu", big, 262144 + 1);
    refuses(ERR_TOO_LARGE, "/big.cu: 262145 bytes; at most 262144 were expected");
    put("big.cu", big, 262144);
    free(big);
    for (int i = 0; i < FILES_LEVELS; i++) {
        strcat(name, i ? "/d" : "d");
        make_folder(name);
    }
    refuses(ERR_TOO_LARGE, "at most 8 levels were expected");
    char *deepest = text_format("%s/%s", folder, name);
    assert_int_equal(rmdir(deepest), 0);
    free(deepest);
    for (int i = 0; i < FILES_MAX; i++) {
        snprintf(name, sizeof name, "d/%d.md", i);
        put(name, "x", 1);
    }
    refuses(ERR_TOO_LARGE, "more than 512 files");
}

static void refuses_text_with_its_place(void **state)
{
    put("a.md", "fine\n\tso \x1b[2J\n", 13);
    refuses(ERR_BAD_REQUEST, "/a.md:2:5: an escape sequence; plain text was expected\n        so "
                             "?[2J\n           ^");
}

static void says_what_it_cannot_open(void **state)
{
    struct files *f;
    struct err err = {0};
    assert_int_equal(files_read(&f, "/no/such/folder", &err), ERR_IO);
    assert_non_null(strstr(err.text, "cannot read the folder /no/such/folder"));
}

/* ---- evidence, which is listed and read later ---- */

static const char evidence[] = "s/a/sealed/evidence/gpu.json";

static struct files *list_with(const char *text)
{
    struct files *f = NULL;
    struct err err = {0};
    make_folder("s");
    make_folder("s/a");
    make_folder("s/a/sealed");
    make_folder("s/a/sealed/evidence");
    put("s/a/sealed/fix.cu", "fixed\n", 6);
    put(evidence, text, strlen(text));
    if (files_list(&f, folder, &err))
        fail_msg("%s", err.text);
    assert_int_equal(f->n, 2);
    return f;
}

static void evidence_is_read_when_it_is_asked_for(void **state)
{
    struct err err = {0};
    struct files *f = list_with("{}\n");
    const struct file *e = files_find(f, evidence);
    assert_string_equal(files_find(f, "s/a/sealed/fix.cu")->text, "fixed\n");
    assert_null(e->text);
    json_t *copy = files_to_json(f, "");
    assert_int_equal(json_object_size(copy), 1);
    json_decref(copy);
    assert_int_equal(files_load_all(f, &err), 0);
    assert_string_equal(e->text, "{}\n");
    assert_int_equal(e->len, 3);
    put(evidence, "[]", 2);
    assert_int_equal(files_load(f, e, &err), 0); /* it was read: nobody looks again */
    assert_string_equal(e->text, "{}\n");
    files_free(f);
}

static void loads_not(struct files *f, int code, const char *what)
{
    struct err err = {0};
    const struct file *e = files_find(f, evidence);
    assert_int_equal(files_load(f, e, &err), code);
    assert_null(e->text);
    assert_int_equal(e->len, 0);
    if (!strstr(err.text, evidence) || !strstr(err.text, what))
        fail_msg("expected: %s and %s\nsaid: %s", evidence, what, err.text);
}

static void evidence_that_changed_is_refused(void **state)
{
    struct files *f = list_with("{}\n");
    put(evidence, "{ }\n", 4);
    loads_not(f, ERR_IO, "it changed since the pack was opened; start warpdrill again");
    files_free(f);
}

/* Of the same size and, by a clock that stands, of the same time. */
static void evidence_that_was_replaced_is_refused(void **state)
{
    struct files *f = list_with("{}\n");
    char *old = text_format("%s/%s", folder, evidence), *new = text_format("%s/new", folder);
    struct stat st;
    assert_int_equal(stat(old, &st), 0);
    put("new", "[]\n", 3);
    assert_int_equal(utimensat(AT_FDCWD, new, (struct timespec[]){st.st_atim, st.st_mtim}, 0), 0);
    assert_int_equal(rename(new, old), 0);
    loads_not(f, ERR_IO, "it changed since the pack was opened");
    free(old);
    free(new);
    files_free(f);
}

static void evidence_that_vanished_is_refused(void **state)
{
    struct files *f = list_with("{}\n");
    char *there = text_format("%s/%s", folder, evidence);
    assert_int_equal(remove(there), 0);
    loads_not(f, ERR_IO, "No such file or directory; it was there when the pack was opened");
    assert_int_equal(mkfifo(there, 0600), 0); /* nobody waits for it */
    loads_not(f, ERR_IO, "it changed since");
    free(there);
    files_free(f);
}

/* The very file, but by a link in the place of its folder. */
static void no_link_leads_to_evidence(void **state)
{
    struct files *f = list_with("{}\n");
    char *there = text_format("%s/s/a/sealed", folder), *away = text_format("%s/away", folder);
    assert_int_equal(rename(there, away), 0);
    assert_int_equal(symlink(away, there), 0);
    loads_not(f, ERR_IO, "cannot read");
    free(there);
    free(away);
    files_free(f);
}

static void evidence_that_is_no_text_is_refused(void **state)
{
    struct files *f = list_with("{\n \x1b}\n");
    loads_not(f, ERR_BAD_REQUEST, ":2:2: an escape sequence");
    loads_not(f, ERR_BAD_REQUEST, ":2:2: an escape sequence");
    files_free(f);
}

static void listed_evidence_keeps_its_bounds(void **state)
{
    struct files *f = list_with("{}");
    struct err err = {0};
    files_free(f);
    char *there = text_format("%s/%s", folder, evidence);
    assert_int_equal(truncate(there, (off_t)FILE_EVIDENCE_MAX + 1), 0);
    assert_int_equal(files_list(&f, folder, &err), ERR_TOO_LARGE);
    assert_non_null(strstr(err.text, "at most 16777216 were expected"));
    assert_int_equal(truncate(there, (off_t)FILE_EVIDENCE_MAX), 0);
    for (int i = 0; i < 4; i++) {
        char *more = text_format("%s/s/a/sealed/evidence/gpu-%d.json", folder, i), *name;
        name = more + strlen(folder) + 1;
        put(name, "", 0);
        assert_int_equal(truncate(more, (off_t)FILE_EVIDENCE_MAX), 0);
        free(more);
    }
    assert_int_equal(files_list(&f, folder, &err), ERR_TOO_LARGE);
    assert_non_null(strstr(err.text, "at most 67108864 bytes were expected in a pack"));
    free(there);
}

static void evidence_has_one_place(void **state)
{
    assert_true(path_is_evidence(evidence));
    assert_false(path_is_evidence("s/sealed/evidence/gpu.json"));
    assert_false(path_is_evidence("s/a/b/sealed/evidence/gpu.json"));
    assert_false(path_is_evidence("s/a/sealed/evidence/b/gpu.json"));
    assert_false(path_is_evidence("s/a/sealed/evidence/gpu.md"));
    assert_false(path_is_evidence("s/a/sealed/exhibits/gpu.json"));
    assert_false(path_is_evidence("measured/evidence/gpu.json"));
}

static void paths_stay_inside(void **state)
{
    struct err err;
    static const char *const good[] = {"fix.cu", "a/b/c.yaml", "evidence/nvidia-h200.json"};
    static const char *const bad[] = {"",       "/etc/passwd", "../x", "a/../../x", "a/..",
                                      "..",     ".",           "a//b", "a/",        "./a",
                                      ".git/x", "a\\b",        "a b",  "a\nb",      "\xc3\xa4"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++)
        assert_int_equal(path_ok(good[i], &err), 0);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (!path_ok(bad[i], &err))
            fail_msg("'%s' was taken", bad[i]);
}

static void a_copy_comes_back(void **state)
{
    struct err err = {0};
    struct files *f = files_new("x"), *back;
    files_add(f, "s/scenario.yaml", "a: \xc3\xa4\n", 6);
    files_add(f, "s/a/suspect.cu", "", 0);
    files_add(f, "t/scenario.yaml", "b", 1);
    json_t *obj = files_to_json(f, "s/");
    assert_int_equal(json_object_size(obj), 2);
    assert_int_equal(files_from_json(&back, obj, &err), 0);
    assert_int_equal(back->n, 2);
    assert_string_equal(files_find(back, "s/scenario.yaml")->text, "a: \xc3\xa4\n");
    files_free(back);
    json_object_set_new(obj, "../x.yaml", json_string("a"));
    assert_int_equal(files_from_json(&back, obj, &err), ERR_BAD_REQUEST);
    assert_null(back);
    json_object_del(obj, "../x.yaml");
    json_object_set_new(obj, "y.yaml", json_integer(1));
    assert_int_equal(files_from_json(&back, obj, &err), ERR_BAD_REQUEST);
    json_decref(obj);
    files_free(f);
}

static void shows(const char *text, int line, int col, const char *expected)
{
    struct files *f = files_new("p");
    struct err err = {0};
    files_add(f, "a.yaml", text, strlen(text));
    assert_int_equal(files_fail(f, &f->file[0], line, col, ERR_BAD_REQUEST, &err, "what"),
                     ERR_BAD_REQUEST);
    assert_string_equal(err.text, expected);
    files_free(f);
}

static void a_place_is_shown(void **state)
{
    shows("a: 1\nb: 2\n", 2, 4, "p/a.yaml:2:4: what\nb: 2\n   ^");
    shows("\ta\tb\n", 1, 4, "p/a.yaml:1:4: what\n        a       b\n                ^");
    shows("\xe5\xad\x97: x\n", 1, 4,
          "p/a.yaml:1:4: what\n\xe5\xad\x97: x\n    ^"); /* a wide character */
    shows("a\n", 9, 1, "p/a.yaml:9:1: what");
    shows("ab", 1, 3, "p/a.yaml:1:3: what\nab\n  ^");
}

static void a_long_line_is_cut_around_the_caret(void **state)
{
    struct err err = {0};
    struct files *f = files_new("p");
    char *text = mem_new(5001, 1);
    memset(text, 'x', 5000);
    text[4000] = '!';
    files_add(f, "a.cu", text, 5000);
    files_fail(f, &f->file[0], 1, 4001, ERR_BAD_REQUEST, &err, "what");
    const char *line = strchr(err.text, '\n') + 1, *caret = strchr(line, '\n') + 1;
    assert_int_equal(strcspn(line, "\n"), 96);
    assert_int_equal(line[strcspn(caret, "^")], '!');
    free(text);
    files_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(reads_what_is_ours_in_order, setup, folder_remove),
        cmocka_unit_test_setup_teardown(passes_over_what_is_for_people, setup, folder_remove),
        cmocka_unit_test_setup_teardown(refuses_links_and_pipes, setup, folder_remove),
        cmocka_unit_test_setup_teardown(refuses_names_that_are_not_plain, setup, folder_remove),
        cmocka_unit_test_setup_teardown(refuses_size_number_and_depth, setup, folder_remove),
        cmocka_unit_test_setup_teardown(refuses_text_with_its_place, setup, folder_remove),
        cmocka_unit_test(says_what_it_cannot_open),
        cmocka_unit_test_setup_teardown(evidence_is_read_when_it_is_asked_for, setup,
                                        folder_remove),
        cmocka_unit_test_setup_teardown(evidence_that_changed_is_refused, setup, folder_remove),
        cmocka_unit_test_setup_teardown(evidence_that_was_replaced_is_refused, setup,
                                        folder_remove),
        cmocka_unit_test_setup_teardown(evidence_that_vanished_is_refused, setup, folder_remove),
        cmocka_unit_test_setup_teardown(no_link_leads_to_evidence, setup, folder_remove),
        cmocka_unit_test_setup_teardown(evidence_that_is_no_text_is_refused, setup, folder_remove),
        cmocka_unit_test_setup_teardown(listed_evidence_keeps_its_bounds, setup, folder_remove),
        cmocka_unit_test(evidence_has_one_place),
        cmocka_unit_test(paths_stay_inside),
        cmocka_unit_test(a_copy_comes_back),
        cmocka_unit_test(a_place_is_shown),
        cmocka_unit_test(a_long_line_is_cut_around_the_caret),
    };
    return cmocka_run_group_tests_name("files", tests, NULL, NULL);
}
