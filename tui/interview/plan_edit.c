#include "tui/interview/plan_edit.h"

#include <stdio.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "tui/app/app_data.h"
#include "tui/app/app_runner.h"

enum { UNDO_MOST = 32 };

void plan_page_keep(struct plan_page *p)
{
    if (!p->undo)
        p->undo = mem_new(UNDO_MOST, sizeof *p->undo);
    if (p->n_undo == UNDO_MOST)
        memmove(&p->undo[0], &p->undo[1], (size_t)--p->n_undo * sizeof *p->undo);
    p->undo[p->n_undo++] = p->now;
}

bool plan_page_propose(struct app *app, struct plan_page *p, int level, int minutes, uint64_t seed)
{
    struct session_plan made, *old = &p->now.plan;
    struct err err = { 0 };
    p->stock.catalog = app_catalog(app);
    if (plan_propose(&made, &p->stock, level, minutes, seed, &err)) {
        app_say(app, "%s", err.text);
        return false;
    }
    if (old->n_parts > 0) {
        snprintf(made.candidate, sizeof made.candidate, "%s", old->candidate);
        snprintf(made.tier, sizeof made.tier, "%s", old->tier);
        snprintf(made.gpu, sizeof made.gpu, "%s", old->gpu);
        made.withhold = old->withhold;
        memcpy(made.signals, old->signals, sizeof made.signals);
        made.n_signals = old->n_signals;
    }
    p->now = (struct plan_state){ made, minutes, false };
    return true;
}

/* ---- one key, one change ---- */

/* "" recorded on any, each of several GPUs, live where a GPU is. */
static void evidence_step(struct app *app, struct plan_page *p, int by)
{
    const struct msg_device *d = app_device(app);
    struct session_plan *plan = &p->now.plan;
    int several = p->recorded.n > 1 ? p->recorded.n : 0, n = 1 + several + (d != NULL), at = 0;
    for (int g = 0; g < several; g++)
        if (!strcmp(plan->gpu, p->recorded.gpu[g].slug))
            at = 1 + g;
    if (!strcmp(plan->tier, "live"))
        at = 1 + several;
    at = (at + by + n) % n;
    bool live = d && at == 1 + several;
    if (n == 1)
        app_say(app, "There is one kind of evidence here. A GPU for live evidence is set up under "
                     "g on the first page.");
    snprintf(plan->tier, sizeof plan->tier, live ? "live" : "recorded");
    const char *recorded = at > 0 && at <= several ? p->recorded.gpu[at - 1].slug : "";
    snprintf(plan->gpu, sizeof plan->gpu, "%.63s", live ? d->slug : recorded);
}

static void minutes_step(struct app *app, struct plan_page *p, int by)
{
    int next = p->now.minutes + 5 * by;
    if (next < 20 || next > 180)
        app_say(app, "An interview has 20 to 180 minutes.");
    else if (p->now.edited)
        p->now.minutes = next;
    else
        plan_page_propose(app, p, p->now.plan.level, next, p->now.plan.seed);
}

int plan_page_step(struct app *app, struct plan_page *p, int by)
{
    int level = p->now.plan.level + by;
    plan_page_keep(p);
    if (p->at >= ROW_PARTS)
        p->now.edited |= plan_minutes_step(&p->now.plan, p->at - ROW_PARTS, by);
    else if (p->at == ROW_LEVEL && level >= 0 && level <= 4)
        plan_page_propose(app, p, level, p->now.minutes, p->now.plan.seed);
    else if (p->at == ROW_MINUTES)
        minutes_step(app, p, by);
    else if (p->at == ROW_EVIDENCE)
        evidence_step(app, p, by);
    else if (p->at == ROW_WITHHOLD)
        p->now.plan.withhold = !p->now.plan.withhold;
    if (!memcmp(&p->now, &p->undo[p->n_undo - 1], sizeof p->now))
        p->n_undo--;
    return DO_REDRAW;
}

int plan_page_exchange(struct app *app, struct plan_page *p)
{
    if (p->at < ROW_PARTS) {
        app_say(app, "Choose a part first.");
        return DO_REDRAW;
    }
    plan_page_keep(p);
    if (plan_exchange(&p->now.plan, &p->stock, p->at - ROW_PARTS))
        p->now.edited = true;
    else {
        p->n_undo--;
        app_say(app, "Nothing else fits here.");
    }
    return DO_REDRAW;
}

void plan_page_take(struct plan_page *p, int k, const struct variant *v)
{
    p->at = ROW_PARTS + k;
    if (!strcmp(p->now.plan.parts[k].id, v->full_id))
        return;
    plan_page_keep(p);
    plan_take(&p->now.plan, k, v);
    p->now.edited = true;
}

/* A scenario; pressed again at once, that part becomes drills, then a talk. */
int plan_page_add(struct app *app, struct plan_page *p, bool again)
{
    static const enum session_part_kind next[] =
        {[PART_SCENARIO] = PART_DRILLS, [PART_DRILLS] = PART_TALK, [PART_TALK] = PART_SCENARIO};
    enum session_part_kind kind = again ? next[p->added] : PART_SCENARIO;
    int k = p->at < ROW_PARTS ? p->now.plan.n_parts - 1 : p->at - ROW_PARTS;
    if (again) {
        plan_remove(&p->now.plan, k);
        k--;
    } else
        plan_page_keep(p);
    for (int tries = 0; !plan_add(&p->now.plan, &p->stock, k, kind); kind = next[kind])
        if (++tries == 3 || p->now.plan.n_parts == SESSION_MAX_PARTS) {
            app_say(app, "A plan has at most %d parts.", SESSION_MAX_PARTS);
            p->now = p->undo[--p->n_undo];
            return DO_REDRAW;
        }
    p->at = ROW_PARTS + k + 1;
    p->now.edited = p->adding = true;
    p->added = kind;
    return DO_REDRAW;
}

int plan_page_remove(struct app *app, struct plan_page *p)
{
    if (p->at < ROW_PARTS || p->now.plan.n_parts == 1) {
        app_say(app, p->at < ROW_PARTS ? "Choose a part first." : "One part has to stay.");
        return DO_REDRAW;
    }
    plan_page_keep(p);
    plan_remove(&p->now.plan, p->at - ROW_PARTS);
    p->now.edited = true;
    return DO_REDRAW;
}

int plan_page_undo(struct app *app, struct plan_page *p)
{
    if (p->n_undo == 0)
        app_say(app, "Nothing to take back.");
    else
        p->now = p->undo[--p->n_undo];
    return DO_REDRAW;
}

int plan_page_reseed(struct app *app, struct plan_page *p)
{
    plan_page_keep(p);
    if (!plan_page_propose(app, p, p->now.plan.level, p->now.minutes, p->now.plan.seed + 1))
        p->n_undo--;
    return DO_REDRAW;
}

int plan_page_fit(struct app *app, struct plan_page *p)
{
    plan_page_keep(p);
    if (plan_fit(&p->now.plan, p->now.minutes))
        p->now.edited = true;
    else {
        p->n_undo--;
        app_say(app, "The plan is not too long.");
    }
    return DO_REDRAW;
}
