#include "tui/interview/curtain.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "kernels/wire/os.h"
#include "kernels/wire/text.h"
#include "tui/interview/join.h"

enum { CTRL_D = 4, SAY = 400 };

/* Whatever a program that was killed may have left: marked pastes, keypad, cursor, the other
 * screen, colours. */
static const char undo_all[] = "\033[?2004l\033[?1l\033>\033[?25h\033[?1049l\033[0m";
static const char wipe[] = "\033[2J\033[3J\033[H";
static struct termios modes_before;

static void put(const char *text)
{
    ssize_t ignored = write(STDOUT_FILENO, text, strlen(text));
    (void)ignored;
}

/* ---- signals: none but the terminal's end and a request to end reach the page ---- */

static void on_end(int number)
{
    tcsetattr(STDIN_FILENO, TCSANOW, &modes_before);
    _exit(128 + number);
}

static void keyboard_signals(void (*action)(int))
{
    static const int keys[] = {SIGINT, SIGQUIT, SIGTSTP, SIGTTOU};
    for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
        signal(keys[k], action);
}

/* ---- the candidate's program ---- */

static void run_join(int out, const char *code, const char *name, pid_t parent)
{
    char say[SAY] = "";
    struct err err = {0};
    keyboard_signals(SIG_DFL);
    signal(SIGTERM, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    os_follow_parent(parent, SIGTERM);
    int status =
        join_run(say, &(struct join_terms){.code = code, .name = name, .stays = true}, &err);
    const char *text = status < 0 ? err.text : say;
    ssize_t ignored = write(out, text, strnlen(text, SAY - 1));
    (void)ignored;
    _exit(status < 0 ? 1 : status);
}

/* Until it has ended, by itself or not. What it says comes from a program that listens to others,
 * so it is cleaned. */
static void wait_for(pid_t child, int in, char say[SAY])
{
    size_t n = 0;
    ssize_t got;
    int status;
    while (n < SAY - 1 &&
           ((got = read(in, say + n, SAY - 1 - n)) > 0 || (got < 0 && errno == EINTR)))
        n += got > 0 ? (size_t)got : 0;
    say[n] = '\0';
    text_clean(say, n);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
        ;
}

static void open_candidate(char say[SAY], const char *code, const char *name)
{
    int ends[2];
    pid_t parent = getpid(), child = pipe(ends) == 0 ? fork() : -1;
    say[0] = '\0';
    if (child < 0) {
        snprintf(say, SAY, "The candidate's program cannot be started: %s", strerror(errno));
        return;
    }
    if (child == 0) {
        close(ends[0]);
        run_join(ends[1], code, name, parent);
    }
    close(ends[1]);
    wait_for(child, ends[0], say);
    close(ends[0]);
    put(undo_all);
}

/* ---- the page ---- */

static void page(const char *first, const char *say)
{
    put(wipe);
    put("\r\n  ");
    put(first);
    if (*say) {
        put("\r\n\r\n  ");
        put(say);
    }
    put("\r\n\r\n  Enter opens it.   Ctrl-D ends this page.\r\n");
}

/* Keys that were meant for what stood here before are thrown away. False at the end. */
static bool wait_for_enter(void)
{
    struct termios plain = modes_before;
    char key = 0;
    plain.c_lflag &= ~(tcflag_t)(ICANON | ECHO | ISIG);
    tcsetattr(STDIN_FILENO, TCSAFLUSH, &plain);
    while (key != '\r' && key != '\n' && key != CTRL_D) {
        ssize_t n = read(STDIN_FILENO, &key, 1);
        if (n == 0 || (n < 0 && errno != EINTR))
            key = CTRL_D;
    }
    tcsetattr(STDIN_FILENO, TCSANOW, &modes_before);
    return key != CTRL_D;
}

int curtain_run(const char *code, const char *name)
{
    char say[SAY] = "";
    tcgetattr(STDIN_FILENO, &modes_before);
    keyboard_signals(SIG_IGN);
    signal(SIGTERM, on_end);
    signal(SIGHUP, on_end);
    page("This is the candidate's screen. Share this terminal alone.", say);
    while (wait_for_enter()) {
        open_candidate(say, code, name);
        page("The candidate's screen has ended.", say);
    }
    put(wipe);
    return 0;
}
