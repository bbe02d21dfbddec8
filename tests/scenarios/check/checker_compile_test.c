/* A small pack held against the fake NVRTC by the real runner: which faults are found, where, and
 * how often. No GPU is there. */
#include "scenarios/check/checker_compile.h"

#include <unistd.h>

#include "tests/scenarios/small_pack.h"
#include "tests/unit.h"

static char folder[] = "/tmp/warpdrill-compile-XXXXXX";

static int set_up(void **state)
{
    if (!mkdtemp(folder))
        return -1;
    setenv("WARPDRILL_CACHE", folder, 1);
    setenv("WARPDRILL_CUDA", "/nonexistent/libcuda.so", 1);
    return 0;
}

static int tear_down(void **state)
{
    char *remove = text_format("rm -rf %s", folder);
    int rc = system(remove);
    free(remove);
    return rc;
}

/* Names a file of the fakes, or one that is not there. */
static void use_nvrtc(const char *name)
{
    char *path = text_format("%s/tests/fakes/%s", getenv("BUILD"), name);
    setenv("WARPDRILL_NVRTC", path, 1);
    free(path);
}

static struct client *open_runner(void)
{
    struct client *client = NULL;
    char *command = text_format("%s/warpdrill-runner", getenv("BUILD"));
    struct err err = {0};
    assert_int_equal(client_open(&client, command, &err), 0);
    free(command);
    return client;
}

/* text with `from` (NULL: at its beginning) replaced by `to`. */
static char *change(const char *text, const char *from, const char *to)
{
    const char *at = from ? strstr(text, from) : text;
    assert_non_null(at);
    return text_format("%.*s%s%s", (int)(at - text), text, to, at + (from ? strlen(from) : 0));
}

struct outcome { struct findings found; struct compile_told told; int rc; struct err err; };

static struct outcome compile_pack(const char *story, const char *suspect, int n_variants)
{
    struct outcome o = {.rc = 0};
    struct pack *p = small_pack(story, suspect, NULL, &o.err);
    assert_non_null(p);
    struct client *client = open_runner();
    struct compile_check *k = compile_check_new(client, NULL, NULL);
    for (int i = 0; i < n_variants && !o.rc; i++)
        o.rc = compile_check_variant(k, &o.found, p->stories[0].variants[i], &o.err);
    findings_sort(&o.found);
    o.told = *compile_check_told(k);
    for (int i = 0; i < o.found.n; i++)
        print_message("# %s:%d:%d: %s [%s]\n", o.found.all[i].file ? o.found.all[i].file : "",
                      o.found.all[i].line, o.found.all[i].col, o.found.all[i].text,
                      o.found.all[i].rule->id);
    compile_check_free(k);
    client_free(client);
    pack_free(p);
    return o;
}

static void expect_finding(const struct outcome *o, int at, const char *rule, const char *file,
                           int line, const char *says)
{
    assert_true(at < o->found.n);
    assert_string_equal(o->found.all[at].rule->id, rule);
    assert_string_equal(o->found.all[at].file ? o->found.all[at].file : "", file);
    assert_int_equal(o->found.all[at].line, line);
    assert_non_null(strstr(o->found.all[at].text, says));
}

/* The fake knows sm_75, 80 and 90; the files of variant b are other paths with the same texts,
 * which were compiled already. */
static void a_good_pack_has_no_findings(void **state)
{
    struct outcome o = compile_pack(NULL, NULL, 2);
    assert_int_equal(o.rc, 0);
    assert_int_equal(o.found.n, 0);
    assert_string_equal(o.told.nvrtc, "13.0");
    assert_true(o.told.n_arch == 2 && o.told.arch[0] == 75 && o.told.arch[1] == 90);
    assert_int_equal(o.told.n_images,
                     3 * 2); /* suspect, fix and reference; variant b has the same texts */
    assert_true(o.told.n_skipped == 3 && o.told.skipped[0] == 100 && o.told.skipped[2] == 120);
    findings_free(&o.found);
}

static void a_source_that_asks_for_its_architecture_is_compiled_for_all(void **state)
{
    char *suspect = change(small_suspect, NULL, "// __CUDA_ARCH__ >= 800\n");
    struct outcome o = compile_pack(NULL, suspect, 1);
    assert_int_equal(o.found.n, 0);
    assert_true(o.told.n_arch == 3 && o.told.arch[1] == 80);
    assert_true(o.told.n_skipped == 5 && o.told.skipped[0] == 86);
    findings_free(&o.found);
    free(suspect);
}

static void one_fault_of_all_architectures_is_one_finding(void **state)
{
    char *suspect = change(small_suspect, NULL, "// fake: refuse\n");
    struct outcome o = compile_pack(NULL, suspect, 1);
    assert_int_equal(o.found.n, 1);
    expect_finding(&o, 0, "compiles", "sums/a/suspect.cu", 1,
                   "does not compile for sm_75 to sm_90: refused by the fake");
    assert_int_equal(o.found.n_errors, 1);
    findings_free(&o.found);
    free(suspect);
}

static void a_fault_of_old_architectures_says_what_to_claim(void **state)
{
    char *suspect = change(small_suspect, NULL, "// fake: needs sm_90\n"),
         *story = change(small_story, "compute: 7.5", "compute: 9");
    struct outcome o = compile_pack(NULL, suspect, 1),
                   claims_less = compile_pack(story, suspect, 1);
    assert_int_equal(o.found.n, 1);
    expect_finding(&o, 0, "compiles", "sums/a/suspect.cu", 0,
                   "does not compile for sm_75 and sm_80: ");
    expect_finding(&o, 0, "compiles", "sums/a/suspect.cu", 0,
                   "a story that needs sm_90 says `compute: 9` under `needs`");
    assert_int_equal(claims_less.found.n, 0);
    assert_true(claims_less.told.n_arch == 1 && claims_less.told.arch[0] == 90);
    findings_free(&o.found);
    findings_free(&claims_less.found);
    free(suspect);
    free(story);
}

static void kernels_that_launches_name_must_be_there(void **state)
{
    char *other = change(small_suspect, "extern \"C\" __global__ void sums",
                         "static int sums;\nextern \"C\" __global__ void totals");
    char *plain = change(small_suspect, "extern \"C\" ", "");
    struct outcome o = compile_pack(NULL, other, 1), mangled = compile_pack(NULL, plain, 1);
    assert_int_equal(o.found.n, 1);
    expect_finding(&o, 0, "kernel-name", "sums/a/suspect.cu", 1,
                   "there is no kernel sums, which a launch names; there is totals");
    assert_int_equal(mangled.found.n, 1);
    expect_finding(&mangled, 0, "kernel-name", "sums/a/suspect.cu", 1,
                   "the kernel sums is compiled under a C++ name (_Z4sumsv), so that no launch "
                   "finds it; expected extern \"C\" before it");
    findings_free(&o.found);
    findings_free(&mangled.found);
    free(other);
    free(plain);
}

/* n goes into a macro, and a step of the experiment changes n. */
static void steps_that_change_a_macro_are_compiled_too(void **state)
{
    char *story = change(small_story, "buffers:", "define:\n  SIZE: n\nbuffers:");
    char *suspect = change(small_suspect, NULL, "// fake: dislike -DSIZE=7680\n"),
         *always = change(small_suspect, NULL, "// fake: refuse\n");
    struct outcome o = compile_pack(story, suspect, 1), every = compile_pack(story, always, 1);
    assert_int_equal(o.told.n_images, 3 * 2 + 2 * 2); /* 8192 for all three; 4096 and 7680 for the
                                                         suspect, on the oldest and on this GPU */
    assert_int_equal(o.found.n, 1);
    expect_finding(&o, 0, "compiles", "sums/a/suspect.cu", 1,
                   "does not compile for sm_75 to sm_90 with SIZE=7680: refused by the fake");
    assert_int_equal(every.found.n, 1);
    assert_null(strstr(every.found.all[0].text, "SIZE"));
    findings_free(&o.found);
    findings_free(&every.found);
    free(story);
    free(suspect);
    free(always);
}

static void a_crash_of_the_compiler_is_a_finding(void **state)
{
    char *suspect = change(small_suspect, NULL, "// fake: crash-compiler\n");
    struct outcome o = compile_pack(NULL, suspect, 1);
    assert_int_equal(o.rc, 0);
    assert_int_equal(o.found.n, 1);
    expect_finding(&o, 0, "compiles", "", 0, "while compiling suspect.cu");
    findings_free(&o.found);
    free(suspect);
}

static void without_nvrtc_nothing_is_found_and_the_reason_told(void **state)
{
    use_nvrtc("missing/libnvrtc.so");
    struct outcome o = compile_pack(NULL, NULL, 1);
    use_nvrtc("libfakenvrtc.so");
    assert_int_equal(o.rc, ERR_UNSUPPORTED);
    assert_non_null(strstr(o.err.text, "NVRTC"));
    assert_int_equal(o.found.n, 0);
    assert_int_equal(o.told.n_images, 0);
    findings_free(&o.found);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_good_pack_has_no_findings),
        cmocka_unit_test(a_source_that_asks_for_its_architecture_is_compiled_for_all),
        cmocka_unit_test(one_fault_of_all_architectures_is_one_finding),
        cmocka_unit_test(a_fault_of_old_architectures_says_what_to_claim),
        cmocka_unit_test(kernels_that_launches_name_must_be_there),
        cmocka_unit_test(steps_that_change_a_macro_are_compiled_too),
        cmocka_unit_test(a_crash_of_the_compiler_is_a_finding),
        cmocka_unit_test(without_nvrtc_nothing_is_found_and_the_reason_told),
    };
    use_nvrtc("libfakenvrtc.so");
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
