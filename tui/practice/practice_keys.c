/* Keys of drills and cards, stage by stage. */
#include "tui/practice/practice_keys.h"

#include "tui/app/help.h"

#define HOW_IT_COMES_BACK \
    "What you know comes back ever later, when you are about to forget it as often as options " \
    "allow; what you missed comes back the same day. Before an interview everything seen comes " \
    "once more."
#define HOW_A_DRILL_COUNTS \
    "A drill is right within its tolerance: 1 point. Close, within a factor of three, is worth " \
    "0.8 and less; a known mistake is named. A hint takes a quarter of the points. The clock is " \
    "noted, not graded. u takes an answer back.", \
    "An interval such as \"4 to 6 ms, 80 %\" is graded by the interval rule: the narrower the " \
    "better, but to miss costs more the surer you said you were, at most the one point that " \
    "there is. Say 80 % where 8 of 10 such intervals hold the truth; without a share 80 % is taken."
#define HOW_A_CARD_COUNTS \
    "A card that the program can check is right or wrong. One in your own words you grade " \
    "yourself: 1 again, not known, comes back in minutes; 2 hard, known with trouble; 3 good, " \
    "known; 4 easy, known at once, comes back latest. Beside each stands when."

static const char *const drill_how[] = {
    HOW_A_DRILL_COUNTS,
    HOW_IT_COMES_BACK,
    help_how_numbers,
    NULL,
};

static const char *const card_how[] = {
    HOW_A_CARD_COUNTS,
    HOW_IT_COMES_BACK,
    NULL,
};

static const char *const sitting_how[] = {
    HOW_A_DRILL_COUNTS,
    HOW_A_CARD_COUNTS,
    HOW_IT_COMES_BACK,
    NULL,
};

static const struct binding paging_rows[] = {
    {ACT_UP, "Up", NULL, "a line up, where the page is longer than the screen"},
    {ACT_DOWN, "Down", NULL, "a line down"},
    KEYS_PAGES,
    {ACT_BACK, "Esc", "back", "back; what was answered is kept"},
};

static const struct key_list paging = {KEY_ROWS(paging_rows)};

static const struct binding undo_rows[] = {
    {ACT_UNDO, "u", "undo",
     "take the last answer back and be asked again; the solution was seen, so the grade gets no "
     "better"},
};

static const struct key_list undo_and_paging = {KEY_ROWS(undo_rows), .more = &paging};

/* Where letters are no text. */
static const struct binding find_rows[] = {KEYS_FIND};
static const struct key_list find_undo_and_paging = {KEY_ROWS(find_rows),
                                                     .more = &undo_and_paging};

static const struct binding typed_rows[] = {
    {ACT_ENTER, "Enter", "answer",
     "grade what was typed; on an empty line, twice, skip: skipping is not lying"},
    {ACT_HINT, "h Tab", "hint (-25 %)",
     "a hint; a right answer is worth a quarter less then, and comes back sooner"},
};
const struct key_list practice_typed_keys = {
    KEY_ROWS(typed_rows),
    .more = &undo_and_paging,
    .how = drill_how,
};

static const struct binding drill_choice_rows[] = {
    {ACT_DIGIT, "1-6", "choose", "choose an answer, where there are several"},
    {ACT_ENTER, "Enter", "skip", "twice: skip it; skipping is not lying"},
    {ACT_HINT, "h Tab", "hint (-25 %)",
     "a hint; a right answer is worth a quarter less then, and comes back sooner"},
};
const struct key_list practice_drill_choice_keys = {
    KEY_ROWS(drill_choice_rows),
    .more = &find_undo_and_paging,
    .how = drill_how,
};

static const struct binding solved_rows[] = {
    {ACT_ENTER, "Enter n", "next", "the next one"},
    {ACT_AGAIN, "r", "other numbers", "the same drill with other numbers; that one is not counted"},
};
const struct key_list practice_solved_keys = {
    KEY_ROWS(solved_rows),
    .more = &find_undo_and_paging,
    .how = drill_how,
};

static const struct binding choice_rows[] = {
    {ACT_DIGIT, "1-6", "choose", "choose an answer, where there are several"},
    {ACT_ENTER, "Enter", "skip", "twice: skip it; skipping is not lying"},
};
const struct key_list practice_choice_keys = {
    KEY_ROWS(choice_rows),
    .more = &find_undo_and_paging,
    .how = card_how,
};

static const struct binding number_rows[] = {
    {ACT_ENTER, "Enter", "answer", "show the answer; empty: you did not know"},
};
const struct key_list practice_number_keys = {
    KEY_ROWS(number_rows),
    .more = &paging,
    .how = card_how,
};

const struct key_list practice_cloze_keys = {
    KEY_ROWS(number_rows),
    .more = &paging,
    .how = card_how,
    .words = true,
};

static const struct binding recall_rows[] = {
    {ACT_NONE, "Tab Ctrl-D", "done", "the text is done; Enter begins a new line"},
    {ACT_NONE, "Ctrl-G", "$EDITOR", "the text in $VISUAL or $EDITOR"},
    {ACT_NONE, "Ctrl-/", "undo", "take back; a paste is one step"},
    {ACT_NONE, "Ctrl-R", "redo", "do again what was taken back"},
    {ACT_NONE, "Esc", "back", "back; what is written is kept for the next time"},
    {ACT_HELP, "F1", "help", "this list; ? too, while nothing is written"},
};
const struct key_list practice_recall_keys = {
    KEY_ROWS(recall_rows),
    .how = card_how,
    .words = true,
};

static const struct binding grading_rows[] = {
    {ACT_DIGIT, "1-4", "grade",
     "1 again, 2 hard, 3 good, 4 easy; beside each stands when it comes back"},
};
const struct key_list practice_grading_keys = {
    KEY_ROWS(grading_rows),
    .more = &find_undo_and_paging,
    .how = card_how,
};

static const struct binding answered_rows[] = {
    {ACT_ENTER, "Enter n", "next", "the next one"},
};
const struct key_list practice_answered_keys = {
    KEY_ROWS(answered_rows),
    .more = &find_undo_and_paging,
    .how = card_how,
};

static const struct binding sitting_rows[] = {
    {ACT_ENTER, "Enter", "back", "back; everything is kept"},
    {ACT_NEXT, "n", "more", "one more: what is still being learned, then something new"},
    {ACT_UNDO, "u", "undo",
     "take the last answer back and be asked again; the solution was seen, so the grade gets no "
     "better"},
    {ACT_BACK, "Esc", "back", "back; what was answered is kept"},
    KEYS_FIND,
};
const struct key_list practice_sitting_keys = {
    KEY_ROWS(sitting_rows),
    .how = sitting_how,
};
