/* A played attempt goes out and comes in elsewhere: its rows, score and debrief are the same, and
 * it can be looked at there without its pack. */
#include "drills/transfer/transfer.h"

#include "scenarios/play/attempt.h"
#include "tests/db/sample.h"
#include "tests/scenarios/small_pack.h"
#include "tests/unit.h"

static void must(int rc, const struct err *err)
{
    if (rc)
        fail_msg("%s", err->text);
}

static void move(struct attempt *a, struct move m, int64_t now)
{
    struct err err = {0};
    static const int points[] = {94, 2, 2, 2};
    memcpy(m.points, points, sizeof points);
    if (m.kind == MOVE_BOUGHT)
        must(request_recall(&m.evidence, attempt_variant(a), attempt_recording(a), m.probe, &err),
             &err);
    must(attempt_move(a, &m, now, &err), &err);
}

/* Played to the end; writes its uid. */
static void play(struct store *store, const struct variant *v, char uid[33])
{
    struct err err = {0};
    struct supply *supply = NULL;
    struct attempt *a = NULL;
    struct evidence *all = NULL;
    must(supply_recorded(&supply, v, NULL, &err), &err);
    must(attempt_start(&a, store, v, supply, 7, 0, &err), &err);
    supply_free(supply);
    strcpy(uid, attempt_uid(a));
    move(a, (struct move){.kind = MOVE_BELIEVED}, 1000);
    move(a, (struct move){.kind = MOVE_ESTIMATED, .item = "fixed-time", .answer = "5.3 us"}, 2000);
    move(a, (struct move){.kind = MOVE_BOUGHT, .probe = "timing"}, 3000);
    move(a, (struct move){.kind = MOVE_BOUGHT, .probe = "memory"}, 4000);
    move(a, (struct move){.kind = MOVE_COMMITTED, .line = 8, .remedy = "warps"}, 5000);
    move(a, (struct move){.kind = MOVE_PUSHED}, 6000);
    move(a, (struct move){.kind = MOVE_RESPONDED}, 7000);
    must(request_recall_all(&all, v, attempt_recording(a), &err), &err);
    must(attempt_reveal(a, &attempt_recording(a)->device, all, 8000, &err), &err);
    must(attempt_tick(a, 1000000, &err), &err);
    attempt_free(a);
}

static double score_of(struct store *store, const char *uid)
{
    struct err err = {0};
    struct attempt *a = NULL;
    must(attempt_resume(&a, store, uid, 0, &err), &err);
    assert_non_null(attempt_debrief(a));
    double total = attempt_debrief(a)->score.total;
    attempt_free(a);
    return total;
}

static char *slurp(const char *folder, const char *name)
{
    char path[256], *text = calloc(1, 1 << 16);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "rb");
    assert_non_null(f);
    assert_true(fread(text, 1, (1 << 16) - 1, f) > 60); /* more than its head */
    fclose(f);
    return text;
}

static void test_an_attempt_moves(void **state)
{
    static const char *const tables[] = {"attempts.csv", "score_lines.csv", "beliefs.csv",
                                         "answers.csv"};
    struct err err = {0};
    struct transfer_report report;
    char *folder = sample_folder(), a_path[128], b_path[128], json[128], a_csv[128], b_csv[128],
         uid[33];
    snprintf(a_path, sizeof a_path, "%s/a.db", folder);
    snprintf(b_path, sizeof b_path, "%s/b.db", folder);
    snprintf(json, sizeof json, "%s/a.json", folder);
    snprintf(a_csv, sizeof a_csv, "%s/a", folder);
    snprintf(b_csv, sizeof b_csv, "%s/b", folder);
    struct store *a, *b;
    assert_int_equal(store_open(&a, a_path, 0), STORE_OK);
    assert_int_equal(store_open(&b, b_path, 0), STORE_OK);
    struct pack *pack = small_recorded(&err);
    assert_non_null(pack);
    play(a, pack->stories[0].variants[0], uid);
    pack_free(pack);
    must(transfer_write_file(a, json, &err), &err);
    must(transfer_read(b, json, false, &report, &err), &err);
    assert_true(report.fresh >= 8);
    transfer_report_free(&report);
    assert_true(score_of(b, uid) == score_of(a, uid));
    must(transfer_write_csv(a, a_csv, &err), &err);
    must(transfer_write_csv(b, b_csv, &err), &err);
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char *x = slurp(a_csv, tables[i]), *y = slurp(b_csv, tables[i]);
        assert_string_equal(x, y);
        free(x);
        free(y);
    }
    store_free(a);
    store_free(b);
    sample_folder_free(strdup(a_csv));
    sample_folder_free(strdup(b_csv));
    sample_folder_free(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_an_attempt_moves)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
