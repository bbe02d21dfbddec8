/* The debrief at every size: nothing is cut without a sign, and what is cut can be reached. The
 * attempts are played without a screen and opened from the history. */
#include "scenarios/play/attempt.h"
#include "tests/tui/recorded.h"
#include "tests/tui/steps.h"
#include "tests/unit.h"

#define DOWN "\x1bOB"

static char database[96];

static int set_up(void **state)
{
    int rc = recorded_folder("debrief");
    snprintf(database, sizeof database, "%s/progress.db", folder);
    return rc;
}

/* ---- an attempt ---- */

struct plan {
    const char *pack, *variant;
    const char *const *probes;
    int n, line;
    const char *remedy;
    int truth; /* points on hypothesis 0 at the end; K <= 10 */
};

static void make(struct attempt *a, struct move m)
{
    struct err err = { 0 };
    if (attempt_move(a, &m, 0, &err) != 0)
        fail_msg("%s", err.text);
}

static void points_on(int *points, int k, int first, int share)
{
    double weights[MAX_HYPOTHESES];
    for (int h = 0; h < k; h++)
        weights[h] = h == first ? share : (100.0 - share) / (k - 1);
    belief_round(points, weights, k, 1);
}

static void buy(struct attempt *a, const char *probe)
{
    struct err err = { 0 };
    struct move m = { .kind = MOVE_BOUGHT };
    snprintf(m.probe, sizeof m.probe, "%s", probe);
    if (request_recall(&m.evidence, attempt_variant(a), attempt_recording(a), probe, &err) != 0)
        fail_msg("%s", err.text);
    make(a, m);
}

/* Beliefs move once, after the last purchase. */
static void finish(struct attempt *a, const struct plan *p)
{
    struct move commit = {.kind = MOVE_COMMITTED, .line = p->line},
                believe = {.kind = MOVE_BELIEVED}, respond = {.kind = MOVE_RESPONDED};
    struct err err = { 0 };
    struct evidence *all = NULL;
    int k = attempt_variant(a)->story->n_hypotheses;
    points_on(believe.points, k, 0, p->truth);
    points_on(respond.points, k, 0, p->truth);
    snprintf(commit.remedy, sizeof commit.remedy, "%s", p->remedy);
    make(a, believe);
    make(a, commit);
    make(a,
         (struct move){.kind = MOVE_PUSHED, .pushback = investigation_pushback(attempt_state(a))});
    make(a, respond);
    assert_int_equal(request_recall_all(&all, attempt_variant(a), attempt_recording(a), &err), 0);
    if (attempt_reveal(a, &attempt_recording(a)->device, all, 0, &err) != 0)
        fail_msg("%s", err.text);
}

static void play(const struct plan *p)
{
    struct store *store = NULL;
    struct pack *pack = NULL;
    struct supply *supply = NULL;
    struct attempt *a = NULL;
    struct err err = { 0 };
    const struct variant *v = NULL;
    remove(database);
    if (store_open(&store, database, 5000) != STORE_OK || pack_open(&pack, p->pack, &err) != 0)
        fail_msg("%s", err.text);
    for (int s = 0; s < pack->n_stories; s++)
        for (int k = 0; k < pack->stories[s].n_variants; k++)
            if (strstr(pack->stories[s].variants[k]->full_id, p->variant))
                v = pack->stories[s].variants[k];
    assert_non_null(v);
    if (supply_recorded(&supply, v, NULL, &err) != 0 ||
        attempt_start(&a, store, v, supply, 1, 0, &err) != 0)
        fail_msg("%s", err.text);
    for (int k = 0; k < p->n; k++)
        buy(a, p->probes[k]);
    finish(a, p);
    assert_int_equal(attempt_tick(a, 0, &err), 0);
    attempt_free(a);
    supply_free(supply);
    pack_free(pack);
    store_free(store);
}

static struct screen *open_debrief(int rows, int columns)
{
    const char *arguments[] = { "--pack", packs, "--db", database, NULL };
    struct screen_start how = { .rows = rows, .columns = columns, .arguments = arguments };
    struct screen *s = screen_start(&how);
    screen_expect(s, "h hist");
    press(s, "h", "WHAT YOU DID");
    press(s, "\r", "e evidence");         /* the keys are drawn last */
    return s;
}

static const char *const many[] = {"timing", "resources", "occupancy", "dram",
                                   "memory", "shared",    "pipes",     "stalls"};
static char first_principles[128];

static struct plan copy_of(const char *variant, int n)
{
    snprintf(first_principles, sizeof first_principles, "%s/first-principles", packs);
    return (struct plan){ first_principles, variant, many, n, 13, "tile", 60 };
}

static bool is_on(const struct screen *s, const char *text)
{
    int row, column;
    return screen_find(s, text, &row, &column);
}

/* Line by line to the end of what is shown; how many lines that were. */
static int scroll_down(struct screen *s, int rows)
{
    char row[512], left[32];
    screen_row(s, rows - 3, row, sizeof row);
    const char *at = strpbrk(row, "0123456789");
    int lines = at ? atoi(at) : 0;
    for (int k = lines - 1; k > 0; k--) {
        snprintf(left, sizeof left, " %d more below", k);
        press(s, DOWN, left);
    }
    screen_send(s, DOWN);
    screen_expect_gone(s, "more below");
    return lines;
}

/* ---- what is cut ---- */

static void the_last_page_can_be_read_to_its_end(void **state)
{
    static const struct { int rows, columns; } sizes[] = { { 20, 60 }, { 24, 80 }, { 30, 100 } };
    struct plan p = copy_of("transposed-copy/a", 8);
    play(&p);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct screen *s = open_debrief(sizes[k].rows, sizes[k].columns);
        press(s, "4", "[4 next time]");
        assert_true(scroll_down(s, sizes[k].rows) > 0 || sizes[k].rows > 20);
        screen_expect(s, "seen in");
        screen_expect(s, "pytorch/pytorch#194310");         /* the very end of it */
        assert_false(is_on(s, "4: all"));
        leave(s);
    }
}

/* Ten steps: the overview keeps the first and the last ones, its rules say where the rest is. */
/* The author's figures are those of the evidence that was played, which is synthetic here. */
static void figures_of_the_prose_are_filled_in(void **state)
{
    struct plan p = copy_of("row-means/a", 8);
    p.remedy = "lanes";
    play(&p);
    struct screen *s = open_debrief(50, 160);
    press(s, "3", "[3");
    screen_expect(s, "0.346 ms, 7.83 times less.");
    screen_expect_gone(s, "{{");
    leave(s);
}

static void what_the_overview_leaves_out_is_said(void **state)
{
    struct plan p = copy_of("transposed-copy/a", 8);
    play(&p);
    struct screen *s = open_debrief(30, 100);
    screen_expect(s, "2: all");
    screen_expect(s, "… 5 more");
    screen_expect(s, "3: all");
    press(s, "2", "[2 beliefs]");
    screen_expect(s, "occupancy");
    screen_resize(s, 60, 200);
    press(s, "1", "SIDE BY SIDE");
    screen_expect(s, "occupancy");          /* a tall screen has room for all of them */
    screen_expect_gone(s, "5 more");
    leave(s);
    s = open_debrief(20, 60);
    press(s, "3", "more below");
    press(s, "G", "[3 why and diff]");
    screen_expect_gone(s, "more below");
    leave(s);
}

/* Curves are named where they end, steps where they stand, and the score says how far from where
 * the evidence leads. */
static void the_chart_says_what_its_lines_are(void **state)
{
    static const struct { int rows, columns; } sizes[] = { {24, 80}, {30, 100}, {50, 160} };
    struct plan p = copy_of("transposed-copy/a", 4);
    play(&p);
    for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
        struct screen *s = open_debrief(sizes[k].rows, sizes[k].columns);
        screen_expect(s, "from where the evidence");
        press(s, "2", "[2 beliefs]");
        screen_expect(s, "● you  ○ ideal reader  + uniform");   /* the legend */
        screen_expect(s, "● you ");                               /* and at the ends */
        screen_expect(s, "○ ideal reader ");
        screen_expect(s, "start ");
        screen_expect(s, "pushback");
        leave(s);
    }
}

/* At 60 columns the figure stands below, whole, and the headline ends with a sentence. */
static void a_narrow_headline_is_a_sentence(void **state)
{
    struct plan p = copy_of("transposed-copy/a", 2);
    play(&p);
    struct screen *s = open_debrief(20, 60);
    screen_expect(s, "It was uncoalesced access, on line 13.  ");
    screen_expect(s, "60 % on the truth");
    leave(s);
    s = open_debrief(24, 80);
    screen_expect(s, "on line 13.  You had it at 60 %.");
    leave(s);
}

static int bar_cells(const struct screen *s, const char *name)
{
    char text[512];
    int row, column, n = 0;
    assert_true(screen_find(s, name, &row, &column));
    screen_row(s, row, text, sizeof text);
    for (const char *at = text; (at = strstr(at, "█")); at++)
        n++;
    return n;
}

/* As in the head of the investigation the longest bar is the fastest. */
static void bars_are_of_speed(void **state)
{
    struct plan p = copy_of("transposed-copy/a", 2);
    play(&p);
    struct screen *s = open_debrief(30, 100);
    screen_expect(s, "  suspect ");
    assert_true(bar_cells(s, "  suspect ") < bar_cells(s, "  fix  "));
    assert_true(bar_cells(s, "  fix  ") <= bar_cells(s, "  plain copy"));
    leave(s);
}

/* What refuses is not offered; whoever presses it is told why. */
static void keys_that_refuse_are_not_offered(void **state)
{
    struct plan p = copy_of("transposed-copy/a", 2);
    play(&p);
    struct screen *s = open_debrief(24, 80);
    screen_expect(s, "v other cause");
    screen_expect_gone(s, "run fix live");
    press(s, "f", "There is no GPU here to run it on");
    press(s, "?", "where there is a GPU");
    screen_expect(s, "1-4            a page of the debrief");
    press(s, "\x1b", "v other cause");
    leave(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_page_can_be_read_to_its_end),
        cmocka_unit_test(figures_of_the_prose_are_filled_in),
        cmocka_unit_test(what_the_overview_leaves_out_is_said),
        cmocka_unit_test(the_chart_says_what_its_lines_are),
        cmocka_unit_test(a_narrow_headline_is_a_sentence),
        cmocka_unit_test(bars_are_of_speed),
        cmocka_unit_test(keys_that_refuse_are_not_offered),
    };
    return RUN_CASES(tests, set_up, folder_remove);
}
