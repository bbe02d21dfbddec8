/* Interviews on disk: who may read them, one host alone, a whole interview resumed as it was, kills, and a full disk. */
#include "scenarios/live.h"

#include <errno.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <cmocka.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>

#include "kernels/wire/os.h"
#include "tests/db/disk.h"
#include "tests/scenarios/small_pack.h"

enum { KILLS = 200, MOST_REPORTS = 7, PATIENCE_MS = 60000, HOUR_MS = 3600000 };

static char state_home[64];
static struct pack *pack;
static int64_t now_ms = 1795262400000;      /* 2026-11-21, 12:00 UTC */

static void set_clock(int64_t forward)
{
    char text[24];
    snprintf(text, sizeof text, "%lld", (long long)(now_ms += forward));
    setenv("WARPDRILL_NOW_MS", text, 1);
}

static int begin_all(void **state)
{
    struct err err = {0};
    strcpy(state_home, "/tmp/warpdrill-live-XXXXXX");
    if (install_shim(state) || !mkdtemp(state_home))
        return -1;
    setenv("XDG_STATE_HOME", state_home, 1);
    set_clock(0);
    pack = small_recorded(&err);
    return pack ? 0 : -1;
}

static int end_all(void **state)
{
    char path[128];
    (void)state;
    pack_free(pack);
    static const char *const folders[] = {"/warpdrill/sessions", "/warpdrill", ""};
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s%s", state_home, folders[i]);
        if (rmdir(path) != 0)
            return -1;
    }
    return 0;
}

static struct session_plan sample_plan(void)
{
    struct session_plan p = {.title = "Kernel diagnosis", .candidate = "C-07", .level = 1, .tier = "recorded", .withhold = true, .n_parts = 3};
    p.parts[0] = (struct session_part){.kind = PART_TALK, .minutes = 5, .title = "How you work", .ask = "Tell me"};
    p.parts[1] = (struct session_part){.kind = PART_SCENARIO, .minutes = 25, .title = "Sums", .id = "small/sums/a"};
    p.parts[2] = (struct session_part){.kind = PART_DRILLS, .minutes = 10, .title = "Numbers", .drills = {"memory/bytes"}, .n_drills = 1};
    session_rubric_builtin(&p);
    return p;
}

static void ok(int rc, const struct err *err)
{
    if (rc)
        fail_msg("%s", err->text);
}
#define DO(call) do { struct err err = {0}; ok(call, &err); set_clock(1000); } while (0)
#define REFUSED(code, words, call) do { struct err err = {0}; assert_int_equal(call, code); if (!strstr(err.text, words)) fail_msg("%s", err.text); } while (0)

static struct live *create(struct session_codes *code)
{
    struct session_codes unused;
    struct session_plan p = sample_plan();
    struct live *l = NULL;
    struct err err = {0};
    ok(live_create(&l, code ? code : &unused, &p, HOUR_MS, &err), &err);
    return l;
}

static struct live *open_again(const char *id, bool read_only)
{
    struct live *l = NULL;
    struct err err = {0};
    ok(live_open(&l, id, read_only, &err), &err);
    return l;
}

static void end(struct live *l)
{
    char id[64];
    snprintf(id, sizeof id, "%s", live_id(l));
    live_free(l);
    struct err err = {0};
    ok(live_delete(id, &err), &err);
}

static struct attempt *start(struct live *l)
{
    struct err err = {0};
    struct supply *s = NULL;
    struct attempt *a = NULL;
    const struct variant *v = pack->stories[0].variants[0];
    if (supply_recorded(&s, v, NULL, &err) || attempt_start(&a, live_store(l), v, s, 7, os_monotonic_ms(), &err))
        fail_msg("%s", err.text);
    supply_free(s);
    return a;
}

static struct evidence *recorded(const struct attempt *a, const char *probe)
{
    struct evidence *e = NULL;
    struct err err = {0};
    ok(request_recall(&e, attempt_variant(a), attempt_recording(a), probe, &err), &err);
    return e;
}

/* ---- files ---- */

static void folders_and_files_are_the_hosts_alone(void **state)
{
    (void)state;
    struct session_codes code;
    struct live *l = create(&code);
    static const char *const files[] = {"", "/session.db", "/lock"};
    for (int i = 0; i < 3; i++) {
        char path[256];
        struct stat st;
        snprintf(path, sizeof path, "%s%s", live_folder(l), files[i]);
        assert_int_equal(stat(path, &st), 0);
        assert_int_equal(st.st_mode & 0777, i ? 0600 : 0700);
    }
    char group[8];
    session_code_id(group, code.candidate);
    assert_string_equal(live_session(l)->code_id, group);
    assert_string_equal(live_id(l) + strlen(live_id(l)) - 3, group);
    assert_true(session_code_matches(code.candidate, live_session(l)->secret_sha256));
    assert_true(session_code_matches(code.observer, live_session(l)->observer_sha256));
    assert_false(session_code_matches(code.observer, live_session(l)->secret_sha256));
    assert_int_equal(live_session(l)->expires_ms, now_ms + HOUR_MS);
    end(l);
}

static bool file_holds(const char *path, const char *what)
{
    FILE *f = fopen(path, "r");
    char *all = mem_new(1 << 22, 1);
    size_t n = f ? fread(all, 1, 1 << 22, f) : 0;
    bool found = n && memmem(all, n, what, strlen(what));
    if (f)
        fclose(f);
    free(all);
    return found;
}

static void codes_are_stored_nowhere_and_can_be_made_anew(void **state)
{
    (void)state;
    struct session_codes code, fresh;
    struct live *l = create(&code);
    DO(live_invite(l, &fresh, HOUR_MS, &err));
    assert_string_not_equal(code.candidate, fresh.candidate);
    assert_memory_equal(code.candidate, fresh.candidate, 4);
    assert_false(session_code_matches(code.candidate, live_session(l)->secret_sha256));
    assert_true(session_code_matches(fresh.candidate, live_session(l)->secret_sha256));
    static const char *const files[] = {"session.db", "session.db-wal"};
    for (int i = 0; i < 2; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", live_folder(l), files[i]);
        assert_false(file_holds(path, code.candidate + 4));
        assert_false(file_holds(path, fresh.candidate + 4));
        assert_false(file_holds(path, fresh.observer + 4));
    }
    end(l);
}

static void codes_are_read_as_people_type_them(void **state)
{
    (void)state;
    char out[CODE_TEXT];
    static const char *const good[] = {"k7q-m3xr-dw90", "K7Q M3XR DW90", " k7qm3xrdw9o\n", "k7q_m3xr.dw9O"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        DO(session_code_read(out, good[i], &err));
        assert_string_equal(out, "k7q-m3xr-dw90");
    }
    DO(session_code_read(out, "iLo-uuuu-1111", &err));
    assert_string_equal(out, "110-vvvv-1111");
    static const char *const bad[] = {"", "k7q", "k7q-m3xr-dw9", "k7q-m3xr-dw900", "k7q-m3xr-dw9$", "\x1b[31mk7qm3xrdw9", "k7q-m3xr-dw9\xc3\xa9"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        REFUSED(ERR_BAD_REQUEST, "looks like k7q-m3xr-dw9f", session_code_read(out, bad[i], &err));
    struct session_codes a, b;
    session_codes_make(&a);
    session_codes_make(&b);
    assert_string_not_equal(a.candidate, b.candidate);
    assert_string_not_equal(a.candidate, a.observer);
    DO(session_code_read(out, a.candidate, &err));
    assert_string_equal(out, a.candidate);
}

static void one_host_alone_has_it(void **state)
{
    (void)state;
    struct live *l = create(NULL), *other = NULL;
    REFUSED(ERR_BUSY, "another warpdrill", live_open(&other, live_id(l), false, &err));
    REFUSED(ERR_BUSY, "another warpdrill", live_delete(live_id(l), &err));
    other = open_again(live_id(l), true);
    assert_int_equal(live_session(other)->events, 2);
    REFUSED(ERR_PERMISSION, "reading", live_note(other, "no", false, &err));
    live_free(other);
    DO(live_note(l, "still here", false, &err));
    other = open_again(live_id(l), true);
    assert_int_equal(live_session(other)->events, 3);
    live_free(other);
    end(l);
}

static void lists_and_deletes(void **state)
{
    (void)state;
    struct live_listed *list;
    int n;
    struct live *a = create(NULL);
    set_clock(24 * HOUR_MS);
    struct live *b = create(NULL);
    char id[64], folder[200];
    snprintf(id, sizeof id, "%s", live_id(b));
    snprintf(folder, sizeof folder, "%s", live_folder(b));
    live_free(b);
    DO(live_list(&list, &n, &err));
    assert_int_equal(n, 2);
    assert_string_equal(list[0].id, id);
    assert_string_equal(list[0].title, "Kernel diagnosis");
    assert_string_equal(list[0].candidate, "C-07");
    assert_false(list[0].open);
    assert_true(list[1].open && list[0].bytes > 0 && list[0].parts == 3 && list[0].part == -1 && !list[0].over && !list[0].unreadable);
    free(list);
    struct live *none;
    REFUSED(ERR_MISSING, "no interview", live_open(&none, "1999", false, &err));
    REFUSED(ERR_MISSING, "no interview", live_open(&none, "../sessions", false, &err));
    REFUSED(ERR_BAD_REQUEST, "2 interviews", live_open(&none, "20", false, &err));
    char wal[256];
    snprintf(wal, sizeof wal, "%s/session.db", folder);
    assert_int_equal(truncate(wal, 100), 0);
    DO(live_list(&list, &n, &err));
    assert_true(n == 2 && list[1].unreadable);
    free(list);
    DO(live_delete(id, &err));
    struct stat st;
    assert_int_not_equal(stat(folder, &st), 0);
    REFUSED(ERR_MISSING, "no interview", live_delete(id, &err));
    end(a);
}

/* ---- a whole interview ---- */

static void press_and_settle(struct live *l, int chosen)
{
    attempt_press(live_attempt(l), chosen, BELIEF_MORE, os_monotonic_ms());
    live_changed(l);
    DO(live_settle(l, &err));
}

static void half(struct live *l)
{
    struct session_party p = {.uid = "party-1", .role = "candidate", .name = "Ann\x1b[31m\n", .wall = "confined"};
    DO(live_opened(l, "confined", &err));
    DO(live_joined(l, &p, &err));
    DO(live_begin(l, 0, &err));
    DO(live_spoke(l, "first the time, then bytes", &err));
    DO(live_begin(l, 1, &err));
    DO(live_attempt_begin(l, start(l), &err));
    press_and_settle(l, 1);
    DO(live_withhold(l, "stalls", false, &err));
    DO(live_hand(l, "timing", recorded(live_attempt(l), "timing"), &err));
    DO(live_note(l, "asks for bytes first", true, &err));
    DO(live_rate(l, "space", 3, &err));
    DO(live_hint(l, 1, "What does one warp touch?", &err));
    DO(live_take_back(l, &err));
    DO(live_quiet(l, 180, &err));
}

static void rest_of_it(struct live *l)
{
    struct move m = {.kind = MOVE_COMMITTED, .line = 8, .remedy = "warps"};
    DO(attempt_move(live_attempt(l), &m, os_monotonic_ms(), &err));
    DO(live_push(l, 0, &err));
    DO(live_pause(l, true, &err));
    DO(live_pause(l, false, &err));
    DO(live_begin(l, 2, &err));
    DO(live_drill(l, "memory/bytes", UINT64_MAX, &err));
    DO(live_answer(l, "537 MB", 41, "right", 1, "exact", &err));
    DO(live_finish(l, &err));
    DO(live_close(l, &err));
    DO(live_rate(l, "numbers", 4, &err));
    DO(live_release(l, &err));
}

static void same_session(const struct session *a, const struct session *b)
{
    assert_int_equal(a->events, b->events);
    assert_int_equal(a->seq, b->seq);
    assert_int_equal(a->phase, b->phase);
    assert_int_equal(a->part, b->part);
    assert_int_equal(a->elapsed_ms, b->elapsed_ms);
    assert_int_equal(a->quiet_until_ms, b->quiet_until_ms);
    assert_int_equal(a->n_grades, b->n_grades);
    assert_int_equal(a->n_notes, b->n_notes);
    for (int i = 0; i < a->events; i++) {
        json_t *x = session_event_encode(a->log[i]), *y = session_event_encode(b->log[i]);
        assert_true(json_equal(x, y));
        assert_string_equal(a->log[i]->uid, b->log[i]->uid);
        assert_int_equal(a->log[i]->elapsed_ms, b->log[i]->elapsed_ms);
        assert_int_equal(a->log[i]->undone, b->log[i]->undone);
        json_decref(x);
        json_decref(y);
    }
}

static void same_entries(struct live *a, struct live *b)
{
    const struct live_entry *x, *y;
    int n = live_entries(a, &x);
    assert_int_equal(live_entries(b, &y), n);
    for (int i = 0; i < n; i++) {
        assert_int_equal(x[i].seq, y[i].seq);
        assert_int_equal(x[i].elapsed_ms, y[i].elapsed_ms);
        assert_int_equal(x[i].part, y[i].part);
        assert_true(!x[i].move == !y[i].move && (!x[i].move || x[i].move->kind == y[i].move->kind));
        if (i > 0)
            assert_true(x[i].seq > x[i - 1].seq && x[i].elapsed_ms >= x[i - 1].elapsed_ms);
    }
}

static void goes_on_where_it_was(void **state)
{
    (void)state;
    struct live *l = create(NULL), *again;
    char id[64];
    half(l);
    const struct session *s = live_session(l);
    assert_string_equal(s->parties[0].name, "Ann?[31m ");
    assert_string_equal(s->parts[0].talk, "first the time, then bytes");
    assert_true(session_is_withheld(s, "stalls") && s->parts[1].n_handed == 1 && s->parts[1].n_lines == 0);
    again = open_again(live_id(l), true);
    same_session(s, live_session(again));
    same_entries(l, again);
    const struct investigation *i = attempt_state(live_attempt(again));
    assert_memory_equal(i->points, attempt_state(live_attempt(l))->points, sizeof i->points);
    live_free(again);
    snprintf(id, sizeof id, "%s", live_id(l));
    live_free(l);
    set_clock(HOUR_MS);
    l = open_again(id, false);
    int64_t elapsed = live_session(l)->elapsed_ms;
    DO(live_opened(l, "confined", &err));
    assert_int_equal(live_session(l)->elapsed_ms, elapsed);     /* nobody sat there */
    assert_false(live_session(l)->parties[0].here);
    rest_of_it(l);
    again = open_again(id, true);
    same_session(live_session(l), live_session(again));
    same_entries(l, again);
    assert_int_equal(live_session(again)->phase, SESSION_OVER);
    assert_true(live_session(again)->parts[2].drills[0].seed == UINT64_MAX && live_session(again)->released);
    live_free(again);
    REFUSED(ERR_BAD_REQUEST, "over", live_begin(l, 0, &err));
    end(l);
}

static void what_is_handed_out_costs_nothing(void **state)
{
    (void)state;
    struct live *l = create(NULL);
    DO(live_begin(l, 1, &err));
    DO(live_attempt_begin(l, start(l), &err));
    DO(live_hand(l, "memory", recorded(live_attempt(l), "memory"), &err));
    const struct investigation *i = attempt_state(live_attempt(l));
    assert_int_equal(i->price, 0);
    assert_true(investigation_has(i, "memory") && investigation_handed(i, "memory") && i->bought[0].evidence);
    assert_int_equal(i->n_steps, 2);
    int events = live_session(l)->events;
    REFUSED(ERR_BAD_REQUEST, "handed out already", live_hand(l, "memory", recorded(live_attempt(l), "memory"), &err));
    struct move m = {.kind = MOVE_BOUGHT, .probe = "memory"};
    REFUSED(ERR_BAD_REQUEST, "handed out before", attempt_move(live_attempt(l), &m, os_monotonic_ms(), &err));
    assert_int_equal(live_session(l)->events, events);
    struct live *again = open_again(live_id(l), true);
    i = attempt_state(live_attempt(again));
    assert_true(investigation_handed(i, "memory") && i->bought[0].evidence && i->price == 0);
    live_free(again);
    end(l);
}

/* Whoever shows it sees each key, told or not, and what closing found unwritten. */
static void every_key_is_a_change(void **state)
{
    (void)state;
    struct live *l = create(NULL);
    const struct live_entry *entries;
    char id[64];
    snprintf(id, sizeof id, "%s", live_id(l));
    DO(live_begin(l, 1, &err));
    DO(live_attempt_begin(l, start(l), &err));
    int n = live_entries(l, &entries);
    unsigned before = live_changes(l);
    attempt_press(live_attempt(l), 1, BELIEF_MORE, os_monotonic_ms());
    DO(live_settle(l, &err));
    assert_true(live_changes(l) > before);
    assert_int_equal(live_entries(l, &entries), n + 1);
    struct move m = {.kind = MOVE_NOTED, .answer = "strided"};
    DO(attempt_move(live_attempt(l), &m, os_monotonic_ms(), &err));
    assert_int_equal(live_entries(l, &entries), n + 2);
    assert_int_equal(entries[n + 1].seq, 0);
    assert_true(entries[n + 1].move && entries[n + 1].elapsed_ms > 0);
    live_free(l);
    l = open_again(id, false);
    assert_int_equal(live_entries(l, &entries), n + 2);
    assert_true(entries[n + 1].seq > 0 && entries[n + 1].move->kind == MOVE_NOTED);
    end(l);
}

/* ---- a full disk ---- */

typedef int (*verb)(struct live *l, struct err *err);
static int do_note(struct live *l, struct err *err) { return live_note(l, "a note", false, err); }
static int do_rate(struct live *l, struct err *err) { return live_rate(l, "space", 2, err); }
static int do_hint(struct live *l, struct err *err) { return live_hint(l, 1, "look", err); }
static int do_pause(struct live *l, struct err *err) { return live_pause(l, live_session(l)->phase == SESSION_RUNNING, err); }
static int do_hand(struct live *l, struct err *err) { return live_hand(l, "timing", recorded(live_attempt(l), "timing"), err); }
static int do_finish(struct live *l, struct err *err) { return live_finish(l, err); }
static int do_attempt(struct live *l, struct err *err) { return live_attempt_begin(l, start(l), err); }

static void fails_then_works(struct live *l, verb v, enum fault_kind kind, int countdown)
{
    struct err err = {0};
    const struct session *s = live_session(l);
    int events = s->events, grades = s->n_grades, notes = s->n_notes, phase = s->phase;
    disk.kind = kind, disk.countdown = countdown, disk.for_ever = true, disk.hit = false;
    int rc = v(l, &err);
    bool hit = disk.hit;
    disk.countdown = 0, disk.for_ever = disk.hit = false;
    if (!hit || rc == 0) {
        ok(rc, &err);
        return;
    }
    assert_int_equal(rc, ERR_IO);
    assert_true(strlen(err.text) > 20);
    assert_true(s->events == events && s->n_grades == grades && s->n_notes == notes && (int)s->phase == phase);
    ok(v(l, &err), &err);
    assert_int_equal(s->events, events + 1);
}

static void a_full_disk_changes_nothing(void **state)
{
    (void)state;
    static const verb verbs[] = {do_note, do_rate, do_hint, do_pause, do_pause};
    for (int kind = 0; kind < FAULT_KINDS; kind++) {
        struct live *l = create(NULL);
        char id[64];
        snprintf(id, sizeof id, "%s", live_id(l));
        DO(live_begin(l, 1, &err));
        fails_then_works(l, do_attempt, (enum fault_kind)kind, 1);
        for (int countdown = 1; countdown <= 3; countdown++)
            for (size_t v = 0; v < sizeof verbs / sizeof *verbs; v++)
                fails_then_works(l, verbs[v], (enum fault_kind)kind, countdown);
        fails_then_works(l, do_hand, (enum fault_kind)kind, kind + 1);
        fails_then_works(l, do_finish, (enum fault_kind)kind, 1);
        const struct session *s = live_session(l);
        int events = s->events, moves = attempt_state(live_attempt(l))->n_moves;
        live_free(l);
        l = open_again(id, false);
        assert_int_equal(live_session(l)->events, events);
        assert_int_equal(attempt_state(live_attempt(l))->n_moves, moves);
        end(l);
    }
}

/* Keys pressed while the disk is full are kept in memory, said to be unkept, and kept later. */
static void keys_wait_for_the_disk(void **state)
{
    (void)state;
    struct live *l = create(NULL);
    DO(live_begin(l, 1, &err));
    DO(live_attempt_begin(l, start(l), &err));
    press_and_settle(l, 1);
    disk.kind = FAULT_FULL, disk.countdown = 1, disk.for_ever = true, disk.hit = false;
    attempt_press(live_attempt(l), 2, BELIEF_MORE, os_monotonic_ms());
    REFUSED(ERR_IO, "not stored yet", live_settle(l, &err));
    REFUSED(ERR_IO, "not stored yet", live_note(l, "refused too: it would come before the move", false, &err));
    disk.countdown = 0, disk.for_ever = disk.hit = false;
    DO(live_settle(l, &err));
    const struct investigation *mine = attempt_state(live_attempt(l));
    struct live *again = open_again(live_id(l), true);
    const struct investigation *theirs = attempt_state(live_attempt(again));
    assert_int_equal(mine->n_moves, theirs->n_moves);
    assert_memory_equal(mine->points, theirs->points, sizeof mine->points);
    live_free(again);
    end(l);
}

static void a_disk_that_was_full_leaves_no_half_interview(void **state)
{
    (void)state;
    struct session_plan p = sample_plan();
    int refused = 0;
    for (int countdown = 1; countdown <= 40; countdown += 3) {
        struct session_codes code;
        struct live *l = NULL;
        struct err err = {0};
        disk.kind = FAULT_FULL, disk.countdown = countdown, disk.for_ever = true, disk.hit = false;
        int rc = live_create(&l, &code, &p, HOUR_MS, &err);
        disk.countdown = 0, disk.for_ever = disk.hit = false;
        struct live_listed *list;
        int n;
        refused += rc != 0;
        if (rc == 0)
            end(l);
        else
            assert_true(err.text[0]);
        ok(live_list(&list, &n, &err), &err);
        assert_int_equal(n, 0);
        free(list);
    }
    assert_true(refused > 2);
}

/* ---- kills ---- */

struct report { int notes, moves, flips; };

static struct report count(struct live *l)
{
    struct report r = {0};
    const struct session *s = live_session(l);
    for (int i = 0; i < s->n_notes; i++) {       /* each once, in order */
        char expected[24];
        snprintf(expected, sizeof expected, "note %d", i);
        assert_string_equal(s->notes[i].text, expected);
    }
    r.notes = s->n_notes;
    for (int i = 0; i < s->events; i++)
        r.flips += s->log[i]->kind == SESSION_PAUSED || s->log[i]->kind == SESSION_RESUMED;
    r.moves = attempt_state(live_attempt(l))->n_moves;
    return r;
}

static void host_until_killed(const char *id, int out, unsigned number)
{
    struct live *l = NULL;
    if (live_open(&l, id, false, NULL) || live_opened(l, "confined", NULL))
        _exit(1);
    struct report r = count(l);
    for (;; number = number * 1103515245u + 12345u) {
        char text[24];
        snprintf(text, sizeof text, "note %d", r.notes);
        int rc = 0;
        switch (number >> 16 & 3) {
        case 0: rc = live_note(l, text, false, NULL); r.notes++; break;
        case 1: rc = live_pause(l, live_session(l)->phase == SESSION_RUNNING, NULL); r.flips++; break;
        default:
            attempt_press(live_attempt(l), (int)(number >> 20 & 3), number >> 22 & 1 ? BELIEF_MORE : BELIEF_LESS, os_monotonic_ms());
            rc = live_settle(l, NULL);
            r.moves = attempt_state(live_attempt(l))->n_moves;
        }
        if (rc || write(out, &r, sizeof r) != sizeof r)
            _exit(2);
    }
}

static bool read_report(int in, struct report *r)
{
    struct pollfd p = {.fd = in, .events = POLLIN};
    return poll(&p, 1, PATIENCE_MS) > 0 && read(in, r, sizeof *r) == sizeof *r;
}

static void run_and_kill(const char *id, struct report *last, unsigned number, int reports)
{
    int fd[2];
    assert_int_equal(pipe(fd), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        close(fd[0]);
        host_until_killed(id, fd[1], number);
    }
    close(fd[1]);
    for (int i = 0; i < reports; i++)
        assert_true(read_report(fd[0], last));
    if (reports == 0 && number & 1)      /* somewhere in the opening */
        nanosleep(&(struct timespec){.tv_nsec = (long)(number % 4000000)}, NULL);
    assert_int_equal(kill(child, SIGKILL), 0);
    while (read_report(fd[0], last)) {
        /* it ran on until the signal arrived */
    }
    close(fd[0]);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void nothing_acknowledged_is_lost(void **state)
{
    (void)state;
    struct live *l = create(NULL);
    char id[64];
    snprintf(id, sizeof id, "%s", live_id(l));
    DO(live_begin(l, 1, &err));
    DO(live_attempt_begin(l, start(l), &err));
    struct report r = count(l);
    live_free(l);
    for (int k = 0; k < KILLS; k++) {
        unsigned number = 77u + (unsigned)k * 2654435761u;
        run_and_kill(id, &r, number, (int)(number >> 8 & 0xffff) % MOST_REPORTS);
        l = open_again(id, true);
        struct report found = count(l);
        int more = found.notes - r.notes + found.moves - r.moves + found.flips - r.flips;
        if (found.notes < r.notes || found.moves < r.moves || found.flips < r.flips || more > 1)
            fail_msg("after kill %d: notes %d of %d, moves %d of %d, flips %d of %d", k, found.notes, r.notes, found.moves, r.moves, found.flips, r.flips);
        r = found;
        live_free(l);
    }
    assert_true(r.notes > 50 && r.moves > 50 && r.flips > 50);
    struct err err = {0};
    ok(live_delete(id, &err), &err);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folders_and_files_are_the_hosts_alone),
        cmocka_unit_test(codes_are_stored_nowhere_and_can_be_made_anew),
        cmocka_unit_test(codes_are_read_as_people_type_them),
        cmocka_unit_test(one_host_alone_has_it),
        cmocka_unit_test(lists_and_deletes),
        cmocka_unit_test(goes_on_where_it_was),
        cmocka_unit_test(what_is_handed_out_costs_nothing),
        cmocka_unit_test(every_key_is_a_change),
        cmocka_unit_test(a_full_disk_changes_nothing),
        cmocka_unit_test(keys_wait_for_the_disk),
        cmocka_unit_test(a_disk_that_was_full_leaves_no_half_interview),
        cmocka_unit_test(nothing_acknowledged_is_lost),
    };
    return cmocka_run_group_tests_name("live", tests, begin_all, end_all);
}
