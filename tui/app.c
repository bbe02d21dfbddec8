#include "tui/app_inside.h"

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
#include "drills/review.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"
#include "scenarios/sealing.h"
#include "tui/cmd.h"
#include "tui/console.h"
#include "tui/history.h"
#include "tui/layout.h"
#include "tui/term.h"

enum { FDS_MOST = 64, CTRL_L = 'l' & 0x1F };

/* ---- what screens ask ---- */

struct store *app_store(struct app *app) { return app->store; }
const struct catalog *app_catalog(const struct app *app) { return app->catalog; }

const struct library *app_library(struct app *app)
{
    if (app->host)
        return app_library(app->host);
    if (!app->library_read)
        library_open(&app->library);
    app->library_read = true;
    return &app->library;
}

struct client *app_client(struct app *app) { return gpu_client(app->gpu); }
const struct msg_device *app_device(const struct app *app) { return gpu_device(app->gpu); }
const char *app_gpu_state(const struct app *app) { return gpu_sentence(app->gpu); }
const struct gpu *app_gpu(const struct app *app) { return app->gpu; }
struct trust_answers *app_trust(struct app *app) { return app->host ? &app->host->trust : &app->trust; }
int64_t app_now(const struct app *app) { return app->now; }
const char *app_said(const struct app *app) { return app->said[0] ? app->said : NULL; }
int app_rows(const struct app *app) { return app->canvas ? canvas_rows(app->canvas) : draw_rows(); }
int app_columns(const struct app *app) { return app->canvas ? canvas_columns(app->canvas) : draw_width(); }

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
    if (app->host)
        return; /* a joined terminal marks its pastes always */
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

static struct layer *layer_find(const struct app *app, const struct screen_ops *ops)
{
    for (int i = app->depth - 1; i >= 0; i--)
        if (app->stack[i]->ops == ops)
            return app->stack[i];
    return NULL;
}

void *app_guest_find(const struct app *guest, const struct screen_ops *ops)
{
    struct layer *layer = layer_find(guest, ops);
    return layer ? layer->self : NULL;
}

void app_guest_drop(struct app *guest, const struct screen_ops *ops)
{
    struct layer *layer = layer_find(guest, ops);
    if (!layer)
        return;
    layer_remove(guest, layer);
    if (guest->n_left && !guest->running)
        layers_bury(guest);
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

void app_settle(struct app *app)
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
        *(app->host ? &app->wants_out : &app->quit) = true;
    if (flags)
        app->dirty = true;
}

static unsigned context_of(const struct layer *layer)
{
    return layer->ops->context_of ? layer->ops->context_of(layer->self) : layer->ops->context;
}

/* ---- drawing ---- */

void app_draw(struct app *app)
{
    struct layer *layer = top(app);
    if (!app->dirty || !layer)
        return;
    app->dirty = app->unseen = false;
    draw_onto(app->canvas);
    draw_clear();
    if (layout_size(draw_rows(), draw_width()) == SIZE_NONE)
        draw_too_small(draw_rows(), draw_width());
    else
        layer->ops->draw(app, layer->self);
    draw_onto(NULL);
    if (!app->canvas)
        term_show();
}

/* ---- keys ---- */

/* A guest is asked once more: an interview is not left by a slip of a finger. */
static void quit(struct app *app)
{
    if (!app->host) {
        app->quit = true;
    } else if (app->leaving == 1) {
        app->wants_out = true;
    } else {
        app->leaving = 2;
        app_say(app, "q again leaves; the interview stays as it is, and the same code comes back to it.");
    }
}

static void act(struct app *app, struct layer *layer, enum action action, int arg)
{
    if (action == ACT_QUIT)
        quit(app);
    else if (action == ACT_HELP)
        help_open(app, context_of(layer));
    else if (action != ACT_NONE && layer->ops->act) {
        app->running = layer;
        obey(app, layer, layer->ops->act(app, layer->self, action, arg));
    }
}

void app_press(struct app *app, int key)
{
    struct layer *layer = top(app);
    int arg = 0;
    if (key == KEY_RESIZE || !layer)
        return;
    if (layout_size(app_rows(app), app_columns(app)) == SIZE_NONE) { /* nobody acts on what cannot be seen */
        app->quit = key == 'q' && !app->host;
        return;
    }
    if (app->said[0])
        app->dirty = true;
    app->said[0] = '\0';
    app->unseen = false;
    app->leaving -= app->leaving > 0;
    if (key == CTRL_L) {
        if (!app->canvas)
            term_repaint();
        app->dirty = true;
    } else if (layer->typing && layer->ops->text) {
        app->running = layer;
        obey(app, layer, layer->ops->text(app, layer->self, key));
    } else {
        enum action action = action_of_key(context_of(layer), key, &arg);
        act(app, layer, action, arg);
    }
    app_settle(app);
}

/* ---- time, the runner, signals ---- */

void app_clear(struct app *app)
{
    while (app->depth > 0) {
        layer_remove(app, top(app));
        layers_bury(app);
    }
}

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
void app_run_ticks(struct app *app)
{
    for (int i = app->depth - 1; i >= 0 && i < app->depth; i--) {
        struct layer *layer = app->stack[i];
        if (!layer->ops->tick || !is_due(layer->due, app->now))
            continue;
        layer->due = -1;
        app->running = layer;
        obey(app, layer, layer->ops->tick(app, layer->self, app->now));
    }
    app_settle(app);
}

void app_tell(struct app *app, const struct client_event *e)
{
    app->dirty |= e->kind == CLIENT_STATE || e->kind == CLIENT_DEVICE || e->kind == CLIENT_DONE || e->kind == CLIENT_LOST;
    for (int i = app->depth - 1; i >= 0 && i < app->depth; i--) {
        struct layer *layer = app->stack[i];
        if (!layer->ops->event)
            continue;
        app->running = layer;
        obey(app, layer, layer->ops->event(app, layer->self, e));
    }
    app_settle(app);
}

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

int64_t app_first_due(struct app *app)
{
    int64_t first = INT64_MAX;
    for (int i = 0; i < app->depth; i++) {
        struct layer *layer = app->stack[i];
        due_follow(&layer->due, layer->ops->due_ms ? layer->ops->due_ms(app, layer->self, app->now) : -1, app->now);
        if (layer->due >= 0 && layer->due < first)
            first = layer->due;
    }
    return first;
}

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

/* Until the first of everything that waits for time; -1: nothing does, and the program sleeps. */
static int timeout_of(struct app *app)
{
    int64_t first = app_first_due(app);
    due_follow(&app->runner_due, gpu_timeout_ms(app->gpu), app->now);
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

/* False at the end of input: the terminal is gone. */
static bool read_keys(struct app *app, int signals)
{
    int waiting = 0, key;
    if (ioctl(STDIN_FILENO, FIONREAD, &waiting) != 0 || waiting == 0)
        return false;
    while (!app->quit && term_key(&key)) {
        run_signals(app, signals); /* a key belongs to the size at which it was pressed */
        app_press(app, key);
    }
    return true;
}

/* What screens wait for beside keys and the runner; `owner` receives whose each is. */
static int screens_fds(const struct app *app, struct pollfd *fds, struct layer **owner, int most)
{
    int n = 0;
    for (int i = 0; i < app->depth; i++) {
        struct layer *layer = app->stack[i];
        int more = layer->ops->fds ? layer->ops->fds(layer->self, fds + n, most - n) : 0;
        for (int k = 0; k < more; k++)
            owner[n++] = layer;
    }
    return n;
}

static bool is_on_stack(const struct app *app, const struct layer *layer)
{
    for (int i = 0; i < app->depth; i++)
        if (app->stack[i] == layer)
            return true;
    return false;
}

/* A screen is told once a turn, however many of its descriptors have something; a key before may have taken it away. */
static void run_ready(struct app *app, const struct pollfd *fds, struct layer *const *owner, int n)
{
    for (int i = 0; i < n; i++) {
        struct layer *layer = owner[i];
        bool told = i > 0 && owner[i - 1] == layer && fds[i - 1].revents;
        if (!fds[i].revents || told || !is_on_stack(app, layer) || !layer->ops->ready)
            continue;
        app->running = layer;
        obey(app, layer, layer->ops->ready(app, layer->self));
    }
    app_settle(app);
}

static bool any_revents(const struct pollfd *fds, int n)
{
    for (int i = 0; i < n; i++)
        if (fds[i].revents)
            return true;
    return false;
}

static void turn(struct app *app, int signals)
{
    struct pollfd fds[FDS_MOST] = { { STDIN_FILENO, POLLIN, 0 }, { signals, POLLIN, 0 } };
    struct layer *owner[FDS_MOST];
    int runner = gpu_fds(app->gpu, fds + 2, FDS_MOST - 2), first = 2 + runner;
    int screens = screens_fds(app, fds + first, owner, FDS_MOST - first);
    int ready = poll(fds, (nfds_t)(first + screens), timeout_of(app));
    app->now = os_monotonic_ms();
    if (app->guest)
        app->guest->now = app->now;
    if (ready > 0 && fds[1].revents)
        run_signals(app, signals);
    if (ready > 0 && fds[0].revents && (!(fds[0].revents & POLLIN) || !read_keys(app, signals)))
        app->quit = true;
    if (is_due(app->runner_due, app->now) || any_revents(fds + 2, runner))
        run_events(app);
    run_ready(app, fds + first, owner, screens);
    app_run_ticks(app);
    if (app->guest)
        app_run_ticks(app->guest);
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
        app_say(app, app->options->host ? "Packs left out: %d; `warpdrill list` says why" : "Packs left out: %d; s says why", app->catalog->n_problems);
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
    if (app->options->host)
        host_open(app, app->options->host);
    else
        home_open(app);
    app_settle(app);
    app_draw(app);
    runner_start(app);
    while (!app->quit && app->depth > 0) {
        play_start(app);
        app_settle(app);
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
