/* Any text as a formula: refused with a column inside it, or parsed; then evaluated, shown and
 * asked for its names without harm. */
#include <assert.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/formula/formula.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Names mean something by their first letter: plain, with a dimension, missing, unknown. */
static int lookup(void *ctx, const char *name, struct quantity *out, struct err *err)
{
    (void)ctx;
    if (name[0] == 'm')
        return err_set(err, ERR_MISSING, "missing");
    if (name[0] == 'u')
        return err_set(err, ERR_BAD_REQUEST, "unknown");
    *out = (struct quantity){name[0] - 'a' + 0.5, name[0] == 'w'   ? DIM_BYTE
                                                  : name[0] == 't' ? DIM_SECOND
                                                                   : DIM_NONE};
    return 0;
}

static int name_ok(void *ctx, const char *name)
{
    (void)ctx;
    assert(name[0] != '\0');
    return 0;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = calloc(size + 1, 1), shown[256];
    if (size)
        memcpy(text, data, size);
    struct formula *f = NULL;
    struct err err = {0};
    int column = -1, length = (int)strlen(text);
    if (formula_parse(&f, text, &column, &err)) {
        assert(!f && err.code < 0 && err.text[0] && column >= 1 && column <= length + 1);
        free(text);
        return 0;
    }
    struct quantity q;
    int64_t whole;
    int rc = formula_eval(f, lookup, NULL, &q, &column, &err);
    assert(rc == 0 ? isfinite(q.value) : column >= 1 && column <= length);
    if (formula_whole(f, lookup, NULL, &whole, &column, &err) == 0)
        assert(whole >= 0 && whole < 9007199254740992);
    int holds = formula_holds(f, lookup, NULL, &column, &err);
    assert(holds <= 1);
    assert(formula_names(f, name_ok, NULL, &column) == 0);
    formula_show(f, lookup, NULL, shown, sizeof shown);
    formula_show(f, lookup, NULL, shown, 1 + size % 7);
    formula_free(f);
    free(text);
    return 0;
}
