/* The shop: the same letters at the same places in every scenario. What is bought or cannot be had
 * is dim. */
#include "tui/play/investigation_shop.h"

#include <stdio.h>
#include <string.h>

#include "tui/play/investigation_buy.h"

static const char order_by_five[] = "atrbdomswxvpcli";   /* three rows; x and v before p */

/* Does it time what stands below t already, with a cold and a warm cache? */
static bool timed_already(const struct investigation_screen *s, const struct experiment *x)
{
    const struct evidence *timing = investigation_evidence(state_of(s), "timing");
    for (int k = 0;
         timing && x->standard && x->standard->step[1].kind == STEP_WARM && k < timing->n_parts;
         k++)
        if (msg_part_note(&timing->parts[k], "warm"))
            return true;
    return false;
}

int shop_offers(const struct investigation_screen *s, enum shop list, struct offer *out)
{
    int n = 0;
    if (list == SHOP_VERIFY)
        out[n++] = (struct offer){"verify", "Compare one run with the reference",
                                  probe_by_name("verify")->price, ""};
    for (int k = 0; k < s->story->n_experiments && n < MAX_OFFERS; k++) {
        const struct experiment *x = &s->story->experiments[k];
        if (x->shop == list)
            out[n++] = (struct offer){x->id, x->title, x->price,
                                      timed_already(s, x) ? " (t has shown both)" : ""};
    }
    return n;
}

static bool is_list(const struct probe *p)
{
    return p->id == SHOP_EXPERIMENT || p->id == SHOP_VERIFY;
}

static bool is_bought(const struct investigation_screen *s, const struct probe *p)
{
    struct offer offer[MAX_OFFERS];
    if (!is_list(p))
        return investigation_has(state_of(s), p->name);
    for (int k = shop_offers(s, p->id, offer) - 1; k >= 0; k--)
        if (!investigation_has(state_of(s), offer[k].id))
            return false;
    return true;
}

/* "2-3": the cheapest and the dearest that the list offers. */
static void range_text(const struct investigation_screen *s, enum shop list, char *out, size_t size)
{
    struct offer offer[MAX_OFFERS];
    int n = shop_offers(s, list, offer), low = n ? offer[0].price : 0, high = low;
    for (int k = 1; k < n; k++) {
        low = offer[k].price < low ? offer[k].price : low;
        high = offer[k].price > high ? offer[k].price : high;
    }
    snprintf(out, size, low < high ? "%d-%d" : "%d", low, high);
}

static void price_text(const struct investigation_screen *s, const struct probe *p, char *out,
                       size_t size, bool brief)
{
    int price = p->price;
    if (p->id == SHOP_ASK)
        price = state_of(s)->questions_asked >= FREE_QUESTIONS ? 1 : 0;
    if (is_bought(s, p))
        snprintf(out, size, "%s", glyph("✓", "x"));
    else if (buy_missing(s, p))
        snprintf(out, size, brief ? "-" : "n/a");
    else if (price == 0)
        snprintf(out, size, brief ? "0" : "free");
    else if (is_list(p))
        range_text(s, p->id, out, size);
    else
        snprintf(out, size, "%d", price);
}

static void draw_item(const struct investigation_screen *s, const struct probe *p, int y, int x,
                      int w, bool brief)
{
    char price[16];
    bool spent = is_bought(s, p) || buy_missing(s, p);
    price_text(s, p, price, sizeof price, brief);
    draw_textf(y, x, 1, spent ? STYLE_DIM : STYLE_BOLD, "%c", p->letter);
    int gap = brief ? 2 : 3;
    const char *title = brief ? p->brief : p->title;
    if (p->id == SHOP_EXPERIMENT && story_is_case(s->story))
        title = "exhibits";
    draw_text(y, x + gap, w - gap - (brief ? 3 : 5), spent ? STYLE_DIM : STYLE_PLAIN, title);
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
        int row = (int)k % rows, column = (int)k / rows,
            w = brief ? l->shop.w / columns : (l->shop.w - 2) / columns;
        bool sold = p && !(story_is_case(s->story) && s->missing[p->id]);
        if (sold && row < l->shop.h)
            draw_item(s, p, l->shop.y + row, 1 + (brief ? 0 : 1) + column * w, w - (brief ? 2 : 3),
                      brief);
    }
}
