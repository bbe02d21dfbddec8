/* An interview in terminals: the shipped pack with one story in a folder of its own, the host's
 * program, parties, and the log read from outside. */
#ifndef WD_TESTS_TUI_INTERVIEW_H
#define WD_TESTS_TUI_INTERVIEW_H

#include <jansson.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/wire/os.h"
#include "scenarios/interview/interview.h"
#include "scenarios/interview/interview_life.h"
#include "tests/tui/steps.h"
#include "tests/unit.h"

#define STORY "first-principles/transposed-copy/a"
enum { HOST_ROWS = 44, HOST_COLUMNS = 160, GUEST_ROWS = 36, GUEST_COLUMNS = 120 };

static char place[64];                   /* of the test: state, sockets, packs */
static char env_state[96], env_data[96], env_content[96], env_runtime[96];

/* $place with the pack, and drills as they are shipped, in a folder of its own below another. */
static inline int interview_place(const char *below)
{
    static const char make[] =
        "cd '%s' && mkdir -p packs state data run away && chmod 700 run away && cp -r "
        "'%s/content/packs/first-principles' packs/ && ln -s '%s/content/drills' drills && ln -s "
        "'%s/content/rubrics' rubrics && cd packs/first-principles && rm -rf transposed-copy/b "
        "transposed-copy/c transposed-copy/sealed/write.yaml plain-copy row-means scaled-rows && sed -i 's/^scenarios:.*/scenarios: "
        "[transposed-copy]/' pack.yaml";
    char here[1024], command[4400];
    snprintf(place, sizeof place, "%s/wd-interview-XXXXXX", below);
    if (!mkdtemp(place) || !getcwd(here, sizeof here))
        return -1;
    snprintf(command, sizeof command, make, place, here, here, here);
    snprintf(env_state, sizeof env_state, "XDG_STATE_HOME=%s/state", place);
    snprintf(env_data, sizeof env_data, "XDG_DATA_HOME=%s/data", place);
    snprintf(env_content, sizeof env_content, "WARPDRILL_CONTENT=%s/packs", place);
    snprintf(env_runtime, sizeof env_runtime, "XDG_RUNTIME_DIR=%s/run", place);
    setenv("XDG_STATE_HOME", strchr(env_state, '=') + 1, 1);
    setenv("XDG_RUNTIME_DIR", strchr(env_runtime, '=') + 1, 1);
    return system(command) == 0 ? 0 : -1;
}

static inline int interview_clear(void)
{
    char command[128];
    snprintf(command, sizeof command, "rm -rf '%s'", place);
    return system(command);
}

static inline int in_place(void **state)
{
    return interview_place("/tmp");
}

static inline int out_of_place(void **state)
{
    return interview_clear();
}

static const char *host_runner = "exit 3";

/* `warpdrill host ...`; extra: further environment or NULL. */
static inline struct screen *host_screen(const char *const *words, const char *extra)
{
    const char *arguments[20] = { "host", "--runner", host_runner };
    const char *environment[] = {env_state, env_content,       env_runtime, "TMUX",
                                 "DISPLAY", "WAYLAND_DISPLAY", extra,       NULL};
    for (int n = 3; *words && n < 19; words++)
        arguments[n++] = *words;
    return screen_start(&(struct screen_start){.rows = HOST_ROWS,
                                               .columns = HOST_COLUMNS,
                                               .arguments = arguments,
                                               .environment = environment,
                                               .data = strchr(env_data, '=') + 1});
}

/* `warpdrill join CODE --name NAME` with the sockets of `runtime` ("XDG_RUNTIME_DIR=..."). */
static inline struct screen *join_screen(const char *code, const char *name, const char *runtime)
{
    const char *arguments[] = { "join", code, "--name", name, NULL };
    const char *environment[] = { runtime, NULL };
    return screen_start(&(struct screen_start){.rows = GUEST_ROWS,
                                               .columns = GUEST_COLUMNS,
                                               .arguments = arguments,
                                               .environment = environment,
                                               .data = strchr(env_data, '=') + 1});
}

/* What follows `before` on the screen, up to a blank; a row is written from left to right, so the
 * keys below must stand first. */
static inline void screen_word(struct screen *s, const char *before, char *out, size_t size)
{
    char row[4096];
    int y, x;
    screen_expect(s, before);
    screen_find(s, before, &y, &x);
    screen_row(s, y, row, sizeof row);
    const char *at = strstr(row, before) + strlen(before);
    snprintf(out, size, "%.*s", (int)strcspn(at, " "), at);
}

/* The candidate's code, from the page that says how to join, and back from there. */
static inline void host_code(struct screen *host, char *code, size_t size)
{
    press(host, "c", "sees the same screen");
    screen_word(host, "warpdrill join ", code, size);
    press(host, "\x1b", "Enter begins part 1");
}

/* A host that waits for its first part, and the candidate's code. */
static inline struct screen *host_waits(const char *const *words, const char *extra, char *code,
                                        size_t size)
{
    struct screen *host = host_screen(words, extra);
    screen_expect(host, "Enter begins part 1");
    host_code(host, code, size);
    return host;
}

static inline void host_leaves(struct screen *host)
{
    press(host, "Q", "nce more leaves");
    screen_send(host, "Q");
    assert_int_equal(WEXITSTATUS(screen_wait_exit(host)), 0);
    screen_free(host);
}

static inline bool is_on(struct screen *s, const char *text)
{
    int y, x;
    while (screens_take(0))
        ;
    return screen_find(s, text, &y, &x);
}

/* The one interview that there is, read while its host may write. */
static inline struct interview *log_open(void)
{
    struct interview_listed *all = NULL;
    struct interview *live = NULL;
    struct err err = { 0 };
    int n = 0;
    if (interview_list(&all, &n, &err) != 0 || n < 1 ||
        interview_open(&live, all[0].id, true, &err) != 0)
        fail_msg("the log cannot be read: %s", err.text);
    free(all);
    return live;
}

#endif
