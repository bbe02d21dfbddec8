/* What makes a scenario bad although it loads. Rules look at a pack, its recorded evidence, a compiler or a GPU, and add findings. */
#ifndef WD_SCENARIOS_CHECKER_H
#define WD_SCENARIOS_CHECKER_H

#include <jansson.h>

#include "scenarios/play/ideal.h"
#include "scenarios/pack/pack.h"

enum grade { GRADE_ERROR, GRADE_WARNING };
/* What a rule looks at beside the pack's files, its recordings among them. */
enum needs { NEEDS_NOTHING, NEEDS_COMPILER, NEEDS_GPU };

/* One row for each rule; content/FORMAT.md lists the same, and a test compares them. */
struct rule { const char *id; enum grade grade; enum needs needs; const char *means, *mend; /* how it is mended */ };
const struct rule *rule_table(size_t *n);
const struct rule *rule_find(const char *id);      /* NULL if unknown */
const char *grade_name(enum grade g);              /* "error", "warning" */

struct finding {
    const struct rule *rule;
    char *scenario;            /* "pack/story/variant", "pack/story", or the pack's id */
    char *gpu;                 /* slug of the recording, or of the live GPU; NULL: whatever the GPU */
    char *file; int line, col; /* relative to the pack's folder; NULL and 0: of no place */
    char *text;                /* "what; what was expected" */
    char *shown;               /* the line of the place and, below it, a caret; NULL: of no line */
};
/* What a fresh recording shows, whether good or bad: for the summary. */
struct measured { char *scenario, *gpu; double effect; /* 0: not known */ struct path path; bool reached; /* 90 % in the truth */ int par; };
struct findings {
    struct finding *all; int n, n_errors, n_warnings;
    struct measured *measured; int n_measured;
};

/* Where a finding stands. file NULL: nowhere in particular; line 0: the whole file. */
struct place { const struct file *file; int line, col; };
struct place place_of(const struct pack *p, const struct expr *e);
struct place place_inside(const struct pack *p, const struct expr *e, int column);     /* of its text, from 1 */
/* The byte `at` of the file. */
struct place place_in(const struct file *f, size_t at);
/* The whole of the file that has this path in the pack; nowhere if there is none. */
struct place place_file(const struct pack *p, const char *path);
/* Of a .yaml file: the key of its outermost map, or the first place behind it where `word` (not NULL) stands by itself;
 * the whole file where there is none. */
struct place place_key(const struct pack *p, const char *path, const char *key, const char *word);
/* The same in the variant's answer.yaml. */
struct place place_answer(const struct variant *v, const char *key, const char *word);

/* So many of one rule are told of one file, where a file may break it often. */
enum { MOST_TOLD = 20 };

/* Appends one; the text is cleaned of control characters, and the line of its place is kept as the reader shows it.
 * `rule` must be of the table. gpu may be NULL. */
void findings_add(struct findings *f, const char *rule, const struct pack *p, const char *scenario, const char *gpu, struct place at, const char *fmt, ...)
    __attribute__((format(printf, 7, 8)));
/* The rule `reader`: a pack that could not be opened from `folder`; `pack` is how its author calls it. */
void findings_refused(struct findings *f, const char *pack, const char *folder, const struct err *err);
/* A failure of sizes, with the place that its message begins with; `label` (may be "") stands before it. One for each rule and place. */
void findings_failed(struct findings *f, const char *rule, const struct pack *p, const char *scenario, const char *gpu, const char *label, const struct err *err);
void findings_measured(struct findings *f, const struct variant *v, const char *gpu, double effect, const struct path *path, bool reached);
/* By file, line, scenario; the same finding of several variants (shared files) is kept once. */
void findings_sort(struct findings *f);
void findings_free(struct findings *f);
/* Lists of maps. A finding: rule, grade, scenario, text; gpu, file, line, col and shown where they are known. What was measured:
 * scenario, gpu, cheapest (probes), price, par, belief, reached; effect where it is known. */
json_t *findings_encode(const struct findings *f);
json_t *findings_encode_measured(const struct findings *f);

/* ---- what looks at files and recordings alone: no GPU, no compiler ---- */

/* Once for each story and each variant of it that is wanted; they never fail, they find. */
void check_draft(struct findings *f, const struct story *s);       /* what is not written yet: checker_draft.c */
void check_words(struct findings *f, const struct story *s);       /* what leaks the cause: checker_words.c */
void check_form(struct findings *f, const struct variant *v);      /* checker_form.c */
void check_fit(struct findings *f, const struct variant *v);       /* sizes, launches, fills where they are known: checker_fit.c */
void check_args(struct findings *f, const struct variant *v);      /* what launches pass against what kernels take: checker_args.c */
void check_formulas(struct findings *f, const struct variant *v);  /* units, and what a reading names: checker_formulas.c */
void check_apart(struct findings *f, const struct story *s);       /* hypotheses that no reading separates: checker_apart.c */
void check_evidence(struct findings *f, const struct variant *v);  /* recordings against what the answer claims: checker_evidence.c */
void check_score(struct findings *f, const struct variant *v);     /* who would earn what: checker_score.c */

/* Once for each pack: recordings that belong to none of its variants, files that would be handed out in clear. */
void check_stray(struct findings *f, const struct pack *p);

/* What check_evidence holds against each recording, on what was measured just now: effect, proves, truths, verdicts, the ideal reader. flags[n_readings]
 * receives which readings hold; `also`, unless NULL, is shown the scope in which everything was bought. ERR_MISSING without anything of the fix. */
typedef void check_also(void *ctx, const struct scope *scope);
int check_claims(struct findings *f, const struct variant *v, const struct recording *live, bool *flags, check_also *also, void *ctx, struct err *err);

/* Who is told apart by what, as a table for the terminal. malloc'd. */
char *apart_table(const struct story *s);

/* All of them, on the variants that are wanted (wanted NULL: on all) and, when one is, on the story itself. */
typedef bool check_wanted(void *ctx, const struct variant *v);
void check_story(struct findings *f, const struct story *s, check_wanted *wanted, void *ctx);

#endif
