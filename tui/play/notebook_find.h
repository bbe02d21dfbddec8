/* The notebook as rows that can be searched: each block's title, then its rows. */
#ifndef WD_TUI_NOTEBOOK_FIND_H
#define WD_TUI_NOTEBOOK_FIND_H

#include "tui/app/find.h"
#include "tui/play/notebook.h"

/* selected, row: where one stands. */
void notebook_find_rows(const struct notebook *b, int selected, int row, struct find_rows *out);
void notebook_find_go(const struct notebook *b, int k, int *selected, int *row);

#endif
