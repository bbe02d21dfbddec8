/* What an interview changes in the screens of a scenario: the attempt is the session's, the
 * interviewer pushes back and reveals, hands out and keeps back, says things that stand in the
 * notebook. Errors that could name files of the pack go to the console, never to the candidate. */
#include "tui/interview/candidate_play.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/interview/interview_moves.h"
#include "scenarios/library/version.h"
#include "tui/app/app_data.h"
#include "tui/app/app_runner.h"
#include "tui/app/guest.h"
#include "tui/app/trust_screen.h"
#include "tui/interview/candidate_draw.h"
#include "tui/interview/plan_drawn.h"
#include "tui/play/debrief_screen.h"
#include "tui/play/investigation_screen.h"
#include "tui/play/investigation_buy.h"
#include "tui/play/investigation_modes.h"
#include "tui/play/investigation_phase.h"
#include "tui/play/play_supply.h"

enum { LINE_MS = 8000 };   /* a line of the interviewer is read in less; the notebook keeps it */

/* What the hooks of one screen know. */
struct part {
    struct app *guest;
    struct interview *live;
    int at;                            /* of the session's parts */
    struct spoken *spoken;             /* as the notebook got it last */
    int lines;                         /* of the interviewer, seen so far */
    int said;                          /* the same of the part that runs, for say_news */
    int64_t line_ms;                   /* when the newest came; 0: none did, or it was taken back */
    char doing[96];                    /* for the console, as it was told last */
    char trouble[224], told[224];      /* for the console; what it fetched last */
};

/* ---- small questions ---- */

static const struct session *session_of(const struct part *p)
{
    return interview_session(p->live);
}

static const struct session_state *state_here(const struct part *p)
{
    return &session_of(p)->parts[p->at];
}

static void *open_part(struct app *guest)
{
    struct part *p = mem_new(1, sizeof *p);
    const struct session_state *running = candidate_state(guest);
    p->guest = guest;
    p->live = app_live(guest);
    p->at = candidate_shown(session_of(p));
    p->lines = state_here(p)->n_lines;
    p->said = running ? running->n_lines : 0;
    return p;
}

static void close_part(void *part)
{
    struct part *p = part;
    free(p->spoken);
    free(p);
}

static const char *who_says(const struct session_line *line)
{
    return line->kind == SESSION_HINTED ? "a hint" : "interviewer";
}

static int spoken(void *part, const struct spoken **out)
{
    struct part *p = part;
    const struct session_state *here = state_here(p);
    int n = 0;
    free(p->spoken);
    p->spoken = mem_new((size_t)here->n_lines + 1, sizeof *p->spoken);
    for (int k = 0; k < here->n_lines; k++) {
        const struct session_line *l = &here->lines[k];
        if (candidate_reads(l))
            p->spoken[n++] = (struct spoken){ l->at_ms, who_says(l), l->text };
    }
    *out = p->spoken;
    return n;
}

static const char *withheld(const void *part, const char *probe)
{
    bool kept = session_is_withheld(session_of(part), probe);
    return kept ? "the interviewer keeps it back for now" : NULL;
}

static bool revealed(const void *part)
{
    return state_here(part)->revealed;
}

static bool scores_open(const void *part)
{
    return session_scores_open(session_of(part), true);
}

static void moved(void *part)
{
    struct part *p = part;
    interview_changed(p->live);
}

static void fault(void *part, const char *what, const char *why)
{
    struct part *p = part;
    snprintf(p->trouble, sizeof p->trouble, "%s: %.*s", what, (int)strcspn(why, "\n"), why);
}

static int hand(void *part, const char *probe, struct evidence *e, struct err *err)
{
    struct part *p = part;
    return interview_hand(p->live, probe, e, err);
}

/* ---- what is drawn ---- */

static void part_clock(const void *part, char *out, size_t size)
{
    const struct part *p = part;
    candidate_clock(out, size, p->guest);
}

static const struct session_line *newest(const struct part *p)
{
    const struct session_state *here = state_here(p);
    for (int k = here->n_lines - 1; k >= 0; k--)
        if (candidate_reads(&here->lines[k]))
            return &here->lines[k];
    return NULL;
}

static void news(const void *part, char *out, size_t size, int64_t key_ms)
{
    const struct part *p = part;
    const struct session_line *line = newest(p);
    bool old = app_said(p->guest) && p->line_ms < key_ms;      /* what was said since is newer */
    bool fresh = p->line_ms && app_now(p->guest) < p->line_ms + LINE_MS;
    if (line && fresh && !old)
        snprintf(out, size, "%s: %s", who_says(line), line->text);
}

static void say_news(void *part)
{
    struct part *p = part;
    candidate_lines_say(p->guest, &p->said);
}

/* ---- what the interviewer hands ---- */

int candidate_play_hand(struct app *app, struct investigation_screen *s, const char *probe,
                        struct err *err)
{
    struct part *p = s->in.part;
    const char *none = "no evidence can be had here now";
    const char *why = s->supply ? supply_missing(s->supply, probe) : none;
    if (s->buy.active || s->wanted != WANTED_NOTHING)
        return err_set(err, ERR_BUSY, "the candidate's own purchase is on its way; a moment");
    if (investigation_has(state_of(s), probe))
        return err_set(err, ERR_BAD_REQUEST, "the candidate has %s already", probe);
    if (why)
        return err_set(err, ERR_MISSING, "%s: %s", probe, why);
    snprintf(s->handing, sizeof s->handing, "%s", probe);
    p->trouble[0] = '\0';
    wanted_ask(app, s, WANTED_HANDED);
    bool there = s->wanted == WANTED_HANDED || investigation_has(state_of(s), probe);
    const char *trouble = p->trouble[0] ? p->trouble : "it cannot be had now";
    return there ? 0 : err_set(err, ERR_MISSING, "%s", trouble);
}

/* ---- what the interviewer did meanwhile ---- */

/* Nothing more is bought that was kept back, or handed, while it was on its way. */
static void check_purchase(struct app *app, struct investigation_screen *s)
{
    const struct investigation *i = state_of(s);
    const char *withheld = s->buy.active ? buy_withheld(s, s->buy.probe) : NULL;
    if (!s->buy.active ||
        (!withheld && !investigation_has(i, s->buy.probe) && i->phase == PHASE_OPEN))
        return;
    if (withheld)
        app_say(app, "%c was not bought: %s.", s->buy.letter, withheld);
    buy_cancel(app, s);
}

static void check_lines(struct part *p, struct investigation_screen *s)
{
    const struct session_state *here = state_here(p);
    int n = here->n_lines;
    bool came = n > p->lines && newest(p) == &here->lines[n - 1];
    if (came || n < p->lines) { /* neither what arrived before nor what was taken back is news */
        p->line_ms = came ? app_now(p->guest) : 0;
        s->news = came;
        s->arrived[0] = '\0';
    }
    p->lines = n;
}

/* Nothing that was on its way is waited for any more. */
static void drop_wanted(struct app *app, struct investigation_screen *s)
{
    buy_cancel(app, s);
    if (s->wanted != WANTED_NOTHING)
        supply_cancel(s->supply);
    s->wanted = WANTED_NOTHING;
}

/* Nobody skipped what was not asked any more, nor `asked`, which is on the screen. */
static void leave_estimates(struct app *app, struct investigation_screen *s,
                            const struct estimate *asked)
{
    const struct estimate *e;
    int rc = 0;
    while (rc == 0 && (e = investigation_left(state_of(s)))) {
        struct move m = { .kind = MOVE_ESTIMATED, .left = e == asked ? LEFT_CUT : LEFT_UNASKED };
        snprintf(m.item, sizeof m.item, "%s", e->id);
        rc = investigation_do(app, s, &m);
    }
}

/* What lacks before the truth may be shown: the beliefs as they stand are the last word, and what
 * was not reached is marked as cut. */
static void conclude(struct app *app, struct investigation_screen *s, const struct estimate *asked)
{
    struct move lock = { .kind = MOVE_COMMITTED, .left = LEFT_CUT },
                word = { .kind = MOVE_RESPONDED, .left = LEFT_CUT };
    if (state_of(s)->phase == PHASE_OPEN && investigation_do(app, s, &lock) != 0)
        return;
    enum phase phase = state_of(s)->phase;
    if (phase != PHASE_COMMITTED && phase != PHASE_PUSHED)
        return;
    if (phase == PHASE_COMMITTED)
        leave_estimates(app, s, asked);
    memcpy(word.points, state_of(s)->points, sizeof word.points);
    memcpy(word.odds, state_of(s)->odds, sizeof word.odds);
    investigation_do(app, s, &word);
}

/* Where the candidate was writing when the interviewer went on. */
static void stop_typing(struct app *app, struct investigation_screen *s)
{
    if (mode_of(s)->writes)
        investigation_keep_writing(app, s);
    s->buy.asking = NULL;
    app_text_input(app, false);
}

static void follow_phase(struct app *app, struct investigation_screen *s)
{
    enum phase phase = state_of(s)->phase;
    const struct estimate *asked = s->buy.asking;
    bool reveal = hook_revealed(&s->in) && s->ui != UI_REVEAL;
    bool pushed = phase == PHASE_PUSHED && s->ui != UI_PUSHBACK;
    if (!reveal && !pushed)
        return;
    stop_typing(app, s);
    if (reveal) {
        drop_wanted(app, s);
        conclude(app, s, asked);
    }
    investigation_enter_phase(app, s);
}

static void look(void *part, struct app *app, struct investigation_screen *s)
{
    if (!s->attempt)
        return;
    bool at_end = s->note == s->book.n - 1;
    check_purchase(app, s);
    check_lines(part, s);
    follow_phase(app, s);
    int before = s->book.n;
    investigation_book(s);
    if (s->book.n > before && at_end && !mode_of(s)->writes)
        s->note = s->book.n - 1, s->row = -1;
    investigation_told(s);
}

static const struct play_hooks hooks = {
    .open = open_part, .close = close_part, .spoken = spoken, .withheld = withheld,
    .revealed = revealed, .scores_open = scores_open, .moved = moved, .fault = fault, .hand = hand,
    .look = look, .clock = part_clock, .news = news, .say_news = say_news,
};

/* ---- opening ---- */

/* Of the attempt's own text: of its copy, else of the pack while that is still the same. */
static int recorded_supply(struct app *app, const struct variant *v, struct supply **out,
                           struct err *err)
{
    char mine[HASH_HEX], now[HASH_HEX];
    if (supply_recorded(out, v, NULL, err) == 0)
        return 0;
    const struct variant *there = version_now(app_catalog(app), v->full_id);
    if (!there || there == v)
        return err->code;
    version_hash(mine, v);
    version_hash(now, there);
    return strcmp(mine, now) == 0 ? supply_recorded(out, there, NULL, err) : err->code;
}

/* Where live evidence does not come, the recording steps in, if there is one. */
static void back_up(struct app *app, const struct variant *v, struct supply **supply)
{
    struct supply *recorded = NULL;
    struct err err = { 0 };
    bool live = strcmp(supply_tier(*supply), "live") == 0;
    if (live && recorded_supply(app, v, &recorded, &err) == 0)
        *supply = supply_with_stand_in(*supply, recorded);
}

/* As the plan says; without a GPU that may be used for it, recorded evidence. */
static int plan_supply(struct app *app, const struct session_plan *plan, const struct variant *v,
                       uint64_t seed, struct supply **out, const char **trouble, struct err *err)
{
    bool wanted = strcmp(plan->tier, "live") == 0 && !story_is_case(v->story);
    bool may = wanted && investigation_can_be_live(app, v) && trust_state(app, v) == MAY_RUN;
    if (may && supply_live(out, v, app_client(app), app_device(app), seed, err) == 0)
        return 0;
    *trouble = !wanted ? ""
               : may || !investigation_can_be_live(app, v)
                   ? "no GPU answers; recorded evidence stands in"
                   : "its GPU code may not run here; recorded evidence stands in";
    return supply_preferred(out, v, plan->gpu, err);
}

static int begin(struct app *app, int part, struct attempt **a, struct supply **supply,
                 const char **trouble, struct err *err)
{
    struct interview *l = app_live(app);
    const struct session_plan *plan = &interview_session(l)->plan;
    const struct variant *v = NULL;
    uint64_t seed = plan_seed(plan, part);
    int rc = plan_drawn(&v, app, plan, part, err);
    if (rc == 0)
        rc = plan_supply(app, plan, v, seed, supply, trouble, err);
    if (rc == 0)
        back_up(app, v, supply);
    if (rc == 0)
        rc = attempt_start(a, interview_store(l), v, *supply, seed, app_now(app), err);
    if (rc == 0)
        rc = interview_attempt_begin(l, *a, err);
    return rc;
}

/* After a restart of the host's process. Its GPU may be away. */
static int resume(struct app *app, struct attempt *a, struct supply **supply, const char **trouble)
{
    struct err err = { 0 };
    if (investigation_same_supply(app, a, supply, &err) == 0) {
        back_up(app, attempt_variant(a), supply);
        return 0;
    }
    *trouble = "this was begun on a GPU that is not here now; recorded evidence stands in";
    return recorded_supply(app, attempt_variant(a), supply, &err);
}

int candidate_play_open(struct app *app, int part, struct err *err)
{
    struct interview *l = app_live(app);
    struct supply *supply = NULL;
    const char *trouble = "";
    struct err why = { 0 };
    struct attempt *a = interview_attempt_of(l, part, &why);
    int rc = 0;
    if (!a && interview_session(l)->parts[part].attempt[0])
        return err_set(err, why.code ? why.code : ERR_IO, "%s", why.text);
    if (a && attempt_state(a)->phase == PHASE_REVEALED) {
        debrief_push(app, a, &hooks, NULL);
        return 0;
    }
    if (!a)
        rc = begin(app, part, &a, &supply, &trouble, err);
    else
        resume(app, a, &supply, &trouble);
    if (rc != 0) {
        supply_free(supply);
        return rc;
    }
    investigation_push(app, a, supply, supply ? "" : "No evidence can be had just now.",
                       &hooks, NULL);
    struct investigation_screen *s = app_guest_find(app, &investigation_screen);
    if (s && trouble[0])
        hook_fault(&s->in, "live evidence", trouble);
    return 0;
}

/* ---- for the console ---- */

int candidate_play_part(const struct interviewed *in)
{
    const struct part *p = in->part;
    return p ? p->at : -1;
}

const char *candidate_play_trouble(struct investigation_screen *s)
{
    struct part *p = s->in.part;
    memcpy(p->told, p->trouble, sizeof p->told);
    p->trouble[0] = '\0';
    return p->told;
}

static const char *measuring(const struct investigation_screen *s)
{
    struct part *p = s->in.part;
    const char *what = s->wanted == WANTED_DEBRIEF ? "waiting for" : "measuring";
    snprintf(p->doing, sizeof p->doing, "%s %.64s", what, wanted_words(s));
    return p->doing;
}

const char *candidate_play_asked(const struct investigation_screen *s)
{
    return s->buy.asking ? s->buy.asking->id : NULL;
}

const char *candidate_play_doing(const struct investigation_screen *s)
{
    if (s->buy.asking)
        return "answering an estimate";
    if (s->buy.active && s->buy.call)
        return "calling a number";
    if (s->wanted != WANTED_NOTHING)
        return measuring(s);
    return mode_of(s)->doing;
}
