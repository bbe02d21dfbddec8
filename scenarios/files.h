/* A scenario's texts as a set of path -> text: read from a folder with every check, or from memory
 * (tests, fuzzers, the copy that an attempt keeps so that its history outlives edits of the pack). */
#ifndef WD_SCENARIOS_FILES_H
#define WD_SCENARIOS_FILES_H

#include <jansson.h>
#include <stddef.h>

#include "kernels/wire/err.h"

struct file { char *path, *text; size_t len; };  /* path relative to the pack's folder, '/'-separated */
struct files { char *root; struct file *file; int n; };

/* Reads every .yaml .cu .md .json file below `root` (a pack's folder), at most 1 MiB each (evidence .json 16 MiB), 512 files, 8 levels.
 * Refused: symbolic links, special files, names with control characters, text that is not clean UTF-8 (file:line:col). */
int files_read(struct files **out, const char *root, struct err *err);
struct files *files_new(const char *root);
void files_add(struct files *f, const char *path, const char *text, size_t len);
void files_free(struct files *f);
/* NULL if absent. Paths in content are refused by path_ok before they come here. */
const struct file *files_find(const struct files *f, const char *path);
/* Relative, no "..", no empty or hidden component, no backslash, plain characters. */
int path_ok(const char *path, struct err *err);

json_t *files_to_json(const struct files *f, const char *prefix);  /* {path: text}, of those below prefix */
int files_from_json(struct files **out, const json_t *obj, struct err *err);

#endif
