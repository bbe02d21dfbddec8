/* What keys mean while a scenario is investigated, mode by mode. */
#include "tui/play/investigation_modes.h"

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

static const struct binding moving_rows[] = {
    {ACT_UP, "Up", NULL, "up: the source's line, the notebook's block"},
    {ACT_DOWN, "Down", NULL, "down"},
    {ACT_LEFT, "Left", NULL, "left: the block before, or code sideways, at the commitment too"},
    {ACT_RIGHT, "Right", NULL, "right"},
    KEYS_PAGES,
    {ACT_BACK, "Esc", NULL,
     "cancel a running measurement (its price comes back), else out of the pane; twice: home, "
     "everything is saved"},
};

static const struct key_list moving = {KEY_ROWS(moving_rows)};

static const struct binding open_rows[] = {
    {ACT_DIGIT, "0-9", "choose",
     "choose a hypothesis; of an open list the entry, which the arrows and Enter take too; while "
     "a measurement runs, call its headline number"},
    {ACT_MORE, "+ =", "- odds",
     "double the odds of the chosen hypothesis; all beliefs stay at 100"},
    {ACT_LESS, "- _", NULL, "halve the odds of the chosen hypothesis"},
    {ACT_OUT, "!", "out", "put the chosen hypothesis to 1; nothing goes below"},
    {ACT_UNDO, "u", "undo",
     "take the last beliefs back, or an estimate whose evidence is not there yet; what was seen "
     "stays bought"},
    {ACT_EXPLAIN, "e", "explain",
     "what you chose last: a number (what it counts, what is healthy), a hypothesis, a kernel"},
    {ACT_TAB, "Tab", "turn", "turn the pane: notebook, chart, code once bought, story"},
    {ACT_WHOLE, "f", NULL, "source, machine code or an exhibit on the whole screen, and back"},
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

static const struct key_list giving_up = {KEY_ROWS(giving_up_rows), .more = &moving},
                             no_giving_up = {KEY_ROWS(no_giving_up_rows), .more = &moving};

static const struct key_list open_keys = {KEY_ROWS(open_rows), .more = &giving_up,
                                          .how = play_how, .must = {ACT_TAB, ACT_ENTER}},
                             asked_keys /* in an interview */ = {KEY_ROWS(open_rows),
                                                                 .more = &no_giving_up,
                                                                 .how = play_how,
                                                                 .must = {ACT_TAB, ACT_ENTER}};

static const struct binding pushback_rows[] = {
    {ACT_DIGIT, "0-9", "choose",
     "choose a hypothesis; of an open list the entry, which the arrows and Enter take too; while "
     "a measurement runs, call its headline number"},
    {ACT_MORE, "+ =", "- odds",
     "double the odds of the chosen hypothesis; all beliefs stay at 100"},
    {ACT_LESS, "- _", NULL, "halve the odds of the chosen hypothesis"},
    {ACT_OUT, "!", "out", "put the chosen hypothesis to 1; nothing goes below"},
    {ACT_UNDO, "u", "undo",
     "take the last beliefs back, or an estimate whose evidence is not there yet; what was seen "
     "stays bought"},
    {ACT_EXPLAIN, "e", "explain",
     "what you chose last: a number (what it counts, what is healthy), a hypothesis, a kernel"},
    {ACT_TAB, "Tab", "turn", "turn the pane: notebook, chart, code once bought, story"},
    {ACT_WHOLE, "f", NULL, "source, machine code or an exhibit on the whole screen, and back"},
    {ACT_ENTER, "Enter", "last word", "these beliefs are final; the truth follows"},
};

static const struct key_list pushback_keys = {KEY_ROWS(pushback_rows), .more = &moving,
                                              .how = play_how,
                                              .must = {ACT_TAB, ACT_ENTER}};

static const struct binding commit_rows[] = {
    {ACT_DIGIT, "0-9", "choose", "choose a remedy"},
    {ACT_UNDO, "u", "undo",
     "take the last beliefs back, or an estimate whose evidence is not there yet; what was seen "
     "stays bought"},
    {ACT_ENTER, "Enter", "lock", "lock this step: beliefs, then the line, then the remedy"},
    {ACT_UP, "Up", NULL, "up: the source's line, the notebook's block"},
    {ACT_DOWN, "Down", NULL, "down"},
    {ACT_LEFT, "Left", NULL, "left: the block before, or code sideways, at the commitment too"},
    {ACT_RIGHT, "Right", NULL, "right"},
    KEYS_PAGES,
    KEYS_BACK,
};

static const struct key_list commit_keys = {KEY_ROWS(commit_rows), .how = play_how};

const struct key_list *investigation_keys(struct app *app, const void *self)
{
    const struct investigation_screen *s = self;
    (void)app;
    switch (s->ui) {
    case UI_LINE: case UI_REMEDY: return &commit_keys;
    case UI_WAIT: case UI_PUSHBACK: return &pushback_keys;
    default: return s->in.hooks ? &asked_keys : &open_keys;
    }
}
