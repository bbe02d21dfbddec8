/* What the files of the codec share. */
#ifndef WD_WIRE_MESSAGE_NAMES_H
#define WD_WIRE_MESSAGE_NAMES_H

#include "kernels/wire/codec.h"
#include "kernels/wire/message.h"

enum { TOOLS = 4 }; /* of compute-sanitizer */
extern const char *const tool_names[TOOLS];
extern const char *const role_names[], *const cache_names[], *const tolerance_names[], *const arg_names[];

/* What a and b of each kind of fill are called, NULL when it has none; `keys` lists all it may have. */
struct fill_spelling {
    const char *a, *b, *keys;
};
extern const char *const fill_names[FILL_COUNT];
extern const struct fill_spelling fill_keys[FILL_COUNT];

extern const struct row_own probe_own; /* an enum wire_probe, by its name */

/* The fields `sources` and `define` (optional) of a request, on the way in and out. */
void sources_decode(struct msg_source **out, int *n, const struct fields *f);
void defines_decode(struct msg_define **out, int *n, const struct fields *f);
json_t *sources_encode(const struct msg_source *sources, int n);
json_t *defines_encode(const struct msg_define *define, int n);

#endif
