/* What the fake runner's scenario `live` measures: a good pair, right sources and a comparison that
 * sees what was spoilt, but for what the words of $WARPDRILL_FAKE_LIVE say:
 *
 *   wrong:RUN:COUNT   the comparison finds errors where the first buffer has COUNT elements
 *   poison:RUN  differ:RUN  fence:RUN  misaligned:RUN  MEMCHECK:RUN (or another tool)
 *   held:RUN          before a fence it does not end
 *   accept:HOW        a result spoilt so (number of enum spoil_how; "stale", "unwritten") passes
 *   same              no two neighbours of the result differ
 *   strict            what the tolerance should allow is refused
 *   noise             the interval of a pair's ratio holds 1
 *   fault:RUN         its plain comparison ends the request
 *   crash:RUN         its repetition ends the runner; gone: every request does
 *   cut:RUN           its racecheck does not end at the story's own size
 *   no-tool           compute-sanitizer is missing
 *   stuck:once        the first request finds the GPU stuck, until it is described
 *   stuck:ever        so do all, and descriptions after it
 *   later:RUN         wrong in every request whose seed is not the first
 *   beside:RUN        its comparison finds bytes that were written beside the buffers
 *
 * A person's text (run m) says the same of itself by "fake: WORD" in a comment, where WORD stands
 * before the colon above (wrong too); and there only: compile, launch, hangs, floor, silent (its
 * comparisons tell nothing), and "time X", X times the time of run b. */
#ifndef WD_TESTS_LIVE_ANSWERS_H
#define WD_TESTS_LIVE_ANSWERS_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/message.h"
#include "kernels/wire/message_measure.h"
#include "kernels/wire/message_part.h"
#include "kernels/wire/message_runs.h"
#include "kernels/wire/metric.h"
#include "scenarios/check/checker_spoil.h"

static bool live_says(const char *word, const char *more)
{
    char whole[64];
    const char *words = getenv("WARPDRILL_FAKE_LIVE"), *at = words;
    int n = snprintf(whole, sizeof whole, "%s%s%s", word, *more ? ":" : "", more);
    while (at && (at = strstr(at, whole))) {
        if ((at == words || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
            return true;
        at += n;
    }
    return false;
}

/* The text of a run of a request; "" where it is not a person's. */
static const char *live_text(const struct msg_measure *m, const char *run)
{
    const struct msg_source *s = strcmp(run, "m") ? NULL : msg_source_find(m, run);
    return s ? s->text : "";
}

/* Does the environment say it of the run, or the run's text of itself? */
static bool live_of(const struct msg_measure *m, const char *word, const char *run)
{
    char whole[64];
    snprintf(whole, sizeof whole, "fake: %s\n", word);
    return live_says(word, run) || strstr(live_text(m, run), whole);
}

struct live_part { struct msg_part part; struct msg_value values[8]; char *notes[2], *lines[1]; };

static void live_value(struct live_part *p, const char *name, double value)
{
    struct msg_value *v = &p->values[p->part.n_metrics++];
    *v = (struct msg_value){.present = true, .value = value, .low = value, .high = value};
    snprintf(v->name, sizeof v->name, "%s", name);
}

static void live_note(struct live_part *p, const char *note)
{
    p->notes[p->part.n_notes++] = (char *)note;
}

static void live_verdict(struct live_part *p, bool wrong)
{
    live_note(p, wrong ? "verdict: wrong" : "verdict: right");
    p->lines[0] = (char *)"out[0] is 1, should be 2";
    p->part.n_lines = wrong;
}

static bool live_has_other_inputs(const struct msg_measure *m, const struct msg_run *run)
{
    for (int l = 0; l < run->n_launches; l++)
        for (int a = 0; a < run->launches[l].n_args; a++) {
            const struct msg_arg *arg = &run->launches[l].args[a];
            if (arg->kind == ARG_BUFFER &&
                !strncmp(m->base.buffers[arg->buffer].name, "wd_other_", 9))
                return true;
        }
    return false;
}

/* A run that ends with the kernel that spoils: does the comparison accept it? */
static bool live_accepts(const struct msg_measure *m, const struct msg_item *it,
                         const struct msg_run *run)
{
    const struct msg_launch *last = &run->launches[run->n_launches - 1];
    int how = (int)last->args[3].i;
    bool stale = live_has_other_inputs(m, run),
         mild = how == SPOIL_SCALE && last->args[8].f < m->tolerance.rel;
    char number[8];
    snprintf(number, sizeof number, "%d", how);
    if (it->probe == PROBE_POISON)
        return live_says("accept", "unwritten");
    if (how == SPOIL_NOTHING)
        return stale ? live_says("accept", "stale") : !live_says("strict", "");
    if (how == SPOIL_PAIR)
        return live_says("same", "");
    return mild ? !live_says("strict", "") : live_says("accept", number);
}

enum { LIVE_FIRST_SEED = 7 };

static bool live_is_wrong(const struct msg_measure *m, const struct msg_item *it, const char *run)
{
    const struct msg_shape *s = msg_shape_of(m, it->variant);
    char where[40];
    snprintf(where, sizeof where, "%s:%llu", run, (unsigned long long)s->buffers[0].count);
    if (*run == 's')
        return !live_accepts(m, it, msg_run_find(s, run));
    if (m->seed != LIVE_FIRST_SEED && live_of(m, "later", run))
        return true;
    if (it->probe == PROBE_POISON)
        return live_of(m, "poison", run);
    return live_says("wrong", where) || live_of(m, it->variant < 0 ? "wrong" : "size", run);
}

static void live_check(struct live_part *p, const struct msg_measure *m, const struct msg_item *it,
                       const char *run)
{
    bool faults =
             it->fence ? live_of(m, "fence", run)
                       : (it->offset % 16 && live_of(m, "misaligned", run)) ||
                             (it->offset && live_of(m, "moved", run)),
         wrong = live_is_wrong(m, it, run), beside = live_of(m, "beside", run),
         held = it->fence && live_of(m, "held", run);
    if (it->probe == PROBE_POISON) {
        live_value(p, "poisoned_wrong", wrong);
        live_value(p, "buffer_differences", wrong);
        live_value(p, "shared_differences", 0);
    } else if (held) {
        live_note(p, "unfinished: no result after 5 s");
    } else if (faults) {
        live_note(p, it->fence ? "fault: illegal address" : "fault: misaligned address");
        live_value(p, "faults", 1);
    } else {
        live_value(p, "wrong_elements", wrong);
        live_value(p, "compared_elements", 100);
        live_value(p, "faults", 0);
        live_value(p, "canaries_broken", beside ? 4 : 0);
        live_value(p, "max_error", wrong ? 1 : 1e-6);
    }
    if (!live_of(m, "silent", run))
        live_verdict(p, wrong || faults || beside || held);
}

static void live_repeat(struct live_part *p, const struct msg_measure *m,
                        const struct msg_item *it, const char *run)
{
    bool differ = live_of(m, "differ", run);
    live_value(p, "repeats", it->repeat);
    live_value(p, "identical_repeats", differ ? 3 : it->repeat);
    live_note(p, differ ? "verdict: differing beyond the tolerance" : "verdict: identical");
}

static void live_sanitize(struct live_part *p, const struct msg_measure *m,
                          const struct msg_item *it, const char *run)
{
    bool own = msg_shape_of(m, it->variant)->buffers[0].count == m->base.buffers[0].count;
    static const char *const metrics[][2] = {{"memcheck", "memory_errors"},
                                             {"racecheck", "race_hazards"},
                                             {"initcheck", "uninitialised_reads"},
                                             {"synccheck", "barrier_errors"}};
    for (int i = 0; i < 4; i++)
        if (!strcmp(metrics[i][0], it->tool))
            live_value(p, metrics[i][1], live_of(m, it->tool, run) ? 3 : 0);
    if (live_says("cut", run) && own && !strcmp(it->tool, "racecheck")) {
        p->values[0].present = false;
        p->values[0].missing = (char *)"unsupported: racecheck " SANITIZE_CUT;
    }
    if (live_says("no-tool", "")) {
        p->values[0].present = false;
        p->values[0].missing = (char *)"unsupported: compute-sanitizer is not here";
    }
}

/* False: canned as in the other scenarios. The part's texts are constants. */
static bool live_answer(struct live_part *p, const struct msg_measure *m, int item,
                             const char *run)
{
    const struct msg_item *it = &m->items[item];
    *p = (struct live_part){.part = {.id = m->id,
                                     .item = item,
                                     .probe = it->probe,
                                     .variant = it->variant,
                                     .tier = "live"}};
    p->part.metrics = p->values;
    p->part.notes = p->notes;
    p->part.lines = p->lines;
    snprintf(p->part.run, sizeof p->part.run, "%s", run);
    if (it->probe == PROBE_CHECK || it->probe == PROBE_POISON)
        live_check(p, m, it, run);
    else if (it->probe == PROBE_REPEAT)
        live_repeat(p, m, it, run);
    else if (it->probe == PROBE_SANITIZE)
        live_sanitize(p, m, it, run);
    else
        return false;
    return true;
}

#endif
