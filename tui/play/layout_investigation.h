/* Where things stand in an investigation: a pure function from size to rectangles. */
#ifndef WD_TUI_LAYOUT_INVESTIGATION_H
#define WD_TUI_LAYOUT_INVESTIGATION_H

#include <stdbool.h>

#include "tui/kit/draw.h"

enum layout_shape {
    LAYOUT_WIDE /* 100x30 */,
    LAYOUT_NARROW /* 80x24 */,
    LAYOUT_PANE /* 60x20: one pane at a time */
};
enum layout_pane {
    PANE_STORY,
    PANE_BELIEFS,
    PANE_KNOWN,
    PANE_SHOP,
    PANE_NAMING /* story and symptom, and the shop's place below them to write in */,
    PANE_COUNT
};

struct layout {
    enum layout_shape shape;
    struct rect title;           /* one row */
    struct rect story, symptom;  /* h 0: not shown */
    int facts; /* row of the launch and its bytes below the symptom; -1: they stand with the story
                */
    int main_rule;               /* row of the rule above beliefs and known */
    struct rect beliefs, known;  /* w 0: not shown */
    int divide;                  /* column of the line between them; -1: none */
    int shop_rule;               /* row; -1: none */
    struct rect shop;
    struct rect
        whole; /* from the main rule's next row to the status: for source, remedies, pushback */
    int status_rule, status, todo, key_rule /* -1: none */, keys;
    int bar, bar_w, label_w;     /* of a belief row: columns inside `beliefs` */
    int value_end, delta_end;
    int shop_columns;
};

/* story_lines: how many the story needs at full width (wide only); k: hypotheses; pane: which one
 * when only one fits. */
void layout_investigation(struct layout *out, int rows, int columns, int story_lines, int k,
                          enum layout_pane pane);

/* Gives the status this many rows more, above its own: first from the shop, down to two, then from
 * what lies above. */
void layout_raise_status(struct layout *l, int rows);

/* Gives the pane `known` all rows and columns from below the title to the status. */
void layout_widen_known(struct layout *l);

#endif
