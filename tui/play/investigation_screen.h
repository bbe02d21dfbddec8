/* The investigation's screen: what its parts know, and who does what. Each part has its header.
 *
 *   investigation_screen.c  life: opening, ticking, saving, leaving; the table of functions
 *   investigation_state.c   questions to what the parts know, and what makes a move
 *   investigation_modes.c   the table of modes: what each shows, and which keys it has
 *   investigation_keys.c    the key lists of the modes
 *   investigation_act.c     keys while the shop is open
 *   investigation_look.c    keys that look and believe, alike in several modes
 *   investigation_find.c    what / searches
 *   investigation_phase.c   the mode that a phase begins with
 *   investigation_naming.c  the question which causes are possible
 *   investigation_buy.c     purchases: call, measuring, arrival; the symptom; the reveal
 *   investigation_estimate.c  estimates: what is taken of what was typed
 *   investigation_question.c  their question and field, drawn
 *   investigation_place.c   where the parts stand
 *   investigation_draw.c    the frame: title, beliefs, rules between panes
 *   investigation_symptom.c  the story, and below it what is slow
 *   investigation_foot.c    the last rows: what was spent, what to do, keys
 *   investigation_known.c   the right pane: notebook, charts, source, explanations
 *   investigation_list.c    the lists of questions, experiments and checks
 *   investigation_shop.c    the shop
 *   investigation_steps.c   the timeline of a step of several launches
 *   investigation_commit.c  stakes, line, remedy, pushback
 *   hooks.c                 what an interview changes, asked of it
 */
#ifndef WD_TUI_INVESTIGATION_SCREEN_H
#define WD_TUI_INVESTIGATION_SCREEN_H

#include "tui/play/investigation_state.h"

/* Opens the screen; takes the supply over, and without hooks the attempt. no_supply: why there is
 * none, else "". begin: what `v` of the debrief begins; NULL with hooks. */
void investigation_push(struct app *app, struct attempt *a, struct supply *supply,
                        const char *no_supply, const struct play_hooks *hooks, play_begin *begin);

extern const struct screen_ops investigation_screen;

#endif
