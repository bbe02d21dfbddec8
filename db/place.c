#include "db/place.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/vfs.h>
#else
#include <sys/mount.h>
#include <sys/param.h>
#endif

static int make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        struct stat st;
        int rc = 0;
        if (mkdir(path, 0700) != 0 && errno != EEXIST)
            rc = errno;
        else if (stat(path, &st) != 0)
            rc = errno;
        else if (!S_ISDIR(st.st_mode))
            rc = ENOTDIR;
        if (rc != 0)
            return rc; /* path is cut after the part that failed */
        *slash = '/';
    }
    return 0;
}

int place_prepare(const char *path, char *where, size_t n)
{
    char copy[PATH_MAX];
    snprintf(where, n, "%s", path);
    if (strlen(path) >= sizeof copy)
        return ENAMETOOLONG;
    if (!*path)
        return ENOENT;
    strcpy(copy, path);
    int rc = make_folders(copy);
    if (rc != 0) {
        snprintf(where, n, "%s", copy);
        return rc;
    }
    /* SQLite would make the file readable to all. */
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return errno;
    close(fd);
    return 0;
}

bool place_is_file(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

bool place_is_network_type(unsigned long type)
{
    static const unsigned long shared[] = {
        0x6969,     /* NFS */
        0x517b,     /* SMB */
        0xff534d42, /* CIFS */
        0xfe534d42, /* SMB2 */
        0x0bd00bd0, /* Lustre */
        0x47504653, /* GPFS */
        0x19830326, /* BeeGFS */
        0x00c36400, /* Ceph */
        0x5346414f, /* AFS */
        0x6b414653, /* kAFS */
        0x73757245, /* Coda */
        0x01161970, /* GFS2 */
        0x7461636f, /* OCFS2 */
        0xaad7aaea, /* PanFS */
        0x01021997, /* 9p */
        0x65735546, /* FUSE: sshfs and its like cannot be told from local ones */
    };
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (shared[i] == (type & 0xffffffffUL))
            return true;
    return false;
}

bool place_is_network(const char *path)
{
    struct statfs fs;
    if (statfs(path, &fs) != 0)
        return false;
#ifdef __linux__
    return place_is_network_type((unsigned long)fs.f_type);
#else
    return !(fs.f_flags & MNT_LOCAL);
#endif
}

static int64_t file_size(const char *path)
{
    struct stat st;
    return stat(path, &st) == 0 ? (int64_t)st.st_size : 0;
}

int64_t place_size(const char *path)
{
    char wal[PATH_MAX];
    int n = snprintf(wal, sizeof wal, "%s-wal", path);
    return file_size(path) + (n > 0 && n < (int)sizeof wal ? file_size(wal) : 0);
}

void place_sync_folder(const char *path)
{
    char folder[PATH_MAX];
    snprintf(folder, sizeof folder, "%s", path);
    char *slash = strrchr(folder, '/');
    if (!slash)
        strcpy(folder, ".");
    else
        slash[slash == folder] = '\0';
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    fsync(fd);
    close(fd);
}

static long long big_endian(const unsigned char *p, int n)
{
    long long v = 0;
    for (int i = 0; i < n; i++)
        v = v << 8 | p[i];
    return v;
}

void place_describe_damage(const char *path, char *out, size_t n)
{
    static const char magic[16] = "SQLite format 3";
    unsigned char head[100] = {0};
    struct stat st = {0};
    FILE *f = fopen(path, "rb");
    size_t got = f ? fread(head, 1, sizeof head, f) : 0;
    if (f && fstat(fileno(f), &st) != 0)
        st.st_size = 0;
    if (f)
        fclose(f);

    /* The header keeps the page size in bytes 16-17 (1 means 65536), the page count in 28-31. */
    long long page = big_endian(head + 16, 2);
    long long size = (page == 1 ? 65536 : page) * big_endian(head + 28, 4);
    if (!f)
        snprintf(out, n, "it cannot be read (%s)", strerror(errno));
    else if (memcmp(head, magic, got < 16 ? got : 16) != 0)
        snprintf(out, n, "it does not begin like an SQLite database");
    else if (got < sizeof head)
        snprintf(out, n, "it ends after %zu bytes, inside its header", got);
    else if (st.st_size < size)
        snprintf(out, n, "it ends after %lld of %lld bytes", (long long)st.st_size, size);
    else
        snprintf(out, n, "a page inside it makes no sense");
}
