/* Before a command runs GPU code that did not come with warpdrill: the question, once, on a
 * terminal; --trust answers it for scripts. */
#include "tui/commands/cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "kernels/wire/text.h"
#include "scenarios/library/origin.h"
#include "scenarios/library/trust.h"

/* To stderr, in lines of at most 78 columns: data goes to stdout. */
static void print_wrapped(const char *text)
{
    enum { WIDTH = 78 };
    int column = 0;
    for (size_t n; *text; text += n) {
        if (*text == '\n' || *text == ' ') {
            if (*text == '\n')
                fputc('\n', stderr), column = 0;
            n = 1;
            continue;
        }
        n = strcspn(text, " \n");
        if (column + 1 + (int)n > WIDTH)
            fputc('\n', stderr), column = 0;
        column += fprintf(stderr, "%s%.*s", column ? " " : "", (int)n, text);
    }
    fputc('\n', stderr);
}

static bool asked_yes(void)
{
    char line[16] = "";
    fputs("Run it? [y/N] ", stderr);
    fflush(stderr);
    if (!fgets(line, sizeof line, stdin))
        fputc('\n', stderr);
    line[strcspn(line, "\r\n")] = '\0';
    return !strcasecmp(line, "y") || !strcasecmp(line, "yes");
}

static int ask(const char *id, const char *title, const char *folder, const struct origin *o)
{
    struct err err = {0};
    fprintf(stderr, "'%s', %s, did not come with warpdrill:\n  %s\n", id, title, o->folder);
    print_wrapped(trust_what);
    if (!asked_yes()) {
        cmd_misuse("nothing of '%s' was run; recorded evidence needs no GPU", id);
        return CMD_FAILED;
    }
    if (trust_keep(id, folder, &err))
        cmd_fail(&err); /* a yes all the same */
    return CMD_OK;
}

int cmd_trust_code(const struct cmd *c, const char *id, const char *title, const char *folder)
{
    struct origin o;
    int status = CMD_OK;
    if (c->trust || trust_has(id, folder))
        return CMD_OK;
    origin_find(&o, folder);
    if (isatty(STDIN_FILENO) && isatty(STDERR_FILENO)) {
        status = ask(id, title, folder, &o);
    } else {
        cmd_misuse("'%s' in %s did not come with warpdrill, and nobody said yet that its GPU code "
                   "may run here; look at it, then answer on a terminal, or give --trust",
                   id, o.folder);
        status = CMD_FAILED;
    }
    origin_free(&o);
    return status;
}

int cmd_trust(const struct cmd *c, const struct pack *p)
{
    return cmd_trust_code(c, p->id, p->title, p->files->root);
}
