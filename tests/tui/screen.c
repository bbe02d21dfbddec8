#include "tests/tui/screen.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "kernels/wire/text.h"

enum { BOUND_MS = 30000, LOOK_MS = 5, ROW_BYTES = 4096 };

struct screen {
    pid_t pid;
    int master, slave,
        status; /* slave stays open here so that the modes can be read after the end */
    bool ended;
    VTerm *term;
    VTermScreen *picture;
    int rows, columns;
    char *bytes;
    size_t n, cap, shown;       /* of the bytes, those that the picture has */
    bool painting;              /* a frame has begun and not ended */
    struct termios before;
    char *made;                 /* folder to be removed, or NULL */
    struct screen *next;        /* of those left */
};

enum { SCREENS_MOST = 16 };
static struct screen *all[SCREENS_MOST];    /* those that were not freed */
static struct screen *left_over;            /* those of cases that failed, ended */

static int64_t now_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void die(const char *what)
{
    perror(what);
    exit(99);
}

/* ---- starting ---- */

static void set_environment(const struct screen_start *how, const char *data)
{
    static const char *const gone[] = {"NO_COLOR", "COLORFGBG", "LINES",
                                       "COLUMNS",  "LC_CTYPE",  "LANG"};
    for (size_t i = 0; i < sizeof gone / sizeof gone[0]; i++)
        unsetenv(gone[i]);
    setenv("TERM", "xterm-256color", 1);
    setenv("LC_ALL", "C.UTF-8", 1);
    setenv("XDG_DATA_HOME", data, 1);
    for (const char *const *e = how->environment; e && *e; e++) {
        char *name = strdup(*e), *value = strchr(name, '=');
        if (value)
            *value++ = '\0';
        if (value)
            setenv(name, value, 1);
        else
            unsetenv(name);
    }
}

static void run_program(const struct screen_start *how, int slave, const char *data)
{
    const char *given = getenv("WARPDRILL_BIN");
    const char *program = how->program ? how->program : given && *given ? given : "build/warpdrill";
    const char *argv[32] = { program };
    for (int i = 0; how->arguments && how->arguments[i] && i < 30; i++)
        argv[i + 1] = how->arguments[i];
    setsid();
    ioctl(slave, TIOCSCTTY, 0);
    for (int fd = 0; fd < 3; fd++)
        dup2(slave, fd);
    for (int fd = 3; fd < 64; fd++)
        close(fd);
    set_environment(how, data);
    execv(program, (char *const *)argv);
    perror(program);
    _exit(127);
}

static void answer(const char *bytes, size_t n, void *user)
{
    struct screen *s = user;
    if (write(s->master, bytes, n) < 0 && errno != EAGAIN)
        perror("answer to the program");
}

static void picture_new(struct screen *s, int rows, int columns)
{
    s->rows = rows;
    s->columns = columns;
    s->term = vterm_new(rows, columns);
    vterm_set_utf8(s->term, 1);
    vterm_output_set_callback(s->term, answer, s);
    s->picture = vterm_obtain_screen(s->term);
    vterm_screen_enable_altscreen(s->picture, 1);
    vterm_screen_reset(s->picture, 1);
}

struct screen *screen_start(const struct screen_start *how)
{
    struct screen *s = calloc(1, sizeof *s);
    struct winsize size = {.ws_row = (unsigned short)how->rows,
                           .ws_col = (unsigned short)how->columns};
    char folder[] = "/tmp/warpdrill-screen-XXXXXX";
    if (!s || openpty(&s->master, &s->slave, NULL, NULL, &size) < 0)
        die("openpty");
    if (!how->data && !mkdtemp(folder))
        die("mkdtemp");
    s->made = how->data ? NULL : strdup(folder);
    tcgetattr(s->slave, &s->before);
    fcntl(s->master, F_SETFL, O_NONBLOCK);
    picture_new(s, how->rows, how->columns);
    fflush(stdout);
    s->pid = fork();
    if (s->pid < 0)
        die("fork");
    if (s->pid == 0)
        run_program(how, s->slave, how->data ? how->data : folder);
    for (int i = 0; i < SCREENS_MOST; i++)
        if (!all[i]) {
            all[i] = s;
            return s;
        }
    die("too many terminals");
    return NULL;
}

/* ---- ending ---- */

static int remove_one(const char *path, const struct stat *st, int kind, struct FTW *walk)
{
    (void)st, (void)kind, (void)walk;
    return remove(path);
}

static bool look_ended(struct screen *s)
{
    if (!s->ended)
        s->ended = waitpid(s->pid, &s->status, WNOHANG) == s->pid;
    return s->ended;
}

static void close_one(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void end(struct screen *s)
{
    for (int i = 0; i < SCREENS_MOST; i++)
        if (all[i] == s)
            all[i] = NULL;
    if (!look_ended(s)) {
        kill(s->pid, SIGKILL);
        waitpid(s->pid, &s->status, 0);
        s->ended = true;
    }
    close_one(&s->master);
    close_one(&s->slave);
    if (s->made)
        nftw(s->made, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    free(s->made);
    s->made = NULL;
}

void screen_free(struct screen *s)
{
    if (!s)
        return;
    end(s);
    for (struct screen **at = &left_over; *at; at = &(*at)->next)
        if (*at == s) {
            *at = s->next;
            break;
        }
    vterm_free(s->term);
    free(s->bytes);
    free(s);
}

void screens_end(void)
{
    for (int i = 0; i < SCREENS_MOST; i++) {
        struct screen *s = all[i];
        if (!s)
            continue;
        end(s);
        s->next = left_over;
        left_over = s;
    }
}

void screens_free_left(void)
{
    while (left_over)
        screen_free(left_over);
}

pid_t screen_pid(const struct screen *s)
{
    return s->pid;
}

/* ---- bytes ---- */

static void keep(struct screen *s, const char *bytes, size_t n)
{
    if (s->n + n + 1 > s->cap) {
        s->cap = (s->n + n + 1) * 2;
        s->bytes = realloc(s->bytes, s->cap);
        if (!s->bytes)
            die("realloc");
    }
    memcpy(s->bytes + s->n, bytes, n);
    s->n += n;
    s->bytes[s->n] = '\0';
}

static void show(struct screen *s, size_t end)
{
    vterm_input_write(s->term, s->bytes + s->shown, end - s->shown);
    vterm_screen_flush_damage(s->picture);
    s->shown = end;
}

/* The picture changes by whole frames, since half of one has the new text beside what is gone. */
static void show_frames(struct screen *s)
{
    static const char begins[] = "\033[?2026h", ends[] = "\033[?2026l";
    const size_t mark = strlen(begins);
    const char *at;
    while ((at = memmem(s->bytes + s->shown, s->n - s->shown, s->painting ? ends : begins, mark))) {
        show(s, (size_t)(at - s->bytes) + mark);
        s->painting = !s->painting;
    }
    if (s->painting)
        return;
    size_t half = s->n - s->shown < mark ? s->n - s->shown : mark - 1;  /* of a mark under way */
    while (half > 0 && memcmp(s->bytes + s->n - half, begins, half) != 0)
        half--;
    show(s, s->n - half);
}

static bool take_one(struct screen *s)
{
    char bytes[65536];
    ssize_t n = read(s->master, bytes, sizeof bytes);
    if (n <= 0)
        return false;
    keep(s, bytes, (size_t)n);
    show_frames(s);
    return true;
}

/* Reads what is there within `ms`, from every terminal, so that none that talks to another is held
 * up; false when nothing came. */
static bool take_all(int ms)
{
    struct pollfd fds[SCREENS_MOST];
    bool any = false;
    for (int i = 0; i < SCREENS_MOST; i++)
        fds[i] = (struct pollfd){ all[i] ? all[i]->master : -1, POLLIN, 0 };
    if (poll(fds, SCREENS_MOST, ms) <= 0)
        return false;
    for (int i = 0; i < SCREENS_MOST; i++)
        any |= fds[i].revents && take_one(all[i]);
    return any;
}

static bool take(struct screen *s, int ms)
{
    return s->master >= 0 && take_all(ms);
}

bool screens_take(int ms)
{
    return take_all(ms);
}

void screen_send(struct screen *s, const char *keys)
{
    size_t left = strlen(keys);
    int64_t end = now_ms() + BOUND_MS;
    while (left > 0 && now_ms() < end) {
        ssize_t n = write(s->master, keys, left);
        if (n > 0) {
            keys += n;
            left -= (size_t)n;
        } else {
            take(s, LOOK_MS);
        }
    }
}

void screen_resize(struct screen *s, int rows, int columns)
{
    struct winsize size = { .ws_row = (unsigned short)rows, .ws_col = (unsigned short)columns };
    vterm_set_size(s->term, rows, columns);
    s->rows = rows;
    s->columns = columns;
    ioctl(s->master, TIOCSWINSZ, &size);
}

/* ---- waiting ---- */

static bool wait_for(struct screen *s, const char *text, bool there)
{
    int64_t end = now_ms() + BOUND_MS;
    int row, column;
    while (take(s, 0))
        ;
    while (screen_find(s, text, &row, &column) != there) {
        if (now_ms() > end)
            return false;
        if (!take(s, LOOK_MS) && look_ended(s) && !take(s, 0))
            return screen_find(s, text, &row, &column) == there;
    }
    return true;
}

bool screen_wait(struct screen *s, const char *text)
{
    return wait_for(s, text, true);
}

bool screen_wait_gone(struct screen *s, const char *text)
{
    return wait_for(s, text, false);
}

void (*screen_failed)(void);

/* prove shows a program's standard error alone, so the pictures go there too. */
static void give_up(struct screen *s, const char *what, const char *how)
{
    screen_dump(s);
    fprintf(stderr, "# '%s' %s\n", what, how);
    for (int i = 0; i < SCREENS_MOST; i++)
        if (all[i] && all[i] != s) {
            fprintf(stderr, "# beside it:\n");
            screen_dump(all[i]);
        }
    if (screen_failed)
        screen_failed();
    screens_end();
    exit(1);
}

void screen_expect_cell(struct screen *s, int row, int column, unsigned character)
{
    int64_t end = now_ms() + BOUND_MS;
    char where[64];
    while (screen_cell(s, row, column).chars[0] != character && now_ms() < end)
        take(s, LOOK_MS);
    snprintf(where, sizeof where, "U+%04X in row %d, column %d", character, row, column);
    if (screen_cell(s, row, column).chars[0] != character)
        give_up(s, where, "never came");
}

static void demand(struct screen *s, const char *text, bool there)
{
    if (wait_for(s, text, there))
        return;
    give_up(s, text, there ? "never came" : "never went");
}

void screen_expect(struct screen *s, const char *text)
{
    demand(s, text, true);
}

void screen_expect_gone(struct screen *s, const char *text)
{
    demand(s, text, false);
}

int screen_wait_exit(struct screen *s)
{
    int64_t end = now_ms() + BOUND_MS;
    while (!look_ended(s) && now_ms() < end)
        take(s, LOOK_MS);
    while (take(s, 0))
        ;
    return s->ended ? s->status : -1;
}

bool screen_wait_stopped(struct screen *s)
{
    int64_t end = now_ms() + BOUND_MS;
    int status;
    while (now_ms() < end) {
        if (waitpid(s->pid, &status, WUNTRACED | WNOHANG) == s->pid)
            return WIFSTOPPED(status);
        take(s, LOOK_MS);
    }
    return false;
}

void screen_hang_up(struct screen *s)
{
    close_one(&s->slave);
    close_one(&s->master);
}

/* ---- the picture ---- */

VTermScreenCell screen_cell(const struct screen *s, int row, int column)
{
    VTermScreenCell cell = { 0 };
    vterm_screen_get_cell(s->picture, (VTermPos){ row, column }, &cell);
    return cell;
}

/* Bytes of the row, and where each column begins when `starts` is given. */
static size_t row_text(const struct screen *s, int row, char *out, size_t size, int *starts)
{
    size_t n = 0;
    for (int c = 0; c < s->columns; c++) {
        VTermScreenCell cell = screen_cell(s, row, c);
        if (starts)
            starts[c] = (int)n;
        if (cell.chars[0] == (uint32_t)-1 || n + 32 > size)
            continue;
        if (cell.chars[0] == 0)
            out[n++] = ' ';
        for (int i = 0; i < VTERM_MAX_CHARS_PER_CELL && cell.chars[i]; i++)
            n += text_encode(out + n, cell.chars[i]);
    }
    out[n] = '\0';
    return n;
}

void screen_row(const struct screen *s, int row, char *out, size_t size)
{
    char text[ROW_BYTES];
    size_t n = row_text(s, row, text, sizeof text, NULL);
    while (n > 0 && text[n - 1] == ' ')
        text[--n] = '\0';
    snprintf(out, size, "%s", text);
}

bool screen_find(const struct screen *s, const char *text, int *row, int *column)
{
    char line[ROW_BYTES];
    int starts[1024];
    for (int r = 0; r < s->rows; r++) {
        row_text(s, r, line, sizeof line, starts);
        const char *at = strstr(line, text);
        if (!at)
            continue;
        *row = r;
        for (*column = 0; *column + 1 < s->columns && starts[*column + 1] <= at - line; ++*column)
            ;
        return true;
    }
    return false;
}

void screen_dump(const struct screen *s)
{
    char line[ROW_BYTES];
    for (int r = 0; r < s->rows; r++) {
        screen_row(s, r, line, sizeof line);
        fprintf(stderr, "# |%s\n", line);
    }
}

const char *screen_bytes(const struct screen *s, size_t *n)
{
    *n = s->n;
    return s->bytes ? s->bytes : "";
}

/* ---- modes ---- */

struct termios screen_modes(const struct screen *s)
{
    struct termios now = { 0 };
    tcgetattr(s->slave, &now);
    return now;
}

struct termios screen_modes_before(const struct screen *s)
{
    return s->before;
}

bool screen_same_modes(const struct screen *s)
{
    struct termios now = screen_modes(s);
    return now.c_iflag == s->before.c_iflag && now.c_oflag == s->before.c_oflag &&
           now.c_lflag == s->before.c_lflag &&
           (now.c_cflag & CSIZE) == (s->before.c_cflag & CSIZE) &&
           !memcmp(now.c_cc, s->before.c_cc, sizeof now.c_cc);
}
