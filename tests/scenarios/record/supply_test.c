/* Supplies: the same questions to a recording and to a runner, and what a recording session writes.
 */
#include "scenarios/supply/supply.h"

#include <sys/stat.h>
#include <unistd.h>

#include "tests/scenarios/fake_client.h"
#include "tests/scenarios/record/recording.h"
#include "tests/scenarios/small_pack.h"
#include "tests/unit.h"

static struct pack *pack;

static int open_pack(void **state)
{
    struct err err = {0};
    pack = small_recorded(&err);
    return pack ? 0 : -1;
}

static int close_pack(void **state)
{
    pack_free(pack);
    return 0;
}

static const struct variant *variant_a(void)
{
    return pack->stories[0].variants[0];
}

static void feed(void *ctx, const struct client_event *e)
{
    supply_event(ctx, e);
}

/* Until the supply knows. */
static enum supply_state settle(struct supply *s, struct client *c)
{
    struct err err = {0};
    while (supply_poll(s) == SUPPLY_WORKING && client_wait_any(c, feed, s, &err) == 0)
        continue;
    return supply_poll(s);
}

static void a_recording_answers_at_once(void **state)
{
    struct err err = {0};
    struct supply *s = NULL;
    assert_int_equal(supply_recorded(&s, variant_a(), "another-gpu", &err), ERR_MISSING);
    assert_int_equal(supply_recorded(&s, variant_a(), NULL, &err), 0);
    assert_string_equal(supply_tier(s), "recorded");
    assert_string_equal(supply_recorded_on(s), "2026-11-01");
    static const char *const probes[] = {"symptom", "timing",  "memory", "other-sizes",
                                         "source",  "debrief", "verify"};
    for (size_t i = 0; i < sizeof probes / sizeof *probes; i++) {
        assert_int_equal(supply_ask(s, probes[i], &err), 0);
        assert_int_equal(supply_ask(s, probes[i], &err), ERR_BUSY);
        assert_int_equal(supply_poll(s), SUPPLY_READY);
        struct evidence *e = supply_take(s);
        assert_true(e->n_parts > 0);
        evidence_free(e);
        assert_int_equal(supply_poll(s), SUPPLY_IDLE);
    }
    assert_int_equal(supply_ask(s, "nonsense", &err), ERR_MISSING);
    assert_int_equal(supply_poll(s), SUPPLY_IDLE);
    assert_null(supply_missing(s, "memory"));
    assert_null(supply_missing(s, "other-sizes"));
    assert_null(supply_missing(s, "lines"));
    assert_null(supply_missing(s, "poison"));
    assert_non_null(supply_missing(s, "nonsense"));
    supply_free(s);
    assert_int_equal(supply_recorded(&s, pack->stories[0].variants[1], NULL, &err), ERR_MISSING);
}

/* Two GPUs: the one with more memory comes first whatever it is called, and the one that somebody
 * prefers comes before it; a preference that this variant cannot meet is passed over. */
static void whose_recording_is_played_is_a_preference(void **state)
{
    struct err err = {0};
    struct pack *two = NULL;
    struct files *files = files_new("small");
    struct msg_device larger = small_device;
    small_device.slug[0] = 'a';
    small_attributes[3].value = 5e10;
    char *smaller = small_recording(variant_a());
    small_device = larger;
    small_attributes[3].value = 1e11;
    for (int i = 0; i < pack->files->n; i++)
        small_add(files, pack->files->file[i].path, pack->files->file[i].text);
    small_add(files, "sums/a/sealed/evidence/aake-gpu.json", smaller);
    assert_int_equal(pack_load(&two, files, &err), 0);
    static const struct { const char *wish, *got; } rows[] = {
        {NULL, "fake-gpu"}, {"", "fake-gpu"}, {"aake-gpu", "aake-gpu"}, {"another", "fake-gpu"}};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct supply *s = NULL;
        assert_int_equal(supply_preferred(&s, two->stories[0].variants[0], rows[i].wish, &err), 0);
        assert_string_equal(supply_device(s)->slug, rows[i].got);
        supply_free(s);
    }
    free(smaller);
    pack_free(two);
}

static void a_runner_answers_the_same_question(void **state)
{
    struct err err = {0};
    struct supply *s = NULL;
    struct client *c = open_fake("good");
    assert_int_equal(supply_live(&s, variant_a(), c, &small_device, 7, &err), 0);
    assert_int_equal(supply_ask(s, "other-sizes", &err), 0);
    assert_int_equal(settle(s, c), SUPPLY_READY);
    struct evidence *e = supply_take(s);
    assert_string_equal(e->tier, "live");
    assert_int_equal(e->n_parts, 3);
    assert_true(msg_part_note(&e->parts[0], "cold"));
    evidence_free(e);
    assert_int_equal(supply_ask(s, "debrief", &err), 0);
    assert_int_equal(settle(s, c), SUPPLY_READY);
    e = supply_take(s);
    assert_string_equal(e->parts[1].run, "b");
    evidence_free(e);
    supply_free(s);
    client_free(c);
}

static void failures_are_sentences(void **state)
{
    static const char *const cases[][2] = {{"no-gpu",
                                            "there is no NVIDIA driver here. name a machine"},
                                           {"crashing", "signal 6"},
                                           {"truncated", "closed"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err err = {0};
        struct supply *s = NULL;
        struct client *c = open_fake(cases[i][0]);
        assert_int_equal(supply_live(&s, variant_a(), c, &small_device, 7, &err), 0);
        assert_int_equal(supply_ask(s, "timing", &err), 0);
        assert_int_equal(settle(s, c), SUPPLY_FAILED);
        if (!strstr(supply_say(s, NULL, NULL), cases[i][1]))
            fail_msg("%s", supply_say(s, NULL, NULL));
        supply_free(s);
        client_free(c);
    }
}

static void a_cancelled_question_makes_room_for_the_next(void **state)
{
    struct err err = {0};
    struct supply *s = NULL;
    struct client *c = open_fake("slow");
    assert_int_equal(supply_live(&s, variant_a(), c, &small_device, 7, &err), 0);
    assert_int_equal(supply_ask(s, "all", &err), 0);
    int at = 0, of = 0;
    while (of == 0 && client_wait_any(c, feed, s, &err) == 0)
        supply_say(s, &at, &of);
    assert_true(of > 0);
    supply_cancel(s);
    assert_int_equal(supply_poll(s), SUPPLY_IDLE);
    assert_int_equal(supply_ask(s, "symptom", &err), 0);
    assert_int_equal(settle(s, c), SUPPLY_READY);
    struct evidence *e = supply_take(s);
    assert_int_equal(e->n_parts, 1);
    evidence_free(e);
    supply_free(s);
    client_free(c);
}

static void needs_are_asked_before_the_gpu_is(void **state)
{
    struct err err = {0};
    struct supply *s = NULL;
    struct client *c = open_fake("good");
    struct msg_number old[4];
    memcpy(old, small_attributes, sizeof old);
    struct msg_device device = small_device;
    device.attributes = old;
    old[0].value = 7.0;
    assert_int_equal(supply_live(&s, variant_a(), c, &device, 7, &err), ERR_UNSUPPORTED);
    old[0].value = 9.0;
    old[3].value = 1e6;
    assert_int_equal(supply_live(&s, variant_a(), c, &device, 7, &err), ERR_MEMORY);
    client_free(c);
}

/* ---- recording ---- */

static void what_is_recorded_is_fresh_and_stable(void **state)
{
    char root[] = "/tmp/warpdrill-record-XXXXXX";
    struct err err = {0};
    struct pack *bare = small_pack(NULL, NULL, NULL, &err), *disk = NULL;
    assert_non_null(mkdtemp(root));
    for (int i = 0; i < bare->files->n; i++)
        write_file(root, &bare->files->file[i]);
    pack_free(bare);
    assert_int_equal(pack_open(&disk, root, &err), 0);
    struct client *c = open_fake("good");
    struct msg_tier tier = {.probe = PROBE_PIPES,
                            .missing = (char *)"permission",
                            .say = (char *)"not for you"};
    struct msg_device device = small_device;
    device.tiers = &tier;
    device.n_tiers = 1;
    char *path = NULL, *texts[2];
    for (int i = 0; i < 2; i++) {
        if (record_whole(&path, c, disk->stories[0].variants[0], &device, &err))
            fail_msg("%s", err.text);
        json_t *root_json = json_load_file(path, JSON_REJECT_DUPLICATES, NULL);
        assert_true(recording_when_ok(json_string_value(json_object_get(root_json, "recorded"))));
        json_object_del(root_json, "recorded");
        texts[i] = json_dumps(root_json, JSON_SORT_KEYS);
        json_decref(root_json);
        free(path);
    }
    assert_string_equal(texts[0], texts[1]);
    assert_non_null(strstr(texts[0], "not for you"));
    pack_free(disk);
    assert_int_equal(pack_open(&disk, root, &err), 0);
    struct supply *s = NULL;
    if (supply_recorded(&s, disk->stories[0].variants[0], NULL, &err) ||
        request_fresh(disk->stories[0].variants[0], supply_recording(s), &err))
        fail_msg("%s", err.text);
    assert_non_null(supply_missing(s, "pipes")); /* recorded as missing: nothing to pay for */
    assert_null(supply_missing(s, "memory"));
    supply_free(s);
    pack_free(disk);
    client_free(c);
    free(texts[0]);
    free(texts[1]);
    char *remove = text_format("rm -rf '%s'", root);
    assert_int_equal(system(remove), 0);
    free(remove);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_recording_answers_at_once),
        cmocka_unit_test(whose_recording_is_played_is_a_preference),
        cmocka_unit_test(a_runner_answers_the_same_question),
        cmocka_unit_test(failures_are_sentences),
        cmocka_unit_test(a_cancelled_question_makes_room_for_the_next),
        cmocka_unit_test(needs_are_asked_before_the_gpu_is),
        cmocka_unit_test(what_is_recorded_is_fresh_and_stable),
    };
    return cmocka_run_group_tests(tests, open_pack, close_pack);
}
