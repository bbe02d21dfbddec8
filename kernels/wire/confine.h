/* A process that gives up almost everything: what `warpdrill join` does before it hears a word from the other side. */
#ifndef WD_WIRE_CONFINE_H
#define WD_WIRE_CONFINE_H

#include <stdbool.h>
#include <sys/types.h>

enum { CONFINED_FILES = 1 /* no file can be opened, made or removed */, CONFINED_CALLS = 2 /* no new process, exec, network, typing into terminals */ };

/* Gives up, for good: files (Landlock), and by a filter of system calls opening, exec, new processes, sockets other than Unix ones, looking
 * into other processes, signals to others, and putting keys into the terminal (TIOCSTI); core dumps too. What is open stays open, and Unix sockets
 * can still be reached. Returns what stands: CONFINED_* bits; a system that has neither returns 0. The caller has one thread. */
unsigned confine_self(void);
/* What this system could give, without doing it. */
unsigned confine_possible(void);
/* Does the kernel say of another process that it gained no privileges and runs under a filter of system calls? Landlock cannot be seen from
 * outside. False also where it cannot be known. */
bool confine_seen(pid_t pid);

#endif
