/* Every counter name of the metric table, for eight chips: compared with tests/metrics.tsv
 * everywhere, and asked of CUPTI's host library where that is installed; it needs neither GPU nor
 * driver. */
#include "kernels/wire/metric.h"

#include "kernels/runner/api.h"
#include "kernels/runner/counters.h"
#include "kernels/wire/text.h"
#include "tests/unit.h"

static const char *const chips[] = {"TU102", "TU116", "GA100", "GA102",
                                    "AD102", "GH100", "GB100", "GB202"};
enum { CHIPS = sizeof chips / sizeof *chips, ROWS = 256 };

/* ---- the table that comes with the tests ---- */

struct row { char name[128]; int passes[CHIPS]; bool used; };
static struct row rows[ROWS];
static int n_rows;

static void read_row(const char *line)
{
    struct row *r = &rows[n_rows];
    char cell[16];
    int used = 0;
    if (*line == '#' || !strncmp(line, "metric\t", 7))
        return;
    assert_true(n_rows < ROWS && sscanf(line, "%127s%n", r->name, &used) == 1);
    for (int c = 0; c < CHIPS; c++) {
        line += used;
        assert_int_equal(sscanf(line, "%15s%n", cell, &used), 1);
        r->passes[c] = atoi(cell); /* "-": 0 */
    }
    n_rows++;
}

static int read_table(void **state)
{
    char line[512];
    FILE *f = fopen("tests/metrics.tsv", "r");
    if (!f)
        return -1;
    while (fgets(line, sizeof line, f))
        read_row(line);
    return fclose(f);
}

static struct row *find_row(const char *name)
{
    for (int i = 0; i < n_rows; i++)
        if (!strcmp(rows[i].name, name))
            return &rows[i];
    return NULL;
}

static int count_absent(const struct metric *m, int chip)
{
    struct counter_names names;
    int absent = 0;
    counters_names(&names, m, chips[chip]);
    for (size_t i = 0; i < names.n; i++) {
        struct row *r = find_row(names.name[i]);
        if (r)
            r->used = true;
        if (r && (r->passes[chip] > 0 || !m->everywhere))
            continue;
        print_error("%s: tests/metrics.tsv has no %s on %s (--table writes it anew)\n", m->name,
                    names.name[i], chips[chip]);
        absent++;
    }
    counters_names_free(&names);
    return absent;
}

static void every_name_stands_in_the_table(void **state)
{
    size_t n;
    const struct metric *table = metric_table(&n);
    int absent = 0;
    for (size_t i = 0; i < n; i++)
        for (int c = 0; c < CHIPS && table[i].num; c++)
            absent += count_absent(&table[i], c);
    assert_int_equal(absent, 0);
    for (int i = 0; i < n_rows; i++)
        if (!rows[i].used)
            fail_msg("%s is asked for no more", rows[i].name);
}

/* What is called missing by nature is missing somewhere, and not everywhere. */
static void what_is_not_everywhere_is_somewhere(void **state)
{
    size_t n;
    const struct metric *table = metric_table(&n);
    for (size_t i = 0; i < n; i++) {
        const struct row *r = table[i].num && !table[i].everywhere ? find_row(table[i].num) : NULL;
        int having = 0;
        for (int c = 0; r && c < CHIPS; c++)
            having += r->passes[c] > 0;
        assert_true(!r || (having > 0 && having < CHIPS));
    }
}

/* ---- the library ---- */

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
static int count_refused(struct cupti_api *cupti, const char *chip, const struct metric *m,
                         const char **names, size_t n)
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
    for (int c = 0; c < CHIPS; c++)
        for (size_t i = 0; i < n; i++) {
            struct counter_names names = {.n = 0};
            if (!table[i].num)
                continue;
            counters_names(&names, &table[i], chips[c]);
            assert_true(names.n > 0);
            refused +=
                count_refused(cupti, chips[c], &table[i], (const char **)names.name, names.n);
            counters_names_free(&names);
        }
    assert_int_equal(refused, 0);
}

/* In how many passes the library collects a counter alone; 0: it knows none of that name. */
static int passes_of(struct cupti_api *cupti, const char *chip, const char *name)
{
    ABI_PARAMS(cupti_host_init, init, host);
    ABI_PARAMS(cupti_host_add, add, n);
    ABI_PARAMS(cupti_host_config_size, size, bytes);
    ABI_PARAMS(cupti_host_config, config, image);
    ABI_PARAMS(cupti_host_passes, passes, passes);
    ABI_PARAMS(cupti_host_deinit, done, host);
    init.chip = chip;
    assert_int_equal(cupti->cuptiProfilerHostInitialize(&init), 0);
    add.host = size.host = config.host = done.host = init.host;
    add.names = &name;
    add.n = 1;
    if (!cupti->cuptiProfilerHostConfigAddMetrics(&add) &&
        !cupti->cuptiProfilerHostGetConfigImageSize(&size)) {
        config.bytes = passes.bytes = size.bytes;
        config.image = passes.image = mem_new(size.bytes, 1);
        if (!cupti->cuptiProfilerHostGetConfigImage(&config))
            cupti->cuptiProfilerHostGetNumOfPasses(&passes);
        free(config.image);
    }
    cupti->cuptiProfilerHostDeinitialize(&done);
    return (int)passes.passes;
}

static void the_table_is_what_the_library_says(void **state)
{
    int different = 0;
    for (int i = 0; i < n_rows; i++)
        for (int c = 0; c < CHIPS; c++) {
            int passes = passes_of(*state, chips[c], rows[i].name);
            if ((passes > 0) == (rows[i].passes[c] > 0))
                continue;
            print_error("%s on %s: %d passes, tests/metrics.tsv says %d\n", rows[i].name, chips[c],
                        passes, rows[i].passes[c]);
            different++;
        }
    assert_int_equal(different, 0);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct row *)a)->name, ((const struct row *)b)->name);
}

static void add_row(const char *name)
{
    if (find_row(name) || n_rows == ROWS)
        return;
    snprintf(rows[n_rows++].name, sizeof rows->name, "%s", name);
}

/* The table as the library knows it: metric_names_test --table > tests/metrics.tsv after a new
 * metric. */
static int write_table(struct cupti_api *cupti)
{
    size_t n;
    uint32_t version = 0;
    const struct metric *table = metric_table(&n);
    cupti->cuptiGetVersion(&version);
    for (size_t i = 0; i < n; i++)
        for (int c = 0; c < CHIPS && table[i].num; c++) {
            struct counter_names names;
            counters_names(&names, &table[i], chips[c]);
            for (size_t k = 0; k < names.n; k++)
                add_row(names.name[k]);
            counters_names_free(&names);
        }
    qsort(rows, (size_t)n_rows, sizeof *rows, by_name);
    printf("# Which counters each chip has, and in how many passes it collects one alone; \"-\": "
           "it has none of that name.\n# Every name that kernels/wire/metric.c can ask for, as "
           "CUPTI's host library, version %u, answered: it needs neither\n# GPU nor driver. "
           "Written by tests/kernels/runner/metric_names_test.c --table, which also compares where "
           "the library is.\nmetric",
           version);
    for (int c = 0; c < CHIPS; c++)
        printf("\t%s", chips[c]);
    for (int i = 0; i < n_rows; i++) {
        printf("\n%s", rows[i].name);
        for (int c = 0; c < CHIPS; c++) {
            int passes = passes_of(cupti, chips[c], rows[i].name);
            printf(passes ? "\t%d" : "\t-", passes);
        }
    }
    return printf("\n") < 0;
}

static void nonsense_is_refused(void **state)
{
    const char *name = "dram__bytes_of_wisdom.sum";
    assert_int_not_equal(add_names(*state, "GH100", &name, 1), 0);
}

/* CUPTI opens libnvperf_host.so with RTLD_DEEPBIND, which AddressSanitizer refuses. */
static bool open_library(struct cupti_api *cupti)
{
#ifdef __SANITIZE_ADDRESS__
    (void)cupti;
    return false;
#else
    const char *probe = "dram__bytes.sum";
    return !api_load_cupti(cupti, NULL) && !add_names(cupti, "GH100", &probe, 1);
#endif
}

int main(int argc, char **argv)
{
    static struct cupti_api cupti;
    bool library = open_library(&cupti);
    if (library && argc > 1 && !strcmp(argv[1], "--table"))
        return write_table(&cupti);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_name_stands_in_the_table),
        cmocka_unit_test(what_is_not_everywhere_is_somewhere),
        cmocka_unit_test_prestate(names_are_known, &cupti),
        cmocka_unit_test_prestate(the_table_is_what_the_library_says, &cupti),
        cmocka_unit_test_prestate(nonsense_is_refused, &cupti),
    };
    if (library)
        return cmocka_run_group_tests(tests, read_table, NULL);
    const struct CMUnitTest offline[] = {tests[0], tests[1]};
    return cmocka_run_group_tests(offline, read_table, NULL);
}
