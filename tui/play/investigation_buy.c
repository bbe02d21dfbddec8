/* From a letter to evidence in the notebook. The measurement starts at once; meanwhile an estimate
 * may be asked and a number called. The purchase becomes a move only when all three are there, so
 * that cancelling or failing costs nothing. */
#include "tui/play/investigation_buy.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/evidence/finding.h"
#include "scenarios/evidence/program.h"
#include "scenarios/pack/failing.h"
#include "scenarios/pack/harness.h"
#include "tui/app/app_runner.h"
#include "tui/play/debrief_screen.h"
#include "tui/play/investigation_modes.h"

static void say_line(struct app *app, const char *before, const char *text)
{
    app_say(app, "%s%.*s", before, (int)strcspn(text, "\n"), text);
}

static const char *missing_now(const struct investigation_screen *s, const struct probe *p)
{
    if (p->id == SHOP_ASK)
        return s->story->n_questions ? NULL : "this story has no questions";
    if (!s->supply)
        return s->no_supply;
    if (p->id == SHOP_VERIFY && story_is_case(s->story))
        return supply_missing(s->supply, p->name);
    if (p->id == SHOP_EXPERIMENT || p->id == SHOP_VERIFY)
        return NULL;
    return supply_missing(s->supply, p->name);
}

void buy_learn(struct investigation_screen *s)
{
    size_t n = 0;
    const struct probe *table = probe_table(&n);
    for (size_t k = 0; k < n; k++)
        s->missing[table[k].id] = missing_now(s, &table[k]);
}

/* Which standard experiments have an answer follows from how a suspect fails. Timing sells that. */
static bool waits_for_timing(const struct investigation_screen *s, const char *probe)
{
    const struct experiment *x = story_experiment(s->story, probe);
    return variant_fails(s->variant) && x && x->standard &&
           !investigation_has(state_of(s), "timing");
}

const char *buy_withheld(const struct investigation_screen *s, const char *probe)
{
    if (investigation_has(state_of(s), probe))
        return NULL;
    if (waits_for_timing(s, probe))
        return "it brings no result; its timing comes first, which says how";
    return hook_withheld(&s->in, probe);
}

const char *buy_missing(const struct investigation_screen *s, const struct probe *p)
{
    const char *withheld = buy_withheld(s, p->name);
    return withheld ? withheld : s->missing[p->id];
}

/* ---- the supply ---- */

/* The name that it is asked by. */
static const char *wanted_name(const struct investigation_screen *s, enum wanted wanted)
{
    static const char *const names[] = {[WANTED_SYMPTOM] = "symptom", [WANTED_DEBRIEF] = "debrief"};
    return wanted == WANTED_PROBE    ? s->buy.probe
           : wanted == WANTED_HANDED ? s->handing
                                     : names[wanted];
}

const char *wanted_words(const struct investigation_screen *s)
{
    const struct probe *p = s->wanted == WANTED_HANDED ? probe_by_name(s->handing) : NULL;
    switch (s->wanted) {
    case WANTED_SYMPTOM: return "the symptom";
    case WANTED_DEBRIEF: return "the fix beside the suspect";
    case WANTED_HANDED: return p ? p->title : s->handing;
    default: return s->buy.title;
    }
}

static void give_up(struct app *app, struct investigation_screen *s, enum wanted wanted)
{
    s->wanted = WANTED_NOTHING;
    if (wanted == WANTED_PROBE)
        buy_cancel(app, s);
}

/* The recording stepped in. */
static void tell_fault(struct investigation_screen *s)
{
    const char *why = supply_fault(s->supply);
    if (why)
        hook_fault(&s->in, wanted_words(s), why);
}

void wanted_ask(struct app *app, struct investigation_screen *s, enum wanted wanted)
{
    struct err err = { 0 };
    if (!s->supply || s->wanted != WANTED_NOTHING)
        return;
    s->wanted = wanted;
    supply_tick(s->supply, app_now(app));
    int rc = supply_ask(s->supply, wanted_name(s, wanted), &err);
    tell_fault(s);
    if (rc != 0) {
        hook_fault(&s->in, wanted_name(s, wanted), err.text);
        say_line(app, "", s->in.hooks ? "That cannot be measured just now." : err.text);
        give_up(app, s, wanted);
        return;
    }
    wanted_step(app, s);
}

/* The first sentence of why it failed; the GPU screen has the rest. */
static void say_failed(struct app *app, struct investigation_screen *s, enum wanted wanted)
{
    bool paid = wanted == WANTED_PROBE;
    const char *again = paid                       ? "Buy again to reconnect."
                        : wanted == WANTED_DEBRIEF ? "Enter tries again."
                                                   : "The next purchase reconnects.";
    const char *why = supply_say(s->supply, NULL, NULL), *end = strstr(why, ". ");
    bool lost = strcmp(supply_tier(s->supply), "live") == 0 && !app_client(app);
    hook_fault(&s->in, wanted_name(s, wanted), why);
    if (investigation_refuses(app, s,
                              paid ? "Nothing was charged: it could not be measured just now."
                                   : "That could not be measured just now."))
        return;
    if (lost)
        app_say(app, "%s%.*s. %s", paid ? "Nothing was charged: " : "",
                end ? (int)(end - why) : (int)strcspn(why, "\n"), why, again);
    else
        say_line(app, paid ? "Nothing was charged: " : "", why);
}

static void take_printed(struct investigation_screen *s)
{
    const struct benchmark *b = variant_benchmark(s->variant, "a");
    if (finding_failure(s->symptom))
        snprintf(s->printed, sizeof s->printed, "no result");
    else if (b && (b->unit || b->baseline_file) && s->symptom && s->symptom->n_parts)
        program_printed(s->printed, sizeof s->printed, s->variant, "a", investigation_device(s),
                        &s->symptom->parts[0]);
}

static void take_symptom(struct investigation_screen *s, struct evidence *e)
{
    evidence_free(s->symptom);
    s->symptom = e;
    const struct msg_value *v = e && e->n_parts ? msg_part_time(&e->parts[0]) : NULL;
    s->time = v && v->present ? v->value : 0;
    take_printed(s);
    investigation_book(s);
}

static void reveal(struct app *app, struct investigation_screen *s, const struct msg_device *device,
                   struct evidence *all)
{
    struct err err = { 0 };
    if (attempt_reveal(s->attempt, device, all, app_now(app), &err) != 0) {
        hook_fault(&s->in, "the truth", err.text);
        say_line(app, "", err.text);
        return;
    }
    struct attempt *a = s->attempt;
    investigation_told(s);
    s->attempt = NULL;
    debrief_replace(app, a, s->in.hooks, s->begin);   /* s is gone */
}

static void take_handed(struct investigation_screen *s, struct evidence *e)
{
    struct err err = { 0 };
    if (hook_hand(&s->in, s->handing, e, &err) != 0) {
        hook_fault(&s->in, s->handing, err.text);
        return;
    }
    snprintf(s->arrived, sizeof s->arrived, "The interviewer's evidence");
    investigation_book(s);
    if (!mode_of(s)->writes && !s->buy.active)
        investigation_select_newest(s);
}

static void arrive(struct app *app, struct investigation_screen *s);

void wanted_step(struct app *app, struct investigation_screen *s)
{
    if (!s->supply || s->wanted == WANTED_NOTHING)
        return;
    supply_tick(s->supply, app_now(app));
    tell_fault(s);
    enum supply_state state = supply_poll(s->supply);
    enum wanted wanted = s->wanted;
    if (state == SUPPLY_WORKING)
        return;
    s->wanted = WANTED_NOTHING;
    if (state == SUPPLY_READY) {
        struct evidence *e = supply_take(s->supply);
        if (wanted == WANTED_SYMPTOM)
            take_symptom(s, e);
        else if (wanted == WANTED_DEBRIEF)
            reveal(app, s, supply_answers(s->supply), e);
        else if (wanted == WANTED_HANDED)
            take_handed(s, e);
        else {
            s->buy.arrived = e;
            arrive(app, s);
            if (!s->symptom && strcmp(supply_tier(s->supply), "live") == 0)
                wanted_ask(app, s, WANTED_SYMPTOM); /* the link died before it came */
        }
    } else if (state == SUPPLY_FAILED) {
        say_failed(app, s, wanted);
        supply_cancel(s->supply);
        give_up(app, s, wanted);
    }
}

/* ---- purchases ---- */

/* Opens what still has to be asked before this evidence may be seen; true when nothing is left. */
static bool ask_first(struct app *app, struct investigation_screen *s)
{
    const struct estimate *due = investigation_due(state_of(s), s->buy.probe);
    if (due && due != s->buy.asking)
        investigation_text(app, s, "");
    s->buy.asking = due;
    if (due)
        return false;
    app_text_input(app, false);
    return s->buy.call == NULL;
}

static int apply_call(struct app *app, struct investigation_screen *s)
{
    const struct probe *p = probe_by_name(s->buy.probe);
    struct move m = { .kind = MOVE_CALLED };
    if (s->buy.called < 0 || !p)
        return 0;
    snprintf(m.probe, sizeof m.probe, "%s", s->buy.probe);
    snprintf(m.answer, sizeof m.answer, "%s", p->option[s->buy.called].label);
    return investigation_do(app, s, &m);
}

/* Code has a pane of its own; everything else stands in the notebook. */
static enum view view_of(const struct investigation_screen *s, const char *probe)
{
    if (strcmp(probe, "sass") == 0 && listing_of(s))
        return VIEW_LISTING;
    return strcmp(probe, "source") == 0 ? VIEW_SOURCE : VIEW_NOTES;
}

/* A share of the copy rate is worked out from the time. */
static bool has_headline(const struct evidence *e, const struct probe *p)
{
    bool timed = p->id == SHOP_TIMING;
    for (int k = 0; k < e->n_parts; k++) {
        const struct msg_value *v = timed ? msg_part_time(&e->parts[k])
                                          : msg_part_value(&e->parts[k], p->headline);
        if (v && v->present)
            return true;
    }
    return false;
}

/* The number to be called before it is seen; NULL where there is none, or the symptom shows it. */
static const struct probe *to_call(const struct investigation_screen *s, const struct probe *p)
{
    bool shown = p && p->id == SHOP_TIMING && time_told(s) > 0 && s->bytes > 0 && s->copy > 0;
    return p && p->headline && p->option[0].label && !shown ? p : NULL;
}

/* Everything is there: the purchase becomes a move and the newest block opens. */
static void arrive(struct app *app, struct investigation_screen *s)
{
    struct buying *b = &s->buy;
    if (b->arrived && b->call && !has_headline(b->arrived, b->call))
        b->call = NULL;     /* nobody calls a number that there is not */
    if (!b->active || !ask_first(app, s) || !b->arrived)
        return;
    struct move m = { .kind = MOVE_BOUGHT, .evidence = b->arrived };
    snprintf(m.probe, sizeof m.probe, "%s", b->probe);
    apply_call(app, s);
    b->active = false;
    bool presses = attempt_scribe(s->attempt, b->scribe);
    int rc = investigation_do(app, s, &m);
    attempt_scribe(s->attempt, presses);
    if (rc != 0) {
        evidence_free(b->arrived);
        b->arrived = NULL;
        return;
    }
    b->arrived = NULL;
    snprintf(s->arrived, sizeof s->arrived, "%c", b->letter);
    investigation_select_newest(s);
    s->scroll = s->shift = 0;
    s->view = view_of(s, b->probe);
}

static void turn_to(struct investigation_screen *s, const char *probe)
{
    int at = notebook_find(&s->book, probe);
    if (at >= 0)
        s->note = at, s->row = -1, s->row_last = true;
    s->view = view_of(s, probe);
    s->explaining = false;
}

/* As the list has it: what an experiment costs that changes nothing is told by buying it alone. */
static int told_price(const struct investigation *i, const char *probe)
{
    const struct experiment *x = story_experiment(i->story, probe);
    return x ? x->price : investigation_price(i, probe);
}

/* What brings the price to the end of patience is told once; the same again buys it. */
static bool warns(struct app *app, struct investigation_screen *s, const char *probe,
                  const char *title)
{
    const struct investigation *i = state_of(s);
    int left = i->patience - i->price, price = told_price(i, probe);
    bool told = strcmp(s->warned, probe) == 0;
    snprintf(s->warned, sizeof s->warned, "%s", probe);
    if (told || left <= 0 || price == 0 || price < left)
        return false;
    app_say(app, "%s takes %d of %d min left: evidence scores 0 then. Again buys it.", title, price,
            left);
    return true;
}

void buy_probe(struct app *app, struct investigation_screen *s, const char *probe, char letter,
               const char *title)
{
    const struct probe *p = probe_by_name(probe);
    const char *withheld = buy_withheld(s, probe), *why = withheld ? withheld
                                                          : s->supply
                                                              ? supply_missing(s->supply, probe)
                                                              : s->no_supply;
    if (investigation_has(state_of(s), probe)) {
        turn_to(s, probe);
        return;
    }
    if (why) {
        app_say(app, "%c  %s: %s", letter, title, why);
        return;
    }
    if (s->wanted != WANTED_NOTHING) {
        app_say(app, s->wanted == WANTED_HANDED
                         ? "The interviewer's evidence is on its way; a moment."
                         : "The symptom is still being measured.");
        return;
    }
    if (warns(app, s, probe, title))
        return;
    s->buy = (struct buying){ .active = true,
                              .letter = letter,
                              .called = -1,
                              .call = to_call(s, p),
                              .scribe = attempt_has_scribe(s->attempt) };
    snprintf(s->buy.probe, sizeof s->buy.probe, "%s", probe);
    snprintf(s->buy.title, sizeof s->buy.title, "%s", title);
    ask_first(app, s);
    wanted_ask(app, s, WANTED_PROBE);
}

void buy_expect(struct app *app, struct investigation_screen *s, const struct estimate *e)
{
    s->buy = (struct buying){ .called = -1, .asking = e };
    investigation_text(app, s, "");
}

void buy_letter(struct app *app, struct investigation_screen *s, int letter)
{
    const struct probe *p = probe_by_letter((char)letter);
    const char *why = p ? buy_missing(s, p) : NULL;
    if (!p)
        return;
    if (s->buy.active) {
        app_say(app,
                s->buy.arrived ? "%c has arrived: call it with a digit, or look with Enter."
                               : "%c is being measured; Esc cancels.",
                s->buy.letter);
        return;
    }
    s->explaining = false;
    if (why)
        app_say(app, "%c  %s: %s", p->letter, p->title, why);
    else if (p->id == SHOP_ASK || p->id == SHOP_EXPERIMENT || p->id == SHOP_VERIFY)
        list_open(s, p->id);
    else
        buy_probe(app, s, p->name, p->letter, p->title);
}

void buy_cancel(struct app *app, struct investigation_screen *s)
{
    if (!s->buy.active)
        return;
    if (s->supply && s->wanted == WANTED_PROBE)
        supply_cancel(s->supply);
    evidence_free(s->buy.arrived);
    s->buy = (struct buying){ .called = -1 };
    if (s->wanted == WANTED_PROBE)
        s->wanted = WANTED_NOTHING;
    app_text_input(app, false);
}

void buy_call(struct app *app, struct investigation_screen *s, int digit)
{
    if (digit > 4 || (digit > 0 && !s->buy.call->option[digit - 1].label))
        return;
    s->buy.called = digit - 1;
    s->buy.call = NULL;
    arrive(app, s);
}

void buy_go_on(struct app *app, struct investigation_screen *s)
{
    if (s->buy.arrived)
        arrive(app, s);
    else if (s->buy.active)
        ask_first(app, s);
}
