#include "tui/practice/making.h"

void making_begin(struct app *app, struct making *m, const struct figure_data *f,
                  struct sitting *sitting, uint64_t seed)
{
    m->figure = f;
    m->seed = seed;
    m->sitting = sitting ? sitting : &m->own;
    m->began_ms = app_now(app);
    if (!sitting)
        practice_open(app, &m->own, 1u << QUEUE_CARD, "");
}

void making_end(struct app *app, struct making *m)
{
    if (m->sitting == &m->own)
        practice_close(app, &m->own);
}

void making_keep(struct app *app, struct making *m, enum drill_how how, const char *given,
                 double allowed)
{
    double seconds = (double)(app_now(app) - m->began_ms) / 1000;
    practice_answer_figure(app, m->sitting, m->figure, how, given, seconds, allowed, m->seed);
    m->graded = true;
    m->asked = false;
    m->top = 0;
}

void making_draw(struct app *app, const struct making *m, const struct practice_frame *f,
                 const struct figure_view *view, const char *task)
{
    struct figure_picture p;
    struct rect body = f->frame.body;
    figure_picture_make(&p, m->figure, view);
    int above = draw_wrapped((struct rect){body.y, 1, body.h, body.w - 2}, 0, STYLE_PLAIN, task);
    body.y += above;
    body.h -= above;
    int lines = p.lines + (m->graded ? practice_note_lines(body, m->figure->note) : 0);
    int top = practice_scroll_to(m->graded ? -1 : p.blank_line, m->top, lines, body.h);
    figure_picture_show(&p, body, top);
    if (m->graded) {
        practice_more(f, lines + above, top, app_said(app) != NULL);
        practice_note(body, p.lines, top, m->figure->note);
    }
    figure_picture_free(&p);
}

int making_look(struct app *app, struct making *m, enum action action)
{
    struct practice_frame f;
    practice_frame(&f, app);
    m->shown ^= action == ACT_TAB;
    m->top += practice_step(action, f.frame.body.h);
    m->top = m->top < 0 ? 0 : m->top;
    return DO_REDRAW;
}
