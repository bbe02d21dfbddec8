/* The runner's client against a scripted runner: what comes back, what is said when it goes wrong,
 * and that nothing is left behind. */
#include "scenarios/supply/client.h"

#include <signal.h>
#include <unistd.h>

#include "kernels/wire/os.h"
#include "scenarios/supply/supply.h"
#include "tests/scenarios/fake_client.h"
#include "tests/scenarios/small_pack.h"
#include "tests/unit.h"

static struct pack *pack;

static int open_pack(void **state)
{
    struct err err = {0};
    pack = small_pack(NULL, NULL, NULL, &err);
    if (!pack)
        fprintf(stderr, "%s\n", err.text);
    return pack ? 0 : -1;
}

static int close_pack(void **state)
{
    pack_free(pack);
    return 0;
}

static int64_t ask(struct client *c, const char *probe)
{
    struct msg_measure m;
    struct err err = {0};
    assert_int_equal(request_build(&m, pack->stories[0].variants[0], &small_device, probe, 7, &err),
                     0);
    int64_t id = client_measure(c, &m, &err);
    msg_measure_free(&m);
    assert_true(id > 0);
    return id;
}

struct seen {
    int parts, devices, states, progress;
    double first_time;
    int64_t cancel;
    struct client *c;
};

static void note(void *ctx, const struct client_event *e)
{
    struct seen *s = ctx;
    s->states += e->kind == CLIENT_STATE;
    s->progress += e->kind == CLIENT_PROGRESS;
    s->devices += e->kind == CLIENT_DEVICE;
    if (e->kind == CLIENT_PART && s->parts++ == 0)
        s->first_time = msg_part_value(e->part, "time")->value;
    if (e->kind == CLIENT_PROGRESS && s->cancel)
        client_cancel(s->c, s->cancel);
}

static void keep(void *ctx, const struct client_event *e)
{
    if (e->kind != CLIENT_DEVICE)
        return;
    json_t *copy = msg_device_encode(e->device);
    assert_int_equal(msg_device_decode(ctx, copy, NULL), 0);
    json_decref(copy);
}

static void describes_and_measures(void **state)
{
    struct client *c = open_fake("good");
    struct seen seen = {0};
    struct err err = {0};
    int64_t describe = client_describe(c, "cached", &err), measure = ask(c, "pair");
    assert_int_equal(client_wait(c, describe, note, &seen, &err), 0);
    assert_int_equal(seen.devices, 1);
    assert_int_equal(client_wait(c, measure, note, &seen, &err), 0);
    assert_int_equal(seen.parts, 3); /* a, b and a/b */
    assert_true(seen.first_time > 3e-5 && seen.first_time < 4e-5);
    assert_true(client_can(c, "memory"));
    assert_false(client_can(c, "mind-reading"));
    assert_int_equal(client_method(c), METHOD_VERSION);
    assert_string_equal(client_greeting(c), "");
    client_free(c);
}

static void take_links(void *ctx, const struct client_event *e)
{
    if (e->kind == CLIENT_LINKS)
        *(struct msg_links *)ctx = *e->links;
}

static void links_are_asked_of_who_knows_them(void **state)
{
    struct client *c = open_fake("good");
    struct msg_links l = {.gpus = 0};
    struct msg_device d = {0};
    struct err err = {0};
    assert_int_equal(client_wait(c, client_describe(c, "none", &err), NULL, NULL, &err), 0);
    assert_false(client_can(c, "links"));
    client_free(c);
    setenv("WARPDRILL_FAKE_GPUS", "2", 1);
    c = open_fake("good");
    unsetenv("WARPDRILL_FAKE_GPUS");
    assert_int_equal(client_wait(c, client_links(c, 2, false, &err), take_links, &l, &err), 0);
    assert_true(client_can(c, "links"));
    assert_true(l.gpus == 2 && l.n_pairs == 2 && l.all_reduce.alpha == 1e-5);
    assert_int_equal(client_wait(c, client_describe(c, "none", &err), keep, &d, &err), 0);
    assert_true(d.links.gpus == 2);
    assert_true(client_wait(c, client_links(c, 3, false, &err), take_links, &l, &err) < 0);
    assert_non_null(strstr(err.text, "fewer GPUs"));
    assert_true(client_alive(c));
    msg_device_free(&d);
    client_free(c);
}

static void a_greeting_is_skipped_and_kept(void **state)
{
    struct client *c = open_fake("noisy");
    struct err err = {0};
    assert_int_equal(client_wait(c, client_describe(c, "none", &err), NULL, NULL, &err), 0);
    assert_non_null(strstr(client_greeting(c), "Welcome to gpubox."));
    assert_null(strchr(client_greeting(c), '\033'));
    client_free(c);
}

static void lost_with(const char *command, const char *words)
{
    struct err err = {0};
    struct client *c = open_command(command);
    int64_t id = ask(c, "pair");
    assert_int_equal(client_wait(c, id, NULL, NULL, &err), ERR_LOST);
    if (!strstr(err.text, words))
        fail_msg("'%s' should say '%s', says: %s", command, words, err.text);
    assert_false(client_alive(c));
    assert_int_equal(client_describe(c, "none", &err), ERR_LOST);
    client_free(c);
}

static void a_lost_runner_says_why(void **state)
{
    static const char *const cases[][2] = {
        {"wrong-version",
         "the runner (fake) speaks protocol 99, this warpdrill (0.1.0) protocol 1"},
        {"truncated", "closed the connection"},
        {"crashing", "signal 6"},
        {"garbage", "not a message"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *command = fake_command(cases[i][0]);
        lost_with(command, cases[i][1]);
        free(command);
    }
    lost_with("no-such-runner-anywhere", "PATH");
    lost_with("echo out of luck >&2; exit 3", "out of luck");
    lost_with("yes", "64 KiB");
}

static void a_refusal_carries_its_remedy(void **state)
{
    struct client *c = open_fake("no-gpu");
    struct err err = {0};
    assert_int_equal(client_wait(c, client_describe(c, "none", &err), NULL, NULL, &err),
                     ERR_NO_GPU);
    assert_non_null(strstr(err.text, "--runner"));
    assert_true(client_alive(c));
    client_free(c);
}

static void cancels_what_runs_and_what_waits(void **state)
{
    struct client *c = open_fake("slow");
    struct err err = {0};
    int64_t first = ask(c, "all"), second = ask(c, "pair"),
            third = client_describe(c, "none", &err);
    struct seen seen = {.cancel = first, .c = c};
    client_cancel(c, second);
    assert_int_equal(client_wait(c, second, NULL, NULL, &err), ERR_CANCELLED);
    assert_int_equal(client_wait(c, first, note, &seen, &err), ERR_CANCELLED);
    assert_true(seen.progress > 0);
    assert_int_equal(client_wait(c, third, NULL, NULL, &err), 0);
    client_free(c);
}

/* Ten seconds of silence, for both at once: after a request, and before any hello. */
static void silence_is_a_dead_link(void **state)
{
    struct client *c[2] = {open_fake("silent"), open_fake("mute")};
    bool lost[2] = {false, false};
    int64_t began = os_monotonic_ms();
    ask(c[0], "pair");
    while ((!lost[0] || !lost[1]) && os_monotonic_ms() - began < 30000) {
        struct pollfd fds[6];
        struct client_event e;
        int n = 0, wait = 1000;
        for (int i = 0; i < 2; i++) {
            n += client_fds(c[i], fds + n, 3);
            int t = client_timeout_ms(c[i]);
            wait = t >= 0 && t < wait ? t : wait;
        }
        poll(fds, (nfds_t)n, wait);
        for (int i = 0; i < 2; i++) {
            client_step(c[i]);
            while (client_event(c[i], &e))
                lost[i] = lost[i] || e.kind == CLIENT_LOST;
        }
    }
    assert_true(lost[0] && lost[1]);
    assert_in_range(os_monotonic_ms() - began, 9500, 20000);
    client_free(c[0]);
    client_free(c[1]);
}

static bool is_gone(long pid)
{
    char path[64], stat[256] = "";
    snprintf(path, sizeof path, "/proc/%ld/stat", pid);
    FILE *f = fopen(path, "r");
    if (!f)
        return kill((pid_t)pid, 0) != 0;
    size_t n = fread(stat, 1, sizeof stat - 1, f);
    fclose(f);
    stat[n] = '\0';
    const char *after = strrchr(stat, ')');
    return !after || after[2] == 'Z' || after[2] == 'X';
}

static void nothing_is_left_behind(void **state)
{
    char folder[] = "/tmp/warpdrill-client-XXXXXX", file[64];
    assert_non_null(mkdtemp(folder));
    snprintf(file, sizeof file, "%s/pid", folder);
    char *runner = fake_command("good"),
         *command = text_format("sleep 1000 & echo $! > %s; %s", file, runner);
    struct client *c = open_command(command);
    struct err err = {0};
    assert_int_equal(client_wait(c, client_describe(c, "none", &err), NULL, NULL, &err), 0);
    long pid = 0;
    FILE *f = fopen(file, "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%ld", &pid), 1);
    fclose(f);
    assert_false(is_gone(pid));
    client_free(c);
    int64_t until = os_monotonic_ms() + 10000;
    while (!is_gone(pid) && os_monotonic_ms() < until)
        poll(NULL, 0, 10);
    assert_true(is_gone(pid));
    unlink(file);
    rmdir(folder);
    free(runner);
    free(command);
}

static void a_queue_is_not_a_hang(void **state)
{
    char *runner = fake_command("good"),
         *command = text_format("echo 'srun: job 12 queued and waiting for resources' >&2; read "
                                "first; { echo \"$first\"; cat; } | { %s; }",
                                runner);
    struct client *c = open_command(command);
    struct seen seen = {0};
    struct err err = {0};
    int64_t id = client_describe(c, "none", &err);
    assert_int_equal(client_wait(c, id, note, &seen, &err), 0);
    assert_true(seen.states >= 2); /* the queue, and the runner's own */
    assert_non_null(strstr(client_log(c), "queued"));
    client_free(c);
    free(runner);
    free(command);
}

/* ---- a link made anew ---- */

static void a_lost_link_is_made_anew(void **state)
{
    struct client *c = open_fake("crashing");
    struct msg_device d = {0};
    struct err err = {0};
    assert_int_equal(client_wait(c, client_describe(c, "none", &err), keep, &d, &err), 0);
    int64_t first = ask(c, "pair");
    assert_int_equal(client_wait(c, first, NULL, NULL, &err), ERR_LOST);
    char *good = fake_command("good");
    struct seen seen = {0};
    assert_int_equal(client_again(c, good, &d, &err), 0);
    assert_true(client_alive(c));
    int64_t second = ask(c, "pair");
    assert_true(second > first + 1); /* the proof came between */
    assert_int_equal(client_wait(c, second, note, &seen, &err), 0);
    assert_int_equal(seen.devices, 1);
    assert_int_equal(seen.parts, 3);
    msg_device_free(&d);
    free(good);
    client_free(c);
}

/* Steps without taking an event: what a starved program finds when it comes to run again. */
static void step_until_dead(struct client *c)
{
    int64_t until = os_monotonic_ms() + 20000;
    while (client_alive(c) && os_monotonic_ms() < until) {
        struct pollfd fds[3];
        poll(fds, (nfds_t)client_fds(c, fds, 3), 10);
        client_step(c);
    }
    assert_false(client_alive(c));
}

static void a_loss_behind_an_answer_is_told_and_then_over(void **state)
{
    char *good = fake_command("good"),
         *command = text_format("for k in 1 2; do read -r line; printf '%%s\\n' \"$line\"; done | "
                                "(%s); echo the far side is gone >&2; exit 3",
                                good);
    struct client *c = open_command(command);
    struct msg_device d = {0};
    struct supply *s = NULL;
    struct err err = {0};
    int64_t id = client_describe(c, "none", &err);
    assert_string_equal(client_lost(c), "");
    step_until_dead(c);
    assert_int_equal(client_wait(c, id, keep, &d, &err), 0);     /* its answer had come */
    static const char why[] = "the runner ended with status 3. It said: the far side is gone";
    assert_string_equal(client_lost(c), why);
    assert_int_equal(client_describe(c, "none", &err), ERR_LOST);
    assert_string_equal(err.text, why);
    assert_int_equal(supply_live(&s, pack->stories[0].variants[0], c, &d, 7, &err), ERR_LOST);
    assert_string_equal(err.text, why);
    assert_int_equal(client_again(c, good, &d, &err),
                     0); /* the news of the loss was not taken yet, and is old now */
    assert_string_equal(client_lost(c), "");
    assert_int_equal(client_wait(c, ask(c, "pair"), NULL, NULL, &err), 0);
    msg_device_free(&d);
    client_free(c);
    free(good);
    free(command);
}

static void hand_on(void *ctx, const struct client_event *e)
{
    supply_event(ctx, e);
}

static void a_supply_goes_on_over_a_link_made_anew(void **state)
{
    struct client *c = open_fake("good");
    struct msg_device d = {0};
    struct supply *s = NULL;
    struct err err = {0};
    assert_int_equal(client_wait(c, client_describe(c, "none", &err), keep, &d, &err), 0);
    assert_int_equal(supply_live(&s, pack->stories[0].variants[0], c, &d, 7, &err), 0);
    client_stop(c);
    assert_int_equal(supply_ask(s, "timing", &err),
                     0); /* connects again, before anybody heard of the end */
    while (supply_poll(s) == SUPPLY_WORKING && client_wait_any(c, hand_on, s, &err) == 0)
        continue;
    if (supply_poll(s) != SUPPLY_READY)
        fail_msg("%s %s", supply_say(s, NULL, NULL), err.text);
    supply_free(s);
    msg_device_free(&d);
    client_free(c);
}

static void another_gpu_is_not_mixed_in(void **state)
{
    struct client *c = open_fake("crashing");
    struct err err = {0};
    struct msg_number attributes[] = {{.name = "compute", .value = 8.0},
                                      {.name = "sm_count", .value = 108}};
    struct msg_device other = {.name = "NVIDIA A100", .attributes = attributes, .n_attributes = 2};
    char *good = fake_command("good");
    struct seen seen = {0};
    assert_int_equal(client_wait(c, ask(c, "pair"), NULL, NULL, &err), ERR_LOST);
    assert_int_equal(client_again(c, good, &other, &err), 0);
    assert_int_equal(client_wait(c, ask(c, "pair"), note, &seen, &err), ERR_LOST);
    assert_non_null(strstr(err.text, "Fake GPU"));
    assert_non_null(strstr(err.text, "NVIDIA A100"));
    assert_int_equal(seen.parts, 0);
    free(good);
    client_free(c);
}

static const char queueing[] = "trap 'echo gone >&2; exit 0' TERM; echo 'srun: job 12 queued and "
                               "waiting for resources' >&2; sleep 1000 & wait";

static void a_queue_is_told_and_left(void **state)
{
    struct client *c = open_fake("crashing");
    struct err err = {0};
    struct msg_device d = {.name = "Fake GPU"};
    assert_int_equal(client_wait(c, ask(c, "pair"), NULL, NULL, &err), ERR_LOST);
    assert_int_equal(client_again(c, queueing, &d, &err), 0);
    int64_t id = ask(c, "pair"), until = os_monotonic_ms() + 20000;
    bool told = false, cancelled = false, lost = false;
    while (!lost && os_monotonic_ms() < until) {
        struct pollfd fds[3];
        struct client_event e;
        poll(fds, (nfds_t)client_fds(c, fds, 3), client_timeout_ms(c));
        client_step(c);
        while (client_event(c, &e)) {
            if (e.kind == CLIENT_STATE && e.queued_s == 1 && !told) {
                assert_string_equal(e.say, "in Slurm's queue for 0:01 (job 12)");
                told = true;
                client_cancel(c, id);
            }
            cancelled |= e.kind == CLIENT_DONE && e.id == id && e.done->status == DONE_CANCELLED;
            lost |= e.kind == CLIENT_LOST;
        }
    }
    assert_true(told && cancelled &&
                lost); /* nobody waits for this job any more, so it is taken back */
    assert_false(client_alive(c));
    client_free(c);
}

/* ---- a runner without measure ---- */

static int64_t ahead_ms;

static int64_t clock_ahead(void)
{
    return os_monotonic_ms() + ahead_ms;
}

/* A sign of life comes every step_ms of the client's clock. */
struct patience { int64_t step_ms; int heard, seen; };

static void hear(void *ctx, const struct client_event *e)
{
    struct patience *p = ctx;
    p->heard += e->kind == CLIENT_PROGRESS || e->kind == CLIENT_STATE;
}

static bool let_time_pass(void *ctx)
{
    struct patience *p = ctx;
    if (p->heard > p->seen)
        ahead_ms += p->step_ms;
    p->seen = p->heard;
    return false;
}

static void goes_on_until(const char *scenario, int64_t step_ms, const char *words)
{
    struct client *c = open_fake(scenario);
    struct patience p = {.step_ms = step_ms};
    struct err err = {0};
    ahead_ms = 0;
    client_set_clock(c, clock_ahead);
    assert_int_equal(client_wait_unless(c, ask(c, "pair"), hear, let_time_pass, &p, &p, &err),
                     ERR_LOST);
    if (!strstr(err.text, words))
        fail_msg("'%s' should say '%s', says: %s", scenario, words, err.text);
    assert_false(client_alive(c));
    client_free(c);
}

static void too_much_is_a_loss(void **state)
{
    goes_on_until("parts", 0, "more than 8 answers to one request");
    goes_on_until("large", 0, "more than 64 MiB to one request");
}

static void progress_is_no_reason_to_wait_for_ever(void **state)
{
    goes_on_until("progress", 5000, "longer than it may");
    goes_on_until("chatter", 5000, "did not answer within 10 minutes");
}

static void nobody_is_asked_for_a_password(void **state)
{
    lost_with("{ : </dev/tty; } 2>&1 | grep -q . && echo no terminal >&2; exit 9", "no terminal");
    lost_with("echo $SSH_ASKPASS_REQUIRE >&2; exit 9", "never");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(describes_and_measures),
        cmocka_unit_test(links_are_asked_of_who_knows_them),
        cmocka_unit_test(a_greeting_is_skipped_and_kept),
        cmocka_unit_test(a_lost_runner_says_why),
        cmocka_unit_test(a_refusal_carries_its_remedy),
        cmocka_unit_test(cancels_what_runs_and_what_waits),
        cmocka_unit_test(silence_is_a_dead_link),
        cmocka_unit_test(nothing_is_left_behind),
        cmocka_unit_test(a_queue_is_not_a_hang),
        cmocka_unit_test(a_lost_link_is_made_anew),
        cmocka_unit_test(a_loss_behind_an_answer_is_told_and_then_over),
        cmocka_unit_test(a_supply_goes_on_over_a_link_made_anew),
        cmocka_unit_test(another_gpu_is_not_mixed_in),
        cmocka_unit_test(a_queue_is_told_and_left),
        cmocka_unit_test(nobody_is_asked_for_a_password),
        cmocka_unit_test(too_much_is_a_loss),
        cmocka_unit_test(progress_is_no_reason_to_wait_for_ever),
    };
    return cmocka_run_group_tests(tests, open_pack, close_pack);
}
