import triton
import triton.language as tl


@triton.jit
def twice(out, inp, n, BLOCK: tl.constexpr):
    lane = tl.arange(0, 128)[:, None]    # of 4 warps
    each = tl.arange(0, BLOCK // 128)[None, :]
    at = tl.program_id(0) * BLOCK + lane * (BLOCK // 128) + each
    value = tl.load(inp + at, mask=at < n)
    tl.store(out + at, 2 * value, mask=at < n)
