/* warpdrill sheet: number tables, cards and drills to print. */
#include "tui/commands/commands.h"

#include <string.h>

#include "drills/library/sheet.h"

static int list_sheets(const struct library *l)
{
    fputs("What can be printed; warpdrill sheet chips prints one:\n",
          stderr); /* names alone are data */
    for (int i = 0; i < l->n_tables; i++)
        printf("%s\n", l->tables[i].id);
    for (int i = 0; i < l->n_cards; i++)
        printf("cards %s\n", l->cards[i].id);
    for (int i = 0; drill_topics[i]; i++)
        if (sheet_has_drills(l, drill_topics[i]))
            printf("drills %s\n", drill_topics[i]);
    return CMD_OK;
}

static int no_such(const char *what)
{
    cmd_misuse("there is no %s; warpdrill sheet lists what can be printed", what);
    return CMD_FAILED;
}

static int print_cards(const struct cmd *c, const struct library *l, enum sheet_format format)
{
    for (int i = 0; i < l->n_cards; i++)
        if (!strcmp(l->cards[i].id, c->args[1])) {
            sheet_cards(stdout, &l->cards[i], format);
            return CMD_OK;
        }
    return no_such("such set of cards");
}

static int print_sheet(const struct cmd *c, const struct library *l, enum sheet_format format)
{
    struct err err = {0};
    if (c->n_args == 0)
        return list_sheets(l);
    if (c->n_args == 1 && strcmp(c->args[0], "cards") && strcmp(c->args[0], "drills")) {
        const struct table *t = library_table(l, c->args[0]);
        if (!t)
            return no_such("such table");
        sheet_table(stdout, t, format);
        return CMD_OK;
    }
    if (c->n_args == 2 && !strcmp(c->args[0], "cards"))
        return print_cards(c, l, format);
    if (c->n_args == 1 || strcmp(c->args[0], "drills"))
        return cmd_misuse("usage: warpdrill sheet [TABLE | cards SET | drills TOPIC] [--format "
                          "text|md] [--seed N]");
    return sheet_drills(stdout, l, c->args[1], c->seeded ? c->seed : 1, format, &err)
               ? cmd_fail(&err)
               : CMD_OK;
}

int cmd_sheet(const struct cmd *c)
{
    struct library l;
    bool markdown = c->format && !strcmp(c->format, "md");
    if (c->format && !markdown && strcmp(c->format, "text"))
        return cmd_misuse("--format is text or md, not '%s'", c->format);
    library_open(&l);
    for (int i = 0; i < l.n_problems; i++)
        fprintf(stderr, "warpdrill: %s\n", l.problems[i].text);
    int status = print_sheet(c, &l, markdown ? SHEET_MARKDOWN : SHEET_TEXT);
    library_free(&l);
    return status;
}
