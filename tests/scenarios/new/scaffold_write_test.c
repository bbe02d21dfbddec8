/* A new scenario on the disk: the pack's list grows in place, nothing is overwritten, nothing stays
 * half. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "tests/scenarios/new/made_scaffold.h"

/* ---- pack.yaml ---- */

static const struct { const char *before, *after;
} lists[] = {
    {"id: p\nscenarios: [one]\n", "id: p\nscenarios: [one, new-one]\n"},
    {"id: p\nscenarios: [one, \"two\"]   # in this order\n",
     "id: p\nscenarios: [one, \"two\", new-one]   # in this order\n"},
    {"id: p\nscenarios: [\n  one,   # first\n  two    # second\n]\n",
     "id: p\nscenarios: [\n  one,   # first\n  two, new-one    # second\n]\n"},
    {"id: p\nscenarios:\n  - one\n  - two   # second\ntitle: T\n",
     "id: p\nscenarios:\n  - one\n  - two   # second\n  - new-one\ntitle: T\n"},
    {"scenarios:\n- one", "scenarios:\n- one\n- new-one\n"},
    {"scenarios: {one: 1}\n", NULL},
    {"title: \xc3\xa9\n", NULL},
};

static void the_list_of_scenarios_grows_in_place(void **state)
{
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct files *f = files_new("p");
        struct err err = {0};
        files_add(f, "pack.yaml", lists[i].before, strlen(lists[i].before));
        char *after = scaffold_add_id(f, files_find(f, "pack.yaml"), "new-one", &err);
        if (lists[i].after)
            assert_string_equal(after, lists[i].after);
        else
            assert_true(!after && strstr(err.text, "p/pack.yaml has no list"));
        free(after);
        files_free(f);
    }
}

/* ---- the disk ---- */

static int write_scenario(const char *place, struct err *err)
{
    struct scaffold s = {.level = 1};
    struct files *f = NULL;
    const char **made = NULL;
    int n;
    int rc = scaffold_place(&s, place, err);
    if (!rc && !(rc = source_open_at(&s.source, "tests/new/host-code.cu", NULL, err))) {
        s.kernel = &s.source->kernels[0];
        rc = source_params(s.source, &s.source->kernels[0], err);
        scaffold_guess(&s);
        if (!rc && !(rc = scaffold_make(&f, &made, &n, &s, err)))
            rc = scaffold_write(&s, f, made, n, err);
    }
    free(made);
    files_free(f);
    scaffold_free(&s);
    return rc;
}

/* Every file that can be written up to `most` bytes is, and the first longer one fails. */
static int write_limited(const char *place, rlim_t most, struct err *err)
{
    struct rlimit before, now;
    getrlimit(RLIMIT_FSIZE, &before);
    now = before;
    now.rlim_cur = most;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &now);
    int rc = write_scenario(place, err);
    setrlimit(RLIMIT_FSIZE, &before);
    return rc;
}

static int count_below(const char *folder)
{
    char *command = text_format("find %s -mindepth 1 | wc -l", folder);
    FILE *f = popen(command, "r");
    int n = -1;
    assert_int_equal(fscanf(f, "%d", &n), 1);
    pclose(f);
    free(command);
    return n;
}

/* Debrief, reference, fix, answer, suspect, scenario and pack.yaml are written in this order, each
 * of another size. */
static void leaves_nothing_half(void **state)
{
    char dir[] = "/tmp/scaffold.XXXXXX", command[200];
    struct err err = {0};
    assert_non_null(mkdtemp(dir));
    char *one = text_format("%s/there/deep/mine/first-one", dir),
         *two = text_format("%s/there/deep/mine/second-one", dir),
         *there = text_format("%s/there", dir);
    assert_int_equal(mkdir(there, 0700), 0);
    for (rlim_t most = 0; most < 4000 && write_limited(one, most, &err); most += 50) {
        assert_non_null(strstr(err.text, "cannot be written: File too large"));
        if (count_below(dir) != 1)
            fail_msg("%d left below %s at most %d bytes: %s", count_below(dir), dir, (int)most,
                     err.text);
    }
    if (count_below(there) == 0 && write_scenario(one, &err))
        fail_msg("%s", err.text);
    int whole = count_below(dir);
    assert_int_not_equal(write_limited(two, 1, &err), 0);
    assert_int_equal(count_below(dir), whole);
    char *manifest = text_format("%s/there/deep/mine/pack.yaml.new", dir);
    assert_int_equal(mkdir(manifest, 0700), 0);     /* the last step alone fails */
    assert_int_not_equal(write_scenario(two, &err), 0);
    assert_int_equal(count_below(dir), whole + 1);
    free(manifest);
    snprintf(command, sizeof command, "rm -r %s", dir);
    assert_int_equal(system(command), 0);
    free(one);
    free(two);
    free(there);
}

static void writes_and_never_overwrites(void **state)
{
    char dir[] = "/tmp/scaffold.XXXXXX", command[200];
    struct err err = {0};
    struct pack *p;
    assert_non_null(mkdtemp(dir));
    char *one = text_format("%s/deep/packs/mine/first-one", dir),
         *two = text_format("%s/deep/packs/mine//second-one/", dir),
         *pack = text_format("%s/deep/packs/mine", dir);
    char *bad = text_format("%s/deep/packs/mine/First", dir),
         *odd = text_format("%s/deep/Packs/first", dir);
    if (write_scenario(one, &err) || write_scenario(two, &err) || pack_open(&p, pack, &err))
        fail_msg("%s", err.text);
    assert_int_equal(p->n_stories, 2);
    assert_string_equal(p->id, "mine");
    assert_string_equal(p->stories[1].id, "second-one");
    assert_int_equal(p->stories[0].level, 1);
    pack_free(p);
    assert_int_not_equal(write_scenario(two, &err), 0);
    assert_non_null(strstr(err.text, "second-one exists already, and nothing is overwritten"));
    assert_int_not_equal(write_scenario(bad, &err), 0);
    assert_non_null(strstr(err.text, "PACK/SCENARIO was expected"));
    assert_int_not_equal(write_scenario(odd, &err), 0);
    assert_non_null(strstr(err.text, "cannot be a pack's id"));
    assert_int_not_equal(write_scenario("alone", &err), 0);
    char *other = text_format("%s/deep/first", dir);
    assert_int_not_equal(write_scenario(other, &err), 0);
    assert_non_null(strstr(err.text, "/deep holds other things and no pack.yaml; a folder of its "
                                     "own was expected"));
    free(other);
    snprintf(command, sizeof command, "rm -r %s", dir);
    assert_int_equal(system(command), 0);
    free(one), free(two), free(pack), free(bad), free(odd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_list_of_scenarios_grows_in_place),
        cmocka_unit_test(writes_and_never_overwrites),
        cmocka_unit_test(leaves_nothing_half),
    };
    return cmocka_run_group_tests_name("scaffold_write", tests, NULL, NULL);
}
