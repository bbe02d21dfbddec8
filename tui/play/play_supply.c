/* Where evidence comes from: this machine's GPU, or a recording. */
#include "tui/play/play_supply.h"

#include <string.h>

#include "tui/app/app_runner.h"
#include "tui/app/trust_screen.h"

static bool times_are_missing(const struct msg_device *d)
{
    for (int i = 0; i < d->n_tiers; i++)
        if (d->tiers[i].probe == PROBE_TIMING && !d->tiers[i].ok)
            return true;
    return false;
}

bool investigation_can_be_live(struct app *app, const struct variant *v)
{
    struct client *client = app_client(app);
    const struct msg_device *d = app_device(app);
    if (!client || !client_alive(client) || !d || times_are_missing(d))
        return false;
    return request_needs(v->story, d, NULL) == 0;
}

int play_choose_supply(struct app *app, const struct variant *v, uint64_t seed, bool live,
                       struct supply **out, struct err *err)
{
    if (live)
        return supply_live(out, v, app_client(app), app_device(app), seed, err);
    char gpu[64];
    app_recorded_gpu(app, gpu);
    return supply_preferred(out, v, gpu, err);
}

bool play_same_gpu(const struct app *app, const struct attempt *a)
{
    const struct msg_device *d = app_device(app);
    return d && strcmp(d->name, attempt_state(a)->gpu) == 0;
}

/* The tier an attempt began with is kept: tiers never mix. */
int investigation_same_supply(struct app *app, const struct attempt *a, struct supply **out,
                              struct err *err)
{
    const struct investigation *i = attempt_state(a);
    if (strcmp(i->tier, "live") != 0)
        return supply_recorded(out, attempt_variant(a), NULL,
                               err); /* the attempt's own copy holds one */
    const struct msg_device *d = app_device(app);
    if (!play_same_gpu(app, a))
        return err_set(err, ERR_NO_GPU,
                       "this was begun live on %s, which is not here now (g on the home screen)",
                       i->gpu);
    if (trust_state(app, attempt_variant(a)) != MAY_RUN)
        return err_set(err, ERR_PERMISSION,
                       "this was begun live, and goes on live alone; its GPU code may not run "
                       "here");
    return supply_live(out, attempt_variant(a), app_client(app), d, i->seed, err);
}
