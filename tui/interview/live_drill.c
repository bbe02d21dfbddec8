#include "tui/interview/live_drill.h"

#include "drills/library.h"
#include "drills/measure.h"

/* A measured drill goes by its recording: a GPU that is slow to answer would hold the interview up. */
int live_numbers_make(struct live_numbers *out, struct app *app, const struct session_drill *d, struct err *err)
{
    const struct drill *drill = library_drill(app_library(app), d->drill);
    const struct msg_device *device = app_device(app);
    uint64_t seed = d->seed;
    int rc = 0;
    *out = (struct live_numbers){ 0 };
    if (!drill)
        return err_set(err, ERR_MISSING, "there is no drill '%s'", d->drill);
    if (drill->trial) {
        rc = drill_recording(&out->recording, drill->set, NULL, err);
        if (rc == 0)
            rc = drill_recorded_seed(drill, out->recording, seed, &seed, err);
        device = out->recording ? &out->recording->device : NULL;
    }
    return rc ? rc : drill_instance_make(&out->instance, drill, seed, drill->needs_gpu || drill->trial ? device : NULL, err);
}

int live_numbers_reveal(struct live_numbers *n, struct err *err)
{
    struct drill_truth t;
    int rc = n->recording && !n->instance->measured ? drill_recall(&t, n->instance, n->recording, err) : 1;
    if (rc == 0)
        drill_reveal(n->instance, &t);
    return rc < 0 ? rc : 0;
}

void live_numbers_free(struct live_numbers *n)
{
    drill_instance_free(n->instance);
    recording_free(n->recording);
    *n = (struct live_numbers){ 0 };
}
