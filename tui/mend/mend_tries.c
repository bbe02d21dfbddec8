/* The tries: read, put back, compared. */
#include "tui/mend/mend_screen.h"

#include <stdlib.h>
#include <string.h>

void mend_say_error(struct app *app, const struct err *err)
{
    app_say(app, "%.*s", (int)strcspn(err->text, "\n"), err->text);
}

void mend_tries_load(struct app *app, struct mend_screen *s)
{
    struct store *store = app_store_seen(app);
    struct err err = {0};
    mend_tries_free(&s->tries);
    if (store && mend_tries_read(&s->tries, store, s->v->full_id, &err))
        mend_say_error(app, &err);
}

int mend_screen_replace(struct app *app, struct mend_screen *s, const char *text, struct err *err)
{
    return mend_replace(&s->place, app_store(app), s->v->full_id, &s->tries, text, err);
}

static const struct mend_try *chosen(const struct mend_screen *s)
{
    return s->row < s->tries.n ? &s->tries.all[s->row] : NULL;
}

void mend_go_back_to(struct app *app, struct mend_screen *s)
{
    const struct mend_try *t = chosen(s);
    struct err err = {0};
    if (!t)
        return;
    int number = t->number;
    if (mend_screen_replace(app, s, t->text, &err))
        mend_say_error(app, &err);
    else
        app_say(app, "The file has the text of try %d; what stood there is kept.", number);
    mend_tries_load(app, s);
}

void mend_mark(struct mend_screen *s)
{
    const struct mend_try *t = chosen(s);
    s->from = t && s->from != t->number ? t->number : 0;
}

void mend_drop_diff(struct mend_screen *s)
{
    diff_free(&s->diff);
    s->diff = (struct diff){0};
    free(s->diff_old);
    free(s->diff_new);
    s->diff_old = s->diff_new = NULL;
}

void mend_show_diff(struct app *app, struct mend_screen *s)
{
    const struct mend_try *t = chosen(s);
    struct err err = {0};
    mend_drop_diff(s);
    if (!t)
        return;
    const struct mend_try *from = s->from && s->from <= s->tries.n ? &s->tries.all[s->from - 1] : t;
    char *now = NULL;
    if (from == t && mend_read(&now, &s->place, &err)) {
        mend_say_error(app, &err);
        return;
    }
    s->diff_old = mend_listing(from->text);
    s->diff_new = mend_listing(now ? now : t->text);
    free(now);
    s->diff_try = from->number;
    s->diff_with = from == t ? 0 : t->number;
    diff_make(&s->diff, s->diff_old, s->diff_new);
    s->scroll = 0;
    s->view = MEND_DIFF;
}
