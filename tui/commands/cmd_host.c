/* `warpdrill host`: what can be wrong is said before the screen is taken. */
#include "tui/commands/commands.h"

#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/wire/os.h"
#include "scenarios/interview/interview.h"
#include "scenarios/interview/interview_life.h"
#include "scenarios/interview/session_code.h"
#include "scenarios/interview/authorized_key.h"
#include "tui/interview/host.h"
#include "tui/home/history.h"

/* ---- the interviews there are ---- */

static void print_row(const struct interview_listed *l)
{
    char when[32];
    const char *state = l->unreadable ? "cannot be read"
                        : l->over     ? "over"
                        : l->open     ? "a host has it open"
                        : l->began_ms ? "can be resumed"
                                      : "not begun";
    history_when(when, sizeof when, l->last_ms, wall_now());
    printf("%-18s  %-12s  %-16s  %-20s  %s\n", l->id, when, l->candidate, state, l->title);
}

static json_t *row_json(const struct interview_listed *l)
{
    return json_pack("{s:s, s:s, s:s, s:I, s:I, s:b, s:b, s:b, s:i, s:i, s:I}", "id", l->id,
                     "title", l->title, "candidate", l->candidate, "began_ms",
                     (json_int_t)l->began_ms, "last_ms", (json_int_t)l->last_ms, "over", l->over,
                     "open", l->open, "unreadable", l->unreadable, "part", l->part, "parts",
                     l->parts, "bytes", (json_int_t)l->bytes);
}

static int list(const struct cmd *c)
{
    struct interview_listed *all = NULL;
    struct err err = {0};
    json_t *rows = c->json ? json_array() : NULL;
    int n = 0;
    if (interview_list(&all, &n, &err)) {
        json_decref(rows);
        return cmd_fail(&err);
    }
    for (int k = 0; k < n; k++) {
        if (rows)
            json_array_append_new(rows, row_json(&all[k]));
        else
            print_row(&all[k]);
    }
    if (rows)
        cmd_print_json(rows);
    else if (n == 0)
        fprintf(stderr, "warpdrill: no interview was held here yet\n");
    free(all);
    return CMD_OK;
}

/* Whose it is, since a beginning of an ID may mean another one. One that cannot be read can be
 * deleted too. */
static int ask_delete(const char *id)
{
    struct interview *live = NULL;
    struct err err = {0};
    char typed[64] = "";
    int rc = interview_open(&live, id, true, &err);
    if (rc == ERR_MISSING || rc == ERR_BAD_REQUEST)
        return cmd_fail(&err);
    const struct session_plan *plan = rc ? NULL : &interview_session(live)->plan;
    if (plan)
        fprintf(stderr, "Interview %s: %s%s%s\n", interview_id(live), plan->title,
                *plan->candidate ? ", of " : "", plan->candidate);
    else
        fprintf(stderr, "Interview %s cannot be read: %s\n", id, err.text);
    interview_free(live);
    fputs("Delete it for good, with everything that was kept of it here? [y/N] ", stderr);
    if (fgets(typed, sizeof typed, stdin) && (*typed == 'y' || *typed == 'Y'))
        return CMD_OK;
    fputs("It stays.\n", stderr);
    return CMD_FAILED;
}

static int delete(const char *id, bool yes)
{
    struct err err = {0};
    if (!yes && (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO)))
        return cmd_misuse("deleting asks first, and there is no terminal to ask on: --yes deletes "
                          "without a question");
    int status = yes ? CMD_OK : ask_delete(id);
    if (status)
        return status;
    if (interview_delete(id, &err))
        return cmd_fail(&err);
    fprintf(stderr,
            "Interview %s is deleted, with everything that was kept of it here. Reports that were "
            "written elsewhere are not touched.\n",
            id);
    return CMD_OK;
}

/* ---- which one goes on ---- */

/* The newest that is not over. */
static int newest(char *id, size_t size)
{
    struct interview_listed *all = NULL;
    struct err err = {0};
    int n = 0;
    id[0] = '\0';
    if (interview_list(&all, &n, &err))
        return cmd_fail(&err);
    for (int k = 0; k < n && !id[0]; k++)
        if (!all[k].over && !all[k].unreadable)
            snprintf(id, size, "%s", all[k].id);
    free(all);
    if (id[0])
        return CMD_OK;
    fprintf(stderr, "warpdrill: there is no interview to go on with; `warpdrill host` plans one, "
                    "and --resume ID grades one that is over\n");
    return CMD_FAILED;
}

/* Opens it once, so that what is wrong with it is said here. One that is over is opened for its
 * grades. */
static int can_resume(const char *id)
{
    struct interview *live;
    struct err err = {0};
    if (interview_open(&live, id, false, &err))
        return cmd_fail(&err);
    interview_free(live);
    return CMD_OK;
}

/* Its level, minutes and rubric are what makes it the same. */
static int check_like(const struct cmd *c)
{
    struct session_plan plan;
    struct err err = {0};
    if (c->like && (c->resume || c->draft.level || c->minutes || c->rubric))
        return cmd_misuse("--like takes level, minutes and rubric from the interview that it "
                          "names; change them in the plan");
    return c->like && interview_plan_of(&plan, c->like, &err) ? cmd_fail(&err) : CMD_OK;
}

/* ---- the options ---- */

static int number(int *out, const char *text, const char *name, int least, int most)
{
    char *end;
    if (!text)
        return CMD_OK;
    long n = strtol(text, &end, 10);
    if (!*text || *end || n < least || n > most)
        return cmd_misuse("%s is %d to %d, not '%s'", name, least, most, text);
    *out = (int)n;
    return CMD_OK;
}

static int check_rubric(const char *path)
{
    struct session_plan plan = {0};
    struct err err = {0};
    return path && session_rubric_read(&plan, path, &err) ? cmd_fail(&err) : CMD_OK;
}

static int check_key(const char *path)
{
    struct session_codes codes;
    struct err err = {0};
    char *line = NULL;
    session_codes_make(&codes);
    int rc = path ? authorized_key_line(&line, "/warpdrill", codes.candidate, path, &err) : 0;
    free(line);
    return rc ? cmd_fail(&err) : CMD_OK;
}

static int check_user(const char *name)
{
    return name && !getpwnam(name) ? cmd_misuse("there is no user %s here", name) : CMD_OK;
}

/* The console wraps it, and a terminal copies what is wrapped in pieces. */
static int print_key_line(const char *code, const char *file)
{
    struct err err = {0};
    char *program = os_program_path(), *line = NULL, meant[CODE_TEXT];
    int rc = session_code_read(meant, code, &err);
    if (rc == 0)
        rc = authorized_key_line(&line, program ? program : "/usr/bin/warpdrill", meant, file,
                                 &err);
    if (rc == 0)
        puts(line);
    free(line);
    free(program);
    return rc ? cmd_fail(&err) : CMD_OK;
}

int cmd_host(const struct cmd *c)
{
    char id[64] = "";
    struct host_options options = {.like = c->like,
                                   .level = -1,
                                   .rubric = c->rubric,
                                   .guest = c->guest,
                                   .key = c->key,
                                   .share = c->share,
                                   .no_wall = c->no_wall,
                                   .start = c->start};
    if (c->list)
        return list(c);
    if (c->delete)
        return delete(c->delete, c->draft.yes);
    if (c->key_line)
        return print_key_line(c->key_line, c->key);
    if (c->n_args && !c->resume)
        return cmd_misuse("to go on with an interview: warpdrill host --resume %s", c->args[0]);
    int status = number(&options.level, c->draft.level, "--level", 0, 4);
    status = status ? status : number(&options.minutes, c->minutes, "--minutes", 20, 180);
    status = status ? status : check_rubric(c->rubric);
    status = status ? status : check_like(c);
    status = status ? status : check_key(c->key);
    status = status ? status : check_user(c->guest);
    if (!status && (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO)))
        status = cmd_misuse("the interviewer's console needs a terminal, and there is none here");
    if (!status && c->resume && c->n_args)
        snprintf(id, sizeof id, "%s", c->args[0]);
    else if (!status && c->resume)
        status = newest(id, sizeof id);
    if (!status && c->resume)
        status = can_resume(id);
    options.resume = c->resume ? id : NULL;
    return status ? status : cmd_tui(c, NULL, &options);
}
