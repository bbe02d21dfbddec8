/* Live first. The recording of the same probe steps in where this GPU cannot tell, where the link
 * is lost, and where no answer has come for a while: no fault and no queue stops two people. */
#include "scenarios/supply/supply_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

enum {
    AGAIN_MS = 120000,     /* a GPU that went away is left alone so long: not every probe waits */
    WHY_MOST = 120,        /* characters of a runner's reason that are told */
};

struct stand_in {
    struct supply *live, *recorded;
    bool standing_in;                /* the recording is asked, or was taken from last */
    char probe[48];                  /* asked now */
    int64_t now_ms, asked_ms;
    int64_t failed_ms;               /* when the recording stepped in last; 0: never */
    char fault[200];                 /* why it stepped in, until that is fetched */
    char told[200];                  /* what was fetched last */
};

static void stand_in_free(void *over)
{
    struct stand_in *b = over;
    supply_free(b->live);
    supply_free(b->recorded);
    free(b);
}

static struct supply *stand_in_first(const void *over)
{
    const struct stand_in *b = over;
    return b->live;
}

static struct supply *stand_in_asked(const void *over)
{
    const struct stand_in *b = over;
    return b->standing_in ? b->recorded : b->live;
}

static const char *stand_in_missing(const void *over, const char *probe)
{
    const struct stand_in *b = over;
    const char *why = supply_missing(b->live, probe);
    return why ? supply_missing(b->recorded, probe) : NULL;
}

/* The first line of `why`. */
static void blame(struct stand_in *b, const char *why)
{
    size_t n = strcspn(why, "\n");
    int shown = n < WHY_MOST ? (int)n : WHY_MOST;
    snprintf(b->fault, sizeof b->fault, "%.*s; recorded evidence stands in", shown, why);
}

static bool step_in(struct stand_in *b, const char *why)
{
    struct err err = { 0 };
    if (supply_ask(b->recorded, b->probe, &err) != 0)
        return false;
    blame(b, why);
    supply_cancel(b->live);
    b->failed_ms = b->now_ms;
    b->standing_in = true;
    return true;
}

/* Neither is a probe of the shop: any GPU can tell them, and every recording holds them. */
static bool is_sold(const char *probe)
{
    return strcmp(probe, "symptom") != 0 && strcmp(probe, "debrief") != 0;
}

/* Why the GPU need not even be asked; NULL: it is. */
static const char *known_to_fail(const struct stand_in *b)
{
    bool sold = is_sold(b->probe);
    bool away = b->failed_ms && b->now_ms < b->failed_ms + AGAIN_MS && !supply_linked(b->live);
    if (sold && supply_missing(b->recorded, b->probe))
        return NULL;
    if (sold && supply_missing(b->live, b->probe))
        return "this GPU cannot tell";
    return away ? "the GPU is still away" : NULL;
}

static int stand_in_ask(void *over, const char *probe, struct err *err)
{
    struct stand_in *b = over;
    if (supply_poll(stand_in_asked(b)) == SUPPLY_WORKING)
        return err_set(err, ERR_BUSY, "one measurement at a time");
    snprintf(b->probe, sizeof b->probe, "%s", probe);
    b->standing_in = false;
    b->asked_ms = b->now_ms;
    b->fault[0] = '\0';
    const char *why = known_to_fail(b);
    if (why) {
        b->standing_in = true;
        blame(b, why);
        return supply_ask(b->recorded, probe, err);
    }
    int rc = supply_ask(b->live, probe, err);
    return rc != 0 && step_in(b, err->text) ? 0 : rc;
}

static void stand_in_cancel(void *over)
{
    struct stand_in *b = over;
    supply_cancel(b->live);
    supply_cancel(b->recorded);
}

static void stand_in_tick(void *over, int64_t now_ms)
{
    struct stand_in *b = over;
    b->now_ms = now_ms;
    if (b->standing_in)
        return;
    enum supply_state state = supply_poll(b->live);
    if (state == SUPPLY_FAILED)
        step_in(b, supply_say(b->live, NULL, NULL));
    else if (state == SUPPLY_WORKING && now_ms > b->asked_ms + SUPPLY_ANSWER_MS)
        step_in(b, "no answer in time");
}

static const char *stand_in_fault(void *over)
{
    struct stand_in *b = over;
    if (!b->fault[0])
        return NULL;
    memcpy(b->told, b->fault, sizeof b->told);
    b->fault[0] = '\0';
    return b->told;
}

struct supply *supply_with_stand_in(struct supply *live, struct supply *recorded)
{
    static const struct supply_over does = {
        .first = stand_in_first,
        .asked = stand_in_asked,
        .missing = stand_in_missing,
        .ask = stand_in_ask,
        .cancel = stand_in_cancel,
        .tick = stand_in_tick,
        .fault = stand_in_fault,
        .free = stand_in_free,
    };
    struct stand_in *b = mem_new(1, sizeof *b);
    b->live = live;
    b->recorded = recorded;
    return supply_of_others(&does, b);
}
