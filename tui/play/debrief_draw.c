/* The debrief on one screen at 100 x 30, in four pages below that; every part is drawn into the
 * rows it is given. */
#include "tui/play/debrief_parts.h"

#include <stdio.h>
#include <string.h>

static const char *const page_names[DEBRIEF_PAGE_COUNT] = {"score", "beliefs", "why and diff",
                                                           "next time"};

/* ---- the head ---- */

static const char *short_name(const char *gpu)
{
    return strncmp(gpu, "NVIDIA ", 7) == 0 ? gpu + 7 : gpu;
}

/* What it was and the belief in it; where both do not fit, the first alone: the figure stands
 * beside the score. */
static void draw_headline(const struct debrief_screen *s, int y, int w)
{
    char text[sizeof s->d->headline];
    snprintf(text, sizeof text, "%s", s->d->headline);
    char *second = strstr(text, ".  ");
    if (second && draw_columns(text) > w)
        second[1] = '\0';
    draw_text(y, 1, w, STYLE_BOLD, text);
}

static void draw_head(const struct debrief_screen *s, int columns, bool wide)
{
    char right[160], score[32];
    int x = 1, y = wide ? 2 : 1;
    snprintf(right, sizeof right, "debrief   %s, %s", short_name(s->gpu), s->tier);
    if (wide)
        x += draw_text(0, x, 12, STYLE_ACCENT, "warpdrill") + 3;
    draw_text(0, x, columns - x - draw_columns(right) - 3, STYLE_BOLD, s->variant->story->title);
    draw_right(0, columns - 1, draw_columns(right), STYLE_SECOND, right);
    if (wide)
        draw_rule(1, 0, columns, NULL, *s->version ? s->version : NULL);
    snprintf(score, sizeof score, "%.0f of 100", score_shown(s->d->score.total));
    if (debrief_withheld(s) || s->d->score.of == 0)
        score[0] = '\0';
    draw_headline(s, y, columns - draw_columns(score) - 4);
    draw_right(y, columns - 1, 12, STYLE_BOLD, score);
}

/* ---- the score ---- */

/* The lines may add up to less than what is shown, or could give less than 100. */
static void draw_total(const struct score *score, int y, int x, int w)
{
    double total = score->total;
    bool cut = score_is_cut(score);
    if (cut && score->of == 0) {
        draw_text(y, x, w, STYLE_BOLD, "nothing was reached");
        return;
    }
    int used = draw_textf(y, x, w, STYLE_BOLD, "total      %2.0f of 100", score_shown(total));
    if (total < 0)
        draw_textf(y, x + used + 2, w - used - 2, STYLE_DIM, "%.0f, shown as 0", total);
    else if (score->of != 100)
        draw_textf(y, x + used + 2, w - used - 2, STYLE_DIM, "%.0f of the %d that %s",
                   score->sum, score->of, cut ? "were reached" : "there were");
}

/* What a line gave: "-21 points" where it cost some, which is no share of anything. */
static void line_points(char *out, size_t size, const struct score *score, enum score_line_id l)
{
    double points = score->line[l];
    int possible = score->possible[l];
    if (possible == 0)
        snprintf(out, size, score->cut[l] ? "cut" : "none asked");
    else if (points <= -0.5)
        snprintf(out, size, "%.0f points", points);
    else
        snprintf(out, size, "%2.0f of %2d", points > 0 ? points : 0, possible);
}

static void score_part(const struct debrief_screen *s, struct rect r, bool total)
{
    int bar = r.w < 78 ? 4 : 12;
    if (debrief_withheld(s)) {
        draw_wrapped((struct rect){ r.y, r.x + 2, r.h, r.w - 3 }, 0, STYLE_DIM, DEBRIEF_WITHHELD);
        return;
    }
    for (int l = 0; l < LINE_COUNT && l < r.h; l++) {
        double points = s->d->score.line[l];
        int possible = s->d->score.possible[l], y = r.y + l, x = r.x + 23;
        int why = s->d->score.cut[l] && possible == 0 ? 0 : bar + 1;    /* nothing to draw of it */
        char gave[32];
        line_points(gave, sizeof gave, &s->d->score, (enum score_line_id)l);
        draw_text(y, r.x + 2, 10, STYLE_PLAIN, score_line_name((enum score_line_id)l));
        draw_text(y, r.x + 13, 10, STYLE_PLAIN, gave);
        draw_bar(y, x, why ? bar : 0, points > 0 ? points / 40 : 0, false,
                 points >= 0.5 * possible ? STYLE_ACCENT : STYLE_BAD);
        draw_opening((struct rect){y, x + why, 1, r.w - (x - r.x) - why}, STYLE_PLAIN,
                     s->d->why[l], glyph(" …", " ..."));
    }
    if (total && r.h > LINE_COUNT)
        draw_total(&s->d->score, r.y + LINE_COUNT, r.x + 2, r.w - 3);
}

/* ---- one screen ---- */

/* Rows that score and beliefs have: those of the score, and more where steps would be left out and
 * the screen is tall. */
static int upper_rows(const struct debrief_screen *s, int rest, int belief_w)
{
    enum { ROWS = LINE_COUNT + 1, WHY_ROWS = 12 };
    int spare = rest - ROWS - WHY_ROWS, more = debrief_belief_height(s, belief_w) - ROWS;
    more = more < spare ? more : spare;
    return ROWS + (more > 0 ? more : 0);
}

static void draw_overview(const struct debrief_screen *s, int columns, int bottom)
{
    enum { TOP = 3, RULES = 4, LEAST_WHY = 4 };
    char tag[128];
    int sides = debrief_side_height(s), next = debrief_lessons_height(s, columns),
        split = 63 + (columns - 100) / 2, belief_w = columns - split - 1;
    int upper = upper_rows(s, bottom - TOP - RULES - sides - next, belief_w),
        side_rule = TOP + 1 + upper, why_rule = side_rule + 1 + sides;
    int why = bottom - next - 1 - why_rule - 1;
    if (why < LEAST_WHY)
        why = LEAST_WHY;
    draw_rule(side_rule, 0, columns, debrief_side_title(s), debrief_side_tag(s, tag, sizeof tag));
    debrief_two_rules(TOP, columns, split, (struct heading){.title = "SCORE"},
              (struct heading){"BELIEF IN THE TRUTH, %", debrief_belief_height(s, belief_w) > upper,
                               "2: all"});
    score_part(s, (struct rect){ TOP + 1, 0, upper, split }, true);
    draw_vline(TOP + 1, split, upper);
    debrief_belief_rows(s, (struct rect){ TOP + 1, split + 1, upper, belief_w });
    draw_join(TOP, split, 1);
    draw_join(side_rule, split, 0);
    debrief_side_draw(s, (struct rect){ side_rule + 1, 0, sides, columns });
    draw_rule(why_rule + 1 + why, 0, columns, "NEXT TIME", NULL);
    debrief_why_draw(s, why_rule, why, columns);
    debrief_lessons_draw(s, (struct rect){why_rule + why + 2, 0, bottom - why_rule - why - 2,
                                          columns});
}

/* ---- four pages ---- */

static void draw_score_page(const struct debrief_screen *s, int top, int columns, int bottom)
{
    char tag[128];
    int sides = debrief_side_height(s), y = top;
    draw_rule(y, 0, columns, "SCORE", NULL);
    score_part(s, (struct rect){ y + 1, 0, LINE_COUNT, columns }, false);
    y += 1 + LINE_COUNT;
    draw_rule(y, 0, columns, debrief_side_title(s), debrief_side_tag(s, tag, sizeof tag));
    debrief_side_draw(s, (struct rect){ y + 1, 0, sides, columns });
    y += 1 + sides;
    if (y >= bottom - 1)
        return;
    draw_rule(y, 0, columns, "NEXT TIME", NULL);
    debrief_lessons_draw(s, (struct rect){ y + 1, 0, bottom - y - 1, columns });
}

/* ---- the whole screen ---- */

static void draw_tabs(struct app *app, const struct debrief_screen *s, int y, int columns)
{
    const char *said = app_said(app);
    int x = 1, at = 0, of = 0;
    if (said && said[0]) {
        draw_text(y, 1, columns - 2, STYLE_BOLD, said);
        return;
    }
    if (s->live) {
        const char *say = supply_say(s->live, &at, &of);
        draw_textf(y, 1, columns - 2, STYLE_PLAIN,
                   "running the fix beside the suspect   %s   Esc stops", say ? say : "");
        return;
    }
    for (int k = 0; k < DEBRIEF_PAGE_COUNT; k++) {
        bool here = s->view == DEBRIEF_PAGES && s->page == k;
        x += draw_textf(y, x, columns - x, here ? STYLE_SELECTED : STYLE_PLAIN,
                        here ? "[%d %s]" : "%d %s", k + 1, page_names[k]) +
             3;
    }
}

static void draw_view(const struct debrief_screen *s, int top, int columns, int bottom)
{
    struct rect r = { top + 1, 0, bottom - top - 1, columns };
    const char *name = "";
    char title[96];
    if (s->view == DEBRIEF_CODE) {
        debrief_code(s, s->code, &name);
        snprintf(title, sizeof title, "CODE: %s", name);
        draw_rule(top, 0, columns, title, "Tab turns");
        debrief_code_draw(s, r);
    } else if (s->view == DEBRIEF_EVIDENCE) {
        draw_rule(top, 0, columns, "EVIDENCE", "arrows choose, e explains");
        debrief_evidence_draw(s, r);
    } else {
        draw_rule(top, 0, columns, "BELIEF IN THE TRUTH, %", NULL);
        debrief_beliefs_draw(s, r);
    }
}

static void draw_page(const struct debrief_screen *s, int top, int columns, int bottom)
{
    if (s->page == 0)
        draw_score_page(s, top, columns, bottom);
    else if (s->page == 2)
        debrief_why_page_draw(s, top, columns, bottom);
    else if (s->page == 3) {
        draw_rule(top, 0, columns, debrief_next_title(s), NULL);
        debrief_next_draw(s, (struct rect){ top + 1, 0, bottom - top - 1, columns }, s->scroll);
    } else {
        draw_rule(top, 0, columns, "BELIEF IN THE TRUTH, %", NULL);
        debrief_beliefs_draw(s, (struct rect){ top + 1, 0, bottom - top - 1, columns });
    }
}

static int code_lines(const struct debrief_screen *s)
{
    const char *name;
    const char *text = debrief_code(s, s->code, &name);
    return text ? source_line_count(text) : 0;
}

struct debrief_extent debrief_extent(const struct debrief_screen *s, int rows, int columns)
{
    int top = debrief_wide(rows, columns) ? 3 : 2;
    struct rect r = { top + 1, 0, rows - 4 - top, columns };
    struct debrief_extent e = { 0, r.h };
    if (s->view == DEBRIEF_EVIDENCE)
        e.hidden = debrief_evidence_most(s, r);
    else if (s->view == DEBRIEF_CODE)
        debrief_stretch(&e, code_lines(s), r.h);
    else if (s->view == DEBRIEF_BELIEFS || s->page == 1)
        debrief_stretch(&e, debrief_beliefs_lines(s, r), r.h);
    else if (s->page == 2)
        debrief_why_extent(&e, s, top, columns, rows - 3);
    else if (s->page == 3)
        debrief_stretch(&e, debrief_next_draw(s, (struct rect){ 0, 0, 0, columns }, 0), r.h);
    return e;
}

static void draw_bottom_rule(const struct debrief_screen *s, int y, int rows, int columns)
{
    char more[48];
    int below = debrief_extent(s, rows, columns).hidden - s->scroll;
    snprintf(more, sizeof more, "%d more below: Down, PgDn", below);
    draw_rule(y, 0, columns, NULL, below > 0 ? more : NULL);
}

void debrief_draw(struct app *app, const void *self)
{
    const struct debrief_screen *s = self;
    int rows = app_rows(app), columns = app_columns(app);
    bool wide = debrief_wide(rows, columns), busy = s->live || (app_said(app) && app_said(app)[0]);
    bool overview = wide && s->view == DEBRIEF_PAGES && s->page == 0;
    int bottom = rows - (overview && !busy ? 2 : 3), top = wide ? 3 : 2;
    char line[256];
    draw_clear();
    draw_head(s, columns, wide);
    if (overview)
        draw_overview(s, columns, bottom);
    else if (s->view != DEBRIEF_PAGES)
        draw_view(s, top, columns, bottom);
    else
        draw_page(s, top, columns, bottom);
    draw_bottom_rule(s, bottom, rows, columns);
    if (bottom == rows - 3)
        draw_tabs(app, s, rows - 2, columns);
    key_line(line, sizeof line, debrief_keys(app, s), columns - 2);
    draw_text(rows - 1, 1, columns - 2, STYLE_DIM, line);
}
