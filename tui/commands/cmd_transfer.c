/* warpdrill export and import: progress on its way out and in. */
#include "tui/commands/commands.h"

#include <stdlib.h>
#include <string.h>

#include "db/backup.h"
#include "db/bulk.h"
#include "drills/transfer/transfer.h"

/* The count is the store's: what is exported is all of it. */
static void say_written(struct store *store, const char *out)
{
    int64_t events = 0, blobs = 0;
    if (store_count(store, &events, &blobs) == STORE_OK)
        fprintf(stderr, "wrote %lld event%s to %s\n", (long long)events, events == 1 ? "" : "s",
                out);
}

int cmd_export(const struct cmd *c)
{
    struct store *store = NULL;
    struct err err = {0};
    bool csv = c->format && !strcmp(c->format, "csv");
    if (c->format && !csv && strcmp(c->format, "json"))
        return cmd_misuse("--format is json or csv, not '%s'", c->format);
    if (csv && !c->out)
        return cmd_misuse("--format csv writes a folder: name it with --out DIR");
    int status = cmd_store(&store, c, false);
    if (status != CMD_OK)
        return status;
    int rc = csv      ? transfer_write_csv(store, c->out, &err)
             : c->out ? transfer_write_file(store, c->out, &err)
                      : transfer_write_json(store, stdout, &err);
    if (rc == 0 && c->out)
        say_written(store, c->out);
    store_free(store);
    return rc ? cmd_fail(&err) : CMD_OK;
}

static void print_report(const struct cmd *c, const struct transfer_report *r, bool stored)
{
    for (int i = 0; i < r->n_notes; i++)
        fprintf(stderr, "%s\n", r->notes[i]);
    if (r->refused + r->left_out > r->n_notes)
        fprintf(stderr, "... and %ld more\n", r->refused + r->left_out - r->n_notes);
    if (c->json)
        cmd_print_json(json_pack("{s:I, s:I, s:I, s:I, s:b, s:b}", "new", (json_int_t)r->fresh,
                                 "known", (json_int_t)r->known, "left_out", (json_int_t)r->left_out,
                                 "refused", (json_int_t)r->refused, "dry_run", (int)c->dry_run,
                                 "stored", (int)stored));
    else
        printf("%s%ld new, %ld known, %ld left out, %ld refused%s\n",
               r->refused && !c->dry_run ? "nothing was stored; in the file were: " : "", r->fresh,
               r->known, r->left_out, r->refused,
               c->dry_run ? "; a dry run, nothing was stored" : "");
}

/* A store that holds nothing needs no backup. */
static int backup_first(struct store *store)
{
    int64_t events = 0, blobs = 0;
    int rc = store_count(store, &events, &blobs);
    if (rc == STORE_OK && events > 0)
        rc = backup_make(store, "before-import", NULL);
    if (rc == STORE_OK)
        return CMD_OK;
    fprintf(stderr, "warpdrill: %s\n", store_message(store));
    return CMD_FAILED;
}

int cmd_import(const struct cmd *c)
{
    struct store *store = NULL;
    struct transfer_report report = {0};
    struct err err = {0};
    if (transfer_look(c->args[0], &err))
        return cmd_fail(&err);
    int status = cmd_store(&store, c, true);
    if (status == CMD_OK && !c->dry_run)
        status = backup_first(store);
    if (status != CMD_OK) {
        store_free(store);
        return status;
    }
    if (transfer_read(store, c->args[0], c->dry_run, &report, &err))
        status = cmd_fail(&err);
    if (status == CMD_OK || report.refused)
        print_report(c, &report, status == CMD_OK && !c->dry_run);
    transfer_report_free(&report);
    store_free(store);
    return status;
}
