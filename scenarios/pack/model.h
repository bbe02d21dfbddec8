/* A case that is drawn: STORY/sealed/model.yaml says what the system is made of, and a seed draws
 * ranks, times and noise, so that no two plays show the same and all of them the same fault.
 *
 * A model is a list of quantities over axes (`arrive[rank, step]: FORMULA`), what each variant has
 * otherwise, and the exhibits as figures of them. model_read.c reads the form, model_values.c works
 * out values, model_text.c fills the holes of a text, model_draw.c makes exhibits. */
#ifndef WD_SCENARIOS_MODEL_H
#define WD_SCENARIOS_MODEL_H

#include "kernels/wire/message_part.h"
#include "scenarios/pack/story.h"

struct drawing;

/* Of a variant, by pack->files->seed; its story has a model. drawing_free frees it. Values are
 * worked out when they are asked for. */
struct drawing *drawing_new(const struct variant *v);
void drawing_free(struct drawing *d);

/* The exhibit as an empty part: series, names of rows, lines, notes. Failures carry file:line:col
 * of the model. */
int drawing_exhibit(struct drawing *d, const struct experiment *x, struct msg_part *part,
                    struct err *err);
/* Who made the model, and the day, YYYY-MM-DD. */
const char *drawing_by(const struct drawing *d);
const char *drawing_made(const struct drawing *d);

#endif
