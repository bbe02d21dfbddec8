/* What the compiler says, and what follows for the request: the next source, a failure, or an end
 * that nobody ordered. */
#include "kernels/runner/job_own.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

static void compiler_is_ready(struct supervisor *s, const json_t *head)
{
    const char *missing = text_of(head, "missing");
    s->compiler.hello = true;
    job_keep_walls(&s->compiler_walls, head);
    json_decref(s->archs);
    s->archs = json_incref(json_object_get(head, "archs"));
    snprintf(s->nvrtc, sizeof s->nvrtc, "%s", text_of(head, "nvrtc"));
    snprintf(s->exact, sizeof s->exact, "%s", text_of(head, "exact"));
    if (*missing) {
        json_decref(s->no_nvrtc);
        s->no_nvrtc = json_incref((json_t *)(uintptr_t)head);
        child_dismiss(&s->compiler, os_monotonic_ms() + CANCEL_PATIENCE_MS);
    }
    job_advance(s);
}

static void fail_to_compile(struct supervisor *s, const struct build *b, json_t *said)
{
    if (b->device && !strcmp(text_of(said, "code"), err_name(ERR_COMPILE)))
        json_object_set_new(said, "code", json_string(err_name(ERR_INTERNAL))); /* our own text */
    job_fail_by_compiler(s, said, text_of(said, "log"), b->name);
}

static void compiled(struct supervisor *s, const struct ipc_message *m)
{
    int ticket = (int)json_integer_value(json_object_get(m->head, "ticket"));
    struct build_plan *p = &s->job.plan;
    if (ticket != s->compiling)
        return;
    s->compiling = 0;
    s->compiler.kill_at = 0;
    if (!s->job.open || s->compiling_build < 0) { /* cancelled meanwhile */
        job_advance(s);
        return;
    }
    struct build *b = &p->builds[s->compiling_build];
    if (m->n_blobs == 2 && json_is_true(json_object_get(m->head, "ok"))) {
        build_finish(b, m);
        build_cache_store(b);
    } else if (s->job.kind == JOB_COMPILE &&
               !strcmp(text_of(m->head, "code"), err_name(ERR_COMPILE))) {
        build_refuse(b, m);
    } else {
        fail_to_compile(s, b, m->head);
        return;
    }
    job_advance(s);
}

void job_hear_compiler(struct supervisor *s, const struct ipc_message *m)
{
    const char *type = text_of(m->head, "type");
    if (s->compiler.condemned)
        return;
    if (!strcmp(type, "hello") && !s->compiler.hello)
        compiler_is_ready(s, m->head);
    else if (!strcmp(type, "compiled"))
        compiled(s, m);
}

/* It was this source that ended it. */
static void lose_compiler(struct supervisor *s, const char *how, bool no_memory)
{
    char text[512], otherwise[] = "write the source otherwise, or use another version of NVRTC";
    char smaller[] =
        "write the source with smaller tables, or with less recursion of templates and constants";
    snprintf(text, sizeof text, "the compiler %s while compiling %s", how,
             s->job.plan.builds[s->compiling_build].name);
    struct msg_done d = {.status = DONE_FAILED,
                         .code = no_memory ? ERR_MEMORY : ERR_LOST,
                         .text = text,
                         .remedy = no_memory ? smaller : otherwise};
    job_end(s, &d);
}

void job_compiler_gone(struct supervisor *s, const char *how, bool no_memory)
{
    bool expected = s->compiler.condemned || s->compiler.hello;
    bool ours = s->compiling && s->compiling_build >= 0 && s->job.open;
    child_forget(&s->compiler);
    s->compiling = 0;
    if (ours) {
        lose_compiler(s, how, no_memory);
    } else if (!expected && !s->no_nvrtc) {
        char *why = text_format("the compiler %s while loading NVRTC", how);
        s->no_nvrtc = json_pack("{s:s, s:s}", "missing", why, "code", err_name(ERR_LOST));
        free(why);
    }
    job_advance(s);
}
