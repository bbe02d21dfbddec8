/* What is made of compute-sanitizer's output, in the shapes that its versions give it. */
#include "kernels/runner/report.h"

#include "tests/unit.h"

static struct report feed(const char *text)
{
    struct report r = {.begun = false};
    char *copy = strdup(text), *rest = copy;
    for (char *line; (line = strsep(&rest, "\n"));)
        report_line(&r, line);
    report_line(&r, NULL);
    free(copy);
    return r;
}

static void nothing_found(void **state)
{
    struct report r = feed(
        "========= COMPUTE-SANITIZER\nhello from a kernel\n========= ERROR SUMMARY: 0 errors\n");
    assert_true(r.begun && r.summed && report_count(&r) == 0 && r.n_findings == 0 && !*r.complaint);
    r = feed("========= COMPUTE-SANITIZER\n========= RACECHECK SUMMARY: 0 hazards displayed (0 "
             "errors, 0 warnings)\n");
    assert_true(r.summed && report_count(&r) == 0);
}

static void accesses_out_of_bounds(void **state)
{
    struct report r = feed(
        "========= COMPUTE-SANITIZER\n========= Invalid __global__ read of size 4 bytes\n========= "
        "    at sum_rows(float *, const float *, int)+0x160 in /tmp/x/suspect.cu:12\n=========     "
        "by thread (31,0,0) in block (7,0,0)\n=========     Address 0x7f6510c00ffc is out of "
        "bounds\n=========     and is 1 bytes after the nearest allocation at 0x7f6510c00000 of "
        "size 4,092 bytes\n=========     Saved host backtrace up to driver entry point at kernel "
        "launch time\n=========         Host Frame: main [0x1754] in "
        "warpdrill-runner\n=========\n========= Invalid __global__ read of size 4 bytes\n========= "
        "    at sum_rows(float *, const float *, int)+0x160 in /tmp/x/suspect.cu:12\n=========     "
        "by thread (31,0,0) in block (8,0,0)\n=========\n========= Program hit "
        "CUDA_ERROR_LAUNCH_FAILED (error 719) due to \"unspecified launch failure\" on CUDA API "
        "call to cuCtxSynchronize.\n=========     Saved host backtrace up to driver entry point at "
        "error\n=========\n========= Target application returned an error\n========= ERROR "
        "SUMMARY: 258 errors\n========= ERROR SUMMARY: 155 errors were not printed. Use "
        "--print-limit option to adjust the number of printed errors\n");
    assert_true(report_count(&r) == 257); /* the failed call is no access */
    assert_int_equal(r.n_findings, 1);    /* one place, however many threads */
    assert_string_equal(r.findings[0],
                        "Invalid __global__ read of size 4 bytes at sum_rows in suspect.cu:12");
}

static void races(void **state)
{
    struct report r =
        feed("========= COMPUTE-SANITIZER\n========= Warning: Maximum number of hazards reached. "
             "Environment variable X can be used to increase this count.\n=========\n========= "
             "Error: Race reported between Write access at fold(const float *, float *)+0x550 in "
             "suspect.cu:10\n=========     and Read access at fold(const float *, float *)+0x580 "
             "in suspect.cu:17 [65536 hazards]\n=========     and Read access at fold(const float "
             "*, float *)+0x590 in suspect.cu:18 [16 hazards]\n=========\n========= Warning: Race "
             "reported between Read access at fold(const float *, float *)+0x10 in "
             "suspect.cu:1\n=========     and Write access at fold(const float *, float *)+0x20 in "
             "suspect.cu:2 [4 hazards]\n=========\n========= RACECHECK SUMMARY: 2 hazards "
             "displayed (1 error, 1 warning)\n");
    assert_true(report_count(&r) == 65556);
    assert_int_equal(r.n_findings, 2);
    assert_string_equal(r.findings[0],
                        "Race reported between Write access at fold in suspect.cu:10 and Read "
                        "access at fold in suspect.cu:17 [65536 hazards] and Read access at fold "
                        "in suspect.cu:18 [16 hazards]");
}

static void barriers_and_reads(void **state)
{
    struct report r = feed("========= COMPUTE-SANITIZER\n"
                           "========= Barrier error detected. Divergent thread(s) in block.\n"
                           "=========     at late(int *)+0xa0 in suspect.cu:61\n"
                           "=========     by thread (19,0,0) in block (0,0,0)\n"
                           "========= ERROR SUMMARY: 1 error\n");
    assert_true(report_count(&r) == 1);
    assert_string_equal(r.findings[0], "Barrier error detected. Divergent thread(s) in block at "
                                       "late in suspect.cu:61");
    r = feed("========= COMPUTE-SANITIZER\n"
             "========= Uninitialized __global__ memory read of size 4 bytes\n"
             "=========     at 0x88 in add(float *)\n"
             "========= ERROR SUMMARY: 64 errors\n");
    assert_true(report_count(&r) == 64);
    assert_string_equal(r.findings[0],
                        "Uninitialized __global__ memory read of size 4 bytes at 0x88 in add");
}

static void complaints(void **state)
{
    struct report r = feed("========= COMPUTE-SANITIZER\n========= Error: No attachable process "
                           "found. compute-sanitizer timed-out.\n");
    assert_true(!r.summed && strstr(r.complaint, "No attachable process"));
    r = feed("========= COMPUTE-SANITIZER\nwarpdrill-sanitized: the GPU has no memory "
             "left\n========= ERROR SUMMARY: 1 error\n");
    assert_string_equal(r.complaint, "the GPU has no memory left");
}

/* However long or odd, nothing is written where it does not belong. */
static void nonsense(void **state)
{
    char line[4096];
    struct report r = {.begun = false};
    for (size_t n = 0; n < sizeof line - 1; n += 13) {
        memset(line, n % 2 ? '(' : ' ', sizeof line);
        memcpy(line, "========= Invalid ", 18);
        memcpy(line + 18 + n % 900, " in /", 5);
        line[n < 30 ? n : sizeof line - 1] = '\0';
        report_line(&r, line);
        memcpy(line, "=========     at +0x", 20);
        line[sizeof line - 1] = '\0';
        report_line(&r, line);
    }
    report_line(&r, "========= ERROR SUMMARY: many errors");
    report_line(&r, NULL);
    assert_true(r.summed && r.n_findings <= REPORT_FINDINGS);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_found), cmocka_unit_test(accesses_out_of_bounds),
        cmocka_unit_test(races),         cmocka_unit_test(barriers_and_reads),
        cmocka_unit_test(complaints),    cmocka_unit_test(nonsense),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
