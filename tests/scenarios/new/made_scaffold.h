/* A scenario made of tests/new/FILE in memory, and what its files hold. */
#ifndef WD_TESTS_MADE_SCAFFOLD_H
#define WD_TESTS_MADE_SCAFFOLD_H

#include "kernels/wire/text.h"
#include "scenarios/new/scaffold.h"
#include "tests/unit.h"

#define SCENARIO "some-rows/scenario.yaml"
#define SUSPECT "some-rows/a/suspect.cu"
#define REFERENCE "some-rows/a/sealed/reference.cu"
#define ANSWER "some-rows/a/sealed/answer.yaml"

/* Made in memory, in a pack that is not there. */
static inline int make(struct files **out, const char *file, const char *kernel, const char *cause,
                       struct err *err)
{
    struct scaffold s = {.level = 2};
    const char **made = NULL;
    int n = 0;
    char *path = text_format("tests/new/%s", file);
    *out = NULL;
    int rc = scaffold_place(&s, "nowhere/some-pack/some-rows", err);
    if (!rc)
        rc = source_open_at(&s.source, path, NULL, err);
    if (!rc) {
        s.kernel = kernel ? source_kernel(s.source, kernel) : &s.source->kernels[0];
        assert_non_null(s.kernel);
        rc = source_params(s.source, (struct kernel *)s.kernel, err);
    }
    if (!rc) {
        s.cause = cause ? cause_find(cause) : NULL;
        scaffold_guess(&s);
        rc = scaffold_make(out, &made, &n, &s, err);
        assert_true(rc || n == 7);
    }
    free(made);
    free(path);
    scaffold_free(&s);
    return rc;
}

static inline const char *text_of(const struct files *f, const char *path)
{
    const struct file *found = files_find(f, path);
    if (!found)
        fail_msg("there is no %s", path);
    return found->text;
}

static inline void holds(const struct files *f, const char *path, const char *text)
{
    if (!strstr(text_of(f, path), text))
        fail_msg("%s does not hold: %s\n%s", path, text, text_of(f, path));
}

static inline void lacks(const struct files *f, const char *path, const char *text)
{
    if (strstr(text_of(f, path), text))
        fail_msg("%s holds: %s", path, text);
}

#endif
