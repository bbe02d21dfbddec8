#!/usr/bin/env python3
"""Suspect, fix and best of the shipped scenarios beside PyTorch eager and beside the roofline, in one table.

  library.py --runner build/warpdrill-runner --program build/warpdrill [--content content/packs] [--all] [--only NAMES] [--dry]

What is measured comes from `warpdrill record`, which is given this program as its runner: it writes down the request that
holds sources, launches and sizes, and declines it. The real runner then times pairs of that request, cold, and the best warm.
PyTorch runs the same operation at the same sizes right after, in a process of its own; attention by each of its backends. One
story is timed for squares too. Below the table stands how the best of each story compares with what it is held against: the
library's product, the fastest backend of attention, the copy rate.
--all takes every variant, else the first of each story. --dry measures nothing and needs neither GPU nor PyTorch: sizes are
those of a recorded GPU.
"""
import argparse, glob, json, os, re, shlex, shutil, statistics, subprocess, sys, tempfile

sys.dont_write_bytecode = True
from agreement import Refused, Runner

TIMES = 21          # of which the median counts
FLUSH = 512 << 20   # bytes read before a cold call, at least twice L2


# ---- the operations: sizes in, a function without arguments out. s is what sizes_of tells of the story. ----

def transposed_copy(torch, s):
    n = round(s["in"] ** 0.5)
    x = torch.rand(n, n, device="cuda")
    return lambda: x.t().contiguous()


def plain_copy(torch, s):
    x = torch.rand(s["in"], device="cuda")
    out = torch.empty_like(x)
    return lambda: out.copy_(x)


def row_means(torch, s):
    x = torch.randn(s["mean"], s["in"] // s["mean"], device="cuda") + 3

    def call():
        variance, mean = torch.var_mean(x, dim=1, correction=0)
        return mean, variance, (x - mean[:, None]).abs().amax(dim=1)
    return call


def scaled_rows(torch, s):
    x = torch.rand(s["a"], s["x"] // s["a"], device="cuda")
    a, b = torch.rand(s["a"], 1, device="cuda"), torch.rand(s["b"], 1, device="cuda")
    return lambda: a * x + b


def gated_activation(torch, s):
    channels = s["bias"]
    items = s["gate"] // channels
    x = torch.randn(items, s["in"] // s["gate"], channels, device="cuda", dtype=torch.bfloat16)
    bias = torch.randn(channels, device="cuda", dtype=torch.bfloat16)
    gate = torch.randn(items, 1, channels, device="cuda", dtype=torch.bfloat16)
    return lambda: torch.nn.functional.gelu(x + bias, approximate="tanh") * gate


def small_windows(torch, s):
    x = torch.randn(s["in"] // s["out"], s["out"], device="cuda") * 30 + 1000
    return lambda: x.sort(dim=0).values[2:-2].mean(dim=0)


def many_bins(torch, s):
    n, cells, terms = s["kind"], s["total"], 8
    front, back = torch.rand(n, 4, device="cuda"), torch.rand(n, 4, device="cuda")
    kind = torch.randint(0, 8, (n,), device="cuda", dtype=torch.int32)
    cell = torch.randint(0, cells, (n,), device="cuda")
    cell[torch.rand(n, device="cuda") < 0.08] = 0
    curves = torch.rand(terms, 8, device="cuda")
    total = torch.zeros(cells, device="cuda", dtype=torch.int32)

    def energy(x):
        y = curves[terms - 1][kind][:, None]
        for t in range(terms - 2, -1, -1):
            y = y * x + curves[t][kind][:, None]
        return y.sum(dim=1)
    return lambda: total.index_add_(0, cell, (energy(front) + energy(back) + 0.5).to(torch.int32))


def tracked_particles(torch, s):
    n, stations, turns = s["in"] // 2, s["table"] // 2, 12
    phase, momentum = torch.rand(n, device="cuda"), torch.rand(n, device="cuda")
    table = [(0.01, 0.02)] * stations

    def call():
        x, y = phase.clone(), momentum.clone()
        for _ in range(turns):
            for kick, drift in table:
                y.sub_(torch.sin(x), alpha=kick)
                x.add_(y, alpha=drift)
        return x, y
    return call


def fused_rows(torch, s):
    rows = s["grid"][0]
    x = torch.randn(rows, s["in"] // rows, device="cuda") - 4
    return lambda: torch.softmax(x, dim=1)


def streamed_tiles(torch, s):
    w = torch.rand(s["x"] // 4, s["y"] // 4, device="cuda")
    x = torch.rand(4, s["x"] // 4, device="cuda")
    return lambda: x @ w


def tile_product(torch, s):
    k = round((s["a"] * s["b"] / s["c"]) ** 0.5)
    a = torch.randn(s["a"] // k, k, device="cuda", dtype=torch.float16)
    b = torch.randn(s["b"] // k, k, device="cuda", dtype=torch.float16) * 0.02
    return lambda: torch.mm(a, b.t(), out_dtype=torch.float32)


def bfloat16_product(torch, s):
    k = round((s["a"] * s["b"] / s["c"]) ** 0.5)
    a = torch.randn(s["a"] // k, k, device="cuda", dtype=torch.bfloat16)
    b = torch.randn(s["b"] // k, k, device="cuda", dtype=torch.bfloat16) * 0.02
    return lambda: torch.mm(a, b.t())


def square_product(torch, s):
    n = round(s["c"] ** 0.5)
    a, b = (torch.rand(n, n, device="cuda", dtype=torch.float16) for _ in "ab")
    return lambda: torch.mm(a, b)


def few_tokens_product(torch, s):
    k = s["a"] // 64
    a = torch.randn(64, k, device="cuda", dtype=torch.bfloat16)
    b = torch.randn(s["c"] // 64, s["b"] // (s["c"] // 64), device="cuda", dtype=torch.bfloat16)[:, :k] * 0.02
    return lambda: torch.mm(a, b.t())


def eight_bits(torch, s):
    """Both operands in eight bits, and the length of a sum."""
    k = round((s["a"] * s["b"] / s["c"]) ** 0.5)
    a, b = (torch.randn(s[x] // k, k, device="cuda").to(torch.float8_e4m3fn) for x in "ab")
    return a, b, k


def eight_bit_product(torch, s):
    a, b, _ = eight_bits(torch, s)
    scale = torch.full((1,), 0.1, device="cuda")
    return lambda: torch._scaled_mm(a, b.t(), scale, scale, out_dtype=torch.bfloat16, use_fast_accum=False)


def scaled_blocks_product(torch, s):
    a, b, k = eight_bits(torch, s)
    of_a = torch.rand(k // 128, s["a"] // k, device="cuda").t()
    of_b = torch.rand(s["b"] // k // 128, k // 128, device="cuda").t()
    return lambda: torch._scaled_mm(a, b.t(), of_a, of_b, out_dtype=torch.bfloat16)


def normed_rows(torch, s):
    cols = s["weight"]
    x = torch.randn(s["x"] // cols, cols, device="cuda", dtype=torch.float16)
    weight = torch.rand(cols, device="cuda", dtype=torch.float16)

    def normed(x, weight):
        value = x.float()
        return (value * torch.rsqrt(value.pow(2).mean(-1, keepdim=True) + 1e-5) * weight).half()
    compiled = torch.compile(normed)
    return lambda: compiled(x, weight)


def gated_values(torch, s):
    x, gate = (torch.randn(s["x"], device="cuda") for _ in range(2))
    compiled = torch.compile(lambda x, gate: x * gate * torch.sigmoid(gate))
    return lambda: compiled(x, gate)


def one_token_attention(torch, s):
    heads, keys = s["q"] // 128, s["k"] // s["q"]
    q = torch.randn(1, heads, 1, 128, device="cuda", dtype=torch.bfloat16)
    k, v = (torch.randn(1, heads, keys, 128, device="cuda", dtype=torch.bfloat16) for _ in range(2))
    return lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v)


def many_rows_attention(torch, s):
    torch.backends.cuda.matmul.allow_tf32 = True
    across = s["scratch"] * 64 // s["q"]
    q, k, v = (torch.randn(1, s["q"] // (64 * across), across, 64, device="cuda") for _ in range(3))
    return lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v)


def causal_attention(torch, s):
    length, heads = s["passed"]
    q, k, v = (torch.randn(1, heads, length, 128, device="cuda", dtype=torch.bfloat16) for _ in range(3))
    return lambda: torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)


ATTENTION = (one_token_attention, many_rows_attention, causal_attention)
BACKENDS = {"flash": "FLASH_ATTENTION", "cudnn": "CUDNN_ATTENTION", "efficient": "EFFICIENT_ATTENTION", "math": "MATH"}

# Story, operation, ceiling of its flops and the share of it, what is to be said about the comparison.
OPERATIONS = {
    "first-principles/transposed-copy": (transposed_copy, "fma", 1, ""),
    "first-principles/plain-copy": (plain_copy, "fma", 1, ""),
    "first-principles/row-means": (row_means, "fma", 1, "var_mean, then the reach in operations of their own"),
    "first-principles/scaled-rows": (scaled_rows, "fma", 1, "two operations; ours has one small block an SM by contract"),
    "inside-the-sm/gated-activation": (gated_activation, "fma", 1, "three operations"),
    "inside-the-sm/small-windows": (small_windows, "fma", 1, "by a full sort"),
    "inside-the-sm/many-bins": (many_bins, "fma", 1, "Horner's scheme term by term, then index_add_"),
    "inside-the-sm/tracked-particles": (tracked_particles, "fma", 0.375, "sines are made 16 lanes a cycle, 6 flops with each; three operations a station"),
    "hidden-depths/fused-rows": (fused_rows, "fma", 1, ""),
    "hidden-depths/streamed-tiles": (streamed_tiles, "fma", 1, "TF32 not allowed, as in the story"),
    "hidden-depths/tile-product": (tile_product, "tensor", 1, "ceiling of mma.sync; the library has wgmma"),
    "hopper/wide-projection": (bfloat16_product, "tensor", 1, "ceiling of mma.sync; both have wgmma"),
    "hopper/many-tokens": (bfloat16_product, "tensor", 1, "ceiling of mma.sync; both have wgmma"),
    "hopper/eight-bits": (eight_bit_product, "tensor", 2, "sums in registers (use_fast_accum=False); twice the ceiling of mma.sync in bfloat16"),
    "hopper/scaled-blocks": (scaled_blocks_product, "tensor", 2, "scales 1 x 128 and 128 x 128; twice the ceiling of mma.sync in bfloat16"),
    "hopper/few-tokens": (few_tokens_product, "tensor", 1, ""),
    "tiles/normed-rows": (normed_rows, "fma", 1, "by torch.compile"),
    "tiles/gated-values": (gated_values, "fma", 1, "by torch.compile"),
    "tiles/shipped-product": (square_product, "tensor", 1, "ceiling of mma.sync; both have wgmma"),
    "hopper-4096/many-tokens": (bfloat16_product, "tensor", 1, "the kernel of many-tokens for a square, 4096 each way"),
    "hopper-8192/many-tokens": (bfloat16_product, "tensor", 1, "the kernel of many-tokens for a square, 8192 each way"),
    "hopper/long-prompts": (causal_attention, "tensor", 1, "ceiling of mma.sync; both have wgmma"),
    "hopper/many-prompts": (causal_attention, "tensor", 1, "ceiling of mma.sync; both have wgmma"),
    "attention/one-token-attention": (one_token_attention, "fma", 1, "PyTorch's query is bfloat16, ours float"),
    "attention/many-rows-attention": (many_rows_attention, "tensor", 0.5, "TF32 allowed, half the f16 rate"),
}
SQUARES = ("hopper/many-tokens", (4096, 8192))    # a story of m, n and k that is timed as a product of squares too
# How a story's best is held against the library's time, and the most that it may take of it. Of any other story whose roofline is
# that of its bytes it is the copy rate, of which it should reach COPY_SHARE.
HELD = {
    "hopper-4096/many-tokens": ("bf16 product, square", 1.15),
    "hopper-8192/many-tokens": ("bf16 product, square", 1.15),
    "hopper/many-tokens": ("bf16 product, many tokens", 1.15),
    "hopper/wide-projection": ("bf16 product, skinny", 1.15),
    "hopper/few-tokens": ("bf16 product, decode", 1.15),
    "hopper/eight-bits": ("FP8 product, one scale", 1.25),
    "hopper/scaled-blocks": ("FP8 product, block scales", 1.25),
    "hopper/long-prompts": ("attention forward", 1.25),
    "hopper/many-prompts": ("attention forward", 1.25),
    "attention/one-token-attention": ("attention, one token", 1.25),
    "attention/many-rows-attention": ("attention, floats by TF32", 1.25),
    "tiles/shipped-product": ("fp16 product by Triton", 1.15),
    "hidden-depths/tile-product": ("fp16 product by mma.sync", 1.15),
}
COPY_SHARE = 0.95
NO_OPERATION = {"decode-step": "a step of many operations, not one: nothing in PyTorch eager is the same work"}


class Nothing:
    """Stands for PyTorch and its tensors where there is none: an operation that names a buffer the story lacks still shows."""

    def __getattr__(self, name):
        return self

    def __call__(self, *args, **more):
        if any(isinstance(a, int) and a < 0 for a in args):
            raise ValueError("a size is negative")
        return self

    def __getitem__(self, at):
        return self

    def __setitem__(self, at, value):
        pass

    def __mul__(self, other):
        return self

    __add__ = __sub__ = __lt__ = __mul__


def faults_of_operations(content, sizes):
    """What is wrong with the table: stories that are not there, sizes that their story does not have."""
    faults = [f"{story}: there is no such story" for story in OPERATIONS
              if not os.path.exists(os.path.join(content, re.sub(r"-\d+/", "/", story), "scenario.yaml"))]
    for story, s in sizes.items():
        try:
            OPERATIONS[story][0](Nothing(), s)
        except (KeyError, TypeError, ValueError, ZeroDivisionError) as why:
            faults.append(f"{story}: {type(why).__name__}: {why}")
    return faults


# ---- the child: PyTorch ----

def timed(torch, call, flush):
    pairs = [[torch.cuda.Event(enable_timing=True) for _ in range(2)] for _ in range(TIMES)]
    for before, after in pairs:
        flush()
        before.record()
        call()
        after.record()
    torch.cuda.synchronize()
    return statistics.median(before.elapsed_time(after) for before, after in pairs) / 1e3


def by_backends(torch, call, flush):
    """Cold seconds by backend of attention, or the reason why one does not take it."""
    import warnings
    from torch.nn.attention import SDPBackend, sdpa_kernel
    out = {}
    for name, backend in BACKENDS.items():
        try:
            with warnings.catch_warnings(), sdpa_kernel(getattr(SDPBackend, backend)):
                warnings.simplefilter("ignore")
                for _ in range(3):
                    call()
                out[name] = timed(torch, call, flush)
        except (RuntimeError, AttributeError) as why:
            out[name] = str(why).splitlines()[0]
    return out


def child(sizes):
    """One line of JSON for each story: cold and warm in seconds, or why not."""
    import torch
    big = torch.ones(max(FLUSH, 2 * torch.cuda.get_device_properties(0).L2_cache_size) // 4, dtype=torch.int32, device="cuda")
    print(json.dumps({"version": torch.__version__}), flush=True)
    for story, s in sizes.items():
        torch.backends.cuda.matmul.allow_tf32 = False
        row, call = {"story": story}, None
        try:
            call = OPERATIONS[story][0](torch, s)
            for _ in range(3):
                call()
            row.update(cold=timed(torch, call, big.max), warm=timed(torch, call, call))
            if OPERATIONS[story][0] in ATTENTION:
                row["backends"] = by_backends(torch, call, big.max)
        except (RuntimeError, TypeError, AttributeError) as why:
            row["why"] = str(why).splitlines()[0]
        print(json.dumps(row), flush=True)
        del call
        torch.cuda.empty_cache()


def by_pytorch(sizes):
    done = subprocess.run([sys.executable, os.path.abspath(__file__), "--child"], input=json.dumps(sizes), capture_output=True, text=True)
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    version = lines[0].get("version") if lines else None
    why = (done.stderr.strip().splitlines() or ["it failed"])[-1] if done.returncode else "it did not answer"
    rows = {line["story"]: line for line in lines if "story" in line}
    return version, {story: rows.get(story, {"why": f"PyTorch: {why}"}) for story in sizes}


# ---- requests, written down by a runner that declines them ----

def decline(device_file, request_file):
    """Answers as a runner: the device out of a file; a measure request is kept and cancelled."""
    def say(message):
        print(json.dumps(message), flush=True)
    for line in sys.stdin:
        message = json.loads(line)
        kind, number = message["type"], message.get("id")
        if kind == "open":
            say({"type": "hello", "protocol": 1, "nonce": message["nonce"], "runner": "0.1", "method": 2,
                 "can": ["timing", "check"], "limits": {"line": 4194304, "source": 262144}})
        elif kind == "describe":
            with open(device_file, encoding="utf-8") as f:
                say(dict(json.load(f), id=number))
            say({"type": "done", "id": number, "status": "ok"})
        elif kind == "measure":
            with open(request_file, "w", encoding="utf-8") as f:
                f.write(line)
            say({"type": "done", "id": number, "status": "failed", "error": {"code": "busy", "text": "written down"}})


def request_of(options, folder, name):
    pack, rest = name.split("/", 1)
    device, request = os.path.join(folder, "device.json"), os.path.join(folder, "request.json")
    if os.path.exists(request):
        os.remove(request)
    runner = shlex.join([sys.executable, os.path.abspath(__file__), "--decline", device, request])
    env = dict(os.environ, WARPDRILL_CONTENT=os.path.join(folder, "packs"), HOME=folder)
    done = subprocess.run([options.program, "record", "--again", "--trust", "--runner", runner, os.path.join(folder, "packs", pack), rest],
                          capture_output=True, text=True, env=env, stdin=subprocess.DEVNULL)
    if not os.path.exists(request):
        raise Refused((done.stderr.strip().splitlines() or ["warpdrill record asked for nothing"])[0].replace(folder + "/", ""))
    with open(request, encoding="utf-8") as f:
        return json.load(f)


def edit(path, **keys):
    """Gives keys of a file of YAML other values, each in its one line."""
    with open(path, encoding="utf-8") as f:
        text = f.read()
    for key, value in keys.items():
        text = re.sub(rf"^( *{key}:).*$", rf"\1 {value}", text, count=1, flags=re.MULTILINE)
    with open(path, "w", encoding="utf-8") as f:
        f.write(text)


def add_squares(packs):
    """Packs of their own, with one story each, whose m, n and k are one number."""
    (pack, story), sides = SQUARES[0].split("/"), SQUARES[1]
    for side in sides if os.path.exists(os.path.join(packs, pack, story)) else ():
        name = f"{pack}-{side}"
        shutil.copytree(os.path.join(packs, pack, story), os.path.join(packs, name, story))
        shutil.copy(os.path.join(packs, pack, "pack.yaml"), os.path.join(packs, name))
        edit(os.path.join(packs, name, "pack.yaml"), id=name, scenarios=f"[{story}]")
        edit(os.path.join(packs, name, story, "scenario.yaml"), m=side, n=side, k=side)


def recorded_device(content):
    """The GPU of a recording, for --dry."""
    names = sorted(glob.glob(os.path.join(content, "*/*/*/sealed/evidence/*.json")))
    if not names:
        raise Refused("no recording tells sizes")
    with open(names[0], encoding="utf-8") as f:
        kept = json.load(f)
    tiers = {t: {"ok": True} for t in ("timing", "resources", "memory", "check")}
    return {"type": "device", "gpu": dict(kept["gpu"], uuid="00"), "software": kept["software"], "tiers": tiers, "ceilings": kept["ceilings"],
            "throttle": []}


# ---- our times ----

def by_runner(runner, request):
    """Seconds of a, b, c cold and of c warm."""
    last = "c" if "c" in request["runs"] else "b"
    items = [{"probe": "timing", "runs": pair, "cache": cache}
             for pair, cache in ((["a", "b"], "cold"), (["a", last], "cold"), ([last], "warm"))]
    wanted = {r for r in request["runs"] if r in "abc"}
    sources = {launch["source"] for r in wanted for launch in request["runs"][r] if "source" in launch}
    mine = {k: v for k, v in request.items() if k not in ("variants", "tolerance", "id")}
    mine.update(items=items, deadline_ms=60000, runs={r: request["runs"][r] for r in wanted},
                sources={s: request["sources"][s] for s in sources})
    out = {}
    for part in runner.ask(mine):
        time = part.get("metrics", {}).get("time", {})
        if "value" in time and "/" not in part.get("run", ""):
            out.setdefault((part["run"], items[part["item"]]["cache"]), time["value"])
    return {"suspect": out.get(("a", "cold")), "fix": out.get(("b", "cold")), "best": out.get((last, "cold")),
            "best_warm": out.get((last, "warm")), "same": last == "b"}


def sizes_of(request):
    """What an operation is made of: lengths of buffers by name, the first launch's grid and the whole numbers that it passes."""
    s = {b["name"]: b["count"] for b in request["buffers"]}
    first = next(launch for launch in request["runs"]["a"] if "grid" in launch)
    s["grid"] = first["grid"]
    s["passed"] = [a["i32"] for a in first["args"] if "i32" in a]
    return s


def roofline(story, work, ceilings):
    copy = ceilings.get("copy", {}).get("value")
    _, ceiling, share, _ = OPERATIONS.get(story, (None, "fma", 1, ""))
    top = ceilings.get(ceiling, {}).get("value")
    if not copy or not top:
        return None
    return max(work.get("bytes", 0) / copy, work.get("flops", 0) / (top * share))


# ---- the table ----

def us(seconds):
    return "-" if seconds is None else f"{seconds * 1e6:.1f}"


def per(a, b, form):
    return form.format(a / b) if a and b else "-"


HEAD = ["scenario", "MB", "Gflop", "suspect us", "fix us", "best us", "PyTorch us", "roofline us", "best % of roofline", "best/PyTorch",
        "best warm us", "PyTorch warm us"]


def row_of(name, request, ours, theirs, roof):
    work = request.get("work", {})
    return [name, f"{work.get('bytes', 0) / 1e6:.1f}", f"{work.get('flops', 0) / 1e9:.2f}", us(ours.get("suspect")), us(ours.get("fix")),
            us(ours.get("best")) + ("*" if ours.get("same") else ""), us(theirs.get("cold")), us(roof),
            per(roof and 100 * roof, ours.get("best"), "{:.1f}"), per(ours.get("best"), theirs.get("cold"), "{:.3f}"),
            us(ours.get("best_warm")), us(theirs.get("warm"))]


def print_rows(lines):
    widths = [max(len(line[i]) for line in lines) for i in range(len(HEAD))]
    for line in lines:
        print("  ".join(c.ljust(w) if i == 0 else c.rjust(w) for i, (c, w) in enumerate(zip(line, widths))).rstrip())


NOTES = """times are medians, cold unless it says warm; PyTorch: L2 flushed by reading, between two events, all kernels of the operation.
roofline: the larger of compelled bytes over the measured copy rate and flops over the measured ceiling; reading alone can beat it.
*: the story has no best of its own, the fix stands for it."""


def names_of(options, folder):
    """Variants that are measured, as pack/story/variant, and packs that do not load."""
    env = dict(os.environ, WARPDRILL_CONTENT=os.path.join(folder, "packs"), HOME=folder)
    done = subprocess.run([options.program, "list", "--json"], capture_output=True, text=True, env=env)
    try:
        told = json.loads(done.stdout)
    except ValueError:
        raise Refused((done.stderr.strip().splitlines() or ["warpdrill list says nothing"])[-1]) from None
    for p in told["problems"]:
        print(f"left out: {os.path.relpath(p['where'], os.path.join(folder, 'packs'))}: {p['text'].splitlines()[0].replace(folder + '/', '')}")
    names = []
    for s in told["scenarios"]:
        if s["kind"] in ("kernel", "pipeline") and (not options.only or any(o in s["id"] for o in options.only.split(","))):
            variants = sorted(os.path.basename(os.path.dirname(f)) for f in glob.glob(os.path.join(folder, "packs", s["id"], "*", "suspect.*"))
                               if f.endswith((".cu", ".py")))
            names += [f"{s['id']}/{v}" for v in (variants if options.all else variants[:1])]
    return names


def held_against(name, request, ours, theirs, ceilings):
    """(what, our seconds, by whom, their seconds, ours over theirs, is it enough), or None where nothing is asked."""
    story, best = name.rsplit("/", 1)[0], ours.get("best")
    if not best:
        return None
    if story in HELD:
        what, most = HELD[story]
        times = {f"SDPA {b}": t for b, t in theirs.get("backends", {}).items() if isinstance(t, float)} or {"library": theirs.get("cold")}
        by = min(times, key=lambda b: times[b] or 1e9)
        return (what, best, by, times[by], best / times[by], best <= most * times[by]) if times[by] else None
    copy = ceilings["copy"]["value"]
    least = request.get("work", {}).get("bytes", 0) / copy
    if least and least >= 0.999 * (roofline(story, request["work"], ceilings) or 1e9):
        return ("memory-bound, of the copy rate", best, "copy", least, best / least, least >= COPY_SHARE * best)
    return None


def print_standing(requests, ours, theirs, ceilings):
    print("standing of each best (a product at most 1.15 x the library's time, FP8 and attention 1.25 x, memory-bound 1.053 x a copy's):")
    for name, request in requests.items():
        row = held_against(name, request, ours.get(name, {}), theirs.get(name.rsplit("/", 1)[0], {}), ceilings)
        if row:
            what, best, by, least, ratio, enough = row
            print(f"  {name:36} {what:32} {us(best):>9} us  {by} {us(least)} us  {ratio:.3f}  {'reached' if enough else 'SHORT'}")
    print("attention by backend, cold us:")
    for story, row in theirs.items():
        for backend, time in row.get("backends", {}).items():
            print(f"  {story:36} {backend:10} {us(time) if isinstance(time, float) else time}")


def gather(options, folder):
    """The device and, by variant, its request; reasons for what cannot be asked."""
    runner = None if options.dry else Runner(options.runner, os.path.join(folder, "cache"))
    device = recorded_device(options.content) if options.dry else runner.describe("measure")
    with open(os.path.join(folder, "device.json"), "w", encoding="utf-8") as f:
        json.dump(device, f)
    requests, why = {}, []
    for name in names_of(options, folder):
        try:
            requests[name] = request_of(options, folder, name)
        except (Refused, ValueError) as reason:
            why.append(f"{name}: left out: {reason}")
    return runner, device, requests, why


def measure(runner, requests, why):
    ours = {}
    for name, request in requests.items():
        if request.get("ranks", 1) > 1:
            why.append(f"{name}: not timed: a step on several GPUs has no time of a pair")
            continue
        try:
            ours[name] = by_runner(runner, request)
        except Refused as reason:
            why.append(f"{name}: not timed: {reason}")
    runner.close()
    return ours


def reason_for(story, row):
    if story in OPERATIONS:
        return row.get("why") or OPERATIONS[story][3]
    return NO_OPERATION.get(story.split("/")[0], "no operation of PyTorch is named for it")


def compare(options, folder):
    runner, device, requests, why = gather(options, folder)
    ours = measure(runner, requests, why) if runner else {}
    sizes = {name.rsplit("/", 1)[0]: sizes_of(r) for name, r in requests.items() if name.rsplit("/", 1)[0] in OPERATIONS}
    version, theirs = (None, {}) if options.dry else by_pytorch(sizes)
    lines, slower = [HEAD], []
    for name, request in requests.items():
        story = name.rsplit("/", 1)[0]
        mine, row = ours.get(name, {}), theirs.get(story, {})
        lines.append(row_of(name, request, mine, row, roofline(story, request.get("work", {}), device["ceilings"])))
        if mine.get("best") and row.get("cold") and mine["best"] > row["cold"]:
            slower.append(f"{name} by {100 * (mine['best'] / row['cold'] - 1):.1f} %")
    print(f"{device['gpu']['name']}, PyTorch {version or 'not run'}; copy {device['ceilings']['copy']['value']:.4g} B/s")
    print_rows(lines)
    print(NOTES)
    for story in sorted({name.rsplit("/", 1)[0] for name in requests}):
        note = reason_for(story, theirs.get(story, {}))
        if note:
            print(f"{story}: {note}")
    print("\n".join(why) if why else "nothing was left out")
    if options.dry:
        faults = faults_of_operations(options.content, sizes)
        print("\n".join(f"operation: {f}" for f in faults) if faults else f"operations: {len(sizes)} stories have one with fitting sizes")
        return 1 if faults else 0
    print_standing(requests, ours, theirs, device["ceilings"])
    if ours and any("cold" in row for row in theirs.values()):
        print("best slower than PyTorch eager: " + ("; ".join(slower) if slower else "none"))
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runner", default="build/warpdrill-runner")
    parser.add_argument("--program", default="build/warpdrill")
    parser.add_argument("--content", default="content/packs")
    parser.add_argument("--all", action="store_true", help="every variant, not the first of each story")
    parser.add_argument("--only", help="parts of names, with commas between")
    parser.add_argument("--dry", action="store_true", help="requests and sizes alone, nothing is measured")
    parser.add_argument("--child", action="store_true", help=argparse.SUPPRESS)
    parser.add_argument("--decline", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.decline:
        return decline(*options.decline)
    if options.child:
        return child(json.load(sys.stdin))
    options.program = os.path.abspath(options.program)
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(options.content, os.path.join(folder, "packs"))   # what is declined must not touch the recordings
        add_squares(os.path.join(folder, "packs"))
        try:
            return compare(options, folder)
        except (Refused, OSError) as why:
            print(f"gpu-bench: skipped: {why}")
            return 0


if __name__ == "__main__":
    sys.exit(main())
