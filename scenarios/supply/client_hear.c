/* What the client hears: messages become events, stderr becomes states. */
#include "scenarios/supply/client_inside.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/supply/front.h"

/* ---- what the runner says ---- */

static const char *string_at(const json_t *msg, const char *key)
{
    const char *s = json_string_value(json_object_get(msg, key));
    return s ? s : "";
}

/* What is no count is 0, unknown. */
static int count_at(const json_t *msg, const char *key)
{
    json_int_t n = json_integer_value(json_object_get(msg, key));
    return n > 0 && n <= INT_MAX ? (int)n : 0;
}

static void refuse_version(struct client *c, const json_t *msg)
{
    char why[256];
    int64_t theirs = json_integer_value(json_object_get(msg, "protocol"));
    snprintf(why, sizeof why,
             "the runner (%.40s) speaks protocol %lld, this warpdrill (%s) protocol %d. %s",
             string_at(msg, "runner"), (long long)theirs, WARPDRILL_VERSION, PROTOCOL_VERSION,
             theirs < PROTOCOL_VERSION ? "Copy this build's warpdrill-runner there"
                                       : "Install the warpdrill that came with that runner");
    client_lose(c, why);
}

static void take_hello(struct client *c, const json_t *msg)
{
    if (json_integer_value(json_object_get(msg, "protocol")) != PROTOCOL_VERSION) {
        refuse_version(c, msg);
        return;
    }
    c->hello = true;
    c->queued_ms = 0;
    c->can = json_incref(json_object_get(msg, "can"));
    c->method = count_at(msg, "method");
    snprintf(c->runner, sizeof c->runner, "%s", string_at(msg, "runner"));
    text_clean(c->runner, strlen(c->runner));
}

/* A prompt without a line end may stand before the hello. */
static const char *after_prompt(const char *line, size_t len)
{
    const char *at = memmem(line, len, "{\"type\":\"hello\"", 15);
    return at ? at : line;
}

static void greet(struct client *c, const char *text, size_t len)
{
    if (len == 0)
        return;
    if (c->greeting.len + len + 1 > GREETING_MAX) {
        client_lose(c, "64 KiB of text came before the runner's greeting; does a shell start-up "
                       "file print without end?");
        return;
    }
    gather_add(&c->greeting, text, len);
    gather_add(&c->greeting, "\n", 1);
}

/* Before the hello that echoes our nonce everything else is a shell's greeting. */
static void take_early_line(struct client *c, const char *line, size_t len)
{
    json_t *msg = NULL;
    const char *at = after_prompt(line, len);
    size_t before = (size_t)(at - line);
    const char *type = frame_parse(&msg, at, len - before, NULL) ? "" : string_at(msg, "type");
    const json_t *error = json_object_get(msg, "error");
    if (!strcmp(type, "hello") && !strcmp(string_at(msg, "nonce"), c->nonce)) {
        greet(c, line, before);
        take_hello(c, msg);
    } else if (!strcmp(type, "done") && !strcmp(string_at(error, "code"), "version")) {
        client_lose(c, *string_at(error, "text")
                           ? string_at(error, "text")
                           : "the runner is of another version; install the same version of both");
    } else {
        greet(c, line, len);
    }
    json_decref(msg);
}

static void take_state(struct client *c, const json_t *msg)
{
    const char *say = string_at(msg, "say");
    note_say(note_new(c, CLIENT_STATE, c->open), *say ? say : string_at(msg, "is"));
}

static void take_progress(struct client *c, const json_t *msg)
{
    struct note *n = note_new(c, CLIENT_PROGRESS, json_integer_value(json_object_get(msg, "id")));
    const char *say = string_at(msg, "say");
    note_say(n, *say ? say : string_at(msg, "phase"));
    n->e.of = count_at(msg, "of");
    n->e.at = count_at(msg, "at");
    if (n->e.of && n->e.at > n->e.of)
        n->e.at = n->e.of;
}

void client_garbled(struct client *c, const struct err *err)
{
    char why[256];
    snprintf(why, sizeof why, "the runner sent what is not a message: %.180s", err->text);
    client_lose(c, why);
}

/* After a link was made anew, another GPU may answer: what it says must not be mixed in. */
static void prove(struct client *c, const struct msg_device *d)
{
    char why[256];
    double compute = 0, sm_count = 0;
    msg_device_number(d, "compute", &compute);
    msg_device_number(d, "sm_count", &sm_count);
    if (!strcmp(d->name, c->same.name) && compute >= c->same.compute &&
        compute <= c->same.compute && sm_count >= c->same.sm_count && sm_count <= c->same.sm_count)
        return;
    snprintf(why, sizeof why,
             "now %.60s answers (%.0f SMs), and this was begun on %.60s (%.0f SMs); evidence of "
             "the two is never mixed",
             d->name, sm_count, c->same.name, c->same.sm_count);
    client_lose(c, why);
}

static void take_device(struct client *c, const json_t *msg)
{
    struct err err = {0};
    struct msg_device *d = mem_new(1, sizeof *d);
    if (msg_device_decode(d, msg, &err)) {
        msg_device_free(d);
        free(d);
        client_garbled(c, &err);
        return;
    }
    struct note *n = note_new(c, CLIENT_DEVICE, d->id);
    n->e.device = n->device = d;
    if (d->id == c->proof)
        prove(c, d);
}

static void take_part(struct client *c, const json_t *msg)
{
    struct err err = {0};
    struct msg_part *p = mem_new(1, sizeof *p);
    if (msg_part_decode(p, msg, &err)) {
        msg_part_free(p);
        free(p);
        client_garbled(c, &err);
        return;
    }
    struct note *n = note_new(c, CLIENT_PART, p->id);
    n->e.part = n->part = p;
}

static void take_compiler(struct client *c, const json_t *msg)
{
    struct msg_compiler *m = mem_new(1, sizeof *m);
    if (msg_compiler_decode(m, msg, NULL)) {
        free(m);
        return;
    }
    struct note *n = note_new(c, CLIENT_COMPILER, m->id);
    n->e.compiler = n->compiler = m;
}

static void take_compiled(struct client *c, const json_t *msg)
{
    struct err err = {0};
    struct msg_compiled *m = mem_new(1, sizeof *m);
    if (msg_compiled_decode(m, msg, &err)) {
        free(m);
        client_garbled(c, &err);
        return;
    }
    struct note *n = note_new(c, CLIENT_COMPILED, m->id);
    n->e.compiled = n->compiled = m;
}

static void take_links(struct client *c, const json_t *msg)
{
    struct err err = {0};
    struct msg_links *l = mem_new(1, sizeof *l);
    if (msg_links_decode(l, msg, &err)) {
        free(l);
        client_garbled(c, &err);
        return;
    }
    struct note *n = note_new(c, CLIENT_LINKS, l->id);
    n->e.links = n->links = l;
}

static void take_done(struct client *c, const json_t *msg)
{
    struct err err = {0};
    struct msg_done *d = mem_new(1, sizeof *d);
    int rc = msg_done_decode(d, msg, &err);
    bool ours = rc == 0 && c->open && (!d->has_id || d->id == c->open);
    if (!ours) {
        msg_done_free(d);
        free(d);
        if (rc)
            client_garbled(c, &err);
        return;
    }
    struct note *n = note_new(c, CLIENT_DONE, c->open);
    d->id = c->open;
    d->has_id = true;
    note_say(n, d->text);
    n->e.done = n->done = d;
    c->open = 0;
    bounds_end(&c->bounds);
    if (d->id != c->proof)
        return;
    c->proof = 0;
    if (!c->dead && d->status != DONE_OK && d->status != DONE_PARTIAL)
        client_lose(c, d->text ? d->text : "the runner could not say what GPU there is");
}

static bool is_answer(const char *type)
{
    return !strcmp(type, "device") || !strcmp(type, "part") || !strcmp(type, "compiler") ||
           !strcmp(type, "compiled") || !strcmp(type, "links");
}

void client_hear(struct client *c, const char *line, size_t len)
{
    struct err err = {0};
    json_t *msg = NULL;
    if (!c->hello) {
        take_early_line(c, line, len);
        return;
    }
    if (bounds_line(&c->bounds, len, &err)) {
        client_lose(c, err.text);
        return;
    }
    if (frame_parse(&msg, line, len, &err)) {
        client_garbled(c, &err);
        return;
    }
    const char *type = string_at(msg, "type");
    const json_t *id = json_object_get(msg, "id");
    bool stale =
        json_is_integer(id) &&
        json_integer_value(id) != c->open; /* of a request that is over: nobody waits for it */
    if (!stale && is_answer(type) && bounds_answer(&c->bounds, &err)) {
        client_lose(c, err.text);
        json_decref(msg);
        return;
    }
    if (!strcmp(type, "state"))
        take_state(c, msg);
    else if (!stale && !strcmp(type, "progress"))
        take_progress(c, msg);
    else if (!stale && !strcmp(type, "device"))
        take_device(c, msg);
    else if (!stale && !strcmp(type, "part"))
        take_part(c, msg);
    else if (!stale && !strcmp(type, "compiler"))
        take_compiler(c, msg);
    else if (!stale && !strcmp(type, "compiled"))
        take_compiled(c, msg);
    else if (!stale && !strcmp(type, "links"))
        take_links(c, msg);
    else if (!strcmp(type, "done"))
        take_done(c, msg);
    json_decref(msg);
}

static void tell_queue(struct client *c, int64_t now)
{
    char say[96];
    struct note *n = note_new(c, CLIENT_STATE, 0);
    int s = (int)((now - c->queued_ms) / 1000);
    n->e.queued_s = s;
    snprintf(say, sizeof say, "in Slurm's queue for %d:%02d (job %ld)", s / 60, s % 60, c->job);
    note_say(n, say);
    c->told_ms = now;
}

void client_hear_log(struct client *c, bool grew)
{
    enum { TELL_MS = 1000 };
    int64_t now = c->clock();
    char line[200];
    if (c->hello || c->dead)
        return;
    if (grew) {
        gather_last_line(&c->log, line, sizeof line);
        if (*line)
            note_say(note_new(c, CLIENT_STATE, 0), line);
        bool queued = front_queued(gather_text(&c->log), &c->job);
        c->queued_ms = !queued ? 0 : c->queued_ms ? c->queued_ms : now;
        c->told_ms = now;
    } else if (c->queued_ms && now - c->told_ms >= TELL_MS) {
        tell_queue(c, now);
    }
}
