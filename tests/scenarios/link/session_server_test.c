/* The host's end of an interview's link: who is let in, who has to wait, what a bad party can do,
 * where the socket lies. */
#include "tests/scenarios/link/session_host.h"

/* ---- who is let in ---- */

static void handshake(void **state)
{
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
    struct host *h = host_new(true);
    refused(h, "k7q-aaaa-aaaa", "C-07", "lets nobody in");
    refused(h, "k7q-old0-old0", "C-07", "expired");
    struct session_link *l = link_new(CODE, "C-07");
    link_until(h, l, LINK_HERE);
    refused(h, CODE, "C-08", "The candidate is here already");    /* and is not named */
    assert_int_equal(session_link_state(l), LINK_HERE);
    assert_string_equal(last_of(h, SERVER_REFUSED)->name, "C-08");
    session_link_free(l);
    host_until(h, NULL, SERVER_LEFT, 1);
    l = link_new(CODE, "C-08"); /* the seat is free */
    link_until(h, l, LINK_HERE);
    session_link_free(l);
    host_until(h, NULL, SERVER_LEFT, 2);
    l = link_new(CODE, "");     /* first whether the code lets in at all */
    link_until(h, l, LINK_NAMELESS);
    assert_false(session_link_key(l, 'a'));
    assert_int_equal(count_of(h, SERVER_JOINED), 2);
    session_link_name(l, "C-09");
    link_until(h, l, LINK_HERE);
    assert_string_equal(last_of(h, SERVER_JOINED)->name, "C-09");
    session_link_free(l);
    refused(h, "k7q-aaaa-aaaa", "", "lets nobody in");
    host_free(h);
    h = host_new(false);
    refused(h, CODE, "C-07", "--no-wall");
    refused(h, CODE, "", "--no-wall");
    host_free(h);
}

static void the_same_name_takes_the_seat(void **state)
{
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
    session_server_dismiss(h->s, h->events[0].party, "Thank you.", NULL);
    link_until(h, b, LINK_ENDED);
    assert_string_equal(session_link_say(b), "Thank you.");
    session_link_free(a);
    session_link_free(b);
    host_free(h);
}

/* Whose link was down while somebody else sat down comes back to a seat that is taken. */
static void there_is_one_candidate(void **state)
{
    struct host *h = host_new(true);
    int a = raw_open(h), b;
    raw_join(h, a, CODE, "A", CLIENT);
    expect(raw_heard(h, a), "welcome");
    close(a);
    host_step(h);
    b = raw_open(h);
    raw_join(h, b, CODE, "B", "f123456789abcdef0123456789abcdef");
    expect(raw_heard(h, b), "welcome");
    a = raw_open(h);
    raw_join(h, a, CODE, "A", CLIENT);
    expect(raw_heard(h, a), "The candidate is here already");
    assert_int_equal(session_server_parties(h->s, false), 1);
    close(a);
    close(b);
    host_free(h);
}

static void eight_observers(void **state)
{
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
    struct host *h = host_new(true);
    static const struct { const char *said, *heard;
    } cases[] = {
        {"{\"type\":\"join\",\"protocol\":0,\"program\":\"0.0.9\"}\n",
         "and this is 0.0.9 (protocol 0), which is older"},
        {"{\"type\":\"join\",\"protocol\":9,\"program\":\"3.\\u001b[2J\",\"more\":{}}\n",
         "and this is 3.?[2J (protocol 9), which is newer"},
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

static void wrong_joins(struct host *h, int *fds, int n)
{
    for (int i = 0; i < n; i++) {
        fds[i] = raw_open(h);
        raw_join(h, fds[i], "k7q-wrng-wrng", "x", "f123456789abcdef0123456789abcdef");
    }
}

static void close_all(struct host *h, const int *fds, int n)
{
    for (int i = 0; i < n; i++)
        close(fds[i]);
    host_step(h);
}

/* A wrong code is answered late; a right one at once, with as many wrong ones waiting as may. */
static void wrong_codes_slow_nobody_else(void **state)
{
    struct host *h = host_new(true);
    int wrong[WRONG_MOST];
    fake_now = 1000;
    h->s->now = fake_clock;
    wrong_joins(h, wrong, WRONG_MOST - 1);
    assert_int_equal(h->asked, WRONG_MOST - 1);
    int right = raw_open(h);
    raw_join(h, right, CODE, "C-07", CLIENT);
    expect(raw_heard(h, right), "welcome");
    for (int i = 0; i < WRONG_MOST - 1; i++)
        assert_string_equal(raw_heard(h, wrong[i]), "");
    fake_now += WRONG_MS;
    for (int i = 0; i < WRONG_MOST - 1; i++)
        expect(raw_heard(h, wrong[i]), "lets nobody in");
    close_all(h, wrong, WRONG_MOST - 1);
    close(right);
    host_free(h);
}

/* Neither many connections nor connections that are given up make guesses faster; who was right
 * waits for a second at most then. */
static void guesses_are_counted(void **state)
{
    struct host *h = host_new(true);
    int wrong[WRONG_MOST], more[3];
    fake_now = 1000;
    h->s->now = fake_clock;
    for (int second = 0; second < 5; second++) {
        int asked = h->asked;
        wrong_joins(h, wrong, WRONG_MOST);
        close_all(h, wrong, WRONG_MOST);         /* nobody waits for the answers */
        wrong_joins(h, more, 2);
        more[2] = raw_open(h);
        raw_join(h, more[2], CODE, "C-07", CLIENT);
        assert_int_equal(h->asked - asked, WRONG_MOST);
        fake_now += WRONG_MS - 1;
        host_step(h);
        assert_int_equal(h->asked - asked, WRONG_MOST);
        fake_now += 1;
        host_step(h);
        host_step(h);
        assert_int_equal(h->asked - asked, WRONG_MOST + 3);
        expect(raw_heard(h, more[2]), "welcome");
        close_all(h, more, 3);
        fake_now += WRONG_MS;
    }
    host_free(h);
}

static void who_says_nothing_goes(void **state)
{
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
    struct host *h = host_new(true);
    static char big[LINE_MOST + 2000], deep[20000], many[32000];
    memset(big, 'a', sizeof big);
    memset(deep, '[', sizeof deep);
    deep[sizeof deep - 1] = '\n';
    int n = snprintf(many, sizeof many, "{\"type\":\"key\",\"n\":1,\"keys\":[1");
    for (int i = 0; i < KEYS_MOST; i++)
        n += snprintf(many + n, sizeof many - (size_t)n, ",1");
    n += snprintf(many + n, sizeof many - (size_t)n, "]}\n");
    const struct { const char *text; size_t n;
    } lines[] = {
        {big, sizeof big},
        {deep, sizeof deep},
        {many, (size_t)n},
        {"\0\n", 2},
        {"[]\n", 3},
        {"{}\n", 3},
        {"\xff\xfe\n", 3},
        {"{\"type\":1}\n", 11},
        {"{\"type\":\"key\",\"n\":2,\"keys\":[1]}\n", 32},
        {"{\"type\":\"key\",\"n\":1,\"keys\":[-1]}\n", 33},
        {"{\"type\":\"key\",\"n\":1,\"keys\":[1.5]}\n", 34},
        {"{\"type\":\"key\",\"n\":1,\"keys\":[]}\n", 31},
        {"{\"type\":\"key\",\"n\":-1,\"keys\":[1]}\n", 33},
        {"{\"type\":\"size\",\"rows\":0,\"columns\":80}\n", 38},
        {"{\"type\":\"size\",\"rows\":99999,\"columns\":80}\n", 42},
        {"{\"type\":\"seen\",\"n\":7}\n", 22},
        {"{\"type\":\"nonsense\"}\n", 20},
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

/* ---- places ---- */

static void unsafe_places(void **state)
{
    struct session_server *s;
    struct server_rules rules = {.code_id = "k7q", .allow_unconfined = true};
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
    struct host *h = calloc(1, sizeof *h);
    struct err err = {0};
    struct stat st;
    char id[8], code[32], was[80];
    assert_non_null(h);
    snprintf(id, sizeof id, "t%05ld", (long)getpid() % 100000);
    snprintf(code, sizeof code, "%s%s", id, strchr(CODE, '-'));
    struct server_rules rules = {.code_id = id, .has_guest = true, .guest = 65534};
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
        assert_int_equal(join_until(h, join_as(65533, code)),
                         LINK_CONNECTING); /* a third one is not listened to */
        assert_int_equal(count_of(h, SERVER_JOINED), 1);
    } else {
        print_message("# another user's joining needs root\n");
    }
    host_free(h);
    assert_int_equal(access(was, F_OK), -1);
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
    int rc = authorized_key_line(out, program, CODE, path, err);
    unlink(path);
    return rc;
}

#define KEY "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAABAgMEBQYHCAkKCwwNDg8QERITFBUWFxgZGhscHR4f"

static void key_lines(void **state)
{
    struct err err = {0};
    char *line;
    assert_int_equal(line_of(&line, "/usr/bin/warpdrill", KEY " me@home\n", &err), 0);
    assert_string_equal(line, "restrict,pty,command=\"/usr/bin/warpdrill join " CODE "\" " KEY);
    free(line);
    assert_int_equal(line_of(&line, "/opt/my tools/warpdrill", KEY, &err), 0);
    expect(line, "command=\"'/opt/my tools/warpdrill' join " CODE "\" ssh-ed25519");
    free(line);
    static const char *const bad[] = {
        "",
        "\n",
        KEY "\n" KEY "\n",
        "command=\"sh\" " KEY "\n",
        "ssh-ed25519\n",
        "ssh-ed25519 %%%\n",
        "ssh-rsa AAAAC3NzaC1lZDI1NTE5AAAAIAABAgM\n",
        "ssh-dss AAAAB3NzaC1kc3M\n",
        KEY "\033[2J\n",
        "-----BEGIN OPENSSH PRIVATE KEY-----\n",
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        if (line_of(&line, "/usr/bin/warpdrill", bad[i], &err) != ERR_BAD_REQUEST)
            fail_msg("taken: %s", bad[i]);
    static const char *const programs[] = {"warpdrill", "/a\"b", "/a'b",
                                           "/a\\b",     "/a\nb", "/a\033b"};
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        assert_int_equal(line_of(&line, programs[i], KEY, &err), ERR_BAD_REQUEST);
    assert_int_equal(authorized_key_line(&line, "/usr/bin/warpdrill", "k7q;sh", NULL, &err),
                     ERR_BAD_REQUEST);
    assert_int_equal(authorized_key_line(&line, "/usr/bin/warpdrill", CODE, NULL, &err), 0);
    free(line);
    char name[64];
    assert_int_equal(session_name_read(name, " \t\n", &err), ERR_BAD_REQUEST);
    assert_int_equal(session_name_read(name, "  J\u00f6rg\033[2J ", &err), 0);
    assert_string_equal(name, "J\u00f6rg?[2J");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        each(handshake),
        each(refusals),
        each(the_same_name_takes_the_seat),
        each(there_is_one_candidate), each(eight_observers),
        each(versions),
        each(wrong_codes_slow_nobody_else), each(guesses_are_counted),
        each(who_says_nothing_goes),
        each(bad_lines),
        each(unsafe_places),
        each(a_folder_for_another_user),
        each(key_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
