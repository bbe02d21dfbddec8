/* warpdrill new: the cause, and where one belongs that no kernel can have. */
#include "tui/commands/cmd_new.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/new/scaffold_whole.h"
#include "scenarios/pack/pack.h"

static bool holds_word(const char *text, const char *part)
{
    return strcasestr(text, part) != NULL;
}

static int list_causes(const char *part)
{
    size_t n;
    int shown = 0;
    const struct hypothesis *t = taxonomy(&n);
    const char *group = "";
    for (size_t i = 0; i < n; i++) {
        if (!cause_find(t[i].id) ||
            (*part && !holds_word(t[i].id, part) && !holds_word(t[i].label, part) &&
             !holds_word(t[i].explain, part)))
            continue;
        if (strcmp(group, t[i].group))
            fprintf(stderr, "  %s\n", group = t[i].group);
        fprintf(stderr, "  %4zu  %-24s %s\n", i + 1, t[i].id, t[i].label);
        shown++;
    }
    return shown;
}

/* An id, or the number that list_causes shows. NULL if neither. */
static const struct cause *cause_of(const char *text)
{
    size_t n;
    const struct hypothesis *t = taxonomy(&n);
    char *end;
    unsigned long k = strtoul(text, &end, 10);
    return cause_find(*text && !*end && k >= 1 && k <= n ? t[k - 1].id : text);
}

static int refuse_cause(const char *text)
{
    const char *kind = scaffold_whole_of(text);
    if (kind)
        return cmd_misuse("%s cannot be the cause in one kernel; new PACK/SCENARIO --kind %s "
                          "--cause %s makes a draft of a %s that has it",
                          text, kind, text, kind);
    fprintf(stderr, "warpdrill: '%s' is not in the taxonomy; one of these was expected:\n", text);
    list_causes("");
    return CMD_USAGE;
}

int new_ask_cause(struct asking *a)
{
    char line[200];
    if (a->c->draft.cause || a->ask)
        *a->s.guessed = '\0';
    if (a->c->draft.cause) {
        a->s.cause = cause_of(a->c->draft.cause);
        return a->s.cause ? CMD_OK : refuse_cause(a->c->draft.cause);
    }
    if (a->ask)
        list_causes("");
    while (a->ask && !a->over) {
        fprintf(stderr,
                "What was it? A number, an id, or a word to search for [%s]: ", a->s.cause->id);
        new_read_line(a, line);
        const struct cause *d = cause_of(line);
        if (d)
            a->s.cause = d;
        if (d || !*line)
            break;
        if (!list_causes(line))
            fprintf(stderr, "  nothing has that word\n");
    }
    return CMD_OK;
}
