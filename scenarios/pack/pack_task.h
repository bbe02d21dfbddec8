/* A story's kernel that may be written from nothing, as the reader of packs sees it. */
#ifndef WD_SCENARIOS_PACK_TASK_H
#define WD_SCENARIOS_PACK_TASK_H

#include "scenarios/pack/pack_read.h"

/* STORY/sealed/write.yaml, where it is there; s->task stays NULL where it is not. After all
 * variants. `launches`: the story's, NULL where it has none. */
int read_task(struct reader *r, struct story *s, const struct yaml *launches);

/* A task that is no story's: TASK/sealed/write.yaml says all of it. `at`: where pack.yaml names it.
 * Of a sealed pack only its id is known. */
int read_own_task(struct reader *r, struct story *s, const struct yaml *at);

#endif
