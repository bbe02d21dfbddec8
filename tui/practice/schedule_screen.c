/* A schedule is placed block by block on an empty grid: what cannot be is refused with the reason,
 * what it comes to is counted as it grows, and it is graded beside the optimum of its rules. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "tui/practice/making.h"
#include "tui/practice/practice.h"

enum { SECONDS = 60, SECONDS_BLOCK = 4, LATEST = 199, NOT_TYPED = -1 };
#define CLOSE_SHARE 0.9 /* of the optimum: known with trouble */

struct placed_step { struct schedule_block block; bool removed; };
struct schedule_screen {
    struct making m;
    struct schedule s;
    struct placed_step *steps; int n_steps;     /* for undo */
    int stage, time;
    int typed;                           /* the microbatch of the next block */
    struct schedule known;               /* once it is graded: the schedule as it is known */
    struct schedule_grade grade;
    char why[200];                       /* what was refused; "" */
};

/* ---- keys ---- */

static const char *const how[] = {
    "The cursor is a stage and a time. f, b and w place the next microbatch's forward, backward "
    "or weights there, capitals in chunk 1; a digit before it names another microbatch. Gaps are "
    "left by moving on; a block that cannot stand there is refused with the reason.",
    "What is idle so far, its share, and what each stage holds are counted as it grows. Enter "
    "hands it in: as short as can be is right, nine tenths of it known with trouble.",
    NULL,
};
static const struct binding placing_rows[] = {
    {ACT_PLACE, "f b w F B W", "b w place",
     "f, b or w of the next microbatch; capitals: of chunk 1"},
    {ACT_DIGIT, "0-9", "microbatch", "the microbatch that the next block is of"},
    {ACT_REMOVE, "x Del", "remove", "remove the block under the cursor"},
    {ACT_UNDO, "u", "undo", "take the last step back"},
    {ACT_ENTER, "Enter", "hand in", "hand it in, to be graded"},
    {ACT_LEFT, "Left h", NULL, "one time earlier"},
    {ACT_RIGHT, "Right l", NULL, "one time later"},
    {ACT_UP, "Up k", NULL, "the stage before"},
    {ACT_DOWN, "Down j", NULL, "the next stage"},
    {ACT_FIRST, "Home g", NULL, "to the beginning"},
    {ACT_LAST, "End G", NULL, "behind the last block of the stage"},
    {ACT_BACK, "Esc", "back", "back; nothing is counted"},
};
static const struct key_list placing_keys = {KEY_ROWS(placing_rows), .how = how,
                                             .must = {ACT_PLACE, ACT_ENTER}};
static const struct binding graded_rows[] = {
    {ACT_ENTER, "Enter", "go on", "go on"},
    {ACT_TAB, "Tab", "yours, known", "the schedule as it is known, or yours again"},
    KEYS_UP_DOWN,
    KEYS_PAGES,
    KEYS_BACK,
};
static const struct key_list graded_keys = {KEY_ROWS(graded_rows), .how = how};

static const struct key_list *keys(struct app *app, const void *self)
{
    (void)app;
    return ((const struct schedule_screen *)self)->m.graded ? &graded_keys : &placing_keys;
}

/* ---- drawing ---- */

/* "f2 b0": the microbatches that come next on the stage. */
static void next_words(const struct schedule_screen *s, char *out, size_t size)
{
    const struct schedule_rules *r = &s->s.rules;
    size_t at = 0;
    snprintf(out, size, " nothing");
    for (int chunk = 0; chunk < r->chunks; chunk++)
        for (int part = 0; part < PART_KINDS - !r->split; part++) {
            char name[8];
            struct schedule_block b = {(enum schedule_part)part, s->stage, 0, chunk, 0};
            while (b.microbatch < r->microbatches && schedule_find(&s->s, b) >= 0)
                b.microbatch++;
            if (b.microbatch < r->microbatches && at < size)
                at += (size_t)snprintf(out + at, size - at, " %s", schedule_name(&b, name));
        }
}

static void draw_placing(const struct schedule_screen *s, const struct practice_frame *f, int w)
{
    struct schedule_sum sum;
    char next[64];
    schedule_sum(&sum, &s->s);
    next_words(s, next, sizeof next);
    draw_textf(f->status, 1, w - 2, STYLE_BOLD, "%d of %d blocks, time %d, idle %d, bubble %.1f %%",
               s->s.n, schedule_blocks(&s->s.rules), sum.time, sum.idle, 100 * sum.bubble);
    if (*s->why)
        draw_text(f->todo, 1, w - 2, STYLE_BAD, s->why);
    else if (s->typed != NOT_TYPED)
        draw_textf(f->todo, 1, w - 2, STYLE_ACCENT, "microbatch %d; f, b or w?", s->typed);
    else
        draw_textf(f->todo, 1, w - 2, STYLE_DIM, "stage %d at %d; next:%s", s->stage, s->time,
                   next);
}

static void draw_graded(const struct schedule_screen *s, const struct practice_frame *f, int w)
{
    const struct schedule_grade *g = &s->grade;
    if (s->m.shown) {
        draw_text(f->status, 1, w - 2, STYLE_BOLD, "As it is known; Tab: yours");
        return;
    }
    enum style style = g->best ? STYLE_GOOD : STYLE_BAD;
    int missing = schedule_blocks(&s->s.rules) - s->s.n, best = g->optimum.most;
    if (missing)
        draw_textf(f->status, 1, w - 2, style, "Blocks missing: %d; it can be done in %d",
                   missing, best);
    else if (g->best)
        draw_textf(f->status, 1, w - 2, style, "%s: %d, bubble %.1f %%, memory kept",
                   g->optimum.least == best ? "The optimum" : "As short as is known", g->sum.time,
                   100 * g->sum.bubble);
    else
        draw_textf(f->status, 1, w - 2, style, "%d where %d can be: %.0f %% reached, memory "
                   "kept", g->sum.time, best, 100 * g->share);
}

static void draw(struct app *app, const void *self)
{
    const struct schedule_screen *s = self;
    struct practice_frame f;
    struct figure_view view = {.width = app_columns(app), .part = -1, .blank = -1,
                               .placed = s->m.shown ? &s->known : &s->s,
                               .stage = s->m.graded ? -1 : s->stage, .time = s->time};
    char words[240];
    practice_frame(&f, app);
    practice_frame_draw(app, &f, s->m.figure->title, keys(app, self), 9, NULL);
    schedule_words(&s->s.rules, words, sizeof words);
    making_draw(app, &s->m, &f, &view, words);
    (s->m.graded ? draw_graded : draw_placing)(s, &f, f.frame.body.w);
}

/* ---- steps ---- */

static void add_step(struct schedule_screen *s, struct schedule_block b, bool removed)
{
    s->steps = mem_more(s->steps, (size_t)s->n_steps, sizeof *s->steps);
    s->steps[s->n_steps++] = (struct placed_step){b, removed};
}

static void place(struct schedule_screen *s, int letter)
{
    static const char letters[] = "fbwFBW";
    int k = (int)(strchr(letters, letter) - letters);
    struct err err = {0};
    struct schedule_block b = {(enum schedule_part)(k % 3), s->stage, 0, k / 3, s->time};
    if (s->typed != NOT_TYPED)
        b.microbatch = s->typed;
    else
        while (b.microbatch < s->s.rules.microbatches - 1 && schedule_find(&s->s, b) >= 0)
            b.microbatch++;
    s->typed = NOT_TYPED;
    if (schedule_place(&s->s, b, &err)) {
        text_copy_clean(s->why, sizeof s->why, err.text);
        return;
    }
    add_step(s, b, false);
    int end = schedule_end(&s->s, schedule_find(&s->s, b));
    s->time = end < LATEST ? end : LATEST;
}

static void remove_block(struct schedule_screen *s)
{
    int k = schedule_at(&s->s, s->stage, s->time);
    struct err err = {0};
    if (k < 0) {
        snprintf(s->why, sizeof s->why, "Nothing stands there.");
        return;
    }
    struct schedule_block b = s->s.block[k];
    if (schedule_remove(&s->s, k, &err))
        text_copy_clean(s->why, sizeof s->why, err.text);
    else
        add_step(s, b, true);
}

/* The state before was in order, so neither can be refused. */
static void undo(struct schedule_screen *s)
{
    if (s->n_steps == 0) {
        snprintf(s->why, sizeof s->why, "There is nothing to take back.");
        return;
    }
    const struct placed_step *last = &s->steps[--s->n_steps];
    s->stage = last->block.stage;
    s->time = last->block.start;
    if (last->removed)
        schedule_place(&s->s, last->block, NULL);
    else
        schedule_remove(&s->s, schedule_find(&s->s, last->block), NULL);
}

static void move(struct schedule_screen *s, enum action action)
{
    int stages = s->s.rules.stages;
    switch (action) {
    case ACT_LEFT: s->time -= s->time > 0; break;
    case ACT_RIGHT: s->time += s->time < LATEST; break;
    case ACT_UP: s->stage = (s->stage + stages - 1) % stages; break;
    case ACT_DOWN: s->stage = (s->stage + 1) % stages; break;
    case ACT_FIRST: s->time = 0; break;
    case ACT_LAST: s->time = schedule_stage_end(&s->s, s->stage); break;
    default: break;
    }
    s->time = s->time < LATEST ? s->time : LATEST;
}

/* ---- handing in ---- */

static void keep(struct app *app, struct schedule_screen *s)
{
    char given[48];
    schedule_grade(&s->grade, &s->s);
    enum drill_how how_well = s->grade.best                     ? DRILL_RIGHT
                              : s->grade.share >= CLOSE_SHARE ? DRILL_CLOSE
                                                              : DRILL_WRONG;
    snprintf(given, sizeof given, "placed, %.0f %% of the optimum", 100 * s->grade.share);
    making_keep(app, &s->m, how_well, given,
                SECONDS + SECONDS_BLOCK * schedule_blocks(&s->s.rules));
    schedule_known(&s->known, &s->s.rules, NULL);
}

static void hand_in(struct app *app, struct schedule_screen *s)
{
    int missing = schedule_blocks(&s->s.rules) - s->s.n;
    if (missing && !s->m.asked) {
        snprintf(s->why, sizeof s->why, "Blocks missing: %d; Enter again hands it in.", missing);
        s->m.asked = true;
        return;
    }
    keep(app, s);
}

static int act(struct app *app, void *self, enum action action, int arg)
{
    struct schedule_screen *s = self;
    if (action == ACT_BACK || (s->m.graded && action == ACT_ENTER))
        return DO_POP;
    if (s->m.graded)
        return making_look(app, &s->m, action);
    s->why[0] = '\0';
    s->m.asked = s->m.asked && action == ACT_ENTER;
    switch (action) {
    case ACT_PLACE: place(s, arg); break;
    case ACT_DIGIT: s->typed = arg; break;
    case ACT_REMOVE: remove_block(s); break;
    case ACT_UNDO: undo(s); break;
    case ACT_ENTER: hand_in(app, s); break;
    default: move(s, action); break;
    }
    return DO_REDRAW;
}

/* ---- coming and going ---- */

static void leave(struct app *app, void *self)
{
    struct schedule_screen *s = self;
    making_end(app, &s->m);
    free(s->steps);
    free(s);
}

static const struct screen_ops schedule_screen = {
    .name = "schedule",
    .keys = keys,
    .draw = draw,
    .act = act,
    .leave = leave,
};

void schedule_begin(struct app *app, const struct figure_data *f, struct sitting *sitting,
                    uint64_t seed)
{
    struct schedule_screen *s = mem_new(1, sizeof *s);
    s->typed = NOT_TYPED;
    making_begin(app, &s->m, f, sitting, seed);
    schedule_draw_size(&s->s.rules, &f->schedule.known->rules, seed);
    app_replace(app, &schedule_screen, s);
}
