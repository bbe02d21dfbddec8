/* Drills whose truth is measured: predicted first, revealed after.
 *
 *   live       drill_measure asks a supply (supply_plain); the owner feeds it events, shows its
 * progress, may cancel it, and hands what it took to drill_measured recorded   drill_recording,
 * then drill_recall; nothing is waited for both       drill_reveal puts the truth in the answer's
 * place; then drill_grade (answer.h) grades against it
 *
 * An instance is made with the device that it will be measured on: the supply's, or the
 * recording's. Tiers are never mixed. */
#ifndef WD_DRILLS_MEASURE_H
#define WD_DRILLS_MEASURE_H

#include "drills/question/instance.h"
#include "scenarios/supply/supply.h"

/* The runner's request for this instance; pure. ERR_BAD_REQUEST with the place when a size cannot
 * be. Freed with msg_measure_free. */
int drill_request(struct msg_measure *out, const struct drill_instance *i, struct err *err);

/* Sends it. ERR_BUSY while another is under way. */
int drill_measure(struct supply *s, const struct drill_instance *i, struct err *err);
/* From what came. ERR_MISSING with the reason when the GPU could not tell. */
int drill_measured(struct drill_truth *out, const struct drill_instance *i,
                   const struct evidence *e, struct err *err);

/* What was recorded beside a set, in measured/evidence/GPU.json. GPU slug NULL: the first.
 * ERR_MISSING when there is none. Freed with recording_free. */
int drill_recording(struct recording **out, const struct drill_set *s, const char *gpu,
                    struct err *err);
bool drill_is_recorded(const struct drill_set *s);   /* on any GPU; without reading what */
/* ERR_MISSING when these numbers were not recorded. */
int drill_recall(struct drill_truth *out, const struct drill_instance *i, const struct recording *r,
                 struct err *err);
/* The first seed from `from` on whose instance was recorded, within some hundreds. ERR_MISSING when
 * none was. */
int drill_recorded_seed(const struct drill *d, const struct recording *r, uint64_t from,
                        uint64_t *seed, struct err *err);

void drill_reveal(struct drill_instance *i, const struct drill_truth *t);
/* Of a revealed instance: "Measured 0.131 ms (0.13 ms to 0.132 ms, n 41), live, NVIDIA H200. On
 * paper: 0.129 ms, 0.98 of it." */
void drill_show_truth(char *out, size_t size, const struct drill_instance *i);

#endif
