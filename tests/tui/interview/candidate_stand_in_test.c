/* Live evidence that does not come to the candidate: a runner that is dead, slow, or whose kernel
 * faults. Recorded evidence stands in. */
#include "tests/tui/steps.h"

#include "tests/tui/interview/candidate_seat.h"

static void use_runner(const char *plays)
{
    const char *build = getenv("BUILD");
    char command[512];
    int64_t end = os_monotonic_ms() + LONG_MS;
    snprintf(command, sizeof command, "%s/tests/fakes/fake_runner %s",
             build && *build ? build : "build", plays);
    gpu_use(host.gpu, command);
    while (gpu_state(host.gpu) != GPU_READY && os_monotonic_ms() < end) {
        struct client_event e;
        struct pollfd fds[16];
        int n = gpu_fds(host.gpu, fds, 16);
        poll(fds, (nfds_t)n, 100);
        gpu_step(host.gpu);
        while (gpu_event(host.gpu, &e))
            continue;
    }
    assert_int_equal(gpu_state(host.gpu), GPU_READY);
}

static void a_dead_runner_is_stood_in_for(void **state)
{
    use_runner("good");
    begin_scenario("live", 30, 100);
    learn_secrets(the_variant());
    until(" 67.1 ");
    assert_string_equal(candidate_trouble(guest), "");
    buy_timing();
    expect_not("recorded");
    gpu_use(host.gpu, "exit 3");
    press("d", "how busy is DRAM");
    keys("\r");
    until("d has arrived");
    expect("recorded");
    assert_int_equal(attempt_state(interview_attempt(live))->n_bought, 2);
    assert_string_equal(investigation_evidence(attempt_state(interview_attempt(live)), "dram")
                            ->tier,
                        "recorded");
    assert_non_null(strstr(candidate_trouble(guest), "recorded evidence stands in"));
    assert_string_equal(candidate_trouble(guest), "");
    DO(candidate_hand(guest, "stalls", &err));
    until("handed to you");
    end_interview();
    gpu_use(host.gpu, "");
}

static void a_fault_is_stood_in_for(void **state)
{
    setenv("WARPDRILL_FAKE_LIVE", "fault:a", 1);
    use_runner("live");
    begin_scenario("live", 24, 80);
    for (int64_t end = os_monotonic_ms() + LONG_MS;
         shows("being measured") && os_monotonic_ms() < end;)
        step();
    press("v", "CHECKS OF THE RESULT");
    press("1", "wrong elements?");
    keys("\r");
    until("v has arrived");
    assert_string_equal(investigation_evidence(attempt_state(interview_attempt(live)), "verify")
                            ->tier,
                        "recorded");
    assert_int_equal(attempt_state(interview_attempt(live))->price, 2);
    char trouble[256];
    snprintf(trouble, sizeof trouble, "%s", candidate_trouble(guest));
    assert_non_null(strstr(trouble, "illegal address"));
    assert_non_null(strstr(trouble, "recorded evidence stands in"));
    expect_not("illegal address");
    end_interview();
    gpu_use(host.gpu, "");
    unsetenv("WARPDRILL_FAKE_LIVE");
}

static void a_slow_runner_is_stood_in_for(void **state)
{
    use_runner("slow");
    begin_scenario("live", 30, 100);
    expect("being measured");
    later += 19000;
    step();
    expect("being measured");
    later += 2000;
    step();
    until("Its time is recorded");
    assert_non_null(strstr(candidate_trouble(guest), "recorded evidence stands in"));
    end_interview();
    gpu_use(host.gpu, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_dead_runner_is_stood_in_for),
        cmocka_unit_test(a_fault_is_stood_in_for),
        cmocka_unit_test(a_slow_runner_is_stood_in_for),
    };
    return RUN_CASES(tests, set_up, tear_down);
}
