/* The device source that spoils a result on purpose, and what it can do. Only checker_sabotage.c
 * and its test include this. */
#ifndef WD_SCENARIOS_CHECKER_SPOIL_H
#define WD_SCENARIOS_CHECKER_SPOIL_H

/* wd_spoil(out, type (enum elem_type), count, how, at, exact, rel, abs, by): one block of 1024
 * threads, but for ZERO and SCALE. */
enum spoil_how {
    SPOIL_NOTHING,
    SPOIL_ZERO, /* all of it */
    SPOIL_TAIL, /* `at` elements up to the last that is not zero by the tolerance */
    SPOIL_OFF, /* element `at`: by ten tolerances, or by its last bit where the comparison is exact
                */
    SPOIL_NAN, /* element `at` */
    SPOIL_SWAP, /* the first two neighbours that differ by more than the tolerance */
    SPOIL_PAIR, /* where there are such, the first of them as OFF does */
    SPOIL_SCALE, /* times 1 + `by` */
};

extern const char spoil_source[];

#endif
