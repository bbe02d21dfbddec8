/* "Use a GPU": what is here, tier by tier, and the command that starts a runner elsewhere. */
#ifndef WD_TUI_GPU_SCREEN_H
#define WD_TUI_GPU_SCREEN_H

#include "tui/app/app.h"

extern const struct screen_ops gpu_screen;

void gpu_open(struct app *app);

#endif
