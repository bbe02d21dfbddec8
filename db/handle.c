/* What every file of this folder uses to talk to SQLite: the shape that a file of this program has,
 * messages, transactions. */
#include "db/handle.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "db/place.h"

/* ---- the shape ---- */

/* Made by kernels/embed.awk from the .sql files of this folder. */
struct embedded {
    const char *name, *text;
};
extern const struct embedded schema_text[];

const char *store_schema(const char *name)
{
    for (const struct embedded *e = schema_text; e->name; e++)
        if (strcmp(e->name, name) == 0)
            return e->text;
    return "";
}

/* The steps, oldest first: the files of db/ that change the log's shape. */
static const char *const step_files[STORE_STEPS] = {"log.sql"};

void store_steps(struct store_step out[STORE_STEPS])
{
    for (int i = 0; i < STORE_STEPS; i++)
        out[i].sql = store_schema(step_files[i]);
}

/* ---- messages ---- */

int store_refuse(struct store *s, int rc, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(s->message, sizeof s->message, fmt, args);
    va_end(args);
    return rc;
}

int store_refuse_damaged(struct store *s, const char *doing)
{
    char what[128];
    place_describe_damage(s->path, what, sizeof what);
    return store_refuse(s, STORE_DAMAGED,
                        "cannot %s: %s is damaged or is no database: %s. It was left as it is. "
                        "Put back a copy of it if you have one (such as %s.before-v*), or save "
                        "what can still be read with \"sqlite3 FILE .recover | sqlite3 NEWFILE\", "
                        "or move it away and start afresh.",
                        doing, s->path, what, s->path);
}

static int refuse_unwritable(struct store *s, const char *doing)
{
    /* 0 when only the commit failed: SQLite forgets it there. */
    int why = sqlite3_system_errno(s->db);
    return store_refuse(s, STORE_FAILED,
                        "cannot %s in %s: %s%s%s. Nothing of this step was stored, all earlier "
                        "ones are safe. Make room on that file system, check that the disk works, "
                        "then do it again.",
                        doing, s->path, sqlite3_errmsg(s->db), why ? ": " : "",
                        why ? strerror(why) : "");
}

int store_fail(struct store *s, const char *doing)
{
    int rc = s->db ? sqlite3_extended_errcode(s->db) : SQLITE_NOMEM;
    switch (rc & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
        return store_refuse(s, STORE_BUSY,
                            "cannot %s yet: another program is writing to %s. Nothing was stored; "
                            "try again, and close the other one if this stays.",
                            doing, s->path);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return store_refuse_damaged(s, doing);
    case SQLITE_FULL:
        return store_refuse(s, STORE_FAILED,
                            "cannot %s in %s: the disk is full. Nothing of this step was stored, "
                            "all earlier ones are safe. Make room on that file system, then do it "
                            "again.",
                            doing, s->path);
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
        return store_refuse(s, STORE_FAILED,
                            "cannot %s: %s or its folder cannot be written (%s). Nothing was "
                            "stored. Allow writing to both, or name another file with --db FILE.",
                            doing, s->path, sqlite3_errmsg(s->db));
    case SQLITE_IOERR:
        return refuse_unwritable(s, doing);
    case SQLITE_NOMEM:
        return store_refuse(s, STORE_FAILED,
                            "cannot %s in %s: out of memory. Nothing was stored; close other "
                            "programs.",
                            doing, s->path);
    default:
        return store_refuse(s, STORE_FAILED,
                            "cannot %s in %s: %s. Nothing of this step was stored; this is a bug "
                            "in warpdrill, please report it.",
                            doing, s->path, sqlite3_errmsg(s->db));
    }
}

const char *store_message(const struct store *s)
{
    return s ? s->message : "out of memory; close other programs";
}

/* ---- transactions ---- */

int store_exec(struct store *s, const char *sql, const char *doing)
{
    int rc = sqlite3_exec(s->db, sql, NULL, NULL, NULL);
    return rc == SQLITE_OK ? STORE_OK : store_fail(s, doing);
}

int store_begin(struct store *s)
{
    if (s->reading)
        return store_refuse(s, STORE_FAILED,
                            "cannot write to %s, which could only be opened for reading. Nothing "
                            "was stored.",
                            s->path);
    return store_exec(s, "BEGIN IMMEDIATE", "begin to write");
}

void store_rollback(struct store *s)
{
    /* Some errors have rolled back already. */
    if (!sqlite3_get_autocommit(s->db))
        sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
}

int store_commit(struct store *s, const char *doing)
{
    int rc = store_exec(s, "COMMIT", doing);
    if (rc != STORE_OK)
        store_rollback(s);
    return rc;
}
