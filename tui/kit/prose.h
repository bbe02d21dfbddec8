/* Markdown as plain lines of a given width: headings bold, lists, code as it stands, paragraphs
 * wrapped. */
#ifndef WD_TUI_PROSE_H
#define WD_TUI_PROSE_H

#include "tui/kit/theme.h"

struct prose_line { enum style style; char *text; };
struct prose { struct prose_line *line; int n, width; };

/* One empty line between blocks, none at the ends. Words longer than `width` are cut. */
void prose_make(struct prose *out, const char *markdown, int width);
/* The same text at each call: it is wrapped anew for another width. Lasts until the next call. */
const struct prose *prose_at(struct prose *kept, const char *markdown, int width);
void prose_free(struct prose *p);

#endif
