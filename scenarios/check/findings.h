/* What checks add to: findings, each of a rule and at a place of the pack, and what fresh
 * recordings showed. */
#ifndef WD_SCENARIOS_FINDINGS_H
#define WD_SCENARIOS_FINDINGS_H

#include <jansson.h>

#include "scenarios/check/rules.h"
#include "scenarios/pack/pack.h"
#include "scenarios/play/ideal.h"

struct finding {
    const struct rule *rule;
    char *scenario;            /* "pack/story/variant", "pack/story", or the pack's id */
    char *gpu; /* slug of the recording, or of the live GPU; NULL: whatever the GPU */
    char *file; int line, col; /* relative to the pack's folder; NULL and 0: of no place */
    char *text;                /* "what; what was expected" */
    char *shown;               /* the line of the place and, below it, a caret; NULL: of no line */
};
/* What a fresh recording shows, whether good or bad: for the summary. */
struct measured {
    char *scenario, *gpu;
    double effect; /* 0: not known */
    struct path path;
    bool reached; /* 90 % in the truth */
    int par;
};
struct findings {
    struct finding *all; int n, n_errors, n_warnings;
    struct measured *measured; int n_measured;
    struct shelf *shelf; /* of the story being checked (checker_bought.h); NULL: rules open for
                            themselves */
};

/* Where a finding stands. file NULL: nowhere in particular; line 0: the whole file. */
struct place { const struct file *file; int line, col; };
struct place place_of(const struct pack *p, const struct expr *e);
struct place place_inside(const struct pack *p, const struct expr *e,
                          int column); /* of its text, from 1 */
/* The byte `at` of the file. */
struct place place_in(const struct file *f, size_t at);
/* The whole of the file that has this path in the pack; nowhere if there is none. */
struct place place_file(const struct pack *p, const char *path);
/* Of a .yaml file: the key of its outermost map, or the first place behind it where `word` (not
 * NULL) stands by itself; the whole file where there is none. */
struct place place_key(const struct pack *p, const char *path, const char *key, const char *word);
/* The same in the variant's answer.yaml. */
struct place place_answer(const struct variant *v, const char *key, const char *word);

/* So many of one rule are told of one file, where a file may break it often. */
enum { MOST_TOLD = 20 };

/* Appends one; the text is cleaned of control characters, and the line of its place is kept as the
 * reader shows it. `rule` must be of the table. gpu may be NULL, and so may the pack where
 * `scenario` is not. */
void findings_add(struct findings *f, const char *rule, const struct pack *p, const char *scenario,
                  const char *gpu, struct place at, const char *fmt, ...)
    __attribute__((format(printf, 7, 8)));
/* The rule `reader`: a pack that could not be opened from `folder`; `pack` is how its author calls
 * it. */
void findings_refused(struct findings *f, const char *pack, const char *folder,
                      const struct err *err);
/* A failure of sizes, with the place that its message begins with; `label` (may be "") stands
 * before it. One for each rule and place. */
void findings_failed(struct findings *f, const char *rule, const struct pack *p,
                     const char *scenario, const char *gpu, const char *label,
                     const struct err *err);
/* The same, one for each rule, place and GPU. */
void findings_failed_on(struct findings *f, const char *rule, const struct pack *p,
                        const char *scenario, const char *gpu, const char *label,
                        const struct err *err);
void findings_measured(struct findings *f, const struct variant *v, const char *gpu, double effect,
                       const struct path *path, bool reached);
/* By file, line, scenario; the same finding of several variants (shared files) is kept once. */
void findings_sort(struct findings *f);
/* Takes those of one rule out. */
void findings_drop(struct findings *f, const char *rule);
void findings_free(struct findings *f);
/* Lists of maps. A finding: rule, grade, scenario, text; gpu, file, line, col and shown where they
 * are known. What was measured: scenario, gpu, cheapest (probes), price, par, belief, reached;
 * effect where it is known. */
json_t *findings_encode(const struct findings *f);
json_t *findings_encode_measured(const struct findings *f);

#endif
