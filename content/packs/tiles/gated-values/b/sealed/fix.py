import triton
import triton.language as tl


CONFIG = triton.Config({"BLOCK": 1024}, num_warps=4)


@triton.jit
def gated(out, x, gate, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    value = tl.load(x + at, mask=inside)
    weight = tl.load(gate + at, mask=inside)
    tl.store(out + at, value * weight * tl.sigmoid(weight), mask=inside)
