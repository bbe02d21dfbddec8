/* The panes: TRUTH, BELIEFS, MOVES, SAY NEXT, RUBRIC, NOTES. Shared by the console and replay; reads only. */
#include "tui/console_screen.h"

#include <stdio.h>
#include <string.h>

#include "tui/investigation_screen.h"
#include "tui/layout.h"

enum { TURN_TRUTH, TURN_BELIEFS, TURN_MOVES, TURN_SAY, TURN_RUBRIC, TURN_NOTES, TURN_COUNT };
enum form { FORM_PANE, FORM_MIDDLE, FORM_WIDE };
static const char rating_keys[] = CONSOLE_LETTERS;

static enum form form_of(int rows, int columns)
{
    return rows >= 30 && columns >= 100 ? FORM_WIDE : rows >= 24 && columns >= 80 ? FORM_MIDDLE : FORM_PANE;
}

int console_pane_count(int rows, int columns)
{
    static const int count[] = { TURN_COUNT, 2, 1 };
    return count[form_of(rows, columns)];
}

static const struct session_part *part_now(const struct console_view *v)
{
    const struct session *s = v->session;
    return s->part >= 0 && s->part < s->plan.n_parts ? &s->plan.parts[s->part] : NULL;
}

static const struct session_state *state_now(const struct console_view *v)
{
    return part_now(v) ? &v->session->parts[v->session->part] : NULL;
}

static bool is_scenario(const struct console_view *v)
{
    const struct session_part *p = part_now(v);
    return p && p->kind == PART_SCENARIO && v->variant && v->session->phase != SESSION_BETWEEN && v->session->phase != SESSION_OVER;
}

/* ---- row 1 ---- */

static const char *presence(const struct session *s, const char **name)
{
    const char *where = "not yet here";
    for (int k = 0; k < s->n_parties; k++) {
        if (strcmp(s->parties[k].role, "candidate") != 0)
            continue;
        *name = s->parties[k].name[0] ? s->parties[k].name : *name;
        if (s->parties[k].here)
            return "here";
        where = "away";
    }
    return where;
}

/* "part 2 of 5   16:20 left of 25:00"; *late: over its time. */
static void time_text(char *out, size_t size, const struct console_view *v, bool brief, bool *late)
{
    const struct session *s = v->session;
    const struct session_part *part = part_now(v);
    char left[16], whole[16], where[48];
    *late = false;
    if (s->phase == SESSION_OVER) {
        console_clock(whole, sizeof whole, session_total_ms(s, v->now_ms));
        snprintf(out, size, "over after %s", whole);
        return;
    }
    if (!part) {
        snprintf(out, size, "not begun, %d parts, %d min", s->plan.n_parts, session_plan_minutes(&s->plan));
        return;
    }
    snprintf(where, sizeof where, brief ? "%d/%d" : "part %d of %d", s->part + 1, s->plan.n_parts);
    if (s->phase == SESSION_BETWEEN) {
        snprintf(out, size, "%s is done", where);
        return;
    }
    int64_t rest = (int64_t)part->minutes * 60000 - session_part_ms(s, v->now_ms);
    *late = rest < 0;
    console_clock(left, sizeof left, rest < 0 ? -rest : rest + 999);
    console_clock(whole, sizeof whole, (int64_t)part->minutes * 60000);
    snprintf(out, size, rest < 0 ? "%s   %s+%s over %s" : "%s   %s%s left of %s", where, s->phase == SESSION_ON_PAUSE ? "paused   " : "", left, whole);
}

static void draw_head(const struct console_view *v, int columns)
{
    const struct session *s = v->session;
    const char *name = s->plan.candidate, *where = presence(s, &name);
    char right[96], who[128];
    bool late, wide = columns >= 100;
    time_text(right, sizeof right, v, columns < 80, &late);
    int room = columns - draw_columns(right) - 4, x = 1;
    snprintf(who, sizeof who, "%s%s%s%s", columns >= 80 || !name[0] ? "candidate " : "", name, name[0] ? ", " : "", where);
    draw_right(0, columns - 1, draw_columns(right), late ? STYLE_BAD : s->phase == SESSION_ON_PAUSE ? STYLE_BOLD : STYLE_PLAIN, right);
    x += draw_text(0, x, room, STYLE_ACCENT, v->replay ? "replay" : "host") + 3;
    int title = room - x - draw_columns(who) - 2;
    if (title >= (wide ? 12 : 20))
        x += draw_text(0, x, title, STYLE_BOLD, s->plan.title) + 3;
    draw_text(0, x, room + 1 - x, strcmp(where, "here") ? STYLE_DIM : STYLE_PLAIN, who);
}

/* ---- TRUTH ---- */

/* "m  stores 32, loads 4"; in full what it says too. */
static void line_text(char *out, size_t size, const struct briefing_line *l, bool whole)
{
    int n = whole || l->fact <= 0 ? (int)strlen(l->text) : l->fact;
    if (l->name[0])
        snprintf(out, size, "%s  %.*s", l->name, n, l->text);
    else
        snprintf(out, size, "%c  %.*s", l->probe, n, l->text);
}

static void truth_plain(const struct console_view *v, struct rect r)
{
    char spot[128], text[256];
    const struct variant *x = v->variant;
    story_spot(spot, sizeof spot, x->story, x->location_line);
    if (x->sealed)
        snprintf(text, sizeof text, "sealed: its passphrase was not given");
    else
        snprintf(text, sizeof text, "%s, %s", x->story->hypotheses[x->cause]->label, spot);
    draw_text(r.y, r.x + 2, r.w - 4, STYLE_BOLD, text);
}

/* One row: what it is, the fix cut where it must be, what it brings. */
static void truth_row(const struct console_view *v, struct rect r)
{
    const struct briefing *b = v->briefing;
    int x = r.x + 2, end = r.x + r.w - 1, effect = draw_columns(b->effect);
    x += draw_textf(r.y, x, end - x, STYLE_BOLD, "%s.", b->truth) + 3;
    if (end - x > effect) {
        draw_right(r.y, end, effect, STYLE_PLAIN, b->effect);
        end -= effect + 3;
    }
    if (end - x > 12)
        draw_textf(r.y, x, end - x, STYLE_PLAIN, "Fix: %s", b->fix);
}

static void truth_pair(int y, struct rect r, const char *left, const char *left_text, const char *right, const char *right_text)
{
    int half = r.w / 2 - 1;
    draw_text(y, r.x + 2, 10, STYLE_DIM, left);
    draw_text(y, r.x + 13, half - 13, STYLE_PLAIN, left_text);
    draw_text(y, r.x + half + 1, 18, STYLE_DIM, right);
    draw_text(y, r.x + half + 20, r.w - half - 21, STYLE_PLAIN, right_text);
}

static const char *wrong_turn(const struct console_view *v, int k)
{
    const struct briefing *b = v->briefing;
    return k < b->n_turns ? v->variant->story->hypotheses[b->turns[k].hypothesis]->label : "";
}

/* Everything, for where TRUTH has a screen of its own. */
static void truth_whole(const struct console_view *v, struct rect r)
{
    const struct briefing *b = v->briefing;
    int y = r.y, end = r.y + r.h, w = r.w - 14;
    char text[320];
    y += draw_wrapped((struct rect){ y, r.x + 2, end - y, r.w - 4 }, 0, STYLE_BOLD, b->truth);
    y += draw_wrapped((struct rect){ y, r.x + 2, end - y, r.w - 4 }, 0, STYLE_PLAIN, b->fix);
    y += draw_wrapped((struct rect){ y, r.x + 2, end - y, r.w - 4 }, 0, STYLE_PLAIN, b->effect);
    draw_text(y, r.x + 2, 10, STYLE_DIM, y < end ? "cheapest" : "");
    y += y < end ? draw_wrapped((struct rect){ y, r.x + 13, end - y, w }, 0, STYLE_PLAIN, b->cheapest) : 0;
    for (int k = 0; k < b->n_settles && y < end; k++) {
        line_text(text, sizeof text, &b->settles[k], true);
        draw_text(y, r.x + 2, 10, STYLE_DIM, "settles");
        y += draw_wrapped((struct rect){ y, r.x + 13, end - y, w }, 0, STYLE_PLAIN, text);
    }
    for (int k = 0; k < b->n_misleads && y < end; k++) {
        line_text(text, sizeof text, &b->misleads[k], true);
        draw_text(y, r.x + 2, 10, STYLE_DIM, "misleads");
        y += draw_wrapped((struct rect){ y, r.x + 13, end - y, w }, 0, STYLE_PLAIN, text);
    }
    for (int k = 0; k < b->n_turns && y < end; k++) {
        draw_text(y, r.x + 2, 10, STYLE_DIM, "wrong turn");
        draw_text(y++, r.x + 13, w, STYLE_PLAIN, wrong_turn(v, k));
    }
}

/* The automatic score, which waited for the rubric. */
static void score_text(char *out, size_t size, const struct debrief *d)
{
    size_t n = (size_t)snprintf(out, size, "%.0f of 100:", d->score.total > 0 ? d->score.total : 0);
    for (int l = 0; l < LINE_COUNT && n < size; l++)
        n += (size_t)snprintf(out + n, size - n, "%s %s %.0f", l ? "," : "", score_line_name((enum score_line_id)l), d->score.line[l]);
}

static void draw_truth_brief(const struct console_view *v, struct rect r)
{
    const struct briefing *b = v->briefing;
    char settles[320] = "", misleads[320] = "";
    if (b->n_settles)
        line_text(settles, sizeof settles, &b->settles[0], false);
    if (b->n_misleads)
        line_text(misleads, sizeof misleads, &b->misleads[0], false);
    truth_row(v, r);
    if (r.h >= 3) {
        truth_pair(r.y + 1, r, "settles", settles, "cheapest path", b->cheapest);
        truth_pair(r.y + 2, r, "misleads", misleads, "likely wrong turn", wrong_turn(v, 0));
        return;
    }
    int x = r.x + 2, most = (r.w - draw_columns(b->cheapest) - 8) / 2;
    x += draw_textf(r.y + 1, x, most, STYLE_PLAIN, "settles %s", settles) + 2;
    draw_textf(r.y + 1, x, most, STYLE_DIM, "misleads %s", misleads);
    draw_right(r.y + 1, r.x + r.w - 1, draw_columns(b->cheapest), STYLE_PLAIN, b->cheapest);
}

/* What was asked, and beside its title what is right. */
static void draw_drill(const struct drill_instance *i, struct rect r)
{
    char right[160], value[128];
    int choice = i->drill->n_choices ? (int)i->answer : 0;
    if (choice >= 1 && choice <= i->drill->n_choices)
        snprintf(value, sizeof value, "%d, %.100s", choice, i->choices[choice - 1]);
    else
        drill_show_value(value, sizeof value, i->drill, i->answer);
    snprintf(right, sizeof right, "right: %s%s", value, i->measured ? ", measured" : "");
    int n = draw_columns(right);
    draw_right(r.y, r.x + r.w - 1, n, STYLE_BOLD, right);
    draw_text(r.y, r.x + 2, r.w - n - 6, STYLE_BOLD, i->drill->title);
    draw_wrapped((struct rect){ r.y + 1, r.x + 2, r.h - 1, r.w - 4 }, 0, STYLE_PLAIN, i->ask);
}

/* Where no scenario runs: what comes next. */
static void draw_next_part(const struct console_view *v, struct rect r)
{
    const struct session *s = v->session;
    const struct session_part *now = part_now(v);
    if (s->phase == SESSION_OVER) {
        draw_text(r.y, r.x + 2, r.w - 4, STYLE_BOLD, "The interview is over.");
        draw_textf(r.y + 1, r.x + 2, r.w - 4, STYLE_PLAIN, "warpdrill report %s", live_id(v->live));
        return;
    }
    if (now && s->phase != SESSION_BETWEEN && v->drill) {
        draw_drill(v->drill, r);
        return;
    }
    if (now && s->phase != SESSION_BETWEEN) {
        draw_text(r.y, r.x + 2, r.w - 4, STYLE_BOLD, now->title);
        draw_wrapped((struct rect){ r.y + 1, r.x + 2, r.h - 1, r.w - 4 }, 0, STYLE_PLAIN, now->kind == PART_TALK ? now->ask : v->replay ? "" : "Enter asks the next drill; d lists them.");
        return;
    }
    if (v->replay || s->part + 1 >= s->plan.n_parts) {
        draw_text(r.y, r.x + 2, r.w - 4, STYLE_BOLD, v->replay ? "Between parts." : "All parts are done. C closes the interview.");
        return;
    }
    const struct session_part *next = &s->plan.parts[s->part + 1];
    draw_textf(r.y, r.x + 2, r.w - 4, STYLE_BOLD, "Enter begins part %d: %s, %d min.", s->part + 2, next->title, next->minutes);
    draw_text(r.y + 1, r.x + 2, r.w - 4, STYLE_PLAIN, "c  how the candidate joins    b  the page about the next scenario    p  all parts");
}

/* Beside the title, where the score covers no line: whole where that fits, else its sum. */
static void truth_rule(const struct console_view *v, int columns)
{
    char text[320];
    bool scenario = is_scenario(v);
    if (v->score)
        score_text(text, sizeof text, v->score);
    if (v->score && draw_columns(text) + 14 > columns)
        *strchr(text, ':') = '\0';
    draw_rule(1, 0, columns, scenario ? "TRUTH" : "NOW", v->score ? text : scenario ? "only on this screen" : "");
}

static void draw_truth(const struct console_view *v, struct rect r, bool whole)
{
    if (!is_scenario(v))
        draw_next_part(v, r);
    else if (!v->briefing)
        truth_plain(v, r);
    else if (whole)
        truth_whole(v, r);
    else
        draw_truth_brief(v, r);
}

/* ---- BELIEFS ---- */

/* What was believed when quiet time began, else now. */
static void points_shown(const struct console_view *v, int *points)
{
    int until = console_quiet_from(v);
    memcpy(points, v->state->points, sizeof v->state->points);
    if (until == v->n_entries)
        return;
    belief_even(points, v->state->story->n_hypotheses);
    for (int k = 0; k < until; k++) {
        const struct move *m = v->entries[k].of == v->state ? v->entries[k].move : NULL;
        if (m && (m->kind == MOVE_BELIEVED || m->kind == MOVE_RESPONDED))
            memcpy(points, m->points, sizeof m->points);
    }
}

static void belief_row(const struct console_view *v, int y, struct rect r, int h, int theirs)
{
    const struct story *story = v->state->story;
    const struct hypothesis *hyp = story->hypotheses[h];
    bool wide = r.w >= 56, truth = v->variant && !v->variant->sealed && h == v->variant->cause;
    int label = wide ? 25 : 19, x = r.x + 3 + label, bar = (r.w - label - 3 - 4 - 4 - 6) / 2;
    char text[16];
    draw_textf(y, r.x + 1, 1, truth ? STYLE_BOLD : STYLE_PLAIN, "%d", investigation_digit(story, h));
    draw_text(y, r.x + 3, label - 1, truth ? STYLE_BOLD : STYLE_PLAIN, wide ? hyp->label : hyp->brief);
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
        const char *mark = s->parts[k].finished ? glyph("✓", "x") : k == s->part ? glyph("▸", ">") : " ";
        enum style style = s->parts[k].finished ? STYLE_DIM : STYLE_PLAIN;
        draw_textf(r.y + k, r.x, 4, style, "%s %d", mark, k + 1);
        draw_textf(r.y + k, r.x + 5, 10, style, "%s", session_part_name(p->kind));
        draw_text(r.y + k, r.x + 15, r.w - 23, style, p->title);
        draw_textf(r.y + k, r.x + r.w - 7, 7, style, "%3d min", p->minutes);
    }
}

static void draw_asked(const struct console_view *v, const struct session_state *p, struct rect r)
{
    int from = p->n_drills > r.h / 2 ? p->n_drills - r.h / 2 : 0, y = r.y;
    for (int k = from; k < p->n_drills && y + 1 < r.y + r.h; k++) {
        const struct session_drill *d = &p->drills[k];
        draw_textf(y++, r.x + 1, r.w - 2, STYLE_PLAIN, "%s %s", d->answered ? glyph("✓", "x") : glyph("▸", ">"), d->drill);
        if (!d->answered)
            draw_text(y++, r.x + 3, r.w - 4, STYLE_DIM, "not answered yet");
        else
            draw_textf(y++, r.x + 3, r.w - 4, STYLE_DIM, "%s: %.2g of 1, %d s", d->answer && d->answer[0] ? d->answer : "skipped", d->points, d->seconds);
    }
    if (p->n_drills == 0)
        draw_text(r.y, r.x + 1, r.w - 2, STYLE_DIM, "None was asked yet. Enter asks the next; d lists them.");
    else if (v->drill)
        draw_wrapped((struct rect){ y + 1, r.x + 1, r.y + r.h - y - 1, r.w - 3 }, 0, STYLE_DIM, p->drills[p->n_drills - 1].answered ? p->drills[p->n_drills - 1].say : v->drill->solution);
}

static const char *beliefs_title(const struct console_view *v, const char **right)
{
    const struct session_part *p = part_now(v);
    *right = "";
    if (v->session->phase == SESSION_BETWEEN || !p || (p->kind == PART_SCENARIO && !v->state))
        return "PLAN";
    *right = p->kind == PART_SCENARIO ? v->ideal ? "theirs, ideal, %" : "theirs, %" : "";
    return p->kind == PART_SCENARIO ? "BELIEFS" : p->kind == PART_DRILLS ? "DRILLS ASKED" : "WRITTEN DOWN";
}

static void draw_beliefs(const struct console_view *v, struct rect r)
{
    int points[MAX_HYPOTHESES];
    const char *right, *title = beliefs_title(v, &right);
    const struct session_state *p = state_now(v);
    if (!strcmp(title, "PLAN"))
        draw_parts(v, r);
    else if (!strcmp(title, "DRILLS ASKED"))
        draw_asked(v, p, r);
    else if (!strcmp(title, "WRITTEN DOWN")) {
        struct rect in = { r.y, r.x + 2, r.h, r.w - 3 };
        int lines = draw_wrapped((struct rect){ 0, 0, 0, in.w }, 0, STYLE_PLAIN, p->talk ? p->talk : "");
        draw_wrapped(in, lines > in.h ? lines - in.h : 0, STYLE_PLAIN, p->talk && p->talk[0] ? p->talk : v->replay ? "Nothing yet." : "Nothing yet. s: you write what is said.");
    } else {
        points_shown(v, points);
        for (int h = 0; h < v->state->story->n_hypotheses && h < r.h; h++)
            belief_row(v, r.y + h, r, h, points[h]);
    }
}

/* ---- MOVES ---- */

static void move_row(const struct console_view *v, int y, struct rect r, int entry, bool newest)
{
    const struct live_entry *e = &v->entries[entry];
    char time[16], text[512];
    console_clock(time, sizeof time, e->elapsed_ms);
    console_entry_text(text, sizeof text, v, entry);
    draw_text(y, r.x, 1, STYLE_ACCENT, newest ? glyph("▸", ">") : " ");
    draw_right(y, r.x + 7, 6, STYLE_DIM, time);
    draw_text(y, r.x + 9, r.w - 10, e->event ? STYLE_DIM : STYLE_PLAIN, text);
}

static void quiet_row(const struct console_view *v, int y, struct rect r)
{
    char left[16], now[16];
    console_clock(left, sizeof left, v->session->quiet_until_ms - v->now_ms + 999);
    console_clock(now, sizeof now, session_total_ms(v->session, v->now_ms));
    draw_text(y, r.x, 1, STYLE_ACCENT, glyph("▸", ">"));
    draw_right(y, r.x + 7, 6, STYLE_DIM, now);
    draw_textf(y, r.x + 9, r.w - 10, STYLE_BOLD, "quiet   %s left of %d:%02d", left, SESSION_QUIET_S / 60, SESSION_QUIET_S % 60);
}

/* From the last row up: the newest entries, or older ones by `scroll`. */
static void draw_moves(const struct console_view *v, struct rect r)
{
    int until = console_quiet_from(v), skip = v->scroll, y = r.y + r.h - 1;
    bool quiet = v->session->quiet_until_ms > v->now_ms, newest = !quiet && skip == 0;
    int shown = 0;
    for (int k = 0; k < until && shown < r.h; k++)
        shown += console_entry_shown(&v->entries[k]);
    if (shown + quiet < r.h)                 /* few: they stand at the top */
        y = r.y + shown + quiet - 1;
    if (quiet)
        quiet_row(v, y--, r);
    for (int k = until - 1; k >= 0 && y >= r.y; k--) {
        if (!console_entry_shown(&v->entries[k]) || (skip > 0 && skip--))
            continue;
        move_row(v, y--, r, k, newest);
        newest = false;
    }
}

static const char *moves_right(const struct console_view *v)
{
    if (v->session->quiet_until_ms > v->now_ms)
        return "";
    return v->scroll ? "older ones" : v->doing ? v->doing : "";
}

/* ---- SAY NEXT ---- */

static void say_row_draw(const struct say_row *s, int digit, int y, int h, struct rect r)
{
    enum style style = s->said ? STYLE_DIM : STYLE_PLAIN;
    char text[1100];
    int label = r.w >= 78 ? 14 : 12;
    snprintf(text, sizeof text, "%s%s%s", s->text ? s->text : "", s->note && s->note[0] ? "   " : "", s->note ? s->note : "");
    draw_text(y, r.x, 1, STYLE_GOOD, s->said ? glyph("✓", "x") : " ");
    draw_textf(y, r.x + 2, 1, style, "%d", digit);
    draw_text(y, r.x + 5, label - 1, style, s->label);
    draw_opening((struct rect){ y, r.x + 5 + label, h, r.w - label - 6 }, style, text, glyph(" … S", " ... S"));
}

static int say_lines(const struct say_row *s, struct rect r)
{
    char text[1100];
    snprintf(text, sizeof text, "%s   %s", s->text ? s->text : "", s->note ? s->note : "");
    return draw_wrapped((struct rect){ 0, 0, 0, r.w - (r.w >= 78 ? 14 : 12) - 6 }, 0, STYLE_PLAIN, text);
}

/* Each has a row, what is left goes to the first that need more; where rows are short, what was said goes first. */
static void draw_says(const struct console_view *v, struct rect r)
{
    struct say_row say[SAYS_MOST];
    int n = console_says(say, v->session, v->briefing, v->state, false), hidden = n > r.h ? n - r.h : 0, spare = r.h - n, y = r.y;
    if (n == 0)
        draw_text(r.y, r.x + 2, r.w - 4, STYLE_DIM, v->replay ? "Nothing was prepared here." : "Nothing is prepared here. n  note, s  scribe, i  type something for their screen.");
    for (int k = 0; k < n && y < r.y + r.h; k++) {
        if (say[k].said && hidden > 0 && hidden--)
            continue;
        int more = say[k].said ? 0 : say_lines(&say[k], r) - 1;
        more = more < spare ? more : spare > 0 ? spare : 0;
        spare -= more;
        say_row_draw(&say[k], (k + 1) % 10, y, 1 + more, r);
        y += 1 + more;
    }
}

/* ---- RUBRIC ---- */

static void marks_draw(int y, int x, int grade)
{
    for (int k = 0; k < SESSION_MAX_ANCHORS; k++)
        draw_text(y, x + k, 1, k < grade ? STYLE_ACCENT : STYLE_DIM, k < grade ? glyph("●", "*") : glyph("○", "o"));
}

/* The anchor of the grade given; before that the one of a good answer. */
static void anchor_draw(int y, int x, int w, const struct session_signal *s, int grade)
{
    int of = grade ? grade : 3;
    const char *anchor = s->anchors[of - 1];
    if (w > 8 && anchor[0])
        draw_textf(y, x, w, STYLE_DIM, "%d: %s", of, anchor);
}

static int rubric_columns(int signals, int w)
{
    return w >= 100 ? 1 + (signals > 4) : w >= 80 ? 2 + (signals > 4) : 1;
}

static int rubric_rows(int signals, int w)
{
    int columns = rubric_columns(signals, w), n = (signals + columns - 1) / columns;
    return n ? n : 1;
}

static void draw_rubric(const struct console_view *v, struct rect r)
{
    const struct session_plan *p = &v->session->plan;
    int columns = r.w < 80 ? 1 : rubric_columns(p->n_signals, r.w), rows = (p->n_signals + columns - 1) / columns, w = r.w / columns;
    if (p->n_signals == 0)
        draw_text(r.y, r.x + 2, r.w - 4, STYLE_DIM, "This plan has no rubric.");
    for (int k = 0; k < p->n_signals; k++) {
        const struct session_signal *s = &p->signals[k];
        int y = r.y + k % rows, x = r.x + k / rows * w, grade = session_grade(v->session, s->id);
        int in = w < 30 ? 3 : 5, title = columns == 1 ? (r.w >= 80 ? 34 : r.w - 16) : w - in - 6;
        if (y >= r.y + r.h)
            continue;
        draw_textf(y, x + in - 3 + (in == 3), 1, STYLE_BOLD, "%c", rating_keys[k]);
        draw_text(y, x + in, title, STYLE_PLAIN, s->title);
        marks_draw(y, x + in + title + 1, grade);
        if (columns == 1 && r.w >= 80)
            anchor_draw(y, x + 5 + title + 8, r.w - title - 14, s, grade);
    }
}

/* ---- NOTES ---- */

static void draw_notes(const struct console_view *v, struct rect r)
{
    const struct session *s = v->session;
    for (int k = 0; k < r.h && k < s->n_notes; k++) {
        const struct session_note *n = &s->notes[s->n_notes - 1 - k];
        int y = r.y + (s->n_notes < r.h ? s->n_notes : r.h) - 1 - k;
        char time[16];
        console_clock(time, sizeof time, n->elapsed_ms);
        draw_right(y, r.x + 7, 6, STYLE_DIM, time);
        draw_textf(y, r.x + 9, r.w - 10, STYLE_PLAIN, "%s%s", n->share ? "shared: " : "", n->text);
    }
    if (s->n_notes == 0)
        draw_text(r.y, r.x + 2, r.w - 4, STYLE_DIM, v->replay ? "None yet." : "n  a note of yours    N  one that the candidate's report may show");
}

/* ---- all of it ---- */

struct places { int truth, main, say, rubric, notes, divide; int truth_h, main_h, say_h, rubric_h, notes_h; bool notes_rule; };

/* Rows above a pane are its rule's; what is left over goes to lines to say, moves and notes in turn. */
static void places_make(struct places *p, int rows, int columns, enum form form, int signals)
{
    bool wide = form == FORM_WIDE;
    *p = (struct places){ .truth_h = wide ? 3 : 2, .main_h = 10, .say_h = wide ? 5 : 3, .rubric_h = rubric_rows(signals, columns), .notes_h = 1, .notes_rule = wide };
    int spare = rows - 1 - 1 - 4 - p->notes_rule - p->truth_h - p->main_h - p->say_h - p->rubric_h - p->notes_h;
    for (; spare < 0 && p->say_h > 1; spare++)
        p->say_h--;
    for (; spare < 0; spare++)
        p->main_h--;
    for (int turn = 0; spare > 0; turn++, spare--)
        *(turn % 4 == 0 && p->say_h < 14 ? &p->say_h : turn % 4 == 2 && p->notes_h < 6 ? &p->notes_h : &p->main_h) += 1;
    p->truth = 2;
    p->main = p->truth + p->truth_h + 1;
    p->say = p->main + p->main_h + 1;
    p->rubric = p->say + p->say_h + 1;
    p->notes = p->rubric + p->rubric_h + p->notes_rule;
    p->divide = wide ? 58 + (columns - 100) / 2 : -1;
}

static void main_rules(const struct console_view *v, const struct places *p, int columns)
{
    const char *right, *title = beliefs_title(v, &right);
    if (p->divide < 0) {
        if (v->pane == 0)
            draw_rule(p->main - 1, 0, columns, title, right);
        else
            draw_rule(p->main - 1, 0, columns, "MOVES", moves_right(v));
        return;
    }
    draw_rule(p->main - 1, 0, p->divide, title, right);
    draw_rule(p->main - 1, p->divide + 1, columns - p->divide - 1, "MOVES", moves_right(v));
    draw_vline(p->main, p->divide, p->main_h);
}

static void draw_whole(const struct console_view *v, int rows, int columns, enum form form)
{
    struct places p;
    places_make(&p, rows, columns, form, v->session->plan.n_signals);
    truth_rule(v, columns);
    draw_truth(v, (struct rect){ p.truth, 0, p.truth_h, columns }, false);
    main_rules(v, &p, columns);
    if (p.divide >= 0 || v->pane == 0)
        draw_beliefs(v, (struct rect){ p.main, 0, p.main_h, p.divide >= 0 ? p.divide : columns });
    if (p.divide >= 0)
        draw_moves(v, (struct rect){ p.main, p.divide + 1, p.main_h, columns - p.divide - 1 });
    else if (v->pane == 1)
        draw_moves(v, (struct rect){ p.main, 0, p.main_h, columns });
    draw_rule(p.say - 1, 0, columns, "SAY NEXT", v->replay ? NULL : columns >= 100 ? "digit marks it as said" : "digit: said");
    draw_says(v, (struct rect){ p.say, 0, p.say_h, columns });
    draw_rule(p.rubric - 1, 0, columns, "RUBRIC", v->replay ? "1 weak to 4 strong" : columns >= 100 ? "letter raises, 1 weak to 4 strong" : "letter raises");
    draw_rubric(v, (struct rect){ p.rubric, 0, p.rubric_h, columns });
    if (p.notes_rule)
        draw_rule(p.notes - 1, 0, columns, "NOTES", NULL);
    draw_notes(v, (struct rect){ p.notes, 0, p.notes_h, columns });
    if (p.divide >= 0) {
        draw_join(p.main - 1, p.divide, 1);
        draw_join(p.say - 1, p.divide, 0);
    }
}

static void draw_one(const struct console_view *v, int rows, int columns)
{
    static const char *const titles[TURN_COUNT] = { "TRUTH", NULL, "MOVES", "SAY NEXT", "RUBRIC", "NOTES" };
    struct rect r = { 2, 0, rows - 5, columns };
    const char *right = "", *title = v->pane == TURN_BELIEFS ? beliefs_title(v, &right) : titles[v->pane];
    if (v->pane == TURN_TRUTH && (v->score || !is_scenario(v)))
        truth_rule(v, columns);
    else
        draw_rule(1, 0, columns, title, right[0] ? right : "Tab turns");
    switch (v->pane) {
    case TURN_TRUTH: draw_truth(v, r, true); break;
    case TURN_BELIEFS: draw_beliefs(v, r); break;
    case TURN_MOVES: draw_moves(v, r); break;
    case TURN_SAY: draw_says(v, r); break;
    case TURN_RUBRIC: draw_rubric(v, r); break;
    default: draw_notes(v, r); break;
    }
    draw_rule(rows - 3, 0, columns, NULL, v->session->quiet_until_ms > v->now_ms ? "quiet time" : moves_right(v));
}

void console_draw_panes(struct app *app, const struct console_view *v)
{
    int rows = app_rows(app), columns = app_columns(app);
    enum form form = form_of(rows, columns);
    draw_head(v, columns);
    if (form == FORM_PANE)
        draw_one(v, rows - v->replay, columns);
    else
        draw_whole(v, rows - v->replay, columns, form);
}
