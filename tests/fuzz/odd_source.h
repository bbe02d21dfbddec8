/* Device sources of the kind on which readers differ: quotes, comments, numbers, joined lines,
 * directives and pasting in all orders, with lines in between that tell whether they were read as
 * code. */
#ifndef WD_TESTS_ODD_SOURCE_H
#define WD_TESTS_ODD_SOURCE_H

#include <stddef.h>
#include <stdint.h>

enum { ODD_SOURCE_MOST = 1024, ODD_CANARIES = 10 };

/* The folder that no source may reach: any path of a text lies below it. */
#define ODD_CANARY "/canary"

/* Fills `out` from *seed, which is not 0 and goes on; returns its length. Lines "#warning
 * canary-N" tell of a compiler's reading; N begins at first and stays below first +
 * ODD_CANARIES. */
size_t odd_source(char out[ODD_SOURCE_MOST], uint64_t *seed, int first);

#endif
