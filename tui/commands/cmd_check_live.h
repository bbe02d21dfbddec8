/* warpdrill check --live: the part of a check that needs a GPU behind the runner. */
#ifndef WD_TUI_CMD_CHECK_LIVE_H
#define WD_TUI_CMD_CHECK_LIVE_H

#include "scenarios/check/checker.h"
#include "scenarios/check/checker_live.h"
#include "tui/commands/cmd.h"

struct interview_session; /* the runner, opened for the first pack; NULL: not yet */
struct lived_list { struct lived *all; int n; };

/* Checks the variants of a pack that are wanted; asks for trust first. Findings go to f, summaries
 * to out (freed by the caller, all of it), progress to stderr. 0, or an exit status when nothing
 * can be checked: no trust, no GPU. */
int cmd_check_live(struct interview_session **session, const struct cmd *c, const struct pack *p,
                   check_wanted *wanted, void *ctx, struct findings *f, struct lived_list *out);
/* Did the runner leave for good in the middle? */
bool live_session_lost(const struct interview_session *s);
void live_session_free(struct interview_session *s);

/* A line for each variant. */
void lived_print(const struct lived_list *list);
json_t *lived_list_encode(const struct lived_list *list);

#endif
