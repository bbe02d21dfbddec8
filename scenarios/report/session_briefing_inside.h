/* What the parts of the briefing share: one variant with everything bought. */
#ifndef WD_SCENARIOS_SESSION_BRIEFING_INSIDE_H
#define WD_SCENARIOS_SESSION_BRIEFING_INSIDE_H

#include "scenarios/report/session_briefing.h"

enum { BRIEF_FACT = 64 /* bytes of a fact, at most */ };

struct brief_work {
    const struct variant *v;
    const struct story *story;
    int k;                          /* hypotheses */
    unsigned rivals;                /* bits of those that are neither the cause nor contribute */
    struct evidence *bought, **list;/* each purchase; shallow parts of `all` */
    struct scope scope;             /* everything bought, and all */
    bool *holds;                    /* per reading, with everything bought */
    struct path path;
    bool reached;                   /* the path ends in knowing */
    int *order;
    int n_order; /* readings that hold and tell the cause, the most telling first, one for each fact
                  */
};

/* ---- words (session_briefing_facts.c) ---- */
/* Letter of the shop under which a probe or an experiment stands. */
char brief_letter(const struct story *s, const char *probe);
/* How a person names it: "memory access", "Time it at other sizes". */
const char *brief_title(const struct story *s, const char *probe);
/* "m", "x other-sizes", of a case "reduction". */
void brief_short(char *out, size_t size, const struct story *s, const char *probe);
/* "sectors per store request 32, sectors per load request 4": the figures that a reading looks at,
 * else its reason; at most `most` bytes, cut between figures or words. */
void brief_fact(char *out, int most, const struct brief_work *w, const struct reading *r);
/* The same of one name of a formula, in its two parts; false when it has no value, or is no figure
 * of the evidence. */
bool brief_figure(char *label, size_t label_size, char *value, size_t value_size,
                  const struct brief_work *w, const struct reading *r, const char *name);
/* The first name of a reading's formula that is a figure of the evidence; "" if none. */
void brief_first_figure(char *out, size_t size, const struct brief_work *w,
                        const struct reading *r);
/* Appends, cut between words where it does not fit. */
void brief_add(char *out, size_t size, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
/* "bank conflicts, cache thrash and 2 more" */
void brief_labels(char *out, size_t size, const struct story *s, unsigned bits, int most);

/* ---- what the evidence says (session_briefing_lines.c) ---- */
void brief_order(struct brief_work *w);
void brief_settles(struct briefing *out, const struct brief_work *w);
void brief_misleads(struct briefing *out, const struct brief_work *w);
void brief_turns(struct briefing *out, const struct brief_work *w);

/* ---- what to say (session_briefing_say.c) ---- */
/* The truth of an estimate, "0.129 ms"; false when this evidence does not hold it. */
bool brief_number(char *out, size_t size, const struct brief_work *w, const struct truth *t);
void brief_says(struct briefing *out, const struct brief_work *w);

#endif
