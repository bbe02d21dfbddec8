#include "scenarios/supply/supply.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/pack/failing.h"
#include "scenarios/pack/recordings.h"
#include "scenarios/supply/supply_inside.h"
#include "scenarios/pack/harness.h"

struct supply {
    const struct variant *v;
    enum supply_state state;
    char say[512];
    int at, of;
    struct evidence *evidence;

    /* recorded */
    struct recording **recordings;
    int n_recordings;
    struct recording *recording;

    /* live */
    struct client *client;
    const struct msg_device *device;
    uint64_t seed;
    int64_t id;
    struct msg_measure request;

    const struct supply_over *does;  /* of others; nothing above is used then */
    void *over;
};

struct supply *supply_of_others(const struct supply_over *does, void *over)
{
    struct supply *s = mem_new(1, sizeof *s);
    s->does = does;
    s->over = over;
    return s;
}

/* The one whose tier and device count. */
static const struct supply *first(const struct supply *s)
{
    return s->does ? s->does->first(s->over) : s;
}

/* The one that answers what is asked now. */
static struct supply *asked(struct supply *s)
{
    return s->does ? s->does->asked(s->over) : s;
}

bool supply_linked(const struct supply *s)
{
    return s->client && client_alive(s->client);
}

int supply_recorded(struct supply **out, const struct variant *v, const char *gpu, struct err *err)
{
    struct supply *s = mem_new(1, sizeof *s);
    s->v = v;
    int rc = recordings_of(v, &s->recordings, &s->n_recordings, err);
    for (int i = 0; rc == 0 && i < s->n_recordings && !s->recording; i++)
        if (!gpu || !strcmp(gpu, s->recordings[i]->device.slug))
            s->recording = s->recordings[i];
    if (rc == 0 && !s->recording)
        rc = err_set(err, ERR_MISSING,
                     gpu ? "%s has no recorded evidence of GPU '%s'"
                         : "%s has no recorded evidence; `warpdrill record` brings it, a GPU or "
                           "--runner COMMAND plays it live, `warpdrill preview` shows it without",
                     v->full_id, gpu);
    if (rc) {
        supply_free(s);
        return rc;
    }
    *out = s;
    return 0;
}

int supply_preferred(struct supply **out, const struct variant *v, const char *gpu, struct err *err)
{
    if (gpu && *gpu && supply_recorded(out, v, gpu, err) == 0)
        return 0;
    return supply_recorded(out, v, NULL, err);
}

int supply_plain(struct supply **out, struct client *client, const struct msg_device *device,
                 struct err *err)
{
    if (!client || !device)
        return err_set(err, ERR_NO_GPU, "no GPU answers behind the runner");
    if (!client_alive(client)) /* between two requests of a command, which saw no more than the
                                  first one's answer */
        return err_set(err, ERR_LOST, "%s", client_lost(client));
    struct supply *s = mem_new(1, sizeof *s);
    s->client = client;
    s->device = device;
    *out = s;
    return 0;
}

int supply_live(struct supply **out, const struct variant *v, struct client *client,
                const struct msg_device *device, uint64_t seed, struct err *err)
{
    struct supply *s = NULL;
    int rc = supply_plain(&s, client, device, err);
    if (!rc)
        rc = request_needs(v->story, device, err);
    if (rc) {
        supply_free(s);
        return rc;
    }
    s->v = v;
    s->seed = seed;
    *out = s;
    return 0;
}

static void forget_evidence(struct supply *s)
{
    evidence_free(s->evidence);
    s->evidence = NULL;
}

void supply_free(struct supply *s)
{
    if (!s)
        return;
    supply_cancel(s);
    if (s->does)
        s->does->free(s->over);
    forget_evidence(s);
    msg_measure_free(&s->request);
    recordings_free(s->recordings, s->n_recordings);
    free(s);
}

const char *supply_tier(const struct supply *s)
{
    s = first(s);
    return s->client                             ? "live"
           : s->recording && *s->recording->tier ? s->recording->tier
                                                 : "recorded";
}

const struct msg_device *supply_device(const struct supply *s)
{
    s = first(s);
    return s->client ? s->device : &s->recording->device;
}

const struct msg_device *supply_answers(const struct supply *s)
{
    return supply_device(s->does ? s->does->asked(s->over) : s);
}

const char *supply_recorded_on(const struct supply *s)
{
    s = first(s);
    return s->client ? "" : s->recording->recorded;
}

const struct recording *supply_recording(const struct supply *s)
{
    return s->recording;
}

/* ---- what cannot be had ---- */

static const char *missing_tier(const struct msg_device *d, int wire)
{
    for (int i = 0; i < d->n_tiers; i++)
        if ((int)d->tiers[i].probe == wire && !d->tiers[i].ok)
            return d->tiers[i].say && *d->tiers[i].say ? d->tiers[i].say
                   : d->tiers[i].missing               ? d->tiers[i].missing
                                                       : "not available on this GPU";
    return NULL;
}

/* A part that holds a reason instead of numbers is an answer too, but nothing to pay for. */
static bool all_missing(const struct evidence *e)
{
    for (int i = 0; i < e->n_parts; i++) {
        const struct msg_part *p = &e->parts[i];
        if (p->n_metrics == 0)
            return false;
        for (int k = 0; k < p->n_metrics; k++)
            if (p->metrics[k].present)
                return false;
    }
    return true;
}

static const char *missing_record(const struct supply *s, const char *probe)
{
    struct evidence *e = NULL;
    const char *why = NULL;
    if (request_recall(&e, s->v, s->recording, probe, NULL))
        return "was not recorded on this GPU";
    if (all_missing(e))
        why = "could not be measured where this was recorded";
    evidence_free(e);
    return why;
}

const char *supply_missing(const struct supply *s, const char *probe)
{
    if (s->does)
        return s->does->missing(s->over, probe);
    const struct probe *shop = probe_by_name(probe);
    const struct experiment *experiment = story_experiment(s->v->story, probe);
    if (!experiment && shop && shop->id == SHOP_EXPERIMENT)
        return NULL;
    if (!experiment && story_is_case(s->v->story))
        return "not for a case: look at its exhibits";
    if (!experiment && !shop)
        return "there is no such probe";
    if (!variant_answers(s->v, probe))
        return "it brings no result, so there is nothing to measure";
    if (!experiment && story_measures(s->v->story, shop) < 0)
        return NULL;
    if (!s->client)
        return missing_record(s, probe);
    return missing_tier(s->device, experiment ? (int)experiment->measure
                                              : story_measures(s->v->story, shop));
}

/* ---- asking ---- */

static void fail(struct supply *s, const char *why)
{
    s->state = SUPPLY_FAILED;
    snprintf(s->say, sizeof s->say, "%s", why);
}

static int ask_recorded(struct supply *s, const char *probe, struct err *err)
{
    if (!strcmp(probe, "debrief"))
        return request_recall_all(&s->evidence, s->v, s->recording, err);
    return request_recall(&s->evidence, s->v, s->recording, probe, err);
}

static void begin(struct supply *s)
{
    forget_evidence(s);
    s->at = s->of = 0;
    s->say[0] = '\0';
}

/* Sends s->request. */
static int send_request(struct supply *s, const char *name, struct err *err)
{
    int rc = 0;
    if (!client_alive(s->client)) {
        rc = client_again(s->client, NULL, s->device,
                          err); /* the link died; it must be the same GPU */
        snprintf(s->say, sizeof s->say, "connecting again");
    }
    if (rc)
        return rc;
    int64_t id = client_measure(s->client, &s->request, err);
    if (id < 0)
        return (int)id;
    s->id = id;
    s->evidence = evidence_new(name, "live", s->device->name);
    return 0;
}

int supply_send(struct supply *s, const char *name, struct msg_measure *request, struct err *err)
{
    assert(!s->does);   /* nothing recorded answers a request of no name */
    struct msg_measure taken = *request;
    *request = (struct msg_measure){0};
    if (s->state == SUPPLY_WORKING) {
        msg_measure_free(&taken);
        return err_set(err, ERR_BUSY, "one measurement at a time");
    }
    begin(s);
    msg_measure_free(&s->request);
    s->request = taken;
    int rc = send_request(s, name, err);
    s->state = rc ? SUPPLY_IDLE : SUPPLY_WORKING;
    return rc;
}

static int ask_live(struct supply *s, const char *probe, struct err *err)
{
    msg_measure_free(&s->request);
    s->request = (struct msg_measure){0};
    int rc = request_build(&s->request, s->v, s->device, probe, s->seed, err);
    return rc ? rc : send_request(s, probe, err);
}

int supply_ask(struct supply *s, const char *probe, struct err *err)
{
    if (s->does)
        return s->does->ask(s->over, probe, err);
    if (s->state == SUPPLY_WORKING)
        return err_set(err, ERR_BUSY, "one measurement at a time");
    begin(s);
    int rc = 0;
    if (!strcmp(probe, "source"))
        s->evidence = request_source(s->v, supply_device(s));
    else
        rc = s->client ? ask_live(s, probe, err) : ask_recorded(s, probe, err);
    s->state = rc ? SUPPLY_IDLE : SUPPLY_WORKING;
    return rc;
}

void supply_tick(struct supply *s, int64_t now_ms)
{
    if (s->does)
        s->does->tick(s->over, now_ms);
}

const char *supply_fault(struct supply *s)
{
    return s->does ? s->does->fault(s->over) : NULL;
}

void supply_cancel(struct supply *s)
{
    if (s->does) {
        s->does->cancel(s->over);
        return;
    }
    if (s->state == SUPPLY_WORKING && s->id)
        client_cancel(s->client, s->id);
    s->id = 0;
    forget_evidence(s);
    s->state = SUPPLY_IDLE;
}

/* ---- live events ---- */

static void take_part(struct supply *s, const struct msg_part *part)
{
    struct msg_part *copy = evidence_add(s->evidence, part);
    if (part->item >= 0 && part->item < s->request.n_items)
        request_mark(copy, &s->request.items[part->item], part->item);
    if (strcmp(copy->tier, "computed") != 0)
        snprintf(copy->tier, sizeof copy->tier, "live");
}

static void take_done(struct supply *s, const struct msg_done *d)
{
    s->id = 0;
    bool ended_well = d->status == DONE_OK || d->status == DONE_PARTIAL;
    if (ended_well && s->evidence->n_parts > 0) {
        s->state = SUPPLY_READY;
        return;
    }
    char why[480];
    const char *text = d->text                       ? d->text
                       : d->status == DONE_CANCELLED ? "cancelled"
                                                     : "the runner gave no reason";
    snprintf(why, sizeof why, "%s%s%s%s%s", d->where, *d->where ? ": " : "", text,
             d->remedy ? ". " : "", d->remedy ? d->remedy : "");
    forget_evidence(s);
    fail(s, why);
}

void supply_event(struct supply *s, const struct client_event *e)
{
    if (s->does)
        s = s->does->first(s->over);
    if (!s->client || s->state != SUPPLY_WORKING || !s->id)
        return;
    if (e->kind == CLIENT_LOST && s->id >= e->id)
        return; /* of the link before */
    if (e->kind == CLIENT_LOST) {
        s->id = 0;
        forget_evidence(s);
        fail(s, e->say);
    } else if (e->kind == CLIENT_STATE) {
        snprintf(s->say, sizeof s->say, "%s", e->say);
    } else if (e->id != s->id) {
        return;
    } else if (e->kind == CLIENT_PROGRESS) {
        snprintf(s->say, sizeof s->say, "%s", e->say);
        s->at = e->at;
        s->of = e->of;
    } else if (e->kind == CLIENT_PART) {
        take_part(s, e->part);
    } else if (e->kind == CLIENT_DONE) {
        take_done(s, e->done);
    }
}

enum supply_state supply_poll(struct supply *s)
{
    s = asked(s);
    if (s->state == SUPPLY_WORKING && !s->id) /* nothing is under way: it came with the question */
        s->state = SUPPLY_READY;
    return s->state;
}

const char *supply_say(const struct supply *s, int *at, int *of)
{
    if (s->does)
        s = s->does->asked(s->over);
    if (at)
        *at = s->at;
    if (of)
        *of = s->of;
    return s->say;
}

struct evidence *supply_take(struct supply *s)
{
    s = asked(s);
    struct evidence *e = s->evidence;
    s->evidence = NULL;
    s->state = SUPPLY_IDLE;
    return e;
}
