/* Text of many lines that a person types: clean UTF-8, a cursor, undo. Moves go by grapheme, so
 * that a letter with its accents is one step. Pure: no screen, no clock. */
#ifndef WD_TUI_EDITOR_BUFFER_H
#define WD_TUI_EDITOR_BUFFER_H

#include <stdbool.h>
#include <stddef.h>

enum { EDITOR_BYTES = 16384 }; /* of text, at most */

struct editor_step { size_t at, n_removed, n_added, cursor; char *removed, *added; };
struct editor_buffer {
    char *bytes;                 /* NUL-terminated, room for EDITOR_BYTES */
    size_t len, at;              /* at: the cursor, between characters */
    struct editor_step *steps;   /* the first `done` can be undone, the others redone */
    int n_steps, done, room;
    bool open;                   /* the newest step may still grow */
};

/* Line ends become newlines, what is not clean becomes '?', what does not fit is cut between
 * characters. The cursor stands at the end; there is nothing to undo. `text` may be NULL. */
void editor_buffer_init(struct editor_buffer *b, const char *text);
void editor_buffer_free(struct editor_buffer *b);

/* At the cursor, cleaned as above. False when not all of it fitted; what fits is there. Single
 * characters typed after each other join into one step, word by word; more bytes at once are a step
 * of their own. */
bool editor_buffer_insert(struct editor_buffer *b, const char *bytes, size_t n);
/* The cursor stands where the text was. Deletions that touch join into one step. */
void editor_buffer_delete(struct editor_buffer *b, size_t from, size_t to);
/* The whole text, as one step. False as for insert. */
bool editor_buffer_replace(struct editor_buffer *b, const char *text);
/* The next change is a step of its own. */
void editor_buffer_close(struct editor_buffer *b);

/* False when there is nothing to take back, or to do again. The cursor goes where the change is. */
bool editor_buffer_undo(struct editor_buffer *b);
bool editor_buffer_redo(struct editor_buffer *b);

/* Where the grapheme after `at` begins, or the one before; the ends of the text stay. */
size_t editor_buffer_next(const struct editor_buffer *b, size_t at);
size_t editor_buffer_previous(const struct editor_buffer *b, size_t at);
/* The beginning of the next word, or of this one or the one before. */
size_t editor_buffer_word_right(const struct editor_buffer *b, size_t at);
size_t editor_buffer_word_left(const struct editor_buffer *b, size_t at);

#endif
