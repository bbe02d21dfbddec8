/* Recording: what a scenario can be asked, measured and kept beside it.
 *
 * One variant and one GPU are one `struct record`: record_plan compares the file of evidence with
 * what is to be asked today, record_measure measures what is missing or stale, record_keep writes
 * the file. What is still good stays only if it is of the same card in the same machine, measured
 * by the same software: else everything is measured anew, since ceilings and times of two machines
 * are no evidence together.
 *
 * In: a variant, a GPU that was described, its client. Out: VARIANT/sealed/evidence/SLUG.json,
 * and what failed. Callers: warpdrill record (tui/commands). First to open: record_plan.c, which
 * decides; record.c measures, record_file.c alone writes, record_merge.c joins files. */
#ifndef WD_SCENARIOS_RECORD_H
#define WD_SCENARIOS_RECORD_H

#include "scenarios/supply/client.h"
#include "scenarios/record/record_file.h"
#include "scenarios/evidence/request.h"

struct record;

struct record_options {
    bool again;              /* measure everything */
    bool replace;            /* also over what would be refused */
    /* All may be NULL. step: `done` of the `of` items that this variant needs are there, `what`
     * comes next. say: a sentence. stop: true ends the measuring. */
    void (*step)(void *ctx, int done, int of, const char *what);
    void (*say)(void *ctx, const char *text);
    bool (*stop)(void *ctx);
    void *ctx;
};

/* `v`, `client` and `options` are borrowed. device: as described, ceilings are not needed yet.
 * Fails where this GPU cannot run the story, and (ERR_VERSION, without replace) where the file is
 * of a newer program or method. */
int record_plan(struct record **out, const struct variant *v, const struct msg_device *device,
                struct client *client, const struct record_options *options, struct err *err);
void record_free(struct record *r);
const struct variant *record_variant(const struct record *r);
int record_items(const struct record *r); /* what has to be measured or noted as missing; 0: the
                                             file is up to date */
int record_measured(const struct record *r);       /* of these, those that the GPU is asked for */
const char *record_why(const struct record *r); /* "2 of 41 are missing or stale", "all of it, as
                                                   asked", "up to date, DATE" */
const char *record_path(const struct record *r);   /* VARIANT/sealed/evidence/SLUG.json */
const char *record_said(const struct record *r); /* after record_keep: the fate of the file that
                                                    was there; "" when nothing is to be said */

/* Measures, with `device` described anew (the ceilings now matter). A link that dies is made anew
 * once; it must lead to the same card. What failed on this GPU is not in the file: *failed receives
 * it, one a line (malloc'd; NULL when nothing failed). ERR_LOST: the runner is gone. ERR_CANCELLED:
 * stop said so. ERR_MISSING: nothing of the pair could be measured. After any of them there is
 * nothing to keep. */
int record_measure(struct record *r, const struct msg_device *device, char **failed,
                   struct err *err);
/* Writes the file; see evidence_file_write. ERR_MISSING: items failed that the file has, so it
 * stays (unless `replace`). */
int record_keep(struct record *r, struct err *err);

#endif
