/* The runner as a screen sees it, and whose recordings stand in for it. */
#ifndef WD_TUI_APP_RUNNER_H
#define WD_TUI_APP_RUNNER_H

#include "tui/app/app.h"

struct client *app_client(struct app *app);                 /* NULL: no runner */
struct client *app_compiler(struct app *app);               /* gpu_compiler of its runner */
const struct msg_device *app_device(const struct app *app); /* NULL: no GPU described yet */
const char *app_gpu_state(const struct app *app); /* one sentence for row 1: "no GPU here: recorded
                                                     evidence", "NVIDIA H200, live" */
/* Whose recordings are played ("nvidia-h200"), kept in the store; "": each variant's first. */
void app_recorded_gpu(struct app *app, char out[64]);
void app_use_runner(
    struct app *app,
    const char *command); /* starts (or changes) the runner; "" or NULL as gpu_use says */
struct gpu;
const struct gpu *app_gpu(
    const struct app *app); /* everything about the runner (gpu.h), for the GPU screen */

#endif
