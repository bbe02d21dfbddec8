/* Spellings that the two halves of the measure codec share. */
#ifndef WD_WIRE_MESSAGE_NAMES_H
#define WD_WIRE_MESSAGE_NAMES_H

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

#endif
