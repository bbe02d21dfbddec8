/* Launches of a story, and those that a variant has of its own. */
#ifndef WD_SCENARIOS_PACK_LAUNCHES_H
#define WD_SCENARIOS_PACK_LAUNCHES_H

#include "scenarios/pack/pack_read.h"

/* `launches` of a story are read by the same code as those of a run. */
int read_launches(struct reader *r, const struct yaml *y, const struct story *s,
                  struct launch **out, int *n, struct host_list *steps);
/* A pipeline has several launches. */
int check_steps(struct reader *r, const struct yaml *launches, const struct story *s);
/* STORY/VARIANT/launches.yaml, where the variant has one; *doc NULL where it has none. The caller
 * frees it: *list is a node of it, and *list stays as it was without it. Its workspaces go to the
 * story, whose variant this is. */
int read_own_launches(struct reader *r, struct story *s, struct variant *v, struct yaml_doc **doc,
                      const struct yaml **list);

#endif
