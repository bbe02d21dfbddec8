/* From a scenario, a GPU's attributes and a probe to the runner's `measure`, and to evidence keys.
 */
#ifndef WD_SCENARIOS_REQUEST_H
#define WD_SCENARIOS_REQUEST_H

#include "scenarios/evidence/evidence.h"

/* Runs are named a (suspect), b (fix), c (best), d (half), e (rest), r (reference). `probe` is a
 * probe name or experiment id, or "symptom" (timing of a alone, as the story's opening shows),
 * "pair" (timing of a and b interleaved, for the debrief), "best" (a and c interleaved), "debrief"
 * (both, a with d and with e where there are two faults, and what truths and proofs name), "all"
 * asks everything of a, b and c, and the times and checks of d and e (for recording). Sources that
 * the probe does not need are not sent. Formulas are evaluated against device's attributes;
 * failures carry file:line:col. The caller frees with msg_measure_free. */
int request_build(struct msg_measure *out, const struct variant *v, const struct msg_device *device,
                  const char *probe, uint64_t seed, struct err *err);

/* The buffers, runs, macros and work of a variant whose parameters have these values. `runs` are
 * letters such as "ab"; there is room for CAP_RUNS. err is not NULL. */
int request_shape(struct msg_shape *out, const struct variant *v, const struct msg_device *device,
                  int64_t *values, const char *runs, struct err *err);
/* The sources of these runs; there is room for CAP_SOURCES. */
void request_sources(struct msg_measure *m, const struct variant *v, const char *runs);

/* What one step of an experiment is called: "n 4096", "zeros", "racecheck". device may be NULL. */
void request_step_label(char *out, size_t size, const struct story *story,
                        const struct msg_device *device, const struct experiment *x, int step);
/* The experiment, and its step, that variant `variant` of "all" belongs to; NULL: none. */
const struct experiment *request_step_of(const struct story *story, int variant, int *step);

/* What stands behind the label of a step that an experiment sets in a benchmark: " (baseline
 * changed)" where that alone changes; else "". */
const char *request_step_unchanged(const struct variant *v, const struct experiment *x, int step);

/* Of a step: has a sweep the value here that the story has itself, the bytes that the work of this
 * size compels, and how many of its rate's unit one run of it yields (0: not known)? x NULL: of the
 * story's own size. */
struct step_size { bool own; double bytes, yield; };
struct step_size request_step_size(const struct story *story, const struct msg_device *device,
                                   const struct experiment *x, int step);

/* "rows = 67584, floats in a row = 5120": what the story tells of its sizes, on this GPU; "" where
 * it tells none. */
void request_sizes(char *out, size_t size, const struct story *story,
                   const struct msg_device *device);

/* Is it of an architecture that the story claims? ERR_UNSUPPORTED where it is older, or later than
 * one that is the only one. */
int request_claims(const struct story *story, const struct msg_device *device, struct err *err);

/* Can this GPU run the story? Sizes never depend on memory, so whether it fits is asked here. */
int request_needs(const struct story *story, const struct msg_device *device, struct err *err);

/* Sets item and variant of a part to those of its request, and the note "cold" or "warm" of a
 * timing. */
void request_mark(struct msg_part *part, const struct msg_item *item, int index);
/* "memory of first-principles/transposed-copy/a suspect" */
void request_describe_item(char *out, size_t size, const struct variant *v,
                           const struct msg_measure *m, int item);

/* Which parts of `recording` answer `probe`: looks every item of request_build(probe) up by its
 * key. ERR_MISSING with the remedy when one is absent (stale: the source or size changed since). */
int request_recall(struct evidence **out, const struct variant *v, const struct recording *r,
                   const char *probe, struct err *err);

/* Parts of suspect, fix, best, half and rest for the debrief and for truths: evidence with runs a
 * to e, a/b. */
int request_recall_all(struct evidence **out, const struct variant *v, const struct recording *r,
                       struct err *err);

/* 0 when every item that "all" would ask is there under its key and the method is accepted;
 * ERR_MISSING names what is stale. */
int request_fresh(const struct variant *v, const struct recording *r, struct err *err);
/* What request_recall_all brings, of a recording that is fresh. */
int request_recall_fresh(struct evidence **out, const struct variant *v, const struct recording *r,
                         struct err *err);

/* Answers without a runner: source (lines of the suspect's listing). device may be NULL. */
struct evidence *request_source(const struct variant *v, const struct msg_device *device);

/* Appends a copy of what `item` of `m` brought, under its key: the counterpart of recalling it. */
void request_keep(struct recording *r, const char *key, const struct msg_part *part,
                  const struct msg_measure *m, int item);

#endif
