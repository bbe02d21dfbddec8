/* A story's kernel that may be written from nothing, as the reader of packs sees it. */
#ifndef WD_SCENARIOS_PACK_TASK_H
#define WD_SCENARIOS_PACK_TASK_H

#include "scenarios/pack/pack_read.h"

enum { FORMAT_TASK = 2 };

/* STORY/sealed/write.yaml, where it is there; s->task stays NULL where it is not. After all
 * variants. `launches`: the story's, NULL where it has none. */
int read_task(struct reader *r, struct story *s, const struct yaml *launches);

/* Its parts, for both kinds. `launches`: those of the start. */
int read_task_words(struct reader *r, const struct yaml *title, const struct yaml *lesson,
                    struct task *t);
int read_task_start(struct reader *r, const struct yaml *y, const struct story *s,
                    const struct yaml *launches, struct task *t);
int read_task_steps(struct reader *r, const struct yaml *y, const struct story *s, struct task *t);

/* A task that is no story's: TASK/sealed/write.yaml says all of it. `at`: where pack.yaml names it.
 * Of a sealed pack only its id is known. */
int read_own_task(struct reader *r, struct story *s, const struct yaml *at);

#endif
