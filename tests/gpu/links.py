"""The links of two GPUs by the runner, beside a bare program (links.cu; peer copies within 2 %) and PyTorch's all-reduce (5 %), the fit
worked out once more, and what is said where something is missing. Prints TAP. usage: links.py RUNNER PLAIN [ANSWER.json]
PLAIN: the program of links.cu; ANSWER: where the runner's answer is kept."""

import importlib.util
import json
import math
import subprocess
import sys
import time

import ranks
from ranks import Runner, judge

COPY, BUS, HOST = 0.02, 0.05, 0.05
BIG, STAGED = 256 << 20, 64 << 20
COMPARED = (64 << 20, 256 << 20)  # where the wire is most of it and not Python


def ask(runner, gpus=2, how="measure", deadline=60000):
    runner.id += 1
    runner.send(dict(type="links", id=runner.id, gpus=gpus, deadline_ms=deadline, links=how))
    answer = None
    for line in runner.process.stdout:
        message = json.loads(line)
        if message["type"] == "links":
            answer = message
        if message["type"] == "done":
            return answer, message
    raise SystemExit("the runner is gone")


def plain_times(program):
    said = subprocess.run([program], capture_output=True, text=True, timeout=60)
    if said.returncode:
        raise SystemExit(said.stderr)
    return {(name, int(a), int(b)): float(s) for name, a, b, s in (line.split() for line in said.stdout.splitlines())}


def near(what, ours, theirs, within):
    judge(abs(ours / theirs - 1) <= within, f"{what}: {ours / 1e9:.1f} GB/s beside {theirs / 1e9:.1f} GB/s, {100 * (ours / theirs - 1):+.2f} %")


def copies(links, plain):
    for pair in links["pairs"]:
        a, b = pair["from"], pair["to"]
        near(f"peer copy {a} to {b}", pair["direct"]["one_way"], BIG / plain["direct", a, b], COPY)
        near(f"peer copies both ways, {a} to {b}", pair["direct"]["both_ways"], BIG / plain["direct_both", 0, 1], COPY)
        near(f"staged copy {a} to {b}", pair["staged"]["one_way"], STAGED / plain["staged", a, b], HOST)
        near(f"staged copies both ways, {a} to {b}", pair["staged"]["both_ways"], STAGED / plain["staged_both", 0, 1], HOST)
        print(f"# 16 B {a} to {b}: direct {pair['direct']['latency'] * 1e6:.2f} us beside {plain['direct_latency', a, b] * 1e6:.2f}, "
              f"staged {pair['staged']['latency'] * 1e6:.2f} beside {plain['staged_latency', a, b] * 1e6:.2f}")
    for d, host in enumerate(links["host"]):
        near(f"to GPU {d}", host["to_device"], STAGED / plain["to_device", d, d], HOST)
        near(f"from GPU {d}", host["to_host"], STAGED / plain["to_host", d, d], HOST)
        print(f"# both ways at once, GPU {d}: {host['both_ways'] / 1e9:.1f} GB/s beside {STAGED / plain['host_both', d, d] / 1e9:.1f} GB/s")
        print(f"# 16 B to GPU {d}: {host['latency'] * 1e6:.2f} us beside {plain['host_latency', d, d] * 1e6:.2f}")
    in_a_row, met, alone = (plain[name, 0, 1] * 1e6 for name in ("direct_both", "met", "alone"))
    print(f"# both ways, 256 MiB: {in_a_row:.1f} us in a row, {met:.1f} us where each meets the other GPU ({100 * (met / in_a_row - 1):.2f} % more; "
          f"meeting alone {plain['met_small', 0, 1] * 1e6:.1f} us), {alone:.1f} us alone")


def sums(links):
    theirs = {}
    if importlib.util.find_spec("torch"):
        ranks.SIZES = [int(p["bytes"]) for p in links["all_reduce"]["points"]]
        theirs = ranks.torch_times()
    for point in links["all_reduce"]["points"]:
        size, ours = int(point["bytes"]), point["seconds"]
        other = theirs.get(size)
        words = f"all-reduce of {size >> 10} KiB: {ours * 1e6:.1f} us, bus {size / ours / 1e9:.2f} GB/s" + (
            f" beside PyTorch's {other * 1e6:.1f} us, {100 * (ours / other - 1):+.2f} %" if other else "")
        if other and size in COMPARED:
            judge(abs(ours / other - 1) <= BUS, words)
        else:
            print(f"# {words}")


def solve(points):
    """alpha + n / beta by least squares of the relative error, by elimination with sums kept apart."""
    x, y = [1 / p["seconds"] for p in points], [p["bytes"] / p["seconds"] for p in points]
    xx, xy, yy = (math.fsum(a * b for a, b in zip(u, v)) for u, v in ((x, x), (x, y), (y, y)))
    slope = (math.fsum(y) - math.fsum(x) * xy / xx) / (yy - xy * xy / xx)
    alpha = (math.fsum(x) - slope * xy) / xx
    off = [alpha * a + slope * b - 1 for a, b in zip(x, y)]
    return alpha, 1 / slope, math.sqrt(math.fsum(o * o for o in off) / len(off)), off


def fit(links):
    s = links["all_reduce"]
    alpha, beta, residual, off = solve(s["points"])
    same = all(abs(a / b - 1) < 1e-6 for a, b in ((s["alpha"], alpha), (s["beta"], beta), (s["residual"], residual)))
    judge(same, f"alpha {s['alpha'] * 1e6:.2f} us, beta {s['beta'] / 1e9:.1f} GB/s, residual {100 * s['residual']:.1f} %")
    print("# off by size: " + ", ".join(f"{int(p['bytes']) >> 10} KiB {100 * o:+.0f} %" for p, o in zip(s["points"], off)))


def missing(program):
    for name, value, words in (("WARPDRILL_NCCL", "/nowhere", "NCCL cannot be loaded"), ("CUDA_VISIBLE_DEVICES", "0", "needs 2 GPUs")):
        other = Runner(program, **{name: value})
        answer, done = ask(other)
        said = (answer or {}).get("no_nccl", "") + done.get("error", {}).get("text", "")
        judge(words in said, f"{name}={value}: {said}")
        judge(other.close() == 0, "and the runner leaves")


def main():
    program, plain_program = sys.argv[1:3]
    if ranks.gpus_listed() < 2:
        print("1..0 # SKIP two GPUs are needed, there are", ranks.gpus_listed())
        return
    runner = Runner(program)
    begin = time.monotonic()
    links, done = ask(runner)
    if not links:
        raise SystemExit(done)
    print(f"# measured in {time.monotonic() - begin:.1f} s; NCCL {links.get('nccl')}, driver {links.get('driver')}")
    if len(sys.argv) > 3:
        with open(sys.argv[3], "w") as out:
            json.dump(links, out, indent=1)
    copies(links, plain_times(plain_program))
    fit(links)
    sums(links)
    again, _ = ask(runner, how="cached")
    judge(again["pairs"] == links["pairs"] and again["all_reduce"] == links["all_reduce"], "what was measured is kept")
    judge(runner.close() == 0, "the runner leaves")
    missing(program)
    print(f"1..{ranks.COUNT[0]}")
    sys.exit(1 if ranks.FAILED else 0)


if __name__ == "__main__":
    main()
