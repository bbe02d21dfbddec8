/* The room's door, over both screens: what begins, goes on, or is looked at again. */
#include "tui/app/app_data.h"
#include "tui/play/play.h"

#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/library/version.h"
#include "tui/app/trust_screen.h"
#include "tui/play/debrief_screen.h"
#include "tui/play/investigation_screen.h"
#include "tui/play/play_supply.h"
#include "tui/play/sealed_screen.h"

/* Short enough for one line of a narrow screen. */
static void say_no_supply(struct app *app, bool live, const struct err *err)
{
    if (!live && err->code == ERR_MISSING)
        app_say(app, "nothing recorded, no GPU: --runner COMMAND, or `warpdrill preview`");
    else
        say_error(app, err);
}

static play_begin begin_story;

static bool begin(struct app *app, const struct variant *of, uint64_t seed, bool live)
{
    const struct variant *v;
    struct supply *supply = NULL;
    struct attempt *a = NULL;
    struct err err = { 0 };
    if (app_draw_variant(app, of, seed, &v, &err) != 0) {
        say_error(app, &err);
        return false;
    }
    if (play_choose_supply(app, v, seed, live, &supply, &err) != 0) {
        say_no_supply(app, live, &err);
        return false;
    }
    if (attempt_start(&a, app_store(app), v, supply, seed, app_now(app), &err) != 0) {
        say_error(app, &err);
        supply_free(supply);
        return false;
    }
    attempt_leave_floor(a, app_now(app));
    investigation_push(app, a, supply, "", NULL, begin_story);
    return true;
}

struct beginning { const struct variant *variant; uint64_t seed; };

static void begin_answered(struct app *app, void *ctx, bool yes)
{
    const struct beginning *b = ctx;
    begin(app, b->variant, b->seed, yes && investigation_can_be_live(app, b->variant));
}

static bool begin_story(struct app *app, const struct story *story, const struct variant *variant)
{
    if (story->pack->seal == SEAL_SHUT) {
        sealed_open(app, story, variant, begin_story);
        return true;
    }
    uint64_t seed = app_seed(app);
    const struct variant *v =
        variant ? variant : attempt_pick(story, app_seeded(app) ? NULL : app_store(app), seed);
    bool live = investigation_can_be_live(app, v);
    enum may_run may = live ? trust_state(app, v) : MAY_NOT;
    if (may != MAY_NOT_ASKED)
        return begin(app, v, seed, may == MAY_RUN);
    struct beginning *b = mem_new(1, sizeof *b);
    *b = (struct beginning){ v, seed };
    trust_open(app, v, begin_answered, b);
    return true;
}

void investigation_open_new(struct app *app, const struct story *story,
                            const struct variant *variant)
{
    begin_story(app, story, variant);
}

/* ---- going on ---- */

static void resume(struct app *app, const char *attempt_uid, bool asked);

static void resume_answered(struct app *app, void *ctx, bool yes)
{
    (void)yes; /* trust_state knows it now */
    resume(app, ctx, true);
}

/* Where code would run that nobody allowed yet. */
static bool must_ask(struct app *app, const struct attempt *a)
{
    return strcmp(attempt_state(a)->tier, "live") == 0 && play_same_gpu(app, a) &&
           trust_state(app, attempt_variant(a)) != MAY_RUN;
}

void investigation_open_resumed(struct app *app, const char *attempt_uid)
{
    resume(app, attempt_uid, false);
}

/* It goes on as it was begun, whatever became of the scenario. */
static void tell_version(struct app *app, const struct variant *begun)
{
    char version[VERSION_TEXT], words[80];
    version_of(version, begun);
    version_words(words, sizeof words, "begun", version,
                  version_now(app_catalog(app), begun->full_id));
    if (*words)
        app_say(app, "%s", words);
}

static void resume(struct app *app, const char *attempt_uid, bool asked)
{
    struct supply *supply = NULL;
    struct attempt *a = NULL;
    struct err err = { 0 };
    if (attempt_resume(&a, app_store(app), attempt_uid, app_now(app), &err) != 0) {
        say_error(app, &err);
        return;
    }
    if (attempt_state(a)->phase == PHASE_REVEALED) {
        debrief_open(app, a);
        return;
    }
    if (!asked && must_ask(app, a)) {
        trust_open(app, attempt_variant(a), resume_answered, text_dup(attempt_uid));
        attempt_free(a);
        return;
    }
    tell_version(app, attempt_variant(a));
    err.text[0] = '\0';
    investigation_same_supply(app, a, &supply, &err);
    err.text[strcspn(err.text, "\n")] = '\0';
    investigation_push(app, a, supply, supply ? "" : err.text, NULL, begin_story);
}

void debrief_open(struct app *app, struct attempt *attempt)
{
    debrief_push(app, attempt, NULL, begin_story);
}
