/* content/FORMAT-PRACTICE.md against the reader of drills: every key, no other, and which ones are
 * needed. */
#include "drills/question/template_keys.h"

#include "drills/figure/figure_read.h"
#include "drills/library/library.h"
#include "drills/question/instance.h"
#include "kernels/wire/text.h"
#include "tests/unit.h"

static char *slurp(const char *path)
{
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    char *text = mem_new(1 << 20, 1);
    assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
    fclose(f);
    return text;
}

/* The next row "| `key` | kind | default |" from *at on, before `end`: its key, and whether it is
 * needed. */
static bool next_row(const char **at, const char *end, char key[40], bool *needed)
{
    const char *row = strstr(*at, "\n| `");
    if (!row || row >= end)
        return false;
    const char *name = row + 4, *kind = strchr(name, '|'), *fallback = strchr(kind + 1, '|');
    snprintf(key, 40, "%.*s", (int)strcspn(name, "`"), name);
    *needed = !strncmp(fallback, "| needed |", 10);
    *at = name;
    return true;
}

static void described(const char *doc, const struct yaml_shape *s)
{
    char *head = text_format("\n#### %s\n", s->what), key[40];
    const char *at = strstr(doc, head);
    if (!at)
        fail_msg("FORMAT-PRACTICE.md has no heading '%s'", s->what);
    at += strlen(head);
    const char *end = strstr(at, "\n#");
    bool needed;
    for (int k = 0; k < s->n; k++) {
        if (!next_row(&at, end ? end : at + strlen(at), key, &needed))
            fail_msg("FORMAT-PRACTICE.md does not describe '%s' of %s", s->key[k].name, s->what);
        assert_string_equal(key, s->key[k].name);
        if (needed != s->key[k].needed)
            fail_msg("FORMAT-PRACTICE.md and the reader do not agree whether %s needs '%s'",
                     s->what, key);
    }
    if (next_row(&at, end ? end : at + strlen(at), key, &needed))
        fail_msg("FORMAT-PRACTICE.md describes '%s' of %s, which the reader does not know",
                 key, s->what);
    free(head);
}

static void the_description_names_every_key_and_no_other(void **state)
{
    char *doc = slurp("content/FORMAT-PRACTICE.md");
    described(doc, &set_shape);
    described(doc, &drill_shape);
    described(doc, &var_shape);
    described(doc, &wrong_shape);
#define DESCRIBED(NAME) described(doc, &figure_##NAME##_shape);
    FIGURE_SHAPES(DESCRIBED)
    free(doc);
}

/* ---- the example ---- */

static char *example(const char *doc)
{
    static const char fence[] = "```yaml drills/example.yaml\n";
    const char *at = strstr(doc, fence);
    assert_non_null(at);
    at += strlen(fence);
    return text_ndup(at, (size_t)(strstr(at, "\n```\n") + 1 - at));
}

static bool uses_key(const char *text, const char *key)
{
    for (const char *at = text; (at = strstr(at, key)); at++)
        if (at[strlen(key)] == ':' && (at == text || strchr("\n {-", at[-1])))
            return true;
    return false;
}

static void the_example_loads_and_has_every_key(void **state)
{
    static const struct yaml_shape *const shapes[] = {&set_shape, &drill_shape, &var_shape,
                                                      &wrong_shape};
    char *doc = slurp("content/FORMAT-PRACTICE.md"), *text = example(doc);
    static const char source[] = "extern \"C\" __global__ void copy() {}\n";
    struct library l;
    struct drill_set *set = NULL;
    struct files *f = files_new("drills");
    struct err err = {0};
    library_open_at(&l, "content");
    files_add(f, "example.yaml", text, strlen(text));
    files_add(f, "measured/memory.cu", source, strlen(source));
    if (drill_set_read(&set, f, files_find(f, "example.yaml"), l.tables, l.n_tables, &err))
        fail_msg("%s", err.text);
    struct drill_instance *shown;
    for (uint64_t seed = 0; seed < 20; seed++) {
        if (drill_instance_make(&shown, &set->drills[0], seed, NULL, &err))
            fail_msg("%s", err.text);
        drill_instance_free(shown);
    }
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int k = 0; k < shapes[i]->n; k++)
            if (!uses_key(text, shapes[i]->key[k].name))
                fail_msg("the example has no '%s'", shapes[i]->key[k].name);
    drill_set_free(set);
    library_free(&l);
    files_free(f);
    free(text);
    free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_description_names_every_key_and_no_other),
        cmocka_unit_test(the_example_loads_and_has_every_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
