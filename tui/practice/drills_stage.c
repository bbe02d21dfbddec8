#include "tui/practice/drills_screen.h"

double drills_seconds(const struct drills *d, int64_t now_ms)
{
    return d->stage == DRILLS_ASKED ? (double)(now_ms - d->began_ms) / 1000 : d->seconds;
}

static unsigned asked(const struct drills *d)
{
    bool choices = d->instance && d->instance->drill->n_choices;
    return CTX_DRILL | (choices ? CTX_CHOICE : CTX_TYPED);
}

unsigned drills_context(const void *self)
{
    const struct drills *d = self;
    switch (d->stage) {
    case DRILLS_ASKED: return asked(d);
    case DRILLS_MEASURING: return CTX_ANY;
    case DRILLS_SOLVED: return CTX_ANSWERED | CTX_REPEAT;
    default: return CTX_SITTING;
    }
}
