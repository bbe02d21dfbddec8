"""Proofs of training, collectives, pipelines, experts and cost."""
from drill_proof import H100_BF16, H100_FP8, NDR, NVLINK4, ceil, comb, floor, gather, near_whole, proof, ring, sqrt, up


@proof("training/fsdp-compute", 14.5e-3, "10%")
def _(v):
    rate, work = H100_BF16 * v.u, 2 * v.p * v.t
    answer = work / rate
    wrong = [answer / 1000, work / H100_BF16, answer / 2, 3 * answer]
    return locals()


@proof("training/fsdp-gather", 3.403e-3, "10%")
def _(v):
    size, others = 2 * v.p, v.n - 1
    arrives = size * others / v.n
    answer = arrives / v.rate
    bad = [v.n > 8 and v.rate != 900e9]
    wrong = [arrives / (2 * v.rate), 2 * arrives / v.rate, size / v.n / v.rate]
    return locals()


def shards_of(nodes):
    """Shards that enter the first GPU of a node by its port, and those that it gets over NVLink: dealt out one by one, GPU 8 k + i is the i-th
    of node k, and its shard enters other nodes by their i-th port."""
    every = range(8 * int(nodes))
    by_port = [s for s in every if s >= 8 and s % 8 == 0]
    by_nvlink = [s for s in every if s != 0 and s not in set(by_port)]
    return len(by_port), len(by_nvlink), len(every)


@proof("training/fsdp-gather-nodes", 4.307e-3, "10%")
def _(v):
    ports, links, all_of = shards_of(v.nodes)
    shard, others = 2 * v.p / all_of, v.nodes - 1
    whole, comes = 2 * v.p, 8 * ports * shard
    outer, inner = ports * shard / v.nic, links * shard / v.rate
    answer, serial = max(outer, inner), outer + inner
    round_trip = (all_of - 1) * shard / 8 / v.nic
    wrong = [8 * outer, serial, min(outer, inner), round_trip, 2 * answer]
    return locals()


@proof("training/fsdp-hidden", 4.26, "10%")
def _(v):
    compute = 2 * v.p * v.t / (H100_BF16 * v.u)
    wait = gather(2 * v.p, v.n, v.rate)
    answer = compute / wait
    bad = [0.8 < answer < 1.25]
    wrong = [wait / compute, answer / 1000, 2 * answer, v.u * answer, 3 * answer, answer / 2]
    return locals()


@proof("training/fsdp-tokens", 961, "10%")
def _(v):
    f, others = H100_BF16 * v.u, v.n - 1
    answer = others / v.n * 2 * f / (2 * v.rate)
    wrong = [answer / 2, 2 * answer, answer / v.u, answer / 1000]
    return locals()


@proof("training/fsdp-tokens-nodes", 1217, "10%")
def _(v):
    p, others = 1e9, v.nodes - 1  # any block: its size cancels
    ports, links, all_of = shards_of(v.nodes)
    shard, each = 2 * p / all_of, 2 * p / (H100_BF16 * v.u)
    hides_port, hides_link = ports * shard / v.nic / each, links * shard / v.rate / each
    answer, serial = max(hides_port, hides_link), hides_port + hides_link
    wrong = [8 * hides_port, serial, min(hides_port, hides_link), answer / 2, 2 * answer, answer / v.u]
    return locals()


@proof("training/mfu", 0.6954, "5%")
def _(v):
    f = H100_BF16 if v.f == 16 else H100_FP8
    tokens = v.batch * v.s
    work, could = 6 * v.n * tokens, v.t * v.g * f
    answer = work / could
    bad = [not 0.2 <= answer <= 0.75, 16 * v.n > 75e9 * v.g]
    wrong = [2 * v.n * tokens / could, 8 * v.n * tokens / could, work / (v.t * v.g * (H100_FP8 + H100_BF16 - f)), 6 * v.n * v.batch / could]
    return locals()


@proof("training/hfu", 0.6, "2%")
def _(v):
    ratio = (6 + 2 * v.r) / 6
    answer = v.mfu * ratio
    bad = [v.r < 0.5]
    wrong = [v.mfu * (6 + 3 * v.r) / 6, v.mfu * (1 + v.r), v.mfu / ratio, v.mfu]
    return locals()


@proof("training/mfu-conventions", 0.497, "2%")
def _(v):
    m = v.model
    n = {"llama-3-8b": 8.03e9, "llama-3-70b": 70e9}[m.id]
    each = {a: 6 * n + a * m.layers * m.hidden * v.s for a in (0, 6, 12)}
    token = each[int(v.a)]
    share = {a: v.rate * each[a] / H100_BF16 for a in each}
    answer = share[int(v.a)]
    bad = [share[0] < 0.15, share[12] > 0.7]
    wrong = [share[0], share[6], share[12], v.rate * token / H100_FP8]
    return locals()


@proof("training/adam-state", 17.5e9, "5%")
def _(v):
    whole = (2 + 2 + 4 + 4 + 4) * v.n
    answer = whole / v.g
    wrong = [2 * v.n / v.g, 12 * v.n / v.g, whole, 8 * v.n / v.g, 18 * v.n / v.g]
    return locals()


@proof("training/adam-gpus", 14, "exact")
def _(v):
    whole = 16 * v.n
    q = whole / v.chip.memory
    bad = [near_whole(q) and q != round(q), q < 2]
    answer = ceil(q)
    wrong = [floor(q), ceil(2 * v.n / v.chip.memory), ceil(12 * v.n / v.chip.memory)]
    return locals()


@proof("training/activations", 285.2e6, "5%")
def _(v):
    tensor = v.s * v.b * v.h
    answer = 34 * tensor / v.t
    wrong = [34 * tensor, 2 * answer, 10 * tensor + 24 * tensor / v.t, 2 * tensor / v.t]
    return locals()


@proof("training/score-activations", 9.41, "5%")
def _(v):
    heads = v.h / 128
    answer = 5 * heads * v.s ** 2 / (34 * v.s * v.h)
    wrong = [5 * v.s / (34 * v.h), answer * v.s, answer + 1, 1 / answer]
    return locals()


@proof("training/checkpoint-size", 28.35, "5%")
def _(v):
    size = (2 + 4 + 4 + 4) * v.n
    answer = size / v.rate
    wrong = [2 * v.n / v.rate, 16 * v.n / v.rate, 12 * v.n / v.rate, 8 * answer]
    return locals()


@proof("training/checkpoint-interval", 19 * 60, "5%")
def _(v):
    answer = sqrt(2 * v.cost * v.mtbf)
    wrong = [v.mtbf / 2, sqrt(v.cost * v.mtbf), v.mtbf, 10 * v.cost]
    return locals()


@proof("training/checkpoint-loss", 0.105, "5%")
def _(v):
    tau = sqrt(2 * v.cost * v.mtbf)
    answer = v.cost / tau + tau / (2 * v.mtbf)
    wrong = [answer / 2, v.cost / v.mtbf, sqrt(v.cost / v.mtbf), 0.5]
    return locals()


@proof("collectives/ring-bandwidth", 3.889e-3, "5%")
def _(v):
    answer, others = ring(v.m, v.n, v.rate), v.n - 1
    sent = 2 * gather(v.m, v.n, 1)
    bad = [v.n < 3 or v.n > 16]
    wrong = [answer / 2, v.m / v.rate, 2 * v.m / v.rate, 8 * answer, answer * v.n]
    return locals()


@proof("collectives/ring-latency", 14.13e-6, "10%")
def _(v):
    steps = 2 * (v.n - 1)
    wait, move = steps * v.alpha, ring(v.m, v.n, NVLINK4)
    answer = ring(v.m, v.n, NVLINK4, v.alpha)
    bad = [wait < 0.2 * answer]
    wrong = [move, v.alpha + move, wait / 2 + move, 2 * v.n * v.alpha + move]
    return locals()


@proof("collectives/busbw", 360e9, "3%")
def _(v):
    t = round(ring(v.m, v.n, v.share * NVLINK4) * 1e6) * 1e-6
    alg, others = v.m / t, v.n - 1
    answer = alg * 2 * others / v.n
    bad = [not 0.29 < answer / NVLINK4 < 0.96]
    wrong = [alg, answer / 2, 2 * answer, 2 * alg]
    return locals()


@proof("collectives/busbw-gather", 337e9, "3%")
def _(v):
    t = round(gather(v.m, v.n, v.share * NVLINK4) * 1e6) * 1e-6
    alg, others = v.m / t, v.n - 1
    answer = alg * others / v.n
    wrong = [2 * answer, alg, alg * others]
    return locals()


@proof("collectives/busbw-factor", 1.75, "1%")
def _(v):
    answer = {"all-reduce": 14 / 8, "broadcast": 1, "reduce": 1}.get(v.op.id, 7 / 8)
    wrong = [1.75, 0.875, 1, 2]
    return locals()


@proof("collectives/busbw-read", 2, "exact")
def _(v):
    seen = {1: v.low, 2: v.ring, 3: v.nvls}[int(v.kind)]
    shown = 1e9 * seen
    answer = 1 if seen < 340 else 2 if seen <= 390 else 3
    bad = [390 < seen < 440, 300 < seen < 345]
    wrong = [1, 2, 3]
    return locals()


@proof("collectives/alpha-beta", 2.96e6, "5%")
def _(v):
    answer = 2 * (v.n - 1) * v.alpha / (2 * (v.n - 1) / v.n / v.rate)
    wrong = [v.alpha * v.rate, 2 * (v.n - 1) * v.alpha * v.rate, (v.n - 1) * v.alpha * v.rate, 8 * answer]
    return locals()


@proof("collectives/tp-payload", 32768, "5%")
def _(v):
    row = v.h * v.b
    answer = v.batch * row
    wrong = [2 * answer, v.batch * v.h, row, 8 * answer]
    return locals()


@proof("collectives/tp-wire", 127.4e-9, "5%")
def _(v):
    payload, others = v.batch * v.h * 2, v.n - 1
    answer = ring(payload, v.n, NVLINK4)
    bad = [answer > 0.3 * 4e-6]
    wrong = [2 * answer, ring(payload, v.n, 900e9), payload / NVLINK4, 6e-6]
    return locals()


@proof("collectives/tp-per-token", 1.512e-3, "20%")
def _(v):
    count = 2 * v.layers
    answer = count * v.t
    wrong = [v.layers * v.t, v.t, count * 127e-9, 2 * answer]
    return locals()


@proof("collectives/tp-crossover", 47.1, "5%")
def _(v):
    factor, token = 2 * (v.n - 1) / v.n, 2 * v.h
    size = v.t * NVLINK4 / factor
    answer = size / token
    wrong = [v.t * NVLINK4 / token, 2 * answer, answer / 2]
    return locals()


@proof("collectives/hierarchical", 154.4e-3, "5%")
def _(v):
    inner, part = gather(v.m, 8, v.rate), v.m / 8
    outer, others = ring(part, v.nodes, NDR), v.nodes - 1
    one_port = ring(v.m, v.nodes, NDR)
    answer = 2 * inner + outer
    wrong = [2 * inner + one_port, outer, 2 * inner + ring(v.m / v.nodes, v.nodes, NDR), inner + outer, one_port]
    return locals()


@proof("collectives/tp-count", 128, "exact")
def _(v):
    each = 6 if v.recompute else 4
    answer = each * v.layers * v.micro
    wrong = [2 * v.layers * v.micro, (10 - each) * v.layers * v.micro, each * v.layers, (8 if v.recompute else 4) * v.layers * v.micro]
    return locals()


@proof("collectives/ring-attention", 1236, "5%")
def _(v):
    f = H100_BF16 * v.u
    answer = 2 * f / (2 * v.g * v.rate)
    wrong = [answer / 2, v.g * answer, 2 * answer, answer / v.u]
    return locals()


def slots(p, m, v=1):
    """Idle and useful slots of one stage."""
    return p - 1, v * m


@proof("pipeline/bubble", 3 / 19, "2%")
def _(v):
    idle, useful = slots(v.p, v.m, v.v)
    answer, ideal = idle / (useful + idle), idle / useful
    bad = [useful < v.p, useful > 256, ideal < 0.025, v.v > 1 and v.m % v.p != 0]
    wrong = [ideal, v.p / (useful + v.p), v.p / (useful + v.p - 1), idle / (useful + v.p) if useful + v.p <= 40 else answer, idle / (v.m + idle)]
    return locals()


@proof("pipeline/bubble-interleaved", 3 / 19, "2%")
def _(v):
    m = v.p * v.k
    idle, useful = slots(v.p, m, v.v)
    total, before_total = useful + idle, m + idle
    before, answer = idle / before_total, idle / total
    bad = [before - answer < 0.08]
    wrong = [before, before / v.v, idle / useful, idle / m]
    return locals()


@proof("pipeline/microbatches", 133, "exact")
def _(v):
    answer = next(m for m in range(1, 100000) if (v.p - 1) / (v.v * m + v.p - 1) <= v.x + 1e-12)
    q, idle, rest, whole = (v.p - 1) * (1 - v.x) / v.x / v.v, v.p - 1, 1 - v.x, up(answer, v.p)
    below = answer - 1 if abs(q - round(q)) > 1e-6 else floor(q)
    wrong = [ceil((v.p - 1) / v.x / v.v - 1e-6), ceil(v.p * (1 - v.x) / v.x / v.v - 1e-6), below, ceil((v.p - 1) * (1 - v.x) / v.x - 1e-6)]
    return locals()


@proof("pipeline/zero-bubble", 7 / 103, "2%")
def _(v):
    f = b = w = 1
    idle, useful = (v.p - 1) * (f + b - w), v.m * (f + b + w)
    answer, plain = idle / (useful + idle), (v.p - 1) / (v.m + v.p - 1)
    bad = [v.m < v.p]
    wrong = [plain, idle / useful, plain / 3, 0]
    return locals()


@proof("moe/dispatch-bytes", 0.9395e9, "5%")
def _(v):
    whole, others, bits = v.t * v.h * v.b * v.k, v.ep - 1, 8 * v.b
    answer = whole * others / v.ep
    wrong = [answer / v.k, answer / v.b, whole if v.ep <= 16 else answer, 2 * answer, whole / v.ep]
    return locals()


@proof("moe/dispatch-time", 2.088e-3, "5%")
def _(v):
    whole = v.t * v.h * 2 * v.k
    sent = whole * (v.ep - 1) / v.ep
    answer = sent / v.rate
    wrong = [answer / 2, 2 * answer, answer / v.k, whole / v.rate, 8 * answer]
    return locals()


@proof("moe/step-time", 0.2675, "5%")
def _(v):
    answer = (2 + 2) * v.layers * v.one
    wrong = [answer / 2, v.layers * v.one, 2 * answer, 4 * v.one]
    return locals()


@proof("moe/combine-bytes", 231e6, "5%")
def _(v):
    one, others, bits = v.t * 7168 * v.k * (v.ep - 1) / v.ep, v.ep - 1, 8 * v.b
    answer = one * v.b
    wrong = [one if v.b == 2 else 2 * one, 3 * one, answer / v.k]
    return locals()


@proof("moe/distinct-nodes", 5.295, "5%")
def _(v):
    rest = v.e - v.e / v.nodes
    none = comb(int(rest), int(v.k)) / comb(int(v.e), int(v.k))
    answer = v.nodes * (1 - none)
    saved = 1 - answer / v.k
    wrong = [v.k, min(v.k, v.nodes), v.k / v.nodes, v.nodes]
    return locals()


@proof("moe/experts-touched", 163.3, "5%")
def _(v):
    missed = 1.0
    for _token in range(int(v.batch)):
        missed *= (v.e - v.k) / v.e
    answer = v.e * (1 - missed)
    share, each = 1 - missed, v.k * v.batch / answer
    bad = [v.batch * v.k < 0.15 * v.e]
    wrong = [v.k * v.batch, min(v.k * v.batch, v.e), v.k, v.e, v.e * (1 - ((v.e - 1) / v.e) ** v.batch)]
    return locals()


@proof("cost/per-mtok", 1.0417, "5%")
def _(v):
    tokens = v.rate * 3600 * v.util
    answer = v.price / tokens * 1e6
    wrong = [answer * v.util, answer * v.util ** 2, answer / 8, 60 * answer]
    return locals()


@proof("cost/per-mtok-idle", 0.7716, "5%")
def _(v):
    full = v.price / (v.rate * 3600) * 1e6
    answer = full / v.util
    wrong = [full, full * v.util, full * (2 - v.util)]
    return locals()


@proof("cost/per-step", 1.389, "5%")
def _(v):
    answer = v.price / 3600 * v.t
    many = 1e5 * answer
    wrong = [60 * answer, v.price / v.t, answer / 8, v.price * v.t]
    return locals()


@proof("cost/mbu-saving", 3.092e6, "2%")
def _(v):
    millions, after = v.bill / 1e6, v.before + v.gain
    saved = 1 - v.before / after
    bad = [saved < 0.08]
    answer = saved * v.bill
    wrong = [v.gain / v.before * v.bill, v.gain * v.bill, v.before / after * v.bill]
    return locals()


@proof("cost/mfu-saving", 0.2, "2%")
def _(v):
    after = v.before + v.gain
    answer = v.gain / after
    bad = [answer < 0.08]
    wrong = [v.gain / v.before, v.gain, v.before / after, v.gain / after + v.gain]
    return locals()
