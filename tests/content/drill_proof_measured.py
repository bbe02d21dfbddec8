"""Proofs of the drills that the runner measures: what is worked out on paper for them, over the attributes and ceilings of one GPU."""
from drill_proof import KIB, ceil, floor, gcd, proof, up


@proof("measured/copy-time", None, "x1.2")
def _(v):
    both, reached = 2 * v.n, v.ceiling.copy / v.ceiling.peak_dram
    answer = both / v.ceiling.copy
    bad = [v.n < 4 * v.gpu.l2_bytes]
    wrong = [answer / 2]
    return locals()


@proof("measured/l2-fit", None, "x1.4")
def _(v):
    size = up(v.share * v.gpu.l2_bytes, KIB * KIB)
    total = v.passes * size
    rate, other = (v.ceiling.l2, v.ceiling.read) if v.share < 1 else (v.ceiling.read, v.ceiling.l2)
    answer = total / rate
    wrong = [total / other, answer / v.passes]
    return locals()


@proof("measured/strided-reads", None, "x1.35")
def _(v):
    n = 2 ** 25
    sectors = len({lane * int(v.stride) * 4 // 32 for lane in range(32)})
    answer = sectors / 4
    wrong = [1, v.stride, 32]
    return locals()


@proof("measured/bank-conflicts", None, "x1.35")
def _(v):
    answer, odd = gcd(int(v.pitch), 32), v.pitch + 1
    wrong = [1, 32, v.pitch]
    return locals()


@proof("measured/resident-blocks", None, "exact")
def _(v):
    g, w = v.gpu, v.threads / 32
    each, kib, smem_kib, kept = 32 * v.regs, v.shared / KIB, g.smem_sm / KIB, 1
    warps, regs, smem = floor(g.warps_sm / w), floor(4 * (g.regs_sm // 4 // each) / w), floor(g.smem_sm / (v.shared + KIB))
    answer = min(warps, regs, smem, g.blocks_sm)
    bad = [answer == 1]
    wrong = [warps, regs, smem, g.blocks_sm if v.shared == 0 else floor(g.smem_sm / v.shared)]
    return locals()


@proof("measured/launches-in-a-row", None, "x1.5")
def _(v):
    answer = v.ceiling.launch + (v.k - 1) * v.ceiling.launch_next
    wrong = [5e-6 * v.k, v.k * v.ceiling.launch]
    return locals()


@proof("measured/fma-rate", None, "x1.25")
def _(v):
    blocks, each = v.gpu.sm_count * floor(v.gpu.threads_sm / 256), 256 * v.rounds
    flops = 2 * each * 256 * blocks
    answer = flops / v.ceiling.fma
    wrong = [answer / 2, answer / 8]
    return locals()


@proof("measured/fma-chain", None, "x1.25")
def _(v):
    steps = 64 * v.rounds
    answer = 4 * steps / v.gpu.clock_hz
    wrong = [answer / 4, 32 * answer]
    return locals()


@proof("measured/last-wave", None, "8%")
def _(v):
    grid, more = v.waves * v.gpu.sm_count, v.waves * v.gpu.sm_count + 1
    waves = ceil(more / v.gpu.sm_count)
    answer = waves / v.waves
    wrong = [more / grid]
    return locals()
