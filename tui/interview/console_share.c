/* The candidate's terminal on this machine, to be shared. It never stands where the console could
 * come up: in tmux it is a server of its own with one session and no keys, to which another
 * terminal is attached; on a desktop a window of its own. In both `join --curtain` runs, so that a
 * plain page stands there whenever the candidate's program does not. The code travels in the
 * environment, since command lines are for everybody to read. */
#include "tui/interview/console_share.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/wire/os.h"
#include "tui/interview/console_link.h"

enum { ARGUMENTS_MOST = 64 };

/* ---- programs ---- */

static void child(char *const *argv, const char *code)
{
    sigset_t none;
    int null = open("/dev/null", O_RDWR);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
    for (int fd = 0; fd < 3; fd++)
        dup2(null, fd);
    setenv("WARPDRILL_CODE", code, 1);
    execvp(argv[0], argv);
}

/* Runs it without a shell and without our terminal; true when it could be started. The child is
 * nobody's to wait for. */
static bool start_program(char *const *argv, const char *code)
{
    int report[2], status;
    char failed = 0;
    if (pipe(report) != 0)
        return false;
    pid_t first = fork();
    if (first == 0) {
        if (fork() > 0)
            _exit(0);
        fcntl(report[1], F_SETFD, FD_CLOEXEC);
        child(argv, code);
        ssize_t n = write(report[1], "x", 1);
        _exit(n == 1 ? 127 : 126);
    }
    close(report[1]);
    if (first > 0) {
        waitpid(first, &status, 0);
        failed = read(report[0], &failed, 1) != 0;
    }
    close(report[0]);
    return first > 0 && !failed;
}

/* The same, to its end; true when it ended well. */
static bool run_program(char *const *argv, const char *code)
{
    int status = -1;
    pid_t pid = fork();
    if (pid == 0) {
        child(argv, code);
        _exit(127);
    }
    if (pid > 0)
        waitpid(pid, &status, 0);
    return status == 0;
}

/* ---- a tmux of its own ---- */

/* No key of tmux's does anything there, or who is shared could open a shell. */
static const char *const alone[] = {
    "-f", "/dev/null", "start-server", ";",
    "set", "-g", "default-terminal", "screen-256color", ";",
    "set", "-g", "status", "off", ";",
    "set", "-g", "history-limit", "0", ";",
    "set", "-g", "prefix", "None", ";",
    "set", "-g", "prefix2", "None", ";",
    "set", "-s", "escape-time", "10", ";",
    "unbind-key", "-a", ";",
    "unbind-key", "-a", "-T", "root", ";",
    "new-session", "-d", "-s", "candidate", "-n", "CANDIDATE",
};

static void server_name(char *out, size_t size, const struct console *c)
{
    snprintf(out, size, "warpdrill-%s", interview_session(c->live)->code_id);
}

static bool in_tmux(void)
{
    const char *tmux = getenv("TMUX");
    return tmux && *tmux;
}

static void end_server(const struct console *c)
{
    char name[32];
    char *argv[] = { (char *)"tmux", (char *)"-L", name, (char *)"kill-server", NULL };
    server_name(name, sizeof name, c);
    run_program(argv, "");
}

/* ---- which terminal ---- */

/* The words of $WARPDRILL_TERMINAL, else the usual terminal. Returns how many; words point into
 * `text`. */
static int terminal_words(char **argv, char *text, size_t size)
{
    const char *own = getenv("WARPDRILL_TERMINAL");
    int n = 0;
    char *rest;
    snprintf(text, size, "%s", own && *own ? own : "x-terminal-emulator -e");
    for (char *word = strtok_r(text, " ", &rest); word && n < ARGUMENTS_MOST - 8;
         word = strtok_r(NULL, " ", &rest))
        argv[n++] = word;
    return n;
}

static bool has_display(void)
{
    const char *x = getenv("DISPLAY"), *wayland = getenv("WAYLAND_DISPLAY");
    return (x && *x) || (wayland && *wayland);
}

static void add_join(char **argv, int n, const struct console *c, char *program)
{
    const struct session_plan *plan = &interview_session(c->live)->plan;
    argv[n++] = program;
    argv[n++] = (char *)"join";
    argv[n++] = (char *)"--curtain";
    argv[n++] = (char *)"--name";
    argv[n++] = (char *)(plan->candidate[0] ? plan->candidate : "candidate");
}

static bool share_in_tmux(struct console *c, char *program)
{
    char *argv[ARGUMENTS_MOST] = { (char *)"tmux", (char *)"-L" }, name[32];
    int n = 2;
    server_name(name, sizeof name, c);
    argv[n++] = name;
    for (size_t k = 0; k < sizeof alone / sizeof *alone; k++)
        argv[n++] = (char *)alone[k];
    add_join(argv, n, c, program);
    end_server(c);
    if (!run_program(argv, c->codes.candidate))
        return false;
    snprintf(c->notice, sizeof c->notice,
             "In another terminal, which you share instead of this one, type:  tmux -L %s attach",
             name);
    return true;
}

static bool share_in_window(struct console *c, char *program)
{
    char words[512], *argv[ARGUMENTS_MOST] = { NULL };
    int n = terminal_words(argv, words, sizeof words);
    add_join(argv, n, c, program);
    return start_program(argv, c->codes.candidate);
}

void link_share(struct console *c)
{
    char line[80], *own = os_program_path(), *program = own ? own : (char *)"warpdrill";
    link_join_line(c, line, sizeof line);
    bool done =
        in_tmux() ? share_in_tmux(c, program) : has_display() && share_in_window(c, program);
    if (!done)
        snprintf(c->notice, sizeof c->notice,
                 "In another terminal, which you share instead of this one, type:  %s --curtain",
                 line);
    free(own);
}

void link_share_end(const struct console *c)
{
    if (c->options.share && in_tmux() && !c->scribe_of[0])
        end_server(c);
}
