#include "tui/mend/mend_screen.h"

static const char *const how[] = {
    "Your text lies in a file of your own; whatever saves it, it is judged: is it right, at this "
    "size and others, with poisoned memory and moved buffers; how fast is it, by turns with "
    "suspect, fix and best; and is it right still on inputs that nobody has seen.",
    "Every try is kept with its text. The score of the diagnosis does not change.",
    NULL,
};

static const struct binding verdict_rows[] = {
    {ACT_ENTER, "Enter o", "edit", "your text in $VISUAL or $EDITOR"},
    {ACT_WHOLE, "w", "write here", "your text in a field of this screen"},
    {ACT_HINT, "h", "hint", "the next step of help: cause, line, remedy, lines of the fix"},
    {ACT_SANITIZE, "s", "sanitize", "your text under compute-sanitizer: races, bounds, barriers"},
    {ACT_EXPLAIN, "e", "explain", "what the chosen figure counts"},
    {ACT_TAB, "Tab t", "tries", "all tries so far"},
    {ACT_UP, "Up k", NULL, "up: the figure above"},
    {ACT_DOWN, "Down j", NULL, "down"},
    KEYS_BACK,
};
static const struct key_list verdict = {KEY_ROWS(verdict_rows), .how = how};

static const char *const how_written[] = {
    "An empty kernel lies in a file of your own with its contract: what comes in, what must come "
    "out, a reference. Whatever saves it, it is judged: is it right, at this size and others, with "
    "poisoned memory and moved buffers; and how fast is it, by turns with our best.",
    "Every try is kept with its text. Help names a wall at a time, and is noted.",
    NULL,
};
static const struct binding written_rows[] = {
    {ACT_ENTER, "Enter o", "edit", "your text in $VISUAL or $EDITOR"},
    {ACT_WHOLE, "w", "write here", "your text in a field of this screen"},
    {ACT_HINT, "h", "hint", "the next step of help, a wall at a time"},
    {ACT_SANITIZE, "s", "sanitize", "your text under compute-sanitizer: races, bounds, barriers"},
    {ACT_EXPLAIN, "e", "explain", "what the chosen figure counts"},
    {ACT_TAB, "Tab t", "tries", "all tries so far"},
    {ACT_UP, "Up k", NULL, "up: the figure above"},
    {ACT_DOWN, "Down j", NULL, "down"},
    KEYS_BACK,
};
static const struct key_list written = {KEY_ROWS(written_rows), .how = how_written};

static const struct binding tries_rows[] = {
    {ACT_UNDO, "u", "back to it", "puts this try's text into the file; what stands there is kept"},
    {ACT_LINES, "d Enter", "diff",
     "what the file has otherwise than this try; with another marked, what this try has otherwise"},
    {ACT_ADD, "Space", "compare from", "marks this try: d at another compares the two"},
    {ACT_TAB, "Tab t", "verdict", "the newest verdict"},
    {ACT_UP, "Up k", NULL, "up"},
    {ACT_DOWN, "Down j", NULL, "down"},
    KEYS_BACK,
};
static const struct key_list tries = {KEY_ROWS(tries_rows), .how = how};

static const struct binding diff_rows[] = {
    {ACT_UP, "Up k", NULL, "up"},
    {ACT_DOWN, "Down j", NULL, "down"},
    KEYS_PAGES,
    KEYS_BACK,
};
static const struct key_list diff = {KEY_ROWS(diff_rows), .how = how};

static const struct binding asking_rows[] = {
    {ACT_YES, "y", "run it", "runs your code on this GPU, now and later"},
    {ACT_NO, "n", "do not", "nothing is run"},
    {ACT_BACK, "Esc", "back", "the same as n"},
};
static const struct key_list asking = {KEY_ROWS(asking_rows)};

static const struct binding typing_rows[] = {
    {ACT_NONE, "Tab", "save", "saves, and goes back; what was saved is judged"},
    {ACT_NONE, "Ctrl-G", "editor", "saves, and goes on in $VISUAL or $EDITOR"},
    {ACT_NONE, "Esc", "leave it", "back without saving"},
};
static const struct key_list typing = {KEY_ROWS(typing_rows), .words = true, .only_listed = true};

const struct key_list *mend_keys(struct app *app, const void *self)
{
    const struct mend_screen *s = self;
    (void)app;
    if (s->asking)
        return &asking;
    switch (s->view) {
    case MEND_TRIES: return &tries;
    case MEND_DIFF: return &diff;
    case MEND_TYPING: return &typing;
    case MEND_VERDICT: break;
    }
    return s->v->task ? &written : &verdict;
}
