/* `warpdrill join CODE`: what is asked before the terminal is taken, and said after it was given back. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "scenarios/interview/session_code.h"
#include "scenarios/link/session_link.h"
#include "scenarios/link/session_place.h"
#include "tui/commands/cmd.h"
#include "tui/interview/join.h"

/* One line of the terminal; false at its end. */
static bool ask(const char *prompt, char *out, size_t size)
{
    printf("%s: ", prompt);
    fflush(stdout);
    if (!fgets(out, (int)size, stdin))
        return false;
    if (!strchr(out, '\n'))
        for (int c; (c = getchar()) != '\n' && c != EOF;)
            ;
    out[strcspn(out, "\r\n")] = '\0';
    return true;
}

static int code_find(char code[CODE_TEXT], const struct cmd *c, struct err *err)
{
    struct session_place place;
    char typed[128], id[8];
    if (c->n_args > 0)
        snprintf(typed, sizeof typed, "%s", c->args[0]);
    else if (!ask("Code", typed, sizeof typed))
        return err_set(err, ERR_BAD_REQUEST, "a code is needed: the interviewer has it");
    int rc = session_code_read(code, typed, err);
    if (rc)
        return rc;
    session_code_id(id, code);
    return session_place_find(&place, id, err);
}

int cmd_join(const struct cmd *c)
{
    char code[CODE_TEXT], name[64] = "" /* asked for once the code let in */, say[400];
    struct err err = {0};
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return cmd_misuse("an interview needs a terminal, and there is none here; over ssh, leave out any command, or ask for one with ssh -t");
    if (code_find(code, c, &err) || (c->name && session_name_read(name, c->name, &err)))
        return cmd_fail(&err);
    int status = join_run(say, code, name, &err);
    if (status < 0)
        return cmd_fail(&err);
    if (*say)
        fprintf(status ? stderr : stdout, "%s\n", say);
    fflush(stdout);
    _exit(status); /* confined: what runs at exit might want what was given up */
}
