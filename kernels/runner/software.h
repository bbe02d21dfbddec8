/* What is installed on this machine beside the driver, as `doctor` shows it. Nothing is run for it.
 */
#ifndef WD_RUNNER_SOFTWARE_H
#define WD_RUNNER_SOFTWARE_H

#include "kernels/wire/message_device.h"

/* Adds name and version ("found" where no version can be read from its place, "" where it is not
 * there) of the libraries and programs that measurements can use; of NCCL where there are several
 * equal GPUs. */
void software_add(struct msg_device *d, int gpus);

/* Is the program on the PATH, or in the toolkit's folder? */
bool software_has(const char *program);

#endif
