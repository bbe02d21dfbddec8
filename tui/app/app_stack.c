/* The screens on the stack: coming and going, drawing, and what reaches them (keys, time, the
 * runner's events, descriptors). */
#include "tui/app/app_inside.h"

#include <curses.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "tui/app/guest.h"
#include "tui/kit/layout.h"
#include "tui/kit/term.h"

enum { CTRL_L = 'l' & 0x1F };

/* ---- coming and going ---- */

static struct layer *top(struct app *app)
{
    return app->depth > 0 ? app->stack[app->depth - 1] : NULL;
}

/* A paste is marked only while somebody reads text; else it would be keys. */
static void follow_typing(struct app *app)
{
    struct layer *layer = top(app);
    bool wanted = layer && (layer->typing || layer->find.typing);
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
            memmove(&app->stack[i], &app->stack[i + 1],
                    (size_t)(app->depth - i - 1) * sizeof app->stack[0]);
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
    if (app->depth + app->n_left >=
        STACK_MOST) { /* the oldest but home goes: deep paths never need it again */
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

void app_clear(struct app *app)
{
    while (app->depth > 0) {
        layer_remove(app, top(app));
        layers_bury(app);
    }
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

static const struct key_list *keys_of(struct app *app, const struct layer *layer)
{
    return layer->ops->keys ? layer->ops->keys(app, layer->self) : NULL;
}

/* ---- drawing ---- */

/* What a text field of the screen covers is not marked, and its keys stay. */
static bool is_searched(const struct layer *layer)
{
    return layer->ops->find && (layer->find.typing || (layer->find.on && !layer->typing));
}

static void draw_layer(struct app *app, const struct layer *layer)
{
    if (!is_searched(layer)) {
        layer->ops->draw(app, layer->self);
        return;
    }
    find_mark(&layer->find, app, layer->ops->find, layer->self);
    layer->ops->draw(app, layer->self);
    draw_marked(NULL, (struct rect){0});
    find_draw(&layer->find, app, layer->ops->find, layer->self);
}

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
        draw_layer(app, layer);
    draw_onto(NULL);
    if (!app->canvas)
        term_show();
}

/* ---- keys ---- */

static bool has_unsaved(const struct app *app)
{
    for (int i = 0; i < app->depth; i++)
        if (app->stack[i]->ops->unsaved && app->stack[i]->ops->unsaved(app->stack[i]->self))
            return true;
    return false;
}

/* A guest is asked once more: an interview is not left by a slip of a finger. So is who would lose
 * something. */
static void quit(struct app *app)
{
    if (app->leaving == 1 || (!app->host && !has_unsaved(app))) {
        *(app->host ? &app->wants_out : &app->quit) = true;
        return;
    }
    app->leaving = 2;
    app_say(app, "%s",
            app->host ? "q again leaves; the interview stays as it is, and the same code comes "
                        "back to it."
                      : "What you did last is not saved yet. q again leaves without it.");
}

static bool search(struct app *app, struct layer *layer, int key)
{
    if (!is_searched(layer))
        return false;
    app->running = layer;
    bool taken = find_press(&layer->find, app, layer->ops->find, layer->self, key);
    obey(app, layer, taken ? DO_REDRAW : DO_NOTHING);
    return taken;
}

void app_find_end(struct app *app)
{
    if (app->running)
        find_end(&app->running->find);
}

static void act(struct app *app, struct layer *layer, enum action action, int arg)
{
    if (action == ACT_FIND && layer->ops->find) {
        find_open(&layer->find, app, layer->ops->find, layer->self);
        app->dirty = true;
    } else if (action == ACT_QUIT)
        quit(app);
    else if (action == ACT_HELP)
        app->open_help(app, keys_of(app, layer));
    else if ((action != ACT_NONE || layer->ops->every_key) && layer->ops->act) {
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
    if (layout_size(app_rows(app), app_columns(app)) ==
        SIZE_NONE) { /* nobody acts on what cannot be seen */
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
    } else if (search(app, layer, key)) {
        ;
    } else if (layer->typing && layer->ops->text) {
        app->running = layer;
        obey(app, layer, layer->ops->text(app, layer->self, key));
    } else {
        enum action action = action_of_key(keys_of(app, layer), key, &arg);
        act(app, layer, action, arg);
    }
    app_settle(app);
}

/* ---- time, events, descriptors ---- */

void app_due_follow(int64_t *due, int in, int64_t now)
{
    if (in < 0)
        *due = -1;
    else if (*due < 0 || now + in < *due)
        *due = now + in;
}

bool app_due_come(int64_t due, int64_t now)
{
    return due >= 0 && now >= due;
}

/* Screens below the top keep their time too: a belief is stored while help is open. */
void app_run_ticks(struct app *app)
{
    for (int i = app->depth - 1; i >= 0 && i < app->depth; i--) {
        struct layer *layer = app->stack[i];
        if (!layer->ops->tick || !app_due_come(layer->due, app->now))
            continue;
        layer->due = -1;
        app->running = layer;
        obey(app, layer, layer->ops->tick(app, layer->self, app->now));
    }
    app_settle(app);
}

void app_tell(struct app *app, const struct client_event *e)
{
    app->dirty |= e->kind == CLIENT_STATE || e->kind == CLIENT_DEVICE || e->kind == CLIENT_DONE ||
                  e->kind == CLIENT_LOST;
    for (int i = app->depth - 1; i >= 0 && i < app->depth; i--) {
        struct layer *layer = app->stack[i];
        if (!layer->ops->event)
            continue;
        app->running = layer;
        obey(app, layer, layer->ops->event(app, layer->self, e));
    }
    app_settle(app);
}
int64_t app_first_due(struct app *app)
{
    int64_t first = INT64_MAX;
    for (int i = 0; i < app->depth; i++) {
        struct layer *layer = app->stack[i];
        app_due_follow(&layer->due,
                       layer->ops->due_ms ? layer->ops->due_ms(app, layer->self, app->now) : -1,
                       app->now);
        if (layer->due >= 0 && layer->due < first)
            first = layer->due;
    }
    return first;
}

int app_fds(const struct app *app, struct pollfd *fds, struct layer **owner, int most)
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

/* A screen is told once a turn, however many of its descriptors have something; a key before may
 * have taken it away. */
void app_ready(struct app *app, const struct pollfd *fds, struct layer *const *owner, int n)
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
