#include "tui/interview/console_keys.h"

#include "tui/interview/console.h"

static const struct binding panes_rows[] = {
    {ACT_SCRIBE, "s", "scribe",
     "the candidate's screen under your hands: you enter what is said; Ctrl-] comes back"},
    {ACT_GIVE, "g", "give| evidence", "evidence for nothing, or keep some back: a list"},
    {ACT_QUIET, "f", "quiet| time",
     "three minutes in which nobody sees their screen; again: it ends"},
    {ACT_NOTE, "n", "note", "a note of your own, with its time; nobody else reads it"},
    {ACT_SHARED_NOTE, "N", NULL, "a note that may stand in the candidate's report"},
    {ACT_NOTES, "A", NULL,
     "all notes, whole, with their times: yours, and what the candidate wrote"},
    {ACT_PAUSE, "z", "pause", "stop the clock; again: it goes on"},
    {ACT_CLOCK, "t", "clock", "end this part, begin the next, or give it more time"},
    {ACT_TAB, "Tab", "view",
     "what the candidate sees; on a small screen the panes in turn, then that"},
    {ACT_REVEAL, "x", "reveal",
     "twice: the candidate sees the truth, of the newest scenario that was begun and not "
     "revealed; that of an earlier part stands on their screen until something else is sent "
     "there. The automatic score stays here until the rubric is filled"},
    {ACT_MEND, "M", NULL,
     "twice: once the truth is on their screen, ask for the fix: they type it there and hand it "
     "in, and it is judged on this GPU; again: no longer"},
    {ACT_DIGIT, "0-9", NULL,
     "a line of SAY NEXT, the same digit wherever it stands: it is marked as said; what goes to "
     "the candidate's screen (hints, drills, pushbacks once line and fix are in) waits for Enter"},
    {ACT_LINES, "S", NULL, "SAY NEXT with every line in full"},
    {ACT_RATE, "w e r a h j k l m o v y", NULL,
     "the letter before a row of the rubric: what its grades mean, 1 weak to 4 strong; then 1 to "
     "4 gives one, 0 none, the letter again one more; the row stays open, to correct it, until "
     "Esc"},
    {ACT_INJECT, "i", NULL, "type a curveball: it appears on the candidate's screen"},
    {ACT_DRILLS, "d", NULL,
     "ask one of the plan's drills; in a part of drills Enter asks the next"},
    {ACT_BRIEF, "b", NULL,
     "the page about this scenario: numbers, what settles, what misleads, wrong turns"},
    {ACT_PARTS, "p", NULL,
     "the plan's parts: begin the next, or another (one that is done asks first), change their "
     "minutes"},
    {ACT_ENTER, "Enter", NULL,
     "send the line that a digit marked; before a part: begin it, twice where the candidate is "
     "not there; in a part of drills: ask the next"},
    {ACT_CODE, "c", NULL, "the code, how to join, the line for authorized_keys, which wall stands"},
    {ACT_UNDO, "u", NULL,
     "take back your last act: mark, grade, note, hint or line; what is older is named and asked "
     "for first, and a pushback, evidence that was given and the truth stay"},
    {ACT_RELEASE, "R", NULL,
     "twice: the candidate sees the scores, and their report has the rubric too"},
    {ACT_LEAVE, "q Q", "leave",
     "twice: leave; the interview stays, and `warpdrill host --resume` goes on with it"},
    {ACT_CLOSE, "C", NULL,
     "twice: the interview is over; only grades can be added then, now or later by `warpdrill "
     "host --resume ID`"},
    {ACT_UP, "Up PgUp", NULL, "older moves"},
    {ACT_DOWN, "Down PgDn", NULL, "newer moves"},
};

static const struct binding list_rows[] = {
    {ACT_ENTER, "Enter", "choose", "what the list is for, with the marked row"},
    {ACT_WITHHOLD, "w", "withhold", "evidence: keep it back from the candidate; again: no longer"},
    {ACT_DIGIT, "0-9", NULL, "mark that row for Enter; of the clock choose it at once"},
    {ACT_MORE, "+ =", NULL, "parts: five minutes more for one that is not done"},
    {ACT_LESS, "- _", NULL, "parts: five minutes less"},
    {ACT_UP, "Up k", NULL, "up"},
    {ACT_DOWN, "Down j", NULL, "down"},
    {ACT_BACK, "Esc q", "back", "back to the console"},
};

static const char *const how[] = {
    "Nothing on this screen reaches the candidate but what you send: evidence, hints, pushbacks, "
    "drills, what you type with i. Their moves stand under MOVES as they are made; what they type "
    "does not, but for a note of theirs once they keep it. The ideal reader has the same evidence "
    "and even beliefs at the start.",
    "In quiet time (f) nobody sees the candidate's screen: not Tab, not the scribe, no observer; "
    "MOVES, beliefs and notes stand as they were when it began, and the candidate reads how long "
    "nobody looks. Only where no terminal of theirs is there does the scribe's view stay: it is "
    "what they read.",
    "Everything is stored before it is acknowledged, so either side may be cut off at any moment: "
    "the candidate joins again with the same code, the interviewer with `warpdrill host --resume`.",
    NULL,
};

static const struct key_list panes_keys = {KEY_ROWS(panes_rows), .how = how, .must = {ACT_TAB}},
                             list_keys = {KEY_ROWS(list_rows), .how = how};

const struct key_list *console_keys(struct app *app, const void *console)
{
    const struct console *c = console;
    (void)app;
    return c->mode == CONSOLE_LIST ? &list_keys : &panes_keys;
}
