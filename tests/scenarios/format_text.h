/* content/FORMAT*.md as the tests look at them: one text, by sections. */
#ifndef WD_TESTS_SCENARIOS_FORMAT_TEXT_H
#define WD_TESTS_SCENARIOS_FORMAT_TEXT_H

#include "kernels/wire/text.h"
#include "tests/unit.h"

static char *doc;

static const char *const format_files[] = {
    "content/FORMAT.md",
    "content/FORMAT-CASES.md",
    "content/FORMAT-PRACTICE.md",
    "content/FORMAT-RUBRICS.md",
};

enum { FORMAT_MOST = 1 << 20 };

/* Appends a file to doc; how many bytes. */
static size_t slurp_file(const char *path, size_t at)
{
    FILE *f = fopen(path, "r");
    size_t n = f ? fread(doc + at, 1, FORMAT_MOST - 1 - at, f) : 0;
    if (f)
        fclose(f);
    return n;
}

static int slurp(void **state)
{
    size_t at = 0;
    doc = mem_new(FORMAT_MOST, 1);
    for (size_t i = 0; i < sizeof format_files / sizeof *format_files; i++) {
        size_t n = slurp_file(format_files[i], at);
        if (!n)
            return -1;
        at += n;
    }
    return 0;
}

static int drop(void **state)
{
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
        fail_msg("no FORMAT*.md has a heading '%s'", what);
    if (strstr(at + 1, head))
        fail_msg("FORMAT*.md have two headings '%s'", what);
    at += strlen(head);
    free(head);
    const char *end = at;
    bool fenced = false;
    for (; *end && (fenced || strncmp(end, "\n#", 2)); end++)
        fenced = strncmp(end, "\n```", 4) ? fenced : !fenced;
    return text_ndup(at, (size_t)(end - at) + 1);
}

#endif
