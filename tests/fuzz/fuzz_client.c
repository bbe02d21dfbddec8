/* What a runner may answer: bytes become lines, lines events, events evidence, and evidence goes
 * into a file and comes back the same. The first byte says whether the greeting is over. However it
 * ends, what is kept is bounded and the reason has words. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "scenarios/supply/client_inside.h"
#include "scenarios/supply/supply.h"
#include "scenarios/evidence/timeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int64_t still(void)
{
    return 1000;
}

/* One whose command was never started, with a request under way. */
static struct client *client_of_none(bool greeted)
{
    struct client *c = mem_new(1, sizeof *c);
    json_t *request =
        json_pack("{s:s, s:i, s:[{},{}]}", "type", "measure", "deadline_ms", 20000, "items");
    *c = (struct client){.command = text_dup("none"),
                         .next_id = 2,
                         .open = 1,
                         .clock = still,
                         .hello = greeted,
                         .proof = 1};
    c->process.in = c->process.out = c->process.log = -1;
    c->before = c->process;
    c->greeting.limit = GREETING_MAX;
    c->log.limit = LOG_MAX;
    c->last_event = &c->events;
    c->last_waiting = &c->waiting;
    c->reader = frame_reader_new();
    c->writer = frame_writer_new();
    memset(c->nonce, '0', sizeof c->nonce - 1);
    bounds_begin(&c->bounds, request, still());
    json_decref(request);
    return c;
}

static void hear_all(struct client *c, const char *bytes, size_t n)
{
    struct err err = {0};
    char *line;
    size_t len;
    int rc;
    frame_reader_push(c->reader, bytes, n);
    while (!c->dead && (rc = frame_reader_next(c->reader, &line, &len, &err)) != 0)
        if (rc > 0)
            client_hear(c, line, len);
        else
            client_garbled(c, &err);
}

static bool is_clean(const char *s)
{
    return text_first_bad(s, strlen(s)) == strlen(s);
}

static void keep_part(struct evidence *e, const struct msg_part *p)
{
    struct timeline t;
    evidence_add(e, p);
    timeline_make(&t, p, NULL, NULL);
    for (int i = 0; i < p->n_lines; i++)
        assert(is_clean(p->lines[i]));
    for (int i = 0; i < p->n_notes; i++)
        assert(is_clean(p->notes[i]));
}

static void take_events(struct client *c, struct evidence *e)
{
    struct client_event event;
    size_t answers = 0;
    while (client_event(c, &event)) {
        assert(is_clean(event.say) && event.at >= 0 && event.of >= 0);
        answers += event.kind == CLIENT_PART || event.kind == CLIENT_DEVICE ||
                   event.kind == CLIENT_COMPILED || event.kind == CLIENT_LINKS;
        if (event.kind == CLIENT_PART)
            keep_part(e, event.part);
        else if (event.kind == CLIENT_DEVICE)
            assert(is_clean(event.device->name) && !strchr(event.device->slug, '/') &&
                   *event.device->slug != '.');
        else if (event.kind == CLIENT_LINKS)
            assert(is_clean(event.links->gpu) && is_clean(event.links->no_nccl));
    }
    assert(answers <= 2 * BOUNDS_ANSWERS);
}

static void store_evidence(const struct evidence *e)
{
    struct evidence *again = NULL;
    json_t *one = evidence_encode(e);
    int rc = evidence_decode(&again, one, NULL);
    assert(rc == 0 && again->n_parts == e->n_parts);
    evidence_free(again);
    json_decref(one);
}

/* The same bytes as a file of evidence. */
static void read_recording(const char *bytes, size_t n)
{
    struct recording *r = NULL, *again = NULL;
    struct err err = {0};
    if (recording_decode(&r, bytes, n, "fuzz.json", &err)) {
        assert(err.code < 0 && *err.text);
        return;
    }
    json_t *root = recording_encode(r);
    char *text = json_dumps(root, 0);
    assert(is_clean(r->recorded) && is_clean(r->made_by) && r->method >= 0);
    int rc = recording_decode(&again, text, strlen(text), "again.json", &err);
    assert(rc == 0 && again->n_items == r->n_items);
    recording_free(again);
    recording_free(r);
    free(text);
    json_decref(root);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (size == 0)
        return 0;
    const char *bytes = (const char *)data + 1;
    struct client *c = client_of_none(data[0] & 1);
    struct evidence *e = evidence_new("timing", "live", "fuzz");
    hear_all(c, bytes, size - 1);
    take_events(c, e);
    assert(!c->dead || (*c->lost && is_clean(c->lost)));
    store_evidence(e);
    evidence_free(e);
    client_free(c);
    read_recording(bytes, size - 1);
    return 0;
}
