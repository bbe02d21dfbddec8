#include "tui/kit/outside.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kernels/wire/path.h"
#include "kernels/wire/text.h"
#include "tui/kit/term.h"

enum { FDS = 256 };

static const char *editor_name(void)
{
    const char *visual = getenv("VISUAL"), *editor = getenv("EDITOR");
    return visual && *visual ? visual : editor && *editor ? editor : "vi";
}

/* ---- the file ---- */

/* mkostemps makes it for this user alone. */
static char *file_make(const char *text, struct err *err)
{
    const char *run = getenv("XDG_RUNTIME_DIR"), *tmp = getenv("TMPDIR");
    char *path = text_format("%s/warpdrill-XXXXXX.txt", run && *run == '/'   ? run
                                                        : tmp && *tmp == '/' ? tmp
                                                                             : "/tmp");
    int fd = mkostemps(path, 4, O_CLOEXEC);
    size_t n = strlen(text);
    bool good = fd >= 0 && path_write(fd, text, n) &&
                (n == 0 || text[n - 1] == '\n' || path_write(fd, "\n", 1));
    if (!good)
        err_set(err, ERR_IO, "%s cannot be written: %s", path, strerror(errno));
    if (fd >= 0)
        close(fd);
    if (good)
        return path;
    if (fd >= 0)
        unlink(path);
    free(path);
    return NULL;
}

/* Editors may have put another file in its place, so it is opened anew, and is not followed
 * elsewhere. */
static int file_read(char **out, const char *path, size_t most, struct err *err)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
    struct stat st;
    if (fd < 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode)) {
        if (fd >= 0)
            close(fd);
        return err_set(err, ERR_IO, "%s is no file any more; the text is what it was.", path);
    }
    char *text = mem_new(most + 3, 1);
    size_t n = 0;
    ssize_t got;
    while (n < most + 2 && (got = read(fd, text + n, most + 2 - n)) != 0) {
        if (got < 0 && errno != EINTR)
            break;
        n += got > 0 ? (size_t)got : 0;
    }
    close(fd);
    size_t all = n;
    while (n > 0 && (text[n - 1] == '\n' || text[n - 1] == '\r'))
        n--;
    text[n] = '\0';
    *out = text;
    if (n > most || all > most + 1)
        return err_set(err, ERR_TOO_LARGE,
                       "%s has more than %zu KiB: it is kept there, the text here is what it was.",
                       path, most / 1024);
    if (memchr(text, '\0', n))
        return err_set(err, ERR_BAD_REQUEST,
                       "%s holds no text: it is kept there, the text here is what it was.", path);
    text_clean(text, n);
    return 0;
}

/* ---- the editor ---- */

static void child(const char *path)
{
    sigset_t none;
    char *command = text_format("%s \"$@\"", editor_name());
    for (int fd = 3; fd < FDS; fd++)
        close(fd);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGXFSZ, SIG_DFL);
    execl("/bin/sh", "sh", "-c", command, editor_name(), path, (char *)NULL);
    _exit(127);
}

/* Keys such as Ctrl-C and Ctrl-Z were meant for the editor: what of them waits for us is forgotten.
 */
static void forget_keys(void)
{
    const struct timespec now = {0, 0};
    sigset_t keys;
    sigemptyset(&keys);
    sigaddset(&keys, SIGINT);
    sigaddset(&keys, SIGTSTP);
    sigaddset(&keys, SIGQUIT);
    while (sigtimedwait(&keys, NULL, &now) > 0)
        ;
}

/* What a terminal shows while the editor has a window elsewhere; one row, so that it can be erased.
 */
static void say_waiting(bool own)
{
    enum { NAME = 24 };
    char name[NAME + 1];
    snprintf(name, sizeof name, "%s", editor_name());
    text_clean(name, strlen(name));
    printf(own ? "Waiting for %s to end: each save is judged, and shown then."
               : "Waiting for %s to end.", name);
    fflush(stdout);
}

static void unsay_waiting(void)
{
    printf("\r\33[K");
    fflush(stdout);
}

static int start(struct outside *o, const char *path, struct err *err)
{
    sigset_t quit;
    sigemptyset(&quit);
    sigaddset(&quit, SIGQUIT);
    sigprocmask(SIG_BLOCK, &quit, &o->before);
    term_lend();
    say_waiting(o->own);
    o->pid = fork();
    if (o->pid == 0)
        child(path);
    if (o->pid > 0)
        return 0;
    err_set(err, ERR_IO, "no editor could be started: %s", strerror(errno));
    o->pid = 0;
    unsay_waiting();
    term_take_back();
    sigprocmask(SIG_SETMASK, &o->before, NULL);
    return err->code;
}

int outside_start(struct outside *o, const char *path, struct err *err)
{
    *o = (struct outside){.own = true};
    return start(o, path, err);
}

/* Of one that stopped: the shell gets the terminal, and wakes both of us. */
static void stop_with(pid_t pid)
{
    kill(getpid(), SIGSTOP);
    kill(pid, SIGCONT);
}

static void take_back(struct outside *o)
{
    o->pid = 0;
    forget_keys();
    unsay_waiting();
    term_take_back();
    sigprocmask(SIG_SETMASK, &o->before, NULL);
}

bool outside_ended(struct outside *o, bool wait, struct err *err)
{
    int status = 0;
    pid_t got = waitpid(o->pid, &status, WUNTRACED | (wait ? 0 : WNOHANG));
    if (got == 0 || (got < 0 && errno == EINTR))
        return false;
    if (got > 0 && WIFSTOPPED(status)) {
        stop_with(o->pid);
        return false;
    }
    take_back(o);
    if (got > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127)
        err_set(err, ERR_MISSING,
                "'%s' could not be started; $VISUAL or $EDITOR names the editor", editor_name());
    else if (got < 0 || status != 0)
        err_set(err, ERR_IO, "%s ended with an error; %s.", editor_name(),
                o->own ? "the file is as it left it" : "the text is what it was");
    return true;
}

static int run_editor(const char *path, struct err *err)
{
    struct outside o = {0};
    struct err here = {0};
    int rc = start(&o, path, &here);
    while (rc == 0 && !outside_ended(&o, true, &here))
        ;
    return here.code ? err_copy(err, &here) : 0;
}

int outside_edit(char **out, const char *text, size_t most, struct err *err)
{
    *out = NULL;
    char *path = file_make(text, err);
    if (!path)
        return ERR_IO;
    int rc = run_editor(path, err), kept = 0;
    if (rc == 0)
        kept = rc = file_read(out, path, most, err);
    if (!kept)
        unlink(path);
    if (rc != 0) {
        free(*out);
        *out = NULL;
    }
    free(path);
    return rc;
}
