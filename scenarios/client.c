#include "scenarios/client.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "kernels/wire/frame.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"
#include "scenarios/process.h"
#include "scenarios/gather.h"

enum {
    HELLO_MS = 10000, HELLO_FAR_MS = 60000, /* without a sign of life; ssh and Slurm may take their time */
    SILENT_MS = 10000, FAREWELL_MS = 2000, REAP_MS = 1000,
    GREETING_MAX = 64 * 1024, LOG_MAX = 64 * 1024, READS_A_STEP = 16,
};

struct request { int64_t id; json_t *msg; struct request *next; };
struct note { struct client_event e; struct msg_device *device; struct msg_part *part; struct msg_done *done; struct note *next; };

struct client {
    char *command;
    struct process process;
    struct frame_reader *reader;
    struct frame_writer *writer;
    char nonce[33];
    bool hello, dead, patient;         /* patient: the command said that it waits in a queue */
    int64_t heard_ms, ended_ms;        /* last sign of life; when stdout ended (0: it has not) */
    json_t *can;
    char runner[48];
    int method;
    struct gather greeting, log;
    struct request *waiting, **last_waiting;
    int64_t open, next_id;             /* request now running, 0: none */
    struct note *events, **last_event, *current;
};

/* ---- events ---- */

static struct note *note_new(struct client *c, enum client_kind kind, int64_t id)
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
    free(n->device);
    free(n->part);
    free(n->done);
    free(n);
}

static void note_say(struct note *n, const char *say)
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

/* ---- the end of a command ---- */

static void lose(struct client *c, const char *why)
{
    if (c->dead)
        return;
    c->dead = true;
    c->open = 0;
    process_close(&c->process);
    note_say(note_new(c, CLIENT_LOST, 0), why);
}

static bool starts_with_word(const char *command, const char *word)
{
    size_t n = strlen(word);
    while (*command == ' ')
        command++;
    return !strncmp(command, word, n) && (command[n] == ' ' || command[n] == '\0');
}

static bool is_far(const char *command)
{
    return starts_with_word(command, "ssh") || starts_with_word(command, "srun") || starts_with_word(command, "salloc");
}

static void lose_ended(struct client *c, bool known, int status)
{
    char line[120], why[256];
    gather_last_line(&c->log, line, sizeof line);
    const char *sep = *line ? ": " : "";
    if (known && status == 127)
        snprintf(why, sizeof why, "'%.60s' was not found; is it on the PATH there?%s%s", c->command, *line ? " It said: " : "", line);
    else if (known && status == 126)
        snprintf(why, sizeof why, "'%.60s' is there but cannot be run%s%s", c->command, sep, line);
    else if (known && status == 255 && starts_with_word(c->command, "ssh"))
        snprintf(why, sizeof why, "ssh could not connect%s%s. Try the same command in a shell.", sep, line);
    else if (known && status > 128)
        snprintf(why, sizeof why, "the runner was ended by signal %d%s%s", status - 128, sep, line);
    else if (known && status)
        snprintf(why, sizeof why, "the runner ended with status %d%s%s", status, sep, line);
    else
        snprintf(why, sizeof why, "the runner closed the connection%s%s", sep, line);
    lose(c, why);
}

/* After its stdout ended, the command gets a moment to leave with a status that says why. */
static void check_ended(struct client *c)
{
    int status = 0;
    if (c->dead || !c->ended_ms)
        return;
    bool known = process_ended(&c->process, &status);
    if (known || os_monotonic_ms() - c->ended_ms >= REAP_MS)
        lose_ended(c, known, status);
}

/* ---- starting ---- */

static void send_open(struct client *c)
{
    unsigned char random[16];
    os_random(random, sizeof random);
    for (size_t i = 0; i < sizeof random; i++)
        snprintf(c->nonce + 2 * i, 3, "%02x", random[i]);
    json_t *msg = json_pack("{s:s, s:i, s:s, s:s}", "type", "open", "protocol", PROTOCOL_VERSION, "client", "warpdrill " WARPDRILL_VERSION, "nonce", c->nonce);
    frame_writer_put(c->writer, msg, NULL);
    json_decref(msg);
}

int client_open(struct client **out, const char *command, struct err *err)
{
    struct process process;
    int rc = process_start(&process, command, err);
    if (rc)
        return rc;
    struct client *c = mem_new(1, sizeof *c);
    *c = (struct client){.command = text_dup(command), .process = process, .next_id = 1};
    c->reader = frame_reader_new();
    c->writer = frame_writer_new();
    c->greeting.limit = GREETING_MAX;
    c->log.limit = LOG_MAX;
    c->last_waiting = &c->waiting;
    c->last_event = &c->events;
    c->heard_ms = os_monotonic_ms();
    send_open(c);
    *out = c;
    return 0;
}

void client_free(struct client *c)
{
    if (!c)
        return;
    process_finish(&c->process, FAREWELL_MS);
    while (c->waiting) {
        struct request *r = c->waiting;
        c->waiting = r->next;
        json_decref(r->msg);
        free(r);
    }
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

/* ---- what the runner says ---- */

static const char *string_at(const json_t *msg, const char *key)
{
    const char *s = json_string_value(json_object_get(msg, key));
    return s ? s : "";
}

static void refuse_version(struct client *c, const json_t *msg)
{
    char why[256];
    snprintf(why, sizeof why, "the runner speaks protocol %lld, this program %d; install the same version of both",
             (long long)json_integer_value(json_object_get(msg, "protocol")), PROTOCOL_VERSION);
    lose(c, why);
}

static void take_hello(struct client *c, const json_t *msg)
{
    if (json_integer_value(json_object_get(msg, "protocol")) != PROTOCOL_VERSION) {
        refuse_version(c, msg);
        return;
    }
    c->hello = true;
    c->can = json_incref(json_object_get(msg, "can"));
    c->method = (int)json_integer_value(json_object_get(msg, "method"));
    snprintf(c->runner, sizeof c->runner, "%s", string_at(msg, "runner"));
    text_clean(c->runner, strlen(c->runner));
}

/* Before the hello that echoes our nonce everything else is a shell's greeting. */
static void take_early_line(struct client *c, const char *line, size_t len)
{
    json_t *msg = NULL;
    const char *type = frame_parse(&msg, line, len, NULL) ? "" : string_at(msg, "type");
    if (!strcmp(type, "hello") && !strcmp(string_at(msg, "nonce"), c->nonce)) {
        take_hello(c, msg);
    } else if (!strcmp(type, "done") && !strcmp(string_at(json_object_get(msg, "error"), "code"), "version")) {
        lose(c, *string_at(json_object_get(msg, "error"), "text") ? string_at(json_object_get(msg, "error"), "text")
                                                                  : "the runner is of another version; install the same version of both");
    } else if (c->greeting.len + len + 1 > GREETING_MAX) {
        lose(c, "64 KiB of text came before the runner's greeting; does a shell start-up file print without end?");
    } else {
        gather_add(&c->greeting, line, len);
        gather_add(&c->greeting, "\n", 1);
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
    n->e.at = (int)json_integer_value(json_object_get(msg, "at"));
    n->e.of = (int)json_integer_value(json_object_get(msg, "of"));
}

static void garbled(struct client *c, const struct err *err)
{
    char why[256];
    snprintf(why, sizeof why, "the runner sent what is not a message: %.180s", err->text);
    lose(c, why);
}

static void take_device(struct client *c, const json_t *msg)
{
    struct err err = {0};
    struct msg_device *d = mem_new(1, sizeof *d);
    if (msg_device_decode(d, msg, &err)) {
        msg_device_free(d);
        free(d);
        garbled(c, &err);
        return;
    }
    struct note *n = note_new(c, CLIENT_DEVICE, d->id);
    n->e.device = n->device = d;
}

static void take_part(struct client *c, const json_t *msg)
{
    struct err err = {0};
    struct msg_part *p = mem_new(1, sizeof *p);
    if (msg_part_decode(p, msg, &err)) {
        msg_part_free(p);
        free(p);
        garbled(c, &err);
        return;
    }
    struct note *n = note_new(c, CLIENT_PART, p->id);
    n->e.part = n->part = p;
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
            garbled(c, &err);
        return;
    }
    struct note *n = note_new(c, CLIENT_DONE, c->open);
    d->id = c->open;
    d->has_id = true;
    note_say(n, d->text);
    n->e.done = n->done = d;
    c->open = 0;
}

static void take_line(struct client *c, const char *line, size_t len)
{
    struct err err = {0};
    json_t *msg = NULL;
    if (!c->hello) {
        take_early_line(c, line, len);
        return;
    }
    if (frame_parse(&msg, line, len, &err)) {
        garbled(c, &err);
        return;
    }
    const char *type = string_at(msg, "type");
    const json_t *id = json_object_get(msg, "id");
    bool stale = json_is_integer(id) && json_integer_value(id) != c->open; /* of a request that is over: nobody waits for it */
    if (!strcmp(type, "state"))
        take_state(c, msg);
    else if (!stale && !strcmp(type, "progress"))
        take_progress(c, msg);
    else if (!stale && !strcmp(type, "device"))
        take_device(c, msg);
    else if (!stale && !strcmp(type, "part"))
        take_part(c, msg);
    else if (!strcmp(type, "done"))
        take_done(c, msg);
    json_decref(msg);
}

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
            c->heard_ms = os_monotonic_ms();
        int rc = 0;
        while (!c->dead && (rc = frame_reader_next(c->reader, &line, &len, &err)) > 0)
            take_line(c, line, len);
        if (rc < 0)
            garbled(c, &err);
        if (got < 0 && !c->dead) {
            c->ended_ms = os_monotonic_ms();
            process_close_fd(&c->process.out);
        }
    }
}

/* Lines of stderr before the hello are what ssh and srun have to say; later ones only fill the log. */
static void tell_log_lines(struct client *c, size_t from)
{
    if (c->hello || c->dead)
        return;
    char line[200];
    gather_last_line(&c->log, line, sizeof line);
    if (strstr(c->log.text + (from < c->log.len ? from : 0), "queued"))
        c->patient = true;
    if (*line)
        note_say(note_new(c, CLIENT_STATE, 0), line);
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
        size_t before = c->log.len;
        gather_add(&c->log, bytes, (size_t)n);
        c->heard_ms = os_monotonic_ms();
        tell_log_lines(c, before);
    }
}

/* ---- what we say ---- */

static void send_next(struct client *c)
{
    struct request *r = c->waiting;
    if (!c->hello || c->open || !r || c->dead)
        return;
    c->waiting = r->next;
    if (!c->waiting)
        c->last_waiting = &c->waiting;
    frame_writer_put(c->writer, r->msg, NULL); /* its size was tried when it was queued */
    c->open = r->id;
    c->heard_ms = os_monotonic_ms();
    json_decref(r->msg);
    free(r);
}

static void write_messages(struct client *c)
{
    if (c->dead || c->process.in < 0)
        return;
    send_next(c);
    if (frame_writer_flush(c->writer, c->process.in, NULL) < 0)
        process_close_fd(&c->process.in); /* what it still says, and its status, explain more than EPIPE does */
}

static int64_t silence_allowed(const struct client *c)
{
    if (!c->hello)
        return c->patient ? -1 : is_far(c->command) ? HELLO_FAR_MS : HELLO_MS;
    return c->open ? SILENT_MS : -1;
}

static void check_silence(struct client *c)
{
    char why[256];
    int64_t allowed = silence_allowed(c);
    if (c->dead || c->ended_ms || allowed < 0 || os_monotonic_ms() - c->heard_ms < allowed)
        return;
    if (c->hello)
        snprintf(why, sizeof why, "the runner has said nothing for %d seconds: the link or the machine is gone", SILENT_MS / 1000);
    else
        snprintf(why, sizeof why, "'%.80s' did not answer within %d seconds; is it warpdrill-runner? Try it in a shell.", c->command,
                 (int)(allowed / 1000));
    lose(c, why);
}

void client_step(struct client *c)
{
    if (c->dead)
        return;
    read_log(c);
    read_messages(c);
    check_ended(c);
    check_silence(c);
    write_messages(c);
}

int client_timeout_ms(const struct client *c)
{
    if (c->events)
        return 0;
    if (c->dead)
        return -1;
    int64_t now = os_monotonic_ms(), allowed = silence_allowed(c);
    if (c->ended_ms)
        return 20;
    if (c->hello && !c->open && c->waiting)
        return 0;
    if (allowed < 0)
        return -1;
    int64_t left = c->heard_ms + allowed - now;
    return left < 0 ? 0 : (int)left;
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

static int64_t queue(struct client *c, json_t *msg, struct err *err)
{
    struct frame_writer *trial = frame_writer_new();
    int rc = c->dead ? err_set(err, ERR_LOST, "there is no runner any more") : frame_writer_put(trial, msg, err);
    frame_writer_free(trial);
    if (rc) {
        json_decref(msg);
        return rc;
    }
    struct request *r = mem_new(1, sizeof *r);
    *r = (struct request){.id = c->next_id++, .msg = msg};
    *c->last_waiting = r;
    c->last_waiting = &r->next;
    return r->id;
}

int64_t client_describe(struct client *c, const char *ceilings, struct err *err)
{
    return queue(c, json_pack("{s:s, s:I, s:s}", "type", "describe", "id", (json_int_t)c->next_id, "ceilings", ceilings), err);
}

int64_t client_measure(struct client *c, struct msg_measure *m, struct err *err)
{
    m->id = c->next_id;
    return queue(c, msg_measure_encode(m), err);
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
        *n->done = (struct msg_done){.id = id, .has_id = true, .status = DONE_CANCELLED, .code = ERR_CANCELLED};
        n->e.done = n->done;
        return true;
    }
    return false;
}

void client_cancel(struct client *c, int64_t id)
{
    if (cancel_waiting(c, id) || id != c->open || c->dead)
        return;
    json_t *msg = json_pack("{s:s, s:I}", "type", "cancel", "id", (json_int_t)id);
    frame_writer_put(c->writer, msg, NULL);
    json_decref(msg);
}

bool client_alive(const struct client *c)
{
    return !c->dead;
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
