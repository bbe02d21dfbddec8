/* Passphrases on a terminal: asked for without echo, the terminal put right after every end; and a
 * sealed pack in the lists and the dialogue. */
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "scenarios/library/sealing.h"
#include "tests/tui/recorded.h"
#include "tests/tui/steps.h"
#include "tests/unit.h"

static char clear[128], sealed[128], passphrase_path[128];
static const char passphrase[] = "correct horse battery";

static void seal_it(void)
{
    struct err err;
    struct pack *p;
    struct secret *s = secret_new();
    if (pack_open(&p, clear, &err))
        give_up(clear, err.text);
    s->len = strlen(passphrase);
    memcpy(s->text, passphrase, sizeof passphrase);
    if (sealing_write(p, sealed, s, (struct sealing_cost){1, 8192}, &err))
        give_up(sealed, err.text);
    secret_free(s);
    pack_free(p);
}

static int set_up(void **state)
{
    if (recorded_folder("sealed"))
        return -1;
    snprintf(clear, sizeof clear, "%s/first-principles", packs);
    snprintf(sealed, sizeof sealed, "%s/sealed", folder);
    snprintf(passphrase_path, sizeof passphrase_path, "%s/passphrase", folder);
    seal_it();
    FILE *f = fopen(passphrase_path, "w");
    fprintf(f, "%s\n", passphrase);
    return fclose(f);
}

static struct screen *start(const char *const *arguments)
{
    static const char *const environment[] = {"WARPDRILL_CONTENT=/nowhere",
                                              "WARPDRILL_PASSPHRASE_FILE", "XDG_DATA_DIRS=/nowhere",
                                              NULL};
    struct screen_start how = {.rows = 24,
                               .columns = 80,
                               .arguments = arguments,
                               .environment = environment};
    return screen_start(&how);
}

static struct screen *start_command(const char *name, const char *pack, const char *out)
{
    const char *arguments[] = { name, pack, "--out", out, NULL };
    return start(arguments);
}

static struct screen *start_tui(const char *play, bool with_file)
{
    const char *arguments[] = {"--pack",
                               sealed,
                               "--seed",
                               "1",
                               "--runner",
                               "false",
                               play ? "play" : NULL,
                               play,
                               with_file ? "--passphrase-file" : NULL,
                               passphrase_path,
                               NULL};
    return start(arguments);
}

static void no_trace(struct screen *s, const char *text)
{
    size_t n;
    assert_null(strstr(screen_bytes(s, &n), text));
}

static void asked(struct screen *s)
{
    screen_expect(s, "Passphrase of first-principles:");
    assert_false(screen_modes(s).c_lflag & ECHO);
}

static char *new_folder(void)
{
    static int n;
    return text_format("%s/new%d", folder, n++);
}

/* ---- the prompt ---- */

static void test_unseal_asks_without_echo(void **state)
{
    char *out = new_folder();
    struct screen *s = start_command("unseal", sealed, out);
    asked(s);
    screen_send(s, "correct horse battery\r");
    int status = screen_wait_exit(s);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    assert_int_equal(access(out, F_OK), 0);
    no_trace(s, "horse");
    assert_true(screen_same_modes(s));
    screen_free(s);
    free(out);
}

static void test_a_wrong_passphrase(void **state)
{
    char *out = new_folder();
    struct screen *s = start_command("unseal", sealed, out);
    asked(s);
    screen_send(s, "incorrect horse\r");
    screen_expect(s, "the passphrase is wrong");
    int status = screen_wait_exit(s);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    assert_int_equal(access(out, F_OK), -1);
    no_trace(s, "horse");
    assert_true(screen_same_modes(s));
    screen_free(s);
    free(out);
}

static void test_signals_put_the_terminal_right(void **state)
{
    static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        char *out = new_folder();
        struct screen *s = start_command("unseal", sealed, out);
        asked(s);
        screen_send(s, "half");
        if (numbers[i] == SIGINT)
            screen_send(s, "\x03");
        else
            kill(screen_pid(s), numbers[i]);
        int status = screen_wait_exit(s);
        assert_true(WIFSIGNALED(status));
        assert_int_equal(WTERMSIG(status), numbers[i]);
        assert_true(screen_same_modes(s));
        screen_free(s);
        free(out);
    }
}

/* Where nothing can stop (there is no shell above), Ctrl-Z asks again; what was typed before it is
 * gone. */
static void test_ctrl_z_asks_again(void **state)
{
    char *out = new_folder();
    struct screen *s = start_command("unseal", sealed, out);
    asked(s);
    screen_send(s, "wrong beginning\x1a");
    screen_expect_cell(s, 1, 0, 'P');
    assert_false(screen_modes(s).c_lflag & ECHO);
    screen_send(s, "correct horse battery\r");
    int status = screen_wait_exit(s);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    screen_free(s);
    free(out);
}

static void test_the_end_of_input(void **state)
{
    char *out = new_folder();
    struct screen *s = start_command("unseal", sealed, out);
    asked(s);
    screen_send(s, "\x04");
    screen_expect(s, "no passphrase was given");
    int status = screen_wait_exit(s);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    assert_true(screen_same_modes(s));
    screen_free(s);
    free(out);
}

static void test_seal_asks_twice(void **state)
{
    char *out = new_folder();
    struct screen *s = start_command("seal", clear, out);
    screen_expect(s, "New passphrase");
    screen_send(s, "a good long passphrase\r");
    screen_expect(s, "The same again");
    screen_send(s, "a good long passphrasE\r");
    screen_expect(s, "the two were not the same");
    assert_int_equal(WEXITSTATUS(screen_wait_exit(s)), 1);
    assert_int_equal(access(out, F_OK), -1);
    no_trace(s, "good long");
    assert_true(screen_same_modes(s));
    screen_free(s);
    free(out);
}

static void test_seal_refuses_a_weak_one(void **state)
{
    char *out = new_folder();
    struct screen *s = start_command("seal", clear, out);
    screen_expect(s, "New passphrase");
    screen_send(s, "short\r");
    screen_expect(s, "at least 12 were expected");
    assert_int_equal(WEXITSTATUS(screen_wait_exit(s)), 1);
    screen_free(s);
    free(out);
}

/* Enter alone: what is shown then opens it. This one pays the real price of a key, twice. */
static void test_seal_makes_one(void **state)
{
    static const char before[] = "kept nowhere: ";
    char *out = new_folder(), *back = new_folder(), row[200], keys[64];
    struct screen *s = start_command("seal", clear, out);
    int y, x;
    screen_expect(s, "New passphrase");
    screen_send(s, "\r");
    screen_expect(s, before);
    assert_int_equal(WEXITSTATUS(screen_wait_exit(s)), 0);
    assert_true(screen_find(s, before, &y, &x));
    screen_row(s, y, row, sizeof row);
    snprintf(keys, sizeof keys, "%.23s\r", strstr(row, before) + strlen(before));
    screen_free(s);
    s = start_command("unseal", out, back);
    asked(s);
    screen_send(s, keys);
    assert_int_equal(WEXITSTATUS(screen_wait_exit(s)), 0);
    screen_free(s);
    free(out);
    free(back);
}

/* ---- screens ---- */

static void leave_no_trace(struct screen *s)
{
    screen_send(s, "q");
    assert_int_equal(screen_wait_exit(s), 0);
    assert_true(screen_same_modes(s));
    no_trace(s, "horse");
    screen_free(s);
}

static void test_the_list_and_the_dialogue(void **state)
{
    struct screen *s = start_tui(NULL, false);
    screen_expect(s, "warpdrill");
    screen_send(s, "s");
    screen_expect(s, "(sealed)");
    screen_send(s, "\r");
    screen_expect(s, "passphrase");
    screen_send(s, "q is no key here\r");
    screen_expect(s, "The passphrase is wrong.");
    screen_send(s, "correct horse\x15" "correct horse batterx\x7fy\r");
    screen_expect(s, "this kernel");
    screen_send(s, "\x1b");     /* from the story's pane first */
    screen_expect(s, "WHAT YOU KNOW");
    screen_send(s, "\x1b");
    screen_expect(s, "Esc again");
    screen_send(s, "\x1b");
    screen_expect(s, "s scen");
    screen_send(s, "s");
    screen_expect(s, "SCENARIOS");
    screen_expect_gone(s, "(sealed)");
    leave_no_trace(s);
}

static void test_esc_leaves_the_dialogue(void **state)
{
    struct screen *s = start_tui("first-principles/transposed-copy", false);
    screen_expect(s, "passphrase");
    screen_send(s, "correct horse");
    screen_send(s, "\x1b");
    screen_expect(s, "s scen");
    leave_no_trace(s);
}

static void test_a_file_opens_unasked(void **state)
{
    struct screen *s = start_tui("first-principles/transposed-copy", true);
    screen_expect(s, "this kernel");
    leave_no_trace(s);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_unseal_asks_without_echo),
        cmocka_unit_test(test_a_wrong_passphrase),
        cmocka_unit_test(test_signals_put_the_terminal_right),
        cmocka_unit_test(test_ctrl_z_asks_again),
        cmocka_unit_test(test_the_end_of_input),
        cmocka_unit_test(test_seal_asks_twice),
        cmocka_unit_test(test_seal_refuses_a_weak_one),
        cmocka_unit_test(test_seal_makes_one),
        cmocka_unit_test(test_the_list_and_the_dialogue),
        cmocka_unit_test(test_esc_leaves_the_dialogue),
        cmocka_unit_test(test_a_file_opens_unasked),
    };
    return RUN_CASES(tests, set_up, folder_remove);
}
