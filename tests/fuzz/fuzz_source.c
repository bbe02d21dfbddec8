/* Any text as a .cu file from which a scenario is to be made: refused, or taken over as device code
 * that the pack reader takes. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "kernels/wire/token.h"
#include "scenarios/new/scaffold_pipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was read without complaint makes a scenario that loads, or has no output. */
static void make(struct source *source, struct kernel *k)
{
    struct scaffold s = {.level = 2, .source = source, .kernel = k};
    struct files *files = NULL;
    const char **made = NULL;
    struct err err = {0};
    int n = 0;
    assert(!scaffold_place(&s, "not-there/some-pack/some-rows", &err));
    scaffold_guess(&s);
    int rc = scaffold_make(&files, &made, &n, &s, &err);
    assert(!rc || (err.code < 0 && err.text[0]));
    free(made);
    files_free(files);
    s.source = NULL;
    scaffold_free(&s);
}

/* All launches of it as a step: made, or refused. */
static void make_step(struct source *source)
{
    struct scaffold s = {.level = 2, .source = source};
    struct files *files = NULL;
    const char **made = NULL;
    struct err err = {0};
    int n = 0;
    assert(!scaffold_place(&s, "not-there/some-pack/some-steps", &err));
    int rc = scaffold_pipeline(&files, &made, &n, &s, &err);
    assert(!rc || (err.code < 0 && err.text[0]));
    free(made);
    files_free(files);
    s.source = NULL;
    scaffold_free(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct source *s;
    struct err err = {0};
    if (source_read(&s, "kernel.cu", (const char *)data, size, &err)) {
        assert(err.code < 0 && err.text[0]);
        return 0;
    }
    for (int i = 0; i < s->n_kernels; i++) {
        struct token_text tokens;
        char *text = NULL;
        if (source_params(s, &s->kernels[i], &err))
            continue;
        if (source_take(&text, NULL, s, &(const struct kernel *){&s->kernels[i]}, 1, &err) == 0) {
            assert(token_scan(&tokens, text, strlen(text), &err) == 0);
            token_free(&tokens);
            make(s, &s->kernels[i]);
        }
        free(text);
    }
    make_step(s);
    source_free(s);
    return 0;
}
