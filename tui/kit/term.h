/* The terminal itself: taken over once, given back after every kind of exit.
 *
 * Resizes come as SIGWINCH through the loop's signal fd (blocked before ncurses starts, since its
 * own handler loses resizes that come close behind other activity), so the caller must block it
 * (os_signal_open) before term_open. */
#ifndef WD_TUI_TERM_H
#define WD_TUI_TERM_H

#include <stdbool.h>

#include "kernels/wire/err.h"

/* Takes the terminal over. ERR_UNSUPPORTED, with a sentence, when stdin or stdout is none. *note is
 * NULL, or a sentence to be shown (an unknown TERM was taken as xterm-256color). From here on
 * faults, Ctrl-\ and other signals that end a program restore the terminal first, unless they are
 * ignored or blocked, and so does exit(). */
int term_open(const char **note, struct err *err);
/* Can the terminal that terminfo was asked about place its cursor? An interface needs that. */
bool term_places_cursor(void);
/* Gives it back. Calling it twice does nothing. */
void term_close(void);

/* Asks for the size and tells ncurses when it changed; survives 1 x 1 and huge. */
void term_resize(void);
/* Stops this process as Ctrl-Z means it, with the terminal given back meanwhile; returns after it
 * continued. */
void term_suspend(void);
/* Gives the terminal to another program in the foreground, as it was before term_open, and takes it
 * again as it is now. */
void term_lend(void);
void term_take_back(void);

/* Shows what was drawn since the last call; the cursor stands where draw_cursor put it, else it is
 * hidden. */
void term_show(void);
/* The next frame is painted whole (Ctrl-L). */
void term_repaint(void);

/* 1 and a key (keys.h says how keys are numbered), or 0 when none is waiting. */
int term_key(int *key);
/* Throws away what was typed and not read yet. */
void term_forget_keys(void);
/* Asks the terminal to mark pastes; while off, a paste would act as keys anyway. */
void term_paste(bool on);

#endif
