#include "tui/app.h"

#include <curses.h>
#include <poll.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "db/backup.h"
#include "drills/library.h"
#include "drills/review.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"
#include "scenarios/sealing.h"
#include "tui/cmd.h"
#include "tui/gpu.h"
#include "tui/history.h"
#include "tui/layout.h"
#include "tui/term.h"
#include "tui/trust_screen.h"

enum { STACK_MOST = 8, FDS_MOST = 12, CTRL_L = 'l' & 0x1F };

/* One screen on the stack. It is freed at the end of the turn in which it left, so that a handler may replace its own screen. */
struct layer { const struct screen_ops *ops; void *self; bool typing, gone, covered; int64_t due; /* when tick is called; -1: never */ };

struct app {
    struct layer *stack[STACK_MOST], *left[STACK_MOST];
    int depth, n_left;
    struct layer *running;          /* whose handler is being called */
    struct store *store;
    struct catalog *catalog;
    struct pack **shut; int n_shut; /* sealed packs that were opened meanwhile */
    struct library library;
    bool library_read;
    struct gpu *gpu;
    struct trust_answers trust;
    const struct tui_options *options;
    int64_t now, runner_due;        /* when the runner's end wants to be called; -1: never */
    uint64_t seeds;                 /* given out so far */
    char said[256];
    bool unseen;                    /* what was said was not drawn yet */
    bool dirty, quit, pasting, played;
    int status;
};

/* ---- what screens ask ---- */

struct store *app_store(struct app *app) { return app->store; }
const struct catalog *app_catalog(const struct app *app) { return app->catalog; }

const struct library *app_library(struct app *app)
{
    if (!app->library_read)
        library_open(&app->library);
    app->library_read = true;
    return &app->library;
}

struct client *app_client(struct app *app) { return gpu_client(app->gpu); }
const struct msg_device *app_device(const struct app *app) { return gpu_device(app->gpu); }
const char *app_gpu_state(const struct app *app) { return gpu_sentence(app->gpu); }
const struct gpu *app_gpu(const struct app *app) { return app->gpu; }
struct trust_answers *app_trust(struct app *app) { return &app->trust; }
int64_t app_now(const struct app *app) { return app->now; }
const char *app_said(const struct app *app) { return app->said[0] ? app->said : NULL; }
int app_rows(const struct app *app) { (void)app; return LINES; }
int app_columns(const struct app *app) { (void)app; return COLS; }

/* The bare name means the runner that came with this program. */
void app_use_runner(struct app *app, const char *command)
{
    char *own = command && !strcmp(command, "warpdrill-runner") ? cmd_runner(NULL) : NULL;
    gpu_use(app->gpu, own ? own : command);
    free(own);
    app->dirty = true;
}

bool app_seeded(const struct app *app) { return app->options->seeded; }

uint64_t app_seed(struct app *app)
{
    uint64_t seed;
    if (app->options->seeded)
        return app->options->seed + app->seeds++;
    os_random(&seed, sizeof seed);
    return seed & INT64_MAX; /* SQLite's and JSON's integers are signed */
}

const char *app_passphrase_file(const struct app *app) { return app->options->passphrase_file; }

int app_unseal(struct app *app, const struct pack *sealed, const struct secret *s, struct err *err)
{
    struct pack *opened;
    char *changed;
    struct catalog *c = app->catalog;
    int rc = sealing_unseal(&opened, &changed, sealed, s, err);
    if (rc)
        return rc;
    if (changed)
        app_say(app, "Since it was sealed, %.*s%s", (int)strcspn(changed, "\n"), changed, strchr(changed, '\n') ? ", and more" : "");
    free(changed);
    for (int i = 0; i < c->n_packs; i++)
        if (c->packs[i] == sealed) {
            app->shut = mem_grow(app->shut, (size_t)app->n_shut + 1, sizeof *app->shut);
            app->shut[app->n_shut++] = c->packs[i];
            c->packs[i] = opened;
            return 0;
        }
    pack_free(opened); /* another screen opened it before */
    return 0;
}

void app_say(struct app *app, const char *fmt, ...)
{
    va_list args;
    size_t n = app->unseen ? strlen(app->said) : 0; /* several things at once stand side by side */
    if (n > 0 && n + 3 < sizeof app->said)
        n += (size_t)snprintf(app->said + n, sizeof app->said - n, "   ");
    va_start(args, fmt);
    vsnprintf(app->said + n, sizeof app->said - n, fmt, args);
    va_end(args);
    app->dirty = app->unseen = true;
}

/* ---- the stack ---- */

static struct layer *top(struct app *app)
{
    return app->depth > 0 ? app->stack[app->depth - 1] : NULL;
}

/* A paste is marked only while somebody reads text; else it would be keys. */
static void follow_typing(struct app *app)
{
    struct layer *layer = top(app);
    bool wanted = layer && layer->typing;
    if (wanted != app->pasting)
        term_paste(wanted);
    app->pasting = wanted;
}

void app_text_input(struct app *app, bool on)
{
    struct layer *layer = app->running ? app->running : top(app);
    if (layer)
        layer->typing = on;
}

static void layer_remove(struct app *app, struct layer *layer)
{
    if (!layer || layer->gone)
        return;
    for (int i = 0; i < app->depth; i++)
        if (app->stack[i] == layer) {
            memmove(&app->stack[i], &app->stack[i + 1], (size_t)(app->depth - i - 1) * sizeof app->stack[0]);
            app->depth--;
            break;
        }
    layer->gone = true;
    app->left[app->n_left++] = layer;
    app->dirty = true;
}

static void layers_bury(struct app *app)
{
    while (app->n_left > 0) {
        struct layer *layer = app->left[--app->n_left], *before = app->running;
        app->running = layer;
        layer->ops->leave(app, layer->self);
        app->running = before;
        free(layer);
    }
}

void app_push(struct app *app, const struct screen_ops *ops, void *self)
{
    struct layer *layer = mem_new(1, sizeof *layer), *before = app->running;
    struct err err = { 0 };
    layer->ops = ops;
    layer->self = self;
    layer->due = -1;
    if (app->depth + app->n_left >= STACK_MOST) { /* the oldest but home goes: deep paths never need it again */
        struct layer *oldest = app->stack[1];
        layer_remove(app, oldest);
        if (oldest != app->running)
            layers_bury(app);
    }
    app->stack[app->depth++] = layer;
    app->dirty = true;
    app->running = layer;
    int rc = ops->enter ? ops->enter(app, self, &err) : 0;
    app->running = before;
    if (rc != 0) {
        app_say(app, "%s", err.text);
        layer_remove(app, layer);
    }
}

void app_replace(struct app *app, const struct screen_ops *ops, void *self)
{
    layer_remove(app, app->running ? app->running : top(app));
    app_push(app, ops, self);
}

/* After handlers: what left is freed, what was uncovered is told. */
static void settle(struct app *app)
{
    layers_bury(app);
    for (int i = 0; i < app->depth; i++) {
        struct layer *layer = app->stack[i];
        bool uncovered = layer->covered && i == app->depth - 1;
        layer->covered = i < app->depth - 1;
        if (uncovered && layer->ops->shown)
            layer->ops->shown(app, layer->self);
    }
    follow_typing(app);
}

static void obey(struct app *app, struct layer *layer, int flags)
{
    app->running = NULL;
    if (flags & DO_POP)
        layer_remove(app, layer);
    if (flags & DO_QUIT)
        app->quit = true;
    if (flags)
        app->dirty = true;
}

static unsigned context_of(const struct layer *layer)
{
    return layer->ops->context_of ? layer->ops->context_of(layer->self) : layer->ops->context;
}

/* ---- drawing ---- */

static void draw(struct app *app)
{
    struct layer *layer = top(app);
    if (!app->dirty || !layer)
        return;
    app->dirty = app->unseen = false;
    draw_clear();
    if (layout_size(LINES, COLS) == SIZE_NONE)
        draw_too_small(LINES, COLS);
    else
        layer->ops->draw(app, layer->self);
    term_show();
}

/* ---- keys ---- */

static void act(struct app *app, struct layer *layer, enum action action, int arg)
{
    if (action == ACT_QUIT)
        app->quit = true;
    else if (action == ACT_HELP)
        help_open(app, context_of(layer));
    else if (action != ACT_NONE && layer->ops->act) {
        app->running = layer;
        obey(app, layer, layer->ops->act(app, layer->self, action, arg));
    }
}

static void press(struct app *app, int key)
{
    struct layer *layer = top(app);
    int arg = 0;
    if (key == KEY_RESIZE || !layer)
        return;
    if (layout_size(LINES, COLS) == SIZE_NONE) { /* nobody acts on what cannot be seen */
        app->quit = key == 'q';
        return;
    }
    if (app->said[0])
        app->dirty = true;
    app->said[0] = '\0';
    app->unseen = false;
    if (key == CTRL_L) {
        term_repaint();
        app->dirty = true;
    } else if (layer->typing && layer->ops->text) {
        app->running = layer;
        obey(app, layer, layer->ops->text(app, layer->self, key));
    } else {
        enum action action = action_of_key(context_of(layer), key, &arg);
        act(app, layer, action, arg);
    }
    settle(app);
}

/* ---- time, the runner, signals ---- */

/* A wish of `in` ms from now (-1: none) never puts an earlier one off, so that a busy keyboard starves nobody. */
static void due_follow(int64_t *due, int in, int64_t now)
{
    if (in < 0)
        *due = -1;
    else if (*due < 0 || now + in < *due)
        *due = now + in;
}

static bool is_due(int64_t due, int64_t now)
{
    return due >= 0 && now >= due;
}

/* Screens below the top keep their time too: a belief is stored while help is open. */
static void run_ticks(struct app *app)
{
    for (int i = app->depth - 1; i >= 0 && i < app->depth; i--) {
        struct layer *layer = app->stack[i];
        if (!layer->ops->tick || !is_due(layer->due, app->now))
            continue;
        layer->due = -1;
        app->running = layer;
        obey(app, layer, layer->ops->tick(app, layer->self, app->now));
    }
    settle(app);
}

static void run_events(struct app *app)
{
    struct client_event e;
    app->runner_due = -1;
    gpu_step(app->gpu);
    while (gpu_event(app->gpu, &e)) {
        app->dirty |= e.kind == CLIENT_STATE || e.kind == CLIENT_DEVICE || e.kind == CLIENT_DONE || e.kind == CLIENT_LOST;
        for (int i = app->depth - 1; i >= 0 && i < app->depth; i--) {
            struct layer *layer = app->stack[i];
            if (!layer->ops->event)
                continue;
            app->running = layer;
            obey(app, layer, layer->ops->event(app, layer->self, &e));
        }
        settle(app);
    }
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
        app->quit = true;
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

/* Until the first of everything that waits for time; -1: nothing does, and the program sleeps. */
static int timeout_of(struct app *app)
{
    int64_t first = INT64_MAX;
    due_follow(&app->runner_due, gpu_timeout_ms(app->gpu), app->now);
    if (app->runner_due >= 0)
        first = app->runner_due;
    for (int i = 0; i < app->depth; i++) {
        struct layer *layer = app->stack[i];
        due_follow(&layer->due, layer->ops->due_ms ? layer->ops->due_ms(app, layer->self, app->now) : -1, app->now);
        if (layer->due >= 0 && layer->due < first)
            first = layer->due;
    }
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

static void turn(struct app *app, int signals)
{
    struct pollfd fds[FDS_MOST] = { { STDIN_FILENO, POLLIN, 0 }, { signals, POLLIN, 0 } };
    nfds_t n = 2 + (nfds_t)gpu_fds(app->gpu, fds + 2, FDS_MOST - 2);
    int ready = poll(fds, n, timeout_of(app));
    app->now = os_monotonic_ms();
    if (ready > 0 && fds[1].revents)
        run_signals(app, signals);
    if (ready > 0 && fds[0].revents && (!(fds[0].revents & POLLIN) || !read_keys(app, signals)))
        app->quit = true;
    bool runner = is_due(app->runner_due, app->now);
    for (nfds_t i = 2; i < n; i++)
        runner |= fds[i].revents != 0;
    if (runner)
        run_events(app);
    run_ticks(app);
}

/* ---- from start to end ---- */

static void store_start(struct app *app)
{
    struct err err;
    char *path = cmd_db(app->options->db);
    if (store_open(&app->store, path, 20) != STORE_OK) {
        app_say(app, "Progress cannot be kept: %s", app->store ? store_message(app->store) : path);
        store_free(app->store);
        app->store = NULL;
    } else if (review_rebuild(app->store, &err) != 0) {
        app_say(app, "%s", err.text);
    }
    free(path);
}

int app_restore(struct app *app, const char *file, char **kept)
{
    char *path = cmd_db(app->options->db);
    *kept = NULL;
    store_free(app->store);
    app->store = NULL;
    int rc = backup_restore(path, file, kept);
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
        app_say(app, "Packs left out: %d; s says why", app->catalog->n_problems);
}

/* What the command line or the environment says, else what was typed on the GPU screen, else what is beside this program. */
static void runner_start(struct app *app)
{
    char *kept = NULL, *command = NULL;
    const char *given = app->options->runner && *app->options->runner ? app->options->runner : NULL;
    if (!given && app->store && store_setting_get(app->store, "runner", &kept) == 1)
        command = text_dup(kept);
    else
        command = cmd_runner(given);
    if (command)
        app_use_runner(app, command);
    free(kept);
    free(command);
}

/* "drills", "drills:TOPIC", "drill:SET/ID" or "cards"; false: something else. */
static bool play_practice(struct app *app, const char *what)
{
    if (!strcmp(what, "drills"))
        drills_begin(app, NULL);
    else if (!strncmp(what, "drill:", strlen("drill:")))
        drills_begin(app, what + strlen("drill:"));
    else if (!strncmp(what, "drills:", strlen("drills:"))) {
        char id[80];
        snprintf(id, sizeof id, "topic:%.70s", what + strlen("drills:"));
        drills_begin(app, id);
    } else if (!strcmp(what, "cards"))
        cards_begin(app);
    else
        return false;
    return true;
}

/* `play ID`, once it is known whether there is a GPU to play it on. */
static void play_start(struct app *app)
{
    const struct story *story;
    const struct variant *variant;
    struct err err;
    if (app->played || !app->options->play || gpu_state(app->gpu) == GPU_LOOKING)
        return;
    app->played = true;
    if (play_practice(app, app->options->play) || !app->catalog)
        return;
    if (catalog_find(app->catalog, app->options->play, &story, &variant, &err) == 0)
        investigation_open_new(app, story, variant);
    else
        app_say(app, "%s", err.text);
}

static int signals_open(struct err *err)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGWINCH);
    sigaddset(&set, SIGTERM);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTSTP);
    signal(SIGPIPE, SIG_IGN);
    return os_signal_open(&set, err);
}

/* The first frame comes before the runner, so that a slow one is never waited for. */
static void run(struct app *app, int signals)
{
    app->now = os_monotonic_ms();
    packs_start(app);
    store_start(app);
    home_open(app);
    settle(app);
    draw(app);
    runner_start(app);
    while (!app->quit && app->depth > 0) {
        play_start(app);
        settle(app);
        draw(app);
        turn(app, signals);
    }
}

static void app_end(struct app *app)
{
    while (app->depth > 0) {
        layer_remove(app, top(app));
        layers_bury(app);
    }
    term_close();
    gpu_free(app->gpu);
    trust_answers_free(&app->trust);
    if (app->store && backup_if_due(app->store, history_now()) < 0) /* once a day, after the terminal was given back */
        fprintf(stderr, "warpdrill: %s\n", store_message(app->store));
    catalog_free(app->catalog);
    for (int i = 0; i < app->n_shut; i++)
        pack_free(app->shut[i]);
    free(app->shut);
    library_free(&app->library);
    store_free(app->store);
}

int tui_run(const struct tui_options *options)
{
    struct app app = { .options = options, .trust = { .always = options->trust }, .dirty = true, .runner_due = -1 };
    struct err err;
    const char *note;
    int signals = signals_open(&err);
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
