/* Where no GPU is: what a compiler alone says of each save. */
#include "tui/mend/mend_screen.h"

#include <stdio.h>
#include <stdlib.h>

#include "kernels/wire/text.h"
#include "scenarios/mend/mend_steps.h"

enum { ROWS = 10, FIGURES = 61, NAME_LEAST = 8, NAME_MOST = 28 };

/* The GPU whose recordings are played; while none is chosen, that of most recordings. */
static const struct gpu *recorded_gpu(struct app *app)
{
    char slug[64];
    struct err err = {0};
    app_recorded_gpu(app, slug);
    const struct gpu *g = *slug ? gpu_find(slug, &err) : NULL;
    return g ? g : gpu_find("nvidia-h200", &err);
}

void mend_compiled_drop(struct mend_screen *s)
{
    mend_compile_free(s->compile);
    free(s->counts);
    s->compile = NULL;
    s->counts = NULL;
    s->n_counts = 0;
}

void mend_compiled_begin(struct app *app, struct mend_screen *s)
{
    struct client *client = app_compiler(app);
    const struct gpu *g = recorded_gpu(app);
    struct err err = {0};
    char *text = NULL;
    mend_compiled_drop(s);
    if (!client || !g)
        return;
    if (mend_read(&text, &s->place, &err))
        mend_say_error(app, &err);
    else
        s->compile = mend_compile_new(s->v, g, (int)(10 * g->compute + 0.5), client, s->place.name,
                                      text);
    free(text);
}

/* What a listing is held against; NULL where it would tell how the best goes about it. */
static const struct msg_compiled *other_of(const struct mend_screen *s, const char **word)
{
    const struct msg_compiled *fix = mend_compile_answer(s->compile, MEND_MADE_FIX);
    *word = mend_made_word(fix ? MEND_MADE_FIX : MEND_MADE_BEST);
    if (s->v->task && !mend_best_open(s->v->task, &s->tries))
        return NULL;
    return fix ? fix : mend_compile_answer(s->compile, MEND_MADE_BEST);
}

static void count(struct mend_screen *s)
{
    const struct msg_compiled *mine = mend_compile_answer(s->compile, MEND_MADE_MINE),
                              *other = other_of(s, &s->counted);
    if (!mine || !other || !mine->ptx || !other->ptx)
        return;
    s->counts = mem_new(1, sizeof *s->counts);
    mend_count_ptx(s->counts, 0, mine->ptx);
    mend_count_ptx(s->counts, 1, other->ptx);
    s->n_counts = mend_counts_order(s->counts);
}

bool mend_compiled_event(struct mend_screen *s, const struct client_event *e)
{
    if (!mend_compile_event(s->compile, e))
        return false;
    if (!mend_compile_id(s->compile))
        count(s);
    return true;
}

/* ---- drawing ---- */

static int name_columns(int w)
{
    int room = w - 4 - FIGURES;
    return room < NAME_LEAST ? NAME_LEAST : room > NAME_MOST ? NAME_MOST : room;
}

static int kernels_draw(const struct mend_compile *k, enum mend_made side, int y, int w, int end)
{
    int name = name_columns(w);
    for (int i = 0; i < mend_compile_launches(k, side) && y < end; i++) {
        struct mend_kernel n;
        char occupancy[48] = "";
        if (mend_compile_told(k, side, i) || !mend_compile_kernel(&n, k, side, i))
            continue;
        const struct mend_figures *f = &n.figures;
        if (n.occupancy >= 0)
            snprintf(occupancy, sizeof occupancy, "%4.0f %%  %s", 100 * n.occupancy, n.limit);
        draw_textf(y++, 2, w - 4, side == MEND_MADE_MINE ? STYLE_BOLD : STYLE_PLAIN,
                   "%-8s %-*.*s %9d %7d B %7d B  %s", mend_made_word(side), name, name,
                   n.launch->kernel, f->registers, f->spill_stores + f->spill_loads, n.shared,
                   occupancy);
    }
    return y;
}

static int counts_draw(const struct mend_screen *s, int y, int w, int end)
{
    const struct mend_counts *c = s->counts;
    int name = name_columns(w) + 9;
    if (!c || y + 3 >= end)
        return y;
    y++;
    draw_textf(y++, 2, w - 4, STYLE_DIM, "%-*s %9s %9s", name, "instructions in PTX", "yours",
               s->counted);
    for (int i = 0; i < s->n_counts && i < ROWS && y + 1 < end; i++)
        draw_textf(y++, 2, w - 4, STYLE_PLAIN, "%-*.*s %9d %9d", name, name, c->row[i].name,
                   c->row[i].n[0], c->row[i].n[1]);
    draw_textf(y++, 2, w - 4, STYLE_PLAIN, "%-*s %9d %9d", name,
               s->n_counts ? "all" : "all, of the same kinds as often", c->all[0], c->all[1]);
    return y;
}

int mend_compiled_draw(const struct mend_screen *s, int y, int w, int end)
{
    const struct mend_compile *k = s->compile;
    if (!k || y + 3 >= end)
        return y;
    draw_rule(y++, 0, w, "COMPILED ALONE", mend_compile_gpu(k));
    if (mend_compile_id(k)) {
        draw_text(y++, 2, w - 4, STYLE_DIM, "It is being compiled.");
        return y + 1;
    }
    if (*mend_compile_why(k)) {
        int room = end - y, lines = draw_wrapped((struct rect){y, 2, room, w - 4}, 0, STYLE_BAD,
                                                 mend_compile_why(k));
        return y + (lines < room ? lines : room) + 1;
    }
    draw_textf(y++, 2, w - 4, STYLE_GOOD, "%s compiles, by NVRTC %s.", s->place.name,
               mend_compile_nvrtc(k));
    draw_textf(y++, 2, w - 4, STYLE_DIM, "%-8s %-*s %9s %9s %9s  %s", "", name_columns(w), "",
               "registers", "spilled", "shared", "occupancy at most, by");
    for (int side = 0; side < MEND_MADE; side++)
        y = kernels_draw(k, (enum mend_made)side, y, w, end);
    return counts_draw(s, y, w, end) + 1;
}
