/* Sources that must not tell one launch from another, by the PTX that NVRTC makes of them. */
#include "kernels/runner/stateless.h"

#include "tests/unit.h"

#define KERNEL "\n.visible .entry k(\n\t.param .u64 .ptr .global .align 1 k_param_0\n)\n{\n"
#define END "\tret;\n}\n"

static const char *refused(const char *ptx)
{
    static struct err err;
    err = (struct err){0};
    return stateless_check_ptx("mine.cu", ptx, &err) ? err.text : NULL;
}

static void honest_texts_pass(void **state)
{
    assert_null(refused(""));
    assert_null(refused(KERNEL
                        "\tld.global.f32 %f1, [%rd1];\n\tcvta.to.global.u64 %rd2, %rd1;\n" END));
    assert_null(refused(".const .align 4 .b8 t[16] = {1, 2};\n" KERNEL
                        "\tld.const.u32 %r1, [t];\n" END));
    /* what a text only names is declared, and nothing refers to it */
    assert_null(refused(".global .align 4 .u32 ROWS = 256;\n"
                        ".global .align 4 .u32 WARPS = 8;\n" KERNEL END));
    assert_null(refused(".global .align 4 .b8 __cudart_i2opi_f[24] = {65, 144};\n" KERNEL
                        "\tmov.u64 %rd1, __cudart_i2opi_f;\n" END));
}

static void memory_that_outlives_a_launch_is_refused(void **state)
{
    static const char *const texts[] = {
        ".global .align 4 .u32 calls;\n" KERNEL "\tatom.global.add.u32 %r1, [calls], 1;\n" END,
        ".global .align 4 .u32 calls = 1;\n" KERNEL "\tst.global.u32 [calls], %r1;\n" END,
        ".visible .global .align 4 .b8 kept[64];\n" KERNEL "\tmov.u64 %rd1, kept;\n" END,
        KERNEL "\t{ .global .align 4 .u32 a, b; atom.global.add.u32 %r1, [b+0], 1; }\n" END,
        ".global .align 8 .u64 at = generic(t);\n.global .align 4 .u32 t;\n" KERNEL END,
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        assert_non_null(refused(texts[i]));
        assert_non_null(strstr(refused(texts[i]), "mine.cu: has memory of its own"));
    }
}

static void more_names_than_are_looked_at_are_refused(void **state)
{
    static char ptx[20000] = ".global .align 4 .u32 a0";
    size_t n = strlen(ptx);
    for (int i = 1; i < 300; i++)
        n += (size_t)snprintf(ptx + n, sizeof ptx - n, ", a%d", i);
    snprintf(ptx + n, sizeof ptx - n, ";\n" KERNEL "\tatom.global.add.u32 %%r1, [a299], 1;\n" END);
    assert_non_null(refused(ptx));
}

static void clocks_and_the_runtime_are_refused(void **state)
{
    static const char *const clocks[] = {"%clock64", "%clock", "%globaltimer_lo", "%gridid",
                                         "%envreg3", "%pm0"};
    char ptx[200];
    for (size_t i = 0; i < sizeof clocks / sizeof *clocks; i++) {
        snprintf(ptx, sizeof ptx, KERNEL "\tmov.u64 %%rd1, %s;\n" END, clocks[i]);
        assert_non_null(strstr(refused(ptx), "reads a clock"));
    }
    assert_non_null(strstr(refused(".extern .func (.param .b64 r) malloc\n(\n)\n;\n" KERNEL END),
                           "calls the device's runtime"));
    assert_null(refused(".extern .shared .align 16 .b8 all[];\n" KERNEL END));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(honest_texts_pass),
        cmocka_unit_test(memory_that_outlives_a_launch_is_refused),
        cmocka_unit_test(more_names_than_are_looked_at_are_refused),
        cmocka_unit_test(clocks_and_the_runtime_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
