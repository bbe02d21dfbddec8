/* One function for each command; main.c has the table that calls them. Each returns an exit status.
 */
#ifndef WD_TUI_COMMANDS_H
#define WD_TUI_COMMANDS_H

#include "tui/commands/cmd.h"

int cmd_list(const struct cmd *c);
int cmd_probe(const struct cmd *c);
int cmd_preview(const struct cmd *c);            /* a scenario for its author */
int cmd_grade(const struct cmd *c);
int cmd_new(const struct cmd *c);
int cmd_pack_shelf(const struct cmd *c);        /* pack add, list, remove */
int cmd_record(const struct cmd *c);
int cmd_record_drills(const struct cmd *c);     /* what drills are graded against */
int cmd_check(const struct cmd *c);
int cmd_links(const struct cmd *c);
int cmd_doctor(const struct cmd *c);
int cmd_drill(const struct cmd *c);
int cmd_figure(const struct cmd *c);
int cmd_export(const struct cmd *c);
int cmd_import(const struct cmd *c);
int cmd_backup(const struct cmd *c);
int cmd_restore(const struct cmd *c);
int cmd_cards(const struct cmd *c);
int cmd_sheet(const struct cmd *c);
int cmd_seal(const struct cmd *c);
int cmd_unseal(const struct cmd *c);
int cmd_join(const struct cmd *c);
int cmd_host(const struct cmd *c);
int cmd_report(const struct cmd *c);
int cmd_replay(const struct cmd *c);
int cmd_mend(const struct cmd *c);
int cmd_write(const struct cmd *c);

#endif
