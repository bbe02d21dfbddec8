#include "tui/mend/mend_screen.h"

#include "tui/app/app_runner.h"

static const char *const how[] = {
    "Your text lies in a file of your own; whatever saves it, it is judged: is it right, at this "
    "size and others, with poisoned memory and moved buffers; how fast is it, by turns with "
    "suspect, fix and best; and is it right still on inputs that nobody has seen.",
    "Every try is kept with its text. The score of the diagnosis does not change.",
    NULL,
};

/* What is always there stands around what a GPU, or two verdicts, must be there for. */
static const struct binding end_rows[] = {
    {ACT_TAB, "Tab t", "tries", "all tries so far"},
    KEYS_BACK,
};
static const struct key_list end = {KEY_ROWS(end_rows)};

static const struct binding explain_rows[] = {
    {ACT_EXPLAIN, "e", "explain", "what the chosen figure counts"},
    {ACT_UP, "Up k", NULL, "up: the figure above"},
    {ACT_DOWN, "Down j", NULL, "down"},
};
static const struct binding no_explain_rows[] = {{ACT_EXPLAIN, "e", NULL, NULL}};
static const struct key_list explain[] = {{KEY_ROWS(no_explain_rows), .more = &end},
                                          {KEY_ROWS(explain_rows), .more = &end}};

static const struct binding sanitize_rows[] = {
    {ACT_SANITIZE, "s", "sanitize", "your text under compute-sanitizer: races, bounds, barriers"},
};
static const struct binding no_sanitize_rows[] = {{ACT_SANITIZE, "s", NULL, NULL}};
#define EXPLAIN(rows) {{KEY_ROWS(rows), .more = &explain[0]}, {KEY_ROWS(rows), .more = &explain[1]}}
static const struct key_list sanitize[][2] = {EXPLAIN(no_sanitize_rows), EXPLAIN(sanitize_rows)};

#define BEGIN(rows, help, s, e) {KEY_ROWS(rows), .how = help, .more = &sanitize[s][e]}
#define BEGINS(rows, help) {{BEGIN(rows, help, 0, 0), BEGIN(rows, help, 0, 1)}, \
                            {BEGIN(rows, help, 1, 0), BEGIN(rows, help, 1, 1)}}
static const struct binding verdict_rows[] = {
    {ACT_ENTER, "Enter o", "edit", "your text in $VISUAL or $EDITOR"},
    {ACT_WHOLE, "w", "write here", "your text in a field of this screen"},
    {ACT_HINT, "h", "hint", "the next step of help: cause, line, remedy, lines of the fix"},
};
static const struct key_list verdict[][2] = BEGINS(verdict_rows, how);

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
};
static const struct key_list written[][2] = BEGINS(written_rows, how_written);

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

static const struct binding no_tries_rows[] = {
    {ACT_UNDO, "u", NULL, NULL},
    {ACT_LINES, "d Enter", NULL, NULL},
    {ACT_ADD, "Space", NULL, NULL},
    {ACT_TAB, "Tab t", "verdict", "the newest verdict"},
    KEYS_BACK,
};
static const struct key_list no_tries = {KEY_ROWS(no_tries_rows), .how = how};

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

bool mend_has_gpu(struct app *app)
{
    return app_client(app) && client_alive(app_client(app)) && app_device(app);
}

const char *mend_no_sanitizing(struct app *app, const struct mend_screen *s)
{
    if (!mend_has_gpu(app))
        return "compute-sanitizer runs the text, so it needs a GPU; g on the home screen connects "
               "one.";
    return s->judge ? NULL : "Nothing was judged yet that could be run under compute-sanitizer.";
}

const char *mend_no_explaining(const struct mend_screen *s)
{
    return s->n_moved ? NULL : "No figure has moved yet: a GPU tells them, from the second try on.";
}

const struct key_list *mend_keys(struct app *app, const void *self)
{
    const struct mend_screen *s = self;
    bool runs = !mend_no_sanitizing(app, s), told = !mend_no_explaining(s);
    if (s->asking)
        return &asking;
    switch (s->view) {
    case MEND_TRIES: return s->tries.n ? &tries : &no_tries;
    case MEND_DIFF: return &diff;
    case MEND_TYPING: return &typing;
    case MEND_VERDICT: break;
    }
    return s->v->task ? &written[runs][told] : &verdict[runs][told];
}
