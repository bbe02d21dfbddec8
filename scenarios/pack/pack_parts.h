/* Parts of a story and of its answer that a task of its own has too (pack_own_task.c). */
#ifndef WD_SCENARIOS_PACK_PARTS_H
#define WD_SCENARIOS_PACK_PARTS_H

#include "scenarios/pack/pack_read.h"

/* Of scenario.yaml; k by STORY_K. */
int read_params(struct reader *r, struct story *s, const struct yaml *y);
int read_sizes(struct reader *r, struct story *s, const struct yaml *y);
int read_code(struct reader *r, struct story *s, const struct yaml *const *k);
/* Of answer.yaml. `launches`: of whoever has none of its own, may be NULL. */
int read_side(struct reader *r, struct variant *v, const struct yaml *y,
              const struct yaml *launches, struct side *side, const struct file **file);
int read_shapes(struct reader *r, struct variant *v, const struct yaml *y);

#endif
