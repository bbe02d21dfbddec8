/* An interview's plan before it begins: what the screen shows at each size, what keys change, and
 * that all of it can be taken back. */
#include "tui/interview/plan_parts.h"

#include <unistd.h>

#include "scenarios/interview/interview.h"
#include "scenarios/interview/interview_life.h"
#include "scenarios/interview/interview_verbs.h"
#include "scenarios/library/sealing.h"
#include "tests/tui/recorded.h"
#include "tests/tui/steps.h"
#include "tests/unit.h"

static char state_home[96];
static struct catalog *catalog;
static struct library library;
static struct plan_stock stock;

static int set_up(void **state)
{
    struct err err;
    if (folder_make("plan") || folder_ship("first-principles hidden-depths inside-the-sm"))
        return -1;
    snprintf(state_home, sizeof state_home, "XDG_STATE_HOME=%s/state", folder);
    setenv("XDG_STATE_HOME", state_home + strlen("XDG_STATE_HOME="), 1);
    setenv("WARPDRILL_CONTENT", "content/packs", 1);
    library_open(&library);
    if (catalog_open(&catalog, NULL, 0, &err))
        return -1;
    stock = (struct plan_stock){ .catalog = catalog, .library = &library };
    return 0;
}

static int tear_down(void **state)
{
    plan_stock_free(&stock);
    library_free(&library);
    catalog_free(catalog);
    return folder_remove(state);
}

static struct session_plan proposed(int level, int minutes, uint64_t seed)
{
    struct session_plan p;
    struct err err = { 0 };
    if (plan_propose(&p, &stock, level, minutes, seed, &err))
        fail_msg("%s", err.text);
    return p;
}

static int first_scenario(const struct session_plan *p)
{
    for (int k = 0; k < p->n_parts; k++)
        if (p->parts[k].kind == PART_SCENARIO)
            return k;
    fail_msg("the plan has no scenario");
    return -1;
}

/* ---- without a screen ---- */

static const struct drill *drill_of(const char *id)
{
    const struct drill *d = library_drill(&library, id);
    if (!d)
        fail_msg("there is no drill %s", id);
    return d;
}

static void drills_are_spread_over_topics_and_near_the_level(void **state)
{
    for (int level = 0; level <= 4; level++)
        for (uint64_t seed = 1; seed <= 5; seed++) {
            char ids[8][96];
            int n = plan_drills(&stock, level, seed, ids, 6);
            assert_int_equal(n, 6);
            for (int i = 0; i < n; i++) {
                const struct drill *d = drill_of(ids[i]);
                assert_in_range(d->level, level > 0 ? level - 1 : 0, level + 1);
                assert_false(d->needs_gpu || d->trial);
                for (int o = 0; o < i; o++)
                    assert_string_not_equal(ids[i], ids[o]);
            }
            assert_string_not_equal(drill_of(ids[0])->topic, drill_of(ids[1])->topic);
        }
}

static void proposals_sum_and_differ_by_seed(void **state)
{
    int differ = 0;
    for (int minutes = 20; minutes <= 180; minutes += 20)
        for (int level = 0; level <= 4; level++) {
            struct session_plan a = proposed(level, minutes, 1), b = proposed(level, minutes, 2);
            assert_int_equal(session_plan_minutes(&a), minutes);
            differ += strcmp(a.parts[first_scenario(&a)].id, b.parts[first_scenario(&b)].id) != 0;
        }
    assert_true(differ > 0);
}

/* One story never stands twice; the ring comes back to where it began. */
static void exchanging_goes_round(void **state)
{
    struct session_plan p = proposed(1, 90, 3);
    int k = first_scenario(&p), steps = 0;
    char began[96];
    snprintf(began, sizeof began, "%s", p.parts[k].id);
    do {
        assert_true(plan_exchange(&p, &stock, k));
        assert_non_null(plan_variant(&stock, &p.parts[k]));
        assert_string_equal(p.parts[k].title, plan_variant(&stock, &p.parts[k])->story->title);
        for (int o = 0; o < p.n_parts; o++) {
            const struct variant *v = o == k ? NULL : plan_variant(&stock, &p.parts[o]);
            assert_true(!v || v->story != plan_variant(&stock, &p.parts[k])->story);
        }
        steps++;
    } while (strcmp(began, p.parts[k].id) != 0 && steps < 1000);
    assert_in_range(steps, 3, 999);
}

static void parts_come_and_go(void **state)
{
    struct session_plan p = proposed(1, 60, 3), before = p;
    assert_true(plan_add(&p, &stock, 1, PART_TALK));
    assert_int_equal(p.n_parts, before.n_parts + 1);
    assert_int_equal(p.parts[2].kind, PART_TALK);
    assert_true(*p.parts[2].ask && *p.parts[2].title);
    assert_true(plan_remove(&p, 2));
    assert_memory_equal(&p.parts[2], &before.parts[2], sizeof p.parts[2]);
    while (plan_add(&p, &stock, p.n_parts - 1, PART_DRILLS))
        assert_true(p.parts[p.n_parts - 1].n_drills > 0);
    assert_int_equal(p.n_parts, SESSION_MAX_PARTS);
    assert_false(plan_remove(&p, SESSION_MAX_PARTS));
    while (p.n_parts > 0)
        assert_true(plan_remove(&p, 0));
}

static void minutes_go_by_five_and_end(void **state)
{
    struct session_plan p = proposed(1, 60, 3);
    p.parts[0].minutes = 5;
    assert_true(plan_minutes_step(&p, 0, 1));
    assert_int_equal(p.parts[0].minutes, 10);
    for (int i = 0; i < 5; i++)
        assert_true(plan_minutes_step(&p, 0, -1));
    assert_int_equal(p.parts[0].minutes, 1);
    assert_false(plan_minutes_step(&p, 0, -1));
    p.parts[0].minutes = 180;
    assert_false(plan_minutes_step(&p, 0, 1));
    p.parts[0].minutes = 17;
    assert_true(plan_minutes_step(&p, 0, 1));
    assert_int_equal(p.parts[0].minutes, 20);
}

static void too_long_a_plan_is_cut(void **state)
{
    struct session_plan p = proposed(1, 60, 3);
    assert_false(plan_fit(&p, 60));
    assert_true(plan_add(&p, &stock, 1, PART_SCENARIO));
    assert_true(plan_fit(&p, 33));
    assert_int_equal(session_plan_minutes(&p), 33);
    assert_false(plan_fit(&p, 33));
    while (p.n_parts < SESSION_MAX_PARTS)
        assert_true(plan_add(&p, &stock, p.n_parts - 1, PART_TALK));
    assert_true(plan_fit(&p, 20));
    assert_int_equal(session_plan_minutes(&p), 20);
    for (int k = 0; k < p.n_parts; k++)
        assert_in_range(p.parts[k].minutes, 1, 20);
}

/* ---- what a candidate was shown ---- */

static void shown_to(const char *candidate, const struct session_plan *plan, int part)
{
    struct session_plan p = *plan;
    struct session_codes codes;
    struct interview *l = NULL;
    struct err err = { 0 };
    snprintf(p.candidate, sizeof p.candidate, "%s", candidate);
    if (interview_create(&l, &codes, &p, 3600000, &err) || interview_begin(l, part, &err))
        fail_msg("%s", err.text);
    interview_free(l);
}

static void what_somebody_was_shown_is_avoided(void **state)
{
    struct session_plan p = proposed(1, 60, 3);
    int k = first_scenario(&p), n = 0;
    shown_to("C-07", &p, k);
    plan_seen_load(&stock, "somebody else");
    assert_int_equal(stock.n_seen, 0);
    plan_seen_load(&stock, "c-07");
    assert_int_equal(stock.n_seen, 1);
    assert_int_equal(plan_was_seen(&stock, p.parts[k].id), SEEN_VARIANT);
    for (uint64_t seed = 1; seed <= 40; seed++) {
        struct session_plan other = proposed(1, 60, seed);
        for (int o = 0; o < other.n_parts; o++)
            n += plan_was_seen(&stock, other.parts[o].id) != SEEN_NEVER;
    }
    assert_int_equal(n, 0);
    plan_seen_load(&stock, "");
}

/* Another variant is the same kernel to read: marked, and proposed last but for the variant itself.
 */
static void a_story_that_was_shown_is_marked(void **state)
{
    struct session_plan p = proposed(1, 60, 3);
    int k = first_scenario(&p), worst = 0;
    const struct story *story = plan_variant(&stock, &p.parts[k])->story;
    shown_to("C-08", &p, k);
    plan_seen_load(&stock, "C-08");
    assert_true(story->n_variants > 1);
    for (int v = 0; v < story->n_variants; v++) {
        const char *id = story->variants[v]->full_id;
        bool same = !strcmp(id, p.parts[k].id);
        assert_int_equal(plan_was_seen(&stock, id), same ? SEEN_VARIANT : SEEN_STORY);
    }
    for (int n = 0; n < 1000; n++) {
        assert_true(plan_exchange(&p, &stock, k));
        int seen = (int)plan_was_seen(&stock, p.parts[k].id);
        if (worst == SEEN_VARIANT)
            break;
        assert_true(seen >= worst);
        worst = seen;
    }
    assert_int_equal(worst, SEEN_VARIANT);
    plan_seen_load(&stock, "");
}

/* ---- the screen ---- */

static struct screen *open_plan(int rows, int columns)
{
    const char *environment[] = { folder_content, state_home, NULL };
    static const char *const arguments[] = { "host", "--seed", "3", "--runner", "exit 3", NULL };
    struct screen_start how = {.rows = rows,
                               .columns = columns,
                               .arguments = arguments,
                               .environment = environment};
    struct screen *s = screen_start(&how);
    screen_expect(s, "INTERVIEW");
    screen_expect(s, "60 min, as planned");
    return s;
}

/* Nothing keeps a plan before it starts. */
static void leave_changed(struct screen *s)
{
    press(s, "q", "q once more leaves it");
    leave(s);
}

static void level_0_is_a_level_and_gpus_have_names(void **state)
{
    static const char *const arguments[] = {"host", "--level",  "0",      "--seed",
                                            "3",    "--runner", "exit 3", NULL};
    const char *environment[] = { folder_content, state_home, NULL };
    struct screen *s = screen_start(&(struct screen_start){.rows = 24,
                                                           .columns = 80,
                                                           .arguments = arguments,
                                                           .environment = environment});
    screen_expect(s, "level         0");
    screen_expect(s, "recorded, on any GPU that a scenario has");
    press(s, "jj+", "recorded on NVIDIA H100 80GB HBM3");
    leave_changed(s);
}

/* Down to the second part, which is a scenario. */
static void to_the_scenario(struct screen *s)
{
    screen_send(s, "jjjjjjj");
    screen_expect(s, ", a ");
}

/* Each page comes, and the last one has the last hint. */
static void turn_the_brief(struct screen *s)
{
    char row[512], page[24];
    int n = 0;
    screen_expect(s, "brief 1 of ");
    screen_row(s, 0, row, sizeof row);
    assert_int_equal(sscanf(strstr(row, "brief 1 of "), "brief 1 of %d", &n), 1);
    assert_in_range(n, 2, 9);
    for (int k = 2; k <= n; k++) {
        screen_send(s, "\t");
        snprintf(page, sizeof page, "brief %d of %d", k, n);
        screen_expect(s, page);
    }
    screen_expect(s, "hint 3");
    screen_send(s, "\t");
    screen_expect(s, "brief 1 of ");
}

static void at_each_size_it_draws_and_the_brief_opens(void **state)
{
    static const int sizes[][2] = { { 30, 100 }, { 24, 80 }, { 20, 60 } };
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        struct screen *s = open_plan(sizes[i][0], sizes[i][1]);
        screen_expect(s, "PARTS");
        screen_expect(s, "built in, 8 signals");
        screen_expect(s, "Enter start");
        to_the_scenario(s);
        screen_send(s, "b");
        screen_expect(s, "TRUTH");
        screen_expect(s, "cheapest");
        turn_the_brief(s);
        screen_send(s, "\033");
        screen_expect(s, "INTERVIEW");
        leave(s);
    }
}

static void changes_are_summed_and_taken_back(void **state)
{
    struct screen *s = open_plan(30, 100);
    to_the_scenario(s);
    screen_send(s, "+");
    screen_expect(s, "65 min: 5 too many");
    screen_send(s, "x");
    screen_expect(s, "too few");
    screen_send(s, "u");
    screen_expect(s, "65 min: 5 too many");
    screen_send(s, "u");
    screen_expect(s, "60 min, as planned");
    screen_send(s, "a");
    screen_expect(s, "80 min: 20 too many");
    screen_send(s, "a");
    screen_expect(s, "70 min: 10 too many");
    screen_send(s, "a");
    screen_expect(s, "65 min: 5 too many");
    screen_send(s, "u");
    screen_expect(s, "60 min, as planned");
    screen_send(s, "u");
    screen_expect(s, "Nothing to take back");
    leave(s);
}

static void a_changed_plan_is_not_lost_by_one_key(void **state)
{
    struct screen *s = open_plan(30, 100);
    press(s, "j-", "55 min, as planned");
    press(s, "\033", "q once more leaves it");
    press(s, "?", "only Enter keeps one");
    press(s, "\033", "INTERVIEW");
    leave_changed(s);
}

static void minutes_make_another_plan(void **state)
{
    struct screen *s = open_plan(24, 80);
    screen_send(s, "j-");
    screen_expect(s, "55 min, as planned");
    screen_send(s, "u");
    screen_expect(s, "60 min, as planned");
    screen_send(s, "jjjjjj+");       /* now a part was changed by hand: the others stay */
    screen_expect(s, "65 min: 5 too many");
    screen_send(s, "kkkkkk+");
    screen_expect(s, "65 min, as planned");
    leave_changed(s);
}

/* "first-principles/row-means/b, a": of the chosen scenario. A picture may be half drawn, so no
 * more of the row is looked at. */
static void chosen_id(struct screen *s, char out[512])
{
    int row = 0, column = 0;
    char line[512];
    screen_expect(s, ", a ");
    assert_true(screen_find(s, ", a ", &row, &column));
    screen_row(s, row, line, sizeof line);
    *strstr(line, ", a ") = '\0';
    snprintf(out, 512, "%s, a ", line + strspn(line, " "));
}

static void tab_exchanges_the_scenario(void **state)
{
    char before[512], after[512];
    struct screen *s = open_plan(30, 100);
    to_the_scenario(s);
    chosen_id(s, before);
    screen_send(s, "\t");
    screen_expect_gone(s, before);
    chosen_id(s, after);
    assert_string_not_equal(before, after);
    screen_send(s, "u");
    screen_expect(s, before);
    leave(s);
}

/* As in the list of scenarios, by what stands there and by the cause. */
static void a_scenario_is_searched_for(void **state)
{
    char before[512];
    struct screen *s = open_plan(24, 80);
    press(s, "/bank conflicts\r", ": bank conflicts.");
    screen_expect(s, "1 of 2");
    chosen_id(s, before);
    press(s, "n", "2 of 2");
    screen_expect_gone(s, before);
    screen_expect(s, ": bank conflicts.");
    press(s, "N", before);
    press(s, "\033", "Enter start");
    press(s, "/\025no such words\r", "not found here");
    press(s, "\033", "Enter start");
    screen_expect(s, before);
    press(s, "u", ": bank conflicts.");
    screen_expect_gone(s, before);
    press(s, "uu", "60 min, as planned");
    leave(s);
}

/* No story stands in a plan twice: what is searched for may stand in another part. */
static void a_scenario_of_another_part_is_found_there(void **state)
{
    char other[512], keys[600];
    struct screen *s = open_plan(24, 80);
    to_the_scenario(s);
    screen_send(s, "jj");
    screen_expect(s, "\u25b8 4 ");
    chosen_id(s, other);
    *strstr(other, ", a ") = '\0';
    snprintf(keys, sizeof keys, "kkkkkkkkk/%s\r", other);
    press(s, keys, "\u25b8 4 ");
    screen_expect(s, "1 here");
    screen_expect(s, other);
    press(s, "\033u", "Nothing to take back");
    leave(s);
}

static void the_seed_is_told(void **state)
{
    struct screen *s = open_plan(24, 80);
    screen_expect(s, "PARTS, seed 3");
    press(s, "s", "PARTS, seed 4");
    press(s, "u", "PARTS, seed 3");
    leave(s);
}

static void a_name_is_typed_and_what_was_shown_is_told(void **state)
{
    struct session_plan p = proposed(1, 60, 3);
    shown_to("C-08", &p, first_scenario(&p));
    struct screen *s = open_plan(24, 80);
    screen_send(s, "jjj\r");
    screen_expect(s, "Enter keep");
    screen_send(s, "C-08\r");
    screen_expect(s, "C-08 was shown 1 scenario before");
    screen_expect_gone(s, p.parts[first_scenario(&p)].id);
    screen_send(s, "jj\r/nowhere/rubric.yaml\r");
    screen_expect(s, "/nowhere/rubric.yaml");
    screen_send(s, "\025~/no-such-rubric.yaml\r");
    screen_expect(s, "cannot read /");   /* home, as a shell reads it */
    screen_send(s, "\033");
    screen_expect(s, "built in, 8 signals");
    leave_changed(s);
}

static void too_long_a_plan_asks_before_it_begins(void **state)
{
    struct screen *s = open_plan(24, 80);
    to_the_scenario(s);
    press(s, "a", "80 min: 20 too many");
    press(s, "\r", "20 min too long for 60. Enter once more begins it so");
    press(s, "f", "60 min, as planned");
    press(s, "u", "80 min: 20 too many");
    press(s, "\r", "20 min too long for 60.");
    screen_expect(s, "INTERVIEW");
    press(s, "\r", "not begun");
    press(s, "Q", "q once more leaves");
    screen_send(s, "Q");
    assert_int_equal(screen_wait_exit(s), 0);
    screen_free(s);
}

static void without_packs_it_says_so_once(void **state)
{
    const char *environment[] = {"WARPDRILL_CONTENT=/nowhere", "XDG_DATA_DIRS=/nowhere", state_home,
                                 NULL};
    const char *arguments[] = { "host", "--runner", "exit 3", NULL };
    struct screen_start how = {.rows = 24,
                               .columns = 80,
                               .arguments = arguments,
                               .environment = environment};
    struct screen *s = screen_start(&how);
    char row[512];
    int times = 0;
    screen_expect(s, "Esc back");
    for (int y = 0; y < 24; y++) {
        screen_row(s, y, row, sizeof row);
        times += strstr(row, "there is no pack") != NULL || strstr(row, "no scenario that") != NULL;
    }
    assert_int_equal(times, 1);
    leave(s);
}

/* ---- a sealed pack ---- */

static const char *seal_one(void)
{
    static char path[128];
    char clear[128];
    struct pack *p;
    struct err err;
    struct secret *secret = secret_new();
    recorded_packs();
    snprintf(clear, sizeof clear, "%s/packs/first-principles", folder);
    snprintf(path, sizeof path, "%s/sealed", folder);
    secret->len = (size_t)snprintf(secret->text, sizeof secret->text, "correct horse");
    if (pack_open(&p, clear, &err) ||
        sealing_write(p, path, secret, (struct sealing_cost){1, 8192}, &err))
        fail_msg("%s", err.text);
    secret_free(secret);
    pack_free(p);
    return path;
}

static void a_sealed_pack_asks_for_its_passphrase(void **state)
{
    const char *environment[] = {"WARPDRILL_CONTENT=/nowhere", "WARPDRILL_PASSPHRASE_FILE",
                                 "XDG_DATA_DIRS=/nowhere", state_home, NULL};
    const char *arguments[] = {"host", "--pack",   seal_one(), "--seed",
                               "3",    "--runner", "exit 3",   NULL};
    struct screen_start how = {.rows = 24,
                               .columns = 80,
                               .arguments = arguments,
                               .environment = environment};
    struct screen *s = screen_start(&how);
    screen_expect(s, "Enter asks for the passphrase");
    screen_send(s, "\r");
    screen_expect(s, "SEALED");
    screen_send(s, "incorrect horse\r");
    screen_expect(s, "The passphrase is wrong");
    screen_send(s, "\025correct horse\r");
    screen_expect(s, "60 min, as planned");
    to_the_scenario(s);
    screen_send(s, "b");
    screen_expect(s, "TRUTH");
    screen_expect(s, "cheapest");
    press(s, "q", "INTERVIEW");
    leave(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(drills_are_spread_over_topics_and_near_the_level),
        cmocka_unit_test(proposals_sum_and_differ_by_seed),
        cmocka_unit_test(exchanging_goes_round),
        cmocka_unit_test(parts_come_and_go),
        cmocka_unit_test(minutes_go_by_five_and_end),
        cmocka_unit_test(what_somebody_was_shown_is_avoided),
        cmocka_unit_test(a_story_that_was_shown_is_marked),
        cmocka_unit_test(level_0_is_a_level_and_gpus_have_names),
        cmocka_unit_test(at_each_size_it_draws_and_the_brief_opens),
        cmocka_unit_test(changes_are_summed_and_taken_back),
        cmocka_unit_test(a_changed_plan_is_not_lost_by_one_key),
        cmocka_unit_test(minutes_make_another_plan),
        cmocka_unit_test(tab_exchanges_the_scenario),
        cmocka_unit_test(a_scenario_is_searched_for),
        cmocka_unit_test(a_scenario_of_another_part_is_found_there),
        cmocka_unit_test(the_seed_is_told),
        cmocka_unit_test(a_name_is_typed_and_what_was_shown_is_told),
        cmocka_unit_test(too_long_a_plan_is_cut),
        cmocka_unit_test(too_long_a_plan_asks_before_it_begins),
        cmocka_unit_test(without_packs_it_says_so_once),
        cmocka_unit_test(a_sealed_pack_asks_for_its_passphrase),
    };
    return RUN_CASES(tests, set_up, tear_down);
}
