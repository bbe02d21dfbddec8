#include "scenarios/pack/failing.h"

#include <string.h>

bool variant_fails(const struct variant *v)
{
    return v->pair == PAIR_REFUSED || v->pair == PAIR_FAULTED || v->pair == PAIR_UNFINISHED;
}

const char *variant_failure(const struct variant *v)
{
    return v->pair == PAIR_REFUSED   ? "refused"
           : v->pair == PAIR_FAULTED ? "faulted"
                                     : "unfinished";
}

static bool is_standard(const struct experiment *x, const char *id)
{
    return x->standard && !strcmp(x->standard->id, id);
}

static bool experiment_answers(const struct variant *v, const struct experiment *x)
{
    if (x->measure == PROBE_RESOURCES || x->measure == PROBE_OUTCOME)
        return true;
    if (v->pair == PAIR_REFUSED)
        return is_standard(x, "registers");
    return v->pair == PAIR_FAULTED && (is_standard(x, "fence") || is_standard(x, "sanitizer"));
}

bool variant_answers(const struct variant *v, const char *probe)
{
    static const char *const always[] = {"timing", "resources", "build", "source", "sass"};
    const struct experiment *x = story_experiment(v->story, probe);
    if (!variant_fails(v))
        return true;
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        if (!strcmp(probe, always[i]))
            return true;
    return x && experiment_answers(v, x);
}

enum wire_probe variant_measures(const struct variant *v, const struct experiment *x)
{
    return variant_fails(v) && x->measure == PROBE_TIMING ? PROBE_OUTCOME : x->measure;
}
