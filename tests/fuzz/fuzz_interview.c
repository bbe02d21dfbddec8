/* The record of an interview that somebody bent. A line is one change: b N TEXT (the body of event
 * N), e N AT TEXT (TEXT over that place of it), k N TEXT (kind), s N TEXT (stream), t N MS (time),
 * u N M (the uid of event N is that of M, which goes), d N (deleted), x N TEXT and y N AT TEXT (as
 * b and e, of the texts it refers to), q SQL, f AT BYTE (of the file). Then it is opened, told,
 * written down and played again, and gone on with. */
#include <assert.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "scenarios/interview/interview_fix.h"
#include "tests/scenarios/report/reported_interview.h"
#include "scenarios/interview/interview_life.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { CHANGES_MOST = 16, SQL_TICKS = 200, REPORT_MOST = 16 << 20 };

static char id[64], path[256], *good;
static size_t good_size;

/* ---- the interview ---- */

static void leave(void)
{
    char command[128];
    pack_free(pack);
    free(good);
    snprintf(command, sizeof command, "rm -rf '%s'", state_home);
    if (system(command) != 0)
        fprintf(stderr, "%s is left\n", state_home);
}

static void mend(struct interview *l)
{
    struct mend_verdict v = {.is = MEND_REFUSED, .reason = MEND_WRONG, .why = "x"};
    DO(interview_mending(l, 1, false, &err));
    DO(interview_tried(l, "int x;", &err));
    DO(interview_judged(l, &v, &err));
    DO(interview_tried(l, "int y;", &err));
}

static void start(void)
{
    if (interviews_begin("fuzz", 7000) != 0)
        abort();
    struct interview *l = held(false);
    DO(interview_revealed(l, interview_session(l)->part, &err));
    mend(l);
    finish(l);
    snprintf(id, sizeof id, "%s", interview_id(l));
    snprintf(path, sizeof path, "%s/session.db", interview_folder(l));
    interview_free(l);
    FILE *f = fopen(path, "rb");
    struct stat st;
    if (!f || fstat(fileno(f), &st) != 0)
        abort();
    good_size = (size_t)st.st_size;
    good = mem_new(good_size, 1);
    if (fread(good, 1, good_size, f) != good_size)
        abort();
    fclose(f);
    atexit(leave);
}

static void put_file(const char *bytes, size_t n)
{
    char beside[300];
    static const char *const suffixes[] = {"-wal", "-shm", "-journal"};
    for (int i = 0; i < 3; i++) {
        snprintf(beside, sizeof beside, "%s%s", path, suffixes[i]);
        unlink(beside);
    }
    FILE *f = fopen(path, "wb");
    assert(f && fwrite(bytes, 1, n, f) == n);
    fclose(f);
}

/* ---- bending it ---- */

static int tick(void *ticks)
{
    return ++*(int *)ticks > SQL_TICKS;
}

static sqlite3 *open_bare(void)
{
    sqlite3 *db = NULL;
    assert(sqlite3_open(path, &db) == SQLITE_OK);
    sqlite3_limit(db, SQLITE_LIMIT_ATTACHED, 0); /* no other file is touched */
    sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1 << 20);
    sqlite3_db_config(db, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
    sqlite3_db_config(db, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL);
    sqlite3_exec(db,
                 "PRAGMA synchronous = OFF; PRAGMA ignore_check_constraints = ON; DROP TRIGGER IF "
                 "EXISTS event_is_fixed;"
                 "DROP TRIGGER IF EXISTS event_is_kept",
                 NULL, NULL, NULL);
    return db;
}

/* What is not to be missed lest nothing else be read. */
static void close_bare(sqlite3 *db)
{
    sqlite3_exec(db, "ROLLBACK", NULL, NULL, NULL);
    sqlite3_exec(db,
                 "CREATE TRIGGER event_is_fixed BEFORE UPDATE ON event\nBEGIN SELECT RAISE(ABORT, "
                 "'an event is never changed'); END;"
                 "CREATE TRIGGER event_is_kept BEFORE DELETE ON event\nWHEN NOT EXISTS (SELECT 1 "
                 "FROM erasing WHERE stream = OLD.stream)\n"
                 "BEGIN SELECT RAISE(ABORT, 'an event is kept'); END",
                 NULL, NULL, NULL);
    sqlite3_close(db);
}

#define EVENT_N                                                                                    \
    " (SELECT seq FROM event ORDER BY seq LIMIT 1 OFFSET ?1 % max(1, (SELECT count(*) FROM "       \
    "event)))"
#define TEXT_N                                                                                     \
    " (SELECT sha256 FROM blob ORDER BY sha256 LIMIT 1 OFFSET ?1 % max(1, (SELECT count(*) FROM "  \
    "blob)))"
#define OVER(column)                                                                               \
    "substr(" column ", 1, ?3 % (length(" column ") + 1)) || ?2 || substr(" column                 \
    ", ?3 % (length(" column ") + 1) + length(?2) + 1)"

static const struct {
    char letter;
    bool at;
    const char *sql;
} changes[] = {
    {'b', false, "UPDATE OR IGNORE event SET body = ?2 WHERE seq =" EVENT_N},
    {'e', true, "UPDATE OR IGNORE event SET body = " OVER("body") " WHERE seq =" EVENT_N},
    {'k', false, "UPDATE OR IGNORE event SET kind = ?2 WHERE seq =" EVENT_N},
    {'s', false, "UPDATE OR IGNORE event SET stream = ?2 WHERE seq =" EVENT_N},
    {'t', false, "UPDATE OR IGNORE event SET at_ms = CAST(?2 AS INTEGER) WHERE seq =" EVENT_N},
    {'u', false,
     "UPDATE OR REPLACE event SET uid = (SELECT uid FROM event ORDER BY seq LIMIT 1 OFFSET CAST(?2 "
     "AS INTEGER)) WHERE seq =" EVENT_N},
    {'d', false, "DELETE FROM event WHERE seq =" EVENT_N},
    {'x', false, "UPDATE OR IGNORE blob SET body = CAST(?2 AS BLOB) WHERE sha256 =" TEXT_N},
    {'y', true,
     "UPDATE OR IGNORE blob SET body = CAST(" OVER(
         "CAST(body AS TEXT)") " AS BLOB) WHERE sha256 =" TEXT_N},
};

static void change_row(sqlite3 *db, const char *sql, bool at, const char *rest)
{
    char *end;
    sqlite3_stmt *st = NULL;
    long n = strtol(rest, &end, 10), place = at ? strtol(end, &end, 10) : 0;
    if (sqlite3_prepare_v2(db, sql, -1, &st, NULL) == SQLITE_OK) {
        sqlite3_bind_int64(st, 1, n & 0xffff);
        sqlite3_bind_text(st, 2, *end ? end + 1 : "", -1, SQLITE_STATIC);
        sqlite3_bind_int64(st, 3, place & 0xfffff);
        sqlite3_step(st);
    }
    sqlite3_finalize(st);
}

static void change(sqlite3 *db, const char *line)
{
    int ticks = 0;
    for (size_t i = 0; i < sizeof changes / sizeof *changes; i++)
        if (line[0] == changes[i].letter && line[1] == ' ')
            change_row(db, changes[i].sql, changes[i].at, line + 2);
    if (line[0] != 'q')
        return;
    sqlite3_progress_handler(db, 1000, tick, &ticks);
    sqlite3_exec(db, line + 1, NULL, NULL, NULL);
    sqlite3_progress_handler(db, 0, NULL, NULL);
}

static void flip(const char *line)
{
    char *end;
    long at = strtol(line + 1, &end, 10), byte = strtol(end, NULL, 10);
    struct stat st;
    FILE *f = fopen(path, "r+b");
    assert(f && fstat(fileno(f), &st) == 0);
    if (st.st_size > 0 && fseek(f, (at & 0x7fffffff) % st.st_size, SEEK_SET) == 0)
        fputc((int)byte & 255, f);
    fclose(f);
}

static void bend(const char *text)
{
    char *copy = text_dup(text), *rest = copy;
    sqlite3 *db = open_bare();
    int n = 0;
    for (char *line; (line = strsep(&rest, "\n")) && n < CHANGES_MOST; n++)
        change(db, line);
    close_bare(db);
    strcpy(copy, text);
    rest = copy;
    n = 0;
    for (char *line; (line = strsep(&rest, "\n")) && n < CHANGES_MOST; n++)
        if (line[0] == 'f')
            flip(line);
    free(copy);
}

/* ---- what it is good for ---- */

static void tell(struct interview *l)
{
    const struct interview_entry *entries;
    const struct session *s = interview_session(l);
    int n = interview_entries(l, &entries);
    assert(n >= s->events);
    for (int k = 0; k <= s->events; k += 1 + s->events / 8)
        session_free(session_until(s, k));
    for (int candidate = 0; candidate < 2; candidate++) {
        json_t *report = report_make(l, candidate);
        for (int f = 0; f < 4; f++) {
            char *text = report_write(report, (enum report_format)f);
            assert(strlen(text) < REPORT_MOST);
            free(text);
        }
        json_decref(report);
    }
}

static void go_on(struct interview *l)
{
    struct err err;
    interview_opened(l, "confined", NULL, &err);
    interview_rate(l, "space", 2, &err);
    interview_take_back(l, &err);
    interview_revealed(l, interview_session(l)->part, &err);
    interview_release(l, &err);
    interview_close(l, &err);
    interview_settle(l, &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!good)
        start();
    char *text = text_ndup((const char *)data, size);
    put_file(good, good_size);
    if (size)
        bend(text);
    free(text);
    for (int writing = 0; writing < 2; writing++) {
        struct interview *l = NULL;
        struct err err = {0};
        int rc = interview_open(&l, id, !writing, &err);
        assert(rc < 0 ? *err.text && text_first_bad(err.text, strlen(err.text)) == strlen(err.text)
                      : l != NULL);
        if (rc < 0)
            continue;
        if (writing) {
            go_on(l);
            json_decref(report_make(l, true));
        } else {
            tell(l);
        }
        interview_free(l);
    }
    return 0;
}
