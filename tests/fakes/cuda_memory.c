/* The fake driver's memory: the host's own, in blocks and, for virtual memory, in ranges of
 * pages. */
#include "tests/fakes/cuda.h"

#include <stdint.h>
#include <sys/mman.h>

enum { BLOCKS = 4096 };

static struct block { char *at; size_t bytes; int device; } blocks[BLOCKS];

static struct block *free_block(void)
{
    for (int i = 0; i < BLOCKS; i++)
        if (!blocks[i].at)
            return &blocks[i];
    return NULL;
}

cu_result cuMemGetInfo_v2(size_t *free_bytes, size_t *total)
{
    CALL();
    *free_bytes = *total = (size_t)1 << 30;
    return 0;
}

cu_result cuMemAlloc_v2(cu_ptr *out, size_t bytes)
{
    CALL();
    size_t whole = (bytes + 255) / 256 * 256;
    struct block *b = free_block();
    void *p = b ? aligned_alloc(256, whole) : NULL;
    *out = (cu_ptr)(uintptr_t)p;
    if (!p)
        return CU_OUT_OF_MEMORY;
    *b = (struct block){p, whole, fake_device};
    return 0;
}

cu_result cuMemFree_v2(cu_ptr p)
{
    for (int i = 0; i < BLOCKS && p; i++)
        if (blocks[i].at == (char *)(uintptr_t)p)
            blocks[i] = (struct block){0};
    free((void *)(uintptr_t)p);
    CALL();
    return 0;
} /* what is released is gone even if it says otherwise */

cu_result cuMemHostAlloc(void **out, size_t bytes, unsigned flags)
{
    (void)flags;
    CALL();
    *out = calloc(1, bytes);
    return 0;
}

cu_result cuMemFreeHost(void *p) { free(p); CALL(); return 0; }

cu_result cuMemHostGetDevicePointer_v2(cu_ptr *out, void *host, unsigned flags)
{
    (void)flags;
    CALL();
    *out = (cu_ptr)(uintptr_t)host;
    return 0;
}

cu_result cuMemcpyHtoD_v2(cu_ptr to, const void *from, size_t n)
{
    CALL();
    memcpy((void *)(uintptr_t)to, from, n);
    return 0;
}

cu_result cuMemcpyDtoH_v2(void *to, cu_ptr from, size_t n)
{
    CALL();
    memcpy(to, (void *)(uintptr_t)from, n);
    return 0;
}

cu_result cuMemcpyHtoDAsync_v2(cu_ptr to, const void *from, size_t n, cu_stream s)
{
    CALL();
    fake_copy(s);
    memcpy((void *)(uintptr_t)to, from, n);
    return 0;
}

cu_result cuMemcpyDtoHAsync_v2(void *to, cu_ptr from, size_t n, cu_stream s)
{
    CALL();
    fake_copy(s);
    memcpy(to, (void *)(uintptr_t)from, n);
    return 0;
}

cu_result cuMemcpyDtoDAsync_v2(cu_ptr to, cu_ptr from, size_t n, cu_stream s)
{
    (void)s;
    CALL();
    memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, n);
    return 0;
}

cu_result cuMemcpyPeerAsync(cu_ptr to, cu_context there, cu_ptr from, cu_context here, size_t n,
                            cu_stream s)
{
    CALL();
    if (!fake_reaches[(uintptr_t)here - 8][(uintptr_t)there - 8])
        return 217;
    fake_copy(s);
    memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, n);
    return 0;
}

/* What the runner sweeps the L2 out with is large, filled with this, and read by no kernel here: as
 * pages of the host it would cost more than all the rest of a measurement. */
enum { SWEEP_FILL = 1, SWEEP_LEAST = 64 << 20, SWEEP_TOUCHED = 1 << 16 };

cu_result cuMemsetD8Async(cu_ptr p, unsigned char v, size_t n, cu_stream s)
{
    (void)s;
    CALL();
    if (v == SWEEP_FILL && n >= SWEEP_LEAST)
        n = SWEEP_TOUCHED;
    memset((void *)(uintptr_t)p, v, n);
    return 0;
}

/* Virtual memory is the host's own, whose pages are as small. */
enum { GRAIN = 4096, RANGES = 64 };

static struct range { char *at; size_t mapped, reserved; } ranges[RANGES];

static struct range *range_of(cu_ptr p)
{
    char *at = (char *)(uintptr_t)p;
    for (int i = 0; i < RANGES; i++)
        if (ranges[i].at && at >= ranges[i].at && at < ranges[i].at + ranges[i].reserved)
            return &ranges[i];
    return NULL;
}

/* Reserved, and not mapped. */
int fake_is_no_mans_land(const void *p)
{
    const struct range *r = range_of((cu_ptr)(uintptr_t)p);
    return r && (const char *)p >= r->at + r->mapped;
}

/* Do so many bytes lie in memory of the device? */
int fake_is_ours(const void *p, size_t bytes)
{
    const char *at = p;
    const struct range *r = range_of((cu_ptr)(uintptr_t)p);
    if (r)
        return bytes <= (size_t)(r->at + r->reserved - at);
    for (int i = 0; i < BLOCKS; i++)
        if (blocks[i].at && at >= blocks[i].at && at < blocks[i].at + blocks[i].bytes)
            return bytes <= (size_t)(blocks[i].at + blocks[i].bytes - at) &&
                   (blocks[i].device == fake_device ||
                    fake_reaches[fake_device][blocks[i].device]);
    return 0;
}

cu_result cuMemGetAllocationGranularity(size_t *out, const struct cu_memory_kind *kind, int which)
{
    (void)kind, (void)which;
    CALL();
    *out = GRAIN;
    return 0;
}

cu_result cuMemCreate(cu_memory *out, size_t bytes, const struct cu_memory_kind *kind,
                      unsigned long long flags)
{
    (void)bytes, (void)kind, (void)flags;
    CALL();
    *out = 1;
    return 0;
}

cu_result cuMemRelease(cu_memory m) { (void)m; CALL(); return 0; }

cu_result cuMemAddressReserve(cu_ptr *out, size_t bytes, size_t align, cu_ptr wish,
                              unsigned long long flags)
{
    int i = 0;
    (void)align, (void)wish, (void)flags;
    CALL();
    while (i < RANGES && ranges[i].at)
        i++;
    void *p = i < RANGES
                  ? mmap(NULL, bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                  : MAP_FAILED;
    if (p == MAP_FAILED)
        return CU_OUT_OF_MEMORY;
    ranges[i] = (struct range){p, 0, bytes};
    *out = (cu_ptr)(uintptr_t)p;
    return 0;
}

cu_result cuMemAddressFree(cu_ptr p, size_t bytes)
{
    struct range *r = range_of(p);
    if (r) {
        munmap(r->at, bytes);
        *r = (struct range){0};
    }
    CALL();
    return r ? 0 : CU_INVALID_VALUE;
}

cu_result cuMemMap(cu_ptr p, size_t bytes, size_t offset, cu_memory m, unsigned long long flags)
{
    struct range *r = range_of(p);
    (void)offset, (void)m, (void)flags;
    CALL();
    if (!r || mprotect(r->at, bytes, PROT_READ | PROT_WRITE))
        return CU_INVALID_VALUE;
    r->mapped = bytes;
    return 0;
}

cu_result cuMemUnmap(cu_ptr p, size_t bytes)
{
    struct range *r = range_of(p);
    (void)bytes;
    if (r)
        r->mapped = 0;
    CALL();
    return 0;
}

cu_result cuMemSetAccess(cu_ptr p, size_t bytes, const struct cu_memory_access *access, size_t n)
{
    (void)p, (void)bytes, (void)access, (void)n;
    CALL();
    return 0;
}
