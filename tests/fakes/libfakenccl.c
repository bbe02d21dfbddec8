/* NCCL on the fake driver's devices, whose memory is the host's: what a rank asks for is posted,
 * and done once every rank has asked for the same, in the order of each. A stream's work is done
 * when it is asked for, so a call returns when its collective has happened; within a group nothing
 * is done before its end, so that one thread can ask for all ranks. Types: f32, f64, i32. The fake
 * CUPTI sees a kernel on each rank's stream, which takes `nccl_seconds` (1e-4) from when the last
 * rank has come. Plan: fail_CALL and hang_CALL as for all fakes. */
#include "kernels/runner/api.h"

#include <dlfcn.h>
#include <pthread.h>

#include "tests/fakes/fake.h"

#define DECLARE(name, result, parameters, needed) result name parameters;
NCCL_CALLS(DECLARE)

enum { RANKS = 8, OPS = 4096 };
enum kind { ALL_REDUCE, ALL_GATHER, REDUCE_SCATTER, SEND, RECV };
struct ncclComm {
    int rank, n, made[RECV + 1][RANKS];
};
struct op {
    enum kind kind;
    struct ncclComm *comm;
    int peer, number; /* which of its kind, for this peer */
    const char *from;
    char *to;
    size_t count;
    int type;
    cu_stream stream;
    int done;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t moved = PTHREAD_COND_INITIALIZER;
static struct op ops[OPS];
static int first, n_ops;                              /* those before `first` are done */
static __thread int depth, mine[256], n_mine, spoilt; /* spoilt: a call of the group failed */

static size_t size_of(int type) { return type == NCCL_F64 || type == NCCL_I64 ? 8 : 4; }

static void add(void *to, const void *from, size_t n, int type)
{
    for (size_t i = 0; i < n; i++)
        if (type == NCCL_F64)
            ((double *)to)[i] += ((const double *)from)[i];
        else if (type == NCCL_F32)
            ((float *)to)[i] += ((const float *)from)[i];
        else
            ((int *)to)[i] += ((const int *)from)[i];
}

/* ---- the driver's side ---- */

static void *driver(const char *name)
{
    void *lib = dlopen(getenv("WARPDRILL_CUDA"), RTLD_NOW | RTLD_NOLOAD);
    return lib ? dlsym(lib, name) : NULL;
}

static void tell(struct op *const *all, int n, const char *name)
{
    double (*at)(cu_stream) = (double (*)(cu_stream))driver("fake_stream_at");
    void (*pass)(cu_stream, const char *, double, double) =
        (void (*)(cu_stream, const char *, double, double))driver("fake_stream_pass");
    double last = 0;
    for (int i = 0; i < n; i++)
        last = at(all[i]->stream) > last ? at(all[i]->stream) : last;
    for (int i = 0; i < n; i++)
        pass(all[i]->stream, name, at(all[i]->stream),
             last - at(all[i]->stream) + fake_number("nccl_seconds", 1e-4));
}

/* ---- what is done once all have asked ---- */

static void reduce(struct op *const *all, int n)
{
    size_t bytes = all[0]->count * size_of(all[0]->type);
    size_t whole = all[0]->kind == REDUCE_SCATTER ? bytes * (size_t)n : bytes;
    char *sum = calloc(1, whole);
    for (int i = 0; i < n; i++)
        add(sum, all[i]->from, whole / size_of(all[0]->type), all[0]->type);
    for (int i = 0; i < n; i++)
        memcpy(all[i]->to, all[0]->kind == REDUCE_SCATTER ? sum + (size_t)i * bytes : sum, bytes);
    free(sum);
}

static void gather(struct op *const *all, int n)
{
    size_t bytes = all[0]->count * size_of(all[0]->type);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            memcpy(all[i]->to + (size_t)k * bytes, all[k]->from, bytes);
}

static struct op *find(enum kind kind, int rank, int peer, int number)
{
    for (int i = first; i < n_ops; i++) {
        struct op *o = &ops[i % OPS];
        if (!o->done && o->kind == kind && o->comm->rank == rank && o->number == number &&
            (kind < SEND || o->peer == peer))
            return o;
    }
    return NULL;
}

static void try_collective(struct op *o)
{
    static const char *const names[] = {
        "_Z39ncclDevKernel_AllReduce_Sum_f32_RING_LL24ncclDevKernelArgsStorage",
        "_Z31ncclDevKernel_AllGather_RING_LL24ncclDevKernelArgsStorage",
        "_Z43ncclDevKernel_ReduceScatter_Sum_f32_RING_LL24ncclDevKernelArgsStorage"};
    struct op *all[RANKS];
    for (int i = 0; i < o->comm->n; i++)
        if (!(all[i] = find(o->kind, i, 0, o->number)))
            return;
    if (o->kind == ALL_GATHER)
        gather(all, o->comm->n);
    else
        reduce(all, o->comm->n);
    tell(all, o->comm->n, names[o->kind]);
    for (int i = 0; i < o->comm->n; i++)
        all[i]->done = 1;
}

static void try_pair(struct op *o)
{
    struct op *send = o->kind == SEND ? o : find(SEND, o->peer, o->comm->rank, o->number);
    struct op *recv = o->kind == RECV ? o : find(RECV, o->peer, o->comm->rank, o->number);
    if (!send || !recv)
        return;
    memcpy(recv->to, send->from, send->count * size_of(send->type));
    send->done = recv->done = 1;
}

static int is_over(void)
{
    for (int i = 0; i < n_mine; i++)
        if (!ops[mine[i] % OPS].done)
            return 0;
    return 1;
}

/* One kernel does all sends and receives of a rank's group. */
static int finish(void)
{
    struct op *sends = NULL;
    pthread_mutex_lock(&lock);
    for (int i = first; i < n_ops; i++)
        if (!ops[i % OPS].done && ops[i % OPS].kind < SEND)
            try_collective(&ops[i % OPS]);
        else if (!ops[i % OPS].done)
            try_pair(&ops[i % OPS]);
    pthread_cond_broadcast(&moved);
    while (!is_over())
        pthread_cond_wait(&moved, &lock);
    for (int i = 0; i < n_mine; i++)
        if (ops[mine[i] % OPS].kind == SEND && (!sends || sends->comm != ops[mine[i] % OPS].comm)) {
            sends = &ops[mine[i] % OPS];
            tell(&sends, 1, "_Z22ncclDevKernel_SendRecv24ncclDevKernelArgsStorage");
        }
    n_mine = 0;
    while (first < n_ops && ops[first % OPS].done)
        first++;
    pthread_mutex_unlock(&lock);
    return 0;
}

static int give_up(void)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < n_mine; i++)
        ops[mine[i] % OPS].done = 1;
    n_mine = spoilt = 0;
    pthread_mutex_unlock(&lock);
    return 3;
}

static int post(struct op o)
{
    pthread_mutex_lock(&lock);
    o.number = o.comm->made[o.kind][o.kind < SEND ? 0 : o.peer]++;
    mine[n_mine++] = n_ops;
    ops[n_ops++ % OPS] = o;
    pthread_mutex_unlock(&lock);
    return depth ? 0 : finish();
}

/* ---- the calls ---- */

nccl_result ncclGetVersion(int *version)
{
    FAKE_CALL();
    *version = 22809;
    return 0;
}
const char *ncclGetErrorString(nccl_result r)
{
    (void)r;
    return "an error of the fake";
}

nccl_result ncclCommInitAll(nccl_comm *out, int n, const int *devices)
{
    (void)devices;
    FAKE_CALL();
    for (int i = 0; i < n; i++) {
        out[i] = calloc(1, sizeof *out[i]);
        out[i]->rank = i;
        out[i]->n = n;
    }
    return 0;
}
/* A failure within a group spoils it, as NCCL's own does. */
#define ASKED() \
    do { \
        static int calls_; \
        int result_ = fake_result(__func__, ++calls_); \
        spoilt = spoilt || (result_ && depth); \
        if (result_) \
            return result_; \
    } while (0)

nccl_result ncclAllReduce(const void *from, void *to, size_t count, int type, int op, nccl_comm c,
                          cu_stream s)
{
    ASKED();
    (void)op;
    return post((struct op){ALL_REDUCE, c, 0, 0, from, to, count, type, s, 0});
}
nccl_result ncclAllGather(const void *from, void *to, size_t count, int type, nccl_comm c,
                          cu_stream s)
{
    ASKED();
    return post((struct op){ALL_GATHER, c, 0, 0, from, to, count, type, s, 0});
}
nccl_result ncclReduceScatter(const void *from, void *to, size_t count, int type, int op,
                              nccl_comm c, cu_stream s)
{
    ASKED();
    (void)op;
    return post((struct op){REDUCE_SCATTER, c, 0, 0, from, to, count, type, s, 0});
}
nccl_result ncclSend(const void *from, size_t count, int type, int peer, nccl_comm c, cu_stream s)
{
    ASKED();
    return post((struct op){SEND, c, peer, 0, from, NULL, count, type, s, 0});
}
nccl_result ncclRecv(void *to, size_t count, int type, int peer, nccl_comm c, cu_stream s)
{
    ASKED();
    return post((struct op){RECV, c, peer, 0, NULL, to, count, type, s, 0});
}
nccl_result ncclGroupStart(void)
{
    FAKE_CALL();
    depth++;
    return 0;
}
nccl_result ncclGroupEnd(void)
{
    depth--;
    ASKED();
    if (depth)
        return 0;
    return spoilt ? give_up() : finish();
}
