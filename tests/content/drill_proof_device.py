"""Proofs of silicon, kernels, roofline, formats, measurement, systems and the own GPU."""
from drill_proof import H100_BW, KIB, ceil, floor, gcd, kv_token, near_whole, peak, power_of_two, proof, resident, up


@proof("silicon/fit-weights", 11, "exact")
def _(v):
    weights, node = v.model.params * v.b, 8 * v.chip.memory
    q = weights / v.chip.memory
    other = {2.0: 1.0, 1.0: 2.0}[v.b]
    bad = [near_whole(q), q < 1]
    answer = ceil(q)
    bits, other_bits, low = 8 * v.b, 8 * other, floor(q)
    wrong = [floor(q), ceil(v.model.params * other / v.chip.memory), power_of_two(answer), 8]
    return locals()


@proof("silicon/link-ratio", 18, "5%")
def _(v):
    answer = v.chip.link / v.nic.rate
    wrong = [2 * answer, answer / 8, answer / 4]
    return locals()


@proof("silicon/link-direction", 2.2222e-3, "5%")
def _(v):
    both = 2 * v.chip.link
    answer = v.m / v.chip.link
    wrong = [v.m / both, 8 * v.m / both, 8 * answer]
    return locals()


def pcie(gen, lanes):
    return {3: 8, 4: 16, 5: 32}[int(gen)] * 1e9 * lanes * 128 / 130 / 8


@proof("silicon/pcie-rate", 63.0e9, "3%")
def _(v):
    gt = {3: 8, 4: 16, 5: 32}[int(v.gen)]
    answer = pcie(v.gen, v.lanes)
    usual = answer * 55 / 63
    wrong = [gt * 1e9 * v.lanes, 2 * answer, pcie(v.gen, 1), gt * 1e9 * v.lanes * 8 / 10 / 8]
    return locals()


@proof("silicon/pcie-load", 2.2217, "5%")
def _(v):
    gt = {3: 8, 4: 16, 5: 32}[int(v.gen)]
    rate = pcie(v.gen, v.lanes)
    answer = v.w / rate
    accept = [answer * 63 / 55]
    real = accept[0]
    wrong = [v.w / (gt * 1e9 * v.lanes), answer / 2, v.w / pcie(5, 16), v.w / pcie(4, 16)]
    return locals()


@proof("silicon/tmem-columns", 256, "exact")
def _(v):
    answer = v.n * v.bn
    size, allocated = 128 * v.bn * 4, power_of_two(answer)
    wrong = [answer / 2, 2 * answer, v.n * 128, 512]
    return locals()


@proof("sm/occupancy-blocks", 2, "exact")
def _(v):
    c = v.cc
    regs, smem, warps, rw, w = resident(v.r, v.threads, v.s, c.warps, c.blocks, c.smem)
    answer = min(regs, smem, warps, c.blocks)
    bad = [rw * up(w, 4) > 65536, v.s > c.smem_block, answer < 2]
    part, share = 16384 // rw, answer * w / c.warps
    pool = 65536 // (rw * w)
    wrong = [min(regs, c.smem // max(v.s, 1), warps, c.blocks), min(pool, smem, warps, c.blocks), min(smem, warps, c.blocks),
             min(regs, warps, c.blocks), min(regs, smem, 64 // w, 32), warps]
    return locals()


@proof("sm/occupancy", 0.1875, "2%")
def _(v):
    regs, smem, warps, rw, w = resident(v.r, v.threads, v.s, 64, 32, 228 * KIB)
    bad = [rw * up(w, 4) > 65536]
    n = min(regs, smem, warps, 32)
    answer = n * w / 64
    wrong = [n * w / 48, n / 32, min(smem, warps, 32) * w / 64, min(regs, warps, 32) * w / 64, w / 64]
    return locals()


@proof("sm/occupancy-limiter", 2, "exact")
def _(v):
    regs, smem, warps, rw, w = resident(v.r, v.threads, v.s, 64, 32, 228 * KIB)
    warps = min(warps, 32)
    order = sorted((regs, smem, warps))
    bad = [rw * up(w, 4) > 65536, order[0] == order[1]]
    answer = 1 + (regs, smem, warps).index(order[0])
    wrong = [1, 2, 3]
    return locals()


@proof("sm/stages", 4, "exact")
def _(v):
    a, b = v.bm * v.bk * v.b, v.bk * v.bn * v.b
    stage = a + b
    q = v.limit / stage
    bad = [not 2 <= q <= 12, near_whole(q)]
    answer = floor(q)
    used, more = answer * stage, ceil(q) * stage
    wrong = [ceil(q), floor(v.limit / (2 * stage / v.b)), floor(v.limit / a), floor((v.limit - v.bm * v.bn * 2) / stage),
             floor((v.limit - v.bm * v.bn * 4) / stage)]
    return locals()


def touched(stride, elem, first):
    """Sectors of 32 lanes, by listing every byte."""
    return len({(first + lane * stride * elem + byte) // 32 for lane in range(32) for byte in range(int(elem))})


@proof("sm/sectors", 12, "exact")
def _(v):
    step, first = v.stride * v.elem, v.offset * v.elem % 32
    span = first + 31 * step + v.elem
    answer = touched(v.stride, v.elem, v.offset * v.elem)
    bad = [v.offset > 0 and v.stride > 1]
    useful, share = 32 * v.elem, v.elem / answer
    wrong = [min(32, ceil(span / 128)), v.elem, min(32, v.stride * 4)]
    return locals()


@proof("sm/sectors-efficiency", 0.125, "5%")
def _(v):
    n = touched(v.stride, v.elem, 0)
    useful = 32 * v.elem
    answer = useful / (32 * n)
    wrong = [1 / v.stride, v.elem / 128, 4 / n, 1 / 32]
    return locals()


@proof("sm/banks", 16, "exact")
def _(v):
    words = [int(lane * v.stride) for lane in range(32)]
    answer = max(len({w for w in words if w % 32 == bank}) for bank in range(32))
    used = 32 / answer
    bad = [v.stride % 32 == 0 and v.stride > 32]
    wrong = [gcd(int(v.stride) * 4, 32), min(v.stride, 32), used]
    return locals()


@proof("sm/bytes-in-flight", 3.35e12 * 600e-9 / 132, "5%")
def _(v):
    total = v.chip.bandwidth * v.lat
    answer = total / v.chip.sms
    lines = answer / 128
    wrong = [total, 64 * 32 * 4, lines, answer / 4]
    return locals()


@proof("kernels/tail", 136 / 264, "2%")
def _(v):
    rows, columns = ceil(v.m / v.bm), ceil(v.n / v.bn)
    tiles, sms = rows * columns, v.chip.sms
    waves = ceil(tiles / sms)
    in_waves, slots = tiles / sms, waves * sms
    bad = [tiles < 32, tiles > 2000]
    answer = tiles / slots
    wrong = [tiles % sms / sms, tiles / sms / (waves + 1), (waves - 1) / waves, 1]
    return locals()


@proof("kernels/waves", 8, "exact")
def _(v):
    tiles = ceil(v.n / v.bm) * ceil(v.n / 128)
    slots = v.per * v.chip.sms
    q = tiles / slots
    bad = [near_whole(q)]
    answer = ceil(q)
    wrong = [floor(q), ceil(tiles / v.chip.sms), tiles]
    return locals()


@proof("kernels/launch-bound", 0.96e-3, "x1.08")
def _(v):
    weights = v.params * 2 / v.tp
    cpu, gpu = v.layers * v.k * v.t, weights / H100_BW
    bad = [weights > 72e9, max(cpu, gpu) < 1.1 * min(cpu, gpu)]
    answer = max(cpu, gpu)
    graph = v.layers * v.k * 1e-6
    wrong = [cpu + gpu, min(cpu, gpu), v.k * v.t]
    return locals()


@proof("kernels/split-kv", 16, "exact")
def _(v):
    base, sms = v.batch * v.heads, v.chip.sms
    bad = [near_whole(sms / base)]
    answer = floor(sms / base)
    before, blocks = base / sms, base * answer
    after = blocks / sms
    wrong = [ceil(sms / base), sms, floor(sms / v.heads), floor(sms / v.batch)]
    return locals()


@proof("kernels/split-k", 0.03125, "5%")
def _(v):
    base = v.n / 128
    splits = floor(132 / base)
    blocks, weights = base * splits, v.n * v.k * 2
    moved = 2 * splits * v.m * v.n * 4
    bad = [moved < 0.005 * weights]
    answer = moved / weights
    wrong = [answer / 2, answer / 4, answer / splits]
    return locals()


@proof("kernels/split-k-count", 4, "exact")
def _(v):
    base = v.n / v.wide
    q = v.chip.sms / base
    share = base / v.chip.sms
    bad = [q < 2, near_whole(q)]
    answer = floor(q)
    wrong = [ceil(q), base, 1]
    return locals()


@proof("sm/smem-budget", 113 * KIB, "0.1%")
def _(v):
    q, kv = v.bm * v.d * v.b, 2 * v.bn * v.d * v.b
    answer = q + v.stages * kv + KIB
    wrong = [answer - KIB, q + v.stages * kv / 2 + KIB, q + kv + KIB, v.stages * (q + kv) + KIB, 2 * (q + v.stages * kv) / v.b + KIB]
    return locals()


@proof("sm/accumulator-bytes", 64 * KIB, "0.1%")
def _(v):
    sums = v.bm * v.bn
    answer = 4 * sums
    wrong = [2 * sums, sums, 8 * sums]
    return locals()


@proof("sm/accumulator-registers", 128, "exact")
def _(v):
    threads = 128 * v.wg
    answer = v.bm * v.bn / threads
    bad = [answer > 224]
    wrong = [answer / 2, v.bm * v.bn / (32 * v.wg), v.bm * v.bn / 128]
    return locals()


@proof("kernels/amdahl", 1.25, "3%")
def _(v):
    rest, part = 1 - v.f, v.f / v.s
    new = rest + part
    answer, ceiling = 1 / new, 1 / rest
    wrong = [v.s, ceiling, 1 + v.f * (v.s - 1), 1 / (1 - part)]
    return locals()


@proof("kernels/norm-fusion", 160e-6, "5%")
def _(v):
    tensor = v.t * v.h * 2
    one = tensor / v.chip.bandwidth
    bad = [tensor < 60e6]
    answer, separate = 4 * one, v.unfused * one
    wrong = [separate, 3 * one, 2 * one, 8 * one, separate - answer]
    return locals()


@proof("roofline/ridge", 295.2, "3%")
def _(v):
    f = peak(v.chip, v.f)
    answer = f / v.chip.bandwidth
    wrong = [2 * answer, v.chip.fp32 / v.chip.bandwidth, peak(v.chip, 24 - v.f) / v.chip.bandwidth, answer / 2]
    return locals()


@proof("roofline/square-gemm", 885.7, "3%")
def _(v):
    b, f = v.f / 8, peak(v.chip, v.f)
    ridge = f / v.chip.bandwidth
    bad = [v.out < b]
    sizes = 2 * b + v.out
    answer = ridge * sizes / 2
    wrong = [ridge * sizes, ridge, ridge * 3 * b / 2, ridge * b, ridge * 6 / 2]
    return locals()


@proof("roofline/gemm-k", 346, "3%")
def _(v):
    b, ridge = v.f / 8, peak(v.chip, v.f) / v.chip.bandwidth
    flops_less_operands = 2 * v.m * v.n - ridge * (b * v.m + b * v.n)
    x = ridge * b * (v.m + v.n) / (v.m * v.n)
    k = ridge * v.out * v.m * v.n / flops_less_operands
    square, rest, top = ridge * (2 * b + v.out) / 2, 2 - x, ridge * v.out
    both = v.m + v.n
    halved = v.m * v.n - ridge * b * both
    bad = [v.out < b, x < 0.1 or x > 1.5, abs(square / k - 1) < 0.06]
    answer = ceil(k)
    accept = [up(k, s) for s in (16, 32, 64, 128)]
    wrong = [ridge * v.out * v.m * v.n / halved if x < 0.98 else k, 2 * square, square, ridge * v.out / 2]
    return locals()


@proof("roofline/gemm-any-k", 2, "exact")
def _(v):
    b, ridge = v.f / 8, peak(v.chip, v.f) / v.chip.bandwidth
    limit = 2 * v.m * v.n / (b * v.m + b * v.n)
    bad = [0.95 * ridge < limit < 1.4 * ridge]
    answer = 1 if 2 * v.m * v.n - ridge * (b * v.m + b * v.n) > 0 else 2
    wrong = [1, 2]
    return locals()


@proof("roofline/critical-batch", 295.2, "3%")
def _(v):
    f = peak(v.chip, v.mma)
    ridge, bits = f / v.chip.bandwidth, 8 * v.w
    bad = [v.w == 2 and v.mma == 8]
    answer = ridge * v.w / 2
    wrong = [ridge * v.w, ridge / 2, ridge * v.w / 4]
    return locals()


@proof("roofline/read-two", 1, "exact")
def _(v):
    dram = {1: v.high, 2: v.low, 3: v.low, 4: v.mid}[int(v.case)]
    tensor = v.high - 8 if v.case == 2 else max(5, v.low - 5)
    active = 45 if v.case == 3 else 97
    answer = 1 if dram >= 80 and tensor <= 55 else 2 if tensor >= 72 and dram <= 58 else 4 if 63 <= dram <= 77 and tensor <= 55 else 3
    bad = [answer == 3 and (dram > 55 or tensor > 55), answer != v.case]
    wrong = [1, 2, 3, 4]
    return locals()


@proof("roofline/unit-check", 29.8e12, "5%")
def _(v):
    ai = v.s / 2
    answer = v.rate * ai
    bad = [answer > 989e12]
    wrong = [answer / 2, 4 * answer, 2 * answer, v.rate, answer / 1000]
    return locals()


@proof("roofline/flash-ratio", 65, "5%")
def _(v):
    fused, scores = 4 * v.h * v.s * v.d * 2, 4 * v.h * v.s ** 2 * 2
    naive = fused + scores
    bad = [scores / fused < 8]
    answer = naive / fused
    wrong = [(scores / 2 + fused) / fused, (scores / 4 + fused) / fused, (2 * scores + fused) / fused, v.s]
    return locals()


@proof("roofline/flash-time", 5.2e-3, "5%")
def _(v):
    fused, scores = 4 * v.h * v.s * 128 * 2, 4 * v.h * v.s ** 2 * 2
    size, bw = fused + scores, v.chip.bandwidth
    bad = [scores / 2 > 0.9 * v.chip.memory]
    answer = size / bw
    wrong = [fused / bw, (scores / 2 + fused) / bw, answer / v.h, 4 * v.h * v.s ** 2 * 128 / v.chip.bf16]
    return locals()


@proof("roofline/gqa-intensity", 8, "5%")
def _(v):
    g, bits = v.heads / v.kv, 8 * v.b
    bad = [g != round(g), g < 2]
    answer = 2 * g / v.b
    wrong = [2 / v.b, 2 * answer, 2 * v.heads / v.b, answer / 2]
    return locals()


@proof("roofline/mla-intensity", 241.8, "5%")
def _(v):
    width = v.c + v.r
    answer = 2 * v.heads * (width + v.c) / (width * 2)
    wrong = [1, v.heads, answer / 2, 2 * answer]
    return locals()


def values(e, m, rule):
    """Every finite positive number of a format, from its codes. rule 1: IEEE, 2: the last code is NaN, 3: no special codes."""
    e, m, bias = int(e), int(m), 2 ** (int(e) - 1) - 1
    out = []
    for code in range(2 ** (e + m)):
        x, f = divmod(code, 2 ** m)
        if (rule == 1 and x == 2 ** e - 1) or (rule == 2 and code == 2 ** (e + m) - 1):
            continue
        out.append(f / 2 ** m * 2.0 ** (1 - bias) if x == 0 else (1 + f / 2 ** m) * 2.0 ** (x - bias))
    return out


@proof("formats/largest", 448, "exact")
def _(v):
    codes, bias = 2 ** v.m, 2 ** (v.e - 1) - 1
    special = {1: codes, 2: 1, 3: 0}[int(v.rule)]
    numbers = codes - special
    answer = max(values(v.e, v.m, v.rule))
    top = 2 ** v.e - (2 if v.rule == 1 else 1)
    power, binade = top - bias, 2 ** (top - bias)
    frac = answer / binade
    wrong = [max(values(v.e, v.m, r)) for r in (1, 2, 3)] + [frac * 2 ** top, binade]
    return locals()


@proof("formats/smallest-normal", 1, "1%")
def _(v):
    bias = 2 ** (v.e - 1) - 1
    power = 1 - bias
    answer = 2.0 ** power
    step = 2.0 ** (power - v.m)
    wrong = [step, 2.0 ** -bias, 2.0 ** (1 - (2 ** v.e - 1))]
    return locals()


@proof("formats/epsilon", 0.125, "1%")
def _(v):
    lo, hi, steps = 2 ** v.p, 2 ** (v.p + 1), 2 ** v.m
    answer = (hi - lo) / steps
    wrong = [answer / 2, 1 / steps, 2 * answer, 2 ** v.p / v.m]
    return locals()


@proof("formats/true-bits", 4.5, "1%")
def _(v):
    answer = (v.q * v.g + v.scale) / v.g
    wrong = [v.q, v.q + v.scale, v.q + v.g / v.scale, v.q + v.scale / v.g / 8, v.q + v.scale / (32 if v.g == 16 else 16)]
    return locals()


@proof("formats/format-weights", 39.375e9, "1%")
def _(v):
    bits = v.fmt.bits + v.fmt.scale_bits / v.fmt.block
    answer = v.model.params * bits / 8
    wrong = [v.model.params * v.fmt.bits / 8, v.model.params * bits, v.model.params * (v.fmt.bits + v.fmt.scale_bits) / 8, 2 * v.model.params]
    return locals()


@proof("formats/w4-weights", 36.09e9, "2%")
def _(v):
    more = v.meta / v.g
    bits = v.q + more
    bad = [more / v.q < 0.03]
    answer = v.model.params * bits / 8
    smaller = 2 * v.model.params / answer
    wrong = [v.model.params * v.q / 8, v.model.params * v.q, v.model.params * (v.q + v.meta) / 8, 2 * v.model.params]
    return locals()


@proof("formats/w4-speed", 3.68, "2%")
def _(v):
    kv, w0, w = kv_token(v.model) * v.s, 2 * v.model.params, v.model.params * (v.q + v.meta / v.g) / 8
    before, after = w0 + kv, w + kv
    bad = [v.meta / v.g / v.q < 0.03, kv < 0.05 * w, kv > 50e9]
    answer = before / after
    wrong = [16 / v.q, w0 / w, before / (v.model.params * v.q / 8 + kv)]
    return locals()


@proof("measurement/honest-bandwidth", 2, "exact")
def _(v):
    rate, memory, l2 = v.share * v.chip.bandwidth, v.chip.bandwidth, v.chip.l2
    t = v.bytes / rate
    answer = 2 if v.bytes / t > memory else 1
    bad = [answer == 2 and v.bytes > l2, answer == 1 and v.bytes < l2]
    wrong = [1, 2]
    return locals()


@proof("measurement/l2-fit", 1, "exact")
def _(v):
    size = v.n * v.n * v.bits / 8
    bad = [0.9 < size / v.chip.l2 < 1.1]
    answer = 1 if size < v.chip.l2 else 2
    wrong = [1, 2]
    return locals()


@proof("measurement/l2-bytes", 5.517e12, "5%")
def _(v):
    answer = v.bytes / v.t
    bad = [not 0.5e12 <= answer <= 8e12]
    wrong = [8 * answer, 2 * answer, answer / 1000]
    return locals()


@proof("measurement/regroup", 1.91, "3%")
def _(v):
    t1 = v.t0 * v.f
    times = t1 / v.t0
    answer = times - 1
    bad = [times < 1.2]
    wrong = [times, 1 - v.t0 / t1, v.t0 / t1]
    return locals()


@proof("system/throttle", 3.0, "5%")
def _(v):
    before, after = v.comp + v.fixed, v.comp / v.clock + v.fixed
    fall = 1 - before / after
    bad = [after < 1.08 * before]
    answer = after
    wrong = [before + v.comp * (1 / v.clock - 1) / v.n, before / v.clock, v.comp * (2 - v.clock) + v.fixed]
    return locals()


@proof("system/throttle-throughput", 1 / 6, "3%")
def _(v):
    before, after = v.comp + v.fixed, v.comp / v.clock + v.fixed
    bad = [after < 1.08 * before]
    answer = (after - before) / after
    accept = [-answer]  # a fall told with its sign
    wrong = [after / before - 1, 1 - v.clock, before / after]
    return locals()


# ---- over the attributes and ceilings of one GPU: v.gpu, v.ceiling ----

@proof("machine/copy-share", None, "5 points")
def _(v):
    answer = v.ceiling.copy / v.ceiling.peak_dram
    wrong = [1, answer / 2]
    return locals()


@proof("machine/dram-peak", None, "3%")
def _(v):
    clock = v.gpu.mem_clock_hz / 1e6
    answer = 2 * v.gpu.mem_clock_hz * v.gpu.bus_bits / 8
    wrong = [answer / 2, 8 * answer, 2 * answer]
    return locals()


@proof("machine/ridge", None, "5%")
def _(v):
    answer = v.ceiling.fma / v.ceiling.copy
    wrong = [2 * answer, answer / 2, v.ceiling.tensor / v.ceiling.copy]
    return locals()


@proof("machine/ridge-tensor", None, "5%")
def _(v):
    answer = v.ceiling.tensor / v.ceiling.copy
    wrong = [v.ceiling.fma / v.ceiling.copy, 2 * answer]
    return locals()


@proof("machine/tail", None, "2%")
def _(v):
    slots = v.gpu.sm_count * v.per
    waves = ceil(v.blocks / slots)
    bad = [v.blocks < slots / 2]
    answer = v.blocks / (waves * slots)
    wrong = [v.blocks % slots / slots, v.blocks / (waves * v.gpu.sm_count), 1]
    return locals()


@proof("machine/occupancy", None, "2%")
def _(v):
    g = v.gpu
    regs, smem, warps, rw, w = resident(v.r, v.threads, v.s, g.warps_sm, g.blocks_sm, g.smem_sm, g.regs_sm)
    kib, kept = g.smem_sm / KIB, 1
    n = min(regs, smem, warps, g.blocks_sm)
    bad = [v.s > g.smem_block_optin, n < 1]
    answer = n * w / g.warps_sm
    wrong = [min(smem, warps, g.blocks_sm) * w / g.warps_sm, min(regs, warps, g.blocks_sm) * w / g.warps_sm, w / g.warps_sm, n / g.blocks_sm]
    return locals()


@proof("machine/bytes-in-flight", None, "5%")
def _(v):
    total = v.ceiling.copy * v.lat
    answer = total / v.gpu.sm_count
    wrong = [total, v.gpu.warps_sm * 32 * 4, answer / 4]
    return locals()


@proof("machine/l2-fit", None, "exact")
def _(v):
    size, l2 = v.n * v.n * v.b, v.gpu.l2_bytes
    bad = [0.8 < size / l2 < 1.2]
    answer = 1 if size < l2 else 2
    wrong = [1, 2]
    return locals()


@proof("machine/gemm-time", None, "10%")
def _(v):
    flops = 2 * v.n ** 3
    answer = flops / v.ceiling.tensor
    wrong = [answer / 2, flops / v.ceiling.fma, 6 * v.n ** 2 / v.ceiling.copy]
    return locals()
