/* A file of evidence on disk, as a recorder keeps it: written in one step, and never over a state
 * that the recorder has not read.
 *
 * Between reading and writing an hour of measuring may lie. So a write locks the folder, reads the
 * file again and compares it with what this recorder saw last. Evidence that
 * another machine or card wrote meanwhile stays, and so does newer evidence; ours then goes beside
 * it. */
#ifndef WD_SCENARIOS_RECORD_FILE_H
#define WD_SCENARIOS_RECORD_FILE_H

#include "scenarios/supply/client.h"
#include "scenarios/evidence/evidence.h"

struct evidence_file {
    char *path;
    char *text; size_t len;        /* as it was seen last; text NULL: there was none */
    struct recording *was;         /* the same, decoded; NULL: none, or not to be read */
    char said[400]; /* by the last write: what a person should hear of it; "" when nothing */
};

/* Sees what is at `path` now (a missing file is no failure). ERR_VERSION: written by a newer
 * program. ERR_IO, ERR_TOO_LARGE. */
int evidence_file_open(struct evidence_file *f, const char *path, struct err *err);
void evidence_file_close(struct evidence_file *f);

/* Writes `r`, whose folders are made, and sees it as the file from now on. ERR_BUSY: what is there
 * now must not be replaced (with `replace` it may be); `r` is then kept as PATH.ORIGIN.new, which
 * no reader takes for evidence, and the text says so. When the same card, by the same software,
 * wrote it meanwhile, both are joined into `r`. */
int evidence_file_write(struct evidence_file *f, struct recording *r, bool replace,
                        struct err *err);

/* A file of evidence that was read elsewhere, byte by byte, under the same lock: `len` bytes of
 * `text`, provided that what is at f->path is still as seen. */
int evidence_file_copy(struct evidence_file *f, const char *text, size_t len, struct err *err);

/* May items of both stand in one file? Only those of one card in one machine, measured by the same
 * software and method. NULL: they may; else why not, "with driver 1, here 2" (in `why`). */
const char *recording_apart(const struct recording *was, const struct recording *now, char *why,
                            size_t size);

/* "NVIDIA H200, 2026-11-21T10:14:05Z, origin 3d1f0c52a97be864" */
void recording_provenance(char *out, size_t size, const struct recording *r);

/* Now, in UTC. */
void recording_now(char out[21]);

#endif
