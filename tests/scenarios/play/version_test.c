/* The content version: which edits change it, and that an attempt's copy has that of its source. */
#include "kernels/wire/text.h"
#include "scenarios/play/attempt_log.h"
#include "scenarios/library/version.h"
#include "tests/unit.h"

/* The good pack with `more` at the end of one file, or with a new file; path NULL: as it is. */
static struct pack *edited(const char *path, const char *more)
{
    struct files *from, *to = files_new("good");
    struct pack *p = NULL;
    struct err err = {0};
    bool there = false;
    assert_int_equal(files_read(&from, "tests/packs/good", &err), 0);
    for (int i = 0; i < from->n; i++) {
        bool here = path && !strcmp(from->file[i].path, path);
        char *text = text_format("%s%s", from->file[i].text, here ? more : "");
        files_add(to, from->file[i].path, text, strlen(text));
        free(text);
        there = there || here;
    }
    if (path && !there)
        files_add(to, path, more, strlen(more));
    files_free(from);
    if (pack_load(&p, to, &err))
        fail_msg("%s", err.text);
    return p;
}

static void version(char out[VERSION_TEXT], const struct pack *p, const char *variant)
{
    assert_true(version_of(out, story_variant(pack_story(p, "row-sums"), variant)));
    assert_int_equal(strlen(out), 8);
    assert_int_equal(strspn(out, "0123456789abcdef"), 8);
}

static void changes(const char *path, const char *more, bool a, bool b)
{
    char was[2][VERSION_TEXT], is[2][VERSION_TEXT];
    struct pack *before = edited(NULL, NULL), *after = edited(path, more);
    version(was[0], before, "a");
    version(was[1], before, "b");
    version(is[0], after, "a");
    version(is[1], after, "b");
    if (a != !!strcmp(was[0], is[0]) || b != !!strcmp(was[1], is[1]))
        fail_msg("%s: a %s, b %s", path, is[0], is[1]);
    pack_free(before);
    pack_free(after);
}

static void what_changes_it(void **state)
{
    changes(NULL, NULL, false, false);
    changes("row-sums/scenario.yaml", "# more\n", true, true);
    changes("row-sums/a/suspect.cu", "// more\n", true, false);
    changes("row-sums/b/sealed/answer.yaml", "# more\n", false, true);
    changes("row-sums/a/sealed/debrief.md", "More.\n", true, false);
    changes("row-sums/sealed/shared.cu", "// new\n", true, true);
    changes("pack.yaml", "# more\n", false, false);
    changes("row-sums/a/sealed/evidence/new-gpu.json", "{}\n", false, false);
    changes("another/notes.md", "Not of this story.\n", false, false);
}

static void a_copy_has_the_version_of_its_source(void **state)
{
    char was[VERSION_TEXT], is[VERSION_TEXT];
    struct pack *p = edited(NULL, NULL), *copy = NULL;
    const struct variant *v = story_variant(pack_story(p, "row-sums"), "b"), *kept;
    char *text = content_make(v, NULL);
    assert_int_equal(content_load(&copy, &kept, text, strlen(text), NULL), 0);
    version(was, p, "b");
    assert_true(version_of(is, kept));
    assert_string_equal(was, is);
    pack_free(copy);
    pack_free(p);
    free(text);
}

static void a_copy_keeps_launches_of_its_own(void **state)
{
    struct pack *p, *copy = NULL;
    const struct variant *kept;
    struct err err = {0};
    if (pack_open(&p, "tests/packs/launches", &err))
        fail_msg("%s", err.text);
    const struct variant *v = story_variant(pack_story(p, "scaled-vector"), "b");
    char *text = content_make(v, NULL);
    if (content_load(&copy, &kept, text, strlen(text), &err))
        fail_msg("%s", err.text);
    assert_int_equal(kept->n_launches, 1);
    assert_string_equal(formula_text(kept->launches[0].grid[0].f), "8 * gpu.sm_count + 16");
    assert_int_equal(kept->location_line, v->location_line);
    pack_free(copy);
    pack_free(p);
    free(text);
}

static void words_only_where_they_differ(void **state)
{
    char out[100], version_now_is[VERSION_TEXT];
    struct pack *p = edited(NULL, NULL);
    const struct variant *v = story_variant(pack_story(p, "row-sums"), "a");
    version(version_now_is, p, "a");
    version_words(out, sizeof out, "played", version_now_is, v);
    assert_string_equal(out, "");
    version_words(out, sizeof out, "played", "1a2b3c4d", NULL);
    assert_string_equal(out, "");
    version_words(out, sizeof out, "played", "", v);
    assert_string_equal(out, "");
    version_words(out, sizeof out, "played", "1a2b3c4d", v);
    assert_string_equal(out, "played with version 1a2b3c4d; it has changed since");
    pack_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_changes_it),
        cmocka_unit_test(a_copy_has_the_version_of_its_source),
        cmocka_unit_test(a_copy_keeps_launches_of_its_own),
        cmocka_unit_test(words_only_where_they_differ),
    };
    return cmocka_run_group_tests_name("content versions", tests, NULL, NULL);
}
