#include <stdlib.h>

#include "kernels/wire/text.h"
#include "tui/app/app_inside.h"
#include "tui/app/guest.h"

struct app *app_guest_new(struct app *host, struct store *store, struct interview *live, int rows,
                          int columns)
{
    struct app *guest = mem_new(1, sizeof *guest);
    guest->host = host;
    guest->store = store;
    guest->live = live;
    guest->catalog = host->catalog;
    guest->gpu = host->gpu;
    guest->options = host->options;
    guest->open_help = host->open_help;
    guest->now = host->now;
    guest->runner_due = -1;
    guest->canvas = canvas_new(rows, columns);
    guest->shown = canvas_new(rows, columns);
    guest->dirty = true;
    host->guest = guest;
    return guest;
}

void app_guest_free(struct app *guest)
{
    if (!guest)
        return;
    app_clear(guest);
    guest->host->guest = NULL;
    canvas_free(guest->canvas);
    canvas_free(guest->shown);
    free(guest);
}

void app_guest_key(struct app *guest, int key)
{
    guest->now = guest->host->now;
    app_press(guest, key);
}

void app_guest_resize(struct app *guest, int rows, int columns)
{
    canvas_resize(guest->canvas, rows, columns);
    guest->dirty = true;
}

const struct canvas *app_guest_picture(struct app *guest, bool *changed)
{
    app_draw(guest);
    *changed = !canvas_equal(guest->canvas, guest->shown);
    if (*changed)
        canvas_copy(guest->shown, guest->canvas);
    return guest->canvas;
}

bool app_guest_moved(const struct app *guest) { return guest->dirty; }

void app_guest_refresh(struct app *guest)
{
    for (int i = 0; i < guest->depth; i++) {
        struct layer *layer = guest->stack[i];
        guest->running = layer;
        if (layer->ops->shown)
            layer->ops->shown(guest, layer->self);
        guest->running = NULL;
    }
    guest->dirty = true;
    app_settle(guest);
}

void app_guest_clear(struct app *guest)
{
    app_clear(guest);
    app_guest_hush(guest);
}

void app_guest_hush(struct app *guest)
{
    app_unsay(guest);
    guest->leaving = 0;
}

bool app_guest_once(struct app *guest, unsigned what)
{
    bool first = !(guest->told & what);
    guest->told |= what;
    return first;
}

bool app_guest_wants_out(struct app *guest)
{
    bool wants = guest->wants_out;
    guest->wants_out = false;
    return wants;
}
