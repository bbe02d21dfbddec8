#include "tui/practice/sitting_draw.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *verdict(const struct sitting_answer *a)
{
    static const char *const words[] = {
        [DRILL_SKIPPED] = "skipped", [DRILL_UNREADABLE] = "", [DRILL_WRONG_UNIT] = "",
        [DRILL_RIGHT] = "right",     [DRILL_CLOSE] = "close", [DRILL_SLIP] = "a slip",
        [DRILL_WRONG] = "wrong",
    };
    return a->seen ? "seen" : words[a->how];
}

static enum style style_of(const struct sitting_answer *a)
{
    bool bad = a->how == DRILL_SLIP || a->how == DRILL_WRONG;
    if (a->seen)
        return STYLE_PLAIN;
    return a->how == DRILL_RIGHT ? STYLE_GOOD : bad ? STYLE_BAD : STYLE_PLAIN;
}

static const char *sign_of(const struct sitting_answer *a)
{
    if (a->seen)
        return "-";
    if (a->how == DRILL_RIGHT)
        return glyph("✓", "x");
    return a->how == DRILL_SKIPPED ? glyph("·", ".") : "-";
}

static void off_by(char *out, size_t size, const struct sitting_answer *a)
{
    double f = exp(fabs(a->log_error));
    out[0] = '\0';
    if (a->factor && a->how >= DRILL_RIGHT)
        snprintf(out, size, f < 10 ? "%.2f x" : f < 1000 ? "%.0f x" : "far off", f);
}

/* Right ends of the columns; factor 0: no such column. */
struct columns { int verdict, factor, time, next; };

/* A title that does not fit ends at a word. */
static void title_draw(int y, int x, int w, const char *title)
{
    char text[128];
    snprintf(text, sizeof text, "%s", title);
    char *blank;
    while (draw_columns(text) > w && (blank = strrchr(text, ' ')))
        *blank = '\0';
    draw_text(y, x, w, STYLE_PLAIN, text);
}

static void row_draw(const struct sitting_answer *a, int y, int x, const struct columns *c)
{
    char text[32];
    draw_text(y, x + 1, 1, style_of(a), sign_of(a));
    title_draw(y, x + 3, c->verdict - 12, a->title);
    draw_right(y, x + c->verdict, 10, style_of(a), verdict(a));
    off_by(text, sizeof text, a);
    if (c->factor)
        draw_right(y, x + c->factor, 9, STYLE_PLAIN, text);
    snprintf(text, sizeof text, "%d:%02d", (int)a->seconds / 60, (int)a->seconds % 60);
    bool late = a->allowed > 0 && a->seconds > a->allowed;
    draw_right(y, x + c->time, 7, late ? STYLE_BOLD : STYLE_PLAIN, text);
    draw_right(y, x + c->next, c->next - c->time - 1, STYLE_DIM, a->next);
}

static struct columns columns_of(const struct sitting *s, int w)
{
    struct columns c = {.next = w - 2};
    int next = 11; /* as wide as what stands there, so that titles have the rest */
    for (int i = 0; i < s->n_answers; i++)
        next = draw_columns(s->answers[i].next) > next ? draw_columns(s->answers[i].next) : next;
    c.time = c.next - 1 - (next < 17 || w >= 80 ? next : 16);
    c.factor = s->kinds >> QUEUE_DRILL & 1 ? c.time - 8 : 0;
    c.verdict = c.factor ? c.factor - 10 : c.time - 8;
    return c;
}

void sitting_draw_head(const struct sitting *s, int y, struct rect r)
{
    struct columns c = columns_of(s, r.w);
    draw_right(y, r.x + c.verdict + 1, 11, STYLE_DIM, " answer ");
    if (c.factor)
        draw_right(y, r.x + c.factor + 1, 10, STYLE_DIM, " off by ");
    draw_right(y, r.x + c.time + 1, 8, STYLE_DIM, " time ");
    draw_right(y, r.x + c.next + 1, 16, STYLE_DIM, " comes back ");
}

int sitting_draw(const struct sitting *s, struct rect r, int top)
{
    struct columns c = columns_of(s, r.w);
    int line = 0;
    for (int i = 0; i < s->n_answers; i++) {
        const struct sitting_answer *a = &s->answers[i];
        int y = line++ - top;
        if (y >= 0 && y < r.h)
            row_draw(a, r.y + y, r.x, &c);
        if (!*a->slip)
            continue;
        y = line++ - top;
        if (y >= 0 && y < r.h)
            draw_text(r.y + y, r.x + 5, r.w - 7, STYLE_DIM, a->slip);
    }
    return line;
}
