/* The one table of actions: name, default keys, one sentence of help, and where they apply. The
 * help screen and the key line at the bottom are generated from it. */
#ifndef WD_TUI_KEYS_H
#define WD_TUI_KEYS_H

#include <stddef.h>

enum context {
    CTX_ANY = 1,
    CTX_HOME = 2,
    CTX_INVESTIGATION = 4,
    CTX_COMMIT = 8,
    CTX_DEBRIEF = 16,
    CTX_HISTORY = 32,
    CTX_LIST = 64,
    CTX_HELP = 128,
    CTX_GPU = 256,
    CTX_PUSHBACK = 512,
    CTX_STAND = 1024,
    CTX_OPTIONS = 2048,
    CTX_DRILL = 4096,
    CTX_CARD = 8192 /* asked */,
    CTX_ANSWERED = 16384,
    CTX_GRADING = 32768,
    CTX_SITTING = 65536 /* its end */,
    CTX_EDITOR = 131072,
    CTX_REPEAT = 262144 /* r asks again */,
    CTX_CHOICE = 524288,
    CTX_TYPED = 1048576 /* a drill whose answer is typed */,
    CTX_TRUST = 2097152,
    CTX_CONSOLE = 4194304 /* the interviewer's */,
    CTX_CONSOLE_LIST = 8388608 /* one of its lists */,
    CTX_PLAN = 16777216 /* an interview, before it begins */,
    CTX_BRIEF = 33554432 /* the interviewer's page about a scenario */,
    CTX_CANDIDATE = 67108864 /* of an interview, where nothing is investigated */,
    CTX_REPLAY = 134217728,
    CTX_WORDS = 268435456 /* where any letter is typed */
};

enum action {
    ACT_NONE,
    ACT_QUIT,
    ACT_BACK,
    ACT_HELP,
    ACT_ENTER,
    ACT_UP,
    ACT_DOWN,
    ACT_LEFT,
    ACT_RIGHT,
    ACT_PAGE_UP,
    ACT_PAGE_DOWN,
    ACT_TAB,
    ACT_UNDO,
    ACT_DIGIT, /* argument: the digit */
    ACT_MORE,
    ACT_LESS,
    ACT_OUT,
    ACT_EXPLAIN,
    ACT_NOTE,
    ACT_BUY, /* argument: the probe's letter */
    ACT_SCENARIOS,
    ACT_DRILLS,
    ACT_CARDS,
    ACT_HISTORY,
    ACT_STAND,
    ACT_GPU,
    ACT_OPTIONS,
    ACT_CODE,
    ACT_BELIEFS,
    ACT_EVIDENCE,
    ACT_RUN_FIX,
    ACT_OTHER_CAUSE,
    ACT_ABANDON,
    ACT_AGAIN,
    ACT_STOP,
    ACT_HINT,
    ACT_NEXT,
    ACT_WHOLE,
    ACT_YES,
    ACT_NO,
    ACT_RATE, /* argument: the letter of a row of the rubric */
    ACT_SCRIBE,
    ACT_GIVE,
    ACT_QUIET,
    ACT_SHARED_NOTE,
    ACT_PAUSE,
    ACT_CLOCK,
    ACT_REVEAL,
    ACT_INJECT,
    ACT_BRIEF,
    ACT_PARTS,
    ACT_LINES,
    ACT_RELEASE,
    ACT_WITHHOLD,
    ACT_LEAVE,
    ACT_CLOSE,
    ACT_NOTES,
    ACT_ADD,
    ACT_REMOVE,
    ACT_EXCHANGE,
    ACT_SEED,
    ACT_FIT,
    ACT_PLAY,
    ACT_FIRST,
    ACT_LAST,
    ACT_COUNT
};
/* A row of the table. `keys` are blank-separated: "q", "Enter", "0-9", "+ =", "Up k". A NULL `name`
 * keeps it out of the key line, a NULL `help` out of the help screen (the row is another spelling
 * of one above). In a name, what stands after a | is left out where there is no room for all:
 * "scen|arios". */
struct binding {
    enum action action;
    unsigned contexts;
    const char *keys;
    const char *name, *help;
};
const struct binding *binding_table(size_t *n);

/* Keys are numbers: characters below 256 as they are, function keys as ncurses' KEY_*, any other
 * character as KEY_CHAR(c), since KEY_* and code points overlap. A paste arrives between
 * KEY_PASTE_BEGIN and KEY_PASTE_END. */
#define KEY_CHAR(c) ((c) < 256 ? (int)(c) : 0x1000000 | (int)(c))
static inline int key_is_wide(int key) { return key > 0x1000000 && key < 0x2000000; }
static inline unsigned long key_character(int key) { return (unsigned long)key & 0xFFFFFF; }
enum {
    KEY_PASTE_BEGIN = 0x2000000,
    KEY_PASTE_END,
    KEY_WORD_LEFT,
    KEY_WORD_RIGHT,
    KEY_ESCAPE = 27,
    KEY_TABULATOR = 9
};

/* An action in a context, by the first row that fits; ACT_NONE when none does. *arg receives the
 * digit, or the letter. */
enum action action_of_key(unsigned context, int key, int *arg);
/* "0-9 choose  + - odds  ...  ? help  q quit" for the last row, in table order, as many as fit in
 * `w` columns, with the longest words that let all of them stand; help and quit always stand at the
 * end. */
void key_line(char *out, size_t size, unsigned context, int w);
/* The same where only the digits up to `digits` mean something: "1-5 pick" becomes "1-3 pick", "1
 * pick", or is left out. */
void key_line_digits(char *out, size_t size, unsigned context, int w, int digits);

#endif
