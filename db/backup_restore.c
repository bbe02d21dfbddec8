/* Putting a backup in the place of the database.
 *
 * A database that SQLite can open is overwritten through SQLite, in one transaction that a kill
 * rolls back. One that it cannot open is moved aside and a finished copy takes its name; a journal
 * that belonged to it goes first, since it would be played into the copy. */
#include "db/backup.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "db/backup_files.h"
#include "db/copy.h"
#include "db/handle.h"
#include "db/moment.h"
#include "db/place.h"

struct restoring {
    const char *db_path, *backup;
    backup_judge *judge;
    sqlite3 *from, *to;
    char *kept;
    char why[256];
    const char *todo;   /* where the code does not tell it */
};

static int say(struct restoring *r, int rc, const char *why)
{
    snprintf(r->why, sizeof r->why, "%s", why);
    return rc;
}

static char *name_beside(const char *db_path, int64_t at_ms)
{
    char *out = NULL, stamp[17];
    for (int tries = 0; tries < 600; tries++, at_ms += 1000) {
        backup_stamp(stamp, at_ms);
        if (asprintf(&out, "%s.before-restore-%s", db_path, stamp) < 0)
            return NULL;
        if (access(out, F_OK) != 0)
            return out;
        free(out);
    }
    return NULL;
}

/* ---- into a database that opens ---- */

static int run(struct restoring *r, sqlite3 *db, const char *sql)
{
    int code = sqlite3_exec(db, sql, NULL, NULL, NULL);
    return code == SQLITE_OK ? STORE_OK : copy_explain(code, db, r->why, sizeof r->why);
}

/* Alone: whoever has it open in WAL mode keeps a shared lock, so that this fails beside any other
 * program. STORE_DAMAGED: it cannot be opened. */
static int take_alone(struct restoring *r)
{
    sqlite3_stmt *st = NULL;
    int code = sqlite3_open_v2(r->db_path, &r->to, SQLITE_OPEN_READWRITE, NULL);
    int rc = code == SQLITE_OK ? run(r, r->to,
                                     "PRAGMA locking_mode = EXCLUSIVE; PRAGMA synchronous = FULL; "
                                     "PRAGMA journal_mode = DELETE;BEGIN EXCLUSIVE; COMMIT")
                               : copy_explain(code, r->to, r->why, sizeof r->why);
    if (rc != STORE_OK)
        return rc;
    code = sqlite3_prepare_v2(r->to,
                              "SELECT application_id, (SELECT count(*) FROM sqlite_schema) FROM "
                              "pragma_application_id",
                              -1, &st, NULL);
    if (code == SQLITE_OK && sqlite3_step(st) == SQLITE_ROW &&
        sqlite3_column_int(st, 0) != STORE_APPLICATION_ID && sqlite3_column_int(st, 1) > 0) {
        r->todo = "Name another with --db FILE";
        rc = say(r, STORE_FAILED, "what is there is a database of another program");
    }
    sqlite3_finalize(st);
    return rc;
}

static int overwrite(struct restoring *r)
{
    int rc = copy_to_file(r->to, r->kept, r->why, sizeof r->why);
    if (rc != STORE_OK)
        return rc;
    place_sync_folder(r->kept);
    int code = copy_pages(r->to, r->from);
    if (code == SQLITE_OK)
        return STORE_OK;
    rc = copy_explain(code, r->to, r->why, sizeof r->why);
    remove(r->kept);
    return rc;
}

/* ---- in the place of one that does not, or of none ---- */

static bool move_beside(const struct restoring *r, const char *suffix)
{
    char *from = NULL, *to = NULL;
    bool moved = asprintf(&from, "%s%s", r->db_path, suffix) >= 0 &&
                 asprintf(&to, "%s%s", r->kept, suffix) >= 0 &&
                 (rename(from, to) == 0 || errno == ENOENT);
    free(from);
    free(to);
    return moved;
}

/* Under its second name the former file stays when the first is given to the copy. */
static bool keep_damaged(const struct restoring *r)
{
    if (link(r->db_path, r->kept) != 0 && errno != ENOENT && rename(r->db_path, r->kept) != 0)
        return false;
    return move_beside(r, "-wal") && move_beside(r, "-shm") && move_beside(r, "-journal");
}

static int replace(struct restoring *r)
{
    char *part = NULL;
    if (asprintf(&part, "%s.restoring", r->db_path) < 0)
        return say(r, STORE_FAILED, "out of memory");
    int rc = copy_to_file(r->from, part, r->why, sizeof r->why);
    if (rc == STORE_OK && (!keep_damaged(r) || rename(part, r->db_path) != 0)) {
        rc = say(r, STORE_FAILED, strerror(errno));
        remove(part);
    }
    place_sync_folder(r->db_path);
    free(part);
    return rc;
}

/* ---- both ---- */

static bool same_file(const char *a, const char *b)
{
    struct stat x, y;
    return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

/* NULL: a plain file, or nothing at all. */
static const char *odd_kind(const char *path)
{
    struct stat st;
    if (stat(path, &st) != 0 || S_ISREG(st.st_mode))
        return NULL;
    return S_ISDIR(st.st_mode) ? "is a folder" : "is no plain file";
}

/* A folder or a pipe is no backup, whatever is in it. */
static int open_backup(struct restoring *r)
{
    const char *odd = odd_kind(r->backup);
    r->todo = "Name a file that you may read; warpdrill restore --list shows the backups";
    if (odd) {
        snprintf(r->why, sizeof r->why, "it %s", odd);
        return STORE_FAILED;
    }
    int rc = copy_open(&r->from, r->backup, r->why, sizeof r->why);
    if (rc == STORE_OK)
        r->todo = NULL;
    return rc;
}

/* Opened as the program would, in memory, so that what is refused has touched nothing. */
static int judge_copy(struct restoring *r)
{
    struct store *copy = NULL;
    int rc = store_open_copy(&copy, r->backup, r->from);
    if (rc == STORE_OK)
        rc = copy_check(copy->db, COPY_EVERYTHING, r->why, sizeof r->why);
    else
        say(r, rc, store_message(copy));
    if (rc == STORE_OK)
        rc = r->judge(copy, r->why, sizeof r->why);
    store_free(copy);
    return rc;
}

static int restore(struct restoring *r)
{
    struct copy_facts facts;
    bool there = access(r->db_path, F_OK) == 0;
    r->todo = "Take another backup";
    if (same_file(r->db_path, r->backup))
        return say(r, STORE_FAILED, "they are the same file");
    int rc = open_backup(r);
    if (rc == STORE_OK && odd_kind(r->db_path)) {
        r->todo = "Name another with --db FILE";
        snprintf(r->why, sizeof r->why, "what is there %s", odd_kind(r->db_path));
        return STORE_FAILED;
    }
    if (rc == STORE_OK)
        rc = run(r, r->from, "BEGIN"); /* the checks and the copy see one state */
    if (rc == STORE_OK)
        rc = copy_look(r->from, r->backup, true, &facts, r->why, sizeof r->why);
    if (rc == STORE_OK)
        rc = judge_copy(r);
    if (rc != STORE_OK)
        return rc;
    rc = there ? take_alone(r) : STORE_DAMAGED;
    if (rc == STORE_OK)
        return overwrite(r);
    sqlite3_close(r->to); /* before the file is moved: closing drops its locks */
    r->to = NULL;
    return rc == STORE_DAMAGED ? replace(r) : rc;
}

static char *message_of(const struct restoring *r, int rc)
{
    char *out = NULL;
    const char *todo = r->todo && rc == STORE_FAILED ? r->todo
                       : rc == STORE_BUSY            ? "Close the other warpdrill, then do it again"
                       : rc == STORE_NEWER           ? "Update warpdrill, or take another backup"
                       : rc == STORE_DAMAGED
                           ? "Take another backup"
                           : "Make room and allow writing there, then do it again";
    return asprintf(&out, "cannot put %s in the place of %s: %s. Nothing was changed. %s.",
                    r->backup, r->db_path, r->why, todo) < 0
               ? NULL
               : out;
}

int backup_restore(const char *db_path, const char *backup, backup_judge *judge, char **kept)
{
    struct restoring r = {
        .db_path = db_path, .backup = backup, .judge = judge, .why = "out of memory"};
    bool there = access(db_path, F_OK) == 0;
    r.kept = name_beside(db_path, store_clock());
    int rc = r.kept ? restore(&r) : STORE_FAILED;
    sqlite3_close(r.from);
    sqlite3_close(r.to);
    if (rc == STORE_OK)
        backup_pause();
    if (rc == STORE_OK && there) {
        *kept = r.kept;
        return rc;
    }
    free(r.kept);
    *kept = rc == STORE_OK ? NULL : message_of(&r, rc);
    return rc;
}
