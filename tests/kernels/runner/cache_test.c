/* The compile cache: what is stored comes back; damaged, cut, renamed or older files are misses;
 * the entries used longest ago go first; a folder that cannot be written is no error; several
 * runners at once. */
#include "kernels/runner/cache.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kernels/wire/hash.h"
#include "kernels/wire/text.h"
#include "tests/folder.h"
#include "tests/unit.h"

static int open_folder(void **state)
{
    return folder_make("cache_test") ? -1 : setenv("WARPDRILL_CACHE", folder, 1);
}

static int close_folder(void **state)
{
    unsetenv("WARPDRILL_CACHE");
    return folder_remove(state);
}

static char *key_of(int n)
{
    char *key = mem_new(HASH_HEX, 1);
    hash_bytes(key, &n, sizeof n);
    return key;
}

static char *path_of(const char *key)
{
    return text_format("%s/kernels/%s", folder, key);
}

static void store(int n, size_t bytes, uint64_t most)
{
    char *image = mem_new(bytes + 1, 1), *key = key_of(n);
    memset(image, 'a' + n % 26, bytes);
    char log[] = "used 8 registers", ptx[] = "ptx";
    struct cache_entry e = {.log = log,
                            .ptx = ptx,
                            .ptx_len = 3,
                            .image = image,
                            .image_len = bytes};
    cache_store(&e, key, most);
    free(image);
    free(key);
}

static bool holds(int n, size_t bytes)
{
    struct cache_entry e;
    char *key = key_of(n);
    bool found = cache_load(&e, key);
    free(key);
    if (!found)
        return false;
    assert_string_equal(e.log, "used 8 registers");
    assert_string_equal(e.ptx, "ptx");
    assert_int_equal(e.image_len, bytes);
    for (size_t i = 0; i < bytes; i++)
        assert_int_equal(e.image[i], 'a' + n % 26);
    cache_entry_free(&e);
    return true;
}

static int count_files(void)
{
    char *path = text_format("%s/kernels", folder);
    DIR *dir = opendir(path);
    int n = 0;
    for (struct dirent *e; dir && (e = readdir(dir));)
        n += e->d_name[0] != '.';
    if (dir)
        closedir(dir);
    free(path);
    return n;
}

static void what_is_stored_comes_back(void **state)
{
    assert_false(holds(1, 5));
    store(1, 5, CACHE_BYTES);
    store(2, 3 << 20, CACHE_BYTES);
    assert_true(holds(1, 5) && holds(2, 3 << 20));
    assert_int_equal(count_files(), 2); /* and nothing temporary */
}

/* Each byte of a small entry turned over, and each length cut: a miss, and storing it anew mends
 * it. */
static void a_damaged_entry_is_a_miss(void **state)
{
    char *key = key_of(1), *path = path_of(key);
    struct stat st;
    store(1, 40, CACHE_BYTES);
    assert_int_equal(stat(path, &st), 0);
    for (off_t i = 0; i < st.st_size; i++) {
        int fd = open(path, O_RDWR | O_CLOEXEC);
        unsigned char byte;
        assert_int_equal(pread(fd, &byte, 1, i), 1);
        byte ^= 0x15;
        assert_int_equal(pwrite(fd, &byte, 1, i), 1);
        assert_false(holds(1, 40));
        byte ^= 0x15;
        assert_int_equal(pwrite(fd, &byte, 1, i), 1);
        close(fd);
    }
    assert_true(holds(1, 40));
    for (off_t i = st.st_size - 1; i >= 0; i -= 7) {
        assert_int_equal(truncate(path, i), 0);
        assert_false(holds(1, 40));
    }
    store(1, 40, CACHE_BYTES);
    assert_true(holds(1, 40));
    free(path);
    free(key);
}

/* Another key's file under this name, an older format, a folder, a link and a pipe in its place. */
static void a_foreign_entry_is_a_miss(void **state)
{
    char *key = key_of(1), *path = path_of(key), *other = key_of(2), *from = path_of(other);
    store(2, 40, CACHE_BYTES);
    assert_int_equal(rename(from, path), 0);
    assert_false(holds(1, 40));
    static const char old[] = "{\"sha256\":\"00\",\"ptx\":0,\"log\":\"\"}\nabc";
    int fd = open(path, O_WRONLY | O_TRUNC | O_CLOEXEC);
    assert_int_equal(write(fd, old, sizeof old - 1), sizeof old - 1);
    close(fd);
    assert_false(holds(1, 40));
    unlink(path);
    assert_int_equal(mkfifo(path, 0600), 0);
    assert_false(holds(1, 40)); /* and does not wait for a writer */
    unlink(path);
    assert_int_equal(symlink("/dev/zero", path), 0);
    assert_false(holds(1, 40));
    unlink(path);
    assert_int_equal(mkdir(path, 0700), 0);
    assert_false(holds(1, 40));
    store(1, 40, CACHE_BYTES); /* cannot be put there: no error */
    assert_false(holds(1, 40));
    assert_int_equal(count_files(), 1);
    free(from);
    free(other);
    free(path);
    free(key);
}

static void age(int n, time_t seconds)
{
    char *key = key_of(n), *path = path_of(key);
    struct timespec times[2] = {{.tv_sec = time(NULL) - seconds}, {.tv_sec = time(NULL) - seconds}};
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    free(path);
    free(key);
}

static void the_oldest_used_go_first(void **state)
{
    for (int n = 0; n < 6; n++) {
        store(n, 100000, CACHE_BYTES);
        age(n, 1000 - 100 * n);
    }
    assert_true(holds(0, 100000)); /* used now, so it is the youngest */
    store(6, 100000, 401000 + 4 * 400);
    assert_int_equal(count_files(), 4);
    assert_true(holds(0, 100000) && holds(6, 100000) && holds(5, 100000) && holds(4, 100000));
    store(7, 100000, 0);
    assert_int_equal(count_files(), 0);
}

static void what_a_dead_runner_left_is_swept(void **state)
{
    store(1, 40, CACHE_BYTES);
    char *path = text_format("%s/kernels/half.123", folder),
         *fresh = text_format("%s/kernels/half.124", folder);
    close(open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    close(open(fresh, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    struct timespec old[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    assert_int_equal(utimensat(AT_FDCWD, path, old, 0), 0);
    store(2, 40, CACHE_BYTES);
    assert_int_equal(access(path, F_OK), -1);
    assert_int_equal(access(fresh, F_OK), 0); /* another runner may be writing it */
    free(fresh);
    free(path);
}

/* A limit on a file's size stands for a full disk: write gives less, then nothing. */
static void a_full_disk_is_no_error(void **state)
{
    struct rlimit before, small = {4096, 4096};
    store(1, 40, CACHE_BYTES);
    getrlimit(RLIMIT_FSIZE, &before);
    small.rlim_max = before.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
    store(2, 100000, CACHE_BYTES);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_DFL);
    assert_false(holds(2, 100000));
    assert_true(holds(1, 40));
    assert_int_equal(count_files(), 1);
}

static void a_folder_that_cannot_be_written_is_no_error(void **state)
{
    char *file = text_format("%s/file", folder), *below = text_format("%s/below", file);
    close(open(file, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
    static const char *const places[] = {"/proc/self/no", "/dev/null/x"};
    for (int i = 0; i < 3; i++) {
        setenv("WARPDRILL_CACHE", i < 2 ? places[i] : below, 1);
        store(1, 40, CACHE_BYTES);
        assert_false(holds(1, 40));
    }
    setenv("WARPDRILL_CACHE", folder, 1);
    char *kernels = text_format("%s/kernels", folder);
    store(1, 40, CACHE_BYTES);
    assert_int_equal(chmod(kernels, 0500), 0); /* what is there can still be read */
    store(2, 40, CACHE_BYTES);
    assert_true(holds(1, 40));
    assert_int_equal(chmod(kernels, 0700), 0);
    free(kernels);
    free(below);
    free(file);
}

/* Four runners that store, load and trim the same few keys: each finds whole entries or none. */
static void several_runners_share_it(void **state)
{
    enum { RUNNERS = 4, ROUNDS = 60, KEYS = 5 };
    pid_t pids[RUNNERS];
    for (int r = 0; r < RUNNERS; r++)
        if ((pids[r] = fork()) == 0) {
            for (int i = 0; i < ROUNDS; i++) {
                struct cache_entry e;
                int n = (i * 7 + r) % KEYS;
                store(n, 20000, 60000);
                char *key = key_of((n + 1) % KEYS);
                bool found = cache_load(&e, key);
                free(key);
                if (found && (e.image_len != 20000 || e.image[19999] != 'a' + (n + 1) % KEYS))
                    _exit(1);
                if (found)
                    cache_entry_free(&e);
            }
            _exit(0);
        }
    for (int r = 0; r < RUNNERS; r++) {
        int status = -1;
        assert_int_equal(waitpid(pids[r], &status, 0), pids[r]);
        assert_int_equal(status, 0);
    }
    assert_true(count_files() <= 3);
}

#define IN_FOLDER(test) cmocka_unit_test_setup_teardown(test, open_folder, close_folder)

int main(void)
{
    const struct CMUnitTest tests[] = {
        IN_FOLDER(what_is_stored_comes_back),
        IN_FOLDER(a_damaged_entry_is_a_miss),
        IN_FOLDER(a_foreign_entry_is_a_miss),
        IN_FOLDER(the_oldest_used_go_first),
        IN_FOLDER(what_a_dead_runner_left_is_swept),
        IN_FOLDER(a_full_disk_is_no_error),
        IN_FOLDER(a_folder_that_cannot_be_written_is_no_error),
        IN_FOLDER(several_runners_share_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
