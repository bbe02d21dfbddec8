/* An interview's plan, to be edited before it begins. */
#include "tui/interview/plan_screen.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/interview/interview_life.h"
#include "scenarios/library/recorded_gpus.h"
#include "tui/kit/layout.h"
#include "tui/interview/plan_parts.h"
#include "tui/play/sealed_screen.h"
#include "tui/kit/textfield.h"
#include "tui/app/frame.h"
#include "tui/interview/brief_screen.h"
#include "tui/interview/console_screen.h"

enum plan_row {
    ROW_LEVEL,
    ROW_MINUTES,
    ROW_EVIDENCE,
    ROW_CANDIDATE,
    ROW_WITHHOLD,
    ROW_RUBRIC,
    ROW_PARTS
};
enum {
    VALUE_X = 16,
    UNDO_MOST = 32,
    DETAIL_ROWS = 4,
    LASTING_MS = 24 * 3600 * 1000 /* of the codes */
};

/* What u takes back. */
struct state { struct session_plan plan; int minutes; bool edited; };

struct plan_page {
    struct host_options options;
    struct plan_stock stock;
    struct state now;                    /* minutes: wanted; edited: parts were changed by hand */
    struct state *undo; int n_undo;
    struct recorded_gpus recorded;
    char rubric[300];                    /* its file; "" built in */
    int at, top;                         /* row chosen; first part shown */
    enum session_part_kind added;        /* by the key before, where that was `a` */
    bool adding, typing, start;
    bool sure; /* Enter was pressed on a plan that is too long: again begins it */
    struct textfield field;
    char trouble[700];                   /* no plan could be made */
};

static const struct screen_ops plan_screen;
static void first_proposal(struct app *app, struct plan_page *p);

/* ---- making ---- */

static void keep(struct plan_page *p)
{
    if (!p->undo)
        p->undo = mem_new(UNDO_MOST, sizeof *p->undo);
    if (p->n_undo == UNDO_MOST)
        memmove(&p->undo[0], &p->undo[1], (size_t)--p->n_undo * sizeof *p->undo);
    p->undo[p->n_undo++] = p->now;
}

/* A new proposal; what is no part of it stays. */
static bool propose(struct app *app, struct plan_page *p, int level, int minutes, uint64_t seed)
{
    struct session_plan made, *old = &p->now.plan;
    struct err err = { 0 };
    p->stock.catalog = app_catalog(app);
    if (plan_propose(&made, &p->stock, level, minutes, seed, &err)) {
        app_say(app, "%s", err.text);
        return false;
    }
    if (old->n_parts > 0) {
        snprintf(made.candidate, sizeof made.candidate, "%s", old->candidate);
        snprintf(made.tier, sizeof made.tier, "%s", old->tier);
        snprintf(made.gpu, sizeof made.gpu, "%s", old->gpu);
        made.withhold = old->withhold;
        memcpy(made.signals, old->signals, sizeof made.signals);
        made.n_signals = old->n_signals;
    }
    p->now = (struct state){ made, minutes, false };
    return true;
}

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

/* What was asked for, or is made once more when a pack was opened. */
static void first_proposal(struct app *app, struct plan_page *p)
{
    const struct host_options *o = &p->options;
    char before[300];
    snprintf(before, sizeof before, "%s", app_said(app) ? app_said(app) : "");
    *p->trouble = '\0';
    app_unsay(app);
    if (!propose(app, p, o->level >= 0 ? o->level : 1, o->minutes ? o->minutes : 60,
                 app_seed(app))) {
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

/* ---- drawing ---- */

static void value_text(char *out, size_t size, const struct app *app, const struct plan_page *p,
                       enum plan_row row)
{
    const struct session_plan *plan = &p->now.plan;
    switch (row) {
    case ROW_LEVEL: snprintf(out, size, "%d", plan->level); break;
    case ROW_MINUTES: snprintf(out, size, "%d min", p->now.minutes); break;
    case ROW_EVIDENCE:
        if (!strcmp(plan->tier, "live"))
            snprintf(out, size, "live on %s", app_device(app) ? app_device(app)->name : plan->gpu);
        else if (*plan->gpu || p->recorded.n == 1)
            snprintf(out, size, "recorded on %s",
                     recorded_gpus_name(&p->recorded,
                                        *plan->gpu ? plan->gpu : p->recorded.gpu[0].slug));
        else
            snprintf(out, size, "recorded, on any GPU that a scenario has");
        break;
    case ROW_CANDIDATE:
        snprintf(out, size, "%s", *plan->candidate ? plan->candidate : "no name yet");
        break;
    case ROW_WITHHOLD:
        snprintf(out, size, "%s",
                 plan->withhold ? "yes, until you release them" : "no, with each debrief");
        break;
    case ROW_RUBRIC:
        snprintf(out, size, "%s, %d signals", *p->rubric ? p->rubric : "built in", plan->n_signals);
        break;
    case ROW_PARTS: *out = '\0'; break;
    }
}

static void setting_draw(struct app *app, const struct plan_page *p, enum plan_row row, int y,
                         int w)
{
    static const char *const labels[] = {"level",     "minutes",     "evidence",
                                         "candidate", "scores held", "rubric"};
    bool chosen = p->at == (int)row;
    char value[400];
    draw_text(y, 0, 1, STYLE_ACCENT, chosen ? glyph("▸", ">") : " ");
    draw_text(y, 2, VALUE_X - 3, chosen ? STYLE_ACCENT : STYLE_PLAIN, labels[row]);
    if (p->typing && chosen) {
        textfield_draw(&p->field, y, VALUE_X, w - VALUE_X - 2, STYLE_ACCENT);
        return;
    }
    value_text(value, sizeof value, app, p, row);
    draw_text(y, VALUE_X, w - VALUE_X - 2,
              row == ROW_CANDIDATE && !*p->now.plan.candidate ? STYLE_DIM : STYLE_PLAIN, value);
}

/* What only the interviewer may read. */
static void cause_text(char *out, size_t size, const struct variant *v)
{
    if (!v)
        snprintf(out, size, "not here any more");
    else if (v->sealed)
        snprintf(out, size, "sealed: b opens it");
    else
        snprintf(out, size, "%s", v->story->hypotheses[v->cause]->label);
}

static void part_draw(const struct plan_page *p, int k, int y, int w)
{
    const struct session_part *part = &p->now.plan.parts[k];
    const struct variant *v = plan_variant(&p->stock, part);
    bool chosen = p->at == ROW_PARTS + k, wide = w >= 80;
    int right = wide ? 34 : 9;
    char cause[64];
    draw_text(y, 0, 1, STYLE_ACCENT, chosen ? glyph("▸", ">") : " ");
    draw_textf(y, 2, 2, STYLE_DIM, "%d", k + 1);
    draw_textf(y, 5, 8, chosen ? STYLE_ACCENT : STYLE_PLAIN, "%3d min", part->minutes);
    draw_text(y, 14, 9, STYLE_DIM, session_part_name(part->kind));
    if (plan_was_seen(&p->stock, part->id))
        draw_text(y, 23, 1, STYLE_BAD, "!");
    draw_text(y, 24, w - 25 - right, chosen ? STYLE_ACCENT : STYLE_PLAIN, part->title);
    if (part->kind == PART_DRILLS)
        draw_textf(y, w - right, right - 1, STYLE_DIM, wide ? "%d proposed" : "%d", part->n_drills);
    if (v)
        draw_textf(y, w - right, 8, STYLE_DIM, "level %d", v->story->level);
    if (part->kind != PART_SCENARIO || !wide)
        return;
    cause_text(cause, sizeof cause, v);
    draw_text(y, w - right + 9, right - 10, !v || v->sealed ? STYLE_DIM : STYLE_SECOND, cause);
}

static const char *seen_words(enum plan_seen seen)
{
    static const char *const words[] = {
        [SEEN_NEVER] = "",
        [SEEN_STORY] = " This candidate was shown this story before, with another cause.",
        [SEEN_VARIANT] = " This candidate was shown it before.",
    };
    return words[seen];
}

/* What stands behind the chosen row. */
static void detail_text(char *out, size_t size, const struct plan_page *p)
{
    static const char *const helps[] = {
        [ROW_LEVEL] =
            "From 0 to 4. Another level is another plan: parts are picked anew; u takes it back.",
        [ROW_MINUTES] =
            "From 20 to 180. Parts that were changed by hand stay as they are, and have to sum up.",
        [ROW_EVIDENCE] =
            "Recorded evidence is the same each time; live evidence is measured on the GPU that is "
            "used here, and where it fails recorded evidence steps in.",
        [ROW_CANDIDATE] = "Enter: type a name or a sign, such as C-07. It stands on the report, "
                          "and what somebody of that name was shown before is avoided.",
        [ROW_WITHHOLD] =
            "Held back, scores appear on the candidate's screen when you release them, and here "
            "once the rubric is filled; else both see them with each debrief.",
        [ROW_RUBRIC] =
            "Enter: type the path of your team's rubric (YAML); empty for the built-in one.",
    };
    if (p->at < ROW_PARTS) {
        snprintf(out, size, "%s", helps[p->at]);
        return;
    }
    const struct session_part *part = &p->now.plan.parts[p->at - ROW_PARTS];
    const struct variant *v = plan_variant(&p->stock, part);
    char cause[64];
    cause_text(cause, sizeof cause, v);
    if (part->kind == PART_SCENARIO)
        snprintf(out, size, "%s%s%s: %s.%s%s", part->id, v ? ", a " : "", v ? v->story->kind : "",
                 cause,
                 v && v->story->counted ? ""
                 : v                    ? " A warm-up."
                                        : "",
                 seen_words(plan_was_seen(&p->stock, part->id)));
    else if (part->kind == PART_TALK)
        snprintf(out, size, "%s", part->ask);
    else {
        *out = '\0';
        for (int d = 0; d < part->n_drills; d++) {
            const struct drill *drill = library_drill(p->stock.library, part->drills[d]);
            const char *title = drill ? drill->title : part->drills[d];
            snprintf(out + strlen(out), size - strlen(out), "%s%s", d ? "; " : "", title);
        }
    }
}

static int parts_shown(struct app *app)
{
    struct frame f;
    layout_frame(&f, app_rows(app), app_columns(app));
    return f.body.h - 2 - ROW_PARTS - DETAIL_ROWS;
}

static void sum_text(char *out, size_t size, const struct plan_page *p)
{
    int sum = session_plan_minutes(&p->now.plan), off = sum - p->now.minutes;
    if (off == 0)
        snprintf(out, size, "%d min, as planned", sum);
    else
        snprintf(out, size, "%d min: %d too %s", sum, abs(off), off > 0 ? "many" : "few");
}

static const struct binding plan_rows[] = {
    {ACT_ENTER, "Enter", "start",
     "on a row of words: type; elsewhere: make the session with this plan, and open the console"},
    {ACT_MORE, "+ = Right", "- change", "one step more; minutes go by five"},
    {ACT_LESS, "- _ Left", NULL, "one step less"},
    {ACT_EXCHANGE, "Tab e", "exchange",
     "another scenario that fits in this part's place; other drills; another question"},
    {ACT_BRIEF, "b", "brief",
     "the page about this scenario: numbers, what settles, what misleads, wrong turns"},
    {ACT_ADD, "a", "add", "a part below the marked one: a scenario; again: drills, then a talk"},
    {ACT_REMOVE, "x Del", "remove", "take the marked part out"},
    {ACT_UNDO, "u", "undo", "take the last change back"},
    {ACT_FIT, "f", NULL, "cut the longest parts until the minutes that were planned hold"},
    {ACT_SEED, "s", "seed",
     "another seed: everything is picked anew, at this level and in these minutes"},
    KEYS_UP_DOWN,
    KEYS_BACK,
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
    const struct plan_page *p = self;
    struct frame f;
    char right[64], detail[900];
    layout_frame(&f, app_rows(app), app_columns(app));
    int w = f.body.w, y = f.body.y, shown = parts_shown(app);
    frame_draw(app, &f, "host   a plan", keys_here(app, p));
    draw_rule(y++, 0, w, "INTERVIEW", "causes only on this screen");
    if (*p->trouble) {
        draw_wrapped((struct rect){ y + 1, 2, f.body.h - 3, w - 4 }, 0, STYLE_BAD, p->trouble);
        return;
    }
    for (int row = 0; row < ROW_PARTS; row++)
        setting_draw(app, p, (enum plan_row)row, y++, w);
    sum_text(right, sizeof right, p);
    draw_rule(y, 0, w, "PARTS", NULL);
    int from = w - 4 - draw_columns(right);
    draw_text(y, from, 1, STYLE_PLAIN, " ");
    draw_text(y, w - 3, 1, STYLE_PLAIN, " ");
    draw_right(y++, w - 3, draw_columns(right), strstr(right, "too") ? STYLE_BAD : STYLE_PLAIN,
               right);
    for (int k = p->top; k < p->now.plan.n_parts && k < p->top + shown; k++)
        part_draw(p, k, y + k - p->top, w);
    detail_text(detail, sizeof detail, p);
    draw_wrapped((struct rect){f.rule - DETAIL_ROWS + 1, 2, DETAIL_ROWS - 1, w - 4}, 0, STYLE_DIM,
                 detail);
}

/* ---- keys ---- */

static void bring_into_view(struct app *app, struct plan_page *p)
{
    int last = ROW_PARTS + p->now.plan.n_parts - 1, shown = parts_shown(app), k;
    p->at = p->at > last ? last : p->at < 0 ? 0 : p->at;
    k = p->at - ROW_PARTS;
    if (k >= 0 && k < p->top)
        p->top = k;
    if (k >= p->top + shown)
        p->top = k - shown + 1;
    if (k < 0)
        p->top = 0;
}

/* "" recorded on any, each of several GPUs, live where a GPU is. */
static void evidence_step(struct app *app, struct plan_page *p, int by)
{
    const struct msg_device *d = app_device(app);
    struct session_plan *plan = &p->now.plan;
    int several = p->recorded.n > 1 ? p->recorded.n : 0, n = 1 + several + (d != NULL), at = 0;
    for (int g = 0; g < several; g++)
        if (!strcmp(plan->gpu, p->recorded.gpu[g].slug))
            at = 1 + g;
    if (!strcmp(plan->tier, "live"))
        at = 1 + several;
    at = (at + by + n) % n;
    bool live = d && at == 1 + several;
    if (n == 1)
        app_say(app, "There is one kind of evidence here. A GPU for live evidence is set up under "
                     "g on the first page.");
    snprintf(plan->tier, sizeof plan->tier, live ? "live" : "recorded");
    snprintf(plan->gpu, sizeof plan->gpu, "%.63s", live ? d->slug : at ? p->recorded.gpu[at - 1].slug : "");
}

static void minutes_step(struct app *app, struct plan_page *p, int by)
{
    int next = p->now.minutes + 5 * by;
    if (next < 20 || next > 180)
        app_say(app, "An interview has 20 to 180 minutes.");
    else if (p->now.edited)
        p->now.minutes = next;
    else
        propose(app, p, p->now.plan.level, next, p->now.plan.seed);
}

static int step(struct app *app, struct plan_page *p, int by)
{
    int level = p->now.plan.level + by;
    keep(p);
    if (p->at >= ROW_PARTS)
        p->now.edited |= plan_minutes_step(&p->now.plan, p->at - ROW_PARTS, by);
    else if (p->at == ROW_LEVEL && level >= 0 && level <= 4)
        propose(app, p, level, p->now.minutes, p->now.plan.seed);
    else if (p->at == ROW_MINUTES)
        minutes_step(app, p, by);
    else if (p->at == ROW_EVIDENCE)
        evidence_step(app, p, by);
    else if (p->at == ROW_WITHHOLD)
        p->now.plan.withhold = !p->now.plan.withhold;
    if (!memcmp(&p->now, &p->undo[p->n_undo - 1], sizeof p->now))
        p->n_undo--;
    return DO_REDRAW;
}

static int exchange(struct app *app, struct plan_page *p)
{
    if (p->at < ROW_PARTS) {
        app_say(app, "Choose a part first.");
        return DO_REDRAW;
    }
    keep(p);
    if (plan_exchange(&p->now.plan, &p->stock, p->at - ROW_PARTS))
        p->now.edited = true;
    else {
        p->n_undo--;
        app_say(app, "Nothing else fits here.");
    }
    return DO_REDRAW;
}

/* A scenario; pressed again at once, that part becomes drills, then a talk. */
static int add(struct app *app, struct plan_page *p, bool again)
{
    static const enum session_part_kind next[] =
        {[PART_SCENARIO] = PART_DRILLS, [PART_DRILLS] = PART_TALK, [PART_TALK] = PART_SCENARIO};
    enum session_part_kind kind = again ? next[p->added] : PART_SCENARIO;
    int k = p->at < ROW_PARTS ? p->now.plan.n_parts - 1 : p->at - ROW_PARTS;
    if (again) {
        plan_remove(&p->now.plan, k);
        k--;
    } else
        keep(p);
    for (int tries = 0; !plan_add(&p->now.plan, &p->stock, k, kind); kind = next[kind])
        if (++tries == 3 || p->now.plan.n_parts == SESSION_MAX_PARTS) {
            app_say(app, "A plan has at most %d parts.", SESSION_MAX_PARTS);
            p->now = p->undo[--p->n_undo];
            return DO_REDRAW;
        }
    p->at = ROW_PARTS + k + 1;
    p->now.edited = p->adding = true;
    p->added = kind;
    return DO_REDRAW;
}

static int drop(struct app *app, struct plan_page *p)
{
    if (p->at < ROW_PARTS || p->now.plan.n_parts == 1) {
        app_say(app, p->at < ROW_PARTS ? "Choose a part first." : "One part has to stay.");
        return DO_REDRAW;
    }
    keep(p);
    plan_remove(&p->now.plan, p->at - ROW_PARTS);
    p->now.edited = true;
    return DO_REDRAW;
}

static int undo(struct app *app, struct plan_page *p)
{
    if (p->n_undo == 0)
        app_say(app, "Nothing to take back.");
    else
        p->now = p->undo[--p->n_undo];
    return DO_REDRAW;
}

static int reseed(struct app *app, struct plan_page *p)
{
    keep(p);
    if (!propose(app, p, p->now.plan.level, p->now.minutes, p->now.plan.seed + 1))
        p->n_undo--;
    return DO_REDRAW;
}

static int fit(struct app *app, struct plan_page *p)
{
    keep(p);
    if (plan_fit(&p->now.plan, p->now.minutes))
        p->now.edited = true;
    else {
        p->n_undo--;
        app_say(app, "The plan is not too long.");
    }
    return DO_REDRAW;
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
    keep(p);
    snprintf(plan->candidate, sizeof plan->candidate, "%s", name);
    plan_seen_load(&p->stock, name);
    if (!p->now.edited && p->stock.n_seen > 0)
        propose(app, p, plan->level, p->now.minutes, plan->seed);
    if (p->stock.n_seen > 0)
        app_say(app, "%s was shown %d scenario%s before.", name, p->stock.n_seen,
                p->stock.n_seen == 1 ? "" : "s");
    return true;
}

static bool rubric_typed(struct app *app, struct plan_page *p, const char *path)
{
    struct err err = { 0 };
    keep(p);
    if (!*path)
        session_rubric_builtin(&p->now.plan);
    else if (session_rubric_read(&p->now.plan, path, &err)) {
        p->n_undo--;
        app_say(app, "%s", err.text);
        return false;
    }
    snprintf(p->rubric, sizeof p->rubric, "%.299s", path);
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
    switch (action) {
    case ACT_BACK: return DO_POP;
    case ACT_ENTER: return enter_key(app, p);
    case ACT_UP: p->at--; break;
    case ACT_DOWN: p->at++; break;
    case ACT_MORE: flags = step(app, p, 1); break;
    case ACT_LESS: flags = step(app, p, -1); break;
    case ACT_EXCHANGE: flags = exchange(app, p); break;
    case ACT_BRIEF: flags = brief(app, p); break;
    case ACT_ADD: flags = add(app, p, again); break;
    case ACT_REMOVE: flags = drop(app, p); break;
    case ACT_UNDO: flags = undo(app, p); break;
    case ACT_SEED: flags = reseed(app, p); break;
    case ACT_FIT: flags = fit(app, p); break;
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

static const struct screen_ops plan_screen = {
    .name = "plan",
    .keys = keys_here,
    .draw = draw,
    .act = act,
    .text = typed,
    .leave = leave,
    .shown = shown,
    .due_ms = due_ms,
    .tick = tick,
};
