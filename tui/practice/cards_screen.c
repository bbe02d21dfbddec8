#include "tui/practice/cards_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/pack/taxonomy.h"
#include "tui/app/app_data.h"
#include "tui/app/help.h"
#include "tui/practice/practice.h"
#include "tui/practice/practice_sitting.h"

enum { DRAFT_MS = 1000 };

#define CARD_PREFIX "card:"
#define CAUSE_PREFIX "cause:"
#define FIGURE_PREFIX "figure:"

/* ---- asking ---- */

static void put_down(struct cards *c)
{
    card_free(&c->cause);
    editor_free(&c->editor);
    c->card = NULL;
}

static void end(struct app *app, struct cards *c)
{
    put_down(c);
    c->stage = CARDS_END;
    c->top = 0;
    app_text_input(app, false);
}

/* A cause that was missed before: its mechanism, and what settles it. */
static const struct card *cause_card(struct cards *c, const char *id)
{
    const struct hypothesis *h = taxonomy_find(id);
    if (!h)
        return NULL;
    c->cause =
        (struct card){.set = "",
                      .kind = CARD_RECALL,
                      .id = text_dup(h->id),
                      .topic = text_dup(h->group),
                      .front =
                          text_format("What is \"%s\", and which evidence settles it?", h->label),
                      .back = text_dup(h->explain),
                      .source =
                          text_dup("the causes' own table; you missed this one in a scenario")};
    return &c->cause;
}

/* A draft of free text is kept while it is written, and when one leaves in the middle. */
static void draft_name(char out[160], const struct cards *c)
{
    snprintf(out, 160, "draft/%s", c->item);
}

static char *draft_take(struct app *app, const struct cards *c)
{
    char name[160], *text = NULL;
    draft_name(name, c);
    if (!app_store(app) || store_setting_get(app_store(app), name, &text) != 1)
        return NULL;
    return text;
}

static void draft_put(struct app *app, const struct cards *c, const char *text)
{
    char name[160], *old = draft_take(app, c);
    draft_name(name, c);
    if (app_store(app) && strcmp(old ? old : "", text) != 0)
        store_setting_put(app_store(app), name, text);
    free(old);
}

/* What was left half written comes first. */
static void lead_with_draft(struct app *app, struct cards *c)
{
    bool half = false;
    for (int i = 0; i < c->sitting.n_items && !half; i++) {
        snprintf(c->item, sizeof c->item, "%s", c->sitting.items[i].id);
        char *text = draft_take(app, c);
        half = text && *text;
        free(text);
    }
    if (half)
        sitting_lead(&c->sitting, c->item);
    c->item[0] = '\0';
}

/* A figure has a screen of its own, which answers within this sitting; the first time it is studied,
 * later its frame stands bare. */
static bool ask_figure(struct app *app, struct cards *c, const char *item, uint64_t seed)
{
    const struct queue_item *it = queue_find(c->sitting.items, c->sitting.n_items, item);
    c->away = figure_begin(app, item + strlen(FIGURE_PREFIX), &c->sitting, seed,
                           it && it->memory.phase != 0);
    c->n_before = c->sitting.n_answers;
    return false;
}

static bool ask(struct app *app, struct cards *c, const char *item, uint64_t seed, double before)
{
    bool cause = !strncmp(item, CAUSE_PREFIX, strlen(CAUSE_PREFIX));
    char id[128];
    snprintf(id, sizeof id, "%s", item);
    put_down(c);
    snprintf(c->item, sizeof c->item, "%s", id);
    if (!strncmp(id, FIGURE_PREFIX, strlen(FIGURE_PREFIX)))
        return ask_figure(app, c, id, seed);
    c->card = cause ? cause_card(c, id + strlen(CAUSE_PREFIX))
                    : library_card(app_library(app), id + strlen(CARD_PREFIX));
    if (!c->card) {
        app_say(app, "There is no card '%s'.", id);
        return false;
    }
    c->stage = CARDS_ASKED;
    c->seed = seed;
    c->empty = false;
    c->gap = c->top = 0;
    c->draft_ms = 0;
    c->say[0] = c->given[0] = '\0';
    memset(c->gaps, 0, sizeof c->gaps);
    card_shuffle(c->card, seed, c->order);
    textfield_init(&c->field, "");
    char *draft = c->card->kind == CARD_RECALL ? draft_take(app, c) : NULL;
    editor_init(&c->editor, draft);
    if (draft && *draft)
        snprintf(c->why, sizeof c->why, "half written before");
    free(draft);
    c->began_ms = app_now(app) - (int64_t)(before * 1000);
    app_text_input(app, c->card->kind != CARD_CHOICE);
    return true;
}

static void ask_item(struct app *app, struct cards *c, const struct queue_item *item,
                     const struct queue_entry *e)
{
    sitting_why(&c->sitting, item ? e : NULL, c->why, sizeof c->why);
    if (!item || !ask(app, c, item->id, app_seed(app), 0))
        end(app, c); /* of the cards, or until the figure's screen has gone */
}

static void next(struct app *app, struct cards *c)
{
    const struct queue_entry *e = NULL;
    app_find_end(app);
    practice_look(app, &c->sitting);
    const struct queue_item *item = sitting_next(&c->sitting, &e);
    ask_item(app, c, item, e);
}

/* The figure above has gone: on with the sitting, unless it was left. */
static void shown(struct app *app, void *self)
{
    struct cards *c = self;
    bool answered = c->away && c->sitting.n_answers > c->n_before;
    c->away = false;
    if (answered)
        next(app, c);
}

/* ---- answering ---- */

static void keep(struct app *app, struct cards *c, enum fsrs_grade self)
{
    struct sitting_answer a = {.typed = c->given,
                               .seconds = c->seconds,
                               .allowed = review_card_seconds(c->card->kind),
                               .seed = c->seed,
                               .how = self ? (self > FSRS_AGAIN ? DRILL_RIGHT : DRILL_WRONG)
                                      : c->verdict == CARD_RIGHT ? DRILL_RIGHT
                                                                 : DRILL_WRONG};
    struct review r;
    char *front = card_front(c->card);
    a.points = a.how == DRILL_RIGHT;
    snprintf(a.item, sizeof a.item, "%s", c->item);
    snprintf(a.title, sizeof a.title, "%.127s", front);
    text_clean(a.title, strlen(a.title));
    free(front);
    review_of_card(&r, c->card, c->verdict, self, c->given, c->seconds);
    snprintf(r.item, sizeof r.item, "%s", c->item);
    practice_answer(app, &c->sitting, &a, &r);
    c->stage = CARDS_ANSWERED;
    c->top = 0;
    app_text_input(app, false);
}

static int grade(struct app *app, struct cards *c, const char *typed)
{
    c->seconds = (double)(app_now(app) - c->began_ms) / 1000;
    snprintf(c->given, sizeof c->given, "%s", typed);
    c->verdict = card_grade(c->card, c->order, typed, c->say, sizeof c->say);
    if (c->verdict == CARD_UNREADABLE) {
        practice_say_again(app, c->say);
        return DO_REDRAW;
    }
    keep(app, c, 0);
    return DO_REDRAW;
}

/* An empty line, twice: not known. A number needs a number, so that one is graded here. */
static int give_up(struct app *app, struct cards *c)
{
    if (!c->empty) {
        c->empty = true;
        app_say(app, "Enter again shows the answer: not known counts as again.");
        return DO_REDRAW;
    }
    c->seconds = (double)(app_now(app) - c->began_ms) / 1000;
    c->verdict = CARD_WRONG;
    snprintf(c->say, sizeof c->say, "Not known.");
    keep(app, c, 0);
    return DO_REDRAW;
}

/* Commas separate gaps when they are graded, so that none may stand within one. */
static void all_gaps(const struct cards *c, char *out, size_t size)
{
    size_t at = 0;
    for (int g = 0; g < c->card->n_gaps && at < size; g++)
        at += (size_t)snprintf(out + at, size - at, "%s%s", g ? "; " : "", c->gaps[g]);
}

static int gap_done(struct app *app, struct cards *c, const char *typed)
{
    char all[CARD_GAPS * 132];
    snprintf(c->gaps[c->gap], sizeof c->gaps[0], "%.127s", typed);
    text_clean(c->gaps[c->gap], strlen(c->gaps[c->gap]));
    for (char *at = c->gaps[c->gap]; c->card->n_gaps > 1 && *at; at++)
        *at = *at == ',' || *at == ';' ? ' ' : *at;
    if (++c->gap < c->card->n_gaps) {
        textfield_init(&c->field, "");
        return DO_REDRAW;
    }
    all_gaps(c, all, sizeof all);
    return grade(app, c, all);
}

static int enter(struct app *app, struct cards *c)
{
    char text[TEXTFIELD_BYTES];
    textfield_trim(&c->field);
    snprintf(text, sizeof text, "%s", textfield_text(&c->field));
    if (c->card->kind == CARD_CHOICE || (!*text && c->gap == 0))
        return give_up(app, c);
    return c->card->kind == CARD_CLOZE ? gap_done(app, c, text) : grade(app, c, text);
}

static void show_model(struct app *app, struct cards *c)
{
    c->seconds = (double)(app_now(app) - c->began_ms) / 1000;
    snprintf(c->given, sizeof c->given, "%s", editor_text(&c->editor));
    text_clean(c->given, strlen(c->given));
    c->stage = CARDS_GRADING;
    c->top = 0;
    app_text_input(app, false);
}

static int grade_oneself(struct app *app, struct cards *c, int digit)
{
    if (digit < FSRS_AGAIN || digit > FSRS_EASY)
        return DO_NOTHING;
    keep(app, c, (enum fsrs_grade)digit);
    c->draft_ms = 0;
    draft_put(app, c, "");
    return DO_REDRAW;
}

/* ---- other keys ---- */

/* A recall goes back to its model answer, with what was typed if it is the one still shown;
 * everything else is asked again. */
static int undo(struct app *app, struct cards *c)
{
    struct sitting_answer a;
    bool shown = c->stage == CARDS_ANSWERED;
    if (c->stage == CARDS_GRADING) {
        c->stage = CARDS_ASKED;
        app_text_input(app, true);
        return DO_REDRAW;
    }
    if (!practice_undo(app, &c->sitting, &a))
        return DO_REDRAW;
    char *text = shown && c->card->kind == CARD_RECALL ? text_dup(editor_text(&c->editor))
                                                       : text_dup(a.typed);
    practice_look(app, &c->sitting);
    c->why[0] = '\0';
    if (!ask(app, c, a.item, a.seed, a.seconds)) {
        end(app, c);
    } else {
        app_say(app, c->card->kind == CARD_RECALL ?
                     "Taken back: memory is what it was before this answer." :
                     "Taken back. The answer was seen, so the grade gets no better.");
        if (c->card->kind == CARD_RECALL) {
            editor_free(&c->editor);
            editor_init(&c->editor, text);
            show_model(app, c);
        } else if (c->card->kind == CARD_NUMBER ||
                   (c->card->kind == CARD_CLOZE && c->card->n_gaps == 1)) {
            textfield_init(&c->field, text);
        }
    }
    free(text);
    free(a.typed);
    return DO_REDRAW;
}

static int more(struct app *app, struct cards *c)
{
    practice_look(app, &c->sitting);
    const struct queue_item *item = sitting_more(&c->sitting);
    if (item)
        ask_item(app, c, item, NULL);
    else
        app_say(app, "There is nothing more to ask.");
    return DO_REDRAW;
}

static int scroll(struct app *app, struct cards *c, enum action action)
{
    struct practice_frame f;
    practice_frame(&f, app);
    c->top = practice_scroll(c->top + practice_step(action, f.frame.body.h), cards_lines(app, c),
                             f.frame.body.h);
    return DO_REDRAW;
}

static int choose(struct app *app, struct cards *c, int digit)
{
    char typed[16];
    if (c->card->kind != CARD_CHOICE || digit < 1 || digit > c->card->n_choices)
        return DO_NOTHING;
    snprintf(typed, sizeof typed, "%d", digit);
    return grade(app, c, typed);
}

static int act(struct app *app, void *self, enum action action, int arg)
{
    struct cards *c = self;
    c->empty = c->empty && action == ACT_ENTER;
    if (action == ACT_BACK)
        return DO_POP;
    if (action == ACT_UNDO)
        return undo(app, c);
    if (action >= ACT_UP && action <= ACT_PAGE_DOWN)
        return scroll(app, c, action);
    if (c->stage == CARDS_ASKED)
        return action == ACT_DIGIT   ? choose(app, c, arg)
               : action == ACT_ENTER ? enter(app, c)
                                     : DO_NOTHING;
    if (c->stage == CARDS_GRADING)
        return action == ACT_DIGIT ? grade_oneself(app, c, arg) : DO_NOTHING;
    if (c->stage == CARDS_END)
        return action == ACT_ENTER ? DO_POP : action == ACT_NEXT ? more(app, c) : DO_NOTHING;
    if (action == ACT_ENTER)
        next(app, c);
    return DO_REDRAW;
}

/* ---- typing ---- */

static int typed_free(struct app *app, struct cards *c, int key)
{
    struct rect r = cards_editor_rect(app, c);
    bool empty = !*editor_text(&c->editor) && !c->editor.pasting;
    if (empty && (key == '\r' || key == '\n')) {
        show_model(app, c);
        return DO_REDRAW;
    }
    if (action_of_key(cards_keys(app, c), key, NULL) == ACT_HELP && (empty || key != '?')) {
        help_open(app, cards_keys(app, c));
        return DO_REDRAW;
    }
    enum editor_result result = editor_key(&c->editor, key, r.w, r.h);
    if (!c->draft_ms && result != EDITOR_IGNORED)
        c->draft_ms = app_now(app) + DRAFT_MS;
    switch (result) {
    case EDITOR_DONE: show_model(app, c); break;
    case EDITOR_CANCELLED: return DO_POP;
    case EDITOR_OUTSIDE: app_edit_outside(app, &c->editor); break;
    case EDITOR_FULL: app_say(app, "%s", editor_full_words()); break;
    default: break;
    }
    return DO_REDRAW;
}

static int typed(struct app *app, void *self, int key)
{
    struct cards *c = self;
    bool empty = textfield_text(&c->field)[0] == '\0' && !c->field.pasting,
         number = c->card->kind == CARD_NUMBER;
    enum action action = action_of_key(cards_keys(app, c), key, NULL);
    if (c->card->kind == CARD_RECALL)
        return typed_free(app, c, key);
    if (action == ACT_UP || action == ACT_DOWN || action == ACT_PAGE_UP || action == ACT_PAGE_DOWN)
        return scroll(app, c, action);
    if (empty && action == ACT_HELP) {
        help_open(app, cards_keys(app, c));
        return DO_REDRAW;
    }
    if (empty && number && action == ACT_QUIT) /* words may begin with any letter, numbers do not */
        return DO_QUIT;
    switch (textfield_key(&c->field, key)) {
    case TEXTFIELD_DONE: return enter(app, c);
    case TEXTFIELD_CANCELLED: return DO_POP;
    case TEXTFIELD_CHANGED: c->empty = false; break;
    case TEXTFIELD_IGNORED: break;
    }
    return DO_REDRAW;
}

/* ---- coming and going ---- */

static int due_ms(const struct app *app, const void *self, int64_t now_ms)
{
    const struct cards *c = self;
    int kept = sitting_due_ms(&c->sitting), draft = !c->draft_ms ? -1
                                                    : c->draft_ms > now_ms
                                                        ? (int)(c->draft_ms - now_ms)
                                                        : 0;
    (void)app;
    return kept < 0 || (draft >= 0 && draft < kept) ? draft : kept;
}

static int tick(struct app *app, void *self, int64_t now_ms)
{
    struct cards *c = self;
    practice_retry(app, &c->sitting);
    if (c->draft_ms && now_ms >= c->draft_ms) {
        draft_put(app, c, editor_text(&c->editor));
        c->draft_ms = 0;
    }
    return DO_REDRAW;
}

void cards_begin(struct app *app)
{
    app_push(app, &cards_screen, mem_new(1, sizeof(struct cards)));
}

static int opened(struct app *app, void *self, struct err *err)
{
    struct cards *c = self;
    (void)err;
    practice_open(app, &c->sitting, 1u << QUEUE_CARD | 1u << QUEUE_CAUSE, "");
    lead_with_draft(app, c);
    next(app, c);
    if (!app_store(app))
        app_say(app, "Progress cannot be kept: this is practice alone.");
    return 0;
}

static void leave(struct app *app, void *self)
{
    struct cards *c = self;
    bool draft = c->card && c->card->kind == CARD_RECALL &&
                 (c->stage == CARDS_ASKED || c->stage == CARDS_GRADING);
    if (draft)
        draft_put(app, c, editor_text(&c->editor));
    put_down(c);
    practice_close(app, &c->sitting);
    free(c);
}

const struct screen_ops cards_screen = {
    .name = "cards",
    .find = &cards_find,
    .keys = cards_keys,
    .enter = opened,
    .draw = cards_draw,
    .act = act,
    .text = typed,
    .tick = tick,
    .due_ms = due_ms,
    .leave = leave,
    .shown = shown,
};
