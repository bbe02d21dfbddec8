/* The state machine. A move is checked by the function of its kind and then booked; checks come
 * before any change, so that a refused move leaves everything as it was. Undo folds again without
 * the move that was taken back. */
#include "scenarios/play/investigation.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/lot.h"
#include "kernels/wire/text.h"
#include "scenarios/pack/harness.h"
#include "scenarios/play/naming.h"

static int refuse(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static int refuse(struct err *err, const char *fmt, ...)
{
    char text[512];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    return err_set(err, ERR_BAD_REQUEST, "%s", text);
}

/* ---- life ---- */

static struct step *add_step(struct investigation *i, const char *after)
{
    i->steps = mem_grow(i->steps, (size_t)i->n_steps + 1, sizeof *i->steps);
    struct step *s = &i->steps[i->n_steps++];
    *s = (struct step){0};
    snprintf(s->after, sizeof s->after, "%s", after);
    memcpy(s->points, i->points, sizeof s->points);
    return s;
}

/* Everything but the list of moves, as it is before the first of them. */
static void reset(struct investigation *i)
{
    struct investigation fresh = {
        .story = i->story,
        .variant = i->variant,
        .moves = i->moves,
        .n_moves = i->n_moves,
        .remedy = -1,
        .then = -1,
        .pushback = -1,
        .par = level_par(i->story->level),
        .patience = level_patience(i->story->level),
    };
    free(i->bought);
    free(i->steps);
    free(i->note);
    *i = fresh;
    belief_even(i->points, i->story->n_hypotheses);
    add_step(i, "");
}

struct investigation *investigation_new(const struct variant *v)
{
    struct investigation *i = mem_new(1, sizeof *i);
    i->story = v->story;
    i->variant = v;
    reset(i);
    return i;
}

void investigation_free(struct investigation *i)
{
    if (!i)
        return;
    for (int m = 0; m < i->n_moves; m++)
        move_clear(&i->moves[m]);
    free(i->moves);
    free(i->bought);
    free(i->steps);
    free(i->note);
    free(i);
}

/* ---- what is known ---- */

static const struct purchase *find_purchase(const struct investigation *i, const char *probe)
{
    for (int b = 0; b < i->n_bought; b++)
        if (strcmp(i->bought[b].probe, probe) == 0)
            return &i->bought[b];
    return NULL;
}

bool investigation_has(const struct investigation *i, const char *probe)
{
    return find_purchase(i, probe) != NULL;
}

bool investigation_handed(const struct investigation *i, const char *probe)
{
    const struct purchase *p = find_purchase(i, probe);
    return p && p->handed;
}

bool investigation_tested(const struct investigation *i)
{
    for (int b = 0; b < i->n_bought; b++)
        if (!i->bought[b].handed && i->bought[b].price > 0)
            return true;
    return false;
}

const struct evidence *investigation_evidence(const struct investigation *i, const char *probe)
{
    const struct purchase *p = find_purchase(i, probe);
    return p ? p->evidence : NULL;
}

/* The row of the shop that sells this probe, or NULL. */
static const struct probe *shelf(const char *probe)
{
    const struct probe *p = probe_by_name(probe);
    return p && p->id != SHOP_EXPERIMENT && p->id != SHOP_ASK ? p : NULL;
}

int investigation_price(const struct investigation *i, const char *probe)
{
    if (strcmp(probe, "ask") == 0)
        return i->questions_asked < FREE_QUESTIONS ? 0 : 1;
    const struct probe *p = shelf(probe);
    bool read_after = p && p->id == SHOP_SOURCE && i->phase != PHASE_OPEN;
    return read_after ? 0 : variant_price(i->variant, probe);
}

static int find_given(const struct investigation *i, const char *id)
{
    for (int e = 0; e < i->n_estimates; e++)
        if (strcmp(i->estimates[e].id, id) == 0)
            return e;
    return -1;
}

int investigation_estimates(const struct investigation *i)
{
    int n = i->story->n_estimates;
    while (!i->other && n > 0 && i->story->estimates[n - 1].across)
        n--;
    return n;
}

enum left investigation_left_out(const struct investigation *i, const struct estimate *e)
{
    int at = find_given(i, e->id);
    return at >= 0                              ? i->estimates[at].left
           : investigation_handed(i, e->before) ? LEFT_UNASKED
                                                : LEFT_NOT;
}

static bool asked_for_copy(const struct investigation *i)
{
    return i->story->copy_question && i->asked & 1u << (i->story->copy_question - 1);
}

static bool said_floor(const struct investigation *i)
{
    for (int e = 0; e < i->n_estimates; e++)
        if (i->estimates[e].given && estimate_is_floor(i->estimates[e].id))
            return true;
    return false;
}

bool investigation_has_yardstick(const struct investigation *i)
{
    if (story_is_case(i->story))
        return false;
    return i->story->level == 0 || investigation_has(i, "timing") || asked_for_copy(i) ||
           said_floor(i);
}

/* Has the screen shown what this estimate asks for, or all but? */
static bool is_shown(const struct investigation *i, const struct estimate *e)
{
    return investigation_has(i, e->before) ||
           (estimate_is_floor(e->id) && investigation_has_yardstick(i));
}

const struct estimate *investigation_floor(const struct investigation *i)
{
    for (int e = 0; e < i->story->n_estimates; e++) {
        const struct estimate *floor = &i->story->estimates[e];
        if (estimate_is_floor(floor->id) && !is_shown(i, floor) && find_given(i, floor->id) < 0)
            return floor;
    }
    return NULL;
}

const struct estimate *investigation_due(const struct investigation *i, const char *probe)
{
    for (int e = 0; e < i->story->n_estimates; e++) {
        const struct estimate *due = &i->story->estimates[e];
        if (strcmp(due->before, probe) == 0 && !is_shown(i, due) && find_given(i, due->id) < 0)
            return due;
    }
    return NULL;
}

const struct estimate *investigation_left(const struct investigation *i)
{
    for (int e = 0; e < investigation_estimates(i); e++)
        if (!is_shown(i, &i->story->estimates[e]) &&
            find_given(i, i->story->estimates[e].id) < 0)
            return &i->story->estimates[e];
    return NULL;
}

int investigation_pushback(const struct investigation *i)
{
    uint64_t state = i->seed, x = lot_next(&state); /* the choice of the variant uses other bits */
    return i->variant->n_pushbacks > 0 ? (int)((x >> 33) % (uint64_t)i->variant->n_pushbacks) : -1;
}

/* ---- undo ---- */

static bool is_undone(const struct investigation *i, const char *uid)
{
    for (int m = 0; uid[0] && m < i->n_moves; m++)
        if (i->moves[m].kind == MOVE_UNDONE && strcmp(i->moves[m].undone, uid) == 0)
            return true;
    return false;
}

static const struct estimate *find_estimate(const struct story *s, const char *id)
{
    for (int e = 0; e < s->n_estimates; e++)
        if (strcmp(s->estimates[e].id, id) == 0)
            return &s->estimates[e];
    return NULL;
}

const char *investigation_undoable(const struct investigation *i)
{
    bool seen = i->phase != PHASE_OPEN;     /* a belief under which something was bought stays */
    if (i->phase != PHASE_OPEN && i->phase != PHASE_COMMITTED)
        return NULL;
    for (int m = i->n_moves - 1; m >= 0; m--) {
        const struct move *at = &i->moves[m];
        if (at->kind == MOVE_COMMITTED)
            return NULL;
        seen = seen || at->kind == MOVE_BOUGHT || at->kind == MOVE_HANDED;
        bool belief = at->kind == MOVE_BELIEVED && !seen;
        bool estimate = at->kind == MOVE_ESTIMATED && at->left == LEFT_NOT &&
                        !is_shown(i, find_estimate(i->story, at->item));
        if ((belief || estimate) && at->uid[0] && !is_undone(i, at->uid))
            return at->uid;
    }
    return NULL;
}

/* ---- one check and one entry per kind of move ---- */

static int points_ok(const struct investigation *i, const struct move *m, struct err *err)
{
    int sum = 0;
    for (int k = 0; k < i->story->n_hypotheses; k++) {
        if (m->points[k] < 0 || m->points[k] > 100)
            return refuse(err, "a belief is a whole number from 0 to 100");
        sum += m->points[k];
    }
    return sum == 100 ? 0 : refuse(err, "beliefs must sum to 100; these sum to %d", sum);
}

static void believe(struct investigation *i, const struct move *m)
{
    memcpy(i->points, m->points, sizeof i->points);
    memcpy(i->odds, m->odds, sizeof i->odds);
    memcpy(i->steps[i->n_steps - 1].points, m->points, sizeof m->points);
}

static int apply_started(struct investigation *i, const struct move *m, struct err *err)
{
    if (i->n_moves > 0)
        return refuse(err, "the start is the first move, and comes once");
    snprintf(i->tier, sizeof i->tier, "%s", m->tier);
    snprintf(i->gpu, sizeof i->gpu, "%s", m->gpu);
    i->seed = m->seed;
    i->other = m->other;
    i->started_ms = m->at_ms;
    return 0;
}

static int apply_asked(struct investigation *i, const struct move *m, struct err *err)
{
    if (i->phase != PHASE_OPEN)
        return refuse(err, "questions were for the time before the commitment");
    if (m->question < 0 || m->question >= i->story->n_questions || m->question >= 32)
        return refuse(err, "there is no question %d", m->question);
    if (i->asked & 1u << m->question)
        return refuse(err, "that was asked before; the answer has not changed");
    i->price += investigation_price(i, "ask");
    i->asked |= 1u << m->question;
    i->questions_asked++;
    return 0;
}

static int apply_called(struct investigation *i, const struct move *m, struct err *err)
{
    const struct probe *p = shelf(m->probe);
    if (i->phase != PHASE_OPEN)
        return refuse(err, "calls were for the time before the commitment");
    if (!p || !p->headline)
        return refuse(err, "%s has no number to call", m->probe);
    if (investigation_has(i, m->probe))
        return refuse(err, "the number of %s was shown already", m->probe);
    for (int o = 0; o < 4 && p->option[o].label; o++)
        if (strcmp(p->option[o].label, m->answer) == 0)
            return 0;
    return refuse(err, "'%s' is none of the calls for %s", m->answer, m->probe);
}

static int apply_believed(struct investigation *i, const struct move *m, struct err *err)
{
    if (i->phase != PHASE_OPEN)
        return refuse(err, "beliefs are locked since the commitment");
    int rc = points_ok(i, m, err);
    if (rc == 0)
        believe(i, m);
    return rc;
}

/* The other time follows what bounds the kernel, so that asking for it earlier would be a hint. */
static int across_ok(const struct investigation *i, const struct estimate *e, struct err *err)
{
    if (!i->other)
        return refuse(err, "'%s' is not asked here: no other GPU was recorded", e->id);
    return i->phase == PHASE_COMMITTED
               ? 0
               : refuse(err, "'%s' is asked after the commitment: it is of the other GPU", e->id);
}

static int apply_estimated(struct investigation *i, const struct move *m, struct err *err)
{
    const struct estimate *e = find_estimate(i->story, m->item);
    if (e && e->across && across_ok(i, e, err))
        return ERR_BAD_REQUEST;
    if (i->phase != PHASE_OPEN && i->phase != PHASE_COMMITTED)
        return refuse(err, "estimates are closed since the pushback");
    if (!e)
        return refuse(err, "there is no estimate '%s'", m->item);
    if (investigation_has(i, e->before))
        return refuse(err, "too late: %s has shown the answer", e->before);
    if (is_shown(i, e))
        return refuse(err, "too late: the plain copy stands beside the time");
    int at = find_given(i, m->item);
    if (at < 0 && i->n_estimates == (int)(sizeof i->estimates / sizeof *i->estimates))
        return refuse(err, "there is no room for another estimate");
    if (at < 0)
        at = i->n_estimates++;
    snprintf(i->estimates[at].id, sizeof i->estimates[at].id, "%s", m->item);
    snprintf(i->estimates[at].answer, sizeof i->estimates[at].answer, "%s", m->answer);
    i->estimates[at].given = m->answer[0] != '\0';
    i->estimates[at].left = m->left;
    return 0;
}

/* The last call for a probe that was made before it was bought. */
static const char *pending_call(const struct investigation *i, const char *probe)
{
    for (int m = i->n_moves - 1; m >= 0; m--)
        if (i->moves[m].kind == MOVE_CALLED && strcmp(i->moves[m].probe, probe) == 0)
            return i->moves[m].answer;
    return "";
}

static int apply_bought(struct investigation *i, const struct move *m, struct err *err)
{
    const struct probe *p = shelf(m->probe);
    if (!p && !story_experiment(i->story, m->probe))
        return refuse(err, "there is no probe '%s' here", m->probe);
    if (p && story_is_case(i->story))
        return refuse(err, "a case has exhibits, and no '%s'", m->probe);
    if (i->phase != PHASE_OPEN && (!p || p->id != SHOP_SOURCE))
        return refuse(err, "nothing but the source can be opened after the commitment");
    if (i->phase >= PHASE_RESPONDED)
        return refuse(err, "the last word is spoken: it is time for the debrief");
    if (investigation_has(i, m->probe))
        return refuse(err,
                      find_purchase(i, m->probe)->handed ? "%s was handed out before"
                                                         : "%s was bought before",
                      m->probe);
    i->bought = mem_grow(i->bought, (size_t)i->n_bought + 1, sizeof *i->bought);
    struct purchase *bought = &i->bought[i->n_bought];
    bool handed = m->kind == MOVE_HANDED;
    *bought = (struct purchase){.price = handed ? 0 : investigation_price(i, m->probe),
                                .evidence = m->evidence,
                                .handed = handed};
    snprintf(bought->probe, sizeof bought->probe, "%s", m->probe);
    snprintf(bought->call, sizeof bought->call, "%.23s", pending_call(i, m->probe));
    i->n_bought++;
    i->price += bought->price;
    if (i->phase == PHASE_OPEN)
        add_step(i, m->probe);
    return 0;
}

/* *then: what is said to be left; -1: nothing was said. */
static int left_ok(const struct investigation *i, const struct move *m, int *then, struct err *err)
{
    *then = story_hypothesis(i->story, m->then);
    if (!m->then[0])
        return 0;
    if (!story_asks_left(i->story))
        return refuse(err, "nobody asked what is left: this story holds one fault at most");
    return *then >= 0 ? 0 : refuse(err, "'%s' is not on offer as what is left", m->then);
}

static int apply_committed(struct investigation *i, const struct move *m, struct err *err)
{
    int remedy = -1, then;
    bool completes =
        i->phase == PHASE_COMMITTED &&
        i->remedy < 0; /* the screen locks the beliefs first, then asks for line and remedy */
    if (i->phase != PHASE_OPEN && !completes)
        return refuse(err, "the commitment was made already");
    for (int r = 0; r < i->story->n_remedies; r++)
        if (strcmp(i->story->remedies[r].id, m->remedy) == 0)
            remedy = r;
    if (m->remedy[0] && remedy < 0)
        return refuse(err, "remedy '%s' is not on offer here", m->remedy);
    if (m->line < 0)
        return refuse(err, "a line is a number from 1, or 0 for nowhere");
    if (left_ok(i, m, &then, err))
        return ERR_BAD_REQUEST;
    i->line = m->line;
    i->remedy = remedy;
    i->then = then;
    if (m->left == LEFT_CUT)
        i->cut |= CUT_LOCK | CUT_PLACE | (investigation_tested(i) ? 0 : CUT_TESTS);
    i->phase = PHASE_COMMITTED;
    return 0;
}

static int apply_pushed(struct investigation *i, const struct move *m, struct err *err)
{
    if (i->phase != PHASE_COMMITTED)
        return refuse(err, "a pushback follows the commitment, once");
    if (m->pushback < 0 || m->pushback >= i->variant->n_pushbacks)
        return refuse(err, "there is no pushback %d", m->pushback);
    i->pushback = m->pushback;
    i->phase = PHASE_PUSHED;
    return 0;
}

static void cut_word(struct investigation *i)
{
    if (i->remedy < 0)
        i->cut |= CUT_PLACE;
    if (i->phase == PHASE_PUSHED)
        i->cut |= CUT_ANSWER;
}

/* Where nobody pushed back, or nobody was let answer, the last word is what was committed, and no
 * step of the beliefs. */
static int apply_responded(struct investigation *i, const struct move *m, struct err *err)
{
    if (i->phase != PHASE_COMMITTED && i->phase != PHASE_PUSHED)
        return refuse(err, i->phase == PHASE_OPEN ? "there was no commitment yet"
                                                  : "the pushback was answered already");
    int rc = points_ok(i, m, err);
    if (rc)
        return rc;
    size_t bytes = (size_t)i->story->n_hypotheses * sizeof *m->points;
    bool silent = i->phase == PHASE_COMMITTED || m->left == LEFT_CUT;
    if (silent && memcmp(m->points, i->points, bytes) != 0)
        return refuse(err, "%s: the beliefs stay as they were locked",
                      i->phase == PHASE_COMMITTED ? "nobody pushed back" : "nobody answered");
    if (m->left == LEFT_CUT)
        cut_word(i);
    if (!silent) {
        add_step(i, "pushback");
        believe(i, m);
    }
    i->phase = PHASE_RESPONDED;
    return 0;
}

static int apply_revealed(struct investigation *i, struct err *err)
{
    bool unanswered =
        i->phase == PHASE_PUSHED || (i->phase == PHASE_COMMITTED && i->variant->n_pushbacks > 0);
    if (unanswered)
        return refuse(err, "the pushback comes first, and its answer");
    if (i->phase == PHASE_OPEN)
        return refuse(err, "nothing is revealed before the commitment");
    i->phase = PHASE_REVEALED;
    return 0;
}

static void take_note(struct investigation *i, const char *text)
{
    free(i->note);
    i->note = text_dup(text);
}

static int enter(struct investigation *i, const struct move *m, struct err *err)
{
    switch (m->kind) {
    case MOVE_STARTED: return apply_started(i, m, err);
    case MOVE_ASKED: return apply_asked(i, m, err);
    case MOVE_CALLED: return apply_called(i, m, err);
    case MOVE_BELIEVED: return apply_believed(i, m, err);
    case MOVE_ESTIMATED: return apply_estimated(i, m, err);
    case MOVE_BOUGHT:
    case MOVE_HANDED: return apply_bought(i, m, err);
    case MOVE_COMMITTED: return apply_committed(i, m, err);
    case MOVE_PUSHED: return apply_pushed(i, m, err);
    case MOVE_RESPONDED: return apply_responded(i, m, err);
    case MOVE_REVEALED: return apply_revealed(i, err);
    case MOVE_ABANDONED: i->phase = PHASE_ABANDONED; return 0;
    case MOVE_NOTED: take_note(i, m->text ? m->text : m->answer); return 0;
    case MOVE_PAUSED: return 0;
    case MOVE_NAMED:
        return naming_due(i) || i->story->level < NAMING_LEVEL
                   ? 0
                   : refuse(err, "the causes on offer have been seen");
    default: return refuse(err, "there is no such move");
    }
}

/* Everything again, without what was taken back. The moves were accepted once, and what was undone
 * was a belief or an estimate on which no other move rests, so each is accepted again. */
static void refold(struct investigation *i)
{
    int n = i->n_moves;
    reset(i);
    for (i->n_moves = 0; i->n_moves < n; i->n_moves++) {
        const struct move *m = &i->moves[i->n_moves];
        bool skip = m->kind == MOVE_UNDONE;
        for (int u = 0; !skip && m->uid[0] && u < n; u++)
            skip = i->moves[u].kind == MOVE_UNDONE && strcmp(i->moves[u].undone, m->uid) == 0;
        if (!skip)
            enter(i, m, NULL);
        if (m->elapsed_ms > i->elapsed_ms)
            i->elapsed_ms = m->elapsed_ms;
    }
}

static void book(struct investigation *i, const struct move *m)
{
    i->moves = mem_grow(i->moves, (size_t)i->n_moves + 1, sizeof *i->moves);
    i->moves[i->n_moves++] = *m;
    if (m->elapsed_ms > i->elapsed_ms)
        i->elapsed_ms = m->elapsed_ms;
}

static bool was_made(const struct investigation *i, const char *uid)
{
    for (int m = 0; uid[0] && m < i->n_moves; m++)
        if (strcmp(i->moves[m].uid, uid) == 0)
            return true;
    return false;
}

int investigation_apply(struct investigation *i, struct move *m, struct err *err)
{
    if (i->phase == PHASE_REVEALED)
        return refuse(err, "this investigation is over: everything was revealed");
    if (i->phase == PHASE_ABANDONED)
        return refuse(err, "this investigation was abandoned");
    if (was_made(i, m->uid))
        return refuse(err, "this move was made already");
    if (m->kind == MOVE_UNDONE) {
        const char *uid = investigation_undoable(i);
        if (!uid || strcmp(uid, m->undone) != 0)
            return refuse(err, "that can not be taken back; what was seen stays bought");
        book(i, m);
        refold(i);
        return 0;
    }
    int rc = enter(i, m, err);
    if (rc)
        return rc;
    book(i, m);
    return 0;
}
