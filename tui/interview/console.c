/* From the console to what it shows. */
#include "tui/interview/console.h"

#include "tui/app/app_runner.h"
#include "tui/interview/candidate.h"

const struct session_part *console_part(const struct console *c)
{
    const struct session *s = interview_session(c->live);
    return s->part >= 0 && s->part < s->plan.n_parts ? &s->plan.parts[s->part] : NULL;
}

const struct recording *console_recording(const struct console *c)
{
    struct attempt *a = interview_attempt(c->live);
    const struct recording *own = a ? attempt_recording(a) : NULL;
    return own ? own : c->n_recordings ? c->recordings[0] : NULL;
}

const struct msg_device *console_device(const struct console *c)
{
    const struct recording *r = console_recording(c);
    return r ? &r->device : app_device(c->app);
}

void console_view(const struct console *c, struct console_view *out)
{
    struct attempt *a = interview_attempt(c->live);
    const struct session *s = interview_session(c->live);
    const struct session_part *part = console_part(c);
    bool scenario = part && part->kind == PART_SCENARIO;
    *out = (struct console_view){.live = c->live,
                                 .session = s,
                                 .now_ms = interview_kept_ms(c->live),
                                 .scroll = c->scroll,
                                 .grading = c->grading,
                                 .marked = c->marked,
                                 .pane = c->pane};
    out->state = scenario && a ? attempt_state(a) : NULL;
    out->variant = scenario ? c->variant : NULL;
    out->briefing = c->briefing;
    out->ideal = c->has_ideal && out->state ? c->ideal : NULL;
    out->device = console_device(c);
    out->previews = &c->previews;
    out->drill = part && part->kind == PART_DRILLS ? c->numbers.instance : NULL;
    if (a && session_scores_open(s, false))
        out->score = attempt_debrief(a);
    out->n_entries = interview_entries(c->live, &out->entries);
    bool runs = scenario && s->phase == SESSION_RUNNING && c->guest;
    out->doing = runs ? candidate_doing(c->guest) : "";
    out->asked = runs && s->quiet_until_ms <= out->now_ms ? candidate_asked(c->guest) : NULL;
}
