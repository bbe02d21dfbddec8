#include "scenarios/link/session_place.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "kernels/wire/path.h"

enum { WAITING_MOST = 64 };

static bool id_is_plain(const char *id)
{
    size_t n = strlen(id);
    return n > 0 && n < 8 && strspn(id, "abcdefghijklmnopqrstuvwxyz0123456789") == n;
}

static bool folder_is(const char *path, uid_t owner, bool is_private)
{
    return !path_folder_fault(path, owner, is_private);
}

static bool place_set(struct session_place *p, const char *folder, const char *file, bool shared)
{
    int a = snprintf(p->folder, sizeof p->folder, "%s", folder);
    int b = snprintf(p->socket, sizeof p->socket, "%s/%s", folder, file);
    p->shared = shared;
    p->owner = geteuid();
    return a < (int)sizeof p->folder && b < (int)sizeof p->socket;
}

enum { OWN_RUNTIME, OWN_SYSTEMD /* ssh may not say where it is */, OWN_TMP, SHARED, PLACES };
static bool place_of(struct session_place *p, int which, const char *id)
{
    char folder[4096], file[16];
    const char *runtime = getenv("XDG_RUNTIME_DIR");
    if (which == OWN_RUNTIME &&
        (!runtime || *runtime != '/' || !folder_is(runtime, geteuid(), true)))
        return false;
    if (which == OWN_RUNTIME)
        snprintf(folder, sizeof folder, "%s/warpdrill", runtime);
    else if (which == OWN_SYSTEMD)
        snprintf(folder, sizeof folder, "/run/user/%lu/warpdrill", (unsigned long)geteuid());
    else if (which == OWN_TMP)
        snprintf(folder, sizeof folder, "/tmp/warpdrill-%lu", (unsigned long)geteuid());
    else
        snprintf(folder, sizeof folder, "/tmp/warpdrill-%s", id);
    snprintf(file, sizeof file, "%s%s", which == SHARED ? "socket" : id,
             which == SHARED ? "" : ".sock");
    return place_set(p, folder, file, which == SHARED);
}

static int unsafe(const char *folder, struct err *err)
{
    return err_set(err, ERR_PERMISSION,
                   "%s is not what it should be: a folder of one user to which nobody else may "
                   "write",
                   folder);
}

int session_place_make(struct session_place *out, const char *code_id, bool shared, struct err *err)
{
    if (!id_is_plain(code_id))
        return err_set(err, ERR_BAD_REQUEST, "that is no code");
    if (shared)
        place_of(out, SHARED, code_id);
    else if (!place_of(out, OWN_RUNTIME, code_id))
        place_of(out, OWN_TMP, code_id);
    mode_t mode = shared ? 0711 : 0700;
    if (mkdir(out->folder, mode) == 0)
        chmod(out->folder, mode);
    else if (errno != EEXIST)
        return err_set(err, ERR_IO, "cannot make %s: %s", out->folder, strerror(errno));
    return folder_is(out->folder, out->owner, !shared) ? 0 : unsafe(out->folder, err);
}

int session_place_find(struct session_place *out, const char *code_id, struct err *err)
{
    struct stat st;
    if (!id_is_plain(code_id))
        return err_set(err, ERR_BAD_REQUEST, "that is no code");
    for (int which = 0; which < PLACES; which++) {
        if (!place_of(out, which, code_id) || lstat(out->socket, &st) != 0)
            continue;
        if (which == SHARED)
            out->owner = st.st_uid;
        if (!S_ISSOCK(st.st_mode) || st.st_uid != out->owner ||
            !folder_is(out->folder, out->owner, which != SHARED))
            return unsafe(out->folder, err);
        return 0;
    }
    return err_set(err, ERR_MISSING,
                   "no interview with the code %s-... is open on this machine; the interviewer "
                   "sees whether it is",
                   code_id);
}

/* ---- sockets ---- */

static int socket_new(struct sockaddr_un *address, const char *path, struct err *err)
{
    int fd = socket(AF_UNIX, SOCK_STREAM, 0);
    if (fd < 0)
        return err_set(err, ERR_IO, "cannot make a socket: %s", strerror(errno));
    fcntl(fd, F_SETFD, FD_CLOEXEC);
    fcntl(fd, F_SETFL, O_NONBLOCK);
    *address = (struct sockaddr_un){.sun_family = AF_UNIX};
    snprintf(address->sun_path, sizeof address->sun_path, "%s", path);
    return fd;
}

static int connect_to(const char *path, struct err *err)
{
    struct sockaddr_un address;
    int fd = socket_new(&address, path, err);
    if (fd < 0)
        return fd;
    if (connect(fd, (struct sockaddr *)&address, sizeof address) == 0 || errno == EINPROGRESS)
        return fd;
    int why = errno;
    close(fd);
    return err_set(err, why == ECONNREFUSED || why == ENOENT ? ERR_LOST : ERR_IO,
                   "cannot reach %s: %s", path, strerror(why));
}

int session_place_connect(const struct session_place *p, struct err *err)
{
    return connect_to(p->socket, err);
}

/* Sockets of hosts that were killed. One whose host lives answers, since sockets get their names
 * after they listen. */
static void sweep(const char *folder)
{
    DIR *dir = opendir(folder);
    char path[sizeof((struct sockaddr_un *)0)->sun_path];
    for (struct dirent *e; dir && (e = readdir(dir));) {
        size_t n = strlen(e->d_name);
        if (n < 6 || strcmp(e->d_name + n - 5, ".sock") ||
            snprintf(path, sizeof path, "%s/%s", folder, e->d_name) >= (int)sizeof path)
            continue;
        int fd = connect_to(path, NULL);
        if (fd >= 0)
            close(fd);
        else if (fd == ERR_LOST)
            unlink(path);
    }
    if (dir)
        closedir(dir);
}

/* Made under another name: whoever finds it by its own finds it listening. */
static int bind_listen(int fd, struct sockaddr_un *address, const struct session_place *p,
                       struct err *err)
{
    unlink(address->sun_path);
    if (bind(fd, (struct sockaddr *)address, sizeof *address) != 0 ||
        chmod(address->sun_path, p->shared ? 0666 : 0600) != 0 || listen(fd, WAITING_MOST) != 0 ||
        rename(address->sun_path, p->socket) != 0)
        return err_set(err, ERR_IO, "cannot listen at %s: %s", p->socket, strerror(errno));
    return fd;
}

int session_place_listen(const struct session_place *p, struct err *err)
{
    struct sockaddr_un address;
    char path[sizeof address.sun_path];
    if (!p->shared)
        sweep(p->folder);
    int fd = connect_to(p->socket, err);
    if (fd >= 0) {
        close(fd);
        return err_set(err, ERR_BUSY, "another host listens at %s already", p->socket);
    }
    snprintf(path, sizeof path, "%s/.%ld", p->folder, (long)getpid());
    fd = socket_new(&address, path, err);
    if (fd < 0)
        return fd;
    int rc = bind_listen(fd, &address, p, err);
    if (rc < 0) {
        unlink(path);
        close(fd);
    }
    return rc;
}

void session_place_leave(const struct session_place *p)
{
    unlink(p->socket);
    rmdir(p->folder);
}
