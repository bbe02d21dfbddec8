/* Where a pack comes from: a folder, or what came with the program. */
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/text.h"
#include "scenarios/library/origin.h"
#include "tests/folder.h"
#include "tests/unit.h"

static int setup(void **state)
{
    setenv("WARPDRILL_CONTENT", "/nowhere", 1);
    return folder_make("origin");
}

/* A file below the folder, with the folders above it. */
static void put_bytes(const char *name, const char *text, size_t n)
{
    char *path = text_format("%s/%s", folder, name);
    for (char *slash = path + strlen(folder) + 1; (slash = strchr(slash, '/')); *slash++ = '/') {
        *slash = '\0';
        mkdir(path, 0700);
    }
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    fclose(f);
    free(path);
}

static void put(const char *name, const char *text)
{
    put_bytes(name, text, strlen(text));
}

static void make(const char *name)
{
    char *keep = text_format("%s/.keep", name);
    put(keep, "");
    free(keep);
}

static struct origin origin(const char *name)
{
    struct origin o;
    char *path = text_format("%s/%s", folder, name);
    origin_find(&o, path);
    free(path);
    return o;
}

static void says(const char *name, const char *expected)
{
    char words[600];
    struct origin o = origin(name);
    origin_words(words, sizeof words, &o);
    assert_string_equal(words, expected);
    origin_free(&o);
}

static void a_plain_folder(void **state)
{
    make("packs/mine");
    char *expected = text_format("%s/packs/mine", folder);
    says("packs/mine", expected);
    struct origin o = origin("packs/../packs/mine");
    assert_false(o.shipped);
    assert_string_equal(o.folder, expected);
    json_t *obj = origin_encode(&o);
    assert_string_equal(json_string_value(json_object_get(obj, "kind")), "folder");
    json_decref(obj);
    origin_free(&o);
    free(expected);
}

static void what_came_with_the_program(void **state)
{
    make("share/packs/ours");
    make("share/packs2/theirs");
    make("share/drills/measured");
    make("elsewhere/linked");
    char *content = text_format("%s/share/packs", folder),
         *there = text_format("%s/elsewhere/linked", folder),
         *link = text_format("%s/linked", content);
    char *drills = text_format("%s/share/drills", folder);
    setenv("WARPDRILL_CONTENT", content, 1);
    assert_int_equal(symlink(there, link), 0);
    says("share/packs/ours", "shipped");
    assert_true(origin_shipped(drills));
    struct origin o = origin("share/packs2/theirs"); /* a longer name is another folder */
    assert_false(o.shipped);
    origin_free(&o);
    o = origin("share/packs/linked");                           /* a link leads out */
    assert_false(o.shipped);
    origin_free(&o);
    assert_false(origin_shipped("/no/such/folder"));
    free(content);
    free(there);
    free(link);
    free(drills);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_plain_folder, setup, folder_remove),
        cmocka_unit_test_setup_teardown(what_came_with_the_program, setup, folder_remove),
    };
    return cmocka_run_group_tests_name("origin", tests, NULL, NULL);
}
