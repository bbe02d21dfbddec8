/* A field of many lines for text that a person types freely: wrapped at words, scrolled, with undo
 * and paste. */
#ifndef WD_TUI_EDITOR_H
#define WD_TUI_EDITOR_H

#include "tui/kit/draw.h"
#include "tui/kit/editor_buffer.h"

struct editor {
    struct editor_buffer buffer;
    char *paste; size_t n_paste; bool pasting;  /* what arrived of a paste so far */
    int column;                                 /* that Up and Down keep; -1: the cursor's own */
    int top;                                    /* first row shown when the cursor allows it */
};

enum editor_result {
    EDITOR_IGNORED,
    EDITOR_CHANGED,
    EDITOR_DONE /* Tab, Ctrl-D */,
    EDITOR_CANCELLED /* Esc */,
    EDITOR_OUTSIDE /* Ctrl-G */,
    EDITOR_FULL /* not all of it fitted: say so */
};

/* `text` as editor_buffer_init takes it. */
void editor_init(struct editor *e, const char *text);
void editor_free(struct editor *e);
/* The cursor to the beginning of a line, counted from 1; beyond the last one to the end. */
void editor_go(struct editor *e, int line);

/* One key as a screen's text() receives it; w and h as drawn. Characters, Enter (a new line),
 * arrows, Ctrl-Left and Ctrl-Right by word, Home, End, PgUp, PgDn, Backspace, Delete, Ctrl-W word,
 * Ctrl-U and Ctrl-K to the row's ends, Ctrl-/ undo, Ctrl-R redo; a paste is one step of undo. */
enum editor_result editor_key(struct editor *e, int key, int w, int h);

/* The rows of r that the cursor needs, and the hardware cursor. */
void editor_draw(const struct editor *e, struct rect r, enum style s);

const char *editor_text(const struct editor *e);
/* "row 3 of 12" where not all rows fit, else "". */
void editor_where(const struct editor *e, char *out, size_t size, int w, int h);
/* What to say of EDITOR_FULL. */
const char *editor_full_words(void);

#endif
