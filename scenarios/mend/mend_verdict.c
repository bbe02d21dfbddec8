#include "scenarios/mend/mend_verdict.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/mend/mend.h"

static const char *const reasons[MEND_REASONS] = {
    [MEND_NO_REASON] = "", [MEND_TEXT] = "text", [MEND_STATE] = "state",
    [MEND_COMPILE] = "compile",
    [MEND_LAUNCH] = "launch", [MEND_FAULT] = "fault", [MEND_HANGS] = "hangs",
    [MEND_WRONG] = "wrong", [MEND_SIZE] = "size", [MEND_MEMORY] = "memory",
    [MEND_MOVED] = "moved", [MEND_FENCE] = "fence", [MEND_UNSTEADY] = "unsteady",
    [MEND_BESIDE] = "beside", [MEND_FLOOR] = "floor", [MEND_STALE] = "stale"};
static const char *const states[] = {"open", "right", "refused", "not judged"};
static const char *const sides[MEND_SIDES] = {"yours", "suspect", "fix", "best", "roof"};

const char *mend_reason_word(enum mend_reason r) { return reasons[r]; }
const char *mend_is_word(enum mend_is is) { return states[is]; }
const char *mend_side_word(enum mend_side s) { return sides[s]; }

enum mend_reason mend_reason_find(const char *word)
{
    for (int r = 0; r < MEND_REASONS; r++)
        if (!strcmp(word, reasons[r]))
            return (enum mend_reason)r;
    return MEND_NO_REASON;
}

/* Which side it races against: the fix, where there is none the best. */
static enum mend_side mend_target(const struct variant *v)
{
    return v->fix_file ? MEND_FIX : MEND_BEST;
}

/* ---- refusing: the first reason stays ---- */

static void refuse(struct mend_verdict *v, enum mend_reason reason, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static void refuse(struct mend_verdict *v, enum mend_reason reason, const char *fmt, ...)
{
    va_list ap;
    if (v->is == MEND_REFUSED)
        return;
    v->is = MEND_REFUSED;
    v->reason = reason;
    va_start(ap, fmt);
    vsnprintf(v->why, sizeof v->why, fmt, ap);
    va_end(ap);
    text_clean(v->why, strlen(v->why));
}

/* Because of something else than the text. */
static void give_up(struct mend_verdict *v, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
static void give_up(struct mend_verdict *v, const char *fmt, ...)
{
    va_list ap;
    if (v->is == MEND_REFUSED)
        return;
    v->is = MEND_NOT_JUDGED;
    va_start(ap, fmt);
    vsnprintf(v->why, sizeof v->why, fmt, ap);
    va_end(ap);
    text_clean(v->why, strlen(v->why));
}

static const struct msg_value *value_of(const struct msg_part *p, const char *name)
{
    const struct msg_value *v = msg_part_value(p, name);
    return v && v->present ? v : NULL;
}

static double number(const struct msg_part *p, const char *name)
{
    const struct msg_value *v = value_of(p, name);
    return v ? v->value : 0;
}

static const char *first_line(const struct msg_part *p)
{
    return p->n_lines ? p->lines[0] : "no element is named";
}

/* What stands behind "fault: " or "unfinished: " in its notes, or NULL. */
static const char *note_from(const struct msg_part *p, const char *prefix)
{
    for (int i = 0; i < p->n_notes; i++)
        if (!strncmp(p->notes[i], prefix, strlen(prefix)))
            return p->notes[i] + strlen(prefix);
    return NULL;
}

/* ---- is it right ---- */

/* Which reason a comparison that failed is, by what was special about it. */
static enum mend_reason reason_of(const struct msg_item *it, enum mend_stage stage)
{
    if (it->variant >= 0)
        return MEND_SIZE;
    if (it->offset || it->fence)
        return it->offset ? MEND_MOVED : MEND_FENCE;
    return stage == MEND_REST ? MEND_STALE : MEND_WRONG;
}

static void take_precision(struct mend_verdict *out, const struct msg_measure *m,
                           const struct msg_part *p)
{
    double error = number(p, "max_error");
    out->allowed = m->tolerance.kind == TOL_EXACT ? 0 : m->tolerance.rel;
    if (error > out->error)
        out->error = error;
}

static void take_check(struct mend_verdict *out, const struct msg_measure *m,
                       enum mend_stage stage, const struct msg_part *p)
{
    const struct msg_item *it = &m->items[p->item];
    enum mend_reason reason = reason_of(it, stage);
    char where[120];
    mend_item_words(where, sizeof where, m, p->item);
    const char *fault = note_from(p, "fault: "), *unfinished = note_from(p, "unfinished: ");
    const char *now = reason == MEND_STALE ? " on fresh inputs, after the timing: what was right "
                                             "before depends on the inputs, or on chance"
                                           : "";
    if (msg_part_note(p, "verdict: right")) {
        out->checks++;
        take_precision(out, m, p);
    } else if (!msg_part_note(p, "verdict: wrong")) {
        return; /* nothing was compared */
    } else if (unfinished) {
        refuse(out, MEND_HANGS, "it does not end%s: %s", where, unfinished);
    } else if (fault && it->offset % 16 && strstr(fault, "misaligned")) {
        out->checks++; /* a text may ask for what allocators give */
    } else if (fault) {
        refuse(out, reason == MEND_WRONG ? MEND_FAULT : reason, "it faults%s: %s", where, fault);
    } else if (number(p, "canaries_broken") + number(p, "inputs_changed") > 0) {
        refuse(out, MEND_BESIDE,
               "it writes where it must not%s: %.0f bytes beside the buffers, %.0f inputs changed",
               where, number(p, "canaries_broken"), number(p, "inputs_changed"));
    } else {
        refuse(out, reason, "%.0f of %.0f elements are wrong%s%s: %s",
               number(p, "wrong_elements"), number(p, "compared_elements"), where, now,
               first_line(p));
    }
}

static void take_poison(struct mend_verdict *out, const struct msg_part *p)
{
    out->checks += msg_part_note(p, "verdict: right");
    if (msg_part_note(p, "verdict: wrong"))
        refuse(out, MEND_MEMORY, "the result depends on what lay in memory before: %s",
               first_line(p));
}

static void take_repeat(struct mend_verdict *out, const struct msg_item *it,
                        const struct msg_part *p)
{
    if (msg_part_note(p, "verdict: differing beyond the tolerance"))
        refuse(out, MEND_UNSTEADY, "%d launches on the same inputs do not agree: %s", it->repeat,
               first_line(p));
    else
        out->checks += msg_part_note(p, "verdict: identical") ||
                       msg_part_note(p, "verdict: differing within the tolerance");
}

/* A GPU may have no fences; all else is compared, or nothing was judged. */
void mend_take_checks(struct mend_verdict *out, const struct msg_measure *m, int before,
                      const char *why)
{
    int wanted = 0, made = out->checks - before;
    for (int i = 0; i < m->n_items; i++)
        wanted += !m->items[i].fence;
    if (out->is != MEND_OPEN || made >= wanted)
        return;
    give_up(out, "%d of %d comparisons were made: %.900s", made, wanted, why);
}

/* ---- the race ---- */

static enum mend_side side_of_run(const char *run)
{
    return *run == 'a' ? MEND_SUSPECT : *run == 'b' ? MEND_FIX : MEND_BEST;
}

static void set_time(struct mend_time *t, const struct msg_value *v)
{
    if (v)
        *t = (struct mend_time){true, v->value, v->low, v->high};
}

static void take_missing_time(struct mend_verdict *out, const struct msg_part *p)
{
    const struct msg_value *v = msg_part_value(p, "time");
    const char *missing = v && v->missing ? v->missing : "", *say = strstr(missing, ": "),
               *why = say ? say + 2 : "the work was not done"; /* behind the code */
    if (msg_part_note(p, "wrong where it was timed"))
        refuse(out, MEND_STALE, "what was timed was not the whole work: %s", why);
    else if (msg_part_note(p, "below the physical floor"))
        refuse(out, MEND_FLOOR, "its time is below what this machine allows: %s", why);
}

/* Its own time is that of the pair with the target. */
static void take_timing(struct mend_verdict *out, const struct variant *v,
                        const struct msg_item *it, const struct msg_part *p)
{
    bool pair_of_target = side_of_run(it->runs[1]) == mend_target(v);
    if (strchr(p->run, '/')) {
        if (pair_of_target)
            set_time(&out->against, value_of(p, "ratio"));
    } else if (strcmp(p->run, MEND_RUN)) {
        set_time(&out->time[side_of_run(p->run)], value_of(p, "time"));
    } else if (!value_of(p, "time")) {
        take_missing_time(out, p);
    } else if (pair_of_target || !out->time[MEND_MINE].there) {
        set_time(&out->time[MEND_MINE], value_of(p, "time"));
    }
}

static double ceiling(const struct msg_device *d, const char *const *names)
{
    double value = 0;
    for (; *names && value <= 0; names++)
        msg_device_ceiling(d, *names, &value);
    return value;
}

/* Bytes at the rate of a copy, or operations at the rate of the fastest pipe that was measured. */
static double roof_of(const struct msg_work *w, const struct msg_device *d)
{
    static const char *const moves[] = {"copy", "read", NULL}, *const counts[] = {"tensor", "fma",
                                                                                  NULL};
    double copy = ceiling(d, moves), flops = ceiling(d, counts);
    return fmax(copy > 0 ? w->bytes / copy : 0, flops > 0 ? w->flops / flops : 0);
}

void mend_take_race(struct mend_verdict *out, const struct variant *v, const struct msg_measure *m,
                    const struct msg_device *device, const char *why)
{
    const struct mend_time *mine = &out->time[MEND_MINE], *suspect = &out->time[MEND_SUSPECT],
                           *target = &out->time[mend_target(v)];
    double roof = roof_of(&m->base.work, device);
    if (roof > 0)
        out->time[MEND_ROOF] = (struct mend_time){true, roof, roof, roof};
    if (out->is == MEND_OPEN && !out->against.there)
        give_up(out, "the race was not timed: %.900s", why);
    if (!mine->there || !suspect->there || !target->there ||
        suspect->value <= target->value * (1 + MEND_NOISE))
        return;
    out->has_share = true;
    out->share = (suspect->value - mine->value) / (suspect->value - target->value);
}

/* ---- the rest ---- */

static void take_metrics(struct mend_verdict *out, const struct msg_part *p)
{
    for (int i = 0; i < p->n_metrics && out->n_metrics < MEND_METRICS_MOST; i++) {
        if (!p->metrics[i].present)
            continue;
        out->metric[out->n_metrics] = p->metrics[i];
        out->metric[out->n_metrics++].missing = NULL;
    }
}

void mend_take_part(struct mend_verdict *out, const struct variant *v, const struct msg_measure *m,
                    enum mend_stage stage, const struct msg_part *p)
{
    const struct msg_item *it = &m->items[p->item];
    bool judged = !strcmp(p->run, MEND_RUN); /* the reference tells of itself too */
    switch (p->probe) {
    case PROBE_CHECK:
        if (judged)
            take_check(out, m, stage, p);
        break;
    case PROBE_POISON:
        if (judged)
            take_poison(out, p);
        break;
    case PROBE_REPEAT: take_repeat(out, it, p); break;
    case PROBE_TIMING: take_timing(out, v, it, p); break;
    default: take_metrics(out, p); break;
    }
}

void mend_take_text(struct mend_verdict *out, enum mend_reason reason, const char *why)
{
    refuse(out, reason, "%s", why);
}

void mend_take_error(struct mend_verdict *out, enum mend_stage stage, int code, const char *where,
                     const char *text)
{
    if (stage == MEND_METRICS)
        return; /* the verdict stands without them */
    if (code == ERR_COMPILE)
        refuse(out, MEND_COMPILE, "%s", text);
    else if (code == ERR_BAD_REQUEST && stage == MEND_FIRST)
        refuse(out, MEND_TEXT, "%s%s%s", where, *where ? ": " : "", text);
    else if (code == ERR_PERMISSION && stage == MEND_FIRST)
        refuse(out, MEND_STATE, "%s", text);
    else if (code == ERR_LAUNCH)
        refuse(out, MEND_LAUNCH, "it cannot be launched so: %s", text);
    else if (code == ERR_FAULT)
        refuse(out, MEND_FAULT, "it faults: %s", text);
    else if (code == ERR_TIMEOUT)
        refuse(out, MEND_HANGS, "it did not end in its time: %s", text);
    else
        give_up(out, "%s%s%s", where, *where ? ": " : "", text);
}

bool mend_is_done(const struct mend_verdict *v)
{
    return v->is == MEND_RIGHT && v->against.there && v->against.low <= 1 + MEND_NOISE;
}

double mend_shown_share(const struct mend_verdict *v)
{
    if (v->is != MEND_RIGHT)
        return -1;
    if (v->has_share)
        return fmax(v->share, 0);
    return v->time[MEND_SUSPECT].there || !v->against.there ? -1 : 1 / v->against.value;
}

static size_t put_speed(char *out, size_t size, double times)
{
    if (fabs(times - 1) <= MEND_NOISE)
        return (size_t)snprintf(out, size, ", as fast as the suspect");
    return (size_t)snprintf(out, size, ", %.3g times as fast as the suspect", times);
}

void mend_headline(char *out, size_t size, const struct mend_verdict *v)
{
    const struct mend_time *mine = &v->time[MEND_MINE], *suspect = &v->time[MEND_SUSPECT];
    bool timed = v->is == MEND_OPEN && v->against.there;
    size_t n = (size_t)snprintf(out, size, "%s", timed ? "right so far" : mend_is_word(v->is));
    if (v->is != MEND_RIGHT && !timed) {
        snprintf(out + n, size - n, "%s%s", v->reason ? ": " : "", mend_reason_word(v->reason));
        return;
    }
    if (mine->there && suspect->there && n < size)
        n += put_speed(out + n, size - n, suspect->value / mine->value);
    if (v->has_share && n < size)
        snprintf(out + n, size - n, ", %.0f %% of the gap closed", 100 * v->share);
    else if (!suspect->there && v->against.there && n < size)
        snprintf(out + n, size - n, ", %.3g times the %s's time", v->against.value,
                 v->time[MEND_FIX].there ? "fix" : "best");
}

double mend_longest(const struct mend_verdict *v)
{
    double most = 0;
    for (int s = 0; s < MEND_SIDES; s++)
        if (v->time[s].there && v->time[s].value > most)
            most = v->time[s].value;
    return most;
}
