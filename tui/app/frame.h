/* The frame that all screens but the investigation share: row 1 says where and whose numbers, the
 * last row the keys. */
#ifndef WD_TUI_FRAME_H
#define WD_TUI_FRAME_H

#include "tui/app/app.h"
#include "tui/kit/layout.h"

/* Row 1 ("warpdrill", what, GPU), the rule with what was just said, the key line. */
void frame_draw(struct app *app, const struct frame *f, const char *what,
                const struct key_list *keys);
/* The same where the key line's digits go as far as `digits`; 0: none are named. */
void frame_draw_digits(struct app *app, const struct frame *f, const char *what,
                       const struct key_list *keys, int digits);

#endif
