/* Inside db/: copying a whole database and looking at one without changing it. */
#ifndef WD_DB_COPY_H
#define WD_DB_COPY_H

#include <sqlite3.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { COPY_EVENTS_MOST = 10000 }; /* counted one by one where a copy is but looked at */

struct copy_facts {
    int64_t version;       /* of the format */
    int64_t events, last;  /* how many, and the newest seq */
    bool more;             /* more events than were counted */
};

/* Opens a file to be read alone: with no journal beside it nothing is created next to it. A
 * store_rc; on failure *out is NULL and `why` a clause. The rest as said there. */
int copy_open(sqlite3 **out, const char *path, char *why, size_t n);

/* Is it a store of ours, of a format that we know, with nothing foreign in it? `whole`: every page
 * is read and every event counted; else up to COPY_EVENTS_MOST, so that a look costs the same
 * however large the file is. */
int copy_look(sqlite3 *db, const char *path, bool whole, struct copy_facts *out, char *why,
              size_t n);

/* Counts every event. */
int copy_count(sqlite3 *db, const char *path, struct copy_facts *out, char *why, size_t n);

/* Reads every page: is each what it should be, the rows too; with COPY_EVERYTHING also the indexes,
 * and that nothing refers to what is not there. */
enum copy_depth { COPY_PAGES, COPY_EVERYTHING };
int copy_check(sqlite3 *db, enum copy_depth depth, char *why, size_t n);

/* Every page in one step, inside one transaction of `to`: all or nothing. An SQLite code. */
int copy_pages(sqlite3 *to, sqlite3 *from);

/* Into a new file (mode 0600; one that exists is replaced), as one plain file without a WAL,
 * synced. On failure it is removed. */
int copy_to_file(sqlite3 *from, const char *path, char *why, size_t n);

/* An SQLite code as a store_rc, with what it means as a clause. */
int copy_explain(int code, sqlite3 *db, char *why, size_t n);

#endif
