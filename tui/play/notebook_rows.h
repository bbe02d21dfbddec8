/* Rows of a block of the notebook, for notebook.c: each function appends to `n`. */
#ifndef WD_TUI_NOTEBOOK_ROWS_H
#define WD_TUI_NOTEBOOK_ROWS_H

#include "tui/play/notebook.h"

struct note_row *note_add_row(struct note *n, enum note_kind kind,
                              const char *label); /* valid until the next row */
void note_add_text(struct note *n, const char *text); /* in as many rows as it needs */
void note_show_value(struct note_row *r, const struct msg_value *v);
void note_add_number(struct note *n, const struct msg_part *p, const struct msg_value *v,
                     const struct note_frame *f);
void note_add_metrics(
    struct note *n, const struct msg_part *p,
    const struct note_frame *f); /* those that are worth a row, then why others are missing */
void note_add_reasons(struct note *n, const struct msg_part *p);
void note_add_texts(
    struct note *n, const struct msg_part *p,
    const struct note_frame *f); /* notes and lines of the runner, values beside the tolerance */

#endif
