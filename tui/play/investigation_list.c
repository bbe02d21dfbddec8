/* The lists under a, x and v: the first ten entries have a digit, every one can be marked by the
 * arrows and taken by Enter. */
#include "tui/play/investigation_list.h"

#include <stdio.h>

#include "tui/play/investigation_buy.h"
#include "tui/play/investigation_shop.h"

enum { DIGITS = 10, PAGE = 5 };

/* What is listed; of offers their prices too. */
struct listed {
    int n;
    struct offer offer[MAX_OFFERS];
    bool questions;
    const struct estimate *floor; /* behind the questions: it can be answered now */
};

static struct listed list_of(const struct investigation_screen *s)
{
    struct listed l = { .questions = s->list == SHOP_ASK };
    l.floor = l.questions ? investigation_floor(state_of(s)) : NULL;
    l.n = l.questions ? s->story->n_questions + (l.floor != NULL)
                      : shop_offers(s, s->list, l.offer);
    return l;
}

/* ---- rows ---- */

static const char *item_text(const struct investigation_screen *s, const struct listed *l, int k,
                             char *out, size_t size)
{
    if (l->questions && k == s->story->n_questions)
        return "Say what you expect, and see what a plain copy takes.";
    if (l->questions && l->floor && k + 1 == s->story->copy_question) {
        snprintf(out, size, "%s The estimate of the last line is lost then.",
                 s->story->questions[k].ask);
        return out;
    }
    if (l->questions)
        return s->story->questions[k].ask;
    snprintf(out, size, "%s%s", l->offer[k].title, l->offer[k].beside);
    return out;
}

static int item_draw(const struct investigation_screen *s, const struct listed *l, int k,
                     struct rect r, enum style style)
{
    char text[256];
    return draw_wrapped(r, 0, style, item_text(s, l, k, text, sizeof text));
}

static int text_columns(const struct listed *l, int columns)
{
    return columns - (l->questions ? 6 : 11);
}

/* Of the entries from `from` to before `to`. */
static int rows_between(const struct investigation_screen *s, const struct listed *l, int from,
                        int to, int columns)
{
    int rows = 0;
    for (int k = from; k < to; k++)
        rows += item_draw(s, l, k, (struct rect){ 0, 0, 0, text_columns(l, columns) }, STYLE_PLAIN);
    return rows;
}

int list_rows(const struct investigation_screen *s, int columns)
{
    struct listed l = list_of(s);
    return rows_between(s, &l, 0, l.n, columns);
}

/* The first entry that is shown, so that all of the marked one is. */
static int list_top(const struct investigation_screen *s, const struct listed *l, struct rect r)
{
    int top = 0;
    while (top < s->marked && rows_between(s, l, top, s->marked + 1, r.w) > r.h)
        top++;
    return top;
}

void list_hidden(const struct investigation_screen *s, struct rect r, int *above, int *below)
{
    struct listed l = list_of(s);
    int top = list_top(s, &l, r), end = top;
    while (end < l.n && rows_between(s, &l, top, end + 1, r.w) <= r.h)
        end++;
    *above = top;
    *below = l.n - end;
}

static void entry_draw(const struct investigation_screen *s, const struct listed *l, int k,
                       struct rect r)
{
    bool spent =
        l->questions ? state_of(s)->asked >> k & 1 : investigation_has(state_of(s), l->offer[k].id);
    bool kept = !l->questions && buy_withheld(s, l->offer[k].id);
    enum style style = k == s->marked ? STYLE_SELECTED : spent || kept ? STYLE_DIM : STYLE_PLAIN;
    draw_text(r.y, r.x, 1, STYLE_ACCENT, k == s->marked ? glyph("▸", ">") : " ");
    draw_text(r.y, r.x + 1, 1, STYLE_DIM, spent ? glyph("✓", "x") : " ");
    if (k < DIGITS)
        draw_textf(r.y, r.x + 2, 1, spent || kept ? STYLE_DIM : STYLE_BOLD, "%d", (k + 1) % DIGITS);
    if (kept)
        draw_right(r.y, r.x + r.w - 1, 4, STYLE_DIM, "n/a");
    else if (!l->questions) {
        char price[16];
        snprintf(price, sizeof price, "%d", l->offer[k].price);
        draw_right(r.y, r.x + r.w - 1, 4, STYLE_PLAIN, price);
    }
    item_draw(s, l, k, (struct rect){ r.y, r.x + 5, r.h, text_columns(l, r.w) }, style);
}

void list_draw(const struct investigation_screen *s, struct rect r)
{
    struct listed l = list_of(s);
    int end = r.y + r.h;
    for (int k = list_top(s, &l, r); k < l.n && r.y < end; k++) {
        r.h = end - r.y;
        entry_draw(s, &l, k, r);
        r.y += rows_between(s, &l, k, k + 1, r.w);
    }
}

void list_find_rows(const struct investigation_screen *s, struct find_rows *out)
{
    struct listed l = list_of(s);
    char text[256];
    for (int k = 0; k < l.n; k++)
        find_add(out, item_text(s, &l, k, text, sizeof text));
    out->at = s->marked < 0 ? 0 : s->marked;
}

/* ---- what is said below it ---- */

const char *list_todo(const struct investigation_screen *s, char *out, size_t size, bool brief)
{
    (void)out, (void)size, (void)brief;
    if (s->list == SHOP_ASK)
        return "Ask which? A digit, or the arrows and Enter.";
    if (s->list == SHOP_VERIFY)
        return "Which check? A digit, or the arrows and Enter.";
    return story_is_case(s->story) ? "Which exhibit? A digit, or the arrows and Enter."
                                   : "Which experiment? A digit, or the arrows and Enter.";
}

void list_keys(const struct investigation_screen *s, char *out, size_t size, int columns)
{
    struct listed l = list_of(s);
    char digits[8];
    const char *take = s->list == SHOP_ASK ? "ask" : story_is_case(s->story) ? "buy" : "run";
    snprintf(digits, sizeof digits, l.n >= DIGITS ? "1-9 0" : l.n > 1 ? "1-%d" : "1", l.n);
    snprintf(out, size,
             columns < 80 ? "%s %s  Up Down Enter %s  Esc back  ? help  q"
                   : "%s %s   Up Down mark   Enter %s the marked one   Esc back   ? help  q quit",
             digits, take, take);
}

/* ---- keys ---- */

static void ask(struct app *app, struct investigation_screen *s, int k)
{
    struct move m = { .kind = MOVE_ASKED, .question = k };
    if (state_of(s)->asked >> k & 1) {
        app_say(app, "That was asked already; the answer stands in what you know.");
        return;
    }
    s->ui = UI_OPEN;
    s->view = VIEW_NOTES;
    if (investigation_do(app, s, &m) != 0)
        return;
    snprintf(s->arrived, sizeof s->arrived, "The answer");
    investigation_select_newest(s);
}

static void take(struct app *app, struct investigation_screen *s, int k)
{
    struct listed l = list_of(s);
    if (k < 0 || k >= l.n)
        return;
    if (l.questions && k == s->story->n_questions) {
        s->ui = UI_OPEN;
        buy_expect(app, s, l.floor);
        return;
    }
    if (l.questions) {
        ask(app, s, k);
        return;
    }
    s->ui = UI_OPEN;
    buy_probe(app, s, l.offer[k].id, s->list == SHOP_VERIFY ? 'v' : 'x', l.offer[k].title);
}

static void mark(struct investigation_screen *s, int by)
{
    struct listed l = list_of(s);
    s->marked += by;
    if (s->marked >= l.n)
        s->marked = l.n - 1;
    if (s->marked < 0)
        s->marked = 0;
}

bool list_act(struct app *app, struct investigation_screen *s, enum action action, int arg)
{
    switch (action) {
    case ACT_DIGIT: take(app, s, arg == 0 ? DIGITS - 1 : arg - 1); break;
    case ACT_UP: mark(s, -1); break;
    case ACT_DOWN: mark(s, 1); break;
    case ACT_PAGE_UP: mark(s, -PAGE); break;
    case ACT_PAGE_DOWN: mark(s, PAGE); break;
    case ACT_FIRST: mark(s, -KEYS_FAR); break;
    case ACT_LAST: mark(s, KEYS_FAR); break;
    case ACT_ENTER:
        if (s->marked >= 0)
            take(app, s, s->marked);
        else
            app_say(app, "Mark one with the arrows first; Esc closes the list.");
        break;
    case ACT_LEFT:
    case ACT_RIGHT:
    case ACT_TAB:
    case ACT_EXPLAIN: break; /* of the panes, which the list covers */
    default: return false;
    }
    return true;
}
