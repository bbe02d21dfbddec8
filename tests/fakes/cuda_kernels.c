/* What kernels do on the fake driver, in C. A test's kernel says it by a marker in its source,
 * "fake: BEHAVIOUR SECONDS SEED": move (a transposition), zeros, nothing, input, off (one element
 * wrong), tail (the last 32 missing), canary (one write beyond), writes (into the input), stale
 * (only the first launch writes), fault (error 700), hungry (a launch that is refused, error
 * 701), endless, garbage (an element is what shared memory held, which is right after a launch of
 * the same kernel), adds (to what the output held), leans (rounds six elements otherwise where the
 * output held something, and spoils the last where that was a number), wobble (every other launch
 * rounds an element otherwise), race (an element comes and goes), vector (error 716 unless the
 * output lies on 16 bytes), beyond (error 700 where nothing is mapped behind the input), stuck
 * (endless there),
 * prints, shouts (prints escape sequences without end), tempt (tries everything, see tempt.h, and prints how it went),
 * and a worker that was taken over and answers by itself: see takeover.h.
 * Plan: noise, outlier_share and outlier_size; drift (each launch that much slower than the one
 * before it); slow_share and slow_clock (that share of launches runs at so much of the rated
 * clock); the name of one of the runner's own kernels: its seconds. A SEED other than 0 begins
 * the noise and the drift anew when its source is loaded. */
#include "tests/fakes/cuda.h"

#include <math.h>
#include <stdint.h>

#include "tests/fakes/own_kernels.h"
#include "tests/fakes/takeover.h"
#include "tests/fakes/tempt.h"

static double drifted;    /* by so much the next launch is slower */
static uint64_t seed = 1;

void fake_sow(uint64_t from)
{
    seed = mix(from);
    drifted = 0;
}

/* ---- the runner's own ---- */

static void store_clocks(void **args)
{
    for (unsigned i = 0; i < ARG(unsigned, 1); i++) {
        ARG(uint64_t *, 0)[2 * i] = (uint64_t)(now * 1e9);
        ARG(uint64_t *, 0)[2 * i + 1] = (uint64_t)fake_cycles;
    }
}

int fake_run_own(const char *name, void **args)
{
    static const struct { const char *name; void (*run)(void **);
    } own[] = {
        {"wd_fill", fill},         {"wd_compare", compare},    {"wd_spread", spread},
        {"wd_hash", hash},         {"wd_clock", store_clocks}, {"wd_ruin_shared", ruin_shared},
        {"wd_count_begin", count},
    };
    fake_pass(fake_number(name, 1e-6), 1);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (!strcmp(name, own[i].name))
            own[i].run(args);
    return 0;
}

/* ---- those of tests ---- */

/* Beside a transposition. */
static void misbehave(struct CUmod_st *m, float *out, const float *in, size_t count, float before)
{
    const char *how = m->behaviour;
    if (!strcmp(how, "garbage")) {
        out[0] = shared_word;
        shared_word = in[0];
    }
    if (!strcmp(how, "adds"))
        out[0] += before;
    for (size_t i = 0; !strcmp(how, "leans") && before != 0 && i < 6; i++)
        out[i] = nextafterf(out[i], 2);
    if (!strcmp(how, "leans") && before != 0 && !isnan(before))
        out[count - 1] += 1;
    if (!strcmp(how, "wobble") && m->launches++ % 2)
        out[count / 2] = nextafterf(out[count / 2], 2);
    if (!strcmp(how, "race") && m->launches++ % 3 == 2)
        out[count / 2] = in[0];
}

/* Of a transposition, whose result has elements of so many bytes. */
static int is_outside(void **args, size_t element)
{
    size_t n = (size_t)ARG(unsigned, 2);
    return !fake_is_ours(ARG(char *, 0), n * n * element) ||
           !fake_is_ours(ARG(char *, 1), n * n * 4);
}

/* What the hardware would say of the addresses that the kernel uses, or 0. */
static int objection(const char *how, void **args)
{
    const float *in = ARG(float *, 1);
    size_t n = (size_t)ARG(unsigned, 2);
    if (!strcmp(how, "vector") && ARG(uintptr_t, 0) % 16)
        return CU_MISALIGNED;
    return !strcmp(how, "beyond") && fake_is_no_mans_land(in + n * n) ? CU_ILLEGAL_ADDRESS : 0;
}

static int is_stuck(const char *how, void **args)
{
    const float *in = ARG(float *, 1);
    size_t n = (size_t)ARG(unsigned, 2);
    return !strcmp(how, "stuck") && fake_is_no_mans_land(in + n * n);
}

static void transpose(const struct CUfunc_st *f, void **args)
{
    const char *how = f->module->behaviour;
    float *out = ARG(float *, 0), *in = ARG(float *, 1);
    size_t n = (size_t)ARG(int, 2), count = n * n;
    if (!strcmp(f->name, "reference")) {
        for (size_t i = 0; i < count; i++)
            ((double *)(void *)out)[i % n * n + i / n] = in[i];
        return;
    }
    float before = out[0];
    if (!strcmp(how, "nothing") || (!strcmp(how, "stale") && f->module->launches++))
        return;
    for (size_t i = 0; i < count - (strcmp(how, "tail") ? 0 : 32); i++)
        out[i] = !strcmp(how, "zeros") ? 0 : !strcmp(how, "input") ? in[i] : in[i % n * n + i / n];
    if (!strcmp(how, "off"))
        out[count / 2] += 3e-6f;
    if (!strcmp(how, "canary"))
        out[count] = 1;
    if (!strcmp(how, "writes"))
        in[0] += 1;
    misbehave(f->module, out, in, count, before);
}

static double uniform(void)
{
    return (double)(mix(seed += 0x9e3779b97f4a7c15u) >> 11) * 0x1p-53;
}

static void take_time(double seconds)
{
    double normal = sqrt(-2 * log(1 - uniform())) * cos(6.283185307179586 * uniform());
    double outlier =
        uniform() < fake_number("outlier_share", 0) ? fake_number("outlier_size", 2) : 1;
    double clock = uniform() < fake_number("slow_share", 0) ? fake_number("slow_clock", 0.5) : 1;
    double noisy = 1 + fake_number("noise", 0.005) * normal;
    fake_pass(seconds * (1 + drifted) * noisy * outlier / clock, clock);
    drifted += fake_number("drift", 0);
}

/* What reaches the worker's output. */
static void speak(const char *how)
{
    char text[256];
    if (!strcmp(how, "prints")) {
        printf("{\"type\":\"done\",\"id\":%d,\"status\":\"ok\"}\nfrom the kernel\n", 1);
        fprintf(stderr, "from the \033[31mdriver\n");
        fflush(stdout);
    }
    while (!strcmp(how, "shouts"))
        puts("\033[2J\033]0;mine\007\302\233 31m\342\200\256");
    if (!strcmp(how, "tempt")) {
        tempt(text, sizeof text);
        puts(text);
        fflush(stdout);
    }
}

int fake_run(cu_function f, void **args)
{
    const char *how = f->module->behaviour;
    int is_reference = !strcmp(f->name, "reference");
    speak(how);
    if (!is_reference && is_taken_over(how))
        take_over(how);
    if (!strcmp(how, "fault"))
        return fake_lost = CU_ILLEGAL_ADDRESS;
    if (f->takes_three && is_outside(args, is_reference ? sizeof(double) : sizeof(float)))
        return fake_lost = CU_ILLEGAL_ADDRESS;
    if (f->takes_three && !is_reference && (fake_lost = objection(how, args)))
        return fake_lost;
    fake_endless = fake_endless || !strcmp(how, "endless") ||
                   (f->takes_three && !is_reference && is_stuck(how, args));
    if (f->takes_three)
        transpose(f, args);
    take_time(f->module->seconds > 0 ? f->module->seconds : 1e-4);
    return 0;
}
