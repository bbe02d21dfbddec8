/* Estimates across GPUs: which recording answers them, when they are asked, what they are worth,
 * and that an attempt keeps what it needs. */
#include <math.h>

#include "kernels/wire/text.h"
#include "scenarios/play/attempt.h"
#include "tests/folder.h"
#include "tests/unit.h"

#define RECORDED "row-sums/a/sealed/evidence/fake-gpu.json"
#define OTHER "row-sums/a/sealed/evidence/other-gpu.json"

/* ---- a pack of which two GPUs were recorded ---- */

static char *replaced(char *text, const char *old, const char *new)
{
    for (char *at; (at = strstr(text, old));) {
        char *longer = text_format("%.*s%s%s", (int)(at - text), text, new, at + strlen(old));
        free(text);
        text = longer;
    }
    return text;
}

/* The other GPU is half as fast and has a quarter of the DRAM rate; `stale`: and an L2 by which the
 * story has other sizes than were measured. */
static char *other_recording(const struct files *good, bool stale)
{
    char *text = text_dup(files_find(good, RECORDED)->text);
    text = replaced(text, "Fake GPU", "Other GPU");
    text = replaced(text, "fake-gpu", "other-gpu");
    text = replaced(text, "\"value\": 3.3570816e-05", "\"value\": 6.7e-05");
    text = replaced(text, "\"dram_peak\": 4800000000000.0", "\"dram_peak\": 1200000000000.0");
    return stale ? replaced(text, "\"l2_bytes\": 4194304.0", "\"l2_bytes\": 8388608.0") : text;
}

enum second { NONE, FRESH, STALE };

static struct pack *open_pack(enum second second)
{
    struct files *good = NULL, *f = files_new("pack");
    struct pack *p = NULL;
    struct err err = {0};
    if (files_read(&good, "tests/packs/good", &err))
        fail_msg("%s", err.text);
    for (int i = 0; i < good->n; i++) {
        if (files_load(good, &good->file[i], &err))
            fail_msg("%s", err.text);
        files_add(f, good->file[i].path, good->file[i].text, good->file[i].len);
    }
    char *other = second == NONE ? NULL : other_recording(good, second == STALE);
    if (other)
        files_add(f, OTHER, other, strlen(other));
    if (pack_load(&p, f, &err))
        fail_msg("%s", err.text);
    free(other);
    files_free(good);
    return p;
}

static const struct variant *variant_of(const struct pack *p)
{
    return story_variant(pack_story(p, "row-sums"), "a");
}

/* ---- which recording ---- */

static void the_other_one_answers_whichever_is_played(void **state)
{
    static const struct {
        enum second second;
        const char *played, *answers;
    } rows[] = {
        {FRESH, "Fake GPU", "Other GPU"},
        {FRESH, "Other GPU", "Fake GPU"},
        {FRESH, "NVIDIA B200", "Fake GPU"},
        {NONE, "Fake GPU", NULL},
        {NONE, "NVIDIA B200", "Fake GPU"},
        {STALE, "Fake GPU", NULL},
        {STALE, "Other GPU", "Fake GPU"},
    };
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct pack *p = open_pack(rows[r].second);
        struct other_gpu *o = other_gpu_find(variant_of(p), rows[r].played);
        assert_int_equal(!o, !rows[r].answers);
        if (o)
            assert_string_equal(o->device.name, rows[r].answers);
        other_gpu_free(o);
        pack_free(p);
    }
}

static void what_there_is_to_reckon_with_is_told(void **state)
{
    struct pack *p = open_pack(FRESH);
    const struct variant *v = variant_of(p);
    struct other_gpu *o = other_gpu_find(v, "Fake GPU"), *here = other_gpu_find(v, "Other GPU");
    char says[OTHER_GPU_SAYS];
    other_gpu_says(says, sizeof says, v->story, &here->device, 33.6e-6, o);
    assert_string_equal(says, "Fake GPU: DRAM 4800 GB/s, 132 SMs, L2 4.19 MB; 33.6 µs here.\n"
                              "Other GPU: DRAM 1200 GB/s, 132 SMs, L2 4.19 MB; the same sizes.");
    for (int k = 0; k < o->device.n_attributes; k++)
        if (!strcmp(o->device.attributes[k].name, "l2_bytes"))
            o->device.attributes[k].value *= 4;
    other_gpu_says(says, sizeof says, v->story, &here->device, 0, o);
    assert_string_equal(says, "Fake GPU: DRAM 4800 GB/s, 132 SMs, L2 4.19 MB.\n"
                              "Other GPU: DRAM 1200 GB/s, 132 SMs, L2 16.8 MB.\n"
                              "Sizes there: rows and columns = 4096; at least 67.1 MB to move.");
    other_gpu_free(here);
    other_gpu_free(o);
    pack_free(p);
}

/* ---- an attempt ---- */

static struct attempt *begin(struct store *store, const struct variant *v, const char *gpu)
{
    struct supply *s = NULL;
    struct attempt *a = NULL;
    struct err err = {0};
    if (supply_recorded(&s, v, gpu, &err) || attempt_start(&a, store, v, s, 7, 0, &err))
        fail_msg("%s", err.text);
    supply_free(s);
    return a;
}

static int estimate(struct attempt *a, const char *id, const char *typed, struct err *err)
{
    struct move m = {.kind = MOVE_ESTIMATED};
    snprintf(m.item, sizeof m.item, "%s", id);
    snprintf(m.answer, sizeof m.answer, "%s", typed);
    return attempt_move(a, &m, 10, err);
}

static void make(struct attempt *a, struct move m)
{
    struct err err = {0};
    if (attempt_move(a, &m, 20, &err))
        fail_msg("%s", err.text);
}

static void commit(struct attempt *a)
{
    make(a, (struct move){.kind = MOVE_COMMITTED, .line = 8, .remedy = "warps"});
}

static void reveal(struct attempt *a)
{
    struct evidence *all = NULL;
    struct err err = {0};
    struct move word = {.kind = MOVE_RESPONDED};
    make(a, (struct move){.kind = MOVE_PUSHED});
    attempt_points(a, word.points);
    make(a, word);
    const struct recording *r = attempt_recording(a);
    if (request_recall_all(&all, attempt_variant(a), r, &err) ||
        attempt_reveal(a, &r->device, all, 30, &err))
        fail_msg("%s", err.text);
}

static const struct graded *graded(const struct attempt *a, const char *id)
{
    const struct debrief *d = attempt_debrief(a);
    for (int g = 0; g < d->n_graded; g++)
        if (!strcmp(d->graded[g].estimate->id, id))
            return &d->graded[g];
    return NULL;
}

static void it_is_asked_last_and_behind_the_commitment(void **state)
{
    struct pack *p = open_pack(FRESH);
    struct attempt *a = begin(NULL, variant_of(p), "fake-gpu");
    const struct investigation *i = attempt_state(a);
    struct err err = {0};
    assert_int_equal(investigation_estimates(i), 3);
    assert_int_equal(estimate(a, "other-gpu", "67 us", &err), ERR_BAD_REQUEST);
    assert_string_equal(err.text,
                        "'other-gpu' is asked after the commitment: it is of the other GPU");
    assert_string_equal(investigation_left(i)->id, "fixed-time");
    commit(a);
    assert_int_equal(estimate(a, "fixed-time", "", NULL), 0);
    assert_int_equal(estimate(a, "load-sectors", "32", NULL), 0);
    assert_string_equal(investigation_left(i)->id, "other-gpu");
    assert_int_equal(estimate(a, "other-gpu", "67 us", NULL), 0);
    assert_null(investigation_left(i));
    assert_int_equal(attempt_undo(a, 15, NULL), 0);
    assert_string_equal(investigation_left(i)->id, "other-gpu");
    attempt_free(a);
    pack_free(p);
}

/* Right, far off, by the named mistake, not at all. */
static void it_is_graded_as_others_are(void **state)
{
    static const struct {
        const char *typed, *say;
        int how;
        double share;
    } rows[] = {
        {"67 us", "67.0 µs for 67.0 µs: exact to three digits", GRADED_RIGHT, 1},
        {"80 us", "80.0 µs for 67.0 µs: within 1.19 x", GRADED_RIGHT, 1},
        {"25 us", "25.0 µs for 67.0 µs: off by 2.68 x", GRADED_OFF, 0.16},
        {"134 us", "0.134 ms for 67.0 µs: That goes by the rate of DRAM, which waits here.",
         GRADED_SLIP, 0.58},
        {"", "skipped", GRADED_SKIPPED, 0},
    };
    struct pack *p = open_pack(FRESH);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        struct attempt *a = begin(NULL, variant_of(p), "fake-gpu");
        commit(a);
        assert_int_equal(estimate(a, "other-gpu", rows[r].typed, NULL), 0);
        reveal(a);
        const struct graded *g = graded(a, "other-gpu");
        assert_int_equal(g->how, rows[r].how);
        assert_string_equal(g->say, rows[r].say);
        assert_float_equal(g->possible, 20 / 3.0, 1e-9);
        assert_true(fabs(g->points / g->possible - rows[r].share) < 0.01);
        assert_string_equal(g->why,
                            "67.0 µs on the Other GPU, 2.00 x the 33.6 µs on the Fake GPU. L1 is "
                            "full of look-ups, so the time goes with the number of SMs, not with "
                            "DRAM.");
        assert_string_equal(graded(a, "fixed-time")->why, "");
        attempt_free(a);
    }
    pack_free(p);
}

static void without_another_gpu_its_points_go_to_the_others(void **state)
{
    for (int k = 0; k < 2; k++) {
        struct pack *p = open_pack(k ? STALE : NONE);
        struct attempt *a = begin(NULL, variant_of(p), "fake-gpu");
        struct err err = {0};
        assert_int_equal(investigation_estimates(attempt_state(a)), 2);
        commit(a);
        assert_int_equal(estimate(a, "fixed-time", "", NULL), 0);
        assert_int_equal(estimate(a, "load-sectors", "32", NULL), 0);
        assert_null(investigation_left(attempt_state(a)));
        assert_int_equal(estimate(a, "other-gpu", "67 us", &err), ERR_BAD_REQUEST);
        assert_string_equal(err.text, "'other-gpu' is not asked here: no other GPU was recorded");
        reveal(a);
        assert_int_equal(attempt_debrief(a)->n_graded, 2);
        assert_null(graded(a, "other-gpu"));
        assert_float_equal(graded(a, "load-sectors")->points, 10, 1e-9);
        assert_string_equal(attempt_debrief(a)->why[LINE_ESTIMATES], "1: skipped, 2: right");
        attempt_free(a);
        pack_free(p);
    }
}

/* ---- what is kept ---- */

static int make_folder(void **state)
{
    return folder_make("across");
}

static struct store *open_store(void)
{
    char path[160];
    struct store *s = NULL;
    snprintf(path, sizeof path, "%s/progress.db", folder);
    assert_int_equal(store_open(&s, path, 2000), STORE_OK);
    return s;
}

/* The pack is gone, and its recordings with it. */
static void an_attempt_goes_on_without_the_pack(void **state)
{
    char uid[64];
    struct store *store = open_store();
    struct pack *p = open_pack(FRESH);
    struct attempt *a = begin(store, variant_of(p), "fake-gpu");
    commit(a);
    assert_int_equal(attempt_settle(a, 40, NULL), 0);
    snprintf(uid, sizeof uid, "%s", attempt_uid(a));
    attempt_free(a);
    pack_free(p);
    for (int times = 0; times < 2; times++) {
        struct err err = {0};
        if (attempt_resume(&a, store, uid, 50, &err))
            fail_msg("%s", err.text);
        const struct investigation *i = attempt_state(a);
        assert_string_equal(i->gpu, "Fake GPU");
        assert_string_equal(i->other->device.name, "Other GPU");
        if (times == 0) {
            assert_int_equal(estimate(a, "other-gpu", "67 us", NULL), 0);
            reveal(a);
            assert_int_equal(attempt_settle(a, 60, NULL), 0);
        }
        assert_int_equal(graded(a, "other-gpu")->how, GRADED_RIGHT);
        attempt_free(a);
    }
    store_free(store);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_other_one_answers_whichever_is_played),
        cmocka_unit_test(what_there_is_to_reckon_with_is_told),
        cmocka_unit_test(it_is_asked_last_and_behind_the_commitment),
        cmocka_unit_test(it_is_graded_as_others_are),
        cmocka_unit_test(without_another_gpu_its_points_go_to_the_others),
        cmocka_unit_test(an_attempt_goes_on_without_the_pack),
    };
    return cmocka_run_group_tests(tests, make_folder, folder_remove);
}
