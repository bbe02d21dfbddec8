"""Proofs of memory and inference."""
from drill_proof import H100_BF16, H100_BW, NDR, ceil, floor, kv_token, near_whole, peak, power_of_two, proof


@proof("memory/kv-per-token", 327680, "1%")
def _(v):
    m, b = v.model, v.bits / 8
    answer = kv_token(m, b)
    wrong = [answer / 2, kv_token(m, b, m.heads), answer / m.layers, 8 * answer]
    return locals()


@proof("memory/kv-context", 42.95e9, "5%")
def _(v):
    token = kv_token(v.model)
    answer = token * v.s * v.batch
    wider = v.model.heads / v.model.kv_heads
    wrong = [answer / 2, token * v.s, answer * wider, 8 * answer]
    return locals()


@proof("memory/kv-passes", 244141, "5%")
def _(v):
    token = kv_token(v.model, v.b)
    answer = v.chip.memory / token
    wrong = [2 * answer, answer * v.model.kv_heads / v.model.heads, answer / 8]
    return locals()


@proof("memory/serve-memory", 233.4e9, "5%")
def _(v):
    m = v.model
    token, weights = kv_token(m, v.c / 8), m.params * v.w / 8
    kv, size = token * v.s * v.batch, v.c / 8
    answer = weights + kv + v.extra
    bad = [kv < 0.15 * answer, weights < 0.1 * answer]
    wrong = [weights + kv / 2 + v.extra, weights + kv_token(m, v.c / 8, m.heads) * v.s * v.batch + v.extra, weights + token * v.s + v.extra,
             4 * m.params + kv + v.extra, 8 * (weights + kv) + v.extra, weights + v.extra]
    return locals()


@proof("memory/serve-gpus", 3, "exact")
def _(v):
    m, room = v.model, v.chip.memory * v.usable
    weights, kv = m.params * v.w / 8, kv_token(m) * v.s * v.batch
    need = weights + kv + v.extra
    q = need / room
    bad = [kv < 0.15 * need, weights < 0.1 * need, q > 8, near_whole(q)]
    answer = ceil(q)
    degree, low = power_of_two(answer), floor(q)
    wrong = [floor(q), ceil((weights + v.extra) / room), ceil((weights + kv / 2 + v.extra) / room),
             ceil((weights + kv * m.heads / m.kv_heads + v.extra) / room), degree]
    return locals()


@proof("memory/serve-degree", 4, "exact")
def _(v):
    m = v.model
    q = v.need / v.chip.memory
    bad = [near_whole(q), q > 8]
    least, low = ceil(q), floor(q)
    answer = next(t for t in range(least, 65) if m.heads % t == 0 and m.kv_heads % t == 0)
    each, held = v.need / answer, low * v.chip.memory
    wrong = [least, floor(q), 8]
    return locals()


@proof("memory/mla-cache", 12.08e9, "5%")
def _(v):
    width = v.c + v.r
    layer = width * v.b
    token = v.layers * layer
    bad = [v.r < 0.08 * v.c]
    answer, bits = token * v.s, 8 * v.b
    wrong = [2 * answer, v.layers * v.c * v.s * v.b, 2 * v.layers * 128 * v.s * v.b, 2 * v.layers * 8 * 128 * v.s * v.b, v.layers * width * v.s]
    return locals()


@proof("memory/mla-v3", 9.21e9, "5%")
def _(v):
    m = v.model
    width = m.latent + m.rope
    token, bits = m.layers * width * v.b, 8 * v.b
    answer = token * v.s
    wrong = [2 * answer, m.layers * m.latent * v.b * v.s, answer / m.layers]
    return locals()


@proof("memory/kv-requests", 67.1e9, "5%")
def _(v):
    m = v.model
    token = kv_token(m)
    each, weights = token * v.s, 2 * m.params
    answer = v.requests * each
    wrong = [answer / 2, v.requests * v.s * kv_token(m, 2, m.heads), each, answer + weights]
    return locals()


@proof("memory/kv-requests-gpus", 4, "exact")
def _(v):
    m, room = v.model, 0.9 * v.chip.memory
    weights, kv = 2 * m.params, kv_token(m) * v.s * v.requests
    need = weights + kv
    q = need / room
    bad = [q > 8, near_whole(q)]
    least = ceil(q)
    answer = power_of_two(least)
    wrong = [8, least, power_of_two(ceil(weights / room)), power_of_two(max(1, floor(q)))]
    return locals()


@proof("memory/capacity", 10, "exact")
def _(v):
    m = v.model
    each = kv_token(m) * v.s
    q = v.pool / each
    bad = [q < 1, near_whole(q)]
    answer = floor(q)
    wrong = [ceil(q), floor(2 * q), floor(v.pool / (kv_token(m, 2, m.heads) * v.s)), floor(v.pool / 10e9)]
    return locals()


@proof("memory/capacity-mla", 4, "exact")
def _(v):
    each = v.layers * 576 * 2 * v.s
    one, pooled = floor(v.per / each), floor(8 * v.per / each)
    whole = 8 * one
    bad = [v.per < each, near_whole(v.per / each), near_whole(8 * v.per / each)]
    answer = {1: pooled, 2: one, 3: whole}[int(v.how)]
    wrong = [pooled, one, whole, floor(8 * v.per / 10e9)]
    return locals()


@proof("memory/prefix-blocks", 48, "exact")
def _(v):
    full, rest = divmod(v.prefix, v.block)
    bad = [rest == 0]
    answer = full * v.block
    wrong = [v.prefix, answer + v.block, full]
    return locals()


@proof("memory/paging-static", 0.1465, "5%")
def _(v):
    answer = v.mean / v.longest
    bad = [answer > 0.9]
    wrong = [1 - answer, answer / 2, 1 / answer]
    return locals()


@proof("memory/paging-waste", 0.00621, "5%")
def _(v):
    lost = sum(range(int(v.block))) / v.block  # empty places in the last block, each count equally likely
    answer = lost / (v.mean + lost)
    accept = [v.block / 2 / (v.mean + v.block / 2)]
    wrong = [0, (v.block - 1) / (v.mean + v.block - 1), v.block / v.mean, 1 / v.block]
    return locals()


@proof("inference/decode-floor", 5.224e-3, "3%")
def _(v):
    c, weights = v.chip, v.model.params * v.w / 8
    each = weights / v.tp
    bad = [each > 0.9 * c.memory]
    answer = each / c.bandwidth
    rate = 1 / answer
    wrong = [weights / c.bandwidth, 4 * v.model.params / v.tp / c.bandwidth, each / max(8e12, c.bandwidth) if c.bandwidth < 7e12 else answer,
             2 * v.model.params / v.tp / c.bf16]
    return locals()


@proof("inference/decode-ceiling", 191.4, "3%")
def _(v):
    c, weights = v.chip, v.model.params * v.w / 8
    bad = [weights / v.tp > 0.9 * c.memory]
    answer = v.tp * c.bandwidth / weights
    wrong = [c.bandwidth / weights, v.tp * c.bandwidth / (4 * v.model.params), v.tp * 8e12 / weights if c.bandwidth < 7e12 else answer,
             v.tp * c.bf16 / (2 * v.model.params)]
    return locals()


@proof("inference/decode-expected", 161.7, "3%")
def _(v):
    c, m = v.chip, v.model
    weights, kv = m.params * v.w / 8, kv_token(m) * v.s
    count, all_reduce = 2 * m.layers, 2 * m.layers * v.t
    least = (weights + kv) / v.tp / c.bandwidth
    bad = [(weights + kv) / v.tp > 0.9 * c.memory, kv > weights / 4, not 0.08 <= all_reduce / least <= 0.7]
    total = least + all_reduce
    answer = 1 / total
    wrong = [1 / least, 1 / (least + m.layers * v.t), 1 / (least * v.tp + all_reduce),
             1 / (4 * m.params / v.tp / c.bandwidth + all_reduce)]
    return locals()


@proof("inference/prefill", 0.3121, "8%")
def _(v):
    m, f = v.model, peak(v.chip, v.f)
    rate = v.tp * f * v.u
    linear, attention = 2 * m.params, 2 * v.s * m.hidden * m.layers
    work, share = (linear + attention) * v.s, attention / linear
    answer = work / rate
    at_fp8 = work / (v.tp * v.chip.fp8 * v.u)
    wrong = [(linear / 2 + attention) * v.s / rate, (3 * linear + attention) * v.s / rate, work / (v.tp * f), work / (f * v.u),
             linear * v.s / rate, (linear + 2 * attention) * v.s / rate, at_fp8]
    return locals()


@proof("inference/mbu", 0.9403, "3%")
def _(v):
    c, m = v.chip, v.model
    weights, kv = m.params * v.w / 8, kv_token(m) * v.s
    used = v.rate * (weights + kv) / v.tp
    answer = used / c.bandwidth
    bad = [not 0.25 <= answer <= 1.15, 0.97 < answer < 1.03, (weights + kv) / v.tp > 0.9 * c.memory]
    wrong = [answer * v.tp, answer / v.tp, used / 8e12 if c.bandwidth < 7e12 else answer, v.rate * 4 * m.params / v.tp / c.bandwidth,
             v.rate * weights / v.tp / c.bandwidth]
    return locals()


@proof("inference/batched", 2344, "5%")
def _(v):
    c, m = v.chip, v.model
    weights, kv = 2 * m.params, kv_token(m) * v.s
    step = weights + v.batch * kv
    caches, total = v.batch * kv, v.tp * c.bandwidth
    time = step / total
    bad = [step / v.tp > 0.9 * c.memory, caches < 0.1 * weights]
    answer = v.batch / time
    wrong = [v.batch * total / weights, 1 / time, total / (weights + kv), v.batch * c.bandwidth / step, v.batch * total / (weights + kv)]
    return locals()


@proof("inference/kv-transfer", 53.7e-3, "5%")
def _(v):
    kv, rate = kv_token(v.model) * v.s, v.rails * NDR
    answer = kv / rate
    wrong = [kv / NDR, 8 * answer, 131072 * v.s / rate, answer / 2, answer / 8]
    return locals()


@proof("inference/ship-or-redo", 1, "exact")
def _(v):
    m, rate = v.model, v.rails * v.nic
    kv = kv_token(m) * v.s
    ship = kv / rate
    redo = v.s * (2 * m.params + 2 * v.s * m.hidden * m.layers) / (8 * H100_BF16 * 0.5)
    bad = [0.8 < ship / redo < 1.25]
    answer = 1 if ship < redo else 2
    wrong = [1, 2]
    return locals()


def drafted(a, k):
    """Tokens of a pass: one, and each draft token that stands behind accepted ones alone."""
    return sum(a ** i for i in range(int(k) + 1))


@proof("speculation/spec-tokens", 3.3616, "5%")
def _(v):
    answer, power = drafted(v.a, v.k), v.k + 1
    wrong = [1 + v.a * v.k, answer - 1, v.k * v.a, v.k + 1, 1 / (1 - v.a)]
    return locals()


@proof("speculation/spec-speedup", 3.354, "5%")
def _(v):
    tokens, cost = drafted(v.a, v.k), 1 + v.k * v.c
    answer = tokens / cost
    wrong = [tokens, 1 + v.a * v.k, (1 + v.a * v.k) / cost, (tokens - 1) / cost, tokens / (1 + v.c)]
    return locals()


@proof("speculation/spec-best", 6, "exact")
def _(v):
    lengths = [1, 3, 6, 11, 20]
    gains = [drafted(v.a, k) / (1 + k * v.c) for k in lengths]
    best, limit = max(gains), 1 / (1 - v.a)
    bad = [sum(g > 0.99 * best for g in gains) > 1, best < 1.05]
    answer = lengths[gains.index(best)]
    wrong = lengths
    return locals()


@proof("speculation/spec-best-gain", 2.35, "5%")
def _(v):
    gains = [drafted(v.a, k) / (1 + k * v.c) for k in range(1, 16)]
    answer = best = max(gains)
    length, limit = 1 + gains.index(best), 1 / (1 - v.a)
    wrong = [limit, gains[14], gains[0], 1 + 15 * v.a]
    return locals()


@proof("inference/static-batching", 0.53125, "1%")
def _(v):
    lengths = [v.l1, v.l2, v.l3, v.l4]
    useful, longest = sum(lengths), max(lengths)
    bad = [min(lengths) > 0.7 * longest]
    answer = useful / (4 * longest)
    gain = 1 / answer
    wrong = [useful / 4 / 100, 1 - answer, useful / longest, min(lengths) / longest]
    return locals()


@proof("inference/tp-scaling", 1.82, "5%")
def _(v):
    m, twice = v.model, 2 * v.tp
    weights, count, later = m.params * v.w / 8, 2 * m.layers, v.t + 1e-6
    read0, read1 = weights / v.tp / H100_BW, weights / twice / H100_BW
    before, after = read0 + count * v.t, read1 + count * later
    answer = before / after
    bad = [weights / v.tp > 72e9, abs(answer - 2) < 0.1]
    wrong = [2, (read0 + m.layers * v.t) / (read1 + m.layers * later), after / before, read0 / after]
    return locals()


@proof("inference/concurrency", 258, "5%")
def _(v):
    latency = v.ttft + v.out * v.tpot
    answer = v.rate * latency
    wrong = [v.rate * v.ttft, v.rate * v.out * v.tpot, v.rate * (v.ttft + v.tpot), latency]
    return locals()


@proof("inference/concurrency-kv", 147.9e9, "5%")
def _(v):
    token, half = kv_token(v.model), v.out / 2
    answer = v.live * (v.prompt + half) * token
    wrong = [v.live * half * token, v.live * v.prompt * token, v.live * (v.prompt + v.out) * token, answer / 2]
    return locals()


@proof("inference/chunk", 706, "5%")
def _(v):
    rate, token = v.tp * H100_BF16 * v.u, 2 * v.model.params
    read = 2 * v.model.params / v.tp / H100_BW
    answer = v.dt * rate / token
    late = (v.dt + read) * rate / token
    accept = [late]
    bad = [answer < 64]
    wrong = [answer / v.u, 2 * answer, answer / v.tp, answer / 3]
    return locals()
