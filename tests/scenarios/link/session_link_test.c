/* Both ends of an interview's link: pictures and keys come through whole whatever happens to it; a
 * joined process can do nothing else. */
#include "tests/scenarios/link/session_host.h"

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
        sscanf(json_string_value(json_array_get(json_array_get(line, 1), 2)), "row %d",
               &row[json_integer_value(json_array_get(line, 0))]);
    int n = (int)json_array_size(lines);
    json_decref(picture);
    session_link_seen(l);
    return n;
}

static void only_what_changed_is_sent(void **state)
{
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
    const int *lost;
    assert_int_equal(session_link_dropped(l, &lost), 0);
    session_link_free(l);
    host_free(h);
}

static void a_new_host_says_what_was_lost(void **state)
{
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
    const int *lost;
    assert_int_equal(session_link_dropped(l, &lost), 3);
    assert_true(lost[0] == 'd' && lost[1] == 'e' && lost[2] == 'f');
    assert_int_equal(session_link_dropped(l, &lost), 0);
    session_link_key(l, 'g');
    host_until(h, l, SERVER_KEY, 1);
    assert_int_equal(last_of(h, SERVER_KEY)->key, 'g');
    session_link_free(l);
    host_free(h);
    session_server_free(dead);
}

static void keys_wait_for_who_is_asleep(void **state)
{
    struct host *h = host_new(true);
    struct session_link *l = link_new(CODE, "C-07");
    link_until(h, l, LINK_HERE);
    int kept = 0;
    while (session_link_key(l, 'k')) /* the host does not look */
        kept++;
    assert_int_equal(kept, LINK_KEYS_MOST - 1);
    assert_true(session_link_key(l, LINK_PASTE_END)); /* a paste that is too long has an end */
    assert_false(session_link_key(l, LINK_PASTE_END));
    host_until(h, l, SERVER_KEY, LINK_KEYS_MOST);
    assert_int_equal(last_of(h, SERVER_KEY)->key, LINK_PASTE_END);
    session_link_free(l);
    host_free(h);
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
    unsigned possible = confine_possible();
    if (!(possible & CONFINED_CALLS)) {
        print_message(
            "# this kernel has no filter of system calls: join cannot be confined here\n");
        return;
    }
    print_message("# Landlock %d\n", os_confine_abi());
    struct host *h = host_new(false); /* nobody unconfined */
    int done[2];
    assert_int_equal(pipe(done), 0);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        unsigned stands = confine_self(CONFINE_JOIN);
        int could = tempt();
        struct session_link *l = session_link_new(&(struct link_terms){.code = CODE,
                                                                       .name = "C-07",
                                                                       .rows = 24,
                                                                       .columns = 80,
                                                                       .confined = stands});
        for (int64_t started = os_monotonic_ms();
             session_link_state(l) == LINK_CONNECTING && os_monotonic_ms() - started < BOUND_MS;) {
            session_link_step(l);
            poll(NULL, 0, 5);
        }
        unsigned char say[3] = {(unsigned char)stands, (unsigned char)could,
                                (unsigned char)session_link_state(l)};
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
    const char *join = "{\"type\":\"join\",\"protocol\":1,\"program\":\"0.1.0\",\"code\":\"" CODE
                       "\",\"name\":\"C-07\",\"client\":\"" CLIENT
                       "\",\"rows\":24,\"columns\":80,\"utf8\":true,\"confined\":3}\n";
    raw_say(h, fd2, join, strlen(join));
    expect(raw_heard(h, fd2), "\"reason\":\"wall\"");
    close(fd2);
    host_free(h);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        each(only_what_changed_is_sent),
        each(a_slow_party_holds_nobody_up),
        each(every_key_once_and_in_order),
        each(a_new_host_says_what_was_lost),
        each(keys_wait_for_who_is_asleep),
        each(confined_processes_do_nothing_else),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
