/* Phases, refusals that change nothing, undo, and folding again from the encoded moves. */
#include "scenarios/pack/harness.h"
#include "tests/scenarios/toy.h"
#include "tests/unit.h"

/* Everything that a fold yields, as text, so that two states compare. */
static char *print(const struct investigation *i)
{
    char *out = mem_new(1, 8192);
    size_t n = (size_t)snprintf(out, 8192,
                                "phase %d price %d asked %x/%d line %d remedy %d push %d tier %s "
                                "gpu %s seed %llu note %s\n",
                                (int)i->phase, i->price, i->asked, i->questions_asked, i->line,
                                i->remedy, i->pushback, i->tier, i->gpu,
                                (unsigned long long)i->seed, i->note ? i->note : "-");
    for (int s = 0; s < i->n_steps; s++)
        n += (size_t)snprintf(out + n, 8192 - n, "step %s %d %d %d %d\n", i->steps[s].after,
                              i->steps[s].points[0], i->steps[s].points[1], i->steps[s].points[2],
                              i->steps[s].points[3]);
    for (int b = 0; b < i->n_bought; b++)
        n += (size_t)snprintf(out + n, 8192 - n, "bought %s %d call '%s'\n",
                              i->bought[b].probe, i->bought[b].price, i->bought[b].call);
    for (int e = 0; e < i->n_estimates; e++)
        n += (size_t)snprintf(out + n, 8192 - n, "estimate %s '%s' %d\n", i->estimates[e].id,
                              i->estimates[e].answer, i->estimates[e].given);
    snprintf(out + n, 8192 - n, "points %d %d %d %d\n", i->points[0], i->points[1], i->points[2],
             i->points[3]);
    return out;
}

static void assert_same(const struct investigation *a, const struct investigation *b)
{
    char *x = print(a), *y = print(b);
    assert_string_equal(x, y);
    free(x);
    free(y);
}

/* Every move that is refused leaves the state as it was. */
static void refused(struct investigation *i, struct move m, const char *says)
{
    struct err err = {0};
    char *before = print(i);
    int moves = i->n_moves, rc = toy_move(i, m, &err);
    char *after = print(i);
    if (rc != ERR_BAD_REQUEST || !strstr(err.text, says))
        fail_msg("expected '%s', got %d '%s'", says, rc, err.text);
    assert_string_equal(before, after);
    assert_int_equal(moves, i->n_moves);
    free(before);
    free(after);
}

static struct move bought(const char *probe)
{
    struct move m = {.kind = MOVE_BOUGHT};
    snprintf(m.probe, sizeof m.probe, "%s", probe);
    return m;
}

static struct move called(const char *probe, const char *answer)
{
    struct move m = {.kind = MOVE_CALLED};
    snprintf(m.probe, sizeof m.probe, "%s", probe);
    snprintf(m.answer, sizeof m.answer, "%s", answer);
    return m;
}

static void a_whole_investigation(void **state)
{
    struct toy *t = toy_new();
    struct investigation *i = investigation_new(&t->variant);
    assert_int_equal(i->par, 6);
    assert_int_equal(i->patience, 15);
    assert_int_equal(i->points[0], 25);
    struct move start = {.kind = MOVE_STARTED, .seed = 7, .tier = "recorded", .gpu = "Fake GPU"};
    assert_int_equal(toy_move(i, start, NULL), 0);
    refused(i, start, "first move");
    assert_int_equal(toy_believe(i, MOVE_BELIEVED, 40, 20, 20, 20), 0);
    assert_string_equal(investigation_due(i, "timing")->id, "fixed-time");
    assert_int_equal(toy_estimate(i, "fixed-time", "~1 us"), 0);
    assert_null(investigation_due(i, "timing"));
    assert_int_equal(toy_buy(i, "timing"), 0);
    assert_int_equal(toy_believe(i, MOVE_BELIEVED, 50, 20, 20, 10), 0);
    assert_int_equal(toy_move(i, called("memory", "32"), NULL), 0);
    assert_int_equal(toy_buy(i, "memory"), 0);
    assert_string_equal(i->bought[1].call, "32");
    assert_int_equal(toy_buy(i, "other-sizes"), 0);
    assert_int_equal(i->price, 1 + 3 + 3);
    assert_int_equal(i->n_steps, 4);
    assert_int_equal(i->steps[0].points[0], 40);    /* when the first purchase was made */
    assert_int_equal(i->steps[1].points[0], 50);    /* after timing, when memory was bought */
    assert_int_equal(toy_believe(i, MOVE_BELIEVED, 91, 3, 3, 3), 0);
    assert_int_equal(i->steps[3].points[0], 91);
    assert_true(investigation_has(i, "memory") &&
                investigation_evidence(i, "memory")->n_parts == 1 &&
                !investigation_has(i, "stalls"));
    assert_int_equal(toy_commit(i, 6, "tile"), 0);
    assert_int_equal(investigation_price(i, "source"), 0);
    assert_int_equal(toy_buy(i, "source"), 0);
    assert_int_equal(i->price, 7);
    assert_int_equal(i->n_steps, 4);                /* the free source is no step of its own */
    assert_int_equal(toy_push(i, 2), 0);
    assert_int_equal(toy_believe(i, MOVE_RESPONDED, 85, 3, 9, 3), 0);
    assert_string_equal(i->steps[4].after, "pushback");
    assert_int_equal(i->steps[3].points[0], 91);
    assert_int_equal(toy_move(i, (struct move){.kind = MOVE_REVEALED}, NULL), 0);
    refused(i, (struct move){.kind = MOVE_NOTED, .answer = "x"}, "over");
    refused(i, (struct move){.kind = MOVE_ABANDONED}, "over");
    investigation_free(i);
    toy_free(t);
}

static void what_is_refused_changes_nothing(void **state)
{
    struct toy *t = toy_new();
    struct investigation *i = investigation_new(&t->variant);
    refused(i, (struct move){.kind = MOVE_BELIEVED, .points = {50, 20, 20, 20}}, "sum to 110");
    refused(i, (struct move){.kind = MOVE_BELIEVED, .points = {120, -20, 0, 0}}, "from 0 to 100");
    refused(i, bought("tea"), "no probe 'tea'");
    refused(i, bought("ask"), "no probe");
    refused(i, bought("experiment"), "no probe");
    refused(i, (struct move){.kind = MOVE_ESTIMATED, .item = "age", .answer = "5"}, "no estimate");
    refused(i, (struct move){.kind = MOVE_ASKED, .question = 5}, "no question");
    refused(i, (struct move){.kind = MOVE_ASKED, .question = -1}, "no question");
    refused(i, called("source", "1"), "no number to call");
    refused(i, called("memory", "7"), "none of the calls");
    refused(i, (struct move){.kind = MOVE_PUSHED}, "follows the commitment");
    refused(i, (struct move){.kind = MOVE_RESPONDED, .points = {25, 25, 25, 25}}, "no commitment");
    refused(i, (struct move){.kind = MOVE_REVEALED}, "before the commitment");
    refused(i, (struct move){.kind = MOVE_UNDONE, .undone = "x"}, "taken back");
    assert_int_equal(toy_buy(i, "timing"), 0);
    refused(i, bought("timing"), "bought before");
    refused(i, called("timing", "above"), "shown already");
    refused(i, (struct move){.kind = MOVE_ESTIMATED, .item = "fixed-time", .answer = "5"},
            "too late");
    refused(i, (struct move){.kind = MOVE_STARTED}, "first move");
    refused(i, (struct move){.kind = MOVE_COMMITTED, .remedy = "prayer"}, "not on offer");
    refused(i, (struct move){.kind = MOVE_COMMITTED, .line = -1}, "from 1");
    assert_int_equal(toy_commit(i, 0, ""), 0);
    assert_int_equal(i->remedy, -1);
    refused(i, (struct move){.kind = MOVE_BELIEVED, .points = {25, 25, 25, 25}}, "locked");
    refused(i, (struct move){.kind = MOVE_ASKED}, "before the commitment");
    refused(i, bought("memory"), "but the source");
    assert_int_equal(toy_commit(i, 6, "pad"), 0); /* a lock without a remedy is completed once */
    assert_true(i->line == 6 && i->remedy == 1);
    refused(i, (struct move){.kind = MOVE_COMMITTED, .line = 1, .remedy = "tile"}, "already");
    refused(i, (struct move){.kind = MOVE_PUSHED, .pushback = 3}, "no pushback 3");
    refused(i, (struct move){.kind = MOVE_REVEALED}, "pushback comes first");
    assert_int_equal(toy_estimate(i, "store-sectors", "32"),
                     0); /* its probe was never bought: still open */
    assert_int_equal(toy_push(i, 0), 0);
    refused(i, (struct move){.kind = MOVE_ESTIMATED, .item = "store-sectors", .answer = "5"},
            "closed");
    assert_int_equal(toy_believe(i, MOVE_RESPONDED, 25, 25, 25, 25), 0);
    refused(i, (struct move){.kind = MOVE_RESPONDED, .points = {25, 25, 25, 25}}, "already");
    refused(i, bought("source"), "last word");
    assert_int_equal(toy_move(i, (struct move){.kind = MOVE_ABANDONED}, NULL), 0);
    assert_int_equal(i->phase, PHASE_ABANDONED);
    refused(i, (struct move){.kind = MOVE_REVEALED}, "abandoned");
    investigation_free(i);
    toy_free(t);
}

static void questions_and_prices(void **state)
{
    static const struct { const char *name; int price;
    } prices[] = {{"timing", 1}, {"resources", 1}, {"build", 1},  {"dram", 2},  {"occupancy", 2},
                  {"memory", 3}, {"shared", 3},    {"stalls", 3}, {"pipes", 3}, {"other-sizes", 3},
                  {"verify", 2}, {"source", 6},    {"lines", 5},  {"sass", 5}};
    struct toy *t = toy_new();
    struct investigation *i = investigation_new(&t->variant);
    for (int q = 0; q < 5; q++) {
        assert_int_equal(investigation_price(i, "ask"), q < FREE_QUESTIONS ? 0 : 1);
        assert_int_equal(toy_move(i, (struct move){.kind = MOVE_ASKED, .question = q}, NULL), 0);
    }
    assert_int_equal(i->price, 2);
    refused(i, (struct move){.kind = MOVE_ASKED, .question = 2}, "asked before");
    int sum = 2;
    for (size_t p = 0; p < sizeof prices / sizeof *prices; p++) {
        assert_int_equal(investigation_price(i, prices[p].name), prices[p].price);
        assert_int_equal(toy_buy(i, prices[p].name),
                         0); /* past patience too: worth nothing, not forbidden */
        sum += prices[p].price;
        assert_int_equal(i->price, sum);
    }
    size_t n;
    const struct probe *table = probe_table(&n);
    static const char letters[] = "atrbdomswpxvcli";
    assert_int_equal(n, sizeof letters - 1);
    for (size_t p = 0; p < n; p++) {
        assert_int_equal(table[p].letter, letters[p]);
        assert_ptr_equal(probe_by_letter(letters[p]), &table[p]);
        assert_ptr_equal(probe_by_name(table[p].name), &table[p]);
        if (table[p].headline)
            assert_non_null(metric_find(table[p].headline));
    }
    assert_null(probe_by_letter('z'));
    assert_null(probe_by_name("tea"));
    static const int par[] = {4, 6, 8, 10, 12, 14}, patience[] = {10, 15, 18, 20, 22, 25};
    for (int level = 0; level < 6; level++)
        assert_true(level_par(level) == par[level] && level_patience(level) == patience[level]);
    investigation_free(i);
    toy_free(t);
}

static int undo(struct investigation *i)
{
    const char *uid = investigation_undoable(i);
    struct move m = {.kind = MOVE_UNDONE};
    if (!uid)
        return -1;
    snprintf(m.undone, sizeof m.undone, "%s", uid);
    return toy_move(i, m, NULL);
}

static void undo_takes_back_the_newest(void **state)
{
    struct toy *t = toy_new();
    struct investigation *i = investigation_new(&t->variant);
    assert_null(investigation_undoable(i));
    toy_believe(i, MOVE_BELIEVED, 40, 20, 20, 20);
    toy_believe(i, MOVE_BELIEVED, 70, 10, 10, 10);
    toy_move(i, (struct move){.kind = MOVE_NOTED, .answer = "a note"}, NULL);
    assert_int_equal(undo(i), 0);
    assert_int_equal(i->points[0], 40);
    assert_int_equal(i->steps[0].points[0], 40);
    assert_string_equal(i->note, "a note");
    assert_int_equal(undo(i), 0);
    assert_int_equal(i->points[0], 25);
    assert_int_equal(undo(i), -1);
    toy_estimate(i, "store-sectors", "8");
    toy_estimate(i, "store-sectors", "32");
    toy_believe(i, MOVE_BELIEVED, 97, 1, 1, 1);
    toy_buy(i, "timing");
    assert_int_equal(undo(i),
                     0); /* the belief is behind a purchase; the estimate is still unanswered */
    assert_int_equal(i->points[0], 97);
    assert_string_equal(i->estimates[0].answer, "8");
    assert_true(investigation_has(i, "timing") &&
                investigation_evidence(i, "timing")->n_parts == 1);
    assert_int_equal(undo(i), 0);
    assert_int_equal(i->n_estimates, 0);
    assert_non_null(investigation_due(i, "memory"));
    assert_int_equal(undo(i), -1);
    toy_estimate(i, "store-sectors", "4");
    toy_buy(i, "memory");
    assert_int_equal(undo(i), -1);                      /* answered */
    toy_believe(i, MOVE_BELIEVED, 10, 10, 10, 70);
    toy_commit(i, 6, "tile");
    assert_int_equal(undo(i), -1);                      /* locked */
    assert_int_equal(i->points[3], 70);
    investigation_free(i);
    toy_free(t);
}

/* A move that comes twice, as after a lost link, is one move. */
static void the_same_uid_twice(void **state)
{
    struct toy *t = toy_new();
    struct investigation *i = investigation_new(&t->variant);
    struct err err = {0};
    struct move m = {.kind = MOVE_BELIEVED,
                     .uid = "0123456789abcdef0123456789abcdef",
                     .points = {70, 10, 10, 10}};
    assert_int_equal(investigation_apply(i, &m, &err), 0);
    assert_int_equal(investigation_apply(i, &m, &err), ERR_BAD_REQUEST);
    assert_int_equal(i->n_moves, 1);
    investigation_free(i);
    toy_free(t);
}

static uint64_t seed = 99;
static int below(int n)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (int)((seed >> 33) % (uint64_t)n);
}

static struct move random_move(struct investigation *i)
{
    static const char *const probes[] = {"timing",      "memory", "stalls",
                                         "other-sizes", "source", "resources"};
    static const char *const estimates[] = {"fixed-time", "store-sectors"};
    struct move m = {.kind = (enum move_kind)below(MOVE_COUNT)};
    if (m.kind == MOVE_REVEALED || m.kind == MOVE_ABANDONED ||
        (m.kind == MOVE_COMMITTED && below(4)))
        m.kind = MOVE_BELIEVED;
    if (m.kind == MOVE_BELIEVED || m.kind == MOVE_RESPONDED) {
        double w[4] = {below(9) + 1, below(9) + 1, below(9) + 1, below(9) + 1};
        belief_round(m.points, w, 4, 1);
    }
    const char *probe = probes[below(6)];
    snprintf(m.probe, sizeof m.probe, "%s", probe);
    if (m.kind == MOVE_BOUGHT || m.kind == MOVE_HANDED)
        m.evidence = toy_evidence(probe);
    snprintf(m.item, sizeof m.item, "%s", estimates[below(2)]);
    snprintf(m.answer, sizeof m.answer, "%d", m.kind == MOVE_CALLED ? 4 << below(4) : below(100));
    m.question = below(5);
    m.line = below(9);
    snprintf(m.remedy, sizeof m.remedy, "%s", below(2) ? "tile" : "leave");
    m.pushback = below(3);
    m.seed = seed;
    const char *uid = investigation_undoable(i);
    snprintf(m.undone, sizeof m.undone, "%s", uid ? uid : "nothing");
    return m;
}

/* Folding the encoded moves gives the same state as having lived through them. */
static void folding_again_gives_the_same(void **state)
{
    struct toy *t = toy_new();
    for (int round = 0; round < 200; round++) {
        struct investigation *lived = investigation_new(&t->variant),
                             *folded = investigation_new(&t->variant);
        for (int n = 0; n < 60; n++)
            toy_move(lived, random_move(lived), NULL);
        for (int n = 0; n < lived->n_moves; n++) {
            struct move m;
            struct err err = {0};
            json_t *body = move_encode(&lived->moves[n], &t->story);
            if (move_decode(&m, move_name(lived->moves[n].kind), body, &t->story, &err))
                fail_msg("%s", err.text);
            memcpy(m.uid, lived->moves[n].uid, sizeof m.uid);
            m.elapsed_ms = lived->moves[n].elapsed_ms;
            if (investigation_apply(folded, &m, &err))
                fail_msg("%s", err.text);
            json_decref(body);
        }
        assert_same(lived, folded);
        investigation_free(lived);
        investigation_free(folded);
    }
    toy_free(t);
}

/* Notes may be long; one byte more than that is refused. */
static void a_long_note(void **state)
{
    struct toy *t = toy_new();
    struct investigation *i = investigation_new(&t->variant);
    struct err err = {0};
    for (size_t n = NOTE_BYTES; n <= NOTE_BYTES + 1; n++) {
        struct move m;
        char *text = malloc(n + 1);
        memset(text, 'n', n);
        text[n] = '\0';
        json_t *body = json_pack("{s:s}", "text", text);
        int rc = move_decode(&m, "noted", body, &t->story, &err);
        assert_true(n > NOTE_BYTES ? rc != 0 : rc == 0 && investigation_apply(i, &m, &err) == 0);
        json_decref(body);
        if (n <= NOTE_BYTES) {
            body = move_encode(&i->moves[i->n_moves - 1], &t->story);
            assert_string_equal(json_string_value(json_object_get(body, "text")), text);
            assert_string_equal(i->note, text);
            json_decref(body);
        }
        free(text);
    }
    investigation_free(i);
    toy_free(t);
}

/* What the interviewer gives counts as bought, costs nothing, and keeps its estimate from being
 * made after it. */
static void handed_is_bought_for_nothing(void **state)
{
    struct toy *t = toy_new();
    struct investigation *i = investigation_new(&t->variant);
    struct move given = bought("memory");
    given.kind = MOVE_HANDED;
    struct move m = given;
    assert_int_equal(toy_move(i, m, NULL), 0);
    assert_true(investigation_has(i, "memory") && investigation_handed(i, "memory") &&
                !investigation_handed(i, "timing"));
    assert_int_equal(i->price, 0);
    assert_int_equal(i->n_steps, 2);
    assert_string_equal(i->steps[1].after, "memory");
    refused(i, given, "handed out before");
    refused(i, bought("memory"), "handed out before");
    assert_null(investigation_undoable(i));
    assert_int_equal(toy_buy(i, "timing"), 0);
    assert_int_equal(i->price, 1);
    given = bought("timing");
    given.kind = MOVE_HANDED;
    refused(i, given, "bought before");
    struct move back;
    json_t *body = move_encode(&i->moves[0], &t->story);
    assert_int_equal(move_decode(&back, "handed", body, &t->story, NULL), 0);
    assert_string_equal(back.probe, "memory");
    evidence_free(back.evidence);
    json_decref(body);
    investigation_free(i);
    toy_free(t);
}

static const struct { const char *kind, *body, *says;
} bad_moves[] = {
    {"flew", "{}", "no move 'flew'"},
    {"believed", "[]", "an object"},
    {"believed", "{}", "'points'"},
    {"believed", "{\"points\":{\"x\":1}}", "not on offer"},
    {"believed", "{\"points\":{\"mem.uncoalesced\":1.5}}", "whole number"},
    {"believed", "{\"points\":{\"mem.uncoalesced\":-1}}", "whole number"},
    {"believed", "{\"points\":{},\"pionts\":{}}", "unknown key 'pionts'"},
    {"believed", "{\"points\":{},\"odds\":7}", "'odds' must be an object"},
    {"believed", "{\"points\":{},\"odds\":{\"x\":1}}", "not on offer"},
    {"believed", "{\"points\":{},\"odds\":{\"mem.uncoalesced\":\"1\"}}", "a number from"},
    {"believed", "{\"points\":{},\"odds\":{\"mem.uncoalesced\":0}}", "a number from"},
    {"believed", "{\"points\":{},\"odds\":{\"mem.uncoalesced\":1e300}}", "a number from"},
    {"bought", "{}", "'probe'"},
    {"handed", "{}", "'probe'"},
    {"bought", "{\"probe\":7}", "'probe'"},
    {"bought", "{\"probe\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"}",
     "longer"},
    {"committed", "{\"line\":\"6\"}", "'line'"},
    {"committed", "{\"line\":-1}", "'line'"},
    {"committed", "{\"line\":99999999999}", "'line'"},
    {"started", "{\"seed\":\"x\"}", "'seed'"},
    {"started", "{\"seed\":-1}", "'seed'"},
    {"asked", "{}", "'question'"},
    {"revealed", "{\"a\":1}", "unknown key"},
    {"bought", "{\"probe\":\"timing\",\"evidence\":7}", "parts"},
};

static void bodies_are_strict(void **state)
{
    struct toy *t = toy_new();
    for (size_t i = 0; i < sizeof bad_moves / sizeof *bad_moves; i++) {
        struct move m;
        struct err err = {0};
        json_t *body = json_loads(bad_moves[i].body, 0, NULL);
        int rc = move_decode(&m, bad_moves[i].kind, body, &t->story, &err);
        if (rc >= 0 || !strstr(err.text, bad_moves[i].says))
            fail_msg("%s %s: %d %s", bad_moves[i].kind, bad_moves[i].body, rc, err.text);
        json_decref(body);
    }
    struct move m;
    assert_int_equal(move_decode(&m, "revealed", NULL, &t->story, NULL), 0);
    toy_free(t);
}

/* A script may leave out hypotheses with no points; a last word without a pushback keeps the
 * beliefs. */
static void a_script_may_be_short(void **state)
{
    struct toy *t = toy_new();
    struct investigation *i = investigation_new(&t->variant);
    json_t *body = json_loads("{\"points\":{\"mem.uncoalesced\":95,\"lat.low-mlp\":5}}", 0, NULL);
    struct move m;
    assert_int_equal(move_decode(&m, "believed", body, &t->story, NULL), 0);
    assert_int_equal(investigation_apply(i, &m, NULL), 0);
    assert_int_equal(toy_commit(i, 6, "tile"), 0);
    assert_int_equal(move_decode(&m, "responded", body, &t->story, NULL), 0);
    assert_int_equal(investigation_apply(i, &m, NULL), 0);
    assert_int_equal(i->pushback, -1);
    json_decref(body);
    investigation_free(i);
    /* Every pushback is met by some seed, and the same seed meets the same one. */
    unsigned met = 0;
    struct investigation *j = investigation_new(&t->variant);
    for (j->seed = 0; j->seed < 60; j->seed++)
        met |= 1u << investigation_pushback(j);
    assert_int_equal(met, 7);
    t->variant.n_pushbacks = 0;
    assert_int_equal(investigation_pushback(j), -1);
    assert_int_equal(toy_commit(j, 6, "tile"), 0);
    assert_int_equal(toy_move(j, (struct move){.kind = MOVE_REVEALED}, NULL),
                     0); /* no pushback to wait for */
    investigation_free(j);
    toy_free(t);
}

static void what_changes_nothing_costs_a_look(void **state)
{
    struct pack *pack = NULL;
    struct err err = {0};
    assert_int_equal(pack_open(&pack, "tests/packs/benchmarks", &err), 0);
    struct investigation *i = investigation_new(story_variant(&pack->stories[0], "c"));
    struct move waited = bought("waited"), start = {.kind = MOVE_STARTED, .tier = "recorded"};
    assert_int_equal(toy_move(i, start, &err), 0);
    assert_false(investigation_tested(i));
    assert_int_equal(story_price(i->story, "waited"), 3);
    assert_int_equal(toy_move(i, waited, &err), 0);
    assert_int_equal(i->price, LOOK_PRICE);
    assert_true(investigation_tested(i));
    investigation_free(i);
    pack_free(pack);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_changes_nothing_costs_a_look),
        cmocka_unit_test(a_whole_investigation),
        cmocka_unit_test(what_is_refused_changes_nothing),
        cmocka_unit_test(questions_and_prices),
        cmocka_unit_test(undo_takes_back_the_newest),
        cmocka_unit_test(the_same_uid_twice),
        cmocka_unit_test(a_long_note),
        cmocka_unit_test(folding_again_gives_the_same),
        cmocka_unit_test(bodies_are_strict),
        cmocka_unit_test(handed_is_bought_for_nothing),
        cmocka_unit_test(a_script_may_be_short),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
