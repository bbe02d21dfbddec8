/* The program: options, and the loop until the person quits. */
#ifndef WD_TUI_RUN_H
#define WD_TUI_RUN_H

#include "tui/app/app.h"

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
