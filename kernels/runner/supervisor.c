#include "kernels/runner/supervisor.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/runner/given.h"
#include "kernels/runner/job.h"
#include "kernels/runner/walls.h"
#include "kernels/wire/fields.h"
#include "kernels/wire/frame.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"
#include "kernels/wire/token.h"

/* ---- requests ---- */

/* The id that an answer can be addressed to: -1 when the message has none that can be used. */
static int64_t id_of(const json_t *msg)
{
    const json_t *id = json_object_get(msg, "id");
    json_int_t n = json_integer_value(id);
    return json_is_integer(id) && n >= 1 && n < FIELDS_WHOLE_MAX ? n : -1;
}

static void refuse(struct supervisor *s, const json_t *msg, const struct err *err)
{
    client_refuse(s->client, id_of(msg), err->code, "%s", err->text);
}

static json_t *limits(void)
{
    return json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "line",
                     (int)FRAME_MAX, "sources", CAP_SOURCES, "source", CAP_SOURCE_BYTES, "buffers",
                     CAP_BUFFERS, "launches", CAP_LAUNCHES, "args", CAP_ARGS, "variants",
                     CAP_VARIANTS, "items", CAP_ITEMS, "numbers", CAP_NUMBERS, "log", CAP_LOG_BYTES,
                     "deadline_ms", CAP_DEADLINE_MAX_MS);
}

static void say_hello(struct supervisor *s, const char *nonce)
{
    json_t *can = json_array();
    for (int p = 0; p < PROBE_COUNT; p++)
        json_array_append_new(can, json_string(wire_probe_name(p)));
    json_array_append_new(can, json_string("compile"));
    json_array_append_new(can, json_string("links"));
    json_array_append_new(can, json_string("ahead"));
    client_send(s->client,
                json_pack("{s:s, s:i, s:s, s:s, s:i, s:o, s:o}", "type", "hello", "protocol",
                          PROTOCOL_VERSION, "nonce", nonce, "runner", WARPDRILL_VERSION, "method",
                          METHOD_VERSION, "can", can, "limits", limits()));
}

/* The version is looked at before anything else: a newer open may have other keys. */
static void handle_open(struct supervisor *s, const json_t *msg)
{
    struct err err = {0};
    struct fields_state state = {.err = &err};
    struct fields f = fields_open(&state, msg);
    char nonce[129], client[129];
    int64_t theirs = fields_whole(&f, "protocol", 0, FIELDS_WHOLE_MAX - 1);
    if (!state.code && theirs != PROTOCOL_VERSION) {
        client_refuse(s->client, id_of(msg), ERR_VERSION,
                      "the client speaks protocol %lld, this runner (%s) protocol %d",
                      (long long)theirs, WARPDRILL_VERSION, PROTOCOL_VERSION);
        return;
    }
    fields_only(&f, "type protocol client nonce");
    fields_text(&f, "client", client, sizeof client);
    fields_text(&f, "nonce", nonce, sizeof nonce);
    if (!state.code && s->opened)
        fields_fail(&f, NULL, ERR_BAD_REQUEST, "opens a conversation that is open");
    if (state.code) {
        refuse(s, msg, &err);
        return;
    }
    s->opened = true;
    say_hello(s, nonce);
}

static bool is_busy(struct supervisor *s, const json_t *msg)
{
    if (s->job.open)
        client_refuse(s->client, id_of(msg), ERR_BUSY, "request %lld is still open",
                      (long long)s->job.id);
    return s->job.open;
}

static bool is_wedged(const struct supervisor *s, struct err *err)
{
    if (s->wedged)
        err_set(err, ERR_WEDGED,
                "the GPU is stuck in an old measurement; ask to describe it first");
    return s->wedged;
}

static void handle_describe(struct supervisor *s, json_t *msg)
{
    static const char *const ceilings[] = {"cached", "measure", "none"};
    struct err err = {0};
    struct fields_state state = {.err = &err};
    struct fields f = fields_open(&state, msg);
    fields_only(&f, "type id ceilings");
    fields_whole(&f, "id", 1, FIELDS_WHOLE_MAX - 1);
    if (fields_has(&f, "ceilings"))
        fields_choice(&f, "ceilings", ceilings, 3);
    if (state.code)
        refuse(s, msg, &err);
    else if (!is_busy(s, msg))
        job_begin(s, json_incref(msg), NULL);
}

/* Texts that are compiled. */
static int scan_sources(const struct msg_source *sources, int n, struct err *err)
{
    for (int i = 0; i < n; i++) {
        struct token_text t;
        struct err why = {0};
        if (sources[i].image.ptx)
            continue;
        int rc = token_scan(&t, sources[i].text, strlen(sources[i].text), &why);
        token_free(&t);
        if (rc)
            return err_set(err, rc, "%s: %s", sources[i].name, why.text);
    }
    return 0;
}

/* *m holds what was read, also where it is refused. */
static int read_measure(struct msg_measure *m, const json_t *msg, struct err *err)
{
    int rc = msg_measure_decode(m, msg, err);
    if (!rc)
        rc = scan_sources(m->sources, m->n_sources, err);
    return rc ? rc : given_check(m, err);
}

static void handle_measure(struct supervisor *s, json_t *msg)
{
    struct msg_measure m = {0};
    struct err err = {0};
    if (is_busy(s, msg))
        return;
    if (!is_wedged(s, &err) && read_measure(&m, msg, &err) == 0) {
        job_begin(s, json_incref(msg), &m);
        return;
    }
    refuse(s, msg, &err);
    msg_measure_free(&m);
}

/* It has no answer: what is wrong with it is told when it is asked for. */
static void handle_ahead(struct supervisor *s, json_t *msg)
{
    struct msg_measure m = {0};
    struct err err = {0};
    if (read_measure(&m, msg, &err) == 0)
        job_foresee(s, &m);
    else
        msg_measure_free(&m);
}

static void handle_links(struct supervisor *s, json_t *msg)
{
    struct msg_ask_links m;
    struct err err = {0};
    if (is_busy(s, msg))
        return;
    if (!is_wedged(s, &err) && msg_ask_links_decode(&m, msg, &err) == 0) {
        job_begin_links(s, json_incref(msg), &m);
        return;
    }
    refuse(s, msg, &err);
}

/* Also where the GPU is stuck or there is none: nothing but the compiler is asked. */
static void handle_compile(struct supervisor *s, json_t *msg)
{
    struct msg_compile m = {0};
    struct err err = {0};
    if (is_busy(s, msg))
        return;
    if (msg_compile_decode(&m, msg, &err) == 0 && scan_sources(m.sources, m.n_sources, &err) == 0) {
        job_begin_compile(s, json_incref(msg), &m);
        return;
    }
    refuse(s, msg, &err);
    msg_compile_free(&m);
}

static void handle_cancel(struct supervisor *s, const json_t *msg)
{
    struct err err = {0};
    struct fields_state state = {.err = &err};
    struct fields f = fields_open(&state, msg);
    fields_only(&f, "type id");
    int64_t id = fields_whole(&f, "id", 1, FIELDS_WHOLE_MAX - 1);
    if (state.code) /* not with the id: that request's done is still to come */
        client_refuse(s->client, -1, err.code, "%s", err.text);
    else if (s->job.open && s->job.id == id)
        job_cancel(s);
}

static void handle_message(struct supervisor *s, json_t *msg)
{
    const char *type = json_string_value(json_object_get(msg, "type"));
    if (type && !strcmp(type, "open"))
        handle_open(s, msg);
    else if (!s->opened)
        client_refuse(s->client, id_of(msg), ERR_VERSION,
                      "the first message must be open, with a protocol version; this runner (%s) "
                      "speaks protocol %d",
                      WARPDRILL_VERSION, PROTOCOL_VERSION);
    else if (type && !strcmp(type, "describe"))
        handle_describe(s, msg);
    else if (type && !strcmp(type, "measure"))
        handle_measure(s, msg);
    else if (type && !strcmp(type, "ahead"))
        handle_ahead(s, msg);
    else if (type && !strcmp(type, "compile"))
        handle_compile(s, msg);
    else if (type && !strcmp(type, "links"))
        handle_links(s, msg);
    else if (type && !strcmp(type, "cancel"))
        handle_cancel(s, msg);
    else
        client_refuse(s->client, id_of(msg), ERR_BAD_REQUEST, "unknown type of message \"%.64s\"",
                      type ? type : "");
}

static void read_client(struct supervisor *s)
{
    struct err err = {0};
    char *line;
    size_t len;
    int rc;
    if (client_fill(s->client, &err) < 0)
        s->leaving = true;
    while ((rc = client_next(s->client, &line, &len, &err)) != 0) {
        json_t *msg = NULL;
        if (rc == 1 && len == 0)
            continue;
        if (rc < 0 || frame_parse(&msg, line, len, &err))
            client_refuse(s->client, -1, err.code, "%s", err.text);
        else
            handle_message(s, msg);
        json_decref(msg);
    }
}

/* ---- children ---- */

static void read_child(struct supervisor *s, struct child *c,
                       void (*hear)(struct supervisor *, const struct ipc_message *))
{
    struct ipc_message m;
    int rc = 0;
    while (c->ipc && (rc = ipc_try(c->ipc, &m, NULL)) == 1) {
        hear(s, &m);
        ipc_message_free(&m);
    }
    if (c->ipc && rc < 0) { /* its exit status follows, unless it only closed the channel */
        ipc_free(c->ipc);
        c->ipc = NULL;
        if (!c->kill_at && !c->killed_at)
            c->kill_at = os_monotonic_ms() + 200;
    }
}

static void describe_end(char *out, size_t size, int status)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        snprintf(out, size, "ran out of its time");
    else if (WIFSIGNALED(status))
        snprintf(out, size, "was ended by signal %d (%s)", WTERMSIG(status),
                 strsignal(WTERMSIG(status)));
    else
        snprintf(out, size, "left with status %d", WEXITSTATUS(status));
}

/* What libraries print before they give up; the rest is told by walls.c. */
static bool ran_out_of_memory(const struct captured *said, int status)
{
    bool words =
        said->text && (strstr(said->text, "out of memory") || strstr(said->text, "bad_alloc"));
    return (WIFEXITED(status) && WEXITSTATUS(status) == COMPILER_NO_MEMORY) ||
           (words && status != 0);
}

static void reap(struct supervisor *s)
{
    int status;
    pid_t pid;
    char how[96];
    while ((pid = waitpid(-1, &status, WNOHANG)) > 0) {
        describe_end(how, sizeof how, status);
        if (pid == s->worker.pid) { /* its last words first */
            read_child(s, &s->worker, job_hear_worker);
            child_drain(&s->worker, &s->captured);
            job_worker_gone(s, how);
        } else if (pid == s->compiler.pid) {
            read_child(s, &s->compiler, job_hear_compiler);
            child_drain(&s->compiler, &s->captured);
            bool no_memory = ran_out_of_memory(&s->captured, status);
            if (no_memory)
                snprintf(how, sizeof how, "ran out of its %.3g GiB of memory",
                         walls_compiler_memory());
            job_compiler_gone(s, how, no_memory);
        }
    }
}

static void read_signals(struct supervisor *s)
{
    int signo;
    while ((signo = os_signal_read(s->signals)) != 0)
        if (signo != SIGCHLD)
            s->leaving = true;
    reap(s);
}

/* ---- the loop ---- */

enum {
    AT_SIGNALS,
    AT_IN,
    AT_OUT,
    AT_WORKER,
    AT_WORKER_PRINT,
    AT_COMPILER,
    AT_COMPILER_PRINT,
    AT_COUNT
};

static struct pollfd watch(int fd, bool read, bool write)
{
    return (struct pollfd){.fd = fd,
                           .events = (short)((read ? POLLIN : 0) | (write ? POLLOUT : 0))};
}

static struct pollfd watch_ipc(const struct child *c, bool read)
{
    return c->ipc ? watch(ipc_fd(c->ipc), read, ipc_pending(c->ipc) > 0) : watch(-1, false, false);
}

/* A client that does not read is not given more: neither is it heard nor the worker. */
static void prepare(const struct supervisor *s, struct pollfd p[AT_COUNT])
{
    bool room = !client_is_full(s->client);
    p[AT_SIGNALS] = watch(s->signals, true, false);
    p[AT_IN] = watch(s->in, room, false);
    p[AT_OUT] = watch(s->out, false, client_pending(s->client) > 0);
    p[AT_WORKER] = watch_ipc(&s->worker, room);
    p[AT_WORKER_PRINT] = watch(s->worker.pid ? s->worker.printed : -1, true, false);
    p[AT_COMPILER] = watch_ipc(&s->compiler, true);
    p[AT_COMPILER_PRINT] = watch(s->compiler.pid ? s->compiler.printed : -1, true, false);
}

/* Children's own failures show when their channel is read, so those of writing are not looked at.
 */
static void act(struct supervisor *s, const struct pollfd p[AT_COUNT])
{
    if (p[AT_SIGNALS].revents)
        read_signals(s);
    if (p[AT_WORKER_PRINT].revents)
        child_drain(&s->worker, &s->captured);
    if (p[AT_COMPILER_PRINT].revents)
        child_drain(&s->compiler, &s->captured);
    if (p[AT_WORKER].revents & (POLLIN | POLLHUP | POLLERR))
        read_child(s, &s->worker, job_hear_worker);
    if (p[AT_COMPILER].revents & (POLLIN | POLLHUP | POLLERR))
        read_child(s, &s->compiler, job_hear_compiler);
    if (p[AT_IN].revents & POLLIN)
        read_client(s);
    else if (p[AT_IN].revents)
        s->leaving = true;
    if (p[AT_OUT].revents & (POLLERR | POLLHUP | POLLNVAL))
        s->leaving = true;
}

static void send_all(struct supervisor *s)
{
    if (s->worker.ipc)
        ipc_flush(s->worker.ipc, NULL);
    if (s->compiler.ipc)
        ipc_flush(s->compiler.ipc, NULL);
    if (client_flush(s->client) < 0)
        s->leaving = true;
}

static int64_t tick(struct supervisor *s, int64_t now)
{
    int64_t a = job_tick(s, now), b = client_tick(s->client, now);
    return a < b ? a : b;
}

static void serve(struct supervisor *s)
{
    struct pollfd p[AT_COUNT];
    while (!s->leaving) {
        int64_t now = os_monotonic_ms(), next = tick(s, now);
        send_all(s);
        prepare(s, p);
        int64_t wait = next == INT64_MAX ? -1 : next - now;
        int n = poll(p, AT_COUNT, wait > 60000 ? 60000 : (int)wait);
        if (n > 0)
            act(s, p);
        else if (n < 0 && errno != EINTR)
            s->leaving = true;
    }
}

/* Both groups are killed; what cannot die now will once the kernel lets it. */
static void leave(struct supervisor *s)
{
    int64_t start = os_monotonic_ms(), now = start;
    client_flush(s->client);
    child_kill(&s->worker, start);
    child_kill(&s->compiler, start);
    while ((s->worker.pid || s->compiler.pid) && now - start < 500) {
        struct pollfd p = watch(s->signals, true, false);
        pid_t pid;
        poll(&p, 1, 50);
        while (os_signal_read(s->signals) != 0)
            continue;
        while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
            child_forget(pid == s->worker.pid ? &s->worker : &s->compiler);
        now = os_monotonic_ms();
    }
}

static int64_t idle_limit(void)
{
    const char *given = getenv("WARPDRILL_IDLE_MS");
    long ms = given ? strtol(given, NULL, 10) : 0;
    return ms > 0 ? ms : WORKER_IDLE_MS;
}

static int open_signals(struct err *err)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGCHLD);
    sigaddset(&set, SIGHUP);
    sigaddset(&set, SIGINT);
    sigaddset(&set, SIGTERM);
    signal(SIGPIPE, SIG_IGN);
    return os_signal_open(&set, err);
}

int supervisor_run(const char *program, int in, int out)
{
    struct err err = {0};
    struct supervisor s = {.program = program, .in = in, .out = out, .idle_ms = idle_limit()};
    s.worker.printed = s.compiler.printed = -1;
    s.signals = open_signals(&err);
    if (s.signals < 0) {
        fprintf(stderr, "warpdrill-runner: %s\n", err.text);
        return EXIT_FAILURE;
    }
    s.client = client_new(in, out);
    serve(&s);
    leave(&s);
    client_free(s.client);
    os_signal_close(s.signals);
    job_forget_ahead(&s);
    build_plan_free(&s.job.plan);
    msg_measure_free(&s.job.measure);
    msg_compile_free(&s.job.compile);
    json_decref(s.job.message);
    json_decref(s.job.rest);
    json_decref(s.archs);
    json_decref(s.compiler_walls);
    json_decref(s.worker_walls);
    free(s.captured.text);
    json_decref(s.no_nvrtc);
    return EXIT_SUCCESS;
}
