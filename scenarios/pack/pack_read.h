/* What the parts of the pack reader share, lower ones first; none calls one that stands below it
 * here. Each has a header of its name; this one has what all of them use, pack_check.c's, and the
 * two halves.
 *
 *   pack_check.c        ids, names, texts, formulas, sizes
 *   pack_sources.c      files and their code
 *   pack_image.c        a text of which an image runs
 *   pack_buffers.c      buffers, their contents, work
 *   pack_args.c         what launches pass
 *   pack_place.c        what launches and what stands in their place share
 *   pack_transfers.c    collectives and peer copies
 *   pack_steps.c        steps of the host between launches
 *   pack_launches.c     launches
 *   pack_benchmark.c    the program that times a harness
 *   pack_experiments.c  what may be tried
 *   pack_case.c         what a case has in their place
 *   model_names.c       names in formulas of a drawn case (model_inside.h)
 *   model_values.c      its values by a seed
 *   model_text.c        holes in its texts
 *   model_read.c        what such a case is drawn from (pack_model.h)
 *   pack_variants.c     the folders of a story
 *   pack_debrief.c      figures that a debrief takes from evidence
 *   pack_location.c     where the fault is
 *   pack_then.c         a second fault
 *   pack_readings.c     readings and pushbacks
 *   pack_truths.c       answers to estimates
 *   pack_answer.c       the sealed half
 *   pack_task.c         its kernel to be written from nothing
 *   pack_story.c        the public half, then each variant's sealed one
 *   pack.c              pack.yaml, then each story
 *
 * trial.c of the room evidence reads a measurement that belongs to no pack, scaffold_place.c of the
 * room new asks what an id may be. Nobody else includes this. */
#ifndef WD_SCENARIOS_PACK_READ_H
#define WD_SCENARIOS_PACK_READ_H

#include "kernels/wire/token.h"
#include "scenarios/pack/pack.h"
#include "scenarios/text/arena.h"
#include "scenarios/pack/pack_keys.h"

struct pack_memory { struct arena arena; struct formula **formulas; int n_formulas; };

struct scanned { const struct file *file; struct token_text tokens; };

struct reader {
    struct pack *pack;
    struct pack_memory *memory;
    struct err *err;
    struct scanned *scanned;
    int n_scanned; /* sources so far, each once: variants share them */
};

/* ---- pack_check.c; all return 0 or an error code with the place ---- */

bool id_ok(const char *id);                                  /* [a-z0-9-]{1,40} */
int read_id(struct reader *r, const struct yaml *y, const char *what, char **out);
/* The id that is a map's key. */
int read_key_id(struct reader *r, const struct yaml *key, const char *what, char **out);
bool name_ok(const char *name, size_t max);                  /* a C identifier */
/* A key that names a parameter, buffer or macro: a C identifier that formulas do not use
 * themselves. */
int read_name(struct reader *r, const struct yaml *key, const char *what, char **out);
int read_text(struct reader *r, const struct yaml *y, size_t max, bool lines, const char *what,
              char **out);
/* The key `format` of a file, before the others: another format may have other keys. A missing one
 * is no matter here; *format is the first then. */
int read_format(struct reader *r, const struct yaml *root, int *format);

/* What a formula may name: parameters above it and gpu.*; what can be bought; everything that the
 * debrief knows; that, and another GPU's recording. */
enum formula_use { USE_SIZE, USE_READING, USE_TRUTH, USE_ACROSS };
int read_formula(struct reader *r, const struct yaml *y, const struct story *s,
                 enum formula_use use, struct expr *out);
/* A formula that stands at byte `at` of a debrief. */
int read_told(struct reader *r, const struct file *f, size_t at, const char *text,
              const struct story *s, struct expr *out);
void keep_formula(struct pack_memory *m, struct formula *f);      /* freed with the pack */
/* A size that does not depend on the GPU must be at least `low` and at most `high` already. */
int read_size(struct reader *r, const struct yaml *y, const struct story *s, double low,
              double high, struct expr *out);

/* Index of the hypothesis or remedy among the story's, or a negative code with the place. */
int find_hypothesis(struct reader *r, const struct yaml *y, const struct story *s);
/* It is none of the taxonomy's. */
int fail_hypothesis(struct reader *r, const struct yaml *y);
/* A list of remedies, as bits. */
int read_remedy_bits(struct reader *r, const struct yaml *y, const struct story *s, unsigned *out);
/* The name of a probe or experiment, as in readings and estimates; NULL with an error at `at`. */
const char *find_probe(struct reader *r, const struct yaml *at, const struct story *s);

enum { /* the first format that has it */
       FORMAT_OWN_LAUNCHES = 2, /* a variant's own launches; a launch as a location */
       FORMAT_HARNESS = 2,      /* the kind `harness` */
       FORMAT_TWO_FAULTS = 2,   /* a build with two faults */
       FORMAT_FP8 = 2,          /* elements of FP8 */
       FORMAT_WORKSPACES = 2,   /* workspaces of a run's own */
       FORMAT_FAILING = 2,      /* suspects that fail */
};
enum { TITLE = 60, SENTENCE = 240 };
#define SIZE_MAX_WHOLE 9007199254740991.0

/* ---- the halves ---- */

/* `at`: the entry in pack.yaml. */
int read_story(struct reader *r, struct story *s, const struct yaml *at);
/* One of the story's. `launches`: the story's, for kernels that fix.cu and others must have; NULL:
 * it has none. `at` as above. */
int read_variant(struct reader *r, struct story *s, struct variant *v, const struct yaml *launches,
                 const struct yaml *at);

#endif
