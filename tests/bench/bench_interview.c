/* An interview two hours old, with 10,000 events in its log: how long a key of the candidate takes
 * to their own picture and to the interviewer's screen, and a line of the interviewer to the
 * candidate's picture. The candidate is a client in this process, the host the program in a
 * terminal. */
#include <poll.h>
#include <stdlib.h>

#include "scenarios/interview/interview_says.h"
#include "scenarios/link/session_link.h"
#include "scenarios/interview/interview_life.h"
#include "scenarios/interview/interview_verbs.h"
#include "tests/bench/bench.h"
#include "tests/tui/interview/interview.h"
#include "tui/app/app_inside.h"
#include "tui/app/help.h"
#include "tui/app/guest.h"
#include "tui/interview/candidate.h"

#define AIM "p50 under 5 ms, none over 50"
enum { EVENTS = 10000, BELIEFS = 4000, KEYS = 400, LINES = 150, SECOND_PART = 1, BOUND_MS = 20000 };

static struct screen *host;
static struct session_link *guest_link;
static struct canvas *picture;
static char code[CODE_TEXT];

static void give_up(const char *what)
{
    char *text = picture ? canvas_text(picture) : NULL;
    fprintf(stderr, "bench_interview: %s\n%s\n", what, text ? text : "");
    if (host)
        screen_dump(host);
    exit(1);
}

/* ---- a log of 10,000 events ---- */

static void must(int rc, const struct err *err)
{
    if (rc != 0)
        give_up(err->text);
}

/* What an interviewer does in two hours, and much of it. */
static void one_event(struct interview *l, int k)
{
    struct err err = { 0 };
    const struct session *s = interview_session(l);
    char text[64];
    snprintf(text, sizeof text, "the %dth thing that was said", k);
    if (k % 50 == 0)
        must(interview_inject(l, text, &err), &err);
    else if (k % 20 == 0)
        must(interview_note(l, text, k % 40 == 0, &err), &err);
    else if (k % 3 == 0)
        must(interview_rate(l, s->plan.signals[k % s->plan.n_signals].id, 1 + k % 4, &err), &err);
    else
        must(interview_tick(l, &err), &err);
}

static void fill(void)
{
    static struct tui_options options = { .trust = true };
    struct app app = {.options = &options, .open_help = help_open,
                      .trust = {.always = true},
                      .runner_due = -1,
                      .gpu = gpu_new(),
                      .now = os_monotonic_ms()};
    struct session_plan plan = {.title = "Kernel diagnosis, two hours",
                                .candidate = "C-07",
                                .level = 1,
                                .seed = 3,
                                .withhold = true,
                                .tier = "recorded",
                                .n_parts = 2};
    struct session_codes codes;
    struct interview *l;
    struct err err = { 0 };
    plan.parts[0] = (struct session_part){.kind = PART_TALK,
                                          .minutes = 10,
                                          .title = "To begin with",
                                          .ask = "What was it?"};
    plan.parts[SECOND_PART] = (struct session_part){.kind = PART_SCENARIO,
                                                    .minutes = 110,
                                                    .title = "A slow copy",
                                                    .id = STORY};
    session_rubric_builtin(&plan);
    must(catalog_open(&app.catalog, NULL, 0, &err), &err);
    must(interview_create(&l, &codes, &plan, 3600 * 1000, &err), &err);
    snprintf(code, sizeof code, "%s", codes.candidate);
    struct app *guest = app_guest_new(&app, interview_store(l), l, GUEST_ROWS, GUEST_COLUMNS);
    must(interview_opened(l, "user", NULL, &err), &err);
    must(interview_begin(l, SECOND_PART, &err), &err);
    must(candidate_follow(guest, &err), &err);
    for (int k = 0; interview_session(l)->events + BELIEFS < EVENTS; k++)
        one_event(l, k);
    for (int k = 0; k < BELIEFS; k++) {
        app_guest_key(guest, k == 0 ? '1' : k % 2 ? '+' : '-');
        must(interview_settle(l, &err), &err);
    }
    const struct interview_entry *entries;
    printf("%d entries in the log\n", interview_entries(l, &entries));
    app_guest_free(guest);
    interview_free(l);
    gpu_free(app.gpu);
    library_free(&app.library);
    catalog_free(app.catalog);
}

/* ---- the candidate ---- */

/* Until the next picture; false when none comes. */
static bool next_picture(void)
{
    double end = now_ms() + BOUND_MS;
    while (now_ms() < end) {
        struct pollfd fds[2];
        json_t *message;
        struct err err;
        session_link_step(guest_link);
        if (session_link_picture(guest_link, &message)) {
            must(canvas_decode(picture, message, &err), &err);
            json_decref(message);
            session_link_seen(guest_link);
            return true;
        }
        int n = session_link_fds(guest_link, fds, 2);
        poll(fds, (nfds_t)n, n ? 50 : 5);
        screens_take(0);
    }
    return false;
}

static bool pictured(const char *text)
{
    char *all = canvas_text(picture);
    bool there = strstr(all, text) != NULL;
    free(all);
    return there;
}

/* Points of the first hypothesis, as the candidate and as the interviewer see them. */
static int points_pictured(void)
{
    char *all = canvas_text(picture), *row = strstr(all, "1 uncoalesced access");
    int points = 0;
    for (char *at = row ? row + 20 : NULL; at && *at && *at != '\n' && points == 0; at++)
        points = *at >= '0' && *at <= '9' ? atoi(at) : 0;
    free(all);
    return points;
}

static int points_mirrored(void)
{
    int y, x;
    char row[4096];
    if (!screen_find(host, "1 uncoalesced access", &y, &x))
        return 0;
    screen_row(host, y, row, sizeof row);
    return atoi(strstr(row, "1 uncoalesced access") + 20);
}

static void come_in(void)
{
    static const char *const words[] = { "--no-wall", "--resume", NULL };
    double before = now_ms();
    host = host_screen(words, NULL);
    if (!screen_wait(host, "theirs, ideal"))
        give_up("the host does not come");
    printf("  resumed in %.0f ms\n", now_ms() - before);
    picture = canvas_new(GUEST_ROWS, GUEST_COLUMNS);
    guest_link = session_link_new(&(struct link_terms){.code = code,
                                                       .name = "C-07",
                                                       .rows = GUEST_ROWS,
                                                       .columns = GUEST_COLUMNS,
                                                       .utf8 = true});
    while (!pictured("WHAT YOU BELIEVE") || points_pictured() == 0)
        if (!next_picture())
            give_up("the candidate does not come in");
}

/* ---- what is timed ---- */

static void keys(void)
{
    static double mine[KEYS], theirs[KEYS];
    session_link_key(guest_link, '1');
    for (int k = 0; k < KEYS; k++) {
        int was = points_pictured();
        double before = now_ms();
        session_link_key(guest_link, k % 2 ? '-' : '+');
        while (points_pictured() == was)
            if (!next_picture())
                give_up("a key does nothing");
        mine[k] = now_ms() - before;
        while (points_mirrored() != points_pictured() && now_ms() < before + BOUND_MS)
            screens_take(20);
        theirs[k] = now_ms() - before;
    }
    show("  candidate's key to the candidate's picture", mine, KEYS, AIM);
    show("  candidate's key to the interviewer's screen", theirs, KEYS, AIM);
}

static void lines(void)
{
    static double ms[LINES];
    for (int k = 0; k < LINES; k++) {
        char text[32];
        snprintf(text, sizeof text, "line %d.", k);
        screen_send(host, "i");
        screen_expect(host, "Enter store");
        screen_send(host, text);
        screen_expect(host, text);
        double before = now_ms();
        screen_send(host, "\r");
        while (!pictured(text))
            if (!next_picture())
                give_up("a line does not come");
        ms[k] = now_ms() - before;
        screen_expect_gone(host, "Enter store");
    }
    show("  interviewer's key to the candidate's picture", ms, LINES, AIM);
}

/* ---- in memory, and on the disk that holds /tmp, where each key waits for a commit ---- */

static void measure(const char *where)
{
    printf("  the log %s\n", where);
    come_in();
    keys();
    lines();
    session_link_free(guest_link);
    screen_free(host);
    canvas_free(picture);
}

static int to_disk(char *folder, size_t size)
{
    char command[300];
    snprintf(folder, size, "/tmp/wd-interview-XXXXXX");
    if (!mkdtemp(folder))
        return 1;
    snprintf(command, sizeof command, "cp -r '%s/state' '%s/'", place, folder);
    snprintf(env_state, sizeof env_state, "XDG_STATE_HOME=%s/state", folder);
    return system(command);
}

int main(void)
{
    bool memory = access("/dev/shm", W_OK) == 0;
    char folder[32] = "", command[64];
    setenv("WARPDRILL_CONTENT", "content/packs", 1);
    if (interview_place(memory ? "/dev/shm" : "/tmp") != 0)
        return 1;
    fill();
    if (memory) {
        measure("in memory");
        if (to_disk(folder, sizeof folder) != 0)
            return 1;
    }
    measure("on disk");
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return interview_clear() || (folder[0] && system(command) != 0);
}
