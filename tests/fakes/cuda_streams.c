/* The fake driver's streams and events: streams execute at once, each on its virtual clock. One
 * that waits for an event goes on at the event's time or its own, whichever is later. */
#include "tests/fakes/cuda.h"

double fake_stream_at(cu_stream s);
void fake_stream_pass(cu_stream s, const char *name, double from, double seconds);

struct CUstream_st fake_streams[STREAMS] = {{1, 0}}, *fake_on = fake_streams;
double fake_cycles = 1;
static int n_streams = 1;

/* The kernels that ran, for the fake CUPTI. */
struct fake_kernel fake_kernels[FAKE_KERNELS];
int fake_n_kernels;

void fake_pass(double seconds, double clock)
{
    now += seconds;
    if (fake_on == fake_streams)
        fake_cycles += seconds * clock * 1e3 * CLOCK_KHZ;
}

/* The first stream that is made is the main one, whose clock the SMs have. */
cu_result cuStreamCreate(cu_stream *out, unsigned flags)
{
    static int made;
    (void)flags;
    CALL();
    if (n_streams == (int)(STREAMS))
        return CU_OUT_OF_MEMORY;
    *out = made++ ? &fake_streams[n_streams++] : fake_streams;
    (*out)->at = fake_streams->at;
    (*out)->device = fake_device;
    return 0;
}

cu_result cuStreamDestroy_v2(cu_stream s)
{
    if (n_streams > 1 &&
        s == &fake_streams[n_streams - 1]) /* the last one made is there to be made again */
        n_streams--;
    CALL();
    return 0;
}

void fake_turn_to(cu_stream s) { fake_on = s ? s : fake_streams; }

struct fake_kernel *fake_record(cu_stream s, const char *name)
{
    struct fake_kernel *k = &fake_kernels[fake_n_kernels++ % FAKE_KERNELS];
    fake_turn_to(s);
    *k = (struct fake_kernel){.start = now, .end = now, .device = fake_on->device};
    snprintf(k->name, sizeof k->name, "%s", name);
    return k;
}

void fake_copy(cu_stream s)
{
    struct fake_kernel *k = fake_record(s, "");
    fake_pass(1e-5, 1);
    k->copy = 1;
    k->end = now;
}

/* For the fake NCCL: where the stream is, and a kernel on it. */
double fake_stream_at(cu_stream s)
{
    int held __attribute__((cleanup(fake_end))) = fake_begin();
    (void)held;
    return s->at;
}

void fake_stream_pass(cu_stream s, const char *name, double from, double seconds)
{
    int held __attribute__((cleanup(fake_end))) = fake_begin();
    (void)held;
    struct fake_kernel *k = fake_record(s, name);
    now = from;
    k->start = from;
    fake_pass(seconds, 1);
    k->end = now;
}

cu_result cuStreamWaitEvent(cu_stream s, cu_event e, unsigned flags)
{
    (void)flags;
    CALL();
    fake_turn_to(s);
    if (e->at > now)
        fake_pass(e->at - now, 1);
    return 0;
}

cu_result cuStreamQuery(cu_stream s) { (void)s; CALL(); return fake_endless ? CU_NOT_READY : 0; }

cu_result cuStreamSynchronize(cu_stream s)
{
    CALL();
    fake_tell("wait", s);
    while (fake_endless)
        pause();
    return 0;
}

cu_result cuEventCreate(cu_event *out, unsigned flags)
{
    (void)flags;
    CALL();
    *out = calloc(1, sizeof **out);
    return 0;
}

cu_result cuEventRecord(cu_event e, cu_stream s)
{
    CALL();
    fake_tell("event", s);
    fake_turn_to(s);
    fake_pass(1e-6, 1);
    e->at = now;
    return 0;
}

cu_result cuEventQuery(cu_event e) { (void)e; CALL(); return fake_endless ? CU_NOT_READY : 0; }

cu_result cuEventElapsedTime(float *ms, cu_event from, cu_event to)
{
    CALL();
    *ms = (float)(1e3 * (to->at - from->at));
    return 0;
}

cu_result cuEventDestroy_v2(cu_event e) { free(e); CALL(); return 0; }
