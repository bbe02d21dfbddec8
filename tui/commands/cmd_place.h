/* Folders of scenarios on the command line. */
#ifndef WD_TUI_CMD_PLACE_H
#define WD_TUI_CMD_PLACE_H

#include "tui/commands/cmd.h"

/* The pack that a folder is or lies in, at most two levels above it (STORY, STORY/VARIANT), as a
 * person in this folder writes it, and what the folder is called in the pack: "" for the pack
 * itself, else "turned-rows" or "turned-rows/a". Both malloc'd; false, and neither made: there is
 * no such folder, or no pack above it. */
bool cmd_pack_above(char **pack, char **inside, const char *folder);
/* Is there a pack.yaml in the folder? */
bool cmd_holds_manifest(const char *folder);

/* Where the first argument is no scenario that is found, and the folder of one: its pack is looked
 * at before all others, and the argument becomes its id. What the two then point at are *pack and
 * *id, which are the caller's; NULL where nothing was done. CMD_OK, or an exit status and why was
 * said. */
int cmd_take_folder(struct cmd *c, char **pack, char **id);

#endif
