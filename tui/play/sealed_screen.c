#include "tui/play/sealed_screen.h"

#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/library/sealing.h"
#include "tui/app/app_data.h"
#include "tui/kit/layout.h"
#include "tui/kit/textfield.h"
#include "tui/app/frame.h"

_Static_assert(TEXTFIELD_BYTES == PASSPHRASE_MOST + 1, "every passphrase can be typed");

struct sealed_page {
    const struct story *story;
    char *id;                   /* of the story or the variant, for the open pack */
    struct textfield *field;    /* in memory that is wiped; nothing of it is drawn */
    play_begin *begin;          /* NULL: the pack is opened, and nothing begins */
    struct secret *given;       /* to be tried at the next tick; NULL: none */
    char trouble[400];
};

static const struct screen_ops sealed_screen;

static void ask(struct app *app, const struct story *story, const struct variant *variant,
                play_begin *begin)
{
    struct sealed_page *p = mem_new(1, sizeof *p);
    const char *file = app_passphrase_file(app);
    struct err err;
    p->story = story;
    p->begin = begin;
    p->id = text_dup(variant ? variant->full_id : story->full_id);
    if (file) {
        p->given = secret_new();
        if (secret_read(p->given, file, &err)) {
            snprintf(p->trouble, sizeof p->trouble, "%.390s", err.text);
            secret_free(p->given);
            p->given = NULL;
        }
    }
    app_push(app, &sealed_screen, p);
}

void sealed_open(struct app *app, const struct story *story, const struct variant *variant,
                 play_begin *begin)
{
    ask(app, story, variant, begin);
}

void sealed_ask(struct app *app, const struct story *story)
{
    ask(app, story, NULL, NULL);
}

static int enter(struct app *app, void *self, struct err *err)
{
    struct sealed_page *p = self;
    p->field = sodium_init() < 0 ? NULL : sodium_malloc(sizeof *p->field);
    if (!p->field)
        return err_set(err, ERR_MEMORY, "there is no protected memory for a passphrase");
    textfield_init(p->field, "");
    app_text_input(app, true);
    return 0;
}

static void leave(struct app *app, void *self)
{
    struct sealed_page *p = self;
    (void)app;
    secret_free(p->given);
    sodium_free(p->field);
    free(p->id);
    free(p);
}

/* ---- drawing ---- */

static void draw(struct app *app, const void *self)
{
    static const char words[] =
        "The answers of this pack were sealed by whoever handed it out. Its passphrase opens them, "
        "in memory alone: the folder stays sealed.";
    static const char *const kept[] =
        {"What you play is kept in your progress, its answer with it.",
         "What is asked in an interview is kept in the session's own folder, its answer with it."};
    char text[400];
    const struct sealed_page *p = self;
    struct frame f;
    layout_frame(&f, app_rows(app), app_columns(app));
    int w = f.body.w, y = f.body.y + 2;
    frame_draw(app, &f, "sealed", 0);
    draw_textf(f.keys, 1, w - 2, STYLE_DIM, "%-*s", w - 2,
               "Enter open  Ctrl-U begin again  Esc back");
    draw_rule(f.body.y, 0, w, "SEALED", NULL);
    draw_text(y, 2, 12, STYLE_DIM, "pack");
    draw_textf(y++, 14, w - 16, STYLE_BOLD, "%s, %s", p->story->pack->id, p->story->pack->title);
    draw_text(y, 2, 12, STYLE_DIM, "scenario");
    draw_text(y++, 14, w - 16, STYLE_PLAIN, p->story->title);
    draw_text(y, 2, 12, STYLE_DIM, "passphrase");
    draw_text(y, 14, w - 16, STYLE_ACCENT, p->given ? "opening" : "");
    if (!p->given)
        draw_cursor(y, 14);
    y += 2;
    if (*p->trouble)
        y += 1 + draw_wrapped((struct rect){ y, 2, 3, w - 4 }, 0, STYLE_BAD, p->trouble);
    snprintf(text, sizeof text, "%s %s", words, kept[!p->begin]);
    draw_wrapped((struct rect){ y, 2, f.rule - y, w - 4 }, 0, STYLE_DIM, text);
}

/* ---- opening ---- */

static int typed(struct app *app, void *self, int key)
{
    struct sealed_page *p = self;
    (void)app;
    if (p->given)
        return DO_NOTHING;
    enum textfield_result result = textfield_key(p->field, key);
    if (result == TEXTFIELD_CANCELLED)
        return DO_POP;
    p->trouble[0] = '\0';
    if (result == TEXTFIELD_DONE && p->field->len) {
        p->given = secret_new();
        p->given->len = p->field->len;
        memcpy(p->given->text, p->field->bytes, p->field->len + 1);
        sodium_memzero(p->field, sizeof *p->field);
    }
    return DO_REDRAW;
}

/* The key takes half a second: after "opening" was drawn. */
static int due_ms(const struct app *app, const void *self, int64_t now_ms)
{
    const struct sealed_page *p = self;
    (void)app, (void)now_ms;
    return p->given ? 0 : -1;
}

static int tick(struct app *app, void *self, int64_t now_ms)
{
    struct sealed_page *p = self;
    struct secret *given = p->given;
    const struct story *story;
    const struct variant *variant;
    struct err err = { 0 };
    (void)now_ms;
    if (!given)
        return DO_NOTHING;
    p->given = NULL;
    int rc = app_unseal(app, p->story->pack, given, &err);
    secret_free(given);
    if (!rc)
        rc = catalog_find(app_catalog(app), p->id, &story, &variant, &err);
    if (rc) {
        snprintf(p->trouble, sizeof p->trouble, "%.390s",
                 rc == ERR_PERMISSION ? "The passphrase is wrong." : err.text);
        return DO_REDRAW;
    }
    if (p->begin)
        p->begin(app, story, variant);
    return DO_POP;
}

static const struct screen_ops sealed_screen = {
    .name = "sealed",
    .enter = enter,
    .draw = draw,
    .text = typed,
    .tick = tick,
    .due_ms = due_ms,
    .leave = leave,
};
