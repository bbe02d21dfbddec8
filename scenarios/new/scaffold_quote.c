/* A text as YAML takes it. */
#include "scenarios/new/scaffold_draft.h"

#include <ctype.h>
#include <string.h>

void draft_quote(FILE *f, const char *text)
{
    bool plain = isalpha((unsigned char)*text) &&
                 text[strspn(text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 "
                                   ",.-_()/+;?")] == '\0';
    if (plain && text[strlen(text) - 1] != ' ') {
        fputs(text, f);
        return;
    }
    putc('\'', f);
    for (; *text; text++)
        fprintf(f, "%s%c", *text == '\'' ? "'" : "", *text);
    putc('\'', f);
}
