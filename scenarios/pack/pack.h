/* Packs on disk to plain structs (story.h): the public half and the sealed half of every scenario.
 *
 * In: a folder, or the files of one in memory, opened or still sealed. Out: a struct pack, or
 * the first error, as `file:line:col: what; what was expected`, the line, a caret. Callers:
 * everything that plays, checks, records or lists. First to open: pack.c, which reads pack.yaml;
 * then pack_story.c for the public half, pack_answer.c for the sealed one. Beside the reader
 * stand what a pack's evidence is (recording.h, exhibits.h) and what formulas may name
 * (names.h). */
#ifndef WD_SCENARIOS_PACK_H
#define WD_SCENARIOS_PACK_H

#include "scenarios/pack/story.h"

/* Takes ownership of `files` (also on failure). */
int pack_load(struct pack **out, struct files *files, struct err *err);
/* Its recorded evidence is listed alone, and read when somebody opens it (recordings.h). */
int pack_open(struct pack **out, const char *folder, struct err *err);
/* The same with all of it read, for those who check or copy the pack. */
int pack_open_whole(struct pack **out, const char *folder, struct err *err);
void pack_free(struct pack *p);
/* Formulas use this name themselves: no parameter, buffer or macro may have it. */
bool pack_name_reserved(const char *name);

#endif
