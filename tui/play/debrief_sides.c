/* The runs side by side in the debrief: how long each took and how it stands beside the suspect. */
#include "tui/play/debrief_parts.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/evidence/finding.h"
#include "scenarios/formula/quantity.h"
#include "scenarios/pack/failing.h"
#include "scenarios/pack/harness.h"

const char *debrief_side_title(const struct debrief_screen *s)
{
    return story_is_case(s->variant->story) ? "THE COMPLAINT" : "SIDE BY SIDE";
}

const char *debrief_side_tag(const struct debrief_screen *s, char *out, size_t size)
{
    if (s->live)
        return "running";
    if (s->live_suspect <= 0)
        return NULL;
    snprintf(out, size, "live, %s", s->live_gpu);
    return out;
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

int debrief_side_height(const struct debrief_screen *s)
{
    struct side_row row[SIDES];
    int n = story_is_case(s->variant->story) ? s->variant->story->n_symptoms : side_rows(s, row);
    return n ? n : 1;
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

/* Bars are of speed, as those of the symptom: the longest is the fastest. */
void debrief_side_draw(const struct debrief_screen *s, struct rect r)
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
