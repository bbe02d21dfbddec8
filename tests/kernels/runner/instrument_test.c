/* The rewriting of PTX: a call before each memory instruction, with its address, place and
 * predicate, whatever the text looks like; and, where NVIDIA's assembler is installed, that what
 * comes out assembles. */
#include "kernels/runner/instrument.h"

#include "kernels/wire/text.h"
#include "tests/unit.h"

static const char LIBRARY[] =
    ".version 8.0\n.target sm_75\n.address_size 64\n.visible .func wd_count_global(.param .b64 a, "
    ".param .b32 b, .param .b32 c, .param .b32 d)\n{\n\t.loc 1 2 3\n\tret;\n}\n.visible .func "
    "wd_count_shared(.param .b64 a, .param .b32 b, .param .b32 c, .param .b32 "
    "d)\n{\n\tret;\n}\n.visible .func wd_count_local(.param .b64 a, .param .b32 b, .param .b32 c, "
    ".param .b32 d)\n{\n\tret;\n}\n.visible .func wd_count_generic(.param .b64 a, .param .b32 b, "
    ".param .b32 c, .param .b32 d)\n{\n\tret;\n}\n.visible .func wd_count_matrix(.param .b64 a, "
    ".param .b32 b, .param .b32 c, .param .b32 d)\n{\n\tret;\n}\n\t.file\t1 \"instrument.cu\"\n";
static const char HEAD[] = ".version 8.0\n.target sm_75\n.address_size 64\n";

/* What becomes of a kernel's body; the result is the test's to free. */
static struct instrumented rewrite_body(const char *body)
{
    struct instrumented out;
    struct err err = {.code = 0};
    char *ptx = text_format("%s.visible .entry k(.param .u64 k_0)\n{\n%s\nret;\n}\n", HEAD, body);
    if (instrument_rewrite(&out, ptx, LIBRARY, &err))
        fail_msg("%s", err.text);
    free(ptx);
    return out;
}

static int count_text(const char *in, const char *text)
{
    int n = 0;
    for (const char *at = in; (at = strstr(at, text)); at += strlen(text))
        n++;
    return n;
}

static int calls(const struct instrumented *i)
{
    return count_text(i->ptx, "call.uni wd_count_");
}

static void each_form_has_its_place(void **state)
{
    static const struct {
        const char *text, *function;
        enum site_op op;
        enum site_space space;
        int width, places;
    } forms[] = {
        {"ld.global.f32 %f1, [%rd1];", "global", SITE_LOAD, SITE_GLOBAL, 4, 1},
        {"ld.global.nc.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1+16];", "global", SITE_LOAD, SITE_GLOBAL,
         16, 1},
        {"ld.volatile.global.u64 %rd2, [%rd1+-8];", "global", SITE_LOAD, SITE_GLOBAL, 8, 1},
        {"ld.relaxed.gpu.global.L1::no_allocate.b8 %r2, [%rd1];", "global", SITE_LOAD, SITE_GLOBAL,
         1, 1},
        {"st.global.v2.f64 [%rd1], {%fd1, %fd2};", "global", SITE_STORE, SITE_GLOBAL, 16, 1},
        {"st.shared.u16 [%r1], %rs1;", "shared", SITE_STORE, SITE_SHARED, 2, 1},
        {"ld.shared::cta.f32 %f1, [tile+4];", "shared", SITE_LOAD, SITE_SHARED, 4, 1},
        {"st.local.u32 [%rd1], %r1;", "local", SITE_STORE, SITE_LOCAL, 4, 1},
        {"atom.global.add.u32 %r1, [%rd1], %r2;", "global", SITE_ATOMIC, SITE_GLOBAL, 4, 1},
        {"red.shared.add.u32 [%rd1], %r2;", "shared", SITE_ATOMIC, SITE_SHARED, 4, 1},
        {"ld.f32 %f1, [%rd1];", "generic", SITE_LOAD, SITE_GLOBAL, 4, 3},
        {"ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r1,%r2,%r3,%r4}, [%r5];", "matrix",
         SITE_MATRIX_LOAD, SITE_SHARED, 64, 1},
        {"cp.async.cg.shared.global.L2::128B [%r1], [%rd1], 16, %r2;", "global", SITE_COPY_FROM,
         SITE_GLOBAL, 16, 2},
    };
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        char *body = text_format(".reg .b64 %%rd<9>;\n.reg .b32 %%r<9>;\n%s", forms[i].text);
        struct instrumented out = rewrite_body(body);
        char *call = text_format("call.uni wd_count_%s, ", forms[i].function);
        const char *at = strstr(out.ptx, call), *instruction = strstr(out.ptx, forms[i].text);
        assert_true(at && instruction && at < instruction);
        assert_int_equal(out.n_sites, forms[i].places);
        assert_true(out.sites[0].op == forms[i].op && out.sites[0].space == forms[i].space &&
                    out.sites[0].width == forms[i].width);
        assert_int_equal(out.unseen, 0);
        free(call);
        free(body);
        instrument_free(&out);
    }
}

static void what_is_no_access_stays(void **state)
{
    static const char body[] =
        ".reg .b64 %rd<9>;\n.reg .f32 %f<9>;\nld.param.u64 %rd1, [k_0];\n// ld.global.f32 %f1, "
        "[%rd1];\n/* st.global.f32 [%rd1], %f1; */ ld.const.f32 %f1, [table];\nprefetch.global.L2 "
        "[%rd1];\n"
        "{ .param .b64 p0;\nst.param.b64 [p0+0], %rd1;\n}\ncp.async.wait_group 0;\nbar.sync "
        "0;\n.loc 1 5 5, function_name info, inlined_at 1 2 3\nmma.sync.aligned {%f1}, {%f2};";
    struct instrumented out = rewrite_body(body);
    assert_int_equal(out.n_sites, 0);
    assert_int_equal(calls(&out), 0);
    assert_int_equal(out.unseen, 0);
    assert_non_null(strstr(out.ptx, body));
    assert_null(strstr(out.ptx, "instrument.cu")); /* one table of files is enough */
    assert_int_equal(count_text(out.ptx, ".loc 1 2 3"), 0);
    instrument_free(&out);
}

static void predicates_reach_the_call(void **state)
{
    struct instrumented out = rewrite_body(".reg .b64 %rd<9>;\n$L__BB0_1: @%p1 ld.global.f32 %f1, "
                                           "[%rd1]; @!%p2 st.global.f32 [%rd1], %f1;");
    assert_int_equal(calls(&out), 2);
    assert_non_null(strstr(out.ptx, "selp.u32 %wd_p, 1, 0, %p1;"));
    assert_non_null(strstr(out.ptx, "selp.u32 %wd_p, 0, 1, %p2;"));
    instrument_free(&out);
}

/* A name may mean another width in an inner scope, and the outer one again behind it. */
static void registers_have_the_width_of_their_scope(void **state)
{
    struct instrumented out = rewrite_body(".reg .b64 base;\n{ .reg .b32 base; st.shared.f32 [ "
                                           "base + 4 ], %f1; }\nst.shared.f32 [base], %f1;");
    assert_int_equal(calls(&out), 2);
    assert_int_equal(count_text(out.ptx, "add.u32 %wd_b, base, 4;"), 1);
    assert_int_equal(count_text(out.ptx, "add.s64 %wd_a, base, 0;"), 1);
    instrument_free(&out);
}

static void what_is_not_counted_is_told(void **state)
{
    static const char *const bodies[] = {
        "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1}, [%rd1];",
        "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r1], [%rd1], 16, "
        "[%r2];",
        "ld.shared::cluster.u32 %r1, [%r2];",
        "ld.global.f32 %f1, [%unknown];",
        "multimem.ld_reduce.global.add.f32 %f1, [%rd1];",
    };
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        struct instrumented out = rewrite_body(bodies[i]);
        assert_int_equal(out.unseen, 1);
        assert_int_equal(calls(&out), 0);
        assert_true(!strncmp(out.unseen_name, bodies[i], strcspn(bodies[i], ".")));
        instrument_free(&out);
    }
}

static void initial_values_and_prototypes_are_no_functions(void **state)
{
    static const char text[] =
        ".version 8.0\n.target sm_75\n.address_size 64\n.global .align 4 .b8 t[8] = {1, 2, 3, "
        "4};\n.extern .func (.param .b32 r) other\n(\n.param .b64 p\n)\n;\n.visible .entry "
        "k()\n.maxntid 64, 1, 1\n{\n.reg .b64 %rd<3>;\nst.global.u32 [t+4], "
        "%r1;\nret;\n}\n.section .debug_str\n{\nname:\n.b8 1\n}\n";
    struct instrumented out;
    assert_int_equal(instrument_rewrite(&out, text, LIBRARY, NULL), 0);
    assert_int_equal(calls(&out), 1);
    assert_non_null(strstr(out.ptx, "mov.u64 %wd_a, t; add.s64 %wd_a, %wd_a, 4;"));
    instrument_free(&out);
}

static void other_texts_are_refused(void **state)
{
    static const char *const texts[] = {
        "",
        "int main() {}",
        ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k() { ld.global.f32 %f1, "
        "[%rd1];",
        ".version 8.0\n.target sm_75\n.address_size 64\n.visible .func wd_count_global() { ret; }",
        ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k() { .reg .b64 %wd_a; }",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct instrumented out;
        assert_int_equal(instrument_rewrite(&out, texts[i], LIBRARY, NULL), ERR_UNSUPPORTED);
    }
}

/* However the text is cut, it is refused or rewritten. */
static void cut_texts_do_no_harm(void **state)
{
    static const char text[] =
        ".version 8.0\n.target sm_75\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n.reg "
        ".b64 %rd<9>;\n@%p1 ld.global.v2.f32 {%f1, %f2}, [%rd1+8]; \"text\\\"\" /* x */ "
        "cp.async.ca.shared.global [s], [%rd1], 4;\n}\n";
    for (size_t n = 0; n < sizeof text; n++) {
        struct instrumented out;
        char *cut = text_ndup(text, n);
        if (!instrument_rewrite(&out, cut, LIBRARY, NULL))
            instrument_free(&out);
        free(cut);
    }
}

static bool has_assembler(void)
{
    return system("ptxas --version >/dev/null 2>&1 || /usr/local/cuda/bin/ptxas --version "
                  ">/dev/null 2>&1") == 0;
}

static void it_assembles(void **state)
{
    static const char body[] =
        ".reg .b64 %rd<9>;\n.reg .b32 %r<9>;\n.reg .f32 %f<9>;\n.reg .pred %p<3>;\n.shared .align "
        "16 .b8 tile[512];\n.local .align 8 .b8 own[64];\nld.param.u64 %rd1, [k_0];\nmov.u32 %r1, "
        "tile;\nsetp.eq.u32 %p1, %r1, 0;\nld.global.v2.f32 {%f1, %f2}, [%rd1+8];\n@%p1 "
        "st.shared.f32 [tile+4], %f1;\n@!%p1 st.shared.f32 [%r1], %f2;\nst.local.f32 [own+8], "
        "%f1;\nld.f32 %f3, [%rd1];\nred.global.add.f32 [%rd1], "
        "%f3;\nldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r2}, [%r1];\nst.global.u32 [%rd1], %r2;";
    char folder[] = "/tmp/instrument_test.XXXXXX";
    if (!has_assembler()) {
        print_message("# without ptxas: only the text was looked at\n");
        return;
    }
    assert_non_null(mkdtemp(folder));
    struct instrumented out = rewrite_body(body);
    char *path = text_format("%s/copy.ptx", folder), *remove = text_format("rm -r %s", folder);
    char *command =
        text_format("PATH=$PATH:/usr/local/cuda/bin ptxas -arch=sm_75 -o %s/copy.cubin %s", folder,
                    path);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(out.ptx, f);
    fclose(f);
    assert_int_equal(system(command), 0);
    assert_int_equal(system(remove), 0);
    free(command), free(remove), free(path);
    instrument_free(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_form_has_its_place),
        cmocka_unit_test(what_is_no_access_stays),
        cmocka_unit_test(predicates_reach_the_call),
        cmocka_unit_test(registers_have_the_width_of_their_scope),
        cmocka_unit_test(what_is_not_counted_is_told),
        cmocka_unit_test(initial_values_and_prototypes_are_no_functions),
        cmocka_unit_test(other_texts_are_refused),
        cmocka_unit_test(cut_texts_do_no_harm),
        cmocka_unit_test(it_assembles),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
