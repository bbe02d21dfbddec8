/* The end of a request: whatever happened, it has exactly one done. */
#include "kernels/runner/job_own.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

void job_end(struct supervisor *s, struct msg_done *d)
{
    child_drain(&s->worker, &s->captured);
    child_drain(&s->compiler, &s->captured);
    d->id = s->job.id;
    d->has_id = true;
    d->log = s->captured.text;
    client_done(s->client, d);
    client_unwatch(s->client);
    job_abandon_compiling(s);
    build_plan_free(&s->job.plan);
    msg_measure_free(&s->job.measure);
    msg_compile_free(&s->job.compile);
    json_decref(s->job.message);
    json_decref(s->job.rest);
    s->job = (struct job){0};
    free(s->captured.text);
    s->captured = (struct captured){0};
    s->idle_since = os_monotonic_ms();
}

void job_fail(struct supervisor *s, enum done_status status, int code, const char *fmt, ...)
{
    char text[2048];
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    struct msg_done d = {.status = status, .code = code, .text = text};
    job_end(s, &d);
}

void job_fail_with(struct supervisor *s, const struct err *err)
{
    job_fail(s, DONE_FAILED, err->code, "%s", err->text);
}

void job_fail_by_compiler(struct supervisor *s, const json_t *said, const char *text,
                          const char *where)
{
    struct msg_done d = {.status = DONE_FAILED, .code = err_from_name(text_of(said, "code"))};
    d.text = text_ndup(text, strnlen(text, CAP_LOG_BYTES));
    d.remedy = *text_of(said, "remedy") ? text_dup(text_of(said, "remedy")) : NULL;
    snprintf(d.where, sizeof d.where, "%s", where);
    snprintf(d.call, sizeof d.call, "%s", text_of(said, "call"));
    job_end(s, &d);
    d.log = NULL;
    msg_done_free(&d);
}
