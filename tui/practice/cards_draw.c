#include "tui/app/app_data.h"
#include "tui/practice/cards_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "tui/app/defaults.h"
#include "tui/app/frame.h"
#include "tui/practice/sitting_draw.h"

enum { LABEL_X = 12, BESIDE = 80 /* columns from which two texts stand side by side */ };

/* ---- the question ---- */

/* The front with the gaps typed so far; the one that is typed now is marked. */
static char *cloze_text(const struct cards *c)
{
    char *out = text_dup("");
    const char *at = c->card->front;
    for (int g = 0; g < c->card->n_gaps; g++) {
        const char *open = strstr(at, "{{");
        bool now = c->stage == CARDS_ASKED && g == c->gap;
        const char *gap = now && *textfield_text(&c->field) ? textfield_text(&c->field)
                          : now                             ? "____"
                          : g < c->gap && *c->gaps[g]       ? c->gaps[g]
                                                            : "...";
        char *longer = text_format("%s%.*s[%s]", out, (int)(open - at), at, gap);
        free(out);
        out = longer;
        at = strstr(open, "}}") + 2;
    }
    char *whole = text_format("%s%s", out, at);
    free(out);
    return whole;
}

static void choices(struct page *p, const struct cards *c)
{
    char label[24];
    page_gap(p);
    for (int k = 0; k < c->card->n_choices; k++) {
        bool right = c->order[k] == c->card->right,
             given = c->stage == CARDS_ANSWERED && atoi(c->given) == k + 1;
        enum style s = c->stage != CARDS_ANSWERED ? STYLE_PLAIN
                       : right                    ? STYLE_GOOD
                       : given                    ? STYLE_BAD
                                                  : STYLE_DIM;
        snprintf(label, sizeof label, "%s%d",
                 c->stage != CARDS_ANSWERED ? ""
                 : right                    ? glyph("✓ ", "x ")
                 : given                    ? "- "
                                            : "  ",
                 k + 1);
        page_labelled(p, c->stage == CARDS_ANSWERED ? 7 : 5, s, label, s,
                      c->card->choices[c->order[k]]);
    }
}

static void question(struct page *p, const struct cards *c)
{
    const struct card *card = c->card;
    static const char *const kinds[] = {[CARD_CLOZE] = "fill the gap",
                                        [CARD_NUMBER] = "a number",
                                        [CARD_CHOICE] = "choose",
                                        [CARD_RECALL] = "in your own words"};
    page_rule(p, card->topic, card->opinion ? "opinion" : kinds[card->kind]);
    page_gap(p);
    char *front =
        card->kind == CARD_CLOZE && c->stage == CARDS_ASKED ? cloze_text(c) : card_front(card);
    page_text(p, 2, STYLE_BOLD, front);
    free(front);
    if (card->kind == CARD_CHOICE)
        choices(p, c);
}

/* ---- the answer ---- */

static void source(struct page *p, const struct cards *c)
{
    const struct card *card = c->card;
    if (card->opinion) {
        page_gap(p);
        page_labelled(p, LABEL_X, STYLE_SECOND, "opinion", STYLE_PLAIN,
                      "A rule of thumb, not a fact: others answer differently, with reason.");
    }
    if (card->note && *card->note && strcmp(card->note, "opinion") != 0) {
        page_gap(p);
        page_labelled(p, LABEL_X, STYLE_DIM, "note", STYLE_PLAIN, card->note);
    }
    if (card->source && *card->source) {
        page_gap(p);
        page_source(p, LABEL_X, card->source);
    }
}

static void answered(struct page *p, const struct cards *c)
{
    char *answer = card_answer(c->card);
    bool right = c->verdict == CARD_RIGHT;
    page_gap(p);
    page_rule(p, right ? "RIGHT" : "NOT RIGHT", NULL);
    if (*c->say)
        page_text(p, 2, STYLE_BAD, c->say);
    const char *given = c->given;
    int digit = atoi(given);
    if (c->card->kind == CARD_CHOICE)
        given = !right && digit >= 1 && digit <= c->card->n_choices
                    ? c->card->choices[c->order[digit - 1]]
                    : "";
    if (*given)
        page_labelled(p, LABEL_X, STYLE_DIM, "you", right ? STYLE_GOOD : STYLE_BAD, given);
    page_labelled(p, LABEL_X, STYLE_DIM, "answer", STYLE_GOOD,
                  c->card->kind == CARD_CHOICE ? c->card->choices[c->card->right] : answer);
    if (c->card->kind == CARD_CLOZE && *c->card->back) {
        page_gap(p);
        page_text(p, LABEL_X, STYLE_PLAIN, c->card->back);
    }
    free(answer);
    source(p, c);
}

/* Yours and the model answer: side by side where there is room. */
static void compared(struct page *p, const struct cards *c)
{
    const char *yours =
        *editor_text(&c->editor) ? editor_text(&c->editor) : "(nothing was written)";
    page_gap(p);
    if (p->r.w < BESIDE) {
        page_rule(p, "A MODEL ANSWER", NULL);
        page_text(p, 2, STYLE_GOOD, c->card->back);
        page_gap(p);
        page_rule(p, "YOURS", NULL);
        page_text(p, 2, STYLE_PLAIN, yours);
    } else {
        int half = p->r.w / 2;
        struct page left = *p, right = *p;
        left.r.w = half;
        right.r.x += half;
        right.r.w -= half;
        page_rule(&left, "YOURS", NULL);
        page_rule(&right, "A MODEL ANSWER", NULL);
        page_text(&left, 2, STYLE_PLAIN, yours);
        page_text(&right, 2, STYLE_GOOD, c->card->back);
        p->line = left.line > right.line ? left.line : right.line;
    }
    source(p, c);
}

/* ---- the whole ---- */

static int card_draw(const struct cards *c, struct rect r, int top)
{
    struct page p = {.r = r, .top = top};
    question(&p, c);
    if (c->stage == CARDS_GRADING || (c->stage == CARDS_ANSWERED && c->card->kind == CARD_RECALL))
        compared(&p, c);
    else if (c->stage == CARDS_ANSWERED)
        answered(&p, c);
    return p.line;
}

static int end_draw(struct app *app, const struct cards *c, struct rect r, int top)
{
    struct page p = {.r = r, .top = top};
    char text[256];
    int head = p.line - p.top;
    page_rule(&p, c->sitting.n_answers ? "THIS SITTING" : "CARDS", NULL);
    if (c->sitting.n_answers && head >= 0 && r.h > 0)
        sitting_draw_head(&c->sitting, r.y + head, r);
    if (c->sitting.n_answers > 0) {
        int hidden = p.line < top ? top - p.line : 0, y = p.line - top + hidden;
        p.line += sitting_draw(&c->sitting, (struct rect){r.y + y, r.x, r.h - y, r.w}, hidden);
    } else {
        page_text(&p, 2, STYLE_PLAIN,
                  app_library(app)->n_cards ? "Nothing is due now." : "No card was found.");
    }
    page_gap(&p);
    sitting_later(&c->sitting, text, sizeof text);
    page_text(&p, 2, STYLE_DIM, text);
    return p.line;
}

static int body_draw(struct app *app, const struct cards *c, struct rect r, int top)
{
    return c->stage == CARDS_END ? end_draw(app, c, r, top) : card_draw(c, r, top);
}

int cards_lines(struct app *app, const struct cards *c)
{
    return body_draw(app, c, (struct rect){1, 0, 0, app_columns(app)}, 0);
}

/* ---- searching ---- */

static void draw_all(struct app *app, const void *self, struct rect r)
{
    body_draw(app, self, r, 0);
}

static void find_rows(struct app *app, const void *self, struct find_rows *out)
{
    const struct cards *c = self;
    struct practice_frame f;
    practice_frame(&f, app);
    out->where = f.frame.body;
    out->at = practice_scroll(c->top, cards_lines(app, c), out->where.h);
    find_add_drawn(out, app, c, cards_lines(app, c), draw_all);
}

static void find_go(struct app *app, void *self, int row, int column, int columns)
{
    struct cards *c = self;
    struct practice_frame f;
    (void)column, (void)columns;
    practice_frame(&f, app);
    c->top = find_top(c->top, row, cards_lines(app, c), f.frame.body.h);
}

const struct find_ops cards_find = {find_rows, find_go};

struct rect cards_editor_rect(struct app *app, const struct cards *c)
{
    struct practice_frame f;
    practice_frame(&f, app);
    struct rect r = f.frame.body;
    int lines = card_draw(c, (struct rect){1, 0, 0, r.w}, 0) + 2;
    if (lines > r.h - 3)
        lines = r.h - 3;
    return (struct rect){r.y + lines, 2, r.h - lines, r.w - 4};
}

static void free_text_draw(struct app *app, const struct cards *c)
{
    struct rect r = cards_editor_rect(app, c);
    char where[48];
    editor_where(&c->editor, where, sizeof where, r.w, r.h);
    draw_rule(r.y - 1, 0, app_columns(app), "YOUR ANSWER", *where ? where : NULL);
    editor_draw(&c->editor, r, STYLE_ACCENT);
}

/* ---- the rows below ---- */

static void field_draw(const struct cards *c, int y, int w)
{
    const struct card *card = c->card;
    char label[64];
    if (card->kind == CARD_CHOICE) {
        draw_textf(y, 1, w - 2, STYLE_PLAIN, "Choose with a digit, 1 to %d.", card->n_choices);
        return;
    }
    if (card->kind == CARD_RECALL) {
        draw_text(y, 1, w - 2, STYLE_PLAIN,
                  *editor_text(&c->editor)
                      ? "Tab shows a model answer beside yours."
                      : "Write it, or only think it; Tab shows a model answer.");
        return;
    }
    if (card->kind == CARD_CLOZE && card->n_gaps > 1)
        snprintf(label, sizeof label, "gap %d of %d:", c->gap + 1, card->n_gaps);
    else if (card->kind == CARD_CLOZE)
        snprintf(label, sizeof label, "the gap:");
    else
        snprintf(label, sizeof label,
                 !card->unit || !strcmp(card->unit, "1") ? "a number:" : "a number in %s:",
                 card->unit);
    int x = 1 + draw_text(y, 1, w / 2, STYLE_PLAIN, label) + 1;
    textfield_draw(&c->field, y, x, w - x - 1, STYLE_ACCENT);
}

/* "1 again 10 min   2 hard tomorrow ..." */
static void grades_draw(const struct cards *c, int y, int w)
{
    static const char *const names[] = {"again", "hard", "good", "easy"};
    const struct queue_item *item = queue_find(c->sitting.items, c->sitting.n_items, c->item);
    int x = 1;
    for (int g = 0; g < 4 && item; g++) {
        char when[48];
        sitting_preview(&c->sitting, item, (enum fsrs_grade)(g + 1), wall_now(), when, sizeof when);
        const char *brief = !strncmp(when, "in ", 3) ? when + 3 : when;
        x += draw_textf(y, x, w - x - 1, STYLE_ACCENT, "%d", g + 1) + 1;
        x += draw_text(y, x, w - x - 1, STYLE_BOLD, names[g]) + 1;
        x += draw_text(y, x, w - x - 1, STYLE_DIM, w >= 80 ? when : brief) + (w >= 80 ? 3 : 2);
    }
}

static void status_draw(const struct cards *c, const struct practice_frame *f)
{
    int w = f->frame.body.w;
    const struct sitting_answer *a =
        c->sitting.n_answers ? &c->sitting.answers[c->sitting.n_answers - 1] : NULL;
    if (c->stage == CARDS_ASKED)
        draw_text(f->status, 1, w - 2, STYLE_DIM, c->why);
    else if (c->stage == CARDS_GRADING)
        draw_text(f->status, 1, w - 2, STYLE_PLAIN, "How well did you have it, before you saw it?");
    else if (a)
        draw_textf(f->status, 1, w - 2, STYLE_BOLD, "%s: %s",
                   (const char *const[]){"", "again", "hard", "good", "easy"}[a->grade],
                   *a->next ? a->next : "not kept yet");
}

static void end_rows(const struct cards *c, const struct practice_frame *f)
{
    char text[160];
    sitting_sum(&c->sitting, text, sizeof text);
    if (c->sitting.n_answers)
        draw_text(f->status, 1, f->frame.body.w - 2, STYLE_BOLD, text);
    draw_text(f->todo, 1, f->frame.body.w - 2, STYLE_PLAIN,
              sitting_more(&c->sitting) ? "Enter goes back; n asks one more." : "Enter goes back.");
}

static void where(const struct cards *c, char *out, size_t size)
{
    bool open = c->stage == CARDS_ASKED || c->stage == CARDS_GRADING;
    char at[48];
    sitting_place(&c->sitting, c->item, open, at, sizeof at);
    if (c->stage == CARDS_END)
        snprintf(out, size, "cards   done");
    else
        snprintf(out, size, "cards   %s", at);
}

/* Where letters are text the keys that still act are named. */
static const char *typing_keys(const struct cards *c, int w)
{
    if (c->stage != CARDS_ASKED || c->card->kind == CARD_CHOICE)
        return NULL;
    if (c->card->kind == CARD_RECALL)
        return w >= 80
                   ? "Tab the answer  Ctrl-G $EDITOR  Ctrl-/ undo  Ctrl-R redo  Esc back  F1 help"
                   : "Tab the answer  Ctrl-G $EDITOR  Esc back  F1 help";
    return c->card->kind == CARD_NUMBER && !*textfield_text(&c->field)
               ? NULL
               : "Enter answer   Esc back, kept   Ctrl-U clears";
}

void cards_draw(struct app *app, const void *self)
{
    const struct cards *c = self;
    struct practice_frame f;
    char what[64];
    practice_frame(&f, app);
    where(c, what, sizeof what);
    const char *keys = typing_keys(c, f.frame.body.w);
    int digits = c->stage == CARDS_ASKED ? c->card->n_choices : 9;
    practice_frame_draw(app, &f, what, cards_keys(app, c), digits, keys);
    struct rect body = f.frame.body;
    if (c->stage == CARDS_ASKED && c->card->kind == CARD_RECALL) {
        free_text_draw(app, c);
        body.h = cards_editor_rect(app, c).y - 1 - body.y;
    }
    int top = practice_scroll(c->top, cards_lines(app, c), body.h); /* the screen may have grown */
    int lines = body_draw(app, c, body, top);
    practice_more(&f, lines - (f.frame.body.h - body.h), top, app_said(app) != NULL);
    if (c->stage == CARDS_END) {
        end_rows(c, &f);
        return;
    }
    status_draw(c, &f);
    if (c->stage == CARDS_ASKED)
        field_draw(c, f.todo, f.frame.body.w);
    else if (c->stage == CARDS_GRADING)
        grades_draw(c, f.todo, f.frame.body.w);
    else
        draw_text(f.todo, 1, f.frame.body.w - 2, STYLE_PLAIN,
                  "Enter for the next; u takes it back.");
}
