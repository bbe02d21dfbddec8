#include "kernels/runner/sanitize.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "kernels/runner/report.h"
#include "kernels/wire/tool.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

enum {
    LOOK_EVERY_MS = 50,
    DEATH_MS = 2000,
    RESERVE_MS = 500,
    TOOL_MS = 30000,
    OUTPUT_MOST = 64 << 20,
    LINE_MOST = 4096,
    SPARE_S = 5
};

struct session {
    struct task *task;
    const struct msg_item *item;
    const char *run;
    char *tool, *program;
    int request;            /* what the program reads, in memory */
    int leash[2];           /* a pipe: the program ends when nobody can write to it */
    int from;
    int64_t until;
    size_t read;
    char line[LINE_MOST];
    size_t len;
    struct report report;
    bool cut_short;
};

static const char *metric_of(const char *tool)
{
    return !strcmp(tool, "racecheck")   ? "race_hazards"
           : !strcmp(tool, "initcheck") ? "uninitialised_reads"
           : !strcmp(tool, "synccheck") ? "barrier_errors"
                                        : "memory_errors";
}

static int refuse(struct err *err)
{
    int rc = err_set(err, ERR_UNSUPPORTED, "compute-sanitizer is not there");
    err_advise(err, NULL,
               "install the CUDA toolkit's cuda-sanitizer package (cuda-sanitizer-13-0), or set "
               "CUDA_HOME");
    return rc;
}

int sanitize_prove(struct err *err)
{
    char *tool = tool_find("compute-sanitizer");
    int rc = tool ? 0 : refuse(err);
    free(tool);
    return rc;
}

/* ---- the request, for the program under the tool ---- */

static int write_request(struct session *s, struct err *err)
{
    const struct ipc_message *m = s->task->message;
    int64_t seconds = (s->until - os_monotonic_ms()) / 1000 + SPARE_S;
    char leash[64];
    if ((s->request = memfd_create("request", MFD_CLOEXEC)) < 0)
        return err_set(err, ERR_UNSUPPORTED, "no memory for the request: %s", strerror(errno));
    if (pipe2(s->leash, O_CLOEXEC) != 0)
        return err_set(err, ERR_UNSUPPORTED, "no pipe for compute-sanitizer: %s", strerror(errno));
    snprintf(leash, sizeof leash, "/proc/%ld/fd/%d", (long)getpid(), s->leash[0]);
    struct ipc_blob *blobs = mem_new((size_t)m->n_blobs + 1, sizeof *blobs);
    for (int i = 0; i < m->n_blobs; i++)
        blobs[i] = (struct ipc_blob){m->blobs[i], m->lens[i]};
    json_t *head = json_pack("{s:s, s:O, s:O, s:i, s:s, s:I, s:s}", "type", "sanitize", "request",
                             json_object_get(m->head, "request"), "modules",
                             json_object_get(m->head, "modules"), "variant", s->item->variant,
                             "run", s->run, "seconds", (json_int_t)seconds, "leash", leash);
    struct ipc *ipc = ipc_new(dup(s->request));
    int rc = ipc_send(ipc, head, blobs, m->n_blobs, err);
    ipc_free(ipc);
    json_decref(head);
    free(blobs);
    return rc;
}

/* ---- the process ---- */

/* It stays in the worker's process group, so that it ends with the worker. */
static int start(struct session *s, struct err *err)
{
    struct launch what = {.program = LAUNCH_SANITIZER, .input = s->request};
    int pipes[2];
    snprintf(what.tool, sizeof what.tool, "%s", s->item->tool);
    if (pipe2(pipes, O_CLOEXEC) != 0)
        return err_set(err, ERR_UNSUPPORTED, "no pipe for compute-sanitizer: %s", strerror(errno));
    what.output = pipes[1];
    int rc = launcher_start(s->task->launcher, &what, err);
    close(pipes[1]);
    s->from = pipes[0];
    return rc;
}

static void end_line(struct session *s)
{
    s->line[s->len] = '\0';
    text_clean(s->line, s->len);
    report_line(&s->report, s->line);
    s->len = 0;
}

/* 1: there is more to come; 0: the end. What is too long for a line is cut. */
static int read_some(struct session *s, struct err *err)
{
    char block[16384];
    ssize_t n = read(s->from, block, sizeof block);
    if (n < 0)
        return errno == EINTR || errno == EAGAIN
                   ? 1
                   : err_set(err, ERR_UNSUPPORTED, "compute-sanitizer: %s", strerror(errno));
    for (ssize_t i = 0; i < n; i++) {
        if (block[i] == '\n')
            end_line(s);
        else if (s->len + 1 < sizeof s->line)
            s->line[s->len++] = block[i];
    }
    if (n == 0 && s->len)
        end_line(s);
    s->read += (size_t)n;
    if (s->read > OUTPUT_MOST)
        return err_set(err, ERR_UNSUPPORTED, "compute-sanitizer printed more than %d MB",
                       OUTPUT_MOST >> 20);
    return n > 0;
}

static int too_slow(const struct session *s, struct err *err)
{
    return err_set(err, ERR_UNSUPPORTED,
                   "%s " SANITIZE_CUT ". It slows kernels by 10 to 1000 times: smaller inputs or a "
                                      "longer deadline help",
                   s->item->tool);
}

static int listen(struct session *s, struct err *err)
{
    int64_t begun = os_monotonic_ms();
    for (int rc = 1; rc == 1;) {
        struct pollfd p = {.fd = s->from, .events = POLLIN};
        int ready = poll(&p, 1, LOOK_EVERY_MS);
        int64_t now = os_monotonic_ms();
        if (now >= s->until)
            return too_slow(s, err);
        rc = ready > 0 ? read_some(s, err) : 1;
        if (rc > 0 && task_check(s->task, err))
            rc = err->code;
        if (rc <= 0)
            return rc;
        task_progress(s->task, "sanitize", 0, 0, "%s is at work, %d s", s->item->tool,
                      (int)((now - begun) / 1000));
    }
    return 0;
}

static void close_fd(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

/* Let go of the leash, the program ends, and with it what watches it. All are gone when the pipe
 * has no writer any more. */
static void finish(struct session *s, bool kill_it)
{
    int64_t until = os_monotonic_ms() + DEATH_MS;
    struct pollfd p = {.fd = s->from, .events = POLLIN};
    char rest[4096];
    int status;
    close_fd(&s->leash[1]);
    bool ended = kill_it && launcher_ended(s->task->launcher, true, &status);
    while (kill_it && os_monotonic_ms() < until &&
           (poll(&p, 1, LOOK_EVERY_MS) == 0 || read(s->from, rest, sizeof rest) > 0))
        continue;
    while (!ended && !launcher_ended(s->task->launcher, os_monotonic_ms() >= until, &status))
        poll(NULL, 0, LOOK_EVERY_MS / 10);
}

static int run_tool(struct session *s, struct err *err)
{
    int rc = write_request(s, err);
    if (rc || (rc = start(s, err)))
        return rc;
    rc = listen(s, err);
    finish(s, rc != 0);
    report_line(&s->report, NULL);
    if (rc == ERR_UNSUPPORTED &&
        s->report.blocks > 0) { /* out of time, with findings: they stand */
        s->cut_short = true;
        return 0;
    }
    if (rc)
        return rc;
    if (*s->report.complaint)
        return err_set(err, ERR_UNSUPPORTED, "%s: %s", s->item->tool, s->report.complaint);
    if (!s->report.begun || !s->report.summed)
        return err_set(err, ERR_UNSUPPORTED, "compute-sanitizer ended without a summary");
    return 0;
}

/* ---- the part ---- */

/* What is left of the time, divided by the sanitizer's runs that are still to do. */
static int64_t share_of_time(const struct task *t, const char *run)
{
    int64_t left = t->until - RESERVE_MS - DEATH_MS - os_monotonic_ms(), shares = 0;
    const struct msg_item *here = &t->measure->items[t->item];
    for (int i = t->item + 1; i < t->measure->n_items; i++)
        shares += t->measure->items[i].probe == PROBE_SANITIZE ? t->measure->items[i].n_runs : 0;
    for (int i = here->n_runs - 1; i >= 0; i--) {
        shares++;
        if (!strcmp(here->runs[i], run))
            break;
    }
    return left > shares * TOOL_MS ? TOOL_MS : left / (shares ? shares : 1);
}

static int send(struct session *s, const struct err *why, struct err *err)
{
    struct msg_part *p = task_part_new(s->task, PROBE_SANITIZE, s->run, s->item->variant);
    part_note(p, "compute-sanitizer %s", s->item->tool);
    if (why)
        part_missing(p, metric_of(s->item->tool), "unsupported: %s", why->text);
    else
        part_value(p, metric_of(s->item->tool), (double)report_count(&s->report));
    if (s->cut_short)
        part_note(p, "at least: the tool was ended in the middle of its report");
    for (int i = 0; i < s->report.n_findings; i++)
        part_line(p, "%s", s->report.findings[i]);
    if (why)
        task_refuse(s->task, why);
    return task_part_send(s->task, p, err);
}

int sanitize_measure(struct task *t, const struct msg_item *item, const char *run, struct err *err)
{
    struct session *s = mem_new(1, sizeof *s);
    struct err why = {.code = 0};
    *s = (struct session){.task = t,
                          .item = item,
                          .run = run,
                          .request = -1,
                          .from = -1,
                          .leash = {-1, -1},
                          .tool = tool_find("compute-sanitizer"),
                          .program = os_program_path(),
                          .until = os_monotonic_ms() + share_of_time(t, run)};
    int rc = s->tool && s->program ? run_tool(s, &why) : refuse(&why);
    rc = rc == 0 || rc == ERR_UNSUPPORTED ? send(s, rc ? &why : NULL, err) : err_copy(err, &why);
    close_fd(&s->request);
    close_fd(&s->from);
    close_fd(&s->leash[0]);
    close_fd(&s->leash[1]);
    free(s->tool);
    free(s->program);
    free(s);
    return rc;
}
