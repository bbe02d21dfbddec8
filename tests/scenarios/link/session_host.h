/* What the tests of an interview's link share: a host, parties that behave, parties that do not. */
#ifndef WD_TESTS_SESSION_HOST_H
#define WD_TESTS_SESSION_HOST_H

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/wire/confine.h"
#include "kernels/wire/os.h"
#include "scenarios/supply/client.h"
#include "scenarios/link/session_inside.h"
#include "scenarios/interview/authorized_key.h"
#include "scenarios/link/session_link.h"
#include "tests/unit.h"

#define CODE "k7q-m3xr-dw9f"
#define WATCH "k7q-zzzz-zzzz"
enum { BOUND_MS = 20000 };

static char folder[64];
static int64_t fake_now;

static inline int64_t fake_clock(void)
{
    return fake_now;
}

static inline int admit(void *self, const char *code, bool *observer, struct err *err)
{
    ++*(int *)self;
    *observer = !strcmp(code, WATCH);
    if (!strcmp(code, "k7q-old0-old0"))
        return err_set(err, ERR_CANCELLED,
                       "That code has expired; the interviewer can make a new one.");
    return *observer || strstr(code, strchr(CODE, '-'))
               ? 0
               : err_set(err, ERR_PERMISSION, "That code lets nobody in.");
}

/* ---- a host, and what it heard ---- */

struct host { struct session_server *s; int asked; struct server_event events[20000]; int n; };

static inline void host_open(struct host *h, bool unconfined)
{
    struct server_rules rules = {.code_id = "k7q", .allow_unconfined = unconfined};
    struct err err = {0};
    h->n = h->asked = 0;
    if (session_server_open(&h->s, &rules, admit, &h->asked, &err))
        fail_msg("%s", err.text);
}

static inline struct host *host_new(bool unconfined)
{
    struct host *h = calloc(1, sizeof *h);
    assert_non_null(h);
    host_open(h, unconfined);
    return h;
}

static inline void host_step(struct host *h)
{
    session_server_step(h->s);
    while (session_server_event(h->s, &h->events[h->n]))
        assert_true(++h->n < 20000);
}

static inline void host_free(struct host *h)
{
    session_server_free(h->s);
    free(h);
}

static inline struct server_event *last_of(struct host *h, int kind)
{
    for (int i = h->n - 1; i >= 0; i--)
        if ((int)h->events[i].kind == kind)
            return &h->events[i];
    return NULL;
}

static inline int count_of(struct host *h, int kind)
{
    int n = 0;
    for (int i = 0; i < h->n; i++)
        n += (int)h->events[i].kind == kind;
    return n;
}

/* Waits until somebody has something to do, at most a moment; fails past the bound. */
static inline void pump(struct host *h, struct session_link **links, int n, int64_t started)
{
    struct pollfd fds[64];
    int k = h ? session_server_fds(h->s, fds, 60) : 0;
    for (int i = 0; i < n; i++)
        k += session_link_fds(links[i], fds + k, 64 - k);
    poll(fds, (nfds_t)k, 2);
    if (h)
        host_step(h);
    for (int i = 0; i < n; i++)
        session_link_step(links[i]);
    assert_true(os_monotonic_ms() - started < BOUND_MS);
}

static inline struct session_link *link_new(const char *code, const char *name)
{
    return session_link_new(
        &(struct link_terms){.code = code, .name = name, .rows = 24, .columns = 80, .utf8 = true});
}

static inline void link_until(struct host *h, struct session_link *l, enum link_state state)
{
    int64_t started = os_monotonic_ms();
    while (session_link_state(l) != state)
        pump(h, &l, 1, started);
}

static inline void host_until(struct host *h, struct session_link *l, int kind, int count)
{
    int64_t started = os_monotonic_ms();
    while (count_of(h, kind) < count)
        pump(h, &l, l ? 1 : 0, started);
}

/* ---- a party that says what it likes ---- */

static inline int raw_open(struct host *h)
{
    struct session_place place;
    struct err err;
    assert_int_equal(session_place_find(&place, "k7q", &err), 0);
    int fd = session_place_connect(&place, &err);
    assert_true(fd >= 0);
    host_step(h);
    return fd;
}

static inline void raw_say(struct host *h, int fd, const char *text, size_t n)
{
    for (size_t done = 0; done < n;) {
        ssize_t k = send(fd, text + done, n - done, MSG_NOSIGNAL);
        if (k > 0)
            done += (size_t)k;
        else if (errno == EPIPE || errno == ECONNRESET)
            return;
        host_step(h);
    }
    host_step(h);
}

static inline void raw_join(struct host *h, int fd, const char *code, const char *name,
                            const char *client)
{
    char line[512];
    int n = snprintf(line, sizeof line,
                     "{\"type\":\"join\",\"protocol\":1,\"program\":\"0.1.0\",\"code\":\"%s\","
                     "\"name\":\"%s\",\"client\":\"%s\",\"rows\":24,\"columns\":80,\"utf8\":true,"
                     "\"confined\":0}\n",
                     code, name, client);
    raw_say(h, fd, line, (size_t)n);
}

/* What it was told so far. */
static inline const char *raw_heard(struct host *h, int fd)
{
    static char text[1 << 20];
    host_step(h);
    ssize_t n = recv(fd, text, sizeof text - 1, MSG_DONTWAIT);
    text[n > 0 ? n : 0] = '\0';
    return text;
}

static inline bool raw_closed(struct host *h, int fd)
{
    char byte;
    host_step(h);
    while (recv(fd, &byte, 1, MSG_DONTWAIT) == 1)
        ;
    return recv(fd, &byte, 1, MSG_DONTWAIT) == 0 || errno == ECONNRESET;
}

#define CLIENT "0123456789abcdef0123456789abcdef"

static inline void expect(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no \"%s\" in: %s", part, text);
}

/* ---- a folder of its own for each test ---- */

static inline int remove_one(const char *path, const struct stat *st, int kind, struct FTW *walk)
{
    (void)st, (void)kind, (void)walk;
    return remove(path);
}

static inline int begin(void **state)
{
    snprintf(folder, sizeof folder, "/tmp/warpdrill-server-XXXXXX");
    signal(SIGPIPE, SIG_IGN);
    return mkdtemp(folder) && setenv("XDG_RUNTIME_DIR", folder, 1) == 0 ? 0 : -1;
}

static inline int end(void **state)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return 0;
}

#define each(test) cmocka_unit_test_setup_teardown(test, begin, end)

#endif
