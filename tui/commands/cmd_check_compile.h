/* The part of `warpdrill check` that compiles: starts a runner when the first variant comes, and
 * keeps it for all packs. */
#ifndef WD_TUI_CMD_CHECK_COMPILE_H
#define WD_TUI_CMD_CHECK_COMPILE_H

#include "scenarios/check/checker_compile.h"
#include "tui/commands/cmd.h"

struct kernel_check;

/* NULL with --no-compile; the functions below take it and do nothing. */
struct kernel_check *kernel_check_new(const struct cmd *c, compile_progress *progress, void *ctx);
void kernel_check_free(struct kernel_check *k);
void kernel_check_variant(struct kernel_check *k, struct findings *f, const struct variant *v);

/* In one line each: what was compiled, to stdout; what was not and why, to stderr. CMD_FAILED when
 * --compile was given and something was not. */
int kernel_check_say(const struct kernel_check *k);
/* {nvrtc, images, arch, skipped} or {missing}; null with --no-compile. New reference. */
json_t *kernel_check_encode(const struct kernel_check *k);

#endif
