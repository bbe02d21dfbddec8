/* What an interview consists of: parts by minutes, and a rubric. Plain data, JSON in the log, YAML
 * in files. */
#ifndef WD_SCENARIOS_SESSION_PLAN_H
#define WD_SCENARIOS_SESSION_PLAN_H

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "kernels/wire/err.h"
#include "scenarios/library/catalog.h"

enum { SESSION_MAX_PARTS = 12, SESSION_MAX_SIGNALS = 12, SESSION_MAX_ANCHORS = 4 };

enum session_part_kind { PART_SCENARIO, PART_DRILLS, PART_TALK };
const char *session_part_name(enum session_part_kind k);     /* "scenario" */

struct session_part {
    enum session_part_kind kind;
    int minutes;
    char title[96];                      /* as the candidate may read it: never the cause */
    char id[96]; /* scenario: the variant's full id; drills: "" until asked from `drills`; talk: ""
                  */
    char drills[8][96]; int n_drills;    /* drills: what is proposed, "set/id" */
    char ask[512];                       /* talk: the question on the candidate's screen */
};
struct session_signal {                  /* a row of the rubric */
    char id[48], title[64];
    char anchors[SESSION_MAX_ANCHORS]
                [160]; /* of grades 1 (weak) to 4 (strong); "" where none is written */
};
struct session_plan {
    char title[96], candidate[64];       /* "Kernel diagnosis, one hour"; "C-07" */
    int level;
    uint64_t seed;
    char tier[12], gpu[64];              /* what evidence is asked for: "recorded" or "live" */
    bool withhold;                       /* scores wait for the interviewer */
    struct session_part parts[SESSION_MAX_PARTS]; int n_parts;
    struct session_signal signals[SESSION_MAX_SIGNALS]; int n_signals;
};

/* A plan by level (0 to 4) and minutes (20 to 180): a talk to begin with, one scenario of that
 * level or two, drills, time for questions. The seed picks among what fits, the variant too;
 * `avoid` are full ids of stories or variants that shall not be picked (may be NULL). `c` NULL: no
 * pack is here. ERR_MISSING when nothing of the catalogue fits. The rubric is the built-in one.
 * `drills` are ids on offer ("set/id"); may be none. */
int session_plan_make(struct session_plan *out, const struct catalog *c, const char *const *drills,
                      int n_drills, int level, int minutes, uint64_t seed, const char *const *avoid,
                      int n_avoid, struct err *err);
int session_plan_minutes(const struct session_plan *p);
json_t *session_plan_encode(const struct session_plan *p);
int session_plan_decode(struct session_plan *out, const json_t *j, struct err *err);

/* The signals of the interview guide. */
void session_rubric_builtin(struct session_plan *p);
/* A team's own, from a YAML file; errors with file:line:col. On failure *p keeps the rubric it had.
 */
int session_rubric_read(struct session_plan *p, const char *path, struct err *err);

#endif
