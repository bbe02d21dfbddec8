/* config.yaml: where it lies, what it may say, how errors are placed, and that packs of it are
 * found. */
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/text.h"
#include "scenarios/library/catalog.h"
#include "scenarios/library/config.h"
#include "tests/folder.h"
#include "tests/unit.h"

static int setup(void **state)
{
    char path[128];
    if (folder_make("config"))
        return -1;
    setenv("XDG_CONFIG_HOME", folder, 1);
    setenv("WARPDRILL_CONTENT", "/nowhere", 1);
    setenv("XDG_DATA_HOME", "/nowhere", 1);
    setenv("XDG_DATA_DIRS", "/nowhere", 1);
    setenv("HOME", "/nowhere/me", 1);
    snprintf(path, sizeof path, "%s/warpdrill", folder);
    return mkdir(path, 0700);
}

static void put(const char *text, size_t n)
{
    char path[128];
    snprintf(path, sizeof path, "%s/warpdrill/config.yaml", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    fclose(f);
}

static void refuses(const char *text, const char *expected)
{
    struct config c;
    struct err err = {0};
    put(text, strlen(text));
    assert_int_not_equal(config_read(&c, &err), 0);
    assert_int_equal(c.n_packs, 0);
    if (!strstr(err.text, expected))
        fail_msg("expected: %s\nsaid: %s", expected, err.text);
}

static void no_file_is_no_setting(void **state)
{
    struct config c;
    struct err err;
    assert_int_equal(config_read(&c, &err), 0);
    assert_int_equal(c.n_packs, 0);
    config_free(&c);
    for (const char *const *text =
             (const char *const[]){"", "\n\n", "# packs: [/x]\n   \n# more\n", NULL};
         *text; text++) {
        put(*text, strlen(*text));
        assert_int_equal(config_read(&c, &err), 0);
        assert_int_equal(c.n_packs, 0);
        config_free(&c);
    }
}

static void home_is_put_in_place(void **state)
{
    static const char text[] = "packs:\n  - ~/gpu-packs\n  - /srv/packs\n  - ~\n";
    struct config c;
    struct err err;
    put(text, strlen(text));
    assert_int_equal(config_read(&c, &err), 0);
    assert_int_equal(c.n_packs, 3);
    assert_string_equal(c.packs[0], "/nowhere/me/gpu-packs");
    assert_string_equal(c.packs[1], "/srv/packs");
    assert_string_equal(c.packs[2], "/nowhere/me");
    config_free(&c);
}

static void the_default_place_is_below_home(void **state)
{
    unsetenv("XDG_CONFIG_HOME");
    char *path = config_path();
    assert_string_equal(path, "/nowhere/me/.config/warpdrill/config.yaml");
    free(path);
    setenv("XDG_CONFIG_HOME", "relative", 1); /* as the convention asks */
    path = config_path();
    assert_string_equal(path, "/nowhere/me/.config/warpdrill/config.yaml");
    free(path);
}

static void errors_have_a_place(void **state)
{
    refuses("packs: /srv\n", "config.yaml:1:8:");
    refuses("packs: [work/packs]\n",
            "config.yaml:1:9: 'work/packs'; a folder that begins with / or ~/ was expected");
    refuses("packs: [~other/packs]\n", "a folder that begins with / or ~/ was expected");
    refuses("pack: [/srv]\n", "config.yaml:1:1:");
    refuses("packs: [/srv]\npacks: [/srv]\n", "config.yaml:2:1:");
    refuses("- /srv\n", "config.yaml:1:1:");
    refuses("packs: [[/srv]]\n", "config.yaml:1:9:");
    refuses("packs: [\"/srv\\e[31m\"]\n", "config.yaml:1:");
    refuses("packs: [&a /srv]\n", "config.yaml:1:9:");
    put("pa\0cks", 6);
    struct config c;
    struct err err;
    assert_int_not_equal(config_read(&c, &err), 0);
}

static void what_is_no_plain_file_is_refused(void **state)
{
    char path[128];
    struct config c;
    struct err err;
    snprintf(path, sizeof path, "%s/warpdrill/config.yaml", folder);
    assert_int_equal(mkfifo(path, 0600), 0); /* nobody waits for it */
    assert_int_not_equal(config_read(&c, &err), 0);
    assert_non_null(strstr(err.text, "cannot read"));
    unlink(path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_int_not_equal(config_read(&c, &err), 0);
}

static void packs_are_found_through_it(void **state)
{
    struct catalog *c;
    struct err err = {0};
    char *here = realpath("tests/packs", NULL),
         *text = text_format("packs: [%s/good, /no/such/folder]\n", here);
    put(text, strlen(text));
    assert_int_equal(catalog_open(&c, NULL, 0, &err), 0);
    assert_int_equal(c->n_packs, 1);
    assert_string_equal(c->packs[0]->id, "example");
    assert_int_equal(c->n_problems, 1);
    assert_string_equal(c->problems[0].where, "/no/such/folder");
    catalog_free(c);
    put("packs: 3\n", 9); /* a problem, and the rest works */
    const char *dirs[] = {"tests/packs/good"};
    assert_int_equal(catalog_open(&c, dirs, 1, &err), 0);
    assert_int_equal(c->n_packs, 1);
    assert_int_equal(c->n_problems, 1);
    assert_non_null(strstr(c->problems[0].text, "config.yaml:1:8:"));
    catalog_free(c);
    free(text);
    free(here);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(no_file_is_no_setting, setup, folder_remove),
        cmocka_unit_test_setup_teardown(home_is_put_in_place, setup, folder_remove),
        cmocka_unit_test_setup_teardown(the_default_place_is_below_home, setup, folder_remove),
        cmocka_unit_test_setup_teardown(errors_have_a_place, setup, folder_remove),
        cmocka_unit_test_setup_teardown(what_is_no_plain_file_is_refused, setup, folder_remove),
        cmocka_unit_test_setup_teardown(packs_are_found_through_it, setup, folder_remove),
    };
    return cmocka_run_group_tests_name("config", tests, NULL, NULL);
}
