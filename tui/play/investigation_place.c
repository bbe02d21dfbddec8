/* Where the parts of the screen stand. */
#include "tui/play/investigation_place.h"

#include "tui/play/investigation_list.h"
#include "tui/play/investigation_modes.h"
#include "tui/play/investigation_question.h"

static enum layout_pane pane_of(const struct investigation_screen *s)
{
    switch (s->view) {
    case VIEW_STORY: return PANE_STORY;
    case VIEW_BELIEFS: return PANE_BELIEFS;
    case VIEW_SHOP: return PANE_SHOP;
    default: return PANE_KNOWN;
    }
}

void investigation_layout(struct app *app, const struct investigation_screen *s, struct layout *out)
{
    int rows = app_rows(app), columns = app_columns(app);
    int lines = draw_wrapped((struct rect){ 0, 0, 0, columns - 2 }, 0, STYLE_PLAIN, s->told) + 1;
    const struct mode *m = mode_of(s);
    layout_investigation(out, rows, columns, lines, s->story->n_hypotheses,
                         m->has_pane ? m->pane : pane_of(s));
    layout_raise_status(out, estimate_more_rows(s, columns));
    if (investigation_whole(s) ||
        (m->lists && out->shape != LAYOUT_PANE && list_rows(s, out->known.w) > out->known.h))
        layout_widen_known(out);
}

void investigation_show_beliefs(struct app *app, struct investigation_screen *s)
{
    struct layout l;
    investigation_layout(app, s, &l);
    if (l.shape == LAYOUT_PANE)
        s->view = VIEW_BELIEFS;
}
