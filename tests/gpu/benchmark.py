"""Benchmarks that lie, executed by the runner and written by hand (benchmark.cu), on this machine's GPU: the same mistake must
come to the same number. Prints TAP and the ratios. usage: benchmark.py RUNNER PROGRAM FATBIN"""
import json, re, statistics, subprocess, sys

runner, program, fatbin = sys.argv[1:4]
N, LONG_NS = 4 << 20, 500000
SOURCE = re.search(r'extern "C" __global__ void scale.*?\n}\n', open("tests/gpu/benchmark.cu").read(), re.S).group(0)
TRUTH = '''extern "C" __global__ void truth(double *out, const float *in, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = 2.0 * in[i];
}
'''
SLACK_US = 3  # of two clocks' edges, and of a launch
# name: run, fields, and the factor within which both agree
CASES = {
    "honest": ("a", {}, 1.2),
    # The stream is idle when the first event is recorded, so the way of the launch lies in the number: on an H100
    # 16.6 us by hand and 24.9 by the worker, for a kernel of 12.6.
    "warm": ("a", {"flush": "none"}, 1.7),
    "flush-inside": ("a", {"flush": "inside"}, 1.35),  # two kernels that read twice L2
    "batch": ("a", {"launches": 10}, 1.2),
    "host": ("a", {"clock": "host"}, 1.35),
    "host-warm": ("a", {"clock": "host", "flush": "none"}, 1.35),
    "long": ("b", {}, 1.1),
    "side": ("b", {"stream": "side"}, 1.5),
    "no-sync": ("b", {"clock": "host", "synchronise": "none", "flush": "none"}, 1.5),
    "long-host": ("b", {"clock": "host"}, 1.1),
    "load-inside": ("a", {"clock": "host", "load": "inside", "warm_up": 0, "reduce": "max"}, 3),
}

def launch(ns):
    return {"source": "a", "kernel": "scale", "grid": [N // 256], "block": [256],
            "args": [{"buffer": "out"}, {"buffer": "in"}, {"i32": N}, {"i64": ns}]}

def item(run, fields):
    return {"probe": "benchmark", "runs": [run], "against": "r", "benchmark": {"warm_up": 3, "repeat": 50, **fields}}

def request(items):
    return {"type": "measure", "id": 1, "deadline_ms": 60000,
            "sources": {"a": {"name": "a.cu", "text": SOURCE}, "o": {"name": "o.cu", "text": SOURCE}, "r": {"name": "r.cu", "text": TRUTH}},
            "buffers": [{"name": "in", "type": "f32", "count": N, "fill": {"kind": "uniform", "low": 0, "high": 1}},
                        {"name": "out", "type": "f32", "count": N, "role": "output"}],
            "runs": {"a": [launch(0)], "b": [launch(LONG_NS)], "o": [{**launch(0), "source": "o"}],
                     "r": [{"source": "r", "kernel": "truth", "grid": [N // 256], "block": [256],
                            "args": [{"buffer": "out"}, {"buffer": "in"}, {"i32": N}]}]},
            "work": {"bytes": 8 * N, "flops": N}, "tolerance": {"kind": "relative", "rel": 1e-6, "abs": 0}, "items": items}

def talk(items):
    p = subprocess.Popen([runner], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    parts, done = {}, {}
    for m, last in (({"type": "open", "protocol": 1, "client": "test", "nonce": "n"}, "hello"), (request(items), "done")):
        p.stdin.write(json.dumps(m) + "\n"); p.stdin.flush()
        for line in p.stdout:
            done = json.loads(line)
            if done["type"] == "part": parts[done["item"]] = done
            if done["type"] == last: break
    p.stdin.close(); p.wait()
    return parts, done

count = 0
def ok(good, what):
    global count
    count += 1
    print("ok" if good else "not ok", count, "-", what)

names = list(CASES)
extra = [item("a", {"reduce": r}) for r in ("min", "mean", "max")] + [item("a", {"inputs": i}) for i in ("zeros", "equal")] \
      + [item("a", {"idle": 20000, "clock": "host", "repeat": 20})] + [{"probe": "timing", "runs": ["a"]}] \
      + [{**item("a", {}), "baseline": {"run": "o", "benchmark": {"warm_up": 3, "repeat": 50, **unlike}}} for unlike in ({}, {"flush": "inside"})]
parts, done = talk([item(*CASES[c][:2]) for c in names] + extra)
if 0 not in parts:
    if done.get("error", {}).get("code") == "no-gpu":
        print("1..0 # SKIP no NVIDIA GPU answers here:", done["error"]["text"]); sys.exit(0)
    print("#", json.dumps(done)); ok(False, "measured"); print("1..1"); sys.exit(1)
if len(parts) < len(names) + len(extra):
    print("#", json.dumps(done)); ok(False, "all items are answered"); print("1..%d" % count); sys.exit(1)

def us(at, metric): return parts[at]["metrics"][metric]["value"] * 1e6
def mine(case, metric): return us(names.index(case), metric)

by_hand = {}
for line in subprocess.check_output([program, fatbin], text=True).splitlines():
    name, *values = line.split()
    by_hand[name] = [float(v) for v in values]
for case in names:
    at, (run, fields, within) = names.index(case), CASES[case]
    how = max if fields.get("reduce") == "max" else statistics.median
    m, h = us(at, "reported_time"), how(by_hand[case])
    ok(h / within - SLACK_US <= m <= h * within + SLACK_US,
       "%s: reports %.2f us, by hand %.2f us, ratio %.3f (first %.1f and %.1f, least %.2f and %.2f, most %.1f and %.1f)"
       % (case, m, h, m / h, us(at, "sample_first"), by_hand[case][0], us(at, "sample_min"), min(by_hand[case]),
          us(at, "sample_max"), max(by_hand[case])))
    ok("verdict: right" in parts[at]["notes"], "%s: its output is right" % case)
    ok(len(parts[at]["series"]["sample"]) == 50, "%s: 50 samples" % case)

reported = {c: mine(c, "reported_time") for c in names}
ok(reported["batch"] < reported["honest"], "so do all runs of a sample but the first: %.2f us" % reported["batch"])
ok(reported["flush-inside"] > 1.5 * reported["honest"], "a flush inside costs: %.2f us" % reported["flush-inside"])
ok(reported["no-sync"] < 0.1 * reported["long-host"],
   "without a synchronise it is the launch: %.2f of %.1f us" % (reported["no-sync"], reported["long-host"]))
ok(reported["side"] < 0.1 * reported["long"], "events do not see a side stream: %.2f of %.1f us" % (reported["side"], reported["long"]))
ok(mine("load-inside", "sample_first") == reported["load-inside"] > 2 * mine("load-inside", "sample_median"),
   "the first sample loads the module: %.1f us, median %.1f us" % (reported["load-inside"], mine("load-inside", "sample_median")))
ok(mine("load-inside", "sample_spread") > mine("host", "sample_spread"), "and spreads the samples")
base = len(names)
least, mean, most = (us(base + i, "reported_time") for i in range(3))
ok(least <= mean <= most, "min %.2f, mean %.2f, max %.2f us" % (least, mean, most))
for i, how in ((3, "zeros"), (4, "equal")):
    ok("verdict: right" in parts[base + i]["notes"], "inputs %s: %.2f us, right" % (how, us(base + i, "reported_time")))
print("# an idle of 20 ms before each sample, by the host's clock: %.2f us, without %.2f us" % (us(base + 5, "reported_time"), reported["host"]))
honest, timing = reported["honest"], us(base + 6, "time")
ok(timing - SLACK_US <= honest <= 1.35 * timing + SLACK_US,
   "the honest program and the timing probe: %.2f and %.2f us, ratio %.3f" % (honest, timing, honest / timing))
# The same kernel twice, from a source that no other run has: the factor is that of the two programs, as by hand.
for i, (case, within) in ((7, ("honest", 1.15)), (8, ("flush-inside", 1.35))):
    m, h = parts[base + i]["metrics"]["speed_up"]["value"], statistics.median(by_hand[case]) / statistics.median(by_hand["honest"])
    ok(h / within <= m <= h * within, "a baseline timed as %s: %.2f x, by hand %.2f x" % (case, m, h))
    ok("baseline: right" in parts[base + i]["notes"], "and its output is right")
print("1..%d" % count)
