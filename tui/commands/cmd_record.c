/* warpdrill record: a pack's evidence, measured through the runner and kept beside it, or taken out
 * of another copy of the pack. */
#include "tui/commands/commands.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/os.h"
#include "kernels/wire/text.h"
#include "scenarios/check/suggest.h"
#include "scenarios/record/record.h"
#include "scenarios/record/record_merge.h"

struct recorder {
    const struct cmd *c;
    struct client *client;
    struct msg_device device;
    struct record_options options;
    struct record **plans; int n_plans;     /* those with something to do */
    int planned, recorded, over; /* variants: looked at, written, measured in vain or written */
    int items, items_done;                  /* of all plans; done: of those that are over */
    int64_t began_ms;
};

static void say(void *ctx, const char *text)
{
    (void)ctx;
    fprintf(stderr, "%s\n", text);
}

/* ---- Ctrl-C: what is finished stays. A second one ends the program at once. ---- */

static volatile sig_atomic_t stopped;

static void on_signal(int number)
{
    (void)number;
    stopped = 1;
}

static void catch_signals(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESETHAND};
    stopped = 0;
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
}

static bool is_stopped(void *ctx)
{
    (void)ctx;
    return stopped != 0;
}

/* ---- progress ---- */

static void time_left(char *out, size_t size, const struct recorder *r, int done)
{
    double seconds = (double)(os_monotonic_ms() - r->began_ms) / 1000;
    double left = done > 0 ? seconds / done * (r->items - done) : 0;
    if (done == 0 || left < 5)
        snprintf(out, size, "%s", "");
    else if (left < 90)
        snprintf(out, size, ", about %.0f s left", left);
    else
        snprintf(out, size, ", about %.0f min left", left / 60);
}

static void on_step(void *ctx, int done, int of, const char *what)
{
    const struct recorder *r = ctx;
    char left[48];
    time_left(left, sizeof left, r, r->items_done + done);
    fprintf(stderr, "%d of %d: %s (%d of %d variants done%s)\n", done + 1, of, what, r->over,
            r->n_plans, left);
}

/* ---- planning ---- */

static int plan_one(void *ctx, const struct variant *v)
{
    struct recorder *r = ctx;
    struct record *plan = NULL;
    struct err err = {0};
    if (story_is_case(v->story)) {
        printf("%s: a case, its evidence lies in the pack; nothing to record\n", v->full_id);
        return CMD_OK;
    }
    r->planned++;
    if (record_plan(&plan, v, &r->device, r->client, &r->options, &err)) {
        fprintf(stderr, "warpdrill: %s: %s\n", v->full_id, err.text);
        return CMD_FAILED;
    }
    if (record_items(plan) == 0) {
        printf("%s: %s\n", record_path(plan), record_why(plan));
        record_free(plan);
        return CMD_OK;
    }
    if (r->c->dry_run)
        printf("%s: would measure %d: %s\n", record_path(plan), record_measured(plan),
               record_why(plan));
    r->plans = mem_grow(r->plans, (size_t)r->n_plans + 1, sizeof *r->plans);
    r->plans[r->n_plans++] = plan;
    r->items += record_items(plan);
    return CMD_OK;
}

/* ---- measuring ---- */

static void explain_end(const struct recorder *r, const struct err *err)
{
    int left = r->n_plans - r->recorded;
    fprintf(stderr,
            "warpdrill: %s: %d of %d variants are recorded or up to date and stay; the same "
            "command goes on with the other %d\n",
            err->code == ERR_CANCELLED ? "stopped" : err->text, r->planned - left, r->planned,
            left);
}

/* CMD_OK, CMD_FAILED, or -1 when nothing more can be measured. */
static int record_one(struct recorder *r, struct record *plan)
{
    struct err err = {0};
    char *failed = NULL;
    fprintf(stderr, "%s: %s\n", record_variant(plan)->full_id, record_why(plan));
    int rc = record_measure(plan, &r->device, &failed, &err);
    if (rc == 0 && record_keep(plan, &err) == 0) {
        printf("%s: recorded: %s%s%s\n", record_path(plan), record_why(plan),
               *record_said(plan) ? "; " : "", record_said(plan));
        fflush(stdout);
        r->recorded++;
    } else if (rc == ERR_LOST || rc == ERR_CANCELLED) {
        explain_end(r, &err);
    } else {
        cmd_fail(&err);
    }
    if (failed)
        fprintf(stderr, "warpdrill: not measured, and so not in the file:\n%s\n", failed);
    int status = err.code || failed ? CMD_FAILED : CMD_OK;
    free(failed);
    return rc == ERR_LOST || rc == ERR_CANCELLED ? -1 : status;
}

/* Before the description that goes into the files, which tells what was measured of links. Without
 * them a recording is as good, but for estimates that name them. */
static void measure_links(struct recorder *r)
{
    struct msg_links links;
    struct err err = {0};
    bool wanted = false;
    for (int i = 0; i < r->n_plans; i++)
        wanted = wanted || record_variant(r->plans[i])->story->gpus > 1;
    if (wanted && cmd_measure_links(r->client, 2, false, &links, &err))
        fprintf(stderr, "warpdrill: links were not measured: %s\n", err.text);
}

static int record_plans(struct recorder *r)
{
    struct err err = {0};
    int status = CMD_OK, one = CMD_OK;
    measure_links(r);
    if (cmd_describe(r->client, &r->device, "measure", &err))
        return cmd_fail(&err);
    catch_signals();
    r->began_ms = os_monotonic_ms();
    for (int i = 0; i < r->n_plans && one >= 0; i++) {
        one = record_one(r, r->plans[i]);
        status = one == CMD_OK ? status : CMD_FAILED;
        r->over++;
        r->items_done += record_items(r->plans[i]);
        record_free(r->plans[i]);
        r->plans[i] = NULL;
    }
    return status;
}

static int record_pack(struct recorder *r, const struct pack *pack)
{
    struct err err = {0};
    if (cmd_connect(&r->client, &r->device, r->c, "none", &err)) {
        int status = cmd_fail(&err);
        if (r->c->dry_run)
            fprintf(stderr,
                    "without a GPU, `warpdrill check %s --for GPU,...` works out sizes, launches "
                    "and memory\n",
                    r->c->args[0]);
        return status;
    }
    int status = cmd_each_variant(r->c, pack, plan_one, r);
    if (status != CMD_USAGE && r->n_plans > 0 && !r->c->dry_run && record_plans(r) != CMD_OK)
        status = CMD_FAILED;
    for (int i = 0; i < r->n_plans; i++)
        record_free(r->plans[i]);
    free(r->plans);
    return status;
}

/* ---- out of another copy ---- */

struct merger { const struct files *from; struct merge_options options; struct merge_count count; };

static void print(void *ctx, const char *text)
{
    (void)ctx;
    puts(text);
}

static int merge_one(void *ctx, const struct variant *v)
{
    struct merger *m = ctx;
    record_merge(v, m->from, &m->options, &m->count);
    return CMD_OK;
}

static int merge_pack(const struct cmd *c, const struct pack *pack)
{
    struct files *from = NULL;
    struct merger m = {.options = {.dry_run = c->dry_run, .replace = c->replace, .say = print}};
    struct err err = {0};
    if (files_read(&from, c->from, &err))
        return cmd_fail(&err);
    m.from = from;
    int status = cmd_each_variant(c, pack, merge_one, &m);
    if (status == CMD_OK && c->n_args == 1)
        record_merge_rest(pack, from, &m.options, &m.count);
    files_free(from);
    if (status != CMD_OK)
        return status;
    int all = m.count.taken + m.count.same + m.count.kept + m.count.refused;
    if (all == 0)
        return cmd_misuse("%s holds no recorded evidence of %s", c->from, pack->id), CMD_FAILED;
    fprintf(stderr, "%d %s, %d the same, %d of ours kept, %d refused\n", m.count.taken,
            c->dry_run ? "would be taken" : "taken", m.count.same, m.count.kept, m.count.refused);
    return m.count.refused ? CMD_FAILED : CMD_OK;
}

/* ---- readings out of what is recorded ---- */

static int suggest_one(void *ctx, const struct variant *v)
{
    (void)ctx;
    char *text = NULL;
    struct err err = {0};
    if (story_is_case(v->story)) {
        printf("# %s: a case, whose evidence its author made\n", v->full_id);
        return CMD_OK;
    }
    if (suggest_readings(&text, v, &err))
        return cmd_fail(&err);
    fputs(text, stdout);
    free(text);
    return CMD_OK;
}

int cmd_record(const struct cmd *c)
{
    struct pack *pack = NULL;
    struct recorder r = {.c = c,
                         .options = {.again = c->again,
                                     .replace = c->replace,
                                     .step = on_step,
                                     .say = say,
                                     .stop = is_stopped}};
    r.options.ctx = &r;
    if (!strcmp(c->args[0], "drills"))
        return c->dry_run || c->from || c->suggest || c->n_args > 1
                   ? cmd_misuse("record drills takes --seeds A..B, --again and --replace alone")
                   : cmd_record_drills(c);
    if (c->seeds)
        return cmd_misuse("--seeds are of drills: warpdrill record drills --seeds A..B");
    int status = cmd_pack(&pack, c, c->args[0]);
    struct err err = {0};
    if (status == CMD_OK &&
        pack->seal != SEAL_NONE) { /* its evidence would lie in clear beside what is sealed */
        err_set(&err, ERR_PERMISSION, "%s is sealed; warpdrill unseal gives a folder to record in",
                pack->files->root);
        status = cmd_fail(&err);
    }
    for (int i = 1; status == CMD_OK && i < c->n_args; i++)
        if (!cmd_names_something(pack, c->args[i]))
            status = cmd_no_scenario(pack, c->args[i]);
    if (status == CMD_OK && c->suggest) {
        status = cmd_each_variant(c, pack, suggest_one, NULL);
    } else if (status == CMD_OK && c->from) {
        status = merge_pack(c, pack);
    } else if (status == CMD_OK) {
        status =
            c->dry_run ? CMD_OK : cmd_trust(c, pack); /* a dry run only asks what GPU is there */
        if (status == CMD_OK)
            status = record_pack(&r, pack);
    }
    client_free(r.client);
    msg_device_free(&r.device);
    pack_free(pack);
    return status;
}
