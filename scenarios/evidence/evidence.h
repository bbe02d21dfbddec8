/* Evidence: what a probe returned, where it came from, and how it answers to names in formulas.
 *
 * In: a story, the GPU and what a probe answered. Out: one purchase as screens and formulas see
 * it, and (request.h) what a runner is asked for it. Callers: scenarios/play, supply, record,
 * check, report; the screens that show evidence. First to open: evidence.c; then scope.c, which
 * looks names up, and request.c, which turns a probe into a request. */
#ifndef WD_SCENARIOS_EVIDENCE_H
#define WD_SCENARIOS_EVIDENCE_H

#include <jansson.h>

#include "kernels/wire/message_device.h"
#include "kernels/wire/message_part.h"
#include "scenarios/pack/names.h"
#include "scenarios/pack/pack.h"
#include "scenarios/pack/recording.h"

/* One purchase: a probe's parts (a sweep has one per variant, in the order of `over`). */
struct evidence {
    char probe[48];                /* probe name or experiment id */
    char tier[12], gpu[96];
    struct msg_part *parts; int n_parts;
};
json_t *evidence_encode(const struct evidence *e);
int evidence_decode(struct evidence **out, const json_t *obj, struct err *err);
void evidence_free(struct evidence *e);
struct evidence *evidence_copy(const struct evidence *e);
struct evidence *evidence_new(const char *probe, const char *tier, const char *gpu);
/* Was this part, one of `e`, timed in turns with another run, for the ratio of the two? The same
 * kernel alone is another measurement, some thousandths apart. */
bool evidence_in_turns(const struct evidence *e, const struct msg_part *p);
/* The cold time of a run timed alone at the story's own size, which is the one that everybody is
 * shown; NULL: it was not. */
const struct msg_part *evidence_alone(const struct evidence *e, const char *run);
/* A series of the part; NULL: it has none of this name. */
const struct msg_series *evidence_series(const struct msg_part *p, const char *name);
struct msg_part *evidence_add(
    struct evidence *e,
    const struct msg_part *part); /* appends a copy; borrowed until the next call */

/* ---- names in formulas ---- */

/* What a formula of a scenario may refer to. Members may be NULL: names that need them are then
 * ERR_MISSING. parameters and gpu.* (plain numbers; attributes as in `device`), work.bytes
 * work.flops, ceiling.* (with dimension), METRIC  = the suspect's, from `bought` (any probe
 * bought);  METRIC.first .last .min .max = of the experiment bought, suspect.METRIC fix.METRIC
 * best.METRIC = from `all` (recording or live side-by-side); a time is that of the kernel timed
 * alone (the symptom's), where it was; ratio = suspect.time / fix.time, of the two timed in turns
 * where they were, of a harness of the times that are reported; copy_fraction,
 * suspect.copy_fraction, fix.copy_fraction, best.copy_fraction = work.bytes / time / ceiling.copy,
 * of a harness likewise; other.NAME = a size, an attribute or a time of another GPU's recording. Of
 * a case only its parameters and the figures of its exhibits (exhibits.h). */
struct other_gpu;
struct scope {
    const struct story *story;
    const struct msg_device *device;
    struct evidence *const *bought; int n_bought;
    const struct evidence *all;    /* parts with run a (suspect), b (fix), c (best) */
    const struct other_gpu *other; /* of other.NAME; NULL: no other GPU was recorded */
    const char *experiment; /* id whose series .first .last read; NULL: any bought experiment that
                               has the metric */
};
int scope_lookup(void *scope, const char *name, struct quantity *out,
                 struct err *err); /* a formula_lookup */

#endif
