/* content/FORMAT.md as the tests look at it: its sections. */
#ifndef WD_TESTS_SCENARIOS_FORMAT_TEXT_H
#define WD_TESTS_SCENARIOS_FORMAT_TEXT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

static char *doc;

static int slurp(void **state)
{
    (void)state;
    FILE *f = fopen("content/FORMAT.md", "r");
    doc = mem_new(1 << 20, 1);
    size_t n = f ? fread(doc, 1, (1 << 20) - 1, f) : 0;
    if (f)
        fclose(f);
    return n ? 0 : -1;
}

static int drop(void **state)
{
    (void)state;
    free(doc);
    return 0;
}

/* ---- the text ---- */

/* What stands below the heading, up to the next one. malloc'd. */
static char *section(const char *mark, const char *what)
{
    char *head = text_format("\n%s %s\n", mark, what);
    const char *at = strstr(doc, head);
    if (!at)
        fail_msg("FORMAT.md has no heading '%s'", what);
    if (strstr(at + 1, head))
        fail_msg("FORMAT.md has two headings '%s'", what);
    at += strlen(head);
    free(head);
    const char *end = at;
    bool fenced = false;
    for (; *end && (fenced || strncmp(end, "\n#", 2)); end++)
        fenced = strncmp(end, "\n```", 4) ? fenced : !fenced;
    return text_ndup(at, (size_t)(end - at) + 1);
}

#endif
