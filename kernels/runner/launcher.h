/* The only process beside the supervisor that starts programs: the worker forks it before it gives
 * that up. It knows two programs, NVIDIA's nvdisasm and compute-sanitizer, looks for them itself,
 * and runs one at a time. Whoever takes the worker over can have it run these, on descriptors of
 * the worker, and nothing else. */
#ifndef WD_RUNNER_LAUNCHER_H
#define WD_RUNNER_LAUNCHER_H

#include <stdbool.h>

#include "kernels/wire/err.h"

struct launcher;

enum launch_program { LAUNCH_NVDISASM, LAUNCH_SANITIZER };
struct launch {
    enum launch_program program;
    char tool[16];  /* compute-sanitizer's: memcheck, racecheck, initcheck or synccheck */
    int input;      /* descriptors of the caller: what the program works on, */
    int output;     /* and where it prints to */
};

/* Forks it. `channel` is a descriptor of the caller that it must not keep. NULL with the reason in
 * err. */
struct launcher *launcher_new(int channel, struct err *err);
void launcher_free(struct launcher *l);

/* Starts the program, which stays in the caller's process group. ERR_UNSUPPORTED with the reason.
 */
int launcher_start(struct launcher *l, const struct launch *what, struct err *err);

/* Has the program ended? With `kill_it` it is killed and waited for. `status` is waitpid's, 0 where
 * there was none. */
bool launcher_ended(struct launcher *l, bool kill_it, int *status);

#endif
