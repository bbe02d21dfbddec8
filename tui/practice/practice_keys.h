/* Keys of drills and cards, a list for each stage. */
#ifndef WD_TUI_PRACTICE_KEYS_H
#define WD_TUI_PRACTICE_KEYS_H

#include "tui/kit/keys.h"

extern const struct key_list
    practice_typed_keys /* a drill whose answer is typed */, practice_drill_choice_keys,
    practice_solved_keys, practice_choice_keys, practice_number_keys, practice_cloze_keys,
    practice_recall_keys, practice_grading_keys, practice_answered_keys,
    practice_sitting_keys /* its end */;

#endif
