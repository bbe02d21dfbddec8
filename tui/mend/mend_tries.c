/* The tries: read, put back, compared. */
#include "tui/app/app_data.h"
#include "tui/mend/mend_screen.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

enum { KEEP_MS = 500 };

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

/* Against the newest try before, with figures of its own; `at` is the number of this one. */
static void compare(struct mend_screen *s, int at)
{
    const struct mend_verdict *now = mend_judge_verdict(s->judge);
    s->n_moved = 0;
    for (int i = at - 2; i >= 0 && !s->n_moved && now->n_metrics; i--)
        if (s->tries.all[i].verdict.n_metrics) {
            s->n_moved = mend_moved(s->moved, &s->tries.all[i].verdict, now);
            s->since = i + 1;
            break;
        }
    s->row = s->view == MEND_VERDICT ? 0 : s->row; /* else it is of the tries */
    s->explaining = false;
}

/* The screen was opened again on the text that was judged last, with the same end. */
static bool is_known(const struct mend_screen *s, const struct mend_verdict *v)
{
    const struct mend_try *last = s->tries.n ? &s->tries.all[s->tries.n - 1] : NULL;
    return last && last->verdict.is == v->is && !strcmp(last->verdict.gpu, v->gpu) &&
           !strcmp(last->text, mend_judge_text(s->judge));
}

/* A store that does not take it, since it is busy or its disk is full, is asked again; until then
 * no other text is judged. */
bool mend_screen_keep(struct app *app, struct mend_screen *s)
{
    struct store *store = app_store(app);
    struct err err = {0};
    const struct mend_verdict *v = mend_judge_verdict(s->judge);
    bool twice = is_known(s, v) ||
                 (v->is == MEND_OPEN && mend_with_text(&s->tries, mend_judge_text(s->judge)));
    int rc = store && !twice
                 ? mend_keep(store, s->v->full_id, s->uid, mend_judge_text(s->judge), v, &err)
                 : 0;
    s->keep_ms = app_now(app) + KEEP_MS;
    if (rc) {
        mend_say_error(app, &err);
        return false;
    }
    s->unkept = false;
    mend_tries_load(app, s);
    compare(s, mend_number(&s->tries, s->uid));
    return true;
}

void mend_keep_known(struct app *app, struct mend_screen *s)
{
    if (s->judge && s->unkept && mend_judge_known(s->judge))
        mend_screen_keep(app, s);
}

int mend_screen_replace(struct app *app, struct mend_screen *s, const char *text, struct err *err)
{
    mend_keep_known(app, s);
    int rc = mend_replace(&s->place, app_store(app), s->v->full_id, &s->tries, text, err);
    mend_tries_load(app, s);
    return rc;
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
    char *text = text_dup(t->text); /* the tries are read anew meanwhile */
    if (mend_screen_replace(app, s, text, &err))
        mend_say_error(app, &err);
    else
        app_say(app, "The file has the text of try %d; what stood there is kept.", number);
    free(text);
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
