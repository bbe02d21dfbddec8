/* Drills: what is drawn, what is asked, what an answer is worth. The shipped templates are proven
 * by tests/drills_content.sh. */
#include "drills/library/library.h"
#include "drills/question/answer.h"
#include "drills/question/fill.h"
#include "drills/question/interval.h"

#include <math.h>

#include "kernels/wire/text.h"
#include "tests/unit.h"

static const char tables_text[] = "id,name,rate [B/s],size [B],layers\nslow,Slow,1 "
                                  "GB/s,8e9,2\nfast,Fast,4e9,16e9,80\nbare,Bare,,1e9,3\n";
static const char drills_text[] =
    "format: 1\nid: test\ntitle: Test\ndrills:\n  read:\n    title: A read\n    topic: memory\n    "
    "level: 1\n    source: made up\n    vars:\n      chip: {table: chips, rows: [slow, fast]}\n    "
    "  n: {log2: [1, 64]}\n      u: {range: [0.5, 1], step: 0.25}\n      m: {decades: [1e6, 1e9], "
    "digits: 2}\n      lat: {one-of: [1 us, 2 us]}\n    let:\n      bytes: m * 1 B * n\n    "
    "exclude:\n      - n == 8\n    ask: How long does {chip} take for {bytes} at {u | %} of "
    "{chip.rate | GB/s}, {n} times, {chip.layers} layers?\n    unit: s\n    answer: bytes / "
    "(chip.rate * u)\n    tolerance: 3%\n    mistakes:\n      - value: bytes / chip.rate\n        "
    "says: You forgot that only {u | %} is reached.\n      - value: bytes / (chip.rate * u) * "
    "1.001\n        says: never said\n    hint: Bytes over rate.\n    solution: \"{bytes} / "
    "{chip.rate * u} = {answer}.\"\n    canonical:\n      chip: slow\n      n: 1\n      u: 0.5\n   "
    "   m: 5e8\n      lat: 1 us\n      answer: 1 s\n  pick:\n    title: A choice\n    topic: "
    "roofline\n    level: 2\n    source: made up\n    vars:\n      d: {one-of: [85, 40]}\n    ask: "
    "DRAM at {d} %?\n    unit: \"1\"\n    choices: [memory, latency]\n    answer: if(d >= 80, 1, "
    "2)\n    tolerance: exact\n    mistakes:\n      - value: \"1\"\n        says: Not this time.\n "
    "   hint: Look.\n    solution: It is {answer}.\n  never:\n    title: Nothing legal\n    topic: "
    "memory\n    level: 1\n    source: made up\n    vars:\n      k: {one-of: [1, 2]}\n    exclude: "
    "[k > 0]\n    ask: What?\n    unit: \"1\"\n    answer: k\n    tolerance: exact\n    hint: "
    "None.\n    solution: None.\n  empty:\n    title: An empty cell\n    topic: memory\n    level: "
    "1\n    source: made up\n    vars:\n      chip: {table: chips, rows: [bare]}\n    ask: How "
    "fast?\n    unit: B/s\n    answer: chip.rate\n    tolerance: 1%\n    hint: None.\n    "
    "solution: None.\n  share:\n    title: A share\n    topic: pipeline\n    level: 1\n    source: "
    "made up\n    vars:\n      p: {one-of: [4]}\n    ask: Which share?\n    unit: \"%\"\n    "
    "answer: 3 / (16 + p - 1)\n    tolerance: 2%\n    mistakes:\n      - {value: 3 / 16, says: "
    "Over the ideal time.}\n      - {value: \"0\", says: Nothing is lost.}\n    hint: None.\n    "
    "solution: \"{answer}, or {answer | %}, of {7e10 + p}.\"\n  tile:\n    title: A tile\n    "
    "topic: kernels\n    level: 1\n    source: made up\n    vars:\n      n: {one-of: [63]}\n    "
    "ask: How many bytes?\n    unit: KiB\n    answer: n * 4 KiB\n    tolerance: 0.1%\n    hint: "
    "None.\n    solution: None.\n  rate:\n    title: A rate\n    topic: memory\n    level: 1\n    "
    "source: made up\n    vars:\n      n: {one-of: [55]}\n    ask: How fast?\n    unit: TB/s\n    "
    "answer: n * 100 GB/s\n    tolerance: 5%\n    hint: None.\n    solution: None.\n";

static struct table chips;
static struct files *files;
static struct drill_set *set;

static int open_set(void **state)
{
    struct rows *rows = NULL;
    struct err err = {0};
    assert_int_equal(rows_read(&rows, "chips.csv", tables_text, strlen(tables_text), &err), 0);
    assert_int_equal(table_make(&chips, "chips", rows, &err), 0);
    files = files_new("drills");
    files_add(files, "test.yaml", drills_text, strlen(drills_text));
    if (drill_set_read(&set, files, &files->file[0], &chips, 1, &err))
        fail_msg("%s", err.text);
    return 0;
}

static int close_set(void **state)
{
    drill_set_free(set);
    files_free(files);
    table_free(&chips);
    return 0;
}

static struct drill_instance *make(int k, uint64_t seed)
{
    struct drill_instance *i = NULL;
    struct err err = {0};
    if (drill_instance_make(&i, &set->drills[k], seed, NULL, &err))
        fail_msg("%s", err.text);
    return i;
}

static void graded(const struct drill_instance *i, const char *typed, enum drill_how how,
                   const char *says)
{
    struct drill_graded g;
    drill_grade(&g, i, typed, false, 10);
    if (g.how != how || !strstr(g.say, says))
        fail_msg("\"%s\": %d, \"%s\"", typed, g.how, g.say);
}

static void the_canonical_instance_is_filled_in(void **state)
{
    struct drill_instance *i = make(0, 0);
    assert_string_equal(i->ask,
                        "How long does Slow take for 500 MB at 50 % of 1 GB/s, 1 times, 2 layers?");
    assert_true(fabs(i->answer - 1) < 1e-12);
    assert_string_equal(i->solution, "500 MB / 500 MB/s = 1 s.");
    assert_int_equal(i->n_wrongs, 1); /* the other lies within the tolerance of the answer */
    assert_string_equal(i->wrongs[0].says, "You forgot that only 50 % is reached.");
    drill_instance_free(i);
}

static void a_seed_brings_the_same_and_only_what_is_legal(void **state)
{
    double last = 0;
    int changes = 0;
    for (uint64_t seed = 1; seed <= 500; seed++) {
        struct drill_instance *a = make(0, seed), *b = make(0, seed);
        double n = a->vars[1].value, u = a->vars[2].value, m = a->vars[3].value;
        assert_string_equal(a->ask, b->ask);
        assert_true(a->answer == b->answer);
        assert_true(n >= 1 && n <= 64 && n != 8 && log2(n) == floor(log2(n)));
        assert_true(u >= 0.5 && u <= 1 && fmod(u, 0.25) == 0);
        assert_true(m >= 1e6 && m <= 1e9);
        double scale = pow(10, floor(log10(m)) - 1);
        assert_true(fabs(m / scale - round(m / scale)) < 1e-6);
        changes += a->answer != last;
        last = a->answer;
        drill_instance_free(a);
        drill_instance_free(b);
    }
    assert_true(changes > 450);
}

static void what_cannot_be_drawn_is_said(void **state)
{
    struct drill_instance *i = NULL;
    struct err err = {0};
    assert_int_equal(drill_instance_make(&i, &set->drills[2], 1, NULL, &err), ERR_BAD_REQUEST);
    assert_non_null(strstr(err.text, "test/never: 1000 draws were all excluded"));
    assert_int_equal(drill_instance_make(&i, &set->drills[3], 1, NULL, &err), ERR_MISSING);
    assert_non_null(strstr(err.text, "rate of Bare is not known"));
    assert_null(i);
}

static void answers_are_told_apart(void **state)
{
    struct drill_instance *i = make(0, 0);
    graded(i, "1 s", DRILL_RIGHT, "Right");
    graded(i, "1.03", DRILL_RIGHT, "Right");
    graded(i, "970 ms", DRILL_RIGHT, "Right");
    graded(i, "0.5 s", DRILL_SLIP, "forgot that only 50 %");
    graded(i, "10 s", DRILL_SLIP, "a power of ten too much");
    graded(i, "1 ms", DRILL_SLIP, "1000 times");
    graded(i, "1.4 s", DRILL_CLOSE, "off by 1.4 x");
    graded(i, "40 s", DRILL_WRONG, "off by 40 x");
    graded(i, "3 GB/s", DRILL_WRONG_UNIT, "that is a bandwidth");
    graded(i, "soon", DRILL_UNREADABLE, "");
    graded(i, "  ", DRILL_SKIPPED, "It was 1 s");
    graded(i, "0.9 to 1.2 s, 90 %", DRILL_RIGHT, "at 90 % holds");
    graded(i, "2 to 3 s", DRILL_WRONG, "at 80 % misses");
    graded(i, "3 to 2 s", DRILL_UNREADABLE, "to a larger one");
    drill_instance_free(i);
    i = make(1, 3);
    char right[4], other[4];
    snprintf(right, sizeof right, "%.0f", i->answer);
    snprintf(other, sizeof other, "%.0f", 3 - i->answer);
    graded(i, right, DRILL_RIGHT, "");
    graded(i, other, i->answer == 1 ? DRILL_WRONG : DRILL_SLIP, "");
    drill_instance_free(i);
}

/* A share may be typed as one, a mistake may be worth nothing, and what lies outside the tolerance
 * is not right. */
static void shares_and_slips(void **state)
{
    struct drill_instance *i = make(4, 0);
    struct drill_graded g;
    assert_string_equal(i->solution, "15.8 %, or 15.8 %, of 70 billion.");
    graded(i, "15.8 %", DRILL_RIGHT, "Right: 15.8 %.");
    graded(i, "15.8", DRILL_RIGHT, "");
    graded(i, "0.158", DRILL_RIGHT, "");
    graded(i, "3/19", DRILL_RIGHT, "");
    graded(i, "0.158 %", DRILL_SLIP, "a hundred times too little");
    graded(i, "0.1875", DRILL_SLIP, "18.75 % for 15.8 %: Over the ideal time.");
    graded(i, "0", DRILL_SLIP, "Nothing is lost.");
    graded(i, "16.5 %", DRILL_CLOSE, "off by 1.05 x");
    drill_grade(&g, i, "18.75 %", false, 0);
    assert_true(g.points <= 0.5); /* near, but it has a name */
    drill_instance_free(i);
}

static void a_hint_costs_and_the_clock_is_noted(void **state)
{
    struct drill_instance *i = make(0, 0);
    struct drill_graded g;
    drill_grade(&g, i, "1 s", true, 70);
    assert_true(fabs(g.points - (1 - DRILL_HINT_COST)) < 1e-12);
    assert_non_null(strstr(g.say, "10 s over the clock"));
    drill_instance_free(i);
}

/* Properties: nearer is never worth less, a prefix changes nothing, every power of ten is named,
 * bits and GiB are, where bytes are. */
static void grading_is_monotone_and_blind_to_prefixes(void **state)
{
    struct drill_instance *i = make(0, 0);
    i->n_wrongs = 0; /* general slips alone; its one text is freed below */
    char *kept = i->wrongs[0].says;
    struct drill_graded a, b;
    double last = 1;
    char text[64];
    for (double f = 1.0; f < 4; f *= 1.01) {
        snprintf(text, sizeof text, "%.12g s", f);
        drill_grade(&a, i, text, false, 0);
        double plain = a.how == DRILL_SLIP ? last : a.points;
        assert_true(plain <= last + 1e-12);
        last = plain;
        snprintf(text, sizeof text, "%.12g ms", f * 1e3);
        drill_grade(&b, i, text, false, 0);
        assert_true(fabs(a.points - b.points) < 1e-9 && a.how == b.how);
    }
    for (int p = -3; p <= 3; p++) {
        snprintf(text, sizeof text, "1e%d s", p);
        drill_grade(&a, i, text, false, 0);
        assert_int_equal(a.how, p == 0 ? DRILL_RIGHT : DRILL_SLIP);
        assert_true(p == 0 || a.slip[0]);
    }
    free(kept);
    drill_instance_free(i);
}

static void split(const char *typed, const char *low, const char *high, double confidence)
{
    char a[64], b[64];
    double c;
    if (!low) {
        assert_false(interval_split(typed, a, b, sizeof a, &c));
        return;
    }
    if (!interval_split(typed, a, b, sizeof a, &c))
        fail_msg("no interval: %s", typed);
    assert_string_equal(a, low);
    assert_string_equal(b, high);
    assert_true(fabs(c - confidence) < 1e-9);
}

static void intervals_are_read(void **state)
{
    split("4 to 6 ms, 80 %", "4 ms", "6 ms", 0.8);
    split("4-6 ms 80%", "4 ms", "6 ms", 0.8);
    split("between 400 us and 6 ms", "400 us", "6 ms", 0);
    split("4..6 ms @ 90 %", "4 ms", "6 ms", 0.9);
    split("3 to 5, 150 %", "3", "5", -1);
    split("4 to 6 ms, 0 %", "4 ms", "6 ms", -1);
    split("10 to 12 %, 80 %", "10 %", "12 %", 0.8);
    split("12 to 18 %", "12 %", "18 %", 0);
    split("between 12 and 18 %", "12 %", "18 %", 0);
    split("4 ms", NULL, NULL, 0);
    split("1e-6 s", NULL, NULL, 0);
    split("-3", NULL, NULL, 0);
    split("60%", NULL, NULL, 0);
    split("", NULL, NULL, 0);
}

static void a_share_of_sureness_beyond_100_is_said(void **state)
{
    struct drill_instance *i = make(4, 0);
    graded(i, "3 to 5, 150 %", DRILL_UNREADABLE, "How sure you are lies between 0 and 100 %.");
    graded(i, "1 GB", DRILL_WRONG_UNIT, "that is bytes; a share in % was asked for");
    drill_instance_free(i);
}

/* Who believes in a lognormal loses least by naming its true quantiles. */
static void the_interval_rule_is_proper(void **state)
{
    static const double z80 = 1.2815515655446004;
    double best = 1e9, at = 0;
    for (double width = 0.2; width <= 3; width += 0.02) {
        double sum = 0;
        for (int k = 0; k < 2000;
             k++) { /* quantiles of the normal, by its inverse through erf's bisection */
            double p = (k + 0.5) / 2000, lo = -6, hi = 6;
            for (int b = 0; b < 40; b++) {
                double mid = (lo + hi) / 2;
                *(0.5 * erfc(-mid / sqrt(2)) < p ? &lo : &hi) = mid;
            }
            sum += interval_loss(exp(-width), exp(width), 0.8, exp(lo));
        }
        if (sum < best) {
            best = sum;
            at = width;
        }
    }
    assert_true(fabs(at - z80) < 0.04);
    assert_true(fabs(interval_points(2, 2, 0.8, 2) - 1) < 1e-12 &&
                fabs(interval_points(1, 10, 0.8, 3)) < 1e-12);
}

/* Points that an interval of half width `width` on the scale of logarithms brings on average, for a
 * belief that is normal there. */
static double points_expected(double width, double spread, double confidence)
{
    double sum = 0, weight = 0;
    for (double x = -6; x <= 6; x += 0.005) {
        double w = exp(-x * x / 2);
        sum += w * interval_points(exp(-width), exp(width), confidence, exp(x * spread));
        weight += w;
    }
    return sum / weight;
}

/* What interval.h says of the floor. */
static void the_floor_does_not_pay_for_bluffing(void **state)
{
    static const struct {
        double confidence, z;
    } honest[] = {{0.5, 0.6745}, {0.8, 1.2816}, {0.9, 1.6449}};
    for (size_t h = 0; h < sizeof honest / sizeof *honest; h++)
        for (double spread = 0.1; spread < 2; spread += 0.1) {
            double told = points_expected(honest[h].z * spread, spread, honest[h].confidence),
                   best = told;
            for (double z = 0.01; z < 3; z += 0.1)
                best = fmax(best, points_expected(z * spread, spread, honest[h].confidence));
            if (told > 0 ? best - told > 0.08 : best > 0.05)
                fail_msg("%.0f %%, spread %.1f: honest %.3f, best %.3f", 100 * honest[h].confidence,
                         spread, told, best);
        }
    assert_true(interval_points(1, 2, 0.99, 1e6) == INTERVAL_FLOOR);
}

/* An interval in the wrong unit loses little and is named. */
static void an_interval_in_the_wrong_unit_is_a_slip(void **state)
{
    struct drill_instance *i = make(5, 1); /* 252 KiB */
    struct drill_graded g;
    drill_grade(&g, i, "240 to 270 MB", false, 10);
    assert_int_equal(g.how, DRILL_SLIP);
    assert_string_equal(g.slip, "a prefix too large: 1000 times");
    assert_non_null(strstr(g.say, "misses 252 KiB: a prefix too large"));
    assert_true(g.points > 0.4 && g.points <= 0.5);
    drill_grade(&g, i, "1 to 2 MB, 99 %", false, 10);
    assert_int_equal(g.how, DRILL_WRONG);
    assert_true(g.points == INTERVAL_FLOOR);
    drill_instance_free(i);
}

/* kB for KiB is let pass, what is off by as much as a prefix that nobody meant is not called one,
 * and bare numbers say what they were. */
static void sizes_are_taken_as_they_are_said(void **state)
{
    struct drill_instance *tile = make(5, 1), *rate = make(6, 1);
    struct drill_graded g;
    graded(tile, "252 KiB", DRILL_RIGHT, "Right: 252 KiB.");
    graded(tile, "252k", DRILL_RIGHT,
           "Taken as 246.094 KiB. Right: 252 KiB; kB for KiB is let pass.");
    graded(tile, "252 kB", DRILL_RIGHT, "kB for KiB is let pass");
    graded(tile, "270 kB", DRILL_CLOSE, "off by 1.05 x");
    graded(rate, "5.5 T", DRILL_RIGHT, "Right: 5.5 TB/s.");
    graded(rate, "5.5e12", DRILL_RIGHT, "Taken as 5.5 TB/s. Right");
    graded(rate, "5.5", DRILL_RIGHT, "Right");
    graded(tile, "258048 bytes", DRILL_RIGHT, "Right");
    graded(tile, "252 KiB many", DRILL_RIGHT, "Right");          /* a word of the question */
    graded(tile, "252 KiB moons", DRILL_UNREADABLE, "unit was not understood");
    drill_grade(&g, rate, "5.5", false, 10);
    assert_string_equal(g.taken, "");
    drill_instance_free(tile);
    drill_instance_free(rate);
}

static void a_choice_is_its_place_or_its_words(void **state)
{
    struct drill_instance *i = make(1, 1);
    const char *right = i->answer == 1 ? "Memory." : "lat";
    graded(i, i->answer == 1 ? "1" : "2", DRILL_RIGHT, "Right");
    graded(i, i->answer == 1 ? right : "latency", DRILL_RIGHT, "Right");
    graded(i, "3", DRILL_UNREADABLE, "number of a choice, 1 to 2");
    graded(i, "lat", DRILL_UNREADABLE, "number of a choice");
    drill_instance_free(i);
}

static void refused(const char *old, const char *new, const char *says)
{
    char *at = strstr(drills_text, old);
    assert_non_null(at);
    char *text =
        text_format("%.*s%s%s", (int)(at - drills_text), drills_text, new, at + strlen(old));
    struct files *f = files_new("drills");
    struct drill_set *s = NULL;
    struct err err = {0};
    files_add(f, "test.yaml", text, strlen(text));
    if (!drill_set_read(&s, f, &f->file[0], &chips, 1, &err))
        fail_msg("taken: %s", new);
    if (!strstr(err.text, says) || !strstr(err.text, "drills/test.yaml:"))
        fail_msg("expected \"%s\", was told \"%s\"", says, err.text);
    files_free(f);
    free(text);
}

static void bad_templates_are_refused_in_place(void **state)
{
    refused("answer: bytes / (chip.rate * u)", "answer: bites / chip.rate", "an unknown name");
    refused("table: chips", "table: chops", "no table 'chops'");
    refused("rows: [slow, fast]", "rows: [slow, quick]", "no row 'quick'");
    refused("chip.layers} layers", "chip.leyers} layers", "an unknown name in {chip.leyers}");
    refused("{n} times", "{n times", "a brace without its partner");
    refused("{u | %} of", "{u | furlong} of", "unknown unit 'furlong'");
    refused("choices: [memory, latency]", "choices: [\"2\", latency]",
            "would be taken for a place in the list");
    refused("tolerance: 3%", "tolerance: some", "exact, 5%");
    refused("log2: [1, 64]", "log2: [1]", "low and high");
    refused("range: [0.5, 1], step: 0.25", "range: [0.5, 1]", "without 'step'");
    refused("one-of: [1 us, 2 us]", "one-of: [1 us], log2: [1, 2]", "2 ways to draw 'lat'");
    refused("topic: memory", "topic: cooking", "topic");
    refused("      m: 5e8", "      q: 5e8", "no variable 'q'");
    refused("unit: s\n", "unit: parsec\n", "unknown unit 'parsec'");
}

/* What five digits hold exactly is shown with them; what they do not is rounded to fewer, and
 * rightly. */
static void exact_values_keep_their_digits(void **state)
{
    static const struct { double value; struct dim dim; const char *unit, *shown;
    } table[] = {
        {0.03125, {0}, NULL, "0.03125"},
        {31.25, {0}, NULL, "31.25"},
        {1.0 / 3, {0}, NULL, "0.333"},
        {31.25e9, {.byte = 1}, NULL, "31.25 GB"},
        {0.03125, {0}, "%", "3.125 %"},
        {3.35e12, {.byte = 1, .second = -1}, "TB/s", "3.35 TB/s"},
        {2.0 / 3 * 1e-3, {.second = 1}, "ms", "0.6667 ms"},
        {1234.5, {0}, "1", "1234.5"},
        {70e9, {0}, NULL, "70 billion"},
        {131072, {0}, NULL, "131,072"},
        {31.25e-6, {.second = 1}, NULL, "31.25 µs"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char text[64];
        fill_value(text, sizeof text, (struct quantity){table[i].value, table[i].dim},
                   table[i].unit);
        assert_string_equal(text, table[i].shown);
    }
}

/* Three digits of a factor near one would say that nothing is off. */
static void how_far_off_is_told(void **state)
{
    static const struct { double value, right; const char *words; } table[] = {
        {516e3, 516096, "off by 0.019 %"}, {4.91, 5, "off by 1.02 x"}, {1.4, 1, "off by 1.4 x"},
        {1, 999, "off by 999 x"}, {3, 327680, "far off"}, {1.004, 1, "off by 0.4 %"},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char words[32];
        tolerance_off_by(words, sizeof words, table[i].value, table[i].right);
        assert_string_equal(words, table[i].words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_canonical_instance_is_filled_in),
        cmocka_unit_test(a_seed_brings_the_same_and_only_what_is_legal),
        cmocka_unit_test(what_cannot_be_drawn_is_said),
        cmocka_unit_test(answers_are_told_apart),
        cmocka_unit_test(shares_and_slips),
        cmocka_unit_test(exact_values_keep_their_digits),
        cmocka_unit_test(a_hint_costs_and_the_clock_is_noted),
        cmocka_unit_test(grading_is_monotone_and_blind_to_prefixes),
        cmocka_unit_test(intervals_are_read),
        cmocka_unit_test(a_share_of_sureness_beyond_100_is_said),
        cmocka_unit_test(the_interval_rule_is_proper),
        cmocka_unit_test(the_floor_does_not_pay_for_bluffing),
        cmocka_unit_test(an_interval_in_the_wrong_unit_is_a_slip),
        cmocka_unit_test(sizes_are_taken_as_they_are_said),
        cmocka_unit_test(a_choice_is_its_place_or_its_words),
        cmocka_unit_test(bad_templates_are_refused_in_place),
        cmocka_unit_test(how_far_off_is_told),
    };
    return cmocka_run_group_tests(tests, open_set, close_set);
}
