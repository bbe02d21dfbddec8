/* The process that touches the GPU: one context, thrown away after any sticky error.
 * What it hears and says stands in ipc.h. */
#ifndef WD_RUNNER_WORKER_H
#define WD_RUNNER_WORKER_H

#include <stdbool.h>

#define WORKER "--worker"
#define WORKER_WITH_FILES \
    "--worker-with-files" /* its role where the driver starts only without the wall around its \
                             files */

/* Runs until the supervisor closes `fd` or a sticky error; returns the exit status. Called in a
 * fresh process: nothing has loaded CUDA yet, fd 0 is /dev/null, 1 and 2 are captured.
 * keep_from_files: it gives up changing files but in a few folders (walls.h). ranks: how many GPUs
 * it opens, as the role says it ("--worker=2"); more than one are for requests with as many, with
 * NCCL where it is there. */
int worker_main(int fd, bool keep_from_files, int ranks);

#endif
