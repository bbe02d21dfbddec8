/* Machine code in, its listing out, by NVIDIA's nvdisasm of this machine. Blocks for as long as
 * that takes, 10 s at most. */
#ifndef WD_SCENARIOS_MEND_SASS_H
#define WD_SCENARIOS_MEND_SASS_H

#include "kernels/wire/err.h"

/* `cubin` in base64, as the runner sends it. *out is malloc'd, NULL after a failure: ERR_MISSING
 * without an nvdisasm (tool.h), ERR_UNSUPPORTED where it fails. What it is given lies in memory; it
 * may open no socket and change no file but temporary ones. */
int mend_sass_list(char **out, const char *cubin, struct err *err);

#endif
