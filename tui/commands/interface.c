/* The terminal interface as a command: what it begins with, and what `play` puts above that. */
#include "tui/app/app_data.h"
#include "tui/app/run.h"
#include "tui/commands/cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tui/app/app.h"
#include "tui/home/home.h"
#include "tui/interview/host.h"
#include "tui/kit/passphrase.h"
#include "tui/play/play.h"
#include "tui/practice/practice.h"

/* "drills", "drills:TOPIC", "drill:SET/ID", "figure:SET/ID" or "cards"; false: something else. */
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
    else if (!strncmp(what, "figure:", strlen("figure:")))
        figure_begin(app, what + strlen("figure:"), NULL, app_seed(app), false);
    else
        return false;
    return true;
}

static void open_play(struct app *app, const char *what)
{
    const struct catalog *catalog = app_catalog(app);
    const struct story *story;
    const struct variant *variant;
    struct err err;
    if (play_practice(app, what) || !catalog)
        return;
    if (catalog_find(catalog, what, &story, &variant, &err) == 0)
        home_play(app, story, variant);
    else
        app_say(app, "%s", err.text);
}

static void open_first(struct app *app, const void *host)
{
    if (host)
        host_open(app, host);
    else
        home_open(app);
}

/* Somebody sits at the other end of an interview. */
#define ASK_QUIT "Ctrl-C once more leaves the interview; host --resume goes on with it."

int cmd_tui(const struct cmd *c, const char *play, const struct host_options *host)
{
    char *db = default_db(c->db);
    const char *from_environment = getenv("WARPDRILL_RUNNER");
    struct tui_options tui = {.db = db,
                              .runner = c->runner ? c->runner : from_environment,
                              .play = play,
                              .packs = c->packs,
                              .n_packs = c->n_packs,
                              .seeded = c->seeded,
                              .trust = c->trust,
                              .seed = c->seed,
                              .passphrase_file = passphrase_file(c->passphrase_file),
                              .open_first = open_first,
                              .open_play = open_play,
                              .ctx = host,
                              .packs_left_out = host ? "`warpdrill list`" : "s",
                              .ask_quit = host && !host->replay ? ASK_QUIT : NULL};
    int status = tui_run(&tui);
    free(db);
    return status;
}
