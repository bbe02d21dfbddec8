#include "tui/interview/candidate_drill.h"

#include <stdio.h>
#include <string.h>

#include "drills/library/library.h"
#include "drills/library/measure.h"
#include "tui/app/app_data.h"
#include "tui/app/app_runner.h"

/* A measured drill goes by its recording: a GPU that is slow to answer would hold the interview up.
 */
int live_numbers_make(struct live_numbers *out, struct app *app, const struct session_drill *d,
                      struct err *err)
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
    return rc ? rc
              : drill_instance_make(&out->instance, drill, seed,
                                    drill->needs_gpu || drill->trial ? device : NULL, err);
}

int live_numbers_reveal(struct live_numbers *n, struct err *err)
{
    struct drill_truth t;
    int rc = n->recording && !n->instance->measured
                 ? drill_recall(&t, n->instance, n->recording, err)
                 : 1;
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

/* ---- before it is asked ---- */

void drill_right_words(char *out, size_t size, const struct drill_instance *i)
{
    char value[128];
    int choice = i->drill->n_choices ? (int)i->answer : 0;
    if (choice >= 1 && choice <= i->drill->n_choices)
        snprintf(value, sizeof value, "%d, %.100s", choice, i->choices[choice - 1]);
    else
        drill_show_value(value, sizeof value, i->drill, i->answer);
    snprintf(out, size, "%s%s", value, i->measured ? ", measured" : "");
}

static void preview_make(struct drill_preview *p, struct app *app, const char *id, uint64_t seed)
{
    const struct drill *drill = library_drill(app_library(app), id);
    struct session_drill asked = { .seed = seed };
    struct live_numbers n = { 0 };
    struct err err = { 0 };
    *p = (struct drill_preview){ .seed = seed };
    snprintf(p->drill, sizeof p->drill, "%s", id);
    snprintf(p->title, sizeof p->title, "%s", drill ? drill->title : id);
    snprintf(asked.drill, sizeof asked.drill, "%s", id);
    int rc = live_numbers_make(&n, app, &asked, &err);
    rc = rc ? rc : live_numbers_reveal(&n, &err);
    snprintf(p->ask, sizeof p->ask, "%.511s", rc ? err.text : n.instance->ask);
    if (rc == 0)
        drill_right_words(p->right, sizeof p->right, n.instance);
    live_numbers_free(&n);
}

void drill_previews_make(struct drill_previews *p, struct app *app, const struct session *s)
{
    const struct session_part *part = s->part >= 0 ? &s->plan.parts[s->part] : NULL;
    p->n = part && part->kind == PART_DRILLS ? part->n_drills : 0;
    for (int k = 0; k < p->n; k++) {
        uint64_t seed = session_drill_seed(s, part->drills[k]);
        if (p->of[k].seed != seed || strcmp(p->of[k].drill, part->drills[k]) != 0)
            preview_make(&p->of[k], app, part->drills[k], seed);
    }
}
