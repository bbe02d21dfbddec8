/* The process that holds NVRTC: loads it, warms it with an empty kernel, gives up all file access,
 * then compiles what the supervisor sends (ipc.h). */
#ifndef WD_RUNNER_COMPILER_H
#define WD_RUNNER_COMPILER_H

/* Runs until the supervisor closes `fd`; returns the exit status. */
int compiler_main(int fd);

#endif
