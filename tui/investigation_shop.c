/* The shop: the same letters at the same places in every scenario. What is bought or cannot be had is dim. */
#include "tui/investigation_screen.h"

#include <stdio.h>
#include <string.h>

static const char order_by_five[] = "atrbdomswxvpcli";   /* three rows; x and v before p */

static bool is_bought(const struct investigation_screen *s, const struct probe *p)
{
    const struct investigation *i = state_of(s);
    if (p->id != SHOP_EXPERIMENT)
        return investigation_has(i, p->name);
    for (int k = 0; k < s->story->n_experiments; k++)
        if (!investigation_has(i, s->story->experiments[k].id))
            return false;
    return s->story->n_experiments > 0;
}

static void price_text(const struct investigation_screen *s, const struct probe *p, char *out, size_t size, bool brief)
{
    int price = p->price;
    if (p->id == SHOP_ASK)
        price = state_of(s)->questions_asked >= FREE_QUESTIONS ? 1 : 0;
    if (is_bought(s, p))
        snprintf(out, size, "%s", glyph("✓", "x"));
    else if (buy_missing(s, p))
        snprintf(out, size, "n/a");
    else if (price == 0)
        snprintf(out, size, brief ? "0" : "free");
    else
        snprintf(out, size, "%d", price);
}

static void draw_item(const struct investigation_screen *s, const struct probe *p, int y, int x, int w, bool brief)
{
    char price[16];
    bool spent = is_bought(s, p) || buy_missing(s, p);
    price_text(s, p, price, sizeof price, brief);
    draw_textf(y, x, 1, spent ? STYLE_DIM : STYLE_BOLD, "%c", p->letter);
    int gap = brief ? 2 : 3;
    draw_text(y, x + gap, w - gap - (brief ? 3 : 5), spent ? STYLE_DIM : STYLE_PLAIN, brief ? p->brief : p->title);
    draw_right(y, x + w, 4, spent ? STYLE_DIM : STYLE_PLAIN, price);
}

void shop_draw(const struct investigation_screen *s, const struct layout *l)
{
    int columns = l->shop_columns, rows = (SHOP_COUNT + columns - 1) / columns;
    bool brief = columns == 5;
    size_t n = 0;
    const struct probe *table = probe_table(&n);
    for (size_t k = 0; k < n && k < SHOP_COUNT; k++) {
        const struct probe *p = brief ? probe_by_letter(order_by_five[k]) : &table[k];
        int row = (int)k % rows, column = (int)k / rows, w = brief ? l->shop.w / columns : (l->shop.w - 2) / columns;
        if (p && row < l->shop.h)
            draw_item(s, p, l->shop.y + row, 1 + (brief ? 0 : 1) + column * w, w - (brief ? 2 : 3), brief);
    }
}
