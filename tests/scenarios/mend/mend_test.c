/* Mending without a runner: every shipped variant can be laid, read back and asked about, with the
 * suspect, the fix and the best as a person's text; folders, files, what is kept, what changed. */
#include "scenarios/mend/mend.h"

#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/gpus.h"
#include "scenarios/evidence/request.h"
#include "scenarios/library/catalog.h"
#include "scenarios/mend/mend_figures.h"
#include "scenarios/mend/mend_hint.h"
#include "scenarios/mend/mend_kept.h"
#include "scenarios/mend/mend_moved.h"
#include "scenarios/mend/mend_counts.h"
#include "scenarios/mend/mend_score.h"
#include "scenarios/mend/mend_state.h"
#include "scenarios/pack/recordings.h"
#include "tests/folder.h"
#include "tests/unit.h"

static struct catalog *catalog;
static struct msg_device device;

static int set_up(void **state)
{
    const char *packs[] = {"content/packs"};
    struct err err = {0};
    gpu_attributes(&device, gpu_find("nvidia-h200", &err));
    return folder_make("mend") || catalog_open(&catalog, packs, 1, &err);
}

static int tear_down(void **state)
{
    catalog_free(catalog);
    msg_device_free(&device);
    return folder_remove(state);
}

/* ---- all that is shipped ---- */

static void each(void (*fn)(const struct variant *v))
{
    int n = 0;
    for (int p = 0; p < catalog->n_packs; p++)
        for (int s = 0; s < catalog->packs[p]->n_stories; s++)
            for (int k = 0; k < catalog->packs[p]->stories[s].n_variants; k++)
                if (!mend_cannot(catalog->packs[p]->stories[s].variants[k])) {
                    fn(catalog->packs[p]->stories[s].variants[k]);
                    n++;
                }
    assert_true(n > 50);
}

/* As the shipped file with a line above it that takes its launches. */
static char *as_text(const struct variant *v, const char *whose, const char *run)
{
    return text_format("// launches: %s\n%s", whose, variant_source(v, run)->text);
}

static void asks(const struct variant *v, const char *text)
{
    struct mend_launches launches;
    struct err err = {0};
    if (mend_text_check("mine.cu", text, strlen(text), &err) ||
        mend_launches_read(&launches, v, "mine.cu", text, &err) ||
        mend_state_check("mine.cu", text, &err))
        fail_msg("%s: %s", v->full_id, err.text);
    struct mend_task task = {v, &device, "mine.cu", text, &launches};
    for (int stage = 0; stage < MEND_STAGES; stage++) {
        struct msg_measure m;
        char key[65];
        if (mend_request(&m, &task, (enum mend_stage)stage, 7, &err))
            fail_msg("%s, stage %d: %s", v->full_id, stage, err.text);
        for (int i = 0; i < m.n_items; i++)
            if (msg_item_key(key, &m, i, &err))
                fail_msg("%s, stage %d: %s", v->full_id, stage, err.text);
        m.id = 1;
        json_t *sent = msg_measure_encode(&m);
        struct msg_measure back;
        if (msg_measure_decode(&back, sent, &err))
            fail_msg("%s, stage %d: the runner refuses: %s", v->full_id, stage, err.text);
        msg_measure_free(&back);
        json_decref(sent);
        msg_measure_free(&m);
    }
    mend_launches_free(&launches);
}

static void ask_of(const struct variant *v)
{
    if (story_is_case(v->story) || variant_needs_answer(v, NULL))
        return;
    struct err err = {0};
    if (request_needs(v->story, &device, &err))
        return;
    char *contract = mend_contract(v, &device, "mine.cu"), *far = mend_contract(v, NULL, "mine.cu");
    asks(v, contract);
    asks(v, far);
    free(contract);
    free(far);
    static const char *const whose[] = {"fix", "best"}, *const runs[] = {"b", "c"};
    for (int k = 0; k < 2; k++) {
        if (!variant_source(v, runs[k]))
            continue;
        char *text = as_text(v, whose[k], runs[k]);
        asks(v, text);
        free(text);
    }
}

static void every_shipped_variant_can_be_mended(void **state)
{
    each(ask_of);
}

/* Stories' and others', with the empty kernel and with our best. */
static void every_task_can_be_written(void **state)
{
    const struct story *one;
    int n = 0, own = 0;
    for (int p = 0; p < catalog->n_packs; p++)
        for (int i = 0; (one = pack_written(catalog->packs[p], i)); i++, n++) {
            ask_of(one->task->variant);
            own += catalog_task(catalog, one->full_id) == one;
        }
    assert_true(n >= 16);
    assert_true(own >= 4);
    assert_null(catalog_task(catalog, "first-principles/row-means")); /* that is a story */
    assert_null(catalog_task(catalog, "nothing"));
}

/* The contract's launch lines say what the suspect's launches are: read back, they are the same. */
static void same_launches(const struct variant *v)
{
    struct mend_launches launches;
    struct err err = {0};
    int n;
    if (story_is_case(v->story) || variant_needs_answer(v, NULL))
        return;
    char *text = mend_contract(v, NULL, "mine.cu");
    const struct launch *own = variant_launches(v, "a", &n);
    if (mend_launches_read(&launches, v, "mine.cu", text, &err))
        fail_msg("%s: %s", v->full_id, err.text);
    assert_int_equal(launches.n, n);
    for (int i = 0; i < n; i++) {
        assert_int_equal(launches.launch[i].n_grid, own[i].n_grid);
        assert_int_equal(launches.launch[i].n_block, own[i].n_block);
        for (int k = 0; k < own[i].n_grid; k++)
            assert_string_equal(formula_text(launches.launch[i].grid[k].f),
                                formula_text(own[i].grid[k].f));
    }
    mend_launches_free(&launches);
    free(text);
}

static void a_contract_tells_the_launches_as_they_are(void **state)
{
    each(same_launches);
}

static void a_size_that_is_a_number_is_told_once(void **state)
{
    const struct story *story;
    const struct variant *v;
    struct err err = {0};
    assert_int_equal(catalog_find(catalog, "hosts/fetched-session/a", &story, &v, &err), 0);
    char *text = mend_contract(v, &device, "mine.cu");
    assert_non_null(strstr(text, "//   d = 4096\n"));
    assert_non_null(strstr(text, "//   session = d * part = 786432\n"));
    free(text);
}

static void hints_go_from_the_cause_to_the_lines(void **state)
{
    const struct story *story;
    const struct variant *v;
    struct err err = {0};
    assert_int_equal(catalog_find(catalog, "first-principles/transposed-copy/a", &story, &v, &err),
                     0);
    for (int step = 1; step <= mend_hints(v); step++) {
        char *text = mend_hint(v, step);
        assert_non_null(text);
        assert_true(*text);
        free(text);
    }
    assert_null(mend_hint(v, mend_hints(v) + 1));
}

/* ---- what a compiler alone tells ---- */

static void the_assembler_is_read(void **state)
{
    static const char log[] =
        "ptxas info    : Compiling entry function 'two' for 'sm_90'\n"
        "    8 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads\n"
        "ptxas info    : Used 72 registers, used 0 barriers\n"
        "ptxas info    : Compiling entry function 'one' for 'sm_90'\n"
        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used 21 registers, used 1 barriers, 4224 bytes smem\n";
    struct mend_figures f;
    assert_true(mend_figures_read(&f, log, "one"));
    assert_int_equal(f.registers, 21);
    assert_int_equal(f.shared, 4224);
    assert_true(mend_figures_read(&f, log, "two"));
    assert_int_equal(f.registers, 72);
    assert_int_equal(f.stack, 8);
    assert_int_equal(f.spill_stores + f.spill_loads, 28);
    assert_int_equal(f.shared, 0);
    assert_false(mend_figures_read(&f, log, "three"));
    assert_false(mend_figures_read(&f, NULL, "one"));
}

static void instructions_are_counted_side_by_side(void **state)
{
    static const char mine[] = ".visible .entry k(\n\t.param .u64 p\n)\n{\n\t.reg .b32 %r<3>;\n"
                               "\tld.global.f32 %f1, [%rd1];\n\tld.global.f32 %f2, [%rd2];\n"
                               "\tmov.u32 %r1, %tid.x;\n\tmov.u32 %r2, 0;\n\tmov.u32 %r3, 1;\n"
                               "$L__BB0_2:\n\t@%p1 bra $L__BB0_2;\n\tret;\n}\n",
                      fix[] = "\tld.global.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];\n// add.s32 x;\n"
                              "\t{ cvt.rn.f16.f32 %h1, %f1;}\n\tret;\n";
    static struct mend_counts p;
    p = (struct mend_counts){.n_rows = 0};
    mend_count_ptx(&p, 0, mine);
    mend_count_ptx(&p, 1, fix);
    assert_int_equal(p.all[0], 7);
    assert_int_equal(p.all[1], 3);
    assert_int_equal(mend_counts_order(&p), 5);
    assert_string_equal(p.row[0].name, "ld.global.f32"); /* before moves, of which more differ */
    assert_int_equal(p.row[0].n[0], 2);
    assert_int_equal(p.row[0].n[1], 0);
    assert_string_equal(p.row[3].name, "mov.u32");
    assert_string_equal(p.row[p.n_rows - 1].name, "ret");
}

static void kinds_beyond_the_table_are_counted_alone(void **state)
{
    static struct mend_counts p;
    char line[64];
    p = (struct mend_counts){.n_rows = 0};
    for (int i = 0; i < MEND_COUNTS_ROWS + 40; i++) {
        snprintf(line, sizeof line, "\ta%d.%0*d %%r1;\n", i, i % 60, 0);
        line[sizeof line - 2] = ';';
        mend_count_ptx(&p, 0, line);
    }
    assert_int_equal(p.n_rows, MEND_COUNTS_ROWS);
    assert_true(p.all[0] > MEND_COUNTS_ROWS);
}

static int occupancies;

static void compare_part(const struct msg_part *p, const struct msg_device *d)
{
    static const char *const names[] = {"registers", "shared_bytes", "threads_per_block",
                                        "occupancy_limit"};
    double value[4];
    const char *limit;
    for (int i = 0; i < 4; i++) {
        const struct msg_value *v = msg_part_value(p, names[i]);
        if (!v || !v->present)
            return;
        value[i] = v->value;
    }
    struct mend_figures f = {.registers = (int)value[0], .shared = (int)value[1]};
    struct msg_launch l = {.block = {(uint32_t)value[2], 1, 1}};
    double ours = mend_occupancy(&limit, &f, &l, d);
    if (ours < 0)
        return;
    occupancies++;
    if (ours < value[3] - 1e-6 || ours > value[3] + 1e-6)
        fail_msg("%s: %g registers, %g bytes, %g threads: %g was measured, not %g", d->name,
                 value[0], value[1], value[2], value[3], ours);
}

static void compare_recordings(const struct variant *v)
{
    struct recording **all = NULL;
    int n = 0;
    if (recordings_of(v, &all, &n, NULL))
        return;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < all[i]->n_items; k++)
            if (all[i]->items[k].part.probe == PROBE_RESOURCES)
                compare_part(&all[i]->items[k].part, &all[i]->device);
    recordings_free(all, n);
}

/* The driver's own figures, as recorded, on GPUs of real kernels. */
static void occupancy_is_what_the_driver_says(void **state)
{
    each(compare_recordings);
    printf("# %d recorded kernels\n", occupancies);
    assert_true(occupancies > 100);
}

/* ---- the file ---- */

static struct mend_place place_in(const char *name)
{
    char path[128];
    struct mend_place p;
    const struct story *story;
    const struct variant *v;
    struct err err = {0};
    catalog_find(catalog, "first-principles/transposed-copy/a", &story, &v, &err);
    snprintf(path, sizeof path, "%s/%s", folder, name);
    assert_int_equal(mend_place_find(&p, v, path, &err), 0);
    return p;
}

/* One answer for all that one writes, but for a folder that was named. */
static void folders_of_ones_own_are_trusted_together(void **state)
{
    const char *ids[] = {"first-principles/transposed-copy/a", "first-principles/row-means/b"};
    struct mend_place p[2];
    const struct story *story;
    const struct variant *v;
    struct err err = {0};
    for (int i = 0; i < 2; i++) {
        catalog_find(catalog, ids[i], &story, &v, &err);
        assert_int_equal(mend_place_find(&p[i], v, NULL, &err), 0);
        assert_int_equal(strncmp(p[i].folder, p[i].trusted, strlen(p[i].trusted)), 0);
    }
    assert_string_equal(p[0].trusted, p[1].trusted);
    mend_place_free(&p[0]);
    mend_place_free(&p[1]);
    p[0] = place_in("elsewhere");
    assert_string_equal(p[0].trusted, p[0].folder);
    mend_place_free(&p[0]);
}

static void a_text_that_lies_there_is_never_written_over(void **state)
{
    struct mend_place p = place_in("a/b/c");
    struct err err = {0};
    bool made;
    char *text;
    assert_int_equal(mend_lay(&p, "int one;\n", &made, &err), 0);
    assert_true(made);
    assert_int_equal(mend_lay(&p, "int two;\n", &made, &err), 0);
    assert_false(made);
    assert_int_equal(mend_read(&text, &p, &err), 0);
    assert_string_equal(text, "int one;\n");
    free(text);
    unlink(p.file);
    assert_int_equal(symlink("/nowhere/at-all", p.file), 0); /* a link that leads nowhere, too */
    assert_int_equal(mend_lay(&p, "int two;\n", &made, &err), 0);
    assert_false(made);
    assert_int_equal(mend_put(&p, "int two;\n", &err), 0);
    assert_int_equal(mend_read(&text, &p, &err), 0);
    assert_string_equal(text, "int two;\n");
    free(text);
    mend_place_free(&p);
}

static void a_folder_without_rights_says_so(void **state)
{
    struct mend_place p = place_in("file/below");
    struct err err = {0};
    bool made;
    char path[128];
    snprintf(path, sizeof path, "%s/file", folder);
    fclose(fopen(path, "w"));
    assert_int_equal(mend_lay(&p, "x", &made, &err), ERR_IO);
    assert_non_null(strstr(err.text, "cannot be made"));
    mend_place_free(&p);
}

/* ---- what is kept, what changed ---- */

static struct mend_verdict right(double against, double sectors, double registers)
{
    struct mend_verdict v = {.is = MEND_RIGHT, .against = {true, against, against, against},
                             .has_share = true, .share = 0.5, .checks = 9, .gpu = "a GPU"};
    v.time[MEND_MINE] = (struct mend_time){true, 1e-3, 0.9e-3, 1.1e-3};
    v.metric[0] = (struct msg_value){.name = "load_sectors_per_request", .present = true,
                                     .value = sectors};
    v.metric[1] = (struct msg_value){.name = "registers", .present = true, .value = registers};
    v.n_metrics = 2;
    return v;
}

/* A name for a try. */
static const char *uid(int k)
{
    static char out[MEND_UID];
    snprintf(out, sizeof out, "%032d", k);
    return out;
}

static void tries_are_kept_and_read_back(void **state)
{
    char path[128], id[128];
    struct store *store;
    struct mend_tries tries;
    struct err err = {0};
    struct mend_verdict slow = right(2, 32, 40), fast = right(1, 4, 40),
                        refused = {.is = MEND_REFUSED, .reason = MEND_STALE, .why = "why"};
    snprintf(path, sizeof path, "%s/progress.db", folder);
    assert_int_equal(store_open(&store, path, 5000), STORE_OK);
    assert_int_equal(mend_keep(store, "p/s/a", uid(1), "one", &slow, &err), 0);
    assert_int_equal(mend_keep(store, "p/s/a", uid(2), "two", &refused, &err), 0);
    assert_int_equal(mend_keep(store, "p/s/a", uid(3), "three", &fast, &err), 0);
    struct mend_place p = place_in("kept");
    bool made;
    assert_int_equal(mend_tries_read(&tries, store, "p/s/a", &err), 0);
    assert_int_equal(mend_lay(&p, "four\n", &made, &err), 0);
    assert_int_equal(mend_replace(&p, store, "p/s/a", &tries, "two\n", &err), 0);
    assert_int_equal(mend_replace(&p, store, "p/s/a", &tries, "two\n", &err), 0); /* nothing new */
    mend_tries_free(&tries);
    mend_place_free(&p);
    assert_int_equal(mend_keep(store, "p/s/b", uid(4), "other", &fast, &err), 0);
    assert_int_equal(mend_keep(store, "p/s/a", uid(3), "three", &fast, &err), 0); /* once more */
    assert_int_equal(mend_keep(store, "p/s/a", uid(5), "\033[2J", &fast, &err), 0);
    assert_int_equal(mend_keep_hint(store, "p/s/a", 2, &err), 0);
    assert_int_equal(mend_tries_read(&tries, store, "p/s/a", &err), 0);
    assert_int_equal(tries.n, 4);
    assert_int_equal(tries.hints, 2);
    assert_string_equal(tries.all[1].text, "two");
    assert_int_equal(tries.all[1].verdict.reason, MEND_STALE);
    assert_string_equal(tries.all[1].verdict.why, "why");
    assert_int_equal(tries.all[3].verdict.is, MEND_OPEN);
    assert_ptr_equal(mend_best(&tries), &tries.all[2]);
    assert_ptr_equal(mend_with_text(&tries, "one"), &tries.all[0]);
    assert_int_equal(tries.all[0].verdict.n_metrics, 2);
    assert_true(tries.all[0].verdict.time[MEND_MINE].there);
    mend_tries_free(&tries);
    assert_int_equal(mend_allowed(store, "p/s/a", id), 0); /* tries are no debrief */
    store_free(store);
}

/* What stands in the file is never lost: a text goes to the store, anything else beside
 * the file. */
static void another_text_takes_the_place_of_nothing_that_is_not_kept(void **state)
{
    struct mend_place p = place_in("replaced");
    struct mend_tries none = {0};
    struct err err = {0};
    char path[200];
    bool made;
    assert_int_equal(mend_lay(&p, "a\001b", &made, &err), 0);
    assert_int_equal(mend_replace(&p, NULL, "p/s/a", &none, "int two;\n", &err), 0);
    unlink(p.file);
    assert_int_equal(mkdir(p.file, 0700), 0);
    assert_int_equal(mend_replace(&p, NULL, "p/s/a", &none, "int three;\n", &err), 0);
    assert_int_equal(mend_replace(&p, NULL, "p/s/a", &none, "int four;\n", &err), 0);
    static const char *const kept[] = {"a\001b", NULL, "int three;\n"};
    for (int i = 0; i < 3; i++) {
        struct stat st;
        snprintf(path, sizeof path, "%s.%d", p.file, i + 1);
        assert_int_equal(lstat(path, &st), 0);
        assert_int_equal(S_ISDIR(st.st_mode), !kept[i]);
        if (kept[i])
            assert_int_equal(st.st_size, strlen(kept[i]));
    }
    mend_place_free(&p);
}

static void what_editors_add_is_taken_away(void **state)
{
    struct mend_place p = place_in("plain");
    struct err err = {0};
    char *text;
    assert_int_equal(mend_replace(&p, NULL, "", NULL, "\xef\xbb\xbfint a;\r\nint b;", &err), 0);
    assert_int_equal(mend_read(&text, &p, &err), 0);
    assert_string_equal(text, "int a;\nint b;");
    free(text);
    assert_int_equal(mend_put(&p, "int a;\nint \033b;", &err), 0);
    assert_int_equal(mend_read(&text, &p, &err), ERR_BAD_REQUEST);
    assert_non_null(strstr(err.text, "mine.cu:2:5: holds what is no text (byte 0x1b"));
    mend_place_free(&p);
}

static struct mend_try a_try(int number, struct mend_verdict v)
{
    return (struct mend_try){.number = number, .at_ms = 60000 * number, .text = "", .verdict = v};
}

static void mending_has_a_score_of_its_own(void **state)
{
    struct mend_try all[] = {a_try(1, (struct mend_verdict){.is = MEND_REFUSED}),
                             a_try(2, right(1.5, 4, 40)), a_try(3, (struct mend_verdict){0}),
                             a_try(4, right(1.01, 4, 40)), a_try(5, right(1.2, 4, 40))};
    struct mend_tries t = {.all = all, .n = 5, .hints = 1};
    struct mend_score s = mend_score_of(&t);
    char words[240];
    assert_int_equal(s.tries, 4); /* what was laid aside is none */
    assert_int_equal(s.right, 3);
    assert_int_equal(s.best, 4);
    assert_true(s.done);
    mend_score_words(words, sizeof words, &s);
    assert_string_equal(words, "right, 50 % of the gap closed, 4 tries, 3 min, 1 hint (a GPU)");
    t.n = 1;
    t.hints = 0;
    s = mend_score_of(&t);
    mend_score_words(words, sizeof words, &s);
    assert_string_equal(words, "not right yet, 1 try, 0 s");
}

static void what_moved_most_comes_first(void **state)
{
    struct mend_verdict from = right(2, 32, 40), to = right(1, 4, 64), still = right(1, 4, 63);
    struct mend_moved moved[MEND_MOVED_MOST];
    char words[120];
    assert_int_equal(mend_moved(moved, &from, &to), 2);
    assert_string_equal(moved[0].metric->name, "load_sectors_per_request");
    mend_moved_words(words, sizeof words, &moved[1]);
    assert_string_equal(words, "registers per thread          40 -> 64");
    assert_int_equal(mend_moved(moved, &to, &still), 0);
}

/* What a runner says comes to terminals and into JSON: no escape, no character cut in half. */
static void what_a_runner_says_is_cleaned(void **state)
{
    char says[2000];
    memset(says, 'x', sizeof says);
    memcpy(says, "\033[2J", 4);
    for (size_t i = 1000; i + 2 < sizeof says; i += 2)
        memcpy(says + i, "\xc3\xa4", 2);
    says[sizeof says - 1] = '\0';
    for (int cut = 0; cut < 2; cut++) {
        struct mend_verdict v = {0};
        mend_take_error(&v, MEND_FIRST, ERR_LOST, "", says + cut * 5);
        assert_int_equal(v.is, MEND_NOT_JUDGED);
        assert_null(strchr(v.why, '\033'));
        json_t *all = mend_encode(&v);
        assert_non_null(all);
        json_decref(all);
    }
}

static void done_is_right_and_as_fast_as_the_fix(void **state)
{
    struct mend_verdict v = right(1.01, 4, 40), slow = right(1.5, 4, 40), wrong = right(0.5, 4, 40);
    wrong.is = MEND_REFUSED;
    assert_true(mend_is_done(&v));
    assert_false(mend_is_done(&slow));
    assert_false(mend_is_done(&wrong));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_shipped_variant_can_be_mended),
        cmocka_unit_test(every_task_can_be_written),
        cmocka_unit_test(a_contract_tells_the_launches_as_they_are),
        cmocka_unit_test(a_size_that_is_a_number_is_told_once),
        cmocka_unit_test(hints_go_from_the_cause_to_the_lines),
        cmocka_unit_test(the_assembler_is_read),
        cmocka_unit_test(instructions_are_counted_side_by_side),
        cmocka_unit_test(kinds_beyond_the_table_are_counted_alone),
        cmocka_unit_test(occupancy_is_what_the_driver_says),
        cmocka_unit_test(folders_of_ones_own_are_trusted_together),
        cmocka_unit_test(a_text_that_lies_there_is_never_written_over),
        cmocka_unit_test(a_folder_without_rights_says_so),
        cmocka_unit_test(tries_are_kept_and_read_back),
        cmocka_unit_test(another_text_takes_the_place_of_nothing_that_is_not_kept),
        cmocka_unit_test(what_editors_add_is_taken_away),
        cmocka_unit_test(mending_has_a_score_of_its_own),
        cmocka_unit_test(what_moved_most_comes_first),
        cmocka_unit_test(what_a_runner_says_is_cleaned),
        cmocka_unit_test(done_is_right_and_as_fast_as_the_fix),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
