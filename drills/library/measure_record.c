#include "drills/library/measure_record.h"

#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

static void feed(void *ctx, const struct client_event *e)
{
    supply_event(ctx, e);
}

static void tell(const struct drill_recorder *r, const struct drill *d, uint64_t seed,
                 const char *what)
{
    char *text = text_format("%s, seed %llu%s%s", d->full_id, (unsigned long long)seed,
                             *what ? ": " : "", what);
    if (r->say)
        r->say(r->ctx, text);
    free(text);
}

/* Until the supply has it. ERR_MISSING when it failed. */
static int wait_for(struct evidence **out, const struct drill_recorder *r, struct supply *s,
                    struct err *err)
{
    int rc = 0;
    while (!rc && supply_poll(s) == SUPPLY_WORKING)
        rc = client_wait_any(r->client, feed, s, err);
    if (!rc && supply_poll(s) == SUPPLY_FAILED)
        rc = err_set(err, client_alive(r->client) ? ERR_MISSING : ERR_LOST, "%s",
                     supply_say(s, NULL, NULL));
    *out = rc ? NULL : supply_take(s);
    return rc;
}

/* Copies what is kept of this key; false when nothing is. */
static bool keep(const struct drill_recorder *r, const char *key, struct recording *out)
{
    bool any = false;
    for (int k = 0; r->kept && k < r->kept->n_items; k++)
        if (!strcmp(r->kept->items[k].key, key)) {
            recording_append(out, key, &r->kept->items[k].part);
            any = true;
        }
    return any;
}

/* Measures `i` unless it is there. The parts go into `out` under the request's key. */
static int record_one(const struct drill_recorder *r, struct supply *s,
                      const struct drill_instance *i, struct recording *out, struct err *err)
{
    struct msg_measure m;
    struct evidence *e = NULL;
    struct drill_truth t;
    char key[65];
    int rc = drill_request(&m, i, err);
    if (!rc)
        rc = msg_item_key(key, &m, 0, err);
    if (!rc && !recording_find(out, key, trial_run(i->drill->trial)) && !keep(r, key, out)) {
        tell(r, i->drill, i->seed, "");
        ++*r->measured;
        rc = drill_measure(s, i, err);
        if (!rc)
            rc = wait_for(&e, r, s, err);
        if (!rc)
            rc = drill_measured(&t, i, e, err);
        for (int k = 0; !rc && k < e->n_parts; k++)
            request_keep(out, key, &e->parts[k], &m, 0);
    }
    evidence_free(e);
    msg_measure_free(&m);
    return rc;
}

int drill_record(const struct drill_recorder *r, const struct drill *d, struct recording *out,
                 int *failed, struct err *err)
{
    struct supply *s = NULL;
    int rc = supply_plain(&s, r->client, r->device, err);
    for (uint64_t seed = r->first; !rc && seed <= r->last; seed++) {
        struct drill_instance *i = NULL;
        struct err why = {0};
        if ((rc = drill_instance_make(&i, d, seed, r->device, err)))
            break;
        rc = record_one(r, s, i, out, &why);
        drill_instance_free(i);
        if (rc && client_alive(r->client)) { /* one that did not come spoils no other */
            tell(r, d, seed, why.text);
            ++*failed;
            rc = 0;
        } else if (rc) {
            rc = err_set(err, ERR_LOST, "%s", why.text);
        }
    }
    supply_free(s);
    return rc;
}
