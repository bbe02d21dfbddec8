/* What the parts of job.c share. */
#ifndef WD_RUNNER_JOB_OWN_H
#define WD_RUNNER_JOB_OWN_H

#include "kernels/runner/job.h"

/* A text of a child's message; "" where there is none. */
static inline const char *text_of(const json_t *object, const char *key)
{
    const char *s = json_string_value(json_object_get(object, key));
    return s ? s : "";
}

/* ---- job_end.c ---- */

/* Everything ends here, so that a request has exactly one done, with what was printed meanwhile. */
void job_end(struct supervisor *s, struct msg_done *d);
void job_fail_with(struct supervisor *s, const struct err *err);
/* With what the compiler said of its failure: code, call, remedy. */
void job_fail_by_compiler(struct supervisor *s, const json_t *said, const char *text,
                          const char *where);

/* ---- job_ahead.c ---- */

/* Lists what is foreseen, once it is known for which GPU. */
void job_plan_ahead(struct supervisor *s);
/* Fills a build with what was compiled ahead. */
bool job_take_ahead(struct supervisor *s, struct build *b);
/* The build of that key which is still wanted, or NULL. */
struct build *job_ahead_wants(struct supervisor *s, const char *key);

/* ---- job_tickets.c ---- */

/* Begins a build unless it is under way; false where as many are as may be. Nobody waits for it
 * longer than `until`. */
bool job_compile(struct supervisor *s, const struct build *b, int64_t until);
/* Those that an ended request alone wanted get a moment more. */
void job_abandon_compiling(struct supervisor *s);

/* ---- job_builds.c ---- */

/* Whether something is still being compiled, after having begun all that may be. */
bool job_keep_compiling(struct supervisor *s);
/* Tells what is known, in the request's order. */
void job_tell_compiled(struct supervisor *s);
/* Compiles what is foreseen on the processors that the open request leaves idle. */
void job_advance_ahead(struct supervisor *s);

/* ---- job.c ---- */

/* Keeps the names of the walls that a child says to stand. */
void job_keep_walls(json_t **to, const json_t *head);

#endif
