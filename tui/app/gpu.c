#include "tui/app/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

struct gpu {
    enum gpu_state state;
    struct client *client;
    struct msg_device device;
    bool described, measuring;
    bool linking;                  /* links were asked for, once for a runner */
    int64_t asked;                 /* id of the request of ours that is under way */
    char *command;
    char say[sizeof((struct err *)0)->text], sentence[128];
    int at, of;
};

static void set_state(struct gpu *g, enum gpu_state state)
{
    static const char *const words[] = {"no GPU here: recorded evidence", "looking for a GPU", "",
                                        "no GPU here: recorded evidence", ""};
    g->state = state;
    if (state == GPU_READY || state == GPU_LOST)
        snprintf(g->sentence, sizeof g->sentence, "%s, %s", g->device.name,
                 state == GPU_READY ? "live" : "link lost");
    else
        snprintf(g->sentence, sizeof g->sentence, "%s", words[state]);
}

struct gpu *gpu_new(void)
{
    struct gpu *g = mem_new(1, sizeof *g);
    g->command = text_dup("");
    set_state(g, GPU_NONE);
    return g;
}

/* The client is kept: it sees the old runner off while it serves the next. */
static void end_runner(struct gpu *g)
{
    struct client_event e;
    if (g->client)
        client_stop(g->client);
    while (g->client && client_event(g->client, &e))
        continue; /* of what was ended */
    msg_device_free(&g->device);
    memset(&g->device, 0, sizeof g->device);
    g->described = g->measuring = g->linking = false;
    g->asked = 0;
    g->at = g->of = 0;
    g->say[0] = '\0';
}

void gpu_free(struct gpu *g)
{
    if (!g)
        return;
    msg_device_free(&g->device);
    client_free(g->client);
    free(g->command);
    free(g);
}

static void give_up(struct gpu *g, const char *why)
{
    snprintf(g->say, sizeof g->say, "%s", why);
    set_state(g, GPU_ABSENT);
}

static void ask(struct gpu *g, const char *ceilings)
{
    struct err err;
    g->asked = client_describe(g->client, ceilings, &err);
    if (g->asked < 0)
        give_up(g, err.text);
}

void gpu_use(struct gpu *g, const char *command)
{
    struct err err;
    bool wanted = command && *command;
    char *kept = text_dup(command ? command : g->command);
    free(g->command); /* may be what `command` points to */
    g->command = kept;
    end_runner(g);
    set_state(g, GPU_NONE);
    if (!wanted)
        return;
    int rc =
        g->client ? client_again(g->client, kept, NULL, &err) : client_open(&g->client, kept, &err);
    if (rc != 0) {
        give_up(g, err.text);
        return;
    }
    set_state(g, GPU_LOOKING);
    snprintf(g->say, sizeof g->say, "starting %s", kept);
    ask(g, "cached");
}

/* ---- what it is, and what became of it ---- */

enum gpu_state gpu_state(const struct gpu *g)
{
    return g->state;
}

struct client *gpu_client(struct gpu *g)
{
    return g->state == GPU_READY && client_alive(g->client) ? g->client : NULL;
}

const struct msg_device *gpu_device(const struct gpu *g)
{
    return g->state == GPU_READY ? &g->device : NULL;
}

const char *gpu_command(const struct gpu *g)
{
    return g->command;
}

const char *gpu_sentence(const struct gpu *g)
{
    return g->sentence;
}

const char *gpu_say(const struct gpu *g)
{
    return g->say;
}

const char *gpu_greeting(const struct gpu *g)
{
    const char *text = g->client ? client_greeting(g->client) : NULL;
    return text ? text : "";
}

const char *gpu_log(const struct gpu *g)
{
    const char *text = g->client ? client_log(g->client) : NULL;
    return text ? text : "";
}

bool gpu_progress(const struct gpu *g, int *at, int *of)
{
    *at = g->at;
    *of = g->of;
    return g->state == GPU_LOOKING && g->of > 0;
}

/* ---- events ---- */

/* The device that the client lends is ours only for a moment; only what we asked for ourselves is
 * kept. */
static void take_device(struct gpu *g, const struct client_event *e)
{
    struct err err;
    if (g->state == GPU_LOST &&
        client_alive(g->client)) { /* somebody connected again, and it is the same GPU */
        g->say[0] = '\0';
        set_state(g, GPU_READY);
    }
    if (e->id != g->asked || !e->device)
        return;
    json_t *copy = msg_device_encode(e->device);
    msg_device_free(&g->device);
    memset(&g->device, 0, sizeof g->device);
    g->described = msg_device_decode(&g->device, copy, &err) == 0;
    json_decref(copy);
    if (!g->described)
        give_up(g, err.text);
}

/* Where several GPUs are, and nobody measured between them. A failure leaves what is known. */
static bool ask_links(struct gpu *g)
{
    struct err err;
    double gpus = 1;
    if (g->linking || g->device.links.gpus || !client_can(g->client, "links") ||
        !msg_device_number(&g->device, "gpus", &gpus) || gpus < 2)
        return false;
    g->linking = true;
    snprintf(g->say, sizeof g->say, "measuring the links between its GPUs");
    g->asked = client_links(g->client, 2, false, &err);
    return g->asked > 0;
}

/* Without the copy's rate nothing can be graded live, so a first visit measures it. */
static void described(struct gpu *g)
{
    double copy;
    if (!msg_device_ceiling(&g->device, "copy", &copy) && !g->measuring) {
        g->measuring = true;
        snprintf(g->say, sizeof g->say, "measuring what %s can do at best", g->device.name);
        ask(g, "measure");
        return;
    }
    if (ask_links(g))
        return;
    g->say[0] = '\0';
    set_state(g, GPU_READY);
}

static void take_done(struct gpu *g, const struct client_event *e)
{
    if (e->id != g->asked)
        return;
    g->asked = 0;
    const struct msg_done *d = e->done;
    if (g->described)
        described(g);
    else if (d && d->text)
        snprintf(g->say, sizeof g->say, "%s%s%s", d->text, d->remedy ? "; " : "",
                 d->remedy ? d->remedy : "");
    if (!g->described)
        set_state(g, GPU_ABSENT);
}

static void take_news(struct gpu *g, const struct client_event *e)
{
    bool connecting = g->state == GPU_LOOKING || (g->state == GPU_LOST && client_alive(g->client));
    if (!connecting)
        return;
    snprintf(g->say, sizeof g->say, "%s", e->say);
    g->at = e->at;
    g->of = e->of;
    if (e->queued_s)
        snprintf(g->sentence, sizeof g->sentence, "in a queue for %d:%02d", e->queued_s / 60,
                 e->queued_s % 60);
    else if (e->kind == CLIENT_STATE)
        snprintf(g->sentence, sizeof g->sentence,
                 g->state == GPU_LOST ? "connecting again" : "looking for a GPU");
}

static void take(struct gpu *g, const struct client_event *e)
{
    bool had_one = g->state == GPU_READY || g->state == GPU_LOST;
    if (e->kind == CLIENT_DEVICE) {
        take_device(g, e);
    } else if (e->kind == CLIENT_LINKS && e->id == g->asked) {
        g->device.links = *e->links;
    } else if (e->kind == CLIENT_DONE) {
        take_done(g, e);
    } else if (e->kind == CLIENT_LOST) {
        give_up(g, e->say);
        if (had_one)
            set_state(g, GPU_LOST);
    } else if (e->kind == CLIENT_STATE || e->kind == CLIENT_PROGRESS) {
        take_news(g, e);
    }
}

int gpu_fds(const struct gpu *g, struct pollfd *fds, int max)
{
    return g->client ? client_fds(g->client, fds, max) : 0;
}

int gpu_timeout_ms(const struct gpu *g)
{
    return g->client ? client_timeout_ms(g->client) : -1;
}

void gpu_step(struct gpu *g)
{
    if (g->client)
        client_step(g->client);
}

bool gpu_event(struct gpu *g, struct client_event *out)
{
    if (!g->client || !client_event(g->client, out))
        return false;
    take(g, out);
    return true;
}
