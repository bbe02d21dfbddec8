/* warpdrill record and check: evidence of a pack, measured and proven fresh. */
#include "tui/cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "scenarios/record.h"

/* PACK is a folder, or the id of a pack that is found by itself. The pack is the caller's. */
static int open_pack(struct pack **out, const struct cmd *c, const char *name)
{
    struct err err = {0};
    struct stat st;
    if (stat(name, &st) == 0 && S_ISDIR(st.st_mode))
        return pack_open(out, name, &err) ? cmd_fail(&err) : CMD_OK;
    struct catalog *catalog = NULL;
    int status = cmd_catalog(&catalog, c);
    if (status)
        return status;
    char *root = NULL;
    for (int i = 0; i < catalog->n_packs && !root; i++)
        if (!strcmp(catalog->packs[i]->id, name))
            root = strdup(catalog->packs[i]->files->root);
    catalog_free(catalog);
    if (!root)
        return cmd_misuse("%s is neither a folder nor the id of a pack", name);
    status = pack_open(out, root, &err) ? cmd_fail(&err) : CMD_OK;
    free(root);
    return status;
}

/* "transposed-copy", "transposed-copy/a", with or without the pack's id in front. */
static bool is_named(const struct variant *v, const char *id)
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
        any = any || is_named(v, c->args[i]);
    return any;
}

static bool names_something(const struct pack *p, const char *id)
{
    for (int s = 0; s < p->n_stories; s++)
        for (int i = 0; i < p->stories[s].n_variants; i++)
            if (is_named(p->stories[s].variants[i], id))
                return true;
    return false;
}

static int each_variant(const struct cmd *c, const struct pack *p, int (*fn)(void *ctx, const struct variant *v), void *ctx)
{
    for (int i = 1; i < c->n_args; i++)
        if (!names_something(p, c->args[i]))
            return cmd_misuse("%s has no scenario '%s'", p->id, c->args[i]);
    int status = CMD_OK;
    for (int s = 0; s < p->n_stories; s++)
        for (int i = 0; i < p->stories[s].n_variants; i++)
            if (is_wanted(c, p->stories[s].variants[i]) && fn(ctx, p->stories[s].variants[i]) != CMD_OK)
                status = CMD_FAILED;
    return status;
}

/* ---- record ---- */

struct recorder { struct client *client; struct msg_device device; char today[11]; };

static void say(void *ctx, const char *text)
{
    (void)ctx;
    fprintf(stderr, "%s\n", text);
}

static int record_one(void *ctx, const struct variant *v)
{
    struct recorder *r = ctx;
    struct err err = {0};
    struct record_options options = {.today = r->today, .say = say};
    char *path = NULL, *failed = NULL;
    int status = CMD_OK;
    if (!client_alive(r->client))
        return CMD_FAILED;
    if (record_variant(r->client, v, &r->device, &options, &path, &failed, &err))
        status = cmd_fail(&err);
    else
        printf("%s\n", path);
    if (failed) {
        fprintf(stderr, "warpdrill: not measured, and so not in the file:\n%s\n", failed);
        status = CMD_FAILED;
    }
    free(path);
    free(failed);
    return status;
}

int cmd_record(const struct cmd *c)
{
    struct pack *pack = NULL;
    struct recorder r = {0};
    struct err err = {0};
    time_t now = time(NULL);
    struct tm utc;
    strftime(r.today, sizeof r.today, "%Y-%m-%d", gmtime_r(&now, &utc));
    int status = open_pack(&pack, c, c->args[0]);
    if (status == CMD_OK && cmd_connect(&r.client, &r.device, c, "measure", &err))
        status = cmd_fail(&err);
    if (status == CMD_OK)
        status = each_variant(c, pack, record_one, &r);
    client_free(r.client);
    msg_device_free(&r.device);
    pack_free(pack);
    return status;
}

/* ---- check ---- */

static int check_one(void *ctx, const struct variant *v)
{
    struct err err = {0};
    struct recording **recordings = NULL;
    int n = 0, status = CMD_OK, *checked = ctx;
    if (recordings_of(v, &recordings, &n, &err))
        return cmd_fail(&err);
    if (n == 0) {
        fprintf(stderr, "warpdrill: %s has no recorded evidence (warpdrill record brings it)\n", v->full_id);
        status = CMD_FAILED;
    }
    for (int i = 0; i < n; i++) {
        struct err stale = {0};
        if (request_fresh(v, recordings[i], &stale)) {
            fprintf(stderr, "warpdrill: %s: %s\n", v->full_id, stale.text);
            status = CMD_FAILED;
        }
        ++*checked;
    }
    recordings_free(recordings, n);
    return status;
}

int cmd_check(const struct cmd *c)
{
    struct pack *pack = NULL;
    int checked = 0, status = open_pack(&pack, c, c->args[0]);
    if (status != CMD_OK)
        return status;
    status = each_variant(c, pack, check_one, &checked);
    if (status == CMD_OK)
        printf("%s: %d stories, %d recordings, all fresh\n", pack->id, pack->n_stories, checked);
    pack_free(pack);
    return status;
}
