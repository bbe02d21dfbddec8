#include "tui/commands/cmd.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "drills/memory/review.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"
#include "scenarios/play/attempt.h"
#include "scenarios/supply/front.h"
#include "tui/app/defaults.h"

int cmd_store(struct store **out, const struct cmd *c, bool create)
{
    enum { WAIT_MS = 5000 };
    struct err err = {0};
    char *path = default_db(c->db);
    int status = CMD_OK;
    bool reading;
    *out = NULL;
    if (!create && access(path, F_OK) != 0) {
        cmd_misuse("there is no progress at %s yet", path);
        status = CMD_FAILED;
    } else if ((create ? store_open(out, path, WAIT_MS)
                       : store_open_to_read(out, path, WAIT_MS, &reading)) != STORE_OK) {
        fprintf(stderr, "warpdrill: %s\n", store_message(*out));
        status = CMD_FAILED;
    } else if (review_rebuild(*out, &err) != 0) {
        status = cmd_fail(&err);
    }
    if (status != CMD_OK) {
        store_free(*out);
        *out = NULL;
    }
    free(path);
    return status;
}

int cmd_fail(const struct err *err)
{
    fprintf(stderr, "warpdrill: %s\n", err->text);
    return CMD_FAILED;
}

int cmd_misuse(const char *fmt, ...)
{
    va_list ap;
    va_start(ap, fmt);
    char text[1024];
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    text_clean(text, strlen(text));
    fprintf(stderr, "warpdrill: %s\n", text);
    return CMD_USAGE;
}

static int tell_problems(const struct catalog *c)
{
    for (int i = 0; i < c->n_problems; i++) {
        const char *where = c->problems[i].where, *text = c->problems[i].text;
        bool named = !strncmp(text, where, strlen(where)); /* a file in that folder, or that file */
        fprintf(stderr, "warpdrill: %s%s%s\n", named ? "" : where, named ? "" : ": ", text);
    }
    return CMD_OK;
}

int cmd_catalog(struct catalog **out, const struct cmd *c)
{
    struct err err = {0};
    return catalog_open(out, c->packs, c->n_packs, &err) ? cmd_fail(&err) : tell_problems(*out);
}

int cmd_catalog_for(struct catalog **out, const struct cmd *c, const char *id)
{
    struct err err = {0};
    return catalog_open_for(out, c->packs, c->n_packs, id, &err) ? cmd_fail(&err)
                                                                 : tell_problems(*out);
}

int cmd_variant(const struct variant **out, struct catalog *catalog, const struct cmd *c,
                const char *id)
{
    struct err err = {0};
    const struct story *story = NULL;
    if (catalog_find(catalog, id, &story, out, &err))
        return cmd_fail(&err);
    if (!*out && !c->seeded && story->n_variants > 1)
        return cmd_misuse("%s has %d variants; name one (%s/%s) or give --seed N", story->full_id,
                          story->n_variants, story->full_id, story->variants[0]->id);
    if (!*out)
        *out = attempt_pick(story, NULL, c->seed);
    if (!*out)
        return cmd_misuse("%s has no variants", story->full_id);
    return catalog_draw(catalog, *out, c->seeded ? c->seed : 0, out, &err) ? cmd_fail(&err)
                                                                           : CMD_OK;
}

/* ---- packs on the command line ---- */

/* Is there a pack.yaml in the folder of these n bytes? */
static bool holds_manifest(const char *folder, size_t n)
{
    char *path = text_format("%.*s/pack.yaml", (int)n, folder);
    bool there = access(path, F_OK) == 0;
    free(path);
    return there;
}

int cmd_pack(struct pack **out, const struct cmd *c, const char *name)
{
    struct err err = {0};
    struct stat st;
    const char *story = strrchr(name, '/');
    if (story && !holds_manifest(name, strlen(name)) &&
        holds_manifest(name, (size_t)(story - name)))
        return cmd_misuse("%s is no pack, and the folder above it is one; `%.*s %s` was expected",
                          name, (int)(story - name), name, story + 1);
    if (stat(name, &st) == 0 && S_ISDIR(st.st_mode))
        return pack_open_whole(out, name, &err) ? cmd_fail(&err) : CMD_OK;
    struct catalog *catalog = NULL;
    int status = cmd_catalog(&catalog, c);
    if (status)
        return status;
    char *root = NULL;
    for (int i = 0; i < catalog->n_packs && !root; i++)
        if (!strcmp(catalog->packs[i]->id, name))
            root = text_dup(catalog->packs[i]->files->root);
    catalog_free(catalog);
    if (!root)
        return cmd_misuse("%s is neither a folder nor the id of a pack", name);
    status = pack_open_whole(out, root, &err) ? cmd_fail(&err) : CMD_OK;
    free(root);
    return status;
}

bool cmd_is_named(const struct variant *v, const char *id)
{
    const struct story *s = v->story;
    size_t n = strlen(s->pack->id);
    if (!strncmp(id, s->pack->id, n) && id[n] == '/')
        id += n + 1;
    size_t k = strlen(s->id);
    return !strncmp(id, s->id, k) && (!id[k] || (id[k] == '/' && !strcmp(id + k + 1, v->id)));
}

static bool is_wanted(const struct cmd *c, const struct variant *v)
{
    bool any = c->n_args <= 1;
    for (int i = 1; i < c->n_args; i++)
        any = any || cmd_is_named(v, c->args[i]);
    return any;
}

bool cmd_names_something(const struct pack *p, const char *id)
{
    for (int s = 0; s < p->n_stories; s++)
        for (int i = 0; i < p->stories[s].n_variants; i++)
            if (cmd_is_named(p->stories[s].variants[i], id))
                return true;
    return false;
}

int cmd_no_scenario(const struct pack *p, const char *id)
{
    char list[400] = "", *folder = text_format("%s/scenario.yaml", id);
    for (int s = 0; s < p->n_stories; s++) {
        size_t n = strlen(list);
        snprintf(list + n, sizeof list - n, "%s%s", s ? ", " : "", p->stories[s].id);
    }
    int status = files_find(p->files, folder)
                     ? cmd_misuse("%s has no scenario '%s': `scenarios` of pack.yaml does not list "
                                  "that folder",
                                  p->id, id)
                     : cmd_misuse("%s has no scenario '%s'; one of these was expected: %s", p->id,
                                  id, list);
    free(folder);
    return status;
}

int cmd_each_variant(const struct cmd *c, const struct pack *p,
                     int (*fn)(void *ctx, const struct variant *v), void *ctx)
{
    for (int i = 1; i < c->n_args; i++)
        if (!cmd_names_something(p, c->args[i]))
            return cmd_no_scenario(p, c->args[i]);
    int status = CMD_OK;
    for (int s = 0; s < p->n_stories; s++)
        for (int i = 0; i < p->stories[s].n_variants; i++)
            if (is_wanted(c, p->stories[s].variants[i]) &&
                fn(ctx, p->stories[s].variants[i]) != CMD_OK)
                status = CMD_FAILED;
    return status;
}

/* ---- the runner ---- */

struct described {
    struct msg_device *device;
    struct msg_links *links; /* or NULL */
    bool there;
    char last[400];
};

static int keep_device(struct msg_device *out, const struct msg_device *from)
{
    json_t *obj = msg_device_encode(from);
    int rc = msg_device_decode(out, obj, NULL);
    json_decref(obj);
    return rc;
}

static void on_describe(void *ctx, const struct client_event *e)
{
    struct described *d = ctx;
    bool news = (e->kind == CLIENT_STATE || e->kind == CLIENT_PROGRESS) && *e->say &&
                e->queued_s % 60 == 0 && strcmp(e->say, d->last);
    if (news) {
        fprintf(stderr, "%s\n", e->say);
        snprintf(d->last, sizeof d->last, "%s", e->say);
    }
    if (e->kind == CLIENT_DEVICE && !d->there)
        d->there = keep_device(d->device, e->device) == 0;
    if (e->kind == CLIENT_LINKS && d->links) {
        *d->links = *e->links;
        d->there = true;
    }
}

static int describe(struct client *client, struct described *d, const char *ceilings,
                    struct err *err)
{
    msg_device_free(d->device);
    *d->device = (struct msg_device){0};
    d->there = false;
    int64_t id = client_describe(client, ceilings, err);
    return id < 0 ? (int)id : client_wait(client, id, on_describe, d, err);
}

int cmd_describe(struct client *client, struct msg_device *device, const char *ceilings,
                 struct err *err)
{
    struct described d = {.device = device};
    int rc = describe(client, &d, ceilings, err);
    return rc || d.there ? rc : err_set(err, ERR_NO_GPU, "the runner described no GPU");
}

int cmd_measure_links(struct client *client, int gpus, bool again, struct msg_links *links,
                      struct err *err)
{
    struct described d = {.links = links};
    if (!client_can(client, "links"))
        return err_set(err, ERR_UNSUPPORTED,
                       "this runner cannot measure links; copy this build's warpdrill-runner "
                       "there");
    int64_t id = client_links(client, gpus, again, err);
    int rc = id < 0 ? (int)id : client_wait(client, id, on_describe, &d, err);
    return rc || d.there ? rc : err_set(err, ERR_MISSING, "the runner told no links");
}

/* Once for a host, as ceilings are; what a host does not let us measure is said where it is asked
 * for by itself. */
static void know_links(struct client *client, struct msg_device *device)
{
    struct msg_links links;
    struct err err = {0};
    double gpus = 1;
    if (msg_device_number(device, "gpus", &gpus) && gpus > 1 && !device->links.gpus &&
        client_can(client, "links") && !cmd_measure_links(client, 2, false, &links, &err))
        device->links = links;
}

/* Without a GPU here there may be one on another machine. */
static void point_elsewhere(const char *command, struct err *err)
{
    char *why = text_dup(err->text);
    if (!front_is_far(command))
        err_set(err, ERR_NO_GPU,
                "%s; or take the GPU of another machine: --runner 'ssh HOST warpdrill-runner'",
                why);
    free(why);
}

int cmd_connect(struct client **client, struct msg_device *device, const struct cmd *c,
                const char *ceilings, struct err *err)
{
    struct described d = {.device = device};
    char *command = default_runner(c->runner);
    *client = NULL;
    *device = (struct msg_device){0};
    int rc = client_open(client, command, err);
    double copy;
    if (rc == 0)
        rc = describe(*client, &d, ceilings, err);
    if (rc == 0 && d.there && !strcmp(ceilings, "cached") &&
        !msg_device_ceiling(device, "copy", &copy))
        rc = describe(*client, &d, "measure", err); /* nobody measured this GPU's ceilings yet */
    if (rc == 0 && d.there && !strcmp(ceilings, "cached"))
        know_links(*client, device);
    if (rc == 0 && !d.there)
        rc = err_set(err, ERR_NO_GPU, "'%s' described no GPU", command);
    if (rc == ERR_NO_GPU)
        point_elsewhere(command, err);
    if (rc) {
        client_free(*client);
        *client = NULL;
        msg_device_free(device);
        *device = (struct msg_device){0};
    }
    free(command);
    return rc;
}

void cmd_print_json(json_t *value)
{
    json_dumpf(value, stdout, JSON_INDENT(2) | JSON_SORT_KEYS | JSON_REAL_PRECISION(12));
    putchar('\n');
    json_decref(value);
}
