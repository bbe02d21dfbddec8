/* What follows every act: the candidate's screens, the store, their picture, and a new look at
 * what the interviewer reads. */
#include "tui/interview/console_after.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/request.h"
#include "scenarios/pack/recordings.h"
#include "tui/interview/candidate.h"
#include "tui/interview/console_fix.h"
#include "tui/interview/console_ideal.h"
#include "tui/interview/console_link.h"
#include "tui/interview/plan_drawn.h"

/* ---- the scenario that runs ---- */

void console_forget(struct console *c)
{
    free(c->briefing);
    c->briefing = NULL;
    evidence_free(c->all);
    c->all = NULL;
    recordings_free(c->recordings, c->n_recordings);
    c->recordings = NULL;
    c->n_recordings = 0;
    c->variant = NULL;
    c->has_ideal = false;
}

static const struct variant *variant_of(struct console *c, const struct session_part *part)
{
    const struct session_plan *plan = &interview_session(c->live)->plan;
    const struct variant *v = NULL;
    struct attempt *a = interview_attempt(c->live);
    if (a)
        return attempt_variant(a);
    if (part && part->kind == PART_SCENARIO)
        plan_drawn(&v, c->app, plan, (int)(part - plan->parts), NULL);
    return v;
}

/* Before the scenario began it is briefed as it would be asked on the recording's GPU. */
static int brief(struct console *c, const struct variant *v, const struct msg_device *device,
                 struct err *err)
{
    struct attempt *a = interview_attempt(c->live);
    struct other_gpu *found = a ? NULL : other_gpu_find(v, device->name);
    const struct other_gpu *other = a ? attempt_state(a)->other : found;
    int rc = briefing_make(c->briefing, v, device, c->all, other, err);
    other_gpu_free(found);
    return rc;
}

static void learn_scenario(struct console *c, const struct variant *v)
{
    struct err err;
    console_forget(c);
    c->variant = v;
    if (!v || v->sealed)
        return;
    if (recordings_of(v, &c->recordings, &c->n_recordings, &err) != 0)
        c->n_recordings = 0;
    const struct recording *r = console_recording(c);
    if (!r || request_recall_all(&c->all, v, r, &err) != 0)
        c->all = NULL;
    c->briefing = r ? mem_new(1, sizeof *c->briefing) : NULL;
    if (r && brief(c, v, &r->device, &err) != 0) {
        free(c->briefing);
        c->briefing = NULL;
    }
}

static int bought_shown(struct console *c, const struct investigation *i)
{
    struct console_view v;
    int n = 0;
    console_view(c, &v);
    int until = console_quiet_from(&v);
    if (until == v.n_entries)
        return i->n_bought;
    for (int k = 0; k < until; k++)
        n += v.entries[k].move && v.entries[k].of == i && v.entries[k].move->evidence;
    return n < i->n_bought ? n : i->n_bought;
}

/* The newest drill's numbers, which the interviewer reads before the answer comes. */
static void learn_drill(struct console *c)
{
    const struct session *s = interview_session(c->live);
    const struct session_state *p = s->part >= 0 ? &s->parts[s->part] : NULL;
    const struct session_drill *d = p && p->n_drills ? &p->drills[p->n_drills - 1] : NULL;
    struct err err = { 0 };
    if (strcmp(c->numbers_of, d ? d->drill : "") == 0)
        return;
    live_numbers_free(&c->numbers);
    snprintf(c->numbers_of, sizeof c->numbers_of, "%s", d ? d->drill : "");
    if (d && (live_numbers_make(&c->numbers, c->app, d, &err) != 0 ||
              live_numbers_reveal(&c->numbers, &err) != 0))
        app_say(c->app, "%s", err.text);
}

/* ---- after an act ---- */

/* The session or the attempt has changed: which scenario, and what its evidence says. */
static void look_again(struct console *c)
{
    const struct session_part *part = console_part(c);
    const struct session *s = interview_session(c->live);
    struct attempt *a = interview_attempt(c->live);
    const struct variant *v = part && part->kind == PART_SCENARIO ? variant_of(c, part) : NULL;
    c->seen = interview_changes(c->live);
    if (s->part != c->seen_part || v != c->variant)
        learn_scenario(c, v);
    c->seen_part = s->part;
    learn_drill(c);
    drill_previews_make(&c->previews, c->app, s);
    c->has_ideal = a && v && !v->sealed;
    if (c->has_ideal)
        console_ideal(c->ideal, v, attempt_state(a), bought_shown(c, attempt_state(a)),
                      console_device(c), c->all);
}

int console_after(struct console *c, int rc, struct err *err)
{
    struct err own = { 0 };
    interview_keep_time(c->live);                 /* before anything is shown */
    if (rc)
        app_say(c->app, "%s", err->text);
    bool judges = c->runs && (!c->late || c->fix.judge); /* what came before the end, too */
    if (judges && console_fix_follow(c, &own) != 0)
        app_say(c->app, "%s", own.text);
    if (c->guest && candidate_follow(c->guest, &own) != 0)
        app_say(c->app, "%s", own.text);
    const char *trouble = c->guest ? candidate_trouble(c->guest) : "";
    if (trouble[0])
        app_say(c->app, "%s", trouble);
    link_size(c);
    link_settle(c);
    link_show(c);                            /* the candidate first */
    if (interview_changes(c->live) != c->seen)
        look_again(c);
    return rc;
}
