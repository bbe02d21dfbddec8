/* All recorded evidence of one variant, whether a GPU was recorded or a case has exhibits. */
#ifndef WD_SCENARIOS_RECORDINGS_H
#define WD_SCENARIOS_RECORDINGS_H

#include "scenarios/pack/recording.h"

/* Every recording of a variant, the most capable GPU's first; of a case the one that its exhibits
 * are (exhibits.h); the array is the caller's. */
int recordings_of(const struct variant *v, struct recording ***out, int *n, struct err *err);
/* Reads the files of its evidence that are listed alone, for whoever needs them later whatever
 * becomes of the disk. */
int recordings_load(const struct variant *v, struct err *err);
/* One file of evidence, which is read now if the set has it listed alone. */
int recording_of_file(struct recording **out, struct files *files, const struct file *f,
                      struct err *err);
void recordings_free(struct recording **list, int n);

#endif
