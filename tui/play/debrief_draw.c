/* The debrief on one screen at 100 x 30, in four pages below that; every part is drawn into the
 * rows it is given. */
#include "tui/play/debrief_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/finding.h"
#include "scenarios/formula/quantity.h"
#include "scenarios/pack/failing.h"
#include "scenarios/pack/harness.h"
#include "tui/play/exhibit_pane.h"

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
    if (debrief_withheld(s))
        score[0] = '\0';
    draw_headline(s, y, columns - draw_columns(score) - 4);
    draw_right(y, columns - 1, 12, STYLE_BOLD, score);
}

/* ---- parts ---- */

/* The lines may add up to less than what is shown, or could give less than 100. */
static void draw_total(const struct score *score, int y, int x, int w)
{
    double total = score->total;
    int used = draw_textf(y, x, w, STYLE_BOLD, "total      %2.0f of 100", score_shown(total));
    if (total < 0)
        draw_textf(y, x + used + 2, w - used - 2, STYLE_DIM, "%.0f, shown as 0", total);
    else if (score->of != 100)
        draw_textf(y, x + used + 2, w - used - 2, STYLE_DIM, "%.0f of the %d that there were",
                   score->sum, score->of);
}

/* What a line gave: "-21 points" where it cost some, which is no share of anything. */
static void line_points(char *out, size_t size, double points, int possible)
{
    if (possible == 0)
        snprintf(out, size, "none asked");
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
        char gave[32];
        line_points(gave, sizeof gave, points, possible);
        draw_text(y, r.x + 2, 10, STYLE_PLAIN, score_line_name((enum score_line_id)l));
        draw_text(y, r.x + 13, 10, STYLE_PLAIN, gave);
        draw_bar(y, x, bar, points > 0 ? points / 40 : 0, false,
                 points >= 0.5 * possible ? STYLE_ACCENT : STYLE_BAD);
        draw_opening((struct rect){y, x + bar + 1, 1, r.w - (x - r.x) - bar - 1}, STYLE_PLAIN,
                     s->d->why[l], glyph(" …", " ..."));
    }
    if (total && r.h > LINE_COUNT)
        draw_total(&s->d->score, r.y + LINE_COUNT, r.x + 2, r.w - 3);
}

struct side_row { const char *name; double time; char note[96]; enum style style; };

static void side_note(char *out, size_t size, double times)
{
    if (times > 0.99 && times < 1.01)
        snprintf(out, size, "no faster");
    else
        snprintf(out, size,
                 times > 1.1 ? "%.1f x faster"
                 : times > 1 ? "%.2f x faster"
                             : "%.2f x the speed",
                 times);
}

/* A plain copy is the ceiling of what reads as much as it writes; what reads alone may pass it. */
static bool is_ceiling(double copy, const double *time, int n)
{
    for (int k = 0; k < n; k++)
        if (time[k] > 0 && time[k] < copy)
            return false;
    return true;
}

/* Suspect, fix, best and copy, and with two faults the builds between. `right`: of d->right, -1
 * where no result is told. */
enum { SUSPECT, FIRST_MENDED, SECOND_MENDED, FIX, BEST, COPY, SIDES };
static const struct {
    const char *name;
    enum style style;
    int right;
} side_of[SIDES] = {
    [SUSPECT] = {"suspect", STYLE_BAD, 0},
    [FIRST_MENDED] = {"1st mended", STYLE_ACCENT, -1},
    [SECOND_MENDED] = {"2nd mended", STYLE_ACCENT, -1},
    [FIX] = {"fix", STYLE_GOOD, 1},
    [BEST] = {"best", STYLE_GOOD, 2},
    [COPY] = {"plain copy", STYLE_SECOND, -1},
};

static void side_times(const struct debrief_screen *s, double *time)
{
    const struct debrief *d = s->d;
    bool live = s->live_suspect > 0;
    time[SUSPECT] = live ? s->live_suspect : d->time_suspect;
    time[FIRST_MENDED] = live ? s->live_half : d->time_half;
    time[SECOND_MENDED] = live ? s->live_rest : d->time_rest;
    time[FIX] = live ? s->live_fix : d->time_fix;
    time[BEST] = live ? s->live_best : d->time_best;
    time[COPY] = d->time_copy;
}

static const char *side_name(const struct debrief_screen *s, int k)
{
    if (story_is_harness(s->variant->story) && (k == FIX || k == SUSPECT))
        return k == FIX ? "honest" : "reported";
    if (s->variant->pair == PAIR_HEALTHY && k == FIX)
        return "tempting";
    if (s->variant->pair == PAIR_HEALTHY && k == SUSPECT)
        return "as it was";
    return s->variant->then && k == FIX ? "both mended" : side_of[k].name;
}

/* How it stands beside the suspect, or what it is. */
static void side_says(char *out, size_t size, const struct debrief_screen *s, int k,
                      const double *time)
{
    const struct debrief *d = s->d;
    bool live = s->live_suspect > 0;
    if (k == COPY)
        snprintf(out, size, "%s", is_ceiling(time[COPY], time, COPY) ? "ceiling" : "");
    else if (story_claims_speed_up(s->variant->story))
        return;
    else if (k == FIX && story_is_harness(s->variant->story) && time[SUSPECT] > 0)
        snprintf(out, size, "%.3g x reported", time[FIX] / time[SUSPECT]);
    else if (k != SUSPECT && time[SUSPECT] > 0)
        side_note(out, size,
                  k == FIX && !live && d->ratio > 0 ? d->ratio : time[SUSPECT] / time[k]);
    else if (k == SUSPECT && !live && d->in_turns)
        snprintf(out, size, "measured again");
}

static int side_rows(const struct debrief_screen *s, struct side_row row[SIDES])
{
    double time[SIDES];
    bool healthy = s->variant->pair == PAIR_HEALTHY;
    int n = 0;
    side_times(s, time);
    for (int k = 0; k < SIDES; k++) {
        const char *right = side_of[k].right >= 0 ? s->d->right[side_of[k].right] : "";
        char note[sizeof row->note] = "";
        bool fails = k == SUSPECT && variant_fails(s->variant) && *right;
        if (time[k] <= 0 && !fails)
            continue;
        struct side_row *to = &row[n++];
        *to = (struct side_row){.name = side_name(s, k),
                                .time = time[k],
                                .style = healthy && k != COPY ? STYLE_ACCENT : side_of[k].style};
        side_says(note, sizeof note, s, k, time);
        if (*right) /* whether the result is right comes before how fast it came */
            snprintf(to->note, sizeof to->note, "%s%s%.24s", right, *note ? ", " : "", note);
        else
            memcpy(to->note, note, sizeof note);
    }
    return n;
}

static const char *change_title(const struct debrief_screen *s)
{
    if (story_is_case(s->variant->story))
        return "WHAT TELLS";
    return s->variant->pair == PAIR_HEALTHY ? "A TEMPTING CHANGE" : "WHAT CHANGED";
}

/* Nothing of a case was run twice: the figures that its story began with. */
static void figures_part(const struct story *story, struct rect r)
{
    double most = 0;
    struct quantity q[2] = { { 0 } };
    int n = story->n_symptoms < 2 ? story->n_symptoms : 2;
    for (int k = 0; k < n; k++) {
        size_constant(story, &story->symptoms[k].value, &q[k], NULL);
        most = q[k].value > most ? q[k].value : most;
    }
    for (int k = 0; k < n && k < r.h; k++) {
        char text[32];
        quantity_show(text, sizeof text, q[k].value, story->symptoms[k].unit);
        draw_text(r.y + k, r.x + 2, 21, STYLE_PLAIN, story->symptoms[k].label);
        draw_right(r.y + k, r.x + 36, 12, STYLE_PLAIN, text);
        if (r.w > 60 && most > 0 && dim_equal(q[0].dim, q[n - 1].dim))
            draw_bar(r.y + k, r.x + 38, r.w - 40, q[k].value / most, false,
                     k ? STYLE_SECOND : STYLE_ACCENT);
    }
}

static int side_height(const struct debrief_screen *s)
{
    struct side_row row[SIDES];
    int n = story_is_case(s->variant->story) ? s->variant->story->n_symptoms : side_rows(s, row);
    return n ? n : 1;
}

/* Bars are of speed, as those of the symptom: the longest is the fastest. */
static void side_part(const struct debrief_screen *s, struct rect r)
{
    if (story_is_case(s->variant->story)) {
        figures_part(s->variant->story, r);
        return;
    }
    struct side_row row[SIDES];
    int rate_w = s->yield > 0 ? 15 : 11, bar = 26 + rate_w, n = side_rows(s, row),
        note_w = !s->d->right[0][0] ? 18
                 : r.w < bar + 29   ? r.w - bar + 1
                                    : 30;
    double least = 0;
    for (int k = 0; k < n; k++)
        if (row[k].time > 0 && (least <= 0 || row[k].time < least))
            least = row[k].time;
    for (int k = 0; k < n && k < r.h; k++) {
        char time[32], rate[48] = "";
        int y = r.y + k;
        if (row[k].time <= 0) { /* it fails */
            draw_text(y, r.x + 2, 11, STYLE_PLAIN, row[k].name);
            draw_text(y, r.x + 14, r.w - 14, row[k].style, row[k].note);
            continue;
        }
        quantity_show(time, sizeof time, row[k].time, "s");
        if (!finding_rate(rate, sizeof rate, s->variant->story, s->yield, row[k].time) &&
            s->bytes > 0)
            quantity_show(rate, sizeof rate, s->bytes / row[k].time, "B/s");
        draw_text(y, r.x + 2, 11, STYLE_PLAIN, row[k].name);
        draw_right(y, r.x + 23, 10, STYLE_PLAIN, time);
        draw_right(y, r.x + 23 + rate_w, rate_w, STYLE_PLAIN, rate);
        if (r.w - bar - note_w > 4)
            draw_bar(y, r.x + bar, r.w - bar - note_w, least / row[k].time, false, row[k].style);
        draw_text(y, r.x + r.w - note_w + 1, note_w - 2, STYLE_DIM, row[k].note);
    }
    if (n == 0)
        draw_text(r.y, r.x + 2, r.w - 3, STYLE_DIM,
                  "n/a: the times of the pair are not known here");
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

static const char *side_title(const struct debrief_screen *s)
{
    return story_is_case(s->variant->story) ? "THE COMPLAINT" : "SIDE BY SIDE";
}

static const char *side_tag(const struct debrief_screen *s, char *out, size_t size)
{
    if (s->live)
        return "running";
    if (s->live_suspect <= 0)
        return NULL;
    snprintf(out, size, "live, %s", s->live_gpu);
    return out;
}

/* ---- one screen ---- */

struct heading { const char *title; bool more; const char *where; /* the rest of it */ };

static void two_rules(int y, int columns, int divide, struct heading left, struct heading right)
{
    draw_rule(y, 0, divide, left.title, left.more ? left.where : NULL);
    draw_rule(y, divide + 1, columns - divide - 1, right.title, right.more ? right.where : NULL);
}

static void draw_why_and_change(const struct debrief_screen *s, int top, int h, int columns)
{
    int half = columns / 2;
    struct rect change = {top + 1, half + 1, h, columns - half - 1};
    bool cut = why_part(s, (struct rect){0, 0, 0, half}, 0) > h,
         cut_change = story_is_case(s->variant->story) && changed_rows(s, 0, change) > h;
    two_rules(top, columns, half, (struct heading){"WHY", cut, "3: all"},
              (struct heading){change_title(s), cut_change, "3: all"});
    why_part(s, (struct rect){ top + 1, 0, h, half }, 0);
    draw_vline(top + 1, half, h);
    changed_part(s, change);
    draw_join(top, half, 1);
    draw_join(top + 1 + h, half, 0);
}

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
    int sides = side_height(s), next = debrief_lessons_height(s, columns),
        split = 63 + (columns - 100) / 2, belief_w = columns - split - 1;
    int upper = upper_rows(s, bottom - TOP - RULES - sides - next, belief_w),
        side_rule = TOP + 1 + upper, why_rule = side_rule + 1 + sides;
    int why = bottom - next - 1 - why_rule - 1;
    if (why < LEAST_WHY)
        why = LEAST_WHY;
    draw_rule(side_rule, 0, columns, side_title(s), side_tag(s, tag, sizeof tag));
    two_rules(TOP, columns, split, (struct heading){.title = "SCORE"},
              (struct heading){"BELIEF IN THE TRUTH, %", debrief_belief_height(s, belief_w) > upper,
                               "2: all"});
    score_part(s, (struct rect){ TOP + 1, 0, upper, split }, true);
    draw_vline(TOP + 1, split, upper);
    debrief_belief_rows(s, (struct rect){ TOP + 1, split + 1, upper, belief_w });
    draw_join(TOP, split, 1);
    draw_join(side_rule, split, 0);
    side_part(s, (struct rect){ side_rule + 1, 0, sides, columns });
    draw_rule(why_rule + 1 + why, 0, columns, "NEXT TIME", NULL);
    draw_why_and_change(s, why_rule, why, columns);
    debrief_lessons_draw(s, (struct rect){why_rule + why + 2, 0, bottom - why_rule - why - 2,
                                          columns});
}

/* ---- four pages ---- */

static void draw_score_page(const struct debrief_screen *s, int top, int columns, int bottom)
{
    char tag[128];
    int sides = side_height(s), y = top;
    draw_rule(y, 0, columns, "SCORE", NULL);
    score_part(s, (struct rect){ y + 1, 0, LINE_COUNT, columns }, false);
    y += 1 + LINE_COUNT;
    draw_rule(y, 0, columns, side_title(s), side_tag(s, tag, sizeof tag));
    side_part(s, (struct rect){ y + 1, 0, sides, columns });
    y += 1 + sides;
    if (y >= bottom - 1)
        return;
    draw_rule(y, 0, columns, "NEXT TIME", NULL);
    debrief_lessons_draw(s, (struct rect){ y + 1, 0, bottom - y - 1, columns });
}

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

static void draw_why_page(const struct debrief_screen *s, int top, int columns, int bottom)
{
    struct why_page p = why_page(top, columns, bottom);
    if (p.diff.y == p.why.y) {
        two_rules(top, columns, p.why.w, (struct heading){.title = "WHY"},
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
        draw_why_page(s, top, columns, bottom);
    else if (s->page == 3) {
        draw_rule(top, 0, columns, debrief_next_title(s), NULL);
        debrief_next_draw(s, (struct rect){ top + 1, 0, bottom - top - 1, columns }, s->scroll);
    } else {
        draw_rule(top, 0, columns, "BELIEF IN THE TRUTH, %", NULL);
        debrief_beliefs_draw(s, (struct rect){ top + 1, 0, bottom - top - 1, columns });
    }
}

bool debrief_wide(int rows, int columns)
{
    return rows >= 30 && columns >= 100;
}

static void stretch(struct debrief_extent *e, int lines, int rows)
{
    if (lines <= rows)
        return;
    e->rows = e->hidden && e->rows < rows ? e->rows : rows;
    e->hidden = lines - rows > e->hidden ? lines - rows : e->hidden;
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
    struct why_page p = why_page(top, columns, rows - 3);
    if (s->view == DEBRIEF_EVIDENCE)
        e.hidden = debrief_evidence_most(s, r);
    else if (s->view == DEBRIEF_CODE)
        stretch(&e, code_lines(s), r.h);
    else if (s->view == DEBRIEF_BELIEFS || s->page == 1)
        stretch(&e, debrief_beliefs_lines(s, r), r.h);
    else if (s->page == 2) {
        stretch(&e, why_part(s, (struct rect){ 0, 0, 0, p.why.w }, 0), p.why.h);
        stretch(&e, changed_rows(s, p.context, p.diff), p.diff.h);
    } else if (s->page == 3)
        stretch(&e, debrief_next_draw(s, (struct rect){ 0, 0, 0, columns }, 0), r.h);
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
