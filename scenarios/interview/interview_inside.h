/* What the files of an interview share, lower ones first: interview.c; interview_append.c, which
 * writes; the verbs (interview_verbs.c, interview_says.c, interview_moves.c, interview_fix.c);
 * interview_life.c. */
#ifndef WD_SCENARIOS_INTERVIEW_INSIDE_H
#define WD_SCENARIOS_INTERVIEW_INSIDE_H

#include "scenarios/interview/interview.h"

struct interview {
    char *id, *folder;
    int lock;                            /* -1: read only */
    bool late;                           /* the interview was over when it was opened */
    bool scribe;                         /* the interviewer presses for the candidate */
    struct store *store;
    struct session *session;
    struct attempt *attempt[SESSION_MAX_PARTS];
    int64_t kept_ms;                     /* UTC of the last interview_keep_time; 0: none yet */
    unsigned changes;
    int64_t moves; /* of all attempts, made and stored, when changes was counted last */
    int64_t asleep_ms; /* how long this machine has slept, when the last event was written */
    struct interview_entry *entries; int n_entries;
    unsigned entries_of;                 /* changes when they were made; 0: never */
};

/* Is it the candidate who does such a thing, or a scribe for them? */
bool interview_is_candidates(enum session_kind k);
/* Checks, writes, applies. `e` gets uid and time; what it owns stays the caller's. */
int interview_append(struct interview *l, struct session_event *e, struct err *err);
/* The same of an event with a name and a text from outside, which are cleaned; either may be NULL.
 * `e` is taken over. */
int interview_say(struct interview *l, struct session_event e, const char *name, const char *text,
                  struct err *err);
/* At most `most` bytes, cut between characters, without control characters. malloc'd. */
char *interview_cleaned(const char *s, size_t most);
/* The same as one line. */
void interview_put_name(char *out, size_t size, const char *s);
#define EVENT(k, ...) ((struct session_event){.kind = (k), __VA_ARGS__})
/* Up to when a host before this one had kept the running time; 0: not known. */
int64_t interview_kept_before(const struct interview *l);

#endif
