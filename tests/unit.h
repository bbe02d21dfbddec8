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

#endif
