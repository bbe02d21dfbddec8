#include "tui/practice/practice_sitting.h"

#include "tui/app/app_data.h"
#include "tui/app/app_runner.h"
#include "tui/app/defaults.h"

static struct sitting_given given_now(struct app *app)
{
    struct sitting_given given = {
        .library = app_library(app),
        .store = app_store(app),
        .gpu = app_device(app) != NULL,
    };
    queue_settings_load(&given.settings, given.store, wall_now());
    return given;
}

void practice_open(struct app *app, struct sitting *s, unsigned kinds, const char *topic)
{
    struct sitting_given given = given_now(app);
    struct err err = {0};
    uint64_t seed = *topic ? app_seed(app) : 0;
    if (sitting_open(s, &given, kinds, topic, seed, &err) != 0)
        app_say(app, "%s", err.text);
}

void practice_close(struct app *app, struct sitting *s)
{
    sitting_close(s, app_store(app), wall_now());
}

void practice_look(struct app *app, struct sitting *s)
{
    struct sitting_given given = given_now(app);
    struct err err = {0};
    if (sitting_look(s, &given, &err) != 0)
        app_say(app, "%s", err.text);
}

void practice_answer(struct app *app, struct sitting *s, const struct sitting_answer *answer,
                     const struct review *r)
{
    struct err err = {0};
    if (sitting_answer(s, app_store(app), wall_now(), answer, r, &err) != 0)
        app_say(app, "Not kept yet: %s", err.text);
    practice_look(app, s);
}

void practice_answer_figure(struct app *app, struct sitting *s, const struct figure_data *f,
                            enum drill_how how, const char *given, double seconds, double allowed,
                            uint64_t seed)
{
    char typed[64];
    snprintf(typed, sizeof typed, "%s", given);
    struct sitting_answer a = {.typed = typed, .how = how, .points = how == DRILL_RIGHT,
                               .seconds = seconds, .allowed = allowed, .seed = seed};
    struct review r = {.how = how, .seconds = seconds, .allowed = allowed, .given = given,
                       .slip = ""};
    snprintf(a.item, sizeof a.item, "figure:%s", f->full_id);
    snprintf(a.title, sizeof a.title, "%s", f->title);
    snprintf(r.item, sizeof r.item, "%s", a.item);
    practice_answer(app, s, &a, &r);
}

void practice_retry(struct app *app, struct sitting *s)
{
    if (sitting_retry(s, app_store(app), wall_now()))
        app_say(app, "Kept now.");
}

bool practice_undo(struct app *app, struct sitting *s, struct sitting_answer *out)
{
    struct err err = {0};
    int rc = sitting_undo(s, app_store(app), wall_now(), out, &err);
    if (rc == 0)
        app_say(app, "Nothing was answered in this sitting yet.");
    else if (rc < 0)
        app_say(app, "%s", err.text);
    return rc > 0;
}
