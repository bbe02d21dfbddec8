/* Plans from a catalogue, plans and rubrics as text, and content/FORMAT-RUBRICS.md. */
#include "tests/scenarios/format_text.h"

#include <unistd.h>

#include "scenarios/interview/session_rubric.h"
#include "tests/scenarios/small_pack.h"

enum { DRILLS = 5 };
static const char *const drills[DRILLS] = {"memory/a", "memory/b", "memory/c", "fleet/d",
                                           "fleet/e"};
static struct catalog *shipped;

static int open_all(void **state)
{
    const char *dirs[] = {"content/packs"};
    struct err err = {0};
    return catalog_open(&shipped, dirs, 1, &err) || slurp(state) ? -1 : 0;
}

static int close_all(void **state)
{
    catalog_free(shipped);
    return drop(state);
}

static const struct story *story_of(const struct session_part *part, const struct variant **v)
{
    const struct story *story;
    struct err err = {0};
    if (catalog_find(shipped, part->id, &story, v, &err))
        fail_msg("%s", err.text);
    assert_non_null(*v);
    return story;
}

static void made(struct session_plan *out, int level, int minutes, uint64_t seed,
                 const char *const *avoid, int n_avoid)
{
    struct err err = {0};
    if (session_plan_make(out, shipped, drills, DRILLS, level, minutes, seed, avoid, n_avoid, &err))
        fail_msg("level %d, %d minutes: %s", level, minutes, err.text);
}

static void an_hour_is_what_the_guide_says(void **state)
{
    static const struct { enum session_part_kind kind; int minutes;
    } hour[] = {{PART_TALK, 5},
                {PART_SCENARIO, 25},
                {PART_DRILLS, 10},
                {PART_SCENARIO, 15},
                {PART_TALK, 5}};
    struct session_plan p;
    made(&p, 1, 60, 7, NULL, 0);
    assert_int_equal(p.n_parts, 5);
    for (int i = 0; i < 5; i++) {
        assert_int_equal(p.parts[i].kind, hour[i].kind);
        assert_int_equal(p.parts[i].minutes, hour[i].minutes);
        assert_true(p.parts[i].title[0]);
    }
    assert_string_equal(p.title, "Kernel diagnosis, one hour");
    assert_int_equal(p.parts[2].n_drills, 5);
    assert_in_range(p.n_signals, 6, 8);
}

static void equals(const json_t *j, const struct session_plan *p)
{
    json_t *theirs = session_plan_encode(p);
    assert_true(json_equal(j, theirs));
    json_decref(theirs);
}

static void every_plan_fills_its_minutes(void **state)
{
    for (int level = 0; level <= 4; level++)
        for (int minutes = 20; minutes <= 180; minutes += 5)
            for (uint64_t seed = 0; seed < 6; seed++) {
                struct session_plan p, again, other;
                const struct story *seen = NULL;
                made(&p, level, minutes, seed, NULL, 0);
                assert_int_equal(session_plan_minutes(&p), minutes);
                for (int i = 0; i < p.n_parts; i++) {
                    const struct variant *v;
                    assert_true(p.parts[i].minutes > 0);
                    if (p.parts[i].kind != PART_SCENARIO)
                        continue;
                    const struct story *story = story_of(&p.parts[i], &v);
                    assert_ptr_not_equal(story, seen);
                    assert_true(!v->sealed);
                    assert_string_equal(p.parts[i].title, story->title);
                    if (level <= 1)
                        assert_string_equal(story->kind, "kernel");
                    seen = story;
                }
                assert_non_null(seen);
                made(&again, level, minutes, seed, NULL, 0);
                json_t *j = session_plan_encode(&p);
                assert_int_equal(session_plan_decode(&other, j, NULL), 0);
                equals(j, &again);
                equals(j, &other);
                json_decref(j);
            }
}

static void the_level_is_kept_where_there_are_scenarios(void **state)
{
    for (int level = 1; level <= 3; level++) {
        struct session_plan p;
        const struct variant *v;
        made(&p, level, 30, 3, NULL, 0);
        assert_int_equal(p.parts[1].kind, PART_SCENARIO);
        assert_int_equal(story_of(&p.parts[1], &v)->level, level);
    }
}

/* Whoever was asked one is asked others, until there are none. */
static void what_is_avoided_never_comes(void **state)
{
    struct session_plan p;
    struct err err = {0};
    static char ids[512][96];
    const char *avoid[512];
    int n = 0;
    while (n < 512 &&
           session_plan_make(&p, shipped, NULL, 0, 2, 30, (uint64_t)n, avoid, n, &err) == 0) {
        for (int i = 0; i < n; i++)
            assert_string_not_equal(ids[i], p.parts[1].id);
        strcpy(ids[n], p.parts[1].id);
        avoid[n] = ids[n];
        n++;
    }
    assert_in_range(n, 8, 511);
    assert_int_equal(err.code, ERR_MISSING);
    assert_int_equal(session_plan_make(&p, NULL, NULL, 0, 2, 60, 0, NULL, 0, &err),
                     ERR_MISSING); /* no pack at all */
    assert_int_equal(session_plan_make(&p, shipped, NULL, 0, 5, 60, 0, NULL, 0, &err),
                     ERR_BAD_REQUEST);
    assert_int_equal(session_plan_make(&p, shipped, NULL, 0, 1, 19, 0, NULL, 0, &err),
                     ERR_BAD_REQUEST);
    assert_int_equal(session_plan_make(&p, shipped, NULL, 0, 1, 181, 0, NULL, 0, &err),
                     ERR_BAD_REQUEST);
}

/* One story is enough for an hour; its second part is talk. Variants that are sealed are no choice.
 */
static void a_small_catalogue_does(void **state)
{
    struct err err = {0};
    struct pack *pack = small_recorded(&err);
    assert_non_null(pack);
    struct catalog c = {.packs = &pack, .n_packs = 1};
    struct session_plan p;
    assert_int_equal(session_plan_make(&p, &c, NULL, 0, 1, 60, 1, NULL, 0, &err), 0);
    assert_int_equal(p.n_parts, 4);
    assert_string_equal(p.parts[1].id, "small/sums/a");      /* the one that was recorded */
    assert_int_equal(p.parts[2].kind, PART_TALK);
    assert_int_equal(session_plan_minutes(&p), 60);
    pack->stories[0].variants[0]->sealed = true;
    assert_int_equal(session_plan_make(&p, &c, NULL, 0, 1, 60, 1, NULL, 0, &err), 0);
    assert_string_equal(p.parts[1].id, "small/sums/b");
    pack->stories[0].variants[1]->sealed = true;
    assert_int_equal(session_plan_make(&p, &c, NULL, 0, 1, 60, 1, NULL, 0, &err), ERR_MISSING);
    pack->stories[0].variants[0]->sealed = pack->stories[0].variants[1]->sealed = false;
    pack_free(pack);
}

static void plans_are_read_strictly(void **state)
{
    static const char *const bad[][2] = {
        {"{\"parts\":[{\"kind\":\"nap\"}]}", "nap"},
        {"{\"parts\":[7]}", "object"},
        {"{\"level\":9}", "outside"},
        {"{\"surprise\":1}", "unknown key"},
        {"{\"signals\":[{\"id\":\"a\",\"title\":\"\",\"anchors\":[]},{\"id\":\"a\",\"title\":\"\","
         "\"anchors\":[]}]}",
         "another signal"},
        {"{\"parts\":[{\"kind\":\"scenario\",\"minutes\":5,\"title\":\"\"}]}", "is missing"},
        {"{\"seed\":7}", "string"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct session_plan p = {.level = 1}, out = {0};
        struct err err = {0};
        json_t *j = session_plan_encode(&p), *change = json_loads(bad[i][0], 0, NULL);
        json_object_update(j, change);
        assert_int_not_equal(session_plan_decode(&out, j, &err), 0);
        if (!strstr(err.text, bad[i][1]))
            fail_msg("%s: %s", bad[i][0], err.text);
        json_decref(change);
        json_decref(j);
    }
}

/* ---- rubrics ---- */

static void the_shipped_file_is_the_built_in_one(void **state)
{
    struct session_plan read = {0}, ours = {0};
    struct err err = {0};
    if (session_rubric_read(&read, "content/rubrics/kernel-diagnosis.yaml", &err))
        fail_msg("%s", err.text);
    session_rubric_builtin(&ours);
    assert_int_equal(read.n_signals, ours.n_signals);
    for (int i = 0; i < ours.n_signals; i++) {
        assert_string_equal(read.signals[i].id, ours.signals[i].id);
        assert_string_equal(read.signals[i].title, ours.signals[i].title);
        for (int a = 0; a < SESSION_MAX_ANCHORS; a++) {
            assert_string_equal(read.signals[i].anchors[a], ours.signals[i].anchors[a]);
            assert_true(ours.signals[i].anchors[a][0]);
        }
    }
}

#define SIGNAL(id) "  - id: " id "\n    title: T\n    anchors: [a, b, c, d]\n"

static void files_say_where_they_are_wrong(void **state)
{
    static const char *const bad[][2] = {
        {"signals: []\n", ":1:10:"},
        {"signals:\n" SIGNAL("a") SIGNAL("a"), ":5:9:"},
        {"signals:\n" SIGNAL("A b"), ":2:9:"},
        {"signals:\n  - id: a\n    title: T\n    anchors: [a, b, c]\n", ":4:14:"},
        {"signals:\n  - id: a\n    title: T\n", ":2:5:"},
        {"signals:\n  - id: a\n    titel: T\n", ":3:5:"},
        {"grades: 4\n", ":1:1:"},
        {"signals: [\n", ":2:1:"},
        {"", ":1:1:"},
    };
    char folder[] = "/tmp/warpdrill-rubric-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/team.yaml", folder);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct session_plan p = {0};
        struct err err = {0};
        FILE *f = fopen(path, "w");
        fputs(bad[i][0], f);
        fclose(f);
        session_rubric_builtin(&p);
        int n = p.n_signals;
        assert_int_not_equal(session_rubric_read(&p, path, &err), 0);
        if (!strstr(err.text, bad[i][1]) || !strstr(err.text, "team.yaml"))
            fail_msg("%s: %s", bad[i][0], err.text);
        assert_int_equal(p.n_signals, n);
    }
    unlink(path);
    rmdir(folder);
    struct session_plan p = {0};
    struct err err = {0};
    assert_int_equal(session_rubric_read(&p, path, &err), ERR_IO);
    assert_non_null(strstr(err.text, path));
}

/* FORMAT-RUBRICS.md names every key, and its example can be read. */
static void format_describes_rubrics(void **state)
{
    static const struct yaml_shape *const shapes[] = {&rubric_shape, &rubric_signal_shape};
    for (size_t i = 0; i < 2; i++) {
        char *table = section("##", shapes[i]->what);
        int rows = 0;
        for (const char *at = table; (at = strstr(at, "\n| `")); at++)
            rows++;
        assert_int_equal(rows, shapes[i]->n);
        for (int k = 0; k < shapes[i]->n; k++) {
            char *row = text_format("| `%s` |", shapes[i]->key[k].name);
            const char *at = strstr(table, row), *needed = at ? strstr(at, "| needed |") : NULL;
            if (!needed || needed > at + strcspn(at, "\n"))
                fail_msg("FORMAT-RUBRICS.md has no row '%s' of %s, or does not say that it is "
                         "needed",
                         shapes[i]->key[k].name, shapes[i]->what);
            free(row);
        }
        free(table);
    }
    char *part = section("#", "Rubrics"), *begins = strstr(part, "```yaml\n");
    assert_non_null(begins);
    begins += strlen("```yaml\n");
    char folder[] = "/tmp/warpdrill-rubric-XXXXXX", path[64];
    assert_non_null(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/team.yaml", folder);
    FILE *f = fopen(path, "w");
    fprintf(f, "%.*s", (int)(strstr(begins, "```") - begins), begins);
    fclose(f);
    struct session_plan p = {0};
    struct err err = {0};
    if (session_rubric_read(&p, path, &err))
        fail_msg("%s", err.text);
    assert_int_equal(p.n_signals, 1);
    unlink(path);
    rmdir(folder);
    free(part);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_hour_is_what_the_guide_says),
        cmocka_unit_test(every_plan_fills_its_minutes),
        cmocka_unit_test(the_level_is_kept_where_there_are_scenarios),
        cmocka_unit_test(what_is_avoided_never_comes),
        cmocka_unit_test(a_small_catalogue_does),
        cmocka_unit_test(plans_are_read_strictly),
        cmocka_unit_test(the_shipped_file_is_the_built_in_one),
        cmocka_unit_test(files_say_where_they_are_wrong),
        cmocka_unit_test(format_describes_rubrics),
    };
    return cmocka_run_group_tests_name("session plan", tests, open_all, close_all);
}
