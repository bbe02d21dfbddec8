/* Kinds of source that a variant may have: what its files are called. CUDA text today. A further
 * kind is a row here; what is done with its text differs in the runner alone. */
#ifndef WD_SCENARIOS_SOURCE_KIND_H
#define WD_SCENARIOS_SOURCE_KIND_H

enum { SOURCE_CUDA, SOURCE_KINDS };

/* ending: with its dot. suspect: its place in the variant's folder; the others name the runs in
 * requests and in messages, whatever the author calls the files. */
struct source_kind {
    const char *ending, *suspect, *fix, *best, *half, *rest, *reference;
};
extern const struct source_kind source_kinds[SOURCE_KINDS];

/* The kind of a path by its ending; NULL: it is no source. */
const struct source_kind *source_kind_of(const char *path);
/* The kind of which this is the suspect's name; NULL: of none. */
const struct source_kind *source_kind_of_suspect(const char *name);
/* What the text of a run is called: "a" the suspect, "b" the fix, "c" the best, "d" the half, "e"
 * the rest, "r" the reference. */
const char *source_name(const struct source_kind *kind, const char *run);

#endif
