/* What a request still has to have compiled, and, behind it, what was foreseen. A request to compile
 * alone is answered in its own order. */
#include "kernels/runner/job_own.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/runner/compiling.h"
#include "kernels/wire/text.h"

/* ---- the open request ---- */

static bool is_missing(const struct build *b)
{
    return !b->ready && !b->refused;
}

/* False where none is missing. */
static bool begin_missing(struct supervisor *s)
{
    struct build_plan *p = &s->job.plan;
    bool missing = false;
    for (int i = 0; i < p->n_builds; i++) {
        if (!is_missing(&p->builds[i]))
            continue;
        missing = true;
        if (!job_compile(s, &p->builds[i], s->job.expires))
            break;
    }
    return missing;
}

bool job_keep_compiling(struct supervisor *s)
{
    return begin_missing(s);
}

static void note_compiling(struct supervisor *s, const json_t *use, const struct build *b)
{
    char *say = text_format("compiling %s for sm_%d", b->name,
                            (int)json_integer_value(json_object_get(use, "arch")));
    json_t *p = json_pack("{s:s, s:I, s:s, s:i, s:i, s:s}", "type", "progress", "id",
                          (json_int_t)s->job.id, "phase", "compiling", "at", (int)s->job.told, "of",
                          (int)json_array_size(s->job.plan.uses), "say", say);
    client_note_message(s->client, p);
    json_decref(p);
    free(say);
}

void job_tell_compiled(struct supervisor *s)
{
    struct job *j = &s->job;
    begin_missing(s);
    for (; j->told < json_array_size(j->plan.uses); j->told++) {
        const json_t *use = json_array_get(j->plan.uses, j->told);
        int at = (int)json_integer_value(json_object_get(use, "build"));
        struct build *b = at < 0 ? NULL : &j->plan.builds[at];
        if (b && is_missing(b)) {
            note_compiling(s, use, b);
            return;
        }
        client_send(s->client, compiling_answer(j->id, use, b, s->nvrtc, j->compile.listing));
    }
    job_end(s, &(struct msg_done){.status = DONE_OK});
}

/* ---- what was foreseen ---- */

/* The open request goes first: what it misses has begun before this is asked, and only processors
 * that it leaves idle are taken. */
static bool has_time(const struct supervisor *s)
{
    bool planned = !s->job.open || s->job.planned;
    return s->ahead.open && planned && !s->one_by_one && s->compiler.hello && s->compiler.ipc &&
           s->arch && !s->no_nvrtc;
}

void job_advance_ahead(struct supervisor *s)
{
    struct ahead *a = &s->ahead;
    if (!has_time(s))
        return;
    if (!a->planned)
        job_plan_ahead(s);
    for (int i = 0; i < a->plan.n_builds; i++)
        if (job_ahead_wants(s, a->plan.builds[i].key) &&
            !job_compile(s, &a->plan.builds[i], a->expires))
            return;
}
