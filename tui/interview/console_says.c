/* SAY NEXT: which lines there are, which were said, and which have done their work. Pure, for the
 * console and for replay. */
#include "tui/interview/console_says.h"

#include <stdio.h>
#include <string.h>

#include "tui/interview/candidate_drill.h"

static const struct session_state *part_of(const struct session *s)
{
    return s->part >= 0 && s->part < s->plan.n_parts ? &s->parts[s->part] : NULL;
}

bool console_all_said(const struct session *s, const struct investigation *i)
{
    const struct session_state *p = part_of(s);
    return (p && p->revealed) || (i && i->phase >= PHASE_REVEALED);
}

static bool line_was(const struct session_state *p, enum session_kind kind, int number)
{
    for (int k = 0; p && k < p->n_lines; k++)
        if (p->lines[k].kind == kind && p->lines[k].number == number)
            return true;
    return false;
}

/* The question and what is right, as the candidate will get it. */
static int drill_says(struct say_row *out, const struct console_view *v,
                      const struct session_part *part)
{
    const struct session_state *p = part_of(v->session);
    int n = 0, known = v->previews ? v->previews->n : 0;
    for (int k = 0; k < part->n_drills && n < SAYS_MOST; k++) {
        const struct drill_preview *preview = k < known ? &v->previews->of[k] : NULL;
        struct say_row *r = &out[n++];
        *r = (struct say_row){.what = SAY_DRILL,
                              .index = k,
                              .number = k + 1,
                              .label = "drill",
                              .note = ""};
        r->text = preview ? preview->ask : session_drill_title(v->session, part->drills[k]);
        r->expects = preview ? preview->right : "";
        for (int d = 0; d < p->n_drills; d++)
            r->said |= strcmp(p->drills[d].drill, part->drills[k]) == 0;
    }
    return n;
}

/* The program asked it, and they answered: MOVES has what they said. */
static bool is_answered(const struct briefing *b, const struct investigation *i, int line)
{
    const struct briefing_say *say = &b->says[line];
    for (int k = 0; i && say->kind == SAY_NUMBER && k < i->n_estimates; k++)
        if (strcmp(i->estimates[k].id, i->story->estimates[say->index].id) == 0 &&
            i->estimates[k].answer[0])
            return true;
    return false;
}

static bool is_told(const struct briefing *b, const struct session_state *p, int line)
{
    return b->says[line].kind == SAY_HINT ? line_was(p, SESSION_HINTED, b->says[line].index)
                                          : line_was(p, SESSION_SAID, line);
}

/* The line of the number that is on the candidate's screen now; -1: none is. */
static int asked_line(const struct console_view *v)
{
    const struct briefing *b = v->briefing;
    for (int k = 0; b && v->state && v->asked && k < b->n_says; k++)
        if (b->says[k].kind == SAY_NUMBER &&
            !strcmp(v->state->story->estimates[b->says[k].index].id, v->asked))
            return k;
    return -1;
}

/* Of hints, and of numbers, the next alone stands beside the pushbacks, so that the digits stay few
 * and where they are. A number that is being answered stands there as long as it is. */
static bool is_next(const struct console_view *v, const struct session_state *p, int line)
{
    const struct briefing *b = v->briefing;
    const struct investigation *i = v->state;
    int kind = b->says[line].kind, asked = asked_line(v);
    if (kind == SAY_NUMBER && asked >= 0)
        return line == asked;
    if (is_answered(b, i, line))
        return false;
    for (int k = 0; k < line; k++)
        if ((int)b->says[k].kind == kind && !is_told(b, p, k) && !is_answered(b, i, k))
            return false;
    for (int k = line + 1; k < b->n_says; k++)
        if ((int)b->says[k].kind == kind && !is_answered(b, i, k) && is_told(b, p, line))
            return false;
    return true;
}

/* "hint 2 of 3", "number" where there is one alone. */
static void label_make(char *out, size_t size, const struct briefing *b, int line, const char *name)
{
    int at = 0, of = 0;
    for (int k = 0; k < b->n_says; k++)
        if (b->says[k].kind == b->says[line].kind) {
            of++;
            at += k <= line;
        }
    if (of > 1 && b->says[line].kind >= SAY_NUMBER)
        snprintf(out, size, "%s %d of %d", name, at % 100, of % 100);
    else
        snprintf(out, size, "%s", name);
}

int console_says(struct say_row out[SAYS_MOST], const struct console_view *v, bool whole)
{
    const struct session *s = v->session;
    const struct briefing *b = v->briefing;
    const struct investigation *i = v->state;
    static const char *const labels[] = {"conviction", "correction", "red herring", "number",
                                         "hint"};
    const struct session_state *p = part_of(s);
    int n = 0;
    if (p && s->plan.parts[s->part].kind == PART_DRILLS)
        return drill_says(out, v, &s->plan.parts[s->part]);
    if (console_all_said(s, i))
        return 0;
    for (int k = 0; b && p && k < b->n_says && n < SAYS_MOST; k++) {
        const struct briefing_say *say = &b->says[k];
        bool asked = k == asked_line(v);
        if (!whole && say->kind >= SAY_NUMBER && !is_next(v, p, k))
            continue;
        struct say_row *r = &out[n++];
        *r = (struct say_row){.what = say->kind == SAY_HINT     ? SAY_HELP
                                      : say->kind == SAY_NUMBER ? SAY_FIGURE
                                                                : SAY_PUSHBACK,
                              .index = say->kind == SAY_NUMBER ? k : say->index,
                              .number = k + 1,
                              .text = say->text,
                              .note = say->note,
                              .expects = say->expects};
        label_make(r->label, sizeof r->label, b, k, asked ? "asked" : labels[say->kind]);
        r->said = !asked && (is_told(b, p, k) || is_answered(b, i, k));
        if (r->what == SAY_PUSHBACK && i && i->pushback == r->index)
            r->said = true;
    }
    return n;
}
