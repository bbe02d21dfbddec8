/* Why, and what changed: the author's prose beside the change, or beside the exhibit that tells a
 * case, in the overview's rows and on a page of their own. */
#include "tui/play/debrief_parts.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "kernels/wire/text.h"
#include "tui/play/exhibit_pane.h"

static const char *change_title(const struct debrief_screen *s)
{
    if (story_is_case(s->variant->story))
        return "WHAT TELLS";
    return s->variant->pair == PAIR_HEALTHY ? "A TEMPTING CHANGE" : "WHAT CHANGED";
}

/* What the author wrote, without a title that the pane has already; its first line is *first. */
static const struct prose *why_prose(const struct debrief_screen *s, int w, int *first)
{
    const struct prose *p = prose_at(s->why, s->told, w - 3);
    *first = p->n > 2 && strcasecmp(p->line[0].text, "why") == 0 ? 2 : 0;
    return p;
}

/* Returns the lines it needs. The last one stays at the bottom. */
static int why_part(const struct debrief_screen *s, struct rect r, int skip)
{
    int begin, n, end;
    const struct prose *p = why_prose(s, r.w, &begin);
    n = p->n - begin;
    end = n > r.h ? n - r.h : 0;
    int first = (skip < end ? skip : end) + begin;
    for (int k = first; k < p->n && k - first < r.h; k++)
        draw_text(r.y + k - first, r.x + 2, r.w - 2, p->line[k].style, p->line[k].text);
    return n;
}

/* Of a case the exhibit that its author names. NULL: it was not kept. */
static const struct experiment *telling_exhibit(const struct debrief_screen *s,
                                                const struct msg_part **part)
{
    const struct evidence *all = attempt_all(s->attempt);
    const struct experiment *x = s->variant->tells;
    *part = NULL;
    for (int i = 0; x && all && i < all->n_parts; i++)
        if (all->parts[i].variant == (int)(x - s->variant->story->experiments))
            *part = &all->parts[i];
    return *part ? x : NULL;
}

/* Rows of the pane r beside the prose. */
static int changed_rows(const struct debrief_screen *s, int context, struct rect r)
{
    const struct msg_part *part;
    const struct experiment *x =
        story_is_case(s->variant->story) ? telling_exhibit(s, &part) : NULL;
    return x ? exhibit_lines(x, part) + exhibit_frame(x, part, r) : debrief_diff_rows(s, context);
}

static void tell_part(const struct debrief_screen *s, struct rect r, int scroll)
{
    const struct msg_part *part;
    const struct experiment *x = telling_exhibit(s, &part);
    if (!x)
        return;
    int most = exhibit_lines(x, part) + exhibit_frame(x, part, r) - r.h;
    exhibit_draw(r, x, part, scroll < most ? scroll : most > 0 ? most : 0, 0, 0);
}

static void changed_part(const struct debrief_screen *s, struct rect r)
{
    if (story_is_case(s->variant->story)) {
        tell_part(s, r, 0);
        return;
    }
    int n = debrief_diff_rows(s, 0);
    if (n == 0) {
        draw_text(r.y, r.x + 2, r.w - 3, STYLE_DIM, "nothing: there was nothing to fix");
        return;
    }
    bool more = n > r.h;
    debrief_diff_draw(s, (struct rect){ r.y, r.x, r.h - more, r.w }, 0, 0);
    if (more)
        draw_textf(r.y + r.h - 1, r.x + 7, r.w - 8, STYLE_DIM,
                   "%d more: 3, or c for the whole code", n - r.h + 1);
}

void debrief_two_rules(int y, int columns, int divide, struct heading left, struct heading right)
{
    draw_rule(y, 0, divide, left.title, left.more ? left.where : NULL);
    draw_rule(y, divide + 1, columns - divide - 1, right.title, right.more ? right.where : NULL);
}

/* ---- rows of the overview ---- */

void debrief_why_draw(const struct debrief_screen *s, int top, int h, int columns)
{
    int half = columns / 2;
    struct rect change = {top + 1, half + 1, h, columns - half - 1};
    bool cut = why_part(s, (struct rect){0, 0, 0, half}, 0) > h,
         cut_change = story_is_case(s->variant->story) && changed_rows(s, 0, change) > h;
    debrief_two_rules(top, columns, half, (struct heading){"WHY", cut, "3: all"},
              (struct heading){change_title(s), cut_change, "3: all"});
    why_part(s, (struct rect){ top + 1, 0, h, half }, 0);
    draw_vline(top + 1, half, h);
    changed_part(s, change);
    draw_join(top, half, 1);
    draw_join(top + 1 + h, half, 0);
}

/* ---- a page of their own ---- */

/* Prose and diff side by side, or one above the other; `context` lines of the diff around a change.
 */
struct why_page { struct rect why, diff; int context; };

static struct why_page why_page(int top, int columns, int bottom)
{
    int half = columns / 2, h = bottom - top - 1, upper = h * 3 / 5;
    if (columns >= 100)
        return (
            struct why_page){{top + 1, 0, h, half}, {top + 1, half + 1, h, columns - half - 1}, 2};
    return (struct why_page){{top + 1, 0, upper, columns},
                             {top + 2 + upper, 0, h - upper - 1, columns},
                             1};
}

void debrief_why_page_draw(const struct debrief_screen *s, int top, int columns, int bottom)
{
    struct why_page p = why_page(top, columns, bottom);
    if (p.diff.y == p.why.y) {
        debrief_two_rules(top, columns, p.why.w, (struct heading){.title = "WHY"},
                  (struct heading){.title = change_title(s)});
        draw_vline(p.why.y, p.why.w, p.why.h);
        draw_join(top, p.why.w, 1);
    } else {
        draw_rule(top, 0, columns, "WHY", "arrows scroll both");
        draw_rule(p.diff.y - 1, 0, columns, change_title(s), NULL);
    }
    why_part(s, p.why, s->scroll);
    if (story_is_case(s->variant->story))
        tell_part(s, p.diff, s->scroll);
    else
        debrief_diff_draw(s, p.diff, s->scroll, p.context);
}

void debrief_why_rows(const struct debrief_screen *s, struct find_rows *out, int rows,
                      int columns)
{
    struct why_page p = why_page(debrief_wide(rows, columns) ? 3 : 2, columns, rows - 3);
    const struct msg_part *part;
    const struct experiment *x =
        story_is_case(s->variant->story) ? telling_exhibit(s, &part) : NULL;
    int first;
    const struct prose *why = why_prose(s, p.why.w, &first);
    for (int k = first; k < why->n; k++)
        find_add(out, why->line[k].text);
    for (int k = 0; x && k < exhibit_lines(x, part); k++) {
        char line[EXHIBIT_LINE];
        exhibit_line(line, x, part, k);
        find_add(out, line);
    }
    for (int k = 0; !x && k < s->diff.n; k++)
        if (diff_near(&s->diff, k, p.context)) {
            char *text = text_ndup(s->diff.line[k].text, s->diff.line[k].len);
            find_add(out, text);
            free(text);
        }
}

int debrief_why_row(const struct debrief_screen *s, int row, int rows, int columns)
{
    struct why_page p = why_page(debrief_wide(rows, columns) ? 3 : 2, columns, rows - 3);
    int first, n = why_prose(s, p.why.w, &first)->n - first;
    return row < n ? row : row - n;
}

void debrief_stretch(struct debrief_extent *e, int lines, int rows)
{
    if (lines <= rows)
        return;
    e->rows = e->hidden && e->rows < rows ? e->rows : rows;
    e->hidden = lines - rows > e->hidden ? lines - rows : e->hidden;
}

void debrief_why_extent(struct debrief_extent *e, const struct debrief_screen *s, int top,
                        int columns, int bottom)
{
    struct why_page p = why_page(top, columns, bottom);
    debrief_stretch(e, why_part(s, (struct rect){ 0, 0, 0, p.why.w }, 0), p.why.h);
    debrief_stretch(e, changed_rows(s, p.context, p.diff), p.diff.h);
}
