// walls: 1
// launch 1: grid rows; block 256
// A warp keeps its largest 32 in order, one a lane, and puts each number in as it comes.
constexpr int K = 32, WARPS = 8;

static __device__ float put_in(float list, float x, int lane)
{
    float above = __shfl_up_sync(~0u, list, 1);
    bool moves = x > list, stays = lane == 0 || x <= above;
    return !moves ? list : stays ? x : above;
}

extern "C" __global__ void __launch_bounds__(256) largest(float *out, const float *in, int rows, int cols)
{
    __shared__ float lists[WARPS][K];
    const float *row = in + (long long)blockIdx.x * cols;
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    float list = -__int_as_float(0x7f800000), least = list;
    for (int at = warp * 32; at < cols; at += 256) {
        bool there = at + lane < cols;
        float x = there ? row[at + lane] : 0;
        unsigned who = __ballot_sync(~0u, there && x > least);
        for (; who; who &= who - 1)
            list = put_in(list, __shfl_sync(~0u, x, __ffs(who) - 1), lane);
        least = __shfl_sync(~0u, list, K - 1);
    }
    lists[warp][lane] = list;
    __syncthreads();
    if (warp > 0)
        return;
    for (int w = 1; w < WARPS; w++)
        for (int i = 0; i < K; i++)
            list = put_in(list, lists[w][i], lane);
    out[(long long)blockIdx.x * K + lane] = list;
}
