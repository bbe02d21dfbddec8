/* Opening, migrating and closing. handle.c has what every file of this folder uses; log.c appends
 * and reads events, projection.c keeps the rows that screens read. */
#include "db/store.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "db/copy.h"
#include "db/handle.h"
#include "db/place.h"
#include "db/shape.h"

enum { OPEN_WAIT_MS = 5000 /* another process may be migrating */ };

/* ---- opening ---- */

/* What stands there, at one moment, and whether it may be used. */
static int read_shape(struct store *s, const struct store_place *place, struct shape *shape)
{
    if (shape_look(shape, s->db, place->steps, place->n_steps) != SQLITE_OK)
        return store_fail(s, "open the database");
    const char *todo = shape->verdict == STORE_NEWER
                           ? "Update warpdrill"
                           : "Put back a backup with \"warpdrill restore\"";
    if (shape->verdict == STORE_OK)
        return STORE_OK;
    return store_refuse(
        s, shape->verdict,
        "cannot open %s: %s. Nothing was changed. %s, or name another file with --db FILE.",
        s->path, shape->why, todo);
}

static int look_around(struct store *s, const struct store_place *place, struct shape *shape)
{
    int rc = store_exec(s, "BEGIN", "open the database");
    if (rc == STORE_OK)
        rc = read_shape(s, place, shape);
    store_rollback(s);
    return rc;
}

static int set_up_connection(struct store *s)
{
    if (sqlite3_db_config(s->db, SQLITE_DBCONFIG_DEFENSIVE, 1, NULL) != SQLITE_OK)
        return store_fail(s, "open the database");
    sqlite3_limit(s->db, SQLITE_LIMIT_LENGTH, STORE_LENGTH_MOST);
    sqlite3_extended_result_codes(s->db, 1);
    sqlite3_busy_timeout(s->db, OPEN_WAIT_MS);
    return store_exec(s,
                      "PRAGMA trusted_schema = OFF; PRAGMA foreign_keys = ON; PRAGMA synchronous = "
                      "FULL;PRAGMA fullfsync = ON; PRAGMA checkpoint_fullfsync = ON; PRAGMA "
                      "secure_delete = ON",
                      "open the database");
}

/* WAL needs memory that all processes share, so not on a file system that other hosts see: there a
 * plain journal. A file that comes from elsewhere may still be in WAL mode; taking it over with
 * exclusive locking needs no shared memory. */
static int choose_journal(struct store *s)
{
    if (s->network)
        return store_exec(s,
                          "PRAGMA journal_mode = DELETE; PRAGMA locking_mode = NORMAL; SELECT 1 "
                          "FROM sqlite_schema",
                          "prepare the database");
    int rc = store_exec(s, "PRAGMA journal_mode = WAL", "prepare the database");
    /* Somebody else is switching it at this moment: both modes are safe, and theirs becomes ours.
     */
    return rc == STORE_BUSY ? STORE_OK : rc;
}

/* A connection of its own reads the file while this one holds the write lock, so that the copy is
 * exactly what the migration starts from. */
static int copy_database(struct store *s, const char *to)
{
    sqlite3 *from = NULL;
    char why[160];
    int rc = sqlite3_open_v2(s->path, &from, SQLITE_OPEN_READONLY, NULL) == SQLITE_OK ? 0 : -1;
    if (rc == 0) {
        sqlite3_busy_timeout(from, OPEN_WAIT_MS);
        rc = copy_to_file(from, to, why, sizeof why);
    }
    sqlite3_close(from);
    return rc == STORE_OK ? 0 : -1;
}

static int keep_copy(struct store *s, int version)
{
    char *to = sqlite3_mprintf("%s.before-v%d", s->path, version);
    char *part = sqlite3_mprintf("%s.before-v%d.part", s->path, version);
    int rc = STORE_OK;
    if (!to || !part) {
        rc = store_refuse(s, STORE_FAILED, "cannot copy %s: out of memory", s->path);
    } else {
        if (copy_database(s, part) != 0 || rename(part, to) != 0) {
            remove(part);
            rc = store_refuse(s, STORE_FAILED,
                              "cannot copy %s to %s, so its format was not changed. Make room and "
                              "allow writing there, then start again.",
                              s->path, to);
        } else {
            place_sync_folder(to);
        }
    }
    sqlite3_free(part);
    sqlite3_free(to);
    return rc;
}

static int apply_steps(struct store *s, const struct store_place *place, const struct shape *shape)
{
    int rc = STORE_OK;
    assert(shape->version >= 0 && shape->version <= place->n_steps);
    if (shape->version > 0 && shape->version < place->n_steps && !s->reading)
        rc = keep_copy(s, place->n_steps);
    for (int i = (int)shape->version; i < place->n_steps && rc == STORE_OK; i++)
        rc = store_exec(s, place->steps[i].sql, "change the database's format");
    if (rc == STORE_OK && !shape->projected)
        rc = projection_create(s);
    char stamp[96];
    snprintf(stamp, sizeof stamp, "PRAGMA application_id = %d; PRAGMA user_version = %d",
             STORE_APPLICATION_ID, place->n_steps);
    if (rc == STORE_OK)
        rc = store_exec(s, stamp, "change the database's format");
    return rc;
}

static int migrate(struct store *s, const struct store_place *place)
{
    struct shape shape;
    int rc = store_begin(s);
    if (rc != STORE_OK)
        return rc;
    rc = read_shape(s, place, &shape); /* again: another process may have done it while we waited */
    if (rc == STORE_OK)
        rc = apply_steps(s, place, &shape);
    if (rc != STORE_OK) {
        store_rollback(s);
        return rc;
    }
    return store_commit(s, "change the database's format");
}

static int open_connection(struct store *s)
{
    char where[512];
    int why = place_prepare(s->path, where, sizeof where);
    if (why != 0)
        return store_refuse(s, STORE_FAILED,
                            "cannot open %s: %s: %s. Nothing was stored. Make that place a folder "
                            "(or file) that you may write to, or name another file with --db FILE.",
                            s->path, where, strerror(why));
    if (!place_is_file(s->path))
        return store_refuse(s, STORE_FAILED,
                            "cannot open %s: it is no plain file. Nothing was stored. Name another "
                            "with --db FILE.",
                            s->path);
    if (sqlite3_open_v2(s->path, &s->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) !=
        SQLITE_OK)
        return store_fail(s, "open the database");
    return set_up_connection(s);
}

static struct store *store_new(const char *path)
{
    struct store *s = calloc(1, sizeof *s);
    if (s)
        s->path = strdup(path);
    if (s && s->path)
        return s;
    free(s);
    return NULL;
}

int store_open_at(struct store **out, const char *path, const struct store_place *place)
{
    struct store *s = *out = store_new(path);
    if (!s)
        return STORE_FAILED;
    struct shape shape = {0};
    int rc = open_connection(s);
    s->network = place->network || place_is_network(path);
    if (rc == STORE_OK && s->network)
        rc = store_exec(s, "PRAGMA locking_mode = EXCLUSIVE", "open the database");
    if (rc == STORE_OK)
        rc = look_around(s, place, &shape);
    if (rc == STORE_OK)
        rc = choose_journal(s);
    if (rc == STORE_OK && (shape.version < place->n_steps || !shape.projected))
        rc = migrate(s, place);
    if (s->db)
        sqlite3_busy_timeout(s->db, place->busy_ms);
    return rc;
}

int store_open(struct store **out, const char *path, int busy_ms)
{
    struct store_step steps[STORE_STEPS];
    struct store_place place = {.busy_ms = busy_ms, .steps = steps, .n_steps = STORE_STEPS};
    store_steps(steps);
    return store_open_at(out, path, &place);
}

/* ---- for reading alone ---- */

/* A format of before, and rows of before, are brought up to date in memory. */
static int take_copy(struct store *s, sqlite3 *from)
{
    struct store_step steps[STORE_STEPS];
    struct store_place place = {.steps = steps, .n_steps = STORE_STEPS};
    struct shape shape = {0};
    store_steps(steps);
    s->reading = true;
    if (sqlite3_open(":memory:", &s->db) != SQLITE_OK || copy_pages(s->db, from) != SQLITE_OK)
        return store_fail(s, "read this");
    int rc = set_up_connection(s);
    if (rc == STORE_OK)
        rc = read_shape(s, &place, &shape);
    if (rc == STORE_OK && shape.empty)
        rc = STORE_FAILED; /* a full disk let a file begin: why it cannot be written matters */
    if (rc == STORE_OK && (shape.version < STORE_STEPS || !shape.projected))
        rc = apply_steps(s, &place, &shape);
    return rc;
}

int store_open_copy(struct store **out, const char *path, sqlite3 *from)
{
    *out = store_new(path);
    return *out ? take_copy(*out, from) : STORE_FAILED;
}

static int open_copy_of_file(struct store **out, const char *path)
{
    char why[256];
    sqlite3 *from = NULL;
    *out = NULL;
    int rc = copy_open(&from, path, why, sizeof why);
    if (rc == STORE_OK)
        rc = store_open_copy(out, path, from);
    sqlite3_close(from);
    return rc;
}

int store_open_to_read(struct store **out, const char *path, int busy_ms, bool *reading)
{
    int rc = store_open(out, path, busy_ms);
    *reading = false;
    if (rc != STORE_FAILED || !*out || !place_is_file(path))
        return rc;
    struct store *copy;
    *reading = open_copy_of_file(&copy, path) == STORE_OK;
    if (!*reading) {
        store_free(copy);
        return rc;
    }
    snprintf(copy->message, sizeof copy->message, "%s", (*out)->message);
    store_free(*out);
    *out = copy;
    return STORE_OK;
}

const char *store_path(const struct store *s)
{
    return s->path;
}

int store_version(struct store *s)
{
    sqlite3_stmt *st = NULL;
    int version = 0;
    if (sqlite3_prepare_v2(s->db, "PRAGMA user_version", -1, &st, NULL) == SQLITE_OK &&
        sqlite3_step(st) == SQLITE_ROW)
        version = sqlite3_column_int(st, 0);
    else
        version = store_fail(s, "read the database's format");
    sqlite3_finalize(st);
    return version;
}

int store_check(struct store *s)
{
    char why[160];
    int rc = copy_check(s->db, COPY_EVERYTHING, why, sizeof why);
    if (rc == STORE_OK)
        return rc;
    return rc == STORE_DAMAGED ? store_refuse_damaged(s, "check the database")
                               : store_fail(s, "check the database");
}

void store_free(struct store *s)
{
    if (!s)
        return;
    for (int i = 0; i < ST_COUNT; i++)
        sqlite3_finalize(s->statement[i]);
    if (s->db) {
        store_rollback(s);
        /* Leaves one tidy file behind unless somebody else is at work in it. */
        sqlite3_busy_timeout(s->db, 0);
        sqlite3_wal_checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
    }
    sqlite3_close(s->db);
    free(s->path);
    free(s);
}
