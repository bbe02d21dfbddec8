/* The areas of doctor's report; each adds findings. */
#ifndef WD_TUI_DOCTOR_AREAS_H
#define WD_TUI_DOCTOR_AREAS_H

#include "tui/commands/doctor.h"

/* ---- this side (doctor_here.c) ---- */
void doctor_packs(struct doctor *d);       /* first: the tiers need to know what is recorded */
void doctor_caches(struct doctor *d);
void doctor_store(struct doctor *d);
void doctor_terminal(struct doctor *d);

/* ---- the runner's side (doctor_gpu.c); ends within 15 s, and 4 s for a runner that will not go
 * ---- */
void doctor_gpu(struct doctor *d);

#endif
