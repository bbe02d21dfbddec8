/* Numbers as people type them, as screens show them, and as estimates are graded. */
#include <math.h>

#include "scenarios/formula/slip.h"
#include "scenarios/play/debrief.h"
#include "tests/unit.h"

#define BAD QUANTITY_UNREADABLE
#define DIM QUANTITY_WRONG_DIM

static const struct { const char *typed, *unit; enum quantity_read read; double value;
} reads[] = {
    /* plain */
    {"32", "1", 0, 32},
    {" 32 ", "1", 0, 32},
    {"+32", "1", 0, 32},
    {"-3", "1", 0, -3},
    {"\xE2\x88\x92"
     "3",
     "1", 0, -3},
    {"0", "1", 0, 0},
    {"1e9", "1", 0, 1e9},
    {"1E9", "1", 0, 1e9},
    {"1.5e3", "1", 0, 1500},
    {"1,5e3", "1", 0, 1500},
    {"1e-3", "1", 0, 1e-3},
    {"2.5e+2", "1", 0, 250},
    {".5", "1", 0, 0.5},
    {"5.", "1", 0, 5},
    {"0.1", "1", 0, 0.1},
    {"0,133", "1", 0, 0.133},
    {"1,5", "1", 0, 1.5},
    {"12,34", "1", 0, 12.34},
    /* marks between thousands */
    {"1,024", "1", 0, 1024},
    {"1 024", "1", 0, 1024},
    {"1_024", "1", 0, 1024},
    {"1'024", "1", 0, 1024},
    {"1\xC2\xA0"
     "024",
     "1", 0, 1024},
    {"1\xE2\x80\xAF"
     "024",
     "1", 0, 1024},
    {"1,048,576", "1", 0, 1048576},
    {"1 048 576", "1", 0, 1048576},
    {"1.048.576", "1", 0, 1048576},
    {"1,234.5", "1", 0, 1234.5},
    {"1.234,5", "1", 0, 1234.5},
    {"67_108_864", "1", 0, 67108864},
    {"1.024", "1", 0, 1.024},
    {"1,234,56", "1", BAD, 0},
    {"1.2.3", "1", BAD, 0},
    /* powers, products, fractions */
    {"2^20", "1", 0, 1048576},
    {"2 ^ 20", "1", 0, 1048576},
    {"2**20", "1", 0, 1048576},
    {"10^9", "1", 0, 1e9},
    {"10^-3", "1", 0, 1e-3},
    {"10\xE2\x81\xB9", "1", 0, 1e9},
    {"10\xE2\x81\xBB\xC2\xB3", "1", 0, 1e-3},
    {"2 x 10^9", "1", 0, 2e9},
    {"2*10^9", "1", 0, 2e9},
    {"2\xC3\x97"
     "10^9",
     "1", 0, 2e9},
    {"2\xC2\xB7"
     "3",
     "1", 0, 6},
    {"1/3", "1", 0, 1.0 / 3},
    {"1/3 ms", "s", 0, 1e-3 / 3},
    {"3 / 4", "1", 0, 0.75},
    {"8192*8192", "1", 0, 67108864},
    {"2^21 / 32", "1", 0, 65536},
    /* fillers and ends */
    {"~130 us", "s", 0, 130e-6},
    {"\xE2\x89\x88 130 us", "s", 0, 130e-6},
    {"about 537 MB", "B", 0, 537e6},
    {"ca. 5", "1", 0, 5},
    {"approx. 5", "1", 0, 5},
    {"roughly 5", "1", 0, 5},
    {"about ~5", "1", 0, 5},
    {"= 5", "1", 0, 5},
    {"0.15 ms?", "s", 0, 0.15e-3},
    {"0.15 ms.", "s", 0, 0.15e-3},
    {"Around 7", "1", 0, 7},
    /* shares and factors */
    {"60%", "1", 0, 0.6},
    {"60 %", "1", 0, 0.6},
    {"12.5 percent", "1", 0, 0.125},
    {"4x", "1", 0, 4},
    {"4 x", "1", 0, 4},
    {"4X", "1", 0, 4},
    {"7.0 x faster", "1", 0, 7},
    {"4 times", "1", 0, 4},
    {"32-way", "1", 0, 32},
    {"8 fold", "1", 0, 8},
    /* multipliers */
    {"67.1M", "1", 0, 67.1e6},
    {"67.1 M", "1", 0, 67.1e6},
    {"64k", "1", 0, 64e3},
    {"64K", "1", 0, 64e3},
    {"64Ki", "1", 0, 65536},
    {"1Mi", "1", 0, 1048576},
    {"2G", "1", 0, 2e9},
    {"4.8T", "B/s", 0, 4.8e12},
    {"67 million", "1", 0, 67e6},
    {"2 billion", "1", 0, 2e9},
    {"67.1 M sectors", "1", 0, 67.1e6},
    {"537 million bytes", "B", 0, 537e6},
    {"537 million", "B", 0, 537e6},
    /* times */
    {"0.13ms", "s", 0, 0.13e-3},
    {"0.13 ms", "s", 0, 0.13e-3},
    {"130us", "s", 0, 130e-6},
    {"130 \xC2\xB5s", "s", 0, 130e-6},
    {"130 \xCE\xBCs", "s", 0, 130e-6},
    {"130 usec", "s", 0, 130e-6},
    {"5 ns", "s", 0, 5e-9},
    {"2 s", "s", 0, 2},
    {"2 sec", "s", 0, 2},
    {"2 seconds", "s", 0, 2},
    {"3 milliseconds", "s", 0, 3e-3},
    {"3 microseconds", "s", 0, 3e-6},
    {"1.051e-3", "s", 0, 1.051e-3},
    {"2 min", "s", 0, 120},
    {"12", "us", 0, 12e-6},
    {"0,15 ms", "s", 0, 0.15e-3},
    /* bytes and bits */
    {"537 MB", "B", 0, 537e6},
    {"512 MiB", "B", 0, 536870912},
    {"1 KiB", "B", 0, 1024},
    {"1 kB", "B", 0, 1000},
    {"1 KB", "B", 0, 1000},
    {"2.15 GB", "B", 0, 2.15e9},
    {"2 GiB", "B", 0, 2147483648.0},
    {"537 mb", "B", 0, 537e6},
    {"1 gib", "B", 0, 1073741824},
    {"8 bits", "B", 0, 1},
    {"8 Mbit", "B", 0, 1e6},
    {"8 Mb", "B", 0, 1e6},
    {"36 bytes", "B", 0, 36},
    {"4 megabytes", "B", 0, 4e6},
    {"32", "B", 0, 32},
    /* as people say them */
    {"3 days", "s", 0, 259200},
    {"19 mins", "s", 0, 1140},
    {"0.7 hr", "s", 0, 2520},
    {"2344 tps", "tok/s", 0, 2344},
    {"2300 t/s", "tok/s", 0, 2300},
    {"29.8 TF", "TFLOPS", 0, 29.8e12},
    {"29.8 TF", "flop", 0, 29.8e12},
    {"29.8 TF/s", "TFLOPS", 0, 29.8e12},
    {"USD 3.09M", "million", 0, 3.09e6},
    {"1.04 USD", "1", 0, 1.04},
    {"104 cents", "1", 0, 1.04},
    {"94 pct", "%", 0, 0.94},
    {"1.25\xC3\x97", "1", 0, 1.25},
    {"233.4 GB total", "GB", 0, 233.4e9},
    {"233.4 GB in all", "GB", 0, 233.4e9},
    {"25% faster", "1", 0, 1.25},
    {"25 % more", "1", 0, 1.25},
    {"25 % faster", "%", 0, 0.25},
    {"25% slower", "1", BAD, 0},
    {"-17%", "%", 0, -0.17},
    /* arithmetic */
    {"17.5 GB / 3.35 TB/s", "ms", 0, 17.5e9 / 3.35e12},
    {"17.5 GB/3.35 TB/s", "ms", 0, 17.5e9 / 3.35e12},
    {"8 x 450 GB/s", "B/s", 0, 3.6e12},
    {"140 GB / 8 / 3.35 TB/s", "ms", 0, 17.5e9 / 3.35e12},
    {"3/(16+3)", "%", 0, 0.01 * 3.0 / 19},
    {"3/(16+3)", "1", 0, 3.0 / 19},
    {"2^(-14)", "1", 0, 0x1p-14},
    {"(1-0.5)*(2+3)", "1", 0, 2.5},
    {"17.5 GB / 3.35 TB/s", "B", DIM, 0},
    {"17.5 GB / 3 parsecs", "s", BAD, 0},
    {"(1+2", "1", BAD, 0},
    {"()", "1", BAD, 0},
    {"((((((1))))))", "1", 0, 1},
    /* rates */
    {"3.6 TB/s", "B/s", 0, 3.6e12},
    {"3600 GB/s", "B/s", 0, 3.6e12},
    {"3600GB/s", "B/s", 0, 3.6e12},
    {"3.6 TBps", "B/s", 0, 3.6e12},
    {"400 Gbit/s", "B/s", 0, 50e9},
    {"400 Gb/s", "B/s", 0, 50e9},
    {"400 Gbps", "B/s", 0, 50e9},
    {"900 gb/s", "B/s", 0, 900e9},
    {"3.35 TiB/s", "B/s", 0, 3.35 * 1099511627776.0},
    {"3 terabytes per second", "B/s", 0, 3e12},
    {"3 GB per s", "B/s", 0, 3e9},
    {"3 GB a second", "B/s", 0, 3e9},
    {"3 GB / s", "B/s", 0, 3e9},
    {"67 TFLOPS", "flop/s", 0, 67e12},
    {"67 TFLOP/s", "flop/s", 0, 67e12},
    {"67 Tflop/s", "flop/s", 0, 67e12},
    {"67 TFLOPS/s", "flop/s", 0, 67e12},
    {"67 tflops", "flop/s", 0, 67e12},
    {"2 GFLOP", "flop", 0, 2e9},
    {"2 GFLOPs", "flop", 0, 2e9},
    {"2 GFLOPS", "flop", 0, 2e9},
    {"1.98 GHz", "Hz", 0, 1.98e9},
    {"1980 MHz", "Hz", 0, 1.98e9},
    {"1980 mhz", "Hz", 0, 1.98e9},
    {"605 cycles", "cycle", 0, 605},
    {"64 bytes/cycle", "B/cycle", 0, 64},
    {"32 sectors per request", "1", 0, 32},
    {"605", "cycle", 0, 605},
    /* another dimension is wrong, not unreadable */
    {"4.2 TB", "B/s", DIM, 4.2e12},
    {"130 us", "B/s", DIM, 130e-6},
    {"3.6 TB/s", "s", DIM, 3.6e12},
    {"60%", "s", DIM, 0.6},
    {"4x", "s", DIM, 4},
    {"5 GHz", "s", DIM, 5e9},
    {"5 ms", "1", DIM, 5e-3},
    {"5 cycles", "s", DIM, 5},
    /* unreadable */
    {"", "s", BAD, 0},
    {"   ", "s", BAD, 0},
    {"abc", "s", BAD, 0},
    {"ms", "s", BAD, 0},
    {"5 parsecs", "s", BAD, 0},
    {"0.1-0.2 ms", "s", BAD, 0},
    {"1 to 2 ms", "s", BAD, 0},
    {"nan", "1", BAD, 0},
    {"inf", "1", BAD, 0},
    {"infinity", "s", BAD, 0},
    {"1e999", "1", BAD, 0},
    {"1/0", "1", BAD, 0},
    {"2^99999", "1", BAD, 0},
    {"5 ms ms", "s", DIM, 0},
    {"0x20", "1", BAD, 0},
    {"--5", "1", BAD, 0},
    {"5 / ms / B / B / B / B / B / B / B", "s", BAD, 0},
    {"\xC2", "s", BAD, 0},
    {"5 \xE2\x80", "s", BAD, 0},
    {"1,", "1", 0, 1},
    {"2^", "1", BAD, 0},
};

static void reads_what_people_type(void **state)
{
    for (size_t i = 0; i < sizeof reads / sizeof *reads; i++) {
        struct quantity q;
        char say[200];
        enum quantity_read got = quantity_read(reads[i].typed, reads[i].unit, &q, say, sizeof say);
        bool value_ok = got == BAD || reads[i].value == 0 ||
                        fabs(q.value - reads[i].value) <= 1e-12 * fabs(reads[i].value);
        if (got != reads[i].read || !value_ok || (got == QUANTITY_OK) != (say[0] == '\0'))
            fail_msg("'%s' as %s: %d %.17g, %s", reads[i].typed, reads[i].unit, (int)got, q.value,
                     say);
    }
    assert_true(sizeof reads / sizeof *reads >= 120);
}

/* What has no unit of its own: as asked, by its form in base units, or asked back. */
static const struct {
    const char *typed, *unit;
    enum quantity_read read;
    double value;
    enum quantity_bare bare;
    const char *taken;
} bares[] = {
    {"7.7", "ms", 0, 7.7e-3, QUANTITY_AS_ASKED, "7.7 ms"},
    {"112", "us", 0, 112e-6, QUANTITY_AS_ASKED, "112 us"},
    {"1,500", "MB", 0, 1500e6, QUANTITY_AS_ASKED, "1500 MB"},
    {"3.09", "million", 0, 3.09e6, QUANTITY_AS_ASKED, "3.09 million"},
    {"5.5 T", "TB/s", 0, 5.5e12, QUANTITY_AS_ASKED, "5.5 TB/s"},
    {"29.8T", "TFLOPS", 0, 29.8e12, QUANTITY_AS_ASKED, "29.8 TFLOPS"},
    {"233G", "GB", 0, 233e9, QUANTITY_AS_ASKED, "233 GB"},
    {"43G", "GB", 0, 43e9, QUANTITY_AS_ASKED, "43 GB"},
    {"5500 G", "TB/s", 0, 5.5e12, QUANTITY_AS_BASE, "5.5 TB/s"},
    {"64k", "KiB", 0, 64e3, QUANTITY_AS_BASE, "62.5 KiB"},
    {"5.5e12", "TB/s", 0, 5.5e12, QUANTITY_AS_BASE, "5.5 TB/s"},
    {"3e13", "TFLOPS", 0, 3e13, QUANTITY_AS_BASE, "30 TFLOPS"},
    {"17.5e9", "GB", 0, 17.5e9, QUANTITY_AS_BASE, "17.5 GB"},
    {"360e9", "GB/s", 0, 360e9, QUANTITY_AS_BASE, "360 GB/s"},
    {"939524096", "MB", 0, 939524096, QUANTITY_AS_BASE, "939.524 MB"},
    {"$3,091,765", "million", 0, 3091765, QUANTITY_AS_BASE, "3.09177 million"},
    {"3,091,765 dollars", "million", 0, 3091765, QUANTITY_SPELLED, ""},
    {"$3.09M", "million", 0, 3.09e6, QUANTITY_SPELLED, ""},
    {"67108864", "MB", BAD, 0, 0, ""},
    {"0.0077", "ms", BAD, 0, 0, ""},
    {"989", "flop/s", BAD, 0, 0, ""},
    {"3600", "B/s", BAD, 0, 0, ""},
    {"0", "ms", 0, 0, QUANTITY_AS_ASKED, "0 ms"},
    {"16", "B", 0, 16, QUANTITY_AS_ASKED, "16 B"},
    {"4245", "tok/s", 0, 4245, QUANTITY_AS_ASKED, "4245 tok/s"},
    {"32", "1", 0, 32, QUANTITY_SPELLED, ""},
    {"94", "%", 0, 0.94, QUANTITY_SPELLED, ""},
    {"7.7 ms", "us", 0, 7.7e-3, QUANTITY_SPELLED, ""},
};

static void says_how_a_bare_number_was_taken(void **state)
{
    for (size_t k = 0; k < sizeof bares / sizeof *bares; k++) {
        struct quantity_reading r;
        char say[200];
        enum quantity_read read =
            quantity_read_bare(bares[k].typed, bares[k].unit, &r, say, sizeof say);
        bool same = read == BAD || (fabs(r.q.value - bares[k].value) <= 1e-12 * bares[k].value &&
                                    r.bare == bares[k].bare);
        if (read != bares[k].read || !same || strcmp(r.taken, bares[k].taken) ||
            (read == BAD) != (say[0] != '\0'))
            fail_msg("'%s' in %s: %d, %.17g, %d, '%s', %s", bares[k].typed, bares[k].unit,
                     (int)read, r.q.value, (int)r.bare, r.taken, say);
    }
}

/* A time without its unit is in microseconds, as kernels take them; bytes are asked back. */
static void reads_estimates_as_they_are_shown(void **state)
{
    struct quantity_reading r;
    char say[200];
    assert_int_equal(estimate_read("112", "s", &r, say, sizeof say), QUANTITY_OK);
    assert_string_equal(r.taken, "112 us");
    assert_true(fabs(r.q.value - 112e-6) < 1e-12);
    assert_int_equal(estimate_read("2", "B", &r, say, sizeof say), QUANTITY_UNREADABLE);
    assert_string_equal(say, "2 of what? Write it with its unit, such as 2 B or 2 MB");
    assert_int_equal(estimate_read("537e6", "B", &r, say, sizeof say), QUANTITY_OK);
    assert_string_equal(r.taken, "537 MB");
}

static void asks_for_a_unit_by_an_example_that_could_be(void **state)
{
    struct quantity q;
    char say[200];
    assert_int_equal(quantity_read("2*70e9*8192", "B", &q, say, sizeof say), QUANTITY_UNREADABLE);
    assert_non_null(strstr(say, ", such as 1.15 PB"));
    assert_int_equal(quantity_read("989", "flop/s", &q, say, sizeof say), QUANTITY_UNREADABLE);
    assert_non_null(strstr(say, ", such as 989 Gflop/s"));
}

static void says_which_dimension(void **state)
{
    struct quantity q;
    char say[200];
    quantity_read("5 ms", "B/s", &q, say, sizeof say);
    assert_string_equal(say, "that is a time; a bandwidth was asked for");
    quantity_read("4 GB/s", "B", &q, say, sizeof say);
    assert_string_equal(say, "that is a bandwidth; bytes were asked for");
    quantity_read("1 GB", "%", &q, say, sizeof say);
    assert_string_equal(say, "that is bytes; a share in % was asked for");
    char tiny[4];
    assert_int_equal(quantity_read("5 ms", "B/s", &q, tiny, sizeof tiny), QUANTITY_WRONG_DIM);
    assert_int_equal(strlen(tiny), 3);
}

/* A range and a share of sureness, which drills take, are no units. */
static void says_that_one_number_was_expected(void **state)
{
    static const struct { const char *typed, *says;
    } ranges[] = {
        {"1 to 2 ms", "one number was expected, not a range"},
        {"100 to 105 ms, 80 %", "one number was expected, not a range"},
        {"1 ms to 2 ms", "one number was expected, not a range"},
        {"1 ms-2 ms", "one number was expected, not a range"},
        {"5 ms, 80 %", "one number was expected, without how sure you are"},
        {"5 ms at 80%", "one number was expected, without how sure you are"},
        {"5 parsecs",
         "the unit was not understood; write it like ms, us, GB/s, MiB or a plain number"},
    };
    for (size_t k = 0; k < sizeof ranges / sizeof *ranges; k++) {
        struct quantity q;
        char say[200];
        assert_int_equal(quantity_read(ranges[k].typed, "s", &q, say, sizeof say),
                         QUANTITY_UNREADABLE);
        assert_string_equal(say, ranges[k].says);
    }
}

static void keeps_the_unit_that_was_asked_for(void **state)
{
    static const struct { const char *typed, *unit, *shown;
    } asked[] = {
        {"4245", "tok/s", "4245 tok/s"},  {"12.3e6", "1/s", "12.3 M/s"},
        {"686 Gb/s", "B/s", "85.8 GB/s"}, {"130 us", "s", "0.130 ms"},
        {"2.1e6", "1", "2.10 M"},         {"60 %", "1", "0.6"},
        {"129 kb", "B", "129 kB"},        {"2", "GHz", "2.00 GHz"},
    };
    for (size_t k = 0; k < sizeof asked / sizeof *asked; k++) {
        struct quantity q;
        char text[64], say[200];
        assert_int_equal(quantity_read(asked[k].typed, asked[k].unit, &q, say, sizeof say),
                         QUANTITY_OK);
        quantity_show_as(text, sizeof text, q, asked[k].unit);
        assert_string_equal(text, asked[k].shown);
    }
}

static const struct { double value; const char *unit, *text;
} shows[] = {
    {1.051e-3, "s", "1.051 ms"},
    {0.150e-3, "s", "0.150 ms"},
    {0.129e-3, "s", "0.129 ms"},
    {12.5e-3, "s", "12.50 ms"},
    {2.5, "s", "2.500 s"},
    {5e-6, "s", "5.00 \xC2\xB5s"},
    {42e-9, "s", "42.0 ns"},
    {511e9, "B/s", "511 GB/s"},
    {4156e9, "B/s", "4156 GB/s"},
    {3574e9, "B/s", "3574 GB/s"},
    {67.1e6, "1", "67.1 M"},
    {32, "1", "32"},
    {8192, "1", "8192"},
    {4.5, "1", "4.5"},
    {0.778, "1", "0.778"},
    {605, "cycle", "605 cycles"},
    {0.00057, "cycle", "0.00057 cycles"},
    {2.3e-6, "cycle", "< 0.001 cycles"},
    {537e6, "B", "537 MB"},
    {36, "B", "36 B"},
    {2.15e9, "B", "2.15 GB"},
    {1.98e9, "Hz", "1.98 GHz"},
    {0, "s", "0 s"},
    {0, "1", "0"},
    {60e12, "flop/s", "60.0 Tflop/s"},
    {-3, "1", "-3"},
    {NAN, "s", "n/a"},
    {INFINITY, "1", "n/a"},
    {39.2, "1", "39.2"},
    {999.96e6, "B", "1.00 GB"},
    {0.99999e-3, "s", "1.000 ms"},
    {65536, "1", "65.5 k"},
    {2.31e16, "1", "2.31e+16"},
};

static void shows_four_digits(void **state)
{
    char text[64];
    for (size_t i = 0; i < sizeof shows / sizeof *shows; i++) {
        quantity_show(text, sizeof text, shows[i].value, shows[i].unit);
        assert_string_equal(text, shows[i].text);
    }
    quantity_percent(text, sizeof text, 0.13);
    assert_string_equal(text, "13 %");
    quantity_percent(text, sizeof text, 0.004);
    assert_string_equal(text, "0.4 %");
    quantity_percent(text, sizeof text, 1);
    assert_string_equal(text, "100 %");
}

/* What is shown can be typed again: within the digits that are shown. */
static void shown_numbers_read_back(void **state)
{
    static const char *const in[] = {"s", "B", "B/s", "1", "Hz", "cycle", "flop/s"};
    for (size_t u = 0; u < sizeof in / sizeof *in; u++)
        for (double v = 1.2345e-9; v < 1e15; v *= 1.7) {
            char text[64], say[200];
            struct quantity q;
            if (strcmp(in[u], "s") != 0 && v < 1e-3)
                continue;
            quantity_show(text, sizeof text, v, in[u]);
            if (quantity_read(text, in[u], &q, say, sizeof say) != QUANTITY_OK ||
                fabs(q.value / v - 1) > 6e-3)
                fail_msg("%.17g %s was shown as '%s', read as %.17g: %s", v, in[u], text, q.value,
                         say);
        }
}

static void knows_units(void **state)
{
    struct dim d;
    double f;
    char text[64];
    assert_true(unit_parse("GB/s", 4, &d, &f) && dim_equal(d, DIM_BANDWIDTH) && f == 1e9);
    assert_false(unit_parse("", 0, &d, &f));
    assert_false(unit_parse("GB/", 3, &d, &f));
    assert_false(unit_parse("furlong", 7, &d, &f));
    assert_false(unit_parse("GB/s/s/s/s/s/s/s/s/s/s", 22, &d, &f));
    assert_true(unit_parse("MB", 1, &d, &f) && f == 1e6 && dim_equal(d, DIM_NONE));
    dim_describe(text, sizeof text, (struct dim){2, -1, 0, 0});
    assert_string_equal(text, "B^2/s");
    dim_describe(text, sizeof text, (struct dim){0, -2, 0, -1});
    assert_string_equal(text, "1/cycle*s^2");
    dim_unit(text, sizeof text, DIM_RATE);
    assert_string_equal(text, "flop/s");
}

/* ---- grading ---- */

static const struct slip_value pack_slips[] = {{268.435456e6, "That moves the matrix once."},
                                               {4.29e9, "Bits, says the pack."}};

static const struct {
    const char *typed, *unit;
    double truth, within;
    int how;
    double points;
    const char *slip;
} grades[] = {
    {"537 MB", "B", 536.870912e6, 1.1, GRADED_RIGHT, 10, ""},
    {"500 MB", "B", 536.870912e6, 1.1, GRADED_RIGHT, 10, ""},
    {"700 MB", "B", 536.870912e6, 1.5, GRADED_RIGHT, 10, ""},
    {"268 MB", "B", 536.870912e6, 1.1, GRADED_SLIP, 5, "That moves the matrix once."},
    {"260 MB", "B", 536.870912e6, 1.1, GRADED_SLIP, 5, "That moves the matrix once."},
    {"4.29 GB", "B", 536.870912e6, 1.1, GRADED_SLIP, 5, "Bits, says the pack."},
    {"8 MB", "B", 1e6, 1.1, GRADED_SLIP, 5, "bits for bytes: eight times too much"},
    {"125 kB", "B", 1e6, 1.1, GRADED_SLIP, 5,
     "bits for bytes: eight times too little; b is a bit, B a byte"},
    {"8 s", "s", 1, 1.1, GRADED_OFF, 0, ""},
    {"10 s", "s", 1, 1.1, GRADED_SLIP, 5, "a power of ten too much"},
    {"0.1 s", "s", 1, 1.1, GRADED_SLIP, 5, "a power of ten too little"},
    {"100", "1", 1, 1.1, GRADED_SLIP, 5, "a hundred times too much"},
    {"0.01", "1", 1, 1.1, GRADED_SLIP, 5, "a hundred times too little"},
    {"1 us", "s", 1e-3, 1.1, GRADED_SLIP, 5, "a prefix too small: 1000 times"},
    {"1 s", "s", 1e-3, 1.1, GRADED_SLIP, 5, "a prefix too large: 1000 times"},
    {"1 ns", "s", 1e-3, 1.1, GRADED_SLIP, 5, "two prefixes too small: a million times"},
    {"1 GB", "B", 1e3, 1.1, GRADED_SLIP, 5, "two prefixes too large: a million times"},
    {"1 TB", "B", 1e3, 1.1, GRADED_SLIP, 5, "three prefixes too large"},
    {"1 ns", "s", 1, 1.1, GRADED_SLIP, 5, "three prefixes too small"},
    {"2 s", "s", 1, 1.1, GRADED_SLIP, 5, "a factor of two too much: both directions for one?"},
    {"0.5 s", "s", 1, 1.1, GRADED_SLIP, 5, "a factor of two too little: one direction for both?"},
    {"2 s", "s", 1, 2, GRADED_RIGHT, 10, ""},
    {"1.5", "1", 1, 1.1, GRADED_OFF, -1, ""},
    {"5", "1", 1, 1.1, GRADED_OFF, 0, ""},
    {"1.0737 GB", "B", 1e9, 1.1, GRADED_RIGHT, 10, ""},
    {"-1", "1", 1, 1.1, GRADED_OFF, 0, ""},
    {"0", "1", 1, 1.1, GRADED_OFF, 0, ""},
    {"", "1", 1, 1.1, GRADED_SKIPPED, 0, ""},
    {"  ", "1", 1, 1.1, GRADED_SKIPPED, 0, ""},
    {"many", "1", 1, 1.1, GRADED_UNREADABLE, 0, ""},
    {"5 ms", "1", 1, 1.1, GRADED_WRONG_DIM, 0, ""},
    {"5", "1", NAN, 1.1, GRADED_NO_TRUTH, 10, ""},
    {"5", "1", 0, 1.1, GRADED_NO_TRUTH, 10, ""},
};

static void grades_estimates(void **state)
{
    for (size_t i = 0; i < sizeof grades / sizeof *grades; i++) {
        struct graded g = {0};
        estimate_grade(&g, grades[i].typed, grades[i].unit, grades[i].truth, grades[i].within,
                       pack_slips, 2, 10);
        bool points_ok = grades[i].points < 0 ? g.points > 0.1 && g.points < 9.9
                                              : fabs(g.points - grades[i].points) < 0.01;
        if ((int)g.how != grades[i].how || !points_ok || strcmp(g.slip, grades[i].slip) != 0 ||
            !g.say[0] || !isfinite(g.factor))
            fail_msg("'%s' for %g: %d, %g points, slip '%s', %s", grades[i].typed, grades[i].truth,
                     (int)g.how, g.points, g.slip, g.say);
    }
}

/* Each binary prefix is named only for sizes that are told in it. */
static void prefixes_are_named_at_their_size(void **state)
{
    const char *says = "";
    assert_true(slip_find(270.5e3, 258e3, DIM_BYTE, 1.001, &says) == 0);
    assert_true(slip_find(264.2e3, 258e3, DIM_BYTE, 1.001, &says) > 0);
    assert_string_equal(says, "KB for KiB, or the other way round: 2.4 %");
    assert_true(slip_find(270.5e6, 258e6, DIM_BYTE, 1.001, &says) > 0);
    assert_string_equal(says, "MB for MiB, or the other way round: 4.9 %");
}

static void words_of_a_grade(void **state)
{
    struct graded g = {0};
    estimate_grade(&g, "0.14 ms", "s", 0.150e-3, 1.1, NULL, 0, 10);
    assert_string_equal(g.say, "0.140 ms for 0.150 ms: within 1.07 x");
    estimate_grade(&g, "268 MB", "B", 536.870912e6, 1.1, pack_slips, 2, 10);
    assert_string_equal(g.say, "268 MB for 537 MB: That moves the matrix once.");
    estimate_grade(&g, "5 ms", "B/s", 1e9, 1.1, NULL, 0, 10);
    assert_string_equal(g.say, "that is a time; a bandwidth was asked for");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_what_people_type),
        cmocka_unit_test(says_that_one_number_was_expected),
        cmocka_unit_test(keeps_the_unit_that_was_asked_for),
        cmocka_unit_test(asks_for_a_unit_by_an_example_that_could_be),
        cmocka_unit_test(says_which_dimension),
        cmocka_unit_test(shows_four_digits),
        cmocka_unit_test(says_how_a_bare_number_was_taken),
        cmocka_unit_test(reads_estimates_as_they_are_shown),
        cmocka_unit_test(shown_numbers_read_back),
        cmocka_unit_test(knows_units),
        cmocka_unit_test(grades_estimates),
        cmocka_unit_test(words_of_a_grade),
        cmocka_unit_test(prefixes_are_named_at_their_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
