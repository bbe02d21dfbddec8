/* The frame of the screen: title, story, symptom, beliefs, and the last rows. Reads only. */
#include "tui/play/investigation_draw.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/evidence/finding.h"
#include "scenarios/pack/image.h"
#include "tui/play/investigation_known.h"
#include "tui/play/investigation_list.h"
#include "tui/play/investigation_modes.h"
#include "tui/play/investigation_place.h"
#include "tui/play/investigation_question.h"
#include "tui/play/investigation_shop.h"
#include "tui/play/investigation_steps.h"

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

/* ---- story and symptom ---- */

/* The last row has the facts. Where one pane fits, the arrows move the text. */
static void draw_story(const struct investigation_screen *s, struct rect r, bool wide)
{
    if (r.h <= 0)
        return;
    struct rect text = { r.y, r.x, r.h - 1, r.w };
    if (wide)
        draw_opening(text, STYLE_PLAIN, s->told,
                     mode_of(s)->hides_causes ? glyph(" …", " ...")
                                              : glyph(" … Tab: more", " ... Tab: more"));
    else
        draw_wrapped(text, s->scroll, STYLE_PLAIN, s->told);
    draw_text(r.y + r.h - 1, r.x, r.w, STYLE_DIM, s->facts);
}

static void rate_text(char *out, size_t size, double bytes, double time)
{
    out[0] = '\0';
    if (bytes > 0 && time > 0)
        quantity_show(out, size, bytes / time, "B/s");
}

/* What stands where the symptom tells no time. */
static const char *no_time(const struct investigation_screen *s)
{
    if (*s->printed)
        return s->printed;
    if (s->wanted == WANTED_SYMPTOM)
        return "being measured";
    return state_of(s)->phase == PHASE_OPEN
               ? "n/a: not measured"
               : "not measured again"; /* resumed live, once committed */
}

/* Where the bars of the symptom begin; what users see of the suspect's time stands before them. */
enum { SYMPTOM_BAR = 35, SYMPTOM_BAR_USERS = 51 };

static void draw_symptom_row(int y, struct rect r, const char *name, double time, double rate,
                             double full, int bar, enum style style)
{
    char t[32] = "", b[32] = "";
    if (time > 0)
        quantity_show(t, sizeof t, time, "s");
    if (rate > 0)
        quantity_show(b, sizeof b, rate, "B/s");
    draw_text(y, r.x, 12, STYLE_PLAIN, name);
    draw_right(y, r.x + 22, 9, STYLE_PLAIN, t);
    draw_right(y, r.x + 33, 10, STYLE_PLAIN, b);
    if (rate > 0 && full > 0 && r.w > bar + 10)
        draw_bar(y, r.x + bar, r.w - bar - 1, rate / full, false, style);
}

/* What a case shows for nothing: its figures, on one scale where they are of one kind. */
static void draw_figures(const struct story *story, struct rect r)
{
    struct quantity q[2] = { { 0 } };
    int n = story->n_symptoms < 2 ? story->n_symptoms : 2, x = r.x;
    char text[2][32];
    for (int k = 0; k < n; k++) {
        size_constant(story, &story->symptoms[k].value, &q[k], NULL);
        quantity_show(text[k], sizeof text[k], q[k].value, story->symptoms[k].unit);
    }
    double most = q[1].value > q[0].value ? q[1].value : q[0].value;
    bool alike = n == 2 && dim_equal(q[0].dim, q[1].dim) && most > 0;
    for (int k = 0; k < n && r.h >= 2; k++) {
        draw_text(r.y + k, r.x, 21, STYLE_PLAIN, story->symptoms[k].label);
        draw_right(r.y + k, r.x + 33, 11, STYLE_PLAIN, text[k]);
        if (alike && r.w > 45)
            draw_bar(r.y + k, r.x + 35, r.w - 36, q[k].value / most, false,
                     k ? STYLE_SECOND : STYLE_ACCENT);
    }
    for (int k = 0; k < n && r.h == 1; k++)
        x += draw_textf(r.y, x, r.x + r.w - x, k ? STYLE_SECOND : STYLE_PLAIN, "%s %s",
                        story->symptoms[k].label, text[k]) +
             4;
}

static double copy_time_of(const struct investigation_screen *s)
{
    return yardstick_of(s) > 0 && s->bytes > 0 ? s->bytes / s->copy : 0;
}

static void draw_symptom_rows(const struct investigation_screen *s, const struct layout *l)
{
    struct rect r = l->symptom;
    double copy = yardstick_of(s), rate = copy > 0 && s->time > 0 ? s->bytes / s->time : 0,
           full = rate > copy ? rate : copy;
    int bar = s->yield > 0 && r.w >= SYMPTOM_BAR_USERS ? SYMPTOM_BAR_USERS : SYMPTOM_BAR;
    char users[48];
    draw_symptom_row(r.y, r, investigation_subject(s), time_told(s), rate, full, bar, STYLE_ACCENT);
    if (time_told(s) <= 0)
        draw_text(r.y, r.x + 13, s->time > 0 ? 20 : r.w - 13, *s->printed ? STYLE_PLAIN : STYLE_DIM,
                  no_time(s));
    if (bar == SYMPTOM_BAR_USERS && finding_rate(users, sizeof users, s->story, s->yield, s->time))
        draw_right(r.y, r.x + bar - 2, bar - SYMPTOM_BAR - 1, STYLE_BOLD, users);
    if (copy_time_of(s) > 0)
        draw_symptom_row(r.y + 1, r, "plain copy", copy_time_of(s), s->copy, full, bar,
                         STYLE_SECOND);
    else if (!story_stands_above(s, l))
        draw_text(r.y + 1, r.x, r.w, STYLE_DIM, s->sizes);
}

/* In one row what users see takes the place of the bandwidth: there is room for one of them. */
static void draw_symptom_row_alone(const struct investigation_screen *s, struct rect r)
{
    double copy_time = copy_time_of(s);
    char t[64], b[48] = "", ct[32], cb[32];
    snprintf(t, sizeof t, "%s", no_time(s));
    if (time_told(s) > 0)
        quantity_show(t, sizeof t, s->time, "s");
    if (!finding_rate(b, sizeof b, s->story, s->yield, s->time) && copy_time > 0)
        rate_text(b, sizeof b, s->bytes, s->time);
    int used = draw_textf(r.y, r.x, r.w, STYLE_PLAIN, "%s %s%s%s", investigation_subject(s), t,
                          b[0] ? ", " : "", b) +
               4;
    if (copy_time <= 0)
        return;
    quantity_show(ct, sizeof ct, copy_time, "s");
    quantity_show(cb, sizeof cb, s->copy, "B/s");
    draw_textf(r.y, r.x + used, r.w - used, STYLE_SECOND, "plain copy %s, %s", ct, cb);
}

static void draw_symptom(const struct investigation_screen *s, const struct layout *l)
{
    if (story_is_case(s->story))
        draw_figures(s->story, l->symptom);
    else if (l->symptom.h >= 2)
        draw_symptom_rows(s, l);
    else if (l->symptom.h == 1)
        draw_symptom_row_alone(s, l->symptom);
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
    for (int h = 0; h < k && h < l->beliefs.h; h++)
        draw_belief(s, l, h, l->beliefs.y + h, percent[h], delta[h]);
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
        bool believing = s->view == VIEW_BELIEFS || (m->has_pane && m->pane == PANE_BELIEFS),
             noting = m->has_pane && m->pane == PANE_SHOP;
        const char *right = known_right(s, l, "Tab turns", right_text, sizeof right_text);
        draw_rule(l->main_rule, 0, columns,
                  believing              ? "WHAT YOU BELIEVE"
                  : noting               ? m->title
                  : s->view == VIEW_SHOP ? "ASK OR BUY"
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

/* ---- the last rows ---- */

static int options_of(const struct probe *p)
{
    int n = 0;
    while (n < 4 && p->option[n].label)
        n++;
    return n;
}

/* Is a number to be called now? The question then has the status row and the ranges the next, until
 * it is answered. */
static bool calling(const struct investigation_screen *s)
{
    return s->ui == UI_OPEN && s->buy.active && s->buy.call && !s->buy.asking;
}

static void draw_trouble(const struct investigation_screen *s, int y, int columns)
{
    draw_textf(y, 1, columns - 2, STYLE_BAD, "not saved yet: %s", s->trouble);
}

/* "8 of 15 min, full marks up to 6", and what it means to have spent all. */
static void spent_text(const struct investigation *i, char *out, size_t size, int columns)
{
    int n = snprintf(out, size, columns >= 100 ? "%d of %d min spent" : "%d of %d min", i->price,
                     i->patience);
    if (i->price >= i->patience)
        snprintf(out + n, size - (size_t)n, columns >= 80 ? ": evidence scores 0" : ": none left");
    else
        snprintf(out + n, size - (size_t)n, columns >= 80 ? ", full marks up to %d" : ", best %d",
                 i->par);
}

static void draw_status(struct app *app, const struct investigation_screen *s,
                        const struct layout *l)
{
    const struct investigation *i = state_of(s);
    int columns = app_columns(app), y = l->status;
    long seconds = (long)(investigation_clock(s, app_now(app)) / 1000);
    bool wide = l->shape == LAYOUT_WIDE;
    char clock[96], rest[64];
    if (s->buy.asking) {
        estimate_draw_question(s, l);
        return;
    }
    if (s->trouble[0]) {
        draw_trouble(s, y, columns);
        return;
    }
    if (calling(s)) {
        draw_textf(y, 1, columns - 2, STYLE_BOLD, columns < 80 ? "%s" : "Before you look: %s",
                   s->buy.call->call);
        return;
    }
    int bar = wide ? 15 : 6;
    draw_text(y, 1, 9, STYLE_PLAIN, "patience");
    draw_bar(y, 11, bar, i->patience > 0 ? (double)i->price / i->patience : 0, true,
             i->price > i->par ? STYLE_BAD : STYLE_ACCENT);
    int x = 11 + bar + 2, left = FREE_QUESTIONS - i->questions_asked;
    spent_text(i, rest, sizeof rest, columns);
    x += draw_text(y, x, columns - x, i->price >= i->patience ? STYLE_BAD : STYLE_PLAIN, rest) + 3;
    hook_clock(&s->in, rest, sizeof rest);
    if (rest[0])
        snprintf(clock, sizeof clock, "%s%s", s->unsaved ? "saving   " : "", rest);
    else
        snprintf(clock, sizeof clock, "%sclock %02ld:%02ld%s", s->unsaved ? "saving   " : "",
                 seconds / 60, seconds % 60, columns >= 80 ? " (not scored)" : "");
    draw_right(y, columns - 1, draw_columns(clock), STYLE_DIM, clock);
    if (wide && s->story->n_questions && columns - x - draw_columns(clock) > 24)
        draw_textf(y, x, columns - x - draw_columns(clock) - 2, STYLE_PLAIN,
                   "%d of %d questions left", left > 0 ? left : 0, FREE_QUESTIONS);
}

static void draw_ranges(const struct investigation_screen *s, int y, int columns)
{
    const struct probe *p = s->buy.call;
    int x = 1;
    for (int k = 0; k < options_of(p); k++) {
        x += draw_textf(y, x, columns - x, STYLE_BOLD, "%d:", k + 1) + 1;
        x += draw_text(y, x, columns - x, STYLE_PLAIN, p->option[k].label) + 3;
    }
}

/* Did what came last bring the price to `limit`? */
static bool just_passed(const struct investigation *i, int limit,
                        const struct investigation_screen *s)
{
    int last = s->book.n ? s->book.note[s->book.n - 1].price : 0;
    return i->price >= limit && i->price - last < limit;
}

const char *investigation_open_todo(const struct investigation_screen *s, char *out, size_t size,
                                    bool brief)
{
    const struct investigation *i = state_of(s);
    if (s->wanted == WANTED_SYMPTOM)
        snprintf(out, size, "Measuring what the story complains about.");
    else if (s->buy.active)
        snprintf(out, size,
                 brief
                     ? "%c is being measured. Esc returns the price."
                     : "%c is being measured; move your beliefs meanwhile. Esc returns the price.",
                 s->buy.letter);
    else if (s->arrived[0] && just_passed(i, i->patience, s))
        snprintf(out, size,
                 brief ? "%s: patience is out. Enter commits."
                       : "%s has arrived; patience is out, so evidence scores 0. Enter commits.",
                 s->arrived);
    else if (s->arrived[0] && just_passed(i, i->par + 1, s))
        snprintf(out, size,
                 brief ? "%s: past full marks. Letters, Enter commits."
                       : "%s has arrived, past full marks: each minute from here costs points.",
                 s->arrived);
    else if (s->arrived[0])
        snprintf(out, size,
                 brief ? "%s has arrived. Beliefs, letters, Enter commits."
                       : "%s has arrived. Move your beliefs; then buy again, or Enter to commit.",
                 s->arrived);
    else if (i->n_bought == 0)
        snprintf(out, size,
                 brief ? "A digit, then + or -: beliefs. A letter buys evidence."
                       : "Say what you believe (a digit, then + or -), or buy evidence by its "
                         "letter.");
    else
        snprintf(out, size,
                 brief
                     ? "Beliefs, letters; Enter commits."
                     : "Move your beliefs, buy evidence by its letter, or press Enter to commit.");
    return out;
}

const char *investigation_note_todo(const struct investigation_screen *s, char *out, size_t size,
                                    bool brief)
{
    (void)s, (void)out, (void)size, (void)brief;
    return "Your notes, shown again in the debrief. Tab keeps them.";
}

static void draw_todo(struct app *app, const struct investigation_screen *s, int y, int columns)
{
    char text[160], line[256];
    const char *said = app_said(app);
    hook_news(&s->in, line, sizeof line, s->key_ms);
    if (line[0] && !s->buy.asking && !calling(s)) {
        draw_text(y, 1, columns - 2, STYLE_BOLD, line);
    } else if (s->buy.asking) {
        estimate_draw_field(s, y, columns);
    } else if (calling(s)) {
        draw_ranges(s, y, columns);
    } else if (said && said[0]) {
        draw_text(y, 1, columns - 2, STYLE_BOLD, said);
    } else {
        draw_text(y, 1, columns - 2, STYLE_PLAIN,
                  mode_of(s)->todo(s, text, sizeof text, columns < 80));
    }
}

static void draw_measuring(const struct investigation_screen *s, int y, int columns)
{
    int at = 0, of = 0;
    const char *say = supply_say(s->supply, &at, &of);
    const char *what = s->wanted == WANTED_SYMPTOM   ? "the symptom"
                       : s->wanted == WANTED_DEBRIEF ? "the fix beside the suspect"
                       : s->wanted == WANTED_HANDED  ? "what the interviewer hands you"
                                                     : s->buy.title;
    int x = 1 + draw_textf(y, 1, columns - 2, STYLE_PLAIN, "measuring %s", what) + 3;
    if (of > 0 && columns - x > 30) {
        draw_bar(y, x, 20, (double)at / of, true, STYLE_ACCENT);
        x += 23;
    }
    x += draw_text(y, x, columns - x - 1, STYLE_DIM, say ? say : "") + 3;
    if (s->wanted == WANTED_PROBE && columns - x > 12)
        draw_text(y, x, columns - x - 1, STYLE_DIM, "Esc cancels and returns the price");
}

/* Of a pane of code or an exhibit: what is special about it, and what goes on from here. */
static void code_line(const struct investigation_screen *s, char *out, size_t size, int columns)
{
    const struct mode *m = mode_of(s);
    bool wide = columns >= 100;
    snprintf(out, size, "f %s  %s%s%sTab turn  %s", s->whole ? "back to the panes" : "whole screen",
             columns >= 80 ? "arrows move  " : "",
             wide && !s->whole && m->believes ? "0-9 choose  + - odds  " : "", m->way_on,
             columns >= 80 ? "? help  q" : "? q");
}

/* As the mode stands at this width. */
static void mode_key_line(const struct investigation_screen *s, char *out, size_t size,
                          int columns)
{
    const struct mode *m = mode_of(s);
    if (m->way_on && shows_code(s) && !s->explaining)
        code_line(s, out, size, columns);
    else if (m->key_line)
        m->key_line(s, out, size, columns);
    else
        key_line(out, size, investigation_keys(NULL, s), columns - 2);
}

static void draw_keys(struct app *app, const struct investigation_screen *s, int y, int columns)
{
    char line[256];
    const char *said = app_said(app);
    if ((calling(s) || s->buy.asking) && said &&
        said[0]) { /* its own row has the ranges, or the field */
        draw_text(y, 1, columns - 2, STYLE_BOLD, said);
        return;
    }
    if (s->buy.asking && s->trouble[0]) {
        draw_trouble(s, y, columns);
        return;
    }
    if (s->wanted != WANTED_NOTHING && s->supply && supply_poll(s->supply) == SUPPLY_WORKING) {
        draw_measuring(s, y, columns);
        return;
    }
    if (s->buy.asking)
        snprintf(line, sizeof line, "%s", estimate_keys(s, columns));
    else if (s->buy.active && s->buy.call)
        snprintf(line, sizeof line,
                 columns < 80
                     ? "1-%d call it   Enter without   Esc: not bought"
                     : "1-%d call it before you see it   Enter shows it without   Esc: not bought",
                 options_of(s->buy.call));
    else
        mode_key_line(s, line, sizeof line, columns);
    draw_text(y, 1, columns - 2, STYLE_DIM, line);
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
            draw_story(s, story, l.shape == LAYOUT_WIDE);
        draw_symptom(s, &l);
        if (l.facts >= 0)
            draw_text(l.facts, 1, columns - 2, STYLE_DIM, s->facts);
        draw_rules(s, &l, columns);
        draw_beliefs(s, &l);
        known_draw(app, s, &l);
        if (mode_of(s)->draw)
            mode_of(s)->draw(s, &l);
        else if (l.shop.h && (l.shape != LAYOUT_PANE || s->view == VIEW_SHOP))
            shop_draw(s, &l);
    }
    estimate_draw_rule(s, &l);
    draw_status(app, s, &l);
    draw_todo(app, s, l.todo, columns);
    if (l.key_rule >= 0)
        draw_rule(l.key_rule, 0, columns, NULL, NULL);
    draw_keys(app, s, l.keys, columns);
}
