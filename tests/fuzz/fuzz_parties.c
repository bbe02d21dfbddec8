/* A running interview hears several parties and its interviewer at once. The first byte says where
 * it stands when they begin (waiting, talk, scenario, quiet time, committed, revealed, drills, on
 * pause); then come orders of a byte and what belongs to it: parties join with a good, a watching
 * or a wrong code, press keys, say anything, go; the interviewer does something; time passes. After
 * each order no picture holds a word of the sealed half before its reveal, and in the end the log,
 * read anew, is the state that was kept in memory. */
#include <assert.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#include "scenarios/interview/interview_moves.h"
#include "scenarios/interview/interview_says.h"
#include "scenarios/link/session_inside.h"
#include "scenarios/interview/interview_life.h"
#include "scenarios/interview/interview_verbs.h"
#include "scenarios/pack/recordings.h"
#include "tests/tui/recorded.h"
#include "tui/app/app_inside.h"
#include "tui/app/help.h"
#include "tui/app/guest.h"
#include "tui/interview/candidate.h"
#include "tui/interview/console.h"
#include "tui/interview/console_after.h"
#include "tui/interview/console_begin.h"
#include "tui/interview/console_link.h"
#include "tui/interview/console_send.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { PARTIES = 4, ORDERS_MOST = 200, WINDOW = 20, TAIL = 64, SCENARIO = 1, KEYS_AT_ONCE = 16 };
enum stand {
    STAND_WAITING,
    STAND_TALK,
    STAND_SCENARIO,
    STAND_QUIET,
    STAND_COMMITTED,
    STAND_REVEALED,
    STAND_DRILLS,
    STAND_PAUSE,
    STANDS
};

struct party { int fd; long keys; bool observes; char heard[1 << 18]; size_t n; };
struct input { const uint8_t *at, *end; };

static struct tui_options options = { .trust = true };
static struct app host;
static struct console console;
static struct party parties[PARTIES];
static char **secrets;
static int n_secrets;
static bool revealed;                    /* words of the sealed half may be seen */
static int64_t clock_ms;

/* ---- the sealed half: stretches of its text that stand nowhere in the public one ---- */

static bool is_public(const struct variant *v, const char *window)
{
    bool is = strstr(v->suspect->text, window) || strstr(v->story->text, window);
    for (int r = 0; r < v->story->n_remedies; r++)
        is = is || strstr(v->story->remedies[r].text, window);
    for (int x = 0; x < v->story->n_experiments; x++)
        is = is || strstr(v->story->experiments[x].title, window);
    for (int h = 0; h < v->story->n_hypotheses; h++)
        is = is || strstr(v->story->hypotheses[h]->explain, window);
    for (int q = 0; q < v->story->n_questions; q++)
        is = is || strstr(v->story->questions[q].answer, window);
    return is;
}

static void add_secrets(const struct variant *v, const char *text)
{
    for (size_t at = 0, n = strlen(text); at + WINDOW <= n; at += WINDOW / 2) {
        char *window = text_ndup(text + at, WINDOW);
        bool plain = !strchr(window, '\n') && strspn(window, " -=*/#{}") < WINDOW / 3;
        if (!plain || is_public(v, window)) {
            free(window);
            continue;
        }
        secrets = mem_grow(secrets, (size_t)n_secrets + 1, sizeof *secrets);
        secrets[n_secrets++] = window;
    }
}

static void expect_no_secret(const char *text)
{
    for (int k = 0; k < n_secrets && !revealed; k++)
        if (strstr(text, secrets[k]))
            give_up("a party sees", secrets[k]);
}

/* ---- one process's life: packs, an app without a terminal ---- */

static int64_t fuzz_clock(void)
{
    return clock_ms;
}

static void time_passes(int64_t ms)
{
    char text[32];
    clock_ms += ms;
    snprintf(text, sizeof text, "%lld", (long long)(1795000000000 + clock_ms));
    setenv("WARPDRILL_NOW_MS", text, 1);
    host.now = clock_ms;
    if (host.guest)
        host.guest->now = clock_ms;
}

static void leave(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    if (system(command) != 0)
        perror(folder);
}

/* In memory where there is a file system in memory: every key is a commit. */
static void make_place(void)
{
    snprintf(folder, sizeof folder, "%s/wd-fuzz-XXXXXX",
             access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm");
    if (!mkdtemp(folder))
        give_up(folder, "cannot be made");
    setenv("XDG_STATE_HOME", folder, 1);
    setenv("XDG_RUNTIME_DIR", folder, 1);
    setenv("WARPDRILL_CONTENT", "content/packs", 1);
    recorded_packs();
    atexit(leave);
}

static void start(void)
{
    const char *places[] = { packs };
    const struct story *story;
    const struct variant *v = NULL;
    struct err err = { 0 };
    signal(SIGPIPE, SIG_IGN);
    make_place();
    host = (struct app){
        .open_help = help_open,
        .options = &options, .trust = { .always = true }, .runner_due = -1, .gpu = gpu_new()
    };
    if (catalog_open(&host.catalog, places, 1, &err) != 0 ||
        catalog_find(host.catalog, "first-principles/transposed-copy/a", &story, &v, &err) != 0)
        give_up("packs", err.text);
    add_secrets(v, v->debrief->text);
    for (int r = 0; r < v->n_readings; r++)
        add_secrets(v, v->readings[r].because);
    for (int p = 0; p < v->n_pushbacks; p++)
        add_secrets(v, v->pushbacks[p].teaches);
    assert(n_secrets > 20);
}

/* ---- an interview ---- */

static void plan_part(struct session_plan *p, enum session_part_kind kind, const char *what)
{
    struct session_part *part = &p->parts[p->n_parts++];
    *part = (struct session_part){ .kind = kind, .minutes = 10, .title = "A part" };
    if (kind == PART_DRILLS)
        snprintf(part->drills[part->n_drills++], sizeof part->drills[0], "%s", what);
    else
        snprintf(kind == PART_TALK ? part->ask : part->id,
                 kind == PART_TALK ? sizeof part->ask : sizeof part->id, "%s", what);
}

static void made_interview_begin(void)
{
    struct session_plan plan = { .title = "Fuzz",
                                 .candidate = "C-07",
                                 .tier = "recorded",
                                 .level = 1,
                                 .seed = 3,
                                 .withhold = true };
    struct err err = { 0 };
    plan_part(&plan, PART_TALK, "What was the slowest kernel that you ever met?");
    plan_part(&plan, PART_SCENARIO, "first-principles/transposed-copy/a");
    plan_part(&plan, PART_DRILLS, "hopper/h100-flops-per-byte");
    session_rubric_builtin(&plan);
    revealed = false;
    console = (struct console){
        .app = &host, .seen_part = -2, .has_codes = true, .options = { .no_wall = true }
    };
    if (interview_create(&console.live, &console.codes, &plan, 3600 * 1000, &err) != 0)
        give_up("an interview", err.text);
    console.guest = app_guest_new(&host, interview_store(console.live), console.live, 30, 100);
    console.sent = canvas_new(30, 100);
    if (link_open(&console, &err) != 0)
        give_up("a server", err.text);
    console.server->now = fuzz_clock;
    interview_opened(console.live, "none", NULL, &err);
    console_after(&console, 0, &err);
    for (int p = 0; p < PARTIES; p++)
        parties[p].fd = -1;
}

/* ---- the parties ---- */

static void hear(struct party *p)
{
    ssize_t n;
    while (p->fd >= 0 &&
           (n = recv(p->fd, p->heard + p->n, sizeof p->heard - 1 - p->n, MSG_DONTWAIT)) > 0) {
        p->n += (size_t)n;
        p->heard[p->n] = '\0';
        expect_no_secret(p->heard);
        size_t kept = p->n < TAIL ? p->n : TAIL;     /* a word may come in two pieces */
        memmove(p->heard, p->heard + p->n - kept, kept);
        p->n = kept;
    }
}

static void picture_is_clean(void)
{
    static char *before;
    bool changed;
    char *text = canvas_text(app_guest_picture(console.guest, &changed));
    if (!before || strcmp(before, text))
        expect_no_secret(text);
    free(before);
    before = text;
}

/* One turn of the host's loop. */
static void turn(void)
{
    struct err err = { 0 };
    time_passes(1);
    link_take(&console);
    console_after(&console, 0, &err);
    app_first_due(console.guest);
    app_run_ticks(console.guest);
    console_after(&console, 0, &err);
    revealed = revealed || interview_session(console.live)->parts[SCENARIO].revealed;
    picture_is_clean();
    for (int p = 0; p < PARTIES; p++)
        hear(&parties[p]);
    assert(session_server_parties(console.server, false) <= 1);
}

static void say(struct party *p, const char *text, size_t n)
{
    for (size_t done = 0; p->fd >= 0 && done < n;) {
        ssize_t sent = send(p->fd, text + done, n - done, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0)
            return;
        done += (size_t)sent;
        turn();
    }
}

static void party_go(struct party *p)
{
    if (p->fd >= 0)
        close(p->fd);
    *p = (struct party){ .fd = -1 };
    turn();
}

/* Names: of two that are the same the second takes the first one's seat. */
static void party_come(struct party *p, uint8_t how)
{
    struct session_place place;
    char join[400], wrong[CODE_TEXT];
    party_go(p);
    snprintf(wrong, sizeof wrong, "%.4s0000-0000", console.codes.candidate);
    const char *code = how % 4 == 0   ? wrong
                       : how % 4 == 1 ? console.codes.observer
                                      : console.codes.candidate;
    p->fd = session_place_find(&place, interview_session(console.live)->code_id, NULL) == 0
                ? session_place_connect(&place, NULL)
                : -1;
    p->observes = code == console.codes.observer;
    int n = snprintf(join, sizeof join,
                     "{\"type\":\"join\",\"protocol\":1,\"program\":\"x\",\"code\":\"%s\",\"name\":"
                     "\"%c\",\"client\":\"%032d\",\"rows\":%d,\"columns\":%d,"
                     "\"utf8\":true,\"confined\":0}\n",
                     code, how & 16 ? 'A' : 'B', how >> 5, how & 32 ? 30 : 24, how & 64 ? 100 : 60);
    say(p, join, (size_t)n);
    turn();
}

static uint8_t next(struct input *in)
{
    return in->at < in->end ? *in->at++ : 0;
}

/* Rightly numbered, so that they arrive. */
static void party_types(struct party *p, struct input *in)
{
    static const int far[] = { 258, 259, 260, 261, 338, 339, 343, 330, 410, 0x2000000 + 0x2500 };
    char line[512];
    int count = next(in) % KEYS_AT_ONCE + 1;
    int n = snprintf(line, sizeof line, "{\"type\":\"key\",\"n\":%ld,\"keys\":[", p->keys + 1);
    for (int k = 0; k < count; k++) {
        int key = next(in);
        n += snprintf(line + n, sizeof line - (size_t)n, "%s%d", k ? "," : "",
                      key < 128 ? key : far[key % 10]);
    }
    n += snprintf(line + n, sizeof line - (size_t)n, "]}\n");
    p->keys += count;
    say(p, line, (size_t)n);
}

static void party_says(struct party *p, struct input *in)
{
    size_t n = next(in), left = (size_t)(in->end - in->at);
    n = n < left ? n : left;
    say(p, (const char *)in->at, n);
    in->at += n;
}

static void party_tells(struct party *p, uint8_t what, int number)
{
    char line[128];
    static const char *const forms[] = { "{\"type\":\"seen\",\"n\":%d}\n",
                                         "{\"type\":\"size\",\"rows\":%d,\"columns\":90}\n",
                                         "{\"type\":\"size\",\"rows\":20,\"columns\":%d}\n",
                                         "{\"type\":\"pong\",\"n\":%d}\n",
                                         "{\"type\":\"leave\",\"n\":%d}\n",
                                         "{\"type\":\"key\",\"n\":%d,\"keys\":[113]}\n" };
    int n = snprintf(line, sizeof line, forms[what % 6], number);
    say(p, line, (size_t)n);
}

/* ---- the interviewer ---- */

static void verb(uint8_t which, uint8_t how)
{
    static const char *const probes[] = { "timing", "memory",    "resources",
                                          "source", "occupancy", "none" };
    struct interview *l = console.live;
    const struct session *s = interview_session(l);
    struct err err = { 0 };
    int rc = 0;
    switch (which % 18) {
    case 0: rc = console_begin(&console, how % 3, &err); break;
    case 1: rc = interview_pause(l, how & 1, &err); break;
    case 2: rc = interview_quiet(l, how & 1 ? SESSION_QUIET_S : 0, &err); break;
    case 3: rc = interview_revealed(l, interview_session(l)->part, &err); break;
    case 4: rc = interview_push(l, how % 4, &err); break;
    case 5: rc = interview_hint(l, how % 3, "What does one warp touch?", &err); break;
    case 6: rc = interview_inject(l, "And with half the memory?", &err); break;
    case 7: rc = candidate_hand(console.guest, probes[how % 6], &err); break;
    case 8: rc = interview_withhold(l, probes[how % 6], how & 8, &err); break;
    case 9: rc = console_ask_drill(&console, s->plan.parts[2].drills[0], &err); break;
    case 10: rc = interview_release(l, &err); break;
    case 11: rc = interview_take_back(l, &err); break;
    case 12: rc = interview_finish(l, &err); break;
    case 13: rc = interview_rate(l, s->plan.signals[0].id, how % 5, &err); break;
    case 14: rc = interview_note(l, "a note", how & 1, &err); break;
    case 15: rc = interview_minutes(l, how % 3, how % 40, &err); break;
    case 16: link_key(&console, how); break;
    default: rc = interview_revealed(l, SCENARIO, &err); break;
    }
    console_after(&console, rc, &err);
    turn();
}

/* ---- where it stands at the beginning ---- */

static void types(const char *text)
{
    for (; *text; text++)
        link_key(&console, (unsigned char)*text);
    turn();
}

static void stand(enum stand at)
{
    struct err err = { 0 };
    static const int part[STANDS] = { -1, 0, 1, 1, 1, 1, 2, 1 };
    if (part[at] >= 0)
        console_after(&console, console_begin(&console, part[at], &err), &err);
    turn();
    if (at == STAND_QUIET)
        interview_quiet(console.live, SESSION_QUIET_S, &err);
    if (at == STAND_COMMITTED || at == STAND_REVEALED)
        types("1+++c\r");
    if (at == STAND_REVEALED)
        interview_revealed(console.live, interview_session(console.live)->part, &err);
    if (at == STAND_PAUSE)
        interview_pause(console.live, true, &err);
    if (at == STAND_DRILLS)
        console_ask_drill(&console, "hopper/h100-flops-per-byte", &err);
    turn();
}

/* ---- one input ---- */

static void follow(struct input *in)
{
    uint8_t order = next(in);
    struct party *p = &parties[order >> 3 & 3];
    switch (order & 7) {
    case 0: party_come(p, next(in)); break;
    case 1: case 2: party_types(p, in); break;
    case 3: party_says(p, in); break;
    case 4: { uint8_t what = next(in); party_tells(p, what, next(in)); break; }
    case 5: { uint8_t which = next(in); verb(which, next(in)); break; }
    case 6: time_passes(next(in) * 50); turn(); break;
    default: party_go(p); break;
    }
}

/* What another process would find. */
static void log_is_the_state(void)
{
    struct interview *again = NULL;
    struct err err = { 0 };
    const struct session *s = interview_session(console.live), *t;
    if (interview_settle(console.live, &err) != 0 ||
        interview_open(&again, interview_id(console.live), true, &err) != 0)
        give_up("the log", err.text);
    t = interview_session(again);
    assert(s->phase == t->phase && s->part == t->part && s->events == t->events &&
           s->n_notes == t->n_notes && s->released == t->released);
    struct attempt *a = interview_attempt_of(console.live, SCENARIO, NULL),
                   *b = interview_attempt_of(again, SCENARIO, &err);
    if (!a != !b)
        give_up("the attempt", err.text);
    if (a) {
        assert(attempt_state(a)->n_moves == attempt_state(b)->n_moves &&
               attempt_state(a)->phase == attempt_state(b)->phase);
        assert(!memcmp(attempt_state(a)->points, attempt_state(b)->points,
                       sizeof attempt_state(a)->points));
    }
    interview_free(again);
}

static void made_interview_end(void)
{
    char id[64];
    for (int p = 0; p < PARTIES; p++)
        party_go(&parties[p]);
    assert(session_server_parties(console.server, false) == 0 &&
           session_server_parties(console.server, true) == 0);
    log_is_the_state();
    snprintf(id, sizeof id, "%s", interview_id(console.live));
    link_leave(&console);
    app_guest_free(console.guest);
    canvas_free(console.sent);
    live_numbers_free(&console.numbers);
    console_forget(&console);
    interview_free(console.live);
    interview_delete(id, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input in = { data, data + size };
    if (!host.catalog)
        start();
    clock_ms = 100000;
    time_passes(0);
    made_interview_begin();
    stand((enum stand)(next(&in) % STANDS));
    for (int n = 0; n < ORDERS_MOST && in.at < in.end; n++)
        follow(&in);
    made_interview_end();
    return 0;
}
