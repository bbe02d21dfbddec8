/* What a client may send by mistake or in malice: numbers beyond sense, a million launches, sources
 * that reach for files in every spelling, defines that look like options, kernels that print. Each
 * gets one clear error, and the runner goes on. */
#include "tests/kernels/runner/talk.h"

#include "tests/unit.h"

static const char BASE[] =
    "{\"type\":\"measure\",\"id\":1,\"deadline_ms\":20000,\"sources\":{\"a\":{\"name\":\"a.cu\","
    "\"text\":\"void "
    "k();\\n\"}},\"define\":{\"N\":\"1\"},\"buffers\":[{\"name\":\"in\",\"type\":\"f32\",\"count\":"
    "64,\"fill\":{\"kind\":\"zeros\"}}],\"runs\":{\"a\":[{\"source\":\"a\",\"kernel\":\"move\","
    "\"grid\":[1],\"block\":[32],\"shared\":0,\"args\":[{\"buffer\":\"in\"},{\"buffer\":\"in\"},{"
    "\"i32\":8}]}]},\"work\":{\"bytes\":0,\"flops\":0},\"items\":[{\"probe\":\"resources\","
    "\"runs\":[\"a\"]}]}";

/* The base request with the value at a path ("buffers.0.count") replaced. Takes the value. */
static json_t *changed(const char *path, json_t *value)
{
    json_t *root = json_loads(BASE, 0, NULL), *at = root;
    char *words = text_dup(path), *next, *word = words;
    for (; (next = strchr(word, '.')); word = next + 1) {
        *next = '\0';
        at = json_is_array(at) ? json_array_get(at, strtoul(word, NULL, 10))
                               : json_object_get(at, word);
        assert_non_null(at);
    }
    if (json_is_array(at))
        json_array_set_new(at, strtoul(word, NULL, 10), value);
    else
        json_object_set_new(at, word, value);
    free(words);
    return root;
}

static void write_all(int fd, const char *text, size_t len)
{
    for (ssize_t n; len > 0; text += n, len -= (size_t)n)
        assert_true((n = write(fd, text, len)) > 0);
}

static void send_request(struct talk *t, json_t *request)
{
    char *line = json_dumps(request, JSON_COMPACT);
    write_all(t->to, line, strlen(line));
    write_all(t->to, "\n", 1);
    free(line);
    json_decref(request);
}

/* The next done: its code ("" none), which must be as said. Its text goes to `text`. */
static void expect_done(struct talk *t, int id, const char *code, const char *about, char *text,
                        size_t size)
{
    json_t *done = talk_wait(t, "done");
    const json_t *error = json_object_get(done, "error");
    const char *got = json_string_value(json_object_get(error, "code")),
               *say = json_string_value(json_object_get(error, "text"));
    assert_non_null(done);
    if (strcmp(got ? got : "", code) != 0)
        fail_msg("%s: %s (%s) and not %s", about, got ? got : "no error", say ? say : "", code);
    assert_int_equal(json_integer_value(json_object_get(done, "id")), id);
    snprintf(text, size, "%s", say ? say : "");
    json_decref(done);
}

static void expect_works(struct talk *t, const char *after)
{
    char text[512];
    send_request(t, changed("seed", json_integer(7)));
    expect_done(t, 1, "", after, text, sizeof text);
}

/* ---- numbers ---- */

static void numbers_beyond_sense_are_refused_by_name(void **state)
{
    static const struct { const char *path, *value, *code, *says; } cases[] = {
        {"buffers.0.count", "-1", "bad-request", "count"},
        {"buffers.0.count", "9007199254740993", "bad-request", "count"},
        {"buffers.0.count", "1e9", "bad-request", "count"},
        {"buffers.0.count", "4000000000000", "too-large", "60 %"},
        {"buffers.0.type", "\"f65\"", "bad-request", "type"},
        {"buffers.0.fill", "{\"kind\":\"uniform\",\"low\":2,\"high\":1}", "bad-request", "high"},
        {"runs.a.0.grid.0", "0", "bad-request", "grid"},
        {"runs.a.0.grid.0", "-4", "bad-request", "grid"},
        {"runs.a.0.grid", "[1,1,1,1]", "bad-request", "grid"},
        {"runs.a.0.grid", "[]", "bad-request", "grid"},
        {"runs.a.0.block.0", "-32", "bad-request", "block"},
        {"runs.a.0.block.0", "1.5", "bad-request", "block"},
        {"runs.a.0.shared", "-1", "bad-request", "shared"},
        {"runs.a.0.args.2", "{\"i32\":4294967296}", "bad-request", "i32"},
        {"runs.a.0.args.2", "{\"buffer\":\"none\"}", "bad-request", "none"},
        {"runs.a.0.args.2", "{\"i32\":1,\"i64\":1}", "bad-request", ""},
        {"runs.a.0.kernel", "\"k; rm\"", "bad-request", "k; rm"},
        {"deadline_ms", "-1", "bad-request", "deadline_ms"},
        {"deadline_ms", "600001", "bad-request", "deadline_ms"},
        {"work.bytes", "-1", "bad-request", "work"},
        {"seed", "-1", "bad-request", "seed"},
        {"items", "[]", "bad-request", "items"},
        {"items.0.variant", "0", "bad-request", "variant"},
    };
    struct talk t;
    talk_open(&t);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *about = text_format("%s = %s", cases[i].path, cases[i].value);
        send_request(&t, changed(cases[i].path, json_loads(cases[i].value, JSON_DECODE_ANY, NULL)));
        json_t *done = talk_wait(&t, "done");
        const json_t *error = json_object_get(done, "error");
        const char *got = json_string_value(json_object_get(error, "code")),
                   *say = json_string_value(json_object_get(error, "text"));
        if (!got || (strcmp(got, cases[i].code) != 0 && strcmp(got, "too-large") != 0) || !say ||
            !strstr(say, cases[i].says))
            fail_msg("%s: %s: %s", about, got ? got : "no error", say ? say : "");
        json_decref(done);
        expect_works(&t, about);
        free(about);
    }
    assert_int_equal(talk_close(&t), 0);
}

static void a_million_launches_are_too_many(void **state)
{
    struct talk t;
    char text[512];
    json_t *launches = json_array();
    for (int i = 0; i < 1000000; i++)
        json_array_append_new(launches, json_object());
    talk_open(&t);
    send_request(&t, changed("runs.a", launches));
    expect_done(&t, 1, "too-large", "a million launches", text, sizeof text);
    assert_non_null(strstr(text, "64"));
    expect_works(&t, "a million launches");
    char *deep = mem_new(300001, 1); /* arrays in arrays */
    memset(deep, '[', 300000);
    write_all(t.to, deep, 300000);
    write_all(t.to, "\n", 1);
    json_t *done = talk_wait(&t, "done");
    assert_string_equal(json_string_value(json_object_get(json_object_get(done, "error"), "code")),
                        "bad-request");
    json_decref(done);
    free(deep);
    expect_works(&t, "deep nesting");
    assert_int_equal(talk_close(&t), 0);
}

/* ---- files ---- */

static void sources_cannot_reach_files(void **state)
{
    static const char *const texts[] = {
        "#include </etc/passwd>\n",
        "#include \"/etc/passwd\"\n",
        "  #\tinclude </etc/passwd>\n",
        "/**/#/**/include/**/</etc/passwd>\n",
        "#inc\\\nlude </etc/passwd>\n",
        "#include </etc/\\\npasswd>\n",
        "%:include </etc/passwd>\n",
        "%:\\\ninclude </etc/passwd>\n",
        "\?\?=include </etc/passwd>\n",
        "#define H </etc/passwd>\n#include H\n",
        "#define H(x) <x>\n#include H(/etc/passwd)\n",
        "#include_next </etc/passwd>\n",
        "#import </etc/passwd>\n",
        "#embed \"/etc/passwd\"\n",
        "#line 1 \"/etc/passwd\"\n",
        "#if __has_include(</etc/passwd>)\n#endif\n",
        "#if __has_embed(\"/etc/passwd\")\n#endif\n",
        "#pragma include_alias(\"a\", \"/etc/passwd\")\n",
        "#pragma push\n",
        "_Pragma(\"once\")\n",
        "__pragma(once)\n",
        "const char *s = R\"(\n#include </etc/passwd>\n)\";\n",
        "const char *s = R\"x(\")x\"\n#include </etc/passwd>\n",
        "#if 0\n#include </etc/passwd>\n#endif\n",
        "/* \\\n*/ #include </etc/passwd>\n",
        "// a \\\n\n#include </etc/passwd>\n",
        "#include \"warpdrill.h\" </etc/passwd>\n",
        "#include \"../warpdrill.h\"\n",
        "#include <warpdrill.h>\n",
        "\f#include </etc/passwd>\n",
        "char c = '\"';\n#include </etc/passwd>\n",
    };
    struct talk t;
    char text[512];
    talk_open(&t);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        send_request(&t, changed("sources.a.text", json_string(texts[i])));
        expect_done(&t, 1, "bad-request", texts[i], text, sizeof text);
        assert_non_null(strstr(text, "line ")); /* and where */
        assert_null(strstr(text, "root"));
        if (i % 8 == 0)
            expect_works(&t, texts[i]);
    }
    assert_int_equal(talk_close(&t), 0);
}

/* Define names and values, and names of sources, cannot become options of the compiler. */
static void requests_cannot_carry_options(void **state)
{
    static const struct { const char *path, *value;
    } cases[] = {
        {"define.-I", "\"/etc\""},
        {"define.N=1 -I", "\"/etc\""},
        {"define.@file", "\"1\""},
        {"define.N", "\"1 --pre-include=/etc/passwd\""},
        {"define.N", "\"1\\n-I/etc\""},
        {"define.N", "\"@/etc/passwd\""},
        {"define.N", "\"\\\"/etc/passwd\\\"\""},
        {"define.N", "\"1;2\""},
        {"define.N", "\"$HOME\""},
        {"define.N", "7"},
        {"sources.a.name", "\"../a.cu\""},
        {"sources.a.name", "\"/etc/passwd\""},
        {"sources.a.name", "\"@a\""},
        {"sources.a.name", "\"\""},
        {"options", "[\"-I/etc\"]"},
        {"sources.a.options", "[\"-I/etc\"]"},
    };
    struct talk t;
    char text[512];
    talk_open(&t);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *about = text_format("%s = %s", cases[i].path, cases[i].value);
        send_request(&t, changed(cases[i].path, json_loads(cases[i].value, JSON_DECODE_ANY, NULL)));
        expect_done(&t, 1, "bad-request", about, text, sizeof text);
        free(about);
    }
    expect_works(&t, "options");
    assert_int_equal(talk_close(&t), 0);
}

static bool can_confine(void)
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0)
        _exit(os_confine_no_files() == 1 ? 0 : 1);
    waitpid(pid, &status, 0);
    return status == 0;
}

/* Whatever slips past the scanner meets a compiler that has no files: the fake one tries. */
static void the_compiler_has_no_files(void **state)
{
    struct talk t;
    char text[512];
    if (!can_confine())
        print_message("# this kernel has no Landlock: the compiler is not confined here\n");
    talk_open(&t);
    send_request(&t, changed("sources.a.text", json_string("// fake: read /etc/passwd\n")));
    expect_done(&t, 1, "compile", "a compiler that reads", text, sizeof text);
    assert_string_equal(text, can_confine() ? "/etc/passwd was denied" : "/etc/passwd was opened");
    expect_works(&t, "a compiler that reads");
    assert_int_equal(talk_close(&t), 0);
}

/* ---- what kernels print ---- */

static void what_a_kernel_prints_is_in_the_log(void **state)
{
    struct talk t;
    talk_open(&t);
    talk_measure(&t, 1, "prints", 20000,
                 "{\"probe\":\"check\",\"runs\":[\"a\"],\"against\":\"r\"}");
    json_t *check = talk_part(&t, "a");
    assert_non_null(check); /* the done that the kernel wrote was not taken for one */
    json_decref(check);
    json_t *done = talk_wait(&t, "done");
    const char *log = json_string_value(json_object_get(done, "log"));
    assert_string_equal(json_string_value(json_object_get(done, "status")), "ok");
    assert_non_null(log);
    assert_non_null(strstr(log, "from the kernel\n"));
    assert_non_null(strstr(log, "from the ?[31mdriver\n")); /* and cannot speak to a terminal */
    json_decref(done);
    talk_measure(&t, 2, "move", 20000, "{\"probe\":\"check\",\"runs\":[\"a\"],\"against\":\"r\"}");
    done = talk_wait(&t, "done");
    assert_int_equal(json_integer_value(json_object_get(done, "id")), 2);
    assert_string_equal(json_string_value(json_object_get(done, "log")), "");
    json_decref(done);
    assert_int_equal(talk_close(&t), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(numbers_beyond_sense_are_refused_by_name),
        cmocka_unit_test(a_million_launches_are_too_many),
        cmocka_unit_test(sources_cannot_reach_files),
        cmocka_unit_test(requests_cannot_carry_options),
        cmocka_unit_test(the_compiler_has_no_files),
        cmocka_unit_test(what_a_kernel_prints_is_in_the_log),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
