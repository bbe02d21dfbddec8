/* The sanitizer's probe with a shell script in the tool's place: it is found, it is given a program
 * that does launch the run, what it prints becomes evidence, and it never outlives its request. */
#include "tests/kernels/runner/talk.h"

#include <sys/stat.h>

#include "tests/folder.h"
#include "tests/unit.h"

static char plan[96];

static void put_script(const char *text)
{
    char *path = text_format("%s/compute-sanitizer", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fprintf(f, "#!/bin/sh\n%s\n", text);
    fclose(f);
    assert_int_equal(chmod(path, 0755), 0);
    free(path);
}

static void put_plan(const char *text)
{
    FILE *f = fopen(plan, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    setenv("WARPDRILL_FAKE_PLAN", plan, 1);
}

/* Runs what it is told to, as the tool does; then speaks of the tool that was asked for. */
static const char plays_along[] =
    "[ \"$1\" = --tool ] && tool=$2 || exit 2\nwhile [ $# -gt 0 ] && [ \"${1##*/}\" != "
    "warpdrill-runner ]; do shift; done\n\"$@\" || exit 1\necho '========= "
    "COMPUTE-SANITIZER'\ncase $tool in\nracecheck) echo '========= Error: Race reported between "
    "Write access at move(float *)+0x70 in a.cu:4'\n           echo '=========     and Read access "
    "at move(float *)+0x90 in a.cu:5 [508 hazards]'\n           echo '========= RACECHECK SUMMARY: "
    "1 hazard displayed (1 error, 0 warnings)';;\n*) echo '========= ERROR SUMMARY: 0 "
    "errors';;\nesac";

static json_t *measure(struct talk *t, int id, const char *tool, int deadline_ms, json_t **done)
{
    char *item = text_format("{\"probe\":\"sanitize\",\"runs\":[\"a\"],\"tool\":\"%s\"}", tool);
    talk_measure(t, id, "move", deadline_ms, item);
    json_t *part = talk_part(t, "a");
    *done = talk_wait(t, "done");
    free(item);
    assert_non_null(part);
    assert_non_null(*done);
    return part;
}

static const char *missing(const json_t *part, const char *metric)
{
    const char *say = json_string_value(
        json_object_get(json_object_get(json_object_get(part, "metrics"), metric), "say"));
    return say ? say : "";
}

static void expect_count(struct talk *t, int id, const char *tool, const char *metric, double count)
{
    json_t *done, *part = measure(t, id, tool, 20000, &done);
    assert_string_equal(json_string_value(json_object_get(done, "status")), "ok");
    assert_true(talk_value(part, metric) == count);
    assert_true((json_array_size(json_object_get(part, "lines")) > 0) == (count > 0));
    json_decref(part);
    json_decref(done);
}

static void expect_missing(struct talk *t, int id, const char *tool, const char *metric,
                           const char *why, int deadline_ms)
{
    json_t *done, *part = measure(t, id, tool, deadline_ms, &done);
    const char *say = missing(part, metric);
    if (!strstr(say, why))
        fail_msg("\"%s\" instead of \"%s\"", say, why);
    assert_string_equal(json_string_value(json_object_get(done, "status")), "partial");
    json_decref(part);
    json_decref(done);
}

static void findings_become_evidence(void **state)
{
    struct talk t;
    put_script(plays_along);
    talk_open(&t);
    expect_count(&t, 1, "racecheck", "race_hazards", 508);
    expect_count(&t, 2, "memcheck", "memory_errors", 0);
    expect_count(&t, 3, "initcheck", "uninitialised_reads", 0);
    expect_count(&t, 4, "synccheck", "barrier_errors", 0);
    assert_int_equal(talk_close(&t), 0);
}

/* The first launch fills the one input, the second is the kernel: nothing else is launched there.
 */
static void the_program_launches_the_run(void **state)
{
    struct talk t;
    put_script(plays_along);
    put_plan("fail_cuLaunchKernel 2 1\n");
    talk_open(&t);
    expect_missing(&t, 1, "memcheck", "memory_errors", "INVALID_VALUE", 20000);
    put_plan("fail_cuLaunchKernel 3 1\n");
    expect_count(&t, 2, "memcheck", "memory_errors", 0);
    put_plan("fail_cuMemsetD8Async 2 1\n"); /* the worker had its one; there, outputs and
                                               surroundings stay unwritten */
    expect_count(&t, 3, "initcheck", "uninitialised_reads", 0);
    unsetenv("WARPDRILL_FAKE_PLAN");
    assert_int_equal(talk_close(&t), 0);
}

static void nonsense_is_no_evidence(void **state)
{
    struct talk t;
    talk_open(&t);
    put_script("exit 3");
    expect_missing(&t, 1, "memcheck", "memory_errors", "without a summary", 20000);
    put_script("echo '========= COMPUTE-SANITIZER'; echo '========= Error: Device not supported'; "
               "echo '========= ERROR SUMMARY: 0 errors'");
    expect_missing(&t, 2, "synccheck", "barrier_errors", "Device not supported", 20000);
    put_script(
        "while :; do echo "
        "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done");
    expect_missing(&t, 3, "racecheck", "race_hazards", "more than 64 MB", 60000);
    assert_int_equal(talk_close(&t), 0);
}

/* The script leaves its process id behind; nobody of that id may be left, which takes a moment
 * after SIGKILL. */
static bool is_gone(void)
{
    char *path = text_format("%s/pid", folder);
    FILE *f = fopen(path, "r");
    long pid = 0;
    bool gone = false;
    assert_true(f && fscanf(f, "%ld", &pid) == 1 && pid > 1);
    fclose(f);
    for (int i = 0; i < 1000 && !gone; i++) {
        gone = kill((pid_t)pid, 0) != 0;
        if (!gone)
            poll(NULL, 0, 10);
    }
    unlink(path);
    free(path);
    return gone;
}

static void wait_for_pid(void)
{
    char *path = text_format("%s/pid", folder);
    struct stat st;
    for (int i = 0; i < 2000 && (stat(path, &st) || st.st_size == 0); i++)
        poll(NULL, 0, 10);
    free(path);
}

static void it_does_not_outlive_its_request(void **state)
{
    struct talk t;
    char *hang =
        text_format("echo $$ > %s/new; mv %s/new %s/pid; exec sleep 1000", folder, folder, folder);
    put_script(hang);
    talk_open(&t);
    expect_missing(&t, 1, "racecheck", "race_hazards", "did not end", 2000);
    assert_true(is_gone());
    talk_measure(&t, 2, "move", 30000,
                 "{\"probe\":\"sanitize\",\"runs\":[\"a\"],\"tool\":\"memcheck\"}");
    wait_for_pid();
    dprintf(t.to, "{\"type\":\"cancel\",\"id\":2}\n");
    json_t *done = talk_wait(&t, "done");
    assert_string_equal(json_string_value(json_object_get(done, "status")), "cancelled");
    json_decref(done);
    assert_true(is_gone());
    talk_measure(&t, 3, "move", 30000,
                 "{\"probe\":\"sanitize\",\"runs\":[\"a\"],\"tool\":\"memcheck\"}");
    wait_for_pid();
    assert_int_equal(talk_close(&t), 0); /* the client goes away */
    assert_true(is_gone());
    free(hang);
}

/* A kernel that never ends, below a shell that does not pass on what happens to it: the program
 * goes all the same. */
static void nor_does_the_program_under_it(void **state)
{
    struct talk t;
    char *wrapper = text_format("while [ \"${1##*/}\" != warpdrill-runner ]; do shift; "
                                "done\n\"$@\" & echo $! > %s/new; mv %s/new %s/pid; wait",
                                folder, folder, folder);
    put_script(wrapper);
    talk_open(&t);
    talk_measure(&t, 1, "endless", 30000,
                 "{\"probe\":\"sanitize\",\"runs\":[\"a\"],\"tool\":\"memcheck\"}");
    wait_for_pid();
    dprintf(t.to, "{\"type\":\"cancel\",\"id\":1}\n");
    json_t *done = talk_wait(&t, "done");
    assert_string_equal(json_string_value(json_object_get(done, "status")), "cancelled");
    json_decref(done);
    assert_true(is_gone());
    assert_int_equal(talk_close(&t), 0);
    free(wrapper);
}

static int make_folder(void **state)
{
    if (folder_make("tool"))
        return -1;
    snprintf(plan, sizeof plan, "%s/plan", folder);
    char *path = text_format("%s:%s", folder, getenv("PATH"));
    setenv("PATH", path, 1);
    free(path);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(findings_become_evidence),
        cmocka_unit_test(the_program_launches_the_run),
        cmocka_unit_test(nonsense_is_no_evidence),
        cmocka_unit_test(it_does_not_outlive_its_request),
        cmocka_unit_test(nor_does_the_program_under_it),
    };
    return cmocka_run_group_tests(tests, make_folder, folder_remove);
}
