/* The listing of machine code: what nvdisasm prints becomes readable lines with their source lines;
 * without it PTX is shown and said to be PTX. A shell script stands in for nvdisasm. */
#include "tests/kernels/runner/talk.h"

#include <sys/stat.h>

#include "kernels/runner/images.h"
#include "tests/fakes/cubin.h"
#include "tests/unit.h"

static const char SASS[] = "{\"probe\":\"sass\",\"runs\":[\"a\"]}";
static char folder[] = "/tmp/warpdrill-sass-XXXXXX";
static char plan_path[64], tool_path[64];

/* As nvdisasm -c -g prints, shortened; it also shows encodings, which go. */
static const char LISTING[] =
    "\t.headerflags\t@\"EF_CUDA_SM90\"\n\n"
    "//--------------------- .text.other               --------------------------\n"
    "\t.section\t.text.other,\"ax\",@progbits\n"
    ".text.other:\n"
    "        /*0000*/                   EXIT ;\n"
    "//--------------------- .text.move                --------------------------\n"
    "\t.section\t.text.move,\"ax\",@progbits\n"
    "\t.sectioninfo\t@\"SHI_REGISTERS=10\"\n"
    "        .global         move\n"
    "move:\n"
    ".text.move:\n"
    "\t//## File \"/some/folder/a.cu\", line 2\n"
    "        /*0000*/                   LDC R1, c[0x0][0x28] ;   /* 0x00000a00ff017b82 */\n"
    "                                                            /* 0x000fe20000000800 */\n"
    "        /*0010*/              @!P0 BRA `(.L_x_0) ;\n"
    "\t//## File \"/some/folder/warpdrill.h\", line 17\n"
    "        /*0020*/                   LDG.E R0, desc[UR4][R2.64] ;\n"
    ".L_x_0:\n"
    "\t//## File \"/some/folder/a.cu\", line 3\n"
    "        /*0030*/                   EXIT ;\n"
    ".L_x_1:\n"
    "        /*0040*/                   BRA `(.L_x_1);\n"
    "        /*0050*/                   NOP;\n"
    "        /*0060*/                   NOP;\n"
    ".L_x_2:\n";

static void write_text(const char *path, const char *text, mode_t mode)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
    assert_int_equal(chmod(path, mode), 0);
}

/* Puts a program of that name on PATH; NULL: none is there. */
static void put_tool(const char *script)
{
    char *path = text_format("%s%s/usr/bin:/bin", script ? folder : "", script ? ":" : "");
    unlink(tool_path);
    if (script)
        write_text(tool_path, script, 0755);
    setenv("PATH", path, 1);
    setenv("CUDA_HOME", "/nowhere", 1);
    free(path);
}

static json_t *listing_of(struct talk *t, const char *plan, int deadline_ms)
{
    write_text(plan_path, plan, 0600);
    talk_open(t);
    talk_measure(t, 1, "move", deadline_ms, SASS);
    return talk_part(t, "a");
}

static const char *text_at(const json_t *part, const char *list, size_t at)
{
    const char *text = json_string_value(json_array_get(json_object_get(part, list), at));
    return text ? text : "";
}

static void instructions_are_listed_with_their_lines(void **state)
{
    static const struct { const char *text; int line;
    } want[] = {
        {"move:", 0},
        {"0000       LDC R1, c[0x0][0x28]", 2},
        {"0010 @!P0  BRA .L_x_0", 2},
        {"0020       LDG.E R0, desc[UR4][R2.64]", 0},
        {".L_x_0:", 0},
        {"0030       EXIT", 3},
        {".L_x_1:", 0},
        {"0040       BRA .L_x_1", 3},
    };
    enum { N = sizeof want / sizeof *want };
    struct talk t;
    char *listing = text_format("%s/listing", folder);
    char *script = text_format("#!/bin/sh\ntest \"$1 $2 $#\" = '-c -g 3' || exit 1\n"
                               "readlink \"$3\" | grep -q memfd || exit 2\n"
                               "grep -q 'fake: move' \"$3\" || exit 3\ncat %s\n", listing);
    write_text(listing, LISTING, 0600);
    put_tool(script);
    json_t *part = listing_of(&t, "", 20000),
           *lines = json_object_get(json_object_get(part, "series"), "line");
    assert_true(talk_notes(part, "listing: SASS"));
    assert_int_equal(json_array_size(json_object_get(part, "lines")), N);
    assert_int_equal(json_array_size(lines), N);
    for (size_t i = 0; i < N; i++) {
        assert_string_equal(text_at(part, "lines", i), want[i].text);
        assert_int_equal((int)json_number_value(json_array_get(lines, i)), want[i].line);
    }
    assert_true(talk_value(part, "machine_instructions") == 5);
    json_decref(part);
    talk_end(&t, "ok");
    unlink(listing);
    free(script);
    free(listing);
}

/* The fake's image is its source; its PTX too. */
static void expect_ptx(const char *plan, const char *why)
{
    struct talk t;
    json_t *part = listing_of(&t, plan, 20000);
    assert_non_null(part);
    assert_true(talk_notes(part, "listing: PTX"));
    if (!talk_notes(part, why))
        fail_msg("no note says '%s' but '%s'", why, text_at(part, "notes", 1));
    assert_string_equal(text_at(part, "lines", 0), "void move();");
    assert_int_equal(json_array_size(json_object_get(json_object_get(part, "series"), "line")),
                     json_array_size(json_object_get(part, "lines")));
    json_decref(part);
    talk_end(&t, "partial");
}

static void without_a_disassembler_it_is_ptx(void **state)
{
    if (access("/usr/local/cuda/bin/nvdisasm", X_OK) == 0) {
        put_tool("#!/bin/sh\nexit 1\n"); /* it would be found there */
        return;
    }
    put_tool(NULL);
    expect_ptx("", "cuda-nvdisasm");
}

static void a_disassembler_that_fails_is_named(void **state)
{
    put_tool("#!/bin/sh\nexit 3\n");
    expect_ptx("", "nvdisasm failed with status 3");
    put_tool("#!/bin/sh\nkill -9 $$\n");
    expect_ptx("", "nvdisasm failed with signal 9");
    put_tool("#!/bin/sh\necho nonsense\n");
    expect_ptx("", "nvdisasm listed no instruction");
    put_tool("#!/bin/sh\nexec yes 0123456789012345678901234567890123456789012345678901234567890\n");
    expect_ptx("", "nvdisasm printed more than");
    put_tool(NULL);
    expect_ptx("newest_arch 86\n", access("/usr/local/cuda/bin/nvdisasm", X_OK)
                                       ? "cuda-nvdisasm"
                                       : "NVRTC does not know this GPU");
}

/* Four instructions, then as many empty ones as asked for. */
static void make_cubin(struct cubin *c, int empty)
{
    cubin_make(c, 4 + empty);
    for (int i = 0; i < 8; i++) {
        c->code[i][0] =
            i < 4 ? 0x47
                  : 0x18; /* BRA; NOP is 0x918, whatever its predicate (the next four bits) */
        c->code[i][1] = 0x79;
    }
}

static void padding_is_no_instruction(void **state)
{
    struct cubin c;
    struct image image = {.cubin = true, .bytes = &c, .len = sizeof c};
    for (int empty = 0; empty <= 4; empty++) {
        make_cubin(&c, empty);
        assert_int_equal(image_instructions(&image, "move"), 4);
        assert_int_equal(image_code_bytes(&image, "move"), 16 * (4 + empty));
    }
    assert_int_equal(image_instructions(&image, "mov"), 0);
    c.sections[2].sh_size = 1 << 20; /* a truncated file */
    assert_int_equal(image_instructions(&image, "move"), 0);
    image.cubin = false;
    assert_int_equal(image_instructions(&image, "move"), 0);
}

/* The branch behind the question waits for its answer, and nothing else does, though the same
 * scoreboard is waited for again. */
static void a_wait_for_an_mbarrier_is_told_from_others(void **state)
{
    struct cubin c;
    struct image image = {.cubin = true, .bytes = &c, .len = sizeof c};
    size_t n = 0;
    cubin_make(&c, 8);
    cubin_put_wait(&c, 0);
    cubin_put_wait(&c, 4);
    bool *waits = image_barrier_waits(&n, &image, "move");
    assert_int_equal(n, 8);
    for (int i = 0; i < 8; i++)
        assert_int_equal(waits[i], i == 1 || i == 5);
    free(waits);
    assert_null(image_barrier_waits(&n, &image, "mov"));
    assert_int_equal(n, 0);
}

/* One that hangs is ended with the request. */
static void a_disassembler_that_hangs_is_killed(void **state)
{
    struct talk t;
    char *pid_path = text_format("%s/pid", folder),
         *script = text_format("#!/bin/sh\necho $$ > %s\nexec sleep 600\n", pid_path);
    put_tool(script);
    json_t *part = listing_of(&t, "", 2000);
    assert_null(part); /* the deadline came first */
    assert_int_equal(talk_close(&t), 0);
    FILE *f = fopen(pid_path, "r");
    int pid = 0;
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%d", &pid), 1);
    fclose(f);
    for (int i = 0; i < 1000 && kill(pid, 0) == 0; i++)
        poll(NULL, 0, 10);
    assert_int_not_equal(kill(pid, 0), 0);
    unlink(pid_path);
    free(script);
    free(pid_path);
}

static int make_folder(void **state)
{
    if (!mkdtemp(folder))
        return -1;
    snprintf(plan_path, sizeof plan_path, "%s/plan", folder);
    snprintf(tool_path, sizeof tool_path, "%s/nvdisasm", folder);
    setenv("TMPDIR", folder, 1);
    return setenv("WARPDRILL_FAKE_PLAN", plan_path, 1);
}

/* Nothing of ours may be left in it. */
static int remove_folder(void **state)
{
    unlink(plan_path);
    unlink(tool_path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_are_listed_with_their_lines),
        cmocka_unit_test(without_a_disassembler_it_is_ptx),
        cmocka_unit_test(padding_is_no_instruction),
        cmocka_unit_test(a_wait_for_an_mbarrier_is_told_from_others),
        cmocka_unit_test(a_disassembler_that_fails_is_named),
        cmocka_unit_test(a_disassembler_that_hangs_is_killed),
    };
    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
