/* The program behind the screens: one thread, one poll loop. Screens are tables of functions;
 * adding one means a file and a line below. Draw reads and changes nothing; handlers return flags.
 *
 * In: options of the command line, keys, events of the runner. Out: calls of the screen on top.
 * Callers: every screen, and tui/commands (tui_run). First to open: app_stack.c, the stack of
 * screens; app_asks.c is what screens may ask for, frame.c the lines around every screen, find.c
 * what / searches, guest.c a candidate's app inside the host's, gpu.c the runner's state. */
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
    void (*draw)(struct app *app,
                 const void *self); /* whole screen; app_size() gives rows and columns */
    int (*act)(struct app *app, void *self, enum action action, int arg);
    bool every_key; /* act() is told of keys that mean nothing here, too: ACT_NONE */
    int (*text)(struct app *app, void *self,
                int key); /* when text input is on (app_text_input): raw keys; NULL: never */
    int (*event)(struct app *app, void *self,
                 const struct client_event *e); /* runner events; NULL: none wanted */
    int (*tick)(struct app *app, void *self, int64_t now_ms); /* called at least when due */
    int (*due_ms)(const struct app *app, const void *self,
                  int64_t now_ms); /* until tick wants to run; -1 never; NULL: never */
    void (*leave)(struct app *app, void *self); /* frees self; everything is saved already */
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

struct store *app_store(struct app *app); /* NULL: progress cannot be kept (said on screen) */
struct store *app_store_seen(struct app *app); /* the same, or what can be read and not written: for
                                                  screens that look back */
const struct catalog *app_catalog(const struct app *app);
/* catalog_draw in that catalogue. */
int app_draw_variant(struct app *app, const struct variant *v, uint64_t seed,
                     const struct variant **out, struct err *err);
struct library;
const struct library *app_library(
    struct app *app); /* tables, drills and cards, read at the first call */
struct client *app_client(struct app *app);                 /* NULL: no runner */
const struct msg_device *app_device(const struct app *app); /* NULL: no GPU described yet */
const char *app_gpu_state(const struct app *app); /* one sentence for row 1: "no GPU here: recorded
                                                     evidence", "NVIDIA H200, live" */
/* Whose recordings are played ("nvidia-h200"), kept in the store; "": each variant's first. */
void app_recorded_gpu(struct app *app, char out[64]);
void app_use_runner(
    struct app *app,
    const char *command); /* starts (or changes) the runner; "" or NULL as gpu_use says */
int64_t app_now(const struct app *app);                     /* monotonic ms of this loop turn */
bool app_seeded(const struct app *app); /* --seed was given: the seed alone picks a variant */
uint64_t app_seed(struct app *app);                         /* --seed, or random per call */
void app_text_input(struct app *app, bool on);
void app_say(struct app *app, const char *fmt, ...)
    __attribute__((format(printf, 2, 3))); /* one line shown until the next key */
const char *app_said(const struct app *app);
/* Ctrl-C was pressed once in an interview's host; what was said is the question. */
bool app_asks_to_quit(const struct app *app);
void app_unsay(struct app *app); /* it stands elsewhere on the screen */
struct gpu;
struct trust_answers;
struct trust_answers *app_trust(struct app *app); /* whose GPU code may run (trust_screen.h) */
const struct gpu *app_gpu(
    const struct app *app); /* everything about the runner (gpu.h), for the GPU screen */
struct secret;
const char *app_passphrase_file(
    const struct app *app); /* of the command line or the environment; NULL: none */
/* Puts a sealed pack's open twin in its place in the catalogue, in memory (sealing.h); what was
 * changed since it was sealed is said. The sealed one stays alive, since screens may hold its
 * stories. */
int app_unseal(struct app *app, const struct pack *sealed, const struct secret *s, struct err *err);
int app_rows(const struct app *app); /* of the terminal; below 60 x 20 no screen is drawn at all */
int app_columns(const struct app *app);

struct editor;
/* The text in $VISUAL or $EDITOR (outside.h), as one step of undo; how it went is said on the
 * screen. */
void app_edit_outside(struct app *app, struct editor *e);
/* Lends the terminal to $VISUAL or $EDITOR on this file (outside.h). Until it ends nothing is drawn
 * and no key is read, but screens tick and hear of the runner; how it ended is said. */
int app_lend(struct app *app, const char *path, struct err *err);

/* Closes the store, puts `file` in its place and opens it again, as backup_restore does; what went
 * wrong is said. Rows read before are the former file's: screens below read again when they are
 * shown. 0: *kept is the former file's new name (malloc'd; NULL: there was none). */
int app_restore(struct app *app, const char *file, char **kept);

/* ---- guests (guest.h): apps of candidates beside the host's own ---- */

struct interview;
struct interview *app_live(
    const struct app *app); /* the interview whose candidate sits here; NULL: nobody's */
void *app_guest_find(
    const struct app *guest,
    const struct screen_ops *ops); /* of the newest screen of this kind; NULL: none */

struct tui_options {
    const char *db, *runner, *passphrase_file; /* NULL: defaults */
    const char *const *packs; int n_packs;
    const char *play; /* what shall stand above the lowest screen; NULL: nothing */
    void (*open_first)(struct app *app,
                       const void *ctx); /* the lowest screen: home, an interview */
    void (*open_play)(struct app *app,
                      const char *play); /* once it is known whether there is a GPU */
    const void *ctx;                       /* of open_first */
    const char *packs_left_out;            /* how to learn why packs were left out */
    const char *ask_quit; /* said at Ctrl-C, and the next one ends; NULL: the first does */
    bool seeded, trust; uint64_t seed;     /* trust: GPU code of any pack runs without a question */
};
/* Runs until the person quits; the terminal is restored in every case. Returns the exit status. Not
 * a tty: message, 2. */
int tui_run(const struct tui_options *options);

#endif
