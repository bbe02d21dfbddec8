/* warpdrill record: a pack's evidence, measured through the runner and kept beside it. */
#include "tui/cmd.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "scenarios/record.h"

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
    if (!strcmp(c->args[0], "drills"))
        return cmd_record_drills(c);
    strftime(r.today, sizeof r.today, "%Y-%m-%d", gmtime_r(&now, &utc));
    int status = cmd_pack(&pack, c, c->args[0]);
    if (status == CMD_OK && pack->seal != SEAL_NONE) { /* its evidence would lie in clear beside what is sealed */
        err_set(&err, ERR_PERMISSION, "%s is sealed; warpdrill unseal gives a folder to record in", pack->files->root);
        status = cmd_fail(&err);
    }
    if (status == CMD_OK)
        status = cmd_trust(c, pack);
    if (status == CMD_OK && cmd_connect(&r.client, &r.device, c, "measure", &err))
        status = cmd_fail(&err);
    if (status == CMD_OK)
        status = cmd_each_variant(c, pack, record_one, &r);
    client_free(r.client);
    msg_device_free(&r.device);
    pack_free(pack);
    return status;
}
