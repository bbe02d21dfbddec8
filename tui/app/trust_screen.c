#include "tui/app/trust_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/library/origin.h"
#include "scenarios/library/trust.h"
#include "scenarios/library/version.h"
#include "tui/app/app_data.h"
#include "tui/kit/layout.h"
#include "tui/app/frame.h"

struct trust_page {
    char *id, *title, *key;
    char *folder; /* NULL: a copy that an attempt keeps, of a text that no pack here has */
    struct origin origin;      /* with a folder */
    trust_then *then;
    void *ctx;
};

/* ---- answers ---- */

void trust_answers_free(struct trust_answers *a)
{
    for (int i = 0; i < a->n; i++)
        free(a->all[i].key);
    free(a->all);
    *a = (struct trust_answers){.n = 0};
}

static enum may_run answered(const struct trust_answers *a, const char *key)
{
    for (int i = 0; i < a->n; i++)
        if (!strcmp(a->all[i].key, key))
            return a->all[i].yes ? MAY_RUN : MAY_NOT;
    return MAY_NOT_ASKED;
}

static void answer(struct trust_answers *a, const char *key, bool yes)
{
    for (int i = 0; i < a->n; i++)
        if (!strcmp(a->all[i].key, key)) {
            a->all[i].yes = yes;
            return;
        }
    a->all = mem_grow(a->all, (size_t)a->n + 1, sizeof *a->all);
    a->all[a->n].key = text_dup(key);
    a->all[a->n++].yes = yes;
}

/* The folder whose text this is; NULL: it is an attempt's own. */
static const char *folder_of(const struct app *app, const struct variant *v)
{
    char mine[HASH_HEX], theirs[HASH_HEX];
    const struct catalog *c = app_catalog(app);
    for (int i = 0; c && i < c->n_packs; i++)
        if (c->packs[i] == v->story->pack)
            return c->packs[i]->files->root;
    const struct variant *now = version_now(c, v->full_id);
    if (!now)
        return NULL;
    version_hash(mine, v);
    version_hash(theirs, now);
    return strcmp(mine, theirs) ? NULL : now->story->pack->files->root;
}

static char *key_of(const struct variant *v, const char *folder)
{
    char hash[HASH_HEX];
    if (folder)
        return text_format("%s %s", v->story->pack->id, folder);
    version_hash(hash, v);
    return text_format("%s %s", v->full_id, hash);
}

enum may_run trust_state(struct app *app, const struct variant *v)
{
    const struct trust_answers *a = app_trust(app);
    const char *folder = folder_of(app, v);
    if (a->always || (folder && trust_has(v->story->pack->id, folder)))
        return MAY_RUN;
    char *key = key_of(v, folder);
    enum may_run state = answered(a, key);
    free(key);
    return state;
}

bool trust_drills(struct app *app, const char *folder)
{
    return app_trust(app)->always || trust_has("drills", folder);
}

/* ---- the screen ---- */

void trust_open(struct app *app, const struct variant *v, trust_then *then, void *ctx)
{
    struct trust_page *p = mem_new(1, sizeof *p);
    const char *folder = folder_of(app, v);
    *p = (struct trust_page){.id = text_dup(v->story->pack->id),
                             .title = text_dup(v->story->pack->title),
                             .key = key_of(v, folder),
                             .then = then,
                             .ctx = ctx};
    p->folder = folder ? text_dup(folder) : NULL;
    if (folder)
        origin_find(&p->origin, folder);
    app_push(app, &trust_screen, p);
}

static void trust_leave(struct app *app, void *self)
{
    struct trust_page *p = self;
    (void)app;
    origin_free(&p->origin);
    free(p->id);
    free(p->title);
    free(p->key);
    free(p->folder);
    free(p->ctx);
    free(p);
}

static int row_draw(int y, int w, const char *name, enum style s, const char *text)
{
    struct rect r = {y, 9, 2, w - 11};
    draw_text(y, 2, 6, STYLE_DIM, name);
    int lines = draw_wrapped(r, 0, s, text);
    return y + (lines > 2 ? 2 : lines);
}

static const struct binding trust_rows[] = {
    {ACT_YES, "y", "yes, run it",
     "GPU code of this pack may run here, now and later; kept in a text file"},
    {ACT_NO, "n", "no, recorded", "none of it runs; what was recorded elsewhere is shown instead"},
    KEYS_BACK,
};

static const char *const trust_how[] = {
    "Packs that came with warpdrill run without a question. Of any other the first live run asks; "
    "a yes is for the pack in that folder, whatever is put there later. SECURITY.md says what GPU "
    "code can do and what warpdrill does about it.",
    NULL,
};

static const struct key_list trust_keys = {KEY_ROWS(trust_rows), .how = trust_how};

static const struct key_list *keys_here(struct app *app, const void *self)
{
    (void)app, (void)self;
    return &trust_keys;
}

static void trust_draw(struct app *app, const void *self)
{
    const struct trust_page *p = self;
    struct frame f;
    char name[200];
    layout_frame(&f, app_rows(app), app_columns(app));
    int w = f.body.w, y = f.body.y + 1;
    frame_draw(app, &f, "GPU code", &trust_keys);
    draw_rule(f.body.y, 0, w, "MAY IT RUN HERE?", NULL);
    snprintf(name, sizeof name, "%s, %s", p->id, p->title);
    y = row_draw(y, w, "pack", STYLE_BOLD, name);
    if (!p->folder) {
        y = row_draw(y, w, "from", STYLE_PLAIN,
                     "an attempt's own copy; no pack here has this text now");
    } else {
        y = row_draw(y, w, "in", STYLE_PLAIN, p->origin.folder);
    }
    draw_wrapped((struct rect){y + (f.body.h >= 18), 2, f.rule - y - (f.body.h >= 18), w - 4}, 0,
                 STYLE_PLAIN, trust_what);
}

static int decide(struct app *app, struct trust_page *p, bool yes)
{
    struct err err = {0};
    answer(app_trust(app), p->key, yes);
    if (yes && p->folder && trust_keep(p->id, p->folder, &err))
        app_say(app, "%.*s", (int)strcspn(err.text, "\n"), err.text);
    p->then(app, p->ctx, yes);
    return DO_POP;
}

static int trust_act(struct app *app, void *self, enum action action, int arg)
{
    (void)arg;
    switch (action) {
    case ACT_YES: return decide(app, self, true);
    case ACT_NO: return decide(app, self, false);
    case ACT_BACK: return DO_POP;
    default: return DO_NOTHING;
    }
}

const struct screen_ops trust_screen = {
    .name = "trust",
    .keys = keys_here,
    .draw = trust_draw,
    .act = trust_act,
    .leave = trust_leave,
};
