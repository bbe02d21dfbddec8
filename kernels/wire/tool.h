/* NVIDIA's programs that stand beside the driver: nvdisasm, compute-sanitizer. Looked for and run,
 * never linked. */
#ifndef WD_WIRE_TOOL_H
#define WD_WIRE_TOOL_H

/* The program on PATH, in $CUDA_HOME/bin or in /usr/local/cuda/bin; malloc'd, NULL when there is
 * none. */
char *tool_find(const char *name);

#endif
