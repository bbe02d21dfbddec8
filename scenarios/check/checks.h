/* What the checker_*.c that look at files and recordings alone offer; check_story calls most of
 * them. */
#ifndef WD_SCENARIOS_CHECKS_H
#define WD_SCENARIOS_CHECKS_H

#include "scenarios/check/findings.h"
#include "scenarios/evidence/evidence.h"

/* Once for each story and each variant of it that is wanted; they never fail, they find. */
void check_draft(struct findings *f,
                 const struct story *s); /* what is not written yet: checker_draft.c */
void check_words(struct findings *f,
                 const struct story *s); /* what leaks the cause: checker_words.c */
void check_form(struct findings *f, const struct variant *v);      /* checker_form.c */
void check_fit(
    struct findings *f,
    const struct variant *v); /* sizes, launches, fills where they are known: checker_fit.c */
void check_args(
    struct findings *f,
    const struct variant *v); /* what launches pass against what kernels take: checker_args.c */
/* Workspaces against what launches of this shape take of them: checker_workspace.c. gpu: as in
 * findings_add. */
void check_workspaces(struct findings *f, const struct variant *v, const char *gpu,
                      const struct msg_shape *shape);
/* Are they the same but for comments and white space? checker_form.c */
bool check_same_tokens(const struct file *a, const struct file *b);
/* Launches of the variant's own against the story's and the other variants': checker_launches.c */
void check_launches(struct findings *f, const struct variant *v);
/* A number that formulas know by this name; 0: it is not known. checker_then.c */
double check_number(const struct scope *scope, const char *name);
/* A second fault: its builds on paper, and on a recording whether the ranking holds:
 * checker_then.c */
void check_then(struct findings *f, const struct variant *v);
void check_ranking(struct findings *f, const struct variant *v, const char *gpu,
                   const struct scope *scope);
/* Steps of a kernel to be written against what the build that they name took: checker_walls.c */
void check_walls(struct findings *f, const struct variant *v, const char *gpu,
                 const struct scope *scope);
void check_formulas(
    struct findings *f,
    const struct variant *v); /* units, and what a reading names: checker_formulas.c */
void check_estimate_needs(
    struct findings *f,
    const struct variant *v); /* what estimates need and nothing tells: checker_estimate_needs.c */
void check_apart(struct findings *f,
                 const struct story *s); /* hypotheses that no reading separates: checker_apart.c */
void check_evidence(
    struct findings *f,
    const struct variant *v); /* recordings against what the answer claims: checker_evidence.c */
/* The same of a case, whose exhibits were held against the story when it was loaded. Fails where
 * they cannot be made. */
int check_exhibits(struct findings *f, const struct variant *v, struct err *err);
/* The same of a drawn case, over a hundred seeds: checker_draws.c */
void check_draws(struct findings *f, const struct variant *v);
void check_prose(struct findings *f,
                 const struct variant *v); /* figures in the prose: checker_prose.c */
void check_score(struct findings *f,
                 const struct variant *v); /* who would earn what: checker_score.c */

/* Once for each pack: recordings that belong to none of its variants, files that would be handed
 * out in clear. */
void check_stray(struct findings *f, const struct pack *p);

/* What check_evidence holds against each recording, on what was measured just now: effect, proves,
 * truths, verdicts, the ideal reader. flags[n_readings] receives which readings hold; `also`,
 * unless NULL, is shown the scope in which everything was bought. ERR_MISSING without anything of
 * the fix. */
typedef void check_also(void *ctx, const struct scope *scope);
int check_claims(struct findings *f, const struct variant *v, const struct recording *live,
                 bool *flags, check_also *also, void *ctx, struct err *err);

/* Who is told apart by what, as a table for the terminal. malloc'd. */
char *apart_table(const struct story *s);

#endif
