/* What the runner's processes give up before anything of a pack reaches them. Limits are the
 * system's own (setrlimit), the rest is confine.h. */
#ifndef WD_RUNNER_WALLS_H
#define WD_RUNNER_WALLS_H

#include <jansson.h>
#include <stdint.h>

enum { COMPILER_NO_MEMORY = 97 /* status of a compiler that ran out of it */ };

/* GiB that the compiler may take beside what it has when it is warm: 4, or what the account may
 * have. The shipped packs need less than a twentieth. */
double walls_compiler_memory(void);

/* The compiler, once it is warm. Returns the walls' names, for hello. */
json_t *walls_compiler(void);

/* The compiler, before each source, while `beside` others are being compiled: so much more of the
 * processor's time for each, after which it is ended. It is for a supervisor that cannot look after
 * it; the deadline comes first. */
void walls_compiler_time(int64_t ms, int beside);
/* Each further thread of the compiler, before it compiles: its crashes are explained too. */
void walls_compiler_thread(void);

/* The worker, before it loads the driver, whose threads inherit this; `cache` is a folder that it
 * writes to, or NULL. */
unsigned walls_worker_files(const char *cache);
/* The worker, once the driver is open. `stands` is what walls_worker_files gave. Returns the walls'
 * names. */
json_t *walls_worker(unsigned stands);

/* The program that compute-sanitizer watches, just before it launches. */
void walls_sanitized(void);

/* A program that reads what a pack made, just before it is started. */
void walls_tool(void);

#endif
