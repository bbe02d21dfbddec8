#include "tui/commands/cmd_measure.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "drills/library/library.h"
#include "drills/library/measure_record.h"
#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "scenarios/record/record_head.h"
#include "tui/commands/commands.h"

/* Drills of one's own, and such as somebody gave one, have GPU code too. */
static int may_run(const struct cmd *c, const struct files *folder)
{
    return cmd_trust_code(c, "drills", "measured drills", folder->root);
}

/* ---- one drill ---- */

int drill_place_open(struct drill_place *p, const struct cmd *c, const struct drill *d)
{
    struct err err = {0};
    bool recorded = d->trial || (d->needs_links && !c->runner);
    *p = (struct drill_place){.live = c->tier ? !strcmp(c->tier, "live") : !recorded};
    if (!d->needs_gpu)
        return CMD_OK;
    if (c->tier && !p->live && strcmp(c->tier, "recorded"))
        return cmd_misuse("--tier is recorded or live, not '%s'", c->tier);
    if (p->live && c->gpu)
        return cmd_misuse("--gpu names a recording; live measurements come from the runner's GPU");
    int status = p->live && d->trial ? may_run(c, d->set->files) : CMD_OK;
    if (status)
        return status;
    if (p->live ? cmd_connect(&p->client, &p->described, c, "cached", &err)
                : drill_recording(&p->recording, d->set, c->gpu, &err))
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

void drill_place_name(char *out, size_t size, const struct drill_place *p,
                      const struct drill *d)
{
    if (!p->device)
        snprintf(out, size, "%s", "");
    else if (p->live)
        snprintf(out, size, "live, %s", p->device->name);
    else
        snprintf(out, size, "recorded, %s, %s", p->device->name,
                 d->needs_links ? p->device->links.measured : p->recording->recorded);
}

struct listening { struct supply *supply; char last[400]; };

static void on_event(void *ctx, const struct client_event *e)
{
    struct listening *l = ctx;
    supply_event(l->supply, e);
    if ((e->kind == CLIENT_PROGRESS || e->kind == CLIENT_STATE) && *e->say &&
        strcmp(l->last, e->say)) {
        fprintf(stderr, "%s\n", e->say);
        snprintf(l->last, sizeof l->last, "%s", e->say);
    }
}

static int measure(struct drill_truth *out, const struct drill_place *p,
                   const struct drill_instance *i, struct err *err)
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

struct drill_file { struct recording out; struct evidence_file file; bool replace; int failed; };

/* Written after each drill that brought something, so that an end in the middle loses one. */
static int record_set(const struct drill_recorder *r, const struct drill_set *set,
                      struct drill_file *f, struct err *err)
{
    int rc = 0;
    for (int k = 0; !rc && k < set->n; k++) {
        int measured = *r->measured;
        if (!set->drills[k].trial)
            continue;
        rc = drill_record(r, &set->drills[k], &f->out, &f->failed, err);
        if (measured == *r->measured || f->out.n_items == 0)
            continue;
        recording_now(f->out.at);
        if (evidence_file_write(&f->file, &f->out, f->replace, err))
            return err->code;
        if (*f->file.said)
            fprintf(stderr, "%s: %s\n", f->file.path, f->file.said);
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

/* What stands there stays, where it is of this card and software and still asked for; unless all of
 * it shall be measured. */
static int begin_file(struct drill_file *f, struct drill_recorder *r, const char *path, bool again,
                      struct err *err)
{
    char why[160];
    int rc = recording_begin(&f->out, r->device, "", err);
    if (!rc)
        rc = evidence_file_open(&f->file, path, err);
    if (rc)
        return rc;
    recording_sign(&f->out, r->client);
    r->kept = again || !f->file.was || recording_apart(f->file.was, &f->out, why, sizeof why)
                  ? NULL
                  : f->file.was;
    if (r->kept)
        snprintf(f->out.since, sizeof f->out.since, "%s",
                 *r->kept->since ? r->kept->since : r->kept->at);
    return 0;
}

/* Sets of one folder share its recording; each folder of content has its own. */
static int record_folder(struct drill_recorder *r, const struct library *l,
                         const struct files *folder, const struct cmd *c, int *failed,
                         struct err *err)
{
    int measured = 0;
    char *path, *name = text_format("%s.json", r->device->slug);
    struct drill_file f = {.replace = c->replace};
    r->measured = &measured;
    int rc = path_below(&path, folder->root, PATH_NAMES("measured", "evidence", name), err);
    if (!rc)
        rc = begin_file(&f, r, path, c->again, err);
    struct recording *kept =
        f.file.was; /* a write sees the file anew; what is kept of it is needed until the end */
    f.file.was = NULL;
    for (int k = 0; !rc && k < l->n_sets; k++)
        if (l->sets[k]->files == folder && is_measured(l->sets[k]))
            rc = record_set(r, l->sets[k], &f, err);
    if (f.out.n_items > 0 && measured == 0)
        printf("%s: up to date\n", path);
    else if (f.out.n_items > 0)
        printf("%s: %d parts, %d failed\n", path, f.out.n_items, f.failed);
    *failed += f.failed;
    for (int k = 0; k < f.out.n_items; k++)
        msg_part_free(&f.out.items[k].part);
    free(f.out.items);
    msg_device_free(&f.out.device);
    evidence_file_close(&f.file);
    recording_free(kept);
    free(path);
    free(name);
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
    if (c->seeds && (sscanf(c->seeds, "%llu..%llu%n", &first, &last, &end) != 2 || c->seeds[end] ||
                     first > last || last >= UINT32_MAX))
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
        rc = record_folder(&r, &l, l.files[k], c, &failed, &err);
    library_free(&l);
    client_free(client);
    msg_device_free(&device);
    return rc ? cmd_fail(&err) : failed ? CMD_FAILED : CMD_OK;
}
