/* What a client will ask for next is compiled beside what it has asked for, and while the worker
 * measures: whoever mends is told how fast a text is, and meanwhile it is compiled for the sizes at
 * which it must be right too. */
#include "kernels/runner/job_own.h"

#include <string.h>

void job_forget_ahead(struct supervisor *s)
{
    build_plan_free(&s->ahead.plan);
    msg_measure_free(&s->ahead.measure);
    s->ahead = (struct ahead){0};
}

void job_plan_ahead(struct supervisor *s)
{
    struct ahead *a = &s->ahead;
    struct build_target target;
    struct err err = {0};
    a->planned = true;
    if (build_target_choose(&target, s->arch, s->archs, s->nvrtc, &err))
        return;
    memcpy(target.exact, s->exact, sizeof target.exact);
    build_plan_make(&a->plan, &a->measure, &target);
    for (int i = 0; i < a->plan.n_builds; i++)
        if (!a->plan.builds[i].ready)
            build_cache_load(&a->plan.builds[i]);
}

struct build *job_ahead_wants(struct supervisor *s, const char *key)
{
    for (int i = 0; i < s->ahead.plan.n_builds; i++) {
        struct build *b = &s->ahead.plan.builds[i];
        if (!strcmp(b->key, key))
            return b->ready || b->refused ? NULL : b;
    }
    return NULL;
}

bool job_take_ahead(struct supervisor *s, struct build *b)
{
    for (int i = 0; i < s->ahead.plan.n_builds; i++) {
        const struct build *has = &s->ahead.plan.builds[i];
        if (has->ready && !strcmp(has->key, b->key)) {
            build_copy(b, has);
            return true;
        }
    }
    return false;
}
