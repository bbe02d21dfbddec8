/* What the debrief says for next time: shortened below the score, whole on the last page, where the
 * estimates stand too. */
#include "tui/play/debrief_screen.h"

#include <stdio.h>
#include <string.h>

enum { MOST_LESSONS = 10, NAME_W = 13, POINTS_W = 17 };
struct lesson { const char *name; char text[1024]; };

/* ---- all of them ---- */

/* The right remedy in full where another was chosen: beside the score it is shortened. */
static const char *missed_fix(const struct debrief_screen *s)
{
    const struct story *story = s->variant->story;
    int chosen = attempt_state(s->attempt)->remedy;
    if (chosen >= 0 && (s->variant->remedies & 1u << chosen))
        return "";
    for (int r = 0; r < story->n_remedies; r++)
        if (s->variant->remedies & 1u << r)
            return story->remedies[r].text;
    return "";
}

static void add_lesson(struct lesson *out, int *n, const char *name, const char *text)
{
    if (!text[0])
        return;
    out[*n].name = name;
    snprintf(out[(*n)++].text, sizeof out->text, "%s", text);
}

static int lessons(const struct debrief_screen *s, struct lesson *out)
{
    int n = 0;
    char seen[512] = "";
    add_lesson(out, &n, "the fix", missed_fix(s));
    add_lesson(out, &n, "two faults", s->d->ranking);
    add_lesson(out, &n, "longest", s->d->longest);
    add_lesson(out, &n, s->d->saves ? "cheaper" : "cheapest", s->d->cheaper);
    add_lesson(out, &n, "your list", s->d->named);
    add_lesson(out, &n, "the trap", s->d->trap);
    add_lesson(out, &n, "pushback",
               debrief_withheld(s) ? "" : s->d->pushback); /* it says what it cost */
    add_lesson(out, &n, "the slip", debrief_withheld(s) ? "" : s->d->slip);
    for (int k = 0; k < s->variant->n_incidents; k++)
        snprintf(seen + strlen(seen), sizeof seen - strlen(seen), "%s%s", k ? ", " : "",
                 s->variant->incidents[k]);
    add_lesson(out, &n, "seen in", seen);
    if (attempt_state(s->attempt)->note)
        add_lesson(out, &n, "your note", attempt_state(s->attempt)->note);
    return n;
}

static struct rect text_of(struct rect r)
{
    return (struct rect){ r.y, r.x + NAME_W, r.h, r.w - NAME_W - 1 };
}

static int lesson_lines(const struct lesson *l, int w)
{
    return draw_wrapped(text_of((struct rect){ 0, 0, 0, w }), 0, STYLE_PLAIN, l->text);
}

/* ---- below the score ---- */

int debrief_lessons_height(const struct debrief_screen *s, int w)
{
    struct lesson l[MOST_LESSONS];
    int rows = 0;
    for (int k = lessons(s, l) - 1; k >= 0; k--)
        rows += lesson_lines(&l[k], w);
    return rows;
}

void debrief_lessons_draw(const struct debrief_screen *s, struct rect r)
{
    struct lesson l[MOST_LESSONS];
    int n = lessons(s, l), y = r.y, spare = r.h - n;
    for (int k = 0; k < n && y < r.y + r.h; k++) {
        int more = lesson_lines(&l[k], r.w) - 1;
        more = more < spare ? more : spare > 0 ? spare : 0;
        spare -= more;
        draw_text(y, r.x + 2, 10, STYLE_DIM, l[k].name);
        draw_opening(text_of((struct rect){y, r.x, 1 + more, r.w}), STYLE_PLAIN, l[k].text,
                     glyph(" … 4: all", " ... 4: all"));
        y += 1 + more;
    }
}

/* ---- the last page ---- */

/* The row in which line `at` stands; -1: it is out of sight. */
static int row_of(struct rect r, int at, int skip)
{
    return at >= skip && at - skip < r.h ? r.y + at - skip : -1;
}

static int estimate_part(const struct graded *g, int number, struct rect r, int at, int skip)
{
    struct rect text = { r.y, r.x + POINTS_W, r.h, r.w - POINTS_W - 1 };
    int y = row_of(r, at, skip);
    if (y >= 0)
        draw_textf(y, r.x + 2, 14, STYLE_PLAIN, "%d  %.1f of %.1f", number, g->points, g->possible);
    at = debrief_paragraph(text, at, skip, STYLE_DIM, g->estimate->ask);
    at = debrief_paragraph(text, at, skip, STYLE_PLAIN, g->say);
    if (g->worked[0])
        at = debrief_paragraph(text, at, skip, STYLE_PLAIN, g->worked);
    if (g->why[0])
        at = debrief_paragraph(text, at, skip, STYLE_PLAIN, g->why);
    return g->slip[0] && !strstr(g->say, g->slip)
               ? debrief_paragraph(text, at, skip, STYLE_BAD, g->slip)
               : at;
}

static int estimates_part(const struct debrief_screen *s, struct rect r, int skip)
{
    int at = 0;
    if (debrief_withheld(s))
        return debrief_paragraph((struct rect){r.y, r.x + 2, r.h, r.w - 3}, 0, skip, STYLE_DIM,
                                 DEBRIEF_WITHHELD);
    for (int k = 0; k < s->d->n_graded; k++)
        at = estimate_part(&s->d->graded[k], k + 1, r, at, skip);
    return at;
}

/* An empty row stands between them where all fit so. */
static int lessons_part(const struct debrief_screen *s, struct rect r, int at, int skip)
{
    struct lesson l[MOST_LESSONS];
    int n = lessons(s, l);
    bool spaced = at + debrief_lessons_height(s, r.w) + n - 1 <= r.h;
    for (int k = 0; k < n; k++) {
        int y = row_of(r, at, skip);
        if (y >= 0)
            draw_text(y, r.x + 2, 10, STYLE_DIM, l[k].name);
        at =
            debrief_paragraph(text_of(r), at, skip, STYLE_PLAIN, l[k].text) + (spaced && k < n - 1);
    }
    return at;
}

const char *debrief_next_title(const struct debrief_screen *s)
{
    return s->d->n_graded ? "ESTIMATES" : "NEXT TIME";
}

int debrief_next_draw(const struct debrief_screen *s, struct rect r, int skip)
{
    int at = 0;
    if (s->d->n_graded) {
        at = estimates_part(s, r, skip);
        int y = row_of(r, at++, skip);
        if (y >= 0)
            draw_rule(y, r.x, r.w, "NEXT TIME", NULL);
    }
    return lessons_part(s, r, at, skip);
}
