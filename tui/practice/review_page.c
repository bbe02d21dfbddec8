#include "tui/practice/review_page.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "tui/app/app_runner.h"
#include "tui/app/frame.h"

int page_row(struct page *p)
{
    int row = p->line++ - p->top;
    return row >= 0 && row < p->r.h ? p->r.y + row : -1;
}

void page_gap(struct page *p)
{
    p->line++;
}

void page_rule(struct page *p, const char *title, const char *right)
{
    int y = page_row(p);
    if (y >= 0)
        draw_rule(y, p->r.x, p->r.w, title, right);
}

void page_text(struct page *p, int x, enum style s, const char *text)
{
    int row = p->line - p->top, hidden = row < 0 ? -row : 0;
    struct rect r = { p->r.y + row + hidden, p->r.x + x, p->r.h - row - hidden, p->r.w - x - 1 };
    p->line += draw_wrapped(r, hidden, s, text);
}

void page_labelled(struct page *p, int x, enum style label_style, const char *label, enum style s,
                   const char *text)
{
    int row = p->line - p->top;
    if (row >= 0 && row < p->r.h)
        draw_text(p->r.y + row, p->r.x + 2, x - 3, label_style, label);
    if (*text)
        page_text(p, x, s, text);
    else
        p->line++;
}

void page_source(struct page *p, int x, const char *source)
{
    bool ids = strstr(source, "errata") || strstr(source, "drill");
    char *text = text_format("%s%s", source, ids ? " in the list of sources" : "");
    page_labelled(p, x, STYLE_DIM, "source", STYLE_DIM, text);
    free(text);
}

/* ---- the frame ---- */

void practice_frame(struct practice_frame *out, struct app *app)
{
    int rows = app_rows(app), w = app_columns(app);
    out->frame =
        (struct frame){.title = 0, .body = {1, 0, rows - 5, w}, .rule = rows - 4, .keys = rows - 1};
    out->status = rows - 3;
    out->todo = rows - 2;
}

void practice_frame_draw(struct app *app, const struct practice_frame *f, const char *what,
                         const struct key_list *list, int digits, const char *keys)
{
    int w = f->frame.body.w, x0 = w < 80 ? 1 : 13;
    struct frame rest = f->frame;
    rest.title = -1; /* drawn here: on a narrow screen the name of the program gives its place to
                        where one is */
    frame_draw_digits(app, &rest, what, list, digits);
    if (w >= 80)
        draw_text(f->frame.title, 1, 10, STYLE_BOLD, "warpdrill");
    draw_right(f->frame.title, w - 1, w - x0 - draw_columns(what) - 3, STYLE_DIM,
               app_gpu_state(app));
    draw_text(f->frame.title, x0, w - x0 - 1, w < 80 ? STYLE_BOLD : STYLE_PLAIN, what);
    if (!keys)
        return;
    for (int x = 0; x < w; x++)
        draw_text(f->frame.keys, x, 1, STYLE_PLAIN, " ");
    draw_text(f->frame.keys, 1, w - 2, STYLE_DIM, keys);
}

void practice_more(const struct practice_frame *f, int lines, int top, bool said)
{
    int below = lines - top - f->frame.body.h;
    char text[64];
    if (below <= 0 || said)
        return;
    snprintf(text, sizeof text, " %d more below: PgDn ", below);
    draw_right(f->frame.rule, f->frame.body.w - 2, f->frame.body.w - 4, STYLE_DIM, text);
}

int practice_note_lines(struct rect body, const char *note)
{
    return 1 + draw_wrapped((struct rect){0, 0, 0, body.w - 2}, 0, STYLE_DIM, note);
}

void practice_note(struct rect body, int lines, int top, const char *note)
{
    int y = lines + 1 - top, skip = y < 0 ? -y : 0;
    y += skip;
    if (y < body.h)
        draw_wrapped((struct rect){body.y + y, 1, body.h - y, body.w - 2}, skip, STYLE_DIM, note);
}

void practice_say_again(struct app *app, const char *why)
{
    char text[200];
    snprintf(text, sizeof text, "%s", why);
    size_t n = strlen(text);
    if (n > 0 && text[n - 1] == '.')
        text[n - 1] = '\0';
    if (text[0] >= 'a' && text[0] <= 'z')
        text[0] = (char)(text[0] - 'a' + 'A');
    app_say(app, "Not counted. %s.", text);
}

int practice_scroll_to(int line, int top, int lines, int h)
{
    if (line >= 0 && line < top)
        top = line;
    if (line >= top + h)
        top = line - h + 1;
    return practice_scroll(top, lines, h);
}

int practice_scroll(int top, int lines, int h)
{
    if (top > lines - h)
        top = lines - h;
    return top > 0 ? top : 0;
}

int practice_step(enum action action, int h)
{
    switch (action) {
    case ACT_UP: return -1;
    case ACT_DOWN: return 1;
    case ACT_PAGE_UP: return h > 2 ? 1 - h : -1;
    case ACT_PAGE_DOWN: return h > 2 ? h - 1 : 1;
    default: return 0;
    }
}
