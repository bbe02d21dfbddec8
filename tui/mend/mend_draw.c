#include "tui/mend/mend_screen.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/mend/mend_score.h"
#include "scenarios/mend/mend_steps.h"
#include "tui/app/frame.h"
#include "tui/mend/mend_show.h"

static const char own_code[] =
    "Whatever lies in this file is compiled and run under your account at each save, and so is "
    "what you write for other scenarios: this is asked once. It is given no files and no network, "
    "as code of packs is; but it can stop the GPU or make it fail for everybody who uses it, fill "
    "its memory and keep it busy.";

/* ---- the verdict ---- */

static int words_draw(const struct mend_screen *s, const struct mend_verdict *v, int y, int w)
{
    char line[240];
    int at, of;
    const char *say = mend_judge_say(s->judge, &at, &of);
    mend_headline(line, sizeof line, v);
    if (v->is == MEND_OPEN && v->against.there)
        draw_text(y++, 2, w - 4, STYLE_BOLD, line);
    if (v->is == MEND_OPEN)
        snprintf(line, sizeof line, "%d of %d: %.150s; comparisons passed: %d", at + 1, of, say,
                 v->checks);
    return mend_show_words(v, line, y, w, 5);
}

/* Walls behind the best try, and the next. */
static int steps_draw(const struct mend_screen *s, int y, int w, int end)
{
    const struct task *t = s->v->task;
    const struct mend_verdict *v = s->judge ? mend_judge_verdict(s->judge) : NULL;
    int reached = t ? mend_steps_best(t, &s->tries) : 0;
    if (!t || y + t->n_steps + 1 >= end)
        return y;
    draw_rule(y++, 0, w, "WALLS", reached < t->n_steps ? "h: help with the next" : NULL);
    for (int i = 0; i < t->n_steps && i <= reached; i++) {
        char words[120];
        mend_step_words(words, sizeof words, &t->steps[i], v);
        draw_textf(y++, 2, w - 4, i < reached ? STYLE_GOOD : STYLE_PLAIN, "%c %s: %s",
                   i < reached ? '#' : '.', t->steps[i].wall, words);
    }
    return y;
}

/* What is told at the end. */
static int lesson_draw(const struct mend_screen *s, int y, int w, int end)
{
    const struct task *t = s->v->task;
    if (!t || !mend_best_open(t, &s->tries) || y + 2 >= end)
        return y;
    draw_rule(y++, 0, w, "OUR BEST", "its code: warpdrill write ID best");
    y += draw_wrapped((struct rect){y, 2, end - y, w - 4}, 0, STYLE_PLAIN, t->lesson);
    return y < end ? y : end;
}

static int moved_draw(const struct mend_screen *s, int y, int w, int end)
{
    if (!s->n_moved || y + 2 >= end)
        return y;
    y = mend_show_moved(s->moved, s->n_moved, s->row, s->since, "e explains", y, w, end);
    if (s->explaining && y < end)
        y += draw_wrapped((struct rect){y, 4, end - y, w - 8}, 0, STYLE_DIM,
                          s->moved[s->row].metric->explain);
    return y;
}

static int sanitizer_draw(const struct mend_screen *s, int y, int w, int end)
{
    const struct mend_tool *t = s->sanitizer ? mend_sanitizer_tools(s->sanitizer) : NULL;
    if (!t || y + 2 >= end)
        return y;
    draw_rule(y++, 0, w, "COMPUTE-SANITIZER",
              mend_sanitizer_over(s->sanitizer) ? NULL : "it takes its time");
    for (int i = 0; i < MEND_TOOLS && y < end && *t[i].name; i++) {
        char line[400];
        if (!t[i].told && mend_sanitizer_over(s->sanitizer)) /* the reason stands below */
            continue;
        mend_tool_words(line, sizeof line, &t[i]);
        draw_text(y++, 2, w - 4, t[i].found ? STYLE_BAD : t[i].told ? STYLE_PLAIN : STYLE_DIM,
                  line);
    }
    if (*mend_sanitizer_why(s->sanitizer) && y < end)
        draw_text(y++, 2, w - 4, STYLE_BAD, mend_sanitizer_why(s->sanitizer));
    return y;
}

/* Whoever sees it for the first time reads nothing else. */
static int first_words_draw(const struct mend_screen *s, int y, int w, int end)
{
    const char *words = s->v->task
                            ? "Enter opens the file in your editor, w writes here. Each save is "
                              "judged; the contract above the empty kernel says what is right."
                            : "This is the suspect as it was. Enter opens the file in your editor, "
                              "w writes here; each save is judged. h helps, a step at a time.";
    if (s->tries.n > 1 || s->hint || y + 3 >= end)
        return y;
    return y + 1 + draw_wrapped((struct rect){y + 1, 2, 2, w - 4}, 0, STYLE_DIM, words);
}

static int built_draw(const struct mend_screen *s, int y, int w, int end)
{
    static const char words[] =
        "Whether it is right, and how fast it is, only a GPU can tell: g on the home screen "
        "connects one. Enter opens the file in your editor, w writes here; each save is compiled. "
        "h helps, a step at a time.";
    if (!s->build)
        return y;
    y = mend_show_built(s->build, y, w, end) + 1;
    int below = mend_show_counts(s->build, mend_build_other(s->build), y, w, end);
    y = below > y ? below + 1 : y;
    if (y < end)
        y += draw_wrapped((struct rect){y, 2, end - y, w - 4}, 0, STYLE_DIM, words);
    return (y < end ? y : end) + 1;
}

static int hint_rows(const struct mend_screen *s, int w, int room)
{
    if (!s->hint)
        return 0;
    int rows = 1 + draw_wrapped((struct rect){0, 2, 0, w - 4}, 0, STYLE_PLAIN, s->hint);
    return rows < room / 2 ? rows : room / 2;
}

/* Rows that are kept for walls and a hint below what the compiler said. */
static int rows_below(const struct mend_screen *s, int w, int room)
{
    int rows = (s->v->task ? s->v->task->n_steps + 3 : 1) + hint_rows(s, w, room);
    return rows < room / 2 ? rows : room / 2;
}

static void verdict_draw(const struct mend_screen *s, int y, int w, int end)
{
    const struct mend_verdict *v = s->judge ? mend_judge_verdict(s->judge) : NULL;
    if (*s->trouble) {
        int lines = draw_wrapped((struct rect){y, 2, 6, w - 4}, 0, STYLE_BAD, s->trouble);
        y += (lines < 6 ? lines : 6) + 1;
    }
    if (v) {
        y = words_draw(s, v, y, w);
        y = mend_show_bars(v, y, w);
        y = moved_draw(s, first_words_draw(s, y, w, end) + 1, w, end);
    } else if (!*s->trouble && !s->build) {
        draw_text(y++, 2, w - 4, STYLE_DIM, "Change the file and save; each save is judged.");
    }
    y = built_draw(s, y, w, end - rows_below(s, w, end - y));
    y = sanitizer_draw(s, y, w, end);
    y = steps_draw(s, y, w, end);
    y = lesson_draw(s, y, w, end - hint_rows(s, w, end - y));
    if (s->hint && y + 1 < end) {
        draw_rule(y, 0, w, "HINT", NULL);
        draw_wrapped((struct rect){y + 1, 2, end - y - 1, w - 4}, 0, STYLE_PLAIN, s->hint);
    }
}

/* ---- the tries: the way there ---- */

static void tries_draw(const struct mend_screen *s, int y, int w, int end)
{
    const struct mend_try *best = mend_best(&s->tries);
    struct mend_score score = mend_score_of(&s->tries);
    char words[240];
    mend_score_words(words, sizeof words, &score);
    draw_text(y++, 2, w - 4, s->tries.n ? STYLE_BOLD : STYLE_DIM,
              s->tries.n ? words : "No try yet.");
    int rows = end - y, from = s->row >= rows ? s->row - rows + 1 : 0, bar = 20;
    for (int i = from; i < s->tries.n && y < end; i++, y++) {
        const struct mend_try *t = &s->tries.all[i];
        const struct mend_verdict *v = &t->verdict;
        char line[200];
        mend_headline(line, sizeof line, v);
        draw_textf(y, 2, w - 4 - bar, i == s->row ? STYLE_SELECTED : STYLE_PLAIN, "%c%3d %s %-*s",
                   t->number == s->from ? '*' : ' ', t->number, t == best ? "best" : "    ",
                   w - 4 - bar - 10,
                   v->is == MEND_OPEN ? "laid aside" : line);
        double share = mend_shown_share(v);
        if (share >= 0)
            draw_bar(y, w - bar, bar - 2, share > 1 ? 1 : share, true, STYLE_ACCENT);
    }
}

static void diff_draw(const struct mend_screen *s, int y, int w, int end)
{
    int seen = 0;
    for (int i = 0; i < s->diff.n && y < end; i++) {
        const struct diff_line *l = &s->diff.line[i];
        if (!diff_near(&s->diff, i, 2) || seen++ < s->scroll)
            continue;
        draw_textf(y++, 2, w - 4,
                   l->kind == DIFF_IN    ? STYLE_GOOD
                   : l->kind == DIFF_OUT ? STYLE_BAD
                                         : STYLE_PLAIN,
                   "%c %.*s", " -+"[l->kind], (int)l->len, l->text);
    }
    if (!s->diff.in && !s->diff.out)
        draw_text(y, 2, w - 4, STYLE_DIM, "The same code.");
}

/* ---- all of it ---- */

static const char *title_of(const struct mend_screen *s, char out[80])
{
    switch (s->view) {
    case MEND_TRIES: return "TRIES, and the share of the gap that each closed";
    case MEND_TYPING: return "YOUR TEXT";
    case MEND_DIFF:
        if (s->diff_with)
            snprintf(out, 80, "TRY %d (-) AND TRY %d (+)", s->diff_try, s->diff_with);
        else
            snprintf(out, 80, "TRY %d (-) AND THE FILE NOW (+)", s->diff_try);
        return out;
    case MEND_VERDICT: break;
    }
    return s->v->task ? "WRITE IT" : "MEND IT";
}

/* Its end, where there is no room for all of it. */
static void path_draw(const char *path, int y, int w)
{
    int width = (int)strlen(path), room = w - 4;
    if (width <= room)
        draw_text(y, 2, room, STYLE_DIM, path);
    else
        draw_textf(y, 2, room, STYLE_DIM, "...%s", path + width - room + 3);
}

void mend_draw(struct app *app, const void *self)
{
    const struct mend_screen *s = self;
    struct frame f;
    char title[80];
    layout_frame(&f, app_rows(app), app_columns(app));
    int w = f.body.w, y = f.body.y;
    frame_draw(app, &f, s->v->task ? s->v->task->title : s->v->story->title, mend_keys(app, self));
    draw_rule(y++, 0, w, title_of(s, title), NULL);
    path_draw(s->place.file, y++, w);
    y++;
    if (s->asking) {
        draw_text(y++, 2, w - 4, STYLE_BOLD, "This is code of your own. Run it on this GPU?");
        draw_wrapped((struct rect){y, 2, f.rule - y, w - 4}, 0, STYLE_PLAIN, own_code);
        return;
    }
    switch (s->view) {
    case MEND_VERDICT: verdict_draw(s, y, w, f.rule); break;
    case MEND_TRIES: tries_draw(s, y, w, f.rule); break;
    case MEND_DIFF: diff_draw(s, y, w, f.rule); break;
    case MEND_TYPING:
        editor_draw(&s->editor, (struct rect){y, 2, f.rule - y, w - 4}, STYLE_PLAIN);
        break;
    }
}
