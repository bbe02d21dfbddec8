#include "tui/kit/keys.h"

#include <curses.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define CTX_BELIEVING (CTX_INVESTIGATION | CTX_PUSHBACK)
#define CTX_CHOOSING (CTX_HOME | CTX_LIST | CTX_HISTORY | CTX_STAND | CTX_OPTIONS)

#define CTX_SCENARIO (CTX_BELIEVING | CTX_COMMIT | CTX_DEBRIEF)
#define CTX_PRACTICE (CTX_DRILL | CTX_CHOICE | CTX_CARD | CTX_ANSWERED | CTX_GRADING)
#define CTX_PAGED (CTX_SCENARIO | CTX_PRACTICE | CTX_HISTORY | CTX_LIST | CTX_STAND | CTX_HELP)

static const struct binding bindings[] = {
    /* choosing and believing */
    {ACT_DIGIT, CTX_BELIEVING, "0-9", "choose",
     "choose a hypothesis; of an open list the entry, which the arrows and Enter take too; while a "
     "measurement runs, call its headline number"},
    {ACT_DIGIT, CTX_COMMIT, "0-9", "choose", "choose a remedy"},
    {ACT_DIGIT, CTX_DEBRIEF, "0-9", NULL, "a page of the debrief"},
    {ACT_ENTER, CTX_HOME, "Enter", NULL, "start the marked entry, which is the right next thing"},
    {ACT_DIGIT, CTX_HOME, "1-5", "start", "start that entry, of as many as there are"},
    {ACT_MORE, CTX_BELIEVING, "+ =", "- odds",
     "double the odds of the chosen hypothesis; all beliefs stay at 100"},
    {ACT_LESS, CTX_BELIEVING, "- _", NULL, "halve the odds of the chosen hypothesis"},
    {ACT_OUT, CTX_BELIEVING, "!", "out", "put the chosen hypothesis to 1; nothing goes below"},
    {ACT_UNDO, CTX_BELIEVING | CTX_COMMIT, "u", "undo",
     "take the last beliefs back, or an estimate whose evidence is not there yet; what was seen "
     "stays bought"},
    {ACT_EXPLAIN, CTX_BELIEVING, "e", "explain",
     "what you chose last: a number (what it counts, what is healthy), a hypothesis, a kernel"},
    {ACT_TAB, CTX_BELIEVING, "Tab", "turn",
     "turn the pane: notebook, chart, code once bought, story"},
    {ACT_WHOLE, CTX_BELIEVING, "f", NULL,
     "source, machine code or an exhibit on the whole screen, and back"},
    {ACT_TAB, CTX_DEBRIEF, "Tab", NULL, "the next page"},
    {ACT_ENTER, CTX_STAND, "Enter", NULL, "on the topics: drills of the marked one"},
    {ACT_TAB, CTX_STAND, "Tab", "turn", "the next page: a year, topics, causes, what you said"},
    {ACT_DIGIT, CTX_STAND, "1-4", "page", "that page"},
    {ACT_BUY, CTX_INVESTIGATION, "a t r b d o m s w p x v c l i", NULL,
     "ask or buy: the letter and the price stand beside each kind of evidence"},
    {ACT_ENTER, CTX_INVESTIGATION, "Enter", "commit",
     "look at what your beliefs are worth, then lock them"},
    {ACT_ENTER, CTX_COMMIT, "Enter", "lock",
     "lock this step: beliefs, then the line, then the remedy"},
    {ACT_ENTER, CTX_PUSHBACK, "Enter", "last word", "these beliefs are final; the truth follows"},
    {ACT_ENTER, CTX_LIST, "Enter", "start",
     "start the marked scenario; one that was begun goes on"},
    {ACT_ENTER, CTX_HISTORY, "Enter", "open", "open the debrief again; an unfinished one goes on"},
    {ACT_ENTER, CTX_GPU, "Enter", "type",
     "type a command that starts a runner, or start the one typed"},
    {ACT_AGAIN, CTX_GPU, "r", "retry",
     "start the same command again, after a link was lost or a host was woken"},
    {ACT_STOP, CTX_GPU, "x", "stop",
     "end the runner, or leave the queue; recorded evidence until it is started again"},
    {ACT_ENTER, CTX_OPTIONS, "Enter", "type", "type another value; make a backup, or put one back"},
    {ACT_MORE, CTX_OPTIONS, "+ = Right", "- step", "a step up; a date moves by a day"},
    {ACT_LESS, CTX_OPTIONS, "- _ Left", NULL, "a step down"},
    {ACT_UNDO, CTX_OPTIONS, "u", "undo", "take the last change back, a restore too"},
    /* an interview's plan, and the page before a scenario */
    {ACT_ENTER, CTX_PLAN, "Enter", "start",
     "on a row of words: type; elsewhere: make the session with this plan, and open the console"},
    {ACT_MORE, CTX_PLAN, "+ = Right", "- change", "one step more; minutes go by five"},
    {ACT_LESS, CTX_PLAN, "- _ Left", NULL, "one step less"},
    {ACT_EXCHANGE, CTX_PLAN, "Tab e", "exchange",
     "another scenario that fits in this part's place; other drills; another question"},
    {ACT_BRIEF, CTX_PLAN, "b", "brief",
     "the page about this scenario: numbers, what settles, what misleads, wrong turns"},
    {ACT_ADD, CTX_PLAN, "a", "add",
     "a part below the marked one: a scenario; again: drills, then a talk"},
    {ACT_REMOVE, CTX_PLAN, "x Del", "remove", "take the marked part out"},
    {ACT_UNDO, CTX_PLAN, "u", "undo", "take the last change back"},
    {ACT_FIT, CTX_PLAN, "f", NULL,
     "cut the longest parts until the minutes that were planned hold"},
    {ACT_SEED, CTX_PLAN, "s", "seed",
     "another seed: everything is picked anew, at this level and in these minutes"},
    {ACT_TAB, CTX_BRIEF, "Tab PgDn Space", "turn",
     "the next page, where one screen does not hold it"},
    {ACT_LESS, CTX_BRIEF, "PgUp", NULL, "the page before"},
    {ACT_NOTE, CTX_INVESTIGATION, "n", "note",
     "write a note; it comes back in the debrief. Esc keeps it too, except in an interview"},
    {ACT_NOTE, CTX_CANDIDATE, "n", "note", "in a part of talk: write into the shared notes"},
    {ACT_ABANDON, CTX_INVESTIGATION, "X", NULL,
     "give this attempt up; that is stored, and not scored"},
    /* debrief */
    {ACT_BELIEFS, CTX_DEBRIEF, "b", "beliefs",
     "your beliefs beside the ideal reader's, step by step"},
    {ACT_CODE, CTX_DEBRIEF, "c", "code", "why, and the lines that changed"},
    {ACT_EVIDENCE, CTX_DEBRIEF, "e", "evidence",
     "everything you bought, and what it meant; again: the chosen number explained"},
    {ACT_RUN_FIX, CTX_DEBRIEF, "f", "run fix live",
     "run the fix beside the suspect, where there is a GPU"},
    {ACT_OTHER_CAUSE, CTX_DEBRIEF, "v", "other cause", "the same story again with another cause"},
    {ACT_ENTER, CTX_DEBRIEF, "Enter", "next", "the next scenario"},
    /* practice */
    {ACT_ENTER, CTX_TYPED, "Enter", "answer",
     "grade what was typed; on an empty line, twice, skip: skipping is not lying"},
    {ACT_DIGIT, CTX_CHOICE, "1-6", "choose", "choose an answer, where there are several"},
    {ACT_ENTER, CTX_CHOICE, "Enter", "skip", "twice: skip it; skipping is not lying"},
    {ACT_HINT, CTX_DRILL, "h Tab", "hint (-25 %)",
     "a hint; a right answer is worth a quarter less then, and comes back sooner"},
    {ACT_ENTER, CTX_CARD, "Enter", "answer", "show the answer; empty: you did not know"},
    {ACT_DIGIT, CTX_GRADING, "1-4", "grade",
     "1 again, 2 hard, 3 good, 4 easy; beside each stands when it comes back"},
    {ACT_ENTER, CTX_ANSWERED, "Enter n", "next", "the next one"},
    {ACT_AGAIN, CTX_REPEAT, "r", "other numbers",
     "the same drill with other numbers; that one is not counted"},
    {ACT_ENTER, CTX_SITTING, "Enter", "back", "back; everything is kept"},
    {ACT_NEXT, CTX_SITTING, "n", "more",
     "one more: what is still being learned, then something new"},
    {ACT_UNDO, CTX_DRILL | CTX_CHOICE | CTX_ANSWERED | CTX_GRADING | CTX_SITTING, "u", "undo",
     "take the last answer back and be asked again; the solution was seen, so the grade gets no "
     "better"},
    /* GPU code that did not come with warpdrill */
    {ACT_YES, CTX_TRUST, "y", "yes, run it",
     "GPU code of this pack may run here, now and later; kept in a text file"},
    {ACT_NO, CTX_TRUST, "n", "no, recorded",
     "none of it runs; what was recorded elsewhere is shown instead"},
    /* the interviewer's console */
    {ACT_SCRIBE, CTX_CONSOLE, "s", "scribe",
     "the candidate's screen under your hands: you enter what is said; Ctrl-] comes back"},
    {ACT_GIVE, CTX_CONSOLE, "g", "give| evidence",
     "evidence for nothing, or keep some back: a list"},
    {ACT_QUIET, CTX_CONSOLE, "f", "quiet| time",
     "three minutes in which nobody sees their screen; again: it ends"},
    {ACT_NOTE, CTX_CONSOLE, "n", "note", "a note of your own, with its time; nobody else reads it"},
    {ACT_SHARED_NOTE, CTX_CONSOLE, "N", NULL, "a note that may stand in the candidate's report"},
    {ACT_NOTES, CTX_CONSOLE, "A", NULL,
     "all notes, whole, with their times: yours, and what the candidate wrote"},
    {ACT_PAUSE, CTX_CONSOLE, "z", "pause", "stop the clock; again: it goes on"},
    {ACT_CLOCK, CTX_CONSOLE, "t", "clock", "end this part, begin the next, or give it more time"},
    {ACT_TAB, CTX_CONSOLE, "Tab", "view",
     "what the candidate sees; on a small screen the panes in turn, then that"},
    {ACT_REVEAL, CTX_CONSOLE, "x", "reveal",
     "twice: the candidate sees the truth, of the newest scenario that was begun and not revealed; "
     "that of an earlier part stands on their screen until something else is sent there. The "
     "automatic score stays here until the rubric is filled"},
    {ACT_DIGIT, CTX_CONSOLE, "0-9", NULL,
     "a line of SAY NEXT, the same digit wherever it stands: it is marked as said; what goes to "
     "the candidate's screen (hints, drills, pushbacks once line and fix are in) waits for Enter"},
    {ACT_LINES, CTX_CONSOLE, "S", NULL, "SAY NEXT with every line in full"},
    {ACT_RATE, CTX_CONSOLE, "w e r a h j k l m o v y", NULL,
     "the letter before a row of the rubric: what its grades mean, 1 weak to 4 strong; then 1 to 4 "
     "gives one, 0 none, the letter again one more; the row stays open, to correct it, until Esc"},
    {ACT_INJECT, CTX_CONSOLE, "i", NULL, "type a curveball: it appears on the candidate's screen"},
    {ACT_DRILLS, CTX_CONSOLE, "d", NULL,
     "ask one of the plan's drills; in a part of drills Enter asks the next"},
    {ACT_BRIEF, CTX_CONSOLE, "b", NULL,
     "the page about this scenario: numbers, what settles, what misleads, wrong turns"},
    {ACT_PARTS, CTX_CONSOLE, "p", NULL,
     "the plan's parts: begin the next, or another (one that is done asks first), change their "
     "minutes"},
    {ACT_ENTER, CTX_CONSOLE, "Enter", NULL,
     "send the line that a digit marked; before a part: begin it, twice where the candidate is not "
     "there; in a part of drills: ask the next"},
    {ACT_CODE, CTX_CONSOLE, "c", NULL,
     "the code, how to join, the line for authorized_keys, which wall stands"},
    {ACT_UNDO, CTX_CONSOLE, "u", NULL,
     "take back your last act: mark, grade, note, hint or line; what is older is named and asked "
     "for first, and a pushback, evidence that was given and the truth stay"},
    {ACT_RELEASE, CTX_CONSOLE, "R", NULL,
     "twice: the candidate sees the scores, and their report has the rubric too"},
    {ACT_LEAVE, CTX_CONSOLE, "q Q", "leave",
     "twice: leave; the interview stays, and `warpdrill host --resume` goes on with it"},
    {ACT_CLOSE, CTX_CONSOLE, "C", NULL,
     "twice: the interview is over; only grades can be added then, now or later by `warpdrill host "
     "--resume ID`"},
    {ACT_UP, CTX_CONSOLE, "Up PgUp", NULL, "older moves"},
    {ACT_DOWN, CTX_CONSOLE, "Down PgDn", NULL, "newer moves"},
    {ACT_ENTER, CTX_CONSOLE_LIST, "Enter", "choose", "what the list is for, with the marked row"},
    {ACT_WITHHOLD, CTX_CONSOLE_LIST, "w", "withhold",
     "evidence: keep it back from the candidate; again: no longer"},
    {ACT_DIGIT, CTX_CONSOLE_LIST, "0-9", NULL,
     "mark that row for Enter; of the clock choose it at once"},
    {ACT_MORE, CTX_CONSOLE_LIST, "+ =", NULL, "parts: five minutes more for one that is not done"},
    {ACT_LESS, CTX_CONSOLE_LIST, "- _", NULL, "parts: five minutes less"},
    {ACT_UP, CTX_CONSOLE_LIST, "Up k", NULL, "up"},
    {ACT_DOWN, CTX_CONSOLE_LIST, "Down j", NULL, "down"},
    {ACT_BACK, CTX_CONSOLE_LIST, "Esc q", "back", "back to the console"},
    /* an interview that was */
    {ACT_PLAY, CTX_REPLAY, "Space", "play", "play; again: stand still"},
    {ACT_MORE, CTX_REPLAY, "+ =", "- speed", "twice as fast, up to 64 times"},
    {ACT_LESS, CTX_REPLAY, "- _", NULL, "half as fast, down to half"},
    {ACT_RIGHT, CTX_REPLAY, "Right", "Left move", "to the next move"},
    {ACT_LEFT, CTX_REPLAY, "Left", NULL, "to the move before"},
    {ACT_PAGE_DOWN, CTX_REPLAY, "PgDn", "PgUp part", "to the next part"},
    {ACT_PAGE_UP, CTX_REPLAY, "PgUp", NULL, "to where this part began, then to the part before"},
    {ACT_DIGIT, CTX_REPLAY, "0-9", "tenths", "to that tenth of the interview"},
    {ACT_FIRST, CTX_REPLAY, "Home", NULL, "to the beginning"},
    {ACT_LAST, CTX_REPLAY, "End", NULL, "to the end"},
    {ACT_TAB, CTX_REPLAY, "Tab", "chart",
     "the candidate's beliefs over time; on a small screen the panes first"},
    {ACT_UP, CTX_REPLAY, "Up k", NULL, "older moves"},
    {ACT_DOWN, CTX_REPLAY, "Down j", NULL, "newer moves"},
    {ACT_BACK, CTX_REPLAY, "Esc", NULL, "back from the chart, else out"},
    /* text of many lines: read by the editor itself, listed here for help */
    {ACT_NONE, CTX_EDITOR, "Tab Ctrl-D", "done", "the text is done; Enter begins a new line"},
    {ACT_NONE, CTX_EDITOR, "Ctrl-G", "$EDITOR", "the text in $VISUAL or $EDITOR"},
    {ACT_NONE, CTX_EDITOR, "Ctrl-/", "undo", "take back; a paste is one step"},
    {ACT_NONE, CTX_EDITOR, "Ctrl-R", "redo", "do again what was taken back"},
    {ACT_NONE, CTX_EDITOR, "Esc", "back", "back; what is written is kept for the next time"},
    {ACT_HELP, CTX_EDITOR, "F1", "help", "this list; ? too, while nothing is written"},
    /* places */
    {ACT_SCENARIOS, CTX_HOME, "s", "scen|arios", "every scenario that is here"},
    {ACT_DRILLS, CTX_HOME | CTX_STAND, "d", "drills",
     "numbers against the clock: what is due, then what is new"},
    {ACT_CARDS, CTX_HOME | CTX_STAND, "c", "cards",
     "what you want to know by heart: what is due, then what is new"},
    {ACT_HISTORY, CTX_HOME, "h", "hist|ory", "what you did; Enter opens a debrief again"},
    {ACT_STAND, CTX_HOME, "w", "where",
     "where you stand: a year, topics, causes, beliefs; what next, and why"},
    {ACT_GPU, CTX_HOME, "g", "GPU", "measure on a GPU here, behind ssh or behind Slurm"},
    {ACT_OPTIONS, CTX_HOME, "o", "opt|ions", "the interview's date, how much a day, backups"},
    /* moving */
    {ACT_UP, CTX_PLAN, "Up k", NULL, "up"},
    {ACT_DOWN, CTX_PLAN, "Down j", NULL, "down"},
    {ACT_UP, CTX_CHOOSING | CTX_HELP | CTX_GPU, "Up k", NULL, "up"},
    {ACT_UP, CTX_SCENARIO, "Up", NULL, "up: the source's line, the notebook's block"},
    {ACT_UP, CTX_PRACTICE, "Up", NULL, "a line up, where the page is longer than the screen"},
    {ACT_UP, CTX_ANY, "Up", NULL, NULL},
    {ACT_DOWN, CTX_CHOOSING | CTX_HELP | CTX_GPU, "Down j", NULL, "down"},
    {ACT_DOWN, CTX_SCENARIO, "Down", NULL, "down"},
    {ACT_DOWN, CTX_PRACTICE, "Down", NULL, "a line down"},
    {ACT_DOWN, CTX_ANY, "Down", NULL, NULL},
    {ACT_LEFT, CTX_STAND, "Left", NULL, "the page before"},
    {ACT_LEFT, CTX_SCENARIO, "Left", NULL,
     "left: the block before, or code sideways, at the commitment too"},
    {ACT_LEFT, CTX_ANY, "Left", NULL, NULL},
    {ACT_RIGHT, CTX_STAND, "Right", NULL, "the next page"},
    {ACT_RIGHT, CTX_SCENARIO, "Right", NULL, "right"},
    {ACT_RIGHT, CTX_ANY, "Right", NULL, NULL},
    {ACT_PAGE_UP, CTX_PAGED, "PgUp", NULL, "a page up"},
    {ACT_PAGE_UP, CTX_ANY, "PgUp", NULL, NULL},
    {ACT_PAGE_DOWN, CTX_HELP, "PgDn Space", "more", "a page down"},
    {ACT_PAGE_DOWN, CTX_PAGED, "PgDn", NULL, "a page down"},
    {ACT_PAGE_DOWN, CTX_ANY, "PgDn", NULL, NULL},
    {ACT_ENTER, CTX_ANY, "Enter", NULL, NULL},
    {ACT_TAB, CTX_ANY, "Tab", NULL, NULL},
    {ACT_BACK, CTX_HELP, "Esc q ?", "back", "back to where you were"},
    {ACT_BACK,
     CTX_LIST | CTX_HISTORY | CTX_GPU | CTX_COMMIT | CTX_STAND | CTX_OPTIONS | CTX_TRUST |
         CTX_BRIEF | CTX_PLAN,
     "Esc", "back", "back; nothing is lost"},
    {ACT_BACK, CTX_DRILL | CTX_CARD | CTX_CHOICE | CTX_ANSWERED | CTX_GRADING | CTX_SITTING, "Esc",
     "back", "back; what was answered is kept"},
    {ACT_BACK, CTX_INVESTIGATION | CTX_PUSHBACK | CTX_DEBRIEF, "Esc", NULL,
     "cancel a running measurement (its price comes back), else out of the pane; twice: home, "
     "everything is saved"},
    {ACT_BACK, CTX_ANY, "Esc", NULL, NULL},
    {ACT_HELP, CTX_ANY, "?", "help", "this list"},
    {ACT_QUIT, CTX_ANY, "q", "quit", "leave; everything is saved and goes on where it stood"},
};

const struct binding *binding_table(size_t *n)
{
    *n = sizeof bindings / sizeof bindings[0];
    return bindings;
}

static bool applies(const struct binding *b, unsigned context)
{
    return b->contexts & (context | CTX_ANY);
}

/* ---- from keys to actions ---- */

static const struct { const char *name; int key[3];
} named[] = {
    {"Enter", {'\r', '\n', KEY_ENTER}}, {"Esc", {KEY_ESCAPE, 0, 0}},
    {"Tab", {KEY_TABULATOR, 0, 0}},     {"Up", {KEY_UP, 0, 0}},
    {"Down", {KEY_DOWN, 0, 0}},         {"Left", {KEY_LEFT, 0, 0}},
    {"Right", {KEY_RIGHT, 0, 0}},       {"PgUp", {KEY_PPAGE, 0, 0}},
    {"PgDn", {KEY_NPAGE, 0, 0}},        {"Home", {KEY_HOME, 0, 0}},
    {"End", {KEY_END, 0, 0}},           {"Space", {' ', 0, 0}},
    {"F1", {KEY_F(1), 0, 0}},           {"Del", {KEY_DC, 0, 0}},
};

/* Does one token of `keys` stand for this key? */
static bool token_is(const char *token, size_t len, int key, int *arg)
{
    if (len == 1) {
        *arg = key;
        return key == (unsigned char)token[0];
    }
    if (len == 3 && token[1] == '-') {
        *arg = key - '0';
        return key >= token[0] && key <= token[2];
    }
    for (size_t i = 0; i < sizeof named / sizeof named[0]; i++)
        if (strlen(named[i].name) == len && !memcmp(named[i].name, token, len))
            for (int k = 0; k < 3; k++)
                if (named[i].key[k] && named[i].key[k] == key)
                    return true;
    return false;
}

static bool keys_hold(const char *keys, int key, int *arg)
{
    while (*keys) {
        size_t len = strcspn(keys, " ");
        if (token_is(keys, len, key, arg))
            return true;
        keys += len;
        keys += strspn(keys, " ");
    }
    return false;
}

enum action action_of_key(unsigned context, int key, int *arg)
{
    int ignored;
    for (size_t i = 0; i < sizeof bindings / sizeof bindings[0]; i++)
        if (applies(&bindings[i], context) &&
            keys_hold(bindings[i].keys, key, arg ? arg : &ignored))
            return bindings[i].action;
    return ACT_NONE;
}

/* ---- the key line ---- */

/* "scen|arios" is "scen" where there is no room for "scenarios". */
static void name_text(char *out, size_t size, const char *name, bool brief)
{
    size_t cut = strcspn(name, "|");
    snprintf(out, size, "%.*s%s", (int)cut, name, brief || !name[cut] ? "" : name + cut + 1);
}

/* "Enter lock", "+ more": the first spelling of the key and the row's name; 0: left out. */
static int entry_text(char *out, size_t size, const struct binding *b, int digits, bool brief)
{
    char name[32];
    int len = (int)strcspn(b->keys, " ");
    bool range = b->action == ACT_DIGIT && len == 3 && b->keys[2] - '0' > digits;
    if (range && b->keys[0] - '0' > digits)
        return 0;
    if (range)
        return digits > b->keys[0] - '0'
                   ? snprintf(out, size, "%c-%d %s", b->keys[0], digits, b->name)
                   : snprintf(out, size, "%d %s", digits, b->name);
    name_text(name, sizeof name, b->name, brief);
    return snprintf(out, size, "%.*s %s", len, b->keys, name);
}

static bool stands_last(const struct binding *b)
{
    return b->action == ACT_HELP || b->action == ACT_QUIT;
}

/* Must not be left out: what turns panes, since nothing else shows the others, and what leads on
 * from the beliefs. */
static bool must_stand(const struct binding *b, unsigned context)
{
    return b->name && (b->contexts & context) &&
           (b->action == ACT_TAB || (b->action == ACT_ENTER && (context & CTX_BELIEVING)));
}

static int kept_columns(unsigned context, int digits, bool brief)
{
    char entry[64];
    int kept = 0;
    for (size_t i = 0; i < sizeof bindings / sizeof bindings[0]; i++)
        if (must_stand(&bindings[i], context))
            kept += entry_text(entry, sizeof entry, &bindings[i], digits, brief) + 2;
    return kept;
}

/* false: something had to be left out. */
static bool line_make(char *out, size_t size, unsigned context, int w, int digits, bool brief,
                      const char *tail)
{
    int left = w - (int)strlen(tail) - kept_columns(context, digits, brief), at = 0;
    bool all = left >= 0;
    char entry[64];
    out[0] = '\0';
    for (size_t i = 0; i < sizeof bindings / sizeof bindings[0]; i++) {
        const struct binding *b = &bindings[i];
        if (!b->name || !(b->contexts & context) || stands_last(b))
            continue;
        int n = entry_text(entry, sizeof entry, b, digits, brief) + 2;
        if (n == 2)
            continue;
        if (must_stand(b, context))
            left += n;
        if (n > left || (size_t)(at + n) >= size) {
            all = false;
            continue;
        }
        at += snprintf(out + at, size - (size_t)at, "%s  ", entry);
        left -= n;
    }
    snprintf(out + at, size - (size_t)at, "%s", tail);
    return all;
}

void key_line(char *out, size_t size, unsigned context, int w)
{
    key_line_digits(out, size, context, w, 9);
}

/* With all words where they fit, else with shorter names, else without what has no room. */
void key_line_digits(char *out, size_t size, unsigned context, int w, int digits)
{
    static const struct {
        bool brief;
        const char *tail;
    } tries[] = {{false, "? help  q quit"}, {false, "? help  q"}, {true, "? help  q"}};
    if (context & CTX_HELP) {
        line_make(out, size, context, w, digits, false, "");
        return;
    }
    if (action_of_key(context, 'q', NULL) != ACT_QUIT) {    /* where q is something else */
        if (!line_make(out, size, context, w, digits, false, "? help") &&
            !line_make(out, size, context, w, digits, true, "? help"))
            line_make(out, size, context, w, digits, true, "?");
        return;
    }
    for (size_t i = 0; i < sizeof tries / sizeof tries[0]; i++)
        if (line_make(out, size, context, w, digits, tries[i].brief, tries[i].tail))
            return;
    line_make(out, size, context, w, digits, true, w >= 98 ? "? help  q quit" : "? q");
}
