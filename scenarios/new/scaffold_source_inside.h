/* How a source is opened, in this order: scaffold_inline.c, scaffold_code.c, scaffold_items.c,
 * scaffold_source.c. Nobody else includes this. */
#ifndef WD_SCENARIOS_SCAFFOLD_SOURCE_INSIDE_H
#define WD_SCENARIOS_SCAFFOLD_SOURCE_INSIDE_H

#include "scenarios/new/scaffold_source.h"

/* ---- scaffold_revision.c ---- */

/* The bytes of a file as it is (revision NULL), or as it was in that commit of the repository that
 * it lies in; a NUL behind them, malloc'd. NULL where it cannot be had, or has more than `most`. */
char *source_bytes(const char *path, const char *revision, size_t most, size_t *len,
                   struct err *err);

/* ---- scaffold_inline.c ---- */

/* Puts headers that lie beside the file in the place of their #include, and keeps where each line
 * stood. */
int source_inline(struct source *s, struct err *err);

/* ---- scaffold_code.c ---- */

/* Lines of Windows, a byte order mark and form feeds go; bytes that are not UTF-8 are refused. */
int source_mend(struct source *s, struct err *err);
/* Makes `code` of the text, and the marks of places. */
void source_mask(struct source *s);
/* Fills `close`: once, when directives are blanks. */
void source_pair_brackets(struct source *s);
/* code_close of the source's own code, without looking for it. */
size_t source_close(const struct source *s, size_t at, size_t end);
int source_line_at(const struct source *s, size_t at);
/* Returns the code, with the place in the file that it stood in. */
int source_fail(const struct source *s, size_t at, int code, struct err *err, const char *what);

/* ---- scaffold_items.c ---- */

/* Directives, those inside functions too: aliases and notes of them; they become blanks in `code`,
 * so that what follows sees code alone. */
void source_directives(struct source *s);
/* Fills kernels, types, aliases, notes and what is dropped. Fails where brackets do not match. */
int source_split(struct source *s, struct err *err);

/* ---- scaffold_template.c ---- */

/* Binds the parameters of a template to what the first launch with a list of arguments gives them,
 * or else the first place that names an instance. */
void source_instance(struct source *s, struct kernel *k);
/* Its types and values by name, for what reads parameters and numbers. */
void source_instance_aliases(struct source *s, const struct kernel *k);
/* The declarations of kernel `which`, less what one before it has alike. malloc'd. */
char *source_instance_text(const struct kernel *const *k, int which);
/* Says which instance it is, and which others stay behind. */
void source_instance_notes(struct source *s, const struct kernel *k);
/* Behind the template arguments at `open`, if there are any. */
size_t source_behind_list(const struct source *s, size_t open);

/* ---- scaffold_body.c ---- */

/* Reads out of the body how the parameters are used, and what shape of launch it expects. */
void source_body(const struct source *s, struct kernel *k);

/* ---- scaffold_given.c ---- */

/* What `code` needs of headers, each text once; or of that what types of parameters need. malloc'd.
 */
char *given_prelude(const struct source *s, const char *code, bool types_only);
/* Notes words that nothing can be written for. */
void given_warn_lost(struct source *s, const char *code);

#endif
