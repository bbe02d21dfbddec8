/* Who may read a pack's answers where it lies: modes of the file and of every folder above it. */
#include "scenarios/text/files.h"

#include <sys/stat.h>

#include "kernels/wire/text.h"
#include "tests/folder.h"
#include "tests/unit.h"

static void below(char *out, size_t size, const char *name)
{
    snprintf(out, size, "%s/%s", folder, name);
}

static void mode(const char *name, unsigned bits)
{
    char path[128];
    below(path, sizeof path, name);
    assert_int_equal(chmod(path, (mode_t)bits), 0);
}

static int begin(void **state)
{
    static const char *const folders[] = {"pack", "pack/story", "pack/story/a",
                                          "pack/story/a/sealed"};
    char path[128];
    if (folder_make("open"))
        return -1;
    for (int i = 0; i < 4; i++) {
        below(path, sizeof path, folders[i]);
        mkdir(path, 0755);
    }
    below(path, sizeof path, "pack/story/a/sealed/answer.yaml");
    FILE *f = fopen(path, "w");
    fputs("format: 1\n", f);
    fclose(f);
    chmod(path, 0644);
    return chmod(folder, 0755);
}

static bool is_open(void)
{
    char root[128];
    below(root, sizeof root, "pack");
    struct files *f = files_new(root);
    files_add(f, "story/scenario.yaml", "x", 1);
    files_add(f, "story/a/sealed/answer.yaml", "x", 1);
    bool open = files_sealed_open_to_all(f);
    files_free(f);
    return open;
}

static void test_each_mode_on_the_way_shuts_it(void **state)
{
    static const struct { const char *name; unsigned shut, open;
    } way[] = {
        {"pack/story/a/sealed/answer.yaml", 0640, 0644},
        {"pack/story/a/sealed", 0750, 0755},
        {"pack/story/a", 0750, 0711},
        {"pack", 0700, 0755},
        {"", 0700, 0711},
    };
    assert_true(is_open());
    for (size_t i = 0; i < sizeof way / sizeof way[0]; i++) {
        mode(way[i].name, way[i].shut);
        assert_false(is_open());
        mode(way[i].name, way[i].open);
        assert_true(is_open());
    }
}

static void test_what_is_not_there_is_not_open(void **state)
{
    struct files *f = files_new("/nonexistent");
    files_add(f, "story/a/sealed/answer.yaml", "x", 1);
    assert_false(files_sealed_open_to_all(f));
    files_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_each_mode_on_the_way_shuts_it),
        cmocka_unit_test(test_what_is_not_there_is_not_open),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, begin, folder_remove);
}
