/* One line of text that a person types: UTF-8, cursor, paste. Plain data; no memory of its own. */
#ifndef WD_TUI_TEXTFIELD_H
#define WD_TUI_TEXTFIELD_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/kit/theme.h"

enum { TEXTFIELD_BYTES = 512 };

struct textfield {
    char bytes[TEXTFIELD_BYTES]; /* always clean UTF-8, NUL-terminated */
    size_t len, at;              /* bytes; at: the cursor, between characters */
    bool pasting;
};

enum textfield_result {
    TEXTFIELD_IGNORED,
    TEXTFIELD_CHANGED,
    TEXTFIELD_DONE /* Enter */,
    TEXTFIELD_CANCELLED /* Esc */
};

/* `text` may be NULL; what is not clean in it becomes '?', what does not fit is cut. The cursor
 * stands at the end. */
void textfield_init(struct textfield *f, const char *text);

/* One key as a screen's text() receives it: characters, Backspace, Delete, arrows, Home, End,
 * Ctrl-A Ctrl-E Ctrl-U Ctrl-W, pastes (whose line ends become blanks, and control characters
 * vanish). */
enum textfield_result textfield_key(struct textfield *f, int key);

/* `w` columns; scrolls so that the cursor shows, and puts the hardware cursor there. */
void textfield_draw(const struct textfield *f, int y, int x, int w, enum style s);

/* Borrowed; without blanks at its ends only after textfield_trim. */
const char *textfield_text(const struct textfield *f);
void textfield_trim(struct textfield *f);

#endif
