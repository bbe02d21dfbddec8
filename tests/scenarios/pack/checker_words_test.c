/* Words that tell: cutting, matching, the tables, and where the words of a file stand. What is made
 * of them is tested by tests/packs/poor. */
#include "kernels/wire/text.h"
#include "scenarios/pack/telling.h"
#include "tests/unit.h"

/* ---- cutting ---- */

static void assert_words(const char *text, const char *expected)
{
    struct words w;
    char joined[512] = "";
    words_cut(&w, text, strlen(text));
    for (int i = 0; i < w.n; i++) {
        assert_int_equal(w.word[i].len, strlen(w.word[i].text));
        snprintf(joined + strlen(joined), sizeof joined - strlen(joined), "%s%s", i ? " " : "",
                 w.word[i].text);
    }
    assert_string_equal(joined, expected);
    words_free(&w);
}

static void names_are_cut_into_words(void **state)
{
    assert_words("loadTile2_v", "load tile 2 v");
    assert_words("HTTPServer", "http server");
    assert_words("TILE_DIM", "tile dim");
    assert_words("float4x2", "float 4 x 2");
    assert_words("un-coalesced (8 %)", "un coalesced 8");
    assert_words("__bank__conflict__", "bank conflict");
    assert_words("", "");
    assert_words("  \n\t", "");
    assert_words("ABC", "abc");
    assert_words("aB", "a b");
    assert_words("größe n", "größe n");
}

static void words_know_where_they_stand(void **state)
{
    struct words w;
    words_cut(&w, "  padTile", 9);
    assert_int_equal(w.n, 2);
    assert_int_equal(w.word[1].at, 5);
    assert_int_equal(w.word[1].len, 4);
    words_free(&w);
    char longer[200];
    memset(longer, 'a', sizeof longer);
    words_cut(&w, longer, sizeof longer);
    assert_int_equal(w.n, 1);
    assert_int_equal(w.word[0].len, sizeof longer);
    assert_int_equal(strlen(w.word[0].text), WORD_BYTES - 1);
    words_free(&w);
}

/* ---- matching ---- */

static int find(const char *text, const char *patterns, int *n)
{
    struct words w;
    struct patterns p;
    words_cut(&w, text, strlen(text));
    patterns_cut(&p, patterns);
    int at = patterns_find(&p, &w, n);
    words_free(&w);
    return at;
}

static void patterns_are_words_side_by_side(void **state)
{
    int n;
    assert_int_equal(find("a bankConflict here", "bank conflict*", &n), 1);
    assert_int_equal(n, 2);
    assert_int_equal(find("bankconflicts", "bank conflict*", &n), 0);
    assert_int_equal(n, 1);
    assert_int_equal(find("a bank has a conflict", "bank conflict*", &n), -1);
    assert_int_equal(find("banked conflict", "bank conflict*", &n), -1);
    assert_int_equal(find("bank", "bank conflict*", &n), -1);
    assert_int_equal(find("the uncoalesced one", "*coalesc*", &n), 1);
    assert_int_equal(find("trace", "race|racy", &n), -1);
    assert_int_equal(find("a race", "racy|race", &n), 1);
    assert_int_equal(find("v2", "v 2", &n), 0);
    assert_int_equal(n, 2);
    assert_int_equal(find("anything", "", &n), -1);
    assert_int_equal(find("", "any", &n), -1);
}

/* ---- what they tell ---- */

static enum telling told(const char *id, const char *text, enum spoken where)
{
    struct words w;
    int first, n;
    const struct hypothesis *h = taxonomy_find(id);
    assert_non_null(h);
    words_cut(&w, text, strlen(text));
    enum telling t = telling_hypothesis(h, &w, where, &first, &n);
    words_free(&w);
    return t;
}

static const struct { const char *id, *says; } betrayals[] = {
    {"mem.uncoalesced", "loads are not coalesced"},
    {"mem.width-alignment", "misaligned_copy"},
    {"mem.excess-traffic", "redundant loads of the row"},
    {"mem.cache-locality", "this thrashes L2"},
    {"mem.local-spill", "spills here"},
    {"smem.bank-conflict", "unpaddedTile"},
    {"occ.smem-limited", "takes too much shared memory"},
    {"lat.low-mlp", "too few loads on the way"},
    {"lat.pipeline-broken", "copies do not overlap"},
    {"lat.oversync", "needless __syncthreads, a needless barrier"},
    {"occ.register-limited", "register pressure"},
    {"occ.block-shape", "tiny_blocks"},
    {"occ.grid-underfill", "underfilled grid"},
    {"occ.tail-imbalance", "uneven work"},
    {"inst.divergence", "divergentBranch"},
    {"inst.wrong-pipe", "promoted to double"},
    {"inst.index-math", "integer division in the loop"},
    {"inst.special-function", "transcendental"},
    {"inst.atomic-contention", "atomics contend"},
    {"build.codegen", "debug build"},
    {"host.launch-bound", "launch overhead"},
    {"host.blocking-call", "a blocking call"},
    {"host.pageable-copy", "copies from pageable memory"},
    {"pipe.extra-pass", "an extra pass over the rows"},
    {"pipe.ordering", "missing event"},
    {"serve.admission-limit", "too few are admitted"},
    {"serve.prefill-stall", "prompts are not chunked"},
    {"serve.prefix-recomputed", "prefixes are recomputed"},
    {"serve.kv-preemption", "requests are preempted"},
    {"corr.race", "a missing barrier"},
    {"corr.uninit-stale", "UNINITIALISED"},
    {"corr.bounds-layout", "off by one"},
    {"corr.numerics", "exp overflows"},
    {"corr.work-skipped", "skips the work"},
    {"hang.deadlock", "may deadlock"},
    {"bench.invalid-timing", "times the wrong span"},
    {"bench.unrepresentative", "a misleading benchmark"},
    {"bench.cache-state", "it runs from a warm L2"},
    {"bench.unlike-inputs", "it has inputs unlike real ones"},
    {"bench.low-clocks", "the clocks were not up"},
    {"bench.hidden-spread", "the mean hides the spread"},
    {"bench.unit-slip", "a unit slip"},
    {"sys.straggler-skew", "rank 3 is a straggler"},
    {"sys.thermal-power", "the clock throttles"},
    {"sys.link-topology", "topology"},
    {"sys.shared-path", "a shared uplink"},
    {"sys.fallback-path", "it fell back to sockets"},
    {"sys.shared-device", "a noisy neighbour"},
    {"sys.short-share", "a smaller slice"},
    {"sys.fault-stack", "a faulty GPU"},
    {"none.at-limit", "it is at the limit"},
};

static void every_hypothesis_has_words(void **state)
{
    size_t n;
    const struct hypothesis *all = taxonomy(&n);
    assert_int_equal(n, sizeof betrayals / sizeof *betrayals);
    for (size_t i = 0; i < n; i++) {
        assert_string_equal(betrayals[i].id, all[i].id);
        if (told(all[i].id, betrayals[i].says, SPOKEN_COMMENT) != TELLS_NAME)
            fail_msg("'%s' does not tell %s", betrayals[i].says, all[i].id);
        assert_int_equal(told(all[i].id, all[i].label, SPOKEN_PROSE), TELLS_NAME);
        assert_int_equal(told(all[i].id, strchr(all[i].id, '.') + 1, SPOKEN_NAME), TELLS_NAME);
    }
}

static void everyday_talk_tells_nothing(void **state)
{
    static const char *const talk[] = {
        "Yes, row-major, no padding between rows, and the base pointer is aligned to 256 bytes.",
        "Each block owns a tile of 64 x 64 floats in shared memory.",
        "The order of rows, the trace of a matrix, the embrace of a friend.",
        "Did the driver or the clocks change this week?",
        "One block on each SM walks down W; tiles pass through a ring in shared memory.",
    };
    size_t n;
    const struct hypothesis *all = taxonomy(&n);
    for (size_t t = 0; t < sizeof talk / sizeof *talk; t++)
        for (size_t i = 0; i < n; i++)
            assert_int_equal(told(all[i].id, talk[t], SPOKEN_PROSE), TELLS_NOTHING);
    assert_int_equal(told("smem.bank-conflict", "tile padding", SPOKEN_PROSE), TELLS_NOTHING);
    assert_int_equal(told("smem.bank-conflict", "tile padding", SPOKEN_NAME), TELLS_HINT);
    assert_int_equal(told("smem.bank-conflict", "no padding", SPOKEN_COMMENT), TELLS_NAME);
}

static enum telling judged(const char *text, enum spoken where)
{
    struct words w;
    int first, n;
    words_cut(&w, text, strlen(text));
    enum telling t = telling_verdict(&w, where, &first, &n);
    words_free(&w);
    return t;
}

static void a_sentence_may_say_more_than_a_name(void **state)
{
    assert_int_equal(judged("It is slow, and nobody knows what is wrong.", SPOKEN_PROSE),
                     TELLS_NOTHING);
    assert_int_equal(judged("slow_sum", SPOKEN_NAME), TELLS_NAME);
    assert_int_equal(judged("this one is wrong", SPOKEN_COMMENT), TELLS_NAME);
    assert_int_equal(judged("A naive kernel", SPOKEN_PROSE), TELLS_HINT);
    assert_int_equal(judged("naiveSum", SPOKEN_NAME), TELLS_NAME);
    assert_int_equal(judged("sumV2", SPOKEN_NAME), TELLS_HINT);
    assert_int_equal(judged("as fast as a copy", SPOKEN_COMMENT), TELLS_NOTHING);
    assert_int_equal(judged("prefix, suffix, debugger, buggyness aside", SPOKEN_NAME),
                     TELLS_NOTHING);
}

/* ---- the words of a file ---- */

struct heard { const char *text; char all[1024]; };

static void note(void *ctx, enum piece_kind kind, size_t at, size_t len)
{
    static const char letters[] = {[PIECE_NAME] = 'n', [PIECE_COMMENT] = 'c', [PIECE_STRING] = 's'};
    struct heard *h = ctx;
    snprintf(h->all + strlen(h->all), sizeof h->all - strlen(h->all), "%c:%.*s|", letters[kind],
             (int)len, h->text + at);
}

static void assert_pieces(int kind, const char *text, const char *expected)
{
    struct heard h = {.text = text};
    source_pieces(&source_kinds[kind], text, strlen(text), note, &h);
    assert_string_equal(h.all, expected);
}

static void assert_source(const char *text, const char *expected)
{
    assert_pieces(SOURCE_CUDA, text, expected);
}

static void a_source_has_names_comments_and_strings(void **state)
{
    assert_source("int a; // b c\nd", "n:int|n:a|c: b c|n:d|");
    assert_source("/* x\n * y */z", "c: x|c: * y |n:z|");
    assert_source("f(\"s // no\", 'q', \"\\\"t\")", "n:f|s:s // no|s:\\\"t|");
    assert_source("__shared__ float t; __syncthreads(); v.x = p->y + cg::sync(0x1fULL);",
                  "n:float|n:t|n:v|n:p|n:cg|");
    assert_source("#pragma unroll 4\n#define PAD 1\n#if PAD", "n:PAD|n:PAD|");
    assert_source("/* never ends", "c: never ends|");
    assert_source("\"never ends", "s:never ends|");
    assert_source("// last", "c: last|");
    assert_source("a > b", "n:a|n:b|");
    assert_source("\\\"", "s:|");
}

static void python_divides_where_cuda_comments(void **state)
{
    static const struct { const char *text, *expected; } python[] = {
        {"row = n // wide  # one tile\ncol", "n:row|n:n|n:wide|c: one tile|n:col|"},
        {"f('a # no', \"b\")", "n:f|s:a # no|s:b|"},
        {"\"\"\"one\ntwo # no\"\"\" x", "s:one|s:two # no|n:x|"},
        {"'''never ends", "s:never ends|"},
        {"tl.load /* n", "n:tl|n:n|"},
        {"#", "c:|"},
    };
    for (size_t i = 0; i < sizeof python / sizeof *python; i++)
        assert_pieces(SOURCE_PYTHON, python[i].text, python[i].expected);
}

static void yaml_has_comments(void **state)
{
    static const char text[] = "# one\na: b # two\nc: 'x # no'\nd: \"# no\"\ne: f#no\nstory: |\n  "
                               "# no\n\n  no # no\ng: it's # three\nh: [a, b] #four\n";
    struct heard h = {.text = text};
    yaml_comments(text, strlen(text), note, &h);
    assert_string_equal(h.all, "c: one|c: two|c: three|c:four|");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_cut_into_words),
        cmocka_unit_test(words_know_where_they_stand),
        cmocka_unit_test(patterns_are_words_side_by_side),
        cmocka_unit_test(every_hypothesis_has_words),
        cmocka_unit_test(everyday_talk_tells_nothing),
        cmocka_unit_test(a_sentence_may_say_more_than_a_name),
        cmocka_unit_test(a_source_has_names_comments_and_strings),
        cmocka_unit_test(python_divides_where_cuda_comments),
        cmocka_unit_test(yaml_has_comments),
    };
    return cmocka_run_group_tests_name("telling words", tests, NULL, NULL);
}
