/* Exhibits: the evidence of a case, from files that a person or a simulator wrote, in the shape in
 * which measurements come.
 *
 * A part of an exhibit has its figures as series (a table of rows, or of rows x columns, row by
 * row), the names of its rows as lines, and what a column is numbered as the series
 * EXHIBIT_COLUMNS; a timeline as exhibit_blocks.h says; a text has its lines alone. Notes: where it
 * comes from, then what its author remarks. Its probe is PROBE_BUILD, as the source's is: no runner
 * answers it. */
#ifndef WD_SCENARIOS_EXHIBITS_H
#define WD_SCENARIOS_EXHIBITS_H

#include "kernels/wire/hash.h"
#include "scenarios/pack/story.h"
#include "scenarios/pack/recording.h"

#define EXHIBIT_COLUMNS "#columns"
enum {
    EXHIBIT_ROWS = 64,         /* and columns */
    EXHIBIT_LINES = 1000,
    EXHIBIT_TEXT = 128 * 1024, /* bytes of all lines */
};

/* All exhibits of a variant of a case as one recording, of the story's system and of the tier that
 * their files name (one for all), or drawn from the story's model by the seed of the pack's files.
 * Errors stand at the file and name the key. */
int exhibits_recording(struct recording **out, const struct variant *v, struct err *err);
/* 0 when every exhibit that is a file is there and as it was announced. */
int exhibits_check(const struct variant *v, struct err *err);
/* The key under which an exhibit stands in that recording. */
void exhibit_key(char key[HASH_HEX], const struct experiment *x);

#endif
