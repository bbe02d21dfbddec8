/* BELIEFS beside the ideal reader's; without a scenario in their place PLAN, DRILLS ASKED or
 * WRITTEN DOWN. */
#include "tui/interview/console_draw.h"

#include <stdio.h>
#include <string.h>

#include "tui/interview/console_answer.h"
#include "tui/interview/console_text.h"
#include "tui/play/investigation_screen.h"

/* The move that set the beliefs when quiet time began; NULL: none had. */
static const struct move *believed_before_quiet(const struct console_view *v)
{
    const struct move *last = NULL;
    for (int k = 0; k < console_quiet_from(v); k++) {
        const struct move *m = v->entries[k].of == v->state ? v->entries[k].move : NULL;
        if (m && (m->kind == MOVE_BELIEVED || m->kind == MOVE_RESPONDED))
            last = m;
    }
    return last;
}

/* What was believed when quiet time began, else now. */
static void percent_shown(const struct console_view *v, int *percent)
{
    int k = v->state->story->n_hypotheses;
    const struct move *m = believed_before_quiet(v);
    if (console_quiet_from(v) == v->n_entries)
        belief_show(percent, v->state->odds, v->state->points, k);
    else if (m)
        belief_show(percent, m->odds, m->points, k);
    else
        belief_show_even(percent, k);
}

static void belief_row(const struct console_view *v, int y, struct rect r, int h, int theirs)
{
    const struct story *story = v->state->story;
    const struct hypothesis *hyp = story->hypotheses[h];
    bool wide = r.w >= 56, truth = v->variant && !v->variant->sealed && h == v->variant->cause;
    int label = wide ? 25 : 19, x = r.x + 3 + label, bar = (r.w - label - 3 - 4 - 4 - 6) / 2;
    char text[16];
    draw_textf(y, r.x + 1, 1, truth ? STYLE_BOLD : STYLE_PLAIN, "%d",
               investigation_digit(story, h));
    draw_text(y, r.x + 3, label - 1, truth ? STYLE_BOLD : STYLE_PLAIN,
              wide ? hyp->label : hyp->brief);
    snprintf(text, sizeof text, "%d", theirs);
    draw_right(y, x + 3, 3, STYLE_PLAIN, text);
    draw_bar(y, x + 4, bar, theirs / 100.0, false, STYLE_ACCENT);
    if (!v->ideal)
        return;
    x += 4 + bar;
    snprintf(text, sizeof text, "%d", v->ideal[h]);
    draw_right(y, x + 3, 3, STYLE_PLAIN, text);
    draw_bar(y, x + 4, bar, v->ideal[h] / 100.0, false, STYLE_SECOND);
    snprintf(text, sizeof text, "%+d", theirs - v->ideal[h]);
    if (theirs - v->ideal[h] >= 10 || v->ideal[h] - theirs >= 10)
        draw_right(y, r.x + r.w, 4, truth ? STYLE_BOLD : STYLE_PLAIN, text);
}

/* The plan with marks, where there is nothing to believe. */
static void draw_parts(const struct console_view *v, struct rect r)
{
    const struct session *s = v->session;
    for (int k = 0; k < s->plan.n_parts && k < r.h; k++) {
        const struct session_part *p = &s->plan.parts[k];
        const char *mark = s->parts[k].finished ? glyph("✓", "x")
                           : k == s->part       ? glyph("▸", ">")
                                                : " ";
        enum style style = s->parts[k].finished ? STYLE_DIM : STYLE_PLAIN;
        draw_textf(r.y + k, r.x, 4, style, "%s %d", mark, k + 1);
        draw_textf(r.y + k, r.x + 5, 10, style, "%s", session_part_name(p->kind));
        draw_text(r.y + k, r.x + 15, r.w - 23, style, p->title);
        draw_textf(r.y + k, r.x + r.w - 7, 7, style, "%3d min", p->minutes);
    }
}

static void answer_of(char *out, size_t size, const struct console_view *v,
                      const struct session_drill *d)
{
    console_answer_words(out, size, v->session,
                         &(struct console_answer){d->answer ? d->answer : "", d->how,
                                                  d->say ? d->say : "", d->points});
}

static void draw_asked(const struct console_view *v, const struct session_state *p, struct rect r)
{
    int from = p->n_drills > r.h / 2 ? p->n_drills - r.h / 2 : 0, y = r.y,
        known = console_answered_before(v);
    char text[SESSION_TEXT];
    for (int k = from; k < p->n_drills && y + 1 < r.y + r.h; k++) {
        const struct session_drill *d = &p->drills[k];
        bool answered = d->answered && k < known;
        draw_textf(y++, r.x + 1, r.w - 2, STYLE_PLAIN, "%s %s",
                   answered ? console_answer_mark(d->how) : glyph("▸", ">"),
                   session_drill_title(v->session, d->drill));
        if (!answered)
            draw_text(y++, r.x + 3, r.w - 4, STYLE_DIM, "not answered yet");
        else {
            answer_of(text, sizeof text, v, d);
            draw_textf(y++, r.x + 3, r.w - 4, STYLE_DIM, "%s, %d s", text, d->seconds);
        }
    }
    if (p->n_drills == 0)
        draw_text(r.y, r.x + 1, r.w - 2, STYLE_DIM,
                  "None was asked yet. Enter asks the next; d lists them.");
    else if (v->drill) {
        const struct session_drill *last = &p->drills[p->n_drills - 1];
        console_answer_say(text, sizeof text, v->session,
                           last->answered && p->n_drills <= known && last->say
                               ? last->say
                               : v->drill->solution);
        draw_wrapped((struct rect){y + 1, r.x + 1, r.y + r.h - y - 1, r.w - 3}, 0, STYLE_DIM, text);
    }
}

const char *pane_beliefs_title(const struct console_view *v, char right[48])
{
    const struct session_part *p = view_part(v);
    int quiet = console_quiet_from(v);
    char since[16] = "";
    right[0] = '\0';
    if (v->session->phase == SESSION_BETWEEN || !p || (p->kind == PART_SCENARIO && !v->state))
        return "PLAN";
    if (quiet < v->n_entries)
        console_clock(since, sizeof since, v->entries[quiet].elapsed_ms);
    if (p->kind == PART_SCENARIO)
        snprintf(right, 48, "theirs%s, %s%s", v->ideal ? ", ideal" : "", since[0] ? "as of " : "%",
                 since);
    else if (since[0])
        snprintf(right, 48, "as of %s", since);
    return p->kind == PART_SCENARIO ? "BELIEFS"
           : p->kind == PART_DRILLS ? "DRILLS ASKED"
                                    : "WRITTEN DOWN";
}

void pane_beliefs(const struct console_view *v, struct rect r)
{
    int percent[MAX_HYPOTHESES];
    char right[48];
    const char *title = pane_beliefs_title(v, right);
    const struct session_state *p = view_part_state(v);
    if (!strcmp(title, "PLAN"))
        draw_parts(v, r);
    else if (!strcmp(title, "DRILLS ASKED"))
        draw_asked(v, p, r);
    else if (!strcmp(title, "WRITTEN DOWN")) {
        struct rect in = { r.y, r.x + 2, r.h, r.w - 3 };
        const char *talk = console_written_before(v);
        int lines = draw_wrapped((struct rect){ 0, 0, 0, in.w }, 0, STYLE_PLAIN, talk);
        draw_wrapped(in, lines > in.h ? lines - in.h : 0, STYLE_PLAIN,
                     talk[0]     ? talk
                     : v->replay ? "Nothing yet."
                                 : "Nothing yet. s: you write what is said.");
    } else {
        percent_shown(v, percent);
        for (int h = 0; h < v->state->story->n_hypotheses && h < r.h; h++)
            belief_row(v, r.y + h, r, h, percent[h]);
    }
}
