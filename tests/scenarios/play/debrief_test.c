/* The reveal: scores by hand, texts that carry this person's numbers, and what a debrief must
 * refuse. */
#include <math.h>

#include "tests/scenarios/play/toy_debrief.h"

/* m alone, beliefs moved as the evidence asked, held in the pushback. */
static struct investigation *direct(struct toy *t)
{
    struct investigation *i = investigation_new(&t->variant);
    toy_estimate(i, "fixed-time", "1.3 us");
    toy_estimate(i, "store-sectors", "32");
    toy_buy(i, "memory");
    toy_believe(i, MOVE_BELIEVED, 94, 2, 2, 2);
    toy_commit(i, 6, "tile");
    toy_push(i, 0);
    toy_believe(i, MOVE_RESPONDED, 94, 2, 2, 2);
    return i;
}

/* w and d first, which speak for something else; half-hearted moves, a slip, and folding under a
 * test of conviction. */
static struct investigation *detour(struct toy *t)
{
    struct investigation *i = investigation_new(&t->variant);
    toy_estimate(i, "fixed-time", "0.56 us");
    toy_believe(i, MOVE_BELIEVED, 20, 30, 30, 20);
    toy_buy(i, "stalls");
    toy_believe(i, MOVE_BELIEVED, 10, 50, 30, 10);
    toy_buy(i, "dram");
    toy_buy(i, "memory");
    toy_believe(i, MOVE_BELIEVED, 60, 10, 20, 10);
    toy_commit(i, 9, "pad");
    toy_push(i, 0);
    toy_believe(i, MOVE_RESPONDED, 30, 10, 50, 10);
    return i;
}

static void scores_by_hand(void **state)
{
    struct toy *t = toy_new();
    struct investigation *i = direct(t);
    struct debrief d;
    toy_debrief(&d, t, i);
    double q = 1 - (0.06 * 0.06 + 3 * 0.02 * 0.02) / 0.75;
    assert_float_equal(d.score.line[LINE_CAUSE], 40 * q, 1e-9);
    assert_float_equal(d.score.line[LINE_EVIDENCE], 20 * q, 1e-9);
    assert_float_equal(d.score.line[LINE_ESTIMATES], 20, 1e-9);
    assert_float_equal(d.score.line[LINE_UPDATING], 10, 1e-9); /* 94 where 96 was asked */
    assert_float_equal(d.score.line[LINE_LOCATION] + d.score.line[LINE_REMEDY], 10, 0);
    double sum = 0;
    for (int l = 0; l < LINE_COUNT; l++)
        sum += round(d.score.line[l]);
    assert_float_equal(d.score.sum, sum, 1e-12); /* what is shown adds up */
    assert_true(d.score.of == 100 && d.score.total == sum);
    assert_true(d.in_band);
    assert_float_equal(d.ratio, 6.4, 1e-12);
    assert_float_equal(d.time_suspect, 8e-6, 1e-18);
    assert_float_equal(d.time_copy, 1e-6, 1e-18);
    assert_true(d.time_best == 0);
    assert_int_equal(d.n_belief, 3);
    assert_int_equal(d.belief[1].you, 94);
    assert_int_equal(d.belief[0].ideal, 33); /* the symptom rules one of four out */
    assert_int_equal(d.belief[1].ideal, 96);
    assert_int_equal(d.knew_after, 1);
    assert_string_equal(d.belief[2].after, "pushback");
    investigation_free(i);
    toy_free(t);
}

static void two_paths_two_texts(void **state)
{
    struct toy *t = toy_new();
    struct investigation *a = direct(t), *b = detour(t);
    struct debrief x, y;
    toy_debrief(&x, t, a);
    toy_debrief(&y, t, b);
    assert_string_equal(x.headline, "It was uncoalesced access, on line 6.  You had it at 94 %.");
    assert_string_equal(y.headline, "It was uncoalesced access, on line 6.  "
                                    "You had it at 60 %, 30 % after the pushback.");
    assert_string_equal(x.why[LINE_CAUSE], "94 % on the truth");
    assert_string_equal(y.why[LINE_CAUSE], "30 % on the truth, 60 % before the pushback");
    assert_string_equal(x.why[LINE_EVIDENCE], "3 min, par 6");
    assert_string_equal(y.why[LINE_EVIDENCE], "8 min, par 6, times cause's share, below 0");
    assert_string_equal(x.why[LINE_ESTIMATES], "1: right, 2: right");
    assert_string_equal(x.graded[1].worked, "on paper: 4 * 8 = 32");
    assert_string_equal(y.why[LINE_ESTIMATES], "1: a slip (half), 2: left out");
    assert_string_equal(x.why[LINE_LOCATION], "line 6");
    assert_string_equal(y.why[LINE_LOCATION], "line 6; you said line 9");
    assert_string_equal(x.why[LINE_REMEDY], "Go through a tile in shared memory");
    assert_string_equal(y.why[LINE_REMEDY], "better: Go through a tile in shared memory");
    assert_string_equal(x.why[LINE_UPDATING], "0.02 from where the evidence leads; full to 0.15");
    assert_string_equal(y.why[LINE_UPDATING],
                        "0.36 from where evidence leads, 0.66 after pushback");
    toy_has(x.cheaper, "you took the cheapest way");
    assert_string_equal(y.cheaper,
                        "m 3 = 3 min put an ideal reader at 94 %.  You: w 3 + d 2 + m 3 = 8 min.");
    assert_string_equal(x.trap, "by the readings, nothing that you bought spoke for another cause");
    assert_string_equal(y.trap,
                        "after w an ideal reader had too few loads in flight at 76 %, you 30 %");
    assert_string_equal(x.pushback, "a test of conviction, with nothing new in it. You stayed at "
                                    "94 on the truth; nothing new asked you to move. No new fact.");
    toy_has(y.pushback, "60 to 30: it cost you ");
    assert_string_equal(x.slip, "");
    toy_has(y.slip, "That moves it once.");
    assert_string_equal(x.astray, "");
    assert_string_equal(y.astray,
                        "you had uncoalesced access at 30 %; from where you began the evidence "
                        "leads to 96 %. 66 % of the belief would have to move: up to 15 costs "
                        "nothing, 50 all");
    assert_int_equal(y.graded[0].how, GRADED_SLIP);
    assert_int_equal(y.graded[1].how, GRADED_LEFT_OUT);
    assert_true(y.score.total < x.score.total);
    for (int l = 0; l < LINE_COUNT; l++)
        assert_true(strlen(x.why[l]) > 0 && strlen(x.why[l]) <= 60 && strlen(y.why[l]) > 0 &&
                    strlen(y.why[l]) <= 60);
    investigation_free(a);
    investigation_free(b);
    toy_free(t);
}

/* Beliefs may be moved late, and lost points are said of the moment that lost them. */
static void the_end_is_judged_and_not_the_way(void **state)
{
    static const struct { int locked[2], last[2]; double points; const char *has; } rows[] = {
        {{45, 5}, {45, 5}, 10, ""},
        {{5, 45}, {45, 5}, 3, "you had uncoalesced access at 5 % when it was locked; "},
        {{45, 5}, {5, 45}, 7, "you had uncoalesced access at 5 %; "},
    };
    struct toy *t = toy_new();
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct investigation *i = investigation_new(&t->variant);
        struct debrief d;
        toy_buy(i, "stalls");               /* for too few loads; nothing moved */
        toy_buy(i, "source");               /* for uncoalesced access */
        toy_believe(i, MOVE_BELIEVED, rows[k].locked[0], rows[k].locked[1], 45, 5);
        toy_commit(i, 6, "tile");
        toy_push(i, 0);
        toy_believe(i, MOVE_RESPONDED, rows[k].last[0], rows[k].last[1], 45, 5);
        toy_debrief(&d, t, i);
        assert_float_equal(d.score.line[LINE_UPDATING], rows[k].points, 0.3);
        assert_memory_equal(d.astray, rows[k].has, strlen(rows[k].has) + !rows[k].has[0]);
        toy_has(d.of_them.astray, k ? "they had" : "");
        investigation_free(i);
    }
    toy_free(t);
}

/* Estimates that were put aside are told from those that never came. */
static void skipped_is_not_unasked(void **state)
{
    struct toy *t = toy_new();
    struct investigation *i = investigation_new(&t->variant);
    struct debrief d;
    toy_estimate(i, "store-sectors", "");
    toy_commit(i, 6, "tile");
    toy_push(i, 0);
    toy_believe(i, MOVE_RESPONDED, 25, 25, 25, 25);
    toy_debrief(&d, t, i);
    assert_string_equal(d.why[LINE_ESTIMATES], "1: left out, 2: skipped");
    assert_string_equal(d.graded[0].say, "left out");
    assert_string_equal(d.graded[1].say, "skipped");
    assert_string_equal(d.graded[0].worked, ""); /* nothing says how to get there */
    assert_string_equal(d.graded[1].worked, "it is 32; on paper: 4 * 8");
    investigation_free(i);
    toy_free(t);
}

/* In an interview the truth was shown before one of the two was asked, or before either was
 * answered. */
static void what_was_not_asked_costs_nothing(void **state)
{
    for (int both = 0; both < 2; both++) {
        struct toy *t = toy_new();
        struct investigation *i = investigation_new(&t->variant);
        struct move cut = {.kind = MOVE_ESTIMATED, .left = LEFT_CUT},
                    unasked = {.kind = MOVE_ESTIMATED, .left = LEFT_UNASKED};
        struct debrief d;
        snprintf(unasked.item, sizeof unasked.item, "%s", t->story.estimates[1].id);
        snprintf(cut.item, sizeof cut.item, "%s", t->story.estimates[0].id);
        assert_ptr_equal(investigation_left(i), &t->story.estimates[0]);
        toy_commit(i, 6, "tile");
        if (both)
            assert_int_equal(toy_move(i, cut, NULL), 0);
        else
            assert_int_equal(toy_estimate(i, t->story.estimates[0].id, ""), 0);
        assert_int_equal(toy_move(i, unasked, NULL), 0);
        assert_null(investigation_left(i));
        toy_push(i, 0);
        toy_believe(i, MOVE_RESPONDED, 25, 25, 25, 25);
        toy_debrief(&d, t, i);
        assert_string_equal(d.why[LINE_ESTIMATES],
                            both ? "none asked to its end; 80 points are the whole"
                                 : "1: skipped, 2: not asked; only what was asked counts");
        assert_string_equal(d.graded[1].say, "not asked, so it costs nothing");
        assert_float_equal(d.graded[0].possible, both ? 0 : 20, 1e-9);
        assert_float_equal(d.graded[1].possible, 0, 1e-9);
        assert_true(d.score.line[LINE_ESTIMATES] == 0);
        assert_int_equal(d.score.of, both ? 80 : 100);
        investigation_free(i);
        toy_free(t);
    }
}

/* What the interviewer gives away can be asked no more; what was answered before that counts. */
static void what_was_handed_out_is_not_asked(void **state)
{
    for (int answered = 0; answered < 2; answered++) {
        struct toy *t = toy_new();
        struct investigation *i = investigation_new(&t->variant);
        struct move handed = {.kind = MOVE_HANDED,
                              .evidence = toy_evidence(t->story.estimates[1].before)};
        struct debrief d;
        snprintf(handed.probe, sizeof handed.probe, "%s", t->story.estimates[1].before);
        if (answered)
            toy_estimate(i, t->story.estimates[1].id, "");
        assert_int_equal(toy_move(i, handed, NULL), 0);
        toy_commit(i, 6, "tile");
        toy_estimate(i, t->story.estimates[0].id, "");
        toy_push(i, 0);
        toy_believe(i, MOVE_RESPONDED, 25, 25, 25, 25);
        toy_debrief(&d, t, i);
        assert_int_equal(d.graded[1].how, answered ? GRADED_SKIPPED : GRADED_NOT_ASKED);
        assert_float_equal(d.graded[0].possible, answered ? 10 : 20, 1e-9);
        investigation_free(i);
        toy_free(t);
    }
}

/* The trap names what was bought and speaks for another cause, even where the truth stays ahead. */
static void a_lure_is_named(void **state)
{
    static const struct { unsigned says; const char *trap;
    } rows[] = {
        {1u << TOY_LOADS, "w speaks for too few loads in flight, but nothing that you bought put "
                          "another cause above the truth"},
        {1u << TOY_LOADS | 1u << TOY_UNCOALESCED,
         "w fits too few loads in flight as well; nothing that you bought put another cause above "
         "the truth"},
        {0, "by the readings, nothing that you bought spoke for another cause"},
    };
    struct toy *t = toy_new();
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct investigation *i = investigation_new(&t->variant);
        struct debrief d;
        t->readings[3].says[WORD_FOR] = rows[k].says;
        toy_buy(i, "memory");
        toy_buy(i, "stalls");
        toy_commit(i, 6, "tile");
        toy_push(i, 0);
        toy_believe(i, MOVE_RESPONDED, 25, 25, 25, 25);
        toy_debrief(&d, t, i);
        assert_string_equal(d.trap, rows[k].trap);
        investigation_free(i);
    }
    toy_free(t);
}

/* Readings hold on what was bought: neither what was not bought, nor what takes a purchase that is
 * missing. */
static void what_the_evidence_meant(void **state)
{
    struct toy *t = toy_new();
    struct investigation *a = direct(t), *b = detour(t);
    struct debrief x, y;
    char says[256];
    toy_debrief(&x, t, a);
    toy_debrief(&y, t, b);
    assert_int_equal(x.n_held, 1);
    assert_ptr_equal(x.held[0], &t->readings[2]);
    assert_int_equal(y.n_held, 3);
    assert_ptr_equal(y.held[0], &t->readings[2]);
    assert_ptr_equal(y.held[1], &t->readings[3]);
    assert_ptr_equal(y.held[2], &t->readings[6]);
    debrief_reading_says(says, sizeof says, &t->story, x.held[0]);
    assert_string_equal(says, "settles uncoalesced access");
    debrief_reading_says(says, sizeof says, &t->story, y.held[1]);
    assert_string_equal(says, "for too few loads in flight; against bank conflicts, nothing: at "
                              "the limit");
    toy_has(y.pushback, " No new fact.");
    investigation_free(a);
    investigation_free(b);
    toy_free(t);
}

/* The points that the pushback cost are the difference that the score shows, but for rounding. */
static void the_pushback_is_counted(void **state)
{
    struct toy *t = toy_new();
    struct debrief held, moved;
    for (int kind = 0; kind < 2; kind++) {
        struct investigation *a = investigation_new(&t->variant),
                             *b = investigation_new(&t->variant);
        struct investigation *both[] = {a, b};
        for (int n = 0; n < 2; n++) {
            toy_buy(both[n], "timing");
            toy_believe(both[n], MOVE_BELIEVED, 33, 33, 33, 1);
            toy_commit(both[n], 6, "tile");
            toy_push(both[n], kind);
            n == 0 ? toy_believe(a, MOVE_RESPONDED, 33, 33, 33, 1)
                   : toy_believe(b, MOVE_RESPONDED, 91, 4, 4, 1);
        }
        toy_debrief(&held, t, a);
        toy_debrief(&moved, t, b);
        double shown = fabs(moved.score.total - held.score.total), told;
        assert_int_equal(sscanf(strstr(moved.pushback, " you ") + 5, "%lf", &told), 1);
        assert_float_equal(told, shown, 1.5);      /* three lines, each shown in whole points */
        toy_has(moved.pushback,
                   moved.score.total < held.score.total ? "cost you " : "won you ");
        toy_has(moved.pushback, "33 to 91");
        toy_has(held.pushback, kind == PUSH_CORRECTION ? "following it was worth"
                                                          : "nothing new asked you to move");
        if (kind ==
            PUSH_CORRECTION) /* the ideal reader follows a correction: 50 / (50 + 2 + ...) */
            assert_true(held.belief[2].ideal > 90 && held.belief[1].ideal < 40 &&
                        held.knew_after == 2);
        else
            assert_true(held.belief[2].ideal == held.belief[1].ideal && held.knew_after == -1);
        investigation_free(a);
        investigation_free(b);
    }
    toy_free(t);
}

/* Feed evidence in which one predicate is false: the reading vanishes from ideal and target, and
 * another path is the cheapest. */
static void a_false_predicate(void **state)
{
    struct toy *t = toy_new();
    struct investigation *i = direct(t);
    struct debrief before, after;
    toy_debrief(&before, t, i);
    assert_string_equal(before.cheapest.probe[0], "memory");
    i->bought[0].evidence->parts[0].metrics[0].value = 4;
    for (int p = 0; p < t->all->n_parts; p++)
        if (strcmp(t->all->parts[p].metrics[0].name, "store_sectors_per_request") == 0)
            t->all->parts[p].metrics[0].value = 4;
    toy_debrief(&after, t, i);
    assert_int_equal(after.belief[1].ideal, 33);
    assert_int_equal(after.knew_after, -1);
    assert_true(after.score.line[LINE_UPDATING] < 1);      /* the move to 94 followed nothing */
    toy_has(after.astray, "you had uncoalesced access at 94 %; from where you began the "
                             "evidence leads to 33 %");
    assert_true(before.cheapest.n == 1 && after.cheapest.n > 1 && after.cheapest.belief < 0.9);
    toy_has(after.cheaper, "no purchase settles it here");
    investigation_free(i);
    toy_free(t);
}

static void fast_but_wrong_needs_a_check(void **state)
{
    struct toy *t = toy_new();
    struct debrief d;
    t->variant.pair = PAIR_WRONG;
    struct investigation *i = direct(t);
    toy_debrief(&d, t, i);
    assert_true(d.score.line[LINE_ESTIMATES] == 0);
    assert_string_equal(d.why[LINE_ESTIMATES], "none without a check of the result (v)");
    assert_string_equal(d.right[1], "");       /* nothing checked it */
    investigation_free(i);
    const char *checks[] = {"verify",
                            "other-sizes"}; /* an experiment under v is a check, one of another list
                                               only when it compares results */
    const enum shop shops[] = {SHOP_VERIFY, SHOP_VERIFY, SHOP_EXPERIMENT, SHOP_EXPERIMENT};
    for (int k = 0; k < 4; k++) {
        t->experiment.shop = shops[k];
        t->experiment.measure = k == 3 ? PROBE_CHECK : PROBE_TIMING;
        i = investigation_new(&t->variant);
        toy_estimate(i, "fixed-time", "1.3 us");
        toy_buy(i, checks[k > 0]);
        toy_commit(i, 6, "tile");
        toy_believe(i, MOVE_RESPONDED, 25, 25, 25, 25);
        toy_debrief(&d, t, i);
        assert_float_equal(d.score.line[LINE_ESTIMATES], k == 2 ? 0 : 10, 1e-9);
        assert_true(fabs(d.score.line[LINE_CAUSE]) < 1e-9 &&
                    fabs(d.score.line[LINE_EVIDENCE]) < 1e-9); /* an even spread */
        investigation_free(i);
    }
    toy_free(t);
}

/* Beside the times of a wrong pair: what was found wrong with each result, by whatever found it. */
static void a_wrong_pair_says_what_is_right(void **state)
{
    struct toy *t = toy_new();
    struct debrief d;
    struct investigation *i = direct(t);
    toy_metric(t->all, PROBE_CHECK, "a", -1, "wrong_elements", 0);
    toy_metric(t->all, PROBE_SANITIZE, "a", 0, "race_hazards", 893956);
    toy_metric(t->all, PROBE_CHECK, "b", -1, "wrong_elements", 0);
    toy_debrief(&d, t, i);
    assert_string_equal(d.right[0], ""); /* of a pair that differs in time only nothing is said */
    t->variant.pair = PAIR_WRONG;
    toy_debrief(&d, t, i);
    assert_string_equal(d.right[0], "893956 hazards");
    assert_string_equal(d.right[1], "0 wrong");
    assert_string_equal(d.right[2], "");
    struct param n = {.name = "n"};
    t->story.params = &n;
    t->experiment.measure = PROBE_CHECK;
    toy_metric(t->all, PROBE_CHECK, "b", 1, "wrong_elements",
               512); /* at a size of the story's sweep */
    toy_debrief(&d, t, i);
    assert_string_equal(d.right[1], "512 wrong, n = 2");
    investigation_free(i);
    toy_free(t);
}

/* Where several stand under one letter, the letter alone would not say which. */
static void experiments_have_names(void **state)
{
    struct toy *t = toy_new();
    struct debrief d;
    for (int k = 0; k < 2; k++) {
        t->experiment.shop =
            k ? SHOP_VERIFY : SHOP_EXPERIMENT; /* alone under x; beside the comparison under v */
        struct investigation *i = investigation_new(&t->variant);
        toy_estimate(i, "fixed-time", "1.3 us");
        toy_buy(i, "other-sizes");
        toy_commit(i, 6, "tile");
        toy_push(i, 0);
        toy_believe(i, MOVE_RESPONDED, 25, 25, 25, 25);
        toy_debrief(&d, t, i);
        toy_has(d.cheaper,
                   k ? "You: v (Time it at other sizes) 3 = 3 min." : "You: x 3 = 3 min.");
        investigation_free(i);
    }
    toy_free(t);
}

static void a_line_of_the_same_fault_is_right_as_well(void **state)
{
    struct toy *t = toy_new();
    struct debrief d;
    t->variant.spans[0].first = 4, t->variant.spans[0].last = 6;
    t->variant.n_spans = 1;
    t->variant.n_pushbacks = 0;
    struct investigation *i = investigation_new(&t->variant);
    toy_commit(i, 4, "tile");
    toy_debrief(&d, t, i);
    assert_string_equal(d.why[LINE_LOCATION], "line 4");
    assert_float_equal(d.score.line[LINE_LOCATION], 5, 0);
    investigation_free(i);
    toy_free(t);
}

static void healthy_and_bare(void **state)
{
    struct toy *t = toy_new();
    struct debrief d;
    t->variant.pair = PAIR_HEALTHY;
    t->variant.cause = TOY_LIMIT;
    t->variant.location_line = 0;
    t->variant.remedies = 4;
    t->variant.n_pushbacks = 0;
    t->story.n_estimates = 0;
    struct investigation *i = investigation_new(&t->variant);
    struct err err = {0};
    assert_int_equal(debrief_make(&d, i, &t->device, t->all, &err), ERR_BAD_REQUEST);
    assert_int_equal(debrief_score(&d.score, i, &t->device, t->all, &err), ERR_BAD_REQUEST);
    toy_commit(i, 0, "leave");
    toy_debrief(&d, t, i);
    assert_string_equal(d.headline, "Nothing was wrong with it.  You had it at 25 %.");
    assert_string_equal(d.why[LINE_LOCATION], "nowhere");
    assert_string_equal(d.why[LINE_ESTIMATES], "none in this scenario; 80 points are the whole");
    assert_string_equal(d.why[LINE_UPDATING], "nothing was tested");
    toy_has(d.cheaper, "You bought nothing.");
    assert_string_equal(d.pushback, "");
    assert_true(d.score.sum == 10 && d.score.of == 80 && d.score.total == 13);
    investigation_free(i);
    i = investigation_new(&t->variant);
    toy_commit(i, 3, "");
    toy_debrief(&d, t, i);
    assert_string_equal(d.why[LINE_LOCATION], "nowhere; you said line 3");
    assert_string_equal(d.why[LINE_REMEDY], "none chosen: Leave it");
    investigation_free(i);
    t->remedies[2].text =
        (char *)"Leave it as it is and tell whoever asks for more that it cannot be had";
    i = investigation_new(&t->variant);
    toy_commit(i, 3, "");
    toy_debrief(&d, t, i);
    assert_string_equal(d.why[LINE_REMEDY],
                        "none chosen: Leave it as it is and tell whoever asks for \xE2\x80\xA6");
    investigation_free(i);
    toy_free(t);
}

/* What was handed out is evidence like any other, stands apart from what was bought, and makes no
 * way a cheap one. */
static void handed_evidence_is_named(void **state)
{
    struct toy *t = toy_new();
    struct debrief d, bought;
    struct investigation *i = investigation_new(&t->variant),
                         *other = investigation_new(&t->variant);
    assert_int_equal(toy_move(i,
                              (struct move){.kind = MOVE_HANDED,
                                            .probe = "memory",
                                            .evidence = toy_evidence("memory")},
                              NULL),
                     0);
    toy_buy(other, "memory");
    for (int n = 0; n < 2; n++) {
        struct investigation *each = n ? other : i;
        toy_commit(each, 6, "tile");
        toy_push(each, 0);
        toy_believe(each, MOVE_RESPONDED, 94, 2, 2, 2);
        toy_debrief(n ? &bought : &d, t, each);
    }
    toy_has(d.cheaper, "m 3 = 3 min put an ideal reader at 94 %.  You bought nothing.  Handed "
                          "by the interviewer: m.");
    toy_has(bought.cheaper, "you took the cheapest way");
    assert_true(d.belief[1].ideal == bought.belief[1].ideal);
    investigation_free(i);
    investigation_free(other);
    toy_free(t);
}

/* Nothing measured at all, a purchase without evidence, more steps than rows: still a debrief. */
static void nothing_measured(void **state)
{
    struct toy *t = toy_new();
    struct debrief d;
    struct investigation *i = investigation_new(&t->variant);
    struct msg_device bare = {.name = "bare"};
    struct move m = {.kind = MOVE_BOUGHT, .probe = "timing"};
    toy_estimate(i, "fixed-time", "5 us");
    assert_int_equal(investigation_apply(i, &m, NULL), 0);
    toy_commit(i, 6, "tile");
    toy_buy(i, "source");
    toy_push(i, 1);
    toy_believe(i, MOVE_RESPONDED, 90, 2, 4, 4);
    assert_int_equal(debrief_make(&d, i, &bare, NULL, NULL), 0);
    assert_int_equal(d.graded[0].how, GRADED_NO_TRUTH);
    assert_true(d.ratio == 0 && !d.in_band);
    assert_true(d.belief[2].ideal >
                d.belief[1].ideal); /* the free source is news of the last step */
    investigation_free(i);
    toy_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scores_by_hand),
        cmocka_unit_test(two_paths_two_texts),
        cmocka_unit_test(the_end_is_judged_and_not_the_way),
        cmocka_unit_test(skipped_is_not_unasked),
        cmocka_unit_test(what_was_not_asked_costs_nothing),
        cmocka_unit_test(what_was_handed_out_is_not_asked),
        cmocka_unit_test(a_lure_is_named),
        cmocka_unit_test(what_the_evidence_meant),
        cmocka_unit_test(the_pushback_is_counted),
        cmocka_unit_test(a_false_predicate),
        cmocka_unit_test(fast_but_wrong_needs_a_check),
        cmocka_unit_test(a_line_of_the_same_fault_is_right_as_well),
        cmocka_unit_test(healthy_and_bare),
        cmocka_unit_test(a_wrong_pair_says_what_is_right),
        cmocka_unit_test(experiments_have_names),
        cmocka_unit_test(handed_evidence_is_named),
        cmocka_unit_test(nothing_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
