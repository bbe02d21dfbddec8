#include "tui/app/app_runner.h"
#include "tui/practice/drills_screen.h"

#include "tui/app/trust_screen.h"

void drills_measure_end(struct drills *d)
{
    supply_free(d->supply);
    d->supply = NULL;
}

int drills_place(struct app *app, struct drills *d, const struct drill *drill,
                 const struct msg_device **device, uint64_t *seed, struct err *err)
{
    recording_free(d->recording);
    d->recording = NULL;
    *device = drill->needs_gpu ? app_device(app) : NULL;
    if (*device && drill->needs_links && !(*device)->links.gpus)
        *device = NULL;
    if (*device && drill->trial && !trust_drills(app, drill->set->files->root)) {
        app_say(app,
                "Recorded: `warpdrill drill %s --tier live` asks whether its GPU code may run "
                "here.",
                drill->full_id);
        *device = NULL;
    }
    if (*device || !(drill->trial || drill->needs_links))
        return 0;
    int rc = drill_recording(&d->recording, drill->set, NULL, err);
    if (rc != 0)
        return rc;
    *device = &d->recording->device;
    if (!drill->trial)
        return 0;
    return drill_recorded_seed(drill, d->recording, *seed, seed, err);
}

static int recalled(struct drills *d, struct err *err)
{
    struct drill_truth t;
    int rc = drill_recall(&t, d->instance, d->recording, err);
    if (rc != 0)
        return rc;
    drill_reveal(d->instance, &t);
    return 1;
}

int drills_measure(struct app *app, struct drills *d, struct err *err)
{
    if (d->instance->measured)
        return 1;
    if (d->recording)
        return recalled(d, err);
    if (!app_client(app) || !app_device(app))
        return err_set(err, ERR_MISSING, "the GPU that was to measure this is gone");
    int rc = supply_plain(&d->supply, app_client(app), app_device(app), err);
    if (rc == 0)
        rc = drill_measure(d->supply, d->instance, err);
    if (rc != 0)
        drills_measure_end(d);
    return rc;
}

static int taken(struct drills *d, struct err *err)
{
    struct drill_truth t;
    struct evidence *e = supply_take(d->supply);
    int rc = drill_measured(&t, d->instance, e, err);
    evidence_free(e);
    if (rc != 0)
        return rc;
    drill_reveal(d->instance, &t);
    return 1;
}

int drills_hear(struct drills *d, const struct client_event *e, struct err *err)
{
    int rc = 0;
    supply_event(d->supply, e);
    enum supply_state state = supply_poll(d->supply);
    if (state == SUPPLY_READY)
        rc = taken(d, err);
    else if (state == SUPPLY_FAILED)
        rc = err_set(err, ERR_INTERNAL, "%s", supply_say(d->supply, NULL, NULL));
    if (rc != 0)
        drills_measure_end(d);
    return rc;
}
