#include "tui/play/notebook_find.h"

#include <stdlib.h>

#include "kernels/wire/text.h"

static void add_row(struct find_rows *out, const struct note_row *r)
{
    char *text = text_format("%s %s %s", r->label, r->value, r->beside);
    find_add(out, r->kind == NOTE_HEAD ? "" : text); /* heads cannot be chosen */
    free(text);
}

void notebook_find_rows(const struct notebook *b, int selected, int row, struct find_rows *out)
{
    for (int i = 0; i < b->n; i++) {
        if (i == selected)
            out->at = out->n + 1 + row;
        find_add(out, b->note[i].title);
        for (int r = 0; r < b->note[i].n; r++)
            add_row(out, &b->note[i].row[r]);
    }
}

void notebook_find_go(const struct notebook *b, int k, int *selected, int *row)
{
    for (int i = 0; i < b->n; k -= 1 + b->note[i].n, i++)
        if (k <= b->note[i].n) {
            *selected = i;
            *row = k - 1;
            return;
        }
}
