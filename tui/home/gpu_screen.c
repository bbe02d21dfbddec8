#include "tui/home/gpu_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/library/recorded_gpus.h"
#include "scenarios/supply/links_words.h"
#include "tui/app/app_data.h"
#include "tui/app/app_runner.h"
#include "tui/app/gpu.h"
#include "tui/kit/layout.h"
#include "tui/kit/textfield.h"
#include "tui/app/frame.h"
#include "tui/app/help.h"

struct gpu_page {
    struct textfield field;
    bool editing;
    char *before;                   /* command to go back to */
    struct recorded_gpus recorded;
    char first[64]; /* slug; whose recordings are played before others'; "": nobody chose */
};

void gpu_open(struct app *app)
{
    struct gpu_page *p = mem_new(1, sizeof *p);
    recorded_gpus_find(&p->recorded, app_catalog(app));
    app_recorded_gpu(app, p->first);
    app_push(app, &gpu_screen, p);
}

static void gpu_leave(struct app *app, void *self)
{
    struct gpu_page *p = self;
    (void)app;
    free(p->before);
    free(p);
}

/* ---- drawing, from top to bottom; each part returns the next free row ---- */

static int state_draw(const struct gpu *g, int y, int w)
{
    static const char *const words[] = {"no runner was started", "looking",
                                        "ready: measurements are live",
                                        "no GPU was reached; scenarios use recorded evidence",
                                        "the link was lost; r tries again, recorded evidence until "
                                        "then"};
    static const enum style styles[] = {STYLE_PLAIN, STYLE_ACCENT, STYLE_GOOD, STYLE_PLAIN,
                                        STYLE_BOLD};
    int at, of;
    draw_text(y, 2, 10, STYLE_DIM, "state");
    bool stopped = gpu_state(g) == GPU_NONE && *gpu_command(g);
    draw_text(y++, 13, w - 15, styles[gpu_state(g)],
              stopped ? "stopped; r starts it again" : words[gpu_state(g)]);
    if (gpu_progress(g, &at, &of))
        draw_bar(y++, 13, w / 2 - 13, (double)at / of, true, STYLE_ACCENT);
    struct rect say = { y, 13, 3, w - 15 };
    int lines = draw_wrapped(say, 0, STYLE_PLAIN, gpu_say(g));
    return y + (lines < 3 ? lines : 3);
}

static int command_draw(const struct gpu_page *p, const struct gpu *g, int y, int w)
{
    draw_text(y, 2, 10, STYLE_DIM, "command");
    if (p->editing)
        textfield_draw(&p->field, y, 13, w - 15, STYLE_ACCENT);
    else
        draw_text(y, 13, w - 15, STYLE_PLAIN, *gpu_command(g) ? gpu_command(g) : "none");
    return y + 1;
}

static int recorded_draw(const struct gpu_page *p, int y, int w)
{
    const struct recorded_gpus *g = &p->recorded;
    if (!g->n)
        return y;
    draw_text(y, 2, 10, STYLE_DIM, "recorded");
    draw_textf(y, 13, w - 15, STYLE_PLAIN, "%s%s",
               *p->first  ? recorded_gpus_name(g, p->first)
               : g->n > 1 ? "the most capable GPU of each story"
                          : g->gpu[0].name,
               *p->first ? ", where a story has it" : "");
    return y + 1;
}

static void device_versions(char *out, size_t size, const struct msg_device *d)
{
    snprintf(out, size, "driver %s, NVRTC %s, CUPTI %s", *d->driver ? d->driver : "n/a",
             *d->nvrtc ? d->nvrtc : "n/a", *d->cupti ? d->cupti : "n/a");
}

/* What can be measured stands together; what cannot, or not quite, has a row with the reason. */
static bool is_plain(const struct msg_tier *t)
{
    return t->ok && !(t->say && *t->say);
}

static int live_draw(const struct msg_device *d, int y, int w)
{
    char text[512] = "";
    for (int i = 0; i < d->n_tiers; i++)
        if (is_plain(&d->tiers[i]) && strlen(text) + 40 < sizeof text)
            snprintf(text + strlen(text), sizeof text - strlen(text), "%s%s", *text ? ", " : "",
                     wire_probe_name(d->tiers[i].probe));
    if (!*text)
        return y;
    struct rect r = { y, 26, 3, w - 28 };
    draw_text(y, 13, 12, STYLE_GOOD, "live");
    int lines = draw_wrapped(r, 0, STYLE_PLAIN, text);
    return y + (lines > 3 ? 3 : lines);
}

static int tier_draw(const struct msg_tier *t, int y, int w)
{
    char text[512];
    snprintf(text, sizeof text, "%s%s%s%s", t->ok ? "" : "n/a  ",
             t->say       ? t->say
             : t->missing ? t->missing
                          : "",
             t->remedy ? "; " : "", t->remedy ? t->remedy : "");
    struct rect r = { y, 26, 2, w - 28 };
    draw_text(y, 13, 12, STYLE_PLAIN, wire_probe_name(t->probe));
    int lines = draw_wrapped(r, 0, STYLE_PLAIN, text);
    return y + (lines > 2 ? 2 : lines);
}

/* Where there are several GPUs. */
static int links_draw(const struct msg_device *d, int y, int w, int end)
{
    struct links_row rows[LINKS_ROWS];
    int n = links_rows(rows, &d->links);
    if (n)
        draw_text(y, 2, 10, STYLE_DIM, "links");
    for (int i = 0; i < n && y < end; i++) {
        struct rect r = { y, 26, 2, w - 28 };
        draw_text(y, 13, 12, STYLE_PLAIN, rows[i].name);
        int lines = draw_wrapped(r, 0, rows[i].there ? STYLE_PLAIN : STYLE_DIM, rows[i].text);
        y += lines > 2 ? 2 : lines;
    }
    return y;
}

static int device_draw(const struct msg_device *d, int y, int w, int end)
{
    char text[128];
    draw_text(y, 2, 10, STYLE_DIM, "GPU");
    draw_text(y++, 13, w - 15, STYLE_BOLD, d->name);
    device_versions(text, sizeof text, d);
    draw_text(y++, 13, w - 15, STYLE_PLAIN, text);
    y = links_draw(d, y, w, end);
    draw_text(y, 2, 10, STYLE_DIM, "evidence");
    y = live_draw(d, y, w);
    for (int i = 0; i < d->n_tiers && y < end; i++)
        if (!is_plain(&d->tiers[i]))
            y = tier_draw(&d->tiers[i], y, w);
    return y;
}

/* What the other side said that is no message: a greeting, ssh's or Slurm's words. Its last lines
 * matter most. */
static int noise_draw(const char *title, const char *text, int y, int w, int end)
{
    if (!*text || y >= end)
        return y;
    struct rect none = { 0, 0, 0, w - 15 }, r = { y, 13, end - y < 4 ? end - y : 4, w - 15 };
    int lines = draw_wrapped(none, 0, STYLE_DIM, text);
    draw_text(y, 2, 10, STYLE_DIM, title);
    draw_wrapped(r, lines > r.h ? lines - r.h : 0, STYLE_DIM, text);
    return y + (lines < r.h ? lines : r.h);
}

static int advice_draw(int y, int w, int end)
{
    static const char *const lines[] = {
        "in this machine    warpdrill-runner",
        "behind ssh         ssh gpubox warpdrill-runner    (copy build's runner there)",
        "under Slurm        srun --unbuffered --gres=gpu:1 warpdrill-runner",
        "nothing            an empty command: recorded evidence",
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0] && y < end; i++)
        draw_text(y++, 2, w - 4, STYLE_DIM, lines[i]);
    return y;
}

static const struct binding gpu_rows[] = {
    {ACT_ENTER, "Enter", "type", "type a command that starts a runner, or start the one typed"},
    {ACT_AGAIN, "r", "retry",
     "start the same command again, after a link was lost or a host was woken"},
    {ACT_STOP, "x", "stop",
     "end the runner, or leave the queue; recorded evidence until it is started again"},
    {ACT_EVIDENCE, "e", "evidence",
     "whose recordings are played where nothing is live: the next GPU"},
    KEYS_BACK,
};

static const char *const gpu_how[] = {
    "With a GPU measurements are made while you wait; without one scenarios show what was "
    "recorded. Where there is none here, name a machine that has one.",
    help_how_numbers,
    NULL,
};

static const struct key_list gpu_keys = {KEY_ROWS(gpu_rows), .how = gpu_how};

static const struct binding typing_rows[] = {
    {ACT_NONE, "Enter", "start", NULL},
    {ACT_NONE, "Esc", "cancel", NULL},
    {ACT_NONE, "Ctrl-U", "clear", NULL},
};

static const struct key_list typing_keys = {
    KEY_ROWS(typing_rows),
    .words = true,
    .only_listed = true,
};

static const struct key_list *keys_here(struct app *app, const void *self)
{
    const struct gpu_page *p = self;
    (void)app;
    return p->editing ? &typing_keys : &gpu_keys;
}

static void gpu_draw(struct app *app, const void *self)
{
    const struct gpu_page *p = self;
    const struct gpu *g = app_gpu(app);
    struct frame f;
    layout_frame(&f, app_rows(app), app_columns(app));
    int w = f.body.w, end = f.rule - 5, y = f.body.y + 1;
    frame_draw(app, &f, "a GPU to measure on", keys_here(app, p));
    draw_rule(f.body.y, 0, w, "USE A GPU",
              p->editing ? "Enter starts it, Esc cancels" : "Enter types another command");
    y = command_draw(p, g, y, w);
    y = state_draw(g, y, w);
    y = recorded_draw(p, y, w);
    if (gpu_device(g))
        y = device_draw(gpu_device(g), y, w, end);
    y = noise_draw("greeting", gpu_greeting(g), y, w, end);
    noise_draw("messages", gpu_log(g), y, w, end);
    draw_rule(end, 0, w, "WHERE IS YOURS?", NULL);
    advice_draw(end + 1, w, f.rule);
}

/* ---- keys ---- */

static void edit(struct app *app, struct gpu_page *p)
{
    textfield_init(&p->field, gpu_command(app_gpu(app)));
    p->editing = true;
    app_text_input(app, true);
}

/* An empty command is a choice too: it is remembered as "none". */
static void start(struct app *app, struct gpu_page *p)
{
    struct store *store = app_store(app);
    textfield_trim(&p->field);
    const char *command = textfield_text(&p->field);
    free(p->before);
    p->before = text_dup(gpu_command(app_gpu(app)));
    app_use_runner(app, command);
    if (store && store_setting_put(store, "runner", command) != STORE_OK)
        app_say(app, "Used now, but not remembered: %s", store_message(store));
}

static int gpu_text(struct app *app, void *self, int key)
{
    struct gpu_page *p = self;
    enum textfield_result result = textfield_key(&p->field, key);
    if (result != TEXTFIELD_DONE && result != TEXTFIELD_CANCELLED)
        return DO_REDRAW;
    p->editing = false;
    app_text_input(app, false);
    if (result == TEXTFIELD_DONE)
        start(app, p);
    return DO_REDRAW;
}

/* r and x: the same command again, or nothing for now; what is remembered for the next start stays.
 */
static int restart(struct app *app, bool start_it)
{
    const char *command = gpu_command(app_gpu(app));
    if (!*command)
        app_say(app, "There is no command yet; Enter types one.");
    else
        app_use_runner(app, start_it ? command : NULL);
    return DO_REDRAW;
}

/* e: each story's own, then each GPU in turn. What was begun goes on with its own copy. */
static int next_recorded(struct app *app, struct gpu_page *p)
{
    const struct recorded_gpus *g = &p->recorded;
    int at = 0;
    if (g->n < 2) {
        app_say(app, "Recordings here are of %s.", g->n ? g->gpu[0].name : "no GPU");
        return DO_REDRAW;
    }
    for (int i = 0; i < g->n; i++)
        if (!strcmp(g->gpu[i].slug, p->first))
            at = i + 1;
    snprintf(p->first, sizeof p->first, "%s", at < g->n ? g->gpu[at].slug : "");
    struct store *store = app_store(app);
    if (!store || store_setting_put(store, "evidence", p->first) != STORE_OK)
        app_say(app, "Not kept: %s", store ? store_message(store) : "progress is only read");
    return DO_REDRAW;
}

static int gpu_act(struct app *app, void *self, enum action action, int arg)
{
    struct gpu_page *p = self;
    (void)arg;
    if (action == ACT_ENTER) {
        edit(app, p);
        return DO_REDRAW;
    }
    if (action == ACT_AGAIN || action == ACT_STOP)
        return restart(app, action == ACT_AGAIN);
    if (action == ACT_EVIDENCE)
        return next_recorded(app, p);
    if (action != ACT_BACK)
        return DO_NOTHING;
    if (gpu_state(app_gpu(app)) != GPU_LOOKING || !p->before)
        return DO_POP;
    app_use_runner(app, p->before); /* a search that was begun here is called off */
    if (app_store(app))
        store_setting_put(app_store(app), "runner", p->before);
    free(p->before);
    p->before = NULL;
    app_say(app, "Called off; back to what was used before.");
    return DO_REDRAW;
}

static int gpu_news(struct app *app, void *self, const struct client_event *e)
{
    (void)app, (void)self, (void)e;
    return DO_REDRAW;
}

const struct screen_ops gpu_screen = {
    .name = "gpu",
    .keys = keys_here,
    .draw = gpu_draw,
    .act = gpu_act,
    .text = gpu_text,
    .event = gpu_news,
    .leave = gpu_leave,
};
