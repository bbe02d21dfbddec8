/* Whose recordings are played: chosen under g, kept, and seen in the next scenario. */
#include "tests/folder.h"
#include "tests/tui/steps.h"
#include "tests/unit.h"

static int set_up(void **state)
{
    return folder_make("recorded");
}

static struct screen *start(const char *name, const char *play)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s.db", folder, name);
    const char *arguments[] = {"--db",     path,     "--pack", "content/packs/hidden-depths",
                               "--runner", "exit 3", play ? "play" : NULL, play, NULL};
    struct screen_start how = {.rows = 30, .columns = 100, .arguments = arguments};
    return screen_start(&how);
}

/* The scenario, past the question which causes are possible. */
static struct screen *play(const char *name, const char *id)
{
    struct screen *s = start(name, id);
    screen_expect(s, "Name every cause");
    screen_send(s, "\x1b");
    screen_expect_gone(s, "Name every cause");
    return s;
}

static void the_chosen_gpu_is_played(void **state)
{
    struct screen *s = start("chosen", NULL);
    screen_expect(s, "no GPU here: recorded evidence");
    screen_send(s, "g");
    screen_expect(s, "the most capable GPU of each story");
    screen_send(s, "e");
    screen_expect(s, "NVIDIA H100 80GB HBM3, where a story has it");
    screen_send(s, "\x1b");
    screen_expect_gone(s, "where a story has it");
    leave(s);

    s = play("chosen", "hidden-depths/nine-frames/a");
    screen_expect(s, "H100 80GB");
    leave(s);
}

static void the_most_capable_is_played_where_nobody_chose(void **state)
{
    struct screen *s = play("unasked", "hidden-depths/nine-frames/b");
    screen_expect(s, "H200");
    leave(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_chosen_gpu_is_played),
        cmocka_unit_test(the_most_capable_is_played_where_nobody_chose),
    };
    return RUN_CASES(tests, set_up, folder_remove);
}
