/* What an investigation is asked by its screen's parts, and what makes a move of it. */
#include "tui/play/investigation_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/exhibit_table.h"
#include "tui/play/investigation_modes.h"

/* ---- small questions ---- */

int investigation_digit(const struct story *s, int hypothesis)
{
    return strcmp(s->hypotheses[hypothesis]->id, "none.at-limit") == 0 ? 0 : hypothesis + 1;
}

int investigation_of_digit(const struct story *s, int digit)
{
    for (int k = 0; k < s->n_hypotheses; k++)
        if (investigation_digit(s, k) == digit)
            return k;
    return -1;
}

int64_t investigation_clock(const struct investigation_screen *s, int64_t now_ms)
{
    return s->before_ms + now_ms - s->opened_ms;
}

const char *investigation_subject(const struct investigation_screen *s)
{
    return story_is_case(s->story)       ? "this job"
           : story_is_pipeline(s->story) ? "this step"
           : story_is_harness(s->story)  ? "reported"
                                         : "this kernel";
}

const char *investigation_tier(const struct investigation_screen *s)
{
    return s->supply ? supply_tier(s->supply) : state_of(s)->tier;
}

const struct msg_device *investigation_device(const struct investigation_screen *s)
{
    if (s->supply)
        return supply_device(s->supply);
    const struct recording *r = attempt_recording(s->attempt);
    return r ? &r->device : NULL;
}

bool investigation_whole(const struct investigation_screen *s)
{
    return s->whole && shows_code(s) && mode_of(s)->turns && !s->explaining;
}

const struct key_list *investigation_keys(struct app *app, const void *self)
{
    const struct investigation_screen *s = self;
    const struct mode *m = mode_of(s);
    (void)app;
    return s->in.hooks && m->asked ? m->asked : m->keys;
}

int source_lines(const struct investigation_screen *s)
{
    return source_line_count(s->code);
}

/* ---- what was bought ---- */

const struct msg_part *first_part(const struct investigation_screen *s, const char *probe)
{
    const struct evidence *e = investigation_evidence(state_of(s), probe);
    return e && e->n_parts > 0 ? &e->parts[0] : NULL;
}

const struct msg_series *samples_of(const struct investigation_screen *s)
{
    const struct msg_part *p = first_part(s, "timing");
    return p && p->probe == PROBE_BENCHMARK && p->n_series && p->series[0].n > 1 ? &p->series[0]
                                                                                  : NULL;
}

const struct msg_part *listing_of(const struct investigation_screen *s)
{
    const struct msg_part *p = first_part(s, "sass");
    return p && p->n_lines > 0 ? p : NULL;
}

const struct experiment *exhibit_of(const struct investigation_screen *s,
                                    const struct msg_part **part)
{
    const struct investigation *i = state_of(s);
    const struct experiment *chosen = s->note >= 0 && s->note < s->book.n
                                          ? story_experiment(s->story, s->book.note[s->note].probe)
                                          : NULL;
    for (int b = i->n_bought - 1; b >= 0 && !chosen; b--)
        chosen = story_experiment(s->story, i->bought[b].probe);
    const struct evidence *e =
        chosen && chosen->exhibit ? investigation_evidence(i, chosen->id) : NULL;
    *part = e && e->n_parts ? &e->parts[0] : NULL;
    return *part ? chosen : NULL;
}

bool timeline_of(const struct investigation_screen *s, struct exhibit_timeline *out)
{
    const struct msg_part *part;
    const struct experiment *x = s->view == VIEW_EXHIBIT ? exhibit_of(s, &part) : NULL;
    return x && exhibit_timeline(out, x, part);
}

const struct experiment *sweep_of(const struct investigation_screen *s)
{
    const struct investigation *i = state_of(s);
    for (int b = i->n_bought - 1; b >= 0; b--) {
        const struct experiment *x = story_experiment(s->story, i->bought[b].probe);
        if (x && x->kind == EXPERIMENT_SWEEP)
            return x;
    }
    return NULL;
}

/* ---- moves ---- */

void investigation_book(struct investigation_screen *s)
{
    struct note_frame frame = {s->variant, investigation_device(s),
                               s->bytes, investigation_tier(s),
                               NULL,     0,
                               s->text_columns};
    frame.n_spoken = hook_spoken(&s->in, &frame.spoken);
    notebook_free(&s->book);
    notebook_make(&s->book, state_of(s), &frame);
    if (s->note >= s->book.n)
        s->note = s->book.n - 1, s->row = -1;
}

void investigation_select_newest(struct investigation_screen *s)
{
    s->note = s->book.n - 1;
    s->row = -1;
    s->row_last = s->book.n > 0;
    s->explaining = false;
}

void say_error(struct app *app, const struct err *err)
{
    app_say(app, "%.*s", (int)strcspn(err->text, "\n"), err->text);
}

void investigation_told(struct investigation_screen *s)
{
    if (state_of(s)->n_moves == s->told_moves)
        return;
    s->told_moves = state_of(s)->n_moves;
    hook_moved(&s->in);
}

bool investigation_refuses(struct app *app, const struct investigation_screen *s, const char *say)
{
    if (s->in.hooks)
        app_say(app, "%s", say);
    return s->in.hooks != NULL;
}

int investigation_do(struct app *app, struct investigation_screen *s, struct move *m)
{
    struct err err = { 0 };
    int rc = attempt_move(s->attempt, m, app_now(app), &err);
    if (rc)
        say_error(app, &err);
    else
        investigation_book(s);
    investigation_told(s);
    return rc;
}

int investigation_keep(struct app *app, struct investigation_screen *s, enum move_kind kind,
                       const char *text)
{
    struct move m = { .kind = kind };
    if (strlen(text) >= sizeof m.answer)
        m.text = text_dup(text);
    else
        snprintf(m.answer, sizeof m.answer, "%s", text);
    int rc = investigation_do(app, s, &m);
    if (rc)
        free(m.text);
    return rc;
}

void investigation_keep_writing(struct app *app, struct investigation_screen *s)
{
    if (s->ui == UI_NAMING)
        investigation_keep(app, s, MOVE_NAMED, editor_text(&s->notes));
    else if (strcmp(editor_text(&s->notes), state_of(s)->note ? state_of(s)->note : "") != 0 &&
             investigation_keep(app, s, MOVE_NOTED, editor_text(&s->notes)) == 0)
        app_say(app, "Noted.");
}

void investigation_text(struct app *app, struct investigation_screen *s, const char *start)
{
    textfield_init(&s->field, start);
    s->skipping = s->guessing = false;
    app_text_input(app, true);
}

void list_open(struct investigation_screen *s, enum shop list)
{
    s->ui = list == SHOP_ASK ? UI_QUESTIONS : UI_EXPERIMENTS;
    s->list = list;
    s->marked = -1;
}

/* Each try waits for a lock as long as the store was told to; another process rarely holds it
 * longer than a few of them. */
void investigation_flush(struct app *app, struct attempt *a)
{
    enum {
        TRIES = 25,
        LATER_MS = 1000
    }; /* later: beliefs that are still in the keys are settled, a pause is over */
    for (int k = 1; k <= TRIES; k++)
        if (attempt_tick(a, app_now(app) + k * LATER_MS, NULL) <= 0)
            return;
}
