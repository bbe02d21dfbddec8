/* What the toy's debrief says. */
#ifndef WD_TESTS_TOY_DEBRIEF_H
#define WD_TESTS_TOY_DEBRIEF_H

#include "tests/scenarios/toy.h"
#include "tests/unit.h"

/* The debrief of `i`; the score alone comes to the same. */
static inline void toy_debrief(struct debrief *d, const struct toy *t,
                               const struct investigation *i)
{
    struct err err = {0};
    struct score alone;
    if (debrief_make(d, i, &t->device, t->all, &err) ||
        debrief_score(&alone, i, &t->device, t->all, &err))
        fail_msg("%s", err.text);
    assert_memory_equal(&alone, &d->score, sizeof alone);
}

static inline void toy_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' lacks '%s'", text, part);
}

#endif
