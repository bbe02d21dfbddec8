/* Names from outside become paths below a folder, or nothing; what is opened is a plain file;
 * folders are looked at before they are trusted. */
#include "kernels/wire/path.h"

#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/text.h"
#include "tests/unit.h"

static char top[64];

static int make_top(void **state)
{
    strcpy(top, "/tmp/warpdrill-path-XXXXXX");
    return mkdtemp(top) ? 0 : -1;
}

static int remove_top(void **state)
{
    return rmdir(top);
}

static char *in_top(const char *name)
{
    return text_format("%s/%s", top, name);
}

/* ---- names ---- */

static const char *const no_names[] = {
    "",
    ".",
    "..",
    "...",
    "a/b",
    "/",
    "/a",
    "a/",
    "../a",
    "a\\b",
    "..\\a",
    ".hidden",
    "a\nb",
    "a\tb",
    "a\x1b[31m",
    "a\x7f",
    "\xff",
    "a\xe2\x80\xae"
    "b",
    "a\xe2\x80\x8b"
    "b",
};
static const char *const names[] = {
    "a", "A", "a.json", "a..b", "-", "a b", "gr\xc3\xbcn.csv", "nvidia-h200", "CON", "a.", "~"};

static void a_name_is_one_part_of_a_path(void **state)
{
    char longest[PATH_NAME_MOST + 2], *path;
    struct err err;
    for (size_t i = 0; i < sizeof no_names / sizeof *no_names; i++) {
        if (!path_name_fault(no_names[i]))
            fail_msg("'%s' is no name", no_names[i]);
        assert_int_equal(path_below(&path, top, PATH_NAMES(no_names[i]), &err), ERR_BAD_REQUEST);
        assert_null(path);
        assert_null(strchr(err.text, '\n'));
        assert_int_equal(path_below(&path, top, PATH_NAMES("a", no_names[i], "b"), &err),
                         ERR_BAD_REQUEST);
        assert_null(path);
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *expected = text_format("%s/x/%s", top, names[i]);
        assert_null(path_name_fault(names[i]));
        assert_int_equal(path_below(&path, top, PATH_NAMES("x", names[i]), &err), 0);
        assert_string_equal(path, expected);
        free(expected);
        free(path);
    }
    memset(longest, 'a', sizeof longest);
    longest[PATH_NAME_MOST + 1] = '\0';
    assert_non_null(path_name_fault(longest));
    longest[PATH_NAME_MOST] = '\0';
    assert_null(path_name_fault(longest));
}

static void a_relative_path_stays_inside(void **state)
{
    static const char *const refused[] = {"",     "/",       "/etc/passwd", "a/../b",        "a//b",
                                          "a/",   "./a",     "a/./b",       "a/.git/config", "../a",
                                          "a/..", "a\\..\\b"};
    struct err err;
    char *path, *expected = in_top("a/b/c.json");
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        if (path_inside(&path, top, refused[i], &err) != ERR_BAD_REQUEST)
            fail_msg("'%s' should be refused", refused[i]);
        assert_null(path);
    }
    assert_int_equal(path_inside(&path, top, "a/b/c.json", &err), 0);
    assert_string_equal(path, expected);
    free(path);
    free(expected);
}

static void a_link_in_between_is_refused(void **state)
{
    struct err err;
    char *path, *folder = in_top("folder"), *link = in_top("folder/link"), *outer = in_top("outer");
    assert_int_equal(mkdir(folder, 0700), 0);
    assert_int_equal(symlink("/tmp", link), 0);
    assert_int_equal(symlink("folder", outer), 0);
    assert_int_equal(path_below(&path, folder, PATH_NAMES("link", "x.json"), &err), ERR_PERMISSION);
    assert_null(path);
    assert_int_equal(path_inside(&path, top, "folder/link/x.json", &err), ERR_PERMISSION);
    assert_non_null(strstr(err.text, "folder/link is a symbolic link"));
    assert_int_equal(path_below(&path, outer, PATH_NAMES("x.json"), &err),
                     0); /* where the folder itself stands is its owner's affair */
    free(path);
    assert_int_equal(path_below(&path, folder, PATH_NAMES("link"), &err),
                     0); /* and what a file is, that of who opens it */
    free(path);
    unlink(link);
    unlink(outer);
    rmdir(folder);
    free(folder);
    free(link);
    free(outer);
}

static void what_is_shown_is_one_line(void **state)
{
    char *shown = path_shown("a\nb\tc\x1b[0m\xe2\x80\xae.yaml");
    assert_string_equal(shown, "a?b?c?[0m???.yaml");
    free(shown);
}

/* ---- files ---- */

static void only_plain_files_are_opened(void **state)
{
    struct err err;
    FILE *f;
    char *pipe = in_top("pipe"), *file = in_top("file"), *none = in_top("none");
    assert_int_equal(mkfifo(pipe, 0600), 0);
    f = fopen(file, "w");
    fputs("text", f);
    fclose(f);
    assert_int_equal(path_open(pipe, &err), ERR_IO); /* and does not wait for a writer */
    assert_non_null(strstr(err.text, "not a plain file"));
    assert_int_equal(path_open(top, &err), ERR_IO);
    assert_int_equal(path_open("/dev/null", &err), ERR_IO);
    assert_int_equal(path_open(none, &err), ERR_IO);
    assert_non_null(strstr(err.text, "No such file"));
    assert_int_equal(path_open_stream(&f, file, &err), 0);
    assert_int_equal(fgetc(f), 't');
    fclose(f);
    assert_int_equal(path_open_stream(&f, pipe, &err), ERR_IO);
    assert_null(f);
    unlink(pipe);
    unlink(file);
    free(pipe);
    free(file);
    free(none);
}

/* ---- folders ---- */

static void a_folder_is_looked_at_before_it_is_trusted(void **state)
{
    static const struct {
        mode_t mode;
        bool is_private;
        const char *fault;
    } cases[] = {
        {0700, true, NULL},
        {0755, false, NULL},
        {0711, false, NULL},
        {0755, true, "can be looked into by others"},
        {0770, false, "can be written to by others"},
        {0777, true, "can be written to by others"},
        {0702, false, "can be written to by others"},
    };
    struct err err;
    char *folder = in_top("own"), *link = in_top("link"), *none = in_top("none");
    assert_int_equal(mkdir(folder, 0700), 0);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        chmod(folder, cases[i].mode);
        const char *fault = path_folder_fault(folder, geteuid(), cases[i].is_private);
        if (cases[i].fault)
            assert_string_equal(fault, cases[i].fault);
        else
            assert_null(fault);
    }
    assert_int_equal(path_trust_folder(folder, PATH_TO_READ, &err), ERR_PERMISSION);
    chmod(folder, 0700);
    assert_int_equal(path_trust_folder(folder, PATH_TO_WRITE, &err), 0);
    assert_int_equal(path_trust_folder(none, PATH_TO_WRITE, &err), 0);
    if (geteuid() == 0) { /* whoever's it is */
        assert_int_equal(chown(folder, 65534, 65534), 0);
        assert_int_equal(path_trust_folder(folder, PATH_TO_READ, &err), 0);
        assert_int_equal(path_trust_folder(folder, PATH_TO_WRITE, &err), ERR_PERMISSION);
        assert_int_equal(chown(folder, 0, 0), 0);
    }
    assert_string_equal(path_folder_fault(folder, geteuid() + 1, false), "belongs to another user");
    assert_int_equal(symlink("own", link), 0);
    assert_string_equal(path_folder_fault(link, geteuid(), false), "is a symbolic link");
    assert_string_equal(path_folder_fault("/dev/null", geteuid(), false), "is no folder");
    unlink(link);
    rmdir(folder);
    free(folder);
    free(link);
    free(none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_name_is_one_part_of_a_path),
        cmocka_unit_test(a_relative_path_stays_inside),
        cmocka_unit_test(a_link_in_between_is_refused),
        cmocka_unit_test(what_is_shown_is_one_line),
        cmocka_unit_test(only_plain_files_are_opened),
        cmocka_unit_test(a_folder_is_looked_at_before_it_is_trusted),
    };
    return cmocka_run_group_tests(tests, make_top, remove_top);
}
