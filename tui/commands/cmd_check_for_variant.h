/* What `check --for` says of one variant on all GPUs, as lines. */
#ifndef WD_TUI_CMD_CHECK_FOR_VARIANT_H
#define WD_TUI_CMD_CHECK_FOR_VARIANT_H

#include <jansson.h>
#include <stddef.h>

/* What is true of the variant that begins at *at of `sizes` (those of --json), which goes behind
 * it: "  for 14 GPUs" and a line a fact. The caller frees it. */
char *check_for_variant(const json_t *sizes, size_t *at);

#endif
