/* The queue: nothing is lost, nothing due is hidden without its reason, caps, order, and the
 * interview date. */
#include "drills/memory/queue.h"

#include "drills/memory/review.h"
#include "drills/progress/queue_load.h"
#include "tests/db/sample.h"
#include "tests/unit.h"

enum { TODAY = 20000, MOST = 600 };
#define NOON ((int64_t)TODAY * 86400000 + 43200000)

static uint64_t seed;
static unsigned draw(unsigned below)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % below;
}

static struct queue_item items[MOST];

/* A collection as it may be: new, learning, due, waiting, seen today, slips, absent. */
static void any_items(int n)
{
    static const char *const topics[] = {"memory", "inference", "formats", "cost", "roofline"};
    for (int i = 0; i < n; i++) {
        struct queue_item *it = &items[i];
        *it = (struct queue_item){.topic = topics[draw(5)],
                                  .kind = (enum queue_kind)draw(2),
                                  .level = 1 + (int)draw(5),
                                  .seconds = 30};
        snprintf(it->id, sizeof it->id, "%s:x/%d", it->kind == QUEUE_CARD ? "card" : "drill", i);
        it->absent = draw(30) == 0 ? "its content is gone" : NULL;
        if (draw(3) == 0)
            continue;
        struct store_memory *m = &it->memory;
        m->phase = 1 + (int)draw(3);
        m->stability = 0.5 + draw(400) / 4.0;
        m->difficulty = 1 + draw(90) / 10.0;
        m->reviews = 1 + (int)draw(9);
        m->seen_day = TODAY - (int)draw(60);
        m->first_day = m->seen_day - (int)draw(100);
        m->slip = draw(6) == 0;
        m->due_day = m->seen_day + 1 + (int)draw(80);
        if (m->phase != FSRS_REVIEW) {
            m->due_day = m->seen_day;
            m->due_ms =
                NOON + ((int)draw(20) - 10) * 60000LL - (int64_t)(TODAY - m->seen_day) * 86400000;
        }
    }
}

static struct queue_settings any_settings(void)
{
    struct queue_settings s = queue_default;
    s.today = TODAY;
    s.now_ms = NOON;
    s.interview = draw(2) ? TODAY - 3 + (int)draw(60) : 0;
    s.most_reviews = 1 + (int)draw(300);
    s.new_cards = (int)draw(20);
    s.new_drills = (int)draw(10);
    return s;
}

static bool is_learning(const struct store_memory *m)
{
    return m->due_ms != 0;
}

static void check_entry(const struct queue *q, int at, const struct queue_settings *s, int n_seen)
{
    const struct queue_entry *e = &q->entries[at];
    const struct queue_item *it = &items[e->item];
    const struct store_memory *m = &it->memory;
    char why[160] = "";
    queue_why(why, sizeof why, e, items, s);
    assert_true(strlen(why) > 8 && strlen(why) < 100);
    assert_int_equal(e->place == QUEUE_NOW, at < q->n_now);
    assert_int_equal(e->place == QUEUE_ABSENT, it->absent != NULL);
    if (it->absent)
        return;
    if (!m->phase)
        assert_true(e->place == QUEUE_NOW ? e->reason == WHY_NEW || e->reason == WHY_NEW_ASKED
                                          : e->place == QUEUE_UNSEEN);
    else if (is_learning(m))
        assert_int_equal(e->place, m->due_ms <= s->now_ms ? QUEUE_NOW : QUEUE_SOON);
    else if (m->due_day <= s->today && m->seen_day < s->today)
        assert_true(e->place == QUEUE_NOW || (e->place == QUEUE_HELD && e->reason == WHY_CAP));
    if (m->phase && s->interview > s->today && !is_learning(m)) {
        assert_true(e->day < s->interview);
        assert_true(e->day != 0 ||
                    (e->reason == WHY_NOT_AFTER && m->seen_day >= queue_last_days(s, n_seen)));
    }
    if (e->place == QUEUE_WAITING)
        assert_true(e->day == 0 || e->day > s->today);
}

static void test_nothing_is_lost_or_hidden(void **state)
{
    seed = 7;
    for (int round = 0; round < 300; round++) {
        int n = (int)draw(MOST);
        bool seen[MOST] = {false};
        any_items(n);
        struct queue_settings s = any_settings();
        struct queue q;
        queue_build(&q, items, n, &s);
        assert_int_equal(q.n, n);
        int now = 0, held = 0, n_seen = 0;
        for (int i = 0; i < n; i++)
            n_seen += items[i].memory.phase && !items[i].absent;
        for (int i = 0; i < q.n; i++) {
            assert_false(seen[q.entries[i].item]);
            seen[q.entries[i].item] = true;
            assert_true(i == 0 || q.entries[i].place >= q.entries[i - 1].place);
            check_entry(&q, i, &s, n_seen);
        }
        for (int k = 0; k < QUEUE_KINDS; k++) {
            now += q.sum[k].now;
            held += q.sum[k].held;
        }
        assert_int_equal(now, q.n_now);
        int reviews = 0, fresh[QUEUE_KINDS] = {0}, done = 0, done_new[QUEUE_KINDS] = {0};
        for (int i = 0; i < n; i++) {
            const struct store_memory *m = &items[i].memory;
            done += m->phase && m->seen_day == TODAY && m->first_day < TODAY;
            done_new[items[i].kind] += m->phase && m->first_day == TODAY;
        }
        for (int i = 0; i < q.n_now; i++) {
            const struct queue_item *it = &items[q.entries[i].item];
            fresh[it->kind] += it->memory.phase == 0;
            reviews +=
                it->memory.phase && !is_learning(&it->memory) && q.entries[i].reason != WHY_SLIP;
        }
        assert_true(reviews == 0 || reviews + done <= s.most_reviews);
        assert_true(held == 0 || reviews + done >= s.most_reviews);
        assert_true(fresh[QUEUE_CARD] == 0 ||
                    fresh[QUEUE_CARD] + done_new[QUEUE_CARD] <= s.new_cards);
        assert_true(fresh[QUEUE_DRILL] == 0 ||
                    fresh[QUEUE_DRILL] + done_new[QUEUE_DRILL] <= s.new_drills);
        queue_free(&q);
    }
}

static void test_same_day_same_queue(void **state)
{
    seed = 11;
    any_items(MOST);
    struct queue_settings s = any_settings();
    struct queue a, b;
    queue_build(&a, items, MOST, &s);
    queue_build(&b, items, MOST, &s);
    for (int i = 0; i < a.n; i++)
        assert_int_equal(a.entries[i].item, b.entries[i].item);
    queue_free(&a);
    queue_free(&b);
}

static struct queue_item due_item(const char *id, const char *topic, double stability, int days_ago)
{
    struct queue_item it = {.topic = topic, .kind = QUEUE_DRILL, .level = 1, .seconds = 60};
    snprintf(it.id, sizeof it.id, "%s", id);
    it.memory = (struct store_memory){.phase = FSRS_REVIEW,
                                      .stability = stability,
                                      .difficulty = 5,
                                      .reviews = 2,
                                      .first_day = TODAY - 90,
                                      .seen_day = TODAY - days_ago,
                                      .due_day = TODAY - 1};
    return it;
}

/* Answered today and due again within minutes: done, and among now, but one item. The scenario that
 * missed a cause is no answer to it. */
static void test_what_was_done_today(void **state)
{
    struct queue_item list[] = {due_item("drill:again", "memory", 1, 0),
                                due_item("drill:due", "memory", 2, 20),
                                due_item("cause:missed", "memory", 2, 0),
                                due_item("cause:looked-at", "memory", 2, 0)};
    list[0].memory.due_ms = NOON - 60000;
    list[2].kind = list[3].kind = QUEUE_CAUSE;
    list[2].memory.reviews = 1;
    struct queue_settings s = queue_default;
    s.today = TODAY;
    s.now_ms = NOON;
    struct queue q;
    queue_build(&q, list, 4, &s);
    assert_int_equal(q.sum[QUEUE_DRILL].now, 2);
    assert_int_equal(q.sum[QUEUE_DRILL].done, 1);
    assert_int_equal(q.sum[QUEUE_DRILL].again, 1);
    assert_int_equal(q.sum[QUEUE_CAUSE].done, 1);
    assert_int_equal(q.sum[QUEUE_CAUSE].again, 0);
    queue_free(&q);
}

static void test_order(void **state)
{
    struct queue_item list[] = {due_item("drill:firm", "memory", 80, 20),
                                due_item("drill:weak", "memory", 2, 20),
                                due_item("drill:slip", "memory", 50, 20),
                                due_item("drill:step", "memory", 1, 0),
                                due_item("drill:soon", "memory", 1, 0)};
    list[2].memory.slip = true;
    list[3].memory.due_ms = NOON - 60000;
    list[4].memory.due_ms = NOON + 5 * 60000 + 1;
    struct queue_settings s = queue_default;
    s.today = TODAY;
    s.now_ms = NOON;
    struct queue q;
    queue_build(&q, list, 5, &s);
    const int order[] = {2, 3, 1, 0, 4};
    for (int i = 0; i < 5; i++)
        assert_int_equal(q.entries[i].item, order[i]);
    assert_int_equal(q.n_now, 4);
    assert_int_equal(q.sum[QUEUE_DRILL].slips, 1);
    assert_int_equal(q.sum[QUEUE_DRILL].seconds, 240);
    char why[160];
    queue_why(why, sizeof why, &q.entries[0], list, &s);
    assert_string_equal(why, "the last answer was a slip: due yesterday, slips first");
    queue_why(why, sizeof why, &q.entries[2], list, &s);
    assert_string_equal(why, "due yesterday, 69 % likely to be recalled");
    queue_why(why, sizeof why, &q.entries[4], list, &s);
    assert_string_equal(why, "still being learned: again in 6 min");
    queue_free(&q);
}

static void test_topics_take_turns(void **state)
{
    struct queue_item list[30];
    for (int i = 0; i < 30; i++) {
        char id[32];
        snprintf(id, sizeof id, "drill:x/%d", i);
        /* by recall alone, ten of one topic would follow each other */
        list[i] = due_item(id, i % 10 < 5 ? "memory" : "cost", 10 + i, 20);
    }
    struct queue_settings s = queue_default;
    s.today = TODAY;
    struct queue q;
    queue_build(&q, list, 30, &s);
    int same = 0;
    for (int i = 1; i < q.n_now; i++)
        same += list[q.entries[i].item].topic == list[q.entries[i - 1].item].topic;
    assert_int_equal(q.n_now, 30);
    assert_true(same <= 1);
    queue_free(&q);
}

static void fill_new(const char *const *topics, int n_topics, int n)
{
    for (int i = 0; i < n; i++) {
        items[i] = (struct queue_item){.topic = topics[i % n_topics],
                                       .kind = QUEUE_CARD,
                                       .level = 1 + i / (n / 3 + 1),
                                       .seconds = 15};
        snprintf(items[i].id, sizeof items[i].id, "card:x/%d", i);
    }
}

static int count_topic(const struct queue *q, const char *topic)
{
    int n = 0;
    for (int i = 0; i < q->n_now; i++)
        n += !strcmp(items[q->entries[i].item].topic, topic);
    return n;
}

static void test_new_ones(void **state)
{
    static const char *const topics[] = {"memory", "cost", "inference"};
    fill_new(topics, 3, 300);
    struct queue_settings s = queue_default;
    s.today = TODAY;
    struct queue q;
    queue_build(&q, items, 300, &s);
    assert_int_equal(q.n_now, 15);
    assert_int_equal(q.sum[QUEUE_CARD].fresh, 15);
    for (int i = 0; i < 15; i++)
        assert_int_equal(items[q.entries[i].item].level, 1);
    for (int t = 0; t < 3; t++)
        assert_int_equal(count_topic(&q, topics[t]), 5);
    queue_free(&q);

    s.interview =
        TODAY + 7; /* five days of 15 for 300: what is asked most goes first, three to one */
    queue_build(&q, items, 300, &s);
    assert_int_equal(q.n_now, 15);
    assert_int_equal(q.entries[0].reason, WHY_NEW_ASKED);
    assert_in_range(count_topic(&q, "cost"), 2, 3);
    queue_free(&q);

    s.interview = TODAY + 2;
    queue_build(&q, items, 300, &s);
    assert_int_equal(q.n_now, 0);
    assert_int_equal(q.entries[0].reason, WHY_NEW_TOO_LATE);
    queue_free(&q);
}

/* ---- the interview ---- */

static void answer(struct queue_item *it, int day, enum fsrs_grade grade)
{
    struct store_memory *m = &it->memory;
    struct fsrs f = review_memory(m);
    struct fsrs_due due = fsrs_review(&f, grade, m->phase ? day - m->seen_day : 0, &fsrs_default);
    m->first_day = m->phase ? m->first_day : day;
    m->phase = f.phase;
    m->step = f.step;
    m->stability = f.stability;
    m->difficulty = f.difficulty;
    m->reviews = f.reviews;
    m->lapses = f.lapses;
    m->seen_day = day;
    m->due_day = day + due.days;
    m->due_ms = due.minutes ? 1 : 0; /* at once */
}

/* Works the whole list off, again and again, as long as it has something. Returns how many were
 * answered. */
static int study(int n, struct queue_settings *s)
{
    struct queue q;
    int answered = 0, now;
    do {
        queue_build(&q, items, n, s);
        now = q.n_now;
        for (int i = 0; i < now; i++)
            answer(&items[q.entries[i].item], s->today,
                   draw(8) == 0 ? FSRS_AGAIN
                   : draw(4)    ? FSRS_GOOD
                                : FSRS_HARD);
        answered += now;
        queue_free(&q);
    } while (now > 0);
    return answered;
}

static void live_until_the_interview(int n, int days, int most_reviews)
{
    static const char *const topics[] = {"memory", "cost", "inference", "training"};
    fill_new(topics, 4, n);
    struct queue_settings s = queue_default;
    s.interview = TODAY + days;
    s.most_reviews = most_reviews;
    s.now_ms = NOON;
    for (s.today = TODAY; s.today < s.interview; s.today++)
        study(n, &s);
    int seen = 0, last_first;
    for (int i = 0; i < n; i++)
        seen += items[i].memory.phase != 0;
    last_first = queue_last_days(&s, seen);
    assert_true(seen > 0);
    for (int i = 0; i < n; i++) {
        const struct store_memory *m = &items[i].memory;
        if (!m->phase)
            continue;
        if (m->seen_day < last_first)
            fail_msg("%s was last seen %d days before the interview", items[i].id,
                     s.interview - m->seen_day);
        assert_true(m->first_day < s.interview - 2);
    }
}

static void test_everything_is_seen_once_more(void **state)
{
    seed = 3;
    live_until_the_interview(300, 40, 200);
    live_until_the_interview(500, 90, 100);
    live_until_the_interview(100, 12, 200);
    live_until_the_interview(60, 5, 200);
}

static void test_long_intervals_are_capped(void **state)
{
    struct queue_item it = due_item("drill:firm", "memory", 4000, 10);
    it.memory.due_day = TODAY + 4000;
    struct queue_settings s = queue_default;
    enum queue_reason why;
    s.today = TODAY;
    assert_int_equal(queue_due_day(&it, &s, 1, &why), TODAY + 4000);
    s.interview = TODAY + 60;
    int due = queue_due_day(&it, &s, 1, &why);
    assert_in_range(due, s.interview - 7, s.interview - 1);
    assert_int_equal(why, WHY_LAST_LOOK);
    s.today = due;
    it.memory.seen_day = due;
    it.memory.due_day = due + 4000;
    assert_int_equal(queue_due_day(&it, &s, 1, &why), 0);
    assert_int_equal(why, WHY_NOT_AFTER);
    s.today = s.interview; /* life goes on */
    assert_int_equal(queue_due_day(&it, &s, 1, &why), due + 4000);
}

/* The nearer the interview, the sooner: never later than the day before said. */
static void test_wanted_recall_rises(void **state)
{
    struct queue_item it = due_item("drill:x", "memory", 30, 0);
    it.memory.due_day = TODAY + 30;
    struct queue_settings s = queue_default;
    s.interview = TODAY + 32;
    int before = TODAY + 30, sooner = 0;
    enum queue_reason why;
    for (s.today = TODAY; s.today < s.interview; s.today++) {
        int due = queue_due_day(&it, &s, 1, &why);
        assert_true(due <= before);
        sooner += due < before;
        before = due;
    }
    assert_true(sooner >= 3);
}

/* What is told to come back on a day is on the list of that day, and of none before. */
static void test_it_comes_back_on_the_day_that_was_told(void **state)
{
    struct queue_item it = due_item("drill:x", "memory", 8, 0);
    struct queue_settings s = queue_default, then;
    int sooner = 0;
    enum queue_reason why;
    it.memory.due_day = TODAY + 8;
    for (int left = 2; left <= 30; left++) {
        s.today = TODAY;
        s.interview = TODAY + left;
        int told = queue_comes_back(&it, &s, 1);
        then = s;
        for (then.today = TODAY + 1; then.today < told; then.today++)
            assert_true(queue_due_day(&it, &then, 1, &why) > then.today);
        if (told)
            assert_true(queue_due_day(&it, &then, 1, &why) <= told);
        sooner += told && told < queue_due_day(&it, &s, 1, &why);
    }
    assert_true(sooner > 0);
}

static void test_dates(void **state)
{
    assert_int_equal(queue_read_date("1970-01-02"), 1);
    assert_int_equal(queue_read_date("2026-12-01"), 20788);
    assert_int_equal(queue_read_date("2024-02-29"), 19782);
    const char *const bad[] = {"",         "2026-13-01", "2026-02-29", "2026-12-01x",
                               "tomorrow", "2026-12",    "1969-01-01"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        assert_int_equal(queue_read_date(bad[i]), 0);
}

/* ---- from content and store ---- */

static void learn(struct store *s, const char *id)
{
    struct review r = {.self = FSRS_GOOD};
    struct err err = {0};
    char uid[33] = "";
    snprintf(r.item, sizeof r.item, "%s", id);
    if (review_write(s, &r, uid, NOON, 0.9, &err) < 0)
        fail_msg("%s", err.text);
}

static int by_id(const void *a, const void *b)
{
    return strcmp(((const struct queue_item *)a)->id, ((const struct queue_item *)b)->id);
}

static void test_shipped_content_and_memory_meet(void **state)
{
    char *folder = sample_folder(), path[256];
    struct store *s;
    struct library l;
    struct queue_item *all;
    struct err err = {0};
    int n, cards = 0;
    snprintf(path, sizeof path, "%s/progress.db", folder);
    setenv("TZ", "UTC", 1);
    assert_int_equal(store_open(&s, path, 5000), STORE_OK);
    library_open_at(&l, "content");
    for (int i = 0; i < l.n_cards; i++)
        cards += l.cards[i].n;
    assert_true(cards > 0);
    char known[128];
    snprintf(known, sizeof known, "card:%s", l.cards[0].cards[0].full_id);
    learn(s, known);
    learn(s, "card:gone/for-good");
    learn(s, "cause:mem.uncoalesced");
    assert_int_equal(queue_load(&all, &n, &l, s, false, &err), 0);
    assert_int_equal(n, cards + library_drills(&l) + library_figures(&l) + 2);
    assert_non_null(queue_find(all, n, "figure:gpu/banks"));
    const struct queue_item *it = queue_find(all, n, known);
    assert_true(it && it->memory.reviews == 1 && it->memory.seen_day == TODAY && !it->absent);
    it = queue_find(all, n, "cause:mem.uncoalesced");
    assert_true(it && it->kind == QUEUE_CAUSE && !it->absent);
    assert_string_equal(it->topic, "memory");
    it = queue_find(all, n, "card:gone/for-good");
    assert_true(it && it->absent && it->memory.reviews == 1);
    for (int i = 0; i < n; i++) {
        const struct drill *d =
            all[i].kind == QUEUE_DRILL ? library_drill(&l, all[i].id + strlen("drill:")) : NULL;
        assert_true(all[i].topic && all[i].seconds > 0 && all[i].level >= 1);
        assert_true(!d || (d->needs_gpu && !d->trial && !d->needs_links) ==
                              (all[i].absent != NULL)); /* what is measured was recorded, too */
    }
    qsort(all, (size_t)n, sizeof *all, by_id);
    for (int i = 1; i < n; i++)
        assert_string_not_equal(all[i].id, all[i - 1].id);
    free(all);
    library_free(&l);
    store_free(s);
    sample_folder_free(folder);
}

static void test_settings_are_checked(void **state)
{
    char *folder = sample_folder(), path[256];
    struct store *s;
    struct queue_settings got;
    snprintf(path, sizeof path, "%s/progress.db", folder);
    assert_int_equal(store_open(&s, path, 5000), STORE_OK);
    queue_settings_load(&got, s, NOON);
    assert_true(got.interview == 0 && got.new_cards == 15 && got.new_drills == 5 &&
                got.retention == 0.9);
    store_setting_put(s, "interview", "2026-12-01");
    store_setting_put(s, "new-cards", "30");
    store_setting_put(s, "new-drills", "many");
    store_setting_put(s, "retention", "0.2");
    queue_settings_load(&got, s, NOON);
    assert_true(got.interview == 20788 && got.new_cards == 30 && got.new_drills == 5 &&
                got.retention == 0.9);
    queue_settings_load(&got, NULL, NOON);
    assert_int_equal(got.new_cards, 15);
    store_free(s);
    sample_folder_free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_nothing_is_lost_or_hidden),
        cmocka_unit_test(test_same_day_same_queue),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_what_was_done_today),
        cmocka_unit_test(test_topics_take_turns),
        cmocka_unit_test(test_new_ones),
        cmocka_unit_test(test_everything_is_seen_once_more),
        cmocka_unit_test(test_long_intervals_are_capped),
        cmocka_unit_test(test_wanted_recall_rises),
        cmocka_unit_test(test_it_comes_back_on_the_day_that_was_told),
        cmocka_unit_test(test_dates),
        cmocka_unit_test(test_shipped_content_and_memory_meet),
        cmocka_unit_test(test_settings_are_checked),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
