/* What players know of each variant of a library before they buy anything, and the truth beside it.
 * The time of a plain copy counts as known: an estimate, which is free, brings it.
 *
 * In: packs, or in tests openings made up. Out: plain data that library_guessers.c plays on. */
#ifndef WD_SCENARIOS_LIBRARY_OPENINGS_H
#define WD_SCENARIOS_LIBRARY_OPENINGS_H

#include "scenarios/pack/pack.h"

enum opening_kind { OPENING_KERNEL, OPENING_PIPELINE, OPENING_CASE };

struct opening {
    char *id;                         /* "pack/story/variant" */
    int story;                        /* from 0, over all packs */
    int letter, letters;              /* which of its story's variants, from 0, of how many */
    int cause[MAX_HYPOTHESES], n;     /* what is on offer, as ranks of the taxonomy */
    int truth;                        /* index of cause[] */
    int none;                         /* that of none.at-limit, -1 where it is not on offer; */
    bool asks_left; int left; /* is it asked what is left, and that, an index of cause[] */
    bool healthy;                     /* and whether it is the truth: openings_add sets both */
    int level;
    enum opening_kind kind;
    double over_copy;                 /* free time over a plain copy's; 0: not known */
};
/* text: all its free words; its openings are all[first] and those behind it. */
struct opening_story { char *id, *text; int first, n; };
struct openings {
    struct opening *all; int n;
    struct opening_story *stories; int n_stories;
    int n_closed;                     /* variants that are not here, as their answer is sealed */
};

/* Stories whose truths are not known. */
enum { MOST_HIDDEN = 2 };
struct hidden { int story[MOST_HIDDEN], n; };
bool hidden_has(const struct hidden *h, int story);

/* Appends a story and returns its number; its variants are added next, before another story's. */
int openings_story(struct openings *o, const char *id, const char *text);
void openings_add(struct openings *o, const struct opening *one); /* a copy */
/* Every variant of the pack, the time from its first recording that has one. */
void openings_pack(struct openings *o, const struct pack *p);
void openings_free(struct openings *o);

#endif
