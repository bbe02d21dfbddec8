/* git in a process of its own, without a shell, a terminal or what could make it run something. */
#include "scenarios/library/clone.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "kernels/wire/os.h"
#include "kernels/wire/text.h"

enum { ARGS_MOST = 64, SAID_MOST = 4096 };

/* Settings that go before any that a repository or a user has. */
static const char *const confined[] = {
    "core.hooksPath=/dev/null",    "core.fsmonitor=false",      "core.symlinks=false",
    "core.protectHFS=true",        "core.protectNTFS=true",     "submodule.recurse=false",
    "transfer.fsckObjects=true",   "fetch.fsckObjects=true",    "filter.lfs.smudge=",
    "filter.lfs.process=",         "filter.lfs.required=false", "advice.detachedHead=false",
    "http.followRedirects=initial", "core.pager=cat",           "protocol.allow=never",
    "gc.auto=0",
};

/* A repository of the caller's must not come in by the environment. */
static void clean_environment(void)
{
    static const char *const gone[] = {
        "GIT_DIR",          "GIT_WORK_TREE",  "GIT_INDEX_FILE",      "GIT_OBJECT_DIRECTORY",
        "GIT_TEMPLATE_DIR", "GIT_NAMESPACE",  "GIT_CONFIG_PARAMETERS", "GIT_CONFIG_COUNT",
        "GIT_EXTERNAL_DIFF", "GIT_ALLOW_PROTOCOL", "GIT_PROTOCOL_FROM_USER"};
    for (size_t i = 0; i < sizeof gone / sizeof *gone; i++)
        unsetenv(gone[i]);
    setenv("GIT_TERMINAL_PROMPT", "0", 1);
    setenv("GIT_LFS_SKIP_SMUDGE", "1", 1);
    setenv("GIT_ADVICE", "0", 1);
    setenv("LC_ALL", "C", 1);
}

/* In the child: standard input is empty, the two outputs are pipes, there is no terminal, and it
 * goes with its parent. */
__attribute__((noreturn)) static void become_git(const char *folder, char *const *argv, int out,
                                                 int log, pid_t parent)
{
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    setsid();
    os_follow_parent(parent, SIGTERM);
    signal(SIGPIPE, SIG_DFL);
    if (null >= 0 && dup2(null, 0) == 0 && dup2(out, 1) == 1 && dup2(log, 2) == 2 &&
        (!folder || chdir(folder) == 0)) {
        clean_environment();
        execvp("git", argv);
    }
    _exit(errno == ENOENT ? 127 : 126);
}

/* Room for what an end of a pipe brings; more than `most` is counted and dropped. */
struct heard {
    int fd;
    char *text;
    size_t len, most;
    bool over;
};

static void hear(struct heard *h)
{
    char part[4096];
    ssize_t n = read(h->fd, part, sizeof part);
    if (n < 0 && errno == EINTR)
        return;
    if (n <= 0) {
        close(h->fd);
        h->fd = -1;
        return;
    }
    size_t room = h->most - h->len, keep = (size_t)n < room ? (size_t)n : room;
    h->over = h->over || keep < (size_t)n;
    h->text = mem_grow(h->text, h->len + keep + 1, 1);
    memcpy(h->text + h->len, part, keep);
    h->len += keep;
    h->text[h->len] = '\0';
}

static void hear_both(struct heard *out, struct heard *log)
{
    while (out->fd >= 0 || log->fd >= 0) {
        struct pollfd p[2] = {{.fd = out->fd, .events = POLLIN}, {.fd = log->fd, .events = POLLIN}};
        if (poll(p, 2, -1) < 0 && errno != EINTR)
            return;
        if (p[0].revents)
            hear(out);
        if (p[1].revents)
            hear(log);
    }
}

/* The last line that git said, without what could turn a terminal around. */
static void last_line(char *out, size_t size, char *said)
{
    size_t n = said ? strlen(said) : 0;
    while (n && (said[n - 1] == '\n' || said[n - 1] == '\r'))
        said[--n] = '\0';
    char *line = said;
    for (size_t i = 0; i < n; i++)
        if (said[i] == '\n' || said[i] == '\r')
            line = said + i + 1;
    snprintf(out, size, "%s", n ? line : "it said nothing");
    text_clean(out, strlen(out));
}

static int start(const char *folder, char *const *argv, struct heard *out, struct heard *log,
                 pid_t *pid, struct err *err)
{
    int pipes[2][2] = {{-1, -1}, {-1, -1}};
    pid_t ours = getpid();
    bool good = pipe2(pipes[0], O_CLOEXEC) == 0 && pipe2(pipes[1], O_CLOEXEC) == 0;
    *pid = good ? fork() : -1;
    if (*pid == 0)
        become_git(folder, argv, pipes[0][1], pipes[1][1], ours);
    for (int i = 0; i < 2; i++)
        if (pipes[i][1] >= 0)
            close(pipes[i][1]);
    out->fd = pipes[0][0];
    log->fd = pipes[1][0];
    if (*pid > 0)
        return 0;
    return err_set(err, ERR_IO, "git cannot be started: %s", strerror(errno));
}

static int finish(pid_t pid, const struct heard *out, struct heard *log, struct err *err)
{
    char line[300];
    int status = 0;
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    last_line(line, sizeof line, log->text);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
        return err_set(err, ERR_MISSING,
                       "the program git was not found; it brings packs from elsewhere, and a plain "
                       "folder needs it not");
    if (!WIFEXITED(status) || WEXITSTATUS(status))
        return err_set(err, ERR_IO, "git could not do it: %s", line);
    if (out->over)
        return err_set(err, ERR_TOO_LARGE, "git printed more than %zu bytes", out->most);
    return 0;
}

int clone_git(char **text, size_t *len, size_t most, const char *folder, const char *const *args,
              const char *scheme, struct err *err)
{
    const char *argv[ARGS_MOST] = {"git"};
    char allow[40];
    int n = 1;
    for (size_t i = 0; i < sizeof confined / sizeof *confined; i++) {
        argv[n++] = "-c";
        argv[n++] = confined[i];
    }
    snprintf(allow, sizeof allow, "protocol.%s.allow=always", scheme ? scheme : "none");
    argv[n++] = "-c";
    argv[n++] = allow;
    for (int i = 0; args[i] && n < ARGS_MOST - 1; i++)
        argv[n++] = args[i];
    struct heard out = {.fd = -1, .most = most}, log = {.fd = -1, .most = SAID_MOST};
    pid_t pid;
    int rc = start(folder, (char *const *)argv, &out, &log, &pid, err);
    if (!rc) {
        hear_both(&out, &log);
        rc = finish(pid, &out, &log, err);
    }
    if (text && !rc) {
        *text = out.text ? out.text : text_dup("");
        *len = out.len;
        out.text = NULL;
    }
    free(out.text);
    free(log.text);
    return rc;
}

int clone_from(const struct shelf_source *source, const char *folder, char commit[65],
               struct err *err)
{
    static const char *const head[] = {"rev-parse", "HEAD", NULL};
    const char *args[20] = {"clone",      "--quiet",   "--depth=1",
                            "--no-tags",  "--no-local", "--no-recurse-submodules",
                            "--template=", "--single-branch"};
    char *text = NULL;
    size_t len = 0;
    int n = 8;
    if (source->tag) {
        args[n++] = "--branch";
        args[n++] = source->tag;
    }
    args[n++] = "--";
    args[n++] = source->from;
    args[n++] = folder;
    int rc = clone_git(NULL, NULL, SAID_MOST, NULL, args, source->scheme, err);
    if (!rc)
        rc = clone_git(&text, &len, 64 + 1, folder, head, NULL, err);
    int digits = text ? (int)strspn(text, "0123456789abcdef") : 0;
    snprintf(commit, 65, "%.*s", digits, text ? text : "");
    free(text);
    return rc;
}
