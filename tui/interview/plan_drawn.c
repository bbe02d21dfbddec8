#include "tui/interview/plan_drawn.h"

#include "tui/app/app_data.h"

uint64_t plan_seed(const struct session_plan *plan, int part)
{
    return (plan->seed + (uint64_t)part * 7919) & INT64_MAX;
}

int plan_drawn(const struct variant **out, struct app *app, const struct session_plan *plan,
               int part, struct err *err)
{
    const char *id = plan->parts[part].id;
    const struct story *story = NULL;
    const struct variant *v = NULL;
    int rc = app_catalog(app) ? catalog_find(app_catalog(app), id, &story, &v, err)
                              : err_set(err, ERR_MISSING, "there are no packs");
    if (rc == 0 && !v)
        rc = err_set(err, ERR_BAD_REQUEST, "the plan names %s and none of its variants", id);
    return rc ? rc : app_draw_variant(app, v, plan_seed(plan, part), out, err);
}
