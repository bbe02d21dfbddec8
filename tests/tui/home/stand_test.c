/* Home, history, where you stand and the options over two years of use, an empty store and hostile
 * names, at three sizes. */
#include <dirent.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "tests/folder.h"
#include "db/moment.h"
#include "tests/tui/home/lived.h"
#include "tests/tui/steps.h"
#include "tests/unit.h"

static char lived[96], empty[96], packs[96];

static int64_t now_ms(void)
{
    return (int64_t)time(NULL) * 1000;
}

static struct store *open_store(const char *path)
{
    struct store *s;
    if (store_open(&s, path, 5000) != STORE_OK)
        fail_msg("%s", store_message(s));
    return s;
}

static int set_up(void **state)
{
    if (folder_make("stand"))
        return -1;
    snprintf(lived, sizeof lived, "%s/lived.db", folder);
    snprintf(empty, sizeof empty, "%s/empty.db", folder);
    snprintf(packs, sizeof packs, "%s/packs", folder);
    if (folder_ship("first-principles hidden-depths"))
        return -1;
    setenv("WARPDRILL_CONTENT", folder_content + strlen("WARPDRILL_CONTENT="), 1);
    struct store *s = open_store(lived);
    int rc = lived_looks(s, now_ms() - 7200000, 120, 730);
    rc |= lived_study(s, now_ms(), 730, 10);
    store_free(s);
    return rc || mkdir(packs, 0700);
}

static struct screen *open_screen(const char *database, int rows, int columns, const char *keys)
{
    const char *const environment[] = {folder_content, NULL};
    const char *arguments[] = {"--pack", packs, "--db", database, "--runner", "exit 3", NULL};
    struct screen_start how = {.rows = rows,
                               .columns = columns,
                               .arguments = arguments,
                               .environment = environment};
    struct screen *s = screen_start(&how);
    screen_expect(s, columns < 80 ? "? q" : columns < 98 ? "? help  q" : "? help  q quit");
    screen_send(s, keys);
    return s;
}

static void row_with(struct screen *s, const char *text, char line[512])
{
    int row, column;
    screen_expect(s, text);
    assert_true(screen_find(s, text, &row, &column));
    screen_row(s, row, line, 512);
}

static const int sizes[][2] = {{30, 100}, {24, 80}, {20, 60}};
enum { SIZES = 3 };

/* ---- home ---- */

static void home_says_what_the_day_brings(void **state)
{
    char line[512];
    struct screen *s = open_screen(lived, 30, 100, "");
    row_with(s, "today", line);
    assert_non_null(strstr(line, "scenarios"));
    assert_non_null(strstr(line, " 0 of 2"));
    assert_non_null(strstr(line, "drills"));
    assert_non_null(strstr(line, "cards"));
    row_with(s, "  drills  ", line);
    assert_non_null(strstr(line, " min, "));
    screen_expect(s, "Cards: ");
    screen_expect(s, "Drills: ");
    row_with(s, "estimates", line);
    assert_non_null(strstr(line, "off by "));
    assert_non_null(strstr(line, "most frequent slip: "));
    leave(s);
}

static void the_bars_of_the_day_fit(void **state)
{
    char line[512];
    for (int i = 0; i < SIZES; i++) {
        struct screen *s = open_screen(lived, sizes[i][0], sizes[i][1], "");
        row_with(s, "today", line);
        const char *cards = strstr(line, "cards ");
        assert_non_null(cards);
        assert_true(strstr(cards, " of ") || strstr(cards, "none"));
        assert_null(strstr(line, "…"));
        leave(s);
    }
}

static void the_key_line_names_as_many_digits_as_there_are(void **state)
{
    char line[512], digits[32];
    struct screen *s = open_screen(lived, 24, 80, "");
    int row, column, entries = 0;
    for (int i = 1; i <= 5; i++) {
        char start[16];
        screen_row(s, 1 + i, line, sizeof line);
        snprintf(start, sizeof start, " %d  ", i);
        entries += strstr(line, start) != NULL && strstr(line, start) - line < 6;
    }
    assert_in_range(entries, 2, 5);
    snprintf(digits, sizeof digits, " 1-%d start ", entries);
    assert_true(screen_find(s, digits, &row, &column));
    assert_int_equal(row, 23);
    leave(s);
}

static void the_interview_stands_in_row_one(void **state)
{
    char date[32], line[512];
    static const char *const words[SIZES] = {"interview in 12 days", "interview in 12 days",
                                             "12 days to go"};
    struct store *store = open_store(lived);
    time_t at = ((time_t)store_day(now_ms()) + 12) * 86400;
    struct tm t;
    gmtime_r(&at, &t);
    strftime(date, sizeof date, "%Y-%m-%d", &t);
    assert_int_equal(store_setting_put(store, "interview", date), STORE_OK);
    for (int i = 0; i < SIZES; i++) {
        struct screen *s = open_screen(lived, sizes[i][0], sizes[i][1], "");
        screen_expect(s, "no GPU here");
        row_with(s, words[i], line);
        assert_non_null(strstr(line, "warpdrill"));
        assert_non_null(strstr(line, "no GPU here"));
        leave(s);
    }
    store_setting_put(store, "interview", "");
    store_free(store);
}

static void ten_numbers_on_the_first_day(void **state)
{
    struct screen *s = open_screen(empty, 30, 100, "");
    screen_expect(s, "first start");
    screen_expect(s, "10 numbers, ");
    screen_expect(s, "1-4 start");
    screen_send(s, "w");
    screen_expect(s, "10 drills (");
    screen_send(s, "\033");
    screen_expect(s, "first start");
    leave(s);
}

static void hostile_titles_stay_in_their_place(void **state)
{
    static const char *const titles[] = {"\033[31m\033]0;owned\007red",
                                         "line\nbreak\ttab\001",
                                         "%s%n%d %99999d",
                                         "wide "
                                         "\xe5\xad\x97\xe5\xad\x97\xe5\xad\x97\xe5\xad\x97\xe5\xad"
                                         "\x97\xe5\xad\x97\xe5\xad\x97\xe5\xad\x97 and then on and "
                                         "on and on and on and on",
                                         "bad utf8 \xff\xfe\xc3",
                                         ""};
    char path[96];
    snprintf(path, sizeof path, "%s/hostile.db", folder);
    struct store *store = open_store(path);
    for (int k = 0; k < 6; k++)
        assert_int_equal(lived_attempt(store, 1 + k, now_ms() - (int64_t)(6 - k) * 60000, titles[k],
                                       "mem.uncoalesced", 77, "revealed"),
                         STORE_OK);
    store_free(store);
    for (int i = 0; i < SIZES; i++) {
        struct screen *s = open_screen(path, sizes[i][0], sizes[i][1], "h");
        screen_expect(s, "Enter open");
        for (int k = 0; k < 6; k++) {
            char line[512];
            screen_row(s, 2 + k, line, sizeof line);
            assert_non_null(strstr(line, "77 %")); /* the last column is where it belongs */
            assert_null(strstr(line, "owned\007"));
        }
        size_t n;
        assert_null(strstr(screen_bytes(s, &n), "\033]0;owned"));
        screen_send(s, "\033");
        screen_expect(s, "WHERE YOU STAND");
        leave(s);
    }
}

static void history_counts_sessions(void **state)
{
    char line[512];
    struct screen *s = open_screen(lived, 30, 100, "h");
    row_with(s, "Cards: ", line);
    assert_non_null(strstr(line, " of "));
    screen_send(s, "\r");
    leave(s);
}

/* ---- where you stand ---- */

static void all_pages_at_all_sizes(void **state)
{
    static const char *const marks[4][3] = {{"A YEAR", "WHAT NEXT, AND WHY", " none  "},
                                            {"DRILLS AND CARDS", "estimates", "silicon"},
                                            {"CAUSES", "memory", "Up and Down"},
                                            {"BELIEFS", "INTERVALS", "said"}};
    for (int i = 0; i < SIZES; i++) {
        struct screen *s = open_screen(lived, sizes[i][0], sizes[i][1], "w");
        for (int page = 0; page < 4; page++) {
            for (int k = 0; k < 3; k++)
                screen_expect(s, marks[page][k]);
            screen_send(s, "\t");
        }
        screen_expect(s, "A YEAR");
        screen_send(s, "3");
        screen_expect(s, "[3 causes]");
        screen_send(s, "\033");
        screen_expect(s, "WHERE YOU STAND");
        leave(s);
    }
}

static void topics_have_ranges_counts_and_factors(void **state)
{
    char line[512];
    struct screen *s = open_screen(lived, 30, 100, "w2");
    row_with(s, "  inference ", line);
    assert_non_null(strstr(line, "●"));
    assert_non_null(strstr(line, " to "));
    assert_non_null(strstr(line, " x"));
    row_with(s, "  machine ", line); /* asked without a GPU, too: it was recorded */
    assert_non_null(strstr(line, " to "));
    row_with(s, "bits for bytes", line);
    leave(s);
}

static void enter_practises_the_marked_topic(void **state)
{
    char line[512], topic[64];
    struct screen *s = open_screen(empty, 30, 100, "w2");
    screen_expect(s, "DRILLS AND CARDS");
    row_with(s, "▸ silicon", line);
    screen_send(s, "jjk");
    screen_expect_gone(s, "▸ silicon");
    row_with(s, "▸", line);
    assert_int_equal(sscanf(strstr(line, "▸") + strlen("▸"), "%63s", topic), 1);
    screen_send(s, "\r");
    screen_expect(s, "Esc back");
    screen_expect(s, topic);
    screen_send(s, "\033");
    screen_expect(s, "DRILLS AND CARDS");
    leave(s);
}

static void causes_scroll_and_stop_at_their_ends(void **state)
{
    struct screen *s = open_screen(lived, 20, 60, "w3");
    screen_expect(s, "1 to 15 of ");
    screen_send(s, "k");
    screen_expect(s, "1 to 15 of ");
    screen_send(s, "j");
    screen_expect(s, "2 to 16 of ");
    screen_send(s, "\033[6~\033[6~\033[6~\033[6~\033[6~");
    screen_expect(s, "nothing was wrong");
    screen_expect_gone(s, "uncoalesced access");
    leave(s);
}

static void the_year_degrades_without_utf8_and_colour(void **state)
{
    const char *const environment[] = {folder_content, "LC_ALL=C", "NO_COLOR=1", NULL};
    const char *arguments[] = {"--pack", packs, "--db", lived, "--runner", "exit 3", NULL};
    struct screen_start how = {.rows = 24,
                               .columns = 80,
                               .arguments = arguments,
                               .environment = environment};
    struct screen *s = screen_start(&how);
    screen_expect(s, "WHERE YOU STAND");
    screen_send(s, "w");
    screen_expect(s, ". none  : ");
    screen_expect(s, "# more a day");
    for (int row = 0; row < 24; row++) {
        char line[512];
        screen_row(s, row, line, sizeof line);
        for (const char *c = line; *c; c++)
            assert_true((unsigned char)*c < 128);
    }
    leave(s);
}

static void the_heat_map_ends_today(void **state)
{
    char line[512];
    struct store *store = open_store(lived);
    int weekday = (store_day(now_ms()) + 3) % 7; /* 1970-01-01 was a Thursday; Monday is 0 */
    store_free(store);
    struct screen *s = open_screen(lived, 30, 100, "w");
    screen_expect(s, "Tab turn");
    for (int d = 0; d < 7; d++) {
        screen_row(s, 3 + d, line, sizeof line);
        int cells = 0;
        for (const char *c = line; *c; c++)
            cells += ((unsigned char)*c & 0xC0) != 0x80;
        assert_int_equal(cells,
                         6 + 53 -
                             (d > weekday)); /* label, then a week each; days to come are blank */
    }
    leave(s);
}

static void an_empty_store_says_so(void **state)
{
    for (int i = 0; i < SIZES; i++) {
        struct screen *s = open_screen(empty, sizes[i][0], sizes[i][1], "w2");
        screen_expect(s, i == 0 ? "no named slip yet" : "none yet");
        screen_send(s, "3");
        screen_expect(s, "None was met yet.");
        screen_send(s, "4");
        screen_expect(s, "nothing yet");
        leave(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(home_says_what_the_day_brings),
        cmocka_unit_test(the_bars_of_the_day_fit),
        cmocka_unit_test(the_key_line_names_as_many_digits_as_there_are),
        cmocka_unit_test(the_interview_stands_in_row_one),
        cmocka_unit_test(ten_numbers_on_the_first_day),
        cmocka_unit_test(hostile_titles_stay_in_their_place),
        cmocka_unit_test(history_counts_sessions),
        cmocka_unit_test(all_pages_at_all_sizes),
        cmocka_unit_test(topics_have_ranges_counts_and_factors),
        cmocka_unit_test(enter_practises_the_marked_topic),
        cmocka_unit_test(causes_scroll_and_stop_at_their_ends),
        cmocka_unit_test(the_year_degrades_without_utf8_and_colour),
        cmocka_unit_test(the_heat_map_ends_today),
        cmocka_unit_test(an_empty_store_says_so),
    };
    return RUN_CASES(tests, set_up, folder_remove);
}
