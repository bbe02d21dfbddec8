/* The timeline in the right pane: its rows as a Gantt chart, and what there is to say of the chosen
 * one. */
#include "tui/play/investigation_steps.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "scenarios/evidence/finding.h"
#include "scenarios/evidence/timeline.h"
#include "scenarios/formula/time_column.h"
#include "tui/kit/charts.h"

bool steps_of(const struct investigation_screen *s, struct timeline *out)
{
    const struct msg_part *p = timeline_part(investigation_evidence(state_of(s), "timing"), "a");
    return p && timeline_make(out, p, s->variant, investigation_device(s));
}

void steps_rate(const struct investigation_screen *s, char *out, size_t size)
{
    struct timeline step;
    finding_rate(out, size, s->story, s->yield, steps_of(s, &step) ? step.length : 0);
    size_t n = strlen(out);
    if (n > 0) /* of the run whose kernels are shown, from the first one to the last: not the time
                  of the symptom */
        snprintf(out + n, size - n, ", as drawn");
}

/* Kernels first, then what the host does. */
static int rows_of(const struct timeline *step)
{
    return step->n + step->n_calls;
}

static int chosen_of(const struct investigation_screen *s, const struct timeline *step)
{
    return s->kernel < 0 ? 0 : s->kernel < rows_of(step) ? s->kernel : rows_of(step) - 1;
}

bool steps_move(struct investigation_screen *s, int by)
{
    struct timeline step;
    if (!steps_of(s, &step))
        return false;
    int to = chosen_of(s, &step) + by;
    s->kernel = to < 0 ? 0 : to < rows_of(&step) ? to : rows_of(&step) - 1;
    return true;
}

/* Behind the number of its GPU where there are several. */
static const char *named(char out[48], const struct timeline *step, int rank, const char *label)
{
    if (step->n_ranks > 1)
        snprintf(out, 48, "%d: %.40s", rank, label);
    else
        snprintf(out, 48, "%.40s", label);
    return out;
}

/* Durations, of kernels and of what the host does. */
static struct time_column times_of(const struct timeline *step)
{
    struct time_column c = {0};
    for (int i = 0; i < step->n; i++)
        time_column_add(&c, step->row[i].end - step->row[i].start);
    for (int i = 0; i < step->n_calls; i++)
        time_column_add(&c, step->call[i].end - step->call[i].start);
    return c;
}

void steps_draw(const struct investigation_screen *s, struct rect r)
{
    struct timeline step;
    struct gantt_row row[TIMELINE_ROWS + TIMELINE_CALLS];
    char name[TIMELINE_ROWS + TIMELINE_CALLS][48];
    if (!steps_of(s, &step))
        return;
    struct time_column times = times_of(&step);
    for (int i = 0; i < step.n; i++) {
        const struct timeline_row *from = &step.row[i];
        double time = from->end - from->start;
        row[i] = (struct gantt_row){.label = named(name[i], &step, from->rank, from->label),
                                    .start = from->start,
                                    .end = from->end,
                                    .lane = from->stream};
        time_column_show(row[i].took, sizeof row[i].took, &times, time);
        if (from->bytes > 0 && time > 0)
            quantity_show(row[i].rate, sizeof row[i].rate, from->bytes / time, "B/s");
    }
    for (int i = 0; i < step.n_calls; i++) {
        const struct timeline_call *c = &step.call[i];
        row[step.n + i] = (struct gantt_row){
            .label = named(name[step.n + i], &step, c->rank, c->label),
            .start = c->start, .end = c->end, .lane = GANTT_HOST};
        time_column_show(row[step.n + i].took, sizeof row->took, &times, c->end - c->start);
    }
    draw_gantt((struct rect){r.y, r.x, r.h, r.w - 1}, row, rows_of(&step), step.length,
               chosen_of(s, &step));
}

/* ---- one row in words ---- */

struct words { char text[1024]; size_t used; };

static void say(struct words *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void say(struct words *w, const char *fmt, ...)
{
    va_list list;
    va_start(list, fmt);
    int n = vsnprintf(w->text + w->used, sizeof w->text - w->used, fmt, list);
    va_end(list);
    if (n > 0)
        w->used = w->used + (size_t)n < sizeof w->text ? w->used + (size_t)n : sizeof w->text - 1;
}

static void say_when(struct words *w, const struct timeline *step, int i)
{
    const struct timeline_row *r = &step->row[i];
    char took[24], start[24], gap[24], share[24];
    quantity_show(took, sizeof took, r->end - r->start, "s");
    quantity_show(start, sizeof start, r->start, "s");
    quantity_show(gap, sizeof gap, r->gap, "s");
    quantity_percent(share, sizeof share,
                     step->length > 0 ? (r->end - r->start) / step->length : 0);
    if (step->n_ranks > 1)
        say(w, "GPU %d, launch %d, %s", r->rank, r->launch + 1, r->kernel);
    else
        say(w, "Launch %d of %d, kernel %s", i + 1, step->n, r->kernel);
    if (step->n_streams > 1)
        say(w, ", on stream %d", r->stream);
    say(w, ". It begins %s after the step did and takes %s, %s of the step%s.", start, took, share,
        i == step->longest ? ": the longest" : "");
    if (r->gap > 0)
        say(w, " Nothing ran in the %s before it.", gap);
}

static void say_waits(struct words *w, const struct timeline *step, int i)
{
    const char *between = " It waits for ";
    for (int k = 0; k < step->n; k++)
        if (step->row[k].rank == step->row[i].rank &&
            step->row[i].after >> step->row[k].launch & 1) {
            say(w, "%s%s", between, step->row[k].label);
            between = ", ";
        }
    say(w, "%s", step->row[i].after ? "." : "");
}

static void say_rates(struct words *w, const struct timeline_row *r, double copy)
{
    char bytes[24], rate[24], share[24];
    double time = r->end - r->start;
    if (time > 0 && r->bytes > 0) {
        quantity_show(bytes, sizeof bytes, r->bytes, "B");
        quantity_show(rate, sizeof rate, r->bytes / time, "B/s");
        say(w, " Its task compels %s: %s", bytes, rate);
        if (copy > 0) {
            quantity_percent(share, sizeof share, r->bytes / time / copy);
            say(w, ", %s of a plain copy's rate", share);
        }
        say(w, ".");
    }
    if (time > 0 && r->flops > 0) {
        quantity_show(rate, sizeof rate, r->flops / time, "flop/s");
        say(w, " Its arithmetic runs at %s.", rate);
    }
}

static void say_call(struct words *w, const struct timeline *step, int i)
{
    const struct timeline_call *c = &step->call[i];
    char took[24], start[24], share[24];
    quantity_show(took, sizeof took, c->end - c->start, "s");
    quantity_show(start, sizeof start, c->start, "s");
    quantity_percent(share, sizeof share,
                     step->length > 0 ? (c->end - c->start) / step->length : 0);
    int each = step->n_calls / step->n_ranks;
    if (step->n_ranks > 1)
        say(w, "GPU %d. ", c->rank);
    if (i % each + 1 == each)
        say(w, "The host has done all that it does, and waits for the device.");
    else
        say(w, "Step %d of the host's %d.", i % each + 1, each - 1);
    say(w, " It begins %s after the first step did and holds the host up for %s, %s of the whole.",
        start, took, share);
}

void steps_explain(const struct investigation_screen *s, struct rect r)
{
    struct timeline step;
    struct words w = { .used = 0 };
    if (!steps_of(s, &step))
        return;
    int i = chosen_of(s, &step);
    if (i >= step.n) {
        say_call(&w, &step, i - step.n);
    } else {
        say_when(&w, &step, i);
        say_waits(&w, &step, i);
        say_rates(&w, &step.row[i], s->copy);
    }
    draw_text(r.y, r.x + 2, r.w - 3, STYLE_BOLD,
              i < step.n ? step.row[i].label : step.call[i - step.n].label);
    draw_wrapped((struct rect){ r.y + 2, r.x + 2, r.h - 2, r.w - 3 }, 0, STYLE_PLAIN, w.text);
}
