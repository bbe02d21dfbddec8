/* One run of a request in a process of its own, for a tool that watches processes: warpdrill-runner
 * --sanitized FILE. */
#ifndef WD_RUNNER_SANITIZED_H
#define WD_RUNNER_SANITIZED_H

#define SANITIZED_SAYS "warpdrill-sanitized: " /* before what kept it from running the kernels */

/* FILE holds one message of ipc.h: the request, its modules, "variant", "run", "leash" (the path of
 * a pipe whose writer is the worker: when that is gone, so is this process) and "seconds" that it
 * may live at all. Inputs are filled, outputs and workspaces never written, nothing lies around the
 * buffers, and the run is launched once. Returns the exit status. What the kernels do wrong is the
 * tool's business, not ours. */
int sanitized_main(const char *file);

#endif
