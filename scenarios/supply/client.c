#include "scenarios/supply/client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/wire/os.h"
#include "kernels/wire/text.h"
#include "scenarios/supply/client_inside.h"
#include "scenarios/supply/front.h"

enum {
    HELLO_MS = 10000,
    HELLO_FAR_MS = 60000, /* without a sign of life; ssh and Slurm may take their time */
    SILENT_MS = 10000,
    REAP_MS = 1000,
    REAP_FAR_MS = 5000,
    READS_A_STEP = 16,
    TICK_MS = 20,
};

/* ---- the end of a command ---- */

void client_set_clock(struct client *c, int64_t (*clock)(void))
{
    c->clock = clock;
}

void client_stop(struct client *c)
{
    client_lose(c, "called off");
}

static void lose_ended(struct client *c, bool known, int status)
{
    char why[sizeof((struct client_event *)0)->say];
    struct front_end end = {.command = c->command,
                            .log = gather_text(&c->log),
                            .answered = c->hello,
                            .known = known,
                            .status = status};
    front_explain(why, sizeof why, &end);
    client_lose(c, why);
}

static void read_log(struct client *c);

/* After its stdout ended, the command gets a moment to leave with a status that says why. */
static void check_ended(struct client *c)
{
    int status = 0;
    if (c->dead || !c->ended_ms)
        return;
    bool known = process_ended(&c->process, &status);
    read_log(c); /* its last words */
    if (known || c->clock() - c->ended_ms >= (front_is_far(c->command) ? REAP_FAR_MS : REAP_MS))
        lose_ended(c, known, status);
}

/* ---- starting ---- */

static void send_open(struct client *c)
{
    unsigned char random[16];
    os_random(random, sizeof random);
    for (size_t i = 0; i < sizeof random; i++)
        snprintf(c->nonce + 2 * i, 3, "%02x", random[i]);
    json_t *msg = json_pack("{s:s, s:i, s:s, s:s}", "type", "open", "protocol", PROTOCOL_VERSION,
                            "client", "warpdrill " WARPDRILL_VERSION, "nonce", c->nonce);
    frame_writer_put(c->writer, msg, NULL);
    json_decref(msg);
}

static void forget_requests(struct client *c)
{
    while (c->waiting) {
        struct request *r = c->waiting;
        c->waiting = r->next;
        json_decref(r->msg);
        free(r);
    }
    c->last_waiting = &c->waiting;
}

/* As new, for `process`; what was heard and asked before is over. */
static void begin(struct client *c, struct process process)
{
    c->process = process;
    frame_reader_free(c->reader);
    frame_writer_free(c->writer);
    c->reader = frame_reader_new();
    c->writer = frame_writer_new();
    c->hello = c->dead = false;
    c->lost[0] = '\0';
    c->ended_ms = c->queued_ms = c->open = c->proof = 0;
    json_decref(c->can);
    c->can = NULL;
    c->runner[0] = '\0';
    c->method = 0;
    c->greeting.len = c->log.len = 0;
    if (c->log.text)
        c->log.text[0] = '\0';
    if (c->greeting.text)
        c->greeting.text[0] = '\0';
    forget_requests(c);
    c->bounds = (struct client_bounds){.until_ms = 0};
    c->heard_ms = c->begun_ms = c->clock();
    send_open(c);
}

int client_open(struct client **out, const char *command, struct err *err)
{
    struct process process;
    int rc = process_start(&process, command, err);
    if (rc)
        return rc;
    struct client *c = mem_new(1, sizeof *c);
    *c = (struct client){.command = text_dup(command), .next_id = 1, .clock = os_monotonic_ms};
    c->greeting.limit = GREETING_MAX;
    c->log.limit = LOG_MAX;
    c->last_event = &c->events;
    begin(c, process);
    *out = c;
    return 0;
}

static void expect(struct client *c, const struct msg_device *same, struct err *err)
{
    snprintf(c->same.name, sizeof c->same.name, "%s", same->name);
    c->same.compute = c->same.sm_count = 0;
    msg_device_number(same, "compute", &c->same.compute);
    msg_device_number(same, "sm_count", &c->same.sm_count);
    c->proof = client_describe(c, "none", err);
}

int client_again(struct client *c, const char *command, const struct msg_device *same,
                 struct err *err)
{
    struct process process;
    int rc = process_start(&process, command ? command : c->command, err);
    if (rc)
        return rc;
    char *kept = text_dup(command ? command : c->command);
    free(c->command);
    c->command = kept;
    client_lose(c, "started again");
    process_finish(&c->before,
                   true); /* only the one before the last can still be there: seconds have passed */
    c->before = c->process;
    begin(c, process);
    if (same)
        expect(c, same, err);
    return 0;
}

void client_free(struct client *c)
{
    if (!c)
        return;
    process_finish(&c->before, true);
    process_finish(&c->process, !c->hello);
    forget_requests(c);
    struct client_event e;
    while (client_event(c, &e))
        continue;
    frame_reader_free(c->reader);
    frame_writer_free(c->writer);
    json_decref(c->can);
    free(c->greeting.text);
    free(c->log.text);
    free(c->command);
    free(c);
}

/* ---- reading ---- */

static void read_messages(struct client *c)
{
    struct err err = {0};
    char *line;
    size_t len;
    for (int i = 0; i < READS_A_STEP && !c->dead && c->process.out >= 0; i++) {
        int got = frame_reader_fill(c->reader, c->process.out, &err);
        if (got == 0)
            break;
        if (got > 0)
            c->heard_ms = c->clock();
        int rc = 0;
        while (!c->dead && (rc = frame_reader_next(c->reader, &line, &len, &err)) > 0)
            client_hear(c, line, len);
        if (rc < 0)
            client_garbled(c, &err);
        if (got < 0 && !c->dead) {
            c->ended_ms = c->clock();
            process_close_fd(&c->process.out);
        }
    }
}

static void read_log(struct client *c)
{
    char bytes[4096];
    for (int i = 0; i < READS_A_STEP && c->process.log >= 0; i++) {
        ssize_t n = read(c->process.log, bytes, sizeof bytes);
        if (n < 0 && errno != EINTR)
            break;
        if (n == 0)
            process_close_fd(&c->process.log);
        if (n <= 0)
            continue;
        gather_add(&c->log, bytes, (size_t)n);
        c->heard_ms = c->clock();
        client_hear_log(c, true);
    }
}

/* ---- what we say ---- */

static void send_one(struct client *c, const struct request *r)
{
    frame_writer_put(c->writer, r->msg, NULL); /* its size was tried when it was queued */
    if (r->ahead)
        return;
    c->open = r->id;
    bounds_begin(&c->bounds, r->msg, c->clock());
    c->heard_ms = c->clock();
}

static void send_next(struct client *c)
{
    struct request *r;
    while (c->hello && !c->dead && (r = c->waiting) && (!c->open || r->ahead)) {
        c->waiting = r->next;
        if (!c->waiting)
            c->last_waiting = &c->waiting;
        send_one(c, r);
        json_decref(r->msg);
        free(r);
    }
}

static void write_messages(struct client *c)
{
    if (c->dead || c->process.in < 0)
        return;
    send_next(c);
    if (frame_writer_flush(c->writer, c->process.in, NULL) < 0)
        process_close_fd(
            &c->process.in); /* what it still says, and its status, explain more than EPIPE does */
}

static int64_t silence_allowed(const struct client *c)
{
    if (!c->hello)
        return c->queued_ms ? -1 : front_is_far(c->command) ? HELLO_FAR_MS : HELLO_MS;
    return c->open ? SILENT_MS : -1;
}

static void check_silence(struct client *c)
{
    char why[256];
    int64_t allowed = silence_allowed(c);
    if (c->dead || c->ended_ms || allowed < 0 || c->clock() - c->heard_ms < allowed)
        return;
    if (c->hello)
        snprintf(why, sizeof why,
                 "nothing was heard of the runner for %d seconds: the link or the machine is gone",
                 SILENT_MS / 1000);
    else
        snprintf(why, sizeof why,
                 "'%.80s' did not answer within %d seconds; is it warpdrill-runner? Try it in a "
                 "shell.",
                 c->command, (int)(allowed / 1000));
    client_lose(c, why);
}

/* A runner that goes on and on is heard, and yet never done. */
static void check_time(struct client *c)
{
    struct err err = {0};
    char why[160];
    if (c->dead || c->ended_ms)
        return;
    if (c->queued_ms)
        c->begun_ms = c->clock();
    if (bounds_time(&c->bounds, c->clock(), &err))
        client_lose(c, err.text);
    if (c->hello || c->dead || c->clock() - c->begun_ms < BOUNDS_GREETING_MS)
        return;
    snprintf(why, sizeof why,
             "'%.80s' did not answer within %d minutes; is it warpdrill-runner? Try it in a shell.",
             c->command, BOUNDS_GREETING_MS / 60000);
    client_lose(c, why);
}

void client_step(struct client *c)
{
    process_leave(&c->before, true);
    if (c->dead) {
        process_leave(&c->process, true);
        return;
    }
    read_log(c);
    client_hear_log(c, false);
    read_messages(c);
    check_ended(c);
    check_silence(c);
    check_time(c);
    write_messages(c);
}

static int64_t sooner(int64_t a, int64_t b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

int client_timeout_ms(const struct client *c)
{
    if (c->events)
        return 0;
    bool leaving = c->before.pid > 0 || (c->dead && c->process.pid > 0);
    if (leaving || (c->ended_ms && !c->dead))
        return TICK_MS;
    if (c->dead)
        return -1;
    int64_t now = c->clock(), allowed = silence_allowed(c);
    if (c->hello && !c->open && c->waiting)
        return 0;
    int64_t left =
        sooner(allowed < 0 ? -1 : c->heard_ms + allowed, c->queued_ms ? c->told_ms + 1000 : -1);
    if (c->bounds.until_ms)
        left = sooner(left, c->bounds.until_ms);
    return left < 0 ? -1 : left < now ? 0 : (int)(left - now);
}

int client_fds(const struct client *c, struct pollfd *fds, int max)
{
    int n = 0;
    if (c->process.out >= 0 && n < max)
        fds[n++] = (struct pollfd){.fd = c->process.out, .events = POLLIN};
    if (c->process.log >= 0 && n < max)
        fds[n++] = (struct pollfd){.fd = c->process.log, .events = POLLIN};
    if (c->process.in >= 0 && frame_writer_pending(c->writer) && n < max)
        fds[n++] = (struct pollfd){.fd = c->process.in, .events = POLLOUT};
    return n;
}

/* ---- requests ---- */

static int64_t queue_request(struct client *c, json_t *msg, bool ahead, struct err *err)
{
    struct frame_writer *trial = frame_writer_new();
    int rc = c->dead ? err_set(err, ERR_LOST, "%s", c->lost) : frame_writer_put(trial, msg, err);
    frame_writer_free(trial);
    if (rc) {
        json_decref(msg);
        return rc;
    }
    struct request *r = mem_new(1, sizeof *r);
    *r = (struct request){.id = c->next_id++, .msg = msg, .ahead = ahead};
    *c->last_waiting = r;
    c->last_waiting = &r->next;
    return r->id;
}

static int64_t queue(struct client *c, json_t *msg, struct err *err)
{
    return queue_request(c, msg, false, err);
}

int64_t client_describe(struct client *c, const char *ceilings, struct err *err)
{
    return queue(c,
                 json_pack("{s:s, s:I, s:s}", "type", "describe", "id", (json_int_t)c->next_id,
                           "ceilings", ceilings),
                 err);
}

int64_t client_measure(struct client *c, struct msg_measure *m, struct err *err)
{
    m->id = c->next_id;
    return queue(c, msg_measure_encode(m), err);
}

void client_ahead(struct client *c, struct msg_measure *m)
{
    struct err why = {0};
    if (!client_can(c, "ahead"))
        return;
    m->id = c->next_id;
    json_t *msg = msg_measure_encode(m);
    json_object_set_new(msg, "type", json_string("ahead"));
    queue_request(c, msg, true, &why);
}

int64_t client_compile(struct client *c, struct msg_compile *m, struct err *err)
{
    m->id = c->next_id;
    return queue(c, msg_compile_encode(m), err);
}

int64_t client_links(struct client *c, int gpus, bool measure, struct err *err)
{
    struct msg_ask_links ask = {c->next_id, LINKS_DEADLINE_MS, gpus, measure};
    return queue(c, msg_ask_links_encode(&ask), err);
}

static bool cancel_waiting(struct client *c, int64_t id)
{
    for (struct request **at = &c->waiting; *at; at = &(*at)->next) {
        struct request *r = *at;
        if (r->id != id)
            continue;
        *at = r->next;
        if (!r->next)
            c->last_waiting = at;
        json_decref(r->msg);
        free(r);
        struct note *n = note_new(c, CLIENT_DONE, id);
        n->done = mem_new(1, sizeof *n->done);
        *n->done = (struct msg_done){.id = id,
                                     .has_id = true,
                                     .status = DONE_CANCELLED,
                                     .code = ERR_CANCELLED};
        n->e.done = n->done;
        return true;
    }
    return false;
}

void client_cancel(struct client *c, int64_t id)
{
    bool waited = cancel_waiting(c, id),
         idle = !c->waiting || (c->waiting->id == c->proof && !c->waiting->next);
    if (waited && idle && c->proof && !c->hello)
        client_stop(c); /* it was connecting for this alone: leave the queue */
    if (waited || id != c->open || c->dead)
        return;
    json_t *msg = json_pack("{s:s, s:I}", "type", "cancel", "id", (json_int_t)id);
    frame_writer_put(c->writer, msg, NULL);
    json_decref(msg);
}

bool client_alive(const struct client *c)
{
    return !c->dead;
}

const char *client_lost(const struct client *c)
{
    return c->lost;
}

bool client_can(const struct client *c, const char *probe)
{
    size_t i;
    json_t *one;
    json_array_foreach(c->can, i, one)
        if (json_is_string(one) && !strcmp(json_string_value(one), probe))
            return true;
    return false;
}

const char *client_runner(const struct client *c)
{
    return c->runner;
}

int client_method(const struct client *c)
{
    return c->method;
}

const char *client_greeting(const struct client *c)
{
    return gather_text(&c->greeting);
}

const char *client_log(const struct client *c)
{
    return gather_text(&c->log);
}
