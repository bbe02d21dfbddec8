/* `warpdrill join CODE`: what is asked before the terminal is taken, and said after it was given
 * back. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenarios/interview/session_code.h"
#include "scenarios/link/session_link.h"
#include "scenarios/link/session_place.h"
#include "tui/commands/commands.h"
#include "tui/interview/curtain.h"
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

/* Other users read command lines, so it stands there no longer than it takes to read it. */
static void take_argument(char *out, size_t size, char *argument)
{
    snprintf(out, size, "%s", argument);
    memset(argument, '*', strlen(argument));
}

/* The argument, else the environment (which the same user and root alone can read), else what is
 * typed. */
static int code_find(char code[CODE_TEXT], const struct cmd *c, struct err *err)
{
    struct session_place place;
    char typed[128], id[8];
    const char *set = getenv("WARPDRILL_CODE");
    if (c->n_args > 0)
        take_argument(typed, sizeof typed, (char *)c->args[0]);
    else if (set && *set)
        snprintf(typed, sizeof typed, "%s", set);
    else if (!ask("Code", typed, sizeof typed))
        return err_set(err, ERR_BAD_REQUEST, "a code is needed: the interviewer has it");
    unsetenv("WARPDRILL_CODE");
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
        return cmd_misuse("an interview needs a terminal, and there is none here; over ssh, leave "
                          "out any command, or ask for one with ssh -t");
    if (code_find(code, c, &err) || (c->name && session_name_read(name, c->name, &err)))
        return cmd_fail(&err);
    if (c->curtain)
        return curtain_run(code, name);
    int status = join_run(say, &(struct join_terms){.code = code, .name = name}, &err);
    if (status < 0)
        return cmd_fail(&err);
    if (*say)
        fprintf(status ? stderr : stdout, "%s\n", say);
    fflush(stdout);
    _exit(status); /* confined: what runs at exit might want what was given up */
}
