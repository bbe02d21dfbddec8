/* A drawn case as the reader of packs sees it. */
#ifndef WD_SCENARIOS_PACK_MODEL_H
#define WD_SCENARIOS_PACK_MODEL_H

#include "scenarios/pack/pack_read.h"

/* STORY/sealed/model.yaml, where it is there; s->model stays NULL where it is not. After what
 * scenario.yaml says. */
int read_model(struct reader *r, struct story *s);
/* In the place of a file of the sealed half the same with its holes filled, by the seed of the
 * pack's files; without effect where the story has no model. */
int fill_drawn(struct reader *r, const struct variant *v, const struct file **f);

#endif
