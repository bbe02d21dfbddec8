/* What ssh and srun say, and what a person is told. The words of both were copied from the
 * programs. */
#include "scenarios/supply/front.h"

#include "scenarios/supply/gather.h"
#include "tests/unit.h"

static void far_commands_are_known(void **state)
{
    static const char *const far[] = {"ssh box r",  "/usr/bin/ssh box r", "exec ssh -p 2 box r",
                                      "A=1 srun r", "ssh login 'srun r'", "salloc srun r"};
    static const char *const near[] = {"warpdrill-runner", "/opt/sshd/runner", "./my-ssh-runner",
                                       "env A=srun1 r", ""};
    for (size_t i = 0; i < sizeof far / sizeof *far; i++)
        if (!front_is_far(far[i]))
            fail_msg("'%s' is far", far[i]);
    for (size_t i = 0; i < sizeof near / sizeof *near; i++)
        if (front_is_far(near[i]))
            fail_msg("'%s' is near", near[i]);
}

static void a_queue_begins_and_ends(void **state)
{
    long job = -1;
    assert_false(front_queued("", &job));
    assert_false(front_queued("Welcome\nqueue\n", &job));
    assert_true(front_queued("hello 7\nsrun: job 10 queued and waiting for resources\n", &job));
    assert_int_equal(job, 10);
    assert_false(front_queued("srun: job 10 queued and waiting for resources\nsrun: job 10 has "
                              "been allocated resources\n",
                              &job));
    assert_true(front_queued("salloc: Pending job allocation 12\nsalloc: job 12 queued and waiting "
                             "for resources\n",
                             &job));
    assert_int_equal(job, 12);
    assert_false(
        front_queued("salloc: Pending job allocation 12\nsalloc: Granted job allocation 12\n",
                     &job));
}

struct row { const char *command, *log; bool answered; int status; const char *says, *helps; };

static const struct row rows[] = {
    {"ssh box r",
     "No ED25519 host key is known for box and you have requested strict checking.\nHost key "
     "verification failed.\n",
     false, 255, "does not know this host's key", "answer its question"},
    {"ssh box r",
     "@ WARNING: REMOTE HOST IDENTIFICATION HAS CHANGED! @\nHost key verification failed.\n", false,
     255, "its key has changed", "ssh-keygen -R"},
    {"ssh box r", "me@box: Permission denied (publickey,password).\n", false, 255,
     "cannot ask for a password", "ssh-add"},
    {"ssh box r", "sh: 1: ./r: Permission denied\n", false, 126, "cannot be run",
     "built for that machine"},
    {"ssh box r", "ssh: Could not resolve hostname box: Name or service not known\n", false, 255,
     "no host of that name", NULL},
    {"ssh box r", "ssh: connect to host box port 22: No route to host\n", false, 255,
     "ssh could not connect. It said: ssh: connect to host box", "in a shell"},
    {"ssh box r", "Connection to box closed by remote host.\n", true, 255,
     "the ssh connection broke. It said: Connection to box closed by remote host", NULL},
    {"ssh box r", "Connection to box closed by remote host.\n", false, 255,
     "the ssh connection broke. It said: Connection to box closed by remote host", NULL},
    {"ssh box r", "client_loop: send disconnect: Broken pipe\n", false, 255,
     "the ssh connection broke. It said: client_loop: send disconnect", NULL},
    {"ssh box r", "kex_exchange_identification: Connection closed by remote host\n", false, 255,
     "ssh could not connect", "in a shell"},
    {"ssh box r", "sh: 1: r: not found\n", false, 127, "'ssh box r' was not found",
     "Copy build/warpdrill-runner there"},
    {"ssh box r", "", true, 128 + 9, "ssh was ended by signal 9", NULL},
    {"r", "", false, 127, "'r' was not found", "Is it on the PATH?"},
    {"r", "last words.\n\n", true, 3, "the runner ended with status 3. It said: last words", NULL},
    {"srun r",
     "srun: error: Unable to allocate resources: Requested node configuration is not available\n",
     false, 1, "Slurm refused the request", "sinfo"},
    {"srun r",
     "slurmstepd-n: error: execve(): r: No such file or directory\nsrun: error: n: task 0: Exited "
     "with exit code 2\n",
     false, 2, "could not start the runner on the node. It said: slurmstepd-n: error: execve()",
     "where the nodes see it"},
    {"srun r",
     "slurmstepd-n: error: *** STEP 2.0 ON n CANCELLED AT 2026-11-21T07:32:32 DUE TO TIME LIMIT "
     "***\nsrun: error: n: task 0: Terminated\n",
     true, 143, "time limit ended the job. It said: slurmstepd-n: error: *** STEP 2.0", "--time"},
    {"srun r",
     "slurmstepd-n: error: *** STEP 3.0 ON n CANCELLED AT 2026-11-21T07:32:57 ***\nsrun: error: n: "
     "task 0: Terminated\n",
     true, 143, "job was cancelled", "new one"},
    {"srun r",
     "srun: Job has been cancelled\nsrun: error: Unable to allocate resources: Job/step already "
     "completing or completed\n",
     false, 1, "job was cancelled", NULL},
    {"srun r", "srun: error: n: task 0: Killed\nsrun: Force Terminated StepId=4.0\n", true, 137,
     "the runner was ended by signal 9", NULL},
    {"srun r", "srun: error: n: task 0: Segmentation fault\n", true, 139,
     "the runner was ended by signal 11", NULL},
    {"srun r", "slurmstepd: error: Detected 1 oom_kill event in StepId=1.0\n", true, 137,
     "more memory than was asked for", "--mem"},
    {"ssh login srun r",
     "slurmstepd-n: error: *** JOB 2 ON n CANCELLED AT 1 DUE TO PREEMPTION ***\n", true, 143,
     "gave the GPU to another job", "queues again"},
};

static void every_end_is_explained(void **state)
{
    char text[400];
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct row *r = &rows[i];
        struct front_end e = {.command = r->command,
                              .log = r->log,
                              .answered = r->answered,
                              .known = true,
                              .status = r->status};
        front_explain(text, sizeof text, &e);
        if (!strstr(text, r->says) || (r->helps && !strstr(text, r->helps)))
            fail_msg("'%s' with %d and '%s' is told as: %s", r->command, r->status, r->log, text);
        size_t first = strcspn(text, ".");
        if (first > 100)
            fail_msg("the first sentence must stand alone on a row: %s", text);
    }
}

static void an_end_is_explained_in_any_room(void **state)
{
    char text[400], command[300], log[900];
    memset(command, 'c', sizeof command - 1);
    memset(log, 'l', sizeof log - 1);
    command[sizeof command - 1] = log[sizeof log - 1] = '\0';
    for (int status = 0; status < 256; status++)
        for (size_t size = 1; size < sizeof text; size += 57) {
            struct front_end e = {.command = command,
                                  .log = log,
                                  .known = status % 2,
                                  .status = status};
            front_explain(text, size, &e);
            assert_true(strlen(text) < size);
        }
}

static void what_steers_a_terminal_is_dropped(void **state)
{
    struct gather g = {.limit = 1000};
    static const char text[] = "one\r\ntwo\r50 %\rdone\n\033[1;31mred\033[0m\r\nlast\r";
    gather_add(&g, text, sizeof text - 1);
    assert_string_equal(gather_text(&g), "one\ntwo\n50 %\ndone\nred\nlast");
    gather_add(&g, "\r\n\033[", 4);
    assert_string_equal(gather_text(&g), "one\ntwo\n50 %\ndone\nred\nlast\n");
    free(g.text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(far_commands_are_known),
        cmocka_unit_test(a_queue_begins_and_ends),
        cmocka_unit_test(every_end_is_explained),
        cmocka_unit_test(an_end_is_explained_in_any_room),
        cmocka_unit_test(what_steers_a_terminal_is_dropped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
