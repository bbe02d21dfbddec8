/* Where evidence comes from: a recording, or a GPU behind a runner. One asynchronous interface for
 * both, so that screens and commands do not know the difference. Tiers never mix: a supply has one,
 * and a recording that steps in for a GPU says so in its evidence.
 *
 * In: a variant, and what is to be bought. Out: evidence, at once from a recording or later from
 * a runner. Callers: tui/play, scenarios/play (attempt), record, check and the commands that
 * measure. First to open: supply.c; supply_stand_in.c, where the recording stands in
 * for a runner that is lost; client.c speaks with the runner (client_hear.c is what it hears),
 * batch.c asks for much at once. */
#ifndef WD_SCENARIOS_SUPPLY_H
#define WD_SCENARIOS_SUPPLY_H

#include "scenarios/supply/client.h"
#include "scenarios/evidence/request.h"

struct supply;

/* GPU slug NULL: the variant's first recording. */
int supply_recorded(struct supply **out, const struct variant *v, const char *gpu, struct err *err);
/* That of this GPU where the variant has one, else its first; slug NULL or "": its first. */
int supply_preferred(struct supply **out, const struct variant *v, const char *gpu,
                     struct err *err);
/* Borrowed client and device (which stay the caller's). */
int supply_live(struct supply **out, const struct variant *v, struct client *client,
                const struct msg_device *device, uint64_t seed, struct err *err);
/* Of no scenario: takes requests that are built already, through supply_send. */
int supply_plain(struct supply **out, struct client *client, const struct msg_device *device,
                 struct err *err);
/* Live first: the recording is asked in its place where this GPU cannot tell, is lost, or has not
 * answered after SUPPLY_ANSWER_MS. Takes both over. Tier and device are the live one's. */
struct supply *supply_with_stand_in(struct supply *live, struct supply *recorded);
enum { SUPPLY_ANSWER_MS = 20000 };   /* people who wait in silence feel more than that */
void supply_free(struct supply *s);

const char *supply_tier(
    const struct supply *s); /* "recorded" or "live"; of a case "generated" or "recorded" */
const struct msg_device *supply_device(const struct supply *s);
const char *supply_recorded_on(const struct supply *s);      /* YYYY-MM-DD, or "" */
const struct recording *supply_recording(const struct supply *s); /* NULL when live */

/* Why this probe cannot be had here, in a sentence; NULL when it can. */
const char *supply_missing(const struct supply *s, const char *probe);

/* Asks for one probe name, experiment id, "symptom" or "debrief" (a, b, c with ratios). One at a
 * time. */
int supply_ask(struct supply *s, const char *probe, struct err *err);
/* Sends `request` through a live supply, which takes it over in any case; the evidence is called
 * `name`. */
int supply_send(struct supply *s, const char *name, struct msg_measure *request, struct err *err);
void supply_cancel(struct supply *s);
/* Time goes on, for one that is backed: told before it is asked, and while it works. Monotonic. */
void supply_tick(struct supply *s, int64_t now_ms);
/* Why the recording stepped in, said once; NULL: it did not. Borrowed until the next call. */
const char *supply_fault(struct supply *s);
/* The device behind what is asked now, or was taken last: the recording's where that stepped in. */
const struct msg_device *supply_answers(const struct supply *s);

enum supply_state { SUPPLY_IDLE, SUPPLY_WORKING, SUPPLY_READY, SUPPLY_FAILED };
/* Feeds a client event (live). The recorded supply needs none. */
void supply_event(struct supply *s, const struct client_event *e);
enum supply_state supply_poll(struct supply *s);
const char *supply_say(const struct supply *s, int *at, int *of);   /* progress, or why it failed */
/* After READY: takes the evidence over; back to IDLE. */
struct evidence *supply_take(struct supply *s);

#endif
