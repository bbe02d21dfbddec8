/* From evidence to rows, from rows to the lines of a pane. */
#include "tui/play/notebook_rows.h"

#include <locale.h>

#include "kernels/wire/text.h"
#include "tests/unit.h"

static struct story story;
static struct variant variant = {.story = &story};
static struct msg_number peak[] = { { "dram_peak", "1", 4.8e12 } };
static struct msg_device device = { .name = "Some GPU", .attributes = peak, .n_attributes = 1 };
static const struct note_frame frame = { &variant, &device, 537e6, "recorded", NULL, 0, 0 };

/* "name=value ..." as one part; a value of "?" is missing. */
static struct evidence *evidence_of(const char *probe, const char *metrics)
{
    struct evidence *e = evidence_new(probe, "recorded", "Some GPU");
    struct msg_value value[16];
    struct msg_part part = { .variant = -1, .tier = "recorded", .run = "a", .metrics = value };
    char name[48], text[24];
    for (int used; sscanf(metrics, " %47[^=]=%23s%n", name, text, &used) == 2; metrics += used) {
        struct msg_value *v = &value[part.n_metrics++];
        *v = (struct msg_value){ .present = text[0] != '?', .value = atof(text) };
        v->low = v->high = v->value;
        v->missing = v->present ? NULL : "permission: profiling is reserved for administrators";
        snprintf(v->name, sizeof v->name, "%s", name);
        if (metric_find(name))
            part.probe = metric_find(name)->probe;
    }
    evidence_add(e, &part);
    return e;
}

static struct note note_of(const char *probe, struct evidence *e)
{
    struct purchase p = { .price = 3, .evidence = e };
    struct note n;
    snprintf(p.probe, sizeof p.probe, "%s", probe);
    note_make(&n, &p, &frame);
    evidence_free(e);
    return n;
}

static const struct note_row *row_of(const struct note *n, const char *label)
{
    for (int k = 0; k < n->n; k++)
        if (strcmp(n->row[k].label, label) == 0)
            return &n->row[k];
    fail_msg("no row '%s'", label);
    return NULL;
}

static void sectors_stand_beside_what_is_healthy(void **state)
{
    struct note n =
        note_of("memory",
                evidence_of("memory", "load_sectors_per_request=16 store_sectors_per_request=32 "
                                      "load_efficiency=1 store_efficiency=0.125"));
    const struct note_row *loads = row_of(&n, "sectors per load request"),
                          *stores = row_of(&n, "sectors per store request");
    assert_int_equal(n.letter, 'm');
    assert_int_equal(n.row[0].kind, NOTE_HEAD);
    assert_string_equal(loads->value, "16");
    assert_string_equal(loads->beside, "16");
    assert_string_equal(stores->value, "32");
    assert_string_equal(stores->beside, "4");
    assert_true(stores->share > 0.99 && loads->share < 0.51);
    assert_string_equal(n.fold, "memory: sectors per store request 32");
    note_free(&n);
}

static void without_the_share_of_used_bytes_nothing_is_called_healthy(void **state)
{
    struct note n =
        note_of("memory", evidence_of("memory", "store_sectors_per_request=32 store_efficiency=?"));
    assert_string_equal(row_of(&n, "sectors per store request")->beside, "");
    note_free(&n);
}

/* Where loads are asynchronous copies their bytes are not counted as used: 0 or 5 is no lane's
 * width. */
static void odd_sectors_are_not_called_healthy(void **state)
{
    struct note n =
        note_of("memory",
                evidence_of("memory", "load_sectors_per_request=15.9 load_efficiency=0 "
                                      "store_sectors_per_request=16 store_efficiency=0.31"));
    assert_int_equal(n.row[0].kind, NOTE_NUMBER);       /* so there is no such column */
    assert_string_equal(row_of(&n, "sectors per load request")->beside, "");
    assert_string_equal(row_of(&n, "sectors per store request")->beside, "");
    note_free(&n);
}

static void a_lone_healthy_value_says_so(void **state)
{
    struct note n = note_of("shared", evidence_of("shared", "bank_conflicts=0"));
    assert_string_equal(row_of(&n, "bank conflicts")->beside, "");
    note_free(&n);
    n = note_of("shared", evidence_of("shared", "bank_conflicts=4096"));
    assert_string_equal(row_of(&n, "bank conflicts")->beside, "healthy 0");
    note_free(&n);
}

/* ---- comparisons with the reference ---- */

/* The reference's own part comes first, as from the runner. */
static struct evidence *compared(const char *probe, const char *of_check, const char *of_suspect)
{
    struct evidence *e = evidence_of(probe, of_check), *suspect = evidence_of(probe, of_suspect);
    snprintf(e->parts[0].run, sizeof e->parts[0].run, "r");
    evidence_add(e, &suspect->parts[0]);
    evidence_free(suspect);
    return e;
}

static bool says(const struct note *n, const char *words)
{
    char all[2048] = "";
    for (int k = 0; k < n->n; k++)
        snprintf(all + strlen(all), sizeof all - strlen(all), "%s ", n->row[k].label);
    return strstr(all, words) != NULL;
}

static void a_comparison_tells_of_the_suspect(void **state)
{
    struct purchase p = { .probe = "verify", .price = 2, .call = "a few" };
    struct note n;
    p.evidence = compared("verify", "zeros_wrong=135162 poison_wrong=135168",
                          "wrong_elements=7 compared_elements=135168");
    note_make(&n, &p, &frame);
    assert_string_equal(row_of(&n, "wrong elements")->value, "7");
    assert_true(says(&n, "zeros and garbage would be found wrong"));
    assert_string_equal(n.row[1].label, "your call: a few, right");
    assert_string_equal(n.row[2].label, "compared elements");
    assert_false(says(&n, "zeros found wrong"));
    assert_string_equal(n.fold, "verify: wrong elements 7");
    note_free(&n);
    snprintf(p.call, sizeof p.call, "none");
    note_make(&n, &p, &frame);
    assert_true(says(&n, "your call: none, wrong"));
    note_free(&n);
    evidence_free(p.evidence);
    n = note_of("verify", compared("verify", "zeros_wrong=5 input_wrong=0", "wrong_elements=0"));
    assert_true(says(&n, "nothing of this kernel: zeros would be found wrong"));
    assert_true(says(&n, "a copied input would pass for right"));
    note_free(&n);
}

static void add_line(struct msg_part *p, const char *text)
{
    p->lines = mem_grow(p->lines, (size_t)p->n_lines + 1, sizeof *p->lines);
    p->lines[p->n_lines++] = text_dup(text);
}

/* Findings are wrapped, none is cut; e on the note of a repetition explains it. */
static void findings_are_read_in_full(void **state)
{
    struct evidence *e = evidence_of("sanitizer", "race_hazards=893956");
    char note_text[] = "differing: 9 of 9 launches alone, 8 of 9 beside another kernel",
         *notes[] = {note_text};
    struct msg_part more = {.probe = PROBE_REPEAT,
                            .variant = -1,
                            .tier = "recorded",
                            .run = "a",
                            .notes = notes,
                            .n_notes = 1};
    struct purchase p = { .probe = "repeat", .price = 3 };
    struct note n;
    add_line(&e->parts[0], "Race reported between Read access at softmax in suspect.cu:41 and "
                           "Write access at softmax in suspect.cu:52 [893956 hazards]");
    n = note_of("sanitizer", e);
    assert_true(says(&n, "Race reported between Read access at"));
    assert_true(says(&n, "[893956 hazards]") || says(&n, "hazards]"));
    for (int k = 0; k < n.n; k++)
        assert_true(strlen(n.row[k].label) <= 37);
    note_free(&n);
    p.evidence = evidence_new("repeat", "recorded", "Some GPU");
    evidence_add(p.evidence, &more);
    note_make(&n, &p, &frame);
    assert_int_equal(strncmp(n.row[0].label, "differing", 9), 0);
    assert_ptr_equal(n.row[0].metric, metric_find("identical_repeats"));
    note_free(&n);
    evidence_free(p.evidence);
}

/* The healthy half of an experiment does not stand for the other. */
static void a_folded_block_shows_the_worst(void **state)
{
    struct note n =
        note_of("poison-here", evidence_of("poison", "wrong_elements=0 max_error=0.5 "
                                                     "poisoned_wrong=12 shared_differences=77"));
    assert_non_null(strstr(n.fold, "depends on old shared memory 77"));
    note_free(&n);
    n = note_of("poison-here", evidence_of("poison", "poisoned_wrong=0 shared_differences=0"));
    assert_non_null(strstr(n.fold, "wrong, memory poisoned 0"));
    note_free(&n);
}

static struct note timed_twice(double cold_high, double warm_low)
{
    struct evidence *e = evidence_of("timing", "time=1e-4"),
                    *warm = evidence_of("timing", "time=1e-4");
    struct msg_part *of[] = { &e->parts[0], &warm->parts[0] };
    for (int k = 0; k < 2; k++) {
        of[k]->notes = mem_grow(of[k]->notes, 1, sizeof *of[k]->notes);
        of[k]->notes[of[k]->n_notes++] = text_dup(k ? "warm" : "cold");
    }
    e->parts[0].metrics[0].high = cold_high;
    warm->parts[0].metrics[0].low = warm_low;
    evidence_add(e, &warm->parts[0]);
    evidence_free(warm);
    return note_of("timing", e);
}

static void slower_with_a_warm_cache_is_said(void **state)
{
    struct note n = timed_twice(1.0e-4, 1.1e-4);
    assert_true(says(&n, "L2 does not help here"));
    note_free(&n);
    n = timed_twice(1.1e-4, 1.0e-4);       /* the intervals overlap */
    assert_false(says(&n, "L2 does not help here"));
    note_free(&n);
}

static void what_users_count_stands_below_the_time(void **state)
{
    struct note n = timed_twice(1.0e-4, 1.1e-4);
    int rows = n.n;
    note_free(&n);
    if (formula_parse(&story.rate.per_run.f, "4", NULL, NULL))
        fail_msg("4 is no formula");
    story.rate.unit = "tokens";
    n = timed_twice(1.0e-4, 1.1e-4);
    assert_int_equal(n.n, rows + 1);
    assert_string_equal(n.row[0].label, "time, cold L2");
    assert_string_equal(n.row[1].label, "tokens/s");
    assert_string_equal(n.row[1].value, "40.0 k");
    assert_string_equal(n.row[2].label, "time, warm L2");
    assert_null(row_of(&n, "tokens/s")->metric);
    note_free(&n);
    formula_free(story.rate.per_run.f);
    story.rate = (struct rate){ 0 };
}

static void bytes_are_shown_against_the_work(void **state)
{
    struct note n = note_of("dram", evidence_of("dram", "dram_bytes=644.4e6 dram_fraction=0.13"));
    assert_string_equal(row_of(&n, "DRAM bytes")->value, "1.2 x");
    assert_string_equal(row_of(&n, "DRAM bytes")->beside, "the 537 MB");
    assert_string_equal(row_of(&n, "DRAM busy")->value, "13 %");
    assert_string_equal(row_of(&n, "DRAM busy")->beside, "of 4800 GB/s");
    note_free(&n);
}

/* Counters of a step are those of its longest launch; the step's bytes are no measure of them. */
static void bytes_of_one_launch_stand_alone(void **state)
{
    char *kind = story.kind;
    story.kind = (char *)"pipeline";
    struct note n = note_of("dram", evidence_of("dram", "dram_bytes=1.87e9 dram_fraction=0.81"));
    assert_string_equal(row_of(&n, "DRAM bytes")->value, "1.87 GB");
    assert_string_equal(row_of(&n, "DRAM bytes")->beside, "");
    note_free(&n);
    story.kind = kind;
}

static void stalls_are_sorted_and_five(void **state)
{
    struct note n =
        note_of("stalls", evidence_of("stalls", "stall_barrier=1 stall_wait=2 "
                                                "stall_long_scoreboard=605 stall_lg_throttle=39 "
                                                "stall_membar=3 stall_drain=0.5 stall_total=660"));
    assert_string_equal(n.row[0].label, "long_scoreboard");
    assert_true(n.row[0].share > 0.999);
    assert_string_equal(n.row[1].label, "lg_throttle");
    assert_string_equal(n.row[4].label, "barrier");
    assert_string_equal(n.row[5].label, "all reasons");
    assert_string_equal(n.row[6].label, "cycles of a warp per instruction");
    assert_non_null(strstr(n.row[0].metric->explain, "for each instruction that it issues"));
    note_free(&n);
}

static void missing_is_said_once_and_is_no_bar(void **state)
{
    int reasons = 0;
    struct note n = note_of("dram", evidence_of("dram", "dram_bytes=? dram_fraction=?"));
    assert_string_equal(row_of(&n, "DRAM busy")->value, "n/a");
    assert_true(row_of(&n, "DRAM busy")->missing);
    assert_true(row_of(&n, "DRAM busy")->share < 0);
    for (int k = 0; k < n.n; k++)
        reasons += strstr(n.row[k].label, "n/a: profiling is reserved") != NULL;
    assert_int_equal(reasons, 1);
    note_free(&n);
}

static void another_tier_is_tagged(void **state)
{
    struct evidence *e = evidence_of("dram", "dram_fraction=0.5");
    snprintf(e->tier, sizeof e->tier, "live");
    struct note n = note_of("dram", e);
    assert_string_equal(n.tag, "live");
    note_free(&n);
    n = note_of("dram", evidence_of("dram", "dram_fraction=0.5"));
    assert_string_equal(n.tag, "");
    note_free(&n);
}

static void an_answer_is_wrapped(void **state)
{
    const struct question q = {"Is it so?", "Yes, and for a reason that takes more columns than "
                                            "one row of the narrowest pane has."};
    struct note n;
    note_make_answer(&n, &q, 1, 0);
    assert_true(n.n >= 2);
    for (int k = 0; k < n.n; k++)
        assert_true(draw_columns(n.row[k].label) <= 38);
    assert_string_equal(n.fold,
                        "Is it so? Yes, and for a reason that takes more columns than one row of "
                        "the narrowest pane has."); /* the screen cuts it, with dots */
    assert_int_equal(n.price, 0);
    note_free(&n);
    note_make_answer(&n, &q, 4, 0);
    assert_int_equal(n.price, 1);
    note_free(&n);
}

static void a_call_of_the_copy_rate_is_worked_out(void **state)
{
    struct msg_number copy = { "copy", "B/s", 4.0e12 };
    struct msg_device with_copy = { .name = "Some GPU", .ceilings = &copy, .n_ceilings = 1 };
    const struct note_frame known = { &variant, &with_copy, 400e6, "recorded", NULL, 0, 0 };
    struct purchase p = {.probe = "timing",
                         .price = 1,
                         .call = "to 0.85",
                         .evidence = evidence_of("timing", "time=1.25e-4")}; /* 0.8 */
    struct note n;
    note_make(&n, &p, &known);
    assert_true(says(&n, "to 0.85, right"));
    note_free(&n);
    snprintf(p.call, sizeof p.call, "above");
    note_make(&n, &p, &known);
    assert_true(says(&n, "above, wrong"));
    note_free(&n);
    evidence_free(p.evidence);
}

/* ---- lines of a pane ---- */

static struct notebook book_of(int blocks, int rows)
{
    struct notebook b = { mem_new((size_t)blocks, sizeof *b.note), blocks };
    for (int k = 0; k < blocks; k++) {
        b.note[k].n = rows;
        b.note[k].row = mem_new((size_t)rows, sizeof *b.note[k].row);
        for (int r = 0; r < rows; r++)
            b.note[k].row[r].kind = r == 0 ? NOTE_HEAD : NOTE_NUMBER;
    }
    return b;
}

static void older_blocks_fold(void **state)
{
    struct notebook b = book_of(4, 3);
    int n;
    struct notebook_line *l = notebook_lines(&b, 3, -1, 10, &n);
    assert_int_equal(n, 10);
    assert_true(l[0].folded && l[0].note == 0);
    assert_true(l[1].folded && l[1].note == 1);
    assert_false(l[2].folded);
    assert_int_equal(l[6].note, 3);
    assert_int_equal(l[9].row, 2);
    free(l);
    notebook_free(&b);
}

static void the_selected_row_is_always_there(void **state)
{
    struct notebook b = book_of(9, 12);
    for (int height = 1; height <= 20; height++)
        for (int note = 0; note < 9; note++)
            for (int row = -1; row < 12; row++) {
                int n;
                bool there = false;
                struct notebook_line *l = notebook_lines(&b, note, row, height, &n);
                assert_true(n <= height);
                for (int k = 0; k < n; k++)
                    there |= l[k].note == note && l[k].row == row;
                assert_true(there);
                free(l);
            }
    notebook_free(&b);
}

static void what_is_below_is_counted(void **state)
{
    struct notebook b = book_of(2, 12);
    assert_int_equal(notebook_below(&b, 0, -1, 14), 0);     /* block 0 open, block 1 one line */
    assert_int_equal(notebook_below(&b, 0, -1, 9), 5);
    assert_int_equal(notebook_below(&b, 1, -1, 6), 7);
    assert_int_equal(notebook_below(&b, 1, 11, 6), 0);
    notebook_free(&b);
}

static void words_are_walked_too(void **state)
{
    struct notebook b = book_of(1, 3);
    int note = 0, row = 1;
    b.note[0].row[2].kind = NOTE_TEXT;
    assert_true(notebook_move(&b, &note, &row, 1));
    assert_int_equal(row, 2);
    notebook_free(&b);
}

static void arrows_walk_the_numbers(void **state)
{
    struct notebook b = book_of(2, 3);
    int note = 0, row = -1, steps = 0;
    while (notebook_move(&b, &note, &row, 1)) {
        steps++;
        assert_true(row != 0);      /* heads are passed over */
    }
    assert_int_equal(steps, 5);
    assert_int_equal(note, 1);
    assert_int_equal(row, 2);
    while (notebook_move(&b, &note, &row, -1))
        steps--;
    assert_int_equal(steps, 0);
    assert_int_equal(note, 0);
    assert_int_equal(row, -1);
    notebook_free(&b);
}

/* Work for each row must not grow with the text behind it. */
static void a_note_of_megabytes(void **state)
{
    enum { SIZE = 4 << 20, COLUMNS = 37 };
    struct note n = { 0 };
    char *text = malloc(SIZE + 1);
    memset(text, 'w', SIZE);
    text[SIZE] = '\0';
    note_add_text(&n, text);
    assert_int_equal(n.n, (SIZE + COLUMNS - 1) / COLUMNS);
    free(n.row);
    free(text);
}

int main(void)
{
    setlocale(LC_ALL, "C.UTF-8");
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sectors_stand_beside_what_is_healthy),
        cmocka_unit_test(without_the_share_of_used_bytes_nothing_is_called_healthy),
        cmocka_unit_test(findings_are_read_in_full),
        cmocka_unit_test(a_folded_block_shows_the_worst),
        cmocka_unit_test(slower_with_a_warm_cache_is_said),
        cmocka_unit_test(what_users_count_stands_below_the_time),
        cmocka_unit_test(bytes_are_shown_against_the_work),
        cmocka_unit_test(bytes_of_one_launch_stand_alone),
        cmocka_unit_test(stalls_are_sorted_and_five),
        cmocka_unit_test(missing_is_said_once_and_is_no_bar),
        cmocka_unit_test(another_tier_is_tagged),
        cmocka_unit_test(an_answer_is_wrapped),
        cmocka_unit_test(odd_sectors_are_not_called_healthy),
        cmocka_unit_test(a_lone_healthy_value_says_so),
        cmocka_unit_test(a_comparison_tells_of_the_suspect),
        cmocka_unit_test(a_call_of_the_copy_rate_is_worked_out),
        cmocka_unit_test(what_is_below_is_counted),
        cmocka_unit_test(words_are_walked_too),
        cmocka_unit_test(older_blocks_fold),
        cmocka_unit_test(the_selected_row_is_always_there),
        cmocka_unit_test(arrows_walk_the_numbers),
        cmocka_unit_test(a_note_of_megabytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
