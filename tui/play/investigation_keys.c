/* Key lists of the investigation, one for each of its modes. */
#include "tui/play/investigation_keys.h"

#include "tui/app/help.h"

const char *const play_how[] = {
    help_how_kernel,
    "You hold a belief about each possible cause, in per cent; they sum to 100. Choose one with "
    "its digit, then + doubles its odds and - halves them. The others keep their proportions.",
    "Say what you believe, no more and no less: a quadratic rule pays for it, so an even spread "
    "is worth nothing, certain and right is worth all, and certain and wrong costs more than you "
    "could win. Evidence is worth full marks up to par.",
    "Enter shows the stakes, then locks the beliefs. You point at the line, choose a remedy, and "
    "are pushed back once: it may be a new fact, or only a test of conviction. Then you see the "
    "truth, and what an ideal reader of your evidence would have believed.",
    help_how_numbers,
    NULL,
};

#define KEYS_ZOOM \
    {ACT_ZOOM_IN, "z", NULL, "half as much of an exhibit's timeline; arrows move in it"}, \
    {ACT_ZOOM_OUT, "Z", NULL, "twice as much of it"}

static const struct binding moving_rows[] = {
    {ACT_UP, "Up k", NULL, "up: the source's line, the notebook's block"},
    {ACT_DOWN, "Down j", NULL, "down"},
    {ACT_LEFT, "Left", NULL, "left: the block before, or code sideways"},
    {ACT_RIGHT, "Right", NULL, "right"},
    KEYS_PAGES,
    KEYS_ENDS,
    KEYS_FIND,
};

static const struct key_list moving = {KEY_ROWS(moving_rows)};

static const struct binding leaving_rows[] = {
    {ACT_BACK, "Esc", NULL,
     "cancel a running measurement (its price comes back), else out of the pane; twice: home, "
     "everything is saved"},
};

static const struct binding homing_rows[] = {
    {ACT_BACK, "Esc", NULL, "twice: home, everything is saved"},
};

/* In an interview nobody goes home. */
static const struct binding asked_leaving_rows[] = {
    {ACT_BACK, "Esc", NULL,
     "cancel a running measurement (its price comes back), else out of the pane"},
};

static const struct binding staying_rows[] = {{ACT_BACK, "Esc", NULL, NULL}};

static const struct key_list leaving = {KEY_ROWS(leaving_rows)},
                             asked_leaving = {KEY_ROWS(asked_leaving_rows)},
                             homing = {KEY_ROWS(homing_rows)},
                             staying = {KEY_ROWS(staying_rows)},
                             moving_and_leaving = {KEY_ROWS(moving_rows), .more = &leaving},
                             moving_and_asked = {KEY_ROWS(moving_rows), .more = &asked_leaving},
                             moving_and_homing = {KEY_ROWS(moving_rows), .more = &homing},
                             moving_and_staying = {KEY_ROWS(moving_rows), .more = &staying};

static const struct binding open_rows[] = {
    {ACT_DIGIT, "0-9", "choose",
     "choose a hypothesis; of an open list the entry, which the arrows and Enter take too; while "
     "a measurement runs, call its headline number"},
    {ACT_MORE, "+ =", "- odds",
     "double the odds of the chosen hypothesis; all beliefs stay at 100"},
    {ACT_LESS, "- _", NULL, "halve the odds of the chosen hypothesis"},
    {ACT_OUT, "!", "out", "put the chosen hypothesis to 1; nothing goes below"},
    {ACT_PER_CENT, "%", NULL, "type the chosen hypothesis's per cent: two digits, 64 or 05"},
    {ACT_UNDO, "u", "undo",
     "take the last beliefs back, or an estimate whose evidence is not there yet; what was seen "
     "stays bought"},
    {ACT_EXPLAIN, "e", "explain",
     "what you chose last: a number (what it counts, what is healthy), a hypothesis, a kernel"},
    {ACT_TAB, "Tab", "turn", "turn the pane: notebook, chart, code once bought, story"},
    {ACT_WHOLE, "f", NULL, "source, machine code or an exhibit on the whole screen, and back"},
    KEYS_ZOOM,
    {ACT_BUY, "a t r b d o m s w p x v c l i", NULL,
     "ask or buy: the letter and the price stand beside each kind of evidence"},
    {ACT_ENTER, "Enter", "commit", "look at what your beliefs are worth, then lock them"},
    {ACT_NOTE, "n", "note",
     "write a note; it comes back in the debrief. Esc keeps it too, except in an interview"},
};

static const struct binding giving_up_rows[] = {
    {ACT_ABANDON, "X", NULL, "give this attempt up; that is stored, and not scored"},
};

static const struct binding no_giving_up_rows[] = {
    {ACT_ABANDON, "X", NULL, NULL},
};

static const struct key_list giving_up = {KEY_ROWS(giving_up_rows), .more = &moving_and_leaving},
                             no_giving_up = {KEY_ROWS(no_giving_up_rows),
                                             .more = &moving_and_asked};

const struct key_list play_open_keys = {
    KEY_ROWS(open_rows),
    .more = &giving_up,
    .how = play_how,
    .must = {ACT_TAB, ACT_ENTER},
};

const struct key_list play_asked_keys = {
    KEY_ROWS(open_rows),
    .more = &no_giving_up,
    .how = play_how,
    .must = {ACT_TAB, ACT_ENTER},
};

static const struct binding pushback_rows[] = {
    {ACT_DIGIT, "0-9", "choose", "choose a hypothesis"},
    {ACT_MORE, "+ =", "- odds",
     "double the odds of the chosen hypothesis; all beliefs stay at 100"},
    {ACT_LESS, "- _", NULL, "halve the odds of the chosen hypothesis"},
    {ACT_OUT, "!", "out", "put the chosen hypothesis to 1; nothing goes below"},
    {ACT_PER_CENT, "%", NULL, "type the chosen hypothesis's per cent: two digits, 64 or 05"},
    {ACT_UNDO, "u", "undo", "all beliefs back to those that were locked"},
    {ACT_EXPLAIN, "e", "explain",
     "what you chose last: a number (what it counts, what is healthy), a hypothesis, a kernel"},
    {ACT_TAB, "Tab", "turn", "turn the pane: notebook, chart, code once bought, story"},
    {ACT_WHOLE, "f", NULL, "source, machine code or an exhibit on the whole screen, and back"},
    KEYS_ZOOM,
    {ACT_ENTER, "Enter", "final answer", "these beliefs are final; the truth follows"},
};

const struct key_list play_pushback_keys = {
    KEY_ROWS(pushback_rows),
    .more = &moving_and_homing,
    .how = play_how,
    .must = {ACT_TAB, ACT_ENTER},
};

const struct key_list play_asked_pushback_keys = {
    KEY_ROWS(pushback_rows),
    .more = &moving_and_staying,
    .how = play_how,
    .must = {ACT_TAB, ACT_ENTER},
};

/* In an interview, while the interviewer has the word. */
static const struct binding wait_rows[] = {
    {ACT_TAB, "Tab", "turn", "turn the pane: notebook, chart, code once bought, story"},
    {ACT_NONE, "arrows", "move", NULL},
    {ACT_EXPLAIN, "e", "explain",
     "what you chose last: a number (what it counts, what is healthy), a hypothesis, a kernel"},
    {ACT_WHOLE, "f", NULL, "source, machine code or an exhibit on the whole screen, and back"},
    KEYS_ZOOM,
};

const struct key_list play_wait_keys = {
    KEY_ROWS(wait_rows),
    .more = &moving,
    .how = play_how,
    .must = {ACT_TAB},
};

static const struct binding naming_rows[] = {
    {ACT_NONE, "Tab", "done", NULL},
    {ACT_PAGE_UP, "PgUp", "PgDn story", NULL},
    {ACT_PAGE_DOWN, "PgDn", NULL, NULL},
    {ACT_NONE, "Ctrl-/", "undo", NULL},
    {ACT_BACK, "Esc", "leave it out| (not scored)", NULL},
};

const struct key_list play_naming_keys = {
    KEY_ROWS(naming_rows),
    .words = true,
    .only_listed = true,
};

static const struct binding note_rows[] = {
    {ACT_NONE, "Tab", "keep", NULL},
    {ACT_NONE, "Ctrl-G", "$EDITOR", NULL},
    {ACT_NONE, "Ctrl-/", "undo", NULL},
    {ACT_NONE, "Ctrl-R", "redo", NULL},
};

static const struct binding note_kept_rows[] = {{ACT_BACK, "Esc", "back, kept", NULL}};
static const struct binding note_dropped_rows[] = {{ACT_BACK, "Esc", "cancel", NULL}};
static const struct key_list note_kept = {KEY_ROWS(note_kept_rows)};
static const struct key_list note_dropped = {KEY_ROWS(note_dropped_rows)};

const struct key_list play_note_keys = {
    KEY_ROWS(note_rows),
    .more = &note_kept,
    .must = {ACT_BACK},
    .words = true,
    .only_listed = true,
};

const struct key_list play_asked_note_keys = {
    KEY_ROWS(note_rows),
    .more = &note_dropped,
    .must = {ACT_BACK},
    .words = true,
    .only_listed = true,
};

static const struct binding stakes_rows[] = {
    {ACT_ENTER, "Enter", "lock| these beliefs", "lock these beliefs; then the line and the fix"},
    {ACT_DIGIT, "0-9", "choose",
     "choose a hypothesis"},
    {ACT_MORE, "+ =", "- odds",
     "double the odds of the chosen hypothesis; all beliefs stay at 100"},
    {ACT_LESS, "- _", NULL, "halve the odds of the chosen hypothesis"},
    {ACT_OUT, "!", NULL, "put the chosen hypothesis to 1; nothing goes below"},
    {ACT_PER_CENT, "%", NULL, "type the chosen hypothesis's per cent: two digits, 64 or 05"},
    {ACT_EXPLAIN, "e", NULL,
     "what you chose last: a number (what it counts, what is healthy), a hypothesis, a kernel"},
    {ACT_TAB, "Tab", NULL, "turn the pane: notebook, chart, code once bought, story"},
    {ACT_WHOLE, "f", NULL, "source, machine code or an exhibit on the whole screen, and back"},
    KEYS_ZOOM,
    {ACT_BUY, "a t r b d o m s w p x v c l i", NULL,
     "ask or buy: the letter and the price stand beside each kind of evidence"},
    {ACT_BACK, "Esc", "back| to the evidence", "back to the evidence"},
};

const struct key_list play_stakes_keys = {
    KEY_ROWS(stakes_rows),
    .more = &moving,
    .how = play_how,
    .only_listed = true,
};

static const struct binding line_rows[] = {
    {ACT_UP, "Up k", "Down| PgUp PgDn", "the line above; PgUp: ten above"},
    {ACT_DOWN, "Down j", NULL, "the line below; PgDn: ten below"},
    KEYS_ENDS,
    {ACT_FIND, "/", "search", "search; then n next, N the one before, Esc ends it"},
    {ACT_LEFT, "Left", "Right| sideways", "code sideways"},
    {ACT_DIGIT, "1-9", "number", "to the line of that number: 4 2 is line 42"},
    {ACT_ERASE, "Backspace", NULL, "take the last digit of a number back; Esc takes all"},
    {ACT_DIGIT, "0", "nowhere", "nowhere: there is nothing to fix; behind a digit one more digit"},
    {ACT_ENTER, "Enter", "this one", "take this one; then the remedy"},
};

const struct key_list play_line_keys = {
    KEY_ROWS(line_rows),
    .more = &homing,
    .how = play_how,
    .must = {ACT_ENTER, ACT_DIGIT},
    .only_listed = true,
};

const struct key_list play_asked_line_keys = {
    KEY_ROWS(line_rows),
    .more = &staying,
    .how = play_how,
    .must = {ACT_ENTER, ACT_DIGIT},
    .only_listed = true,
};

static const struct binding remedy_rows[] = {
    {ACT_DIGIT, "1-9 0", "choose", "choose a remedy; 0 is the tenth"},
    {ACT_UP, "Up k", "Down move", "the remedy above"},
    {ACT_DOWN, "Down j", NULL, "the remedy below"},
    {ACT_ENTER, "Enter", "this is the fix", "lock line and fix"},
    {ACT_BACK, "Esc", "back| to the line", "back to the line"},
};

const struct key_list play_remedy_keys = {
    KEY_ROWS(remedy_rows),
    .how = play_how,
    .must = {ACT_ENTER, ACT_BACK},
    .only_listed = true,
};

static const struct binding then_rows[] = {
    {ACT_DIGIT, "1-9 0", "choose", "choose what is left; 0 is nothing more"},
    {ACT_UP, "Up k", "Down move", "the one above"},
    {ACT_DOWN, "Down j", NULL, "the one below"},
    {ACT_ENTER, "Enter", "this is left", "lock line, fix and what is left"},
    {ACT_BACK, "Esc", "back| to the fix", "back to the fix"},
};

const struct key_list play_then_keys = {
    KEY_ROWS(then_rows),
    .how = play_how,
    .must = {ACT_ENTER, ACT_BACK},
    .only_listed = true,
};

static const struct binding reveal_rows[] = {
    {ACT_ENTER, "Enter", "try again", "ask for the truth again, where it could not be had"},
    {ACT_BACK, "Esc", "home", "home; everything is saved"},
};

const struct key_list play_reveal_keys = {KEY_ROWS(reveal_rows), .how = play_how};

static const struct binding asked_reveal_rows[] = {
    {ACT_ENTER, "Enter", "try again", "ask for the truth again, where it could not be had"},
};

const struct key_list play_asked_reveal_keys = {KEY_ROWS(asked_reveal_rows), .how = play_how};
