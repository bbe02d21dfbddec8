/* What the files of the fake driver share: libfakecuda.c is the device and its state, and behind it
 * stand cuda_memory.c, cuda_streams.c, cuda_modules.c, cuda_kernels.c (what kernels do) and
 * cuda_launch.c. */
#ifndef FAKE_CUDA_H
#define FAKE_CUDA_H

#include "kernels/runner/api.h"
#include "tests/fakes/fake.h"

#define DECLARE(name, result, parameters, needed) result name parameters;
CUDA_CALLS(DECLARE)
#undef DECLARE

enum { SMS = 4, L2 = 1 << 20, CLOCK_KHZ = 1000000, SHARED_BLOCK = 232448, STREAMS = 32 };
struct CUmod_st { char *text, behaviour[32]; double seconds; int launches, device; };
struct CUfunc_st { char name[64]; struct CUmod_st *module; int takes_three; };
struct CUevent_st { double at; };
struct CUstream_st { double at; int device; };

/* The first stream is the main one, whose clock the SMs have. fake_on: the one that the call at
 * hand is about. */
extern struct CUstream_st fake_streams[STREAMS], *fake_on;
#define now (fake_on->at)      /* virtual seconds */

extern __thread int fake_device;       /* of the thread's current context */
extern int fake_reaches[8][8];         /* peer access was enabled */
extern double fake_cycles;             /* of every SM */
extern int fake_lost;                  /* a sticky error */
extern int fake_endless;

/* One call at a time; a kernel's library calls another of its own. */
int fake_begin(void);
void fake_end(int *held);
/* What call number n of this name answers before it does anything. */
int fake_refusal(const char *call, int n);

#define CALL() \
    int held_ __attribute__((cleanup(fake_end))) = fake_begin(); \
    (void)held_; \
    do { \
        static int calls_; \
        int result_ = fake_refusal(__func__, ++calls_); \
        if (result_) \
            return result_; \
    } while (0)

/* A line of the file of calls. */
void fake_tell(const char *what, cu_stream s);

/* Streams: time goes by on fake_on, at so much of the rated clock; a kernel or a copy on one. */
void fake_pass(double seconds, double clock);
void fake_turn_to(cu_stream s);
struct fake_kernel *fake_record(cu_stream s, const char *name);
void fake_copy(cu_stream s);

/* Memory: reserved and not mapped; do so many bytes lie in memory of the device? */
int fake_is_no_mans_land(const void *p);
int fake_is_ours(const void *p, size_t bytes);

/* Kernels: noise and drift begin anew with a seed; the runner's own; a module's, which may end with
 * an error. */
void fake_sow(uint64_t seed);
int fake_run_own(const char *name, void **args);
int fake_run(cu_function f, void **args);

#endif
