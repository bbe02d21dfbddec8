/* Whose GPU code may run: the file of answers, as written by the program and by hand. */
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/text.h"
#include "scenarios/library/trust.h"
#include "tests/folder.h"
#include "tests/unit.h"

static char packs[3][96], answers[128];

static int setup(void **state)
{
    char path[96];
    if (folder_make("trusts"))
        return -1;
    setenv("XDG_STATE_HOME", folder, 1);
    snprintf(path, sizeof path, "%s/shipped", folder);
    setenv("WARPDRILL_CONTENT", path, 1);
    mkdir(path, 0700);
    snprintf(answers, sizeof answers, "%s/warpdrill/trusted-packs", folder);
    static const char *const names[] = {"one", "two words", "shipped/three"};
    for (int i = 0; i < 3; i++) {
        snprintf(packs[i], sizeof packs[i], "%s/%s", folder, names[i]);
        mkdir(packs[i], 0700);
    }
    return 0;
}

static void keep(const char *id, const char *where)
{
    struct err err = {0};
    if (trust_keep(id, where, &err))
        fail_msg("%s", err.text);
}

static const char *text_of_answers(void)
{
    static char text[4096];
    FILE *f = fopen(answers, "r");
    size_t n = f ? fread(text, 1, sizeof text - 1, f) : 0;
    if (f)
        fclose(f);
    text[n] = '\0';
    return text;
}

static void write_answers(const char *text)
{
    char path[96];
    snprintf(path, sizeof path, "%s/warpdrill", folder);
    mkdir(path, 0700);
    FILE *f = fopen(answers, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void nobody_is_trusted_at_first_but_what_came_along(void **state)
{
    assert_false(trust_has("one", packs[0]));
    assert_false(trust_has("gone", "/no/such/folder"));
    assert_true(trust_has("three", packs[2]));
    keep("three", packs[2]); /* nothing to keep */
    assert_string_equal(text_of_answers(), "");
}

static void a_yes_is_of_one_id_in_one_folder(void **state)
{
    struct stat st;
    char *link = text_format("%s/link", folder), *twice = text_format("one %s\none", packs[0]);
    keep("one", packs[0]);
    keep("one", packs[0]);
    assert_true(trust_has("one", packs[0]));
    assert_false(trust_has("two", packs[0]));
    assert_false(trust_has("one", packs[1]));
    assert_null(strstr(text_of_answers(), twice));
    assert_int_equal(symlink(packs[0], link), 0); /* the same folder by another name */
    assert_true(trust_has("one", link));
    keep("two", packs[1]);
    assert_true(trust_has("two", packs[1]));
    assert_true(trust_has("one", packs[0]));
    assert_int_equal(stat(answers, &st), 0);
    assert_int_equal(st.st_mode & 0777, 0600);
    free(link);
    free(twice);
}

static void the_file_is_edited_by_hand(void **state)
{
    char *text =
        text_format("# mine\nonly-an-id\n\n\xff\xfe nonsense\n two %s\none %s/\none %s\ntwo %s",
                    packs[1], packs[0], packs[0], packs[1]);
    write_answers(text);
    assert_true(trust_has("one", packs[0]));
    assert_true(trust_has("two", packs[1])); /* without an end of line */
    assert_false(trust_has("only-an-id", packs[0]));
    char *other = text_format("%s/shipped", folder);
    keep("mine", other); /* shipped: nothing is written */
    assert_string_equal(text_of_answers(), text);
    free(other);
    other = text_format("%s/warpdrill", folder);
    keep("mine", other);
    char *expected = text_format("%s\nmine %s\n", text, other);
    assert_string_equal(text_of_answers(), expected); /* whatever stood there stays */
    write_answers("# nobody\n");
    assert_false(trust_has("one", packs[0]));
    free(text);
    free(other);
    free(expected);
}

static void what_cannot_be_kept_is_said(void **state)
{
    struct err err = {0};
    char *odd = text_format("%s/new\nline", folder);
    mkdir(odd, 0700);
    assert_int_not_equal(trust_keep("odd", odd, &err), 0);
    assert_false(trust_has("odd", odd));
    assert_int_not_equal(trust_keep("gone", "/no/such/folder", &err), 0);
    setenv("XDG_STATE_HOME", "/dev/null", 1);
    assert_int_not_equal(trust_keep("one", packs[0], &err), 0);
    assert_non_null(strstr(err.text, "/dev/null/warpdrill/trusted-packs"));
    setenv("XDG_STATE_HOME", folder, 1);
    mkdir(folder, 0700);
    char path[96];
    snprintf(path, sizeof path, "%s/warpdrill", folder);
    mkdir(path, 0700);
    assert_int_equal(mkdir(answers, 0700),
                     0); /* no plain file: nothing is trusted, nothing is overwritten */
    assert_false(trust_has("one", packs[0]));
    assert_int_not_equal(trust_keep("one", packs[0], &err), 0);
    free(odd);
}

static void the_default_place_is_below_home(void **state)
{
    setenv("XDG_STATE_HOME", "relative", 1);
    setenv("HOME", "/nowhere/me", 1);
    char *path = trust_file();
    assert_string_equal(path, "/nowhere/me/.local/state/warpdrill/trusted-packs");
    free(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(nobody_is_trusted_at_first_but_what_came_along, setup,
                                        folder_remove),
        cmocka_unit_test_setup_teardown(a_yes_is_of_one_id_in_one_folder, setup, folder_remove),
        cmocka_unit_test_setup_teardown(the_file_is_edited_by_hand, setup, folder_remove),
        cmocka_unit_test_setup_teardown(what_cannot_be_kept_is_said, setup, folder_remove),
        cmocka_unit_test_setup_teardown(the_default_place_is_below_home, setup, folder_remove),
    };
    return cmocka_run_group_tests_name("trusted packs", tests, NULL, NULL);
}
