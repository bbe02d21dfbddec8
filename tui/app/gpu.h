/* The one runner of this program: started, asked what it is, its state in words. Never blocks;
 * events come through the loop. */
#ifndef WD_TUI_GPU_H
#define WD_TUI_GPU_H

#include <poll.h>
#include <stdbool.h>

#include "scenarios/supply/client.h"

struct gpu;

enum gpu_state {
    GPU_NONE /* no command was given or found */,
    GPU_LOOKING,
    GPU_READY,
    GPU_ABSENT /* asked, and there is none */,
    GPU_LOST /* was ready, then the link died; who measures on it may connect again (client_again)
              */
};

struct gpu *gpu_new(void);
void gpu_free(struct gpu *g);

/* Ends the runner before it, without waiting, and starts `command`; "": only ends; NULL: only ends,
 * and gpu_command stays. */
void gpu_use(struct gpu *g, const char *command);

enum gpu_state gpu_state(const struct gpu *g);
struct client *gpu_client(struct gpu *g);                  /* NULL unless READY */
const struct msg_device *gpu_device(
    const struct gpu *g); /* NULL unless READY; the struct stays until gpu_use */
const char *gpu_command(const struct gpu *g);              /* "" when there is none */
const char *gpu_sentence(const struct gpu *g);             /* for row 1 */
const char *gpu_say(
    const struct gpu *g); /* the newest news: state, progress, why not; "" at first */
const char *gpu_greeting(
    const struct gpu *g); /* what a login shell said before the runner; "" when nothing */
const char *gpu_log(const struct gpu *g);
bool gpu_progress(const struct gpu *g, int *at, int *of);  /* while looking */

/* ---- for the loop ---- */
int gpu_fds(const struct gpu *g, struct pollfd *fds, int max);
int gpu_timeout_ms(const struct gpu *g);
void gpu_step(struct gpu *g);
/* The next event, after what concerns the state was taken from it; borrowed as client_event says.
 */
bool gpu_event(struct gpu *g, struct client_event *out);

#endif
