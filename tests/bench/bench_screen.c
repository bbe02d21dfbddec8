/* Speed of the screen as a person meets it: from starting the program to its first frame, and from a key to the changed
 * picture while a silent runner is being waited for. Prints distributions; the bounds that we aim at stand beside them. */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "tests/tui/screen.h"

enum { STARTS = 40, KEYS = 200 };

static double now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

static int by_size(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void show(const char *what, double *ms, int n, const char *aim)
{
    qsort(ms, (size_t)n, sizeof *ms, by_size);
    printf("%-28s %4d times; p50 %.2f ms, p90 %.2f, p99 %.2f, most %.2f   (aim: %s)\n", what, n, ms[n / 2], ms[n * 9 / 10],
           ms[n * 99 / 100], ms[n - 1], aim);
}

static int first_frame(void)
{
    double ms[STARTS];
    for (int i = 0; i < STARTS; i++) {
        const struct screen_start how = {.rows = 30, .columns = 100};
        double before = now_ms();
        struct screen *s = screen_start(&how);
        if (!screen_wait(s, "first start"))
            return 1;
        ms[i] = now_ms() - before;
        screen_send(s, "q");
        screen_wait_exit(s);
        screen_free(s);
    }
    show("start to first frame", ms, STARTS, "under 50 ms");
    return 0;
}

static int key_to_paint(void)
{
    char runner[4096];
    double ms[KEYS];
    const char *build = getenv("BUILD");
    snprintf(runner, sizeof runner, "%s/tests/fakes/fake_runner silent", build ? build : "build");
    const char *arguments[] = {"--runner", runner, NULL};
    const struct screen_start how = {.rows = 30, .columns = 100, .arguments = arguments};
    struct screen *s = screen_start(&how);
    if (!screen_wait(s, "first start"))
        return 1;
    for (int i = 0; i < KEYS; i++) {
        double before = now_ms();
        screen_send(s, i % 2 ? "\x1bOA" : "\x1bOB");
        if (!screen_wait(s, i % 2 ? "▸ 1" : "▸ 2"))
            return 1;
        ms[i] = now_ms() - before;
    }
    show("key to paint, runner busy", ms, KEYS, "under 10 ms at p99");
    screen_send(s, "q");
    screen_wait_exit(s);
    screen_free(s);
    return 0;
}

int main(void)
{
    return first_frame() || key_to_paint();
}
