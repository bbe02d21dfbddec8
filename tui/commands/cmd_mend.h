/* What the parts of `mend` share: cmd_mend.c watches, cmd_mend_say.c prints a verdict,
 * cmd_mend_tries.c does with what is kept, cmd_write.c what is to be written from nothing,
 * cmd_mend_arch.c without a GPU, cmd_mend_code.c the code that a compiler makes. */
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
    struct mend_tries tries;
    char uid[MEND_UID];          /* of the try that is told among them */
    struct client *client;       /* NULL: none yet */
    struct msg_device device;
};

/* The verdict of the try m->uid: what it is, its bars, what changed since the one before. */
void mend_print_verdict(const struct mending *m, const struct mend_verdict *v);
/* One object on one line, at once; takes the reference. */
void mend_print_json(json_t *value);

/* What is done with the tries that are kept (cmd_mend_tries.c); exit statuses: shows them, puts one
 * back, tells two texts apart. */
int mend_list(const struct mending *m);
int mend_take_back(struct mending *m);
int mend_compare(struct mending *m);

/* What was diagnosed and can be mended (cmd_mend_path.c); an exit status. */
int mend_path_list(const struct cmd *c);

/* What is to be written from nothing (cmd_write.c); exit statuses: all tasks with how far one is,
 * the next step of help, the best with its lesson. */
int write_list(const struct cmd *c);
int write_help(struct mending *m);

/* The file under compute-sanitizer, once the runner is there (cmd_mend_sanitize.c); an exit status:
 * did it find nothing? */
int mend_sanitize(struct mending *m);

/* What was made of a text and of what it is held against; either may be NULL, `word`: "fix". Its
 * listings are laid beside the text. Into an object: "ptx", "sass", "sass_missing", "listings". */
struct mend_code {
    const struct mend_place *place;
    const struct msg_compiled *mine, *other;
    const char *word;
};
void mend_code_print(const struct mend_code *c);
void mend_code_json(json_t *into, const struct mend_code *c);

/* Compiles the file for --arch; an exit status. */
int mend_compile(struct mending *m);

#endif
