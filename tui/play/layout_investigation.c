/* Rows are counted from both ends: what is fixed at the top and at the bottom, and the panes share
 * the rest. */
#include "tui/play/layout_investigation.h"

#define SHOP_WIDE_ROWS 5
#define LABEL_COLUMNS 25        /* of the longest hypothesis, and a blank */
#define SHOP_NARROW_ROWS 3
#define SHOP_LEAST_ROWS 2
#define NAMING_ROWS 3           /* where one pane fits */

static int at_least(int a, int b) { return a > b ? a : b; }
static int at_most(int a, int b) { return a < b ? a : b; }

static void place_belief_columns(struct layout *l, int label_w)
{
    int w = l->beliefs.w;
    l->label_w = label_w;
    l->bar = 3 + label_w;
    l->delta_end = w;
    l->value_end = w - 4;
    l->bar_w = at_least(l->value_end - 3 - l->bar, 4);
}

static void place_panes(struct layout *l, int top, int bottom, int columns, int left)
{
    l->divide = left;
    l->beliefs = (struct rect){ top, 0, bottom - top, left };
    l->known = (struct rect){ top, left + 1, bottom - top, columns - left - 1 };
    l->whole = (struct rect){ top, 0, l->status_rule - top, columns };
}

static void lay_wide(struct layout *l, int rows, int columns, int story_lines, int k)
{
    l->keys = rows - 1;
    l->key_rule = rows - 2;
    l->todo = rows - 3;
    l->status = rows - 4;
    l->status_rule = rows - 5;
    l->shop = (struct rect){ l->status_rule - SHOP_WIDE_ROWS, 0, SHOP_WIDE_ROWS, columns };
    l->shop_rule = l->shop.y - 1;
    int spare = l->shop_rule - 5 - k;    /* title, rule, two bars, main rule */
    int story = at_least(at_most(story_lines, spare), 0);
    l->story = (struct rect){ 2, 1, story, columns - 2 };
    l->symptom = (struct rect){ 2 + story, 1, 2, columns - 2 };
    l->main_rule = 4 + story;
    l->shop_columns = 3;
    place_panes(l, l->main_rule + 1, l->shop_rule, columns, 47 + (columns - 100) / 3);
    place_belief_columns(l, LABEL_COLUMNS);
}

static void lay_narrow(struct layout *l, int rows, int columns)
{
    l->keys = rows - 1;
    l->todo = rows - 2;
    l->status = rows - 3;
    l->status_rule = rows - 4;
    l->shop = (struct rect){ l->status_rule - SHOP_NARROW_ROWS, 0, SHOP_NARROW_ROWS, columns };
    l->shop_rule = l->shop.y - 1;
    l->symptom = (struct rect){ 1, 1, 1, columns - 2 };
    l->facts = 2;
    l->main_rule = 3;
    l->shop_columns = 5;
    place_panes(l, 4, l->shop_rule, columns, 36 + (columns - 80) / 3);
    place_belief_columns(l, 19);
}

static void lay_pane(struct layout *l, int rows, int columns, enum layout_pane pane)
{
    struct rect r = { 2, 0, rows - 6, columns };
    l->keys = rows - 1;
    l->todo = rows - 2;
    l->status = rows - 3;
    l->status_rule = rows - 4;
    l->main_rule = 1;
    l->whole = r;
    l->shop_columns = 2;
    if (pane == PANE_STORY) {
        l->story = (struct rect){ r.y, 1, r.h - 3, columns - 2 };
        l->symptom = (struct rect){ r.y + r.h - 2, 1, 2, columns - 2 };
    } else if (pane == PANE_NAMING) {
        l->shop = (struct rect){ r.y + r.h - NAMING_ROWS, 0, NAMING_ROWS, columns };
        l->shop_rule = l->shop.y - 1;
        l->symptom = (struct rect){ l->shop_rule - 2, 1, 2, columns - 2 };
        l->story = (struct rect){ r.y, 1, l->symptom.y - r.y, columns - 2 };
    } else if (pane == PANE_BELIEFS) {
        l->beliefs = r;
        place_belief_columns(l, LABEL_COLUMNS);
    } else if (pane == PANE_KNOWN) {
        l->known = r;
    } else {
        l->shop = r;
    }
}

void layout_investigation(struct layout *out, int rows, int columns, int story_lines, int k,
                          enum layout_pane pane)
{
    *out = (struct layout){.divide = -1,
                           .shop_rule = -1,
                           .facts = -1,
                           .key_rule = -1,
                           .title = {0, 0, 1, columns}};
    if (rows >= 30 && columns >= 100) {
        out->shape = LAYOUT_WIDE;
        lay_wide(out, rows, columns, story_lines, k);
    } else if (rows >= 24 && columns >= 80) {
        out->shape = LAYOUT_NARROW;
        lay_narrow(out, rows, columns);
    } else {
        out->shape = LAYOUT_PANE;
        lay_pane(out, rows, columns, pane);
    }
}

static void shorten(struct rect *r, int by)
{
    r->h = at_least(r->h - by, 0);
}

void layout_raise_status(struct layout *l, int rows)
{
    int from_shop = l->shop_rule < 0 ? 0 : at_most(at_least(l->shop.h - SHOP_LEAST_ROWS, 0), rows),
        rest = rows - from_shop;
    l->status_rule -= rows;
    l->status -= rows;
    shorten(&l->whole, rows);
    shorten(&l->beliefs, rest);
    shorten(&l->known, rest);
    if (l->shop_rule >= 0) {
        l->shop_rule -= rest;
        l->shop.y -= rest;
        shorten(&l->shop, from_shop);
    } else {
        shorten(&l->shop, rest);
    }
    if (l->shape == LAYOUT_PANE && l->story.h) {    /* the symptom stands below the story */
        shorten(&l->story, rest);
        l->symptom.y -= rest;
    }
}

void layout_widen_known(struct layout *l)
{
    int columns = l->title.w;
    l->main_rule = 1;
    l->divide = l->shop_rule = l->facts = -1;
    l->story.h = l->symptom.h = l->shop.h = l->beliefs.w = 0;
    l->known = l->whole = (struct rect){ 2, 0, l->status_rule - 2, columns };
}
