#include "tui/kit/passphrase.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "kernels/wire/os.h"

const char *passphrase_file(const char *given)
{
    const char *named = getenv("WARPDRILL_PASSPHRASE_FILE");
    return given ? given : named && *named ? named : NULL;
}

/* ---- the terminal ---- */

/* Signals wait in `signals` while echo is off, so that none can end the program with it off. */
struct asking { int tty, signals; struct termios before; sigset_t waiting, mask; };

static void tell(const struct asking *a, const char *text)
{
    ssize_t ignored = write(a->tty, text, strlen(text));
    (void)ignored;
}

static int begin(struct asking *a, struct err *err)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
    a->tty = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (a->tty < 0 || tcgetattr(a->tty, &a->before)) {
        if (a->tty >= 0)
            close(a->tty);
        return err_set(err, ERR_UNSUPPORTED,
                       "there is no terminal to ask for the passphrase on; --passphrase-file FILE "
                       "or $WARPDRILL_PASSPHRASE_FILE was expected");
    }
    sigemptyset(&a->waiting);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaddset(&a->waiting, numbers[i]);
    sigprocmask(SIG_BLOCK, NULL, &a->mask);
    a->signals = os_signal_open(&a->waiting, err);
    if (a->signals < 0) {
        close(a->tty);
        return a->signals;
    }
    return 0;
}

static void quiet(const struct asking *a)
{
    struct termios modes = a->before;
    modes.c_lflag &= ~(tcflag_t)(ECHO | ECHOE | ECHOK | ECHONL);
    modes.c_lflag |= ICANON | ISIG;
    tcsetattr(a->tty, TCSAFLUSH, &modes);
}

static void restore(const struct asking *a)
{
    tcsetattr(a->tty, TCSAFLUSH, &a->before);
}

static void end(struct asking *a)
{
    restore(a);
    os_signal_close(a->signals);
    sigprocmask(SIG_SETMASK, &a->mask, NULL);
    close(a->tty);
}

/* Stops or ends this process as the signal means it. Returns when it was continued, or when the
 * signal is ignored. */
static void obey(const struct asking *a, int number)
{
    sigset_t one;
    restore(a);
    tell(a, "\n");
    sigemptyset(&one);
    sigaddset(&one, number);
    raise(number);
    sigprocmask(SIG_UNBLOCK, &one, NULL);   /* here it strikes */
    sigprocmask(SIG_BLOCK, &one, NULL);
}

/* A byte, -1 at the end of input, -2 after a signal. */
static int next_byte(const struct asking *a)
{
    struct pollfd fds[] = {{a->tty, POLLIN, 0}, {a->signals, POLLIN, 0}};
    unsigned char c;
    while (poll(fds, 2, -1) < 0 && errno == EINTR)
        continue;
    int number = fds[1].revents ? os_signal_read(a->signals) : 0;
    if (number > 0) {
        obey(a, number);
        return -2;
    }
    ssize_t n = read(a->tty, &c, 1);
    return n == 1 ? c : n < 0 && errno == EINTR ? -2 : -1;
}

static int read_line(const struct asking *a, struct secret *s, const char *prompt, struct err *err)
{
    int c;
    sodium_memzero(s, sizeof *s);
    quiet(a);
    tell(a, prompt);
    while ((c = next_byte(a)) >= 0 || c == -2) {
        if (c == '\n' || c == '\r')
            break;
        if (c == -2) {          /* stopped and continued: what was typed before is gone */
            sodium_memzero(s, sizeof *s);
            quiet(a);
            tell(a, prompt);
        } else if (s->len < PASSPHRASE_MOST) {
            s->text[s->len++] = (char)c;
        }
    }
    tell(a, "\n");
    if (c < 0)
        return err_set(err, ERR_CANCELLED, "no passphrase was given");
    return s->len == PASSPHRASE_MOST
               ? err_set(err, ERR_TOO_LARGE, "a passphrase of at most %d bytes was expected",
                         PASSPHRASE_MOST - 1)
               : 0;
}

/* Asks on the terminal (/dev/tty, whatever stdin is), which shows nothing of what is typed and is
 * put right again after every kind of end. ERR_UNSUPPORTED: there is no terminal. A signal that
 * ends the program ends it, after the terminal was put right. */
static int passphrase_ask(struct secret *s, const char *prompt, struct err *err)
{
    struct asking a;
    int rc = begin(&a, err);
    if (rc)
        return rc;
    rc = read_line(&a, s, prompt, err);
    end(&a);
    return rc;
}

/* ---- from wherever it comes ---- */

int passphrase_known(struct secret *s, const char *given, const char *pack, struct err *err)
{
    const char *file = passphrase_file(given);
    char prompt[120];
    if (file)
        return secret_read(s, file, err);
    snprintf(prompt, sizeof prompt, "Passphrase of %.80s: ", pack);
    int rc = passphrase_ask(s, prompt, err);
    return rc || s->len ? rc : err_set(err, ERR_CANCELLED, "no passphrase was given");
}

/* To the terminal alone: a copy of standard output may lie in a file. */
static int show(const struct secret *s, struct err *err)
{
    int tty = open("/dev/tty", O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (tty < 0)
        return err_set(err, ERR_IO, "cannot show the new passphrase: %s", strerror(errno));
    bool shown = dprintf(tty, "The passphrase, which is kept nowhere: ") > 0 &&
                 write(tty, s->text, s->len) == (ssize_t)s->len && write(tty, "\n", 1) == 1;
    close(tty);
    return shown ? 0 : err_set(err, ERR_IO, "cannot show the new passphrase");
}

static int ask_twice(struct secret *s, struct err *err)
{
    struct secret *again = NULL;
    int rc = passphrase_ask(s, "New passphrase (Enter alone makes one): ", err);
    if (!rc && !s->len) {
        secret_generate(s);
        return show(s, err);
    }
    if (!rc)
        rc = secret_fit(s, err);
    if (!rc) {
        again = secret_new();
        rc = passphrase_ask(again, "The same again: ", err);
    }
    if (!rc && (s->len != again->len || memcmp(s->text, again->text, s->len)))
        rc = err_set(err, ERR_BAD_REQUEST, "the two were not the same");
    secret_free(again);
    return rc;
}

int passphrase_new(struct secret *s, const char *given, struct err *err)
{
    const char *file = passphrase_file(given);
    int rc = file ? secret_read(s, file, err) : ask_twice(s, err);
    return rc ? rc : secret_fit(s, err);
}
