/* What an interviewer does to a plan before it starts: parts exchanged, added, removed, minutes
 * moved. Plain data, no screen. */
#ifndef WD_TUI_PLAN_PARTS_H
#define WD_TUI_PLAN_PARTS_H

#include "drills/library/library.h"
#include "scenarios/interview/session_plan.h"

/* What plans are made of here. `seen`: full ids of the variants that this candidate was shown
 * before. */
struct plan_stock {
    const struct catalog *catalog;
    const struct library *library;
    bool gpu;                            /* drills that need one may be asked */
    char (*seen)[96]; int n_seen;
};

/* The sessions kept here (interview_life.h) are asked what `candidate` was shown; "" has seen
 * nothing. Replaces what was there. */
void plan_seen_load(struct plan_stock *s, const char *candidate);
void plan_stock_free(struct plan_stock *s);
/* The variant itself; its story, with whatever cause: a kernel that was read once is known. */
enum plan_seen { SEEN_NEVER, SEEN_STORY, SEEN_VARIANT };
enum plan_seen plan_was_seen(const struct plan_stock *s, const char *full_id);

/* session_plan_make with drills spread over the topics and near the level; the stories seen are
 * avoided; where nothing else is there, the variants. */
int plan_propose(struct session_plan *out, const struct plan_stock *s, int level, int minutes,
                 uint64_t seed, struct err *err);

/* Up to `most` drills, a topic after another, at most a level away; the seed picks within a topic.
 * Returns how many. */
int plan_drills(const struct plan_stock *s, int level, uint64_t seed, char (*out)[96], int most);

/* The next that fits in the place of part k: by how far a scenario is from the level, what was seen
 * last, and no story twice; other drills; another question. False: there is nothing else. */
bool plan_exchange(struct session_plan *p, const struct plan_stock *s, int k);
/* The scenarios that fit in the place of part k, in the order in which they are exchanged; borrowed
 * from the catalogue, in a list that is the caller's to free. */
const struct variant **plan_choices(const struct session_plan *p, const struct plan_stock *s, int k,
                                    int *n);
/* Puts one of them in the place of part k. */
void plan_take(struct session_plan *p, int k, const struct variant *v);
/* A part of this kind behind part k. False: the plan is full, or nothing is left to add. */
bool plan_add(struct session_plan *p, const struct plan_stock *s, int k,
              enum session_part_kind kind);
bool plan_remove(struct session_plan *p, int k);
/* Five minutes more or less (by: 1, -1), single ones up to five; 1 to 180. */
bool plan_minutes_step(struct session_plan *p, int k, int by);
/* Cuts the longest parts, by five where that leaves no less than planned, until the sum is
 * `minutes`. False: it is not more than that. */
bool plan_fit(struct session_plan *p, int minutes);

/* The variant of a part that is a scenario; NULL when the catalogue has none of that id. */
const struct variant *plan_variant(const struct plan_stock *s, const struct session_part *part);

#endif
