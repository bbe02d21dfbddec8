#include "scenarios/pack/harness.h"

#include <stdio.h>

int story_measures(const struct story *s, const struct probe *p)
{
    return p->id == SHOP_TIMING && story_is_harness(s) ? PROBE_BENCHMARK : p->wire;
}

const char *story_clock(const struct story *s)
{
    return story_is_harness(s) ? "reported_time" : "time";
}

void story_clock_of(char *out, size_t size, const struct story *s, const char *run)
{
    snprintf(out, size, "%s.%s", run, story_clock(s));
}

const struct benchmark *variant_benchmark(const struct variant *v, const char *run)
{
    if (!story_is_harness(v->story))
        return NULL;
    return *run == 'a' ? &v->benchmark : &v->honest;
}

bool variant_has_setting(const struct variant *v, const struct experiment *x)
{
    const struct benchmark *b = &v->benchmark;
    return x->kind == EXPERIMENT_BENCHMARK &&
           msg_benchmark_get(&b->program, x->field) == x->setting &&
           (!b->baseline_file || msg_benchmark_get(&b->care, x->field) == x->setting);
}

int variant_price(const struct variant *v, const char *probe)
{
    const struct experiment *x = story_experiment(v->story, probe);
    return x && variant_has_setting(v, x) ? LOOK_PRICE : story_price(v->story, probe);
}

int variant_benchmark_line(const struct variant *v, int k)
{
    int n;
    variant_launches(v, "a", &n);
    return source_launch_line(v->suspect->text, n + 1 + k);
}

bool story_claims_speed_up(const struct story *s)
{
    return story_is_harness(s) && s->n_variants && s->variants[0]->benchmark.baseline_file;
}
