#include "tui/practice/drills_screen.h"

#include "tui/practice/practice_keys.h"

double drills_seconds(const struct drills *d, int64_t now_ms)
{
    return d->stage == DRILLS_ASKED ? (double)(now_ms - d->began_ms) / 1000 : d->seconds;
}

const struct key_list *drills_keys(struct app *app, const void *self)
{
    const struct drills *d = self;
    bool choices = d->instance && d->instance->drill->n_choices;
    (void)app;
    switch (d->stage) {
    case DRILLS_ASKED: return choices ? &practice_drill_choice_keys : &practice_typed_keys;
    case DRILLS_MEASURING: return NULL;
    case DRILLS_SOLVED: return &practice_solved_keys;
    default: return &practice_sitting_keys;
    }
}
