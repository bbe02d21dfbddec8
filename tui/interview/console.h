/* The interviewer's console: what its files know, and in which order they stand. Each may call
 * those above it in this list.
 *
 *   console_view.c     what is shown, as plain data with its questions; the same for replay
 *   console_text.c, console_answer.c, console_says.c   entries, answers and lines in words
 *   console_ideal.c    the ideal reader beside the candidate
 *   console_draw*.c    the panes (console_draw.h), shared with replay
 *   console.c          from the console to a view
 *   console_clock.c    minutes of parts, and quiet time
 *   console_link.c     the candidate's side: the server, keys in, pictures out
 *   console_share.c    the candidate's terminal on this machine, to be shared
 *   console_after.c    what follows every act: looks again, stores, shows
 *   console_back.c     what u takes back
 *   console_begin.c    beginning a part
 *   console_send.c     lines and drills to the candidate's screen
 *   console_fix.c      asking for the fix, and judging what comes
 *   console_lists.c    lists in the place of the panes
 *   console_act.c      keys
 *   console_screen.c   life: opening, the session's clock, drawing, leaving
 */
#ifndef WD_TUI_CONSOLE_H
#define WD_TUI_CONSOLE_H

#include "scenarios/interview/session_code.h"
#include "scenarios/link/session_server.h"
#include "tui/app/app.h"
#include "tui/interview/candidate_drill.h"
#include "tui/interview/console_view.h"
#include "tui/interview/fix_judge.h"
#include "tui/interview/host_options.h"
#include "tui/kit/canvas.h"
#include "tui/kit/keys.h"
#include "tui/kit/textfield.h"

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
    enum console_list list; int at;
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
    struct fix_judge fix;
    bool runs; /* the loop: before its first turn no runner was started */
    char numbers_of[96]; /* of the drill that was asked last; "": none */
    int64_t ticked_ms;                               /* UTC of the last tick of the session */
    int64_t veiled_s; /* seconds of quiet time that observers were shown last; 0: the picture */
    int64_t drawn_s;                                 /* second that the clock showed last */
};

const struct session_part *console_part(const struct console *c);     /* NULL: none has begun */
/* The recording that the evidence comes from; live evidence has none, and the brief stands on the
 * first that there is. NULL: there is none at all. */
const struct recording *console_recording(const struct console *c);
const struct msg_device *console_device(const struct console *c); /* of the evidence, or NULL */
/* What stands on the console now; borrowed from it. */
void console_view(const struct console *c, struct console_view *out);

#endif
