/* Evidence by source line outlives comments: recorded by line of tokens, found in the file as it is
 * now. */
#include "scenarios/evidence/source_lines.h"

#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/os.h"
#include "tests/scenarios/fake_client.h"
#include "tests/scenarios/record/recording.h"
#include "scenarios/supply/supply.h"
#include "tests/scenarios/small_pack.h"
#include "tests/unit.h"

/* The same statements as small_suspect, told at length. */
static const char commented[] =
    "// Sums of rows.\n\n/* Every thread\n   has a row. */\nextern \"C\" __global__ void "
    "sums(float *out, const float *in, int n, long long all)\n{\n"
    "    int row = blockIdx.x * blockDim.x + threadIdx.x; // which\n\n    if (row >= n || all < "
    "0)\n        return;\n    /* from\n       nothing */\n"
    "    float sum = 0;\n    for (int k = 0; k < n; k++)\n        // one by one\n        sum += "
    "in[(size_t)row * n + k];\n    out[row] = sum;\n}\n";

static struct msg_measure request_of(const char *text)
{
    struct msg_measure m = {.n_sources = 1, .sources = mem_new(1, sizeof *m.sources)};
    m.sources[0].text = text_dup(text);
    snprintf(m.sources[0].id, sizeof m.sources[0].id, "a");
    m.base.runs = mem_new(1, sizeof *m.base.runs);
    m.base.n_runs = 1;
    snprintf(m.base.runs[0].id, sizeof m.base.runs[0].id, "a");
    m.base.runs[0].launches = mem_new(1, sizeof *m.base.runs[0].launches);
    m.base.runs[0].n_launches = 1;
    snprintf(m.base.runs[0].launches[0].source, sizeof m.base.runs[0].launches[0].source, "a");
    return m;
}

/* The physical line on which a text begins. */
static int line_of(const char *source, const char *text)
{
    const char *at = strstr(source, text);
    int line = 1;
    assert_non_null(at);
    for (; source < at; source++)
        line += *source == '\n';
    return line;
}

static struct msg_part part_of(enum wire_probe probe, double *line, double *samples, int n,
                               struct msg_value *top, struct msg_series *series)
{
    series[0] = (struct msg_series){"line", line, n};
    series[1] = (struct msg_series){"samples", samples, n};
    *top = (struct msg_value){.name = "top_line",
                              .present = true,
                              .value = line[0],
                              .low = line[0],
                              .high = line[0]};
    return (struct msg_part){.probe = probe,
                             .run = "a",
                             .variant = -1,
                             .metrics = top,
                             .n_metrics = 1,
                             .series = series,
                             .n_series = 2};
}

static void lines_follow_their_statements(void **state)
{
    static const char *const statements[] = {"int row",   "return;",  "float sum", "for (int k",
                                             "sum += in", "out[row]", "}"};
    enum { N = sizeof statements / sizeof *statements };
    struct msg_measure before = request_of(small_suspect), after = request_of(commented);
    double line[N], samples[N] = {0};
    struct msg_value top;
    struct msg_series series[2];
    for (int i = 0; i < N; i++)
        line[i] = line_of(small_suspect, statements[i]);
    struct msg_part part = part_of(PROBE_LINES, line, samples, N, &top, series);
    source_lines_keep(&part, &before);
    source_lines_find(&part, &after);
    for (int i = 0; i < N; i++)
        assert_int_equal((int)line[i], line_of(commented, statements[i]));
    assert_int_equal((int)top.value, line_of(commented, statements[0]));
    assert_true(top.low == top.value && top.high == top.value);
    msg_measure_free(&before);
    msg_measure_free(&after);
}

static void a_splice_is_one_line(void **state)
{
    struct msg_measure m =
        request_of("#define TWICE(x) \\\n    ((x) + \\\n     (x))\nint a;\nint b;\n");
    double line[] = {1, 2, 3, 4}, samples[] = {5, 6, 7, 8};
    struct msg_value top;
    struct msg_series series[2];
    struct msg_part part = part_of(PROBE_LINES, line, samples, 4, &top, series);
    source_lines_keep(&part, &m);
    assert_int_equal(part.series[0].n, 2);
    assert_int_equal(part.series[1].n, 2);
    assert_true(line[0] == 1 && samples[0] == 18 && line[1] == 2 && samples[1] == 8);
    source_lines_find(&part, &m);
    assert_true(line[0] == 1 && line[1] == 4);
    msg_measure_free(&m);
}

/* A listing has an entry for each of its rows: none is merged, and rows without a line stay so. */
static void a_listing_keeps_its_length(void **state)
{
    struct msg_measure m = request_of("int a;\n\nint b;\n");
    double line[] = {0, 1, 3, 3, 0, 99}, samples[6] = {0};
    struct msg_value top;
    struct msg_series series[2];
    struct msg_part part = part_of(PROBE_SASS, line, samples, 6, &top, series);
    source_lines_keep(&part, &m);
    const double kept[] = {0, 1, 2, 2, 0, 2};
    assert_int_equal(part.series[0].n, 6);
    assert_memory_equal(line, kept, sizeof kept);
    line[5] = 3; /* of a longer file */
    source_lines_find(&part, &m);
    const double found[] = {0, 1, 3, 3, 0, 0};
    assert_memory_equal(line, found, sizeof found);
    msg_measure_free(&m);
}

static void record_on(const char *root)
{
    struct err err = {0};
    struct pack *disk = NULL;
    struct client *c = open_fake("good");
    char *path = NULL;
    if (pack_open(&disk, root, &err) ||
        record_whole(&path, c, disk->stories[0].variants[0], &small_device, &err))
        fail_msg("%s", err.text);
    pack_free(disk);
    client_free(c);
    free(path);
}

static const struct msg_series *lines_of(const struct msg_part *p)
{
    assert_true(p->n_series > 0);
    assert_string_equal(p->series[0].name, "line");
    return &p->series[0];
}

/* The fake runner has samples and instructions for every line with a semicolon; most samples on the
 * last. */
static void expect_lines(struct supply *s, const char *probe, const char *source)
{
    static const char *const statements[] = {"int row",    "return;",   "float sum",
                                             "for (int k", "sum += in", "out[row]"};
    struct err err = {0};
    if (supply_ask(s, probe, &err))
        fail_msg("%s", err.text);
    assert_int_equal(supply_poll(s), SUPPLY_READY);
    struct evidence *e = supply_take(s);
    const struct msg_series *lines = lines_of(&e->parts[0]);
    const struct msg_value *top = msg_part_value(&e->parts[0], "top_line");
    assert_int_equal(lines->n, 6);
    for (int i = 0; i < lines->n; i++)
        assert_int_equal((int)lines->values[i], line_of(source, statements[i]));
    if (!strcmp(probe, "lines"))
        assert_int_equal((int)top->value, line_of(source, "out[row]"));
    evidence_free(e);
}

static void a_recording_outlives_comments(void **state)
{
    char root[] = "/tmp/warpdrill-lines-XXXXXX";
    struct err err = {0};
    struct pack *bare = small_pack(NULL, NULL, NULL, &err),
                *later = small_pack(NULL, commented, NULL, &err), *disk = NULL;
    struct supply *s = NULL;
    assert_non_null(mkdtemp(root));
    for (int i = 0; i < bare->files->n; i++)
        write_file(root, &bare->files->file[i]);
    record_on(root);
    for (int i = 0; i < later->files->n; i++)
        write_file(root, &later->files->file[i]);
    if (pack_open(&disk, root, &err) ||
        supply_recorded(&s, disk->stories[0].variants[0], NULL, &err))
        fail_msg("%s", err.text);
    expect_lines(s, "lines", commented);
    expect_lines(s, "sass", commented);
    assert_int_equal(disk->stories[0].variants[0]->location_line, line_of(commented, "sum += in"));
    supply_free(s);
    pack_free(disk);
    pack_free(bare);
    pack_free(later);
    char *remove = text_format("rm -rf '%s'", root);
    assert_int_equal(system(remove), 0);
    free(remove);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_follow_their_statements),
        cmocka_unit_test(a_splice_is_one_line),
        cmocka_unit_test(a_listing_keeps_its_length),
        cmocka_unit_test(a_recording_outlives_comments),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
