/* Any bytes as a device source: refused with a line, or normalised so that doing it again changes
 * nothing, with line numbers that rise and lie within the source. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include "kernels/wire/token.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_lines(const struct token_text *t, const char *source, size_t size)
{
    int newlines = 0, most = 1;
    for (size_t i = 0; i < t->len; i++)
        newlines += t->text[i] == '\n';
    for (size_t i = 0; i < size; i++)
        most += source[i] == '\n';
    assert(newlines == t->lines);
    for (int i = 0; i < t->lines; i++)
        assert(t->line_of[i] >= 1 && t->line_of[i] <= most &&
               (i == 0 || t->line_of[i] > t->line_of[i - 1]));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct token_text once, twice;
    struct err err = {0};
    if (token_scan(&once, (const char *)data, size, &err)) {
        int line, column;
        assert(err.code < 0 && token_error_place(&err, &line, &column) > err.text);
        return 0;
    }
    check_lines(&once, (const char *)data, size);
    int rc = token_scan(&twice, once.text, once.len, &err);
    assert(rc == 0 && once.len == twice.len && !memcmp(once.text, twice.text, once.len));
    token_free(&once);
    token_free(&twice);
    return 0;
}
