#include "kernels/runner/fence.h"

#define NO_MANS_LAND \
    ((size_t)1 << 30) /* reserved behind the fence: an index far out must not hit a neighbour */

static bool is_offered(const struct cuda_api *cu)
{
    return cu->cuMemGetAllocationGranularity && cu->cuMemAddressReserve && cu->cuMemAddressFree &&
           cu->cuMemCreate && cu->cuMemRelease && cu->cuMemMap && cu->cuMemUnmap &&
           cu->cuMemSetAccess;
}

static int map(struct fence *f, struct gpu *g, size_t bytes, const struct cu_memory_kind *kind,
               struct err *err)
{
    struct cu_memory_access access = {CU_LOCATION_DEVICE, g->device, CU_ACCESS_READ_WRITE};
    int rc = GPU(g, err, cuMemCreate, &f->memory, bytes, kind, 0);
    if (rc)
        return rc;
    if ((rc = GPU(g, err, cuMemMap, f->at, bytes, 0, f->memory, 0)))
        return rc;
    f->mapped = bytes;
    return GPU(g, err, cuMemSetAccess, f->at, bytes, &access, 1);
}

int fence_new(struct fence *out, struct gpu *g, uint64_t bytes, struct err *err)
{
    struct cu_memory_kind kind = {.type = CU_MEMORY_PINNED,
                                  .location = CU_LOCATION_DEVICE,
                                  .device = g->device};
    size_t grain = 0;
    *out = (struct fence){.at = 0};
    if (!is_offered(&g->cu))
        return err_set(err, ERR_UNSUPPORTED, "this driver cannot leave addresses unmapped");
    int rc = GPU(g, err, cuMemGetAllocationGranularity, &grain, &kind, CU_GRANULARITY_LEAST);
    if (rc)
        return rc;
    grain = grain ? grain : 1;
    size_t whole = ((size_t)bytes + grain - 1) / grain * grain,
           reserved = whole + (NO_MANS_LAND + grain - 1) / grain * grain;
    if ((rc = GPU(g, err, cuMemAddressReserve, &out->at, reserved, 0, 0, 0)))
        return rc;
    out->reserved = reserved;
    rc = map(out, g, whole, &kind, err);
    if (rc)
        fence_free(out, g);
    return rc;
}

void fence_free(struct fence *f, struct gpu *g)
{
    if (!g->lost && f->reserved) {
        if (f->mapped)
            GPU(g, NULL, cuMemUnmap, f->at, f->mapped);
        if (f->memory)
            GPU(g, NULL, cuMemRelease, f->memory);
        GPU(g, NULL, cuMemAddressFree, f->at, f->reserved);
    }
    *f = (struct fence){.at = 0};
}
