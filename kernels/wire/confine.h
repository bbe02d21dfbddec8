/* Processes that give up, for good, what they do not need. One list of system calls and one builder
 * of filters serve all of them; a role says which rows of the list are meant. */
#ifndef WD_WIRE_CONFINE_H
#define WD_WIRE_CONFINE_H

#include <stdbool.h>
#include <sys/types.h>

/* What stands: bits. */
enum {
    CONFINED_FILES = 1, /* no file can be opened, made or removed */
    CONFINED_CALLS = 2, /* no new process or program, no looking into others, no typing into
                           terminals; of the network what the role says */
    CONFINED_WRITES = 4, /* files can be changed, made and removed in a few folders alone */
};

enum confine_role {
    CONFINE_JOIN = 1, /* `warpdrill join`: no files, of sockets only Unix ones, no threads */
    CONFINE_COMPILER = 2, /* NVRTC after its warm-up: no files, no sockets */
    CONFINE_WORKER =
        4, /* the CUDA driver once it is open: no new sockets. It goes on opening files */
    CONFINE_SANITIZED = 8, /* the same under NVIDIA's tool, which it talks to over sockets */
    CONFINE_TOOL = 16, /* a program that is about to be started: no sockets; files, programs and
                          processes it may */
};

/* Gives up what the role does not need: by a filter of system calls, for all threads; JOIN and
 * COMPILER also all files by Landlock, which is for the calling thread and those that it makes.
 * Core dumps too. What is open stays open. Calls that are given up fail with EPERM, so that a
 * library's optional call fails softly. Returns what stands: CONFINED_* bits; a system that has
 * neither returns 0. */
unsigned confine_self(enum confine_role role);
/* Gives up changing files anywhere but below `folders` (NULL ends the list; those that are not
 * there are left out), and looking into processes outside. It holds for the calling thread and
 * those that it makes. Programs gain no rights any more, setuid ones included. CONFINED_WRITES, or
 * 0 when this system cannot. */
unsigned confine_writes(const char *const *folders);
/* What this system could give, without doing it. */
unsigned confine_possible(void);
/* Does the kernel say of another process that it gained no privileges and runs under a filter of
 * system calls? Landlock cannot be seen from outside. False also where it cannot be known. */
bool confine_seen(pid_t pid);

#endif
