/* Markdown at several widths: clean text becomes clean lines, and none but code is wider than it
 * may be. */
#include <assert.h>
#include <locale.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "tui/kit/draw.h"
#include "tui/kit/prose.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void judge(const char *text, int width)
{
    struct prose p;
    prose_make(&p, text, width);
    for (int k = 0; k < p.n; k++) {
        const char *line = p.line[k].text;
        assert(text_first_bad(line, strlen(line)) == strlen(line));
        assert(!strchr(line, '\n'));
        assert(p.line[k].style == STYLE_ACCENT || draw_columns(line) <= width);
    }
    assert(p.n == 0 || (*p.line[0].text && *p.line[p.n - 1].text));
    prose_free(&p);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    setlocale(LC_ALL, "C.UTF-8");
    char *text = text_ndup((const char *)data, size);
    text_clean(text, strlen(text));
    judge(text, 40);
    judge(text, 200);
    free(text);
    return 0;
}
