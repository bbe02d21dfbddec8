/* Recorded evidence: what a file below sealed/evidence/ holds, the saved answers of one GPU. */
#ifndef WD_SCENARIOS_RECORDING_H
#define WD_SCENARIOS_RECORDING_H

#include <jansson.h>

#include "kernels/wire/message_device.h"
#include "kernels/wire/message_part.h"
#include "scenarios/pack/story.h"

/* sealed/evidence/<slug>.json. */
struct recording {
    struct msg_device device;
    int method;
    char recorded[11];             /* YYYY-MM-DD */
    char at[21]; /* YYYY-MM-DDTHH:MM:SSZ; of older files, and where it was set so, the date alone */
    char since[21]; /* when the oldest of its items was measured, if not at `at`; else "" */
    char version[9]; /* of the variant as it was measured (version.h); "" when unknown */
    char tier[12];                 /* of a case: "generated" or "recorded"; else "", recorded */
    char made_by[128];             /* "warpdrill 0.1.0, runner 0.1.0" */
    struct { char key[65]; struct msg_part part; } *items; int n_items;
};
int recording_decode(struct recording **out, const char *text, size_t len, const char *path,
                     struct err *err);
json_t *recording_encode(const struct recording *r);
void recording_free(struct recording *r);
/* Appends a copy of the part under this key; borrowed until the next call. */
struct msg_part *recording_append(struct recording *r, const char *key,
                                  const struct msg_part *part);
bool recording_when_ok(const char *text); /* YYYY-MM-DD, alone or with THH:MM:SSZ behind it */
const struct msg_part *recording_find(const struct recording *r, const char *key,
                                      const char *run); /* run: "a", "b", "a/b", "c" */

#endif
