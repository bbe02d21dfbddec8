/* The few things that differ between systems. os_linux.c and os_posix.c implement the same
 * functions; the Makefile picks one. The recorded tier needs no more than os_posix.c gives
 * (meant for macOS; untried there). */
#ifndef WD_WIRE_OS_H
#define WD_WIRE_OS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "kernels/wire/err.h"

/* The calling process dies with SIGKILL when its parent `parent` ends; checks once more that the
 * parent is still there. Without system support: does nothing (the pipe's EOF still ends us). */
int os_die_with_parent(pid_t parent);
/* The same with another signal; it survives exec. */
int os_follow_parent(pid_t parent, int signal);

/* Gives up all file-system access for good (Landlock). Returns 1 confined, 0 the system cannot. */
int os_confine_no_files(void);
/* Gives up changing, making and removing files but below `folders` (NULL ends the list), for the
 * calling thread and those that it makes. Folders that are not there are left out. Returns 1
 * confined, 0 the system cannot. */
int os_confine_writes(const char *const *folders);
/* The version of Landlock that this system speaks; 0: none. */
int os_confine_abi(void);

/* A readable fd that delivers the signals in `set`, which are blocked in the process.
 * os_signal_read returns the signal number, or 0 when none is waiting. */
int os_signal_open(const sigset_t *set, struct err *err);
int os_signal_read(int fd);
void os_signal_close(int fd);

/* Who is at the other end of a connected Unix socket, as the kernel knows it; *pid is 0 where that
 * cannot be known. 0 or -1. */
int os_peer(int fd, uid_t *uid, pid_t *pid);

/* Two files or folders of one file system change places in one step. 0, or -1 where the system or
 * the file system cannot, and nothing was done. */
int os_exchange(const char *a, const char *b);

/* Full path of the running program, in malloc'd memory; NULL if unknown. */
char *os_program_path(void);

/* Milliseconds on a clock that never jumps. */
int64_t os_monotonic_ms(void);

/* Fills with unpredictable bytes. */
void os_random(void *out, size_t n);

#endif
