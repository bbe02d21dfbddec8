/* What app.c, app_asks.c, app_stack.c and guest.c share: an app's parts and the turns of its stack.
 * Nobody else includes it. */
#ifndef WD_TUI_APP_INSIDE_H
#define WD_TUI_APP_INSIDE_H

#include "drills/library/library.h"
#include "tui/app/app.h"
#include "tui/app/run.h"
#include "tui/kit/canvas.h"
#include "tui/kit/outside.h"
#include "tui/app/find.h"
#include "tui/app/gpu.h"
#include "tui/app/trust_screen.h"

enum { STACK_MOST = 8 };

/* One screen on the stack. It is freed at the end of the turn in which it left, so that a handler
 * may replace its own screen. */
struct layer {
    const struct screen_ops *ops;
    void *self;
    bool typing, gone, covered;
    struct find find;
    int64_t due; /* when tick is called; -1: never */
};

struct app {
    struct layer *stack[STACK_MOST], *left[STACK_MOST];
    int depth, n_left;
    struct layer *running;          /* whose handler is being called */
    struct store *store;
    struct store *seen;             /* what can be read and not written; store is NULL then */
    struct catalog *catalog; /* a guest's, as the runner, the library and the answers: its host's */
    struct pack **shut; int n_shut; /* sealed packs that were opened meanwhile */
    struct library library;
    bool library_read;
    struct gpu *gpu;
    struct trust_answers trust;
    const struct tui_options *options;
    /* What ? opens: a screen stands above the stack. */
    void (*open_help)(struct app *app, const struct key_list *keys);
    int64_t now, runner_due;        /* when the runner's end wants to be called; -1: never */
    uint64_t seeds;                 /* given out so far */
    char said[256];
    bool unseen;                    /* what was said was not drawn yet */
    bool dirty, quit, pasting, played;
    struct outside lent;            /* an editor that has the terminal */
    bool asks_to_quit;              /* Ctrl-C was pressed, and would end an interview's host */
    int status;
    struct app *guest, *host;       /* NULL: none */
    struct canvas *canvas, *shown;  /* of a guest: drawn on, and as it was given out last */
    struct interview *live;              /* of a guest */
    int leaving;                    /* 2 when q was pressed and is asked once more, 1 at the next key */
    bool wants_out;                 /* of a guest: it quit, and was not asked yet */
    unsigned told;                  /* of a guest: app_guest_once */
};

void app_draw(struct app *app);                              /* where something has changed */
void app_press(struct app *app, int key);
void app_settle(
    struct app *app); /* after handlers: what left is freed, what was uncovered is told */
void app_run_ticks(struct app *app);
void app_tell(struct app *app, const struct client_event *e); /* to every screen */
int64_t app_first_due(struct app *app);                      /* of its screens; INT64_MAX: none */
void app_clear(struct app *app);                             /* all screens leave */

/* What screens wait for beside keys and the runner; `owner` receives whose each is. app_ready tells
 * those whose have something. */
int app_fds(const struct app *app, struct pollfd *fds, struct layer **owner, int most);
void app_ready(struct app *app, const struct pollfd *fds, struct layer *const *owner, int n);

/* A wish of `in` ms from now (-1: none) never puts an earlier one off, so that a busy keyboard
 * starves nobody. */
void app_due_follow(int64_t *due, int in, int64_t now);
bool app_due_come(int64_t due, int64_t now);

#endif
