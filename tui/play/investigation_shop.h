/* The shop. */
#ifndef WD_TUI_INVESTIGATION_SHOP_H
#define WD_TUI_INVESTIGATION_SHOP_H

#include "tui/play/investigation_state.h"

/* What the list under x or v sells: its own probe first (v), then experiments. out[MAX_OFFERS];
 * returns how many. */
struct offer {
    const char *id, *title;
    int price;
    const char *beside; /* what is said behind the title, or "" */
};
enum { MAX_OFFERS = 9 };
int shop_offers(const struct investigation_screen *s, enum shop list, struct offer *out);
void shop_draw(const struct investigation_screen *s, const struct layout *l);

#endif
