/* What the compiler works on: as many texts at once as there are processors. */
#include "kernels/runner/job_own.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "kernels/wire/os.h"

static int most_at_once(const struct supervisor *s)
{
    long processors = s->one_by_one ? 1 : sysconf(_SC_NPROCESSORS_ONLN);
    return processors < 1 ? 1 : processors < COMPILING_MOST ? (int)processors : COMPILING_MOST;
}

static struct compiling *find_compiling(struct supervisor *s, const char *key)
{
    for (int i = 0; i < s->n_compiling; i++)
        if (!strcmp(s->compiling[i].key, key))
            return &s->compiling[i];
    return NULL;
}

static void send_build(struct supervisor *s, const struct build *b, const struct compiling *c,
                       int64_t now)
{
    const char *header = build_header();
    struct ipc_blob blobs[] = {{b->text, strlen(b->text)}, {header, strlen(header)}};
    json_t *head = json_pack("{s:s, s:i, s:s, s:O, s:b, s:I, s:b, s:i}", "type", "compile",
                             "ticket", c->ticket, "name", b->name, "options", b->options, "cubin",
                             b->cubin, "left_ms", (json_int_t)(c->until - now), "alone", c->alone,
                             "beside", s->n_compiling - 1);
    ipc_queue(s->compiler.ipc, head, blobs, 2, NULL);
    json_decref(head);
}

bool job_compile(struct supervisor *s, const struct build *b, int64_t until)
{
    struct compiling *c = find_compiling(s, b->key);
    char say[128];
    if (c) {
        c->until = until > c->until ? until : c->until;
        return true;
    }
    if (s->n_compiling >= most_at_once(s))
        return false;
    c = &s->compiling[s->n_compiling++];
    *c = (struct compiling){.ticket = ++s->ticket, .alone = s->one_by_one, .until = until};
    snprintf(c->key, sizeof c->key, "%s", b->key);
    send_build(s, b, c, os_monotonic_ms());
    snprintf(say, sizeof say, "compiling %s", b->name);
    client_note(s->client, "compiling", say);
    return true;
}

void job_abandon_compiling(struct supervisor *s)
{
    int64_t patience = os_monotonic_ms() + CANCEL_PATIENCE_MS;
    for (int i = 0; i < s->n_compiling; i++) {
        struct compiling *c = &s->compiling[i];
        bool wanted = job_ahead_wants(s, c->key) != NULL;
        c->until = wanted ? s->ahead.expires : c->until < patience ? c->until : patience;
    }
}
