/* What the candidate's screens share: the frame, the part's clock, the interviewer's lines. */
#include "tui/interview/candidate_draw.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/interview/session_mend.h"
#include "tui/app/guest.h"
#include "tui/kit/layout.h"

static const struct binding candidate_rows[] = {
    {ACT_NOTE, "n", "note", "in a part of talk: write into the shared notes"},
};

static const struct key_list listed = {KEY_ROWS(candidate_rows)};

const struct key_list *candidate_keys(struct app *app, const void *self)
{
    (void)app, (void)self;
    return &listed;
}

const struct session *candidate_session(const struct app *guest)
{
    return interview_session(app_live(guest));
}

const struct session_state *candidate_state(const struct app *guest)
{
    const struct session *s = candidate_session(guest);
    return s->part >= 0 ? &s->parts[s->part] : NULL;
}

/* Something else of the interviewer came to the screen. */
static bool takes_screen(const struct session_event *e)
{
    switch (e->kind) {
    case SESSION_BEGAN:
    case SESSION_FINISHED:
    case SESSION_DRILLED:
    case SESSION_CLOSED: return true;
    case SESSION_INJECTED: case SESSION_HINTED: return !e->undone;
    default: return false;
    }
}

/* A part that does not run, whose truth was shown last of all; -1: none. One whose fix is asked for
 * stays. */
int candidate_truth(const struct session *s)
{
    bool runs = s->phase == SESSION_RUNNING || s->phase == SESSION_ON_PAUSE;
    int mending = session_mending(s);
    if (mending >= 0)
        return runs && mending == s->part ? -1 : mending;
    for (int k = s->events - 1; k >= 0 && !takes_screen(s->log[k]); k--)
        if (s->log[k]->kind == SESSION_REVEALED)
            return runs && s->log[k]->part == s->part ? -1 : s->log[k]->part;
    return -1;
}

int candidate_shown(const struct session *s)
{
    int truth = candidate_truth(s);
    return truth >= 0 ? truth : s->part;
}

bool candidate_reads(const struct session_line *line)
{
    return strcmp(session_audience(line->kind), "all") == 0 && line->text && line->text[0];
}

static int64_t left_ms(const struct session *s, int64_t now_ms)
{
    return (int64_t)s->plan.parts[s->part].minutes * 60000 - session_part_ms(s, now_ms);
}

void candidate_clock(char *out, size_t size, const struct app *guest)
{
    const struct session *s = candidate_session(guest);
    bool runs = s->part >= 0 && (s->phase == SESSION_RUNNING || s->phase == SESSION_ON_PAUSE);
    out[0] = '\0';
    if (!runs)
        return;
    const struct interview *l = app_live(guest);
    int64_t left = left_ms(s, interview_kept_ms(l)),
            seconds = (left < 0 ? -left : left + 999) / 1000;
    int64_t quiet = (s->quiet_until_ms - interview_now(l) + 999) / 1000;
    char before[40] = "";
    if (quiet > 0)
        snprintf(before, sizeof before,
                 app_columns(guest) >= 80 ? "nobody looks for %d:%02d   " : "quiet %d:%02d   ",
                 (int)(quiet / 60 % 1000), (int)(quiet % 60));
    snprintf(out, size, "%s%d:%02d %s%s", before, (int)(seconds / 60), (int)(seconds % 60),
             left < 0 ? "over" : "left", s->phase == SESSION_ON_PAUSE ? ", on pause" : "");
}

int candidate_tick(struct app *guest, void *self, int64_t now_ms)
{
    (void)guest, (void)self, (void)now_ms;
    return DO_REDRAW;
}

int candidate_due_ms(const struct app *guest, const void *self, int64_t now_ms)
{
    const struct session *s = candidate_session(guest);
    (void)self, (void)now_ms;
    if (s->phase != SESSION_RUNNING || s->part < 0)
        return -1;
    int64_t rest = left_ms(s, interview_now(app_live(guest))) % 1000;
    return (int)(rest > 0 ? rest : 1000 + rest) + 1;
}

struct rect candidate_frame(struct app *guest, const char *what, const char *keys)
{
    int rows = app_rows(guest), columns = app_columns(guest), x = 1;
    const char *said = app_said(guest);
    char clock[96];
    candidate_clock(clock, sizeof clock, guest);
    draw_clear();
    if (columns >= 100)
        x += draw_text(0, x, 12, STYLE_ACCENT, "warpdrill") + 3;
    draw_text(0, x, columns - x - draw_columns(clock) - 3, STYLE_BOLD, what);
    draw_right(0, columns - 1, draw_columns(clock), STYLE_SECOND, clock);
    draw_rule(1, 0, columns, NULL, NULL);
    draw_rule(rows - 3, 0, columns, NULL, NULL);
    if (said && said[0])
        draw_text(rows - 2, 1, columns - 2, STYLE_BOLD, said);
    draw_text(rows - 1, 1, columns - 2, STYLE_DIM, keys);
    return (struct rect){ 2, 0, rows - 5, columns };
}

int candidate_lines_draw(const struct app *guest, struct rect r)
{
    const struct session_state *part = candidate_state(guest);
    int used = 0;
    for (int k = part ? part->n_lines - 1 : -1; k >= 0; k--) {
        struct rect at = { 0, r.x + 15, 0, r.w - 16 };
        if (!candidate_reads(&part->lines[k]))
            continue;
        int h = draw_wrapped(at, 0, STYLE_PLAIN, part->lines[k].text);
        if (used + h > r.h)
            break;
        used += h;
        at.y = r.y + r.h - used;
        at.h = h;
        draw_text(at.y, r.x + 2, 12, STYLE_ACCENT,
                  part->lines[k].kind == SESSION_HINTED ? "a hint:" : "interviewer:");
        draw_wrapped(at, 0, STYLE_BOLD, part->lines[k].text);
    }
    return used;
}

void candidate_lines_say(struct app *guest, int *seen)
{
    const struct session_state *part = candidate_state(guest);
    int n = part ? part->n_lines : 0, k = n - 1;
    if (n < *seen)          /* it was taken back, and is not said any more */
        app_unsay(guest);
    while (k >= *seen && !candidate_reads(&part->lines[k]))
        k--;
    if (k >= *seen)
        app_say(guest, "%s: %s", part->lines[k].kind == SESSION_HINTED ? "a hint" : "interviewer",
                part->lines[k].text);
    *seen = n;
}
