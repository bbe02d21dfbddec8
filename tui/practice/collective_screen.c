/* A collective is made send by send: what cannot be is refused with the reason, what it comes to is
 * counted as it grows, and it is graded beside the least there is. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drills/question/fill.h"
#include "kernels/wire/text.h"
#include "tui/practice/making.h"
#include "tui/practice/practice.h"

enum { SECONDS = 60, SECONDS_SEND = 8 };

struct collective_screen {
    struct making m;
    struct collective made, known;
    int rank, chunk;
    struct collective_grade grade;   /* while it grows too */
    char why[200];                   /* what was refused; "" */
};

/* ---- keys ---- */

static const char *const how[] = {
    "The cursor is a rank and a chunk of it. A digit sends that chunk to the rank of that number, "
    "in the step that is open; all sends of a step leave at once. n closes the step, and what came "
    "is added or copied. A send that cannot be is refused with the reason.",
    "Steps, bytes and time so far stand beside what the known order takes. Enter hands it in: "
    "whole with no more steps and bytes is right, whole with more is known with trouble.",
    NULL,
};
static const struct binding making_rows[] = {
    {ACT_DIGIT, "0-9", "send to", "the chunk under the cursor, to the rank of this number"},
    {ACT_NEXT, "n", "next step", "close this step and begin the next"},
    {ACT_UNDO, "u", "undo", "take the last send back"},
    {ACT_ENTER, "Enter", "hand in", "hand it in, to be graded"},
    {ACT_PLACE, "a b c d e f", "chunk", "the cursor to this chunk"},
    {ACT_UP, "Up k", NULL, "the rank before"},
    {ACT_DOWN, "Down j", NULL, "the next rank"},
    {ACT_LEFT, "Left h", NULL, "the chunk before"},
    {ACT_RIGHT, "Right l", NULL, "the next chunk"},
    {ACT_BACK, "Esc", "back", "back; nothing is counted"},
};
static const struct key_list making_keys = {KEY_ROWS(making_rows), .how = how,
                                            .must = {ACT_DIGIT, ACT_ENTER}};
static const struct binding graded_rows[] = {
    {ACT_ENTER, "Enter", "go on", "go on"},
    {ACT_TAB, "Tab", "yours, known", "the known order, or yours again"},
    KEYS_UP_DOWN,
    KEYS_PAGES,
    KEYS_BACK,
};
static const struct key_list graded_keys = {KEY_ROWS(graded_rows), .how = how};

static const struct key_list *keys(struct app *app, const void *self)
{
    (void)app;
    return ((const struct collective_screen *)self)->m.graded ? &graded_keys : &making_keys;
}

/* ---- drawing ---- */

/* "250 MB of 1.5 GB" */
static const char *of_text(double is, double least, struct dim dim, char out[64])
{
    char a[24], b[24];
    fill_value(a, sizeof a, (struct quantity){is, dim}, NULL);
    fill_value(b, sizeof b, (struct quantity){least, dim}, NULL);
    snprintf(out, 64, "%s of %s", a, b);
    return out;
}

static const char *outer_text(const struct collective_screen *s, char out[64])
{
    return s->made.rules.nodes > 1
               ? of_text(s->grade.sum.outer, s->grade.least.outer, DIM_BYTE, out)
               : "";
}

static void draw_making(const struct collective_screen *s, const struct practice_frame *f, int w)
{
    const struct collective_sum *is = &s->grade.sum, *least = &s->grade.least;
    char sent[64], time[64], outer[64], chunk[24];
    draw_textf(f->status, 1, w - 2, STYLE_BOLD, "step %d of %d, sent %s, %s", s->made.step + 1,
               least->steps, of_text(is->bytes, least->bytes, DIM_BYTE, sent),
               of_text(is->time, least->time, DIM_SECOND, time));
    if (*s->why)
        draw_text(f->todo, 1, w - 2, STYLE_BAD, s->why);
    else
        draw_textf(f->todo, 1, w - 2, STYLE_DIM, "rank %d, chunk %s: to which rank?%s%s", s->rank,
                   collective_chunk_words(&s->made.rules, s->rank, s->chunk, chunk),
                   s->made.rules.nodes > 1 ? " Sent by NIC " : "", outer_text(s, outer));
}

static void draw_graded(const struct collective_screen *s, const struct practice_frame *f, int w)
{
    const struct collective_grade *g = &s->grade;
    const char *nic = s->made.rules.nodes > 1 ? ", NIC " : "";
    char sent[64], outer[64];
    struct err err = {0};
    of_text(g->sum.bytes, g->least.bytes, DIM_BYTE, sent);
    if (s->m.shown)
        draw_text(f->status, 1, w - 2, STYLE_BOLD, "As it is known; Tab: yours");
    else if (collective_ends(&s->made, &err))
        draw_textf(f->status, 1, w - 2, STYLE_BAD, "Not whole: %s", err.text);
    else if (g->best)
        draw_textf(f->status, 1, w - 2, STYLE_GOOD, "Whole, %s: %d steps, sent %s%s%s",
                   *nic ? "as the known order" : "the least there is", g->sum.steps, sent, nic,
                   outer_text(s, outer));
    else
        draw_textf(f->status, 1, w - 2, STYLE_BAD, "Whole, %d steps where %d do, sent %s%s%s",
                   g->sum.steps, g->least.steps, sent, nic, outer_text(s, outer));
}

static void draw(struct app *app, const void *self)
{
    const struct collective_screen *s = self;
    struct practice_frame f;
    struct figure_view view = {.width = app_columns(app), .part = -1, .blank = -1,
                               .made = s->m.shown ? &s->known : &s->made,
                               .rank = s->m.graded ? -1 : s->rank, .chunk = s->chunk};
    char words[300];
    practice_frame(&f, app);
    practice_frame_draw(app, &f, s->m.figure->title, keys(app, self), s->made.rules.ranks - 1,
                        NULL);
    collective_words(&s->made.rules, words, sizeof words);
    making_draw(app, &s->m, &f, &view, words);
    (s->m.graded ? draw_graded : draw_making)(s, &f, f.frame.body.w);
}

/* ---- sends ---- */

static void say(struct collective_screen *s, const struct err *err)
{
    text_copy_clean(s->why, sizeof s->why, err->text);
}

/* The next rank is likely to come next. */
static void send_to(struct collective_screen *s, int to)
{
    struct err err = {0};
    if (collective_add(&s->made, (struct collective_send){0, s->rank, to, s->chunk}, &err))
        say(s, &err);
    else
        s->rank = (s->rank + 1) % s->made.rules.ranks;
}

static void next_step(struct collective_screen *s)
{
    struct err err = {0};
    if (collective_next(&s->made, &err))
        say(s, &err);
    else
        s->rank = 0;
}

static void undo(struct collective_screen *s)
{
    if (!collective_undo(&s->made)) {
        snprintf(s->why, sizeof s->why, "There is nothing to take back.");
        return;
    }
    s->rank = s->made.send[s->made.n].from;
    s->chunk = s->made.send[s->made.n].chunk;
}

static void choose(struct collective_screen *s, int letter)
{
    const struct collective_rules *r = &s->made.rules;
    int chunk = letter - 'a' - (r->kind == COLLECTIVE_ALL_TO_ALL ? s->rank * r->ranks : 0);
    char first[24], last[24];
    if (chunk >= 0 && chunk < r->chunks)
        s->chunk = chunk;
    else
        snprintf(s->why, sizeof s->why, "Rank %d has %s to %s.", s->rank,
                 collective_chunk_words(r, s->rank, 0, first),
                 collective_chunk_words(r, s->rank, r->chunks - 1, last));
}

static void move(struct collective_screen *s, enum action action)
{
    int ranks = s->made.rules.ranks, chunks = s->made.rules.chunks;
    s->rank += (action == ACT_DOWN) - (action == ACT_UP);
    s->chunk += (action == ACT_RIGHT) - (action == ACT_LEFT);
    s->rank = (s->rank + ranks) % ranks;
    s->chunk = (s->chunk + chunks) % chunks;
}

/* ---- handing in ---- */

static void hand_in(struct app *app, struct collective_screen *s)
{
    struct err err = {0};
    char given[48];
    if (collective_ends(&s->made, &err) && !s->m.asked) {
        snprintf(s->why, sizeof s->why, "Enter again hands it in: %.120s", err.text);
        s->m.asked = true;
        return;
    }
    const struct collective_grade *g = &s->grade;
    enum drill_how how_well = g->best ? DRILL_RIGHT : g->whole ? DRILL_CLOSE : DRILL_WRONG;
    snprintf(given, sizeof given, "made, %s, %d steps of %d", g->whole ? "whole" : "not whole",
             g->sum.steps, g->least.steps);
    making_keep(app, &s->m, how_well, given, SECONDS + SECONDS_SEND * s->known.n);
}

static int act(struct app *app, void *self, enum action action, int arg)
{
    struct collective_screen *s = self;
    if (action == ACT_BACK || (s->m.graded && action == ACT_ENTER))
        return DO_POP;
    if (s->m.graded)
        return making_look(app, &s->m, action);
    s->why[0] = '\0';
    s->m.asked = s->m.asked && action == ACT_ENTER;
    switch (action) {
    case ACT_DIGIT: send_to(s, arg); break;
    case ACT_NEXT: next_step(s); break;
    case ACT_UNDO: undo(s); break;
    case ACT_PLACE: choose(s, arg); break;
    case ACT_ENTER: hand_in(app, s); break;
    default: move(s, action); break;
    }
    if (!s->m.graded)
        collective_grade(&s->grade, &s->made);
    return DO_REDRAW;
}

/* ---- coming and going ---- */

static void leave(struct app *app, void *self)
{
    struct collective_screen *s = self;
    making_end(app, &s->m);
    free(s);
}

static const struct screen_ops collective_screen = {
    .name = "collective",
    .keys = keys,
    .draw = draw,
    .act = act,
    .leave = leave,
};

void collective_begin(struct app *app, const struct figure_data *f, struct sitting *sitting,
                      uint64_t seed)
{
    struct collective_screen *s = mem_new(1, sizeof *s);
    making_begin(app, &s->m, f, sitting, seed);
    collective_draw_size(&s->made.rules, &f->collective.known->rules, seed);
    collective_known(&s->known, &s->made.rules);
    collective_grade(&s->grade, &s->made);
    app_replace(app, &collective_screen, s);
}
