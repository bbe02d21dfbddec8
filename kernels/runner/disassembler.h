/* NVIDIA's nvdisasm, where it is installed: machine code in, its listing out. It is a program of
 * its own and no part of the driver, so it is looked for and run, never linked. */
#ifndef WD_RUNNER_DISASSEMBLER_H
#define WD_RUNNER_DISASSEMBLER_H

#include <stdbool.h>
#include <stddef.h>

#include "kernels/runner/task.h"

/* The program on PATH, in $CUDA_HOME/bin or in /usr/local/cuda/bin; malloc'd, NULL when there is
 * none. */
char *disassembler_find(void);

/* What it prints of a cubin, with line information; malloc'd. It gets ten seconds of the task's
 * time and 16 MB of output. The cubin passes through memory; the task's launcher starts the
 * program. ERR_UNSUPPORTED when it fails, ERR_CANCELLED or ERR_TIMEOUT from the task. */
int disassembler_run(char **out, const void *cubin, size_t bytes, struct task *t, struct err *err);

#endif
