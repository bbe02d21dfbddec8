/* An interview's plan, to be edited before it begins. */
#include "tui/interview/plan_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/interview/interview_life.h"
#include "tui/app/app_data.h"
#include "tui/app/app_runner.h"
#include "tui/interview/brief_screen.h"
#include "tui/interview/console_screen.h"
#include "tui/interview/plan_draw.h"
#include "tui/interview/plan_edit.h"
#include "tui/interview/plan_find.h"
#include "tui/play/sealed_screen.h"

enum { LASTING_MS = 24 * 3600 * 1000 /* of the codes */ };

static const struct screen_ops plan_screen;
static void first_proposal(struct app *app, struct plan_page *p);

/* ---- life ---- */

static void rubric_first(struct app *app, struct plan_page *p)
{
    struct err err = { 0 };
    if (!p->options.rubric || p->now.plan.n_parts == 0)
        return;
    if (session_rubric_read(&p->now.plan, p->options.rubric, &err))
        app_say(app, "%s", err.text);
    else
        snprintf(p->rubric, sizeof p->rubric, "%.299s", p->options.rubric);
}

void plan_screen_open(struct app *app, const struct host_options *options)
{
    struct plan_page *p = mem_new(1, sizeof *p);
    p->options = *options;
    p->stock = (struct plan_stock){.catalog = app_catalog(app),
                                   .library = app_library(app),
                                   .gpu = app_device(app) != NULL};
    recorded_gpus_find(&p->recorded, p->stock.catalog);
    first_proposal(app, p);
    p->start = options->start;
    app_push(app, &plan_screen, p);
}

static void leave(struct app *app, void *self)
{
    struct plan_page *p = self;
    (void)app;
    plan_stock_free(&p->stock);
    free(p->undo);
    free(p);
}

/* A story of a pack that is shut; NULL: none is. */
static const struct story *shut_story(const struct catalog *c)
{
    for (int p = 0; c && p < c->n_packs; p++)
        if (c->packs[p]->seal == SEAL_SHUT && c->packs[p]->n_stories > 0)
            return &c->packs[p]->stories[0];
    return NULL;
}

/* The plan of an interview that was; it counts as changed by hand, so that a name proposes no
 * other. */
static bool propose_like(struct app *app, struct plan_page *p)
{
    struct session_plan *plan = &p->now.plan;
    struct err err = { 0 };
    if (interview_plan_of(plan, p->options.like, &err)) {
        app_say(app, "%s", err.text);
        return false;
    }
    p->stock.catalog = app_catalog(app);
    p->now.minutes = session_plan_minutes(plan);
    p->now.edited = true;
    return true;
}

static bool propose(struct app *app, struct plan_page *p)
{
    const struct host_options *o = &p->options;
    return o->like ? propose_like(app, p)
                   : plan_page_propose(app, p, o->level >= 0 ? o->level : 1,
                                       o->minutes ? o->minutes : 60, app_seed(app));
}

/* What was asked for, or is made once more when a pack was opened. */
static void first_proposal(struct app *app, struct plan_page *p)
{
    char before[300];
    snprintf(before, sizeof before, "%s", app_said(app) ? app_said(app) : "");
    *p->trouble = '\0';
    app_unsay(app);
    if (!propose(app, p)) {
        bool packs =
            app_catalog(app) != NULL || !*before; /* without any, what was said before is why */
        snprintf(p->trouble, sizeof p->trouble, "%s%s%.250s%s", packs ? app_said(app) : "",
                 packs && *before ? "\n\n" : "", before,
                 shut_story(app_catalog(app))
                     ? "\n\nEnter asks for the passphrase of a sealed pack."
                     : "");
        app_unsay(app);                  /* once is enough */
    } else if (*before)
        app_say(app, "%s", before);
    rubric_first(app, p);
}

/* ---- which keys ---- */

static const struct binding plan_rows[] = {
    {ACT_ENTER, "Enter", "start",
     "on a row of words: type; elsewhere: make the session with this plan, and open the console"},
    {ACT_MORE, "+ = Right", "- change", "one step more; minutes go by five"},
    {ACT_LESS, "- _ Left", NULL, "one step less"},
    {ACT_EXCHANGE, "Tab e", "exchange",
     "another scenario that fits in this part's place; other drills; another question"},
    {ACT_FIND, "/", "search",
     "puts the first scenario that has it in its title, kind, level, cause or id in this part's "
     "place; then n the next, N the one before, u back"},
    {ACT_BRIEF, "b", "brief",
     "the page about this scenario: numbers, what settles, what misleads, wrong turns"},
    {ACT_ADD, "a", "add", "a part below the marked one: a scenario; again: drills, then a talk"},
    {ACT_REMOVE, "x Del", "remove", "take the marked part out"},
    {ACT_UNDO, "u", "undo", "take the last change back"},
    {ACT_FIT, "f", NULL, "cut the longest parts until the minutes that were planned hold"},
    {ACT_SEED, "s", "seed",
     "the next seed: everything is picked anew, at this level and in these minutes; host --seed N "
     "proposes the same again"},
    KEYS_UP_DOWN,
    {ACT_LEAVE, "q Esc", "leave", "leave; twice where the plan was changed: only Enter keeps one"},
};

static const struct binding typing_rows[] = {
    {ACT_NONE, "Enter", "keep", NULL},
    {ACT_NONE, "Esc", "leave as it was", NULL},
};

static const struct binding trouble_rows[] = {
    KEYS_BACK,
};

static const char *const plan_how[] = {
    "A plan is a proposal: another level or seed picks its parts anew, a part can be exchanged, "
    "moved in minutes, added or taken out, and u takes any of it back. One that is longer than "
    "planned asks before it begins, and f cuts it. ! marks a scenario that somebody of this name "
    "was shown before. The candidate reads titles, never a cause.",
    NULL,
};

static const struct key_list plan_keys = {KEY_ROWS(plan_rows), .how = plan_how},
                             typing_keys = {KEY_ROWS(typing_rows), .words = true,
                                            .only_listed = true},
                             trouble_keys = {KEY_ROWS(trouble_rows), .how = plan_how};

static const struct key_list *keys_here(struct app *app, const void *self)
{
    const struct plan_page *p = self;
    (void)app;
    return p->typing ? &typing_keys : *p->trouble ? &trouble_keys : &plan_keys;
}

static void draw(struct app *app, const void *self)
{
    plan_page_draw(app, self, keys_here(app, self));
}

/* ---- keys ---- */

static void bring_into_view(struct app *app, struct plan_page *p)
{
    int last = ROW_PARTS + p->now.plan.n_parts - 1, shown = plan_parts_shown(app), k;
    p->at = p->at > last ? last : p->at < 0 ? 0 : p->at;
    k = p->at - ROW_PARTS;
    if (k >= 0 && k < p->top)
        p->top = k;
    if (k >= p->top + shown)
        p->top = k - shown + 1;
    if (k < 0)
        p->top = 0;
}

/* Said once, and begun by the second Enter. */
static bool too_long(struct app *app, struct plan_page *p)
{
    int over = session_plan_minutes(&p->now.plan) - p->now.minutes;
    if (over <= 0 || p->sure)
        return false;
    p->sure = true;
    app_say(app, "%d min too long for %d. Enter once more begins it so; f cuts the longest parts.",
            over, p->now.minutes);
    return true;
}

static int brief(struct app *app, struct plan_page *p)
{
    const struct session_part *part =
        p->at >= ROW_PARTS ? &p->now.plan.parts[p->at - ROW_PARTS] : NULL;
    const struct variant *v = part ? plan_variant(&p->stock, part) : NULL;
    if (!v)
        app_say(app, "Choose a scenario first.");
    else if (v->sealed)
        sealed_ask(app, v->story);
    else
        brief_open(app, part, v);
    return DO_REDRAW;
}

/* Minutes that do not sum up are the interviewer's business, once they were told of; a pack that is
 * shut is not. */
static int start(struct app *app, struct plan_page *p)
{
    struct interview *live = NULL;
    struct session_codes codes;
    struct err err = { 0 };
    for (int k = 0; k < p->now.plan.n_parts; k++) {
        const struct variant *v = plan_variant(&p->stock, &p->now.plan.parts[k]);
        if (p->now.plan.parts[k].kind == PART_SCENARIO && !v) {
            app_say(app, "Part %d: %s is not here any more.", k + 1, p->now.plan.parts[k].id);
            return DO_REDRAW;
        }
        if (v && v->sealed) {
            p->at = ROW_PARTS + k;
            sealed_ask(app, v->story);
            return DO_REDRAW;
        }
    }
    if (p->now.plan.n_parts == 0)
        return DO_NOTHING;
    if (too_long(app, p))
        return DO_REDRAW;
    if (interview_create(&live, &codes, &p->now.plan, LASTING_MS, &err)) {
        app_say(app, "%s", err.text);
        return DO_REDRAW;
    }
    console_open(app, live, &codes, &p->options);   /* in this screen's place */
    return DO_REDRAW;
}

/* Nothing is kept before the interview is made. */
static int leave_key(struct app *app, struct plan_page *p)
{
    if (p->n_undo == 0 || p->leaving)
        return DO_POP;
    p->leaving = true;
    app_say(app, "This plan is kept nowhere before it starts. q once more leaves it.");
    return DO_REDRAW;
}

static int enter_key(struct app *app, struct plan_page *p)
{
    if (*p->trouble && shut_story(app_catalog(app)))
        sealed_ask(app, shut_story(app_catalog(app)));
    if (*p->trouble)
        return DO_REDRAW;
    if (p->at != ROW_CANDIDATE && p->at != ROW_RUBRIC)
        return start(app, p);
    textfield_init(&p->field, p->at == ROW_CANDIDATE ? p->now.plan.candidate : p->rubric);
    p->typing = true;
    app_text_input(app, true);
    return DO_REDRAW;
}

/* ---- typing ---- */

static bool name_typed(struct app *app, struct plan_page *p, const char *name)
{
    struct session_plan *plan = &p->now.plan;
    if (strlen(name) >= sizeof plan->candidate) {
        app_say(app, "A name has at most %zu bytes.", sizeof plan->candidate - 1);
        return false;
    }
    plan_page_keep(p);
    snprintf(plan->candidate, sizeof plan->candidate, "%s", name);
    plan_seen_load(&p->stock, name);
    if (!p->now.edited && p->stock.n_seen > 0)
        plan_page_propose(app, p, plan->level, p->now.minutes, plan->seed);
    if (p->stock.n_seen > 0)
        app_say(app, "%s was shown %d scenario%s before.", name, p->stock.n_seen,
                p->stock.n_seen == 1 ? "" : "s");
    return true;
}

/* No shell stands between, so that ~ is read here. */
static char *from_home(const char *path)
{
    const char *home = getenv("HOME");
    return home && !strncmp(path, "~/", 2) ? text_format("%s%s", home, path + 1) : text_dup(path);
}

static bool rubric_typed(struct app *app, struct plan_page *p, const char *typed)
{
    struct err err = { 0 };
    char *path = from_home(typed);
    int rc = 0;
    plan_page_keep(p);
    if (*path)
        rc = session_rubric_read(&p->now.plan, path, &err);
    else
        session_rubric_builtin(&p->now.plan);
    free(path);
    if (rc) {
        p->n_undo--;
        app_say(app, "%s", err.text);
        return false;
    }
    snprintf(p->rubric, sizeof p->rubric, "%.299s", typed);
    return true;
}

static int typed(struct app *app, void *self, int key)
{
    struct plan_page *p = self;
    enum textfield_result result = textfield_key(&p->field, key);
    if (result != TEXTFIELD_DONE && result != TEXTFIELD_CANCELLED)
        return DO_REDRAW;
    textfield_trim(&p->field);
    const char *text = textfield_text(&p->field);
    if (result == TEXTFIELD_DONE &&
        !(p->at == ROW_CANDIDATE ? name_typed(app, p, text) : rubric_typed(app, p, text)))
        return DO_REDRAW;
    p->typing = false;
    app_text_input(app, false);
    return DO_REDRAW;
}

static int act(struct app *app, void *self, enum action action, int arg)
{
    struct plan_page *p = self;
    bool again = p->adding;
    int flags = DO_REDRAW;
    (void)arg;
    if (*p->trouble && action != ACT_BACK && action != ACT_ENTER)
        return DO_NOTHING;
    p->adding = false;
    p->sure = p->sure && action == ACT_ENTER;
    p->leaving = p->leaving && action == ACT_LEAVE;
    switch (action) {
    case ACT_BACK: return DO_POP;
    case ACT_LEAVE: return leave_key(app, p);
    case ACT_ENTER: return enter_key(app, p);
    case ACT_UP: p->at--; break;
    case ACT_DOWN: p->at++; break;
    case ACT_MORE: flags = plan_page_step(app, p, 1); break;
    case ACT_LESS: flags = plan_page_step(app, p, -1); break;
    case ACT_EXCHANGE: flags = plan_page_exchange(app, p); break;
    case ACT_BRIEF: flags = brief(app, p); break;
    case ACT_ADD: flags = plan_page_add(app, p, again); break;
    case ACT_REMOVE: flags = plan_page_remove(app, p); break;
    case ACT_UNDO: flags = plan_page_undo(app, p); break;
    case ACT_SEED: flags = plan_page_reseed(app, p); break;
    case ACT_FIT: flags = plan_page_fit(app, p); break;
    default: return DO_NOTHING;
    }
    bring_into_view(app, p);
    return flags;
}

/* A pack may have been opened above. */
static void shown(struct app *app, void *self)
{
    struct plan_page *p = self;
    p->stock.catalog = app_catalog(app);
    p->leaving = false;
    if (*p->trouble)
        first_proposal(app, p);
}

static int due_ms(const struct app *app, const void *self, int64_t now_ms)
{
    const struct plan_page *p = self;
    (void)app, (void)now_ms;
    return p->start ? 0 : -1;
}

/* `--start`: at once, with the plan as proposed. */
static int tick(struct app *app, void *self, int64_t now_ms)
{
    struct plan_page *p = self;
    (void)now_ms;
    if (!p->start)
        return DO_NOTHING;
    p->start = false;
    return start(app, p);
}

static void find_rows(struct app *app, const void *self, struct find_rows *out)
{
    const struct plan_page *p = self;
    if (!*p->trouble)
        plan_find_rows(app, p, out);
}

static void find_go(struct app *app, void *self, int row, int column, int columns)
{
    (void)column, (void)columns;
    plan_find_go(self, row);
    bring_into_view(app, self);
}

static const struct find_ops plan_find = {find_rows, find_go};

static const struct screen_ops plan_screen = {
    .name = "plan",
    .find = &plan_find,
    .keys = keys_here,
    .draw = draw,
    .act = act,
    .text = typed,
    .leave = leave,
    .shown = shown,
    .due_ms = due_ms,
    .tick = tick,
};
