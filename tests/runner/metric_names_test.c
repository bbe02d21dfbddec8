/* Every counter name of the metric table, asked of CUPTI's host library for eight chips: it needs
 * neither GPU nor driver, only the library. Also what every entry of the table must be like. */
#include "kernels/wire/metric.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "kernels/runner/api.h"
#include "kernels/runner/counters.h"
#include "kernels/wire/text.h"

static const char *const chips[] = {"TU102", "TU116", "GA100", "GA102", "AD102", "GH100", "GB100", "GB202"};

static int add_names(struct cupti_api *cupti, const char *chip, const char **names, size_t n)
{
    ABI_PARAMS(cupti_host_init, init, host);
    init.type = CUPTI_TYPE_RANGE_PROFILER;
    init.chip = chip;
    int r = cupti->cuptiProfilerHostInitialize(&init);
    if (r)
        return r;
    ABI_PARAMS(cupti_host_add, add, n);
    add.host = init.host;
    add.names = names;
    add.n = n;
    r = cupti->cuptiProfilerHostConfigAddMetrics(&add);
    ABI_PARAMS(cupti_host_deinit, done, host);
    done.host = init.host;
    cupti->cuptiProfilerHostDeinitialize(&done);
    return r;
}

/* A name is tried alone only when its whole group was refused: chips share most names. */
static int count_refused(struct cupti_api *cupti, const char *chip, const struct metric *m, const char **names, size_t n)
{
    int refused = 0;
    if (!m->everywhere || add_names(cupti, chip, names, n) == 0)
        return 0;
    for (size_t i = 0; i < n; i++)
        if (add_names(cupti, chip, &names[i], 1)) {
            print_error("%s: %s refuses %s\n", m->name, chip, names[i]);
            refused++;
        }
    return refused;
}

static void names_are_known(void **state)
{
    struct cupti_api *cupti = *state;
    size_t n;
    const struct metric *table = metric_table(&n);
    int refused = 0;
    for (size_t c = 0; c < sizeof chips / sizeof *chips; c++)
        for (size_t i = 0; i < n; i++) {
            struct counter_names names = {.n = 0};
            if (!table[i].num)
                continue;
            counters_names(&names, &table[i], chips[c]);
            assert_true(names.n > 0);
            refused += count_refused(cupti, chips[c], &table[i], (const char **)names.name, names.n);
            counters_names_free(&names);
        }
    assert_int_equal(refused, 0);
}

static void nonsense_is_refused(void **state)
{
    const char *name = "dram__bytes_of_wisdom.sum";
    assert_int_not_equal(add_names(*state, "GH100", &name, 1), 0);
}

int main(void)
{
#ifdef __SANITIZE_ADDRESS__
    printf("1..0 # SKIP CUPTI opens libnvperf_host.so with RTLD_DEEPBIND, which AddressSanitizer refuses\n");
    return 0;
#endif
    static struct cupti_api cupti;
    struct err err = {.code = 0};
    const char *probe = "dram__bytes.sum";
    if (api_load_cupti(&cupti, &err) || add_names(&cupti, "GH100", &probe, 1)) {
        printf("1..0 # SKIP %s\n", err.code ? err.text : "CUPTI is here, but not libnvperf_host.so beside it");
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(names_are_known, &cupti),
        cmocka_unit_test_prestate(nonsense_is_refused, &cupti),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
