#include "tui/interview/join.h"

#include <curses.h>
#include <limits.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include "kernels/wire/confine.h"
#include "kernels/wire/os.h"
#include "kernels/wire/text.h"
#include "scenarios/link/session_link.h"
#include "tui/kit/canvas.h"
#include "tui/kit/draw.h"
#include "tui/kit/keys.h"
#include "tui/kit/term.h"
#include "tui/kit/textfield.h"

_Static_assert((int)KEY_PASTE_END == (int)LINK_PASTE_END, "the link knows the end of a paste");

enum {
    CTRL_L = 12,
    CTRL_BRACKET = 29,
    LOOK_MS = 1000,
    ABSENT_MS = 15000 /* a host that is started anew takes less */,
    NOTE_MS = 4000,
    LOST_MS = 20000,
    LOST_NAMED = 30 /* keys, in words */
};

struct join {
    const struct join_terms *terms;
    struct session_link *link;
    struct canvas *canvas;
    bool drawn;                          /* a picture has come */
    bool asking, leaving, dirty;
    int status;
    char user[40]; /* whose this process is; looked up before it is confined */
    char note[160];                      /* shown for a while */
    bool naming; struct textfield name;  /* the code let in, and a name is asked for */
    int64_t note_until;
    bool over;                           /* the last page stands until the person leaves */
    char lost[600]; /* keys that came to nothing, in words, until lost_until; "" none */
    int64_t lost_until;
};

static void note(struct join *j, const char *text)
{
    snprintf(j->note, sizeof j->note, "%.*s", (int)sizeof j->note - 1, text);
    j->note_until = os_monotonic_ms() + NOTE_MS;
    j->dirty = true;
}

/* ---- keys in words ---- */

static bool key_is_plain(int key)
{
    return (key > ' ' && key < 127) || (key > 160 && key < 256) || key_is_wide(key);
}

/* "0.2 Enter Left": what is written stands together. */
static void key_words(char *out, size_t size, int key, bool joined)
{
    static const struct { int key; const char *name;
    } named[] = {{'\r', "Enter"},
                 {'\n', "Enter"},
                 {KEY_ENTER, "Enter"},
                 {KEY_TABULATOR, "Tab"},
                 {KEY_ESCAPE, "Esc"},
                 {' ', "blank"},
                 {KEY_BACKSPACE, "Backspace"},
                 {127, "Backspace"},
                 {8, "Backspace"},
                 {KEY_UP, "Up"},
                 {KEY_DOWN, "Down"},
                 {KEY_LEFT, "Left"},
                 {KEY_RIGHT, "Right"},
                 {KEY_PPAGE, "PgUp"},
                 {KEY_NPAGE, "PgDn"},
                 {KEY_DC, "Del"},
                 {KEY_HOME, "Home"},
                 {KEY_END, "End"}};
    char text[16] = "another";
    if (key_is_plain(key))
        text[text_encode(text, (uint32_t)key_character(key))] = '\0';
    else if (key > 0 && key < ' ')
        snprintf(text, sizeof text, "Ctrl-%c", '@' + key);
    for (size_t k = 0; k < sizeof named / sizeof *named; k++)
        if (named[k].key == key)
            snprintf(text, sizeof text, "%s", named[k].name);
    snprintf(out, size, "%s%s", joined ? "" : " ", text);
}

/* ---- drawing ---- */

/* Nobody hosts it here: what the interviewer has to do. */
static void absent_sentence(char *out, size_t size, const struct join *j, long seconds)
{
    bool other = session_link_absent(j->link) == ABSENT_OTHER;
    snprintf(out, size,
             "No host is here (%ld:%02ld). Ask for: warpdrill host --resume%s%s   Keys are kept.",
             seconds / 60, seconds % 60, other ? " --for " : "", other ? j->user : "");
}

static void away_sentence(char *out, size_t size, const struct join *j)
{
    long seconds = (long)(session_link_silent_ms(j->link) / 1000);
    int kept = session_link_kept(j->link);
    if (session_link_absent(j->link) != ABSENT_NOT && seconds >= ABSENT_MS / 1000) {
        absent_sentence(out, size, j, seconds);
        return;
    }
    int n = snprintf(out, size, "The host does not answer");
    if (seconds >= 3)
        n += snprintf(out + n, size - (size_t)n, " (%ld:%02ld)", seconds / 60, seconds % 60);
    if (kept > 0)
        snprintf(out + n, size - (size_t)n, "; %d key%s kept for it", kept,
                 kept == 1 ? " is" : "s are");
    else
        snprintf(out + n, size - (size_t)n, "; your keys are kept");
}

/* An observer's terminal follows the candidate's, whose size may be another. */
static bool is_cut(const struct join *j)
{
    return j->drawn && session_link_observes(j->link) &&
           (canvas_rows(j->canvas) > draw_rows() || canvas_columns(j->canvas) > draw_width());
}

/* What stands over the last row: "" when nothing does. */
static void status_sentence(char *out, size_t size, const struct join *j)
{
    out[0] = '\0';
    if (j->over)
        snprintf(out, size, "%s  q leaves.", session_link_say(j->link));
    else if (j->asking)
        snprintf(out, size,
                 "Leave the interview? You can come back. y leaves, any other key stays");
    else if (session_link_state(j->link) == LINK_AWAY)
        away_sentence(out, size, j);
    else if (j->note_until)
        snprintf(out, size, "%s", j->note);
    else if (is_cut(j))
        snprintf(out, size, "Their screen is %d x %d, this one %d x %d: the rest is cut off",
                 canvas_columns(j->canvas), canvas_rows(j->canvas), draw_width(), draw_rows());
}

static void draw_waiting(const struct join *j)
{
    struct rect r = {draw_rows() / 2 - 1, 2, 3, draw_width() - 4};
    if (r.y < 0)
        r.y = 0;
    char text[256];
    if (session_link_absent(j->link) != ABSENT_NOT &&
        session_link_silent_ms(j->link) >= ABSENT_MS) {
        absent_sentence(text, sizeof text, j, (long)(session_link_silent_ms(j->link) / 1000));
        draw_wrapped(r, 0, STYLE_PLAIN, text);
    } else if (session_link_silent_ms(j->link) < LOOK_MS)
        draw_wrapped(r, 0, STYLE_PLAIN, "Joining the interview ...");
    else
        draw_wrapped(r, 0, STYLE_PLAIN,
                     "The host has not answered yet. It is asked again and again; Ctrl-C leaves.");
}

static void draw_naming(const struct join *j)
{
    static const char label[] = "Name to show:";
    int y = draw_rows() / 2 - 1, x = 2 + (int)sizeof label;
    draw_text(y, 2, draw_width() - 4, STYLE_BOLD, label);
    draw_wrapped((struct rect){y + 2, 2, 3, draw_width() - 4}, 0, STYLE_DIM,
                 "The code is good. The name stands on the other screens; who was in before takes "
                 "the seat back with the name given then.");
    textfield_draw(&j->name, y, x, draw_width() - x - 2, STYLE_ACCENT);
}

/* Over the first rows, all of it: where the person types again is at the bottom. */
static void draw_lost(const struct join *j)
{
    struct rect r = {0, 1, 0, draw_width() - 2};
    if (!j->lost_until)
        return;
    r.h = draw_wrapped(r, 0, STYLE_SELECTED, j->lost);
    for (int y = 0; y < r.h; y++)
        draw_textf(y, 0, draw_width(), STYLE_SELECTED, "%*s", draw_width(), "");
    draw_wrapped(r, 0, STYLE_SELECTED, j->lost);
}

static void draw(struct join *j)
{
    char status[512];
    if (!j->dirty)
        return;
    j->dirty = false;
    draw_clear();
    if (j->drawn)
        draw_canvas((struct rect){0, 0, draw_rows(), draw_width()}, j->canvas);
    else if (j->naming)
        draw_naming(j);
    else
        draw_waiting(j);
    status_sentence(status, sizeof status, j);
    draw_lost(j);
    if (*status)
        draw_textf(draw_rows() - 1, 0, draw_width(), STYLE_SELECTED, " %-*s", draw_width() - 1,
                   status);
    term_show();
}

/* ---- the host ---- */

static void take_pictures(struct join *j)
{
    json_t *picture;
    struct err err;
    while (session_link_picture(j->link, &picture)) {
        int rc = canvas_decode(j->canvas, picture, &err);
        json_decref(picture);
        if (rc) {
            session_link_break(j->link);
            note(j, "What the host sent cannot be drawn; it is asked again");
            return;
        }
        j->drawn = j->dirty = true;
        draw(j);
        session_link_seen(j->link);
        session_link_step(j->link);
    }
}

static void ask_name(struct join *j)
{
    textfield_init(&j->name, "");
    j->naming = j->dirty = true;
}

/* Which keys, the last ones where they are very many. */
static void name_lost(struct join *j, const int *keys, int n)
{
    char names[LOST_NAMED * 12 + 1] = "";
    int from = n > LOST_NAMED ? n - LOST_NAMED : 0;
    for (int k = from; k < n; k++) {
        size_t used = strlen(names);
        key_words(names + used, sizeof names - used, keys[k],
                  k > from && key_is_plain(keys[k]) && key_is_plain(keys[k - 1]));
    }
    snprintf(j->lost, sizeof j->lost,
             "The host was started anew; %d key%s may not have reached it:%s%s. Press again what "
             "is missing on the screen.",
             n, n == 1 ? "" : "s", from ? " ..." : "", names);
    j->lost_until = os_monotonic_ms() + LOST_MS;
    j->dirty = true;
}

/* The page that the host left stays; without one this ends. */
static void end_link(struct join *j)
{
    const json_t *last = session_link_last(j->link);
    j->over = last && canvas_decode(j->canvas, last, NULL) == 0;
    j->drawn |= j->over;
    j->leaving = !j->over;
    j->dirty = true;
}

static void follow_link(struct join *j)
{
    enum link_state before = session_link_state(j->link);
    const int *keys;
    session_link_step(j->link);
    take_pictures(j);
    enum link_state now = session_link_state(j->link);
    int dropped = session_link_dropped(j->link, &keys);
    j->dirty |= before != now;
    if (now == LINK_NAMELESS && !j->naming)
        ask_name(j);
    if (dropped > 0)
        name_lost(j, keys, dropped);
    if (before != now && (now == LINK_REFUSED || now == LINK_ENDED))
        end_link(j);
}

/* ---- the person ---- */

static void type_name(struct join *j, int key)
{
    char name[64];
    struct err err;
    enum textfield_result r = textfield_key(&j->name, key);
    j->dirty = true;
    if (r == TEXTFIELD_DONE && session_name_read(name, textfield_text(&j->name), &err) != 0)
        note(j, err.text);
    else if (r == TEXTFIELD_DONE) {
        j->naming = false;
        session_link_name(j->link, name);
    }
}

static void press(struct join *j, int key)
{
    if (j->over) {
        j->leaving = key == 'q' || key == 'Q' || key == CTRL_BRACKET;
    } else if (j->asking) {
        j->asking = false;
        j->leaving = key == 'y' || key == 'Y';
        j->dirty = true;
    } else if (key == CTRL_BRACKET) {
        j->asking = j->dirty = true;
    } else if (key == CTRL_L) {
        term_repaint();
        j->dirty = true;
    } else if (j->naming) {
        type_name(j, key);
    } else if (!session_link_key(j->link, key)) {
        if (session_link_observes(j->link))
            note(j, "You are watching; Ctrl-] and y leaves");
        else if (j->drawn)
            note(j, "The host hears nothing, and no more keys can be kept");
    } else if (session_link_state(j->link) == LINK_AWAY) {
        j->dirty = true;
    }
}

/* Without a shell that could continue us (a forced command, a curtain), a stop would last. */
static bool shell_waits(const struct join *j)
{
    return !j->terms->stays && getpgrp() != getsid(0);
}

static void resize(struct join *j)
{
    term_resize();
    session_link_size(j->link, draw_rows(), draw_width());
    j->dirty = true;
}

static void run_signal(struct join *j, int number)
{
    if (number == SIGWINCH) {
        resize(j);
    } else if (number == SIGTSTP && shell_waits(j)) {
        term_suspend();
        resize(j);
    } else if ((number == SIGINT || number == SIGQUIT) && j->over) {
        j->leaving = true;
    } else if (number == SIGINT || number == SIGQUIT) {
        j->asking = j->dirty = true;
    } else if (number == SIGTERM || number == SIGHUP) {
        j->status = 128 + number;
        j->leaving = true;
    }
}

static void run_signals(struct join *j, int signals)
{
    int number;
    while ((number = os_signal_read(signals)) > 0)
        run_signal(j, number);
}

/* False at the end of input: the terminal is gone. */
static bool read_keys(struct join *j, int signals)
{
    int waiting = 0, key;
    if (ioctl(STDIN_FILENO, FIONREAD, &waiting) != 0 || waiting == 0)
        return false;
    while (!j->leaving && term_key(&key)) {
        run_signals(j, signals);
        if (key != KEY_RESIZE) /* what ncurses says of its own accord is no key */
            press(j, key);
    }
    return true;
}

/* ---- the loop ---- */

static int timeout_of(const struct join *j)
{
    int first = session_link_timeout_ms(j->link);
    int64_t now = os_monotonic_ms();
    enum link_state state = session_link_state(j->link);
    if ((state == LINK_AWAY || state == LINK_CONNECTING) && (first < 0 || first > LOOK_MS))
        first = LOOK_MS;
    if (j->note_until) {
        int rest = j->note_until > now ? (int)(j->note_until - now) : 0;
        first = first < 0 || rest < first ? rest : first;
    }
    if (j->lost_until) {
        int rest = j->lost_until > now ? (int)(j->lost_until - now) : 0;
        first = first < 0 || rest < first ? rest : first;
    }
    return first;
}

static void turn(struct join *j, int signals)
{
    struct pollfd fds[4] = {{STDIN_FILENO, POLLIN, 0}, {signals, POLLIN, 0}};
    nfds_t n = 2 + (nfds_t)session_link_fds(j->link, fds + 2, 2);
    int ready = poll(fds, n, timeout_of(j));
    if (ready > 0 && fds[1].revents)
        run_signals(j, signals);
    if (ready > 0 && fds[0].revents && (!(fds[0].revents & POLLIN) || !read_keys(j, signals)))
        j->leaving = true;
    follow_link(j);
    if (j->note_until && os_monotonic_ms() >= j->note_until) {
        j->note_until = 0;
        j->dirty = true;
    }
    if (j->lost_until && os_monotonic_ms() >= j->lost_until) {
        j->lost_until = 0;
        j->dirty = true;
    }
    if (session_link_state(j->link) != LINK_HERE)
        j->dirty = true; /* its clock */
}

static int signals_open(struct err *err)
{
    static const int wanted[] = {SIGWINCH, SIGTERM, SIGHUP, SIGINT, SIGQUIT, SIGTSTP};
    sigset_t set;
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        sigaddset(&set, wanted[i]);
    signal(SIGPIPE, SIG_IGN);
    return os_signal_open(&set, err);
}

/* Tables that the C library loads when the first character beyond ASCII is converted. */
static void load_tables(void)
{
    char bytes[MB_LEN_MAX];
    wchar_t wide;
    mbstate_t out = {0}, in = {0};
    size_t n = wcrtomb(bytes, L'\u2500', &out);
    if (n != (size_t)-1)
        mbrtowc(&wide, bytes, n, &in);
}

static void loop(struct join *j, int signals)
{
    term_paste(true);
    j->dirty = true;
    while (!j->leaving) {
        draw(j);
        turn(j, signals);
    }
}

int join_run(char say[400], const struct join_terms *terms, struct err *err)
{
    struct join j = {.terms = terms};
    const char *unknown;
    int signals = signals_open(err), rc = signals < 0 ? signals : term_open(&unknown, err);
    say[0] = '\0';
    if (rc) {
        os_signal_close(signals);
        return rc;
    }
    load_tables();
    const struct passwd *who = getpwuid(geteuid());
    snprintf(j.user, sizeof j.user, "%s", who ? who->pw_name : "USER");
    unsigned confined = confine_self(CONFINE_JOIN);
    j.canvas = canvas_new(draw_rows(), draw_width());
    j.link = session_link_new(&(struct link_terms){.code = terms->code,
                                                   .name = terms->name,
                                                   .rows = draw_rows(),
                                                   .columns = draw_width(),
                                                   .utf8 = draw_utf8(),
                                                   .confined = confined});
    if (unknown)
        note(&j, unknown);
    loop(&j, signals);
    if (session_link_state(j.link) == LINK_REFUSED)
        j.status = 1;
    if (session_link_state(j.link) == LINK_REFUSED || session_link_state(j.link) == LINK_ENDED)
        snprintf(say, 400, "%s", session_link_say(j.link));
    session_link_free(j.link);
    canvas_free(j.canvas);
    term_close();
    os_signal_close(signals);
    return j.status;
}
