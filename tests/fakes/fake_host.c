/* A host of an interview for tests of joining: fake_host CODE [USER-ID]. It shows who sits there,
 * the size, and the last keys, until its input ends or "q" is pressed; what happens it says on
 * stdout, a line each. $FAKE_HOST_KEY names a public key whose authorized_keys line for
 * $FAKE_HOST_PROGRAM it prints first. The observers' code has "wwww" as its last group. */
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "scenarios/interview/authorized_key.h"
#include "scenarios/link/session_server.h"

enum { LAST = 40 };

struct show { char name[64], wall[16], keys[LAST + 1]; long n; int rows, columns; };


static int admit(void *self, const char *code, bool *observer, struct err *err)
{
    const char *candidate = self;
    size_t group = strlen(candidate) - 4;
    *observer = strlen(code) == strlen(candidate) && !strncmp(code, candidate, group) &&
                !strcmp(code + group, "wwww");
    return *observer || !strcmp(code, candidate)
               ? 0
               : err_set(err, ERR_PERMISSION, "That code lets nobody in.");
}

static void row_add(json_t *lines, const char *text)
{
    json_array_append_new(lines,
                          json_pack("[i, [i, i, s]]", (int)json_array_size(lines), 1, 0, text));
}

static void draw(struct session_server *s, const struct show *now)
{
    char text[200];
    json_t *lines = json_array();
    row_add(lines, "a host stands in");
    snprintf(text, sizeof text, "%s, %s, %d x %d", now->name, now->wall, now->columns, now->rows);
    row_add(lines, text);
    snprintf(text, sizeof text, "%ld keys: %s", now->n, now->keys);
    row_add(lines, text);
    while ((int)json_array_size(lines) < now->rows)
        json_array_append_new(lines, json_pack("[i]", (int)json_array_size(lines)));
    json_t *whole =
        json_pack("{s:i, s:i, s:o}", "rows", now->rows, "columns", now->columns, "lines", lines);
    session_server_show(s, whole);
    json_decref(whole);
}

static void key_add(struct show *now, int key)
{
    size_t n = strlen(now->keys);
    if (n == LAST)
        memmove(now->keys, now->keys + 1, n--);
    now->keys[n] = key >= 32 && key < 127 ? (char)key : '#';
    now->keys[n + 1] = '\0';
    now->n++;
}

/* False when "q" was pressed. */
static bool take(struct session_server *s, struct show *now, const struct server_event *e)
{
    static const char *const words[] = {"joined", "left", "key", "size", "refused"};
    printf("%s %s %s %d %s\n", words[e->kind], e->observer ? "observer" : "candidate", e->name,
           e->key, e->say);
    if (e->observer)
        return true;
    if (e->kind == SERVER_JOINED || e->kind == SERVER_SIZE) {
        snprintf(now->name, sizeof now->name, "%s", e->name);
        snprintf(now->wall, sizeof now->wall, "%s", wall_name(e->wall));
        now->rows = e->rows < 3 ? 3 : e->rows > 200 ? 200 : e->rows;
        now->columns = e->columns > 400 ? 400 : e->columns;
    }
    if (e->kind == SERVER_KEY) {
        key_add(now, e->key);
        session_server_heard(s, e->party, e->n);
    }
    return e->kind != SERVER_KEY || e->key != 'q';
}

static int key_print(const char *code, struct err *err)
{
    const char *file = getenv("FAKE_HOST_KEY"), *program = getenv("FAKE_HOST_PROGRAM");
    char *line = NULL;
    if (!file || !program)
        return 0;
    int rc = authorized_key_line(&line, program, code, file, err);
    if (rc == 0)
        printf("key %s\n", line);
    free(line);
    return rc;
}

int main(int argc, char **argv)
{
    struct server_rules rules = {0};
    struct session_server *s;
    struct show now = {.rows = 24, .columns = 80};
    struct err err = {0};
    char id[8] = "";
    if (argc < 2)
        return 2;
    setvbuf(stdout, NULL, _IOLBF, 0);
    signal(SIGPIPE, SIG_IGN);
    snprintf(id, sizeof id, "%.*s", (int)strcspn(argv[1], "-"), argv[1]);
    rules.code_id = id;
    rules.has_guest = argc > 2;
    rules.guest = argc > 2 ? (uid_t)atoi(argv[2]) : 0;
    if (key_print(argv[1], &err) || session_server_open(&s, &rules, admit, argv[1], &err)) {
        fprintf(stderr, "%s\n", err.text);
        return 1;
    }
    printf("listening %s\n", session_server_path(s));
    for (bool on = true; on;) {
        struct pollfd fds[64] = {{.fd = STDIN_FILENO, .events = POLLIN}};
        struct server_event e;
        char byte;
        poll(fds, 1 + (nfds_t)session_server_fds(s, fds + 1, 63), session_server_timeout_ms(s));
        on = !fds[0].revents || read(STDIN_FILENO, &byte, 1) == 1;
        session_server_step(s);
        bool news = false;
        while (session_server_event(s, &e)) {
            on = take(s, &now, &e) && on;
            news = true;
        }
        if (news)
            draw(s, &now);
    }
    session_server_free(s);
    return 0;
}
