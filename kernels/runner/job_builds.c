/* What a request still has to have compiled: one source at a time is with the compiler; a request
 * to compile alone is answered as they come. */
#include "kernels/runner/job_own.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/runner/compiling.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

static void compile_one(struct supervisor *s, int at)
{
    const struct build *b = &s->job.plan.builds[at];
    const char *header = build_header();
    struct ipc_blob blobs[] = {{b->text, strlen(b->text)}, {header, strlen(header)}};
    char say[128];
    s->compiling = ++s->ticket;
    s->compiling_build = at;
    json_t *head = json_pack("{s:s, s:i, s:s, s:O, s:b, s:I}", "type", "compile", "ticket",
                             s->compiling, "name", b->name, "options", b->options, "cubin",
                             b->cubin, "left_ms", (json_int_t)(s->job.expires - os_monotonic_ms()));
    ipc_queue(s->compiler.ipc, head, blobs, 2, NULL);
    json_decref(head);
    snprintf(say, sizeof say, "compiling %s", b->name);
    client_note(s->client, "compiling", say);
}

bool job_keep_compiling(struct supervisor *s)
{
    struct build_plan *p = &s->job.plan;
    if (s->compiling)
        return true;
    for (int i = 0; i < p->n_builds; i++)
        if (!p->builds[i].ready) {
            compile_one(s, i);
            return true;
        }
    return false;
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
    for (; j->told < json_array_size(j->plan.uses); j->told++) {
        const json_t *use = json_array_get(j->plan.uses, j->told);
        int at = (int)json_integer_value(json_object_get(use, "build"));
        struct build *b = at < 0 ? NULL : &j->plan.builds[at];
        if (b && !b->ready && !b->refused && !build_cache_load(b)) {
            compile_one(s, at);
            note_compiling(s, use, b);
            return;
        }
        client_send(s->client, compiling_answer(j->id, use, b, s->nvrtc, j->compile.listing));
    }
    job_end(s, &(struct msg_done){.status = DONE_OK});
}
