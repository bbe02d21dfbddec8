/* The program behind the screens: one thread, one poll loop. Screens are tables of functions;
 * adding one means a file. Draw reads and changes nothing; handlers return flags.
 *
 * In: options of the command line, keys, events of the runner. Out: calls of the screen on top.
 * Callers: every screen, and tui/commands (run.h). First to open: app_stack.c, the stack of
 * screens; app_data.h and app_runner.h are what screens may ask for, frame.c the lines around every
 * screen, find.c what / searches, guest.c a candidate's app inside the host's, gpu.c the runner's
 * state. */
#ifndef WD_TUI_APP_H
#define WD_TUI_APP_H

#include <poll.h>
#include <stdbool.h>
#include <stdint.h>

#include "scenarios/play/attempt.h"
#include "tui/kit/draw.h"
#include "tui/kit/keys.h"

struct app;
enum { DO_NOTHING = 0, DO_REDRAW = 1, DO_QUIT = 2, DO_POP = 4 /* leave this screen */ };

struct find_ops;
struct screen_ops {
    const char *name;
    const struct find_ops *find; /* what / searches (find.h); NULL: nothing */
    int (*enter)(struct app *app, void *self, struct err *err);
    /* What keys mean now; without it, and where it says NULL, the general ones. */
    const struct key_list *(*keys)(struct app *app, const void *self);
    void (*draw)(struct app *app, const void *self); /* whole screen: app_rows, app_columns */
    int (*act)(struct app *app, void *self, enum action action, int arg);
    bool every_key; /* act() is told of keys that mean nothing here, too: ACT_NONE */
    int (*text)(struct app *app, void *self,
                int key); /* when text input is on (app_text_input): raw keys; NULL: never */
    int (*event)(struct app *app, void *self,
                 const struct client_event *e); /* runner events; NULL: none wanted */
    int (*tick)(struct app *app, void *self, int64_t now_ms); /* called at least when due */
    int (*due_ms)(const struct app *app, const void *self,
                  int64_t now_ms); /* until tick wants to run; -1 never; NULL: never */
    bool (*unsaved)(const void *self); /* the store refuses what was done last; NULL: never */
    void (*leave)(struct app *app, void *self); /* frees self; what the store takes is saved */
    void (*shown)(struct app *app, void *self); /* the screen above has gone: read again what it may
                                                   have changed; NULL: nothing */
    int (*fds)(const void *self, struct pollfd *fds,
               int most); /* what else the loop shall wait for, on every screen of the stack; NULL:
                             nothing */
    int (*ready)(struct app *app, void *self); /* one of them may have something; NULL: never */
};

/* ACT_QUIT and ACT_HELP never reach act(): the loop handles them. Events and ticks go to every
 * screen on the stack, top first, so that a measurement goes on under help; a screen looks at the
 * ids that it asked for. text() gets keys as keys.h numbers them, and no other handler sees a key
 * meanwhile, but for what / searches for.
 *
 * self is owned by the screen (leave frees it, at the end of the turn). app_replace called in a
 * handler replaces that handler's own screen. */
void app_push(struct app *app, const struct screen_ops *ops, void *self);
void app_replace(struct app *app, const struct screen_ops *ops, void *self);

int64_t app_now(const struct app *app);                     /* monotonic ms of this loop turn */
bool app_seeded(const struct app *app); /* --seed was given: the seed alone picks a variant */
uint64_t app_seed(struct app *app);                         /* --seed, or random per call */
void app_text_input(struct app *app, bool on);
void app_say(struct app *app, const char *fmt, ...)
    __attribute__((format(printf, 2, 3))); /* one line shown until the next key */
const char *app_said(const struct app *app);
/* Ctrl-C was pressed once in an interview's host; what was said is the question. */
bool app_asks_to_quit(const struct app *app);
/* Ends the search on the screen that acts: its page is another one now. */
void app_find_end(struct app *app);
void app_unsay(struct app *app); /* it stands elsewhere on the screen */
int app_rows(const struct app *app); /* of the terminal; below 60 x 20 no screen is drawn at all */
int app_columns(const struct app *app);

struct editor;
/* The text in $VISUAL or $EDITOR (outside.h), as one step of undo; how it went is said on the
 * screen. */
void app_edit_outside(struct app *app, struct editor *e);
/* Lends the terminal to $VISUAL or $EDITOR on this file (outside.h). Until it ends nothing is drawn
 * and no key is read, but screens tick and hear of the runner; how it ended is said. */
int app_lend(struct app *app, const char *path, struct err *err);

#endif
