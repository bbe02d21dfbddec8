/* What the parts of `mend` share: cmd_mend.c watches, cmd_mend_say.c prints, cmd_mend_arch.c does
 * without a GPU. */
#ifndef WD_TUI_CMD_MEND_H
#define WD_TUI_CMD_MEND_H

#include "scenarios/evidence/request.h"
#include "scenarios/mend/mend.h"
#include "scenarios/mend/mend_judge.h"
#include "scenarios/mend/mend_kept.h"
#include "tui/commands/cmd.h"

struct mending {
    const struct cmd *c;
    struct store *store;
    struct catalog *catalog;
    struct pack *opened;         /* of a sealed one; else NULL */
    const struct variant *v;
    struct mend_place place;
    struct mend_tries tries;     /* the one that is told among them */
    struct client *client;       /* NULL: none yet */
    struct msg_device device;
};

/* The verdict of the newest try: what it is, its bars, what changed since the one before. */
void mend_print_verdict(const struct mending *m, const struct mend_verdict *v);
/* One object on one line, at once; takes the reference. */
void mend_print_json(json_t *value);

/* Compiles the file for --arch; an exit status. */
int mend_compile(struct mending *m);

#endif
