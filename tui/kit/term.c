#include "tui/kit/term.h"

#include <curses.h>
#include <locale.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <term.h>
#include <termios.h>
#include <unistd.h>
#include <wchar.h>

#include "tui/kit/draw.h"
#include "tui/kit/keys.h"
#include "tui/kit/theme.h"

enum { SIZE_MOST = 1000, MODE_BYTES = 8 };

/* Synchronized output: a terminal that knows it shows a frame whole, others ignore it. */
#define FRAME_BEGINS "\033[?2026h"
#define FRAME_ENDS   "\033[?2026l"

/* Faults, Ctrl-\\, limits, and what somebody sends by mistake. */
static const int deadly[] = { SIGSEGV, SIGBUS,  SIGFPE,  SIGILL,  SIGABRT, SIGTRAP, SIGSYS,
                              SIGQUIT, SIGXCPU, SIGXFSZ, SIGALRM, SIGUSR1, SIGUSR2 };
enum { DEADLY = sizeof deadly / sizeof deadly[0] };

/* What a signal handler needs to give the terminal back, made ready beforehand. */
static struct termios saved_modes;
static struct sigaction saved_action[DEADLY];
static char farewell[256];
static volatile sig_atomic_t taken;
static SCREEN *screen;
static bool pasting; /* pastes are marked */

/* ---- giving it back in an emergency: only async-signal-safe calls ---- */

static void restore_now(void)
{
    if (!taken)
        return;
    taken = 0;
    ssize_t ignored = write(STDOUT_FILENO, farewell, strlen(farewell));
    (void)ignored;
    tcsetattr(STDIN_FILENO, TCSANOW, &saved_modes);
}

/* The former action runs next: a sanitizer's report, or the default. */
static void on_deadly(int signal_number)
{
    restore_now();
    for (int i = 0; i < DEADLY; i++)
        if (deadly[i] == signal_number)
            sigaction(signal_number, &saved_action[i], NULL);
    raise(signal_number);
}

static void catch_deadly(void)
{
    static char stack[64 * 1024];
    stack_t alternate = { .ss_sp = stack, .ss_size = sizeof stack };
    sigaltstack(&alternate, NULL);
    struct sigaction action = { .sa_handler = on_deadly, .sa_flags = SA_ONSTACK };
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < DEADLY; i++) {
        sigaction(deadly[i], &action, &saved_action[i]);
        if (saved_action[i].sa_handler == SIG_IGN)   /* it does not end us */
            sigaction(deadly[i], &saved_action[i], NULL);
    }
}

static void release_deadly(void)
{
    for (int i = 0; i < DEADLY; i++)
        sigaction(deadly[i], &saved_action[i], NULL);
}

/* Appends a terminfo string without its padding marks "$<5>". */
static void farewell_add(const char *name)
{
    const char *s = tigetstr(name);
    if (!s || s == (char *)-1)
        return;
    size_t n = strlen(farewell);
    for (; *s && n + 1 < sizeof farewell; s++) {
        const char *end = s[0] == '$' && s[1] == '<' ? strchr(s, '>') : NULL;
        if (end)
            s = end;
        else
            farewell[n++] = *s;
    }
    farewell[n] = '\0';
}

static void farewell_make(void)
{
    static const char *const names[] = { "sgr0", "rmkx", "cnorm", "rmcup" };
    strcpy(farewell, FRAME_ENDS "\033[?2004l");
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        farewell_add(names[i]);
}

/* ---- opening and closing ---- */

static void on_stop(int signal_number)
{
    (void)signal_number;
}

/* While it paints, ncurses sets SIGTSTP to be ignored, which would throw a waiting one away; it
 * keeps its hands off a signal that has a handler. Ours is never called, since the signal is
 * blocked and read by the loop. */
static void keep_stops(void)
{
    struct sigaction action = { .sa_handler = on_stop, .sa_flags = SA_RESTART };
    sigemptyset(&action.sa_mask);
    sigaction(SIGTSTP, &action, NULL);
}

bool term_places_cursor(void)
{
    const char *cup = tigetstr((char *)"cup");
    return cup && cup != (const char *)-1;
}

static SCREEN *screen_make(const char **note)
{
    *note = NULL;
    SCREEN *made = newterm(NULL, stdout, stdin);
    if (made)
        return made;
    *note = "this terminal's name is unknown here; it is treated as an xterm";
    return newterm("xterm-256color", stdout, stdin);
}

/* Keys that a terminal may send otherwise than its name promises, such as Home under tmux when TERM
 * names an xterm: read as Esc they would leave the screen. */
static void keys_define(void)
{
    static const struct { const char *sent; int key; } keys[] = {
        {"\033[200~", KEY_MAX + 1}, {"\033[201~", KEY_MAX + 2}, {"\033[1;5D", KEY_MAX + 3},
        {"\033[1;5C", KEY_MAX + 4}, {"\033[1~", KEY_HOME},      {"\033[4~", KEY_END},
        {"\033[7~", KEY_HOME},      {"\033[8~", KEY_END},       {"\033[H", KEY_HOME},
        {"\033[F", KEY_END},        {"\033OH", KEY_HOME},       {"\033OF", KEY_END},
        {"\033[A", KEY_UP},         {"\033[B", KEY_DOWN},       {"\033[C", KEY_RIGHT},
        {"\033[D", KEY_LEFT},       {"\033[5~", KEY_PPAGE},     {"\033[6~", KEY_NPAGE},
        {"\033[3~", KEY_DC},
    };
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        define_key(keys[i].sent, keys[i].key);
}

static void modes_set(void)
{
    cbreak();
    noecho();
    nonl();
    intrflush(stdscr, FALSE);
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    set_escdelay(25);
    curs_set(0);
    typeahead(-1); /* a frame is painted whole, whatever is typed meanwhile */
    keys_define();
}

int term_open(const char **note, struct err *err)
{
    if (!isatty(STDIN_FILENO) || !isatty(STDOUT_FILENO))
        return err_set(err, ERR_UNSUPPORTED,
                       "warpdrill draws on a terminal, and this is none; `warpdrill --help` lists "
                       "the commands that need none");
    setlocale(LC_ALL, "");
    setlocale(LC_NUMERIC, "C"); /* numbers are read and shown the same everywhere */
    tcgetattr(STDIN_FILENO, &saved_modes);
    keep_stops();
    screen = screen_make(note);
    if (!screen)
        return err_set(err, ERR_UNSUPPORTED,
                       "no description of any terminal was found (package ncurses-base)");
    if (!term_places_cursor()) {
        endwin();
        delscreen(screen);
        screen = NULL;
        return err_set(err, ERR_UNSUPPORTED,
                       "warpdrill draws on a terminal that can place its cursor, and %s is none; "
                       "set TERM, for example to xterm-256color",
                       getenv("TERM"));
    }
    farewell_make();
    taken = 1;
    catch_deadly();
    static bool registered;
    if (!registered)
        registered = !atexit(restore_now);
    modes_set();
    draw_start();
    theme_start();
    term_resize();
    return 0;
}

void term_close(void)
{
    if (!screen)
        return;
    term_paste(false);
    endwin();
    delscreen(screen);
    screen = NULL;
    restore_now();
    release_deadly();
}

/* ---- size, suspension, showing ---- */

static int size_within(int n, int otherwise)
{
    return n < 1 ? otherwise : n > SIZE_MOST ? SIZE_MOST : n;
}

/* Past curses, which has nothing in hand between two refreshes. */
static void mode_set(const char *text)
{
    ssize_t ignored = write(STDOUT_FILENO, text, MODE_BYTES);
    (void)ignored;
}

static void paste_mode(bool on)
{
    mode_set(on ? "\033[?2004h" : "\033[?2004l");
}

void term_resize(void)
{
    struct winsize size = { 0 };
    if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) < 0)
        return;
    int high = size_within(size.ws_row, LINES), wide = size_within(size.ws_col, COLS);
    if (high != LINES || wide != COLS)
        resizeterm(high, wide);
    clearok(curscr, TRUE); /* what the terminal did with its cells meanwhile is its own affair, even
                              if the size is the old one */
}

void term_lend(void)
{
    if (pasting)
        paste_mode(false);
    def_prog_mode();
    endwin();
    taken = 0;
}

void term_take_back(void)
{
    taken = 1;
    reset_prog_mode();
    term_resize();
    clearok(curscr, TRUE);
    refresh();
    if (pasting)
        paste_mode(true);
}

void term_suspend(void)
{
    term_lend();
    kill(getpid(), SIGSTOP);
    term_take_back();
}

void term_show(void)
{
    int y, x;
    bool wanted = draw_cursor_wanted(&y, &x);
    if (wanted)
        move(y < LINES ? y : LINES - 1, x < COLS ? x : COLS - 1);
    mode_set(FRAME_BEGINS);
    curs_set(wanted);
    refresh();
    mode_set(FRAME_ENDS);
}

void term_repaint(void)
{
    clearok(curscr, TRUE);
}

/* ---- keys ---- */

/* Bytes, since get_wch forgets the begin of a character whose end has not come yet, and takes what
 * follows it, or a byte that begins none, for more of it. */
static mbstate_t unfinished;

/* True when the byte ends a character; one that can be no part of any is U+FFFD. */
static bool take_byte(wchar_t *out, char byte)
{
    bool inside = !mbsinit(&unfinished);
    size_t n = mbrtowc(out, &byte, 1, &unfinished);
    if (n == (size_t)-1) {
        unfinished = (mbstate_t){0};
        if (inside) /* what began before it ends here, and this may begin another */
            return take_byte(out, byte);
        *out = 0xFFFD;
    }
    return n != (size_t)-2;
}

int term_key(int *key)
{
    wchar_t c;
    int got;
    while ((got = getch()) != ERR) {
        if (got > KEY_MAX && got <= KEY_MAX + 4) { /* in the order of keys.h */
            *key = KEY_PASTE_BEGIN + got - KEY_MAX - 1;
            return 1;
        }
        if (got > 0xFF) {
            *key = got;
            return 1;
        }
        if (take_byte(&c, (char)got)) {
            *key = KEY_CHAR(c);
            return 1;
        }
    }
    return 0;
}

void term_forget_keys(void)
{
    flushinp();
}

void term_paste(bool on)
{
    pasting = on;
    paste_mode(on);
}
