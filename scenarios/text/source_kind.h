/* Kinds of source that a variant may have: what its files are called. CUDA text, which
 * is compiled, and Python, of which an image runs. A further kind is a row here. */
#ifndef WD_SCENARIOS_SOURCE_KIND_H
#define WD_SCENARIOS_SOURCE_KIND_H

#include <stdbool.h>

enum { SOURCE_CUDA, SOURCE_PYTHON, SOURCE_KINDS };

/* ending: with its dot. suspect: its place in the variant's folder; the others name the runs in
 * requests and in messages, whatever the author calls the files. */
struct source_kind {
    const char *ending, *suspect, *fix, *best, *half, *rest, *reference;
    const char *comment; /* what begins one that ends with its line */
    bool image; /* nobody compiles it here: an image stands beside it */
};
extern const struct source_kind source_kinds[SOURCE_KINDS];

/* The kind of a path by its ending; NULL: it is no source. */
const struct source_kind *source_kind_of(const char *path);
/* The kind of which this is the suspect's name; NULL: of none. */
const struct source_kind *source_kind_of_suspect(const char *name);
/* Is it the name of a compiled image, NAME.ptx? */
bool source_is_image(const char *path);
/* What the text of a run is called: "a" the suspect, "b" the fix, "c" the best, "d" the half, "e"
 * the rest, "r" the reference. */
const char *source_name(const struct source_kind *kind, const char *run);

#endif
