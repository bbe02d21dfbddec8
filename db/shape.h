/* Inside db/: the objects of a database, held against those that this program creates. */
#ifndef WD_DB_SHAPE_H
#define WD_DB_SHAPE_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stdint.h>

#include "db/handle.h"

struct shape {
    int64_t application, version;
    bool empty; /* nothing is in it */
    bool projected; /* it has the projections of some version */
    int verdict; /* STORE_OK; else it is not to be used, and why is a clause */
    char why[256];
};

/* Is it a store of ours, of one of the formats that `steps` lead to, with every object that belongs
 * there and no other? Nothing of it but its list of objects is read before that is known, and no
 * longer than a bound: what is foreign cannot run. Returns an SQLite code; the verdict counts only
 * when that is SQLITE_OK. Call it inside a transaction where another program may be at work. */
int shape_look(struct shape *out, sqlite3 *db, const struct store_step *steps, int n_steps);

#endif
