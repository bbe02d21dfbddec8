/* The frame of the screen: title, beliefs and the rules between panes, around what other files
 * draw. Reads only. */
#include "tui/play/investigation_draw.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/pack/image.h"
#include "tui/play/investigation_foot.h"
#include "tui/play/investigation_known.h"
#include "tui/play/investigation_list.h"
#include "tui/play/investigation_modes.h"
#include "tui/play/investigation_place.h"
#include "tui/play/investigation_question.h"
#include "tui/play/investigation_shop.h"
#include "tui/play/investigation_steps.h"
#include "tui/play/investigation_symptom.h"

/* "NVIDIA H200, recorded   level 1" */
static void source_text(const struct investigation_screen *s, char *out, size_t size, bool brief)
{
    const struct msg_device *d = investigation_device(s);
    const char *name = d ? d->name : state_of(s)->gpu;
    if (brief && strncmp(name, "NVIDIA ", 7) == 0)
        name += 7;
    snprintf(out, size, "%s, %s   level %d", name, investigation_tier(s), s->story->level);
}

static void draw_title(const struct investigation_screen *s, const struct layout *l)
{
    char right[128];
    int w = l->title.w, x = 1;
    source_text(s, right, sizeof right, l->shape != LAYOUT_WIDE);
    if (l->shape == LAYOUT_WIDE)
        x += draw_text(0, x, 12, STYLE_ACCENT, "warpdrill") + 3;
    draw_text(0, x, w - x - draw_columns(right) - 3, STYLE_BOLD, s->story->title);
    draw_right(0, w - 1, draw_columns(right), STYLE_SECOND, right);
}

/* ---- beliefs ---- */

/* The move that is under way since the newest purchase; while there is none, the one before it. */
static void belief_moves(const struct investigation_screen *s, const int *points, int *delta)
{
    const struct investigation *i = state_of(s);
    int k = s->story->n_hypotheses, n = i->n_steps;
    const int *before = n >= 2 ? i->steps[n - 2].points : n == 1 ? i->steps[0].points : points;
    if (mode_of(s)->final)
        before = i->points;
    bool moved = memcmp(before, points, (size_t)k * sizeof *points) != 0;
    const int *from = before, *to = points;
    if (!moved && n >= 3 && !mode_of(s)->final)
        from = i->steps[n - 3].points, to = i->steps[n - 2].points;
    for (int h = 0; h < k; h++)
        delta[h] = to[h] - from[h];
}

static void draw_belief(const struct investigation_screen *s, const struct layout *l, int h, int y,
                        int points, int delta)
{
    const struct hypothesis *hyp = s->story->hypotheses[h];
    struct rect r = l->beliefs;
    bool chosen = h == s->chosen;
    enum style style = chosen ? STYLE_BOLD : STYLE_PLAIN;
    draw_text(y, r.x, 1, STYLE_ACCENT, chosen ? glyph("▸", ">") : " ");
    draw_textf(y, r.x + 1, 1, style, "%d", investigation_digit(s->story, h));
    draw_text(y, r.x + 3, l->label_w - 1, style, l->label_w < 24 ? hyp->brief : hyp->label);
    draw_bar(y, r.x + l->bar, l->bar_w, points / 100.0, false, STYLE_ACCENT);
    char text[16];
    snprintf(text, sizeof text, "%d", points);
    draw_right(y, r.x + l->value_end, 3, style, text);
    snprintf(text, sizeof text, "%+d", delta);
    if (delta)
        draw_right(y, r.x + l->delta_end, 4, delta > 0 ? STYLE_GOOD : STYLE_BAD, text);
}

static void draw_beliefs(const struct investigation_screen *s, const struct layout *l)
{
    int points[MAX_HYPOTHESES], percent[MAX_HYPOTHESES], delta[MAX_HYPOTHESES];
    int k = s->story->n_hypotheses;
    if (l->beliefs.w == 0)
        return;
    if (mode_of(s)->hides_causes) {
        draw_wrapped((struct rect){l->beliefs.y + 1, l->beliefs.x + 3, l->beliefs.h - 1,
                                   l->beliefs.w - 6},
                     0, STYLE_DIM,
                     "The causes on offer stand here once you have said which you would think of "
                     "yourself.");
        return;
    }
    attempt_points(s->attempt, points);
    attempt_percent(s->attempt, percent);
    belief_moves(s, points, delta);
    int top = s->chosen < l->beliefs.h ? 0 : s->chosen - l->beliefs.h + 1;
    for (int h = top; h < k && h < top + l->beliefs.h; h++)
        draw_belief(s, l, h, l->beliefs.y + h - top, percent[h], delta[h]);
    bool room = l->shape != LAYOUT_PANE ||
                !mode_of(s)->draw; /* one pane: the words of the day stand there */
    if (l->beliefs.h > k + 1 && room)
        draw_text(l->beliefs.y + k + 1, l->beliefs.x + 3, l->beliefs.w - 3, STYLE_DIM,
                  l->beliefs.w >= 44 ? "+ doubles the odds, - halves, % types it"
                                     : "+ doubles, - halves, % types it");
}

/* ---- rules between the panes ---- */

static const char *listing_title(const struct investigation_screen *s)
{
    const struct msg_part *p = listing_of(s);
    return !p ? "WHAT YOU KNOW" : msg_part_note(p, "listing: PTX") ? "PTX" : "MACHINE CODE";
}

static bool runs_image(const struct investigation_screen *s)
{
    struct image_files i;
    if (story_is_case(s->story))
        return false;
    image_find(&i, s->story->pack->files, s->variant->suspect);
    return i.ptx != NULL;
}

static const char *known_title(const struct investigation_screen *s, const struct layout *l)
{
    if (mode_of(s)->lists)
        return s->list == SHOP_ASK       ? "ASK"
               : s->list == SHOP_VERIFY  ? "CHECKS OF THE RESULT"
               : story_is_case(s->story) ? "EXHIBITS"
                                         : "EXPERIMENTS";
    if (s->explaining)
        return "EXPLAINED";
    switch (investigation_view(s, l)) {
    case VIEW_ROOF: return "ROOFLINE";
    case VIEW_STEPS: return "TIMELINE";
    case VIEW_SWEEP: return "SWEEP";
    case VIEW_SAMPLES: return "SAMPLES";
    case VIEW_EXHIBIT: return "EXHIBIT";
    case VIEW_SOURCE: return runs_image(s) ? "SOURCE, OF WHICH AN IMAGE RUNS" : "SOURCE";
    case VIEW_LISTING: return listing_title(s);
    case VIEW_STORY: return "THE STORY";
    default: return "WHAT YOU KNOW";
    }
}

/* What the columns of a code pane are, and what users see of a timeline's step; "" where there are
 * none to name. */
static const char *known_columns(const struct investigation_screen *s, const struct layout *l,
                                 char *rate, size_t size)
{
    if (s->view == VIEW_STEPS) {
        steps_rate(s, rate, size);
        return rate;
    }
    if (s->view == VIEW_SOURCE)
        return investigation_has(state_of(s), "lines") ? "% of samples, why" : "";
    return s->view == VIEW_LISTING && listing_of(s) ? "source line, code"
           : investigation_view(s, l) == VIEW_NOTES ? "min"
                                                    : "";
}

/* "2 above, 12 more below, min": blocks and lines that the arrows bring, then what the columns
 * count. `last`: in the place of that. */
static const char *known_right(const struct investigation_screen *s, const struct layout *l,
                               const char *last, char *out, size_t size)
{
    bool covered = mode_of(s)->lists || s->explaining,
         notes = investigation_view(s, l) == VIEW_NOTES;
    struct pane pane = investigation_pane(s, l);
    int above = 0, below = pane.lines - pane.rows - s->scroll;
    char rate[48];
    if (notes && s->book.n) {
        above = notebook_above(&s->book, s->note, s->row, l->known.h);
        below = notebook_below(&s->book, s->note, s->row, l->known.h);
    }
    out[0] = '\0';
    if (mode_of(s)->hides_causes)
        last = pane.lines > pane.rows ? "PgUp PgDn" : "";
    if (!last)
        last = known_columns(s, l, rate, sizeof rate);
    if (covered)
        above = below = 0, last = "";
    if (mode_of(s)->lists)
        list_hidden(s, l->known, &above, &below);
    if (above)
        snprintf(out, size, "%d above, ", above);
    if (below > 0)
        snprintf(out + strlen(out), size - strlen(out), "%d more below, ", below);
    if (draw_columns(known_title(s, l)) + 8 + (int)strlen(out) + draw_columns(last) <=
        (l->known.w ? l->known.w : l->title.w))
        snprintf(out + strlen(out), size - strlen(out), "%s", last);
    size_t n = strlen(out);
    if (n > 2 && strcmp(out + n - 2, ", ") == 0)
        out[n - 2] = '\0';
    return out;
}

static void draw_rules(const struct investigation_screen *s, const struct layout *l, int columns)
{
    const struct mode *m = mode_of(s);
    char right_text[64];
    if (l->divide >= 0) {
        draw_rule(l->main_rule, 0, l->divide,
                  l->shape == LAYOUT_WIDE ? "WHAT YOU BELIEVE" : "BELIEF", "% +/-");
        draw_rule(l->main_rule, l->divide + 1, columns - l->divide - 1, known_title(s, l),
                  known_right(s, l, NULL, right_text, sizeof right_text));
        draw_vline(l->main_rule + 1, l->divide, l->known.h);
    } else {
        bool believing = l->beliefs.w > 0,
             noting = m->has_pane && m->pane == PANE_SHOP;
        const char *right = known_right(s, l, "Tab turns", right_text, sizeof right_text);
        draw_rule(l->main_rule, 0, columns,
                  believing              ? "WHAT YOU BELIEVE"
                  : noting               ? m->title
                  : l->shop.h && s->view == VIEW_SHOP ? "ASK OR BUY"
                                         : known_title(s, l),
                  noting ? NULL : right);
    }
    if (l->shop_rule >= 0)
        draw_rule(l->shop_rule, 0, columns, m->title,
                  l->shape == LAYOUT_WIDE ? m->right : NULL);
    if (l->divide >= 0) {
        draw_join(l->main_rule, l->divide, 1);
        draw_join(l->shop_rule, l->divide, 0);
    }
}

void investigation_draw_editor(const struct investigation_screen *s, const struct layout *l)
{
    if (l->shop.h)
        editor_draw(&s->notes, note_rect(l), STYLE_ACCENT);
}

void investigation_draw(struct app *app, const void *self)
{
    const struct investigation_screen *s = self;
    struct layout l;
    int columns = app_columns(app);
    investigation_layout(app, s, &l);
    draw_clear();
    draw_title(s, &l);
    if (l.shape == LAYOUT_WIDE)
        draw_rule(1, 0, columns, NULL, NULL);
    if (mode_of(s)->covers) {
        mode_of(s)->draw(s, &l);
    } else {
        struct rect story = l.story;
        if (l.shape == LAYOUT_PANE || story.h)
            story_draw(s, story, l.shape == LAYOUT_WIDE);
        symptom_draw(s, &l);
        if (l.facts >= 0)
            facts_draw(s, l.facts, 1, columns - 2);
        draw_rules(s, &l, columns);
        draw_beliefs(s, &l);
        known_draw(app, s, &l);
        if (mode_of(s)->draw)
            mode_of(s)->draw(s, &l);
        else if (l.shop.h && (l.shape != LAYOUT_PANE || s->view == VIEW_SHOP))
            shop_draw(s, &l);
    }
    estimate_draw_rule(s, &l);
    foot_draw(app, s, &l);
}
