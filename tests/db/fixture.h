/* The fixture of the store's tests: a fresh store in a folder of its own, and looks behind its
 * back. */
#ifndef WD_TESTS_DB_FIXTURE_H
#define WD_TESTS_DB_FIXTURE_H

#include "db/handle.h"
#include "tests/db/sample.h"
#include "tests/unit.h"

struct place {
    char *folder;
    char path[256];
    struct store *s;
};

static inline int setup(void **state)
{
    struct place *p = calloc(1, sizeof *p);
    p->folder = sample_folder();
    snprintf(p->path, sizeof p->path, "%s/progress.db", p->folder);
    *state = p;
    return store_open(&p->s, p->path, 0);
}

static inline int teardown(void **state)
{
    struct place *p = *state;
    store_free(p->s);
    sample_folder_free(p->folder);
    free(p);
    return 0;
}

static inline void close_store(struct place *p)
{
    store_free(p->s);
    p->s = NULL;
}

static inline void assert_says(const struct store *s, const char *part)
{
    if (!strstr(store_message(s), part))
        fail_msg("message lacks \"%s\": %s", part, store_message(s));
}

/* Runs SQL on a connection of its own, as another program would; returns SQLite's code. */
static inline int foreign_sql(const char *path, const char *sql)
{
    sqlite3 *db = NULL;
    int rc = sqlite3_open(path, &db);
    if (rc == SQLITE_OK)
        rc = sqlite3_exec(db, sql, NULL, NULL, NULL);
    sqlite3_close(db);
    return rc;
}

static inline int count_rows(struct store *s, const char *table)
{
    char sql[128];
    sqlite3_stmt *st = NULL;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table);
    assert_int_equal(sqlite3_prepare_v2(s->db, sql, -1, &st, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(st), SQLITE_ROW);
    int n = sqlite3_column_int(st, 0);
    sqlite3_finalize(st);
    return n;
}

#endif
