/* The opening tells what a user would report: of every shipped scenario neither the time of a
 * plain copy nor a ceiling, no letter of a variant, no count of samples and no internal name. The
 * yardstick comes with an estimate of the floor, with the timing, or when it is asked for. */
#include <stdio.h>
#include <string.h>

#include "scenarios/evidence/request.h"
#include "scenarios/formula/quantity.h"
#include "scenarios/pack/pack.h"
#include "scenarios/play/investigation.h"
#include "scenarios/supply/supply.h"
#include "tests/folder.h"
#include "tests/tui/steps.h"

static const char *const packs[] = {"attention",     "decode-step",   "first-principles",
                                    "hidden-depths", "inside-the-sm", "many-gpus"};
enum { PACKS = sizeof packs / sizeof *packs, ROWS = 30, COLUMNS = 100 };

/* What a picture must not show. */
struct yardstick { char time[32], rate[32]; };

static int set_up(void **state)
{
    return folder_make("opening");
}

static struct pack *open_pack(const char *name)
{
    struct pack *pack = NULL;
    struct err err = {0};
    char path[160];
    snprintf(path, sizeof path, "content/packs/%s", name);
    if (pack_open(&pack, path, &err))
        fail_msg("%s", err.text);
    return pack;
}

static struct screen *start(int rows, int columns, const char *pack, const char *scenario)
{
    static char db[200], path[160], id[200];
    static int n;
    snprintf(db, sizeof db, "%s/%d.db", folder, n++);
    snprintf(path, sizeof path, "content/packs/%s", pack);
    snprintf(id, sizeof id, "%s", scenario);
    const char *play[] = {"--db", db, "--pack", path, "--seed", "1", "play", id, NULL};
    struct screen_start how = {.rows = rows, .columns = columns, .arguments = play};
    return screen_start(&how);
}

/* False: a case, or nothing recorded. */
static bool yardstick_of(const struct variant *v, struct yardstick *out)
{
    struct supply *supply = NULL;
    double copy = 0;
    if (story_is_case(v->story) || supply_recorded(&supply, v, NULL, NULL))
        return false;
    const struct msg_device *device = supply_device(supply);
    double bytes = request_step_size(v->story, device, NULL, 0).bytes;
    bool known = msg_device_ceiling(device, "copy", &copy) && copy > 0;
    quantity_show(out->time, sizeof out->time, known ? bytes / copy : 0, "s");
    quantity_show(out->rate, sizeof out->rate, copy, "B/s");
    supply_free(supply);
    return known;
}

static void expect_not(struct screen *s, const char *text)
{
    int y, x;
    if (!text[0] || !screen_find(s, text, &y, &x))
        return;
    screen_dump(s);
    fail_msg("the picture shows '%s'", text);
}

static bool is_compound(const char *id)
{
    return strchr(id, '-') != NULL;
}

static void expect_report(struct screen *s, const struct variant *v, const struct yardstick *y)
{
    const struct story *story = v->story;
    char letter[160];
    snprintf(letter, sizeof letter, "%s/%s", story->id, v->id);
    char copy[64];
    snprintf(copy, sizeof copy, "plain copy %s", y->time); /* its own time may be the same */
    expect_not(s, copy);
    expect_not(s, y->rate);
    expect_not(s, letter);
    expect_not(s, " n 1");
    for (int i = 0; i < story->n_experiments; i++)
        if (is_compound(story->experiments[i].id))
            expect_not(s, story->experiments[i].id);
    for (int i = 0; i < story->n_estimates; i++)
        if (is_compound(story->estimates[i].id))
            expect_not(s, story->estimates[i].id);
}

static bool can_be_played(const struct variant *v)
{
    struct supply *supply = NULL;
    if (story_is_case(v->story))
        return true;
    bool recorded = supply_recorded(&supply, v, NULL, NULL) == 0;
    supply_free(supply);
    return recorded;
}

static void look_at(const struct variant *v, int rows, int columns)
{
    struct yardstick y = {"", ""};
    if (!can_be_played(v))
        return;
    bool known = yardstick_of(v, &y);
    struct screen *s = start(rows, columns, v->story->pack->id, v->full_id);
    screen_expect(s, v->story->level >= 3 ? "Name every cause" : "Say what you believe");
    if (v->story->level == 0 && known) {
        screen_expect(s, y.time);
        leave(s);
        return;
    }
    expect_report(s, v, &y);
    if (v->story->level >= 3)
        press(s, "\x1b", "Say what you believe");
    expect_report(s, v, &y);
    press(s, "\t", "Say what you believe");
    expect_report(s, v, &y);
    press(s, "a", "Ask which?");
    expect_report(s, v, &y);
    press(s, "\x1b", "Say what you believe");
    press(s, "x", "Which ");
    expect_report(s, v, &y);
    press(s, "\x1b", "Say what you believe");
    leave(s);
}

static void each_story_opens_without_a_yardstick(void **state)
{
    for (int p = 0; p < PACKS; p++) {
        struct pack *pack = open_pack(packs[p]);
        for (int i = 0; i < pack->n_stories; i++)
            look_at(pack->stories[i].variants[i % pack->stories[i].n_variants], i % 2 ? 24 : ROWS,
                    i % 2 ? 80 : COLUMNS);
        pack_free(pack);
    }
}

static void no_variant_begins_with_it(void **state)
{
    for (int p = 0; p < PACKS; p++) {
        struct pack *pack = open_pack(packs[p]);
        for (int i = 0; i < pack->n_stories; i++)
            for (int k = 0; k < pack->stories[i].n_variants; k++) {
                struct investigation *at = investigation_new(pack->stories[i].variants[k]);
                assert_int_equal(investigation_has_yardstick(at), pack->stories[i].level == 0);
                investigation_free(at);
            }
        pack_free(pack);
    }
}

/* Over the time they would be the rate, which a copy has too where nothing is wrong. */
static void the_bytes_come_with_the_yardstick(void **state)
{
    struct screen *s = start(40, 120, "first-principles", "row-means/a");
    screen_expect(s, "Sizes: rows = 67584, floats in a row = 5120.");
    screen_expect(s, "this kernel");
    screen_expect_gone(s, "1.38 GB");
    press(s, "t", "your estimate:");
    screen_expect(s, "Sizes: rows = 67584, floats in a row = 5120.");
    screen_expect_gone(s, "GB");                   /* who leaves has read nothing */
    press(s, "\x1b", "t was not bought");
    press(s, "t", "your estimate:");
    press(s, "\r", "Enter again skips it");
    press(s, "\r", "t has arrived");
    screen_expect(s, " 1.38 GB to move.");
    leave(s);
}

static void an_estimate_brings_it_and_cannot_be_taken_back(void **state)
{
    struct screen *s = start(24, 80, "first-principles", "row-means/a");
    screen_expect(s, "this kernel 1.333 ms");
    press(s, "a", "Say what you expect");
    press(s, "9", "your estimate:");
    screen_expect_gone(s, "to move");
    press(s, "\x1b", "Say what you believe");
    screen_expect_gone(s, "plain copy 0.321 ms");
    press(s, "a", "Say what you expect");
    press(s, "9", "your estimate:");
    press(s, "300 us\r", "plain copy 0.321 ms, 4310 GB/s");
    press(s, "u", "nothing can be taken back");
    press(s, "a", "Ask which?");
    screen_expect_gone(s, "Say what you expect");
    press(s, "\x1b", "Say what you believe");
    leave(s);
}

static void who_cannot_say_asks(void **state)
{
    struct screen *s = start(24, 80, "first-principles", "row-means/b");
    screen_expect(s, "Say what you believe");
    press(s, "a", "How long does a plain copy of as many");
    screen_expect(s, "lost then.");
    press(s, "8", "plain copy 0.321 ms, 4310 GB/s");
    press(s, "t", "t has arrived");                        /* and the floor is asked no more */
    leave(s);
}

static void the_warm_up_explains_it(void **state)
{
    struct screen *s = start(30, 100, "first-principles", "plain-copy");
    screen_expect(s, "is the yardstick");
    leave(s);
}

/* An experiment has a title; its id is the pack's own. */
static void a_debrief_names_experiments_by_their_titles(void **state)
{
    struct screen *s = start(ROWS, COLUMNS, "first-principles", "scaled-rows/a");
    screen_expect(s, "Say what you believe");
    press(s, "x", "Which experiment?");
    press(s, "1", "x has arrived");
    press(s, "2%80", "80 %; u takes it back.");
    press(s, "\r", "Enter lock");
    press(s, "\r", "WHERE IS IT");
    press(s, "\r", "HOW WOULD YOU FIX IT");
    press(s, "2\r", "ESTIMATE 1");
    press(s, "\r\r", "ESTIMATE 2");
    press(s, "\r\r", "ESTIMATE 3");
    press(s, "\r\r", "Enter final answer");
    press(s, "\r", "SIDE BY SIDE");
    press(s, "2", " Time it at neighbouring ");
    screen_expect(s, "ideal reader knew after Time it at neighbouring lengths of a row");
    expect_not(s, "neighbours");
    leave(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_story_opens_without_a_yardstick),
        cmocka_unit_test(no_variant_begins_with_it),
        cmocka_unit_test(the_bytes_come_with_the_yardstick),
        cmocka_unit_test(an_estimate_brings_it_and_cannot_be_taken_back),
        cmocka_unit_test(who_cannot_say_asks),
        cmocka_unit_test(the_warm_up_explains_it),
        cmocka_unit_test(a_debrief_names_experiments_by_their_titles),
    };
    return RUN_CASES(tests, set_up, folder_remove);
}
