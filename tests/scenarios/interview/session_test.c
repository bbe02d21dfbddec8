/* The fold over an interview's events: what is refused changes nothing, a prefix folded at once is
 * what came one by one, bodies survive JSON, time counts while a part runs, and what is taken back
 * is as if it had not been. */
#include "scenarios/interview/session.h"

#include "kernels/wire/text.h"
#include "scenarios/interview/session_mend.h"
#include "tests/unit.h"

enum { SEQUENCES = 150, LENGTH = 160 };

static uint64_t random_state;

static unsigned below(unsigned n)
{
    uint64_t x = random_state += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return (unsigned)((x ^ (x >> 31)) % n);
}

static struct session_plan sample_plan(void)
{
    struct session_plan p = {.title = "Kernel diagnosis, one hour",
                             .candidate = "C-07",
                             .level = 1,
                             .seed = UINT64_MAX,
                             .tier = "recorded",
                             .withhold = true,
                             .n_parts = 3};
    p.parts[0] = (struct session_part){.kind = PART_TALK,
                                       .minutes = 5,
                                       .title = "How you work",
                                       .ask = "Tell me"};
    p.parts[1] = (struct session_part){.kind = PART_SCENARIO,
                                       .minutes = 25,
                                       .title = "A copy",
                                       .id = "pack/story/a"};
    p.parts[2] = (struct session_part){.kind = PART_DRILLS,
                                       .minutes = 10,
                                       .title = "Numbers",
                                       .drills = {"memory/bytes"},
                                       .n_drills = 1};
    session_rubric_builtin(&p);
    return p;
}

/* ---- the whole state as text ---- */

static void put_part(FILE *f, const struct session_state *p)
{
    fprintf(f, "part %s %d %d %d %d ", p->attempt, p->begun, p->finished, p->revealed, p->queued);
    fprintf(f, "%lld talk %s\n", (long long)p->spent_ms, p->talk ? p->talk : "-");
    for (int i = 0; i < p->n_withheld; i++)
        fprintf(f, " withheld %s\n", p->withheld[i]);
    for (int i = 0; i < p->n_handed; i++)
        fprintf(f, " handed %s\n", p->handed[i]);
    for (int i = 0; i < p->n_lines; i++)
        fprintf(f, " line %d %s %d %lld %s\n", p->lines[i].kind, p->lines[i].uid,
                p->lines[i].number, (long long)p->lines[i].elapsed_ms, p->lines[i].text);
    for (int i = 0; i < p->n_drills; i++)
        fprintf(f, " drill %s %llu %d %s %s %g\n", p->drills[i].drill,
                (unsigned long long)p->drills[i].seed, p->drills[i].answered,
                p->drills[i].answer ? p->drills[i].answer : "-", p->drills[i].how,
                p->drills[i].points);
    fprintf(f, " mending %d\n", p->mending);
    for (int i = 0; i < p->n_tries; i++) {
        const struct mend_verdict *v = p->tries[i].verdict;
        fprintf(f, " try %lld %s %s %s\n", (long long)p->tries[i].elapsed_ms, p->tries[i].text,
                v ? mend_is_word(v->is) : "-", v ? v->why : "");
    }
}

static char *digest(const struct session *s)
{
    char *text = NULL;
    size_t n = 0;
    FILE *f = open_memstream(&text, &n);
    json_t *plan = session_plan_encode(&s->plan);
    char *plan_text = json_dumps(plan, JSON_SORT_KEYS);
    fprintf(f, "%s\n%d %d %lld %lld %lld %lld %d %s %s %s %lld %lld %d\n", plan_text, s->phase,
            s->part, (long long)s->began_ms, (long long)s->last_ms, (long long)s->elapsed_ms,
            (long long)s->quiet_until_ms, s->released, s->code_id, s->secret_sha256,
            s->observer_sha256, (long long)s->expires_ms, (long long)s->seq, s->events);
    for (int i = 0; i < s->plan.n_parts; i++)
        put_part(f, &s->parts[i]);
    for (int i = 0; i < s->n_grades; i++)
        fprintf(f, "grade %s %d %d\n", s->signal[i], s->grade[i], s->knowing[i]);
    for (int i = 0; i < s->n_notes; i++)
        fprintf(f, "note %s %d %lld %s\n", s->notes[i].uid, s->notes[i].share,
                (long long)s->notes[i].elapsed_ms, s->notes[i].text);
    for (int i = 0; i < s->n_parties; i++)
        fprintf(f, "party %s %s %s %d %lld\n", s->parties[i].uid, s->parties[i].role,
                s->parties[i].name, s->parties[i].here, (long long)s->parties[i].seen_ms);
    for (int i = 0; i < s->events; i++)
        fprintf(f, "event %s %lld %d %d %d\n", s->log[i]->uid, (long long)s->log[i]->elapsed_ms,
                s->log[i]->in_part, s->log[i]->runs, s->log[i]->undone);
    fclose(f);
    free(plan_text);
    json_decref(plan);
    return text;
}

static void same(const struct session *a, const struct session *b)
{
    char *x = digest(a), *y = digest(b);
    assert_string_equal(x, y);
    free(x);
    free(y);
}

/* ---- events ---- */

static int64_t now;
static int64_t seq;

static struct session_event event(enum session_kind k)
{
    struct session_event e = {.kind = k, .at_ms = now, .seq = ++seq, .part = -1, .in_part = -1};
    snprintf(e.uid, sizeof e.uid, "%032llx", (unsigned long long)seq);
    return e;
}

static json_t *sample_invitation(void)
{
    char hash[65];
    memset(hash, 'a', 64);
    hash[64] = '\0';
    return json_pack("{s:s, s:s, s:s, s:I}", "id", "k7q", "candidate", hash, "observer", hash,
                     "expires_ms", (json_int_t)123456789);
}

static json_t *sample_verdict(enum mend_is is)
{
    struct mend_verdict v = {.is = is, .checks = 10, .why = "a \xe2\x86\x92 b", .gpu = "Fake GPU"};
    v.time[MEND_MINE] = (struct mend_time){true, 2e-6, 1.9e-6, 2.1e-6};
    return mend_encode(&v);
}

/* Something of that kind that may fit or not. */
static struct session_event some(enum session_kind k, const struct session *s)
{
    static const char *const names[] = {"timing",       "memory",  "stalls",  "space", "numbers",
                                        "memory/bytes", "party-1", "party-2", ""};
    struct session_event e = event(k);
    snprintf(e.name, sizeof e.name, "%s", names[below(9)]);
    if (k == SESSION_RATED && below(4))
        snprintf(e.name, sizeof e.name, "%s", names[3 + below(2)]);
    if (k == SESSION_UNDONE && s->events > 0 && below(4))
        snprintf(e.name, sizeof e.name, "%s",
                 below(2) ? session_undoable(s) : s->log[below((unsigned)s->events)]->uid);
    snprintf(e.role, sizeof e.role, "%s",
             k == SESSION_ANSWERED ? "right"
             : below(2)            ? "candidate"
                                   : "observer");
    snprintf(e.who, sizeof e.who, "Ann\xc3\xa9");
    snprintf(e.wall, sizeof e.wall, "confined");
    e.part = below(3) ? (s->part >= 0 ? s->part : 0) : (int)below(5) - 1;
    e.number = (int)below(6);
    e.flag = below(2);
    e.seed = ((uint64_t)below(UINT32_MAX) << 32) | below(UINT32_MAX);
    e.points = below(5) / 4.0;
    if (k == SESSION_PLANNED) {
        struct session_plan p = sample_plan();
        p.n_signals -= (int)below(3);
        p.n_parts = below(8) ? 3 : 0;
        e.plan = session_plan_encode(&p);
    }
    if (k == SESSION_INVITED)
        e.invitation = sample_invitation();
    if (k == SESSION_JUDGED) {
        int part, number;
        e.number++;
        e.verdict = sample_verdict(below(3) ? MEND_RIGHT : MEND_REFUSED);
        if (below(4) && session_try_open(s, &part, &number))
            e.part = part, e.number = number;
    }
    if (k == SESSION_MENDING)
        e.flag = !below(4);
    if (k == SESSION_TRIED && session_mending(s) >= 0)
        e.part = session_mending(s);
    if (k == SESSION_HELPED && session_mending(s) >= 0 && below(4)) {
        e.part = session_mending(s);
        e.number = s->parts[e.part].helped + 1;
    }
    bool texts = k == SESSION_LEFT || k == SESSION_HINTED || k == SESSION_SAID ||
                 k == SESSION_INJECTED || k == SESSION_ANSWERED || k == SESSION_NOTED ||
                 k == SESSION_SPOKE || k == SESSION_TRIED;
    if (texts && below(8))
        e.text = text_format("text %u \xe2\x86\x92 \"quoted\"", below(1000));
    if (k == SESSION_ANSWERED && below(8))
        e.answer = text_format("%u us", below(1000));
    return e;
}

static void survives_json(const struct session_event *e)
{
    struct err err = {0};
    struct session_event back;
    json_t *body = session_event_encode(e);
    char *text = json_dumps(body, JSON_SORT_KEYS | JSON_REAL_PRECISION(17));
    json_t *again = json_loads(text, 0, NULL);
    if (session_event_decode(&back, session_kind_name(e->kind), again, &err))
        fail_msg("%s", err.text);
    json_t *second = session_event_encode(&back);
    assert_true(json_equal(body, second));
    session_event_free(&back);
    json_decref(second);
    json_decref(again);
    json_decref(body);
    free(text);
}

/* ---- properties ---- */

static void fold_again(const struct session *s)
{
    struct session *other = session_new();
    struct err err = {0};
    for (int i = 0; i < s->events; i++) {
        struct session_event e = *s->log[i];
        e.undone = false;
        if (session_apply(other, &e, &err))
            fail_msg("event %d of a log that was accepted: %s", i, err.text);
    }
    same(s, other);
    session_free(other);
}

static void any_sequence(void **state)
{
    int accepted[SESSION_KINDS] = {0}, refused[SESSION_KINDS] = {0};
    for (int q = 0; q < SEQUENCES; q++) {
        random_state = (uint64_t)q;
        seq = 0;
        now = 1000000;
        struct session *s = session_new();
        for (int i = 0; i < LENGTH; i++) {
            enum session_kind k =
                i == 0 && q % 8 ? SESSION_PLANNED : (enum session_kind)below(SESSION_KINDS);
            if (k == SESSION_CLOSED && below(6))
                k = SESSION_BEGAN;
            now += (int64_t)below(9000) - 1000;      /* clocks go back, too */
            struct session_event e = some(k, s);
            struct err err = {0};
            char *before = digest(s);
            int would = session_check(s, &e, &err), rc = session_apply(s, &e, &err);
            assert_int_equal(would, rc);
            if (rc) {
                char *after = digest(s);
                assert_string_equal(before, after);
                assert_true(err.text[0]);
                free(after);
                refused[k]++;
            } else {
                survives_json(&e);
                assert_int_equal(session_apply(s, &e, &err), 1);
                accepted[k]++;
            }
            free(before);
            session_event_free(&e);
        }
        fold_again(s);
        session_free(s);
    }
    for (int k = 0; k < SESSION_KINDS; k++)
        if (!accepted[k])
            fail_msg("no event '%s' was ever accepted: the test shows nothing of it",
                     session_kind_name((enum session_kind)k));
    for (int k = SESSION_PLANNED; k < SESSION_KINDS; k++)
        if (!refused[k] && k != SESSION_OPENED)
            fail_msg("no event '%s' was ever refused", session_kind_name((enum session_kind)k));
}

static void apply(struct session *s, struct session_event e)
{
    struct err err = {0};
    if (session_apply(s, &e, &err))
        fail_msg("%s: %s", session_kind_name(e.kind), err.text);
    session_event_free(&e);
}

static struct session *begun(int part)
{
    struct session *s = session_new();
    struct session_plan p = sample_plan();
    now = 1000000, seq = 0;
    struct session_event e = event(SESSION_PLANNED);
    e.plan = session_plan_encode(&p);
    apply(s, e);
    e = event(SESSION_BEGAN);
    e.part = part;
    apply(s, e);
    return s;
}

static void after(struct session *s, int64_t ms, enum session_kind k)
{
    now += ms;
    struct session_event e = event(k);
    e.part = s->part;
    apply(s, e);
}

static void the_clock_counts_what_runs(void **state)
{
    struct session *s = begun(1);
    after(s, 10000, SESSION_TICKED);
    assert_int_equal(session_part_ms(s, now), 10000);
    assert_int_equal(session_part_ms(s, now + 500), 10500);
    after(s, 5000, SESSION_PAUSED);
    assert_int_equal(session_total_ms(s, now + 99000), 15000);
    after(s, 60000, SESSION_RESUMED);
    assert_int_equal(session_total_ms(s, now), 15000);
    after(s, 700000, SESSION_OPENED);            /* the host was away */
    assert_int_equal(session_total_ms(s, now), 15000);
    after(s, 1000, SESSION_TICKED);
    struct session_event e = event(SESSION_TICKED);
    e.flag = true, e.at_ms = now += 3600000;     /* the machine slept */
    apply(s, e);
    after(s, 1000, SESSION_FINISHED);
    assert_int_equal(session_total_ms(s, now + 50000), 17000);
    e = event(SESSION_BEGAN);
    e.part = 2, e.at_ms = now += 30000;
    apply(s, e);
    after(s, 3000, SESSION_TICKED);
    assert_int_equal(session_part_ms(s, now), 3000);
    assert_int_equal(session_total_ms(s, now), 20000);
    assert_int_equal(s->parts[1].spent_ms, 17000);
    session_free(s);
}

static struct session_event lasting(int part, int minutes)
{
    struct session_event e = event(SESSION_EXTENDED);
    e.part = part, e.number = minutes;
    return e;
}

/* ---- mending ---- */

static int apply_mending(struct session *s, enum session_kind k, const char *text, bool over,
                         struct err *err)
{
    struct session_event e = event(k);
    int part, number;
    e.part = 1;
    e.flag = over;
    e.text = text ? text_dup(text) : NULL;
    if (k == SESSION_JUDGED && session_try_open(s, &part, &number))
        e.number = number;
    if (k == SESSION_JUDGED)
        e.verdict = sample_verdict(MEND_RIGHT);
    int rc = session_apply(s, &e, err);
    session_event_free(&e);
    return rc;
}

static void takes(struct session *s, enum session_kind k, const char *text, bool over)
{
    struct err err = {0};
    if (apply_mending(s, k, text, over, &err))
        fail_msg("%s: %s", session_kind_name(k), err.text);
}

static void refuses(struct session *s, enum session_kind k, const char *text, const char *say)
{
    struct err err = {0};
    char *before = digest(s);
    assert_true(apply_mending(s, k, text, false, &err) < 0);
    if (!strstr(err.text, say))
        fail_msg("%s", err.text);
    char *after = digest(s);
    assert_string_equal(before, after);
    free(before);
    free(after);
}

static struct session *revealed(void)
{
    struct session *s = begun(1);
    struct session_event e = event(SESSION_ATTEMPTED);
    e.part = 1;
    snprintf(e.name, sizeof e.name, "attempt");
    apply(s, e);
    after(s, 1000, SESSION_REVEALED);
    return s;
}

static int apply_help(struct session *s, int step, struct err *err)
{
    struct session_event e = event(SESSION_HELPED);
    e.part = 1;
    e.number = step;
    return session_apply(s, &e, err);
}

static void help_comes_step_by_step(void **state)
{
    struct session *s = revealed();
    struct err err = {0};
    takes(s, SESSION_MENDING, NULL, false);
    assert_int_not_equal(apply_help(s, 2, &err), 0);
    assert_non_null(strstr(err.text, "step 2 of help comes behind 0 steps"));
    for (int step = 1; step <= SESSION_STEPS; step++)
        assert_int_equal(apply_help(s, step, &err), 0);
    assert_int_not_equal(apply_help(s, SESSION_STEPS + 1, &err), 0);
    assert_int_equal(session_fix_score(&s->parts[1]).hints, SESSION_STEPS);
    fold_again(s);
    session_free(s);
}

static void a_fix_is_asked_for_and_tried_in_turn(void **state)
{
    struct session *s = begun(1);
    refuses(s, SESSION_MENDING, NULL, "not shown yet");
    session_free(s);
    s = revealed();
    refuses(s, SESSION_TRIED, "x", "not asked for");
    refuses(s, SESSION_JUDGED, NULL, "waits for no verdict");
    takes(s, SESSION_MENDING, NULL, false);
    refuses(s, SESSION_MENDING, NULL, "asked for already");
    refuses(s, SESSION_TRIED, NULL, "no text");
    takes(s, SESSION_TRIED, "one", false);
    refuses(s, SESSION_TRIED, "two", "try 1 is being judged");
    takes(s, SESSION_JUDGED, NULL, false);
    refuses(s, SESSION_JUDGED, NULL, "waits for no verdict");
    assert_int_equal(s->parts[1].tries[0].verdict->is, MEND_RIGHT);
    assert_true(s->parts[1].tries[0].verdict->time[MEND_MINE].value == 2e-6);
    takes(s, SESSION_MENDING, NULL, true);
    refuses(s, SESSION_TRIED, "two", "not asked for");
    takes(s, SESSION_MENDING, NULL, false);
    for (int i = 1; i < SESSION_TRIES; i++) {
        takes(s, SESSION_TRIED, "again", false);
        takes(s, SESSION_JUDGED, NULL, false);
    }
    refuses(s, SESSION_TRIED, "one more", "20 tries were handed in");
    fold_again(s);
    takes(s, SESSION_MENDING, NULL, true);
    refuses(s, SESSION_HELPED, NULL, "not asked for");
    struct mend_score score = session_fix_score(&s->parts[1]);
    assert_int_equal(score.tries, SESSION_TRIES);
    assert_int_equal(score.right, SESSION_TRIES);
    session_free(s);
}

static void what_was_handed_in_is_judged_after_the_end(void **state)
{
    struct session *s = revealed();
    takes(s, SESSION_MENDING, NULL, false);
    takes(s, SESSION_TRIED, "one", false);
    after(s, 1000, SESSION_CLOSED);
    assert_int_equal(session_mending(s), -1);
    takes(s, SESSION_JUDGED, NULL, false);
    refuses(s, SESSION_TRIED, "two", "is over");
    session_free(s);
    s = revealed();
    takes(s, SESSION_MENDING, NULL, false);
    struct session_event e = event(SESSION_BEGAN);
    e.part = 2;
    apply(s, e);
    assert_int_equal(session_mending(s), -1);    /* another part ends it */
    session_free(s);
}

static void not_decoded(const char *kind, json_t *body, const char *say)
{
    struct session_event e;
    struct err err = {0};
    assert_true(session_event_decode(&e, kind, body, &err) != 0);
    if (!strstr(err.text, say))
        fail_msg("%s: %s", kind, err.text);
    json_decref(body);
}

static void bad_tries_are_refused_and_verdicts_are_cleaned(void **state)
{
    char *huge = mem_new(SESSION_TRY + 2, 1);
    struct session_event e;
    struct err err = {0};
    memset(huge, 'x', SESSION_TRY + 1);
    not_decoded("tried", json_pack("{s:i, s:s}", "part", 1, "text", huge), "longer than 16384");
    huge[SESSION_TRY] = '\0';
    json_t *fits = json_pack("{s:i, s:s}", "part", 1, "text", huge);
    assert_int_equal(session_event_decode(&e, "tried", fits, &err), 0);
    session_event_free(&e);
    json_decref(fits);
    free(huge);
    not_decoded("tried", json_pack("{s:i, s:s}", "part", 1, "text", "a\x1b[2Jb"), "control");
    not_decoded("tried", json_pack("{s:i, s:s, s:i}", "part", 1, "text", "a", "more", 1), "more");
    not_decoded("tried", json_pack("{s:i, s:s}", "part", 99, "text", "a"), "part");
    not_decoded("mending", json_pack("{s:i}", "part", 1), "over");
    not_decoded("judged", json_pack("{s:i, s:i, s:{}}", "part", 1, "try", 1, "verdict"),
                "neither right nor why not");
    not_decoded("judged", json_pack("{s:i, s:i, s:s}", "part", 1, "try", 1, "verdict", "right"),
                "verdict");
    not_decoded("judged", json_pack("{s:i, s:i, s:o}", "part", 1, "try", 21, "verdict",
                                    sample_verdict(MEND_RIGHT)),
                "try");
    json_t *odd = json_pack("{s:i, s:i, s:{s:s, s:s, s:s}}", "part", 1, "try", 1, "verdict",
                            "verdict", "refused", "why", "mine.cu(3): \x1b[31merror", "gpu", "");
    assert_int_equal(session_event_decode(&e, "judged", odd, &err), 0);
    assert_string_equal(json_string_value(json_object_get(e.verdict, "why")),
                        "mine.cu(3): ?[31merror");
    session_event_free(&e);
    json_decref(odd);
}

static void parts_to_come_get_other_minutes(void **state)
{
    struct session *s = begun(1);
    struct err err = {0};
    apply(s, lasting(-1, 20));                   /* the one that runs */
    apply(s, lasting(2, 15));
    assert_int_equal(s->plan.parts[1].minutes, 20);
    assert_int_equal(s->plan.parts[2].minutes, 15);
    after(s, 1000, SESSION_FINISHED);
    apply(s, lasting(2, 5));                     /* nothing runs now */
    assert_int_equal(s->plan.parts[2].minutes, 5);
    struct session_event e = lasting(1, 30);
    assert_true(session_apply(s, &e, &err) < 0); /* it is done */
    assert_non_null(strstr(err.text, "part 2 is done"));
    e = lasting(3, 30);
    assert_true(session_apply(s, &e, &err) < 0);
    e = lasting(-1, 30);
    assert_true(session_apply(s, &e, &err) < 0);
    struct session *again = session_until(s, s->events);
    assert_int_equal(again->plan.parts[2].minutes, 5);
    session_free(again);
    session_free(s);
}

static void quiet_time_waits_while_the_clock_stands(void **state)
{
    struct session *s = begun(1);
    struct session_event e = event(SESSION_QUIET);
    e.number = 180;
    apply(s, e);
    int64_t ends = now + 180000;
    assert_int_equal(s->quiet_until_ms, ends);
    after(s, 10000, SESSION_PAUSED);
    after(s, 60000, SESSION_RESUMED);
    assert_int_equal(s->quiet_until_ms, ends + 60000);
    after(s, 400000, SESSION_OPENED);
    assert_int_equal(s->quiet_until_ms, ends + 460000);
    after(s, 170000, SESSION_TICKED);
    assert_int_equal(s->quiet_until_ms, 0);
    e = event(SESSION_QUIET);
    e.number = 60;
    apply(s, e);
    after(s, 1000, SESSION_FINISHED);
    assert_int_equal(s->quiet_until_ms, 0);
    session_free(s);
}

static void what_is_taken_back_was_never_there(void **state)
{
    struct session *s = begun(1);
    for (int grade = 2; grade <= 3; grade++) {
        struct session_event e = event(SESSION_RATED);
        strcpy(e.name, "space");
        e.number = grade;
        apply(s, e);
    }
    struct session_event hint = event(SESSION_HINTED);
    hint.text = text_dup("What does one warp touch?");
    apply(s, hint);
    assert_int_equal(session_grade(s, "space"), 3);
    char uid[33];
    for (int left = 2; left >= 0; left--) {      /* the hint, then both grades */
        snprintf(uid, sizeof uid, "%s", session_undoable(s));
        assert_string_not_equal(uid, "");
        now += 1000;
        struct session_event e = event(SESSION_UNDONE);
        snprintf(e.name, sizeof e.name, "%s", uid);
        apply(s, e);
        assert_int_equal(session_grade(s, "space"), left == 2 ? 3 : left == 1 ? 2 : 0);
        assert_int_equal(s->parts[1].n_lines, 0);
    }
    assert_string_equal(session_undoable(s), "");
    assert_int_equal(session_total_ms(s, now), 3000);
    struct session_event twice = event(SESSION_UNDONE);
    struct err err = {0};
    snprintf(twice.name, sizeof twice.name, "%s", uid);
    assert_int_not_equal(session_apply(s, &twice, &err), 0);
    assert_non_null(strstr(err.text, "taken back already"));
    fold_again(s);
    session_free(s);
}

static void bodies_are_read_strictly(void **state)
{
    static const char *const bad[][3] = {
        {"nothing", "{}", "no event"},
        {"began", "{}", "missing"},
        {"began", "{\"part\":12}", "outside"},
        {"began", "{\"part\":0,\"x\":1}", "unknown key"},
        {"joined", "{\"party\":\"\",\"role\":\"observer\",\"name\":\"\",\"wall\":\"\"}", "empty"},
        {"joined", "{\"party\":\"a\",\"role\":\"host\",\"name\":\"\",\"wall\":\"\"}",
         "known: candidate"},
        {"rated", "{\"signal\":\"space\",\"grade\":5}", "outside"},
        {"noted", "{\"text\":7,\"share\":true}", "string"},
        {"drilled", "{\"drill\":\"a/b\",\"seed\":\"-1\"}", "whole number"},
        {"planned", "{\"plan\":7}", "object"},
        {"paused", "[]", "object"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct session_event e;
        struct err err = {0};
        json_t *body = json_loads(bad[i][1], 0, NULL);
        assert_int_not_equal(session_event_decode(&e, bad[i][0], body, &err), 0);
        if (!strstr(err.text, bad[i][2]))
            fail_msg("%s %s: %s", bad[i][0], bad[i][1], err.text);
        json_decref(body);
    }
    char *long_text = mem_new(SESSION_TEXT + 2, 1);
    memset(long_text, 'x', SESSION_TEXT + 1);
    json_t *body = json_pack("{s:s, s:b}", "text", long_text, "share", 0);
    struct session_event e;
    assert_int_equal(session_event_decode(&e, "noted", body, NULL), ERR_TOO_LARGE);
    json_decref(body);
    free(long_text);
}

/* The candidate's screen is told nothing of what is the interviewer's. */
static void audiences_are_apart(void **state)
{
    static const enum session_kind hosts[] = {SESSION_PLANNED, SESSION_INVITED, SESSION_OPENED,
                                              SESSION_SAID,    SESSION_RATED,   SESSION_NOTED};
    for (size_t i = 0; i < sizeof hosts / sizeof *hosts; i++)
        assert_string_equal(session_audience(hosts[i]), "host");
    assert_string_equal(session_audience(SESSION_HINTED), "all");
    assert_string_equal(session_audience(SESSION_INJECTED), "all");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_sequence),
        cmocka_unit_test(a_fix_is_asked_for_and_tried_in_turn),
        cmocka_unit_test(help_comes_step_by_step),
        cmocka_unit_test(what_was_handed_in_is_judged_after_the_end),
        cmocka_unit_test(bad_tries_are_refused_and_verdicts_are_cleaned),
        cmocka_unit_test(the_clock_counts_what_runs),
        cmocka_unit_test(parts_to_come_get_other_minutes),
        cmocka_unit_test(quiet_time_waits_while_the_clock_stands),
        cmocka_unit_test(what_is_taken_back_was_never_there),
        cmocka_unit_test(bodies_are_read_strictly),
        cmocka_unit_test(audiences_are_apart),
    };
    return cmocka_run_group_tests_name("session", tests, NULL, NULL);
}
