/* A GPU with a recording behind it: which of them answers, and what is said of it. */
#include "scenarios/supply/supply.h"

#include "tests/scenarios/fake_client.h"
#include "tests/scenarios/small_pack.h"
#include "tests/unit.h"

static struct pack *pack;
static struct client *client;
static struct err err;

static int open_pack(void **state)
{
    pack = small_recorded(&err);
    return pack ? 0 : -1;
}

static int close_pack(void **state)
{
    pack_free(pack);
    return 0;
}

static struct supply *backed(const struct msg_device *device, const char *plays)
{
    const struct variant *v = pack->stories[0].variants[0];
    struct supply *live = NULL, *recorded = NULL;
    client = open_fake(plays);
    assert_int_equal(supply_live(&live, v, client, device, 7, &err), 0);
    assert_int_equal(supply_recorded(&recorded, v, NULL, &err), 0);
    struct supply *s = supply_with_stand_in(live, recorded);
    supply_tick(s, 1000);
    return s;
}

static void close_supply(struct supply *s)
{
    supply_free(s);
    client_free(client);
}

static void feed(void *ctx, const struct client_event *e)
{
    supply_event(ctx, e);
}

static enum supply_state settle(struct supply *s)
{
    while (supply_poll(s) == SUPPLY_WORKING && client_wait_any(client, feed, s, &err) == 0)
        continue;
    return supply_poll(s);
}

static void expect_fault(struct supply *s, const char *words)
{
    const char *why = supply_fault(s);
    assert_non_null(why);
    assert_non_null(strstr(why, words));
    assert_non_null(strstr(why, "; recorded evidence stands in"));
    assert_null(supply_fault(s));
}

static void expect_tier(struct supply *s, const char *tier)
{
    assert_int_equal(supply_poll(s), SUPPLY_READY);
    struct evidence *e = supply_take(s);
    assert_string_equal(e->tier, tier);
    assert_int_equal(supply_answers(s) == supply_device(s), strcmp(tier, "live") == 0);
    evidence_free(e);
    assert_int_equal(supply_poll(s), SUPPLY_IDLE);
    assert_string_equal(supply_tier(s), "live");
}

static void the_gpu_answers_first(void **state)
{
    struct supply *s = backed(&small_device, "good");
    assert_int_equal(supply_ask(s, "timing", &err), 0);
    assert_int_equal(supply_ask(s, "timing", &err), ERR_BUSY);
    assert_int_equal(settle(s), SUPPLY_READY);
    supply_tick(s, 1000 + 10 * SUPPLY_ANSWER_MS);        /* it came, however late it is looked at */
    assert_null(supply_fault(s));
    expect_tier(s, "live");
    close_supply(s);
}

static void a_slow_gpu_is_waited_for_and_no_longer(void **state)
{
    struct supply *s = backed(&small_device, "slow");
    assert_int_equal(supply_ask(s, "timing", &err), 0);
    supply_tick(s, 1000 + SUPPLY_ANSWER_MS);
    assert_int_equal(supply_poll(s), SUPPLY_WORKING);
    assert_null(supply_fault(s));
    supply_tick(s, 1001 + SUPPLY_ANSWER_MS);
    expect_fault(s, "no answer in time");
    expect_tier(s, "recorded");
    close_supply(s);
}

static void a_lost_gpu_is_left_alone_for_a_while(void **state)
{
    struct supply *s = backed(&small_device, "crashing");
    assert_int_equal(supply_ask(s, "timing", &err), 0);
    assert_int_equal(settle(s), SUPPLY_FAILED);
    supply_tick(s, 2000);
    expect_fault(s, "signal 6");
    expect_tier(s, "recorded");
    supply_tick(s, 100000);
    assert_int_equal(supply_ask(s, "symptom", &err), 0);
    expect_fault(s, "the GPU is still away");
    expect_tier(s, "recorded");
    supply_tick(s, 200000);
    assert_int_equal(supply_ask(s, "memory", &err), 0);  /* it is asked again */
    assert_null(supply_fault(s));
    supply_cancel(s);
    assert_int_equal(supply_poll(s), SUPPLY_IDLE);
    close_supply(s);
}

static void what_this_gpu_cannot_tell_is_recalled(void **state)
{
    struct msg_tier tier = { .probe = PROBE_MEMORY, .say = "no permission" };
    struct msg_device device = small_device;
    device.tiers = &tier;
    device.n_tiers = 1;
    struct supply *s = backed(&device, "good");
    assert_null(supply_missing(s, "memory"));
    assert_int_equal(supply_ask(s, "memory", &err), 0);
    expect_fault(s, "this GPU cannot tell");
    expect_tier(s, "recorded");
    close_supply(s);
}

static void what_neither_has_is_refused(void **state)
{
    struct supply *s = backed(&small_device, "good");
    assert_non_null(supply_missing(s, "nonsense"));
    assert_int_not_equal(supply_ask(s, "nonsense", &err), 0);
    assert_null(supply_fault(s));
    assert_int_equal(supply_poll(s), SUPPLY_IDLE);
    close_supply(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_gpu_answers_first),
        cmocka_unit_test(a_slow_gpu_is_waited_for_and_no_longer),
        cmocka_unit_test(a_lost_gpu_is_left_alone_for_a_while),
        cmocka_unit_test(what_this_gpu_cannot_tell_is_recalled),
        cmocka_unit_test(what_neither_has_is_refused),
    };
    return cmocka_run_group_tests(tests, open_pack, close_pack);
}
