/* What a request needs compiled, what its key depends on, and the channel that carries images. */
#include "kernels/runner/build.h"

#include <sys/socket.h>
#include <unistd.h>

#include "kernels/wire/text.h"
#include "tests/unit.h"

static struct msg_measure request(const char *second_define)
{
    static const char text[] =
        "{\"type\":\"measure\",\"id\":1,\"deadline_ms\":1000,\"sources\":{\"a\":{\"name\":\"a.cu\","
        "\"text\":\"int a[N];\"},\"b\":{\"name\":\"b.cu\",\"text\":\"int "
        "b;\"}},\"define\":{\"N\":\"1\"},\"buffers\":[],\"work\":{\"bytes\":0,\"flops\":0},"
        "\"runs\":{\"a\":[{\"source\":\"a\",\"kernel\":\"k\",\"grid\":[1],\"block\":[1],\"args\":[]"
        "}],\"b\":[{\"source\":\"b\",\"kernel\":\"k\",\"grid\":[1],\"block\":[1],\"args\":[]}]},"
        "\"variants\":[{\"buffers\":[],\"work\":{\"bytes\":0,\"flops\":0},\"define\":{\"N\":\"%s\"}"
        ",\"runs\":{\"a\":[{\"source\":\"a\",\"kernel\":\"k\",\"grid\":[2],\"block\":[1],\"args\":["
        "]}]}}],\"items\":[{\"probe\":\"timing\",\"runs\":[\"a\"]},{\"probe\":\"timing\",\"runs\":["
        "\"a\"],\"variant\":0}]}";
    char *filled = text_format(text, second_define);
    json_t *msg = json_loads(filled, 0, NULL);
    struct msg_measure m;
    struct err err = {0};
    assert_int_equal(msg_measure_decode(&m, msg, &err), 0);
    json_decref(msg);
    free(filled);
    return m;
}

static int count_builds(const struct build_plan *p)
{
    int n = 0;
    for (int i = 0; i < p->n_builds; i++)
        n += !p->builds[i].device;
    return n;
}

static const struct build_target target = {.arch = 90, .cubin = true, .nvrtc = "13.0"};

static void only_what_items_use_is_compiled_once(void **state)
{
    static const char *const second[] = {"1", "2"};
    for (int i = 0; i < 2; i++) {
        struct msg_measure m = request(second[i]);
        struct build_plan p;
        build_plan_make(&p, &m, &target);
        assert_int_equal(count_builds(&p),
                         i + 1); /* b is used by no item; equal defines share a build */
        assert_int_equal(json_array_size(p.uses), (size_t)(p.n_builds - count_builds(&p)) + 2);
        build_plan_free(&p);
        msg_measure_free(&m);
    }
}

static void the_highest_known_architecture_is_taken(void **state)
{
    struct build_target t;
    json_t *archs = json_pack("[i, i, i]", 80, 90, 100);
    assert_int_equal(build_target_choose(&t, 90, archs, "13.0", NULL), 0);
    assert_true(t.arch == 90 && t.cubin);
    assert_int_equal(build_target_choose(&t, 95, archs, "13.0", NULL), 0);
    assert_true(t.arch == 90 && !t.cubin);
    assert_int_equal(build_target_choose(&t, 75, archs, "13.0", NULL), ERR_UNSUPPORTED);
    json_decref(archs);
}

/* The key of the first build of a request's source under a target. */
static char *key_of(const struct build_target *t, const char *define, const char *text,
                    const char *name)
{
    struct msg_measure m = request(define);
    struct build_plan p;
    char *key = NULL;
    m.items[0].variant = 0;
    free(m.sources[0].text);
    m.sources[0].text = text_dup(text);
    snprintf(m.sources[0].name, sizeof m.sources[0].name, "%s", name);
    build_plan_make(&p, &m, t);
    for (int i = 0; i < p.n_builds && !key; i++)
        key = p.builds[i].device ? NULL : text_dup(p.builds[i].key);
    build_plan_free(&p);
    msg_measure_free(&m);
    return key;
}

static void whatever_the_output_depends_on_is_in_the_key(void **state)
{
    const struct build_target base = {.arch = 90, .cubin = true, .nvrtc = "13.0", .exact = "1-2"};
    const struct build_target others[] = {
        {.arch = 80, .cubin = true, .nvrtc = "13.0", .exact = "1-2"},
        {.arch = 90, .cubin = false, .nvrtc = "13.0", .exact = "1-2"},
        {.arch = 90, .cubin = true, .nvrtc = "12.9", .exact = "1-2"},
        {.arch = 90, .cubin = true, .nvrtc = "13.0", .exact = "1-3"},
    };
    char *keys[9] = {key_of(&base, "1", "int a[N];", "a.cu")};
    int n = 1;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        keys[n++] = key_of(&others[i], "1", "int a[N];", "a.cu");
    keys[n++] = key_of(&base, "2", "int a[N];", "a.cu");
    keys[n++] = key_of(&base, "1", "int a [N];", "a.cu");
    keys[n++] = key_of(&base, "1", "int a[N];", "b.cu");
    for (int i = 0; i < n; i++)
        for (int k = 0; k < i; k++)
            assert_string_not_equal(keys[i], keys[k]);
    char *plain = key_of(&base, "1", "int a;", "a.cu"), *same = key_of(&base, "2", "int a;", "a.cu");
    assert_string_equal(plain, same); /* it does not name the macro */
    free(plain);
    free(same);
    char *again = key_of(&base, "1", "int a[N];", "a.cu");
    assert_string_equal(again, keys[0]);
    free(again);
    while (n > 0)
        free(keys[--n]);
}

static void a_cap_on_registers_makes_another_build(void **state)
{
    struct msg_launch launch = {.source = "a", .kernel = "k"};
    struct msg_run run = {.id = "a", .launches = &launch, .n_launches = 1};
    struct msg_source source = {.id = "a", .name = "a.cu", .text = (char[]){"int a[N];"}};
    struct msg_shape variants[] = {{.runs = &run, .n_runs = 1},
                                   {.runs = &run, .n_runs = 1, .registers = 64},
                                   {.runs = &run, .n_runs = 1, .registers = 32}};
    struct msg_item items[3];
    struct msg_measure m = {.sources = &source,
                            .n_sources = 1,
                            .variants = variants,
                            .n_variants = 3,
                            .items = items,
                            .n_items = 3};
    struct build_plan plan;
    int capped = 0;
    for (int i = 0; i < 3; i++)
        items[i] =
            (struct msg_item){.probe = PROBE_TIMING, .runs = {"a"}, .n_runs = 1, .variant = i};
    build_plan_make(&plan, &m, &target);
    for (int i = 0; i < plan.n_builds; i++) {
        char *options = json_dumps(plan.builds[i].options, 0);
        capped += strstr(options, "--maxrregcount=64") || strstr(options, "--maxrregcount=32");
        assert_true(!plan.builds[i].device || !strstr(options, "maxrregcount"));
        for (int k = 0; k < i; k++)
            assert_string_not_equal(plan.builds[i].key, plan.builds[k].key);
        free(options);
    }
    assert_int_equal(capped, 2);
    build_plan_free(&plan);
}

/* As the sanitizer's program gets it. */
static void a_message_passes_through_a_file(void **state)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    struct ipc *to = ipc_new(dup(fileno(file))), *from = ipc_new(dup(fileno(file)));
    struct ipc_message m = {0};
    struct ipc_blob blob = {"\0x\n", 3};
    json_t *head = json_pack("{s:s}", "type", "test");
    assert_int_equal(ipc_send(to, head, &blob, 1, NULL), 0);
    rewind(file);
    assert_int_equal(ipc_recv(from, &m, NULL), 1);
    assert_int_equal(m.n_blobs, 1);
    assert_memory_equal(m.blobs[0], blob.bytes, blob.len);
    ipc_message_free(&m);
    assert_true(ipc_recv(from, &m, NULL) < 0); /* the end */
    ipc_free(to);
    ipc_free(from);
    json_decref(head);
    fclose(file);
}

static void messages_pass_whole_in_both_directions(void **state)
{
    int fd[2];
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, fd), 0);
    struct ipc *here = ipc_new(fd[0]), *there = ipc_new(fd[1]);
    struct ipc_message m = {0};
    size_t big = 3 << 20;
    char *bytes = mem_new(big, 1);
    json_t *head = json_pack("{s:s}", "type", "test");
    memset(bytes, '\n', big);
    struct ipc_blob blobs[] = {{bytes, big}, {NULL, 0}, {"\0x", 2}};
    assert_int_equal(ipc_try(there, &m, NULL), 0);
    assert_int_equal(ipc_queue(here, head, blobs, 3, NULL), 0);
    assert_int_equal(ipc_queue(here, head, NULL, 0, NULL), 0);
    int rc = 0;
    while (rc == 0) { /* the socket holds less than the message, so both sides take turns */
        assert_true(ipc_flush(here, NULL) >= 0);
        rc = ipc_try(there, &m, NULL);
    }
    assert_int_equal(rc, 1);
    assert_int_equal(m.n_blobs, 3);
    assert_true(m.lens[0] == big && !memcmp(m.blobs[0], bytes, big) && m.lens[1] == 0);
    assert_memory_equal(m.blobs[2], "\0x", 2);
    ipc_message_free(&m);
    while (ipc_flush(here, NULL) > 0)
        continue;
    assert_int_equal(ipc_recv(there, &m, NULL), 1);
    assert_int_equal(m.n_blobs, 0);
    ipc_message_free(&m);
    ipc_free(here);
    assert_int_equal(ipc_recv(there, &m, NULL), ERR_LOST);
    assert_int_equal(ipc_send(there, head, NULL, 0, NULL), ERR_LOST);
    ipc_free(there);
    json_decref(head);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(only_what_items_use_is_compiled_once),
        cmocka_unit_test(the_highest_known_architecture_is_taken),
        cmocka_unit_test(whatever_the_output_depends_on_is_in_the_key),
        cmocka_unit_test(a_cap_on_registers_makes_another_build),
        cmocka_unit_test(a_message_passes_through_a_file),
        cmocka_unit_test(messages_pass_whole_in_both_directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
