/* What the parts of the pack reader share, lower ones first; none calls one that stands below it
 * here:
 *
 *   pack_check.c        ids, names, texts, formulas, sizes, sources
 *   pack_image.c        a text of which an image runs (pack_image.h)
 *   pack_buffers.c      buffers, their contents, work (pack_buffers.h)
 *   pack_args.c         what launches pass (pack_args.h)
 *   pack_place.c        what launches and what stands in their place share (pack_place.h)
 *   pack_transfers.c        collectives and peer copies (pack_transfers.h)
 *   pack_launches.c     launches
 *   pack_steps.c        steps of the host between them
 *   pack_benchmark.c    the program that times a harness (pack_benchmark.h)
 *   pack_experiments.c  what may be tried
 *   pack_case.c         what a case has in their place
 *   model_names.c       names in formulas of a drawn case (model_inside.h)
 *   model_values.c      its values by a seed
 *   model_text.c        holes in its texts
 *   model_read.c        what such a case is drawn from (pack_model.h)
 *   pack_variants.c     the folders of a story
 *   pack_debrief.c      figures that a debrief takes from evidence
 *   pack_location.c     where the fault is
 *   pack_then.c         a second fault (pack_then.h)
 *   pack_readings.c     readings and pushbacks
 *   pack_answer.c       the sealed half
 *   pack_task.c         its kernel to be written from nothing (pack_task.h)
 *   pack_story.c        the public half, then each variant's sealed one
 *   pack.c              pack.yaml, then each story
 *
 * trial.c of the room evidence reads a measurement that belongs to no pack. Nobody else includes
 * this. */
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

/* The file `name` of `folder`, which must be one of ours; *out stays NULL on failure. */
int read_path(struct reader *r, const struct yaml *y, const char *folder, const char *end,
              const struct file **out);
/* Is it device code that may be run, and has it every `kernel:` of the list of launches as a word?
 */
int check_source(struct reader *r, const struct file *f, const struct yaml *launches);
void free_scanned(struct reader *r);

/* The first format in which a variant may have launches of its own, and a location be a launch. */
enum { FORMAT_OWN_LAUNCHES = 2 };
/* The first format that has the kind `harness`. */
enum { FORMAT_HARNESS = 2 };
/* The first format in which a build may have two faults. */
enum { FORMAT_TWO_FAULTS = 2 };
/* The first format that has elements of FP8. */
enum { FORMAT_FP8 = 2 };
/* The first format in which a run may have workspaces of its own. */
enum { FORMAT_WORKSPACES = 2 };
/* Suspects that fail. */
enum { FORMAT_FAILING = 2 };
enum { TITLE = 60, SENTENCE = 240 };
#define SIZE_MAX_WHOLE 9007199254740991.0

/* ---- pack_launches.c ---- */

/* `launches` of a story are read by the same code as those of a run. */
int read_launches(struct reader *r, const struct yaml *y, const struct story *s,
                  struct launch **out, int *n, struct host_list *steps);
/* A pipeline has several launches. */
int check_steps(struct reader *r, const struct yaml *launches, const struct story *s);
/* STORY/VARIANT/launches.yaml, where the variant has one; *doc NULL where it has none. The caller
 * frees it: *list is a node of it, and *list stays as it was without it. Its workspaces go to the
 * story, whose variant this is. */
int read_own_launches(struct reader *r, struct story *s, struct variant *v, struct yaml_doc **doc,
                      const struct yaml **list);

/* ---- pack_experiments.c ---- */

/* Index of the parameter that y (a value or a key) names. */
int find_param(struct reader *r, const struct yaml *y, const struct story *s, int *out);
int read_defines(struct reader *r, struct story *s, const struct yaml *y);
/* The story's own, then the standard ones. y NULL: no own ones. */
int read_experiments(struct reader *r, struct story *s, const struct yaml *y);

/* ---- pack_case.c ---- */

/* Is `kind: case` written there? Before the keys are looked at, since a case has others. */
bool says_case(const struct yaml *root);
/* The values of `subset`'s keys at the places that keys of the same name have in `whole`; the
 * others become NULL. */
void spread_keys(const struct yaml *const *from, const struct yaml_shape *subset,
                 const struct yaml **to, const struct yaml_shape *whole);
/* What a case has in the place of buffers, launches and experiments; k: CASE_KEYS. After its
 * parameters. */
int read_case(struct reader *r, struct story *s, const struct yaml *const *k);

/* Its number from 1. */
int find_place(struct reader *r, const struct yaml *y, const struct story *s, int *line);

/* ---- pack_variants.c ---- */

/* At least one, in the order of their ids; without what stands in them. `list`: the folders that a
 * case names, else NULL. `at`: the entry in pack.yaml. */
int find_variants(struct reader *r, struct story *s, const struct yaml *list,
                  const struct yaml *at);

/* ---- pack_debrief.c ---- */

/* The figures that the debrief, which was found, takes from evidence. */
int read_told_figures(struct reader *r, struct variant *v);
/* Both may be NULL. */
int read_figures_of(struct reader *r, struct variant *v, const struct yaml *measured_on,
                    const struct yaml *unrecorded);

/* ---- pack_location.c ---- */

/* y NULL: there is none, which a healthy pair alone may have. `root`: the whole answer. */
int read_location(struct reader *r, struct variant *v, const struct yaml *y,
                  const struct yaml *root, int format);

/* ---- pack_readings.c ---- */

int read_readings(struct reader *r, struct variant *v, const struct yaml *y);
int read_pushbacks(struct reader *r, struct variant *v, const struct yaml *y);

/* ---- the halves ---- */

/* `at`: the entry in pack.yaml. */
int read_story(struct reader *r, struct story *s, const struct yaml *at);
/* One of the story's. `launches`: the story's, for kernels that fix.cu and others must have; NULL:
 * it has none. `at` as above. */
int read_variant(struct reader *r, struct story *s, struct variant *v, const struct yaml *launches,
                 const struct yaml *at);

#endif
