/* Where packs are looked for, what happens to broken and clashing ones, and names. */
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/text.h"
#include "scenarios/library/recorded_gpus.h"
#include "tests/folder.h"
#include "tests/unit.h"

/* An empty world: nothing beside the program, nothing of the user's or the system's. */
static int setup(void **state)
{
    if (folder_make("catalog"))
        return -1;
    setenv("WARPDRILL_CONTENT", "/nowhere", 1);
    setenv("XDG_CONFIG_HOME", "/nowhere", 1);
    setenv("XDG_DATA_HOME", "/nowhere", 1);
    setenv("XDG_DATA_DIRS", "/nowhere", 1);
    return 0;
}

static void make_path(const char *name)
{
    char *path = text_format("%s/%s", folder, name);
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = '\0';
        mkdir(path, 0700);
    }
    free(path);
}

/* The good pack's files under another folder, another id in its manifest. */
static void put_pack(const char *name, const char *id)
{
    struct files *f;
    struct err err = {0};
    assert_int_equal(files_read(&f, "tests/packs/good", &err), 0);
    for (int i = 0; i < f->n; i++) {
        char *path = text_format("%s/%s", name, f->file[i].path),
             *full = text_format("%s/%s", folder, path);
        make_path(path);
        FILE *out = fopen(full, "w");
        assert_non_null(out);
        if (strcmp(f->file[i].path, "pack.yaml"))
            fputs(f->file[i].text, out);
        else
            fprintf(out, "format: 1\nid: %s\ntitle: A copy\nlicence: MIT\nscenarios: [row-sums]\n",
                    id);
        fclose(out);
        free(path);
        free(full);
    }
    files_free(f);
}

static struct catalog *open_dirs(const char *a, const char *b)
{
    const char *dirs[2] = {a, b};
    struct catalog *c;
    struct err err = {0};
    if (catalog_open(&c, dirs, b ? 2 : a ? 1 : 0, &err))
        fail_msg("%s", err.text);
    return c;
}

static void takes_a_pack_or_a_folder_of_packs(void **state)
{
    struct catalog *c = open_dirs("tests/packs/good", NULL);
    assert_int_equal(c->n_packs, 1);
    assert_int_equal(c->n_problems, 0);
    catalog_free(c);
    put_pack("one", "one");
    put_pack("two", "two");
    c = open_dirs(folder, NULL);
    assert_int_equal(c->n_packs, 2);
    assert_string_equal(c->packs[0]->id, "one");
    catalog_free(c);
}

static void finds_packs_in_the_usual_places(void **state)
{
    put_pack("home/warpdrill/packs/mine", "mine");
    put_pack("system/warpdrill/packs/ours", "ours");
    put_pack("content/first", "first");
    char *home = text_format("%s/home", folder), *dirs = text_format("relative:%s/system", folder),
         *content = text_format("%s/content", folder);
    setenv("XDG_DATA_HOME", home, 1);
    setenv("XDG_DATA_DIRS", dirs, 1);
    setenv("WARPDRILL_CONTENT", content, 1);
    struct catalog *c = open_dirs(NULL, NULL);
    assert_int_equal(c->n_problems, 0);
    assert_int_equal(c->n_packs, 3);
    assert_string_equal(c->packs[0]->id, "first");
    assert_string_equal(c->packs[1]->id, "mine");
    assert_string_equal(c->packs[2]->id, "ours");
    catalog_free(c);
    free(home);
    free(dirs);
    free(content);
}

static void the_first_of_two_with_one_id_wins(void **state)
{
    put_pack("b", "same");
    put_pack("c", "same");
    struct catalog *c = open_dirs(folder, NULL);
    assert_int_equal(c->n_packs, 1);
    assert_int_equal(c->n_problems, 1);
    assert_non_null(strstr(c->packs[0]->files->root, "/b"));
    assert_non_null(strstr(c->problems[0].where, "/c"));
    assert_non_null(strstr(c->problems[0].text, "pack 'same' was found in"));
    catalog_free(c);
    c = open_dirs(folder, folder);      /* the same folder twice is no clash of its own */
    assert_int_equal(c->n_problems, 1);
    catalog_free(c);
}

static void a_broken_pack_is_a_problem_and_no_more(void **state)
{
    put_pack("fine", "fine");
    put_pack("poor", "Poor");
    struct catalog *c = open_dirs(folder, "/no/such/folder");
    assert_int_equal(c->n_packs, 1);
    assert_int_equal(c->n_problems, 2);
    assert_non_null(strstr(c->problems[0].text, "poor/pack.yaml:2:5: 'Poor'; the id of the pack"));
    assert_string_equal(c->problems[1].where, "/no/such/folder");
    assert_non_null(strstr(c->problems[1].text, "no such folder"));
    catalog_free(c);
}

/* Its line would be the answer. */
static void what_is_wrong_in_a_sealed_half_is_not_told(void **state)
{
    put_pack("one", "one");
    char *path = text_format("%s/one/row-sums/a/sealed/answer.yaml", folder);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fputs("format: 1\ncause: mem.secret\n", out);
    fclose(out);
    struct catalog *c = open_dirs(folder, NULL);
    assert_int_equal(c->n_problems, 1);
    const char *text = c->problems[0].text;
    assert_non_null(strstr(text, "the sealed half of this pack cannot be read; warpdrill check "));
    assert_null(strstr(text, "secret"));
    assert_null(strstr(text, "row-sums"));
    catalog_free(c);
    free(path);
}

static void nothing_at_all_is_an_error(void **state)
{
    struct catalog *c;
    struct err err = {0};
    assert_int_equal(catalog_open(&c, NULL, 0, &err), ERR_MISSING);
    assert_null(c);
    assert_non_null(strstr(err.text, "there is no pack"));
}

static void finds(const struct catalog *c, const char *id, const char *story, const char *variant)
{
    const struct story *s;
    const struct variant *v;
    struct err err = {0};
    if (catalog_find(c, id, &s, &v, &err))
        fail_msg("%s: %s", id, err.text);
    assert_string_equal(s->full_id, story);
    if (variant)
        assert_string_equal(v->full_id, variant);
    else
        assert_null(v);
}

static void misses(const struct catalog *c, const char *id, int code, const char *what)
{
    const struct story *s;
    const struct variant *v;
    struct err err = {0};
    assert_int_equal(catalog_find(c, id, &s, &v, &err), code);
    if (!strstr(err.text, what))
        fail_msg("expected: %s\nsaid: %s", what, err.text);
}

static void names_are_found(void **state)
{
    struct catalog *c = open_dirs("tests/packs/good", NULL);
    finds(c, "row-sums", "example/row-sums", NULL);
    finds(c, "example/row-sums", "example/row-sums", NULL);
    finds(c, "example/row-sums/b", "example/row-sums", "example/row-sums/b");
    finds(c, "row-sums/a", "example/row-sums", "example/row-sums/a");
    misses(c, "row-sum", ERR_MISSING, "did you mean example/row-sums");
    misses(c, "exampel/row-smus", ERR_MISSING, "did you mean example/row-sums");
    misses(c, "sums", ERR_MISSING, "did you mean example/row-sums");
    misses(c, "row-sums/z", ERR_MISSING, "did you mean example/row-sums");
    misses(c, "something-else", ERR_MISSING, "see warpdrill list");
    misses(c, "", ERR_MISSING, "there is no scenario ''");
    misses(c, "a/b/c/d", ERR_MISSING, "there is no scenario");
    misses(c, "row-sums/", ERR_MISSING, "there is no scenario");
    misses(c, "\x1b[31m", ERR_MISSING, "there is no scenario '?[31m'");
    catalog_free(c);
}

static void expect_opened_for(const char *id, int n_packs)
{
    static const char *const dirs[] = {"tests/packs/good", "tests/packs/cases", folder};
    struct catalog *c;
    struct err err = {0};
    if (catalog_open_for(&c, dirs, 3, id, &err))
        fail_msg("%s", err.text);
    assert_int_equal(c->n_packs, n_packs);
    catalog_free(c);
}

/* Both packs of a name, so that it is known to be in two; all where nobody has it. */
static void packs_without_the_wanted_name_stay_closed(void **state)
{
    put_pack("one", "one");
    expect_opened_for("row-sums", 2);
    expect_opened_for("one/row-sums", 2);
    expect_opened_for("row-sums/a", 2);
    expect_opened_for("row-sum", 3);
    expect_opened_for("../row-sums", 2);
    expect_opened_for("", 3);
}

static void a_name_in_two_packs_must_be_full(void **state)
{
    put_pack("one", "one");
    put_pack("two", "two");
    struct catalog *c = open_dirs(folder, NULL);
    misses(c, "row-sums", ERR_BAD_REQUEST,
           "may be one/row-sums or two/row-sums; the full name was expected");
    finds(c, "two/row-sums", "two/row-sums", NULL);
    finds(c, "two/row-sums/a", "two/row-sums", "two/row-sums/a");
    catalog_free(c);
}

/* A file that cannot be read leaves its GPU without a name, not without a row. */
static void recorded_gpus_have_names(void **state)
{
    put_pack("one", "one");
    make_path("one/row-sums/a/sealed/evidence/a-broken-one.json");
    char *broken = text_format("%s/one/row-sums/a/sealed/evidence/a-broken-one.json", folder);
    FILE *out = fopen(broken, "w");
    assert_non_null(out);
    fputs("{", out);
    fclose(out);
    free(broken);
    struct catalog *c = open_dirs(folder, NULL);
    struct recorded_gpus g;
    recorded_gpus_find(&g, c);
    assert_int_equal(g.n, 2);
    assert_string_equal(g.gpu[0].slug, "a-broken-one");
    assert_string_equal(g.gpu[0].name, "a-broken-one");
    assert_string_equal(g.gpu[1].slug, "fake-gpu");
    assert_string_equal(recorded_gpus_name(&g, "fake-gpu"), "Fake GPU");
    assert_string_equal(recorded_gpus_name(&g, "another"), "another");
    catalog_free(c);
    recorded_gpus_find(&g, NULL);
    assert_int_equal(g.n, 0);
}

static void put_empty(const char *name)
{
    char *path = text_format("%s/%s", folder, name);
    make_path(name);
    FILE *out = fopen(path, "w");
    assert_non_null(out);
    fclose(out);
    free(path);
}

/* A name may have dots, and one that is longer than any GPU's is no choice. */
static void gpus_are_the_names_of_files(void **state)
{
    put_pack("one", "one");
    put_empty("one/row-sums/a/sealed/evidence/gb10.5.json");
    put_empty("one/row-sums/a/sealed/evidence/"
              "a234567890123456789012345678901234567890123456789012345678901234.json");
    struct catalog *c = open_dirs(folder, NULL);
    struct recorded_gpus g;
    recorded_gpus_find(&g, c);
    assert_int_equal(g.n, 2);
    assert_string_equal(g.gpu[0].slug, "fake-gpu");
    assert_string_equal(g.gpu[1].slug, "gb10.5");
    catalog_free(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(takes_a_pack_or_a_folder_of_packs, setup, folder_remove),
        cmocka_unit_test_setup_teardown(finds_packs_in_the_usual_places, setup, folder_remove),
        cmocka_unit_test_setup_teardown(the_first_of_two_with_one_id_wins, setup, folder_remove),
        cmocka_unit_test_setup_teardown(a_broken_pack_is_a_problem_and_no_more, setup,
                                        folder_remove),
        cmocka_unit_test_setup_teardown(what_is_wrong_in_a_sealed_half_is_not_told, setup,
                                        folder_remove),
        cmocka_unit_test_setup_teardown(nothing_at_all_is_an_error, setup, folder_remove),
        cmocka_unit_test_setup_teardown(names_are_found, setup, folder_remove),
        cmocka_unit_test_setup_teardown(packs_without_the_wanted_name_stay_closed, setup,
                                        folder_remove),
        cmocka_unit_test_setup_teardown(a_name_in_two_packs_must_be_full, setup, folder_remove),
        cmocka_unit_test_setup_teardown(recorded_gpus_have_names, setup, folder_remove),
        cmocka_unit_test_setup_teardown(gpus_are_the_names_of_files, setup, folder_remove),
    };
    return cmocka_run_group_tests_name("catalog", tests, NULL, NULL);
}
