/* Attempts: moves are kept, resumed from the log alone, rebuilt, and survive being killed at any
 * moment. */
#include "scenarios/play/attempt.h"

#include <signal.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/wire/os.h"
#include "tests/db/sample.h"
#include "tests/scenarios/small_pack.h"
#include "tests/folder.h"
#include "tests/unit.h"

static char path[96];
static struct pack *pack;

static int open_folder(void **state)
{
    struct err err = {0};
    if (folder_make("attempt"))
        return -1;
    snprintf(path, sizeof path, "%s/progress.db", folder);
    pack = small_recorded(&err);
    if (!pack)
        fprintf(stderr, "%s\n", err.text);
    return pack ? 0 : -1;
}

static void remove_database(void)
{
    static const char *const ends[] = {"", "-wal", "-shm", "-journal", ".before-v1", ".before-v2"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        char file[128];
        snprintf(file, sizeof file, "%s%s", path, ends[i]);
        unlink(file);
    }
}

static int close_folder(void **state)
{
    pack_free(pack);
    remove_database();
    return rmdir(folder);
}

static struct store *open_store(void)
{
    struct store *s = NULL;
    if (store_open(&s, path, 2000) != STORE_OK)
        fail_msg("%s", store_message(s));
    return s;
}

static const struct variant *variant_a(void)
{
    return pack->stories[0].variants[0];
}

/* The supply is that of the recorded variant, whichever begins. */
static struct attempt *start_of(struct store *store, const struct variant *v)
{
    struct err err = {0};
    struct supply *s = NULL;
    struct attempt *a = NULL;
    if (supply_recorded(&s, variant_a(), NULL, &err) || attempt_start(&a, store, v, s, 7, 0, &err))
        fail_msg("%s", err.text);
    supply_free(s);
    return a;
}

static struct attempt *start(struct store *store)
{
    return start_of(store, variant_a());
}

static struct evidence *recorded(const struct attempt *a, const char *probe)
{
    struct evidence *e = NULL;
    struct err err = {0};
    if (request_recall(&e, attempt_variant(a), attempt_recording(a), probe, &err))
        fail_msg("%s", err.text);
    return e;
}

static int make(struct attempt *a, struct move m, int64_t now, struct err *err)
{
    int rc = attempt_move(a, &m, now, err);
    if (rc)
        evidence_free(m.evidence);
    return rc;
}

enum { SCRIPT_MOVES = 8, KILLS = 300 / ONE_OF };

/* The n-th move of an investigation. */
static struct move scripted(const struct attempt *a, int n)
{
    struct move m = {0};
    static const enum move_kind kinds[SCRIPT_MOVES] = {MOVE_BELIEVED, MOVE_ESTIMATED,
                                                       MOVE_BOUGHT,   MOVE_BOUGHT,
                                                       MOVE_BELIEVED, MOVE_COMMITTED,
                                                       MOVE_PUSHED,   MOVE_RESPONDED};
    static const int points[2][4] = {{40, 20, 20, 20}, {94, 2, 2, 2}};
    m.kind = kinds[n];
    memcpy(m.points, points[n > 0], sizeof points[0]);
    snprintf(m.item, sizeof m.item, "fixed-time");
    snprintf(m.answer, sizeof m.answer, "5.3 us");
    snprintf(m.probe, sizeof m.probe, "%s", n == 2 ? "timing" : "memory");
    snprintf(m.remedy, sizeof m.remedy, "warps");
    m.line = 8;
    if (m.kind == MOVE_BOUGHT)
        m.evidence = recorded(a, m.probe);
    return m;
}

static void play(struct attempt *a, int from, int to)
{
    struct err err = {0};
    for (int n = from; n < to; n++)
        if (make(a, scripted(a, n), 1000 * (n + 1), &err))
            fail_msg("move %d: %s", n, err.text);
}

static void reveal(struct attempt *a, int64_t now)
{
    struct err err = {0};
    struct evidence *all = NULL;
    assert_int_equal(request_recall_all(&all, attempt_variant(a), attempt_recording(a), &err), 0);
    if (attempt_reveal(a, &attempt_recording(a)->device, all, now, &err))
        fail_msg("%s", err.text);
}

static void write_all(struct attempt *a)
{
    struct err err = {0};
    if (attempt_tick(a, 1000000, &err) != 0)
        fail_msg("%s", err.text);
}

static void is_resumed_where_it_stood_and_scored_alike(void **state)
{
    struct store *store = open_store();
    struct err err = {0};
    char uid[33];
    struct attempt *a = start(store);
    strcpy(uid, attempt_uid(a));
    play(a, 0, 5);
    write_all(a);
    attempt_free(a);
    store_free(store);

    store = open_store();
    struct pack *kept = pack;
    pack = NULL; /* the log alone must do */
    assert_int_equal(attempt_resume(&a, store, uid, 0, &err), 0);
    const struct investigation *i = attempt_state(a);
    assert_int_equal(i->phase, PHASE_OPEN);
    assert_int_equal(i->n_bought, 2);
    assert_int_equal(i->points[0], 94);
    assert_string_equal(attempt_variant(a)->full_id, "small/sums/a");
    assert_int_equal(i->elapsed_ms, 5000);
    play(a, 5, SCRIPT_MOVES);
    reveal(a, 20000);
    write_all(a);
    double total = attempt_debrief(a)->score.total;
    assert_true(total > 60);
    attempt_free(a);

    assert_int_equal(attempt_resume(&a, store, uid, 0, &err), 0);
    assert_non_null(attempt_debrief(a));
    assert_true(attempt_debrief(a)->score.total == total);
    attempt_free(a);
    pack = kept;

    struct store_attempt row = sample_attempt_row(store, uid);
    assert_string_equal(row.state, "revealed");
    assert_true(row.scored && row.score == total);
    assert_int_equal(row.cause_right, 1);
    assert_true(row.counted);
    assert_string_equal(row.cause, "mem.uncoalesced");
    assert_int_equal(row.elapsed_ms, 25000); /* both sittings, nothing between */
    store_free(store);
    remove_database();
}

/* The clock goes on where it stood, though the last move lies long before the end of the sitting.
 */
static void time_without_moves_is_kept(void **state)
{
    struct store *store = open_store();
    struct attempt *a = start(store);
    struct err err = {0};
    char uid[33];
    snprintf(uid, sizeof uid, "%s", attempt_uid(a));
    play(a, 0, 2);
    attempt_pause(a, 90000);
    attempt_pause(a, 90000);                /* nothing has passed since: no move */
    int moves = attempt_state(a)->n_moves;
    write_all(a);
    attempt_free(a);
    assert_int_equal(attempt_resume(&a, store, uid, 0, &err), 0);
    assert_int_equal(attempt_state(a)->n_moves, moves);
    assert_int_equal(moves, 4);             /* start, belief, estimate, pause */
    assert_int_equal(attempt_state(a)->elapsed_ms, 90000);
    assert_int_equal(attempt_undo(a, 10000, &err), 0);
    assert_int_equal(attempt_state(a)->elapsed_ms, 100000);
    attempt_free(a);
    store_free(store);
    remove_database();
}

static void only_the_first_look_counts_and_the_unseen_come_first(void **state)
{
    struct store *store = open_store();
    const struct story *story = &pack->stories[0];
    assert_ptr_equal(attempt_pick(story, store, 0), story->variants[0]);
    assert_ptr_equal(attempt_pick(story, store, 1), story->variants[1]);
    struct attempt *first = start(store);
    write_all(first);
    assert_ptr_equal(attempt_pick(story, store, 0), story->variants[1]);
    struct attempt *second = start(store);
    write_all(second);
    struct store_attempt row = sample_attempt_row(store, attempt_uid(first));
    assert_true(row.counted);
    row = sample_attempt_row(store, attempt_uid(second));
    assert_false(row.counted);
    attempt_free(first);
    attempt_free(second);
    store_free(store);
    remove_database();
}

static bool is_counted(struct store *store, const struct attempt *a)
{
    return sample_attempt_row(store, attempt_uid(a)).counted;
}

/* One that was only begun gave nothing away; the reveal gives the fix. */
static void a_sibling_counts_until_the_fix_was_seen(void **state)
{
    for (int revealed = 0; revealed < 2; revealed++) {
        struct store *store = open_store();
        struct attempt *first = start(store);
        for (int n = 0; n < SCRIPT_MOVES; n++)
            assert_int_equal(make(first, scripted(first, n), 1000 * n, NULL), 0);
        if (revealed)
            reveal(first, 20000);
        write_all(first);
        struct attempt *other = start_of(store, pack->stories[0].variants[1]);
        write_all(other);
        assert_true(is_counted(store, first));
        assert_int_equal(is_counted(store, other), !revealed);
        attempt_free(first);
        attempt_free(other);
        store_free(store);
        remove_database();
    }
}

static void belief_keys_become_one_move(void **state)
{
    struct store *store = open_store();
    struct err err = {0};
    struct attempt *a = start(store);
    int points[MAX_HYPOTHESES], before = attempt_state(a)->n_moves;
    write_all(a);
    for (int i = 0; i < 5; i++)
        attempt_press(a, 0, BELIEF_MORE, 2000000 + i * 50);
    attempt_points(a, points);
    assert_true(points[0] > 80);
    assert_int_equal(attempt_state(a)->n_moves, before);
    assert_int_equal(attempt_deadline_ms(a, 2000200), 300);
    assert_int_equal(attempt_tick(a, 2000300, &err), 0);
    assert_int_equal(attempt_state(a)->n_moves, before);
    assert_int_equal(attempt_tick(a, 2000500, &err), 0);
    assert_int_equal(attempt_state(a)->n_moves, before + 1);
    assert_int_equal(attempt_state(a)->points[0], points[0]);
    assert_int_equal(attempt_deadline_ms(a, 2000500), -1);
    attempt_press(a, 1, BELIEF_MORE, 2001000); /* settled by the next move, before it */
    struct move m = {.kind = MOVE_ESTIMATED, .item = "fixed-time", .answer = "5 us"};
    assert_int_equal(make(a, m, 2001010, &err), 0);
    assert_int_equal(attempt_state(a)->n_moves, before + 3);
    attempt_press(a, 1, BELIEF_MORE, 2002000);
    assert_int_equal(attempt_undo(a, 2002010, &err), 0); /* only pressed: forgotten */
    assert_int_equal(attempt_state(a)->n_moves, before + 3);
    attempt_free(a);
    store_free(store);
    remove_database();
}

/* Equal odds of which one has the odd point: the log knows that they are equal. */
static void beliefs_are_shown_the_same_after_resuming(void **state)
{
    struct store *store = open_store();
    struct err err = {0};
    int shown[MAX_HYPOTHESES] = {0}, again[MAX_HYPOTHESES] = {0}, points[MAX_HYPOTHESES];
    char uid[33];
    struct attempt *a = start(store);
    int k = attempt_state(a)->story->n_hypotheses, uneven = 0;
    strcpy(uid, attempt_uid(a));
    for (int press = 0; press < 4; press++) {
        attempt_press(a, 0, BELIEF_MORE, 2000000 + press * 1000);
        attempt_percent(a, shown);
        attempt_points(a, points);
        assert_int_equal(attempt_tick(a, 2000500 + press * 1000, &err), 0);
        attempt_free(a);
        assert_int_equal(attempt_resume(&a, store, uid, 0, &err), 0);
        attempt_percent(a, again);
        assert_memory_equal(again, shown, sizeof shown);
        for (int h = 2; h < k; h++) {
            assert_int_equal(again[h], again[1]);
            uneven += points[h] != points[1];
        }
    }
    assert_true(uneven > 0);
    attempt_free(a);
    store_free(store);
    remove_database();
}

/* After the commitment keys are the last word: no move of their own, until it is said. */
static void keys_while_pushed_back_are_the_last_word(void **state)
{
    struct store *store = open_store();
    struct err err = {0};
    struct attempt *a = start(store);
    struct move word = {.kind = MOVE_RESPONDED};
    int points[MAX_HYPOTHESES];
    play(a, 0, 7);
    write_all(a);
    int before = attempt_state(a)->n_moves;
    attempt_press(a, 0, BELIEF_LESS, 2000000);
    attempt_points(a, points);
    assert_true(points[0] < 94);
    assert_int_equal(attempt_tick(a, 2001000, &err), 0);
    assert_int_equal(attempt_state(a)->n_moves, before);
    attempt_unpress(a);
    attempt_points(a, points);
    assert_int_equal(points[0], 94);
    attempt_press(a, 0, BELIEF_LESS, 2002000);
    attempt_points(a, word.points);
    assert_int_equal(make(a, word, 2003000, &err), 0);
    assert_memory_equal(attempt_state(a)->points, word.points, sizeof word.points);
    attempt_press(a, 0, BELIEF_LESS, 2004000); /* it was said */
    attempt_points(a, points);
    assert_memory_equal(points, word.points, sizeof points);
    attempt_free(a);
    store_free(store);
    remove_database();
}

/* A story need not push back: the last word follows the commitment. */
static void keys_after_the_whole_commitment_are_the_last_word(void **state)
{
    struct store *store = open_store();
    struct err err = {0};
    struct attempt *a = start(store);
    struct move lock = {.kind = MOVE_COMMITTED};
    int points[MAX_HYPOTHESES];
    play(a, 0, 5);
    assert_int_equal(make(a, lock, 5500, &err), 0);
    attempt_press(a, 0, BELIEF_LESS, 5600); /* line and fix are still chosen */
    attempt_points(a, points);
    assert_int_equal(points[0], 94);
    play(a, 5, 6);
    attempt_press(a, 0, BELIEF_LESS, 6600);
    attempt_points(a, points);
    assert_true(points[0] < 94);
    attempt_free(a);
    store_free(store);
    remove_database();
}

static void a_busy_store_is_tried_again(void **state)
{
    struct store *store = open_store(), *second = NULL;
    struct err err = {0};
    sqlite3 *holder = NULL;
    assert_int_equal(store_open(&second, path, 0), STORE_OK);
    struct attempt *a = start(second);
    assert_int_equal(sqlite3_open(path, &holder), SQLITE_OK);
    assert_int_equal(sqlite3_exec(holder, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(attempt_tick(a, 10, &err), 1);
    assert_true(attempt_deadline_ms(a, 10) > 0);
    play(a, 0, 2);
    assert_int_equal(attempt_tick(a, 500, &err), 3);
    assert_int_equal(sqlite3_exec(holder, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(attempt_tick(a, 1000, &err), 0);
    sqlite3_close(holder);
    attempt_free(a);
    store_free(second);
    store_free(store);
    remove_database();
}

static void projections_are_rebuilt_from_the_log(void **state)
{
    struct store *store = open_store();
    struct attempt *a = start(store);
    play(a, 0, SCRIPT_MOVES);
    reveal(a, 20000);
    write_all(a);
    char uid[33];
    strcpy(uid, attempt_uid(a));
    struct store_attempt before = sample_attempt_row(store, uid);
    attempt_free(a);
    store_free(store);

    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    /* What an older program left, with the score of its rule. */
    assert_int_equal(sqlite3_exec(db,
                                  "UPDATE projection SET version = 3;"
                                  "UPDATE attempt SET score = 11, score_rule = 1",
                                  NULL, NULL, NULL),
                     SQLITE_OK);
    sqlite3_close(db);
    store = open_store();
    assert_true(store_needs_rebuild(store));
    assert_int_equal(store_rebuild_begin(store), STORE_OK);
    assert_int_equal(attempts_project(store), STORE_OK);
    assert_int_equal(store_rebuild_end(store, true), STORE_OK);
    assert_false(store_needs_rebuild(store));
    struct store_attempt after = sample_attempt_row(store, uid);
    assert_string_equal(after.state, "revealed");
    assert_int_equal(after.score_rule, SCORE_RULE);
    assert_true(after.score == before.score && after.counted == before.counted &&
                after.started_ms == before.started_ms);
    struct store_score_line *lines = NULL;
    int n = 0;
    assert_int_equal(store_score_lines(store, uid, &lines, &n), STORE_OK);
    assert_int_equal(n, LINE_COUNT);
    free(lines);
    store_free(store);
    remove_database();
}

/* In a child: goes on with the attempt, and tells each move that the store has taken. */
static void work_until_killed(int out)
{
    struct err err = {0};
    struct store *store = NULL;
    struct attempt *a = NULL;
    struct store_attempt *rows = NULL;
    int n = 0;
    if (store_open(&store, path, 2000) != STORE_OK ||
        store_attempts(store, "open", 0, &rows, &n) != STORE_OK)
        _exit(2);
    a = n ? NULL : start(store);
    if (n && attempt_resume(&a, store, rows[0].uid, 0, &err))
        _exit(3);
    for (int k = attempt_state(a)->n_moves - 1; k < 5; k++) {
        if (attempt_tick(a, 1000000, &err) != 0 || write(out, "x", 1) != 1 ||
            make(a, scripted(a, k), 0, &err))
            _exit(4);
    }
    if (attempt_tick(a, 1000000, &err) != 0 || write(out, "x", 1) != 1)
        _exit(5);
    for (;;)
        pause();
}

/* Kills the child after `told` moves were told. Returns how many it told in all. */
static int kill_after(int told)
{
    int fd[2], n = 0, status;
    char byte;
    assert_int_equal(pipe(fd), 0);
    pid_t pid = fork();
    if (pid == 0) {
        close(fd[0]);
        work_until_killed(fd[1]);
    }
    close(fd[1]);
    while (n < told && read(fd[0], &byte, 1) == 1)
        n++;
    kill(pid, SIGKILL);
    while (read(fd[0], &byte, 1) == 1)
        n++;
    waitpid(pid, &status, 0);
    close(fd[0]);
    assert_true(WIFSIGNALED(status));
    return n;
}

static void kills_lose_nothing_that_was_told(void **state)
{
    int stored = 0; /* moves that must be there */
    for (int i = 0; i < KILLS; i++) {
        int told = kill_after(i % 3);
        struct store *store = open_store();
        struct store_attempt *rows = NULL;
        struct attempt *a = NULL;
        struct err err = {0};
        int n = 0;
        stored += told > 0 ? told - (stored > 0)
                           : 0; /* the first told of a resumed attempt was there before */
        assert_int_equal(store_attempts(store, "open", 0, &rows, &n), STORE_OK);
        assert_in_range(n, stored > 0, 1);
        if (n && attempt_resume(&a, store, rows[0].uid, 0, &err))
            fail_msg("after kill %d: %s", i, err.text);
        int there = n ? attempt_state(a)->n_moves : 0;
        if (there < stored)
            fail_msg("kill %d: %d moves were told, %d are there", i, stored, there);
        stored = there;
        attempt_free(a);
        free(rows);
        store_free(store);
        if (there == 6) {
            remove_database();
            stored = 0;
        }
    }
    remove_database();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(is_resumed_where_it_stood_and_scored_alike),
        cmocka_unit_test(time_without_moves_is_kept),
        cmocka_unit_test(only_the_first_look_counts_and_the_unseen_come_first),
        cmocka_unit_test(a_sibling_counts_until_the_fix_was_seen),
        cmocka_unit_test(belief_keys_become_one_move),
        cmocka_unit_test(beliefs_are_shown_the_same_after_resuming),
        cmocka_unit_test(keys_while_pushed_back_are_the_last_word),
        cmocka_unit_test(keys_after_the_whole_commitment_are_the_last_word),
        cmocka_unit_test(a_busy_store_is_tried_again),
        cmocka_unit_test(projections_are_rebuilt_from_the_log),
        cmocka_unit_test(kills_lose_nothing_that_was_told),
    };
    return cmocka_run_group_tests(tests, open_folder, close_folder);
}
