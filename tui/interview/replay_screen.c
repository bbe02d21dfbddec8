/* Replay: the interviewer's console as it was at a moment. The session and the running
 * investigation are folded again from what was done up to then; the packs are not asked, since an
 * attempt keeps its scenario. */
#include "tui/interview/replay_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/evidence/request.h"
#include "scenarios/interview/interview_life.h"
#include "tui/interview/candidate_drill.h"
#include "tui/interview/console_draw.h"
#include "tui/interview/console_ideal.h"
#include "tui/interview/console_text.h"
#include "tui/interview/console_tries.h"
#include "tui/interview/console_view.h"
#include "tui/kit/charts.h"
#include "tui/kit/keys.h"

enum {
    FRAME_MS = 40,
    FORWARD_MOST = 64 /* events that are applied one by one */,
    SLOWEST = -1,
    FASTEST = 6,
    CHART_POINTS = 120,
    BAR_LEAST = 10
};

/* What does not change while a part is looked at. */
struct scene {
    bool known;
    const struct variant *variant;
    const struct msg_device *device;
    struct evidence *all;
    struct briefing *briefing;
};

struct replay {
    struct app *app;
    struct interview *live;
    const struct session *whole;
    const struct interview_entry *entries; int n;
    int64_t length_ms;                       /* running time of the whole */

    int at;                                  /* so many entries have happened; at least the plan */
    int64_t t_ms;                            /* running time */
    bool plays;
    int speed;                               /* a power of two */
    int64_t ticked_ms;                       /* the loop's time when t_ms was set */

    struct session *session; int events;     /* after so many events */
    struct investigation *state; int state_part, state_moves;
    struct scene scene[SESSION_MAX_PARTS];
    struct drill_previews previews;
    int ideal[MAX_HYPOTHESES];
    bool has_ideal, chart, tries;            /* tries: the fix in the place of the panes */
    int pane, scroll;
};

/* ---- the moment ---- */

static void fold_session(struct replay *r)
{
    int events = 0;
    struct err err;
    for (int k = 0; k < r->at; k++)
        events += r->entries[k].event != NULL;
    bool onward = r->session && events >= r->events && events - r->events <= FORWARD_MOST;
    for (int k = r->events; onward && k < events; k++)
        onward = session_apply(r->session, r->whole->log[k], &err) >= 0;
    if (!onward) {
        session_free(r->session);
        r->session = session_until(r->whole, events);
    }
    r->events = events;
    r->session->quiet_until_ms = 0;          /* nothing is hidden any more */
}

static int apply_copy(struct investigation *i, const struct move *m)
{
    struct move copy = *m;
    struct err err;
    copy.evidence = m->evidence ? evidence_copy(m->evidence) : NULL;
    copy.other = other_gpu_copy(m->other);
    copy.text = m->text ? text_dup(m->text) : NULL;
    int rc = investigation_apply(i, &copy, &err);
    if (rc)
        move_clear(&copy);
    return rc;
}

static void forget_state(struct replay *r)
{
    investigation_free(r->state);
    r->state = NULL;
    r->state_moves = 0;
}

static void fold_investigation(struct replay *r)
{
    int part = r->session->part, moves = 0;
    bool runs = part >= 0 && r->session->parts[part].attempt[0];
    struct attempt *a = runs ? interview_attempt_of(r->live, part, NULL) : NULL;
    const struct investigation *whole = a ? attempt_state(a) : NULL;
    for (int k = 0; whole && k < r->at; k++)
        moves += r->entries[k].move && r->entries[k].of == whole;
    if (!whole || part != r->state_part || moves < r->state_moves)
        forget_state(r);
    r->state_part = part;
    if (whole && !r->state)
        r->state = investigation_new(attempt_variant(a));
    for (; whole && r->state_moves < moves; r->state_moves++)
        apply_copy(r->state, &whole->moves[r->state_moves]);
}

static struct scene *scene_now(struct replay *r)
{
    struct scene *s = r->session->part >= 0 ? &r->scene[r->session->part] : NULL;
    struct attempt *a =
        s && !s->known ? interview_attempt_of(r->live, r->session->part, NULL) : NULL;
    if (!s || s->known || !a)
        return s;
    const struct recording *recording = attempt_recording(a);
    struct err err;
    s->known = true;
    s->variant = attempt_variant(a);
    s->device = recording ? &recording->device : NULL;
    if (s->variant->sealed || !recording ||
        request_recall_all(&s->all, s->variant, recording, &err) != 0)
        return s;
    s->briefing = mem_new(1, sizeof *s->briefing);
    const struct other_gpu *other = attempt_state(a)->other;
    if (briefing_make(s->briefing, s->variant, s->device, s->all, other, &err) != 0) {
        free(s->briefing);
        s->briefing = NULL;
    }
    return s;
}

static void look(struct replay *r)
{
    fold_session(r);
    fold_investigation(r);
    const struct scene *s = scene_now(r);
    drill_previews_make(&r->previews, r->app, r->session);
    r->has_ideal = s && s->variant && !s->variant->sealed && r->state && r->state->n_moves > 0;
    if (r->has_ideal)
        console_ideal(r->ideal, s->variant, r->state, r->state->n_bought, s->device, s->all);
}

static void go(struct replay *r, int at, int64_t t_ms)
{
    r->at = at < 1 ? 1 : at > r->n ? r->n : at;
    r->t_ms = t_ms < 0 ? 0 : t_ms > r->length_ms ? r->length_ms : t_ms;
    r->scroll = 0;
    look(r);
}

/* Everything that had happened at a time. */
static void go_time(struct replay *r, int64_t t_ms)
{
    int low = 0, high = r->n;
    while (low < high) {
        int middle = (low + high) / 2;
        if (r->entries[middle].elapsed_ms <= t_ms)
            low = middle + 1;
        else
            high = middle;
    }
    go(r, low, t_ms);
}

/* Just after an entry. */
static void go_entry(struct replay *r, int entry)
{
    go(r, entry + 1, r->entries[entry].elapsed_ms);
}

/* The next entry that `is`, before (-1) or after (1) the newest; -1: none. */
static int find(const struct replay *r, int step, bool (*is)(const struct interview_entry *e))
{
    for (int k = r->at - 1 + step; k >= 0 && k < r->n; k += step)
        if (is(&r->entries[k]))
            return k;
    return -1;
}

static bool begins_part(const struct interview_entry *e)
{
    return e->event && e->event->kind == SESSION_BEGAN;
}

static void jump(struct replay *r, int step, bool (*is)(const struct interview_entry *e))
{
    int to = find(r, step, is);
    if (to >= 0)
        go_entry(r, to);
    else if (step < 0)
        go(r, 1, 0);
    else
        go(r, r->n, r->length_ms);
}

/* ---- drawing ---- */

static const struct session_part *part_now(const struct replay *r)
{
    return r->session->part >= 0 ? &r->session->plan.parts[r->session->part] : NULL;
}

static const struct debrief *score_now(const struct replay *r)
{
    bool revealed = r->state && r->state->phase == PHASE_REVEALED;
    revealed = revealed && session_scores_open(r->session, false);
    struct attempt *a = revealed ? interview_attempt_of(r->live, r->session->part, NULL) : NULL;
    return a ? attempt_debrief(a) : NULL;
}

static void view_of(const struct replay *r, struct console_view *v)
{
    const struct session *s = r->session;
    const struct session_part *part = part_now(r);
    const struct scene *scene = part && part->kind == PART_SCENARIO ? &r->scene[s->part] : NULL;
    *v = (struct console_view){.live = r->live,
                               .session = s,
                               .entries = r->entries,
                               .n_entries = r->at,
                               .doing = "",
                               .scroll = r->scroll,
                               .replay = true,
                               .pane = r->pane,
                               .previews = &r->previews};
    v->now_ms = s->last_ms + (r->t_ms > s->elapsed_ms ? r->t_ms - s->elapsed_ms : 0);
    if (!scene)
        return;
    v->state = r->state;
    v->variant = scene->variant;
    v->briefing = scene->briefing;
    v->device = scene->device;
    v->ideal = r->has_ideal ? r->ideal : NULL;
    v->score = score_now(r);
}

static void speed_text(char *out, size_t size, int speed)
{
    if (speed < 0)
        snprintf(out, size, "0.5x");
    else
        snprintf(out, size, "%dx", 1 << speed);
}

static int cell_of(const struct replay *r, int64_t ms, int w)
{
    int64_t cell = r->length_ms > 0 ? ms * (w - 1) / r->length_ms : 0;
    return cell < 0 ? 0 : cell >= w ? w - 1 : (int)cell;
}

enum mark { MARK_NONE, MARK_MOVE, MARK_PART, MARK_HERE };

/* Where the moves are, where parts begin, and where we are. */
static void draw_track(const struct replay *r, int y, int x, int w)
{
    static const char *const marks[][2] = {{"─", "-"}, {"┴", "'"}, {"│", "|"}, {"●", "*"}};
    static const enum style styles[] = { STYLE_DIM, STYLE_DIM, STYLE_PLAIN, STYLE_ACCENT };
    enum mark *mark = mem_new((size_t)w, sizeof *mark);
    for (int k = 0; k < r->n; k++) {
        const struct interview_entry *e = &r->entries[k];
        enum mark is = begins_part(e)                      ? MARK_PART
                       : e->move && console_entry_shown(e) ? MARK_MOVE
                                                           : MARK_NONE;
        int cell = cell_of(r, e->elapsed_ms, w);
        mark[cell] = is > mark[cell] ? is : mark[cell];
    }
    mark[cell_of(r, r->t_ms, w)] = MARK_HERE;
    for (int k = 0; k < w; k++)
        draw_text(y, x + k, 1, styles[mark[k]], glyph(marks[mark[k]][0], marks[mark[k]][1]));
    free(mark);
}

static void draw_position(const struct replay *r, int y, int columns)
{
    char now[16], all[16], speed[8];
    console_clock(now, sizeof now, r->t_ms);
    console_clock(all, sizeof all, r->length_ms);
    speed_text(speed, sizeof speed, r->speed);
    draw_textf(y, 0, columns, STYLE_PLAIN, "%*s", columns, "");
    int x = 1 +
            draw_textf(y, 1, columns - 2, STYLE_BOLD, "%s  %s of %s  %s",
                       r->plays ? "plays " : "stands", now, all, speed) +
            2;
    if (columns - x - 1 >= BAR_LEAST)
        draw_track(r, y, x, columns - x - 1);
}

/* ---- the candidate's beliefs so far ---- */

struct beliefs {
    double x[CHART_POINTS], theirs[CHART_POINTS], ideal[CHART_POINTS], rival[CHART_POINTS];
    int of, other;
};

/* The cause where its answer is open, else what is believed most; and its strongest rival now. */
static void choose(const struct replay *r, struct beliefs *b)
{
    const struct investigation *i = r->state;
    const struct variant *v = i->variant;
    b->of = 0;
    for (int h = 1; h < i->story->n_hypotheses; h++)
        b->of = i->points[h] > i->points[b->of] ? h : b->of;
    b->of = v->sealed ? b->of : v->cause;
    b->other = b->of == 0;
    for (int h = 0; h < i->story->n_hypotheses; h++)
        if (h != b->of && i->points[h] > i->points[b->other])
            b->other = h;
}

/* Steps: what held stays until it moves. */
static void fill(const struct replay *r, struct beliefs *b, const struct scene *s)
{
    const struct investigation *whole = NULL;
    int percent[MAX_HYPOTHESES], ideal[MAX_HYPOTHESES], bought = 0, k = 0;
    int64_t from = -1;
    for (int e = 0; e < r->at && from < 0; e++)
        if (r->entries[e].move && r->entries[e].part == r->session->part) {
            from = r->entries[e].elapsed_ms;
            whole = r->entries[e].of;
        }
    belief_show_even(percent, r->state->story->n_hypotheses);
    console_ideal(ideal, s->variant, r->state, 0, s->device, s->all);
    for (int p = 0; p < CHART_POINTS; p++) {
        int64_t t = from + (r->t_ms - from) * p / (CHART_POINTS - 1);
        int before = bought;
        for (; k < r->at && r->entries[k].elapsed_ms <= t; k++) {
            const struct move *m = r->entries[k].of == whole ? r->entries[k].move : NULL;
            if (m && (m->kind == MOVE_BELIEVED || m->kind == MOVE_RESPONDED))
                belief_show(percent, m->odds, m->points, whole->story->n_hypotheses);
            bought += m && m->evidence;
        }
        if (bought != before)
            console_ideal(ideal, s->variant, r->state,
                          bought < r->state->n_bought ? bought : r->state->n_bought, s->device,
                          s->all);
        b->x[p] = (double)t / 1000;
        b->theirs[p] = percent[b->of];
        b->rival[p] = percent[b->other];
        b->ideal[p] = ideal[b->of];
    }
}

static void draw_chart(const struct replay *r, int rows, int columns)
{
    const struct session_part *part = part_now(r);
    const struct scene *s = part ? &r->scene[r->session->part] : NULL;
    struct rect inside = { 2, 1, rows - 5, columns - 2 };
    char label[96];
    draw_text(0, 1, columns - 2, STYLE_BOLD, part ? part->title : r->session->plan.title);
    draw_rule(1, 0, columns, "BELIEFS, %", "time of the interview");
    if (!r->state || !s || !s->variant) {
        draw_text(2, 2, columns - 4, STYLE_DIM, "No scenario has begun here.");
        return;
    }
    struct beliefs *b = mem_new(1, sizeof *b);
    choose(r, b);
    fill(r, b, s);
    snprintf(label, sizeof label, "theirs: %.60s", r->state->story->hypotheses[b->of]->label);
    struct line_series series[] = {{b->theirs, label, STYLE_ACCENT},
                                   {b->rival, r->state->story->hypotheses[b->other]->label,
                                    STYLE_DIM},
                                   {b->ideal, "ideal reader", STYLE_SECOND}};
    draw_lines_over_time(inside, b->x, CHART_POINTS, series, r->has_ideal ? 3 : 2, "%");
    free(b);
}

static const struct binding replay_rows[] = {
    {ACT_PLAY, "Space", "play", "play; again: stand still"},
    {ACT_MORE, "+ =", "- speed", "twice as fast, up to 64 times"},
    {ACT_LESS, "- _", NULL, "half as fast, down to half"},
    {ACT_RIGHT, "Right", "Left move", "to the next move"},
    {ACT_LEFT, "Left", NULL, "to the move before"},
    {ACT_PAGE_DOWN, "PgDn", "PgUp part", "to the next part"},
    {ACT_PAGE_UP, "PgUp", NULL, "to where this part began, then to the part before"},
    {ACT_DIGIT, "0-9", "tenths", "to that tenth of the interview"},
    {ACT_FIRST, "Home", NULL, "to the beginning"},
    {ACT_LAST, "End", NULL, "to the end"},
    {ACT_TAB, "Tab", "chart",
     "the candidate's beliefs over time; on a small screen the panes first"},
    {ACT_MEND, "M", NULL,
     "the text that was handed in last as the fix, with its verdict; again: the panes"},
    {ACT_UP, "Up k", NULL, "older moves; lines of the text further up"},
    {ACT_DOWN, "Down j", NULL, "newer moves; lines of the text further down"},
    {ACT_BACK, "Esc", NULL, "back from the chart or the text, else out"},
};

static const char *const replay_how[] = {
    "The console as it was at a moment: what was done up to then is folded again. The bar below "
    "shows where you are, each move and where parts begin; pauses take no time. Nothing is "
    "changed by looking.",
    NULL,
};

static const struct key_list replay_keys = {
    KEY_ROWS(replay_rows),
    .how = replay_how,
    .must = {ACT_TAB},
};

static const struct key_list *keys_here(struct app *app, const void *self)
{
    (void)app, (void)self;
    return &replay_keys;
}

static void replay_draw(struct app *app, const void *self)
{
    const struct replay *r = self;
    struct console_view v;
    char line[256];
    int rows = app_rows(app), columns = app_columns(app);
    if (r->tries) {
        draw_text(0, 1, columns - 2, STYLE_BOLD, r->session->plan.title);
        console_tries_draw(r->session, (struct rect){1, 0, rows - 3, columns}, r->scroll);
    } else if (r->chart) {
        draw_chart(r, rows, columns);
    } else {
        view_of(r, &v);
        console_draw_panes(app, &v);
    }
    draw_position(r, rows - 2, columns);
    key_line(line, sizeof line, &replay_keys, columns - 1);
    draw_text(rows - 1, 1, columns - 1, STYLE_DIM, line);
}

/* ---- keys and time ---- */

static void turn_pane(struct app *app, struct replay *r)
{
    int panes = console_pane_count(app_rows(app), app_columns(app));
    if (r->chart)
        r->pane = 0;
    else
        r->pane++;
    r->chart = !r->chart && r->pane >= panes;
    r->pane = r->chart ? panes - 1 : r->pane;
}

static void play(struct app *app, struct replay *r, bool on)
{
    if (on && r->at == r->n && r->t_ms >= r->length_ms)
        go(r, 1, 0);
    r->plays = on;
    r->ticked_ms = app_now(app);
}

/* Moves go back from the newest, a text on from its first line. */
static void scroll(struct replay *r, int by)
{
    enum { LINES_MOST = SESSION_TRY };
    int most = r->tries ? LINES_MOST : r->at - 1, to = r->scroll + (r->tries ? -by : by);
    r->scroll = to < 0 ? 0 : to > most ? most : to;
}

static int replay_act(struct app *app, void *self, enum action action, int arg)
{
    struct replay *r = self;
    switch (action) {
    case ACT_PLAY: play(app, r, !r->plays); break;
    case ACT_MORE: r->speed += r->speed < FASTEST; break;
    case ACT_LESS: r->speed -= r->speed > SLOWEST; break;
    case ACT_LEFT: jump(r, -1, console_entry_shown); break;
    case ACT_RIGHT: jump(r, 1, console_entry_shown); break;
    case ACT_PAGE_UP: jump(r, -1, begins_part); break;
    case ACT_PAGE_DOWN: jump(r, 1, begins_part); break;
    case ACT_FIRST: go(r, 1, 0); break;
    case ACT_LAST: go(r, r->n, r->length_ms); break;
    case ACT_DIGIT: go_time(r, r->length_ms * arg / 10); break;
    case ACT_UP: scroll(r, 1); break;
    case ACT_DOWN: scroll(r, -1); break;
    case ACT_TAB:
        r->tries = false;
        turn_pane(app, r);
        break;
    case ACT_MEND:
        r->tries = !r->tries;
        r->scroll = 0;
        break;
    case ACT_BACK:
        if (!r->chart && !r->tries)
            return DO_POP;
        r->chart = r->tries = false;
        r->scroll = 0;
        r->pane = 0;
        break;
    default: return DO_NOTHING;
    }
    return DO_REDRAW;
}

static int replay_due(const struct app *app, const void *self, int64_t now_ms)
{
    const struct replay *r = self;
    (void)app, (void)now_ms;
    if (!r->plays)
        return -1;
    int64_t next = 1000 - r->t_ms % 1000;
    if (r->at < r->n && r->entries[r->at].elapsed_ms - r->t_ms < next)
        next = r->entries[r->at].elapsed_ms - r->t_ms;
    next = r->speed < 0 ? next * 2 : next >> r->speed;
    return next < FRAME_MS ? FRAME_MS : (int)next;
}

static int replay_tick(struct app *app, void *self, int64_t now_ms)
{
    struct replay *r = self;
    int64_t passed = now_ms - r->ticked_ms;
    int scroll = r->scroll;
    (void)app;
    if (!r->plays || passed <= 0)
        return DO_NOTHING;
    r->ticked_ms = now_ms;
    go_time(r, r->t_ms + (r->speed < 0 ? (passed + 1) / 2 : passed << r->speed));
    r->scroll = scroll;
    if (r->t_ms >= r->length_ms)
        r->plays = false;
    return DO_REDRAW;
}

/* ---- coming and going ---- */

static void replay_leave(struct app *app, void *self)
{
    struct replay *r = self;
    (void)app;
    for (int k = 0; k < SESSION_MAX_PARTS; k++) {
        evidence_free(r->scene[k].all);
        free(r->scene[k].briefing);
    }
    investigation_free(r->state);
    session_free(r->session);
    interview_free(r->live);
    free(r);
}

static const struct screen_ops replay_screen = {
    .name = "replay",
    .keys = keys_here,
    .draw = replay_draw,
    .act = replay_act,
    .tick = replay_tick,
    .due_ms = replay_due,
    .leave = replay_leave,
};

void replay_open(struct app *app, struct interview *live, const struct replay_options *options)
{
    struct replay *r = mem_new(1, sizeof *r);
    r->app = app;
    r->live = live;
    r->whole = interview_session(live);
    r->n = interview_entries(live, &r->entries);
    r->length_ms = r->n ? r->entries[r->n - 1].elapsed_ms : 0;
    r->state_part = -1;
    r->speed = options->speed;
    go_time(r, options->at_ms);
    app_replace(app, &replay_screen, r);
}
