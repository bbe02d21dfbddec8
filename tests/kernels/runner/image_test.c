/* An image in the place of a text, on the fake driver: it is loaded and measured while the text is
 * not compiled, counted in a copy, refused with its own message where it cannot be, and the next
 * request works. */
#include "tests/kernels/runner/talk.h"

#include "kernels/wire/hash.h"
#include "tests/unit.h"

/* The fake driver does what the comment says. */
static const char PTX[] = "// fake: move 1e-4\n.version 8.4\n.target sm_80\n.address_size 64\n"
                          ".visible .entry move(.param .u64 p, .param .u64 q, .param .u32 n) "
                          "{\n.reg .b64 %rd<4>;\n"
                          ".reg .f32 %f<4>;\nld.global.f32 %f1, [%rd1];\n"
                          "st.global.f32 [%rd1], %f1;\nret;\n}\n";
static const char TEXT[] = "def move(out, inp, n):\n    return (1 if\n", /* no compiler takes it */
    CHECK[] = "{\"probe\":\"check\",\"runs\":[\"a\"],\"against\":\"r\"}",
                  TIMING[] = "{\"probe\":\"timing\",\"runs\":[\"a\"]}",
                  MEMORY[] = "{\"probe\":\"memory\",\"runs\":[\"a\"]}",
                  BUILD_ITEM[] = "{\"probe\":\"build\",\"runs\":[\"a\"]}";

/* Sends talk_measure's request with the image as source a. `spoil` changes the image's object,
 * `change` the request; NULL: nothing. */
static void ask_with(struct talk *t, int id, const char *item, const char *ptx,
                     void (*spoil)(json_t *image), void (*change)(json_t *request))
{
    char hash[HASH_HEX], of[HASH_HEX];
    int at[2];
    static char line[1 << 16];
    struct talk half = *t;
    assert_int_equal(pipe(at), 0);
    half.to = at[1];
    talk_measure(&half, id, "unused", 20000, item);
    close(at[1]);
    ssize_t n, len = 0;
    while ((n = read(at[0], line + len, sizeof line - 1 - (size_t)len)) > 0)
        len += n;
    close(at[0]);
    line[len] = '\0';
    hash_bytes(hash, ptx, strlen(ptx));
    hash_bytes(of, TEXT, strlen(TEXT));
    json_t *request = json_loads(line, 0, NULL),
           *source = json_object_get(json_object_get(request, "sources"), "a"),
           *image = json_pack("{s:s, s:s, s:s}", "ptx", ptx, "sha256", hash, "of", of);
    json_object_set_new(source, "name", json_string("suspect.py"));
    json_object_set_new(source, "text", json_string(TEXT));
    json_object_set_new(source, "image", image);
    if (spoil)
        spoil(image);
    if (change)
        change(request);
    char *text = json_dumps(request, JSON_COMPACT);
    dprintf(t->to, "%s\n", text);
    free(text);
    json_decref(request);
}

static void ask(struct talk *t, int id, const char *item, const char *ptx,
                void (*spoil)(json_t *image))
{
    ask_with(t, id, item, ptx, spoil, NULL);
}

static void ends(struct talk *t, const char *status, const char *code, const char *text)
{
    json_t *done = talk_wait(t, "done"), *error = json_object_get(done, "error");
    const char *is = json_string_value(json_object_get(done, "status"));
    if (!is || strcmp(is, status) != 0)
        fail_msg("%s: %s", is, json_string_value(json_object_get(error, "text")));
    if (code)
        assert_string_equal(json_string_value(json_object_get(error, "code")), code);
    if (text && !strstr(json_string_value(json_object_get(error, "text")), text))
        fail_msg("%s", json_string_value(json_object_get(error, "text")));
    json_decref(done);
}

static void works(struct talk *t, int id)
{
    ask(t, id, TIMING, PTX, NULL);
    json_t *part = talk_part(t, "a");
    assert_non_null(part);
    assert_true(talk_value(part, "time") > 0);
    json_decref(part);
    ends(t, "ok", NULL, NULL);
}

static void an_image_is_measured_and_its_text_not_compiled(void **state)
{
    struct talk t;
    talk_open(&t);
    works(&t, 1);
    ask(&t, 2, CHECK, PTX, NULL);
    json_t *part = talk_part(&t, "a");
    assert_int_equal((int)talk_value(part, "wrong_elements"), 0);
    json_decref(part);
    ends(&t, "ok", NULL, NULL);
    ask(&t, 3, BUILD_ITEM, PTX, NULL);
    part = talk_part(&t, "a");
    char *lines = json_dumps(json_object_get(part, "lines"), 0);
    assert_non_null(strstr(lines, "by the driver from PTX"));
    free(lines);
    json_decref(part);
    ends(&t, "ok", NULL, NULL);
    assert_int_equal(talk_close(&t), 0);
}

static void its_accesses_are_counted_in_a_copy(void **state)
{
    struct talk t;
    talk_open(&t);
    ask(&t, 1, MEMORY, PTX, NULL);
    json_t *part = talk_part(&t, "a");
    assert_string_equal(json_string_value(json_object_get(part, "tier")), "computed");
    json_decref(part);
    json_decref(talk_wait(&t, "done"));
    assert_int_equal(talk_close(&t), 0);
}

static void spoil_hash(json_t *image)
{
    json_object_set(image, "sha256", json_object_get(image, "of"));
}

static void spoil_text(json_t *image)
{
    json_object_set(image, "of", json_object_get(image, "sha256"));
}

static void spoil_length(json_t *image)
{
    char *much = mem_new(512 * 1024 + 2, 1);
    memset(much, ' ', 512 * 1024 + 1);
    json_object_set_new(image, "ptx", json_string(much));
    free(much);
}

#define HEAD ".version 8.4\n.target sm_80\n.address_size 64\n"
#define PARAMS ".param .u64 a, .param .u64 b, .param .u32 c"
#define MOVE(params, more) HEAD ".entry move(" params ") " more " { ret; }"

static void what_is_refused_says_why_and_the_runner_goes_on(void **state)
{
    static const struct {
        const char *ptx;
        void (*spoil)(json_t *image);
        const char *code, *text;
    } bad[] = {
        {PTX, spoil_hash, "bad-request", "is not the SHA-256 of the PTX"},
        {PTX, spoil_text, "bad-request", "is not the SHA-256 of the text"},
        {PTX, spoil_length, "too-large", "is longer than 524288 bytes"},
        {HEAD ".entry move() { ret;", NULL, "bad-request", "PTX of suspect.py: line 4, column"},
        {HEAD ".entry move() { trap; }", NULL, "bad-request", "trap"},
        {HEAD ".entry move() { .shared .b8 s[100000]; ret; }", NULL, "bad-request",
         "PTX of suspect.py: line 4, column 17: more shared memory than a kernel can declare"},
        {HEAD ".extern .func vprintf;\n.entry move() { ret; }", NULL, "bad-request", "vprintf"},
        {HEAD ".entry thrice() { ret; }", NULL, "bad-request",
         "the PTX of suspect.py has no kernel move; thrice was expected"},
        {MOVE(".param .u64 a, .param .u64 b", ""), NULL, "bad-request",
         "a launch of move with 3 arguments; 2 were expected by the PTX of suspect.py"},
        {MOVE("", ""), NULL, "bad-request", "with 3 arguments; 0 were expected"},
        {MOVE(".param .u64 a, .param .u64 b, .param .u64 c", ""), NULL, "bad-request",
         "argument 3 of a launch of move, of type i32, has 4 bytes; a buffer, an i64 or f64 (8 "
         "bytes) was expected by the PTX of suspect.py"},
        {MOVE(".param .u64 a, .param .u32 b, .param .u32 c", ""), NULL, "bad-request",
         "argument 2 of a launch of move, of type buffer, has 8 bytes; an i32 or f32 (4 bytes)"},
        {MOVE(".param .u64 a, .param .b8 b[12], .param .u32 c", ""), NULL, "bad-request",
         "no launch can pass a parameter of this size"},
        {MOVE(PARAMS, ".reqntid 128, 1, 1"), NULL,
         "bad-request", "blocks of 32 x 8 x 1 threads; move in the PTX of suspect.py was compiled "
         "for 128 x 1 x 1"},
        {".version 8.7\n.target sm_100a\n.address_size 64\n.entry move(" PARAMS ") { ret; }", NULL,
         "unsupported", "is for sm_100a alone, and this GPU is sm_90"},
        {".version 8.7\n.target sm_120\n.address_size 64\n.entry move(" PARAMS ") { ret; }", NULL,
         "unsupported", "is for sm_120 and later"},
    };
    struct talk t;
    talk_open(&t);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ask(&t, 2 * (int)i + 1, TIMING, bad[i].ptx, bad[i].spoil);
        ends(&t, "failed", bad[i].code, bad[i].text);
        works(&t, 2 * (int)i + 2);
    }
    assert_int_equal(talk_close(&t), 0);
}

static void add_macro(json_t *request)
{
    json_object_set_new(request, "define", json_pack("{s:s}", "WIDTH", "4"));
}

static void a_macro_is_refused_since_it_would_reach_nothing(void **state)
{
    struct talk t;
    talk_open(&t);
    ask_with(&t, 1, TIMING, PTX, NULL, add_macro);
    ends(&t, "failed", "bad-request",
         "the macro WIDTH cannot reach the image of suspect.py, which is never compiled");
    works(&t, 2);
    assert_int_equal(talk_close(&t), 0);
}

/* The one of run a, beside which other runs of the image would stay as they were. */
static json_t *first_launch(json_t *request)
{
    json_t *runs = json_object_get(request, "runs");
    json_object_del(runs, "a2");
    json_object_del(runs, "h");
    json_object_del(runs, "s");
    return json_array_get(json_object_get(runs, "a"), 0);
}

static void pass_one(json_t *request)
{
    json_object_set_new(first_launch(request), "args", json_pack("[{s:s}]", "buffer", "out"));
}

static void pass_much(json_t *request)
{
    json_object_set_new(first_launch(request), "args",
                        json_pack("[{s:s}, {s:s}, {s:i}]", "buffer", "out", "buffer", "in", "i32",
                                  1 << 24));
}

static void pass_nowhere(json_t *request)
{
    json_object_set_new(first_launch(request), "args",
                        json_pack("[{s:i}, {s:i}, {s:i}]", "i64", 0, "i64", 8, "i32", 64));
}

/* The fake driver knows one kernel, which takes three arguments; what an image makes of others must
 * not end it as no driver would end. */
static void the_fake_outlives_other_kernels(void **state)
{
    static const char one[] = MOVE(".param .u64 a", "");
    struct talk t;
    talk_open(&t);
    ask_with(&t, 1, TIMING, one, NULL, pass_one);
    ends(&t, "ok", NULL, NULL);
    works(&t, 2);
    ask_with(&t, 8, TIMING, MOVE(PARAMS, ""), NULL, pass_much);
    ends(&t, "ok", NULL, NULL);
    ask_with(&t, 9, TIMING, PTX, NULL, pass_much);
    ends(&t, "failed", "fault", "an address outside its buffers");
    works(&t, 4);
    ask_with(&t, 5, TIMING, PTX, NULL, pass_nowhere);
    ends(&t, "failed", "fault", "an address outside its buffers");
    works(&t, 6);
    assert_int_equal(talk_close(&t), 0);
}

/* Each of its beginnings, the empty one first. */
static void an_image_may_be_cut_anywhere(void **state)
{
    struct talk t;
    int id = 1;
    talk_open(&t);
    for (size_t n = 0; n < sizeof PTX; n++) {
        char *piece = text_ndup(PTX, n);
        ask(&t, id++, TIMING, piece, NULL);
        json_t *done = talk_wait(&t, "done"), *error = json_object_get(done, "error");
        const char *code = json_string_value(json_object_get(error, "code"));
        assert_non_null(done);
        if (n + 2 < sizeof PTX) /* the last newline may be missing */
            assert_string_equal(code, "bad-request");
        else
            assert_null(code);
        json_decref(done);
        free(piece);
    }
    works(&t, id);
    assert_int_equal(talk_close(&t), 0);
}

/* Which load of the worker is that of the image: behind five files of its own kernels. */
enum { IMAGES_LOAD = 6 };

static char plan_path[] = "/tmp/warpdrill-plan-XXXXXX";

/* A driver that is older than the PTX, one that cannot assemble it, one for another GPU, one
 * without memory. */
static void what_the_driver_refuses_says_why(void **state)
{
    static const struct { const char *result, *code, *remedy; } bad[] = {
        {"222", "unsupported", "have the image made again with a lower .version"},
        {"218", "unsupported", "the image must be made again"},
        {"209", "unsupported", "the image must be made again"},
        {"2", "memory", NULL},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct talk t;
        FILE *f = fopen(plan_path, "w");
        fprintf(f, "fail_cuModuleLoadDataEx %d %s\n", IMAGES_LOAD, bad[i].result);
        fclose(f);
        talk_open(&t);
        ask(&t, 1, TIMING, PTX, NULL);
        json_t *done = talk_wait(&t, "done"), *error = json_object_get(done, "error");
        const char *code = json_string_value(json_object_get(error, "code")),
                   *remedy = json_string_value(json_object_get(error, "remedy"));
        assert_non_null(code);
        assert_string_equal(code, bad[i].code);
        if (bad[i].remedy && (!remedy || !strstr(remedy, bad[i].remedy)))
            fail_msg("%s: %s", bad[i].result, remedy);
        json_decref(done);
        fclose(fopen(plan_path, "w"));
        works(&t, 2);
        assert_int_equal(talk_close(&t), 0);
    }
}

/* Each call by which the driver would give machine code: without it the PTX is loaded. */
static void without_machine_code_the_ptx_is_loaded(void **state)
{
    static const char *const calls[] = {"cuLinkCreate_v2", "cuLinkAddData_v2", "cuLinkComplete",
                                        "cuLinkDestroy"};
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        struct talk t;
        FILE *f = fopen(plan_path, "w");
        fprintf(f, "fail_%s 1 218\n", calls[i]);
        fclose(f);
        talk_open(&t);
        works(&t, 1);
        assert_int_equal(talk_close(&t), 0);
    }
    fclose(fopen(plan_path, "w"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_image_is_measured_and_its_text_not_compiled),
        cmocka_unit_test(its_accesses_are_counted_in_a_copy),
        cmocka_unit_test(what_is_refused_says_why_and_the_runner_goes_on),
        cmocka_unit_test(a_macro_is_refused_since_it_would_reach_nothing),
        cmocka_unit_test(the_fake_outlives_other_kernels),
        cmocka_unit_test(an_image_may_be_cut_anywhere),
        cmocka_unit_test(what_the_driver_refuses_says_why),
        cmocka_unit_test(without_machine_code_the_ptx_is_loaded),
    };
    close(mkstemp(plan_path));
    setenv("WARPDRILL_FAKE_PLAN", plan_path, 1);
    int rc = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(plan_path);
    return rc;
}
