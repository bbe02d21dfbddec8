/* What is kept of mending: one event for each try, in the stream "mend:PACK/STORY/VARIANT". There
 * is no projection: a variant's tries are read from its stream. */
#ifndef WD_SCENARIOS_MEND_KEPT_H
#define WD_SCENARIOS_MEND_KEPT_H

#include "db/store.h"
#include "scenarios/mend/mend.h"
#include "scenarios/mend/mend_verdict.h"

enum { MEND_UID = 33 };
struct mend_try {
    int number;      /* from 1, as people see it */
    int64_t at_ms;   /* UTC */
    char uid[MEND_UID];
    char *text;
    struct mend_verdict verdict; /* is MEND_OPEN: kept without having been judged */
};
struct mend_tries {
    struct mend_try *all; int n;
    int hints;                   /* steps that were shown */
};

/* A name for a try: kept again under the same one it is kept once. */
void mend_uid(char out[MEND_UID]);
/* Writes a try; of one whose judging was called off before anything was known, the text alone, and
 * of one that could not be judged nothing. ERR_BUSY, or ERR_IO with the store's
 * message: it can be tried again. */
int mend_keep(struct store *s, const char *full_id, const char *uid, const char *text,
              const struct mend_verdict *verdict, struct err *err);
/* Step `step` (from 1) of the hints was shown. */
int mend_keep_hint(struct store *s, const char *full_id, int step, struct err *err);

/* All tries of a variant, oldest first. */
int mend_tries_read(struct mend_tries *out, struct store *s, const char *full_id,
                    struct err *err);
void mend_tries_free(struct mend_tries *t);
/* The right one with the least time over its target's; NULL: none is right. */
const struct mend_try *mend_best(const struct mend_tries *t);
/* Writes a text that was not judged. */
int mend_keep_aside(struct store *s, const char *full_id, const char *text, struct err *err);
/* Puts `text` into the file. What stands there is kept first: a text in the store, unless it is
 * `text` or one of `tries` has it; what is no source, and everything where the store is NULL,
 * beside it (mend.h). */
int mend_replace(const struct mend_place *p, struct store *s, const char *full_id,
                 const struct mend_tries *tries, const char *text, struct err *err);

/* Its number; 0: it is not among them. */
int mend_number(const struct mend_tries *t, const char *uid);
/* The newest one with that text; NULL: none. */
const struct mend_try *mend_with_text(const struct mend_tries *t, const char *text);

/* May it be mended? Its debrief was shown: 1, else 0; < 0 a store_rc. A story's id stands for that
 * of its variants whose debrief was read last; *id receives the variant's. */
int mend_allowed(struct store *s, const char *full_id, char id[128]);

#endif
