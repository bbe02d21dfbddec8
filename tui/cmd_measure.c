#include "tui/cmd_measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "drills/library.h"
#include "drills/measure_record.h"
#include "kernels/wire/text.h"

/* Drills of one's own, and such as somebody gave one, have GPU code too. */
static int may_run(const struct cmd *c, const struct files *folder)
{
    return cmd_trust_code(c, "drills", "measured drills", folder->root);
}

/* ---- one drill ---- */

int drill_place_open(struct drill_place *p, const struct cmd *c, const struct drill *d)
{
    struct err err = {0};
    *p = (struct drill_place){.live = c->tier ? !strcmp(c->tier, "live") : !d->trial};
    if (!d->needs_gpu)
        return CMD_OK;
    if (c->tier && !p->live && strcmp(c->tier, "recorded"))
        return cmd_misuse("--tier is recorded or live, not '%s'", c->tier);
    if (p->live && c->gpu)
        return cmd_misuse("--gpu names a recording; live measurements come from the runner's GPU");
    int status = p->live && d->trial ? may_run(c, d->set->files) : CMD_OK;
    if (status)
        return status;
    if (p->live ? cmd_connect(&p->client, &p->described, c, "cached", &err) : drill_recording(&p->recording, d->set, c->gpu, &err))
        return cmd_fail(&err);
    p->device = p->live ? &p->described : &p->recording->device;
    return CMD_OK;
}

void drill_place_close(struct drill_place *p)
{
    client_free(p->client);
    msg_device_free(&p->described);
    recording_free(p->recording);
}

void drill_place_name(char *out, size_t size, const struct drill_place *p)
{
    if (!p->device)
        snprintf(out, size, "%s", "");
    else if (p->live)
        snprintf(out, size, "live, %s", p->device->name);
    else
        snprintf(out, size, "recorded, %s, %s", p->device->name, p->recording->recorded);
}

struct listening { struct supply *supply; char last[400]; };

static void on_event(void *ctx, const struct client_event *e)
{
    struct listening *l = ctx;
    supply_event(l->supply, e);
    if ((e->kind == CLIENT_PROGRESS || e->kind == CLIENT_STATE) && *e->say && strcmp(l->last, e->say)) {
        fprintf(stderr, "%s\n", e->say);
        snprintf(l->last, sizeof l->last, "%s", e->say);
    }
}

static int measure(struct drill_truth *out, const struct drill_place *p, const struct drill_instance *i, struct err *err)
{
    struct listening l = {NULL, ""};
    int rc = supply_plain(&l.supply, p->client, p->device, err);
    if (!rc)
        rc = drill_measure(l.supply, i, err);
    while (!rc && supply_poll(l.supply) == SUPPLY_WORKING)
        rc = client_wait_any(p->client, on_event, &l, err);
    if (!rc && supply_poll(l.supply) == SUPPLY_FAILED)
        rc = err_set(err, ERR_INTERNAL, "%s", supply_say(l.supply, NULL, NULL));
    struct evidence *e = rc ? NULL : supply_take(l.supply);
    if (e)
        rc = drill_measured(out, i, e, err);
    evidence_free(e);
    supply_free(l.supply);
    return rc;
}

int drill_place_reveal(const struct drill_place *p, struct drill_instance *i, struct err *err)
{
    struct drill_truth t;
    int rc = p->live ? measure(&t, p, i, err) : drill_recall(&t, i, p->recording, err);
    if (!rc)
        drill_reveal(i, &t);
    return rc;
}

/* ---- recording all of them ---- */

static void say(void *ctx, const char *text)
{
    (void)ctx;
    fprintf(stderr, "%s\n", text);
}

/* Written after each drill, so that an end in the middle loses one. */
static int record_set(const struct drill_recorder *r, const struct drill_set *set, struct recording *out, const char *path, int *failed, struct err *err)
{
    int rc = 0;
    for (int k = 0; !rc && k < set->n; k++) {
        if (!set->drills[k].trial)
            continue;
        rc = drill_record(r, &set->drills[k], out, failed, err);
        if (out->n_items > 0 && recording_write(out, r->client, path, err))
            return err->code;
    }
    return rc;
}

static bool is_measured(const struct drill_set *set)
{
    for (int k = 0; k < set->n; k++)
        if (set->drills[k].trial)
            return true;
    return false;
}

/* Sets of one folder share its recording; each folder of content has its own. */
static int record_folder(const struct drill_recorder *r, const struct library *l, const struct files *folder, int *failed, struct err *err)
{
    char today[11], *path = text_format("%s/measured/evidence/%s.json", folder->root, r->device->slug);
    time_t now = time(NULL);
    struct tm utc;
    struct recording out = {.method = 0};
    strftime(today, sizeof today, "%Y-%m-%d", gmtime_r(&now, &utc));
    int rc = recording_begin(&out, r->device, today, err), before = *failed;
    for (int k = 0; !rc && k < l->n_sets; k++)
        if (l->sets[k]->files == folder && is_measured(l->sets[k]))
            rc = record_set(r, l->sets[k], &out, path, failed, err);
    if (out.n_items > 0)
        printf("%s: %d parts, %d failed\n", path, out.n_items, *failed - before);
    for (int k = 0; k < out.n_items; k++)
        msg_part_free(&out.items[k].part);
    free(out.items);
    msg_device_free(&out.device);
    free(path);
    return rc;
}

static int may_run_all(const struct cmd *c, const struct library *l)
{
    int status = CMD_OK;
    for (int k = 0; status == CMD_OK && k < l->n_sets; k++)
        if (is_measured(l->sets[k]))
            status = may_run(c, l->sets[k]->files);
    return status;
}

int cmd_record_drills(const struct cmd *c)
{
    unsigned long long first = 0, last = 11;
    int end = 0, failed = 0, rc = 0;
    struct library l;
    struct drill_recorder r = {.say = say};
    struct msg_device device = {0};
    struct client *client = NULL;
    struct err err = {0};
    if (c->seeds && (sscanf(c->seeds, "%llu..%llu%n", &first, &last, &end) != 2 || c->seeds[end] || first > last || last >= UINT32_MAX))
        return cmd_misuse("--seeds needs FIRST..LAST, not '%s'", c->seeds);
    library_open(&l);
    int status = may_run_all(c, &l);
    if (status == CMD_OK && cmd_connect(&client, &device, c, "measure", &err))
        status = cmd_fail(&err);
    if (status) {
        library_free(&l);
        return status;
    }
    r.client = client;
    r.device = &device;
    r.first = first;
    r.last = last;
    for (int k = 0; !rc && k < l.n_files; k++)
        rc = record_folder(&r, &l, l.files[k], &failed, &err);
    library_free(&l);
    client_free(client);
    msg_device_free(&device);
    return rc ? cmd_fail(&err) : failed ? CMD_FAILED : CMD_OK;
}
