/* A program in a terminal of its own: keys in, cells out. libvterm keeps the picture, a pty carries
 * the bytes.
 *
 * Nothing here sleeps: every wait reads until what was asked for is there, and gives up after a
 * bound far above what a slow machine needs. */
#ifndef WD_TESTS_TUI_SCREEN_H
#define WD_TESTS_TUI_SCREEN_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>
#include <termios.h>
#include <vterm.h>

struct screen;

struct screen_start {
    int rows, columns;
    const char *program;           /* NULL: $WARPDRILL_BIN, else build/warpdrill */
    const char *const *arguments;  /* after the program's name, NULL at the end; NULL: none */
    const char *const *environment; /* "NAME=VALUE" or "NAME" (unset), NULL at the end; on top of a
                                       plain UTF-8 xterm-256color */
    const char *data;              /* XDG_DATA_HOME; NULL: a folder that screen_free removes */
};
struct screen *screen_start(const struct screen_start *how);
void screen_free(struct screen *s); /* ends the program if it still runs */
/* What a case that failed left behind: every program is ended and its folder removed. The screens
 * may still be freed; those that nobody frees, screens_free_left does in the end. */
void screens_end(void);
void screens_free_left(void);
pid_t screen_pid(const struct screen *s);

void screen_send(struct screen *s, const char *keys);
void screen_resize(struct screen *s, int rows, int columns);
/* Several may live at once, and every wait reads from all of them. This reads what came to any
 * within `ms`; false: nothing did. */
bool screens_take(int ms);

/* Reads until `text` stands in one row (or in none); false after the bound. */
bool screen_wait(struct screen *s, const char *text);
bool screen_wait_gone(struct screen *s, const char *text);
/* The same, but a failure prints all pictures and calls this, which does not return; NULL: exit. */
extern void (*screen_failed)(void);
void screen_expect(struct screen *s, const char *text);
void screen_expect_gone(struct screen *s, const char *text);
/* Reads until this character stands in this cell. */
void screen_expect_cell(struct screen *s, int row, int column, unsigned character);
/* Reads until the program ended; its wait status, or -1 after the bound. */
int screen_wait_exit(struct screen *s);
/* Reads until the program was stopped, as by Ctrl-Z. */
bool screen_wait_stopped(struct screen *s);
/* Takes the terminal away, as closing its window does. */
void screen_hang_up(struct screen *s);

/* What is shown now. Rows are UTF-8 without blanks at the end. */
void screen_row(const struct screen *s, int row, char *out, size_t size);
bool screen_find(const struct screen *s, const char *text, int *row, int *column);
VTermScreenCell screen_cell(const struct screen *s, int row, int column);
void screen_dump(const struct screen *s);                       /* the picture, as TAP comments */

/* All bytes that the program wrote so far, NUL-terminated. */
const char *screen_bytes(const struct screen *s, size_t *n);
/* The terminal's modes now, and as they were before the program started. */
struct termios screen_modes(const struct screen *s);
struct termios screen_modes_before(const struct screen *s);
bool screen_same_modes(const struct screen *s);

#endif
