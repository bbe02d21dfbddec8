/* Key lists of the investigation, one for each of its modes; `asked`: in an interview. */
#ifndef WD_TUI_INVESTIGATION_KEYS_H
#define WD_TUI_INVESTIGATION_KEYS_H

#include "tui/kit/keys.h"

extern const struct key_list play_open_keys, play_asked_keys, play_naming_keys, play_note_keys,
    play_asked_note_keys, play_stakes_keys, play_line_keys, play_asked_line_keys, play_remedy_keys,
    play_then_keys, play_wait_keys, play_pushback_keys, play_asked_pushback_keys, play_reveal_keys,
    play_asked_reveal_keys;

extern const char *const play_how[]; /* of help, while a scenario is played */

#endif
