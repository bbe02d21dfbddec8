/* Progress on its way out and in: everything that a person did, as files that other programs read.
 *
 * The log is the truth, so what moves is the log, as JSON: one object a line; the first is
 * {"format": "warpdrill-log", "version": 1, "events": N, "blobs": M}, then events, oldest first,
 * each with its blobs in lines before it. It comes back as it was: exported, imported into an empty
 * store and exported again, the bytes are the same. CSV is written for spreadsheets and never read:
 * a folder with warpdrill.csv (the same head), events.csv and blobs.csv (the log), attempts.csv,
 * score_lines.csv, beliefs.csv, answers.csv, items.csv, reviews.csv, settings.csv.
 *
 * In: the store, or files of somebody's progress. Out: files, or events taken into the store and a
 * count of them. Callers: tui/commands. First to open: transfer_write.c; then transfer_read.c and
 * transfer_judge.c, which says what may come in. */
#ifndef WD_DRILLS_TRANSFER_H
#define WD_DRILLS_TRANSFER_H

#include <stdio.h>

#include "db/store.h"
#include "kernels/wire/err.h"

int transfer_write_json(struct store *store, FILE *out, struct err *err);
/* To a file that does not exist yet; it appears when it is whole. */
int transfer_write_file(struct store *store, const char *path, struct err *err);
/* To a folder that does not exist yet; it appears when it is whole. */
int transfer_write_csv(struct store *store, const char *folder, struct err *err);

enum { TRANSFER_NOTES = 100 };
struct transfer_report {
    long fresh, known;          /* events */
    long left_out;              /* events that this store must not take: said in notes */
    long refused;               /* lines that cannot be meant: then nothing was stored */
    char *notes[TRANSFER_NOTES]; int n_notes;   /* "FILE:LINE: why", the first ones */
};

/* Can it be read, and does it begin as an export? Other files are so refused before a store is made
 * for them. A pipe can be read only once and is not looked at. */
int transfer_look(const char *path, struct err *err);

/* A file of JSON lines. All or nothing: one refused line and nothing is stored, after all of them
 * were looked at. Known are events that the store has. Left out are the rest of an attempt that
 * went on in two places, a setting that was changed here later, and the command that starts the
 * runner (it would run on this machine). dry: everything but keeping it. The report is filled in
 * any case. */
int transfer_read(struct store *store, const char *path, bool dry, struct transfer_report *report,
                  struct err *err);
void transfer_report_free(struct transfer_report *r);

/* A backup_judge: is everything in this copy what an import would take? Every event and its body,
 * every text by its hash; then all rows are made again, as when the program opens it. */
int transfer_judge(struct store *copy, char *why, size_t n);

#endif
