/* warpdrill mend: a person's text, judged at each save. One loop waits for the runner, the file and
 * Ctrl-C. */
#include "tui/commands/cmd_mend.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/os.h"
#include "kernels/wire/text.h"
#include "scenarios/mend/mend_steps.h"
#include "tui/commands/commands.h"

enum { LOOK_MS = 25 /* at the file, when nothing else happens */, FDS = 3 };

static volatile sig_atomic_t interrupted;

static void on_interrupt(int signal)
{
    (void)signal;
    interrupted = 1;
}

/* ---- judging what lies there ---- */

struct watch {
    struct mending *m;
    struct mend_judge *judge;
    struct mend_stamp seen, judged; /* as it was at the last look, and when it was judged */
    bool looked, told;              /* what was judged or refused is out */
    int stage;
    char refused[2048];             /* why the file could not be read, said once */
    char unkept[2048];              /* why the verdict is not in the store, said once; "": it is */
    bool done;                      /* of the last verdict: right, and as fast as the target */
};

static void say_refusal(struct watch *w, const struct err *err)
{
    if (!strcmp(w->refused, err->text))
        return;
    snprintf(w->refused, sizeof w->refused, "%s", err->text);
    w->done = false;
    if (w->m->c->json)
        mend_print_json(json_pack("{s:s, s:s, s:s}", "verdict", "refused", "reason", "text", "why",
                                  err->text));
    else
        cmd_fail(err);
}

static void begin(struct watch *w)
{
    struct mending *m = w->m;
    struct err err = {0};
    char *text;
    uint64_t fresh;
    if (mend_read(&text, &m->place, &err)) {
        say_refusal(w, &err);
        return;
    }
    *w->refused = '\0';
    os_random(&fresh, sizeof fresh);
    mend_uid(m->uid);
    w->judge = mend_judge_new(m->v, &m->device, m->client, m->place.name, text, fresh >> 11);
    w->stage = -1;
    free(text);
}

/* False: it is not in the store yet, and why was said. */
static bool keep(struct watch *w)
{
    const struct mend_verdict *v = mend_judge_verdict(w->judge);
    struct mending *m = w->m;
    struct err err = {0};
    if (!mend_keep(m->store, m->v->full_id, m->uid, mend_judge_text(w->judge), v, &err)) {
        *w->unkept = '\0';
        return true;
    }
    if (strcmp(w->unkept, err.text))
        cmd_fail(&err);
    snprintf(w->unkept, sizeof w->unkept, "%s", err.text);
    return false;
}

/* A save takes a moment: it is judged once two looks see the same. */
static void look(struct watch *w)
{
    struct mend_stamp now = mend_stamp_of(&w->m->place);
    bool settled = w->looked && mend_stamp_same(now, w->seen);
    w->seen = now;
    w->looked = true;
    bool same = w->told && mend_stamp_same(now, w->judged),
         waits_for_store = w->judge && mend_judge_over(w->judge);
    if (!settled || same || waits_for_store)
        return;
    if (w->judge && !keep(w)) /* called off by a new save */
        return;
    w->judged = now;
    w->told = true;
    mend_judge_free(w->judge);
    w->judge = NULL;
    begin(w);
}

static void tell(struct watch *w)
{
    const struct mend_verdict *v = mend_judge_verdict(w->judge);
    struct mend_tries *tries = &w->m->tries;
    struct err err = {0};
    mend_tries_free(tries);
    if (mend_tries_read(tries, w->m->store, w->m->v->full_id, &err))
        cmd_fail(&err);
    mend_print_verdict(w->m, v);
    w->done = mend_reached_all(w->m->v, v) && !*w->unkept;
    mend_judge_free(w->judge);
    w->judge = NULL;
}

static void say_so_far(const struct mend_verdict *v)
{
    char line[200];
    mend_headline(line, sizeof line, v);
    if (v->against.there)
        fprintf(stderr, "%s (%.1f s); ", line, v->first_seconds);
    else
        fprintf(stderr, "comparisons passed: %d; ", v->checks);
}

/* What is known first is said first. */
static void say_progress(struct watch *w)
{
    int at, of;
    const char *say = mend_judge_say(w->judge, &at, &of);
    if (at == w->stage || at >= of || w->m->c->json)
        return;
    w->stage = at;
    if (at > 0 && !mend_judge_known(w->judge))
        say_so_far(mend_judge_verdict(w->judge));
    fprintf(stderr, "%s ...\n", say);
}

static void hear(struct watch *w)
{
    struct client_event e;
    client_step(w->m->client);
    while (client_event(w->m->client, &e))
        mend_judge_event(w->judge, &e);
    if (!w->judge)
        return;
    say_progress(w);
    if (mend_judge_over(w->judge) && (keep(w) || w->m->c->once))
        tell(w);
}

static void wait_for_something(const struct watch *w)
{
    struct pollfd fds[FDS];
    int n = client_fds(w->m->client, fds, FDS), due = client_timeout_ms(w->m->client);
    poll(fds, (nfds_t)n, due >= 0 && due < LOOK_MS ? due : LOOK_MS);
}

static int run_watch(struct mending *m)
{
    struct watch w = {.m = m};
    struct sigaction act = {.sa_handler = on_interrupt};
    sigaction(SIGINT, &act, NULL);
    sigaction(SIGTERM, &act, NULL);
    do {
        wait_for_something(&w);
        look(&w);
        hear(&w);
        if (m->c->once && w.told && !w.judge)
            break;
    } while (!interrupted && client_alive(m->client));
    if (w.judge && mend_judge_known(w.judge)) {
        keep(&w);
        tell(&w);
    }
    mend_judge_free(w.judge);
    if (!client_alive(m->client) && !interrupted) {
        cmd_misuse("%s", client_lost(m->client));
        return CMD_FAILED;
    }
    return w.done ? CMD_OK : CMD_FAILED;
}

/* ---- beginning ---- */

/* Why no variant of it can be mended, which its kind tells before anything is diagnosed; or NULL. */
static const char *never_mended(const struct story *s)
{
    bool never = story_is_case(s) || story_is_harness(s) || s->gpus > 1;
    return never && s->n_variants ? mend_cannot(s->variants[0]) : NULL;
}

/* Also for what was never played: whoever reads this learns nothing of any variant. */
static int find_variant(struct mending *m)
{
    struct err err = {0};
    const struct story *story = NULL;
    const char *cannot;
    char id[128];
    if (catalog_find(m->catalog, m->c->args[0], &story, &m->v, &err))
        return cmd_fail(&err);
    if ((cannot = never_mended(story))) {
        cmd_misuse("%s: %s", m->v ? m->v->full_id : story->full_id, cannot);
        return CMD_FAILED;
    }
    int allowed = mend_allowed(m->store, m->v ? m->v->full_id : story->full_id, id);
    if (allowed <= 0) {
        cmd_misuse("%s was not diagnosed yet, and mending shows its fix; first: warpdrill play %s",
                   m->c->args[0], story->full_id);
        return CMD_FAILED;
    }
    if (!m->v && catalog_find(m->catalog, id, &story, &m->v, &err))
        return cmd_fail(&err);
    return cmd_open_variant(&m->v, &m->opened, m->c, true);
}

static int find_place(struct mending *m)
{
    struct err err = {0};
    if (mend_place_find(&m->place, m->v, m->c->folder, &err))
        return cmd_fail(&err);
    if (mend_needless(m->v))
        return cmd_misuse("%s: %s", m->v->full_id, mend_needless(m->v));
    return mend_tries_read(&m->tries, m->store, m->v->full_id, &err) ? cmd_fail(&err) : CMD_OK;
}

static int lay(struct mending *m)
{
    struct err err = {0};
    bool made = false;
    const struct msg_device *device = m->client && *m->device.name ? &m->device : NULL;
    char *text = mend_contract(m->v, device, m->place.name);
    int rc = mend_lay(&m->place, text, &made, &err);
    free(text);
    if (rc)
        return cmd_fail(&err);
    if (!m->c->json || !m->c->once)
        fprintf(stderr, "%s%s\n", m->place.file, made ? ": laid there; change it and save" : "");
    return CMD_OK;
}

static int mend_live(struct mending *m)
{
    struct err err = {0};
    int status = cmd_trust(m->c, m->v->story->pack);
    if (status == CMD_OK && cmd_connect(&m->client, &m->device, m->c, "cached", &err)) {
        status = cmd_fail(&err);
        fprintf(stderr, "What a compiler alone can tell: warpdrill %s %s --arch sm_90\n",
                m->v->task ? "write" : "mend", m->c->args[0]);
    }
    if (status == CMD_OK && request_needs(m->v->story, &m->device, &err))
        status = cmd_fail(&err);
    if (status == CMD_OK)
        status = lay(m);
    if (status == CMD_OK)
        status = cmd_trust_code(m->c, "mend", "code of your own", m->place.trusted);
    if (status != CMD_OK)
        return status;
    return m->c->sanitize ? mend_sanitize(m) : run_watch(m);
}

/* Open to everybody: it tells of no variant what is wrong with it. */
static int find_task(struct mending *m)
{
    struct err err = {0};
    const struct story *story = catalog_task(m->catalog, m->c->args[0]);
    const struct variant *v = NULL;
    if (!story && catalog_find(m->catalog, m->c->args[0], &story, &v, &err)) {
        cmd_fail(&err);
        fprintf(stderr, "`warpdrill write` lists what there is to write\n");
        return CMD_FAILED;
    }
    if (!v && story->pack->seal == SEAL_SHUT)
        return cmd_misuse("%s is sealed, and so is what may be written of it; first: warpdrill "
                          "unseal PACK",
                          story->full_id);
    if (v || !story->task)
        return cmd_misuse("%s is no kernel to be written; `warpdrill write` lists them",
                          m->c->args[0]);
    m->v = story->task->variant;
    return CMD_OK;
}

static int run(const struct cmd *c, int (*find)(struct mending *m))
{
    struct mending m = {.c = c};
    int status = cmd_store(&m.store, c, !c->list && !c->diff);
    if (status == CMD_OK)
        status = cmd_catalog_for(&m.catalog, c, c->args[0]);
    if (status == CMD_OK)
        status = find(&m);
    if (status == CMD_OK)
        status = find_place(&m);
    if (status == CMD_OK)
        status = c->list   ? mend_list(&m)
                 : c->back ? mend_take_back(&m)
                 : c->diff ? mend_compare(&m)
                 : c->arch ? (lay(&m) == CMD_OK ? mend_compile(&m) : CMD_FAILED)
                 : c->n_args > 1 ? write_help(&m)
                           : mend_live(&m);
    client_free(m.client);
    msg_device_free(&m.device);
    mend_place_free(&m.place);
    mend_tries_free(&m.tries);
    catalog_free(m.catalog);
    pack_free(m.opened);
    store_free(m.store);
    return status;
}

int cmd_mend(const struct cmd *c)
{
    return c->n_args ? run(c, find_variant) : mend_path_list(c);
}

int cmd_write(const struct cmd *c)
{
    return c->n_args ? run(c, find_task) : write_list(c);
}
