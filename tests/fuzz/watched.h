/* A process that notes every path which it asks the kernel for, and gets none: what NVRTC would
 * open is seen whatever library call it goes through. */
#ifndef WD_TESTS_WATCHED_H
#define WD_TESTS_WATCHED_H

#include <stdbool.h>

/* From here on each call that takes a path answers "no such file", in this and all threads; there
 * is no way back. False where this system has no such filter. */
bool watched_begin(void);

/* The first path since the last watched_clear that `ours` does not know; "" if there was none. */
const char *watched_path(void);
void watched_clear(bool (*ours)(const char *path));

#endif
