/* From keys to actions. Each screen has a list for each of its states: key, name, one sentence of
 * help. The key line at the bottom and the help screen are drawn from the list that acts. */
#ifndef WD_TUI_KEYS_H
#define WD_TUI_KEYS_H

#include <stdbool.h>
#include <stddef.h>

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
    ACT_FIGURES,
    ACT_HISTORY,
    ACT_STAND,
    ACT_GPU,
    ACT_OPTIONS,
    ACT_CODE,
    ACT_BELIEFS,
    ACT_EVIDENCE,
    ACT_RUN_FIX,
    ACT_OTHER_CAUSE,
    ACT_MEND,
    ACT_SANITIZE,
    ACT_ABANDON,
    ACT_AGAIN,
    ACT_STOP,
    ACT_HINT,
    ACT_NEXT,
    ACT_WHOLE,
    ACT_ZOOM_IN,
    ACT_ZOOM_OUT,
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
    ACT_PER_CENT,
    ACT_FIND,
    ACT_ERASE, /* the digit typed last */
    ACT_PLACE, /* argument: the letter of what is placed */
    ACT_COUNT
};
/* A row of a list. `keys` are blank-separated: "q", "Enter", "0-9", "+ =", "Up k". A NULL `name`
 * keeps it out of the key line, a NULL `help` out of the help screen (the row is another spelling
 * of one above, or works nowhere but to say why not). In a name, what stands after a | is left out
 * where there is no room for all: "scen|arios". ACT_NONE: an editor reads this key itself. */
struct binding {
    enum action action;
    const char *keys;
    const char *name, *help;
};

/* What the keys of one state of a screen mean. Behind its rows stand those of `more`, and behind
 * these the general ones, which every list has: moving, Enter, Tab, Esc, ? and q. */
struct key_list {
    const struct binding *rows;
    size_t n;
    const struct key_list *more;  /* NULL: none */
    const char *const *how;       /* how the place works, paragraphs up to a NULL; NULL: none */
    enum action must[2];          /* the key line has room for these before all others */
    bool words;                   /* any letter is typed, so that help does not name q */
    bool only_listed;             /* the key line does not end with the general ? and q */
};
#define KEY_ROWS(table) .rows = (table), .n = sizeof(table) / sizeof(table)[0]

/* Rows that many lists have. */
#define KEYS_UP_DOWN {ACT_UP, "Up k", NULL, "up"}, {ACT_DOWN, "Down j", NULL, "down"}
#define KEYS_PAGES {ACT_PAGE_UP, "PgUp", NULL, "a page up"}, \
                   {ACT_PAGE_DOWN, "PgDn", NULL, "a page down"}
#define KEYS_ENDS {ACT_FIRST, "Home g", NULL, "to the first"}, \
                  {ACT_LAST, "End G", NULL, "to the last"}
#define KEYS_FIND {ACT_FIND, "/", NULL, "search; then n next, N the one before, Esc ends it"}
enum { KEYS_FAR = 100000 };   /* by how much these two move */
#define KEYS_BACK {ACT_BACK, "Esc", "back", "back; nothing is lost"}

/* Row `i` of a list, of those that continue it, and of the general ones; NULL behind the last. A
 * NULL list has the general rows alone. */
const struct binding *key_row(const struct key_list *list, size_t i);
/* Is this row one of the help screen's? What a special row does needs no general one. */
bool key_row_helps(const struct key_list *list, const struct binding *row);

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

/* The action of a key, by the first row that fits; ACT_NONE when none does. *arg receives the
 * digit, or the letter; it may be NULL. */
enum action action_of_key(const struct key_list *list, int key, int *arg);
/* "0-9 choose  + - odds  ...  ? help  q quit" for the last row, in the list's order, as many as fit
 * in `w` columns, with the longest words that let all of them stand; help and quit always stand at
 * the end. */
void key_line(char *out, size_t size, const struct key_list *list, int w);
/* The same where only the digits up to `digits` mean something: "1-5 pick" becomes "1-3 pick", "1
 * pick", or is left out. */
void key_line_digits(char *out, size_t size, const struct key_list *list, int w, int digits);

#endif
