#include "scenarios/mend/mend_judge.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/os.h"
#include "kernels/wire/text.h"
#include "scenarios/mend/mend_state.h"
#include "scenarios/pack/failing.h"

enum { FIRST_SEED = 7 };

struct mend_judge {
    struct client *client;
    char *name, *text;
    struct mend_launches launches;
    struct mend_task task;
    struct msg_measure request; /* of the stage */
    enum mend_stage stage;      /* MEND_STAGES: over */
    int64_t id, began_ms;       /* id 0: nothing is under way */
    uint64_t fresh;
    int checks_before;          /* of earlier stages */
    struct mend_verdict verdict;
    char say[200];
};

static const char *say_of(const struct mend_judge *j)
{
    static const char *const says[] = {"is it right", "race against suspect and fix",
                                       "is it right everywhere else", "what the hardware did"};
    if (j->stage == MEND_RACE && variant_fails(j->task.v))
        return "race against the fix";
    return j->stage == MEND_RACE && j->task.v->task ? "race against the best" : says[j->stage];
}

static void settle(struct mend_judge *j)
{
    struct mend_verdict *v = &j->verdict;
    v->seconds = (double)(os_monotonic_ms() - j->began_ms) / 1000;
    if (v->first_seconds <= 0)
        v->first_seconds = v->seconds;
}

/* No stage has the inputs of another. */
static uint64_t seed_of(const struct mend_judge *j)
{
    return j->stage == MEND_RACE ? j->fresh : j->stage == MEND_REST ? j->fresh / 2 : FIRST_SEED;
}

/* ---- stages ---- */

static void end(struct mend_judge *j)
{
    if (j->verdict.is != MEND_RIGHT)
        settle(j);
    j->stage = MEND_STAGES;
    j->id = 0;
}

static void begin_stage(struct mend_judge *j)
{
    struct err err = {0};
    msg_measure_free(&j->request);
    j->request = (struct msg_measure){0};
    snprintf(j->say, sizeof j->say, "%s", say_of(j));
    j->checks_before = j->verdict.checks;
    int rc = mend_request(&j->request, &j->task, j->stage, seed_of(j), &err);
    if (rc == 0)
        j->id = client_measure(j->client, &j->request, &err);
    if (rc == 0 && j->id > 0)
        return;
    mend_take_error(&j->verdict, j->stage, err.code, j->name, err.text);
    end(j);
}

/* The first stage alone waits for a compiler. */
static void foresee(struct mend_judge *j)
{
    struct msg_measure next;
    struct err why = {0};
    if (j->id && mend_request(&next, &j->task, MEND_AHEAD, FIRST_SEED, &why) == 0)
        client_ahead(j->client, &next);
    if (j->id)
        msg_measure_free(&next);
}

static void end_stage(struct mend_judge *j, const char *why)
{
    struct mend_verdict *v = &j->verdict;
    j->id = 0;
    if (j->stage == MEND_RACE)
        mend_take_race(v, j->task.v, &j->request, j->task.device, why);
    else if (j->stage != MEND_METRICS)
        mend_take_checks(v, &j->request, j->checks_before, why);
    if (j->stage == MEND_RACE || (j->stage == MEND_REST && v->is == MEND_OPEN))
        settle(j);
    if (j->stage == MEND_REST && v->is == MEND_OPEN)
        v->is = MEND_RIGHT;
    if (j->stage == MEND_METRICS || (v->is != MEND_OPEN && v->is != MEND_RIGHT)) {
        end(j);
        return;
    }
    j->stage++;
    begin_stage(j);
}

/* A part of it is there, and the rest is not because of the text. */
static bool is_of_the_text(const struct msg_done *d)
{
    return d->status == DONE_PARTIAL && (d->code == ERR_FAULT || d->code == ERR_LAUNCH ||
                                         d->code == ERR_COMPILE || d->code == ERR_TIMEOUT ||
                                         d->code == ERR_BAD_REQUEST);
}

static void take_done(struct mend_judge *j, const struct msg_done *d)
{
    const char *why = d->text ? d->text : "the runner gave no reason";
    if (d->status == DONE_FAILED || d->status == DONE_CANCELLED || is_of_the_text(d))
        mend_take_error(&j->verdict, j->stage, d->code ? d->code : ERR_CANCELLED, d->where, why);
    end_stage(j, why);
}

static void take_lost(struct mend_judge *j, const char *why)
{
    mend_take_error(&j->verdict, j->stage, ERR_LOST, "", why);
    end(j);
}

static void take_progress(struct mend_judge *j, const char *say)
{
    snprintf(j->say, sizeof j->say, "%s: %.150s", say_of(j), say);
}

bool mend_judge_event(struct mend_judge *j, const struct client_event *e)
{
    if (!j || !j->id || (e->id != j->id && e->kind != CLIENT_LOST))
        return false;
    switch (e->kind) {
    case CLIENT_PART:
        if (e->part->item >= 0 && e->part->item < j->request.n_items)
            mend_take_part(&j->verdict, j->task.v, &j->request, j->stage, e->part);
        break;
    case CLIENT_PROGRESS: take_progress(j, e->say); break;
    case CLIENT_DONE: take_done(j, e->done); break;
    case CLIENT_LOST: take_lost(j, e->say); break;
    default: return false;
    }
    return true;
}

/* ---- beginning and ending ---- */

struct mend_judge *mend_judge_new(const struct variant *v, const struct msg_device *device,
                                  struct client *client, const char *name, const char *text,
                                  uint64_t fresh)
{
    struct mend_judge *j = mem_new(1, sizeof *j);
    struct err why = {0};
    *j = (struct mend_judge){.client = client, .name = text_dup(name), .text = text_dup(text),
                             .fresh = fresh, .began_ms = os_monotonic_ms()};
    text_copy_clean(j->verdict.gpu, sizeof j->verdict.gpu, device->name);
    j->task = (struct mend_task){v, device, j->name, j->text, &j->launches};
    if (mend_launches_read(&j->launches, v, name, text, &why))
        mend_take_text(&j->verdict, MEND_TEXT, why.text);
    else if (mend_state_check(name, text, &why))
        mend_take_text(&j->verdict, MEND_STATE, why.text);
    if (why.code)
        end(j);
    else
        begin_stage(j);
    foresee(j);
    return j;
}

void mend_judge_free(struct mend_judge *j)
{
    if (!j)
        return;
    if (j->id)
        client_cancel(j->client, j->id);
    msg_measure_free(&j->request);
    mend_launches_free(&j->launches);
    free(j->name);
    free(j->text);
    free(j);
}

bool mend_judge_over(const struct mend_judge *j)
{
    return j->stage == MEND_STAGES;
}

bool mend_judge_known(const struct mend_judge *j)
{
    return j->verdict.is != MEND_OPEN;
}

const struct mend_verdict *mend_judge_verdict(const struct mend_judge *j)
{
    return &j->verdict;
}

const char *mend_judge_text(const struct mend_judge *j)
{
    return j->text;
}

const char *mend_judge_say(const struct mend_judge *j, int *at, int *of)
{
    *at = j->stage;
    *of = MEND_STAGES;
    return j->say;
}
