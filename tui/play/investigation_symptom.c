/* The symptom beside a plain copy, in two rows or in one, and the story above it. Reads only. */
#include "tui/play/investigation_symptom.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/evidence/finding.h"
#include "tui/play/investigation_known.h"
#include "tui/play/investigation_modes.h"

void facts_draw(const struct investigation_screen *s, int y, int x, int w)
{
    const struct evidence *e = s->symptom;
    char bytes[32], moved[64] = "", tier[64] = "";
    if (s->bytes > 0 && investigation_has_yardstick(state_of(s))) {
        quantity_show(bytes, sizeof bytes, s->bytes, "B");
        snprintf(moved, sizeof moved, "%s to move.  ", bytes);
    } else if (story_is_case(s->story)) {
        snprintf(moved, sizeof moved, "%s.  ", s->story->system);
    }
    if (e && strcmp(e->tier, investigation_tier(s)) != 0)
        snprintf(tier, sizeof tier, "Its time is %s.", e->tier);
    draw_textf(y, x, w, STYLE_DIM, "%s%s", moved, tier);
}

/* The last row has the facts. Where one pane fits, the arrows move the text. */
void story_draw(const struct investigation_screen *s, struct rect r, bool wide)
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
    facts_draw(s, r.y + r.h - 1, r.x, r.w);
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

void symptom_draw(const struct investigation_screen *s, const struct layout *l)
{
    if (story_is_case(s->story))
        draw_figures(s->story, l->symptom);
    else if (l->symptom.h >= 2)
        draw_symptom_rows(s, l);
    else if (l->symptom.h == 1)
        draw_symptom_row_alone(s, l->symptom);
}
