/* Writing: the person's own editor, or a field of the screen whose text outlives a kill. */
#include "tui/mend/mend_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenarios/text/files.h"
#include "tui/kit/layout.h"

enum { DRAFT_MS = 300 /* after the last key */ };

void mend_edit_outside(struct app *app, struct mend_screen *s)
{
    struct err err = {0};
    if (app_lend(app, s->place.file, &err))
        app_say(app, "%s", err.text);
}

void mend_write_draft(struct app *app, struct mend_screen *s)
{
    struct err err = {0};
    s->draft_ms = 0;
    if (mend_put(&s->draft, editor_text(&s->editor), &err))
        mend_say_error(app, &err);
}

/* What was typed when the program ended in the middle, else the file. */
static int read_to_type(struct app *app, struct mend_screen *s, char **text, struct err *err)
{
    size_t n;
    *text = file_read_plain(s->draft.file, EDITOR_BYTES, &n);
    if (!*text)
        return mend_read(text, &s->place, err);
    app_say(app, "Taken up where it was left without saving; Esc goes back to the file.");
    return 0;
}

/* The line of the compiler's first complaint, as "mine.cu(3): error: ..."; 0: there is none. */
static int first_error(const struct mend_screen *s)
{
    const struct mend_verdict *v = s->judge ? mend_judge_verdict(s->judge) : NULL;
    size_t n = strlen(s->place.name);
    int line = 0;
    if (v && v->reason == MEND_COMPILE && !strncmp(v->why, s->place.name, n) &&
        sscanf(v->why + n, "(%d): error", &line) == 1)
        return line;
    return 0;
}

void mend_type_here(struct app *app, struct mend_screen *s)
{
    struct err err = {0};
    char *text = NULL;
    if (read_to_type(app, s, &text, &err)) {
        mend_say_error(app, &err);
    } else if (strlen(text) >= EDITOR_BYTES) {
        app_say(app, "It has more than %d KiB, too much for this field: Enter opens $EDITOR.",
                EDITOR_BYTES / 1024);
    } else {
        editor_init(&s->editor, text);
        if (first_error(s) > 0)
            editor_go(&s->editor, first_error(s));
        s->view = MEND_TYPING;
        app_text_input(app, true);
    }
    free(text);
}

static void end_typing(struct app *app, struct mend_screen *s)
{
    app_text_input(app, false);
    editor_free(&s->editor);
    unlink(s->draft.file);
    s->draft_ms = 0;
    s->view = MEND_VERDICT;
}

static bool save_typed(struct app *app, struct mend_screen *s)
{
    struct err err = {0};
    if (mend_screen_replace(app, s, editor_text(&s->editor), &err) == 0)
        return true;
    mend_say_error(app, &err);
    return false;
}

/* What was typed and left is kept among the tries, where u finds it. */
static void leave_typed(struct app *app, struct mend_screen *s)
{
    struct err err = {0};
    const char *text = editor_text(&s->editor);
    char *now = NULL;
    bool same = mend_read(&now, &s->place, &err) == 0 && !strcmp(now, text);
    free(now);
    if (same || !*text || !app_store(app) || mend_with_text(&s->tries, text))
        return;
    if (mend_keep_aside(app_store(app), s->v->full_id, text, &err))
        mend_say_error(app, &err);
    else
        app_say(app, "Left without saving; what was typed is the newest of the tries.");
    mend_tries_load(app, s);
}

int mend_typed(struct app *app, void *self, int key)
{
    struct mend_screen *s = self;
    struct frame f;
    layout_frame(&f, app_rows(app), app_columns(app));
    enum editor_result r = editor_key(&s->editor, key, f.body.w - 4, f.rule - f.body.y - 3);
    if (r == EDITOR_CHANGED || r == EDITOR_FULL)
        s->draft_ms = app_now(app) + DRAFT_MS;
    if (r == EDITOR_FULL)
        app_say(app, "%s", editor_full_words());
    if (r == EDITOR_CANCELLED)
        leave_typed(app, s);
    if (r == EDITOR_CANCELLED || ((r == EDITOR_DONE || r == EDITOR_OUTSIDE) && save_typed(app, s)))
        end_typing(app, s);
    if (r == EDITOR_OUTSIDE && s->view != MEND_TYPING)
        mend_edit_outside(app, s);
    return r == EDITOR_IGNORED ? DO_NOTHING : DO_REDRAW;
}
