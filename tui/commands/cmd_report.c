/* `warpdrill report`: an interview on paper. */
#include "tui/commands/commands.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/text.h"
#include "scenarios/interview/interview.h"
#include "scenarios/interview/interview_life.h"
#include "scenarios/report/session_report.h"
#include "tui/kit/draw.h"
#include "tui/home/history.h"

/* ---- which interviews there are ---- */

static const char *state_of(const struct interview_listed *l)
{
    return l->unreadable ? "cannot be read"
           : l->over     ? "over"
           : l->open     ? "a host has it open"
           : l->began_ms ? "not closed"
                         : "not begun";
}

static json_t *row_json(const struct interview_listed *l)
{
    json_t *row =
        json_pack("{s:s, s:I, s:I, s:i, s:i, s:I, s:s}", "id", l->id, "began_ms",
                  (json_int_t)l->began_ms, "last_ms", (json_int_t)l->last_ms, "part", l->part + 1,
                  "parts", l->parts, "bytes", (json_int_t)l->bytes, "state", state_of(l));
    json_object_set_new(row, "title", json_string(l->title));
    json_object_set_new(row, "candidate", json_string(l->candidate));
    return row;
}

/* Pads by columns, since a name may be of any script. */
static void padded(const char *text, int columns)
{
    int n = draw_columns(text);
    printf("%s%*s  ", text, n < columns ? columns - n : 0, "");
}

static void print_row(const struct interview_listed *l)
{
    char when[32], parts[24];
    history_when(when, sizeof when, l->began_ms ? l->began_ms : l->last_ms, wall_now());
    snprintf(parts, sizeof parts, "part %d of %d", l->part + 1, l->parts);
    padded(l->id, 18);
    padded(when, 14);
    padded(l->candidate, 20);
    padded(l->unreadable ? "" : parts, 12);
    padded(state_of(l), 18);
    printf("%6lld KiB\n", (long long)(l->bytes + 1023) / 1024);
}

static int list(const struct cmd *c)
{
    struct interview_listed *all = NULL;
    struct err err = {0};
    int n = 0;
    if (interview_list(&all, &n, &err))
        return cmd_fail(&err);
    json_t *rows = json_array();
    for (int k = 0; k < n; k++) {
        if (c->json)
            json_array_append_new(rows, row_json(&all[k]));
        else
            print_row(&all[k]);
    }
    if (c->json)
        cmd_print_json(json_incref(rows));
    else if (n == 0)
        fprintf(stderr, "warpdrill: no interview was held here yet\n");
    json_decref(rows);
    free(all);
    return CMD_OK;
}

/* ---- where it goes ---- */

/* The host's alone, and whole or not at all. */
static int write_file(const char *path, const char *text)
{
    const char *name = strrchr(path, '/');
    int folder = name ? (int)(name - path) + 1 : 0;
    char *temporary = text_format("%.*s.%s.XXXXXX", folder, path, path + folder);
    int fd = mkstemp(temporary);     /* 0600 */
    FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
    bool ok = f && fputs(text, f) >= 0 && fflush(f) == 0 && fsync(fd) == 0;
    if (f && fclose(f) != 0)
        ok = false;
    if (!ok || rename(temporary, path) != 0) {
        int why = errno;
        if (fd >= 0)
            unlink(temporary);
        cmd_misuse("cannot write %s: %s", path, strerror(why));
        ok = false;
    }
    free(temporary);
    return ok ? CMD_OK : CMD_FAILED;
}

/* --format, else what the file's name ends in, else Markdown; -1: usage was said. */
static int format_of(const struct cmd *c)
{
    const char *dot = c->out && !c->format ? strrchr(c->out, '.') : NULL;
    int found = c->format ? report_format_find(c->format)
                : dot     ? report_format_find(dot + 1)
                          : REPORT_MARKDOWN;
    if (found < 0 && c->format)
        cmd_misuse("--format is md, html, csv or json, not '%s'", c->format);
    else if (found < 0)
        found = REPORT_MARKDOWN;
    return found;
}

int cmd_session(struct interview **out, const struct cmd *c)
{
    struct interview_listed *all = NULL;
    struct err err = {0};
    char id[64] = "";
    int n = 0;
    if (c->n_args)
        return interview_open(out, c->args[0], true, &err) ? cmd_fail(&err) : CMD_OK;
    if (interview_list(&all, &n, &err))
        return cmd_fail(&err);
    for (int k = 0; k < n && !id[0]; k++)
        if (!all[k].unreadable)
            snprintf(id, sizeof id, "%s", all[k].id);
    free(all);
    if (!id[0]) {
        fprintf(stderr, "warpdrill: no interview was held here yet\n");
        return CMD_FAILED;
    }
    return interview_open(out, id, true, &err) ? cmd_fail(&err) : CMD_OK;
}

int cmd_truth(const struct interview *live, const struct cmd *c)
{
    enum session_phase phase = interview_session(live)->phase;
    if (c->truth || phase == SESSION_OVER || phase == SESSION_WAITING)
        return CMD_OK;
    return cmd_misuse("the interview %s is not over, and this shows its causes to whoever reads "
                      "this terminal: --truth shows it all the same",
                      interview_id(live));
}

int cmd_report(const struct cmd *c)
{
    struct interview *live = NULL;
    bool candidate = c->guest && !strcmp(c->guest, "candidate");
    int format = format_of(c);
    if (c->list)
        return list(c);
    if (format < 0)
        return CMD_USAGE;
    if (c->guest && !candidate && strcmp(c->guest, "interviewer"))
        return cmd_misuse("--for is candidate or interviewer, not '%s'", c->guest);
    int status = cmd_session(&live, c);
    status = status || candidate ? status : cmd_truth(live, c);
    if (status) {
        interview_free(live);
        return status;
    }
    json_t *report = report_make(live, candidate);
    if (candidate && !c->truth)
        report_without_answers(report);
    char *text = report_write(report, (enum report_format)format);
    if (c->out)
        status = write_file(c->out, text);
    else
        fputs(text, stdout);
    free(text);
    json_decref(report);
    interview_free(live);
    return status;
}
