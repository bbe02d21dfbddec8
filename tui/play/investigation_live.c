/* What an interview changes in an investigation: the attempt is the session's, the interviewer pushes back and reveals, hands out and keeps back, says
 * things that stand in the notebook; and where live evidence does not come, the recording of the same probe steps in, so that no fault and no queue
 * stops two people. Errors that could name files of the pack go to the console, never to the candidate's screen. */
#include "tui/play/investigation_screen.h"

#include <stdio.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/library/version.h"
#include "tui/play/candidate_draw.h"
#include "tui/app/trust_screen.h"
#include "tui/play/play.h"

enum {
    ANSWER_MS = 20000,     /* two people sit in silence: longer than that is felt in an hour of talk */
    AGAIN_MS = 120000,     /* a GPU that went away is asked for again after this, so that not every purchase waits for it */
    LINE_MS = 8000,        /* a line of the interviewer is read in less; the notebook keeps it */
};

/* ---- small questions ---- */

const struct session_state *live_part(const struct investigation_screen *s)
{
    return s->in.live ? &interview_session(s->in.live)->parts[s->in.part] : NULL;
}

const char *live_withheld(const struct investigation_screen *s, const char *probe)
{
    bool kept = s->in.live && session_is_withheld(interview_session(s->in.live), probe) && !investigation_has(state_of(s), probe);
    return kept ? "the interviewer keeps it back for now" : NULL;
}

bool live_refuses(struct app *app, const struct investigation_screen *s, const char *say)
{
    if (s->in.live)
        app_say(app, "%s", say);
    return s->in.live != NULL;
}

void live_told(struct investigation_screen *s)
{
    if (!s->in.live || state_of(s)->n_moves == s->in.moves)
        return;
    s->in.moves = state_of(s)->n_moves;
    interview_changed(s->in.live);
}

void live_fault(struct investigation_screen *s, const char *what, const char *why)
{
    if (s->in.live)
        snprintf(s->in.trouble, sizeof s->in.trouble, "%s: %.*s", what, (int)strcspn(why, "\n"), why);
}

/* ---- what is drawn ---- */

void live_clock(char *out, size_t size, const struct app *app, const struct investigation_screen *s)
{
    out[0] = '\0';
    if (s->in.live)
        candidate_clock(out, size, app);
}

static const struct session_line *newest(const struct investigation_screen *s)
{
    const struct session_state *part = live_part(s);
    for (int k = part ? part->n_lines - 1 : -1; k >= 0; k--)
        if (candidate_reads(&part->lines[k]))
            return &part->lines[k];
    return NULL;
}

void live_line(char *out, size_t size, const struct app *app, const struct investigation_screen *s)
{
    const struct session_line *line = newest(s);
    out[0] = '\0';
    bool old = app_said(app) && s->in.line_ms < s->in.key_ms;      /* what was said since is newer */
    if (line && s->in.line_ms && !old && app_now(app) < s->in.line_ms + LINE_MS)
        snprintf(out, size, "%s: %s", line->kind == SESSION_HINTED ? "a hint" : "interviewer", line->text);
}

/* ---- evidence that steps in ---- */

struct supply *live_asked(const struct investigation_screen *s)
{
    return s->in.standing_in ? s->in.standin : s->supply;
}

static bool asks_live(const struct investigation_screen *s)
{
    return s->in.live && s->supply && !s->in.standing_in && strcmp(supply_tier(s->supply), "live") == 0;
}

/* Of the attempt's own text: of its copy, else of the pack while that is still the same. */
static int recorded_supply(struct app *app, const struct variant *v, struct supply **out, struct err *err)
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

static bool has_standin(struct app *app, struct investigation_screen *s)
{
    struct err err = { 0 };
    if (!s->in.standin && !s->in.nothing_recorded)
        s->in.nothing_recorded = recorded_supply(app, s->variant, &s->in.standin, &err) != 0;
    return s->in.standin != NULL;
}

void live_prepare(struct app *app, struct investigation_screen *s)
{
    if (asks_live(s))
        has_standin(app, s);
}

const char *live_lacks(const struct investigation_screen *s, const char *probe)
{
    const char *why = supply_missing(s->supply, probe);
    return why && asks_live(s) && s->in.standin ? supply_missing(s->in.standin, probe) : why;
}

static const char *wanted_words(const struct investigation_screen *s)
{
    const struct probe *p = s->wanted == WANTED_HANDED ? probe_by_name(s->in.handing) : NULL;
    switch (s->wanted) {
    case WANTED_SYMPTOM: return "the symptom";
    case WANTED_DEBRIEF: return "the fix beside the suspect";
    case WANTED_HANDED: return p ? p->title : s->in.handing;
    default: return s->buy.title;
    }
}

void live_asking(struct app *app, struct investigation_screen *s)
{
    if (!s->in.live)
        return;
    const char *name = supply_wanted(s, s->wanted), *lacks = NULL;
    bool named = s->wanted == WANTED_PROBE || s->wanted == WANTED_HANDED;
    s->in.standing_in = false;
    s->in.asked_ms = app_now(app);
    snprintf(s->in.doing, sizeof s->in.doing, "%s %.64s", s->wanted == WANTED_DEBRIEF ? "waiting for" : "measuring", wanted_words(s));
    if (!asks_live(s) || !has_standin(app, s) || (named && supply_missing(s->in.standin, name)))
        return;
    bool gone = s->in.failed_ms && !app_client(app) && app_now(app) < s->in.failed_ms + AGAIN_MS;
    if (named)
        lacks = supply_missing(s->supply, name);
    s->in.standing_in = gone || lacks;
    if (s->in.standing_in)
        live_fault(s, wanted_words(s), lacks ? "this GPU cannot tell; recorded evidence stands in" : "the GPU is still away; recorded evidence stands in");
}

bool live_is_slow(const struct app *app, const struct investigation_screen *s)
{
    return asks_live(s) && s->wanted != WANTED_NOTHING && app_now(app) > s->in.asked_ms + ANSWER_MS;
}

bool live_steps_in(struct app *app, struct investigation_screen *s, const char *why)
{
    struct err err = { 0 };
    char said[160];
    if (!asks_live(s) || !has_standin(app, s))
        return false;
    snprintf(said, sizeof said, "%.*s; recorded evidence stands in", (int)(strcspn(why, "\n") < 120 ? strcspn(why, "\n") : 120), why);
    if (supply_ask(s->in.standin, supply_wanted(s, s->wanted), &err) != 0)
        return false;
    live_fault(s, wanted_words(s), said);
    supply_cancel(s->supply);
    s->in.failed_ms = app_now(app);
    s->in.standing_in = true;
    return true;
}

void live_took(struct investigation_screen *s)
{
    s->in.standing_in = false;
    s->in.doing[0] = '\0';
}

/* ---- what the interviewer hands ---- */

int live_hand_ask(struct app *app, struct investigation_screen *s, const char *probe, struct err *err)
{
    const char *why = s->supply ? live_lacks(s, probe) : "no evidence can be had here now";
    if (s->buy.active || s->wanted != WANTED_NOTHING)
        return err_set(err, ERR_BUSY, "the candidate's own purchase is on its way; a moment");
    if (investigation_has(state_of(s), probe))
        return err_set(err, ERR_BAD_REQUEST, "the candidate has %s already", probe);
    if (why)
        return err_set(err, ERR_MISSING, "%s: %s", probe, why);
    snprintf(s->in.handing, sizeof s->in.handing, "%s", probe);
    s->in.trouble[0] = '\0';
    supply_want(app, s, WANTED_HANDED);
    bool there = s->wanted == WANTED_HANDED || investigation_has(state_of(s), probe);
    return there ? 0 : err_set(err, ERR_MISSING, "%s", s->in.trouble[0] ? s->in.trouble : "it cannot be had now");
}

void live_arrived(struct investigation_screen *s, struct evidence *e)
{
    struct err err = { 0 };
    if (interview_hand(s->in.live, s->in.handing, e, &err) != 0) {
        live_fault(s, s->in.handing, err.text);
        return;
    }
    snprintf(s->arrived, sizeof s->arrived, "The interviewer's evidence");
    investigation_book(s);
    if (!writing(s) && !s->buy.active)
        investigation_select_newest(s);
}

/* ---- what the interviewer did meanwhile ---- */

/* Nothing more is bought that was kept back, or handed, while it was on its way. */
static void check_purchase(struct app *app, struct investigation_screen *s)
{
    const struct investigation *i = state_of(s);
    const char *withheld = s->buy.active ? live_withheld(s, s->buy.probe) : NULL;
    if (!s->buy.active || (!withheld && !investigation_has(i, s->buy.probe) && i->phase == PHASE_OPEN))
        return;
    if (withheld)
        app_say(app, "%c was not bought: %s.", s->buy.letter, withheld);
    buy_cancel(app, s);
}

static void check_lines(struct app *app, struct investigation_screen *s)
{
    const struct session_state *part = live_part(s);
    bool came = part->n_lines > s->in.lines && newest(s) == &part->lines[part->n_lines - 1];
    if (came || part->n_lines < s->in.lines) {      /* what arrived before is news no more, nor is what was taken back */
        s->in.line_ms = came ? app_now(app) : 0;
        s->in.line_new = came;
        s->arrived[0] = '\0';
    }
    s->in.lines = part->n_lines;
}

/* Nothing that was on its way is waited for any more. */
static void drop_wanted(struct app *app, struct investigation_screen *s)
{
    buy_cancel(app, s);
    if (s->wanted != WANTED_NOTHING)
        supply_cancel(live_asked(s));
    s->wanted = WANTED_NOTHING;
    live_took(s);
}

/* Nobody skipped what was not asked any more, nor `asked`, which is on the screen. */
static void leave_estimates(struct app *app, struct investigation_screen *s, const struct estimate *asked)
{
    const struct estimate *e;
    int rc = 0;
    while (rc == 0 && (e = investigation_left(state_of(s)))) {
        struct move m = { .kind = MOVE_ESTIMATED, .left = e == asked ? LEFT_CUT : LEFT_UNASKED };
        snprintf(m.item, sizeof m.item, "%s", e->id);
        rc = investigation_do(app, s, &m);
    }
}

/* What lacks before the truth may be shown: the beliefs as they stand are the last word. */
static void conclude(struct app *app, struct investigation_screen *s, const struct estimate *asked)
{
    struct move lock = { .kind = MOVE_COMMITTED }, word = { .kind = MOVE_RESPONDED };
    if (state_of(s)->phase == PHASE_OPEN && investigation_do(app, s, &lock) != 0)
        return;
    enum phase phase = state_of(s)->phase;
    if (phase != PHASE_COMMITTED && phase != PHASE_PUSHED)
        return;
    if (phase == PHASE_COMMITTED)
        leave_estimates(app, s, asked);
    memcpy(word.points, s->ui == UI_PUSHBACK ? s->points : state_of(s)->points, sizeof word.points);
    investigation_do(app, s, &word);
}

/* Where the candidate was writing when the interviewer went on. */
static void stop_typing(struct app *app, struct investigation_screen *s)
{
    if (writing(s))
        investigation_keep_writing(app, s);
    s->buy.asking = NULL;
    app_text_input(app, false);
}

static void follow_phase(struct app *app, struct investigation_screen *s)
{
    enum phase phase = state_of(s)->phase;
    const struct estimate *asked = s->buy.asking;
    bool reveal = live_part(s)->revealed && s->ui != UI_REVEAL, pushed = phase == PHASE_PUSHED && s->ui != UI_PUSHBACK;
    if (!reveal && !pushed)
        return;
    stop_typing(app, s);
    if (reveal) {
        drop_wanted(app, s);
        conclude(app, s, asked);
    }
    investigation_enter_phase(app, s);
}

void live_investigation_look(struct app *app, struct investigation_screen *s)
{
    if (!s->in.live || !s->attempt)
        return;
    bool at_end = s->note == s->book.n - 1;
    check_purchase(app, s);
    check_lines(app, s);
    follow_phase(app, s);
    int before = s->book.n;
    investigation_book(s);
    if (s->book.n > before && at_end && !writing(s))
        s->note = s->book.n - 1, s->row = -1;
    live_told(s);
}

/* ---- opening ---- */

/* As the plan says; without a GPU that may be used for it, recorded evidence. */
static int plan_supply(struct app *app, const struct session_plan *plan, const struct variant *v, uint64_t seed, struct supply **out, const char **trouble, struct err *err)
{
    bool wanted = strcmp(plan->tier, "live") == 0 && !story_is_case(v->story);
    bool may = wanted && investigation_can_be_live(app, v) && trust_state(app, v) == MAY_RUN;
    if (may && supply_live(out, v, app_client(app), app_device(app), seed, err) == 0)
        return 0;
    *trouble = !wanted ? "" : may || !investigation_can_be_live(app, v) ? "no GPU answers; recorded evidence stands in" : "its GPU code may not run here; recorded evidence stands in";
    return plan->gpu[0] && supply_recorded(out, v, plan->gpu, err) == 0 ? 0 : supply_recorded(out, v, NULL, err);
}

static int begin(struct app *app, int part, struct attempt **a, struct supply **supply, const char **trouble, struct err *err)
{
    struct interview *l = app_live(app);
    const struct session_plan *plan = &interview_session(l)->plan;
    const struct story *story = NULL;
    const struct variant *v = NULL;
    uint64_t seed = (plan->seed + (uint64_t)part * 7919) & INT64_MAX;
    int rc = catalog_find(app_catalog(app), plan->parts[part].id, &story, &v, err);
    if (rc == 0 && !v)
        rc = err_set(err, ERR_BAD_REQUEST, "the plan names %s and none of its variants", plan->parts[part].id);
    if (rc == 0)
        rc = plan_supply(app, plan, v, seed, supply, trouble, err);
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
    if (investigation_same_supply(app, a, supply, &err) == 0)
        return 0;
    *trouble = "this was begun on a GPU that is not here now; recorded evidence stands in";
    return recorded_supply(app, attempt_variant(a), supply, &err);
}

int live_investigation_open(struct app *app, int part, struct err *err)
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
        debrief_open(app, a);
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
    investigation_push(app, a, supply, supply ? "" : "No evidence can be had just now.");
    struct investigation_screen *s = app_guest_find(app, &investigation_screen);
    if (s && trouble[0])
        live_fault(s, "live evidence", trouble);
    return 0;
}

/* ---- for the console ---- */

const char *live_investigation_doing(const struct investigation_screen *s)
{
    if (s->buy.asking)
        return "answering an estimate";
    if (s->buy.active && s->buy.call)
        return "calling a number";
    if (s->in.doing[0])
        return s->in.doing;
    switch (s->ui) {
    case UI_QUESTIONS: return "choosing a question";
    case UI_NAMING: return "naming causes";
    case UI_NOTE: return "writing";
    case UI_STAKES: return "looking at the stakes";
    case UI_LINE: return "choosing the line";
    case UI_REMEDY: return "choosing the fix";
    case UI_WAIT: return "waiting for you";
    case UI_PUSHBACK: return "answering the pushback";
    case UI_REVEAL: return "waiting for the truth";
    default: return "choosing";
    }
}
