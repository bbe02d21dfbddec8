"""What every number card must say, worked out from the cells of the number tables and from constants of the subject, on its own.
T is {table: {row: {column: value}}}. FACTS are looked up, not derived: changing one is a decision."""
from math import ceil, floor, gcd, sqrt


def lanes_to_sectors(stride, size=4, offset=0):
    return len({(offset + lane * stride * size) // 32 for lane in range(32)})


def column_conflict(swizzle):
    """Worst degree of a column read of a 16 x 16 tile of 2-byte elements, over all columns."""
    worst = 0
    for column in range(16):
        words = {(row * 32 + 2 * (column ^ (row % 8) if swizzle else column)) // 4 for row in range(16)}
        banks = [word % 32 for word in words]
        worst = max(worst, max(banks.count(bank) for bank in banks))
    return worst


def occupancy_200():
    per_warp = ceil(200 * 32 / 256) * 256
    warps = 4 * (16384 // per_warp)
    return (warps // 4) * 4 / 64


def ports_busy(nodes, rate):
    """Seconds in which a node's ports bring in one parameter in BF16: shard by shard, the i-th of each other node by port i."""
    shard = 2 / (8 * nodes)
    ports = [0.0] * 8
    for gpu in range(8, 8 * nodes):
        ports[gpu % 8] += shard / rate
    return max(ports)


def expected(T):
    chip, model, form, link = T["chips"], T["models"], T["formats"], T["links"]
    h100, h200, b200, b200a = chip["h100"], chip["h200"], chip["b200"], chip["b200-announced"]
    l8, l70, l405, v3 = (model[m] for m in ("llama-3-8b", "llama-3-70b", "llama-3-405b", "deepseek-v3"))
    half = 0.5 * h100["bf16"]
    nv, ib = link["nvlink4"]["rate"], link["ib-ndr"]["rate"]
    ring = lambda n, m, bw: 2 * (n - 1) / n * m / bw
    kv = lambda m: 2 * m["layers"] * m["kv_heads"] * m["head_dim"] * 2
    mla = lambda layers: layers * (v3["latent"] + v3["rope"]) * 2
    ridge = lambda c, f: c[f] / c["bandwidth"]
    ai = lambda m, n, k, a, b, c: 2 * m * n * k / (a * m * k + b * k * n + c * m * n)
    bubble = lambda p, m, v=1: (p - 1) / (v * m + p - 1)
    spec = lambda a, k: (1 - a ** (k + 1)) / (1 - a)
    w70 = l70["params"] * 2
    block = l70["params"] / l70["layers"]
    a2a = 4 * 8192 * l70["hidden"] * 2 * 2 * 7 / 8
    token = w70 / 8 / h100["bandwidth"]
    prefill = (2 * l70["params"] + 2 * 8192 * l70["hidden"] * l70["layers"]) * 8192
    measured = {k: v for k, v in T["measured"].items()}
    smem = lambda sms, clock: sms * 128 * clock
    out = {
        "silicon/h100-bf16": h100["bf16"], "silicon/h100-fp8": h100["fp8"], "silicon/h100-bw": h100["bandwidth"],
        "silicon/h100-mem": h100["memory"], "silicon/h100-fp32": h100["fp32"], "silicon/h100-sms": h100["sms"],
        "silicon/h200-bw": h200["bandwidth"], "silicon/h200-mem": h200["memory"],
        "silicon/b200-bf16": b200["bf16"], "silicon/b200-fp8": b200["fp8"], "silicon/b200-fp4": b200["fp4"],
        "silicon/b200-bw-shipping": b200["bandwidth"], "silicon/b200-mem-usable": b200["memory"], "silicon/b200-sms": b200["sms"],
        "silicon/gb200-bf16": chip["gb200"]["bf16"], "silicon/nvl72-bf16": 72 * chip["gb200"]["bf16"],
        "silicon/nvl72-mem": 72 * chip["gb200"]["memory"], 
        "silicon/mi300x-bf16": chip["mi300x"]["bf16"], "silicon/mi300x-bw": chip["mi300x"]["bandwidth"],
        "silicon/mi300x-mem": chip["mi300x"]["memory"], "silicon/mi300x-pair": link["fabric-pair"]["rate"],
        "silicon/mi300x-all-peers": 7 * link["fabric-pair"]["rate"], "silicon/mi350x-mem": chip["mi350x"]["memory"],
        "silicon/mi350x-fabric": 7 * 153.6e9, "silicon/tpu-v5p-bf16": chip["tpu-v5p"]["bf16"],
        "silicon/tpu-v5p-mem": chip["tpu-v5p"]["memory"], "silicon/tpu-v6e-bf16": chip["tpu-v6e"]["bf16"],
        "silicon/trainium2-bf16": chip["trainium2"]["bf16"], "silicon/register-file": 65536 * 4,
        "silicon/l2-h100": h100["l2"], "silicon/l2-b200": b200["l2"], "silicon/shared-h100": h100["smem_block"],
        "silicon/tmem-size": 128 * 512 * 4, "silicon/fp4-block-nv": form["nvfp4"]["block"], "silicon/fp4-block-mx": form["mxfp4"]["block"],
        "silicon/accumulator-128": 128 * 128 / 128, "silicon/accumulator-bytes": 128 * 128 * 4, "silicon/tmem-columns": 256 * 256 / 2 / 128,
        "silicon/smem-rate": smem(132, 1.755e9), "silicon/ratio-smem-hbm": smem(132, 1.755e9) / h100["bandwidth"],
        "silicon/ratio-hbm-nvlink": h100["bandwidth"] / nv, "silicon/ratio-nvlink-ib": nv / ib,
        "silicon/ratio-b200-ndr": link["nvlink5"]["rate"] / ib, "silicon/nvlink4-direction": nv,
        "silicon/nvlink5-direction": link["nvlink5"]["rate"], "silicon/ndr": 400e9 / 8, "silicon/xdr": 800e9 / 8,
        "silicon/nvl72-bisection": 36 * link["nvlink5"]["rate"], "silicon/fit-405b": ceil(l405["params"] * 2 / h100["memory"]),
        "silicon/h200-measured-copy": measured["h200-copy"]["rate"] / h200["bandwidth"],
        "silicon/l2-latency": (T["hierarchy"]["h100-l2"]["cycles"] + T["hierarchy"]["h100-l2"]["cycles_high"]) / 2,
        "silicon/smem-latency": T["hierarchy"]["h100-shared"]["cycles"],
        "silicon/hbm-latency": (T["hierarchy"]["h100-hbm"]["latency"] + T["hierarchy"]["h100-hbm"]["latency_high"]) / 2,

        "roofline/ridge-h100-bf16": ridge(h100, "bf16"), "roofline/ridge-h100-fp8": ridge(h100, "fp8"),
        "roofline/ridge-h200-bf16": ridge(h200, "bf16"), "roofline/ridge-b200-bf16": ridge(b200a, "bf16"),
        "roofline/ridge-b200-fp4": ridge(b200a, "fp4"), "roofline/ridge-mi300x": ridge(chip["mi300x"], "bf16"),
        "roofline/square-bf16": 3 * ridge(h100, "bf16"), "roofline/square-fp8-bf16": 2 * ridge(h100, "fp8"),
        "roofline/decode-ai-mha": 4 / 4, "roofline/decode-ai-gqa": 8 * 4 / 4,
        "roofline/decode-ai-mla": 2 * 128 * (576 + 512) / (576 * 2), "roofline/fp4-bf16-out": 1.5 * ridge(b200a, "fp4"),
        "roofline/gemm-256": ai(256, 256, 256, 1, 1, 1), "roofline/gemm-k256": ai(4096, 4096, 256, 1, 1, 1),
        "roofline/critical-batch-bf16": ridge(h100, "bf16") * 2 / 2, "roofline/critical-batch-fp8": ridge(h100, "fp8") / 2,
        "roofline/critical-batch-w8": ridge(h100, "bf16") * 1 / 2, "roofline/critical-batch-b200": ridge(b200a, "fp8") / 2,

        "formats/e4m3-max": form["e4m3"]["max"], "formats/e5m2-max": form["e5m2"]["max"], "formats/fp16-max": form["fp16"]["max"],
        "formats/e2m1-max": form["e2m1"]["max"], "formats/e2m1-min-normal": form["e2m1"]["min_normal"], "formats/e4m3-levels": 2 ** 3,
        "formats/bf16-mantissa": form["bf16"]["mantissa"], "formats/nvfp4-bits": 4 + 8 / 16, "formats/mxfp4-bits": 4 + 8 / 32,
        "formats/outlier-clip": form["e4m3"]["max"], "formats/eps-e4m3": 2 ** -3, "formats/eps-e5m2": 2 ** -2,
        "formats/ulp-bf16-at-256": 256 * 2 ** -7, "formats/true-70b-nvfp4": 70e9 * 4.5 / 8,

        "kernels/naive-ratio-8k": 1 + 8192 / 128, "kernels/amdahl": 1 / (0.7 + 0.3 / 3), "kernels/amdahl-ceiling": 1 / 0.7,
        "kernels/mma-k-fp8": 32 / 1, "kernels/stages-3": 3 - 1, "kernels/stages-fit": floor(227 * 1024 / ((128 * 64 + 64 * 256) * 2)),
        "kernels/splitk-count": 132 // 32, "kernels/accumulator-256": 128 * 256 / 128,
        "kernels/norm-fusion": 4 * 134e6 / h100["bandwidth"], "kernels/occupancy-200": occupancy_200(),
        "kernels/setmaxnreg": (24 + 240 + 240) * 128, "kernels/bytes-in-flight": h100["bandwidth"] * 600e-9,
        "kernels/coalesced-sectors": lanes_to_sectors(1), "kernels/stride2-sectors": lanes_to_sectors(2),
        "kernels/stride8-sectors": lanes_to_sectors(8), "kernels/misaligned-sectors": lanes_to_sectors(1, offset=4),
        "kernels/random-sectors": 32, "kernels/stride2-efficiency": lanes_to_sectors(1) / lanes_to_sectors(2),
        "kernels/bank-stride2": gcd(2, 32), "kernels/bank-stride32": gcd(32, 32), "kernels/bank-stride33": gcd(33, 32),
        "kernels/bank-stride48": gcd(48, 32), "kernels/swizzle-16": column_conflict(True), "kernels/swizzle-none": column_conflict(False),
        "kernels/tail-wave": 136 / (ceil(136 / 132) * 132),

        "profiling/unit-check": 116.6e9 * 512 / 2,
        "profiling/measured-bf16": (708e12 + 769e12 + 798e12) / 3,
        "profiling/measured-tile": measured["h200-transpose-tile"]["time"] / measured["h200-transpose-padded"]["time"],
        "profiling/measured-scatter": measured["h200-transpose-scattered"]["time"] / measured["h200-transpose-padded"]["time"],

        "distributed/fsdp-ratio": 3 / 2, "distributed/ep-world-dp": 1024 / 8 / 8, "distributed/fsdp-resident": 1 + 1,
        "distributed/fsdp-block-flops": 2 * block * 4096, "distributed/fsdp-gather-ms": 7 / 8 * block * 2 / nv,
        "distributed/fsdp-breakeven-nvlink": 7 / 8 * 2 * half / (2 * nv), "distributed/fsdp-breakeven-ib": ports_busy(64, ib) * half / 2,
        "distributed/hfu-ratio": 8 / 6, "distributed/hfu-45": 0.45 * 8 / 6,
        "distributed/mfu-worked": 6 * 70e9 * 1024 * 8192 / 2.5 / (1024 * h100["fp8"]), "distributed/mfu-405b": (0.38 + 0.43) / 2,
        "distributed/mfu-three": 9000 * (6 * 8.03e9 + 12 * l8["layers"] * l8["hidden"] * 8192) / h100["bf16"],
        "distributed/ring-1gb": ring(8, 1e9, nv), "distributed/hier-64": ring(64, 16e9 / 8, ib),
        "distributed/busbw-ar": T["collectives"]["all-reduce"]["busbw_8"], "distributed/busbw-ag": T["collectives"]["all-gather"]["busbw_8"],
        "distributed/busbw-ring": (365e9 + 370e9) / 2, "distributed/alpha-beta": 1e-6 * 8 * link["nvlink4-ring"]["rate"],
        "distributed/ar-decode-total": 2 * l70["layers"] * 6e-6, "distributed/ar-payload": l405["hidden"] * 2,
        "distributed/tp-32": 4 * 32, "distributed/tp-32-recompute": 6 * 32, "distributed/gpipe-bubble": bubble(4, 8),
        "distributed/interleaved-bubble": bubble(4, 8, 2), "distributed/interleaved-memory": 1 + 3 / (4 * 2),
        "distributed/zb-h1-p8": 7 / (7 + 3 * 32), "distributed/microbatches": ceil(7 * 0.95 / 0.05 - 1e-9),
        "distributed/moe-bytes": a2a, "distributed/moe-time": a2a / nv, "distributed/moe-count": 2 + 2,
        "distributed/moe-step": 4 * 32 * a2a / nv, "distributed/lb-min": 64 * 64 * (1 / 64) ** 2,
        "distributed/experts-touched": 256 * (1 - (1 - 8 / 256) ** 32),

        "inference/kv-8b-token": kv(l8), "inference/kv-70b-token": kv(l70), "inference/kv-405b-token": kv(l405),
        "inference/kv-8b-8k": kv(l8) * 8192, "inference/kv-70b-8k": kv(l70) * 8192, "inference/kv-70b-128k": kv(l70) * 131072,
        "inference/kv-70b-80gb": 80e9 / kv(l70), "inference/kv-70b-b32": kv(l70) * 8192 * 32,
        "inference/serve-70b": w70 + kv(l70) * 8192 * 32 + 7.5e9, "inference/kv-100req": 100 * kv(l70) * 2048,
        "inference/mla-width": v3["latent"] + v3["rope"], "inference/mla-token": mla(v3["layers"]),
        "inference/mla-128k": mla(v3["layers"]) * 131072, "inference/mla-80": mla(80) * 131072,
        "inference/mla-vs-gqa": kv(l70) / mla(v3["layers"]), "inference/capacity-1m": floor(450 / 80),
        "inference/capacity-gqa": floor(450e9 / (kv(l70) * 131072)), "inference/paged-waste": sum(range(16)) / 16,
        "inference/radix-short": 7 // 16, "inference/radix-63": 63 // 16 * 16, "inference/prefill-70b": prefill,
        "inference/prefill-time": prefill / (8 * half), "inference/decode-floor": token, "inference/decode-rate": 1 / token,
        "inference/decode-expected": 1 / (token + 160 * 6e-6), "inference/mbu-180": 180 * token, "inference/batch-gain": 800 / 40,
        "inference/batch-floor": 32 / ((w70 + kv(l70) * 4096 * 32) / 4 / h100["bandwidth"]),
        "inference/at-once": 2.9 * 400 * 0.020, "inference/static-waste": (50 + 10 + 30 + 80) / (4 * 80), "inference/chunk-size": 512 * 2 * 70e9 / (8 * half),
        "inference/pd-transfer": kv(l70) * 8192 / ib, "inference/pd-nvlink": kv(l70) * 8192 / nv,
        "inference/spec-tokens-n": spec(0.8, 5), "inference/spec-speedup": spec(0.8, 5) / (1 + 5 * 0.02),
        "inference/spec-breakeven-k8": (spec(0.6, 8) - 1) / 8, "inference/w4a16-gb": 70e9 * (4 + 16 / 128) / 8,
        "inference/ring-attn-hide": 2 * half / (2 * 8 * ib), "inference/launch-bound": 80 * 12 * 5e-6,

        "interview/garbage-lds": 65792 - 256, "interview/moe-191": (0.492 - 0.169) / 0.169, "interview/smem-99": 101376,

        "system/pcie5-rate": 32e9 * 16 * 128 / 130 / 8, "system/pcie4x4": 16e9 * 4 * 128 / 130 / 8, "system/throttle-step": 2.0 / 0.8 + 0.5, "system/sum-bytes": 2 * 15 / 16 * 2**18 / 24e9,
        "system/cost-mtok": 30e6 / (3600 * 8000), "system/cost-util": 20e6 / (3600 * 12000 * 0.6), "system/cost-step": 2000 * 2.5 / 3600,
        "system/cost-run": 2000 * 2.5 / 3600 * 1e5 * 6, "system/mbu-saving": 1 - 75 / 85, "system/mbu-dollars": 30 * 100 * 8760 / 1e6 * (1 - 75 / 85),
        "system/fp8-dollars": 1 - 40 / 50, "system/ckpt-19": sqrt(2 * 60 * 3 * 3600), "system/adam-bytes": 2 + 2 + 4 + 4 + 4,
    }
    return out


FACTS = {
    "silicon/tpu-v5p-job": 6144, "silicon/trainium2-cores": 8, "silicon/sm-tensor-cores": 4, "kernels/fa3-rate": 740e12,
    "kernels/mbarrier-size": 64, "kernels/tma-multicast": 16, "kernels/tma-descriptor": 128, "kernels/sector-size": 32,
    "profiling/launch-steady": 4e-6,
}


def phrases(T):
    """(card, a figure that must stand in its text, the value behind it, how it is written). Figures in words and choices."""
    chip, model, link = T["chips"], T["models"], T["links"]
    h100, b200a = chip["h100"], chip["b200-announced"]
    l70 = model["llama-3-70b"]
    token = l70["params"] * 2 / 8 / h100["bandwidth"]
    half = h100["bf16"] / 2
    block = l70["params"] / l70["layers"]
    kv70 = 2 * 80 * 8 * 128 * 2
    tp = lambda t, ar: l70["params"] * 2 / t / h100["bandwidth"] + 160 * ar
    return [
        ("roofline/fp4-ridge", "844", 1.5 * b200a["fp8"] / b200a["bandwidth"], "%.0f"),
        ("roofline/fp4-ridge", "844", 1.5 * b200a["fp4"] / b200a["bandwidth"] / 2, "%.0f"),
        ("roofline/critical-591", "295", h100["fp8"] / h100["bandwidth"] / 2, "%.0f"),
        ("distributed/fsdp-verdict", "14.5 ms", 2e3 * block * 4096 / half, "%.1f ms"),
        ("distributed/fsdp-verdict", "3.4 ms", 1e3 * 7 / 8 * block * 2 / link["nvlink4"]["rate"], "%.1f ms"),
        ("distributed/fsdp-breakeven-ib", "9,735", 8 * ports_busy(64, link["ib-ndr"]["rate"]) * half / 2, "%d"),
        ("distributed/ring-n", "1.75 M", 2 * 7 / 8, "%.2f M"), ("distributed/ring-n", "1.97 M", 2 * 63 / 64, "%.2f M"),
        ("distributed/mfu-dsv3", "343 TF", 6 * 37e9 * 14.8e12 / (2.664e6 * 3600) / 1e12, "%.0f TF"),
        ("distributed/mfu-dsv3", "34.6 %", 6 * 37e9 * 14.8e12 / (2.664e6 * 3600) / h100["bf16"] * 100, "%.1f %%"),
        ("distributed/mfu-dsv3", "17.3 %", 6 * 37e9 * 14.8e12 / (2.664e6 * 3600) / h100["fp8"] * 100, "%.1f %%"),
        ("inference/mbu-200", "104.5 %", 200 * token * 100, "%.1f %%"), ("inference/mbu-200", "191", 1 / token, "%.0f"),
        ("inference/batch-40", "42 %", 40 * 35e9 / h100["bandwidth"] * 100, "%.0f %%"),
        ("inference/batch-40", "96", h100["bandwidth"] / 35e9, "%.0f"),
        ("inference/decode-40", "96", 1 / (280e9 / 8 / h100["bandwidth"]), "%.0f"),
        ("inference/tp-4-8", "1.82", tp(4, 5e-6) / tp(8, 6e-6), "%.2f"),
        ("inference/pd-when", "54 ms", 1e3 * kv70 * 8192 / link["ib-ndr"]["rate"], "%.0f ms"),
        ("inference/pd-when", "312 ms", 1e3 * (140e9 + 2 * 8192 * 8192 * 80) * 8192 / (8 * half), "%.0f ms"),
        ("inference/w4a16-speed", "3.88", 16 / 4.125, "%.2f"), ("inference/w4a16-speed", "3.76", 16 / 4.25, "%.2f"),
        ("inference/w4a16-less", "2.6", 6.2 / (5.2 / ((140 + 2.68) / (36.1 + 2.68)) + 1), "%.1f"),
        ("inference/kv-100req-gpus", "207 GB", 140 + 100 * kv70 * 2048 / 1e9, "%.0f GB"),
        ("inference/pd-1gb", "1.07 GB", 131072 * 8192 / 1e9, "%.2f GB"), ("inference/pd-1gb", "2.68 GB", kv70 * 8192 / 1e9, "%.2f GB"),
        ("system/cost-basis", "3.75", 30 / 8, "%.2f"), ("system/cost-basis", "1.95", 2000 / 1024, "%.2f"),
        ("system/mbu-throughput", "11.8 %", (1 - 75 / 85) * 100, "%.1f %%"),
        ("profiling/time-floor", "112 us", 537e6 / chip["h200"]["bandwidth"] * 1e6, "%.0f us"),
        ("profiling/l2-resident", "5.5 TB/s", 32e6 / 5.8e-6 / 1e12, "%.1f TB/s"),
        ("profiling/jit-in-timing", "1.7 ms", 121.8 / 71, "%.1f ms"),
        ("silicon/amd-405b", "1,024 GB", 4 * chip["mi325x"]["memory"] / 1e9, "1,024 GB"),
        ("silicon/sparse-peak", "3,958", 2 * h100["fp8"] / 1e12, "3,958"),
        ("silicon/nvl72-slip", "162 PF", 72 * 2.25, "%.0f PF"),
        ("silicon/ratio-mixup", "2.25", 900 / (8 * 50), "%.2f"),
        ("interview/smem-fix", "113 KiB", (3 * 64 * 128 * 4 + 64 * 64 * 4 + 1024) / 1024, "%.0f KiB"),
        ("interview/numerics-2-10", "1.3 %", 2 ** -10 / 0.073 * 100, "%.1f %%"),
        ("kernels/fa2-2x", "35 %", 35, "%.0f %%"),
    ]


# The usual slips: a card whose tolerance took one of them for right would teach it.
TRAPS = {
    "silicon/b200-bw-shipping": [8.0e12], "silicon/b200-mem-usable": [192e9, 186e9], "silicon/gb200-bf16": [2250e12],
    "silicon/nvl72-bf16": [162e15, 360e15], "silicon/nvl72-mem": [13.824e12], "silicon/mi300x-pair": [128e9, 448e9],
    "silicon/l2-b200": [60e6], "silicon/shared-h100": [228 * 1024, 227e3], "silicon/nvlink4-direction": [900e9],
    "silicon/ratio-smem-hbm": [6], "silicon/ratio-nvlink-ib": [1.8, 2.25], "silicon/nvl72-bisection": [130e12, 64.8e12],
    "silicon/h200-bw": [6.8e12], "silicon/fit-405b": [6, 8, 10], "silicon/trainium2-cores": [2],
    "roofline/ridge-h100-fp8": [1181, 295], "roofline/square-bf16": [1773, 443], "roofline/critical-batch-fp8": [591],
    "roofline/decode-ai-mla": [1], "roofline/gemm-256": [100],
    "formats/e4m3-max": [240], "formats/e2m1-min-normal": [0.5], "formats/nvfp4-bits": [4.25, 4], "formats/e4m3-levels": [7],
    "formats/true-70b-nvfp4": [35e9, 37.2e9],
    "kernels/swizzle-16": [1], "kernels/tail-wave": [0.97], "kernels/mbarrier-size": [128], "kernels/misaligned-sectors": [4],
    "distributed/fsdp-block-flops": [7.17e9], "distributed/fsdp-breakeven-ib": [9890, 9735, 2178, 961], "distributed/fsdp-gather-ms": [1.7e-3], "distributed/ring-1gb": [1.94e-3, 4.44e-3, 31e-3],
    "distributed/ar-payload": [65536], "distributed/moe-step": [0.134], "distributed/moe-time": [1.04e-3], "distributed/hier-64": [0.630],
    "distributed/gpipe-bubble": [3 / 8], "distributed/interleaved-memory": [2, 8], "distributed/hfu-ratio": [1.5],
    "distributed/busbw-ring": [450e9, 250e9, 765e9], "distributed/mfu-worked": [1.39, 0.23],
    "inference/mla-token": [140544], "inference/mla-128k": [5.4e9, 18.4e9], "inference/kv-70b-8k": [1.07e9],
    "inference/pd-transfer": [20e-3], "inference/pd-nvlink": [1e-3], "inference/spec-tokens-n": [5], "inference/spec-speedup": [5, 4],
    "inference/decode-rate": [200], "inference/batch-gain": [25], "inference/capacity-1m": [1], "inference/w4a16-gb": [35e9],
    "inference/ring-attn-hide": [9890],
    "interview/smem-99": [101e3, 100 * 1024], "interview/moe-191": [2.91, 0.66], "profiling/unit-check": [29.8e9],
    "system/mbu-saving": [0.133], "system/mbu-dollars": [3.4], "system/cost-run": [1e6], "system/fp8-dollars": [0.25],
    "system/ckpt-19": [5400], "system/pcie5-rate": [31.5e9],
}
