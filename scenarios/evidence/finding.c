#include "scenarios/evidence/finding.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/formula/quantity.h"

/* The number at `at`, behind `word` if that stands there. */
static bool number_at(const char *at, const char *word, double *out)
{
    char *end;
    if (strncmp(at, word, strlen(word)) == 0)
        at += strlen(word);
    *out = strtod(at, &end);
    return end != at && isfinite(*out);
}

/* The two values that a line compares, the second the one that counts. */
static bool two_values(const char *line, double *here, double *there)
{
    const char *is = strstr(line, "] is "), *comma = is ? strstr(is, ", ") : NULL;
    return comma && number_at(is + strlen("] is "), "", here) &&
           number_at(comma + 2, "should be ", there);
}

char *finding_text(const char *line, const struct msg_tolerance *t)
{
    double here, there;
    if (t->kind == TOL_EXACT || !two_values(line, &here, &there))
        return text_dup(line);
    double by = fabs(here - there), may = t->abs + t->rel * fabs(there);
    return text_format("%s (differ by %.3g, tolerance %.3g%s)", line, by, may,
                       by <= may ? ": within it" : "");
}

char *finding_line(const struct msg_part *p, int i, const struct msg_tolerance *t)
{
    bool compares = p->probe == PROBE_CHECK || p->probe == PROBE_POISON || p->probe == PROBE_REPEAT;
    return compares ? finding_text(p->lines[i], t) : text_dup(p->lines[i]);
}

/* "of launch 3 of 3, the longest", as counters have it, or with the kernel's name behind it. */
static char *of_launch(const char *note, const struct variant *v)
{
    int at, of, end = 0, n = 0;
    const struct launch *all = v ? variant_launches(v, "a", &n) : NULL;
    if (sscanf(note, "of launch %d of %d, the longest%n", &at, &of, &end) != 2 || end == 0)
        return NULL;
    const struct launch *l = all && of == n && at >= 1 && at <= of ? &all[at - 1] : NULL;
    const char *name = l                                   ? l->label ? l->label : l->kernel
                       : strncmp(note + end, ": ", 2) == 0 ? note + end + 2
                                                           : NULL;
    return name ? text_format("figures of launch %d of %d alone, the longest when each runs "
                              "alone: %s",
                              at, of, name)
                : NULL;
}

/* Recordings have short words, and older ones others: verdicts of repetition that say more than was
 * seen, a board's power as if it were the kernel's, counters' passes. */
static char *in_todays_words(const char *note)
{
    static const char *const words[][2] = {
        {"verdict: deterministic", "verdict: identical"},
        {"verdict: rounding order", "verdict: differing within the tolerance"},
        {"verdict: values differ", "verdict: differing beyond the tolerance"}};
    static const char *const power[] = {"power: ", "board power, not of this kernel alone: "};
    int passes, end = 0;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (!strcmp(note, words[k][0]))
            return text_dup(words[k][1]);
    for (int k = 0; k < 2; k++)
        if (strncmp(note, power[k], strlen(power[k])) == 0)
            return text_format("the whole board drew %s about then; pauses between runs may be in "
                               "it",
                               note + strlen(power[k]));
    if (sscanf(note, "%d pass%n", &passes, &end) == 1 && end > 0)
        return passes == 1
                   ? text_dup("counted in one run")
                   : text_format("counted in %d runs: one has no room for all counters", passes);
    return NULL;
}

/* How a buffer stood that ended at unmapped memory. */
static char *of_fence(const char *note)
{
    char name[64];
    int bytes, shared;
    if (strcmp(note, "fenced") == 0)
        return text_dup("memory behind each buffer is unmapped: to touch it is a fault");
    if (sscanf(note, "%63s ends %d bytes before the fence", name, &bytes) == 2)
        return text_format("%s begins at a multiple of 16 bytes, so the first %d behind it fault "
                           "nothing",
                           name, bytes);
    if (sscanf(note, "ballast: %d bytes", &shared) == 1)
        return text_format("with %d more bytes of shared memory a block", shared);
    return NULL;
}

static bool counts(const struct msg_part *p, const char *name)
{
    const struct msg_value *v = msg_part_value(p, name);
    return v && v->present && v->value > 0;
}

/* What a verdict is of, and what it rests on where no element says it. */
static char *of_verdict(const struct msg_part *p, const char *note)
{
    if (!finding_is_verdict(note))
        return NULL;
    if (p->probe == PROBE_BENCHMARK)
        return text_format("%s, by what its timed runs left behind", note);
    if (p->probe != PROBE_CHECK || strcmp(note, "verdict: wrong") || counts(p, "wrong_elements"))
        return NULL;
    return counts(p, "canaries_broken")  ? text_format("%s, since it writes outside", note)
           : counts(p, "inputs_changed") ? text_format("%s, since it changes an input", note)
                                         : NULL;
}

char *finding_note(const struct msg_part *p, int i, const struct variant *v)
{
    const struct msg_value *waves = msg_part_value(p, "waves");
    char *text = of_launch(p->notes[i], v);
    if (!text)
        text = of_verdict(p, p->notes[i]);
    if (!text)
        text = in_todays_words(p->notes[i]);
    if (!text)
        text = of_fence(p->notes[i]);
    if (!text && waves && waves->present && waves->value < 1 &&
        strncmp(p->notes[i], "limiter: ", 9) == 0)
        text =
            text_format("%s, out of this grid's reach: %.2g of a wave", p->notes[i], waves->value);
    return text ? text : text_dup(p->notes[i]);
}

char *finding_traced(const struct evidence *e, const struct msg_part *p)
{
    char untraced[32];
    const struct msg_part *alone = evidence_alone(e, p->run);
    const struct msg_value *step = msg_part_value(p, "step_time"),
                           *time = alone ? msg_part_time(alone) : NULL;
    bool hosted = msg_part_note(p, "from the host's first step until nothing runs");
    if (p->probe != PROBE_TIMELINE || !hosted || !step || !step->present || !time ||
        !time->present || time->value >= step->value)
        return NULL;
    quantity_show(untraced, sizeof untraced, time->value, "s");
    return text_format("traced, which slows the host: untraced the step takes %s", untraced);
}

bool finding_is_control(const struct msg_part *p)
{
    return strcmp(p->run, "r") == 0;
}

bool finding_control(char *out, size_t size, const struct msg_part *p, bool caught)
{
    static const char *const cheats[][2] = {{"zeros_wrong", "zeros"},
                                            {"poison_wrong", "garbage"},
                                            {"input_wrong", "a copied input"}};
    const char *named[3];
    int n = 0;
    for (int k = 0; k < 3; k++) {
        const struct msg_value *v = msg_part_value(p, cheats[k][0]);
        if (v && v->present && (v->value > 0) == caught)
            named[n++] = cheats[k][1];
    }
    if (size)
        out[0] = '\0';
    if (n == 0)
        return false;
    snprintf(out, size, "control of the comparison, nothing of this kernel: %s%s%s%s%s would %s",
             named[0], n == 3 ? ", " : "", n == 3 ? named[1] : "", n > 1 ? " and " : "",
             n > 1 ? named[n - 1] : "", caught ? "be found wrong" : "pass for right");
    return true;
}

bool finding_is_verdict(const char *note)
{
    return strncmp(note, "verdict: ", strlen("verdict: ")) == 0;
}

static bool uses_streams(const struct launch *launches, int n)
{
    for (int i = 0; i < n; i++)
        if (launches[i].stream)
            return true;
    return false;
}

/* Of any variant: which of them has streams is not told by a caution. */
static bool has_streams(const struct story *s)
{
    bool has = uses_streams(s->launches, s->n_launches);
    for (int i = 0; i < s->n_variants; i++)
        has = has || uses_streams(s->variants[i]->launches, s->variants[i]->n_launches);
    return has;
}

static bool has_bytes(const struct variant *v)
{
    int n;
    const struct launch *l = variant_launches(v, "a", &n);
    for (int i = 0; i < n; i++)
        if (l[i].bytes.f)
            return true;
    return false;
}

const char *finding_caveat(const struct msg_part *p, const struct variant *v)
{
    if (p->probe == PROBE_PIPES)
        return "shares of the cycles in which a scheduler or an SM had a warp: those without work "
               "do not lower them; 100 % of the tensor pipe is the best of the instruction that "
               "the kernel uses";
    if (p->probe == PROBE_POISON && v && has_streams(v->story))
        return "kernels run one by one here, so an edge that is missing between two streams does "
               "not show";
    if (p->probe == PROBE_REPEAT)
        return "buffers hold the same before each launch, so what follows from old contents of "
               "theirs repeats too: poison changes them";
    if (p->probe == PROBE_TIMELINE && v && has_bytes(v))
        return "bytes and rates are of what a kernel should move, by the story; what it does move "
               "was not counted";
    return NULL;
}

bool finding_rate(char *out, size_t size, const struct story *story, double yield, double time)
{
    char amount[32];
    bool known = story && story->rate.unit && yield > 0 && time > 0;
    if (size)
        out[0] = '\0';
    if (!known)
        return false;
    quantity_show(amount, sizeof amount, yield / time, "1");
    snprintf(out, size, "%s %s/s", amount, story->rate.unit);
    return true;
}

void tolerance_text(char *out, size_t size, const struct msg_tolerance *t)
{
    if (t->kind == TOL_EXACT)
        snprintf(out, size, "tolerance: exact");
    else
        snprintf(out, size, "tolerance %.3g + %.3g x value", t->abs, t->rel);
}

const char *finding_failure(const struct evidence *e)
{
    for (int i = 0; e && i < e->n_parts; i++) {
        const struct msg_part *p = &e->parts[i];
        if (p->probe == PROBE_OUTCOME && p->variant < 0 && !strcmp(p->run, "a") && p->n_lines)
            return p->lines[0];
    }
    return NULL;
}
