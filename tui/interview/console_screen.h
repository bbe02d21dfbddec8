/* The interviewer's console, shared by its files:
 *
 *   console_screen.c  life: opening, the session's clock, leaving; host_open; the table of
 * functions console_link.c    the candidate's side: the guest's screens, the server, keys in,
 * pictures out console_share.c   the candidate's terminal on this machine, to be shared
 *   console_act.c     keys
 *   console_answer.c  answers of drills in words
 *   console_clock.c   minutes of parts, and what stands in the place of the candidate's screen in
 * quiet time console_lists.c   lists in the place of the panes: evidence, drills, parts, clock,
 * lines in full, notes, the code console_draw*.c   the panes (console_draw.h), shared with replay;
 * console_text.c  entries in words;   console_says.c  lines to say console_back.c    what u takes
 * back
 */
#ifndef WD_TUI_CONSOLE_SCREEN_H
#define WD_TUI_CONSOLE_SCREEN_H

#include "tui/kit/canvas.h"
#include "tui/interview/candidate_drill.h"
#include "tui/interview/console.h"
#include "tui/interview/console_view.h"
#include "tui/kit/keys.h"
#include "tui/kit/textfield.h"

#define CONSOLE_BYE "The interview is over. Thank you."

enum console_mode {
    CONSOLE_PANES,
    CONSOLE_THEIRS /* their view, read only */,
    CONSOLE_SCRIBE,
    CONSOLE_LIST
};
enum console_list {
    LIST_EVIDENCE,
    LIST_DRILLS,
    LIST_PARTS,
    LIST_CLOCK,
    LIST_LINES,
    LIST_NOTES,
    LIST_CODE
};
enum console_field { FIELD_NONE, FIELD_NOTE, FIELD_SHARED_NOTE, FIELD_INJECT };

struct console {
    struct interview *live;
    struct host_options options;
    struct session_codes codes;
    bool has_codes; /* false: resumed, and nobody knows them here */
    struct app *app, *guest;
    struct session_server *server; /* NULL: it could not be opened; trouble says why */
    char trouble[320];                               /* stands in row 2 until it is mended; "" */
    char notice[320];                                /* what to type, in row 2; "" */
    struct canvas *sent;
    bool sent_refused; /* the picture as it was sent last; whether it said so */
    bool refused; /* the store takes nothing: keys are not acknowledged */
    char unheard[PARTIES_MOST][33];
    long unheard_n[PARTIES_MOST];
    int n_unheard; /* keys whose effects are not stored yet */
    char scribe_of[33]; /* party whose terminal gives the guest its size; "" none */

    enum console_mode mode;
    enum console_list list; int at, n_list;
    enum console_field field; struct textfield text;
    enum action sure; /* pressed once, acts when pressed again; ACT_NONE */
    char older[33]; /* what u named, and takes back when pressed again; "" */
    int marked; /* number of the line that Enter sends to their screen; 0: none */
    int pane, scroll;
    int grading; /* row of the rubric that is being graded, from 1; 0: none */
    bool late; /* the interview is over: grades alone can be added */
    bool alone; /* parts may begin though the candidate is not there */

    unsigned seen; /* interview_changes that the members below belong to */
    int seen_part;
    const struct variant *variant; /* of the running scenario, with its answer; NULL */
    struct briefing *briefing;                       /* NULL: none could be made */
    struct recording **recordings; int n_recordings; /* of the variant */
    struct evidence *all;                            /* everything recorded of it; NULL */
    int ideal[MAX_HYPOTHESES]; bool has_ideal;
    struct drill_previews previews;
    struct live_numbers numbers;
    char numbers_of[96]; /* of the drill that was asked last; "": none */
    int64_t ticked_ms;                               /* UTC of the last tick of the session */
    int64_t veiled_s; /* seconds of quiet time that observers were shown last; 0: the picture */
    int64_t drawn_s;                                 /* second that the clock showed last */
};

extern const struct screen_ops console_screen;

/* ---- what is shown (console_screen.c) ---- */
void console_view(const struct console *c, struct console_view *out);
/* After anything: looks again, makes the candidate's screens follow, sends pictures. `rc` of a
 * verb: its sentence is said. Returns rc. */
int console_after(struct console *c, int rc, struct err *err);
const struct session_part *console_part(const struct console *c);     /* NULL: none has begun */

/* ---- time (console_clock.c) ---- */
/* A part's whole length, of one that is not done; five minutes more or less of it. What comes of it
 * is said. 0 or a code. */
int console_minutes(struct console *c, int part, int minutes, struct err *err);
int console_minutes_step(struct console *c, int part, int by, struct err *err);
/* Quiet time: nobody looks at the candidate's screen, neither here nor as an observer, and what
 * they do meanwhile stands nowhere. The scribe's view alone stays where no terminal of the
 * candidate's is there: then it is the screen that they read, and what they say has to be written
 * down. */
bool console_hides_theirs(const struct console *c);
void console_quiet_draw(const struct console *c, struct rect r,
                        bool observer); /* in the place of that screen */
void console_quiet_clock(char *out, size_t size,
                         const struct console *c); /* "quiet time, 2:41 left   "; "" */
int64_t console_quiet_second(const struct console *c); /* that are left; 0: it is not quiet */
bool console_bought_before(const struct console *c,
                           const char *probe); /* before quiet time began, or at all */

/* ---- the candidate's side (console_link.c) ---- */
/* The candidate's Unix user: as the command line says, else as the interview was hosted before;
 * NULL: the host's own. */
const char *console_guest(const struct console *c);
int link_open(struct console *c, struct err *err);
void link_close(struct console *c, const char *say);
void link_leave(struct console *c); /* the parties wait for the next host */
void link_reopen(struct console *c);                                   /* after new codes */
bool link_take(struct console *c); /* what came in; true: something */
void link_settle(struct console *c);                                   /* stores, acknowledges */
void link_show(struct console *c); /* the picture, where it changed */
void link_size(struct console *c); /* of the guest, where nobody's terminal says it */
/* Makes the candidate's terminal, or says what to type (console_share.c); takes away one in which
 * nobody sits. */
void link_share(struct console *c);
void link_share_end(const struct console *c);
void link_key(struct console *c, int key);                             /* of the scribe */
void link_join_line(const struct console *c, char *out, size_t size); /* "warpdrill join k7q-..." */
char *link_authorized(
    const struct console *c); /* line for authorized_keys, or why there is none; malloc'd */

/* ---- keys ---- */
int console_act(struct app *app, void *self, enum action action, int arg);
int console_typed(struct app *app, void *self, int key);
/* Begins a part; after a restart the pack of its scenario may be shut again, and its passphrase is
 * asked for first. */
int console_begin(struct console *c, int part, struct err *err);
/* May this part begin now? Where it is done already, the one that runs is not finished, or the
 * candidate is not there, that is said first, and `before` tells whether Enter was pressed again
 * after it. */
bool console_may_begin(struct console *c, int part, enum action before);
/* Takes the last act back, or says why not (console_back.c). `before`: the key before this one,
 * where it waits to be pressed again. */
int console_take_back(struct console *c, enum action before, struct err *err);
/* Opens the first row of the rubric without a grade. */
void console_grade_next(struct console *c);
/* The line of that number: where it reaches nobody it is marked as said; one that goes to the
 * candidate's screen waits for Enter, unless `sent` says that this was Enter. Unless `whole` only
 * one that stands on the console now. */
void console_say_line(struct console *c, int number, bool whole, bool sent);

/* ---- lists (console_lists.c) ---- */
void lists_open(struct console *c, enum console_list list);
/* Puts a drill on the candidate's screen. */
int console_ask_drill(struct console *c, const char *id, struct err *err);
int lists_act(struct console *c, enum action action, int arg);
void lists_draw(struct app *app, const struct console *c);
/* The old ones end; with --share a window with the new one opens. */
int console_new_codes(struct console *c, struct err *err);

#endif
