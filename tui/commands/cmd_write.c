/* Kernels to be written from nothing: which there are, and help with one of them. */
#include "tui/commands/cmd_mend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "scenarios/library/catalog.h"
#include "scenarios/mend/mend_hint.h"
#include "scenarios/mend/mend_path.h"
#include "scenarios/mend/mend_score.h"
#include "scenarios/mend/mend_steps.h"

/* ---- all of them ---- */

static json_t *encode_task(const struct story *s, const struct mend_tries *tries)
{
    struct mend_score score = mend_score_of(tries);
    int reached = mend_steps_best(s->task, tries);
    return json_pack("{s:s, s:s, s:i, s:o, s:o}", "id", s->full_id, "title", s->task->title,
                     "walls", s->task->n_steps, "steps", mend_steps_encode(s->task, reached, NULL),
                     "score", mend_score_encode(&score));
}

static void print_task(const struct story *s, const struct mend_tries *tries)
{
    char words[240];
    mend_progress_words(words, sizeof words, tries);
    printf("%-40s %-44s %d of %d walls; %s\n", s->full_id, s->task->title,
           mend_steps_best(s->task, tries), s->task->n_steps, words);
}

static int tell_task(const struct story *s, struct store *store, json_t *all, struct err *err)
{
    struct mend_tries tries;
    int rc = mend_tries_read(&tries, store, s->task->variant->full_id, err);
    if (rc == 0 && all)
        json_array_append_new(all, encode_task(s, &tries));
    else if (rc == 0)
        print_task(s, &tries);
    mend_tries_free(&tries);
    return rc;
}

static int tell_tasks(const struct catalog *c, struct store *store, json_t *all, struct err *err)
{
    const struct story **tasks;
    int rc = 0, n = mend_tasks(&tasks, c);
    for (int i = 0; rc == 0 && i < n; i++)
        rc = tell_task(tasks[i], store, all, err);
    free(tasks);
    return rc;
}

int write_list(const struct cmd *c)
{
    struct store *store = NULL;
    struct catalog *catalog = NULL;
    struct err err = {0};
    json_t *all = c->json ? json_array() : NULL;
    int rc = 0, status = cmd_store(&store, c, true);
    if (status == CMD_OK)
        status = cmd_catalog(&catalog, c);
    if (status == CMD_OK)
        rc = tell_tasks(catalog, store, all, &err);
    if (status == CMD_OK && !rc && all)
        cmd_print_json(json_incref(all));
    json_decref(all);
    catalog_free(catalog);
    store_free(store);
    return rc ? cmd_fail(&err) : status;
}

/* ---- help with one ---- */

static int show_hint(struct mending *m)
{
    struct err err = {0};
    int most = mend_hints(m->v), step = m->tries.hints < most ? m->tries.hints + 1 : most;
    char *text = mend_hint(m->v, step);
    printf("%s\n", text);
    free(text);
    if (step > m->tries.hints && mend_keep_hint(m->store, m->v->full_id, step, &err))
        return cmd_fail(&err);
    return CMD_OK;
}

static int print_best(const struct mending *m)
{
    printf("%s\n%s\n", m->v->task->lesson, m->v->best_file->text);
    return CMD_OK;
}

static int show_best(struct mending *m)
{
    const struct task *t = m->v->task;
    if (mend_best_open(t, &m->tries))
        return print_best(m);
    cmd_misuse("walls behind you: %d of %d; `warpdrill write %s give-up` shows the best all the "
               "same, which is noted",
               mend_steps_best(t, &m->tries), t->n_steps, m->v->story->full_id);
    return CMD_FAILED;
}

/* Whoever gives up has had all the help there is, and one step more. */
static int give_up(struct mending *m)
{
    struct err err = {0};
    if (!mend_best_open(m->v->task, &m->tries) &&
        mend_keep_hint(m->store, m->v->full_id, mend_hints(m->v) + 1, &err))
        return cmd_fail(&err);
    return print_best(m);
}

int write_help(struct mending *m)
{
    static const struct { const char *word; int (*show)(struct mending *m); } help[] = {
        {"hint", show_hint}, {"best", show_best}, {"give-up", give_up}};
    for (size_t i = 0; i < sizeof help / sizeof *help; i++)
        if (!strcmp(m->c->args[1], help[i].word))
            return help[i].show(m);
    return cmd_misuse("'%s'; hint, best or give-up was expected", m->c->args[1]);
}
