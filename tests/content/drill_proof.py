"""What the proofs of drills share: registration, constants of the subject, and the formulas that several drills need.

A proof works one template out on its own, from the numbers that were drawn. It returns its locals(): `answer`, `wrong` (the value behind each
mistake, in the template's order), `bad` (conditions that no drawn instance may meet), `accept`, and every number that the solution shows."""
from math import ceil, comb, floor, gcd, isclose, sqrt  # noqa: F401

PROOFS = {}  # id of the template: (function, canonical answer in SI units, tolerance as text)

H100_BW, H100_BF16, H100_FP8 = 3.35e12, 989e12, 1979e12
NVLINK4, NDR = 450e9, 50e9
KIB = 1024


class Drawn(dict):
    """What was drawn: v.chip.memory. Names win over methods, as one of them is copy."""

    def __getattribute__(self, name):
        return self[name] if dict.__contains__(self, name) else dict.__getattribute__(self, name)


def proof(template, canonical, tolerance):
    def keep(f):
        assert template not in PROOFS, template
        PROOFS[template] = (f, canonical, tolerance)
        return f
    return keep


def up(x, step):
    return ceil(x / step) * step


def near_whole(x):
    return abs(x - round(x)) < 0.05


def kv_token(model, size=2.0, heads=None):
    """Bytes of keys and values of one token over all layers."""
    return 2 * model.layers * (heads or model.kv_heads) * model.head_dim * size


def ring(size, n, rate, alpha=0.0):
    return 2 * (n - 1) * alpha + 2 * (n - 1) / n * size / rate


def gather(size, n, rate):
    return (n - 1) / n * size / rate


def power_of_two(g):
    t = 1
    while t < g:
        t *= 2
    return t


def peak(chip, bits):
    return chip[{16: "bf16", 8: "fp8", 4: "fp4"}[int(bits)]]


def resident(r, threads, smem, warps, blocks, smem_sm, regs=65536):
    """Limits of blocks on an SM: by registers, by shared memory, by warps; and what a warp takes of the registers."""
    w = ceil(threads / 32)
    rw = up(r * 32, 256)
    return 4 * (regs // 4 // rw) // w, smem_sm // up(smem + KIB, 128), warps // w, rw, w
