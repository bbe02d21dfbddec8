#include "tui/play/investigation_find.h"

#include "tui/kit/code_pane.h"
#include "tui/play/exhibit_pane.h"
#include "tui/play/exhibit_timeline.h"
#include "tui/play/investigation_known.h"
#include "tui/play/investigation_list.h"
#include "tui/play/investigation_modes.h"
#include "tui/play/investigation_place.h"
#include "tui/play/notebook_find.h"

enum { CODE_X = 6 }; /* where code begins behind its numbers */

static void source_rows(const struct investigation_screen *s, struct find_rows *out)
{
    if (story_is_case(s->story))
        for (int k = 0; k < s->story->n_places; k++)
            find_add(out, s->story->places[k]);
    else
        find_add_lines(out, s->code);
}

static void exhibit_rows(const struct investigation_screen *s, struct find_rows *out)
{
    const struct msg_part *part;
    const struct experiment *x = exhibit_of(s, &part);
    for (int k = 0; x && k < exhibit_lines(x, part); k++) {
        char line[EXHIBIT_LINE];
        exhibit_line(line, x, part, k);
        find_add(out, line);
    }
}

static void listing_rows(const struct investigation_screen *s, struct find_rows *out)
{
    const struct msg_part *p = listing_of(s);
    for (int k = 0; p && k < p->n_lines; k++)
        find_add(out, p->lines[k]);
}

/* Of the view in the pane; nothing of a chart. */
static void pane_rows(const struct investigation_screen *s, const struct layout *l,
                      struct find_rows *out)
{
    bool paned = l->shape == LAYOUT_PANE;
    out->at = s->scroll;
    switch (investigation_view(s, l)) {
    case VIEW_SOURCE: source_rows(s, out); break;
    case VIEW_LISTING: listing_rows(s, out); break;
    case VIEW_EXHIBIT: exhibit_rows(s, out); break;
    case VIEW_STORY:
        find_add_wrapped(out, s->told, paned ? l->story.w : l->known.w - 3);
        out->where = paned ? l->story : l->known;
        break;
    case VIEW_NOTES: notebook_find_rows(&s->book, s->note, s->row, out); break;
    default: break;
    }
}

static void rows(struct app *app, const void *self, struct find_rows *out)
{
    const struct investigation_screen *s = self;
    struct layout l;
    investigation_layout(app, s, &l);
    out->where = l.known;
    if (s->ui == UI_LINE) {
        source_rows(s, out);
        out->at = s->line > 0 ? s->line - 1 : 0;
        out->where = (struct rect){2, CODE_X, l.status_rule - 2, l.title.w - CODE_X};
    } else if (mode_of(s)->lists) {
        list_find_rows(s, out);
    } else if (!mode_of(s)->covers && !s->explaining) {
        pane_rows(s, &l, out);
    }
}

/* Sideways as far as the pattern needs. */
static void shift_to(struct investigation_screen *s, const struct layout *l, int column,
                     int columns)
{
    enum { MARGIN = 8 };
    int room = l->known.w - CODE_X - 1;
    struct line_table samples;
    line_table_make(&samples, s->view == VIEW_SOURCE ? first_part(s, "lines") : NULL);
    if (s->view == VIEW_SOURCE)
        room = code_room(l->known.w, &samples);
    line_table_free(&samples);
    if (column >= s->shift && column + columns <= s->shift + room)
        return;
    s->shift = column + columns <= room ? 0 : column > MARGIN ? column - MARGIN : 0;
}

static void go_in_pane(struct investigation_screen *s, const struct layout *l, int row, int column,
                       int columns)
{
    struct pane pane = investigation_pane(s, l);
    struct exhibit_timeline step;
    if (investigation_view(s, l) == VIEW_NOTES) {
        notebook_find_go(&s->book, row, &s->note, &s->row);
        s->row_last = true;
        return;
    }
    s->scroll = find_top(s->scroll, row, pane.lines, pane.rows);
    if (timeline_of(s, &step))
        s->shift = timeline_shift_to(&step, l->known.w, s->zoom, s->shift, row, column);
    else if (shows_code(s))
        shift_to(s, l, column, columns);
}

static void go(struct app *app, void *self, int row, int column, int columns)
{
    struct investigation_screen *s = self;
    struct layout l;
    investigation_layout(app, s, &l);
    if (s->ui == UI_LINE)
        s->line = row + 1;
    else if (mode_of(s)->lists)
        s->marked = row;
    else
        go_in_pane(s, &l, row, column, columns);
}

const struct find_ops investigation_find = {rows, go};
