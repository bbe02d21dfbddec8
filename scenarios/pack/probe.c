#include "scenarios/pack/probe.h"

#include <math.h>
#include <string.h>

static const struct probe table[SHOP_COUNT] = {
    [SHOP_ASK] = {SHOP_ASK, 'a', "ask", "ask a question", "ask", 0, -1, NULL, NULL, {{0}}},
    [SHOP_TIMING] = {SHOP_TIMING,
                     't',
                     "timing",
                     "timing in detail",
                     "timing",
                     1,
                     PROBE_TIMING,
                     "copy_fraction",
                     "share of the copy rate?",
                     {{"below a quarter", 0, 0.25},
                      {"to a half", 0.25, 0.5},
                      {"to 0.85", 0.5, 0.85},
                      {"above", 0.85, INFINITY}}},
    [SHOP_RESOURCES] = {SHOP_RESOURCES,
                        'r',
                        "resources",
                        "resources, launch",
                        "resource",
                        1,
                        PROBE_RESOURCES,
                        "occupancy_limit",
                        "theoretical occupancy?",
                        {{"below a quarter", 0, 0.25},
                         {"to a half", 0.25, 0.5},
                         {"to 0.9", 0.5, 0.9},
                         {"above", 0.9, INFINITY}}},
    [SHOP_BUILD] =
        {SHOP_BUILD, 'b', "build", "build and flags", "build", 1, PROBE_BUILD, NULL, NULL, {{0}}},
    [SHOP_DRAM] = {SHOP_DRAM,
                   'd',
                   "dram",
                   "DRAM traffic",
                   "DRAM",
                   2,
                   PROBE_DRAM,
                   "dram_fraction",
                   "how busy is DRAM?",
                   {{"below 20 %", 0, 0.2},
                    {"to 50 %", 0.2, 0.5},
                    {"to 80 %", 0.5, 0.8},
                    {"above", 0.8, INFINITY}}},
    [SHOP_OCCUPANCY] = {SHOP_OCCUPANCY,
                        'o',
                        "occupancy",
                        "occupancy, SM balance",
                        "occupancy",
                        2,
                        PROBE_OCCUPANCY,
                        "occupancy",
                        "achieved occupancy?",
                        {{"below a quarter", 0, 0.25},
                         {"to a half", 0.25, 0.5},
                         {"to 0.8", 0.5, 0.8},
                         {"above", 0.8, INFINITY}}},
    [SHOP_MEMORY] = {SHOP_MEMORY,
                     'm',
                     "memory",
                     "memory access",
                     "memory",
                     3,
                     PROBE_MEMORY,
                     "store_sectors_per_request",
                     "sectors per store request?",
                     {{"4", 0, 6}, {"8", 6, 12}, {"16", 12, 24}, {"32", 24, INFINITY}}},
    [SHOP_SHARED] = {SHOP_SHARED,
                     's',
                     "shared",
                     "shared memory",
                     "shared",
                     3,
                     PROBE_SHARED,
                     "shared_load_wavefronts",
                     "wavefronts per shared load?",
                     {{"1", 0, 1.5}, {"2", 1.5, 3}, {"4 to 8", 3, 12}, {"more", 12, INFINITY}}},
    [SHOP_STALLS] =
        {SHOP_STALLS,
         'w',
         "stalls",
         "warp stalls",
         "stalls",
         3,
         PROBE_STALLS,
         "stall_long_scoreboard",
         "cycles waited on long scoreboard per instruction?",
         {{"below 10", 0, 10}, {"to 50", 10, 50}, {"to 200", 50, 200}, {"above", 200, INFINITY}}},
    [SHOP_PIPES] = {SHOP_PIPES,
                    'p',
                    "pipes",
                    "pipes, instructions",
                    "pipes",
                    3,
                    PROBE_PIPES,
                    "issue_active",
                    "share of cycles that issue?",
                    {{"below 10 %", 0, 0.1},
                     {"to 30 %", 0.1, 0.3},
                     {"to 60 %", 0.3, 0.6},
                     {"above", 0.6, INFINITY}}},
    [SHOP_EXPERIMENT] = {SHOP_EXPERIMENT,
                         'x',
                         "experiment",
                         "experiments",
                         "experim.",
                         3,
                         PROBE_TIMING,
                         NULL,
                         NULL,
                         {{0}}},
    [SHOP_VERIFY] = {SHOP_VERIFY,
                     'v',
                     "verify",
                     "verify the result",
                     "verify",
                     2,
                     PROBE_CHECK,
                     "wrong_elements",
                     "how many wrong elements?",
                     {{"none", 0, 0.5}, {"a few", 0.5, 100}, {"many", 100, INFINITY}, {0}}},
    [SHOP_SOURCE] = {SHOP_SOURCE, 'c', "source", "source code", "source", 6, -1, NULL, NULL, {{0}}},
    [SHOP_LINES] =
        {SHOP_LINES, 'l', "lines", "stalls by line", "lines", 5, PROBE_LINES, NULL, NULL, {{0}}},
    [SHOP_SASS] = {SHOP_SASS, 'i', "sass", "SASS or PTX", "SASS", 5, PROBE_SASS, NULL, NULL, {{0}}},
};

/* In the order of the lists under v and x. */
static const struct standard standards[] = {
    {"poison",
     "Poison buffers and shared memory",
     SHOP_VERIFY,
     3,
     PROBE_POISON,
     1,
     {{"poisoned", STEP_PLAIN, 0, NULL}}},
    {"repeat",
     "Launch it 20 times and compare the bits",
     SHOP_VERIFY,
     3,
     PROBE_REPEAT,
     1,
     {{"20 launches", STEP_REPEAT, 20, NULL}}},
    {"bases",
     "Move the buffers by 4 and 8 bytes",
     SHOP_VERIFY,
     3,
     PROBE_CHECK,
     3,
     {{"as they are", STEP_PLAIN, 0, NULL},
      {"4 bytes on", STEP_OFFSET, 4, NULL},
      {"8 bytes on", STEP_OFFSET, 8, NULL}}},
    {"fence",
     "An unmapped page behind each buffer",
     SHOP_VERIFY,
     3,
     PROBE_CHECK,
     1,
     {{"fenced", STEP_FENCE, 0, NULL}}},
    {"sanitizer",
     "Run it under compute-sanitizer",
     SHOP_VERIFY,
     4,
     PROBE_SANITIZE,
     4,
     {{"memcheck", STEP_TOOL, 0, "memcheck"},
      {"racecheck", STEP_TOOL, 0, "racecheck"},
      {"initcheck", STEP_TOOL, 0, "initcheck"},
      {"synccheck", STEP_TOOL, 0, "synccheck"}}},
    {"cache",
     "Time it with a cold and a warm L2",
     SHOP_EXPERIMENT,
     2,
     PROBE_TIMING,
     2,
     {{"cold", STEP_PLAIN, 0, NULL}, {"warm", STEP_WARM, 0, NULL}}},
    {"zeros",
     "Time it on zeros instead of its inputs",
     SHOP_EXPERIMENT,
     2,
     PROBE_TIMING,
     2,
     {{"as given", STEP_PLAIN, 0, NULL}, {"zeros", STEP_ZEROS, 0, NULL}}},
    {"registers",
     "Time it under a cap on registers",
     SHOP_EXPERIMENT,
     3,
     PROBE_TIMING,
     4,
     {{"no cap", STEP_PLAIN, 0, NULL},
      {"128", STEP_REGISTERS, 128, NULL},
      {"64", STEP_REGISTERS, 64, NULL},
      {"32", STEP_REGISTERS, 32, NULL}}},
    {"ballast",
     "Time it with idle shared memory on top",
     SHOP_EXPERIMENT,
     3,
     PROBE_TIMING,
     3,
     {{"none", STEP_PLAIN, 0, NULL},
      {"1/4 of an SM", STEP_BALLAST, 1, NULL},
      {"1/2 of an SM", STEP_BALLAST, 2, NULL}}},
};

const struct standard *standard_table(size_t *n)
{
    *n = sizeof standards / sizeof *standards;
    return standards;
}

const struct probe *probe_table(size_t *n)
{
    *n = SHOP_COUNT;
    return table;
}

const struct probe *probe_by_letter(char letter)
{
    for (int i = 0; i < SHOP_COUNT; i++)
        if (table[i].letter == letter)
            return &table[i];
    return NULL;
}

const struct probe *probe_by_name(const char *name)
{
    for (int i = 0; i < SHOP_COUNT; i++)
        if (strcmp(table[i].name, name) == 0)
            return &table[i];
    return NULL;
}

static int at_level(const int *values, int level)
{
    return values[level < 0 ? 0 : level > 5 ? 5 : level];
}

int level_par(int level)
{
    static const int par[] = {4, 6, 8, 10, 12, 14};
    return at_level(par, level);
}

int level_patience(int level)
{
    static const int patience[] = {10, 15, 18, 20, 22, 25};
    return at_level(patience, level);
}
