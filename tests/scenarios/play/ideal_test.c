/* What readings say of hypotheses, and the cheapest way to the answer. */
#include <math.h>

#include "tests/scenarios/toy.h"
#include "tests/unit.h"

static struct scope scope_of(struct toy *t, struct evidence **bought, int n)
{
    return (
        struct scope){.story = &t->story, .device = &t->device, .bought = bought, .n_bought = n};
}

static void a_reading_counts_when_bought_and_true(void **state)
{
    struct toy *t = toy_new();
    bool flags[8];
    struct evidence *bought[] = {toy_evidence("timing"), toy_evidence("stalls"),
                                 toy_evidence("memory"), toy_evidence("other-sizes"),
                                 toy_empty("source"),    toy_empty("pipes")};
    struct scope s = scope_of(t, bought, 0);
    ideal_flags(&t->variant, &s, flags);
    for (int r = 0; r < 8; r++)
        assert_false(flags[r]);
    s.n_bought = 1;
    ideal_flags(&t->variant, &s, flags);
    assert_true(flags[0] && !flags[1] && !flags[2]);
    s.n_bought = 2;
    ideal_flags(&t->variant, &s, flags);
    assert_true(flags[3] && !flags[6]);             /* needs memory too */
    s.n_bought = 6;
    ideal_flags(&t->variant, &s, flags);
    assert_true(flags[2] && flags[4] && flags[5] && flags[6]);
    assert_false(flags[7]); /* bought, but the counter is missing: unknowable says nothing */
    bought[0]->parts[0].metrics[0].value = 1.1e-6;  /* near the copy: the predicate is false */
    ideal_flags(&t->variant, &s, flags);
    assert_false(flags[0]);
    for (int b = 0; b < 6; b++)
        evidence_free(bought[b]);
    toy_free(t);
}

/* The free symptom is the time and nothing else; the same time bought is no other reading. */
static void the_symptom_is_known_from_the_start(void **state)
{
    struct toy *t = toy_new();
    bool flags[8];
    struct evidence *bought[] = {toy_evidence("timing"), toy_evidence("memory")};
    struct scope s = scope_of(t, bought, 0);
    ideal_flags_shown(&t->variant, &s, t->all, flags);
    assert_true(flags[0]);
    for (int r = 1; r < 8; r++)
        assert_false(flags[r]);
    formula_free(t->readings[4].expect.f);
    t->readings[4] = toy_reading("memory", "store_sectors_per_request / (time / 1 us) >= 4", "x");
    s.bought = bought + 1, s.n_bought = 1;   /* a reading may join a purchase and the symptom */
    ideal_flags_shown(&t->variant, &s, t->all, flags);
    assert_true(flags[0] && flags[2] && flags[4]);
    bought[0]->parts[0].metrics[0].value = 1.1e-6; /* what was bought comes before the symptom */
    s.bought = bought, s.n_bought = 2;
    ideal_flags_shown(&t->variant, &s, t->all, flags);
    assert_false(flags[0]);
    ideal_flags_shown(&t->variant, &s, NULL, flags);
    assert_false(flags[0]);
    for (int b = 0; b < 2; b++)
        evidence_free(bought[b]);
    toy_free(t);
}

/* What compares the symptom with a plain copy waits for the timing; a warm-up shows the copy. */
static void the_copy_is_no_symptom(void **state)
{
    struct toy *t = toy_new();
    bool flags[8];
    struct evidence *bought[] = {toy_evidence("timing")};
    struct scope s = scope_of(t, bought, 0);
    formula_free(t->readings[0].expect.f);
    t->readings[0] = toy_reading("timing", "copy_fraction <= 0.5", "far-from-copy");
    ideal_flags_shown(&t->variant, &s, t->all, flags);
    assert_false(flags[0]);
    t->story.level = 0;
    ideal_flags_shown(&t->variant, &s, t->all, flags);
    assert_true(flags[0]);
    t->story.level = 1;
    s.n_bought = 1;
    ideal_flags_shown(&t->variant, &s, t->all, flags);
    assert_true(flags[0]);
    evidence_free(bought[0]);
    toy_free(t);
}

static void likelihoods_multiply_but_a_fact_counts_once(void **state)
{
    struct toy *t = toy_new();
    bool flags[8] = {true};
    double l[MAX_HYPOTHESES];
    ideal_likelihood(&t->variant, flags, l);
    assert_float_equal(l[TOY_LIMIT], 0.02, 1e-12);
    assert_float_equal(l[TOY_UNCOALESCED], 1, 1e-12);
    flags[3] = true;                                /* another fact: 1/50 x 1/4 */
    ideal_likelihood(&t->variant, flags, l);
    assert_float_equal(l[TOY_LIMIT], 0.005, 1e-12);
    flags[2] = flags[5] =
        true; /* the same fact twice: settles beats for, the source still rules banks out */
    ideal_likelihood(&t->variant, flags, l);
    assert_float_equal(l[TOY_UNCOALESCED], 50, 1e-9);
    assert_float_equal(l[TOY_BANKS], 0.25 * 0.02, 1e-12);
    t->readings[5].fact =
        "far-from-copy"; /* equally strong words that contradict each other cancel */
    t->readings[5].says[WORD_SETTLES] = 1u << TOY_LIMIT;
    bool both[8] = {[0] = true, [5] = true};
    ideal_likelihood(&t->variant, both, l);
    assert_float_equal(l[TOY_LIMIT], 1, 1e-12);
    toy_free(t);
}

static void only_a_correction_moves(void **state)
{
    struct toy *t = toy_new();
    bool nothing[8] = {false}, bought[8] = {[2] = true};
    double l[MAX_HYPOTHESES];
    struct scope s = scope_of(t, NULL, 0);
    s.all = t->all;
    for (int p = 0; p < 3; p++) {
        ideal_pushback(&t->variant, nothing, &t->pushbacks[p], &s, l);
        assert_float_equal(l[TOY_UNCOALESCED], t->pushbacks[p].kind == PUSH_CORRECTION ? 50 : 1,
                           1e-9);
    }
    ideal_pushback(&t->variant, bought, &t->pushbacks[1], &s,
                   l); /* its fact was bought before: nothing new */
    assert_float_equal(l[TOY_UNCOALESCED], 1, 1e-9);
    s.all = NULL; /* its predicate cannot be known */
    ideal_pushback(&t->variant, nothing, &t->pushbacks[1], &s, l);
    assert_float_equal(l[TOY_UNCOALESCED], 1, 1e-9);
    toy_free(t);
}

static void assert_path(const struct path *p, int price, const char *first, const char *second)
{
    assert_int_equal(p->price, price);
    assert_int_equal(p->n, second ? 2 : 1);
    assert_string_equal(p->probe[0], first);
    if (second)
        assert_string_equal(p->probe[1], second);
}

static void the_cheapest_path(void **state)
{
    struct toy *t = toy_new();
    struct path p;
    struct scope s = scope_of(t, NULL, 0);
    s.all = t->all;
    assert_int_equal(ideal_cheapest(&t->variant, &s, 0.90, &p), 0);
    assert_path(&p, 3, "memory", NULL);             /* 50 / 53 */
    assert_float_equal(p.belief, 50.0 / 53, 1e-9);
    assert_int_equal(ideal_cheapest(&t->variant, &s, 0.95, &p), 0);
    assert_path(&p, 4, "timing", "memory"); /* 50 / 52.02; resources and memory cost the same and
                                               come later in the shop */
    assert_int_equal(ideal_cheapest(&t->variant, &s, 0.9999, &p), ERR_MISSING);
    assert_true(p.belief > 0.98 && p.n > 2);
    assert_int_equal(ideal_cheapest(&t->variant, &s, 0.25, &p), 0);
    assert_int_equal(p.n, 0);
    toy_free(t);
}

/* Feed evidence in which one predicate is false: its reading vanishes and the cheapest path
 * changes. */
static void a_false_predicate_changes_the_path(void **state)
{
    struct toy *t = toy_new();
    struct path p;
    struct scope s = scope_of(t, NULL, 0);
    s.all = t->all;
    for (int i = 0; i < t->all->n_parts; i++)
        if (strcmp(t->all->parts[i].run, "a") == 0 &&
            strcmp(t->all->parts[i].metrics[0].name, "store_sectors_per_request") == 0)
            t->all->parts[i].metrics[0].value = 4;
    int rc = ideal_cheapest(&t->variant, &s, 0.50, &p);
    assert_int_equal(rc, 0);
    for (int k = 0; k < p.n; k++)
        assert_string_not_equal(p.probe[k], "memory");
    assert_int_equal(ideal_cheapest(&t->variant, &s, 0.90, &p), ERR_MISSING);
    toy_free(t);
}

/* Fix and suspect swapped: the suspect's evidence is now the fix's, and nothing leads to the cause.
 */
static void swapped_sides_do_not_reach_the_cause(void **state)
{
    struct toy *t = toy_new();
    struct path p;
    struct scope s = scope_of(t, NULL, 0);
    s.all = t->all;
    for (int i = 0; i < t->all->n_parts; i++) {
        char *run = t->all->parts[i].run;
        if (strcmp(run, "a") == 0 || strcmp(run, "b") == 0)
            run[0] = run[0] == 'a' ? 'b' : 'a';
    }
    assert_int_equal(ideal_cheapest(&t->variant, &s, 0.90, &p), ERR_MISSING);
    toy_free(t);
}

/* A reading that takes two purchases is found by the search too, and purchases serve as well as
 * `all`. */
static void two_purchases_for_one_reading(void **state)
{
    struct toy *t = toy_new();
    struct path p;
    struct evidence *bought[] = {toy_evidence("memory"), toy_evidence("stalls")};
    struct scope s = scope_of(t, bought, 2);
    assert_int_equal(ideal_cheapest(&t->variant, &s, 0.96, &p), 0);
    assert_path(&p, 6, "memory", "stalls");         /* 50, 1/4, 4 x 1/4, 1/4: 50 / 51.5 */
    assert_float_equal(p.belief, 50 / 51.5, 1e-9);
    evidence_free(bought[0]);
    evidence_free(bought[1]);
    toy_free(t);
}

/* The search by masks agrees with one that evaluates every formula for every set. */
static void search_agrees_with_brute_force(void **state)
{
    static const char *const names[] = {"timing", "resources",   "memory",
                                        "stalls", "other-sizes", "source"};
    static const int prices[] = {1, 1, 3, 3, 3, 6};
    struct toy *t = toy_new();
    struct evidence *every[6];
    for (int c = 0; c < 6; c++)
        every[c] = toy_evidence(names[c]);
    struct scope all = scope_of(t, NULL, 0);
    all.all = t->all;
    for (double enough = 0.3; enough < 0.999; enough += 0.01) {
        int cheapest = 1000;
        for (int set = 0; set < 64; set++) {
            struct evidence *bought[6];
            int n = 0, price = 0;
            for (int c = 0; c < 6; c++)
                if (set & 1 << c) {
                    bought[n++] = every[c];
                    price += prices[c];
                }
            struct scope s = scope_of(t, bought, n);
            bool flags[8];
            double l[MAX_HYPOTHESES], sum = 0;
            ideal_flags(&t->variant, &s, flags);
            ideal_likelihood(&t->variant, flags, l);
            for (int k = 0; k < TOY_K; k++)
                sum += l[k];
            if (l[TOY_UNCOALESCED] / sum >= enough && price < cheapest)
                cheapest = price;
        }
        struct path p;
        int rc = ideal_cheapest(&t->variant, &all, enough, &p);
        assert_int_equal(rc, cheapest == 1000 ? ERR_MISSING : 0);
        if (rc == 0)
            assert_int_equal(p.price, cheapest);
    }
    for (int c = 0; c < 6; c++)
        evidence_free(every[c]);
    toy_free(t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reading_counts_when_bought_and_true),
        cmocka_unit_test(the_symptom_is_known_from_the_start),
        cmocka_unit_test(the_copy_is_no_symptom),
        cmocka_unit_test(likelihoods_multiply_but_a_fact_counts_once),
        cmocka_unit_test(only_a_correction_moves),
        cmocka_unit_test(the_cheapest_path),
        cmocka_unit_test(a_false_predicate_changes_the_path),
        cmocka_unit_test(swapped_sides_do_not_reach_the_cause),
        cmocka_unit_test(two_purchases_for_one_reading),
        cmocka_unit_test(search_agrees_with_brute_force),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
