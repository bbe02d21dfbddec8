/* Of an interview: where live evidence does not come, the recording of the same probe steps in, so that
 * no fault and no queue stops two people. */
#include "tui/play/investigation_standin.h"

#include <stdio.h>
#include <string.h>

#include "scenarios/library/version.h"
#include "tui/play/investigation_buy.h"

enum {
    ANSWER_MS = 20000,     /* two people sit in silence: longer than that is felt in an hour of talk */
    AGAIN_MS = 120000,     /* a GPU that went away is asked for again after this, so that not every purchase waits for it */
};

struct supply *standin_asked(const struct investigation_screen *s)
{
    return s->standin.asked ? s->standin.supply : s->supply;
}

static bool asks_live(const struct investigation_screen *s)
{
    return s->in.hooks && s->supply && !s->standin.asked && strcmp(supply_tier(s->supply), "live") == 0;
}

/* Of the attempt's own text: of its copy, else of the pack while that is still the same. */
int standin_recorded(struct app *app, const struct variant *v, struct supply **out, struct err *err)
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
    if (!s->standin.supply && !s->standin.nothing_recorded)
        s->standin.nothing_recorded = standin_recorded(app, s->variant, &s->standin.supply, &err) != 0;
    return s->standin.supply != NULL;
}

void standin_prepare(struct app *app, struct investigation_screen *s)
{
    if (asks_live(s))
        has_standin(app, s);
}

const char *standin_lacks(const struct investigation_screen *s, const char *probe)
{
    const char *why = supply_missing(s->supply, probe);
    return why && asks_live(s) && s->standin.supply ? supply_missing(s->standin.supply, probe) : why;
}

void standin_asking(struct app *app, struct investigation_screen *s)
{
    if (!s->in.hooks)
        return;
    const char *name = wanted_name(s, s->wanted), *lacks = NULL;
    bool named = s->wanted == WANTED_PROBE || s->wanted == WANTED_HANDED;
    s->standin.asked = false;
    s->standin.asked_ms = app_now(app);
    if (!asks_live(s) || !has_standin(app, s) || (named && supply_missing(s->standin.supply, name)))
        return;
    bool gone = s->standin.failed_ms && !app_client(app) && app_now(app) < s->standin.failed_ms + AGAIN_MS;
    if (named)
        lacks = supply_missing(s->supply, name);
    s->standin.asked = gone || lacks;
    if (s->standin.asked)
        hook_fault(&s->in, wanted_words(s), lacks ? "this GPU cannot tell; recorded evidence stands in" : "the GPU is still away; recorded evidence stands in");
}

bool standin_is_slow(const struct app *app, const struct investigation_screen *s)
{
    return asks_live(s) && s->wanted != WANTED_NOTHING && app_now(app) > s->standin.asked_ms + ANSWER_MS;
}

bool standin_steps_in(struct app *app, struct investigation_screen *s, const char *why)
{
    struct err err = { 0 };
    char said[160];
    if (!asks_live(s) || !has_standin(app, s))
        return false;
    snprintf(said, sizeof said, "%.*s; recorded evidence stands in", (int)(strcspn(why, "\n") < 120 ? strcspn(why, "\n") : 120), why);
    if (supply_ask(s->standin.supply, wanted_name(s, s->wanted), &err) != 0)
        return false;
    hook_fault(&s->in, wanted_words(s), said);
    supply_cancel(s->supply);
    s->standin.failed_ms = app_now(app);
    s->standin.asked = true;
    return true;
}
