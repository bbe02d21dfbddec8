/* What home shows, gathered from the store and the packs in one go. */
#ifndef WD_TUI_HOME_DATA_H
#define WD_TUI_HOME_DATA_H

#include "drills/next.h"
#include "drills/standing.h"
#include "scenarios/catalog.h"

enum { HOME_GROUPS = 9 };

struct home_data {
    struct next next[NEXT_MOST]; int n_next;
    bool finished_any;                       /* false: first start */
    struct standing_group group[HOME_GROUPS];
    struct standing_bin bin[STANDING_BINS]; int said; /* beliefs behind the bins */
    struct store_attempt *attempt; int n_attempts;    /* newest first; owned */
    char trouble[256];                       /* why the store could not be read, or "" */
};

/* catalog and store may be NULL. */
void home_data_load(struct home_data *d, const struct catalog *catalog, struct store *store);
void home_data_free(struct home_data *d);

#endif
