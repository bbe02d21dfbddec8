/* Everything the screens do is also a command: data to stdout, messages to stderr, exit 0, 1
 * failure, 2 usage.
 *
 * In: a command line that was read (options.c). Out: an exit status. Callers: main.c, which has
 * the table. First to open: commands.h, the list; then main.c, and the cmd_*.c of the command in
 * question. What follows is what they share. */
#ifndef WD_TUI_CMD_H
#define WD_TUI_CMD_H

#include <jansson.h>

#include "db/store.h"
#include "scenarios/library/catalog.h"
#include "scenarios/supply/client.h"
#include "scenarios/evidence/evidence.h"
#include "tui/app/defaults.h"

enum { CMD_OK = 0, CMD_FAILED = 1, CMD_USAGE = 2 };

struct cmd {
    const char *db, *runner, *tier, *gpu, *script, *answer, *seeds, *format, *out, *set, *from,
        *passphrase_file, *name, *like, *minutes, *rubric, *guest, *key, *key_line, *delete, *speed,
        *at, *width, *fill, *place, *folder, *back, *diff, *arch,
        *good, *bad; /* NULL: not given */
    const char **packs; int n_packs;
    bool json, seeded, dry_run, again, replace, keep_good, list, strict, live, trust, compile,
        no_compile, no_evidence, suggest, library, help, share, resume, no_wall, start, curtain,
        truth, ascii, once, sanitize;
    struct {
        const char *kind, *kernel, *title, *cause, *outputs, *level, *grid, *block;
        bool yes;
    } draft; /* what `new` would ask */
    uint64_t seed;
    const char **args; int n_args;                  /* after the command's name */
};

/* The terminal interface (interface.c): home, or one thing to play, or an interview. An exit
 * status. */
struct host_options;
int cmd_tui(const struct cmd *c, const char *play, const struct host_options *host);

/* The progress of --db, its projections up to date. create: to write, an empty one where there is
 * none; else that is a failure, and what can be read and not written is opened for reading. 0 or an
 * exit status. */
int cmd_store(struct store **out, const struct cmd *c, bool create);

/* To stderr, all lines of it: a failure, or a command line that cannot be meant; they return
 * CMD_FAILED and CMD_USAGE. */
int cmd_fail(const struct err *err);
int cmd_misuse(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* There is no drill of that id; CMD_FAILED (cmd_drill.c). */
int cmd_no_drill(const char *id);

/* The packs, and the variant that ID names; a story of several variants needs the variant's letter
 * or --seed, which also says how a drawn case is drawn (else 0). 0 or an exit status. */
int cmd_catalog(struct catalog **out, const struct cmd *c);
/* The packs that may hold this scenario, all where none does (catalog_open_for). */
int cmd_catalog_for(struct catalog **out, const struct cmd *c, const char *id);
int cmd_variant(const struct variant **out, struct catalog *catalog, const struct cmd *c,
                const char *id);

/* PACK is a folder, or the id of a pack that is found by itself. The pack is the caller's. */
int cmd_pack(struct pack **out, const struct cmd *c, const char *name);
/* The sealed pack opened in memory, by the passphrase of --passphrase-file or its variable, else
 * asked for; the caller's (cmd_seal.c). Public files that were changed since are named on stderr.
 */
int cmd_open_sealed(struct pack **out, const struct pack *sealed, const struct cmd *c);
/* Puts the open twin in the place of a sealed variant; its pack goes to *opened, which the caller
 * frees in any case. Without `ask` only where a file with the passphrase is named; else *v stays
 * sealed. */
int cmd_open_variant(const struct variant **v, struct pack **opened, const struct cmd *c, bool ask);
/* Is id "transposed-copy" or "transposed-copy/a", with or without the pack's id in front? */
bool cmd_is_named(const struct variant *v, const char *id);
bool cmd_names_something(const struct pack *p, const char *id);
/* Says that it has no such scenario, and which it has; returns CMD_MISUSE. */
int cmd_no_scenario(const struct pack *p, const char *id);
/* Before anything of the pack is run on a GPU (cmd_trust.c): CMD_OK for what came with warpdrill,
 * what --trust was given for, and what a person said yes to, now or before; else an exit status,
 * and why was said. */
int cmd_trust(const struct cmd *c, const struct pack *p);
/* The same for other code: an id for the list of answers, words for people, the folder. */
int cmd_trust_code(const struct cmd *c, const char *id, const char *title, const char *folder);

/* Calls fn for the variants that the arguments after PACK name (all, when there are none);
 * CMD_FAILED when one did not end well. */
int cmd_each_variant(const struct cmd *c, const struct pack *p,
                     int (*fn)(void *ctx, const struct variant *v), void *ctx);

/* Starts the runner and asks what GPU is there; progress goes to stderr. ceilings as in the
 * protocol. The device is the caller's. */
int cmd_connect(struct client **client, struct msg_device *device, const struct cmd *c,
                const char *ceilings, struct err *err);

/* Asks once more; what *device held is freed. */
int cmd_describe(struct client *client, struct msg_device *device, const char *ceilings,
                 struct err *err);

/* Links between so many GPUs there, measured where nobody did (`again`: in any case); progress goes
 * to stderr. */
int cmd_measure_links(struct client *client, int gpus, bool again, struct msg_links *links,
                      struct err *err);

/* The interview that ID names, else the newest, for reading (cmd_report.c); the caller's. 0 or an
 * exit status. */
struct interview;
int cmd_session(struct interview **out, const struct cmd *c);

/* May its truth be shown? Not before it is over, unless --truth was given. 0 or an exit status, and
 * why was said. */
int cmd_truth(const struct interview *live, const struct cmd *c);

/* JSON to stdout, sorted and indented; takes the reference. */
void cmd_print_json(json_t *value);

#endif
