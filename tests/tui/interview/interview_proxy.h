/* A wire between host and candidate that can be cut: the candidate's program finds the socket in a
 * folder of its own, and a process in between passes everything on, keeps what the candidate was
 * sent, and cuts the link when told to. */
#ifndef WD_TESTS_TUI_INTERVIEW_PROXY_H
#define WD_TESTS_TUI_INTERVIEW_PROXY_H

#include <stdbool.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

struct proxy {
    pid_t pid;
    int say;
}; /* a 32-bit number on `say`: so many bytes more and the link is cut; its end: the proxy's end */

enum { PROXY_LINKS = 8 };
struct proxy_link { int near, far; };    /* the candidate's end, the host's; -1: none */

static inline int proxy_socket(const char *folder, const char *id, bool listening)
{
    struct sockaddr_un at = { .sun_family = AF_UNIX };
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(at.sun_path, sizeof at.sun_path, "%.80s/warpdrill/%.7s.sock", folder, id);
    int rc = listening ? bind(fd, (struct sockaddr *)&at, sizeof at) || listen(fd, 8)
                       : connect(fd, (struct sockaddr *)&at, sizeof at);
    if (rc == 0)
        return fd;
    close(fd);
    return -1;
}

static inline void proxy_cut(struct proxy_link *l)
{
    if (l->near >= 0)
        close(l->near);
    if (l->far >= 0)
        close(l->far);
    *l = (struct proxy_link){ -1, -1 };
}

/* Blocks while the other end does not take it: the two ends never wait for each other, so that it
 * always goes on. False at the end. */
static inline bool proxy_pass(int from, int to, FILE *record, long *left)
{
    char bytes[65536];
    ssize_t n = read(from, bytes, sizeof bytes);
    if (n <= 0)
        return false;
    if (*left >= 0 && n > *left)
        n = *left;
    if (record && fwrite(bytes, 1, (size_t)n, record) != (size_t)n)
        return false;
    for (ssize_t done = 0, k; done < n; done += k)
        if ((k = send(to, bytes + done, (size_t)(n - done), MSG_NOSIGNAL)) <= 0)
            return false;
    *left = *left < 0 ? -1 : *left - n;
    return *left != 0;
}

static inline void proxy_run(int listening, int orders, const char *far, const char *id,
                             FILE *record)
{
    struct proxy_link links[PROXY_LINKS];
    long left = -1;                      /* bytes until the cut; -1: none is to come */
    for (int k = 0; k < PROXY_LINKS; k++)
        links[k] = (struct proxy_link){ -1, -1 };
    for (;;) {
        struct pollfd fds[2 + 2 * PROXY_LINKS] = {{listening, POLLIN, 0}, {orders, POLLIN, 0}};
        for (int k = 0; k < PROXY_LINKS; k++) {
            fds[2 + 2 * k] = (struct pollfd){ links[k].near, POLLIN, 0 };
            fds[3 + 2 * k] = (struct pollfd){ links[k].far, POLLIN, 0 };
        }
        if (poll(fds, 2 + 2 * PROXY_LINKS, -1) < 0 && errno != EINTR)
            _exit(1);
        if (fds[1].revents) {
            int more;
            if (read(orders, &more, sizeof more) != sizeof more)
                _exit(0);
            left = more;
        }
        for (int k = 0; k < PROXY_LINKS; k++) {
            bool good = !(fds[2 + 2 * k].revents &&
                          !proxy_pass(links[k].near, links[k].far, NULL, &left)) &&
                        !(fds[3 + 2 * k].revents &&
                          !proxy_pass(links[k].far, links[k].near, record, &left));
            if (!good && left != 0)          /* what the host said last is not lost */
                while (fds[3 + 2 * k].fd >= 0 && poll(&fds[3 + 2 * k], 1, 0) > 0 &&
                       proxy_pass(links[k].far, links[k].near, record, &left))
                    ;
            if (!good || left == 0)
                proxy_cut(&links[k]);
        }
        left = left == 0 ? -1 : left;
        if (record)
            fflush(record);
        int near = fds[0].revents ? accept(listening, NULL, NULL) : -1, free_link = 0;
        while (near >= 0 && free_link < PROXY_LINKS - 1 && links[free_link].near >= 0)
            free_link++;
        if (near >= 0) {
            proxy_cut(&links[free_link]);
            links[free_link] = (struct proxy_link){ near, proxy_socket(far, id, false) };
            if (links[free_link].far < 0)
                proxy_cut(&links[free_link]);
        }
    }
}

/* Between folders `near` (made) and `far`, each a runtime directory. record: a file for what the
 * host sent; NULL. */
static inline struct proxy proxy_start(const char *near, const char *far, const char *id,
                                       const char *record)
{
    struct proxy p;
    char folder[256];
    int orders[2];
    snprintf(folder, sizeof folder, "%s/warpdrill", near);
    mkdir(folder, 0700);
    int listening = proxy_socket(near, id, true);
    if (listening < 0 || pipe(orders) != 0 || fcntl(orders[1], F_SETFD, FD_CLOEXEC) != 0)
        abort();
    fflush(stdout);
    p.pid = fork();
    if (p.pid == 0) {
        for (int fd = 3; fd < 64; fd++)
            if (fd != listening && fd != orders[0])
                close(fd);
        signal(SIGPIPE, SIG_IGN);
        proxy_run(listening, orders[0], far, id, record ? fopen(record, "ab") : NULL);
    }
    close(listening);
    close(orders[0]);
    p.say = orders[1];
    return p;
}

/* After `bytes` more in either direction; 0: now; -1: not any more. */
static inline bool proxy_cut_after(struct proxy *p, int bytes)
{
    return write(p->say, &bytes, sizeof bytes) == sizeof bytes;
}

static inline void proxy_end(struct proxy *p)
{
    close(p->say);
    waitpid(p->pid, NULL, 0);
}

#endif
