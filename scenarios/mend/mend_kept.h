/* What is kept of mending: one event for each try, in the stream "mend:PACK/STORY/VARIANT". There
 * is no projection: a variant's tries are read from its stream. */
#ifndef WD_SCENARIOS_MEND_KEPT_H
#define WD_SCENARIOS_MEND_KEPT_H

#include "db/store.h"
#include "scenarios/mend/mend_verdict.h"

struct mend_try {
    int number;      /* from 1, as people see it */
    int64_t at_ms;   /* UTC */
    char uid[33];
    char *text;
    struct mend_verdict verdict; /* is MEND_OPEN: kept without having been judged */
};
struct mend_tries {
    struct mend_try *all; int n;
    int hints;                   /* steps that were shown */
    int64_t first_ms;            /* of the first try */
};

/* Writes a try; verdict NULL: a text that was not judged, before another takes its place.
 * ERR_BUSY, or ERR_IO with the store's message. */
int mend_keep(struct store *s, const char *full_id, const char *text,
              const struct mend_verdict *verdict, struct err *err);
/* Step `step` (from 1) of the hints was shown. */
int mend_keep_hint(struct store *s, const char *full_id, int step, struct err *err);

/* All tries of a variant, oldest first. */
int mend_tries_read(struct mend_tries *out, struct store *s, const char *full_id,
                    struct err *err);
void mend_tries_free(struct mend_tries *t);
/* The right one with the least time over its target's; NULL: none is right. */
const struct mend_try *mend_best(const struct mend_tries *t);
/* The newest one with that text; NULL: none. */
const struct mend_try *mend_with_text(const struct mend_tries *t, const char *text);

/* May it be mended? Its debrief was shown: 1, else 0; < 0 a store_rc. A story's id stands for that
 * of its variants whose debrief was read last; *id receives the variant's. */
int mend_allowed(struct store *s, const char *full_id, char id[128]);

#endif
