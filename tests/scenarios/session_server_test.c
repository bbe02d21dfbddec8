/* Both ends of an interview's link in one process: who is let in, what comes through whole, and what a bad or slow party can do. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/wire/confine.h"
#include "kernels/wire/os.h"
#include "scenarios/client.h"
#include "scenarios/session_inside.h"
#include "scenarios/session_key.h"
#include "scenarios/session_link.h"

#define CODE "k7q-m3xr-dw9f"
#define WATCH "k7q-zzzz-zzzz"
enum { BOUND_MS = 20000 };

static char folder[64];
static int64_t fake_now;

static int64_t fake_clock(void)
{
    return fake_now;
}

static int admit(void *self, const char *code, bool *observer, struct err *err)
{
    ++*(int *)self;
    *observer = !strcmp(code, WATCH);
    if (!strcmp(code, "k7q-old0-old0"))
        return err_set(err, ERR_CANCELLED, "That code has expired; the interviewer can make a new one.");
    return *observer || strstr(code, strchr(CODE, '-')) ? 0 : err_set(err, ERR_PERMISSION, "That code lets nobody in.");
}

/* ---- a host, and what it heard ---- */

struct host { struct session_server *s; int asked; struct server_event events[20000]; int n; };

static void host_open(struct host *h, bool unconfined)
{
    struct server_rules rules = {.code_id = "k7q", .title = "Kernel\033[2J diagnosis", .allow_unconfined = unconfined};
    struct err err = {0};
    h->n = h->asked = 0;
    if (session_server_open(&h->s, &rules, admit, &h->asked, &err))
        fail_msg("%s", err.text);
}

static struct host *host_new(bool unconfined)
{
    struct host *h = calloc(1, sizeof *h);
    assert_non_null(h);
    host_open(h, unconfined);
    return h;
}

static void host_step(struct host *h)
{
    session_server_step(h->s);
    while (session_server_event(h->s, &h->events[h->n]))
        assert_true(++h->n < 20000);
}

static void host_free(struct host *h)
{
    session_server_free(h->s);
    free(h);
}

static struct server_event *last_of(struct host *h, int kind)
{
    for (int i = h->n - 1; i >= 0; i--)
        if ((int)h->events[i].kind == kind)
            return &h->events[i];
    return NULL;
}

static int count_of(struct host *h, int kind)
{
    int n = 0;
    for (int i = 0; i < h->n; i++)
        n += (int)h->events[i].kind == kind;
    return n;
}

/* Waits until somebody has something to do, at most a moment; fails past the bound. */
static void pump(struct host *h, struct session_link **links, int n, int64_t started)
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

static struct session_link *link_new(const char *code, const char *name)
{
    return session_link_new(&(struct link_terms){.code = code, .name = name, .rows = 24, .columns = 80, .utf8 = true});
}

static void link_until(struct host *h, struct session_link *l, enum link_state state)
{
    int64_t started = os_monotonic_ms();
    while (session_link_state(l) != state)
        pump(h, &l, 1, started);
}

static void host_until(struct host *h, struct session_link *l, int kind, int count)
{
    int64_t started = os_monotonic_ms();
    while (count_of(h, kind) < count)
        pump(h, &l, l ? 1 : 0, started);
}

/* ---- a party that says what it likes ---- */

static int raw_open(struct host *h)
{
    struct session_place place;
    struct err err;
    assert_int_equal(session_place_find(&place, "k7q", &err), 0);
    int fd = session_place_connect(&place, &err);
    assert_true(fd >= 0);
    host_step(h);
    return fd;
}

static void raw_say(struct host *h, int fd, const char *text, size_t n)
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

static void raw_join(struct host *h, int fd, const char *code, const char *name, const char *client)
{
    char line[512];
    int n = snprintf(line, sizeof line, "{\"type\":\"join\",\"protocol\":1,\"program\":\"0.1.0\",\"code\":\"%s\",\"name\":\"%s\",\"client\":\"%s\",\"rows\":24,"
                     "\"columns\":80,\"utf8\":true,\"confined\":0}\n", code, name, client);
    raw_say(h, fd, line, (size_t)n);
}

/* What it was told so far. */
static const char *raw_heard(struct host *h, int fd)
{
    static char text[1 << 20];
    host_step(h);
    ssize_t n = recv(fd, text, sizeof text - 1, MSG_DONTWAIT);
    text[n > 0 ? n : 0] = '\0';
    return text;
}

static bool raw_closed(struct host *h, int fd)
{
    char byte;
    host_step(h);
    while (recv(fd, &byte, 1, MSG_DONTWAIT) == 1)
        ;
    return recv(fd, &byte, 1, MSG_DONTWAIT) == 0 || errno == ECONNRESET;
}

#define CLIENT "0123456789abcdef0123456789abcdef"

static void expect(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("no \"%s\" in: %s", part, text);
}

/* ---- who is let in ---- */

static void handshake(void **state)
{
    (void)state;
    struct host *h = host_new(true);
    struct session_link *l = link_new(CODE, "C-07");
    assert_false(session_link_key(l, 'x')); /* nobody has seen anything yet */
    link_until(h, l, LINK_HERE);
    struct server_event *e = last_of(h, SERVER_JOINED);
    assert_string_equal(e->name, "C-07");
    assert_false(e->observer);
    assert_int_equal(e->wall, WALL_NONE);
    assert_int_equal(e->rows, 24);
    assert_int_equal(e->columns, 80);
    assert_true(e->utf8);
    assert_string_equal(session_link_title(l), "Kernel?[2J diagnosis");
    assert_int_equal(session_server_parties(h->s, false), 1);
    session_link_size(l, 30, 100);
    host_until(h, l, SERVER_SIZE, 1);
    assert_int_equal(last_of(h, SERVER_SIZE)->columns, 100);
    session_link_free(l);
    host_until(h, NULL, SERVER_LEFT, 1);
    assert_string_equal(last_of(h, SERVER_LEFT)->say, "has left");
    host_free(h);
    assert_int_equal(access(folder, F_OK), 0);
    char left[128];
    snprintf(left, sizeof left, "%s/warpdrill", folder);
    assert_int_equal(access(left, F_OK), -1); /* nothing left behind */
}

static void refused(struct host *h, const char *code, const char *name, const char *say)
{
    struct session_link *l = link_new(code, name);
    link_until(h, l, LINK_REFUSED);
    expect(session_link_say(l), say);
    session_link_free(l);
}

static void refusals(void **state)
{
    (void)state;
    struct host *h = host_new(true);
    refused(h, "k7q-aaaa-aaaa", "C-07", "lets nobody in");
    refused(h, "k7q-old0-old0", "C-07", "expired");
    struct session_link *l = link_new(CODE, "C-07");
    link_until(h, l, LINK_HERE);
    refused(h, CODE, "C-08", "C-07 is here already");
    assert_int_equal(session_link_state(l), LINK_HERE);
    assert_string_equal(last_of(h, SERVER_REFUSED)->name, "C-08");
    session_link_free(l);
    host_until(h, NULL, SERVER_LEFT, 1);
    l = link_new(CODE, "C-08"); /* the seat is free */
    link_until(h, l, LINK_HERE);
    session_link_free(l);
    host_free(h);
    h = host_new(false);
    refused(h, CODE, "C-07", "--no-wall");
    host_free(h);
}

static void the_same_name_takes_the_seat(void **state)
{
    (void)state;
    struct host *h = host_new(true);
    struct session_link *a = link_new(CODE, "C-07"), *b = link_new(CODE, "C-07");
    link_until(h, a, LINK_HERE);
    session_link_key(a, 'a');
    host_until(h, a, SERVER_KEY, 1);
    link_until(h, b, LINK_HERE);
    link_until(h, a, LINK_ENDED);
    expect(session_link_say(a), "come back elsewhere");
    session_link_key(b, 'b'); /* it counts from one again */
    host_until(h, b, SERVER_KEY, 2);
    assert_int_equal(last_of(h, SERVER_KEY)->key, 'b');
    assert_int_equal(last_of(h, SERVER_KEY)->n, 1);
    assert_string_equal(last_of(h, SERVER_JOINED)->party, h->events[0].party);
    session_server_dismiss(h->s, h->events[0].party, "Thank you.");
    link_until(h, b, LINK_ENDED);
    assert_string_equal(session_link_say(b), "Thank you.");
    session_link_free(a);
    session_link_free(b);
    host_free(h);
}

static void eight_observers(void **state)
{
    (void)state;
    struct host *h = host_new(true);
    struct session_link *links[8];
    char name[16];
    for (int i = 0; i < 8; i++) {
        snprintf(name, sizeof name, "O-%d", i);
        links[i] = link_new(WATCH, name);
        link_until(h, links[i], LINK_HERE);
        assert_true(session_link_observes(links[i]));
        assert_false(session_link_key(links[i], 'x'));
    }
    assert_int_equal(session_server_parties(h->s, true), 8);
    refused(h, WATCH, "O-8", "8 observers");
    struct session_link *l = link_new(CODE, "C-07");
    link_until(h, l, LINK_HERE);
    for (int i = 0; i < 8; i++)
        session_link_free(links[i]);
    int fd = raw_open(h);
    raw_join(h, fd, WATCH, "liar", CLIENT);
    const char *keys = "{\"type\":\"key\",\"n\":1,\"keys\":[120]}\n";
    raw_say(h, fd, keys, strlen(keys));
    raw_heard(h, fd);
    assert_int_equal(count_of(h, SERVER_KEY), 0);
    assert_int_equal(session_server_parties(h->s, false), 1);
    close(fd);
    session_link_free(l);
    host_free(h);
}

static void versions(void **state)
{
    (void)state;
    struct host *h = host_new(true);
    static const struct { const char *said, *heard; } cases[] = {
        {"{\"type\":\"join\",\"protocol\":0,\"program\":\"0.0.9\"}\n", "and this is 0.0.9 (protocol 0), which is older"},
        {"{\"type\":\"join\",\"protocol\":9,\"program\":\"3.\\u001b[2J\",\"more\":{}}\n", "and this is 3.?[2J (protocol 9), which is newer"},
        {"{\"type\":\"join\"}\n", "of no version"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int fd = raw_open(h);
        raw_say(h, fd, cases[i].said, strlen(cases[i].said));
        const char *heard = raw_heard(h, fd);
        expect(heard, "\"reason\":\"version\"");
        expect(heard, "warpdrill " WARPDRILL_VERSION);
        expect(heard, cases[i].heard);
        assert_true(raw_closed(h, fd));
        close(fd);
    }
    host_free(h);
}

/* ---- who guesses, waits, or says nothing ---- */

static void guessing_is_slow(void **state)
{
    (void)state;
    struct host *h = host_new(true);
    int fd;
    fake_now = 1000;
    h->s->now = fake_clock;
    int member = raw_open(h);
    raw_join(h, member, CODE, "C-07", CLIENT);
    expect(raw_heard(h, member), "welcome");
    for (int i = 0; i < 5; i++) {
        fd = raw_open(h);
        raw_join(h, fd, "k7q-wrng-wrng", "x", "f123456789abcdef0123456789abcdef");
        expect(raw_heard(h, fd), "lets nobody in");
        close(fd);
    }
    int asked = h->asked, many[3];
    for (int i = 0; i < 3; i++) { /* at once, the last one with the right code */
        many[i] = raw_open(h);
        raw_join(h, many[i], i == 2 ? WATCH : "k7q-wrng-wrng", "x", "f123456789abcdef0123456789abcdef");
    }
    assert_int_equal(h->asked, asked);
    int again = raw_open(h); /* who was in comes back without waiting */
    raw_join(h, again, CODE, "C-07", CLIENT);
    expect(raw_heard(h, again), "welcome");
    asked = h->asked;
    fake_now += 999;
    host_step(h);
    assert_int_equal(h->asked, asked);
    fake_now += 1;
    expect(raw_heard(h, many[0]), "lets nobody in");
    assert_string_equal(raw_heard(h, many[1]), "");
    fake_now += 1000;
    expect(raw_heard(h, many[1]), "lets nobody in");
    expect(raw_heard(h, many[2]), "ping"); /* who waits knows that somebody is there */
    fake_now += 1000;
    expect(raw_heard(h, many[2]), "welcome");
    fd = raw_open(h);
    for (int i = 0; i < 12; i++) { /* it grows to half a minute and no further */
        raw_join(h, fd, "k7q-wrng-wrng", "x", "f123456789abcdef0123456789abcdef");
        fake_now += 31000;
        expect(raw_heard(h, fd), "lets nobody in");
        close(fd);
        fd = raw_open(h);
    }
    raw_join(h, fd, "k7q-wrng-wrng", "x", "f123456789abcdef0123456789abcdef");
    fake_now += 29000;
    assert_null(strstr(raw_heard(h, fd), "lets nobody in"));
    close(fd);
    close(member);
    close(again);
    for (int i = 0; i < 3; i++)
        close(many[i]);
    host_free(h);
}

static void who_says_nothing_goes(void **state)
{
    (void)state;
    struct host *h = host_new(true);
    fake_now = 1000;
    h->s->now = fake_clock;
    int party = raw_open(h), fds[12];
    raw_join(h, party, CODE, "C-07", CLIENT);
    raw_heard(h, party);
    for (int i = 0; i < 12; i++)
        fds[i] = raw_open(h);
    for (int i = 0; i < 12; i++)
        assert_int_equal(raw_closed(h, fds[i]), i >= 10);
    fake_now += 2000;
    expect(raw_heard(h, party), "ping");
    const char *pong = "{\"type\":\"pong\",\"n\":3000}\n";
    raw_say(h, party, pong, strlen(pong));
    fake_now += 8000;
    for (int i = 0; i < 12; i++) {
        assert_true(raw_closed(h, fds[i]));
        close(fds[i]);
    }
    assert_int_equal(count_of(h, SERVER_LEFT), 0);
    fake_now += 2000;
    assert_true(raw_closed(h, party));
    expect(last_of(h, SERVER_LEFT)->say, "10 seconds");
    close(party);
    assert_true(session_server_timeout_ms(h->s) == -1);
    host_free(h);
}

static void bad_lines(void **state)
{
    (void)state;
    struct host *h = host_new(true);
    static char big[LINE_MOST + 2000], deep[20000], many[32000];
    memset(big, 'a', sizeof big);
    memset(deep, '[', sizeof deep);
    deep[sizeof deep - 1] = '\n';
    int n = snprintf(many, sizeof many, "{\"type\":\"key\",\"n\":1,\"keys\":[1");
    for (int i = 0; i < KEYS_MOST; i++)
        n += snprintf(many + n, sizeof many - (size_t)n, ",1");
    n += snprintf(many + n, sizeof many - (size_t)n, "]}\n");
    const struct { const char *text; size_t n; } lines[] = {
        {big, sizeof big}, {deep, sizeof deep}, {many, (size_t)n}, {"\0\n", 2}, {"[]\n", 3}, {"{}\n", 3}, {"\xff\xfe\n", 3},
        {"{\"type\":1}\n", 11}, {"{\"type\":\"key\",\"n\":2,\"keys\":[1]}\n", 32}, {"{\"type\":\"key\",\"n\":1,\"keys\":[-1]}\n", 33},
        {"{\"type\":\"key\",\"n\":1,\"keys\":[1.5]}\n", 34}, {"{\"type\":\"key\",\"n\":1,\"keys\":[]}\n", 31}, {"{\"type\":\"key\",\"n\":-1,\"keys\":[1]}\n", 33},
        {"{\"type\":\"size\",\"rows\":0,\"columns\":80}\n", 38}, {"{\"type\":\"size\",\"rows\":99999,\"columns\":80}\n", 42},
        {"{\"type\":\"seen\",\"n\":7}\n", 22}, {"{\"type\":\"nonsense\"}\n", 20},
    };
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
        for (int in = 0; in < 2; in++) { /* of a stranger, and of a party */
            int fd = raw_open(h);
            if (in)
                raw_join(h, fd, CODE, "C-07", CLIENT);
            raw_say(h, fd, lines[i].text, lines[i].n);
            host_step(h);
            host_step(h);
            if (!raw_closed(h, fd))
                fail_msg("line %zu is borne with (%d)", i, in);
            close(fd);
        }
    assert_int_equal(count_of(h, SERVER_KEY), 0);
    assert_int_equal(count_of(h, SERVER_JOINED), count_of(h, SERVER_LEFT));
    int fd = raw_open(h);
    raw_join(h, fd, CODE, "\\u001b]0;x\\u0007a\\nb", CLIENT);
    expect(raw_heard(h, fd), "welcome");
    assert_string_equal(last_of(h, SERVER_JOINED)->name, "?]0;x?a b");
    close(fd);
    host_free(h);
}

/* ---- pictures ---- */

static json_t *picture_of(const int *row, int rows, int columns)
{
    char text[32];
    json_t *lines = json_array();
    for (int y = 0; y < rows; y++) {
        snprintf(text, sizeof text, "row %d", row[y]);
        json_array_append_new(lines, json_pack("[i, [i, i, s]]", y, 0, 0, text));
    }
    return json_pack("{s:i, s:i, s:o}", "rows", rows, "columns", columns, "lines", lines);
}

/* Puts what came into the rows that the party shows; the number of rows that came. */
static int take_picture(struct session_link *l, int *row, int *rows)
{
    json_t *picture;
    if (!session_link_picture(l, &picture))
        return -1;
    json_t *lines = json_object_get(picture, "lines"), *line;
    size_t i;
    *rows = (int)json_integer_value(json_object_get(picture, "rows"));
    json_array_foreach(lines, i, line)
        sscanf(json_string_value(json_array_get(json_array_get(line, 1), 2)), "row %d", &row[json_integer_value(json_array_get(line, 0))]);
    int n = (int)json_array_size(lines);
    json_decref(picture);
    session_link_seen(l);
    return n;
}

static void only_what_changed_is_sent(void **state)
{
    (void)state;
    struct host *h = host_new(true);
    struct session_link *l = link_new(CODE, "C-07");
    int row[40] = {0}, shown[40], rows = 0, came;
    link_until(h, l, LINK_HERE);
    for (int round = 0; round < 200; round++) {
        int high = round % 50 == 49 ? 30 : 24, changed = round % 7;
        for (int k = 0; k < changed; k++)
            row[(round * 5 + k * 3) % 24]++;
        json_t *whole = picture_of(row, high, 80);
        session_server_show(h->s, whole);
        json_decref(whole);
        int64_t started = os_monotonic_ms();
        bool size_changed = high != rows;
        while ((came = take_picture(l, shown, &rows)) < 0 && (changed > 0 || size_changed))
            pump(h, &l, 1, started);
        pump(h, &l, 1, started);
        if (changed > 0 || size_changed)
            assert_int_equal(came, size_changed ? high : changed);
        assert_int_equal(rows, high);
        assert_memory_equal(row, shown, 24 * sizeof(int));
    }
    session_link_break(l); /* a new link gets the whole */
    link_until(h, l, LINK_HERE);
    int64_t started = os_monotonic_ms();
    while ((came = take_picture(l, shown, &rows)) < 0)
        pump(h, &l, 1, started);
    assert_int_equal(came, 30);
    session_link_free(l);
    host_free(h);
}

static void a_slow_party_holds_nobody_up(void **state)
{
    (void)state;
    struct host *h = host_new(true);
    struct session_link *l = link_new(WATCH, "O-1");
    int row[40] = {0}, shown[40] = {0}, rows;
    int slow = raw_open(h);
    raw_join(h, slow, CODE, "C-07", CLIENT);
    link_until(h, l, LINK_HERE);
    for (int i = 1; i <= 1000; i++) {
        for (int y = 0; y < 24; y++)
            row[y] = i;
        json_t *whole = picture_of(row, 24, 80);
        session_server_show(h->s, whole);
        json_decref(whole);
        int64_t started = os_monotonic_ms();
        while (shown[0] != i)
            if (take_picture(l, shown, &rows) < 0)
                pump(h, &l, 1, started);
    }
    static char text[1 << 20];
    ssize_t n = recv(slow, text, sizeof text - 1, MSG_DONTWAIT);
    text[n > 0 ? n : 0] = '\0';
    expect(text, "row 1\"");
    assert_null(strstr(text, "row 2\"")); /* one is under way, no more */
    const char *seen = "{\"type\":\"seen\",\"n\":1}\n";
    raw_say(h, slow, seen, strlen(seen));
    n = recv(slow, text, sizeof text - 1, MSG_DONTWAIT);
    text[n > 0 ? n : 0] = '\0';
    expect(text, "row 1000\"");
    assert_null(strstr(text, "row 999\""));
    close(slow);
    session_link_free(l);
    host_free(h);
}

/* ---- keys ---- */

/* Cuts the link at the host's end, at the party's, or only loses what is under way. */
static void cut_somewhere(struct host *h, struct session_link *l, unsigned dice)
{
    if (dice % 2) {
        session_link_break(l);
        return;
    }
    for (int i = 0; i < DOORS; i++)
        if (h->s->doors[i].fd >= 0)
            shutdown(h->s->doors[i].fd, dice % 4 ? SHUT_RDWR : SHUT_RD);
}

static void every_key_once_and_in_order(void **state)
{
    (void)state;
    struct host *h = host_new(true);
    struct session_link *l = link_new(CODE, "C-07");
    unsigned dice = 7;
    long pressed = 0, stored = 0;
    int64_t started = os_monotonic_ms();
    link_until(h, l, LINK_HERE);
    for (int cuts = 0; cuts < 200;) {
        dice = dice * 1103515245u + 12345u;
        unsigned d = dice >> 16;
        for (unsigned k = d % 5; k > 0; k--)
            pressed += session_link_key(l, 32 + (int)(pressed % 90));
        if (d % 3)
            pump(h, &l, d % 8 != 0, started);
        if (d % 4 == 0) { /* the host stores now and then, not at once */
            struct server_event *e = last_of(h, SERVER_KEY);
            if (e)
                session_server_heard(h->s, e->party, stored = e->n);
        }
        if (d % 6 == 0 && session_link_state(l) == LINK_HERE) {
            cut_somewhere(h, l, d / 6);
            cuts++;
        }
        started = os_monotonic_ms();
    }
    while (count_of(h, SERVER_KEY) < pressed)
        pump(h, &l, 1, started);
    struct server_event *e = last_of(h, SERVER_KEY);
    session_server_heard(h->s, e->party, e->n);
    while (session_link_kept(l) > 0)
        pump(h, &l, 1, started);
    long at = 0;
    for (int i = 0; i < h->n; i++)
        if (h->events[i].kind == SERVER_KEY) {
            assert_int_equal(h->events[i].key, 32 + at % 90);
            assert_int_equal(h->events[i].n, ++at);
        }
    assert_int_equal(at, pressed);
    assert_true(pressed > 300 && stored > 0);
    assert_int_equal(session_link_dropped(l), 0);
    session_link_free(l);
    host_free(h);
}

static void a_new_host_says_what_was_lost(void **state)
{
    (void)state;
    struct host *h = host_new(true);
    struct session_link *l = link_new(CODE, "C-07");
    link_until(h, l, LINK_HERE);
    for (int i = 0; i < 5; i++)
        session_link_key(l, 'a' + i);
    host_until(h, l, SERVER_KEY, 5);
    session_server_heard(h->s, last_of(h, SERVER_KEY)->party, 3);
    int64_t started = os_monotonic_ms();
    while (session_link_kept(l) != 2)
        pump(h, &l, 1, started);
    for (int i = 0; i < DOORS; i++) /* as when it is killed: no bye, and the socket stays */
        if (h->s->doors[i].fd >= 0) {
            shutdown(h->s->doors[i].fd, SHUT_RDWR);
            h->s->doors[i].close_by = 1;
        }
    char path[108];
    snprintf(path, sizeof path, "%s", session_server_path(h->s));
    close(h->s->listening);
    h->s->listening = open("/dev/null", O_RDONLY | O_CLOEXEC);
    struct session_server *dead = h->s;
    link_until(NULL, l, LINK_AWAY);
    assert_true(session_link_key(l, 'f'));
    assert_int_equal(access(path, F_OK), 0);
    host_open(h, true); /* takes the dead one's socket away */
    link_until(h, l, LINK_HERE);
    assert_int_equal(session_link_dropped(l), 3);
    session_link_key(l, 'g');
    host_until(h, l, SERVER_KEY, 1);
    assert_int_equal(last_of(h, SERVER_KEY)->key, 'g');
    session_link_free(l);
    host_free(h);
    session_server_free(dead);
}

static void keys_wait_for_who_is_asleep(void **state)
{
    (void)state;
    struct host *h = host_new(true);
    struct session_link *l = link_new(CODE, "C-07");
    link_until(h, l, LINK_HERE);
    int kept = 0;
    while (session_link_key(l, 'k')) /* the host does not look */
        kept++;
    assert_int_equal(kept, LINK_KEYS_MOST);
    host_until(h, l, SERVER_KEY, kept);
    session_link_free(l);
    host_free(h);
}

/* ---- places ---- */

static void unsafe_places(void **state)
{
    (void)state;
    struct session_server *s;
    struct server_rules rules = {.code_id = "k7q", .title = "x", .allow_unconfined = true};
    struct session_place place;
    struct err err = {0};
    char at[128], other[128];
    int asked = 0;
    snprintf(at, sizeof at, "%s/warpdrill", folder);
    snprintf(other, sizeof other, "%s/elsewhere", folder);
    assert_int_equal(mkdir(other, 0700), 0);
    assert_int_equal(symlink(other, at), 0);
    assert_int_equal(session_server_open(&s, &rules, admit, &asked, &err), ERR_PERMISSION);
    unlink(at);
    assert_int_equal(mkdir(at, 0700) || chmod(at, 0770), 0);
    assert_int_equal(session_server_open(&s, &rules, admit, &asked, &err), ERR_PERMISSION);
    chmod(at, 0700);
    assert_int_equal(session_server_open(&s, &rules, admit, &asked, &err), 0);
    struct stat st;
    assert_int_equal(stat(session_server_path(s), &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
    struct session_server *second;
    assert_int_equal(session_server_open(&second, &rules, admit, &asked, &err), ERR_BUSY);
    assert_int_equal(session_place_find(&place, "k7q", &err), 0);
    chmod(at, 0777);
    assert_int_equal(session_place_find(&place, "k7q", &err), ERR_PERMISSION);
    chmod(at, 0700);
    session_server_free(s);
    assert_int_equal(session_place_find(&place, "k7q", &err), ERR_MISSING);
    assert_int_equal(session_place_find(&place, "../k", &err), ERR_BAD_REQUEST);
    rmdir(other);
}

/* Joins as that user and says how far it came. */
static pid_t join_as(uid_t uid, const char *code)
{
    fflush(stdout);
    pid_t pid = fork();
    if (pid != 0)
        return pid;
    if (setuid(uid) != 0)
        _exit(99);
    struct session_link *l = link_new(code, "C-07");
    for (int i = 0; i < 100 && session_link_state(l) == LINK_CONNECTING; i++) {
        session_link_step(l);
        poll(NULL, 0, 5);
    }
    _exit(session_link_state(l));
}

static int join_until(struct host *h, pid_t pid)
{
    int status;
    while (waitpid(pid, &status, WNOHANG) == 0) {
        host_step(h);
        poll(NULL, 0, 2);
    }
    host_step(h);
    return WEXITSTATUS(status);
}

static void a_folder_for_another_user(void **state)
{
    (void)state;
    struct host *h = calloc(1, sizeof *h);
    struct err err = {0};
    struct stat st;
    char id[8], code[32], was[80];
    assert_non_null(h);
    snprintf(id, sizeof id, "t%05ld", (long)getpid() % 100000);
    snprintf(code, sizeof code, "%s%s", id, strchr(CODE, '-'));
    struct server_rules rules = {.code_id = id, .title = "x", .has_guest = true, .guest = 65534};
    if (session_server_open(&h->s, &rules, admit, &h->asked, &err))
        fail_msg("%s", err.text);
    assert_int_equal(session_server_wall(h->s), WALL_USER);
    snprintf(was, sizeof was, "%s", h->s->place.folder);
    assert_int_equal(stat(was, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0711);
    assert_int_equal(stat(h->s->place.socket, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0666);
    if (geteuid() == 0) {
        assert_int_equal(join_until(h, join_as(65534, code)), LINK_HERE);
        assert_int_equal(last_of(h, SERVER_JOINED)->wall, WALL_USER);
        assert_int_equal(join_until(h, join_as(65533, code)), LINK_CONNECTING); /* a third one is not listened to */
        assert_int_equal(count_of(h, SERVER_JOINED), 1);
    } else {
        print_message("# another user's joining needs root\n");
    }
    host_free(h);
    assert_int_equal(access(was, F_OK), -1);
}

/* ---- a process that gave itself up ---- */

/* What a confined child could still do: a bit each. */
static int tempt(void)
{
    char *argv[] = {"true", NULL}, *none[] = {NULL};
    int could = 0, fd;
    could |= (fd = open("/etc/passwd", O_RDONLY)) >= 0 ? 1 : 0;
    could |= open("/tmp/warpdrill-confined", O_CREAT | O_WRONLY, 0600) >= 0 ? 2 : 0;
    execve("/bin/true", argv, none);
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    could |= pid > 0 ? 4 : 0;
    could |= socket(AF_INET, SOCK_STREAM, 0) >= 0 ? 8 : 0;
    could |= kill(getppid(), 0) == 0 ? 16 : 0;
    could |= ioctl(0, TIOCSTI, "x") == 0 || errno != EPERM ? 32 : 0;
    could |= unlink(folder) == 0 || errno != EPERM ? 64 : 0;
    return could;
}

static void confined_processes_do_nothing_else(void **state)
{
    (void)state;
    unsigned possible = confine_possible();
    if (!(possible & CONFINED_CALLS)) {
        print_message("# this kernel has no filter of system calls: join cannot be confined here\n");
        return;
    }
    print_message("# Landlock %d\n", os_confine_abi());
    struct host *h = host_new(false); /* nobody unconfined */
    int done[2];
    assert_int_equal(pipe(done), 0);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        unsigned stands = confine_self();
        int could = tempt();
        struct session_link *l = session_link_new(&(struct link_terms){.code = CODE, .name = "C-07", .rows = 24, .columns = 80, .confined = stands});
        for (int64_t started = os_monotonic_ms(); session_link_state(l) == LINK_CONNECTING && os_monotonic_ms() - started < BOUND_MS;) {
            session_link_step(l);
            poll(NULL, 0, 5);
        }
        unsigned char say[3] = {(unsigned char)stands, (unsigned char)could, (unsigned char)session_link_state(l)};
        ssize_t n = write(done[1], say, 3);
        _exit(n == 3 ? 0 : 1);
    }
    assert_true(pid > 0);
    close(done[1]);
    struct pollfd fd = {.fd = done[0], .events = POLLIN};
    for (int64_t started = os_monotonic_ms(); poll(&fd, 1, 5) == 0;) {
        host_step(h);
        assert_true(os_monotonic_ms() - started < BOUND_MS);
    }
    unsigned char said[3] = {0};
    assert_int_equal(read(done[0], said, 3), 3);
    close(done[0]);
    waitpid(pid, NULL, 0);
    assert_int_equal(said[0], CONFINED_FILES | CONFINED_CALLS);
    assert_int_equal(said[1], 0);
    assert_int_equal(said[2], LINK_HERE);
    host_step(h);
    assert_int_equal(last_of(h, SERVER_JOINED)->wall, WALL_CONFINED);
    assert_false(confine_seen(getpid()));
    int fd2 = raw_open(h); /* who only says so is not believed */
    const char *join = "{\"type\":\"join\",\"protocol\":1,\"program\":\"0.1.0\",\"code\":\"" CODE "\",\"name\":\"C-07\",\"client\":\"" CLIENT "\",\"rows\":24,\"columns\":80,\"utf8\":true,\"confined\":3}\n";
    raw_say(h, fd2, join, strlen(join));
    expect(raw_heard(h, fd2), "\"reason\":\"wall\"");
    close(fd2);
    host_free(h);
}

/* ---- the line for authorized_keys ---- */

static int line_of(char **out, const char *program, const char *text, struct err *err)
{
    char path[128];
    snprintf(path, sizeof path, "%s/key.pub", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    *out = NULL;
    int rc = session_key_line(out, program, CODE, path, err);
    unlink(path);
    return rc;
}

#define KEY "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"

static void key_lines(void **state)
{
    (void)state;
    struct err err = {0};
    char *line;
    assert_int_equal(line_of(&line, "/usr/bin/warpdrill", KEY " me@home\n", &err), 0);
    assert_string_equal(line, "restrict,pty,command=\"/usr/bin/warpdrill join " CODE "\" " KEY);
    free(line);
    assert_int_equal(line_of(&line, "/opt/my tools/warpdrill", KEY, &err), 0);
    expect(line, "command=\"'/opt/my tools/warpdrill' join " CODE "\" ssh-ed25519");
    free(line);
    static const char *const bad[] = {
        "", "\n", KEY "\n" KEY "\n", "command=\"sh\" " KEY "\n", "ssh-ed25519\n", "ssh-ed25519 %%%\n", "ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAAIAABAgM\n",
        "ssh-dss AAAAB3NzaC1kc3M\n", KEY "\033[2J\n", "-----BEGIN OPENSSH PRIVATE KEY-----\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (line_of(&line, "/usr/bin/warpdrill", bad[i], &err) != ERR_BAD_REQUEST)
            fail_msg("taken: %s", bad[i]);
    static const char *const programs[] = {"warpdrill", "/a\"b", "/a'b", "/a\\b", "/a\nb", "/a\033b"};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        assert_int_equal(line_of(&line, programs[i], KEY, &err), ERR_BAD_REQUEST);
    assert_int_equal(session_key_line(&line, "/usr/bin/warpdrill", "k7q;sh", NULL, &err), ERR_BAD_REQUEST);
    assert_int_equal(session_key_line(&line, "/usr/bin/warpdrill", CODE, NULL, &err), 0);
    free(line);
    char name[64];
    assert_int_equal(session_name_read(name, " \t\n", &err), ERR_BAD_REQUEST);
    assert_int_equal(session_name_read(name, "  J\u00f6rg\033[2J ", &err), 0);
    assert_string_equal(name, "J\u00f6rg?[2J");
}

/* ---- ---- */

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *walk)
{
    (void)st, (void)kind, (void)walk;
    return remove(path);
}

static int begin(void **state)
{
    (void)state;
    snprintf(folder, sizeof folder, "/tmp/warpdrill-server-XXXXXX");
    signal(SIGPIPE, SIG_IGN);
    return mkdtemp(folder) && setenv("XDG_RUNTIME_DIR", folder, 1) == 0 ? 0 : -1;
}

static int end(void **state)
{
    (void)state;
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return 0;
}

int main(void)
{
#define each(test) cmocka_unit_test_setup_teardown(test, begin, end)
    const struct CMUnitTest tests[] = {
        each(handshake), each(refusals), each(the_same_name_takes_the_seat), each(eight_observers),
        each(versions), each(guessing_is_slow), each(who_says_nothing_goes), each(bad_lines),
        each(only_what_changed_is_sent), each(a_slow_party_holds_nobody_up), each(every_key_once_and_in_order),
        each(a_new_host_says_what_was_lost), each(keys_wait_for_who_is_asleep), each(unsafe_places),
        each(a_folder_for_another_user), each(confined_processes_do_nothing_else), each(key_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
