/* The library as shipped, read once for a group of tests. */
#ifndef WD_TESTS_SHIPPED_H
#define WD_TESTS_SHIPPED_H

#include "drills/library/library.h"

static struct library library;

static inline int open_library(void **state)
{
    library_open_at(&library, "content");
    return 0;
}

static inline int close_library(void **state)
{
    library_free(&library);
    return 0;
}

#endif
