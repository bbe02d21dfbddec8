/* Code in a pane: samples by source line become shares and columns, a listing keeps its source
 * lines, what is cut is marked. */
#include "tui/kit/code_pane.h"

#include <math.h>

#include "kernels/wire/text.h"
#include "tests/tui/cells.h"
#include "tests/unit.h"
#include "tui/play/notebook.h"

static const char source[] =
    "void move(float *out)\n{\n    int x = 1;\n    out[x] = in[x]; // far away\n}\n";

/* 1,000 samples: 600 on line 4, 250 on line 3, 50 on line 12 of a longer file, 100 elsewhere. */
static double lines[] = {3, 4, 12}, samples[] = {250, 600, 50}, memory[] = {10, 500, 0},
              waiting[] = {240, 100, 50};
static struct msg_series series[] = {{"line", lines, 3},
                                     {"samples", samples, 3},
                                     {"stall_long_scoreboard", memory, 3},
                                     {"stall_wait", waiting, 3}};
static struct msg_value values[] = {{.name = "samples", .present = true, .value = 1000},
                                    {.name = "top_line", .present = true, .value = 4},
                                    {.name = "top_line_share", .present = true, .value = 0.6}};
static char *notes[] = { "a sample of each SM every 1024 cycles", "dropped: 7 samples" };
static const struct msg_part sampled = {.probe = PROBE_LINES,
                                        .run = "a",
                                        .variant = -1,
                                        .metrics = values,
                                        .n_metrics = 3,
                                        .series = series,
                                        .n_series = 4,
                                        .notes = notes,
                                        .n_notes = 2};

static int set_up(void **state)
{
    return cells_begin("12", "110");
}

/* ---- the table ---- */

static void samples_become_shares(void **state)
{
    struct line_table t;
    line_table_make(&t, &sampled);
    assert_int_equal(t.n, 12);
    assert_true(fabs(t.line[3].share - 0.6) < 1e-12 && fabs(t.line[2].share - 0.25) < 1e-12 &&
                t.line[0].share == 0);
    assert_true(t.most == t.line[3].share);
    assert_string_equal(t.line[3].reason, "long_scoreboard");
    assert_string_equal(t.line[2].reason, "wait");
    int top[5];
    assert_int_equal(line_table_top(&t, top, 5), 3);
    assert_true(top[0] == 4 && top[1] == 3 && top[2] == 12);
    assert_int_equal(line_table_top(&t, top, 2), 2);
    assert_true(top[0] == 4 && top[1] == 3);
    line_table_free(&t);
}

static void without_samples_there_is_no_table(void **state)
{
    struct msg_value missing = { .name = "samples", .missing = "permission: no" };
    const struct msg_part refused = { .probe = PROBE_LINES, .metrics = &missing, .n_metrics = 1 };
    struct line_table t;
    int top[5];
    line_table_make(&t, NULL);
    assert_int_equal(t.n, 0);
    line_table_make(&t, &refused);
    assert_int_equal(t.n, 0);
    assert_int_equal(line_table_top(&t, top, 5), 0);
    line_table_free(&t);
}

/* Every reason of the metric table has a word that fits the narrow column. */
static void reasons_have_short_words(void **state)
{
    size_t n;
    const struct metric *m = metric_of_probe(PROBE_STALLS, &n);
    for (size_t i = 0; i < n; i++)
        if (strcmp(m[i].name, "stall_total") != 0 && draw_columns(stall_brief(m[i].name + 6)) > 8)
            fail_msg("%s has no short word", m[i].name);
}

/* ---- the pane ---- */

static void source_alone(void **state)
{
    struct line_table none = { 0 };
    draw_clear();
    code_draw_source(source, (struct rect){0, 0, 5, 30}, &(struct code_place){.cursor = 4}, &none);
    assert_string_equal(row(0), "   1  void move(float *out)");
    assert_string_equal(row(3), "▸  4      out[x] = in[x]; // …");
    draw_clear();
    code_draw_source(source, (struct rect){1, 0, 2, 30}, &(struct code_place){.scroll = 2}, &none);
    assert_string_equal(row(1), "   3      int x = 1;");
    assert_string_equal(row(3), "");
}

static void samples_stand_in_columns(void **state)
{
    static const struct { int w; const char *third, *fourth;
    } sizes[] = {
        {43, "   3   25 █▎  wait         int x = 1;",
         "   4   60 ███ memory       out[x] = in[x];…"},
        {52, "   3   25 █▎  wait         int x = 1;",
         "   4   60 ███ memory       out[x] = in[x]; // far a…"},
        {80, "   3   25 ███▍     wait         int x = 1;",
         "   4   60 ████████ memory       out[x] = in[x]; // far away"},
        {104, "   3   25 ███▍     wait                   int x = 1;",
         "   4   60 ████████ long_scoreboard        out[x] = in[x]; // far away"},
    };
    struct line_table t;
    line_table_make(&t, &sampled);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        draw_clear();
        code_draw_source(source, (struct rect){0, 0, 5, sizes[i].w}, &(struct code_place){0}, &t);
        assert_string_equal(row(2), sizes[i].third);
        assert_string_equal(row(3), sizes[i].fourth);
        assert_null(strstr(row(0), "%"));
    }
    line_table_free(&t);
}

/* What is out of sight at the left is marked, blanks apart. */
static void code_moves_sideways(void **state)
{
    struct line_table none = { 0 };
    draw_clear();
    code_draw_source(source, (struct rect){0, 0, 5, 20}, &(struct code_place){.shift = 4}, &none);
    assert_string_equal(row(0), "   1 … move(float *…");
    assert_string_equal(row(2), "   3  int x = 1;");
    assert_string_equal(row(4), "   5 …");
}

static void a_listing_has_its_source_lines(void **state)
{
    double from[] = { 0, 4, 0 };
    char *text[] = { "move:", "0000       LDC R1, c[0x0][0x28]", "0010 @!P0  BRA .L_x_0" };
    struct msg_series line = { "line", from, 3 };
    const struct msg_part part = {.probe = PROBE_SASS,
                                  .series = &line,
                                  .n_series = 1,
                                  .lines = text,
                                  .n_lines = 3};
    draw_clear();
    code_draw_listing(&part, (struct rect){ 0, 0, 5, 30 }, &(struct code_place){ 0 });
    assert_string_equal(row(0), "      move:");
    assert_string_equal(row(1), "   4  0000       LDC R1, c[0x…");
    assert_string_equal(row(2), "      0010 @!P0  BRA .L_x_0");
    draw_clear();
    code_draw_listing(&part, (struct rect){ 0, 0, 5, 30 }, &(struct code_place){ .scroll = 1 });
    assert_string_equal(row(1), "      0010 @!P0  BRA .L_x_0");
    assert_string_equal(row(2), "");
}

/* ---- the notebook ---- */

static struct note note_of(const char *probe, const struct msg_part *part)
{
    static struct story story;
    static struct variant variant = {.story = &story};
    const struct note_frame frame = { &variant, NULL, 0, "recorded", NULL, 0, 0 };
    struct purchase p = { .price = 5, .evidence = evidence_new(probe, "recorded", "Some GPU") };
    struct note n;
    snprintf(p.probe, sizeof p.probe, "%s", probe);
    evidence_add(p.evidence, part);
    note_make(&n, &p, &frame);
    evidence_free(p.evidence);
    return n;
}

static void the_notebook_names_the_top_lines(void **state)
{
    struct note n = note_of("lines", &sampled);
    assert_int_equal(n.letter, 'l');
    assert_string_equal(n.row[0].label, "line  4");
    assert_string_equal(n.row[0].value, "60 %");
    assert_string_equal(n.row[0].beside, "memory");
    assert_true(fabs(n.row[0].share - 0.6) < 1e-12);
    assert_string_equal(n.row[0].metric->name, "top_line");
    assert_string_equal(n.row[1].label, "line  3");
    assert_string_equal(n.row[2].label, "line 12");
    assert_string_equal(n.row[3].label, "samples");
    assert_string_equal(n.fold, "lines: line  4 60 %");
    bool dropped = false, meant = false;
    for (int k = 0; k < n.n; k++) {
        dropped |= strstr(n.row[k].label, "dropped: 7") != NULL;
        meant |= strstr(n.row[k].label, "memory: long_scoreboard") != NULL;
    }
    assert_true(dropped && meant);
    note_free(&n);
}

/* Only where there are any: other kernels have no mbarrier. */
static void the_notebook_tells_waits_for_an_mbarrier(void **state)
{
    double waits[] = {0, 550, 0};
    struct msg_series with[] = {series[0], series[1], series[2], {"stall_mbarrier", waits, 3}};
    struct msg_value told[] = {values[0], values[1], values[2],
                               {.name = "mbarrier_share", .present = true, .value = 0.55}};
    struct msg_part part = sampled;
    part.series = with;
    part.metrics = told;
    part.n_metrics = 4;
    struct note n = note_of("lines", &part);
    assert_string_equal(n.row[0].beside, "mbarrier");
    assert_string_equal(n.row[4].label, "waits for an mbarrier");
    assert_string_equal(n.row[4].value, "55 %");
    assert_string_equal(n.row[4].metric->name, "mbarrier_share");
    note_free(&n);
    told[3].value = 0;
    n = note_of("lines", &part);
    assert_null(n.row[4].metric);
    note_free(&n);
}

static void a_listing_stays_out_of_the_notebook(void **state)
{
    char *text[] = { "move:", "0000       EXIT" }, *kind = "listing: SASS";
    struct msg_value count = { .name = "machine_instructions", .present = true, .value = 1 };
    const struct msg_part part = {.probe = PROBE_SASS,
                                  .variant = -1,
                                  .run = "a",
                                  .metrics = &count,
                                  .n_metrics = 1,
                                  .lines = text,
                                  .n_lines = 2,
                                  .notes = &kind,
                                  .n_notes = 1};
    struct note n = note_of("sass", &part);
    assert_string_equal(n.row[0].label, "instructions in the code");
    for (int k = 0; k < n.n; k++)
        assert_null(strstr(n.row[k].label, "EXIT"));
    assert_string_equal(n.row[1].label, "listing: SASS");
    note_free(&n);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(samples_become_shares),
        cmocka_unit_test(without_samples_there_is_no_table),
        cmocka_unit_test(reasons_have_short_words),
        cmocka_unit_test(source_alone),
        cmocka_unit_test(samples_stand_in_columns),
        cmocka_unit_test(code_moves_sideways),
        cmocka_unit_test(a_listing_has_its_source_lines),
        cmocka_unit_test(the_notebook_names_the_top_lines),
        cmocka_unit_test(the_notebook_tells_waits_for_an_mbarrier),
        cmocka_unit_test(a_listing_stays_out_of_the_notebook),
    };
    return cmocka_run_group_tests(tests, set_up, NULL);
}
