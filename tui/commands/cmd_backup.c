/* warpdrill backup and restore. */
#include "tui/commands/commands.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "db/backup.h"
#include "drills/transfer/transfer.h"
#include "kernels/wire/text.h"

int cmd_backup(const struct cmd *c)
{
    struct store *store = NULL;
    char *path = NULL;
    int status = cmd_store(&store, c, false);
    if (status != CMD_OK)
        return status;
    int rc = c->n_args ? backup_make_as(store, c->args[0]) : backup_make(store, "by-hand", &path);
    if (rc == STORE_OK)
        puts(path ? path : c->args[0]);
    else
        fprintf(stderr, "warpdrill: %s\n", store_message(store));
    free(path);
    store_free(store);
    return rc == STORE_OK ? CMD_OK : CMD_FAILED;
}

static void print_entry(const struct backup_entry *e)
{
    char when[32] = "";
    time_t at = (time_t)(e->at_ms / 1000);
    struct tm tm;
    if (localtime_r(&at, &tm))
        strftime(when, sizeof when, "%Y-%m-%d %H:%M", &tm);
    printf("%s  %7.1f MB  %8lld%s events  %-14s %s%s%s\n", when, (double)e->size / 1e6,
           (long long)e->events, e->more ? "+" : " ", e->reason, e->path,
           e->good ? "" : "  NOT GOOD: ", e->good ? "" : e->why);
}

static json_t *entry_json(const struct backup_entry *e)
{
    return json_pack("{s:s, s:I, s:I, s:I, s:b, s:s, s:b, s:s}", "path", e->path, "at_ms",
                     (json_int_t)e->at_ms, "bytes", (json_int_t)e->size, "events",
                     (json_int_t)e->events, "more", (int)e->more, "reason", e->reason, "good",
                     (int)e->good, "why", e->why);
}

static int list_backups(const struct cmd *c, const struct backup_entry *all, int n)
{
    json_t *array = json_array();
    for (int i = 0; i < n; i++) {
        if (!c->json)
            print_entry(&all[i]);
        json_array_append_new(array, entry_json(&all[i]));
    }
    if (c->json)
        cmd_print_json(json_pack("{s:O}", "backups", array));
    else if (n == 0)
        fprintf(stderr, "warpdrill: there are no backups yet; warpdrill backup makes one\n");
    json_decref(array);
    return CMD_OK;
}

/* "latest", the name of one that --list shows, or any path. malloc'd; NULL: there is no such thing.
 */
static char *find_backup(const char *wanted, const struct backup_entry *all, int n)
{
    for (int i = 0; i < n; i++) {
        const char *slash = strrchr(all[i].path, '/');
        if (!strcmp(wanted, "latest") ? all[i].good
                                      : !strcmp(wanted, slash ? slash + 1 : all[i].path))
            return text_dup(all[i].path);
    }
    return access(wanted, F_OK) == 0 ? text_dup(wanted) : NULL;
}

static int restore(const char *db, const char *backup)
{
    char *said = NULL;
    int rc = backup_restore(db, backup, transfer_judge, &said);
    if (rc == STORE_OK) {
        printf("restored from %s\n", backup);
        if (said)
            printf("what was there before is %s\n", said);
    } else {
        fprintf(stderr, "warpdrill: %s\n", said ? said : "out of memory");
    }
    free(said);
    return rc == STORE_OK ? CMD_OK : CMD_FAILED;
}

int cmd_restore(const struct cmd *c)
{
    struct backup_entry *all = NULL;
    char *db = default_db(c->db), *backup = NULL;
    int n = 0, status = CMD_OK;
    if (c->list == (c->n_args == 1))
        status = cmd_misuse("usage: warpdrill restore latest | FILE | --list");
    else if (backup_list(db, &all, &n) != STORE_OK) {
        cmd_misuse("the folder of backups beside %s cannot be read", db);
        status = CMD_FAILED;
    } else if (c->list)
        status = list_backups(c, all, n);
    else if (!(backup = find_backup(c->args[0], all, n))) {
        cmd_misuse("there is no backup '%s'; warpdrill restore --list shows them", c->args[0]);
        status = CMD_FAILED;
    } else {
        status = restore(db, backup);
    }
    backup_list_free(all, n);
    free(backup);
    free(db);
    return status;
}
