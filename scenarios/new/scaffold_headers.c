/* What takes the place of a header that device code of a pack cannot include. */
#include "scenarios/new/scaffold_source.h"

#include <string.h>

static const struct { const char *header, *instead;
} headers[] = {
    {"<cuda_fp16.h>", "half comes as 16 bits that compute in float; pairs (half2) and intrinsics "
                      "are PTX: asm(\"add.rn.f16x2 %0, %1, %2;\" ...)"},
    {"<cuda_bf16.h>", "__nv_bfloat16 comes as 16 bits that compute in float; pairs and intrinsics "
                      "are PTX: asm(\"fma.rn.bf16x2 ...\")"},
    {"<cuda_fp8.h>", "FP8 comes as bytes, in buffers of e4m3 or e5m2; conversions are PTX: "
                     "cvt.rn.f16x2.e4m3x2, cvt.rn.satfinite.e4m3x2.f32"},
    {"<cuda_pipeline.h>", "write PTX: asm volatile(\"cp.async.cg.shared.global [%0], [%1], 16;\" "
                          ":: \"r\"((unsigned)__cvta_generic_to_shared(to)), \"l\"(from)), "
                          "cp.async.commit_group, cp.async.wait_group N"},
    {"<cuda_pipeline_primitives.h>",
     "write PTX: cp.async.cg.shared.global, cp.async.commit_group, cp.async.wait_group N"},
    {"<cuda/pipeline>",
     "write PTX: cp.async.cg.shared.global, cp.async.commit_group, cp.async.wait_group N"},
    {"<cuda/barrier>",
     "write PTX: mbarrier.init, mbarrier.arrive, mbarrier.try_wait (sm_80; try_wait sm_90)"},
    {"<cuda/atomic>", "atomicAdd and its like are there without it; orders are PTX: "
                      "asm(\"ld.acquire.gpu.u32 ...\")"},
    {"<cooperative_groups.h>",
     "blocks: __syncthreads(); warps: __syncwarp(), __shfl_xor_sync(0xffffffff, x, 1), "
     "__ballot_sync(); a pack launches no cooperative grid"},
    {"<cooperative_groups/reduce.h>", "write the loop over __shfl_xor_sync out"},
    {"<mma.h>", "write PTX: asm(\"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 ...\")"},
    {"<cub/cub.cuh>", "write out what it does; a warp's sum is five __shfl_xor_sync"},
    {"<curand_kernel.h>",
     "a hash of the index (a few multiplications and shifts) makes random numbers"},
};

const char *header_instead(const char *text)
{
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++)
        if (!strncmp(text, headers[i].header, strlen(headers[i].header)))
            return headers[i].instead;
    return NULL;
}
