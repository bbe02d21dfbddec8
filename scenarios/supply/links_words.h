/* What was measured of a host's links, in words: for doctor, the command and the GPU's page. */
#ifndef WD_SCENARIOS_LINKS_WORDS_H
#define WD_SCENARIOS_LINKS_WORDS_H

#include "kernels/wire/links.h"

enum { LINKS_ROWS = 4 };
struct links_row { char name[24], text[160]; bool there; };

/* A row each for peer copies, staged copies, pinned copies and all-reduces, of several the worst; a
 * row says what is missing where it is. How many: LINKS_ROWS, or 0 where nothing was measured. */
int links_rows(struct links_row out[LINKS_ROWS], const struct msg_links *l);

/* "2 GPUs, driver 580.159.04, NCCL 2.28.3, 2026-11-28". */
void links_where(char *out, size_t size, const struct msg_links *l);

#endif
