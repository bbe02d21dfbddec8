/* Interviews on disk: who may read them, one host alone, a whole interview resumed as it was. */
#include "scenarios/interview/interview.h"

#include <sys/stat.h>

#include "scenarios/interview/interview_life.h"
#include "scenarios/interview/interview_moves.h"
#include "scenarios/interview/interview_says.h"
#include "scenarios/interview/interview_verbs.h"
#include "scenarios/interview/session_code.h"
#include "tests/scenarios/interview/sample_interview.h"

static int begin_all(void **state)
{
    return interviews_begin("live", 1000);
}

/* ---- files ---- */

static void folders_and_files_are_the_hosts_alone(void **state)
{
    struct session_codes code;
    struct interview *l = create(&code);
    static const char *const files[] = {"", "/session.db", "/lock"};
    for (int i = 0; i < 3; i++) {
        char path[256];
        struct stat st;
        snprintf(path, sizeof path, "%s%s", interview_folder(l), files[i]);
        assert_int_equal(stat(path, &st), 0);
        assert_int_equal(st.st_mode & 0777, i ? 0600 : 0700);
    }
    char group[8];
    session_code_id(group, code.candidate);
    assert_string_equal(interview_session(l)->code_id, group);
    assert_string_equal(interview_id(l) + strlen(interview_id(l)) - 3, group);
    assert_true(session_code_matches(code.candidate, interview_session(l)->secret_sha256));
    assert_true(session_code_matches(code.observer, interview_session(l)->observer_sha256));
    assert_false(session_code_matches(code.observer, interview_session(l)->secret_sha256));
    assert_int_equal(interview_session(l)->expires_ms, now_ms + HOUR_MS);
    made_interview_end(l);
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
    struct session_codes code, fresh;
    struct interview *l = create(&code);
    DO(interview_invite(l, &fresh, HOUR_MS, &err));
    assert_string_not_equal(code.candidate, fresh.candidate);
    assert_memory_equal(code.candidate, fresh.candidate, 4);
    assert_false(session_code_matches(code.candidate, interview_session(l)->secret_sha256));
    assert_true(session_code_matches(fresh.candidate, interview_session(l)->secret_sha256));
    static const char *const files[] = {"session.db", "session.db-wal"};
    for (int i = 0; i < 2; i++) {
        char path[256];
        snprintf(path, sizeof path, "%s/%s", interview_folder(l), files[i]);
        assert_false(file_holds(path, code.candidate + 4));
        assert_false(file_holds(path, fresh.candidate + 4));
        assert_false(file_holds(path, fresh.observer + 4));
    }
    made_interview_end(l);
}

static void codes_are_read_as_people_type_them(void **state)
{
    char out[CODE_TEXT];
    static const char *const good[] = {"k7q-m3xr-dw90", "K7Q M3XR DW90", " k7qm3xrdw9o\n",
                                       "k7q_m3xr.dw9O"};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        DO(session_code_read(out, good[i], &err));
        assert_string_equal(out, "k7q-m3xr-dw90");
    }
    DO(session_code_read(out, "iLo-uuuu-1111", &err));
    assert_string_equal(out, "110-vvvv-1111");
    static const char *const bad[] = {"",
                                      "k7q",
                                      "k7q-m3xr-dw9",
                                      "k7q-m3xr-dw900",
                                      "k7q-m3xr-dw9$",
                                      "\x1b[31mk7qm3xrdw9",
                                      "k7q-m3xr-dw9\xc3\xa9"};
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
    struct interview *l = create(NULL), *other = NULL;
    REFUSED(ERR_BUSY, "another warpdrill", interview_open(&other, interview_id(l), false, &err));
    REFUSED(ERR_BUSY, "another warpdrill", interview_delete(interview_id(l), &err));
    other = open_again(interview_id(l), true);
    assert_int_equal(interview_session(other)->events, 2);
    REFUSED(ERR_PERMISSION, "reading", interview_note(other, "no", false, &err));
    interview_free(other);
    DO(interview_note(l, "still here", false, &err));
    other = open_again(interview_id(l), true);
    assert_int_equal(interview_session(other)->events, 3);
    interview_free(other);
    made_interview_end(l);
}

/* Somebody who may read an interview and not write it. The rights of a file are nothing to root,
 * who becomes nobody meanwhile. */
static void may_be_read_where_it_cannot_be_written(void **state)
{
    struct interview *l = create(NULL), *other = NULL;
    char id[64], folder[256], path[300];
    snprintf(id, sizeof id, "%s", interview_id(l));
    snprintf(folder, sizeof folder, "%s", interview_folder(l));
    interview_free(l);
    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof path, "%s/%.*s", folder, i * 3, "../../");
        assert_int_equal(chmod(path, i ? 0755 : 0555), 0);
    }
    snprintf(path, sizeof path, "%s/session.db", folder);
    assert_int_equal(chmod(state_home, 0755) | chmod(path, 0444), 0);
    if (getuid() == 0)
        assert_int_equal(seteuid(65534), 0);
    other = open_again(id, true);
    assert_int_equal(interview_session(other)->events, 2);
    interview_free(other);
    bool theirs = getuid() == 0;
    REFUSED(theirs ? ERR_PERMISSION : ERR_IO,
            theirs ? "belongs to another user" : "Permission denied",
            interview_open(&other, id, false, &err));
    if (getuid() == 0)
        assert_int_equal(seteuid(0), 0);
    assert_int_equal(chmod(path, 0600) | chmod(folder, 0700), 0);
    DO(interview_delete(id, &err));
}

/* Who may write to a folder can put an interview there, or a link to one. */
static void folders_that_others_write_to_are_not_believed(void **state)
{
    struct interview *l = create(NULL), *other = NULL;
    struct interview_listed *list;
    int n;
    char id[64], folder[256], above[300];
    snprintf(id, sizeof id, "%s", interview_id(l));
    snprintf(folder, sizeof folder, "%s", interview_folder(l));
    snprintf(above, sizeof above, "%s/..", folder);
    interview_free(l);
    assert_int_equal(chmod(folder, 0777), 0);
    REFUSED(ERR_PERMISSION, "can be written to by others", interview_open(&other, id, true, &err));
    DO(interview_list(&list, &n, &err));
    assert_true(n == 1 && list[0].unreadable);
    free(list);
    assert_int_equal(chmod(folder, 0700) | chmod(above, 0770), 0);
    REFUSED(ERR_PERMISSION, "can be written to by others", interview_open(&other, id, true, &err));
    REFUSED(ERR_PERMISSION, "can be written to by others", interview_list(&list, &n, &err));
    assert_int_equal(chmod(above, 0700), 0);
    char *aside = text_format("%s-aside", folder);
    assert_int_equal(rename(folder, aside) | symlink(aside, folder), 0);
    REFUSED(ERR_PERMISSION, "is a symbolic link", interview_open(&other, id, false, &err));
    assert_int_equal(unlink(folder) | rename(aside, folder), 0);
    free(aside);
    DO(interview_delete(id, &err));
}

static void lists_and_deletes(void **state)
{
    struct interview_listed *list;
    int n;
    struct interview *a = create(NULL);
    set_clock(24 * HOUR_MS);
    struct interview *b = create(NULL);
    char id[64], folder[200];
    snprintf(id, sizeof id, "%s", interview_id(b));
    snprintf(folder, sizeof folder, "%s", interview_folder(b));
    interview_free(b);
    DO(interview_list(&list, &n, &err));
    assert_int_equal(n, 2);
    assert_string_equal(list[0].id, id);
    assert_string_equal(list[0].title, "Kernel diagnosis");
    assert_string_equal(list[0].candidate, "C-07");
    assert_false(list[0].open);
    assert_true(list[1].open && list[0].bytes > 0 && list[0].parts == 3 && list[0].part == -1 &&
                !list[0].over && !list[0].unreadable);
    free(list);
    struct interview *none;
    REFUSED(ERR_MISSING, "no interview", interview_open(&none, "1999", false, &err));
    REFUSED(ERR_MISSING, "no interview", interview_open(&none, "../sessions", false, &err));
    REFUSED(ERR_BAD_REQUEST, "2 interviews", interview_open(&none, "20", false, &err));
    char wal[256];
    snprintf(wal, sizeof wal, "%s/session.db", folder);
    assert_int_equal(truncate(wal, 100), 0);
    DO(interview_list(&list, &n, &err));
    assert_true(n == 2 && list[1].unreadable);
    free(list);
    DO(interview_delete(id, &err));
    struct stat st;
    assert_int_not_equal(stat(folder, &st), 0);
    REFUSED(ERR_MISSING, "no interview", interview_delete(id, &err));
    made_interview_end(a);
}

/* ---- a whole interview ---- */

static void half(struct interview *l)
{
    struct session_party p = {.uid = "party-1",
                              .role = "candidate",
                              .name = "Ann\x1b[31m\n",
                              .wall = "confined"};
    DO(interview_opened(l, "confined", NULL, &err));
    DO(interview_joined(l, &p, &err));
    DO(interview_begin(l, 0, &err));
    DO(interview_spoke(l, "first the time, then bytes", &err));
    DO(interview_begin(l, 1, &err));
    DO(interview_attempt_begin(l, attempt_new(l), &err));
    press_belief(l, 1, BELIEF_MORE);
    DO(interview_withhold(l, "stalls", false, &err));
    DO(interview_hand(l, "timing", recorded(l, "timing"), &err));
    DO(interview_note(l, "asks for bytes first", true, &err));
    DO(interview_rate(l, "space", 3, &err));
    DO(interview_hint(l, 1, "What does one warp touch?", &err));
    DO(interview_take_back(l, &err));
    DO(interview_quiet(l, 180, &err));
}

static void rest_of_it(struct interview *l)
{
    struct move m = {.kind = MOVE_COMMITTED, .line = 8, .remedy = "warps"};
    DO(attempt_move(interview_attempt(l), &m, os_monotonic_ms(), &err));
    DO(interview_push(l, 0, &err));
    DO(interview_pause(l, true, &err));
    DO(interview_pause(l, false, &err));
    DO(interview_begin(l, 2, &err));
    DO(interview_drill(l, "memory/bytes", NULL, UINT64_MAX, &err));
    DO(interview_answer(l, "537 MB", 41, "right", 1, "exact", &err));
    DO(interview_finish(l, &err));
    DO(interview_close(l, &err));
    DO(interview_rate(l, "numbers", 4, &err));
    DO(interview_release(l, &err));
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

static void same_entries(struct interview *a, struct interview *b)
{
    const struct interview_entry *x, *y;
    int n = interview_entries(a, &x);
    assert_int_equal(interview_entries(b, &y), n);
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
    struct interview *l = create(NULL), *again;
    char id[64];
    half(l);
    const struct session *s = interview_session(l);
    assert_string_equal(s->parties[0].name, "Ann?[31m ");
    assert_string_equal(s->parts[0].talk, "first the time, then bytes");
    assert_true(session_is_withheld(s, "stalls") && s->parts[1].n_handed == 1 &&
                s->parts[1].n_lines == 0);
    again = open_again(interview_id(l), true);
    same_session(s, interview_session(again));
    same_entries(l, again);
    const struct investigation *i = attempt_state(interview_attempt(again));
    assert_memory_equal(i->points, attempt_state(interview_attempt(l))->points, sizeof i->points);
    interview_free(again);
    snprintf(id, sizeof id, "%s", interview_id(l));
    interview_free(l);
    set_clock(HOUR_MS);
    l = open_again(id, false);
    int64_t elapsed = interview_session(l)->elapsed_ms;
    DO(interview_opened(l, "confined", NULL, &err));
    assert_int_equal(interview_session(l)->elapsed_ms, elapsed);     /* nobody sat there */
    assert_false(interview_session(l)->parties[0].here);
    rest_of_it(l);
    again = open_again(id, true);
    same_session(interview_session(l), interview_session(again));
    same_entries(l, again);
    assert_int_equal(interview_session(again)->phase, SESSION_OVER);
    assert_true(interview_session(again)->parts[2].drills[0].seed == UINT64_MAX &&
                interview_session(again)->released);
    interview_free(again);
    REFUSED(ERR_BAD_REQUEST, "over", interview_begin(l, 0, &err));
    made_interview_end(l);
}

/* ---- a host that dies ---- */

static struct interview *dies(struct interview *l)
{
    char id[64];
    snprintf(id, sizeof id, "%s", interview_id(l));
    interview_free(l);
    set_clock(HOUR_MS);
    return open_again(id, false);
}

static void make(struct interview *l, struct move m)
{
    DO(attempt_move(interview_attempt(l), &m, os_monotonic_ms(), &err));
    DO(interview_settle(l, &err));
}

/* What waits is an event: it comes once they have answered, or is taken back, whoever the host is.
 */
static void a_pushback_that_waits_is_kept(void **state)
{
    for (int back = 0; back < 2; back++) {
        enum phase then = back ? PHASE_COMMITTED : PHASE_PUSHED;
        struct interview *l = create(NULL);
        DO(interview_begin(l, 1, &err));
        DO(interview_attempt_begin(l, attempt_new(l), &err));
        REFUSED(ERR_BAD_REQUEST, "no pushback waits", interview_push_drop(l, &err));
        make(l, (struct move){.kind = MOVE_COMMITTED});
        DO(interview_push(l, 0, &err));
        assert_int_equal(interview_waiting(l), 0);
        l = dies(l);
        DO(interview_opened(l, "confined", NULL, &err));
        assert_int_equal(interview_waiting(l), 0);
        interview_deliver(l);
        assert_int_equal(attempt_state(interview_attempt(l))->phase, PHASE_COMMITTED);
        if (back)
            DO(interview_push_drop(l, &err));
        make(l, (struct move){.kind = MOVE_COMMITTED, .line = 8, .remedy = "warps"});
        make(l, (struct move){.kind = MOVE_ESTIMATED, .item = "fixed-time"});
        interview_deliver(l);
        assert_int_equal(attempt_state(interview_attempt(l))->phase, then);
        assert_int_equal(interview_waiting(l), -1);
        l = dies(l);                     /* sent once, or not at all */
        interview_deliver(l);
        assert_int_equal(attempt_state(interview_attempt(l))->phase, then);
        made_interview_end(l);
    }
}

static void another_part_leaves_a_pushback_behind(void **state)
{
    struct interview *l = create(NULL);
    DO(interview_begin(l, 1, &err));
    DO(interview_attempt_begin(l, attempt_new(l), &err));
    make(l, (struct move){.kind = MOVE_COMMITTED});
    DO(interview_push(l, 0, &err));
    DO(interview_begin(l, 2, &err));
    assert_int_equal(interview_waiting(l), -1);
    DO(interview_begin(l, 1, &err));
    assert_int_equal(interview_waiting(l), -1);
    made_interview_end(l);
}

/* Whatever a clock showed before the death it shows after it too; time without a host is not
 * counted. */
static void no_death_turns_the_clock_back(void **state)
{
    struct interview *l = create(NULL);
    DO(interview_opened(l, "confined", NULL, &err));
    DO(interview_begin(l, 1, &err));
    DO(interview_attempt_begin(l, attempt_new(l), &err));
    set_clock(3700);
    press_belief(l, 0, BELIEF_MORE);
    set_clock(3300);
    interview_keep_time(l);
    int64_t part = session_part_ms(interview_session(l), interview_kept_ms(l));
    int64_t total = session_total_ms(interview_session(l), interview_kept_ms(l));
    assert_true(part >= 7000 && part < interview_now(l));
    l = dies(l);
    DO(interview_opened(l, "confined", NULL, &err));
    assert_int_equal(session_part_ms(interview_session(l), interview_session(l)->last_ms), part);
    assert_int_equal(session_total_ms(interview_session(l), interview_session(l)->last_ms), total);
    same_entries(l, l);                  /* in the order of time */
    DO(interview_pause(l, true, &err));
    total = interview_session(l)->elapsed_ms;
    set_clock(5000);
    interview_keep_time(l);
    l = dies(l);
    DO(interview_opened(l, "confined", NULL, &err));
    assert_int_equal(interview_session(l)->elapsed_ms, total);       /* on pause nothing ran */
    made_interview_end(l);
}

/* A host that comes back invites the same user, unless it says otherwise. */
static void who_was_invited_is_kept(void **state)
{
    struct interview *l = create(NULL);
    char id[64];
    snprintf(id, sizeof id, "%s", interview_id(l));
    DO(interview_opened(l, "user", "ada", &err));
    interview_free(l);
    l = open_again(id, false);
    assert_string_equal(interview_session(l)->guest, "ada");
    DO(interview_opened(l, "confined", NULL, &err));
    assert_string_equal(interview_session(l)->guest, "");
    made_interview_end(l);
}

/* Opened after its end it takes grades, with their time, and the release of the scores. */
static void what_is_over_takes_grades_alone(void **state)
{
    struct interview *l = create(NULL);
    char id[64];
    snprintf(id, sizeof id, "%s", interview_id(l));
    DO(interview_begin(l, 0, &err));
    DO(interview_rate(l, "space", 3, &err));
    DO(interview_note(l, "said aloud", false, &err));
    DO(interview_close(l, &err));
    interview_free(l);
    set_clock(HOUR_MS);
    l = open_again(id, false);
    const struct session *s = interview_session(l);
    REFUSED(ERR_PERMISSION, "grades", interview_note(l, "and more", false, &err));
    REFUSED(ERR_PERMISSION, "grades", interview_opened(l, "none", NULL, &err));
    REFUSED(ERR_PERMISSION, "grades", interview_begin(l, 1, &err));
    REFUSED(ERR_PERMISSION, "grades",
            interview_take_back(l, &err)); /* the note is not to be taken back any more */
    DO(interview_rate(l, "numbers", 2, &err));
    DO(interview_rate(l, "aloud", 4, &err));
    DO(interview_take_back(l, &err));
    DO(interview_release(l, &err));
    interview_free(l);
    l = open_again(id, true);
    s = interview_session(l);
    assert_true(session_grade(s, "space") == 3 && session_grade(s, "numbers") == 2 &&
                session_grade(s, "aloud") == 0);
    assert_true(session_graded_late(s, "space") == 0 && session_graded_late(s, "aloud") == 0);
    assert_true(session_graded_late(s, "numbers") >= s->began_ms + HOUR_MS);
    assert_true(s->released && s->n_notes == 1);
    interview_free(l);
    l = open_again(id, false);
    made_interview_end(l);
}

static void what_is_handed_out_costs_nothing(void **state)
{
    struct interview *l = create(NULL);
    DO(interview_begin(l, 1, &err));
    DO(interview_attempt_begin(l, attempt_new(l), &err));
    DO(interview_hand(l, "memory", recorded(l, "memory"), &err));
    const struct investigation *i = attempt_state(interview_attempt(l));
    assert_int_equal(i->price, 0);
    assert_true(investigation_has(i, "memory") && investigation_handed(i, "memory") &&
                i->bought[0].evidence);
    assert_int_equal(i->n_steps, 2);
    int events = interview_session(l)->events;
    REFUSED(ERR_BAD_REQUEST, "handed out already",
            interview_hand(l, "memory", recorded(l, "memory"), &err));
    struct move m = {.kind = MOVE_BOUGHT, .probe = "memory"};
    REFUSED(ERR_BAD_REQUEST, "handed out before",
            attempt_move(interview_attempt(l), &m, os_monotonic_ms(), &err));
    assert_int_equal(interview_session(l)->events, events);
    struct interview *again = open_again(interview_id(l), true);
    i = attempt_state(interview_attempt(again));
    assert_true(investigation_handed(i, "memory") && i->bought[0].evidence && i->price == 0);
    interview_free(again);
    made_interview_end(l);
}

/* Whoever shows it sees each key, told or not, and what closing found unwritten. */
static void every_key_is_a_change(void **state)
{
    struct interview *l = create(NULL);
    const struct interview_entry *entries;
    char id[64];
    snprintf(id, sizeof id, "%s", interview_id(l));
    DO(interview_begin(l, 1, &err));
    DO(interview_attempt_begin(l, attempt_new(l), &err));
    int n = interview_entries(l, &entries);
    unsigned before = interview_changes(l);
    attempt_press(interview_attempt(l), 1, BELIEF_MORE, os_monotonic_ms());
    DO(interview_settle(l, &err));
    assert_true(interview_changes(l) > before);
    assert_int_equal(interview_entries(l, &entries), n + 1);
    struct move m = {.kind = MOVE_NOTED, .answer = "strided"};
    DO(attempt_move(interview_attempt(l), &m, os_monotonic_ms(), &err));
    assert_int_equal(interview_entries(l, &entries), n + 2);
    assert_int_equal(entries[n + 1].seq, 0);
    assert_true(entries[n + 1].move && entries[n + 1].elapsed_ms > 0);
    interview_free(l);
    l = open_again(id, false);
    assert_int_equal(interview_entries(l, &entries), n + 2);
    assert_true(entries[n + 1].seq > 0 && entries[n + 1].move->kind == MOVE_NOTED);
    made_interview_end(l);
}

/* Another candidate gets what the first got before anything was changed on the way. */
static void a_plan_serves_another_candidate(void **state)
{
    struct session_plan again, *first;
    struct interview *l = create(NULL);
    first = mem_new(1, sizeof *first);
    *first = interview_session(l)->plan;
    DO(interview_begin(l, 0, &err));
    DO(interview_minutes(l, 1, 90, &err));
    DO(interview_plan_of(&again, interview_id(l), &err));
    assert_string_equal(again.candidate, "");
    assert_int_equal(again.seed, first->seed);
    assert_int_equal(again.n_parts, first->n_parts);
    assert_int_equal(again.n_signals, first->n_signals);
    assert_int_not_equal(interview_session(l)->plan.parts[1].minutes, first->parts[1].minutes);
    for (int k = 0; k < again.n_parts; k++) {
        assert_string_equal(again.parts[k].id, first->parts[k].id);
        assert_int_equal(again.parts[k].minutes, first->parts[k].minutes);
    }
    free(first);
    REFUSED(ERR_MISSING, "nobody", interview_plan_of(&again, "nobody", &err));
    made_interview_end(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folders_and_files_are_the_hosts_alone),
        cmocka_unit_test(who_was_invited_is_kept),
        cmocka_unit_test(codes_are_stored_nowhere_and_can_be_made_anew),
        cmocka_unit_test(codes_are_read_as_people_type_them),
        cmocka_unit_test(one_host_alone_has_it),
        cmocka_unit_test(may_be_read_where_it_cannot_be_written),
        cmocka_unit_test(lists_and_deletes),
        cmocka_unit_test(folders_that_others_write_to_are_not_believed),
        cmocka_unit_test(a_pushback_that_waits_is_kept),
        cmocka_unit_test(another_part_leaves_a_pushback_behind),
        cmocka_unit_test(no_death_turns_the_clock_back),
        cmocka_unit_test(goes_on_where_it_was),
        cmocka_unit_test(what_is_over_takes_grades_alone),
        cmocka_unit_test(what_is_handed_out_costs_nothing),
        cmocka_unit_test(every_key_is_a_change),
        cmocka_unit_test(a_plan_serves_another_candidate),
    };
    return cmocka_run_group_tests_name("live", tests, begin_all, interviews_end);
}
