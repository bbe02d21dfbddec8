/* What to do next: the ordered suggestions of the home screen. Pure; reasons are made from what the
 * person did and what is public, never from a cause. */
#ifndef WD_DRILLS_NEXT_H
#define WD_DRILLS_NEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "db/store.h"

struct next_item {
    const char *id, *title;  /* a story */
    int level;
    bool counted;            /* false: the warm-up */
    bool begun;              /* an attempt at it is open */
    bool solved;             /* its cause was named at a first look */
    bool rests;              /* solved a few days ago at most: not suggested again */
    int seen;                /* first looks at this story that were finished */
    int unseen_variants;
    int64_t seen_ms;         /* when it was last looked at; 0 when never */
};

enum next_kind {
    NEXT_CONTINUE,  /* an open attempt */
    NEXT_WARMUP,
    NEXT_SCENARIO,  /* a story not seen yet, of the level reached: that of two solved stories */
    NEXT_VARIANT,   /* a story seen, a variant not */
    NEXT_AGAIN,     /* all seen: the one seen longest ago */
    NEXT_DRILLS,    /* what the queue has for now; no id */
    NEXT_CARDS,
    NEXT_MOCK,
    NEXT_MEND,      /* a cause that was named and not mended */
};
enum { NEXT_MOST = 5 };

struct next {
    enum next_kind kind;
    char id[128];      /* the attempt's uid for NEXT_CONTINUE and NEXT_MEND, else the story's id */
    char title[128];
    char reason[96];
};

/* Is an attempt's scenario this story, or a variant of it? */
bool next_is_of_story(const char *scenario, const char *story_id);

/* The word in front of a suggestion: "continue", "warm-up", "scenario", "drills", "cards", "mock",
 * "mend". Never NULL. */
const char *next_label(enum next_kind kind);

/* Fills at most NEXT_MOST suggestions, best first, at most one of each kind and never a story
 * twice; returns how many. `open` may come in any order; `finished_any`: a debrief was reached at
 * least once. Attempts name their story by its id, or by the id, a slash and a variant. */
int next_suggest(struct next out[NEXT_MOST], const struct next_item *items, int n,
                 const struct store_attempt *open, int n_open, bool finished_any);

/* What there is to practise today beside scenarios. */
struct next_practice {
    struct {
        int now, slips, fresh, seconds;
    } drills, cards; /* of the queue: to be done now, of them slips and new ones, time */
    bool drills_known;          /* a drill was answered before */
    int interview_in;           /* days until the interview; 0 or below: none */
    const char *
        mock_before; /* the day by which a mock is best taken, as it is shown; NULL: no interview */
    bool mock;                  /* a mock interview can be had */
    const char *mend, *mend_title; /* the attempt whose cause was named and not mended yet, and its
                                      story's title; NULL: none, or no GPU to judge it */
};

/* The day's list: what is open, then drills, the first scenario, cards, a mock, what is to be
 * mended, then further scenarios as long as there is room. The warm-up and the scenario lead while
 * none was ever finished. In the week before the interview due items come before new ones.
 * `scenarios` as next_suggest gave them. Returns how many. */
int next_day(struct next out[NEXT_MOST], const struct next_practice *practice,
             const struct next *scenarios, int n);

#endif
