/* Names in a story's formulas: which there are, what they come out in, and the values of those
 * that a GPU's attributes decide. Values of evidence are evidence.h's. */
#ifndef WD_SCENARIOS_NAMES_H
#define WD_SCENARIOS_NAMES_H

#include "kernels/wire/message_device.h"
#include "kernels/wire/metric.h"
#include "scenarios/pack/story.h"

/* ---- sizes: parameters and gpu.* alone ---- */

/* Values of the story's parameters on this GPU, in order; parameter `vary` (-1: none) is replaced
 * by `value`, later ones follow it. values[story->n_params]. Failures carry file:line:col. */
int size_params(const struct story *story, const struct msg_device *device, int vary, int64_t value,
                int64_t *values, struct err *err);
/* The same; parameters with fixed[i] keep values[i]. */
int size_params_fixed(const struct story *story, const struct msg_device *device, const bool *fixed,
                      int64_t *values, struct err *err);
/* One size from such values. */
int size_value(const struct story *story, const struct msg_device *device, const int64_t *values,
               const struct expr *e, struct quantity *out, struct err *err);
int size_whole(const struct story *story, const struct msg_device *device, const int64_t *values,
               const struct expr *e, int64_t *out, struct err *err);
/* The value of a formula over parameters that need no GPU, as in a case; err may be NULL. */
int size_constant(const struct story *story, const struct expr *e, struct quantity *out,
                  struct err *err);
/* ---- names ---- */

/* What a formula of the story comes out in, whatever is measured; ERR_MISSING where values decide
 * it, else *column is where it cannot be. err may be NULL. */
int name_dim(const struct story *story, const struct formula *f, struct dim *out, int *column,
             struct err *err);
/* " (did you mean NAME?)" of a name that the story does not know, "" when nothing is near. */
void name_near(const struct story *story, const char *name, char *out, size_t size);
/* The suspect's metric that a name of a reading stands for; NULL when it is none. *series: of an
 * experiment's steps, as time.last. */
const struct metric *name_metric(const char *name, bool *series);
/* Is the name one that could ever exist for this story? For the pack reader. */
bool name_known(const struct story *story, const char *name);

/* gpu.NAME, without the prefix; ERR_BAD_REQUEST for an unknown one, ERR_MISSING where this GPU does
 * not say. */
int name_gpu(const struct msg_device *device, const char *name, struct quantity *out,
             struct err *err);
/* The unit of ceiling.NAME, without the prefix; NULL for an unknown one. */
const char *name_ceiling_unit(const char *name);
/* The index of a parameter of the story, or -1. */
int name_param(const struct story *story, const char *name);
/* The run ("a", "b", "c", "d", "e") that a name begins with, as in fix.time, and in
 * *rest what follows; NULL:
 * none. */
const char *name_run(const char *name, const char **rest);

/* What follows "other.", of another GPU's recording of the variant; NULL: another name. Known are
 * its sizes, its attributes and the times of suspect and fix. */
const char *name_other(const char *name);
/* Is it a time of that recording, "other.suspect.time" or "other.fix.time"? */
bool name_other_time(const char *name);

enum series_reduce { SERIES_FIRST, SERIES_LAST, SERIES_MIN, SERIES_MAX };
/* Splits "time.last" into metric and reduction; false when the name does not end so. */
bool name_series(const char *name, char *metric, size_t size, enum series_reduce *how);
/* What follows a prefix, or NULL. */
const char *name_after(const char *name, const char *prefix);
/* A value in a unit of the table of metrics, in SI. */
void name_give(struct quantity *out, double value, const char *unit);

#endif
