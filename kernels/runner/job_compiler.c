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

static bool take_ticket(struct compiling *out, struct supervisor *s, int ticket)
{
    for (int i = 0; i < s->n_compiling; i++)
        if (s->compiling[i].ticket == ticket) {
            *out = s->compiling[i];
            s->compiling[i] = s->compiling[--s->n_compiling];
            return true;
        }
    return false;
}

/* The build of that key of the open request, unless it is known already. */
static struct build *job_wants(struct supervisor *s, const char *key)
{
    struct build_plan *p = &s->job.plan;
    for (int i = 0; s->job.open && i < p->n_builds; i++)
        if (!strcmp(p->builds[i].key, key) && !p->builds[i].ready && !p->builds[i].refused)
            return &p->builds[i];
    return NULL;
}

/* Also what nobody wants any more is kept: a text comes back by undo. */
static void finish(struct supervisor *s, const char *key, const struct ipc_message *m)
{
    struct build *wanted[] = {job_wants(s, key), job_ahead_wants(s, key)}, spare = {.name = ""};
    snprintf(spare.key, sizeof spare.key, "%s", key);
    build_finish(&spare, m);
    build_cache_store(&spare);
    for (int i = 0; i < 2; i++)
        if (wanted[i])
            build_copy(wanted[i], &spare);
    build_clear(&spare);
}

/* Several at once share what memory there is: one that found none may find it alone. */
static bool may_succeed_alone(const struct compiling *c, const json_t *said)
{
    return !c->alone && strstr(text_of(said, "log"), "out of memory");
}

static void compiled(struct supervisor *s, const struct ipc_message *m)
{
    struct compiling c;
    if (!take_ticket(&c, s, (int)json_integer_value(json_object_get(m->head, "ticket"))))
        return;
    struct build *b = job_wants(s, c.key), *ahead = job_ahead_wants(s, c.key);
    if (m->n_blobs == 2 && json_is_true(json_object_get(m->head, "ok"))) {
        finish(s, c.key, m);
    } else if (may_succeed_alone(&c, m->head)) {
        s->one_by_one = true;
    } else if (b && !(s->job.kind == JOB_COMPILE &&
                      !strcmp(text_of(m->head, "code"), err_name(ERR_COMPILE)))) {
        fail_to_compile(s, b, m->head);
        return;
    } else {
        if (b)
            build_refuse(b, m);
        if (ahead)
            ahead->refused = true; /* whoever asks for it is told why */
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
static void lose_compiler(struct supervisor *s, const struct build *b, const char *how,
                          bool no_memory)
{
    char text[512], otherwise[] = "write the source otherwise, or use another version of NVRTC";
    char smaller[] =
        "write the source with smaller tables, or with less recursion of templates and constants";
    snprintf(text, sizeof text, "the compiler %s while compiling %s", how, b->name);
    struct msg_done d = {.status = DONE_FAILED,
                         .code = no_memory ? ERR_MEMORY : ERR_LOST,
                         .text = text,
                         .remedy = no_memory ? smaller : otherwise};
    job_end(s, &d);
}

void job_compiler_gone(struct supervisor *s, const char *how, bool no_memory)
{
    bool expected = s->compiler.condemned || s->compiler.hello;
    bool by_itself = s->n_compiling > 0 && !s->compiler.condemned;
    bool is_known = by_itself && s->n_compiling == 1 && s->compiling[0].alone;
    struct build *guilty = is_known ? job_wants(s, s->compiling[0].key) : NULL;
    child_forget(&s->compiler);
    if (s->n_compiling)
        job_forget_ahead(s);
    s->n_compiling = 0;
    s->one_by_one = s->one_by_one || (by_itself && !is_known);
    if (guilty) {
        lose_compiler(s, guilty, how, no_memory);
    } else if (!expected && !s->no_nvrtc) {
        char *why = text_format("the compiler %s while loading NVRTC", how);
        s->no_nvrtc = json_pack("{s:s, s:s}", "missing", why, "code", err_name(ERR_LOST));
        free(why);
    }
    job_advance(s);
}
