/* The one table of actions: name, default keys, one sentence of help, and where they apply. The help screen and the
 * key line at the bottom are generated from it. */
#ifndef WD_TUI_KEYS_H
#define WD_TUI_KEYS_H

#include <stddef.h>

enum context { CTX_ANY = 1, CTX_HOME = 2, CTX_INVESTIGATION = 4, CTX_COMMIT = 8, CTX_DEBRIEF = 16, CTX_HISTORY = 32,
               CTX_LIST = 64, CTX_HELP = 128, CTX_GPU = 256, CTX_PUSHBACK = 512 };

enum action {
    ACT_NONE, ACT_QUIT, ACT_BACK, ACT_HELP, ACT_ENTER, ACT_UP, ACT_DOWN, ACT_LEFT, ACT_RIGHT, ACT_PAGE_UP, ACT_PAGE_DOWN, ACT_TAB, ACT_UNDO,
    ACT_DIGIT,        /* argument: the digit */
    ACT_MORE, ACT_LESS, ACT_OUT, ACT_EXPLAIN, ACT_NOTE,
    ACT_BUY,          /* argument: the probe's letter */
    ACT_SCENARIOS, ACT_HISTORY, ACT_GPU, ACT_OPTIONS, ACT_CODE, ACT_BELIEFS, ACT_EVIDENCE, ACT_RUN_FIX, ACT_OTHER_CAUSE, ACT_ABANDON,
    ACT_COUNT
};
struct binding { enum action action; unsigned contexts; const char *keys; /* "q", "Enter", "0-9", "+ =" */ const char *name, *help; };
const struct binding *binding_table(size_t *n);
/* From a key as ncurses delivers it (KEY_* or a code point) to an action in a context; *arg receives digit or letter. */
enum action action_of_key(unsigned context, int key, int *arg);
/* "0-9 choose  + - odds  ..." for the last row, in table order, as many as fit in `w` columns. */
void key_line(char *out, size_t size, unsigned context, int w);

#endif
