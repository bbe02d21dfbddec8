/* The candidate's side of an interview, in one process: the interviewer's verbs on one side, keys
 * and the picture on the other. After every step the picture is searched for the sealed half of the
 * scenario, which must not be there before the reveal. */
#ifndef WD_TESTS_TUI_CANDIDATE_SEAT_H
#define WD_TESTS_TUI_CANDIDATE_SEAT_H

#include "kernels/wire/os.h"
#include "scenarios/interview/interview_life.h"
#include "scenarios/interview/interview_verbs.h"
#include "tests/tui/recorded.h"
#include "tests/unit.h"
#include "tui/app/app_inside.h"
#include "tui/app/guest.h"
#include "tui/app/help.h"
#include "tui/app/run.h"
#include "tui/interview/candidate.h"
#include "tui/kit/draw.h"

enum { WINDOW = 20, LONG_MS = 60000, PUSHED = 0 /* the pushback that is made */ };

static struct tui_options options = { .trust = true };
static struct app host;
static struct app *guest;
static struct interview *live;
static int64_t later;                    /* ms by which the clock is put forward */
static bool revealed;
static const char *scenario = "first-principles/transposed-copy/a";

/* ---- the sealed half ---- */

struct secrets { char **text; int n; };
static struct secrets secrets;

static inline bool is_public(const struct variant *v, const char *window)
{
    if ((v->suspect && strstr(v->suspect->text, window)) || strstr(v->story->text, window))
        return true;
    for (int r = 0; r < v->story->n_remedies; r++)
        if (strstr(v->story->remedies[r].text, window))
            return true;
    for (int x = 0; x < v->story->n_experiments; x++)
        if (strstr(v->story->experiments[x].title, window))
            return true;
    for (int h = 0; h < v->story->n_hypotheses; h++)
        if (strstr(v->story->hypotheses[h]->explain, window))
            return true;
    for (int q = 0; q < v->story->n_questions; q++)
        if (strstr(v->story->questions[q].answer, window))
            return true;
    return false;
}

/* Every stretch of WINDOW characters that holds a whole word or two, and is nowhere in the public
 * half. */
static inline void add_secret(const struct variant *v, const char *text)
{
    for (size_t at = 0, n = strlen(text); at + WINDOW <= n; at += WINDOW / 2) {
        size_t blank = strspn(text + at, " \t");
        char *window = text_ndup(text + at + blank, blank < WINDOW ? WINDOW - blank : 0);
        bool plain = strlen(window) > 2 * WINDOW / 3 && strspn(window, "-=*/#{}") < WINDOW / 3 &&
                     !strchr(window, '\n');
        if (!plain || is_public(v, window)) {
            free(window);
            continue;
        }
        secrets.text = mem_grow(secrets.text, (size_t)secrets.n + 1, sizeof *secrets.text);
        secrets.text[secrets.n++] = window;
    }
}

static inline void learn_secrets(const struct variant *v)
{
    for (int k = 0; k < secrets.n; k++)
        free(secrets.text[k]);
    secrets.n = 0;
    add_secret(v, v->debrief->text);
    if (v->fix_file)
        add_secret(v, v->fix_file->text);
    for (int r = 0; r < v->n_readings; r++)
        add_secret(v, v->readings[r].because);
    for (int p = 0; p < v->n_pushbacks; p++) {
        add_secret(v, v->pushbacks[p].teaches);
        if (p != PUSHED)
            add_secret(v, v->pushbacks[p].says);
    }
    assert_true(secrets.n > 40);
}

/* ---- the picture ---- */

/* NULL unless a secret is in it. */
static inline const char *leak(const char *picture)
{
    for (int k = 0; k < secrets.n; k++)
        if (strstr(picture, secrets.text[k]))
            return secrets.text[k];
    return NULL;
}

/* Could the search find anything? After the reveal it must. */
static inline bool tells_now(void)
{
    bool changed;
    char *text = canvas_text(app_guest_picture(guest, &changed));
    bool tells = leak(text) != NULL;
    free(text);
    return tells;
}

static inline char *picture(void)
{
    bool changed;
    char *text = canvas_text(app_guest_picture(guest, &changed));
    const char *told = revealed ? NULL : leak(text);
    if (told)
        fail_msg("the candidate sees \"%s\":\n%s", told, text);
    return text;
}

static inline bool shows(const char *text)
{
    char *all = picture();
    bool there = strstr(all, text) != NULL;
    free(all);
    return there;
}

static inline void expect_at(int line, const char *text, bool there)
{
    char *all = picture();
    if ((strstr(all, text) != NULL) != there)
        fail_msg("line %d: %s: \"%s\"\n%s", line, there ? "not there" : "there", text, all);
    free(all);
}
#define expect(text) expect_at(__LINE__, text, true)
#define expect_not(text) expect_at(__LINE__, text, false)

/* ---- one turn of the loop ---- */

/* The wall clock stands but for this, so that no second passes by itself. */
static inline void wall_clock(void)
{
    static int64_t ms = 1795000000000;
    char text[32];
    snprintf(text, sizeof text, "%lld", (long long)(++ms + later));
    setenv("WARPDRILL_NOW_MS", text, 1);
}

static inline void step(void)
{
    struct client_event e;
    struct pollfd fds[16];
    int n = gpu_fds(host.gpu, fds, 16);
    wall_clock();
    host.now = os_monotonic_ms() + later;
    guest->now = host.now;
    if (n && poll(fds, (nfds_t)n, 10) < 0)
        return;
    gpu_step(host.gpu);
    while (gpu_event(host.gpu, &e))
        app_tell(guest, &e);
    app_first_due(guest);
    app_run_ticks(guest);
    free(picture());
}

static inline void until_at(int line, const char *text)
{
    int64_t end = os_monotonic_ms() + LONG_MS;
    while (!shows(text) && os_monotonic_ms() < end)
        step();
    expect_at(line, text, true);
}
#define until(text) until_at(__LINE__, text)

static inline void key(int k)
{
    wall_clock();
    app_guest_key(guest, k);
    assert_int_equal(interview_settle(live, NULL), 0);
    free(picture());
}

static inline void keys(const char *text)
{
    for (; *text; text++)
        key((unsigned char)*text);
}

static inline void press_at(int line, const char *text, const char *then)
{
    keys(text);
    expect_at(line, then, true);
}
#define press(text, then) press_at(__LINE__, text, then)

static inline void did(int rc, const struct err *err)
{
    struct err why = { 0 };
    if (rc != 0)
        fail_msg("%s", err->text);
    if (candidate_follow(guest, &why) != 0)
        fail_msg("%s", why.text);
    step();
}
#define DO(call) do { struct err err = { 0 }; did(call, &err); } while (0)

/* ---- the interview ---- */

static inline void plan_part(struct session_plan *p, enum session_part_kind kind, const char *title,
                             const char *what)
{
    struct session_part *part = &p->parts[p->n_parts++];
    part->kind = kind;
    part->minutes = 10;
    snprintf(part->title, sizeof part->title, "%s", title);
    snprintf(kind == PART_TALK ? part->ask : part->id,
             kind == PART_TALK ? sizeof part->ask : sizeof part->id, "%s",
             kind == PART_DRILLS ? "" : what);
    if (kind == PART_DRILLS)
        snprintf(part->drills[part->n_drills++], sizeof part->drills[0], "%s", what);
}

static inline void begin_interview(const char *tier, int rows, int columns)
{
    struct session_plan plan = {.title = "Kernel diagnosis, one hour",
                                .candidate = "C-07",
                                .level = 1,
                                .seed = 3,
                                .withhold = true};
    struct session_codes codes;
    struct err err = { 0 };
    snprintf(plan.tier, sizeof plan.tier, "%s", tier);
    plan_part(&plan, PART_TALK, "To begin with", "What was the slowest kernel that you ever met?");
    plan_part(&plan, PART_SCENARIO, "A slow copy", scenario);
    plan_part(&plan, PART_DRILLS, "Numbers", "hopper/h100-flops-per-byte");
    session_rubric_builtin(&plan);
    if (interview_create(&live, &codes, &plan, 3600 * 1000, &err) != 0)
        fail_msg("%s", err.text);
    revealed = false;
    guest = app_guest_new(&host, interview_store(live), live, rows, columns);
    did(interview_opened(live, "user", NULL, &err), &err);
}

static inline void end_interview(void)
{
    app_guest_free(guest);
    interview_free(live);
    guest = NULL;
    live = NULL;
    later = 0;
}

static inline const struct variant *the_variant(void)
{
    const struct story *story;
    const struct variant *v = NULL;
    assert_int_equal(catalog_find(host.catalog, scenario, &story, &v, NULL), 0);
    return v;
}

static inline void begin_scenario(const char *tier, int rows, int columns)
{
    begin_interview(tier, rows, columns);
    DO(interview_begin(live, 1, &err));
    until(strcmp(tier, "recorded") == 0 ? ", " : tier);
}

/* Timing: an estimate is asked first. */
static inline void buy_timing(void)
{
    press("t", "your estimate");
    assert_string_equal(candidate_doing(guest), "answering an estimate");
    keys("130 us\r");
    until("t has arrived");
    expect("time, cold L2");
}

/* ---- around all tests ---- */

static inline int set_up(void **state)
{
    struct err err = { 0 };
    const char *places[] = { packs, "content/packs/many-gpus" };
    if (recorded_folder("candidate"))
        return -1;
    setenv("XDG_STATE_HOME", folder, 1);
    setenv("WARPDRILL_CONTENT", "content/packs", 1);       /* drills lie beside it */
    host = (struct app){.options = &options, .open_help = help_open,
                        .trust = {.always = true},
                        .runner_due = -1,
                        .gpu = gpu_new(),
                        .now = os_monotonic_ms()};
    return catalog_open(&host.catalog, places, 2, &err);
}

static inline int tear_down(void **state)
{
    gpu_free(host.gpu);
    library_free(&host.library);
    catalog_free(host.catalog);
    for (int k = 0; k < secrets.n; k++)
        free(secrets.text[k]);
    free(secrets.text);
    return folder_remove(state);
}

#endif
