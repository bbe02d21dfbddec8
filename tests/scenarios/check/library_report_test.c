/* Libraries made up with one leak each, which one rule must find, and one without any. */
#include "scenarios/check/library_report.h"

#include <math.h>
#include <time.h>

#include "scenarios/play/scoring.h"
#include "tests/scenarios/small_pack.h"
#include "tests/unit.h"

enum { STORIES = 24, LETTERS = 3, OFFERED = 8, CAUSES = 36 /* all but none.at-limit */ };

/* ---- numbers that are the same in every run ---- */

static uint64_t state_of_lot;

static int lot(int n)
{
    state_of_lot = state_of_lot * 6364136223846793005u + 1442695040888963407u;
    return (int)((state_of_lot >> 33) % (uint64_t)n);
}

/* ---- a library ---- */

/* What is planted: called on each opening, which is drawn by lot up to there. */
typedef void plant(struct opening *one);

static int none(void)
{
    return taxonomy_rank(taxonomy_find("none.at-limit"));
}

/* Different causes in the taxonomy's order, nothing wrong last. */
static void offer(struct opening *one, int from)
{
    one->n = OFFERED;
    for (int h = 0; h < OFFERED - 1; h++)
        one->cause[h] = (from + h * 5) % CAUSES;
    one->cause[OFFERED - 1] = none();
}

static void make_of(struct openings *o, int stories, plant *leak, const char *(*text)(int story))
{
    state_of_lot = 9;
    for (int s = 0; s < stories; s++) {
        char id[32], variant[48];
        snprintf(id, sizeof id, "made/story-%d", s);
        struct opening one = {.id = variant,
                              .letters = LETTERS,
                              .level = lot(4),
                              .kind = (enum opening_kind)lot(3)};
        one.story = openings_story(o, id, text ? text(s) : "");
        offer(&one, lot(CAUSES));
        for (one.letter = 0; one.letter < LETTERS; one.letter++) {
            snprintf(variant, sizeof variant, "%s/%c", id, 'a' + one.letter);
            one.truth = lot(OFFERED);
            one.over_copy = 1 + lot(1000) / 100.0;
            if (leak)
                leak(&one);
            openings_add(o, &one);
        }
    }
}

static void make(struct openings *o, plant *leak, const char *(*text)(int story))
{
    make_of(o, STORIES, leak, text);
}

static const struct guessed *of(const struct library_report *r, const char *guesser)
{
    for (int i = 0; i < r->n; i++)
        if (!strcmp(r->guessed[i].who->id, guesser))
            return &r->guessed[i];
    fail_msg("no guesser %s", guesser);
    return NULL;
}

static double earned(const char *guesser, plant *leak, const char *(*text)(int story))
{
    struct openings o = {0};
    struct library_report r;
    make(&o, leak, text);
    library_report_make(&r, &o);
    double points = of(&r, guesser)->points;
    library_report_free(&r);
    openings_free(&o);
    return points;
}

/* ---- without a leak ---- */

static void nothing_is_earned_by_lot(void **state)
{
    struct openings o = {0};
    struct library_report r;
    struct findings f = {0};
    make(&o, NULL, NULL);
    library_report_make(&r, &o);
    for (int i = 0; i < r.n; i++) {
        if (!r.guessed[i].who->sure && fabs(r.guessed[i].points) >= 2)
            fail_msg("%s: %.2f", r.guessed[i].who->id, r.guessed[i].points);
        assert_int_equal(r.guessed[i].n, STORIES * LETTERS);
    }
    assert_true(of(&r, "always")->points < 0);
    library_report_judge(&f, &r, &o);
    assert_int_equal(f.n_errors, 0);
    findings_free(&f);
    library_report_free(&r);
    openings_free(&o);
}

static const char *plain_text(int story)
{
    static const char *const texts[] = {"We add up rows of a matrix and wonder about its time",
                                        "A product of tiles that several builds disagree about",
                                        "Frames are smoothed and read once, then a sum is kept"};
    return texts[(story * 7 + 3) % 3];
}

static void plain_words_earn_nothing(void **state)
{
    assert_true(fabs(earned("words", NULL, plain_text)) < 2);
    assert_true(fabs(earned("explanation", NULL, plain_text)) < 2);
}

/* ---- one leak each ---- */

/* Asked what is left: always nothing more, or one of the eight by lot. */
static void nothing_more_left(struct opening *one)
{
    one->asks_left = true;
    one->left = OFFERED - 1;
}

static void left_by_lot(struct opening *one)
{
    one->asks_left = true;
    one->left = lot(OFFERED);
}

static void what_is_always_left_is_guessed(void **state)
{
    double third = score_line_possible(LINE_CAUSE) / 3.0;
    assert_true(earned("frequency", nothing_more_left, NULL) > third - 2);
    assert_true(earned("frequency", left_by_lot, NULL) < third / 4 + 2);
}

static void healthy_if(struct opening *one, bool healthy)
{
    one->truth = healthy ? OFFERED - 1 : lot(OFFERED - 1);
}

static void at_the_end(struct opening *one)
{
    healthy_if(one, one->letter == LETTERS - 1);
}

static void letters_are_found(void **state)
{
    assert_true(earned("last-letter", at_the_end, NULL) > 15);
    assert_true(earned("letter", at_the_end, NULL) > 10);
    assert_true(earned("together", at_the_end, NULL) > 10);
    assert_true(fabs(earned("time", at_the_end, NULL)) < 5);
}

static void near_the_copy(struct opening *one)
{
    healthy_if(one, one->over_copy < 4);
}

static void times_are_found(void **state)
{
    assert_true(earned("time", near_the_copy, NULL) > 15);
    assert_true(fabs(earned("last-letter", near_the_copy, NULL)) < 4);
}

/* The healthy ones may be the slow ones, and few. */
static void far_from_the_copy(struct opening *one)
{
    healthy_if(one, one->over_copy > 9);
}

static void slow_and_healthy_is_found(void **state)
{
    assert_true(earned("time", far_from_the_copy, NULL) > 10);
}

static void nothing_wrong_first(struct opening *one)
{
    int last = OFFERED - 1;
    near_the_copy(one);
    if (one->cause[0] != none()) {
        one->cause[last] = one->cause[0];
        one->cause[0] = none();
    }
    one->truth = one->truth == last ? 0 : one->truth == 0 ? last : one->truth;
}

static void where_nothing_wrong_stands_does_not_matter(void **state)
{
    assert_float_equal(earned("time", nothing_wrong_first, NULL),
                       earned("time", near_the_copy, NULL), 1e-9);
    assert_float_equal(earned("last-letter", nothing_wrong_first, NULL),
                       earned("last-letter", near_the_copy, NULL), 1e-9);
}

/* A cause is on offer once: what stood there takes the place of where it stood. */
static void offer_at(struct opening *one, int at, int cause)
{
    for (int h = 0; h < one->n; h++)
        if (one->cause[h] == cause)
            one->cause[h] = one->cause[at];
    one->cause[at] = cause;
}

static void often_one_of_two(struct opening *one)
{
    offer_at(one, 2, 4);
    one->truth = lot(4) ? 2 : lot(OFFERED);
}

static void frequencies_are_found(void **state)
{
    assert_true(earned("frequency", often_one_of_two, NULL) > 10);
}

static void always_that_one(struct opening *one)
{
    offer_at(one, 2, 4);
    one->truth = lot(20) ? 2 : lot(OFFERED);
}

static void one_cause_is_found(void **state)
{
    struct openings o = {0};
    struct library_report r;
    make(&o, always_that_one, NULL);
    library_report_make(&r, &o);
    assert_true(of(&r, "always")->points > 40);
    assert_int_equal(of(&r, "always")->always, 4);
    assert_true(of(&r, "frequency")->right > 0.9 * STORIES * LETTERS);
    library_report_free(&r);
    openings_free(&o);
}

static int first_of_three(double sorted)
{
    return ((int)sorted) % 3;
}

static void tells_level(struct opening *one)
{
    for (int h = 0; h < 3; h++)
        offer_at(one, h, 4 + h);
    one->truth = first_of_three(one->level);
}

static void tells_kind(struct opening *one)
{
    tells_level(one);
    one->truth = first_of_three(one->kind);
}

static void tells_hypotheses(struct opening *one)
{
    tells_level(one);
    one->n -= one->story % 2;
    one->truth = one->story % 2;
}

static void tells_variants(struct opening *one)
{
    tells_level(one);
    one->letters += one->story % 2;
    one->truth = one->story % 2;
}

static void tells_time(struct opening *one)
{
    tells_level(one);
    one->truth = one->over_copy < 4 ? 0 : 1;
}

static void tells_place(struct opening *one)
{
    one->truth = lot(8) ? 0 : lot(OFFERED);
}

static void sorts_are_found(void **state)
{
    assert_true(earned("time-cause", tells_time, NULL) > 15);
    assert_true(earned("place", tells_place, NULL) > 8);
    assert_true(earned("level", tells_level, NULL) > 15);
    assert_true(earned("kind", tells_kind, NULL) > 15);
    assert_true(earned("hypotheses", tells_hypotheses, NULL) > 15);
    assert_true(earned("variants", tells_variants, NULL) > 15);
}

/* One of three, whichever. */
static void one_of_a_story(struct opening *one)
{
    healthy_if(one, one->letter == one->story * 5 % LETTERS);
}

static void what_is_left_over_is_found(void **state)
{
    assert_true(earned("another", one_of_a_story, NULL) > 5);
}

static void by_story(struct opening *one)
{
    tells_level(one);
    one->truth = first_of_three(one->story);
}

static const char *telling_text(int story)
{
    static const char *const texts[] = {"a pelican walks by", "an ostrich runs", "the heron flies"};
    return texts[story % 3];
}

static void learnt_words_are_found(void **state)
{
    assert_true(earned("words", by_story, telling_text) > 15);
    assert_true(fabs(earned("explanation", by_story, telling_text)) < 2);
}

static const char *explaining_text(int story)
{
    size_t n;
    return taxonomy(&n)[4 + first_of_three(story)].explain;
}

static void explanations_are_found(void **state)
{
    assert_true(earned("explanation", by_story, explaining_text) > 15);
}

/* ---- the limits ---- */

static int count_findings(const struct findings *f, const char *rule)
{
    int n = 0;
    for (int i = 0; i < f->n; i++)
        n += !strcmp(f->all[i].rule->id, rule);
    return n;
}

static void limits_are_rules(void **state)
{
    struct openings o = {0};
    struct library_report r;
    struct findings f = {0};
    make(&o, always_that_one, NULL);
    library_report_make(&r, &o);
    library_report_judge(&f, &r, &o);
    assert_true(count_findings(&f, "library-guess") > 2);
    assert_true(count_findings(&f, "library-never") > 2);
    assert_non_null(strstr(f.all[0].text, "'always the same cause, sure of it'"));
    findings_free(&f);
    f = (struct findings){0};
    r.judged = false;
    library_report_judge(&f, &r, &o);
    assert_int_equal(f.n, 0);
    library_report_free(&r);
    openings_free(&o);
}

/* ---- packs ---- */

static void a_pack_is_read_as_it_opens(void **state)
{
    struct openings o = {0};
    struct library_report r;
    struct err err;
    struct pack *p = small_recorded(&err);
    assert_non_null(p);
    openings_pack(&o, p);
    pack_free(p);
    assert_int_equal(o.n, 2);
    assert_string_equal(o.all[1].id, "small/sums/b");
    assert_int_equal(o.all[0].cause[o.all[0].n - 1], none());
    assert_float_equal(o.all[0].over_copy, 8, 1e-6);
    assert_true(o.all[1].over_copy == 0);     /* it has no recording */
    const char *const free_[] = {"It should be faster", "contiguous", "Give each row to a warp",
                                 "Time it at other sizes", "How long once"};
    for (size_t i = 0; i < sizeof free_ / sizeof *free_; i++)
        assert_non_null(strstr(o.stories[0].text, free_[i]));
    library_report_make(&r, &o);
    assert_false(r.judged);
    assert_int_equal(of(&r, "another")->n, 2);
    char *text = library_report_text(&r);
    assert_non_null(strstr(text, "1 story is too few"));
    free(text);
    library_report_free(&r);
    openings_free(&o);
}

/* ---- many stories ---- */

static double seconds_for(int stories)
{
    struct openings o = {0};
    struct library_report r;
    make_of(&o, stories, NULL, plain_text);
    clock_t from = clock();
    library_report_make(&r, &o);
    double took = (double)(clock() - from) / CLOCKS_PER_SEC;
    assert_int_equal(of(&r, "letter")->n, stories * LETTERS);
    library_report_free(&r);
    openings_free(&o);
    return took;
}

/* Each story is played once for each other one, so that four times as many take 16 times as long;
 * guesses that go through the whole library would make it 64. Processor time of one program,
 * compared with itself. */
static void time_grows_with_the_square_of_the_stories(void **state)
{
    double few = seconds_for(75), many = seconds_for(300);
    if (many > 32 * few)
        fail_msg("75 stories take %.3f s, 300 %.3f s: %.0f times as long", few, many, many / few);
}

static void an_empty_library_is_no_trouble(void **state)
{
    struct openings o = {0};
    struct library_report r;
    library_report_make(&r, &o);
    assert_int_equal(of(&r, "letter")->n, 0);
    assert_true(of(&r, "letter")->points == 0);
    library_report_free(&r);
    openings_free(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_is_earned_by_lot),
        cmocka_unit_test(plain_words_earn_nothing),
        cmocka_unit_test(letters_are_found),
        cmocka_unit_test(times_are_found),
        cmocka_unit_test(slow_and_healthy_is_found),
        cmocka_unit_test(where_nothing_wrong_stands_does_not_matter),
        cmocka_unit_test(frequencies_are_found),
        cmocka_unit_test(one_cause_is_found),
        cmocka_unit_test(sorts_are_found),
        cmocka_unit_test(what_is_left_over_is_found),
        cmocka_unit_test(learnt_words_are_found),
        cmocka_unit_test(explanations_are_found),
        cmocka_unit_test(what_is_always_left_is_guessed),
        cmocka_unit_test(limits_are_rules),
        cmocka_unit_test(a_pack_is_read_as_it_opens),
        cmocka_unit_test(time_grows_with_the_square_of_the_stories),
        cmocka_unit_test(an_empty_library_is_no_trouble),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
