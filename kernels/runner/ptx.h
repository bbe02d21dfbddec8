/* What PTX tells without being assembled: its kernels, and which lines of the source its lines come
 * from. */
#ifndef WD_RUNNER_PTX_H
#define WD_RUNNER_PTX_H

#include <jansson.h>

/* The names of its kernels in their order, as a new array of strings; at most `most`. */
json_t *ptx_kernels(const char *ptx, int most);

/* A copy of the compiler's log in which lines "ptxas application ptx input, line 34; error   :
 * TEXT" read "NAME(4): error: TEXT", as the compiler's own do, where line 34 of `ptx` comes from
 * line 4 of the source of that name. The caller frees it. */
char *ptx_place_log(const char *log, const char *ptx, const char *name);

#endif
