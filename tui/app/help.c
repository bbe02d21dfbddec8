#include "tui/app/help.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "kernels/wire/text.h"
#include "tui/kit/layout.h"
#include "tui/app/frame.h"

enum { KEYS_COLUMN = 3, TEXT_COLUMN = 18 };

struct help { unsigned context; int top; };

#define CTX_DRILLS (CTX_DRILL | CTX_REPEAT)
#define CTX_CARDS (CTX_CARD | CTX_EDITOR | CTX_GRADING)
#define CTX_EITHER \
    (CTX_CHOICE | CTX_ANSWERED | CTX_SITTING) /* of cards, where nothing says drills */
#define CTX_CASE (CTX_INVESTIGATION | CTX_PUSHBACK | CTX_COMMIT | CTX_DEBRIEF)

/* How the place works, by where help is asked for. */
static const struct { unsigned contexts; const char *text;
} how[] = {
    {CTX_HOME | CTX_CASE | CTX_LIST,
     "A kernel is slow, or fast and wrong. The story and the symptom are free; every other look at "
     "it costs minutes of the interviewer's patience. Letters, places and prices are the same in "
     "every scenario, so they tell nothing."},
    {CTX_CASE,
     "You hold a belief about each possible cause, in per cent; they sum to 100. Choose one with "
     "its digit, then + doubles its odds and - halves them. The others keep their proportions."},
    {CTX_CASE, "Say what you believe, no more and no less: a quadratic rule pays for it, so an "
               "even spread is worth nothing, certain and right is worth all, and certain and "
               "wrong costs more than you could win. Evidence is worth full marks up to par."},
    {CTX_CASE,
     "Enter shows the stakes, then locks the beliefs. You point at the line, choose a remedy, and "
     "are pushed back once: it may be a new fact, or only a test of conviction. Then you see the "
     "truth, and what an ideal reader of your evidence would have believed."},
    {CTX_CANDIDATE,
     "This is an interview. The interviewer begins its parts, asks, hands you evidence or keeps "
     "some back, and shows the truth at the end. Think aloud; what you do here is kept at once, "
     "and nothing of it is lost when a link breaks."},
    {CTX_HOME, "Drills are numbers to work out, cards what to know by heart; both come back when "
               "you are about to forget them. The first entry is the right next thing. Once "
               "something was done, bars show the day's part."},
    {CTX_DRILLS | CTX_SITTING,
     "A drill is right within its tolerance: 1 point. Close, within a factor of three, is worth "
     "0.8 and less; a known mistake is named. A hint takes a quarter of the points. The clock is "
     "noted, not graded. u takes an answer back."},
    {CTX_DRILLS | CTX_SITTING,
     "An interval such as \"4 to 6 ms, 80 %\" is graded by the interval rule: the narrower the "
     "better, but to miss costs more the surer you said you were, at most the one point that there "
     "is. Say 80 % where 8 of 10 such intervals hold the truth; without a share 80 % is taken."},
    {CTX_CARDS | CTX_EITHER,
     "A card that the program can check is right or wrong. One in your own words you grade "
     "yourself: 1 again, not known, comes back in minutes; 2 hard, known with trouble; 3 good, "
     "known; 4 easy, known at once, comes back latest. Beside each stands when."},
    {CTX_CARDS | CTX_DRILLS | CTX_EITHER,
     "What you know comes back ever later, when you are about to forget it as often as options "
     "allow; what you missed comes back the same day. Before an interview everything seen comes "
     "once more."},
    {CTX_STAND, "A range holds the true value 19 times in 20; from three tries on there is one. "
                "\"off by\" is the factor by which your estimates miss, at the median. The shades "
                "of the year stand for the same counts at all times."},
    {CTX_STAND, "Said: of all the times you were 70 % sure, how many were right? 70 in 100 is what "
                "it should be."},
    {CTX_TRUST, "Packs that came with warpdrill run without a question. Of any other the first "
                "live run asks; a yes is for the pack in that folder, whatever is put there later. "
                "SECURITY.md says what GPU code can do and what warpdrill does about it."},
    {CTX_HISTORY, "Each scenario with its score, in brackets where it is not counted, the minutes "
                  "of patience it took, and your last belief in the true cause. A sitting of "
                  "drills or cards shows how many were right."},
    {CTX_OPTIONS, "A setting holds at once. Below them stands what they come to: played forward "
                  "day by day, one answer in ten wrong; an estimate, not a promise."},
    {CTX_OPTIONS,
     "A backup is a copy of all progress, read back before it counts. A restore keeps the present "
     "file beside it, and u puts that back. Days that are long ago keep fewer backups."},
    {CTX_GPU, "With a GPU measurements are made while you wait; without one scenarios show what "
              "was recorded. Where there is none here, name a machine that has one."},
    {CTX_PLAN,
     "A plan is a proposal: another level or seed picks its parts anew, a part can be exchanged, "
     "moved in minutes, added or taken out, and u takes any of it back. One that is longer than "
     "planned asks before it begins, and f cuts it. ! marks a scenario that somebody of this name "
     "was shown before. The candidate reads titles, never a cause."},
    {CTX_BRIEF,
     "All of it is computed from the readings and one recording: nothing here was written for this "
     "page but what is said aloud. A wrong turn is what an ideal reader with even beliefs takes "
     "for likely after the purchases of one minute; the question below it is meant to be asked."},
    {CTX_CONSOLE | CTX_CONSOLE_LIST,
     "Nothing on this screen reaches the candidate but what you send: evidence, hints, pushbacks, "
     "drills, what you type with i. Their moves stand under MOVES as they are made; what they type "
     "does not, but for a note of theirs once they keep it. The ideal reader has the same evidence "
     "and even beliefs at the start."},
    {CTX_CONSOLE | CTX_CONSOLE_LIST,
     "In quiet time (f) nobody sees the candidate's screen: not Tab, not the scribe, no observer; "
     "MOVES, beliefs and notes stand as they were when it began, and the candidate reads how long "
     "nobody looks. Only where no terminal of theirs is there does the scribe's view stay: it is "
     "what they read."},
    {CTX_CONSOLE | CTX_CONSOLE_LIST,
     "Everything is stored before it is acknowledged, so either side may be cut off at any moment: "
     "the candidate joins again with the same code, the interviewer with `warpdrill host "
     "--resume`."},
    {CTX_REPLAY, "The console as it was at a moment: what was done up to then is folded again. The "
                 "bar below shows where you are, each move and where parts begin; pauses take no "
                 "time. Nothing is changed by looking."},
    {CTX_HOME | CTX_CASE | CTX_DRILLS | CTX_GPU | CTX_LIST,
     "Numbers are measured on a GPU and say on which. `recorded` was measured before and came with "
     "the scenario, `live` is measured on your GPU now, `generated` comes from a model of many "
     "GPUs, `computed` is arithmetic."},
};

/* What is said of either drills or cards is said of cards where nothing says drills. */
static bool is_how(size_t i, unsigned context)
{
    bool cards_alone = how[i].contexts == (CTX_CARDS | CTX_EITHER);
    return (how[i].contexts & context) && !(cards_alone && (context & CTX_DRILLS));
}

void help_open(struct app *app, unsigned context)
{
    struct help *help = mem_new(1, sizeof *help);
    help->context = context | (app_live(app) ? CTX_CANDIDATE : 0);
    app_push(app, &help_screen, help);
}

static void help_leave(struct app *app, void *self)
{
    (void)app;
    free(self);
}

/* ---- what applies here ---- */

/* What the candidate of an interview has no hand in, and what belongs to another of their screens.
 */
static bool is_no_candidates(const struct binding *b, unsigned context)
{
    if (!(context & CTX_CANDIDATE))
        return false;
    bool elsewhere = b->contexts == CTX_CANDIDATE && context != CTX_CANDIDATE;
    return elsewhere || b->action == ACT_ABANDON || b->action == ACT_RUN_FIX ||
           b->action == ACT_OTHER_CAUSE;
}

/* A row is shown once per action and key, the special one before the general one. */
static bool is_listed(const struct binding *table, size_t i, unsigned context)
{
    if (!table[i].help || !(table[i].contexts & (context | CTX_ANY)) ||
        is_no_candidates(&table[i], context))
        return false;
    if (table[i].action == ACT_QUIT &&
        (context & CTX_WORDS || action_of_key(context, 'q', NULL) != ACT_QUIT))
        return false;
    for (size_t k = 0; k < i; k++)
        if (table[k].action == table[i].action && table[k].help && (table[k].contexts & context) &&
            table[i].contexts == CTX_ANY)
            return false;
    return true;
}

/* ---- drawing: a column of lines of which a window is shown ---- */

struct pen { struct rect r; int line, top; };

static void pen_head(struct pen *p, const char *text)
{
    int row = p->line++ - p->top;
    if (row >= 0 && row < p->r.h)
        draw_text(p->r.y + row, p->r.x + 1, p->r.w - 2, STYLE_BOLD, text);
}

static void pen_text(struct pen *p, int x, const char *keys, const char *text)
{
    int row = p->line - p->top, hidden = row < 0 ? -row : 0;
    struct rect r = { p->r.y + row + hidden, p->r.x + x, p->r.h - row - hidden, p->r.w - x - 1 };
    if (keys && row >= 0 && row < p->r.h)
        draw_text(p->r.y + row, p->r.x + KEYS_COLUMN, x - KEYS_COLUMN - 1, STYLE_ACCENT, keys);
    p->line += draw_wrapped(r, hidden, STYLE_PLAIN, text);
}

static int help_lines(const struct help *help, struct rect r, int top)
{
    size_t n;
    const struct binding *table = binding_table(&n);
    struct pen p = { r, 0, top };
    pen_head(&p, "KEYS");
    for (size_t i = 0; i < n; i++)
        if (is_listed(table, i, help->context))
            pen_text(&p, TEXT_COLUMN,
                     strlen(table[i].keys) < TEXT_COLUMN - KEYS_COLUMN ? table[i].keys : "a letter",
                     table[i].help);
    p.line++;
    pen_head(&p, "HOW THIS WORKS");
    for (size_t i = 0; i < sizeof how / sizeof how[0]; i++)
        if (is_how(i, help->context))
            pen_text(&p, KEYS_COLUMN, NULL, how[i].text);
    return p.line;
}

/* In the place of keys that would turn on from there. */
static void last_page_keys(const struct frame *f, bool turned)
{
    draw_textf(f->keys, 1, f->body.w - 2, STYLE_DIM, "%-*s", f->body.w - 2,
               turned ? "PgUp before  Esc back" : "Esc back");
}

static void help_draw(struct app *app, const void *self)
{
    const struct help *help = self;
    struct frame f;
    layout_frame(&f, app_rows(app), app_columns(app));
    frame_draw(app, &f, "help", CTX_HELP);
    draw_rule(f.body.y, 0, f.body.w, NULL, NULL);
    f.body.y++;
    f.body.h--;
    int lines = help_lines(help, f.body, help->top), left = lines - help->top - f.body.h;
    if (left > 0)
        draw_textf(f.rule, 2, f.body.w - 4, STYLE_DIM, " more below (%d): Down or PgDn ", left);
    else
        last_page_keys(&f, help->top > 0);
}

static int help_act(struct app *app, void *self, enum action action, int arg)
{
    struct help *help = self;
    int page = app_rows(app) - 5;
    struct rect r = { 0, 0, 0, app_columns(app) };
    (void)arg;
    if (action == ACT_BACK || action == ACT_ENTER)
        return DO_POP;
    if (action == ACT_UP || action == ACT_PAGE_UP)
        help->top -= action == ACT_UP ? 1 : page;
    if (action == ACT_DOWN || action == ACT_PAGE_DOWN)
        help->top += action == ACT_DOWN ? 1 : page;
    int most = help_lines(help, r, 0) - page - 1;
    if (help->top > most)
        help->top = most;
    if (help->top < 0)
        help->top = 0;
    return DO_REDRAW;
}

const struct screen_ops help_screen = {
    .name = "help", .context = CTX_HELP, .draw = help_draw, .act = help_act, .leave = help_leave,
};
