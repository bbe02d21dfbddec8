/* The supply's insides: supply.c, and on top of it supply_stand_in.c, which stands on two others.
 * Nobody else includes this. */
#ifndef WD_SCENARIOS_SUPPLY_INSIDE_H
#define WD_SCENARIOS_SUPPLY_INSIDE_H

#include "scenarios/supply/supply.h"

/* What a supply that stands on others does with each call of supply.h; `over` is its own. */
struct supply_over {
    struct supply *(*first)(const void *over); /* the one whose tier and device count */
    struct supply *(*asked)(const void *over); /* the one that answers what is asked now */
    const char *(*missing)(const void *over, const char *probe);
    int (*ask)(void *over, const char *probe, struct err *err);
    void (*cancel)(void *over);
    void (*tick)(void *over, int64_t now_ms);
    const char *(*fault)(void *over);
    void (*free)(void *over);
};
/* Takes `over` over. */
struct supply *supply_of_others(const struct supply_over *does, void *over);

/* Has the GPU behind a live supply its link? */
bool supply_linked(const struct supply *s);

#endif
