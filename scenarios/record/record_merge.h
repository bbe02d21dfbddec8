/* Evidence out of another copy of a pack: brought back from the machine with the GPU, or a
 * colleague's. */
#ifndef WD_SCENARIOS_RECORD_MERGE_H
#define WD_SCENARIOS_RECORD_MERGE_H

#include "scenarios/record/record_file.h"

struct merge_options {
    bool dry_run, replace; /* replace: an older file may take a newer one's place */
    void (*say)(void *ctx, const char *text); /* a line for each file: what was done, or why not */
    void *ctx;
};

struct merge_count {
    int taken, same, kept, refused;
}; /* files; refused: they do not belong, or could not be written */

/* Takes over files of evidence of `v` from the other copy's folder. A file is taken when it answers
 * every key of this pack, and is newer than the file here for the same GPU. */
void record_merge(const struct variant *v, const struct files *from,
                  const struct merge_options *options, struct merge_count *count);
/* Tells of evidence in `from` that is of no variant of this pack. */
void record_merge_rest(const struct pack *p, const struct files *from,
                       const struct merge_options *options, struct merge_count *count);

#endif
