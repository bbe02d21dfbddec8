#include "db/shape.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Objects are read by SQLite's own code; a list that has no end is one that somebody bent. */
enum { TICK = 100000, TICKS_MOST = 500 };

static void judge(struct shape *shape, int verdict, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
static void judge(struct shape *shape, int verdict, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    vsnprintf(shape->why, sizeof shape->why, fmt, args);
    va_end(args);
    shape->verdict = verdict;
}

static int read_number(sqlite3 *db, const char *sql, int64_t *out)
{
    sqlite3_stmt *st = NULL;
    int code = sqlite3_prepare_v2(db, sql, -1, &st, NULL);
    if (code == SQLITE_OK && sqlite3_step(st) != SQLITE_ROW)
        code = sqlite3_extended_errcode(db);
    if (code == SQLITE_OK)
        *out = sqlite3_column_int64(st, 0);
    sqlite3_finalize(st);
    return code;
}

/* ---- what belongs there ---- */

/* An empty database in memory, made as the steps make one. */
static int make_model(sqlite3 **out, const struct store_step *steps, int n_steps, bool projected)
{
    int code = sqlite3_open(":memory:", out);
    for (int i = 0; i < n_steps && code == SQLITE_OK; i++)
        code = sqlite3_exec(*out, steps[i].sql, NULL, NULL, NULL);
    if (code == SQLITE_OK && projected)
        code = sqlite3_exec(*out, store_schema("progress.sql"), NULL, NULL, NULL);
    return code;
}

static const char every_object[] = "SELECT type, name, tbl_name, sql FROM sqlite_schema";
static const char versions_object[] = "SELECT type, name, tbl_name, sql FROM sqlite_schema"
                                      " WHERE name = 'projection'";

#define SAME                                                                                       \
    "EXISTS (SELECT 1 FROM sqlite_schema"                                                          \
    " WHERE type = ?1 AND name = ?2 AND tbl_name = ?3 AND sql IS ?4)"
static const char same[] = "SELECT " SAME;
/* Projections of another version are dropped before they are read, so that any plain table will do,
 * with indexes of its own. Their text begins with what it makes: a name cannot lie about that. */
static const char same_or_dropped[] =
    "SELECT " SAME " OR (?1 IN ('table', 'index') AND ?2 || ?3 NOT GLOB '*[^a-z0-9_]*'"
    " AND ?3 NOT IN (SELECT name FROM sqlite_schema)"
    " AND (?4 IS NULL OR instr(?4, 'CREATE ' || upper(?1) || ' ' || ?2 ||"
    " iif(?1 = 'index', ' ON ' || ?3, '') || '(') = 1))";

struct objects {
    sqlite3 *db;
    const char *which; /* every_object or versions_object */
};

struct comparing {
    struct shape *shape;
    sqlite3_stmt *object, *belongs;
};

static const char *column(sqlite3_stmt *st, int at)
{
    const char *text = (const char *)sqlite3_column_text(st, at);
    return text ? text : "";
}

static int compare_one(struct comparing *c, const char *fault)
{
    for (int i = 0; i < 4; i++)
        sqlite3_bind_value(c->belongs, i + 1, sqlite3_column_value(c->object, i));
    int step = sqlite3_step(c->belongs);
    bool found = step == SQLITE_ROW && sqlite3_column_int(c->belongs, 0) == 1;
    sqlite3_reset(c->belongs);
    if (step != SQLITE_ROW)
        return step;
    if (!found)
        judge(c->shape, STORE_DAMAGED, "it %s the %.20s '%.60s'", fault, column(c->object, 0),
              column(c->object, 1));
    return SQLITE_OK;
}

/* Each of the objects must belong to what stands in `in`, by that query. */
static int compare(struct shape *shape, struct objects objects, sqlite3 *in, const char *belongs,
                   const char *fault)
{
    struct comparing c = {.shape = shape};
    int code = sqlite3_prepare_v2(objects.db, objects.which, -1, &c.object, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_prepare_v2(in, belongs, -1, &c.belongs, NULL);
    while (code == SQLITE_OK && shape->verdict == STORE_OK) {
        code = sqlite3_step(c.object);
        if (code == SQLITE_ROW)
            code = compare_one(&c, fault);
    }
    sqlite3_finalize(c.object);
    sqlite3_finalize(c.belongs);
    return code == SQLITE_DONE ? SQLITE_OK : code;
}

/* ---- the verdict ---- */

static const char lacks[] = "lacks", holds[] = "holds what is not warpdrill's:";

/* The table of versions has the same text in all of them; only after that has been seen may it be
 * read. */
static int judge_projections(struct shape *shape, sqlite3 *db, sqlite3 *log, sqlite3 *model)
{
    int64_t version = 0;
    int code = compare(shape, (struct objects){db, versions_object}, model, same, holds);
    if (code == SQLITE_OK && shape->verdict == STORE_OK)
        code = read_number(
            db, "SELECT coalesce(max(version), 0) FROM projection WHERE name = 'progress'",
            &version);
    if (code != SQLITE_OK || shape->verdict != STORE_OK)
        return code;
    if (version != PROJECTION_VERSION)
        return compare(shape, (struct objects){db, every_object}, log, same_or_dropped, holds);
    code = compare(shape, (struct objects){model, every_object}, db, same, lacks);
    return code == SQLITE_OK
               ? compare(shape, (struct objects){db, every_object}, model, same, holds)
               : code;
}

static int judge_objects(struct shape *shape, sqlite3 *db, const struct store_step *steps)
{
    sqlite3 *log = NULL, *model = NULL;
    int code = make_model(&log, steps, (int)shape->version, false);
    if (code == SQLITE_OK)
        code = make_model(&model, steps, (int)shape->version, true);
    if (code == SQLITE_OK)
        code = compare(shape, (struct objects){log, every_object}, db, same, lacks);
    if (code == SQLITE_OK && shape->projected)
        code = judge_projections(shape, db, log, model);
    else if (code == SQLITE_OK)
        code = compare(shape, (struct objects){db, every_object}, log, same, holds);
    sqlite3_close(log);
    sqlite3_close(model);
    return code;
}

static void judge_numbers(struct shape *shape, int newest)
{
    if (shape->application != STORE_APPLICATION_ID)
        judge(shape, STORE_DAMAGED,
              "it is a database of another program (application id 0x%08x, warpdrill's is 0x%08x)",
              (unsigned)shape->application, (unsigned)STORE_APPLICATION_ID);
    else if (shape->version > newest)
        judge(shape, STORE_NEWER,
              "it was written by a newer warpdrill: its format is %d, this program knows up to %d",
              (int)shape->version, newest);
    else if (shape->version < 1)
        judge(shape, STORE_DAMAGED, "its format is %d, and the first one was 1",
              (int)shape->version);
}

static int look(struct shape *shape, sqlite3 *db, const struct store_step *steps, int n_steps)
{
    int64_t objects = 0, projected = 0;
    int code = read_number(db, "PRAGMA application_id", &shape->application);
    if (code == SQLITE_OK)
        code = read_number(db, "PRAGMA user_version", &shape->version);
    if (code == SQLITE_OK)
        code = read_number(db, "SELECT count(*) FROM sqlite_schema", &objects);
    if (code == SQLITE_OK)
        code = read_number(db, "SELECT count(*) FROM sqlite_schema WHERE name = 'projection'",
                           &projected);
    shape->empty = shape->application == 0 && shape->version == 0 && objects == 0;
    shape->projected = projected > 0;
    if (code != SQLITE_OK || shape->empty)
        return code;
    judge_numbers(shape, n_steps);
    return shape->verdict == STORE_OK ? judge_objects(shape, db, steps) : SQLITE_OK;
}

/* Returns 1 when it has gone on for too long. */
static int tick(void *ticks)
{
    return ++*(int *)ticks > TICKS_MOST;
}

int shape_look(struct shape *out, sqlite3 *db, const struct store_step *steps, int n_steps)
{
    int ticks = 0;
    *out = (struct shape){.verdict = STORE_OK};
    sqlite3_progress_handler(db, TICK, tick, &ticks);
    int code = look(out, db, steps, n_steps);
    sqlite3_progress_handler(db, 0, NULL, NULL);
    if ((code & 0xff) != SQLITE_INTERRUPT)
        return code;
    judge(out, STORE_DAMAGED, "its list of tables has no end");
    return SQLITE_OK;
}
