/* Numbers as people type them, without units: marks between thousands, powers, products,
 * parentheses. For quantity_read.c. Each reader takes the place where it begins and returns the one
 * behind it, NULL when there is no such number. */
#ifndef WD_SCENARIOS_QUANTITY_NUMBER_H
#define WD_SCENARIOS_QUANTITY_NUMBER_H

#include <stdbool.h>
#include <stddef.h>

/* Bytes of a blank at s (also no-break and thin blanks), or 0. */
size_t number_blank(const char *s);
const char *number_skip_blanks(const char *s);
/* Case does not matter. */
bool number_starts(const char *s, const char *with);

/* "2^20", "10**9", "2^(-14)", "(16+3)". */
const char *number_read_power(const char *s, double *out);
/* Products and fractions of these, with a sign: "-2 x 10^9", "1/3". */
const char *number_read(const char *s, double *out);
/* The sign between two numbers: '*' or '/', or 0. "x" counts only when a number follows, else it is
 * a unit. */
char number_operator(const char *s, const char **after);

#endif
