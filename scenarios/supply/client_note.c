/* What the client has to tell: its queue of events, of which the last says why it is gone. */
#include "scenarios/supply/client_inside.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"

struct note *note_new(struct client *c, enum client_kind kind, int64_t id)
{
    struct note *n = mem_new(1, sizeof *n);
    n->e.kind = kind;
    n->e.id = id;
    *c->last_event = n;
    c->last_event = &n->next;
    return n;
}

static void note_free(struct note *n)
{
    if (!n)
        return;
    if (n->device)
        msg_device_free(n->device);
    if (n->part)
        msg_part_free(n->part);
    if (n->done)
        msg_done_free(n->done);
    if (n->compiled)
        msg_compiled_free(n->compiled);
    free(n->links);
    free(n->compiler);
    free(n->compiled);
    free(n->device);
    free(n->part);
    free(n->done);
    free(n);
}

void note_say(struct note *n, const char *say)
{
    snprintf(n->e.say, sizeof n->e.say, "%s", say ? say : "");
    text_clean(n->e.say, strlen(n->e.say));
}

bool client_event(struct client *c, struct client_event *out)
{
    note_free(c->current);
    c->current = c->events;
    if (!c->current)
        return false;
    c->events = c->current->next;
    if (!c->events)
        c->last_event = &c->events;
    *out = c->current->e;
    return true;
}

void client_lose(struct client *c, const char *why)
{
    if (c->dead)
        return;
    c->dead = true;
    c->open = c->proof = c->queued_ms = 0;
    process_leave(&c->process, true);
    struct note *n = note_new(c, CLIENT_LOST, c->next_id);
    note_say(n, why);
    snprintf(c->lost, sizeof c->lost, "%s", n->e.say);
}
