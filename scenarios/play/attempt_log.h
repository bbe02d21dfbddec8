/* How an attempt is written: the copy of its scenario, the event of each move, the rows that the
 * event brings. */
#ifndef WD_SCENARIOS_ATTEMPT_LOG_H
#define WD_SCENARIOS_ATTEMPT_LOG_H

#include "db/store.h"
#include "scenarios/play/debrief.h"
#include "scenarios/library/version.h"

/* What an attempt's history needs to outlive its pack: JSON text with the story, this variant and,
 * when `r` is given, its recording. */
char *content_make(const struct variant *v, const struct recording *r);
int content_load(struct pack **pack, const struct variant **variant, const char *text, size_t len,
                 struct err *err);

/* The content version (version.h) of the copy that an attempt kept, by the hash of its row; false,
 * and "", when it cannot be read. */
bool content_version(char out[VERSION_TEXT], struct store *store, const char *sha256);

/* Of what is the candidate's to do: the interviewer pressed for them. */
#define ACTOR_SCRIBE "host"

/* 32 random hex digits: the name of an event or an attempt. */
void uid_make(char out[33]);

/* Facts of an attempt that no move changes. */
struct attempt_facts { char uid[33], content[65]; int64_t started_ms; bool counted; };

/* One event with everything that it brings, owned: ready for store_append, as often as it takes. */
struct written {
    struct store_event event;
    struct store_blob blobs[2]; int n_blobs;
    struct store_attempt row;
    struct store_score_line *lines; int n_lines;
    struct store_belief *beliefs; int n_beliefs;
    struct store_answer *answers; int n_answers;
    struct written *next;
};
/* Rows only: what screens ask for, from the state of an investigation; debrief NULL until revealed.
 */
void written_rows(struct written *w, const struct attempt_facts *f, const struct investigation *i,
                  const struct debrief *d);
/* Takes over `body` and `blob` (NULL or malloc'd text, referred to in the body as `blob_name`). */
void written_event(struct written *w, const struct attempt_facts *f, const struct move *m,
                   json_t *body, const char *blob_name, char *blob);
struct store_change written_change(const struct written *w);
void written_free(struct written *w);

/* An attempt as the log has it. */
struct logged {
    struct attempt_facts facts;
    struct pack *pack;
    const struct variant *variant;
    struct investigation *state;
    struct debrief *debrief;      /* when it was revealed */
    struct evidence *all;
    int64_t *seq; int n_seq;      /* of each move, in the store's log */
};
int logged_load(struct logged *out, struct store *store, const char *uid, struct err *err);
void logged_free(struct logged *l);

/* What debriefs are made from, as one blob. */
char *reveal_encode(const struct msg_device *device, const struct evidence *all);

#endif
