/* The one loop, and the program from start to end. The stack of screens is app_stack.c, what
 * screens ask app_asks.c. */
#include "tui/app/app_data.h"
#include "tui/app/app_inside.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "db/backup.h"
#include "drills/memory/review.h"
#include "drills/transfer/transfer.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"
#include "tui/app/app_runner.h"
#include "tui/app/defaults.h"
#include "tui/app/help.h"
#include "tui/kit/term.h"

enum { FDS_MOST = 96, LENT_MS = 50 /* between two looks at an editor */ };

/* ---- the loop ---- */

static void run_events(struct app *app)
{
    struct client_event e;
    app->runner_due = -1;
    gpu_step(app->gpu);
    while (gpu_event(app->gpu, &e)) {
        app_tell(app, &e);
        if (app->guest)
            app_tell(app->guest, &e);
    }
}

/* Somebody sits at the other end of an interview, so it is asked; any other key takes the question
 * away. */
static void interrupt(struct app *app)
{
    app->quit = !app->options->ask_quit || app->asks_to_quit;
    app->asks_to_quit = true;
    if (!app->quit)
        app_say(app, "%s", app->options->ask_quit);
}

bool app_asks_to_quit(const struct app *app)
{
    return app->asks_to_quit;
}

static void run_signal(struct app *app, int number)
{
    switch (number) {
    case SIGWINCH:
        term_resize();
        app->dirty = true;
        break;
    case SIGTSTP:
        term_suspend();
        app->dirty = true;
        break;
    case SIGINT:
    case SIGQUIT:
        interrupt(app);
        break;
    case SIGTERM:
    case SIGHUP:
        app->status = 128 + number;
        app->quit = true;
        break;
    default:
        break;
    }
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Until the first of everything that waits for time; -1: nothing does, and the program sleeps. */
static int timeout_of(struct app *app)
{
    int64_t first = app_first_due(app);
    if (app->lent.pid)
        first = least(first, app->now + LENT_MS);
    app_due_follow(&app->runner_due, gpu_timeout_ms(app->gpu), app->now);
    if (app->runner_due >= 0)
        first = least(first, app->runner_due);
    if (app->guest)
        first = least(first, app_first_due(app->guest));
    if (first == INT64_MAX)
        return -1;
    return first > app->now ? (int)(first - app->now) : 0;
}

static void run_signals(struct app *app, int signals)
{
    int number;
    while ((number = os_signal_read(signals)) > 0)
        run_signal(app, number);
}

/* What the command line asked for is not on the screen yet. */
static bool is_awaited(const struct app *app)
{
    return app->options->play && !app->played;
}

/* Until what was asked for stands on the screen, home below it starts nothing: only help, the GPU
 * page and q act there. */
static void press(struct app *app, int key)
{
    if (app->asks_to_quit)
        app_unsay(app);
    app->asks_to_quit = false;
    if (is_awaited(app) && app->depth == 1 && key != 'q' && key != 'g' && key != '?') {
        app_unsay(app);
        app_say(app,
                app_columns(app) < 100 ? "Keys count once it is shown; g: the GPU, q leaves."
                                       : "Keys count once %s is shown; until then g shows the GPU, "
                                         "q leaves.",
                app->options->play);
    } else {
        app_press(app, key);
    }
}

/* False at the end of input: the terminal is gone. */
static bool read_keys(struct app *app, int signals)
{
    int waiting = 0, key;
    if (ioctl(STDIN_FILENO, FIONREAD, &waiting) != 0 || waiting == 0)
        return false;
    while (!app->quit && term_key(&key)) {
        run_signals(app, signals); /* a key belongs to the size at which it was pressed */
        press(app, key);
    }
    return true;
}

static bool any_revents(const struct pollfd *fds, int n)
{
    for (int i = 0; i < n; i++)
        if (fds[i].revents)
            return true;
    return false;
}

static void look_at_editor(struct app *app)
{
    struct err err = {0};
    if (!app->lent.pid || !outside_ended(&app->lent, false, &err))
        return;
    app->dirty = true;
    if (err.code)
        app_say(app, "%s", err.text);
}

/* Keys and signals wait for an editor that has the terminal. */
static void turn(struct app *app, int signals)
{
    bool lent = app->lent.pid != 0;
    struct pollfd fds[FDS_MOST] = { { lent ? -1 : STDIN_FILENO, POLLIN, 0 },
                                    { lent ? -1 : signals, POLLIN, 0 } };
    struct layer *owner[FDS_MOST];
    int runner = gpu_fds(app->gpu, fds + 2, FDS_MOST - 2), first = 2 + runner;
    int screens = app_fds(app, fds + first, owner, FDS_MOST - first);
    int ready = poll(fds, (nfds_t)(first + screens), timeout_of(app));
    app->now = os_monotonic_ms();
    if (app->guest)
        app->guest->now = app->now;
    if (ready > 0 && fds[1].revents)
        run_signals(app, signals);
    if (ready > 0 && fds[0].revents && (!(fds[0].revents & POLLIN) || !read_keys(app, signals)))
        app->quit = true;
    if (app_due_come(app->runner_due, app->now) || any_revents(fds + 2, runner))
        run_events(app);
    app_ready(app, fds + first, owner, screens);
    app_run_ticks(app);
    if (app->guest)
        app_run_ticks(app->guest);
    look_at_editor(app);
}

/* ---- from start to end ---- */

static void store_start(struct app *app)
{
    struct err err;
    bool reading;
    char *path = default_db(app->options->db);
    store_free(app->seen);
    app->seen = NULL;
    if (store_open_to_read(&app->store, path, 20, &reading) != STORE_OK) {
        app_say(app, "Progress cannot be kept: %s", app->store ? store_message(app->store) : path);
        store_free(app->store);
        app->store = NULL;
    } else if (review_rebuild(app->store, &err) != 0) {
        app_say(app, "%s", err.text);
    }
    if (app->store && reading) {
        app_say(app, "Nothing is kept now: progress can be read and not written; `warpdrill "
                     "doctor` says why.");
        app->seen = app->store;
        app->store = NULL;
    }
    free(path);
}

int app_restore(struct app *app, const char *file, char **kept)
{
    char *path = default_db(app->options->db);
    *kept = NULL;
    store_free(app->store);
    app->store = NULL;
    int rc = backup_restore(path, file, transfer_judge, kept);
    if (rc != STORE_OK) {
        app_say(app, "%s", *kept ? *kept : "It could not be restored.");
        free(*kept);
        *kept = NULL;
    }
    store_start(app);
    free(path);
    return rc == STORE_OK && app->store ? 0 : -1;
}

static void packs_start(struct app *app)
{
    struct err err;
    if (catalog_open(&app->catalog, app->options->packs, app->options->n_packs, &err) != 0)
        app_say(app, "%s", err.text);
    else if (app->catalog->n_problems > 0)
        app_say(app, "Packs left out: %d; %s says why", app->catalog->n_problems,
                app->options->packs_left_out);
}

/* What the command line or the environment says, else what was typed on the GPU screen, else what
 * is beside this program. */
static void runner_start(struct app *app)
{
    char *kept = NULL, *command = NULL;
    const char *given = app->options->runner && *app->options->runner ? app->options->runner : NULL;
    if (!given && app->store && store_setting_get(app->store, "runner", &kept) == 1)
        command = text_dup(kept);
    else
        command = default_runner(given);
    if (command)
        app_use_runner(app, command);
    free(kept);
    free(command);
}

/* What was asked for, once it is known whether there is a GPU to play it on. */
static void play_start(struct app *app)
{
    if (!is_awaited(app) || gpu_state(app->gpu) == GPU_LOOKING)
        return;
    app->played = true;
    app->options->open_play(app, app->options->play);
}

static int signals_open(const struct tui_options *options, struct err *err)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGWINCH);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTSTP);
    if (options->ask_quit)               /* elsewhere it ends even a program that hangs (term.c) */
        sigaddset(&set, SIGQUIT);
    signal(SIGPIPE, SIG_IGN);
    return os_signal_open(&set, err);
}

/* The first frame comes before the runner, so that a slow one is never waited for. */
static void run(struct app *app, int signals)
{
    app->now = os_monotonic_ms();
    packs_start(app);
    store_start(app);
    app->options->open_first(app, app->options->ctx);
    app_settle(app);
    term_forget_keys(); /* typed before anything could be seen */
    app_draw(app);
    runner_start(app);
    while (!app->quit && app->depth > 0) {
        bool awaited = is_awaited(app);
        play_start(app);
        app_settle(app);
        if (awaited && app->played)
            term_forget_keys();
        if (!app->lent.pid)
            app_draw(app);
        turn(app, signals);
    }
}

static void app_end(struct app *app)
{
    app_clear(app);
    term_close();
    gpu_free(app->gpu);
    trust_answers_free(&app->trust);
    if (app->store && backup_if_due(app->store, wall_now()) <
                          0) /* once a day, after the terminal was given back */
        fprintf(stderr, "warpdrill: %s\n", store_message(app->store));
    catalog_free(app->catalog);
    for (int i = 0; i < app->n_shut; i++)
        pack_free(app->shut[i]);
    free(app->shut);
    library_free(&app->library);
    store_free(app->store);
    store_free(app->seen);
}

int tui_run(const struct tui_options *options)
{
    struct app app = {.options = options,
                      .open_help = help_open,
                      .trust = {.always = options->trust},
                      .dirty = true,
                      .runner_due = -1};
    struct err err;
    const char *note;
    int signals = signals_open(options, &err);
    if (signals < 0 || term_open(&note, &err) != 0) {
        fprintf(stderr, "warpdrill: %s\n", err.text);
        return signals < 0 ? 1 : 2;
    }
    if (note)
        app_say(&app, "%s", note);
    app.gpu = gpu_new();
    run(&app, signals);
    app_end(&app);
    os_signal_close(signals);
    return app.status;
}
