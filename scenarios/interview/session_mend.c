#include "scenarios/interview/session_mend.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

#define REFUSE(...) err_set(err, ERR_BAD_REQUEST, __VA_ARGS__)

/* ---- what is known ---- */

int session_mending(const struct session *s)
{
    for (int p = 0; s->parts && p < s->plan.n_parts; p++)
        if (s->parts[p].mending)
            return p;
    return -1;
}

const struct session_try *session_try_open(const struct session *s, int *part, int *number)
{
    for (int p = 0; s->parts && p < s->plan.n_parts; p++) {
        const struct session_state *at = &s->parts[p];
        if (!at->n_tries || at->tries[at->n_tries - 1].verdict)
            continue;
        *part = p;
        *number = at->n_tries;
        return &at->tries[at->n_tries - 1];
    }
    return NULL;
}

static bool is_measured(const struct session_try *t)
{
    return t->verdict && t->verdict->n_metrics;
}

int session_try_moved(struct mend_moved out[MEND_MOVED_MOST], const struct session_state *p, int at,
                      int *since)
{
    *since = at;
    while (*since > 0 && !is_measured(&p->tries[*since - 1]))
        --*since;
    return *since > 0 && is_measured(&p->tries[at])
               ? mend_moved(out, p->tries[*since - 1].verdict, p->tries[at].verdict)
               : 0;
}

struct mend_score session_fix_score(const struct session_state *p)
{
    struct mend_tries tries = {.all = mem_new((size_t)p->n_tries + 1, sizeof *tries.all),
                               .hints = p->helped};
    const char *gpu = "";
    for (int i = 0; i < p->n_tries; i++)
        if (p->tries[i].verdict)
            tries.all[tries.n++] = (struct mend_try){.number = i + 1,
                                                     .at_ms = p->tries[i].at_ms,
                                                     .verdict = *p->tries[i].verdict};
    struct mend_score score = mend_score_of(&tries);
    for (int i = 0; i < p->n_tries; i++)
        if (i + 1 == score.best)
            gpu = p->tries[i].verdict->gpu;
    score.gpu = gpu; /* the session's, not that of the copy */
    free(tries.all);
    return score;
}

/* ---- checks ---- */

static int check_mending(const struct session *s, const struct session_event *e, struct err *err)
{
    const struct session_state *p = &s->parts[e->part];
    int other = session_mending(s);
    if (e->flag)
        return p->mending ? 0 : REFUSE("the fix of part %d is not asked for", e->part + 1);
    if (!p->revealed)
        return REFUSE("the truth of part %d was not shown yet", e->part + 1);
    return other < 0 ? 0 : REFUSE("the fix of part %d is asked for already", other + 1);
}

static int check_tried(const struct session *s, const struct session_event *e, struct err *err)
{
    const struct session_state *p = &s->parts[e->part];
    int part, number;
    if (!p->mending)
        return REFUSE("the fix of part %d is not asked for", e->part + 1);
    if (session_try_open(s, &part, &number))
        return REFUSE("try %d is being judged", number);
    if (p->n_tries == SESSION_TRIES)
        return REFUSE("%d tries were handed in: no more", SESSION_TRIES);
    return e->text && *e->text ? 0 : REFUSE("there is no text");
}

static int check_judged(const struct session *s, const struct session_event *e, struct err *err)
{
    int part, number;
    if (!session_try_open(s, &part, &number) || part != e->part || number != e->number)
        return REFUSE("try %d of part %d waits for no verdict", e->number, e->part + 1);
    return e->verdict ? 0 : REFUSE("there is no verdict");
}

/* Step by step: none is passed over. */
static int check_helped(const struct session *s, const struct session_event *e, struct err *err)
{
    const struct session_state *p = &s->parts[e->part];
    if (!p->mending)
        return REFUSE("the fix of part %d is not asked for", e->part + 1);
    if (e->number != p->helped + 1 || e->number > SESSION_STEPS)
        return REFUSE("step %d of help comes behind %d steps", e->number, p->helped);
    return 0;
}

int session_mend_check(const struct session *s, const struct session_event *e, struct err *err)
{
    if (e->part < 0 || e->part >= s->plan.n_parts)
        return REFUSE("there is no part %d; the plan has %d", e->part + 1, s->plan.n_parts);
    switch (e->kind) {
    case SESSION_MENDING: return check_mending(s, e, err);
    case SESSION_TRIED: return check_tried(s, e, err);
    case SESSION_HELPED: return check_helped(s, e, err);
    default: return check_judged(s, e, err);
    }
}

/* ---- entries ---- */

static void book_tried(struct session_state *p, const struct session_event *e, int64_t elapsed_ms)
{
    p->tries = mem_more(p->tries, (size_t)p->n_tries, sizeof *p->tries);
    p->tries[p->n_tries++] = (struct session_try){.at_ms = e->at_ms,
                                                  .elapsed_ms = elapsed_ms,
                                                  .text = text_dup(e->text)};
}

void session_mend_book(struct session *s, const struct session_event *e)
{
    struct session_state *p = &s->parts[e->part];
    if (e->kind == SESSION_MENDING) {
        p->mending = !e->flag;
    } else if (e->kind == SESSION_TRIED) {
        book_tried(p, e, s->elapsed_ms);
    } else if (e->kind == SESSION_HELPED) {
        p->helped = e->number;
    } else {
        struct mend_verdict *v = mem_new(1, sizeof *v);
        mend_decode(v, e->verdict);
        p->tries[e->number - 1].verdict = v;
    }
}

void session_mend_end(struct session *s)
{
    for (int p = 0; p < s->plan.n_parts; p++)
        s->parts[p].mending = false;
}

void session_tries_free(struct session_state *p)
{
    for (int i = 0; i < p->n_tries; i++) {
        free(p->tries[i].text);
        free(p->tries[i].verdict);
    }
    free(p->tries);
}
