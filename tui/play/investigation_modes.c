#include "tui/play/investigation_modes.h"

#include "tui/play/investigation_act.h"
#include "tui/play/investigation_commit.h"
#include "tui/play/investigation_draw.h"
#include "tui/play/investigation_estimate.h"
#include "tui/play/investigation_foot.h"
#include "tui/play/investigation_keys.h"
#include "tui/play/investigation_list.h"
#include "tui/play/investigation_naming.h"
#include "tui/play/investigation_then.h"

#define SHOP .title = "ASK OR BUY", .right = "price in minutes of patience"
#define LIST .keys = &play_open_keys, .asked = &play_asked_keys, .key_line = list_keys, \
             .todo = list_todo, .act = investigation_act_list, .typed = estimate_typed, SHOP, \
             .pane = PANE_KNOWN, .has_pane = true, .lists = true
#define LOCKED "beliefs are locked until the interviewer has spoken"

const struct mode investigation_modes[] = {
    [UI_OPEN] = {.doing = "choosing", .keys = &play_open_keys, .asked = &play_asked_keys,
                 .todo = investigation_open_todo, .act = investigation_act_open,
                 .typed = estimate_typed, SHOP, .way_on = "Enter commit  ",
                 .turns = true, .believes = true},
    [UI_NAMING] = {.doing = "naming causes", .keys = &play_naming_keys, .todo = naming_todo,
                   .act = investigation_act_open, .typed = naming_typed,
                   .draw = investigation_draw_editor, .title = "WHICH CAUSES ARE POSSIBLE?",
                   .pane = PANE_NAMING, .has_pane = true, .writes = true, .hides_causes = true},
    [UI_QUESTIONS] = {.doing = "choosing a question", LIST},
    [UI_EXPERIMENTS] = {.doing = "choosing", LIST},
    [UI_NOTE] = {.doing = "writing", .keys = &play_note_keys, .asked = &play_asked_note_keys,
                 .todo = investigation_note_todo, .act = investigation_act_open,
                 .typed = investigation_note_typed, .draw = investigation_draw_editor,
                 .title = "YOUR NOTES", .pane = PANE_SHOP, .has_pane = true, .writes = true},
    [UI_STAKES] = {.doing = "looking at the stakes", .keys = &play_stakes_keys,
                   .todo = stakes_todo, .act = stakes_act, .typed = estimate_typed,
                   .draw = stakes_pane_draw, .title = "COMMIT",
                   .right = "cause and evidence together", .turns = true},
    [UI_LINE] = {.doing = "choosing the line", .keys = &play_line_keys,
                 .asked = &play_asked_line_keys, .todo = line_todo, .act = line_act,
                 .typed = estimate_typed, .draw = line_draw, .title = "WHERE IS IT",
                 .right = LOCKED, .covers = true},
    [UI_REMEDY] = {.doing = "choosing the fix", .keys = &play_remedy_keys,
                   .key_line = remedy_keys, .todo = remedy_todo, .act = remedy_act,
                   .typed = estimate_typed, .draw = remedy_draw,
                   .title = "HOW WOULD YOU FIX IT",
                   .of_harness = "WHICH CLAIM SURVIVES", .right = LOCKED, .covers = true},
    [UI_THEN] = {.doing = "choosing what is left", .keys = &play_then_keys, .todo = then_todo,
                 .act = then_act, .typed = estimate_typed, .draw = then_draw,
                 .title = "AND WHAT IS LEFT THEN", .right = LOCKED, .covers = true},
    [UI_NUMBERS] = {.doing = "choosing", .keys = &play_open_keys, .asked = &play_asked_keys,
                    .todo = investigation_open_todo, .act = numbers_act,
                    .typed = estimate_typed, .draw = numbers_draw, .title = "THE INTERVIEWER",
                    .pane = PANE_BELIEFS, .has_pane = true},
    [UI_WAIT] = {.doing = "waiting for you", .keys = &play_wait_keys, .todo = wait_todo,
                 .act = wait_act, .typed = estimate_typed, .draw = wait_draw,
                 .title = "THE INTERVIEWER", .way_on = "", .turns = true},
    [UI_PUSHBACK] = {.doing = "answering the pushback", .keys = &play_pushback_keys,
                     .asked = &play_asked_pushback_keys, .todo = pushback_todo,
                     .act = pushback_act, .typed = estimate_typed, .draw = pushback_draw,
                     .title = "THE INTERVIEWER",
                     .way_on = "Enter final answer  ", .turns = true, .believes = true,
                     .final = true},
    [UI_REVEAL] = {.doing = "waiting for the truth", .keys = &play_reveal_keys,
                   .asked = &play_asked_reveal_keys, .todo = reveal_todo, .act = reveal_act,
                   .typed = estimate_typed, .draw = reveal_draw, .title = "THE TRUTH",
                   .covers = true},
};
