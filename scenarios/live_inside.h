/* What live.c and live_verbs.c share. */
#ifndef WD_SCENARIOS_LIVE_INSIDE_H
#define WD_SCENARIOS_LIVE_INSIDE_H

#include "scenarios/live.h"

struct live {
    char *id, *folder;
    int lock;                            /* -1: read only */
    bool late;                           /* the interview was over when it was opened */
    bool scribe;                         /* the interviewer presses for the candidate */
    struct store *store;
    struct session *session;
    struct attempt *attempt[SESSION_MAX_PARTS];
    unsigned changes;
    int64_t moves;                       /* of all attempts, made and stored, when changes was counted last */
    int64_t asleep_ms;                   /* how long this machine has slept, when the last event was written */
    int waiting, waiting_of;             /* a pushback that waits, counted from 1, and its part; 0: none does */
    struct live_entry *entries; int n_entries;
    unsigned entries_of;                 /* changes when they were made; 0: never */
};

/* Is it the candidate who does such a thing, or a scribe for them? */
bool live_is_candidates(enum session_kind k);
/* Checks, writes, applies. `e` gets uid and time; what it owns stays the caller's. */
int live_append(struct live *l, struct session_event *e, struct err *err);
/* Applies what another event of this session's stream says; for opening. */
int live_load(struct session *s, struct store *store, const char *id, struct err *err);

#endif
