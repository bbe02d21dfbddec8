/* A live supply with a recording behind it, for supply.c alone: supply_backed in supply.h. */
#ifndef WD_SCENARIOS_SUPPLY_BACKED_H
#define WD_SCENARIOS_SUPPLY_BACKED_H

#include "scenarios/supply/supply.h"

struct backed;

/* Takes both over. */
struct backed *backed_new(struct supply *live, struct supply *recorded);
void backed_free(struct backed *b);
struct supply *backed_live(const struct backed *b);
struct supply *backed_asked(const struct backed *b);     /* who answers what is asked now */
const char *backed_missing(const struct backed *b, const char *probe);
int backed_ask(struct backed *b, const char *probe, struct err *err);
void backed_cancel(struct backed *b);
void backed_tick(struct backed *b, int64_t now_ms);
const char *backed_fault(struct backed *b);

/* Has the GPU behind a live supply its link? (supply.c) */
bool supply_linked(const struct supply *s);

#endif
