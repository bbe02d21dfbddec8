import triton
import triton.language as tl


CONFIG = triton.Config({"BM": 128, "BN": 128, "BK": 32}, num_warps=4, num_stages=4)


@triton.jit
def product(c, a, b, m, n, k, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    wide = tl.cdiv(n, BN)
    tall = tl.cdiv(m, BM)
    band = tl.program_id(0) // (8 * wide)
    high = min(tall - 8 * band, 8)
    row = 8 * band + tl.program_id(0) % high
    col = tl.program_id(0) % (8 * wide) // high
    at_m = row * BM + tl.arange(0, BM)
    at_n = col * BN + tl.arange(0, BN)
    at_k = tl.arange(0, BK)
    a_at = a + at_m[:, None] * k + at_k[None, :]
    b_at = b + at_k[:, None] * n + at_n[None, :]
    total = tl.zeros((BM, BN), dtype=tl.float32)
    for done in range(0, k, BK):
        left = tl.load(a_at, mask=(at_m[:, None] < m) & (at_k[None, :] < k - done), other=0.0)
        right = tl.load(b_at, mask=(at_k[:, None] < k - done) & (at_n[None, :] < n), other=0.0)
        total = tl.dot(left, right, total)
        a_at += BK
        b_at += BK * n
    c_at = c + at_m[:, None] * n + at_n[None, :]
    tl.store(c_at, total.to(tl.float16), mask=(at_m[:, None] < m) & (at_n[None, :] < n))
