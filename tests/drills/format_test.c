/* content/FORMAT.md against the reader of drills: every key, no other, and which ones are needed. */
#include "drills/template_keys.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/wire/text.h"

static char *slurp(const char *path)
{
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    char *text = mem_new(1 << 20, 1);
    assert_true(fread(text, 1, (1 << 20) - 1, f) > 0);
    fclose(f);
    return text;
}

/* The next row "| `key` | kind | default |" from *at on, before `end`: its key, and whether it is needed. */
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
        fail_msg("FORMAT.md has no heading '%s'", s->what);
    at += strlen(head);
    const char *end = strstr(at, "\n#");
    bool needed;
    for (int k = 0; k < s->n; k++) {
        if (!next_row(&at, end ? end : at + strlen(at), key, &needed))
            fail_msg("FORMAT.md does not describe '%s' of %s", s->key[k].name, s->what);
        assert_string_equal(key, s->key[k].name);
        if (needed != s->key[k].needed)
            fail_msg("FORMAT.md and the reader do not agree whether %s needs '%s'", s->what, key);
    }
    if (next_row(&at, end ? end : at + strlen(at), key, &needed))
        fail_msg("FORMAT.md describes '%s' of %s, which the reader does not know", key, s->what);
    free(head);
}

static void the_description_names_every_key_and_no_other(void **state)
{
    (void)state;
    char *doc = slurp("content/FORMAT.md");
    described(doc, &set_shape);
    described(doc, &drill_shape);
    described(doc, &var_shape);
    described(doc, &wrong_shape);
    free(doc);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_description_names_every_key_and_no_other)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
