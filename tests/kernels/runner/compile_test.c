/* Compiling alone: what the client hears of each source and architecture, with neither driver nor
 * GPU there. */
#include "kernels/runner/ptx.h"
#include "tests/kernels/runner/talk.h"

#include <dirent.h>

#include "tests/fakes/fake.h"
#include "tests/unit.h"

#define MOVE "extern \\\"C\\\" __global__ void move(float *out) {}"

static void open_without_gpu(struct talk *t)
{
    talk_open_with(t, "/nonexistent/libcuda.so");
}

/* Asks to compile one source, given as the inside of a JSON string. */
static void ask(struct talk *t, int id, const char *text, const char *archs, int deadline_ms)
{
    dprintf(t->to,
            "{\"type\":\"compile\",\"id\":%d,\"deadline_ms\":%d,\"sources\":{\"a\":{\"name\":"
            "\"suspect.cu\",\"text\":\"%s\"}},\"define\":{\"TILE\":\"32\"},\"arch\":[%s]}\n",
            id, deadline_ms, text, archs);
}

/* The next `compiled`, which must be of this architecture; the done of the request must not come
 * before it. */
static json_t *expect_compiled(struct talk *t, const char *arch)
{
    json_t *m;
    while ((m = talk_wait(t, NULL)) && strcmp(talk_text(m, "type"), "compiled")) {
        assert_string_not_equal(talk_text(m, "type"), "done");
        json_decref(m);
    }
    assert_non_null(m);
    assert_string_equal(talk_text(m, "arch"), arch);
    assert_string_equal(talk_text(m, "source"), "a");
    return m;
}

static void expect_done(struct talk *t, const char *status, const char *code, const char *says)
{
    json_t *done = talk_wait(t, "done"), *error = json_object_get(done, "error");
    print_message("# %s %s: %s\n", talk_text(done, "status"), talk_text(error, "code"),
                  talk_text(error, "text"));
    assert_string_equal(talk_text(done, "status"), status);
    assert_string_equal(talk_text(error, "code"), code);
    assert_non_null(strstr(talk_text(error, "text"), says));
    json_decref(done);
}

static void expect_good(struct talk *t, const char *arch, const char *kernel)
{
    json_t *m = expect_compiled(t, arch), *kernels = json_object_get(m, "kernels");
    assert_true(json_is_true(json_object_get(m, "ok")));
    assert_int_equal(json_array_size(kernels), 1);
    assert_string_equal(json_string_value(json_array_get(kernels, 0)), kernel);
    json_decref(m);
}

static void expect_refused(struct talk *t, const char *arch, const char *says)
{
    json_t *m = expect_compiled(t, arch);
    assert_true(json_is_false(json_object_get(m, "ok")));
    assert_non_null(strstr(talk_text(m, "log"), says));
    json_decref(m);
}

static void every_architecture_is_answered_without_a_gpu(void **state)
{
    struct talk t;
    open_without_gpu(&t);
    ask(&t, 1, MOVE, "\"sm_75\",\"sm_90\"", 20000);
    json_t *compiler = talk_wait(&t, "compiler");
    assert_string_equal(talk_text(compiler, "nvrtc"), "13.0");
    assert_int_equal(json_array_size(json_object_get(compiler, "arch")), 3);
    json_decref(compiler);
    expect_good(&t, "sm_75", "move");
    expect_good(&t, "sm_90", "move");
    expect_done(&t, "ok", "", "");
    assert_int_equal(talk_close(&t), 0);
}

static void a_listing_comes_where_it_is_asked_for(void **state)
{
    struct talk t;
    open_without_gpu(&t);
    dprintf(t.to, "{\"type\":\"compile\",\"id\":2,\"deadline_ms\":20000,\"listing\":true,"
                  "\"sources\":{\"a\":{\"name\":\"suspect.cu\",\"text\":\"" MOVE "\"}},"
                  "\"define\":{},\"arch\":[\"sm_90\"]}\n");
    json_t *m = expect_compiled(&t, "sm_90");
    assert_non_null(strstr(talk_text(m, "ptx"), "move"));
    json_decref(m);
    expect_done(&t, "ok", "", "");
    ask(&t, 3, MOVE, "\"sm_90\"", 20000);
    m = expect_compiled(&t, "sm_90");
    assert_null(json_object_get(m, "ptx"));
    json_decref(m);
    expect_done(&t, "ok", "", "");
    assert_int_equal(talk_close(&t), 0);
}

static void an_error_comes_with_its_line(void **state)
{
    struct talk t;
    open_without_gpu(&t);
    ask(&t, 1, "// fake: refuse\\n" MOVE, "\"sm_75\"", 20000);
    expect_refused(&t, "sm_75", "suspect.cu(1): error: refused by the fake");
    expect_done(&t, "ok", "", "");
    ask(&t, 2, "// fake: needs sm_80\\n" MOVE, "\"sm_75\",\"sm_80\",\"sm_90\"", 20000);
    expect_refused(&t, "sm_75", "'move' needs a newer GPU");
    expect_good(&t, "sm_80", "move");
    expect_good(&t, "sm_90", "move");
    expect_done(&t, "ok", "", "");
    assert_int_equal(talk_close(&t), 0);
}

/* Such a source is compiled for all that its architecture has, where there is more than in the next. */
static void an_exact_source_is_for_one_architecture(void **state)
{
    static const char text[] = "// fake: dislike --gpu-architecture=sm_90a\\n" MOVE;
    struct talk t;
    open_without_gpu(&t);
    dprintf(t.to,
            "{\"type\":\"compile\",\"id\":1,\"deadline_ms\":20000,\"sources\":{\"a\":{\"name\":"
            "\"suspect.cu\",\"text\":\"%s\",\"exact\":true}},\"arch\":[\"sm_80\",\"sm_90\"]}\n",
            text);
    expect_good(&t, "sm_80", "move");
    json_t *refused = expect_compiled(&t, "sm_90");
    assert_false(json_is_true(json_object_get(refused, "ok")));
    json_decref(refused);
    expect_done(&t, "ok", "", "");
    ask(&t, 2, text, "\"sm_90\"", 20000);
    expect_good(&t, "sm_90", "move");
    expect_done(&t, "ok", "", "");
    assert_int_equal(talk_close(&t), 0);
}

static void what_nvrtc_does_not_know_is_skipped(void **state)
{
    struct talk t;
    open_without_gpu(&t);
    ask(&t, 1, MOVE, "\"sm_70\",\"sm_80\",\"sm_999\"", 20000);
    json_t *old = expect_compiled(&t, "sm_70");
    assert_string_equal(talk_text(old, "skipped"), "NVRTC 13.0 does not compile for sm_70");
    assert_null(json_object_get(old, "ok"));
    expect_good(&t, "sm_80", "move");
    json_t *future = expect_compiled(&t, "sm_999");
    assert_non_null(json_object_get(future, "skipped"));
    expect_done(&t, "ok", "", "");
    json_decref(old);
    json_decref(future);
    assert_int_equal(talk_close(&t), 0);
}

static void without_nvrtc_the_request_fails_with_the_reason(void **state)
{
    struct talk t;
    talk_nvrtc = "missing/libnvrtc.so";
    open_without_gpu(&t);
    ask(&t, 1, MOVE, "\"sm_75\"", 20000);
    expect_done(&t, "failed", "unsupported", "NVRTC");
    talk_nvrtc = "libfakenvrtc.so";
    assert_int_equal(talk_close(&t), 0);
}

static void an_endless_compilation_ends_at_its_deadline(void **state)
{
    struct talk t;
    open_without_gpu(&t);
    ask(&t, 1, "// fake: endless-compilation\\n" MOVE, "\"sm_75\"", 1000);
    expect_done(&t, "failed", "timeout", "compiling suspect.cu for sm_75");
    ask(&t, 2, MOVE, "\"sm_75\"", 20000); /* by a new compiler */
    expect_good(&t, "sm_75", "move");
    expect_done(&t, "ok", "", "");
    assert_int_equal(talk_close(&t), 0);
}

static void it_can_be_called_off(void **state)
{
    struct talk t;
    open_without_gpu(&t);
    ask(&t, 1, "// fake: endless-compilation\\n" MOVE, "\"sm_75\"", 20000);
    json_t *compiler = talk_wait(&t, "compiler");
    assert_non_null(compiler);
    json_decref(compiler);
    ask(&t, 2, MOVE, "\"sm_75\"", 20000);
    expect_done(&t, "failed", "busy", "request 1");
    dprintf(t.to, "{\"type\":\"cancel\",\"id\":1}\n");
    expect_done(&t, "cancelled", "cancelled", "");
    ask(&t, 3, MOVE, "\"sm_80\"", 20000);
    expect_good(&t, "sm_80", "move");
    expect_done(&t, "ok", "", "");
    assert_int_equal(talk_close(&t), 0);
}

static void a_compiler_that_crashes_ends_the_request_alone(void **state)
{
    struct talk t;
    open_without_gpu(&t);
    ask(&t, 1, "// fake: crash-compiler\\n" MOVE, "\"sm_75\"", 20000);
    expect_done(&t, "failed", "lost", "while compiling suspect.cu");
    ask(&t, 2, MOVE, "\"sm_75\"", 20000);
    expect_good(&t, "sm_75", "move");
    expect_done(&t, "ok", "", "");
    assert_int_equal(talk_close(&t), 0);
}

/* The kernel hangs, its worker is killed; what needs no worker goes on meanwhile, and measuring
 * after it. */
static void a_worker_that_is_ended_is_no_hindrance(void **state)
{
    struct talk t;
    talk_open(&t);
    talk_measure(&t, 1, "endless", 1000, "{\"probe\":\"timing\",\"runs\":[\"a\"]}");
    expect_done(&t, "failed", "timeout", "");
    ask(&t, 2, MOVE, "\"sm_75\",\"sm_80\"", 20000);
    expect_good(&t, "sm_75", "move");
    expect_good(&t, "sm_80", "move");
    expect_done(&t, "ok", "", "");
    talk_measure(&t, 3, "move", 20000, "{\"probe\":\"check\",\"runs\":[\"a\"],\"against\":\"r\"}");
    expect_done(&t, "ok", "", "");
    assert_int_equal(talk_close(&t), 0);
}

static void improper_requests_are_refused_by_name(void **state)
{
    struct talk t;
    open_without_gpu(&t);
    ask(&t, 1, MOVE, "\"sm_90\",\"sm_90\"", 20000);
    expect_done(&t, "failed", "bad-request", "sm_90 twice");
    ask(&t, 2, MOVE, "", 20000);
    expect_done(&t, "failed", "bad-request", "arch");
    ask(&t, 3, MOVE, "\"compute_90\"", 20000);
    expect_done(&t, "failed", "bad-request", "arch");
    ask(&t, 4, "#include <stdio.h>", "\"sm_90\"", 20000);
    expect_done(&t, "failed", "bad-request", "suspect.cu");
    ask(&t, 5, MOVE, "\"sm_90\"", 1);
    expect_done(&t, "failed", "bad-request", "deadline_ms");
    assert_int_equal(talk_close(&t), 0);
}

/* The second time nothing is compiled: the compiler would refuse by now. */
static void the_cache_answers_too(void **state)
{
    struct talk t;
    struct fake_fault fault = {.call = "nvrtcCompileProgram", .at = 1, .code = 6};
    char path[] = "/tmp/warpdrill-fault-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0 && ftruncate(fd, sizeof fault) == 0);
    setenv("WARPDRILL_FAKE_FAULT", path, 1);
    open_without_gpu(&t);
    ask(&t, 1, MOVE, "\"sm_75\"", 20000);
    expect_good(&t, "sm_75", "move");
    expect_done(&t, "ok", "", "");
    assert_int_equal(pwrite(fd, &fault, sizeof fault, 0), sizeof fault);
    ask(&t, 2, MOVE, "\"sm_75\"", 20000);
    expect_good(&t, "sm_75", "move");
    expect_done(&t, "ok", "", "");
    ask(&t, 3, MOVE, "\"sm_80\"", 20000);
    expect_refused(&t, "sm_80", "");
    expect_done(&t, "ok", "", "");
    assert_int_equal(talk_close(&t), 0);
    unsetenv("WARPDRILL_FAKE_FAULT");
    close(fd);
    unlink(path);
}

/* A compiler that was started anew would ask for the version again, which fails now. */
static void one_compiler_serves_many_texts(void **state)
{
    struct talk t;
    struct fake_fault fault = {.call = "nvrtcVersion", .at = 1, .code = 6};
    char path[] = "/tmp/warpdrill-fault-XXXXXX", text[200];
    int fd = mkstemp(path);
    assert_true(fd >= 0 && ftruncate(fd, sizeof fault) == 0);
    setenv("WARPDRILL_FAKE_FAULT", path, 1);
    open_without_gpu(&t);
    ask(&t, 1, MOVE, "\"sm_75\"", 20000);
    expect_good(&t, "sm_75", "move");
    expect_done(&t, "ok", "", "");
    assert_int_equal(pwrite(fd, &fault, sizeof fault, 0), sizeof fault);
    for (int id = 2; id < 12; id++) {
        snprintf(text, sizeof text, "// %d\\n%s", id, MOVE);
        ask(&t, id, text, "\"sm_75\"", 20000);
        expect_good(&t, "sm_75", "move");
        expect_done(&t, "ok", "", "");
    }
    assert_int_equal(talk_close(&t), 0);
    unsetenv("WARPDRILL_FAKE_FAULT");
    close(fd);
    unlink(path);
}

/* One of several at once: which of them it was is found out by one after the other. */
static void a_crash_is_that_of_its_own_source(void **state)
{
    struct talk t;
    (void)state;
    open_without_gpu(&t);
    dprintf(t.to, "{\"type\":\"compile\",\"id\":1,\"deadline_ms\":20000,\"sources\":{\"a\":{\"name\":"
                  "\"first.cu\",\"text\":\"" MOVE "\"},\"b\":{\"name\":\"second.cu\",\"text\":"
                  "\"// fake: crash-compiler\\n\"},\"c\":{\"name\":\"third.cu\",\"text\":\"// \\n" MOVE
                  "\"}},\"arch\":[\"sm_75\"]}\n");
    expect_good(&t, "sm_75", "move");
    expect_done(&t, "failed", "lost", "while compiling second.cu");
    assert_int_equal(talk_close(&t), 0);
}

/* ---- what will be asked for ---- */

static int count_kept(const struct talk *t)
{
    char *folder = text_format("%s/kernels", t->folder);
    DIR *dir = opendir(folder);
    int n = 0;
    free(folder);
    for (struct dirent *e; dir && (e = readdir(dir));)
        n += e->d_name[0] != '.' && !strchr(e->d_name, '.');
    if (dir)
        closedir(dir);
    return n;
}

static void await_kept(const struct talk *t, int n)
{
    for (int64_t until = os_monotonic_ms() + 60000; count_kept(t) < n && os_monotonic_ms() < until;)
        usleep(1000);
    assert_int_equal(count_kept(t), n);
}

/* Nothing answers it, so its file in the cache is waited for. The request itself compiles nothing
 * any more: the compiler would refuse. */
static void what_is_foreseen_is_compiled_meanwhile(void **state)
{
    static const char check[] = "{\"probe\":\"check\",\"runs\":[\"a\"],\"against\":\"r\"}";
    struct talk t;
    struct fake_fault fault = {.call = "nvrtcCompileProgram", .at = 1, .code = 6};
    char path[] = "/tmp/warpdrill-fault-XXXXXX";
    int fd = mkstemp(path);
    (void)state;
    assert_true(fd >= 0 && ftruncate(fd, sizeof fault) == 0);
    setenv("WARPDRILL_FAKE_FAULT", path, 1);
    talk_open(&t);
    talk_measure(&t, 1, "move", 20000, check);
    expect_done(&t, "ok", "", "");
    int before = count_kept(&t);
    talk_send(&t, "ahead", 2, "move 2", 20000, check);
    await_kept(&t, before + 1);
    assert_int_equal(pwrite(fd, &fault, sizeof fault, 0), sizeof fault);
    talk_measure(&t, 3, "move 2", 20000, check);
    expect_done(&t, "ok", "", "");
    talk_measure(&t, 4, "move 3", 20000, check);
    expect_done(&t, "failed", "compile", "");
    assert_int_equal(talk_close(&t), 0);
    unsetenv("WARPDRILL_FAKE_FAULT");
    close(fd);
    unlink(path);
}

/* The request compiles for ever; a processor is left for what comes behind it. */
static void what_is_foreseen_does_not_wait_for_what_was_asked(void **state)
{
    static const char check[] = "{\"probe\":\"check\",\"runs\":[\"a\"],\"against\":\"r\"}";
    struct talk t;
    (void)state;
    if (sysconf(_SC_NPROCESSORS_ONLN) < 2)
        skip(); /* nothing is idle */
    talk_open(&t);
    talk_measure(&t, 1, "move", 20000, check);
    expect_done(&t, "ok", "", "");
    int before = count_kept(&t);
    talk_send(&t, "measure", 2, "endless-compilation", 600000, check);
    talk_send(&t, "ahead", 3, "move 2", 600000, check);
    await_kept(&t, before + 1);
    dprintf(t.to, "{\"type\":\"cancel\",\"id\":2}\n");
    expect_done(&t, "cancelled", "cancelled", "");
    assert_int_equal(talk_close(&t), 0);
}

/* Neither does what is wrong with it: the request says that. */
static void what_is_foreseen_and_broken_harms_nobody(void **state)
{
    static const char check[] = "{\"probe\":\"check\",\"runs\":[\"a\"],\"against\":\"r\"}";
    struct talk t;
    (void)state;
    talk_open(&t);
    talk_measure(&t, 1, "move", 20000, check);
    talk_send(&t, "ahead", 2, "refuse", 20000, check);
    expect_done(&t, "ok", "", "");
    talk_send(&t, "ahead", 3, "move", 1, check);
    talk_send(&t, "ahead", 4, "crash-compiler", 20000, check);
    talk_measure(&t, 5, "move 2", 20000, check);
    expect_done(&t, "ok", "", "");
    talk_measure(&t, 6, "crash-compiler", 20000, check);
    expect_done(&t, "failed", "lost", "while compiling a.cu");
    talk_measure(&t, 7, "refuse", 20000, check);
    expect_done(&t, "failed", "compile", "");
    assert_int_equal(talk_close(&t), 0);
}

/* ---- what PTX tells ---- */

static const char ptx[] =
    ".version 9.0\n.visible .entry first(\n)\n{\n\t.loc\t1 3 5\n\tcp.async.wait_all;\n\t.loc\t2 40 "
    "1, inside, inlined_at 1 7 2\n\tnonsense;\n\t.loc\t2 41 1\n\tother;\n}\n.func "
    "quiet()\n{\n}\n.weak\t.entry _Z6secondPf(\n)\n// .entry third\n.entry "
    "fourth\n{\n\tearly;\n}\n\t.file\t2 \"/a/warpdrill.h\"\n\t.file\t1 \"/a/suspect.cu\"\n";

static void kernels_are_read_from_ptx(void **state)
{
    json_t *names = ptx_kernels(ptx, 10), *fewer = ptx_kernels(ptx, 1);
    char *text = json_dumps(names, JSON_COMPACT);
    assert_string_equal(text, "[\"first\",\"_Z6secondPf\",\"fourth\"]");
    assert_int_equal(json_array_size(fewer), 1);
    free(text);
    json_decref(names);
    json_decref(fewer);
}

static void lines_of_ptx_become_lines_of_the_source(void **state)
{
    static const struct { const char *log, *name, *becomes;
    } cases[] = {
        {"ptxas application ptx input, line 6; error   : Feature 'x' requires sm_80\nptxas fatal   "
         ": aborted\n",
         "suspect.cu",
         "suspect.cu(3): error: Feature 'x' requires sm_80\nptxas fatal   : aborted\n"},
        {"ptxas application ptx input, line 8; error   : no", "suspect.cu",
         "suspect.cu(7): error: no"}, /* put in from the header */
        {"ptxas application ptx input, line 10; error   : no", "suspect.cu",
         "ptxas application ptx input, line 10; error   : no"},
        {"ptxas application ptx input, line 20; error   : no", "suspect.cu",
         "ptxas application ptx input, line 20; error   : no"},
        {"ptxas application ptx input, line 6; error   : no", "pect.cu",
         "ptxas application ptx input, line 6; error   : no"},
        {"suspect.cu(3): error: as it is\n", "suspect.cu", "suspect.cu(3): error: as it is\n"},
        {"", "suspect.cu", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *log = ptx_place_log(cases[i].log, ptx, cases[i].name);
        assert_string_equal(log, cases[i].becomes);
        free(log);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_architecture_is_answered_without_a_gpu),
        cmocka_unit_test(a_listing_comes_where_it_is_asked_for),
        cmocka_unit_test(an_error_comes_with_its_line),
        cmocka_unit_test(what_nvrtc_does_not_know_is_skipped),
        cmocka_unit_test(without_nvrtc_the_request_fails_with_the_reason),
        cmocka_unit_test(an_endless_compilation_ends_at_its_deadline),
        cmocka_unit_test(it_can_be_called_off),
        cmocka_unit_test(a_compiler_that_crashes_ends_the_request_alone),
        cmocka_unit_test(improper_requests_are_refused_by_name),
        cmocka_unit_test(a_worker_that_is_ended_is_no_hindrance),
        cmocka_unit_test(an_exact_source_is_for_one_architecture),
        cmocka_unit_test(the_cache_answers_too),
        cmocka_unit_test(one_compiler_serves_many_texts),
        cmocka_unit_test(a_crash_is_that_of_its_own_source),
        cmocka_unit_test(what_is_foreseen_is_compiled_meanwhile),
        cmocka_unit_test(what_is_foreseen_does_not_wait_for_what_was_asked),
        cmocka_unit_test(what_is_foreseen_and_broken_harms_nobody),
        cmocka_unit_test(kernels_are_read_from_ptx),
        cmocka_unit_test(lines_of_ptx_become_lines_of_the_source),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
