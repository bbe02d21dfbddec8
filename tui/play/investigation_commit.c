/* After the shop: stakes, then the line in the source (free now), the remedy, the pushback, and the
 * wait for the truth. */
#include "tui/play/investigation_commit.h"

#include <stdio.h>
#include <string.h>

#include "tui/play/investigation_buy.h"
#include "tui/play/investigation_keys.h"
#include "tui/play/investigation_known.h"
#include "tui/play/investigation_look.h"
#include "tui/play/investigation_modes.h"
#include "tui/play/investigation_phase.h"

#define STAKES_FULL 100.0      /* points that fill one side of the bars */

/* ---- drawing ---- */

static void stake_row(int y, struct rect r, const char *label, double points)
{
    char text[16];
    int label_w = r.w >= 90 ? 40 : r.w / 2 - 5,
        middle = r.x + label_w + 8 + (r.w - label_w - 10) / 2;
    int side = (r.w - label_w - 10) / 2;
    int cells = (int)((points < 0 ? -points : points) / STAKES_FULL * side + 0.5);
    snprintf(text, sizeof text, points > -0.5 && points < 0.5 ? "0" : "%+.0f", points);
    draw_text(y, r.x + 2, label_w - 2, STYLE_PLAIN, label);
    draw_right(y, r.x + label_w + 6, 5, points <= -0.5 ? STYLE_BAD : STYLE_GOOD, text);
    if (cells > side)
        cells = side;
    draw_text(y, middle, 1, STYLE_DIM, glyph("│", "|"));
    if (points < 0)
        draw_bar(y, middle - cells, cells, 1, false, STYLE_BAD);
    else
        draw_bar(y, middle + 1, cells, 1, false, STYLE_GOOD);
}

static int most_believed(const int *points, int k, unsigned taken)
{
    int best = -1;
    for (int h = 0; h < k; h++)
        if (!(taken >> h & 1) && (best < 0 || points[h] > points[best]))
            best = h;
    return best;
}

/* What a person means by whole points: as even as these can be is even. */
static void meant(double *p, const int *points, int k)
{
    int least = points[0], most = points[0];
    for (int h = 1; h < k; h++) {
        least = points[h] < least ? points[h] : least;
        most = points[h] > most ? points[h] : most;
    }
    for (int h = 0; h < k; h++)
        p[h] = most - least <= 1 ? 1.0 / k : points[h] / 100.0;
}

static void draw_stakes(const struct investigation_screen *s, struct rect r)
{
    const struct investigation *i = state_of(s);
    int points[MAX_HYPOTHESES], k = s->story->n_hypotheses, rows = r.h;
    double p[MAX_HYPOTHESES];
    unsigned taken = 0;
    char label[96];
    double thrift = score_thrift(investigation_tested(i), i->price, i->par, i->patience);
    attempt_points(s->attempt, points);
    meant(p, points, k);
    if (rows > 3)
        draw_text(r.y + --rows, r.x + 2, r.w - 2, STYLE_DIM,
                  "an even spread is worth 0, whatever it is");
    for (int y = 0; y < rows && y < k; y++) {
        int h = most_believed(points, k, taken);
        bool rest = y == rows - 1 && k > rows;
        taken |= 1u << h;
        const char *if_it = r.w < 80 ? "" : "if it is  ";
        if (rest)
            snprintf(label, sizeof label, "%sany of the other %d", if_it, k - y);
        else
            snprintf(label, sizeof label, "%s%d %s", if_it, investigation_digit(s->story, h),
                     r.w < 80 ? s->story->hypotheses[h]->brief : s->story->hypotheses[h]->label);
        stake_row(r.y + y, r, label, score_stakes(p, k, h, thrift, story_asks_left(s->story)));
    }
}

static void draw_remedies(const struct investigation_screen *s, struct rect r)
{
    int y = r.y + 1;
    for (int k = 0; k < s->story->n_remedies && y < r.y + r.h; k++) {
        bool here = k == s->remedy;
        draw_text(y, r.x + 1, 1, STYLE_ACCENT, here ? glyph("▸", ">") : " ");
        draw_textf(y, r.x + 2, 1, STYLE_BOLD, "%d", (k + 1) % 10);
        y += draw_wrapped((struct rect){y, r.x + 5, r.y + r.h - y, r.w - 6}, 0,
                          here ? STYLE_SELECTED : STYLE_PLAIN, s->story->remedies[k].text);
    }
}

static int line_scroll(const struct investigation_screen *s, int height)
{
    int line = s->line > 0 ? s->line : 1, lines = source_lines(s), at = line - height / 2;
    if (at > lines - height)
        at = lines - height;
    return at > 0 ? at : 0;
}

static void say_draw(struct rect r, enum style style, const char *text)
{
    if (r.h > 0)
        draw_wrapped((struct rect){ r.y, r.x + 2, r.h, r.w - 4 }, 0, style, text);
}

/* On one-pane screens the words stand below the beliefs; {0} where another pane is shown. */
static struct rect words_rect(const struct investigation_screen *s, const struct layout *l)
{
    int k = s->story->n_hypotheses;
    if (l->shape != LAYOUT_PANE)
        return l->shop;
    if (l->beliefs.w == 0)
        return (struct rect){0};
    return (struct rect){ l->whole.y + k, 0, l->whole.h - k, l->whole.w };
}

void stakes_pane_draw(const struct investigation_screen *s, const struct layout *l)
{
    draw_stakes(s, words_rect(s, l));
}

void pushback_draw(const struct investigation_screen *s, const struct layout *l)
{
    const struct investigation *i = state_of(s);
    struct rect r = words_rect(s, l);
    if (i->pushback < 0 || i->pushback >= s->variant->n_pushbacks)
        say_draw(r, STYLE_PLAIN, "\"Are you sure?\"");
    else
        say_draw(r, STYLE_BOLD, s->variant->pushbacks[i->pushback].says);
}

void wait_draw(const struct investigation_screen *s, const struct layout *l)
{
    say_draw(words_rect(s, l), STYLE_PLAIN,
             state_of(s)->phase == PHASE_RESPONDED
                 ? "Your beliefs are final. The truth comes when the interviewer shows it."
                 : "Beliefs, line and fix are locked; the interviewer may still move your "
                   "beliefs.");
}

void numbers_draw(const struct investigation_screen *s, const struct layout *l)
{
    say_draw(words_rect(s, l), STYLE_PLAIN,
             "Line, fix and first beliefs are locked; the interviewer may still move your "
             "beliefs. Before that: a number that you have not said yet.");
}

struct rect cover_draw(const struct investigation_screen *s, const struct layout *l)
{
    const struct mode *m = mode_of(s);
    int top = l->shape == LAYOUT_PANE ? l->main_rule : 1 + (l->shape == LAYOUT_WIDE);
    draw_rule(top, 0, l->whole.w, story_is_harness(s->story) && m->of_harness ? m->of_harness
                                                                               : m->title,
              m->right);
    return (struct rect){top + 1, 0, l->status_rule - top - 1, l->whole.w};
}

void line_draw(const struct investigation_screen *s, const struct layout *l)
{
    struct rect r = cover_draw(s, l);
    source_draw(s, r, s->line, line_scroll(s, r.h));
}

void remedy_draw(const struct investigation_screen *s, const struct layout *l)
{
    draw_remedies(s, cover_draw(s, l));
}

void reveal_draw(const struct investigation_screen *s, const struct layout *l)
{
    cover_draw(s, l);
}

/* ---- what can be done ---- */

const char *stakes_todo(const struct investigation_screen *s, char *out, size_t size, bool brief)
{
    (void)out, (void)size;
    if (brief)
        return "What these beliefs are worth. Enter locks them.";
    return story_is_case(s->story)
               ? "What these beliefs are worth. Enter locks them; then the place and the fix."
               : "What these beliefs are worth. Enter locks them; then the line and the fix.";
}

const char *line_todo(const struct investigation_screen *s, char *out, size_t size, bool brief)
{
    if (s->number) {
        snprintf(out, size, brief ? "%s %d_   Backspace takes a digit back."
                                  : "%s %d_   Enter takes it, Backspace takes a digit back.",
                 story_is_case(s->story) ? "Number" : "Line", s->number);
        return out;
    }
    if (s->line == 0)
        return brief
                   ? "Nowhere: nothing to fix. Enter takes that."
                   : "Nowhere: there is nothing to fix. Enter takes that; the arrows go back up.";
    if (story_is_case(s->story))
        return brief
                   ? "Which of them? Enter takes it; 0: nowhere."
                   : "Which of them causes it? Enter takes this one; 0: nowhere, nothing to fix.";
    return brief ? "Which line? Enter takes it; 0: nowhere."
                 : "Which line causes it? Enter takes this one; 0: nowhere, nothing to fix.";
}

const char *remedy_todo(const struct investigation_screen *s, char *out, size_t size, bool brief)
{
    (void)s, (void)out, (void)size, (void)brief;
    return "What would you do about it?";
}

const char *wait_todo(const struct investigation_screen *s, char *out, size_t size, bool brief)
{
    (void)s, (void)out, (void)size;
    return brief ? "Say what you would do next."
                 : "Say what you would do next; the interviewer has the word.";
}

const char *pushback_todo(const struct investigation_screen *s, char *out, size_t size, bool brief)
{
    (void)out, (void)size;
    if (s->in.hooks)
        return brief ? "Move beliefs or stay; Enter: they are final."
                     : "Line and fix are locked; beliefs may still move. Enter: final.";
    return brief ? "Line, fix: locked. Move beliefs or stay; Enter ends."
                 : "Line and fix are locked; beliefs may still move. Enter ends it.";
}

const char *reveal_todo(const struct investigation_screen *s, char *out, size_t size, bool brief)
{
    (void)out, (void)size;
    if (s->wanted == WANTED_DEBRIEF)
        return "The truth is on its way.";
    if (s->in.hooks)
        return "The truth could not be had just now. Enter tries again.";
    return brief ? "No truth just now. Enter tries again, Esc: home."
                 : "The truth could not be measured just now. Enter tries again, Esc goes home.";
}

void remedy_keys(const struct investigation_screen *s, char *out, size_t size, int columns)
{
    key_line_digits(out, size, &play_remedy_keys, columns - 2, s->story->n_remedies);
}

/* ---- keys ---- */

/* Why the lock may not be meant: nothing was moved at all, or not since the newest evidence came.
 * NULL: it is. */
static const char *doubt(const struct investigation_screen *s)
{
    const struct investigation *i = state_of(s);
    int points[MAX_HYPOTHESES], even[MAX_HYPOTHESES], k = s->story->n_hypotheses;
    size_t size = (size_t)k * sizeof *points;
    attempt_points(s->attempt, points);
    belief_even(even, k);
    if (memcmp(points, even, size) == 0)
        return "Your beliefs are even.";
    return i->n_steps > 1 && memcmp(points, i->steps[i->n_steps - 2].points, size) == 0
               ? "Not moved since the last evidence."
               : NULL;
}

int stakes_act(struct app *app, struct investigation_screen *s, enum action action, int arg)
{
    if (investigation_press(app, s, action, arg) || investigation_look(app, s, action))
        return DO_REDRAW;
    if (action == ACT_ENTER && !s->locking && doubt(s)) {
        s->locking = true;
        app_say(app,
                app_columns(app) < 80 ? "%s Enter again locks."
                                      : "%s Enter again locks; Esc goes back.",
                doubt(s));
    } else if (action == ACT_ENTER) {
        struct move lock = { .kind = MOVE_COMMITTED };
        if (investigation_do(app, s, &lock) == 0)
            investigation_enter_phase(app, s);
    } else if (action == ACT_BACK)
        s->ui = UI_OPEN;
    else if (action == ACT_BUY) {
        s->ui = UI_OPEN;
        buy_letter(app, s, arg);
    } else
        return DO_NOTHING;
    return DO_REDRAW;
}

static void move_line(struct investigation_screen *s, int by)
{
    int lines = source_lines(s);
    s->line += by;
    if (s->line < 1)
        s->line = 1;
    if (s->line > lines)
        s->line = lines;
}

/* ---- a line by its number ---- */

/* The cursor goes along while the number is typed. */
static void type_number(struct app *app, struct investigation_screen *s, int digit)
{
    int number = s->number * 10 + digit, lines = source_lines(s);
    if (number > lines) {
        if (s->number)
            app_say(app, "There is no %d: the last is %d. Still %d_", number, lines, s->number);
        else
            app_say(app, "There is no %d: the last is %d.", number, lines);
        return;
    }
    if (!s->number)
        s->line_before = s->line;
    s->number = s->line = number;
}

static void erase_digit(struct investigation_screen *s)
{
    s->number /= 10;
    s->line = s->number ? s->number : s->line_before;
}

/* While a number is typed. False: the key is another's, and the number is over. */
static bool number_act(struct app *app, struct investigation_screen *s, enum action action,
                       int arg)
{
    if (action == ACT_DIGIT)
        type_number(app, s, arg);
    else if (action == ACT_ERASE)
        erase_digit(s);
    else if (action == ACT_BACK)
        s->number = 0, s->line = s->line_before;
    else if (action == ACT_FIRST || action == ACT_LAST) /* "42g", as pagers have it */
        s->number = 0;
    else
        return s->number = 0, false;
    return true;
}

int line_act(struct app *app, struct investigation_screen *s, enum action action, int arg)
{
    if (s->number && number_act(app, s, action, arg))
        return DO_REDRAW;
    switch (action) {
    case ACT_UP: move_line(s, -1); break;
    case ACT_DOWN: move_line(s, 1); break;
    case ACT_PAGE_UP: move_line(s, -10); break;
    case ACT_PAGE_DOWN: move_line(s, 10); break;
    case ACT_FIRST: move_line(s, -KEYS_FAR); break;
    case ACT_LAST: move_line(s, KEYS_FAR); break;
    case ACT_LEFT: case ACT_RIGHT: investigation_shift(s, action); break;
    case ACT_DIGIT:
        if (arg != 0)
            type_number(app, s, arg);
        else
            s->line = 0;
        break;
    case ACT_ENTER: s->ui = UI_REMEDY; break;
    case ACT_BACK: return investigation_home(app, s);
    default: return DO_NOTHING;
    }
    return DO_REDRAW;
}

void commit_all(struct app *app, struct investigation_screen *s)
{
    struct move m = { .kind = MOVE_COMMITTED, .line = s->line };
    snprintf(m.remedy, sizeof m.remedy, "%s", s->story->remedies[s->remedy].id);
    if (s->then >= 0)
        snprintf(m.then, sizeof m.then, "%s", s->story->hypotheses[s->then]->id);
    if (investigation_do(app, s, &m) == 0)
        investigation_enter_phase(app, s);
}

int remedy_act(struct app *app, struct investigation_screen *s, enum action action, int arg)
{
    int n = s->story->n_remedies, k = arg == 0 ? 9 : arg - 1;
    if (action == ACT_DIGIT && k < n)
        s->remedy = k;
    else if (action == ACT_DIGIT)
        app_say(app, "There are %d to choose from.", n);
    else if (action == ACT_DOWN)
        s->remedy = s->remedy + 1 < n ? s->remedy + 1 : s->remedy;
    else if (action == ACT_UP)
        s->remedy = s->remedy > 0 ? s->remedy - 1 : 0;
    else if (action == ACT_BACK)
        s->ui = UI_LINE;
    else if (action == ACT_ENTER && s->remedy >= 0 && story_asks_left(s->story))
        s->ui = UI_THEN;
    else if (action == ACT_ENTER && s->remedy >= 0)
        commit_all(app, s);
    else if (action == ACT_ENTER)
        app_say(app, "Choose one with its digit first.");
    else
        return DO_NOTHING;
    return DO_REDRAW;
}

int pushback_act(struct app *app, struct investigation_screen *s, enum action action, int arg)
{
    if (investigation_press(app, s, action, arg) || investigation_look(app, s, action))
        return DO_REDRAW;
    if (action == ACT_UNDO)
        attempt_unpress(s->attempt);
    else if (action == ACT_ENTER) {
        struct move m = { .kind = MOVE_RESPONDED };
        attempt_fill_beliefs(s->attempt, &m);
        if (investigation_do(app, s, &m) == 0)
            investigation_enter_phase(app, s);
    } else if (action == ACT_BACK)
        return investigation_home(app, s);
    else
        return DO_NOTHING;
    return DO_REDRAW;
}

int numbers_act(struct app *app, struct investigation_screen *s, enum action action, int arg)
{
    (void)app, (void)s, (void)action, (void)arg;
    return DO_NOTHING;
}

int wait_act(struct app *app, struct investigation_screen *s, enum action action, int arg)
{
    (void)arg;
    if (action == ACT_BACK)
        return investigation_home(app, s);
    return investigation_look(app, s, action) ? DO_REDRAW : DO_NOTHING;
}

int reveal_act(struct app *app, struct investigation_screen *s, enum action action, int arg)
{
    (void)arg;
    if (action == ACT_BACK)
        return s->in.hooks ? investigation_home(app, s) : DO_POP;
    if (action == ACT_ENTER && s->wanted == WANTED_NOTHING)
        s->reveal_due = true;
    return DO_REDRAW;
}
