/* A pack in memory: "=== PATH" begins a file. Whatever the bytes, the reader loads them or says why
 * not. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/pack/pack.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct files *split(const char *s, const char *end)
{
    struct files *f = files_new("fuzz");
    char path[128];
    while (s < end && f->n < 40) {
        const char *stop = memchr(s, '\n', (size_t)(end - s));
        if (!stop || stop - s < 5 || stop - s > 100 || memcmp(s, "=== ", 4))
            break;
        memcpy(path, s + 4, (size_t)(stop - s - 4));
        path[stop - s - 4] = '\0';
        const char *text = stop + 1, *next = text;
        while (next < end && !(end - next >= 4 && !memcmp(next, "=== ", 4))) {
            const char *line = memchr(next, '\n', (size_t)(end - next));
            next = line ? line + 1 : end;
        }
        files_add(f, path, text, (size_t)(next - text));
        s = next;
    }
    return f;
}

static int no_value(void *ctx, const char *name, struct quantity *out, struct err *err)
{
    (void)ctx, (void)out;
    return err_set(err, ERR_MISSING, "%s has no value", name);
}

/* What a failing evaluation later shows. */
static void use(const struct pack *p)
{
    for (int i = 0; i < p->n_stories; i++)
        for (int k = 0; k < p->stories[i].n_params; k++) {
            const struct expr *e = &p->stories[i].params[k].value;
            struct err err = {0};
            struct quantity q;
            int column = 0;
            if (formula_eval(e->f, no_value, NULL, &q, &column, &err))
                assert(expr_fail(e, column, p, &err) < 0 && *err.text);
        }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct pack *p;
    struct err err = {0};
    int rc = pack_load(&p, split((const char *)data, (const char *)data + size), &err);
    assert(rc ? !p && err.code == rc && *err.text : p != NULL);
    if (p)
        use(p);
    pack_free(p);
    return 0;
}
