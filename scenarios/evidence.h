/* Evidence: what a probe returned, where it came from, and how it answers to names in formulas. */
#ifndef WD_SCENARIOS_EVIDENCE_H
#define WD_SCENARIOS_EVIDENCE_H

#include <jansson.h>

#include "kernels/wire/message.h"
#include "scenarios/pack.h"

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
/* Was this part, one of `e`, timed in turns with another run, for the ratio of the two? The same kernel alone is another measurement, some thousandths apart. */
bool evidence_in_turns(const struct evidence *e, const struct msg_part *p);
/* The cold time of a run timed alone at the story's own size, which is the one that everybody is shown; NULL: it was not. */
const struct msg_part *evidence_alone(const struct evidence *e, const char *run);
struct msg_part *evidence_add(struct evidence *e, const struct msg_part *part);   /* appends a copy; borrowed until the next call */

/* A recorded file: sealed/evidence/<slug>.json, the saved answers of one GPU. */
struct recording {
    struct msg_device device;
    int method;
    char recorded[11];             /* YYYY-MM-DD */
    char at[21];                   /* YYYY-MM-DDTHH:MM:SSZ; of older files, and where it was set so, the date alone */
    char since[21];                /* when the oldest of its items was measured, if not at `at`; else "" */
    char version[9];               /* of the variant as it was measured (version.h); "" when unknown */
    char tier[12];                 /* of a case: "generated" or "recorded"; else "", recorded */
    char made_by[128];             /* "warpdrill 0.1.0, runner 0.1.0" */
    struct { char key[65]; struct msg_part part; } *items; int n_items;
};
int recording_decode(struct recording **out, const char *text, size_t len, const char *path, struct err *err);
json_t *recording_encode(const struct recording *r);
void recording_free(struct recording *r);
/* Appends a copy of the part under this key; borrowed until the next call. */
struct msg_part *recording_append(struct recording *r, const char *key, const struct msg_part *part);
bool recording_when_ok(const char *text); /* YYYY-MM-DD, alone or with THH:MM:SSZ behind it */
const struct msg_part *recording_find(const struct recording *r, const char *key, const char *run); /* run: "a", "b", "a/b", "c" */
/* Every recording of a variant; of a case the one that its exhibits are (exhibits.h); the array is the caller's. */
int recordings_of(const struct variant *v, struct recording ***out, int *n, struct err *err);
void recordings_free(struct recording **list, int n);

/* ---- names in formulas ---- */

/* What a formula of a scenario may refer to. Members may be NULL: names that need them are then ERR_MISSING.
 *   parameters and gpu.* (plain numbers; attributes as in `device`), work.bytes work.flops, ceiling.* (with dimension),
 *   METRIC  = the suspect's, from `bought` (any probe bought);  METRIC.first .last .min .max = of the experiment bought,
 *   suspect.METRIC fix.METRIC best.METRIC = from `all` (recording or live side-by-side); a time is that of the kernel timed alone (the symptom's), where it was;
 *   ratio = suspect.time / fix.time, of the two timed in turns where they were
 *   copy_fraction, suspect.copy_fraction, fix.copy_fraction, best.copy_fraction = work.bytes / time / ceiling.copy
 * Of a case only its parameters and the figures of its exhibits (exhibits.h). */
struct scope {
    const struct story *story;
    const struct msg_device *device;
    struct evidence *const *bought; int n_bought;
    const struct evidence *all;    /* parts with run a (suspect), b (fix), c (best) */
    const char *experiment;        /* id whose series .first .last read; NULL: any bought experiment that has the metric */
};
int scope_lookup(void *scope, const char *name, struct quantity *out, struct err *err);  /* a formula_lookup */

/* ---- sizes: parameters and gpu.* alone ---- */

/* Values of the story's parameters on this GPU, in order; parameter `vary` (-1: none) is replaced by `value`, later ones follow it.
 * values[story->n_params]. Failures carry file:line:col. */
int scope_params(const struct story *story, const struct msg_device *device, int vary, int64_t value, int64_t *values, struct err *err);
/* The same; parameters with fixed[i] keep values[i]. */
int scope_params_fixed(const struct story *story, const struct msg_device *device, const bool *fixed, int64_t *values, struct err *err);
/* One size from such values. */
int scope_size(const struct story *story, const struct msg_device *device, const int64_t *values, const struct expr *e, struct quantity *out, struct err *err);
int scope_whole(const struct story *story, const struct msg_device *device, const int64_t *values, const struct expr *e, int64_t *out, struct err *err);
/* The value of a formula over parameters that need no GPU, as in a case; err may be NULL. */
int story_constant(const struct story *story, const struct expr *e, struct quantity *out, struct err *err);
/* What a formula of the story comes out in, whatever is measured; ERR_MISSING where values decide it, else *column is where it cannot be. err may be NULL. */
int scope_dim(const struct story *story, const struct formula *f, struct dim *out, int *column, struct err *err);
/* " (did you mean NAME?)" of a name that the story does not know, "" when nothing is near. */
void scope_near(const struct story *story, const char *name, char *out, size_t size);
/* The suspect's metric that a name of a reading stands for; NULL when it is none. *series: of an experiment's steps, as time.last. */
const struct metric *scope_metric(const char *name, bool *series);
/* Is the name one that could ever exist for this story? For the pack reader. */
bool scope_knows(const struct story *story, const char *name);

#endif
