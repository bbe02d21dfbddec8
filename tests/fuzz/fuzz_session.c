/* Both ends of an interview's link hear anything. The first byte says who: the host hears a
 * stranger (0), a candidate (1), an observer (2); else a party hears its host, after a welcome or
 * before. */
#include <assert.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "kernels/wire/text.h"
#include "scenarios/link/session_link.h"
#include "scenarios/link/session_place.h"
#include "scenarios/link/session_server.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct session_server *server;
static struct session_place far;
static int listening;

static int admit(void *self, const char *code, bool *observer, struct err *err)
{
    (void)self;
    *observer = !strcmp(code, "watch");
    return *observer || !strcmp(code, "code") ? 0 : err_set(err, ERR_PERMISSION, "no");
}

static void leave(void)
{
    session_server_free(server);
    session_place_leave(&far);
    rmdir(getenv("XDG_RUNTIME_DIR"));
}

static void start(void)
{
    static char folder[] = "/tmp/warpdrill-fuzz-XXXXXX";
    struct server_rules rules = {.code_id = "fzz", .allow_unconfined = true};
    struct err err = {0};
    signal(SIGPIPE, SIG_IGN);
    if (!mkdtemp(folder) || setenv("XDG_RUNTIME_DIR", folder, 1) ||
        session_server_open(&server, &rules, admit, NULL, &err) ||
        session_place_make(&far, "fz2", false, &err) ||
        (listening = session_place_listen(&far, &err)) < 0)
        abort();
    atexit(leave);
}

static bool clean(const char *text)
{
    return text_first_bad(text, strlen(text)) == strlen(text) && !strpbrk(text, "\n\t");
}

/* ---- the host listens ---- */

static void drain_events(void)
{
    struct server_event e;
    while (session_server_event(server, &e)) {
        assert(clean(e.name));
        if (e.kind == SERVER_SIZE || e.kind == SERVER_JOINED)
            assert(e.rows >= 1 && e.rows <= 1000 && e.columns >= 1 && e.columns <= 1000);
        if (e.kind == SERVER_KEY) {
            assert(!e.observer && e.key >= 0 && e.key <= 0x2FFFFFF && e.n >= 1);
            session_server_heard(server, e.party, e.n);
        }
    }
}

static void drain(int fd)
{
    char bytes[65536];
    while (recv(fd, bytes, sizeof bytes, MSG_DONTWAIT) > 0)
        ;
}

static void host_hears(int who, const char *bytes, size_t n)
{
    char join[300];
    struct session_place place;
    int fd =
        session_place_find(&place, "fzz", NULL) == 0 ? session_place_connect(&place, NULL) : -1;
    assert(fd >= 0);
    session_server_step(server);
    int k = snprintf(join, sizeof join,
                     "{\"type\":\"join\",\"protocol\":1,\"program\":\"x\",\"code\":\"%s\",\"name\":"
                     "\"C\",\"client\":\"0123456789abcdef0123456789abcdef\",\"rows\":24,"
                     "\"columns\":80,\"utf8\":true,\"confined\":0}\n",
                     who == 1 ? "code" : "watch");
    if (who > 0)
        assert(send(fd, join, (size_t)k, MSG_NOSIGNAL) == k);
    session_server_step(server);
    json_t *picture =
        json_pack("{s:i, s:i, s:[[i], [i]]}", "rows", 2, "columns", 80, "lines", 0, 1);
    session_server_show(server, picture);
    json_decref(picture);
    for (size_t done = 0; done < n;) {
        ssize_t sent =
            send(fd, bytes + done, n - done < 4096 ? n - done : 4096, MSG_NOSIGNAL | MSG_DONTWAIT);
        session_server_step(server);
        drain_events();
        drain(fd);
        if (sent < 0)
            break;
        done += (size_t)sent;
    }
    session_server_step(server);
    drain_events();
    close(fd);
    session_server_step(server);
    drain_events();
    assert(session_server_parties(server, false) == 0 && session_server_parties(server, true) == 0);
}

/* ---- a party listens ---- */

static void party_hears(bool welcomed, const char *bytes, size_t n)
{
    static const char welcome[] =
        "{\"type\":\"welcome\",\"protocol\":1,\"program\":\"x\",\"role\":\"candidate\","
        "\"boot\":\"b\",\"got\":0,\"heard\":0}\n";
    struct session_link *l = session_link_new(
        &(struct link_terms){.code = "fz2-a", .name = "C", .rows = 24, .columns = 80});
    json_t *picture;
    session_link_step(l);
    int fd = accept(listening, NULL, NULL);
    assert(fd >= 0);
    if (welcomed)
        assert(send(fd, welcome, sizeof welcome - 1, MSG_NOSIGNAL) == sizeof welcome - 1);
    session_link_step(l);
    session_link_key(l, 'k');
    for (size_t done = 0; done < n;) {
        ssize_t sent =
            send(fd, bytes + done, n - done < 4096 ? n - done : 4096, MSG_NOSIGNAL | MSG_DONTWAIT);
        session_link_step(l);
        if (session_link_picture(l, &picture)) {
            json_decref(picture);
            session_link_seen(l);
        }
        drain(fd);
        if (sent < 0)
            break;
        done += (size_t)sent;
    }
    session_link_step(l);
    assert(clean(session_link_say(l)));
    assert(session_link_kept(l) >= 0 && session_link_kept(l) <= LINK_KEYS_MOST);
    session_link_free(l);
    close(fd);
    while ((fd = accept(listening, NULL, NULL)) >= 0) /* it may have connected again */
        close(fd);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!server)
        start();
    if (size < 1)
        return 0;
    int who = data[0] % 5;
    if (who < 3)
        host_hears(who, (const char *)data + 1, size - 1);
    else
        party_hears(who == 3, (const char *)data + 1, size - 1);
    return 0;
}
