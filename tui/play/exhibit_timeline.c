#include "tui/play/exhibit_timeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "tui/kit/charts.h"

enum { GAP = 2 }; /* between the labels of a line */

/* Its blocks in seconds; the caller frees them. */
static struct gantt_blocks blocks_of(const struct exhibit_timeline *t, struct gantt_block **own)
{
    double unit = t->form->time_factor;
    *own = mem_new((size_t)t->n, sizeof **own);
    for (int i = 0; i < t->n; i++)
        (*own)[i] = (struct gantt_block){(int)t->in_row[i], (int)t->in_label[i],
                                         t->begin[i] * unit, t->end[i] * unit};
    return (struct gantt_blocks){t->form->row, t->row,      t->n_rows, t->label,
                                 t->n_labels,  *own, t->n};
}

int timeline_frame(const struct exhibit_timeline *t, int w)
{
    struct gantt_block *own;
    struct gantt_blocks b = blocks_of(t, &own);
    int frame = gantt_blocks_frame(&b, w - 2);
    free(own);
    return frame;
}

int timeline_bar(const struct exhibit_timeline *t, int w)
{
    struct gantt_block *own;
    struct gantt_blocks b = blocks_of(t, &own);
    int bar = gantt_blocks_bar(&b, w - 2);
    free(own);
    return bar;
}

int timeline_hidden(const struct exhibit_timeline *t, int w, int zoom)
{
    return timeline_bar(t, w) * ((1 << zoom) - 1);
}

void timeline_draw(struct rect r, const struct exhibit_timeline *t, int scroll, int shift,
                   int zoom)
{
    struct gantt_block *own;
    struct gantt_blocks b = blocks_of(t, &own);
    double length = t->length * t->form->time_factor, shown = length / (1 << zoom),
           columns = (double)timeline_bar(t, r.w) * (1 << zoom), from = length * shift / columns;
    from = from + shown > length ? length - shown : from;
    draw_gantt_blocks((struct rect){r.y, r.x + 1, r.h, r.w - 2}, &b, scroll, from, from + shown);
    free(own);
}

/* The first block of the row whose label ends behind this column of its line; -1: none does. */
static int block_at(const struct exhibit_timeline *t, int row, int column)
{
    unsigned said = 0;
    int end = draw_columns(t->row[row]);
    for (int i = 0; column >= end && i < t->n; i++) {
        int label = (int)t->in_label[i];
        if ((int)t->in_row[i] != row || (said >> label & 1))
            continue;
        said |= 1u << label;
        end += GAP + draw_columns(t->label[label]);
        if (column < end)
            return i;
    }
    return -1;
}

int timeline_shift_to(const struct exhibit_timeline *t, int w, int zoom, int shift, int row,
                      int column)
{
    int block = block_at(t, row, column), bar = timeline_bar(t, w),
        hidden = timeline_hidden(t, w, zoom);
    if (block < 0)
        return shift;
    double columns = (double)bar * (1 << zoom) / t->length;
    int from = (int)(t->begin[block] * columns), end = (int)(t->end[block] * columns);
    if (end > shift && from < shift + bar)
        return shift;
    int to = from - bar / 4;
    return to < 0 ? 0 : to > hidden ? hidden : to;
}

void timeline_row(char *out, size_t size, const struct exhibit_timeline *t, int row)
{
    unsigned said = 0;
    snprintf(out, size, "%s", t->row[row]);
    for (int i = 0; i < t->n; i++) {
        int label = (int)t->in_label[i];
        if ((int)t->in_row[i] != row || (said >> label & 1))
            continue;
        said |= 1u << label;
        snprintf(out + strlen(out), size - strlen(out), "%*s%s", GAP, "", t->label[label]);
    }
}

void timeline_print(const struct exhibit_timeline *t)
{
    printf("  %-*s  %12s  %12s  block\n", 20, t->form->row, "begin", "end");
    printf("  %-*s  %12s  %12s\n", 20, "", t->form->time, t->form->time);
    for (int i = 0; i < t->n; i++)
        printf("  %-*s  %12.3f  %12.3f  %s\n", 20, t->row[(int)t->in_row[i]], t->begin[i],
               t->end[i], t->label[(int)t->in_label[i]]);
}
