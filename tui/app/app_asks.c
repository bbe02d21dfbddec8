/* What screens ask of the app, and what they have it say. */
#include "tui/app/app_inside.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/os.h"
#include "kernels/wire/text.h"
#include "scenarios/library/sealing.h"
#include "tui/app/defaults.h"
#include "tui/kit/editor.h"
#include "tui/kit/outside.h"

struct store *app_store(struct app *app) { return app->store; }
struct store *app_store_seen(struct app *app) { return app->store ? app->store : app->seen; }
const struct catalog *app_catalog(const struct app *app) { return app->catalog; }

int app_draw_variant(struct app *app, const struct variant *v, uint64_t seed,
                     const struct variant **out, struct err *err)
{
    return catalog_draw(app->catalog, v, seed, out, err);
}

struct interview *app_live(const struct app *app) { return app->live; }

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
struct trust_answers *app_trust(struct app *app)
{
    return app->host ? &app->host->trust : &app->trust;
}
int64_t app_now(const struct app *app) { return app->now; }
const char *app_said(const struct app *app) { return app->said[0] ? app->said : NULL; }
int app_rows(const struct app *app) { return app->canvas ? canvas_rows(app->canvas) : draw_rows(); }
int app_columns(const struct app *app)
{
    return app->canvas ? canvas_columns(app->canvas) : draw_width();
}

void app_recorded_gpu(struct app *app, char out[64])
{
    char *kept = NULL;
    out[0] = '\0';
    if (app_store_seen(app) && store_setting_get(app_store_seen(app), "evidence", &kept) == 1)
        snprintf(out, 64, "%s", kept);
    free(kept);
}

/* The bare name means the runner that came with this program. */
void app_use_runner(struct app *app, const char *command)
{
    char *own = command && !strcmp(command, "warpdrill-runner") ? default_runner(NULL) : NULL;
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
        app_say(app, "Since it was sealed, %.*s%s", (int)strcspn(changed, "\n"), changed,
                strchr(changed, '\n') ? ", and more" : "");
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

void app_unsay(struct app *app)
{
    app->said[0] = '\0';
    app->unseen = false;
    app->dirty = true;
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

int app_lend(struct app *app, const char *path, struct err *err)
{
    return outside_start(&app->lent, path, err);
}

void app_edit_outside(struct app *app, struct editor *e)
{
    struct err err = {0};
    char *text = NULL;
    if (app->host) {
        app_say(app, "An interview's screen starts no program: write here.");
        return;
    }
    if (outside_edit(&text, editor_text(e), EDITOR_BYTES, &err) != 0)
        app_say(app, "%s", err.text);
    else if (strcmp(text, editor_text(e)) != 0)
        editor_buffer_replace(&e->buffer, text);
    free(text);
}
