/* Options: what may be typed, that it is kept and can be taken back, what it comes to; backups made
 * and put back. */
#include "tui/home/options_data.h"

#include <dirent.h>
#include <time.h>
#include <unistd.h>

#include "db/store.h"
#include "drills/memory/review.h"
#include "tests/folder.h"
#include "tests/tui/steps.h"
#include "tests/unit.h"

enum { TODAY = 20778 }; /* 2026-11-21 */
static char database[96];

static int set_up(void **state)
{
    if (folder_make("options") || folder_ship("first-principles"))
        return -1;
    snprintf(database, sizeof database, "%s/progress.db", folder);
    return 0;
}

/* ---- values ---- */

static void accepts(enum option_id id, const char *typed, const char *kept)
{
    char out[48];
    struct err err = {0};
    if (option_read(out, sizeof out, id, typed, TODAY, &err) != 0)
        fail_msg("%s: %s", typed, err.text);
    assert_string_equal(out, kept);
}

static void refuses(enum option_id id, const char *typed, const char *why)
{
    char out[48];
    struct err err = {0};
    assert_true(option_read(out, sizeof out, id, typed, TODAY, &err) < 0);
    if (!strstr(err.text, why))
        fail_msg("'%s' says: %s", typed, err.text);
}

static void dates(void **state)
{
    accepts(OPTION_INTERVIEW, "", "");
    accepts(OPTION_INTERVIEW, "2026-11-21", "2026-11-21");
    accepts(OPTION_INTERVIEW, "2026-12-03", "2026-12-03");
    accepts(OPTION_INTERVIEW, "+12", "2026-12-03");
    accepts(OPTION_INTERVIEW, "+0", "2026-11-21");
    accepts(OPTION_INTERVIEW, "2028-02-29", "2028-02-29");
    refuses(OPTION_INTERVIEW, "2026-11-20", "is over");
    refuses(OPTION_INTERVIEW, "2027-02-29", "is no date");
    refuses(OPTION_INTERVIEW, "tomorrow", "is no date");
    refuses(OPTION_INTERVIEW, "+", "is no date");
    refuses(OPTION_INTERVIEW, "+12x", "is no date");
    refuses(OPTION_INTERVIEW, "+99999999999999999999", "is no date");
    refuses(OPTION_INTERVIEW, "2099-01-01", "five years");
    refuses(OPTION_INTERVIEW, "2026-12-03; drop", "is no date");
}

static void numbers(void **state)
{
    accepts(OPTION_CARDS, "30", "30");
    accepts(OPTION_CARDS, "0", "0");
    accepts(OPTION_RECALL, "95 %", "0.95");
    accepts(OPTION_RECALL, "92.5", "0.925");
    accepts(OPTION_REVIEWS, "", "");
    refuses(OPTION_CARDS, "-1", "from 0 to 1000");
    refuses(OPTION_CARDS, "1e9", "from 0 to 1000");
    refuses(OPTION_CARDS, "2.5", "whole number");
    refuses(OPTION_CARDS, "nan", "whole number");
    refuses(OPTION_CARDS, "ten", "whole number");
    refuses(OPTION_CARDS, "95 %", "whole number");
    refuses(OPTION_RECALL, "0.9", "from 70 to 99 %");
    refuses(OPTION_RECALL, "100", "from 70 to 99 %");
    refuses(OPTION_REVIEWS, "0", "from 1");
}

static void steps_stay_within_bounds(void **state)
{
    char out[48];
    option_step(out, sizeof out, OPTION_CARDS, "15", 1, TODAY);
    assert_string_equal(out, "20");
    option_step(out, sizeof out, OPTION_CARDS, "0", -1, TODAY);
    assert_string_equal(out, "0");
    option_step(out, sizeof out, OPTION_RECALL, "99", 1, TODAY);
    assert_string_equal(out, "99");
    option_step(out, sizeof out, OPTION_INTERVIEW, "", 1, TODAY);
    assert_string_equal(out, "2026-11-22");
    option_step(out, sizeof out, OPTION_INTERVIEW, "2026-11-21", -1, TODAY);
    assert_string_equal(out, "2026-11-21");
    option_date_text(out, sizeof out, TODAY + 12, TODAY);
    assert_string_equal(out, "Thu 3 Dec, in 12 days");
    option_date_text(out, sizeof out, TODAY + 1, TODAY);
    assert_string_equal(out, "Sun 22 Nov, tomorrow");
}

/* ---- the screen ---- */

static struct screen *open_options(int rows, int columns)
{
    const char *const environment[] = {folder_content, NULL};
    const char *arguments[] = {"--db", database, "--runner", "exit 3", NULL};
    struct screen_start how = {.rows = rows,
                               .columns = columns,
                               .arguments = arguments,
                               .environment = environment};
    struct screen *s = screen_start(&how);
    screen_expect(s, "first start");
    screen_send(s, "o");
    screen_expect(s, "OPTIONS");
    return s;
}

static void kept_is(const char *name, const char *value)
{
    struct store *store;
    char *text = NULL;
    assert_int_equal(store_open(&store, database, 5000), STORE_OK);
    int found = store_setting_get(store, name, &text);
    assert_string_equal(found == 1 ? text : "", value);
    free(text);
    store_free(store);
}

/* Both count what SQLite has not yet moved out of its WAL, as all of it is here. */
static void doctor_and_options_tell_the_same_size(void **state)
{
    const char *program = getenv("WARPDRILL_BIN");
    char command[512], line[1024], size[64] = "";
    struct screen *s = open_options(30, 100);
    snprintf(command, sizeof command, "%s '%s' --db '%s' --runner 'exit 3' doctor 2>&1",
             folder_content, program ? program : "build/warpdrill", database);
    FILE *doctor = popen(command, "r");
    assert_non_null(doctor);
    while (fgets(line, sizeof line, doctor)) {
        char *end = strstr(line, " with its WAL"), *begin = strstr(line, "progress.db: ");
        if (end && begin)
            snprintf(size, sizeof size, "%.*s with its WAL",
                     (int)(end - begin) - (int)strlen("progress.db: "),
                     begin + strlen("progress.db: "));
    }
    pclose(doctor);
    assert_true(strtod(size, NULL) > 0);
    screen_expect(s, size);
    leave(s);
}

static void a_date_is_typed_told_and_taken_back(void **state)
{
    struct screen *s = open_options(30, 100);
    screen_expect(s, "no date");
    screen_expect(s, "drills and cards a day in the next 30 days");
    screen_send(s, "\r");
    screen_expect(s, "Enter keep");
    screen_send(s, "2026-02-31\r");
    screen_expect(s, "is no date");
    screen_send(s, "\025+12\r");
    screen_expect(s, "in 12 days");
    screen_expect(s, "drills and cards a day until then");
    screen_send(s, "\r\025+1\033");     /* Esc leaves it */
    screen_expect(s, "in 12 days");
    screen_send(s, "+");
    screen_expect(s, "in 13 days");
    screen_send(s, "\r\025\r");
    screen_expect(s, "no date");
    screen_send(s, "uu");
    screen_expect(s, "in 12 days");
    screen_send(s, "\033");
    screen_expect(s, "first start");
    screen_send(s, "o");
    screen_expect(s, "in 12 days");
    screen_send(s, "u");
    screen_expect(s, "Nothing to take back");
    leave(s);
}

static void numbers_are_kept_as_the_queue_reads_them(void **state)
{
    struct screen *s = open_options(24, 80);
    screen_send(s, "jjj\r\02530\r");
    screen_expect(s, "             30");
    screen_send(s, "jj\r\02595\r");
    screen_expect(s, "95 %");
    leave(s);
    kept_is("new-cards", "30");
    kept_is("retention", "0.95");
}

static char answer[33];

static void answer_a_minute_from_now(void)
{
    struct store *store;
    struct err err;
    struct review r = { .item = "card:t/x", .self = FSRS_GOOD, .given = "", .slip = "" };
    assert_int_equal(store_open(&store, database, 5000), STORE_OK);
    assert_int_equal(review_write(store, &r, answer, ((int64_t)time(NULL) + 60) * 1000, 0.9, &err),
                     FSRS_GOOD);
    store_free(store);
}

static void take_the_answer_back(void)
{
    struct store *store;
    struct err err;
    assert_int_equal(store_open(&store, database, 5000), STORE_OK);
    assert_int_equal(review_undo(store, answer, (int64_t)time(NULL) * 1000, &err), 0);
    store_free(store);
}

static void a_backup_is_made_put_back_and_that_undone(void **state)
{
    snprintf(database, sizeof database, "%s/second.db",
             folder); /* the first one has today's copy already */
    struct screen *s = open_options(30, 100);
    screen_expect(s, "0 kept");
    screen_send(s, "jjjjjj\r");
    screen_expect(s, "Backed up as second-");
    screen_expect(s, "1 kept");
    screen_expect(s, "by-hand");
    answer_a_minute_from_now();
    screen_send(s, "kkkk\r\02537\r"); /* what changes after it */
    screen_expect(s, "             37");
    screen_send(s, "jjjjj\r");
    screen_expect(s, "RESTORE");
    screen_expect(s, "(1 answer, 0 scenarios, ");
    screen_expect(s, "answers: 1, scenarios: 0");           /* what would be gone */
    screen_send(s, "\033");
    screen_expect(s, "BACKUPS");
    screen_expect(s, "             37");
    screen_send(s, "\r");
    screen_expect(s, "RESTORE");
    screen_send(s, "\r");
    screen_expect(s, "Restored; u puts back second.db.before-restore-");
    screen_expect_gone(s, "             37");
    screen_send(s, "u");
    screen_expect(s, "Restore taken back. Put aside: second.db.before-restore-");
    screen_expect(s, "             37");
    screen_send(s, "u"); /* the step before it, not the backup again */
    screen_expect(s, "Taken back: new drills a day is 5 again.");
    screen_send(s, "u");
    screen_expect(s, "Nothing more to take back.");
    screen_send(s, "+");
    screen_expect(s, "              6");
    leave(s);
    take_the_answer_back();
    kept_is("new-drills", "6");
    DIR *d = opendir(folder);
    int kept = 0;
    for (struct dirent *e; d && (e = readdir(d));)
        kept += strstr(e->d_name, ".before-restore-") != NULL;
    closedir(d);
    assert_int_equal(kept, 2); /* the restore, and its undoing */
}

static void a_small_screen_shows_the_same(void **state)
{
    struct screen *s = open_options(20, 60);
    screen_expect(s, "wanted recall");
    screen_expect(s, "empty for none.");                    /* the help to its end */
    screen_expect(s, "back up now");
    screen_send(s, "jjjjjjj");
    screen_expect(s, "by-hand");
    screen_send(s, "\r");
    screen_expect(s, "RESTORE");
    screen_send(s, "\033");
    screen_expect(s, "BACKUPS");
    leave(s);
}

static void without_a_store_nothing_is_promised(void **state)
{
    const char *arguments[] = {"--db", "/dev/null/progress.db", "--runner", "exit 3", NULL};
    struct screen_start how = {.rows = 24, .columns = 80, .arguments = arguments};
    struct screen *s = screen_start(&how);
    screen_expect(s, "first start");
    screen_send(s, "oj+");
    screen_expect(s, "cannot be kept here");
    screen_send(s, "jjjjj\r");
    screen_expect(s, "nothing to back up");
    leave(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(dates),
        cmocka_unit_test(numbers),
        cmocka_unit_test(steps_stay_within_bounds),
        cmocka_unit_test(doctor_and_options_tell_the_same_size),
        cmocka_unit_test(a_date_is_typed_told_and_taken_back),
        cmocka_unit_test(numbers_are_kept_as_the_queue_reads_them),
        cmocka_unit_test(a_backup_is_made_put_back_and_that_undone),
        cmocka_unit_test(a_small_screen_shows_the_same),
        cmocka_unit_test(without_a_store_nothing_is_promised),
    };
    return RUN_CASES(tests, set_up, folder_remove);
}
