/* What home shows, gathered from the store, the packs and the drills and cards in one go, whenever
 * home is shown; never while it is drawn. */
#ifndef WD_TUI_HOME_DATA_H
#define WD_TUI_HOME_DATA_H

#include "drills/memory/queue.h"
#include "drills/progress/next.h"
#include "drills/progress/standing.h"
#include "scenarios/library/catalog.h"
#include "tui/home/lately.h"

enum { HOME_GROUPS = 10 };

struct home_bar { int done, of; };           /* of 0: nothing to do today */

struct home_data {
    struct next next[NEXT_MOST]; int n_next;
    bool finished_any;                       /* a debrief was reached */
    bool first_start;                        /* none was, and nothing was answered */
    struct home_bar scenarios, drills, cards;/* today */
    int interview_in;                        /* days, 0: today; -1: none, or it is over */
    struct standing_group group[HOME_GROUPS];
    struct standing_bin bin[STANDING_BINS]; int said; /* beliefs behind the bins */
    double factor;
    int estimates; /* how far the latest estimates were off at the median; how many they were */
    char slip[160]; int slips;               /* the most frequent one among them, and how often */
    struct store_attempt *attempt; int n_attempts;    /* newest first; owned */
    struct lately *lately; int n_lately;     /* owned; its attempts are these */
    char trouble[256];                       /* why the store could not be read, or "" */
};

/* What to gather from; catalog, library and store may be NULL. gpu: drills about one's own GPU can
 * be asked. */
struct home_sources {
    const struct catalog *catalog;
    const struct library *library;
    struct store *store;
    bool gpu;
    int64_t now_ms;
};
void home_data_load(struct home_data *d, const struct home_sources *from);
void home_data_free(struct home_data *d);

/* The newest attempt at a story that can be gone on with; NULL: none. `a`: newest first. */
const struct store_attempt *home_open_attempt(const struct store_attempt *a, int n,
                                              const char *story_id);

#endif
