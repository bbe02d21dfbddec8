/* The fake driver's launches, and graphs: launches that are kept, with their arguments where they
 * lie. */
#include "tests/fakes/cuda.h"

#include <stdint.h>

enum { GRAPH_LAUNCHES = 64 };

struct CUgraph_st { struct { cu_function f; void **args; } launch[GRAPH_LAUNCHES]; int n; };

static struct CUgraph_st *capturing;

cu_result cuStreamBeginCapture_v2(cu_stream s, int mode)
{
    (void)s, (void)mode;
    CALL();
    capturing = calloc(1, sizeof *capturing);
    return 0;
}

cu_result cuStreamEndCapture(cu_stream s, cu_graph *out)
{
    (void)s;
    *out = capturing;
    capturing = NULL;
    CALL();
    return 0;
}

cu_result cuGraphInstantiateWithFlags(cu_graph_exec *out, cu_graph graph, unsigned long long flags)
{
    (void)flags;
    CALL();
    struct CUgraph_st *copy = malloc(sizeof *copy);
    *copy = *graph;
    *out = (cu_graph_exec)copy;
    fake_tell("graph made", NULL);
    return 0;
}

cu_result cuGraphDestroy(cu_graph graph) { free(graph); CALL(); return 0; }

cu_result cuGraphExecDestroy(cu_graph_exec graph)
{
    free(graph);
    CALL();
    fake_tell("graph given back", NULL);
    return 0;
}

cu_result cuGraphLaunch(cu_graph_exec exec, cu_stream s)
{
    const struct CUgraph_st *graph = (const struct CUgraph_st *)exec;
    CALL();
    fake_tell("graph launched", s);
    for (int i = 0; i < graph->n; i++) {
        int rc = cuLaunchKernel(graph->launch[i].f, 1, 1, 1, 1, 1, 1, 0, s, graph->launch[i].args,
                                NULL);
        if (rc)
            return rc;
    }
    return 0;
}

/* ---- launches ---- */

/* As the driver: a base off 16 bytes, a map off its boundary and a pitch off 16 are refused. */
cu_result cuTensorMapEncodeTiled(struct cu_tensor_map *out, int type, unsigned rank, void *base,
                                 const uint64_t *size, const uint64_t *pitch, const unsigned *box,
                                 const unsigned *stride, int interleave, int swizzle, int promotion,
                                 int fill)
{
    CALL();
    (void)type, (void)size, (void)box, (void)stride;
    (void)interleave, (void)swizzle, (void)promotion, (void)fill;
    if ((uintptr_t)base % 16 || (uintptr_t)out % CU_MAP_ALIGN || (rank > 1 && pitch[0] % 16))
        return CU_INVALID_VALUE;
    memcpy(out->opaque, &base, sizeof base);
    return 0;
}

/* The fake GPU holds two blocks an SM at once. */
cu_result cuLaunchKernelEx(const struct cu_launch_config *how, cu_function f, void **args,
                           void **extra)
{
    CALL();
    for (unsigned i = 0; i < how->n_attributes; i++) {
        const struct cu_launch_attribute *a = &how->attributes[i];
        if (a->id == CU_LAUNCH_COOPERATIVE && a->value.on && how->grid[0] > 2 * SMS)
            return 720;
        if (a->id == CU_LAUNCH_CLUSTER && how->grid[0] % a->value.cluster[0])
            return 912;
        if (a->id == CU_LAUNCH_PROGRAMMATIC && !a->value.on)
            return CU_INVALID_VALUE;
    }
    return cuLaunchKernel(f, how->grid[0], how->grid[1], how->grid[2], how->block[0],
                          how->block[1], how->block[2], how->shared, how->stream, args, extra);
}

cu_result cuLaunchKernel(cu_function f, unsigned gx, unsigned gy, unsigned gz, unsigned bx,
                         unsigned by, unsigned bz, unsigned shared, cu_stream s, void **args,
                         void **extra)
{
    (void)gx, (void)gy, (void)gz, (void)bx, (void)by, (void)bz, (void)shared, (void)extra;
    CALL();
    if (capturing) {
        capturing->launch[capturing->n].f = f;
        capturing->launch[capturing->n++].args = args;
        return 0;
    }
    fake_turn_to(s);
    if (fake_on->device != fake_device || f->module->device != fake_device)
        return 400; /* a stream or a kernel of another context */
    fake_tell(f->name, s);
    if (shared > SHARED_BLOCK)
        return CU_INVALID_VALUE;
    if (!strcmp(f->module->behaviour, "hungry"))
        return 701;
    struct fake_kernel *k = fake_record(s, f->name);
    if (!strncmp(f->name, "wd_", 3))
        return fake_run_own(f->name, args);
    int rc = fake_run(f, args);
    if (rc == 0)
        k->end = now;
    return rc;
}
