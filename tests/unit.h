/* What every unit test stands on: cmocka, the headers that it wants before it, and the usual ones of C. */
#ifndef WD_TESTS_UNIT_H
#define WD_TESTS_UNIT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The plain half of a test run tries every fault, kill and variant. The sanitized half, which is
 * five times as slow, tries one of so many: the same code, for what a sanitizer alone sees. */
#ifdef __SANITIZE_ADDRESS__
enum { ONE_OF = 5 };
#else
enum { ONE_OF = 1 };
#endif

#endif
